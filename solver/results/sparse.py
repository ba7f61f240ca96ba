"""A run in memory that knows what has been read of it, so that a run like it may record that alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from solver.results.layout import ChannelSpec
from solver.results.memory import MemoryTrajectory
from solver.results.trajectory import Array, Channel, Table, component_names


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
    """Hold a run, or what is wanted of it, and note what is read.

    It has the names of all that a run has. Whoever reads what is not there is told so, and never
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
        """Give all by which quantities of the run are named."""
        return self._ids, tuple(self._specs.values())

    def table(self, group: str) -> Table:
        """Give one group of elements; it counts as read once one of its columns is."""
        if group not in self._ids:
            return super().table(group)
        return Table(self._ids[group], _Columns(self, group))

    def columns(self, group: str) -> Mapping[str, Array]:
        """Give the columns of a group, which is read with this."""
        self.read |= Wanted(groups=frozenset({group}))
        if group not in self._frames:
            raise NotRecorded(group)
        return super().table(group).columns

    def channel(self, name: str) -> Channel:
        """Give one channel."""
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
