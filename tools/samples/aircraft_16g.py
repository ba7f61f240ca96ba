"""Transport aircraft seat, forward test of 16 g."""

from __future__ import annotations

from solver.library import insert
from solver.library.pulses import facts
from solver.project.document import Project
from tools.samples.common import OCCUPANT, VEHICLE, following, in_vehicle, seated, settled, vehicle

HIPS = (0.0, 0.0, 0.0)


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Aircraft seat: forward test of 16 g, lap belt only",
        "The 50th-percentile man of the library in a transport seat under the triangle of 14 CFR 25.562(b)(2), "
        "without its yaw, as for head injury. He folds over a nylon lap belt towards the row in front.",
        "Pulse as published; body as printed; seat, belt and row in front of the library, marked as assumed",
        0.25,
    )
    project = insert(project, "far25_straight", attach_to=VEHICLE)
    pulse = project.motions[0].components[0].pulse
    project = insert(
        project,
        "far25_straight",
        attach_to=VEHICLE,
        replace=True,
        from_speed=-facts(pulse).speed_change,
    )
    project = seated(project, "seated", HIPS)
    project = insert(project, "aircraft_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = insert(project, "aircraft_row", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = settled(project)
    project = insert(project, "aircraft_lap_belt", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    return following(
        project,
        in_vehicle("occupant_head", "Head in the cabin"),
        in_vehicle("occupant_lower_torso", "Pelvis in the cabin"),
    )
