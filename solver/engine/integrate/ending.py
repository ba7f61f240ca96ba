"""The end of a step: it is accepted, rejected, or taken again with another length."""

from __future__ import annotations

from solver.engine.dynamics.tree import OPEN, SPEEDS, Array, IntArray, Tree
from solver.engine.integrate.energy_steps import up_to_grid
from solver.engine.integrate.flow import (
    AFTER_REJECT,
    ERROR,
    EVALUATIONS,
    EVENTS_AT_ONCE,
    FRESH,
    H_NEXT,
    JOINED,
    LOOKED,
    NEXT_BREAK,
    PENDING,
    PHASE,
    REJECTED,
    RETAKING,
    STEPS,
    STEPS_NOW,
    STIFF_NOW,
    T0,
    WAKE,
    WORST,
    Flow,
    H,
    T,
    undo,
)
from solver.engine.integrate.implicit import (
    ABSOLUTE,
    AGE,
    ERROR_BEFORE,
    FACTORS,
    LEFT_OVER,
    OFTEN,
    RELATIVE,
    SINCE,
    SLOW,
    SPENT,
    STABLE,
    STALE,
    STEP_BEFORE,
    STEPS_SINCE,
    TAKEN_OVER,
    TIMES_LOST,
    TRIED,
    TRIES,
    WAITED,
    WEIGHED_AT,
    Implicit,
    larger,
    renew_derivatives,
)
from solver.engine.integrate.narrowing import (
    FOUND,
    LOOKING,
    find_crossings,
    go_up_to_event,
    keep_start,
)
from solver.engine.integrate.plan import (
    BLOWN_UP,
    EVALUATE,
    IDLE,
    LOCATING,
    NO_STEP,
    History,
    Method,
    Plan,
    goal_of,
    kind_of,
)
from solver.engine.integrate.radau import FROM, RADAU_E, REAL, THROUGH, solve_single, solve_state
from solver.engine.integrate.stages import (
    CONTROL,
    DOPRI,
    ENERGY_MOMENTUM,
    IMPLICIT,
    LAST_STAGE,
    SPEED_SCALE,
    VEI,
    by_error,
    error_of,
    is_pair,
    join_ends,
    look_for_stiffness,
)
from solver.engine.integrate.vei import HAS_PASSED, forget, halve, remember
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.copying import copy_rows

# The end of an implicit step: its error, the length of the next one, and the polynomials between.


@inner
def implicit_error(
    tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit, again: bool, speed_scale: float
) -> float:
    """The largest error of a step, 1 being what is allowed.

    `again`: what is stiff is damped once more where the step would be rejected after a jump, whose
    rates say nothing of the errors.
    """
    e, h, first = implicit.equations, flow.clock[H], flow.first_state
    x, v = e.gx[0], e.gv[0]
    for n in range(len(x)):
        x[n] = flow.v0[n] + _by_weights(implicit.x, n) / h
        v[n] = flow.kv[0, n] + _by_weights(implicit.v, n) / h
    for i in range(len(e.jz)):
        e.gz[0, i] = flow.kz[0, first + i] + _by_weights(implicit.z, i) / h
        e.gz[0, i] = solve_state(e.jz[i], h, e.gz[0, i], 0.0, 0.0)[0]
    solve_single(e, h, x, v)
    worst = _worst(tree, locked, flow, implicit, speed_scale)
    if not worst <= 1.0 and again:
        for n in range(len(x)):
            x[n], v[n] = REAL / h * x[n], REAL / h * v[n]
        solve_single(e, h, x, v)
        worst = _worst(tree, locked, flow, implicit, speed_scale)
    return worst


@inner
def _worst(
    tree: Tree, locked: IntArray, flow: Flow, implicit: Implicit, speed_scale: float
) -> float:
    """Compare the estimated errors with those allowed."""
    e, relative, absolute = (
        implicit.equations, implicit.numbers[RELATIVE], implicit.numbers[ABSOLUTE],
    )  # fmt: skip
    worst = 0.0
    for i in range(len(e.jz)):
        allowed = absolute + relative * abs(flow.z0[flow.first_state + i])
        worst = larger(worst, abs(e.gz[0, i]) / allowed)
    for i in range(len(tree.parent)):
        if locked[i] != OPEN:
            continue
        for n in range(tree.at_v[i], tree.at_v[i] + SPEEDS[tree.kind[i]]):
            size = max(abs(flow.v0[n]), abs(flow.v0[n] + implicit.v[2, n]))
            error = max(
                abs(e.gx[0, n]) / (absolute + relative * abs(implicit.x[2, n])),
                abs(e.gv[0, n]) / (speed_scale * absolute + relative * size),
            )
            if not error <= worst:
                worst = larger(worst, error)
                flow.counters[WORST] = i
    return worst


