"""Random pairs of ellipsoids that touch, for tests."""

from __future__ import annotations

import math

import numpy as np
from scipy.spatial.transform import Rotation

from solver.engine.maths.spatial import Symmetric, Three

NEW = (0.0, 0.0, 0.0)


def even_directions(n: int) -> np.ndarray:
    i = np.arange(n) + 0.5
    low, turn = np.arccos(1 - 2 * i / n), math.pi * (1 + 5**0.5) * i
    return np.c_[np.cos(turn) * np.sin(low), np.sin(turn) * np.sin(low), np.cos(low)]


DIRECTIONS = even_directions(5000)


def six(Q: np.ndarray) -> Symmetric:
    return Q[0, 0], Q[1, 1], Q[2, 2], Q[0, 1], Q[0, 2], Q[1, 2]


def three(x: np.ndarray) -> Three:
    return float(x[0]), float(x[1]), float(x[2])


def some_ellipsoid(rng: np.random.Generator, size: float, flat: float) -> np.ndarray:
    R = Rotation.random(rng=rng).as_matrix()
    return R @ np.diag((size * flat ** -rng.uniform(0, 1, 3)) ** 2) @ R.T


def support(Q: np.ndarray, t: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("...i,ij,...j->...", t, Q, t))


def some_pair(
    rng: np.random.Generator, ratio: float, flat: float
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place two ellipsoids that touch, and move one nearer or away."""
    A = some_ellipsoid(rng, 1.0, flat)
    B = some_ellipsoid(rng, ratio ** -rng.uniform(0, 1), flat)
    t = DIRECTIONS[rng.integers(len(DIRECTIONS))]
    m = A @ t / support(A, t) + B @ t / support(B, t)
    return A, B, m * (1 - rng.uniform(-0.6, 1.0) ** 3)
