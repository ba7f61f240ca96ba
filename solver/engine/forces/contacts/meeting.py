"""Where two bodies meet, by Newton's method from where they met before (sections 7.2.1, 7.4).

The second body is mirrored, so that the sum `x + x'` of one point of each reaches the border of their
Minkowski sum where both have their gradients (of `sum |x_i / a_i|^p_i`) parallel. Sought is the sum
that lies on the line `m + t d`, m being the line of centres:

- d along m: both bodies scaled by `e = 1 / (1 + t)` touch in one point. Sums of convex bodies leave
  one answer, so whatever is found is that of the search in `hyper.py`;
- d along the gradient at x: both have the normal in common, and t d is how deep they overlap.

Unknown are x, t and the ratio of both gradients. Points rather than normals are sought: on a flat face
of high power the normal hardly says where.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import Touch
from solver.engine.forces.surfaces import Surfaces
from solver.engine.jit.kernels import inlined, inner, separate
from solver.engine.maths.hyperellipsoids import raised
from solver.engine.maths.spatial import (
    Table,
    Three,
    cross,
    dot,
    each,
    each_over,
    length,
    mat_on,
    plus,
    read,
    scaled,
    sym_on,
    transpose_on,
    turned_diagonal,
    write,
)

MET, EXTRA = 4, 7
"""Entries of a warm start: the point of the first body, own axes; 1 + t, zero if there is none."""

WARM = 12
"""Columns of a warm start: the normal and the start of ellipsoids stand first, deepest points last."""

GRADIENT, LINE, STATE, SCALE = 15, 24, 27, 32
"""Where things stand in `touch.x`, first body's axes: its gradient at the point, the line of centres;
point, t and ratio of gradients; d along the centres, in parts of their line."""

MEETING_ROUNDS = 12
"""Rounds after which the search is left to do it."""

SMALL = 1e-7
"""Last step, in parts of the bodies and times their powers; what is left is of its square."""

FAR = 0.5
"""Step in parts of the bodies that is no longer one of Newton's method from nearby."""


@inner
def slopes(surfaces: Surfaces, k: int, at: Three) -> tuple[float, Three, Three]:
    """The sum of powers of a body at a point, own axes, its gradient and its curvatures."""
    s, p = read(surfaces.semi[k], 0), read(surfaces.power[k], 0)
    part = each_over(at, s)
    low = (_power(part[0], p[0]), _power(part[1], p[1]), _power(part[2], p[2]))
    gradient = each_over(each(each(p, low), part), s)
    bend = each_over(each(each(p, (p[0] - 1.0, p[1] - 1.0, p[2] - 1.0)), low), each(s, s))
    return dot(each(low, part), part), gradient, bend


@inlined
def _power(x: float, p: float) -> float:
    """Give |x|^(p - 2)."""
    return raised(abs(x), p - 2.0)


@inlined
def _solved(rows: tuple[Three, Three, Three], det: float, b: Three) -> Three:
    """The solution of three equations by the rows of the adjugate."""
    return dot(rows[0], b) / det, dot(rows[1], b) / det, dot(rows[2], b) / det


@inlined
def _largest(a: Three, semi: Array, k: int) -> float:
    """The largest part of a way, in parts of the semi-axes."""
    s = read(semi[k], 0)
    return max(abs(a[0]) / s[0], abs(a[1]) / s[1], abs(a[2]) / s[2])


