"""Speeds at the start, and prescribed motions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.drive import drive
from solver.project import ProjectError
from solver.running.simulation import simulate
from tests.models import Bench, base, hung, point, project, segment

PULSES: dict[str, Any] = {
    "x": {"kind": "half_sine", "amplitude": 40.0, "start_s": 0.05, "duration_s": 0.4},
    "y": {"kind": "haversine", "amplitude": 5.0, "duration_s": 0.8},
    "z": {"kind": "triangle", "amplitude": -9.0, "duration_s": 0.6, "peak_ratio": 0.3},
    "yaw": {"kind": "trapezoid", "amplitude": 8.0, "start_s": 0.1, "duration_s": 0.7},
    "pitch": {"kind": "constant", "value": 1.5},
    "roll": {"kind": "function", "function": "ramp", "scale": 2.0},
}
RAMP = {"id": "ramp", "x_unit": "s", "y_unit": "rad/s2",
        "form": {"kind": "table", "x": [0.0, 0.5, 1.0], "y": [0.0, 3.0, -2.0]}}  # fmt: skip
MOTION = {
    "id": "shake", "segment": "sled", "axes": {"angles_rad": [0.4, -0.2, 0.3]},
    "components": [
        {"component": name, "pulse": pulse, "start_rate": 0.3, "start_value": 0.1}
        for name, pulse in PULSES.items()
    ],
}  # fmt: skip


def shaken(**parts: Any) -> Any:
    start = {
        "roots": [{"segment": "sled", "position_m": [1.0, 2.0, 3.0]}],
        "attitudes": [{"segment": "sled", "orientation": {"angles_rad": [0.5, 0.2, -0.1]}}],
    }
    return base(segments=[segment("sled", 10.0)], functions=[RAMP], motions=[MOTION],
                initial=start, **parts)  # fmt: skip


@settings(max_examples=40)
@given(st.floats(0.01, 0.98))
def test_speeds_and_rates_are_the_derivatives_of_a_prescribed_motion(t: float) -> None:
    bench = Bench(shaken())
    h, states = 1e-5, []
    if np.abs(np.asarray(bench.model.breaks) - t).min() < 2 * h:
        return
    for time in (t - h, t, t + h):
        q, v, rates = bench.q.copy(), bench.v.copy(), np.zeros(6)
        drive(bench.system.drives, bench.system.tree, time, time, q, v, rates)
        states.append((q, v, rates))
    (q0, v0, _), (_, v, rates), (q1, v1, _) = states
    turn = Rotation.from_quat(q0[3:], scalar_first=True).inv()
    turned = (turn * Rotation.from_quat(q1[3:], scalar_first=True)).as_rotvec()
    assert np.allclose((q1[:3] - q0[:3]) / (2 * h), v[:3], atol=1e-6)
    assert np.allclose(turned / (2 * h), v[3:], atol=1e-6)
    assert np.allclose((v1 - v0) / (2 * h), rates, atol=1e-4)


def test_a_driven_body_moves_as_prescribed_and_its_work_is_booked() -> None:
    run = simulate(project(shaken()))
    assert run.status == "completed"
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7
    assert abs(run.table("energy")["external"][-1]) > 1.0


def test_an_occupant_shares_the_motion_of_its_vehicle() -> None:
    """A whole tree starts as if it were fixed to the turning vehicle."""
    components = [
        {"component": "x", "quantity": "velocity", "pulse": {"kind": "constant", "value": 5.0}},
        {"component": "yaw", "quantity": "velocity", "pulse": {"kind": "constant", "value": 2.0}},
    ]
    joint = {"id": "neck", "kind": "ball", "parent": "torso", "child": "head",
             "parent_frame": {"position_m": [0.0, 0.1, -0.5]},
             "child_frame": {"position_m": [0.0, 0.0, 0.2]}}  # fmt: skip
    start = {
        "roots": [{"segment": "torso", "position_m": [1.0, 0.5, 0.0], "moves_with": "car",
                   "velocity_m_per_s": [0.0, 0.0, 1.0]}],
        "attitudes": [{"segment": "head", "orientation": {"angles_rad": [0.3, 0.2, 0.1]},
                       "angular_velocity_rad_per_s": [0.0, 0.4, 0.0]}],
    }  # fmt: skip
    data = base(0.01, segments=[segment("car", 100.0), segment("torso"), segment("head")],
                joints=[joint], initial=start,
                motions=[{"id": "drive", "segment": "car", "components": components}])  # fmt: skip
    run = simulate(project(data))
    spin = np.array([0.0, 0.0, 2.0])
    torso, head = run.segment("torso"), run.segment("head")
    assert np.allclose(torso.velocity[0], np.array([5.0, 0, 1.0]) + np.cross(spin, [1.0, 0.5, 0.0]))
    assert np.allclose(torso.angular_velocity[0], spin)
    turn = Rotation.from_quat(head.quaternion_wxyz[0], scalar_first=True)
    w = spin + turn.apply([0.0, 0.4, 0.0])
    assert np.allclose(turn.apply(np.array(head.angular_velocity[0])), w)
    joint_at = torso.position[0] + [0.0, 0.1, -0.5]
    at_joint = torso.velocity[0] + np.cross(spin, joint_at - torso.position[0])
    assert np.allclose(head.velocity[0], at_joint + np.cross(w, head.position[0] - joint_at))


RATES: dict[str, tuple[Any, list[float], list[float]]] = {
    "pin": ({"kind": "pin"}, [0.4], [1.5]),
    "universal": ({"kind": "universal"}, [0.4, 0.3], [1.5, -0.7]),
    "euler": ({"kind": "euler"}, [0.4, 0.8, 0.3], [1.5, -0.7, 0.4]),
    "ball": ({"kind": "ball"}, [0.4, 0.8, 0.3], [1.5, -0.7, 0.4]),
    "slip": ({"kind": "slip"}, [0.4], [1.5]),
    "slip_pin": ({"kind": "slip", "rotation": "pin_z"}, [0.4, 0.2], [1.5, 0.8]),
    "slip_ball": ({"kind": "slip", "rotation": "ball"}, [0.4, 0.2, 0.3, 0.1], [1.5, 0.8, 0.1, 0.2]),
    "six": ({"kind": "six"}, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [1.0, 2.0, 3.0, 0.4, 0.3, 0.2]),
    "free": ({"kind": "free"}, [0.1, 0.2, 0.3, 0.4, 0.5, 0.6], [1.0, 2.0, 3.0, 0.4, 0.3, 0.2]),
}


@pytest.mark.parametrize("name", RATES)
def test_rates_of_joints_are_those_of_their_coordinates(name: str) -> None:
    """The pose a moment later, set by hand, is where the start's speeds lead."""
    joint, values, rates = RATES[name]
    h = 1e-6
    start = {"joints": [{"joint": "joint", "values": values, "rates": rates}]}
    bench = Bench(hung(joint, initial=start))
    bench.rates(bench.q, bench.v)
    moving = bench.work.motion.v[-1].copy(), bench.work.motion.w[-1].copy()
    places = []
    for sign in (-1.0, 1.0):
        there = [v + sign * h * r for v, r in zip(values, rates, strict=True)]
        later = Bench(hung(joint, there))
        later.rates(later.q, later.v)
        places.append(
            (later.work.motion.p[-1].copy(), later.work.motion.R[-1].reshape(3, 3).copy())
        )
    assert np.allclose((places[1][0] - places[0][0]) / (2 * h), moving[0], atol=1e-7)
    turned = Rotation.from_matrix(places[1][1] @ places[0][1].T).as_rotvec() / (2 * h)
    assert np.allclose(turned, moving[1], atol=1e-6)


