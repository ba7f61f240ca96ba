"""Radau's method of fifth order: its coefficients, and the linear equations of its stages.

Radau IIA with three stages, the last at the end of the step (Hairer, Wanner, Solving Ordinary Differential
Equations II, IV.5, IV.8). Its stages Z, changes since the start of the step, solve Z = h A f(Z) all together.
Newton's method for them takes (1/h A^-1 - J) dZ = f(Z) - 1/h A^-1 Z, with the derivatives J of the rates f.
The eigenvalues of A^-1, one real and a pair, part this into one equation of the size of J and one complex
one. Places and speeds are separated too: with s = h/eigenvalue, Jx and Jv the derivatives of the rates of
speeds by chart coordinates and by speeds, and chart coordinates that change as speeds say,

    (1 - s Jv - s^2 Jx) dv = s (rv + s Jx rx),    dx = s (rx + dv).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.kernels import inlined, kernel, separate, struct

ROOT = 6.0**0.5

RADAU_C = np.array([0.0, (4.0 - ROOT) / 10.0, (4.0 + ROOT) / 10.0, 1.0, 1.0])
"""Times of the start, the stages, and the end once more, in parts of the step."""

RADAU_A = np.array(
    [
        [(88 - 7 * ROOT) / 360, (296 - 169 * ROOT) / 1800, (-2 + 3 * ROOT) / 225],
        [(296 + 169 * ROOT) / 1800, (88 + 7 * ROOT) / 360, (-2 - 3 * ROOT) / 225],
        [(16 - ROOT) / 36, (16 + ROOT) / 36, 1 / 9],
    ]
)
"""Weights of stages in stages; the last row gives the step."""

RADAU_E = np.array([-13.0 - 7.0 * ROOT, -13.0 + 7.0 * ROOT, -1.0]) / 3.0
"""Weights of stages in the error by an embedded formula of third order (IV.8.17)."""

REAL = 3.0 + 3.0 ** (2 / 3) - 3.0 ** (1 / 3)
PAIR = complex(
    3.0 - 0.5 * (3.0 ** (2 / 3) - 3.0 ** (1 / 3)), -0.5 * (3.0 ** (5 / 6) + 3.0 ** (7 / 6))
)
"""Eigenvalues of A^-1: the real one, and of the pair the one by which w1 + i w2 is multiplied."""


def _inverse(a: Array) -> Array:
    """The inverse of three rows, by cofactors."""
    c = np.array([np.cross(a[1], a[2]), np.cross(a[2], a[0]), np.cross(a[0], a[1])]).T
    return np.ascontiguousarray(c / ((a[0] * c[:, 0]).sum()))


def _vector(inverse: Array, value: complex) -> list[complex]:
    """The eigenvector that ends in 1."""
    a, b, c, d = inverse[0, 0] - value, inverse[0, 1], inverse[1, 0], inverse[1, 1] - value
    p, q = -inverse[0, 2], -inverse[1, 2]
    return [(p * d - b * q) / (a * d - b * c), (a * q - p * c) / (a * d - b * c), 1.0]


AI = _inverse(RADAU_A)
_one, _two = _vector(AI, complex(REAL)), _vector(AI, PAIR.conjugate())
TO_STAGES = np.array([[_one[k].real, _two[k].real, _two[k].imag] for k in range(3)])
"""Turn what belongs to the eigenvalues (real, and the two parts of the pair) into stages."""

PARTED = _inverse(TO_STAGES)

THROUGH = _inverse(np.array([[c, c * c, c * c * c] for c in RADAU_C[1:4]]))
"""Coefficients of s, s^2, s^3 of the cubic through zero at the start and the values at the stages."""

FROM = _inverse(np.array([[1.0, c, c * c] for c in RADAU_C[1:4]]))[0]
"""Weights of the stages in the value at the start of the parabola through them."""

PAIR_REAL, PAIR_IMAG = PAIR.real, PAIR.imag


@struct
class Equations(NamedTuple):
    """Hold derivatives of rates by coordinates and speeds, factors for one length of step, and right sides.

    `jz` are derivatives of states' rates by themselves.
    """

    jx: Array
    jv: Array
    jz: Array
    single: Array
    single_order: IntArray
    pair_real: Array
    pair_imag: Array
    pair_order: IntArray
    gx: Array
    gv: Array
    gz: Array
    room: Array


def make_equations(speeds: int, states: int) -> Equations:
    """Make room for a model's speeds and states."""
    n = speeds
    return Equations(
        jx=np.zeros((n, n)), jv=np.zeros((n, n)), jz=np.zeros(states),
        single=np.zeros((n, n)), single_order=np.zeros(n, np.int64),
        pair_real=np.zeros((n, n)), pair_imag=np.zeros((n, n)), pair_order=np.zeros(n, np.int64),
        gx=np.zeros((3, n)), gv=np.zeros((3, n)), gz=np.zeros((3, states)), room=np.zeros((2, n)),
    )  # fmt: skip


@inlined
def _step_of_pair(h: float) -> tuple[float, float]:
    """Give h divided by the pair's eigenvalue."""
    size = PAIR_REAL * PAIR_REAL + PAIR_IMAG * PAIR_IMAG
    return h * PAIR_REAL / size, -h * PAIR_IMAG / size


