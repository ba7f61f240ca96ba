"""The conditions of a balance, a row each: what presses, sticks or slides at points, rings, junctions, devices."""

from __future__ import annotations

import math

from solver.engine.forces.laws import Laws
from solver.engine.forces.points import unit_vector
from solver.engine.forces.straps.arrays import (
    ANCHOR,
    DAMPING,
    E1,
    E2,
    JUNCTION,
    PULLED,
    RING,
    ROUNDING,
    SLOWING,
    STEPS_PER_S,
    STRETCHES,
    SURFACE,
    TENSION,
    TURNS,
    WITH_CHANGES,
    N,
    Straps,
)
from solver.engine.forces.straps.changes import bend_row, feed_row, force_row, gap_row
from solver.engine.forces.straps.corners import above, clamp
from solver.engine.forces.straps.shape import axis_of
from solver.engine.forces.straps.spools import Spools, graph_of_device
from solver.engine.forces.stretching import SIDE, begins, force_and_slope, force_and_slopes
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.curve import Curves, curve_at
from solver.engine.maths.spatial import NOUGHT, added, dot, less, plus, read3, scaled

HALF = 5
"""Half width of the band: three unknowns a point, neighbours joined."""

DRAG = 1e-8
"""Stiffness, in parts of a piece's, that draws a point back to where it was at the end of the last step.

Without it the shape of webbing that is hardly taut would be open."""

LAG, LAG_ASIDE = 2e-7, 2e-6
"""Time (s) by which webbing that may slip hangs behind a force as stiff as a piece: along the strap, and
across it and off the surface."""

ROUGH = 10.0
"""Coefficient of friction along the strap (assumed) where none is given: what touches is not to slide, but
without a bound a point that lifts off would let go of thousands of newtons at once, and where it would
lie down again there is no balance."""

ASIDE, EASE = 0.05, 0.5
"""Stiffness by which a slip or a gap counts against a force where it is open which of both there is, in
parts of that with which webbing holds the point: across the strap, and otherwise. With more than webbing
has in the end, neighbours giving way too, Newton's method would go around in circles."""

FOLDED, SMOOTH = 0.3, 0.7
"""Cosine between a piece and the way along the surface, at a place that webbing runs through, up to which the place
is a ring with the friction of what presses, and from which on the force along the surface counts alone (assumed)."""


@inlined
def _drag(straps: Straps, k: int, lag: float) -> float:
    """Give the stiffness that draws point k, or the webbing in it, back to where the last step ended."""
    return float((DRAG + lag * straps.newton[STEPS_PER_S]) * straps.hard[k])


@inner
def _held_by(straps: Straps, k: int, at: int) -> float:
    """Give the stiffness with which webbing holds point k along one of its axes."""
    total = DRAG * straps.hard[k]
    for side in range(2):
        j = straps.left[k] if side == 0 else k
        along = dot(read3(straps.axis, j), axis_of(straps, k, at))
        turn, stretch = straps.slopes[j, TURNS], straps.slopes[j, STRETCHES]
        total += turn + (stretch - turn) * along * along
    return float(total)


@inner
def _flesh(straps: Straps, laws: Laws, curves: Curves, k: int) -> tuple[float, float, float, float]:
    """Give the force of flesh on a point, the line it follows, its slope by depth, and its growth by time.

    Where there is no force the line is the one that it will begin on, below zero. Where it hangs on the
    rate of depth, this is the way since the memory over the time since (backward Euler), as for what slips.
    """
    n, mode, m, depth = straps.flesh[k], straps.flesh_mode[k], straps.flesh_memory, -straps.gap[k]
    per_s, before, rated = straps.newton[STEPS_PER_S], straps.flesh_before[k], straps.flesh_rated[k]
    pushed = rise = by_rate = rate = 0.0
    if depth > 0.0 and rated:
        rate = (depth - before) * per_s
        pushed, rise, by_rate = force_and_slopes(laws, curves, n, m, k, mode, depth, rate)
    elif depth > 0.0:
        pushed, rise = force_and_slope(laws, curves, n, m, k, mode, depth)
    if pushed > 0.0:
        rise += by_rate * per_s
        return pushed, pushed, rise, -by_rate * rate * per_s
    at = begins(laws, n, m, k, mode) + SIDE
    if rated:
        at = max(at, before)
        line, rise, by_rate = force_and_slopes(laws, curves, n, m, k, mode, at, 0.0)
        rise += by_rate * per_s
    else:
        line, rise = force_and_slope(laws, curves, n, m, k, mode, at)
    return 0.0, min(line + rise * (depth - at), 0.0), rise, 0.0


