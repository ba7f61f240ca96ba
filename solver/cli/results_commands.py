"""Commands on a results file: show, export, plot, movie, report."""

from __future__ import annotations

import argparse
import csv
import fnmatch
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from solver.cli.common import CommandError, Commands, Handler, command, writable
from solver.project.problems import did_you_mean

if TYPE_CHECKING:
    from solver.results import Channel, Trajectory

NAMES = ("show", "export", "plot", "movie", "report")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    show = command(commands, "show", "Say what a results file holds.", _show)
    show.add_argument("results", metavar="OUT.h5")

    export = command(commands, "export", "Write channels to a CSV file.", _export)
    export.add_argument("results", metavar="OUT.h5")
    export.add_argument("--csv", metavar="FILE", required=True)
    export.add_argument("--channels", metavar="GLOB", nargs="+", default=["*"])

    plot = command(commands, "plot", "Plot channels against time or another channel.", _plot)
    plot.add_argument("results", metavar="OUT.h5", nargs="+", help="one or several runs, overlaid")
    plot.add_argument("--x", metavar="CHANNEL", default="time")
    plot.add_argument("--y", metavar="GLOB", nargs="+", required=True)
    plot.add_argument("-o", "--output", metavar="FILE", required=True, help="SVG, PDF or PNG")

    movie = command(commands, "movie", "Write a movie of a run.", _later("movies"))
    movie.add_argument("results", metavar="OUT.h5")
    movie.add_argument("-o", "--output", metavar="FILE.mp4", required=True)

    report = command(commands, "report", "Write a report of a run.", _later("reports"))
    report.add_argument("results", metavar="OUT.h5")
    report.add_argument("-o", "--output", metavar="FILE", required=True, help="HTML or PDF")


def _opened(path: str) -> Trajectory:
    from solver.results import ResultsError, open_results

    try:
        return open_results(Path(path))
    except ResultsError as failure:
        raise CommandError(str(failure)) from None


def _later(what: str) -> Handler:
    """Refuse a command that this version cannot do, once its input has been looked at."""

    def handler(arguments: argparse.Namespace) -> int:
        _opened(arguments.results)
        writable(arguments.output, "file")
        raise CommandError(f"This version writes no {what} yet; nothing was written.")

    return handler


def _show(arguments: argparse.Namespace) -> int:
    results = _opened(arguments.results)
    time = results.time
    print(f"status    {results.status}" + (f": {results.message}" if results.message else ""))
    span = f"{1e3 * time[0]:.3f} to {1e3 * time[-1]:.3f} ms" if len(time) else "none"
    print(f"frames    {len(time)}, {span}")
    print(f"segments  {', '.join(results.segment_ids) or 'none'}")
    print(f"channels  {len(results.channel_names)}")
    for name in results.channel_names:
        channel = results.channel(name)
        unit = f" {channel.unit}" if channel.unit not in ("", "1") else ""
        if len(channel.value):
            low, high = float(np.min(channel.value)), float(np.max(channel.value))
            print(f"  {name}: {low:.4g} to {high:.4g}{unit}, {len(channel.value)} samples")
        else:
            print(f"  {name}: no samples")
    return 0


def _matching(results: Trajectory, patterns: Sequence[str]) -> list[str]:
    """Give the channels that fit any of the patterns, in the file's order."""
    names = list(results.channel_names)
    for pattern in patterns:
        if not fnmatch.filter(names, pattern):
            hint = did_you_mean(pattern, names) or f"There are {len(names)} channels; see 'show'."
            raise CommandError(f"No channel fits '{pattern}'. {hint}")
    return [n for n in names if any(fnmatch.fnmatchcase(n, p) for p in patterns)]


def _export(arguments: argparse.Namespace) -> int:
    results = _opened(arguments.results)
    channels = [results.channel(n) for n in _matching(results, arguments.channels)]
    target = writable(arguments.csv, "CSV file")
    try:
        target.write_text(_as_csv(channels), encoding="utf-8", newline="")
    except OSError as failure:
        raise CommandError(f"'{target}' cannot be written: {failure.strerror}.") from None
    print(f"Wrote {len(channels)} channels to {target}.")
    return 0


def _as_csv(channels: Sequence[Channel]) -> str:
    """Write channels side by side: a pair of columns for each time base, one if they share it."""
    shared = all(np.array_equal(c.time, channels[0].time) for c in channels)
    columns: list[tuple[str, np.ndarray]] = []
    for number, channel in enumerate(channels):
        if number == 0 or not shared:
            columns.append(("time [s]", channel.time))
        columns.append((f"{channel.name} [{channel.unit or '1'}]", channel.value))
    text = io.StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow([name for name, _ in columns])
    for row in range(max((len(v) for _, v in columns), default=0)):
        writer.writerow([repr(float(v[row])) if row < len(v) else "" for _, v in columns])
    return text.getvalue()


def _plot(arguments: argparse.Namespace) -> int:
    target = writable(arguments.output, "plot")
    if target.suffix.lower() not in {".svg", ".pdf", ".png"}:
        raise CommandError(f"'{target.name}' must end in .svg, .pdf or .png.")
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    figure = Figure(figsize=(8, 4.5), layout="constrained")
    FigureCanvasAgg(figure)
    axes = figure.add_subplot()
    units: set[str] = set()
    label = "time [s]"
    for path in arguments.results:
        results = _opened(path)
        across = None if arguments.x == "time" else results.channel(_one(results, arguments.x))
        if across is not None:
            label = f"{across.name} [{across.unit}]"
        prefix = f"{Path(path).stem}: " if len(arguments.results) > 1 else ""
        for name in _matching(results, arguments.y):
            y = results.channel(name)
            x = y.time if across is None else np.interp(y.time, across.time, across.value)
            axes.plot(x, y.value, label=f"{prefix}{name}", linewidth=1.2)
            units.add(y.unit or "1")
    axes.set_xlabel(label)
    axes.set_ylabel(" / ".join(f"[{u}]" for u in sorted(units)))
    axes.grid(visible=True, alpha=0.3)
    axes.legend(frameon=False, fontsize="small")
    for side in ("top", "right"):
        axes.spines[side].set_visible(False)
    try:
        figure.savefig(target, dpi=150)
    except OSError as failure:
        raise CommandError(f"'{target}' cannot be written: {failure.strerror}.") from None
    print(f"Wrote {target}.")
    return 0


def _one(results: Trajectory, name: str) -> str:
    names = _matching(results, [name])
    if len(names) > 1:
        raise CommandError(f"'{name}' fits {len(names)} channels; one is needed for the x axis.")
    return names[0]
