"""Rows of ellipsoids that roll or slide on planes and ellipsoids (section 4.3.4, types III and IV).

The body m carries the ellipsoid, the body n the plane or the other ellipsoid; the normal t points
from n into m. With the support h(t) = sqrt(t . Q t), Q = A^-1, the surfaces touch where their normals
are opposite; between ellipsoids that direction is found by Newton's method from the last one.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.dynamics.rows import Rows, new_row
from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.constraints import inward, tie
from solver.forces.points import arm_of, place_and_velocity
from solver.maths.bundles import bundle
from solver.maths.kernels import inlined, inner

PLANE, OUTSIDE, INSIDE = range(3)
APART, ROLLS, SLIDES = range(3)
AUTO, ONLY_ROLL, ONLY_SLIDE = range(3)

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
    room: Array


def make_room() -> Array:
    """Make room for the matrices of one pair."""
    return np.zeros((6, 3, 3))


@inner
def _shape(
    motion: Motion, i: int, R: Array, semi: Array, k: int, Q: Array, A: Array, E: Array
) -> None:
    """Give Q = A^-1 and A of an ellipsoid, ground axes."""
    o = motion.R
    for u in range(3):
        for v in range(3):
            if i < 0:
                E[u, v] = R[k, 3 * u + v]
            else:
                E[u, v] = (
                    o[i, 3 * u] * R[k, v]
                    + o[i, 3 * u + 1] * R[k, 3 + v]
                    + o[i, 3 * u + 2] * R[k, 6 + v]
                )
    for u in range(3):
        for v in range(3):
            q = a = 0.0
            for w in range(3):
                s = semi[k, w] * semi[k, w]
                q += E[u, w] * s * E[v, w]
                a += E[u, w] / s * E[v, w]
            Q[u, v], A[u, v] = q, a


@inner
def _times(M: Array, x: Array, k: int, out: Array) -> float:
    """Give M x for row k of x, and x . M x."""
    s = 0.0
    for u in range(3):
        out[u] = M[u, 0] * x[k, 0] + M[u, 1] * x[k, 1] + M[u, 2] * x[k, 2]
        s += out[u] * x[k, u]
    return s


@inner
def _across(t: Array, side: Array, k: int) -> None:
    """Give two directions across a normal."""
    x, y, z = abs(t[k, 0]), abs(t[k, 1]), abs(t[k, 2])
    e = 0 if x <= y and x <= z else (1 if y <= z else 2)
    length = math.sqrt(1.0 - t[k, e] * t[k, e])
    for u in range(3):
        side[2 * k, u] = ((1.0 if u == e else 0.0) - t[k, e] * t[k, u]) / length
    for u in range(3):
        v, w = (u + 1) % 3, (u + 2) % 3
        side[2 * k + 1, u] = t[k, v] * side[2 * k, w] - t[k, w] * side[2 * k, v]


@inner
def _find_normal(
    t: Array, k: int, side: Array, d: Array, Qm: Array, Qn: Array, sign: float, room: Array
) -> None:
    """Turn the normal of a pair of ellipsoids until the nearest points lie along it.

    It makes t . d - h_m - sign h_n largest outside and smallest inside, by Newton's method in the
    plane across it, with steps of at most a radian.
    """
    qm, qn = room[0], room[1]
    for _ in range(30):
        _across(t, side, k)
        hm = math.sqrt(_times(Qm, t, k, qm))
        hn = math.sqrt(_times(Qn, t, k, qn))
        r0 = r1 = m00 = m01 = m11 = along = 0.0
        for u in range(3):
            f = d[u] - qm[u] / hm - sign * qn[u] / hn
            along += f * t[k, u]
            r0 += f * side[2 * k, u]
            r1 += f * side[2 * k + 1, u]
        a0 = a1 = b0 = b1 = 0.0
        for u in range(3):
            a0 += qm[u] * side[2 * k, u]
            a1 += qm[u] * side[2 * k + 1, u]
            b0 += qn[u] * side[2 * k, u]
            b1 += qn[u] * side[2 * k + 1, u]
            for v in range(3):
                c = Qm[u, v] / hm + sign * Qn[u, v] / hn
                m00 -= side[2 * k, u] * c * side[2 * k, v]
                m01 -= side[2 * k, u] * c * side[2 * k + 1, v]
                m11 -= side[2 * k + 1, u] * c * side[2 * k + 1, v]
        m00 += a0 * a0 / hm**3 + sign * b0 * b0 / hn**3 - along
        m01 += a0 * a1 / hm**3 + sign * b0 * b1 / hn**3
        m11 += a1 * a1 / hm**3 + sign * b1 * b1 / hn**3 - along
        det = m00 * m11 - m01 * m01
        if det > 0.0 and sign * m00 < 0.0:
            x, y = (m01 * r1 - m11 * r0) / det, (m01 * r0 - m00 * r1) / det
        else:
            # not near the summit yet: uphill, or downhill inside
            size = sign * (math.sqrt(r0 * r0 + r1 * r1) + 1e-300)
            x, y = 0.3 * r0 / size, 0.3 * r1 / size
        length = math.sqrt(x * x + y * y)
        if length > 1.0:
            x, y = x / length, y / length
        norm = 0.0
        for u in range(3):
            t[k, u] += x * side[2 * k, u] + y * side[2 * k + 1, u]
            norm += t[k, u] * t[k, u]
        for u in range(3):
            t[k, u] /= math.sqrt(norm)
        if length < 1e-14:
            break


@inner
def rolling_rows(rolls: Rolls, motion: Motion, rows: Rows) -> None:
    """Add the rows of all pairs that touch: one where they slide, three where they roll."""
    room, t, side = rolls.room, rolls.normal, rolls.side
    Qm, Am, Qn, An, w = room[0], room[1], room[2], room[3], room[4]
    for k in range(len(rolls.kind)):
        i, j, kind = rolls.m[k], rolls.n[k], rolls.kind[k]
        ax, ay, az = arm_of(motion, i, rolls.at_m, k)
        bx, by, bz = arm_of(motion, j, rolls.at_n, k)
        cx, cy, cz, _, _, _ = place_and_velocity(motion, i, ax, ay, az)
        px, py, pz, _, _, _ = place_and_velocity(motion, j, bx, by, bz)
        d = w[2]
        d[0], d[1], d[2] = cx - px, cy - py, cz - pz
        _shape(motion, i, rolls.R_m, rolls.semi_m, k, Qm, Am, room[5])
        sign, hn = 0.0, 0.0
        if kind == PLANE:
            t[k, 0], t[k, 1], t[k, 2] = arm_of(motion, j, rolls.t_n, k)
        else:
            _shape(motion, j, rolls.R_n, rolls.semi_n, k, Qn, An, room[5])
            sign = 1.0 if kind == OUTSIDE else -1.0
            _find_normal(t, k, side, d, Qm, Qn, sign, w)
            hn = math.sqrt(_times(Qn, t, k, w[1]))
        hm = math.sqrt(_times(Qm, t, k, w[0]))
        gap = t[k, 0] * d[0] + t[k, 1] * d[1] + t[k, 2] * d[2] - hm - sign * hn
        seen = rolls.seen
        seen[k, 0] = gap
        _across(t, side, k)
        # the deepest point of m, and what moves there
        x, y, z = cx - w[0, 0] / hm, cy - w[0, 1] / hm, cz - w[0, 2] / hm
        if i >= 0:
            ax, ay, az = x - motion.p[i, 0], y - motion.p[i, 1], z - motion.p[i, 2]
        else:
            ax, ay, az = x, y, z
        if j >= 0:
            bx, by, bz = x - motion.p[j, 0], y - motion.p[j, 1], z - motion.p[j, 2]
        else:
            bx, by, bz = x, y, z
        _, _, _, ux, uy, uz = place_and_velocity(motion, i, ax, ay, az)
        _, _, _, vx, vy, vz = place_and_velocity(motion, j, bx, by, bz)
        ux, uy, uz = ux - vx, uy - vy, uz - vz
        s0, s1, n0 = 0.0, 0.0, ux * t[k, 0] + uy * t[k, 1] + uz * t[k, 2]
        s0 = ux * side[2 * k, 0] + uy * side[2 * k, 1] + uz * side[2 * k, 2]
        s1 = ux * side[2 * k + 1, 0] + uy * side[2 * k + 1, 1] + uz * side[2 * k + 1, 2]
        seen[k, 1], seen[k, 4] = math.sqrt(s0 * s0 + s1 * s1), n0
        rolls.first[k] = rows.used[0]
        if rolls.state[k] == APART:
            continue
        _rows_of(
            rolls, k, motion, rows, i, j, ax, ay, az, bx, by, bz, ux, uy, uz, n0, hm, sign * hn
        )


@inner
def _rows_of(
    rolls: Rolls, k: int, motion: Motion, rows: Rows, i: int, j: int,
    ax: float, ay: float, az: float, bx: float, by: float, bz: float,
    ux: float, uy: float, uz: float, n0: float, hm: float, hn: float,
) -> None:  # fmt: skip
    """Add the rows of one pair at a point of contact with relative velocity u (4.32 to 4.39)."""
    t, side, room = rolls.normal, rolls.side, rolls.room
    Am, An, w = room[1], room[3], room[4]
    wm, wn, u = w[0], w[1], w[2]
    for c in range(3):
        wm[c] = motion.w[i, c] if i >= 0 else 0.0
        wn[c] = motion.w[j, c] if j >= 0 else 0.0
    u[0], u[1], u[2] = ux, uy, uz
    # how the point of contact moves over n: (h_m A_m + h_n A_n) r' = (w_m - w_n) x t + h_m A_m u
    f0 = f1 = c00 = c01 = c11 = 0.0
    for a in range(3):
        b, c = (a + 1) % 3, (a + 2) % 3
        f = (wm[b] - wn[b]) * t[k, c] - (wm[c] - wn[c]) * t[k, b]
        f += hm * (Am[a, 0] * u[0] + Am[a, 1] * u[1] + Am[a, 2] * u[2])
        f0 += f * side[2 * k, a]
        f1 += f * side[2 * k + 1, a]
        for e in range(3):
            m = hm * Am[a, e] + (hn * An[a, e] if hn != 0.0 else 0.0)
            c00 += side[2 * k, a] * m * side[2 * k, e]
            c01 += side[2 * k, a] * m * side[2 * k + 1, e]
            c11 += side[2 * k + 1, a] * m * side[2 * k + 1, e]
    det = c00 * c11 - c01 * c01
    r0, r1 = (c11 * f0 - c01 * f1) / det, (c00 * f1 - c01 * f0) / det
    over_n, turn, lift = room[5, 0], room[5, 1], room[5, 2]
    for a in range(3):
        over_n[a] = r0 * side[2 * k, a] + r1 * side[2 * k + 1, a]
    cx, cy, cz = inward(motion, i, ax, ay, az)
    sx, sy, sz = inward(motion, j, bx, by, bz)
    lift[0], lift[1], lift[2] = cx - sx, cy - sy, cz - sz
    along = 0.0
    for a in range(3):
        # the rate of the normal: it turns with n, and with the point over n's own surface
        b, c = (a + 1) % 3, (a + 2) % 3
        turn[a] = wn[b] * t[k, c] - wn[c] * t[k, b]
        if hn != 0.0:
            turn[a] += hn * (An[a, 0] * over_n[0] + An[a, 1] * over_n[1] + An[a, 2] * over_n[2])
        lift[a] += wm[b] * (over_n[c] - u[c]) - wm[c] * (over_n[b] - u[b])
        lift[a] -= wn[b] * over_n[c] - wn[c] * over_n[b]
    if hn != 0.0:
        for a in range(3):
            along += turn[a] * t[k, a]
        for a in range(3):
            turn[a] -= along * t[k, a]
    r = new_row(rows)
    tie(rows, motion, r, i, j, ax, ay, az, bx, by, bz, t[k, 0], t[k, 1], t[k, 2])
    rows.error[r] = rolls.seen[k, 0]
    for a in range(3):
        rows.bias[r] += t[k, a] * lift[a] + turn[a] * (u[a] - n0 * t[k, a])
    if rolls.state[k] == ROLLS:
        for s in range(2):
            e = side[2 * k + s]
            r = new_row(rows)
            tie(rows, motion, r, i, j, ax, ay, az, bx, by, bz, e[0], e[1], e[2])
            rows.bias[r] = e[0] * lift[0] + e[1] * lift[1] + e[2] * lift[2]
            rows.held[r] = 0
        return
    # sliding: the load leans against the motion (4.31)
    slip, speed = rolls.slip, rolls.seen[k, 1]
    if speed > STICKS_BELOW:
        for a in range(3):
            slip[k, a] = (u[a] - n0 * t[k, a]) / speed
    f = -rolls.sliding[k]
    x, y, z = f * slip[k, 0], f * slip[k, 1], f * slip[k, 2]
    lean(rows, r, 0, ax, ay, az, x, y, z)
    lean(rows, r, 1, bx, by, bz, -x, -y, -z)


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
