"""The study file: inputs, outputs, seed, versions, the project and its hash.

While a study runs, what it has stands under its name as a journal (`journal`), which only grows: whatever ends
the writer, it can be read, and gone on with. Once the study ends, an HDF5 file is made of it beside, with its
answers, and takes its place (docs/studies.md).
"""

from __future__ import annotations

import json
import platform
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np

from solver.base.places import __version__
from solver.base.whole import beside, discard, ordinary, publish
from solver.base.words import Sentence, msgid
from solver.project.document import Project
from solver.project.problems import ProjectError
from solver.project.reading import parse
from solver.project.studies import Study
from solver.results.hdf5 import (
    BUSY,
    SEAL,
    attribute,
    beginning,
    cannot_write,
    opened,
    seal,
    sealed,
    words,
    written,
)
from solver.results.layout import ResultsError
from solver.results.records import Claim, Taken
from solver.studies import journal
from solver.studies.errors import StudyError
from solver.studies.rows import Array, Found, Layout, Rows, check_layout, check_rows, columns_of
from solver.studies.work import Setup, model_hash

KIND = msgid("study file")
FORMAT, FORMAT_VERSION = "manikin-study", 2
"""Version 1 had no checksums, and was HDF5 also while it was written."""
STATES = ("running", "completed", "cancelled")
SEALED = ("format", "format_version", "layout", "project_sha256", "seed", "state", "study", "versions")  # fmt: skip
"""Attributes with a checksum."""


@dataclass(frozen=True, slots=True)
class Head:
    """Hold what stands in a study file beside its rows."""

    project: bytes
    study: str
    layout: Layout
    project_sha256: str
    seed: int
    versions: dict[str, str]


def versions() -> dict[str, str]:
    """Name the versions of all that a number may depend on."""
    from importlib.metadata import PackageNotFoundError, version

    out = {"manikin": __version__, "python": platform.python_version()}
    for name in ("numpy", "scipy", "numba", "SALib", "pymoo", "bayesian-optimization"):
        try:
            out[name] = version(name)
        except PackageNotFoundError:
            out[name] = ""
    return out


def head_of(setup: Setup, project: Project, study: Study, layout: Layout) -> Head:
    """Give the head of a study's file."""
    seed = int(getattr(study, "seed", 0))
    return Head(setup.project, study.id, layout, model_hash(project), seed, versions())


class StudyWriter:
    """Write a study file as its runs come back; nobody else has its name meanwhile."""

    def __init__(self, path: Path) -> None:
        """Take the name; raises StudyError where another study has it, or where it cannot be written."""
        self.path = path
        try:
            self._target = ordinary(path)
            self._claim = Claim(self._target)
        except Taken:
            raise StudyError(
                "'{path}' is being written by another study; wait for its end, or give another name.",
                path=path,
            ) from None
        except OSError as failure:
            raise StudyError(cannot_write(path, failure)) from None
        self._journal: journal.Journal | None = None
        self._stays = True

    def __enter__(self) -> StudyWriter:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def begin(self, head: Head, rows: Rows, *, stays: bool) -> None:
        """Begin the file with the rows that there are; what stood there goes only once the new one is whole.

        Unless it `stays`, it goes when no run comes back: nothing then stands in the way of another try.
        """
        self._head, self._asked, self._stays = head, len(rows), stays
        made = beside(self._target)
        data = _as_data(head) | {"project": head.project.decode()}
        try:
            journal.Journal.begin(made, data, rows)
            publish(made, self._target)
            self._journal = journal.Journal(self._target)
        except OSError as failure:
            raise StudyError(cannot_write(self.path, failure)) from None
        finally:
            discard(made)

    def add(self, rows: Rows) -> None:
        """Take over rows that are waited for, from where the file ends."""
        assert self._journal is not None
        if self._asked < len(rows):
            with self._telling():
                self._journal.asked(rows, self._asked)
            self._asked = len(rows)

    def put(self, found: Found, rows: Rows) -> None:
        """Write one row."""
        assert self._journal is not None
        with self._telling():
            self._journal.found(rows, found.number)
        self._stays = True

    def close(self) -> None:
        """Leave the file as it is: it can be gone on with."""
        if self._journal is not None:
            if not self._stays and self._journal.is_ours():
                discard(self._target)
            self._journal.close()
            self._journal = None
        self._claim.release()

    def seal(self, rows: Rows, state: str, answers: dict[str, Any]) -> None:
        """Write the whole file, with its answers, and let it take the journal's place."""
        assert self._journal is not None
        others = self._target.exists() and not self._journal.is_ours()
        self._journal.close()
        self._journal = None
        made, target = beside(self._target), self._target
        if others:
            name = f"{target.stem[:50]}-{uuid.uuid4().hex[:8]}{target.suffix}"
            target = target.with_name(name)
        try:
            with self._telling():
                save(made, self._head, rows, state, answers)
                publish(made, target)
        finally:
            discard(made)
            self.close()
        if others:
            raise StudyError(
                "'{path}' was changed by somebody else while the study went on; the study is in '{other}'.",
                path=self.path,
                other=target,
            )

    @contextmanager
    def _telling(self) -> Iterator[None]:
        """Say what becomes of the study where the disk takes no more."""
        try:
            yield
        except OSError as failure:
            raise StudyError(
                "{why} What came before is kept in it: make room, then go on with --resume.",
                why=cannot_write(self.path, failure),
            ) from None


