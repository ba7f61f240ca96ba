"""Show what a run leaves behind: dents of sheet metal where its law of crushing leaves some, and broken glass; for the eye alone."""

from __future__ import annotations

import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.contact import HystereticLaw, PlaneContact
from solver.project.pose import plane_corners
from solver.project.segments import Plane
from solver.results.trajectory import Table
from solver.scene.furnishing import furnished
from solver.scene.meshes import Indices, Mesh
from solver.scene.placing import Pose

CRACKS_N = 1000.0
"""Force from which on a pane is broken: *assumed*, 500 to 3000 N; heads broke windscreens at such forces."""
_LEAST_M, _STEP_M = 0.001, 0.002
"""The least dent that is drawn, and by how much it changes before it is drawn again."""
_WIDE_M, _GRID = 0.10, (41, 49)
"""How far from its middle a dent is about a third as deep, as of a head; and points of a dented sheet."""
_RAYS, _RINGS, _LIFT_M = 17, (0.03, 0.07, 0.12, 0.19, 0.28), 0.006
"""Cracks from where a pane is struck, rings between them (m), and how far before its face they are drawn."""
_CRAZED_M, _SHARD_M = 0.06, (0.02, 0.09)
"""Radius of what is white where it is struck; and how far shards reach into the frame of a window that has burst."""


@dataclass(frozen=True, eq=False, slots=True)
class Damaged:
    """What is drawn of a plane that has been damaged, in its segment's axes."""

    mesh: Mesh | None = None
    """What stands in the place of its own mesh."""
    cracks: Mesh | None = None
    """Lines over it, and what is white."""
    has_burst: bool = False
    """Whether of its pane only the cracks' faces are left."""


class Damage:
    """Know when and where the contacts of a run have left their marks; it may grow."""

    def __init__(
        self, project: Project, table: Callable[[], Table | None], pose_at: Callable[[int], Pose]
    ) -> None:
        self._table, self._pose_at = table, pose_at
        self._planes = {plane.id: plane for plane in project.planes}
        laws = {law.id: law for law in project.contact_laws}
        self._marks: list[tuple[str, Plane, str, float]] = []
        for contact in project.contacts:
            if not isinstance(contact, PlaneContact) or contact.plane not in self._planes:
                continue
            plane = self._planes[contact.plane]
            made, law = furnished(plane), laws.get(str(contact.law))
            if made is None or not plane.bounded:
                continue
            left = law.offset_ratio if isinstance(law, HystereticLaw) else 0.0
            if made.stuff == "glass":
                self._marks.append((contact.id, plane, "glass", 0.0))
            elif made.stuff == "metal" and isinstance(left, float) and left > 0.0:
                self._marks.append((contact.id, plane, "metal", left))
        self._places: dict[tuple[str, int], Array] = {}
        self._known: dict[str, tuple[int, Array, Array]] = {}

    def at(self, frame: int) -> Mapping[str, Damaged]:
        """What is damaged at a frame, by its element."""
        table = self._table() if self._marks else None
        if table is None:
            return {}
        dents: dict[str, list[tuple[float, ...]]] = {}
        broken: dict[str, tuple[int, Array, Plane]] = {}
        for id_, plane, kind, left in self._marks:
            if id_ not in table.ids:
                continue
            deep, since = self._course(table, id_, kind)
            last = min(frame, len(deep) - 1)
            if last < 0:
                continue
            if kind == "metal":
                most = int(since[last])
                depth = max(float(deep[last]), left * float(deep[most]))
                if depth > _LEAST_M:
                    place = self._place(table, id_, most, plane)
                    step = _STEP_M * round(depth / _STEP_M)
                    dents.setdefault(plane.id, []).append((*np.round(place, 3).tolist(), step))
                continue
            first = int(since[last])
            if deep[first] > CRACKS_N and (plane.id not in broken or first < broken[plane.id][0]):
                broken[plane.id] = first, self._place(table, id_, first, plane), plane
        found = {
            f"planes/{id_}": Damaged(mesh=_dented(self._planes[id_], tuple(marks)))
            for id_, marks in dents.items()
        }
        for id_, (_, place, plane) in broken.items():
            x, y, z = np.round(place, 3).tolist()
            found[f"planes/{id_}"] = _broken(plane, (x, y, z))
        return found

    def _course(self, table: Table, id_: str, kind: str) -> tuple[Array, Array]:
        """How deep or hard a contact presses frame by frame, and when it did so most, or first broke a pane.

        Worked out once for so many frames: pictures of a run that plays ask for each of them.
        """
        rows = len(table["force"])
        known = self._known.get(id_)
        if known is None or known[0] != rows:
            n = table.ids.index(id_)
            if kind == "metal":
                values = np.array(table["penetration"][:, n])
                before = np.maximum.accumulate(values)[:-1]
                is_new = np.concatenate([values[:1] > -np.inf, values[1:] > before])
            else:
                values = np.linalg.norm(np.asarray(table["force"][:, n]), axis=1)
                breaks = values > CRACKS_N
                is_new = breaks & (np.cumsum(breaks) == 1)
            since = np.maximum.accumulate(np.where(is_new, np.arange(rows), 0))
            known = self._known[id_] = rows, values, since
        return known[1], known[2]

    def _place(self, table: Table, id_: str, frame: int, plane: Plane) -> Array:
        """Where a contact acts, in the axes of the plane's segment (m)."""
        key = id_, frame
        if key not in self._places:
            at = self._pose_at(frame)[plane.segment]
            point = np.asarray(table["point"][frame, table.ids.index(id_)])
            self._places[key] = at.R_WS.T @ (point - at.p_W)
        return self._places[key]


