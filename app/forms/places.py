"""Find what the schema says of the field that a path leads to."""

from __future__ import annotations

from typing import Any

from app.editing.shape import Shape, field_of
from app.forms.units import unit_at
from solver.project import Project, ProjectError
from solver.project.changes import value_at, words_of
from solver.project.fields import Part


def holder_of(project: Project, path: str) -> tuple[Part | None, str]:
    """Give the part that holds the field that a path leads to, or into, and the field's name."""
    words = words_of(path)
    for end in range(len(words), 0, -1):
        holder = _part_at(project, "/".join(words[: end - 1]))
        if holder is not None:
            name = words[end - 1]
            return (holder, name) if name in type(holder).model_fields else (None, "")
    return None, ""


def shape_at(project: Project, path: str) -> Shape | None:
    """Give the shape of the field that a path leads to, or into; None for whole elements."""
    holder, name = holder_of(project, path)
    return None if holder is None else field_of(type(holder), name)


def unit_of_field(project: Project, path: str) -> str:
    """Give the SI unit of the numbers that a path leads to."""
    shape = shape_at(project, path)
    return "" if shape is None else unit_at(project, path, shape.unit)


def _part_at(project: Project, path: str) -> Part | None:
    try:
        found: Any = value_at(project, path) if path else project
    except ProjectError:
        return None
    return found if isinstance(found, Part) else None
