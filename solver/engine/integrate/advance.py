"""Go on through time: the loop about the one call of the equations of motion."""

from __future__ import annotations

from solver.engine.dynamics.rows import correct_places, correct_speeds, find_impulses, worst
from solver.engine.dynamics.tree import SOLVED, Array, move
from solver.engine.forces.airbags.kernels import begin_bag_step, keep_sides
from solver.engine.forces.cams import keep_feet
from solver.engine.forces.contacts.kernels import (
    begin_step,
    keep_paths,
    keep_touches,
    recall_touches,
)
from solver.engine.forces.coordinates.actuators import keep_sensed, take_samples
from solver.engine.forces.coordinates.measure import keep_angles
from solver.engine.forces.drivers import keep_drivers
from solver.engine.forces.joints.eulers import keep_eulers, longest_turn
from solver.engine.forces.rolling import keep_normals, some_slip
from solver.engine.forces.state import Moment, State
from solver.engine.forces.straps.arrays import UNBALANCED
from solver.engine.forces.straps.kernels import (
    end_straps,
    recall_end_of_step,
    recall_straps,
    remember_straps,
)
from solver.engine.forces.straps.retractors import draw_in
from solver.engine.forces.struck import is_full
from solver.engine.forces.system import ROLL_EVENTS, System, Work, evaluate
from solver.engine.integrate.control import ask, tell
from solver.engine.integrate.ending import begin_shorter, shorten
from solver.engine.integrate.energy_steps import begin_account
from solver.engine.integrate.flow import (
    AT,
    BLURS,
    CLEARS,
    EVENTS_AT_ONCE,
    EVENTS_NOW,
    FRESH,
    PENDING,
    PHASE,
    RETAKING,
    SAMPLED_NOW,
    STAGE,
    STEPS,
    STEPS_NOW,
    STOP_NOW,
    WAKE,
    WITHIN,
    Flow,
    H,
    T,
)
from solver.engine.integrate.happening import START_SPEEDS, book, happen, note_event
from solver.engine.integrate.implicit import forget as forget_stages
from solver.engine.integrate.plan import (
    CONTRADICTED,
    EVALUATE,
    FORKED,
    FROZEN,
    IDLE,
    NO_STEP,
    PAUSED,
    PROBING,
    REFRESHING,
    SAMPLING,
    STAGING,
    STOPPED,
    SWITCHED,
    SWITCHING,
    History,
    Method,
    Plan,
    kind_of,
)
from solver.engine.integrate.samples import Samples, take
from solver.engine.integrate.stages import ENERGY_MOMENTUM, VEI, by_error
from solver.engine.integrate.vei import forget, judge
from solver.engine.integrate.weighing import weigh
from solver.engine.jit.kernels import inner, kernel, separate
from solver.engine.maths.copying import copy

TAKEN, CORRECTED, AGAIN = -1, -2, -3
"""What comes of a part of the loop, beside the codes of `plan`: an evaluation stands and goes on to the next part; it has
been corrected and is made once more; or what is to be evaluated is asked for again."""

HELD_TO = 1e-10
"""How exactly constraints are held at the ends of steps and at samples (m, rad and per second)."""


CONTRADICTS = 1e-6
"""Error that no correction brings down: the constraints contradict each other."""


CORRECTIONS = 10


NEAR_SINGULAR = 1e-3
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


WILD = 0.1
"""Part of a step that is tried instead where a stage of it has no accelerations."""


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


@separate
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
    """By how much constraints are off."""
    place, speed = worst(work.rows)
    return max(place, speed)


@inner
def _near(work: Work) -> bool:
    """Whether constraints are near a singular position."""
    return bool(work.rows.pivot[0] * work.rows.pivot[1] < NEAR_SINGULAR)


@kernel
def advance(
    system: System, work: Work, flow: Flow, method: Method, plan: Plan, samples: Samples,
    history: History,
) -> int:  # fmt: skip
    """Step until all planned times are sampled or the history is full; give why it came back."""
    counters = flow.counters
    counters[SAMPLED_NOW] = counters[STEPS_NOW] = counters[EVENTS_NOW] = 0
    work.impacts.told.written[:] = 0
    tries = 0
    while True:
        if tries == 0:
            # what is corrected comes to its end first: a run goes on from here to the bit
            code = _choose(system, flow, method, plan, history)
            if code == AGAIN:
                continue
            if code != EVALUATE:
                return code
        unbalanced = system.straps.workspace.counts[UNBALANCED]
        status = _evaluate(system, work, flow)
        code = _hold_stage(system, work, flow, method, status, tries, unbalanced)
        if code == TAKEN:
            code = _hold_end(system, work, flow, history, status, tries)
        if code == CORRECTED:
            tries += 1
            continue
        tries = 0
        if code == TAKEN:
            code = _let_events_happen(system, work, flow, method, history, status)
        if code == TAKEN:
            code = _keep_what_is_found(system, work, flow, method, samples)
        if code == TAKEN:
            code = _go_on(system, work, flow, method, plan, history, status)
        if code != TAKEN and code != AGAIN:
            return code


