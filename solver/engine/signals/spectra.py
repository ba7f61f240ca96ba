"""Spectra of signals: power spectral density, how one signal answers another, shock response.

Welch 1967 ("The use of fast Fourier transform for the estimation of power spectra"): the signal is cut
into pieces that overlap by half, each is windowed, their periodograms are averaged. One-sided: the
integral over the frequencies is the mean square about the mean. Without a window, and with pieces as
long as a period of the signal, each line is what it is and nothing leaks from one to the next.

Each mass stands on a base that moves with the signal. Its acceleration comes from the ramp-invariant
filter of Smallwood 1981 ("An improved recursive formula for calculating shock response spectra", Shock
and Vibration Bulletin 51), which is exact where the base's acceleration goes straight between samples:
with E = exp(-z w T), K = w T sqrt(1 - z^2), C = E cos K, S = E sin K / K,
y = (1 - S) a + 2 (S - C) a' + (E^2 - S) a'' + 2 C y' - E^2 y''.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.signals.series import Array, SignalError, period, series

# Spectra of signals: power spectral density, and how one signal answers another.

Window = Literal["hann", "none"]

LEAST = 8
"""Fewest samples in a piece: less says nothing about frequencies."""
PIECES = 8
"""Pieces that overlap by half, where no resolution is asked for."""


@dataclass(frozen=True, slots=True)
class Spectrum:
    """A power spectral density: `frequency` (Hz), `value` in `unit`, from so many `pieces`."""

    frequency: Array
    value: Array
    unit: str
    name: str
    pieces: int

    @property
    def resolution(self) -> float:
        """The distance between two lines (Hz)."""
        return float(self.frequency[1] - self.frequency[0])

    @property
    def peak(self) -> tuple[float, float]:
        """Give frequency (Hz) and value of the largest line."""
        at = int(np.argmax(self.value))
        return float(self.frequency[at]), float(self.value[at])

    def rms(self, low_hz: float = 0.0, high_hz: float = np.inf) -> float:
        """The root mean square that the lines between two frequencies hold, both included."""
        kept = (self.frequency >= low_hz) & (self.frequency <= high_hz)
        return float(np.sqrt(self.resolution * self.value[kept].sum()))


@dataclass(frozen=True, slots=True)
class Transfer:
    """Hold H1 of an answer over a drive: complex `value` in `unit`, and `coherence`, by `frequency` (Hz).

    H1 = S_xy / S_xx with S_xy from conj(X) Y (Bendat and Piersol): it errs where the drive is noisy,
    not where the answer is. The coherence |S_xy|^2 / (S_xx S_yy) is 1 where all of the answer comes
    from the drive; from a single piece it is 1 always.
    """

    frequency: Array
    value: Array
    coherence: Array
    unit: str
    name: str
    pieces: int

    @property
    def magnitude(self) -> Array:
        """The size of the answer to a unit of the drive."""
        return np.abs(self.value)

    @property
    def phase(self) -> Array:
        """By how much the answer comes early (rad; late below zero)."""
        return np.angle(self.value)


def psd(
    time: ArrayLike,
    value: ArrayLike,
    resolution_hz: float | None = None,
    *,
    window: Window = "hann",
    unit: str = "1",
    name: str = "",
) -> Spectrum:
    """The power spectral density by Welch's method; the mean of each piece is taken out.

    Lines are `resolution_hz` apart, or as the samples allow next to it; without one, the signal is cut
    into eight pieces that overlap by half.
    """
    from scipy.signal import welch

    t, y = series(time, value)
    step = period(t)
    n = _piece(len(t), step, resolution_hz)
    frequency, density = welch(y, 1.0 / step, **_shape(n, window))
    return Spectrum(frequency, density, squared(unit), name, _pieces(len(t), n))


def transfer(
    time: ArrayLike,
    drive: ArrayLike,
    answer: ArrayLike,
    resolution_hz: float | None = None,
    *,
    window: Window = "hann",
    unit: str = "1",
    name: str = "",
) -> Transfer:
    """Give H1 and the coherence of two signals at the same even times."""
    from scipy.signal import csd, welch

    t, x = series(time, drive)
    _, y = series(time, answer)
    step = period(t)
    n = _piece(len(t), step, resolution_hz)
    shape = _shape(n, window)
    frequency, crossed = csd(x, y, 1.0 / step, **shape)
    of_x, of_y = welch(x, 1.0 / step, **shape)[1], welch(y, 1.0 / step, **shape)[1]
    # a line that the drive does not hold says nothing about the answer
    held = of_x > 1e-24 * of_x.max()
    if not held.any():
        raise SignalError("The drive does not change; nothing answers it.")
    value = np.full(len(crossed), np.nan, complex)
    value[held] = crossed[held] / of_x[held]
    coherence = np.full(len(crossed), np.nan)
    both = held & (of_y > 0.0)
    coherence[both] = np.abs(crossed[both]) ** 2 / (of_x[both] * of_y[both])
    return Transfer(frequency, value, coherence, unit, name, _pieces(len(t), n))


def squared(unit: str) -> str:
    """Write the unit of a density of mean squares: (m/s2)^2/Hz."""
    if unit in ("", "1"):
        return "1/Hz"
    return f"{unit}^2/Hz" if unit.isalpha() else f"({unit})^2/Hz"


def over(answer: str, drive: str) -> str:
    """Write the unit of one quantity over another."""
    if answer == drive:
        return "1"
    below = "" if drive in ("", "1") else f"/{drive}" if drive.isalnum() else f"/({drive})"
    return (answer or "1") + below


def _piece(count: int, step: float, resolution_hz: float | None) -> int:
    """The samples of a piece, or say why there are too few."""
    if resolution_hz is None:
        n = 2 * count // (PIECES + 1)
        if n < LEAST:
            n = count
    else:
        if not resolution_hz > 0.0:
            raise SignalError(
                "Lines of a spectrum are more than 0 Hz apart; {resolution_hz:g} Hz is not.",
                resolution_hz=resolution_hz,
            )
        n = round(1.0 / (step * resolution_hz))
        if n > count:
            raise SignalError(
                "Lines {resolution_hz:.6g} Hz apart need {needed:.6g} s; the signal lasts {lasts:.6g} s.",
                resolution_hz=resolution_hz,
                needed=1.0 / resolution_hz,
                lasts=count * step,
            )
    if n < LEAST:
        raise SignalError(
            "A spectrum needs {least} samples in a piece or more; here are {count}.",
            least=LEAST,
            count=n,
        )
    return n


def _shape(n: int, window: Window) -> dict[str, Any]:
    if window not in ("hann", "none"):
        raise SignalError("There is no window '{window}'; there are hann and none.", window=window)
    return {
        "window": "hann" if window == "hann" else "boxcar",
        "nperseg": n,
        "noverlap": n // 2,
        "detrend": "constant",
    }


def _pieces(count: int, n: int) -> int:
    return (count - n // 2) // (n - n // 2)


# Shock response spectra: the largest absolute acceleration of masses on springs, by their frequency.

DAMPING = 0.05
"""Part of critical damping (Q = 10), the usual one of ISO 18431-4 and MIL-STD-810."""
PER_OCTAVE = 12
"""Frequencies in an octave where none are given."""
PER_CYCLE = 10
"""Samples in the shortest cycle where no frequencies are given: a peak between two of them is then missed
by 5 % at most."""


@dataclass(frozen=True, slots=True)
class ShockSpectrum:
    """The largest accelerations to either side by `frequency` (Hz): `positive`, `negative` in `unit`."""

    frequency: Array
    positive: Array
    negative: Array
    damping: float
    unit: str
    name: str

    @property
    def maximax(self) -> Array:
        """The larger of both sides."""
        return np.maximum(self.positive, self.negative)


def shock_spectrum(
    time: ArrayLike,
    value: ArrayLike,
    frequencies: ArrayLike | None = None,
    *,
    damping: float = DAMPING,
    residual: bool = False,
    unit: str = "1",
    name: str = "",
) -> ShockSpectrum:
    """The shock response spectrum of a base's acceleration; masses are at rest before it.

    Without frequencies twelve in each octave are taken, from one cycle over the signal to a tenth of
    the samples in a second. With `residual` what comes after the signal counts too: the base is held
    at zero acceleration for a cycle more.
    """
    from scipy.signal import lfilter

    t, y = series(time, value)
    step = period(t)
    f = _frequencies(len(t), step, frequencies)
    if not 0.0 <= damping < 1.0:
        raise SignalError(
            "The damping of a shock spectrum is a part of the critical one, 0 up to below 1; not {damping:g}.",
            damping=damping,
        )
    positive, negative = np.empty(len(f)), np.empty(len(f))
    for k, hz in enumerate(f):
        more = np.zeros(int(np.ceil(1.0 / (hz * step))) if residual else 0)
        forward, back = ramp_invariant(hz, damping, step)
        out = lfilter(forward, back, np.concatenate([y, more]))
        positive[k], negative[k] = max(0.0, out.max()), max(0.0, -out.min())
    return ShockSpectrum(f, positive, negative, damping, unit, name)


def ramp_invariant(frequency_hz: float, damping: float, step: float) -> tuple[Array, Array]:
    """Give Smallwood's coefficients: forward, and (1, -2 C, E^2)."""
    w = 2.0 * np.pi * frequency_hz * step
    E, K = np.exp(-damping * w), w * np.sqrt(1.0 - damping**2)
    C, S = E * np.cos(K), E * np.sin(K) / K
    return np.array([1.0 - S, 2.0 * (S - C), E**2 - S]), np.array([1.0, -2.0 * C, E**2])


def _frequencies(count: int, step: float, given: ArrayLike | None) -> Array:
    nyquist = 0.5 / step
    if given is None:
        low, high = 1.0 / (step * (count - 1)), 1.0 / (PER_CYCLE * step)
        if high <= low:
            raise SignalError(
                "A shock spectrum needs more than {least} samples; here are {count}.",
                least=PER_CYCLE,
                count=count,
            )
        octaves = int(np.floor(PER_OCTAVE * np.log2(high / low) + 1e-9))
        return np.asarray(low * 2.0 ** (np.arange(octaves + 1) / PER_OCTAVE))
    f = np.atleast_1d(np.asarray(given, float))
    if not (f.size and np.isfinite(f).all() and (f > 0.0).all()):
        raise SignalError("Frequencies of a shock spectrum are above 0 Hz.")
    if f.max() >= nyquist:
        raise SignalError(
            "{hz:.6g} Hz is not below half of the {rate:.6g} samples in a second; a shock spectrum ends there.",
            hz=float(f.max()),
            rate=2.0 * nyquist,
        )
    return f
