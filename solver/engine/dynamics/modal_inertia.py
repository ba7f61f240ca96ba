"""Modes in the articulated-body method: what a modal body adds to its frame, and how modes are solved for there.

The equations of a modal body, body axes, follow from its kinetic energy (quasi-coordinates):

    F = m a + alpha x c + S q'' + w x (w x c) + 2 w x S q' + q' G q'
    T = c x a + J alpha + H q'' + J' w + H' q' + w x (J w + H q')
    Q = S . a + H . alpha + M q'' - 1/2 w . dJ/dq w + 2 w . h q'

with the first moment c, the inertia J, S = dc/dq and H all of the present shape, and a less gravity. What its nodes carry
adds to M, S and H by their motions; then modes are eliminated: with U the force on the frame by unit rates,
I - U M^-1 U^T and p + U M^-1 u go on, as over any joint (RBDA Table 7.1 for the m motions of the modes).
"""

from __future__ import annotations

import math

from solver.engine.dynamics.modes import Modals, deformed
from solver.engine.dynamics.tree import Array, Motion, Workspace
from solver.engine.jit.kernels import inner
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    add3,
    add6,
    add9,
    added,
    centripetal,
    cross,
    dot,
    mat_on,
    plus,
    plus_cross,
    plus_dot,
    plus_mat,
    plus_sym,
    plus_transpose,
    read3,
    read6,
    read9,
    scaled,
    skew,
    sym_on,
    transpose_on,
    turned,
)


@inner
def add_modal_inertia(
    modals: Modals, b: int, motion: Motion, g: Array, tau: Array, space: Workspace
) -> None:
    """Add what bending changes of a body's inertia and bias to those of its frame, and begin U, M and u of its modes."""
    i, first, two = modals.frame[b], modals.first[b], modals.pair[b]
    n, modal = modals.first[b + 1] - first, space.modal
    R, p, v = read9(motion.R, i), motion.p, motion.v
    spin = transpose_on(R, read3(motion.w, i))
    weight = transpose_on(R, (g[0], g[1], g[2]))
    centre, rate, drawn = deformed(modals, b, p, v)
    inertia = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    # J' w and H' q', and J w + H q'
    turning, moment = NOUGHT, NOUGHT
    for j in range(n):
        k = modals.body[first + j]
        x, xd = p[k, 0], v[k, 0]
        by_one = read6(modals.turning_by, first + j)
        shift, couple = read3(modals.shift, first + j), read3(modals.couple, first + j)
        slope, bent = sym_on(by_one, spin), NOUGHT
        inertia = _plus(inertia, x, by_one)
        for m in range(n):
            row, k = two + j * n + m, modals.body[first + m]
            y, yd = p[k, 0], v[k, 0]
            by_two = read6(modals.turning_by_two, row)
            inertia = _plus(inertia, x * y, by_two)
            slope = plus(slope, 2.0 * y, sym_on(by_two, spin))
            shift = plus(shift, y, read3(modals.centre_by_two, row))
            # H_j changes with q_m by the pair (m, j)
            back = two + m * n + j
            couple = plus(couple, y, read3(modals.couple_by, back))
            turning = plus(turning, xd * yd, read3(modals.couple_by, back))
            bent = plus(bent, yd, read3(modals.gyro, back))
            modal.mass[row] = modals.own[row]
        turning, moment = plus(turning, xd, slope), plus(moment, xd, couple)
        modal.u[first + j] = tau[modals.at_v[first + j]] - (
            -dot(shift, weight) - 0.5 * dot(spin, slope) + 2.0 * dot(spin, bent)
        )
        turns, shifts = mat_on(R, couple), mat_on(R, shift)
        for c in range(3):
            modal.U[first + j, c], modal.U[first + j, 3 + c] = turns[c], shifts[c]
    moment = plus_sym(moment, inertia, spin)
    turning = plus_cross(plus_cross(turning, spin, moment), centre, scaled(-1.0, weight))
    force = plus(centripetal(spin, centre), 2.0, cross(spin, rate))
    force = added(force, drawn)
    add6(space.A, i, turned(R, inertia))
    add9(space.B, i, skew(1.0, mat_on(R, centre)))
    add3(space.n, i, mat_on(R, turning))
    add3(space.f, i, mat_on(R, force))


@inner
def _plus(
    S: tuple[float, float, float, float, float, float],
    x: float,
    T: tuple[float, float, float, float, float, float],
) -> tuple[float, float, float, float, float, float]:
    """S + x T."""
    return (
        S[0] + x * T[0], S[1] + x * T[1], S[2] + x * T[2],
        S[3] + x * T[3], S[4] + x * T[4], S[5] + x * T[5],
    )  # fmt: skip


@inner
def hand_to_modes(modals: Modals, k: int, i: int, space: Workspace) -> None:
    """Add what a node carries, at its acceleration at constant rates, to the modes of its body."""
    b, at = modals.node_of[k], modals.node_first[k]
    first, two = modals.first[b], modals.pair[b]
    n, modal, arm = modals.first[b + 1] - first, space.modal, read3(space.r, i)
    A, B, M = read6(space.A, i), read9(space.B, i), read6(space.M, i)
    turning, shifting = read3(space.c, i), _second(space.c, i)
    couple = plus_mat(plus_sym(read3(space.n, i), A, turning), B, shifting)
    force = plus_sym(plus_transpose(read3(space.f, i), B, turning), M, shifting)
    for j in range(n):
        t, s = read3(modal.partial, at + j), _second(modal.partial, at + j)
        on_turn = plus_mat(sym_on(A, t), B, s)
        on_shift = plus_sym(transpose_on(B, t), M, s)
        modal.u[first + j] -= plus_dot(dot(t, couple), s, force)
        shifted = plus_cross(on_turn, arm, on_shift)
        for c in range(3):
            modal.U[first + j, c] += shifted[c]
            modal.U[first + j, 3 + c] += on_shift[c]
        for m in range(n):
            t, s = read3(modal.partial, at + m), _second(modal.partial, at + m)
            modal.mass[two + j * n + m] += plus_dot(dot(t, on_turn), s, on_shift)