@inner
def _normal_row(
    straps: Straps, laws: Laws, curves: Curves, k: int
) -> tuple[float, float, float, float]:
    """Enter the row out of the surface.

    Gives the pressing force, its slopes by n . f and the gap, and whether the point touches.
    """
    normal, row, gap = axis_of(straps, k, N), straps.unknown[k] + 2, straps.gap[k]
    stiff, soft = EASE * _held_by(straps, k, N), straps.newton[ROUNDING]
    press = -dot(normal, read3(straps.force, k))
    loose = touches = 1.0
    by_force = by_gap = 0.0
    if straps.flesh[k] >= 0 and (gap < 0.0 or straps.keeps[k] == 0):
        pushed, line, rise, grows = _flesh(straps, laws, curves, k)
        # where flesh is stiffer than webbing, a force counts by how far it is from the depth that bears it
        part = stiff / rise if rise > stiff else 1.0
        off = part * (press - line)
        if press <= off and (part < 1.0 or pushed <= 0.0):
            off, part, rise, pushed, grows = press, 1.0, 0.0, 0.0, 0.0
            touches = 1.0 if gap < 0.0 else 0.0
        straps.b[row], loose, by_gap = off, part, -rise
        straps.rates[row] += part * grows
        gap_row(straps, row, k, part * by_gap)
        if part < 1.0:
            pushed, by_force, by_gap = max(press, 0.0), -1.0 if press > 0.0 else 0.0, 0.0
    elif straps.flesh[k] >= 0:
        pushed, by_gap = -stiff * gap, -stiff
        gap_row(straps, row, k, by_gap)
        straps.b[row] = press - pushed
    elif straps.keeps[k]:
        pushed, loose = press, 0.0
        by_force = -1.0
        gap_row(straps, row, k, -stiff)
        straps.b[row] = stiff * gap
    else:
        z = press - stiff * gap
        pushed, held = above(z, soft)
        loose, by_force, by_gap, touches = 1.0 - held, -held, -held * stiff, held
        gap_row(straps, row, k, by_gap)
        straps.b[row] = press - pushed
    straps.a[row, row] -= straps.newton[SLOWING] * stiff
    if loose > 0.0:
        force_row(straps, row, k, scaled(loose, normal))
        out = dot(normal, read3(straps.moved, k))
        drag = loose * _drag(straps, k, LAG_ASIDE)
        straps.a[row, row] -= drag + loose * max(straps.newton[DAMPING] - stiff, 0.0)
        straps.b[row] += drag * out
        straps.rates[row] += straps.newton[STEPS_PER_S] * drag * out
    return pushed, by_force, by_gap, touches


@inlined
def _runs_along(straps: Straps, k: int) -> float:
    """Give the part to which webbing that runs through place k counts by its force along the surface.

    The rest counts as at a ring: a piece that comes upright, or from ahead, would draw webbing to where it is
    slack (FOLDED, SMOOTH).
    """
    along, axis = axis_of(straps, k, E2), straps.axis
    one, two = dot(along, read3(axis, straps.left[k])), dot(along, read3(axis, k))
    return min(max((min(one, two) - FOLDED) / (SMOOTH - FOLDED), 0.0), 1.0)


@inner
def _surface_rows(straps: Straps, laws: Laws, curves: Curves, k: int) -> None:
    """Enter the three rows of a surface point: out of the surface, across and along the strap."""
    a, u, gap, normal = straps.a, straps.unknown[k], straps.gap[k], axis_of(straps, k, N)
    force = read3(straps.force, k)
    soft = straps.newton[ROUNDING]
    pushed, by_force, by_gap, touches = _normal_row(straps, laws, curves, k)
    held, turned = abs(pushed), 1.0 if pushed >= 0.0 else -1.0
    for way in range(2):
        row, at = u + way, E1 + 3 * way
        axis = axis_of(straps, k, at)
        c = straps.across[k] if way == 0 else straps.along[k]
        moves = way == 0 or straps.marks[k] != 0
        slid, stiff = straps.fed[k], straps.hard[k]
        drag = _drag(straps, k, LAG if way else LAG_ASIDE)
        if moves:
            stiff = _held_by(straps, k, at)
            slid = dot(axis, read3(straps.moved, k))
        stiff *= ASIDE if way == 0 else EASE
        smooth = 1.0 if moves else _runs_along(straps, k)
        pull = smooth * dot(axis, force)
        if smooth < 1.0:
            ahead = straps.seen[k, TENSION] - straps.seen[straps.left[k], TENSION]
            pull += (1.0 - smooth) * ahead
        if c >= 0 or (way == 1 and straps.keeps[k] == 0):
            mu = curve_at(curves, c, max(-gap, 0.0))[0] if c >= 0 else ROUGH
            aim, most = pull + stiff * slid, mu * held
            value, by_aim, by_low, by_high = clamp(aim, -most, most, soft)
            more = mu * turned * (by_high - by_low)
        else:
            # what touches does not slide at all
            value, by_aim, more = touches * (pull + stiff * slid), touches, 0.0
        free, mix = 1.0 - by_aim, -more * by_force
        turns = free * smooth
        if turns != 0.0 or mix != 0.0:
            force_row(straps, row, k, plus(scaled(turns, axis), mix, normal))
        if turns != free:
            feed_row(straps, row, k, free - turns, free - turns, False)
        if more * by_gap != 0.0:
            gap_row(straps, row, k, -more * by_gap)
        drag *= free
        a[row, row] -= (
            (by_aim + straps.newton[SLOWING]) * stiff
            + drag
            + free * max(straps.newton[DAMPING] - stiff, 0.0)
        )
        straps.b[row] = value - pull + drag * slid
        straps.rates[row] += straps.newton[STEPS_PER_S] * drag * slid
        if moves and free != 0.0:
            # the axis turns with the normal
            bend_row(straps, row, k, at, -free * dot(normal, force))


