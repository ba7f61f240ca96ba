"""Looking for an event ends also in steps so short that their times are hardly told apart."""

from __future__ import annotations

import math

import numpy as np
import pytest

from solver.dynamics.tree import Array
from solver.integrate.flow import AT, G_HIGH, G_LOW, HIGH, LOW, PHASE, T0, Flow, H, T, make_flow
from solver.integrate.narrowing import narrow, next_probe
from solver.integrate.plan import LOCATING, STAGING
from solver.maths.kernels import kernel

MANY = 300


@kernel
def _rounds(flow: Flow, g: Array, at: float) -> int:
    """Halve the bracket of an event that happens at a time; give how often."""
    clock = flow.clock
    for n in range(MANY):
        clock[AT] = clock[T0] + 0.5 * (clock[LOW] + clock[HIGH]) * clock[H]
        g[0] = 1.0 if clock[AT] > at else -1.0
        narrow(flow, g)
        if flow.counters[PHASE] == STAGING:
            return n
    return MANY


@pytest.mark.parametrize("start", [0.0, 0.14, 3.0])
@pytest.mark.parametrize("step", [1e-3, 1e-6, 1e-8, 1e-10])
def test_looking_for_an_event_ends(start: float, step: float) -> None:
    nothing = np.zeros(1)
    flow = make_flow(nothing, nothing, nothing, 0, np.zeros(1, np.int64))
    flow.clock[[T, T0, H]] = start, start, step
    flow.clock[[LOW, HIGH, G_LOW, G_HIGH]] = 0.0, 1.0, -1.0, 1.0
    flow.counters[PHASE], flow.fire[0] = LOCATING, 1
    assert _rounds(flow, np.zeros(1), start + 0.3 * step) <= 31
    # the step is taken again up to the event, or as near as times are told apart
    off = flow.clock[H] - 0.3 * step
    assert -1e-18 - 1e-15 * start <= off <= 1e-9 * step + 2e-15 * (1.0 + start)


@kernel
def _looks(flow: Flow, g: Array, at: float, size: float) -> int:
    """Look for the zero of a curved function; give how often."""
    clock = flow.clock
    for n in range(MANY):
        s = next_probe(flow)
        clock[AT] = clock[T0] + s * clock[H]
        g[0] = size * math.expm1(3.0 * (s - at))
        narrow(flow, g)
        if flow.counters[PHASE] == STAGING:
            return n + 1
    return MANY


@pytest.mark.parametrize("at", [0.003, 0.3, 0.61, 0.9995])
@pytest.mark.parametrize("size", [1e-7, 1.0, 1e5])
def test_a_smooth_event_is_found_in_few_looks(at: float, size: float) -> None:
    nothing, step = np.zeros(1), 1e-4
    flow = make_flow(nothing, nothing, nothing, 0, np.zeros(1, np.int64))
    end = size * math.expm1(3.0 * (1.0 - at))
    flow.clock[[T, T0, H]] = 1.0, 1.0, step
    flow.clock[[LOW, HIGH, G_LOW, G_HIGH]] = 0.0, 1.0, 0.0, end
    flow.counters[PHASE], flow.fire[0] = LOCATING, 1
    assert _looks(flow, np.zeros(1), at, size) <= 14
    assert flow.clock[H] == pytest.approx(at * step, abs=1e-9 * step + 1e-15)
