"""Sort problems: gravest first, then in the order of the document."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from solver.project.document import Project
from solver.project.fields import Part
from solver.project.problems import Problem

GRAVE = {"error": 0, "warning": 1, "note": 2}


def in_order(project: Project, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Sort problems by severity and by where they stand."""
    finder = _Places(project)
    return tuple(sorted(problems, key=lambda one: (GRAVE[one.severity], finder.place(one.path))))


class _Places:
    """Turn paths into positions in the document; lists are looked through once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._numbers: dict[int, dict[str, int]] = {}
        self._fields: dict[type[Part], dict[str, int]] = {}

    def place(self, path: str) -> tuple[int, ...]:
        """Give the position of each word of a path among its neighbours."""
        out: list[int] = []
        here: Any = self._project
        for word in path.split("/") if path else ():
            if isinstance(here, Part):
                number = self._field_numbers(type(here)).get(word, -1)
                here = getattr(here, word, None)
            elif isinstance(here, tuple):
                number = self._item_numbers(here).get(word, -1)
                here = here[number] if number >= 0 else None
            else:
                number = -1
            out.append(number)
        return tuple(out)

    def _field_numbers(self, model: type[Part]) -> dict[str, int]:
        if model not in self._fields:
            self._fields[model] = {name: i for i, name in enumerate(model.model_fields)}
        return self._fields[model]

    def _item_numbers(self, items: tuple[Any, ...]) -> dict[str, int]:
        if id(items) not in self._numbers:
            numbers: dict[str, int] = {}
            for i, item in enumerate(items):
                numbers.setdefault(str(getattr(item, "id", i)), i)
            self._numbers[id(items)] = numbers
        return self._numbers[id(items)]
