"""Triggers of inflators and pretensioners: at a time, or when an output passes a level."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray, Motion, Workspace
from solver.engine.forces.points import acceleration_of, arm_of, between, spin_of
from solver.engine.forces.state import Bodies
from solver.engine.forces.straps.arrays import TENSION, Straps
from solver.engine.jit.kernels import inner, kernel, separate, struct
from solver.engine.maths.spatial import (
    Table,
    Three,
    cross,
    length,
    less,
    plus,
    product,
    read3,
    read9,
    transpose_on,
    transposed,
)

PLACE, VELOCITY, ACCELERATION, SPIN, SPIN_RATE, ANGLES, EULER_ANGLES = range(7)
CONTACT_FORCE, BELT_TENSION, HARNESS_TENSION, BAG_PRESSURE = range(7, 11)
"""What is watched: of a point, of a segment's turning; the force of a contact, the largest tension of a
belt or of a harness, the pressure of a bag."""

PASSED, TRIGGER_FIRED = range(2)
"""What happens to triggers."""

NOT_FIRED = 1e30
"""Time of firing before a trigger has been passed."""


@struct
class Triggers(NamedTuple):
    """Hold triggers: what they watch of which body's point, seen from which body, along whose axes.

    `component` is 0 to 2, or 3 for the resultant; `sign` is 1 on the way up. `centre` is the mass
    centre of the body from which is looked. Of an element, `body` is its number. `fires` is the time of firing, `NOT_FIRED` until it is known;
    `waits` says that a trigger has been passed and is yet to fire.
    """

    what: IntArray
    body: IntArray
    seen_from: IntArray
    axes: IntArray
    component: IntArray
    point: Array
    centre: Array
    gravity: Array
    level: Array
    sign: Array
    delay: Array
    fires: Array
    waits: IntArray


@inner
def _angle(motion: Motion, i: int, j: int, what: int, c: int) -> float:
    """Return yaw, pitch or roll, or precession, nutation or spin (section 2.4), of body i's axes in those of j."""
    R = read9(motion.R, i)
    if j >= 0:
        R = product(transposed(read9(motion.R, j)), R)
    if what == ANGLES:
        if c == 1:
            return math.atan2(-R[6], math.hypot(R[0], R[3]))
        return math.atan2(R[3], R[0]) if c == 0 else math.atan2(R[7], R[8])
    if c == 1:
        return math.atan2(math.hypot(R[2], R[5]), R[8])
    return math.atan2(R[2], -R[5]) if c == 0 else math.atan2(R[6], R[7])


@inner
def _load(what: int, i: int, belts: Array, straps: Straps, bags: Array) -> float:
    """The largest tension of a belt or a harness, or the pressure of a bag above that outside."""
    if what == BELT_TENSION:
        return float(max(belts[i, 0], belts[i, 1]))
    if what == BAG_PRESSURE:
        return float(bags[i, 0])
    most = 0.0
    for k in range(straps.model.first[i], straps.model.first[i + 1]):
        if straps.memory.right[k] >= 0:
            most = max(most, straps.workspace.seen[k, TENSION])
    return most


@inner
def _turning(motion: Motion, space: Workspace, what: int, i: int, j: int) -> Three:
    """A body's angular velocity as seen from another, or its rate there."""
    spin = less(spin_of(motion, i), spin_of(motion, j))
    if what == SPIN:
        return spin
    rate = read3(space.alpha, i)
    if j < 0:
        return rate
    return less(less(rate, read3(space.alpha, j)), cross(read3(motion.w, j), spin))


@inner
def _moving(triggers: Triggers, motion: Motion, space: Workspace, k: int) -> Three:
    """Return place, velocity or acceleration of a point as seen from a body, in whose mass centre that looks."""
    what, i, j = triggers.what[k], triggers.body[k], triggers.seen_from[k]
    arm_i, arm_j = arm_of(motion, i, triggers.point, k), arm_of(motion, j, triggers.centre, k)
    way, velocity = between(motion, j, arm_j, i, arm_i)
    if what == PLACE:
        return way
    spin = spin_of(motion, j)
    velocity = less(velocity, cross(spin, way))
    if what == VELOCITY:
        return velocity
    own, other = acceleration_of(motion, space, i, arm_i), acceleration_of(motion, space, j, arm_j)
    seen = less(own, other)
    if j >= 0:
        seen = less(seen, cross(read3(space.alpha, j), way))
        seen = less(plus(seen, -2.0, cross(spin, velocity)), cross(spin, cross(spin, way)))
    return less(seen, read3(triggers.gravity, k))


@inner
def _look(triggers: Triggers, motion: Motion, space: Workspace, pressed: Array, k: int) -> float:
    """The value of a motion or a contact that a trigger watches, as its output would show it."""
    what, i, j, c = (
        triggers.what[k], triggers.body[k], triggers.seen_from[k], triggers.component[k],
    )  # fmt: skip
    if what in (ANGLES, EULER_ANGLES):
        return _angle(motion, i, j, what, c)
    if what == CONTACT_FORCE:
        seen = read3(pressed, i)
    elif what in (SPIN, SPIN_RATE):
        seen = _turning(motion, space, what, i, j)
    else:
        seen = _moving(triggers, motion, space, k)
    if c == 3:
        return length(seen)
    if triggers.axes[k] >= 0:
        seen = transpose_on(read9(motion.R, triggers.axes[k]), seen)
    return float(seen[c])


@separate
@kernel
def watch_triggers(
    triggers: Triggers, bodies: Bodies, pressed: Table, belts: Table, straps: Straps, bags: Table, t: float,
    g: Array,
) -> None:  # fmt: skip
    """The functions of triggers that have not been passed, or wait to fire.

    `pressed` holds the forces of contacts in its first columns, `belts` the tensions of both sides,
    `bags` pressures in the first.
    """
    for k in range(len(triggers.what)):
        g[k] = -1.0
        if triggers.fires[k] == NOT_FIRED:
            if triggers.what[k] > CONTACT_FORCE:
                value = _load(triggers.what[k], triggers.body[k], belts, straps, bags)
            else:
                value = _look(triggers, bodies.motion, bodies.space, pressed, k)
            g[k] = triggers.sign[k] * (value - triggers.level[k])
        elif triggers.waits[k]:
            g[k] = t - triggers.fires[k]


@inner
def switch_trigger(triggers: Triggers, k: int, t: float) -> int:
    """Let a trigger be passed, or fire after its delay, and say which."""
    if triggers.waits[k]:
        # not later than the step that begins now
        triggers.waits[k], triggers.fires[k] = 0, min(triggers.fires[k], t)
        return TRIGGER_FIRED
    triggers.fires[k] = t + triggers.delay[k]
    triggers.waits[k] = 1 if triggers.delay[k] > 0.0 else 0
    return PASSED
