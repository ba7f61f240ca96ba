"""Vectors, turns, inertias and spatial vectors as tuples, as kernels pass them.

The algebra of Featherstone, Rigid Body Dynamics Algorithms (2008), chapter 2, by its parts of three: a spatial motion is a
turning part and a part along the way, a spatial force a couple and a force, a spatial inertia `[[A, B], [B^T, M]]`.

| type | numbers |
|---|---|
| `Three` | x, y, z |
| `Symmetric` | xx, yy, zz, xy, xz, yz |
| `Matrix` | 3 x 3, row by row |
| `Quaternion` | w, x, y, z |

Names: `..._on(M, a)` is M a, `plus_...(a, M, b)` is a + M b, summed from left to right; `read3`, `read6`, `read9` take a row of an
array, `write...` fill it, `add...` add to it.
"""

from __future__ import annotations

import math
from typing import Annotated

import numpy as np
from numpy.typing import NDArray

from solver.engine.jit.kernels import inlined

Array = NDArray[np.float64]
Table = Annotated[NDArray[np.float64], 2]
"""An array of two dimensions, in the signature of a kernel that is compiled on its own; `Array` is one of one there."""

Three = tuple[float, float, float]
Symmetric = tuple[float, float, float, float, float, float]
Matrix = tuple[float, float, float, float, float, float, float, float, float]
Quaternion = tuple[float, float, float, float]
Turn = Matrix | Array
"""The nine numbers of a turn as a tuple, or in a row of their own."""

NOUGHT = (0.0, 0.0, 0.0)
UNIT = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)
"""The vector without length, and the turn that leaves all as it is."""


@inlined
def read3(rows: Array, i: int) -> Three:
    """Read a vector from row i."""
    return rows[i, 0], rows[i, 1], rows[i, 2]


@inlined
def read6(rows: Array, i: int) -> Symmetric:
    """Read a symmetric matrix from row i."""
    return rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3], rows[i, 4], rows[i, 5]


@inlined
def read9(rows: Array, i: int) -> Matrix:
    """Read a matrix from row i."""
    return (
        rows[i, 0], rows[i, 1], rows[i, 2],
        rows[i, 3], rows[i, 4], rows[i, 5],
        rows[i, 6], rows[i, 7], rows[i, 8],
    )  # fmt: skip


@inlined
def read_axis(rows: Array, i: int, c: int) -> Three:
    """Read the axis that stands in column c of the turn in row i."""
    return rows[i, c], rows[i, 3 + c], rows[i, 6 + c]


@inlined
def write3(rows: Array, i: int, a: Three) -> None:
    """Put a vector into row i."""
    rows[i, 0], rows[i, 1], rows[i, 2] = a


@inlined
def write6(rows: Array, i: int, S: Symmetric) -> None:
    """Put a symmetric matrix into row i."""
    rows[i, 0], rows[i, 1], rows[i, 2], rows[i, 3], rows[i, 4], rows[i, 5] = S


@inlined
def write9(rows: Array, i: int, M: Matrix) -> None:
    """Put a matrix into row i."""
    rows[i, 0], rows[i, 1], rows[i, 2] = M[0], M[1], M[2]
    rows[i, 3], rows[i, 4], rows[i, 5] = M[3], M[4], M[5]
    rows[i, 6], rows[i, 7], rows[i, 8] = M[6], M[7], M[8]


@inlined
def write_turn(row: Array, M: Matrix) -> None:
    """Put a turn into nine numbers of their own."""
    row[0], row[1], row[2] = M[0], M[1], M[2]
    row[3], row[4], row[5] = M[3], M[4], M[5]
    row[6], row[7], row[8] = M[6], M[7], M[8]


@inlined
def add3(rows: Array, i: int, a: Three) -> None:
    """Add a vector to row i."""
    rows[i, 0] += a[0]
    rows[i, 1] += a[1]
    rows[i, 2] += a[2]


@inlined
def add6(rows: Array, i: int, S: Symmetric) -> None:
    """Add a symmetric matrix to row i."""
    rows[i, 0] += S[0]
    rows[i, 1] += S[1]
    rows[i, 2] += S[2]
    rows[i, 3] += S[3]
    rows[i, 4] += S[4]
    rows[i, 5] += S[5]


