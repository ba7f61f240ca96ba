"""Write a results file: a part that grows while the run goes on, and the file itself at its end."""

from __future__ import annotations

import datetime
import glob
import shutil
import uuid
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np

from solver.base.atomic import discard, ordinary, publish
from solver.base.words import NOTHING, Note, Sentence, joined
from solver.engine.jit.level import level
from solver.results.events import FIRST_VALUES, KINDS, MOST_ELEMENTS, MOST_VALUES, Event
from solver.results.hdf5 import cannot_write, written
from solver.results.layout import (
    FRAME_GROUPS,
    GROWING,
    LAST_STATES,
    STATUSES,
    ChannelSpec,
    Column,
    InjuryValue,
    ResultsError,
    safe_name,
)
from solver.results.part import Claim, Head, Part, PartWriter, Stream, Taken
from solver.results.reader import FileTrajectory
from solver.results.trajectory import Array, Frame, Trajectory, present, rows_of, value_shape

DISK_RESERVE = 32 * 2**20
"""Room (bytes) that must be left on the disk, besides that for the results file itself."""


def part_path(path: Path, key: str) -> Path:
    """The name of what a run with this key keeps while it goes."""
    return path.with_name(f"{path.stem[:50]}.{key}.part")


def parts_of(path: Path) -> list[Path]:
    """The parts of runs that were to be written to a file, and were not finished."""
    return sorted(path.resolve().parent.glob(f"{glob.escape(path.stem[:50])}.????????.part"))


def finishing_path(path: Path, key: str) -> Path:
    """The hidden name of a results file that is being made; one left over is of a killed run."""
    return path.with_name(f".{path.stem[:50]}.{key}.finishing")


