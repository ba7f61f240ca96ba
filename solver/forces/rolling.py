"""Rows and forces of ellipsoids that roll or slide on planes and ellipsoids (section 4.3.4, types III and IV).

The body m carries the ellipsoid, the body n the plane or the other ellipsoid; the normal t points
from n into m. The surfaces touch where their normals are opposite; between ellipsoids that direction is
found from the last one as in all contacts (`deepest.py`).

Friction is a part of the load along the normal, and leans its row; or a given force against the sliding
(seed 004, section 4.4.1), which acts on the bodies like any other, as drag by the sliding speed does.
Each pair has two events: touching, sliding or sticking, and that the load changes its sign.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.rows import Rows, new_row
from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.constraints import inward, tie
from solver.forces.contacts.deepest import INSIDE as INWARD
from solver.forces.contacts.deepest import OUTSIDE as OUTWARD
from solver.forces.contacts.deepest import deepest_points
from solver.forces.contacts.ellipsoids import Six, across, form, mixed, times, turned
from solver.forces.laws import LEFT, NOTHING
from solver.forces.points import add_force, arm_of, from_point, spin_of
from solver.forces.surfaces import turn_of
from solver.maths.bundles import bundle
from solver.maths.kernels import inlined, inner
from solver.maths.vectors import Three, cross, dot, plus

PLANE, OUTSIDE, INSIDE = range(3)
APART, ROLLS, SLIDES, GONE = range(4)
"""States of a pair; one that is gone has broken and is not caught again."""

AUTO, ONLY_ROLL, ONLY_SLIDE = range(3)
COEFFICIENT, FORCE = range(2)
EVENTS = 2
"""Events of a pair."""

SEEN_GAP, SEEN_SPEED, SEEN_NORMAL, SEEN_ACROSS, SEEN_OPENS, SEEN_APART_OF_ROWS = range(6)
"""What is seen of a pair: gap, sliding speed, load along the normal and across, the speed at which the gap
opens, and what of the load across is in no row."""

FLAT = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""What a plane's surface has of curvature."""

STICKS_BELOW = 1e-4
"""Sliding speed (m/s) below which it is tried whether the surfaces roll."""


TOGETHER, SOON = 1e-9, 1e-11
"""Gap (m), and time (s), before touching within which pairs touch at the same instant."""


PULLS = 1e-9
"""Part of the largest impulse beyond which one against it counts as a pull."""


