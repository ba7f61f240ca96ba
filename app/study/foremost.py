"""Say what comes first: of a run its leading figure, of a model what the camera goes with."""

from __future__ import annotations

from collections import Counter

from app.study.record import RunRecord
from solver.project import Project
from solver.project.segments import GROUND
from solver.words import tr

_LEADING = ("HIC15", "HIC36", "HIC")


def headline(record: RunRecord) -> str:
    """Say the figure that people look for first; empty where a run has none."""
    injury = record.trajectory.injury if record.trajectory is not None else {}
    leading = next((injury[name] for name in _LEADING if name in injury), None)
    if leading is None or record.status != "completed":
        return ""
    return tr("{name} is {value:.4g}.", name=leading.name, value=leading.value)


def vehicle(project: Project) -> str:
    """Name the driven segment that carries most planes; the ground where nothing is driven.

    The camera goes with it, so that what happens in a car is seen in the car.
    """
    driven = [motion.segment for motion in project.motions]
    count = Counter(plane.segment for plane in project.planes)
    return max(driven, key=lambda segment: count[segment], default=GROUND)
