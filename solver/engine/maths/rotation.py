"""Turn vectors: rotation matrices and quaternions.

`R_AB` turns components in B into components in A: `v_A = R_AB @ v_B`. Quaternions are w, x, y, z.
"""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.alike import arctan2

Array = NDArray[np.float64]

_AXES = {"x": 0, "y": 1, "z": 2}


def cross(a: Array, b: Array) -> Array:
    """The vector product of (..., 3); NumPy's own takes three times as long for short arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


def about_axis(axis: str, angle: float) -> Array:
    """Turn by `angle` (rad) about one coordinate axis."""
    c, s = math.cos(angle), math.sin(angle)
    i = _AXES[axis]
    j, k = (i + 1) % 3, (i + 2) % 3
    R = np.zeros((3, 3))
    R[i, i] = 1.0
    R[j, j] = R[k, k] = c
    R[j, k], R[k, j] = -s, s
    return R


def from_angles(angles: Sequence[float], order: str) -> Array:
    """Give R_AB for successive turns about the moving axes named in `order` (section 2.4)."""
    R = about_axis(order[0], angles[0])
    for axis, angle in zip(order[1:], angles[1:], strict=True):
        R = R @ about_axis(axis, angle)
    return R


def quaternion(R_AB: Array) -> Array:
    """The unit quaternion of a rotation matrix, with w not below zero."""
    t = np.array(
        [
            R_AB[0, 0] + R_AB[1, 1] + R_AB[2, 2],
            R_AB[0, 0] - R_AB[1, 1] - R_AB[2, 2],
            R_AB[1, 1] - R_AB[0, 0] - R_AB[2, 2],
            R_AB[2, 2] - R_AB[0, 0] - R_AB[1, 1],
        ]
    )
    largest = int(np.argmax(t))
    r = 2.0 * math.sqrt(1.0 + t[largest])
    off = np.array([R_AB[2, 1] - R_AB[1, 2], R_AB[0, 2] - R_AB[2, 0], R_AB[1, 0] - R_AB[0, 1]])
    q = np.empty(4)
    if largest == 0:
        q[0], q[1:] = r / 4.0, off / r
    else:
        i = largest - 1
        j, k = (i + 1) % 3, (i + 2) % 3
        q[0], q[1 + i] = off[i] / r, r / 4.0
        q[1 + j] = (R_AB[i, j] + R_AB[j, i]) / r
        q[1 + k] = (R_AB[i, k] + R_AB[k, i]) / r
    return q if q[0] >= 0.0 else -q


def matrix(q: Sequence[float] | Array) -> Array:
    """The rotation matrix of a unit quaternion (w, x, y, z)."""
    w, x, y, z = (float(v) for v in q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def angle_between(R_AB: Array, R_AC: Array) -> float:
    """The angle (rad) of the turn from B to C."""
    R = R_AB.T @ R_AC
    sine = math.hypot(R[2, 1] - R[1, 2], R[0, 2] - R[2, 0], R[1, 0] - R[0, 1])
    return math.atan2(sine, float(np.trace(R)) - 1.0)


def matrices(q: Array) -> Array:
    """The rotation matrices (..., 3, 3) of unit quaternions (..., 4)."""
    w, x, y, z = np.moveaxis(np.asarray(q, float), -1, 0)
    rows = (
        (1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)),
        (2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)),
        (2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)),
    )
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)


def turns_of(R: Array, order: str) -> Array:
    """The angles (..., 3) of successive turns about moving axes that make turns (..., 3, 3).

    The middle one lies within 90 degrees, or from 0 to 180 where the outer axes are the same (section
    2.4). Where the outer two come to be one turn, the last is zero.
    """
    i, j, k = ("xyz".index(axis) for axis in order)
    sign = 1.0 if (j - i) % 3 == 1 else -1.0
    if i == k:
        m = 3 - i - j
        size = np.hypot(R[..., i, j], R[..., i, m])
        middle = arctan2(size, R[..., i, i])
        first = arctan2(R[..., j, i], -sign * R[..., m, i])
        last = arctan2(R[..., i, j], sign * R[..., i, m])
        beside = sign * R[..., m, j]
    else:
        size = np.hypot(R[..., i, i], R[..., i, j])
        middle = arctan2(sign * R[..., i, k], size)
        first = arctan2(-sign * R[..., j, k], R[..., k, k])
        last = arctan2(-sign * R[..., i, j], R[..., i, i])
        beside = sign * R[..., k, j]
    one = size < 1e-9
    if one.any():
        first = np.where(one, arctan2(beside, R[..., j, j]), first)
        last = np.where(one, 0.0, last)
    return np.stack([first, middle, last], axis=-1)


def yaw_pitch_roll(R: Array) -> Array:
    """Give yaw, pitch and roll (..., 3) of turns (..., 3, 3); at pitch 90 degrees the roll is zero."""
    return turns_of(R, "zyx")


def unwrapped(angles: Array) -> Array:
    """A course of angles without jumps of whole turns, from its first row on.

    Each is what it was and a whole number of turns, so it has the same bits wherever a piece of the course begins.
    """
    jumps = np.round(np.diff(angles, axis=0) / (2.0 * np.pi))
    turns = np.concatenate([np.zeros_like(angles[:1]), np.cumsum(jumps, axis=0)])
    out: Array = angles - 2.0 * np.pi * turns
    return out


UNAMBIGUOUS = 1.0
"""Change of angles (rad) below which the other way to write a turn is farther: two of its angles are half a turn away."""


def followed(angles: Array, order: str, last: Array | None = None) -> tuple[Array, Array]:
    """The course (T, 3) of the angles of successive turns about moving axes without folds.

    Their middle one lies within 90 degrees, or from 0 to 180 where the outer axes are one. Of the two ways to write a turn, and of all whole turns, each row takes those nearest to the row
    before it, the first those nearest to `last`. Where the outer two are one turn, only their sum is
    known. Also says in which rows the other way is taken.
    """
    rows = np.array(angles if last is None else np.vstack([last, angles]), float)
    three = order[0] != order[2]
    cyclic = order in "xyzxy"
    sine, cosine = np.sin(rows[:, 1]), np.cos(rows[:, 1])
    one = np.abs(cosine if three else sine) < 1e-9
    one[0] &= last is None
    if not one.any() and np.abs(rows[1:] - rows[:-1]).max(initial=0.0) < UNAMBIGUOUS:
        first = 0 if last is None else 1
        return rows[first:], np.zeros(len(rows) - first, bool)
    if one.any() and not one.all():
        # the outer two are one turn: the last keeps the value of the row before, at first of that after
        known = np.flatnonzero(~one)
        before = known[np.maximum(np.searchsorted(known, np.flatnonzero(one)) - 1, 0)]
        more = rows[before, 2] - rows[one, 2]
        rows[one, 2] += more
        rows[one, 0] += np.sign((-sine if cyclic else sine) if three else -cosine)[one] * more
    other = rows + np.pi
    other[:, 1] = np.pi - rows[:, 1] if three else -rows[:, 1]

    def off(way: Array) -> Array:
        turns = (way[1:] - rows[:-1] + np.pi) % (2.0 * np.pi) - np.pi
        out: Array = np.einsum("ti,ti->t", turns, turns)
        return out

    changes = off(other) < off(rows)
    turned = np.concatenate([[False], np.logical_xor.accumulate(changes)])
    out = unwrapped(np.where(turned[:, None], other, rows))
    first = 0 if last is None else 1
    return out[first:], turned[first:]
