"""Draw people with their skins: closed meshes that follow the bones, one actor for each."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

from app.look import Theme
from app.scene.actors import Form, actor_of
from app.scene.drawn import Drawn
from app.scene.lens import Lens
from app.scene.paints import AMBIENT, DIFFUSE
from app.scene.picking import Allows, Found, Sight, on_faces
from app.scene.rim import Rim
from app.scene.visibility import Visibility
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.joint_table import carrying
from solver.project.pose import Placed
from solver.scene.meshes import Indices, Mesh
from solver.scene.people.coarse import coarse
from solver.scene.people.skin import LIFT_M, STEPS, STRAIGHT, Clothes, Skin, skin_of
from solver.scene.people.tears import tears_of
from solver.scene.people.who import Person, people
from solver.scene.placing import Pose
from solver.scene.shapes import Shape
from solver.scene.straps import FINER, dressed, of_pieces
from solver.scene.tones import rgb

_HALF, _FAINT = 0.38, 0.30
_TINTS, _BRIGHTER = (0.12, 0.38), 1.12
"""How much colour what is selected takes where all of somebody is, and where a part is; its outline tells as well."""
_SMALL_M = 0.0032
"""A person whose pixels are larger than this (m) is small: cells of cloth are then eight pixels wide, at most."""


@dataclass(frozen=True, slots=True)
class Seen:
    """Say what is marked and hidden, by element."""

    chosen: Collection[str]
    hovered: str
    visibility: Visibility


class Cast:
    """Hold the people of a scene."""

    def __init__(self, renderer: Any) -> None:
        self._renderer = renderer
        self._worn: list[Worn] = []
        self._plane: Any = None
        self._joints: dict[str, tuple[str, str]] = {}
        self._waiting: Project | None = None
        self._forms: WeakKeyDictionary[Mesh, Form] = WeakKeyDictionary()
        self.layings = 0
        """How many pieces of webbing have been laid so far."""

    def update(self, project: Project, *, at_once: bool) -> None:
        """Show the people of another version; a body that has changed is made anew at rest, or at once."""
        before = {one.person.segments: one for one in self._worn}
        self._worn, self._waiting = [], None
        for person in people(project):
            worn = before.pop(person.segments, None)
            if worn is not None and worn.person != person:
                if not at_once:
                    self._waiting = project
                    self._worn.append(worn)
                    continue
                worn.remove()
                worn = None
            if worn is None:
                worn = Worn(self._renderer, person)
                worn.cut(self._plane)
            self._worn.append(worn)
        for gone in before.values():
            gone.remove()
        dressed = {s: n for n, one in enumerate(self._worn) for s in one.person.segments}
        self._joints = {
            f"joints/{joint.id}": (f"segments/{joint.parent}", f"segments/{joint.child}")
            for joint in carrying(project.joints)
            if dressed.get(joint.parent, -1) == dressed.get(joint.child, -2)
            # what is fixed to a car does not turn: a ball there says nothing beside people
            or (self._worn and joint.kind == "locked")
        }

    def rest(self) -> None:
        """Make anew what has changed."""
        if self._waiting is not None:
            self.update(self._waiting, at_once=True)

    def covered(self, seen: Seen) -> set[str]:
        """Name the elements that are not drawn: shapes below a skin, and joints that nobody has chosen."""
        looks = seen.visibility.people
        if looks == "shapes":
            return set()
        hidden = {
            joint for joint, ends in self._joints.items() if not {joint, *ends} & set(seen.chosen)
        }
        if looks == "skin":
            hidden |= {f"segments/{s}" for one in self._worn for s in one.person.segments}
        return hidden

    def show(
        self, pose: Pose, seen: Seen, theme: Theme, lens: Lens, *, quick: bool = False
    ) -> None:
        """Draw all as they stand in a pose; `quick` draws those that are small in the picture with fewer points."""
        for one in self._worn:
            one.show(pose, seen, theme, lens, quick=quick)

    def lay(
        self,
        items: Iterable[Drawn],
        pose: Pose,
        visibility: Visibility,
        lens: Lens,
        *,
        quick: bool = False,
    ) -> None:
        """Lay webbing onto clothes, as it is woven; each form once.

        With `quick`, it is laid with fewer points on those who are small in the picture.
        """
        is_rough = quick and all(one.is_small(pose, lens) for one in self._worn)
        for item in items:
            if item.shape.kind != "belt":
                continue
            if visibility.people == "shapes" or not item.is_seen:
                item.laid = None
                continue
            form = item.form or self._first(item.shape)
            if is_rough:
                form.roughly = form.roughly or self._laid(form, pose, 1)
            else:
                form.laid = form.laid or self._laid(form, pose, FINER)
            item.laid = form.roughly if is_rough else form.laid

    def lay_ahead(self, forms: Iterable[Form | None], pose: Pose) -> None:
        """Lay webbing with few points before it is shown."""
        for form in forms:
            if form is not None:
                form.roughly = form.roughly or self._laid(form, pose, 1)

    def _laid(self, form: Form, pose: Pose, parts: int) -> Form:
        """Give webbing on clothes, each of its pieces in so many parts; one is laid on fewer points."""
        self.layings += 1
        points, count = form.mesh.points, len(form.mesh.lines[0])
        for one in self._worn:
            points = one.laid(points, count, pose, is_rough=parts == 1)
        loads = None if form.loads is None else of_pieces(form.loads, count, parts)

        def over(lines: Array) -> Array:
            for one in self._worn:
                lines = one.raised(lines)
            return lines

        made = dressed(form.mesh, points, parts, None if parts == 1 else over)
        return Form(made, loads, form.is_slack)

    def _first(self, shape: Shape) -> Form:
        """Give the form of webbing as the model has it."""
        if shape.mesh not in self._forms:
            self._forms[shape.mesh] = Form(shape.mesh)
        return self._forms[shape.mesh]

    def pick(self, sight: Sight, allows: Allows, pose: Pose, seen: Seen) -> Iterator[Found]:
        """Give where skins are met, each with the segment that it follows there."""
        if seen.visibility.people == "skin":
            for one in self._worn:
                found = one.pick(sight, allows, pose, seen.visibility)
                if found is not None:
                    yield found

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane; None cuts nothing."""
        self._plane = plane
        for one in self._worn:
            one.cut(plane)

    def clear(self) -> None:
        """Take all actors out of the scene."""
        for one in self._worn:
            one.remove()
        self._worn = []


