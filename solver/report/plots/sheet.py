"""A page of plots as it stands in the window: each with its curves, two units at most, and what happened when."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from solver.base.units import pretty
from solver.report.plots.curves import (
    COLOURS,
    DASHES,
    INK,
    QUIET,
    Band,
    Curve,
    PlotError,
    styled,
    thinned,
)

if TYPE_CHECKING:
    from matplotlib.artist import Artist
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

MOST_PLOTS, MOST_CURVES = 24, 64
_WIDE, _HIGH = 4.6, 2.9
"""Width and height (inches) of one plot where people say none."""
_HEAD = 0.5
_ROOM = 0.12
"""What is left above the curves for names of what happened, as a part of the height."""
_LETTERS = 26
_INCH = 16.0
"""So many letters of a legend have room in an inch."""
_LEGEND_PT, _ROWS = 7.5, 5
"""Size of its letters, and from how many rows on it has two columns."""


@dataclass(frozen=True, slots=True)
class SheetPlot:
    """Hold one plot of a page: curves of one or two units, bands, instants with their names, and what lies across."""

    curves: tuple[Curve, ...]
    x_label: str
    bands: tuple[Band, ...] = ()
    events: tuple[tuple[float, str], ...] = ()
    against_time: bool = True
    spreads: tuple[tuple[Band, str], ...] = ()
    """Bands of several runs, each with the label of the curve whose colour it has."""


def sheet_figure(
    plots: Sequence[SheetPlot],
    columns: int,
    title: str = "",
    note: str = "",
    size: tuple[float, float] | None = None,
) -> Figure:
    """Draw all plots of a page in their lines and columns, with a title, units, and legends in names."""
    from matplotlib.figure import Figure

    shown = [plot for plot in plots if plot.curves or plot.bands]
    if not shown:
        raise PlotError("There is nothing to plot.")
    count = sum(len(plot.curves) for plot in shown)
    if len(shown) > MOST_PLOTS or count > MOST_CURVES:
        raise PlotError(
            "A page shows at most {plots} plots and {curves} curves; there are {shown} and {count}.",
            plots=MOST_PLOTS, curves=MOST_CURVES, shown=len(shown), count=count,
        )  # fmt: skip
    columns = max(1, min(columns, len(shown)))
    lines = math.ceil(len(shown) / columns)
    with styled():
        figure = Figure(
            figsize=size or (_WIDE * columns, _HEAD + _HIGH * lines), layout="constrained"
        )
        grid = figure.subplots(lines, columns, squeeze=False)
        for n, axes in enumerate(grid.flat):
            if n < len(shown):
                _draw(axes, shown[n], figure.get_size_inches()[0] / columns - 0.8)
            else:
                axes.set_visible(False)
        if title:
            figure.suptitle(title, x=0.012, ha="left", fontsize=12, fontweight="bold", color=INK)
        if note:
            figure.text(0.988, 0.995, note, ha="right", va="top", fontsize=7.5, color=QUIET)
        return figure


def _draw(axes: Axes, plot: SheetPlot, inches: float) -> None:
    """Draw one plot; a second unit has its axis on the right, as in the window."""
    drawn: list[Curve | Band] = [*plot.curves, *plot.bands, *(band for band, _ in plot.spreads)]
    units = list(dict.fromkeys(one.unit for one in drawn))[:2]
    sides = {units[0]: axes}
    if len(units) > 1:
        sides[units[1]] = axes.twinx()
        sides[units[1]].grid(visible=False)
        sides[units[1]].spines["right"].set_visible(True)
    labels = list(dict.fromkeys(curve.label for curve in plot.curves))
    runs = list(dict.fromkeys(curve.run for curve in plot.curves))
    handles: list[Artist] = []
    bands: list[Artist] = []
    named = [*((band, "") for band in plot.bands), *plot.spreads]
    for band, alike in named:
        if band.unit in sides:
            tone = COLOURS[labels.index(alike) % len(COLOURS)] if alike in labels else QUIET
            filled = sides[band.unit].fill_between(
                band.x, band.low, band.high, color=tone, alpha=0.22, linewidth=0, zorder=1
            )
            is_told = any(one.get_label() == band.label for one in bands)
            filled.set_label(band.label or "_")
            bands += [filled] if band.label and not is_told else []
    for curve in plot.curves:
        if curve.unit not in sides:
            continue
        x, y = thinned(curve.x, curve.y) if plot.against_time else (curve.x, curve.y)
        name = (
            curve.label if len(runs) < 2 else " · ".join(w for w in (curve.run, curve.label) if w)
        )
        handles += sides[curve.unit].plot(
            x, y, color=COLOURS[labels.index(curve.label) % len(COLOURS)],
            linestyle=DASHES[runs.index(curve.run) % len(DASHES)], label=name,
        )  # fmt: skip
    axes.set_xlabel(plot.x_label)
    for unit, side in sides.items():
        side.set_ylabel(f"[{pretty(unit)}]" if pretty(unit) else "")
        side.margins(y=_ROOM if plot.events else 0.05)
    _draw_events(axes, plot.events)
    _draw_legend(axes, [*handles, *bands], inches)


def _draw_legend(axes: Axes, handles: Sequence[Artist], inches: float) -> None:
    """Put the names above the plot: they take height of their own, and never the plot's width."""
    columns = 2 if len(handles) > _ROWS else 1
    letters = max(12, int(_INCH * inches / columns) - 5)
    words = [str(one.get_label()) for one in handles]
    words = [_shortened(w, letters) for w in words]
    rows = math.ceil(len(handles) / columns)
    axes.set_title("\n".join([" "] * rows), fontsize=1.2 * _LEGEND_PT)
    legend = axes.legend(
        handles, words, loc="lower left", bbox_to_anchor=(0.0, 1.0), borderaxespad=0.2,
        fontsize=_LEGEND_PT, ncols=columns,
    )  # fmt: skip
    legend.set_in_layout(False)
    for text in legend.get_texts():
        text.set_parse_math(False)


def _draw_events(axes: Axes, events: Sequence[tuple[float, str]]) -> None:
    """Draw instants as lines; names that would lie on each other are left out."""
    low, high = axes.get_xlim()
    near, last = 0.022 * (high - low), -math.inf
    for time, words in sorted(events):
        if not low <= time <= high:
            continue
        axes.axvline(time, color=QUIET, linewidth=0.6, linestyle=(0, (1, 2)), zorder=0)
        if time - last >= near:
            last = time
            short = words if len(words) <= _LETTERS else f"{words[: _LETTERS - 1].rstrip()}…"
            named = axes.annotate(
                short, (time, 0.99), xycoords=("data", "axes fraction"), rotation=90, ha="left", va="top",
                fontsize=5.5, color=QUIET, xytext=(1, 0), textcoords="offset points", zorder=1.6,
                # over the lines of other instants, below the curves
                bbox={"facecolor": axes.get_facecolor(), "edgecolor": "none", "pad": 0.2},
            )  # fmt: skip
            named.set_parse_math(False)
            named.set_in_layout(False)
    axes.set_xlim(low, high)


def _shortened(words: str, letters: int) -> str:
    """Leave out the middle of a long name: what is measured stands at its end."""
    if len(words) <= letters:
        return words
    end = (2 * letters) // 3
    return f"{words[: letters - end - 1].rstrip()}…{words[-end:].lstrip()}"
