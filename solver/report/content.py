"""What a report says, before anyone decides how it looks: sentences, tables, panels, pictures."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from solver.plots import Band, Curve

Tone = Literal["good", "near", "bad", "plain", "muted"]


@dataclass(frozen=True, slots=True)
class Cell:
    """Hold one entry of a table: text, how it is judged, and a share of a limit to draw."""

    text: str
    tone: Tone = "plain"
    share: float | None = None
    number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """Hold a table; widths are parts of the page."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[float, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """Hold a stretch of time that a figure comes from, in the unit of the plot."""

    start: float
    end: float
    name: str


@dataclass(frozen=True, slots=True)
class Panel:
    """Hold the curves of one plot, and the windows of figures that come from them."""

    title: str
    curves: tuple[Curve, ...]
    x_label: str
    spans: tuple[Span, ...] = ()
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """Hold a picture of the model with its caption."""

    caption: str
    image: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Verdict:
    """Hold a sentence of the verdict and how it is judged."""

    tone: Tone
    text: str


@dataclass(frozen=True, slots=True)
class Content:
    """Hold everything that a report says."""

    title: str
    subtitle: str
    runs: tuple[str, ...]
    verdicts: tuple[Verdict, ...]
    pictures: tuple[Picture, ...]
    pulse: Panel | None
    injury: Table
    tables: tuple[Table, ...]
    settings: Table
    panels: tuple[Panel, ...] = field(default=())
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()


def text(value: str, tone: Tone = "plain") -> Cell:
    """Give a cell of words."""
    return Cell(value, tone)


def figure(value: float, digits: int = 4, tone: Tone = "plain") -> Cell:
    """Give a cell of a number with so many figures."""
    if not np.isfinite(value):
        return Cell("–", "muted", number=True)
    if value == 0.0:
        return Cell("0", tone, number=True)
    places = digits - 1 - int(np.floor(np.log10(abs(value))))
    if -3 < places <= 6:
        return Cell(f"{value:.{max(places, 0)}f}", tone, number=True)
    return Cell(f"{value:.{digits - 1}e}", tone, number=True)
