"""Couplings: a coordinate of a joint is a function of another's, as in gears, racks, screws, belts and tables.

The row of `q_b = f(q_a)` asks `q_b'' - f' q_a'' - f'' q_a'^2 = 0`. The rate of a turn is `e . (w_i - w_m)`, that of a
slide `e . (v_i - v_m - w_m x r)`; its growth is that of these accelerations, less `e . w_m x (w_m x r)` for a slide.
So the row's load is a torque about the axis, or a force along it, between each body and the one that carries it.
"""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row, take_part
from solver.engine.dynamics.tree import SLIDE, TURN, Array, IntArray, Motion, Tree
from solver.engine.forces.points import spin_of
from solver.engine.jit.kernels import inner, separate, struct
from solver.engine.maths.profile import Profiles, profile_at
from solver.engine.maths.spatial import (
    NOUGHT,
    centripetal,
    cross,
    dot,
    less,
    mat_on,
    read3,
    read9,
    scaled,
)

FIRST, SECOND, RATE, RATIO, COUPLING_SEEN = range(5)
"""What is seen of a coupling: both coordinates, the second's rate, and f' there; and how many."""


@struct
class Couplings(NamedTuple):
    """Hold couplings by the bodies of both axes; the second coordinate is the profile of the first, plus `offset`.

    `row` takes the number of the row, -1 while there is none: an axis whose joint has broken is none.
    """

    a: IntArray
    b: IntArray
    offset: Array
    row: IntArray
    seen: Array
    profiles: Profiles


@inner
def _take_axis(rows: Rows, tree: Tree, motion: Motion, r: int, s: int, i: int, part: float) -> None:
    """Let the rate of an axis take part in a row by a factor."""
    m, axis = tree.parent[i], read3(tree.axis, i)
    if tree.kind[i] == TURN:
        along = scaled(part, mat_on(read9(motion.R, i), axis))
        take_part(rows, motion, r, s, i, along, NOUGHT)
        take_part(rows, motion, r, s + 1, m, scaled(-1.0, along), NOUGHT)
        return
    along = scaled(part, mat_on(read9(motion.R, m), axis) if m >= 0 else axis)
    take_part(rows, motion, r, s, i, NOUGHT, along)
    if m >= 0:
        arm = less(read3(motion.p, i), read3(motion.p, m))
        take_part(rows, motion, r, s + 1, m, cross(along, arm), scaled(-1.0, along))
        rows.bias[r] -= dot(along, centripetal(spin_of(motion, m), arm))


@separate
def coupling_rows(
    couplings: Couplings, tree: Tree, motion: Motion, q: Array, v: Array, rows: Rows
) -> None:
    """Add the rows of all couplings."""
    for n in range(len(couplings.a)):
        couplings.row[n] = -1
        a, b = couplings.a[n], couplings.b[n]
        if tree.kind[a] > SLIDE or tree.kind[b] > SLIDE:
            continue
        x, u = q[tree.at_q[a]], v[tree.at_v[a]]
        f, slope, bend = profile_at(couplings.profiles, n, x, x)
        seen = couplings.seen[n]
        seen[FIRST], seen[SECOND], seen[RATE] = x, q[tree.at_q[b]], v[tree.at_v[b]]
        seen[RATIO] = slope
        r = new_row(rows)
        couplings.row[n] = r
        _take_axis(rows, tree, motion, r, 0, b, 1.0)
        _take_axis(rows, tree, motion, r, 2, a, -slope)
        rows.error[r] = seen[SECOND] - f - couplings.offset[n]
        rows.bias[r] -= bend * u * u
