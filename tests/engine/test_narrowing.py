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
    EASES,
    HIGH,
    JUMPS,
    LOW,
    STRIKES,
    T0,
    Flow,
    H,
    T,
    make_flow,
)
from solver.engine.integrate.narrowing import (
    FOUND,
    NONE_FOUND,
    find_crossings,
    mark_found,
    narrow,
    next_probe,
)
from solver.engine.jit.kernels import kernel
from solver.running.simulation import simulate

MANY = 300


def crossed(
    start: float, step: float, before: list[float], after: list[float], sort: int = STRIKES, frees: int = 1
) -> Flow:  # fmt: skip
    """A step at whose end the functions of events have risen from one list of values to another."""
    nothing, n = np.zeros(1), len(after)
    flow = make_flow(
        nothing, nothing, nothing, 0, np.zeros(n, np.int64), np.full(n, frees), np.full(n, sort)
    )
    flow.clock[[T, T0, H]] = start, start, step
    flow.g_start[:] = before
    flow.g_most[:] = after
    flow.g_when[:] = 1.0
    return flow


@kernel
def _rounds(flow: Flow, g: Array, at: float) -> int:
    """Halve the bracket of an event that happens at a time; give how often."""
    clock = flow.clock
    find_crossings(flow, g)
    for n in range(MANY):
        clock[AT] = clock[T0] + 0.5 * (clock[LOW] + clock[HIGH]) * clock[H]
        g[0] = 1.0 if clock[AT] > at else -1.0
        if narrow(flow, g, 0.0) == FOUND:
            return n
    return MANY


@pytest.mark.parametrize("start", [0.0, 0.14, 3.0])
@pytest.mark.parametrize("step", [1e-3, 1e-6, 1e-8, 1e-10])
def test_looking_for_an_event_ends(start: float, step: float) -> None:
    flow = crossed(start, step, [-1.0], [1.0])
    assert _rounds(flow, np.ones(1), start + 0.3 * step) <= 31
    # the event happens there, or as near as times are told apart
    off = (flow.clock[HIGH] - 0.3) * flow.clock[H]
    assert -1e-18 - 1e-15 * start <= off <= 1e-9 * step + 2e-15 * (1.0 + start)


CURVED, LEAPING, LATE = range(3)


@kernel
def _value(shape: int, size: float, s: float, at: float) -> float:
    """A function that rises through zero: curved, with a jump from far below to little above, or from below all bounds."""
    if shape == CURVED:
        return float(size * math.expm1(3.0 * (s - at)))
    low = -1.0 if shape == LEAPING else -1e300
    return float(size * low if s < at else size * (1e-9 + 1e-3 * (s - at)))


@kernel
def _looks(flow: Flow, g: Array, at: float, size: float, shape: int, relative: float) -> int:
    """Look for the zero of a function; give how often."""
    clock = flow.clock
    g[0] = _value(shape, size, 1.0, at)
    find_crossings(flow, g)
    for n in range(MANY):
        s = next_probe(flow, relative)
        clock[AT] = clock[T0] + s * clock[H]
        g[0] = _value(shape, size, s, at)
        if narrow(flow, g, relative) == FOUND:
            return n + 1
    return MANY


@pytest.mark.parametrize("at", [0.003, 0.3, 0.61, 0.9995])
@pytest.mark.parametrize("size", [1e-7, 1.0, 1e5])
@pytest.mark.parametrize(
    ("sort", "looks", "near"), [(STRIKES, 20, 1e-9), (JUMPS, 6, 1.1e-6), (EASES, 5, 1e-3)]
)
def test_a_smooth_event_is_found_in_few_looks(
    at: float, size: float, sort: int, looks: int, near: float
) -> None:
    """Never before it happens, and no later than what it does may be missed."""
    start, end = (float(size * math.expm1(3.0 * (s - at))) for s in (0.0, 1.0))
    flow = crossed(1.0, 1e-4, [start], [end], sort)
    assert _looks(flow, np.zeros(1), at, size, CURVED, 1e-5) <= looks
    assert -1e-11 <= flow.clock[HIGH] - at <= near


