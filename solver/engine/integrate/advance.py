"""Go on through time: the loop about the one call of the equations of motion."""

from __future__ import annotations

from solver.engine.dynamics.rows import correct_places, correct_speeds, find_impulses, worst
from solver.engine.dynamics.tree import Array, move
from solver.engine.dynamics.workspace import SOLVED
from solver.engine.forces.coordinates.controlled import take_samples
from solver.engine.forces.coordinates.measure import keep_angles
from solver.engine.forces.coordinates.sensed import keep_sensed
from solver.engine.forces.drivers import keep_drivers
from solver.engine.forces.joints.eulers import keep_eulers, longest_turn
from solver.engine.forces.rolling import some_slip
from solver.engine.forces.straps.arrays import OPEN as UNBALANCED
from solver.engine.forces.straps.memory import end_straps, remember_straps
from solver.engine.forces.straps.spools import draw_in
from solver.engine.forces.system import ROLL_EVENTS, System, Work, evaluate
from solver.engine.integrate.control import ask, tell
from solver.engine.integrate.convergence import judge
from solver.engine.integrate.ending import begin_shorter, shorten
from solver.engine.integrate.flow import (
    AT,
    AT_ONCE,
    BLURS,
    CLEARS,
    EVENTS_NOW,
    FRESH,
    PENDING,
    PHASE,
    RETAKING,
    SAMPLED_NOW,
    STAGE,
    STEPS,
    STEPS_NOW,
    STOP,
    WAKE,
    WITHIN,
    Flow,
    H,
    T,
)
from solver.engine.integrate.happening import START_SPEEDS, book, happen, note_event
from solver.engine.integrate.implicit import forget as forget_stages
from solver.engine.integrate.plan import (
    APART,
    EVALUATE,
    FORKED,
    FROZEN,
    IDLE,
    PROBING,
    REFRESHING,
    SAMPLING,
    STAGING,
    STOPPED,
    STUCK,
    SWITCHED,
    SWITCHING,
    History,
    Method,
    Plan,
    kind_of,
)
from solver.engine.integrate.samples import Samples, take
from solver.engine.integrate.stages import VEI, by_error
from solver.engine.integrate.vei import forget
from solver.engine.jit.alone import alone
from solver.engine.jit.kernels import inner, kernel
from solver.engine.maths.copying import copy

HELD_TO = 1e-10
"""How exactly constraints are held at the ends of steps and at samples (m, rad and per second)."""


OFF = 1e-6
"""Error that no correction brings down: the constraints contradict each other."""


CORRECTIONS = 10


NEAR = 1e-3
"""Smallest pivot of constraints, times what a row moves of its ease, from which they are near a singular
position: that is the square of the way to it in radians. There stages, too, are
brought back onto them: what a stage is off would be felt divided by the way to that position."""


NEAR_TO = 1e-13
"""How exactly constraints are held there (m, rad and per second). What is left would turn the motion
into the other branch at the square root of it."""


NEAR_TRIES = 3

BLUR, BLURRED = 1e-12, 1e-5
"""Rounding of rates where constraints are far from singular positions, and the most of it, in parts of them, that a step
over such a position need not heed: it grows with one over the square of the way to the position, and would cut steps without end."""


ANOTHER = 0.7
"""Part of a step that is tried instead where one of its stages stands at a singular position."""


NOTICED = 1e-9
"""Work (J) of that correction from which it is worth a word."""


SETTLED = 1e-2
"""Time (s) that webbing, as it is laid, has had to come to rest before the start."""


DRAWN = 1e-4
"""Longest step (s) while a pretensioner draws in: what it misses at its limit it misses step by step."""


SHORTEST = 1e-6
"""Step (s) that is taken even if a harness has come to no balance in it."""


TOO_MANY = 100
"""Events without a step between them, beside a few for each that there is, after which a run is given
up."""


