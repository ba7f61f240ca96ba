"""What a form may do: set values, add and move entries, change kinds, lead elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app import texts
from app.document import Document
from app.editing.naming import counted, free_id
from app.editing.parts import as_kind, put, with_entry, with_option
from app.editing.shape import Shape, lowered, word_label
from app.elements import element_label, element_path, place
from app.forms.units import Units, units_of_curve
from solver.base.words import msgid, tr
from solver.bodies.library.occupants import surfaces_that_hold
from solver.editing.bench import Bench, CannotMake
from solver.project import Project, ProjectError
from solver.project.changes import value_at, with_value
from solver.project.fields import Part
from solver.project.geometry import SurfaceRef

_ADDED_ENTRY = msgid("Add {what} to {name}")
_REMOVED_ENTRY = msgid("Remove {what} from {name}")


class FormCommands(QObject):
    """Turn what people do in a form into steps of the document; refusals are said at the field."""

    go = Signal(str)
    pin = Signal(str)
    """A numeric field is to get a slider."""
    vary = Signal(str)
    """A study is to vary a numeric field."""

    def __init__(self, document: Document, units: Units) -> None:
        super().__init__(document)
        self.document, self.units = document, units
        self.frame = ""
        """Own frame in which places are to be shown; empty for the axes of their segments."""

    @property
    def seen_in(self) -> str:
        """The frame in which places are shown now; several elements may be in different segments."""
        there = any(one.id == self.frame for one in self.project.frames)
        return self.frame if there and len(self.document.chosen) < 2 else ""

    @property
    def project(self) -> Project:
        """The present version."""
        return self.document.project

    def set(self, path: str, value: Any, step: bool = False) -> str:
        """Set a value, in all selected elements that have the field; gives why not, empty if done."""
        text = tr(
            "Change {field} of {name}", field=_field(self.project, path), name=self._name(path)
        )
        if path.endswith("/id"):
            if self.twins(path):
                return tr(
                    "An id belongs to one element alone: select it by itself to change its id."
                )
            problems = self.document.edit(path, value, text)
            return problems[0].sentence if problems else ""
        project = self.project
        try:
            for one in (path, *self.twins(path)):
                project = with_value(project, one, value)
        except ProjectError as failure:
            return _problem_text(failure, path)
        self.document.replace(project, text, merge_key=path if step else None)
        return ""

    def twins(self, path: str) -> list[str]:
        """Give the same field of the other selected elements of the same list, where they have it."""
        words, chosen = path.split("/"), self.document.chosen
        element, rest = "/".join(words[:2]), "/".join(words[2:])
        if len(chosen) < 2 or element not in chosen:
            return []
        others = [one for one in chosen if one != element and one.startswith(f"{words[0]}/")]
        found = [f"{one}/{rest}" if rest else one for one in others]
        return [one for one in found if self._has(one)]

    def _has(self, path: str) -> bool:
        try:
            value_at(self.project, path)
        except ProjectError:
            return False
        return True

    def _alike(self, path: str) -> list[str]:
        """The twins of a list that are as long as it."""
        count = len(value_at(self.project, path))
        return [twin for twin in self.twins(path) if len(value_at(self.project, twin)) == count]

    def change_kind(self, path: str, models: tuple[type[Part], ...], kind: str) -> str:
        """Turn a part into another kind."""
        text = tr("Change kind of {name} to {kind}", name=self._name(path), kind=word_label(kind))
        return self._do(
            lambda project, one: as_kind(project, one, models, kind), path, self.twins(path), text
        )

    def add_entry(self, path: str, model: type[Part], what: str, kind: str = "") -> str:
        """Append an entry to a list."""
        text = tr(_ADDED_ENTRY, what=what, name=self._name(path))
        return self._do(
            lambda project, one: with_entry(project, one, model, kind)[0],
            path,
            self.twins(path),
            text,
        )

    def add_reference(self, path: str, shape: Shape) -> str:
        """Append a reference to a list of them: the first that is not in it."""
        project = self.project
        items = value_at(project, path)
        free: list[Any]
        if shape.editor == "surfaces":
            holds = surfaces_that_hold(project) if shape.name == "panels" else None
            free = holds or [
                SurfaceRef(segment=segment.id, surface=one.id)
                for segment in project.segments
                for one in segment.surfaces
            ]
        else:
            free = [one.id for one in getattr(project, shape.target)]
        free = [one for one in free if one not in items]
        if not free:
            return tr("All are in the list already.")
        text = tr(_ADDED_ENTRY, what=lowered(shape.label), name=self._name(path))

        def add(project: Project, one: str) -> Project:
            there = value_at(project, one)
            return project if free[0] in there else put(project, one, (*there, free[0]))

        return self._do(add, path, self.twins(path), text)

    def fit(self, path: str, model: type[Part], what: str) -> str:
        """Fit an optional part, where there is none yet."""
        text = tr(_ADDED_ENTRY, what=what, name=self._name(path))
        bare = [twin for twin in self.twins(path) if value_at(self.project, twin) is None]
        return self._do(lambda project, one: with_option(project, one, model), path, bare, text)

    def take_off(self, path: str, what: str) -> str:
        """Take an optional part off."""
        text = tr(_REMOVED_ENTRY, what=what, name=self._name(path))
        return self._do(
            lambda project, one: with_value(project, one, None), path, self.twins(path), text
        )

    def remove_entry(self, path: str, index: int, what: str) -> str:
        """Remove an entry of a list; a surface with what refers to it."""
        words, twins = path.split("/"), self._alike(path)
        if len(words) == 3 and words[0] == "segments" and words[2] == "surfaces":
            surfaces = [f"{one}/{value_at(self.project, one)[index].id}" for one in (path, *twins)]
            self.document.delete(surfaces)
            return ""

        def remove(project: Project, one: str) -> Project:
            items = value_at(project, one)
            return put(project, one, (*items[:index], *items[index + 1 :]))

        text = tr(_REMOVED_ENTRY, what=what, name=self._name(path))
        return self._do(remove, path, twins, text)

    def move_entry(self, path: str, index: int, by: int, what: str) -> str:
        """Move an entry of a list up or down."""
        if not 0 <= index + by < len(value_at(self.project, path)):
            return ""

        def move(project: Project, one: str) -> Project:
            items = list(value_at(project, one))
            items[index], items[index + by] = items[index + by], items[index]
            return put(project, one, tuple(items))

        text = tr("Move {what} in {name}", what=what, name=self._name(path))
        return self._do(move, path, self._alike(path), text)

    def copy_entry(self, path: str, index: int, what: str) -> str:
        """Repeat an entry of a list."""

        def repeat(project: Project, one: str) -> Project:
            items = value_at(project, one)
            copy: Any = items[index]
            if "id" in getattr(type(copy), "model_fields", ()):
                copy = copy.model_copy(update={"id": free_id(copy.id, {i.id for i in items})})
            return put(project, one, (*items[: index + 1], copy, *items[index + 1 :]))

        text = tr(_ADDED_ENTRY, what=what, name=self._name(path))
        return self._do(repeat, path, self._alike(path), text)

    def make_for(self, path: str, shape: Shape) -> str:
        """Make a function or a law that fits a field, and name it there."""
        bench = Bench(self.project, ())
        if shape.target == "functions":
            x_unit, y_unit = units_of_curve(self.project, path, shape)
            made = bench.function(x_unit or "s", y_unit or "m/s2")
        else:
            made = bench.law(webbing=path.startswith(("belts/", "harnesses/")))
        text = tr(texts.words.ADDED, name=made)

        def name_it(project: Project, one: str) -> Project:
            return with_value(bench.project if one == path else project, one, made)

        return self._do(name_it, path, self.twins(path), text)

    def _do(
        self, make: Callable[[Project, str], Project], path: str, twins: list[str], text: str
    ) -> str:
        """Do the same to a path and to its twins, as one step; gives why not, empty if done."""
        project = self.project
        try:
            for one in (path, *twins):
                project = make(project, one)
        except ProjectError as failure:
            return _problem_text(failure, "")
        except CannotMake as reason:
            return str(reason)
        self.document.replace(project, text)
        return ""

    def _name(self, path: str) -> str:
        twins = self.twins(element_path(path))
        if twins:
            return counted([element_path(path), *twins])
        return element_label(self.project, element_path(path))


def _field(project: Project, path: str) -> str:
    """Name a field in a step's text: 'mass', 'semi-axes'."""
    words = [w for w in place(project, path).split(" › ") if not w.isdecimal()]
    last = words[-1] if words else "value"
    return lowered(last)


def _problem_text(failure: ProjectError, path: str) -> str:
    first = failure.problems[0]
    sentence = f"{first.sentence} {first.hint}".rstrip()
    # the form says which field it is; the sentence need not begin with its name in the file
    name = path.rsplit("/", 1)[-1]
    for quoted in (f"'{name}' ", f"'{path.rsplit('/', 2)[-2]}' " if "/" in path else ""):
        if quoted and sentence.startswith(quoted):
            rest = sentence.removeprefix(quoted)
            return rest[:1].upper() + rest[1:]
    return sentence
