"""The fields that say who a person is and how large."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from typing import TypeVar

from PySide6.QtCore import QSignalBlocker

from app.forms.choices import Choice, Number
from app.widgets.sheet import Fields
from app.with_properties import with_properties
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.bodies.dimensions import ADULT_YEARS
from solver.bodies.dummies import DUMMIES, LIBRARY, called
from solver.editing.persons import WHO, Figure

_WHO: dict[str, str] = {
    "man": msgid("Man"),
    "woman": msgid("Woman"),
    "child": msgid("A child"),
    **{name: called(name) for name in (*DUMMIES, *LIBRARY)},
}
_ROUGH = 1e-6
_F = TypeVar("_F", bound=Figure)


class FigureFields:
    """Ask for a figure, in the chosen units, within what the generator knows."""

    def __init__(self, system: str) -> None:
        self._system = system
        self.who, self.size = Choice(), Choice()
        for key in WHO:
            self.who.addItem(tr(_WHO[key]), key)
        self.size.addItem("", False)
        self.size.addItem(tr("Height and weight"), True)
        self.percentile = Number(1.0, 99.0, 1.0, 0, tr("th percentile"))
        self.height, self.weight = in_units(system, "m"), in_units(system, "kg")
        self.age = Number(2.0, 20.0, 0.5, 1, f" {tr('years')}")
        self.grown = with_properties(
            Number(*ADULT_YEARS, 1.0, 0, f" {tr('years')}"),
            toolTip=tr(
                "How far joints go, by age and sex; nothing else follows from an adult's age"
            ),
        )

    def add_to(self, form: Fields) -> None:
        """Put all fields into a form."""
        for label, field in (
            (tr("Person"), self.who),
            (tr("Size by"), self.size),
            (tr("Size"), self.percentile),
            (tr("Height"), self.height),
            (tr("Weight"), self.weight),
            (tr("Age"), self.age),
            (tr("Age"), self.grown),
        ):
            form.add(label, field)

    def follow(self, told: Callable[[], object]) -> None:
        """Tell from now on of what people enter."""
        for box in (self.who, self.size):
            box.currentIndexChanged.connect(lambda _: told())
        for field in (self.percentile, self.height, self.weight, self.age, self.grown):
            field.valueChanged.connect(lambda _: told())

    def show(self, one: Figure) -> None:
        """Fill all fields, and tell nobody."""
        for box, value in ((self.who, one.who), (self.size, one.by_size)):
            with QSignalBlocker(box):
                box.setCurrentIndex(max(0, box.findData(value)))
        for field, number in (
            (self.percentile, one.percentile),
            (self.age, one.age_years),
            (self.grown, one.grown_years),
        ):
            _set(field, number)
        self._show_size(one)

    def show_rows(self, form: Fields, one: Figure) -> None:
        """Show the fields that concern it."""
        usual = tr("Median of the age") if one.who == "child" else tr("Percentile")
        if self.size.itemText(0) != usual:
            self.size.setItemText(0, usual)
        given = one.is_generated and one.by_size
        for field, visible in (
            (self.size, one.is_generated),
            (self.percentile, one.is_adult and not one.by_size),
            (self.height, given),
            (self.weight, given),
            (self.age, one.who == "child"),
            (self.grown, one.is_adult and one.spine),
        ):
            form.setRowVisible(field, visible)

    def read(self, before: _F) -> _F:
        """Give it with what the fields say; another person, or size that is given now, begins at what is usual."""
        now = replace(
            before,
            who=self.who.currentData(),
            by_size=self.size.currentData(),
            percentile=self.percentile.value(),
            age_years=self.age.value(),
            grown_years=self.grown.value(),
        )
        if not (now.is_generated and now.by_size):
            return now
        if (now.who, now.age_years, now.by_size) != (before.who, before.age_years, before.by_size):
            height, weight = now.usual
            now = replace(now, height_m=height, weight_kg=weight)
            self._show_size(now)
        return replace(
            now, height_m=self._typed(self.height, "m"), weight_kg=self._typed(self.weight, "kg")
        )

    def _show_size(self, one: Figure) -> None:
        """Show height and weight, within what such a person can have."""
        if one.is_generated:
            for field, unit, name in (
                (self.height, "m", "standing_height_m"),
                (self.weight, "kg", "weight_kg"),
            ):
                low, high = (self._shown(end, unit) for end in one.range[name])
                # rounded inwards, so that no bound is refused
                part = 10.0 ** field.decimals()
                with QSignalBlocker(field):
                    field.setRange(
                        math.ceil(low * part - _ROUGH) / part,
                        math.floor(high * part + _ROUGH) / part,
                    )
        _set(self.height, self._shown(one.height_m, "m"))
        _set(self.weight, self._shown(one.weight_kg, "kg"))

    def _shown(self, value: float, si_unit: str) -> float:
        return float(convert(value, si_unit, display_unit(si_unit, self._system)))

    def _typed(self, field: Number, si_unit: str) -> float:
        value: float = convert(field.value(), display_unit(si_unit, self._system), si_unit)
        return round(value, 6) + 0.0


def in_units(system: str, si_unit: str, low: float = 0.0, high: float = 1e4) -> Number:
    """A field in the unit that a display system has for an SI unit; bounds are SI."""
    unit = display_unit(si_unit, system)
    digits = {"mm": 0, "m": 3, "in": 2, "kg": 1, "lb": 1}.get(unit, 2)
    step = {"mm": 10.0, "m": 0.01, "in": 0.5}.get(unit, 1.0)
    return Number(
        convert(low, si_unit, unit), convert(high, si_unit, unit), step, digits, f" {pretty(unit)}"
    )


def _set(field: Number, value: float) -> None:
    with QSignalBlocker(field):
        field.setValue(value)
