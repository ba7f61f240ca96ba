"""Draw one person with its skin: a closed mesh that follows the bones, in an actor of its own."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from vtkmodules.util.numpy_support import numpy_to_vtk, numpy_to_vtkIdTypeArray
from vtkmodules.vtkCommonCore import vtkPoints
from vtkmodules.vtkCommonDataModel import vtkCellArray, vtkPolyData

from app.look import Theme
from app.scene.actors import actor_of
from app.scene.form import Laid
from app.scene.lens import Lens
from app.scene.paints import AMBIENT, DIFFUSE
from app.scene.picking import Allows, Picked, Sight, on_faces
from app.scene.visibility import Visibility
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Indices, Mesh
from solver.scene.people.build import Person
from solver.scene.people.hands import Hands, Held
from solver.scene.people.skin import LIFT_M, STEPS, STRAIGHT, Clothes, Skin, coarse, tears_of
from solver.scene.placing import Pose
from solver.scene.tones import Rgb, rgb

_HALF, _FAINT = 0.38, 0.30
_TINTS, _BRIGHTER = (0.12, 0.38), 1.12
"""How much colour what is selected takes where all of somebody is, and where a part is; its outline tells as well."""
_SMALL_M = 0.0032
"""A person whose pixels are larger than this (m) is small: cells of cloth are then eight pixels wide, at most."""


@dataclass(frozen=True, slots=True)
class Marking:
    """Say what is marked and hidden, by element."""

    chosen: Collection[str]
    hovered: str
    visibility: Visibility


class SkinActor:
    """A person's skin and what draws it."""

    def __init__(
        self, renderer: Any, person: Person, skin: Skin, held: Sequence[Held] = ()
    ) -> None:
        self.person = person
        self.hands = Hands(person, skin.fingers, held)
        self._renderer = renderer
        self.skin = skin
        self._coarse: SkinActor | None = None
        """The same with fewer points, once somebody has asked for it."""
        self._clothes: Clothes | None = None
        self._elements = [f"segments/{segment}" for segment in person.segments]
        count = len(self.skin.mesh.points)
        self._points = np.zeros((count, 3), np.float32)
        self._normals = np.zeros((count, 3), np.float32)
        self._colours = np.zeros((count, 4), np.uint8)
        self._cells = np.ascontiguousarray(self.skin.mesh.faces, dtype=np.int64)
        self._origin = np.zeros(3)
        self._plane: Any = None
        self._stood: list[Placed] = []
        self._painted: tuple[Any, ...] = ()
        self._tears, self._torn = tears_of(self.skin), tuple[tuple[int, int], ...]()
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

    def show(
        self,
        pose: Pose,
        seen: Marking,
        theme: Theme,
        lens: Lens,
        *,
        quick: bool,
        laid: Laid | None = None,
    ) -> None:
        """Draw it as it stands in a pose, in its colours; what has not changed is not written."""
        visibility = seen.visibility
        is_shown = visibility.is_furnished and all(s in pose for s in self.person.segments)
        is_coarse = is_shown and quick and self.is_small(pose, lens)
        self.actor.SetVisibility(is_shown and not is_coarse)
        self._rim.see(is_shown and not is_coarse)
        if self._coarse is not None or is_coarse:
            fewer = self._with_fewer()
            fewer.actor.SetVisibility(is_coarse)
            fewer._rim.see(is_coarse)
        if is_coarse:
            self._with_fewer()._draw(pose, seen, theme, lens, laid)
        elif is_shown:
            self._draw(pose, seen, theme, lens, None)

    def _draw(self, pose: Pose, seen: Marking, theme: Theme, lens: Lens, laid: Laid | None) -> None:
        self._stand(pose, laid)
        torn = self._tears.torn([pose[segment] for segment in self.person.segments])
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
        """Whether the points of clothes lie closer in the picture than fewer would be told from."""
        first = self.person.segments[0]
        return first in pose and lens.metres_per_pixel(pose[first].p_W) > _SMALL_M

    def _with_fewer(self) -> SkinActor:
        """The same person with fewer points."""
        if self._coarse is None:
            self._coarse = SkinActor(self._renderer, self.person, coarse(self.skin))
            self._coarse.hands = self.hands
            # webbing may be laid on it before it is ever seen
            self._coarse.actor.VisibilityOff()
            self._coarse._rim.see(False)
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
        self._stand(pose)
        if self._clothes is None:
            self._clothes = self.skin.clothes(self._points, self._normals)
        laid = self._clothes.laid(points - self._origin, count, steps, times)
        return laid + self._origin

    def pick(
        self, sight: Sight, allows: Allows, pose: Pose, visibility: Visibility
    ) -> Picked | None:
        """Where it is met, and the segment that is meant there."""
        if not all(segment in pose for segment in self.person.segments):
            return None
        self._stand(pose)
        cells = self._left(visibility)
        mesh = Mesh(self._points.astype(float), cells)
        hit = on_faces(mesh, Placed(np.eye(3), self._origin), sight, allows)
        if hit is None:
            return None
        return Picked(hit, self._elements[int(self.skin.owners[cells[hit.face, 0]])])

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

    def hold(self, held: Sequence[Held]) -> None:
        """Say what hands may hold from now on."""
        self.hands, self._stood = Hands(self.person, self.skin.fingers, held), []
        if self._coarse is not None:
            self._coarse.hands, self._coarse._stood = self.hands, []

    def _stand(self, pose: Pose, laid: Laid | None = None) -> None:
        """Write points and normals, about the pelvis: they have seven digits on their way; `laid` keeps them."""
        places = [pose[segment] for segment in self.person.segments] + self.hands.held(pose)
        if len(self._stood) == len(places) and all(
            a is b for a, b in zip(places, self._stood, strict=True)
        ):
            return
        self._stood, self._turned, self._clothes = places, None, None
        self._origin = places[0].p_W
        laid, key = {} if laid is None else laid, (self, self.hands)
        if key not in laid:
            laid[key] = self.skin.posed(*self.hands.placed(pose, self._origin))
        self._points[:], self._normals[:] = laid[key]
        self.actor.SetPosition(*self._origin)
        self._memory.GetData().Modified()
        self._memory.Modified()
        self._data.GetPointData().GetNormals().Modified()

    def _paint(self, seen: Marking, theme: Theme) -> bool:
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
        weights = self.skin.weights
        colours = self.skin.colours.copy()
        # an outline is drawn behind: seen through the skin it would fill it
        has_rim = np.array(chosen) & ~np.array(faint) & (not is_both)
        part = _TINTS[not all(has_rim)] * np.asarray(weights @ np.array(chosen, float))[:, None]
        colours += part * (np.array(rgb(theme.accent)) - colours)
        bright = 1.0 + (_BRIGHTER - 1.0) * np.asarray(weights @ np.array(hovered, float))
        colours *= np.where(np.asarray(part)[:, 0] > 0.0, 1.0, bright)[:, None]
        self._colours[:, :3] = np.round(255.0 * np.clip(colours, 0.0, 1.0))
        opacity = np.where(np.array(faint)[self.skin.owners], _FAINT, 1.0)
        self._colours[:, 3] = np.round(255.0 * np.minimum(opacity, _HALF if is_both else 1.0))
        self._data.GetPointData().GetScalars().Modified()
        self._cells = self._left(visibility)
        self._lay(self._cells)
        self._rim.lay(self._cells[has_rim[self.skin.owners[self._cells[:, 0]]]])
        self._turned = None
        if is_clear:
            self.actor.ForceTranslucentOn()
        else:
            self.actor.ForceTranslucentOff()
            self.actor.ForceOpaqueOn()
        return is_clear

    def _left(self, visibility: Visibility) -> Indices:
        """The triangles of what is not hidden."""
        hidden = np.array([element in visibility.hidden for element in self._elements])
        faces = self.skin.mesh.faces
        left = faces[~self._tears.between(self._torn)] if self._torn else faces
        left = left[~hidden[self.skin.owners[left[:, 0]]]] if hidden.any() else left
        return np.ascontiguousarray(left, dtype=np.int64)

    def _lay(self, cells: Any) -> None:
        """Give VTK the triangles in this order."""
        self._laid = np.ascontiguousarray(cells)
        self._rows.SetData(3, numpy_to_vtkIdTypeArray(self._laid.ravel()))
        self._data.SetPolys(self._rows)


