"""What the edges of a plane leave of a contact (section 7.1)."""

from __future__ import annotations

import math

from solver.dynamics.tree import Motion
from solver.forces.hyper import rounded
from solver.forces.overlap import disk_in_quadrangle
from solver.forces.points import arm_of, speed_at
from solver.forces.surfaces import Planes, Surfaces
from solver.forces.touch import DEPTH, GLANCE, RATE, Touch
from solver.maths.kernels import inner
from solver.maths.vectors import along_axes, dot

FADE, SHARP, NO_EDGES = range(3)
"""What happens at the edges of a plane."""

JUMP = 1e4
"""Rate of fading (m/s) that no motion has."""


@inner
def inside_edges(planes: Planes, motion: Motion, b: int, x: float, y: float, z: float) -> float:
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
def fade(
    surfaces: Surfaces, planes: Planes, motion: Motion, a: int, b: int, touch: Touch
) -> None:  # fmt: skip
    """Let the depth fade as a surface comes over the edge; `x[:3]` takes the shift of the point.

    Depth is multiplied by how far the centroid of the overlap of section and parallelogram lies inside
    the section's rim: 1 less the square of its distance from the section's centre, in parts of the way
    to the rim. For a shallow section that is the surface's depth below that point, in parts of the
    whole. It begins at zero, and grows as the way over the edge does, however deep the body is.
    """
    found, x, now, turn = touch.found, touch.x, planes.now, touch.turn_a
    i, j = surfaces.body[a], planes.body[b]
    for n in range(3):
        x[n] = 0.0
        x[3 + n] = surfaces.centre[a, n] - now[b, n]
    cx, cy, cz = surfaces.centre[a, 0], surfaces.centre[a, 1], surfaces.centre[a, 2]
    if inside_edges(planes, motion, b, cx, cy, cz) >= surfaces.reach[a]:
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
        fades = depth * (ahead - part) / GLANCE
        # where the section vanishes behind the plane the part jumps, which is no rate
        found[RATE] = part * found[RATE] + (fades if abs(fades) < JUMP else 0.0)
        x[0], x[1], x[2] = x0, x1, x2
    found[DEPTH] = part * depth if part > 0.0 else part


@inner
def _part(surfaces: Surfaces, a: int, tx: float, ty: float, tz: float, touch: Touch) -> float:
    """Give the part of the depth that is left over an edge; below zero where nothing overlaps.

    `x[3:6]` is the centre from the plane's corner, `x[9:15]` the edges; `x[:3]` takes the shift of
    the section's centroid.
    """
    x, turn, semi, corner = touch.x, touch.turn_a, surfaces.semi, touch.corner
    ux, uy, uz = along_axes(turn, (tx, ty, tz))
    ia, ib, ic = 1.0 / semi[a, 0] ** 2, 1.0 / semi[a, 1] ** 2, 1.0 / semi[a, 2] ** 2
    h = math.sqrt(ux * ux / ia + uy * uy / ib + uz * uz / ic)
    if surfaces.is_hyper[a]:
        # at edges it counts as the ellipsoid of its shape that reaches as deep
        reach = dot((ux, uy, uz), rounded(semi, surfaces.power, a, (ux, uy, uz)))
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
    ex, ey, ez = along_axes(turn, (e0, e1, e2))
    gx, gy, gz = along_axes(turn, (g0, g1, g2))
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
    if over[3] >= 1.0 or not over[0] > 0.0:
        return float(-max(over[3] - 1.0, 1e-9) * k * min(semi[a, 0], semi[a, 1], semi[a, 2]))
    z2 = k * over[2] / l22
    z1 = (k * over[1] - l21 * z2) / l11
    x[0], x[1], x[2] = e0 * z1 + g0 * z2, e1 * z1 + g1 * z2, e2 * z1 + g2 * z2
    return float(over[4])
