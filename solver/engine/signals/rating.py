"""How well a computed curve agrees with a measured one: the rating of ISO/TS 18571.

Four scores from 0 to 1: corridor (weight 0.4), phase, magnitude and slope (0.2 each). The formulas
are written from memory of the public text (edition of 2014), without the document at hand. The
standard asks for unambiguous signals, filtered alike, over the same span at 10 kHz; `rating` samples
both again on that grid over the time which they share.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.engine.signals.series import SignalError, series

Array = NDArray[np.float64]

RATE_HZ = 10_000.0
INNER, OUTER = 0.05, 0.5
"""Half widths of the corridors as parts of the test's largest absolute value."""
CORRIDOR_POWER = 2
LARGEST_SHIFT = 0.2
"""Part of the span by which a curve may come early or late."""
LARGEST_MAGNITUDE_ERROR = 0.5
LARGEST_SLOPE_ERROR = 2.0
WARPED = 0.1
"""Part of the span by which the warping of time may move a sample."""
SMOOTHED = 9
"""Samples over which slopes are averaged."""
MOST_SAMPLES = 10_000

_WEIGHTS = (0.4, 0.2, 0.2, 0.2)
_GRADES = ((0.94, "excellent"), (0.8, "good"), (0.58, "fair"))


@dataclass(frozen=True, slots=True)
class Rating:
    """The four scores, and by how much the curve comes late (s; early below zero)."""

    corridor: float
    phase: float
    magnitude: float
    slope: float
    late_s: float

    @property
    def whole(self) -> float:
        """The weighted sum of the four."""
        scores = (self.corridor, self.phase, self.magnitude, self.slope)
        return float(sum(w * s for w, s in zip(_WEIGHTS, scores, strict=True)))

    @property
    def grade(self) -> str:
        """Give excellent, good, fair or poor."""
        return next((word for least, word in _GRADES if self.whole > least), "poor")


def rating(
    time: ArrayLike, value: ArrayLike, test_time: ArrayLike, test_value: ArrayLike
) -> Rating:
    """Rate a curve against a test over the time which they share; SignalError says why not."""
    t, y = series(time, value)
    u, v = series(test_time, test_value)
    begin, end = max(t[0], u[0]), min(t[-1], u[-1])
    count = int(np.floor((end - begin) * RATE_HZ * (1.0 + 1e-12) + 1e-9)) + 1
    if end <= begin or count < SMOOTHED + 1:
        raise SignalError("The two curves share less than a millisecond; nothing can be rated.")
    if count > MOST_SAMPLES:
        raise SignalError(
            "The two curves share {begin:.3g} s; at most {rate_hz:g} s are rated.",
            begin=end - begin,
            rate_hz=MOST_SAMPLES / RATE_HZ,
        )
    grid = begin + np.arange(count) / RATE_HZ
    return rating_of_samples(np.interp(grid, t, y), np.interp(grid, u, v), 1.0 / RATE_HZ)


def rating_of_samples(value: Array, test: Array, step: float) -> Rating:
    """Rate samples against those of a test at the same instants, `step` (s) apart."""
    if not np.any(test):
        raise SignalError("The test is zero throughout; nothing can be rated against it.")
    late = _shift(value, test)
    moved, left = _aligned(value, test, late)
    return Rating(
        corridor=float(corridor_scores(value, test).mean()),
        phase=_falling(abs(late), LARGEST_SHIFT * len(test)),
        magnitude=_falling(_magnitude_error(moved, left), LARGEST_MAGNITUDE_ERROR),
        slope=_falling(_slope_error(moved, left, step), LARGEST_SLOPE_ERROR),
        late_s=late * step,
    )


def corridors(test: Array) -> tuple[float, float]:
    """The half widths of the inner and of the outer corridor."""
    norm = float(np.max(np.abs(test)))
    return INNER * norm, OUTER * norm


def corridor_scores(value: Array, test: Array) -> Array:
    """Score each sample: 1 in the inner corridor, 0 outside the outer, squared in between."""
    inner, outer = corridors(test)
    between = (outer - np.abs(value - test)) / (outer - inner)
    return np.asarray(np.clip(between, 0.0, 1.0) ** CORRIDOR_POWER)


