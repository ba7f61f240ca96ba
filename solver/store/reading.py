"""Read what the store keeps of a file: title, words, numbers by name, and by what its model is known."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

import numpy as np

from solver.base.words import Refusal
from solver.project import LISTS, Project, ProjectError, open_project, parse
from solver.results import ResultsError, open_results
from solver.results.hdf5 import HDF5
from solver.store.query import words_of
from solver.studies import StudyError
from solver.studies.file import kind_of, read_study
from solver.studies.result import StudyResult
from solver.studies.work import model_hash

Kind = Literal["project", "run", "study"]

WHOLE = 64_000_000
"""Size (bytes) up to which a file is known by all of its content; a larger one by its first and last million and its size."""

MOST_WORDS = 200_000
"""Characters of words that are kept of one file."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One file of the store: what it is, its title, and the numbers that it has by name, the lowest and the highest of each.

    `model` is the same for projects, runs and studies of one model, whatever it is called; `name` is that of the run or study within it.
    """

    path: Path
    kind: Kind
    title: str
    name: str
    status: str
    model: str
    words: str
    numbers: dict[str, tuple[float, float]]

    def chosen(self, names: Sequence[str]) -> Iterator[tuple[str, tuple[float, float]]]:
        """Give the numbers that any of some names means."""
        wanted = [set(words_of(name)) for name in names]
        for name, found in self.numbers.items():
            if any(one <= set(words_of(name)) for one in wanted):
                yield name, found


def content_hash(path: Path) -> str:
    """Name a file by its content."""
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= WHOLE:
            return hashlib.file_digest(file, "sha256").hexdigest()
        found = hashlib.sha256(f"{size}".encode() + file.read(1_000_000))
        file.seek(-1_000_000, 2)
        found.update(file.read())
    return found.hexdigest()


def read_entry(path: Path) -> Entry | None:
    """Read a file; None for one that is none of ours. Raises Refusal, ProjectError or OSError where it is damaged."""
    with path.open("rb") as file:
        begins = file.read(len(HDF5))
    if path.suffix == ".json":
        return _project(path)
    if begins == HDF5:
        return _study(path) if kind_of(path) == "study" else _run(path)
    return _study(path) if kind_of(path) == "study" else None


def _project(path: Path) -> Entry | None:
    try:
        head = json.loads(path.read_text(encoding="utf-8"))
    except (ValueError, RecursionError):
        return None
    if not isinstance(head, dict) or head.get("format") != "manikin-project":
        return None
    project = open_project(path).project
    return Entry(
        path, "project", project.title or path.stem, "", "", model_hash(project),
        _joined([path.name, *_texts(project)]), _counts(project),
    )  # fmt: skip


def _run(path: Path) -> Entry:
    with open_results(path) as run:
        project = parse(run.project_json.decode()).project
        numbers = _counts(project)
        for figure in run.injury.values():
            _add(numbers, figure.name, figure.value)
        if len(run.time):
            _add(numbers, "time_s", float(run.time[-1]))
        texts = [path.name, run.run_id, run.status, run.message, *map(str, run.notes)]
        return Entry(
            path, "run", project.title or path.stem, run.run_id, run.status, model_hash(project),
            _joined([*texts, *_texts(project)]), numbers,
        )  # fmt: skip


def _study(path: Path) -> Entry:
    result = StudyResult(read_study(path), path)
    project, study, rows = result.project, result.study, result.rows
    numbers = _counts(project)
    numbers["rows"] = (float(len(rows)), float(len(rows)))
    names = {*(one.id for one in study.parameters), *(one.id for one in study.responses)}
    for name, column in rows.columns().items():
        if name in names:
            values = np.asarray(column, float)
            values = values[np.isfinite(values)]
            if len(values):
                numbers[name] = (float(values.min()), float(values.max()))
    texts = [
        study.kind,
        path.name,
        study.id,
        study.name,
        study.note,
        result.status,
        *sorted(names),
    ]
    return Entry(
        path, "study", project.title or path.stem, study.id, result.status, result.project_sha256,
        _joined([*texts, *_texts(project)]), numbers,
    )  # fmt: skip


def _counts(project: Project) -> dict[str, tuple[float, float]]:
    """Numbers that every model has: how many of each kind, its mass, how long its runs last."""
    out: dict[str, tuple[float, float]] = {}
    for name in LISTS:
        _add(out, name, float(len(getattr(project, name))))
    _add(out, "mass_kg", sum(one.mass_kg for one in project.segments))
    for run in project.runs:
        _add(out, "duration_s", run.duration_s)
    return out


def _add(numbers: dict[str, tuple[float, float]], name: str, value: float) -> None:
    if np.isfinite(value):
        low, high = numbers.get(name, (value, value))
        numbers[name] = (min(low, value), max(high, value))


def _texts(project: Project) -> Iterator[str]:
    """All that is said in a project: titles and notes, ids, names and kinds of elements, and the lists that have any."""
    yield from (project.title, project.note, project.source, project.load_case)
    for name in LISTS:
        items: tuple[Any, ...] = getattr(project, name)
        if items:
            yield name
        for one in items:
            for field in ("kind", "id", "name", "group", "note", "source"):
                text = getattr(one, field, "")
                if isinstance(text, str):
                    yield text


def _joined(texts: list[str]) -> str:
    """Words of all texts in small letters, each with a blank before it, and a point between texts."""
    whole = (" ".join(words_of(text)) for text in texts)
    return f" {' . '.join(dict.fromkeys(one for one in whole if one))[:MOST_WORDS]}"


DAMAGED = (
    Refusal,
    ProjectError,
    ResultsError,
    StudyError,
    OSError,
    UnicodeDecodeError,
    StopIteration,
)
"""What reading a file may raise."""