@bundle
class Rolls(NamedTuple):
    """Hold pairs, their modes, and what is seen of them at an evaluation.

    `t_n` is the plane's normal in body n. `struck` marks pairs that have just touched; `slip` is the direction of
    sliding, `normal` the normal, `side` two directions across it, `point` where they touch. `static` and
    `sliding` are coefficients or, by `law`, forces; `pressing` marks pairs that let go rather than pull, `sign`
    is that of the load by which what slides leans.
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
    side: Array
    point: Array
    turn: Array


Meeting = tuple[Three, Three, Three, Three, float, float, Six, Six]
"""Where a pair meets: both arms, the relative velocity, the normal, both reaches along it, both shapes."""


@inner
def _meet(rolls: Rolls, motion: Motion, k: int) -> Meeting:
    """Find where the surfaces of a pair meet, or come nearest, and write down how they move there."""
    t, side, seen, turn = rolls.normal, rolls.side, rolls.seen, rolls.turn
    i, j = rolls.m[k], rolls.n[k]
    ax, ay, az = arm_of(motion, i, rolls.at_m, k)
    bx, by, bz = arm_of(motion, j, rolls.at_n, k)
    dx, dy, dz, _, _, _ = from_point(motion, j, bx, by, bz, i, ax, ay, az)
    turn_of(motion, i, rolls.R_m, k, turn)
    Q, A = _shape(turn, rolls.semi_m, k)
    normal, hn, B = arm_of(motion, j, rolls.t_n, k), 0.0, FLAT
    if rolls.kind[k] != PLANE:
        turn_of(motion, j, rolls.R_n, k, turn)
        P, B = _shape(turn, rolls.semi_n, k)
        way = OUTWARD if rolls.kind[k] == OUTSIDE else INWARD
        normal = deepest_points(P, Q, (dx, dy, dz), (t[k, 0], t[k, 1], t[k, 2]), way).normal
        hn = way * math.sqrt(form(P, normal, normal))
    down = times(Q, normal)
    hm = math.sqrt(dot(down, normal))
    seen[k, SEEN_GAP] = dot(normal, (dx, dy, dz)) - hm - hn
    # the deepest point of m, from both origins, and what moves there
    a = plus((ax, ay, az), -1.0 / hm, down)
    b = plus((bx + dx, by + dy, bz + dz), -1.0 / hm, down)
    _, _, _, ux, uy, uz = from_point(motion, j, b[0], b[1], b[2], i, a[0], a[1], a[2])
    e, g = across(normal)
    u = (ux, uy, uz)
    opens, speed = dot(u, normal), math.hypot(dot(u, e), dot(u, g))
    for c in range(3):
        t[k, c], side[2 * k, c], side[2 * k + 1, c] = normal[c], e[c], g[c]
        rolls.point[k, c] = a[c]
        if speed > STICKS_BELOW:
            rolls.slip[k, c] = (u[c] - opens * normal[c]) / speed
    seen[k, SEEN_SPEED], seen[k, SEEN_OPENS] = speed, opens
    return a, b, u, normal, hm, hn, A, B


@inner
def rolling_rows(rolls: Rolls, motion: Motion, rows: Rows) -> None:
    """Add the rows of all pairs that touch: one where they slide, three where they roll."""
    for k in range(len(rolls.kind)):
        a, b, u, normal, hm, hn, A, B = _meet(rolls, motion, k)
        rolls.first[k] = rows.used[0]
        if rolls.state[k] in (ROLLS, SLIDES):
            _rows_of(rolls, k, motion, rows, a, b, u, normal, hm, hn, A, B)


@inner
def rolling_forces(rolls: Rolls, motion: Motion, torque: Array, force: Array) -> None:
    """Add what holds sliding pairs back by given forces and by drag."""
    for k in range(len(rolls.kind)):
        rolls.seen[k, SEEN_APART_OF_ROWS] = 0.0
        if rolls.state[k] != SLIDES or (rolls.law[k] == COEFFICIENT and rolls.drag[k] == 0.0):
            continue
        a, b, _, _, _, _, _, _ = _meet(rolls, motion, k)
        size = rolls.drag[k] * rolls.seen[k, SEEN_SPEED]
        if rolls.law[k] == FORCE:
            size += rolls.sliding[k]
        rolls.seen[k, SEEN_APART_OF_ROWS] = size
        x, y, z = size * rolls.slip[k, 0], size * rolls.slip[k, 1], size * rolls.slip[k, 2]
        add_force(torque, force, rolls.m[k], a[0], a[1], a[2], -x, -y, -z)
        add_force(torque, force, rolls.n[k], b[0], b[1], b[2], x, y, z)


@inlined
def _shape(turn: Array, semi: Array, k: int) -> tuple[Six, Six]:
    """Give Q of an ellipsoid and A = Q^-1, ground axes."""
    a, b, c = semi[k, 0] ** 2, semi[k, 1] ** 2, semi[k, 2] ** 2
    return turned(turn, a, b, c), turned(turn, 1.0 / a, 1.0 / b, 1.0 / c)


@inner
def _rows_of(
    rolls: Rolls, k: int, motion: Motion, rows: Rows, a: Three, b: Three, u: Three, t: Three,
    hm: float, hn: float, A: Six, B: Six,
) -> None:  # fmt: skip
    """Add the rows of one pair at a point of contact with relative velocity u (4.32 to 4.39)."""
    i, j, side = rolls.m[k], rolls.n[k], rolls.side
    e = (side[2 * k, 0], side[2 * k, 1], side[2 * k, 2])
    g = (side[2 * k + 1, 0], side[2 * k + 1, 1], side[2 * k + 1, 2])
    wm, wn = spin_of(motion, i), spin_of(motion, j)
    # how the point of contact moves over n: (h_m A + h_n B) r' = (w_m - w_n) x t + h_m A u
    f = plus(cross(plus(wm, -1.0, wn), t), hm, times(A, u))
    bend = mixed(A, B, hm, hn)
    c00, c01, c11 = form(bend, e, e), form(bend, e, g), form(bend, g, g)
    f0, f1, det = dot(f, e), dot(f, g), c00 * c11 - c01 * c01
    r0, r1 = (c11 * f0 - c01 * f1) / det, (c00 * f1 - c01 * f0) / det
    over = (r0 * e[0] + r1 * g[0], r0 * e[1] + r1 * g[1], r0 * e[2] + r1 * g[2])
    # the rate of the normal: it turns with n, and with the point over n's own surface
    turn = plus(cross(wn, t), hn, times(B, over))
    turn = plus(turn, -dot(turn, t), t)
    lift = plus(inward(motion, i, a[0], a[1], a[2]), -1.0, inward(motion, j, b[0], b[1], b[2]))
    lift = plus(plus(lift, 1.0, cross(wm, plus(over, -1.0, u))), -1.0, cross(wn, over))
    r, n0 = new_row(rows), dot(u, t)
    tie(rows, motion, r, i, j, a[0], a[1], a[2], b[0], b[1], b[2], t[0], t[1], t[2])
    rows.error[r] = rolls.seen[k, SEEN_GAP]
    rows.bias[r] += dot(t, lift) + dot(turn, plus(u, -n0, t))
    if rolls.state[k] == ROLLS:
        for d in (e, g):
            r = new_row(rows)
            tie(rows, motion, r, i, j, a[0], a[1], a[2], b[0], b[1], b[2], d[0], d[1], d[2])
            rows.bias[r] = dot(d, lift)
            rows.held[r] = 0
        return
    if rolls.law[k] == FORCE:
        return
    # sliding: the load leans against the motion (4.31)
    slip, load = rolls.slip, -rolls.sign[k] * rolls.sliding[k]
    x, y, z = load * slip[k, 0], load * slip[k, 1], load * slip[k, 2]
    lean(rows, r, 0, a[0], a[1], a[2], x, y, z)
    lean(rows, r, 1, b[0], b[1], b[2], -x, -y, -z)


@inner
def lean(
    rows: Rows, r: int, s: int, ax: float, ay: float, az: float, x: float, y: float, z: float
) -> None:
    """Add a force at an arm to the direction of a row's load."""
    t, f = rows.load_torque, rows.load_force
    f[r, s, 0], f[r, s, 1], f[r, s, 2] = f[r, s, 0] + x, f[r, s, 1] + y, f[r, s, 2] + z
    t[r, s, 0] += ay * z - az * y
    t[r, s, 1] += az * x - ax * z
    t[r, s, 2] += ax * y - ay * x


