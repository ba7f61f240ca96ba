"""Two ellipsoids: as matrices, scaled until they touch, and where they lie deepest in each other (7.2.1, 7.4.2).

One is given by `Q = R diag(semi^2) R^T` as (xx, yy, zz, xy, xz, yz); its support is `h(t) = sqrt(t . Q t)`.

`m` runs from A's centre to B's, and the normal `t` points out of A into B.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array
from solver.engine.jit.kernels import inlined, inner, kernel
from solver.engine.maths.spatial import (
    Symmetric,
    Three,
    dot,
    length,
    plus,
    scaled,
    sym_mixed,
    sym_on,
    sym_solved,
    turned_diagonal,
)

# Ellipsoids as matrices.


@kernel
def shape_of(turn: Array, semi: Array, k: int) -> Symmetric:
    """Return Q of the semi-axes in row k, turned."""
    return turned_diagonal(turn, (semi[k, 0] ** 2, semi[k, 1] ** 2, semi[k, 2] ** 2))


@inlined
def form(q: Symmetric, x: Three, y: Three) -> float:
    """Return x . Q y."""
    return dot(x, sym_on(q, y))


@kernel
def across(t: Three) -> tuple[Three, Three]:
    """Two unit vectors across a unit vector."""
    x, y, z = t
    s = math.copysign(1.0, z)
    p = -1.0 / (s + z)
    q = x * y * p
    return (1.0 + s * x * x * p, s * q, -s * x), (q, s + y * y * p, -y)


@kernel
def radii(q: Symmetric, t: Three, e: Three, g: Three) -> Three:
    """The tangential part (ee, gg, eg) of the second derivative of the support.

    Its eigenvalues are the principal radii of curvature where the normal is t.
    """
    u, qe, qg = sym_on(q, t), sym_on(q, e), sym_on(q, g)
    h = math.sqrt(dot(u, t))
    eu, gu = dot(u, e) / h, dot(u, g) / h
    return (dot(qe, e) - eu * eu) / h, (dot(qg, g) - gu * gu) / h, (dot(qe, g) - eu * gu) / h


# Scaling of two ellipsoids about their centres until they touch in one point (section 7.2.1).


@kernel
def common_scale(a: Symmetric, b: Symmetric, m: Three, start: float) -> tuple[Three, float]:
    """Scale two ellipsoids until they touch from outside: a vector along the normal, and a warm start.

    With `S = (1 - s) A + s B` and `S x = m`, the point is `(1 - s) A x` from the first centre and
    `s B x` from the second; both factors `(1 - s)^2 x.Ax` and `s^2 x.Bx` are equal at one s between
    0 and 1, where both are `s (1 - s) x.m` (Perram, Wertheim, 1985). Their ratio's logarithm falls
    steadily with `u = log(s / (1 - s))`, for spheres along a straight line, so that Newton's method
    inside a bracket always ends.
    """
    low, high, u = -50.0, 50.0, start
    x = m
    for _ in range(100):
        s = 1.0 / (1.0 + math.exp(-u))
        r = 1.0 - s if u < 0.0 else math.exp(-u) * s
        both = sym_mixed(r, a, s, b)
        x, _ = sym_solved(both, m)
        ax, bx = sym_on(a, x), sym_on(b, x)
        aa, bb = dot(x, ax), dot(x, bx)
        off = 2.0 * math.log(r / s) + math.log(aa / bb)
        if abs(off) < 1e-13:
            break
        if off > 0.0:
            low = u
        else:
            high = u
        # S x' = -(B - A) x, for a change of s
        d, _ = sym_solved(both, plus(ax, -1.0, bx))
        slope = 2.0 * (dot(d, ax) / aa - dot(d, bx) / bb)
        slope = -2.0 + slope * r * s
        step = -off / slope if slope < 0.0 else 1e300
        after = u + step
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - u) < 1e-15 * (1.0 + abs(u)):
            break
        u = after
    return x, u


@kernel
def opposite_scale(
    a: Symmetric, b: Symmetric, m: Three, last: Array, k: int
) -> tuple[float, Three]:
    """Scale one ellipsoid inside another until it touches, the outer by the inverse: factor, and y.

    With `(B - c A) y = -m` the point is `c A y` from the inner centre and `B y` from the outer; the
    product of both factors grows steadily with c from 0 until `B - c A` is singular. Where it stays
    below 1 even there, both sides of the inner one touch alike, and the side of `last` is taken.
    """
    low, high, out = 0.0, min(b[0] / a[0], b[1] / a[1], b[2] / a[2]), scaled(-1.0, m)
    c, y, aa, bb = 0.5 * high, out, 0.0, 0.0
    for _ in range(200):
        left = sym_mixed(1.0, b, -c, a)
        y, det = sym_solved(left, out)
        after = -1.0
        if det > 0.0 and left[0] * left[1] - left[3] * left[3] > 0.0 and left[0] > 0.0:
            ay, by = sym_on(a, y), sym_on(b, y)
            aa, bb = dot(y, ay), dot(y, by)
            size = c * math.sqrt(aa * bb)
            if abs(size - 1.0) < 1e-14:
                break
            if size < 1.0:
                low = c
            else:
                high = c
            d, _ = sym_solved(left, ay)
            if size > 0.0:
                # Newton for size^(-1/2) = 1, which falls almost along a straight line
                slope = 1.0 / c + dot(ay, d) / aa + dot(by, d) / bb
                after = c + 2.0 * (1.0 - math.sqrt(size)) / slope
        else:
            high = c
        if not low < after < high:
            after = 0.5 * (low + high)
        if high - low < 1e-15 * high or after == c:
            break
        c = after
    if not c * math.sqrt(aa * bb) > 1.0 - 1e-9:
        y = _both_sides(a, b, low, out, last, k)
        aa = form(a, y, y)
        c = low
    return c * math.sqrt(aa), y


@inner
def _both_sides(a: Symmetric, b: Symmetric, c: float, out: Three, last: Array, k: int) -> Three:
    """Give y where the inner ellipsoid touches on two sides alike, on that of the last normal."""
    c *= 1.0 - 1e-12
    left = sym_mixed(1.0, b, -c, a)
    middle, _ = sym_solved(left, out)
    # no start of the iteration may lie across what it looks for
    x = (last[k, 0] + 6e-4, last[k, 1] + 4.8e-4, last[k, 2] + 6.4e-4)
    # the direction that is singular, by inverse iteration
    for _ in range(4):
        x, _ = sym_solved(left, x)
        x = scaled(1.0 / length(x), x)
    low, high = 0.0, 1.0 / math.sqrt(c * math.sqrt(form(a, x, x) * form(b, x, x)))
    for _ in range(60):
        f = 0.5 * (low + high)
        y = plus(middle, f, x)
        if c * math.sqrt(form(a, y, y) * form(b, y, y)) < 1.0:
            low = f
        else:
            high = f
    return plus(middle, low, x)


# Where two ellipsoids lie deepest in each other, or nearest to each other (section 7.4.2).

OUTWARD, INWARD = 1.0, -1.0

DEEPEST_ROUNDS = 80
"""Most evaluations in a search for the deepest points; from a near normal it takes two or three."""


class Deepest(NamedTuple):
    """The pair of deepest points, from A's centre; a negative depth is a gap."""

    depth: float
    normal: Three
    on_a: Three
    on_b: Three
    rounds: int


