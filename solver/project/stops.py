"""Keep joints within their stops: the nearest angles that no stop pushes against."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.maths.rotation import Array, about_axis
from solver.project.angles import bend_and_twist, joint_values
from solver.project.azimuths import (
    FunctionContour,
    GlobographicStop,
    LibraryContour,
    PolynomialContour,
)
from solver.project.contours import library, stop_angle
from solver.project.document import Project
from solver.project.forms import value_at
from solver.project.joint_table import axes_of, ball_of, contour_of, row_of
from solver.project.joints import Joint, Spring
from solver.project.pose import across


@dataclass(frozen=True)
class Stop:
    """Hold a stop that a joint has met: the angle from its centre and how far beyond it is (rad)."""

    joint: str
    what: str
    angle_rad: float
    beyond_rad: float


TURN = 2.0 * math.pi

INSIDE = 1e-9
"""How far inside a stop (rad) an angle is put."""


def limit_of(spring: Spring) -> float:
    """Give the angle (rad) at which a spring's stop begins; infinity where it has none.

    A torque function has no stop of its own: it acts from the first.
    """
    stops = spring.quadratic_nm_per_rad2 != 0.0 or spring.cubic_nm_per_rad3 != 0.0
    return spring.stop_rad if stops and spring.torque is None else math.inf


def stop_angles(
    project: Project,
    contour: LibraryContour | PolynomialContour | FunctionContour,
    azimuth: ArrayLike,
) -> Array:
    """Give the angles (rad) at which a contour begins at azimuths (section 6.2.6).

    Empty where its function is missing, or has no value at one of them.
    """
    phi = np.asarray(azimuth, float)
    match contour:
        case LibraryContour():
            return stop_angle(library()[contour.name], phi)
        case PolynomialContour():
            return stop_angle(contour.coefficients, phi)
        case FunctionContour():
            form = next((f.form for f in project.functions if f.id == contour.angle), None)
            values = [] if form is None else [value_at(form, float(a) % TURN) for a in phi]
            return np.array(values if None not in values else [], float)
        case _:
            assert_never(contour)


def contour_limit(project: Project, stop: GlobographicStop, azimuth: float) -> float:
    """Give the angle (rad) at which a globographic stop begins at an azimuth; infinity where none is known."""
    found = stop_angles(project, stop.contour, [azimuth])
    return float(found[0]) if len(found) else math.inf


def within(project: Project, joint: Joint, values: Sequence[float]) -> tuple[float, ...]:
    """Give the coordinates nearest to some that lie within all stops of a joint."""
    out = [float(v) for v in values]
    places = row_of(joint).turned(range(len(out)))
    for n, axis in zip(places, axes_of(joint), strict=False):
        out[n] = _clipped(out[n], axis.centre_rad, limit_of(axis.spring))
    ball = ball_of(joint)
    if ball is not None:
        limits = limit_of(ball.flexure), limit_of(ball.torsion)
        return _bent(project, joint, tuple(out), *limits)
    if contour_of(joint) is not None:
        return _bent(project, joint, tuple(out), math.inf, math.inf)
    return tuple(out)


def stops_met(
    project: Project, joint: Joint, values: Sequence[float], near: float = 0.0
) -> Iterator[Stop]:
    """Give the stops of a joint that its coordinates pass, or come as close to as `near` (rad)."""
    for what, angle, limit in _against(project, joint, values):
        if abs(angle) - limit > -near:
            yield Stop(joint.id, what, angle, abs(angle) - limit)


def _against(
    project: Project, joint: Joint, values: Sequence[float]
) -> Iterator[tuple[str, float, float]]:
    """Give each angle that a stop watches, from its centre, and where that begins (rad)."""
    turned = row_of(joint).turned(values)
    for axis, v in zip(axes_of(joint), turned, strict=False):
        yield axis.turn.name, v - axis.centre_rad, limit_of(axis.spring)
    ball, contour = ball_of(joint), contour_of(joint)
    if ball is None and contour is None:
        return
    R_PC, _ = across(joint, tuple(values))
    bend, twist, about = bend_and_twist(R_PC)
    if ball is not None:
        yield "flexure", bend, limit_of(ball.flexure)
        yield "torsion", twist, limit_of(ball.torsion)
    if contour is not None:
        azimuth = _towards(about)
        yield "contour", bend, contour_limit(project, contour, azimuth)


def _clipped(value: float, centre: float, limit: float) -> float:
    limit = max(limit - INSIDE, 0.0)
    return min(max(value, centre - limit), centre + limit)


def _bent(
    project: Project, joint: Joint, values: tuple[float, ...], bend_limit: float, twist_limit: float
) -> tuple[float, ...]:
    """Bring flexure and torsion of a joint within their limits, each by itself."""
    R_PC, origin = across(joint, values)
    bend, twist, axis = bend_and_twist(R_PC)
    contour = contour_of(joint)
    limit = bend_limit
    if contour is not None:
        azimuth = _towards(axis)
        limit = min(limit, contour_limit(project, contour, azimuth))
    new_bend = min(bend, max(limit - INSIDE, 0.0))
    new_twist = _clipped(twist, 0.0, twist_limit)
    if (new_bend, new_twist) == (bend, twist):
        return values
    turned = _about_level(axis, new_bend) @ about_axis("z", new_twist)
    return joint_values(joint, turned, origin, values)


def _towards(axis: Array) -> float:
    """Give the azimuth (rad) towards which a bend about an axis in the x-y plane leads."""
    return math.atan2(-axis[0], axis[1])


def _about_level(axis: Array, angle: float) -> Array:
    """Turn about an axis that lies in the x-y plane."""
    azimuth = math.atan2(axis[1], axis[0])
    R: Array = about_axis("z", azimuth) @ about_axis("x", angle) @ about_axis("z", -azimuth)
    return R
