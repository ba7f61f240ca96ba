"""The command that writes reports."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.words import tr
from solver.cli.common import CommandError, Commands, command, opened_results, writable
from solver.cli.injury_commands import add_standards
from solver.cli.unit_options import add_units, settle_units

if TYPE_CHECKING:
    from solver.results.trajectory import Trajectory
    from solver.studies.beside import Beside

NAMES = ("report",)
LOOKS = ("skin", "both", "shapes")
"""As `solver.scene.instant` has them, which takes long to load."""


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
    add_units(report, "metric")
    report.add_argument(
        "--studies", metavar="FILE|ID", nargs="*",
        help=tr(
            "studies that get a section: their files, or ids of those beside the run; none after it: no studies; if not "
            "given, those of the model that have ended, in the folder of the run"
        ),
    )  # fmt: skip
    report.add_argument(
        "--explain", action="store_true",
        help=tr("tell what happened when, with pictures, what made the peaks, and where the energy went"),
    )  # fmt: skip
    report.add_argument(
        "--pictures", choices=LOOKS, default=LOOKS[0],
        help=tr("people with their skin (if not given), as the shapes that the engine knows, or both half seen through"),
    )  # fmt: skip
    report.add_argument(
        "--no-around", action="store_true",
        help=tr("pictures without what usually stands around people, such as pillars, doors and seats beside"),
    )  # fmt: skip
    add_standards(report)


def _report(arguments: argparse.Namespace) -> int:
    if len(arguments.results) > 2:
        raise CommandError("A report compares two runs at most; 'plot' overlays any number.")
    labels = arguments.labels or []
    if labels and len(labels) != len(arguments.results):
        raise CommandError("Give {count} labels or none.", count=len(arguments.results))
    runs = [opened_results(path) for path in arguments.results]
    settle_units(arguments, runs[-1])
    target = writable(arguments.output, "report", *arguments.results)
    if target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise CommandError("'{target}' must end in .html or .pdf.", target=target.name)
    from solver.report import ReportError, report
    from solver.results import ResultsError
    from solver.studies import StudyError

    targets: list[Path] = [target]
    if arguments.pdf and target.suffix.lower() != ".pdf":
        beside = target.with_suffix(".pdf")
        targets.append(writable(beside, "report", *arguments.results))
    try:
        found = _studies(arguments.studies, runs[-1], Path(arguments.results[-1]).parent)
        made = report(
            *runs,
            labels=labels,
            units=arguments.units,
            studies=found.studies,
            left_out=found.left_out,
            standards=arguments.standard,
            explained=arguments.explain,
            looks=arguments.pictures,
            around=not arguments.no_around,
        )
        for each in targets:
            print(tr("Wrote {save}.", save=made.save(each)))
        for one in found.left_out:
            print(tr("note: {what}", what=one), file=sys.stderr)
    except (ReportError, ResultsError, StudyError) as failure:
        raise CommandError(str(failure)) from None
    return 0


def _studies(wanted: Sequence[str] | None, run: Trajectory, folder: Path) -> Beside:
    """Find the studies that are asked for, or those of the run's model that stand beside it."""
    from solver.project import ProjectError, parse
    from solver.studies import open_study
    from solver.studies.beside import Beside, studies_beside

    if wanted is not None and all(Path(one).suffix for one in wanted):
        return Beside([open_study(one) for one in wanted])
    try:
        project = parse(run.project_json.decode()).project
    except (ProjectError, UnicodeDecodeError):
        return Beside()
    found = studies_beside(folder, project)
    if wanted is None:
        return found
    beside = {one.study.id: one for one in found.studies}
    for one in wanted:
        if not Path(one).suffix and one not in beside:
            raise CommandError(
                "There is no finished study '{name}' of this model in '{folder}'; there are: {there}. {left_out}",
                name=one, folder=folder, there=", ".join(beside) or tr("none"),
                left_out=" ".join(map(str, found.left_out)),
            )  # fmt: skip
    return Beside([open_study(one) if Path(one).suffix else beside[one] for one in wanted])
