"""Vectors of three numbers, as kernels pass them."""

from __future__ import annotations

from solver.maths.kernels import inlined

Three = tuple[float, float, float]


@inlined
def dot(a: Three, b: Three) -> float:
    """Give a . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def cross(a: Three, b: Three) -> Three:
    """Give a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def plus(a: Three, s: float, b: Three) -> Three:
    """Give a + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]
