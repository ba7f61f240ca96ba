"""Bodies |x|^p + |y|^q + |z|^r <= 1: how far many of them reach, where a ray leaves them, and their powers in kernels.

Coordinates are in parts of the semi-axes. What kernels know of them is in `forces/contacts/hyper.py`.
"""

from __future__ import annotations

import math

import numpy as np

from solver.engine.jit.kernels import inlined
from solver.engine.maths.alike import to_power
from solver.engine.maths.rotation import Array

# Powers of what is not negative: quick where the exponent is a whole or a half number.

MOST = 24
"""Twice the exponent up to which a power is multiplied out."""


@inlined
def raised(x: float, e: float) -> float:
    """Give x to the power e, for x of zero or more.

    Shapes of bodies have exponents such as 2.5, 3 or 4: a few products and a root instead of a
    logarithm and an exponential, and right to a few last digits.
    """
    twice = int(2.0 * e)
    if twice != 2.0 * e or twice < 0 or twice > MOST:
        return float(x**e)
    out = math.sqrt(x) if twice % 2 else 1.0
    for _ in range(twice // 2):
        out *= x
    return out


# Bodies |x|^p + |y|^q + |z|^r <= 1, many at once: how far they reach, and where a ray leaves them.

HALVING_ROUNDS = 60


def farthest(way: Array, powers: Array) -> Array:
    """The points of bodies that lie farthest along directions (..., 3).

    The point is `x_i = sgn(u_i) (l |u_i| / p_i)^(1 / (p_i - 1))`; the logarithm of the sum of its
    powers rises almost along a straight line with that of l, which Newton's method finds.
    """
    root = 1.0 / (powers - 1.0)
    size = np.log(np.maximum(np.abs(way), 1e-300) / powers)
    factor = -np.max(size, axis=-1, keepdims=True)
    for _ in range(HALVING_ROUNDS):
        part = np.exp(powers * root * (factor + size))
        total = part.sum(axis=-1, keepdims=True)
        slope = (powers * root * part).sum(axis=-1, keepdims=True)
        step = -np.log(total) * total / slope
        factor = factor + step
        if np.all(np.abs(step) < 1e-14 * (1.0 + np.abs(factor))):
            break
    point: Array = np.sign(way) * np.exp(root * (factor + size))
    return point


def outwards(start: Array, ways: Array, powers: Array) -> Array:
    """How often each way (n, 3) goes into the distance from a point inside to the surface."""
    if np.all(powers == 2.0):
        square, half = (ways * ways).sum(axis=1), (ways * start).sum(axis=1)
        left = 1.0 - (start * start).sum(axis=-1)
        out: Array = (np.sqrt(half * half + square * left) - half) / square
        return out
    # a row for each axis: sums over three rows are many times as fast as over three columns
    ways = np.ascontiguousarray(ways.T)
    start, powers = (x[:, None] if x.ndim == 1 else x.T for x in (start, powers))
    with np.errstate(divide="ignore", invalid="ignore"):
        faces = np.where(ways != 0.0, (np.sign(ways) - start) / ways, np.inf)
    far: Array = np.min(faces, axis=0)
    # from outside on a convex function, Newton's steps never go too far; after a small one, the
    # error is of its square
    for _ in range(HALVING_ROUNDS):
        z = start + far * ways
        size = np.abs(z)
        part = to_power(size, powers - 1.0)
        excess = np.sum(part * size, axis=0) - 1.0
        slope = np.sum(powers * np.sign(z) * part * ways, axis=0)
        step = excess / slope
        far = far - step
        if float(np.max(np.abs(step) / far)) < 1e-9:
            break
    return far


def levels(points: Array, powers: Array) -> Array:
    """How far out points (n, 3) are along their radius: 0 in the centre, 1 on the surface."""
    out, some = np.zeros(len(points)), np.any(points != 0.0, axis=1)
    if some.any():
        out[some] = 1.0 / outwards(np.zeros(3), points[some], powers)
    return out
