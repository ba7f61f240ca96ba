"""Rows and forces of ellipsoids that roll or slide on planes and ellipsoids (section 4.3.4, types III and IV).

The body m carries the ellipsoid, the body n the plane or the other ellipsoid; the normal t points
from n into m. The surfaces touch where their normals are opposite; between ellipsoids that direction is
found as in all contacts (`deepest.py`), from that at the end of the last step. Of a pair that is apart it is that of the
least gap, whatever it was before: within an ellipsoid what leaves one wall may come to another.

Friction is a part of the load along the normal, and leans its row; or a given force against the sliding
(seed 004, section 4.4.1), which acts on the bodies like any other, as drag by the sliding speed does.
Each pair has two events: touching, sliding or sticking, and that the load changes its sign.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row
from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.constraints import inward, tie
from solver.engine.forces.contacts.ellipsoids import INWARD, OUTWARD, across, deepest_points, form
from solver.engine.forces.laws import LEFT, NOTHING
from solver.engine.forces.points import arm_of, between, push, spin_of
from solver.engine.forces.surfaces import turn_of
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    Symmetric,
    Three,
    add3,
    added,
    cross,
    dot,
    less,
    over,
    plus,
    read3,
    scaled,
    sym_mixed,
    sym_on,
    turned_diagonal,
    write3,
)

PLANE, ROLLS_OUTSIDE, ROLLS_INSIDE = range(3)
LIFTED, ROLLS, SLIDES, GONE = range(4)
"""States of a pair; one that is gone has broken and is not caught again."""

AUTO, ONLY_ROLL, ONLY_SLIDE = range(3)
COEFFICIENT, GIVEN_FORCE = range(2)
ROLL_TURNS = 2
"""Events of a pair."""

SEEN_GAP, SEEN_SPEED, SEEN_NORMAL, SEEN_ACROSS, SEEN_OPENS, SEEN_APART_OF_ROWS = range(6)
"""What is seen of a pair: gap, sliding speed, load along the normal and across, the speed at which the gap
opens, and what of the load across is in no row."""

FLAT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""What a plane's surface has of curvature."""

STICKS_BELOW = 1e-4
"""Sliding speed (m/s) below which it is tried whether the surfaces roll."""

NO_SPEED = 1e-12
"""Sliding speed (m/s) that has no direction."""


TOUCH_TOGETHER, TOUCH_SOON = 1e-9, 1e-11
"""Gap (m), and time (s), before touching within which pairs touch at the same instant."""


PULLS = 1e-9
"""Part of the largest impulse beyond which one against it counts as a pull."""


@struct
class Rolls(NamedTuple):
    """Pairs, their modes, and what is seen of them at an evaluation.

    `t_n` is the plane's normal in body n. `struck` marks pairs that have just touched; `slip` is the direction of
    sliding, `normal` the normal, `side` two directions across it, `point` where they touch. `static` and
    `sliding` are coefficients or, by `law`, forces; `pressing` marks pairs that let go rather than pull, `sign`
    is that of the load by which what slides leans. The `last` normal is that at the end of the last step, or as an event has
    set it. The direction of sliding is kept where the speed has none: below `STICKS_BELOW`.
    """

    kind: IntArray
    m: IntArray
    n: IntArray
    at_m: Array
    at_n: Array
    R_m: Array
    R_n: Array
    semi_m: Array
    semi_n: Array
    t_n: Array
    rule: IntArray
    law: IntArray
    static: Array
    sliding: Array
    drag: Array
    pressing: IntArray
    sign: Array
    state: IntArray
    first: IntArray
    struck: IntArray
    seen: Array
    slip: Array
    normal: Array
    last_normal: Array
    side: Array
    point: Array
    turn: Array


class Meeting(NamedTuple):
    """Where a pair meets: both arms, the relative velocity, the normal, both reaches along it, both shapes."""

    arm_m: Three
    arm_n: Three
    velocity: Three
    normal: Three
    reach_m: float
    reach_n: float
    shape_m: Symmetric
    shape_n: Symmetric


