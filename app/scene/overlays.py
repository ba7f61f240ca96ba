"""What is shown beside a project: forces, patches, load colours, ghosts, trails, reaches of joints, and the key."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk
from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.look import FORCE_TONES, LINES
from app.scene.actors import poly_data, put, segment_cells
from app.scene.batch import Batch, Details, Piece
from app.scene.batches import Strip
from app.scene.drawn import SOFT, STILL, Drawn, move_items
from app.scene.form import Bags, Forms, Laid
from app.scene.key import LENGTH_M, NO_KEY, ForceKind, Key
from app.scene.lens import Lens
from app.scene.paints import Paint, load_colours
from app.scene.picking import Picked, Sight, on_faces
from app.scene.reach import Reaches
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.scene.meshes import Mesh, arrow, path
from solver.scene.placing import Pose, pose_at_start
from solver.scene.shapes import shapes
from solver.scene.tones import rgb


class OverlayItems:
    """Keep these actors while they are wanted."""

    def __init__(self, renderer: Any, overlay: Any) -> None:
        self._renderer, self._overlay = renderer, overlay
        self.arrows = {kind: Arrows(renderer, kind) for kind in UNITS}
        self.patches = Patches(overlay)
        self.reaches = Reaches(overlay)
        self.colours = load_colours()
        self._key: Key = NO_KEY
        self.ghosts: dict[str, tuple[object, Ghost]] = {}
        self.trails: dict[str, Trail] = {}

    @property
    def key(self) -> Key:
        """What is written over the scene, with what is said of joints."""
        tags = self.reaches.tags
        return replace(self._key, tags=(*self._key.tags, *tags)) if tags else self._key

    @key.setter
    def key(self, key: Key) -> None:
        self._key = key

    def clear(self) -> None:
        """Show nothing of a run; joints stand as the pose tells."""
        for arrows in self.arrows.values():
            arrows.hide()
        self.patches.hide()
        self.reaches.told = None
        self.key = NO_KEY
        self.show_trails({})
        for key in tuple(self.ghosts):
            self.drop_ghost(key)

    def ghost(self, key: str, of: object, project: Project, tone: str) -> tuple[Ghost, bool]:
        """The ghost of a run, and whether it is new."""
        if key in self.ghosts and self.ghosts[key][0] is of:
            return self.ghosts[key][1], False
        self.drop_ghost(key)
        self.ghosts[key] = (of, Ghost(self._renderer, project, tone))
        return self.ghosts[key][1], True

    def drop_ghost(self, key: str) -> None:
        """Take a ghost away."""
        if key in self.ghosts:
            self.ghosts.pop(key)[1].remove()

    def show_trails(self, ways: Mapping[str, Array]) -> None:
        """Show the ways (n, 3) of points by name; ways that are the same arrays stay."""
        for name in tuple(self.trails):
            if name not in ways or ways[name] is not self.trails[name].way:
                self.trails.pop(name).remove()
        for number, (name, way) in enumerate(ways.items()):
            if name not in self.trails:
                self.trails[name] = Trail(self._overlay, way, number)

    def patches_at(self, sight: Sight) -> list[Picked]:
        """The contact whose patch is met first."""
        return _met(self.patches, sight)

    def arrows_at(self, sight: Sight) -> list[Picked]:
        """The elements whose arrows are met first, one of each kind."""
        return [found for arrows in self.arrows.values() for found in _met(arrows, sight)]

    def draw(self, lens: Lens) -> None:
        """Write what has changed since the last picture."""
        for _, ghost in self.ghosts.values():
            ghost.draw(lens)


def _met(marks: Arrows | Patches, sight: Sight) -> list[Picked]:
    mesh = marks.mesh()
    hit = None if mesh is None else on_faces(mesh, STILL, sight)
    return [] if hit is None else [Picked(hit, marks.element_at(hit.face))]


class Trail:
    """One way as two lines."""

    def __init__(self, renderer: Any, way: Array, number: int) -> None:
        self._renderer = renderer
        self.way = way
        self._frame = -1
        colour = rgb(LINES[number % len(LINES)])
        self._passed = _line(Mesh(way), colour, 3.0, 1.0)
        self._all = _line(path(way), colour, 1.2, 0.35)
        for actor in (self._all, self._passed):
            renderer.AddActor(actor)

    def show(self, frame: int) -> None:
        """Show the way until a frame as passed."""
        if frame == self._frame:
            return
        self._frame = frame
        lines = segment_cells(min(frame, len(self.way) - 1) + 1)
        self._passed.GetMapper().GetInput().SetLines(lines)

    def remove(self) -> None:
        """Take the lines out of the scene."""
        for actor in (self._all, self._passed):
            self._renderer.RemoveActor(actor)


def _line(mesh: Mesh, colour: tuple[float, float, float], width: float, opacity: float) -> Any:
    mapper = vtkPolyDataMapper()
    mapper.SetInputData(poly_data(mesh, faces=False))
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.PickableOff()
    prop = actor.GetProperty()
    prop.SetLighting(False)
    prop.SetColor(*colour)
    prop.SetLineWidth(width)
    prop.SetOpacity(opacity)
    return actor


_KINDS = ("body", "belt", "bag", "pack")
_CLEAR = {"body": 0.24, "belt": 0.45, "bag": 0.14, "pack": 0.3}


class Ghost:
    """Hold see-through shapes of one project; they are seen, but not touched."""

    def __init__(self, renderer: Any, project: Project, tone: str) -> None:
        pose = pose_at_start(project)
        self.items = [
            Drawn(shape, pose[shape.segment])
            for shape in shapes(project, pose)
            if shape.kind in _KINDS
        ]
        red, green, blue = (round(255.0 * part) for part in rgb(tone))
        self._paints = {
            kind: Paint(colour, colour, False, None)
            for kind, clear in _CLEAR.items()
            for colour in [(red, green, blue, round(255.0 * clear))]
        }
        self._details = Details()
        self._batch = Batch(renderer, "ghost")
        self._strips = {
            item: Strip(renderer, item, edges=False)
            for item in self.items
            if item.shape.kind in SOFT
        }
        for actor in (self._batch.actor, *(strip.face for strip in self._strips.values())):
            _stand_back(actor)

    def move(
        self,
        pose: Pose,
        forms: Forms,
        bags: Bags | None = None,
        idle: Collection[str] = (),
        _: Laid | None = None,
    ) -> None:
        """Show another pose, as a stage does."""
        move_items(self.items, pose, forms, bags, idle)

    def draw(self, lens: Lens) -> None:
        """Write what has changed since the last picture."""
        for item, strip in self._strips.items():
            strip.show(item, self._paints[item.shape.kind])
        pieces = [
            Piece(mesh, item.at, self._paints[item.shape.kind].face)
            for item, mesh in self._details.meshes(self.items, lens).items()
            if item.is_seen
        ]
        self._batch.show(pieces, lens.camera.axes()[2])

    def remove(self) -> None:
        """Take the actors out of the scene."""
        self._batch.remove()
        for strip in self._strips.values():
            strip.remove()


def _stand_back(actor: Any) -> None:
    """Let the run itself be seen where both lie in one place, as at the start of two runs."""
    mapper = actor.GetMapper()
    mapper.SetResolveCoincidentTopologyToPolygonOffset()
    mapper.SetRelativeCoincidentTopologyPolygonOffsetParameters(2.0, 60.0)


LEAST_N = 1.0
"""Smaller forces are not drawn."""
_ROOM = 8
"""Arrows for which room is made at once."""

_FORMS: dict[ForceKind, tuple[float, float, float]] = {
    "contacts": (0.025, 0.11, 0.68),
    "webbing": (0.014, 0.075, 0.80),
    "airbags": (0.045, 0.15, 0.60),
}
"""Half widths of stem and head, and where the head begins: the kinds differ not by colour alone."""
UNITS = {
    kind: arrow(np.zeros(3), np.array([1.0, 0.0, 0.0]), 1.0, *form) for kind, form in _FORMS.items()
}


class Arrows:
    """Show forces (N) at points (m), heads on the points, lengths by the root of the force."""

    def __init__(self, renderer: Any, kind: ForceKind = "contacts") -> None:
        self._unit, self._room = UNITS[kind], 0
        self._points = np.zeros((0, 3), np.float32)
        self._faces = self._unit.faces[:0]
        self._data: Any = None
        self.elements: Sequence[str] = ()
        """Elements of the arrows that are seen, in their order."""
        mapper = vtkPolyDataMapper()
        mapper.ScalarVisibilityOff()
        self.actor = vtkActor()
        self.actor.SetMapper(mapper)
        self.actor.VisibilityOff()
        prop = self.actor.GetProperty()
        prop.SetColor(*rgb(FORCE_TONES[kind]))
        prop.SetAmbient(0.45)
        prop.SetDiffuse(0.6)
        renderer.AddActor(self.actor)

    def show(self, elements: Sequence[str], points: Array, forces: Array) -> None:
        """Show an arrow for each force that acts; few of many contacts do."""
        acts = np.flatnonzero((forces * forces).sum(axis=1) >= LEAST_N * LEAST_N)
        self.elements = tuple(elements[n] for n in acts.tolist())
        self.actor.SetVisibility(len(acts) > 0)
        if not len(acts):
            return
        if not 0 <= self._room - len(acts) < 2 * _ROOM:
            self._make(_ROOM * -(-len(acts) // _ROOM))
        made = arrow_points(points[acts], forces[acts], self._unit).reshape(-1, 3)
        self._points[: len(made)] = made
        # those that are not needed just now are no larger than a point
        self._points[len(made) :] = points[acts[0]]
        self._data.GetPoints().Modified()

    def hide(self) -> None:
        """Show no forces."""
        self.actor.VisibilityOff()

    def mesh(self) -> Mesh | None:
        """All arrows that are seen as one mesh in ground axes."""
        if not self.actor.GetVisibility():
            return None
        count = len(self.elements)
        points = self._points[: count * len(self._unit.points)].astype(float)
        return Mesh(points, self._faces[: count * len(self._unit.faces)])

    def element_at(self, face: int) -> str:
        """Name the element whose arrow a triangle belongs to."""
        return self.elements[face // len(self._unit.faces)]

    def _make(self, count: int) -> None:
        self._room, size = count, len(self._unit.points)
        self._points = np.zeros((count * size, 3), np.float32)
        starts = size * np.arange(count)
        self._faces = (self._unit.faces[None] + starts[:, None, None]).reshape(-1, 3)
        self._data = poly_data(Mesh(self._points.astype(float), self._faces), faces=True)
        # VTK reads our own array, so that a frame costs no copy
        self._data.GetPoints().SetData(numpy_to_vtk(self._points, deep=False))
        put(self.actor, self._data)


def arrow_points(points: Array, forces: Array, unit: Mesh = UNITS["contacts"]) -> Array:
    """The points of all arrows (n, k, 3): the head of each on its point, along its force."""
    size = np.sqrt((forces * forces).sum(axis=1))
    along = forces / size[:, None]
    length = LENGTH_M * np.sqrt(1e-3 * size)
    # any two directions across the force; the arrow is round
    x, y, z = along.T
    sign = np.where(z < 0.0, -1.0, 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    side = np.stack([1.0 + sign * x * x * a, sign * b, -sign * x], axis=1)
    other = np.stack([b, sign + y * y * a, -y], axis=1)
    turn = np.stack([along, side, other], axis=1) * length[:, None, None]
    return np.asarray((unit.points - (1.0, 0.0, 0.0)) @ turn + points[:, None, :])


AROUND = 32
"""Points of an outline."""
_FILL, _RIM_PX = 0.26, 1.6


class Patches:
    """Show outlines (n, AROUND, 3), in ground axes; one actor fills them, another draws their rims."""

    def __init__(self, overlay: Any) -> None:
        self._count = 0
        self._points = np.zeros((0, 3), np.float32)
        self._faces = np.zeros((0, 3), np.int64)
        self._data: tuple[Any, ...] = ()
        self.elements: Sequence[str] = ()
        self.face, self.rim = _actor(_FILL), _actor(1.0)
        self.rim.GetProperty().SetLineWidth(_RIM_PX)
        self.rim.PickableOff()
        for actor in (self.face, self.rim):
            overlay.AddActor(actor)

    def show(self, elements: Sequence[str], outlines: Array) -> None:
        """Show as many patches as there are outlines."""
        self.elements = elements
        if len(outlines) != self._count:
            self._make(len(outlines))
        for actor in (self.face, self.rim):
            actor.SetVisibility(len(outlines) > 0)
        if len(outlines):
            self._points[:] = outlines.reshape(-1, 3)
            for data in self._data:
                data.GetPoints().Modified()

    def hide(self) -> None:
        """Show none."""
        for actor in (self.face, self.rim):
            actor.VisibilityOff()

    def mesh(self) -> Mesh | None:
        """All patches that are seen as one mesh in ground axes."""
        return Mesh(self._points.astype(float), self._faces) if self.face.GetVisibility() else None

    def element_at(self, face: int) -> str:
        """Name the contact whose patch a triangle belongs to."""
        return self.elements[face // (AROUND - 2)]

    def _make(self, count: int) -> None:
        self._count = count
        self._points = np.zeros((count * AROUND, 3), np.float32)
        fan = np.array([(0, k, k + 1) for k in range(1, AROUND - 1)])
        starts = AROUND * np.arange(count)
        self._faces = (fan[None] + starts[:, None, None]).reshape(-1, 3)
        rims = tuple((*range(s, s + AROUND), s) for s in starts.tolist())
        mesh = Mesh(self._points.astype(float), self._faces, None, rims)
        self._data = (poly_data(mesh, faces=True), poly_data(mesh, faces=False))
        for actor, data in zip((self.face, self.rim), self._data, strict=True):
            # VTK reads our own array, so that a frame costs no copy
            data.GetPoints().SetData(numpy_to_vtk(self._points, deep=False))
            actor.GetMapper().SetInputData(data)


def _actor(opacity: float) -> Any:
    mapper = vtkPolyDataMapper()
    mapper.ScalarVisibilityOff()
    actor = vtkActor()
    actor.SetMapper(mapper)
    actor.VisibilityOff()
    prop = actor.GetProperty()
    prop.SetColor(*rgb(FORCE_TONES["contacts"]))
    prop.SetOpacity(opacity)
    prop.SetLighting(False)
    return actor
