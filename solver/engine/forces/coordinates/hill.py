"""Muscle by activation, length and speed, on a tendon that does not give (Hill's, in the shapes of Thelen).

Thelen, J Biomech Eng 125 (2003) 70-77: passive curve (3), active curve by length (4), by speed (6), and
activation, with the numbers for young adults (Table 1). What is stretched faster than it can hold bends as
in (6) without its dependence on activation, with the same slope on both sides of standstill, as in McLean,
Su and van den Bogert, J Biomech Eng 125 (2003) 864-874.
"""

from __future__ import annotations

import math

from solver.engine.forces.coordinates.arrays import SEEN_LOAD, SEEN_RATE, SEEN_WAY, Coordinates
from solver.engine.forces.coordinates.controlled import Clock
from solver.engine.forces.coordinates.sensed import sensed
from solver.engine.forces.state import Elements
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.curve import Curves, curve_within

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
