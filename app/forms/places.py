"""Find what the schema says of the field that a path leads to."""

from __future__ import annotations

from typing import Any

from app.editing.shape import Shape, field_of
from app.forms.units import unit_at
from solver.injury.asked import response_unit
from solver.project import Project, ProjectError
from solver.project.changes import value_at, words_of
from solver.project.fields import Part
from solver.project.study_parts import RESPONSES, StudyParameter

_IN_STUDY = 5
"""Words of a path into an entry of a study: studies, study, list, entry, field."""


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
    return "" if shape is None else unit_in(project, path, shape.unit)


def unit_in(project: Project, path: str, own: str) -> str:
    """Give the unit of a field: its own, or what other fields lend it; in a study what is varied or asked lends it."""
    words = words_of(path)
    if own or len(words) < _IN_STUDY or words[0] != "studies":
        return unit_at(project, path, own)
    part, field = _part_at(project, "/".join(words[: _IN_STUDY - 1])), words[_IN_STUDY - 1]
    if isinstance(part, StudyParameter) and field == "spread":
        return _varied_unit(project, part, words[-1])
    if isinstance(part, RESPONSES) and field in ("at_least", "at_most"):
        return response_unit(project, part) or ""
    return unit_at(project, path, own)


def _varied_unit(project: Project, one: StudyParameter, number: str) -> str:
    """Give the unit of a number of a range or distribution."""
    if one.is_factor:
        return "1"
    unit = "" if words_of(one.path)[:1] == ["studies"] else unit_of_field(project, one.path)
    # a difference of temperatures is no temperature
    return "" if unit == "K" and number == "deviation" else unit


def _part_at(project: Project, path: str) -> Part | None:
    try:
        found: Any = value_at(project, path) if path else project
    except ProjectError:
        return None
    return found if isinstance(found, Part) else None
