"""Articulated inertias: a body's own, and what a child hands to its parent.

They stand in the workspace by parts of three: `[[A, B], [B^T, M]]` takes the accelerations (alpha, acc) of a body
and its origin to the couple and the force that they need, beside the bias (n, f). All about O, ground axes.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import TINY, Array, Motion, Tree, Workspace
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.spatial import (
    NOUGHT,
    Matrix,
    Symmetric,
    Three,
    add3,
    add6,
    add9,
    centripetal,
    cofactors,
    cross,
    crossed_rows,
    crossed_sym,
    determinant,
    less,
    lower_half,
    mat_on,
    plus,
    plus_cross,
    read,
    read3,
    read6,
    read9,
    scaled,
    skew,
    sym_less,
    sym_on,
    sym_scaled,
    symmetric_product,
    times_sym,
    trace,
    transpose_on,
    transposed,
    turned,
    turned_diagonal,
    with_point_mass,
    with_transpose,
    write,
    write3,
    write6,
    write9,
)


@inlined
def own_inertia(tree: Tree, motion: Motion, g: Array, space: Workspace, i: int) -> None:
    """Start a body's articulated inertia and bias from its own mass, velocity and weight (RBDA 2.63, 2.73)."""
    mass, turn, spin = tree.mass[i], read9(motion.R, i), read3(motion.w, i)
    own, arm = read6(tree.inertia, i), mat_on(turn, read3(tree.centre, i))
    if own[3] == 0.0 and own[4] == 0.0 and own[5] == 0.0:
        # about principal axes, as most are given
        about_centre = turned_diagonal(turn, (own[0], own[1], own[2]))
    else:
        about_centre = turned(turn, own)
    write6(space.A, i, with_point_mass(about_centre, mass, arm))
    write9(space.B, i, skew(mass, arm))
    write6(space.M, i, (mass, mass, mass, 0.0, 0.0, 0.0))
    # gyroscopic torque, centripetal force, weight
    force = scaled(mass, less(centripetal(spin, arm), (g[0], g[1], g[2])))
    write3(space.n, i, plus_cross(cross(spin, sym_on(about_centre, spin)), arm, force))
    write3(space.f, i, force)


@inlined
def add_turning_part(space: Workspace, m: int, r: Three, A: Symmetric, B: Matrix) -> None:
    """Add what turning needs of a child's inertia, shifted by r to its parent's origin (RBDA 2.66)."""
    add6(space.A, m, with_transpose(A, crossed_rows(r, B)))
    add9(space.B, m, B)


@inlined
def add_shifting_part(
    space: Workspace, m: int, r: Three, M: Symmetric, couple: Three, force: Three
) -> None:
    """Add what shifting needs of a child's inertia, and its bias, shifted by r to its parent's origin."""
    crossed = crossed_sym(r, M)
    add6(space.A, m, lower_half(crossed_rows(r, crossed)))
    add9(space.B, m, crossed)
    add6(space.M, m, M)
    add3(space.n, m, plus_cross(couple, r, force))
    add3(space.f, m, force)


@inlined
def is_singular(S: Symmetric, det: float) -> bool:
    """Whether a part of an inertia has a direction in which it is none."""
    scale = trace(S)
    return not det > TINY * scale * scale * scale


@inlined
def read_inertia(space: Workspace, i: int) -> tuple[Symmetric, Matrix, Symmetric]:
    """Read the parts A, B, M of a body's articulated inertia."""
    return read6(space.A, i), read9(space.B, i), read6(space.M, i)


@inlined
def ball_turning(
    space: Workspace, i: int, drive: float, u: Three, alpha: Three, acc: Three
) -> Three:
    """How an open ball's body turns against its parent: D^-1 (u - B acc + J alpha) - alpha, J being the inertia of its drive."""
    felt = plus(less(u, mat_on(read9(space.B, i), acc)), drive, alpha)
    return less(sym_on(read6(space.D, i), felt), alpha)


@inner
def free_accelerations(
    space: Workspace, R: Matrix, tau: Array, rates: Array, at: int, i: int, couple: Three, force: Three
) -> tuple[bool, Three, Three]:  # fmt: skip
    """Whether a free body's inertia lets it move, its alpha and acc against a bias, and the rates of its joint.

    The shifting part goes first: acc = M^-1 (f - B^T alpha), alpha = (A - B M^-1 B^T)^-1 (n - B M^-1 f).
    """
    A, B, M = read_inertia(space, i)
    of_shift = cofactors(M)
    det = determinant(M, of_shift)
    if is_singular(M, det):
        return False, NOUGHT, NOUGHT
    inverse = sym_scaled(1.0 / det, of_shift)
    over = times_sym(B, inverse)
    left = sym_less(A, symmetric_product(over, transposed(B)))
    of_turn = cofactors(left)
    det = determinant(left, of_turn)
    if is_singular(left, det):
        return False, NOUGHT, NOUGHT
    couple, force = less(mat_on(R, read(tau, at + 3)), couple), less(read(tau, at), force)
    x, y, z = sym_on(of_turn, less(couple, mat_on(over, force)))
    alpha = (x / det, y / det, z / det)
    acc = sym_on(inverse, less(force, transpose_on(B, alpha)))
    write(rates, at, acc)
    write(rates, at + 3, transpose_on(R, alpha))
    return True, alpha, acc
