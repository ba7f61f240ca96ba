"""Commands on files of other programs: import, and the deck that export writes."""

from __future__ import annotations

import argparse
from pathlib import Path

from solver.base.words import tr
from solver.cli.common import (
    CommandError,
    Commands,
    checked,
    command,
    opened,
    print_problems,
    writable,
    write_text,
)
from solver.project import Project, save_project

NAMES = ("import",)
DECKS = (".ain", ".lin")
CARDS = (".vsg",)
PRINTED = (".aou", ".tp", ".tth")
TREES = (".xml", ".mjcf", ".urdf", ".osim")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    read = command(commands, "import", tr("Make a project of another program's model."), _import)
    read.add_argument("file", metavar="FILE", help=tr("deck of ATB (.ain, .lin) or what it printed (.aou), cards of VARISEG (.vsg), model of MuJoCo (.xml), robot (.urdf), model of OpenSim (.osim)"))  # fmt: skip
    read.add_argument("-o", "--output", metavar="OUT.json", help=tr("project to write, or table of printed curves; FILE.json or FILE.csv if not given"))  # fmt: skip
    read.add_argument(
        "--report", metavar="FILE", nargs="?", const="-",
        help=tr("say what became of every card: on the screen, or in a file"),
    )  # fmt: skip
    read.add_argument(
        "--as-it-stands", action="store_true",
        help=tr("find no equilibrium where a deck asks for one (card G.1)"),
    )  # fmt: skip


def _import(arguments: argparse.Namespace) -> int:
    from solver.project.checks import check

    file = Path(arguments.file)
    if file.suffix.lower() in PRINTED:
        return _import_curves(file, arguments.output)
    project, lines, shown = _read(file, arguments.as_it_stands)
    target = writable(arguments.output or file.with_suffix(".json"), "project", file)
    if target.exists() and not arguments.output:
        raise CommandError("'{target}' is there already; give another name with -o.", target=target)
    if arguments.report and arguments.report != "-":
        write_text(writable(arguments.report, "report", file), "\n".join(lines) + "\n")
    print(project.title or file.stem)
    for line in lines if arguments.report == "-" else shown:
        print(line)
    problems = [one for one in check(project) if one.severity != "note"]
    print_problems(problems)
    save_project(project, target)
    print(tr("Wrote {target}.", target=target))
    return 1 if any(one.severity == "error" for one in problems) else 0


def _import_curves(file: Path, output: str | None) -> int:
    """Write the curves of a printout as a table."""
    from solver.exchange.printed import PrintedError, read_printed
    from solver.report.export import as_csv

    try:
        made = read_printed(file)
    except PrintedError as failure:
        raise CommandError(str(failure)) from None
    target = writable(output or file.with_suffix(".csv"), "table", file)
    for one in (*made.notes, *(f"{curve.name} [{curve.unit}]" for curve in made.curves)):
        print(one)
    write_text(target, as_csv(made.curves))
    print(tr("Wrote {target}.", target=target))
    return 0


def _read(file: Path, as_it_stands: bool) -> tuple[Project, list[str], list[str]]:
    """Give the project made of a file, its whole report, and what of it is shown unasked."""
    from solver.exchange.decks import read_ain, report_lines
    from solver.exchange.trees import TreeError, read_tree
    from solver.exchange.variseg import read_variseg

    if file.suffix.lower() in DECKS:
        made = read_ain(file)
        if not as_it_stands:
            from solver.exchange.decks.rest import settled

            made = settled(made)
        lines = report_lines(made.notes)
        return made.project, lines, [*map(str, made.lost), lines[-1]]
    if file.suffix.lower() in CARDS:
        read = read_variseg(file)
        lines = report_lines(read.notes)
        return read.project, lines, lines[-1:]
    if file.suffix.lower() not in TREES:
        raise CommandError(
            "'{file}' is none of the files that can be read: {known}.", file=file, known=", ".join(DECKS + TREES + PRINTED + CARDS)
        )  # fmt: skip
    try:
        tree = read_tree(file)
    except TreeError as failure:
        raise CommandError(str(failure)) from None
    told = [str(one) for one in tree.notes]
    return tree.project, told, told


def export_model(path: str, output: str, kind: str) -> int:
    """Write a project for another program, and say first what the file cannot say."""
    from solver.exchange.decks import DeckError, write_ain
    from solver.exchange.trees import TreeError, write_tree
    from solver.exchange.variseg import VarisegError, write_variseg

    project, notes = opened(path)
    checked(project, notes)
    target = writable(output, "model", path)
    if kind == "ain" and target.suffix.lower() not in DECKS:
        raise CommandError("A deck's name ends with {known}, not '{ending}'.", known=", ".join(DECKS), ending=target.suffix)  # fmt: skip
    try:
        if kind == "ain":
            told = write_ain(project, target).lines()
        elif kind == "variseg":
            told = write_variseg(project, target).lines()
        else:
            told = [str(one) for one in write_tree(project, target)]
    except (DeckError, TreeError, VarisegError) as failure:
        raise CommandError(str(failure)) from None
    except OSError as failure:
        raise CommandError(
            "'{file}' cannot be written: {strerror}.", file=output, strerror=failure.strerror
        ) from None
    for line in told:
        print(line)
    print(tr("Wrote {target}.", target=target))
    return 0
