"""Ellipsoids as matrices.

One is given by `Q = R diag(semi^2) R^T` as (xx, yy, zz, xy, xz, yz); its support is `h(t) = sqrt(t . Q t)`.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array
from solver.engine.jit.kernels import inlined, kernel
from solver.engine.maths.spatial import Symmetric, Three, dot, sym_on, turned_diagonal


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
