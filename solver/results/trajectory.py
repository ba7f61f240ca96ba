"""One way to read a run, live or from a file: whoever shows results does not care which."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from solver.base.words import Note
from solver.engine.signals import cfc as filter_cfc
from solver.results.events import Event
from solver.results.layout import (
    FRAME_GROUPS,
    ChannelSpec,
    Column,
    InjuryValue,
    ResultsError,
)

Array = NDArray[Any]


@dataclass(frozen=True, slots=True)
class Channel:
    """Hold a channel's samples over its own time (s)."""

    name: str
    time: Array
    value: Array
    unit: str
    quantity: str = ""
    segment: str = ""
    axis: str = ""
    cfc: int = 0
    components: tuple[Array, ...] = ()
    """Of a resultant: values of x, y and z, where the run has them."""
    filtered_to: int = 0
    """Filter class of the values, 0 while they are as the run gave them; `cfc` is what they should be filtered to."""

    def filtered(self, cfc: int | None = None) -> Self:
        """Give the channel filtered to a class of SAE J211; without one, to its own.

        A channel without a class stays as it is. Of a resultant the components are filtered, as the
        standard asks, and their resultant is given. Raises `SignalError` where that cannot be done.
        """
        class_ = self.cfc if cfc is None else cfc
        if class_ == 0:
            return self
        parts = tuple(filter_cfc(self.time, part, class_) for part in self.components)
        if parts:
            value = np.sqrt(sum(part**2 for part in parts))
        else:
            value = filter_cfc(self.time, self.value, class_)
        return replace(self, value=value, cfc=class_, components=parts, filtered_to=class_)


def component_names(name: str, axis: str, names: Collection[str]) -> tuple[str, ...]:
    """Name the channels of x, y and z that belong to a resultant; none where one is missing."""
    if axis.rpartition("_")[2] != "resultant":
        return ()
    found = tuple(f"{name.removesuffix('resultant')}{end}" for end in "xyz")
    return found if all(one in names for one in found) else ()


@dataclass(frozen=True, slots=True)
class Table:
    """Hold a group: ids of its rows, and columns of shape (T, N, ...) or (T, ...)."""

    ids: tuple[str, ...]
    columns: Mapping[str, Array]

    def __getitem__(self, name: str) -> Array:
        return self.columns[name]

    def row(self, id_: str) -> Mapping[str, Array]:
        """Give all columns of one element, each (T, ...)."""
        if id_ not in self.ids:
            raise ResultsError("There is no '{id_}' in these results.", id_=id_)
        number = self.ids.index(id_)
        return {name: values[:, number] for name, values in self.columns.items()}


@dataclass(frozen=True, slots=True)
class SegmentMotion:
    """Hold a segment's motion: SI, ground axes; angular vectors in segment axes."""

    position: Array
    quaternion_wxyz: Array
    velocity: Array
    angular_velocity: Array
    acceleration: Array
    angular_acceleration: Array


@runtime_checkable
class Trajectory(Protocol):
    """Be a run that can be read, finished or not."""

    @property
    def status(self) -> str:
        """Give running, completed, cancelled or failed."""

    @property
    def message(self) -> str:
        """Give the sentence that belongs to the status."""

    @property
    def project_json(self) -> bytes:
        """Give the exact project that was run."""

    @property
    def time(self) -> Array:
        """Give the times of the frames (s)."""

    @property
    def segment_ids(self) -> tuple[str, ...]:
        """Name the segments."""

    @property
    def channel_names(self) -> tuple[str, ...]:
        """Name the dense channels."""

    @property
    def injury(self) -> Mapping[str, InjuryValue]:
        """Give the injury figures by name."""

    @property
    def notes(self) -> tuple[Note, ...]:
        """Give what the run has to say besides its events."""

    @property
    def log(self) -> tuple[str, ...]:
        """Give the lines of the run's log: notes, and events in words."""

    def segment(self, id_: str) -> SegmentMotion:
        """Give one segment's motion."""

    def table(self, group: str) -> Table:
        """Give one group of elements over all frames."""

    def steps(self) -> Table:
        """Give the integrator's history."""

    def events(self) -> tuple[Event, ...]:
        """Give what happened, in order of time."""

    def checkpoints(self) -> tuple[tuple[float, bytes], ...]:
        """Give states from which the run can be taken up again, with their times."""

    def channel(self, name: str) -> Channel:
        """Give one channel."""

    def channel_spec(self, name: str) -> ChannelSpec:
        """Say what a channel holds, without reading its samples."""


Frame = Mapping[str, Mapping[str, Any]]
"""Values of one instant: group, then column, then an array (N, ...) or a scalar."""


def value_shape(column: Column, rows: int | None) -> tuple[int, ...]:
    """Give the shape of a column's values in one frame."""
    return column.shape if rows is None else (rows, *column.shape)


def rows_of(group: str, ids: Mapping[str, Sequence[str]]) -> int | None:
    """Count a group's rows; none where it has no ids."""
    return len(ids[group]) if FRAME_GROUPS[group].has_ids else None


def present(ids: Mapping[str, Sequence[str]]) -> dict[str, tuple[str, ...]]:
    """Leave out the groups that have no elements."""
    return {
        group: tuple(names)
        for group, names in ids.items()
        if names or not FRAME_GROUPS[group].has_ids
    }


def empty_table(group: str, frames: int) -> Table:
    """Give the table of a group without elements."""
    if group not in FRAME_GROUPS:
        raise ResultsError("There is no group '{group}' in results.", group=group)
    columns = FRAME_GROUPS[group].columns.items()
    return Table((), {name: np.zeros((frames, 0, *c.shape), c.dtype) for name, c in columns})
