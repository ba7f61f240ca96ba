"""How deep surfaces are in planes and in each other, where, and how fast (sections 7.1, 7.2).

Plane and body touch at the deepest point; bodies are scaled about their centres by a common factor
until they touch in a single point (7.2.1), which is where the normal is taken and the force acts.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.dynamics.tree import Array, Motion
from solver.forces.hyper import apart_along, deepest, touch_scaled
from solver.forces.overlap import disk_in_quadrangle
from solver.forces.points import arm_of
from solver.forces.surfaces import Planes, Surfaces, squared, turn_of
from solver.maths.bundles import bundle
from solver.maths.kernels import inlined, inner, kernel

FADE, SHARP, NO_EDGES = range(3)
"""What happens at the edges of a plane."""

DEPTH, RATE, MARGIN = 0, 1, 2
NORMAL, POINT, SPEED = 3, 6, 9
"""Entries of a touch: depth and its rate; how far inside the bounds of a plane the pair is (below
zero outside); normal towards the first body, point, and velocity of the first body there against
the other, ground axes."""

CLEAR = 1e-3
"""Gap, in parts of the distance of the centres, beyond which surfaces are not looked at further."""

GLANCE = 1e-7
"""Time (s) ahead at which the depth over an edge is looked at again for its rate."""


@bundle
class Touch(NamedTuple):
    """Hold what is found of one pair, and room to find it."""

    found: Array
    turn_a: Array
    turn_b: Array
    Q_a: Array
    Q_b: Array
    x: Array
    corner: Array
    overlap: Array
    triangle: Array


def make_touch() -> Touch:
    """Make room for one pair."""
    return Touch(
        np.zeros(12), np.zeros(9), np.zeros(9), np.zeros(6), np.zeros(6), np.zeros(15),
        np.zeros((4, 2)), np.zeros(4), np.zeros((4, 6)),
    )  # fmt: skip


@inlined
def speed_at(
    motion: Motion, i: int, j: int, x: float, y: float, z: float
) -> tuple[float, float, float]:
    """Give the velocity of body i at a place against body j there."""
    vx = vy = vz = 0.0
    p, v, w = motion.p, motion.v, motion.w
    if i >= 0:
        ax, ay, az = x - p[i, 0], y - p[i, 1], z - p[i, 2]
        vx = v[i, 0] + w[i, 1] * az - w[i, 2] * ay
        vy = v[i, 1] + w[i, 2] * ax - w[i, 0] * az
        vz = v[i, 2] + w[i, 0] * ay - w[i, 1] * ax
    if j >= 0:
        ax, ay, az = x - p[j, 0], y - p[j, 1], z - p[j, 2]
        vx -= v[j, 0] + w[j, 1] * az - w[j, 2] * ay
        vy -= v[j, 1] + w[j, 2] * ax - w[j, 0] * az
        vz -= v[j, 2] + w[j, 0] * ay - w[j, 1] * ax
    return vx, vy, vz


@inner
def touch_plane(
    surfaces: Surfaces, planes: Planes, motion: Motion, a: int, b: int, edge: int, behind: bool,
    ratio: float, touch: Touch,
) -> None:  # fmt: skip
    """Find how surface a touches plane b."""
    found, now, turn = touch.found, planes.now, touch.turn_a
    i, j = surfaces.body[a], planes.body[b]
    tx, ty, tz = now[b, 3], now[b, 4], now[b, 5]
    cx, cy, cz = surfaces.centre[a, 0], surfaces.centre[a, 1], surfaces.centre[a, 2]
    height = tx * (cx - now[b, 0]) + ty * (cy - now[b, 1]) + tz * (cz - now[b, 2])
    found[MARGIN] = 1.0
    if height > surfaces.reach[a]:
        found[DEPTH] = surfaces.reach[a] - height
        found[RATE] = 0.0
        return
    turn_of(motion, i, surfaces.R, a, turn)
    ux = turn[0] * tx + turn[3] * ty + turn[6] * tz
    uy = turn[1] * tx + turn[4] * ty + turn[7] * tz
    uz = turn[2] * tx + turn[5] * ty + turn[8] * tz
    semi = surfaces.semi
    if surfaces.is_hyper[a]:
        h, sx, sy, sz = deepest(semi, surfaces.power, a, ux, uy, uz)
    else:
        sx, sy, sz = semi[a, 0] * ux, semi[a, 1] * uy, semi[a, 2] * uz
        h = math.sqrt(sx * sx + sy * sy + sz * sz)
        sx, sy, sz = -semi[a, 0] * sx / h, -semi[a, 1] * sy / h, -semi[a, 2] * sz / h
    # from the centre to the deepest point
    rx = turn[0] * sx + turn[1] * sy + turn[2] * sz
    ry = turn[3] * sx + turn[4] * sy + turn[5] * sz
    rz = turn[6] * sx + turn[7] * sy + turn[8] * sz
    depth = h - height
    vx, vy, vz = speed_at(motion, i, j, cx + rx, cy + ry, cz + rz)
    found[DEPTH], found[RATE] = depth, -(tx * vx + ty * vy + tz * vz)
    found[NORMAL], found[NORMAL + 1], found[NORMAL + 2] = tx, ty, tz
    if depth <= 0.0:
        return
    if not behind:
        # as a part of the depth, so that both margins are lengths
        found[MARGIN] = 2.0 * h - depth
    if edge == FADE and depth < 2.0 * h:
        _fade(surfaces, planes, motion, a, b, touch)
        cx, cy, cz = cx + touch.x[0], cy + touch.x[1], cz + touch.x[2]
    sink = 1.0 - ratio * depth / h
    x, y, z = cx + sink * rx, cy + sink * ry, cz + sink * rz
    if edge == SHARP:
        found[MARGIN] = min(found[MARGIN], _inside(planes, motion, b, x, y, z))
    found[POINT], found[POINT + 1], found[POINT + 2] = x, y, z
    vx, vy, vz = speed_at(motion, i, j, x, y, z)
    found[SPEED], found[SPEED + 1], found[SPEED + 2] = vx, vy, vz


@inner
def _inside(planes: Planes, motion: Motion, b: int, x: float, y: float, z: float) -> float:
    """Give how far a point lies inside both pairs of edges; below zero outside."""
    j, now = planes.body[b], planes.now
    x, y, z = x - now[b, 0], y - now[b, 1], z - now[b, 2]
    least = 1e300
    for n in range(2):
        d0, d1, d2 = arm_of(motion, j, planes.duals, 2 * b + n)
        s, size = d0 * x + d1 * y + d2 * z, math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        least = min(least, s / size, (1.0 - s) / size)
    return least


@inner
def _fade(
    surfaces: Surfaces, planes: Planes, motion: Motion, a: int, b: int, touch: Touch
) -> None:  # fmt: skip
    """Let the depth fade as a surface comes over the edge; `x[:3]` takes the shift of the point.

    Depth is multiplied by the depth of the surface below the centroid of the overlap of section and
    parallelogram, as a part of that below the section's own centre; so nothing changes while the
    whole section lies inside the edges.
    """
    found, x, now, turn = touch.found, touch.x, planes.now, touch.turn_a
    i, j = surfaces.body[a], planes.body[b]
    for n in range(3):
        x[n] = 0.0
        x[3 + n] = surfaces.centre[a, n] - now[b, n]
    least = 1e300
    for n in range(2):
        d0, d1, d2 = arm_of(motion, j, planes.duals, 2 * b + n)
        s, size = d0 * x[3] + d1 * x[4] + d2 * x[5], math.sqrt(d0 * d0 + d1 * d1 + d2 * d2)
        least = min(least, s / size, (1.0 - s) / size)
    if least >= surfaces.reach[a]:
        return
    for n in range(2):
        x[9 + 3 * n], x[10 + 3 * n], x[11 + 3 * n] = arm_of(motion, j, planes.edges, 2 * b + n)
    part = _part(surfaces, a, now[b, 3], now[b, 4], now[b, 5], touch)
    if part == 1.0:
        return
    depth = found[DEPTH]
    if part > 0.0:
        # the rate of the part, from a glance ahead as seen from the plane
        x0, x1, x2 = x[0], x[1], x[2]
        cx, cy, cz = surfaces.centre[a, 0], surfaces.centre[a, 1], surfaces.centre[a, 2]
        vx, vy, vz = speed_at(motion, i, j, cx, cy, cz)
        x[3], x[4], x[5] = x[3] + GLANCE * vx, x[4] + GLANCE * vy, x[5] + GLANCE * vz
        wx = wy = wz = 0.0
        if i >= 0:
            wx, wy, wz = motion.w[i, 0], motion.w[i, 1], motion.w[i, 2]
        if j >= 0:
            wx, wy, wz = wx - motion.w[j, 0], wy - motion.w[j, 1], wz - motion.w[j, 2]
        for n in range(3):
            u0, u1, u2 = turn[n], turn[3 + n], turn[6 + n]
            turn[n] += GLANCE * (wy * u2 - wz * u1)
            turn[3 + n] += GLANCE * (wz * u0 - wx * u2)
            turn[6 + n] += GLANCE * (wx * u1 - wy * u0)
        ahead = _part(surfaces, a, now[b, 3], now[b, 4], now[b, 5], touch)
        found[RATE] = part * found[RATE] + depth * (ahead - part) / GLANCE
        x[0], x[1], x[2] = x0, x1, x2
    found[DEPTH] = part * depth if part > 0.0 else part


@inner
def _part(surfaces: Surfaces, a: int, tx: float, ty: float, tz: float, touch: Touch) -> float:
    """Give the part of the depth that is left over an edge; below zero where nothing overlaps.

    `x[3:6]` is the centre from the plane's corner, `x[9:15]` the edges; `x[:3]` takes the shift of
    the section's centroid.
    """
    x, turn, semi, corner = touch.x, touch.turn_a, surfaces.semi, touch.corner
    ux = turn[0] * tx + turn[3] * ty + turn[6] * tz
    uy = turn[1] * tx + turn[4] * ty + turn[7] * tz
    uz = turn[2] * tx + turn[5] * ty + turn[8] * tz
    ia, ib, ic = 1.0 / semi[a, 0] ** 2, 1.0 / semi[a, 1] ** 2, 1.0 / semi[a, 2] ** 2
    h = math.sqrt(ux * ux / ia + uy * uy / ib + uz * uz / ic)
    if surfaces.is_hyper[a]:
        # at edges it counts as the ellipsoid of its shape that reaches as deep
        reach, _, _, _ = deepest(semi, surfaces.power, a, ux, uy, uz)
        scale = (h / reach) ** 2
        h, ia, ib, ic = reach, scale * ia, scale * ib, scale * ic
    sink = (tx * x[3] + ty * x[4] + tz * x[5]) / h
    k = math.sqrt(max(1.0 - sink * sink, 1e-12))
    # the section's centre from the surface's, along its own axes
    f = -sink / h
    qx, qy, qz = f * ux / ia, f * uy / ib, f * uz / ic
    # two directions in the plane, and the surface's matrix along them
    e0, e1, e2 = x[9], x[10], x[11]
    size = math.sqrt(e0 * e0 + e1 * e1 + e2 * e2)
    e0, e1, e2 = e0 / size, e1 / size, e2 / size
    g0, g1, g2 = ty * e2 - tz * e1, tz * e0 - tx * e2, tx * e1 - ty * e0
    ex = turn[0] * e0 + turn[3] * e1 + turn[6] * e2
    ey = turn[1] * e0 + turn[4] * e1 + turn[7] * e2
    ez = turn[2] * e0 + turn[5] * e1 + turn[8] * e2
    gx = turn[0] * g0 + turn[3] * g1 + turn[6] * g2
    gy = turn[1] * g0 + turn[4] * g1 + turn[7] * g2
    gz = turn[2] * g0 + turn[5] * g1 + turn[8] * g2
    l11 = math.sqrt(ex * ex * ia + ey * ey * ib + ez * ez * ic)
    l21 = (ex * gx * ia + ey * gy * ib + ez * gz * ic) / l11
    l22 = math.sqrt(gx * gx * ia + gy * gy * ib + gz * gz * ic - l21 * l21)
    # the corners as seen from the section's centre, where the section is a unit disk
    p0 = -(x[3] + turn[0] * qx + turn[1] * qy + turn[2] * qz)
    p1 = -(x[4] + turn[3] * qx + turn[4] * qy + turn[5] * qz)
    p2 = -(x[5] + turn[6] * qx + turn[7] * qy + turn[8] * qz)
    for n in range(4):
        # round: none, first, both, second edge
        one, two = (1.0 if n in (1, 2) else 0.0), (1.0 if n >= 2 else 0.0)
        c0 = p0 + one * x[9] + two * x[12]
        c1 = p1 + one * x[10] + two * x[13]
        c2 = p2 + one * x[11] + two * x[14]
        z1, z2 = e0 * c0 + e1 * c1 + e2 * c2, g0 * c0 + g1 * c1 + g2 * c2
        corner[n, 0], corner[n, 1] = (l11 * z1 + l21 * z2) / k, l22 * z2 / k
    over = touch.overlap
    disk_in_quadrangle(corner, over)
    x[0] = x[1] = x[2] = 0.0
    if over[3] <= -1.0:
        return 1.0
    if over[3] >= 1.0 or over[0] < 1e-12:
        return float(-max(over[3] - 1.0, 1e-9) * k * min(semi[a, 0], semi[a, 1], semi[a, 2]))
    z2 = k * over[2] / l22
    z1 = (k * over[1] - l21 * z2) / l11
    whole = _below(ux, uy, uz, qx, qy, qz, ia, ib, ic)
    qx, qy, qz = qx + ex * z1 + gx * z2, qy + ey * z1 + gy * z2, qz + ez * z1 + gz * z2
    x[0], x[1], x[2] = e0 * z1 + g0 * z2, e1 * z1 + g1 * z2, e2 * z1 + g2 * z2
    return _below(ux, uy, uz, qx, qy, qz, ia, ib, ic) / whole


@inlined
def _below(
    ux: float, uy: float, uz: float, qx: float, qy: float, qz: float, ia: float, ib: float, ic: float
) -> float:  # fmt: skip
    """Give the depth of an ellipsoid's surface below a point inside, along a direction."""
    tt = ux * ux * ia + uy * uy * ib + uz * uz * ic
    tq = ux * qx * ia + uy * qy * ib + uz * qz * ic
    qq = qx * qx * ia + qy * qy * ib + qz * qz * ic
    return (tq + math.sqrt(max(tq * tq - tt * (qq - 1.0), 0.0))) / tt


