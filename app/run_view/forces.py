"""The forces of a run at an instant, and where surfaces touch."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.run_view.motion import Motion
from app.scene.key import ForceKind
from app.scene.overlays import AROUND
from solver.engine.maths.hyperellipsoids import outwards
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.pose import plane_extent
from solver.scene.placing import Pose
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import Body, Surfaces, belt_line, body_of


@dataclass(frozen=True, slots=True)
class Acting:
    """Forces (n, 3) N at points (n, 3) m, ground axes, each with its element."""

    elements: tuple[str, ...]
    points: Array
    forces: Array


_NONE = Acting((), np.zeros((0, 3)), np.zeros((0, 3)))


class Forces:
    """Read the forces of a run, finished or growing."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self._project, self._motion = project, motion
        self._surfaces = surfaces_of(project)

    def kinds(self) -> tuple[ForceKind, ...]:
        """Name the kinds of forces that the model can have."""
        project = self._project
        found: list[ForceKind] = ["contacts"] if project.contacts or project.tyres else []
        if project.belts or project.harnesses:
            found.append("webbing")
        if project.airbags:
            found.append("airbags")
        return tuple(found)

    def at(self, kind: ForceKind, t: float, pose: Pose) -> Acting:
        """The forces of a kind at an instant (s) at which everything stands as in `pose`."""
        motion = self._motion
        if not len(motion.time):
            return _NONE
        i, w = motion.between(t)
        span = (i, min(i + 1, len(motion.time) - 1), w)
        if kind == "contacts":
            return _joined(list(self._touches(span)))
        parts = self._webbing(span, pose) if kind == "webbing" else self._bags(span, t)
        return _joined(list(parts))

    def _touches(self, span: tuple[int, int, float]) -> Iterator[Acting]:
        """What contacts press with, and roads on tyres."""
        for group in ("contacts", "tyres"):
            ids = self._motion.loads.table(group).ids
            if ids:
                elements = tuple(f"{group}/{name}" for name in ids)
                yield Acting(elements, *self._motion.loads.at_contacts(*span, group=group))

    def _webbing(self, span: tuple[int, int, float], pose: Pose) -> Iterator[Acting]:
        """The forces on everything that webbing pulls or presses: anchors, rings, bodies."""
        straps = self._motion.loads.table("strap_points")
        if straps.ids:
            elements = tuple(f"harnesses/{name.rsplit('.', 2)[0]}" for name in straps.ids)
            yield Acting(elements, _mean(straps["position"], span), _mean(straps["force"], span))
        belts = self._motion.loads.table("belts")
        for row, id_ in enumerate(belts.ids):
            belt = next(belt for belt in self._project.belts if belt.id == id_)
            line = belt_line(belt, self._surfaces, pose)
            if line is None:
                continue
            ends, touched = line[[0, -1]], line[[1, -2]]
            along = touched - ends
            size = np.linalg.norm(along, axis=1, keepdims=True)
            tension = _mean(belts["tension"], span)[row][:, None]
            pull = tension * along / np.maximum(size, 1e-12)
            places, forces = np.vstack([ends, touched]), np.vstack([pull, -pull])
            yield Acting((f"belts/{id_}",) * 4, places, forces)

    def _bags(self, span: tuple[int, int, float], t: float) -> Iterator[Acting]:
        """The forces of bags on what they touch; of older results their sums alone."""
        loads = self._motion.loads
        touches: Any = loads.table("airbag_contacts")
        if touches.ids:
            elements = tuple(f"airbags/{name.split('.', 1)[0]}" for name in touches.ids)
            yield Acting(elements, *loads.at_contacts(*span, group="airbag_contacts"))
            return
        bags: Any = loads.table("airbags")
        for row, id_ in enumerate(bags.ids):
            found = self._motion.bag(id_, t)
            if found is None:
                continue
            placed, semi_axes = found
            force = _mean(bags["force"], span)[row]
            own = semi_axes * (placed.R_WS.T @ force)
            size = float(np.linalg.norm(own))
            out = placed.R_WS @ (semi_axes * own) / size if size > 0.0 else np.zeros(3)
            yield Acting((f"airbags/{id_}",), (placed.p_W + out)[None], force[None])


def _mean(values: Any, span: tuple[int, int, float]) -> Array:
    """The values between two frames, part of the way."""
    i, j, w = span
    mean: Array = (1.0 - w) * np.asarray(values[i]) + w * np.asarray(values[j])
    return mean


def _joined(parts: list[Acting]) -> Acting:
    if not parts:
        return _NONE
    return Acting(
        tuple(name for part in parts for name in part.elements),
        np.vstack([part.points for part in parts]),
        np.vstack([part.forces for part in parts]),
    )


_TURNS = np.linspace(0.0, 2.0 * np.pi, AROUND + 1)[:-1]
_WAYS = np.column_stack([np.cos(_TURNS), np.sin(_TURNS)])


