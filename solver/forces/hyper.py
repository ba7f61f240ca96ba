"""Hyperellipsoids: deepest points, and the common scale at which two bodies touch.

Only supports are asked for, so that flat faces and sharp bends are nothing special: the ray from
centre to centre leaves the Minkowski sum of both bodies through a triangle of support points that is
refined until it lies on the surface (portal refinement: Snethen, XenoCollide, 2008).
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.forces.points import along_axes, to_ground
from solver.forces.surfaces import Surfaces
from solver.maths.kernels import inner, kernel

BESIDE = 0.02
"""How far beside the normal of before the search begins (rad)."""

EXACT = 1e-13
"""Relative gap between the bounds of the scale at which the search ends."""


@kernel
def deepest(
    semi: Array, power: Array, k: int, ux: float, uy: float, uz: float
) -> tuple[float, float, float, float]:
    """Give the support against a direction, and the point there, own axes.

    The point is `x_i = -sgn(u_i) a_i (l a_i |u_i| / p_i)^(1 / (p_i - 1))`; the logarithm of the sum
    of its powers rises almost along a straight line with that of l, which Newton's method finds.
    """
    bx = math.log(max(semi[k, 0] * abs(ux), 1e-300) / power[k, 0])
    by = math.log(max(semi[k, 1] * abs(uy), 1e-300) / power[k, 1])
    bz = math.log(max(semi[k, 2] * abs(uz), 1e-300) / power[k, 2])
    rx, ry, rz = 1.0 / (power[k, 0] - 1.0), 1.0 / (power[k, 1] - 1.0), 1.0 / (power[k, 2] - 1.0)
    qx, qy, qz = power[k, 0] * rx, power[k, 1] * ry, power[k, 2] * rz
    m = -max(bx, by, bz)
    for _ in range(50):
        x, y, z = math.exp(qx * (m + bx)), math.exp(qy * (m + by)), math.exp(qz * (m + bz))
        total = x + y + z
        step = -math.log(total) * total / (qx * x + qy * y + qz * z)
        m += step
        if abs(step) < 1e-15 * (1.0 + abs(m)):
            break
    x, y, z = math.exp(rx * (m + bx)), math.exp(ry * (m + by)), math.exp(rz * (m + bz))
    x, y, z = semi[k, 0] * x, semi[k, 1] * y, semi[k, 2] * z
    h = abs(ux) * x + abs(uy) * y + abs(uz) * z
    return h, (-x if ux > 0.0 else x), (-y if uy > 0.0 else y), (-z if uz > 0.0 else z)


@inner
def support(
    surfaces: Surfaces, a: int, turn: Array, nx: float, ny: float, nz: float
) -> tuple[float, float, float]:
    """Give the point of a body farthest along a direction, from its centre, ground axes."""
    ux, uy, uz = along_axes(turn, nx, ny, nz)
    semi = surfaces.semi
    if surfaces.is_hyper[a]:
        _, x, y, z = deepest(semi, surfaces.power, a, -ux, -uy, -uz)
    else:
        x, y, z = semi[a, 0] ** 2 * ux, semi[a, 1] ** 2 * uy, semi[a, 2] ** 2 * uz
        h = math.sqrt(x * ux + y * uy + z * uz)
        x, y, z = x / h, y / h, z / h
    return to_ground(turn, x, y, z)


@inner
def apart_along(
    surfaces: Surfaces, a: int, b: int, turn_a: Array, turn_b: Array, nx: float, ny: float, nz: float,
    mx: float, my: float, mz: float,
) -> float:  # fmt: skip
    """Give by how much two bodies are apart along a unit vector; m joins their centres.

    Where that is above zero for any vector, they do not touch.
    """
    ax, ay, az = support(surfaces, a, turn_a, nx, ny, nz)
    bx, by, bz = support(surfaces, b, turn_b, -nx, -ny, -nz)
    return nx * (mx + bx - ax) + ny * (my + by - ay) + nz * (mz + bz - az)


@inner
def _vertex(
    surfaces: Surfaces, a: int, b: int, turn_a: Array, turn_b: Array,
    nx: float, ny: float, nz: float, room: Array, r: int,
) -> None:  # fmt: skip
    """Put the support of the sum in row r: the sum's point, then the first body's part."""
    n = math.sqrt(nx * nx + ny * ny + nz * nz)
    ax, ay, az = support(surfaces, a, turn_a, nx / n, ny / n, nz / n)
    bx, by, bz = support(surfaces, b, turn_b, -nx / n, -ny / n, -nz / n)
    room[r, 0], room[r, 1], room[r, 2] = ax - bx, ay - by, az - bz
    room[r, 3], room[r, 4], room[r, 5] = ax, ay, az


@inner
def _triple(room: Array, r: int, s: int, mx: float, my: float, mz: float) -> float:
    """Give (v_r x v_s) . m."""
    x = room[r, 1] * room[s, 2] - room[r, 2] * room[s, 1]
    y = room[r, 2] * room[s, 0] - room[r, 0] * room[s, 2]
    z = room[r, 0] * room[s, 1] - room[r, 1] * room[s, 0]
    return float(x * mx + y * my + z * mz)


@inner
def _put(room: Array, r: int, s: int) -> None:
    """Put row s in the place of row r."""
    for n in range(6):
        room[r, n], room[s, n] = room[s, n], room[r, n]


@inner
def _around(
    surfaces: Surfaces, a: int, b: int, turn_a: Array, turn_b: Array,
    mx: float, my: float, mz: float, room: Array,
) -> bool:  # fmt: skip
    """Find three supports whose cone holds the ray; says no where the first one lies on it."""
    _vertex(surfaces, a, b, turn_a, turn_b, mx, my, mz, room, 0)
    x = room[0, 1] * mz - room[0, 2] * my
    y = room[0, 2] * mx - room[0, 0] * mz
    z = room[0, 0] * my - room[0, 1] * mx
    size = math.sqrt(mx * mx + my * my + mz * mz)
    long = math.sqrt(room[0, 0] ** 2 + room[0, 1] ** 2 + room[0, 2] ** 2)
    if x * x + y * y + z * z < (1e-14 * size * long) ** 2:
        return False
    _vertex(surfaces, a, b, turn_a, turn_b, x, y, z, room, 1)
    for turn in range(100):
        x = room[0, 1] * room[1, 2] - room[0, 2] * room[1, 1]
        y = room[0, 2] * room[1, 0] - room[0, 0] * room[1, 2]
        z = room[0, 0] * room[1, 1] - room[0, 1] * room[1, 0]
        if turn == 0 and x * mx + y * my + z * mz < 0.0:
            _put(room, 0, 1)
            x, y, z = -x, -y, -z
        _vertex(surfaces, a, b, turn_a, turn_b, x, y, z, room, 2)
        if _triple(room, 0, 2, mx, my, mz) > 0.0:
            _put(room, 1, 2)
        elif _triple(room, 2, 1, mx, my, mz) > 0.0:
            _put(room, 0, 2)
        else:
            break
    return True


@inner
def _near(
    surfaces: Surfaces, a: int, b: int, turn_a: Array, turn_b: Array,
    mx: float, my: float, mz: float, wx: float, wy: float, wz: float, room: Array,
) -> bool:  # fmt: skip
    """Find three supports about the normal of before; says no where their cone does not hold the ray."""
    # two directions across
    ux, uy, uz = (0.0, wz, -wy) if abs(wx) < 0.6 else (-wz, 0.0, wx)
    size = math.sqrt(ux * ux + uy * uy + uz * uz)
    if not size > 0.0:
        return False
    ux, uy, uz = ux / size, uy / size, uz / size
    vx, vy, vz = wy * uz - wz * uy, wz * ux - wx * uz, wx * uy - wy * ux
    for n in range(3):
        s = BESIDE if n == 0 else -0.5 * BESIDE
        t = 0.0 if n == 0 else (0.8660254 * BESIDE if n == 1 else -0.8660254 * BESIDE)
        _vertex(
            surfaces, a, b, turn_a, turn_b, wx + s * ux + t * vx, wy + s * uy + t * vy,
            wz + s * uz + t * vz, room, n,
        )  # fmt: skip
    one, two = _triple(room, 1, 2, mx, my, mz), _triple(room, 2, 0, mx, my, mz)
    three = _triple(room, 0, 1, mx, my, mz)
    if one < 0.0 and two < 0.0 and three < 0.0:
        _put(room, 1, 2)
        return True
    return one > 0.0 and two > 0.0 and three > 0.0


@inner
def touch_scaled(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float,
    turn_a: Array, turn_b: Array, wx: float, wy: float, wz: float, room: Array, out: Array,
) -> None:  # fmt: skip
    """Scale two bodies, whose centres are m apart, until they touch; w is the normal of before, or zero.

    `out` takes the factor, the normal from a to b, the sum of both supports along it, and the point
    of a that touches, from its centre and unscaled.
    """
    size = math.sqrt(mx * mx + my * my + mz * mz)
    nx, ny, nz = mx / size, my / size, mz / size
    if not _near(surfaces, a, b, turn_a, turn_b, mx, my, mz, wx, wy, wz, room) and not _around(
        surfaces, a, b, turn_a, turn_b, mx, my, mz, room
    ):
        out[4] = nx * room[0, 0] + ny * room[0, 1] + nz * room[0, 2]
        out[0] = size / out[4]
        out[1], out[2], out[3] = nx, ny, nz
        out[5], out[6], out[7] = room[0, 3], room[0, 4], room[0, 5]
        return
    high, best = 1e300, 1e300
    for _ in range(200):
        ex, ey, ez = room[1, 0] - room[0, 0], room[1, 1] - room[0, 1], room[1, 2] - room[0, 2]
        fx, fy, fz = room[2, 0] - room[0, 0], room[2, 1] - room[0, 1], room[2, 2] - room[0, 2]
        x, y, z = ey * fz - ez * fy, ez * fx - ex * fz, ex * fy - ey * fx
        length = math.sqrt(x * x + y * y + z * z)
        if length < 1e-200:
            break
        x, y, z = x / length, y / length, z / length
        along = x * mx + y * my + z * mz
        if along < 0.0:
            x, y, z, along = -x, -y, -z, -along
        if along < 1e-12 * size:
            break
        _vertex(surfaces, a, b, turn_a, turn_b, x, y, z, room, 3)
        low = (x * room[0, 0] + y * room[0, 1] + z * room[0, 2]) / along
        high = (x * room[3, 0] + y * room[3, 1] + z * room[3, 2]) / along
        if high < best:
            best, nx, ny, nz = high, x, y, z
            out[4] = high * along
        if high - low < EXACT * high:
            break
        # the triangle with the new vertex through which the ray goes
        s0, s1, s2 = (
            _triple(room, 3, 0, mx, my, mz),
            _triple(room, 3, 1, mx, my, mz),
            _triple(room, 3, 2, mx, my, mz),
        )
        if s0 >= 0.0 and s1 <= 0.0:
            _put(room, 2, 3)
        elif s1 >= 0.0 and s2 <= 0.0:
            _put(room, 0, 3)
        else:
            _put(room, 1, 3)
    out[0] = 1.0 / best
    out[1], out[2], out[3] = nx, ny, nz
    # where the ray goes through the triangle, as a mean of the first body's points
    w0, w1 = _triple(room, 1, 2, mx, my, mz), _triple(room, 2, 0, mx, my, mz)
    w2 = _triple(room, 0, 1, mx, my, mz)
    total = w0 + w1 + w2
    for n in range(3):
        out[5 + n] = (w0 * room[0, 3 + n] + w1 * room[1, 3 + n] + w2 * room[2, 3 + n]) / total
