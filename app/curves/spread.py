"""How far the curves of several runs lie apart: from the lowest to the highest, or the mean and its deviation; no Qt."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from app.curves.curves import Curve, Wanted
from solver.base.words import tr
from solver.engine.maths.rotation import Array

Kind = Literal["lines", "range", "deviation"]
"""How other runs are drawn beside the current one: each dashed, or all together as a band."""


@dataclass(frozen=True, slots=True)
class Spread:
    """Hold a band over time (ms) of one quantity of several runs, and what lies in the middle of it."""

    wanted: Wanted
    unit: str
    time_ms: Array
    low: Array
    high: Array
    middle: Array
    words: str


def spread(curves: Sequence[Curve], kind: Kind) -> Spread | None:
    """Give the band of one quantity's curves, for the time that all of them share; None of fewer than two.

    The deviation is that of a sample, with n - 1.
    """
    told = [one for one in curves if len(one.time_ms) > 1 and one.unit == curves[0].unit]
    if len(told) < 2 or kind == "lines":
        return None
    start = max(float(one.time_ms[0]) for one in told)
    end = min(float(one.time_ms[-1]) for one in told)
    finest = max(told, key=lambda one: len(one.time_ms)).time_ms
    time = finest[(finest >= start) & (finest <= end)]
    if len(time) < 2:
        return None
    values = np.stack([np.interp(time, one.time_ms, one.value) for one in told])
    if kind == "range":
        low, high = values.min(axis=0), values.max(axis=0)
        words = tr("band: lowest to highest of {n} runs", n=len(told))
    else:
        mean, off = values.mean(axis=0), values.std(axis=0, ddof=1)
        low, high = mean - off, mean + off
        words = tr("band: mean ± one standard deviation of {n} runs", n=len(told))
    return Spread(told[0].wanted, told[0].unit, time, low, high, values.mean(axis=0), words)
