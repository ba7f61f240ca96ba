"""Head against a padded wall: a belted passenger behind a bulkhead."""

from __future__ import annotations

import math

from solver.library import insert
from solver.project.document import Project
from tools.samples.common import (
    OCCUPANT,
    VEHICLE,
    following,
    in_vehicle,
    pitched,
    seated,
    settled,
    vehicle,
)

HIPS = (0.0, 0.0, 0.0)
SHIN_RAD, FOOT_RAD = 0.0, math.radians(90.0)
"""Lower legs upright and feet flat on the floor, so that they have room before the wall."""


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Head against a padded wall",
        "A passenger with a lap belt behind a bulkhead 0.9 m before the seat's end, sled from 14 m/s under a "
        "triangle of 16.9 g and 160 ms. Pulse, distance and the wall's law are those of the paper, which fitted the "
        "law to a test; seat, belt and posture are not given there and are assumed.",
        "Ma and others, NATO Advanced Study Institute on multibody dynamics, 1993; body as printed",
        0.25,
    )
    project = insert(project, "padded_wall_triangle", attach_to=VEHICLE, from_speed=14.0)
    legs = {
        f"{side}_{part}": pitched(angle)
        for side in ("right", "left")
        for part, angle in (("lower_leg", SHIN_RAD), ("foot", FOOT_RAD))
    }
    project = seated(project, "seated", HIPS, turned=legs)
    project = insert(project, "aircraft_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = insert(project, "padded_wall_ahead", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = settled(project)
    project = insert(project, "aircraft_lap_belt", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    return following(
        project,
        in_vehicle("occupant_head", "Head in the cabin"),
        in_vehicle("occupant_head", "Speed of the head in the cabin", "velocity"),
    )
