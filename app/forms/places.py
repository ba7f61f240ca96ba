"""What the schema says of the field that a path leads to, and how far a slider goes there; no Qt in here."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

from app import texts
from app.editing.shape import Shape, field_of
from app.elements import place
from app.forms.units import Units, unit_at
from solver.base.words import tr
from solver.injury.assess import response_unit
from solver.project import Project, ProjectError
from solver.project.changes import value_at, words_of
from solver.project.fields import Part
from solver.project.schema import limits
from solver.project.study_parts import RESPONSES, StudyParameter

_IN_STUDY = 5
"""Words of a path into an entry of a study: studies, study, list, entry, field."""


def holder_of(project: Project, path: str) -> tuple[Part | None, str]:
    """The part that holds the field that a path leads to, or into, and the field's name."""
    words = words_of(path)
    for end in range(len(words), 0, -1):
        holder = _part_at(project, "/".join(words[: end - 1]))
        if holder is not None:
            name = words[end - 1]
            return (holder, name) if name in type(holder).model_fields else (None, "")
    return None, ""


def shape_at(project: Project, path: str) -> Shape | None:
    """The shape of the field that a path leads to, or into; None for whole elements."""
    holder, name = holder_of(project, path)
    return None if holder is None else field_of(type(holder), name)


def unit_of_field(project: Project, path: str) -> str:
    """The SI unit of the numbers that a path leads to."""
    shape = shape_at(project, path)
    return "" if shape is None else unit_in(project, path, shape.unit)


def unit_in(project: Project, path: str, own: str) -> str:
    """The unit of a field: its own, or what other fields lend it; in a study what is varied or asked lends it."""
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
    """The unit of a number of a range or distribution."""
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


_STEPS = 200
"""A slider has about so many places."""
_AROUND: dict[str, float] = {"m": 0.1, "rad": math.radians(15.0), "s": 0.02, "m/s": 2.0}
"""How far to both sides of a value that has no sign of its own, by SI unit."""


@dataclass(frozen=True, slots=True)
class Pin:
    """A field with a slider: its path, the ends of the slider and where it stood (SI)."""

    path: str
    low: float
    high: float
    first: float


def number_at(project: Project, path: str) -> float | None:
    """The number that stands at a path; none where there is no such number."""
    try:
        value = value_at(project, path)
    except ProjectError:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def is_whole(project: Project, path: str) -> bool:
    """Whether a field takes whole numbers alone."""
    shape = shape_at(project, path)
    return shape is not None and shape.editor == "count"


def pin(project: Project, path: str, units: Units) -> Pin | None:
    """A slider for a field, with ends that suit its value; none where it is no number."""
    value = number_at(project, path)
    if value is None:
        return None
    low, high = _span(project, path, value)
    least, most = bounds(project, path)
    unit = unit_of_field(project, path)
    coarse = units.from_shown(
        _nice((units.shown(high, unit) - units.shown(low, unit)) / 10.0), unit
    )
    low, high = coarse * math.floor(low / coarse + 1e-9), coarse * math.ceil(high / coarse - 1e-9)
    low, high = max(low, least), min(high, most)
    return Pin(path, min(low, value), max(high, value), value)


def bounds(project: Project, path: str) -> tuple[float, float]:
    """Give between what the schema wants a field (SI)."""
    holder, name = holder_of(project, path)
    return (-math.inf, math.inf) if holder is None else limits(type(holder).model_fields[name])


def step(found: Pin, unit: str, units: Units, whole: bool) -> float:
    """A step (SI) that reads well in the units that are shown."""
    if whole:
        return 1.0
    wide = units.shown(found.high, unit) - units.shown(found.low, unit)
    return units.from_shown(_nice(max(wide, 1e-12) / _STEPS), unit)


def words(project: Project, path: str) -> str:
    """Name a field: 'Driver bag › Trigger › Time', 'Anchor A › Position x'."""
    holder, _, last = path.rpartition("/")
    shape = shape_at(project, path)
    if shape is None or shape.editor != "vector" or not last.isdecimal():
        return place(project, path)
    axes = [tr(a) for a in texts.words.ANGLES] if shape.unit == "rad" else texts.words.AXES
    return f"{place(project, holder)} {axes[int(last) % 3]}"


def _span(project: Project, path: str, value: float) -> tuple[float, float]:
    least, most = bounds(project, path)
    unit = unit_of_field(project, path)
    has_sign = least >= 0.0 or unit not in _AROUND
    if value and has_sign:
        ends = (0.5 * value, 2.0 * value)
        return min(ends), max(ends)
    if math.isfinite(least) and math.isfinite(most) and unit in ("", "1"):
        return least, most
    around = _AROUND.get(unit, 1.0)
    return value - around, value + around


def _nice(number: float) -> float:
    """The nearest of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(number))
    return power * min((1.0, 2.0, 5.0, 10.0), key=lambda one: abs(math.log(one * power / number)))
