"""Changes of acceleration from added loads, by the factors that `accelerations` has left.

The equations of motion are linear in loads: what a unit of a constraint's load does to all bodies,
and what an impulse does to all speeds, costs two light passes and no new factors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.dynamics.free import accelerate_free
from solver.dynamics.tree import BALL, DRIVEN, FREE, HELD, OPEN, TURN, Array, IntArray, Motion, Tree
from solver.dynamics.workspace import Workspace
from solver.maths.bundles import bundle
from solver.maths.kernels import kernel


@bundle
class Response(NamedTuple):
    """Hold added loads about each body's O, ground axes, and on freedoms, and what comes of them."""

    torque: Array
    force: Array
    tau: Array
    rates: Array
    alpha: Array
    acc: Array
    n: Array
    f: Array
    u: Array
    touched: IntArray
    carried: Array


def make_response(tree: Tree, speeds: int) -> Response:
    """Make room for one tree."""
    n = len(tree.parent)
    six, one = [np.zeros((n, 3)) for _ in range(6)], [np.zeros(speeds) for _ in range(2)]
    return Response(
        six[0], six[1], one[0], one[1], six[2], six[3], six[4], six[5],
        np.zeros((n, 3)), np.zeros(n, np.int64), np.zeros(6),
    )  # fmt: skip


@kernel
def clear(response: Response) -> None:
    """Take away all added loads."""
    response.torque[:] = 0.0
    response.force[:] = 0.0
    response.tau[:] = 0.0
    response.touched[:] = 0


