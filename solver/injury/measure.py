"""What every criterion gives."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.base.words import NOTHING, Sentence

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
