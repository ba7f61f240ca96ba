"""Wind on surfaces, where they reach behind a plane, shielded by others (the later program's cards).

The wind is a pressure along a direction; the area that it meets is that of the surface's outline.
`whole` takes the part of it behind the plane from the outline's support (section 4 of the later
program); `outline` sums over rays, and so knows what stands before the surface. A ray counts in full
once it is clear of edges and shields by a ray's width and less on the way there, so that the force
does not jump.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.points import add_force
from solver.forces.surfaces import Planes, Surfaces, turn_of
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.curve import Curves, curve_at
from solver.maths.kernels import inner, kernel
from solver.maths.vectors import along_axes, to_ground

RINGS, SPOKES = 10, 30
"""Rays over an outline: rings of equal area, and rays in each."""

PRESSURE, SPEED = range(2)
WHOLE, OUTLINE = range(2)

NOT_YET = -1.0
"""Beginning of a target's clock before it has met the plane."""


@bundle
class Winds(NamedTuple):
    """Hold targets: surface, plane (-1 everywhere), body of the axes, kind, method, and their wind.

    `curve` holds pressures along three axes and drag, `air` the air's velocity and density. `shield`
    lists surfaces, of which `shields` gives first and end for each target. `began` is the time at
    which a target met the plane; `seen` the force of each wind, `wind` which one a target is in.
    """

    surface: IntArray
    plane: IntArray
    axes: IntArray
    kind: IntArray
    method: IntArray
    curve: IntArray
    air: Array
    shields: IntArray
    shield: IntArray
    wind: IntArray
    began: Array
    seen: Array
    turn: Array
    other: Array
    sums: Array


def make_workspace() -> tuple[Array, Array, Array]:
    """Make room for two turns and for sums."""
    return np.zeros(9), np.zeros(9), np.zeros(8)


@inner
def _pressure(
    winds: Winds, surfaces: Surfaces, curves: Curves, motion: Motion, k: int, age: float
) -> tuple[float, float, float]:
    """Give the wind's pressure, ground axes."""
    drag = curve_at(curves, winds.curve[k, 3], age)[0]
    if winds.kind[k] == PRESSURE:
        x, y, z = (
            drag * curve_at(curves, winds.curve[k, 0], age)[0],
            drag * curve_at(curves, winds.curve[k, 1], age)[0],
            drag * curve_at(curves, winds.curve[k, 2], age)[0],
        )
    else:
        x, y, z = winds.air[k, 0], winds.air[k, 1], winds.air[k, 2]
    i = winds.axes[k]
    if i >= 0:
        R = motion.R
        x, y, z = (
            R[i, 0] * x + R[i, 1] * y + R[i, 2] * z,
            R[i, 3] * x + R[i, 4] * y + R[i, 5] * z,
            R[i, 6] * x + R[i, 7] * y + R[i, 8] * z,
        )
    if winds.kind[k] == PRESSURE:
        return x, y, z
    s = winds.surface[k]
    m = surfaces.body[s]
    if m >= 0:
        p, v, w = motion.p, motion.v, motion.w
        ax, ay = surfaces.centre[s, 0] - p[m, 0], surfaces.centre[s, 1] - p[m, 1]
        az = surfaces.centre[s, 2] - p[m, 2]
        x -= v[m, 0] + w[m, 1] * az - w[m, 2] * ay
        y -= v[m, 1] + w[m, 2] * ax - w[m, 0] * az
        z -= v[m, 2] + w[m, 0] * ay - w[m, 1] * ax
    f = 0.5 * winds.air[k, 3] * drag * math.sqrt(x * x + y * y + z * z)
    return f * x, f * y, f * z


