"""Vectors, turns and inertias as tuples, against the same in matrices."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from solver.engine.jit.kernels import kernel
from solver.engine.maths import rotation
from solver.engine.maths import spatial as s
from solver.engine.maths.spatial import cross, dot, length, mat_on, plus, scaled, transpose_on

Array = NDArray[np.float64]


@kernel
def vectors(a: Array, M: Array, S: Array, out: Array) -> None:
    """Write what comes of vectors (3, 3), two matrices (2, 9) and a symmetric one (1, 6)."""
    x, y, z, m, n, t = (
        s.read3(a, 0),
        s.read3(a, 1),
        s.read3(a, 2),
        s.read9(M, 0),
        s.read9(M, 1),
        0.7,
    )
    sym = s.read6(S, 0)
    s.write3(out, 0, cross(x, y))
    s.write3(out, 1, plus(x, t, y))
    s.write3(out, 2, s.plus_cross(x, y, z))
    s.write3(out, 3, s.centripetal(x, y))
    s.write3(out, 4, s.mat_on(m, x))
    s.write3(out, 5, s.transpose_on(m, x))
    s.write3(out, 6, s.sym_on(sym, x))
    s.write3(out, 7, s.plus_mat(x, m, y))
    s.write3(out, 8, s.plus_transpose(x, m, y))
    s.write3(out, 9, s.plus_sym(x, sym, y))
    s.write3(out, 10, s.antisymmetric(m))
    s.write3(out, 11, s.each(x, y))
    s.write3(out, 12, s.each_over(x, y))
    s.write3(out, 13, s.less(s.added(x, y), s.over(scaled(t, z), 0.3)))
    s.write3(out, 14, (dot(x, y), length(x), s.plus_dot(t, x, y)))
    s.write3(out, 15, (s.total(x), s.trace(sym), s.determinant(sym, s.cofactors(sym))))
    s.write3(out, 16, transpose_on(M[0], x))
    s.write3(out, 17, mat_on(M[0], x))
    s.add3(out, 18, x)
    s.write3(out, 19, s.sym_on(s.cofactors(sym), s.sym_on(sym, x)))
    s.write_spatial(out, 20, x, y)
    one, two = s.read_spatial(out, 20)
    s.write3(out, 21, s.less(one, two))
    s.write3(out, 22, s.mat_on(s.product(m, n), x))


@kernel
def matrices(a: Array, M: Array, S: Array, q: Array, out: Array) -> None:
    """Write the matrices that come of the same, and of two quaternions (8)."""
    x, y, m, n, sym = s.read3(a, 0), s.read3(a, 1), s.read9(M, 0), s.read9(M, 1), s.read6(S, 0)
    s.write9(out, 0, s.product(m, n))
    s.write9(out, 1, s.transposed(m))
    s.write9(out, 2, s.sym_times(sym, m))
    s.write9(out, 3, s.times_sym(m, sym))
    s.write9(out, 4, s.mat_less_outer(m, x, y))
    s.write9(out, 5, s.crossed_rows(x, m))
    s.write9(out, 6, s.crossed_sym(x, sym))
    s.write9(out, 7, s.skew(0.7, x))
    s.write9(out, 8, s.about_axis(s.over(x, length(x)), 0.7))
    s.write9(out, 9, s.of_quaternion(s.read4(q, 0)))
    s.write9(out, 10, s.of_quaternion(s.quaternion_product(s.read4(q, 0), s.read4(q, 4))))
    s.write9(out, 11, s.yaw_pitch_roll(x))
    s.write9(out, 12, s.of_rows(x, y, x))
    s.add9(out, 13, m)
    s.write4(q, 0, s.normalised(s.read4(q, 0)))


@kernel
def symmetrics(a: Array, M: Array, S: Array, out: Array) -> None:
    """Write the symmetric matrices that come of the same."""
    x, m, sym = s.read3(a, 0), s.read9(M, 0), s.read6(S, 0)
    s.write6(out, 0, s.turned(m, sym))
    s.write6(out, 1, s.symmetric_product(m, s.transposed(m)))
    s.write6(out, 2, s.sym_less(sym, s.sym_scaled(0.7, s.cofactors(sym))))
    s.write6(out, 3, s.less_outer(sym, x, scaled(0.7, x)))
    s.write6(out, 4, s.with_transpose(sym, m))
    s.write6(out, 5, s.with_point_mass(sym, 0.7, x))
    s.write6(out, 6, s.lower_half(m))
    s.add6(out, 7, sym)


def full(S: Array) -> Array:
    """Make a matrix of xx, yy, zz, xy, xz, yz."""
    xx, yy, zz, xy, xz, yz = S
    return np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])


def skew(a: Array) -> Array:
    """Make [a]x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


