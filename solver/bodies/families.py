"""How far the fitted laws of each dummy may move, and how much other sets that pass its tests differ.

`resources/dummies/families.json` is written by `python -m tools.dummies.family`.
"""

from __future__ import annotations

import functools
import json
from dataclasses import dataclass
from typing import Any

from solver.base.places import resources
from solver.bodies.certificates import fingerprint

FILE = "families.json"
FURTHEST = 4.0
"""Factor up to which a law was moved either way."""
FASTER = 1.4
"""Second speed, in parts of the speed of the test."""


@dataclass(frozen=True, slots=True)
class Figure:
    """Name a figure of the bench by its test and its place there."""

    test: str
    figure: int


@dataclass(frozen=True, slots=True)
class End:
    """Hold how far a law may move alone, as a factor, and the figure that leaves its corridor there; none: none."""

    factor: float
    fails: Figure | None


@dataclass(frozen=True, slots=True)
class Margin:
    """Hold a fitted number, its ends, and what it moves most: by how many halves of the corridor for a tenth more."""

    law: str
    group: str
    value: float
    lower: End
    upper: End
    by: float
    moves: Figure


@dataclass(frozen=True, slots=True)
class Apart:
    """Hold a curve of the sets that pass: peaks, and how far they lie apart at most in parts of the fitted peak."""

    test: str
    curve: str
    faster: bool
    peak: float
    least: float
    largest: float
    apart: float


@dataclass(frozen=True, slots=True)
class Family:
    """Hold the sets that pass among those that were tried, from the fitted one onwards."""

    group: str
    seed: int
    tried: int
    passed: int
    spread: dict[str, tuple[float, float]]
    curves: tuple[Apart, ...]


@dataclass(frozen=True, slots=True)
class Families:
    """Hold what is known of a dummy's fit."""

    margins: tuple[Margin, ...]
    families: tuple[Family, ...]
    is_current: bool
    """Whether the dummy's file is the one that was looked at."""


@functools.cache
def families_of(name: str) -> Families | None:
    """Give what is known of a dummy's fit; none where it was not looked at."""
    file = resources() / "dummies" / FILE
    kept: dict[str, Any] = json.loads(file.read_text(encoding="utf-8")).get(name, {})
    if not kept:
        return None
    return Families(
        tuple(_margin(one) for one in kept["laws"]),
        tuple(_family(one) for one in kept["families"]),
        kept["of"] == fingerprint(name),
    )


def _margin(one: dict[str, Any]) -> Margin:
    moves = one["moves"]
    return Margin(
        one["law"], one["group"], one["value"], _end(one["lower"]), _end(one["upper"]), moves["by"],
        Figure(moves["test"], moves["figure"]),
    )  # fmt: skip


def _end(one: dict[str, Any]) -> End:
    return End(one["factor"], Figure(one["test"], one["figure"]) if "test" in one else None)


def _family(one: dict[str, Any]) -> Family:
    spread = {law: (ends[0], ends[1]) for law, ends in one["spread"].items()}
    curves = tuple(Apart(**curve) for curve in one["curves"])
    return Family(one["group"], one["seed"], one["tried"], one["passed"], spread, curves)
