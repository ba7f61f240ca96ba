"""The hollows of the depth of two bodies that overlap, and which of them is the least deep.

Along a unit vector n the bodies overlap by `h_A(n) + h_B(-n) - n . m`, m joining their centres: so far one
must go along n to be clear of the other. The depth is the least of it over all n, which is the
distance of m from the border of the bodies' Minkowski sum (Cameron, Culley, Determining the minimum
translational distance between two convex polyhedra, IEEE Robotics and Automation, 1986). It changes
evenly as the bodies move, but the least may pass from one hollow to another: there depth has a kink and
the normal jumps.

A ball of the radius d that touches the border of the sum from inside where a hollow of the depth d
lies, and is nowhere outside, proves that no other hollow is less deep. It is the sum of two such balls in
the bodies. The largest one that touches an ellipsoid from inside where the normal is n has the
radius `c^2 / h(n)`, c being the least semi-axis: its centre lies in the plane of the two others, which
holds all points that have two nearest ones. In a hyperellipsoid it is the one that rolls everywhere.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.forces.deepest import OUTSIDE, deepest_points
from solver.forces.ellipsoids import shape_of
from solver.forces.hyper import support
from solver.forces.meeting import STATE, follow, slopes
from solver.forces.points import along_axes, to_ground
from solver.forces.scaling import common_scale
from solver.forces.surfaces import Surfaces
from solver.forces.touch import NO_RIVAL, Touch
from solver.maths.kernels import inner

BEST = 38
"""Where the hollow found stands in the room: normal, ground axes, and the first body's point, own axes."""

ALIKE = 1.0 - 1e-6
"""Cosine from which two normals are of one hollow."""

STARTS = 7
"""Normals to start from: that of the ellipsoids scaled until they touch, and the axes of both bodies."""

TILT = 0.05
"""By how much a hyperellipsoid's start leans from an axis, where flat faces have no curvature (rad)."""

SLIDES = 30
"""Most steps down a hyperellipsoid's hollow before Newton's method takes over."""

LEVEL = 1e-3
"""Slope, in parts of the bodies, from which Newton's method takes over."""


@inner
def is_least(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, depth: float, x: Array
) -> bool:
    """Say whether no other hollow can be less deep; `x` holds normal and first body's point."""
    on_a = x[1] * x[5] + x[2] * x[6] + x[3] * x[7]
    on_b = depth + x[1] * mx + x[2] * my + x[3] * mz - on_a
    # the ball that rolls in an ellipsoid has the radius c^2 / a, and a is its reach
    ball_a, ball_b = surfaces.ball[a], surfaces.ball[b]
    if not surfaces.is_hyper[a]:
        ball_a *= surfaces.reach[a] / on_a
    if not surfaces.is_hyper[b]:
        ball_b *= surfaces.reach[b] / on_b
    return bool(depth <= ball_a + ball_b)


@inner
def least_other(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, touch: Touch, known: bool
) -> float:
    """Give the least depth over all hollows, but for that of `x`'s normal if it is known; none: `NO_RIVAL`.

    It starts from normals that belong to the pose alone.
    """
    x, ta, tb = touch.x, touch.turn_a, touch.turn_b
    is_hyper = surfaces.is_hyper[a] or surfaces.is_hyper[b]
    m, least = (mx, my, mz), NO_RIVAL
    p, q = shape_of(ta, surfaces.semi, a), shape_of(tb, surfaces.semi, b)
    for start in range(STARTS):
        if start == 0:
            # of ellipsoids that are apart, the one along which they are
            (nx, ny, nz), _ = common_scale(p, q, m, 0.0)
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            nx, ny, nz = nx / size, ny / size, nz / size
        else:
            turn, n = ta if start < 4 else tb, (start - 1) % 3
            nx, ny, nz = turn[n], turn[3 + n], turn[6 + n]
        # the other way round it is deeper
        if nx * mx + ny * my + nz * mz < 0.0:
            nx, ny, nz = -nx, -ny, -nz
        if is_hyper:
            depth, nx, ny, nz, px, py, pz = _down(surfaces, a, b, mx, my, mz, nx, ny, nz, touch)
        else:
            got = deepest_points(p, q, m, (nx, ny, nz), OUTSIDE)
            depth = got.depth
            nx, ny, nz = got.normal
            ax, ay, az = got.on_a
            px, py, pz = along_axes(ta, ax, ay, az)
        if known and nx * x[1] + ny * x[2] + nz * x[3] > ALIKE:
            continue
        if depth < least:
            least = depth
            x[BEST], x[BEST + 1], x[BEST + 2] = nx, ny, nz
            x[BEST + 3], x[BEST + 4], x[BEST + 5] = px, py, pz
    return least


