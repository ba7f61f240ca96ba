"""Rows of ellipsoids that roll or slide on planes and ellipsoids (section 4.3.4, types III and IV).

The body m carries the ellipsoid, the body n the plane or the other ellipsoid; the normal t points
from n into m. The surfaces touch where their normals are opposite; between ellipsoids that direction is
found from the last one as in all contacts (`deepest.py`).
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
from solver.forces.points import arm_of, from_point, spin_of
from solver.forces.surfaces import turn_of
from solver.maths.bundles import bundle
from solver.maths.kernels import inlined, inner
from solver.maths.vectors import Three, cross, dot, plus

PLANE, OUTSIDE, INSIDE = range(3)
APART, ROLLS, SLIDES = range(3)
AUTO, ONLY_ROLL, ONLY_SLIDE = range(3)

NOTHING = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
"""What a plane's surface has of curvature."""

STICKS_BELOW = 1e-4
"""Sliding speed (m/s) below which it is tried whether the surfaces roll."""


TOGETHER, SOON = 1e-9, 1e-11
"""Gap (m), and time (s), before touching within which pairs touch at the same instant."""


@bundle
class Rolls(NamedTuple):
    """Hold pairs, their modes, and what is seen of them at an evaluation.

    `t_n` is the plane's normal in body n. `seen` holds gap, sliding speed, normal and tangential
    load, and the speed at which the gap opens; `struck` marks pairs that have just touched; `slip` the direction of sliding, `normal` the normal, `side` two directions across it.
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
    static: Array
    sliding: Array
    state: IntArray
    first: IntArray
    struck: IntArray
    seen: Array
    slip: Array
    normal: Array
    side: Array
    turn: Array


@inner
def rolling_rows(rolls: Rolls, motion: Motion, rows: Rows) -> None:
    """Add the rows of all pairs that touch: one where they slide, three where they roll."""
    t, side, seen, turn = rolls.normal, rolls.side, rolls.seen, rolls.turn
    for k in range(len(rolls.kind)):
        i, j = rolls.m[k], rolls.n[k]
        ax, ay, az = arm_of(motion, i, rolls.at_m, k)
        bx, by, bz = arm_of(motion, j, rolls.at_n, k)
        dx, dy, dz, _, _, _ = from_point(motion, j, bx, by, bz, i, ax, ay, az)
        turn_of(motion, i, rolls.R_m, k, turn)
        Q, A = _shape(turn, rolls.semi_m, k)
        normal, hn, B = arm_of(motion, j, rolls.t_n, k), 0.0, NOTHING
        if rolls.kind[k] != PLANE:
            turn_of(motion, j, rolls.R_n, k, turn)
            P, B = _shape(turn, rolls.semi_n, k)
            way = OUTWARD if rolls.kind[k] == OUTSIDE else INWARD
            normal = deepest_points(P, Q, (dx, dy, dz), (t[k, 0], t[k, 1], t[k, 2]), way).normal
            hn = way * math.sqrt(form(P, normal, normal))
        down = times(Q, normal)
        hm = math.sqrt(dot(down, normal))
        seen[k, 0] = dot(normal, (dx, dy, dz)) - hm - hn
        # the deepest point of m, from both origins, and what moves there
        a = plus((ax, ay, az), -1.0 / hm, down)
        b = plus((bx + dx, by + dy, bz + dz), -1.0 / hm, down)
        _, _, _, ux, uy, uz = from_point(motion, j, b[0], b[1], b[2], i, a[0], a[1], a[2])
        e, g = across(normal)
        for c in range(3):
            t[k, c], side[2 * k, c], side[2 * k + 1, c] = normal[c], e[c], g[c]
        u = (ux, uy, uz)
        seen[k, 1], seen[k, 4] = math.hypot(dot(u, e), dot(u, g)), dot(u, normal)
        rolls.first[k] = rows.used[0]
        if rolls.state[k] != APART:
            _rows_of(rolls, k, motion, rows, a, b, u, normal, hm, hn, A, B)


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
    rows.error[r] = rolls.seen[k, 0]
    rows.bias[r] += dot(t, lift) + dot(turn, plus(u, -n0, t))
    if rolls.state[k] == ROLLS:
        for d in (e, g):
            r = new_row(rows)
            tie(rows, motion, r, i, j, a[0], a[1], a[2], b[0], b[1], b[2], d[0], d[1], d[2])
            rows.bias[r] = dot(d, lift)
            rows.held[r] = 0
        return
    # sliding: the load leans against the motion (4.31)
    slip, speed, load = rolls.slip, rolls.seen[k, 1], -rolls.sliding[k]
    if speed > STICKS_BELOW:
        for c in range(3):
            slip[k, c] = (u[c] - n0 * t[c]) / speed
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
    power = 0.0
    for k in range(len(rolls.kind)):
        rolls.seen[k, 2] = rolls.seen[k, 3] = 0.0
        if rolls.state[k] == APART:
            continue
        r = rolls.first[k]
        rolls.seen[k, 2] = rows.load[r]
        if rolls.state[k] == ROLLS:
            rolls.seen[k, 3] = math.sqrt(rows.load[r + 1] ** 2 + rows.load[r + 2] ** 2)
        else:
            rolls.seen[k, 3] = rolls.sliding[k] * rows.load[r]
            power -= rolls.seen[k, 3] * rolls.seen[k, 1]
    return power


@inner
def watch_rolling(rolls: Rolls, g: Array, first: int) -> None:
    """Give the functions of their events: touching, sliding where they roll, sticking where they slide."""
    for k in range(len(rolls.kind)):
        n, state, seen = first + k, rolls.state[k], rolls.seen
        g[n] = -1.0
        if state == APART:
            g[n] = -seen[k, 0]
        elif rolls.rule[k] != AUTO:
            continue
        elif state == ROLLS:
            g[n] = seen[k, 3] - rolls.static[k] * abs(seen[k, 2])
        else:
            g[n] = 1.0 - seen[k, 1] / STICKS_BELOW


@inner
def _let_slide(rolls: Rolls, k: int, rows: Rows) -> None:
    """Let a rolling pair slide against the friction that would have held it."""
    rolls.state[k] = SLIDES
    r = rolls.first[k]
    size = max(math.hypot(rows.load[r + 1], rows.load[r + 2]), 1e-300)
    for a in range(3):
        across = rows.load[r + 1] * rolls.side[2 * k, a]
        across += rows.load[r + 2] * rolls.side[2 * k + 1, a]
        rolls.slip[k, a] = -across / size


@inner
def some_slip(rolls: Rolls, rows: Rows, level: IntArray, first: int) -> bool:
    """Let pairs slide that have touched with more than friction can stop, and say if there were any.

    All that cannot be stopped begin to slide together; the others are looked at again without them.
    """
    found = False
    for k in range(len(rolls.kind)):
        if rolls.struck[k] and rolls.rule[k] == AUTO:
            r = rolls.first[k]
            side = math.hypot(rows.load[r + 1], rows.load[r + 2])
            if side > rolls.static[k] * abs(rows.load[r]):
                _let_slide(rolls, k, rows)
                level[first + k] = rolls.struck[k] = 0
                found = True
    if not found:
        rolls.struck[:] = 0
    return found


@inlined
def touches_now(rolls: Rolls, k: int) -> bool:
    """Say whether a pair that is apart touches, while it approaches, at the instant of another."""
    near = TOGETHER + SOON * abs(rolls.seen[k, 4])
    return bool(rolls.state[k] == APART and rolls.seen[k, 0] <= near and rolls.seen[k, 4] < 0.0)


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
