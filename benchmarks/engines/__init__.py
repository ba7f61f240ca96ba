"""One file for each program that is measured, all with the same face."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

from benchmarks.bodies import Body
from solver.engine.dynamics.tree import Array

END = 1.0
"""Time of the motion that is compared (s)."""

GOAL = 3e-6
"""Error of the segments' places after it that counts as reached (m)."""


INSTALL = '`pip install -e ".[dev,peers]"`'
"""What installs the other programs: in quotes, as shells have other uses for brackets."""


class NotHere(Exception):
    """Say why a program cannot be measured in this environment."""


@dataclass(frozen=True, slots=True)
class Trial:
    """One motion of `END` seconds: how it was made, its wall time and where it ended."""

    method: str
    setting: str
    seconds: float
    evaluations: int | None
    places: Array
    """Mass centres of all segments at the end (m)."""


Attempts = Iterator[Iterator[Callable[[], Trial]]]
"""For each method its trials from coarse to fine; each can be repeated."""


class Engine(Protocol):
    """Measure one program; made once for one body, raises `NotHere` if that is impossible."""

    name: str
    timed: str
    """What exactly is timed as one evaluation, in a few words."""

    def __init__(self, body: Body) -> None: ...

    def evaluation(self) -> float:
        """The time (s) of one evaluation of all accelerations."""
        ...

    def motions(self) -> Attempts:
        """Give trials of all methods."""
        ...


def warm(measure: Callable[[], float]) -> float:
    """Measure twice and give the second time, when caches are warm."""
    measure()
    return measure()


def finer(first: float, factor: float, count: int) -> Iterator[int]:
    """Numbers of steps, from coarse to fine."""
    return itertools.islice((round(first * factor**k) for k in itertools.count()), count)