@separate
@kernel
def factor(e: Equations, h: float) -> None:
    """Factor both matrices for a length of step, by Gauss with the largest pivots."""
    a, order, n = e.single, e.single_order, len(e.single_order)
    s = h / REAL
    for i in range(n):
        for j in range(n):
            a[i, j] = -s * (e.jv[i, j] + s * e.jx[i, j])
        a[i, i] += 1.0
        order[i] = i
    for k in range(n):
        best, most = k, abs(a[k, k])
        for i in range(k + 1, n):
            if abs(a[i, k]) > most:
                best, most = i, abs(a[i, k])
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
        if most == 0.0:
            a[k, k] = 1.0
            continue
        for i in range(k + 1, n):
            if a[i, k] != 0.0:
                part = a[i, k] / a[k, k]
                a[i, k] = part
                for j in range(k + 1, n):
                    a[i, j] -= part * a[k, j]
    factor_pair(e, h)


@separate
@kernel
def factor_pair(e: Equations, h: float) -> None:
    """Factor the complex matrix."""
    a, b, order, n = e.pair_real, e.pair_imag, e.pair_order, len(e.pair_order)
    s, u = _step_of_pair(h)
    p, q = s * s - u * u, 2.0 * s * u
    for i in range(n):
        for j in range(n):
            a[i, j] = -s * e.jv[i, j] - p * e.jx[i, j]
            b[i, j] = -u * e.jv[i, j] - q * e.jx[i, j]
        a[i, i] += 1.0
        order[i] = i
    for k in range(n):
        best, most = k, abs(a[k, k]) + abs(b[k, k])
        for i in range(k + 1, n):
            size = abs(a[i, k]) + abs(b[i, k])
            if size > most:
                best, most = i, size
        if best != k:
            order[k], order[best] = order[best], order[k]
            for j in range(n):
                a[k, j], a[best, j] = a[best, j], a[k, j]
                b[k, j], b[best, j] = b[best, j], b[k, j]
        if most == 0.0:
            a[k, k] = 1.0
            continue
        size = a[k, k] * a[k, k] + b[k, k] * b[k, k]
        for i in range(k + 1, n):
            if a[i, k] != 0.0 or b[i, k] != 0.0:
                x = (a[i, k] * a[k, k] + b[i, k] * b[k, k]) / size
                y = (b[i, k] * a[k, k] - a[i, k] * b[k, k]) / size
                a[i, k], b[i, k] = x, y
                for j in range(k + 1, n):
                    a[i, j] -= x * a[k, j] - y * b[k, j]
                    b[i, j] -= x * b[k, j] + y * a[k, j]


@separate
@kernel
def solve_single(e: Equations, h: float, rx: Array, rv: Array) -> None:
    """Turn the sides of the real equation into its solution, in place."""
    a, order, n, room = e.single, e.single_order, len(e.single_order), e.room
    s = h / REAL
    for i in range(n):
        u = rv[i]
        for j in range(n):
            u += s * e.jx[i, j] * rx[j]
        room[0, i] = s * u
    for i in range(n):
        u = room[0, order[i]]
        for j in range(i):
            u -= a[i, j] * rv[j]
        rv[i] = u
    for i in range(n - 1, -1, -1):
        u = rv[i]
        for j in range(i + 1, n):
            u -= a[i, j] * rv[j]
        rv[i] = u / a[i, i]
    for i in range(n):
        rx[i] = s * (rx[i] + rv[i])


@separate
@kernel
def solve_pair(e: Equations, h: float, x: Array, y: Array, v: Array, w: Array) -> None:
    """Turn the sides x + iy, v + iw of the complex equation into its solution, in place."""
    a, b, order, n, room = e.pair_real, e.pair_imag, e.pair_order, len(e.pair_order), e.room
    s, u = _step_of_pair(h)
    for i in range(n):
        p = q = 0.0
        for j in range(n):
            p += e.jx[i, j] * x[j]
            q += e.jx[i, j] * y[j]
        p, q = v[i] + s * p - u * q, w[i] + s * q + u * p
        room[0, i], room[1, i] = s * p - u * q, s * q + u * p
    for i in range(n):
        p, q = room[0, order[i]], room[1, order[i]]
        for j in range(i):
            p -= a[i, j] * v[j] - b[i, j] * w[j]
            q -= a[i, j] * w[j] + b[i, j] * v[j]
        v[i], w[i] = p, q
    for i in range(n - 1, -1, -1):
        p, q = v[i], w[i]
        for j in range(i + 1, n):
            p -= a[i, j] * v[j] - b[i, j] * w[j]
            q -= a[i, j] * w[j] + b[i, j] * v[j]
        size = a[i, i] * a[i, i] + b[i, i] * b[i, i]
        v[i], w[i] = (p * a[i, i] + q * b[i, i]) / size, (q * a[i, i] - p * b[i, i]) / size
    for i in range(n):
        p, q = x[i] + v[i], y[i] + w[i]
        x[i], y[i] = s * p - u * q, s * q + u * p


@inlined
def solve_state(d: float, h: float, r: float, x: float, y: float) -> tuple[float, float, float]:
    """Solve both equations for a state whose rate has the derivative d by itself."""
    s, u = PAIR_REAL / h - d, PAIR_IMAG / h
    size = s * s + u * u
    return r / (REAL / h - d), (x * s + y * u) / size, (y * s - x * u) / size