@pytest.mark.parametrize(
    ("quantity", "pulse", "words"),
    [
        ("position", {"kind": "triangle", "amplitude": 1.0, "duration_s": 0.5}, "jumps in speed at 0.25 s"),
        ("position", {"kind": "half_sine", "amplitude": 1.0, "duration_s": 0.5}, "jumps in speed at 0.5 s"),
        ("velocity", {"kind": "trapezoid", "amplitude": 1.0, "start_s": 0.1, "duration_s": 0.5,
                      "rise_ratio": 0.0}, "jumps in speed at 0.1 s"),
        ("position", {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.5}, ""),
        ("velocity", {"kind": "triangle", "amplitude": 1.0, "duration_s": 0.5}, ""),
    ],
)  # fmt: skip
def test_a_motion_that_jumps_is_refused(quantity: str, pulse: Any, words: str) -> None:
    motion = {"id": "shake", "segment": "sled",
              "components": [{"component": "x", "quantity": quantity, "pulse": pulse}]}  # fmt: skip
    data = project(base(segments=[segment("sled")], motions=[motion]))
    if words:
        with pytest.raises(ProjectError, match=words):
            simulate(data)
    else:
        assert simulate(data).status == "completed"


def test_a_start_rate_that_a_joint_does_not_allow_is_said_in_the_log() -> None:
    spin = {"segment": "rod", "angular_velocity_rad_per_s": [0.5, 2.0, 0.0]}
    run = simulate(project(hung({"kind": "pin"}, initial={"attitudes": [spin]}, duration=0.01)))
    assert run.table("segments")["angular_velocity"][0, 0] == pytest.approx([0.0, 2.0, 0.0])
    assert any("'joint' does not let 'rod'" in line and "0.5 rad/s" in line for line in run.log)
    spin["angular_velocity_rad_per_s"] = [0.0, 2.0, 0.0]
    run = simulate(project(hung({"kind": "pin"}, initial={"attitudes": [spin]}, duration=0.01)))
    assert not any("does not let" in line for line in run.log)


def test_speeds_that_constraints_correct_at_the_start_are_said_in_the_log() -> None:
    hold = [{"id": "hold", "kind": "zero_distance", "a": point("rod", 0, 0, 0.5),
             "b": {"segment": "ground", "position_m": [0.0, 0.0, 1.0]}}]  # fmt: skip
    start = {"joints": [{"joint": "joint", "rates": [2.0]}]}
    run = simulate(project(hung({"kind": "pin"}, initial=start, duration=0.01, constraints=hold)))
    assert any("correct the speeds at the start" in line for line in run.log)
    assert abs(run.table("segments")["angular_velocity"]).max() < 1e-9
    run = simulate(project(hung({"kind": "pin"}, duration=0.01, constraints=hold)))
    assert not any("correct the speeds" in line for line in run.log)
