"""Name a joint's coordinates, with how far each may go."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app import texts
from app.scene.placing import pose_at_start
from solver.project import Project
from solver.project.posing import angles_of
from solver.project.stops import limit_of

_SLIDE_M = 0.5


@dataclass(frozen=True, slots=True)
class Coordinate:
    """Hold one coordinate of a joint: its words, unit (rad or m), value, and least and greatest."""

    title: str
    unit: str
    value: float
    low: float
    high: float


def coordinates(project: Project, joint: Any) -> tuple[Coordinate, ...]:
    """List the coordinates of a joint at the start; none for one that is locked or free."""
    if joint.kind in ("locked", "free"):
        return ()
    values = angles_of(project, joint.id, pose_at_start(project))
    out = []
    for (title, unit, centre, limit), value in zip(_rows(joint), values, strict=True):
        low, high = centre - limit, centre + limit
        out.append(Coordinate(title, unit, value, min(low, value), max(high, value)))
    return tuple(out)


def _rows(joint: Any) -> list[tuple[str, str, float, float]]:
    """Give title, unit, centre and reach of every coordinate."""
    half = math.pi
    if joint.kind == "pin":
        return [(texts.scene.ANGLE, "rad", 0.0, _reach(joint.spring))]
    if joint.kind == "universal":
        axes = ((texts.scene.FIRST_ANGLE, joint.first), (texts.scene.SECOND_ANGLE, joint.second))
        return [(t, "rad", a.centre_rad, _reach(a.spring)) for t, a in axes]
    if joint.kind == "euler":
        named = (
            (texts.scene.PRECESSION, joint.precession),
            (texts.scene.NUTATION, joint.nutation),
            (texts.scene.SPIN, joint.spin),
        )
        return [(t, "rad", a.centre_rad, _reach(a.spring)) for t, a in named]
    ball = [
        (texts.scene.YAW, "rad", 0.0, half),
        (texts.scene.PITCH, "rad", 0.0, half),
        (texts.scene.ROLL, "rad", 0.0, half),
    ]
    if joint.kind == "ball":
        return ball
    slide = [(texts.scene.SLIDE, "m", 0.0, _SLIDE_M)]
    if joint.rotation == "none":
        return slide
    if joint.rotation == "ball":
        return slide + ball
    spring = joint.flexure if joint.rotation == "pin_y" else joint.torsion
    return [*slide, (texts.scene.ANGLE, "rad", 0.0, _reach(spring))]


def _reach(spring: Any) -> float:
    return min(limit_of(spring), math.pi)
