"""How one frame is turned from another: a rotation vector, and along what each component of it grows."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.spatial import (
    Three,
    cross,
    dot,
    length,
    mat_on,
    plus,
    read9,
    read_axis,
    scaled,
)

Axes = tuple[Three, Three, Three]
"""Axes of a frame, ground components."""


@inlined
def axes_of(motion: Motion, i: int, R: Array, n: int) -> Axes:
    """The axes of a frame that is fixed in a body, row n of R."""
    return axis_of(motion, i, R, n, 0), axis_of(motion, i, R, n, 1), axis_of(motion, i, R, n, 2)


@inlined
def axes_in_ground(R: Array, i: int) -> Axes:
    """The axes that stand in the columns of the turn in row i."""
    return read_axis(R, i, 0), read_axis(R, i, 1), read_axis(R, i, 2)


@inlined
def axis_of(motion: Motion, i: int, R: Array, n: int, c: int) -> Three:
    """One of them."""
    axis = read_axis(R, n, c)
    return axis if i < 0 else mat_on(read9(motion.R, i), axis)


@inlined
def along(axes: Axes, a: Three) -> Three:
    """The components of a vector along a frame's axes."""
    return dot(a, axes[0]), dot(a, axes[1]), dot(a, axes[2])


@inlined
def summed(axes: Axes, a: Three) -> Three:
    """The ground components of a vector along a frame's axes."""
    return plus(plus(scaled(a[0], axes[0]), a[1], axes[1]), a[2], axes[2])


@inlined
def rotation_vector(a: Axes, b: Axes) -> tuple[Three, float]:
    """The turn of frame B in A's axes, from its antisymmetric part and trace, and its angle."""
    x, y, z = a
    e, g, h = b
    sx = 0.5 * (dot(z, g) - dot(y, h))
    sy = 0.5 * (dot(x, h) - dot(z, e))
    sz = 0.5 * (dot(y, e) - dot(x, g))
    trace = dot(x, e) + dot(y, g) + dot(z, h)
    sine = length((sx, sy, sz))
    angle = math.atan2(sine, 0.5 * (trace - 1.0))
    f = angle / sine if sine > 1e-9 else 1.0
    return (f * sx, f * sy, f * sz), angle


@inlined
def gradient(phi: Three, angle: float, t: Three) -> Three:
    """Give `J^-T t`: the rates of a rotation vector are `J^-1 w`, so `t . phi` grows with w along this.

    `J^-T t = t + phi x t / 2 + j2 phi x (phi x t)`.
    """
    a2 = angle * angle
    if a2 < 1e-4:
        j2 = 1.0 / 12.0 + a2 / 720.0
    else:
        # at a whole turn only what goes on about its own axis has a rate
        half = math.tan(0.5 * angle)
        j2 = (1.0 - 0.5 * angle / (half if abs(half) > 1e-9 else 1e-9)) / a2
    crossed = cross(phi, t)
    return plus(plus(t, 0.5, crossed), j2, cross(phi, crossed))


@inner
def place_quaternion(R: Array, i: int, q: Array, at: int) -> None:
    """The unit quaternion of a turn, by its largest component."""
    t = R[i, 0] + R[i, 4] + R[i, 8]
    x, y, z = R[i, 7] - R[i, 5], R[i, 2] - R[i, 6], R[i, 3] - R[i, 1]
    if t > 0.0:
        s = 2.0 * math.sqrt(1.0 + t)
        q[at], q[at + 1], q[at + 2], q[at + 3] = 0.25 * s, x / s, y / s, z / s
    elif R[i, 0] >= R[i, 4] and R[i, 0] >= R[i, 8]:
        s = 2.0 * math.sqrt(1.0 + R[i, 0] - R[i, 4] - R[i, 8])
        q[at], q[at + 1] = x / s, 0.25 * s
        q[at + 2], q[at + 3] = (R[i, 1] + R[i, 3]) / s, (R[i, 2] + R[i, 6]) / s
    elif R[i, 4] >= R[i, 8]:
        s = 2.0 * math.sqrt(1.0 + R[i, 4] - R[i, 0] - R[i, 8])
        q[at], q[at + 2] = y / s, 0.25 * s
        q[at + 1], q[at + 3] = (R[i, 1] + R[i, 3]) / s, (R[i, 5] + R[i, 7]) / s
    else:
        s = 2.0 * math.sqrt(1.0 + R[i, 8] - R[i, 0] - R[i, 4])
        q[at], q[at + 3] = z / s, 0.25 * s
        q[at + 1], q[at + 2] = (R[i, 2] + R[i, 6]) / s, (R[i, 5] + R[i, 7]) / s
