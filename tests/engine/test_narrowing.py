"""Looking for an event ends, also in the shortest steps; events nearer than errors happen together."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from solver.analysis.crash.build import crash, first
from solver.bodies import adult_dimensions, human
from solver.engine.dynamics.tree import Array
from solver.engine.integrate.flow import (
    AT,
    G_HIGH,
    G_LOW,
    HIGH,
    LOW,
    PHASE,
    T0,
    Flow,
    H,
    T,
    make_flow,
)
from solver.engine.integrate.narrowing import narrow, next_probe
from solver.engine.integrate.plan import LOCATING, STAGING
from solver.engine.jit.kernels import kernel
from solver.running.simulation import simulate

MANY = 300


@kernel
def _rounds(flow: Flow, g: Array, at: float) -> int:
    """Halve the bracket of an event that happens at a time; give how often."""
    clock = flow.clock
    for n in range(MANY):
        clock[AT] = clock[T0] + 0.5 * (clock[LOW] + clock[HIGH]) * clock[H]
        g[0] = 1.0 if clock[AT] > at else -1.0
        narrow(flow, g, 0.0)
        if flow.counters[PHASE] == STAGING:
            return n
    return MANY


@pytest.mark.parametrize("start", [0.0, 0.14, 3.0])
@pytest.mark.parametrize("step", [1e-3, 1e-6, 1e-8, 1e-10])
def test_looking_for_an_event_ends(start: float, step: float) -> None:
    nothing = np.zeros(1)
    flow = make_flow(nothing, nothing, nothing, 0, np.zeros(1, np.int64), np.ones(1, np.int64))
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
        s = next_probe(flow, 0.0)
        clock[AT] = clock[T0] + s * clock[H]
        g[0] = size * math.expm1(3.0 * (s - at))
        narrow(flow, g, 0.0)
        if flow.counters[PHASE] == STAGING:
            return n + 1
    return MANY


@pytest.mark.parametrize("at", [0.003, 0.3, 0.61, 0.9995])
@pytest.mark.parametrize("size", [1e-7, 1.0, 1e5])
def test_a_smooth_event_is_found_in_few_looks(at: float, size: float) -> None:
    nothing, step = np.zeros(1), 1e-4
    flow = make_flow(nothing, nothing, nothing, 0, np.zeros(1, np.int64), np.ones(1, np.int64))
    end = size * math.expm1(3.0 * (1.0 - at))
    flow.clock[[T, T0, H]] = 1.0, 1.0, step
    flow.clock[[LOW, HIGH, G_LOW, G_HIGH]] = 0.0, 1.0, 0.0, end
    flow.counters[PHASE], flow.fire[0] = LOCATING, 1
    assert _looks(flow, np.zeros(1), at, size) <= 14
    assert flow.clock[H] == pytest.approx(at * step, abs=1e-9 * step + 1e-15)


@kernel
def _looks_for_many(flow: Flow, g: Array, at: Array, relative: float) -> int:
    """Look for the first of events on straight lines; give how often."""
    clock = flow.clock
    for n in range(MANY):
        s = next_probe(flow, relative)
        clock[AT] = clock[T0] + s * clock[H]
        for k in range(len(g)):
            g[k] = s - at[k]
        narrow(flow, g, relative)
        if flow.counters[PHASE] == STAGING:
            return n + 1
    return MANY


@pytest.mark.parametrize(
    ("first", "apart", "relative", "together"),
    [
        (0.3, 5e-5, 1e-5, True),
        (0.3, 2e-4, 1e-5, False),
        (0.3, 5e-5, 1e-6, False),
        (0.3, 5e-6, 0.0, True),
        (0.3, 5e-5, 0.0, False),
        (0.99998, 1e-5, 1e-5, True),
        (0.3, 2e-3, 1e-3, False),
    ],
)
def test_events_nearer_than_the_error_happen_together(
    first: float, apart: float, relative: float, together: bool
) -> None:
    nothing, step = np.zeros(1), 1e-3
    flow = make_flow(nothing, nothing, nothing, 0, np.zeros(2, np.int64), np.ones(2, np.int64))
    flow.clock[[T, T0, H]] = 1.0, 1.0, step
    flow.clock[[LOW, HIGH, G_LOW, G_HIGH]] = 0.0, 1.0, 0.0, 1.0 - first
    flow.counters[PHASE], flow.fire[:] = LOCATING, 2
    _looks_for_many(flow, np.zeros(2), np.array([first + apart, first]), relative)
    assert list(flow.fire) == [1 if together else 0, 1]
    # nobody waits longer than is asked for
    assert -1e-12 <= flow.clock[H] / step - first <= max(10.0 * relative, 1e-5) * together + 1e-8


@pytest.mark.parametrize(
    ("blows", "happen"),
    [((), [1, 1, 1]), ((2,), [0, 0, 1]), ((0, 1), [0, 0, 1]), ((0,), [0, 1, 1])],
)
def test_blows_keep_their_order_however_near(blows: tuple[int, ...], happen: list[int]) -> None:
    """The first, or one that follows, or one among others that set something free."""
    nothing, frees = np.zeros(1), np.ones(3, np.int64)
    frees[list(blows)] = 0
    flow = make_flow(nothing, nothing, nothing, 0, np.zeros(3, np.int64), frees)
    flow.clock[[T, T0, H]] = 1.0, 1.0, 1e-3
    flow.clock[[LOW, HIGH, G_LOW, G_HIGH]] = 0.0, 1.0, 0.0, 0.7
    flow.counters[PHASE], flow.fire[:] = LOCATING, 2
    _looks_for_many(flow, np.zeros(3), 0.3 + np.array([5e-6, 6e-6, 0.0]), 1e-5)
    assert list(flow.fire) == happen


def test_looking_for_company_stays_within_a_little_of_a_short_step() -> None:
    nothing = np.zeros(1)
    flow = make_flow(nothing, nothing, nothing, 0, np.zeros(2, np.int64), np.ones(2, np.int64))
    flow.clock[[T, T0, H]] = 0.0, 0.0, 1e-8
    flow.clock[[LOW, HIGH, G_LOW, G_HIGH]] = 0.0, 1.0, 0.0, 0.7
    flow.counters[PHASE], flow.fire[:] = LOCATING, 2
    _looks_for_many(flow, np.zeros(2), np.array([0.302, 0.3]), 0.0)
    assert list(flow.fire) == [0, 1]


def test_both_shoulders_of_one_who_sits_straight_slip_together() -> None:
    woman = human(adult_dimensions("female", percentile=5.0))
    project = crash(replace(first("ejection"), who=woman))
    run = project.runs[0].model_copy(update={"duration_s": 0.014, "frame_interval_s": 0.001})
    ran = simulate(project.model_copy(update={"runs": (run,)}))
    opened = {
        event.elements[0]: event.time
        for event in ran.events()
        if event.kind == "joint_opens" and event.elements[0].endswith("clavicle")
    }
    assert len(opened) == 2
    assert len(set(opened.values())) == 1