@inlined
def add9(rows: Array, i: int, M: Matrix) -> None:
    """Add a matrix to row i."""
    rows[i, 0], rows[i, 1], rows[i, 2] = rows[i, 0] + M[0], rows[i, 1] + M[1], rows[i, 2] + M[2]
    rows[i, 3], rows[i, 4], rows[i, 5] = rows[i, 3] + M[3], rows[i, 4] + M[4], rows[i, 5] + M[5]
    rows[i, 6], rows[i, 7], rows[i, 8] = rows[i, 6] + M[6], rows[i, 7] + M[7], rows[i, 8] + M[8]


@inlined
def read_spatial(rows: Array, i: int) -> tuple[Three, Three]:
    """Read a spatial vector from row i: what turns, or a couple, and what shifts, or a force."""
    return (rows[i, 0], rows[i, 1], rows[i, 2]), (rows[i, 3], rows[i, 4], rows[i, 5])


@inlined
def write_spatial(rows: Array, i: int, a: Three, b: Three) -> None:
    """Put both parts of a spatial vector into row i."""
    rows[i, 0], rows[i, 1], rows[i, 2] = a
    rows[i, 3], rows[i, 4], rows[i, 5] = b


@inlined
def read_symmetric(row: Array, at: int) -> Symmetric:
    """Read a symmetric matrix from six numbers of a row."""
    return row[at], row[at + 1], row[at + 2], row[at + 3], row[at + 4], row[at + 5]


@inlined
def write_symmetric(row: Array, at: int, S: Symmetric) -> None:
    """Put a symmetric matrix into six numbers of a row."""
    row[at], row[at + 1], row[at + 2], row[at + 3], row[at + 4], row[at + 5] = S


@inlined
def read4(row: Array, at: int) -> Quaternion:
    """Read a quaternion from four numbers in a row."""
    return row[at], row[at + 1], row[at + 2], row[at + 3]


@inlined
def write4(row: Array, at: int, q: Quaternion) -> None:
    """Put a quaternion into a row."""
    row[at], row[at + 1], row[at + 2], row[at + 3] = q


@inlined
def dot(a: Three, b: Three) -> float:
    """A . b."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def length(a: Three) -> float:
    """The length of a."""
    return math.sqrt(a[0] * a[0] + a[1] * a[1] + a[2] * a[2])


@inlined
def cross(a: Three, b: Three) -> Three:
    """Return a x b."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


@inlined
def plus(a: Three, s: float, b: Three) -> Three:
    """A + s b."""
    return a[0] + s * b[0], a[1] + s * b[1], a[2] + s * b[2]


@inlined
def scaled(s: float, a: Three) -> Three:
    """Return s a."""
    return s * a[0], s * a[1], s * a[2]


@inlined
def read(row: Array, at: int) -> Three:
    """Read a vector from three numbers of a row."""
    return row[at], row[at + 1], row[at + 2]


@inlined
def write(row: Array, at: int, a: Three) -> None:
    """Put a vector into three numbers of a row."""
    row[at], row[at + 1], row[at + 2] = a


@inlined
def added(a: Three, b: Three) -> Three:
    """A + b."""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


@inlined
def less(a: Three, b: Three) -> Three:
    """A - b."""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


@inlined
def over(a: Three, s: float) -> Three:
    """A / s."""
    return a[0] / s, a[1] / s, a[2] / s


@inlined
def each(a: Three, b: Three) -> Three:
    """The products of components."""
    return a[0] * b[0], a[1] * b[1], a[2] * b[2]


@inlined
def each_over(a: Three, b: Three) -> Three:
    """The quotients of components."""
    return a[0] / b[0], a[1] / b[1], a[2] / b[2]


@inlined
def total(a: Three) -> float:
    """The sum of components."""
    return a[0] + a[1] + a[2]


@inlined
def plus_dot(s: float, a: Three, b: Three) -> float:
    """Return s + a . b."""
    return s + a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