@inner
def _meet(rolls: Rolls, motion: Motion, k: int) -> Meeting:
    """Find where the surfaces of a pair meet, or come nearest, and write down how they move there."""
    seen, turn, i, j = rolls.seen, rolls.turn, rolls.m[k], rolls.n[k]
    centre_m, centre_n = arm_of(motion, i, rolls.at_m, k), arm_of(motion, j, rolls.at_n, k)
    way, _ = between(motion, j, centre_n, i, centre_m)
    turn_of(motion, i, rolls.R_m, k, turn)
    Q, A = _shape(turn, rolls.semi_m, k)
    normal, reach_n, B = arm_of(motion, j, rolls.t_n, k), 0.0, FLAT
    if rolls.kind[k] != PLANE:
        turn_of(motion, j, rolls.R_n, k, turn)
        P, B = _shape(turn, rolls.semi_n, k)
        side = OUTWARD if rolls.kind[k] == ROLLS_OUTSIDE else INWARD
        normal = _normal_of(rolls, k, P, Q, way)
        reach_n = side * math.sqrt(form(P, normal, normal))
    down = sym_on(Q, normal)
    reach_m = math.sqrt(dot(down, normal))
    seen[k, SEEN_GAP] = dot(normal, way) - reach_m - reach_n
    # the deepest point of m, from both origins, and what moves there
    arm_m = plus(centre_m, -1.0 / reach_m, down)
    arm_n = plus(added(centre_n, way), -1.0 / reach_m, down)
    _, velocity = between(motion, j, arm_n, i, arm_m)
    e, g = across(normal)
    opens, speed = dot(velocity, normal), math.hypot(dot(velocity, e), dot(velocity, g))
    write3(rolls.normal, k, normal)
    write3(rolls.side, 2 * k, e)
    write3(rolls.side, 2 * k + 1, g)
    write3(rolls.point, k, arm_m)
    if speed > (STICKS_BELOW if rolls.sliding[k] > 0.0 else NO_SPEED):
        write3(rolls.slip, k, over(less(velocity, scaled(opens, normal)), speed))
    seen[k, SEEN_SPEED], seen[k, SEEN_OPENS] = speed, opens
    return Meeting(arm_m, arm_n, velocity, normal, reach_m, reach_n, A, B)


