"""Changes of acceleration from added loads, and what joints carry, by the factors that `accelerations` has left.

The equations of motion are linear in loads: what a unit of a constraint's load does to all bodies,
and what an impulse does to all speeds, costs two light passes and no new factors.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.inertia import ball_turning, free_accelerations, read_inertia
from solver.engine.dynamics.modal_inertia import modes_moved, node_moved, pass_modes, push_modes
from solver.engine.dynamics.modes import FRAME, MODE, NODE, Modals
from solver.engine.dynamics.tree import (
    BALL,
    DRIVEN,
    FREE,
    HELD,
    OPEN,
    TURN,
    Array,
    IntArray,
    Motion,
    Tree,
    Workspace,
    speeds_of,
)
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    add3,
    added,
    dot,
    less,
    mat_on,
    plus,
    plus_cross,
    plus_dot,
    plus_sym,
    read,
    read3,
    read6,
    read9,
    read_spatial,
    sym_on,
    transpose_on,
    write,
    write3,
)

# Changes of acceleration from added loads, by the factors that `accelerations` has left.


@struct
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
    modes: Array


def make_response(tree: Tree, speeds: int) -> Response:
    """Make room for one tree."""
    n = len(tree.parent)
    six, one = [np.zeros((n, 3)) for _ in range(6)], [np.zeros(speeds) for _ in range(2)]
    return Response(
        six[0], six[1], one[0], one[1], six[2], six[3], six[4], six[5],
        np.zeros((n, 3)), np.zeros(n, np.int64), np.zeros(6), np.zeros(len(tree.modals.body)),
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
    """Write the changes of `rates`, `alpha` and `acc` by the added loads.

    `touched` must be set for every body that has one; bodies that feel nothing are passed over.
    """
    if len(tree.modals.frame):
        _modal_respond(tree.modals, tree, locked, motion, space, response)
        return
    count, touched = len(tree.parent), response.touched
    for i in range(count):
        couple, force = NOUGHT, NOUGHT
        if touched[i]:
            couple = less(couple, read3(response.torque, i))
            force = less(force, read3(response.force, i))
        write3(response.n, i, couple)
        write3(response.f, i, force)
    for i in range(count - 1, -1, -1):
        if touched[i] and (tree.kind[i] != FREE or locked[i] == HELD):
            _inward(tree, locked, motion, space, response, i)
    for i in range(count):
        m = tree.parent[i]
        moved = touched[i] != 0 or (m >= 0 and touched[m] != 0)
        if moved and (tree.kind[i] != FREE or locked[i] != DRIVEN):
            _outward(tree, locked, motion, space, response, i)
            continue
        write3(response.alpha, i, NOUGHT)
        write3(response.acc, i, NOUGHT)
        for k in range(speeds_of(tree.kind[i])):
            response.rates[tree.at_v[i] + k] = 0.0


@separate
def _modal_respond(
    modals: Modals, tree: Tree, locked: IntArray, motion: Motion, space: Workspace, response: Response
) -> None:  # fmt: skip
    """Do the same for a tree with modal bodies."""
    count, touched, rates = len(tree.parent), response.touched, response.rates
    response.modes[:] = 0.0
    for i in range(count):
        couple, force = NOUGHT, NOUGHT
        if touched[i]:
            couple = less(couple, read3(response.torque, i))
            force = less(force, read3(response.force, i))
        write3(response.n, i, couple)
        write3(response.f, i, force)
    for i in range(count - 1, -1, -1):
        if not touched[i] or modals.role[i] == MODE:
            continue
        if modals.role[i] == FRAME:
            pass_modes(modals, modals.row[i], space, response.n, response.f, response.modes)
        elif modals.role[i] == NODE:
            push_modes(modals, modals.row[i], space, response.n, response.f, i, response.modes)
        if tree.kind[i] != FREE or locked[i] == HELD:
            _inward(tree, locked, motion, space, response, i)
    for i in range(count):
        m, role, k = tree.parent[i], modals.role[i], modals.row[i]
        moved = touched[i] != 0 or (m >= 0 and touched[m] != 0)
        if role == MODE:
            # its rate stands with those of its frame, which comes before
            touched[i] = touched[m]
            if not moved:
                rates[tree.at_v[i]] = 0.0
            write3(response.alpha, i, NOUGHT)
            write3(response.acc, i, (rates[tree.at_v[i]], 0.0, 0.0))
            continue
        if moved and (tree.kind[i] != FREE or locked[i] != DRIVEN):
            _outward(tree, locked, motion, space, response, i)
        else:
            write3(response.alpha, i, NOUGHT)
            write3(response.acc, i, NOUGHT)
            for c in range(speeds_of(tree.kind[i])):
                rates[tree.at_v[i] + c] = 0.0
        if not moved:
            continue
        alpha, acc = read3(response.alpha, i), read3(response.acc, i)
        if role == FRAME:
            modes_moved(modals, k, space, response.modes, alpha, acc, rates)
        elif role == NODE:
            alpha, acc = node_moved(modals, k, space, rates, alpha, acc)
            write3(response.alpha, i, alpha)
            write3(response.acc, i, acc)


@inlined
def _inward(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, response: Response, i: int
) -> None:
    """Hand the bias of added loads to the parent: p + U D^-1 u with u = tau - S^T p (RBDA Table 7.1)."""
    kind, at, m = tree.kind[i], tree.at_v[i], tree.parent[i]
    couple, force = read3(response.n, i), read3(response.f, i)
    if locked[i] == OPEN:
        if kind == BALL:
            torque = mat_on(read9(motion.R, i), read(response.tau, at))
            u = less(torque, couple)
            write3(response.u, i, u)
            turning = sym_on(read6(space.D, i), u)
            couple = plus(torque, -tree.drive[i], turning)
            force = added(force, transpose_on(read9(space.B, i), turning))
        else:
            borne = dot(read3(space.e, i), couple if kind == TURN else force)
            response.u[i, 0] = response.tau[at] - borne
            size = response.u[i, 0] * space.D[i, 0]
            turning, shifting = read_spatial(space.U, i)
            couple, force = plus(couple, size, turning), plus(force, size, shifting)
    if m >= 0:
        response.touched[m] = 1
        add3(response.n, m, plus_cross(couple, read3(space.r, i), force))
        add3(response.f, m, force)


@inlined
def _outward(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, response: Response, i: int
) -> None:
    """Write the changes of a body's accelerations and of its joint's rates."""
    kind, at, m, R = tree.kind[i], tree.at_v[i], tree.parent[i], read9(motion.R, i)
    rates, felt = response.rates, response.touched[i] != 0
    response.touched[i] = 1
    alpha, acc = NOUGHT, NOUGHT
    if kind == FREE and locked[i] == OPEN:
        couple, force = read3(response.n, i), read3(response.f, i)
        _, alpha, acc = free_accelerations(space, R, response.tau, rates, at, i, couple, force)
        write3(response.alpha, i, alpha)
        write3(response.acc, i, acc)
        return
    if m >= 0:
        alpha, acc = read3(response.alpha, m), read3(response.acc, m)
    acc = plus_cross(acc, alpha, read3(space.r, i))
    if locked[i] != OPEN:
        for k in range(speeds_of(kind)):
            rates[at + k] = 0.0
    elif kind == BALL:
        turn = ball_turning(
            space, i, tree.drive[i], read3(response.u, i) if felt else NOUGHT, alpha, acc
        )
        write(rates, at, transpose_on(R, turn))
        alpha = added(alpha, turn)
    else:
        turning, shifting = read_spatial(space.U, i)
        left = (response.u[i, 0] if felt else 0.0) - dot(turning, alpha) - dot(shifting, acc)
        rates[at] = left * space.D[i, 0]
        if kind == TURN:
            alpha = plus(alpha, rates[at], read3(space.e, i))
        else:
            acc = plus(acc, rates[at], read3(space.e, i))
    write3(response.alpha, i, alpha)
    write3(response.acc, i, acc)


# What joints carry, read off the factors that `accelerations` has left.


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