@inner
def follow(surfaces: Surfaces, a: int, b: int, part: float, touch: Touch) -> bool:
    """Find the points for a direction that has turned by that part, from the state there is.

    Says whether they were found.
    """
    x, turn, semi, power = touch.x, touch.turn_ab, surfaces.semi, surfaces.power
    m, scale = read(x, LINE), (1.0 - part) * x[SCALE]
    steep = max(power[a, 0], power[a, 1], power[a, 2], power[b, 0], power[b, 1], power[b, 2])
    at, t, ratio = read(x, STATE), x[STATE + 3], x[STATE + 4]
    for n in range(MEETING_ROUNDS):
        on_a, g, bend = slopes(surfaces, a, at)
        d = plus(scaled(scale, m), part, g)
        # the mirrored second body's point, and its gradient
        there = transpose_on(turn, plus(plus(m, t, d), -1.0, at))
        on_b, own, w = slopes(surfaces, b, there)
        h = mat_on(turn, own)
        if n == 0:
            ratio = dot(g, h) / dot(h, h)
        K = turned_diagonal(turn, scaled(ratio, w))
        # curvatures of both, those of the second for its own way: (1 - t part U) of the first's
        f = (1.0 - t * part * bend[0], 1.0 - t * part * bend[1], 1.0 - t * part * bend[2])
        c0 = (bend[0] + K[0] * f[0], K[3] * f[0], K[4] * f[0])
        c1 = (K[3] * f[1], bend[1] + K[1] * f[1], K[5] * f[1])
        c2 = (K[4] * f[2], K[5] * f[2], bend[2] + K[2] * f[2])
        rows = (cross(c1, c2), cross(c2, c0), cross(c0, c1))
        det = dot(c0, rows[0])
        # the step by itself, for each part of t and for each of the ratio
        by_self = _solved(rows, det, plus(scaled(ratio, h), -1.0, g))
        by_t = _solved(rows, det, sym_on(K, d))
        by_ratio = _solved(rows, det, h)
        # both points stay on their bodies
        back = each(f, h)
        f1, f2 = 1.0 - on_a - dot(g, by_self), 1.0 - on_b + dot(back, by_self)
        h11, h12 = dot(g, by_t), dot(g, by_ratio)
        h21, h22 = dot(h, d) - dot(back, by_t), -dot(back, by_ratio)
        det = h11 * h22 - h12 * h21
        dt, dr = (f1 * h22 - f2 * h12) / det, (h11 * f2 - h21 * f1) / det
        way = plus(plus(by_self, dt, by_t), dr, by_ratio)
        at, t, ratio = plus(at, 1.0, way), t + dt, ratio + dr
        moved = transpose_on(turn, plus(scaled(dt, d), -1.0, each(f, way)))
        step = max(_largest(way, semi, a), _largest(moved, semi, b))
        if not (step < FAR and ratio > 0.0 and (1.0 + t * scale > 0.0 if part == 0.0 else t > 0.0)):
            return False
        if steep * step < SMALL and abs(dr) < SMALL * ratio:
            write(x, STATE, at)
            x[STATE + 3], x[STATE + 4] = t, ratio
            # taken along by the last step
            write(x, GRADIENT, plus(g, 1.0, each(bend, way)))
            return True
    return False


@inner
def set_out(m: Three, touch: Touch) -> None:
    """Put axes of the second body and line of centres, as the first body has them, in place."""
    for n in range(3):
        axis = (touch.turn_b[n], touch.turn_b[3 + n], touch.turn_b[6 + n])
        touch.turn_ab[n], touch.turn_ab[3 + n], touch.turn_ab[6 + n] = transpose_on(
            touch.turn_a, axis
        )
    write(touch.x, LINE, transpose_on(touch.turn_a, m))


@inner
def bring_back(touch: Touch) -> None:
    """Give normal and point of the first body, ground axes."""
    x = touch.x
    gradient = read(x, GRADIENT)
    write(x, 1, mat_on(touch.turn_a, scaled(1.0 / length(gradient), gradient)))
    write(x, 5, mat_on(touch.turn_a, read(x, STATE)))


@separate
def closest_points(
    surfaces: Surfaces, a: int, b: int, m: Three, warm: Table, k: int, touch: Touch
) -> bool:
    """Scale two bodies, whose centres are m apart, until they touch; says no where that fails.

    `touch.x` takes what `touch_scaled` gives.
    """
    if not warm[k, EXTRA] > 0.0:
        return False
    x = touch.x
    set_out(m, touch)
    write(x, STATE, read(warm[k], MET))
    x[STATE + 3], x[SCALE] = warm[k, EXTRA] - 1.0, 1.0
    if not follow(surfaces, a, b, 0.0, touch):
        return False
    extra = 1.0 + x[STATE + 3]
    write(warm[k], MET, read(x, STATE))
    warm[k, EXTRA] = extra
    bring_back(touch)
    x[0], x[4] = 1.0 / extra, extra * dot(read(x, 1), m)
    return True


@inner
def keep_meeting(warm: Array, k: int, touch: Touch) -> None:
    """Keep what a search has found, to begin with the next time."""
    write(warm[k], MET, transpose_on(touch.turn_a, read(touch.x, 5)))
    warm[k, EXTRA] = 1.0 / touch.x[0]
