"""A quantity over time with its exact integrals and derivatives.

Each piece is a polynomial plus one sine and cosine in the time since its start,
`sum c[k] s^k + S sin(w s) + C cos(w s)`; tables, polynomials and the usual pulses are of this form,
and so are their integrals. Before the first and after the last piece the end pieces go on.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.jit.kernels import kernel, struct

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]
PROFILE_COEFFICIENTS = 8
"""Room for a fifth-degree polynomial, integrated twice, and a constant."""


class Profile(NamedTuple):
    """The pieces: starts (s), polynomial coefficients, and S, C, w of each."""

    start: Array
    poly: Array
    wave: Array


@struct
class Profiles(NamedTuple):
    """The pieces of several profiles one behind the other; `first` counts them off."""

    first: IntArray
    start: Array
    poly: Array
    wave: Array


def make(pieces: Sequence[tuple[float, Sequence[float], tuple[float, float, float]]]) -> Profile:
    """Make a profile from pieces (start, coefficients, (S, C, w)) in the order of time."""
    poly = np.zeros((len(pieces), PROFILE_COEFFICIENTS))
    for row, (_, coefficients, _) in zip(poly, pieces, strict=True):
        row[: len(coefficients)] = coefficients
    return Profile(
        np.array([p[0] for p in pieces], float),
        poly,
        np.array([p[2] for p in pieces], float).reshape(-1, 3),
    )


def integral(profile: Profile, at_zero: float, zero: float = 0.0) -> Profile:
    """The integral that has the value `at_zero` at time `zero`."""
    start, poly, wave = profile
    if np.any(poly[:, -1] != 0.0):
        raise ValueError("the polynomial is of too high a degree to be integrated once more")
    new_poly = np.zeros_like(poly)
    new_poly[:, 1:] = poly[:, :-1] / np.arange(1, PROFILE_COEFFICIENTS)
    new_wave = wave.copy()
    moving = wave[:, 2] != 0.0
    w = np.where(moving, wave[:, 2], 1.0)
    new_wave[:, 0] = np.where(moving, wave[:, 1] / w, 0.0)
    new_wave[:, 1] = np.where(moving, -wave[:, 0] / w, 0.0)
    # without a frequency the cosine is a constant, and its integral grows
    new_poly[:, 1] += np.where(moving, 0.0, wave[:, 1])
    out = Profile(start, new_poly, new_wave)
    for i in range(1, len(start)):
        end = profile_piece(new_poly, new_wave, i - 1, start[i] - start[i - 1])[0]
        new_poly[i, 0] = end - profile_piece(new_poly, new_wave, i, 0.0)[0]
    shift = at_zero - value(out, zero)[0]
    new_poly[:, 0] += shift
    return out


def joined(profiles: Sequence[Profile]) -> Profiles:
    """Put profiles behind each other."""
    sizes = [0, *(len(p.start) for p in profiles)]
    return Profiles(
        np.cumsum(sizes).astype(np.int64),
        np.concatenate([np.zeros(0), *(p.start for p in profiles)]),
        np.concatenate([np.zeros((0, PROFILE_COEFFICIENTS)), *(p.poly for p in profiles)]),
        np.concatenate([np.zeros((0, 3)), *(p.wave for p in profiles)]),
    )


@kernel
def profile_piece(poly: Array, wave: Array, i: int, s: float) -> tuple[float, float, float]:
    """Give value and two derivatives of one piece at the time since its start."""
    x = v = a = 0.0
    for k in range(PROFILE_COEFFICIENTS - 1, -1, -1):
        a = a * s + 2.0 * v
        v = v * s + x
        x = x * s + poly[i, k]
    S, C, w = wave[i, 0], wave[i, 1], wave[i, 2]
    if w != 0.0:
        sine, cosine = math.sin(w * s), math.cos(w * s)
        x += S * sine + C * cosine
        v += w * (S * cosine - C * sine)
        a -= w * w * (S * sine + C * cosine)
    else:
        x += C
    return x, v, a


def jumps(profile: Profile) -> list[tuple[float, str]]:
    """Give the times at which the value or its rate jumps, and which of them does."""
    found = []
    for i in range(1, len(profile.start)):
        t = float(profile.start[i])
        before = _ends_of(profile, i - 1, t - float(profile.start[i - 1]))
        after = _ends_of(profile, i, 0.0)
        for name, a, b in zip(("place", "speed"), before, after, strict=True):
            if abs(a - b) > 1e-9 * (1.0 + abs(a) + abs(b)):
                found.append((t, name))
    return found


def _ends_of(profile: Profile, i: int, s: float) -> tuple[float, float]:
    x, v, _ = profile_piece(profile.poly, profile.wave, i, s)
    return x, v


@kernel
def profile_at(profiles: Profiles, k: int, t: float, within: float) -> tuple[float, float, float]:
    """Give value and two derivatives of one profile at a time, by the piece that rules `within`.

    An integrator's step lies between two breaks; with its middle as `within` all its stages see
    the same piece, also those at the very break.
    """
    start = profiles.start
    low, high = profiles.first[k], profiles.first[k + 1]
    while high - low > 1:
        middle = (low + high) // 2
        if start[middle] <= within:
            low = middle
        else:
            high = middle
    return profile_piece(profiles.poly, profiles.wave, low, t - start[low])


def value(profile: Profile, t: float) -> tuple[float, float, float]:
    """Give value, first and second derivative at a time; at a break those that come after it."""
    x, v, a = profile_at(joined([profile]), 0, t, t)
    return x, v, a


def constant(level: float) -> Profile:
    """A value that never changes."""
    return make([(0.0, [level], (0.0, 0.0, 0.0))])


def polyline(x: Sequence[float], y: Sequence[float]) -> Profile:
    """Join points by straight lines; beyond the ends the end value holds."""
    pieces = [(x[0] - 1.0, [y[0]], (0.0, 0.0, 0.0))]
    for x0, x1, y0, y1 in zip(x, x[1:], y, y[1:], strict=False):
        pieces.append((x0, [y0, (y1 - y0) / (x1 - x0)], (0.0, 0.0, 0.0)))
    pieces.append((x[-1], [y[-1]], (0.0, 0.0, 0.0)))
    return make(pieces)


def half_sine(amplitude: float, start: float, duration: float) -> Profile:
    """Give half a sine between two times, zero elsewhere."""
    return _pulse(start, duration, [0.0], (amplitude, 0.0, math.pi / duration))


def haversine(amplitude: float, start: float, duration: float) -> Profile:
    """A squared sine between two times, zero elsewhere."""
    half = 0.5 * amplitude
    return _pulse(start, duration, [half], (0.0, -half, 2.0 * math.pi / duration))


def _pulse(
    start: float, duration: float, poly: Sequence[float], wave: tuple[float, float, float]
) -> Profile:
    still = (0.0, 0.0, 0.0)
    return make(
        [(start - 1.0, [0.0], still), (start, poly, wave), (start + duration, [0.0], still)]
    )