def _frame(plane: Plane) -> tuple[Array, Array, Array, Array]:
    """A corner of a plane, its edges, and its front."""
    corner, edge, other = plane_corners(plane)
    front = np.cross(edge, other)
    return corner, edge, other, front / np.linalg.norm(front)


@lru_cache(maxsize=64)
def _dented(plane: Plane, marks: tuple[tuple[float, ...], ...]) -> Mesh:
    """A sheet with dents: places in the segment's axes, each with its depth (m)."""
    corner, edge, other, front = _frame(plane)
    rows, columns = _GRID
    u, v = np.meshgrid(np.linspace(0.0, 1.0, rows), np.linspace(0.0, 1.0, columns), indexing="ij")
    flat = corner + u.reshape(-1, 1) * edge + v.reshape(-1, 1) * other
    deep = np.zeros(len(flat))
    for x, y, z, depth in marks:
        away = flat - (x, y, z)
        away -= (away @ front)[:, None] * front
        deep = np.maximum(deep, depth / (1.0 + (away * away).sum(axis=1) / _WIDE_M**2) ** 1.5)
    # the edges are held
    held = np.minimum(np.minimum(u, 1.0 - u), np.minimum(v, 1.0 - v)).ravel()
    points = flat - (deep * np.clip(held / 0.06, 0.0, 1.0))[:, None] * front
    grid = points.reshape(rows, columns, 3)
    normals = np.cross(np.gradient(grid, axis=0), np.gradient(grid, axis=1)).reshape(-1, 3)
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    return Mesh(points, _sheet(rows, columns), normals)


@lru_cache(maxsize=8)
def _sheet(rows: int, columns: int) -> Indices:
    i, j = np.meshgrid(np.arange(rows - 1), np.arange(columns - 1), indexing="ij")
    a = (i * columns + j).ravel()
    b, c, d = a + columns, a + columns + 1, a + 1
    faces: Indices = np.vstack([np.column_stack([a, b, c]), np.column_stack([a, c, d])])
    return faces.astype(np.int64)


