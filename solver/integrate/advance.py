"""Go on through time: the loop about the one call of the equations of motion."""

from __future__ import annotations

from solver.dynamics.forward import SOLVED
from solver.dynamics.rows import correct_places, correct_speeds, find_impulses, worst
from solver.dynamics.tree import Array, move
from solver.forces.rolling import some_slip, switch_rolling
from solver.forces.switches import switch
from solver.forces.system import IMPULSE_ROWS, IMPULSES, System, Work, evaluate
from solver.integrate.control import (
    APART,
    EVALUATE,
    FROZEN,
    IDLE,
    REFRESHING,
    SAMPLING,
    STAGING,
    SWITCHED,
    SWITCHING,
    History,
    Method,
    Plan,
    ask,
    tell,
)
from solver.integrate.convergence import judge
from solver.integrate.flow import (
    AT,
    AT_ONCE,
    ERROR,
    EVENT,
    FRESH,
    H_NEXT,
    PENDING,
    PHASE,
    SAMPLED_NOW,
    STAGE,
    STEPS,
    STEPS_NOW,
    WITHIN,
    WORST,
    Flow,
)
from solver.integrate.samples import Samples, take
from solver.integrate.stages import VEI
from solver.integrate.vei import forget
from solver.maths.copying import copy
from solver.maths.kernels import inner, kernel

HELD_TO = 1e-10
"""How exactly constraints are held at the ends of steps and at samples (m, rad and per second)."""

OFF = 1e-6
"""Error that no correction brings down: the constraints contradict each other."""

CORRECTIONS = 10

TOO_MANY = 100
"""Events without a step between them after which a run is given up."""


@inner
def _correct(system: System, work: Work, flow: Flow, q: Array, v: Array) -> float:
    """Close what constraints say is open, by the last evaluation's factors; give the work of it."""
    tree, locked, motion, room, rows = system.tree, system.locked, work.motion, work.room, work.rows
    done = correct_speeds(tree, locked, motion, room, rows, v)
    correct_places(tree, locked, motion, room, rows, flow.xs)
    move(tree, locked, q, flow.xs, 1.0, flow.room_q)
    copy(q, flow.room_q)
    return done


@inner
def _off(work: Work) -> float:
    """Give by how much constraints are off."""
    if len(work.rows.held) == IMPULSE_ROWS:
        return 0.0
    place, speed = worst(work.rows)
    return max(place, speed)


@inner
def _happen(system: System, work: Work, flow: Flow) -> None:
    """Let the first of the waiting events happen, at the state just evaluated."""
    counters = flow.counters
    copy(flow.q, flow.qs)
    copy(flow.v, flow.vs)
    for k in range(len(flow.fire)):
        if flow.fire[k] == 0:
            continue
        joints = len(system.switches.kind)
        if k >= joints:
            switch_rolling(system.rolls, k - joints, work.rows, flow.level, k)
            flow.fire[k] = flow.armed[k] = 0
            counters[EVENT], counters[WORST] = k, system.rolls.m[k - joints]
            break
        done = switch(
            k, system.switches, system.joints, system.tree, system.locked, work.motion, work.room,
            work.rows, flow.q, flow.v, work.load,
        )  # fmt: skip
        flow.z[IMPULSES] += work.load[5]
        counters[EVENT] = k if done else -1
        counters[WORST] = system.switches.body[k]
        if done:
            flow.fire[k] = flow.armed[k] = 0
        break
    counters[PENDING] = 0
    for k in range(len(flow.fire)):
        if flow.fire[k]:
            counters[PENDING] = 1
    counters[FRESH] = 0
    counters[AT_ONCE] += 1
    # a new beginning: the next step has no past
    flow.clock[H_NEXT] = 0.0
    flow.clock[ERROR] = 1e-4


@kernel
def advance(
    system: System, work: Work, flow: Flow, method: Method, plan: Plan, samples: Samples,
    history: History,
) -> int:  # fmt: skip
    """Step until all planned times are sampled or the history is full; give why it came back."""
    tree, locked, clock, counters = system.tree, system.locked, flow.clock, flow.counters
    counters[SAMPLED_NOW] = counters[STEPS_NOW] = 0
    counters[EVENT] = -1
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
                if tries == 1 and phase == REFRESHING and len(system.rolls.kind):
                    find_impulses(work.rows)
                    joints = len(system.switches.kind)
                    if some_slip(system.rolls, work.rows, flow.level, joints):
                        # begin anew with other modes
                        counters[PHASE] = IDLE
                        return SWITCHED
                done = _correct(system, work, flow, flow.qs, flow.vs)
                if phase != SAMPLING:
                    flow.z[IMPULSES] += done
                continue
            if off > OFF:
                return APART
        tries = 0
        if phase == SWITCHING and status == SOLVED:
            _happen(system, work, flow)
            if method.kind == VEI:
                forget(clock, method.vei)
            counters[PHASE] = IDLE
            return SWITCHED if counters[AT_ONCE] < TOO_MANY else FROZEN
        if phase == SAMPLING:
            take(
                tree, locked, system.gravity, system.pairs, system.rolls, work, flow, samples,
                counters[SAMPLED_NOW],
            )  # fmt: skip
            counters[SAMPLED_NOW] += 1
        if method.kind == VEI and phase == STAGING and counters[STAGE] == 4:
            room = work.room
            judge(tree, locked, work.motion, room.alpha, room.acc, flow, method.vei)
        steps = counters[STEPS]
        code = tell(tree, locked, flow, method, plan, history, SOLVED, status, work.g)
        if code != EVALUATE:
            return code
        if counters[STEPS] > steps and _off(work) > 0.1 * HELD_TO:
            flow.z[IMPULSES] += _correct(system, work, flow, flow.q, flow.v)
            counters[FRESH] = 0
