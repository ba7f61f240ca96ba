"""Write what differs between two models: fields in the words of the field, values with units."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from app import texts
from app.editing.shape import Shape, word_label
from app.elements import element_label, kind_word, place
from app.forms.places import shape_at, unit_of_field
from app.forms.units import Units
from solver.base.words import plural, tr
from solver.injury.figures import change_text
from solver.project import LISTS, Project
from solver.project.fields import Part
from solver.project.paths import differences

_ELEMENT = "{place} ({kind})"

_FEW = 6
"""So many numbers are written out; of more, how many there are and between what they lie."""
_LONGEST = 80


@dataclass(frozen=True, slots=True)
class Differing:
    """One line: where, the values in both models, how far apart, and the path."""

    path: str
    where: str
    before: str
    after: str
    change: str = ""


def differing(before: Project, after: Project, units: Units) -> list[Differing]:
    """List the fields of two models that differ, in the order of the document."""
    out = []
    for one in differences(before, after):
        first, second = (
            _words(project, one.path, value, units)
            for project, value in ((before, one.before), (after, one.after))
        )
        if first == second:
            first, second = (
                _words(project, one.path, value, units, digits=15)
                for project, value in ((before, one.before), (after, one.after))
            )
        holder = after if one.after is not None else before
        change = _change(after, one.path, one.before, one.after, units)
        out.append(Differing(one.path, _where(holder, one.path), first, second, change))
    return out


def _where(project: Project, path: str) -> str:
    words = path.split("/")
    if words[0] in LISTS and len(words) == 2:
        return _ELEMENT.format(place=place(project, path), kind=kind_word(path))
    return place(project, path)


def _words(project: Project, path: str, value: Any, units: Units, digits: int = 0) -> str:
    """Write a value as people read it."""
    if value is None:
        return tr("not there")
    if isinstance(value, Part):
        kind = word_label(value.kind) if hasattr(value, "kind") else ""
        return kind or "there"
    if isinstance(value, bool):
        return tr(texts.words.YES) if value else tr(texts.words.NO)
    shape, unit = shape_at(project, path), unit_of_field(project, path)
    if isinstance(value, int | float):
        written = f"{units.shown(value, unit):.{digits}g}" if digits else units.short(value, unit)
        return units.with_unit(written, unit)
    if isinstance(value, tuple):
        return _several(project, shape, value, units, unit, digits)
    return _text(project, shape, str(value)) or tr(texts.words.NONE)


def _several(
    project: Project, shape: Shape | None, value: tuple[Any, ...], units: Units, unit: str, digits: int
) -> str:  # fmt: skip
    if not value or isinstance(value[0], str):
        named = ", ".join(_text(project, shape, one) for one in value)
        return _shortened(named) or tr(texts.words.NONE)
    numbers = np.ravel(np.asarray(value, float))
    if len(numbers) > _FEW:
        low, high = (units.short(float(end), unit) for end in (numbers.min(), numbers.max()))
        words = plural(
            "{n} number from {low} to {high}",
            "{n} numbers from {low} to {high}",
            len(numbers),
            low=low,
            high=high,
        )
        return units.with_unit(words, unit)
    written = (
        f"{units.shown(float(one), unit):.{digits}g}" if digits else units.short(float(one), unit)
        for one in numbers
    )
    return units.with_unit(", ".join(written), unit)


def _text(project: Project, shape: Shape | None, value: str) -> str:
    if shape is not None and shape.target:
        return element_label(project, f"{shape.target}/{value}")
    return word_label(value) if shape is not None and shape.choices else _shortened(value)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _LONGEST else f"{line[: _LONGEST - 1]}…"


def _change(project: Project, path: str, before: Any, after: Any, units: Units) -> str:
    """Say how far two values are apart: of a number in percent, of several the farthest."""
    if not _is_numeric(before) or not _is_numeric(after):
        return ""
    unit = unit_of_field(project, path)
    if isinstance(before, int | float) and isinstance(after, int | float):
        return changed_by(float(before), float(after)) or _apart(after - before, units, unit)
    old, new = (np.ravel(np.asarray(one, float)) for one in (before, after))
    if old.shape != new.shape:
        return ""
    apart = new - old
    farthest = float(apart[int(np.argmax(np.abs(apart)))])
    count = int(np.count_nonzero(apart))
    words = _apart(farthest, units, unit)
    return words if count == 1 else tr("at most {change}", change=words)


def _is_numeric(value: Any) -> bool:
    if isinstance(value, tuple):
        return bool(value) and all(_is_numeric(one) for one in value)
    return isinstance(value, int | float) and not isinstance(value, bool)


def _apart(difference: float, units: Units, unit: str) -> str:
    sign = "+" if difference > 0.0 else ""
    return units.with_unit(f"{sign}{units.short(difference, unit)}", unit)


def changed_by(before: float, after: float) -> str:
    """Write a change in percent; nothing where that says nothing: from zero, or to the other side."""
    if before == after:
        return tr(texts.words.SAME)
    if before == 0.0 or before * after < 0.0 or not np.isfinite(after / before):
        return ""
    return change_text(after / before - 1.0)
