"""Accelerations of a tree from forces, in time proportional to its size.

The articulated-body method (Featherstone, Rigid Body Dynamics Algorithms, 2008, chapter 7, Table 7.1), written
in ground axes about the joints' points with true accelerations, so that inertias are turned once and
otherwise only shifted. `docs/notation.md` has the names. The bias p of the book is taken with I c already, so that the joint's
acceleration c is added once, at the end.
"""

from __future__ import annotations

from solver.engine.dynamics.inertia import (
    add_shifting_part,
    add_turning_part,
    ball_turning,
    free_accelerations,
    is_singular,
    own_inertia,
    read_inertia,
)
from solver.engine.dynamics.modal_inertia import (
    add_modal_inertia,
    factor_modes,
    hand_to_modes,
    modes_moved,
    node_moved,
)
from solver.engine.dynamics.modes import FRAME, MODE, NODE, Modals, node_motion
from solver.engine.dynamics.tree import (
    BALL,
    DRIVEN,
    FREE,
    HELD,
    OPEN,
    SLIDE,
    SOLVED,
    TINY,
    TURN,
    Applied,
    Array,
    IntArray,
    Motion,
    Tree,
    Workspace,
    speeds_of,
)
from solver.engine.jit.kernels import inlined, kernel, separate
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    added,
    centripetal,
    cofactors,
    cross,
    determinant,
    dot,
    less,
    less_outer,
    mat_less_outer,
    mat_on,
    plus,
    plus_cross,
    plus_dot,
    plus_mat,
    plus_sym,
    plus_transpose,
    read,
    read3,
    read9,
    read_spatial,
    scaled,
    sym_less,
    sym_on,
    sym_scaled,
    sym_times,
    symmetric_product,
    trace,
    transpose_on,
    transposed,
    write,
    write3,
    write6,
    write_spatial,
)


@separate
@kernel
def accelerations(
    tree: Tree, locked: IntArray, v: Array, motion: Motion, applied: Applied, g: Array,
    space: Workspace, rates: Array,
) -> int:  # fmt: skip
    """Rates of all speeds from the loads that are applied; `motion` is that of `kinematics`.

    The rates of what is DRIVEN, bodies or axes, are taken as they stand in `rates`. Afterwards
    `space.alpha` and `space.acc` hold the accelerations of all bodies and their origins.
    """
    if len(tree.modals.frame):
        return _modal_accelerations(
            tree.modals, tree, locked, v, motion, applied, g, space, rates
        )  # fmt: skip
    count = len(tree.parent)
    for i in range(count):
        own_inertia(tree, motion, g, space, i)
        write3(space.n, i, less(read3(space.n, i), read3(applied.torque, i)))
        write3(space.f, i, less(read3(space.f, i), read3(applied.force, i)))
    for n in range(count - 1, -1, -1):
        i = tree.order[n]
        if tree.kind[i] == FREE and locked[i] != HELD:
            continue
        _joint_acceleration(tree, locked, v, motion, space, rates, i)
        if tree.kind[i] == BALL and locked[i] == OPEN:
            moves = _ball_inward(tree, motion, applied, space, i)
        else:
            moves = _axis_inward(tree, locked, applied, space, i)
        if not moves:
            return int(i)
    for n in range(count):
        i = tree.order[n]
        if not _outward(tree, locked, motion, applied, space, rates, i):
            return int(i)
    return SOLVED


