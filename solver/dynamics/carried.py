"""What joints carry, read off the factors that `accelerations` has left."""

from __future__ import annotations

from solver.dynamics.tree import Array
from solver.dynamics.workspace import Workspace
from solver.maths.kernels import kernel


@kernel
def carried_load(space: Workspace, i: int, out: Array) -> None:
    """Give what a body's joint carries: torque about O and force on the body, ground axes.

    It holds after `accelerations` for a joint or for a DRIVEN body: the load of constraint, and with
    it the joint's own torques and forces `tau`.
    """
    A, B, M = space.A, space.B, space.M
    x, y, z = space.alpha[i, 0], space.alpha[i, 1], space.alpha[i, 2]
    ax, ay, az = space.acc[i, 0], space.acc[i, 1], space.acc[i, 2]
    n, f = space.n, space.f
    out[0] = n[i, 0] + A[i, 0] * x + A[i, 3] * y + A[i, 4] * z
    out[1] = n[i, 1] + A[i, 3] * x + A[i, 1] * y + A[i, 5] * z
    out[2] = n[i, 2] + A[i, 4] * x + A[i, 5] * y + A[i, 2] * z
    out[3] = f[i, 0] + M[i, 0] * ax + M[i, 3] * ay + M[i, 4] * az
    out[4] = f[i, 1] + M[i, 3] * ax + M[i, 1] * ay + M[i, 5] * az
    out[5] = f[i, 2] + M[i, 4] * ax + M[i, 5] * ay + M[i, 2] * az
    for k in range(3):
        out[k] += B[i, 3 * k] * ax + B[i, 3 * k + 1] * ay + B[i, 3 * k + 2] * az
        out[3 + k] += B[i, k] * x + B[i, 3 + k] * y + B[i, 6 + k] * z
