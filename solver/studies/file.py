"""The study file: inputs, outputs, seed, versions, the project and its hash in one HDF5 file.

While a study runs, the file stands under its name in HDF5's mode of one writer and many readers: whatever
kills the writer, it opens, and lacks half a second at most. Once the study ends it is written anew beside
and takes its own place, with its answers (docs/studies.md).
"""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Any, Literal

import h5py
import numpy as np

from solver.project.document import Project
from solver.project.problems import ProjectError
from solver.project.reading import parse
from solver.project.studies import Study
from solver.studies.errors import StudyError
from solver.studies.rows import CURVE_SAMPLES, LONGEST, Array, Found, Layout, Rows
from solver.studies.work import Setup, model_hash
from solver.version import __version__
from solver.whole import ordinary, replaced

LONGEST_S = 10.0
"""Time after which a file that cannot be read is given up."""
_READ_ALL = """
import sys, h5py
with h5py.File(sys.argv[1], "r", libver="latest", swmr=True) as file:
    dict(file.attrs)
    file.visititems(lambda _, found: found[...] if isinstance(found, h5py.Dataset) else None)
"""

FORMAT, FORMAT_VERSION = "manikin-study", 1
FLUSH_S = 0.4
"""A kill loses what came since then."""
STATES = ("running", "completed", "cancelled")
_CHUNK = 256


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


def _columns(about: Layout) -> dict[str, tuple[tuple[int, ...], str]]:
    """Give the shape of a row in each dataset, and its type."""
    return {
        "inputs": ((len(about.parameters),), "f8"),
        "outputs": ((len(about.responses),), "f8"),
        "status": ((), "i1"),
        "phase": ((), "i1"),
        "test": ((), "i2"),
        "seconds": ((), "f8"),
        "curves": ((len(about.curves), CURVE_SAMPLES), "f8"),
        "residuals": ((about.residuals,), "f8"),
    }


def _begun(file: h5py.File, head: Head) -> None:
    """Write the head, and room for rows."""
    file.attrs["format"], file.attrs["format_version"] = FORMAT, FORMAT_VERSION
    file.attrs["study"], file.attrs["seed"] = head.study, head.seed
    file.attrs["project_sha256"] = head.project_sha256
    file.attrs["versions"] = json.dumps(head.versions)
    file.attrs["layout"] = json.dumps(asdict(head.layout))
    file.create_dataset("project", data=np.frombuffer(head.project, np.uint8))
    file.create_dataset("state", data=np.zeros(1, "i1"))
    rows = file.create_group("rows")
    for name, (shape, kind) in _columns(head.layout).items():
        if 0 in shape:
            continue
        fill = np.nan if kind == "f8" and name != "seconds" else 0
        rows.create_dataset(
            name, (0, *shape), kind, maxshape=(None, *shape), fillvalue=fill,
            # a row of curves is large, and read by itself
            chunks=(_CHUNK if int(np.prod(shape)) < 200 else 4, *(max(n, 1) for n in shape)),
        )  # fmt: skip
    rows.create_dataset(
        "message", (0,), f"S{LONGEST}", maxshape=(None,), chunks=(_CHUNK,), compression="gzip"
    )


class StudyWriter:
    """Write a study file as its runs come back."""

    def __init__(self, path: Path, head: Head, rows: Rows) -> None:
        """Begin a file with the rows that there are; raises StudyError where it cannot be written.

        A file that stood there, and that the study goes on with, goes only once the new one is whole.
        """
        self.path, self._head = path, head
        try:
            self._target = ordinary(path)
            with replaced(self._target) as part, h5py.File(part, "w", libver="latest") as file:
                _begun(file, head)
                _fill(file, rows)
            self._file = h5py.File(self._target, "r+", libver="latest")
        except OSError as failure:
            raise StudyError(
                "'{path}' cannot be written: {failure}", path=path, failure=failure
            ) from None
        self._file.swmr_mode = True
        # looked up once: that takes as long as all that is written of a row
        self._rows: dict[str, h5py.Dataset] = dict(self._file["rows"].items())
        self._flushed = time.monotonic()

    def add(self, rows: Rows) -> None:
        """Take over rows that are waited for, from where the file ends; those found already with what they hold."""
        begin, count = len(self._rows["status"]), len(rows)
        if begin == count:
            return
        for name, data in self._rows.items():
            data.resize(count, axis=0)
            more = _packed(rows.messages[begin:]) if name == "message" else getattr(rows, name)[begin:]  # fmt: skip
            data[begin:] = more
        self.flush()

    def put(self, found: Found, rows: Rows) -> None:
        """Write one row, and now and then all of them to the disk."""
        i = found.number
        for name, data in self._rows.items():
            if name in ("inputs", "phase", "test", "status") or (
                name == "message" and not found.message
            ):
                continue
            data[i] = _packed([found.message])[0] if name == "message" else getattr(rows, name)[i]
        # last: who finds a row done finds it whole
        self._rows["status"][i] = rows.status[i]
        if time.monotonic() - self._flushed > FLUSH_S:
            self.flush()

    def flush(self) -> None:
        """Bring all that is known to the disk."""
        for data in self._rows.values():
            data.flush()
        self._flushed = time.monotonic()

    def close(self) -> None:
        """Leave the file as it is: it can be gone on with."""
        self._file.close()

    def seal(self, rows: Rows, state: str, answers: dict[str, Any]) -> None:
        """Write the file anew, with its answers, and let it take its own place."""
        self.close()
        with replaced(self._target) as part:
            sealed(part, self._head, rows, state, answers)


