"""How deep surfaces are in planes and in each other, where, and how fast (sections 7.1, 7.2).

Plane and body touch at the deepest point; bodies are scaled about their centres by a common factor
until they touch in a single point (7.2.1), which is where the normal is taken and the force acts.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array, Motion
from solver.forces.edges import FADE, SHARP, fade, inside_edges
from solver.forces.ellipsoids import shape_of, times
from solver.forces.hyper import apart_along, support, touch_scaled
from solver.forces.meeting import keep_meeting, meet
from solver.forces.normals import LENGTH, go_along_normal
from solver.forces.points import speed_at
from solver.forces.scaling import common_scale, opposite_scale
from solver.forces.surfaces import Planes, Surfaces, turn_of
from solver.forces.touch import BACK, DEPTH, GLANCE, MARGIN, NORMAL, POINT, RATE, SPEED, Touch
from solver.maths.kernels import inner
from solver.maths.vectors import Three, dot, plus

CLEAR = 1e-3
"""Gap, in parts of the distance of the centres, beyond which surfaces are not looked at further."""


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
    found[MARGIN] = found[BACK] = 1.0
    if height > surfaces.reach[a]:
        found[DEPTH] = surfaces.reach[a] - height
        found[RATE] = 0.0
        return
    turn_of(motion, i, surfaces.R, a, turn)
    # from the centre to the deepest point
    rx, ry, rz = support(surfaces, a, turn, -tx, -ty, -tz)
    h = -(tx * rx + ty * ry + tz * rz)
    depth = h - height
    vx, vy, vz = speed_at(motion, i, j, cx + rx, cy + ry, cz + rz)
    found[DEPTH], found[RATE] = depth, -(tx * vx + ty * vy + tz * vz)
    found[NORMAL], found[NORMAL + 1], found[NORMAL + 2] = tx, ty, tz
    if depth <= 0.0:
        return
    if not behind:
        # as a part of the depth, so that both margins are lengths
        found[MARGIN] = found[BACK] = 2.0 * h - depth
    if edge == FADE and depth < 2.0 * h:
        fade(surfaces, planes, motion, a, b, touch)
        cx, cy, cz = cx + touch.x[0], cy + touch.x[1], cz + touch.x[2]
    sink = 1.0 - ratio * depth / h
    x, y, z = cx + sink * rx, cy + sink * ry, cz + sink * rz
    if edge == SHARP:
        found[MARGIN] = min(found[MARGIN], inside_edges(planes, motion, b, x, y, z))
    found[POINT], found[POINT + 1], found[POINT + 2] = x, y, z
    vx, vy, vz = speed_at(motion, i, j, x, y, z)
    found[SPEED], found[SPEED + 1], found[SPEED + 2] = vx, vy, vz


@inner
def touch_pair(
    surfaces: Surfaces, motion: Motion, a: int, b: int, inside: bool, along: bool, warm: Array,
    k: int, touch: Touch,
) -> None:  # fmt: skip
    """Find how surface a touches surface b from outside, or from inside; `warm` starts the search.

    `along` measures depth along the common normal instead of the line of centres.
    """
    found, centre, semi = touch.found, surfaces.centre, surfaces.semi
    i, j = surfaces.body[a], surfaces.body[b]
    mx, my = centre[b, 0] - centre[a, 0], centre[b, 1] - centre[a, 1]
    mz = centre[b, 2] - centre[a, 2]
    apart = math.sqrt(mx * mx + my * my + mz * mz)
    found[MARGIN], found[BACK], found[RATE] = 1.0, 1.0, 0.0
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
        _touch_inside(surfaces, motion, a, b, (mx, my, mz), warm, k, touch)
        _rate_inside(surfaces, motion, a, b, mx, my, mz, warm, k, touch)
        return
    is_hyper = surfaces.is_hyper[a] or surfaces.is_hyper[b]
    has_met = is_hyper and meet(
        surfaces, a, b, mx, my, mz, touch.turn_a, touch.turn_b, warm, k, touch.triangle, x
    )
    if not has_met:
        # clearly apart along the normal of before: nothing to look for
        gap = apart_along(
            surfaces, a, b, touch.turn_a, touch.turn_b, warm[k, 0], warm[k, 1], warm[k, 2],
            mx, my, mz,
        )  # fmt: skip
        if gap > CLEAR * apart:
            found[DEPTH], warm[k, LENGTH] = -gap, 0.0
            return
    if is_hyper and not has_met:
        touch_scaled(
            surfaces, a, b, mx, my, mz, touch.turn_a, touch.turn_b, warm[k, 0], warm[k, 1],
            warm[k, 2], touch.triangle, x,
        )  # fmt: skip
        keep_meeting(touch.turn_a, x, warm, k)
    elif not is_hyper and not along:
        _scale(surfaces, a, b, (mx, my, mz), warm, k, touch)
    if is_hyper or not along:
        warm[k, 0], warm[k, 1], warm[k, 2] = x[1], x[2], x[3]
        _touch_outside(surfaces, motion, a, b, mx, my, mz, apart, touch)
        if found[DEPTH] <= 0.0:
            warm[k, LENGTH] = 0.0
            return
    if along:
        _touch_along(surfaces, motion, a, b, mx, my, mz, warm, k, touch)


@inner
def _scale(surfaces: Surfaces, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch) -> None:
    """Scale two ellipsoids until they touch; the room's `x` takes what `touch_scaled` gives."""
    x, ta, tb = touch.x, touch.turn_a, touch.turn_b
    P, Q = shape_of(ta, surfaces.semi, a), shape_of(tb, surfaces.semi, b)
    n, warm[k, 3] = common_scale(P, Q, m, warm[k, 3])
    size = math.sqrt(dot(n, n))
    n = (n[0] / size, n[1] / size, n[2] / size)
    at_a = support(surfaces, a, ta, n[0], n[1], n[2])
    at_b = support(surfaces, b, tb, n[0], n[1], n[2])
    for c in range(3):
        x[1 + c], x[5 + c] = n[c], at_a[c]
    x[4] = dot(n, at_a) + dot(n, at_b)
    # stationary about the normal, so that its error hardly counts
    x[0] = dot(n, m) / x[4]


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
def _touch_along(
    surfaces: Surfaces, motion: Motion, a: int, b: int, mx: float, my: float, mz: float, warm: Array,
    k: int, touch: Touch,
) -> None:  # fmt: skip
    """Measure a touch from outside along the common normal; it acts midway between the deepest points."""
    found, x, centre = touch.found, touch.x, surfaces.centre
    depth = go_along_normal(surfaces, a, b, mx, my, mz, warm, k, touch)
    found[DEPTH], found[RATE] = depth, 0.0
    for n in range(3):
        found[NORMAL + n] = -x[1 + n]
        found[POINT + n] = centre[a, n] + x[5 + n] - 0.5 * depth * x[1 + n]
    vx, vy, vz = speed_at(
        motion, surfaces.body[a], surfaces.body[b], found[POINT], found[POINT + 1], found[POINT + 2]
    )
    found[SPEED], found[SPEED + 1], found[SPEED + 2] = vx, vy, vz
    found[RATE] = x[1] * vx + x[2] * vy + x[3] * vz


