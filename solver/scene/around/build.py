"""Build surroundings of prisms in the axes of a room: ahead, to one side, up."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.pose import four_corners
from solver.project.segments import Plane
from solver.scene.furnishing import Stuff
from solver.scene.meshes import Indices, Mesh, faceted, joined

_AROUND = 36
_CUT = 0.3
"""How much of half its lesser width each edge of a beam is cut off."""

Point = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class NoseLine:
    """Where the nose of a car begins, in its segment's axes (m), its directions, and its size."""

    ahead: Point
    up: Point
    base: Point
    long: float
    high: float
    half: float
    road: float
    """How high the road is over where it begins."""
    side: float
    """On which side who sits in front is: below 0 on the left."""


@dataclass(frozen=True, eq=False, slots=True)
class Around:
    """Hold something that a picture adds to a model, in the axes of its segment; nothing touches it.

    What is solid stands where nobody comes: behind what bears, or slim at the edge. All else is seen through, with its edges
    as thin lines.
    """

    segment: str
    mesh: Mesh
    """With normals, and with its edges as lines."""
    stuff: Stuff
    is_solid: bool
    middle: Array
    front: Array | None
    """To which side one must be to see more of it than its edges; None for all sides."""
    of: frozenset[str]
    """Elements that say that it is there: without all of them it is not seen."""
    group: str = ""
    """What is seen past together: one end of a car with its wheels and lamps."""
    line: NoseLine | None = None
    """How a nose lies that a wall may fold up."""
    press: object = None
    """How it gives way before a wall (`struck.Press`)."""

    def is_faced(self, eye: Array) -> bool:
        """Whether an eye in the axes of the segment (m) is before its front."""
        return self.front is None or float((eye - self.middle) @ self.front) > 0.0


@dataclass(frozen=True, slots=True)
class Shell:
    """What a model has of a car's body, for show: in its place a better one is drawn."""

    wheels: tuple[Point, ...]
    """Their middles (m, axes of the segment)."""
    radius: float
    corners: tuple[Point, ...]
    """Those of a box around it."""


@dataclass(frozen=True, eq=False, slots=True)
class Room:
    """The axes in which things around people are built, in those of a segment, and collect them."""

    segment: str
    origin: Array
    axes: Array
    """Ahead, to the side and up, in columns."""
    of: frozenset[str]

    @classmethod
    def of_planes(
        cls, segment: str, origin: Array, ahead: Array, up: Array, of: Collection[Plane]
    ) -> Room:
        """Give a room whose up is kept, and whose ahead is level; its side is to the right, as in a car's axes."""
        up = up / np.linalg.norm(up)
        ahead = ahead - (ahead @ up) * up
        ahead = ahead / np.linalg.norm(ahead)
        names = frozenset(f"planes/{plane.id}" for plane in of)
        return cls(segment, origin, np.column_stack([ahead, np.cross(ahead, up), up]), names)

    def seen(self, places: Array) -> Array:
        """Places of the segment (n, 3) in the axes of the room (m)."""
        out: Array = (places - self.origin) @ self.axes
        return out

    def corners(self, plane: Plane) -> Array:
        """Give the four corners of a plane in the axes of the room (m)."""
        return self.seen(four_corners(plane))

    def place(
        self,
        parts: Iterable[Mesh],
        stuff: Stuff,
        *,
        is_solid: bool,
        front: Point | None = None,
        group: str = "",
        line: NoseLine | None = None,
    ) -> Around:
        """Place parts that are built in the axes of the room as one."""
        parts = tuple(parts)
        normals = np.vstack([part.normals for part in parts if part.normals is not None])
        made = joined(*parts)
        # the axes of a room are those of a mirror: faces are turned so that they are seen from outside
        faces = made.faces[:, ::-1]
        mesh = Mesh(made.points, faces, normals, made.lines).moved(self.axes, self.origin)
        middle = 0.5 * (mesh.points.min(axis=0) + mesh.points.max(axis=0))
        way = None if front is None else self.axes @ np.array(front)
        return Around(self.segment, mesh, stuff, is_solid, middle, way, self.of, group, line)