def save(path: Path, head: Head, rows: Rows, state: str, answers: dict[str, Any]) -> None:
    """Write a whole study file as HDF5, with checksums; raises OSError where the disk does not take it."""
    from solver.results.making import Dataset, texts

    def numbers(name: str, values: Array) -> None:
        Dataset(file, name, "", values.dtype.str, values.shape).add(values)

    with written(path) as file:
        attributes = {"format": FORMAT, "format_version": FORMAT_VERSION, "state": state}
        seal(file.attrs, attributes | _as_data(head), SEALED)
        numbers("project", np.frombuffer(head.project, np.uint8))
        numbers("answers", np.frombuffer(json.dumps(answers).encode(), np.uint8))
        for name, (shape, _) in columns_of(head.layout).items():
            if 0 not in shape:
                numbers(f"rows/{name}", getattr(rows, name))
        texts(file, "rows/message", rows.messages)


def _as_data(head: Head) -> dict[str, Any]:
    return {
        "study": head.study,
        "seed": head.seed,
        "project_sha256": head.project_sha256,
        "versions": json.dumps(head.versions),
        "layout": json.dumps(asdict(head.layout)),
    }


@dataclass(frozen=True, slots=True)
class Stored:
    """Hold what a study file holds."""

    head: Head
    rows: Rows
    state: str
    answers: dict[str, Any] | None

    @property
    def project(self) -> Project:
        """Give the project, with this study alone."""
        try:
            return parse(self.head.project.decode()).project
        except (ProjectError, UnicodeDecodeError) as failure:
            raise StudyError(
                "The project in the study is damaged: {failure}", failure=failure
            ) from None


def read_study(path: Path) -> Stored:
    """Read a study file, also one that is being written or whose writer was killed."""
    try:
        if beginning(path, KIND, len(journal.MAGIC)) == journal.MAGIC:
            return _read_journal(path)
        with opened(path, KIND) as file:
            return _read(file, path)
    except ResultsError as failure:
        said = failure.said
        if said.template == BUSY:
            said = Sentence(
                "'{path}' is being written by another program, or was left by a study of an older version that was killed: go on with it in that version.",
                path=path,
            )
        raise StudyError(said) from None
    except Exception as failure:
        if isinstance(failure, StudyError):
            raise
        raise StudyError(
            "'{path}' is damaged and cannot be read: {failure}", path=path, failure=failure
        ) from None


def is_study(path: Path) -> bool:
    """Tell whether a file is that of a study; one that cannot be looked into goes by its name."""
    kind = kind_of(path)
    return path.name.endswith(".study.h5") if kind is None else kind == "study"


def kind_of(path: Path) -> Literal["study", "other"] | None:
    """Look what a file is; None where it cannot be looked into: it is damaged, or of another program at work."""
    try:
        if beginning(path, KIND, len(journal.MAGIC)) == journal.MAGIC:
            return "study"
        with opened(path, KIND) as file:
            return "study" if _format(file) == FORMAT else "other"
    except (ResultsError, ValueError):
        return None


def _format(file: Any) -> object:
    return attribute(file.attrs, "format") if "format" in file.attrs else None


def _read_journal(path: Path) -> Stored:
    told = journal.head_of(path) or {}
    head = _head(told, str(told["project"]).encode())
    return Stored(head, _checked(journal.rows_of(path, head.layout)), STATES[0], None)


def _read(file: Any, path: Path) -> Stored:
    if _format(file) != FORMAT:
        raise StudyError("'{path}' is no study file.", path=path)
    version = int(attribute(file.attrs, "format_version"))
    if version > FORMAT_VERSION:
        raise StudyError("'{path}' is of a newer version of Manikin.", path=path)
    if version > 1 and SEAL not in file.attrs:
        raise ValueError("its head has no checksum")
    told = sealed(file.attrs, SEALED)
    head = _head(told, bytes(file["project"][:]))
    layout, stored = head.layout, file["rows"]
    rows, count = Rows(layout), len(stored["status"])
    for name, (shape, kind) in columns_of(layout).items():
        there = np.zeros((count, *shape), kind) if 0 in shape else stored[name][:]
        setattr(rows, name, there.astype(kind, casting="same_kind", copy=False))
    rows.messages = [one.decode(errors="replace") for one in words(stored["message"])]
    answers = json.loads(bytes(file["answers"][:])) if "answers" in file else None
    state = str(told["state"]) if version > 1 else STATES[int(file["state"][0])]
    if state not in STATES or not isinstance(answers, dict | None):
        raise ValueError("it does not say how it ended")
    return Stored(head, _checked(rows), state, answers)


def _head(told: Mapping[str, Any], project: bytes) -> Head:
    layout = _layout(json.loads(told["layout"]))
    check_layout(layout)
    found = {str(k): str(v) for k, v in json.loads(told["versions"]).items()}
    return Head(project, str(told["study"]), layout, str(told["project_sha256"]), int(told["seed"]), found)  # fmt: skip


def _checked(rows: Rows) -> Rows:
    check_rows(rows)
    return rows


def _layout(data: dict[str, Any]) -> Layout:
    known = {field.name for field in fields(Layout)}
    made: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in data.items() if k in known
    }
    return Layout(**made)
