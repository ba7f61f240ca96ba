"""What a report says and in which order, before anyone decides how it looks: sentences, tables, panels, pictures."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from solver.base.words import tr
from solver.report.plots import Band, Curve

Array = NDArray[np.float64]
Tone = Literal["good", "near", "bad", "plain", "muted"]


@dataclass(frozen=True, slots=True)
class Cell:
    """One entry of a table: text, how it is judged, and a share of a limit to draw."""

    text: str
    tone: Tone = "plain"
    share: float | None = None
    number: bool = False


@dataclass(frozen=True, slots=True)
class Table:
    """A table; widths are parts of the page."""

    title: str
    heads: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    widths: tuple[float, ...]
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Span:
    """A stretch of time that a figure comes from, in the unit of the plot."""

    start: float
    end: float
    name: str


@dataclass(frozen=True, slots=True)
class Panel:
    """The curves of one plot, and the windows of figures that come from them."""

    title: str
    curves: tuple[Curve, ...]
    x_label: str
    spans: tuple[Span, ...] = ()
    bands: tuple[Band, ...] = ()


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of the model with its caption."""

    caption: str
    image: NDArray[np.uint8]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A sentence of the verdict and how it is judged."""

    tone: Tone
    text: str


@dataclass(frozen=True, slots=True)
class Bar:
    """A bar with a name: from zero to each of its ends, and half the width of its interval."""

    name: str
    ends: tuple[float, ...]
    half: float = 0.0


@dataclass(frozen=True, slots=True)
class Bars:
    """Hold bars below each other."""

    title: str
    bars: tuple[Bar, ...]
    x_label: str = ""


@dataclass(frozen=True, slots=True)
class Dots:
    """Points, those that keep all limits apart from the others, and a line through some numbers."""

    title: str
    x: Array
    y: Array
    kept: NDArray[np.bool_]
    x_label: str
    y_label: str
    line: tuple[Array, Array] | None = None
    line_name: str = ""
    growing: bool = False
    """Whether what stands up is never below zero and shown by powers of ten."""


@dataclass(frozen=True, slots=True)
class Heights:
    """Numbers whose spread is shown as a histogram, and limits beside them."""

    title: str
    values: Array
    x_label: str
    limits: tuple[float, ...] = ()


@dataclass(frozen=True, slots=True)
class Corridor:
    """Hold curves over time as shares: all, 5 to 95 and 25 to 75 %, and the middle (percentile, instant)."""

    title: str
    time: Array
    percentiles: Array
    x_label: str
    y_label: str


Chart = Bars | Dots | Heights | Corridor


@dataclass(frozen=True, slots=True)
class Section:
    """What begins a page of its own, such as a study or a bench test: sentences, tables, charts, curves."""

    title: str
    verdicts: tuple[Verdict, ...]
    tables: tuple[Table, ...]
    charts: tuple[Chart, ...] = ()
    panels: tuple[Panel, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """What happened about one time: each sentence with its instant, and a picture."""

    when: str
    sentences: tuple[tuple[str, str], ...]
    picture: Picture


@dataclass(frozen=True, slots=True)
class Story:
    """A run as it is explained: leading sentences, steps in order of time, tables."""

    title: str
    lead: tuple[str, ...]
    steps: tuple[Step, ...]
    tables: tuple[Table, ...] = ()


# The parts of a page from its top down. Who writes pages knows how each looks, and nothing of their order.


@dataclass(frozen=True, slots=True)
class Heading:
    """What a part is called that begins a page of its own."""

    words: str
    anchor: str = ""


@dataclass(frozen=True, slots=True)
class Head:
    """The title of the whole, and what it is of."""

    title: str
    subtitle: str


@dataclass(frozen=True, slots=True)
class Verdicts:
    """Sentences below each other, with the colour of how they are judged."""

    all: tuple[Verdict, ...]


@dataclass(frozen=True, slots=True)
class Strip:
    """Pictures beside each other, at one height."""

    pictures: tuple[Picture, ...]


@dataclass(frozen=True, slots=True)
class Words:
    """Plain sentences, each a paragraph."""

    lines: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Beside:
    """Tables and plots in two columns."""

    parts: tuple[Panel | Table, ...]


@dataclass(frozen=True, slots=True)
class Plots:
    """Plots, two beside each other."""

    all: tuple[Panel | Chart, ...]


@dataclass(frozen=True, slots=True)
class Lists:
    """Long lists in small letters, each with its heading."""

    all: tuple[tuple[str, tuple[str, ...]], ...]


Block = Head | Heading | Verdicts | Strip | Words | Step | Table | Beside | Plots | Lists


@dataclass(frozen=True, slots=True)
class Content:
    """Hold everything that a report says; `blocks` has it in order."""

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
    regions: Table | None = None
    """What stands before all other tables."""
    studies: tuple[Section, ...] = ()
    lists: tuple[tuple[str, tuple[str, ...]], ...] = ()
    stories: tuple[Story, ...] = ()

    def blocks(self) -> Iterator[Block]:
        """All that is said, from the first page on: every writer keeps this order."""
        yield Head(self.title, self.subtitle)
        yield Verdicts(self.verdicts)
        if self.pictures:
            yield Strip(self.pictures)
        if self.regions is not None:
            yield self.regions
        if self.injury.rows or self.injury.notes:
            yield self.injury
        pulse = () if self.pulse is None else (self.pulse,)
        yield Beside((*pulse, *self.tables))
        yield self.settings
        for story in self.stories:
            yield Heading(story.title, "story")
            yield Words(story.lead)
            yield from story.steps
            yield from story.tables
        if self.panels:
            yield Heading(tr("Curves"))
            yield Plots(self.panels)
        for section in self.studies:
            yield Heading(section.title)
            yield Verdicts(section.verdicts)
            yield Plots((*section.charts, *section.panels))
            yield from section.tables
        if self.lists:
            yield Lists(self.lists)


def text(value: str, tone: Tone = "plain") -> Cell:
    """A cell of words."""
    return Cell(value, tone)


def figure(value: float, digits: int = 4, tone: Tone = "plain") -> Cell:
    """A cell of a number with so many figures."""
    if not np.isfinite(value):
        return Cell("–", "muted", number=True)
    if value == 0.0:
        return Cell("0", tone, number=True)
    places = digits - 1 - int(np.floor(np.log10(abs(value))))
    if -3 < places <= 6:
        return Cell(f"{value:.{max(places, 0)}f}", tone, number=True)
    return Cell(f"{value:.{digits - 1}e}", tone, number=True)
