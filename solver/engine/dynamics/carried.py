"""What joints carry, read off the factors that `accelerations` has left."""

from __future__ import annotations

from solver.engine.dynamics.inertia import read_inertia
from solver.engine.dynamics.respond import Response
from solver.engine.dynamics.tree import DRIVEN, FREE, TURN, Array, IntArray, Motion, Tree
from solver.engine.dynamics.workspace import Workspace
from solver.engine.jit.kernels import inner, kernel
from solver.engine.maths.spatial import (
    added,
    dot,
    mat_on,
    plus_dot,
    plus_sym,
    read,
    read3,
    transpose_on,
    write,
)


@kernel
def carried_load(space: Workspace, i: int, out: Array) -> None:
    """Write what a body's joint carries: torque about O and force on the body, ground axes.

    It holds after `accelerations` for a joint or for a DRIVEN body: the load of constraint, and with
    it the joint's own torques and forces `tau`.
    """
    _carried(space, space.alpha, space.acc, space.n, space.f, i, out)


@inner
def _carried(
    space: Workspace, alpha: Array, acc: Array, n: Array, f: Array, i: int, out: Array
) -> None:
    A, B, M = read_inertia(space, i)
    turning, shifting = read3(alpha, i), read3(acc, i)
    couple = added(plus_sym(read3(n, i), A, turning), mat_on(B, shifting))
    force = added(plus_sym(read3(f, i), M, shifting), transpose_on(B, turning))
    write(out, 0, couple)
    write(out, 3, force)


@kernel
def load_of_drive(tree: Tree, space: Workspace, tau: Array, i: int, carried: Array) -> float:
    """The torque or force with which a DRIVEN axis is moved; `carried` is what its joint carries."""
    load = read(carried, 0 if tree.kind[i] == TURN else 3)
    return plus_dot(-tau[tree.at_v[i]], load, read3(space.e, i))


@inner
def work_of_drives(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, response: Response, v: Array
) -> float:
    """The work that what is DRIVEN does in impulses, at the speeds that it keeps."""
    work, out = 0.0, response.carried
    for i in range(len(tree.parent)):
        if locked[i] != DRIVEN:
            continue
        _carried(space, response.alpha, response.acc, response.n, response.f, i, out)
        if tree.kind[i] != FREE:
            work += load_of_drive(tree, space, response.tau, i, out) * v[tree.at_v[i]]
            continue
        work += dot(read(out, 0), read3(motion.w, i)) + dot(read(out, 3), read3(motion.v, i))
    return work
