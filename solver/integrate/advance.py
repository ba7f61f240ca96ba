"""Go on through time: the loop about the one call of the equations of motion."""

from __future__ import annotations

from solver.dynamics.rows import correct_places, correct_speeds, worst
from solver.dynamics.tree import Array, move
from solver.forces.system import SOLVED, System, Work, evaluate
from solver.integrate.control import (
    APART,
    EVALUATE,
    SAMPLING,
    STAGING,
    History,
    Method,
    Plan,
    ask,
    tell,
)
from solver.integrate.convergence import judge
from solver.integrate.flow import (
    AT,
    FRESH,
    PHASE,
    SAMPLED_NOW,
    STAGE,
    STEPS,
    STEPS_NOW,
    WITHIN,
    Flow,
)
from solver.integrate.samples import Samples, take
from solver.integrate.stages import VEI
from solver.maths.kernels import inner, kernel

HELD_TO = 1e-10
"""How exactly constraints are held at the ends of steps and at samples (m, rad and per second)."""

OFF = 1e-6
"""Error that no correction brings down: the constraints contradict each other."""

CORRECTIONS = 10


@inner
def _correct(system: System, work: Work, flow: Flow, q: Array, v: Array) -> None:
    """Close what constraints say is open, by the last evaluation's factors."""
    tree, locked, motion, room, rows = system.tree, system.locked, work.motion, work.room, work.rows
    correct_speeds(tree, locked, motion, room, rows, v)
    correct_places(tree, locked, motion, room, rows, flow.xs)
    move(tree, locked, q, flow.xs, 1.0, flow.room_q)
    q[:] = flow.room_q


@inner
def _off(work: Work) -> float:
    """Give by how much constraints are off."""
    if len(work.rows.held) == 0:
        return 0.0
    place, speed = worst(work.rows)
    return max(place, speed)


@kernel
def advance(
    system: System, work: Work, flow: Flow, method: Method, plan: Plan, samples: Samples,
    history: History,
) -> int:  # fmt: skip
    """Step until all planned times are sampled or the history is full; give why it came back."""
    tree, locked, clock, counters = system.tree, system.locked, flow.clock, flow.counters
    counters[SAMPLED_NOW] = counters[STEPS_NOW] = 0
    tries = 0
    while True:
        if tries == 0:
            code = ask(tree, locked, flow, method, plan, history)
            if code != EVALUATE:
                return code
        status = evaluate(
            system, work, clock[AT], clock[WITHIN], flow.qs, flow.vs, flow.now, flow.power_now
        )
        phase = counters[PHASE]
        if phase != STAGING and status == SOLVED:
            off = _off(work)
            if off > HELD_TO and tries < CORRECTIONS:
                tries += 1
                _correct(system, work, flow, flow.qs, flow.vs)
                continue
            if off > OFF:
                return APART
        tries = 0
        if phase == SAMPLING:
            take(tree, locked, system.gravity, work, flow, samples, counters[SAMPLED_NOW])
            counters[SAMPLED_NOW] += 1
        if method.kind == VEI and phase == STAGING and counters[STAGE] == 4:
            room = work.room
            judge(tree, locked, work.motion, room.alpha, room.acc, flow, method.vei)
        steps = counters[STEPS]
        code = tell(tree, locked, flow, method, plan, history, SOLVED, status, work.g)
        if code != EVALUATE:
            return code
        if counters[STEPS] > steps and _off(work) > 0.1 * HELD_TO:
            _correct(system, work, flow, flow.q, flow.v)
            counters[FRESH] = 0
