"""The course of a run as a machine: what to evaluate next, and what follows from it.

`ask` names the next evaluation and puts its state in place; `tell` takes it in. Between them stands
the one call of the equations of motion (`advance`), so that these are compiled once.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.dynamics.forward import SOLVED
from solver.dynamics.tree import Array, IntArray, Tree, chart_rate, move
from solver.integrate.flow import (
    AFTER_REJECT,
    AT,
    AT_ONCE,
    BREAK,
    ERROR,
    EVALUATIONS,
    EVENTS_NOW,
    FRESH,
    G_HIGH,
    G_LOW,
    GO_ON,
    H_NEXT,
    HIGH,
    JOINED,
    LOW,
    PENDING,
    PHASE,
    REJECTED,
    RETAKING,
    SAMPLED_NOW,
    STAGE,
    STEPS,
    STEPS_NOW,
    T0,
    WITHIN,
    WORST,
    Flow,
    H,
    T,
    begin,
    between,
    stand_still,
    undo,
)
from solver.integrate.stages import (
    DOPRI,
    LAST_STAGE,
    SPEED_SCALE,
    VEI,
    error_of,
    join_ends,
    keep,
    prepare,
)
from solver.integrate.vei import PASSED, Exponential, forget, halve, predict, remember, take_in
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.copying import copy
from solver.maths.kernels import inner, kernel

IDLE, SAMPLING, REFRESHING, STAGING, LOCATING, SWITCHING = range(6)
"""Phases."""

(
    EVALUATE, SAMPLED, PAUSED, SWITCHED, SINGULAR, STUCK, BLOWN, FROZEN, APART, STOPPED, FORKED,
) = range(11)  # fmt: skip
"""What comes next: an evaluation; or back to the caller, with all samples taken or with steps enough
for now, or with modes changed by an event; or nothing more, because no mass moves a body, no step is small enough, the motion has
blown up, events follow each other without end, constraints contradict each other, somebody wishes it,
or constraints stand at a singular position from which the motion could go on in more than one way."""

FASTEST = 1e7
"""Speed (m/s or rad/s) beyond which a motion is none of this field's."""

CRUMB = 1e-12
"""Step (s) that does not tell events apart."""

BRACKET = 1e-9
"""Part of a step to which an event is located."""

ROUNDED = 1e-15
"""Part of the time, and of a second, at which two times are told apart."""


@bundle
class Method(NamedTuple):
    """Choose a method and its settings."""

    kind: int
    relative: float
    absolute: float
    first: float
    largest: float
    smallest: float
    vei: Exponential


@bundle
class Plan(NamedTuple):
    """Say where to go: times at which histories break, the end, and times to sample."""

    breaks: Array
    end: float
    times: Array


@bundle
class History(NamedTuple):
    """Hold the steps of one call: end, length, and counts since the start; and its events.

    An event has a time, its number, what happened (of pairs that may touch), and the number of steps
    before it.
    """

    time: Array
    step: Array
    evaluations: IntArray
    rejected: IntArray
    event_time: Array
    event: IntArray


def make_history(steps: int, together: int = 2) -> History:
    """Make room for the steps of one call, and for events of which some may happen together."""
    events = steps + together
    return History(
        np.zeros(steps), np.zeros(steps), np.zeros(steps, np.int64), np.zeros(steps, np.int64),
        np.zeros(events), np.zeros((events, 3), np.int64),
    )  # fmt: skip


@kernel
def ready(flow: Flow, t: float) -> None:
    """Stand at a time, before the first step."""
    copy(flow.qs, flow.q)
    copy(flow.vs, flow.v)
    copy(flow.z, flow.z_start)
    stand_still(flow, t)
    flow.counters[:] = 0
    flow.counters[JOINED] = 1
    flow.clock[H_NEXT] = 0.0
    flow.clock[ERROR] = 1e-4


