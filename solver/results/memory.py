"""A run in memory, which can be read while it grows."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import numpy as np

from solver.base.words import Note
from solver.results.events import Event, log_of
from solver.results.layout import FRAME_GROUPS, STEP_GROUP, ChannelSpec, InjuryValue, ResultsError
from solver.results.trajectory import (
    Array,
    Channel,
    Frame,
    SegmentMotion,
    Table,
    component_names,
    empty_table,
    present,
    rows_of,
    value_shape,
)


class Growing:
    """Append values to an array that doubles its room when full."""

    def __init__(self, shape: tuple[int, ...], dtype: str, room: int = 64) -> None:
        self._data: Array = np.zeros((room, *shape), dtype)
        self._count = 0

    def append(self, value: Any) -> None:
        """Add one value."""
        self.extend(np.asarray(value, self._data.dtype)[None])

    def extend(self, values: Array) -> None:
        """Add several values."""
        needed = self._count + len(values)
        if needed > len(self._data):
            room = max(needed, 2 * len(self._data))
            larger = np.zeros((room, *self._data.shape[1:]), self._data.dtype)
            larger[: self._count] = self._data[: self._count]
            self._data = larger
        self._data[self._count : needed] = values
        self._count = needed

    def frozen(self, count: int | None = None) -> Growing:
        """What has been added so far, or the first of it, as one that others do not grow."""
        out = Growing.__new__(Growing)
        out._data = self._data
        out._count = self._count if count is None else min(count, self._count)
        return out

    def __getstate__(self) -> dict[str, Any]:
        return {"_data": self._data[: self._count].copy(), "_count": self._count}

    def view(self) -> Array:
        """What has been added, as a view that later additions leave alone."""
        out = self._data[: self._count]
        out.flags.writeable = False
        return out


class MemoryTrajectory:
    """A run in memory while it grows; one thread adds, others may read."""

    def __init__(
        self,
        ids: Mapping[str, Sequence[str]],
        channels: Sequence[ChannelSpec],
        project_json: bytes | Callable[[], bytes],
        run: str = "",
    ) -> None:
        self._lock = threading.Lock()
        self._ids = present(ids)
        self._specs = {spec.name: spec for spec in channels}
        self._time = Growing((), "f8")
        self._frames = {
            group: {
                name: Growing(value_shape(column, rows_of(group, self._ids)), column.dtype)
                for name, column in FRAME_GROUPS[group].columns.items()
            }
            for group in self._ids
        }
        self._steps = {n: Growing(c.shape, c.dtype) for n, c in STEP_GROUP.columns.items()}
        self._samples = {name: (Growing((), "f8"), Growing((), "f8")) for name in self._specs}
        self._project, self.run_id = project_json, run
        self.status, self.message = "running", ""
        self.injury: Mapping[str, InjuryValue] = {}
        self.notes: tuple[Note, ...] = ()
        self._events: list[Event] = []
        self._checkpoints: list[tuple[float, Callable[[], bytes]]] = []

    def add_frame(self, time: float, frame: Frame) -> None:
        """Add one instant."""
        self.add_frames(
            np.array([time]),
            {
                group: {name: np.asarray(value)[None] for name, value in columns.items()}
                for group, columns in frame.items()
            },
        )

    def add_frames(self, time: Array, frames: Frame) -> None:
        """Add several instants; each value has one row for each of them."""
        with self._lock:
            for group, columns in self._frames.items():
                for name, growing in columns.items():
                    growing.extend(frames[group][name])
            self._time.extend(time)

    def add_samples(self, name: str, time: Array, value: Array) -> None:
        """Add samples of one channel."""
        with self._lock:
            self._samples[name][0].extend(time)
            self._samples[name][1].extend(value)

    def add_steps(self, columns: Mapping[str, Sequence[Any]]) -> None:
        """Add several steps of the integrator."""
        with self._lock:
            for name, growing in self._steps.items():
                growing.extend(np.asarray(columns[name]))

    def add_checkpoint(self, time: float, data: Callable[[], bytes]) -> None:
        """Add a state from which the run can be taken up again; most are never asked for."""
        with self._lock:
            self._checkpoints.append((time, data))

    def checkpoints(self) -> tuple[tuple[float, bytes], ...]:
        """Give states from which the run can be taken up again, with their times."""
        with self._lock:
            return tuple((time, data()) for time, data in self._checkpoints)

    def kept_checkpoints(self) -> tuple[tuple[float, Callable[[], bytes]], ...]:
        """Give the same as they were added, without writing them down."""
        with self._lock:
            return tuple(self._checkpoints)

    def add_events(self, events: Sequence[Event]) -> None:
        """Add what happened."""
        with self._lock:
            self._events.extend(events)

    def snapshot(self) -> MemoryTrajectory:
        """The run as it stands now, all its parts of one length, while it goes on growing."""
        with self._lock:
            out = type(self).__new__(type(self))
            vars(out).update(vars(self))
            out._lock = threading.Lock()
            out._time = self._time.frozen()
            out._events, out._checkpoints = list(self._events), list(self._checkpoints)
            out._frames = {
                group: {name: growing.frozen() for name, growing in columns.items()}
                for group, columns in self._frames.items()
            }
            out._steps = {name: growing.frozen() for name, growing in self._steps.items()}
            count = min((time._count for time, _ in self._samples.values()), default=0)
            out._samples = {
                name: (time.frozen(count), value.frozen(count))
                for name, (time, value) in self._samples.items()
            }
        return out

    def __getstate__(self) -> dict[str, Any]:
        state = vars(self.snapshot()) | {"_project": self.project_json}
        state["_checkpoints"] = [(time, partial(bytes, data)) for time, data in self.checkpoints()]
        return {name: value for name, value in state.items() if name != "_lock"}

    def __setstate__(self, state: dict[str, Any]) -> None:
        vars(self).update(state)
        self._lock = threading.Lock()

    def finish(
        self,
        status: str,
        message: str = "",
        injury: Sequence[InjuryValue] = (),
        notes: Sequence[Note] = (),
    ) -> None:
        """Say how the run ended."""
        with self._lock:
            self.injury = {value.name: value for value in injury}
            self.notes = tuple(notes)
            self.status, self.message = status, message

    @property
    def project_json(self) -> bytes:
        """The exact project that was run; it may be written down only when it is asked for."""
        if not isinstance(self._project, bytes):
            self._project = self._project()
        return self._project

    @property
    def time(self) -> Array:
        """The times of the frames (s)."""
        with self._lock:
            return self._time.view()

    @property
    def segment_ids(self) -> tuple[str, ...]:
        """Name the segments."""
        return self._ids.get("segments", ())

    @property
    def channel_names(self) -> tuple[str, ...]:
        """Name the dense channels."""
        return tuple(self._specs)

    def segment(self, id_: str) -> SegmentMotion:
        """One segment's motion."""
        return SegmentMotion(**self.table("segments").row(id_))

    def table(self, group: str) -> Table:
        """One group of elements over all frames."""
        if group not in self._frames:
            return empty_table(group, len(self.time))
        with self._lock:
            columns = {name: growing.view() for name, growing in self._frames[group].items()}
        return Table(self._ids[group], columns)

    def steps(self) -> Table:
        """The integrator's history."""
        with self._lock:
            return Table((), {name: growing.view() for name, growing in self._steps.items()})

    def events(self) -> tuple[Event, ...]:
        """What happened, in order of time: of some it is known only later since when it is so."""
        with self._lock:
            return tuple(sorted(self._events, key=lambda event: event.time))

    @property
    def log(self) -> tuple[str, ...]:
        """The lines of the run's log: notes, and events in words."""
        return log_of(self.notes, self.events())

    def channel_spec(self, name: str) -> ChannelSpec:
        """Say what a channel holds."""
        if name not in self._specs:
            raise ResultsError("There is no channel '{name}' in these results.", name=name)
        return self._specs[name]

    def channel(self, name: str) -> Channel:
        """One channel."""
        spec = self.channel_spec(name)
        parts = component_names(name, spec.axis, self._specs)
        with self._lock:
            time, value = (growing.view() for growing in self._samples[name])
            components = tuple(self._samples[part][1].view() for part in parts)
        # while a run grows its channels are added to one after the other
        n = min(len(value), *(len(part) for part in components), len(value))
        return Channel(
            name, time[:n], value[:n], spec.unit, spec.quantity, spec.segment, spec.axis, spec.cfc,
            tuple(part[:n] for part in components),
        )  # fmt: skip


