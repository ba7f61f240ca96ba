"""The acceleration of a body that is free."""

from __future__ import annotations

from solver.dynamics.tree import Array
from solver.dynamics.workspace import SOLVED, TINY
from solver.maths.kernels import inner


@inner
def accelerate_free(
    A: Array, B: Array, M: Array, n: Array, f: Array, o: Array, tau: Array, rates: Array,
    alpha: Array, acc: Array, at: int, i: int,
) -> int:  # fmt: skip
    """Solve the six equations of a free body: first the force part, then the turn."""
    d0 = M[i, 1] * M[i, 2] - M[i, 5] * M[i, 5]
    d3 = M[i, 4] * M[i, 5] - M[i, 3] * M[i, 2]
    d4 = M[i, 3] * M[i, 5] - M[i, 4] * M[i, 1]
    det = M[i, 0] * d0 + M[i, 3] * d3 + M[i, 4] * d4
    scale = M[i, 0] + M[i, 1] + M[i, 2]
    if not det > TINY * scale * scale * scale:
        return i
    det = 1.0 / det
    d0, d3, d4 = d0 * det, d3 * det, d4 * det
    d1 = (M[i, 0] * M[i, 2] - M[i, 4] * M[i, 4]) * det
    d2 = (M[i, 0] * M[i, 1] - M[i, 3] * M[i, 3]) * det
    d5 = (M[i, 3] * M[i, 4] - M[i, 0] * M[i, 5]) * det
    # V = B M^-1
    v0 = B[i, 0] * d0 + B[i, 1] * d3 + B[i, 2] * d4
    v1 = B[i, 0] * d3 + B[i, 1] * d1 + B[i, 2] * d5
    v2 = B[i, 0] * d4 + B[i, 1] * d5 + B[i, 2] * d2
    v3 = B[i, 3] * d0 + B[i, 4] * d3 + B[i, 5] * d4
    v4 = B[i, 3] * d3 + B[i, 4] * d1 + B[i, 5] * d5
    v5 = B[i, 3] * d4 + B[i, 4] * d5 + B[i, 5] * d2
    v6 = B[i, 6] * d0 + B[i, 7] * d3 + B[i, 8] * d4
    v7 = B[i, 6] * d3 + B[i, 7] * d1 + B[i, 8] * d5
    v8 = B[i, 6] * d4 + B[i, 7] * d5 + B[i, 8] * d2
    s0 = A[i, 0] - (v0 * B[i, 0] + v1 * B[i, 1] + v2 * B[i, 2])
    s1 = A[i, 1] - (v3 * B[i, 3] + v4 * B[i, 4] + v5 * B[i, 5])
    s2 = A[i, 2] - (v6 * B[i, 6] + v7 * B[i, 7] + v8 * B[i, 8])
    s3 = A[i, 3] - (v0 * B[i, 3] + v1 * B[i, 4] + v2 * B[i, 5])
    s4 = A[i, 4] - (v0 * B[i, 6] + v1 * B[i, 7] + v2 * B[i, 8])
    s5 = A[i, 5] - (v3 * B[i, 6] + v4 * B[i, 7] + v5 * B[i, 8])
    t0, t1, t2 = tau[at + 3], tau[at + 4], tau[at + 5]
    fx, fy, fz = tau[at] - f[i, 0], tau[at + 1] - f[i, 1], tau[at + 2] - f[i, 2]
    gx = o[i, 0] * t0 + o[i, 1] * t1 + o[i, 2] * t2 - n[i, 0] - (v0 * fx + v1 * fy + v2 * fz)
    gy = o[i, 3] * t0 + o[i, 4] * t1 + o[i, 5] * t2 - n[i, 1] - (v3 * fx + v4 * fy + v5 * fz)
    gz = o[i, 6] * t0 + o[i, 7] * t1 + o[i, 8] * t2 - n[i, 2] - (v6 * fx + v7 * fy + v8 * fz)
    e0 = s1 * s2 - s5 * s5
    e3 = s4 * s5 - s3 * s2
    e4 = s3 * s5 - s4 * s1
    det = s0 * e0 + s3 * e3 + s4 * e4
    scale = s0 + s1 + s2
    if not det > TINY * scale * scale * scale:
        return i
    e1, e2, e5 = s0 * s2 - s4 * s4, s0 * s1 - s3 * s3, s3 * s4 - s0 * s5
    x = (e0 * gx + e3 * gy + e4 * gz) / det
    y = (e3 * gx + e1 * gy + e5 * gz) / det
    z = (e4 * gx + e5 * gy + e2 * gz) / det
    fx -= B[i, 0] * x + B[i, 3] * y + B[i, 6] * z
    fy -= B[i, 1] * x + B[i, 4] * y + B[i, 7] * z
    fz -= B[i, 2] * x + B[i, 5] * y + B[i, 8] * z
    ax, ay, az = (
        d0 * fx + d3 * fy + d4 * fz,
        d3 * fx + d1 * fy + d5 * fz,
        d4 * fx + d5 * fy + d2 * fz,
    )
    rates[at], rates[at + 1], rates[at + 2] = ax, ay, az
    rates[at + 3] = o[i, 0] * x + o[i, 3] * y + o[i, 6] * z
    rates[at + 4] = o[i, 1] * x + o[i, 4] * y + o[i, 7] * z
    rates[at + 5] = o[i, 2] * x + o[i, 5] * y + o[i, 8] * z
    alpha[i, 0], alpha[i, 1], alpha[i, 2] = x, y, z
    acc[i, 0], acc[i, 1], acc[i, 2] = ax, ay, az
    return SOLVED
