"""Write the curves that the plots show: drawings for reports, or their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from app import texts
from app.curves.curves import Wanted, curve
from app.curves.measured import Corridor, Measured, bands
from app.study.record import RunRecord
from solver.export import as_csv, write_excel
from solver.plots import Band, Curve, PlotError, curves_figure, save_figure
from solver.results import Channel, ResultsError
from solver.results.quantities import quantities
from solver.results.selection import in_units
from solver.units import is_own, pretty
from solver.whole import write_whole
from solver.words import msgid, tr

NUMBERS = (".csv", ".xlsx")
NOTHING = msgid("The plots show nothing yet: run the model, or drag a quantity into one.")


@dataclass(frozen=True, slots=True)
class Shown:
    """Hold what is drawn together: curves, what lies across (None for time), tests, corridors."""

    curves: tuple[tuple[RunRecord, Wanted], ...]
    over: Wanted | None = None
    tests: tuple[Measured, ...] = ()
    corridors: tuple[Corridor, ...] = ()


def write_drawing(shown: Shown, file: Path, system: str = "metric") -> None:
    """Draw curves into a file by its ending; PlotError or ResultsError says why not."""
    if not shown.curves:
        raise PlotError(tr(NOTHING))
    figure = curves_figure(
        _drawn(shown, system),
        _over(shown, system),
        against_time=shown.over is None,
        bands=_bands(shown, system),
    )
    save_figure(figure, file)


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
            write_whole(file, as_csv(channels))
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
    """Give the channels in SI; with several runs, each behind the run's name."""
    several = len({id(record) for record, _ in shown}) > 1
    out = []
    for record, wanted in shown:
        if record.seen is not None:
            channel = quantities(record.seen)(wanted.name).filtered(wanted.cfc)
            name = f"{record.name}: {channel.name}" if several else channel.name
            out.append(replace(channel, name=name))
    return out
