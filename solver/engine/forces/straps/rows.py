"""The conditions of a balance, a row each: what presses, sticks or slides at points, rings, junctions, devices."""

from __future__ import annotations

import math

from solver.engine.forces.points import unit_vector
from solver.engine.forces.state import Around
from solver.engine.forces.straps.arrays import (
    ANCHOR,
    E1,
    E2,
    JUNCTION,
    PULLED,
    RING,
    SURFACE,
    TENSION,
    N,
    Straps,
)
from solver.engine.forces.straps.retractors import graph_of_device
from solver.engine.forces.straps.shape import (
    Trial,
    axis_of,
    bend_row,
    feed_row,
    force_row,
    gap_row,
)
from solver.engine.forces.straps.stretching import (
    SLOPE_AHEAD,
    begins,
    force_and_slope,
    force_and_slopes,
)
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.curve import curve_at
from solver.engine.maths.spatial import NOUGHT, Three, added, dot, less, plus, read3, scaled

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

FOLDED_BACK, SMOOTH = 0.3, 0.7
"""Cosine between a piece and the way along the surface, at a place that webbing runs through, up to which the place
is a ring with the friction of what presses, and from which on the force along the surface counts alone (assumed)."""


@inlined
def above(z: float, soft: float) -> tuple[float, float]:
    """Bring a number up to zero, with a rounded corner or a sharp one; and the slope."""
    if soft == 0.0:
        return (z, 1.0) if z > 0.0 else (0.0, 0.0)
    root = math.sqrt(z * z + 4.0 * soft * soft)
    return 0.5 * (z + root), 0.5 * (1.0 + z / root)


@inlined
def clamp(z: float, low: float, high: float, soft: float) -> tuple[float, float, float, float]:
    """Bring a number between two bounds, with rounded corners; and the slopes by all three."""
    if soft == 0.0 and not low < high:
        return low, 0.0, 0.5, 0.5
    under, by_low = above(low - z, soft)
    over, by_high = above(z - high, soft)
    return z + under - over, 1.0 - by_low - by_high, by_low, by_high


@inlined
def _drag(straps: Straps, trial: Trial, k: int, lag: float) -> float:
    """The stiffness that draws point k, or the webbing in it, back to where the last step ended."""
    return float((DRAG + lag * trial.per_s) * straps.workspace.hard[k])


@inlined
def _held_by(straps: Straps, k: int, axis: Three) -> float:
    """Give the stiffness with which webbing holds point k along an axis."""
    work, before = straps.workspace, straps.memory.left[k]
    one, two = dot(read3(work.axis, before), axis), dot(read3(work.axis, k), axis)
    turn1, turn2 = work.turns[before], work.turns[k]
    first = turn1 + (work.stretches[before] - turn1) * one * one
    second = turn2 + (work.stretches[k] - turn2) * two * two
    return float(DRAG * work.hard[k] + first + second)


@inner
def _flesh(
    straps: Straps, around: Around, trial: Trial, k: int
) -> tuple[float, float, float, float]:
    """The force of flesh on a point, the line it follows, its slope by depth, and its growth by time.

    Where there is no force the line is the one that it will begin on, below zero. Where it depends on the
    rate of depth, this is the way since the memory over the time since (backward Euler), as for what slips.
    """
    model, memory = straps.model, straps.memory
    n, mode, m, depth = (
        model.flesh[k],
        memory.flesh_mode[k],
        memory.flesh_memory,
        -straps.workspace.gap[k],
    )
    per_s, before, rated = trial.per_s, memory.flesh_depth[k], model.flesh_rated[k]
    laws, curves = around.laws, around.curves
    pushed = rise = by_rate = rate = 0.0
    if depth > 0.0 and rated:
        rate = (depth - before) * per_s
        pushed, rise, by_rate = force_and_slopes(laws, curves, n, m, k, mode, depth, rate)
    elif depth > 0.0:
        pushed, rise = force_and_slope(laws, curves, n, m, k, mode, depth)
    if pushed > 0.0:
        rise += by_rate * per_s
        return pushed, pushed, rise, -by_rate * rate * per_s
    at = begins(laws, n, m, k, mode) + SLOPE_AHEAD
    if rated:
        at = max(at, before)
        line, rise, by_rate = force_and_slopes(laws, curves, n, m, k, mode, at, 0.0)
        rise += by_rate * per_s
    else:
        line, rise = force_and_slope(laws, curves, n, m, k, mode, at)
    return 0.0, min(line + rise * (depth - at), 0.0), rise, 0.0


