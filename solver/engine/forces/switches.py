"""Events of joints: locks that open and hold again, stops with an impulse, joints that break.

Each event has a function that rises through zero when it happens (section 6, 7.6). Events of
level happen as soon as their function is above zero, the others only on the way up: an axis that has
just opened at rest must first move faster than the rate at which it is held again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.respond import carried_load
from solver.engine.dynamics.rows import Rows
from solver.engine.dynamics.tree import (
    BALL,
    FREE,
    HELD,
    OPEN,
    SLIDE,
    Array,
    IntArray,
    Motion,
    Tree,
)
from solver.engine.forces.breaking import (
    BREAKING,
    COME_APART,
    PART_WAY,
    UNBROKEN,
    Breakings,
    begin_breaking,
    set_free,
)
from solver.engine.forces.freedoms import (
    axis_of,
    euler_is_ball,
    open_euler,
    slide_row,
    split_euler,
    strike,
    turn_row,
    upright,
)
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.relocking import is_near, relock, relock_rows, way_back
from solver.engine.forces.state import Bodies
from solver.engine.jit.kernels import inner, separate, struct
from solver.engine.maths.spatial import (
    Three,
    dot,
    length,
    less,
    mat_on,
    read,
    read3,
    read9,
    transpose_on,
    write,
)

UNLOCK, RELOCK_RATE, RELOCK_TORQUE, RELEASE_BELOW, RELEASE_ABOVE = range(5)
STOP, STOP_FLEXURE, STOP_TORSION, STOP_CONTOUR, BREAK_FORCE, BREAK_TORQUE = range(5, 11)
BREAK_FORCE_PART, BREAK_TORQUE_PART, PARTS, HEALS, REVERSES, UPRIGHT = range(11, 17)

FREES = (
    UNLOCK, RELEASE_BELOW, RELEASE_ABOVE, BREAK_FORCE, BREAK_TORQUE, BREAK_FORCE_PART, BREAK_TORQUE_PART, PARTS,
)  # fmt: skip
"""Events that set something free."""

FORM_CHANGED, HAPPENED, NOT_SO = range(3)
"""What comes of an event: the joint has only taken on another form, in which it must be evaluated again; it
has happened; it has not."""

CREEP = 0.01
"""Rate (rad/s, m/s) up to which what slips at a kept load has come to rest when it turns round, as for a strike: a step up
to that instant is off by the method's error. What is left of the rate is stopped by an impulse; faster is thrown back."""

SLOWEST_STRIKE = 0.01
"""Rate (rad/s) below which a stop is entered without an impulse, so that bouncing comes to an end."""

NOT_NOW = -1.0
"""Function of an event that cannot happen in the present mode."""

NOT_YET_BELOW = 1e-300
"""Function of an event that must first fall below zero."""


@struct
class Switches(NamedTuple):
    """Hold events: kind, elementary body, which axis of which Euler joint, limit, and restitution.

    `law` is the number of the joint's law where the kind needs one (else -1): its Euler law, its ball
    law, its contour, or the ramp over which the joint breaks; `at` is the angle from which a stop counts. `level` marks events of level.
    `first` and `last` are the outer elementary bodies of the joint, `parent` the body that carries it;
    `across` is the axis, in the parent, along which a part of its load is limited. What opens may keep the
    load at which it did, what breaks may keep its parts together, and names its ball law (`keeps`): `carried` is what a lock bears, `kept` the load of what slips, zero while it
    does not. Of turning round, `law` is the event that opened, `axis` the one that opens the other way.
    """

    kind: IntArray
    body: IntArray
    first: IntArray
    last: IntArray
    law: IntArray
    axis: IntArray
    limit: Array
    restitution: Array
    at: Array
    level: IntArray
    parent: IntArray
    across: Array
    keeps: IntArray
    carried: Array
    kept: Array


@inner
def _held_load(bodies: Bodies, tau: Array, i: int, load: Array) -> float:
    """What a held joint's lock carries: along the axis, or of all three turns together."""
    tree, motion = bodies.tree, bodies.motion
    carried_load(bodies.space, i, load)
    at = tree.at_v[i]
    if tree.kind[i] == BALL:
        return length(less(read(load, 0), mat_on(read9(motion.R, i), read(tau, at))))
    borne = read(load, 3 if tree.kind[i] == SLIDE else 0)
    axis_of(tree, motion, i, load)
    return float(dot(read(load, 0), borne) - tau[at])


