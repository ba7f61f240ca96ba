"""Write a results file in blocks; a crash loses at most the last block.

While the run goes on the file is `NAME.part.h5`, written in HDF5's single-writer mode, whose order
of writes keeps the file readable at every moment. At the end it is closed, completed and renamed.
"""

from __future__ import annotations

import datetime
import hashlib
import shutil
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import h5py
import numpy as np

from solver.results.events import KINDS, MOST_ELEMENTS, MOST_VALUES, Event
from solver.results.layout import (
    EVENT_GROUP,
    FORMAT,
    FRAME_GROUPS,
    SCHEMA_VERSION,
    STATUSES,
    STEP_GROUP,
    ChannelSpec,
    Column,
    InjuryValue,
    ResultsError,
    safe_name,
)
from solver.results.reader import FileTrajectory, open_file
from solver.results.streams import Stream, channel_streams, new_stream
from solver.results.trajectory import (
    Array,
    Frame,
    Trajectory,
    present,
    rows_of,
)
from solver.whole import publish

DISK_RESERVE = 32 * 2**20
"""Room (bytes) that must be left on the disk to complete a file."""

TEXT = h5py.string_dtype("utf-8")


def part_path(path: Path) -> Path:
    """Give the name that a results file has while it is written."""
    return path.with_name(f"{path.stem}.part{path.suffix or '.h5'}")


def finishing_path(path: Path) -> Path:
    """Give the name of the copy that is completed; one that is left over is of a killed run."""
    return path.with_name(f".{path.name}.finishing.tmp")


