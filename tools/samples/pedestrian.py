"""A car's bumper strikes a pedestrian from the side."""

from __future__ import annotations

import math

from solver.bodies import Place
from solver.bodies.dimensions import adult_dimensions
from solver.bodies.library import insert
from solver.bodies.people import human
from solver.project.document import Project
from solver.project.geometry import Orientation
from solver.project.motions import HalfSine, Motion, MotionComponent
from solver.project.outputs import JointOutput
from tools.samples.common import KMH, VEHICLE, following, free_body, vehicle, without_unused

WALKER = "pedestrian"


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Pedestrian struck by a car at 40 km/h",
        "A 50th-percentile man with a flexible spine stands across the way of a car that begins to brake. His knees bend "
        "sideways until their ligaments tear, his thigh and shin bones bend until they break, and their flesh lags behind them. "
        "Bumper, bonnet edge, bonnet and windscreen are simple shapes; the start is standing, not settled.",
        "Body: docs/bodies.md; car front and pavement of the library, marked as assumed",
        0.18,
        load_case="pedestrian",
    )
    braking = Motion(
        id="driving",
        name="Driving and braking",
        group="Vehicle",
        source="40 km/h as in tests of car fronts; braking assumed",
        segment=VEHICLE,
        components=(
            MotionComponent(
                component="x",
                pulse=HalfSine(amplitude=-8.0, duration_s=0.5),
                start_value=-0.02,
                start_rate=40.0 * KMH,
            ),
        ),
    )
    project = project.model_copy(update={"motions": (braking,)})
    across = Orientation(angles_rad=(0.5 * math.pi, 0.0, 0.0))
    place = Place(position_m=(0.22, 0.0, 0.0), orientation=across, anchor="lowest")
    project = free_body(
        project, "standing", place, WALKER, human(adult_dimensions("male"), breaking_bones=True)
    )
    project = insert(project, "car_front", "car", attach_to=VEHICLE, on=WALKER)
    project = insert(project, "pavement_plane", "road", at=(0.0, 0.0, 0.0), on=WALKER)
    project = without_unused(project)
    return following(
        project,
        *(knee(side) for side in ("right", "left")),
        *(shin(side) for side in ("right", "left")),
        *(thigh(side) for side in ("right", "left")),
    )


def knee(side: str) -> JointOutput:
    """Follow how far a knee bends; its second angle is sideways."""
    return JointOutput(
        id=f"{side}_knee",
        name=f"{side.capitalize()} knee",
        group="Legs",
        joint=f"{WALKER}_{side}_knee",
    )


def shin(side: str) -> JointOutput:
    """Follow what a shin bears at its middle, until it breaks."""
    return JointOutput(
        id=f"{side}_shin", name=f"{side.capitalize()} shin", group="Legs", cfc=600,
        joint=f"{WALKER}_{side}_tibia_cell", quantity="torque",
    )  # fmt: skip


def thigh(side: str) -> JointOutput:
    """Follow what a thigh bone bears in its cut, until it breaks."""
    return JointOutput(
        id=f"{side}_thigh", name=f"{side.capitalize()} thigh bone", group="Legs", cfc=600,
        joint=f"{WALKER}_{side}_femur_cell", quantity="torque",
    )  # fmt: skip
