"""Events inside a step: which have happened, and when the first did."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array
from solver.engine.integrate.flow import (
    AT,
    EASES,
    G_HIGH,
    G_LOW,
    G_THIRD,
    HIGH,
    JUMPS,
    LOW,
    PHASE,
    RETAKING,
    SIDE,
    STAGE,
    STRIKES,
    T0,
    THIRD,
    Flow,
    H,
    begin,
    undo,
)
from solver.engine.integrate.plan import STAGING
from solver.engine.jit.kernels import inner

BRACKET = 1e-9
"""Part of a step to which an event that strikes is located."""


NEAR_JUMP, MOST_NEAR = 0.1, 1e-6
"""Part of a step to which a jump of forces is located, in relative errors of the method, and the most of it: what is missed is
that part of all that the jump does in a step."""


NEAR_BEND, MOST_BENT = 0.3, 0.1
"""Part of a step to which a bend of forces is located, in roots of those errors, and the most of it: what is missed is the
square of that part of all that the bend does in a step."""


TOLD = 1e-7
"""Time (s) to which they are located at least: what is told of them is as exact."""


BEYOND = 0.4
"""How far beyond the crossing to look, in parts of what an event is located to."""


NEAREST = 0.01
"""How near an end of the bracket to look for what strikes, in parts of it."""


ROUNDED = 1e-15
"""Part of the time, and of a second, at which two times are told apart."""


FREED_TOGETHER, INSTANT, LITTLE_OF_STEP = 10.0, 1e-8, 1e-3
"""How near each other two events that set something free happen together (assumed): this many relative errors of the
method, in parts of the step, or this many seconds, but no more than that part of the step. Of two that a run computes
no farther apart, rounding alone would say which is the first, and the first may keep the other from happening, as when
both shoulders of one who sits straight slip at the same load. Blows keep their order, however near: it says where they
go."""

LAST_LOOK, AT_STAGE = 2, 3
"""Values of `counters[SIDE]` once the first event is found, and what happens together with it is looked for; and where a
stage alone was beyond events, and it is looked whether the step itself is there."""

UNKNOWN_LOW, UNKNOWN_HIGH = 1.0, -1.0
"""What stands for the event's function at an end of the bracket where it is not known: no event would be between them."""

LOWEST = -1e29
"""The least that is kept of functions that are told to be never above zero."""

NEARLY_END = 1.0 - 1e-6
"""Part of a step from which a stage stands at its end."""

LOOKING, FOUND, NONE_FOUND = range(3)
"""What comes of a look: another one; the events that are marked happen at the end of the bracket; or nothing happens."""


@inner
def nearness(flow: Flow, relative: float) -> float:
    """Say how far beyond the first event to look for others, in parts of the step: not beyond its end."""
    near = min(max(FREED_TOGETHER * relative, INSTANT / float(flow.clock[H])), LITTLE_OF_STEP)
    return float(min(near, 1.0 - flow.clock[HIGH]))


@inner
def find_crossings(flow: Flow, g: Array) -> bool:
    """Mark the events whose function has risen above zero, at the end or at a stage, and lay the bracket of the first.

    What stands below zero at the end, and stood above it at a stage there too, has not happened: the stage was off.
    """
    clock, counters = flow.clock, flow.counters
    found = at_end = False
    low = LOWEST
    first = 1.0
    for k in range(len(g)):
        flow.fire[k] = 0
        if flow.armed[k] == 0 or flow.g_most[k] <= 0.0:
            continue
        if g[k] > 0.0:
            flow.fire[k] = 2
            at_end = True
        elif flow.g_when[k] < NEARLY_END:
            flow.fire[k] = 1
            first = min(first, flow.g_when[k])
        else:
            continue
        found = True
        low = max(low, flow.g_start[k])
    # what strikes and does not happen may stand a rounding below zero when the step starts: that says nothing of its slope
    is_known = low < 0.0 and sort_of_first(flow) != STRIKES
    clock[LOW], clock[G_LOW] = 0.0, low if is_known else UNKNOWN_LOW
    clock[HIGH], clock[G_HIGH] = 1.0, UNKNOWN_HIGH
    counters[SIDE] = 0
    if found and not at_end:
        clock[HIGH], counters[SIDE] = first, AT_STAGE
    for k in range(len(g)):
        if flow.fire[k] == 2:
            clock[G_HIGH] = max(clock[G_HIGH], g[k])
    return found