@lru_cache(maxsize=64)
def _broken(plane: Plane, place: tuple[float, float, float]) -> Damaged:
    """Cracks of a windscreen, whose foil holds it; any other pane bursts."""
    words = f"{plane.id} {plane.name}".replace("_", " ").lower()
    rng = np.random.default_rng(zlib.crc32(plane.id.encode()))
    if re.search(r"\b(windscreen|windshield)\b", words):
        return Damaged(cracks=_web(plane, np.array(place), rng))
    return Damaged(cracks=_shards(plane, rng), has_burst=True)


def _web(plane: Plane, place: Array, rng: np.random.Generator) -> Mesh:
    """Cracks like a spider's web around a place, inside of the pane."""
    corner, edge, other, front = _frame(plane)
    long, wide = float(np.linalg.norm(edge)), float(np.linalg.norm(other))
    x, y = edge / long, np.cross(front, edge / long)
    middle = np.array([(place - corner) @ x, (place - corner) @ y])
    top = np.array([long, wide])
    angle = 2.0 * np.pi * (np.arange(_RAYS) + rng.uniform(-0.3, 0.3, _RAYS)) / _RAYS
    ways = np.column_stack([np.cos(angle), np.sin(angle)])
    reach = rng.uniform(0.22, 0.55, _RAYS)
    parts = np.array([0.0, 0.12, 0.3, 0.55, 1.0])
    rays = middle + (parts[None, :, None] * reach[:, None, None]) * ways[:, None]
    rays += rng.normal(0.0, 0.006, rays.shape) * (parts > 0.0)[None, :, None]
    rings = [
        middle + size * rng.uniform(0.82, 1.15, (_RAYS, 1)) * ways
        for size in _RINGS
    ]  # fmt: skip
    white = middle + _CRAZED_M * rng.uniform(0.5, 1.2, (_RAYS, 1)) * ways
    flat = [*rays, *(np.vstack([ring, ring[:1]]) for ring in rings)]
    places = np.vstack([middle[None], white, *flat])
    places = np.clip(places, 0.02 * top, 0.98 * top)
    points = corner + places @ np.array([x, y]) + _LIFT_M * front
    starts = 1 + _RAYS + np.cumsum([0, *(len(line) for line in flat)])
    lines = tuple(tuple(range(a, a + len(line))) for a, line in zip(starts, flat, strict=False))
    i = 1 + np.arange(_RAYS)
    fan = np.column_stack([np.zeros(_RAYS, np.int64), i, 1 + np.arange(1, _RAYS + 1) % _RAYS])
    return Mesh(points, fan.astype(np.int64), np.tile(front, (len(points), 1)), lines)


def _shards(plane: Plane, rng: np.random.Generator) -> Mesh:
    """What is left in the frame of a pane that has burst: teeth along its edges."""
    corner, edge, other, front = _frame(plane)
    ends = (corner, corner + edge, corner + edge + other, corner + other)
    middle = corner + 0.5 * (edge + other)
    points: list[Array] = []
    faces: list[NDArray[np.int64]] = []
    lines: list[tuple[int, ...]] = []
    for a, b in zip(ends, (*ends[1:], ends[0]), strict=True):
        count = max(4, round(float(np.linalg.norm(b - a)) / 0.045))
        along = np.linspace(0.0, 1.0, count + 1)
        inward = middle - 0.5 * (a + b)
        inward = inward / np.linalg.norm(inward)
        for one, two in pairwise(along):
            high = rng.uniform(*_SHARD_M)
            tip = a + rng.uniform(one, two) * (b - a) + high * inward
            n = len(points)
            points += [a + one * (b - a), a + two * (b - a), tip]
            faces.append(np.array([n, n + 1, n + 2]))
            lines.append((n, n + 2, n + 1))
    placed = np.array(points) + 0.3 * _LIFT_M * front
    return Mesh(placed, np.array(faces), np.tile(front, (len(points), 1)), tuple(lines))
