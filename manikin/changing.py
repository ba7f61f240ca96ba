"""What all groups of a model's methods stand on."""

from __future__ import annotations

import math
from collections.abc import Iterable
from functools import cached_property
from typing import Any, Self

from solver.project import Project, parse
from solver.project.geometry import Orientation, PointRef
from solver.results import Trajectory

Vector = tuple[float, float, float]
Point = tuple[str, Vector]
"""A segment (or `"ground"`), and a place on it (m) along its axes from its mass centre."""


def point_of(point: Point | str) -> PointRef:
    """Give the point of a pair of a segment and a place on it; of a name alone its mass centre."""
    given: tuple[Any, ...] = (point, (0.0, 0.0, 0.0)) if isinstance(point, str) else tuple(point)
    if len(given) != 2 or not isinstance(given[0], str):
        from solver.project.posing import PoseError

        raise PoseError(
            "A point is a pair of a segment and a place on it, as ('head', (0, 0, 0)); {point} is none.",
            point=repr(point),
        )
    segment, place = given
    return PointRef(segment=segment, position_m=vector(place, f"A place on '{segment}'"))


def turned_by(yaw_pitch_roll_rad: tuple[float, float, float]) -> Orientation:
    """Give the turn by yaw, pitch and roll (rad)."""
    return Orientation(angles_rad=vector(yaw_pitch_roll_rad, "A turn"))


def vector(values: Iterable[float], what: str) -> Vector:
    """Give three numbers; PoseError where these are none."""
    try:
        found = tuple(float(one) for one in values)
    except (TypeError, ValueError):
        found = ()
    if len(found) != 3 or not all(map(math.isfinite, found)):
        from solver.project.posing import PoseError

        raise PoseError(
            "{what} has three finite components; {found} are none.", what=what, found=repr(values)
        )
    return found[0], found[1], found[2]


class Changing:
    """A project, and how another model of the same sort is made of another one."""

    _project: Project

    def _with(self, project: Project) -> Self:
        """Give a model of the same sort with another project."""
        raise NotImplementedError


class Recorded:
    """A run, and the project that was solved."""

    trajectory: Trajectory

    @cached_property
    def recorded_project(self) -> Project:
        """The project that was solved, as the run holds it."""
        return parse(self.trajectory.project_json.decode()).project
