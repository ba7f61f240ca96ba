"""Hold one force on a segment over a run, and where it comes from."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from solver.engine.maths.rotation import Array
from solver.results.trajectory import Table

SOURCES = (
    "weight", "joints", "contacts", "belts", "airbags", "springs", "muscles", "constraints", "drivers", "loads",
    "winds", "motion", "rest",
)  # fmt: skip
"""Kinds of what acts; motion is what moves a segment as prescribed, the rest what results do not tell."""

Tables = Callable[[str], Table]
"""Give a group of a run's frames by its name."""


@dataclass(frozen=True, slots=True)
class Share:
    """Hold one force on the segment: its kind, the element it comes from, and its course (T, 3) N, ground axes.

    `points` (T, 3) m are where it acts; None where that is the mass centre, or not known.
    """

    source: str
    element: str
    forces: Array
    points: Array | None = None

    def along(self, way: Array) -> Array:
        """Give the part of it in directions (T, 3), or in one (N)."""
        part: Array = (self.forces * way).sum(axis=-1)
        return part