@inner
def _normal_row(
    straps: Straps, around: Around, trial: Trial, k: int
) -> tuple[float, float, float, float]:
    """Enter the row out of the surface.

    Gives the pressing force, its slopes by n . f and the gap, and whether the point touches.
    """
    model, work = straps.model, straps.workspace
    normal, row, gap = axis_of(straps, k, N), straps.memory.unknown[k] + 2, work.gap[k]
    stiff, soft = EASE * _held_by(straps, k, normal), trial.rounding
    press = -dot(normal, read3(work.force, k))
    loose = touches = 1.0
    by_force = by_gap = 0.0
    if model.flesh[k] >= 0 and (gap < 0.0 or model.keeps[k] == 0):
        pushed, line, rise, grows = _flesh(straps, around, trial, k)
        # where flesh is stiffer than webbing, a force counts by how far it is from the depth that bears it
        part = stiff / rise if rise > stiff else 1.0
        off = part * (press - line)
        if press <= off and (part < 1.0 or pushed <= 0.0):
            off, part, rise, pushed, grows = press, 1.0, 0.0, 0.0, 0.0
            touches = 1.0 if gap < 0.0 else 0.0
        work.residual[row], loose, by_gap = off, part, -rise
        work.residual_rate[row] += part * grows
        gap_row(straps, trial, row, k, part * by_gap)
        if part < 1.0:
            pushed, by_force, by_gap = max(press, 0.0), -1.0 if press > 0.0 else 0.0, 0.0
    elif model.flesh[k] >= 0:
        pushed, by_gap = -stiff * gap, -stiff
        gap_row(straps, trial, row, k, by_gap)
        work.residual[row] = press - pushed
    elif model.keeps[k]:
        pushed, loose = press, 0.0
        by_force = -1.0
        gap_row(straps, trial, row, k, -stiff)
        work.residual[row] = stiff * gap
    else:
        z = press - stiff * gap
        pushed, held = above(z, soft)
        loose, by_force, by_gap, touches = 1.0 - held, -held, -held * stiff, held
        gap_row(straps, trial, row, k, by_gap)
        work.residual[row] = press - pushed
    if trial.changes:
        work.matrix[row, row] -= trial.slowing * stiff
    if loose > 0.0:
        force_row(straps, trial, row, k, scaled(loose, normal))
        out = dot(normal, read3(work.moved, k))
        drag = loose * _drag(straps, trial, k, LAG_ASIDE)
        if trial.changes:
            work.matrix[row, row] -= drag + loose * max(trial.damping - stiff, 0.0)
        work.residual[row] += drag * out
        work.residual_rate[row] += trial.per_s * drag * out
    return pushed, by_force, by_gap, touches


@inlined
def _runs_along(straps: Straps, k: int) -> float:
    """Give the part to which webbing that runs through place k counts by its force along the surface.

    The rest counts as at a ring: a piece that comes upright, or from ahead, would draw webbing to where it is
    slack (FOLDED, SMOOTH).
    """
    along, axis = axis_of(straps, k, E2), straps.workspace.axis
    one, two = dot(along, read3(axis, straps.memory.left[k])), dot(along, read3(axis, k))
    return min(max((min(one, two) - FOLDED_BACK) / (SMOOTH - FOLDED_BACK), 0.0), 1.0)


