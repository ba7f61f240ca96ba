"""Peaks of a signal, and what they tell of an oscillation: frequency, decrement, damping; amplitudes.

The top of a peak is that of the parabola through its three highest samples. Swings, from each extreme
to the next, do not feel where the middle lies: under viscous damping they shrink by exp(-decrement / 2)
each. Their logarithms are fitted by a straight line, so that every swing counts.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.signals.series import Array, SignalError, period, series

PROMINENCE = 0.02
"""Part of the signal's range by which a peak must stand out, where nothing is said; *assumed*."""
BINS = 50


@dataclass(frozen=True, slots=True)
class Peaks:
    """The tops (`up`) or bottoms of a signal: `time` (s) and `value`."""

    time: Array
    value: Array
    up: bool

    def __len__(self) -> int:
        return len(self.time)


@dataclass(frozen=True, slots=True)
class Oscillation:
    """What peaks tell: `frequency` (Hz) over so many `cycles`, and the loss of swing in each.

    `decrement` is the logarithmic one, ln(x_n / x_n+1) for peaks a cycle apart; `damping` the part of
    critical damping that goes with it, d / sqrt(4 pi^2 + d^2). Both are none where friction or growth
    leaves no line to fit: fewer than three extremes.
    """

    frequency: float
    cycles: int
    first: float
    last: float
    decrement: float | None
    damping: float | None


@dataclass(frozen=True, slots=True)
class Amplitudes:
    """How often a signal has which value: `density` between `edges`, and the `distribution` at them.

    The density's integral is 1; the distribution at an edge is the part of samples below it. `crest` is
    the largest distance from the mean over the standard deviation.
    """

    edges: Array
    density: Array
    distribution: Array
    mean: float
    deviation: float
    skewness: float
    kurtosis: float
    crest: float
    rms: float
    unit: str
    name: str


def peaks(
    time: ArrayLike, value: ArrayLike, *, up: bool = True, prominence: float | None = None
) -> Peaks:
    """The tops of a signal, or its bottoms, that stand out by a prominence (in its unit)."""
    from scipy.signal import find_peaks

    t, y = series(time, value)
    if prominence is not None and not prominence >= 0.0:
        raise SignalError(
            "A prominence is not below zero; {prominence:g} is.", prominence=prominence
        )
    turned = y if up else -y
    enough = PROMINENCE * float(np.ptp(y)) if prominence is None else prominence
    at = find_peaks(turned, prominence=enough)[0] if np.ptp(y) > 0.0 else np.zeros(0, int)
    found = [_parabola(t, y, int(k)) for k in at]
    where = np.array(found).reshape(-1, 2)
    return Peaks(where[:, 0], where[:, 1], up)


def _parabola(t: Array, y: Array, k: int) -> tuple[float, float]:
    """Give the vertex of the parabola through a sample and its neighbours."""
    a, b = t[k - 1] - t[k], t[k + 1] - t[k]
    p, q = y[k - 1] - y[k], y[k + 1] - y[k]
    bend = (p / a - q / b) / (a - b)
    if bend == 0.0:
        return float(t[k]), float(y[k])
    slope = p / a - bend * a
    shift = float(np.clip(-0.5 * slope / bend, a, b))
    return float(t[k] + shift), float(y[k] + shift * (slope + bend * shift))


def oscillation(
    time: ArrayLike,
    value: ArrayLike,
    *,
    cycles: int | None = None,
    prominence: float | None = None,
) -> Oscillation:
    """Give frequency and damping by the peaks; over the first `cycles` of them where these are given."""
    up = peaks(time, value, up=True, prominence=prominence)
    down = peaks(time, value, up=False, prominence=prominence)
    if cycles is not None and cycles < 1:
        raise SignalError(
            "A frequency is taken over one cycle or more; not {cycles}.", cycles=cycles
        )
    there = len(up) - 1
    if there < (cycles or 1):
        raise SignalError(
            "{cycles} cycles need {needed} peaks; the signal has {count} that stand out enough.",
            cycles=cycles or 1,
            needed=(cycles or 1) + 1,
            count=len(up),
        )
    n = cycles or there
    first, last = float(up.time[0]), float(up.time[n])
    inside = (down.time > first) & (down.time < last)
    order = np.argsort(np.concatenate([up.time[: n + 1], down.time[inside]]))
    swings = np.abs(np.diff(np.concatenate([up.value[: n + 1], down.value[inside]])[order]))
    decrement = damping = None
    if len(swings) == 2 * n and (swings > 0.0).all():
        fit = np.polyfit(np.arange(len(swings)), np.log(swings), 1)
        decrement = float(-2.0 * fit[0])
        damping = decrement / float(np.hypot(2.0 * np.pi, decrement))
    return Oscillation(n / (last - first), n, first, last, decrement, damping)


def amplitudes(
    time: ArrayLike, value: ArrayLike, *, bins: int = BINS, unit: str = "1", name: str = ""
) -> Amplitudes:
    """Give the amplitude density of an even signal in so many bins between its least and largest value."""
    t, y = series(time, value)
    period(t)
    if not 1 <= bins <= len(y):
        raise SignalError(
            "An amplitude density has 1 bin or more, and no more than samples ({count}); not {bins}.",
            count=len(y),
            bins=bins,
        )
    mean, spread = float(y.mean()), float(y.std())
    if not spread > 0.0:
        raise SignalError("The signal does not change; it has no amplitude density.")
    count, edges = np.histogram(y, bins)
    away = (y - mean) / spread
    return Amplitudes(
        edges=edges,
        density=count / (len(y) * np.diff(edges)),
        distribution=np.concatenate([[0.0], np.cumsum(count)]) / len(y),
        mean=mean,
        deviation=spread,
        skewness=float((away**3).mean()),
        kurtosis=float((away**4).mean()),
        crest=float(np.abs(away).max()),
        rms=float(np.sqrt((y**2).mean())),
        unit=unit,
        name=name,
    )
