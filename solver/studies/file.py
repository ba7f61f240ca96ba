"""The study file: inputs, outputs, seed, versions, the project and its hash.

While a study runs, what it has stands under its name as a journal (`journal`), which only grows: whatever ends
the writer, it can be read, and gone on with. Once the study ends, an HDF5 file is made of it beside, with its
answers, and takes its place (docs/studies.md).

The first record holds the head; each of the others rows that are asked for, or what was found of some.
"""

from __future__ import annotations

import json
import math
import platform
import uuid
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

import numpy as np
from numpy.typing import NDArray

from solver.base.atomic import discard, ordinary, publish, temporary_name
from solver.base.places import __version__
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
from solver.results.part import Claim, Growing, Records, Taken
from solver.studies.rows import (
    Array,
    Layout,
    RowResult,
    Rows,
    StudyError,
    check_layout,
    check_rows,
    columns_of,
)
from solver.studies.work import Setup, model_hash

# What a study has so far: a plain file of records that only grows, under the study's own name while it runs.

MAGIC = b"Manikin study 2\n"
_ASKED = ("inputs", "phase", "test")
_FOUND = ("outputs", "status", "seconds", "curves", "residuals")
"""Columns of rows that are asked for, and of what is found of them."""


_MOST, _TIMES = 2**28, 1000
"""Bytes that rows which are waited for may take in memory, or so many times the file's own."""


class Journal:
    """Write what a study has; raises OSError where the disk takes no more, and what it took stays."""

    def __init__(self, path: Path) -> None:
        """Go on with a file that was begun."""
        self._records = Growing(path)

    @staticmethod
    def begin(path: Path, head: dict[str, Any], rows: Rows) -> None:
        """Make a new file with the rows that there are."""
        records = Growing(path, MAGIC)
        try:
            records.add(json.dumps(head).encode())
            records.add(*_asked(rows, 0))
            records.add(*_found_rows(rows, np.flatnonzero(rows.status > 0).tolist()))
        finally:
            records.close()

    def asked(self, rows: Rows, begin: int) -> None:
        """Keep the rows from `begin` on as such that are asked for."""
        self._records.add(*_asked(rows, begin))

    def found(self, rows: Rows, number: int) -> None:
        """Keep what was found of a row."""
        self._records.add(*_found_rows(rows, [number]))

    def is_ours(self) -> bool:
        """Whether the file at our name is the one that we wrote."""
        return self._records.is_ours()

    def close(self) -> None:
        """Let go of the file."""
        self._records.close()


def _asked(rows: Rows, begin: int) -> Iterable[bytes]:
    return _packed({"asked": len(rows) - begin}, _ASKED, rows, slice(begin, None))


def _found_rows(rows: Rows, numbers: Sequence[int]) -> Iterable[bytes]:
    record = {"found": [*numbers], "messages": [rows.messages[i] for i in numbers]}
    return _packed(record, _FOUND, rows, numbers)


def _packed(told: dict[str, Any], names: Sequence[str], rows: Rows, at: Any) -> Iterable[bytes]:
    text = json.dumps(told).encode()
    parts = (np.ascontiguousarray(getattr(rows, name)[at]).tobytes() for name in names)
    return len(text).to_bytes(8, "little"), text, *parts


def journal_head(path: Path) -> dict[str, Any] | None:
    """Read the head; None where the file is no journal, ValueError where it is damaged."""
    records = Records(path, len(MAGIC))
    try:
        return _head_record(records) if records.magic == MAGIC else None
    finally:
        records.close()


def _head_record(records: Records) -> dict[str, Any]:
    content = records.next()
    if content is None:
        raise ValueError("its head is damaged")
    head = json.loads(content)
    if not isinstance(head, dict):
        raise TypeError("its head is damaged")
    return head


def rows_of(path: Path, layout: Layout) -> Rows:
    """Read all rows as far as they are whole; raises ValueError where a record is not what it says."""
    rows, records = Rows(layout), Records(path, len(MAGIC))
    most = max(_MOST, _TIMES * records.length)
    try:
        _head_record(records)
        while (content := records.next()) is not None:
            _take(rows, content, most)
    finally:
        records.close()
    return rows


def _take(rows: Rows, content: bytes, most: int) -> None:
    size = 8 + int.from_bytes(content[:8], "little")
    record = json.loads(content[8:size])
    if "asked" in record:
        asked = _values(content[size:], _ASKED, int(record["asked"]), rows.layout)
        each = sum(np.dtype(kind).itemsize * math.prod(shape) for shape, kind in columns_of(rows.layout).values())  # fmt: skip
        if each * (len(rows) + len(asked[0])) > most:
            raise ValueError("it promises more than any study asks for")
        rows.extend(*asked)
        return
    numbers = np.array(record["found"], np.int64).reshape(-1)
    messages = [str(one) for one in record["messages"]]
    if len(messages) != len(numbers) or np.any((numbers < 0) | (numbers >= len(rows))):
        raise ValueError("a record is not what it says")
    values = _values(content[size:], _FOUND, len(numbers), rows.layout)
    for name, value in zip(_FOUND, values, strict=True):
        getattr(rows, name)[numbers] = value
    for number, message in zip(numbers.tolist(), messages, strict=True):
        rows.messages[number] = message


