"""Ellipsoids as matrices.

One is given by `Q = R diag(semi^2) R^T` as (xx, yy, zz, xy, xz, yz); its support is `h(t) = sqrt(t . Q t)`.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.maths.kernels import inlined, kernel
from solver.maths.vectors import Three

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
def times(q: Six, x: float, y: float, z: float) -> Three:
    """Give Q x."""
    return (
        q[0] * x + q[3] * y + q[4] * z,
        q[3] * x + q[1] * y + q[5] * z,
        q[4] * x + q[5] * y + q[2] * z,
    )


@inlined
def form(q: Six, x: Three, y: Three) -> float:
    """Give x . Q y."""
    u, v, w = times(q, y[0], y[1], y[2])
    return x[0] * u + x[1] * v + x[2] * w


@inlined
def solved(q: Six, m: Three) -> tuple[float, float, float, float]:
    """Give Q^-1 m, and det Q."""
    xx, yy, zz = q[1] * q[2] - q[5] * q[5], q[0] * q[2] - q[4] * q[4], q[0] * q[1] - q[3] * q[3]
    xy, xz, yz = q[4] * q[5] - q[3] * q[2], q[3] * q[5] - q[4] * q[1], q[3] * q[4] - q[0] * q[5]
    det = q[0] * xx + q[3] * xy + q[4] * xz
    return (
        (xx * m[0] + xy * m[1] + xz * m[2]) / det,
        (xy * m[0] + yy * m[1] + yz * m[2]) / det,
        (xz * m[0] + yz * m[1] + zz * m[2]) / det,
        det,
    )


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
    ux, uy, uz = times(q, t[0], t[1], t[2])
    h = math.sqrt(ux * t[0] + uy * t[1] + uz * t[2])
    ex, ey, ez = times(q, e[0], e[1], e[2])
    gx, gy, gz = times(q, g[0], g[1], g[2])
    eu = (ux * e[0] + uy * e[1] + uz * e[2]) / h
    gu = (ux * g[0] + uy * g[1] + uz * g[2]) / h
    return (
        (ex * e[0] + ey * e[1] + ez * e[2] - eu * eu) / h,
        (gx * g[0] + gy * g[1] + gz * g[2] - gu * gu) / h,
        (ex * g[0] + ey * g[1] + ez * g[2] - eu * gu) / h,
    )
