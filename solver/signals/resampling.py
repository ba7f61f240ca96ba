"""Samples of a signal on another grid."""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike

from solver.signals.errors import SignalError
from solver.signals.filters import low_pass
from solver.signals.series import EVEN, Array, period, series


def resampled(time: ArrayLike, value: ArrayLike, rate_hz: float) -> tuple[Array, Array]:
    """Sample a signal anew on an even grid that begins at its first time.

    Between samples it goes straight. A rate below that of an even signal would fold what is faster
    than half of it back into the signal; so what is faster than a quarter of the new rate is first
    taken out, by the two-pass filter of `low_pass`.
    """
    t, y = series(time, value)
    if not rate_hz > 0.0:
        raise SignalError("A rate is positive; {rate_hz:g} Hz is not.", rate_hz=rate_hz)
    old = (len(t) - 1) / (t[-1] - t[0])
    if rate_hz < old * (1.0 - EVEN):
        y = low_pass(y, period(t), rate_hz / 4.0)
    count = int(np.floor((t[-1] - t[0]) * rate_hz * (1.0 + 1e-12) + 1e-9)) + 1
    grid = t[0] + np.arange(count) / rate_hz
    return grid, np.interp(grid, t, y)