@inner
def _second(rows: Array, i: int) -> Three:
    """The latter three of a row of six."""
    return rows[i, 3], rows[i, 4], rows[i, 5]


@inner
def factor_modes(modals: Modals, b: int, space: Workspace) -> bool:
    """Factor the mass of a body's modes, M = L L^T, and take them out of its frame's inertia and bias; whether they have mass."""
    i, first, two = modals.frame[b], modals.first[b], modals.pair[b]
    n, L, u, U = modals.first[b + 1] - first, space.modal.mass, space.modal.u, space.modal.U
    for j in range(n):
        for m in range(j + 1):
            left = L[two + j * n + m]
            for k in range(m):
                left -= L[two + j * n + k] * L[two + m * n + k]
            if m < j:
                L[two + j * n + m] = left / L[two + m * n + m]
            elif left > 1e-14 * L[two + j * n + j]:
                L[two + j * n + j] = math.sqrt(left)
            else:
                return False
    # U and u by L^-1: what is left is sums of outer products
    for j in range(n):
        for m in range(j):
            below = L[two + j * n + m]
            u[first + j] -= below * u[first + m]
            for c in range(6):
                U[first + j, c] -= below * U[first + m, c]
        own = L[two + j * n + j]
        u[first + j] /= own
        for c in range(6):
            U[first + j, c] /= own
        t, s = read3(U, first + j), _second(U, first + j)
        add6(space.A, i, (
            -t[0] * t[0], -t[1] * t[1], -t[2] * t[2], -t[0] * t[1], -t[0] * t[2], -t[1] * t[2]
        ))  # fmt: skip
        add6(space.M, i, (
            -s[0] * s[0], -s[1] * s[1], -s[2] * s[2], -s[0] * s[1], -s[0] * s[2], -s[1] * s[2]
        ))  # fmt: skip
        add9(space.B, i, (
            -t[0] * s[0], -t[0] * s[1], -t[0] * s[2],
            -t[1] * s[0], -t[1] * s[1], -t[1] * s[2],
            -t[2] * s[0], -t[2] * s[1], -t[2] * s[2],
        ))  # fmt: skip
        add3(space.n, i, scaled(u[first + j], t))
        add3(space.f, i, scaled(u[first + j], s))
    return True


@inner
def modes_moved(
    modals: Modals, b: int, space: Workspace, u: Array, alpha: Three, acc: Three, rates: Array
) -> None:
    """Write the rates of a body's modes: M^-1 (u - U^T a), with U and u by L^-1 already."""
    first, two = modals.first[b], modals.pair[b]
    n, L, U = modals.first[b + 1] - first, space.modal.mass, space.modal.U
    for j in range(n - 1, -1, -1):
        t, s = read3(U, first + j), _second(U, first + j)
        left = u[first + j] - plus_dot(dot(t, alpha), s, acc)
        for m in range(j + 1, n):
            left -= L[two + m * n + j] * rates[modals.at_v[first + m]]
        rates[modals.at_v[first + j]] = left / L[two + j * n + j]


@inner
def node_moved(
    modals: Modals, k: int, space: Workspace, rates: Array, alpha: Three, acc: Three
) -> tuple[Three, Three]:
    """A node's acceleration with that of its modes."""
    b, at = modals.node_of[k], modals.node_first[k]
    first = modals.first[b]
    for j in range(modals.first[b + 1] - first):
        rate = rates[modals.at_v[first + j]]
        alpha = plus(alpha, rate, read3(space.modal.partial, at + j))
        acc = plus(acc, rate, _second(space.modal.partial, at + j))
    return alpha, acc


@inner
def push_modes(
    modals: Modals, k: int, space: Workspace, n: Array, f: Array, i: int, u: Array
) -> None:
    """Add a load on a node, as a bias, to what drives the modes of its body."""
    b, at = modals.node_of[k], modals.node_first[k]
    first = modals.first[b]
    couple, force = read3(n, i), read3(f, i)
    for j in range(modals.first[b + 1] - first):
        t, s = read3(space.modal.partial, at + j), _second(space.modal.partial, at + j)
        u[first + j] -= plus_dot(dot(t, couple), s, force)


@inner
def pass_modes(modals: Modals, b: int, space: Workspace, n: Array, f: Array, u: Array) -> None:
    """Take added loads on modes by L^-1, and hand to the frame what they leave there."""
    i, first, two = modals.frame[b], modals.first[b], modals.pair[b]
    count, L, U = modals.first[b + 1] - first, space.modal.mass, space.modal.U
    for j in range(count):
        for m in range(j):
            u[first + j] -= L[two + j * count + m] * u[first + m]
        u[first + j] /= L[two + j * count + j]
        add3(n, i, scaled(u[first + j], read3(U, first + j)))
        add3(f, i, scaled(u[first + j], _second(U, first + j)))
