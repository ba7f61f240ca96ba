"""What a curve shows and its values in people's units; curves of tests beside it; how far several runs lie apart."""

from __future__ import annotations

from collections.abc import Container, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

import numpy as np

from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, plural, tr
from solver.engine.maths.rotation import Array
from solver.engine.signals import Rating, rating
from solver.engine.signals.rating import corridors
from solver.engine.signals.series import SignalError
from solver.project import Project
from solver.results import ResultsError
from solver.results.layout import layout_label
from solver.results.names import quantity_label
from solver.results.quantities import Quantities

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
    """An instant (ms) and what happened there."""

    time_ms: float
    words: str


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve ready to draw: time in ms, values in the unit that is shown."""

    wanted: Wanted
    label: str
    unit: str
    time_ms: Array
    value: Array
    quantity: str = ""
    """What is measured, in a word or two: 'tension'."""
    run: str = ""
    """The run that it is of, where curves of several are drawn."""

    @property
    def end_s(self) -> float:
        """Give its last instant (s)."""
        return 1e-3 * float(self.time_ms[-1]) if len(self.time_ms) else 0.0

    def at(self, t: float) -> float:
        """The value at an instant (s)."""
        if not len(self.time_ms):
            return float("nan")
        return float(np.interp(1e3 * t, self.time_ms, self.value))

    def over(self, across: Curve) -> tuple[Array, Array]:
        """Values across and up at the times of the finer of the two."""
        t = self.time_ms if len(self.time_ms) >= len(across.time_ms) else across.time_ms
        return (
            np.interp(t, across.time_ms, across.value),
            np.interp(t, self.time_ms, self.value),
        )

    def peak(self) -> tuple[float, float]:
        """The value farthest from zero, and when (ms)."""
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
    label = quantity_label(project, wanted.name)
    if channel.filtered_to:
        label += " " + tr("(CFC {cfc})", cfc=channel.filtered_to)
    time_ms = 1e3 * np.asarray(channel.time)
    return Curve(wanted, label, unit, time_ms, values, layout_label(channel.quantity))


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


def heard(plot: Any, curves: Sequence[Curve], ratings: Sequence[str]) -> None:
    """Tell screen readers what a plot shows, how high each curve goes, and how well it agrees with tests."""
    labels = [one.label for one in curves]
    name = tr("Plot of {what}", what=labels[0]) if len(labels) == 1 else plural("Plot of {n} curve", "Plot of {n} curves", len(labels))  # fmt: skip
    peaks = list[str]()
    for one in curves:
        peak, ms = one.peak()
        value = f"{number(peak)} {pretty(one.unit)}"
        peaks.append(tr("{name}: peak {value} at {ms:.1f} ms", name=one.label, value=value, ms=ms))
    plot.setAccessibleName(name)
    plot.setAccessibleDescription("; ".join((*peaks, *ratings)))


def numbers(curves: Sequence[Curve], t: float) -> str:
    """Write what several curves of one kind are at an instant (s); what is rounding beside their peaks is zero."""
    noise = NOISE * max((abs(one.peak()[0]) for one in curves), default=0.0)
    values = (one.at(t) for one in curves)
    return ", ".join(number(0.0 if abs(value) <= noise else value) for value in values)


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """A curve of a test: times (s), values in an SI unit."""

    name: str
    unit: str
    time: Array
    value: Array

    def curve(self, system: str) -> Curve:
        """The curve in the units that are shown."""
        unit = display_unit(self.unit, system)
        value = np.asarray(convert(self.value, self.unit, unit))
        return Curve(Wanted(f"test:{self.name}"), self.name, unit, 1e3 * self.time, value)


@dataclass(frozen=True, slots=True, eq=False)
class Corridor:
    """Hold limits from tests or a standard: times (s), lower and upper values in an SI unit."""

    name: str
    unit: str
    time: Array
    lower: Array
    upper: Array

    def edges(self, system: str) -> tuple[Curve, Curve]:
        """Both edges in the units that are shown."""
        lower, upper = (
            Measured(self.name, self.unit, self.time, edge).curve(system)
            for edge in (self.lower, self.upper)
        )
        return lower, upper


def corridor_text(curve: Curve, edges: tuple[Curve, Curve]) -> str:
    """Say for how much of the corridor's time a curve stays inside, and where it is farthest out."""
    lower = edges[0]
    inside = (curve.time_ms >= lower.time_ms[0]) & (curve.time_ms <= lower.time_ms[-1])
    t, y = curve.time_ms[inside], curve.value[inside]
    if len(t) < 2:
        return tr("the curve and the corridor share no time")
    low, high = (np.interp(t, lower.time_ms, edge.value) for edge in edges)
    out = np.maximum(low - y, y - high)
    worst = int(np.argmax(out))
    if out[worst] <= 0.0:
        return tr("inside throughout")
    share = float(np.trapezoid((out <= 0.0).astype(float), t) / (t[-1] - t[0]))
    unit = pretty(curve.unit)
    return tr(
        "inside for {share:.3g} % of the time, {out:.3g} {unit} out at {ms:.1f} ms",
        share=100.0 * share,
        out=out[worst],
        unit=unit,
        ms=t[worst],
    )


