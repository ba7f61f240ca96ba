"""The vector exponential integrator: Table 3.2 of CVS-IV, its settings, and whole models."""

from __future__ import annotations

import json
import math
from functools import cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from numba import njit
from scipy.special import ellipj, ellipk, ellipkinc

from solver.base.places import samples
from solver.engine.dynamics.tree import Array
from solver.engine.forces.system import make_work
from solver.engine.integrate.advance import advance
from solver.engine.integrate.control import ready
from solver.engine.integrate.flow import EVALUATIONS, REJECTED, STEPS, T, make_flow
from solver.engine.integrate.plan import PAUSED, SAMPLED, Plan, make_history
from solver.engine.integrate.samples import make_samples
from solver.engine.integrate.vei import _spread, _turn_on
from solver.engine.maths.rotation import matrix
from solver.model.compile import compile_model
from solver.project import Project, load_project, validated
from solver.results.trajectory import Trajectory
from solver.running.simulation import method_of, simulate
from tests.engine.test_tree import Case
from tests.models import hung, project

HEAD = {"format": "manikin-project", "schema_version": 4}
J = np.array([1.0, 2.0, 3.0])
W = 200.0 * math.sqrt(3.0) * float(ellipk(0.5))


def exact(t: float) -> Array:
    """Give the free body's angular velocity (section 3.3, case III)."""
    # at the start sn = cn
    u = 400.0 * ellipk(0.5) * t + ellipkinc(math.pi / 4.0, 0.5)
    sn, cn, dn, _ = ellipj(u, 0.5)
    return W * np.array([math.sqrt(2.0) * cn, math.sqrt(2.0) * sn, math.sqrt(4.0 / 3.0) * dn])


def rates(w: Array) -> Array:
    """Give Euler's equations without torque (3.17)."""
    return np.cross(J * w, w) / J


def with_run(project: Project, duration: float, integrator: dict[str, Any], **more: Any) -> Project:
    """Give a project one run."""
    run = {"id": "run", "duration_s": duration, "integrator": integrator, **more}
    return validated({**project.model_dump(mode="json"), "runs": [run]})


def sample(name: str) -> Project:
    return load_project(samples() / f"{name}.json")


class Rotation(NamedTuple):
    """Hold what Table 3.2 reports a run; errors in percent."""

    steps: int
    evaluations: int
    halved: int
    acceleration: float
    across: float
    momentum: float
    energy: float


def rotate(integrator: dict[str, Any], marks: float) -> Rotation:
    """Turn the free body for 25 ms, with an end of a step at every mark, as the program has."""
    model = compile_model(with_run(sample("free_body"), 0.025, integrator))
    model.v[3:] = W
    work = make_work(model.system, model.trees.speeds, model.rows)
    flow = make_flow(model.q, model.v, model.z, model.states, *model.marks())
    block, history = make_samples(model.system, work, flow, 1), make_history(1)
    method = method_of(model.project.runs[0], model)
    ready(flow, 0.0)
    start, acceleration, across, momentum, energy = J * W, 0.0, 0.0, 0.0, 0.0
    size, direction = np.linalg.norm(start), start / np.linalg.norm(start)
    for mark in np.arange(1, round(0.025 / marks) + 1) * marks:
        plan = Plan(np.zeros(0), float(mark), np.array([mark]))
        code = PAUSED
        while code == PAUSED:
            code = advance(model.system, work, flow, method, plan, block, history)
            w, t = flow.v[3:], flow.clock[T]
            h = matrix(flow.q[3:]) @ (J * w)
            across = max(across, float(np.linalg.norm(h - direction * (direction @ h))))
            momentum = max(momentum, abs(float(np.linalg.norm(h) / size) - 1.0))
            energy = max(energy, abs(math.sqrt(J @ w**2 / 6.0) / W - 1.0))
            if abs(t / 0.005 - round(t / 0.005)) < 1e-9:
                true = rates(exact(t))
                acceleration = max(acceleration, np.abs(flow.rates[3:] / true - 1.0).max())
        assert code == SAMPLED
        assert flow.clock[T] == mark
    steps, evaluations, halved = (int(flow.counters[k]) for k in (STEPS, EVALUATIONS, REJECTED))
    return Rotation(
        steps, evaluations, halved, 100 * acceleration, across, 100 * momentum, 100 * energy
    )


def vei(**settings: Any) -> dict[str, Any]:
    return {"kind": "vei", **settings}


