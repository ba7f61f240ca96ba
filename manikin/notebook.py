"""How things look in a notebook: headings, tables, curves. What comes from a file is escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape

import numpy as np

from solver.results.trajectory import Array

WIDTH, HEIGHT, MOST = 480, 120, 400
"""The size of a drawn curve, and its points at most."""


def drawn(time: Array, value: Array, unit: str) -> str:
    """Draw values over time, with their range; nothing where there are none."""
    known = np.isfinite(value)
    if not known.any():
        return ""
    time, value = time[known], value[known]
    # of each piece the least and the largest, so that no peak is lost
    pieces = np.array_split(np.arange(len(value)), min(len(value), MOST // 2))
    shown = np.unique([at for p in pieces for at in (p[value[p].argmin()], p[value[p].argmax()])])
    low, high = float(value.min()), float(value.max())
    x = WIDTH * (time[shown] - time[0]) / (time[-1] - time[0] or 1.0)
    y = HEIGHT * (high - value[shown]) / (high - low or 1.0)
    points = " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
    return (
        f"<svg viewBox='-2 -2 {WIDTH + 4} {HEIGHT + 4}' width='{WIDTH}' height='{HEIGHT}'>"
        f"<polyline points='{points}' fill='none' stroke='currentColor'/></svg>"
        f"<div>{low:.4g} to {high:.4g} {escape(unit)}</div>"
    )


def heading(title: str, said: str = "") -> str:
    """Write a title in bold, and words after it."""
    return f"<div><b>{escape(title)}</b> {escape(said)}</div>"


def table(rows: Iterable[Sequence[str]], heads: Sequence[str] = ()) -> str:
    """Write rows of words below their headings; nothing where there are no rows."""

    def line(words: Sequence[str], mark: str) -> str:
        cells = "".join(
            f"<{mark} style='text-align:left'>{escape(word)}</{mark}>" for word in words
        )
        return f"<tr>{cells}</tr>"

    body = "".join(line(row, "td") for row in rows)
    return f"<table>{line(heads, 'th') if heads else ''}{body}</table>" if body else ""