_WIDE_M = 0.005
"""How far the outline stands out (m)."""


class Rim:
    """A skin a little larger, of which only the inside is seen: what looks out around it is its outline."""

    def __init__(self, renderer: Any, count: int) -> None:
        self._renderer = renderer
        self._points = np.zeros((count, 3), np.float32)
        self._memory, self._rows = vtkPoints(), vtkCellArray()
        self._memory.SetData(numpy_to_vtk(self._points))
        self._data = vtkPolyData()
        self._data.SetPoints(self._memory)
        self._cells, self._is_seen = np.zeros((0, 3), np.int64), False
        self.actor = actor_of(self._data)
        prop = self.actor.GetProperty()
        prop.SetLighting(False)
        prop.SetFrontfaceCulling(True)
        self.actor.PickableOff()
        self.actor.VisibilityOff()
        renderer.AddActor(self.actor)

    def see(self, on: bool) -> None:
        """Draw it, or not; where nobody is selected there is nothing to draw."""
        self._is_seen = on
        self.actor.SetVisibility(on and len(self._cells) > 0)

    def lay(self, cells: Indices) -> None:
        """Outline these triangles alone."""
        self._cells = np.ascontiguousarray(cells)
        self.actor.SetVisibility(self._is_seen and len(cells) > 0)
        self._rows.SetData(3, numpy_to_vtkIdTypeArray(self._cells.ravel()))
        self._data.SetPolys(self._rows)

    def follow(self, points: Any, normals: Any, place: Any, colour: Rgb) -> None:
        """Stand around a skin as it stands: its points and normals about a place (m)."""
        if not len(self._cells):
            return
        np.multiply(normals, np.float32(_WIDE_M), out=self._points)
        self._points += points
        self._memory.GetData().Modified()
        self._memory.Modified()
        self.actor.SetPosition(*place)
        self.actor.GetProperty().SetColor(*colour)

    def cut(self, plane: Any) -> None:
        """Leave away what lies behind a VTK plane; None cuts nothing."""
        mapper = self.actor.GetMapper()
        mapper.RemoveAllClippingPlanes()
        if plane is not None:
            mapper.AddClippingPlane(plane)

    def remove(self) -> None:
        """Take it out of the scene."""
        self._renderer.RemoveActor(self.actor)