class Worn:
    """Hold a person's skin and what draws it."""

    def __init__(self, renderer: Any, person: Person, skin: Skin | None = None) -> None:
        self.person = person
        self._renderer = renderer
        self._skin = skin or skin_of(person.figure)
        self._coarse: Worn | None = None
        """The same with fewer points, once somebody has asked for it."""
        self._clothes: Clothes | None = None
        self._elements = [f"segments/{segment}" for segment in person.segments]
        count = len(self._skin.mesh.points)
        self._points = np.zeros((count, 3), np.float32)
        self._normals = np.zeros((count, 3), np.float32)
        self._colours = np.zeros((count, 4), np.uint8)
        self._cells = np.ascontiguousarray(self._skin.mesh.faces, dtype=np.int64)
        self._origin = np.zeros(3)
        self._plane: Any = None
        self._stood: list[Placed] = []
        self._painted: tuple[Any, ...] = ()
        self._tears, self._torn = tears_of(self._skin), tuple[tuple[int, int], ...]()
        self._turned: Array | None = None
        self._rim = Rim(renderer, count)
        self._memory = vtkPoints()
        self._memory.SetData(numpy_to_vtk(self._points))
        self._rows = vtkCellArray()
        self._data = vtkPolyData()
        self._data.SetPoints(self._memory)
        self._data.GetPointData().SetNormals(numpy_to_vtk(self._normals))
        self._data.GetPointData().SetScalars(numpy_to_vtk(self._colours))
        self._lay(self._cells)
        self.actor = actor_of(self._data)
        mapper = self.actor.GetMapper()
        mapper.SetScalarVisibility(True)
        mapper.SetScalarModeToUsePointData()
        mapper.SetColorModeToDirectScalars()
        prop = self.actor.GetProperty()
        prop.SetAmbient(AMBIENT)
        prop.SetDiffuse(DIFFUSE)
        prop.SetSpecular(0.06)
        prop.SetSpecularPower(14.0)
        prop.SetBackfaceCulling(True)
        self.actor.PickableOff()
        renderer.AddActor(self.actor)

    def show(self, pose: Pose, seen: Seen, theme: Theme, lens: Lens, *, quick: bool) -> None:
        """Draw it as it stands in a pose, in its colours; what has not changed is not written."""
        visibility = seen.visibility
        is_shown = visibility.people != "shapes" and all(s in pose for s in self.person.segments)
        is_coarse = is_shown and quick and self.is_small(pose, lens)
        self.actor.SetVisibility(is_shown and not is_coarse)
        self._rim.actor.SetVisibility(is_shown and not is_coarse)
        if is_coarse:
            self._with_fewer().show(pose, seen, theme, lens, quick=False)
        elif self._coarse is not None:
            self._coarse.actor.VisibilityOff()
            self._coarse._rim.actor.VisibilityOff()
        if not is_shown or is_coarse:
            return
        places = [pose[segment] for segment in self.person.segments]
        self._stand(places)
        torn = self._tears.torn(places)
        if torn != self._torn:
            self._torn, self._painted = torn, ()
        is_clear = self._paint(seen, theme)
        self._rim.follow(self._points, self._normals, self._origin, rgb(theme.accent))
        towards = lens.camera.axes()[2]
        if is_clear and (self._turned is None or not np.array_equal(towards, self._turned)):
            self._turned = np.array(towards)
            depth = (self._points @ self._turned.astype(np.float32))[self._cells].sum(axis=1)
            self._lay(self._cells[np.argsort(depth)])

    def is_small(self, pose: Pose, lens: Lens) -> bool:
        """Tell whether the points of clothes lie closer in the picture than fewer would be told from."""
        first = self.person.segments[0]
        return first in pose and lens.metres_per_pixel(pose[first].p_W) > _SMALL_M

    def _with_fewer(self) -> Worn:
        """Give the same person with fewer points."""
        if self._coarse is None:
            self._coarse = Worn(self._renderer, self.person, coarse(self._skin))
            # webbing may be laid on it before it is ever seen
            self._coarse.actor.VisibilityOff()
            self._coarse._rim.actor.VisibilityOff()
            self._coarse.cut(self._plane)
        return self._coarse

    def laid(self, points: Array, count: int, pose: Pose, *, is_rough: bool = False) -> Array:
        """Move a ribbon's points (ground axes), `count` in each of its rows, onto what they lie below."""
        if not all(segment in pose for segment in self.person.segments):
            return points
        if is_rough:
            return self._with_fewer()._lifted(points, count, pose, 1, 1)
        return self._lifted(points, count, pose, STEPS, STRAIGHT)

    def raised(self, points: Array) -> Array:
        """Move places (ground axes) that lie low over clothes once more, in the pose that webbing was laid in last."""
        if self._clothes is None:
            return points
        return self._clothes.lifted(points - self._origin, LIFT_M, 1) + self._origin

    def _lifted(self, points: Array, count: int, pose: Pose, steps: int, times: int) -> Array:
        self._stand([pose[segment] for segment in self.person.segments])
        if self._clothes is None:
            self._clothes = self._skin.clothes(self._points, self._normals)
        laid = self._clothes.laid(points - self._origin, count, steps, times)
        return laid + self._origin

    def pick(
        self, sight: Sight, allows: Allows, pose: Pose, visibility: Visibility
    ) -> Found | None:
        """Give where it is met, and the segment that is meant there."""
        if not all(segment in pose for segment in self.person.segments):
            return None
        self._stand([pose[segment] for segment in self.person.segments])
        cells = self._left(visibility)
        mesh = Mesh(self._points.astype(float), cells)
        hit = on_faces(mesh, Placed(np.eye(3), self._origin), sight, allows)
        if hit is None:
            return None
        return Found(hit, self._elements[int(self._skin.owners[cells[hit.face, 0]])])

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane, and show what is inside; None cuts nothing."""
        self._plane = plane
        if self._coarse is not None:
            self._coarse.cut(plane)
        mapper = self.actor.GetMapper()
        mapper.RemoveAllClippingPlanes()
        if plane is not None:
            mapper.AddClippingPlane(plane)
        self.actor.GetProperty().SetBackfaceCulling(plane is None)
        self._rim.cut(plane)

    def remove(self) -> None:
        """Take it out of the scene."""
        if self._coarse is not None:
            self._coarse.remove()
        self._rim.remove()
        self._renderer.RemoveActor(self.actor)

    def _stand(self, places: list[Placed]) -> None:
        """Write points and normals, about the pelvis: they have seven digits on their way."""
        if self._stood and all(a is b for a, b in zip(places, self._stood, strict=True)):
            return
        self._stood, self._turned, self._clothes = places, None, None
        self._origin = places[0].p_W
        near = [Placed(place.R_WS, place.p_W - self._origin) for place in places]
        self._points[:], self._normals[:] = self._skin.posed(near)
        self.actor.SetPosition(*self._origin)
        self._memory.GetData().Modified()
        self._memory.Modified()
        self._data.GetPointData().GetNormals().Modified()

    def _paint(self, seen: Seen, theme: Theme) -> bool:
        """Write colours where marks have changed; tells whether something is seen through."""
        visibility = seen.visibility
        elements = self._elements
        chosen = tuple(e in seen.chosen for e in elements)
        faint = tuple(visibility.is_faint(e, "body") for e in elements)
        hidden = tuple(e in visibility.hidden for e in elements)
        hovered = tuple(e == seen.hovered for e in elements)
        is_both = visibility.people == "both"
        marks = (chosen, faint, hidden, hovered, is_both, theme.accent)
        is_clear = is_both or any(faint)
        if marks == self._painted:
            return is_clear
        self._painted = marks
        weights = self._skin.weights
        colours = self._skin.colours.copy()
        # an outline is drawn behind: seen through the skin it would fill it
        has_rim = np.array(chosen) & ~np.array(faint) & (not is_both)
        part = _TINTS[not all(has_rim)] * np.asarray(weights @ np.array(chosen, float))[:, None]
        colours += part * (np.array(rgb(theme.accent)) - colours)
        bright = 1.0 + (_BRIGHTER - 1.0) * np.asarray(weights @ np.array(hovered, float))
        colours *= np.where(np.asarray(part)[:, 0] > 0.0, 1.0, bright)[:, None]
        self._colours[:, :3] = np.round(255.0 * np.clip(colours, 0.0, 1.0))
        opacity = np.where(np.array(faint)[self._skin.owners], _FAINT, 1.0)
        self._colours[:, 3] = np.round(255.0 * np.minimum(opacity, _HALF if is_both else 1.0))
        self._data.GetPointData().GetScalars().Modified()
        self._cells = self._left(visibility)
        self._lay(self._cells)
        self._rim.lay(self._cells[has_rim[self._skin.owners[self._cells[:, 0]]]])
        self._turned = None
        if is_clear:
            self.actor.ForceTranslucentOn()
        else:
            self.actor.ForceTranslucentOff()
            self.actor.ForceOpaqueOn()
        return is_clear

    def _left(self, visibility: Visibility) -> Indices:
        """Give the triangles of what is not hidden."""
        hidden = np.array([element in visibility.hidden for element in self._elements])
        faces = self._skin.mesh.faces
        left = faces[~self._tears.between(self._torn)] if self._torn else faces
        left = left[~hidden[self._skin.owners[left[:, 0]]]] if hidden.any() else left
        return np.ascontiguousarray(left, dtype=np.int64)

    def _lay(self, cells: Any) -> None:
        """Give VTK the triangles in this order."""
        self._laid = np.ascontiguousarray(cells)
        self._rows.SetData(3, numpy_to_vtkIdTypeArray(self._laid.ravel()))
        self._data.SetPolys(self._rows)
