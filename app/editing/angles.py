"""Name a joint's coordinates, with how far each may go."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app import texts
from solver.base.words import tr
from solver.project import Project
from solver.project.joint_table import axes_of, is_free, row_of
from solver.project.posing import angles_of
from solver.project.ranges import ranges_of
from solver.project.stops import limit_of
from solver.scene.placing import pose_at_start

_SLIDE_M = 0.5


@dataclass(frozen=True, slots=True)
class Coordinate:
    """Hold one coordinate of a joint: its name, words, unit (rad or m), value, and least and greatest."""

    name: str
    title: str
    unit: str
    value: float
    low: float
    high: float


def coordinates(project: Project, joint: Any) -> tuple[Coordinate, ...]:
    """List the coordinates of a joint at the start; none for one that is locked or free."""
    row = row_of(joint)
    if is_free(joint):
        return ()
    slides = [(slide.name, "m", _least(slide.name), _SLIDE_M) for slide in row.slides]
    acting = {axis.turn: (axis.centre_rad, _reach(axis.spring)) for axis in axes_of(joint)}
    turns = [(turn.name, "rad", *acting.get(turn, (0.0, math.pi))) for turn in row.turns]
    values = angles_of(project, joint.id, pose_at_start(project)) if row.coordinates else ()
    free = ranges_of(project, joint, tuple(values))
    out = []
    for (name, unit, centre, limit), value in zip(row.chained(slides, turns), values, strict=True):
        low, high = centre - limit, centre + limit
        if not free[name].is_resisted:
            low, high = max(low, free[name].low), min(high, free[name].high)
        title = tr(texts.scene.COORDINATES[name])
        out.append(Coordinate(name, title, unit, value, min(low, value), max(high, value)))
    return tuple(out)


def _least(name: str) -> float:
    """Give the middle of a slider: a strut has no length below zero."""
    return _SLIDE_M if name == "length" else 0.0


def _reach(spring: Any) -> float:
    return min(limit_of(spring), math.pi)