@alone
@inner
def ask(
    tree: Tree, locked: IntArray, flow: Flow, method: Method, plan: Plan, history: History
) -> int:
    """Put the state of the next evaluation in place, or say why there is none."""
    clock, counters = flow.clock, flow.counters
    if counters[PHASE] == IDLE:
        taken = counters[SAMPLED_NOW]
        if counters[STEPS] == 0 and counters[FRESH] == 0 and counters[AT_ONCE] == 0:
            # the very start: constraints may still correct it
            counters[PHASE] = REFRESHING
            clock[AT] = clock[T]
            copy(flow.zs, flow.z)
            return EVALUATE
        if (
            taken < len(plan.times)
            and plan.times[taken] <= clock[T]
            and (counters[STEPS] > 0 or (counters[FRESH] and not counters[PENDING]))
        ):
            clock[AT] = plan.times[taken]
            h = clock[H]
            if counters[JOINED] == 0:
                join_ends(flow, method.kind)
                counters[JOINED] = 1
            between(tree, locked, flow, (clock[AT] - clock[T0]) / h if h > 0.0 else 0.0)
            counters[PHASE] = SAMPLING
            return EVALUATE
        if taken == len(plan.times):
            return SAMPLED
        if max(counters[STEPS_NOW], counters[EVENTS_NOW]) >= len(history.time):
            return PAUSED
        if flow.wish[0] != GO_ON:
            return PAUSED
        if counters[FRESH] == 0 or counters[PENDING]:
            copy(flow.qs, flow.q)
            copy(flow.vs, flow.v)
            copy(flow.zs, flow.z)
            clock[AT] = clock[T]
            # before an event the piece of the last step rules, after it the next one
            if not counters[PENDING]:
                clock[WITHIN] = clock[T] + 1e-12 * (1.0 + abs(clock[T]))
            counters[PHASE] = SWITCHING if counters[PENDING] else REFRESHING
            return EVALUATE
        if clock[H_NEXT] == 0.0:
            clock[H_NEXT] = _first_step(flow, method)
        begin(flow, _next_length(flow, method, plan))
        counters[STAGE] = 1
        counters[PHASE] = STAGING
        flow.g_most[:] = -1.0
    if counters[PHASE] == STAGING:
        if method.kind == VEI:
            predict(tree, locked, flow, method.vei)
        else:
            prepare(flow, method.kind)
        move(tree, locked, flow.q0, flow.xs, 1.0, flow.qs)
    else:
        # LOCATING: first the middle, then where a straight line crosses, kept inside the bracket
        a, b, ga, gb = clock[LOW], clock[HIGH], clock[G_LOW], clock[G_HIGH]
        s = 0.5 * (a + b)
        if ga < 0.0 and gb > 0.0:
            s = a + (b - a) * min(max(-ga / (gb - ga), 0.01), 0.99)
        clock[AT] = clock[T0] + s * clock[H]
        between(tree, locked, flow, s)
    return EVALUATE


@inner
def _first_step(flow: Flow, method: Method) -> float:
    """Choose a step in which no speed changes by much more than it may err."""
    if method.kind != DOPRI or method.first > 0.0:
        return min(method.first, method.largest)
    worst = 0.0
    for i in range(len(flow.v)):
        size = SPEED_SCALE * method.absolute + method.relative * abs(flow.v[i])
        worst = max(worst, abs(flow.rates[i]) / size)
    if not worst > 0.0:
        return method.largest
    return max(min(100.0 / worst, method.largest), method.smallest)


@inner
def _goal(flow: Flow, plan: Plan) -> float:
    """Give the time that no step goes beyond."""
    at = flow.counters[BREAK]
    return min(float(plan.breaks[at]), plan.end) if at < len(plan.breaks) else plan.end


@inner
def _next_length(flow: Flow, method: Method, plan: Plan) -> float:
    """Choose the step's length; one that would leave a crumb is stretched or halved."""
    left = _goal(flow, plan) - float(flow.clock[T])
    h = min(float(flow.clock[H_NEXT]), method.largest)
    if h >= 0.999999 * left:
        return left
    return 0.5 * left if h > 0.5 * left and method.kind == DOPRI else h


