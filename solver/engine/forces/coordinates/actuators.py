"""Actuators: what they sense, now or by a reflex time ago, what they give and hold from sample to sample; Hill's muscle.

Thelen, J Biomech Eng 125 (2003) 70-77: passive curve (3), active curve by length (4), by speed (6), and
activation, with the numbers for young adults (Table 1). What is stretched faster than it can hold bends as
in (6) without its dependence on activation, with the same slope on both sides of standstill, as in McLean,
Su and van den Bogert, J Biomech Eng 125 (2003) 864-874.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array
from solver.engine.forces.coordinates.arrays import (
    COUNT,
    GIVEN,
    GROWTH,
    LATE_PARTS,
    LIMIT,
    NO_TIME,
    OFF,
    ON_ABOVE,
    ON_BELOW,
    PAST,
    RISES_OVER,
    SEEN_LOAD,
    SEEN_OFF,
    SEEN_RATE,
    SEEN_WAY,
    SWITCH_LEAD,
    SWITCH_OFF,
    SWITCH_ON,
    SWITCH_SIZE,
    Coordinates,
)
from solver.engine.forces.coordinates.blocks import BEGINS, take_held
from solver.engine.forces.state import Elements, Moment
from solver.engine.jit.kernels import inlined, inner, kernel, separate
from solver.engine.maths.curve import Curves, curve_at, curve_within

# What actuators with a reflex time sense: their coordinate as it was that long ago.


@inner
def sensed(coords: Coordinates, r: int, t: float, x: float) -> tuple[float, float]:
    """Give place and rate as they were a reflex time ago: cubics between what was kept.

    Before the start all stood where it starts; where nothing is kept, it stands as it does now.
    """
    newest, count, past = coords.newest[r, 0], coords.newest[r, 1], coords.past
    if count == 0:
        return x, 0.0
    when = t - coords.lag[r]
    oldest = (newest - count + 1) % PAST
    if when <= past[r, oldest, 0]:
        return float(past[r, oldest, 1]), 0.0
    late = when - past[r, newest, 0]
    if late >= 0.0:
        return float(past[r, newest, 1] + late * past[r, newest, 2]), float(past[r, newest, 2])
    low, high = 0, count - 1
    while high - low > 1:
        middle = (low + high) // 2
        if past[r, (oldest + middle) % PAST, 0] <= when:
            low = middle
        else:
            high = middle
    a, b = (oldest + low) % PAST, (oldest + high) % PAST
    h = past[r, b, 0] - past[r, a, 0]
    s = (when - past[r, a, 0]) / h
    xa, va, xb, vb = past[r, a, 1], h * past[r, a, 2], past[r, b, 1], h * past[r, b, 2]
    two, three = 3.0 * (xb - xa) - 2.0 * va - vb, 2.0 * (xa - xb) + va + vb
    return float(xa + s * (va + s * (two + s * three))), float(
        (va + s * (2.0 * two + 3.0 * s * three)) / h
    )


@separate
@kernel
def keep_sensed(coords: Coordinates, t: float, event: bool) -> None:
    """Keep what actuators that sense late have just seen: it is that of the end of an accepted step.

    At an event none is left out, and a rate that jumps is kept as it was before and as it is after.
    """
    for r in range(len(coords.lag)):
        n, newest, count, past = (
            coords.late_row[r],
            coords.newest[r, 0],
            coords.newest[r, 1],
            coords.past,
        )
        if count > 0:
            apart, spare = t - past[r, newest, 0], past[r, (newest + 2) % PAST, 0]
            both = event and (count < PAST - 1 or spare < t - coords.lag[r])
            if 0.0 < apart < coords.lag[r] / LATE_PARTS and not both:
                continue
            jumps = coords.seen[n, SEEN_RATE] != past[r, newest, 2]
            if apart > 0.0 or (both and jumps):
                newest = (newest + 1) % PAST
                count = min(count + 1, PAST)
        else:
            newest, count = 0, 1
        past[r, newest, 0], past[r, newest, 1], past[r, newest, 2] = (
            t, coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE],
        )  # fmt: skip
        coords.newest[r, 0], coords.newest[r, 1] = newest, count


# Actuators: what they give by what they sense, when they switch, and what they hold from sample to sample.

SWITCH_ROUNDING = 1e-6
"""Part of a switch's hysteresis by which the state of an event may miss it."""


class Clock(NamedTuple):
    """The time `t`, and a law's own time: since it began, and that which names the piece of its histories."""

    t: float
    since: float
    within: float


@inner
def begins(coords: Coordinates, fires: Array, k: int) -> float:
    """The time from which a law's own time counts; the first of its numbers is its delay."""
    at = coords.number[k, 0]
    if coords.clock[k] >= 0:
        at += fires[coords.clock[k]]
    return float(at)


