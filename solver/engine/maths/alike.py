"""What NumPy and the library behind its products find another way on each processor, found in one way.

A run has the same bits on all machines of a level (`jit/level.py`) only where what goes into it has, too. NumPy's own
sine, cosine and root are alike; its other functions take what a processor has. So does BLAS: it adds up dot products
and products with `R.T` by as many at once as fit. Products `R @ v` and `R @ R` of three axes come out alike.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


def dot(a: Array, b: Array) -> float:
    """The product of two vectors."""
    return float(np.einsum("i,i->", a, b))


def length(v: Array) -> float:
    """The length of a vector."""
    return math.sqrt(dot(v, v))


def into(R: Array, v: Array) -> Array:
    """R.T @ v: a vector's components along the columns of R."""
    out: Array = np.einsum("ij,i->j", R, v)
    return out


def _each(function: Callable[..., float], count: int, usual: Any) -> Callable[..., Array]:
    """Call a function of the C library for each entry; what is no number there is what NumPy has for it."""

    def one(*values: float) -> float:
        try:
            return function(*values)
        except (ValueError, OverflowError):
            return float(usual(*values))

    each: Any = np.frompyfunc(function, count, 1)
    each_safe: Any = np.frompyfunc(one, count, 1)

    def called(*values: Any) -> Array:
        try:
            found = each(*values)
        except (ValueError, OverflowError):
            found = each_safe(*values)
        return np.asarray(found, np.float64)

    return called


arctan2 = _each(math.atan2, 2, np.arctan2)
to_power = _each(math.pow, 2, np.power)
exp = _each(math.exp, 1, np.exp)


def nearest(A: Array, b: Array) -> Array:
    """The x at which A x - b is least, and the least such x; A has one or two columns (one turn makes these square)."""
    if A.shape[1] == 1:
        turn = np.eye(1)
    else:
        _, turn = along_and_across(np.einsum("ki,kj->ij", A, A))
    square = np.einsum("ki,ij->kj", A, turn)
    sizes = np.einsum("ki,ki->i", square, square)
    seen = sizes > (np.finfo(float).eps * max(A.shape)) ** 2 * np.max(sizes)
    parts = np.where(seen, into(square, b) / np.where(seen, sizes, 1.0), 0.0)
    out: Array = np.einsum("ij,j->i", turn, parts)
    return out


def along_and_across(S: Array) -> tuple[Array, Array]:
    """The values, the lesser first, and unit vectors (columns) of a symmetric matrix of two rows; they turn to the left."""
    a, b, c = float(S[0, 0]), float(S[1, 1]), float(S[0, 1])
    if c == 0.0:
        t = 0.0
    else:
        half = (b - a) / (2.0 * c)
        t = math.copysign(1.0, half) / (abs(half) + math.hypot(1.0, half))
    cos = 1.0 / math.sqrt(1.0 + t * t)
    sin = cos * t
    values, axes = np.array([a - t * c, b + t * c]), np.array([[cos, sin], [-sin, cos]])
    if values[0] > values[1]:
        values, axes = values[::-1], np.array([[sin, -cos], [cos, sin]])
    return values, axes
