"""Events of joints: locks that open and hold again, stops with an impulse, joints that break.

Each event has a function that rises through zero when it happens (section 6, 7.6). Events of
level happen as soon as their function is above zero, the others only on the way up: an axis that has
just opened at rest must first move faster than the rate at which it is held again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.carried import carried_load
from solver.dynamics.rows import Rows, book_driven, factor, new_row, respond_to_all, set_part, solve
from solver.dynamics.tree import (
    BALL,
    FREE,
    HELD,
    OPEN,
    SLIDE,
    TURN,
    Array,
    IntArray,
    Motion,
    Tree,
)
from solver.dynamics.workspace import Workspace
from solver.forces.breaking import APART, PART_WAY, Breakings, begin_breaking, set_free
from solver.forces.joints.kernels import JointLaws
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.kernels import inner

UNLOCK, RELOCK_RATE, RELOCK_TORQUE, RELEASE_BELOW, RELEASE_ABOVE = range(5)
STOP, STOP_FLEXURE, STOP_TORSION, STOP_CONTOUR, BREAK_FORCE, BREAK_TORQUE = range(5, 11)
BREAK_FORCE_PART, BREAK_TORQUE_PART, PARTS = range(11, 14)

SLOWEST_STRIKE = 0.01
"""Rate (rad/s) below which a stop is entered without an impulse, so that bouncing comes to an end."""

NEVER = -1.0
"""Function of an event that cannot happen in the present mode."""


@bundle
class Switches(NamedTuple):
    """Hold events: kind, elementary body, which axis of which Euler joint, limit, and restitution.

    `law` is the number of the joint's law where the kind needs one (else -1): its Euler law, its ball
    law, its contour, or the ramp over which the joint breaks; `at` is the angle from which a stop counts. `level` marks events of level.
    `first` and `last` are the outer elementary bodies of the joint, `parent` the body that carries it;
    `across` is the axis, in the parent, along which a part of its load is limited.
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


@inner
def _euler_is_ball(tree: Tree, laws: JointLaws, k: int) -> bool:
    return bool(tree.kind[laws.eulers.body[k, 2]] == BALL)


@inner
def axis_of(tree: Tree, motion: Motion, i: int, out: Array) -> None:
    """Give the axis of a turn or slide, ground axes."""
    R, e = motion.R, tree.axis
    m = tree.parent[i] if tree.kind[i] == SLIDE else i
    for k in range(3):
        out[k] = e[i, k]
        if m >= 0:
            out[k] = R[m, 3 * k] * e[i, 0] + R[m, 3 * k + 1] * e[i, 1] + R[m, 3 * k + 2] * e[i, 2]


@inner
def _held_load(
    tree: Tree, motion: Motion, space: Workspace, tau: Array, i: int, load: Array
) -> float:
    """Give what a held joint's lock carries: along the axis, or of all three turns together."""
    carried_load(space, i, load)
    at = tree.at_v[i]
    if tree.kind[i] == BALL:
        R, s = motion.R, 0.0
        for k in range(3):
            n = load[k]
            n -= (
                R[i, 3 * k] * tau[at]
                + R[i, 3 * k + 1] * tau[at + 1]
                + R[i, 3 * k + 2] * tau[at + 2]
            )
            s += n * n
        return math.sqrt(s)
    first = 3 if tree.kind[i] == SLIDE else 0
    x, y, z = load[first], load[first + 1], load[first + 2]
    axis_of(tree, motion, i, load)
    return float(load[0] * x + load[1] * y + load[2] * z - tau[at])


@inner
def _open_rate(tree: Tree, laws: JointLaws, v: Array, i: int, law: int, axis: int) -> float:
    """Give how fast an open axis turns."""
    if law >= 0 and _euler_is_ball(tree, laws, law):
        return float(abs(laws.eulers.seen[law, axis]))
    at = tree.at_v[i]
    if tree.kind[i] == BALL:
        return math.sqrt(v[at] ** 2 + v[at + 1] ** 2 + v[at + 2] ** 2)
    return float(abs(v[at]))


@inner
def _open_torque(tree: Tree, laws: JointLaws, tau: Array, i: int, law: int, axis: int) -> float:
    """Give the torque of springs and friction about an open axis."""
    if law >= 0 and _euler_is_ball(tree, laws, law):
        return float(abs(laws.eulers.seen[law, 3 + axis]))
    at = tree.at_v[i]
    if tree.kind[i] == BALL:
        return math.sqrt(tau[at] ** 2 + tau[at + 1] ** 2 + tau[at + 2] ** 2)
    return float(abs(tau[at]))


@inner
def _is_held(tree: Tree, locked: IntArray, laws: JointLaws, i: int, law: int) -> bool:
    if law >= 0 and _euler_is_ball(tree, laws, law):
        return False
    return bool(locked[i] == HELD)


