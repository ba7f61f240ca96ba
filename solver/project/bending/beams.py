"""Finite elements of beams: matrices of a chain of nodes, and the modes of a straight one.

Przemieniecki, Theory of Matrix Structural Analysis (1968), sections 5.6, 11.6 and 15.3: two nodes with six freedoms each,
consistent masses with rotary inertia, geometric stiffness by axial force. Shear does not bend the elements.
The beam goes along z, its section has the axes x and y. Freedoms of a node are displacements along z, x, y, and turns about these.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Ends = Literal["clamped", "free", "pinned"]
Way = Literal["x", "y", "twist", "stretch"]

DIGITS = 36
"""Binary digits to which shapes and frequencies are kept: what libraries of other processors round otherwise is behind them."""


@dataclass(frozen=True, slots=True)
class Section:
    """Hold a beam's section and material; `moment_y`, about y, resists bending along x, `moment_x` that along y."""

    area: float
    moment_y: float
    moment_x: float
    torsion: float
    elastic: float
    shear: float
    density: float

    @property
    def polar(self) -> float:
        """The polar moment of the section."""
        return self.moment_x + self.moment_y


BENDING_X, BENDING_Y, STRETCH, TWIST = [1, 5, 7, 11], [2, 4, 8, 10], [0, 6], [3, 9]
"""Freedoms of an element by what they do: those of one know nothing of the others in a straight beam."""


def element(section: Section, length: float) -> tuple[Array, Array]:
    """Give mass and stiffness (12, 12) of one element."""
    s, h = section, length
    M, K = np.zeros((12, 12)), np.zeros((12, 12))
    two = np.array([[2.0, 1.0], [1.0, 2.0]]) / 6.0
    apart = np.array([[1.0, -1.0], [-1.0, 1.0]]) / h
    M[np.ix_(STRETCH, STRETCH)] = s.density * s.area * h * two
    K[np.ix_(STRETCH, STRETCH)] = s.elastic * s.area * apart
    M[np.ix_(TWIST, TWIST)] = s.density * s.polar * h * two
    K[np.ix_(TWIST, TWIST)] = s.shear * s.torsion * apart
    for at, moment, sign in ((BENDING_X, s.moment_y, 1.0), (BENDING_Y, s.moment_x, -1.0)):
        turns = np.array([1.0, sign, 1.0, sign])
        both = np.outer(turns, turns)
        here = np.ix_(at, at)
        M[here] = both * (s.density * s.area * _carried(h) + s.density * moment * slopes(h))
        K[here] = both * s.elastic * moment * _bent(h)
    return M, K


def geometric(length: float) -> Array:
    """Give the geometric stiffness (12, 12) of one element by unit tension."""
    out = np.zeros((12, 12))
    for at, sign in ((BENDING_X, 1.0), (BENDING_Y, -1.0)):
        turns = np.array([1.0, sign, 1.0, sign])
        out[np.ix_(at, at)] = np.outer(turns, turns) * slopes(length)
    return out


def _carried(h: float) -> Array:
    """Integrals of products of the cubic shapes."""
    return (h / 420.0) * np.array(
        [
            [156.0, 22 * h, 54.0, -13 * h],
            [22 * h, 4 * h * h, 13 * h, -3 * h * h],
            [54.0, 13 * h, 156.0, -22 * h],
            [-13 * h, -3 * h * h, -22 * h, 4 * h * h],
        ]
    )


def slopes(h: float) -> Array:
    """Integrals of products of their slopes."""
    return np.array(
        [
            [36.0, 3 * h, -36.0, 3 * h],
            [3 * h, 4 * h * h, -3 * h, -h * h],
            [-36.0, -3 * h, 36.0, -3 * h],
            [3 * h, -h * h, -3 * h, 4 * h * h],
        ]
    ) / (30.0 * h)


def _bent(h: float) -> Array:
    """Integrals of products of their curvatures."""
    return np.array(
        [
            [12.0, 6 * h, -12.0, 6 * h],
            [6 * h, 4 * h * h, -6 * h, 2 * h * h],
            [-12.0, -6 * h, 12.0, -6 * h],
            [6 * h, 2 * h * h, -6 * h, 4 * h * h],
        ]
    ) / (h * h * h)


def assembled(points: Array, section: Section, up: Array) -> tuple[Array, Array]:
    """Give mass and stiffness of a chain of elements through points (n, 3), which may be curved, over 6 n freedoms.

    `up` is the y axis of the sections, made square to each element.
    """
    n = len(points)
    M, K = np.zeros((6 * n, 6 * n)), np.zeros((6 * n, 6 * n))
    for e in range(n - 1):
        along = points[e + 1] - points[e]
        h = float(np.sqrt(along @ along))
        z = along / h
        x = np.cross(up, z)
        x = x / np.sqrt(x @ x)
        T = np.kron(np.eye(4), np.stack([z, x, np.cross(z, x)]))
        m, k = element(section, h)
        at = slice(6 * e, 6 * e + 12)
        M[at, at] += T.T @ m @ T
        K[at, at] += T.T @ k @ T
    return M, K


