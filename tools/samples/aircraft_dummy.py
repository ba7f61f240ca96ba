"""Transport aircraft seat with the Hybrid III 50th man: forward test of 16 g, lap belt only."""

from __future__ import annotations

from solver.bodies.library import insert
from solver.bodies.library.pulses import facts
from solver.project.document import Project
from tools.samples.common import (
    OCCUPANT,
    VEHICLE,
    following,
    in_vehicle,
    on_thighs,
    seated,
    settled,
    vehicle,
    without_unused,
)

HIPS = (0.0, 0.0, 0.0)
ROW = (-0.03, 0.0, 0.0)
"""The row in front, 30 mm nearer than in the library: a pitch of some 0.77 m (30 in), assumed."""
DUMMY = "hybrid_iii_50m"


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Aircraft seat: forward test of 16 g, Hybrid III 50th man",
        "The dummy in a transport seat under the triangle of 14 CFR 25.562(b)(2), without its yaw, as for head injury. He folds over a nylon lap belt, "
        "which lies in the crease between iliac crests and thighs, towards the row in front.",
        "Pulse as published; dummy: docs/dummies.md; seat, belt and row in front of the library, marked as assumed",
        0.2,
        load_case="aircraft",
    )
    project = in_seat(project, "far25_straight")
    project = insert(project, "aircraft_row", attach_to=VEHICLE, at=ROW, on=OCCUPANT)
    return belted(project)


def stopped(project: Project, pulse: str) -> Project:
    """The project with a pulse at whose end the cabin stands."""
    project = insert(project, pulse, attach_to=VEHICLE)
    change = facts(project.motions[0].components[0].pulse).speed_change
    return insert(project, pulse, attach_to=VEHICLE, replace=True, from_speed=-change)


def in_seat(project: Project, pulse: str) -> Project:
    """The project with a pulse, and the dummy in the seat."""
    project = stopped(project, pulse)
    project = seated(project, "seated", HIPS, OCCUPANT, on_thighs(), who=DUMMY)
    return insert(project, "aircraft_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)


def belted(project: Project) -> Project:
    """The project at rest, with the lap belt, and head and pelvis followed."""
    project = insert(settled(project), "aircraft_lap_belt", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = following(
        project,
        in_vehicle(f"{OCCUPANT}_head", "Head in the cabin"),
        in_vehicle(f"{OCCUPANT}_upper_torso", "Chest in the cabin"),
        in_vehicle(f"{OCCUPANT}_lower_torso", "Pelvis in the cabin"),
    )
    return without_unused(project)
