"""The people of a scene, each in its skin where that is made, and lay webbing onto their clothes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any
from weakref import WeakKeyDictionary

from app.look import Theme
from app.scene.drawn import Drawn
from app.scene.form import Form, Forms, Laid
from app.scene.lens import Lens
from app.scene.picking import Allows, Picked, Sight
from app.scene.skin_actor import Marking, SkinActor
from app.scene.visibility import Visibility
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.joint_table import carrying
from solver.scene.meshes import Mesh
from solver.scene.people.build import Figure, people
from solver.scene.people.hands import grasps
from solver.scene.people.skin import Skin, known_skin, skin_of
from solver.scene.placing import Pose
from solver.scene.shapes import Shape
from solver.scene.straps import FINER, dressed, of_pieces


class PeopleBuilder:
    """The people of a scene."""

    def __init__(self, renderer: Any, skins: Callable[[Figure], Skin | None] = skin_of) -> None:
        """Begin with nobody; where `skins` gives None, somebody's shapes are seen until the skin is made."""
        self._renderer, self._skins = renderer, skins
        self._worn: list[SkinActor] = []
        self._plane: Any = None
        self._joints: dict[str, tuple[str, str]] = {}
        self._waiting: Project | None = None
        self._dressed: tuple[Skin, ...] = ()
        """The skins that webbing is laid on."""
        self._forms: WeakKeyDictionary[Mesh, Form] = WeakKeyDictionary()
        self.layings = 0
        """How many pieces of webbing have been laid so far."""

    def update(self, project: Project, *, at_once: bool) -> None:
        """Show the people of another version; a body that has changed is made again at rest, or at once."""
        before = {one.person.segments: one for one in self._worn}
        self._worn, self._waiting = [], None
        held = grasps(project)
        for person in people(project):
            worn = before.get(person.segments)
            if worn is None or worn.person != person:
                skin = known_skin(person.figure)
                if skin is None and (worn is None or at_once):
                    skin = self._skins(person.figure)
                if skin is None:
                    self._waiting = project
                else:
                    worn = SkinActor(self._renderer, person, skin)
                    worn.cut(self._plane)
            if worn is not None:
                worn.hold(held)
                self._worn.append(worn)
        for gone in before.values():
            if gone not in self._worn:
                gone.remove()
        self._dressed = tuple(one.skin for one in self._worn)
        dressed = {s: n for n, one in enumerate(self._worn) for s in one.person.segments}
        self._joints = {
            f"joints/{joint.id}": (f"segments/{joint.parent}", f"segments/{joint.child}")
            for joint in carrying(project.joints)
            if dressed.get(joint.parent, -1) == dressed.get(joint.child, -2)
            # what is fixed to a car does not turn: a ball there says nothing beside people
            or (self._worn and joint.kind == "locked")
        }

    @property
    def waits(self) -> bool:
        """Whether the skin of somebody is still to be made."""
        return self._waiting is not None

    def rest(self, *, at_once: bool) -> None:
        """Make again what has changed, of what `skins` gives or all of it `at_once`."""
        if self._waiting is not None:
            if at_once:
                for person in people(self._waiting):
                    skin_of(person.figure)
            self.update(self._waiting, at_once=True)

    def covered(self, seen: Marking) -> set[str]:
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
        self,
        pose: Pose,
        seen: Marking,
        theme: Theme,
        lens: Lens,
        *,
        quick: bool = False,
        laid: Laid | None = None,
    ) -> None:
        """Draw all as they stand in a pose; `quick` draws those that are small in the picture with fewer points, which `laid` keeps."""
        for one in self._worn:
            one.show(pose, seen, theme, lens, quick=quick, laid=laid)

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
            self._forget_webbing(form)
            if is_rough:
                form.roughly = form.roughly or self._laid(form, pose, 1)
            else:
                form.laid = form.laid or self._laid(form, pose, FINER)
            item.laid = form.roughly if is_rough else form.laid

    def lay_ahead(self, items: Iterable[Drawn], forms: Forms, pose: Pose) -> None:
        """Lay webbing with few points before it is shown."""
        for item in items:
            form = forms.get((item.shape.element, item.shape.part))
            if form is not None and item.shape.kind == "belt":
                self._forget_webbing(form)
                form.roughly = form.roughly or self._laid(form, pose, 1)

    def _forget_webbing(self, form: Form) -> None:
        """Forget how webbing lay on other skins."""
        if form.lies_on != self._dressed:
            form.laid, form.roughly, form.lies_on = None, None, self._dressed

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
        """The form of webbing as the model has it."""
        if shape.mesh not in self._forms:
            self._forms[shape.mesh] = Form(shape.mesh)
        return self._forms[shape.mesh]

    def pick(self, sight: Sight, allows: Allows, pose: Pose, seen: Marking) -> Iterator[Picked]:
        """Where skins are met, each with the segment that it follows there."""
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
        self._worn, self._waiting = [], None