@alone
def watch(
    switches: Switches, laws: JointLaws, breakings: Breakings, tree: Tree, locked: IntArray,
    motion: Motion, space: Workspace, q: Array, v: Array, tau: Array, load: Array, g: Array,
) -> None:  # fmt: skip
    """Give the functions of all events."""
    for n in range(len(switches.kind)):
        kind, i, law, axis = switches.kind[n], switches.body[n], switches.law[n], switches.axis[n]
        limit = switches.limit[n]
        g[n] = NEVER
        # a joint has broken once its last body is free
        if tree.kind[switches.last[n]] == FREE:
            if kind == PARTS:
                g[n] = breakings.seen[law, PART_WAY]
            continue
        if kind == PARTS:
            continue
        if kind <= RELEASE_ABOVE:
            held = _is_held(tree, locked, laws, i, law)
            if kind == UNLOCK:
                if held:
                    g[n] = abs(_held_load(tree, motion, space, tau, i, load)) / limit - 1.0
            elif kind >= RELEASE_BELOW:
                if held:
                    # tension is positive: the lock pulls the child back along -z
                    pull = -_held_load(tree, motion, space, tau, i, load)
                    g[n] = limit - pull if kind == RELEASE_BELOW else pull - limit
            elif not held:
                if kind == RELOCK_RATE:
                    g[n] = 1.0 - _open_rate(tree, laws, v, i, law, axis) / limit
                else:
                    g[n] = 1.0 - _open_torque(tree, laws, tau, i, law, axis) / limit
        elif kind == STOP:
            if law >= 0 and _euler_is_ball(tree, laws, law):
                angle = laws.eulers.angle[law, axis]
            else:
                angle = q[tree.at_q[i]] - switches.at[n]
            g[n] = abs(angle) - limit
        elif kind == STOP_FLEXURE:
            g[n] = laws.balls.angle[law, 0] - limit
        elif kind == STOP_TORSION:
            g[n] = abs(laws.balls.angle[law, 1]) - limit
        elif kind == STOP_CONTOUR:
            g[n] = laws.contours.depth[law]
        else:
            carried_load(space, i, load)
            size = _breaking_load(switches, motion, n, load)
            g[n] = size / limit - 1.0


@inner
def _breaking_load(switches: Switches, motion: Motion, n: int, load: Array) -> float:
    """Give what of a joint's load is compared with its limit."""
    kind = switches.kind[n]
    first = 3 if kind in (BREAK_FORCE, BREAK_FORCE_PART) else 0
    x, y, z = load[first], load[first + 1], load[first + 2]
    if kind >= BREAK_FORCE_PART:
        return abs(_along(switches, motion, n, x, y, z))
    return math.sqrt(x * x + y * y + z * z)


@inner
def _along(switches: Switches, motion: Motion, n: int, x: float, y: float, z: float) -> float:
    """Give a vector's component along the axis of an event that is fixed in the joint's parent."""
    m, e, R = switches.parent[n], switches.across[n], motion.R
    if m < 0:
        return float(x * e[0] + y * e[1] + z * e[2])
    s = 0.0
    for k in range(3):
        s += e[k] * (R[m, k] * x + R[m, 3 + k] * y + R[m, 6 + k] * z)
    return float(s)


@alone
def switch(
    n: int, switches: Switches, laws: JointLaws, breakings: Breakings, tree: Tree, locked: IntArray,
    motion: Motion, space: Workspace, rows: Rows, q: Array, v: Array, load: Array,
) -> bool:  # fmt: skip
    """Let an event happen at the state just evaluated; `load[5]` takes the work of its impulse.

    Says no where the joint has only taken on another form, in which it must be evaluated anew.
    """
    load[5] = 0.0
    kind, i, law = switches.kind[n], switches.body[n], switches.law[n]
    if kind in (UNLOCK, RELEASE_BELOW, RELEASE_ABOVE):
        locked[i] = OPEN
        if law >= 0:
            open_euler(laws, tree, locked, motion, law, q, v)
        return True
    if kind in (RELOCK_RATE, RELOCK_TORQUE):
        if law >= 0 and _euler_is_ball(tree, laws, law):
            split_euler(laws, tree, locked, law, q, v)
            return False
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
        return True
    if kind == PARTS:
        breakings.state[law] = APART
        return True
    if law >= 0:
        carried_load(space, i, load)
        # a load that jumps beyond the limit breaks it at the limit
        size = _breaking_load(switches, motion, n, load)
        begin_breaking(breakings, law, motion, load, min(1.0, switches.limit[n] / size))
        load[5] = 0.0
    set_free(tree, locked, motion, switches.first[n], i, q, v)
    return True


@inner
def is_stop(switches: Switches, n: int) -> bool:
    """Say whether an event is that of a stop with an impulse."""
    return bool(STOP <= switches.kind[n] <= STOP_CONTOUR)