@inlined
def plus_cross(v: Three, w: Three, r: Three) -> Three:
    """Return v + w x r: a velocity, an acceleration or a couple carried to another point."""
    return (
        v[0] + w[1] * r[2] - w[2] * r[1],
        v[1] + w[2] * r[0] - w[0] * r[2],
        v[2] + w[0] * r[1] - w[1] * r[0],
    )


@inlined
def centripetal(w: Three, r: Three) -> Three:
    """The acceleration w x (w x r) of what turns along, as w (w . r) - r (w . w)."""
    along, square = dot(w, r), dot(w, w)
    return w[0] * along - r[0] * square, w[1] * along - r[1] * square, w[2] * along - r[2] * square


@inlined
def mat_on(M: Turn, a: Three) -> Three:
    """Return M a; of a turn R_AB, the components in A."""
    return (
        M[0] * a[0] + M[1] * a[1] + M[2] * a[2],
        M[3] * a[0] + M[4] * a[1] + M[5] * a[2],
        M[6] * a[0] + M[7] * a[1] + M[8] * a[2],
    )


@inlined
def transpose_on(M: Turn, a: Three) -> Three:
    """Return M^T a; of a turn R_AB, the components in B."""
    return (
        M[0] * a[0] + M[3] * a[1] + M[6] * a[2],
        M[1] * a[0] + M[4] * a[1] + M[7] * a[2],
        M[2] * a[0] + M[5] * a[1] + M[8] * a[2],
    )


@inlined
def sym_on(S: Symmetric, a: Three) -> Three:
    """Return S a."""
    return (
        S[0] * a[0] + S[3] * a[1] + S[4] * a[2],
        S[3] * a[0] + S[1] * a[1] + S[5] * a[2],
        S[4] * a[0] + S[5] * a[1] + S[2] * a[2],
    )


@inlined
def plus_mat(a: Three, M: Matrix, b: Three) -> Three:
    """A + M b."""
    return (
        a[0] + M[0] * b[0] + M[1] * b[1] + M[2] * b[2],
        a[1] + M[3] * b[0] + M[4] * b[1] + M[5] * b[2],
        a[2] + M[6] * b[0] + M[7] * b[1] + M[8] * b[2],
    )


@inlined
def plus_transpose(a: Three, M: Matrix, b: Three) -> Three:
    """A + M^T b."""
    return (
        a[0] + M[0] * b[0] + M[3] * b[1] + M[6] * b[2],
        a[1] + M[1] * b[0] + M[4] * b[1] + M[7] * b[2],
        a[2] + M[2] * b[0] + M[5] * b[1] + M[8] * b[2],
    )


@inlined
def plus_sym(a: Three, S: Symmetric, b: Three) -> Three:
    """A + S b."""
    return (
        a[0] + S[0] * b[0] + S[3] * b[1] + S[4] * b[2],
        a[1] + S[3] * b[0] + S[1] * b[1] + S[5] * b[2],
        a[2] + S[4] * b[0] + S[5] * b[1] + S[2] * b[2],
    )


@inlined
def transposed(M: Matrix) -> Matrix:
    """The transpose of a matrix."""
    return M[0], M[3], M[6], M[1], M[4], M[7], M[2], M[5], M[8]


