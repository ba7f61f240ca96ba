"""How forces and gaps of straps change as points move and webbing is fed: entries of a row."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.forces.straps.arrays import (
    E1,
    E2,
    JUNCTION,
    LENGTH,
    SLOPE,
    STRAIN,
    SURFACE,
    N,
    Straps,
)
from solver.engine.forces.straps.shape import axis_of
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.spatial import (
    NOUGHT,
    Three,
    added,
    dot,
    each,
    less,
    plus,
    read3,
    read9,
    scaled,
    transpose_on,
)


class Trial(NamedTuple):
    """How a round of Newton's method goes.

    `per_s` is one over the time since the memory; `rounding` how round corners are (N), `damping` the stiffness that
    slows points down, `slowing` what slows everything down, in parts of its own stiffness. `changes` asks how rows
    change, too.
    """

    per_s: float
    rounding: float
    damping: float
    slowing: float
    changes: bool


@inner
def _column(straps: Straps, row: int, j: int, by: Three, feed: float) -> None:
    """Enter what a row gains by the motion of point j and by the webbing fed through it."""
    memory, work = straps.memory, straps.workspace
    a, u = work.matrix, memory.unknown[j]
    work.residual_rate[row] += dot(by, read3(work.speed, j))
    if u < 0:
        return
    kind = straps.model.kind[j]
    if kind == JUNCTION:
        for n in range(3):
            a[row, u + n] += by[n]
    elif kind == SURFACE:
        a[row, u] += dot(axis_of(straps, j, E1), by)
        a[row, u + 1] += dot(axis_of(straps, j, E2), by) if memory.marks[j] else feed
        a[row, u + 2] += dot(axis_of(straps, j, N), by)
    else:
        a[row, u] += feed


@inner
def force_row(straps: Straps, trial: Trial, row: int, k: int, d: Three) -> None:
    """Enter how d . f changes, f being the force of webbing on point k (of a junction: one strap's)."""
    memory, work = straps.memory, straps.workspace
    if not trial.changes:
        return
    before, after = memory.left[k], memory.right[k]
    own = NOUGHT
    left = right = 0.0
    for side in range(2):
        j = before if side == 0 else k
        if (before if side == 0 else after) < 0:
            continue
        piece = read3(work.axis, j)
        along = dot(piece, d)
        turn, stretch = work.turns[j], work.stretches[j]
        by = plus(scaled(turn, d), (stretch - turn) * along, piece)
        feed = work.feeds[j] * along
        own = less(own, by)
        if side == 1:
            # piece k grows by what its first point feeds, and shrinks by what the other does
            right -= feed
            _column(straps, row, after, by, feed)
        else:
            left += feed
            _column(straps, row, before, by, feed)
    _column(straps, row, k, own, right - left)


@inner
def feed_row(
    straps: Straps, trial: Trial, row: int, k: int, ahead: float, behind: float, loose: bool
) -> None:
    """Enter how ahead T_k - behind T_left changes for webbing fed through point k.

    Where it may be `loose`, tension goes on below zero.
    """
    memory, work = straps.memory, straps.workspace
    if not trial.changes:
        return
    seen, axis = work.seen, work.axis
    own, fed = NOUGHT, 0.0
    for side in range(2):
        j, factor = (memory.left[k], -behind) if side == 0 else (k, ahead)
        if factor == 0.0:
            continue
        steep = factor * _steep(straps, j, loose) / work.long[j]
        by = scaled(steep, read3(axis, j))
        feed = steep * seen[j, LENGTH] / work.long[j]
        if side == 1:
            own, fed = less(own, by), fed - feed
            _column(straps, row, memory.right[k], by, feed)
        else:
            own, fed = added(own, by), fed + feed
            _column(straps, row, j, scaled(-1.0, by), -feed)
    _column(straps, row, k, own, fed)


@inlined
def _steep(straps: Straps, j: int, loose: bool) -> float:
    """Give the slope of tension by strain of piece j."""
    work = straps.workspace
    if loose and work.seen[j, STRAIN] <= 0.0:
        return float(straps.model.stiff[j])
    return float(work.seen[j, SLOPE])


@inner
def gap_row(straps: Straps, trial: Trial, row: int, k: int, factor: float) -> None:
    """Enter how the gap at surface point k changes as it moves."""
    memory, work = straps.memory, straps.workspace
    if not trial.changes:
        return
    g, u = work.slope, memory.unknown[k]
    for way in range(3):
        if way != 1 or memory.marks[k]:
            change = dot(axis_of(straps, k, 3 * way), read3(g, k))
            work.matrix[row, u + way] += factor * change


@inner
def bend_row(straps: Straps, trial: Trial, row: int, k: int, at: int, press: float) -> None:
    """Enter how the force's part along an axis changes as the axis turns with the normal."""
    memory, work = straps.memory, straps.workspace
    if not trial.changes:
        return
    u, turn = memory.unknown[k], read9(work.turn, k)
    pressed = each(transpose_on(turn, axis_of(straps, k, at)), read3(work.bend, k))
    for way in range(2):
        if way == 1 and not memory.marks[k]:
            continue
        moves = transpose_on(turn, axis_of(straps, k, E1 + 3 * way))
        work.matrix[row, u + way] += press * dot(pressed, moves)