# A run in memory that knows what has been read of it, so that a run like it may record that alone.


@dataclass(frozen=True, slots=True)
class Wanted:
    """Name what is recorded of a run: groups of its frames, and dense channels. Steps and events always are."""

    groups: frozenset[str] = frozenset()
    channels: frozenset[str] = frozenset()
    is_all: bool = False

    def __or__(self, other: Wanted) -> Wanted:
        return Wanted(
            self.groups | other.groups, self.channels | other.channels, self.is_all or other.is_all
        )


EVERYTHING = Wanted(is_all=True)


class NotRecorded(Exception):
    """Say that something is asked for that this run has not recorded: it is to be solved again, whole."""


class SparseTrajectory(MemoryTrajectory):
    """A run, or what is wanted of it, and note what is read.

    It has the names of all that a run has. Anyone who reads what is not there is told so, and never
    that there is no such thing.
    """

    def __init__(
        self,
        ids: Mapping[str, Sequence[str]],
        channels: Sequence[ChannelSpec],
        project_json: bytes | Callable[[], bytes],
        run: str = "",
        wanted: Wanted = EVERYTHING,
    ) -> None:
        """Make room for what is wanted."""
        super().__init__(ids, channels, project_json, run)
        if not wanted.is_all:
            self._frames = {k: v for k, v in self._frames.items() if k in wanted.groups}
            self._samples = {k: v for k, v in self._samples.items() if k in wanted.channels}
        self.read = Wanted()
        """What has been read of it."""

    def add_samples(self, name: str, time: Array, value: Array) -> None:
        """Take samples of one channel, if it is wanted."""
        if name in self._samples:
            super().add_samples(name, time, value)

    def add_checkpoint(self, time: float, data: Callable[[], bytes]) -> None:
        """Keep none: it is never taken up again."""

    def names(self) -> tuple[object, ...]:
        """All by which quantities of the run are named."""
        return self._ids, tuple(self._specs.values())

    def table(self, group: str) -> Table:
        """One group of elements; it counts as read once one of its columns is."""
        if group not in self._ids:
            return super().table(group)
        return Table(self._ids[group], _Columns(self, group))

    def columns(self, group: str) -> Mapping[str, Array]:
        """The columns of a group, which is read with this."""
        self.read |= Wanted(groups=frozenset({group}))
        if group not in self._frames:
            raise NotRecorded(group)
        return super().table(group).columns

    def channel(self, name: str) -> Channel:
        """One channel."""
        parts = component_names(name, self.channel_spec(name).axis, self._specs)
        self.read |= Wanted(channels=frozenset({name, *parts}))
        for one in (name, *parts):
            if one not in self._samples:
                raise NotRecorded(one)
        return super().channel(name)


class _Columns(Mapping[str, Array]):
    """Give columns of a group, and let it count as read."""

    def __init__(self, run: SparseTrajectory, group: str) -> None:
        self._run, self._group = run, group

    def __getitem__(self, name: str) -> Array:
        return self._run.columns(self._group)[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._run.columns(self._group))

    def __len__(self) -> int:
        return len(self._run.columns(self._group))
