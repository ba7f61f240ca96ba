"""Commands on projects and on shipped and left-over files: check, format, run, schema, samples, sample, salvage, demo."""

from __future__ import annotations

import argparse
import hashlib
import json
import re
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING

from solver.base.places import DEFAULT_SAMPLE, samples
from solver.base.words import Sentence, msgid, tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    files_of,
    opened,
    opened_results,
    print_problems,
    solvable,
    writable,
    write_text,
)
from solver.project import (
    Problem,
    Project,
    ProjectError,
    load_project,
    open_project,
    save_project,
    with_change,
)
from solver.project.amounts import amounts
from solver.project.joint_table import carrying, row_of
from solver.project.problems import did_you_mean

if TYPE_CHECKING:
    from solver.project.checks import Checked
    from solver.running.restart import Restart
    from solver.running.simulation import Outcome

# Solve a project on the command line: a bar while it runs, a summary at the end.

WIDTH = 30


class Bar:
    """Draw how far a run has come, on a terminal only."""

    def __init__(self, quiet: bool) -> None:
        self._on = not quiet and sys.stderr.isatty()
        self._shown = -1

    def __call__(self, part: float) -> None:
        """Show the part that is done."""
        done = round(WIDTH * part)
        if self._on and done != self._shown:
            self._shown = done
            bar = "=" * done + " " * (WIDTH - done)
            print(f"\r[{bar}] {100 * part:3.0f} %", end="", file=sys.stderr, flush=True)

    def close(self) -> None:
        """Leave the line."""
        if self._on and self._shown >= 0:
            print(file=sys.stderr)


class Compiling:
    """Say how far compiling has come: line after line, or in one on a terminal."""

    def __call__(self, done: int, of: int) -> None:
        """Show the number of the part that is compiled next."""
        text = tr(
            "compiling the solver for this machine, only once: part {part} of {of}",
            part=min(done + 1, of), of=of,
        )  # fmt: skip
        is_seen = sys.stderr.isatty()
        end = "\n" if done == of or not is_seen else ""
        print(("\r" if is_seen else "") + text, end=end, file=sys.stderr, flush=True)


def run_project(
    project: Checked,
    output: Path,
    run: str | None,
    *,
    quiet: bool,
    as_json: bool,
    restart: Restart | None = None,
) -> int:
    """Solve into a file, print the summary and give the exit code."""
    from solver.running.simulation import simulate_to_file

    bar, start = Bar(quiet), time.perf_counter()
    try:
        outcome = simulate_to_file(
            project,
            output,
            run,
            progress=bar,
            compiling=None if quiet else Compiling(),
            restart=restart,
        )
    finally:
        bar.close()
    wall = time.perf_counter() - start
    print(_result_as_json(outcome, wall, output) if as_json else _summary(outcome, wall, output))
    if outcome.status == "completed":
        return 0
    print(tr("error: {message}", message=outcome.message), file=sys.stderr)
    return 1


def _result_as_json(outcome: Outcome, wall: float, output: Path) -> str:
    return json.dumps(
        {
            "status": outcome.status,
            "message": outcome.message,
            "wall_s": round(wall, 4),
            "time_s": outcome.time,
            "steps": outcome.steps,
            "evaluations": outcome.evaluations,
            "rejected": outcome.rejected,
            "events": len(outcome.happened),
            "energy_balance": outcome.energy_balance,
            "passages": [asdict(one) for one in outcome.passages],
            "submarining": [asdict(one) for one in outcome.submarining],
            "injury": {
                value.name: {
                    "value": value.value, "unit": value.unit, "t1": value.t1, "t2": value.t2
                }
                for value in outcome.injury
            },
            "output": str(output),
        },
        indent=2,
    )  # fmt: skip


def _summary(outcome: Outcome, wall: float, output: Path) -> str:
    lines = [
        tr("status       {status}", status=tr(outcome.status)),
        tr("simulated    {time:.6g} ms in {wall:.2f} s", time=1e3 * outcome.time, wall=wall),
        tr(
            "steps        {steps}, {rejected} rejected",
            steps=outcome.steps,
            rejected=outcome.rejected,
        ),
        tr("evaluations  {evaluations}", evaluations=outcome.evaluations),
        tr(
            "energy       balanced to {energy_balance:.2g} J", energy_balance=outcome.energy_balance
        ),
    ]
    if outcome.happened:
        lines.append(tr("events       {count}", count=len(outcome.happened)))
    # what is wrong stands before what happened
    log = sorted(outcome.log, key=lambda line: not line.startswith(tr("warning")))
    lines += [f"  {line}" for line in log[:12]]
    if len(log) > 12:
        lines.append(tr("  and {count} more, in the results file", count=len(log) - 12))
    lines += [
        tr("injury       {figure} {value:.4g}", figure=v.name, value=v.value)
        + ("" if v.unit == "1" else f" {v.unit}")
        for v in outcome.injury
    ]
    return "\n".join([*lines, tr("wrote        {output}", output=output)])


# Commands on a project file: check, format, run, schema.