@inner
def _open_rate(tree: Tree, laws: JointLaws, v: Array, i: int, law: int, axis: int) -> float:
    """How fast an open axis turns."""
    if law >= 0 and euler_is_ball(tree, laws, law):
        return float(abs(laws.eulers.seen[law, axis]))
    at = tree.at_v[i]
    if tree.kind[i] == BALL:
        return length(read(v, at))
    return float(abs(v[at]))


@inner
def _open_torque(tree: Tree, laws: JointLaws, tau: Array, i: int, law: int, axis: int) -> float:
    """The torque of springs and friction about an open axis."""
    if law >= 0 and euler_is_ball(tree, laws, law):
        return float(abs(laws.eulers.seen[law, 3 + axis]))
    at = tree.at_v[i]
    if tree.kind[i] == BALL:
        return length(read(tau, at))
    return float(abs(tau[at]))


@inner
def _is_held(tree: Tree, locked: IntArray, laws: JointLaws, i: int, law: int) -> bool:
    if law >= 0 and euler_is_ball(tree, laws, law):
        return False
    return bool(locked[i] == HELD)


@separate
def watch(
    switches: Switches, laws: JointLaws, breakings: Breakings, bodies: Bodies, tau: Array, out: Array, g: Array
) -> None:  # fmt: skip
    """The functions of all events."""
    tree, motion, q, v = bodies.tree, bodies.motion, bodies.q, bodies.v
    for n in range(len(switches.kind)):
        kind, i, law = switches.kind[n], switches.body[n], switches.law[n]
        g[n] = NOT_NOW
        # a joint has broken once its last body is free
        if tree.kind[switches.last[n]] == FREE:
            if kind == PARTS:
                g[n] = breakings.seen[law, PART_WAY]
            elif kind == HEALS and breakings.state[law] == BREAKING:
                # where the parts are nearest; at the very break they have not been away yet
                far, rate, _ = way_back(breakings, law, motion)
                g[n] = rate if far > 0.0 else NOT_YET_BELOW
        elif kind in (PARTS, HEALS):
            continue
        elif kind == UPRIGHT:
            g[n] = upright(laws, tree, law, q)
        elif kind == REVERSES:
            load = switches.kept[law]
            if load != 0.0:
                g[n] = v[tree.at_v[i]] * math.copysign(1.0, load)
        elif kind <= RELEASE_ABOVE:
            g[n] = _lock_event(switches, laws, bodies, n, tau, out)
        elif kind <= STOP_CONTOUR:
            g[n] = _stop_event(switches, laws, tree, n, q)
        elif not (switches.keeps[n] and laws.balls.broken[law]):
            carried_load(bodies.space, i, out)
            g[n] = _breaking_load(switches, motion, n, out) / switches.limit[n] - 1.0


@inner
def _lock_event(
    switches: Switches, laws: JointLaws, bodies: Bodies, n: int, tau: Array, out: Array
) -> float:
    """Give the function of a lock that opens by its load, or holds again by the rate or the torque of its axis."""
    kind, i, law, axis = switches.kind[n], switches.body[n], switches.law[n], switches.axis[n]
    tree, limit = bodies.tree, switches.limit[n]
    if _is_held(tree, bodies.locked, laws, i, law):
        if kind in (RELOCK_RATE, RELOCK_TORQUE):
            return NOT_NOW
        bears = _held_load(bodies, tau, i, out)
        switches.carried[n] = bears
        if kind == UNLOCK:
            return float(abs(bears) / limit - 1.0)
        # tension is positive: the lock pulls the child back along -z
        return float(limit + bears if kind == RELEASE_BELOW else -bears - limit)
    if kind == RELOCK_RATE:
        return float(1.0 - _open_rate(tree, laws, bodies.v, i, law, axis) / limit)
    if kind == RELOCK_TORQUE:
        return float(1.0 - _open_torque(tree, laws, tau, i, law, axis) / limit)
    return NOT_NOW


@inner
def _stop_event(switches: Switches, laws: JointLaws, tree: Tree, n: int, q: Array) -> float:
    """The function of a stop with an impulse: by how much its angle is beyond it."""
    kind, law, limit = switches.kind[n], switches.law[n], switches.limit[n]
    if kind == STOP:
        if law >= 0 and euler_is_ball(tree, laws, law):
            return float(abs(laws.eulers.angle[law, switches.axis[n]]) - limit)
        return float(abs(q[tree.at_q[switches.body[n]]] - switches.at[n]) - limit)
    if kind == STOP_FLEXURE:
        return float(laws.balls.angle[law, 0] - limit)
    if kind == STOP_TORSION:
        return float(abs(laws.balls.angle[law, 1]) - limit)
    return float(laws.contours.depth[law])


