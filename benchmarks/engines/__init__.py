"""One file for each program that is measured, all with the same face."""

from __future__ import annotations

import itertools
import statistics
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from benchmarks.bodies import Body
from solver.dynamics.tree import Array

END = 1.0
"""Time of the motion that is compared (s)."""

GOAL = 3e-6
"""Error of the segments' places after it that counts as reached (m)."""


class NotHere(Exception):
    """Say why a program cannot be measured in this environment."""


@dataclass(frozen=True, slots=True)
class Trial:
    """Hold one motion of `END` seconds: how it was made, its wall time and where it ended."""

    method: str
    setting: str
    seconds: float
    evaluations: int
    places: Array
    """Mass centres of all segments at the end (m)."""


class Engine(Protocol):
    """Measure one program; made once for one body, raises `NotHere` if that is impossible."""

    name: str
    timed: str
    """What exactly is timed as one evaluation, in a few words."""

    def __init__(self, body: Body) -> None: ...

    def evaluation(self, repeats: int) -> float:
        """Give the median time (s) of one evaluation of all accelerations."""
        ...

    def motions(self) -> Iterator[Iterator[Trial]]:
        """Give each method's trials from coarse to fine."""
        ...


def median(measure: Callable[[], float], repeats: int) -> float:
    """Give the median of measured times after one that warms up."""
    measure()
    return statistics.median(measure() for _ in range(repeats))


def finer(first: float, factor: float, count: int) -> Iterator[int]:
    """Give numbers of steps, from coarse to fine."""
    return itertools.islice((round(first * factor**k) for k in itertools.count()), count)
