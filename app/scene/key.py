"""Say what is written over the scene of a run: scales of colour, signs of forces, words at places."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.scene.tones import mixed

ForceKind = Literal["contacts", "webbing", "airbags"]
LENGTH_M = 0.1
"""Length of the arrow of 1 kN; four times the force makes it twice as long."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Hold what colours mean: a title with its unit, the colours from nothing up, and the top as written."""

    title: str
    tones: tuple[str, ...]
    top: str


@dataclass(frozen=True, slots=True)
class Sign:
    """Hold what an arrow of one form and colour means."""

    words: str
    tone: str
    kind: ForceKind


@dataclass(frozen=True, slots=True)
class Tag:
    """Hold words that are written at a place (m, ground axes)."""

    place: tuple[float, float, float]
    words: str
    other: tuple[float, float, float] | None = None
    """Where there is one, words begin at the place, in lines; without room there they lie above this other one."""


@dataclass(frozen=True, slots=True)
class Key:
    """Hold all of it; `note` says how large arrows are."""

    scales: tuple[Scale, ...] = ()
    signs: tuple[Sign, ...] = ()
    note: str = ""
    tags: tuple[Tag, ...] = ()


NO_KEY = Key()


def tone_at(tones: tuple[str, ...], part: float) -> tuple[float, float, float]:
    """Give the colour at a part (0 to 1) of a scale."""
    place = float(np.clip(part, 0.0, 1.0)) * (len(tones) - 1)
    k = min(int(place), len(tones) - 2)
    return mixed(tones[k], tones[k + 1], place - k)


def rounded_up(value: float) -> float:
    """Give the next plain number: one or two digits and a power of ten."""
    if value <= 0.0:
        return 1.0
    power = 1.0
    while power * 10.0 <= value:
        power *= 10.0
    while power > value:
        power /= 10.0
    return next(power * step for step in _PLAIN if power * step >= value)


_PLAIN = (1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0)
