"""Find what the schema says of the field that a path leads to."""

from __future__ import annotations

from typing import Any

from app.forms.shape import Shape, fields_of
from app.forms.units import unit_at
from solver.project import Project, ProjectError
from solver.project.changes import value_at, words_of
from solver.project.fields import Part


def shape_at(project: Project, path: str) -> Shape | None:
    """Give the shape of the field that a path leads to, or into; None for whole elements."""
    words = words_of(path)
    for end in range(len(words), 0, -1):
        holder = _part_at(project, "/".join(words[: end - 1]))
        if holder is not None:
            found = [s for s in fields_of(type(holder)) if s.name == words[end - 1]]
            return found[0] if found else None
    return None


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
