"""Frontal crash of a car: small woman in the rear seat, belt alone."""

from __future__ import annotations

from collections.abc import Mapping

from solver.bodies.library import insert
from solver.project.document import Project
from solver.project.geometry import Orientation
from tools.samples.common import (
    KMH,
    VEHICLE,
    following,
    in_vehicle,
    on_thighs,
    pitched,
    seated,
    settled,
    vehicle,
    without_unused,
)

HIPS = (-0.9, 0.36, 0.0)
WHO = "passenger"
SPEED = 57.09 * KMH


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Frontal crash at 57 km/h: small woman in the rear seat, belt alone",
        "The car of the default sample. The Hybrid III 5th-percentile woman sits behind the front passenger, with a three-point belt whose "
        "retractor locks: no pretensioner, no load limiter, no airbag. Laws and places of bench, belt and the seat in front are assumed.",
        "Pulse: NHTSA test 10146; dummy: docs/dummies.md; bench, seat in front and belt of the library, marked as assumed",
        0.12,
        load_case="frontal",
    )
    x, y, z = HIPS
    project = insert(project, "car_10146", attach_to=VEHICLE, from_speed=SPEED)
    project = seated(project, "driving", HIPS, WHO, posture(1.78, 0.35, 1.6), who="hybrid_iii_5f")
    project = insert(project, "car_rear_bench", "bench", attach_to=VEHICLE, at=HIPS, on=WHO)
    project = insert(
        project, "rear_of_front_seat", "front", attach_to=VEHICLE, at=(x + 0.04, y, z), on=WHO
    )
    project = settled(project)
    project = insert(project, "three_point_locking_right", WHO, attach_to=VEHICLE, at=HIPS, on=WHO)
    # the retractor pulls a little
    return watched(settled(project))


def posture(thigh: float, shank: float, foot: float) -> Mapping[str, Orientation]:
    """Lay hands on thighs; how far (rad) thighs, shanks and feet lean, shanks from hanging."""
    turned = dict(on_thighs())
    for side in ("right", "left"):
        turned[f"{side}_upper_leg"] = pitched(thigh)
        turned[f"{side}_lower_leg"] = pitched(shank)
        turned[f"{side}_foot"] = pitched(foot)
    return turned


def watched(project: Project) -> Project:
    """Follow head, chest and pelvis in the car; leave out laws of skins, as what is met here has laws of its own."""
    project = following(
        project,
        in_vehicle(f"{WHO}_head", "Head in the car"),
        in_vehicle(f"{WHO}_upper_torso", "Chest in the car"),
        in_vehicle(f"{WHO}_lower_torso", "Pelvis in the car"),
    )
    return without_unused(project)
