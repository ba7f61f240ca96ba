"""Events happen: what each of them changes, and what is written down of it."""

from __future__ import annotations

from solver.engine.dynamics.tree import kinematics
from solver.engine.forces.airbags.kernels import FILLED, TOUCH_TURNED, switch_bag
from solver.engine.forces.belts import switch_belt
from solver.engine.forces.breakable import HEAL, PART_ROLL, PARTING_TURNS, Ties, switch_breakable
from solver.engine.forces.contacts.kernels import switch_contact
from solver.engine.forces.coordinates.kernels import coordinate_forces, switch_coordinate
from solver.engine.forces.driving import WAITS, switch_driver
from solver.engine.forces.edge_constraint import switch_edge
from solver.engine.forces.impulses import NOTHING_LACKS
from solver.engine.forces.joints.kernels import joint_torques
from solver.engine.forces.laws import NOTHING, TOUCHED
from solver.engine.forces.rolling import ROLL_TURNS, switch_rolling, touches_now, turn_load
from solver.engine.forces.state import Bodies, Elements, Moment
from solver.engine.forces.straps.kernels import turn_straps
from solver.engine.forces.straps.retractors import hold_fired, switch_retractor
from solver.engine.forces.strikes import Instant, Stops, collide
from solver.engine.forces.switches import FORM_CHANGED, HAPPENED, HEALS, is_stop, switch
from solver.engine.forces.system import (
    AIRBAGS,
    BAG_EVENTS,
    BELT_EVENTS,
    BREAKABLE_EVENTS,
    CONTACT_EVENTS,
    COORDINATE_EVENTS,
    COORDINATE_LAWS,
    DRIVER_EVENTS,
    EDGE_EVENTS,
    IMPULSES,
    JOINT_SPRINGS,
    LOADS,
    MOTIONS,
    ROLL_EVENTS,
    SPOOL_EVENTS,
    STRAP_EVENTS,
    TRIGGER_EVENTS,
    WIND_EVENTS,
    System,
    Work,
    around_of,
)
from solver.engine.forces.triggers import TRIGGER_FIRED, switch_trigger
from solver.engine.integrate.flow import (
    AT,
    ERROR,
    EVENTS_AT_ONCE,
    EVENTS_NOW,
    FRESH,
    H_NEXT,
    PENDING,
    STEPS_NOW,
    STRIKES,
    WITHIN,
    WORST,
    Flow,
)
from solver.engine.integrate.plan import History
from solver.engine.jit.kernels import inlined, inner
from solver.engine.maths.copying import copy

NONE_WAITS, NONE_FREED, FREED = range(3)
"""What comes of all that waits to be set free."""

START_SPEEDS = -1
"""Number of the event that constraints have corrected the speeds at the start."""


@inner
def note_event(flow: Flow, history: History, event: int, what: int) -> None:
    """Write down an event, if it did happen."""
    if what == NOTHING:
        return
    n, counters = flow.counters[EVENTS_NOW], flow.counters
    history.event_time[n] = flow.clock[AT]
    history.event[n, 0], history.event[n, 1], history.event[n, 2] = event, what, counters[STEPS_NOW]
    counters[EVENTS_NOW] = n + 1


@inner
def book(flow: Flow, work: Work, done: float) -> None:
    """Book the work of impulses: what rows take, and what is driven gives."""
    flow.z[IMPULSES] += done
    flow.z[MOTIONS] += work.rows.driven[0]
    work.rows.driven[0] = 0.0


@inner
def _done(flow: Flow, history: History, k: int, what: int) -> None:
    """Write down what an event was; it is armed again once its function has fallen below zero."""
    flow.fire[k] = flow.armed[k] = 0
    note_event(flow, history, k, what)


@inner
def happen(system: System, work: Work, flow: Flow, history: History) -> bool:
    """Let all that waits to be set free go, or else the first of the other waiting events happen, or all that do not strike.

    The state has just been evaluated; says whether it changed the modes of the tree.
    """
    counters = flow.counters
    copy(flow.q, flow.qs)
    copy(flow.v, flow.vs)
    freed = _set_free(system, work, flow, history)
    changed = jumped = freed == FREED
    happened = False
    for k in range(len(flow.fire) if freed == NONE_WAITS else 0):
        if not flow.fire[k]:
            continue
        strikes = flow.sorts[k] == STRIKES
        if happened and strikes:
            break
        now_changed, now_jumped = _let_happen(system, work, flow, history, k)
        changed, jumped, happened = changed or now_changed, jumped or now_jumped, True
        if strikes or counters[EVENTS_NOW] >= len(history.time):
            break
    counters[PENDING] = 0
    for k in range(len(flow.fire)):
        if flow.fire[k]:
            counters[PENDING] = 1
    counters[FRESH] = 0
    counters[EVENTS_AT_ONCE] += 1
    if jumped:
        # a new beginning: the next step has no past
        flow.clock[H_NEXT] = 0.0
        flow.clock[ERROR] = 1e-4
    return changed


