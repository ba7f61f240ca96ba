"""Curves of one or several runs: a panel for each unit, all over one axis."""

from __future__ import annotations

import io
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from solver.base.atomic import write_atomic
from solver.base.units import pretty
from solver.base.words import Refusal, tr
from solver.results.layout import layout_label
from solver.results.trajectory import Array

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import Figure

# How plots look: quiet axes, colours that stay apart for colour-blind readers and in grey print.

# after the palette of Okabe and Ito (2008), darkened where lines on white would be faint
COLOURS = ("#0B5FA5", "#D1495B", "#2E8B57", "#E08E0B", "#7A5195", "#178F9E", "#8C5A2B", "#5C6670")
DASHES = ("solid", (0, (5, 2)), (0, (1.5, 1.5)), (0, (7, 2, 1.5, 2)))

INK, QUIET, LINE, GRID = "#1E2833", "#5A6672", "#AEB7C0", "#E6EAEE"

_STYLE = {
    "font.family": "sans-serif",
    "font.sans-serif": ["DejaVu Sans"],
    "font.size": 8.5,
    "text.color": INK,
    "axes.edgecolor": LINE,
    "axes.linewidth": 0.8,
    "axes.labelcolor": QUIET,
    "axes.labelsize": 8.5,
    "axes.titlesize": 9.5,
    "axes.titleweight": "bold",
    "axes.titlelocation": "left",
    "axes.titlecolor": INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.grid": True,
    "axes.axisbelow": True,
    "axes.xmargin": 0.015,
    "axes.formatter.useoffset": False,
    "axes.formatter.limits": (-4, 6),
    "grid.color": GRID,
    "grid.linewidth": 0.8,
    "xtick.color": LINE,
    "ytick.color": LINE,
    "xtick.labelcolor": QUIET,
    "ytick.labelcolor": QUIET,
    "xtick.labelsize": 8,
    "ytick.labelsize": 8,
    "lines.linewidth": 1.4,
    "lines.solid_capstyle": "round",
    "legend.frameon": False,
    "legend.fontsize": 8,
    "figure.facecolor": "white",
    "savefig.facecolor": "white",
    "svg.hashsalt": "manikin",
    "svg.fonttype": "path",
    "pdf.fonttype": 42,
    "path.simplify_threshold": 0.3,
}


_ONE_AT_A_TIME = threading.RLock()
"""Matplotlib has one set of styles for all threads."""


@contextmanager
def styled() -> Iterator[None]:
    """Draw in the program's style; what others have set stays as it was."""
    from matplotlib import rc_context

    with _ONE_AT_A_TIME, rc_context(_STYLE):  # type: ignore[arg-type]
        yield


ENDINGS = (".svg", ".pdf", ".png")
_MOST_LEGEND = 0.6
"""Part of a panel's height that its legend may take from the curves."""
_MANY = 4
"""From more curves on a legend has no room among them."""
_INCH_OF_LETTER = 0.06
_MOST_WORDS = 3
"""So many quantities are named at an axis."""
_MARKS = "/_@.·, "
MOST_CURVES, MOST_PANELS = 64, 8
MOST_POINTS = 4000
"""Points drawn of one curve against time; its peaks are kept."""