def _falling(error: float, largest: float) -> float:
    return max(0.0, 1.0 - error / largest)


def _shift(value: Array, test: Array) -> int:
    """By how many samples the curve comes late: the shift of the highest correlation.

    Of equal correlations the smallest shift counts, and of two the one that moves the curve earlier.
    """
    n = len(test)
    best, found = _correlation(value, test), 0
    for m in range(1, int(np.floor(LARGEST_SHIFT * n)) + 1):
        for late in (m, -m):
            here = _correlation(*_aligned(value, test, late))
            if here > best + 1e-12:
                best, found = here, late
    return found


def _aligned(value: Array, test: Array, late: int) -> tuple[Array, Array]:
    """Move a curve that comes late by so many samples onto the test; what hangs over is cut."""
    if late == 0:
        return value, test
    if late > 0:
        return value[late:], test[:-late]
    return value[:late], test[-late:]


def _correlation(one: Array, other: Array) -> float:
    a, b = one - one.mean(), other - other.mean()
    size = float(np.sqrt((a @ a) * (b @ b)))
    return float(a @ b) / size if size > 0.0 else 0.0


def _magnitude_error(value: Array, test: Array) -> float:
    """The part by which the curve misses the test where the time is warped to fit best."""
    i, j = warped(value, test, int(np.ceil(WARPED * len(test))))
    size = float(np.abs(test[j]).sum())
    return float(np.abs(value[i] - test[j]).sum()) / size if size > 0.0 else np.inf


def _slope_error(value: Array, test: Array, step: float) -> float:
    one, other = slopes(value, step), slopes(test, step)
    size = float(np.abs(other).sum())
    return float(np.abs(one - other).sum()) / size if size > 0.0 else np.inf


def slopes(value: Array, step: float) -> Array:
    """The slopes by neighbours, averaged over nine samples, over fewer near the ends."""
    raw = np.gradient(value, step)
    total = np.concatenate([[0.0], np.cumsum(raw)])
    at = np.arange(len(raw))
    reach = np.minimum(np.minimum(at, at[::-1]), SMOOTHED // 2)
    return np.asarray((total[at + reach + 1] - total[at - reach]) / (2 * reach + 1))


def warped(one: Array, other: Array, window: int) -> tuple[Array, Array]:
    """The pairs of samples of the cheapest way through both curves (dynamic time warping).

    The cost of a pair is the square of its difference; partners are less than `window` samples
    apart (Sakoe and Chiba 1978). Curves have the same number of samples.
    """
    n, w = len(one), max(window, 1)
    # worked diagonal by diagonal, i + j = s; a place on one is d = i - j, kept at d + w: every second one
    before, at, here = (np.full(2 * w + 1, np.inf) for _ in range(3))
    came = np.zeros((2 * n - 1, 2 * w + 1), np.uint8)
    backwards = other[::-1]
    for s in range(2 * n - 1):
        low = max(0, s - n + 1, (s - w) // 2 + 1)
        high = min(n - 1, s, (s + w - 1) // 2)
        # low and high are the first and last i
        k = slice(2 * low - s + w, 2 * high - s + w + 1, 2)
        missed = one[low : high + 1] - backwards[n - 1 - s + low : n - s + high]
        # from (i - 1, j), (i, j - 1) and (i - 1, j - 1); of equal ones the first counts
        left, right, both = (
            at[k.start - 1 : k.stop - 1 : 2],
            at[k.start + 1 : k.stop + 1 : 2],
            before[k],
        )
        least = np.minimum(left, right)
        came[s, k] = np.where(both < least, 2, right < left)
        here.fill(np.inf)
        here[k] = missed * missed + (0.0 if s == 0 else np.minimum(least, both))
        before, at, here = at, here, before
    a, b = n - 1, n - 1
    pairs = [(a, b)]
    while a or b:
        step = int(came[a + b, a - b + w])
        a, b = a - (step != 1), b - (step != 0)
        pairs.append((a, b))
    first, second = np.array(pairs[::-1]).T
    return first, second
