"""Commands on a results file: show, movie, scene."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from typing import TYPE_CHECKING

import numpy as np

from solver.base.units import pretty
from solver.base.words import tr
from solver.cli import movie_command
from solver.cli.common import CommandError, Commands, command, opened_results

if TYPE_CHECKING:
    from solver.results import Trajectory

NAMES = ("show", "movie", "scene")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    show = command(commands, "show", tr("Say what a results file holds."), _show)
    show.add_argument("results", metavar="OUT.h5")
    show.add_argument(
        "--quantities",
        metavar="GLOB",
        nargs="*",
        help=tr("list every quantity that can be exported and plotted, or those that fit"),
    )

    movie_command.add_to(commands)


def _show(arguments: argparse.Namespace) -> int:
    results = opened_results(arguments.results)
    if arguments.quantities is not None:
        _list_quantities(results, arguments.quantities)
        return 0
    time = results.time
    print(
        tr("status    {status}", status=tr(results.status))
        + (f": {results.message}" if results.message else "")
    )
    span = (
        tr("{first:.3f} to {last:.3f} ms", first=1e3 * time[0], last=1e3 * time[-1])
        if len(time)
        else tr("none")
    )
    print(tr("frames    {count}, {span}", count=len(time), span=span))
    print(tr("segments  {segment_ids}", segment_ids=(", ".join(results.segment_ids) or tr("none"))))
    print(tr("channels  {count}", count=len(results.channel_names)))
    for name in results.channel_names:
        channel = results.channel(name)
        unit = f" {channel.unit}" if channel.unit not in ("", "1") else ""
        if len(channel.value):
            low, high = float(np.min(channel.value)), float(np.max(channel.value))
            print(
                tr(
                    "  {name}: {low:.4g} to {high:.4g}{unit}, {count} samples",
                    name=name,
                    low=low,
                    high=high,
                    unit=unit,
                    count=len(channel.value),
                )
            )
        else:
            print(tr("  {name}: no samples", name=name))
    return 0


def _list_quantities(results: Trajectory, patterns: Sequence[str]) -> None:
    """List what can be exported and plotted: names, SI units, meaning."""
    from solver.results import Quantities, ResultsError

    ask = Quantities(results)
    try:
        names = ask.matching(patterns) if patterns else tuple(ask.infos)
    except ResultsError as failure:
        raise CommandError(str(failure)) from None
    infos = [ask.about(name) for name in names]
    width = max((len(info.name) for info in infos), default=0)
    for info in infos:
        print(f"{info.name:<{width}}  {pretty(info.unit) or '1':<8}  {info.meaning}".rstrip())