@inner
def _respond(
    coords: Coordinates, curves: Curves, clock: Clock, k: int, z: Array
) -> tuple[float, float, float]:
    """What an actuator resists by what it senses, the rate of its sum, and what is off.

    At its limit the sum stands still, where it would only lead further beyond.
    """
    curve, number, row = coords.curve, coords.number, coords.senses[k]
    x, rate = coords.seen[row, SEEN_WAY], coords.seen[row, SEEN_RATE]
    if coords.late[k] >= 0:
        x, rate = sensed(coords, coords.late[k], clock.t, x)
    target, speed = curve_within(curves, curve[k, 0], clock.since, clock.within)
    off, faster, more = x - target, rate - speed, curve_at(curves, curve[k, 3], target)[0]
    f = curve_at(curves, curve[k, 1], target)[0] * off
    f += curve_at(curves, curve[k, 2], target)[0] * faster + more * z[coords.state[k]]
    if curve[k, 4] >= 0:
        f += curve_at(curves, curve[k, 4], off)[0]
    if curve[k, 5] >= 0:
        f += curve_at(curves, curve[k, 5], faster)[0]
    s, limit, growth = coords.slot[k], number[k, LIMIT], off
    if s >= 0:
        coords.memory[s, 0], coords.memory[s, 1] = off + number[k, SWITCH_LEAD] * faster, 1.0
        if coords.mode[s] != 0:
            f += number[k, SWITCH_SIZE] if coords.mode[s] == ON_ABOVE else -number[k, SWITCH_SIZE]
    if abs(f) > limit:
        growth = off if f * more * off < 0.0 else 0.0
        f = limit if f > 0.0 else -limit
    if clock.since < number[k, RISES_OVER]:
        f *= clock.since / number[k, RISES_OVER]
    return float(f), float(growth), float(off)


@inner
def _is_there(coords: Coordinates, n: int, k: int) -> bool:
    """Whether what an actuator of element n senses is there; its joint may have broken."""
    row = coords.senses[k]
    return bool(row == n or coords.seen[row, SEEN_LOAD] > 0.0)


@inner
def actuator(
    coords: Coordinates, curves: Curves, clock: Clock, n: int, k: int, elements: Elements
) -> float:
    """What an actuator resists, and the rate of its state: the sum of what is off by time.

    With a period both are those of its last sample; before the first it acts as without one.
    """
    s, i = coords.slot[k], coords.tick[k]
    elements.rates[coords.state[k]] = 0.0
    if s >= 0:
        coords.memory[s, 1] = 0.0
    if clock.within < 0.0 or not _is_there(coords, n, k):
        return 0.0
    if i >= 0 and coords.held[i, COUNT] > 0.0:
        f, growth, off = coords.held[i, GIVEN], coords.held[i, GROWTH], coords.held[i, OFF]
    else:
        f, growth, off = _respond(coords, curves, clock, k, elements.z)
    elements.rates[coords.state[k]] = growth
    coords.seen[n, SEEN_OFF] = off
    return float(f)


@inner
def passes(coords: Coordinates, s: int) -> float:
    """A function that rises through zero when an actuator's switch is to turn."""
    k = coords.of[s]
    if coords.memory[s, 1] == 0.0 or coords.tick[k] >= 0:
        return -1.0
    off, on, below = coords.memory[s, 0], coords.number[k, SWITCH_ON], coords.number[k, SWITCH_OFF]
    if coords.mode[s] == ON_ABOVE:
        return float(below - off)
    if coords.mode[s] == ON_BELOW:
        return float(below + off)
    return float(abs(off) - on)


@inner
def turn(coords: Coordinates, s: int) -> None:
    """Turn an actuator's switch as what is off says."""
    k = coords.of[s]
    off, on, below = coords.memory[s, 0], coords.number[k, SWITCH_ON], coords.number[k, SWITCH_OFF]
    near = SWITCH_ROUNDING * (on - below)
    if coords.memory[s, 1] == 0.0:
        return
    mode = coords.mode[s]
    if (mode == ON_ABOVE and off < below + near) or (mode == ON_BELOW and -off < below + near):
        mode = 0
    if mode == 0 and abs(off) > on - near:
        mode = ON_ABOVE if off > 0.0 else ON_BELOW
    coords.mode[s] = mode