@alone
@kernel
def wind_forces(
    winds: Winds, surfaces: Surfaces, planes: Planes, curves: Curves, motion: Motion, t: float,
    torque: Array, force: Array, g: Array, first: int,
) -> float:  # fmt: skip
    """Add the forces of all winds, give the functions of their events, and their power."""
    power = 0.0
    for w in range(winds.seen.shape[0]):
        winds.seen[w, 0] = winds.seen[w, 1] = winds.seen[w, 2] = 0.0
    for k in range(len(winds.surface)):
        s, b = winds.surface[k], winds.plane[k]
        turn_of(motion, surfaces.body[s], surfaces.R, s, winds.turn)
        height, reach = 0.0, 0.0
        g[first + k] = -1.0
        age = t
        if b >= 0:
            height, reach = _over_plane(winds, surfaces, planes, s, b)
            if winds.began[k] == NOT_YET:
                g[first + k] = reach - height - 1e-12
            if height >= reach or winds.began[k] == NOT_YET:
                continue
            age = t - winds.began[k]
        qx, qy, qz = _pressure(winds, surfaces, curves, motion, k, age)
        q = math.sqrt(qx * qx + qy * qy + qz * qz)
        if q == 0.0:
            continue
        _catch(winds, surfaces, planes, motion, k, qx / q, qy / q, qz / q, height, reach)
        area = winds.sums[0]
        if area <= 0.0:
            continue
        # the place at which the whole acts, from the surface's centre
        rx, ry, rz = winds.sums[1] / area, winds.sums[2] / area, winds.sums[3] / area
        fx, fy, fz, m, c = area * qx, area * qy, area * qz, surfaces.body[s], surfaces.centre
        n = winds.wind[k]
        winds.seen[n, 0], winds.seen[n, 1] = winds.seen[n, 0] + fx, winds.seen[n, 1] + fy
        winds.seen[n, 2] += fz
        if m >= 0:
            p, v, o = motion.p, motion.v, motion.w
            x, y, z = c[s, 0] + rx - p[m, 0], c[s, 1] + ry - p[m, 1], c[s, 2] + rz - p[m, 2]
            add_force(torque, force, m, x, y, z, fx, fy, fz)
            power += fx * (v[m, 0] + o[m, 1] * z - o[m, 2] * y)
            power += fy * (v[m, 1] + o[m, 2] * x - o[m, 0] * z)
            power += fz * (v[m, 2] + o[m, 0] * y - o[m, 1] * x)
    return power


@inner
def _over_plane(
    winds: Winds, surfaces: Surfaces, planes: Planes, s: int, b: int
) -> tuple[float, float]:
    """Give the height of a surface's centre over a plane, and its support towards it."""
    now, c, semi = planes.now, surfaces.centre, surfaces.semi
    tx, ty, tz = now[b, 3], now[b, 4], now[b, 5]
    height = tx * (c[s, 0] - now[b, 0]) + ty * (c[s, 1] - now[b, 1]) + tz * (c[s, 2] - now[b, 2])
    x, y, z = along_axes(winds.turn, (tx, ty, tz))
    x, y, z = semi[s, 0] * x, semi[s, 1] * y, semi[s, 2] * z
    return height, math.sqrt(x * x + y * y + z * z)


