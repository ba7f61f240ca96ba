"""Ride and vibration: frequency weightings (ISO 2631-1:1997, ISO 8041), weighted accelerations as single numbers.

Each is a product of a high pass and a low pass of Butterworth's kind at f1 and f2, a transition from
acceleration to velocity at f3, f4, and an upward step at f5, f6:
(1 + s/w3) / (1 + s/(Q4 w4) + (s/w4)^2) and
(1 + s/(Q5 w5) + (s/w5)^2) / (1 + s/(Q6 w6) + (s/w6)^2) (w5/w6)^2.
Numbers are those of ISO 8041:2005, table 3, as the reference manual of the Larson Davis HVM200 prints
it (table 3.1); Rimell and Mansfield 2007 (Industrial Health 45, 512-519) give the same forms as digital
filters. Each factor is turned into a digital one by the bilinear transform, as annex C of ISO 8041 does.

r.m.s. (6.1), running r.m.s. over 1 s and its largest value MTVV (6.3.1), vibration dose value VDV
(6.3.2), crest factor (6.2), motion sickness dose value (annex D), total values over three axes (6.5).
Multiplying factors k by place and axis: 7.2.3 for health, 8.2.2 for comfort. They are written from memory
of the public text, without the document at hand. ISO 2631-5 is not offered: see docs/signals.md.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf
from types import MappingProxyType

import numpy as np
from numpy.typing import ArrayLike

from solver.engine.signals.series import Array, SignalError, period, series

# Frequency weightings of whole-body vibration, ISO 2631-1:1997 (annex A) and ISO 8041.

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


# Ride and vibration: weighted accelerations of ISO 2631-1:1997 as single numbers.

RUNNING = 1.0
"""Time over which the running r.m.s. goes (s)."""
CREST_LIMIT = 9.0
"""Crest factor above which r.m.s. alone may say too little (6.2.2)."""
MTVV_LIMIT, VDV_LIMIT = 1.5, 1.75
"""MTVV / a_w and VDV / (a_w T^1/4) above which the other measures should be told as well (6.3.3)."""

Span = tuple[float, float]
EVER: Span = (-np.inf, np.inf)
Axes = tuple[tuple[str, float], tuple[str, float], tuple[str, float]]

PLACES: Mapping[str, Axes] = MappingProxyType(
    {
        "seat": (("Wd", 1.0), ("Wd", 1.0), ("Wk", 1.0)),
        "seat-health": (("Wd", 1.4), ("Wd", 1.4), ("Wk", 1.0)),
        "seat-turning": (("We", 0.63), ("We", 0.4), ("We", 0.2)),
        "back": (("Wc", 0.8), ("Wd", 0.5), ("Wd", 0.4)),
        "feet": (("Wk", 0.25), ("Wk", 0.25), ("Wk", 0.4)),
        "standing": (("Wd", 1.0), ("Wd", 1.0), ("Wk", 1.0)),
    }
)
"""Weighting and factor k along x, y and z by place: the seat for comfort, for health, and turning about
its axes; the seat's back; the feet of who sits; the floor under who stands."""


@dataclass(frozen=True, slots=True)
class Ride:
    """The measures of one weighted acceleration; `unit` is that of `rms`, `mtvv` and `peak`.

    `vdv` is in that unit times s^(1/4), `dose` (the motion sickness dose value, for Wf) times s^(1/2);
    `mtvv` is none where the signal is shorter than a second.
    """

    weighting: str
    rms: float
    mtvv: float | None
    vdv: float
    dose: float
    peak: float
    duration: float
    unit: str
    name: str

    @property
    def crest(self) -> float:
        """The crest factor: peak over r.m.s."""
        return self.peak / self.rms if self.rms > 0.0 else 0.0

    @property
    def shocks(self) -> bool:
        """Whether r.m.s. alone says too little: crest, MTVV or VDV above what 6.2.2, 6.3.3 name."""
        if not self.rms > 0.0:
            return False
        high = self.mtvv is not None and self.mtvv > MTVV_LIMIT * self.rms
        dosed = self.vdv > VDV_LIMIT * self.rms * self.duration**0.25
        return self.crest > CREST_LIMIT or high or dosed