@separate
@kernel
def take_samples(coords: Coordinates, curves: Curves, moment: Moment, z: Array) -> bool:
    """Let actuators with a period whose time has come sense, and hold what they give; says whether any has.

    Keeps the time of the next one, or of the next beginning that depends on a trigger: no step goes past it. The state has
    just been evaluated.
    """
    taken, t, fires = False, moment.t, moment.fires
    coords.wake[0] = NO_TIME
    for j in range(len(coords.stop_law)):
        stop = fires[coords.clock[coords.stop_law[j]]] + coords.stop_after[j]
        if stop > t:
            coords.wake[0] = min(coords.wake[0], stop)
    for i in range(len(coords.period)):
        k, n = coords.tick_law[i], coords.tick_row[i]
        at, count = begins(coords, fires, k), coords.held[i, COUNT]
        if at + count * coords.period[i] <= t:
            s, clock = coords.slot[k], Clock(t, t - at, max(moment.within - at, 0.0))
            f = growth = off = 0.0
            if _is_there(coords, n, k):
                f, growth, off = _respond(coords, curves, clock, k, z)
                if s >= 0:
                    turn(coords, s)
                    f, growth, off = _respond(coords, curves, clock, k, z)
            count += 1.0
            coords.held[i, COUNT], coords.held[i, GIVEN] = count, f
            coords.held[i, GROWTH], coords.held[i, OFF] = growth, off
            taken = True
        coords.wake[0] = min(coords.wake[0], at + count * coords.period[i])
    blocks = coords.blocks
    if len(blocks.hold):
        for i in range(len(blocks.hold)):
            blocks.held[i, BEGINS] = begins(coords, fires, blocks.hold_law[i])
        if take_held(blocks, t, coords.wake):
            taken = True
    return taken


# Muscle by activation, length and speed, on a tendon that does not give (Hill's, in the shapes of Thelen).

WIDTH = 0.45
"""Shape of the active curve by length (gamma)."""
PASSIVE_STEEP = 5.0
"""Shape of the passive curve (k_PE)."""
PASSIVE_SCALE = math.exp(PASSIVE_STEEP) - 1.0
BENT = 0.25
"""Shape of the curve by speed while it shortens (A_f)."""
STRETCHED_MOST = 1.4
"""What it holds at most while it is stretched, in parts of what it holds still (F_len)."""
SLOWER = (STRETCHED_MOST - 1.0) * BENT / (1.0 + BENT)
"""Speed that makes the slopes alike at standstill."""


@inlined
def by_speed(speed: float) -> float:
    """Give the part of its strength at a speed, in parts of the greatest; above zero it lengthens."""
    if speed <= -1.0:
        return 0.0
    if speed < 0.0:
        return float((1.0 + speed) / (1.0 - speed / BENT))
    return float((STRETCHED_MOST * speed + SLOWER) / (speed + SLOWER))


@inner
def _reflex(coords: Coordinates, curves: Curves, clock: Clock, k: int) -> float:
    """The activation that a muscle's reflex adds."""
    row = coords.senses[k]
    x, rate = coords.seen[row, SEEN_WAY], coords.seen[row, SEEN_RATE]
    if coords.seen[row, SEEN_LOAD] == 0.0:
        # what it senses has broken off
        return 0.0
    if coords.late[k] >= 0:
        x, rate = sensed(coords, coords.late[k], clock.t, x)
    target, speed = curve_within(curves, coords.curve[k, 1], clock.since, clock.within)
    return float(coords.number[k, 11] * (x - target) + coords.number[k, 12] * (rate - speed))


@inlined
def hill(
    coords: Coordinates, curves: Curves, clock: Clock, n: int, k: int, elements: Elements
) -> tuple[float, float, float]:
    """What a muscle resists at rest and by activation, and the energy its fibres hold.

    Its numbers are delay, strength, fibre length, stretch at zero, greatest speed, passive strain, times of
    rise and fall, activation before its time, that at the start, from which its state counts, its sign, and the gains
    of its reflex.
    """
    number, state, rates = coords.number, coords.state[k], elements.rates
    x, rate = coords.seen[n, SEEN_WAY], coords.seen[n, SEEN_RATE]
    strength, fibre, strain = number[k, 1], number[k, 2], number[k, 5]
    asked = number[k, 8]
    if clock.within >= 0.0:
        asked = curve_within(curves, coords.curve[k, 0], clock.since, clock.within)[0]
        if coords.senses[k] != n:
            asked += _reflex(coords, curves, clock, k)
            asked = min(max(asked, 0.0), 1.0)
    active = number[k, 9] + elements.z[state]
    pace = 0.5 + 1.5 * active
    if asked > active:
        rates[state] = (asked - active) / (number[k, 6] * pace)
    else:
        rates[state] = (asked - active) * pace / number[k, 7]
    sign = number[k, 10]
    length = number[k, 3] + sign * x / fibre
    if length <= 0.0:
        return 0.0, 0.0, 0.0
    off = length - 1.0
    pull = sign * strength * active * math.exp(-off * off / WIDTH)
    pull *= by_speed(sign * rate / (fibre * number[k, 4]))
    if off <= 0.0:
        return 0.0, pull, 0.0
    part = math.exp(PASSIVE_STEEP * off / strain) - 1.0
    held = strength * fibre * (strain / PASSIVE_STEEP * part - off) / PASSIVE_SCALE
    return sign * strength * part / PASSIVE_SCALE, pull, held