class Patches:
    """The outlines of all patches of a run, once for each frame."""

    def __init__(self, project: Project, motion: Motion) -> None:
        self._motion = motion
        self._surfaces = surfaces_of(project)
        self._planes = {plane.id: plane for plane in project.planes}
        self._contacts = {contact.id: contact for contact in project.contacts}
        self._found: dict[int, tuple[tuple[str, ...], Array]] = {}

    def refresh(self) -> None:
        """Look again at a run that has grown."""
        self._found.clear()

    def at(self, t: float) -> tuple[tuple[str, ...], Array]:
        """Give the contacts that touch and their outlines (n, AROUND, 3) in ground axes (m)."""
        frame = self._motion.near(t)
        if frame not in self._found:
            pairs = list(self._outlines(frame)) if len(self._motion.time) else []
            outlines = [outline for _, outline in pairs]
            made = np.stack(outlines) if outlines else np.zeros((0, AROUND, 3))
            self._found[frame] = (tuple(f"contacts/{id_}" for id_, _ in pairs), made)
        return self._found[frame]

    def _outlines(self, frame: int) -> Iterator[tuple[str, Array]]:
        table = self._motion.loads.table("contacts")
        if not table.ids:
            return
        acts = np.any(np.asarray(table["force"][frame]) != 0.0, axis=1)
        pose = self._motion.pose(float(self._motion.time[frame]))
        for row in np.flatnonzero(acts):
            id_ = table.ids[row]
            point = np.asarray(table["point"][frame][row])
            outline = self._outline(self._contacts[id_], point, pose)
            if outline is not None:
                yield id_, outline

    def _outline(self, contact: Any, point: Array, pose: Pose) -> Array | None:
        if contact.kind == "plane":
            body = _body(self._surfaces, contact.surface, pose)
            return on_plane(body, self._planes[contact.plane], contact.edge != "none", pose)
        first = _body(self._surfaces, contact.first, pose)
        second = _body(self._surfaces, contact.second, pose)
        return between(first, second, contact.inside, point)


def on_plane(body: Body, plane: Any, minds_edges: bool, pose: Pose) -> Array | None:
    """The outline of what a plane cuts of a body; None where it cuts nothing."""
    at = pose[plane.segment]
    corner, edge, other = (at.R_WS @ v for v in plane_extent(plane))
    corner = at.p_W + corner
    normal = np.cross(edge, other)
    normal /= np.linalg.norm(normal)
    deepest = body.farthest(-normal)
    down = body.p_W - deepest
    fall = float(normal @ down)
    # where the line from the deepest point to the centre comes through the plane, the body is inside
    share = float(normal @ (corner - deepest)) / fall if fall > 0.0 else 2.0
    if not 0.0 < share < 2.0:
        return None
    middle = deepest + share * down
    axes = np.column_stack([edge / np.linalg.norm(edge), np.zeros(3)])
    axes[:, 1] = np.cross(normal, axes[:, 0])
    reach = reaches(body, middle, axes)
    if minds_edges and plane.bounded:
        reach = np.minimum(reach, _to_edges(middle - corner, edge, other, axes))
    if not reach.min() > 0.0:
        return None
    rim: Array = middle + (reach[:, None] * _WAYS) @ axes.T
    return rim


def between(first: Body, second: Body, inside: bool, point: Array) -> Array | None:
    """Give the outline of what two bodies have in common across their normals at a point."""
    normal = first.outward(point)
    if not inside:
        normal = normal - second.outward(point)
    size = float(np.linalg.norm(normal))
    if size < 1e-9:
        return None
    normal /= size
    side = np.cross(normal, np.eye(3)[int(np.argmin(np.abs(normal)))])
    side /= np.linalg.norm(side)
    axes = np.column_stack([side, np.cross(normal, side)])
    if not first.is_inside(point) or not (inside or second.is_inside(point)):
        return None
    reach = reaches(first, point, axes)
    if not inside:
        reach = np.minimum(reach, reaches(second, point, axes))
    rim: Array = point + (reach[:, None] * _WAYS) @ axes.T
    return rim


def reaches(body: Body, inside: Array, axes: Array) -> Array:
    """How far (m) it is from a point inside a body to its surface, all round in a plane."""
    start = body.R_WE.T @ (inside - body.p_W) / body.axes
    ways = (_WAYS @ axes.T) @ body.R_WE / body.axes
    return outwards(start, ways, body.powers)


def _to_edges(from_corner: Array, edge: Array, other: Array, axes: Array) -> Array:
    """How far it is to the edges of a plane all round; below zero from a point outside."""
    sides = np.column_stack([edge, other])
    inverse = np.linalg.pinv(sides)
    here, ways = inverse @ from_corner, (_WAYS @ axes.T) @ inverse.T
    if np.any(here <= 0.0) or np.any(here >= 1.0):
        return np.full(AROUND, -1.0)
    with np.errstate(divide="ignore"):
        room = np.where(ways > 0.0, (1.0 - here) / ways, here / -ways)
    reach: Array = np.where(ways == 0.0, np.inf, room).min(axis=1)
    return reach


def _body(surfaces: Surfaces, ref: Any, pose: Pose) -> Body:
    return body_of(surfaces[ref.segment, ref.surface], ref.segment, pose)