@inner
def _ring_row(straps: Straps, curves: Curves, k: int) -> None:
    """Enter the row of a ring: stuck, or slipping by the capstan's law."""
    row, seen, axis = straps.unknown[k], straps.seen, straps.axis
    stiff = EASE * straps.hard[k]
    before = straps.left[k]
    bend = dot(read3(axis, before), read3(axis, k))
    mu, _ = curve_at(curves, straps.along[k], 0.0)
    grip = math.exp(mu * math.acos(min(max(bend, -1.0), 1.0)))
    one, two, slid = seen[before, TENSION], seen[k, TENSION], straps.fed[k]
    low, high = -(grip - 1.0) * two, (grip - 1.0) * one
    value, by_aim, by_low, by_high = clamp(
        two - one + stiff * slid, low, high, straps.newton[ROUNDING]
    )
    free, drag = 1.0 - by_aim, _drag(straps, k, LAG)
    feed_row(straps, row, k, free + by_low * (grip - 1.0), free + by_high * (grip - 1.0), False)
    straps.a[row, row] -= (by_aim + straps.newton[SLOWING]) * stiff + drag * free
    straps.b[row] = value - two + one + drag * free * slid
    straps.rates[row] += straps.newton[STEPS_PER_S] * drag * free * slid


@inner
def _device_row(straps: Straps, spools: Spools, curves: Curves, k: int) -> None:
    """Enter the row of webbing drawn from a device at an end."""
    row, d = straps.unknown[k], straps.spool[k]
    ends = straps.last[k] != 0
    j = straps.left[k] if ends else k
    sign = -1.0 if ends else 1.0
    stiff = straps.hard[k]
    drawn = sign * straps.fed[k]
    held, level, rise, at = graph_of_device(spools, curves, d, straps.seen[j, PULLED], drawn, stiff)
    if held:
        straps.a[row, row] += stiff
        straps.b[row] -= stiff * (straps.fed[k] - sign * at)
        return
    if ends:
        feed_row(straps, row, k, 0.0, -1.0, True)
    else:
        feed_row(straps, row, k, 1.0, 0.0, True)
    drag = _drag(straps, k, LAG)
    straps.a[row, row] -= sign * rise + sign * drag
    straps.b[row] = level - straps.seen[j, PULLED] + drag * drawn
    straps.rates[row] += straps.newton[STEPS_PER_S] * drag * drawn


@inner
def _seat(
    straps: Straps, laws: Laws, curves: Curves, m: int, press: float
) -> tuple[float, float, float, float]:
    """Give what the surface under junction m pushes, its slopes by n . f and the gap, and growth by time."""
    if straps.flesh[m] >= 0:
        if straps.gap[m] >= 0.0:
            return 0.0, 0.0, 0.0, 0.0
        pushed, _, rise, grows = _flesh(straps, laws, curves, m)
        return pushed, 0.0, -rise if pushed > 0.0 else 0.0, grows
    stiff = straps.hard[m]
    pushed, held = above(press - stiff * straps.gap[m], straps.newton[ROUNDING])
    return pushed, -held, -held * stiff, 0.0


