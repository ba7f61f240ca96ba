"""Head against a padded wall: a belted passenger behind a bulkhead."""

from __future__ import annotations

from solver.library import insert
from solver.project.document import Project
from tools.samples.common import OCCUPANT, VEHICLE, following, in_vehicle, seated, settled, vehicle

HIPS = (0.0, 0.0, 0.0)


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Head against a padded wall",
        "A passenger with a lap belt behind a bulkhead 0.9 m ahead, sled from 14 m/s under a triangle of 16.9 g "
        "and 160 ms. Pulse, distance and the wall's law are those of the paper, which fitted the law to a test; "
        "seat and belt are not given there and are assumed.",
        "Ma and others, NATO Advanced Study Institute on multibody dynamics, 1993; body as printed",
        0.25,
    )
    project = insert(project, "padded_wall_triangle", attach_to=VEHICLE, from_speed=14.0)
    project = seated(project, "seated", HIPS)
    project = insert(project, "aircraft_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = insert(project, "padded_wall_ahead", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = settled(project)
    project = insert(project, "aircraft_lap_belt", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    return following(
        project,
        in_vehicle("occupant_head", "Head in the cabin"),
        in_vehicle("occupant_head", "Speed of the head in the cabin", "velocity"),
    )
