"""Side impact: a door that runs ahead of the car meets the driver."""

from __future__ import annotations

from solver.bodies.dimensions import adult_dimensions
from solver.bodies.library import insert
from solver.bodies.people import human
from solver.project.document import Project
from tools.samples.common import (
    DOOR,
    PUSHED_SEAT,
    VEHICLE,
    following,
    in_vehicle,
    on_thighs,
    seated,
    settled,
    struck_on_the_left,
    vehicle,
    without_unused,
)

HIPS = (0.0, -0.36, 0.0)
DRIVER = "driver"


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Side impact with a door",
        "The car is pushed to the right; its left door is struck first, runs ahead and meets the driver's arm, "
        "pelvis and chest, and pushes the seat. Door, seat and car move as prescribed. There is no belt: in the first 100 ms the door "
        "decides.",
        "Body: docs/bodies.md; motions, seat and door of the library, marked as assumed",
        0.1,
        load_case="side",
    )
    project = struck_on_the_left(project, "side_struck_car")
    project = seated(project, "driving", HIPS, DRIVER, on_thighs(), human(adult_dimensions("male")))
    project = insert(project, "car_seat", "seat", attach_to=PUSHED_SEAT, at=HIPS, on=DRIVER)
    project = insert(project, "car_footwell", "car", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = insert(project, "door_left", "left", attach_to=DOOR, at=HIPS, on=DRIVER)
    project = settled(project)
    return following(
        without_unused(project),
        in_vehicle("driver_head", "Head in the car"),
        in_vehicle("driver_lower_torso", "Pelvis in the car"),
    )