@inner
def _choose(system: System, flow: Flow, method: Method, plan: Plan, history: History) -> int:
    """Choose what is evaluated next, and how long a step that begins may be; AGAIN where it is to be shorter."""
    clock, counters, eulers = flow.clock, flow.counters, system.joints.eulers
    if flow.wish[0] == STOP_NOW:
        return STOPPED
    code = ask(system.tree, system.locked, flow, method, plan, history)
    if code != EVALUATE:
        return code
    phase = counters[PHASE]
    if phase != STAGING or counters[STAGE] == 1:
        recall_touches(system.contacts)
    if phase == SAMPLING:
        recall_end_of_step(system.straps)
    elif phase != PROBING and (phase != STAGING or counters[STAGE] == 1):
        recall_straps(system.straps)
    if phase != PROBING and not (phase == STAGING and counters[STAGE] == 1):
        return EVALUATE
    begin_step(system.contacts)
    begin_bag_step(system.bags)
    heeds_error = by_error(kind_of(method))
    if len(eulers.body) and heeds_error:
        longest = longest_turn(eulers, system.tree, flow.v)
        if clock[H] > 1.000001 * longest:
            begin_shorter(flow, longest)
            return AGAIN
    if phase != PROBING and len(system.straps.model.kind):
        remember_straps(system.straps, system.laws, system.curves)
        is_long = clock[H] > 1.000001 * DRAWN and heeds_error
        if is_long and draw_in(
            system.straps.retractors, system.curves, system.triggers.fires, clock[T]
        ):
            begin_shorter(flow, DRAWN)
            return AGAIN
    return EVALUATE


@inner
def _evaluate(system: System, work: Work, flow: Flow) -> int:
    """Evaluate the state that stands ready: the one call of the equations of motion."""
    clock = flow.clock
    if flow.counters[STEPS] == 0 and system.straps.retractors.time[0] < -1e300:
        system.straps.retractors.time[0] = clock[T] - SETTLED
    state = State(flow.qs, flow.vs, flow.zs)
    return int(evaluate(system, work, clock[AT], clock[WITHIN], state, flow.now, flow.power_now))


@inner
def _hold_stage(
    system: System, work: Work, flow: Flow, method: Method, status: int, tries: int, unbalanced: int
) -> int:
    """Look whether a stage has a balance of webbing, and stands off singular positions of constraints.

    CORRECTED where it was brought back onto the constraints, AGAIN where a shorter step is tried instead.
    """
    clock, counters, rows = flow.clock, flow.counters, work.rows
    counts = system.straps.workspace.counts
    if counters[PHASE] != STAGING:
        return TAKEN
    may_shorten = by_error(kind_of(method)) and not counters[RETAKING]
    if may_shorten and clock[H] > SHORTEST and counts[UNBALANCED] > unbalanced:
        # nearer to the memory there is a balance
        counts[UNBALANCED] = unbalanced
        shorten(flow, 0.25)
        return AGAIN
    if status != SOLVED and may_shorten and WILD * clock[H] > method.smallest:
        # a stage so far off that its loads are no numbers says nothing of the motion
        shorten(flow, WILD)
        return AGAIN
    if rows.used[0] == 0:
        return TAKEN
    way = rows.pivot[0] * rows.pivot[1]
    clock[CLEARS] = max(clock[CLEARS], way)
    if way < NEAR_SINGULAR:
        clock[BLURS] = max(clock[BLURS], min(BLUR / max(way, 1e-300), BLURRED))
    if status != SOLVED or kind_of(method) == VEI:
        return TAKEN
    if may_shorten and rows.used[1] < rows.used[2]:
        # a step of another length goes past it
        if clock[H] <= SHORTEST:
            return FORKED
        shorten(flow, ANOTHER)
        return AGAIN
    if _near(work) and tries < NEAR_TRIES and _off(work) > NEAR_TO:
        _correct(system, work, flow, flow.qs, flow.vs)
        return CORRECTED
    return TAKEN