def sealed(path: Path, head: Head, rows: Rows, state: str, answers: dict[str, Any]) -> None:
    """Write a whole file at once."""
    with h5py.File(path, "w") as file:
        _begun(file, head)
        _fill(file, rows)
        file["state"][0] = STATES.index(state)
        file.create_dataset("answers", data=np.frombuffer(json.dumps(answers).encode(), np.uint8))


def _fill(file: h5py.File, rows: Rows) -> None:
    """Write all rows at once."""
    for name, data in file["rows"].items():
        data.resize(len(rows), axis=0)
        if len(rows):
            data[:] = _packed(rows.messages) if name == "message" else getattr(rows, name)


def _packed(messages: Sequence[str]) -> Array:
    """Give messages as bytes; a long one is cut between two letters."""
    cut = (one.encode()[:LONGEST].decode(errors="ignore").encode() for one in messages)
    return np.array(list(cut), f"S{LONGEST}")


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
        with _opened(path) as file:
            if file.attrs.get("format") != FORMAT:
                raise StudyError("'{path}' is no study file.", path=path)
            if int(file.attrs["format_version"]) > FORMAT_VERSION:
                raise StudyError("'{path}' is of a newer version of Manikin.", path=path)
            return _read(file)
    except (OSError, KeyError, ValueError, TypeError, RuntimeError) as failure:
        raise StudyError("'{path}' cannot be read: {failure}", path=path, failure=failure) from None


def is_study(path: Path) -> bool:
    """Tell whether a file is that of a study; one that cannot be looked into goes by its name."""
    kind = kind_of(path)
    return path.name.endswith(".study.h5") if kind is None else kind == "study"


def kind_of(path: Path) -> Literal["study", "other"] | None:
    """Look what a file is; None where it cannot be looked into: it is being written, or damaged."""
    try:
        with h5py.File(path, "r") as file:
            return "study" if file.attrs.get("format") == FORMAT else "other"
    except (OSError, KeyError, ValueError, TypeError, RuntimeError):
        return None


def _opened(path: Path) -> h5py.File:
    try:
        return h5py.File(path, "r")
    except OSError:
        # its writer is at work, or was killed
        if not _is_readable(path):
            raise OSError("it is damaged") from None
        return h5py.File(path, "r", libver="latest", swmr=True)


def _is_readable(path: Path) -> bool:
    """Read a file that is open for writing in a process of its own: HDF5 tries again without end what is damaged."""
    try:
        done = subprocess.run(
            [sys.executable, "-c", _READ_ALL, str(path)], capture_output=True, timeout=LONGEST_S, check=False
        )  # fmt: skip
    except subprocess.TimeoutExpired:
        return False
    return done.returncode == 0


def _read(file: h5py.File) -> Stored:
    layout = _layout(json.loads(file.attrs["layout"]))
    head = Head(
        bytes(file["project"][:]),
        str(file.attrs["study"]),
        layout,
        str(file.attrs["project_sha256"]),
        int(file.attrs["seed"]),
        json.loads(file.attrs["versions"]),
    )
    rows, stored = Rows(layout), file["rows"]
    count = min(len(data) for data in stored.values())
    for name, (shape, kind) in _columns(layout).items():
        there = stored[name][:count] if name in stored else np.zeros((count, *shape), kind)
        setattr(rows, name, there)
    rows.messages = [one.decode(errors="replace") for one in stored["message"][:count].tolist()]
    answers = json.loads(bytes(file["answers"][:])) if "answers" in file else None
    return Stored(head, rows, STATES[int(file["state"][0])], answers)


def _layout(data: dict[str, Any]) -> Layout:
    known = {field.name for field in fields(Layout)}
    made: dict[str, Any] = {
        k: tuple(v) if isinstance(v, list) else v for k, v in data.items() if k in known
    }
    return Layout(**made)
