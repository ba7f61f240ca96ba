"""What all groups of a model's methods stand on."""

from __future__ import annotations

from functools import cached_property
from typing import Self

from solver.project import Project, parse
from solver.project.geometry import Orientation, PointRef
from solver.results import Trajectory

Vector = tuple[float, float, float]
Point = tuple[str, Vector]
"""A segment (or `"ground"`), and a place on it (m) along its axes from its mass centre."""


def point_of(point: Point | str) -> PointRef:
    """Give the point of a pair of a segment and a place on it; of a name alone its mass centre."""
    segment, place = (point, (0.0, 0.0, 0.0)) if isinstance(point, str) else point
    x, y, z = (float(one) for one in place)
    return PointRef(segment=segment, position_m=(x, y, z))


def turned_by(yaw_pitch_roll_rad: tuple[float, float, float]) -> Orientation:
    """Give the turn by yaw, pitch and roll (rad)."""
    return Orientation(angles_rad=yaw_pitch_roll_rad)


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
