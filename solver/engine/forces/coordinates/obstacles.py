"""The shortest way of a taut line round one obstacle, in the obstacle's own axes, between two points outside it.

Sphere: the great circle in the plane of both points and the centre. Cylinder about z: a helix, a straight line on the
surface rolled out. Either is a circle seen along an axis. A line inside a ring touches it in one point, under equal angles.
"""

from __future__ import annotations

import math

from solver.engine.forces.coordinates.ellipsoids import round_ellipsoid
from solver.engine.jit.kernels import inlined, separate
from solver.engine.maths.spatial import Three, cross, dot, length, over, plus, scaled

SPHERE, CYLINDER, ELLIPSOID = range(3)
"""Kinds of obstacles."""

FREE, LEANS, CROSSES = range(3)
"""What becomes of a straight line: it passes, it goes round as it would pass on the wrong side, or as it would cross."""

Flat = tuple[int, float, float, float, float, float]
"""What becomes of it, the points (x, y) where it comes on and goes off, and the angle between them."""
Round = tuple[int, float, float, float, float, float, float, float]
"""What becomes of it, the places where it comes on and goes off, and the way on the surface between them."""

SMALL = 1e-15


@inlined
def _passes() -> Round:
    return FREE, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0


@inlined
def _nearest(ax: float, ay: float, bx: float, by: float) -> tuple[float, float]:
    """The point of a leg that is nearest to the middle."""
    dx, dy = bx - ax, by - ay
    square = dx * dx + dy * dy
    part = min(max(-(dx * ax + dy * ay) / square, 0.0), 1.0) if square > 0.0 else 0.0
    return ax + part * dx, ay + part * dy


@inlined
def _round_circle(
    ax: float, ay: float, bx: float, by: float, r: float, sided: bool, sx: float, sy: float
) -> Flat:
    """Go round a circle from outside: the shorter way, or the other one where the side lies between the points' opposites."""
    nothing = (FREE, 0.0, 0.0, 0.0, 0.0, 0.0)
    far_a, far_b = math.hypot(ax, ay), math.hypot(bx, by)
    if far_a < r or far_b < r or r < SMALL:
        return nothing
    nx, ny = _nearest(ax, ay, bx, by)
    crosses = nx * nx + ny * ny <= r * r
    phi_a, phi_b = math.atan2(ay, ax), math.atan2(by, bx)
    open_a, open_b = math.acos(r / far_a), math.acos(r / far_b)
    turned = ax * by - ay * bx
    between = math.atan2(abs(turned), ax * bx + ay * by)
    sense = 1.0 if turned >= 0.0 else -1.0
    # the other way where the side lies behind the middle, seen from between both points
    if sided and sense * (ay * sx - ax * sy) > 0.0 and sense * (sy * bx - sx * by) > 0.0:
        between, sense = 2.0 * math.pi - between, -sense
    elif not crosses:
        return nothing
    way = between - open_a - open_b
    if way < 0.0:
        return nothing
    on, off = phi_a + sense * open_a, phi_b - sense * open_b
    return (
        CROSSES if crosses else LEANS, r * math.cos(on), r * math.sin(on), r * math.cos(off), r * math.sin(off), way,
    )  # fmt: skip


@inlined
def _slope(ax: float, ay: float, r: float, angle: float) -> tuple[float, float]:
    """How the way from a point to a place of a circle grows with its angle, and how that does."""
    c, s = r * math.cos(angle), r * math.sin(angle)
    far = math.hypot(ax - c, ay - s)
    first = (ax * s - ay * c) / far
    return first, (ax * c + ay * s - first * first) / far