BEFORE = Sentence("What was written before is kept.")


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
        *,
        keeps_part: bool = True,
    ) -> None:
        """Begin a run; `names` are the paths of all elements that events may name."""
        self.path, key = Path(path), uuid.uuid4().hex[:8]
        self._ids = present(ids)
        for spec in channels:
            safe_name(spec.name)
        streams = _streams(self._ids, channels)
        self._numbers = {stream.name: number for number, stream in enumerate(streams)}
        words = {
            f"{group}/ids": tuple(ids_)
            for group, ids_ in self._ids.items()
            if FRAME_GROUPS[group].has_ids
        } | {"events/names": tuple(names), "events/kinds": tuple(KINDS)}
        self._names = {path: number for number, path in enumerate(names)}
        self._kinds = {kind: number for number, kind in enumerate(KINDS)}
        head = Head(
            key,
            self.path.name,
            datetime.datetime.now(datetime.UTC).isoformat(timespec="seconds"),
            app_version,
            level().name,
            run,
            project_json.decode("utf-8"),
            words,
            tuple(channels),
            streams,
        )
        self._log: list[Note] = []
        self._keeps = keeps_part
        self._open = False
        try:
            self._target = ordinary(self.path)
            self._claim = Claim(self._target)
            self._before = _seen(self._target)
            try:
                self._part = PartWriter(part_path(self._target, key), head)
            except BaseException:
                self._claim.release()
                raise
        except Taken:
            raise ResultsError(
                "'{path}' is being written by another run; wait for its end, or give another name.",
                path=self.path,
            ) from None
        except OSError as failure:
            raise ResultsError(cannot_write(self.path, failure)) from None
        self._open = True

    @property
    def part(self) -> Path:
        """What the run keeps while it goes."""
        return self._part.path

    def __enter__(self) -> ResultsWriter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, value: BaseException | None, _: TracebackType | None
    ) -> None:
        if not self._open:
            return
        try:
            if kind is None:
                self.finish("failed", "The run ended without saying how.")
            elif issubclass(kind, KeyboardInterrupt):
                self.finish("cancelled", str(value) or "The run was cancelled.")
            else:
                self.finish("failed", str(value) or kind.__name__)
        finally:
            self._let_go()

    def frame(self, time: float, frame: Frame) -> None:
        """Add one instant; a value that is not finite is refused and the frame left out."""
        one = {
            group: {
                name: np.array(frame[group][name])[None] for name in FRAME_GROUPS[group].columns
            }
            for group in self._ids
        }
        self.frames(np.array([time]), one)

    def frames(self, time: Array, frames: Frame) -> None:
        """Add instants, one row for each; those from the first that is not finite on are refused.

        The arrays are kept until they are written: do not change them afterwards.
        """
        self.save_if_due()
        values = {
            f"{group}/{name}": np.asarray(frames[group][name])
            for group in self._ids
            for name in FRAME_GROUPS[group].columns
        }
        bad = {name: _first_bad(column) for name, column in values.items()}
        good = min([len(time), *(n for n in bad.values() if n is not None)])
        for name, column in values.items():
            self._part.add(self._numbers[name], column[:good])
        self._part.add(self._numbers["time"], np.asarray(time, float)[:good])
        if good < len(time):
            name = next(name for name, n in bad.items() if n == good)
            raise self._not_finite(name, values[name][good], float(time[good]))

    def samples(self, name: str, time: Array, value: Array) -> None:
        """Add samples of one channel."""
        good = np.isfinite(value) & np.isfinite(time)
        if not good.all():
            first = int(np.argmin(good))
            raise ResultsError(
                "Channel '{name}' became {value} at t = {time:.4g} ms; what came before was kept.",
                name=name,
                value=value[first],
                time=1e3 * time[first],
            )
        self._part.add(self._numbers[f"channels/{name}/time"], np.asarray(time, float))
        self._part.add(self._numbers[f"channels/{name}/value"], np.asarray(value, float))

    def step(self, **values: Any) -> None:
        """Add one step of the integrator: time, step, evaluations, rejected."""
        self.steps({name: [value] for name, value in values.items()})

    def steps(self, columns: Mapping[str, Any]) -> None:
        """Add steps of the integrator, one row for each."""
        self._rows("integrator", columns)

    def events(self, events: Sequence[Event]) -> None:
        """Add what happened; and write what waits if it is time."""
        self.save_if_due()
        if not events:
            return
        elements = [[self._names[path] for path in event.elements] for event in events]
        columns = {
            "time": [event.time for event in events],
            "kind": [self._kinds[event.kind] for event in events],
            "element": [(row + [-1] * MOST_ELEMENTS)[:MOST_ELEMENTS] for row in elements],
        }
        values = [([*e.values] + [0.0] * MOST_VALUES)[:MOST_VALUES] for e in events]
        columns["value"] = [one[:FIRST_VALUES] for one in values]
        columns["more"] = [one[FIRST_VALUES:] for one in values]
        self._rows("events", columns)

    def _rows(self, group: str, columns: Mapping[str, Any]) -> None:
        for name, column in GROWING[group].columns.items():
            values = np.array(columns[name], column.dtype).reshape(-1, *column.shape)
            self._part.add(self._numbers[f"{group}/{name}"], values)

    def checkpoint(self, time: float, data: bytes) -> None:
        """Add a state from which the run can be taken up again."""
        values = {"time": [time], "length": [len(data)], "bytes": np.frombuffer(data, "u1")}
        self._rows("checkpoints", values)

    def state(self, time: float, data: bytes) -> None:
        """Keep a state for a run that is broken off; one that is completed leaves it out."""
        values = {"time": [time], "length": [len(data)], "bytes": np.frombuffer(data, "u1")}
        self._rows(LAST_STATES, values)

    def log(self, line: Note) -> None:
        """Add a note to the log; it reaches the file at the end."""
        self._log.append(line)

    def save_if_due(self) -> None:
        """Write what waits where it is time: a crash loses no more than half a second."""
        if self._part.due:
            self._save()

    def finish(
        self,
        status: str,
        message: str = "",
        injury: Sequence[InjuryValue] | Callable[[Trajectory], Sequence[InjuryValue]] = (),
    ) -> Path:
        """Make the results file, force it to the disk and give it its name.

        `injury` may be a function: it is given all that was written, and gives the figures.
        """
        if status not in STATUSES[1:]:
            raise ResultsError("'{status}' is no way to end a run.", status=status)
        if not self._open:
            raise ResultsError("The results file is finished already.")
        if self._part.waits:
            self._save()
        made = finishing_path(self._target, self._part.head.key)
        try:
            self._make(made, status, message, injury)
            self._publish(made)
        except OSError as failure:
            self._let_go()
            raise ResultsError(
                self._and_kept(
                    cannot_write(self.path, failure),
                    Sentence(
                        "The run is kept in '{part}': make room, then 'manikin salvage' makes a file of it.",
                        part=self.part,
                    ),
                )
            ) from None
        finally:
            discard(made)
        self._let_go()
        discard(self.part)
        return self.path

    def abandon(self) -> None:
        """Leave nothing behind of a run that is not finished."""
        if self._open:
            self._let_go()
        discard(self.part)

    def _make(
        self,
        made: Path,
        status: str,
        message: str,
        injury: Sequence[InjuryValue] | Callable[[Trajectory], Sequence[InjuryValue]],
    ) -> None:
        from solver.results.making import complete, fill  # with them h5py

        part = Part(self.part)
        try:
            if not self._part.is_ours() or part.counts != self._part.counts:
                self._let_go()
                raise ResultsError(
                    "'{part}' was changed while the run went on; it is kept.", part=self.part
                )
            with written(made) as file:
                fill(file, part, goes_on=status != STATUSES[1])
                if callable(injury):
                    injury = injury(FileTrajectory(file, self.path))
                complete(file, status, message, injury, self._log)
        finally:
            part.close()

    def _publish(self, made: Path) -> None:
        """Give the file its name, unless somebody else has put a file there meanwhile."""
        if _seen(self._target) in (self._before, None):
            publish(made, self._target)
            return
        other = self._target.with_name(
            f"{self._target.stem[:50]}-{self._part.head.key}{self._target.suffix}"
        )
        publish(made, other)
        self._let_go()
        discard(self.part)
        raise ResultsError(
            "'{path}' was changed by somebody else while the run went on; the run is in '{other}'.",
            path=self.path,
            other=other,
        )

    def _save(self) -> None:
        """Write what waits, while there is room to make the results file of it in the end."""
        if shutil.disk_usage(self.part.parent).free < DISK_RESERVE + self._part.size:
            self._part.drop()
            raise ResultsError(
                self._and_kept(
                    Sentence(
                        "The disk is full: too little is left beside '{path}' to complete it.",
                        path=self.path,
                    ),
                    BEFORE,
                )
            )
        try:
            self._part.flush()
        except OSError as failure:
            self._part.drop()
            raise ResultsError(self._and_kept(cannot_write(self.path, failure), BEFORE)) from None

    def _and_kept(self, why: Sentence, kept: Sentence) -> Sentence:
        return joined(" ", (why, kept if self._keeps else NOTHING))

    def _let_go(self) -> None:
        self._open = False
        self._part.close()
        self._claim.release()

    def _not_finite(self, name: str, values: Array, time: float) -> ResultsError:
        group, _, column = name.partition("/")
        element = NOTHING
        if FRAME_GROUPS[group].has_ids:
            bad = ~np.isfinite(values).reshape(len(self._ids[group]), -1).all(axis=1)
            element = Sentence(" of '{id}'", id=self._ids[group][int(np.argmax(bad))])
        return ResultsError(
            "The {column}{element} in {group} is not a finite number at t = {time:.4g} ms; "
            "what came before was kept.",
            column=column.replace("_", " "),
            element=element,
            group=group,
            time=1e3 * time,
        )


