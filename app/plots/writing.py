"""Write the curves that the plots show: drawings for reports, or their numbers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from app.plots.curves import Wanted, curve
from app.study.record import RunRecord
from solver.export import as_csv, write_excel
from solver.plots import Curve, PlotError, curves_figure, save_figure
from solver.results import Channel, ResultsError
from solver.results.quantities import quantities


def write_curves(
    shown: Sequence[tuple[RunRecord, Wanted]], file: Path, system: str = "metric"
) -> None:
    """Write curves into a file by its ending; PlotError or ResultsError says why not."""
    if not shown:
        raise PlotError("The plots show nothing yet: run the model, or drag a quantity into one.")
    ending = file.suffix.lower()
    try:
        if ending == ".csv":
            file.write_text(as_csv(_channels(shown)), encoding="utf-8", newline="")
        elif ending == ".xlsx":
            run = shown[0][0].seen
            assert run is not None
            write_excel(file, run, _channels(shown))
        else:
            save_figure(curves_figure(_drawn(shown, system), "time (ms)"), file)
    except OSError as failure:
        raise ResultsError(f"'{file}' cannot be written: {failure.strerror}.") from None


def _drawn(shown: Sequence[tuple[RunRecord, Wanted]], system: str) -> list[Curve]:
    out = []
    for record, wanted in shown:
        if record.seen is None:
            continue
        one = curve(record.project, quantities(record.seen), wanted, system)
        out.append(Curve(one.time_ms, one.value, one.unit, one.label, record.name, wanted.name))
    return out


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