@inner
def next_probe(flow: Flow, relative: float) -> float:
    """Say where in the step to look next, in parts of it; `relative` is the method's error, 0 where it heeds none.

    It is the middle until both ends are known; then where a straight line crosses, or, of what does not strike, a parabola
    lying on its side through the ends and the one before, if that can be trusted (Chandrupatla, Adv. Eng. Softw. 28, 1997),
    and at least so far from the last look that both ends come close: so events that happen together stay together.
    """
    clock, side = flow.clock, flow.counters[SIDE]
    if side == LAST_LOOK:
        return float(clock[HIGH] + nearness(flow, relative))
    if side == AT_STAGE:
        return float(clock[HIGH])
    a, b, ga, gb = clock[LOW], clock[HIGH], clock[G_LOW], clock[G_HIGH]
    if ga == UNKNOWN_LOW or gb == UNKNOWN_HIGH:
        return float(0.5 * (a + b))
    sort = sort_of_first(flow)
    near = _located_to(flow, sort, relative)
    if sort == STRIKES:
        # a little beyond the crossing, on the side of the end that has not moved: so what strikes together stays together
        t = _straight(a, b, ga, gb) - BEYOND * BRACKET * side
        return float(min(max(t, a + NEAREST * (b - a)), b - NEAREST * (b - a)))
    if side == 0:
        t = _straight(a, b, ga, gb)
    elif side > 0:
        t = b + (a - b) * _part(b, a, clock[THIRD], gb, ga, clock[G_THIRD])
    else:
        t = a + (b - a) * _part(a, b, clock[THIRD], ga, gb, clock[G_THIRD])
    t += BEYOND * near
    least = min(BEYOND * near, 0.5 * (b - a))
    return float(min(max(t, a + least), b - least))


@inner
def _straight(a: float, b: float, ga: float, gb: float) -> float:
    """Where a straight line crosses zero."""
    return a - (b - a) * ga / (gb - ga)


@inner
def _part(x1: float, x2: float, x3: float, f1: float, f2: float, f3: float) -> float:
    """How far from the last look x1 towards the other end x2 to look, in parts of the way; x3 is the end before."""
    if f1 == 0.0:
        return 0.0
    if f1 * f3 <= 0.0 or f3 == f1:
        # the end before is not known
        return 0.5
    xi, phi = (x1 - x2) / (x3 - x2), (f1 - f2) / (f3 - f2)
    if not (phi * phi < xi and (1.0 - phi) * (1.0 - phi) < 1.0 - xi):
        return 0.5
    one = f1 / (f2 - f1) * f3 / (f2 - f3)
    return one + (x3 - x1) / (x2 - x1) * f1 / (f3 - f1) * f2 / (f3 - f2)


@inner
def sort_of_first(flow: Flow) -> int:
    """The sort of what happens at the end of the bracket: that which asks for the most."""
    sort, found = EASES, False
    for k in range(len(flow.fire)):
        if flow.fire[k] == 2:
            sort, found = min(sort, flow.sorts[k]), True
    return sort if found else STRIKES