@inlined
def _within_circle(ax: float, ay: float, bx: float, by: float, r: float) -> Flat:
    """Stay within a ring: touch it where both legs lean alike, unless the straight line goes through."""
    nothing = (FREE, 0.0, 0.0, 0.0, 0.0, 0.0)
    far_a, far_b = math.hypot(ax, ay), math.hypot(bx, by)
    nx, ny = _nearest(ax, ay, bx, by)
    if far_a <= r or far_b <= r or r < SMALL or nx * nx + ny * ny <= r * r:
        return nothing
    phi_a = math.atan2(ay, ax)
    between = math.atan2(ax * by - ay * bx, ax * bx + ay * by)
    low, high = min(0.0, between), max(0.0, between)
    angle = 0.5 * (low + high)
    for _ in range(100):
        f_a, d_a = _slope(ax, ay, r, phi_a + angle)
        f_b, d_b = _slope(bx, by, r, phi_a + angle)
        f, d = f_a + f_b, d_a + d_b
        if f > 0.0:
            high = angle
        else:
            low = angle
        after = angle - f / d if d > 0.0 else low
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - angle) <= 1e-16 + 1e-15 * abs(angle):
            break
        angle = after
    x, y = r * math.cos(phi_a + angle), r * math.sin(phi_a + angle)
    return LEANS, x, y, x, y, 0.0


@inlined
def _in_circle(
    a: tuple[float, float], b: tuple[float, float], r: float, inside: bool, sided: bool, side: tuple[float, float]
) -> Flat:  # fmt: skip
    if inside:
        return _within_circle(a[0], a[1], b[0], b[1], r)
    return _round_circle(a[0], a[1], b[0], b[1], r, sided, side[0], side[1])


@inlined
def _round_sphere(a: Three, b: Three, r: float, inside: bool, sided: bool, side: Three) -> Round:
    far = length(a)
    if far < SMALL or length(b) < SMALL:
        return _passes()
    x = over(a, far)
    normal = cross(a, b)
    size = length(normal)
    if size <= SMALL * far * length(b):
        # both in one line with the centre: any plane will do, that of the side if there is one
        normal = cross(x, side) if sided else (0.0, 0.0, 0.0)
        size = length(normal)
        if size < SMALL:
            normal = (0.0, -x[2], x[1]) if abs(x[0]) < 0.9 else (x[2], 0.0, -x[0])
            size = length(normal)
    y = cross(over(normal, size), x)
    state, x0, y0, x1, y1, angle = _in_circle(
        (dot(a, x), dot(a, y)), (dot(b, x), dot(b, y)), r, inside, sided, (dot(side, x), dot(side, y))
    )  # fmt: skip
    on, off = plus(scaled(x0, x), y0, y), plus(scaled(x1, x), y1, y)
    return state, on[0], on[1], on[2], off[0], off[1], off[2], r * angle


@inlined
def _round_cylinder(
    a: Three, b: Three, r: float, half: float, inside: bool, sided: bool, side: Three
) -> Round:
    state, x0, y0, x1, y1, angle = _in_circle(
        (a[0], a[1]), (b[0], b[1]), r, inside, sided, (side[0], side[1])
    )
    if state == FREE:
        return _passes()
    before, after = math.hypot(a[0] - x0, a[1] - y0), math.hypot(b[0] - x1, b[1] - y1)
    whole = before + r * angle + after
    rise = (b[2] - a[2]) / whole if whole > 0.0 else 0.0
    z0, z1 = a[2] + rise * before, b[2] - rise * after
    if half > 0.0 and abs(z0) > half and abs(z1) > half:
        return _passes()
    return state, x0, y0, z0, x1, y1, z1, math.hypot(r * angle, z1 - z0)


@separate
def round_obstacle(
    kind: int, size: Three, half: float, inside: bool, sided: bool, side: Three, a: Three, b: Three
) -> tuple[int, float, float, float, float, float, float, float]:
    """Lead a leg from a to b round an obstacle; of a cylinder without a length `half` is 0."""
    if kind == SPHERE:
        return _round_sphere(a, b, size[0], inside, sided, side)
    if kind == CYLINDER:
        return _round_cylinder(a, b, size[0], half, inside, sided, side)
    return round_ellipsoid(size, sided, side, a, b)
