"""Roads as meshes: which of their triangles a wheel presses, and how deep.

Each triangle has one point that is nearest to the wheel's centre; along the line from there the wheel is so deep as on a plane across it. Of
several at once, as in the angle of two faces, the depth is the least way by which the wheel comes out of all: that is a plane's on one face,
and goes over edges and into corners without a jump in force.

Triangles are found by a grid of cells over the two axes along which the mesh spreads most. Only their front sides press.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.points import arm_of, from_axes_of, in_axes_of, point_of
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.spatial import Three, cross, dot, less, over, plus, read3, scaled

Way = tuple[float, float, float, float, float]
"""A direction, how deep a wheel is along it, and the number of the triangle."""

NO_WAY: Way = (0.0, 0.0, 0.0, 0.0, -1.0)

TIGHT = 1e-12
"""Depth (m) below which a way counts as none."""

NEAR = 1e-9
"""Part of the way to the centre by which a face may reach beneath it and still leave it to an edge."""

ROUNDS, CLOSER = 6, 6
"""How often another face is taken up; and how often those are looked at again from where they let the wheel go, as edges look elsewhere from there."""


class Wheel(NamedTuple):
    """Hold a wheel in the axes of a mesh's body: centre, axle, radius and crown."""

    centre: Three
    axle: Three
    radius: float
    crown: float


@struct
class Ground(NamedTuple):
    """Hold meshes: by triangle its corners, its front, and by edge the way into the triangle beyond (none: nought); by mesh its body, origin, axes, and the grid of cells over two of the body's axes."""

    corner: Array
    front: Array
    beside: Array
    body: IntArray
    at: Array
    along: Array
    spread: IntArray
    low: Array
    size: Array
    cells: IntArray
    cell: IntArray
    first: IntArray
    triangle: IntArray


@inlined
def _nearest_of(a: Three, b: Three, c: Three) -> tuple[Three, int, int]:
    """The point of a triangle that is nearest to the origin, and the edges on which it lies (-1 for none), from corners 0, 1 and 2 on."""
    ab, ac = less(b, a), less(c, a)
    d1, d2 = -dot(ab, a), -dot(ac, a)
    if d1 <= 0.0 and d2 <= 0.0:
        return a, 0, 2
    d3, d4 = -dot(ab, b), -dot(ac, b)
    if d3 >= 0.0 and d4 <= d3:
        return b, 0, 1
    vc = d1 * d4 - d3 * d2
    if vc <= 0.0 and d1 >= 0.0 and d3 <= 0.0:
        return plus(a, d1 / (d1 - d3), ab), 0, -1
    d5, d6 = -dot(ab, c), -dot(ac, c)
    if d6 >= 0.0 and d5 <= d6:
        return c, 1, 2
    vb = d5 * d2 - d1 * d6
    if vb <= 0.0 and d2 >= 0.0 and d6 <= 0.0:
        return plus(a, d2 / (d2 - d6), ac), 2, -1
    va = d3 * d6 - d5 * d4
    if va <= 0.0 and d4 - d3 >= 0.0 and d5 - d6 >= 0.0:
        return plus(b, (d4 - d3) / ((d4 - d3) + (d5 - d6)), less(c, b)), 1, -1
    return plus(plus(a, vb / (va + vb + vc), ab), vc / (va + vb + vc), ac), -1, -1


@inlined
def _faces(ground: Ground, t: int, edge: int, q: Three, high: float) -> bool:
    """Whether an edge of a triangle is what is nearest, and not the face beyond it."""
    return edge < 0 or -dot(q, read3(ground.beside, 3 * t + edge)) <= NEAR * high


@inlined
def _depth(t: int, away: Three, high: float, front: Three, wheel: Wheel) -> Way:
    """The direction from a nearest point to the centre, and how deep a wheel is along it."""
    # on a face its own front, to the last digit
    flat = -dot(away, front)
    if flat > high * (1.0 - 1e-14):
        up, high = front, flat
    else:
        up = over(scaled(-1.0, away), high)
    lean = dot(up, wheel.axle)
    reach = wheel.crown + (wheel.radius - wheel.crown) * math.sqrt(max(1.0 - lean * lean, 0.0))
    return (*up, reach - high, float(t))


@inlined
def _from(ground: Ground, t: int, centre: Three) -> tuple[Three, int, int]:
    """The point of a triangle that is nearest to a place, seen from there, and its edges."""
    return _nearest_of(
        less(read3(ground.corner, 3 * t), centre), less(read3(ground.corner, 3 * t + 1), centre), less(read3(ground.corner, 3 * t + 2), centre)
    )  # fmt: skip


@inner
def _again(ground: Ground, way: Way, wheel: Wheel, out: Three) -> Way:
    """The way of a triangle as it is once the wheel has gone out, counted from where it was."""
    if way[3] <= 0.0:
        return way
    t = int(way[4])
    q, _, _ = _from(ground, t, plus(wheel.centre, 1.0, out))
    new = _depth(t, q, math.sqrt(dot(q, q)), read3(ground.front, t), wheel)
    return new[0], new[1], new[2], new[3] + dot(_of(new), out), new[4]


