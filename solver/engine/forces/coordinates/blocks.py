"""Blocks: signals from sensors through transfer functions, limits and samples; and cylinders of oil behind a valve.

What has a state gives it first, then all others follow in an order in which each has its inputs; last the rates of states.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.state import Elements
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.curve import Curves, curve_at, curve_within

(
    SENSED_WAY, SENSED_RATE, SOURCE, INTEGRATOR, LAG, SECOND, TRANSFER, RATE_LIMITER, HOLD, PRESSURE, SUM, PRODUCT, CURVE, LIMITER,
    DEAD_ZONE, THROUGH,
) = range(16)  # fmt: skip
"""Kinds of signals; those before SUM need no input for their value. THROUGH is a transfer function that passes on at once."""

SEEN_WAY, SEEN_RATE, SEEN_LOAD = range(3)

COUNTED, HOLDS, TAKES, BEGINS = range(4)
"""Of a held signal: how many samples there were, what it holds and takes next, and when its law begins."""

SOFT = 1e-4
"""Part of the supply pressure below which flow goes with the drop instead of its root."""
LEAST = 1e-2
"""Part of its volume at zero that a chamber keeps, however far the piston goes."""
FULL = 1.0
"""Largest opening of a valve."""


@struct
class Blocks(NamedTuple):
    """Hold the signals of all laws: law k has those from `first[k]` to `first[k + 1]`, and gives `out[k]`, -1 for none.

    Signal s is of a kind, has four numbers, a row (coordinate sensed, curve, or place of its coefficients), the entry of z of its first
    state, and wires from `wire_first[s]` on. `value` is worked out at each evaluation. Held signals `hold` take a sample every
    `period`.
    """

    first: IntArray
    out: IntArray
    gain: Array
    kind: IntArray
    number: Array
    row: IntArray
    state: IntArray
    wire_first: IntArray
    wire: IntArray
    wire_gain: Array
    coefficient: Array
    hold: IntArray
    hold_law: IntArray
    hold_of: IntArray
    period: Array
    held: Array
    value: Array


@inner
def _input(blocks: Blocks, s: int) -> float:
    """What comes in by all wires of a signal."""
    total = 0.0
    for w in range(blocks.wire_first[s], blocks.wire_first[s + 1]):
        total += blocks.wire_gain[w] * blocks.value[blocks.wire[w]]
    return total


@inner
def _product(blocks: Blocks, s: int) -> float:
    total = 1.0
    for w in range(blocks.wire_first[s], blocks.wire_first[s + 1]):
        total *= blocks.wire_gain[w] * blocks.value[blocks.wire[w]]
    return total


@inner
def _states(blocks: Blocks, s: int, z: Array) -> float:
    """The part of a transfer function's output that its states give; its order stands first, then c, a and d."""
    at, i = blocks.row[s], blocks.state[s]
    order = int(blocks.coefficient[at])
    total = 0.0
    for j in range(order):
        total += blocks.coefficient[at + 1 + j] * z[i + j]
    return total


@inner
def _value(
    blocks: Blocks, seen: Array, curves: Curves, since: float, within: float, s: int, z: Array
) -> float:
    """What a signal is now."""
    kind, number = blocks.kind[s], blocks.number
    if kind in (SENSED_WAY, SENSED_RATE):
        r = blocks.row[s]
        at = SEEN_WAY if kind == SENSED_WAY else SEEN_RATE
        return float(number[s, 0] * seen[r, at]) if seen[r, SEEN_LOAD] > 0.0 else 0.0
    if kind == SOURCE:
        return float(curve_within(curves, blocks.row[s], since, within)[0])
    if kind == INTEGRATOR:
        return float(min(max(number[s, 0] + z[blocks.state[s]], number[s, 1]), number[s, 2]))
    if kind in (LAG, SECOND, RATE_LIMITER):
        return float(number[s, 0] + z[blocks.state[s]])
    if kind == TRANSFER:
        return _states(blocks, s, z)
    if kind == HOLD:
        return float(blocks.held[blocks.hold_of[s], HOLDS])
    if kind == PRESSURE:
        return float(blocks.value[s])
    if kind == PRODUCT:
        return _product(blocks, s)
    u = _input(blocks, s)
    if kind == SUM:
        return float(u + number[s, 0])
    if kind == CURVE:
        return float(curve_at(curves, blocks.row[s], u)[0])
    if kind == LIMITER:
        return float(min(max(u, number[s, 0]), number[s, 1]))
    if kind == DEAD_ZONE:
        return float(max(u - number[s, 1], 0.0) + min(u - number[s, 0], 0.0))
    at = blocks.row[s]
    return float(
        _states(blocks, s, z) + blocks.coefficient[at + 1 + 2 * int(blocks.coefficient[at])] * u
    )


