"""Levels that a signal keeps for a time, exact for samples joined by straight lines."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.engine.signals.errors import SignalError
from solver.engine.signals.series import series

Array = NDArray[Any]

HALVINGS = 64
"""Halvings of the range of values: a level is then exact to the last digits."""


class Kept(NamedTuple):
    """A level, and from when to when it was kept or exceeded."""

    level: float
    t1: float
    t2: float


def longest_spell(time: Array, value: Array, level: float) -> tuple[float, float]:
    """Give begin and end of the longest time without a break at or above a level."""
    begins, ends = _spells(time, value, level)
    if len(begins) == 0:
        return float(time[0]), float(time[0])
    best = int(np.argmax(ends - begins))
    return float(begins[best]), float(ends[best])


def time_above(time: Array, value: Array, level: float) -> float:
    """The time at or above a level, all spells together (s)."""
    begins, ends = _spells(time, value, level)
    return float(np.sum(ends - begins))


def clip_in_one(time: ArrayLike, value: ArrayLike, duration: float) -> Kept:
    """The largest level that is kept for a duration without a break (3 ms: one peak)."""
    t, y = _long_enough(time, value, duration)
    level = _largest(t, y, duration, lambda at: float(np.subtract(*longest_spell(t, y, at)[::-1])))
    return Kept(level, *longest_spell(t, y, level))


def clip_summed(time: ArrayLike, value: ArrayLike, duration: float) -> Kept:
    """The largest level above which all spells together last for a duration.

    The times are the begin of the first and the end of the last of these spells.
    """
    t, y = _long_enough(time, value, duration)
    level = _largest(t, y, duration, lambda at: time_above(t, y, at))
    begins, ends = _spells(t, y, level)
    return Kept(level, float(begins[0]), float(ends[-1]))


def _long_enough(time: ArrayLike, value: ArrayLike, duration: float) -> tuple[Array, Array]:
    t, y = series(time, value)
    if not 0.0 < duration <= t[-1] - t[0]:
        raise SignalError(
            "The signal lasts {t:.6g} ms; no level can be kept for {duration:.6g} ms.",
            t=1e3 * (t[-1] - t[0]),
            duration=1e3 * duration,
        )
    return t, y


def _largest(t: Array, y: Array, duration: float, kept: Any) -> float:
    """Halve the range of levels; what is kept never grows with the level."""
    low, high = float(y.min()), float(y.max())
    enough = duration * (1.0 - 1e-12)
    if kept(high) >= enough:
        return high
    for _ in range(HALVINGS):
        middle = 0.5 * (low + high)
        if not low < middle < high:
            break
        if kept(middle) >= enough:
            low = middle
        else:
            high = middle
    return low


def _spells(t: Array, y: Array, level: float) -> tuple[Array, Array]:
    """Give begins and ends of all spells at or above a level."""
    above = y >= level
    edge = np.diff(above.astype(np.int8))
    up, down = np.flatnonzero(edge > 0), np.flatnonzero(edge < 0)

    def crossing(k: Array) -> Array:
        out: Array = t[k] + (level - y[k]) / (y[k + 1] - y[k]) * (t[k + 1] - t[k])
        return out

    begins, ends = crossing(up), crossing(down)
    if above[0]:
        begins = np.concatenate([t[:1], begins])
    if above[-1]:
        ends = np.concatenate([ends, t[-1:]])
    return begins, ends
