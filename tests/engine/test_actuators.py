"""Actuators on coordinates: what drives to a target, against closed forms and exponentials of matrices."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

import manikin as mk
from solver.analysis.equilibrium import settle
from solver.project import to_json
from solver.project.joint_table import law_axes
from solver.running.checkpoint import from_bytes, to_bytes
from solver.running.simulation import simulate
from tests.engine.test_coordinate_forces import at, seen, slider, solved, table, wheel
from tests.models import project

P, D, I_GAIN, MASS = 400.0, 30.0, 900.0, 2.0


def drive(target: float | str, proportional: float | str = P, **more: Any) -> dict[str, Any]:
    return {"kind": "actuator", "target": target, "proportional": proportional, **more}


def test_it_follows_a_step_as_three_gains_say() -> None:
    """m x'' = -P (x - 0.1) - D x' - I (sum of x - 0.1): a linear system, so its exponential is its course."""
    out = solved(slider(MASS, 0.0, 0.0, drive(0.1, derivative=D, integral=I_GAIN)))
    A = np.array([[0.0, 1.0, 0.0], [-P / MASS, -D / MASS, -I_GAIN / MASS], [1.0, 0.0, 0.0]])
    times = (0.05, 0.1, 0.3, 0.6, 1.0)
    wanted = [0.1 + (expm(A * t) @ [-0.1, 0.0, 0.0])[0] for t in times]
    assert at(out, "way", *times) == pytest.approx(wanted, rel=1e-7)
    assert max(wanted) > 0.11, "it swings beyond"


def test_the_sum_bears_a_weight_that_the_rest_gives_way_to() -> None:
    """Without a sum it hangs mg / P below its target; with one, at the target, in the end."""
    for integral, sag in ((0.0, MASS * 9.81 / P), (2000.0, 0.0)):
        data = slider(MASS, 0.0, 0.0, drive(0.1, derivative=60.0, integral=integral), duration=4.0)
        data["gravity_m_per_s2"] = [9.81, 0.0, 0.0]
        out = solved(data)
        assert at(out, "way", 4.0) == pytest.approx([0.1 + sag], abs=2e-5)


def test_a_target_that_moves_as_the_body_does_takes_no_force() -> None:
    """The rate is counted from the target's: at its place and its rate there is nothing to do."""
    ramp = table("ramp", "s", "m", [0.0, 2.0], [0.05, 1.05])
    out = solved(
        slider(MASS, 0.05, 0.5, drive("ramp", derivative=D, integral=I_GAIN), functions=[ramp])
    )
    assert np.max(np.abs(seen(out, "force"))) < 1e-9
    off = solved(slider(MASS, 0.05, 0.0, drive("ramp", 0.0, derivative=D), functions=[ramp]))
    t = off.time
    # m v' = -D (v - 0.5)
    wanted = 0.05 + 0.5 * (t - MASS / D * (1.0 - np.exp(-D / MASS * t)))
    assert seen(off, "way") == pytest.approx(wanted, abs=1e-9)


def test_gains_hang_on_the_target() -> None:
    """Twice as stiff by a target of 0.2 as by one of 0.1: w^2 = P / m of each."""
    gain = table("gain", "m", "N/m", [0.0, 0.1, 0.2], [0.0, 200.0, 800.0])
    for target, stiff in ((0.1, 200.0), (0.2, 800.0), (0.15, 500.0)):
        out = solved(slider(MASS, 0.0, 0.0, drive(target, "gain"), functions=[gain]))
        wanted = target * (1.0 - np.cos(math.sqrt(stiff / MASS) * out.time))
        assert seen(out, "way") == pytest.approx(wanted, abs=1e-7)


def test_it_gives_no_more_than_its_limit_and_its_sum_stands_still_there() -> None:
    """6 N on 2 kg from rest: x = 1.5 t^2, until P (x - 0.1) + D x' is less; its sum counts from there."""
    out = solved(slider(MASS, 0.0, 0.0, drive(0.1, derivative=D, integral=I_GAIN, limit=6.0)))
    force, way = seen(out, "force"), seen(out, "way")
    assert np.max(np.abs(force)) == 6.0

    def rates(_: float, y: Any) -> list[float]:
        whole = P * (y[0] - 0.1) + D * y[1] + I_GAIN * y[2]
        f = min(max(whole, -6.0), 6.0)
        stands = f != whole and whole * (y[0] - 0.1) > 0.0
        return [y[1], -f / MASS, 0.0 if stands else y[0] - 0.1]

    wanted = solve_ivp(
        rates, (0.0, 1.0), [0.0, 0.0, 0.0], rtol=1e-10, atol=1e-12, max_step=1e-3, t_eval=out.time
    )
    assert way == pytest.approx(wanted.y[0], abs=1e-6)
    early = out.time <= 0.1
    assert way[early] == pytest.approx(1.5 * out.time[early] ** 2, abs=1e-9)


