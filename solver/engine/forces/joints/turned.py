"""Turn between a body's axes and its joint's frame, row k of R."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array
from solver.engine.jit.kernels import inlined
from solver.engine.maths.spatial import Three, added, mat_on, read, read9, transpose_on, write


@inlined
def wrapped(angle: float) -> float:
    """Bring an angle to within half a turn."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    return angle + 2.0 * math.pi if angle < -math.pi else angle


@inlined
def to_joint(R: Array, k: int, u: Array, at: int) -> Three:
    """Turn body components into the child's joint frame."""
    return transpose_on(read9(R, k), read(u, at))


@inlined
def add_turned(tau: Array, at: int, R: Array, k: int, x: float, y: float, z: float) -> None:
    """Add a torque in the child's joint frame."""
    write(tau, at, added(read(tau, at), mat_on(read9(R, k), (x, y, z))))
