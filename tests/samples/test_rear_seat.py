"""Behind the front seats: the motion of a woman with a belt alone and of a child on a booster."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.engine.maths.rotation import matrices
from solver.project.document import Project
from solver.results.trajectory import Trajectory
from tests.solved import solved

Array = NDArray[np.float64]


@dataclass(frozen=True)
class Range:
    """Hold how far parts go in the car (m) and when the belt bears most (s).

    Of a small cadaver on a booster, 48 km/h, standard belt: head 0.42 m, hip 0.15 m (Lopez-Valdes and others 2009,
    abstract). FMVSS 213 allows a head 0.81 m from the seat's pivot.
    """

    pelvis: tuple[float, float]
    chest: tuple[float, float]
    head: tuple[float, float]
    most: tuple[float, float]
    bent: float
    """How far the chest leans before the pelvis then, at the least (degrees)."""


CASES = {
    "rear_seat": Range((0.04, 0.16), (0.12, 0.27), (0.30, 0.55), (0.06, 0.10), 8.0),
    "child_seat": Range((0.03, 0.16), (0.10, 0.27), (0.25, 0.50), (0.05, 0.09), 3.0),
}
NAMES = tuple(CASES)


def run(name: str) -> Trajectory:
    return solved(name).trajectory


def project_of(name: str) -> Project:
    return solved(name).model.project


def turns(name: str, part: str) -> Array:
    return matrices(run(name).segment(f"passenger_{part}").quaternion_wxyz)


def lean(name: str, part: str) -> Array:
    """Give how far a part leans back (degrees) at each frame."""
    R = turns(name, part)
    return np.asarray(np.degrees(np.unwrap(np.arctan2(R[:, 0, 2], R[:, 2, 2]))))


def way(name: str, part: str) -> tuple[Array, Array]:
    """Give how far a part has gone forward in the car (m), and when."""
    x = run(name).channel(f"passenger_{part}_position_in_vehicle_x")
    return x.value - x.value[0], x.time


def touch(name: str, contact: str) -> Array:
    contacts = run(name).table("contacts")
    return np.asarray(np.linalg.norm(contacts["force"][:, contacts.ids.index(contact)], axis=1))


def tension(name: str) -> Array:
    return np.asarray(run(name).table("strap_points")["tension"]).max(axis=1)


@pytest.mark.parametrize("name", NAMES)
def test_the_chest_turns_forward_over_the_pelvis(name: str) -> None:
    most = int(np.argmax(tension(name)))
    early, late = CASES[name].most
    bent = CASES[name].bent
    assert early < run(name).time[most] < late
    chest, pelvis = lean(name, "upper_torso"), lean(name, "lower_torso")
    assert chest[most] < pelvis[most] - bent
    assert chest[most] < chest[0] - 20.0
    here = run(name).time < 0.1
    # the child's pelvis runs ahead until its shoulder belt is taut
    backwards = 0.0 if name == "rear_seat" else -12.0
    assert (pelvis - chest)[here].min() > backwards
    assert (pelvis - chest)[here & (run(name).time > 0.06)].min() > 0.0
    # a pelvis that turns back lets the belt slip over its spines
    assert pelvis[here].max() < pelvis[0] + 10.0


@pytest.mark.parametrize("name", NAMES)
def test_pelvis_chest_and_head_go_as_far_as_in_tests_and_come_back(name: str) -> None:
    ways = {part: way(name, part) for part in ("lower_torso", "upper_torso", "head")}
    asked = CASES[name]
    for (x, _), (low, high) in zip(
        ways.values(), (asked.pelvis, asked.chest, asked.head), strict=True
    ):
        assert low < x.max() < high
    when = [t[np.argmax(x)] for x, t in ways.values()]
    # the child's head nods back while its chest still goes on
    assert all(a < b + 0.003 for a, b in pairwise(when))
    assert 0.08 < when[-1] < 0.115
    for x, t in ways.values():
        back = np.gradient(x, t)[t > t[np.argmax(x)]].min()
        assert -6.0 < back < 0.0


@pytest.mark.parametrize("name", NAMES)
def test_the_lap_belt_stays_on_the_iliac_crests(name: str) -> None:
    """It lies under the spines, and as seen from the pelvis it pulls back and down all the time: no submarining."""
    project = project_of(name)
    pelvis = next(s for s in project.segments if s.id == "passenger_lower_torso")
    iliac = next(s for s in pelvis.surfaces if s.id == "iliac")
    hips = next(j for j in project.joints if j.id == "passenger_right_hip").parent_frame
    (one,) = project.harnesses[0].straps
    on = [p.surface.segment if p.kind == "surface" else "" for p in one.points]
    thighs = {"passenger_right_upper_leg", "passenger_left_upper_leg"}
    assert set(on) - {""} == thighs | {
        "passenger_lower_torso", "passenger_centre_torso", "passenger_sternum", "passenger_right_shoulder",
        "passenger_upper_torso",
    }  # fmt: skip
    lap = [k for k, segment in enumerate(on) if segment in {pelvis.id, *thighs}]
    places = [p for p in one.points if p.kind == "surface" and p.surface.segment == pelvis.id]
    assert {p.surface.surface for p in places} == {"iliac"}
    front = max(places, key=lambda p: p.position_m[0]).position_m
    assert front[0] > hips.position_m[0]
    assert iliac.centre_m[2] - iliac.semi_axes_m[2] < front[2] < hips.position_m[2]
    force = np.asarray(run(name).table("strap_points")["force"])[:, lap].sum(axis=1)
    local = np.einsum("tji,tj->ti", turns(name, "lower_torso"), force)
    loaded = np.linalg.norm(force, axis=1) > 500.0
    assert loaded.any()
    assert local[loaded, 0].max() < 0.0
    assert local[loaded, 2].min() > 0.0
    bone = np.linalg.norm(
        np.asarray(run(name).table("strap_points")["force"])[:, on.index("passenger_right_shoulder")], axis=1
    )  # fmt: skip
    assert bone.max() > 500.0


@pytest.mark.parametrize("name", NAMES)
def test_the_chin_comes_to_rest_on_the_chest(name: str) -> None:
    """Where dummies in rear seats were seen to do so (SAE 2004-01-0319, abstract), and no farther than a neck bends."""
    chin = touch(name, "passenger_upper_torso_collar-head_chin")
    assert 300.0 < chin.max() < 3000.0
    bent = lean(name, "upper_torso") - lean(name, "head")
    assert 60.0 < bent.max() < 100.0
    assert bent[np.argmax(chin > 50.0)] > 50.0
    # the neck is loaded before the chin is
    figures = {one.name: one for one in solved(name).injury.figures}
    first = float(run(name).time[np.argmax(chin > 50.0)])
    assert figures["HIC15"].t1 < first
    assert figures["contact_HIC15"].t1 > first - 0.015
    assert figures["contact_HIC15"].value < figures["HIC15"].value


@pytest.mark.parametrize("name", NAMES)
def test_legs_meet_the_seat_in_front_and_nothing_passes_through_anything(name: str) -> None:
    assert not [line for line in solved(name).log if "passed through" in line]
    feet = touch(name, "front_right_foot-front_seat_back")
    assert 300.0 < feet.max() < 3000.0
    assert touch(name, "front_head-front_seat_back").max() == 0.0


def test_figures_of_the_child_are_within_what_its_standard_allows() -> None:
    """FMVSS 213, S5.1.2: HIC36 at most 1000, the chest 60 g but for 3 ms."""
    figures = {one.name: one.value for one in solved("child_seat").injury.figures}
    assert 100.0 < figures["HIC36"] < 1000.0
    assert 20.0 < figures["chest_3ms"] < 60.0
