"""Rows that keep segments in the plane of symmetry, or pairs of them mirrored (section 5.1).

The plane is parallel to the ground's x and z. The seed averages the accelerations of a pair; the
rows do the same for equal segments and keep places and momentum exact for unequal ones.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.dynamics.rows import Rows, new_row, set_part
from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.constraints import inward
from solver.forces.points import arm_of, unit
from solver.maths.bundles import bundle
from solver.maths.kernels import inner

PLANAR, MIRROR, AVERAGE = range(3)


@bundle
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
def _one(rows: Rows, motion: Motion, n: int, a: int, at: Array, axis: int, error: float) -> None:
    """Forbid a mass centre's velocity along an axis (0 to 2) or a turning about it (3 to 5)."""
    _both(rows, motion, n, a, a, at, at, axis, 0.0, error)


@inner
def _both(
    rows: Rows, motion: Motion, n: int, a: int, b: int, at_a: Array, at_b: Array,
    axis: int, factor: float, error: float,
) -> None:  # fmt: skip
    """Ask that a component of a less `factor` times that of b vanishes."""
    r = new_row(rows)
    for s in range(2):
        body = a if s == 0 else b
        c = 1.0 if s == 0 else -factor
        if c == 0.0:
            continue
        ex, ey, ez = c * unit(axis % 3, 0), c * unit(axis % 3, 1), c * unit(axis % 3, 2)
        if axis >= 3:
            set_part(rows, motion, r, s, body, ex, ey, ez, 0.0, 0.0, 0.0)
            continue
        x, y, z = arm_of(motion, body, at_a if s == 0 else at_b, n)
        set_part(
            rows, motion, r, s, body,
            y * ez - z * ey, z * ex - x * ez, x * ey - y * ex, ex, ey, ez,
        )  # fmt: skip
        cx, cy, cz = inward(motion, body, x, y, z)
        rows.bias[r] += ex * cx + ey * cy + ez * cz
    rows.error[r] = error


@inner
def _turned(motion: Motion, i: int, start: Array, n: int, out: Array) -> None:
    """Give how a body has turned since the start: R R_start^T."""
    R = motion.R
    for u in range(3):
        for v in range(3):
            s = 0.0
            for k in range(3):
                s += R[i, 3 * u + k] * start[n, 3 * v + k]
            out[u, v] = s


@inner
def symmetry_rows(symmetries: Symmetries, motion: Motion, rows: Rows, space: Array) -> None:
    """Add the rows of all symmetries."""
    A, B, place = space[0], space[1], space[2]
    for n in range(len(symmetries.kind)):
        a, b, kind = symmetries.a[n], symmetries.b[n], symmetries.kind[n]
        symmetries.first[n] = rows.used[0]
        at_a, at_b, start = symmetries.at_a, symmetries.at_b, symmetries.start
        place[0, 0], place[0, 1], place[0, 2] = arm_of(motion, a, at_a, n)
        place[1, 0], place[1, 1], place[1, 2] = arm_of(motion, b, at_b, n)
        for k in range(3):
            place[0, k] += motion.p[a, k] - start[n, k]
            place[1, k] += motion.p[b, k] - start[n, 3 + k]
        _turned(motion, a, symmetries.R_a, n, A)
        _turned(motion, b, symmetries.R_b, n, B)
        if kind != MIRROR:
            # the lateral axis of each keeps its direction
            _one(rows, motion, n, a, at_a, 1, place[0, 1])
            _one(rows, motion, n, a, at_a, 3, A[2, 1])
            _one(rows, motion, n, a, at_a, 5, -A[0, 1])
        if kind == PLANAR:
            continue
        if kind == AVERAGE:
            _one(rows, motion, n, b, at_b, 1, place[1, 1])
            _one(rows, motion, n, b, at_b, 3, B[2, 1])
            _one(rows, motion, n, b, at_b, 5, -B[0, 1])
        else:
            _both(rows, motion, n, a, b, at_a, at_b, 1, -1.0, place[0, 1] + place[1, 1])
            # the mirrored turn of b: signs of x-y and y-z components change
            for u in range(3):
                B[u, 1], B[1, u] = (B[u, 1], B[1, u]) if u == 1 else (-B[u, 1], -B[1, u])
            _both(rows, motion, n, a, b, at_a, at_b, 3, -1.0, _between(A, B, 0))
            _both(rows, motion, n, a, b, at_a, at_b, 5, -1.0, _between(A, B, 2))
        _both(rows, motion, n, a, b, at_a, at_b, 0, 1.0, place[0, 0] - place[1, 0])
        _both(rows, motion, n, a, b, at_a, at_b, 2, 1.0, place[0, 2] - place[1, 2])
        _both(rows, motion, n, a, b, at_a, at_b, 4, 1.0, _between(A, B, 1))
    symmetries.first[len(symmetries.kind)] = rows.used[0]


@inner
def _between(A: Array, B: Array, i: int) -> float:
    """Give component i of the small turn from B to A."""
    u, v = (i + 1) % 3, (i + 2) % 3
    out = 0.0
    for k in range(3):
        out += 0.5 * (A[v, k] * B[u, k] - A[u, k] * B[v, k])
    return out