@inner
def _deepest(ground: Ground, m: int, wheel: Wheel, out: Three) -> tuple[Way, int]:
    """Of a mesh the face that is left deepest once a wheel has gone out by a way; all in the axes of its body."""
    centre, radius = wheel.centre, wheel.radius
    u, v = ground.spread[m, 0], ground.spread[m, 1]
    size, low = ground.size[m], read3(ground.low, m)
    left = max(math.floor((centre[u] - radius - low[0]) / size), 0)
    right = min(math.floor((centre[u] + radius - low[0]) / size), ground.cells[m, 0] - 1)
    near = max(math.floor((centre[v] - radius - low[1]) / size), 0)
    far = min(math.floor((centre[v] + radius - low[1]) / size), ground.cells[m, 1] - 1)
    best, found, most = NO_WAY, -1, TIGHT
    for row in range(left, right + 1):
        for column in range(near, far + 1):
            cell = ground.cell[m] + row * ground.cells[m, 1] + column
            for n in range(ground.first[cell], ground.first[cell + 1]):
                t = ground.triangle[n]
                front, a = read3(ground.front, t), less(read3(ground.corner, 3 * t), centre)
                if not dot(front, a) < 0.0:
                    continue
                q, one, two = _from(ground, t, centre)
                high = math.sqrt(dot(q, q))
                if high > radius or not (_faces(ground, t, one, q, high) and _faces(ground, t, two, q, high)):  # fmt: skip
                    continue
                way = _depth(t, q, high, front, wheel)
                rest = way[3] - (way[0] * out[0] + way[1] * out[1] + way[2] * out[2])
                if rest > most:
                    best, found, most = way, t, rest
    return best, found


@inlined
def _clear(way: Way, out: Three) -> bool:
    return way[3] - (way[0] * out[0] + way[1] * out[1] + way[2] * out[2]) <= TIGHT


@inlined
def _of(way: Way) -> Three:
    return way[0], way[1], way[2]


@inlined
def _both(a: Way, b: Way) -> tuple[Three, bool]:
    """The least way out of two faces, and whether both press on it."""
    p, q = _of(a), _of(b)
    c = dot(p, q)
    across = 1.0 - c * c
    if across < 1e-14:
        return p, False
    one, two = a[3] - c * b[3], b[3] - c * a[3]
    return plus(scaled(one / across, p), two / across, q), one >= 0.0 and two >= 0.0


@inlined
def _three(a: Way, b: Way, c: Way) -> tuple[Three, bool]:
    """The way out of three faces at once, and whether all press on it."""
    p, q, r = _of(a), _of(b), _of(c)
    qr, rp, pq = cross(q, r), cross(r, p), cross(p, q)
    det = dot(p, qr)
    if abs(det) < 1e-12:
        return p, False
    out = over(plus(plus(scaled(a[3], qr), b[3], rp), c[3], pq), det)
    presses = dot(out, qr) * det >= 0.0 and dot(out, rp) * det >= 0.0 and dot(out, pq) * det >= 0.0
    return out, presses


@inner
def _out_of(new: Way, a: Way, b: Way, c: Way) -> tuple[Three, Way, Way, Way]:
    """The least way out of four faces, of which the first presses; and which press on it."""
    out = scaled(new[3], _of(new))
    if _clear(a, out) and _clear(b, out) and _clear(c, out):
        return out, new, NO_WAY, NO_WAY
    for one, two, three in ((a, b, c), (b, c, a), (c, a, b)):
        out, presses = _both(new, one)
        if one[3] > 0.0 and presses and _clear(two, out) and _clear(three, out):
            return out, new, one, NO_WAY
    for one, two, three in ((a, b, c), (b, c, a), (c, a, b)):
        out, presses = _three(new, one, two)
        if one[3] > 0.0 and two[3] > 0.0 and presses and _clear(three, out):
            return out, new, one, two
    return scaled(new[3], _of(new)), new, NO_WAY, NO_WAY


@inner
def pressed(
    ground: Ground, m: int, motion: Motion, centre: Three, axle: Three, radius: float, crown: float
) -> tuple[float, Three, float]:
    """How deep a wheel is in a mesh, along which direction in ground axes, and how far along the mesh."""
    body = ground.body[m]
    origin, _ = point_of(motion, body, (0.0, 0.0, 0.0))
    wheel = Wheel(in_axes_of(motion, body, less(centre, origin)), in_axes_of(motion, body, axle), radius, crown)  # fmt: skip
    out = (0.0, 0.0, 0.0)
    one, two, three = NO_WAY, NO_WAY, NO_WAY
    for _ in range(ROUNDS):
        way, found = _deepest(ground, m, wheel, out)
        if found < 0:
            break
        out, one, two, three = _out_of(way, one, two, three)
    if two[3] > 0.0:
        for _ in range(CLOSER):
            one, two, three = _again(ground, one, wheel, out), _again(ground, two, wheel, out), _again(ground, three, wheel, out)  # fmt: skip
            out, one, two, three = _out_of(one, two, three, NO_WAY)
    depth = math.sqrt(dot(out, out))
    if not depth > 0.0:
        return 0.0, axle, 0.0
    way_along = dot(arm_of(motion, body, ground.along, m), less(centre, plus(origin, 1.0, arm_of(motion, body, ground.at, m))))  # fmt: skip
    return depth, from_axes_of(motion, body, over(out, depth)), way_along


def no_ground() -> Ground:
    """None of them."""
    rows, whole = np.zeros((0, 3)), np.zeros(0, np.int64)
    pairs = np.zeros((0, 2), np.int64)
    return Ground(
        rows, rows.copy(), rows.copy(), whole, rows.copy(), rows.copy(), pairs, rows.copy(), np.zeros(0), pairs.copy(), whole.copy(),
        np.zeros(1, np.int64), whole.copy(),
    )  # fmt: skip