@alone
@inner
def tell(
    tree: Tree, locked: IntArray, flow: Flow, method: Method, plan: Plan, history: History,
    status: int, g: Array,
) -> int:  # fmt: skip
    """Take in an evaluation: `flow.now`, `flow.power_now` and the events' functions `g`.

    Samples and events are taken care of by the caller, who has the whole system.
    """
    clock, counters = flow.clock, flow.counters
    phase = counters[PHASE]
    if status != SOLVED:
        counters[WORST] = status
        if phase == STAGING:
            undo(flow)
        counters[PHASE] = IDLE
        return SINGULAR
    if phase != SAMPLING:
        counters[EVALUATIONS] += 1
    if phase in (SAMPLING, SWITCHING):
        counters[PHASE] = IDLE
        return EVALUATE
    if phase == REFRESHING:
        copy(flow.q, flow.qs)
        copy(flow.v, flow.vs)
        copy(flow.rates, flow.now)
        copy(flow.powers, flow.power_now)
        if counters[STEPS] == 0:
            if counters[AT_ONCE] == 0:
                copy(flow.z, flow.z_start)
            stand_still(flow, clock[T])
            counters[JOINED] = 1
        counters[FRESH] = 1
        counters[PHASE] = IDLE
        for k in range(len(g)):
            if g[k] < 0.0:
                flow.armed[k] = 1
            elif g[k] > 0.0:
                flow.armed[k] = 0
                if flow.level[k]:
                    flow.fire[k] = counters[PENDING] = 1
        return EVALUATE
    if phase == LOCATING:
        return _narrow(flow, g)
    if method.kind == VEI and counters[STAGE] not in (3, 4):
        # what an earlier iteration saw is forgotten
        flow.g_most[:] = -1.0
    for k in range(len(g)):
        flow.g_most[k] = max(flow.g_most[k], g[k])
    row = LAST_STAGE[VEI] if method.kind == VEI else counters[STAGE]
    chart_rate(tree, locked, flow.xs, flow.vs, flow.kx[row])
    made = take_in(flow, method.vei) if method.kind == VEI else keep(flow, method.kind)
    if not made:
        return EVALUATE
    copy(flow.q, flow.qs)
    copy(flow.v, flow.vs)
    copy(flow.rates, flow.now)
    copy(flow.powers, flow.power_now)
    return _end_of_step(tree, locked, flow, method, plan, history, g)


@inner
def _end_of_step(
    tree: Tree, locked: IntArray, flow: Flow, method: Method, plan: Plan, history: History, g: Array
) -> int:
    """Accept the step, or reject it, or look for the event inside it."""
    clock, counters = flow.clock, flow.counters
    h = clock[H]
    if method.kind == DOPRI and not counters[RETAKING]:
        error = error_of(tree, locked, flow, method.relative, method.absolute)
        if not error <= 1.0:
            return _reject(flow, method, error)
    else:
        error = 1.0
    failed = method.kind == VEI and not counters[RETAKING] and not method.vei.counts[PASSED]
    if failed and h > 1.000001 * method.smallest:
        halve(clock, method.vei, method.smallest)
        counters[REJECTED] += 1
        counters[PHASE] = IDLE
        undo(flow)
        return EVALUATE
    for i in range(len(flow.v)):
        if not abs(flow.v[i]) < FASTEST:
            counters[WORST] = _fastest(tree, flow)
            undo(flow)
            counters[PHASE] = IDLE
            return BLOWN
    # Dormand and Prince's ends are joined when somebody asks; the others' x does not stay that long
    counters[JOINED] = 0
    if method.kind != DOPRI:
        join_ends(flow, method.kind)
        counters[JOINED] = 1
    if not counters[RETAKING]:
        if _find_crossings(flow):
            if counters[JOINED] == 0:
                join_ends(flow, method.kind)
            clock[LOW], clock[G_LOW], clock[HIGH], clock[G_HIGH] = 0.0, -1.0, 1.0, 0.0
            for k in range(len(g)):
                if flow.fire[k] and g[k] > 0.0:
                    flow.fire[k] = 2
                    clock[G_HIGH] = max(clock[G_HIGH], g[k])
            counters[PHASE] = LOCATING
            return EVALUATE
        if method.kind == DOPRI:
            _next_by_error(flow, h, error)
    if method.kind == VEI:
        remember(clock, method.vei, method.largest)
    _accept(flow, plan, history, g)
    if method.kind == VEI and (counters[PENDING] or not counters[FRESH]):
        forget(clock, method.vei)
    return EVALUATE


@inner
def _reject(flow: Flow, method: Method, error: float) -> int:
    """Go back, to try a shorter step."""
    clock, counters = flow.clock, flow.counters
    finite = error < 1e30
    counters[REJECTED] += 1
    counters[AFTER_REJECT] = 1
    counters[PHASE] = IDLE
    clock[H_NEXT] = clock[H] * (max(0.2, 0.9 * error**-0.2) if finite else 0.1)
    undo(flow)
    if clock[H_NEXT] < method.smallest:
        return STUCK if finite else BLOWN
    return EVALUATE


@inner
def shorten(flow: Flow, part: float) -> None:
    """Go back, to try a step of a part of the length."""
    clock, counters = flow.clock, flow.counters
    counters[EVALUATIONS] += 1
    counters[REJECTED] += 1
    counters[AFTER_REJECT] = 1
    counters[PHASE] = IDLE
    clock[H_NEXT] = part * clock[H]
    undo(flow)


@inner
def begin_shorter(flow: Flow, h: float) -> None:
    """Go back to the beginning of a step of which nothing has been evaluated, to take a shorter one."""
    flow.clock[H_NEXT] = h
    flow.counters[PHASE] = IDLE
    undo(flow)