@separate
def _modal_accelerations(
    modals: Modals, tree: Tree, locked: IntArray, v: Array, motion: Motion, applied: Applied, g: Array,
    space: Workspace, rates: Array,
) -> int:  # fmt: skip
    """Do the same for a tree with modal bodies, whose modes are eliminated at their frames."""
    count = len(tree.parent)
    for i in range(count):
        own_inertia(tree, motion, g, space, i)
        if modals.role[i] == FRAME:
            add_modal_inertia(modals, modals.row[i], motion, g, applied.tau, space)
        write3(space.n, i, less(read3(space.n, i), read3(applied.torque, i)))
        write3(space.f, i, less(read3(space.f, i), read3(applied.force, i)))
    for n in range(count - 1, -1, -1):
        i = tree.order[n]
        role, k, m = modals.role[i], modals.row[i], tree.parent[i]
        if role == MODE:
            continue
        if role == FRAME and not factor_modes(modals, k, space):
            return int(i)
        if tree.kind[i] == FREE and locked[i] != HELD:
            continue
        _joint_acceleration(tree, locked, v, motion, space, rates, i)
        if role == NODE:
            spin = read3(motion.w, m)
            turning, shifting = node_motion(
                modals, k, read9(motion.R, m), motion.p, motion.v, spin, space.modal
            )
            turns, shifts = read_spatial(space.c, i)
            write_spatial(space.c, i, added(turns, turning), added(shifts, shifting))
            hand_to_modes(modals, k, i, space)
        if tree.kind[i] == BALL and locked[i] == OPEN:
            moves = _ball_inward(tree, motion, applied, space, i)
        else:
            moves = _axis_inward(tree, locked, applied, space, i)
        if not moves:
            return int(i)
    for n in range(count):
        i = tree.order[n]
        role, k = modals.role[i], modals.row[i]
        if role == MODE:
            write3(space.alpha, i, NOUGHT)
            write3(space.acc, i, (rates[tree.at_v[i]], 0.0, 0.0))
            continue
        if not _outward(tree, locked, motion, applied, space, rates, i):
            return int(i)
        alpha, acc = read3(space.alpha, i), read3(space.acc, i)
        if role == FRAME:
            modes_moved(modals, k, space, space.modal.u, alpha, acc, rates)
        elif role == NODE:
            alpha, acc = node_moved(modals, k, space, rates, alpha, acc)
            write3(space.alpha, i, alpha)
            write3(space.acc, i, acc)
    return SOLVED


@inlined
def _joint_acceleration(
    tree: Tree, locked: IntArray, v: Array, motion: Motion, space: Workspace, rates: Array, i: int
) -> None:
    """Write a joint's arm, its axis, and the acceleration c that present rates and drivers give (RBDA 3.5)."""
    m, kind, at = tree.parent[i], tree.kind[i], tree.at_v[i]
    place, spin, axis, turning = NOUGHT, NOUGHT, NOUGHT, NOUGHT
    if m >= 0:
        place, spin = read3(motion.p, m), read3(motion.w, m)
    arm = less(read3(motion.p, i), place)
    shifting = centripetal(spin, arm)
    if locked[i] != HELD:
        if kind == TURN:
            axis = mat_on(read9(motion.R, i), read3(tree.axis, i))
            turning = scaled(v[at], cross(spin, axis))
            if locked[i] == DRIVEN:
                turning = plus(turning, rates[at], axis)
        elif kind == SLIDE:
            axis = read3(tree.axis, i)
            if m >= 0:
                axis = mat_on(read9(motion.R, m), axis)
            shifting = plus(shifting, 2.0 * v[at], cross(spin, axis))
            if locked[i] == DRIVEN:
                shifting = plus(shifting, rates[at], axis)
        else:
            turning = cross(spin, less(read3(motion.w, i), spin))
    write3(space.r, i, arm)
    write3(space.e, i, axis)
    write_spatial(space.c, i, turning, shifting)


@inlined
def _bias(space: Workspace, i: int) -> tuple[Three, Three]:
    """Couple and force that hold a body at the joint's acceleration: p + I c."""
    A, B, M = read_inertia(space, i)
    turning, shifting = read_spatial(space.c, i)
    couple = plus_mat(plus_sym(read3(space.n, i), A, turning), B, shifting)
    return couple, plus_sym(plus_transpose(read3(space.f, i), B, turning), M, shifting)


@inlined
def _ball_inward(tree: Tree, motion: Motion, applied: Applied, space: Workspace, i: int) -> bool:
    """Hand inertia and bias to the parent over an open ball, whose three turns leave only a force.

    With S the three turns: D = A + J, U = [A B], J being the inertia of the joint's drive; without one I - U D^-1 U^T leaves
    M - B^T A^-1 B alone, else J - J D^-1 J and J D^-1 B, too.
    """
    A, B, M = read_inertia(space, i)
    couple, force = _bias(space, i)
    drive = tree.drive[i]
    D = A[0] + drive, A[1] + drive, A[2] + drive, A[3], A[4], A[5]
    of_turn = cofactors(D)
    det = determinant(D, of_turn)
    if is_singular(D, det):
        return False
    inverse = sym_scaled(1.0 / det, of_turn)
    torque = mat_on(read9(motion.R, i), read(applied.tau, tree.at_v[i]))
    u = less(torque, couple)
    write6(space.D, i, inverse)
    write3(space.u, i, u)
    m = tree.parent[i]
    if m >= 0:
        over = sym_times(inverse, B)
        M = sym_less(M, symmetric_product(transposed(B), over))
        if drive != 0.0:
            x, y, z, xy, xz, yz = sym_scaled(-drive * drive, inverse)
            rest = x + drive, y + drive, z + drive, xy, xz, yz
            a, b, c = scaled(drive, over[:3]), scaled(drive, over[3:6]), scaled(drive, over[6:])
            add_turning_part(space, m, read3(space.r, i), rest, (*a, *b, *c))
            torque = plus(torque, -drive, sym_on(inverse, u))
        add_shifting_part(
            space, m, read3(space.r, i), M, torque, added(force, transpose_on(over, u))
        )
    return True


