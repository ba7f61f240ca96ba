"""How straps lie: places, gaps to surfaces, axes, strains, the forces of webbing on points, and how these change."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Motion
from solver.engine.forces.laws import Laws
from solver.engine.forces.state import Around
from solver.engine.forces.straps.arrays import (
    E1,
    E2,
    JUNCTION,
    LENGTH,
    PULLED,
    SLOPE,
    STRAIN,
    SURFACE,
    TENSION,
    N,
    Straps,
)
from solver.engine.forces.straps.stretching import begins, force_and_slope
from solver.engine.forces.surfaces import Surfaces, turn_of
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.curve import Curves
from solver.engine.maths.hyperellipsoids import raised
from solver.engine.maths.spatial import (
    NOUGHT,
    UNIT,
    Three,
    add3,
    added,
    cross,
    dot,
    each,
    length,
    less,
    mat_on,
    plus,
    read3,
    read9,
    scaled,
    transpose_on,
    write,
    write3,
    write9,
)

NEARLY = 1e-8
"""Error of a gauge behind which the next of Newton's steps leaves none."""

GONE = 50.0
"""Strains of a trace behind which it is less than the last digit of a tension."""

TRACE = 1e-4
"""Strain within which webbing goes from slack to taut, as far as its shape is concerned."""


class Trial(NamedTuple):
    """How a round of Newton's method goes.

    `per_s` is one over the time since the memory; `rounding` how round corners are (N), `damping` the stiffness that
    slows points down, `slowing` what slows everything down, in parts of its own stiffness. `changes` asks how rows
    change, too, and `rates` how they do by the motion of bodies.
    """

    per_s: float
    rounding: float
    damping: float
    slowing: float
    changes: bool
    rates: bool


