"""What a run is to do and how, its phases, and what is written down of its steps."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.integrate.flow import NEXT_BREAK, WAKE, Flow
from solver.engine.integrate.implicit import TAKEN_OVER, Implicit
from solver.engine.integrate.stages import IMPLICIT
from solver.engine.integrate.vei import Exponential
from solver.engine.jit.kernels import inlined, inner, struct

IDLE, SAMPLING, REFRESHING, STAGING, LOCATING, SWITCHING, PROBING = range(7)
"""Phases."""


(
    EVALUATE, SAMPLED, PAUSED, SWITCHED, SINGULAR, NO_STEP, BLOWN_UP, FROZEN, CONTRADICTED, STOPPED, FORKED,
) = range(11)  # fmt: skip
"""What comes next: an evaluation; or back to the caller, with all samples taken or with steps enough
for now, or with modes changed by an event; or nothing more, because no mass moves a body, no step is small enough, the motion has
blown up, events follow each other without end, constraints contradict each other, somebody wishes it,
or constraints stand at a singular position from which the motion could go on in more than one way."""


@struct
class Method(NamedTuple):
    """Choose a method and its settings."""

    kind: int
    relative: float
    absolute: float
    first: float
    largest: float
    smallest: float
    vei: Exponential
    implicit: Implicit


@struct
class Plan(NamedTuple):
    """Say where to go: times at which histories break, the end, and times to sample."""

    breaks: Array
    end: float
    times: Array


@struct
class History(NamedTuple):
    """The steps of one call, and its events.

    A step has its end, its length, the body with the largest error, and counts since the start.
    An event has a time, its number, what happened (of pairs that may touch), and the number of steps
    before it.
    """

    time: Array
    step: Array
    worst: IntArray
    evaluations: IntArray
    rejected: IntArray
    event_time: Array
    event: IntArray


def make_history(steps: int, together: int = 2) -> History:
    """Make room for the steps of one call, and for events of which some may happen together."""
    events = steps + together
    return History(
        np.zeros(steps), np.zeros(steps), np.zeros(steps, np.int64), np.zeros(steps, np.int64),
        np.zeros(steps, np.int64),
        np.zeros(events), np.zeros((events, 3), np.int64),
    )  # fmt: skip


@inlined
def kind_of(method: Method) -> int:
    """The method that is at work: the chosen one, or the implicit one that has taken over."""
    taken = len(method.implicit.open) > 0 and method.implicit.counts[TAKEN_OVER]
    return IMPLICIT if taken else method.kind


@inner
def goal_of(flow: Flow, plan: Plan) -> float:
    """The time that no step goes beyond."""
    at, last = flow.counters[NEXT_BREAK], min(float(flow.clock[WAKE]), plan.end)
    return min(float(plan.breaks[at]), last) if at < len(plan.breaks) else last