@inner
def _next_by_error(flow: Flow, h: float, error: float) -> None:
    """Choose the next step by this error and the last (Gustafsson's PI control)."""
    clock, counters = flow.clock, flow.counters
    error = max(error, 1e-10)
    grow = 0.9 * error**-0.17 * clock[ERROR] ** 0.04
    grow = min(1.0 if counters[AFTER_REJECT] else 5.0, max(0.2, grow))
    # a step cut short by a goal says nothing against the length before it
    clock[H_NEXT] = max(h * grow, clock[H_NEXT] if h < 0.99 * clock[H_NEXT] else 0.0)
    clock[ERROR] = max(error, 1e-4)
    counters[AFTER_REJECT] = 0


@inner
def _accept(flow: Flow, plan: Plan, history: History, g: Array) -> None:
    """Let the end of the step be the present."""
    clock, counters = flow.clock, flow.counters
    goal, n = _goal(flow, plan), counters[STEPS_NOW]
    end = clock[T0] + clock[H]
    clock[T] = goal if abs(end - goal) <= 1e-14 * (1.0 + abs(goal)) else end
    while counters[BREAK] < len(plan.breaks) and plan.breaks[counters[BREAK]] <= clock[T]:
        counters[BREAK] += 1
        counters[FRESH] = 0
    if counters[RETAKING]:
        counters[PENDING], counters[RETAKING] = 1, 0
    if clock[H] > CRUMB * (1.0 + abs(clock[T])):
        counters[AT_ONCE] = 0
    for k in range(len(g)):
        # an event that has happened, or began above zero, waits until its function is below it
        flow.armed[k] = 1 if g[k] < 0.0 else (0 if g[k] > 0.0 else flow.armed[k])
    counters[STEPS] += 1
    counters[PHASE] = IDLE
    history.time[n], history.step[n] = clock[T], clock[H]
    history.evaluations[n], history.rejected[n] = counters[EVALUATIONS], counters[REJECTED]
    counters[STEPS_NOW] = n + 1


@inner
def _find_crossings(flow: Flow) -> bool:
    """Mark the events whose function has risen above zero, at the end or at a stage."""
    found = False
    for k in range(len(flow.fire)):
        crossed = flow.armed[k] != 0 and flow.g_most[k] > 0.0
        flow.fire[k] = 1 if crossed else 0
        found = found or crossed
    return found


@inner
def _narrow(flow: Flow, g: Array) -> int:
    """Narrow the bracket of the first event by the functions at its probe."""
    clock, counters = flow.clock, flow.counters
    s = (clock[AT] - clock[T0]) / clock[H]
    most = -1e300
    for k in range(len(g)):
        if flow.fire[k] != 0:
            most = max(most, g[k])
    if most > 0.0:
        clock[HIGH], clock[G_HIGH] = s, most
        # Illinois: a side that stays is weighed less
        clock[G_LOW] *= 0.5
        for k in range(len(g)):
            if flow.fire[k] != 0:
                flow.fire[k] = 2 if g[k] > 0.0 else 1
    else:
        clock[LOW], clock[G_LOW] = s, most
        clock[G_HIGH] *= 0.5
    # no closer than two times can be told apart
    if clock[HIGH] - clock[LOW] > BRACKET + ROUNDED * (1.0 + abs(clock[T0])) / clock[H]:
        return EVALUATE
    if clock[HIGH] == 1.0 and clock[G_HIGH] == 0.0:
        # seen at a stage only; the step itself stays below
        for k in range(len(g)):
            flow.fire[k] = 0
    # take the step again, up to the event
    undo(flow)
    seen = False
    for k in range(len(flow.fire)):
        seen = seen or flow.fire[k] == 2
    for k in range(len(flow.fire)):
        flow.fire[k] = 1 if flow.fire[k] == 2 or (not seen and flow.fire[k] == 1) else 0
    begin(flow, clock[H] * clock[HIGH])
    counters[RETAKING], counters[STAGE], counters[PHASE] = 1, 1, STAGING
    return EVALUATE


@inner
def _fastest(tree: Tree, flow: Flow) -> int:
    """Find the body whose speeds are the largest, or no numbers at all."""
    worst, which = -1.0, 0
    for i in range(len(tree.parent)):
        end = tree.at_v[i + 1] if i + 1 < len(tree.parent) else len(flow.v)
        for n in range(tree.at_v[i], end):
            size = abs(flow.v[n])
            if not size <= worst:
                worst, which = size, i
    return which