class ResultsWriter:
    """Write one run. Use as a context: leaving it by an exception ends the file as failed."""

    def __init__(
        self,
        path: Path | str,
        ids: Mapping[str, Sequence[str]],
        channels: Sequence[ChannelSpec],
        project_json: bytes,
        app_version: str,
        run: str = "",
        names: Sequence[str] = (),
    ) -> None:
        """Open a part; `names` are the paths of all elements that events may name."""
        self.path = Path(path)
        self.part = part_path(self.path)
        self._ids = present(ids)
        for spec in channels:
            safe_name(spec.name)
        self._log: list[str] = []
        self._open = False
        try:
            self._file = h5py.File(self.part, "w", libver="latest")
            self._open = True
            _head(self._file, project_json, app_version, run)
            self._time = new_stream(self._file, "time", Column("s"), None)
            self._frames = {group: self._group(group) for group in self._ids}
            steps = self._collection("integrator")
            self._steps = {
                name: new_stream(steps, name, column, None)
                for name, column in STEP_GROUP.columns.items()
            }
            self._events = self._event_streams(names)
            self._channels = channel_streams(self._file, channels)
            self._file.swmr_mode = True
        except (OSError, RuntimeError) as failure:
            self._abandon()
            raise _cannot_write(self.part, failure) from failure

    def __enter__(self) -> ResultsWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, _: TracebackType | None
    ) -> None:
        if not self._open:
            return
        if kind is None:
            self.finish("failed", "The run ended without saying how.")
        elif issubclass(kind, KeyboardInterrupt):
            self.finish("cancelled", "The run was cancelled.")
        else:
            self.finish("failed", str(value) or kind.__name__)

    def frame(self, time: float, frame: Frame) -> None:
        """Add one instant; a value that is not finite is refused and the frame left out."""
        blocks: list[tuple[Stream, Array]] = []
        for group, streams in self._frames.items():
            for name, stream in streams.items():
                value = np.asarray(frame[group][name])
                self._finite(value, group, name, time)
                blocks.append((stream, value[None]))
        for stream, value in blocks:
            stream.extend(value)
        self._time.extend(np.array([time]))
        if self._time.full:
            self._flush()

    def samples(self, name: str, time: Array, value: Array) -> None:
        """Add samples of one channel."""
        good = np.isfinite(value) & np.isfinite(time)
        if not good.all():
            first = int(np.argmin(good))
            raise ResultsError(
                f"Channel '{name}' became {value[first]} at t = {1e3 * time[first]:.4g} ms; "
                "what came before was kept."
            )
        streams = self._channels[name]
        streams[0].extend(time)
        streams[1].extend(value)
        if streams[0].full:
            self._flush()

    def step(self, **values: Any) -> None:
        """Add one step of the integrator: time, step, evaluations, rejected."""
        for name, stream in self._steps.items():
            stream.extend(np.array([values[name]]))

    def events(self, events: Sequence[Event]) -> None:
        """Add what happened."""
        for event in events:
            numbers = [self._names[path] for path in event.elements]
            row = {
                "time": event.time,
                "kind": self._kinds[event.kind],
                "element": (numbers + [-1] * MOST_ELEMENTS)[:MOST_ELEMENTS],
                "value": ([*event.values] + [0.0] * MOST_VALUES)[:MOST_VALUES],
            }
            for name, stream in self._events.items():
                stream.extend(np.array([row[name]]))

    def log(self, line: str) -> None:
        """Add a note to the log; it reaches the file at the end."""
        self._log.append(line)

    def finish(
        self,
        status: str,
        message: str = "",
        injury: Sequence[InjuryValue] | Callable[[Trajectory], Sequence[InjuryValue]] = (),
    ) -> Path:
        """Complete the file, force it to the disk and give it its name.

        `injury` may be a function: it is given all that was written, and gives the figures.
        """
        if status not in STATUSES[1:]:
            raise ResultsError(f"'{status}' is no way to end a run.")
        if not self._open:
            raise ResultsError("The results file is finished already.")
        if self._anything_waits():
            self._flush()
        self._close()
        if callable(injury):
            with FileTrajectory(open_file(self.part), self.part) as run:
                injury = injury(run)
        try:
            made = self._copied()
            with h5py.File(made, "r+", libver="latest") as file:
                complete(file, status, message, injury, self._log)
            publish(made, self.path)
            if made != self.part:
                self.part.unlink()
        except (OSError, RuntimeError) as failure:
            raise _cannot_write(self.part, failure) from failure
        return self.path

    def _copied(self) -> Path:
        """Give what is completed: a copy, so that a kill while that goes on leaves the part whole.

        Where the disk has no room for a copy, it is the part itself.
        """
        made = finishing_path(self.path)
        room = shutil.disk_usage(self.part.parent).free - DISK_RESERVE
        if room < self.part.stat().st_size:
            return self.part
        try:
            shutil.copyfile(self.part, made)
        except OSError:
            made.unlink(missing_ok=True)
            return self.part
        return made

    def _flush(self) -> None:
        """Write what is waiting, the time last: what has a time is whole.

        HDF5 cannot end cleanly once a write has failed, so a disk that is about to be full is seen
        before; the reserve then lets the file be completed.
        """
        if shutil.disk_usage(self.part.parent).free < DISK_RESERVE:
            self._waiting_is_lost()
            raise ResultsError(
                f"The disk is full: less than {DISK_RESERVE // 2**20} MB are left beside "
                f"'{self.path}'. What was written before is kept."
            )
        try:
            for streams in (*self._frames.values(), self._steps, self._events):
                for stream in streams.values():
                    stream.flush()
            for value_time in self._channels.values():
                value_time[1].flush()
                value_time[0].flush()
            self._time.flush()
        except (OSError, RuntimeError) as failure:
            self._abandon()
            raise _cannot_write(self.part, failure) from failure

    def _anything_waits(self) -> bool:
        pairs = (stream for pair in self._channels.values() for stream in pair)
        rows = (self._time, *self._steps.values(), *self._events.values())
        return any(stream.waits for stream in (*rows, *pairs))

    def _waiting_is_lost(self) -> None:
        """Drop the values that were not yet written, so that finishing needs no more room."""
        channels = {f"{n}/{i}": s for n, pair in self._channels.items() for i, s in enumerate(pair)}
        rows = (self._steps, self._events, channels, {"time": self._time})
        for streams in (*self._frames.values(), *rows):
            for stream in streams.values():
                stream.drop()

    def _close(self) -> None:
        self._open = False
        try:
            self._file.close()
        except (OSError, RuntimeError) as failure:
            raise _cannot_write(self.part, failure) from failure

    def _abandon(self) -> None:
        """Let go of the file after a failed write; the part stays for salvage."""
        if self._open:
            self._open = False
            try:
                self._file.close()
            except (OSError, RuntimeError):
                return

    def _finite(self, value: Array, group: str, name: str, time: float) -> None:
        if value.dtype.kind == "f" and not np.isfinite(value).all():
            element = ""
            if FRAME_GROUPS[group].has_ids:
                bad = ~np.isfinite(value).reshape(len(self._ids[group]), -1).all(axis=1)
                element = f" of '{self._ids[group][int(np.argmax(bad))]}'"
            raise ResultsError(
                f"The {name.replace('_', ' ')}{element} in {group} is not a finite number at "
                f"t = {1e3 * time:.4g} ms; what came before was kept."
            )

    def _group(self, group: str) -> dict[str, Stream]:
        parent = self._collection(group)
        if FRAME_GROUPS[group].has_ids:
            names = parent.create_dataset("ids", data=list(self._ids[group]), dtype=TEXT)
            names.attrs["unit"] = ""
        rows = rows_of(group, self._ids)
        return {
            name: new_stream(parent, name, column, rows)
            for name, column in FRAME_GROUPS[group].columns.items()
        }

    def _event_streams(self, names: Sequence[str]) -> dict[str, Stream]:
        """Make the list of events; texts cannot grow while a part is written, so numbers stand for them."""
        parent, texts = self._collection("events"), {"names": tuple(names), "kinds": tuple(KINDS)}
        for name, lines in texts.items():
            parent.create_dataset(name, data=list(lines), dtype=TEXT).attrs["unit"] = ""
        self._names, self._kinds = (
            {text: n for n, text in enumerate(lines)} for lines in texts.values()
        )
        return {
            name: new_stream(parent, name, column, None)
            for name, column in EVENT_GROUP.columns.items()
        }

    def _collection(self, name: str) -> Any:
        group = self._file.create_group(name)
        group.attrs["NX_class"] = "NXcollection"
        return group


