"""Shock response spectra: the largest absolute acceleration of masses on springs, by their frequency.

Each mass stands on a base that moves with the signal. Its acceleration comes from the ramp-invariant
filter of Smallwood 1981 ("An improved recursive formula for calculating shock response spectra", Shock
and Vibration Bulletin 51), which is exact where the base's acceleration goes straight between samples:
with E = exp(-z w T), K = w T sqrt(1 - z^2), C = E cos K, S = E sin K / K,
y = (1 - S) a + 2 (S - C) a' + (E^2 - S) a'' + 2 C y' - E^2 y''.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.signals.errors import SignalError
from solver.engine.signals.series import Array, period, series

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
