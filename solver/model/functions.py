"""Make the project's functions into numbered curves."""

from __future__ import annotations

from solver.maths import curve
from solver.maths.curve import NONE, Curve, Curves
from solver.project.document import Project
from solver.project.functions import Constant, Function, Polynomial, Table, TwoRanges


def _curve(form: Constant | Table | Polynomial | TwoRanges) -> Curve:
    if isinstance(form, Constant):
        return curve.constant(form.value)
    if isinstance(form, Table):
        return curve.table(form.x, form.y)
    if isinstance(form, Polynomial):
        return curve.polynomial(form.coefficients, form.x_min, form.x_max)
    return curve.split(_curve(form.first), _curve(form.second), form.split)


def curve_of(function: Function) -> Curve:
    """Give a function's pieces."""
    return _curve(function.form)


class Numbered:
    """Number the curves that elements ask for: functions by id, and constants."""

    def __init__(self, project: Project) -> None:
        self._by_id = {f.id: curve_of(f) for f in project.functions}
        self._curves: list[Curve] = []
        self._numbers: dict[str | float, int] = {}

    def __getitem__(self, id_: str) -> Curve:
        """Give a function's pieces by its id."""
        return self._by_id[id_]

    def number(self, wanted: str | float | None) -> int:
        """Give the number of a function, of a constant, or of none."""
        if wanted is None:
            return NONE
        if wanted not in self._numbers:
            made = self._by_id[wanted] if isinstance(wanted, str) else curve.constant(wanted)
            self._numbers[wanted] = len(self._curves)
            self._curves.append(made)
        return self._numbers[wanted]

    def add(self, name: str, made: Curve) -> int:
        """Give a number to a curve that is no function of the project."""
        self._numbers[name] = len(self._curves)
        self._curves.append(made)
        return self._numbers[name]

    def curves(self) -> Curves:
        """Give all that were asked for."""
        return curve.joined(self._curves)