NAMES = ("check", "format", "run", "schema", "samples", "sample", "salvage", "demo")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    _add_samples(commands)
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
        stored.append(_tree(project))
    except ProjectError as failure:
        problems = failure.problems
    if arguments.json:
        print(json.dumps([_as_json(p) for p in problems], indent=2, ensure_ascii=False))
    else:
        print_problems(problems)
        print("\n".join([_count(problems), *stored]))
    return 1 if any(p.severity == "error" for p in problems) else 0


def _tree(project: Project) -> str:
    """Count segments and the freedoms that joints leave them, locks and motions not counted."""
    carried = {joint.child for joint in carrying(project.joints)}
    roots = sum(one.id not in carried for one in project.segments)
    left = 6 * roots + sum(row_of(joint).coordinates for joint in carrying(project.joints))
    return tr(
        "Segments: {segments}, with {loose} freedoms; joints leave {left} (`manikin facts` says more).",
        segments=len(project.segments), loose=6 * len(project.segments), left=left,
    )  # fmt: skip


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
    ready = solvable(project, notes)
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
    from solver.running.simulation import chosen_run

    chosen = chosen_run(project, run)
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
    from solver.project.schema import json_schema_text

    text = json_schema_text()
    if arguments.output:
        write_text(writable(arguments.output, "schema"), text)
    else:
        print(text, end="")
    return 0


# Commands on shipped and left-over files: samples, sample, salvage, demo.


def _add_samples(commands: Commands) -> None:
    """Add these commands to the parser."""
    command(commands, "samples", tr("List the sample projects."), _samples)

    sample = command(commands, "sample", tr("Copy a sample project."), _sample)
    sample.add_argument("name", metavar="NAME")
    sample.add_argument(
        "-o", "--output", metavar="FILE", help=tr("where to; NAME.json if not given")
    )

    saving = command(
        commands, "salvage", tr("Turn a part file left by a crash into results."), _salvage
    )
    saving.add_argument("part", metavar="NAME.KEY.part")
    saving.add_argument("-o", "--output", metavar="OUT.h5", help=tr("results file to write"))

    demo = command(commands, "demo", tr("Do the main job on the default sample."), _demo)
    demo.add_argument(
        "-o", "--output", metavar="FOLDER", default="out", help=tr("folder to write to")
    )


def _sample_file(name: str) -> Path:
    """Find a sample by name, or say which there are."""
    known = sorted(f.stem for f in samples().glob("*.json"))
    if name not in known:
        hint = did_you_mean(name, known) or Sentence("There are: {known}.", known=", ".join(known))
        raise CommandError("There is no sample '{name}'. {hint}", name=name, hint=hint)
    return samples() / f"{name}.json"


def _samples(_: argparse.Namespace) -> int:
    files = sorted(samples().glob("*.json"), key=lambda f: (f.stem != DEFAULT_SAMPLE, f.stem))
    width = max((len(f.stem) for f in files), default=0)
    for file in files:
        print(f"{file.stem:<{width}}  {tr(load_project(file).title)}")
    return 0


def _sample(arguments: argparse.Namespace) -> int:
    source = _sample_file(arguments.name)
    target = writable(arguments.output or f"{arguments.name}.json", "project")
    if target.exists():
        raise CommandError("'{target}' is there already; give another name with -o.", target=target)
    save_project(load_project(source), target)
    print(tr("Wrote {target}.", target=target))
    return 0


def _salvage(arguments: argparse.Namespace) -> int:
    from solver.results import salvage

    target = writable(arguments.output, "results file") if arguments.output else None
    if target is not None and target.exists():
        raise CommandError("'{target}' is there already; give another name with -o.", target=target)
    written = salvage(Path(arguments.part), target)
    with opened_results(str(written)) as run:
        print(run.message)
    print(
        tr(
            "Wrote {written}. The part is still there: delete it once you have what you want.",
            written=written,
        )
    )
    return 0


def _demo(arguments: argparse.Namespace) -> int:
    """Check, solve and report the default sample, and leave everything in a folder."""
    from solver.project.checks import Checked
    from solver.report import report

    folder = Path(arguments.output)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as failure:
        raise CommandError(
            "'{folder}' cannot be made: {strerror}.", folder=folder, strerror=failure.strerror
        ) from None
    project, notes = opened(str(_sample_file(DEFAULT_SAMPLE)))
    print(project.title or DEFAULT_SAMPLE)
    problems = checked(project, notes)
    print_problems(problems)
    listed = folder / f"{DEFAULT_SAMPLE}.check.txt"
    write_text(listed, "".join(f"{p}\n" for p in problems))
    save_project(project, folder / f"{DEFAULT_SAMPLE}.json")
    results = folder / f"{DEFAULT_SAMPLE}.h5"
    code = run_project(Checked(project, problems), results, None, quiet=False, as_json=False)
    with opened_results(str(results)) as run:
        made = report(run)
    for ending in (".html", ".pdf"):
        print(tr("wrote        {save}", save=made.save(results.with_suffix(ending))))
    return code
