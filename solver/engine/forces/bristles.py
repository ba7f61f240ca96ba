"""Friction that rests: bristles between two surfaces that bend, give way at Coulomb's limit, and stay bent.

- An elastic-plastic bristle with damping of its own: Dupont, Hayward, Armstrong, Altpeter, Single state elastoplastic
  friction models, IEEE Trans. Automatic Control 47 (2002), with breakaway and steady bend alike: below
  the limit it is elastic, so that nothing drifts. All it does, damping too, stays within the limit.
- Within a step: Kuhn, Linear-frictional contact model for 3D discrete element simulations of granular systems (2020): elastic up
  to the limit, then sliding; the force turns with both bodies. While it slides in one direction it turns into that direction by
  Krieg and Krieg, Accuracies of numerical solution methods for the elastic-perfectly plastic model, J. Pressure Vessel
  Technology 99 (1977): `tan(angle / 2)` falls as `exp(-way k / limit)`.
- Stiffness that rises as the pair is pressed leaves the force as it is, one that falls takes it along (Mindlin,
  Deresiewicz, J. Applied Mechanics 20, 1953; Thornton, Cummins, Cleary, Powder Technology 210, 2011), so none gives energy.

Rows hold what a pair was like at the end of the last step. An evaluation within a step goes on from there by how far the two
material points of then have come apart: so the force follows from the state, and adds no rates to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Motion
from solver.engine.forces.points import arm_to, from_axes_of, in_axes_of, point_of, spin_of
from solver.engine.jit.kernels import inlined, inner, separate
from solver.engine.maths.copying import copy_rows
from solver.engine.maths.spatial import (
    NOUGHT,
    Table,
    Three,
    added,
    cross,
    dot,
    length,
    less,
    over,
    plus,
    read,
    scaled,
    write,
)

HOLDS, POINT_I, POINT_J, FORCE_I, FORCE_J, NORMAL_I, NORMAL_J, SPEED_J, STIFF, LIMIT, SINCE = (
    0, 1, 4, 7, 10, 13, 16, 19, 22, 23, 24,
)  # fmt: skip
"""Entries of a row: whether it stands for a touch, and whether that sticks or slides; the points that touched, in both bodies' axes; the
bristle's force and the normal, in both; sliding speed, in the second's; stiffness (N/m); limit (N); time (s)."""

BRISTLE = 25
"""Entries of a row."""

APART, SLIDES, STICKS = 0.0, 1.0, 2.0
"""What a row stands for."""

PARTS = 4
"""Parts in which a way is followed that turns back within a step."""

SLOWEST = 0.05
"""Rate of depth (m/s) that at least counts where a pair was not seen to touch, to tell how far it has slid since (*assumed*)."""

SHORT = 1e-2
"""Way in parts of the one that bends a bristle to the limit, below which its series is exact enough."""


class Grip(NamedTuple):
    """What holds at an instant: the limit (N), the bristle's stiffness (N/m) and damping (N s/m), and for how long the pair has touched (s)."""

    limit: float
    stiffness: float
    damping: float
    age: float


@inlined
def grip_of(
    limit: float, part: float, ratio: float, mass: float, force: float, depth: float, rate: float
) -> Grip:
    """The grip of a pair: its stiffness is a part of its force by its depth, its damping one of the critical."""
    stiffness = part * force / max(depth, 1e-9)
    return Grip(
        limit, stiffness, 2.0 * ratio * math.sqrt(stiffness * mass), depth / max(rate, SLOWEST)
    )


@inlined
def together(a: float, b: float) -> float:
    """The mass that two bodies have against each other; one without mass is held."""
    if a <= 0.0 or b <= 0.0:
        return a + b
    return a * b / (a + b)


@separate
def rub(
    memory: Table,
    now: Table,
    k: int,
    t: float,
    motion: Motion,
    i: int,
    j: int,
    place: Three,
    normal: Three,
    across: Three,
    grip: Grip,
) -> tuple[float, float, float, float, bool]:
    """The friction on the second body of a pair (three numbers), the energy that its bristle holds, and whether it sticks.

    `across` is the speed at which the first slides on the second. Row k of `now` takes what the next step starts from.
    """
    limit, stiff = grip.limit, grip.stiffness
    if memory[k, HOLDS] == APART:
        force, slides = _bent(NOUGHT, scaled(stiff * grip.age, across), limit, across)
    else:
        force, slides = _gone_on(memory, k, t, motion, i, j, place, normal, across, grip)
    row = now[k]
    row[HOLDS] = SLIDES if slides else STICKS
    write(row, POINT_I, in_axes_of(motion, i, arm_to(motion, i, place)))
    write(row, POINT_J, in_axes_of(motion, j, arm_to(motion, j, place)))
    write(row, FORCE_I, in_axes_of(motion, i, force))
    write(row, FORCE_J, in_axes_of(motion, j, force))
    write(row, NORMAL_I, in_axes_of(motion, i, normal))
    write(row, NORMAL_J, in_axes_of(motion, j, normal))
    write(row, SPEED_J, in_axes_of(motion, j, across))
    row[STIFF], row[LIMIT], row[SINCE] = stiff, limit, t
    held = 0.5 * dot(force, force) / stiff if stiff > 0.0 else 0.0
    x, y, z = _within(plus(force, grip.damping, across), limit)
    return x, y, z, held, not slides


