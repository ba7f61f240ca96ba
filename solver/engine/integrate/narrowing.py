"""Events inside a step: which have happened, and when the first did."""

from __future__ import annotations

from solver.engine.dynamics.tree import Array
from solver.engine.integrate.flow import (
    AT,
    G_HIGH,
    G_LOW,
    HIGH,
    LOW,
    PHASE,
    RETAKING,
    SIDE,
    STAGE,
    T0,
    Flow,
    H,
    begin,
    undo,
)
from solver.engine.integrate.plan import EVALUATE, STAGING
from solver.engine.jit.kernels import inner

BRACKET = 1e-9
"""Part of a step to which an event is located."""


BEYOND, NEAREST = 0.4, 0.01
"""How far beyond a straight line's crossing to look, in parts of `BRACKET`, and how near an end of the bracket,
in parts of it."""


ROUNDED = 1e-15
"""Part of the time, and of a second, at which two times are told apart."""


FREED_TOGETHER, INSTANT, LITTLE_OF_STEP = 10.0, 1e-8, 1e-3
"""How near each other two events that set something free happen together (assumed): this many relative errors of the
method, in parts of the step, or this many seconds, but no more than that part of the step. Of two that a run computes
no farther apart, rounding alone would say which is the first, and the first may keep the other from happening, as when
both shoulders of one who sits straight slip at the same load. Blows keep their order, however near: it says where they
go."""

LAST_LOOK = 2
"""Value of `counters[SIDE]` once the first event is found, and what happens together with it is looked for."""


@inner
def nearness(flow: Flow, relative: float) -> float:
    """Say how far beyond the first event to look for others, in parts of the step: not beyond its end."""
    near = min(max(FREED_TOGETHER * relative, INSTANT / float(flow.clock[H])), LITTLE_OF_STEP)
    return float(min(near, 1.0 - flow.clock[HIGH]))


@inner
def find_crossings(flow: Flow) -> bool:
    """Mark the events whose function has risen above zero, at the end or at a stage."""
    found = False
    for k in range(len(flow.fire)):
        crossed = flow.armed[k] != 0 and flow.g_most[k] > 0.0
        flow.fire[k] = 1 if crossed else 0
        found = found or crossed
    return found


@inner
def next_probe(flow: Flow, relative: float) -> float:
    """Say where in the step to look next, in parts of it; `relative` is the method's error, 0 where it heeds none.

    It is the middle until both ends are known, then a little beyond where a straight line crosses, on the side
    of the end that has not moved: so both come close, and events that happen together stay together.
    """
    clock = flow.clock
    if flow.counters[SIDE] == LAST_LOOK:
        return float(clock[HIGH] + nearness(flow, relative))
    a, b, ga, gb = clock[LOW], clock[HIGH], clock[G_LOW], clock[G_HIGH]
    if ga < 0.0 and gb > 0.0:
        beyond = -BEYOND * BRACKET * flow.counters[SIDE]
        s = a - (b - a) * ga / (gb - ga) + beyond
        return float(min(max(s, a + NEAREST * (b - a)), b - NEAREST * (b - a)))
    return float(0.5 * (a + b))


@inner
def narrow(flow: Flow, g: Array, relative: float) -> int:
    """Narrow the bracket of the first event by the functions at its probe."""
    clock, counters = flow.clock, flow.counters
    s = (clock[AT] - clock[T0]) / clock[H]
    if counters[SIDE] == LAST_LOOK:
        for k in range(len(g)):
            if flow.fire[k] == 1 and flow.frees[k] and g[k] > 0.0:
                flow.fire[k] = 2
                clock[HIGH] = s
        return _go_up_to(flow)
    most = -1e300
    for k in range(len(g)):
        if flow.fire[k] != 0:
            most = max(most, g[k])
    # Illinois: an end that stays for a second time is weighed less
    side = 1 if most > 0.0 else -1
    weight = 0.5 if side == counters[SIDE] else 1.0
    counters[SIDE] = side
    if side > 0:
        clock[HIGH], clock[G_HIGH] = s, most
        clock[G_LOW] *= weight
        for k in range(len(g)):
            if flow.fire[k] != 0:
                flow.fire[k] = 2 if g[k] > 0.0 else 1
    else:
        clock[LOW], clock[G_LOW] = s, most
        clock[G_HIGH] *= weight
    # no closer than two times can be told apart
    if clock[HIGH] - clock[LOW] > BRACKET + ROUNDED * (1.0 + abs(clock[T0])) / clock[H]:
        return EVALUATE
    if clock[HIGH] == 1.0 and clock[G_HIGH] == 0.0:
        # seen at a stage only; the step itself stays below
        for k in range(len(g)):
            flow.fire[k] = 0
    if _is_alone(flow) or nearness(flow, relative) <= BRACKET:
        return _go_up_to(flow)
    counters[SIDE] = LAST_LOOK
    return EVALUATE


@inner
def _is_alone(flow: Flow) -> bool:
    """Whether no event of this step is left that may happen together with the first."""
    frees = others = False
    for k in range(len(flow.fire)):
        if flow.fire[k] == 2:
            if not flow.frees[k]:
                return True
            frees = True
        others = others or (flow.fire[k] == 1 and flow.frees[k] != 0)
    return not (frees and others)


@inner
def _go_up_to(flow: Flow) -> int:
    """Take the step again, up to the events that have been found."""
    clock, counters = flow.clock, flow.counters
    undo(flow)
    seen = False
    for k in range(len(flow.fire)):
        seen = seen or flow.fire[k] == 2
    for k in range(len(flow.fire)):
        flow.fire[k] = 1 if flow.fire[k] == 2 or (not seen and flow.fire[k] == 1) else 0
    begin(flow, clock[H] * clock[HIGH])
    counters[RETAKING], counters[STAGE], counters[PHASE] = 1, 1, STAGING
    return EVALUATE
