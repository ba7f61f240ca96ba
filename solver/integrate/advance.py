"""Go on through time: steps, their control, breaks of prescribed histories, samples."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numba import njit

from solver.dynamics.tree import Array, IntArray
from solver.forces.system import SOLVED, System, Work, evaluate
from solver.integrate import dopri
from solver.integrate.fixed import runge_kutta_4, semi_implicit_euler
from solver.integrate.flow import (
    AFTER_REJECT,
    BREAK,
    ERROR,
    EVALUATIONS,
    FRESH,
    H_NEXT,
    REJECTED,
    STEPS,
    T0,
    WORST,
    Flow,
    H,
    T,
    begin,
    stand_still,
)
from solver.integrate.samples import Samples, sample

DOPRI, VEI, RK4, EULER = range(4)
"""Methods."""

SAMPLED, PAUSED, STUCK, SINGULAR, BLOWN = range(5)
"""What `advance` gives: all samples taken; steps enough for now; or why it cannot go on."""

FASTEST = 1e7
"""Speed (m/s or rad/s) beyond which a motion is none of this field's."""


class Method(NamedTuple):
    """Choose a method and its settings."""

    kind: int
    relative: float
    absolute: float
    first: float
    largest: float
    smallest: float


class History(NamedTuple):
    """Hold the steps of one call: end, length, evaluations and rejected tries since the start."""

    time: Array
    step: Array
    evaluations: IntArray
    rejected: IntArray


def make_history(steps: int) -> History:
    """Make room for the steps of one call."""
    return History(
        np.zeros(steps), np.zeros(steps), np.zeros(steps, np.int64), np.zeros(steps, np.int64)
    )


@njit(cache=True, nogil=True, error_model="numpy")
def start(system: System, work: Work, flow: Flow, method: Method, t: float) -> int:
    """Begin at a time: no step has been made, and the first one is chosen."""
    flow.clock[T] = t
    flow.clock[ERROR] = 1e-4
    stand_still(flow)
    status = _refresh(system, work, flow)
    if status == SOLVED:
        flow.clock[H_NEXT] = _first_step(flow, method)
    return status


@njit(cache=True, nogil=True, error_model="numpy")
def _refresh(system: System, work: Work, flow: Flow) -> int:
    """Evaluate the present state as the start of what follows."""
    t = flow.clock[T]
    flow.counters[EVALUATIONS] += 1
    status = evaluate(
        system, work, t, t + 1e-12 * (1.0 + abs(t)), flow.q, flow.v, flow.rates, flow.powers
    )
    flow.counters[FRESH] = 1
    if status != SOLVED:
        flow.counters[WORST] = status
    return status


@njit(cache=True, nogil=True, error_model="numpy")
def _first_step(flow: Flow, method: Method) -> float:
    """Choose a step in which a speed changes by what it may err, to the method's order."""
    if method.kind != DOPRI or method.first > 0.0:
        return min(method.first, method.largest)
    worst = 0.0
    for i in range(len(flow.v)):
        size = dopri.SPEED_SCALE * method.absolute + method.relative * abs(flow.v[i])
        worst = max(worst, abs(flow.rates[i]) / size)
    if not worst > 0.0:
        return method.largest
    return max(min(100.0 / worst, method.largest), method.smallest)


@njit(cache=True, nogil=True, error_model="numpy")
def _make_step(system: System, work: Work, flow: Flow, method: Method) -> float:
    """Make one step by the chosen method and give its error; 1 is what is allowed."""
    flow.kv[0] = flow.rates
    flow.kz[0] = flow.powers
    if method.kind == DOPRI:
        error = dopri.try_step(system, work, flow, method.relative, method.absolute)
        if error <= 1.0 and error >= 0.0:
            dopri.join_ends(flow)
        return error
    if method.kind == RK4:
        status = runge_kutta_4(system, work, flow)
    else:
        status = semi_implicit_euler(system, work, flow)
    if status != SOLVED:
        flow.counters[WORST] = status
        return dopri.FAILED
    for i in range(len(flow.v)):
        if not abs(flow.v[i]) < FASTEST:
            return math.nan
    return 0.0