@inner
def _let_happen(
    system: System, work: Work, flow: Flow, history: History, k: int
) -> tuple[bool, bool]:
    """Let event k happen; says whether it changed the modes of the tree, and whether speeds or forces have jumped."""
    first, counters = system.first, flow.counters
    if k >= first[DRIVER_EVENTS]:
        _switch_driver(system, work, flow, history, k)
    elif k >= first[BREAKABLE_EVENTS]:
        done = _part(system, work, flow, history, k)
        return done, done
    elif k >= first[EDGE_EVENTS]:
        n = k - first[EDGE_EVENTS]
        _done(flow, history, k, switch_edge(system.edge_constraints, n, flow.level, k))
        counters[WORST] = max(system.edge_constraints.m[n], 0)
    elif k >= first[BAG_EVENTS] and k < first[SPOOL_EVENTS]:
        return _switch_bag(system, work, flow, history, k)
    elif k >= first[BELT_EVENTS]:
        _switch_element(system, work, flow, history, k)
        return False, False
    elif k >= first[CONTACT_EVENTS]:
        return False, _switch_contact(system, work, flow, history, k, k - first[CONTACT_EVENTS])
    elif k >= first[ROLL_EVENTS]:
        _switch_rolls(system, work, flow, history, k)
    elif is_stop(system.switches, k):
        _done(flow, history, k, 0)
        counters[WORST] = system.switches.body[k]
        _strike(system, work, flow, history, k)
    else:
        _switch_joint(system, work, flow, history, k)
    return True, True


