"""Laws of webbing and flesh whose memory changes at the ends of steps, not by events.

A harness has dozens of pieces, each with a path of its own: stopping for each reversal would cost more
than the run. Within a step the force follows the branch that the memory left it on, also a little way
back along it; at its end the memory takes in what has happened. Forces do not jump at that.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.laws import (
    BASE_START,
    BY_RATE,
    C0,
    C1,
    C2,
    C3,
    EXIT,
    GAP,
    HYSTERETIC,
    INDENTED,
    LOADING,
    Q1,
    Q2,
    REJOINS,
    RELOADING,
    RETURNING,
    SPIKE_GONE,
    TURNED_AT,
    UNLOADING,
    UNTOUCHED,
    Laws,
    loading,
    next_mode,
    normal_force,
    rated_force,
)
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.curve import Curves

SLOPE_AHEAD = 1e-7
"""How far ahead the slope is looked for, in parts of one."""

FASTER = 1e-6
"""How much faster (m/s) what depends on the rate is asked by what."""


@inner
def stretched(
    laws: Laws, curves: Curves, n: int, memory: Array, k: int, mode: int, x: float, rate: float
) -> tuple[float, float]:
    """Give the force at a strain or depth and its rate, and the energy held."""
    if x <= 0.0:
        return 0.0, 0.0
    if mode in (UNLOADING, RELOADING) and x > memory[k, TURNED_AT]:
        mode = LOADING
    elif mode == RELOADING and x < memory[k, REJOINS]:
        # back along the quadratic, which ends where there is no force
        mode = UNLOADING
    elif mode in (UNTOUCHED, GAP):
        mode = LOADING
    return normal_force(laws, curves, n, memory, k, mode, x, rate)


@inner
def force_and_slope(
    laws: Laws, curves: Curves, n: int, memory: Array, k: int, mode: int, x: float
) -> tuple[float, float]:
    """The force at rest at a strain or depth above zero, and its slope."""
    if laws.kind[n] == HYSTERETIC:
        m = memory
        if mode == UNLOADING or (mode == RELOADING and x < m[k, REJOINS]):
            if x <= m[k, TURNED_AT]:
                out = x - m[k, EXIT]
                if out <= 0.0:
                    return 0.0, 0.0
                return out * (m[k, Q1] + out * m[k, Q2]), m[k, Q1] + 2.0 * out * m[k, Q2]
        elif mode == RELOADING and x <= m[k, TURNED_AT]:
            on = x - m[k, REJOINS]
            force = m[k, C0] + on * (m[k, C1] + on * (m[k, C2] + on * m[k, C3]))
            return force, m[k, C1] + on * (2.0 * m[k, C2] + 3.0 * on * m[k, C3])
        force, slope = loading(laws, curves, n, x, m[k, SPIKE_GONE] != 0.0)
        return (force, slope) if force > 0.0 else (0.0, 0.0)
    force, _ = stretched(laws, curves, n, memory, k, mode, x, 0.0)
    ahead, _ = stretched(laws, curves, n, memory, k, mode, x + SLOPE_AHEAD, 0.0)
    return force, (ahead - force) / SLOPE_AHEAD


@inner
def force_and_slopes(
    laws: Laws, curves: Curves, n: int, memory: Array, k: int, mode: int, x: float, rate: float
) -> tuple[float, float, float]:
    """Give the force at a strain or depth above zero and its rate, and how it changes with both."""
    if laws.kind[n] == BY_RATE:
        force, rise, by_rate = rated_force(laws, curves, n, x, rate)
        return (force, rise, by_rate) if force > 0.0 else (0.0, 0.0, 0.0)
    force, _ = stretched(laws, curves, n, memory, k, mode, x, rate)
    ahead, _ = stretched(laws, curves, n, memory, k, mode, x + SLOPE_AHEAD, rate)
    faster, _ = stretched(laws, curves, n, memory, k, mode, x, rate + FASTER)
    return force, (ahead - force) / SLOPE_AHEAD, (faster - force) / FASTER


@inlined
def begins(laws: Laws, n: int, memory: Array, k: int, mode: int) -> float:
    """The strain at which there begins to be a force."""
    if mode in (UNLOADING, RELOADING, GAP):
        return float(max(memory[k, EXIT], 0.0))
    return float(max(laws.number[n, BASE_START], 0.0))


@inner
def remember(
    laws: Laws,
    curves: Curves,
    n: int,
    memory: Array,
    k: int,
    mode: IntArray,
    before: float,
    x: float,
) -> None:
    """Take a step's end into the memory: the way from one strain or depth to the next."""
    if x == before or (mode[k] == RETURNING and before == 0.0 and x > 0.0):
        # so it stood at the start
        return
    rate = 1.0 if x > before else -1.0
    if mode[k] == RELOADING and rate < 0.0 and x <= memory[k, REJOINS]:
        if x > memory[k, EXIT]:
            mode[k] = UNLOADING
        return
    after = next_mode(laws, curves, n, memory, k, mode[k], x, rate)
    if after == RETURNING and mode[k] == UNTOUCHED:
        # a step went past touching
        after = LOADING
    if after == GAP and laws.kind[n] == INDENTED:
        after = UNLOADING
    elif after == GAP:
        # reloading begins where the force ended
        mode[k] = GAP
        after = next_mode(laws, curves, n, memory, k, GAP, memory[k, EXIT] + 1.0, 1.0)
    mode[k] = after
