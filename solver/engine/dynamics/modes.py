"""Bodies that bend by shape functions in a floating frame: their constants, and how their nodes move.

A modal body stands on one body of the tree, its frame. Each of its modes has a body of its own without mass, whose
place holds the amplitude along x and whose velocity its rate: so a mode has a coordinate and a speed like any axis. Each
node at which others hold is a body, too, locked to the frame, which the modes displace. With amplitudes q,

    c(q) = c0 + sum Phi_j q_j + 1/2 sum g_jl q_j q_l (+ 1/6 sum h_jlm q_j q_l q_m of nodes),   turn of a node: exp(sum Psi_j q_j)

in axes of the frame. The second-order displacement g (for a beam, by how much bending draws its points nearer) is what makes
a pulled or turning body stiff: with it in the kinematics, geometric stiffness against all loads follows from the equations of motion
(Wallrapp and Schwertassek, Dynamik flexibler Mehrkoerpersysteme, 1999; docs/engine.md, Modal bodies).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.jit.kernels import inlined, inner, separate, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    Matrix,
    Table,
    Three,
    added,
    cross,
    dot,
    mat_on,
    plus,
    plus_cross,
    plus_sym,
    read3,
    read6,
    read9,
    scaled,
    transpose_on,
)

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]

PLAIN, FRAME, MODE, NODE = range(4)
"""What a body of the tree is to a modal body: nothing, its frame, one of its modes, one of its nodes."""


@struct
class Modals(NamedTuple):
    """The constants of all modal bodies, in axes of their frames about the frames' origins.

    Of modal body b the modes are rows `first[b]` to `first[b + 1]`, and pairs of modes (j, l) rows
    `pair[b] + j n + l`. `role` and `row` say of each body of the tree what it is and which.
    The tree has the body at rest as mass of the frame; here stands what modes change. Of a mode j the moments S_j (sum of
    m Phi) and H_j (of m c x Phi) and the change `turning_by` of the inertia; of a pair the second-order parts of the first moment
    (`centre_by_two`), of H (`couple_by`: of m (Phi_j x Phi_l + c x g_jl) for H_l by q_j; `gyro`: of m Phi_j x Phi_l alone),
    and of the inertia (`turning_by_two`); generalised mass, stiffness, damping.
    Nodes: the modal body, and from `node_first` for each mode Phi and Psi, from `node_pair` for each pair g, from
    `node_triple` for each three of the first `node_bent` modes h.
    """

    frame: IntArray
    role: IntArray
    row: IntArray
    first: IntArray
    pair: IntArray
    body: IntArray
    at_q: IntArray
    at_v: IntArray
    shift: Array
    couple: Array
    turning_by: Array
    centre_by_two: Array
    couple_by: Array
    gyro: Array
    turning_by_two: Array
    own: Array
    stiffness: Array
    damping: Array
    node_of: IntArray
    node_first: IntArray
    node_pair: IntArray
    node_triple: IntArray
    node_bent: IntArray
    node_shift: Array
    node_turn: Array
    node_by_two: Array
    node_by_three: Array


@struct
class ModalSpace(NamedTuple):
    """What the method needs for modes on its way: of each mode the force on the frame by its rate (U, six) and what drives it (u).

    The factor L of the modes' mass with all that nodes carry; a node's motion by each mode (turning, shifting; ground axes).
    """

    U: Array
    u: Array
    mass: Array
    partial: Array


def make_modal_space(modals: Modals) -> ModalSpace:
    """Make the workspace."""
    n = len(modals.body)
    return ModalSpace(
        np.zeros((n, 6)),
        np.zeros(n),
        np.zeros(len(modals.own)),
        np.zeros((len(modals.node_shift), 6)),
    )


def no_modals(bodies: int) -> Modals:
    """Describe a tree without modal bodies."""
    some, none, one = np.zeros(bodies, np.int64), np.zeros(0, np.int64), np.zeros(1, np.int64)
    three, six, flat = np.zeros((0, 3)), np.zeros((0, 6)), np.zeros(0)
    return Modals(
        none, some, some.copy(), one, one.copy(), none, none, none, three, three, six,
        three, three, three, six, flat, flat, flat, none, one.copy(), one.copy(), one.copy(), none, three, three, three, three,
    )  # fmt: skip


def amplitudes(modals: Modals, motion_p: Array) -> Array:
    """Give the amplitudes of all modes from the places of their bodies."""
    out: Array = motion_p[modals.body, 0]
    return out


# Turns by a rotation vector, and what its rate gives.


@inlined
def _factors(square: float) -> tuple[float, float, float, float, float]:
    """Give sin(a)/a, (1 - cos a)/a^2, (a - sin a)/a^3, and the slopes of the latter two by half the square."""
    if square < 0.04:
        s = 1.0 - square * (1 / 6 - square * (1 / 120 - square * (1 / 5040 - square / 362880)))
        a = 0.5 - square * (1 / 24 - square * (1 / 720 - square * (1 / 40320 - square / 3628800)))
        b = 1 / 6 - square * (1 / 120 - square * (1 / 5040 - square / 362880))
        da = -1 / 12 + square * (1 / 180 - square * (1 / 6720 - square / 453600))
        db = -1 / 60 + square * (1 / 1260 - square * (1 / 60480 - square / 4989600))
        return s, a, b, da, db
    angle = math.sqrt(square)
    s, c = math.sin(angle) / angle, math.cos(angle)
    a, b = (1.0 - c) / square, (1.0 - s) / square
    return s, a, b, (s - 2.0 * a) / square, (a - 3.0 * b) / square


@inlined
def _turn_of(t: Three) -> Matrix:
    """The turn by a rotation vector."""
    s, a, _, _, _ = _factors(dot(t, t))
    x, y, z = t
    c = 1.0 - a * dot(t, t)
    return (
        c + a * x * x, a * x * y - s * z, a * x * z + s * y,
        a * x * y + s * z, c + a * y * y, a * y * z - s * x,
        a * x * z - s * y, a * y * z + s * x, c + a * z * z,
    )  # fmt: skip


@inlined
def _spin_of(t: Three, rate: Three) -> Three:
    """The angular velocity, outer axes, of a turn whose rotation vector changes."""
    _, a, b, _, _ = _factors(dot(t, t))
    crossed = cross(t, rate)
    return plus(plus(rate, a, crossed), b, cross(t, crossed))


@inlined
def _spin_bias(t: Three, rate: Three) -> Three:
    """The angular acceleration of such a turn at a constant rate of the vector."""
    _, _, b, da, db = _factors(dot(t, t))
    crossed, along = cross(t, rate), dot(t, rate)
    out = plus(scaled(da * along, crossed), db * along, cross(t, crossed))
    return plus(out, b, cross(rate, crossed))


# How nodes move.


@inlined
def _by_three(modals: Modals, k: int, j: int, m: int, q: Array, at: IntArray) -> Three:
    """How the displacement of a node by two modes changes with all: sum h_jmi q_i. `at` says of each mode where in q it stands."""
    n, first, out = modals.node_bent[k], modals.first[modals.node_of[k]], NOUGHT
    if j < n and m < n:
        row = modals.node_triple[k] + (j * n + m) * n
        for i in range(n):
            out = plus(out, q[at[first + i]], read3(modals.node_by_three, row + i))
    return out


@inlined
def node_place(modals: Modals, k: int, q: Array) -> tuple[Three, Three]:
    """A node's displacement and rotation vector, axes of the frame."""
    b, at, two = modals.node_of[k], modals.node_first[k], modals.node_pair[k]
    first = modals.first[b]
    n = modals.first[b + 1] - first
    shift, turn = NOUGHT, NOUGHT
    for j in range(n):
        x = q[modals.at_q[first + j]]
        shift = plus(shift, x, read3(modals.node_shift, at + j))
        turn = plus(turn, x, read3(modals.node_turn, at + j))
        for m in range(n):
            y = q[modals.at_q[first + m]]
            g, h = (
                read3(modals.node_by_two, two + j * n + m),
                _by_three(modals, k, j, m, q, modals.at_q),
            )
            shift = plus(shift, 0.5 * x * y, plus(g, 1.0 / 3.0, h))
    return shift, turn


