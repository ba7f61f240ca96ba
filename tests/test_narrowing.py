"""Looking for an event ends also in steps so short that their times are hardly told apart."""

from __future__ import annotations

import numpy as np
import pytest

from solver.dynamics.tree import Array
from solver.integrate.flow import AT, G_HIGH, G_LOW, HIGH, LOW, PHASE, T0, Flow, H, T, make_flow
from solver.integrate.narrowing import narrow
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
