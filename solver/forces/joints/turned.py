"""Turn between a body's axes and its joint's frame, row k of R."""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.maths.kernels import inlined


@inlined
def wrapped(angle: float) -> float:
    """Bring an angle to within half a turn."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    return angle + 2.0 * math.pi if angle < -math.pi else angle


@inlined
def to_joint(R: Array, k: int, u: Array, at: int) -> tuple[float, float, float]:
    """Turn body components into the child's joint frame."""
    return (
        R[k, 0] * u[at] + R[k, 3] * u[at + 1] + R[k, 6] * u[at + 2],
        R[k, 1] * u[at] + R[k, 4] * u[at + 1] + R[k, 7] * u[at + 2],
        R[k, 2] * u[at] + R[k, 5] * u[at + 1] + R[k, 8] * u[at + 2],
    )


@inlined
def add_turned(tau: Array, at: int, R: Array, k: int, x: float, y: float, z: float) -> None:
    """Add a torque in the child's joint frame."""
    tau[at] += R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
    tau[at + 1] += R[k, 3] * x + R[k, 4] * y + R[k, 5] * z
    tau[at + 2] += R[k, 6] * x + R[k, 7] * y + R[k, 8] * z
