"""Triggers of inflators and pretensioners: at a time, or when an output passes a level."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray, Motion
from solver.dynamics.workspace import Workspace
from solver.forces.straps.arrays import TENSION, Straps
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.kernels import inner, kernel

PLACE, VELOCITY, ACCELERATION, SPIN, SPIN_RATE, ANGLES, EULER_ANGLES = range(7)
PRESSED, PULLED, HARNESSED, FILLED = range(7, 11)
"""What is watched: of a point, of a segment's turning; the force of a contact, the largest tension of a
belt or of a harness, the pressure of a bag."""

PASSED, FIRED = range(2)
"""What happens to triggers."""

NEVER = 1e30
"""Time of firing before a trigger has been passed."""


@bundle
class Triggers(NamedTuple):
    """Hold triggers: what they watch of which body's point, seen from which body, along whose axes.

    `component` is 0 to 2, or 3 for the resultant; `sign` is 1 on the way up. `centre` is the mass
    centre of the body from which is looked. Of an element, `body` is its number. `fires` is the time of firing, `NEVER` until it is known;
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
    vector: Array


@inner
def _state(
    motion: Motion, space: Workspace, i: int, at: Array, k: int, what: int, out: Array, row: int
) -> None:
    """Give place, velocity or acceleration of a body's point, ground axes."""
    R, p, v, w = motion.R, motion.p, motion.v, motion.w
    if i < 0:
        for n in range(3):
            out[row, n] = at[k, n] if what == PLACE else 0.0
        return
    x = R[i, 0] * at[k, 0] + R[i, 1] * at[k, 1] + R[i, 2] * at[k, 2]
    y = R[i, 3] * at[k, 0] + R[i, 4] * at[k, 1] + R[i, 5] * at[k, 2]
    z = R[i, 6] * at[k, 0] + R[i, 7] * at[k, 1] + R[i, 8] * at[k, 2]
    if what == PLACE:
        out[row, 0], out[row, 1], out[row, 2] = p[i, 0] + x, p[i, 1] + y, p[i, 2] + z
        return
    ux, uy, uz = w[i, 1] * z - w[i, 2] * y, w[i, 2] * x - w[i, 0] * z, w[i, 0] * y - w[i, 1] * x
    if what == VELOCITY:
        out[row, 0], out[row, 1], out[row, 2] = v[i, 0] + ux, v[i, 1] + uy, v[i, 2] + uz
        return
    a, b = space.alpha, space.acc
    out[row, 0] = b[i, 0] + a[i, 1] * z - a[i, 2] * y + w[i, 1] * uz - w[i, 2] * uy
    out[row, 1] = b[i, 1] + a[i, 2] * x - a[i, 0] * z + w[i, 2] * ux - w[i, 0] * uz
    out[row, 2] = b[i, 2] + a[i, 0] * y - a[i, 1] * x + w[i, 0] * uy - w[i, 1] * ux


@inner
def _cross(out: Array, row: int, w: Array, i: int, f: float, x: Array, k: int) -> None:
    """Add f w x to a row, w being row i and x row k."""
    out[row, 0] += f * (w[i, 1] * x[k, 2] - w[i, 2] * x[k, 1])
    out[row, 1] += f * (w[i, 2] * x[k, 0] - w[i, 0] * x[k, 2])
    out[row, 2] += f * (w[i, 0] * x[k, 1] - w[i, 1] * x[k, 0])


@inner
def _part(motion: Motion, i: int, j: int, a: int, b: int) -> float:
    """Give an entry of the turn of a body's axes in those of another."""
    R = motion.R
    if j < 0:
        return float(R[i, 3 * a + b])
    return float(R[j, a] * R[i, b] + R[j, 3 + a] * R[i, 3 + b] + R[j, 6 + a] * R[i, 6 + b])


@inner
def _angle(motion: Motion, i: int, j: int, what: int, c: int) -> float:
    """Give yaw, pitch or roll, or precession, nutation or spin (section 2.4)."""
    if what == ANGLES:
        x, y = _part(motion, i, j, 0, 0), _part(motion, i, j, 1, 0)
        if c == 1:
            return math.atan2(-_part(motion, i, j, 2, 0), math.hypot(x, y))
        if c == 0:
            return math.atan2(y, x)
        return math.atan2(_part(motion, i, j, 2, 1), _part(motion, i, j, 2, 2))
    x, y = _part(motion, i, j, 0, 2), _part(motion, i, j, 1, 2)
    if c == 1:
        return math.atan2(math.hypot(x, y), _part(motion, i, j, 2, 2))
    if c == 0:
        return math.atan2(x, -y)
    return math.atan2(_part(motion, i, j, 2, 0), _part(motion, i, j, 2, 1))


