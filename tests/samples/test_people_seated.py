"""People with a flexible spine pushed from behind, from below and from the side: the motion of three samples."""

from __future__ import annotations

from functools import cache
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.engine.maths.rotation import matrices
from solver.results.trajectory import Trajectory
from tests.solved import solved

Array = NDArray[np.float64]
WHO = {"rear_impact": "driver", "ejection_seat": "occupant", "side_impact": "driver"}
G = 9.81


def run(name: str) -> Trajectory:
    return solved(name).trajectory


@cache
def lean(name: str, part: str) -> Array:
    """Give how far a part leans back since the start (degrees) at each frame."""
    R = matrices(run(name).segment(f"{WHO[name]}_{part}").quaternion_wxyz)
    angle = np.degrees(np.arctan2(R[:, 0, 2], R[:, 2, 2]))
    return np.asarray(angle - angle[0])


def way(part: str) -> tuple[Array, Array]:
    """Give how far a part has gone forward in the car (m), and when."""
    x = run("rear_impact").channel(f"driver_{part}_position_in_vehicle_x")
    return x.value - x.value[0], x.time


def touched(name: str, *contacts: str) -> float:
    table = run(name).table("contacts")
    force = np.linalg.norm(table["force"], axis=2)
    rows = [table.ids.index(one) for one in contacts]
    return float(run(name).time[np.argmax(force[:, rows].sum(axis=1) > 50.0)])


def loads(name: str, contact: str) -> Array:
    table = run(name).table("contacts")
    return np.asarray(np.linalg.norm(table["force"][:, table.ids.index(contact)], axis=1))


# pushed from behind


def test_the_seat_pushes_the_trunk_before_the_restraint_the_head() -> None:
    head = touched("rear_impact", "seat_head-head_restraint_pad")
    trunk = touched("rear_impact", "seat_lumbar_2-seat_back", "seat_centre_torso-seat_back")
    assert trunk < head < 0.08
    assert (
        solved("rear_impact").trajectory.time[
            np.argmax(loads("rear_impact", "seat_head-head_restraint_pad"))
        ]
        < 0.12
    )


def test_the_head_stays_behind_and_then_bends_back_over_the_restraint() -> None:
    (chest, time), (head, _) = way("upper_torso"), way("head")
    behind = head - chest
    assert -0.1 < behind.min() < -0.02
    assert 0.05 < time[behind.argmin()] < 0.12
    back = lean("rear_impact", "head") - lean("rear_impact", "upper_torso")
    assert 10.0 < back.max() < 45.0
    # each level of the neck takes part of it
    levels = [
        lean("rear_impact", part) for part in ("upper_torso", "neck_1", "neck_2", "neck_3", "head")
    ]
    most = int(back.argmax())
    assert all(above[most] > below[most] for below, above in pairwise(levels))


def test_he_comes_out_of_the_seat_no_faster_than_from_tests() -> None:
    """A seat that yields gives back a fraction: rebound is slower than half of the 16 km/h."""
    x, time = way("upper_torso")
    assert x.min() < -0.03
    speed = np.gradient(x, time)
    assert 0.2 < speed.max() < 0.5 * 16.0 / 3.6
    assert lean("rear_impact", "upper_torso").max() < 15.0


# pushed from below


def peak(name: str) -> float:
    return float(
        next(f for f in solved(name).injury.figures if f.name == "lumbar_compression").value
    )


def test_the_lumbar_spine_bears_what_stands_on_it() -> None:
    """Mass above times what the seat pushes with, and up to half as much again as it rises quickly."""
    model = solved("ejection_seat").model.project
    legs = ("leg", "foot", "knee", "ankle", "lower_torso")
    above = sum(
        s.mass_kg
        for s in model.segments
        if s.id.startswith("occupant") and not any(w in s.id for w in legs)
    )
    assert above * 15.0 * G < peak("ejection_seat") + above * G
    assert peak("ejection_seat") < 1.5 * above * 16.0 * G


def test_the_spine_bends_forward_and_the_straps_hold_the_shoulders() -> None:
    bent = lean("ejection_seat", "lower_torso") - lean("ejection_seat", "upper_torso")
    assert bent.min() > -1.0, "never backwards"
    assert 10.0 < bent.max() < 45.0
    assert lean("ejection_seat", "upper_torso").min() > -25.0


def test_both_sides_move_alike() -> None:
    right, left = (
        loads("ejection_seat", f"seat_{side}_upper_leg-seat_pan") for side in ("right", "left")
    )
    assert right == pytest.approx(left, rel=1e-3, abs=1.0)


# pushed from the side


def speed(part: str) -> Array:
    """Give how fast a part goes to the right (m/s)."""
    motion = run("side_impact").segment(part)
    return np.asarray(np.gradient(motion.position[:, 1], run("side_impact").time))


def test_the_door_meets_the_arm_then_the_trunk_and_the_head_last() -> None:
    order = [
        touched("side_impact", f"left_{part}-door")
        for part in ("left_upper_arm", "left_upper_leg", "left_ribs", "head")
    ]
    assert order == sorted(order)
    assert 0.01 < order[0] < order[-1] < 0.05
    # the arm is pressed to the body, not through it
    assert touched("side_impact", "driver_lumbar_2-left_upper_arm") < order[2]


def test_the_trunk_is_thrown_off_as_fast_as_a_door_can_and_the_head_lags() -> None:
    door = speed("door_body").max()
    for part in ("lower_torso", "upper_torso"):
        assert 0.9 * door < speed(f"driver_{part}").max() < 1.6 * door
    here = int(np.argmin(np.abs(run("side_impact").time - 0.04)))
    assert speed("driver_head")[here] < 0.5 * speed("driver_upper_torso")[here]
    R = matrices(run("side_impact").segment("driver_head").quaternion_wxyz)
    toward = np.degrees(np.arctan2(R[:, 1, 2], R[:, 2, 2]))
    assert 10.0 < toward.max() < 45.0, "the head leans towards the door"
