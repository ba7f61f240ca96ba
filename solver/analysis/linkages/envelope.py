"""The reach envelope of a point: the surface about every place to which its joints bring it, and the volume within.

Joints go through their whole ranges, whatever lies in the way: nothing is touched, and no part hinders another.

Places lie on a grid. Whether a corner of it can be reached is found by bringing the point there by least squares,
from the nearest of many poses drawn over all ranges; what stays away is outside. Where an edge of the grid leads from
inside to outside, its crossing is halved down; of the crossings of each cell the mean is a corner of the surface
(surface nets, Gibson 1998), which is then moved onto what is reached, along the surface's normal. The volume counts
the caps between triangles and what is reached, as of second order. What is thinner than a cell is not seen.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from solver.analysis.linkages.least import in_box, least
from solver.analysis.linkages.serial import Bound, LinkageError, Serial
from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.geometry import PointRef, powers_of
from solver.project.joint_table import carrying
from solver.project.pose import turn
from solver.project.segments import SegmentMesh, pack

CELLS = 24
"""Cells along the longest side of what is reached, where no size is given."""
MOST_CELLS = 120
DRAWN = 1 << 15
"""Poses that are drawn; a third of them at ends of ranges."""
TRIES = 5
"""Other poses from which a place is tried that was not reached from the nearest."""
HALVINGS = 7
NEAR = 1e-3
"""In cells: how near a place must be brought to count as reached."""
GAIN = 1e-3
"""Part of the squared distance below which a step nearer is the last: what is out of reach stays away."""
FLAT = 1e-4
"""In parts of the largest: size across of what is swept below which it has no volume."""

Indices = NDArray[np.int64]
Watch = Callable[[float], object]
"""Told which part is done; what it raises ends the work."""


@dataclass(frozen=True, slots=True)
class Envelope:
    """What a point reaches: a closed surface in the axes of `segment`, from which the chain starts."""

    point: PointRef
    segment: str
    joints: tuple[str, ...]
    bounds: tuple[Bound, ...]
    points: Array
    faces: Indices
    cell_m: float
    volume_m3: float
    """The volume of what is reached; holes in it are left out."""
    furthest_m: float
    """How far from the first joint the point comes."""
    notes: tuple[Sentence, ...] = ()

    @property
    def area_m2(self) -> float:
        """The area of the surface."""
        a, b, c = (self.points[self.faces[:, k]] for k in range(3))
        return float(0.5 * np.linalg.norm(np.cross(b - a, c - a), axis=1).sum())

    @property
    def box_m(self) -> tuple[Vec3, Vec3]:
        """Lowest and highest places along each axis."""
        low, high = self.points.min(axis=0).tolist(), self.points.max(axis=0).tolist()
        return (low[0], low[1], low[2]), (high[0], high[1], high[2])


def reach_envelope(
    project: Project,
    point: PointRef,
    joints: Sequence[str] = (),
    ranges: Mapping[str, tuple[float, float]] | None = None,
    cell_m: float | None = None,
    watch: Watch | None = None,
) -> Envelope:
    """Find how far a point of a segment reaches while joints go through their ranges.

    `joints` are those that move, by default those of the limb; between the first of them and the point all others stay
    as they start. `ranges` give other values between which a coordinate goes (`{"elbow.angle": (0.0, 2.4)}`,
    rad or m; of a ball `flexure` and `torsion`). A range ends where the stop of its joint begins. Raises LinkageError.
    """
    chain = Serial(project, point, joints, ranges)
    tell = watch or (lambda _: None)
    poses = _drawn(chain)
    seen = chain.places(poses)
    _refuse_flat(chain, poses, seen)
    low, high = seen.min(axis=0), seen.max(axis=0)
    cell = float((high - low).max()) / CELLS if cell_m is None else cell_m
    if not (0.0 < cell < math.inf) or float((high - low).max()) / cell > MOST_CELLS:
        raise LinkageError(
            "A cell of {cell:g} m is too small for what is reached, or none: take {least:.3g} m at least.",
            cell=cell, least=float((high - low).max()) / MOST_CELLS,
        )  # fmt: skip
    tell(0.1)
    grid = _Grid(low - 2.5 * cell, cell, tuple(int(n) for n in np.ceil((high - low) / cell) + 6))
    finder = _Finder(chain, poses, seen, cell)
    inside, found = _inside(grid, finder, tell)
    tell(0.7)
    points, faces = _surface(grid, inside, found, finder)
    tell(0.8)
    points = points + _gap(finder, points, _normals(points, faces))
    tell(0.9)
    volume = _volume(finder, points, faces)
    furthest = float(np.linalg.norm(seen - _first_joint(project, chain), axis=1).max())
    tell(1.0)
    return Envelope(
        point, chain.base, chain.joints, chain.bounds, points, faces, cell, volume, furthest, tuple(chain.notes)
    )  # fmt: skip


def tip_of(project: Project, segment: str) -> PointRef:
    """The point of a segment's surfaces that is farthest from the joint that carries it: the end of a hand.

    Of one without surfaces, or that no joint carries, its mass centre.
    """
    found = next((one for one in project.segments if one.id == segment), None)
    joint = next((one for one in carrying(project.joints) if one.child == segment), None)
    if found is None or joint is None or not found.surfaces:
        return PointRef(segment=segment)
    at = np.array(joint.child_frame.position_m)
    around, up = np.meshgrid(
        np.linspace(0.0, 2.0 * math.pi, 73), np.linspace(-0.5, 0.5, 37) * math.pi
    )
    ways = np.stack([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)], axis=-1)
    best, farthest = np.zeros(3), -1.0
    for shape in found.surfaces:
        on = np.sign(ways) * np.abs(ways) ** (2.0 / np.array(powers_of(shape)))
        places = (np.array(shape.centre_m) + (on * shape.semi_axes_m) @ turn(shape.orientation).T).reshape(-1, 3)  # fmt: skip
        far = np.linalg.norm(places - at, axis=1)
        if far.max() > farthest:
            best, farthest = places[far.argmax()], float(far.max())
    x, y, z = best.round(6).tolist()
    return PointRef(segment=segment, position_m=(x, y, z))


def _first_joint(project: Project, chain: Serial) -> Array:
    joint = next(one for one in project.joints if one.id == chain.joints[0])
    return np.array(joint.parent_frame.position_m)


def _drawn(chain: Serial) -> Array:
    """Poses over all ranges: two thirds anywhere, a third with some coordinates at an end."""
    poses = in_box(DRAWN, chain.low, chain.high, seed=1)
    random = np.random.default_rng(1)
    edge = poses[: DRAWN // 3]
    at_low, at_high = (random.random(edge.shape) < 0.25 for _ in range(2))
    edge = np.where(at_low & np.isfinite(chain.low), chain.low, edge)
    poses[: DRAWN // 3] = np.where(at_high & np.isfinite(chain.high), chain.high, edge)
    return poses


def _refuse_flat(chain: Serial, poses: Array, seen: Array) -> None:
    """Refuse what is swept along a surface or a line alone: nothing is within it."""
    _, slopes = chain.places_and_slopes(poses[::64])
    size = np.linalg.svd(slopes, compute_uv=False)
    rank = np.full(len(slopes), 3) if slopes.shape[2] >= 3 else np.full(len(slopes), 2)
    if slopes.shape[2] >= 3:
        rank = (size > FLAT * np.linalg.norm(seen.max(axis=0) - seen.min(axis=0))).sum(axis=1)
    if np.median(rank) < 3:
        raise LinkageError(
            "'{segment}' moves only along a surface or a line there, so that it encloses nothing: let another joint move.",
            segment=chain.point.segment,
        )  # fmt: skip


class _Finder:
    """Bring the point to places, from poses that come near."""

    def __init__(self, chain: Serial, poses: Array, seen: Array, cell: float) -> None:
        from scipy.spatial import cKDTree

        self.chain, self.poses, self.cell = chain, poses, cell
        self.near: Any = cKDTree(seen)

    def brought(self, places: Array, start: Array) -> tuple[Array, Array]:
        """Coordinates that bring the point nearest to places from starts, and how far off it stays."""

        def off(u: Array, rows: Indices) -> tuple[Array, Array]:
            p, slopes = self.chain.places_and_slopes(u)
            return p - places[rows], slopes

        small = 0.1 * NEAR * self.cell
        u, r = least(off, start, self.chain.low, self.chain.high, rounds=40, small=small, step=1e-7, gain=GAIN)  # fmt: skip
        return u, np.linalg.norm(r, axis=1)


@dataclass(frozen=True, slots=True)
class _Grid:
    low: Array
    cell: float
    count: tuple[int, ...]

    def place(self, numbers: Indices) -> Array:
        """Where corners are (N, 3), by their flat numbers."""
        return self.low + self.cell * np.stack(np.unravel_index(numbers, self.count), axis=1)


def _inside(grid: _Grid, finder: _Finder, tell: Watch) -> tuple[NDArray[np.bool_], Array]:
    """Which corners can be reached, and coordinates that do so (or come nearest)."""
    total = math.prod(grid.count)
    inside = np.zeros(total, bool)
    found = np.zeros((total, len(finder.chain.low)))
    everywhere = np.arange(total)
    far, nearest = finder.near.query(grid.place(everywhere), k=1, workers=1)
    candidates = everywhere[far < 2.0 * grid.cell]
    for part in np.array_split(candidates, max(1, len(candidates) // 8000)):
        places = grid.place(part)
        u, off = finder.brought(places, finder.poses[nearest[part]])
        left = np.flatnonzero(off > NEAR * grid.cell)
        if len(left):
            _, others = finder.near.query(places[left], k=TRIES + 1, workers=1)
            for k in range(1, TRIES + 1):
                again, off_again = finder.brought(places[left], finder.poses[others[:, k]])
                better = off_again < off[left]
                u[left[better]], off[left[better]] = again[better], off_again[better]
        inside[part], found[part] = off <= NEAR * grid.cell, u
        tell(0.1 + 0.6 * float(part[-1]) / total)
    return inside, found


def _surface(
    grid: _Grid, inside: NDArray[np.bool_], found: Array, finder: _Finder
) -> tuple[Array, Indices]:
    """Make a closed surface between corners that are reached and those that are not."""
    shape = grid.count
    box = inside.reshape(shape)
    sums, counts = np.zeros((*shape, 3)), np.zeros(shape, np.int64)
    quads = list[Indices]()
    numbers = np.arange(math.prod(shape)).reshape(shape)
    for axis in range(3):
        one, two = _along(numbers, axis)
        crossing = np.flatnonzero(box.reshape(-1)[one] != box.reshape(-1)[two])
        a, b = one[crossing], two[crossing]
        is_in = inside[a]
        places = _crossed(grid, finder, np.where(is_in, a, b), np.where(is_in, b, a), found)
        at = np.stack(np.unravel_index(a, shape), axis=1)
        around = list[Indices]()
        j, k = (axis + 1) % 3, (axis + 2) % 3
        for dj, dk in ((0, 0), (-1, 0), (-1, -1), (0, -1)):
            cell = at.copy()
            cell[:, j] += dj
            cell[:, k] += dk
            where = tuple(cell.T)
            np.add.at(sums, where, places)
            np.add.at(counts, where, 1)
            around.append(np.ravel_multi_index(where, shape))
        quad = np.stack(around, axis=1)
        quads.append(np.where(is_in[:, None], quad, quad[:, ::-1]))
    used = np.flatnonzero(counts.reshape(-1))
    if not len(used):
        raise LinkageError("What is reached is thinner than a cell; take a smaller one.")
    points = sums.reshape(-1, 3)[used] / counts.reshape(-1)[used, None]
    new = np.zeros(math.prod(shape), np.int64)
    new[used] = np.arange(len(used))
    corners = new[np.concatenate(quads)]
    # of both diagonals the shorter, so that ridges stay where they are
    first = np.linalg.norm(points[corners[:, 0]] - points[corners[:, 2]], axis=1)
    other = np.linalg.norm(points[corners[:, 1]] - points[corners[:, 3]], axis=1)
    turned = np.where((first <= other)[:, None], corners, np.roll(corners, -1, axis=1))
    return points, np.concatenate([turned[:, [0, 1, 2]], turned[:, [0, 2, 3]]])


def _along(numbers: Indices, axis: int) -> tuple[Indices, Indices]:
    """Both ends of each edge of the grid along an axis."""
    ends = numbers.shape[axis]
    one = np.take(numbers, range(ends - 1), axis).reshape(-1)
    two = np.take(numbers, range(1, ends), axis).reshape(-1)
    return one, two


def _crossed(
    grid: _Grid, finder: _Finder, within: Indices, without: Indices, found: Array
) -> Array:
    """Where edges leave what is reached: halved between a corner that is reached and one that is not."""
    a, b = grid.place(within), grid.place(without)
    near, far = np.zeros(len(a)), np.ones(len(a))
    u = found[within]
    for _ in range(HALVINGS):
        middle = 0.5 * (near + far)
        there, off = finder.brought(a + middle[:, None] * (b - a), u)
        is_in = off <= NEAR * grid.cell
        u = np.where(is_in[:, None], there, u)
        near, far = np.where(is_in, middle, near), np.where(is_in, far, middle)
    return a + (0.5 * (near + far))[:, None] * (b - a)


def _normals(points: Array, faces: Indices) -> Array:
    """Unit normals of corners: means of those of their triangles, by area."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    flat, out = np.cross(b - a, c - a), np.zeros_like(points)
    for k in range(3):
        np.add.at(out, faces[:, k], flat)
    return _unit(out)