def test_it_begins_by_its_trigger_and_its_delay_and_then_counts_time_anew() -> None:
    ramp = table("ramp", "s", "m", [0.0, 1.0], [0.0, 0.3])
    late = drive("ramp", derivative=D, delay_s=0.05, trigger={"kind": "time", "time_s": 0.15})
    out = solved(slider(MASS, 0.0, 0.0, late, functions=[ramp]))
    atonce = solved(slider(MASS, 0.0, 0.0, drive("ramp", derivative=D), functions=[ramp]))
    assert np.all(seen(out, "way")[out.time < 0.199] == 0.0)
    n = int(np.searchsorted(out.time, 0.2 - 1e-9))
    assert seen(out, "way")[n:] == pytest.approx(seen(atonce, "way")[: len(out.time) - n], abs=1e-9)


def test_each_has_a_sum_of_its_own_and_turns_take_torques() -> None:
    """Two wheels with the same gains and other targets: each as if it were alone."""
    law = drive(0.2, 3.0, derivative=0.2, integral=6.0)
    alone = [
        solved(wheel(0.05, 0.0, 0.0, law | {"target": target}, duration=0.6))
        for target in (0.2, -0.5)
    ]
    both = wheel(0.05, 0.0, 0.0, law, duration=0.6)
    both["segments"].append(both["segments"][0] | {"id": "other"})
    both["joints"].append(both["joints"][0] | {"id": "second", "child": "other"})
    both["initial"]["joints"].append({"joint": "second", "values": [0.0], "rates": [0.0]})
    force = both["coordinate_forces"][0]
    both["coordinate_forces"].append(
        force
        | {
            "id": "two",
            "coordinate": {"kind": "joint", "joint": "second"},
            "laws": [law | {"target": -0.5}],
        }
    )
    table_ = solved(both).table("coordinate_forces")
    for n, one in enumerate(alone):
        assert table_["angle"][:, n] == pytest.approx(seen(one, "angle"), abs=1e-7)
        assert table_["torque"][:, n] == pytest.approx(seen(one, "torque"), abs=1e-5)


def test_what_it_does_is_booked_as_work() -> None:
    """From rest, all that moves is what it has put in; at the target that is P d^2 / 2."""
    out = solved(slider(MASS, 0.0, 0.0, drive(0.1)))
    energy = out.table("energy")
    assert energy["work_of_muscles"] == pytest.approx(energy["kinetic"], abs=1e-8)
    assert np.max(energy["kinetic"]) == pytest.approx(0.5 * P * 0.01, rel=1e-3)
    assert np.all(energy["strain"] == 0.0)
    assert np.all(energy["lost_in_coordinate_forces"] == 0.0)


def test_it_settles_where_its_gain_bears_the_weight() -> None:
    data = slider(MASS, 0.0, 0.0, drive(0.1, derivative=D), duration=0.1)
    data["gravity_m_per_s2"] = [9.81, 0.0, 0.0]
    done = settle(project(data))
    (start,) = done.project.initial.joints
    assert start.values[0] == pytest.approx(0.1 + MASS * 9.81 / P, abs=1e-6)


def late(reflex: float, times: Any, x0: float = 0.05, target: float = 0.0) -> np.ndarray:
    """Give m x'' = -P (x - target) - D x', both as a reflex time ago, by steps of that time: before zero it stood."""
    pieces: list[Any] = []

    def past(t: float) -> tuple[float, float]:
        if t <= 0.0:
            return x0, 0.0
        x, v = pieces[min(int(t / reflex), len(pieces) - 1)](t)
        return float(x), float(v)

    def rates(t: float, y: np.ndarray) -> list[float]:
        x, v = past(t - reflex)
        return [y[1], (-P * (x - target) - D * v) / MASS]

    y, n = np.array([x0, 0.0]), 0
    while n * reflex < times[-1]:
        made = solve_ivp(
            rates, (n * reflex, (n + 1) * reflex), y, rtol=1e-11, atol=1e-13, dense_output=True, method="DOP853"
        )  # fmt: skip
        pieces.append(made.sol)
        y, n = made.y[:, -1], n + 1
    return np.array([past(t)[0] for t in times])


@pytest.mark.parametrize("reflex", [0.02, 0.05])
def test_what_it_senses_late_is_that_of_the_equation_with_delay(reflex: float) -> None:
    out = solved(slider(MASS, 0.05, 0.0, drive(0.0, derivative=D, reflex_s=reflex)))
    wanted = late(reflex, out.time)
    assert seen(out, "way") == pytest.approx(wanted, abs=2e-8)
    # it is not what it would be without, nor with half of it
    assert np.abs(wanted - late(0.5 * reflex, out.time)).max() > 1e-3