def angular(relative: float, magnitude: float = 1e-6, absolute: float = 0.0, **more: Any) -> Any:
    """Give a test of the free body's angular acceleration, or of another vector."""
    test = {"segment": "body", "vector": "angular_acceleration", **more}
    return [{**test, "magnitude": magnitude, "absolute": absolute, "relative": relative}]


def test_the_exact_solution_is_one() -> None:
    assert np.allclose(exact(0.0), W, rtol=1e-14)
    for t in (0.0013, 0.004, 0.0171):
        slope = (exact(t + 1e-7) - exact(t - 1e-7)) / 2e-7
        assert np.allclose(slope, rates(exact(t)), rtol=1e-6, atol=1e-3)
        assert np.allclose(exact(t + 0.01), exact(t), rtol=1e-11)


# marks, largest, first (ms), relative test; printed: steps, evaluations, then errors in percent:
# acceleration at half periods, momentum across, its size, square root of twice the energy
TABLE = {
    4393: (1, 1 / 4, 1 / 16, 1e-3, 105, 417, 0.0323, 0.96, 0.0021, 0.0025),
    1176: (1, 1 / 4, 1 / 8, 1e-3, 103, 411, 0.0416, 0.99, 0.0046, 0.0051),
    5816: (5, 1 / 2, 1 / 16, 1e-3, 58, 259, 0.0159, 10.89, 0.0079, 0.0108),
    4376: (1, 1 / 2, 1 / 16, 1e-3, 58, 259, 0.0248, 10.99, 0.0092, 0.0108),
    6793: (1, 1 / 2, 1 / 8, 1e-3, 56, 251, 0.0259, 10.95, 0.0099, 0.0114),
    3717: (1, 1 / 2, 1 / 4, 1e-3, 53, 239, 0.0979, 9.78, 0.0137, 0.0146),
    6190: (5, 1 / 2, 1 / 2, 1e-3, 51, 235, 0.0414, 8.04, 0.0129, 0.0178),
    6502: (5, 1 / 2, 1 / 2, 1e-4, 51, 363, 0.0078, 0.79, 0.0008, 0.0006),
}


@pytest.mark.parametrize("number", TABLE)
def test_table_3_2_is_reproduced(number: int) -> None:
    """Counts are the printed ones (they count the start as a step); errors are of their size.

    NDINT and the least step are those of section 3.5. The rate at which U and V fade is not printed:
    it is the default, which of 0, 300, 1000, 1600, 3000, 10 000 per second comes closest.
    """
    marks, largest, first, relative, steps, evaluations, *errors = TABLE[number]
    settings = vei(
        first_step_s=first * 1e-3, largest_step_s=largest * 1e-3, smallest_step_s=6.25e-5,
        iterations=6, tests=angular(relative),
    )  # fmt: skip
    made = rotate(settings, marks * 1e-3)
    assert made.steps + 1 == steps
    assert made.evaluations == pytest.approx(evaluations, rel=0.01)
    assert made.halved == 0
    for found, printed in zip(made[3:], errors, strict=True):
        assert found < 2.0 * printed
    assert made.acceleration > 0.9 * errors[0]


def test_runge_kutta_is_as_accurate_as_table_3_2_says() -> None:
    """The table counts four calls for the start too; its last two figures have changed places."""
    made = rotate({"kind": "rk4", "step_s": 5e-4}, 0.005)
    assert made.steps + 1 == 51
    assert made.evaluations + 3 == 204
    assert made.acceleration == pytest.approx(0.2138, rel=0.02)
    assert made.energy == pytest.approx(0.0286, rel=0.02)
    assert made.momentum == pytest.approx(0.0224, rel=0.02)


@cache
def spun(text: str, duration: float = 0.01) -> Trajectory:
    """Turn the free body with settings given as sorted pairs."""
    result = simulate(with_run(sample("free_body"), duration, json.loads(text)))
    assert result.status == "completed", result.message
    return result


def history(settings: dict[str, Any], duration: float = 0.01) -> tuple[Array, Array, int]:
    """Give a run's steps, the evaluations of each, and how many tries were rejected."""
    table = spun(json.dumps(settings), duration).steps()
    evaluations = np.diff(table["evaluations"], prepend=1)
    return table["step"], evaluations, int(table["rejected"][-1])


FIXED = {"first_step_s": 5e-4, "largest_step_s": 5e-4}


