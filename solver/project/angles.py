"""Read angles back: the turn that a joint or an orientation stands for as its own coordinates."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.maths.rotation import Array, about_axis
from solver.project.azimuths import (
    FunctionContour,
    GlobographicStop,
    LibraryContour,
    PolynomialContour,
    library,
    stop_angle,
)
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.forms import value_at
from solver.project.joint_table import axes_of, ball_of, contour_of, row_of
from solver.project.joints import Joint, JointBase, Spring
from solver.project.pose import across

SINGULAR = 1e-9
"""Sine of the middle angle (its cosine, of three different axes) below which the outer two are one."""


def angles_from(R_AB: Array, order: str, like: Sequence[float] = (0.0, 0.0, 0.0)) -> Vec3:
    """The angles (rad) of successive turns about moving axes that make a turn.

    Of the two ways to write it, and of all whole turns, those nearest to `like` are taken. Where the
    axes lie in a plane the last angle keeps the value that it has in `like`.
    """
    i, j, k = ("xyz".index(axis) for axis in order)
    if i == k:
        m = 3 - i - j
        sign = 1.0 if (j - i) % 3 == 1 else -1.0
        size = math.hypot(R_AB[i, j], R_AB[i, m])
        middle = math.atan2(size, R_AB[i, i])
        first = math.atan2(R_AB[j, i], -sign * R_AB[m, i])
        other = -middle
    else:
        sign = 1.0 if (j - i) % 3 == 1 else -1.0
        size = math.hypot(R_AB[i, i], R_AB[i, j])
        middle = math.atan2(sign * R_AB[i, k], size)
        first = math.atan2(-sign * R_AB[j, k], R_AB[k, k])
        other = math.pi - middle
    if size < SINGULAR:
        last = float(like[2])
        rest = R_AB @ about_axis(order[2], -last) @ about_axis(order[1], -middle)
        found = [(_angle(rest, order[0]), middle, last)]
    else:
        found = [
            (one, two, _angle(about_axis(order[1], -two) @ about_axis(order[0], -one) @ R_AB, order[2]))
            for one, two in ((first, middle), (first + math.pi, other))
        ]  # fmt: skip
    turned = [tuple(near(a, b) for a, b in zip(three, like, strict=True)) for three in found]
    best = min(
        turned, key=lambda three: sum((a - b) ** 2 for a, b in zip(three, like, strict=True))
    )
    return (best[0], best[1], best[2])


def near(angle: float, like: float) -> float:
    """An angle, or one that differs by whole turns, within half a turn of another."""
    return float(angle - 2.0 * math.pi * round((angle - like) / (2.0 * math.pi)))


def _angle(R: Array, axis: str) -> float:
    """The angle (rad) of a turn about a coordinate axis."""
    j, k = ("xyz".index(axis) + 1) % 3, ("xyz".index(axis) + 2) % 3
    return math.atan2(float(R[k, j] - R[j, k]), float(R[j, j] + R[k, k]))


def joint_values(
    joint: JointBase, R_PC: Array, p_P: Array, like: Sequence[float]
) -> tuple[float, ...]:
    """The coordinates of a joint from the turn and place of the child's frame in the parent's.

    It is the way back from `solver.project.pose.across`; what the joint does not allow is left out.
    """
    row = row_of(joint)
    if row.leading:
        # the way of a strut tells how it is turned, and the rest is the turn at its end
        x, z = float(p_P[0]), float(p_P[2])
        far = math.hypot(x, z)
        lean = near(math.atan2(x, z), like[0]) if far > SINGULAR else float(like[0])
        rest = turned(about_axis("y", -lean) @ R_PC, row.order[1:], like[2:])
        return (lean, far, *rest)
    slid = tuple(float(p_P["xyz".index(slide.axis)]) for slide in row.slides)
    return (*slid, *turned(R_PC, row.order, like[len(slid) :]))


def turned(R_AB: Array, order: str, like: Sequence[float] = (0.0, 0.0, 0.0)) -> tuple[float, ...]:
    """The angles (rad) of up to three successive turns that come nearest to a turn."""
    if len(order) == 3:
        return angles_from(R_AB, order, like)
    if len(set(order)) < len(order):
        # about one axis twice: the first as it was, the second takes the rest
        return (float(like[0]), near(_angle(R_AB, order[0]) - like[0], like[1]))
    if len(order) == 2:
        i, j = ("xyz".index(axis) for axis in order)
        sign, m = (1.0 if (j - i) % 3 == 1 else -1.0), 3 - i - j
        one = math.atan2(sign * R_AB[m, j], R_AB[j, j])
        two = math.atan2(sign * R_AB[i, m], R_AB[i, i])
        return near(one, like[0]), near(two, like[1])
    return tuple(near(_angle(R_AB, axis), like[0]) for axis in order)


def start_angles(
    joint: JointBase, R_PC: Array, given: Sequence[float], *, is_turned: bool
) -> tuple[float, ...]:
    """The angles (rad) at which an Euler joint starts: those given; of an attitude, those nearest to the centres of its springs."""
    if given:
        return tuple(given)
    if not is_turned:
        return (0.0, 0.0, 0.0)
    return turned(R_PC, row_of(joint).order, [axis.centre_rad for axis in axes_of(joint)])


def bend_and_twist(R_PC: Array) -> tuple[float, float, Array]:
    """Give flexure and torsion (rad) of a turn, and the axis of flexure (parent's frame).

    The turn is a bend of the z axis about an axis across it, after a twist about it. Of a bend of
    180°, which many axes make with as many twists, the axis is given that needs no twist.
    """
    R = R_PC
    bend = math.atan2(math.hypot(R[0, 2], R[1, 2]), R[2, 2])
    is_bent = math.hypot(R[0, 2], R[1, 2]) > SINGULAR
    azimuth = math.atan2(R[0, 2], -R[1, 2]) if is_bent else 0.0
    if R[2, 2] > 0.0:
        twist = math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])
    else:
        # twice the azimuth less the twist: beyond 90° the sums above are small, these are not
        turned = math.atan2(R[1, 0] + R[0, 1], R[0, 0] - R[1, 1])
        azimuth = azimuth if is_bent else 0.5 * turned
        twist = near(2.0 * azimuth - turned, 0.0)
    return bend, twist, np.array([math.cos(azimuth), math.sin(azimuth), 0.0])


# Keep joints within their stops: the nearest angles that no stop pushes against.


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
    """The angle (rad) at which a spring's stop begins; infinity where it has none.

    A torque function has no stop of its own: it acts from the first.
    """
    stops = spring.quadratic_nm_per_rad2 != 0.0 or spring.cubic_nm_per_rad3 != 0.0
    return spring.stop_rad if stops and spring.torque is None else math.inf


def stop_angles(
    project: Project,
    contour: LibraryContour | PolynomialContour | FunctionContour,
    azimuth: ArrayLike,
) -> Array:
    """The angles (rad) at which a contour begins at azimuths (section 6.2.6).

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
    """The angle (rad) at which a globographic stop begins at an azimuth; infinity where none is known."""
    found = stop_angles(project, stop.contour, [azimuth])
    return float(found[0]) if len(found) else math.inf


def within(project: Project, joint: Joint, values: Sequence[float]) -> tuple[float, ...]:
    """The coordinates nearest to some that lie within all stops of a joint."""
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
    """Each angle that a stop watches, from its centre, and where that begins (rad)."""
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
    """The azimuth (rad) towards which a bend about an axis in the x-y plane leads."""
    return math.atan2(-axis[0], axis[1])


def _about_level(axis: Array, angle: float) -> Array:
    """Turn about an axis that lies in the x-y plane."""
    azimuth = math.atan2(axis[1], axis[0])
    R: Array = about_axis("z", azimuth) @ about_axis("x", angle) @ about_axis("z", -azimuth)
    return R
