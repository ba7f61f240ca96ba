"""Where two ellipsoids lie deepest in each other, or nearest to each other (section 7.4.2).

`m` runs from A's centre to B's, and the normal `t` points out of A into B.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.forces.ellipsoids import Six, across, mixed, radii, solved, times
from solver.maths.kernels import inlined, kernel
from solver.maths.vectors import Three

OUTSIDE, INSIDE = 1.0, -1.0

ROUNDS = 80
"""Most evaluations in a search for the deepest points; from a near normal it takes two or three."""


class Deepest(NamedTuple):
    """Hold the pair of deepest points, from A's centre; a negative depth is a gap."""

    depth: float
    normal: Three
    on_a: Three
    on_b: Three
    rounds: int


@kernel
def first_normal(a: Six, b: Six, m: Three) -> Three:
    """Give a direction from which to search the deepest points of a pair not seen before.

    It is the normal at m of the ellipsoid of least trace around the sum of both: along the centre
    line for spheres, across the surface of a large flat one for a small one beside its rim.
    """
    s = 1.0 / math.sqrt(a[0] + a[1] + a[2])
    r = 1.0 / math.sqrt(b[0] + b[1] + b[2])
    x, y, z, _ = solved(mixed(a, b, s, r), m)
    size = math.sqrt(x * x + y * y + z * z)
    if not 0.0 < size < math.inf:
        return 1.0, 0.0, 0.0
    return x / size, y / size, z / size


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
def deepest_points(a: Six, b: Six, m: Three, start: Three, sign: float) -> Deepest:
    """Find the normal that two ellipsoids share at their deepest points (EDEPTH, 7.34 to 7.43).

    It makes `h_A(t) + sign (h_B(t) - t . m)` least, the depth, by Newton's method on the sphere
    with steps that must lead down; it ends in the hollow that the start leads to. OUTSIDE the
    bodies press on each other, INSIDE B lies within A and a positive value is the gap left.
    """
    mx, my, mz = m
    tx, ty, tz = start
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    if not 0.5 < size < 2.0:
        tx, ty, tz = first_normal(a, b, m)
        size = 1.0
    tx, ty, tz = tx / size, ty / size, tz / size
    ox, oy, oz = tx, ty, tz
    dx = dy = dz = slope = 0.0
    part, least, step = 1.0, math.inf, 0.0
    rounds = 0
    for rounds in range(1, ROUNDS + 1):  # noqa: B007
        ux, uy, uz = times(a, tx, ty, tz)
        vx, vy, vz = times(b, tx, ty, tz)
        ha = math.sqrt(ux * tx + uy * ty + uz * tz)
        hb = math.sqrt(vx * tx + vy * ty + vz * tz)
        rx = ux / ha + sign * (vx / hb - mx)
        ry = uy / ha + sign * (vy / hb - my)
        rz = uz / ha + sign * (vz / hb - mz)
        f = rx * tx + ry * ty + rz * tz
        noise = 2e-15 * (ha + hb + abs(mx) + abs(my) + abs(mz))
        rise = f - least - part * slope
        if f > least + 1e-4 * part * slope + noise and part > 1e-9:
            # too far: back to where a parabola has its bottom
            part *= min(max(-0.5 * part * slope / rise, 0.1), 0.5)
        else:
            if part == 1.0 and 0.0 < step < 1e-8:
                break
            e, g = across((tx, ty, tz))
            ee, gg, eg = radii(a, (tx, ty, tz), e, g)
            e2, g2, eg2 = radii(b, (tx, ty, tz), e, g)
            g0 = rx * e[0] + ry * e[1] + rz * e[2]
            g1 = rx * g[0] + ry * g[1] + rz * g[2]
            x, y = downhill(g0, g1, ee + sign * e2 - f, gg + sign * g2 - f, eg + sign * eg2)
            step = math.sqrt(x * x + y * y)
            if step == 0.0:
                break
            dx, dy, dz = x * e[0] + y * g[0], x * e[1] + y * g[1], x * e[2] + y * g[2]
            slope = g0 * x + g1 * y
            part, least = 1.0, f
            ox, oy, oz = tx, ty, tz
        tx, ty, tz = ox + part * dx, oy + part * dy, oz + part * dz
        size = math.sqrt(tx * tx + ty * ty + tz * tz)
        tx, ty, tz = tx / size, ty / size, tz / size
    return _pair(a, b, m, (tx, ty, tz), sign, rounds)


@inlined
def _pair(a: Six, b: Six, m: Three, t: Three, sign: float, rounds: int) -> Deepest:
    """Give the points of both surfaces that a normal belongs to."""
    ux, uy, uz = times(a, t[0], t[1], t[2])
    vx, vy, vz = times(b, t[0], t[1], t[2])
    ha = math.sqrt(ux * t[0] + uy * t[1] + uz * t[2])
    hb = math.sqrt(vx * t[0] + vy * t[1] + vz * t[2])
    depth = ha + sign * (hb - t[0] * m[0] - t[1] * m[1] - t[2] * m[2])
    s = sign / ha
    on_b = (m[0] - vx / hb, m[1] - vy / hb, m[2] - vz / hb)
    return Deepest(depth, t, (s * ux, s * uy, s * uz), on_b, rounds)
