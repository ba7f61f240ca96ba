"""The way of a taut line round an ellipsoid: straight legs that touch it, and a geodesic between.

Where a leg from a point touches lies on a circle of the unit sphere that the ellipsoid is when its axes are scaled. From a
place on that circle the geodesic goes on along the leg until the leg to the other point touches; the place is right where
that leg goes on straight (one equation of one unknown). Geodesics of F(x) = 0: x'' = -(x' . H x') grad F / |grad F|^2.
"""

from __future__ import annotations

import math

from solver.engine.jit.kernels import inlined, separate
from solver.engine.maths.spatial import (
    Three,
    added,
    cross,
    dot,
    each,
    each_over,
    length,
    less,
    over,
    plus,
    scaled,
)

STEPS = 192
"""Steps by which a geodesic is followed; of the fourth order."""
MOST = 60
"""Trials to find where a line comes on."""
FARTHEST = 0.2
"""Most (rad) by which a trial goes on from the last."""
NEAR, FAR_OFF = 1e-13, 1e-8
"""How far a leg may be off the geodesic, in parts of its length: where the search ends, and where it has failed."""


@inlined
def _bends(x: Three, v: Three, square: Three) -> Three:
    """The acceleration along a geodesic."""
    g = each_over(x, square)
    return scaled(-dot(v, each_over(v, square)) / dot(g, g), g)


@inlined
def _step(x: Three, v: Three, square: Three, h: float) -> tuple[Three, Three]:
    """Go on by a step (Runge-Kutta), and back onto the surface."""
    a1 = _bends(x, v, square)
    v2 = plus(v, 0.5 * h, a1)
    a2 = _bends(plus(x, 0.5 * h, v), v2, square)
    v3 = plus(v, 0.5 * h, a2)
    a3 = _bends(plus(x, 0.5 * h, v2), v3, square)
    v4 = plus(v, h, a3)
    a4 = _bends(plus(x, h, v3), v4, square)
    x = plus(x, h / 6.0, added(added(v, scaled(2.0, added(v2, v3))), v4))
    v = plus(v, h / 6.0, added(added(a1, scaled(2.0, added(a2, a3))), a4))
    x = over(x, math.sqrt(dot(x, each_over(x, square))))
    g = each_over(x, square)
    v = plus(v, -dot(v, g) / dot(g, g), g)
    return x, over(v, length(v))


@separate
def follow_geodesic(
    size: Three, a: Three, b: Three, on: Three, h: float
) -> tuple[float, float, float, float, float]:
    """Follow the geodesic that goes on along a leg from a until a leg to b touches.

    Returns by how much that leg points aside (2 where it goes back), the way, and the place where it goes off.
    """
    square, ub = each(size, size), each_over(b, each(size, size))
    x, v = on, less(on, a)
    v = over(v, length(v))
    way, below = 0.0, dot(x, ub) - 1.0
    for _ in range(4 * STEPS):
        x1, v1 = _step(x, v, square, h)
        above = dot(x1, ub) - 1.0
        # it must have gone out of sight of b before it may come back into it
        if above >= 0.0 and below < 0.0:
            low, high, part = 0.0, 1.0, below / (below - above)
            for _ in range(60):
                x1, v1 = _step(x, v, square, part * h)
                f = dot(x1, ub) - 1.0
                if f >= 0.0:
                    high = part
                else:
                    low = part
                slope = h * dot(v1, ub)
                after = part - f / slope if slope != 0.0 else low
                if not low < after < high:
                    after = 0.5 * (low + high)
                if abs(after - part) < 1e-15:
                    break
                part = after
            x, v, way = x1, v1, way + part * h
            break
        x, v, way, below = x1, v1, way + h, above
    g = each_over(x, square)
    leg = less(b, x)
    far = max(length(leg), 1e-12)
    aside = dot(leg, cross(g, v)) / (length(g) * far)
    if dot(leg, v) < -1e-6 * far:
        aside = 2.0 if aside > 0.0 else -2.0
    return aside, way, x[0], x[1], x[2]