@inlined
def node_speed(modals: Modals, k: int, q: Array, v: Array) -> tuple[Three, Three]:
    """A node's velocity and angular velocity against the frame, axes of the frame."""
    b, at, two = modals.node_of[k], modals.node_first[k], modals.node_pair[k]
    first = modals.first[b]
    n = modals.first[b + 1] - first
    speed, turn, rate = NOUGHT, NOUGHT, NOUGHT
    for j in range(n):
        x, xd = q[modals.at_q[first + j]], v[modals.at_v[first + j]]
        speed = plus(speed, xd, read3(modals.node_shift, at + j))
        turn = plus(turn, x, read3(modals.node_turn, at + j))
        rate = plus(rate, xd, read3(modals.node_turn, at + j))
        for m in range(n):
            yd = v[modals.at_v[first + m]]
            g, h = (
                read3(modals.node_by_two, two + j * n + m),
                _by_three(modals, k, j, m, q, modals.at_q),
            )
            speed = plus(speed, x * yd, plus(g, 0.5, h))
    return speed, _spin_of(turn, rate)


@inlined
def turned_by(turn: Three) -> Matrix:
    """The turn by a node's rotation vector."""
    return _turn_of(turn)


@inner
def node_motion(
    modals: Modals, k: int, R: Matrix, p: Array, v: Array, spin: Three, space: ModalSpace
) -> tuple[Three, Three]:
    """Write a node's motion by each mode, and give its angular and linear acceleration at constant rates, ground axes.

    `p` and `v` are places and velocities of all bodies, which hold amplitudes and their rates.
    """
    b, at, two = modals.node_of[k], modals.node_first[k], modals.node_pair[k]
    first = modals.first[b]
    n = modals.first[b + 1] - first
    turn, rate, speed, drawn, q = NOUGHT, NOUGHT, NOUGHT, NOUGHT, p[:, 0]
    for j in range(n):
        x, xd = q[modals.body[first + j]], v[modals.body[first + j], 0]
        turn = plus(turn, x, read3(modals.node_turn, at + j))
        rate = plus(rate, xd, read3(modals.node_turn, at + j))
    for j in range(n):
        xd = v[modals.body[first + j], 0]
        own = read3(modals.node_shift, at + j)
        by_two = NOUGHT
        for m in range(n):
            i = modals.body[first + m]
            g, h = (
                read3(modals.node_by_two, two + j * n + m),
                _by_three(modals, k, j, m, q, modals.body),
            )
            own = plus(own, q[i], plus(g, 0.5, h))
            by_two = plus(by_two, v[i, 0], added(g, h))
        speed, drawn = plus(speed, xd, own), plus(drawn, xd, by_two)
        t, s = mat_on(R, _spin_of(turn, read3(modals.node_turn, at + j))), mat_on(R, own)
        for c in range(3):
            space.partial[at + j, c] = t[c]
            space.partial[at + j, 3 + c] = s[c]
    against = mat_on(R, _spin_of(turn, rate))
    turning = plus_cross(mat_on(R, _spin_bias(turn, rate)), spin, against)
    return turning, plus(mat_on(R, drawn), 2.0, cross(spin, mat_on(R, speed)))