def test_no_tests_are_every_angular_acceleration_to_a_ten_thousandth() -> None:
    alone, named = (history(vei(**FIXED, tests=t)) for t in ([], angular(1e-4)))
    assert np.array_equal(alone[1], named[1])
    assert alone[1].max() > 4


def test_t1_t2_and_t3_say_when_a_step_is_good() -> None:
    """Zero magnitude: never tested; below a magnitude or an error: passed; else by the relative."""
    for tests in (
        angular(1e-12, magnitude=0.0),
        angular(1e-12, magnitude=1e9),
        angular(1e-12, absolute=1e9),
        angular(1.0),
    ):
        assert (history(vei(**FIXED, tests=tests))[1] == 4).all()
    work = [history(vei(**FIXED, iterations=20, tests=angular(r)))[1].sum() for r in (1e-3, 1e-5)]
    assert 80 < work[0] < work[1]


@pytest.mark.parametrize("vector", ["velocity", "acceleration"])
def test_each_kind_of_vector_is_tested_on_its_own(vector: str) -> None:
    """The body turns, and its mass centre rests: only its angular vectors can fail."""
    turning = angular(1e-7, vector=f"angular_{vector}")
    resting = angular(1e-7, vector=f"linear_{vector}")
    work = [history(vei(**FIXED, iterations=20, tests=t))[1] for t in (turning, resting)]
    assert work[0].max() > 4
    assert (work[1] == 4).all()


def test_a_mass_centre_off_the_joint_is_tested_where_it_is() -> None:
    """Pendulums: the upper rod's centre moves with its angle, so both tests ask for the same."""
    work = []
    for vector in ("angular_velocity", "linear_velocity"):
        tests = [{"segment": "upper", "vector": vector, "magnitude": 1e-9, "relative": 1e-9}]
        settings = vei(first_step_s=0.01, largest_step_s=0.01, iterations=20, tests=tests)
        result = simulate(with_run(sample("double_pendulum"), 0.5, settings))
        work.append(result.steps()["evaluations"])
    assert np.array_equal(*work)
    assert work[0][-1] > 4 * len(work[0]) + 1


def test_iterations_bound_the_work_of_a_step_and_failing_halves_it() -> None:
    tight = {"first_step_s": 1e-3, "largest_step_s": 1e-3, "smallest_step_s": 1.25e-4}
    steps, evaluations, halved = history(vei(**tight, iterations=1, tests=angular(1e-9)))
    # at the smallest step everything passes; every doubled step fails again
    assert np.allclose(steps, 1.25e-4)
    assert halved == 3 + (len(steps) - 1) // 3
    assert evaluations[0] == 4 * 4
    steps, evaluations, halved = history(vei(**tight, iterations=30, tests=angular(1e-7)))
    assert halved == 0
    assert evaluations.max() <= 4 + 2 * 29
    steps, evaluations, _ = history(vei(**tight, iterations=3, tests=angular(1e-12)))
    assert evaluations[-1] == 4 + 2 * 2


def test_steps_double_after_three_good_ones_up_to_the_largest() -> None:
    steps, _, halved = history(
        vei(first_step_s=6.25e-5, largest_step_s=4e-4, tests=angular(1.0)), 0.005
    )
    assert halved == 0
    assert np.allclose(steps[:11] / 6.25e-5, [1, 1, 1, 2, 2, 2, 4, 4, 4, 6.4, 6.4])
    assert steps.max() == pytest.approx(4e-4)
    assert steps.sum() == pytest.approx(0.005, rel=1e-12)


def test_memory_fades_at_its_rate() -> None:
    ends = [
        spun_end(vei(**FIXED, memory_rate_per_s=rate, tests=angular(1e-3)))
        for rate in (0.0, 1600.0, 1e6)
    ]
    assert len({e.tobytes() for e in ends}) == 3
    assert max(np.abs(a - exact(0.01)).max() for a in ends) < 2e-3 * W


def spun_end(settings: dict[str, Any]) -> Array:
    w: Array = spun(json.dumps(settings)).segment("body").angular_velocity[-1]
    return w


def test_samples_between_steps_are_as_good_as_steps() -> None:
    run = with_run(sample("free_body"), 0.01, vei(**FIXED), frame_interval_s=7e-5)
    result = simulate(run)
    found = result.segment("body").angular_velocity
    true = np.array([exact(t) for t in result.time])
    assert np.abs(found - true).max() < 3e-4 * W


