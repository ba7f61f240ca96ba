"""What changes its form over a run: cloth of bags, cushions, dents, broken glass, noses that fold."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from app.run_view.motion import Motion
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.pose import Placed
from solver.results.trajectory import Trajectory
from solver.scene.around.build import Around
from solver.scene.around.struck import seen_at
from solver.scene.damage import Damage, Damaged
from solver.scene.fabric import Cloths
from solver.scene.instant import WHITE, Pressing, barred, dented
from solver.scene.meshes import Indices, Mesh
from solver.scene.placing import Pose
from solver.scene.shapes import Shape
from solver.scene.tones import BAG_TONE, CRACK_TONES

SAME_M = 0.003
"""Forms between two that are written are no further than this from the straight way between them."""
_CLOTH_M, _MOST = 0.010, 0.98
"""The same for cloth, whose folds nobody follows, and how much of it keeps to that."""


@dataclass(frozen=True, slots=True)
class Phases:
    """Forms at some frames, between which one goes on evenly."""

    rows: NDArray[np.int64]
    points: Array
    """(k, n, 3) in m."""
    normals: Array


@dataclass(slots=True)
class Solid:
    """A mesh in axes of its own and, frame by frame, its turn, place (m) and stretch."""

    name: str
    mesh: Mesh
    tone: str
    opacity: float
    turns: Array
    places: Array
    stretches: Array
    stuff: str = ""
    """What it is made of, where it is furniture or stands around people."""
    one_sided: bool = False
    """Whether it is seen from the side to which its faces turn alone: so a car is cut open towards the eye."""
    shown: NDArray[np.bool_] | None = None
    """At which frames it is there; None for all."""
    phases: Phases | None = None
    """How it changes its form; None where it is always `mesh`."""

    def points_at(self, row: int, times: Array) -> Array:
        """Its points at a frame, placed; in one place where it is not there."""
        points, phases = self.mesh.points, self.phases
        if phases is not None:
            t = times[phases.rows]
            k = int(np.clip(np.searchsorted(t, times[row], side="right") - 1, 0, len(t) - 2))
            w = min(max(float((times[row] - t[k]) / (t[k + 1] - t[k])), 0.0), 1.0)
            points = (1.0 - w) * phases.points[k] + w * phases.points[k + 1]
        size = self.stretches[row] * (self.shown is None or bool(self.shown[row]))
        placed: Array = (points * size) @ self.turns[row].T + self.places[row]
        return placed


def still(name: str, mesh: Mesh, tone: str, opacity: float, count: int) -> Solid:
    """A solid that has not been moved yet."""
    turns = np.tile(np.eye(3), (count, 1, 1))
    places, stretches = np.zeros((count, 3)), np.ones((count, 3))
    return Solid(name, mesh, tone, opacity, turns, places, stretches)


class Changing:
    """Take what changes its form, frame by frame: of what has a solid the mesh, of all else a solid too."""

    def __init__(
        self, project: Project, run: Trajectory, motion: Motion, seen: list[Shape]
    ) -> None:
        self._motion, self._count = motion, len(motion.time)
        self._cloths, self._pressing = Cloths(project), Pressing(project)
        self._planes = [s for s in seen if s.kind == "plane" and s.furniture is not None]
        self._damage = Damage(project, lambda: run.table("contacts"), self._pose)
        self._around: dict[str, Around] = {}
        self._forms: dict[str, tuple[Mesh | None, dict[int, Mesh | None]]] = {}
        """Of each what it is as a rule, and at which frames it is something else."""
        self.added: list[tuple[str | None, Solid]] = []
        """What has no solid of its own, each with the segment that it goes with; None where it is placed already."""

    def has(self, name: str, one: Around) -> None:
        """Note something around people that may fold."""
        if one.press is not None and one.front is None:
            self._around[name] = one

    def take(self, row: int, pose: Pose, bags: Mapping[str, Placed | None]) -> None:
        """Look at a frame: where things are seen to be, and what takes full bags to where they are."""
        damage = self._damage.at(row)
        bodies = self._pressing.placed(pose)
        for shape in self._planes:
            made, at = shape.furniture, pose.get(shape.segment)
            if made is None or at is None:
                continue
            if made.cushion is not None:
                _, close = self._pressing.near(shape.element, made, at, pose, bodies)
                self._note(row, shape.element, dented(made, close))
            elif shape.element in damage:
                self._broken(row, shape, damage[shape.element])
        ground = self._pose(row)
        for name, one in self._around.items():
            self._note(row, name, seen_at(one, ground[one.segment]))
        for element, place in bags.items():
            if place is not None:
                made_ = self._cloths.laid(element, place, pose)
                points = made_.points @ place.R_WS.T + place.p_W
                assert made_.normals is not None
                normals = made_.normals @ np.linalg.inv(place.R_WS)
                normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-12)
                cloth = Mesh(points, made_.faces, normals, shade=made_.shade)
                self._add(row, element, cloth, (BAG_TONE, 1.0), None)

    def parts(self, solid: Solid) -> Iterator[Solid]:
        """A solid as what it is over the run: one for each way in which its points are joined."""
        if solid.name not in self._forms:
            yield solid
            return
        usual, others = self._forms[solid.name]
        groups: dict[tuple[int, bytes], list[tuple[int, Mesh]]] = {}
        for row in range(self._count):
            mesh = others.get(row, usual)
            if mesh is not None and len(mesh.faces):
                groups.setdefault((len(mesh.points), mesh.faces.tobytes()), []).append((row, mesh))
        for n, own in enumerate(groups.values()):
            rows, meshes = np.array([row for row, _ in own]), [mesh for _, mesh in own]
            shown = np.zeros(self._count, bool)
            shown[rows] = True
            phases = phased(self._motion.time, rows, meshes, is_cloth=solid.name.startswith("airbags/"))  # fmt: skip
            shades = [mesh.shade for mesh in meshes if mesh.shade is not None]
            # where it is touched it is dark for a while: what is written is what stays
            shade = np.max(shades, axis=0) if shades else None
            yield replace(
                solid,
                name=f"{solid.name}/{n}" if n else solid.name,
                mesh=Mesh(phases.points[0], meshes[0].faces, phases.normals[0], shade=shade),
                shown=None if shown.all() else shown,
                phases=phases if len(phases.rows) > 1 else None,
            )

    def _broken(self, row: int, shape: Shape, found: Damaged) -> None:
        """A plane with its dents, or its glass that has cracked or burst."""
        assert shape.furniture is not None
        whole = None if found.has_burst else shape.furniture.mesh
        self._note(row, shape.element, found.mesh or whole, shape.furniture.mesh)
        if found.cracks is not None:
            lines, white = barred(found.cracks), found.cracks
            bare = Mesh(white.points, white.faces, white.normals)
            self._add(row, f"{shape.element}/glass", bare, (CRACK_TONES[0], WHITE), shape.segment)
            self._add(row, f"{shape.element}/cracks", lines, (CRACK_TONES[1], 1.0), shape.segment)

    def _note(self, row: int, name: str, mesh: Mesh | None, usual: Mesh | None = None) -> None:
        self._forms.setdefault(name, (usual, {}))[1][row] = mesh

    def _add(
        self, row: int, name: str, mesh: Mesh, look: tuple[str, float], segment: str | None
    ) -> None:
        if name not in self._forms:
            self.added.append((segment, still(name, mesh, *look, self._count)))
        self._note(row, name, mesh)

    def _pose(self, row: int) -> Pose:
        return self._motion.pose(float(self._motion.time[row]))


def phased(
    times: Array, rows: NDArray[np.int64], meshes: list[Mesh], *, is_cloth: bool = False
) -> Phases:
    """As few of the forms at some frames as tell all of them within a few mm."""
    kinds = {id(one): n for n, one in enumerate(meshes)}
    if len(kinds) == 1:
        rows, meshes = rows[:1], meshes[:1]
    points = np.array([one.points for one in meshes])
    t, kept, last = times[rows], [0], len(rows) - 1
    while kept[-1] < last:
        a = kept[-1]
        b = a + 1
        while b < last and _is_between(points, t, (a, b + 1), is_cloth=is_cloth):
            b += 1
        kept.append(b)
    if len(kept) == 2 and float(np.abs(points[-1] - points[0]).max()) < 1e-9:
        kept = kept[:1]
    normals = np.array([normals_of(points[k], meshes[k].faces) if (own := meshes[k].normals) is None else own for k in kept])  # fmt: skip
    return Phases(rows[kept], points[kept], normals)


def _is_between(points: Array, t: Array, ends: tuple[int, int], *, is_cloth: bool) -> bool:
    """Whether all forms between two are near to the straight way between these."""
    a, b = ends
    w = ((t[a + 1 : b] - t[a]) / (t[b] - t[a]))[:, None, None]
    off = np.abs(points[a + 1 : b] - ((1.0 - w) * points[a] + w * points[b])).max(axis=2)
    if is_cloth:
        return bool(np.all((off <= _CLOTH_M).mean(axis=1) >= _MOST))
    return bool(np.all(off <= SAME_M))


def normals_of(points: Array, faces: Indices) -> Array:
    """The mean normal of the faces about each point."""
    a, b, c = (points[faces[:, k]] for k in range(3))
    out = np.zeros_like(points)
    for k in range(3):
        out_of_face: Array = np.cross(b - a, c - a)
        np.add.at(out, faces[:, k], out_of_face)
    size = np.linalg.norm(out, axis=1, keepdims=True)
    return np.where(size > 0.0, out / np.maximum(size, 1e-12), (0.0, 0.0, 1.0))
