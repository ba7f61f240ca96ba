"""Hold what is in the scene: actors, light, ground, camera; knows VTK, but no window."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (VTK finds its drawing backend by this import)
from vtkmodules.vtkRenderingCore import vtkCellPicker, vtkLight, vtkRenderer

from app.look import Theme, rgb
from app.scene.actors import Drawn, Form, drawn, move_items, paint, user_matrix
from app.scene.aside import Aside
from app.scene.camera import OrbitCamera, View
from app.scene.colouring import colour_by_load, tint
from app.scene.floor import grid, shadow
from app.scene.placing import Pose, pose_at_start, up_of
from app.scene.shapes import Shape, shapes
from app.scene.showing import Showing
from solver.maths.rotation import Array
from solver.project import Project


class Stage:
    """Show one project in one renderer."""

    def __init__(self, theme: Theme) -> None:
        self.renderer = vtkRenderer()
        self.overlay = vtkRenderer()
        self.overlay.SetLayer(1)
        self.overlay.SetActiveCamera(self.renderer.GetActiveCamera())
        self.renderer.SetAutomaticLightCreation(False)
        for renderer in (self.renderer, self.overlay):
            renderer.RemoveAllLights()
            for light in _lights():
                renderer.AddLight(light)
        self.theme = theme
        self.camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
        self.selected = self.hovered = ""
        self.chosen: frozenset[str] = frozenset()
        self.showing = Showing()
        self._items: list[Drawn] = []
        self._by_actor: dict[str, str] = {}
        self._floor: list[Any] = []
        self._laid: list[Any] = []
        self._shows_joints = True
        self._pose: Pose = {}
        self._tints: Mapping[str, float] = {}
        self._plays = False
        """Whether an instant of a run is shown: bags are then as they are at it."""
        self._picker = vtkCellPicker()
        self._picker.SetTolerance(0.0006)
        self._joints = vtkCellPicker()
        self._joints.SetTolerance(0.002)
        self.aside = Aside(self.renderer, self.overlay)
        self._picked: Array | None = None
        self._paint_sky()

    def add_to(self, window: Any) -> None:
        """Draw in a VTK render window."""
        window.SetNumberOfLayers(2)
        window.AddRenderer(self.renderer)
        window.AddRenderer(self.overlay)

    def show(self, project: Project) -> None:
        """Show another project in its start pose, seen as a whole."""
        self.selected = self.hovered = ""
        self.chosen = frozenset()
        self.showing = Showing()
        parallel = self.camera.parallel
        self.camera = OrbitCamera(up_of(project))
        self.camera.parallel = parallel
        self.update(project)
        self.lay_floor()

    def update(self, project: Project) -> None:
        """Show another version of the project; what is the same keeps its actors, the eye its place.

        The floor stays as it is until `lay_floor`.
        """
        self._pose, self._plays = pose_at_start(project), False
        self.aside.clear()
        self.colour_belts(None)
        self._tints = {}
        up = up_of(project)
        if not np.allclose(up, self.camera.up):
            self.camera = self.camera.turned_to(up)
        kept: dict[tuple[str, str], list[Drawn]] = {}
        for item in self._items:
            kept.setdefault((item.shape.element, item.shape.kind), []).append(item)
        self._items = []
        for shape in shapes(project, self._pose):
            same = kept.get((shape.element, shape.kind), [])
            item = next((one for one in same if one.mesh is shape.mesh), None)
            if item is None:
                item = self._drawn(shape)
            else:
                same.remove(item)
                item.shape = shape
            item.show(shape.kind != "joint" or self._shows_joints)
            placed = self._pose[shape.segment]
            item.place(user_matrix(placed.R_WS, placed.p_W))
            item.hide(shape.element in self.showing.hidden)
            self._items.append(item)
        for item in (one for items in kept.values() for one in items):
            for actor in item.all:
                self.renderer.RemoveActor(actor)
                self.overlay.RemoveActor(actor)
                self._by_actor.pop(_key(actor), None)
        self._paint()

    def _drawn(self, shape: Shape) -> Drawn:
        """Make the actors of a shape and put them into the scene."""
        item = drawn(shape)
        layer = self.overlay if shape.kind == "joint" else self.renderer
        for actor in item.all:
            layer.AddActor(actor)
            self._by_actor[_key(actor)] = shape.element
        item.cut(self.showing.plane())
        return item

    def show_again(self) -> None:
        """Follow what `showing` says: hidden, faint, cut."""
        plane = self.showing.plane()
        for item in self._items:
            item.hide(item.shape.element in self.showing.hidden)
            item.cut(plane)
        self._paint()

    def move(
        self,
        pose: Pose,
        forms: Mapping[tuple[str, str], Form],
        bags: Mapping[str, Any] | None = None,
    ) -> None:
        """Show another pose: `forms` are those of webbing and links by element and part, `bags` matrices.

        A bag whose matrix is None is folded, and not seen.
        """
        self._pose, self._plays = pose, True
        move_items(self._items, pose, forms, bags)
        if self._floor:
            self._floor[0].SetVisibility(False)

    def colour_belts(self, top: float | None) -> None:
        """Colour webbing by its tension up to `top` (N), or not."""
        for item in self._items:
            if item.shape.kind == "belt":
                colour_by_load(item.face.GetMapper(), self.aside.colours, top)

    def tint_bags(self, tints: Mapping[str, float]) -> None:
        """Colour bags by their pressure, as parts of the scale's top; those left out have their own."""
        before, self._tints = self._tints, dict(tints)
        if before != self._tints:
            self._paint(before.keys() | self._tints.keys())

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = theme
        self._paint_sky()
        self.lay_floor()
        self._paint()

    def mark(
        self,
        *,
        selected: str | None = None,
        hovered: str | None = None,
        chosen: Iterable[str] = (),
    ) -> bool:
        """Mark elements as selected or as under the mouse; tell whether that changes anything."""
        before = (self.selected, self.hovered, self.chosen)
        if selected is not None:
            self.selected = selected
            self.chosen = frozenset(one for one in (*chosen, selected) if one)
        self.hovered = before[1] if hovered is None else hovered
        now = (self.selected, self.hovered, self.chosen)
        changed = before != now
        if changed:
            self._paint(before[2] ^ now[2] | {before[0], before[1], now[0], now[1]})
        return changed

    def show_joints(self, visible: bool) -> None:
        """Show or hide the joints' markers."""
        self._shows_joints = visible
        for item in self._items:
            if item.shape.kind == "joint":
                item.show(visible)

    def look(self, view: View, aspect: float) -> None:
        """Look from a named side at everything."""
        self.camera.look(view)
        self.fit(aspect)

    def fit(self, aspect: float, element: str = "") -> None:
        """Show everything, or one element, without turning."""
        points = self._points(element) if element else np.zeros((0, 3))
        self.camera.fit(points if len(points) else self._points(), aspect)

    def prepare(self) -> None:
        """Set VTK's camera just before drawing."""
        self.camera.apply(self.renderer.GetActiveCamera())
        self.renderer.ResetCameraClippingRange()

    def pick(self, x: float, y: float) -> str:
        """Name the element at a pixel, counted from the lower left corner; empty for none."""
        self.prepare()
        self._picked = None
        if self._joints.Pick(x, y, 0.0, self.overlay):
            self._picked = np.array(self._joints.GetPickPosition())
            return self._element_at(self._joints)
        if self._picker.Pick(x, y, 0.0, self.renderer):
            self._picked = np.array(self._picker.GetPickPosition())
            return self._element_at(self._picker)
        return ""

    def _element_at(self, picker: Any) -> str:
        return self.aside.element_at(picker) or self._by_actor.get(_key(picker.GetActor()), "")

    def picked_place(self) -> Array | None:
        """Give the place, in ground axes (m), at which the last pick met something."""
        return self._picked

    def middles(self) -> dict[str, Array]:
        """Give the middles of all elements that can be seen, in ground axes (m)."""
        found: dict[str, Array] = {}
        for item in self._items:
            if item.is_shown and not item.is_hidden and item.shape.element not in found:
                points = self._ground(item)
                found[item.shape.element] = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return found

    @property
    def pose(self) -> Pose:
        """Give where the segments are that are shown."""
        return self._pose

    def middle(self, element: str = "") -> Array:
        """Give the middle of an element, or of everything (m)."""
        points = self._points(element)
        points = points if len(points) else self._points()
        if not len(points):
            return np.zeros(3)
        middle: Array = 0.5 * (points.min(axis=0) + points.max(axis=0))
        return middle

    def pixel_of(self, element: str) -> tuple[float, float] | None:
        """Give the pixel at which an element's middle is seen, from the lower left corner."""
        points = self._points(element)
        if not len(points):
            return None
        self.prepare()
        self.renderer.SetWorldPoint(*(0.5 * (points.min(axis=0) + points.max(axis=0))), 1.0)
        self.renderer.WorldToDisplay()
        x, y, _ = self.renderer.GetDisplayPoint()
        return float(x), float(y)

    def _points(self, element: str = "") -> Array:
        """Collect points in ground axes: of an element, or of all that the view should hold."""
        found = [
            self._ground(item)
            for item in self._items
            if (item.shape.element == element and item.is_shown if element else item.shape.framed)
        ]
        return np.vstack(found) if found else np.zeros((0, 3))

    def _ground(self, item: Drawn) -> Array:
        placed = self._pose[item.shape.segment]
        return item.shape.mesh.points @ placed.R_WS.T + placed.p_W

    def _paint(self, only: Iterable[str] | None = None) -> None:
        """Colour all shapes, or those of some elements."""
        for item in self._items:
            element = item.shape.element
            if only is not None and element not in only:
                continue
            chosen = element == self.selected or element in self.chosen
            faint = self.showing.is_faint(element, item.shape.kind)
            if item.shape.kind == "bag" and not self._plays:
                item.show(chosen or self.showing.full_bags)
            paint(item, self.theme, chosen, element == self.hovered, faint)
            if item.shape.kind == "bag" and element in self._tints:
                tint(item.face, self._tints[element])

    def _paint_sky(self) -> None:
        self.renderer.GradientBackgroundOn()
        self.renderer.SetBackground(*rgb(self.theme.sky_bottom))
        self.renderer.SetBackground2(*rgb(self.theme.sky_top))

    def _beneath(self) -> list[Any]:
        """Give what grid and shadow depend on; what has not changed is the same object."""
        kinds = ("body", "vehicle", "plane", "belt")
        meshes = [item.shape.mesh for item in self._items if item.shape.kind in kinds]
        return [self._pose, self.theme, *meshes]

    def lay_floor(self) -> None:
        """Lay grid and shadow below what there is, unless they lie there already."""
        beneath = self._beneath()
        same = len(beneath) == len(self._laid)
        if self._floor and same and all(a is b for a, b in zip(beneath, self._laid, strict=True)):
            self._floor[0].SetVisibility(True)
            return
        self._laid = beneath
        for actor in self._floor:
            self.renderer.RemoveActor(actor)
        self._floor = []
        points = self._points()
        if not len(points):
            return
        up = self.camera.up
        ahead = self.camera.ahead
        side = np.cross(ahead, up)
        low, high = points.min(axis=0), points.max(axis=0)
        middle = 0.5 * (low + high)
        middle = middle + (float((points @ up).min()) - float(middle @ up) - 0.002) * up
        reach = 0.75 * float(np.linalg.norm(high - low)) + 0.6
        solid = [
            self._ground(item)
            for item in self._items
            if item.shape.kind in ("body", "vehicle", "belt") and item.shape.framed
        ]
        self._floor = [
            shadow(solid, middle, ahead, side, reach, self.theme),
            grid(middle, ahead, side, 1.6 * reach, self.theme),
        ]
        for actor in self._floor:
            self.renderer.AddActor(actor)


def _key(actor: Any) -> str:
    return str(actor.GetAddressAsString("vtkObject")) if actor is not None else ""


def _lights() -> list[Any]:
    """Give three soft lights that go with the camera: warm key, cool fill, rim from behind."""
    out = []
    for place, colour, strength in (
        ((-0.9, 1.6, 1.8), (1.0, 0.975, 0.94), 0.78),
        ((1.6, 0.3, 1.4), (0.93, 0.96, 1.0), 0.34),
        ((0.2, 1.2, -1.8), (1.0, 1.0, 1.0), 0.22),
    ):
        light = vtkLight()
        light.SetLightTypeToCameraLight()
        light.SetPosition(*place)
        light.SetFocalPoint(0.0, 0.0, 0.0)
        light.SetColor(*colour)
        light.SetIntensity(strength)
        out.append(light)
    return out