@inner
def _overlap(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float,
    nx: float, ny: float, nz: float, touch: Touch, r: int,
) -> float:  # fmt: skip
    """Give by how much two bodies overlap along a unit vector.

    Row r of the room takes its slope along that vector's components, and the first body's point.
    """
    room = touch.triangle
    ax, ay, az = support(surfaces, a, touch.turn_a, nx, ny, nz)
    bx, by, bz = support(surfaces, b, touch.turn_b, -nx, -ny, -nz)
    sx, sy, sz = ax - bx - mx, ay - by - my, az - bz - mz
    depth = nx * sx + ny * sy + nz * sz
    room[r, 0], room[r, 1], room[r, 2] = sx - depth * nx, sy - depth * ny, sz - depth * nz
    room[r, 3], room[r, 4], room[r, 5] = ax, ay, az
    return depth


@inner
def _down(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float,
    nx: float, ny: float, nz: float, touch: Touch,
) -> tuple[float, float, float, float, float, float, float]:  # fmt: skip
    """Find the hollow that a normal leads to: depth, normal, and the first body's point in own axes.

    Steps lead straight down until Newton's method, which seeks points, finds its way from there.
    """
    room, x, turn = touch.triangle, touch.x, touch.turn_a
    size = surfaces.reach[a] + surfaces.reach[b]
    # off the axis, by three numbers that no symmetry has
    nx, ny, nz = nx + 0.81 * TILT, ny + 0.47 * TILT, nz + 0.33 * TILT
    n = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz, step = nx / n, ny / n, nz / n, 1.0 / size
    depth = _overlap(surfaces, a, b, mx, my, mz, nx, ny, nz, touch, 3)
    for _ in range(SLIDES):
        gx, gy, gz = room[3, 0], room[3, 1], room[3, 2]
        if math.sqrt(gx * gx + gy * gy + gz * gz) < LEVEL * size:
            break
        tx, ty, tz = nx - step * gx, ny - step * gy, nz - step * gz
        n = math.sqrt(tx * tx + ty * ty + tz * tz)
        tx, ty, tz = tx / n, ty / n, tz / n
        there = _overlap(surfaces, a, b, mx, my, mz, tx, ty, tz, touch, 2)
        if there < depth:
            nx, ny, nz, depth, step = tx, ty, tz, there, 2.0 * step
            for c in range(6):
                room[3, c] = room[2, c]
        else:
            step *= 0.3
    x[STATE], x[STATE + 1], x[STATE + 2] = along_axes(turn, room[3, 3], room[3, 4], room[3, 5])
    slopes(surfaces, a, x[STATE], x[STATE + 1], x[STATE + 2], room, 0)
    x[STATE + 3] = depth / math.sqrt(room[0, 0] ** 2 + room[0, 1] ** 2 + room[0, 2] ** 2)
    if not follow(surfaces, a, b, 1.0, room, x):
        return NO_RIVAL, nx, ny, nz, 0.0, 0.0, 0.0
    gx, gy, gz = room[0, 0], room[0, 1], room[0, 2]
    n = math.sqrt(gx * gx + gy * gy + gz * gz)
    gx, gy, gz, depth = gx / n, gy / n, gz / n, x[STATE + 3] * n
    nx, ny, nz = to_ground(turn, gx, gy, gz)
    return depth, nx, ny, nz, x[STATE], x[STATE + 1], x[STATE + 2]
