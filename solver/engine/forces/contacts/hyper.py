"""Hyperellipsoids: deepest points, and the common scale at which two bodies touch.

Only supports are asked for, so that flat faces and sharp bends are nothing special: the ray from
centre to centre leaves the Minkowski sum of both bodies through a triangle of support points that is
refined until it lies on the surface (portal refinement: Snethen, XenoCollide, 2008).
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import Touch
from solver.engine.forces.contacts.ellipsoids import across
from solver.engine.forces.surfaces import Surfaces
from solver.engine.jit.kernels import inner, separate
from solver.engine.maths.spatial import (
    Three,
    cross,
    dot,
    length,
    mat_on,
    plus,
    read,
    scaled,
    transpose_on,
    write,
)

BEGINS_BESIDE = 0.02
"""How far beside the normal of before the search begins (rad)."""

FLAT_FACE = 1e-4
"""Tilt (rad) below which the point that presses on a plane goes in proportion to it across a flat face. A face lies
that part of the other semi-axes farther out (20 micrometres for 0.2 m) than the formula has it."""

BOUNDS_MEET = 1e-13
"""Relative gap between the bounds of the scale at which the search ends."""


@inner
def rounded(semi: Array, power: Array, k: int, u: Three) -> Three:
    """The point of a hyperellipsoid farthest along a direction, own axes.

    It is `x_i = sgn(u_i) a_i (l a_i |u_i| / p_i)^(1 / (p_i - 1))`; the logarithm of the sum
    of its powers rises almost along a straight line with that of l, which Newton's method finds.
    """
    bx = math.log(max(semi[k, 0] * abs(u[0]), 1e-300) / power[k, 0])
    by = math.log(max(semi[k, 1] * abs(u[1]), 1e-300) / power[k, 1])
    bz = math.log(max(semi[k, 2] * abs(u[2]), 1e-300) / power[k, 2])
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
    return (
        math.copysign(semi[k, 0] * math.exp(rx * (m + bx)), u[0]),
        math.copysign(semi[k, 1] * math.exp(ry * (m + by)), u[1]),
        math.copysign(semi[k, 2] * math.exp(rz * (m + bz)), u[2]),
    )


@inner
def support(surfaces: Surfaces, a: int, turn: Array, n: Three) -> Three:
    """The point of a body farthest along a direction, from its centre, ground axes."""
    u, semi = transpose_on(turn, n), surfaces.semi
    if surfaces.is_hyper[a]:
        return mat_on(turn, rounded(semi, surfaces.power, a, u))
    x = (semi[a, 0] ** 2 * u[0], semi[a, 1] ** 2 * u[1], semi[a, 2] ** 2 * u[2])
    return mat_on(turn, scaled(1.0 / math.sqrt(dot(x, u)), x))


@inner
def pressing(surfaces: Surfaces, a: int, turn: Array, n: Three) -> Three:
    """The point by which a body presses on a plane, from its centre, along a unit vector.

    It is the gradient of the support, in which each component u of the direction is taken as
    sqrt(u^2 + FLAT^2): the support of a convex body, too, whose faces are nowhere quite flat. The point of a
    face of high power itself would run across it with u^(1 / (p - 1)), endlessly steep where it lies flat.
    """
    if not surfaces.is_hyper[a]:
        return support(surfaces, a, turn, n)
    u = transpose_on(turn, n)
    e = FLAT_FACE * FLAT_FACE
    s = math.sqrt(u[0] * u[0] + e), math.sqrt(u[1] * u[1] + e), math.sqrt(u[2] * u[2] + e)
    x, y, z = rounded(surfaces.semi, surfaces.power, a, s)
    x, y, z = x / s[0], y / s[1], z / s[2]
    more = e * (x + y + z)
    return mat_on(turn, (u[0] * (x + more), u[1] * (y + more), u[2] * (z + more)))


@inner
def apart_along(surfaces: Surfaces, a: int, b: int, n: Three, m: Three, touch: Touch) -> float:
    """By how much two bodies are apart along a unit vector; m joins their centres.

    Where that is above zero for any vector, they do not touch.
    """
    on_a = support(surfaces, a, touch.turn_a, n)
    on_b = support(surfaces, b, touch.turn_b, scaled(-1.0, n))
    return dot(n, plus(plus(m, 1.0, on_b), -1.0, on_a))


@inner
def _vertex(surfaces: Surfaces, a: int, b: int, n: Three, r: int, touch: Touch) -> None:
    """Put the support of the sum in row r: the sum's point, then the first body's part."""
    n, row = scaled(1.0 / length(n), n), touch.triangle[r]
    on_a = support(surfaces, a, touch.turn_a, n)
    on_b = support(surfaces, b, touch.turn_b, scaled(-1.0, n))
    write(row, 0, plus(on_a, -1.0, on_b))
    write(row, 3, on_a)


@inner
def _triple(triangle: Array, r: int, s: int, m: Three) -> float:
    """Give (v_r x v_s) . m."""
    return dot(cross(read(triangle[r], 0), read(triangle[s], 0)), m)


@inner
def _put(triangle: Array, r: int, s: int) -> None:
    """Put row s in the place of row r."""
    for n in range(6):
        triangle[r, n], triangle[s, n] = triangle[s, n], triangle[r, n]


@inner
def _around(surfaces: Surfaces, a: int, b: int, m: Three, touch: Touch) -> bool:
    """Find three supports whose cone holds the ray; says no where the first one lies on it."""
    triangle = touch.triangle
    _vertex(surfaces, a, b, m, 0, touch)
    n = cross(read(triangle[0], 0), m)
    if dot(n, n) < (1e-14 * length(m) * length(read(triangle[0], 0))) ** 2:
        return False
    _vertex(surfaces, a, b, n, 1, touch)
    for turn in range(100):
        if turn == 0 and _triple(triangle, 0, 1, m) < 0.0:
            _put(triangle, 0, 1)
        _vertex(surfaces, a, b, cross(read(triangle[0], 0), read(triangle[1], 0)), 2, touch)
        if _triple(triangle, 0, 2, m) > 0.0:
            _put(triangle, 1, 2)
        elif _triple(triangle, 2, 1, m) > 0.0:
            _put(triangle, 0, 2)
        else:
            break
    return True


@inner
def _near(surfaces: Surfaces, a: int, b: int, m: Three, w: Three, touch: Touch) -> bool:
    """Find three supports about the normal of before; says no where their cone does not hold the ray."""
    triangle = touch.triangle
    if dot(w, w) == 0.0:
        return False
    e, g = across(w)
    _vertex(surfaces, a, b, plus(w, BEGINS_BESIDE, e), 0, touch)
    _vertex(
        surfaces,
        a,
        b,
        plus(plus(w, -0.5 * BEGINS_BESIDE, e), 0.8660254 * BEGINS_BESIDE, g),
        1,
        touch,
    )
    _vertex(
        surfaces,
        a,
        b,
        plus(plus(w, -0.5 * BEGINS_BESIDE, e), -0.8660254 * BEGINS_BESIDE, g),
        2,
        touch,
    )
    one, two, three = (
        _triple(triangle, 1, 2, m), _triple(triangle, 2, 0, m), _triple(triangle, 0, 1, m)
    )  # fmt: skip
    if one < 0.0 and two < 0.0 and three < 0.0:
        _put(triangle, 1, 2)
        return True
    return one > 0.0 and two > 0.0 and three > 0.0


@separate
def touch_scaled(surfaces: Surfaces, a: int, b: int, m: Three, w: Three, touch: Touch) -> None:
    """Scale two bodies, whose centres are m apart, until they touch; w is the normal of before, or zero.

    `touch.x` takes the factor, the normal from a to b, the sum of both supports along it, and the
    point of a that touches, from its centre and unscaled.
    """
    triangle, x, size = touch.triangle, touch.x, length(m)
    normal = scaled(1.0 / size, m)
    if not _near(surfaces, a, b, m, w, touch) and not _around(surfaces, a, b, m, touch):
        x[4] = dot(normal, read(triangle[0], 0))
        x[0] = size / x[4]
        write(x, 1, normal)
        write(x, 5, read(triangle[0], 3))
        return
    high, best = 1e300, 1e300
    for _ in range(200):
        first = read(triangle[0], 0)
        n = cross(plus(read(triangle[1], 0), -1.0, first), plus(read(triangle[2], 0), -1.0, first))
        if length(n) < 1e-200:
            break
        n = scaled(math.copysign(1.0 / length(n), dot(n, m)), n)
        along = dot(n, m)
        if along < 1e-12 * size:
            break
        _vertex(surfaces, a, b, n, 3, touch)
        low, high = dot(n, first) / along, dot(n, read(triangle[3], 0)) / along
        if high < best:
            best, normal = high, n
            x[4] = high * along
        if high - low < BOUNDS_MEET * high:
            break
        # the triangle with the new vertex through which the ray goes
        s0, s1, s2 = (
            _triple(triangle, 3, 0, m),
            _triple(triangle, 3, 1, m),
            _triple(triangle, 3, 2, m),
        )
        if s0 >= 0.0 and s1 <= 0.0:
            _put(triangle, 2, 3)
        elif s1 >= 0.0 and s2 <= 0.0:
            _put(triangle, 0, 3)
        else:
            _put(triangle, 1, 3)
    x[0] = 1.0 / best
    write(x, 1, normal)
    # where the ray goes through the triangle, as a mean of the first body's points
    w0, w1, w2 = _triple(triangle, 1, 2, m), _triple(triangle, 2, 0, m), _triple(triangle, 0, 1, m)
    mean = plus(scaled(w0, read(triangle[0], 3)), w1, read(triangle[1], 3))
    write(x, 5, scaled(1.0 / (w0 + w1 + w2), plus(mean, w2, read(triangle[2], 3))))
