"""Rows of flexible elements: inner segments turn as polynomials of the end-to-end angles (4.5).

With the angles yaw, pitch, roll of segment n in segment 1, `psi_n = poly(psi_N)` (equation 4.64), and
relative angular velocities `C(psi)^T psi'` (equation 4.99), the condition is (4.91):
`w_n - w_1 = K (w_N - w_1)` with `K = C_n^T G C_N^-T`.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.dynamics.rows import Rows, new_row, set_part
from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.points import unit
from solver.maths.bundles import bundle
from solver.maths.kernels import inner


@bundle
class Bends(NamedTuple):
    """Hold one entry for each inner segment: first, last and inner body, and the polynomial.

    `first` takes the number of its first row.
    """

    one: IntArray
    last: IntArray
    inside: IntArray
    bias: Array
    f: Array
    g: Array
    h: Array
    first: IntArray
    space: Array


def make_workspace() -> Array:
    """Make room for the matrices of one bend."""
    return np.zeros((12, 3, 3))


@inner
def _relative(motion: Motion, one: int, n: int, out: Array) -> None:
    """Give the turn of body n in body one; body -1 is the ground."""
    R = motion.R
    for i in range(3):
        for j in range(3):
            s = 0.0
            for k in range(3):
                a = R[one, 3 * k + i] if one >= 0 else unit(k, i)
                b = R[n, 3 * k + j] if n >= 0 else unit(k, j)
                s += a * b
            out[i, j] = s


@inner
def _axes(angles: Array, out: Array) -> None:
    """Give C(psi)^T: its columns turn rates of yaw, pitch and roll into angular velocity (4.99)."""
    c1, s1, c2, s2 = (
        math.cos(angles[0]),
        math.sin(angles[0]),
        math.cos(angles[1]),
        math.sin(angles[1]),
    )
    out[0, 0], out[1, 0], out[2, 0] = 0.0, 0.0, 1.0
    out[0, 1], out[1, 1], out[2, 1] = -s1, c1, 0.0
    out[0, 2], out[1, 2], out[2, 2] = c2 * c1, c2 * s1, -s2


@inner
def _axes_rate(angles: Array, rates: Array, out: Array) -> None:
    """Give d/dt C(psi)^T times the rates."""
    c1, s1, c2, s2 = (
        math.cos(angles[0]),
        math.sin(angles[0]),
        math.cos(angles[1]),
        math.sin(angles[1]),
    )
    a, b, c = rates[0], rates[1], rates[2]
    out[0] = -c1 * a * b + (-s2 * c1 * b - c2 * s1 * a) * c
    out[1] = -s1 * a * b + (-s2 * s1 * b + c2 * c1 * a) * c
    out[2] = -c2 * b * c


@inner
def _rates_of(angles: Array, w: Array, out: Array) -> None:
    """Give the rates of yaw, pitch and roll from an angular velocity (4.101)."""
    c1, s1, c2, s2 = (
        math.cos(angles[0]),
        math.sin(angles[0]),
        math.cos(angles[1]),
        math.sin(angles[1]),
    )
    along = (c1 * w[0] + s1 * w[1]) / c2
    out[0] = w[2] + s2 * along
    out[1] = -s1 * w[0] + c1 * w[1]
    out[2] = along


@inner
def bend_rows(bends: Bends, motion: Motion, rows: Rows) -> None:
    """Add three rows for each inner segment, along the axes of the first."""
    space = bends.space
    R_N, R_n, T, CN, Cn, G, K = space[0], space[1], space[2], space[3], space[4], space[5], space[6]
    end, inside, end1, inside1, w_N, d = (
        space[7, 0],
        space[7, 1],
        space[7, 2],
        space[8, 0],
        space[8, 1],
        space[8, 2],
    )
    G1, part, e = space[9], space[10, 0], space[10, 1]
    for n in range(len(bends.inside)):
        one, last, body = bends.one[n], bends.last[n], bends.inside[n]
        _relative(motion, one, last, R_N)
        _relative(motion, one, body, R_n)
        end[0] = math.atan2(R_N[1, 0], R_N[0, 0])
        end[1] = math.atan2(-R_N[2, 0], math.hypot(R_N[0, 0], R_N[1, 0]))
        end[2] = math.atan2(R_N[2, 1], R_N[2, 2])
        f, g, h = bends.f, bends.g, bends.h
        a, b, c = end[0], end[1], end[2]
        for i in range(3):
            inside[i] = bends.bias[n, i] + f[n, i, 0] * a + f[n, i, 1] * b + f[n, i, 2] * c
            inside[i] += g[n, i, 0] * b * c + g[n, i, 1] * c * a + g[n, i, 2] * a * b
            inside[i] += h[n, i, 0] * a * a + h[n, i, 1] * b * b + h[n, i, 2] * c * c
            G[i, 0] = f[n, i, 0] + g[n, i, 1] * c + g[n, i, 2] * b + 2.0 * h[n, i, 0] * a
            G[i, 1] = f[n, i, 1] + g[n, i, 0] * c + g[n, i, 2] * a + 2.0 * h[n, i, 1] * b
            G[i, 2] = f[n, i, 2] + g[n, i, 0] * b + g[n, i, 1] * a + 2.0 * h[n, i, 2] * c
        _axes(end, CN)
        _axes(inside, Cn)
        # K column by column: rates of the ends from a unit angular velocity, then of the inside
        for j in range(3):
            for k in range(3):
                w_N[k] = unit(k, j)
            _rates_of(end, w_N, d)
            for i in range(3):
                K[i, j] = 0.0
                for k in range(3):
                    K[i, j] += Cn[i, k] * (G[k, 0] * d[0] + G[k, 1] * d[1] + G[k, 2] * d[2])
        # velocities in the axes of segment 1
        R, w = motion.R, motion.w
        for i in range(3):
            w_N[i] = 0.0
            for k in range(3):
                rk = R[one, 3 * k + i] if one >= 0 else unit(k, i)
                w1 = w[one, k] if one >= 0 else 0.0
                w_N[i] += rk * ((w[last, k] if last >= 0 else 0.0) - w1)
        _rates_of(end, w_N, end1)
        for i in range(3):
            inside1[i] = G[i, 0] * end1[0] + G[i, 1] * end1[1] + G[i, 2] * end1[2]
        # d/dt G times the rates of the ends
        a, b, c = end1[0], end1[1], end1[2]
        for i in range(3):
            G1[i, 0] = g[n, i, 1] * c + g[n, i, 2] * b + 2.0 * h[n, i, 0] * a
            G1[i, 1] = g[n, i, 0] * c + g[n, i, 2] * a + 2.0 * h[n, i, 1] * b
            G1[i, 2] = g[n, i, 0] * b + g[n, i, 1] * a + 2.0 * h[n, i, 2] * c
            part[i] = G1[i, 0] * a + G1[i, 1] * b + G1[i, 2] * c
        _axes_rate(end, end1, d)
        _rates_of(end, d, e)
        for i in range(3):
            part[i] -= G[i, 0] * e[0] + G[i, 1] * e[1] + G[i, 2] * e[2]
        _axes_rate(inside, inside1, d)
        for i in range(3):
            d[i] += Cn[i, 0] * part[0] + Cn[i, 1] * part[1] + Cn[i, 2] * part[2]
        # the turn that the inside should have, and by how much it is off
        c1, s1, c2, s2 = (
            math.cos(inside[0]),
            math.sin(inside[0]),
            math.cos(inside[1]),
            math.sin(inside[1]),
        )
        c3, s3 = math.cos(inside[2]), math.sin(inside[2])
        T[0, 0], T[0, 1], T[0, 2] = c1 * c2, c1 * s2 * s3 - s1 * c3, c1 * s2 * c3 + s1 * s3
        T[1, 0], T[1, 1], T[1, 2] = s1 * c2, s1 * s2 * s3 + c1 * c3, s1 * s2 * c3 - c1 * s3
        T[2, 0], T[2, 1], T[2, 2] = -s2, c2 * s3, c2 * c3
        for i in range(3):
            u, v = (i + 1) % 3, (i + 2) % 3
            e[i] = 0.0
            for k in range(3):
                e[i] += 0.5 * (R_n[v, k] * T[u, k] - R_n[u, k] * T[v, k])
        bends.first[n] = rows.used[0]
        _three_rows(rows, motion, one, last, body, K, d, e)


@inner
def _three_rows(
    rows: Rows, motion: Motion, one: int, last: int, body: int, K: Array, d: Array, e: Array
) -> None:
    """Add the rows `e_i . (w_n - w_1) - K_i . (w_N - w_1)`."""
    R, w = motion.R, motion.w
    for i in range(3):
        r = new_row(rows)
        ax, ay, az = (unit(i, 0), unit(i, 1), unit(i, 2))
        bx, by, bz = K[i, 0], K[i, 1], K[i, 2]
        w0 = w1 = w2 = 0.0
        if one >= 0:
            ax, ay, az = R[one, i], R[one, 3 + i], R[one, 6 + i]
            bx, by, bz = (
                R[one, 0] * K[i, 0] + R[one, 1] * K[i, 1] + R[one, 2] * K[i, 2],
                R[one, 3] * K[i, 0] + R[one, 4] * K[i, 1] + R[one, 5] * K[i, 2],
                R[one, 6] * K[i, 0] + R[one, 7] * K[i, 1] + R[one, 8] * K[i, 2],
            )
            w0, w1, w2 = w[one, 0], w[one, 1], w[one, 2]
        set_part(rows, motion, r, 0, body, ax, ay, az, 0.0, 0.0, 0.0)
        set_part(rows, motion, r, 1, last, -bx, -by, -bz, 0.0, 0.0, 0.0)
        set_part(rows, motion, r, 2, one, bx - ax, by - ay, bz - az, 0.0, 0.0, 0.0)
        # the axes of segment 1 turn with it: u' = R_1^T (alpha_n - alpha_1 - w_1 x (w_n - w_1))
        n0, n1, n2 = -w0, -w1, -w2
        if body >= 0:
            n0, n1, n2 = n0 + w[body, 0], n1 + w[body, 1], n2 + w[body, 2]
        l0, l1, l2 = -w0, -w1, -w2
        if last >= 0:
            l0, l1, l2 = l0 + w[last, 0], l1 + w[last, 1], l2 + w[last, 2]
        bias = ax * (w1 * n2 - w2 * n1) + ay * (w2 * n0 - w0 * n2) + az * (w0 * n1 - w1 * n0)
        bias -= bx * (w1 * l2 - w2 * l1) + by * (w2 * l0 - w0 * l2) + bz * (w0 * l1 - w1 * l0)
        rows.bias[r] = -bias - d[i]
        rows.error[r] = e[i]
