"""Files of other programs that other packages read and write."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

from solver.base import extensions
from solver.base.extensions import Extension, ExtensionError
from solver.base.words import Refusal, Sentence
from solver.injury.added import broken_criteria
from solver.project import Project, ProjectError


@dataclass(frozen=True, kw_only=True)
class AddedImporter:
    """Read models of another program: `read` gives a model, or a project, and may give notes beside it."""

    title: str
    endings: tuple[str, ...]
    """Of the files, as `.xyz`."""
    read: Callable[[Path], Any]


@dataclass(frozen=True, kw_only=True)
class AddedExporter:
    """Write models for another program: `write` gives lines that say what the file cannot say, or nothing."""

    title: str
    endings: tuple[str, ...]
    write: Callable[[Project, Path], Iterable[str] | None]


@dataclass(frozen=True)
class ReadByOthers:
    """What another package has made of a file."""

    project: Project
    notes: tuple[str, ...] = ()


def importers() -> Mapping[str, AddedImporter]:
    """The importers of other packages, by the endings that they read."""
    return _by_ending(extensions.loaded(extensions.IMPORTERS, AddedImporter)[0])


def exporters() -> Mapping[str, AddedExporter]:
    """The exporters of other packages, by the endings that they write."""
    return _by_ending(extensions.loaded(extensions.EXPORTERS, AddedExporter)[0])


def is_read_by_others(file: Path) -> bool:
    """Whether another package reads such files; projects it does not."""
    ending = file.suffix.lower()
    return ending not in ("", ".json") and ending in importers()


def filters(found: Mapping[str, AddedImporter | AddedExporter]) -> list[str]:
    """Say as dialogs for files do which files there are: `Tables of Foo (*.foo *.fo)`."""
    made: dict[str, list[str]] = {}
    for ending, one in found.items():
        made.setdefault(one.title.replace("(", "").replace(")", ""), []).append(f"*{ending}")
    return [f"{title} ({' '.join(patterns)})" for title, patterns in made.items()]


def broken() -> Sequence[Sentence]:
    """Say of importers and exporters that cannot be loaded why."""
    bad = (
        *extensions.loaded(extensions.IMPORTERS, AddedImporter)[1],
        *extensions.loaded(extensions.EXPORTERS, AddedExporter)[1],
    )
    return [one.said for one in bad]


One = TypeVar("One", AddedImporter, AddedExporter)


def _by_ending(found: Mapping[str, One]) -> dict[str, One]:
    made: dict[str, One] = {}
    for one in found.values():
        for ending in one.endings:
            made.setdefault(ending.lower(), one)
    return made


def read_by_others(file: Path) -> ReadByOthers | None:
    """Read a file with what another package adds; none where no package reads such files.

    Raises ExtensionError where that package fails, and what it refuses by a sentence.
    """
    one = importers().get(file.suffix.lower())
    if one is None:
        return None
    try:
        made = one.read(file)
        model, notes = made if isinstance(made, tuple) else (made, ())
        project, lines = getattr(model, "project", model), tuple(map(str, notes))
    except (Refusal, ProjectError):
        raise
    except (Exception, SystemExit) as raised:
        raise _importer(one).failed(raised, file.name) from raised
    if not isinstance(project, Project):
        raise _importer(one).error(
            "it made a {found} of '{file}', no model", found=type(project).__name__, file=file.name
        )
    return ReadByOthers(project, lines)


def write_by_others(project: Project, file: Path) -> tuple[str, ...] | None:
    """Write a file with what another package adds, and give what it cannot say; none where no package writes such files."""
    one = exporters().get(file.suffix.lower())
    if one is None:
        return None
    try:
        return tuple(map(str, one.write(project, file) or ()))
    except (Refusal, ProjectError, OSError):
        raise
    except (Exception, SystemExit) as raised:
        raise _exporter(one).failed(raised, file.name) from raised


def _importer(one: AddedImporter) -> Extension:
    """The entry point that names it."""
    found = extensions.loaded(extensions.IMPORTERS, AddedImporter)[0]
    return extensions.named(extensions.IMPORTERS, next(n for n, o in found.items() if o is one))


def _exporter(one: AddedExporter) -> Extension:
    """The entry point that names it."""
    found = extensions.loaded(extensions.EXPORTERS, AddedExporter)[0]
    return extensions.named(extensions.EXPORTERS, next(n for n, o in found.items() if o is one))


def fault_of(one: Extension) -> str:
    """Say why what another package adds cannot be used; empty where it can. A panel is looked at by the window alone."""
    if one.group == extensions.PANELS:
        try:
            one.load(object)
        except ExtensionError as failure:
            return str(failure)
        return ""
    found = broken_criteria() if one.group == extensions.CRITERIA else broken()
    lead = (one.name, one.package)
    return next(
        (str(why) for why in found if (why.values["name"], why.values["package"]) == lead), ""
    )
