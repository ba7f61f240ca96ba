"""Scaling of two ellipsoids about their centres until they touch in one point (section 7.2.1)."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.ellipsoids import form
from solver.engine.jit.kernels import inner, kernel
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
)


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
