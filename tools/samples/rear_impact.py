"""Rear impact at 16 km/h: seat back and head restraint."""

from __future__ import annotations

from solver.bodies.dimensions import adult_dimensions
from solver.bodies.library import insert
from solver.bodies.people import human
from solver.project.document import Project
from tools.samples.common import (
    VEHICLE,
    following,
    in_vehicle,
    on_thighs,
    seated,
    settled,
    vehicle,
    without_unused,
)

HIPS = (0.0, -0.36, 0.0)
DRIVER = "driver"


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Rear impact at 16 km/h: seat back and head restraint",
        "A 50th-percentile man with a flexible spine in a seat whose back yields, a head restraint behind the "
        "head, under the triangle of 10 g that seats are tested with. NIC, Nkm and the neck's loads are among "
        "the figures.",
        "Pulse as published; body: docs/bodies.md; seat and belt of the library, marked as assumed",
        0.2,
        load_case="rear",
    )
    project = insert(project, "whiplash_16", attach_to=VEHICLE)
    man = human(adult_dimensions("male"))
    project = seated(project, "driving", HIPS, DRIVER, on_thighs(), man)
    project = insert(project, "car_seat_yielding", "seat", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = insert(project, "car_driver", "car", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = settled(project)
    project = insert(
        project, "three_point_plain_left", DRIVER, attach_to=VEHICLE, at=HIPS, on=DRIVER
    )
    return following(
        without_unused(project),
        in_vehicle("driver_head", "Head in the car"),
        in_vehicle("driver_upper_torso", "Chest in the car"),
    )
