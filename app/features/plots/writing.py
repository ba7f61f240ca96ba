"""Write the curves that the plots show: drawings for reports, or their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from app import texts
from app.curves.curves import Corridor, Happening, Kind, Measured, Wanted, bands, curve, spread
from app.curves.curves import Curve as Drawn
from app.run_view.record import RunRecord
from solver.base.atomic import write_atomic
from solver.base.units import is_own, pretty
from solver.base.words import msgid, tr
from solver.report.export import as_csv, write_excel
from solver.report.plots import Band, Curve, PlotError, save_figure
from solver.report.plots.curves import figure_bytes
from solver.report.plots.sheet import PICTURE, SheetPlot, Slide, sheet_figure, write_slides
from solver.results import Channel, ResultsError
from solver.results.names import quantity_label
from solver.results.quantities import quantities
from solver.results.selection import in_units

if TYPE_CHECKING:
    from matplotlib.figure import Figure

NUMBERS, SLIDES = (".csv", ".xlsx"), ".pptx"
_FINE = 220
"""Dots to an inch of a picture on a slide."""
NOTHING = msgid("The plots show nothing yet: run the model, or drag a quantity into one.")


@dataclass(frozen=True, slots=True)
class Shown:
    """What is drawn together: curves, what lies across (None for time), tests, corridors."""

    curves: tuple[tuple[RunRecord, Wanted], ...]
    over: Wanted | None = None
    tests: tuple[Measured, ...] = ()
    corridors: tuple[Corridor, ...] = ()
    others_as: Kind = "lines"
    events: tuple[Happening, ...] = ()


@dataclass(frozen=True, slots=True)
class PageShown:
    """A page of plots as it stands: its title, its plots, and how many stand side by side."""

    title: str
    plots: tuple[Shown, ...]
    columns: int = 1
    is_seen: bool = True


def write_drawing(pages: Sequence[PageShown], file: Path, system: str = "metric") -> None:
    """Draw pages as they stand into a file by its ending; PlotError or ResultsError says why not.

    A presentation has a slide for each page that shows something, any other drawing holds the page that is seen.
    """
    slides_too = file.suffix.lower() == SLIDES
    lines = [
        page
        for page in pages
        if any(plot.curves for plot in page.plots) and (slides_too or page.is_seen)
    ]
    if not lines:
        raise PlotError(tr(NOTHING))
    if not slides_too:
        save_figure(_figure(lines[0], system, lines[0].title), file)
        return
    slides = []
    for page in lines:
        figure = _figure(page, system, "", PICTURE[2:])
        width, height = figure.get_size_inches()
        words = "\n".join(dict.fromkeys(w for plot in page.plots for w in _legend(plot)))
        slides.append(
            Slide(page.title, words, figure_bytes(figure, ".png", _FINE), (width, height))
        )
    try:
        write_slides(file, slides)
    except OSError as failure:
        words = tr("'{file}' cannot be written: {why}.", file=file, why=failure.strerror)
        raise PlotError(words) from None


def _figure(
    page: PageShown, system: str, title: str, size: tuple[float, float] | None = None
) -> Figure:
    plots = [_plot(shown, system) for shown in page.plots if shown.curves]
    runs = ", ".join(dict.fromkeys(r.name for plot in page.plots for r, _ in plot.curves))
    return sheet_figure(plots, page.columns, title, runs, size)


def _plot(shown: Shown, system: str) -> SheetPlot:
    """Give one plot with its curves in the units that the window shows."""
    bands, spreads = _bands(shown, system), _spreads(shown, system)
    if shown.others_as != "lines" and shown.over is None:
        first = shown.curves[0][0]
        shown = replace(shown, curves=tuple(pair for pair in shown.curves if pair[0] is first))
    return SheetPlot(
        tuple(_drawn(shown, system)),
        _over(shown, system),
        tuple(bands),
        tuple((one.time_ms, one.words) for one in shown.events) if shown.over is None else (),
        shown.over is None,
        tuple(spreads),
    )


def _spreads(shown: Shown, system: str) -> list[tuple[Band, str]]:
    """The bands of several runs, each with the name of its quantity."""
    by_name: dict[Wanted, list[Drawn]] = {}
    if shown.over is not None:
        return []
    for record, wanted in shown.curves:
        if record.seen is not None:
            one = curve(record.project, quantities(record.seen), wanted, system)
            by_name.setdefault(wanted, []).append(one)
    found = ((alike[0].label, spread(alike, shown.others_as)) for alike in by_name.values())
    return [(Band(s.time_ms, s.low, s.high, s.unit, s.words), label) for label, s in found if s]


def _legend(shown: Shown) -> list[str]:
    return [quantity_label(record.project, wanted.name) for record, wanted in shown.curves]


def write_numbers(
    shown: Sequence[tuple[RunRecord, Wanted]], file: Path, system: str = "si"
) -> None:
    """Write curves as CSV or Excel, over time; PlotError or ResultsError says why not.

    They are in SI, or in the own system of units that the window shows.
    """
    if not shown:
        raise PlotError(tr(NOTHING))
    channels = [in_units(one, system if is_own(system) else "si") for one in _channels(shown)]
    if file.suffix.lower() == ".csv":
        try:
            write_atomic(file, as_csv(channels))
        except OSError as failure:
            words = tr("'{file}' cannot be written: {why}.", file=file, why=failure.strerror)
            raise ResultsError(words) from None
    else:
        run = shown[0][0].seen
        assert run is not None
        write_excel(file, run, channels)


def _drawn(shown: Shown, system: str) -> list[Curve]:
    out = []
    for record, wanted in shown.curves:
        if record.seen is None:
            continue
        found = quantities(record.seen)
        one = curve(record.project, found, wanted, system)
        x, y = one.time_ms, one.value
        if shown.over is not None:
            x, y = one.over(curve(record.project, found, shown.over, system))
        out.append(Curve(x, y, one.unit, one.label, record.name, one.quantity))
    for test in shown.tests:
        one = test.curve(system)
        out.append(Curve(one.time_ms, one.value, one.unit, one.label, "test"))
    return out


def _bands(shown: Shown, system: str) -> list[Band]:
    """Give corridors, and around each test's curve those of its rating, the wider one first."""
    out = []
    for one in shown.corridors:
        low, high = one.edges(system)
        out.append(Band(low.time_ms, low.value, high.value, low.unit, one.name))
    for test in shown.tests:
        curve = test.curve(system)
        for low_, high_ in reversed(bands(curve)):
            out.append(Band(curve.time_ms, low_, high_, curve.unit))
    return out


def _over(shown: Shown, system: str) -> str:
    record = shown.curves[0][0]
    if shown.over is None or record.seen is None:
        return tr(texts.words.TIME_MS)
    over = curve(record.project, quantities(record.seen), shown.over, system)
    return f"{over.label} ({pretty(over.unit)})"


def _channels(shown: Sequence[tuple[RunRecord, Wanted]]) -> list[Channel]:
    """The channels in SI; with several runs, each behind the run's name."""
    several = len({id(record) for record, _ in shown}) > 1
    out = []
    for record, wanted in shown:
        if record.seen is not None:
            channel = quantities(record.seen)(wanted.name).filtered(wanted.cfc)
            text = quantity_label(record.project, channel.name)
            name = f"{record.name}: {text}" if several else text
            out.append(replace(channel, name=name))
    return out