@dataclass(frozen=True, slots=True)
class TotalRide:
    """Three axes of a place with their factors k, and what they make together."""

    place: str
    axes: tuple[Ride, Ride, Ride]
    factors: tuple[float, float, float]

    @property
    def total(self) -> float:
        """The vibration total value: the root of the sum of (k a_w)^2."""
        return float(np.sqrt(sum((k * one.rms) ** 2 for k, one in self._pairs)))

    @property
    def worst(self) -> float:
        """The largest k a_w of the three axes, by which health is judged (7.2.2)."""
        return max(k * one.rms for k, one in self._pairs)

    @property
    def dose(self) -> float:
        """The fourth root of the sum of (k VDV)^4."""
        return float(sum((k * one.vdv) ** 4 for k, one in self._pairs) ** 0.25)

    @property
    def _pairs(self) -> list[tuple[float, Ride]]:
        return list(zip(self.factors, self.axes, strict=True))


def running_rms(time: ArrayLike, value: ArrayLike, over_s: float = RUNNING) -> Array:
    """The r.m.s. over the last `over_s` seconds at each sample; before that the signal is zero."""
    t, y = series(time, value)
    step = period(t)
    n = round(over_s / step)
    if n < 1:
        raise SignalError(
            "A running r.m.s. goes over one sample or more; {over_s:g} s is less.", over_s=over_s
        )
    total = np.concatenate([np.zeros(n), np.cumsum(y**2)])
    out: Array = np.sqrt(np.maximum(total[n:] - total[:-n], 0.0) / n)
    return out


def ride(
    time: ArrayLike,
    value: ArrayLike,
    name_of_weighting: str,
    span: Span = EVER,
    *,
    unit: str = "m/s2",
    name: str = "",
) -> Ride:
    """The measures of an acceleration under a weighting: Wk, Wd, Wf, Wc, We (rad/s2) or Wj.

    All of the signal is weighted, and what lies in the span (s) is measured.
    """
    wanted = weighting(name_of_weighting).unit
    if unit != wanted:
        raise SignalError(
            "Weighting {weighting} is for a quantity in {wanted}; '{name}' is in {unit}.",
            weighting=name_of_weighting,
            wanted=wanted,
            name=name,
            unit=unit or "1",
        )
    t, y = series(time, value)
    step = period(t)
    a = weighted(t, y, name_of_weighting)[(t >= span[0]) & (t <= span[1])]
    if len(a) < 2:
        raise SignalError(
            "'{name}' has no samples from {begin_s:g} to {end_s:g} s.",
            name=name,
            begin_s=span[0],
            end_s=span[1],
        )
    long = len(a) * step
    mtvv = None
    if long >= RUNNING:
        at = step * np.arange(len(a))
        mtvv = float(running_rms(at, a)[round(RUNNING / step) - 1 :].max())
    return Ride(
        weighting=name_of_weighting,
        rms=float(np.sqrt((a**2).mean())),
        mtvv=mtvv,
        vdv=float(((a**4).sum() * step) ** 0.25),
        dose=float(np.sqrt((a**2).sum() * step)),
        peak=float(np.abs(a).max()),
        duration=long,
        unit=wanted,
        name=name,
    )


def total_ride(
    place: str, signals: Sequence[tuple[ArrayLike, ArrayLike, str, str]], span: Span = EVER
) -> TotalRide:
    """Give the total of a place from its x, y and z: (time, value, unit, name) of each."""
    if place not in PLACES:
        raise SignalError(
            "There is no place '{place}'; there are {places}.",
            place=place,
            places=", ".join(PLACES),
        )
    if len(signals) != 3:
        raise SignalError(
            "A place has three axes, x, y and z in this order; {count} were given.",
            count=len(signals),
        )
    x, y, z = (
        ride(time, value, kind, span, unit=unit, name=name)
        for (time, value, unit, name), (kind, _) in zip(signals, PLACES[place], strict=True)
    )
    k = tuple(factor for _, factor in PLACES[place])
    return TotalRide(place, (x, y, z), (k[0], k[1], k[2]))
