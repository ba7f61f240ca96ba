"""What joints carry, read off the factors that `accelerations` has left."""

from __future__ import annotations

from solver.dynamics.respond import Response
from solver.dynamics.tree import DRIVEN, FREE, TURN, Array, IntArray, Motion, Tree
from solver.dynamics.workspace import Workspace
from solver.maths.kernels import inner, kernel


@kernel
def carried_load(space: Workspace, i: int, out: Array) -> None:
    """Give what a body's joint carries: torque about O and force on the body, ground axes.

    It holds after `accelerations` for a joint or for a DRIVEN body: the load of constraint, and with
    it the joint's own torques and forces `tau`.
    """
    _carried(space, space.alpha, space.acc, space.n, space.f, i, out)


@inner
def _carried(
    space: Workspace, alpha: Array, acc: Array, n: Array, f: Array, i: int, out: Array
) -> None:
    A, B, M = space.A, space.B, space.M
    x, y, z = alpha[i, 0], alpha[i, 1], alpha[i, 2]
    ax, ay, az = acc[i, 0], acc[i, 1], acc[i, 2]
    out[0] = n[i, 0] + A[i, 0] * x + A[i, 3] * y + A[i, 4] * z
    out[1] = n[i, 1] + A[i, 3] * x + A[i, 1] * y + A[i, 5] * z
    out[2] = n[i, 2] + A[i, 4] * x + A[i, 5] * y + A[i, 2] * z
    out[3] = f[i, 0] + M[i, 0] * ax + M[i, 3] * ay + M[i, 4] * az
    out[4] = f[i, 1] + M[i, 3] * ax + M[i, 1] * ay + M[i, 5] * az
    out[5] = f[i, 2] + M[i, 4] * ax + M[i, 5] * ay + M[i, 2] * az
    for k in range(3):
        out[k] += B[i, 3 * k] * ax + B[i, 3 * k + 1] * ay + B[i, 3 * k + 2] * az
        out[3 + k] += B[i, k] * x + B[i, 3 + k] * y + B[i, 6 + k] * z


@kernel
def load_of_drive(tree: Tree, space: Workspace, tau: Array, i: int, carried: Array) -> float:
    """Give the torque or force with which a DRIVEN axis is moved; `carried` is what its joint carries."""
    first = 0 if tree.kind[i] == TURN else 3
    out = -tau[tree.at_v[i]]
    for k in range(3):
        out += carried[first + k] * space.e[i, k]
    return float(out)


@inner
def work_of_drives(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, response: Response, v: Array
) -> float:
    """Give the work that what is DRIVEN does in impulses, at the speeds that it keeps."""
    work, out = 0.0, response.carried
    for i in range(len(tree.parent)):
        if locked[i] != DRIVEN:
            continue
        _carried(space, response.alpha, response.acc, response.n, response.f, i, out)
        if tree.kind[i] != FREE:
            work += load_of_drive(tree, space, response.tau, i, out) * v[tree.at_v[i]]
            continue
        for k in range(3):
            work += out[k] * motion.w[i, k] + out[3 + k] * motion.v[i, k]
    return work
