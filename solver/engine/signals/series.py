"""Samples over time: looked at, differentiated, integrated; levels that are exceeded for a time."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.base.words import Refusal

# What is said when a signal cannot be worked on.


class SignalError(Refusal, ValueError):
    """Say in one sentence what is wrong with a signal, or with what is asked of it."""

    __module__ = "manikin"


# Samples over time: looked at, differentiated, integrated.

Array = NDArray[np.float64]

EVEN = 1e-3
"""Part of a period by which times may miss an even grid."""


def series(time: ArrayLike, value: ArrayLike) -> tuple[Array, Array]:
    """Times and values as arrays, or say why they are no signal."""
    t, y = np.asarray(time, float), np.asarray(value, float)
    if t.ndim != 1 or y.ndim != 1 or len(t) != len(y):
        raise SignalError(
            "A signal has one value for each time; these have shapes {shape} and {shape_2}.",
            shape=y.shape,
            shape_2=t.shape,
        )
    if len(t) < 2:
        raise SignalError("A signal needs two samples or more; this one has {count}.", count=len(t))
    if not (np.isfinite(t).all() and np.isfinite(y).all()):
        lacks = ~(np.isfinite(t) & np.isfinite(y))
        raise SignalError(
            "A signal has finite numbers only; of this one {count} of {all} are not, the first at {at:g} s.",
            count=int(lacks.sum()),
            all=len(t),
            at=t[int(np.argmax(lacks))],
        )
    if not (np.diff(t) > 0.0).all():
        late = int(np.argmax(np.diff(t) <= 0.0)) + 1
        raise SignalError(
            "The times of a signal grow; sample {late} at {t:g} s does not.", late=late, t=t[late]
        )
    return t, y


def period(time: ArrayLike) -> float:
    """The time between samples of an even grid (s), or say that the grid is not even."""
    t = np.asarray(time, float)
    step = float((t[-1] - t[0]) / (len(t) - 1))
    miss = np.abs(t - t[0] - step * np.arange(len(t)))
    if float(miss.max()) > EVEN * step:
        worst = int(np.argmax(miss))
        raise SignalError(
            "The samples are not evenly spaced: at {t:.6g} ms one is {miss:.3g} ms off. Sample them again first (resampled).",
            t=1e3 * t[worst],
            miss=1e3 * float(miss[worst]),
        )
    return step


def differentiated(time: ArrayLike, value: ArrayLike) -> Array:
    """The rate of change at each sample of an even signal.

    Inside by four neighbours, (8 (y[+1] - y[-1]) - (y[+2] - y[-2])) / 12 h, as the viscous criterion
    asks (ECE R94, annex 4); at the ends by the parabola through three samples.
    """
    t, y = series(time, value)
    h = period(t)
    if len(y) < 3:
        return np.full(len(y), (y[-1] - y[0]) / h)
    out = np.gradient(y, h, edge_order=2)
    if len(y) > 4:
        out[2:-2] = (8.0 * (y[3:-1] - y[1:-3]) - (y[4:] - y[:-4])) / (12.0 * h)
    rate: Array = out
    return rate


def integrated(time: ArrayLike, value: ArrayLike, start: float = 0.0) -> Array:
    """The integral from the first sample on: exact where the signal goes straight."""
    t, y = series(time, value)
    out = np.empty(len(y))
    out[0] = start
    out[1:] = start + np.cumsum(0.5 * (y[1:] + y[:-1]) * np.diff(t))
    return out


# Levels that a signal keeps for a time, exact for samples joined by straight lines.

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

    def crossing(k: NDArray[np.intp]) -> Array:
        out: Array = t[k] + (level - y[k]) / (y[k + 1] - y[k]) * (t[k + 1] - t[k])
        return out

    begins, ends = crossing(up), crossing(down)
    if above[0]:
        begins = np.concatenate([t[:1], begins])
    if above[-1]:
        ends = np.concatenate([ends, t[-1:]])
    return begins, ends
