"""The command study: run a study of a project, go on with it, print what it answers."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base import csv_text
from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    command,
    files_of,
    opened,
    print_problems,
    writable,
    write_text,
)

if TYPE_CHECKING:
    from solver.studies import Progress, StudyResult

NAMES = ("study",)
ENDINGS = (".h5", ".hdf5")
TOLD_S = 0.5


def add_to(commands: Commands) -> None:
    """Add this command to the parser."""
    study = command(
        commands,
        "study",
        tr("Run a study of a project, or print what a study file answers."),
        _study,
    )
    study.add_argument(
        "project", metavar="PROJECT|STUDY.h5", help=tr("a project, or a study file to look at")
    )
    study.add_argument(
        "--study", metavar="ID", help=tr("which of the project's studies; the first if not given")
    )
    study.add_argument(
        "-o", "--output", metavar="STUDY.h5",
        help=tr("study file; named after the project and the study if not given"),
    )  # fmt: skip
    study.add_argument(
        "--workers", type=int, metavar="N",
        help=tr("processes on this machine; one for each core if not given, 0 for this one alone"),
    )  # fmt: skip
    study.add_argument(
        "--scheduler", metavar="ADDRESS",
        help=tr("Dask scheduler whose cluster solves it, such as tls://host:8786"),
    )  # fmt: skip
    for option, help_ in (
        ("--tls-ca", tr("certificate (PEM) by which scheduler and workers are known")),
        ("--tls-certificate", tr("own certificate (PEM), by which they know you")),
        ("--tls-key", tr("key (PEM) of the own certificate")),
    ):
        study.add_argument(option, metavar="FILE", type=Path, help=help_)
    study.add_argument(
        "--resume", action="store_true", help=tr("go on with the study file: what is in it is not run again")
    )  # fmt: skip
    study.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", dest="changes")
    study.add_argument(
        "--keep", action="append", default=[], type=int, metavar="RUN",
        help=tr("write this run whole, as a results file beside the study file; may be given again"),
    )  # fmt: skip
    study.add_argument("--csv", metavar="FILE", help=tr("write the table to a CSV file"))
    study.add_argument("--json", action="store_true", help=tr("print the answers as JSON"))
    study.add_argument("--quiet", action="store_true", help=tr("no progress bar"))


def _study(arguments: argparse.Namespace) -> int:
    from solver.studies import open_study

    if arguments.workers is not None and arguments.workers < 0:
        raise CommandError("--workers takes 0 or more.")
    if arguments.workers is not None and arguments.scheduler:
        raise CommandError("--workers and --scheduler do not go together.")
    tls = (arguments.tls_ca, arguments.tls_certificate, arguments.tls_key)
    if any(tls) and not all((*tls, arguments.scheduler)):
        raise CommandError(
            "--tls-ca, --tls-certificate and --tls-key go together, with --scheduler."
        )
    if Path(arguments.project).suffix.lower() in ENDINGS:
        asked = {
            "--study": arguments.study, "--output": arguments.output, "--resume": arguments.resume,
            "--set": arguments.changes, "--scheduler": arguments.scheduler,
            "--workers": arguments.workers is not None, "--tls-ca": arguments.tls_ca,
            "--tls-certificate": arguments.tls_certificate, "--tls-key": arguments.tls_key,
        }  # fmt: skip
        for option, given in asked.items():
            if given:
                raise CommandError("{option} needs a project, not a study file.", option=option)
        found = open_study(arguments.project)
    else:
        found = _run(arguments)
    target = None
    if arguments.csv:
        target = writable(arguments.csv, "CSV file", arguments.project)
        write_text(target, as_csv(found))
    kept = [found.keep(run) for run in arguments.keep]
    print(json.dumps(found.answers, indent=2) if arguments.json else as_text(found))
    if not arguments.json:
        for file in [*([] if target is None else [target]), *kept]:
            print(tr("wrote        {output}", output=file))
    return 0 if found.status != "cancelled" else 130


def _run(arguments: argparse.Namespace) -> StudyResult:
    from solver.studies.cluster import ENCRYPTED, Certificates
    from solver.studies.prepare import study_of
    from solver.studies.running import run_study

    project, notes = opened(arguments.project, arguments.changes)
    study = study_of(project, arguments.study)
    stem = Path(arguments.project)
    name = arguments.output or stem.with_name(f"{stem.stem}_{study.id}.h5")
    output = writable(name, "study file", *files_of(project, arguments.project))
    print_problems(notes)
    if arguments.scheduler and not arguments.scheduler.startswith(ENCRYPTED):
        print(tr("warning: the connection to '{address}' is not encrypted, and nobody proves who they are; see docs/trust.md.", address=arguments.scheduler), file=sys.stderr)  # fmt: skip
    told = _Told(arguments.quiet)
    try:
        return run_study(
            project,
            study.id,
            output,
            workers=arguments.workers,
            scheduler=arguments.scheduler,
            certificates=Certificates(
                arguments.tls_ca, arguments.tls_certificate, arguments.tls_key
            ),
            resume=arguments.resume,
            watch=told,
        )
    finally:
        told.close()


class _Told:
    """Say how far a study has come, in one line on a terminal."""

    def __init__(self, quiet: bool) -> None:
        self._on = not quiet and sys.stderr.isatty()
        self._last, self._any = 0.0, False

    def __call__(self, progress: Progress) -> None:
        """Show what is done, and the time that is left."""
        now = time.monotonic()
        if not self._on or (now - self._last < TOLD_S and progress.done < progress.of):
            return
        self._last, self._any = now, True
        left = progress.seconds_left
        line = tr(
            "{done} of {of} runs, {failed} failed",
            done=progress.done,
            of=progress.of,
            failed=progress.failed,
        )
        line += "" if left is None else tr(", {seconds:.0f} s left", seconds=left)
        print(f"\r{line:<70}", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the line."""
        if self._any:
            print(file=sys.stderr)


def as_csv(found: StudyResult) -> str:
    """Give the table as CSV, numbers to their last digit."""
    columns = found.rows.columns()
    rows = ([i, *(column[i] for column in columns.values())] for i in range(len(found.rows)))
    return csv_text.as_csv((["run", *columns], *rows))


def as_text(found: StudyResult) -> str:
    """Give the answers as tables of text."""
    from solver.studies.printed import printed

    return "\n".join(printed(found))