def _unit(rows: Array) -> Array:
    out: Array = rows / np.maximum(np.linalg.norm(rows, axis=1, keepdims=True), 1e-300)
    return out


def _gap(finder: _Finder, points: Array, normals: Array) -> Array:
    """How what is reached lies from points along normals (N, 3), within a cell; nothing where it does not end there."""
    out = normals * finder.cell
    _, nearest = finder.near.query(points - 0.5 * out, k=1, workers=1)
    u, off = finder.brought(points - out, finder.poses[nearest])
    _, off_there = finder.brought(points + out, u)
    ends = (off <= NEAR * finder.cell) & (off_there > NEAR * finder.cell)
    near, far = np.full(len(points), -1.0), np.full(len(points), 1.0)
    u, at, out = u[ends], points[ends], out[ends]
    low, high = near[ends], far[ends]
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        there, off = finder.brought(at + middle[:, None] * out, u)
        is_in = off <= NEAR * finder.cell
        u = np.where(is_in[:, None], there, u)
        low, high = np.where(is_in, middle, low), np.where(is_in, high, middle)
    gap = np.zeros_like(points)
    gap[ends] = 0.5 * (low + high)[:, None] * out
    return gap


def _volume(finder: _Finder, points: Array, faces: Indices) -> float:
    """The volume within a surface whose corners lie on what is reached, with the caps over its triangles."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    gap = _gap(finder, (a + b + c) / 3.0, _unit(flat))
    # what is zero at the corners and of second order has a mean of three quarters of its middle
    caps = 0.75 * 0.5 * np.einsum("ij,ij->i", gap, flat)
    return float(np.einsum("ij,ij->i", a, np.cross(b, c)).sum() / 6.0 + caps.sum())


def with_envelope(
    project: Project, found: Envelope, name: str, id_: str | None = None
) -> tuple[Project, str]:
    """Give the project that shows an envelope on the segment from which its chain starts, and the mesh's id.

    One of the same id is replaced.
    """
    known = [one.id for one in project.meshes]
    wanted = id_ or f"reach_{found.point.segment}"
    note = Sentence(
        "What {place} of '{segment}' reaches by {joints}, from where stops begin; {volume:.4g} m3 in cells of {cell:.3g} m.",
        place=str(tuple(round(v, 4) for v in found.point.position_m)), segment=found.point.segment,
        joints=", ".join(found.joints), volume=found.volume_m3, cell=found.cell_m,
    ).english()  # fmt: skip
    mesh = SegmentMesh(
        id=wanted, name=name, note=note, segment=found.segment, see_through=True,
        packed=pack(found.points, found.faces),
    )  # fmt: skip
    if wanted in known:
        old = project.meshes[known.index(wanted)]
        # its name and the rest stay with a mesh that is made again
        mesh = mesh.model_copy(update={"name": old.name or name, "group": old.group})
        meshes = tuple(mesh if one.id == wanted else one for one in project.meshes)
    else:
        meshes = (*project.meshes, mesh)
    return project.model_copy(update={"meshes": meshes}), wanted
