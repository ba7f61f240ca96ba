"""What every criterion gives."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from solver.base.words import NOTHING, Sentence
from solver.engine.signals import clip_summed, period
from solver.engine.signals.recursive import passed

Array = NDArray[Any]

G = 9.80665
"""Standard gravity (m/s2)."""


class Measure(NamedTuple):
    """Hold a figure, its window or instant (s), and what else is to be known of it."""

    value: float
    t1: float
    t2: float
    note: Sentence = NOTHING


def peak(time: Array, value: Array, note: Sentence = NOTHING) -> Measure:
    """Give the largest value and its instant."""
    k = int(np.argmax(value))
    return Measure(float(value[k]), float(time[k]), float(time[k]), note)


# Loads by how long they last: what is above a level for a time in all, against a limit that falls with it.
#
# UN R94, 5.2.1.2 and 5.2.1.6 limit shear and tension of the neck and the force in the femur so. All spells above a
# level count together, as in Euro NCAP's cumulative exceedence.

CLOSE = 1e-7
"""Part of the value within which the largest one is looked for."""

Points = Sequence[tuple[float, float]]
"""Durations (s) and limits; straight between, level beyond."""


Badness = Callable[[Array, Array], Array]
"""Of levels and the times above them, element by element."""


def limit_at(points: Points, duration: ArrayLike) -> Array:
    """Give the limits for loads that last for some durations."""
    at, limits = zip(*points, strict=True)
    return np.asarray(np.interp(np.asarray(duration), np.asarray(at), np.asarray(limits)))


def worst(time: Array, load: Array, badness: Badness) -> tuple[float, float, float]:
    """Give the largest badness(level, time above it in all) of a load, that level and that time.

    `badness` never falls as either grows, so that between two levels it is at most that of the higher
    level and the longer time: intervals that promise more than what is found are halved, all in each round.
    """
    high = float(load.max())
    if high <= 0.0:
        return 0.0, 0.0, 0.0
    lasting = _lasting(time, load)
    low, top = np.array([0.0]), np.array([high])
    after, until = lasting(low), lasting(top)
    """The times above the lower and the upper levels."""
    best = max(zip(badness(top, until), top, until, strict=True))
    best = max([best, *zip(badness(low, after), low, after, strict=True)])
    while len(low):
        middle = 0.5 * (low + top)
        open_ = badness(top, after) > best[0] * (1.0 + CLOSE)
        open_ &= (low < middle) & (middle < top)
        low, middle, top = low[open_], middle[open_], top[open_]
        between = lasting(middle)
        best = max([best, *zip(badness(middle, between), middle, between, strict=True)])
        after = np.concatenate([after[open_], between])
        low, top = np.concatenate([low, middle]), np.concatenate([middle, top])
    value, level, duration = map(float, best)
    return value, level, duration


def _lasting(time: Array, load: Array) -> Callable[[Array], Array]:
    """Give what tells the time at or above levels, all spells together (s).

    Steps that are above as a whole are found by their order, those that cross one by one.
    """
    low, top = np.minimum(load[:-1], load[1:]), np.maximum(load[:-1], load[1:])
    step, order = np.diff(time), np.argsort(low)
    floors = low[order]
    above = np.concatenate([np.cumsum(step[order][::-1])[::-1], [0.0]])

    def lasting(levels: Array) -> Array:
        n, k = np.nonzero((low < levels[:, None]) & (levels[:, None] < top))
        parts = step[k] * (top[k] - levels[n]) / (top[k] - low[k])
        crossing = np.bincount(n, parts, minlength=len(levels))
        return np.asarray(above[np.searchsorted(floors, levels)] + crossing)

    return lasting


def by_duration(time: Array, load: Array, points: Points) -> Measure:
    """Give the largest load as a part of the limit for the time that it is exceeded for."""
    value, level, duration = worst(time, load, lambda f, d: f / limit_at(points, d))
    note = Sentence(
        "{level:.4g} N for {duration:.3g} ms in all, where {limit:.4g} N may be",
        level=level,
        duration=1e3 * duration,
        limit=float(limit_at(points, duration)),
    )
    if 0.0 < duration < time[-1] - time[0]:
        kept = clip_summed(time, load, duration)
        return Measure(value, kept.t1, kept.t2, note)
    at = float(time[int(np.argmax(load))])
    return Measure(value, at, at, note)


# Single masses on a spring and a damper, driven at their foot: x'' + c x' + k x = a, from rest.


def deflection(time: Array, drive: Array, damping: float, stiffness: float) -> Array:
    """Give x at all samples, exact for a drive that goes straight between them.

    The state y = (x, x') goes from sample to sample by y+ = E y + F a + H a+, which a filter does for
    x alone. What the drive is at the first sample acts as a step, the rest rises from there.
    """
    step = period(time)
    A, B = np.array([[0.0, 1.0], [-stiffness, -damping]]), np.array([0.0, 1.0])
    inverse = np.array([[-damping / stiffness, -1.0 / stiffness], [1.0, 0.0]])
    E = _exponential(A, step)
    held = inverse @ (E - np.eye(2)) @ B
    H = inverse @ (held / step - B)
    F = held - H
    turned = np.trace(E) * np.eye(2) - E
    below = np.array([1.0, -np.trace(E), np.linalg.det(E)])
    of_step = np.array([0.0, held[0], -(turned @ held)[0]])
    of_rest = np.array([H[0], F[0] - (turned @ H)[0], -(turned @ F)[0]])
    first = np.full(len(drive), drive[0])
    out: Array = passed(of_step, below, first) + passed(of_rest, below, drive - first)
    return out


def _exponential(A: Array, step: float) -> Array:
    """Give exp(A step) of a matrix (2, 2): by its mean eigenvalue and the distance of the two from it."""
    mean = 0.5 * float(np.trace(A))
    away = np.sqrt(complex(mean**2 - float(np.linalg.det(A))))
    sine = step if away == 0.0 else (np.sinh(away * step) / away).real
    rest = A - mean * np.eye(2)
    out: Array = np.exp(mean * step) * (np.cosh(away * step).real * np.eye(2) + sine * rest)
    return out


def response_index(time: Array, acceleration: Array, omega: float, ratio: float) -> Array:
    """Give omega^2 x over time: the acceleration (m/s2) that would hold the spring at x."""
    return omega**2 * deflection(time, acceleration, 2.0 * ratio * omega, omega**2)


def coupled(time: Array, drive: Array, stiffness: Array, damping_time: float) -> Array:
    """Give x (3, T) of three unit masses with C = damping_time * K, mode by mode."""
    squares, shapes = np.linalg.eigh(stiffness)
    modes = [
        deflection(time, row, damping_time * float(square), float(square))
        for row, square in zip(shapes.T @ drive, squares, strict=True)
    ]
    out: Array = shapes @ np.stack(modes)
    return out
