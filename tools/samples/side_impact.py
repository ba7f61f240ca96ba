"""Side impact: a door that runs ahead of the car meets the driver."""

from __future__ import annotations

from solver.bodies.dimensions import adult_dimensions
from solver.bodies.library import insert
from solver.bodies.people import human
from solver.project.document import Project
from solver.project.segments import Segment
from solver.project.start import RootStart
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
DOOR = "door_body"


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Side impact with a door",
        "The car is pushed to the right; its left door is struck first, runs ahead and meets the driver's arm, "
        "pelvis and chest. Door and car move as prescribed. There is no belt: in the first 100 ms the door "
        "decides.",
        "Body: docs/bodies.md; motions, seat and door of the library, marked as assumed",
        0.1,
        load_case="side",
    )
    project = insert(project, "side_struck_car", "car", attach_to=VEHICLE)
    door = Segment(
        id=DOOR,
        name="Door",
        group="Vehicle",
        note="Prescribed; its mass does not matter.",
        mass_kg=40.0,
        inertia_kgm2=(4.0, 8.0, 8.0),
    )
    initial = project.initial.model_copy(
        update={"roots": (*project.initial.roots, RootStart(segment=DOOR))}
    )
    project = project.model_copy(update={"segments": (*project.segments, door), "initial": initial})
    project = insert(project, "side_door_velocity", "door", attach_to=DOOR)
    project = seated(project, "driving", HIPS, DRIVER, on_thighs(), human(adult_dimensions("male")))
    project = insert(project, "car_seat", "seat", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = insert(project, "car_footwell", "car", attach_to=VEHICLE, at=HIPS, on=DRIVER)
    project = insert(project, "door_left", "left", attach_to=DOOR, at=HIPS, on=DRIVER)
    project = settled(project)
    return following(
        without_unused(project),
        in_vehicle("driver_head", "Head in the car"),
        in_vehicle("driver_lower_torso", "Pelvis in the car"),
    )