def _streams(
    ids: Mapping[str, Sequence[str]], channels: Sequence[ChannelSpec]
) -> tuple[Stream, ...]:
    """Name all values that grow along time."""

    def made(name: str, column: Column, rows: int | None = None) -> Stream:
        return Stream(name, column.unit, column.dtype, value_shape(column, rows))

    out = [
        made(f"{group}/{name}", column, rows_of(group, ids))
        for group in ids
        for name, column in FRAME_GROUPS[group].columns.items()
    ]
    for group, rows in GROWING.items():
        out += [made(f"{group}/{name}", column) for name, column in rows.columns.items()]
    for spec in channels:
        out.append(made(f"channels/{spec.name}/time", Column("s")))
        out.append(made(f"channels/{spec.name}/value", Column(spec.unit)))
    return (*out, made("time", Column("s")))


def _first_bad(values: Array) -> int | None:
    """The first row that is not finite, or none."""
    if values.dtype.kind != "f":
        return None
    good = np.isfinite(values)
    if good.all():
        return None
    return int(np.argmin(good.reshape(len(values), -1).all(axis=1)))


def _seen(file: Path) -> tuple[int, int, int] | None:
    """Tell a file from every other, and from what it was before; none where there is none."""
    try:
        found = file.stat()
    except OSError:
        return None
    return found.st_dev, found.st_ino, found.st_mtime_ns