@inner
def _surface_rows(straps: Straps, around: Around, trial: Trial, k: int) -> None:
    """Enter the three rows of a surface point: out of the surface, across and along the strap."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    a, u, gap, normal = (
        work.matrix,
        memory.unknown[k],
        work.gap[k],
        axis_of(straps, k, N),
    )
    force = read3(work.force, k)
    soft = trial.rounding
    pushed, by_force, by_gap, touches = _normal_row(straps, around, trial, k)
    held, turned = abs(pushed), 1.0 if pushed >= 0.0 else -1.0
    for way in range(2):
        row, at = u + way, E1 + 3 * way
        axis = axis_of(straps, k, at)
        c = model.across[k] if way == 0 else model.along[k]
        moves = way == 0 or memory.marks[k] != 0
        slid, stiff = work.fed[k], work.hard[k]
        drag = _drag(straps, trial, k, LAG if way else LAG_ASIDE)
        if moves:
            stiff = _held_by(straps, k, axis)
            slid = dot(axis, read3(work.moved, k))
        stiff *= ASIDE if way == 0 else EASE
        smooth = 1.0 if moves else _runs_along(straps, k)
        pull = smooth * dot(axis, force)
        if smooth < 1.0:
            ahead = work.seen[k, TENSION] - work.seen[memory.left[k], TENSION]
            pull += (1.0 - smooth) * ahead
        if c >= 0 or (way == 1 and model.keeps[k] == 0):
            mu = ROUGH
            if c >= 0:
                # where nothing presses nothing rubs
                bears = held > 0.0 or soft > 0.0
                mu = curve_at(around.curves, c, max(-gap, 0.0))[0] if bears else 0.0
            aim, most = pull + stiff * slid, mu * held
            value, by_aim, by_low, by_high = clamp(aim, -most, most, soft)
            more = mu * turned * (by_high - by_low)
        else:
            # what touches does not slide at all
            value, by_aim, more = touches * (pull + stiff * slid), touches, 0.0
        free, mix = 1.0 - by_aim, -more * by_force
        turns = free * smooth
        if turns != 0.0 or mix != 0.0:
            force_row(straps, trial, row, k, plus(scaled(turns, axis), mix, normal))
        if turns != free:
            feed_row(straps, trial, row, k, free - turns, free - turns, False)
        if more * by_gap != 0.0:
            gap_row(straps, trial, row, k, -more * by_gap)
        drag *= free
        if trial.changes:
            a[row, row] -= (
                (by_aim + trial.slowing) * stiff + drag + free * max(trial.damping - stiff, 0.0)
            )
        work.residual[row] = value - pull + drag * slid
        work.residual_rate[row] += trial.per_s * drag * slid
        if moves and free != 0.0:
            # the axis turns with the normal
            bend_row(straps, trial, row, k, at, -free * dot(normal, force))


@inlined
def slips_at(mu: float, turn: float, tension: float) -> tuple[float, float]:
    """By how much the other side of a ring pulls more than this tension as webbing slips, and its slope by that.

    Euler's and Eytelwein's law of the capstan: the two are as `exp(mu turn)` to one.
    """
    more = math.exp(mu * turn) - 1.0
    return more * tension, more


@inner
def _ring_row(straps: Straps, around: Around, trial: Trial, k: int) -> None:
    """Enter the row of a ring: stuck, or slipping by the capstan's law."""
    memory, work = straps.memory, straps.workspace
    row, seen, axis = memory.unknown[k], work.seen, work.axis
    stiff = EASE * work.hard[k]
    before = memory.left[k]
    bend = dot(read3(axis, before), read3(axis, k))
    mu, _ = curve_at(around.curves, straps.model.along[k], 0.0)
    turn = math.acos(min(max(bend, -1.0), 1.0))
    one, two, slid = seen[before, TENSION], seen[k, TENSION], work.fed[k]
    (back, by_two), (on, by_one) = slips_at(mu, turn, two), slips_at(mu, turn, one)
    low, high = -back, on
    value, by_aim, by_low, by_high = clamp(two - one + stiff * slid, low, high, trial.rounding)
    free, drag = 1.0 - by_aim, _drag(straps, trial, k, LAG)
    feed_row(straps, trial, row, k, free + by_low * by_two, free + by_high * by_one, False)
    if trial.changes:
        work.matrix[row, row] -= (by_aim + trial.slowing) * stiff + drag * free
    work.residual[row] = value - two + one + drag * free * slid
    work.residual_rate[row] += trial.per_s * drag * free * slid