def _values(data: bytes, names: Sequence[str], count: int, layout: Layout) -> list[NDArray[Any]]:
    out, at, columns = list[NDArray[Any]](), 0, columns_of(layout)
    for name in names:
        shape, kind = columns[name]
        size = count * np.dtype(kind).itemsize * int(np.prod(shape))
        out.append(np.frombuffer(data[at : at + size], kind).reshape(count, *shape))
        at += size
    if at != len(data):
        raise ValueError("a record is not what it says")
    return out


KIND = msgid("study file")
FORMAT, FORMAT_VERSION = "manikin-study", 2
"""Version 1 had no checksums, and was HDF5 also while it was written."""
STATES = ("running", "completed", "cancelled")
SEALED = ("format", "format_version", "layout", "project_sha256", "seed", "state", "study", "versions")  # fmt: skip
"""Attributes with a checksum."""


@dataclass(frozen=True, slots=True)
class Head:
    """What stands in a study file beside its rows."""

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
    """The head of a study's file."""
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
        self._journal: Journal | None = None
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
        made = temporary_name(self._target)
        data = _as_data(head) | {"project": head.project.decode()}
        try:
            Journal.begin(made, data, rows)
            publish(made, self._target)
            self._journal = Journal(self._target)
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

    def put(self, found: RowResult, rows: Rows) -> None:
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
        made, target = temporary_name(self._target), self._target
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
    """What a study file holds."""

    head: Head
    rows: Rows
    state: str
    answers: dict[str, Any] | None

    @property
    def project(self) -> Project:
        """The project, with this study alone."""
        try:
            return parse(self.head.project.decode()).project
        except (ProjectError, UnicodeDecodeError) as failure:
            raise StudyError(
                "The project in the study is damaged: {failure}", failure=failure
            ) from None


def read_study(path: Path) -> Stored:
    """Read a study file, also one that is being written or whose writer was killed."""
    try:
        if beginning(path, KIND, len(MAGIC)) == MAGIC:
            return _read_journal(path)
        with opened(path, KIND) as file:
            return _read(file, path)
    except ResultsError as failure:
        sentence = failure.said
        if sentence.template == BUSY:
            sentence = Sentence(
                "'{path}' is being written by another program, or was left by a study of an older version that was killed: go on with it in that version.",
                path=path,
            )
        raise StudyError(sentence) from None
    except Exception as failure:
        if isinstance(failure, StudyError):
            raise
        raise StudyError(
            "'{path}' is damaged and cannot be read: {failure}", path=path, failure=failure
        ) from None


def is_study(path: Path) -> bool:
    """Whether a file is that of a study; one that cannot be looked into goes by its name."""
    kind = kind_of(path)
    return path.name.endswith(".study.h5") if kind is None else kind == "study"


def kind_of(path: Path) -> Literal["study", "other"] | None:
    """Look what a file is; None where it cannot be looked into: it is damaged, or of another program at work."""
    try:
        if beginning(path, KIND, len(MAGIC)) == MAGIC:
            return "study"
        with opened(path, KIND) as file:
            return "study" if _format(file) == FORMAT else "other"
    except (ResultsError, ValueError):
        return None


def _format(file: Any) -> object:
    return attribute(file.attrs, "format") if "format" in file.attrs else None


def _read_journal(path: Path) -> Stored:
    told = journal_head(path) or {}
    head = _head(told, str(told["project"]).encode())
    return Stored(head, _checked(rows_of(path, head.layout)), STATES[0], None)


def _read(file: Any, path: Path) -> Stored:
    if _format(file) != FORMAT:
        raise StudyError("'{path}' is no study file.", path=path)
    version = int(attribute(file.attrs, "format_version"))
    if version > FORMAT_VERSION:
        raise StudyError("'{path}' is of a newer version of Manikin.", path=path)
    if version > 1 and SEAL not in file.attrs:
        raise ValueError("its head has no checksum")
    content = sealed(file.attrs, SEALED)
    head = _head(content, bytes(file["project"][:]))
    layout, stored = head.layout, file["rows"]
    rows, count = Rows(layout), len(stored["status"])
    for name, (shape, kind) in columns_of(layout).items():
        there = np.zeros((count, *shape), kind) if 0 in shape else stored[name][:]
        setattr(rows, name, there.astype(kind, casting="same_kind", copy=False))
    rows.messages = [one.decode(errors="replace") for one in words(stored["message"])]
    answers = json.loads(bytes(file["answers"][:])) if "answers" in file else None
    state = str(content["state"]) if version > 1 else STATES[int(file["state"][0])]
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
