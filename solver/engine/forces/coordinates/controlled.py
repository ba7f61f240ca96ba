"""Actuators: what they give by what they sense, when they switch, and what they hold from sample to sample."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array
from solver.engine.forces.coordinates.arrays import (
    COUNT,
    GIVEN,
    GROWTH,
    LIMIT,
    NO_TIME,
    OFF,
    ON_ABOVE,
    ON_BELOW,
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
from solver.engine.forces.coordinates.sensed import sensed
from solver.engine.forces.state import Elements, Moment
from solver.engine.jit.kernels import inner, kernel
from solver.engine.jit.separate import separate
from solver.engine.maths.curve import Curves, curve_at, curve_within

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
    return taken