@inlined
def product(M: Matrix, N: Matrix) -> Matrix:
    """Return M N."""
    x = mat_on(M, (N[0], N[3], N[6]))
    y = mat_on(M, (N[1], N[4], N[7]))
    z = mat_on(M, (N[2], N[5], N[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@inlined
def sym_times(S: Symmetric, M: Matrix) -> Matrix:
    """Return S M."""
    return product((S[0], S[3], S[4], S[3], S[1], S[5], S[4], S[5], S[2]), M)


@inlined
def times_sym(M: Matrix, S: Symmetric) -> Matrix:
    """Return M S."""
    return product(M, (S[0], S[3], S[4], S[3], S[1], S[5], S[4], S[5], S[2]))


@inlined
def symmetric_product(M: Matrix, N: Matrix) -> Symmetric:
    """Return M N where it is known to be symmetric."""
    x = mat_on(M, (N[0], N[3], N[6]))
    y = mat_on(M, (N[1], N[4], N[7]))
    z = mat_on(M, (N[2], N[5], N[8]))
    return x[0], y[1], z[2], y[0], z[0], z[1]


@inlined
def turned(R: Matrix, S: Symmetric) -> Symmetric:
    """The symmetric matrix R S R^T: S of body axes in those that R turns to."""
    return symmetric_product(times_sym(R, S), transposed(R))


@inlined
def turned_diagonal(R: Turn, d: Three) -> Symmetric:
    """Return R D R^T of a diagonal D."""
    x, y, z = d
    return symmetric_product(
        (R[0] * x, R[1] * y, R[2] * z, R[3] * x, R[4] * y, R[5] * z, R[6] * x, R[7] * y, R[8] * z),
        (R[0], R[3], R[6], R[1], R[4], R[7], R[2], R[5], R[8]),
    )


@inlined
def sym_mixed(s: float, S: Symmetric, r: float, T: Symmetric) -> Symmetric:
    """Return s S + r T."""
    return (
        s * S[0] + r * T[0], s * S[1] + r * T[1], s * S[2] + r * T[2],
        s * S[3] + r * T[3], s * S[4] + r * T[4], s * S[5] + r * T[5],
    )  # fmt: skip


@inlined
def sym_less(S: Symmetric, T: Symmetric) -> Symmetric:
    """Return S - T."""
    return S[0] - T[0], S[1] - T[1], S[2] - T[2], S[3] - T[3], S[4] - T[4], S[5] - T[5]


@inlined
def sym_scaled(s: float, S: Symmetric) -> Symmetric:
    """Return s S."""
    return s * S[0], s * S[1], s * S[2], s * S[3], s * S[4], s * S[5]


@inlined
def less_outer(S: Symmetric, a: Three, b: Three) -> Symmetric:
    """Return S - a b^T, where a and b are along each other."""
    return (
        S[0] - a[0] * b[0], S[1] - a[1] * b[1], S[2] - a[2] * b[2],
        S[3] - a[0] * b[1], S[4] - a[0] * b[2], S[5] - a[1] * b[2],
    )  # fmt: skip


@inlined
def mat_less_outer(M: Matrix, a: Three, b: Three) -> Matrix:
    """Return M - a b^T."""
    return (
        M[0] - a[0] * b[0], M[1] - a[0] * b[1], M[2] - a[0] * b[2],
        M[3] - a[1] * b[0], M[4] - a[1] * b[1], M[5] - a[1] * b[2],
        M[6] - a[2] * b[0], M[7] - a[2] * b[1], M[8] - a[2] * b[2],
    )  # fmt: skip


@inlined
def cofactors(S: Symmetric) -> Symmetric:
    """The matrix of cofactors: the inverse times the determinant."""
    return (
        S[1] * S[2] - S[5] * S[5],
        S[0] * S[2] - S[4] * S[4],
        S[0] * S[1] - S[3] * S[3],
        S[4] * S[5] - S[3] * S[2],
        S[3] * S[5] - S[4] * S[1],
        S[3] * S[4] - S[0] * S[5],
    )


@inlined
def determinant(S: Symmetric, of: Symmetric) -> float:
    """The determinant, by the cofactors."""
    return S[0] * of[0] + S[3] * of[3] + S[4] * of[4]


@inlined
def sym_solved(S: Symmetric, a: Three) -> tuple[Three, float]:
    """Return S^-1 a, and the determinant."""
    of = cofactors(S)
    det = determinant(S, of)
    return scaled(1.0 / det, sym_on(of, a)), det


@inlined
def trace(S: Symmetric) -> float:
    """The sum of the diagonal."""
    return S[0] + S[1] + S[2]


@inlined
def crossed_rows(r: Three, M: Matrix) -> Matrix:
    """The matrix [r]x M^T: its columns are r crossed with the rows of M."""
    x = cross(r, (M[0], M[1], M[2]))
    y = cross(r, (M[3], M[4], M[5]))
    z = cross(r, (M[6], M[7], M[8]))
    return x[0], y[0], z[0], x[1], y[1], z[1], x[2], y[2], z[2]


@inlined
def crossed_sym(r: Three, S: Symmetric) -> Matrix:
    """The matrix [r]x S."""
    return crossed_rows(r, (S[0], S[3], S[4], S[3], S[1], S[5], S[4], S[5], S[2]))


@inlined
def lower_half(M: Matrix) -> Symmetric:
    """The symmetric matrix that has this one's diagonal and what stands below it."""
    return M[0], M[4], M[8], M[3], M[6], M[7]


@inlined
def antisymmetric(M: Matrix) -> Three:
    """The vector a of M's antisymmetric part [a]x: of a small turn, the angles about x, y and z."""
    return 0.5 * (M[7] - M[5]), 0.5 * (M[2] - M[6]), 0.5 * (M[3] - M[1])


@inlined
def with_transpose(S: Symmetric, M: Matrix) -> Symmetric:
    """Return S + M + M^T."""
    return (
        S[0] + 2.0 * M[0], S[1] + 2.0 * M[4], S[2] + 2.0 * M[8],
        S[3] + M[1] + M[3], S[4] + M[2] + M[6], S[5] + M[5] + M[7],
    )  # fmt: skip


@inlined
def skew(m: float, d: Three) -> Matrix:
    """The matrix m [d]x."""
    x, y, z = m * d[0], m * d[1], m * d[2]
    return 0.0, -z, y, z, 0.0, -x, -y, x, 0.0


@inlined
def with_point_mass(S: Symmetric, m: float, d: Three) -> Symmetric:
    """The moments of inertia S and those of a mass at an arm (Steiner)."""
    x, y, z = d
    return (
        S[0] + m * (y * y + z * z), S[1] + m * (x * x + z * z), S[2] + m * (x * x + y * y),
        S[3] - m * x * y, S[4] - m * x * z, S[5] - m * y * z,
    )  # fmt: skip


@inlined
def about_axis(e: Three, angle: float) -> Matrix:
    """The turn about a unit vector (Rodrigues)."""
    c, s = math.cos(angle), math.sin(angle)
    t = 1.0 - c
    x, y, z = e
    return (
        c + t * x * x, t * x * y - s * z, t * x * z + s * y,
        t * x * y + s * z, c + t * y * y, t * y * z - s * x,
        t * x * z - s * y, t * y * z + s * x, c + t * z * z,
    )  # fmt: skip


@inlined
def yaw_pitch_roll(angles: Three) -> Matrix:
    """The turn of successive angles about moving axes z, y and x."""
    cy, sy = math.cos(angles[0]), math.sin(angles[0])
    cp, sp = math.cos(angles[1]), math.sin(angles[1])
    cr, sr = math.cos(angles[2]), math.sin(angles[2])
    return (
        cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr,
        sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr,
        -sp, cp * sr, cp * cr,
    )  # fmt: skip


@inlined
def of_rows(x: Three, y: Three, z: Three) -> Matrix:
    """The matrix of three rows."""
    return x[0], x[1], x[2], y[0], y[1], y[2], z[0], z[1], z[2]


@inlined
def of_quaternion(q: Quaternion) -> Matrix:
    """The turn of a quaternion of any length."""
    w, x, y, z = q
    f = 2.0 / (w * w + x * x + y * y + z * z)
    return (
        1.0 - f * (y * y + z * z), f * (x * y - w * z), f * (x * z + w * y),
        f * (x * y + w * z), 1.0 - f * (x * x + z * z), f * (y * z - w * x),
        f * (x * z - w * y), f * (y * z + w * x), 1.0 - f * (x * x + y * y),
    )  # fmt: skip


@inlined
def quaternion_product(p: Quaternion, q: Quaternion) -> Quaternion:
    """The turn q and then, in the axes outside, p."""
    a, b, c, d = p
    w, x, y, z = q
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


@inlined
def normalised(q: Quaternion) -> Quaternion:
    """The quaternion along q of length one."""
    w, x, y, z = q
    f = 1.0 / math.sqrt(w * w + x * x + y * y + z * z)
    return f * w, f * x, f * y, f * z
