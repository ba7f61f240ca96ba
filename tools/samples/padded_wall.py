"""Head against a padded wall: a belted passenger behind a bulkhead."""

from __future__ import annotations

from typing import Literal

from solver.bodies.library import insert
from solver.project.document import Project
from solver.project.outputs import ElementOutput
from solver.project.studies import GridStudy, OptimumStudy
from solver.project.study_parts import ChannelResponse, FigureResponse
from tools.samples.asking import asking, between, channel, figure
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

WALL = "contact_laws/padded_wall"
CRUSH = "The crush of 57 mm: Ma and others, as for the wall; ranges assumed, wide about the fitted values"
HIPS = (0.0, 0.0, 0.0)
DUMMY = "hybrid_iii_50m"


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Head against a padded wall",
        "A passenger with a lap belt behind a bulkhead 0.9 m before the seat's end, sled from 14 m/s under a "
        "triangle of 16.9 g and 160 ms. Pulse, distance and the wall's law are those of the paper, which fitted the "
        "law to a test; dummy, seat, belt and posture are not given there and are assumed.",
        "Ma and others, NATO Advanced Study Institute on multibody dynamics, 1993; dummy: docs/dummies.md",
        0.165,
        load_case="other",
    )
    project = insert(project, "padded_wall_triangle", attach_to=VEHICLE, from_speed=14.0)
    project = seated(project, "seated", HIPS, OCCUPANT, on_thighs(), who=DUMMY)
    project = insert(project, "aircraft_seat", "seat", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = insert(project, "padded_wall_ahead", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = settled(project)
    project = insert(project, "aircraft_lap_belt", attach_to=VEHICLE, at=HIPS, on=OCCUPANT)
    project = following(
        project,
        in_vehicle("occupant_head", "Head in the cabin"),
        in_vehicle("occupant_head", "Speed of the head in the cabin", "velocity"),
        ElementOutput(
            id="head_on_wall", name="Head on the wall", of="contacts", element="head-wall"
        ),
    )
    return asking(without_unused(project), *_studies())


def _studies() -> tuple[GridStudy, OptimumStudy]:
    """Ask how HIC depends on the wall's damping, and for the wall of least HIC within its crush."""
    damping = between("damping", f"{WALL}/damping_ns_per_m", 0.0, 2000.0)
    return (
        GridStudy(
            id="damping",
            name="HIC by damping of the wall",
            note="All else as the paper fitted it.",
            source=CRUSH,
            parameters=(damping,),
            responses=_responses(),
            levels=41,
        ),
        OptimumStudy(
            id="least_hic",
            name="Padding of least HIC",
            note="Force, growth and damping of the wall, crushed by no more than 57 mm by the head.",
            source=CRUSH,
            parameters=(
                between("force", f"{WALL}/force_n", 500.0, 8000.0),
                between("growth", f"{WALL}/growth_per_m", 5.0, 60.0),
                damping,
            ),
            responses=_responses(goal="minimise", at_most=0.057),
            start_runs=20,
            most_runs=120,
        ),
    )


def _responses(
    goal: Literal["none", "minimise"] = "none", at_most: float | None = None
) -> tuple[FigureResponse | ChannelResponse, ...]:
    """Ask for the head, and whether and how the wall caught it."""
    return (
        figure("hic", "HIC15", goal=goal),
        figure("head_3ms", "head_3ms"),
        figure("nij", "Nij"),
        channel("crush", "head_on_wall_penetration", at_most=at_most),
        channel("force_on_head", "head_on_wall_force_resultant"),
        channel("head_way", "occupant_head_position_in_vehicle_x"),
        channel("chest_on_wall", "contacts/upper_torso-wall/force/resultant"),
    )