@pytest.mark.parametrize(
    ("integrator", "near"),
    [
        ({"kind": "rk4", "step_s": 1e-3}, 1e-7),
        ({"kind": "implicit", "relative_tolerance": 1e-8, "absolute_tolerance": 1e-10}, 1e-6),
        ({"kind": "vei", "largest_step_s": 5e-4}, 1e-4),
    ],
)
def test_every_method_senses_late(integrator: dict[str, Any], near: float) -> None:
    data = slider(MASS, 0.05, 0.0, drive(0.0, derivative=D, reflex_s=0.02))
    data["runs"][0]["integrator"] = integrator
    out = solved(data)
    assert seen(out, "way") == pytest.approx(late(0.02, out.time), abs=near)


def test_no_step_is_longer_than_the_reflex_time() -> None:
    data = slider(MASS, 0.05, 0.0, drive(0.0, derivative=D, reflex_s=0.01))
    for integrator in ({"kind": "rk4", "step_s": 0.5}, {"kind": "dopri", "largest_step_s": 0.5}):
        data["runs"][0]["integrator"] = integrator
        out = simulate(project(data))
        assert out.steps()["step"].max() <= 0.01 * (1 + 1e-12)


def test_until_it_has_sensed_anything_it_holds_what_it_felt_at_the_start() -> None:
    out = solved(slider(MASS, 0.05, 0.3, drive(0.0, derivative=D, reflex_s=2.0)))
    assert seen(out, "force") == pytest.approx(P * 0.05, rel=1e-12)
    assert seen(out, "way") == pytest.approx(
        0.05 + 0.3 * out.time - 0.5 * P * 0.05 / MASS * out.time**2, abs=1e-9
    )


def test_a_rate_that_jumps_is_sensed_as_a_jump_a_reflex_time_later() -> None:
    """Thrown back from its stop at a third of a second with half its rate; the law alone hardly slows it."""
    law = drive(0.0, 0.0, derivative=1e-4, reflex_s=0.2)
    data = wheel(1.0, 0.0, 1.0, law)
    data["joints"][0]["spring"] = {"stop_rad": 1.0 / 3.0, "restitution": 0.5}
    data["runs"][0]["integrator"] = {"kind": "dopri", "largest_step_s": 0.1}
    out = simulate(project(data))
    t, strikes = out.time, 1.0 / 3.0
    rate = np.where(t < 0.2, 0.0, np.where(t < strikes + 0.2, 1.0, -0.5))
    felt = (np.abs(t - 0.2) > 1e-3) & (np.abs(t - strikes - 0.2) > 1e-3)
    assert seen(out, "torque")[felt] == pytest.approx(1e-4 * rate[felt], rel=2e-4)


def test_what_was_sensed_is_kept_in_states() -> None:
    model = mk.Model(project(slider(MASS, 0.05, 0.0, drive(0.0, derivative=D, reflex_s=0.05))))
    sim = mk.Simulation(model)
    sim.step_to(0.33)
    state = from_bytes(to_bytes(sim.state), model.project)
    sim.step_to(0.6)
    first = sim.position("body")
    other = mk.Simulation(model)
    other.set_state(state)
    other.step_to(0.6)
    assert (other.position("body") == first).all()


def test_a_posture_is_held_under_weight() -> None:
    """A person lying on nothing, the pelvis held: actuators at all joints, and 2 s of 1 g turn none by a degree."""
    model = mk.sample("fall").until(2.0)
    data = json.loads(to_json(model.project, embed_curves=True))
    data["contacts"], data["outputs"] = [], []
    still = {"component": "z", "pulse": {"kind": "constant", "value": 0.0}}
    data["motions"] = [{"id": "held", "segment": "occupant_lower_torso", "components": [still]}]
    data["runs"][0] |= {"frame_interval_s": 0.02, "channel_rate_hz": 100.0}
    mass = {one.id: one.mass_kg for one in model.project.segments}
    joints = model.project.joints

    def whole(name: str) -> float:
        return mass[name] + sum(whole(j.child) for j in joints if j.parent == name)

    data["coordinate_forces"] = []
    for joint in joints:
        arm = 0.3 if any(j.parent == joint.child for j in joints) else 0.1
        # a droop of 0.4 degrees where the whole weight hangs that far away
        gain = whole(joint.child) * 9.81 * arm / math.radians(0.4)
        law = drive(0.0, gain, derivative=0.03 * gain)
        for axis in law_axes(joint):
            data["coordinate_forces"].append(
                {"id": f"{joint.id}_{axis}", "coordinate": {"kind": "joint", "joint": joint.id, "axis": axis}, "laws": [law]}
            )  # fmt: skip
    run = mk.run(mk.Model(project(data)))
    turned = run.trajectory.table("coordinate_forces")["angle"]
    assert run.time[-1] == pytest.approx(2.0)
    assert np.degrees(np.abs(turned)).max() < 1.0
    assert np.degrees(np.abs(turned)).max() > 0.1
    loads = mk.joint_loads(run)
    assert np.abs(loads["joints/occupant_right_knee/1"]).max() > 1.0