@inlined
def _by_weights(stages: Array, n: int) -> float:
    return float(RADAU_E[0] * stages[0, n] + RADAU_E[1] * stages[1, n] + RADAU_E[2] * stages[2, n])


@inner
def growth(implicit: Implicit, h: float, error: float) -> float:
    """By how much the next step may be longer, by this error and the one before (Gustafsson)."""
    numbers, tries = implicit.numbers, implicit.counts[TRIED]
    caution = 0.9 * (2 * TRIES + 1) / (2 * TRIES + tries)
    error = max(error, 1e-10)
    grow = caution * error**-0.25
    if numbers[STEP_BEFORE] > 0.0:
        grow = min(grow, grow * h / numbers[STEP_BEFORE] * (numbers[ERROR_BEFORE] / error) ** 0.25)
    return float(grow)


@inner
def end_implicit(implicit: Implicit, h: float, error: float) -> None:
    """Remember a step that has been accepted."""
    counts, numbers = implicit.counts, implicit.numbers
    copy_rows(implicit.x_before, implicit.x)
    copy_rows(implicit.v_before, implicit.v)
    copy_rows(implicit.z_before, implicit.z)
    numbers[STEP_BEFORE], numbers[ERROR_BEFORE] = h, max(error, 1e-2)
    counts[AGE] = STALE if numbers[LEFT_OVER] > SLOW else counts[AGE] + 1


@inner
def join_stages(flow: Flow, implicit: Implicit) -> None:
    """Fill the dense polynomials: speeds and states through all stages, places and works by their rates."""
    h, first = flow.clock[H], flow.first_state
    for n in range(len(flow.v)):
        kx = flow.kx
        _by_values(implicit.v, n, flow.dense_v, n)
        _by_rates(h * kx[0, n], h * kx[1, n], h * kx[2, n], h * kx[3, n], flow.dense_x, n)
    for i in range(first):
        kz = flow.kz
        a, b, c = h * kz[1, i], h * kz[2, i], h * kz[3, i]
        # the parabola through the stages, at the start
        start = FROM[0] * a + FROM[1] * b + FROM[2] * c
        _by_rates(start, a, b, c, flow.dense_z, i)
    for i in range(first, len(flow.z)):
        _by_values(implicit.z, i - first, flow.dense_z, i)


@inlined
def _by_values(stages: Array, n: int, dense: Array, i: int) -> None:
    """Put a cubic through zero at the start and the values at the stages."""
    for k in range(3):
        dense[k, i] = (
            THROUGH[k, 0] * stages[0, n]
            + THROUGH[k, 1] * stages[1, n]
            + THROUGH[k, 2] * stages[2, n]
        )
    dense[3, i] = 0.0


@inlined
def _by_rates(start: float, a: float, b: float, c: float, dense: Array, i: int) -> None:
    """Integrate the cubic through the rates at the start and at the stages."""
    dense[0, i] = start
    for k in range(3):
        rise = (
            THROUGH[k, 0] * (a - start) + THROUGH[k, 1] * (b - start) + THROUGH[k, 2] * (c - start)
        )
        dense[k + 1, i] = rise / (k + 2)


FASTEST = 1e7
"""Speed (m/s or rad/s) beyond which a motion is none of this field's."""


LOOKS = 8
"""Steps of which one is asked what keeps it short."""


ASKED, NEARLY_ALL = 25, 0.9
"""How many are asked before it is judged, and the part of them that must be stiff to change the method."""


WEIGHED = 40
"""Implicit steps after which the method is weighed against the one that it took over from."""


WEIGHED_AFTER, MOST_PATIENT = 1000.0, 10
"""Evaluations after which it is weighed before; how often a give-back doubles the stiff steps that are waited for."""


NOT_WORTH, WORTH_FACTORS = 0.9, 1.2
"""Growths of an implicit step between which it stays as it is."""


CRUMB = 1e-12
"""Step (s) that does not tell events apart."""


