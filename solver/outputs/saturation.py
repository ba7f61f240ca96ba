"""Watch actuators that stand at their limit most of the time: such a one does not hold its target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.dynamics.tree import Array
from solver.forces.coordinates.arrays import SEEN_DRIVE
from solver.integrate.samples import Samples
from solver.model.compile import Model
from solver.model.timed import Timed
from solver.project.actuators import Actuator
from solver.results.events import named
from solver.words import Sentence, msgid

MOST, FEWEST = 0.5, 10
"""Part of the samples at which it gave anything, and least number of these, from which it is told."""

SATURATED = msgid(
    "note: {what} gave its limit, {limit:.4g} {unit}, for {share:.0%} of the time in which it acted: "
    "it does not hold its target"
)


class Saturation:
    """Count at how many samples actuators act, and at how many they give their limit.

    Watched are elements of which one actuator is all that acts by itself.
    """

    def __init__(self, model: Model) -> None:
        self._rows: list[tuple[int, str, float, str]] = []
        for n, one in enumerate(model.project.coordinate_forces):
            timed = [law for law in one.laws if isinstance(law, Timed)]
            if len(timed) == 1 and isinstance(timed[0], Actuator) and timed[0].limit is not None:
                unit = "N*m" if one.coordinate.turns else "N"
                self._rows.append((n, f"coordinate_forces/{one.id}", timed[0].limit, unit))
        self._counts = np.zeros((2, len(self._rows)), np.int64)

    def memory(self) -> tuple[Any, ...]:
        """Give what has been counted."""
        return (self._counts,)

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        (self._counts,) = memory

    def take(self, time: Array, samples: Samples) -> None:
        """Take the next samples."""
        if not self._rows:
            return
        given = np.abs(samples.coordinates[: len(time), [row[0] for row in self._rows], SEEN_DRIVE])
        limit = np.array([row[2] for row in self._rows])
        acts, full = given > 0.0, given >= limit * (1.0 - 1e-9)
        self._counts = self._counts + np.array([acts.sum(axis=0), full.sum(axis=0)])

    def sentences(self) -> Iterator[Sentence]:
        """Say which of them stood at their limit."""
        for (_, path, limit, unit), acts, full in zip(self._rows, *self._counts, strict=True):
            if acts >= FEWEST and full > MOST * acts:
                yield Sentence(
                    SATURATED, what=named(path), limit=limit, unit=unit, share=float(full / acts)
                )
