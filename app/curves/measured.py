"""Curves of tests beside those of runs: read from files, drawn with their corridors, and rated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.curves.curves import Curve, Wanted
from solver.base.units import convert, display_unit, pretty
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.engine.signals import Rating, SignalError, rating
from solver.engine.signals.rating import corridors
from solver.results.mme_reading import read_mme_channel


@dataclass(frozen=True, slots=True, eq=False)
class Measured:
    """Hold a curve of a test: times (s), values in an SI unit."""

    name: str
    unit: str
    time: Array
    value: Array

    def curve(self, system: str) -> Curve:
        """Give the curve in the units that are shown."""
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
        """Give both edges in the units that are shown."""
        lower, upper = (
            Measured(self.name, self.unit, self.time, edge).curve(system)
            for edge in (self.lower, self.upper)
        )
        return lower, upper


def kept(curve: Curve, edges: tuple[Curve, Curve]) -> str:
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


def from_mme(file: Path) -> Measured:
    """Read a channel of an ISO-MME test; ResultsError says why not."""
    channel = read_mme_channel(file)
    return Measured(channel.name, channel.unit, channel.time, channel.value)


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
