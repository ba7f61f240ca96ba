"""Commands that make many runs: study, bench."""

from __future__ import annotations

import argparse
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.base import atomic
from solver.base.words import Sentence, tr
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
    from solver.studies import Band, Progress, StudyResult
    from solver.studies.bench.running import Result
    from solver.studies.bench.table import BenchTest

# The command study: run a study of a project, go on with it, print what it answers.

NAMES = ("study", "bench")
ENDINGS = (".h5", ".hdf5")
TOLD_S = 0.5


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    _add_bench(commands)
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
        "--band", action="store_true",
        help=tr("run the project with its assumed numbers anywhere in their ranges: what that leaves open of each injury figure"),
    )  # fmt: skip
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
        "--wait", type=float, metavar="SECONDS",
        help=tr("how long a cluster may be without any worker; 300 if not given"),
    )  # fmt: skip
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
    if arguments.wait is not None and not (arguments.scheduler and arguments.wait > 0.0):
        raise CommandError("--wait takes more than 0 seconds, with --scheduler.")
    if Path(arguments.project).suffix.lower() in ENDINGS:
        asked = {
            "--study": arguments.study, "--band": arguments.band, "--output": arguments.output, "--resume": arguments.resume,
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
    from solver.studies.cluster import ENCRYPTED, WAIT_S, Certificates
    from solver.studies.running import run_study, study_of

    project, notes = opened(arguments.project, arguments.changes)
    if arguments.band:
        from solver.studies.band import BAND, with_band

        if arguments.study:
            raise CommandError("--study and --band do not go together.")
        project, arguments.study = with_band(project), BAND
    study = study_of(project, arguments.study)
    stem = Path(arguments.project)
    name = arguments.output or stem.with_name(f"{stem.stem}_{study.id}.h5")
    output = writable(name, "study file", *files_of(project, arguments.project))
    print_problems(notes)
    if arguments.scheduler and not arguments.scheduler.startswith(ENCRYPTED):
        print(tr("warning: the connection to '{address}' is not encrypted, and nobody proves who they are; see docs/trust.md.", address=arguments.scheduler), file=sys.stderr)  # fmt: skip
    progress = ProgressLine(arguments.quiet)
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
            wait_s=WAIT_S if arguments.wait is None else arguments.wait,
            resume=arguments.resume,
            watch=progress,
            notice=_notice,
        )
    finally:
        progress.close()


def _notice(what: Sentence) -> None:
    print(tr("note: {what}", what=what), file=sys.stderr)


class ProgressLine:
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
    """The table as CSV, numbers to their last digit."""
    columns = found.rows.columns()
    rows = ([i, *(column[i] for column in columns.values())] for i in range(len(found.rows)))
    return atomic.as_csv((["run", *columns], *rows))


def as_text(found: StudyResult) -> str:
    """The answers as tables of text; of a band its figures."""
    from solver.studies.band import BAND, Band
    from solver.studies.printed import printed

    return "\n".join(band_lines(Band(found)) if found.study.id == BAND else printed(found))


def band_lines(band: Band) -> list[str]:
    """A line for each figure of a band: its ends, its unit, what decides it."""
    from solver.injury.figures import shown

    rows = [(tr("figure"), "5–95 %", tr("unit"), tr("decided by"))]
    rows += [(o.figure, o.text, shown(o.low, o.unit)[1], o.decided) for o in band.figures.values()]
    widths = [max(len(row[k]) for row in rows) for k in range(len(rows[0]))]
    return [*(_line(row, widths) for row in rows), str(band.said)]


# The command that certifies dummies: bench.


def _add_bench(commands: Commands) -> None:
    """Add this command to the parser."""
    bench = command(commands, "bench", tr("Run the bench tests of dummies."), _bench)
    bench.add_argument(
        "dummies", metavar="DUMMY", nargs="*", help=tr("all if none is named; see 'body --list'")
    )
    bench.add_argument(
        "--test", metavar="KIND", action="append", default=[], help=tr("only these tests")
    )
    bench.add_argument(
        "--scene",
        action="store_true",
        help=tr("write the scene of one test of one dummy as a project instead of running it"),
    )
    bench.add_argument(
        "--fits",
        action="store_true",
        help=tr("write one dummy as a project with the studies that its numbers were fitted by, for 'study'"),
    )  # fmt: skip
    bench.add_argument(
        "--margins",
        action="store_true",
        help=tr("print what the fit leaves open instead of running: how far its numbers may move, what else passes"),
    )  # fmt: skip
    bench.add_argument("--json", action="store_true", help=tr("print the figures as JSON"))
    bench.add_argument(
        "-o", "--output", metavar="FILE", help=tr("certificate of one dummy, HTML or PDF; or the project")
    )  # fmt: skip