@inner
def _breaking_load(switches: Switches, motion: Motion, n: int, load: Array) -> float:
    """Give what of a joint's load is compared with its limit."""
    kind = switches.kind[n]
    first = 3 if kind in (BREAK_FORCE, BREAK_FORCE_PART) else 0
    borne = read(load, first)
    if kind >= BREAK_FORCE_PART:
        return abs(_along(switches, motion, n, borne))
    return length(borne)


@inner
def _along(switches: Switches, motion: Motion, n: int, a: Three) -> float:
    """A vector's component along the axis of an event that is fixed in the joint's parent."""
    m, axis = switches.parent[n], read3(switches.across, n)
    return dot(axis, a if m < 0 else transpose_on(read9(motion.R, m), a))


@separate
def switch(
    n: int, switches: Switches, laws: JointLaws, breakings: Breakings, bodies: Bodies, rows: Rows, z: Array,
    load: Array,
) -> int:  # fmt: skip
    """Let an event happen at the state just evaluated; `load[5]` takes the work of its impulse.

    Says what comes of it.
    """
    load[5] = 0.0
    kind = switches.kind[n]
    if bodies.tree.kind[switches.last[n]] == FREE and kind not in (PARTS, HEALS):
        # it broke at this very instant
        return NOT_SO
    if kind in (UNLOCK, RELEASE_BELOW, RELEASE_ABOVE, UPRIGHT):
        return _open(n, switches, laws, bodies)
    if kind == REVERSES and abs(bodies.v[bodies.tree.at_v[switches.body[n]]]) > CREEP:
        # thrown back by an impulse: it slips on the other way
        law, other = switches.law[n], switches.axis[n]
        way = -switches.kept[law]
        switches.kept[law] = 0.0
        if other >= 0:
            switches.kept[other] = math.copysign(switches.limit[other], way)
        return NOT_SO
    if kind in (RELOCK_RATE, RELOCK_TORQUE, REVERSES):
        return _hold_again(n, switches, laws, bodies, rows, load)
    if kind == PARTS:
        breakings.state[switches.law[n]] = COME_APART
        return HAPPENED
    if kind == HEALS:
        return _close_again(n, switches, breakings, bodies, rows, z, load)
    if switches.keeps[n] and laws.balls.broken[switches.law[n]]:
        return NOT_SO
    if switches.keeps[n]:
        # its parts stay together, without its springs
        bodies.locked[switches.body[n]] = OPEN
        laws.balls.broken[switches.law[n]] = 1
        return HAPPENED
    return _break(n, switches, breakings, bodies, load)


@inner
def _open(n: int, switches: Switches, laws: JointLaws, bodies: Bodies) -> int:
    """Let a lock open, or a joint of six take on its other form."""
    kind, i, law = switches.kind[n], switches.body[n], switches.law[n]
    tree, locked, motion, _, q, v = bodies
    if kind == UPRIGHT and euler_is_ball(tree, laws, law):
        split_euler(laws, tree, locked, law, q, v)
        return NOT_SO
    if kind != UPRIGHT:
        locked[i] = OPEN
        if switches.keeps[n]:
            switches.kept[n] = math.copysign(switches.limit[n], switches.carried[n])
    if law >= 0:
        open_euler(laws, tree, locked, motion, law, q, v)
    return NOT_SO if kind == UPRIGHT else HAPPENED


@inner
def _hold_again(
    n: int, switches: Switches, laws: JointLaws, bodies: Bodies, rows: Rows, load: Array
) -> int:
    """Hold an axis again, by an impulse that keeps all momentum."""
    kind, i, law = switches.kind[n], switches.body[n], switches.law[n]
    tree, locked, motion, space, q, v = bodies
    if kind != REVERSES and law >= 0 and euler_is_ball(tree, laws, law):
        split_euler(laws, tree, locked, law, q, v)
        return FORM_CHANGED
    first = rows.used[0]
    if tree.kind[i] == BALL:
        for k in range(3):
            load[0] = load[1] = load[2] = 0.0
            load[k] = 1.0
            turn_row(rows, tree, motion, i, load)
    else:
        axis_of(tree, motion, i, load)
        if tree.kind[i] == SLIDE:
            slide_row(rows, tree, motion, i, load)
        else:
            turn_row(rows, tree, motion, i, load)
    load[5] = strike(tree, locked, motion, space, rows, first, 0.0, v)
    locked[i] = HELD
    for k in range(3 if tree.kind[i] == BALL else 1):
        v[tree.at_v[i] + k] = 0.0
    for k in range(len(switches.kind)):
        if switches.body[k] == i:
            switches.kept[k] = 0.0
    return HAPPENED


