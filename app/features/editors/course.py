"""Give the course of a function for drawing, and say what holds beyond its ends; no Qt."""

from __future__ import annotations

from typing import Any

import numpy as np

from app.curves.points import Points
from app.forms.units import Units
from solver.base.words import tr
from solver.engine.maths.rotation import Array
from solver.project.forms import samples
from solver.project.functions import Constant, Table

_BEYOND = 0.12
"""How far the lines beyond the ends are drawn, in parts of the span."""

Ends = list[tuple[list[float], list[float]]]


def course(form: Any, points: Points) -> tuple[Array, Array, Ends]:
    """Give arguments and values (SI) between the ends, and the level lines beyond them."""
    if isinstance(form, Table):
        x, y = np.asarray(points[0], float), np.asarray(points[1], float)
        if form.between != "lines" and np.all(np.diff(x) > 0.0):
            drawn = Table(x=tuple(points[0]), y=tuple(points[1]), between=form.between)
            x, y = samples(drawn)
    elif isinstance(form, Constant):
        x, y = np.array([0.0, 1.0]), np.full(2, form.value)
    else:
        x, y = samples(form)
    if not len(x):
        return x, y, []
    reach = _BEYOND * (float(x[-1] - x[0]) or abs(float(x[0])) or 1.0)
    first, last = float(x[0]), float(x[-1])
    ends = [([first - reach, first], [float(y[0])] * 2), ([last, last + reach], [float(y[-1])] * 2)]
    return x, y, ends


def beyond(form: Any, points: Points, si: tuple[str, str], units: Units) -> str:
    """Say what the value is below the first and beyond the last argument."""
    if isinstance(form, Constant):
        return tr("The same value everywhere.")
    x, y, _ = course(form, points)
    if not len(x):
        return ""

    def said(value: float, unit: str) -> str:
        return units.with_unit(units.short(float(value), unit), unit)

    below, after = said(y[0], si[1]), said(y[-1], si[1])
    return tr(
        "Below {x_first} it stays {below}; beyond {x_last} it stays {after}.",
        x_first=said(x[0], si[0]),
        below=below,
        x_last=said(x[-1], si[0]),
        after=after,
    )
