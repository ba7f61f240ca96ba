"""Make meshes of plain arrays: bodies, sheets, arrows, ribbons and markers."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.hyperellipsoids import levels
from solver.engine.maths.rotation import Array

Indices = NDArray[np.int64]

AROUND = 48
"""Points around what is round, where it is measured or picked."""


def _no_faces() -> Indices:
    return np.zeros((0, 3), dtype=np.int64)


@dataclass(frozen=True, eq=False, slots=True, weakref_slot=True)
class Mesh:
    """Points (m), triangles, polylines, and normals where they are exact."""

    points: Array
    faces: Indices = field(default_factory=_no_faces)
    normals: Array | None = None
    lines: tuple[tuple[int, ...], ...] = ()
    shade: Array | None = None
    """How bright each point is, from 0 to 1; None where all are."""

    def moved(self, R: Array, p: Array) -> Mesh:
        """Turn and move the mesh into other axes."""
        normals = None if self.normals is None else self.normals @ R.T
        return Mesh(self.points @ R.T + p, self.faces, normals, self.lines, self.shade)


@dataclass(frozen=True, eq=False, slots=True)
class Round:
    """The centre of something round in the axes of its segment, and make its mesh."""

    centre: Array
    semi_axes: tuple[float, float, float]
    mesh: Callable[[int, int], Mesh]
    """Gives the mesh with so many points around its longest axis and along it; the same each time."""

    @property
    def reach(self) -> float:
        """Give half its length (m)."""
        return max(self.semi_axes)

    @property
    def waist(self) -> float:
        """Give the larger half width across its longest axis (m)."""
        return sorted(self.semi_axes)[1]


def body(
    semi_axes: Sequence[float],
    powers: Sequence[float] = (2.0, 2.0, 2.0),
    around: int = AROUND,
    along: int | None = None,
) -> Mesh:
    """Make |x/a|^p + |y/b|^q + |z/c|^r = 1 about the origin, with exact normals (section 2.2).

    `around` points lie around the longest axis, and `along` of them on a ring through both of its
    ends: as many, where nothing else is said.
    """
    longest = int(np.argmax(semi_axes))
    axes = np.roll(np.asarray(semi_axes, float), 2 - longest)
    n = np.roll(np.asarray(powers, float), 2 - longest)
    across = (along or around) // 2
    unit = sphere = _sphere(around, across)
    if np.any(n != 2.0):
        unit = np.sign(sphere) * np.abs(sphere) ** (2.0 / n)
        unit = unit / levels(unit, n)[:, None]
    gradient = np.sign(unit) * n * np.abs(unit) ** (n - 1.0) / axes
    normals = gradient / np.linalg.norm(gradient, axis=1, keepdims=True)
    points, normals = (np.roll(each, longest - 2, axis=1) for each in (unit * axes, normals))
    return Mesh(points, globe_faces(around, across - 1), normals)


@cache
def _sphere(around: int, across: int) -> Array:
    """The points on a sphere: one end, rings, the other end."""
    u = np.linspace(0.0, 2.0 * np.pi, around + 1)[:-1]
    v = np.linspace(0.0, np.pi, across + 1)[1:-1]
    ring = np.column_stack([np.cos(u), np.sin(u)])
    sides = [np.column_stack([ring * np.sin(a), np.full(around, np.cos(a))]) for a in v]
    points = np.vstack([[0.0, 0.0, 1.0], *sides, [0.0, 0.0, -1.0]])
    points.setflags(write=False)
    return points


@cache
def globe_faces(around: int, rings: int) -> Indices:
    """The faces between one end, rings of points, and the other end, seen from outside."""
    last = 1 + rings * around
    i = np.arange(around)
    j = (i + 1) % around
    ends = [
        np.column_stack([np.zeros_like(i), 1 + i, 1 + j]),
        np.column_stack([np.full_like(i, last), last - around + j, last - around + i]),
    ]
    starts = 1 + around * np.arange(rings - 1)[:, None]
    a, b = (starts + i).ravel(), (starts + j).ravel()
    sides = [np.column_stack([a, a + around, b]), np.column_stack([b, a + around, b + around])]
    return np.concatenate(ends + sides).astype(np.int64)


def sheet(corner: Array, edge: Array, other: Array) -> Mesh:
    """Make a parallelogram; the outline follows as a line."""
    points = np.array([corner, corner + edge, corner + edge + other, corner + other])
    return Mesh(points, np.array([[0, 1, 2], [0, 2, 3]]), None, ((0, 1, 2, 3, 0),))


def arrow(
    foot: Array,
    along: Array,
    length: float,
    stem: float = 0.025,
    head: float = 0.11,
    neck: float = 0.68,
) -> Mesh:
    """Make an arrow of a length (m), a cone on a stem; half widths and neck are parts of the length."""
    n = 16
    w = along / np.linalg.norm(along)
    side = np.cross(w, np.eye(3)[int(np.argmin(np.abs(w)))])
    side /= np.linalg.norm(side)
    turn = np.linspace(0.0, 2.0 * np.pi, n + 1)[:-1]
    ring = np.outer(np.cos(turn), side) + np.outer(np.sin(turn), np.cross(w, side))
    thin, wide, from_foot = stem * length, head * length, neck * length * w
    points = foot + np.vstack(
        [thin * ring, from_foot + thin * ring, from_foot + wide * ring, [length * w]]
    )
    faces = []
    for i in range(n):
        j = (i + 1) % n
        faces += [(i, j, n + i), (j, n + j, n + i)]
        faces += [(n + i, n + j, 2 * n + i), (n + j, 2 * n + j, 2 * n + i)]
        faces.append((2 * n + i, 2 * n + j, 3 * n))
    return Mesh(points, np.array(faces))


def double_arrow(centre: Array, along: Array, length: float) -> Mesh:
    """Make two arrows away from each other, of a length (m) together."""
    half = 0.5 * length
    return joined(*(arrow(centre, way * along, half, 0.06, 0.22, 0.6) for way in (1.0, -1.0)))


def curl(centre: Array, axis: Array, radius: float) -> Mesh:
    """Make an arrow around an axis, three quarters of a turn, that points the way it turns."""
    n, around, thick = 28, 8, 0.09 * radius
    w = axis / np.linalg.norm(axis)
    side = np.cross(w, np.eye(3)[int(np.argmin(np.abs(w)))])
    side /= np.linalg.norm(side)
    angles = np.linspace(0.0, 1.5 * np.pi, n)
    out = np.outer(np.cos(angles), side) + np.outer(np.sin(angles), np.cross(w, side))
    turn = np.linspace(0.0, 2.0 * np.pi, around + 1)[:-1]
    rings = (
        radius * out[:, None]
        + thick * np.cos(turn)[None, :, None] * out[:, None]
        + thick * np.sin(turn)[None, :, None] * w
    )
    i, j = np.arange(around), (np.arange(around) + 1) % around
    starts = around * np.arange(n - 1)[:, None]
    a, b = (starts + i).ravel(), (starts + j).ravel()
    faces = [np.column_stack([a, b, a + around]), np.column_stack([b, b + around, a + around])]
    tube = Mesh(centre + rings.reshape(-1, 3), np.vstack(faces))
    ahead = np.cross(w, out[-1])
    head = arrow(centre + radius * out[-1], ahead, 0.55 * radius, 0.01, 0.5, 0.02)
    return joined(tube, head)


ROWS, ACROSS = 5, 4
"""Rows of points of a ribbon: edges, seams, middle; and the faces of each of its pieces."""
_SEAM_AT, _SEAM_LIFT_M = 0.36, 0.0025
"""Where webbing shows its seams, in widths from the middle, and how far above its face."""


def ribbon(line: Array, outward: Array, width: float) -> Mesh:
    """Lay a flat ribbon along a line (n, 3) with its face towards `outward` (n, 3), edges and seams as lines."""
    along = np.gradient(line, axis=0)
    across = crossed(along, outward)
    size = np.linalg.norm(across, axis=1, keepdims=True)
    usual = crossed(along, np.eye(3)[int(np.argmin(np.abs(along).sum(axis=0)))])
    across = np.where(size > 1e-9, across, usual)
    across /= np.maximum(np.linalg.norm(across, axis=1, keepdims=True), 1e-12)
    for i in range(1, len(across)):
        if across[i] @ across[i - 1] < 0.0:
            across[i] = -across[i]
    n = len(line)
    # two strips side by side, so that what lies on something round goes with it
    seams = line + _SEAM_LIFT_M * _unit(outward)
    rows = ((line, -0.5), (line, 0.5), (seams, -_SEAM_AT), (seams, _SEAM_AT), (line, 0.0))
    points = np.vstack([middle + at * width * across for middle, at in rows])
    return Mesh(points, _ribbon_faces(n), None, _ribbon_edges(n))


@cache
def _ribbon_faces(n: int) -> Indices:
    """The faces of a ribbon, `ACROSS` for each of its pieces: from one edge to the middle, and on."""
    i = np.arange(n - 1)
    strips = [
        np.column_stack([one + i, one + i + 1, other + i, one + i + 1, other + i + 1, other + i])
        for one, other in ((0, 4 * n), (4 * n, n))
    ]
    return np.hstack(strips).reshape(-1, 3).astype(np.int64)


@cache
def _ribbon_edges(n: int) -> tuple[tuple[int, ...], ...]:
    """The lines of a ribbon: its two edges, then its seams."""
    return tuple(tuple(range(row * n, (row + 1) * n)) for row in range(4))


def _unit(vectors: Array) -> Array:
    """Give vectors their length 1, and none to those without a direction."""
    out: Array = vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    return out


@lru_cache(maxsize=512)
def faceted(mesh: Mesh, most_m: float = np.inf) -> Mesh:
    """Give each face points and a normal of its own; sheets in pieces with edges of `most_m`."""
    corners = mesh.points[mesh.faces]
    while len(corners) and float(_edges(corners).max()) > most_m:
        a, b, c = corners.transpose(1, 0, 2)
        ab, bc, ca = 0.5 * (a + b), 0.5 * (b + c), 0.5 * (c + a)
        four = ((a, ab, ca), (ab, b, bc), (ca, bc, c), (ab, bc, ca))
        corners = np.concatenate([np.stack(one, axis=1) for one in four])
    a, b, c = corners.transpose(1, 0, 2)
    normals = np.cross(b - a, c - a)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    faces = np.arange(3 * len(corners)).reshape(-1, 3)
    return Mesh(corners.reshape(-1, 3), faces, np.repeat(normals, 3, axis=0), ())


@lru_cache(maxsize=512)
def outline(mesh: Mesh) -> Mesh:
    """Leave only the lines and their points."""
    ends = [np.array(line) for line in mesh.lines]
    starts = np.cumsum([0, *(len(line) for line in ends)])
    lines = tuple(tuple(range(a, a + len(line))) for a, line in zip(starts, ends, strict=False))
    return Mesh(mesh.points[np.concatenate(ends)], lines=lines)


@lru_cache(maxsize=512)
def swollen(mesh: Mesh, by: float) -> Mesh:
    """Move all points outwards along their normals (m)."""
    assert mesh.normals is not None
    return Mesh(mesh.points + by * mesh.normals, mesh.faces, mesh.normals)


def _edges(corners: Array) -> Array:
    lengths: Array = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2)
    return lengths


def marker(centre: Array, radius: float, around: int = 16) -> Mesh:
    """Make a small ball."""
    ball = _unit_ball(around)
    return Mesh(centre + radius * ball.points, ball.faces, ball.normals)


@cache
def _unit_ball(around: int) -> Mesh:
    return body((1.0, 1.0, 1.0), around=around)


def joined(*meshes: Mesh) -> Mesh:
    """Make one mesh of several, without normals."""
    starts = np.cumsum([0, *(len(mesh.points) for mesh in meshes)])
    faces = [mesh.faces + start for mesh, start in zip(meshes, starts, strict=False)]
    lines = [
        tuple(start + i for i in line)
        for mesh, start in zip(meshes, starts, strict=False)
        for line in mesh.lines
    ]
    points = np.vstack([mesh.points for mesh in meshes])
    return Mesh(points, np.vstack(faces), None, tuple(lines))


def column(radius: float, *plates: tuple[Array, Array], around: int = 20) -> Mesh:
    """Make a round column between two plates (place, turn), each across the z of its axes."""
    circle = radius * _circle(around)
    rings = [place + circle @ R[:, :2].T for place, R in plates]
    edges = tuple((*range(start, start + around), start) for start in (0, around))
    return Mesh(
        np.vstack([*rings, *(place for place, _ in plates)]), _column_faces(around), lines=edges
    )


@cache
def _circle(around: int) -> Array:
    angle = 2.0 * np.pi * np.arange(around) / around
    return np.column_stack([np.cos(angle), np.sin(angle)])


@cache
def _column_faces(around: int) -> Indices:
    """The faces of a column: its side, then its two plates, whose centres come last."""
    one = np.arange(around)
    next_ = (one + 1) % around
    side = [[one, next_, around + one], [next_, around + next_, around + one]]
    plates = [[next_, one, np.full(around, 2 * around)]]
    plates += [[around + one, around + next_, np.full(around, 2 * around + 1)]]
    return np.vstack([np.column_stack(corners) for corners in (*side, *plates)])


def path(line: Array) -> Mesh:
    """Make a plain polyline; those of as many points share the row of their numbers."""
    return Mesh(line, lines=_in_a_row(len(line)))


@cache
def _in_a_row(count: int) -> tuple[tuple[int, ...], ...]:
    return (tuple(range(count)),)


def crossed(one: Array, other: Array) -> Array:
    """The cross products of vectors (..., 3), quicker than numpy's own."""
    out = np.empty_like(one)
    for k in range(3):
        i, j = (k + 1) % 3, (k + 2) % 3
        out[..., k] = one[..., i] * other[..., j] - one[..., j] * other[..., i]
    return out
