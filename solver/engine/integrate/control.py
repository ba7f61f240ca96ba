"""The course of a run as a machine: what to evaluate next, and what follows from it.

`ask` names the next evaluation and puts its state in place; `tell` takes it in. Between them stands
the one call of the equations of motion (`advance`), so that these are compiled once.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import SOLVED, Array, IntArray, Tree, chart_rate, move
from solver.engine.integrate.ending import end_looking, end_of_step, try_again
from solver.engine.integrate.energy_steps import keep_energy, prepare_energy
from solver.engine.integrate.flow import (
    AT,
    BLURS,
    CLEARS,
    ERROR,
    EVALUATIONS,
    EVENTS_AT_ONCE,
    EVENTS_NOW,
    FRESH,
    GO_ON,
    H_NEXT,
    JOINED,
    PENDING,
    PHASE,
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
from solver.engine.integrate.implicit import (
    FAILED,
    MADE,
    begin_step,
    keep_implicit,
    nudge,
    prepare_implicit,
    see,
)
from solver.engine.integrate.narrowing import keep_start, narrow, next_probe
from solver.engine.integrate.plan import (
    EVALUATE,
    IDLE,
    LOCATING,
    PAUSED,
    PROBING,
    REFRESHING,
    SAMPLED,
    SAMPLING,
    SINGULAR,
    STAGING,
    SWITCHING,
    History,
    Method,
    Plan,
    goal_of,
    kind_of,
)
from solver.engine.integrate.stages import (
    DOPRI,
    ENERGY_MOMENTUM,
    IMPLICIT,
    LAST_STAGE,
    SPEED_SCALE,
    VEI,
    by_error,
    join_ends,
    keep,
    prepare,
)
from solver.engine.integrate.vei import predict, take_in, till_output
from solver.engine.jit.kernels import inner, kernel, separate
from solver.engine.maths.copying import copy


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


@separate
def ask(
    tree: Tree, locked: IntArray, flow: Flow, method: Method, plan: Plan, history: History
) -> int:
    """Put the state of the next evaluation in place, or say why there is none."""
    clock, counters = flow.clock, flow.counters
    if counters[PHASE] == IDLE:
        taken = counters[SAMPLED_NOW]
        if counters[STEPS] == 0 and counters[FRESH] == 0 and counters[EVENTS_AT_ONCE] == 0:
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
                join_ends(flow, DOPRI)
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
        clock[BLURS] = clock[CLEARS] = 0.0
        is_found = kind_of(method) in (IMPLICIT, ENERGY_MOMENTUM)
        if is_found and begin_step(tree, locked, method.implicit):
            counters[PHASE] = PROBING
    if counters[PHASE] == PROBING:
        nudge(flow, method.implicit)
        move(tree, locked, flow.q0, flow.xs, 1.0, flow.qs)
    elif counters[PHASE] == STAGING:
        if kind_of(method) == VEI:
            predict(tree, locked, flow, method.vei)
        elif kind_of(method) == IMPLICIT:
            prepare_implicit(flow, method.implicit)
        elif kind_of(method) == ENERGY_MOMENTUM:
            prepare_energy(flow, method.implicit)
        else:
            prepare(flow, kind_of(method))
        move(tree, locked, flow.q0, flow.xs, 1.0, flow.qs)
    else:
        # LOCATING
        s = next_probe(flow, _error_of_events(method))
        clock[AT] = clock[T0] + s * clock[H]
        between(tree, locked, flow, s)
    return EVALUATE


@inner
def _error_of_events(method: Method) -> float:
    """The part of a step by which a method may err; zero where it does not heed its error."""
    return method.relative if by_error(kind_of(method)) else 0.0


@inner
def _first_step(flow: Flow, method: Method) -> float:
    """Choose a step in which no speed changes by much more than it may err."""
    if not by_error(kind_of(method)) or method.first > 0.0:
        return min(method.first, method.largest)
    worst = 0.0
    for i in range(len(flow.v)):
        size = SPEED_SCALE * method.absolute + method.relative * abs(flow.v[i])
        worst = max(worst, abs(flow.rates[i]) / size)
    if not worst > 0.0:
        return method.largest
    return max(min(100.0 / worst, method.largest), method.smallest)


@inner
def _next_length(flow: Flow, method: Method, plan: Plan) -> float:
    """Choose the step's length; one that would leave a crumb is stretched or halved."""
    left = goal_of(flow, plan) - float(flow.clock[T])
    if kind_of(method) == VEI:
        left = min(left, till_output(float(flow.clock[T]), method.vei))
    h = min(float(flow.clock[H_NEXT]), method.largest)
    if h >= 0.999999 * left:
        return left
    return 0.5 * left if h > 0.5 * left and by_error(kind_of(method)) else h


@separate
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
        if phase in (STAGING, PROBING):
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
            if counters[EVENTS_AT_ONCE] == 0:
                copy(flow.z, flow.z_start)
            stand_still(flow, clock[T])
            counters[JOINED] = 1
        counters[FRESH] = 1
        counters[PHASE] = IDLE
        keep_start(flow, g)
        for k in range(len(g)):
            if g[k] < 0.0:
                flow.armed[k] = 1
            elif g[k] > 0.0:
                flow.armed[k] = 0
                if flow.level[k]:
                    flow.fire[k] = counters[PENDING] = 1
        return EVALUATE
    if phase == LOCATING:
        found = narrow(flow, g, _error_of_events(method))
        return end_looking(flow, method, plan, history, g, found)
    if phase == PROBING:
        if not see(flow, method.implicit):
            counters[PHASE] = STAGING
        return EVALUATE
    again = kind_of(method) == VEI and counters[STAGE] not in (3, 4)
    if again or (kind_of(method) == IMPLICIT and counters[STAGE] == 1):
        # what an earlier iteration saw is forgotten
        flow.g_most[:] = -1.0
    when = (clock[AT] - clock[T0]) / clock[H]
    for k in range(len(g)):
        if g[k] > flow.g_most[k]:
            flow.g_most[k], flow.g_when[k] = g[k], when
    row = LAST_STAGE[VEI] if kind_of(method) == VEI else counters[STAGE]
    chart_rate(tree, locked, flow.xs, flow.vs, flow.kx[row])
    if kind_of(method) == VEI:
        made = take_in(flow, method.vei)
    elif kind_of(method) == IMPLICIT:
        found = keep_implicit(tree, locked, flow, method.implicit, SPEED_SCALE)
        if found == FAILED:
            return try_again(flow, method)
        made = found == MADE
    elif kind_of(method) == ENERGY_MOMENTUM:
        found = keep_energy(tree, locked, flow, method.implicit)
        if found == FAILED:
            return try_again(flow, method)
        made = found == MADE
    else:
        made = keep(flow, kind_of(method))
    if not made:
        return EVALUATE
    copy(flow.q, flow.qs)
    copy(flow.v, flow.vs)
    copy(flow.rates, flow.now)
    copy(flow.powers, flow.power_now)
    return end_of_step(tree, locked, flow, method, plan, history, g)
