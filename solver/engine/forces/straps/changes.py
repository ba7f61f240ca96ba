"""How forces and gaps of straps change as points move and webbing is fed: entries of a row."""

from __future__ import annotations

from solver.engine.forces.straps.arrays import (
    E1,
    E2,
    FEEDS,
    JUNCTION,
    LENGTH,
    SLOPE,
    STRAIN,
    STRETCHES,
    SURFACE,
    TURNS,
    WITH_CHANGES,
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


@inner
def _column(straps: Straps, row: int, j: int, by: Three, feed: float) -> None:
    """Enter what a row gains by the motion of point j and by the webbing fed through it."""
    a, u = straps.a, straps.unknown[j]
    straps.rates[row] += dot(by, read3(straps.speed, j))
    if u < 0:
        return
    kind = straps.kind[j]
    if kind == JUNCTION:
        for n in range(3):
            a[row, u + n] += by[n]
    elif kind == SURFACE:
        a[row, u] += dot(axis_of(straps, j, E1), by)
        a[row, u + 1] += dot(axis_of(straps, j, E2), by) if straps.marks[j] else feed
        a[row, u + 2] += dot(axis_of(straps, j, N), by)
    else:
        a[row, u] += feed


@inner
def force_row(straps: Straps, row: int, k: int, d: Three) -> None:
    """Enter how d . f changes, f being the force of webbing on point k (of a junction: one strap's)."""
    if straps.newton[WITH_CHANGES] == 0.0:
        return
    slopes, axis = straps.slopes, straps.axis
    before, after = straps.left[k], straps.right[k]
    own = NOUGHT
    left = right = 0.0
    for side in range(2):
        j = before if side == 0 else k
        if (before if side == 0 else after) < 0:
            continue
        piece = read3(axis, j)
        along = dot(piece, d)
        turn, stretch = slopes[j, TURNS], slopes[j, STRETCHES]
        by = plus(scaled(turn, d), (stretch - turn) * along, piece)
        feed = slopes[j, FEEDS] * along
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
def feed_row(straps: Straps, row: int, k: int, ahead: float, behind: float, loose: bool) -> None:
    """Enter how ahead T_k - behind T_left changes for webbing fed through point k.

    Where it may be `loose`, tension goes on below zero.
    """
    if straps.newton[WITH_CHANGES] == 0.0:
        return
    seen, axis = straps.seen, straps.axis
    own, fed = NOUGHT, 0.0
    for side in range(2):
        j, factor = (straps.left[k], -behind) if side == 0 else (k, ahead)
        if factor == 0.0:
            continue
        steep = factor * _steep(straps, j, loose) / straps.long[j]
        by = scaled(steep, read3(axis, j))
        feed = steep * seen[j, LENGTH] / straps.long[j]
        if side == 1:
            own, fed = less(own, by), fed - feed
            _column(straps, row, straps.right[k], by, feed)
        else:
            own, fed = added(own, by), fed + feed
            _column(straps, row, j, scaled(-1.0, by), -feed)
    _column(straps, row, k, own, fed)


@inlined
def _steep(straps: Straps, j: int, loose: bool) -> float:
    """Give the slope of tension by strain of piece j."""
    if loose and straps.seen[j, STRAIN] <= 0.0:
        return float(straps.stiff[j])
    return float(straps.seen[j, SLOPE])


@inner
def gap_row(straps: Straps, row: int, k: int, factor: float) -> None:
    """Enter how the gap at surface point k changes as it moves."""
    if straps.newton[WITH_CHANGES] == 0.0:
        return
    g, u = straps.slope, straps.unknown[k]
    for way in range(3):
        if way != 1 or straps.marks[k]:
            change = dot(axis_of(straps, k, 3 * way), read3(g, k))
            straps.a[row, u + way] += factor * change


@inner
def bend_row(straps: Straps, row: int, k: int, at: int, press: float) -> None:
    """Enter how the force's part along an axis changes as the axis turns with the normal."""
    if straps.newton[WITH_CHANGES] == 0.0:
        return
    u, turn = straps.unknown[k], read9(straps.turn, k)
    pressed = each(transpose_on(turn, axis_of(straps, k, at)), read3(straps.bend, k))
    for way in range(2):
        if way == 1 and not straps.marks[k]:
            continue
        moves = transpose_on(turn, axis_of(straps, k, E1 + 3 * way))
        straps.a[row, u + way] += press * dot(pressed, moves)
