"""Many elements as a table: which numbers they have, and what is written over them; no Qt."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from app.editing.shape import fields_of
from app.elements import name_of
from solver.base.words import tr
from solver.project import Project, ProjectError
from solver.project.changes import value_at, with_value
from solver.project.fields import Part

NAME = "name"
_MOST_COLUMNS, _MOST_ENTRIES, _DEEP = 120, 4, 4


@dataclass(frozen=True, slots=True)
class Column:
    """A number of each element: the path to it, what it is called, and its SI unit."""

    path: str
    title: str
    unit: str


def columns_of(project: Project, list_name: str) -> tuple[Column, ...]:
    """The name and all numbers that elements of a list have, in the order of the schema."""
    found = {NAME: Column(NAME, tr("Name"), "")}
    for item in getattr(project, list_name):
        for column in _numbers(item, "", "", 0):
            found.setdefault(column.path, column)
    return tuple(found.values())[:_MOST_COLUMNS]


def _numbers(part: Part, path: str, title: str, deep: int) -> Iterator[Column]:
    for shape in fields_of(type(part)):
        value = getattr(part, shape.name)
        there = f"{path}{shape.name}"
        words = f"{title} › {shape.label}" if title else shape.label
        if isinstance(value, bool) or shape.editor in ("rows", "matrix"):
            continue
        if shape.editor in ("number", "count", "number_or_ref", "number_or_word"):
            if isinstance(value, int | float):
                yield Column(there, words, shape.unit)
        elif shape.editor == "vector":
            for number, axis in enumerate("xyz"):
                yield Column(f"{there}/{number}", f"{words} {axis}", shape.unit)
        elif isinstance(value, Part) and deep < _DEEP:
            yield from _numbers(value, f"{there}/", words, deep + 1)
        elif isinstance(value, tuple) and value and isinstance(value[0], Part) and deep < _DEEP:
            for number, one in enumerate(value[:_MOST_ENTRIES]):
                yield from _numbers(one, f"{there}/{number}/", f"{words} {number + 1}", deep + 1)


def cell(project: Project, element: str, column: Column) -> Any:
    """What an element has in a column; None where it has nothing there."""
    try:
        value = value_at(project, f"{element}/{column.path}")
    except ProjectError:
        return None
    return value if isinstance(value, int | float | str) and not isinstance(value, bool) else None


@dataclass(frozen=True, slots=True)
class Written:
    """The project with new numbers, how many cells have changed, and why others have not, a sentence for each."""

    project: Project
    count: int
    refused: tuple[str, ...]


def written(
    project: Project,
    elements: Sequence[str],
    columns: Sequence[Column],
    rows: Sequence[Sequence[str]],
    read: Callable[[str, str], float],
    full: Callable[[float, str], str],
) -> Written:
    """Write rows of text over elements and columns, cell by cell; empty ones leave what is there.

    `read` turns a text into a number in SI by the column's unit, or raises ValueError with a sentence; `full` is
    how a number is copied: what comes back as it was copied stays as it is, to the last bit.
    """
    out, count, refused = project, 0, list[str]()
    if len(rows) > len(elements):
        refused.append(tr("{number} rows lie below the last element.", number=len(rows) - len(elements)))  # fmt: skip
    wide = max((len(row) for row in rows), default=0)
    if wide > len(columns):
        refused.append(tr("{number} columns lie beyond the last one.", number=wide - len(columns)))
    for element, row in zip(elements, rows, strict=False):
        for column, text in zip(columns, row, strict=False):
            old = cell(out, element, column)
            is_number = isinstance(old, int | float)
            if not text.strip() or (is_number and text.strip() == full(old, column.unit)):
                continue
            name = tr("{name}, {field}", name=_name(out, element), field=column.title)
            if old is None:
                refused.append(tr("{what}: it has no such number.", what=name))
                continue
            try:
                value = _value(text, old, column, read)
                if value != old:
                    out = with_value(out, f"{element}/{column.path}", value)
                    count += 1
            except ProjectError as failure:
                refused.append(tr("{what}: {why}", what=name, why=failure.problems[0].sentence))
            except ValueError as failure:
                refused.append(tr("{what}: {why}", what=name, why=str(failure)))
    return Written(out, count, tuple(refused))


def _value(text: str, old: Any, column: Column, read: Callable[[str, str], float]) -> Any:
    if isinstance(old, str):
        return text.strip()
    value = read(text, column.unit)
    return round(value) if isinstance(old, int) and value == round(value) else value


def _name(project: Project, element: str) -> str:
    return name_of(value_at(project, element))
