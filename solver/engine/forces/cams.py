"""Points on curves: cams and slots, a spline in the x-y plane of a frame A, and a point of body B on it.

The point's foot on the curve is where `(p - c) . c' = 0`, found by Newton from where it was at the end of the last
step, so that it goes on continuously around a closed curve. With `n` across the curve, `t` along it and
`d = n . (p - c)`, the row holds `d` at the radius of a roller (or nothing). As p moves by v over A, n turns by
`k (t . v) / (1 + k d)`, k being the curvature, so that `d'' = n . p'' + k (t . v)^2 / (1 + k d)`.
Beyond the ends of an open curve its tangent goes on.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.rows import Rows, new_row
from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.forces.constraints import inward, tie
from solver.engine.forces.points import arm_of, axes_of, between, spin_of
from solver.engine.jit.kernels import inner, separate, struct
from solver.engine.maths.spatial import added, cross, dot, less, plus, scaled, write3

CAM_ALONG, CAM_SLIDES, CAM_BEYOND, CAM_SEEN = range(4)
"""What is seen of a point: how far along the curve (by chords) and how fast its foot is, how far beyond an end; and how many."""

TURNS_OF_NEWTON, FOOT_FOUND = 40, 1e-14
"""Rounds in which a foot is found, and change (part of the curve) from which it is."""

FARTHEST_STEP = 0.05
"""Part of the curve that a foot goes at most in a round."""


@struct
class Cams(NamedTuple):
    """Hold curves in frames A and points of B: knots of each curve with coefficients of x, then y, by the way from the knot.

    `at` is where the foot was at the end of the last step, `now` at the last evaluation; `way` is the direction across
    the curve, ground axes. `across` says whether the point is held along A's z, too.
    """

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    R_a: Array
    across: IntArray
    radius: Array
    closed: IntArray
    knots: IntArray
    knot: Array
    poly: Array
    first: IntArray
    at: Array
    now: Array
    seen: Array
    normal: Array


Course = tuple[float, float, float, float, float, float]
"""Place, slope and second derivative of a curve, x and y of each."""


@inner
def curve_in_plane(cams: Cams, n: int, s: float) -> Course:
    """Give a curve's place and its derivatives by the way along it; beyond an open end straight on."""
    first, last = cams.knots[n], cams.knots[n + 1] - 1
    begins, whole = cams.knot[first], cams.knot[last] - cams.knot[first]
    beyond = 0.0
    if cams.closed[n]:
        s -= whole * math.floor((s - begins) / whole)
    else:
        inside = min(max(s, begins), begins + whole)
        beyond, s = s - inside, inside
    low, high = first, last
    while high - low > 1:
        middle = (low + high) // 2
        if cams.knot[middle] <= s:
            low = middle
        else:
            high = middle
    u, c = s - cams.knot[low], cams.poly[low]
    x, y = c[0] + u * (c[1] + u * (c[2] + u * c[3])), c[4] + u * (c[5] + u * (c[6] + u * c[7]))
    dx = c[1] + u * (2.0 * c[2] + u * 3.0 * c[3])
    dy = c[5] + u * (2.0 * c[6] + u * 3.0 * c[7])
    if beyond != 0.0:
        return x + beyond * dx, y + beyond * dy, dx, dy, 0.0, 0.0
    return x, y, dx, dy, 2.0 * c[2] + u * 6.0 * c[3], 2.0 * c[6] + u * 6.0 * c[7]


@inner
def foot_of(cams: Cams, n: int, px: float, py: float, s: float) -> float:
    """Find a point's foot on a curve, from one nearby."""
    first, last = cams.knots[n], cams.knots[n + 1] - 1
    whole = cams.knot[last] - cams.knot[first]
    for _ in range(TURNS_OF_NEWTON):
        x, y, dx, dy, bx, by = curve_in_plane(cams, n, s)
        off = (px - x) * dx + (py - y) * dy
        speed = dx * dx + dy * dy
        falls = speed - (px - x) * bx - (py - y) * by
        # where the point lies beyond the centre of curvature, along the tangent
        step = off / (falls if falls > 0.01 * speed else speed)
        step = min(max(step, -FARTHEST_STEP * whole), FARTHEST_STEP * whole)
        s += step
        if abs(step) <= FOOT_FOUND * whole:
            break
    return s


@separate
def cam_rows(cams: Cams, motion: Motion, rows: Rows) -> None:
    """Add the rows of all points on curves."""
    for n in range(len(cams.a)):
        i, j, seen = cams.a[n], cams.b[n], cams.seen[n]
        arm_i, arm_j = arm_of(motion, i, cams.at_a, n), arm_of(motion, j, cams.at_b, n)
        way, rate = between(motion, i, arm_i, j, arm_j)
        x, y, z = axes_of(motion, i, cams.R_a, n)
        spin, arm_i = spin_of(motion, i), added(arm_i, way)
        rate = less(rate, cross(spin, way))
        lift = less(inward(motion, i, arm_i), inward(motion, j, arm_j))
        lift = plus(lift, 2.0, cross(spin, rate))
        px, py = dot(x, way), dot(y, way)
        s = foot_of(cams, n, px, py, cams.at[n])
        cx, cy, dx, dy, bx, by = curve_in_plane(cams, n, s)
        speed = math.sqrt(dx * dx + dy * dy)
        tx, ty = dx / speed, dy / speed
        bent = (dx * by - dy * bx) / speed**3
        normal = plus(scaled(ty, x), -tx, y)
        off = ty * (px - cx) - tx * (py - cy)
        along = dot(plus(scaled(tx, x), ty, y), rate)
        turns = bent / max(1.0 + bent * off, 1e-9)
        first, last = cams.knots[n], cams.knots[n + 1] - 1
        cams.now[n] = s
        seen[CAM_ALONG] = s
        seen[CAM_SLIDES] = along * (turns / bent if bent != 0.0 else 1.0)
        seen[CAM_BEYOND] = 0.0
        if not cams.closed[n]:
            seen[CAM_BEYOND] = speed * max(s - cams.knot[last], cams.knot[first] - s, 0.0)
        write3(cams.normal, n, normal)
        cams.first[n] = rows.used[0]
        r = new_row(rows)
        tie(rows, motion, r, i, j, arm_i, arm_j, normal)
        rows.error[r] = cams.radius[n] - off
        rows.bias[r] = dot(normal, lift) - turns * along * along
        if cams.across[n]:
            r = new_row(rows)
            tie(rows, motion, r, i, j, arm_i, arm_j, z)
            rows.error[r], rows.bias[r] = -dot(z, way), dot(z, lift)


@inner
def keep_feet(cams: Cams) -> None:
    """Let the feet last found be those from which the next are looked for."""
    for n in range(len(cams.a)):
        cams.at[n] = cams.now[n]