@inner
def _located_to(flow: Flow, sort: int, relative: float) -> float:
    """To which part of a step an event is located."""
    if sort == STRIKES or relative == 0.0:
        return BRACKET
    near = (
        min(NEAR_JUMP * relative, MOST_NEAR)
        if sort == JUMPS
        else min(NEAR_BEND * math.sqrt(relative), MOST_BENT)
    )
    return float(max(min(near, TOLD / flow.clock[H]), BRACKET))


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
        return FOUND
    most = LOWEST
    for k in range(len(g)):
        if flow.fire[k] != 0:
            most = max(most, g[k])
    if counters[SIDE] == AT_STAGE and not most > 0.0:
        # seen at a stage only; the step itself stays below there, and may be above where a later stage has seen another
        clock[HIGH] = 1.0
        for k in range(len(g)):
            if flow.fire[k] != 0 and flow.g_when[k] > s + BRACKET:
                clock[HIGH] = min(clock[HIGH], flow.g_when[k])
            else:
                flow.fire[k] = 0
        return LOOKING if clock[HIGH] < 1.0 else NONE_FOUND
    side = 1 if most > 0.0 else -1
    # Illinois: an end that stays for a second time is weighed less where something strikes
    weight = 0.5 if side == counters[SIDE] and sort_of_first(flow) == STRIKES else 1.0
    counters[SIDE] = side
    if most > 0.0:
        clock[THIRD], clock[G_THIRD] = clock[HIGH], clock[G_HIGH]
        clock[HIGH], clock[G_HIGH] = s, most
        if clock[G_LOW] != UNKNOWN_LOW:
            clock[G_LOW] *= weight
        for k in range(len(g)):
            if flow.fire[k] != 0:
                flow.fire[k] = 2 if g[k] > 0.0 else 1
    else:
        clock[THIRD], clock[G_THIRD] = clock[LOW], clock[G_LOW]
        clock[LOW], clock[G_LOW] = s, most
        if clock[G_HIGH] != UNKNOWN_HIGH:
            clock[G_HIGH] *= weight
    if not _is_found(flow, relative, most):
        return LOOKING
    if _is_alone(flow) or nearness(flow, relative) <= BRACKET:
        return FOUND
    counters[SIDE] = LAST_LOOK
    return LOOKING


@inner
def _is_found(flow: Flow, relative: float, most: float) -> bool:
    """Whether the first event has been located: the bracket is small, or the last look was little beyond a crossing."""
    clock = flow.clock
    sort = sort_of_first(flow)
    near, a, b = _located_to(flow, sort, relative), clock[LOW], clock[HIGH]
    # no closer than two times can be told apart
    if b - a <= near + ROUNDED * (1.0 + abs(clock[T0])) / clock[H]:
        return True
    if sort == STRIKES or not most > 0.0 or clock[G_LOW] == UNKNOWN_LOW:
        return False
    # a function that has jumped is flatter from here on than it seems before
    onwards = clock[G_THIRD] - most
    is_smooth = onwards * (b - a) > 0.25 * (most - clock[G_LOW]) * (clock[THIRD] - b)
    return bool(is_smooth and b - _straight(a, b, clock[G_LOW], most) <= near)


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
def keep_start(flow: Flow, g: Array) -> None:
    """Keep the functions of events at the end of a step: the next one starts from them."""
    for k in range(len(g)):
        flow.g_start[k] = max(g[k], LOWEST)


@inner
def mark_found(flow: Flow) -> None:
    """Mark the events that have been found as those that happen; where none was seen, all that were looked for."""
    seen = False
    for k in range(len(flow.fire)):
        seen = seen or flow.fire[k] == 2
    for k in range(len(flow.fire)):
        flow.fire[k] = 1 if flow.fire[k] == 2 or (not seen and flow.fire[k] == 1) else 0


@inner
def go_up_to_event(flow: Flow) -> None:
    """Take the step again, up to the events that have been found."""
    clock, counters = flow.clock, flow.counters
    mark_found(flow)
    undo(flow)
    begin(flow, clock[H] * clock[HIGH])
    counters[RETAKING], counters[STAGE], counters[PHASE] = 1, 1, STAGING
