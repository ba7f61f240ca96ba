"""Rows of the constraints between points: zero and fixed distance, coupled mass (4.3.4, 4.4)."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.points import arm_of, between, unit_vector
from solver.engine.jit.kernels import inlined, inner
from solver.engine.jit.structs import struct
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    centripetal,
    cross,
    dot,
    length,
    less,
    over,
    read3,
    scaled,
)


@struct
class Pairs(NamedTuple):
    """Pairs of points: kept together, at a distance, or coupled by a mass.

    `distance` is zero for points kept together; `mass` couples them without keeping them
    (M_AB of a tension element). `first` takes the number of the first row, `broken` marks those that hold
    nothing any more.
    """

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    distance: Array
    mass: Array
    first: IntArray
    broken: IntArray


@inlined
def inward(motion: Motion, i: int, arm: Three) -> Three:
    """The acceleration of a point at an arm that comes from turning alone."""
    return NOUGHT if i < 0 else centripetal(read3(motion.w, i), arm)


@inner
def tie(
    rows: Rows, motion: Motion, r: int, i: int, j: int, arm_i: Three, arm_j: Three, along: Three
) -> None:
    """Let a row ask for the relative velocity of two points, that of i less that of j, along a direction."""
    take_part(rows, motion, r, 0, i, cross(arm_i, along), along)
    take_part(rows, motion, r, 1, j, cross(along, arm_j), scaled(-1.0, along))


@inner
def pair_rows(pairs: Pairs, motion: Motion, rows: Rows) -> None:
    """Add the rows of all pairs (4.3.4, 4.4)."""
    for n in range(len(pairs.a)):
        if pairs.broken[n]:
            continue
        i, j = pairs.a[n], pairs.b[n]
        arm_i, arm_j = arm_of(motion, i, pairs.at_a, n), arm_of(motion, j, pairs.at_b, n)
        way, rate = between(motion, j, arm_j, i, arm_i)
        turning = less(inward(motion, i, arm_i), inward(motion, j, arm_j))
        pairs.first[n] = rows.used[0]
        if pairs.distance[n] == 0.0:
            for k in range(3):
                r, along = new_row(rows), unit_vector(k)
                tie(rows, motion, r, i, j, arm_i, arm_j, along)
                rows.bias[r] = dot(along, turning)
                rows.error[r] = dot(along, way)
                if pairs.mass[n] > 0.0:
                    rows.soft[r] = -1.0 / pairs.mass[n]
            continue
        far = length(way)
        along = over(way, far)
        opens = dot(along, rate)
        r = new_row(rows)
        tie(rows, motion, r, i, j, arm_i, arm_j, along)
        rows.bias[r] = dot(along, turning) + (dot(rate, rate) - opens * opens) / far
        rows.error[r] = far - pairs.distance[n]


@inner
def coupled_energy(pairs: Pairs, rows: Rows) -> float:
    """Give the kinetic energy of coupled masses beyond that of their ends: -M_AB |b - a|^2 / 2."""
    out = 0.0
    for n in range(len(pairs.a)):
        if pairs.mass[n] > 0.0:
            for k in range(3):
                out -= 0.5 * pairs.mass[n] * rows.speed[pairs.first[n] + k] ** 2
    return out