@kernel
def downhill(g0: float, g1: float, m00: float, m11: float, m01: float) -> tuple[float, float]:
    """Give Newton's step where the surface is hollow, else one that leads down and off saddles."""
    det = m00 * m11 - m01 * m01
    if det > 0.0 and m00 > 0.0:
        x, y = (m01 * g1 - m11 * g0) / det, (m01 * g0 - m00 * g1) / det
    else:
        mean, half = 0.5 * (m00 + m11), 0.5 * (m00 - m11)
        spread = math.sqrt(half * half + m01 * m01)
        # unit vector of the larger curvature, from the double angle
        c = math.sqrt(max(0.5 + 0.5 * half / spread, 0.0)) if spread > 0.0 else 1.0
        s = math.copysign(math.sqrt(max(1.0 - c * c, 0.0)), m01)
        high, low = c * g0 + s * g1, c * g1 - s * g0
        tiny = 1e-300 + 1e-3 * (abs(m00) + abs(m11))
        p = -high / max(abs(mean + spread), tiny)
        q = -low / max(abs(mean - spread), tiny)
        if mean - spread < -1e-9 * (abs(m00) + abs(m11)):
            q = math.copysign(max(abs(q), 0.1), q)
        x, y = c * p - s * q, s * p + c * q
    length = math.sqrt(x * x + y * y)
    if length > 0.7:
        x, y = 0.7 * x / length, 0.7 * y / length
    return x, y