@inlined
def _on(size: Three, c: Three, e: Three, f: Three, r: float, angle: float) -> Three:
    """A place on the circle where legs from a point touch."""
    return each(size, plus(plus(c, r * math.cos(angle), e), r * math.sin(angle), f))


@inlined
def _found(
    size: Three, a: Three, b: Three, circle: tuple[Three, Three, Three], r: float, angle: float, arc: float
) -> tuple[bool, float, float, float, float, float]:  # fmt: skip
    """Find where on the circle a line comes on, near an angle (secant method), how long it stays, and where it goes off."""
    c, e, normal = circle
    h = max(size[0], size[1], size[2]) * max(arc, 1e-9) / STEPS
    first, second = angle, angle + (1e-4 if arc > 1e-3 else 0.1 * arc)
    f, long, x, y, z = follow_geodesic(size, a, b, _on(size, c, e, normal, r, first), h)
    for _ in range(MOST):
        f1, long, x, y, z = follow_geodesic(size, a, b, _on(size, c, e, normal, r, second), h)
        if abs(f1) <= NEAR:
            return True, second, long, x, y, z
        step = -f1 * (second - first) / (f1 - f) if f1 != f else 0.0
        if abs(step) < 1e-16:
            return abs(f1) <= FAR_OFF, second, long, x, y, z
        first, f = second, f1
        second += min(max(step, -FARTHEST), FARTHEST)
    return abs(f) <= FAR_OFF, first, long, x, y, z


@inlined
def round_ellipsoid(
    size: Three, sided: bool, side: Three, a: Three, b: Three
) -> tuple[int, float, float, float, float, float, float, float]:
    """Lead a leg round an ellipsoid, on the side where it would go round the sphere that its scaled axes make of it."""
    nothing = (0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    ua, ub = each_over(a, size), each_over(b, size)
    far_a, far_b = length(ua), length(ub)
    if far_a <= 1.0 or far_b <= 1.0:
        return nothing
    way = less(ub, ua)
    square = dot(way, way)
    part = min(max(-dot(way, ua) / square, 0.0), 1.0) if square > 0.0 else 0.0
    near = plus(ua, part, way)
    crosses = dot(near, near) <= 1.0
    if not crosses and not sided:
        return nothing
    normal = cross(ua, ub)
    if length(normal) < 1e-12 * far_a * far_b:
        normal = cross(ua, side) if sided else (-ua[1] - ua[2], ua[0], ua[0])
        if length(normal) < 1e-12:
            normal = (0.0, -ua[2], ua[1])
    normal = over(normal, length(normal))
    # the place on the circle is counted from the plane of both points and the centre
    e0 = over(ua, far_a)
    e = cross(normal, e0)
    c, r = over(e0, far_a), math.sqrt(1.0 - 1.0 / (far_a * far_a))
    open_a, open_b = math.acos(1.0 / far_a), math.acos(1.0 / far_b)
    between = math.acos(min(max(dot(e0, ub) / far_b, -1.0), 1.0))
    # the other way where the side lies between the points' opposites
    sx, sy = dot(side, e0), dot(side, e)
    back = int(sided and sy < 0.0 and sy * dot(ub, e0) - sx * dot(ub, e) > 0.0)
    if not crosses and back == 0:
        return nothing
    for trial in range(1 if sided else 2):
        back = back if trial == 0 else 1 - back
        arc = (between if back == 0 else 2.0 * math.pi - between) - open_a - open_b
        if arc < 0.0:
            break
        found, angle, long, x, y, z = _found(size, a, b, (c, e, normal), r, back * math.pi, arc)
        if found:
            on = _on(size, c, e, normal, r, angle)
            return (2 if crosses else 1), on[0], on[1], on[2], x, y, z, long
    # a taut line would slip off
    return nothing
