"""Choose how far a slider goes and in what steps; no Qt in here."""

from __future__ import annotations

import math
from dataclasses import dataclass

from app import texts
from app.elements import place
from app.forms.places import holder_of, shape_at, unit_of_field
from app.forms.units import Units
from solver.base.words import tr
from solver.project import Project, ProjectError
from solver.project.changes import value_at
from solver.project.describe import limits

_STEPS = 200
"""A slider has about so many places."""
_AROUND: dict[str, float] = {"m": 0.1, "rad": math.radians(15.0), "s": 0.02, "m/s": 2.0}
"""How far to both sides of a value that has no sign of its own, by SI unit."""


@dataclass(frozen=True, slots=True)
class Pin:
    """Hold a field with a slider: its path, the ends of the slider and where it stood (SI)."""

    path: str
    low: float
    high: float
    first: float


def number_at(project: Project, path: str) -> float | None:
    """Give the number that stands at a path; none where there is no such number."""
    try:
        value = value_at(project, path)
    except ProjectError:
        return None
    if isinstance(value, bool) or not isinstance(value, int | float):
        return None
    return float(value)


def is_whole(project: Project, path: str) -> bool:
    """Tell whether a field takes whole numbers alone."""
    shape = shape_at(project, path)
    return shape is not None and shape.editor == "count"


def pin(project: Project, path: str, units: Units) -> Pin | None:
    """Give a slider for a field, with ends that suit its value; none where it is no number."""
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
    """Give a step (SI) that reads well in the units that are shown."""
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
    """Give the nearest of 1, 2 and 5 times a power of ten."""
    power = 10.0 ** math.floor(math.log10(number))
    return power * min((1.0, 2.0, 5.0, 10.0), key=lambda one: abs(math.log(one * power / number)))
