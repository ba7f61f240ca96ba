"""Rows of constraints between points: zero and fixed distance, coupled mass (4.3.4, 4.4); of symmetry (5.1).

The plane is parallel to the ground's x and z. The seed averages the accelerations of a pair; the
rows do the same for equal segments and keep places and momentum exact for unequal ones.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.points import arm_of, between, unit_vector
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    added,
    antisymmetric,
    centripetal,
    cross,
    dot,
    length,
    less,
    over,
    product,
    read3,
    read9,
    read_spatial,
    scaled,
    transposed,
)

# Rows of the constraints between points: zero and fixed distance, coupled mass (4.3.4, 4.4).


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


# Rows that keep segments in the plane of symmetry, or pairs of them mirrored (section 5.1).

PLANAR, MIRROR, AVERAGE = range(3)

Centre = tuple[int, Three]
"""A body, and the arm from its origin to its mass centre (ground axes)."""


@struct
class Symmetries(NamedTuple):
    """Hold symmetries: kind, bodies, mass centres, starts of both (places and turns from there).

    `first` takes the numbers of their first rows, and of the one behind the last.
    """

    kind: IntArray
    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    start: Array
    R_a: Array
    R_b: Array
    first: IntArray


@inner
def _one(rows: Rows, motion: Motion, a: Centre, axis: int, error: float) -> None:
    """Forbid a mass centre's velocity along an axis (0 to 2) or a turning about it (3 to 5)."""
    _both(rows, motion, a, a, axis, 0.0, error)


@inner
def _both(
    rows: Rows, motion: Motion, a: Centre, b: Centre, axis: int, factor: float, error: float
) -> None:
    """Ask that a component of a less `factor` times that of b vanishes."""
    r = new_row(rows)
    for s in range(2):
        body, arm = a if s == 0 else b
        part = 1.0 if s == 0 else -factor
        if part == 0.0:
            continue
        along = scaled(part, unit_vector(axis % 3))
        if axis >= 3:
            take_part(rows, motion, r, s, body, along, NOUGHT)
            continue
        take_part(rows, motion, r, s, body, cross(arm, along), along)
        rows.bias[r] += dot(along, inward(motion, body, arm))
    rows.error[r] = error


@inner
def symmetry_rows(symmetries: Symmetries, motion: Motion, rows: Rows) -> None:
    """Add the rows of all symmetries (5.1)."""
    for n in range(len(symmetries.kind)):
        a, b, kind = symmetries.a[n], symmetries.b[n], symmetries.kind[n]
        symmetries.first[n] = rows.used[0]
        arm_a = arm_of(motion, a, symmetries.at_a, n)
        arm_b = arm_of(motion, b, symmetries.at_b, n)
        # how both have moved and turned since the start
        start_a, start_b = read_spatial(symmetries.start, n)
        way_a = added(arm_a, less(read3(motion.p, a), start_a))
        way_b = added(arm_b, less(read3(motion.p, b), start_b))
        A = product(read9(motion.R, a), transposed(read9(symmetries.R_a, n)))
        B = product(read9(motion.R, b), transposed(read9(symmetries.R_b, n)))
        one, other = (a, arm_a), (b, arm_b)
        if kind != MIRROR:
            # the lateral axis of each keeps its direction
            _one(rows, motion, one, 1, way_a[1])
            _one(rows, motion, one, 3, A[7])
            _one(rows, motion, one, 5, -A[1])
        if kind == PLANAR:
            continue
        if kind == AVERAGE:
            _one(rows, motion, other, 1, way_b[1])
            _one(rows, motion, other, 3, B[7])
            _one(rows, motion, other, 5, -B[1])
        else:
            _both(rows, motion, one, other, 1, -1.0, way_a[1] + way_b[1])
            # the mirrored turn of b: signs of x-y and y-z components change
            B = (B[0], -B[1], B[2], -B[3], B[4], -B[5], B[6], -B[7], B[8])
        off = antisymmetric(product(A, transposed(B)))
        if kind == MIRROR:
            _both(rows, motion, one, other, 3, -1.0, off[0])
            _both(rows, motion, one, other, 5, -1.0, off[2])
        _both(rows, motion, one, other, 0, 1.0, way_a[0] - way_b[0])
        _both(rows, motion, one, other, 2, 1.0, way_a[2] - way_b[2])
        _both(rows, motion, one, other, 4, 1.0, off[1])
    symmetries.first[len(symmetries.kind)] = rows.used[0]
