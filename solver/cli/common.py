"""What several commands share."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from solver.base.atomic import is_same, ordinary, write_atomic
from solver.base.units import SYSTEMS, given_by, is_own, spelled
from solver.base.words import Refusal, Sentence, tr
from solver.project import Problem, Project, ProjectError, open_project, with_change
from solver.project.functions import Table
from solver.project.geometry import PointRef

if TYPE_CHECKING:
    from solver.analysis.inverse.bodies import At
    from solver.project.checks import Checked
    from solver.results import FileTrajectory, Trajectory

Handler = Callable[[argparse.Namespace], int]
Commands = Any
"""What `add_subparsers` gives; argparse keeps its type private."""


class CommandError(Refusal):
    """Say in one sentence why a command cannot do its work."""


def command(commands: Commands, name: str, help_: str, handler: Handler) -> argparse.ArgumentParser:
    """Add one command."""
    made: argparse.ArgumentParser = commands.add_parser(name, help=help_, description=help_)
    made.set_defaults(handler=handler)
    return made


def opened(path: str, changes: Iterable[str] = ()) -> tuple[Project, tuple[Problem, ...]]:
    """Open a project, apply `PATH=VALUE` changes, and give it with the notes of opening."""
    file = open_project(Path(path))
    project = file.project
    for change in changes:
        place, mark, value = change.partition("=")
        if not mark:
            raise CommandError("'{change}' is not of the form PATH=VALUE.", change=change)
        project = with_change(project, place.strip(), value.strip())
    return project, file.notes


def checked(project: Project, notes: tuple[Problem, ...] = ()) -> tuple[Problem, ...]:
    """All problems; raises ProjectError if any of them is an error."""
    from solver.project.checks import check

    problems = (*notes, *check(project))
    if any(p.severity == "error" for p in problems):
        raise ProjectError(problems)
    return problems


def print_problems(problems: Iterable[Problem]) -> None:
    """Print problems on standard error, one a line."""
    for problem in problems:
        print(problem, file=sys.stderr)


def solvable(project: Project, notes: tuple[Problem, ...] = ()) -> Checked:
    """Check a project and print what is to be said of it; raises ProjectError if it cannot be solved."""
    from solver.project.checks import Checked

    problems = checked(project, notes)
    print_problems(problems)
    return Checked(project, problems)


@contextmanager
def writing(path: str | Path) -> Iterator[None]:
    """Say in a sentence why a file cannot be written."""
    try:
        yield
    except OSError as failure:
        raise CommandError(
            "'{path}' cannot be written: {strerror}.", path=path, strerror=failure.strerror
        ) from None


def writable(path: str | Path, what: str, *inputs: str | Path) -> Path:
    """The path of a file to write, or say why it cannot be one; an input is never written."""
    file = Path(path)
    with writing(path):
        target = ordinary(file)
        if target.is_dir():
            raise CommandError(
                "'{path}' is a folder; give the name of the {what}.", path=path, what=Sentence(what)
            )
        _in_a_folder(target, file, what)
    for one in inputs:
        if is_same(target, Path(one)):
            raise CommandError(
                "'{path}' is an input of this command; give another name for the {what}.",
                path=path,
                what=Sentence(what),
            )
    return file


def new_folder(path: str | Path, what: str) -> Path:
    """The path of a folder to write; one that holds other things is left alone."""
    with writing(path):
        folder = ordinary(Path(path))
        if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
            raise CommandError("'{path}' is there already; give a new folder.", path=path)
        _in_a_folder(folder, Path(path), what)
    return Path(path)


def _in_a_folder(target: Path, named: Path, what: str) -> None:
    if not target.parent.is_dir():
        raise CommandError(
            "There is no folder '{parent}' for the {what}.",
            parent=named.parent,
            what=Sentence(what),
        )


def files_of(project: Project, path: str | Path) -> list[Path]:
    """Name the files that make up a project: its own, those of its curves, and those that it includes."""
    file = Path(path)
    tables = [one.form for one in project.functions if isinstance(one.form, Table)]
    curves = [table.csv.path for table in tables if table.csv is not None]
    links = [Path(one.file) for one in project.includes]
    return [file, *(file.parent / name for name in curves), *links]


def write_text(file: Path, text: str) -> None:
    """Write a text whole or not at all, or say why it cannot be."""
    with writing(file):
        write_atomic(file, text)


def point(words: Sequence[str]) -> PointRef:
    """Read an anchor: a segment and three lengths."""
    segment, *rest = words
    try:
        x, y, z = (float(word) for word in rest)
        return PointRef(segment=segment, position_m=(x, y, z))
    except ValueError:
        raise CommandError(
            "'{words}' is not of the form SEGMENT X Y Z.", words=" ".join(words)
        ) from None


def opened_results(path: str) -> FileTrajectory:
    """Open a results file, or say in one sentence why it is none."""
    from solver.results import open_results

    return open_results(Path(path))


def at_start(run: FileTrajectory) -> At:
    """Give the model of a run at its start."""
    from solver.analysis.inverse.bodies import standing
    from solver.project.checks import checked as checked_project
    from solver.project.reading import parse
    from solver.running.simulation import Simulation

    project = checked_project(parse(run.project_json.decode()).project)
    return standing(Simulation(project, run.run_id or None).begin())


def is_results(file: Path) -> bool:
    """Whether a file holds results, by how it begins."""
    from solver.results.hdf5 import HDF5

    try:
        with file.open("rb") as stream:
            return stream.read(len(HDF5)) == HDF5
    except OSError:
        return False


# The option --units: a system that is always there, a list of units, or a system of the project.


def add_units(parser: argparse.ArgumentParser, usual: str) -> None:
    """Add the option."""
    parser.add_argument(
        "--units",
        default=usual,
        metavar="SYSTEM",
        help=tr("{systems}, a list of units as mm,t,s, or an own system of the project; {default} if not given",
                systems=", ".join(SYSTEMS), default=usual),
    )  # fmt: skip


def settle_units(arguments: argparse.Namespace, run: Trajectory) -> None:
    """Put the list of units of an own system in the place of its name; raises CommandError."""
    system = str(arguments.units)
    if system not in SYSTEMS and not is_own(system):
        system = _of_project(system, run)
    if is_own(system):
        given_by(system)
    arguments.units = system


def _of_project(name: str, run: Trajectory) -> str:
    try:
        systems = json.loads(run.project_json).get("unit_systems", [])
        found = {one["id"]: spelled(one["units"]) for one in systems}
    except (ValueError, AttributeError, TypeError, KeyError):
        found = {}
    if name not in found:
        raise CommandError(
            "There are no units '{name}'; there are {known}, and lists of units such as mm,t,s.",
            name=name,
            known=", ".join((*SYSTEMS, *found)),
        )
    return found[name]