@inner
def end_of_step(
    tree: Tree, locked: IntArray, flow: Flow, method: Method, plan: Plan, history: History, g: Array
) -> int:
    """Accept the step, or reject it, or look for the event inside it."""
    clock, counters = flow.clock, flow.counters
    h = clock[H]
    if by_error(kind_of(method)) and not counters[RETAKING]:
        if kind_of(method) == IMPLICIT:
            jumped = method.implicit.numbers[STEP_BEFORE] == 0.0 or counters[AFTER_REJECT] != 0
            error = implicit_error(tree, locked, flow, method.implicit, jumped, SPEED_SCALE)
        else:
            kind = kind_of(method)
            error = error_of(tree, locked, flow, kind, method.relative, method.absolute)
        if not error <= 1.0:
            return _reject(flow, method, error)
    else:
        error = 1.0
    failed = kind_of(method) == VEI and not counters[RETAKING] and not method.vei.counts[HAS_PASSED]
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
            return BLOWN_UP
    # Dormand and Prince's ends are joined when somebody asks; the others' x does not stay that long
    counters[JOINED] = 0
    if kind_of(method) == IMPLICIT:
        join_stages(flow, method.implicit)
        counters[JOINED] = 1
    elif kind_of(method) != DOPRI:
        join_ends(flow, kind_of(method))
        counters[JOINED] = 1
    if not counters[RETAKING]:
        if is_pair(kind_of(method)):
            _next_by_error(flow, h, error, CONTROL[kind_of(method)])
        if find_crossings(flow, g):
            if counters[JOINED] == 0:
                join_ends(flow, DOPRI)
                counters[JOINED] = 1
            counters[PHASE] = LOCATING
            return EVALUATE
        if is_pair(kind_of(method)):
            if counters[STEPS] % LOOKS == 0:
                look_for_stiffness(flow, kind_of(method))
                _let_take_over(flow, method.implicit)
        elif kind_of(method) == IMPLICIT:
            _next_by_implicit_error(flow, method.implicit, h, error)
            if is_pair(method.kind):
                _let_give_back(flow, method.implicit, LAST_STAGE[method.kind])
    if kind_of(method) == VEI:
        remember(clock, method.vei, method.largest)
    elif kind_of(method) == ENERGY_MOMENTUM:
        clock[H_NEXT] = up_to_grid(clock[T0] + h, method.first)
    _accept(flow, plan, history, g)
    if not counters[FRESH]:
        # a break of histories: what comes does not go on as before
        method.implicit.numbers[STEP_BEFORE] = 0.0
    if kind_of(method) == VEI and (counters[PENDING] or not counters[FRESH]):
        forget(clock, method.vei)
    return EVALUATE


@inner
def end_looking(
    flow: Flow, method: Method, plan: Plan, history: History, g: Array, found: int
) -> int:
    """End a step in which an event was looked for: it is taken again up to the event, or stands where there was none."""
    if found == LOOKING:
        return EVALUATE
    if found == FOUND or not is_pair(kind_of(method)):
        go_up_to_event(flow)
        return EVALUATE
    _accept(flow, plan, history, g)
    # the last evaluation was somewhere else
    flow.counters[FRESH] = 0
    return EVALUATE


@inner
def _reject(flow: Flow, method: Method, error: float) -> int:
    """Go back, to try a shorter step."""
    clock, counters = flow.clock, flow.counters
    finite = error < 1e30
    counters[REJECTED] += 1
    counters[AFTER_REJECT] = 1
    counters[PHASE] = IDLE
    shrink = 0.1
    if finite and kind_of(method) == IMPLICIT:
        shrink = max(0.2, growth(method.implicit, clock[H], error))
    elif finite:
        shrink = max(0.2, 0.9 * error ** -CONTROL[kind_of(method), 0])
    clock[H_NEXT] = clock[H] * shrink
    undo(flow)
    if clock[H_NEXT] < method.smallest:
        return NO_STEP if finite else BLOWN_UP
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
def _next_by_error(flow: Flow, h: float, error: float, control: Array) -> None:
    """Choose the next step by this error and the last (Gustafsson's PI control)."""
    clock, counters = flow.clock, flow.counters
    error = max(error, 1e-10)
    grow = 0.9 * error ** -control[1] * clock[ERROR] ** control[2]
    grow = min(1.0 if counters[AFTER_REJECT] else 5.0, max(0.2, grow))
    # a step cut short by a goal says nothing against the length before it
    clock[H_NEXT] = max(h * grow, clock[H_NEXT] if h < 0.99 * clock[H_NEXT] else 0.0)
    clock[ERROR] = max(error, 1e-4)
    counters[AFTER_REJECT] = 0


