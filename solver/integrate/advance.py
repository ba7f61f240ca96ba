"""Go on through time: the loop about the one call of the equations of motion."""

from __future__ import annotations

from solver.dynamics.forward import SOLVED
from solver.dynamics.rows import correct_places, correct_speeds, find_impulses, worst
from solver.dynamics.tree import Array, move
from solver.forces.airbags import FILLED, switch_bag
from solver.forces.belts import switch_belt
from solver.forces.contacts import switch_contact
from solver.forces.harness_memory import end_straps, remember_straps, turn_straps
from solver.forces.impacts import WHOLE
from solver.forces.laws import NOTHING, TOUCHED
from solver.forces.rolling import some_slip, switch_rolling, touches_now
from solver.forces.spools import draw_in, switch_spool
from solver.forces.straps import OPEN as UNBALANCED
from solver.forces.strikes import collide
from solver.forces.switches import is_stop, switch
from solver.forces.system import (
    AIRBAGS,
    BAG_EVENTS,
    BELT_EVENTS,
    CONTACT_EVENTS,
    IMPULSES,
    ROLL_EVENTS,
    SPOOL_EVENTS,
    STRAP_EVENTS,
    TRIGGER_EVENTS,
    WIND_EVENTS,
    System,
    Work,
    evaluate,
)
from solver.forces.triggers import switch_trigger
from solver.integrate.control import (
    APART,
    EVALUATE,
    FORKED,
    FROZEN,
    IDLE,
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
    ask,
    begin_shorter,
    shorten,
    tell,
)
from solver.integrate.convergence import judge
from solver.integrate.flow import (
    AT,
    AT_ONCE,
    ERROR,
    EVENTS_NOW,
    FRESH,
    H_NEXT,
    PENDING,
    PHASE,
    RETAKING,
    SAMPLED_NOW,
    STAGE,
    STEPS,
    STEPS_NOW,
    STOP,
    WITHIN,
    WORST,
    Flow,
    H,
    T,
)
from solver.integrate.samples import Samples, take
from solver.integrate.stages import DOPRI, VEI
from solver.integrate.vei import forget
from solver.maths.alone import alone
from solver.maths.copying import copy
from solver.maths.kernels import inner, kernel

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

ANOTHER = 0.7
"""Part of a step that is tried instead where one of its stages stands at a singular position."""

START_SPEEDS = -1
"""Number of the event that constraints have corrected the speeds at the start."""

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
@inner
def _correct(system: System, work: Work, flow: Flow, q: Array, v: Array) -> float:
    """Close what constraints say is open, by the last evaluation's factors; give the work of it."""
    tree, locked, motion, room, rows = system.tree, system.locked, work.motion, work.room, work.rows
    done = correct_speeds(tree, locked, motion, room, rows, v)
    correct_places(tree, locked, motion, room, rows, flow.room_v)
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


@inner
def _note(flow: Flow, history: History, event: int, what: int) -> None:
    """Write down an event, if it did happen."""
    if what == NOTHING:
        return
    n, counters = flow.counters[EVENTS_NOW], flow.counters
    history.event_time[n] = flow.clock[AT]
    history.event[n, 0], history.event[n, 1], history.event[n, 2] = event, what, counters[STEPS_NOW]
    counters[EVENTS_NOW] = n + 1