# Energy of modal bodies.


@inner
def deformed(modals: Modals, b: int, p: Array, v: Array) -> tuple[Three, Three, Three]:
    """By how much bending changes a body's first moment, its rate, and that at constant rates again; axes of the frame."""
    first, two = modals.first[b], modals.pair[b]
    n = modals.first[b + 1] - first
    centre, rate, drawn = NOUGHT, NOUGHT, NOUGHT
    for j in range(n):
        x, xd = p[modals.body[first + j], 0], v[modals.body[first + j], 0]
        own = read3(modals.shift, first + j)
        centre, rate = plus(centre, x, own), plus(rate, xd, own)
        for m in range(n):
            i = modals.body[first + m]
            g = read3(modals.centre_by_two, two + j * n + m)
            centre = plus(centre, 0.5 * x * p[i, 0], g)
            rate = plus(rate, x * v[i, 0], g)
            drawn = plus(drawn, xd * v[i, 0], g)
    return centre, rate, drawn


@separate
def modal_kinetic(modals: Modals, R: Table, p: Table, w: Table, v: Table) -> float:
    """What bending adds to the kinetic energy of all modal bodies."""
    twice = 0.0
    for b in range(len(modals.frame)):
        i, first, two = modals.frame[b], modals.first[b], modals.pair[b]
        n = modals.first[b + 1] - first
        turn = read9(R, i)
        spin, speed = transpose_on(turn, read3(w, i)), transpose_on(turn, read3(v, i))
        centre, rate, _ = deformed(modals, b, p, v)
        twice += 2.0 * dot(speed, plus_cross(rate, spin, centre))
        moment = NOUGHT
        for j in range(n):
            x, xd = p[modals.body[first + j], 0], v[modals.body[first + j], 0]
            moment = plus(moment, 2.0 * xd, read3(modals.couple, first + j))
            moment = plus_sym(moment, read6(modals.turning_by, first + j), scaled(x, spin))
            for m in range(n):
                k, row = modals.body[first + m], two + j * n + m
                moment = plus_sym(
                    moment, read6(modals.turning_by_two, row), scaled(x * p[k, 0], spin)
                )
                moment = plus(moment, 2.0 * x * v[k, 0], read3(modals.couple_by, row))
                twice += xd * v[k, 0] * modals.own[row]
        twice += dot(spin, moment)
    return 0.5 * twice


@separate
def modal_weight(modals: Modals, R: Table, p: Table, v: Table, g: Array) -> float:
    """What bending adds to the potential energy of the weight of all modal bodies."""
    energy = 0.0
    for b in range(len(modals.frame)):
        i = modals.frame[b]
        centre, _, _ = deformed(modals, b, p, v)
        energy -= dot((g[0], g[1], g[2]), mat_on(read9(R, i), centre))
    return energy


@separate
def modal_forces(modals: Modals, q: Array, v: Array, tau: Array, sums: Array) -> None:
    """Add stiffness and damping of all modes to `tau`; strain energy and the power of both are added to the first two of `sums`."""
    for b in range(len(modals.frame)):
        first, two = modals.first[b], modals.pair[b]
        n = modals.first[b + 1] - first
        for j in range(n):
            back = lost = 0.0
            for m in range(n):
                back += modals.stiffness[two + j * n + m] * q[modals.at_q[first + m]]
                lost += modals.damping[two + j * n + m] * v[modals.at_v[first + m]]
            at = modals.at_v[first + j]
            tau[at] -= back + lost
            sums[0] += 0.5 * back * q[modals.at_q[first + j]]
            sums[1] -= (back + lost) * v[at]