@inner
def _change(blocks: Blocks, s: int, z: Array, rates: Array) -> None:
    """The rates of a signal's states."""
    kind, number, i = blocks.kind[s], blocks.number, blocks.state[s]
    if i < 0 or kind == PRESSURE:
        return
    u = _input(blocks, s)
    if kind == INTEGRATOR:
        y = number[s, 0] + z[i]
        stands = (y >= number[s, 2] and u > 0.0) or (y <= number[s, 1] and u < 0.0)
        rates[i] = 0.0 if stands else u
    elif kind == LAG:
        rates[i] = (u - number[s, 0] - z[i]) / number[s, 1]
    elif kind == SECOND:
        w = number[s, 1]
        rates[i] = w * z[i + 1]
        rates[i + 1] = w * (u - number[s, 0] - z[i] - 2.0 * number[s, 2] * z[i + 1])
    elif kind == RATE_LIMITER:
        rates[i] = min(max((u - number[s, 0] - z[i]) / number[s, 3], -number[s, 2]), number[s, 1])
    else:
        # controllable form: the last state takes what comes in
        at = blocks.row[s]
        order = int(blocks.coefficient[at])
        last = u
        for j in range(order):
            last -= blocks.coefficient[at + 1 + order + j] * z[i + j]
            if j < order - 1:
                rates[i + j] = z[i + j + 1]
        rates[i + order - 1] = last


@inner
def stand_still(blocks: Blocks, k: int, elements: Elements) -> None:
    """Let nothing of a law's states change."""
    for s in range(blocks.first[k], blocks.first[k + 1]):
        i = blocks.state[s]
        if i >= 0:
            elements.rates[i] = 0.0
            if blocks.kind[s] == SECOND:
                elements.rates[i + 1] = 0.0
            elif blocks.kind[s] in (TRANSFER, THROUGH):
                for j in range(int(blocks.coefficient[blocks.row[s]])):
                    elements.rates[i + j] = 0.0


@inner
def signal(
    blocks: Blocks, seen: Array, curves: Curves, since: float, within: float, k: int, elements: Elements
) -> float:  # fmt: skip
    """What comes out of a law's blocks; nothing before its time."""
    begun = within >= 0.0
    first, end = blocks.first[k], blocks.first[k + 1]
    for s in range(first, end):
        blocks.value[s] = _value(blocks, seen, curves, since, within, s, elements.z)
    if not begun:
        stand_still(blocks, k, elements)
        return 0.0
    for s in range(first, end):
        _change(blocks, s, elements.z, elements.rates)
    out = blocks.out[k]
    return float(blocks.gain[k] * blocks.value[out]) if out >= 0 else 0.0


@separate
@kernel
def take_held(blocks: Blocks, t: float, wake: Array) -> bool:
    """Let signals that are held take a sample whose time has come, all at once; says whether any has.

    `wake` is brought forward to the next sample.
    """
    taken, held, period = False, blocks.held, blocks.period
    for i in range(len(blocks.hold)):
        if held[i, BEGINS] + held[i, COUNTED] * period[i] <= t:
            held[i, TAKES] = _input(blocks, blocks.hold[i])
            taken = True
    for i in range(len(blocks.hold)):
        if held[i, BEGINS] + held[i, COUNTED] * period[i] <= t:
            held[i, COUNTED] += 1.0
            held[i, HOLDS] = held[i, TAKES]
        wake[0] = min(wake[0], held[i, BEGINS] + held[i, COUNTED] * period[i])
    return taken


# Cylinders of oil behind a valve.

(
    DELAY, SUPPLY, TANK, FLOW, AREA_A, AREA_B, VOLUME_A, VOLUME_B, BULK, LEAK, START_A, START_B,
) = range(12)  # fmt: skip
"""Numbers of a cylinder; FLOW is that through an open edge by the root of the drop."""


@inlined
def _root(drop: float, soft: float) -> float:
    """The root of a drop with its sign; in proportion to it where it is small."""
    return drop / math.sqrt(math.sqrt(drop * drop + soft * soft))


@inlined
def cylinder(
    number: Array, k: int, opening: float, x: float, rate: float, i: int, elements: Elements
) -> tuple[float, float, float]:
    """Both pressures and the force of a cylinder; their rates, in parts of the supply's, go to the states from i on."""
    supply, tank, soft = number[k, SUPPLY], number[k, TANK], SOFT * number[k, SUPPLY]
    a = number[k, START_A] + supply * elements.z[i]
    b = number[k, START_B] + supply * elements.z[i + 1]
    u = min(max(opening, -FULL), FULL) * number[k, FLOW]
    # above zero A gets oil from the supply and B gives back to the tank, below the other way round
    into_a = u * _root(supply - a, soft) if u >= 0.0 else u * _root(a - tank, soft)
    into_b = -u * _root(b - tank, soft) if u >= 0.0 else -u * _root(supply - b, soft)
    leak = number[k, LEAK] * (a - b)
    volume_a = max(number[k, VOLUME_A] + number[k, AREA_A] * x, LEAST * number[k, VOLUME_A])
    volume_b = max(number[k, VOLUME_B] - number[k, AREA_B] * x, LEAST * number[k, VOLUME_B])
    bulk = number[k, BULK] / supply
    grows_a = bulk / volume_a * (into_a - number[k, AREA_A] * rate - leak)
    grows_b = bulk / volume_b * (into_b + number[k, AREA_B] * rate + leak)
    # oil does not pull
    elements.rates[i] = 0.0 if a <= 0.0 and grows_a < 0.0 else grows_a
    elements.rates[i + 1] = 0.0 if b <= 0.0 and grows_b < 0.0 else grows_b
    return a, b, a * number[k, AREA_A] - b * number[k, AREA_B]
