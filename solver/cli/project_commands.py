"""Commands on a project file: check, format, run, schema."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
from collections.abc import Sequence
from pathlib import Path

from solver.base.words import msgid, tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    opened,
    opened_results,
    print_problems,
    writable,
    write_text,
)
from solver.cli.running import run_project
from solver.project import Problem, Project, ProjectError, open_project, save_project, with_change
from solver.project.amounts import amounts

NAMES = ("check", "format", "run", "schema")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    check = command(commands, "check", tr("List all problems of a project."), _check)
    check.add_argument("project", metavar="PROJECT")
    check.add_argument("--json", action="store_true", help=tr("print the problems as JSON"))

    format_ = command(
        commands,
        "format",
        tr("Rewrite a project in canonical form and the present version."),
        _format,
    )
    format_.add_argument("project", metavar="PROJECT")
    format_.add_argument(
        "-o", "--output", metavar="FILE", help=tr("write here instead of in place")
    )

    run = command(commands, "run", tr("Solve a project without a window."), _run)
    run.add_argument("project", metavar="PROJECT")
    run.add_argument(
        "-o",
        "--output",
        metavar="OUT.h5",
        help=tr("results file; named after the project, the run and the changes if not given"),
    )
    run.add_argument(
        "--run",
        metavar="ID",
        help=tr("which of the project's runs; the first if not given"),
    )
    run.add_argument("--set", action="append", default=[], metavar="PATH=VALUE", dest="changes")
    run.add_argument(
        "--until", type=float, metavar="S", help=tr("end of the run (s), in place of its duration")
    )
    run.add_argument(
        "--from",
        metavar="OUT.h5",
        dest="before",
        help=tr("go on from these results of the same model, which stay as they are"),
    )
    run.add_argument(
        "--at",
        type=float,
        metavar="S",
        help=tr("with --from: go on from the last checkpoint that is no later (s)"),
    )
    run.add_argument("--json", action="store_true", help=tr("print the summary as JSON"))
    run.add_argument("--quiet", action="store_true", help=tr("no progress bar"))

    schema = command(commands, "schema", tr("Write the JSON Schema of project files."), _schema)
    schema.add_argument(
        "-o", "--output", metavar="FILE", help=tr("file; standard output if not given")
    )


def _check(arguments: argparse.Namespace) -> int:
    stored: list[str] = []
    try:
        project, notes = opened(arguments.project)
        problems = checked(project, notes)
        stored = [
            tr("Run '{run}' stores {amount}.", run=run.id, amount=amounts(project, run).said)
            for run in project.runs
        ]
    except ProjectError as failure:
        problems = failure.problems
    if arguments.json:
        print(json.dumps([_as_json(p) for p in problems], indent=2, ensure_ascii=False))
    else:
        print_problems(problems)
        print("\n".join([_count(problems), *stored]))
    return 1 if any(p.severity == "error" for p in problems) else 0


def _as_json(problem: Problem) -> dict[str, str]:
    return {
        "severity": problem.severity,
        "code": problem.code,
        "path": problem.path,
        "sentence": problem.sentence,
        "hint": problem.hint,
    }


_COUNTED = {
    "error": (msgid("{number} error"), msgid("{number} errors")),
    "warning": (msgid("{number} warning"), msgid("{number} warnings")),
    "note": (msgid("{number} note"), msgid("{number} notes")),
}


def _count(problems: tuple[Problem, ...]) -> str:
    """Sum the problems up in one sentence."""
    words = []
    for severity, (one, several) in _COUNTED.items():
        number = sum(p.severity == severity for p in problems)
        if number:
            words.append(tr(one if number == 1 else several, number=number))
    return f"{', '.join(words)}." if words else tr("No problems.")


def _format(arguments: argparse.Namespace) -> int:
    file = open_project(arguments.project)
    target = arguments.project
    if arguments.output:
        target = writable(arguments.output, "project", *files_of(file.project, target)[1:])
    backup = save_project(file.project, target)
    print(
        tr("Wrote {target}.", target=target)
        + (tr(" The older file is kept as {backup}.", backup=backup) if backup else "")
    )
    return 0


def _run(arguments: argparse.Namespace) -> int:
    from solver.project.checks import Checked

    if arguments.at is not None and arguments.before is None:
        raise CommandError("--at needs --from: the results that have checkpoints.")
    project, notes = opened(arguments.project, arguments.changes)
    if arguments.until is not None:
        project = lasting(project, arguments.run, arguments.until)
    name = arguments.output or results_name(
        arguments.project,
        arguments.run,
        arguments.changes,
        [] if arguments.until is None else [f"until={arguments.until:g}"],
    )
    inputs = files_of(project, arguments.project)
    if arguments.before is not None:
        inputs.append(Path(arguments.before))
    output = writable(name, "results file", *inputs)
    problems = checked(project, notes)
    print_problems(problems)
    ready = Checked(project, problems)
    if arguments.before is None:
        return run_project(
            ready, output, arguments.run, quiet=arguments.quiet, as_json=arguments.json
        )
    from solver.running.restart import Restart

    with opened_results(arguments.before) as before:
        return run_project(
            ready, output, arguments.run, quiet=arguments.quiet, as_json=arguments.json,
            restart=Restart(before, arguments.at),
        )  # fmt: skip


def lasting(project: Project, run: str | None, until: float) -> Project:
    """Let a run, the first if none is named, end at another time."""
    from solver.model.refusal import SimulationError
    from solver.running.simulation import chosen_run

    try:
        chosen = chosen_run(project, run)
    except SimulationError as failure:
        raise CommandError(str(failure)) from None
    return with_change(project, f"runs/{chosen.id}/duration_s", repr(until))


def results_name(
    project: str, run: str | None = None, changes: Sequence[str] = (), more: Sequence[str] = ()
) -> str:
    """Name the results after the project, the run and the changes, so that each has its own.

    They stand in the folder where the command was given. Changes are told apart by a few characters,
    which are the same for the same changes.
    """
    words = [Path(project).stem[:80]]
    if run is not None:
        words.append(re.sub(r"[^\w.-]", "_", run)[:40])
    if changes:
        path, _, value = changes[-1].partition("=")
        last = f"{path.strip().rpartition('/')[2]}={value.strip()}"
        words.append(re.sub(r"[^\w.=+-]", "_", last)[:40])
        words.append(hashlib.sha256("\0".join(changes).encode()).hexdigest()[:6])
    return "-".join([*words, *more]) + ".h5"


def _schema(arguments: argparse.Namespace) -> int:
    from solver.project.describe import json_schema_text

    text = json_schema_text()
    if arguments.output:
        write_text(writable(arguments.output, "schema"), text)
    else:
        print(text, end="")
    return 0