@inner
def stop_row(
    n: int, switches: Switches, laws: JointLaws, tree: Tree, motion: Motion, rows: Rows, axis: Array
) -> int:
    """Add a row for the turning into a stop, or out of it, and give its number."""
    kind, i, law = switches.kind[n], switches.body[n], switches.law[n]
    r = int(rows.used[0])
    if kind == STOP and (law < 0 or not _euler_is_ball(tree, laws, law)):
        axis_of(tree, motion, i, axis)
    elif kind == STOP:
        _to_ground(motion, i, laws.eulers.axes, 3 * law + switches.axis[n], axis)
    elif kind in (STOP_FLEXURE, STOP_TORSION):
        _to_ground(motion, i, laws.balls.axes, 2 * law + (kind - STOP_FLEXURE), axis)
    else:
        for k in range(3):
            axis[k] = laws.contours.across[law, k]
    turn_row(rows, tree, motion, i, axis)
    return r


@inner
def _to_ground(motion: Motion, i: int, axes: Array, row: int, out: Array) -> None:
    R = motion.R
    for k in range(3):
        out[k] = (
            R[i, 3 * k] * axes[row, 0]
            + R[i, 3 * k + 1] * axes[row, 1]
            + R[i, 3 * k + 2] * axes[row, 2]
        )


@inner
def turn_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the turning of a body against its parent about an axis."""
    r = new_row(rows)
    x, y, z = axis[0], axis[1], axis[2]
    set_part(rows, motion, r, 0, i, x, y, z, 0.0, 0.0, 0.0)
    set_part(rows, motion, r, 1, tree.parent[i], -x, -y, -z, 0.0, 0.0, 0.0)


@inner
def slide_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the sliding of a body along an axis of its parent."""
    r, m = new_row(rows), tree.parent[i]
    x, y, z = axis[0], axis[1], axis[2]
    set_part(rows, motion, r, 0, i, 0.0, 0.0, 0.0, x, y, z)
    if m >= 0:
        p = motion.p
        a, b, c = p[i, 0] - p[m, 0], p[i, 1] - p[m, 1], p[i, 2] - p[m, 2]
        set_part(rows, motion, r, 1, m, c * y - b * z, a * z - c * x, b * x - a * y, -x, -y, -z)


@inner
def strike(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows, first: int,
    restitution: float, v: Array,
) -> float:  # fmt: skip
    """Turn the speeds of the rows from `first` on around by an impulse that keeps all constraints."""
    factor(tree, locked, motion, space, rows)
    for r in range(rows.used[0]):
        rows.rhs[r] = -(1.0 + restitution) * rows.speed[r] if r >= first else 0.0
    solve(rows)
    respond_to_all(tree, locked, motion, space, rows)
    for k in range(len(v)):
        v[k] += rows.response.rates[k]
    book_driven(tree, locked, motion, space, rows, v)
    work = 0.0
    for r in range(first, rows.used[0]):
        work += 0.5 * rows.load[r] * (1.0 - restitution) * rows.speed[r]
    rows.used[0] = first
    return work


@inner
def open_euler(
    laws: JointLaws, tree: Tree, locked: IntArray, motion: Motion, k: int, q: Array, v: Array
) -> None:
    """Join the three turns of an Euler joint into a ball once all are open."""
    a, b, c = laws.eulers.body[k, 0], laws.eulers.body[k, 1], laws.eulers.body[k, 2]
    if locked[a] != OPEN or locked[b] != OPEN or locked[c] != OPEN:
        return
    phi, theta, psi = q[tree.at_q[a]], q[tree.at_q[b]], q[tree.at_q[c]]
    # relative angular velocity, child's axes
    R, w, m = motion.R, motion.w, tree.parent[a]
    at = tree.at_v[c]
    for n in range(3):
        s = 0.0
        for u in range(3):
            s += R[c, 3 * u + n] * (w[c, u] - (w[m, u] if m >= 0 else 0.0))
        v[at + n] = s
    half, other, t = 0.5 * (phi + psi), 0.5 * (phi - psi), 0.5 * theta
    x, y = math.sin(t) * math.cos(other), math.sin(t) * math.sin(other)
    z, R_BC, at = math.cos(t) * math.sin(half), laws.eulers.R_BC, tree.at_q[c]
    q[at] = math.cos(t) * math.cos(half)
    for n in range(3):
        q[at + 1 + n] = R_BC[k, 3 * n] * x + R_BC[k, 3 * n + 1] * y + R_BC[k, 3 * n + 2] * z
    tree.kind[c] = BALL
    locked[a] = locked[b] = HELD
    q[tree.at_q[a]] = q[tree.at_q[b]] = v[tree.at_v[a]] = v[tree.at_v[b]] = 0.0


@inner
def split_euler(laws: JointLaws, tree: Tree, locked: IntArray, k: int, q: Array, v: Array) -> None:
    """Make three turns of the ball of an Euler joint; its angles and rates are as last seen."""
    tree.kind[laws.eulers.body[k, 2]] = TURN
    for n in range(3):
        i = laws.eulers.body[k, n]
        for u in range(4 if n == 2 else 1):
            q[tree.at_q[i] + u] = 0.0
        for u in range(3 if n == 2 else 1):
            v[tree.at_v[i] + u] = 0.0
        q[tree.at_q[i]] = laws.eulers.angle[k, n] + laws.eulers.centre[k, n]
        v[tree.at_v[i]] = laws.eulers.seen[k, n]
        locked[i] = OPEN
