"""Frontal sled test of a child of six years on a booster."""

from __future__ import annotations

from solver.bodies.library import insert
from solver.project.document import Project
from tools.samples.common import KMH, VEHICLE, seated, settled, vehicle
from tools.samples.rear_seat import HIPS, WHO, posture, watched


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Frontal sled test at 48 km/h: child of six years on a booster",
        "The Hybrid III six-year-old sits on a booster on a rear bench, with the car's three-point belt: a retractor that locks, no pretensioner, "
        "no load limiter. Pulse of FMVSS 213. Laws and places of bench, booster and belt are assumed.",
        "Pulse: FMVSS 213; dummy: docs/dummies.md; bench, booster and belt of the library, marked as assumed",
        0.12,
        load_case="frontal",
    )
    project = insert(project, "child_seat_48", attach_to=VEHICLE, from_speed=48.0 * KMH)
    project = seated(project, "driving", HIPS, WHO, posture(1.75, 0.15, 1.72), who="hybrid_iii_6y")
    project = insert(project, "booster_on_bench", "bench", attach_to=VEHICLE, at=HIPS, on=WHO)
    x, y, z = HIPS
    # the seat in front, from hips that are 5 cm farther back and 10 cm higher than a grown person's
    project = insert(
        project, "rear_of_front_seat", "front", attach_to=VEHICLE, at=(x - 0.05, y, z + 0.1), on=WHO
    )
    project = settled(project)
    project = insert(project, "three_point_booster_right", WHO, attach_to=VEHICLE, at=HIPS, on=WHO)
    # the retractor pulls a little
    return watched(settled(project))
