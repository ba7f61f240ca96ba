"""Spectra of signals: power spectral density, and how one signal answers another.

Welch 1967 ("The use of fast Fourier transform for the estimation of power spectra"): the signal is cut
into pieces that overlap by half, each is windowed, their periodograms are averaged. One-sided: the
integral over the frequencies is the mean square about the mean. Without a window, and with pieces as
long as a period of the signal, each line is what it is and nothing leaks from one to the next.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.signals.errors import SignalError
from solver.engine.signals.series import Array, period, series

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