@pytest.mark.parametrize("at", [0.003, 0.3, 0.9995])
@pytest.mark.parametrize("shape", [LEAPING, LATE])
@pytest.mark.parametrize(("sort", "near"), [(JUMPS, 1.1e-6), (EASES, 1e-3)])
def test_a_function_that_leaps_is_not_taken_for_a_straight_line(
    at: float, shape: int, sort: int, near: float
) -> None:
    low = -1.0 if shape == LEAPING else -1e300
    flow = crossed(1.0, 1e-4, [low], [1e-9 + 1e-3 * (1.0 - at)], sort)
    assert _looks(flow, np.zeros(1), at, 1.0, shape, 1e-5) <= 32
    assert -1e-11 <= flow.clock[HIGH] - at <= near


@kernel
def _at_stage(flow: Flow, g: Array, top: float) -> int:
    """Look once for what a stage has seen, where the step itself rises to a top in its middle; give what came of it."""
    g[0] = -1.0
    if not find_crossings(flow, g):
        return -1
    s = next_probe(flow, 0.0)
    flow.clock[AT] = flow.clock[T0] + s * flow.clock[H]
    g[0] = top - (s - 0.8) ** 2
    return narrow(flow, g, 0.0)


@pytest.mark.parametrize(
    ("when", "top", "said"), [(1.0, 1.0, -1), (0.8, -1e-9, NONE_FOUND), (0.8, 0.01, 0)]
)
def test_what_a_stage_alone_has_seen_takes_one_look(when: float, top: float, said: int) -> None:
    """None, where the stage stood at the end of the step, which says itself that nothing has happened."""
    flow = crossed(1.0, 1e-4, [-1.0], [0.5])
    flow.g_when[0] = when
    assert _at_stage(flow, np.zeros(1), top) == said
    assert flow.fire[0] == (2 if said == 0 else 0)


@kernel
def _at_two_stages(flow: Flow, g: Array) -> int:
    """Look where two stages have seen an event each, of which only the second is beyond at its stage; give what came of both looks."""
    g[:] = -1.0
    find_crossings(flow, g)
    found = 0
    for _ in range(2):
        s = next_probe(flow, 0.0)
        flow.clock[AT] = flow.clock[T0] + s * flow.clock[H]
        g[0], g[1] = -1.0, 0.01 - (s - 0.8) ** 2
        found = 10 * found + narrow(flow, g, 0.0)
    return found


def test_what_a_later_stage_has_seen_is_looked_for_too() -> None:
    """The first graze is none; the second happens, though no stage of the step is beyond it at its end."""
    flow = crossed(1.0, 1e-4, [-1.0, -1.0], [0.5, 0.5])
    flow.g_when[:] = 0.3, 0.8
    assert _at_two_stages(flow, np.zeros(2)) == 0, "both looks ask for more"
    assert flow.clock[HIGH] == pytest.approx(0.8)
    assert flow.fire.tolist() == [0, 2]


@kernel
def _looks_for_many(flow: Flow, g: Array, at: Array, relative: float) -> int:
    """Look for the first of events on straight lines; give how often."""
    clock = flow.clock
    for k in range(len(g)):
        g[k] = 1.0 - at[k]
    find_crossings(flow, g)
    for n in range(MANY):
        s = next_probe(flow, relative)
        clock[AT] = clock[T0] + s * clock[H]
        for k in range(len(g)):
            g[k] = s - at[k]
        if narrow(flow, g, relative) == FOUND:
            mark_found(flow)
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
    flow = crossed(1.0, 1e-3, [-first - apart, -first], [1.0 - first - apart, 1.0 - first])
    _looks_for_many(flow, np.zeros(2), np.array([first + apart, first]), relative)
    assert list(flow.fire) == [1 if together else 0, 1]
    # nobody waits longer than is asked for
    assert -1e-12 <= flow.clock[HIGH] - first <= max(10.0 * relative, 1e-5) * together + 1e-8


@pytest.mark.parametrize(
    ("blows", "happen"),
    [((), [1, 1, 1]), ((2,), [0, 0, 1]), ((0, 1), [0, 0, 1]), ((0,), [0, 1, 1])],
)
def test_blows_keep_their_order_however_near(blows: tuple[int, ...], happen: list[int]) -> None:
    """The first, or one that follows, or one among others that set something free."""
    at = 0.3 + np.array([5e-6, 6e-6, 0.0])
    flow = crossed(1.0, 1e-3, list(-at), list(1.0 - at))
    flow.frees[list(blows)] = 0
    _looks_for_many(flow, np.zeros(3), at, 1e-5)
    assert list(flow.fire) == happen


def test_looking_for_company_stays_within_a_little_of_a_short_step() -> None:
    flow = crossed(0.0, 1e-8, [-0.302, -0.3], [0.698, 0.7])
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