def rounded(vector: Array) -> Point:
    """A vector without the last digits, which change from one sum to the next."""
    x, y, z = (round(float(part), 6) for part in vector)
    return x, y, z


def ends(corners: Array, axis: int) -> tuple[Array, Array]:
    """The middles of the two corners of four that are least along an axis, and of the two that are most."""
    order = np.argsort(corners[:, axis])
    return corners[order[:2]].mean(axis=0), corners[order[2:]].mean(axis=0)


def prism(outline: Array, across: Array) -> Mesh:
    """What lies between an outline (n, 3), seen from whose middle all of it is seen, and the same moved `across`."""
    n = len(outline)
    points = np.vstack([outline, outline + across])
    points = np.vstack([points, outline.mean(axis=0), outline.mean(axis=0) + across])
    i = np.arange(n)
    j = (i + 1) % n
    faces = np.vstack(
        [
            np.column_stack([i, j, n + i]),
            np.column_stack([j, n + j, n + i]),
            np.column_stack([j, i, np.full(n, 2 * n)]),
            np.column_stack([n + i, n + j, np.full(n, 2 * n + 1)]),
        ]
    )
    a, b, c = points[faces].transpose(1, 0, 2)
    if float(np.einsum("ij,ij->", a - points[-1], np.cross(b - points[-1], c - points[-1]))) < 0.0:
        faces = faces[:, ::-1]
    made = faceted(Mesh(points, faces))
    rows = made.points, outline, outline + across
    start = len(made.points)
    lines = [(*range(start + k * n, start + (k + 1) * n), start + k * n) for k in (0, 1)]
    corners = _corners(outline)
    lines += [(start + int(k), start + n + int(k)) for k in corners]
    still = np.zeros((2 * n, 3))
    assert made.normals is not None
    return Mesh(np.vstack(rows), made.faces, np.vstack([made.normals, still]), tuple(lines))


def _corners(outline: Array) -> Indices:
    """Which points of an outline are corners, and not parts of something round."""
    before, after = outline - np.roll(outline, 1, axis=0), np.roll(outline, -1, axis=0) - outline
    size = np.linalg.norm(before, axis=1) * np.linalg.norm(after, axis=1)
    return np.flatnonzero(np.einsum("ij,ij->i", before, after) < 0.8 * np.maximum(size, 1e-12))


def slab(profile: Sequence[tuple[float, float]], low: float, high: float) -> Mesh:
    """What has a profile of points ahead and up, from one place to the side to another (m)."""
    outline = np.array([(x, low, z) for x, z in profile])
    return prism(outline, np.array([0.0, high - low, 0.0]))


def box(low: Point, high: Point) -> Mesh:
    """Give a box from its least to its greatest coordinates (m)."""
    (a, s, h), (b, t, k) = low, high
    return slab(((a, h), (b, h), (b, k), (a, k)), s, t)


def beam(way: Sequence[Point], wide: float, thick: float, flat: Point = (0.0, 1.0, 0.0)) -> Mesh:
    """A bar along points, so wide along what is square to `flat` and so thick along it (m); its line is its middle."""
    pieces = []
    for start, end in pairwise(way):
        a, b, side = np.array(start), np.array(end), np.array(flat)
        along = (b - a) / np.linalg.norm(b - a)
        side = side - (side @ along) * along
        side = side / np.linalg.norm(side)
        other = np.cross(along, side)
        x, y = 0.5 * thick, 0.5 * wide
        cut = _CUT * min(x, y)
        ring = [(x, y - cut), (x - cut, y), (cut - x, y), (-x, y - cut)]
        ring += [(-u, -v) for u, v in ring]
        outline = np.array([a + u * side + v * other for u, v in ring])
        made = prism(outline, b - a)
        assert made.normals is not None
        count = len(made.points)
        points, still = np.vstack([made.points, a, b]), np.zeros((2, 3))
        normals = np.vstack([made.normals, still])
        pieces.append(Mesh(points, made.faces, normals, ((count, count + 1),)))
    return joined_meshes(pieces)


