"""Say what a curve shows and fetch its values, in the units that people read."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace

import numpy as np

from solver.base.units import convert, display_unit
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.engine.signals.errors import SignalError
from solver.project import Project
from solver.results import ResultsError
from solver.results.layout import said
from solver.results.quantities import Quantities
from solver.results.spoken import spoken_name

NOISE = 1e-12
"""Part of a peak below which a value is what rounding leaves."""
CLASSES = (0, 60, 180, 600, 1000)
"""Filter classes that people choose from; 0 is none."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """Name a quantity to draw; `cfc` None filters a channel by its own class, 0 not at all."""

    name: str
    cfc: int | None = None

    def filtered(self, cfc: int | None) -> Wanted:
        """Give the same quantity with another filter."""
        return replace(self, cfc=cfc)


@dataclass(frozen=True, slots=True)
class Happening:
    """Hold an instant (ms) and what happened there."""

    time_ms: float
    words: str


@dataclass(frozen=True, slots=True)
class Curve:
    """Hold a curve ready to draw: time in ms, values in the unit that is shown."""

    wanted: Wanted
    label: str
    unit: str
    time_ms: Array
    value: Array
    quantity: str = ""
    """What is measured, in a word or two: 'tension'."""

    @property
    def end_s(self) -> float:
        """Give its last instant (s)."""
        return 1e-3 * float(self.time_ms[-1]) if len(self.time_ms) else 0.0

    def at(self, t: float) -> float:
        """Give the value at an instant (s)."""
        if not len(self.time_ms):
            return float("nan")
        return float(np.interp(1e3 * t, self.time_ms, self.value))

    def over(self, across: Curve) -> tuple[Array, Array]:
        """Give values across and up at the times of the finer of the two."""
        t = self.time_ms if len(self.time_ms) >= len(across.time_ms) else across.time_ms
        return (
            np.interp(t, across.time_ms, across.value),
            np.interp(t, self.time_ms, self.value),
        )

    def peak(self) -> tuple[float, float]:
        """Give the value farthest from zero, and when (ms)."""
        if np.isnan(self.value).all():
            return float("nan"), float("nan")
        n = int(np.nanargmax(np.abs(self.value)))
        return float(self.value[n]), float(self.time_ms[n])


def curve(project: Project, quantities: Quantities, wanted: Wanted, system: str) -> Curve:
    """Fetch a curve; ResultsError says why there is none."""
    channel = quantities(wanted.name)
    try:
        channel = channel.filtered(wanted.cfc)
    except SignalError as refusal:
        if wanted.cfc is not None:
            raise ResultsError(str(refusal)) from None
    unit = display_unit(channel.unit, system)
    values = np.asarray(convert(np.asarray(channel.value, float), channel.unit, unit))
    label = spoken_name(project, wanted.name)
    if channel.filtered_to:
        label += " " + tr("(CFC {cfc})", cfc=channel.filtered_to)
    time_ms = 1e3 * np.asarray(channel.time)
    return Curve(wanted, label, unit, time_ms, values, said(channel.quantity))


def measured(text: str, names: Container[str]) -> list[str]:
    """Give the channels that an injury figure names: the resultant of 'head_x, _y, _z' if recorded."""
    first, *ends = text.split(", ")
    stem = first[: -len(ends[0])] if ends else first
    resultant = f"{stem}_resultant"
    if ends and resultant in names:
        return [resultant]
    return [name for name in (first, *(stem + end for end in ends)) if name in names]


def number(value: float) -> str:
    """Write a number with four significant digits."""
    return "–" if not np.isfinite(value) else f"{value:.4g}"


def numbers(curves: Sequence[Curve], t: float) -> str:
    """Write what several curves of one kind are at an instant (s); what is rounding beside their peaks is zero."""
    noise = NOISE * max((abs(one.peak()[0]) for one in curves), default=0.0)
    values = (one.at(t) for one in curves)
    return ", ".join(number(0.0 if abs(value) <= noise else value) for value in values)