@pytest.fixture
def given() -> tuple[Array, Array, Array, Array]:
    """Draw vectors, matrices, a symmetric matrix and quaternions."""
    rng = np.random.default_rng(4)
    return (
        rng.normal(size=(3, 3)),
        rng.normal(size=(2, 9)),
        rng.normal(size=(1, 6)),
        rng.normal(size=8),
    )


def test_vectors_are_those_of_matrices(given: tuple[Array, Array, Array, Array]) -> None:
    a, M, S, _ = given
    (x, y, z), m, n, sym, t = a, M[0].reshape(3, 3), M[1].reshape(3, 3), full(S[0]), 0.7
    out = np.zeros((23, 6))
    vectors(a, M, S, out)
    wanted = [
        np.cross(x, y), x + t * y, x + np.cross(y, z), np.cross(x, np.cross(x, y)), m @ x, m.T @ x, sym @ x,
        x + m @ y, x + m.T @ y, x + sym @ y,
        [0.5 * (m - m.T)[2, 1], 0.5 * (m - m.T)[0, 2], 0.5 * (m - m.T)[1, 0]],
        x * y, x / y, x + y - t * z / 0.3, [x @ y, np.linalg.norm(x), t + x @ y],
        [x.sum(), np.trace(sym), np.linalg.det(sym)], m.T @ x, m @ x, x, np.linalg.det(sym) * x, x, x - y, m @ n @ x,
    ]  # fmt: skip
    for row, (found, one) in enumerate(zip(out, wanted, strict=True)):
        assert found[:3] == pytest.approx(np.asarray(one), rel=1e-13, abs=1e-13), row
    assert out[20, 3:] == pytest.approx(y, abs=0.0)


def test_matrices_are_those_of_numpy(given: tuple[Array, Array, Array, Array]) -> None:
    a, M, S, q = given
    (x, y, _), m, n, sym = a, M[0].reshape(3, 3), M[1].reshape(3, 3), full(S[0])
    p, r = q[:4] / np.linalg.norm(q[:4]), q[4:] / np.linalg.norm(q[4:])
    e = x / np.linalg.norm(x)
    turn = np.cos(0.7) * np.eye(3) + np.sin(0.7) * skew(e) + (1.0 - np.cos(0.7)) * np.outer(e, e)
    out = np.zeros((14, 9))
    matrices(a, M, S, q, out)
    wanted = [
        m @ n, m.T, sym @ m, m @ sym, m - np.outer(x, y), skew(x) @ m.T, skew(x) @ sym, 0.7 * skew(x), turn,
        rotation.matrix(p), rotation.matrix(p) @ rotation.matrix(r), rotation.from_angles(x, "zyx"), [x, y, x], m,
    ]  # fmt: skip
    for row, (found, one) in enumerate(zip(out, wanted, strict=True)):
        assert found == pytest.approx(np.ravel(one), rel=1e-13, abs=1e-13), row
    assert q[:4] == pytest.approx(p, rel=1e-14)


def test_symmetric_matrices_are_those_of_numpy(given: tuple[Array, Array, Array, Array]) -> None:
    a, M, S, _ = given
    x, m, sym = a[0], M[0].reshape(3, 3), full(S[0])
    out = np.zeros((8, 6))
    symmetrics(a, M, S, out)
    lower = np.tril(m) + np.tril(m, -1).T
    wanted = [
        m @ sym @ m.T, m @ m.T, sym - 0.7 * np.linalg.det(sym) * np.linalg.inv(sym), sym - 0.7 * np.outer(x, x),
        sym + m + m.T, sym + 0.7 * (x @ x * np.eye(3) - np.outer(x, x)), lower, sym,
    ]  # fmt: skip
    for row, (found, one) in enumerate(zip(out, wanted, strict=True)):
        assert full(found) == pytest.approx(np.asarray(one), rel=1e-12, abs=1e-13), row