@dataclass(frozen=True, slots=True)
class BeamModes:
    """Hold modes of a straight beam: what they do, their frequencies (rad/s), displacement and turn at nodes (nodes, 2).

    For bending: displacement along x or y and slope; for twist and stretch the turn or displacement alone.
    """

    way: tuple[Way, ...]
    frequency: Array
    shape: tuple[Array, ...]


OFF: dict[tuple[str, str], tuple[int, ...]] = {
    ("bending", "clamped"): (0, 1),
    ("bending", "pinned"): (0, -2),
    ("bending", "free"): (),
    ("axial", "clamped"): (0,),
    ("axial", "pinned"): (0,),
    ("axial", "free"): (),
}
"""Freedoms that stand still at the ends."""


def beam_modes(
    section: Section, length: float, pieces: int, ends: Ends, counts: dict[Way, int], static: bool = False
) -> BeamModes:  # fmt: skip
    """Give the lowest modes of each way, none of them that of a rigid body; each is 1 (m, or rad) where it is largest.

    With `static` they are those of the shapes by unit motions of the ends and of modes between these (Craig and Bampton 1968).
    """
    way: list[Way] = []
    frequency: list[float] = []
    shape: list[Array] = []
    m, k = element(section, length / pieces)
    for name, at in (("x", BENDING_X), ("y", BENDING_Y), ("twist", TWIST), ("stretch", STRETCH)):
        count = counts.get(name, 0)  # type: ignore[call-overload]
        if count == 0:
            continue
        per = len(at) // 2
        M, K = (_chained(x[np.ix_(at, at)], pieces, per) for x in (m, k))
        kind = "bending" if per == 2 else "axial"
        free = np.arange(len(M))
        held = np.setdiff1d(free, [len(M) + n if n < 0 else n for n in OFF[kind, ends]])
        rigid = per if ends == "free" else 0
        K, M = K[np.ix_(held, held)], M[np.ix_(held, held)]
        basis = _with_static(K, M, held, per, pieces, count) if static else np.eye(len(K))
        squares, found = lowest(basis.T @ K @ basis, basis.T @ M @ basis, rigid + count)
        vectors = basis @ found
        for n in range(rigid, rigid + count):
            full = np.zeros(len(free))
            full[held] = vectors[:, n]
            one = full.reshape(-1, per)
            if name == "y":
                # the slope, instead of the turn about x
                one = one * [1.0, -1.0]
            top = one[np.argmax(np.abs(one[:, 0])), 0]
            way.append(name)  # type: ignore[arg-type]
            frequency.append(float(np.sqrt(squares[n])))
            shape.append(one / top)
    return BeamModes(tuple(way), np.array(frequency), tuple(shape))


def _with_static(
    K: Array, M: Array, moving: NDArray[np.int64], per: int, pieces: int, count: int
) -> Array:
    """Give the static shapes by a unit of each freedom of the ends, and the lowest modes with these held, `count` and what is rigid in all."""
    ends = (moving < per) | (moving >= per * pieces)
    on, within = np.flatnonzero(ends), np.flatnonzero(~ends)
    inside = count - per
    out = np.zeros((len(K), len(on) + inside))
    out[on, : len(on)] = np.eye(len(on))
    inner = K[np.ix_(within, within)]
    out[within, : len(on)] = -np.linalg.solve(inner, K[np.ix_(within, on)])
    if inside:
        out[within, len(on) :] = lowest(inner, M[np.ix_(within, within)], inside)[1]
    return out


def lowest(K: Array, M: Array, count: int) -> tuple[Array, Array]:
    """Give the lowest eigenvalues of K x = s M x and their vectors, kept to `DIGITS`."""
    from scipy.linalg import eigh

    squares, vectors = eigh(K, M, subset_by_index=[0, count - 1])
    vectors = vectors / np.abs(vectors).max(axis=0)
    scale = 2.0**DIGITS
    mantissa, power = np.frexp(np.maximum(squares, 0.0))
    return np.ldexp(np.round(mantissa * scale) / scale, power), np.round(vectors * scale) / scale


def _chained(block: Array, pieces: int, per: int) -> Array:
    out = np.zeros((per * (pieces + 1), per * (pieces + 1)))
    for e in range(pieces):
        at = slice(per * e, per * (e + 2))
        out[at, at] += block
    return out