@inlined
def _axis_inward(tree: Tree, locked: IntArray, applied: Applied, space: Workspace, i: int) -> bool:
    """Hand inertia and bias to the parent over a turn or a slide, or over what is held or driven.

    U = I S, D = S^T U + J, u = tau - S^T p, then I - U D^-1 U^T and p + U D^-1 u; J is the inertia of the axis's drive.
    """
    A, B, M = read_inertia(space, i)
    couple, force = _bias(space, i)
    m = tree.parent[i]
    if locked[i] == OPEN:
        axis = read3(space.e, i)
        if tree.kind[i] == TURN:
            turning, shifting = sym_on(A, axis), transpose_on(B, axis)
            d, scale = dot(axis, turning), trace(A)
            u = applied.tau[tree.at_v[i]] - dot(axis, couple)
        else:
            turning, shifting = mat_on(B, axis), sym_on(M, axis)
            d, scale = dot(axis, shifting), trace(M)
            u = applied.tau[tree.at_v[i]] - dot(axis, force)
        if not d > TINY * scale:
            return False
        d = 1.0 / (d + tree.drive[i])
        write_spatial(space.U, i, turning, shifting)
        space.D[i, 0], space.u[i, 0] = d, u
        if m < 0:
            return True
        couple, force = plus(couple, u * d, turning), plus(force, u * d, shifting)
        by_turning, by_shifting = scaled(d, turning), scaled(d, shifting)
        A, M = less_outer(A, turning, by_turning), less_outer(M, shifting, by_shifting)
        B = mat_less_outer(B, turning, by_shifting)
    if m >= 0:
        arm = read3(space.r, i)
        add_turning_part(space, m, arm, A, B)
        add_shifting_part(space, m, arm, M, couple, force)
    return True


@inlined
def _outward(
    tree: Tree, locked: IntArray, motion: Motion, applied: Applied, space: Workspace, rates: Array, i: int
) -> bool:  # fmt: skip
    """Write a body's accelerations and its joint's rates: D^-1 (u - U^T a), a being the parent's, shifted."""
    kind, at, m, R = tree.kind[i], tree.at_v[i], tree.parent[i], read9(motion.R, i)
    if kind == FREE and locked[i] != HELD:
        moves = True
        if locked[i] == OPEN:
            couple, force = read3(space.n, i), read3(space.f, i)
            moves, alpha, acc = free_accelerations(
                space, R, applied.tau, rates, at, i, couple, force
            )
        else:
            alpha, acc = mat_on(R, read(rates, at + 3)), read(rates, at)
        write3(space.alpha, i, alpha)
        write3(space.acc, i, acc)
        return moves
    alpha, acc = NOUGHT, NOUGHT
    if m >= 0:
        alpha, acc = read3(space.alpha, m), read3(space.acc, m)
    acc = plus_cross(acc, alpha, read3(space.r, i))
    if locked[i] == HELD:
        for k in range(speeds_of(kind)):
            rates[at + k] = 0.0
    elif locked[i] == OPEN:
        if kind == BALL:
            turn = ball_turning(space, i, tree.drive[i], read3(space.u, i), alpha, acc)
            write(rates, at, transpose_on(R, turn))
            alpha = added(alpha, turn)
        else:
            turning, shifting = read_spatial(space.U, i)
            felt = plus_dot(dot(turning, alpha), shifting, acc)
            rates[at] = (space.u[i, 0] - felt) * space.D[i, 0]
            if kind == TURN:
                alpha = plus(alpha, rates[at], read3(space.e, i))
            else:
                acc = plus(acc, rates[at], read3(space.e, i))
    turning, shifting = read_spatial(space.c, i)
    write3(space.alpha, i, added(alpha, turning))
    write3(space.acc, i, added(acc, shifting))
    return True
