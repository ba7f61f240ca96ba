"""What is in the scene: things, light, ground, camera; knows VTK, but no window."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from contextlib import contextmanager
from copy import copy
from typing import Any

import numpy as np
import vtkmodules.vtkRenderingOpenGL2  # noqa: F401  (VTK finds its drawing backend by this import)
from vtkmodules.vtkRenderingCore import vtkRenderer

from app.look import Theme
from app.rate_limit import RateLimit
from app.scene.batches import Crowd
from app.scene.covering import Aside, Thing, each_part, met, places_now, what_matters
from app.scene.drawn import Drawn, move_items
from app.scene.fabric import CushionBuilder, Fabric
from app.scene.floor import Floor
from app.scene.form import Bags, Forms, Laid
from app.scene.framing import held, stepped_back
from app.scene.lens import Lens, OrbitCamera, Pair, View, part_seen
from app.scene.overlays import OverlayItems
from app.scene.paints import Marks
from app.scene.people_builder import PeopleBuilder
from app.scene.picking import Allows, Sight, all_at, everything, meant, parted
from app.scene.skin_actor import Marking
from app.scene.sky import Sky, lights
from app.scene.visibility import Visibility
from solver.engine.maths.rotation import Array
from solver.injury.parts import bodies
from solver.project import Project
from solver.project.pose import Placed
from solver.scene.around.build import Around
from solver.scene.around.surroundings import surroundings
from solver.scene.damage import Damaged
from solver.scene.meshes import Mesh
from solver.scene.people.skin import known_skin, skin_of
from solver.scene.placing import Pose, pose_at_start, up_of
from solver.scene.shapes import shapes

_ABOUT = 0.95
"""What counts as far enough away to see all."""
_SOLID = ("body", "vehicle", "plane", "bag", "mesh", "pack", "wheel")
"""Kinds of shapes that may stand before somebody."""
_AGAIN_MS, _ASIDE_MS = 60.0, 500.0
"""How often shades, depths and the number of points follow while pictures come one after the other, and how often one looks what stands before people."""


class Stage:
    """Show one project in one renderer; what changes is written when the next picture is drawn."""

    def __init__(self, theme: Theme, *, waits_for_skins: bool = True) -> None:
        """Begin with nothing; without waiting, shapes are seen of those whose skin is not made yet, until `dress`."""
        self.renderer, self.overlay = vtkRenderer(), vtkRenderer()
        self.renderer.SetLayer(1)
        self.overlay.SetLayer(2)
        self.overlay.SetActiveCamera(self.renderer.GetActiveCamera())
        for renderer in (self.renderer, self.overlay):
            renderer.SetAutomaticLightCreation(False)
            # with few actors, to look which are in the picture takes longer than to draw them
            renderer.GetCullers().RemoveAllItems()
            # a batch lays what is clear in its order itself, for far less than VTK's own passes
            renderer.SetUseOIT(False)
            for light in lights():
                renderer.AddLight(light)
        self.theme = theme
        self.camera = OrbitCamera(np.array([0.0, 0.0, -1.0]))
        self.selected = self.hovered = ""
        self.chosen: frozenset[str] = frozenset()
        self.visibility = Visibility()
        self.items: list[Drawn] = []
        self.around: list[Around] = []
        """What stands around people and bears nothing; it is neither measured nor pointed at."""
        self._shows_joints = True
        self._of_people: set[str] = set()
        self._project = Project.empty()
        self._pose: Pose = {}
        self._start: Pose = {}
        self._tints: Mapping[str, float] = {}
        self._damage: Mapping[str, Damaged] = {}
        self._laid: Laid | None = None
        self._plays = False
        """Whether an instant of a run is shown: bags are then as they are at it."""
        self._picked: Array | None = None
        self._pace, self._clipped = RateLimit(_AGAIN_MS), 0
        self.sees_past, self._aside, self._asides = True, Aside(), RateLimit(_ASIDE_MS)
        """Whether what stands before people in a run is half seen through, and what is so now."""
        self._beside = (0.0, 0.0, 1.0)
        self._sky = Sky()
        self._floor = Floor(self.renderer, self._sky.renderer)
        self.overlays = OverlayItems(self.renderer, self.overlay)
        self.crowd = Crowd(self.renderer, self.overlay)
        self.cast = PeopleBuilder(self.renderer, skin_of if waits_for_skins else known_skin)
        self._soft = (Fabric(), CushionBuilder())
        self._sky.paint(theme)

    def add_to(self, window: Any) -> None:
        """Draw in a VTK render window."""
        window.SetNumberOfLayers(3)
        for renderer in (self._sky.renderer, self.renderer, self.overlay):
            window.AddRenderer(renderer)

    def leave(self, window: Any) -> None:
        """Give back what a VTK render window holds for it, to be drawn in another one."""
        for renderer in (self._sky.renderer, self.renderer, self.overlay):
            renderer.ReleaseGraphicsResources(window)
            window.RemoveRenderer(renderer)

    def show(self, project: Project) -> None:
        """Show another project in its start pose, seen as a whole."""
        self.selected = self.hovered = ""
        self.chosen = frozenset()
        self.visibility = Visibility(surroundings=self.visibility.surroundings)
        parallel = self.camera.parallel
        self.camera = OrbitCamera(up_of(project))
        self.camera.parallel = parallel
        self.cast.clear()
        self._start = {}
        self.update(project)
        self.crowd.cut(None)
        self.cast.cut(None)
        self.lay_floor()

    def update(self, project: Project) -> None:
        """Show another version of the project; what is the same stays, and so does the eye.

        The floor stays as it is until `lay_floor`.
        """
        if project is self._project and self._start and not self.cast.waits:
            self._stand_again()
            return
        self._project = project
        self._pose = self._start = pose_at_start(project)
        self._leave_run()
        up = up_of(project)
        if not np.allclose(up, self.camera.up):
            self.camera = self.camera.turned_to(up)
        kept: dict[tuple[str, str], list[Drawn]] = {}
        for item in self.items:
            kept.setdefault((item.shape.element, item.shape.kind), []).append(item)
        self.items = []
        for shape in shapes(project, self._pose):
            same = kept.get((shape.element, shape.kind), [])
            known = next((one for one in same if one.shape.mesh is shape.mesh), None)
            item = known or Drawn(shape)
            if known is not None:
                same.remove(item)
                item.shape, item.form = shape, None
            item.at = self._pose[shape.segment]
            item.is_shown = shape.kind != "joint" or self._shows_joints
            self.items.append(item)
        self.around = surroundings(project, self._pose)
        self._of_people = {one for body in bodies(project) for one in body}
        self.crowd.keep(self.items)
        self.cast.update(project, at_once=False)
        for soft in self._soft:
            soft.update(project)
        self._mark()

    def _leave_run(self) -> None:
        """Have nothing of a run in the scene."""
        self._plays, self._damage, self._tints, self._laid = False, {}, {}, None
        self.overlays.clear()
        self.colour_belts(None)
        self.colour_discs(None)

    def _stand_again(self) -> None:
        """Show the same project at its start, as before a run was played."""
        self._pose = self._start
        self._leave_run()
        for item in self.items:
            item.form, item.at = None, self._start[item.shape.segment]
            item.is_shown = item.shape.kind != "joint" or self._shows_joints
        self._mark()

    def dress(self, *, at_once: bool = False) -> None:
        """Put on the skins that have been made meanwhile, or make here `at_once` what is missing."""
        if self.cast.waits:
            self.cast.rest(at_once=at_once)
            self._mark()

    def show_again(self) -> None:
        """Follow what `visibility` says: hidden, faint, cut."""
        self.crowd.cut(self.visibility.plane())
        self.cast.cut(self.visibility.plane())
        self._mark()

    def move(
        self,
        pose: Pose,
        forms: Forms,
        bags: Bags | None = None,
        idle: Collection[str] = (),
        laid: Laid | None = None,
    ) -> None:
        """Show another pose, with the forms of webbing and links; arrows of drivers that are `idle` are not seen, and `laid` keeps what is laid in it."""
        self._pose, self._plays, self._laid = pose, True, laid
        move_items(self.items, pose, forms, bags, idle)

    def spoil(self, damage: Mapping[str, Damaged]) -> None:
        """Show dents and broken glass, by element."""
        self._damage = damage

    def lay_ahead(self, forms: Forms, pose: Pose, bags: Bags, laid: Laid) -> None:
        """Lay webbing, bags and cushions of another pose as they are seen in motion, before that is shown."""
        if self.visibility.is_furnished:
            self.cast.lay_ahead(self.items, forms, pose)
            for soft in self._soft:
                soft.lay_ahead(self.items, pose, bags, laid)

    def colour_belts(self, top: float | None) -> None:
        """Colour webbing by its tension up to `top` (N), or not."""
        self.crowd.colour_by_load("belt", self.overlays.colours, top)

    def colour_discs(self, top: float | None) -> None:
        """Colour discs by their axial load up to `top` (N), or not."""
        self.crowd.colour_by_load("disc", self.overlays.colours, top)

    def tint_bags(self, tints: Mapping[str, float]) -> None:
        """Colour bags by their pressure, as parts of the scale's top; those left out have their own."""
        self._tints = dict(tints)
        for item in (one for one in self.items if one.shape.kind == "bag"):
            item.tint = tints.get(item.shape.element)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        self.theme = theme
        self._sky.paint(theme)
        self.lay_floor()

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
        changed = before != (self.selected, self.hovered, self.chosen)
        if changed:
            self._mark()
        return changed

    def show_joints(self, visible: bool) -> None:
        """Show or hide the joints' markers."""
        self._shows_joints = visible
        for item in self.items:
            if item.shape.kind == "joint":
                item.is_shown = visible

    def look(self, view: View, aspect: float) -> None:
        """Look from a named side at everything."""
        self.camera.look(view)
        self.fit(aspect)

    def fit(self, aspect: float, element: str = "", below: float = 0.0) -> None:
        """Show everything, or one element, without turning."""
        points = self._points(element) if element else np.zeros((0, 3))
        self.camera.fit(points if len(points) else self._points(), aspect, below)

    def hold(self, places: Array, aspect: float, below: float = 0.0) -> bool:
        """Step back so far that places (n, 3) are in the picture too; tells whether that was needed, and done."""
        return stepped_back(self.camera, self._points, places, aspect, below)

    def sees_all(self, aspect: float, below: float = 0.0) -> bool:
        """Whether one looks from about as far, or farther, as everything needs."""
        other = copy(self.camera)
        other.fit(self._points(), aspect, below)
        return self.camera.distance > _ABOUT * other.distance

    def stand_before(self, grey: float | None) -> None:
        """Leave sky and grid away, and stand before a grey from 0 to 1; None for sky and grid."""
        self._sky.stand_before(grey)
        self._floor.show_grid(grey is None)

    def look_through(self, right: float, up: float, away: float) -> None:
        """Look through a place of the lens beside its middle (m); what is so far away stays where it is in the picture."""
        self._beside = (right, up, away)

    def prepare(
        self, width: int, height: int, right: float = 0.0, up: float = 0.0, *, quick: bool = False
    ) -> None:
        """Write what has changed, just before drawing in so many pixels.

        `right` and `up` shift the picture, in halves of its width and height; `quick` leaves away
        what is not seen while things move.
        """
        eye = self.renderer.GetActiveCamera()
        moved = self.camera.apply(eye, self._beside, width / max(1, height))
        eye.SetWindowCenter(right + moved[0], up + moved[1])
        self._sky.face(self.camera.horizon)
        self._see_past(quick=quick)
        lens = Lens(self.camera, float(width), float(height))
        self.cast.lay(self.items, self._pose, self.visibility, lens, quick=quick)
        # what changes little from one picture to the next is looked at again in some of them
        again = not quick or self._pace.is_due()
        is_furnished = self.visibility.is_furnished
        for soft in self._soft:
            soft.lay(self.items, self._pose, is_furnished, quick=quick, laid=self._laid)
        spoilt = self._damage if self.visibility.surroundings else {}
        for item in self.items:
            item.damage = spoilt.get(item.shape.element) if item.shape.kind == "plane" else None
        past = {one.group or one for one in self._aside.keys if isinstance(one, Around)}
        around = [(o, at, o.is_solid and (o.group or o) not in past) for o, at in self._around()]
        self.crowd.show(
            self.items,
            self.theme,
            lens,
            is_furnished,
            around,
            keep_details=not again,
            quick=quick,
        )
        self.cast.show(self._pose, self._seen(), self.theme, lens, quick=quick, laid=self._laid)
        self._floor.road.show(is_furnished)
        if again:
            self._floor.shade(self.items, self._stands())
        self.overlays.draw(lens)
        self.overlays.reaches.draw(self._project, self._pose, lens, self.theme)
        if again or eye.GetMTime() != self._clipped:
            self.renderer.ResetCameraClippingRange()
            self._clipped = eye.GetMTime()

    @contextmanager
    def part_of(self, middle: Pair, size: Pair) -> Iterator[None]:
        """Show only a part of the picture that `prepare` has laid out: its middle and its size, in those of the whole."""
        self._sky.face((self.camera.horizon - middle[1]) / size[1] + 0.5, size[1])
        with part_seen(self.renderer.GetActiveCamera(), middle, size):
            yield
        self._sky.face(self.camera.horizon)

    def _see_past(self, *, quick: bool) -> None:
        """Let what stands before people be half seen through, in a model what only stands around them; in motion it is looked for now and then."""
        if not self.sees_past or self.visibility.people == "shapes":
            if self._aside.clear():
                self._mark()
        elif not quick or self._asides.is_due():
            eye = self.camera.eye()
            if self._aside.is_settled(self._pose, (*eye, *sorted(self.visibility.hidden))):
                return
            things = self.things(eye) if self._plays else self._stand_before(eye)
            people = what_matters(self._project, self._pose, self.camera.axes())
            if self._aside.look(things, eye, people, each_part(self._project, self._pose), rests=not quick):  # fmt: skip
                self._mark()

    def pick(self, lens: Lens, x: float, y: float) -> str:
        """Name the element at a pixel of a lens; empty for none."""
        sight = Sight.at(lens, x, y)
        over, others = parted(self.items)
        # joints and patches are seen through whatever lies before them
        found = all_at(over, sight, self._left()) + self.overlays.patches_at(sight)
        if not found:
            found = all_at(others, sight, self._left(), self.visibility.is_furnished)
            found += self.overlays.arrows_at(sight)
            found += self.cast.pick(sight, self._left(), self._pose, self._seen())
        one = meant(found)
        self._picked = one and one.hit.place
        return one.element if one else ""

    def people_now(self, element: str = "") -> Array:
        """Places all over people where they are now (n, 3), or all over the one whom an element is a part of."""
        return places_now(self._project, self._pose, element)

    def things(self, eye: Array) -> list[Thing]:
        """What is solid for an eye (m), but for people: all that may stand before them."""
        is_furnished = self.visibility.is_furnished
        found = []
        for item in self.items:
            shape = item.shape
            if not item.is_drawn or shape.kind not in _SOLID or shape.segment in self._of_people:
                continue
            furniture = shape.furniture if is_furnished else None
            if furniture is not None and furniture.is_endless:
                continue
            if furniture is None:
                # cloth was laid for the picture before
                found.append(Thing(shape.element, (item.form or shape).mesh, item.at))
                continue
            if furniture.frame is not None:
                found.append(Thing(shape.element, furniture.frame, item.at))
            if not item.is_clear(eye):
                found.append(Thing(shape.element, item.dented or furniture.mesh, item.at))
        return found + self._stand_before(eye)

    def _stand_before(self, eye: Array) -> list[Thing]:
        """What is solid for an eye of all that only stands around people."""
        return [
            Thing(one, one.mesh, at)
            for one, at in self._around()
            if one.is_solid and one.is_faced(at.R_WS.T @ (eye - at.p_W))
        ]

    def covers(self, place: Array) -> list[str]:
        """Name what hides a place (m) from the eye, as it is drawn now."""
        eye = self.camera.eye()
        solid = [one for one in self.things(eye) if one.key not in self._aside.keys]
        found = {one.key for one in solid if bool(met(one, eye, place[None])[0])}
        return sorted(one if isinstance(one, str) else "surroundings" for one in found)

    def picked_place(self) -> Array | None:
        """The place, in ground axes (m), at which the last pick met something."""
        return self._picked

    @property
    def ground_place(self) -> Array:
        """A place on the ground below everything, in ground axes (m)."""
        return self._floor.middle

    def middles(self) -> dict[str, Array]:
        """The middles of all elements that can be seen, in ground axes (m)."""
        found: dict[str, Drawn] = {}
        for item in (one for one in self.items if one.is_seen):
            found.setdefault(item.shape.element, item)
        return {element: _middle(item.points()) for element, item in found.items()}

    @property
    def pose(self) -> Pose:
        """Where the segments are that are shown."""
        return self._pose

    def middle(self, element: str = "") -> Array:
        """The middle of an element, or of everything (m)."""
        points = self._points(element)
        points = points if len(points) else self._points()
        return _middle(points) if len(points) else np.zeros(3)

    def place_of(self, element: str) -> Array | None:
        """The middle of an element (m); None where nothing of it is in the scene."""
        points = self._points(element)
        return _middle(points) if len(points) else None

    def lay_floor(self) -> None:
        """Lay grid and shadow below what there is, unless they lie there already; finish skins."""
        self.dress()
        self._floor.lay(
            self.items, self._project, self._pose, self.camera, self.theme, self._stands()
        )

    def _points(self, element: str = "") -> Array:
        """Collect points in ground axes: of an element, or of all that the view should hold."""
        if element:
            found = [one.points() for one in self.items if one.shape.element == element and one.is_shown]  # fmt: skip
        else:
            found = held([(one.shape.kind == "plane", one.points()) for one in self.items if one.shape.framed])  # fmt: skip
        return np.vstack(found) if found else np.zeros((0, 3))

    def _mark(self) -> None:
        """Tell each item whether it is selected, under the mouse, hidden, faint or below a skin."""
        covered = self.cast.covered(self._seen())
        for item in self.items:
            element = item.shape.element
            item.is_covered = element in covered
            chosen = element == self.selected or element in self.chosen
            item.is_hidden = element in self.visibility.hidden
            if item.shape.kind == "bag" and not self._plays:
                item.is_shown = chosen or self.visibility.full_bags
            item.tint = self._tints.get(element) if item.shape.kind == "bag" else None
            item.marks = Marks(
                chosen,
                element == self.hovered,
                self.visibility.is_faint(element, item.shape.kind) or element in self._aside.keys,
            )

    def _around(self) -> list[tuple[Around, Placed]]:
        """What is seen around people, and where: what belongs to hidden things alone is hidden with them."""
        if not (self.visibility.is_furnished and self.visibility.surroundings):
            return []
        hidden = self.visibility.hidden
        return [
            (one, self._pose[one.segment])
            for one in self.around
            if one.segment in self._pose and not one.of <= hidden
        ]

    def _stands(self) -> list[tuple[Mesh, Placed]]:
        """What of it is solid."""
        return [(one.mesh, at) for one, at in self._around() if one.is_solid]

    def _seen(self) -> Marking:
        return Marking(self.chosen | {self.selected}, self.hovered, self.visibility)

    def _left(self) -> Allows:
        """Tell which places a section leaves."""
        plane = self.visibility.plane()
        if plane is None:
            return everything
        origin, normal = np.array(plane.GetOrigin()), np.array(plane.GetNormal())
        return lambda places: (places - origin) @ normal >= 0.0


def _middle(points: Array) -> Array:
    middle: Array = 0.5 * (points.min(axis=0) + points.max(axis=0))
    return middle