@inner
def _junction_rows(straps: Straps, laws: Laws, curves: Curves, low: int, high: int, k: int) -> None:
    """Enter one strap's part of a junction's rows; the first point of each adds what is its own.

    On a surface it presses, or is clear. Friction holds it where it was, or is as large as it may be and
    against the way, which is any along the surface.
    """
    u, a, b, m = straps.unknown[k], straps.a, straps.b, straps.join[k]
    drag, newton = DRAG * straps.hard[m], straps.newton[DAMPING]
    if straps.surface[k] < 0:
        for way in range(3):
            b[u + way] -= straps.force[k, way]
            force_row(straps, u + way, k, unit_vector(way))
            if m == k:
                b[u + way] += drag * straps.moved[m, way]
                a[u + way, u + way] -= drag + newton
        return
    force = NOUGHT
    for j in range(low, high):
        if straps.join[j] == m:
            force = added(force, read3(straps.force, j))
    one, two, normal = axis_of(straps, m, E1), axis_of(straps, m, E2), axis_of(straps, m, N)
    pushed, by_force, by_gap, grows = _seat(straps, laws, curves, m, -dot(normal, force))
    # friction: aimed at, and what it may be at most
    moved = read3(straps.moved, m)
    stiff = 0.0
    aim1 = aim2 = ratio = by_aim = more = e1 = e2 = 0.0
    if straps.across[m] >= 0:
        stiff = ASIDE * straps.hard[m]
        mu = curve_at(curves, straps.across[m], max(-straps.gap[m], 0.0))[0]
        aim1 = dot(one, force) + stiff * dot(one, moved)
        aim2 = dot(two, force) + stiff * dot(two, moved)
        size, most = math.sqrt(aim1 * aim1 + aim2 * aim2), mu * pushed
        value, by_aim, by_low, by_high = clamp(size, -most, most, straps.newton[ROUNDING])
        more, ratio = mu * (by_high - by_low), by_aim
        if size > 1e-30:
            e1, e2, ratio = aim1 / size, aim2 / size, value / size
    for way in range(3):
        row = u + way
        axis = axis_of(straps, m, E1 + 3 * way)
        by, held, by_push, value = axis, NOUGHT, 1.0, pushed
        lag, slows = (1.0 + by_force) * drag, (1.0 + by_force) * (drag + newton)
        if way < 2:
            lag, slows = drag, drag + newton
            along = e1 if way == 0 else e2
            held1 = (ratio if way == 0 else 0.0) + (by_aim - ratio) * along * e1
            held2 = (ratio if way == 1 else 0.0) + (by_aim - ratio) * along * e2
            by_push, value = -more * along, ratio * (aim1 if way == 0 else aim2)
            if stiff > 0.0:
                lag = (1.0 - ratio) * _drag(straps, m, LAG_ASIDE)
                slows = lag + (1.0 - ratio) * max(newton - stiff, 0.0)
                slows += straps.newton[SLOWING] * stiff
            held = plus(scaled(held1, one), held2, two)
            by = less(axis, held)
        b[row] -= dot(axis, read3(straps.force, k))
        force_row(straps, row, k, plus(by, by_push * by_force, normal))
        if m != k:
            continue
        slid = dot(axis, moved)
        # out of the surface it pushes against the webbing, along it friction holds with the webbing
        b[row] += lag * slid + (value if way < 2 else -value)
        straps.rates[row] += by_push * grows
        if way < 2 and stiff > 0.0:
            straps.rates[row] += straps.newton[STEPS_PER_S] * lag * slid
        for n in range(3):
            a[row, u + n] += by_push * by_gap * straps.slope[m, n]
            a[row, u + n] -= slows * axis[n]
            a[row, u + n] -= stiff * held[n]


@inner
def write_rows(
    straps: Straps, spools: Spools, laws: Laws, curves: Curves, h: int, whole: bool
) -> None:
    """Write down all conditions of a harness, and, if the `whole` is asked for, how they change."""
    low, high = straps.first[h], straps.first[h + 1]
    n, border = straps.size[h, 0], straps.size[h, 1]
    a, b = straps.a, straps.b
    straps.newton[WITH_CHANGES] = 1.0 if whole else 0.0
    for i in range(n + border):
        b[i] = straps.rates[i] = 0.0
        if not whole:
            continue
        if i < n:
            for j in range(max(i - HALF, 0), min(i + 2 * HALF + 1, n)):
                a[i, j] = 0.0
            for j in range(n, n + border):
                a[i, j] = 0.0
        else:
            for j in range(n + border):
                a[i, j] = 0.0
    for k in range(low, high):
        kind = straps.kind[k]
        if straps.unknown[k] < 0:
            continue
        if kind == SURFACE:
            _surface_rows(straps, laws, curves, k)
        elif kind == RING:
            _ring_row(straps, curves, k)
        elif kind == ANCHOR:
            _device_row(straps, spools, curves, k)
        elif kind == JUNCTION:
            _junction_rows(straps, laws, curves, low, high, k)
