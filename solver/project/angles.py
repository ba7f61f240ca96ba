"""Read angles back: the turn that a joint or an orientation stands for as its own coordinates."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from solver.engine.maths.rotation import Array, about_axis
from solver.project.fields import Vec3
from solver.project.joint_table import axes_of, row_of
from solver.project.joints import JointBase

SINGULAR = 1e-9
"""Sine of the middle angle (its cosine, of three different axes) below which the outer two are one."""


def angles_from(R_AB: Array, order: str, like: Sequence[float] = (0.0, 0.0, 0.0)) -> Vec3:
    """Give the angles (rad) of successive turns about moving axes that make a turn.

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
    """Give an angle, or one that differs by whole turns, within half a turn of another."""
    return float(angle - 2.0 * math.pi * round((angle - like) / (2.0 * math.pi)))


def _angle(R: Array, axis: str) -> float:
    """Give the angle (rad) of a turn about a coordinate axis."""
    j, k = ("xyz".index(axis) + 1) % 3, ("xyz".index(axis) + 2) % 3
    return math.atan2(float(R[k, j] - R[j, k]), float(R[j, j] + R[k, k]))


def joint_values(
    joint: JointBase, R_PC: Array, p_P: Array, like: Sequence[float]
) -> tuple[float, ...]:
    """Give the coordinates of a joint from the turn and place of the child's frame in the parent's.

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
    """Give the angles (rad) of up to three successive turns that come nearest to a turn."""
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
    """Give the angles (rad) at which an Euler joint starts: those given; of an attitude, those nearest to the centres of its springs."""
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
