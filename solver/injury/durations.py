"""Loads by how long they last: what is above a level for a time in all, against a limit that falls with it.

UN R94, 5.2.1.2 and 5.2.1.6 limit shear and tension of the neck and the force in the femur so. All spells
above a level count together, as in Euro NCAP's cumulative exceedence.
"""

from __future__ import annotations

import heapq
from collections.abc import Callable, Sequence

import numpy as np

from solver.injury.measure import Array, Measure
from solver.signals import clip_summed, time_above
from solver.words import Sentence

CLOSE = 1e-7
"""Part of the value within which the largest one is looked for."""

Points = Sequence[tuple[float, float]]
"""Durations (s) and limits; straight between, level beyond."""


def limit_at(points: Points, duration: float) -> float:
    """Give the limit for a load that lasts for a duration."""
    at, limits = zip(*points, strict=True)
    return float(np.interp(duration, list(at), list(limits)))


def worst(
    time: Array, load: Array, badness: Callable[[float, float], float]
) -> tuple[float, float, float]:
    """Give the largest badness(level, time above it in all) of a load, that level and that time.

    `badness` never falls as either grows, so that between two levels it is at most that of the higher
    level and the longer time: intervals that promise less than what is found are left alone.
    """
    high = float(load.max())
    if high <= 0.0:
        return 0.0, 0.0, 0.0

    def lasting(level: float) -> float:
        return float(time_above(time, load, level))

    times = {level: lasting(level) for level in (0.0, high)}
    best = max((badness(level, d), level, d) for level, d in times.items())
    open_ = [(-badness(high, times[0.0]), 0.0, high)]
    while open_:
        promise, low, top = heapq.heappop(open_)
        if -promise <= best[0] * (1.0 + CLOSE):
            break
        middle = 0.5 * (low + top)
        if not low < middle < top:
            continue
        times[middle] = lasting(middle)
        best = max(best, (badness(middle, times[middle]), middle, times[middle]))
        for a, b in ((low, middle), (middle, top)):
            heapq.heappush(open_, (-badness(b, times[a]), a, b))
    return best


def by_duration(time: Array, load: Array, points: Points) -> Measure:
    """Give the largest load as a part of the limit for the time that it is exceeded for."""
    value, level, duration = worst(time, load, lambda f, d: f / limit_at(points, d))
    note = Sentence(
        "{level:.4g} N for {duration:.3g} ms in all, where {limit:.4g} N may be",
        level=level,
        duration=1e3 * duration,
        limit=limit_at(points, duration),
    )
    if 0.0 < duration < time[-1] - time[0]:
        kept = clip_summed(time, load, duration)
        return Measure(value, kept.t1, kept.t2, note)
    at = float(time[int(np.argmax(load))])
    return Measure(value, at, at, note)
