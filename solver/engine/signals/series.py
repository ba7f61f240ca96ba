"""Samples over time: looked at, differentiated, integrated."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.engine.signals.errors import SignalError

Array = NDArray[Any]

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
        raise SignalError("A signal has finite numbers only; this one has others.")
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