@inner
def _close_again(
    n: int, switches: Switches, breakings: Breakings, bodies: Bodies, rows: Rows, z: Array, load: Array
) -> int:  # fmt: skip
    """Let a joint that is breaking close again, if its parts are near."""
    law, at = switches.law[n], switches.first[n]
    tree, locked, motion, space, _, v = bodies
    if not is_near(breakings, law, motion, z):
        return NOT_SO
    first = rows.used[0]
    ways = relock_rows(breakings, law, bodies, rows, at)
    load[5] = strike(tree, locked, motion, space, rows, first, 0.0, v)
    _weaken(switches, breakings, law, switches.body[n], z)
    relock(breakings, law, bodies, at, ways, z)
    breakings.state[law] = UNBROKEN
    return HAPPENED


@inner
def _break(n: int, switches: Switches, breakings: Breakings, bodies: Bodies, load: Array) -> int:
    """Set a joint's parts free, with a ramp at the load that broke it."""
    i, law, at = switches.body[n], switches.law[n], switches.first[n]
    if law >= 0:
        carried_load(bodies.space, i, load)
        # a load that jumps beyond a limit breaks it at that limit, or the lowest of several
        most = 1.0
        for k in range(len(switches.kind)):
            if switches.body[k] == i and BREAK_FORCE <= switches.kind[k] <= BREAK_TORQUE_PART:
                size = _breaking_load(switches, bodies.motion, k, load)
                most = max(most, size / switches.limit[k])
        begin_breaking(breakings, law, bodies, at, load, 1.0 / most)
        load[5] = 0.0
    set_free(bodies, at, i)
    for k in range(len(switches.kind)):
        if switches.last[k] == i:
            switches.kept[k] = 0.0
    return HAPPENED


@inner
def _weaken(switches: Switches, breakings: Breakings, law: int, last: int, z: Array) -> None:
    """Lower the limits of a joint that closes again by as much as its ramps have let its load fade."""
    k, ramp = breakings.first[law], breakings.ramp
    force = 1.0 - z[k] / ramp[law, 0] if ramp[law, 0] > 0.0 else 1.0
    torque = 1.0 - z[k + 1] / ramp[law, 1] if ramp[law, 1] > 0.0 else force
    for n in range(len(switches.kind)):
        if switches.last[n] == last and BREAK_FORCE <= switches.kind[n] <= BREAK_TORQUE_PART:
            is_force = switches.kind[n] in (BREAK_FORCE, BREAK_FORCE_PART)
            switches.limit[n] *= force if is_force else torque


@inner
def kept_loads(switches: Switches, tree: Tree, v: Array, tau: Array) -> float:
    """Add the loads of locks that slip at the load that opened them; gives their power."""
    power = 0.0
    for n in range(len(switches.kind)):
        if switches.kept[n] != 0.0:
            at = tree.at_v[switches.body[n]]
            tau[at] += switches.kept[n]
            power += switches.kept[n] * v[at]
    return power


@inner
def is_stop(switches: Switches, n: int) -> bool:
    """Whether an event is that of a stop with an impulse."""
    return bool(STOP <= switches.kind[n] <= STOP_CONTOUR)


@inner
def stop_row(
    n: int, switches: Switches, laws: JointLaws, tree: Tree, motion: Motion, rows: Rows, axis: Array
) -> int:
    """Add a row for the turning into a stop, or out of it, and give its number."""
    kind, i, law = switches.kind[n], switches.body[n], switches.law[n]
    r = int(rows.used[0])
    if kind == STOP and (law < 0 or not euler_is_ball(tree, laws, law)):
        axis_of(tree, motion, i, axis)
    elif kind == STOP:
        _to_ground(motion, i, laws.eulers.axes, 3 * law + switches.axis[n], axis)
    elif kind in (STOP_FLEXURE, STOP_TORSION):
        _to_ground(motion, i, laws.balls.axes, 2 * law + (kind - STOP_FLEXURE), axis)
    else:
        write(axis, 0, read3(laws.contours.across, law))
    turn_row(rows, tree, motion, i, axis)
    return r


@inner
def _to_ground(motion: Motion, i: int, axes: Array, row: int, out: Array) -> None:
    write(out, 0, mat_on(read9(motion.R, i), read3(axes, row)))