@inner
def _hold_end(
    system: System, work: Work, flow: Flow, history: History, status: int, tries: int
) -> int:
    """Bring the ends of steps, and samples, onto the constraints: CORRECTED until they are held."""
    counters = flow.counters
    phase = counters[PHASE]
    if phase in (STAGING, PROBING) or status != SOLVED:
        return TAKEN
    off = _off(work)
    if off > HELD_TO and tries < CORRECTIONS:
        if tries == 0 and phase in (REFRESHING, SWITCHING) and len(system.rolls.kind):
            find_impulses(work.rows)
            rolls = system.first[ROLL_EVENTS]
            if some_slip(system.rolls, work.rows, flow.level, rolls):
                # begin again with other modes
                counters[PHASE] = IDLE
                return SWITCHED
        done = _correct(system, work, flow, flow.qs, flow.vs)
        if phase != SAMPLING:
            book(flow, work, done)
            if tries == 0 and counters[STEPS] == 0 and abs(done) > NOTICED:
                note_event(flow, history, START_SPEEDS, 0)
        work.rows.driven[0] = 0.0
        return CORRECTED
    return CONTRADICTED if off > CONTRADICTS else TAKEN


@inner
def _let_events_happen(
    system: System, work: Work, flow: Flow, method: Method, history: History, status: int
) -> int:
    """Let the events happen that wait, at the state just evaluated: AGAIN where modes stay as they are."""
    counters = flow.counters
    if counters[PHASE] != SWITCHING or status != SOLVED:
        return TAKEN
    changed = happen(system, work, flow, history)
    keep_touches(system.contacts)
    if kind_of(method) == VEI:
        forget(flow.clock, method.vei)
    forget_stages(method.implicit, changed)
    counters[PHASE] = IDLE
    if counters[EVENTS_AT_ONCE] > TOO_MANY + 4 * len(flow.fire):
        return FROZEN
    if is_full(work.impacts.told):
        return PAUSED
    return SWITCHED if changed else AGAIN


@inner
def _keep_what_is_found(
    system: System, work: Work, flow: Flow, method: Method, samples: Samples
) -> int:
    """Keep a sample, or what elements remember of the present state: AGAIN where an actuator holds something else."""
    clock, counters, coordinates = flow.clock, flow.counters, system.coordinates
    phase = counters[PHASE]
    if phase == SAMPLING:
        take(system, work, flow, samples, counters[SAMPLED_NOW])
        counters[SAMPLED_NOW] += 1
    if kind_of(method) == VEI and phase == STAGING and counters[STAGE] == 4:
        space = work.space
        judge(system.tree, system.locked, work.motion, space.alpha, space.acc, flow, method.vei)
    if kind_of(method) == ENERGY_MOMENTUM and phase in (STAGING, REFRESHING):
        balance = method.implicit.balance
        weigh(balance, system.tree, work.motion, work.space, system.gravity, work.held)
        if phase == REFRESHING:
            begin_account(balance, counters[STEPS] == 0)
    if phase != REFRESHING:
        return TAKEN
    _remember(system, clock[AT], counters[EVENTS_AT_ONCE] > 0)
    if len(coordinates.period) + len(coordinates.stop_law) + len(coordinates.blocks.hold):
        moment = Moment(clock[AT], clock[WITHIN], system.triggers.fires)
        new = take_samples(coordinates, system.curves, moment, flow.zs)
        clock[WAKE] = coordinates.wake[0]
        if new:
            # what is held has changed
            counters[PHASE] = IDLE
            return AGAIN
    return TAKEN


@inner
def _remember(system: System, t: float, event: bool) -> None:
    """Let what elements have just seen be what they go on from: it is the end of a step that stands."""
    if len(system.straps.model.kind):
        end_straps(system.straps, t)
    keep_eulers(system.joints.eulers, system.tree)
    keep_angles(system.coordinates)
    keep_drivers(system.drivers)
    keep_sides(system.bags)
    keep_touches(system.contacts)
    keep_paths(system.contacts, system.laws, system.curves)
    keep_normals(system.rolls)
    keep_feet(system.cams)
    if len(system.coordinates.lag):
        keep_sensed(system.coordinates, t, event)


@inner
def _go_on(
    system: System,
    work: Work,
    flow: Flow,
    method: Method,
    plan: Plan,
    history: History,
    status: int,
) -> int:
    """Take the evaluation in, and where it has ended a step, remember its end and hold it on the constraints."""
    clock, counters, rows = flow.clock, flow.counters, work.rows
    phase, steps = counters[PHASE], counters[STEPS]
    code = tell(system.tree, system.locked, flow, method, plan, history, status, work.g)
    if code != EVALUATE:
        return FORKED if code == NO_STEP and rows.used[0] > 0 and _near(work) else code
    # a step that ends where an event was looked for ends between evaluations
    is_end = counters[STEPS] > steps and phase == STAGING
    if phase == REFRESHING or is_end:
        rows.used[2] = rows.used[1]
    if is_end and counters[FRESH]:
        _remember(system, clock[AT], counters[PENDING] > 0)
    if is_end and _off(work) > 0.1 * HELD_TO:
        book(flow, work, _correct(system, work, flow, flow.q, flow.v))
        counters[FRESH] = 0
    return TAKEN