@alone
def _correct(system: System, work: Work, flow: Flow, q: Array, v: Array) -> float:
    """Close what constraints say is open, by the last evaluation's factors; give the work of it."""
    tree, locked, motion, space, rows = (
        system.tree,
        system.locked,
        work.motion,
        work.space,
        work.rows,
    )
    done = correct_speeds(tree, locked, motion, space, rows, v)
    correct_places(tree, locked, motion, space, rows, flow.room_v)
    move(tree, locked, q, flow.room_v, 1.0, flow.room_q)
    copy(q, flow.room_q)
    return done


@inner
def _off(work: Work) -> float:
    """Give by how much constraints are off."""
    place, speed = worst(work.rows)
    return max(place, speed)


@inner
def _near(work: Work) -> bool:
    """Say whether constraints are near a singular position."""
    return bool(work.rows.pivot[0] * work.rows.pivot[1] < NEAR)


@kernel
def advance(
    system: System, work: Work, flow: Flow, method: Method, plan: Plan, samples: Samples,
    history: History,
) -> int:  # fmt: skip
    """Step until all planned times are sampled or the history is full; give why it came back."""
    tree, locked, clock, counters = system.tree, system.locked, flow.clock, flow.counters
    eulers = system.joints.eulers
    counters[SAMPLED_NOW] = counters[STEPS_NOW] = counters[EVENTS_NOW] = 0
    tries = 0
    while True:
        if tries == 0:
            # what is corrected comes to its end first: a run goes on from here to the bit
            if flow.wish[0] == STOP:
                return STOPPED
            code = ask(tree, locked, flow, method, plan, history)
            if code != EVALUATE:
                return code
            begins = counters[PHASE] == PROBING or (
                counters[PHASE] == STAGING and counters[STAGE] == 1
            )
            if begins and len(eulers.body) and by_error(kind_of(method)):
                longest = longest_turn(eulers, tree, flow.v)
                if clock[H] > 1.000001 * longest:
                    begin_shorter(flow, longest)
                    continue
            if begins and len(system.straps.model.kind):
                remember_straps(system.straps, system.spools, system.laws, system.curves)
                is_long = clock[H] > 1.000001 * DRAWN and by_error(kind_of(method))
                fires = system.triggers.fires
                if is_long and draw_in(system.spools, system.curves, fires, clock[T]):
                    begin_shorter(flow, DRAWN)
                    continue
        if counters[STEPS] == 0 and system.spools.time[0] < -1e300:
            system.spools.time[0] = clock[T] - SETTLED
        unbalanced = system.straps.work.counts[UNBALANCED]
        status = evaluate(
            system,
            work,
            clock[AT],
            clock[WITHIN],
            flow.qs,
            flow.vs,
            flow.zs,
            flow.now,
            flow.power_now,
        )
        phase = counters[PHASE]
        may_shorten = phase == STAGING and by_error(kind_of(method)) and not counters[RETAKING]
        if (
            may_shorten
            and clock[H] > SHORTEST
            and system.straps.work.counts[UNBALANCED] > unbalanced
        ):
            # nearer to the memory there is a balance
            system.straps.work.counts[UNBALANCED] = unbalanced
            tries = 0
            shorten(flow, 0.25)
            continue
        rows = work.rows
        if phase == STAGING and rows.used[0] > 0:
            way = rows.pivot[0] * rows.pivot[1]
            clock[CLEARS] = max(clock[CLEARS], way)
            if way < NEAR:
                clock[BLURS] = max(clock[BLURS], min(BLUR / max(way, 1e-300), BLURRED))
        if phase == STAGING and status == SOLVED and kind_of(method) != VEI and rows.used[0] > 0:
            if may_shorten and rows.used[1] < rows.used[2]:
                # a step of another length goes past it
                if clock[H] <= SHORTEST:
                    return FORKED
                tries = 0
                shorten(flow, ANOTHER)
                continue
            if _near(work) and tries < NEAR_TRIES and _off(work) > NEAR_TO:
                tries += 1
                _correct(system, work, flow, flow.qs, flow.vs)
                continue
        if phase not in (STAGING, PROBING) and status == SOLVED:
            off = _off(work)
            if off > HELD_TO and tries < CORRECTIONS:
                tries += 1
                settles = phase in (REFRESHING, SWITCHING)
                if tries == 1 and settles and len(system.rolls.kind):
                    find_impulses(work.rows)
                    rolls = system.first[ROLL_EVENTS]
                    if some_slip(system.rolls, work.rows, flow.level, rolls):
                        # begin anew with other modes
                        counters[PHASE] = IDLE
                        return SWITCHED
                done = _correct(system, work, flow, flow.qs, flow.vs)
                if phase != SAMPLING:
                    book(flow, work, done)
                    if tries == 1 and counters[STEPS] == 0 and abs(done) > NOTICED:
                        note_event(flow, history, START_SPEEDS, 0)
                work.rows.driven[0] = 0.0
                continue
            if off > OFF:
                return APART
        tries = 0
        if phase == SWITCHING and status == SOLVED:
            changed = happen(system, work, flow, history)
            if kind_of(method) == VEI:
                forget(clock, method.vei)
            forget_stages(method.implicit, changed)
            counters[PHASE] = IDLE
            if counters[AT_ONCE] > TOO_MANY + 4 * len(flow.fire):
                return FROZEN
            if changed:
                return SWITCHED
            continue
        if phase == SAMPLING:
            take(
                tree, locked, system.gravity, system.pairs, system.rolls, system.contacts,
                system.belts, system.winds, system.bags, system.straps, system.spools, system.coordinates,
                system.breakings, system.bends, system.symmetries, system.rails, system.partings, system.drivers,
                system.joints.eulers, work, flow, samples, counters[SAMPLED_NOW],
            )  # fmt: skip
            counters[SAMPLED_NOW] += 1
        if kind_of(method) == VEI and phase == STAGING and counters[STAGE] == 4:
            space = work.space
            judge(tree, locked, work.motion, space.alpha, space.acc, flow, method.vei)
        steps = counters[STEPS]
        if phase == REFRESHING and len(system.straps.model.kind):
            end_straps(system.straps, system.spools, clock[AT])
        if phase == REFRESHING:
            keep_eulers(eulers, tree)
            keep_angles(system.coordinates)
            keep_drivers(system.drivers)
        if phase == REFRESHING and len(system.coordinates.lag):
            keep_sensed(system.coordinates, clock[AT], counters[AT_ONCE] > 0)
        coordinates = system.coordinates
        if phase == REFRESHING and len(coordinates.period) + len(coordinates.stop_law):
            new = take_samples(
                system.coordinates, system.curves, system.triggers.fires, clock[AT], clock[WITHIN], flow.zs
            )  # fmt: skip
            clock[WAKE] = system.coordinates.wake[0]
            if new:
                # what is held has changed
                counters[PHASE] = IDLE
                continue
        code = tell(tree, locked, flow, method, plan, history, status, work.g)
        if code != EVALUATE:
            return FORKED if code == STUCK and rows.used[0] > 0 and _near(work) else code
        if phase == REFRESHING or counters[STEPS] > steps:
            rows.used[2] = rows.used[1]
        if counters[STEPS] > steps and counters[FRESH]:
            keep_eulers(eulers, tree)
            keep_angles(system.coordinates)
            keep_drivers(system.drivers)
        if counters[STEPS] > steps and counters[FRESH] and len(system.straps.model.kind):
            end_straps(system.straps, system.spools, clock[AT])
        if counters[STEPS] > steps and counters[FRESH] and len(system.coordinates.lag):
            keep_sensed(system.coordinates, clock[AT], counters[PENDING] > 0)
        if counters[STEPS] > steps and _off(work) > 0.1 * HELD_TO:
            book(flow, work, _correct(system, work, flow, flow.q, flow.v))
            counters[FRESH] = 0
