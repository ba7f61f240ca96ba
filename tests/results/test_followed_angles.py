"""Angles of segments and joints across a run: followed on, of one meaning, and their rates."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.engine.dynamics.tree import Array
from solver.engine.maths.rotation import followed, from_angles, turns_of
from solver.results import Quantities
from solver.results.trajectory import Trajectory
from solver.running.outputs.joints import rates_of_turns
from solver.running.simulation import simulate
from tests.models import hung, project

ORDERS = ("zyx", "zxz", "xyz", "yxz", "zxy")
STILL = {"gravity_m_per_s2": [0.0, 0.0, 0.0]}


def course(order: str, angles: Array) -> Array:
    return np.array([from_angles(row, order) for row in angles])


@pytest.mark.parametrize("order", ORDERS)
@settings(max_examples=25)
@given(first=st.floats(-3.0, 3.0), last=st.floats(-3.0, 3.0), parts=st.integers(1, 9))
def test_followed_angles_go_on_through_every_fold(
    order: str, first: float, last: float, parts: int
) -> None:
    """The middle angle turns twice around, and stands on the folds exactly; also in blocks."""
    middle = np.radians(np.arange(10.0, 730.0, 10.0))
    true = np.stack([np.full(72, first), middle, np.full(72, last)], axis=1)
    raw = turns_of(course(order, true), order)
    found, before = [], None
    for block in np.array_split(raw, parts):
        angles, turned = followed(block, order, before)
        before = angles[-1]
        found.append(angles)
        assert len(turned) == len(block)
    assert np.vstack(found) - true == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("order", ["zyx", "zxz"])
def test_a_course_has_the_same_bits_in_whatever_blocks_it_is_found(order: str) -> None:
    """Blocks end by the clock; a sum of rounded turns would tell where."""
    steps = np.random.default_rng(7).uniform(0.05, 0.35, (200, 3)) * [1.0, 0.01, -1.0]
    raw = turns_of(course(order, np.array([0.4, 0.7, 0.2]) + np.cumsum(steps, axis=0)), order)
    whole, _ = followed(raw, order)
    assert np.abs(whole[-1]).max() > 20.0
    for parts in (2, 7, 50):
        found, before = [], None
        for block in np.array_split(raw, parts):
            found.append(followed(block, order, before)[0])
            before = found[-1][-1]
        assert np.array_equal(np.vstack(found), whole)


@pytest.mark.parametrize("order", ORDERS)
@given(seed=st.integers(0, 10**9))
def test_rates_of_turns_are_those_of_their_angles(order: str, seed: int) -> None:
    rng = np.random.default_rng(seed)
    angles, rate, h = rng.uniform(-3.0, 3.0, (1, 3)), rng.normal(size=(1, 3)), 1e-6
    fold = 0.0 if order == "zxz" else 0.5 * math.pi
    angles[:, 1] = fold + rng.uniform(0.1, math.pi - 0.1) - (0.0 if order == "zxz" else math.pi)
    R = course(order, angles)
    W = R[0].T @ (course(order, angles + h * rate) - course(order, angles - h * rate))[0] / (2 * h)
    spin = np.array([[W[2, 1], W[0, 2], W[1, 0]]])
    assert rates_of_turns(R, spin, order) == pytest.approx(rate, abs=1e-6)


def turned(joint: dict[str, Any], start: dict[str, Any], **more: Any) -> Trajectory:
    """Let a rod turn about its upper end without gravity."""
    data = hung(joint, initial={"joints": [{"joint": "joint", **start}]}, **(STILL | more))
    data["runs"][0] |= {"frame_interval_s": 1e-3, "channel_rate_hz": 1000.0}
    data["outputs"] = [
        {"id": "turn", "kind": "rotation", "segment": "rod"},
        {"id": "euler", "kind": "rotation", "segment": "rod", "angles": "euler"},
        {"id": "about", "kind": "rotation", "segment": "rod", "angles": "about_axis"},
        {"id": "joint", "kind": "joint", "joint": "joint", "quantity": "angle"},
    ]  # fmt: skip
    return simulate(project(data))


def test_a_plane_turn_of_172_degrees_reads_172() -> None:
    """A head that nods: pitch, the angle about the axis across, the joint and the frames all go on."""
    run = turned({"kind": "ball"}, {"rates": [0.0, math.radians(172.0), 0.0]})
    for name in ("turn_pitch", "about_angle", "joint_pitch"):
        value = np.degrees(run.channel(name).value)
        assert value == pytest.approx(172.0 * run.channel(name).time, abs=1e-6)
    for name in ("turn_yaw", "turn_roll", "joint_yaw", "joint_roll"):
        assert run.channel(name).value == pytest.approx(0.0, abs=1e-9)
    pitch = Quantities(run)("segments/rod/angle/pitch")
    assert np.degrees(pitch.value[-1]) == pytest.approx(172.0, abs=1e-6)


def test_about_an_axis_counts_on_past_a_whole_turn() -> None:
    run = turned({"kind": "pin"}, {"rates": [20.0]})
    assert run.channel("about_angle").value[-1] == pytest.approx(20.0, rel=1e-9)
    assert run.table("joints")["angle"][-1, 0, 0] == pytest.approx(20.0, rel=1e-9)


EULER = {"kind": "euler", "spin": {"spring": {"linear_nm_per_rad": 0.5}}}
WAYS = {
    "open": (EULER, [0.3, 0.9, 0.2], [1.0, -2.0, 3.0]),
    "through the fold": ({"kind": "euler"}, [0.3, 0.4, 0.2], [0.0, -3.0, 0.0]),
    "held": (EULER | {"precession": {"lock": {"locked": True}}}, [0.3, 0.9, 0.2], [0.0, -2.0, 3.0]),
    "opens": (
        EULER | {"precession": {"lock": {"locked": True, "unlock_torque_nm": 0.05}}},
        [0.3, 0.9, 0.2],
        [0.0, -2.0, 3.0],
    ),
}


@pytest.mark.parametrize("way", WAYS)
def test_the_rates_of_an_euler_joint_are_those_of_its_angles(way: str) -> None:
    """Whether its axes are open or held, and when they change."""
    joint, values, rates = WAYS[way]
    joints = turned(joint, {"values": values, "rates": rates}).table("joints")
    angle, rate, state = joints["angle"][:, 0], joints["rate"][:, 0], joints["state"][:, 0]
    assert angle[0] == pytest.approx(values)
    assert rate[0] == pytest.approx(rates, abs=1e-9)
    by_angle = np.gradient(angle, 1e-3, axis=0)
    away = np.abs(np.sin(angle[:, 1])) > 0.2
    away[[0, -1]] = False
    same = np.convolve(np.diff(state, prepend=state[0]) != 0, np.ones(3), "same") == 0
    assert np.max(np.abs(rate[:, 1])) > 1.0
    assert (by_angle - rate)[away & same] == pytest.approx(0.0, abs=2e-3)
    if way == "through the fold":
        assert np.min(angle[:, 1]) < -0.5
    if way == "opens":
        assert state[0] == 1
        assert state[-1] == 0


def test_a_pin_s_angle_goes_on_when_it_breaks_and_its_springs_say_no_more() -> None:
    joint = {
        "kind": "pin",
        "spring": {"linear_nm_per_rad": 0.5},
        "breakage": {"force_n": 20.0},
    }
    data = hung(joint, [2.5], gravity_m_per_s2=[0.0, 0.0, 9.81])
    data["runs"][0] |= {"frame_interval_s": 1e-3, "channel_rate_hz": 1000.0}
    data["outputs"] = [{"id": "m", "kind": "joint", "joint": "joint", "quantity": "torque"}]
    run = simulate(project(data))
    joints = run.table("joints")
    angle, state = joints["angle"][:, 0], joints["state"][:, 0]
    assert state[0] == 0
    assert state[-1] == 8
    assert np.max(np.abs(np.diff(angle[:, 0]))) < 0.02
    assert np.gradient(angle[:, 0], 1e-3)[2:-2] == pytest.approx(
        joints["rate"][2:-2, 0, 0], abs=0.05
    )
    broken = run.channel("m_spring_angle").value[state == 8]
    assert np.array_equal(broken, np.zeros(len(broken)))
