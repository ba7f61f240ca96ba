"""Scaling of two ellipsoids about their centres until they touch in one point (section 7.2.1)."""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.maths.kernels import inlined, inner, kernel


@inlined
def solve_three(
    xx: float, yy: float, zz: float, xy: float, xz: float, yz: float, mx: float, my: float, mz: float
) -> tuple[float, float, float, float, float]:  # fmt: skip
    """Solve a symmetric system of three; give the solution, determinant and second minor too."""
    c0, c1, c2 = yy * zz - yz * yz, xz * yz - xy * zz, xy * yz - xz * yy
    det = xx * c0 + xy * c1 + xz * c2
    c3, c4, c5 = xx * zz - xz * xz, xy * xz - xx * yz, xx * yy - xy * xy
    return (
        (c0 * mx + c1 * my + c2 * mz) / det,
        (c1 * mx + c3 * my + c4 * mz) / det,
        (c2 * mx + c4 * my + c5 * mz) / det,
        det,
        c5,
    )


@inlined
def form_of(Q: Array, x: float, y: float, z: float, u: float, v: float, w: float) -> float:
    """Give (x, y, z) . Q (u, v, w)."""
    return float(
        x * (Q[0] * u + Q[3] * v + Q[4] * w)
        + y * (Q[3] * u + Q[1] * v + Q[5] * w)
        + z * (Q[4] * u + Q[5] * v + Q[2] * w)
    )


@kernel
def common_normal(
    P: Array, Q: Array, mx: float, my: float, mz: float, start: float
) -> tuple[float, float, float, float]:
    """Scale two ellipsoids until they touch from outside: the normal there, and a warm start.

    With `S = (1 - s) P + s Q` and `S x = m`, the point is `(1 - s) P x` from the first centre and
    `s Q x` from the second; both factors `(1 - s)^2 x.Px` and `s^2 x.Qx` are equal at one s between
    0 and 1. Their ratio's logarithm falls steadily with `u = log(s / (1 - s))`, for spheres along a
    straight line, so that Newton's method inside a bracket always ends.
    """
    low, high, u = -50.0, 50.0, start
    x = y = z = s = pp = 0.0
    for _ in range(100):
        s = 1.0 / (1.0 + math.exp(-u))
        r = 1.0 - s if u < 0.0 else math.exp(-u) * s
        x, y, z, _, _ = solve_three(
            r * P[0] + s * Q[0], r * P[1] + s * Q[1], r * P[2] + s * Q[2],
            r * P[3] + s * Q[3], r * P[4] + s * Q[4], r * P[5] + s * Q[5], mx, my, mz,
        )  # fmt: skip
        pp, qq = form_of(P, x, y, z, x, y, z), form_of(Q, x, y, z, x, y, z)
        off = 2.0 * (math.log(r / s)) + math.log(pp / qq)
        if abs(off) < 1e-13:
            break
        if off > 0.0:
            low = u
        else:
            high = u
        # S x' = -(Q - P) x, for a change of s
        ax = Q[0] * x + Q[3] * y + Q[4] * z - (P[0] * x + P[3] * y + P[4] * z)
        ay = Q[3] * x + Q[1] * y + Q[5] * z - (P[3] * x + P[1] * y + P[5] * z)
        az = Q[4] * x + Q[5] * y + Q[2] * z - (P[4] * x + P[5] * y + P[2] * z)
        dx, dy, dz, _, _ = solve_three(
            r * P[0] + s * Q[0], r * P[1] + s * Q[1], r * P[2] + s * Q[2],
            r * P[3] + s * Q[3], r * P[4] + s * Q[4], r * P[5] + s * Q[5], -ax, -ay, -az,
        )  # fmt: skip
        slope = 2.0 * (form_of(P, x, y, z, dx, dy, dz) / pp - form_of(Q, x, y, z, dx, dy, dz) / qq)
        slope = -2.0 + slope * r * s
        step = -off / slope if slope < 0.0 else 1e300
        after = u + step
        if not low < after < high:
            after = 0.5 * (low + high)
        if abs(after - u) < 1e-15 * (1.0 + abs(u)):
            break
        u = after
    n = math.sqrt(x * x + y * y + z * z)
    return x / n, y / n, z / n, u