@inner
def rolling_loads(rolls: Rolls, rows: Rows) -> float:
    """Read the loads of all pairs off the solved rows, and give the power of sliding friction."""
    power, seen = 0.0, rolls.seen
    for k in range(len(rolls.kind)):
        seen[k, SEEN_NORMAL] = seen[k, SEEN_ACROSS] = 0.0
        if rolls.state[k] in (APART, GONE):
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
    """Give the load across up to which a pair sticks."""
    return float(rolls.static[k] if rolls.law[k] == FORCE else rolls.static[k] * abs(normal))


@inner
def watch_rolling(rolls: Rolls, g: Array, first: int) -> None:
    """Give the functions of their events: touching, sliding where they roll, sticking where they slide; loads that turn."""
    for k in range(len(rolls.kind)):
        n, state, seen = first + EVENTS * k, rolls.state[k], rolls.seen
        g[n] = g[n + 1] = -1.0
        if state == GONE:
            continue
        if state == APART:
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
    for a in range(3):
        across = rows.load[r + 1] * rolls.side[2 * k, a]
        across += rows.load[r + 2] * rolls.side[2 * k + 1, a]
        rolls.slip[k, a] = -across / size


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
            rolls.state[k] = APART
            level[first + EVENTS * k] = rolls.struck[k] = 0
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
            if side > (0.0 if rolls.law[k] == FORCE else _holds(rolls, k, rows.load[r])):
                _let_slide(rolls, k, rows)
                level[first + EVENTS * k] = rolls.struck[k] = 0
                found = True
    if not found:
        rolls.struck[:] = 0
    return found


@inlined
def touches_now(rolls: Rolls, k: int) -> bool:
    """Say whether a pair that is apart touches, while it approaches, at the instant of another."""
    gap, opens = rolls.seen[k, SEEN_GAP], rolls.seen[k, SEEN_OPENS]
    near = TOGETHER + SOON * abs(opens)
    return bool(rolls.state[k] == APART and gap <= near and opens < 0.0)


@inner
def switch_rolling(rolls: Rolls, k: int, rows: Rows, level: IntArray, n: int) -> None:
    """Let a pair touch, begin to slide, or begin to roll; the speeds follow from its new rows."""
    if rolls.state[k] == APART:
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
    rolls.state[k] = APART
    level[n] = 0
    return LEFT
