"""The deepest points of two ellipsoids."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from solver.engine.forces.contacts import ellipsoids
from solver.engine.forces.contacts.ellipsoids import INWARD, OUTWARD, shape_of
from tests.engine.ellipsoid_pairs import (
    DIRECTIONS,
    NEW,
    six,
    some_ellipsoid,
    some_pair,
    support,
    three,
)
from tests.exploring import often

radius = st.floats(0.01, 3.0)


def test_rows_of_turned_axes_become_shapes() -> None:
    R = Rotation.from_euler("xyz", [0.3, -0.8, 1.9]).as_matrix()
    semi = np.array([0.3, 0.2, 0.1])
    got = shape_of(R.ravel(), semi.reshape(1, 3), 0)
    assert got == pytest.approx(six(R @ np.diag(semi**2) @ R.T))


@pytest.mark.seeded
@pytest.mark.parametrize(
    ("ratio", "flat", "is_deepest"),
    [(3.0, 3.0, 0.985), (30.0, 10.0, 0.97), (1000.0, 30.0, 0.97), (1000.0, 1000.0, 0.9)],
)
def test_deepest_points_of_random_pairs(ratio: float, flat: float, is_deepest: float) -> None:
    rng = np.random.default_rng(7)
    n, whole = often(1500), 0
    for _ in range(n):
        A, B, m = some_pair(rng, ratio, flat)
        got = ellipsoids.deepest_points(six(A), six(B), three(m), NEW, OUTWARD)
        t, x, y = np.array(got.normal), np.array(got.on_a), np.array(got.on_b)
        # on both surfaces, along both normals
        assert x @ np.linalg.solve(A, x) == pytest.approx(1.0, abs=1e-6)
        assert (y - m) @ np.linalg.solve(B, y - m) == pytest.approx(1.0, abs=1e-6)
        assert np.abs(x - y - got.depth * t).max() < 1e-6
        assert got.depth == pytest.approx(support(A, t) + support(B, t) - t @ m, abs=1e-12)
        f = support(A, DIRECTIONS) + support(B, DIRECTIONS) - DIRECTIONS @ m
        if got.depth <= f.min() + 1e-9:
            whole += 1
        else:
            # another hollow than the deepest; but a hollow
            near = t + 1e-4 / flat * DIRECTIONS[::50]
            near /= np.linalg.norm(near, axis=1)[:, None]
            assert (support(A, near) + support(B, near) - near @ m).min() > got.depth - 1e-9
            assert got.depth > 0.0
    assert whole > is_deepest * n


def test_the_normal_is_that_of_a_general_minimiser() -> None:
    rng = np.random.default_rng(8)
    for _ in range(60):
        A, B, m = some_pair(rng, 5.0, 3.0)
        got = ellipsoids.deepest_points(six(A), six(B), three(m), NEW, OUTWARD)

        def f(t: np.ndarray, A: np.ndarray = A, B: np.ndarray = B, m: np.ndarray = m) -> float:
            u = t / np.linalg.norm(t)
            return float(support(A, u) + support(B, u) - u @ m)

        free = minimize(f, np.array(got.normal) + 0.02 * rng.normal(size=3), tol=1e-14)
        assert got.depth == pytest.approx(free.fun, abs=1e-9)
        assert got.normal == pytest.approx(free.x / np.linalg.norm(free.x), abs=1e-4)


@given(a=radius, b=radius, x=st.floats(-2, 2), y=st.floats(-2, 2), z=st.floats(-2, 2))
def test_spheres_are_exact(a: float, b: float, x: float, y: float, z: float) -> None:
    d = math.sqrt(x * x + y * y + z * z)
    A, B = (a * a,) * 3 + (0.0,) * 3, (b * b,) * 3 + (0.0,) * 3
    got = ellipsoids.deepest_points(A, B, (x, y, z), NEW, OUTWARD)
    assert got.depth == pytest.approx(a + b - d, abs=1e-12)
    if d > 1e-3 and a + b > 1.001 * d:
        assert got.normal == pytest.approx((x / d, y / d, z / d), abs=1e-9)


def test_a_saddle_is_left() -> None:
    # deep along the long axis: the way out is sideways
    A = six(np.diag([1.0, 0.04, 0.09]))
    B = six(np.diag([0.25, 0.01, 0.0225]))
    got = ellipsoids.deepest_points(A, B, (0.4, 0.0, 0.0), (1.0, 0.0, 0.0), OUTWARD)
    assert got.depth < 0.35
    assert abs(got.normal[1]) > 0.8


def test_a_body_inside_another() -> None:
    rng = np.random.default_rng(9)
    for _ in range(300):
        A, B = some_ellipsoid(rng, 3.0, 2.0), some_ellipsoid(rng, 0.5, 2.0)
        m = 0.5 * rng.normal(size=3)
        got = ellipsoids.deepest_points(six(A), six(B), three(m), three(-m), INWARD)
        t = np.array(got.normal)
        gap = np.array(got.on_b) - np.array(got.on_a)
        assert np.abs(gap - got.depth * t).max() < 1e-10
        near = t + 1e-3 * DIRECTIONS[::50]
        near /= np.linalg.norm(near, axis=1)[:, None]
        assert (support(A, near) - support(B, near) + near @ m).min() > got.depth - 1e-9


def test_a_warm_start_follows_and_agrees() -> None:
    rng = np.random.default_rng(10)
    for _ in range(100):
        A, B, m = some_pair(rng, 5.0, 3.0)
        one = ellipsoids.deepest_points(six(A), six(B), three(m), NEW, OUTWARD)
        if one.depth > 0.3:
            continue
        moved = m + 1e-4 * rng.normal(size=3)
        cold = ellipsoids.deepest_points(six(A), six(B), three(moved), NEW, OUTWARD)
        warm = ellipsoids.deepest_points(six(A), six(B), three(moved), one.normal, OUTWARD)
        assert warm.depth == pytest.approx(cold.depth, abs=1e-13)
        assert warm.normal == pytest.approx(cold.normal, abs=1e-9)
        assert warm.rounds <= 6