@inner
def _catch(
    winds: Winds, surfaces: Surfaces, planes: Planes, motion: Motion, k: int,
    dx: float, dy: float, dz: float, height: float, reach: float,
) -> None:  # fmt: skip
    """Find the area that catches the wind, and its first moments about the surface's centre."""
    s, b, turn, semi, sums = winds.surface[k], winds.plane[k], winds.turn, surfaces.semi, winds.sums
    # where the surface is a unit sphere: the wind's direction, and the outline's area
    ux, uy, uz = along_axes(turn, (dx, dy, dz))
    ux, uy, uz = ux / semi[s, 0], uy / semi[s, 1], uz / semi[s, 2]
    slant = math.sqrt(ux * ux + uy * uy + uz * uz)
    whole = math.pi * semi[s, 0] * semi[s, 1] * semi[s, 2] * slant
    ux, uy, uz = ux / slant, uy / slant, uz / slant
    sums[0], sums[1], sums[2], sums[3] = whole, 0.0, 0.0, 0.0
    tx = ty = tz = 0.0
    if b >= 0:
        tx, ty, tz = planes.now[b, 3], planes.now[b, 4], planes.now[b, 5]
    if winds.method[k] == WHOLE:
        if b < 0:
            return
        along = (tx * dx + ty * dy + tz * dz) / slant
        side = math.sqrt(max(reach * reach - along * along, 0.0))
        part = min(max((height + side) / max(reach + side, 1e-12), 0.0), 1.0)
        x, y, z = along_axes(turn, (tx, ty, tz))
        f = -part / reach
        x, y, z = to_ground(
            turn, (f * semi[s, 0] ** 2 * x, f * semi[s, 1] ** 2 * y, f * semi[s, 2] ** 2 * z)
        )
        area = (1.0 - part * part) * whole
        sums[0], sums[1], sums[2], sums[3] = area, area * x, area * y, area * z
        return
    if b < 0 and winds.shields[k, 0] == winds.shields[k, 1]:
        return
    # two directions across the wind, where the surface is a unit sphere
    if abs(ux) < 0.6:
        ax, ay, az = 0.0, uz, -uy
    else:
        ax, ay, az = -uz, 0.0, ux
    size = math.sqrt(ax * ax + ay * ay + az * az)
    ax, ay, az = ax / size, ay / size, az / size
    bx, by, bz = uy * az - uz * ay, uz * ax - ux * az, ux * ay - uy * ax
    each = whole / (RINGS * SPOKES)
    width = math.sqrt(each)
    sums[0] = 0.0
    for ring in range(RINGS):
        r = math.sqrt((ring + 0.5) / RINGS)
        deep = math.sqrt(1.0 - r * r)
        for spoke in range(SPOKES):
            turnx = 2.0 * math.pi * (spoke + 0.5 * (ring % 2)) / SPOKES
            e, f = r * math.cos(turnx), r * math.sin(turnx)
            x = semi[s, 0] * (e * ax + f * bx - deep * ux)
            y = semi[s, 1] * (e * ay + f * by - deep * uy)
            z = semi[s, 2] * (e * az + f * bz - deep * uz)
            x, y, z = to_ground(turn, (x, y, z))
            part = 1.0
            if b >= 0:
                behind = -(height + tx * x + ty * y + tz * z)
                part = min(max(0.5 + behind / width, 0.0), 1.0)
            if part > 0.0:
                part *= _unshielded(winds, surfaces, motion, k, x, y, z, dx, dy, dz, width)
            sums[0] += part * each
            sums[1], sums[2] = sums[1] + part * each * x, sums[2] + part * each * y
            sums[3] += part * each * z


@inner
def _unshielded(
    winds: Winds, surfaces: Surfaces, motion: Motion, k: int, x: float, y: float, z: float,
    dx: float, dy: float, dz: float, width: float,
) -> float:  # fmt: skip
    """Give the part of a ray that no shield keeps from a place, counted from the target's centre."""
    s, part, other, semi = winds.surface[k], 1.0, winds.other, surfaces.semi
    for n in range(winds.shields[k, 0], winds.shields[k, 1]):
        a = winds.shield[n]
        turn_of(motion, surfaces.body[a], surfaces.R, a, other)
        c = surfaces.centre
        px, py, pz = x + c[s, 0] - c[a, 0], y + c[s, 1] - c[a, 1], z + c[s, 2] - c[a, 2]
        px, py, pz = along_axes(other, (px, py, pz))
        px, py, pz = px / semi[a, 0], py / semi[a, 1], pz / semi[a, 2]
        ex, ey, ez = along_axes(other, (dx, dy, dz))
        ex, ey, ez = ex / semi[a, 0], ey / semi[a, 1], ez / semi[a, 2]
        ee, pe = ex * ex + ey * ey + ez * ez, px * ex + py * ey + pz * ez
        pp = px * px + py * py + pz * pz
        # the ray comes from upwind: its nearest place to the shield's middle lies pe / ee before
        if pe <= 0.0 and pp > 1.0:
            continue
        near = math.sqrt(max(pp - pe * pe / ee, 0.0)) if pe > 0.0 else math.sqrt(pp)
        small = min(semi[a, 0], semi[a, 1], semi[a, 2])
        part *= min(max(0.5 + (near - 1.0) * small / width, 0.0), 1.0)
        if part == 0.0:
            break
    return part