@inlined
def farthest(
    turn: Array, semi: Array, k: int, nx: float, ny: float, nz: float
) -> tuple[float, float, float, float]:
    """Give the support of an ellipsoid along a direction, and the point there from its centre."""
    x = semi[k, 0] * (turn[0] * nx + turn[3] * ny + turn[6] * nz)
    y = semi[k, 1] * (turn[1] * nx + turn[4] * ny + turn[7] * nz)
    z = semi[k, 2] * (turn[2] * nx + turn[5] * ny + turn[8] * nz)
    h = math.sqrt(x * x + y * y + z * z)
    x, y, z = semi[k, 0] * x / h, semi[k, 1] * y / h, semi[k, 2] * z / h
    return (
        h,
        turn[0] * x + turn[1] * y + turn[2] * z,
        turn[3] * x + turn[4] * y + turn[5] * z,
        turn[6] * x + turn[7] * y + turn[8] * z,
    )


@kernel
def opposite_scale(
    P: Array, Q: Array, mx: float, my: float, mz: float, last: Array, k: int
) -> tuple[float, float, float, float]:
    """Scale one ellipsoid inside another until it touches, the outer by the inverse: factor, and y.

    With `(Q - c P) y = -m` the point is `c P y` from the inner centre and `Q y` from the outer; the
    product of both factors grows steadily with c from 0 until `Q - c P` is singular. Where it stays
    below 1 even there, both sides of the inner one touch alike, and the side of `last` is taken.
    """
    low, high = 0.0, min(Q[0] / P[0], Q[1] / P[1], Q[2] / P[2])
    c, x, y, z, pp, qq = 0.5 * high, 0.0, 0.0, 0.0, 0.0, 0.0
    for _ in range(200):
        x, y, z, det, minor = solve_three(
            Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
            Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], -mx, -my, -mz,
        )  # fmt: skip
        positive = det > 0.0 and minor > 0.0 and Q[0] - c * P[0] > 0.0
        after = -1.0
        if positive:
            pp, qq = form_of(P, x, y, z, x, y, z), form_of(Q, x, y, z, x, y, z)
            size = c * math.sqrt(pp * qq)
            if abs(size - 1.0) < 1e-14:
                break
            if size < 1.0:
                low = c
            else:
                high = c
            ax = P[0] * x + P[3] * y + P[4] * z
            ay = P[3] * x + P[1] * y + P[5] * z
            az = P[4] * x + P[5] * y + P[2] * z
            dx, dy, dz, _, _ = solve_three(
                Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
                Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], ax, ay, az,
            )  # fmt: skip
            if size > 0.0:
                # Newton for size^(-1/2) = 1, which falls almost along a straight line
                slope = 1.0 / c + (ax * dx + ay * dy + az * dz) / pp
                slope += form_of(Q, x, y, z, dx, dy, dz) / qq
                after = c + 2.0 * (1.0 - math.sqrt(size)) / slope
        else:
            high = c
        if not low < after < high:
            after = 0.5 * (low + high)
        if high - low < 1e-15 * high or after == c:
            break
        c = after
    if not c * math.sqrt(pp * qq) > 1.0 - 1e-9:
        x, y, z = _both_sides(P, Q, low, mx, my, mz, last, k)
        pp = form_of(P, x, y, z, x, y, z)
        c = low
    return c * math.sqrt(pp), x, y, z


@inner
def _both_sides(
    P: Array, Q: Array, c: float, mx: float, my: float, mz: float, last: Array, k: int
) -> tuple[float, float, float]:
    """Give y where the inner ellipsoid touches on two sides alike, on that of the last normal."""
    c *= 1.0 - 1e-12
    x0, y0, z0, _, _ = solve_three(
        Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
        Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], -mx, -my, -mz,
    )  # fmt: skip
    # no start of the iteration may lie across what it looks for
    x, y, z = last[k, 0] + 6e-4, last[k, 1] + 4.8e-4, last[k, 2] + 6.4e-4
    # the direction that is singular, by inverse iteration
    for _ in range(4):
        u, v, w, _, _ = solve_three(
            Q[0] - c * P[0], Q[1] - c * P[1], Q[2] - c * P[2],
            Q[3] - c * P[3], Q[4] - c * P[4], Q[5] - c * P[5], x, y, z,
        )  # fmt: skip
        size = math.sqrt(u * u + v * v + w * w)
        x, y, z = u / size, v / size, w / size
    low, high = (
        0.0,
        1.0 / math.sqrt(c * math.sqrt(form_of(P, x, y, z, x, y, z) * form_of(Q, x, y, z, x, y, z))),
    )
    for _ in range(60):
        f = 0.5 * (low + high)
        u, v, w = x0 + f * x, y0 + f * y, z0 + f * z
        if c * math.sqrt(form_of(P, u, v, w, u, v, w) * form_of(Q, u, v, w, u, v, w)) < 1.0:
            low = f
        else:
            high = f
    return x0 + low * x, y0 + low * y, z0 + low * z
