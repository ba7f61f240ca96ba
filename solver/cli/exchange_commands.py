"""Commands on files of other programs: import, and the deck that export writes."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING

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
from solver.project import save_project
from solver.words import Sentence, tr

if TYPE_CHECKING:
    from solver.exchange.decks import Imported

NAMES = ("import",)
ENDINGS = (".ain", ".lin")


def add_to(commands: Commands) -> None:
    """Add these commands to the parser."""
    read = command(commands, "import", tr("Make a project of another program's model."), _import)
    read.add_argument("file", metavar="FILE.ain", help=tr("deck in columns (.ain) or in free form (.lin)"))  # fmt: skip
    read.add_argument("-o", "--output", metavar="OUT.json", help=tr("project to write; FILE.json if not given"))  # fmt: skip
    read.add_argument(
        "--report", metavar="FILE", nargs="?", const="-",
        help=tr("say what became of every card: on the screen, or in a file"),
    )  # fmt: skip


def _import(arguments: argparse.Namespace) -> int:
    from solver.exchange.decks import report_lines
    from solver.project.checks import check

    file = Path(arguments.file)
    made = _read(file)
    target = writable(arguments.output or file.with_suffix(".json"), "project", file)
    if target.exists() and not arguments.output:
        raise CommandError("'{target}' is there already; give another name with -o.", target=target)
    lines = report_lines(made.notes)
    if arguments.report and arguments.report != "-":
        write_text(writable(arguments.report, "report", file), "\n".join(lines) + "\n")
    print(made.project.title or file.stem)
    shown = lines if arguments.report == "-" else [*map(str, made.lost), lines[-1]]
    for line in shown:
        print(line)
    problems = [one for one in check(made.project) if one.severity != "note"]
    print_problems(problems)
    save_project(made.project, target)
    print(tr("Wrote {target}.", target=target))
    return 1 if any(one.severity == "error" for one in problems) else 0


def _read(file: Path) -> Imported:
    from solver.exchange.decks import read_ain

    if file.suffix.lower() not in ENDINGS:
        raise CommandError(
            "'{file}' is none of the files that can be read: {known}. {hint}",
            file=file, known=", ".join(ENDINGS),
            hint=Sentence("MADYMO's files are a closed format.") if file.suffix.lower() == ".xml" else "",
        )  # fmt: skip
    return read_ain(file)


def export_deck(path: str, output: str) -> int:
    """Write a project as a deck, and say first what the deck cannot say."""
    from solver.exchange.decks import DeckError, write_ain

    project, notes = opened(path)
    checked(project, notes)
    target = writable(output, "deck", path)
    if target.suffix.lower() not in ENDINGS:
        raise CommandError("A deck's name ends with {known}, not '{ending}'.", known=", ".join(ENDINGS), ending=target.suffix)  # fmt: skip
    try:
        made = write_ain(project, target)
    except DeckError as failure:
        raise CommandError(str(failure)) from None
    for line in made.lines():
        print(line)
    print(tr("Wrote {target}.", target=target))
    return 0
