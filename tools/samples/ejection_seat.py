"""Ejection seat: the catapult and what the spine makes of it."""

from __future__ import annotations

from solver.bodies.dimensions import adult_dimensions
from solver.bodies.library import insert
from solver.bodies.people import human
from solver.project.document import Project
from solver.project.outputs import InjuryOutput, PointOutput
from tools.samples.common import (
    OCCUPANT,
    VEHICLE,
    following,
    seated,
    settled,
    vehicle,
    without_unused,
)

HIPS = (0.0, 0.0, 0.0)


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Ejection seat: catapult of 15 g",
        "A 50th-percentile man with a flexible spine, in a four-point harness, is shot upwards with an onset of "
        "150 g/s. The dynamic response index is that of the seat, as is usual; the body's own stands beside it.",
        "Index after Stech and Payne; pulse, seat and harness of the library, marked as assumed",
        0.25,
        load_case="ejection",
    )
    project = insert(project, "ejection_15g", attach_to=VEHICLE)
    project = seated(project, "seated", HIPS, who=human(adult_dimensions("male")))
    project = insert(project, "ejection_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = settled(project)
    project = insert(project, "four_point", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    return following(
        without_unused(project),
        PointOutput(
            id="seat_acceleration", name="Seat acceleration", group="Seat", segment=VEHICLE, cfc=180
        ),
        InjuryOutput(
            id="seat_DRI",
            name="DRI of the seat",
            criterion="DRI",
            output="seat_acceleration",
            compared_with="hybrid_iii_50",
        ),
        InjuryOutput(
            id="seat_Brinkley",
            name="Brinkley's moderate risk at the seat",
            criterion="Brinkley_moderate",
            output="seat_acceleration",
            compared_with="hybrid_iii_50",
        ),
    )