@inner
def _let_take_over(flow: Flow, implicit: Implicit) -> None:
    """Go on with the implicit method, where there is one, if nearly all of the last steps were stiff."""
    counters = flow.counters
    if counters[LOOKED] % ASKED:
        return
    counts = implicit.counts
    counts[WAITED] = counts[WAITED] + 1 if counters[STIFF_NOW] > NEARLY_ALL * ASKED else 0
    if len(implicit.open) and counts[WAITED] >= 2 ** min(counts[TIMES_LOST], MOST_PATIENT):
        numbers, now = implicit.numbers, flow.clock[T0] + flow.clock[H]
        counts[WAITED] = 0
        if counts[OFTEN] == 0:
            numbers[SINCE] = now
        counts[TAKEN_OVER], counts[STEPS_SINCE] = 1, 0
        counts[OFTEN] += 1
        counts[SPENT] = counters[EVALUATIONS]
        numbers[STABLE], numbers[WEIGHED_AT] = flow.clock[H_NEXT], now
        numbers[FACTORS] = 0.0
    counters[STIFF_NOW] = 0


@inner
def _let_give_back(flow: Flow, implicit: Implicit, evaluations: int) -> None:
    """Go back to the explicit pair where stable steps by it, of so many evaluations, would have taken less time."""
    clock, counts, numbers = flow.clock, implicit.counts, implicit.numbers
    counts[STEPS_SINCE] += 1
    spent = flow.counters[EVALUATIONS] - counts[SPENT] + numbers[FACTORS]
    if counts[STEPS_SINCE] < WEIGHED and spent < WEIGHED_AFTER:
        return
    now = clock[T0] + clock[H]
    if spent * numbers[STABLE] > evaluations * (now - numbers[WEIGHED_AT]):
        counts[TAKEN_OVER] = 0
        counts[TIMES_LOST] += 1
        numbers[STEP_BEFORE] = 0.0
        renew_derivatives(implicit)
        clock[H_NEXT] = numbers[STABLE]
    else:
        counts[TIMES_LOST] = 0
    counts[STEPS_SINCE], counts[SPENT] = 0, flow.counters[EVALUATIONS]
    numbers[WEIGHED_AT], numbers[FACTORS] = now, 0.0


@inner
def _next_by_implicit_error(flow: Flow, implicit: Implicit, h: float, error: float) -> None:
    """Choose the next step; one that would be of nearly the same length is not worth new factors."""
    clock, counters = flow.clock, flow.counters
    grow = min(1.0 if counters[AFTER_REJECT] else 5.0, max(0.2, growth(implicit, h, error)))
    if NOT_WORTH <= grow < WORTH_FACTORS:
        grow = 1.0
    # a step cut short by a goal says nothing against the length before it
    clock[H_NEXT] = max(h * grow, clock[H_NEXT] if h < 0.99 * clock[H_NEXT] else 0.0)
    counters[AFTER_REJECT] = 0
    end_implicit(implicit, h, error)


@inner
def try_again(flow: Flow, method: Method) -> int:
    """Go back, as the stages of an implicit step have not been found: with new derivatives, or shorter."""
    clock, counters, implicit = flow.clock, flow.counters, method.implicit
    counters[REJECTED] += 1
    # the step up to an event is looked for again
    counters[RETAKING] = 0
    counters[PHASE] = IDLE
    clock[H_NEXT] = clock[H]
    if implicit.counts[AGE] == 0:
        clock[H_NEXT] *= 0.5
        counters[AFTER_REJECT] = 1
    else:
        renew_derivatives(implicit)
    undo(flow)
    return NO_STEP if clock[H_NEXT] < method.smallest else EVALUATE


@inner
def _accept(flow: Flow, plan: Plan, history: History, g: Array) -> None:
    """Let the end of the step be the present."""
    clock, counters = flow.clock, flow.counters
    goal, n = goal_of(flow, plan), counters[STEPS_NOW]
    end = clock[T0] + clock[H]
    clock[T] = goal if abs(end - goal) <= 1e-14 * (1.0 + abs(goal)) else end
    while counters[NEXT_BREAK] < len(plan.breaks) and plan.breaks[counters[NEXT_BREAK]] <= clock[T]:
        counters[NEXT_BREAK] += 1
        counters[FRESH] = 0
    if clock[WAKE] <= clock[T]:
        counters[FRESH] = 0
    if counters[RETAKING]:
        counters[PENDING], counters[RETAKING] = 1, 0
    if clock[H] > CRUMB * (1.0 + abs(clock[T])):
        counters[EVENTS_AT_ONCE] = 0
    for k in range(len(g)):
        # an event that has happened, or began above zero, waits until its function is below it
        flow.armed[k] = 1 if g[k] < 0.0 else (0 if g[k] > 0.0 else flow.armed[k])
    keep_start(flow, g)
    counters[STEPS] += 1
    counters[PHASE] = IDLE
    history.time[n], history.step[n], history.worst[n] = clock[T], clock[H], counters[WORST]
    history.evaluations[n], history.rejected[n] = counters[EVALUATIONS], counters[REJECTED]
    counters[STEPS_NOW] = n + 1


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
