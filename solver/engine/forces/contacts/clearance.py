"""Pairs that are clearly apart, and stay so while their bodies have not moved by what lies between.

A pair that was looked at had a gap. Since then no point of a body has moved by more than its origin has and
its turn lets its farthest point move; what all bodies have moved together does not count. So a pair of
surfaces need not be looked at again until both have moved by as much as the gap. Nothing is left to chance:
what is kept is a bound from below, and what is passed over could not have touched.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.jit.kernels import inlined, inner
from solver.engine.jit.structs import struct
from solver.engine.maths.copying import copy_rows
from solver.engine.maths.spatial import NOUGHT, added, length, less, over, read3

RENEWED = 0.02
"""Way (m) of a body after which all begin again from where they are."""


@struct
class Clearance(NamedTuple):
    """Hold gaps of pairs, and how far bodies have moved since they were measured.

    `bodies` have surfaces in pairs, and `reach` from their origins; `place` and `turn` are their poses of then,
    `moved` the way of their farthest points since, that of the ground last. `first` and `second` are a
    pair's rows of these, `gap` is what lies at least between them at those poses, below zero where that is
    not known.
    """

    bodies: IntArray
    reach: Array
    place: Array
    turn: Array
    moved: Array
    first: IntArray
    second: IntArray
    gap: Array


def make_clearance(bodies: IntArray, reach: Array, first: IntArray, second: IntArray) -> Clearance:
    """Begin with nothing known."""
    n = len(bodies)
    place, turn = np.zeros((n, 3)), np.zeros((n, 9))
    return Clearance(
        bodies, reach, place, turn, np.zeros(n + 1), first, second, np.full(len(first), -1.0)
    )


@inner
def follow_bodies(clearance: Clearance, motion: Motion) -> None:
    """Measure how far all bodies have moved beside their common way."""
    bodies, place, turn, moved = (
        clearance.bodies, clearance.place, clearance.turn, clearance.moved
    )  # fmt: skip
    n, common = len(bodies), NOUGHT
    for k in range(n):
        common = added(common, less(read3(motion.p, bodies[k]), read3(place, k)))
    if n:
        common = over(common, n)
    most = 0.0
    for k in range(n):
        i, twist = bodies[k], 0.0
        for c in range(9):
            twist += (motion.R[i, c] - turn[k, c]) ** 2
        own = less(less(read3(motion.p, i), read3(place, k)), common)
        # a turn by an angle moves a unit vector by 2 sin(angle / 2), and its matrix by sqrt(2) times that
        moved[k] = length(own) + clearance.reach[k] * math.sqrt(0.5 * twist)
        most = max(most, moved[k])
    moved[n] = length(common)
    if not most < RENEWED:
        for k in range(n):
            i = bodies[k]
            copy_rows(place[k : k + 1], motion.p[i : i + 1])
            copy_rows(turn[k : k + 1], motion.R[i : i + 1])
        moved[:] = 0.0
        clearance.gap[:] = -1.0


@inlined
def what_is_left(clearance: Clearance, k: int) -> float:
    """The least gap that a pair can have by now; below zero where it must be looked at."""
    return float(
        clearance.gap[k]
        - clearance.moved[clearance.first[k]]
        - clearance.moved[clearance.second[k]]
    )


@inlined
def keep_gap(clearance: Clearance, k: int, gap: float) -> None:
    """Keep the gap of a pair that has just been looked at."""
    clearance.gap[k] = (
        gap - clearance.moved[clearance.first[k]] - clearance.moved[clearance.second[k]]
    )