def drum(middle: Point, radius: float, wide: float) -> Mesh:
    """Give something round about an axis to the side, as a wheel is (m)."""
    angle = 2.0 * np.pi * np.arange(_AROUND) / _AROUND
    ring = np.column_stack([np.cos(angle), np.zeros(_AROUND), np.sin(angle)])
    outline = np.array(middle) + radius * ring - np.array([0.0, 0.5 * wide, 0.0])
    return prism(outline, np.array([0.0, wide, 0.0]))


def pane(corners: Sequence[Point]) -> Mesh:
    """A flat or bent sheet with four corners, in their order."""
    points = np.array(corners)
    front = np.cross(points[1] - points[0], points[2] - points[0])
    normals = np.tile(front / np.linalg.norm(front), (4, 1))
    return Mesh(points, np.array([[0, 1, 2], [0, 2, 3]]), normals, ((0, 1, 2, 3, 0),))


def joined_meshes(parts: Sequence[Mesh]) -> Mesh:
    """Join meshes with their normals."""
    made = joined(*parts)
    normals = np.vstack([part.normals for part in parts if part.normals is not None])
    return Mesh(made.points, made.faces, normals, made.lines)


_CREASE = 0.82
"""Cosine of the angle between two faces from which on an edge is seen between them."""


def skinned(points: Array, faces: Indices) -> Mesh:
    """Give a closed surface normals that are round but at its edges, and these edges as lines; what has no area goes."""
    a, b, c = points[faces].transpose(1, 0, 2)
    ways = np.cross(b - a, c - a)
    if float(np.einsum("ij,ij->", a - points.mean(axis=0), ways)) < 0.0:
        faces, ways = faces[:, ::-1], -ways
    sizes = np.linalg.norm(ways, axis=1)
    kept = sizes > 1e-10
    faces, ways, sizes = faces[kept], ways[kept], sizes[kept]
    units = ways / sizes[:, None]
    corners = faces.ravel()
    owner = np.repeat(np.arange(len(faces)), 3)
    order = np.argsort(corners, kind="stable")
    counts = np.bincount(corners, minlength=len(points))
    starts = np.concatenate([[0], np.cumsum(counts)])
    # each corner of a face with all faces that meet there
    many = counts[corners]
    one = np.repeat(np.arange(len(corners)), many)
    step = np.arange(len(one)) - np.repeat(np.cumsum(many) - many, many)
    other = owner[order[starts[corners[one]] + step]]
    alike = np.einsum("ij,ij->i", units[owner[one]], units[other]) > _CREASE
    normals = np.zeros((len(corners), 3))
    for k in range(3):
        normals[:, k] = np.bincount(one[alike], ways[other[alike], k], len(corners))
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    # corners that are alike are one point
    steps = np.round(500.0 * (normals + 1.0)).astype(np.int64)
    keys = ((corners * 1024 + steps[:, 0]) * 1024 + steps[:, 1]) * 1024 + steps[:, 2]
    _, first, own = np.unique(keys, return_index=True, return_inverse=True)
    made, shades = points[corners[first]], normals[first]
    lines = _edges_between(faces, units)
    ends = np.unique(lines) if len(lines) else np.zeros(0, np.int64)
    at = len(made) + np.searchsorted(ends, lines)
    return Mesh(
        np.vstack([made, points[ends]]),
        own.reshape(-1, 3).astype(np.int64),
        np.vstack([shades, np.zeros((len(ends), 3))]),
        tuple((int(i), int(j)) for i, j in at),
    )


def _edges_between(faces: Indices, units: Array) -> Indices:
    """The pairs of points between faces that meet at an edge, or at nothing."""
    pairs = np.sort(np.vstack([faces[:, [0, 1]], faces[:, [1, 2]], faces[:, [2, 0]]]), axis=1)
    owner = np.tile(np.arange(len(faces)), 3)
    order = np.lexsort(pairs.T)
    pairs, owner = pairs[order], owner[order]
    same = np.all(pairs[1:] == pairs[:-1], axis=1)
    sharp = np.einsum("ij,ij->i", units[owner[1:]], units[owner[:-1]]) < _CREASE - 0.3
    found: Indices = pairs[:-1][same & sharp]
    return found
