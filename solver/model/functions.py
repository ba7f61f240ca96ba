"""Make the project's functions into numbered curves."""

from __future__ import annotations

import numpy as np

from solver.engine.maths import curve
from solver.engine.maths.curve import NONE, Curve, Curves
from solver.project.document import Project
from solver.project.histories import curve_of

MISSED = 1e-3
"""Part of what a history brings in all that its straight summary between two stops may miss."""


def stops(made: Curve) -> list[float]:
    """Give the times above zero at which steps end, so that none goes past what a history brings.

    Of the breaks those without which its running sum would be drawn wrong (Douglas and Peucker).
    """
    curves = curve.joined([made])
    t = np.unique(made.start)
    brought = np.array([curve.curve_area(curves, 0, x) for x in t])
    allowed = MISSED * float(np.ptp(brought))
    kept, spans = {0, len(t) - 1}, [(0, len(t) - 1)]
    while spans:
        i, j = spans.pop()
        if j - i < 2:
            continue
        line = np.interp(t[i : j + 1], t[[i, j]], brought[[i, j]])
        k = i + int(np.argmax(np.abs(brought[i : j + 1] - line)))
        if abs(brought[k] - line[k - i]) > allowed:
            kept.add(k)
            spans += [(i, k), (k, j)]
    return [float(t[k]) for k in sorted(kept) if t[k] > 0.0]


class Numbered:
    """Number the curves that elements ask for: functions by id, and constants."""

    def __init__(self, project: Project) -> None:
        self._functions = {f.id: f for f in project.functions}
        self._by_id: dict[str, Curve] = {}
        self._curves: list[Curve] = []
        self._numbers: dict[str | float, int] = {}

    def __getitem__(self, id_: str) -> Curve:
        """Give a function's pieces by its id; they are made once, and only where they are asked for."""
        if id_ not in self._by_id:
            self._by_id[id_] = curve_of(self._functions[id_])
        return self._by_id[id_]

    def number(self, wanted: str | float | None) -> int:
        """Give the number of a function, of a constant, or of none."""
        if wanted is None:
            return NONE
        if wanted not in self._numbers:
            self._numbers[wanted] = len(self._curves)
            self._curves.append(self.curve(wanted))
        return self._numbers[wanted]

    def curve(self, wanted: str | float) -> Curve:
        """Give the pieces of a function, or of a constant."""
        return self[wanted] if isinstance(wanted, str) else curve.constant(wanted)

    def has(self, name: str) -> bool:
        """Say whether a curve has its number already."""
        return name in self._numbers

    def value(self, wanted: str | float, x: float) -> float:
        """Give the value of a function, or of a constant, at a place."""
        if not isinstance(wanted, str):
            return wanted
        return float(curve.curve_at(curve.joined([self[wanted]]), 0, x)[0])

    def add(self, name: str, made: Curve) -> int:
        """Give a number to a curve that is no function of the project."""
        self._numbers[name] = len(self._curves)
        self._curves.append(made)
        return self._numbers[name]

    def curves(self) -> Curves:
        """Give all that were asked for."""
        return curve.joined(self._curves)
