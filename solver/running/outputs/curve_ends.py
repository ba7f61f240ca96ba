"""Watch points that leave open curves, and couplings that leave their tables: there both go straight on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.base.words import Sentence, msgid
from solver.engine.dynamics.tree import Array
from solver.engine.forces.cams import CAM_BEYOND
from solver.engine.forces.couplings import FIRST
from solver.engine.integrate.samples import Samples
from solver.model.closures import cams_of, couplings_of
from solver.model.compile import Model
from solver.project.couplings import Coupled
from solver.project.functions import Polynomial, Table
from solver.results.events import named

OVER = 1e-9
"""By how much (m or rad) a thing is beyond an end before it is told."""

BEYOND_CURVE = msgid(
    "{what} left its open curve at {first:.4g} ms and went up to {mm:.4g} mm beyond its end, where the curve goes straight on"
)
BEYOND_TABLE = msgid(
    "{what} left the table of '{curve}' at {first:.4g} ms and went up to {amount:.4g} {unit} beyond its end, where it goes straight on"
)


class CurveEnds:
    """Take samples as they come; keep by how much each went beyond an end, and since when."""

    def __init__(self, model: Model) -> None:
        functions = {one.id: one for one in model.project.functions}
        self._curves = [f"constraints/{c.id}" for c in cams_of(model.project)]
        self._tables: list[tuple[int, str, str, str, float, float]] = []
        for n, one in enumerate(couplings_of(model.project)):
            if not isinstance(one, Coupled) or one.function is None:
                continue
            form = functions[one.function].form
            ends = None
            if isinstance(form, Table) and form.x:
                ends = form.x[0], form.x[-1]
            elif isinstance(form, Polynomial):
                ends = form.x_min, form.x_max
            if ends is not None:
                unit = "rad" if one.first.turns else "m"
                self._tables.append((n, f"constraints/{one.id}", one.function, unit, *ends))
        count = len(self._curves) + len(self._tables)
        self._most, self._first = np.zeros(count), np.full(count, np.nan)

    def memory(self) -> tuple[Any, ...]:
        """What has been seen."""
        return self._most, self._first

    def recall(self, memory: tuple[Any, ...]) -> None:
        """Follow on from there."""
        self._most, self._first = memory

    def take(self, time: Array, samples: Samples) -> None:
        """Take the next samples."""
        if not len(self._most):
            return
        rows = len(time)
        off = [samples.cams[:rows, n, 4 + CAM_BEYOND] for n in range(len(self._curves))]
        for n, _, _, _, low, high in self._tables:
            x = samples.couplings[:rows, n, FIRST]
            off.append(np.maximum(np.maximum(low - x, x - high), 0.0))
        for n, one in enumerate(off):
            beyond = one > OVER
            if np.isnan(self._first[n]) and np.any(beyond):
                self._first[n] = time[np.argmax(beyond)]
            self._most[n] = max(self._most[n], float(np.max(one, initial=0.0)))

    def sentences(self) -> Iterator[Sentence]:
        """Say what went beyond an end."""
        for n in np.flatnonzero(~np.isnan(self._first)):
            first, most = 1e3 * float(self._first[n]), float(self._most[n])
            if n < len(self._curves):
                said = Sentence(BEYOND_CURVE, what=named(self._curves[n]), first=first, mm=1e3 * most)  # fmt: skip
            else:
                _, path, curve, unit, *_ = self._tables[n - len(self._curves)]
                said = Sentence(BEYOND_TABLE, what=named(path), curve=curve, first=first, amount=most, unit=unit)  # fmt: skip
            yield Sentence("warning: {what}", what=said)