@inner
def _device_row(straps: Straps, around: Around, trial: Trial, k: int) -> None:
    """Enter the row of webbing drawn from a device at an end."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    row, d = memory.unknown[k], model.spool[k]
    ends = model.last[k] != 0
    j = memory.left[k] if ends else k
    sign = -1.0 if ends else 1.0
    stiff = work.hard[k]
    drawn = sign * work.fed[k]
    held, level, rise, at = graph_of_device(
        straps.retractors, around.curves, d, work.seen[j, PULLED], drawn, stiff
    )
    if held:
        if trial.changes:
            work.matrix[row, row] += stiff
        work.residual[row] -= stiff * (work.fed[k] - sign * at)
        return
    if ends:
        feed_row(straps, trial, row, k, 0.0, -1.0, True)
    else:
        feed_row(straps, trial, row, k, 1.0, 0.0, True)
    drag = _drag(straps, trial, k, LAG)
    if trial.changes:
        work.matrix[row, row] -= sign * rise + sign * drag
    work.residual[row] = level - work.seen[j, PULLED] + drag * drawn
    work.residual_rate[row] += trial.per_s * drag * drawn


@inner
def _seat(
    straps: Straps, around: Around, trial: Trial, m: int, press: float
) -> tuple[float, float, float, float]:
    """What the surface under junction m pushes, its slopes by n . f and the gap, and growth by time."""
    work = straps.workspace
    if straps.model.flesh[m] >= 0:
        if work.gap[m] >= 0.0:
            return 0.0, 0.0, 0.0, 0.0
        pushed, _, rise, grows = _flesh(straps, around, trial, m)
        return pushed, 0.0, -rise if pushed > 0.0 else 0.0, grows
    stiff = work.hard[m]
    pushed, held = above(press - stiff * work.gap[m], trial.rounding)
    return pushed, -held, -held * stiff, 0.0


@inner
def _junction_rows(
    straps: Straps, around: Around, trial: Trial, low: int, high: int, k: int
) -> None:
    """Enter one strap's part of a junction's rows; the first point of each adds what is its own.

    On a surface it presses, or is clear. Friction holds it where it was, or is as large as it may be and
    against the way, which is any along the surface.
    """
    model, work = straps.model, straps.workspace
    u, a, b, m = (
        straps.memory.unknown[k],
        work.matrix,
        work.residual,
        model.join[k],
    )
    drag, damping = DRAG * work.hard[m], trial.damping
    if model.surface[k] < 0:
        for way in range(3):
            b[u + way] -= work.force[k, way]
            force_row(straps, trial, u + way, k, unit_vector(way))
            if m == k:
                b[u + way] += drag * work.moved[m, way]
                if trial.changes:
                    a[u + way, u + way] -= drag + damping
        return
    force = NOUGHT
    for j in range(low, high):
        if model.join[j] == m:
            force = added(force, read3(work.force, j))
    one, two, normal = axis_of(straps, m, E1), axis_of(straps, m, E2), axis_of(straps, m, N)
    pushed, by_force, by_gap, grows = _seat(straps, around, trial, m, -dot(normal, force))
    # friction: aimed at, and what it may be at most
    moved = read3(work.moved, m)
    stiff = 0.0
    aim1 = aim2 = ratio = by_aim = more = e1 = e2 = 0.0
    if model.across[m] >= 0:
        stiff = ASIDE * work.hard[m]
        mu = curve_at(around.curves, model.across[m], max(-work.gap[m], 0.0))[0]
        aim1 = dot(one, force) + stiff * dot(one, moved)
        aim2 = dot(two, force) + stiff * dot(two, moved)
        size, most = math.sqrt(aim1 * aim1 + aim2 * aim2), mu * pushed
        value, by_aim, by_low, by_high = clamp(size, -most, most, trial.rounding)
        more, ratio = mu * (by_high - by_low), by_aim
        if size > 1e-30:
            e1, e2, ratio = aim1 / size, aim2 / size, value / size
    for way in range(3):
        row = u + way
        axis = axis_of(straps, m, E1 + 3 * way)
        by, held, by_push, value = axis, NOUGHT, 1.0, pushed
        lag, slows = (1.0 + by_force) * drag, (1.0 + by_force) * (drag + damping)
        if way < 2:
            lag, slows = drag, drag + damping
            along = e1 if way == 0 else e2
            held1 = (ratio if way == 0 else 0.0) + (by_aim - ratio) * along * e1
            held2 = (ratio if way == 1 else 0.0) + (by_aim - ratio) * along * e2
            by_push, value = -more * along, ratio * (aim1 if way == 0 else aim2)
            if stiff > 0.0:
                lag = (1.0 - ratio) * _drag(straps, trial, m, LAG_ASIDE)
                slows = lag + (1.0 - ratio) * max(damping - stiff, 0.0)
                slows += trial.slowing * stiff
            held = plus(scaled(held1, one), held2, two)
            by = less(axis, held)
        b[row] -= dot(axis, read3(work.force, k))
        force_row(straps, trial, row, k, plus(by, by_push * by_force, normal))
        if m != k:
            continue
        slid = dot(axis, moved)
        # out of the surface it pushes against the webbing, along it friction holds with the webbing
        b[row] += lag * slid + (value if way < 2 else -value)
        work.residual_rate[row] += by_push * grows
        if way < 2 and stiff > 0.0:
            work.residual_rate[row] += trial.per_s * lag * slid
        if not trial.changes:
            continue
        for n in range(3):
            a[row, u + n] += by_push * by_gap * work.slope[m, n]
            a[row, u + n] -= slows * axis[n]
            a[row, u + n] -= stiff * held[n]


@inner
def write_rows(straps: Straps, around: Around, trial: Trial, h: int) -> None:
    """Write down all conditions of a harness, and, if that is asked for, how they change."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    low, high = model.first[h], model.first[h + 1]
    n, border = memory.size[h, 0], memory.size[h, 1]
    a, b = work.matrix, work.residual
    for i in range(n + border):
        b[i] = work.residual_rate[i] = 0.0
        if not trial.changes:
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
        kind = model.kind[k]
        if memory.unknown[k] < 0:
            continue
        if kind == SURFACE:
            _surface_rows(straps, around, trial, k)
        elif kind == RING:
            _ring_row(straps, around, trial, k)
        elif kind == ANCHOR:
            _device_row(straps, around, trial, k)
        elif kind == JUNCTION:
            _junction_rows(straps, around, trial, low, high, k)
