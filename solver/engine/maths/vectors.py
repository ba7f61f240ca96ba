"""Vectors of three numbers, as kernels pass them."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from solver.engine.jit.kernels import inlined

Array = NDArray[np.float64]

Three = tuple[float, float, float]


@inlined
def dot(a: Three, b: Three) -> float:
    """Give a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def length(a: Three) -> float:
    """Give the length of a."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined
def cross(a: Three, b: Three) -> Three:
    """Give a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def plus(a: Three, s: float, b: Three) -> Three:
    """Give a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@inlined
def scaled(s: float, a: Three) -> Three:
    """Give s a."""
    return s * a[0], s * a[1], s * a[2]


@inlined
def along_axes(turn: Array, a: Three) -> Three:
    """Give components along the axes that stand in the columns of a turn's nine numbers."""
    x, y, z = a
    return (
        turn[0] * x + turn[3] * y + turn[6] * z,
        turn[1] * x + turn[4] * y + turn[7] * z,
        turn[2] * x + turn[5] * y + turn[8] * z,
    )


@inlined
def to_ground(turn: Array, a: Three) -> Three:
    """Give ground components of a vector along the axes that stand in the columns of a turn."""
    x, y, z = a
    return (
        turn[0] * x + turn[1] * y + turn[2] * z,
        turn[3] * x + turn[4] * y + turn[5] * z,
        turn[6] * x + turn[7] * y + turn[8] * z,
    )


@inlined
def read(row: Array, at: int) -> Three:
    """Give three numbers of a row."""
    return row[at], row[at + 1], row[at + 2]


@inlined
def write(row: Array, at: int, a: Three) -> None:
    """Put three numbers into a row."""
    row[at], row[at + 1], row[at + 2] = a
