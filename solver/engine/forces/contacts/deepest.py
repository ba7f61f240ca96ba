"""Where two ellipsoids lie deepest in each other, or nearest to each other (section 7.4.2).

`m` runs from A's centre to B's, and the normal `t` points out of A into B.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.forces.contacts.ellipsoids import across, radii
from solver.engine.forces.contacts.scaling import common_scale
from solver.engine.jit.kernels import inlined, kernel
from solver.engine.maths.spatial import Symmetric, Three, dot, length, plus, scaled, sym_on

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