class PlotError(Refusal):
    """Say in one sentence why a plot cannot be drawn."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Curve:
    """A curve: values along both axes, its unit, what it shows and of which run."""

    x: Array
    y: Array
    unit: str
    label: str
    run: str = ""
    quantity: str = ""


@dataclass(frozen=True, slots=True)
class Band:
    """The space between two edges, such as a tolerance corridor; one without a label has no name."""

    x: Array
    low: Array
    high: Array
    unit: str
    label: str = ""


def curves_figure(
    curves: Sequence[Curve],
    x_label: str,
    *,
    bands: Sequence[Band] = (),
    title: str = "",
    note: str = "",
    peaks: bool = False,
    against_time: bool = True,
    size: tuple[float, float] | None = None,
) -> Figure:
    """Draw curves; those of one unit share a panel, and bands of that unit lie behind them.

    Colours tell quantities apart and dashes runs; where each panel has one quantity, colours tell
    the runs.
    """
    from matplotlib.figure import Figure

    if not curves:
        raise PlotError("There is nothing to plot.")
    if len(curves) > MOST_CURVES:
        raise PlotError(
            "A plot shows at most {most_curves} curves; {count} were asked for.",
            most_curves=MOST_CURVES,
            count=len(curves),
        )
    panels = _panels(curves)
    if len(panels) > MOST_PANELS:
        units = ", ".join(pretty(c[0].unit) or "1" for c in panels)
        raise PlotError(
            "A plot has at most {most_panels} panels; these units need more: {units}.",
            most_panels=MOST_PANELS,
            units=units,
        )
    with styled():
        # where one legend stands beside its panel, all do: every panel is as narrow
        beside = any(len(members) > _MANY for members in panels)
        letters = max(len(c.label + c.run) for c in curves) if beside else 0
        width = 7.6 + min(_INCH_OF_LETTER * letters, 5.0)
        figure = Figure(figsize=size or (width, 1.3 + 2.6 * len(panels)), layout="constrained")
        rows = figure.subplots(len(panels), 1, sharex=True, squeeze=False)[:, 0]
        for axes, members in zip(rows, panels, strict=True):
            behind = [band for band in bands if band.unit == members[0].unit]
            draw_panel(
                axes, members, bands=behind, peaks=peaks, against_time=against_time, beside=beside
            )
        rows[-1].set_xlabel(x_label)
        if title or note:
            figure.suptitle(title, x=0.012, ha="left", fontsize=11, fontweight="bold", color=INK)
        if note:
            rows[0].set_title(note, loc="right", fontsize=7.5, fontweight="normal", color=QUIET)
        figure.draw_without_rendering()
        for axes in rows if not beside else ():
            clear_legend(axes)
        return figure


def _panels(curves: Sequence[Curve]) -> list[list[Curve]]:
    out: dict[str, list[Curve]] = {}
    for curve in curves:
        out.setdefault(curve.unit, []).append(curve)
    return list(out.values())


def draw_panel(
    axes: Axes,
    curves: Sequence[Curve],
    *,
    bands: Sequence[Band] = (),
    peaks: bool = False,
    against_time: bool = True,
    beside: bool = False,
) -> None:
    """Draw the curves and bands of one unit; with `beside` the legend stands beside the panel."""
    for band in bands:
        drawn = axes.fill_between(
            band.x, band.low, band.high, color=QUIET, alpha=0.22, linewidth=0, zorder=1
        )
        # Matplotlib leaves out of the legend what begins with an underscore
        drawn.set_label(band.label or "_")
    labels, runs = _distinct(c.label for c in curves), _distinct(c.run for c in curves)
    short, common = _shortened(labels)
    for curve in curves:
        label, run = labels.index(curve.label), runs.index(curve.run)
        hue, dash = (label, run) if len(labels) > 1 else (run, 0)
        # once all colours are taken they come again, dashed
        dash += hue // len(COLOURS)
        x, y = thinned(curve.x, curve.y) if against_time else (curve.x, curve.y)
        name = " · ".join(w for w in (curve.run, short[label] if len(labels) > 1 else "") if w)
        name = name or curve.label
        colour = COLOURS[hue % len(COLOURS)]
        top = _peak(curve) if peaks else None
        if top is not None:
            x_top, y_top = top
            unit = pretty(curve.unit)
            top_text = f"{y_top:.4g}{' ' if unit else ''}{unit}"
            name += "  " + tr("(peak {peak} at {place:.4g})", peak=top_text, place=x_top)
            axes.plot([x_top], [y_top], "o", color=colour, markersize=3.5, zorder=4)
        axes.plot(x, y, color=colour, linestyle=DASHES[dash % len(DASHES)], label=name)
    unit = pretty(curves[0].unit)
    words = _distinct(layout_label(c.quantity) for c in curves if c.quantity)
    quantity = ", ".join(words[:_MOST_WORDS]) + (" …" if len(words) > _MOST_WORDS else "")
    axes.set_ylabel(" ".join(w for w in (quantity, f"[{unit}]" if unit else "") if w))
    if len(curves) == 1 and not peaks and not any(band.label for band in bands):
        axes.set_title(
            curves[0].label if not curves[0].run else f"{curves[0].label} · {curves[0].run}"
        )
        return
    axes.set_title(common if len(labels) > 1 else labels[0])
    many = len(curves) > _MANY
    if beside:
        axes.legend(loc="upper left", bbox_to_anchor=(1.0, 1.0), borderaxespad=0.0, fontsize=7)
    else:
        axes.legend(loc="best", handlelength=1.6, fontsize=6.5 if many else 8, borderaxespad=0.3)


def clear_legend(axes: Axes) -> None:
    """Give a legend that would lie on curves room above them; of axes whose place is settled."""
    legend = axes.get_legend()
    if legend is None:
        return
    # asked first: only then are the axes as wide as what they show
    low, high = axes.get_ylim()
    box = legend.get_window_extent()
    drawn = [line.get_path().transformed(axes.transData) for line in axes.lines]
    share = box.height / axes.bbox.height
    if share < _MOST_LEGEND and any(path.intersects_bbox(box, filled=False) for path in drawn):
        legend.set_loc("upper left")
        axes.set_ylim(low, low + (high - low) / (1.0 - share))


def _distinct(words: object) -> list[str]:
    return list(dict.fromkeys(words))  # type: ignore[call-overload]


def _shortened(labels: Sequence[str]) -> tuple[list[str], str]:
    """Take what all labels begin and end with away; give the rest, and what was taken."""
    if len(labels) < 2:
        return list(labels), ""
    start, end = _beginning(labels), _beginning([label[::-1] for label in labels])
    rest = [label[len(start) : len(label) - len(end)] for label in labels]
    if not all(one.strip(_MARKS) for one in rest):
        return list(labels), ""
    ends = (word.strip(_MARKS) for word in (start, end[::-1]))
    common = " … ".join(word for word in ends if word)
    rest = [one.strip(_MARKS) for one in rest]
    return rest, common.replace("/", " / ")


def _beginning(labels: Sequence[str]) -> str:
    """The whole words with which all labels begin."""
    first, last = min(labels), max(labels)
    pairs = zip(first, last, strict=False)
    same = next((n for n, (a, b) in enumerate(pairs) if a != b), min(len(first), len(last)))
    # a name in words is cut between its parts; ids and paths between their words
    marks = ("·", ",") if "·" in first else tuple("/_@. ")
    cut = max(first[:same].rfind(mark) for mark in marks) + 1
    return first[:cut] if cut > 1 else ""


def _peak(curve: Curve) -> tuple[float, float] | None:
    """The place of the largest size of a curve."""
    finite = np.isfinite(curve.y)
    if not finite.any():
        return None
    at = int(np.argmax(np.where(finite, np.abs(curve.y), -1.0)))
    return float(curve.x[at]), float(curve.y[at])


def thinned(x: Array, y: Array) -> tuple[Array, Array]:
    """Keep of each stretch of a long curve its lowest and highest sample, in their order."""
    if len(y) <= MOST_POINTS or not np.all(np.isfinite(y)):
        return x, y
    size = -(-2 * len(y) // MOST_POINTS)
    whole = len(y) // size * size
    parts = y[:whole].reshape(-1, size)
    starts = np.arange(0, whole, size)
    ends = np.array([0, len(y) - 1])
    keep = np.concatenate([starts + parts.argmin(1), starts + parts.argmax(1), ends])
    keep = np.unique(np.concatenate([keep, np.arange(whole, len(y))]))
    return x[keep], y[keep]


def figure_bytes(figure: Figure, ending: str, dpi: int = 160) -> bytes:
    """A figure as it stands in a file of an ending: '.svg', '.pdf' or '.png'."""
    dates = {".svg": {"Date": None}, ".pdf": {"CreationDate": None}, ".png": {"Software": None}}
    drawn = io.BytesIO()
    with styled():
        figure.savefig(drawn, format=ending[1:], dpi=dpi, metadata=dates[ending])
    return drawn.getvalue()


def save_figure(figure: Figure, path: Path) -> None:
    """Write a figure by the ending of its file: SVG, PDF or PNG; the same figure, the same bytes."""
    ending = path.suffix.lower()
    if ending not in ENDINGS:
        raise PlotError(
            "'{path}' must end in {endings} or {endings_2}.",
            path=path.name,
            endings=", ".join(ENDINGS[:-1]),
            endings_2=ENDINGS[-1],
        )
    try:
        # in memory first: its writer of PDF cannot end once a write has failed
        write_atomic(path, figure_bytes(figure, ending))
    except OSError as failure:
        raise PlotError(
            "'{path}' cannot be written: {strerror}.",
            path=path,
            strerror=(failure.strerror or failure),
        ) from None