@kernel
def respond(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, response: Response
) -> None:
    """Give the changes of `rates`, `alpha` and `acc` from the added loads.

    `touched` must be set for every body that has one; bodies that feel nothing are passed over.
    """
    torque, force, tau, rates = response.torque, response.force, response.tau, response.rates
    alpha, acc, n, f, u = response.alpha, response.acc, response.n, response.f, response.u
    touched = response.touched
    A, B, M, U, D, e, arm = space.A, space.B, space.M, space.U, space.D, space.e, space.r
    o = motion.R
    count = len(tree.parent)
    for i in range(count):
        if touched[i]:
            for k in range(3):
                n[i, k], f[i, k] = -torque[i, k], -force[i, k]
        else:
            for k in range(3):
                n[i, k] = f[i, k] = 0.0
    for i in range(count - 1, -1, -1):
        if not touched[i]:
            continue
        kind, at, m = tree.kind[i], tree.at_v[i], tree.parent[i]
        if kind == FREE and locked[i] != HELD:
            continue
        nx, ny, nz, fx, fy, fz = n[i, 0], n[i, 1], n[i, 2], f[i, 0], f[i, 1], f[i, 2]
        if locked[i] == OPEN:
            if kind == BALL:
                tx, ty, tz = tau[at], tau[at + 1], tau[at + 2]
                gx = o[i, 0] * tx + o[i, 1] * ty + o[i, 2] * tz
                gy = o[i, 3] * tx + o[i, 4] * ty + o[i, 5] * tz
                gz = o[i, 6] * tx + o[i, 7] * ty + o[i, 8] * tz
                ux, uy, uz = gx - nx, gy - ny, gz - nz
                u[i, 0], u[i, 1], u[i, 2] = ux, uy, uz
                sx = D[i, 0] * ux + D[i, 3] * uy + D[i, 4] * uz
                sy = D[i, 3] * ux + D[i, 1] * uy + D[i, 5] * uz
                sz = D[i, 4] * ux + D[i, 5] * uy + D[i, 2] * uz
                nx, ny, nz = gx, gy, gz
                fx += B[i, 0] * sx + B[i, 3] * sy + B[i, 6] * sz
                fy += B[i, 1] * sx + B[i, 4] * sy + B[i, 7] * sz
                fz += B[i, 2] * sx + B[i, 5] * sy + B[i, 8] * sz
            else:
                s = tau[at]
                if kind == TURN:
                    s -= e[i, 0] * nx + e[i, 1] * ny + e[i, 2] * nz
                else:
                    s -= e[i, 0] * fx + e[i, 1] * fy + e[i, 2] * fz
                u[i, 0] = s
                s *= D[i, 0]
                nx, ny, nz = nx + U[i, 0] * s, ny + U[i, 1] * s, nz + U[i, 2] * s
                fx, fy, fz = fx + U[i, 3] * s, fy + U[i, 4] * s, fz + U[i, 5] * s
        if m < 0:
            continue
        touched[m] = 1
        rx, ry, rz = arm[i, 0], arm[i, 1], arm[i, 2]
        n[m, 0] += nx + ry * fz - rz * fy
        n[m, 1] += ny + rz * fx - rx * fz
        n[m, 2] += nz + rx * fy - ry * fx
        f[m, 0], f[m, 1], f[m, 2] = f[m, 0] + fx, f[m, 1] + fy, f[m, 2] + fz
    for i in range(count):
        kind, at, m = tree.kind[i], tree.at_v[i], tree.parent[i]
        moved = touched[i] != 0 or (m >= 0 and touched[m] != 0)
        size = 1 if kind < BALL else (3 if kind == BALL else 6)
        if not moved or (kind == FREE and locked[i] == DRIVEN):
            for k in range(3):
                alpha[i, k] = acc[i, k] = 0.0
            for k in range(size):
                rates[at + k] = 0.0
            continue
        felt = touched[i] != 0
        touched[i] = 1
        if kind == FREE and locked[i] == OPEN:
            accelerate_free(A, B, M, n, f, o, tau, rates, alpha, acc, at, i)
            continue
        x = y = z = ax = ay = az = 0.0
        if m >= 0:
            x, y, z = alpha[m, 0], alpha[m, 1], alpha[m, 2]
            ax, ay, az = acc[m, 0], acc[m, 1], acc[m, 2]
        rx, ry, rz = arm[i, 0], arm[i, 1], arm[i, 2]
        ax, ay, az = ax + y * rz - z * ry, ay + z * rx - x * rz, az + x * ry - y * rx
        if locked[i] != OPEN:
            for k in range(size):
                rates[at + k] = 0.0
        elif kind == BALL:
            sx = sy = sz = 0.0
            if felt:
                sx, sy, sz = u[i, 0], u[i, 1], u[i, 2]
            sx -= B[i, 0] * ax + B[i, 1] * ay + B[i, 2] * az
            sy -= B[i, 3] * ax + B[i, 4] * ay + B[i, 5] * az
            sz -= B[i, 6] * ax + B[i, 7] * ay + B[i, 8] * az
            tx = D[i, 0] * sx + D[i, 3] * sy + D[i, 4] * sz - x
            ty = D[i, 3] * sx + D[i, 1] * sy + D[i, 5] * sz - y
            tz = D[i, 4] * sx + D[i, 5] * sy + D[i, 2] * sz - z
            rates[at] = o[i, 0] * tx + o[i, 3] * ty + o[i, 6] * tz
            rates[at + 1] = o[i, 1] * tx + o[i, 4] * ty + o[i, 7] * tz
            rates[at + 2] = o[i, 2] * tx + o[i, 5] * ty + o[i, 8] * tz
            x, y, z = x + tx, y + ty, z + tz
        else:
            s = u[i, 0] if felt else 0.0
            s -= U[i, 0] * x + U[i, 1] * y + U[i, 2] * z
            s -= U[i, 3] * ax + U[i, 4] * ay + U[i, 5] * az
            s *= D[i, 0]
            rates[at] = s
            if kind == TURN:
                x, y, z = x + s * e[i, 0], y + s * e[i, 1], z + s * e[i, 2]
            else:
                ax, ay, az = ax + s * e[i, 0], ay + s * e[i, 1], az + s * e[i, 2]
        alpha[i, 0], alpha[i, 1], alpha[i, 2] = x, y, z
        acc[i, 0], acc[i, 1], acc[i, 2] = ax, ay, az