@inner
def _load(what: int, i: int, belts: Array, straps: Straps, bags: Array) -> float:
    """Give the largest tension of a belt or a harness, or the pressure of a bag above that outside."""
    if what == PULLED:
        return float(max(belts[i, 0], belts[i, 1]))
    if what == FILLED:
        return float(bags[i, 0])
    most = 0.0
    for k in range(straps.first[i], straps.first[i + 1]):
        if straps.right[k] >= 0:
            most = max(most, straps.seen[k, TENSION])
    return most


@inner
def _look(triggers: Triggers, motion: Motion, space: Workspace, pressed: Array, k: int) -> float:
    """Give the value of a motion or a contact that a trigger watches, as its output would show it."""
    t, what, i, j = triggers, triggers.what[k], triggers.body[k], triggers.seen_from[k]
    out = t.vector
    if what in (ANGLES, EULER_ANGLES):
        return _angle(motion, i, j, what, t.component[k])
    if what == PRESSED:
        for n in range(3):
            out[0, n] = pressed[i, n]
    elif what in (SPIN, SPIN_RATE):
        for n in range(3):
            out[0, n] = motion.w[i, n] - (motion.w[j, n] if j >= 0 else 0.0)
        if what == SPIN_RATE:
            for n in range(3):
                out[1, n] = out[0, n]
                out[0, n] = space.alpha[i, n] - (space.alpha[j, n] if j >= 0 else 0.0)
            if j >= 0:
                _cross(out, 0, motion.w, j, -1.0, out, 1)
    else:
        # rows: the value, then place and velocity as seen, then those of the other
        _state(motion, space, i, t.point, k, what, out, 0)
        _state(motion, space, j, t.centre, k, what, out, 3)
        for n in range(3):
            out[0, n] -= out[3, n]
        if j >= 0 and what != PLACE:
            _state(motion, space, i, t.point, k, PLACE, out, 1)
            _state(motion, space, j, t.centre, k, PLACE, out, 3)
            for n in range(3):
                out[1, n] -= out[3, n]
            if what == VELOCITY:
                _cross(out, 0, motion.w, j, -1.0, out, 1)
            else:
                _state(motion, space, i, t.point, k, VELOCITY, out, 2)
                _state(motion, space, j, t.centre, k, VELOCITY, out, 3)
                for n in range(3):
                    out[2, n] -= out[3, n]
                _cross(out, 2, motion.w, j, -1.0, out, 1)
                _cross(out, 0, space.alpha, j, -1.0, out, 1)
                _cross(out, 0, motion.w, j, -2.0, out, 2)
                for n in range(3):
                    out[3, n] = 0.0
                _cross(out, 3, motion.w, j, 1.0, out, 1)
                _cross(out, 0, motion.w, j, -1.0, out, 3)
        if what == ACCELERATION:
            for n in range(3):
                out[0, n] -= t.gravity[k, n]
    x, y, z = out[0, 0], out[0, 1], out[0, 2]
    if t.component[k] == 3:
        return math.sqrt(x * x + y * y + z * z)
    m, c, R = t.axes[k], t.component[k], motion.R
    if m < 0:
        return float(out[0, c])
    return float(R[m, c] * x + R[m, 3 + c] * y + R[m, 6 + c] * z)


@alone
@kernel
def watch_triggers(
    triggers: Triggers, motion: Motion, space: Workspace, pressed: Array, belts: Array, straps: Straps,
    bags: Array, t: float, g: Array, first: int,
) -> None:  # fmt: skip
    """Give the functions of triggers that have not been passed, or wait to fire.

    `pressed` holds the forces of contacts in its first columns, `belts` the tensions of both sides,
    `bags` pressures in the first.
    """
    for k in range(len(triggers.what)):
        g[first + k] = -1.0
        if triggers.fires[k] == NEVER:
            if triggers.what[k] > PRESSED:
                value = _load(triggers.what[k], triggers.body[k], belts, straps, bags)
            else:
                value = _look(triggers, motion, space, pressed, k)
            g[first + k] = triggers.sign[k] * (value - triggers.level[k])
        elif triggers.waits[k]:
            g[first + k] = t - triggers.fires[k]


@inner
def switch_trigger(triggers: Triggers, k: int, t: float) -> int:
    """Let a trigger be passed, or fire after its delay, and say which."""
    if triggers.waits[k]:
        # not later than the step that begins now
        triggers.waits[k], triggers.fires[k] = 0, min(triggers.fires[k], t)
        return FIRED
    triggers.fires[k] = t + triggers.delay[k]
    triggers.waits[k] = 1 if triggers.delay[k] > 0.0 else 0
    return PASSED
