"""Closures of loops as joints are: a frame B that a frame A holds, by components of its place and of its turn.

Where B's origin stands along an axis e of A is a row as that of a driver (`drivers.py`), with nothing wanted. Two
directions a and b, one fixed in each body, stay square by `a . b = 0`, whose rate is `(w_A - w_B) . (a x b)`. Of such
rows are parallel axes (two), turns alike (three), and the cross of a universal joint (one).
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.constraints import inward, tie
from solver.engine.forces.points import arm_of, axes_of, between, spin_of
from solver.engine.jit.kernels import inner, separate, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    added,
    cross,
    dot,
    less,
    plus,
    scaled,
)

TURNS_FREE, TURNS_PARALLEL, TURNS_ALIKE, TURNS_CROSSED = range(4)
"""How B is turned from A: as it likes, with z axes along each other, not at all, or with A's x square to B's y."""

CLOSED_WAY, CLOSED_ANGLE, CLOSED_SEEN = 0, 3, 4
"""What is seen of a closure: where B stands in A's axes, how far it is turned about A's z; and how many."""


@struct
class Closures(NamedTuple):
    """Hold frames B against A: which components of B's place, along A's axes, are held, and how turns are.

    `first` takes the numbers of the first row, of the first that holds a turn, and of the one behind the last.
    """

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    R_a: Array
    R_b: Array
    ways: IntArray
    turns: IntArray
    first: IntArray
    seen: Array


@inner
def square(rows: Rows, motion: Motion, i: int, j: int, one: Three, other: Three) -> None:
    """Let a direction fixed in body i stay square to one fixed in body j."""
    r, about = new_row(rows), cross(one, other)
    take_part(rows, motion, r, 0, i, about, NOUGHT)
    take_part(rows, motion, r, 1, j, scaled(-1.0, about), NOUGHT)
    spin_i, spin_j = spin_of(motion, i), spin_of(motion, j)
    grows = added(cross(cross(spin_i, one), other), cross(one, cross(spin_j, other)))
    rows.error[r], rows.bias[r] = dot(one, other), dot(less(spin_i, spin_j), grows)


@separate
def closure_rows(closures: Closures, motion: Motion, rows: Rows) -> None:
    """Add the rows of all closures: forces first, then torques."""
    for n in range(len(closures.a)):
        i, j, seen = closures.a[n], closures.b[n], closures.seen[n]
        arm_i, arm_j = arm_of(motion, i, closures.at_a, n), arm_of(motion, j, closures.at_b, n)
        way, rate = between(motion, i, arm_i, j, arm_j)
        x, y, z = axes_of(motion, i, closures.R_a, n)
        ahead, aside, along = axes_of(motion, j, closures.R_b, n)
        spin, arm_i = spin_of(motion, i), added(arm_i, way)
        rate = less(rate, cross(spin, way))
        # the acceleration of A's point at B's origin against that, as far as turning alone makes it
        lift = less(inward(motion, i, arm_i), inward(motion, j, arm_j))
        lift = plus(lift, 2.0, cross(spin, rate))
        closures.first[n, 0] = rows.used[0]
        for k in range(3):
            e = x if k == 0 else y if k == 1 else z
            seen[CLOSED_WAY + k] = dot(e, way)
            if closures.ways[n, k]:
                r = new_row(rows)
                tie(rows, motion, r, i, j, arm_i, arm_j, e)
                rows.error[r], rows.bias[r] = -seen[CLOSED_WAY + k], dot(e, lift)
        closures.first[n, 1] = rows.used[0]
        turns = closures.turns[n]
        seen[CLOSED_ANGLE] = math.atan2(dot(y, ahead), dot(x, ahead))
        if turns in (TURNS_PARALLEL, TURNS_ALIKE):
            square(rows, motion, i, j, x, along)
            square(rows, motion, i, j, y, along)
        if turns in (TURNS_ALIKE, TURNS_CROSSED):
            square(rows, motion, i, j, x, aside)
        closures.first[n, 2] = rows.used[0]
