"""Draw the charts of studies: bars, points, histograms, corridors."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from solver.base.words import tr
from solver.report.content import Bars, Chart, Corridor, Dots, Heights, Span
from solver.report.plots.curves import COLOURS, INK, QUIET

if TYPE_CHECKING:
    from matplotlib.axes import Axes

# Marks on the curves of a report.


def draw_spans(axes: Axes, spans: Sequence[Span], size: float = 6.5) -> None:
    """Shade the windows of figures behind the curves, each with its name at its foot."""
    for n, span in enumerate(spans):
        axes.axvspan(
            span.start, span.end, color=QUIET, alpha=0.10 + 0.08 * n, linewidth=0, zorder=0
        )
        axes.text(
            0.5 * (span.start + span.end), 0.02 + 0.07 * n, span.name, fontsize=size, color=QUIET,
            ha="center", va="bottom", transform=axes.get_xaxis_transform(), parse_math=False,
        )  # fmt: skip


LOWER, UPPER, FRONT, OUT = COLOURS[0], COLOURS[1], COLOURS[2], "#B4BDC6"
BINS = 16
MOST_LETTERS = 22
"""Longer names of bars are cut."""


def names_room(plot: object, usual: float, named: float) -> float:
    """How much room is left of a plot: more where bars have their names there."""
    return named if isinstance(plot, Bars) else usual


def draw_chart(axes: Axes, chart: Chart, size: float = 7.0) -> None:
    """Draw a chart with its title; `size` is that of its small letters (pt)."""
    axes.set_title(chart.title, parse_math=False)
    match chart:
        case Bars():
            _bars(axes, chart, size)
        case Dots():
            _dots(axes, chart, size)
        case Heights():
            _heights(axes, chart, size)
        case Corridor():
            _corridor(axes, chart, size)
    axes.xaxis.label.set_parse_math(False)
    axes.yaxis.label.set_parse_math(False)


def _bars(axes: Axes, chart: Bars, size: float) -> None:
    places = np.arange(len(chart.bars), 0, -1)
    for place, bar in zip(places, chart.bars, strict=True):
        for end, colour in zip(bar.ends, (LOWER, UPPER), strict=False):
            axes.barh(place, end, height=0.6, color=colour, linewidth=0)
        if bar.half > 0.0:
            ends = [bar.ends[-1] - bar.half, bar.ends[-1] + bar.half]
            axes.plot(ends, [place, place], color=INK, linewidth=1.2)
    names = [b.name if len(b.name) <= MOST_LETTERS else f"{b.name[: MOST_LETTERS - 1]}…" for b in chart.bars]  # fmt: skip
    axes.set_yticks(places, names, fontsize=size, parse_math=False)
    axes.set_ylim(0.3, len(chart.bars) + 0.7)
    axes.grid(visible=False, axis="y")
    axes.axvline(0.0, color=QUIET, linewidth=0.8)
    axes.set_xlabel(chart.x_label)
    if any(len(bar.ends) == 2 for bar in chart.bars):
        from matplotlib.patches import Patch

        named = ((LOWER, tr("lower end")), (UPPER, tr("upper end")))
        _legend(axes, [Patch(color=c, label=words) for c, words in named], size)


def _dots(axes: Axes, chart: Dots, size: float) -> None:
    groups = (~chart.kept, OUT, tr("a limit is not kept")), (chart.kept, LOWER, tr("limits kept"))
    both = bool(chart.kept.any() and not chart.kept.all())
    for of, colour, words in groups:
        if of.any():
            axes.scatter(
                chart.x[of], chart.y[of], s=9, color=colour, linewidths=0, label=words if both else None, zorder=2
            )  # fmt: skip
    if chart.line is not None:
        axes.plot(*chart.line, color=FRONT, linewidth=1.3, marker="o" if len(chart.line[0]) < 60 else None,
                  markersize=3, label=chart.line_name, zorder=3)  # fmt: skip
    if chart.growing and np.any(chart.y > 0.0):
        axes.set_yscale("log")
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    if both or chart.line is not None:
        _legend(axes, None, size)


def _heights(axes: Axes, chart: Heights, size: float) -> None:
    from matplotlib.ticker import MaxNLocator

    values = chart.values[np.isfinite(chart.values)]
    axes.hist(values, bins=BINS, color=LOWER, alpha=0.75, linewidth=0)
    for n, limit in enumerate(chart.limits):
        axes.axvline(limit, color=UPPER, linewidth=1.2, label=tr("limit") if n == 0 else None)
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(tr("runs"))
    axes.yaxis.set_major_locator(MaxNLocator(integer=True))
    if chart.limits:
        _legend(axes, None, size)


def _corridor(axes: Axes, chart: Corridor, size: float) -> None:
    names = tr("all runs"), tr("5 to 95 %"), tr("25 to 75 %")
    for (low, high, alpha), words in zip(((0, 6, 0.15), (1, 5, 0.25), (2, 4, 0.4)), names, strict=True):  # fmt: skip
        axes.fill_between(
            chart.time, chart.percentiles[low], chart.percentiles[high], color=LOWER, alpha=alpha, linewidth=0,
            label=words,
        )  # fmt: skip
    axes.plot(chart.time, chart.percentiles[3], color=INK, linewidth=1.2, label=tr("middle"))
    axes.set_xlabel(chart.x_label)
    axes.set_ylabel(chart.y_label)
    _legend(axes, None, size)


def _legend(axes: Axes, handles: list[object] | None, size: float) -> None:
    more = {} if handles is None else {"handles": handles}
    axes.legend(fontsize=size, loc="best", handlelength=1.4, borderaxespad=0.2, **more)
