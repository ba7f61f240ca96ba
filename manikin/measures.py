"""What can be measured on a curve: spectra, peaks and damping, amplitudes, ride and vibration."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Self

import numpy as np

from solver.base.units import UnitError, convert
from solver.engine import signals
from solver.engine.signals import (
    Amplitudes,
    Oscillation,
    Peaks,
    Rating,
    Ride,
    SignalError,
    Spectrum,
    TotalRide,
)
from solver.injury import Measure, hic
from solver.results import Channel

if TYPE_CHECKING:
    from manikin.schema.numbers import Numbers
    from solver.engine.signals import ShockSpectrum, Transfer, Window


@dataclass(frozen=True, slots=True)
class Measured(Channel):
    """Hold samples over time and measure them (docs/signals.md); SignalError says what they lack."""

    def between(self, begin_s: float, end_s: float) -> Self:
        """The part between two times, both included."""
        kept = (self.time >= begin_s) & (self.time <= end_s)
        if not kept.any():
            raise SignalError(
                "'{name}' has no samples from {begin_s:g} to {end_s:g} s.",
                name=self.name,
                begin_s=begin_s,
                end_s=end_s,
            )
        parts = tuple(part[kept] for part in self.components)
        return replace(self, time=self.time[kept], value=self.value[kept], components=parts)

    def rated(self, test: Channel) -> Rating:
        """Say how well it agrees with a curve of a test, by ISO/TS 18571 (docs/outputs.md); filter both alike before."""
        if test.unit != self.unit:
            raise SignalError("'{name}' is in {unit}, the test in {other}.", name=self.name, unit=self.unit, other=test.unit)  # fmt: skip
        return signals.rating(self.time, self.value, test.time, test.value)

    def hic(self, window_s: float | None = 0.036) -> Measure:
        """Give the head injury criterion of a resultant acceleration, in windows up to so long (s; None: any), and between which times it is.

        >>> run = mk.run(mk.sample("sled"), until=0.08)
        >>> found = run["head_acceleration_resultant"].filtered(1000).hic(0.015)
        >>> bool(abs(found.value - run.injury["HIC15"].value) < 1e-6)
        True
        """
        try:
            value = convert(self.value, self.unit, "g")
        except UnitError:
            raise SignalError("'{name}' is in {unit}; this is for an acceleration.", name=self.name, unit=self.unit) from None  # fmt: skip
        return hic(self.time, value, window_s)

    def psd(self, resolution_hz: float | None = None, *, window: Window = "hann") -> Spectrum:
        """The power spectral density by Welch's method.

        >>> run = mk.run(mk.sample("double_pendulum"), until=0.5)
        >>> found = run["segments/lower/velocity/x"].psd(resolution_hz=2)
        >>> found.unit, found.resolution
        ('(m/s)^2/Hz', 2.0)
        """
        return signals.psd(
            self.time, self.value, resolution_hz, window=window, unit=self.unit, name=self.name
        )

    def h1(
        self, drive: Channel, resolution_hz: float | None = None, *, window: Window = "hann"
    ) -> Transfer:
        """Give H1 of this curve over one that drives it, with the coherence; both at the same times."""
        if len(drive.time) != len(self.time) or (drive.time != self.time).any():
            raise SignalError(
                "'{name}' and '{drive}' have different times; sample them alike first.",
                name=self.name,
                drive=drive.name,
            )
        return signals.transfer(
            self.time,
            drive.value,
            self.value,
            resolution_hz,
            window=window,
            unit=signals.over(self.unit, drive.unit),
            name=f"{self.name} / {drive.name}",
        )

    def srs(
        self,
        frequencies_hz: Numbers | None = None,
        *,
        damping: float = 0.05,
        residual: bool = False,
    ) -> ShockSpectrum:
        """The shock response spectrum of an acceleration: absolute acceleration by frequency."""
        return signals.shock_spectrum(
            self.time,
            self.value,
            frequencies_hz,
            damping=damping,
            residual=residual,
            unit=self.unit,
            name=self.name,
        )

    def peaks(self, *, up: bool = True, prominence: float | None = None) -> Peaks:
        """The tops (or bottoms) that stand out by a prominence; 2 % of the range if none is given."""
        return signals.peaks(self.time, self.value, up=up, prominence=prominence)

    def oscillation(
        self, cycles: int | None = None, *, prominence: float | None = None
    ) -> Oscillation:
        """Give frequency, logarithmic decrement and damping by the peaks, over so many cycles or all."""
        return signals.oscillation(self.time, self.value, cycles=cycles, prominence=prominence)

    def amplitudes(self, bins: int = 50) -> Amplitudes:
        """How often it has which value: density, distribution, moments, crest factor."""
        return signals.amplitudes(self.time, self.value, bins=bins, unit=self.unit, name=self.name)

    def weighted(self, weighting: str) -> Self:
        """Give it weighted by ISO 2631-1: Wk, Wd, Wf, Wc, We or Wj."""
        value = signals.weighted(self.time, self.value, weighting)
        return replace(self, value=value, components=())

    def ride(self, weighting: str, begin_s: float = -np.inf, end_s: float = np.inf) -> Ride:
        """Give r.m.s., MTVV, VDV and crest factor of an acceleration under a weighting of ISO 2631-1.

        All of it is weighted, and what lies between two times is measured.
        """
        span = (begin_s, end_s)
        return signals.ride(self.time, self.value, weighting, span, unit=self.unit, name=self.name)


def total_ride(
    place: str,
    x: Channel,
    y: Channel,
    z: Channel,
    begin_s: float = -np.inf,
    end_s: float = np.inf,
) -> TotalRide:
    """Give what three accelerations of a place make together under ISO 2631-1, with its factors k.

    Places are seat, seat-health, seat-turning, back, feet and standing.
    """
    axes = [(one.time, one.value, one.unit, one.name) for one in (x, y, z)]
    return signals.total_ride(place, axes, (begin_s, end_s))