@inlined
def _within(force: Three, limit: float) -> Three:
    """A force, or as much of it as a limit leaves."""
    size = length(force)
    return scaled(limit / size, force) if size > limit else force


@inlined
def _flat(a: Three, normal: Three) -> Three:
    """What of a vector lies across the normal."""
    return plus(a, -dot(a, normal), normal)


@inner
def _gone_on(
    memory: Table,
    k: int,
    t: float,
    motion: Motion,
    i: int,
    j: int,
    place: Three,
    normal: Three,
    across: Three,
    grip: Grip,
) -> tuple[Three, bool]:
    """The force of the bristle, from that at the end of the last step, and whether it slides."""
    row, limit, stiff = memory[k], grip.limit, grip.stiffness
    on_i, _ = point_of(motion, i, from_axes_of(motion, i, read(row, POINT_I)))
    on_j, _ = point_of(motion, j, from_axes_of(motion, j, read(row, POINT_J)))
    # less what turning brings them apart, while the place of touch moves away from them
    long = max(t - row[SINCE], 0.0)
    away = less(place, scaled(0.5, added(on_i, on_j)))
    turns = cross(less(spin_of(motion, i), spin_of(motion, j)), away)
    # what they do along the normal is none of it: as both bodies turn, the normal does so halfway, too
    between = added(
        from_axes_of(motion, i, read(row, NORMAL_I)), from_axes_of(motion, j, read(row, NORMAL_J))
    )
    between = plus(normal, 0.5, between)
    between = over(between, length(between))
    way = _flat(_flat(plus(less(on_i, on_j), 0.5 * long, turns), between), normal)
    # turned with both bodies alike, and as long as it was
    on_first, on_second = read(row, FORCE_I), read(row, FORCE_J)
    size = length(on_first)
    bent = added(from_axes_of(motion, i, on_first), from_axes_of(motion, j, on_second))
    bent = _flat(bent, normal)
    turned = length(bent)
    bent = scaled(size / turned, bent) if turned > 0.0 else NOUGHT
    was = row[STIFF]
    if stiff < was:
        bent = scaled(stiff / was, bent)
    else:
        stiff = 0.5 * (was + stiff)
    before = _flat(from_axes_of(motion, j, read(row, SPEED_J)), normal)
    if dot(before, across) >= 0.0:
        return _bent(bent, scaled(stiff, way), limit, across)
    # it turns back within the step: along the cubic that has these ends and speeds
    gone, slides = NOUGHT, False
    for n in range(1, PARTS + 1):
        s = n / PARTS
        on, first, last = s * s * (3.0 - 2.0 * s), s * (1.0 - s) ** 2, -s * s * (1.0 - s)
        to = plus(plus(scaled(on, way), long * first, before), long * last, across)
        step = scaled(stiff, less(to, gone))
        bent, slides = _bent(bent, step, row[LIMIT] + s * (limit - row[LIMIT]), step)
        gone = to
    return bent, slides


@inner
def _bent(force: Three, more: Three, limit: float, ahead: Three) -> tuple[Three, bool]:
    """Bend a bristle on from a force by what it would add; tell whether it slides at the end, where it goes in the direction `ahead`."""
    tried = added(force, more)
    if dot(tried, tried) <= limit * limit:
        return tried, False
    if not limit > 0.0:
        return NOUGHT, True
    force = _within(force, limit)
    square, along = dot(more, more), dot(force, more)
    if not square > 0.0:
        return force, True
    # elastic up to the limit
    free = max(limit * limit - dot(force, force), 0.0)
    part = (math.sqrt(along * along + square * free) - along) / square
    if part >= 1.0:
        return added(force, more), False
    force = plus(force, part, more)
    size = math.sqrt(square)
    way = (1.0 - part) * size / limit
    # of a way that turns, the end counts the more the longer it is
    to, speed = over(more, size), length(ahead)
    if speed > 0.0 and dot(ahead, to) > 0.0:
        end = way / 6.0 if way < SHORT else 2.0 * (1.0 / -math.expm1(-way) - 1.0 / way) - 1.0
        to = plus(scaled(1.0 - end, to), end / speed, ahead)
        to = over(to, length(to))
    cosine = dot(force, to) / limit
    beside = plus(force, -cosine * limit, to)
    sine = length(beside) / limit
    if not sine > 1e-15:
        return scaled(limit, to), True
    half = sine / max(1.0 + cosine, 1e-15) * math.exp(-way)
    whole = limit / (1.0 + half * half)
    return plus(
        scaled((1.0 - half * half) * whole, to), 2.0 * half * whole / (sine * limit), beside
    ), True


@inner
def keep_rows(kept: Table, now: Table) -> None:
    """Take over rows that hold, and those that did."""
    for k in range(len(kept)):
        if now[k, HOLDS] != APART or kept[k, HOLDS] != APART:
            copy_rows(kept[k : k + 1], now[k : k + 1])