@inner
def _happen(system: System, work: Work, flow: Flow, history: History) -> bool:
    """Let the first of the waiting events happen, at the state just evaluated.

    Says whether it changed the modes of the tree.
    """
    counters, changed, jumped = flow.counters, True, True
    copy(flow.q, flow.qs)
    copy(flow.v, flow.vs)
    for k in range(len(flow.fire)):
        if flow.fire[k] == 0:
            continue
        first = system.first
        if k >= first[STRAP_EVENTS]:
            changed = jumped = False
            n = k - first[STRAP_EVENTS]
            what = turn_straps(system.straps, system.laws, system.curves, n, flow.clock[AT])
            flow.fire[k] = flow.armed[k] = 0
            _note(flow, history, k, what)
            break
        if k >= first[SPOOL_EVENTS]:
            changed = jumped = False
            what = switch_spool(system.spools, k - first[SPOOL_EVENTS], flow.clock[AT])
            flow.fire[k] = flow.armed[k] = 0
            _note(flow, history, k, what)
            break
        if k >= first[BAG_EVENTS]:
            # a full bag is a body from now on
            work.load[0] = 0.0
            what = switch_bag(
                system.bags, system.tree, system.locked, work.motion, k - first[BAG_EVENTS], flow.zs,
                flow.power_now, flow.first_state, flow.q, flow.v, system.gravity, work.load,
            )  # fmt: skip
            flow.z[AIRBAGS] += work.load[0]
            flow.fire[k] = flow.armed[k] = 0
            _note(flow, history, k, what)
            changed = what == FILLED
            break
        if k >= first[TRIGGER_EVENTS]:
            changed = jumped = False
            what = switch_trigger(system.triggers, k - first[TRIGGER_EVENTS], flow.clock[AT])
            flow.fire[k] = flow.armed[k] = 0
            _note(flow, history, k, what)
            break
        if k >= first[WIND_EVENTS]:
            changed = jumped = False
            system.winds.began[k - first[WIND_EVENTS]] = flow.clock[AT]
            flow.fire[k] = flow.armed[k] = 0
            _note(flow, history, k, 0)
            break
        if k >= first[BELT_EVENTS]:
            changed = jumped = False
            belts, n = system.belts, k - first[BELT_EVENTS]
            what = switch_belt(belts, system.laws, system.surfaces, system.curves, work.motion, n)
            flow.fire[k] = flow.armed[k] = 0
            _note(flow, history, k, what)
            counters[WORST] = max(system.surfaces.body[belts.surface[n // 2]], 0)
            break
        if k >= first[CONTACT_EVENTS]:
            changed = False
            jumped = _switch_contact(system, work, flow, history, k, k - first[CONTACT_EVENTS])
            break
        if k >= first[ROLL_EVENTS]:
            # what touches at this instant is stopped together
            for other in range(first[ROLL_EVENTS], first[CONTACT_EVENTS]):
                n = other - first[ROLL_EVENTS]
                if flow.fire[other] or touches_now(system.rolls, n):
                    switch_rolling(system.rolls, n, work.rows, flow.level, other)
                    flow.fire[other] = flow.armed[other] = 0
                    _note(flow, history, other, 0)
            counters[WORST] = system.rolls.m[k - first[ROLL_EVENTS]]
            break
        if is_stop(system.switches, k):
            flow.fire[k] = flow.armed[k] = 0
            _note(flow, history, k, 0)
            counters[WORST] = system.switches.body[k]
            _strike(system, work, flow, history, k)
            break
        done = switch(
            k, system.switches, system.joints, system.tree, system.locked, work.motion, work.room,
            work.rows, flow.q, flow.v, work.load,
        )  # fmt: skip
        flow.z[IMPULSES] += work.load[5]
        counters[WORST] = system.switches.body[k]
        if done:
            _note(flow, history, k, 0)
            flow.fire[k] = flow.armed[k] = 0
        break
    counters[PENDING] = 0
    for k in range(len(flow.fire)):
        if flow.fire[k]:
            counters[PENDING] = 1
    counters[FRESH] = 0
    counters[AT_ONCE] += 1
    if jumped:
        # a new beginning: the next step has no past
        flow.clock[H_NEXT] = 0.0
        flow.clock[ERROR] = 1e-4
    return changed


@inner
def _strike(system: System, work: Work, flow: Flow, history: History, k: int) -> bool:
    """Let all strike that do at this instant, for a stop or a pair; says whether speeds have jumped."""
    pair = k - system.first[CONTACT_EVENTS]
    event, pair = (k, -1) if pair < 0 else (-1, pair)
    done = collide(
        work.impacts, system.contacts, system.laws, system.surfaces, system.planes, system.curves,
        system.switches, system.joints, system.tree, system.locked, work.motion, work.room, work.rows,
        flow.fire, system.first[CONTACT_EVENTS], event, pair, flow.q, flow.v, work.load,
    )  # fmt: skip
    flow.z[IMPULSES] += done
    if work.impacts.lack[0] != WHOLE:
        _note(flow, history, k, work.impacts.lack[0])
    return bool(done != 0.0)


@inner
def _switch_contact(
    system: System, work: Work, flow: Flow, history: History, k: int, pair: int
) -> bool:
    """Let the event of a pair that may touch happen; says whether speeds or forces have jumped."""
    contacts, laws = system.contacts, system.laws
    what, turns = switch_contact(
        contacts, laws, system.surfaces, system.planes, system.curves, work.motion, pair
    )
    flow.fire[k] = flow.armed[k] = 0
    _note(flow, history, k, what)
    flow.counters[WORST] = max(system.surfaces.body[contacts.a[pair]], 0)
    if what != TOUCHED:
        return bool(turns)
    if len(work.impacts.state) == 0:
        # no law here gives an impulse
        return False
    return _strike(system, work, flow, history, k)


@kernel
def advance(
    system: System, work: Work, flow: Flow, method: Method, plan: Plan, samples: Samples,
    history: History,
) -> int:  # fmt: skip
    """Step until all planned times are sampled or the history is full; give why it came back."""
    tree, locked, clock, counters = system.tree, system.locked, flow.clock, flow.counters
    counters[SAMPLED_NOW] = counters[STEPS_NOW] = counters[EVENTS_NOW] = 0
    tries = 0
    while True:
        if flow.wish[0] == STOP:
            return STOPPED
        if tries == 0:
            code = ask(tree, locked, flow, method, plan, history)
            if code != EVALUATE:
                return code
            if counters[PHASE] == STAGING and counters[STAGE] == 1 and len(system.straps.kind):
                remember_straps(system.straps, system.spools, system.laws, system.curves)
                is_long = clock[H] > 1.000001 * DRAWN and method.kind == DOPRI
                fires = system.triggers.fires
                if is_long and draw_in(system.spools, system.curves, fires, clock[T]):
                    begin_shorter(flow, DRAWN)
                    continue
        if counters[STEPS] == 0 and system.spools.time[0] < -1e300:
            system.spools.time[0] = clock[T] - SETTLED
        unbalanced = system.straps.counts[UNBALANCED]
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
        may_shorten = phase == STAGING and method.kind == DOPRI and not counters[RETAKING]
        if may_shorten and clock[H] > SHORTEST and system.straps.counts[UNBALANCED] > unbalanced:
            # nearer to the memory there is a balance
            system.straps.counts[UNBALANCED] = unbalanced
            tries = 0
            shorten(flow, 0.25)
            continue
        rows = work.rows
        if phase == STAGING and status == SOLVED and method.kind != VEI and rows.used[0] > 0:
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
        if phase != STAGING and status == SOLVED:
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
                    flow.z[IMPULSES] += done
                    if tries == 1 and counters[STEPS] == 0 and abs(done) > NOTICED:
                        _note(flow, history, START_SPEEDS, 0)
                continue
            if off > OFF:
                return APART
        tries = 0
        if phase == SWITCHING and status == SOLVED:
            changed = _happen(system, work, flow, history)
            if method.kind == VEI:
                forget(clock, method.vei)
            counters[PHASE] = IDLE
            if counters[AT_ONCE] > TOO_MANY + 4 * len(flow.fire):
                return FROZEN
            if changed:
                return SWITCHED
            continue
        if phase == SAMPLING:
            take(
                tree, locked, system.gravity, system.pairs, system.rolls, system.contacts,
                system.belts, system.winds, system.bags, system.straps, system.spools, work,
                flow, samples, counters[SAMPLED_NOW],
            )  # fmt: skip
            counters[SAMPLED_NOW] += 1
        if method.kind == VEI and phase == STAGING and counters[STAGE] == 4:
            room = work.room
            judge(tree, locked, work.motion, room.alpha, room.acc, flow, method.vei)
        steps = counters[STEPS]
        if phase == REFRESHING and len(system.straps.kind):
            end_straps(system.straps, system.spools, clock[AT])
        code = tell(tree, locked, flow, method, plan, history, status, work.g)
        if code != EVALUATE:
            return FORKED if code == STUCK and rows.used[0] > 0 and _near(work) else code
        if phase == REFRESHING or counters[STEPS] > steps:
            rows.used[2] = rows.used[1]
        if counters[STEPS] > steps and counters[FRESH] and len(system.straps.kind):
            end_straps(system.straps, system.spools, clock[AT])
        if counters[STEPS] > steps and _off(work) > 0.1 * HELD_TO:
            flow.z[IMPULSES] += _correct(system, work, flow, flow.q, flow.v)
            counters[FRESH] = 0
