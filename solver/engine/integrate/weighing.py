"""Energy and momenta of trees, as steps that keep them see them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import (
    FREE,
    Array,
    IntArray,
    Motion,
    Tree,
    Workspace,
    kinetic_energy,
    weight_energy,
)
from solver.engine.forces.system import IN_JOINTS, IN_SPRINGS
from solver.engine.jit.kernels import inner, separate, struct
from solver.engine.maths.spatial import (
    Three,
    added,
    cross,
    dot,
    less,
    mat_on,
    plus,
    plus_cross,
    read3,
    read6,
    read9,
    scaled,
    sym_on,
    transpose_on,
)

(
    REFERENCE, KINETIC, POTENTIAL, IN_JOINTS_NOW, IN_SPRINGS_NOW, IN_JOINTS_FIRST, IN_SPRINGS_FIRST, BALANCE_NUMBERS,
) = range(8)  # fmt: skip
"""Entries of `numbers`: what energy less the work of loads is to be; kinetic and potential energy as last seen; what joints and
springs hold, now and at the very start."""


@struct
class Balance(NamedTuple):
    """Energy and momenta of the trees: one row for all that are free together, as springs may join them; none where all are hung.

    `root` is 0 for their bodies, -1 for others. `start` has momenta at the start of the step, `wanted` those at its end,
    `now` those last seen, and `push` what they gain in a second: momentum, then about the ground's origin.
    `inertia` has the moments about the centre (nine numbers).
    """

    root: IntArray
    numbers: Array
    start: Array
    wanted: Array
    push: Array
    now: Array
    mass: Array
    centre: Array
    inertia: Array


def make_balance(tree: Tree, used: bool) -> Balance:
    """Make room for one tree; none where the method is another."""
    roots = np.full(len(tree.parent) if used else 0, -1, np.int64)
    count = 0
    for i in range(len(roots)):
        m = tree.parent[i]
        if m >= 0:
            roots[i] = roots[m]
        elif tree.kind[i] == FREE:
            roots[i], count = 0, 1
    start, wanted, push, now = (np.zeros((count, 6)) for _ in range(4))
    return Balance(
        roots, np.zeros(BALANCE_NUMBERS), start, wanted, push, now,
        np.zeros(count), np.zeros((count, 3)), np.zeros((count, 9)),
    )  # fmt: skip


@separate
def weigh(
    balance: Balance, tree: Tree, motion: Motion, space: Workspace, gravity: Array, held: Array
) -> None:
    """Find energies, momenta and what changes these at the state just evaluated."""
    numbers, now, push = balance.numbers, balance.now, balance.push
    numbers[KINETIC] = kinetic_energy(tree, motion)
    numbers[POTENTIAL] = weight_energy(tree, motion, gravity)
    for k in range(len(held)):
        numbers[POTENTIAL] += held[k]
    numbers[IN_JOINTS_NOW], numbers[IN_SPRINGS_NOW] = held[IN_JOINTS], held[IN_SPRINGS]
    now[:] = 0.0
    push[:] = 0.0
    balance.mass[:] = 0.0
    balance.centre[:] = 0.0
    balance.inertia[:] = 0.0
    for i in range(len(tree.parent)):
        r = balance.root[i]
        if r >= 0:
            balance.mass[r] += tree.mass[i]
            place = added(read3(motion.p, i), mat_on(read9(motion.R, i), read3(tree.centre, i)))
            for k in range(3):
                balance.centre[r, k] += tree.mass[i] * place[k]
    for r in range(len(balance.mass)):
        for k in range(3):
            balance.centre[r, k] /= balance.mass[r]
    for i in range(len(tree.parent)):
        if balance.root[i] >= 0:
            _add(balance, tree, motion, space, i)


@inner
def _add(balance: Balance, tree: Tree, motion: Motion, space: Workspace, i: int) -> None:
    """Add the momenta of a body, and its part of the inertia."""
    r, mass, turn = balance.root[i], tree.mass[i], read9(motion.R, i)
    own, spin, alpha = read6(tree.inertia, i), read3(motion.w, i), read3(space.alpha, i)
    arm = mat_on(turn, read3(tree.centre, i))
    place = added(read3(motion.p, i), arm)
    speed = plus_cross(read3(motion.v, i), spin, arm)
    gain = plus_cross(plus_cross(read3(space.acc, i), alpha, arm), spin, cross(spin, arm))
    about = mat_on(turn, sym_on(own, transpose_on(turn, spin)))
    more = plus_cross(mat_on(turn, sym_on(own, transpose_on(turn, alpha))), spin, about)
    _join(balance.now[r], mass, place, speed, about)
    _join(balance.push[r], mass, place, gain, more)
    apart = less(place, read3(balance.centre, r))
    for k in range(3):
        one = (1.0 if k == 0 else 0.0, 1.0 if k == 1 else 0.0, 1.0 if k == 2 else 0.0)
        row = mat_on(turn, sym_on(own, transpose_on(turn, one)))
        row = plus(plus(row, mass * dot(apart, apart), one), -mass * apart[k], apart)
        for c in range(3):
            balance.inertia[r, 3 * k + c] += row[c]


@inner
def _join(row: Array, mass: float, place: Three, speed: Three, about: Three) -> None:
    turned = plus_cross(about, scaled(mass, place), speed)
    for k in range(3):
        row[k] += mass * speed[k]
        row[3 + k] += turned[k]