def _head(file: Any, project_json: bytes, app_version: str, run: str) -> None:
    file.attrs["format"] = FORMAT
    file.attrs["schema_version"] = SCHEMA_VERSION
    file.attrs["app_version"] = app_version
    file.attrs["run"] = run
    file.attrs["created_utc"] = datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds")
    file.attrs["status"] = "running"
    file.attrs["message"] = ""
    file.attrs["project_sha256"] = hashlib.sha256(project_json).hexdigest()
    file.attrs["NX_class"] = "NXroot"
    file.attrs["default"] = "channels"
    project = file.create_dataset("project", data=project_json.decode("utf-8"), dtype=TEXT)
    project.attrs["unit"] = ""


def complete(
    file: Any, status: str, message: str, injury: Sequence[InjuryValue], log: Sequence[str]
) -> None:
    """Write what is known only at the end: status, injury figures, log."""
    file.attrs["status"] = status
    file.attrs["message"] = message
    group = file.require_group("injury")
    group.attrs["NX_class"] = "NXcollection"
    for name, unit in (("name", ""), ("unit", ""), ("channel", "")):
        texts = [str(getattr(value, name)) for value in injury]
        group.create_dataset(name, data=texts, dtype=TEXT).attrs["unit"] = unit
    for name, unit in (("value", ""), ("t1", "s"), ("t2", "s"), ("filter", "")):
        numbers = np.array([getattr(value, name) for value in injury], "f8")
        group.create_dataset(name, data=numbers).attrs["unit"] = unit
    file.create_dataset("log", data=list(log), dtype=TEXT).attrs["unit"] = ""


def _cannot_write(path: Path, failure: Exception) -> ResultsError:
    reason = getattr(failure, "strerror", None) or str(failure).split("(")[-1].rstrip(")") or "?"
    if "No space left" in str(failure) or getattr(failure, "errno", None) == 28:
        reason = "the disk is full"
    return ResultsError(f"'{path}' cannot be written: {reason}. What was written before is kept.")