def bands(test: Curve) -> list[tuple[Array, Array]]:
    """Give lower and upper edge of the inner and of the outer corridor of ISO/TS 18571."""
    return [(test.value - half, test.value + half) for half in corridors(test.value)]


def rated(curve: Curve, test: Curve) -> tuple[Rating | None, str]:
    """Rate a curve against a test, and say it in words; the reason where that cannot be."""
    try:
        found = rating(1e-3 * curve.time_ms, curve.value, 1e-3 * test.time_ms, test.value)
    except SignalError as refusal:
        return None, str(refusal)
    late = 1e3 * found.late_s
    shift = msgid(", {ms:.1f} ms late") if late > 0.0 else msgid(", {ms:.1f} ms early")
    when = tr(shift, ms=abs(late)) if late else ""
    return found, tr(
        "{whole:.2f} {grade} (corridor {corridor:.2f}, phase {phase:.2f}, "
        "magnitude {magnitude:.2f}, slope {slope:.2f}{when})",
        whole=found.whole,
        grade=found.grade,
        corridor=found.corridor,
        phase=found.phase,
        magnitude=found.magnitude,
        slope=found.slope,
        when=when,
    )


Kind = Literal["lines", "range", "deviation"]
"""How other runs are drawn beside the current one: each dashed, or all together as a band."""


@dataclass(frozen=True, slots=True)
class Spread:
    """A band over time (ms) of one quantity of several runs, and what lies in the middle of it."""

    wanted: Wanted
    unit: str
    time_ms: Array
    low: Array
    high: Array
    middle: Array
    words: str


def spread(curves: Sequence[Curve], kind: Kind) -> Spread | None:
    """The band of one quantity's curves, for the time that all of them share; None of fewer than two.

    The deviation is that of a sample, with n - 1.
    """
    comparable = [one for one in curves if len(one.time_ms) > 1 and one.unit == curves[0].unit]
    if len(comparable) < 2 or kind == "lines":
        return None
    start = max(float(one.time_ms[0]) for one in comparable)
    end = min(float(one.time_ms[-1]) for one in comparable)
    finest = max(comparable, key=lambda one: len(one.time_ms)).time_ms
    time = finest[(finest >= start) & (finest <= end)]
    if len(time) < 2:
        return None
    values = np.stack([np.interp(time, one.time_ms, one.value) for one in comparable])
    if kind == "range":
        low, high = values.min(axis=0), values.max(axis=0)
        words = tr("band: lowest to highest of {n} runs", n=len(comparable))
    else:
        mean, off = values.mean(axis=0), values.std(axis=0, ddof=1)
        low, high = mean - off, mean + off
        words = tr("band: mean ± one standard deviation of {n} runs", n=len(comparable))
    return Spread(
        comparable[0].wanted, comparable[0].unit, time, low, high, values.mean(axis=0), words
    )
