"""The injury figures of a run that goes on, as far as it is: worked out in a thread, again and again."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from PySide6.QtCore import QObject, Signal

from app.jobs.task import Task
from app.pace import Pace
from app.study.record import RunRecord
from solver.injury import Assessment, assess

_AGAIN_MS = 300.0


@dataclass(frozen=True, eq=False, slots=True)
class SoFar:
    """Hold what the first part of a run gives, and how long that is (s)."""

    until_s: float
    found: Assessment


class Measuring(QObject):
    """Look at one run after the other; what comes too late is left."""

    found = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.so_far: SoFar | None = None
        self._record: RunRecord | None = None
        self._is_busy = False
        self._pace = Pace(_AGAIN_MS)

    def follow(self, record: RunRecord | None, names: Collection[str] = ()) -> None:
        """Look at this run from now on, as far as it is, for the figures of these names, or for all; none: at no run."""
        if record is not self._record:
            self._record, self.so_far = record, None
        seen = None if record is None or self._is_busy else record.seen
        if record is None or seen is None or not len(seen.time) or not self._pace.is_due():
            return
        self._is_busy, project, until_s = True, record.project, float(seen.time[-1])
        only = set(names) or None
        task = Task(lambda: SoFar(until_s, assess(seen, project, only=only)), self)
        task.done.connect(lambda so_far: self._on_done(record, so_far))
        task.failed.connect(lambda _: self._on_done(record, None))
        task.start()

    def _on_done(self, record: RunRecord, so_far: SoFar | None) -> None:
        self._is_busy = False
        # the first instants may give nothing yet
        if record is self._record and so_far is not None:
            self.so_far = so_far
            self.found.emit()
