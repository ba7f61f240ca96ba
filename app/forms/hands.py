"""What a form may do: set values, add and move entries, change kinds, lead elsewhere."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtCore import QObject, Signal

from app import texts
from app.document import Document
from app.editing.bench import Bench, CannotMake
from app.editing.parts import as_kind, put, with_entry, with_option
from app.elements import element_path, place, spoken
from app.forms.shape import Shape, lowered, spoken_word
from app.forms.units import Units
from solver.project import Project, ProjectError
from solver.project.changes import value_at, with_value
from solver.project.fields import Part
from solver.project.geometry import SurfaceRef


class Hands(QObject):
    """Turn what people do in a form into steps of the document; refusals are said at the field."""

    go = Signal(str)

    def __init__(self, document: Document, units: Units) -> None:
        super().__init__(document)
        self.document, self.units = document, units

    @property
    def project(self) -> Project:
        """Give the present version."""
        return self.document.project

    def set(self, path: str, value: Any, step: bool = False) -> str:
        """Set a value, in all selected elements that have the field; gives why not, empty if done."""
        text = texts.editing.CHANGED.format(field=_field(self.project, path), name=self._name(path))
        if path.endswith("/id"):
            problems = self.document.edit(path, value, text)
            return problems[0].sentence if problems else ""
        project = self.project
        try:
            for one in (path, *self.twins(path)):
                project = with_value(project, one, value)
        except ProjectError as failure:
            return _said(failure, path)
        self.document.replace(project, text, merge_key=path if step else None)
        return ""

    def twins(self, path: str) -> list[str]:
        """Give the same field of the other selected elements of the same list."""
        words = path.split("/")
        chosen = self.document.chosen
        if len(chosen) < 2 or "/".join(words[:2]) not in chosen or len(words) < 3:
            return []
        rest = "/".join(words[2:])
        others = [one for one in chosen if one.startswith(f"{words[0]}/")]
        return [
            f"{one}/{rest}" for one in others if one != "/".join(words[:2]) and self._has(one, rest)
        ]

    def _has(self, element: str, rest: str) -> bool:
        try:
            value_at(self.project, f"{element}/{rest}")
        except ProjectError:
            return False
        return True

    def change_kind(self, path: str, models: tuple[type[Part], ...], kind: str) -> str:
        """Turn a part into another kind."""
        text = texts.forms.CHANGED_KIND.format(name=self._name(path), kind=spoken_word(kind))
        return self._do(lambda: as_kind(self.project, path, models, kind), text)

    def add_entry(self, path: str, model: type[Part], what: str, kind: str = "") -> str:
        """Append an entry to a list."""
        text = texts.forms.ADDED_ENTRY.format(what=what, name=self._name(path))
        return self._do(lambda: with_entry(self.project, path, model, kind)[0], text)

    def add_reference(self, path: str, shape: Shape) -> str:
        """Append a reference to a list of them: the first that is not in it."""
        project = self.project
        items = value_at(project, path)
        free: list[Any]
        if shape.editor == "surfaces":
            free = [
                SurfaceRef(segment=segment.id, surface=one.id)
                for segment in project.segments
                for one in segment.surfaces
            ]
        else:
            free = [one.id for one in getattr(project, shape.target)]
        free = [one for one in free if one not in items]
        if not free:
            return texts.forms.NONE_LEFT
        text = texts.forms.ADDED_ENTRY.format(what=lowered(shape.label), name=self._name(path))
        return self._do(lambda: put(project, path, (*items, free[0])), text)

    def fit(self, path: str, model: type[Part], what: str) -> str:
        """Fit an optional part."""
        text = texts.forms.ADDED_ENTRY.format(what=what, name=self._name(path))
        return self._do(lambda: with_option(self.project, path, model), text)

    def take_off(self, path: str, what: str) -> str:
        """Take an optional part off."""
        text = texts.forms.REMOVED_ENTRY.format(what=what, name=self._name(path))
        return self._do(lambda: with_value(self.project, path, None), text)

    def remove_entry(self, path: str, index: int, what: str) -> str:
        """Remove an entry of a list; a surface with what refers to it."""
        words = path.split("/")
        if len(words) == 3 and words[0] == "segments" and words[2] == "surfaces":
            surface = value_at(self.project, path)[index]
            self.document.delete([f"{path}/{surface.id}"])
            return ""
        items = value_at(self.project, path)
        text = texts.forms.REMOVED_ENTRY.format(what=what, name=self._name(path))
        return self._do(
            lambda: put(self.project, path, (*items[:index], *items[index + 1 :])), text
        )

    def move_entry(self, path: str, index: int, by: int, what: str) -> str:
        """Move an entry of a list up or down."""
        items = list(value_at(self.project, path))
        if not 0 <= index + by < len(items):
            return ""
        items[index], items[index + by] = items[index + by], items[index]
        text = texts.forms.MOVED_ENTRY.format(what=what, name=self._name(path))
        return self._do(lambda: put(self.project, path, tuple(items)), text)

    def copy_entry(self, path: str, index: int, what: str) -> str:
        """Repeat an entry of a list."""
        from app.editing.naming import free_id

        items = value_at(self.project, path)
        copy = items[index]
        if isinstance(copy, Part) and "id" in type(copy).model_fields:
            copy = copy.model_copy(update={"id": free_id(copy.id, {one.id for one in items})})
        text = texts.forms.ADDED_ENTRY.format(what=what, name=self._name(path))
        return self._do(
            lambda: put(self.project, path, (*items[: index + 1], copy, *items[index + 1 :])), text
        )

    def make_for(self, path: str, shape: Shape) -> str:
        """Make a function or a law that fits a field, and name it there."""
        bench = Bench(self.project, ())
        if shape.target == "functions":
            made = bench.function(shape.x_unit or "s", shape.y_unit or "m/s2")
        else:
            made = bench.law(webbing=path.startswith(("belts/", "harnesses/")))
        text = texts.editing.ADDED.format(name=made)
        return self._do(lambda: with_value(bench.project, path, made), text)

    def _do(self, make: Callable[[], Project], text: str) -> str:
        try:
            project = make()
        except ProjectError as failure:
            return _said(failure, "")
        except CannotMake as reason:
            return str(reason)
        self.document.replace(project, text)
        return ""

    def _name(self, path: str) -> str:
        if len([one for one in self.document.chosen if one]) > 1:
            return f"{len(self.document.chosen)} elements"
        return spoken(self.project, element_path(path))


def _field(project: Project, path: str) -> str:
    """Name a field in a step's text: 'mass', 'semi-axes'."""
    words = [w for w in place(project, path).split(" › ") if not w.isdecimal()]
    last = words[-1] if words else "value"
    return lowered(last)


def _said(failure: ProjectError, path: str) -> str:
    first = failure.problems[0]
    sentence = f"{first.sentence} {first.hint}".rstrip()
    # the form says which field it is; the sentence need not begin with its name in the file
    name = path.rsplit("/", 1)[-1]
    for quoted in (f"'{name}' ", f"'{path.rsplit('/', 2)[-2]}' " if "/" in path else ""):
        if quoted and sentence.startswith(quoted):
            rest = sentence.removeprefix(quoted)
            return rest[:1].upper() + rest[1:]
    return sentence
