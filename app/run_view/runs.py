"""Keep the runs of a model: one is solved at a time, the others wait."""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, QTimer, Signal

from app.run_view.record import RunRecord
from app.run_view.solving import Solving
from solver.base.words import msgid, tr
from solver.project import Project
from solver.results.trajectory import Trajectory

if TYPE_CHECKING:
    from solver.running.common import Solved

_RUN_NUMBER = msgid("Run {number}")

_LOOK_MS = 10
_TELL_S = 0.04
"""How far a run is, is told not more often than this; its end at the look that finds it."""
_FIRST_S = 0.2
"""The first two times it is told after so long at the latest: then scene and panels are set up, once."""
_SHARE = 0.06
"""So much of its time the window may spend on what it is told, so that it does not hold up the solver."""
_LONGEST_S = 1.0
"""A run is told of so often however much else the window has done since."""


class Runs(QObject):
    """Start runs, watch them, and say which one is shown.

    `changed` tells that a run has another state or more instants, `shown` that another is chosen,
    `relabelled` that people call one something else.
    """

    listed = Signal()
    changed = Signal(object)
    ended = Signal(object)
    shown = Signal(object)
    relabelled = Signal(object)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.records: list[RunRecord] = []
        self.current: RunRecord | None = None
        self.fits: Callable[[RunRecord], bool] = lambda _: True
        """Tells whether a run is of the model as it is: no other is shown unasked."""
        self.reads = False
        """Whether runs of a project that has just been opened are still on their way."""
        self.broken_off = ""
        """Name of the run that went on when the program was asked to end."""
        self._watched: RunRecord | None = None
        self._told_at = self._spent = 0.0
        self._tells = 0
        self._watch = QTimer(self, interval=_LOOK_MS)
        self._watch.timeout.connect(self._look)

    def start(
        self,
        project: Project,
        run: str | None = None,
        *,
        name: str = "",
        show: bool = True,
        before: Trajectory | None = None,
        like: Sequence[Solved] | None = None,
    ) -> RunRecord:
        """Queue a run of a project that has passed its checks, and show it unless told not to.

        One that has a name is fleeting: its place will be taken. One with something before goes on
        from there; one of many that are `like` each other begins where it differs from one of them.
        """
        solving = Solving(project, run, before, like)
        record = RunRecord(name or self._new_name(), project, solving, fleeting=bool(name))
        self.records.append(record)
        self.listed.emit()
        if show:
            self.show(record)
        self._next()
        self._watch.start()
        return record

    def add(self, record: RunRecord) -> None:
        """List a run that was read, and show it."""
        self.records.append(record)
        self.listed.emit()
        self.show(record)

    def add_kept(self, records: list[RunRecord]) -> None:
        """List runs of earlier days before the others; where none is shown, the newest of this model is."""
        self.records[:0] = records
        self.listed.emit()
        if self.current is None:
            self.show(newest(self.records, self.fits))

    def put_back(self, records: list[tuple[int, RunRecord]]) -> None:
        """List runs again that were removed, where they stood."""
        for place, record in sorted(records, key=lambda one: one[0]):
            self.records.insert(place, record)
        self.listed.emit()
        if self.current is None:
            self.show(newest(self.records, self.fits))

    def show(self, record: RunRecord | None) -> None:
        """Choose the run that the scene, the plots and the numbers show."""
        if record is not self.current:
            self.current = record
            self.shown.emit(record)

    def rename(self, record: RunRecord, name: str) -> None:
        """Call a run something else; what has a name of its own stays."""
        record.name = name.strip() or record.name
        self._relabel(record)

    def note(self, record: RunRecord, note: str) -> None:
        """Write a note on a run."""
        record.note = note.strip()
        self._relabel(record)

    def _relabel(self, record: RunRecord) -> None:
        record.fleeting = False
        self.listed.emit()
        self.relabelled.emit(record)

    def cancel(self, record: RunRecord) -> None:
        """Stop a run that goes on; one that waits leaves the queue."""
        if record.is_waiting:
            self.remove(record)
        elif record.solving is not None:
            record.solving.cancel()

    def remove(self, record: RunRecord) -> None:
        """Take a run from the list; a file of its own stays on the disk."""
        if record.solving is not None and not record.is_waiting:
            record.solving.cancel()
        self.records.remove(record)
        if record is self.current:
            self.show(newest(self.records, self.fits))
        self.listed.emit()

    def clear(self) -> None:
        """Forget all runs, as another project is opened."""
        for record in tuple(self.records):
            if record.solving is not None:
                record.solving.cancel()
            record.close()
        self.records = []
        self.show(None)
        self.listed.emit()

    def _new_name(self) -> str:
        """The number after the highest one in the list."""
        pattern = re.escape(tr(_RUN_NUMBER)).replace(r"\{number\}", r"(\d+)")
        found = (re.fullmatch(pattern, record.name) for record in self.records)
        highest = max((int(match[1]) for match in found if match), default=0)
        return tr(_RUN_NUMBER, number=highest + 1)

    def running(self) -> RunRecord | None:
        """The run that is being solved."""
        return self._watched

    def stop(self, seconds: float = 5.0) -> None:
        """Cancel everything and wait for the thread, as the window closes."""
        self._watch.stop()
        if self._watched is not None and self._watched.solving is not None:
            self._watched.solving.cancel()
            self._watched.solving.wait(seconds)

    def leave(self, why: str, seconds: float = 10.0) -> None:
        """Cancel what goes on, which says why, and see it end: it is kept as any other."""
        self._watch.stop()
        record, self._watched = self._watched, None
        if record is None or record.solving is None:
            return
        record.solving.cancel(why)
        if record.solving.wait(seconds):
            self.broken_off = "" if record.fleeting else record.name
            self.ended.emit(record)

    def _next(self) -> None:
        """Begin the first that waits, if none is going on."""
        if self._watched is None:
            waiting = next((record for record in self.records if record.is_waiting), None)
            if waiting is not None and waiting.solving is not None:
                self._watched = waiting
                # what was spent before does not count against it
                self._told_at, self._spent, self._tells = 0.0, time.thread_time(), 0
                waiting.solving.start()

    def _may_tell(self) -> bool:
        """Whether it is time to say how far a run is: the dearer that was, the later."""
        now, spent = time.perf_counter(), time.thread_time()
        pause = min(max(_TELL_S, (spent - self._spent) / _SHARE), _LONGEST_S)
        if now - self._told_at < (pause if self._tells > 1 else min(pause, _FIRST_S)):
            return False
        self._told_at, self._spent = now, spent
        self._tells += 1
        return True

    def _look(self) -> None:
        """Look after the run that goes on; the solver's thread never touches the window."""
        if self._watched is not None:
            record = self._watched
            over = not record.is_running
            if over or self._may_tell():
                self.changed.emit(record)
            if over:
                self._watched = None
                self.ended.emit(record)
        self._next()
        if self._watched is None:
            self._watch.stop()


def newest(records: list[RunRecord], fits: Callable[[RunRecord], bool]) -> RunRecord | None:
    """The last of some runs that is of the model as it is; None where all are of other models."""
    return next((record for record in reversed(records) if fits(record)), None)