@njit(cache=True, nogil=True, error_model="numpy")
def _fastest(system: System, flow: Flow) -> int:
    """Find the body whose speeds are the largest or no numbers at all."""
    worst, which = -1.0, 0
    tree = system.tree
    for i in range(len(tree.parent)):
        end = tree.at_v[i + 1] if i + 1 < len(tree.parent) else len(flow.v)
        for n in range(tree.at_v[i], end):
            size = abs(flow.v[n])
            if not size <= worst:
                worst, which = size, i
    return which


@njit(cache=True, nogil=True, error_model="numpy")
def advance(
    system: System, work: Work, flow: Flow, method: Method, breaks: Array, end: float,
    times: Array, samples: Samples, history: History, done: IntArray,
) -> int:  # fmt: skip
    """Step until all `times` are sampled or `history` is full.

    `done` counts the samples taken and the steps written in this call. All times lie at or before
    `end`, and no step goes beyond it.
    """
    clock, counters = flow.clock, flow.counters
    taken, steps = 0, 0
    while True:
        while taken < len(times) and times[taken] <= clock[T]:
            sample(system, work, flow, times[taken], samples, taken)
            taken += 1
        done[0], done[1] = taken, steps
        if taken == len(times):
            return SAMPLED
        if steps == len(history.time):
            return PAUSED
        if counters[FRESH] == 0:
            status = _refresh(system, work, flow)
            if status != SOLVED:
                return SINGULAR
        t = clock[T]
        goal, at_break = end, False
        if counters[BREAK] < len(breaks) and breaks[counters[BREAK]] < end:
            goal, at_break = breaks[counters[BREAK]], True
        h = min(clock[H_NEXT], method.largest)
        # a step that would leave a crumb is stretched or halved
        left = goal - t
        if h >= 0.999999 * left:
            h = left
        elif h > 0.5 * left and method.kind == DOPRI:
            h = 0.5 * left
        else:
            at_break = False
        if h < left:
            at_break = False
        begin(flow, h)
        error = _make_step(system, work, flow, method)
        if error == dopri.FAILED:
            _undo(flow)
            return SINGULAR
        if not error <= 1.0:
            which = counters[WORST]
            if method.kind != DOPRI:
                counters[WORST] = _fastest(system, flow)
                _undo(flow)
                return BLOWN
            _undo(flow)
            counters[REJECTED] += 1
            counters[AFTER_REJECT] = 1
            shrink = max(0.2, 0.9 * error**-0.2) if error < 1e30 else 0.1
            clock[H_NEXT] = h * shrink
            # `rates` are those of the last stage; the start's are still in the first
            flow.rates[:] = flow.kv[0]
            flow.powers[:] = flow.kz[0]
            if clock[H_NEXT] < method.smallest:
                counters[WORST] = which
                return STUCK if error < 1e30 else BLOWN
            continue
        clock[T] = goal if h == left else t + h
        if method.kind == DOPRI:
            error = max(error, 1e-10)
            grow = 0.9 * error**-0.17 * clock[ERROR] ** 0.04
            grow = min(5.0 if counters[AFTER_REJECT] == 0 else 1.0, max(0.2, grow))
            # the step before a goal may have been short for that reason alone
            clock[H_NEXT] = max(h * grow, clock[H_NEXT] if h < clock[H_NEXT] else 0.0)
            clock[ERROR] = max(error, 1e-4)
            counters[AFTER_REJECT] = 0
            for i in range(len(flow.v)):
                if not abs(flow.v[i]) < FASTEST:
                    counters[WORST] = _fastest(system, flow)
                    return BLOWN
        counters[STEPS] += 1
        if at_break:
            while counters[BREAK] < len(breaks) and breaks[counters[BREAK]] <= clock[T]:
                counters[BREAK] += 1
            counters[FRESH] = 0
        history.time[steps], history.step[steps] = clock[T], h
        history.evaluations[steps] = counters[EVALUATIONS]
        history.rejected[steps] = counters[REJECTED]
        steps += 1


@njit(cache=True, nogil=True, error_model="numpy")
def _undo(flow: Flow) -> None:
    """Go back to the start of the step."""
    flow.q[:] = flow.q0
    flow.v[:] = flow.v0
    flow.z[:] = flow.z0