def test_a_break_resets_the_step() -> None:
    """A load that changes its slope: the step ends there, and the first step comes again."""
    free = sample("free_body").model_dump(mode="json")
    form = {"kind": "table", "x": [0.0, 0.0043, 1.0], "y": [0.0, 100.0, 100.0]}
    project = validated({
        **free, "functions": [{"id": "f", "x_unit": "s", "y_unit": "N", "form": form}],
        "loads": [{"id": "push", "segment": "body", "history": "f"}],
    })  # fmt: skip
    settings = vei(first_step_s=1e-4, largest_step_s=8e-4, tests=angular(1.0))
    table = simulate(with_run(project, 0.01, settings)).steps()
    at = int(np.argmin(np.abs(table["time"] - 0.0043)))
    assert table["time"][at] == 0.0043
    assert np.allclose(table["step"][at + 1 : at + 5] / 1e-4, [1, 1, 1, 2])
    assert table["step"][at - 1] > 3e-4


def turns(result: Trajectory) -> Array:
    return np.stack([result.segment(s).position for s in result.segment_ids])


def test_a_double_pendulum_goes_where_dormand_and_prince_take_it() -> None:
    a, b = (
        simulate(with_run(sample("double_pendulum"), 1.0, i)) for i in (vei(), {"kind": "dopri"})
    )
    assert a.status == b.status == "completed"
    assert np.abs(turns(a) - turns(b)).max() < 3e-4


def chain(seed: int) -> Project:
    """Give a body that floats, with two arms on ball joints, all turning."""
    rng = np.random.default_rng(seed)
    names = ("trunk", "arm", "leg", "hand")
    parents = {"arm": "trunk", "leg": "trunk", "hand": "arm"}
    return validated({
        **HEAD, "gravity_m_per_s2": [0.0, 0.0, 9.81],
        "segments": [
            {"id": n, "mass_kg": float(rng.uniform(1, 5)), "inertia_kgm2": [0.03, 0.035, 0.02]}
            for n in names
        ],
        "joints": [
            {"id": f"to_{c}", "kind": "ball", "parent": p, "child": c,
             "parent_frame": {"position_m": rng.uniform(-0.2, 0.2, 3).tolist()},
             "child_frame": {"position_m": rng.uniform(-0.2, 0.2, 3).tolist()}}
            for c, p in parents.items()
        ],
        "initial": {"attitudes": [
            {"segment": n, "angular_velocity_rad_per_s": rng.uniform(-15, 15, 3).tolist()}
            for n in names
        ]},
    })  # fmt: skip


@pytest.mark.parametrize("seed", range(3))
def test_chains_on_ball_joints_keep_their_energy(seed: int) -> None:
    result = simulate(with_run(chain(seed), 0.5, vei(largest_step_s=5e-4)))
    assert result.status == "completed", result.message
    energy = result.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-4 * energy["kinetic"].max()
    other = simulate(with_run(chain(seed), 0.5, {"kind": "dopri", "relative_tolerance": 1e-9}))
    assert np.abs(turns(result) - turns(other)).max() < 1e-3


def test_constraints_are_held_and_the_memory_with_them() -> None:
    """Closing what is open after a step is no jump: steps stay long."""
    project = sample("four_bar").model_dump(mode="json")
    project["outputs"] = []
    a, b = (simulate(with_run(validated(project), 0.3, i)) for i in (vei(), {"kind": "dopri"}))
    assert a.status == "completed", a.message
    assert np.abs(turns(a) - turns(b)).max() < 1e-4
    assert np.median(a.steps()["step"]) == pytest.approx(1e-3)


def test_what_hangs_on_a_driven_body_is_integrated_and_the_body_is_not() -> None:
    project = sample("double_pendulum").model_dump(mode="json")
    project["segments"].append({"id": "sled", "mass_kg": 10.0, "inertia_kgm2": [1.0, 1.0, 1.0]})
    project["joints"][0]["parent"] = "sled"
    pulse = {"kind": "half_sine", "amplitude": 100.0, "start_s": 0.05, "duration_s": 0.1}
    project["motions"] = [
        {"id": "m", "segment": "sled", "components": [{"component": "x", "pulse": pulse}]}
    ]
    a, b = (simulate(with_run(validated(project), 0.4, i)) for i in (vei(), {"kind": "dopri"}))
    assert a.status == b.status == "completed", (a.message, b.message)
    assert np.abs(turns(a) - turns(b)).max() < 3e-4


