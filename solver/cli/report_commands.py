"""The command that writes reports."""

from __future__ import annotations

import argparse
from pathlib import Path

from solver.cli.common import CommandError, Commands, command, opened_results, writable
from solver.units import SYSTEMS
from solver.words import tr

NAMES = ("report",)


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    report = command(
        commands, "report", tr("Write a report of a run, or of two side by side."), _report
    )
    report.add_argument("results", metavar="OUT.h5", nargs="+", help=tr("one run, or two"))
    report.add_argument("-o", "--output", metavar="FILE", required=True, help=tr("HTML or PDF"))
    report.add_argument("--pdf", action="store_true", help=tr("write a PDF beside the HTML too"))
    report.add_argument(
        "--labels",
        metavar="NAME",
        nargs="+",
        help=tr("what to call the runs; their files if not given"),
    )
    report.add_argument(
        "--units", choices=tuple(SYSTEMS), default="metric", metavar="SYSTEM",
        help=tr("{systems}; metric if not given", systems=', '.join(SYSTEMS)),
    )  # fmt: skip


def _report(arguments: argparse.Namespace) -> int:
    if len(arguments.results) > 2:
        raise CommandError("A report compares two runs at most; 'plot' overlays any number.")
    labels = arguments.labels or []
    if labels and len(labels) != len(arguments.results):
        raise CommandError("Give {count} labels or none.", count=len(arguments.results))
    runs = [opened_results(path) for path in arguments.results]
    target = writable(arguments.output, "report", *arguments.results)
    if target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise CommandError("'{target}' must end in .html or .pdf.", target=target.name)
    from solver.report import ReportError, report
    from solver.results import ResultsError

    targets: list[Path] = [target]
    if arguments.pdf and target.suffix.lower() != ".pdf":
        beside = target.with_suffix(".pdf")
        targets.append(writable(beside, "report", *arguments.results))
    try:
        made = report(*runs, labels=labels, units=arguments.units)
        for each in targets:
            print(tr("Wrote {save}.", save=made.save(each)))
    except (ReportError, ResultsError) as failure:
        raise CommandError(str(failure)) from None
    return 0
