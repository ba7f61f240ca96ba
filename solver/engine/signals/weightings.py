"""Frequency weightings of whole-body vibration, ISO 2631-1:1997 (annex A) and ISO 8041.

Each is a product of a high pass and a low pass of Butterworth's kind at f1 and f2, a transition from
acceleration to velocity at f3, f4, and an upward step at f5, f6:
(1 + s/w3) / (1 + s/(Q4 w4) + (s/w4)^2) and
(1 + s/(Q5 w5) + (s/w5)^2) / (1 + s/(Q6 w6) + (s/w6)^2) (w5/w6)^2.
Numbers are those of ISO 8041:2005, table 3, as the reference manual of the Larson Davis HVM200 prints
it (table 3.1); Rimell and Mansfield 2007 (Industrial Health 45, 512-519) give the same forms as digital
filters. Each factor is turned into a digital one by the bilinear transform, as annex C of ISO 8041 does.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.signals.errors import SignalError
from solver.engine.signals.series import Array, period, series

LEAST_RATE = 10.0
"""Fewest samples in a second as a multiple of f2. Up to f2 / 1.25, the end of the band that ISO 2631-1
names (80 Hz; 0.5 Hz for Wf), a weighting is then met within 3 %."""


@dataclass(frozen=True, slots=True)
class Weighting:
    """The corners (Hz) and quality factors; infinite where a factor is missing."""

    f1: float
    f2: float
    f3: float = inf
    f4: float = inf
    q4: float = 1.0
    f5: float = inf
    q5: float = 1.0
    f6: float = inf
    q6: float = 1.0
    unit: str = "m/s2"

    def sections(self) -> list[tuple[Array, Array, float]]:
        """Give numerator and denominator in falling powers of s, and the corner (Hz), of each factor."""
        w1, w2 = 2.0 * np.pi * self.f1, 2.0 * np.pi * self.f2
        root = np.sqrt(2.0)
        out = [
            (np.array([1.0, 0.0, 0.0]), np.array([1.0, root * w1, w1**2]), self.f1),
            (np.array([0.0, 0.0, w2**2]), np.array([1.0, root * w2, w2**2]), self.f2),
        ]
        if self.f4 < inf:
            w3, w4 = 2.0 * np.pi * self.f3, 2.0 * np.pi * self.f4
            above = np.array([0.0, 0.0 if self.f3 == inf else w4**2 / w3, w4**2])
            out.append((above, np.array([1.0, w4 / self.q4, w4**2]), self.f4))
        if self.f5 < inf:
            w5, w6 = 2.0 * np.pi * self.f5, 2.0 * np.pi * self.f6
            above = np.array([1.0, w5 / self.q5, w5**2])
            out.append((above, np.array([1.0, w6 / self.q6, w6**2]), self.f6))
        return out


WEIGHTINGS: Mapping[str, Weighting] = MappingProxyType(
    {
        "Wk": Weighting(0.4, 100.0, 12.5, 12.5, 0.63, 2.37, 0.91, 3.35, 0.91),
        "Wd": Weighting(0.4, 100.0, 2.0, 2.0, 0.63),
        "Wf": Weighting(0.08, 0.63, inf, 0.25, 0.86, 0.0625, 0.80, 0.10, 0.80),
        "Wc": Weighting(0.4, 100.0, 8.0, 8.0, 0.63),
        "We": Weighting(0.4, 100.0, 1.0, 1.0, 0.63, unit="rad/s2"),
        "Wj": Weighting(0.4, 100.0, f5=3.75, q5=0.91, f6=5.32, q6=0.91),
    }
)
"""The weightings of ISO 2631-1 by name."""


def weighting(name: str) -> Weighting:
    """Give a weighting by its name, or say which there are."""
    if name not in WEIGHTINGS:
        raise SignalError(
            "There is no weighting '{name}'; there are {names}.",
            name=name,
            names=", ".join(WEIGHTINGS),
        )
    return WEIGHTINGS[name]


def factor(name: str, frequency_hz: ArrayLike) -> Array:
    """The complex factor of a weighting at frequencies (Hz): the formula, not the filter."""
    s = 2j * np.pi * np.asarray(frequency_hz, float)
    out = np.ones(s.shape, complex)
    for above, below, _ in weighting(name).sections():
        out = out * np.polyval(above, s) / np.polyval(below, s)
    return out


def sections(name: str, step: float) -> Array:
    """The digital filter of a weighting as sections of second order for a step (s)."""
    found = weighting(name)
    if not step * LEAST_RATE * found.f2 <= 1.0 + 1e-9:
        raise SignalError(
            "Weighting {name} reaches to {f2:g} Hz and needs {least:g} samples in a second or more; this signal has {rate:.6g}.",
            name=name,
            f2=found.f2,
            least=LEAST_RATE * found.f2,
            rate=1.0 / step,
        )
    rows = [_digital(*section, step) for section in found.sections()]
    return np.array([[*b, *a] for b, a in rows])


def _digital(above: Array, below: Array, corner_hz: float, step: float) -> tuple[Array, Array]:
    """Put s = k (1 - 1/z) / (1 + 1/z), with k such that nothing moves at the corner."""
    w = 2.0 * np.pi * corner_hz
    k = w / np.tan(0.5 * w * step)
    powers = np.array([[k**2, -2.0 * k**2, k**2], [k, 0.0, -k], [1.0, 2.0, 1.0]])
    b, a = above @ powers, below @ powers
    return b / a[0], a / a[0]


def weighted(time: ArrayLike, value: ArrayLike, name: str) -> Array:
    """An even signal weighted; it begins as if its first value had stood there always."""
    from scipy.signal import sosfilt

    t, y = series(time, value)
    rows = sections(name, period(t))
    # every weighting is zero at rest, so the first value alone leaves nothing behind
    out: Array = sosfilt(rows, y - y[0])
    return out
