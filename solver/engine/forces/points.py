"""Points of bodies: where they are, how fast they move, and loads on them.

A point is given from its body's origin O in body axes; body -1 is the ground.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.dynamics.workspace import Workspace
from solver.engine.jit.kernels import inlined
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    add3,
    added,
    cross,
    less,
    mat_on,
    plus_cross,
    read3,
    read9,
    scaled,
    transpose_on,
)


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