@inlined
def _solve(
    xx: float, yy: float, zz: float, xy: float, xz: float, yz: float, mx: float, my: float, mz: float
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Solve a symmetric system of three; give the solution, determinant and second minor too."""
    c0, c1, c2 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    det = xx * c0 + xy * c1 + xz * c2
    c3, c4, c5 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    return (
        (c0 * mx + c1 * my + c2 * mz) / det,
        (c1 * mx + c3 * my + c4 * mz) / det,
        (c2 * mx + c4 * my + c5 * mz) / det,
        det,
        c5,
    )


@inlined
def _form(Q: Array, x: float, y: float, z: float, u: float, v: float, w: float) -> float:
    """Give (x, y, z) . Q (u, v, w)."""
    return float(
        x * (Q[0] * u + Q[3] * v + Q[4] * w)
        + y * (Q[3] * u + Q[1] * v + Q[5] * w)
        + z * (Q[4] * u + Q[5] * v + Q[2] * w)
    )


@kernel
def common_normal(
    P: Array, Q: Array, mx: float, my: float, mz: float, start: float
) -> tuple[float, float, float, float]:
    """Scale two ellipsoids until they touch from outside: the normal there, and a warm start.

    With `S = (1 - s) P + s Q` and `S x = m`, the point is `(1 - s) P x` from the first centre and
    `s Q x` from the second; both factors `(1 - s)^2 x.Px` and `s^2 x.Qx` are equal at one s between
    0 and 1. Their ratio's logarithm falls steadily with `u = log(s / (1 - s))`, for spheres along a
    straight line, so that Newton's method inside a bracket always ends.
    """
    low, high, u = -50.0, 50.0, start
    x = y = z = s = pp = 0.0
    for _ in range(100):
        s = 1.0 / (1.0 + math.exp(-u))
        r = 1.0 - s if u < 0.0 else math.exp(-u) * s
        x, y, z, _, _ = _solve(
            r * P[0] + s * Q[0], r * P[1] + s * Q[1], r * P[2] + s * Q[2],
            r * P[3] + s * Q[3], r * P[4] + s * Q[4], r * P[5] + s * Q[5], mx, my, mz,
        )  # fmt: skip
        pp, qq = _form(P, x, y, z, x, y, z), _form(Q, x, y, z, x, y, z)
        off = 2.0 * (math.log(r / s)) + math.log(pp / qq)
        if abs(off) < 1e-13:
            break
        if off > 0.0:
            low = u
        else:
            high = u
        # S x' = -(Q - P) x, for a change of s
        ax = Q[0] * x + Q[3] * y + Q[4] * z - (P[0] * x + P[3] * y + P[4] * z)
        ay = Q[3] * x + Q[1] * y + Q[5] * z - (P[3] * x + P[1] * y + P[5] * z)
        az = Q[4] * x + Q[5] * y + Q[2] * z - (P[4] * x + P[5] * y + P[2] * z)
        dx, dy, dz, _, _ = _solve(
            r * P[0] + s * Q[0], r * P[1] + s * Q[1], r * P[2] + s * Q[2],
            r * P[3] + s * Q[3], r * P[4] + s * Q[4], r * P[5] + s * Q[5], -ax, -ay, -az,
        )  # fmt: skip
        slope = 2.0 * (_form(P, x, y, z, dx, dy, dz) / pp - _form(Q, x, y, z, dx, dy, dz) / qq)
        slope = -2.0 + slope * r * s
        step = -off / slope if slope < 0.0 else 1e300
        after = u + step
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - u) < 1e-15 * (1.0 + abs(u)):
            break
        u = after
    n = math.sqrt(x * x + y * y + z * z)
    return x / n, y / n, z / n, u


@inlined
def _farthest(
    turn: Array, semi: Array, k: int, nx: float, ny: float, nz: float
) -> tuple[float, float, float, float]:
    """Give the support of an ellipsoid along a direction, and the point there from its centre."""
    x = semi[k, 0] * (turn[0] * nx + turn[3] * ny + turn[6] * nz)
    y = semi[k, 1] * (turn[1] * nx + turn[4] * ny + turn[7] * nz)
    z = semi[k, 2] * (turn[2] * nx + turn[5] * ny + turn[8] * nz)
    h = math.sqrt(x * x + y * y + z * z)
    x, y, z = semi[k, 0] * x / h, semi[k, 1] * y / h, semi[k, 2] * z / h
    return (
        h,
        turn[0] * x + turn[1] * y + turn[2] * z,
        turn[3] * x + turn[4] * y + turn[5] * z,
        turn[6] * x + turn[7] * y + turn[8] * z,
    )


@kernel
def opposite_scale(
    P: Array, Q: Array, mx: float, my: float, mz: float, last: Array, k: int
) -> tuple[float, float, float, float]:
    """Scale one ellipsoid inside another until it touches, the outer by the inverse: factor, and y.

    With `(Q - c P) y = -m` the point is `c P y` from the inner centre and `Q y` from the outer; the
    product of both factors grows steadily with c from 0 until `Q - c P` is singular. Where it stays
    below 1 even there, both sides of the inner one touch alike, and the side of `last` is taken.
    """
    low, high = 0.0, min(Q[0] / P[0], Q[1] / P[1], Q[2] / P[2])
    c, x, y, z, pp, qq = 0.5 * high, 0.0, 0.0, 0.0, 0.0, 0.0
    for _ in range(200):
        x, y, z, det, minor = _solve(
            Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
            Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], -mx, -my, -mz,
        )  # fmt: skip
        positive = det > 0.0 and minor > 0.0 and Q[0] - c * P[0] > 0.0
        after = -1.0
        if positive:
            pp, qq = _form(P, x, y, z, x, y, z), _form(Q, x, y, z, x, y, z)
            size = c * math.sqrt(pp * qq)
            if abs(size - 1.0) < 1e-14:
                break
            if size < 1.0:
                low = c
            else:
                high = c
            ax = P[0] * x + P[3] * y + P[4] * z
            ay = P[3] * x + P[1] * y + P[5] * z
            az = P[4] * x + P[5] * y + P[2] * z
            dx, dy, dz, _, _ = _solve(
                Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
                Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], ax, ay, az,
            )  # fmt: skip
            if size > 0.0:
                # Newton for size^(-1/2) = 1, which falls almost along a straight line
                slope = 1.0 / c + (ax * dx + ay * dy + az * dz) / pp
                slope += _form(Q, x, y, z, dx, dy, dz) / qq
                after = c + 2.0 * (1.0 - math.sqrt(size)) / slope
        else:
            high = c
        if not low < after < high:
            after = 0.5 * (low + high)
        if high - low < 1e-15 * high or after == c:
            break
        c = after
    if not c * math.sqrt(pp * qq) > 1.0 - 1e-9:
        x, y, z = _both_sides(P, Q, low, mx, my, mz, last, k)
        pp = _form(P, x, y, z, x, y, z)
        c = low
    return c * math.sqrt(pp), x, y, z


@inner
def _both_sides(
    P: Array, Q: Array, c: float, mx: float, my: float, mz: float, last: Array, k: int
) -> tuple[float, float, float]:
    """Give y where the inner ellipsoid touches on two sides alike, on that of the last normal."""
    c *= 1.0 - 1e-12
    x0, y0, z0, _, _ = _solve(
        Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
        Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], -mx, -my, -mz,
    )  # fmt: skip
    # no start of the iteration may lie across what it looks for
    x, y, z = last[k, 0] + 6e-4, last[k, 1] + 4.8e-4, last[k, 2] + 6.4e-4
    # the direction that is singular, by inverse iteration
    for _ in range(4):
        u, v, w, _, _ = _solve(
            Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
            Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], x, y, z,
        )  # fmt: skip
        size = math.sqrt(u * u + v * v + w * w)
        x, y, z = u / size, v / size, w / size
    low, high = (
        0.0,
        1.0 / math.sqrt(c * math.sqrt(_form(P, x, y, z, x, y, z) * _form(Q, x, y, z, x, y, z))),
    )
    for _ in range(60):
        f = 0.5 * (low + high)
        u, v, w = x0 + f * x, y0 + f * y, z0 + f * z
        if c * math.sqrt(_form(P, u, v, w, u, v, w) * _form(Q, u, v, w, u, v, w)) < 1.0:
            low = f
        else:
            high = f
    return x0 + low * x, y0 + low * y, z0 + low * z


@inner
def touch_pair(
    surfaces: Surfaces, motion: Motion, a: int, b: int, inside: bool, warm: Array, k: int,
    touch: Touch,
) -> None:  # fmt: skip
    """Find how surface a touches surface b from outside, or from inside; `warm` starts the search."""
    found, centre, semi = touch.found, surfaces.centre, surfaces.semi
    i, j = surfaces.body[a], surfaces.body[b]
    mx, my = centre[b, 0] - centre[a, 0], centre[b, 1] - centre[a, 1]
    mz = centre[b, 2] - centre[a, 2]
    apart = math.sqrt(mx * mx + my * my + mz * mz)
    found[MARGIN], found[RATE] = 1.0, 0.0
    if inside:
        least = min(semi[b, 0], semi[b, 1], semi[b, 2])
        found[DEPTH] = apart + surfaces.reach[a] - least
    else:
        found[DEPTH] = surfaces.reach[a] + surfaces.reach[b] - apart
    if found[DEPTH] < 0.0:
        return
    turn_of(motion, i, surfaces.R, a, touch.turn_a)
    turn_of(motion, j, surfaces.R, b, touch.turn_b)
    x = touch.x
    size = 1e-9 * (surfaces.reach[a] + surfaces.reach[b])
    if apart < size:
        # one centre in the other: as if a little apart along the last normal
        if warm[k, 0] == 0.0 and warm[k, 1] == 0.0 and warm[k, 2] == 0.0:
            warm[k, 2] = 1.0
        mx, my, mz, apart = size * warm[k, 0], size * warm[k, 1], size * warm[k, 2], size
    if inside:
        squared(touch.turn_a, semi, a, touch.Q_a)
        squared(touch.turn_b, semi, b, touch.Q_b)
        _touch_inside(motion, i, j, centre, a, mx, my, mz, warm, k, touch)
        _rate_inside(surfaces, motion, a, b, mx, my, mz, warm, k, touch)
    elif surfaces.is_hyper[a] or surfaces.is_hyper[b]:
        # clearly apart along the normal of before: nothing to look for
        gap = apart_along(
            surfaces,
            a,
            b,
            touch.turn_a,
            touch.turn_b,
            warm[k, 0],
            warm[k, 1],
            warm[k, 2],
            mx,
            my,
            mz,
        )
        if gap > CLEAR * apart:
            found[DEPTH] = -gap
            return
        touch_scaled(
            surfaces, a, b, mx, my, mz, touch.turn_a, touch.turn_b, warm[k, 0], warm[k, 1], warm[k, 2],
            touch.triangle, x,
        )  # fmt: skip
        warm[k, 0], warm[k, 1], warm[k, 2] = x[1], x[2], x[3]
        _touch_outside(surfaces, motion, a, b, mx, my, mz, apart, touch)
    else:
        squared(touch.turn_a, semi, a, touch.Q_a)
        squared(touch.turn_b, semi, b, touch.Q_b)
        nx, ny, nz, warm[k, 3] = common_normal(touch.Q_a, touch.Q_b, mx, my, mz, warm[k, 3])
        h_a, x[5], x[6], x[7] = _farthest(touch.turn_a, semi, a, nx, ny, nz)
        h_b, _, _, _ = _farthest(touch.turn_b, semi, b, nx, ny, nz)
        x[1], x[2], x[3], x[4] = nx, ny, nz, h_a + h_b
        # stationary about the normal, so that its error hardly counts
        x[0] = (nx * mx + ny * my + nz * mz) / x[4]
        warm[k, 0], warm[k, 1], warm[k, 2] = nx, ny, nz
        _touch_outside(surfaces, motion, a, b, mx, my, mz, apart, touch)


@inner
def _touch_outside(
    surfaces: Surfaces, motion: Motion, a: int, b: int, mx: float, my: float, mz: float,
    apart: float, touch: Touch,
) -> None:  # fmt: skip
    """Fill in a touch from outside (7.2.2).

    `x` holds the factor, the normal from a to b, the sum of both supports along it, and the point of
    a that touches, from its centre and unscaled.
    """
    found, x, centre = touch.found, touch.x, surfaces.centre
    i, j = surfaces.body[a], surfaces.body[b]
    e, nx, ny, nz = x[0], x[1], x[2], x[3]
    found[DEPTH] = (1.0 / e - 1.0) * apart
    found[NORMAL], found[NORMAL + 1], found[NORMAL + 2] = -nx, -ny, -nz
    px, py, pz = centre[a, 0] + e * x[5], centre[a, 1] + e * x[6], centre[a, 2] + e * x[7]
    found[POINT], found[POINT + 1], found[POINT + 2] = px, py, pz
    vx, vy, vz = speed_at(motion, i, j, px, py, pz)
    found[SPEED], found[SPEED + 1], found[SPEED + 2] = vx, vy, vz
    # the factor's rate, and the rate of the distance of the centres
    rate = -(nx * vx + ny * vy + nz * vz) / x[4]
    ux, uy, uz = speed_at(motion, j, -1, centre[b, 0], centre[b, 1], centre[b, 2])
    vx, vy, vz = speed_at(motion, i, -1, centre[a, 0], centre[a, 1], centre[a, 2])
    away = (mx * (ux - vx) + my * (uy - vy) + mz * (uz - vz)) / apart
    found[RATE] = -rate * apart / (e * e) + (1.0 / e - 1.0) * away


@inner
def _touch_inside(
    motion: Motion, i: int, j: int, centre: Array, a: int, mx: float, my: float, mz: float,
    warm: Array, k: int, touch: Touch,
) -> None:  # fmt: skip
    """Fill in a touch from inside (7.2.2); below zero while the inner one does not reach the wall."""
    found, P, Q = touch.found, touch.Q_a, touch.Q_b
    e, x, y, z = opposite_scale(P, Q, mx, my, mz, warm, k)
    size = math.sqrt(x * x + y * y + z * z)
    nx, ny, nz = x / size, y / size, z / size
    warm[k, 0], warm[k, 1], warm[k, 2] = nx, ny, nz
    # the point from the inner centre, along the inner one's support
    h = math.sqrt(_form(P, nx, ny, nz, nx, ny, nz))
    px = e * (P[0] * nx + P[3] * ny + P[4] * nz) / h
    py = e * (P[3] * nx + P[1] * ny + P[5] * nz) / h
    pz = e * (P[4] * nx + P[5] * ny + P[2] * nz) / h
    f = 1.0 / e - e
    dx, dy, dz = f * px - (1.0 - e) * mx, f * py - (1.0 - e) * my, f * pz - (1.0 - e) * mz
    depth = math.sqrt(dx * dx + dy * dy + dz * dz)
    found[DEPTH] = depth if e < 1.0 else -depth
    found[NORMAL], found[NORMAL + 1], found[NORMAL + 2] = -nx, -ny, -nz
    px, py, pz = centre[a, 0] + px, centre[a, 1] + py, centre[a, 2] + pz
    found[POINT], found[POINT + 1], found[POINT + 2] = px, py, pz
    vx, vy, vz = speed_at(motion, i, j, px, py, pz)
    found[SPEED], found[SPEED + 1], found[SPEED + 2] = vx, vy, vz


@inner
def _rate_inside(
    surfaces: Surfaces, motion: Motion, a: int, b: int, mx: float, my: float, mz: float,
    warm: Array, k: int, touch: Touch,
) -> None:  # fmt: skip
    """Give the rate of the depth inside, by a glance ahead."""
    found, centre, x = touch.found, surfaces.centre, touch.x
    i, j = surfaces.body[a], surfaces.body[b]
    x[0] = found[DEPTH]
    for n in range(9):
        x[1 + n] = found[NORMAL + n]
    x[10], x[11], x[12] = warm[k, 0], warm[k, 1], warm[k, 2]
    ux, uy, uz = speed_at(motion, j, -1, centre[b, 0], centre[b, 1], centre[b, 2])
    vx, vy, vz = speed_at(motion, i, -1, centre[a, 0], centre[a, 1], centre[a, 2])
    _turn_on(motion, i, touch.turn_a)
    _turn_on(motion, j, touch.turn_b)
    squared(touch.turn_a, surfaces.semi, a, touch.Q_a)
    squared(touch.turn_b, surfaces.semi, b, touch.Q_b)
    _touch_inside(
        motion, i, j, centre, a, mx + GLANCE * (ux - vx), my + GLANCE * (uy - vy),
        mz + GLANCE * (uz - vz), warm, k, touch,
    )  # fmt: skip
    found[RATE] = (found[DEPTH] - x[0]) / GLANCE
    found[DEPTH] = x[0]
    for n in range(9):
        found[NORMAL + n] = x[1 + n]
    for n in range(3):
        warm[k, n] = x[10 + n]


@inner
def _turn_on(motion: Motion, i: int, turn: Array) -> None:
    """Turn a frame on with its body by a glance's time."""
    if i < 0:
        return
    wx, wy, wz = GLANCE * motion.w[i, 0], GLANCE * motion.w[i, 1], GLANCE * motion.w[i, 2]
    for n in range(3):
        u0, u1, u2 = turn[n], turn[3 + n], turn[6 + n]
        turn[n] += wy * u2 - wz * u1
        turn[3 + n] += wz * u0 - wx * u2
        turn[6 + n] += wx * u1 - wy * u0