@inner
def _touch_inside(
    surfaces: Surfaces, motion: Motion, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> None:
    """Fill in a touch from inside (7.2.2); below zero while the inner one does not reach the wall."""
    found, centre = touch.found, surfaces.centre
    P, Q = shape_of(touch.turn_a, surfaces.semi, a), shape_of(touch.turn_b, surfaces.semi, b)
    e, y = opposite_scale(P, Q, m, warm, k)
    size = math.sqrt(dot(y, y))
    nx, ny, nz = y[0] / size, y[1] / size, y[2] / size
    warm[k, 0], warm[k, 1], warm[k, 2] = nx, ny, nz
    # the point from the inner centre, along the inner one's support
    px, py, pz = times(P, nx, ny, nz)
    h = math.sqrt(px * nx + py * ny + pz * nz)
    px, py, pz = e * px / h, e * py / h, e * pz / h
    f = 1.0 / e - e
    d = plus((f * px, f * py, f * pz), e - 1.0, m)
    depth = math.sqrt(dot(d, d))
    found[DEPTH] = depth if e < 1.0 else -depth
    found[NORMAL], found[NORMAL + 1], found[NORMAL + 2] = -nx, -ny, -nz
    px, py, pz = centre[a, 0] + px, centre[a, 1] + py, centre[a, 2] + pz
    found[POINT], found[POINT + 1], found[POINT + 2] = px, py, pz
    vx, vy, vz = speed_at(motion, surfaces.body[a], surfaces.body[b], px, py, pz)
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
    m = (mx + GLANCE * (ux - vx), my + GLANCE * (uy - vy), mz + GLANCE * (uz - vz))
    _touch_inside(surfaces, motion, a, b, m, warm, k, touch)
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