@kernel
def deepest_points(a: Symmetric, b: Symmetric, m: Three, start: Three, sign: float) -> Deepest:
    """Find the normal that two ellipsoids share at their deepest points (EDEPTH, 7.34 to 7.43).

    It makes `h_A(t) + sign (h_B(t) - t . m)` least, the depth, by Newton's method on the sphere
    with steps that must lead down; it ends in the hollow that the start leads to, or of a pair not seen
    before the normal at which both, scaled about their centres, touch. OUTSIDE the bodies press on each
    other, INSIDE B lies within A and a positive value is the gap left.
    """
    t = start
    if not 0.5 < length(t) < 2.0:
        t, _ = common_scale(a, b, m, 0.0)
        if not 0.0 < length(t) < math.inf:
            t = (1.0, 0.0, 0.0)
    t = scaled(1.0 / length(t), t)
    before, way = t, (0.0, 0.0, 0.0)
    slope, part, least, step, rounds = 0.0, 1.0, math.inf, 0.0, 0
    for rounds in range(1, DEEPEST_ROUNDS + 1):  # noqa: B007
        u, v = sym_on(a, t), sym_on(b, t)
        ha, hb = math.sqrt(dot(u, t)), math.sqrt(dot(v, t))
        gap = plus(scaled(1.0 / hb, v), -1.0, m)
        r = plus(scaled(1.0 / ha, u), sign, gap)
        f = dot(r, t)
        noise = 2e-15 * (ha + hb + abs(m[0]) + abs(m[1]) + abs(m[2]))
        rise = f - least - part * slope
        if f > least + 1e-4 * part * slope + noise and part > 1e-9:
            # too far: back to where a parabola has its bottom
            part *= min(max(-0.5 * part * slope / rise, 0.1), 0.5)
        else:
            if part == 1.0 and 0.0 < step < 1e-8:
                break
            e, g = across(t)
            ee, gg, eg = radii(a, t, e, g)
            e2, g2, eg2 = radii(b, t, e, g)
            g0, g1 = dot(r, e), dot(r, g)
            x, y = downhill(g0, g1, ee + sign * e2 - f, gg + sign * g2 - f, eg + sign * eg2)
            step = math.sqrt(x * x + y * y)
            if step == 0.0:
                break
            way, slope = plus(scaled(x, e), y, g), g0 * x + g1 * y
            before, part, least = t, 1.0, f
        t = plus(before, part, way)
        t = scaled(1.0 / length(t), t)
    return points_along(a, b, m, t, sign, rounds)


@inlined
def points_along(
    a: Symmetric, b: Symmetric, m: Three, t: Three, sign: float, rounds: int
) -> Deepest:
    """The points of both surfaces that a normal belongs to."""
    u, v = sym_on(a, t), sym_on(b, t)
    ha, hb = math.sqrt(dot(u, t)), math.sqrt(dot(v, t))
    depth = ha + sign * (hb - dot(t, m))
    return Deepest(depth, t, scaled(sign / ha, u), plus(m, -1.0 / hb, v), rounds)
