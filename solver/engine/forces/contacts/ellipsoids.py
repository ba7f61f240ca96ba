"""Ellipsoids as matrices.

One is given by `Q = R diag(semi^2) R^T` as (xx, yy, zz, xy, xz, yz); its support is `h(t) = sqrt(t . Q t)`.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array
from solver.engine.jit.kernels import inlined, kernel
from solver.engine.maths.vectors import Three, dot, scaled

Six = tuple[float, float, float, float, float, float]


@inlined
def turned(t: Array, a: float, b: float, c: float) -> Six:
    """Give R diag(a, b, c) R^T of the nine numbers of a turn."""
    return (
        a * t[0] * t[0] + b * t[1] * t[1] + c * t[2] * t[2],
        a * t[3] * t[3] + b * t[4] * t[4] + c * t[5] * t[5],
        a * t[6] * t[6] + b * t[7] * t[7] + c * t[8] * t[8],
        a * t[0] * t[3] + b * t[1] * t[4] + c * t[2] * t[5],
        a * t[0] * t[6] + b * t[1] * t[7] + c * t[2] * t[8],
        a * t[3] * t[6] + b * t[4] * t[7] + c * t[5] * t[8],
    )


@kernel
def shape_of(turn: Array, semi: Array, k: int) -> Six:
    """Give Q of the semi-axes in row k, turned."""
    return turned(turn, semi[k, 0] ** 2, semi[k, 1] ** 2, semi[k, 2] ** 2)


@inlined
def times(q: Six, a: Three) -> Three:
    """Give Q a."""
    x, y, z = a
    return (
        q[0] * x + q[3] * y + q[4] * z,
        q[3] * x + q[1] * y + q[5] * z,
        q[4] * x + q[5] * y + q[2] * z,
    )


@inlined
def form(q: Six, x: Three, y: Three) -> float:
    """Give x . Q y."""
    return dot(x, times(q, y))


@inlined
def solved(q: Six, m: Three) -> tuple[Three, float]:
    """Give Q^-1 m, and det Q."""
    xx, yy, zz = q[1] * q[2] - q[5] * q[5], q[0] * q[2] - q[4] * q[4], q[0] * q[1] - q[3] * q[3]
    xy, xz, yz = q[4] * q[5] - q[3] * q[2], q[3] * q[5] - q[4] * q[1], q[3] * q[4] - q[0] * q[5]
    det = q[0] * xx + q[3] * xy + q[4] * xz
    return scaled(1.0 / det, times((xx, yy, zz, xy, xz, yz), m)), det


@inlined
def mixed(a: Six, b: Six, s: float, r: float) -> Six:
    """Give s A + r B."""
    return (
        s * a[0] + r * b[0],
        s * a[1] + r * b[1],
        s * a[2] + r * b[2],
        s * a[3] + r * b[3],
        s * a[4] + r * b[4],
        s * a[5] + r * b[5],
    )


@kernel
def across(t: Three) -> tuple[Three, Three]:
    """Give two unit vectors across a unit vector."""
    x, y, z = t
    s = math.copysign(1.0, z)
    p = -1.0 / (s + z)
    q = x * y * p
    return (1.0 + s * x * x * p, s * q, -s * x), (q, s + y * y * p, -y)


@kernel
def radii(q: Six, t: Three, e: Three, g: Three) -> Three:
    """Give the tangential part (ee, gg, eg) of the second derivative of the support.

    Its eigenvalues are the principal radii of curvature where the normal is t.
    """
    u, qe, qg = times(q, t), times(q, e), times(q, g)
    h = math.sqrt(dot(u, t))
    eu, gu = dot(u, e) / h, dot(u, g) / h
    return (dot(qe, e) - eu * eu) / h, (dot(qg, g) - gu * gu) / h, (dot(qe, g) - eu * gu) / h
