"""The implicit method: its order, stiff closed forms and necks of discs, when it takes over, what it leaves alone."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from solver.analysis.crash.build import crash, first
from solver.base.places import samples
from solver.engine.integrate.implicit import FOUND_TO
from solver.engine.integrate.radau import (
    PAIR,
    PARTED,
    RADAU_A,
    RADAU_C,
    RADAU_E,
    REAL,
    THROUGH,
    TO_STAGES,
    factor,
    make_equations,
    solve_pair,
    solve_single,
)
from solver.project import load_project, validated
from solver.project.runs import Implicit
from solver.results import Trajectory
from solver.running.simulation import Simulation, simulate
from tests.engine.test_coordinate_forces import slider
from tests.engine.test_integrators import EXACT, end_of, pair, places
from tests.models import base, project, segment
from tests.running.test_restart import half_and_whole


def evaluations(run: Trajectory) -> int:
    return int(run.steps()["evaluations"][-1])


def solved(data: Any) -> Trajectory:
    run = simulate(project(data))
    assert run.status == "completed", run.message
    return run


def test_its_coefficients_are_radaus() -> None:
    """Quadrature of fifth order, stages of third (Hairer, Wanner II, IV.5), and the parting by eigenvalues."""
    c = RADAU_C[1:4]
    for q in range(1, 6):
        assert RADAU_A[2] @ c ** (q - 1) == pytest.approx(1.0 / q, rel=1e-14)
    for q in range(1, 4):
        assert RADAU_A @ c ** (q - 1) == pytest.approx(c**q / q, rel=1e-13)
    blocks = np.array([[REAL, 0.0, 0.0], [0.0, PAIR.real, -PAIR.imag], [0.0, PAIR.imag, PAIR.real]])
    assert TO_STAGES @ blocks @ PARTED @ RADAU_A == pytest.approx(np.eye(3), abs=1e-13)
    assert pytest.approx(np.eye(3), abs=1e-13) == THROUGH @ np.array([c, c**2, c**3]).T
    # the error is that of a formula through the start, too, whose own weight is 1 / REAL
    for q in range(1, 4):
        at_start = 1.0 / REAL if q == 1 else 0.0
        embedded = (RADAU_A[2] + RADAU_E @ RADAU_A / REAL) @ c ** (q - 1) + at_start
        assert embedded == pytest.approx(1.0 / q, rel=1e-13)


def test_its_equations_are_solved() -> None:
    """Both, against complex matrices of twice the size."""
    n, h, rng = 7, 0.3, np.random.default_rng(20261124)
    e = make_equations(n, 0)
    e.jx[:], e.jv[:] = rng.normal(size=(2, n, n))
    J = np.block([[np.zeros((n, n)), np.eye(n)], [e.jx, e.jv]])
    x, y, v, w = rng.normal(size=(4, n))
    factor(e, h)
    real = np.linalg.solve(REAL / h * np.eye(2 * n) - J, np.concatenate([x, v]))
    pair = np.linalg.solve(PAIR / h * np.eye(2 * n) - J, np.concatenate([x + 1j * y, v + 1j * w]))
    rx, rv = x.copy(), v.copy()
    solve_single(e, h, rx, rv)
    solve_pair(e, h, x, y, v, w)
    assert np.concatenate([rx, rv]) == pytest.approx(real, rel=1e-11)
    assert np.concatenate([x + 1j * y, v + 1j * w]) == pytest.approx(pair, rel=1e-11)


def test_its_order_is_five() -> None:
    """With errors that never shorten a step and stages found exactly, halving it divides the error by 32."""
    exact = end_of(EXACT)

    def by(h: float) -> np.ndarray:
        simulation = Simulation(project(pair({
            "kind": "implicit", "relative_tolerance": 1e-4, "absolute_tolerance": 1e-4,
            "first_step_s": h, "largest_step_s": h,
        })))  # fmt: skip
        course, made = simulation.begin(), simulation.memory()
        course._method.implicit.numbers[FOUND_TO] = 1e-9
        course.go_on([made])
        return places(made)

    errors = [np.abs(by(h) - exact).max() for h in (0.02, 0.01, 0.005)]
    assert np.log2(errors[0] / errors[1]) == pytest.approx(5.0, abs=0.2)
    assert np.log2(errors[1] / errors[2]) == pytest.approx(5.0, abs=0.2)


def test_tolerance_rules_its_error() -> None:
    exact = end_of(EXACT, 2.0)
    errors = []
    for relative in (1e-4, 1e-6, 1e-8):
        setting = {"kind": "implicit", "relative_tolerance": relative, "largest_step_s": 0.5,
                   "absolute_tolerance": relative / 100}  # fmt: skip
        errors.append(np.abs(end_of(setting, 2.0) - exact).max())
        assert errors[-1] < relative
    assert errors[1] < errors[0] / 5
    assert errors[2] < errors[1] / 5


MASS, STIFFNESS = 0.2, 2000.0


def dragged(damping: float, **integrator: Any) -> Any:
    """Pull a mass along a slide over a spring and a dashpot, both to the end of an arm that swings."""
    return base(
        0.2,
        segments=[segment("block", MASS)],
        joints=[{"id": "way", "kind": "slip", "parent": "ground", "child": "block"}],
        coordinate_forces=[{
            "id": "tissue", "coordinate": {"kind": "joint", "joint": "way", "axis": "slide"},
            "zero": 0.0,
            "laws": [{"kind": "linear", "stiffness": STIFFNESS}, {"kind": "viscous", "damping": damping}],
        }],
        functions=[{"id": "push", "x_unit": "s", "y_unit": "N",
                    "form": {"kind": "table", "x": [0.0, 0.2], "y": [0.0, 400.0]}}],
        loads=[{"id": "push", "segment": "block", "direction": [0.0, 0.0, 1.0], "axes": "ground", "history": "push"}],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        integrator={"kind": "implicit", **integrator},
    )  # fmt: skip


def way_of(damping: float, t: float) -> float:
    """x'' = (2000 N/s t - c x' - k x) / m as the exponential of a matrix: x, x', t, 1."""
    RADAU_A = np.array([
        [0.0, 1.0, 0.0, 0.0], [-STIFFNESS / MASS, -damping / MASS, 2000.0 / MASS, 0.0],
        [0.0, 0.0, 0.0, 1.0], [0.0] * 4,
    ])  # fmt: skip
    return float((expm(RADAU_A * t) @ [0.0, 0.0, 0.0, 1.0])[0])


@pytest.mark.parametrize("damping", [2e2, 2e4, 2e6])
def test_what_creeps_behind_a_stiff_dashpot_takes_few_steps(damping: float) -> None:
    run = solved(dragged(damping))
    assert run.segment("block").position[-1, 2] == pytest.approx(way_of(damping, 0.2), rel=1e-5)
    assert evaluations(run) < 1500, "a thousand, ten million times the rate of 5 ms steps"
    energy = run.table("energy")
    assert np.max(np.abs(energy["balance"])) < 2e-6 * np.max(np.abs(energy["external"]))


HEIGHT, AREA = 6e-3, 4e-4


def neck(damping: float, **integrator: Any) -> Any:
    """Stand four vertebrae and a head on a driven base, a disc under each (damping in Pa s)."""
    names, segments = ["base"], [segment("base", 10.0, (1.0, 1.0, 1.0))]
    joints, springs = [], []
    for n, name in enumerate(("c3", "c2", "c1", "c0", "head")):
        is_head, below = name == "head", names[-1]
        up, down = 0.06 if is_head else 0.01, 0.01 if n else 0.0
        segments.append(
            segment(name, 4.5, (0.02, 0.02, 0.015)) if is_head else segment(name, 0.2, (3e-4,) * 3)
        )
        joints.append(
            {
                "id": f"to_{name}",
                "kind": "six",
                "parent": below,
                "child": name,
                "parent_frame": {"position_m": [0.0, 0.0, HEIGHT + up + down]},
            }
        )
        springs.append(
            {
                "id": f"under_{name}",
                "kind": "disc",
                "height_m": HEIGHT,
                "area_m2": AREA,
                "moment_y_m4": 1.2e-8,
                "moment_x_m4": 1.2e-8,
                "polar_m4": 2.4e-8,
                "elastic_pa": 3.4e6,
                "shear_pa": 1.2e6,
                "shear_factor_x": 1.2,
                "shear_factor_y": 1.2,
                "axial_damping_pas": damping,
                "damping_nms_per_rad": [0.5] * 3,
                "a": {"segment": below, "frame": {"position_m": [0.0, 0.0, down]}},
                "b": {"segment": name, "frame": {"position_m": [0.0, 0.0, -up]}},
            }
        )
        names.append(name)
    still = [
        {"component": c, "quantity": "position", "pulse": {"kind": "constant", "value": 0.0}}
        for c in ("y", "z", "roll", "pitch", "yaw")
    ]
    pulse = {"kind": "half_sine", "amplitude": 150.0, "start_s": 0.0, "duration_s": 0.1}
    return base(
        0.25, segments=segments, joints=joints, springs=springs, gravity_m_per_s2=[0.0, 0.0, -9.81],
        motions=[{"id": "pulse", "segment": "base", "components": [
            {"component": "x", "quantity": "acceleration", "pulse": pulse}, *still,
        ]}],
        initial={"roots": [{"segment": "base"}]}, integrator=integrator,
    )  # fmt: skip


@cache
def stays(damping: float) -> Trajectory:
    return solved(neck(damping, kind="dopri", when_stiff="stay"))


def test_it_gives_back_where_it_asks_for_more() -> None:
    """A dummy who falls: the neck is stiff, but derivatives of 70 freedoms cost more than short steps; it soon asks seldom."""
    project = crash(replace(first("fall"), duration_s=0.3))

    def fallen(**integrator: Any) -> Trajectory:
        data = project.model_dump(mode="json")
        data["runs"][0]["integrator"] = {"kind": "dopri", **integrator}
        return solved(data)

    weighs, stays = fallen(), fallen(when_stiff="stay")
    assert any("wherever it was quicker" in str(note) for note in weighs.notes)
    assert evaluations(weighs) < 1.25 * evaluations(stays)
    apart = weighs.segment("occupant_head").position - stays.segment("occupant_head").position
    assert np.abs(apart[weighs.time < 0.02]).max() < 1e-5


@pytest.mark.parametrize(
    "integrator",
    [{"kind": "implicit"}, {"kind": "dopri"}, {"kind": "bogacki_shampine"}],
    ids=["implicit", "changes", "third_order_changes"],
)
def test_a_neck_of_stiff_discs_takes_a_fraction_of_the_evaluations(
    integrator: dict[str, Any],
) -> None:
    slow, run = stays(3e5), solved(neck(3e5, **integrator))
    assert evaluations(run) < evaluations(slow) / 4
    for name in ("c0", "head"):
        one, other = run.segment(name), slow.segment(name)
        assert np.abs(one.position - other.position).max() < 5e-6
        assert np.abs(one.velocity - other.velocity).max() < 5e-4
    energy = run.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-6 * np.max(energy["kinetic"])
    assert np.min(np.diff(energy["dissipated"])) > -1e-6


def test_it_takes_over_where_steps_follow_damping_and_says_so() -> None:
    told = [str(note) for note in solved(neck(3e5, kind="dopri")).notes]
    assert [line for line in told if "'implicit' went on" in line]
    only_told = [str(note) for note in stays(3e5).notes]
    assert [line for line in only_told if "is not bound by it" in line]
    for run in (stays(3e3), solved(neck(3e3, kind="dopri"))):
        assert not [note for note in run.notes if "stiffness" in str(note)]
    assert evaluations(solved(neck(3e3, kind="dopri"))) == evaluations(stays(3e3))


@pytest.mark.parametrize("name", ["airbag_catch", "sled", "four_bar", "point_contact"])
def test_whatever_acts_it_goes_the_same_way(name: str) -> None:
    """Bags, webbing, contacts, loops, rolling and sliding: within a millimetre of the default method."""
    sample = load_project(samples() / f"{name}.json")
    run = sample.runs[0].model_copy(update={"integrator": Implicit()})
    one, other = simulate(sample), simulate(sample.model_copy(update={"runs": (run,)}))
    assert other.status == "completed", other.message
    for id_ in one.segment_ids:
        assert np.abs(one.segment(id_).position - other.segment(id_).position).max() < 1e-3


@pytest.mark.parametrize("kind", ["implicit", "dopri"])
def test_it_goes_on_as_if_it_had_not_stopped(kind: str) -> None:
    """Also in the middle of derivatives that are some steps old, and after it has taken over."""
    half_and_whole(validated(neck(3e5, kind=kind)), 0.08)


def pivoted(**integrator: Any) -> Any:
    """Swing an arm by a muscle after Hill against a stiff dashpot, through a stop, with a lock that opens."""
    return base(
        0.3,
        segments=[segment("arm", 1.5, (0.02, 0.02, 0.004)), segment("hand", 0.4, (1e-3, 1e-3, 5e-4))],
        joints=[
            {"id": "elbow", "kind": "pin", "parent": "ground", "child": "arm",
             "child_frame": {"position_m": [0.0, 0.0, 0.15]}},
            {"id": "wrist", "kind": "ball", "parent": "arm", "child": "hand",
             "parent_frame": {"position_m": [0.0, 0.0, -0.15]}, "child_frame": {"position_m": [0.0, 0.03, 0.08]},
             "flexure": {"stop_rad": 0.3, "linear_nm_per_rad": 40.0},
             "friction": {"viscous_nms_per_rad": 20.0}},
        ],
        coordinate_forces=[{
            "id": "biceps",
            "coordinate": {"kind": "distance", "a": {"segment": "ground", "position_m": [0.05, 0.0, 0.1]},
                           "b": {"segment": "arm", "position_m": [0.03, 0.0, 0.1]}},
            "laws": [{"kind": "hill", "strength": 800.0, "fibre": 0.12, "activation": 0.8, "resting": 0.05,
                      "delay_s": 0.05}],
        }],
        gravity_m_per_s2=[0.0, 0.0, -9.81], integrator=integrator,
    )  # fmt: skip


def test_muscles_are_states_of_its_stages() -> None:
    """Activity that rises, a ball joint bound by stiff friction, and a muscle on an arm."""
    fine = {"relative_tolerance": 1e-8, "absolute_tolerance": 1e-10}
    exact = solved(pivoted(kind="dopri", when_stiff="stay", **fine))
    stays = solved(pivoted(kind="dopri", when_stiff="stay"))
    run = solved(pivoted(kind="implicit"))
    assert evaluations(run) < evaluations(stays) / 4
    for name in ("arm", "hand"):
        one, other = run.segment(name), exact.segment(name)
        assert np.abs(one.position - other.position).max() < 2e-6
        assert np.abs(one.velocity - other.velocity).max() < 5e-5
    pull = [np.asarray(a.table("coordinate_forces")["force"])[:, 0] for a in (run, exact)]
    assert np.abs(pull[0] - pull[1]).max() < 1e-4 * np.abs(pull[1]).max()
    assert np.ptp(pull[1]) > 100.0
    energy = run.table("energy")
    turned = np.abs(energy["external"]).max()
    assert np.abs(energy["balance"]).max() < 1e-6 * turned


def test_a_stiff_state_does_not_shorten_its_steps() -> None:
    """Activity that follows in a microsecond what rises slowly."""
    law = {"kind": "hill", "strength": 300.0, "fibre": 0.1, "activation": "asked", "resting": 0.1,
           "rise_s": 1e-6, "fall_s": 1e-6}  # fmt: skip
    asked = {"id": "asked", "x_unit": "s", "y_unit": "1",
             "form": {"kind": "table", "x": [0.0, 0.2], "y": [0.1, 0.9]}}  # fmt: skip
    data = slider(1e10, 0.0, 0.0, law, duration=0.2, functions=[asked])
    data["runs"][0]["integrator"] = {"kind": "implicit"}
    run = solved(data)
    assert evaluations(run) < 2000
    pull = np.asarray(run.table("coordinate_forces")["force"])[:, 0]
    assert pull[1:] / 300.0 == pytest.approx(0.1 + 4.0 * np.asarray(run.time)[1:], abs=2e-5)


def test_between_its_steps_it_is_as_exact() -> None:
    """Frames stand within steps that are far longer."""
    one, exact = neck(3e5, kind="implicit"), neck(3e5, kind="dopri", when_stiff="stay")
    for data in (one, exact):
        data["runs"][0] |= {"frame_interval_s": 1e-4, "duration_s": 0.08}
    run, other = solved(one), solved(exact)
    assert np.median(run.steps()["step"]) > 3e-4
    for name in ("c0", "head"):
        assert np.abs(run.segment(name).position - other.segment(name).position).max() < 2e-6
        assert np.abs(run.segment(name).velocity - other.segment(name).velocity).max() < 2e-4
    energy = run.table("energy")
    assert np.max(np.abs(energy["balance"])) < 2e-6 * np.max(energy["kinetic"])


def test_what_happens_in_its_steps_happens_in_time() -> None:
    """A ball sinks to a floor against a stiff dashpot: it touches when the closed form says."""
    damping, mass = 4000.0, 2.0
    data = base(
        0.8, segments=[segment("block", mass)
                       | {"surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [0.05] * 3}]}],
        joints=[{"id": "way", "kind": "slip", "parent": "ground", "child": "block"}],
        coordinate_forces=[{"id": "drag", "coordinate": {"kind": "joint", "joint": "way", "axis": "slide"},
                            "laws": [{"kind": "viscous", "damping": damping}]}],
        planes=[{"id": "floor", "placement": {"kind": "points", "p1_m": [-1, -1, -0.0525], "p2_m": [1, -1, -0.0525],
                                                   "p3_m": [-1, 1, -0.0525]}}],
        contact_laws=[{"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e5}],
        contacts=[{"id": "pair", "kind": "plane", "plane": "floor", "law": "law",
                   "surface": {"segment": "block", "surface": "skin"}}],
        gravity_m_per_s2=[0.0, 0.0, -9.81], integrator={"kind": "implicit"},
    )  # fmt: skip
    run = solved(data)
    rate, end = damping / mass, 9.81 * mass / damping
    # 2.5 mm = end (t - (1 - exp(-rate t)) / rate)
    (touch,) = [e.time for e in run.events() if e.kind == "contact_touches"]
    assert touch == pytest.approx(2.5e-3 / end + 1.0 / rate, abs=1e-6)
    assert evaluations(run) < 2500


def test_joints_break_and_locks_open_after_it_has_taken_over() -> None:
    """A bond of 1000 N over a ramp and a lock of 4 N*m beside the stiff neck, both loaded from 100 ms on."""
    data = neck(3e5, kind="dopri")
    data["segments"] += [segment("part", 5.0), segment("bar", 1.0, (0.02, 0.02, 0.02))]
    data["joints"] += [
        {"id": "bond", "kind": "locked", "parent": "ground", "child": "part",
         "breakage": {"force_n": 1000.0, "ramp_m": 0.01}},
        {"id": "latch", "kind": "pin", "parent": "ground", "child": "bar",
         "lock": {"locked": True, "unlock_torque_nm": 4.0}},
    ]  # fmt: skip
    data["functions"] = [
        {"id": name, "x_unit": "s", "y_unit": unit, "form": {"kind": "table", "x": [0.0, 0.1, 1.1], "y": [0.0, 0.0, end]}}
        for name, unit, end in (("pull", "N", 20_000.0), ("twist", "N*m", 100.0))
    ]  # fmt: skip
    data["loads"] = [
        {"id": "pull", "segment": "part", "direction": [0.0, 1.0, 0.0], "axes": "ground", "history": "pull"},
        {"id": "twist", "kind": "torque", "segment": "bar", "direction": [0.0, 1.0, 0.0], "axes": "ground", "history": "twist"},
    ]  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    run = solved(data)
    (note,) = [str(note) for note in run.notes if "'implicit' went on" in str(note)]
    assert float(re.findall(r"([\d.]+) s on", note)[0]) < 0.1, note
    at = {e.kind: e.time for e in run.events()}
    assert at["joint_breaks"] == pytest.approx(0.15, abs=1e-8)
    assert at["joint_opens"] == pytest.approx(0.14, abs=1e-8)

    def apart(t: float, y: Any) -> list[float]:
        return [y[1], (20_000.0 * (t - 0.1) - 1000.0 * (1.0 - y[0] / 0.01)) / 5.0]

    end = solve_ivp(
        apart, (0.15, 0.25), [0.0, 0.0], rtol=1e-11, atol=1e-14, events=lambda t, y: y[0] - 0.01, dense_output=True
    )  # fmt: skip
    assert at["joint_parts"] == pytest.approx(end.t_events[0][0], abs=2e-7)
    t = np.asarray(run.time)
    turned = 100.0 / 6.0 * ((t - 0.1) ** 3 - 0.04**3 - 3.0 * 0.04**2 * (t - 0.14)) / 0.02
    bar = run.table("joints")
    angle = bar["angle"][:, bar.ids.index("latch"), 0]
    assert angle == pytest.approx(np.where(t > 0.14, turned, 0.0), abs=1e-6)


def test_what_follows_a_surface_and_meets_it_with_a_jump_of_force_goes_on() -> None:
    """A damper presses at once where its surface comes on: the stages begin where speeds lead, not where all stands."""
    away, push, weight, damping = 1.0, 6.0, 0.02, 500.0
    data = base(
        0.02,
        {"kind": "implicit"},
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        segments=[
            segment("floor", 100.0, (10.0, 10.0, 10.0)),
            segment("ball", weight, (1e-5, 1e-5, 1e-5))
            | {"surfaces": [{"id": "body", "kind": "ellipsoid", "semi_axes_m": [0.05, 0.04, 0.03]}]},
        ],
        planes=[
            {"id": "top", "segment": "floor", "placement": {
                "kind": "points", "p1_m": [-1.0, -1.0, 0.0], "p2_m": [-1.0, 1.0, 0.0], "p3_m": [1.0, -1.0, 0.0]}},
        ],
        functions=[
            {"id": "pad", "x_unit": "m", "y_unit": "N",
             "form": {"kind": "table", "x": [0.0, 0.1], "y": [0.0, 100.0]}},
        ],
        contact_laws=[{"kind": "damped", "id": "soft", "base": "pad", "damping_ns_per_m": damping}],
        contacts=[
            {"kind": "plane", "id": "met", "plane": "top", "law": "soft",
             "surface": {"segment": "ball", "surface": "body"}},
        ],
        motions=[
            {"id": "rises", "segment": "floor", "components": [
                {"component": "z", "start_value": 0.05, "start_rate": away,
                 "pulse": {"kind": "constant", "value": 0.0}}]},
        ],
        initial={"roots": [{"segment": "ball", "velocity_m_per_s": [0.0, 0.0, away + push]}]},
    )  # fmt: skip
    run = solved(data)
    assert run.status == "completed", run.message
    met = next(e.time for e in run.events() if e.kind == "contact_touches")
    assert met == pytest.approx(0.02 / push, rel=1e-6)
    # the speed against it fades by damping over mass
    speed = run.segment("ball").velocity[-1, 2]
    left = push * np.exp(-damping / weight * (0.02 - met))
    assert speed == pytest.approx(away + left, rel=0.01)
