"""Read a results file; every refusal is one sentence, and nothing in the file is ever run."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from itertools import zip_longest
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from solver.base.words import Note, Sentence, msgid, read
from solver.results.events import KINDS, Event, is_of_event, log_of, read_words
from solver.results.hdf5 import OF_CHANNEL, OF_FILE, attribute, beginning, opened, sealed, words
from solver.results.layout import (
    CHECKPOINT_GROUP,
    EVENT_GROUP,
    FORMAT,
    FRAME_GROUPS,
    SCHEMA_VERSION,
    STEP_GROUP,
    ChannelSpec,
    InjuryValue,
    ResultsError,
)
from solver.results.part import MAGIC
from solver.results.shapes import check, instants, own
from solver.results.trajectory import (
    Array,
    Channel,
    SegmentMotion,
    Table,
    component_names,
    empty_table,
)

KIND = msgid("results file")
_NEEDED = ("project", "time", "channels")


@contextmanager
def _damage(path: Path, what: str) -> Iterator[None]:
    """Turn whatever a damaged file raises into one sentence."""
    try:
        yield
    except ResultsError:
        raise
    except Exception:  # noqa: BLE001 (a file from elsewhere can make h5py raise anything)
        raise ResultsError(
            "'{path}' is damaged: {what} cannot be read.", path=path, what=what
        ) from None


def open_results(path: Path | str) -> FileTrajectory:
    """Open a results file for reading."""
    return FileTrajectory(open_file(Path(path)), Path(path))


def open_file(path: Path) -> Any:
    """Open the HDF5 file behind results, or say in one sentence why it is none of ours."""
    if beginning(path, KIND, len(MAGIC)) == MAGIC:
        raise ResultsError(
            "'{path}' is what a run keeps while it goes on; if it was left by a crash, salvage it.",
            path=path,
        )
    file = opened(path, KIND)
    try:
        with _damage(path, "its head"):
            _look(file, path)
    except ResultsError:
        file.close()
        raise
    return file


def _note(line: str, data: str) -> Note:
    """The sentence that a line of the log was made of; the line where it does not say the same."""
    if not data or len(data) > LONGEST_NOTE:
        return line
    try:
        note = read(json.loads(data))
        if any(ODD.search(template) for template in _templates(note)):
            return line
        return note if note.english() == line else line
    except (ValueError, KeyError, TypeError, AttributeError, IndexError, RecursionError):
        return line


def _templates(note: Sentence) -> Iterator[str]:
    yield note.template
    for value in note.values.values():
        if isinstance(value, Sentence):
            yield from _templates(value)


def _look(file: Any, path: Path) -> None:
    if "format" not in file.attrs or attribute(file.attrs, "format") != FORMAT:
        raise ResultsError("'{path}' is HDF5 of another program, not Manikin results.", path=path)
    version = int(attribute(file.attrs, "schema_version"))
    if version > SCHEMA_VERSION:
        raise ResultsError(
            "'{path}' has results version {version}; this program knows up to {schema_version}. Open it with a newer version of the program.",
            path=path,
            version=version,
            schema_version=SCHEMA_VERSION,
        )
    missing = [name for name in _NEEDED if name not in file]
    if missing:
        raise ResultsError(
            "'{path}' is damaged: '{missing}' is missing.", path=path, missing=missing[0]
        )


LONGEST_NOTE = 100_000
ODD = re.compile(r"\{[^{}]*\d{3}|\{[^{}:!]*[.\[]|\{[^{}]*\{")
"""A gap that is hundreds of places wide, looks into its value, or has gaps itself."""


LARGEST = 1e75
"""No value of a run is larger: its products are finite. A run in which one is more has failed there (`outputs/recorder.py`)."""


class FileTrajectory:
    """Read a run from its file, each quantity when it is asked for."""

    def __init__(self, file: Any, path: Path) -> None:
        self._file, self.path = file, path
        self._channel_names: tuple[str, ...] | None = None
        self._events: tuple[Event, ...] | None = None
        self._time: Array | None = None
        self._known: dict[str, tuple[str, ...]] = {}
        """The ids of each group."""
        self._specs: dict[str, ChannelSpec] = {}
        try:
            with _damage(path, "its head"):
                head = sealed(file.attrs, OF_FILE)
                self.status, self.message = str(head["status"]), str(head["message"])
                self.created_utc = str(head.get("created_utc", ""))
                self.app_version = str(head.get("app_version", ""))
                self.processor = str(head.get("processor", ""))
                self.run_id = str(head.get("run", ""))
                (self.project_json,) = words(own(file, "project", path))
                lines = _texts(own(file, "log", path)) if "log" in file else ()
                # in files of version 1 the log tells events, too
                is_old = "events" not in file
                data = _texts(own(file, "notes", path)) if "notes" in file else ()
                self.notes: tuple[Note, ...] = tuple(
                    _note(line, one)
                    for line, one in zip_longest(lines, data[: len(lines)], fillvalue="")
                    if not (is_old and is_of_event(line))
                )
                self.injury = _injury(file, path)
                _same_project(self.project_json, path, str(head.get("project_sha256", "")))
            with _damage(path, "its layout"):
                check(file, path)
        except ResultsError:
            file.close()
            raise

    def close(self) -> None:
        """Close the file; what was read before stays."""
        self._file.close()

    def __enter__(self) -> FileTrajectory:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, _: TracebackType | None
    ) -> None:
        self.close()

    @property
    def time(self) -> Array:
        """The times of the frames (s)."""
        if self._time is None:
            self._time = self._read("time")
        return self._time

    @property
    def segment_ids(self) -> tuple[str, ...]:
        """Name the segments."""
        return self._ids("segments") if "segments" in self._file else ()

    @property
    def channel_names(self) -> tuple[str, ...]:
        """Name the dense channels."""
        if self._channel_names is None:
            with _damage(self.path, "the list of channels"):
                self._channel_names = tuple(self._file["channels"])
        return self._channel_names

    @property
    def groups(self) -> tuple[str, ...]:
        """Name the groups of elements that the file holds."""
        with _damage(self.path, "the list of groups"):
            return tuple(name for name in FRAME_GROUPS if name in self._file)

    def segment(self, id_: str) -> SegmentMotion:
        """One segment's motion."""
        ids = self.segment_ids
        if id_ not in ids:
            raise ResultsError("There is no '{id_}' in these results.", id_=id_)
        number = ids.index(id_)
        columns = FRAME_GROUPS["segments"].columns
        return SegmentMotion(**{name: self._read(f"segments/{name}", number) for name in columns})

    def table(self, group: str) -> Table:
        """One group of elements over all frames."""
        if group not in FRAME_GROUPS or group not in self._file:
            return empty_table(group, len(self.time))
        spec = FRAME_GROUPS[group]
        ids = self._ids(group) if spec.has_ids else ()
        return Table(ids, {name: self._read(f"{group}/{name}") for name in spec.columns})

    def steps(self) -> Table:
        """The integrator's history."""
        return Table((), {name: self._read(f"integrator/{name}") for name in STEP_GROUP.columns})

    def checkpoints(self) -> tuple[tuple[float, bytes], ...]:
        """Give states from which the run can be taken up again, with their times."""
        if "checkpoints" not in self._file:
            return ()
        time, length, data = (
            self._read(f"checkpoints/{name}") for name in CHECKPOINT_GROUP.columns
        )
        ends = np.cumsum(length)
        return tuple(
            (float(t), data[end - size : end].tobytes())
            for t, size, end in zip(time, length, ends, strict=True)
        )

    def events(self) -> tuple[Event, ...]:
        """What happened, in order of time."""
        if self._events is None:
            with _damage(self.path, "'events'"):
                self._events = tuple(self._new_events() if "events" in self._file else self._old())
        return self._events

    @property
    def log(self) -> tuple[str, ...]:
        """The lines of the run's log: notes, and events in words."""
        return log_of(self.notes, self.events())

    def _new_events(self) -> Iterator[Event]:
        names, kinds = (
            _texts(own(self._file, f"events/{name}", self.path)) for name in ("names", "kinds")
        )
        columns = {
            name: self._read(f"events/{name}")
            for name in EVENT_GROUP.columns
            if f"events/{name}" in self._file
        }
        if "more" in columns:
            columns["value"] = np.concatenate((columns["value"], columns.pop("more")), axis=1)
        rows = (one.tolist() for one in columns.values())
        for time, kind, elements, values in zip(*rows, strict=True):
            known = KINDS.get(kinds[kind])
            count = len(values) if known is None else len(known.values)
            paths = tuple(names[n] for n in elements if n >= 0)
            yield Event(time, kinds[kind], paths, tuple(values[:count]))

    def _old(self) -> Iterator[Event]:
        """Read the words of an older file; those of a part that a crash left may be missing."""
        if "integrator/event" not in self._file:
            return
        belts = self._ids("belts") if "belts" in self._file else ()
        times = self._read("integrator/time").tolist()
        for time, word in zip(times, words(self._file["integrator/event"]), strict=True):
            if word:
                yield from read_words(time, word.decode("utf-8", "replace"), belts)

    def channel_spec(self, name: str) -> ChannelSpec:
        """Say what a channel holds, without reading its samples."""
        if name not in self.channel_names:
            raise ResultsError("There is no channel '{name}' in these results.", name=name)
        place = f"channels/{name}"
        if name not in self._specs:
            with _damage(self.path, f"'{place}'"):
                found = sealed(self._file[place].attrs, OF_CHANNEL)
                words = {key: str(found.get(key, "")) for key in OF_CHANNEL if key != "cfc"}
                self._specs[name] = ChannelSpec(name, cfc=int(found.get("cfc", 0)), **words)
        return self._specs[name]

    def channel(self, name: str) -> Channel:
        """One channel."""
        spec, place = self.channel_spec(name), f"channels/{name}"
        time, value = self._read(f"{place}/time"), self._read(f"{place}/value")
        instants(time, self.path, f"{place}/time", apart=True)
        parts = component_names(name, spec.axis, self.channel_names)
        components = tuple(self._read(f"channels/{part}/value") for part in parts)
        return Channel(
            name, time, value, spec.unit, spec.quantity, spec.segment, spec.axis, spec.cfc, components
        )  # fmt: skip

    def _ids(self, group: str) -> tuple[str, ...]:
        if group not in self._known:
            with _damage(self.path, f"'{group}/ids'"):
                self._known[group] = _texts(self._file[f"{group}/ids"])
        return self._known[group]

    def _read(self, name: str, row: int | None = None) -> Array:
        with _damage(self.path, f"'{name}'"):
            data = self._file[name]
            values: Array = np.asarray(data[()] if row is None else data[:, row])
        if values.dtype.kind == "f" and not np.isfinite(values).all():
            raise ResultsError(
                "'{path}' is damaged: '{name}' holds a value that is not a number.",
                path=self.path,
                name=name,
            )
        if name == "segments/quaternion_wxyz" and np.any(np.linalg.norm(values, axis=-1) < 1e-6):
            raise ResultsError(
                "'{path}' is damaged: '{name}' holds what is no attitude.",
                path=self.path,
                name=name,
            )
        if values.dtype.kind == "f" and np.any(np.abs(values) > LARGEST):
            raise ResultsError(
                "'{path}' is damaged: '{name}' holds a value that no run finds, {value:g}.",
                path=self.path,
                name=name,
                value=float(values.ravel()[np.argmax(np.abs(values))]),
            )
        values.flags.writeable = False
        return values


def _same_project(project: bytes, path: Path, wanted: str) -> None:
    """Refuse a project that is not the one that was run; older files may not say which that was."""
    if wanted and hashlib.sha256(project).hexdigest() != wanted:
        raise ResultsError(
            "'{path}' is damaged: the project in it was changed after the run.", path=path
        )


def _texts(data: Any) -> tuple[str, ...]:
    return tuple(text.decode("utf-8") for text in words(data))


def _injury(file: Any, path: Path) -> Mapping[str, InjuryValue]:
    # h5py's `get` gives None for what is there and cannot be opened; asking for it raises
    if "injury" not in file or "name" not in file["injury"]:
        return {}
    texts = {key: _texts(own(file, f"injury/{key}", path)) for key in ("name", "unit", "channel")}
    numbers = {key: own(file, f"injury/{key}", path)[()] for key in ("value", "t1", "t2", "filter")}
    return {
        name: InjuryValue(
            name=name,
            value=float(numbers["value"][i]),
            unit=texts["unit"][i],
            t1=float(numbers["t1"][i]),
            t2=float(numbers["t2"][i]),
            channel=texts["channel"][i],
            filter=int(numbers["filter"][i]),
        )
        for i, name in enumerate(texts["name"])
    }
