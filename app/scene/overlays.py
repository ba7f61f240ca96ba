"""Hold what is shown beside a project: forces, patches, load colours, ghosts, trails, reaches of joints, and the key."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from vtkmodules.vtkRenderingCore import vtkActor, vtkPolyDataMapper

from app.look import LINES
from app.scene.actors import poly_data, segment_cells
from app.scene.colouring import load_colours
from app.scene.drawn import STILL
from app.scene.forces import UNITS, Arrows
from app.scene.ghost import Ghost
from app.scene.key import NO_KEY, Key
from app.scene.lens import Lens
from app.scene.patches import Patches
from app.scene.picking import Found, Sight, on_faces
from app.scene.reach import Reaches
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.scene.meshes import Mesh, path
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
        """Give what is written over the scene, with what is said of joints."""
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
        """Give the ghost of a run, and whether it is new."""
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

    def patches_at(self, sight: Sight) -> list[Found]:
        """Give the contact whose patch is met first."""
        return _met(self.patches, sight)

    def arrows_at(self, sight: Sight) -> list[Found]:
        """Give the elements whose arrows are met first, one of each kind."""
        return [found for arrows in self.arrows.values() for found in _met(arrows, sight)]

    def draw(self, lens: Lens) -> None:
        """Write what has changed since the last picture."""
        for _, ghost in self.ghosts.values():
            ghost.draw(lens)


def _met(marks: Arrows | Patches, sight: Sight) -> list[Found]:
    mesh = marks.mesh()
    hit = None if mesh is None else on_faces(mesh, STILL, sight)
    return [] if hit is None else [Found(hit, marks.element_at(hit.face))]


class Trail:
    """Hold one way as two lines."""

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