def _bench(arguments: argparse.Namespace) -> int:
    from solver.studies.bench.running import run_test
    from solver.studies.bench.table import dummies

    names = arguments.dummies or list(dummies())
    for name in names:
        if name not in dummies():
            raise CommandError(
                "'{name}' has no bench tests. These have: {known}.",
                name=name,
                known=", ".join(dummies()),
            )
    if arguments.margins:
        return _margins(names, arguments)
    if arguments.fits:
        return _fits(names, arguments)
    if (arguments.output or arguments.scene) and len(names) != 1:
        raise CommandError("Name one dummy: a file holds one certificate, or one scene.")
    chosen = {name: _chosen(name, arguments.test) for name in names}
    if arguments.scene:
        return _scene(names[0], chosen[names[0]], arguments)
    target = writable(arguments.output, "certificate") if arguments.output else None
    if target is not None and target.suffix.lower() not in (".html", ".htm", ".pdf"):
        raise CommandError("'{target}' must end in .html or .pdf.", target=target.name)
    found: dict[str, list[Result]] = {}
    for name in names:
        found[name] = []
        for test in chosen[name]:
            result = run_test(name, test)
            found[name].append(result)
            if not arguments.json:
                print(_result_text(result), flush=True)
    if arguments.json:
        print(json.dumps({name: [_plain(r) for r in rs] for name, rs in found.items()}, indent=2))
    if target is not None:
        from solver.report.bench import certificate

        saved = certificate(names[0], found[names[0]]).save(target)
        if not arguments.json:
            print(tr("Wrote {save}.", save=saved))
    return 0 if all(r.passed for results in found.values() for r in results) else 1


def _fits(names: list[str], arguments: argparse.Namespace) -> int:
    """Write the file of a dummy: a project with its fits."""
    from solver.bodies.dummies import dummy_file
    from solver.project import save_project

    if arguments.scene or arguments.json or arguments.test or len(names) != 1:
        raise CommandError("--fits goes with one dummy and -o FILE.json alone.")
    if not arguments.output:
        raise CommandError("Say where to: --fits -o FILE.json.")
    target = writable(arguments.output, "project")
    save_project(dummy_file(names[0]), target)
    print(tr("Wrote {save}.", save=target))
    return 0


def _margins(names: list[str], arguments: argparse.Namespace) -> int:
    """Print what fits leave open, as kept beside the dummies."""
    from solver.report.bench import left_open

    if arguments.output or arguments.scene or arguments.json or arguments.test:
        raise CommandError("--margins goes with names of dummies alone.")
    for name in names:
        print(name)
        for table in left_open(name):
            rows = [table.heads, *(tuple(cell.text for cell in row) for row in table.rows)]
            widths = [max(len(row[k]) for row in rows) for k in range(len(table.heads))]
            print("\n".join(["", table.title, *(_line(row, widths) for row in rows), *table.notes]))
        print()
    return 0


def _line(row: tuple[str, ...], widths: list[int]) -> str:
    return "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip()


def _chosen(name: str, kinds: list[str]) -> list[BenchTest]:
    from solver.studies.bench.table import bench_tests

    known = [test.kind for test in bench_tests(name)]
    for kind in kinds:
        if kind not in known:
            raise CommandError(
                "'{name}' has no test '{kind}'. It has: {known}.",
                name=name,
                kind=kind,
                known=", ".join(known),
            )
    return [test for test in bench_tests(name) if not kinds or test.kind in kinds]


def _scene(name: str, tests: list[BenchTest], arguments: argparse.Namespace) -> int:
    from solver.bodies import library_body
    from solver.project import save_project
    from solver.studies.bench.fixtures import scene

    if arguments.json:
        raise CommandError("A scene has no figures: leave out --json.")
    if len(tests) != 1 or not arguments.output:
        raise CommandError("Say which test and where to: --scene --test neck_flexion -o FILE.json.")
    target = writable(arguments.output, "project")
    save_project(scene(tests[0], library_body(name)), target)
    print(tr("Wrote {save}.", save=target))
    return 0


def _result_text(result: Result) -> str:
    from solver.studies.bench.labels import corridor, figure_label, value
    from solver.studies.bench.table import TITLES

    passed = tr("passed") if result.passed else tr("NOT PASSED")
    lines = [f"{result.dummy}: {tr(TITLES[result.test.kind])} ({result.test.paragraph}): {passed}"]
    for v in result.verdicts:
        mark = " " if v.passed else "!"
        lines.append(f"  {mark} {figure_label(v.asked):<42} {value(v):>12}   {corridor(v.asked)}")
    lines += [tr("  warning: {what}", what=one) for one in result.passages]
    return "\n".join(lines)


def _plain(result: Result) -> dict[str, Any]:
    return {
        "test": result.test.kind,
        "paragraph": result.test.paragraph,
        "passed": result.passed,
        "passages": list(result.passages),
        "figures": [
            {
                "figure": v.asked.figure, "at": v.asked.at, "until": v.asked.until, "unit": v.asked.unit,
                "low": v.asked.low, "high": v.asked.high, "value": v.value, "passed": v.passed, "reason": v.reason,
            }
            for v in result.verdicts
        ],
    }  # fmt: skip
