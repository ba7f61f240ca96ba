"""Curves of tests beside those of runs: read from files, drawn with their corridors, and rated."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np

from app.plots.curves import Curve, Wanted
from solver.maths.rotation import Array
from solver.results.mme_reading import read_mme_channel
from solver.signals import Rating, SignalError, rating
from solver.signals.rating import corridors
from solver.units import convert, display_unit


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
    when = f", {abs(late):.1f} ms {'late' if late > 0.0 else 'early'}" if late else ""
    return found, (
        f"{found.whole:.2f} {found.grade} (corridor {found.corridor:.2f}, phase {found.phase:.2f}, "
        f"magnitude {found.magnitude:.2f}, slope {found.slope:.2f}{when})"
    )
