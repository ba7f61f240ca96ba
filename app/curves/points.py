"""Points of a table: moved, added, taken away, kept in order; plain numbers, no Qt."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Sequence

Points = tuple[tuple[float, ...], tuple[float, ...]]
"""Arguments and values."""

_GAP = 1e-6
"""Least distance of two arguments, in parts of the whole span."""


def moved(x: Sequence[float], y: Sequence[float], i: int, to_x: float, to_y: float) -> Points:
    """Move one point; it stays between its neighbours."""
    gap = _gap(x)
    low = x[i - 1] + gap if i > 0 else -math.inf
    high = x[i + 1] - gap if i + 1 < len(x) else math.inf
    at = min(max(to_x, low), high)
    return (*x[:i], at, *x[i + 1 :]), (*y[:i], to_y, *y[i + 1 :])


def with_point(
    x: Sequence[float], y: Sequence[float], at: float, value: float
) -> tuple[Points, int]:
    """Add a point in its place; one with the same argument takes the new value. Gives its number."""
    i = bisect_left(x, at)
    if i < len(x) and abs(x[i] - at) < _gap(x):
        return moved(x, y, i, x[i], value), i
    return ((*x[:i], at, *x[i:]), (*y[:i], value, *y[i:])), i


def without(x: Sequence[float], y: Sequence[float], gone: Sequence[int]) -> Points:
    """Take points away; one stays."""
    kept = [i for i in range(len(x)) if i not in set(gone)] or [0]
    return tuple(x[i] for i in kept), tuple(y[i] for i in kept)


def in_order(x: Sequence[float], y: Sequence[float]) -> Points:
    """Sort points by their arguments; of several with one argument the last stays."""
    pairs = dict(zip(x, y, strict=True))
    keys = sorted(pairs)
    return tuple(keys), tuple(pairs[k] for k in keys)


def nice_step(least: float) -> float:
    """Give the smallest of 1, 2 or 5 times a power of ten that is no less."""
    if not least > 0.0 or not math.isfinite(least):
        return 1.0
    power = 10.0 ** math.floor(math.log10(least))
    return next(m * power for m in (1.0, 2.0, 5.0, 10.0) if m * power >= least * (1.0 - 1e-9))


def snapped(value: float, step: float) -> float:
    """Round to a multiple of a step, without the dust of binary numbers."""
    count = round(value / step)
    digits = max(0, 2 - math.floor(math.log10(step)))
    return round(count * step, digits) + 0.0


def _gap(x: Sequence[float]) -> float:
    return _GAP * ((x[-1] - x[0]) if len(x) > 1 else max(1.0, abs(x[0]) if x else 1.0))
