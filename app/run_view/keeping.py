"""Keep the runs of the open project on the disk, and bring them back with it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from pathlib import Path

from PySide6.QtCore import QObject, Signal

from app.document import Document
from app.jobs.task import Task
from app.jobs.turns import Turns
from app.run_view.record import Age, Catalogue, RunRecord
from app.run_view.run_store import RunStore, drop
from app.run_view.runs import Runs, newest
from solver.base.words import msgid, tr
from solver.project import Project
from solver.results import ResultsError

_NOT_KEPT = msgid(
    "The run could not be kept: {why} It is there until you close the window; save it elsewhere "
    "if you need it later."
)
_NOT_READ = msgid("Earlier runs of this project could not be read: {why}")


class Keeping(QObject):
    """Write every run that ends, in a thread of its own; `said` tells where that fails.

    Runs of a project that has no file yet are kept as those of a draft: they come back with its
    recovery, move when it is saved, and go with it when it is given up.
    """

    said = Signal(str)
    loaded = Signal()
    reading = Signal(bool)
    """Runs of the opened project are being read; or no longer."""

    def __init__(
        self,
        document: Document,
        runs: Runs,
        catalogue: Catalogue,
        turns: Turns,
        parent: QObject | None = None,
    ) -> None:
        super().__init__(parent)
        self._document, self._runs, self._catalogue, self._turns = document, runs, catalogue, turns
        self._path: Path | None = None
        self._shelf: RunStore | None = None
        self._is_draft = False
        self._removed: list[RunRecord] = []
        self._loads = 0
        self._pool = ThreadPoolExecutor(1, thread_name_prefix="keeping")
        document.opened.connect(self._on_opened)
        document.named.connect(self._on_named)
        runs.ended.connect(self._keep)
        runs.relabelled.connect(self._relabel)

    def delete(self, records: Sequence[RunRecord]) -> Callable[[], None]:
        """Take runs from the list and the disk; gives what brings them back until the window closes."""
        places = [(self._runs.records.index(record), record) for record in records]
        for record in records:
            self._runs.remove(record)
            self._removed.append(record)
            self._mark(record, removed=True)

        def put_back() -> None:
            back = [(place, record) for place, record in places if record in self._removed]
            for _, record in back:
                self._removed.remove(record)
                self._mark(record, removed=False)
            self._runs.put_back(back)

        return put_back

    def close(self, *, gives_up: bool = True) -> None:
        """Finish what is being written, delete what nobody wants back, and close all files.

        A project that has no file is given up with its runs, unless it is kept for the next start.
        """
        self._loads += 1
        self._forget_removed()
        self._pool.shutdown(wait=True)
        for record in self._runs.records:
            record.close()
        if gives_up and self._is_draft and self._shelf is not None:
            self._shelf.clear()

    def wait(self) -> None:
        """Wait until all is written."""
        self._pool.submit(lambda: None).result()

    def _on_opened(self) -> None:
        self._forget_removed()
        before = self._shelf
        if before is not None and self._is_draft:
            self._do(lambda: before.clear())
        document = self._document
        self._path, self._is_draft = document.path, document.path is None
        self._shelf = (
            RunStore.of_draft(document.draft) if self._path is None else RunStore(self._path)
        )
        self._loads += 1
        shelf, load = self._shelf, self._loads
        self.reading.emit(shelf.has_runs)
        # behind what is still to be written or deleted
        task = Task(
            self._pool.submit(_ready, shelf, self._catalogue, document.project).result, self
        )
        task.done.connect(lambda records: self._on_loaded(records, load))
        task.failed.connect(lambda failure: self._on_not_read(failure, load))
        task.start()

    def _on_loaded(self, records: list[RunRecord], load: int) -> None:
        if load != self._loads:
            for record in records:
                record.close()
            return
        # the scene first: lists that follow the run come after it
        self._turns.add(lambda: self._tell(load))
        if records:
            self._runs.add_kept(records)

    def _on_not_read(self, failure: object, load: int) -> None:
        if load == self._loads:
            self.reading.emit(False)
        self.said.emit(tr(_NOT_READ, why=failure))

    def _tell(self, load: int) -> None:
        if load == self._loads:
            self.reading.emit(False)
            self.loaded.emit()

    def _on_named(self) -> None:
        """After the first save, or one under another name, the runs stand there too."""
        path = self._document.path
        if path is None or path == self._path:
            return
        before = self._shelf if self._is_draft else None
        self._path, self._shelf, self._is_draft = path, RunStore(path), False
        records = tuple(self._runs.records)
        for record in records:
            self._keep(record)
        if before is not None:
            self._do(lambda: before.clear([r.kept for r in records if r.kept is not None]))

    def _keep(self, record: RunRecord) -> None:
        is_own = record.file is None and not record.fleeting
        if is_own and record.has_ended and record in self._runs.records and self._shelf is not None:
            shelf = self._shelf
            self._document.draft_has_runs = self._is_draft
            self._do(lambda: shelf.keep(record))

    def _relabel(self, record: RunRecord) -> None:
        if record.kept is None:
            self._keep(record)
        else:
            self._mark(record, removed=False)

    def _mark(self, record: RunRecord, *, removed: bool) -> None:
        shelf = self._shelf
        if shelf is not None:
            self._do(lambda: shelf.label(record, removed=removed))

    def _do(self, work: Callable[[], None]) -> None:
        self._pool.submit(work).add_done_callback(self._on_done)

    def _on_done(self, future: Future[None]) -> None:
        """Note a failure, in the pool's thread; signals between threads are queued."""
        failure = future.exception()
        if isinstance(failure, ResultsError):
            self.said.emit(tr(_NOT_KEPT, why=failure))
        elif failure is not None:
            self.said.emit(tr(_NOT_KEPT, why=f"{type(failure).__name__}: {failure}"))

    def _forget_removed(self) -> None:
        for record in self._removed:
            record.close()
            self._pool.submit(_drop, record)
        self._removed = []


def _drop(record: RunRecord) -> None:
    """Delete what is kept of a run; it may have been written only just now."""
    if record.kept is not None:
        drop(record.kept)


def _ready(shelf: RunStore, catalogue: Catalogue, project: Project) -> list[RunRecord]:
    """Read what is kept, and look through the run that is shown first: the window would wait for it a second."""
    records, age = shelf.records(), Age()
    first = newest(records, lambda record: not age.is_outdated(record, project))
    if first is not None:
        first.assess()
        catalogue.look_through(first)
    return records