@inner
def _switch_element(system: System, work: Work, flow: Flow, history: History, k: int) -> None:
    """Let the event of an element happen that changes its law, its trigger or its time, and no mode of the tree."""
    first, t, laws, curves = system.first, flow.clock[AT], system.laws, system.curves
    if k >= first[COORDINATE_EVENTS]:
        what = switch_coordinate(system.coordinates, curves, k - first[COORDINATE_EVENTS])
    elif k >= first[STRAP_EVENTS]:
        what = turn_straps(system.straps, laws, curves, k - first[STRAP_EVENTS], t)
    elif k >= first[SPOOL_EVENTS]:
        what = switch_retractor(system.straps, k - first[SPOOL_EVENTS], t)
    elif k >= first[TRIGGER_EVENTS]:
        what = switch_trigger(system.triggers, k - first[TRIGGER_EVENTS], t)
        if what == TRIGGER_FIRED:
            hold_fired(system.straps, k - first[TRIGGER_EVENTS])
    elif k >= first[WIND_EVENTS]:
        system.winds.began[k - first[WIND_EVENTS]] = t
        what = 0
    else:
        belts, n = system.belts, k - first[BELT_EVENTS]
        what = switch_belt(belts, laws, system.surfaces, curves, work.motion, n)
        flow.counters[WORST] = max(system.surfaces.body[belts.surface[n // 2]], 0)
    _done(flow, history, k, what)


@inner
def _switch_driver(system: System, work: Work, flow: Flow, history: History, k: int) -> None:
    """Let a driver begin or end."""
    n, t = k - system.first[DRIVER_EVENTS], flow.clock[AT]
    moment = Moment(t, t, system.triggers.fires)
    what = switch_driver(
        n, system.drivers, system.joints, _bodies(system, work, flow), work.rows, moment, work.load
    )
    book(flow, work, work.load[5])
    flow.counters[WORST] = max(system.drivers.axis[n], system.drivers.b[n], 0)
    if what != WAITS:
        _done(flow, history, k, what)


@inner
def _switch_bag(
    system: System, work: Work, flow: Flow, history: History, k: int
) -> tuple[bool, bool]:
    """Let a bag fire, fill or tear; a full bag is a body from now on."""
    work.load[0] = 0.0
    gas = Elements(flow.zs[flow.first_state :], flow.power_now[flow.first_state :])
    what = switch_bag(
        system.bags, around_of(system, work.motion), _bodies(system, work, flow), gas,
        k - system.first[BAG_EVENTS], work.load,
    )  # fmt: skip
    flow.z[AIRBAGS] += work.load[0]
    flow.fire[k] = flow.armed[k] = 0
    if what != TOUCH_TURNED:
        note_event(flow, history, k, what)
    return what == FILLED, what != TOUCH_TURNED


@inner
def _switch_rolls(system: System, work: Work, flow: Flow, history: History, k: int) -> None:
    """Let pairs that roll or slide touch, change between both, or turn their load: all of this instant together."""
    first = system.first
    for other in range(first[ROLL_EVENTS], first[CONTACT_EVENTS]):
        n, turns = divmod(other - first[ROLL_EVENTS], ROLL_TURNS)
        if turns and flow.fire[other]:
            _done(flow, history, other, turn_load(system.rolls, n, flow.level, other - 1))
        elif not turns and (flow.fire[other] or touches_now(system.rolls, n)):
            switch_rolling(system.rolls, n, work.rows, flow.level, other)
            _done(flow, history, other, 0)
    flow.counters[WORST] = system.rolls.m[(k - first[ROLL_EVENTS]) // ROLL_TURNS]


@inlined
def _bodies(system: System, work: Work, flow: Flow) -> Bodies:
    """All bodies at the state at which events happen."""
    return Bodies(system.tree, system.locked, work.motion, work.space, flow.q, flow.v)


@inner
def _set_free(system: System, work: Work, flow: Flow, history: History) -> int:
    """Let all go that waits to be set free, each at the load it bears before any has gone."""
    freed = NONE_WAITS
    for k in range(len(flow.fire)):
        if flow.fire[k] == 0 or flow.frees[k] == 0:
            continue
        if k >= system.first[BREAKABLE_EVENTS]:
            done = _part(system, work, flow, history, k)
        else:
            done = _switch_joint(system, work, flow, history, k)
        freed = FREED if done or freed == FREED else NONE_FREED
    return freed


@inner
def _held(system: System, work: Work, flow: Flow) -> tuple[float, float]:
    """The energy that springs of joints and laws on coordinates hold as bodies stand."""
    bodies = _bodies(system, work, flow)
    joint_torques(system.joints, system.curves, bodies, work.applied, work.sums)
    in_joints = float(work.sums[0])
    if len(system.coordinates.kind) == 0:
        return in_joints, 0.0
    moment = Moment(flow.clock[AT], flow.clock[WITHIN], system.triggers.fires)
    elements = Elements(flow.z, flow.power_now)
    in_laws, _, _ = coordinate_forces(
        system.coordinates, system.joints.eulers, system.curves, bodies, moment, elements, work.applied,
        work.g[system.first[COORDINATE_EVENTS] :],
    )  # fmt: skip
    return in_joints, in_laws


@inner
def _switch_joint(system: System, work: Work, flow: Flow, history: History, k: int) -> bool:
    """Let an event of a joint happen that is no strike; says whether it does."""
    heals = system.switches.kind[k] == HEALS
    in_joints, in_laws = _held(system, work, flow) if heals else (0.0, 0.0)
    done = switch(
        k, system.switches, system.joints, system.breakings, _bodies(system, work, flow), work.rows, flow.z, work.load
    )  # fmt: skip
    book(flow, work, work.load[5])
    if heals and done == HAPPENED:
        kinematics(system.tree, system.locked, flow.q, flow.v, work.motion)
        joints, laws = _held(system, work, flow)
        # nothing has moved: what springs hold at once is brought in from outside
        flow.z[JOINT_SPRINGS] -= joints - in_joints
        flow.z[COORDINATE_LAWS] -= laws - in_laws
        flow.z[LOADS] += joints - in_joints + laws - in_laws
    flow.counters[WORST] = system.switches.body[k]
    if done != FORM_CHANGED:
        flow.fire[k] = flow.armed[k] = 0
    if done == HAPPENED:
        note_event(flow, history, k, 0)
    return bool(done == HAPPENED)


@inner
def _part(system: System, work: Work, flow: Flow, history: History, k: int) -> bool:
    """Let a constraint break, come apart or close again; says whether it does."""
    n, what = divmod(k - system.first[BREAKABLE_EVENTS], PARTING_TURNS)
    b = system.breakables
    flow.fire[k] = flow.armed[k] = 0
    ties = Ties(system.pairs, system.rolls, system.edge_constraints)
    if not switch_breakable(n, what, b, ties, work.motion, work.rows, flow.z):
        return False
    note_event(flow, history, k, what)
    flow.counters[WORST] = max(b.i[n], b.j[n], 0)
    if what == HEAL and b.what[n] == PART_ROLL:
        at = system.first[ROLL_EVENTS] + ROLL_TURNS * b.of[n]
        switch_rolling(system.rolls, b.of[n], work.rows, flow.level, at)
    return True


@inner
def _strike(system: System, work: Work, flow: Flow, history: History, k: int) -> bool:
    """Let all strike that do at this instant, for a stop or a pair; says whether speeds have jumped."""
    pair = k - system.first[CONTACT_EVENTS]
    stop, pair = (k, -1) if pair < 0 else (-1, pair)
    waiting = flow.fire[system.first[CONTACT_EVENTS] :]
    instant = Instant(flow.fire, waiting, stop, pair, flow.clock[AT])
    done = collide(
        work.impacts, system.contacts, around_of(system, work.motion),
        Stops(system.switches, system.joints, work.load), _bodies(system, work, flow), work.rows, instant,
    )  # fmt: skip
    book(flow, work, done)
    if work.impacts.lack[0] != NOTHING_LACKS:
        note_event(flow, history, k, work.impacts.lack[0])
    return bool(done != 0.0)


@inner
def _switch_contact(
    system: System, work: Work, flow: Flow, history: History, k: int, pair: int
) -> bool:
    """Let the event of a pair that may touch happen; says whether speeds or forces have jumped."""
    contacts = system.contacts
    what, turns = switch_contact(contacts, around_of(system, work.motion), pair)
    _done(flow, history, k, what)
    flow.counters[WORST] = max(system.surfaces.body[contacts.model.a[pair]], 0)
    if what != TOUCHED:
        return bool(turns)
    if len(work.impacts.state) == 0:
        # no law here gives an impulse
        return False
    return _strike(system, work, flow, history, k)
