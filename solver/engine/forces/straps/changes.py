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
from solver.engine.forces.straps.shape import part_along
from solver.engine.jit.kernels import inlined, inner


@inner
def _column(straps: Straps, row: int, j: int, x: float, y: float, z: float, feed: float) -> None:
    """Enter what a row gains by the motion of point j and by the webbing fed through it."""
    a, f, u = straps.a, straps.frame, straps.unknown[j]
    straps.rates[row] += x * straps.speed[j, 0] + y * straps.speed[j, 1] + z * straps.speed[j, 2]
    if u < 0:
        return
    kind = straps.kind[j]
    if kind == JUNCTION:
        a[row, u] += x
        a[row, u + 1] += y
        a[row, u + 2] += z
    elif kind == SURFACE:
        a[row, u] += part_along(f, j, E1, x, y, z)
        a[row, u + 1] += part_along(f, j, E2, x, y, z) if straps.marks[j] else feed
        a[row, u + 2] += part_along(f, j, N, x, y, z)
    else:
        a[row, u] += feed


@inner
def force_row(straps: Straps, row: int, k: int, dx: float, dy: float, dz: float) -> None:
    """Enter how d . f changes, f being the force of webbing on point k (of a junction: one strap's)."""
    if straps.newton[WITH_CHANGES] == 0.0:
        return
    slopes, axis = straps.slopes, straps.axis
    before, after = straps.left[k], straps.right[k]
    ox = oy = oz = 0.0
    left = right = 0.0
    for side in range(2):
        j = before if side == 0 else k
        if (before if side == 0 else after) < 0:
            continue
        ux, uy, uz = axis[j, 0], axis[j, 1], axis[j, 2]
        along = ux * dx + uy * dy + uz * dz
        turn, stretch = slopes[j, TURNS], slopes[j, STRETCHES]
        x = turn * dx + (stretch - turn) * along * ux
        y = turn * dy + (stretch - turn) * along * uy
        z = turn * dz + (stretch - turn) * along * uz
        feed = slopes[j, FEEDS] * along
        ox, oy, oz = ox - x, oy - y, oz - z
        if side == 1:
            # piece k grows by what its first point feeds, and shrinks by what the other does
            right -= feed
            _column(straps, row, after, x, y, z, feed)
        else:
            left += feed
            _column(straps, row, before, x, y, z, feed)
    _column(straps, row, k, ox, oy, oz, right - left)


@inner
def feed_row(straps: Straps, row: int, k: int, more: float, less: float, loose: bool) -> None:
    """Enter how more T_k - less T_left changes for webbing fed through point k.

    Where it may be `loose`, tension goes on below zero.
    """
    if straps.newton[WITH_CHANGES] == 0.0:
        return
    seen, axis = straps.seen, straps.axis
    ox = oy = oz = own = 0.0
    for side in range(2):
        j, factor = (straps.left[k], -less) if side == 0 else (k, more)
        if factor == 0.0:
            continue
        steep = factor * _steep(straps, j, loose) / straps.long[j]
        x, y, z = steep * axis[j, 0], steep * axis[j, 1], steep * axis[j, 2]
        feed = steep * seen[j, LENGTH] / straps.long[j]
        if side == 1:
            ox, oy, oz, own = ox - x, oy - y, oz - z, own - feed
            _column(straps, row, straps.right[k], x, y, z, feed)
        else:
            ox, oy, oz, own = ox + x, oy + y, oz + z, own + feed
            _column(straps, row, j, -x, -y, -z, -feed)
    _column(straps, row, k, ox, oy, oz, own)


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
            change = part_along(straps.frame, k, 3 * way, g[k, 0], g[k, 1], g[k, 2])
            straps.a[row, u + way] += factor * change


@inner
def bend_row(straps: Straps, row: int, k: int, at: int, press: float) -> None:
    """Enter how the force's part along an axis changes as the axis turns with the normal."""
    if straps.newton[WITH_CHANGES] == 0.0:
        return
    a, f, h, t, u = straps.a, straps.frame, straps.bend, straps.turn, straps.unknown[k]
    for way in range(2):
        if way == 1 and not straps.marks[k]:
            continue
        total = 0.0
        for n in range(3):
            one = two = 0.0
            for m in range(3):
                one += t[k, 3 * m + n] * f[k, at + m]
                two += t[k, 3 * m + n] * f[k, E1 + 3 * way + m]
            total += one * h[k, n] * two
        a[row, u + way] += press * total
