"""Points and frames of bodies: where they are, how they move and are turned from each other, and loads on them.

A point is given from its body's origin O in body axes; body -1 is the ground.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array, Motion, Workspace
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    add3,
    added,
    cross,
    dot,
    length,
    less,
    mat_on,
    plus,
    plus_cross,
    read3,
    read9,
    read_axis,
    scaled,
    transpose_on,
)

# Points of bodies: where they are, how fast they move, and loads on them.


@inlined
def unit(i: int, k: int) -> float:
    """Return component k of the unit vector along axis i."""
    return 1.0 if i == k else 0.0


@inlined
def unit_vector(i: int) -> Three:
    """The unit vector along axis i."""
    return unit(i, 0), unit(i, 1), unit(i, 2)


@inlined
def from_axes_of(motion: Motion, i: int, a: Three) -> Three:
    """The ground components of a vector in a body's axes."""
    return mat_on(read9(motion.R, i), a) if i >= 0 else a


@inlined
def in_axes_of(motion: Motion, i: int, a: Three) -> Three:
    """The components in a body's axes of a vector in ground axes."""
    return transpose_on(read9(motion.R, i), a) if i >= 0 else a


@inlined
def arm_of(motion: Motion, i: int, at: Array, k: int) -> Three:
    """The arm from O to row k of points, ground axes."""
    return from_axes_of(motion, i, read3(at, k))


@inlined
def point_of(motion: Motion, i: int, arm: Three) -> tuple[Three, Three]:
    """Return place and velocity of the point at an arm, ground axes."""
    if i < 0:
        return arm, NOUGHT
    spin, speed = read3(motion.w, i), read3(motion.v, i)
    return added(read3(motion.p, i), arm), plus_cross(speed, spin, arm)


@inlined
def acceleration_of(motion: Motion, space: Workspace, i: int, arm: Three) -> Three:
    """The acceleration of the point at an arm, ground axes; of the ground's points none."""
    if i < 0:
        return NOUGHT
    spin = read3(motion.w, i)
    carried = plus_cross(read3(space.acc, i), read3(space.alpha, i), arm)
    return plus_cross(carried, spin, cross(spin, arm))


@inlined
def between(motion: Motion, i: int, arm_i: Three, j: int, arm_j: Three) -> tuple[Three, Three]:
    """The way from body i's point to body j's, and its rate, ground axes."""
    place_i, speed_i = point_of(motion, i, arm_i)
    place_j, speed_j = point_of(motion, j, arm_j)
    return less(place_j, place_i), less(speed_j, speed_i)


@inlined
def spin_of(motion: Motion, i: int) -> Three:
    """The angular velocity of a body, or of the ground."""
    return read3(motion.w, i) if i >= 0 else NOUGHT


@inlined
def push(torque: Array, force: Array, i: int, arm: Three, load: Three) -> None:
    """Add a force at an arm from O."""
    if i >= 0:
        add3(force, i, load)
        add3(torque, i, cross(arm, load))


@inlined
def add_torque(torque: Array, i: int, s: float, t: Three) -> None:
    """Add s times a torque."""
    if i >= 0:
        add3(torque, i, scaled(s, t))


@inlined
def speed_at(motion: Motion, i: int, j: int, place: Three) -> Three:
    """The velocity of body i at a place against body j there."""
    speed = NOUGHT
    if i >= 0:
        arm = less(place, read3(motion.p, i))
        speed = plus_cross(read3(motion.v, i), read3(motion.w, i), arm)
    if j >= 0:
        arm = less(place, read3(motion.p, j))
        speed = less(speed, plus_cross(read3(motion.v, j), read3(motion.w, j), arm))
    return speed


@inlined
def arm_to(motion: Motion, i: int, place: Three) -> Three:
    """The arm from O to a place."""
    return less(place, read3(motion.p, i)) if i >= 0 else place


# How one frame is turned from another: a rotation vector, and along what each component of it grows.

Axes = tuple[Three, Three, Three]
"""Axes of a frame, ground components."""


@inlined
def axes_of(motion: Motion, i: int, R: Array, n: int) -> Axes:
    """The axes of a frame that is fixed in a body, row n of R."""
    return (
        axis_in_frame(motion, i, R, n, 0),
        axis_in_frame(motion, i, R, n, 1),
        axis_in_frame(motion, i, R, n, 2),
    )


@inlined
def axes_in_ground(R: Array, i: int) -> Axes:
    """The axes that stand in the columns of the turn in row i."""
    return read_axis(R, i, 0), read_axis(R, i, 1), read_axis(R, i, 2)


@inlined
def axis_in_frame(motion: Motion, i: int, R: Array, n: int, c: int) -> Three:
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