@inner
def _normal_of(rolls: Rolls, k: int, P: Symmetric, Q: Symmetric, way: Three) -> Three:
    """The normal of a pair of ellipsoids: where it touches, that which the last leads to; else that of the least gap."""
    side, turn = OUTWARD if rolls.kind[k] == ROLLS_OUTSIDE else INWARD, rolls.turn
    if rolls.state[k] in (ROLLS, SLIDES):
        return deepest_points(P, Q, way, read3(rolls.last_normal, k), side).normal
    if side == OUTWARD:
        return deepest_points(P, Q, way, NOUGHT, side).normal
    normal, least = NOUGHT, math.inf
    for n in range(6):
        # there may be a hollow for each end of each axis
        axis = scaled(1.0 - 2.0 * (n % 2), (turn[n // 2], turn[3 + n // 2], turn[6 + n // 2]))
        found = deepest_points(P, Q, way, axis, side)
        if found.depth < least:
            normal, least = found.normal, found.depth
    return normal


@inner
def keep_normals(rolls: Rolls) -> None:
    """Let normals that were just found be those from which the next step's searches start."""
    for k in range(len(rolls.kind)):
        write3(rolls.last_normal, k, read3(rolls.normal, k))


@inner
def rolling_rows(rolls: Rolls, motion: Motion, rows: Rows) -> None:
    """Add the rows of all pairs that touch: one where they slide, three where they roll."""
    for k in range(len(rolls.kind)):
        meeting = _meet(rolls, motion, k)
        rolls.first[k] = rows.used[0]
        if rolls.state[k] in (ROLLS, SLIDES):
            _rows_of(rolls, k, motion, rows, meeting)


@inner
def rolling_forces(rolls: Rolls, motion: Motion, applied: Applied) -> None:
    """Add what holds sliding pairs back by given forces and by drag."""
    for k in range(len(rolls.kind)):
        rolls.seen[k, SEEN_APART_OF_ROWS] = 0.0
        if rolls.state[k] != SLIDES or (rolls.law[k] == COEFFICIENT and rolls.drag[k] == 0.0):
            continue
        meeting = _meet(rolls, motion, k)
        size = rolls.drag[k] * rolls.seen[k, SEEN_SPEED]
        if rolls.law[k] == GIVEN_FORCE:
            size += rolls.sliding[k]
        rolls.seen[k, SEEN_APART_OF_ROWS] = size
        slip = read3(rolls.slip, k)
        push(applied.torque, applied.force, rolls.m[k], meeting.arm_m, scaled(-size, slip))
        push(applied.torque, applied.force, rolls.n[k], meeting.arm_n, scaled(size, slip))


@inlined
def _shape(turn: Array, semi: Array, k: int) -> tuple[Symmetric, Symmetric]:
    """Give Q of an ellipsoid and A = Q^-1, ground axes."""
    a, b, c = semi[k, 0] ** 2, semi[k, 1] ** 2, semi[k, 2] ** 2
    return turned_diagonal(turn, (a, b, c)), turned_diagonal(turn, (1.0 / a, 1.0 / b, 1.0 / c))


@inner
def _rows_of(rolls: Rolls, k: int, motion: Motion, rows: Rows, meeting: Meeting) -> None:
    """Add the rows of one pair at its point of contact (4.32 to 4.39)."""
    i, j, normal, velocity = rolls.m[k], rolls.n[k], meeting.normal, meeting.velocity
    arm_m, arm_n, A, B = meeting.arm_m, meeting.arm_n, meeting.shape_m, meeting.shape_n
    e, g = read3(rolls.side, 2 * k), read3(rolls.side, 2 * k + 1)
    spin_m, spin_n = spin_of(motion, i), spin_of(motion, j)
    # how the point of contact moves over n: (h_m A + h_n B) r' = (w_m - w_n) x t + h_m A u
    right = plus(cross(less(spin_m, spin_n), normal), meeting.reach_m, sym_on(A, velocity))
    bend = sym_mixed(meeting.reach_m, A, meeting.reach_n, B)
    c00, c01, c11 = form(bend, e, e), form(bend, e, g), form(bend, g, g)
    f0, f1, det = dot(right, e), dot(right, g), c00 * c11 - c01 * c01
    moves = plus(scaled((c11 * f0 - c01 * f1) / det, e), (c00 * f1 - c01 * f0) / det, g)
    # the rate of the normal: it turns with n, and with the point over n's own surface
    turn = plus(cross(spin_n, normal), meeting.reach_n, sym_on(B, moves))
    turn = plus(turn, -dot(turn, normal), normal)
    lift = less(inward(motion, i, arm_m), inward(motion, j, arm_n))
    lift = less(added(lift, cross(spin_m, less(moves, velocity))), cross(spin_n, moves))
    r = new_row(rows)
    tie(rows, motion, r, i, j, arm_m, arm_n, normal)
    rows.error[r] = rolls.seen[k, SEEN_GAP]
    rows.bias[r] += dot(normal, lift) + dot(turn, plus(velocity, -dot(velocity, normal), normal))
    if rolls.state[k] == ROLLS:
        for along in (e, g):
            r = new_row(rows)
            tie(rows, motion, r, i, j, arm_m, arm_n, along)
            rows.bias[r] = dot(along, lift)
            rows.held[r] = 0
        return
    if rolls.law[k] == GIVEN_FORCE:
        return
    # sliding: the load leans against the motion (4.31)
    load = scaled(-rolls.sign[k] * rolls.sliding[k], read3(rolls.slip, k))
    _lean(rows, r, 0, arm_m, load)
    _lean(rows, r, 1, arm_n, scaled(-1.0, load))


@inner
def _lean(rows: Rows, r: int, s: int, arm: Three, load: Three) -> None:
    """Add a force at an arm to the direction of a row's load."""
    add3(rows.load_force[r], s, load)
    add3(rows.load_torque[r], s, cross(arm, load))


@inner
def rolling_loads(rolls: Rolls, rows: Rows) -> float:
    """Read the loads of all pairs off the solved rows, and give the power of sliding friction."""
    power, seen = 0.0, rolls.seen
    for k in range(len(rolls.kind)):
        seen[k, SEEN_NORMAL] = seen[k, SEEN_ACROSS] = 0.0
        if rolls.state[k] in (LIFTED, GONE):
            continue
        r = rolls.first[k]
        seen[k, SEEN_NORMAL] = rows.load[r]
        if rolls.state[k] == ROLLS:
            seen[k, SEEN_ACROSS] = math.sqrt(rows.load[r + 1] ** 2 + rows.load[r + 2] ** 2)
            continue
        seen[k, SEEN_ACROSS] = seen[k, SEEN_APART_OF_ROWS]
        if rolls.law[k] == COEFFICIENT:
            seen[k, SEEN_ACROSS] += rolls.sign[k] * rolls.sliding[k] * rows.load[r]
        power -= seen[k, SEEN_ACROSS] * seen[k, SEEN_SPEED]
    return power


@inner
def _holds(rolls: Rolls, k: int, normal: float) -> float:
    """The load across up to which a pair sticks."""
    return float(rolls.static[k] if rolls.law[k] == GIVEN_FORCE else rolls.static[k] * abs(normal))


@inner
def watch_rolling(rolls: Rolls, g: Array, first: int) -> None:
    """Give the functions of their events: touching, sliding where they roll, sticking where they slide; loads that turn."""
    for k in range(len(rolls.kind)):
        n, state, seen = first + ROLL_TURNS * k, rolls.state[k], rolls.seen
        g[n] = g[n + 1] = -1.0
        if state == GONE:
            continue
        if state == LIFTED:
            g[n] = -seen[k, SEEN_GAP]
            continue
        normal = seen[k, SEEN_NORMAL]
        if rolls.pressing[k]:
            g[n + 1] = -normal
        elif state == SLIDES and rolls.law[k] == COEFFICIENT and rolls.sliding[k] > 0.0:
            g[n + 1] = -rolls.sign[k] * normal
        if rolls.rule[k] != AUTO:
            continue
        if state == ROLLS:
            g[n] = seen[k, SEEN_ACROSS] - _holds(rolls, k, normal)
        else:
            g[n] = 1.0 - seen[k, SEEN_SPEED] / STICKS_BELOW


@inner
def _let_slide(rolls: Rolls, k: int, rows: Rows) -> None:
    """Let a rolling pair slide against the friction that would have held it."""
    rolls.state[k] = SLIDES
    r = rolls.first[k]
    rolls.sign[k] = 1.0 if rows.load[r] >= 0.0 else -1.0
    size = max(math.hypot(rows.load[r + 1], rows.load[r + 2]), 1e-300)
    e, g = read3(rolls.side, 2 * k), read3(rolls.side, 2 * k + 1)
    load = plus(scaled(rows.load[r + 1], e), rows.load[r + 2], g)
    write3(rolls.slip, k, over(scaled(-1.0, load), size))


@inner
def _some_pull(rolls: Rolls, rows: Rows, level: IntArray, first: int) -> bool:
    """Let pairs go that press and would have to pull in the instant in which others touch."""
    found, touched, most = False, 0, 0.0
    for k in range(len(rolls.kind)):
        touched += rolls.struck[k]
        if rolls.state[k] in (ROLLS, SLIDES):
            most = max(most, abs(rows.load[rolls.first[k]]))
    for k in range(len(rolls.kind)):
        holds = touched > 0 and rolls.pressing[k] and rolls.state[k] in (ROLLS, SLIDES)
        if holds and rows.load[rolls.first[k]] < -PULLS * most:
            rolls.state[k] = LIFTED
            level[first + ROLL_TURNS * k] = rolls.struck[k] = 0
            found = True
    return found


@inner
def some_slip(rolls: Rolls, rows: Rows, level: IntArray, first: int) -> bool:
    """Let pairs go that would pull, and slide that friction cannot stop, as others touch; say if there were any.

    All that would pull go together, then all that cannot be stopped begin to slide together; the others are
    looked at again without them. A given force does nothing in no time, and stops nothing.
    """
    found = _some_pull(rolls, rows, level, first)
    if found:
        return True
    for k in range(len(rolls.kind)):
        if rolls.struck[k] and rolls.rule[k] == AUTO:
            r = rolls.first[k]
            side = math.hypot(rows.load[r + 1], rows.load[r + 2])
            if side > (0.0 if rolls.law[k] == GIVEN_FORCE else _holds(rolls, k, rows.load[r])):
                _let_slide(rolls, k, rows)
                level[first + ROLL_TURNS * k] = rolls.struck[k] = 0
                found = True
    if not found:
        rolls.struck[:] = 0
    return found


@inlined
def touches_now(rolls: Rolls, k: int) -> bool:
    """Whether a pair that is apart touches, while it approaches, at the instant of another."""
    gap, opens = rolls.seen[k, SEEN_GAP], rolls.seen[k, SEEN_OPENS]
    near = TOUCH_TOGETHER + TOUCH_SOON * abs(opens)
    return bool(rolls.state[k] == LIFTED and gap <= near and opens < 0.0)


@inner
def switch_rolling(rolls: Rolls, k: int, rows: Rows, level: IntArray, n: int) -> None:
    """Let a pair touch, begin to slide, or begin to roll; the speeds follow from its new rows."""
    write3(rolls.last_normal, k, read3(rolls.normal, k))
    if rolls.state[k] == LIFTED:
        # whether friction can stop it at once shows in the impulses of its rows
        rolls.state[k] = SLIDES if rolls.rule[k] == ONLY_SLIDE else ROLLS
        rolls.struck[k] = 1
    elif rolls.state[k] == ROLLS:
        _let_slide(rolls, k, rows)
    else:
        rolls.state[k] = ROLLS
    level[n] = 1 if rolls.state[k] == ROLLS else 0


@inner
def turn_load(rolls: Rolls, k: int, level: IntArray, n: int) -> int:
    """Let a pair go whose load would pull from now on, or let its friction lean the other way; says what happened."""
    if rolls.pressing[k] == 0:
        rolls.sign[k] = -rolls.sign[k]
        return NOTHING
    rolls.state[k] = LIFTED
    level[n] = 0
    return LEFT
