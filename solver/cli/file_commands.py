"""Commands on shipped and left-over files: samples, sample, salvage, demo."""

from __future__ import annotations

import argparse
from pathlib import Path

from solver.base.places import DEFAULT_SAMPLE, samples
from solver.base.words import Sentence, tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    opened,
    opened_results,
    print_problems,
    writable,
    write_text,
)
from solver.cli.running import run_project
from solver.project import load_project, save_project
from solver.project.problems import did_you_mean

NAMES = ("samples", "sample", "salvage", "demo")


def add_to(commands: Commands) -> None:
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
        print(f"{file.stem:<{width}}  {load_project(file).title}")
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
    from solver.results import ResultsError, salvage

    target = writable(arguments.output, "results file") if arguments.output else None
    if target is not None and target.exists():
        raise CommandError("'{target}' is there already; give another name with -o.", target=target)
    try:
        written = salvage(Path(arguments.part), target)
        with opened_results(str(written)) as run:
            print(run.message)
    except ResultsError as failure:
        raise CommandError(str(failure)) from None
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
    from solver.report import ReportError, report

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
    try:
        with opened_results(str(results)) as run:
            made = report(run)
        for ending in (".html", ".pdf"):
            print(tr("wrote        {save}", save=made.save(results.with_suffix(ending))))
    except ReportError as failure:
        raise CommandError(str(failure)) from None
    return code