def test_a_run_is_the_same_bit_for_bit() -> None:
    runs = [simulate(with_run(chain(5), 0.1, vei())) for _ in range(2)]
    a, b = ([r.table("segments")[c].tobytes() for c in ("position", "velocity")] for r in runs)
    assert a == b
    assert runs[0].steps()["step"].tobytes() == runs[1].steps()["step"].tobytes()


def test_the_sample_says_what_the_table_says() -> None:
    result = simulate(sample("free_body"), "vei")
    table = result.steps()
    assert len(table["time"]) + 1 == 51
    assert table["evaluations"][-1] == pytest.approx(363, rel=0.03)


@pytest.mark.parametrize("seed", range(6))
def test_differences_spread_over_a_tree_as_speeds_do(seed: int) -> None:
    """Speeds and what they make of a tree's velocities are linear in each other."""
    case = Case(seed, 8, locks=True)
    spread = np.zeros((8, 6))
    d = np.random.default_rng(seed).normal(size=len(case.v))
    compiled_spread()(case.tree, case.locked, case.motion(case.q, case.v), d, spread)
    moved = case.motion(case.q, d)
    assert np.allclose(spread[:, :3], moved.w, atol=1e-12)
    assert np.allclose(spread[:, 3:], moved.v, atol=1e-12)


@cache
def compiled_spread() -> Any:
    return njit(_spread.py_func)


def test_attitudes_follow_turning_axes_to_the_sixth_order() -> None:
    """One step against 32: its error falls with the seventh power of its length."""
    turn_on = njit(_turn_on.py_func)
    axes = np.random.default_rng(3).normal(size=(3, 3))

    def turned(h: float, pieces: int) -> Array:
        q = np.array([1.0, 0.0, 0.0, 0.0])
        for s in np.arange(pieces) * h / pieces:
            e = s + h / pieces
            v0, v1 = axes.T @ [1.0, s, s * s], axes.T @ [1.0, e, e * e]
            x = axes.T @ [e - s, (e**2 - s**2) / 2.0, (e**3 - s**3) / 3.0]
            turn_on(0, e - s, v0, v1, x)
            angle = np.linalg.norm(x)
            w, u = math.cos(angle / 2.0), math.sin(angle / 2.0) / angle * x
            q = np.array([q[0] * w - q[1:] @ u, *(q[0] * u + w * q[1:] + np.cross(q[1:], u))])
        return q

    errors = [np.abs(turned(h, 1) - turned(h, 32)).max() for h in (0.4, 0.2)]
    assert errors[0] < 1e-4
    assert math.log2(errors[0] / errors[1]) > 6.5


def test_an_event_ends_a_step_and_the_first_step_comes_again() -> None:
    found = {}
    for kind in ("vei", "dopri"):
        stop = {"stop_rad": 0.3, "restitution": 0.5}
        data = hung({"kind": "pin", "spring": stop}, gravity_m_per_s2=[5.0, 0.0, 0.0],
                    integrator={"kind": kind})  # fmt: skip
        run = simulate(project(data))
        steps, first = run.steps(), run.events()[0].time
        n = int(np.argmin(np.abs(steps["time"] - first)))
        found[kind] = first, steps["step"][n + 1 : n + 5]
    assert found["vei"][0] == pytest.approx(found["dopri"][0], abs=2e-6)
    assert found["vei"][1] == pytest.approx([5e-4, 5e-4, 5e-4, 1e-3])


def test_fast_decay_takes_no_short_steps() -> None:
    """What the exponential is for: a hinge in thick oil, whose rate falls within microseconds."""
    project = sample("double_pendulum").model_dump(mode="json")
    project["joints"][0]["friction"]["viscous_nms_per_rad"] = 1e4
    stays = {"kind": "dopri", "when_stiff": "stay"}
    a, b = (simulate(with_run(validated(project), 0.1, i)) for i in (vei(), stays))
    assert a.status == b.status == "completed"
    assert np.abs(turns(a) - turns(b)).max() < 1e-6
    assert 4 * a.steps()["evaluations"][-1] < b.steps()["evaluations"][-1]


def test_a_motion_that_blows_up_says_so() -> None:
    project = sample("double_pendulum").model_dump(mode="json")
    project["joints"][1]["spring"].update(linear_nm_per_rad=1e9, stop_rad=100.0)
    settings = vei(first_step_s=1e-3, smallest_step_s=1e-3)
    result = simulate(with_run(validated(project), 0.3, settings))
    assert result.status == "failed"
    assert "blew up" in result.message
