"""Channel frequency classes of SAE J211-1 and ISO 6487: Butterworth, forward and backward.

The coefficients are those that the standards print for each pass. They leave the start of a pass
open. Here the signal is continued at both ends by itself, turned about its end point (2 y0 - y),
over 1/CFC but not less than 10 ms nor more than the signal is long, and each pass begins as if its
first value had stood there always. This is what `scipy.signal.filtfilt` does with `padtype="odd"`.
A signal that begins and ends in rest is therefore not disturbed at its ends.
"""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.jit.kernels import kernel
from solver.engine.signals.series import EVEN, Array, SignalError, period, series

# One pass of a filter of second order, in compiled code: SciPy's takes a second to be imported.


def passed(forward: Array, back: Array, x: Array, first: float = 0.0) -> Array:
    """Give y = a0 x + a1 x' + a2 x'' - b1 y' - b2 y'' for (a0, a1, a2) and (1, b1, b2), as if x had been `first` always."""
    y = np.empty(len(x))
    _go(forward, back, np.ascontiguousarray(x, float), float(first), y)
    return y


@kernel
def _go(forward: Array, back: Array, x: Array, first: float, y: Array) -> None:
    """Go through a signal; two numbers hold what is yet to come of the samples behind."""
    one = two = 0.0
    if first != 0.0:
        rest = first * (forward[0] + forward[1] + forward[2]) / (1.0 + back[1] + back[2])
        one, two = rest - forward[0] * first, forward[2] * first - back[2] * rest
    for i in range(len(x)):
        y[i] = forward[0] * x[i] + one
        one = forward[1] * x[i] - back[1] * y[i] + two
        two = forward[2] * x[i] - back[2] * y[i]


CLASSES = (60, 180, 600, 1000)
"""The classes of the standards."""

WIDTH = 2.0775
"""Cut-off of one pass as a multiple of the class: two passes are then -3 dB at 1.65 times it."""

SHORTEST_PAD = 0.01
"""Least continuation at each end (s)."""


def coefficients(cut_off_hz: float, step: float) -> tuple[Array, Array]:
    """Give (a0, a1, a2) and (1, -b1, -b2) of one pass: y = a0 x + a1 x' + a2 x'' + b1 y' + b2 y''.

    SAE J211-1, appendix C: wd = 2 pi cut_off, wa = tan(wd T / 2).
    """
    if not step > 0.0:
        raise SignalError("The time between samples is positive; {step:g} s is not.", step=step)
    if not 0.0 < cut_off_hz < 0.5 / step:
        raise SignalError(
            "At {step:.6g} samples in a second nothing can be cut off at {cut_off_hz:.6g} Hz; more than {cut_off_hz_2:.6g} are needed.",
            step=1.0 / step,
            cut_off_hz=cut_off_hz,
            cut_off_hz_2=2.0 * cut_off_hz,
        )
    wa = math.tan(math.pi * cut_off_hz * step)
    root, square = math.sqrt(2.0) * wa, wa * wa
    a0 = square / (1.0 + root + square)
    b1 = -2.0 * (square - 1.0) / (1.0 + root + square)
    b2 = (-1.0 + root - square) / (1.0 + root + square)
    return np.array([a0, 2.0 * a0, a0]), np.array([1.0, -b1, -b2])


def low_pass(value: ArrayLike, step: float, cut_off_hz: float, pad: float = 0.0) -> Array:
    """Filter even samples forward and backward; `pad` (s) lengthens the continuation at the ends."""
    y = np.asarray(value, float)
    forward, back = coefficients(cut_off_hz, step)
    more = math.ceil(max(pad, SHORTEST_PAD, WIDTH / cut_off_hz) / step)
    n = min(more, len(y) - 1)
    long = np.concatenate([2.0 * y[0] - y[n:0:-1], y, 2.0 * y[-1] - y[-2 : -n - 2 : -1]])
    for _ in range(2):
        long = passed(forward, back, long, long[0])[::-1]
    out: Array = long[n : n + len(y)].copy()
    return out


def cfc(time: ArrayLike, value: ArrayLike, class_: float) -> Array:
    """Filter a signal to a channel frequency class: 60, 180, 600, 1000 or another positive number."""
    t, y = series(time, value)
    if not class_ > 0.0:
        raise SignalError(
            "A filter class is positive, usually 60, 180, 600 or 1000; not {class_:g}.",
            class_=class_,
        )
    step = period(t)
    if WIDTH * class_ >= 0.5 / step:
        raise SignalError(
            "Filter class {class_:g} needs more than {class__2:.6g} samples in a second (the standards ask for {class__3:g}); this signal has {step:.6g}. Raise 'channel_rate_hz' of the run, or take a lower class.",
            class_=class_,
            class__2=2.0 * WIDTH * class_,
            class__3=10.0 * class_,
            step=1.0 / step,
        )
    return low_pass(y, step, WIDTH * class_)


MOST_SAMPLES = 20_000_000
"""Samples that a signal is given at most, when it is sampled again."""


def resampled(time: ArrayLike, value: ArrayLike, rate_hz: float) -> tuple[Array, Array]:
    """Sample a signal again on an even grid that begins at its first time.

    Between samples it goes straight. A rate below that of an even signal would fold what is faster
    than half of it back into the signal; so what is faster than a quarter of the new rate is first
    taken out, by the two-pass filter of `low_pass`.
    """
    t, y = series(time, value)
    if not rate_hz > 0.0:
        raise SignalError("A rate is positive; {rate_hz:g} Hz is not.", rate_hz=rate_hz)
    old = (len(t) - 1) / (t[-1] - t[0])
    if not (t[-1] - t[0]) * rate_hz < MOST_SAMPLES:
        raise SignalError(
            "At {rate_hz:.4g} Hz, {seconds:.4g} s would be more than {most} samples.",
            rate_hz=rate_hz,
            seconds=float(t[-1] - t[0]),
            most=MOST_SAMPLES,
        )
    if rate_hz < old * (1.0 - EVEN):
        y = low_pass(y, period(t), rate_hz / 4.0)
    count = int(np.floor((t[-1] - t[0]) * rate_hz * (1.0 + 1e-12) + 1e-9)) + 1
    grid = t[0] + np.arange(count) / rate_hz
    return grid, np.interp(grid, t, y)
