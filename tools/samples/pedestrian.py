"""A car's bumper strikes a pedestrian from the side."""

from __future__ import annotations

import math

from solver.bodies import Place
from solver.library import insert
from solver.project.document import Project
from solver.project.geometry import Orientation
from solver.project.motions import HalfSine, Motion, MotionComponent
from tools.samples.common import KMH, VEHICLE, following, free_body, vehicle

WALKER = "pedestrian"


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "Pedestrian struck by a car at 40 km/h",
        "The 50th-percentile man of the library stands across the way of a car that begins to brake. Bumper, "
        "bonnet edge, bonnet and windscreen are simple shapes. Knees are pins, as printed, and do not bend "
        "sideways or break; the start is standing, not settled: nobody stands without muscles.",
        "Body as printed; car front and pavement of the library, marked as assumed",
        0.25,
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
    project = free_body(
        project,
        "standing",
        Place(position_m=(0.22, 0.0, 0.0), orientation=across, anchor="lowest"),
        WALKER,
    )
    project = insert(project, "car_front", "car", attach_to=VEHICLE, on=WALKER)
    project = insert(project, "pavement_plane", "road", at=(0.0, 0.0, 0.0), on=WALKER)
    return following(project)