@inner
def place(straps: Straps, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find the axes that point k is given in, and its stiffness: they do not change while it slides."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    work.hard[k] = model.stiff[k] / memory.rest[k if memory.right[k] >= 0 else memory.left[k]]
    s, i = model.surface[k], model.body[k]
    if s >= 0:
        turn_of(motion, surfaces.body[s], surfaces.R, s, work.turn[k])
    else:
        write9(work.turn, k, read9(motion.R, i) if i >= 0 else UNIT)


@inner
def place_point(straps: Straps, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find place, gap to the surface, its gradient and how the normal turns, of point k."""
    model, work = straps.model, straps.workspace
    s, i, x = model.surface[k], model.body[k], work.x
    turn, own = read9(work.turn, k), read3(x, k)
    arm = mat_on(turn, own)
    work.gap[k] = 0.0
    if s < 0:
        write3(work.place, k, added(arm, read3(motion.p, i)) if i >= 0 else arm)
        return
    write3(work.place, k, added(arm, read3(surfaces.centre, s)))
    scale, steep, bent = _onto_surface(surfaces, s, own)
    far, one = length(own), 1.0 / length(steep)
    work.gap[k] = far * (1.0 - scale)
    write(work.frame[k], N, scaled(one, mat_on(turn, steep)))
    write3(work.bend, k, scaled(one, bent))
    # the gap's gradient: far (1 - scale), scale falling along the normal
    outward, along = (1.0 - scale) / far, far * scale / dot(steep, own)
    write3(work.slope, k, mat_on(turn, plus(scaled(outward, own), along, steep)))


@inner
def _onto_surface(surfaces: Surfaces, s: int, x: Three) -> tuple[float, Three, Three]:
    """The scale that brings a point radially onto a surface, and there the gauge's gradient and its second derivatives.

    The gauge is one on the surface; the gap is measured along the radius.
    """
    semi, power = read3(surfaces.semi, s), read3(surfaces.power, s)
    per = (1.0 / semi[0], 1.0 / semi[1], 1.0 / semi[2])
    u = each(x, per)
    if power[0] == power[1] == power[2] == 2.0:
        total = dot(u, u)
        scale = 1.0 / math.sqrt(total) if total > 0.0 else 1.0
        return scale, scaled(2.0 * scale, each(u, per)), scaled(2.0, each(per, per))
    u = (abs(u[0]), abs(u[1]), abs(u[2]))
    total = raised(u[0], power[0]) + raised(u[1], power[1]) + raised(u[2], power[2])
    # with one power in closed form, else by Newton's method
    scale, e = 1.0, power[0]
    if total > 0.0:
        scale = 1.0 / math.sqrt(total) if e == 2.0 else total ** (-1.0 / e)
        if power[1] != e or power[2] != e:
            for _ in range(50):
                value, rise = -1.0, 0.0
                for n in range(3):
                    part = raised(u[n] * scale, power[n])
                    value += part
                    rise += power[n] * part
                scale -= scale * value / rise
                if abs(value) < NEARLY:
                    break
    one = _slope_of_gauge(x[0], u[0] * scale, per[0], power[0])
    two = _slope_of_gauge(x[1], u[1] * scale, per[1], power[1])
    three = _slope_of_gauge(x[2], u[2] * scale, per[2], power[2])
    return scale, (one[0], two[0], three[0]), (one[1], two[1], three[1])


@inlined
def _slope_of_gauge(x: float, u: float, per: float, e: float) -> tuple[float, float]:
    """First and second derivative of the gauge by one coordinate, that is u times the semi-axis."""
    low = raised(u, e - 2.0)
    return e * low * u * per * (1.0 if x > 0.0 else -1.0), e * (e - 1.0) * low * per * per


@inner
def stretch(straps: Straps, laws: Laws, curves: Curves, k: int) -> None:
    """Find direction, strain and tension of piece k."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    p, seen = work.place, work.seen
    j = memory.right[k]
    way = less(read3(p, j), read3(p, k))
    size = max(length(way), 1e-9)
    short, loose = 1.0 / size, 1.0 / work.long[k]
    write3(work.axis, k, scaled(short, way))
    strain = size * loose - 1.0
    n, mode = model.law[k], memory.webbing_mode[k]
    pull = slope = 0.0
    if strain > 0.0:
        pull, slope = force_and_slope(laws, curves, n, memory.webbing_memory, k, mode, strain)
    # what is slack keeps a trace of tension, without which its shape would be open
    over, eases = (
        strain - begins(laws, n, memory.webbing_memory, k, mode),
        model.eases[k],
    )
    seen[k, STRAIN], seen[k, LENGTH] = strain, size
    if over > 0.0:
        trace = 0.5 * eases * TRACE * math.exp(-over / TRACE) if over < GONE * TRACE else 0.0
        slope = max(slope - trace / TRACE, 0.0)
    else:
        far = math.sqrt(over * over + TRACE * TRACE)
        trace = 0.5 * eases * TRACE * TRACE / (far - over)
        slope += trace / far
    seen[k, TENSION], seen[k, SLOPE] = pull + trace, slope
    work.turns[k], work.stretches[k] = seen[k, TENSION] * short, slope * loose
    work.feeds[k] = work.stretches[k] * size * loose
    seen[k, PULLED] = pull if strain > 0.0 else model.stiff[k] * strain


@inner
def turn_frame(straps: Straps, k: int) -> None:
    """Lay the axes of point k on a surface: along the strap as it last was, or as preferred; across."""
    work = straps.workspace
    normal = axis_of(straps, k, N)
    across = cross(mat_on(read9(work.turn, k), read3(straps.memory.way, k)), normal)
    size = length(across)
    if size < 1e-9:
        # a junction, or the strap stands upright here: any direction across
        x, y, z = normal
        across = (0.0, z, -y) if abs(x) < 0.6 else (-z, 0.0, x)
        size = length(across)
    across = scaled(1.0 / size, across)
    write(work.frame[k], E1, across)
    write(work.frame[k], E2, cross(normal, across))


@inlined
def axis_of(straps: Straps, k: int, at: int) -> Three:
    """An axis of point k's frame: E1, E2 or N."""
    f = straps.workspace.frame
    return f[k, at], f[k, at + 1], f[k, at + 2]


@inner
def find_forces(straps: Straps, low: int, high: int) -> None:
    """Sum the tensions at every point."""
    memory, work = straps.memory, straps.workspace
    f, seen, axis = work.force, work.seen, work.axis
    for k in range(low, high):
        write3(f, k, NOUGHT)
    for k in range(low, high):
        if memory.right[k] < 0:
            continue
        pull = scaled(seen[k, TENSION], read3(axis, k))
        add3(f, k, pull)
        add3(f, memory.right[k], scaled(-1.0, pull))


@inner
def look(straps: Straps, around: Around, low: int, high: int) -> float:
    """Find places, tensions and forces as they are now; give the largest tension."""
    model, memory, work = straps.model, straps.memory, straps.workspace
    most = 0.0
    for k in range(low, high):
        place_point(straps, around.surfaces, around.motion, k)
    for k in range(low, high):
        if memory.right[k] >= 0:
            right = work.fed[memory.right[k]]
            work.long[k] = max(memory.rest[k] + work.fed[k] - right, 1e-3 * memory.rest[k])
            stretch(straps, around.laws, around.curves, k)
            most = max(most, work.seen[k, TENSION])
    find_forces(straps, low, high)
    for k in range(low, high):
        way = less(read3(work.x, k), read3(memory.at, k))
        write3(work.moved, k, mat_on(read9(work.turn, k), way))
        if model.surface[k] >= 0 and (memory.right[k] >= 0 or model.last[k]):
            turn_frame(straps, k)
    return most


# --- how forces and gaps change: entries of a row -------------------------------------------------


@inner
def _column(straps: Straps, trial: Trial, row: int, j: int, by: Three, feed: float) -> None:
    """Enter what a row gains by the motion of point j and by the webbing fed through it."""
    memory, work = straps.memory, straps.workspace
    a, u = work.matrix, memory.unknown[j]
    if trial.rates:
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
            _column(straps, trial, row, after, by, feed)
        else:
            left += feed
            _column(straps, trial, row, before, by, feed)
    _column(straps, trial, row, k, own, right - left)


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
            _column(straps, trial, row, memory.right[k], by, feed)
        else:
            own, fed = added(own, by), fed + feed
            _column(straps, trial, row, j, scaled(-1.0, by), -feed)
    _column(straps, trial, row, k, own, fed)


@inlined
def _steep(straps: Straps, j: int, loose: bool) -> float:
    """The slope of tension by strain of piece j."""
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
