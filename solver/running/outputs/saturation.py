"""Watch actuators that stand at their limit most of the time: such a one does not hold its target."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.base.words import Sentence, msgid
from solver.engine.dynamics.tree import Array
from solver.engine.forces.coordinates.arrays import SEEN_DRIVE
from solver.engine.integrate.samples import Samples
from solver.model.compile import Model
from solver.model.timed import Timed
from solver.project.actuators import Actuator
from solver.results.events import named

MOST, FEWEST = 0.5, 10
"""Part of the samples at which it gave anything, and least number of these, from which it is told."""

SATURATED = msgid(
    "note: {what} gave its limit, {limit:.4g} {unit}, for {share:.0%} of the time in which it acted: "
    "it does not hold its target"
)
SEVERAL = msgid(
    "note: {count} actuators of '{group}' gave their limits for more than half of the time in which they acted, {what} "
    "most of all, for {share:.0%}: they do not hold their targets"
)


class Saturation:
    """Count at how many samples actuators act, and at how many they give their limit.

    Watched are elements of which one actuator is all that acts by itself.
    """

    def __init__(self, model: Model) -> None:
        self._rows: list[tuple[int, str, float, str, str]] = []
        for n, one in enumerate(model.project.coordinate_forces):
            timed = [law for law in one.laws if isinstance(law, Timed)]
            if len(timed) == 1 and isinstance(timed[0], Actuator) and timed[0].limit is not None:
                unit = "N*m" if one.coordinate.turns else "N"
                path = f"coordinate_forces/{one.id}"
                self._rows.append((n, path, timed[0].limit, unit, one.group))
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
        """Say which of them stood at their limit: of several in one group, such as a posture, how many."""
        told: dict[str, list[tuple[float, str, float, str]]] = {}
        for (_, path, limit, unit, group), acts, full in zip(
            self._rows, *self._counts, strict=True
        ):
            if acts >= FEWEST and full > MOST * acts:
                told.setdefault(group or path, []).append((float(full / acts), path, limit, unit))
        for group, found in told.items():
            share, path, limit, unit = max(found)
            if len(found) > 1:
                yield Sentence(SEVERAL, count=len(found), group=group, what=named(path), share=share)  # fmt: skip
            else:
                yield Sentence(SATURATED, what=named(path), limit=limit, unit=unit, share=share)
