"""How a model, a run and a curve look in a notebook. What comes from a file is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from typing import TYPE_CHECKING

import numpy as np

from solver.project import LISTS

if TYPE_CHECKING:
    from manikin.curves import Curve
    from manikin.model import Model
    from manikin.results import Run

WIDTH, HEIGHT, MOST = 480, 120, 400
"""The size of a drawn curve, and its points at most."""


def of_model(model: Model) -> str:
    """Its title, what it has, and its problems."""
    project = model.project
    rows = [
        (name.replace("_", " "), ", ".join(one.id for one in getattr(project, name)))
        for name in LISTS
        if getattr(project, name)
    ]
    return _heading(project.title or "Model") + _table(rows)


def of_run(run: Run) -> str:
    """Its title, how it ended, and its injury figures beside their limits."""
    time = run.time
    end = f"{1e3 * float(time[-1]):.6g} ms" if len(time) else "nothing"
    said = f"{run.status}, {end}" + (f": {run.message}" if run.message else "")
    figures = [
        (one.name, f"{one.value:.4g}", "" if one.unit == "1" else one.unit, one.share_text)
        for one in run.injury
    ]  # fmt: skip
    return _heading(run.model.project.title or "Run", said) + _table(
        figures, ("figure", "value", "unit", "part of the limit")
    )


def of_curve(curve: Curve) -> str:
    """Its name and unit, drawn over time."""
    known = np.isfinite(curve.value)
    if not known.any():
        return _heading(repr(curve)[1:-1])
    time, value = curve.time[known], curve.value[known]
    # of each piece the least and the largest, so that no peak is lost
    pieces = np.array_split(np.arange(len(value)), min(len(value), MOST // 2))
    shown = np.unique([at for p in pieces for at in (p[value[p].argmin()], p[value[p].argmax()])])
    low, high = float(value.min()), float(value.max())
    x = WIDTH * (time[shown] - time[0]) / (time[-1] - time[0] or 1.0)
    y = HEIGHT * (high - value[shown]) / (high - low or 1.0)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    return (
        _heading(curve.name, repr(curve).partition(": ")[2][:-1])
        + f"<svg viewBox='-2 -2 {WIDTH + 4} {HEIGHT + 4}' width='{WIDTH}' height='{HEIGHT}'>"
        + f"<polyline points='{points}' fill='none' stroke='currentColor'/></svg>"
        + f"<div>{low:.4g} to {high:.4g} {escape(curve.unit)}</div>"
    )


def _heading(title: str, said: str = "") -> str:
    return f"<div><b>{escape(title)}</b> {escape(said)}</div>"


def _table(rows: Iterable[Sequence[str]], heads: Sequence[str] = ()) -> str:
    def line(words: Sequence[str], mark: str) -> str:
        cells = "".join(
            f"<{mark} style='text-align:left'>{escape(word)}</{mark}>" for word in words
        )
        return f"<tr>{cells}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table>{line(heads, 'th') if heads else ''}{body}</table>" if body else ""
