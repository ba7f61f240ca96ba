"""Run bench tests one after the other in the background, and keep what came out."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from app.jobs.task import Task
from solver.studies.bench.table import BenchTest, bench_tests

if TYPE_CHECKING:
    # loaded where a test is run: it takes the solver with it
    from solver.studies.bench.running import Result


class Testing(QObject):
    """The results of all dummies, by dummy and number of the test; `progressed` when something has changed."""

    progressed = Signal()
    failed = Signal(object)
    """A test could not be run, and why."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.results: dict[tuple[str, int], Result] = {}
        self.now: tuple[str, int] | None = None
        """What runs."""
        self.done, self.of = 0, 0
        self._left: list[int] = []
        self._given = threading.Event()

    def start(self, dummy: str, tests: Sequence[int]) -> None:
        """Run some tests of a dummy; what they gave before is forgotten."""
        if self.now is not None or not tests:
            return
        for n in tests:
            self.results.pop((dummy, n), None)
        self.done, self.of = 0, len(tests)
        self._left = list(tests)
        self._given = threading.Event()
        self._next(dummy)

    def stop(self) -> None:
        """Give up what runs and what waits; what has come stays."""
        self._given.set()
        if self.now is not None:
            self.now = None
            self.progressed.emit()

    def of_dummy(self, dummy: str) -> list[Result]:
        """Give the results of a dummy in the order of its tests."""
        return [self.results[key] for key in sorted(self.results) if key[0] == dummy]

    def _next(self, dummy: str) -> None:
        if not self._left:
            self.now = None
            self.progressed.emit()
            return
        n = self._left.pop(0)
        self.now, given = (dummy, n), self._given
        task = Task(partial(_run, dummy, bench_tests(dummy)[n], given), self)
        task.done.connect(partial(self._on_done, dummy, n, given))
        task.failed.connect(partial(self._on_failed, given))
        task.start()
        self.progressed.emit()

    def _on_done(self, dummy: str, n: int, given: threading.Event, result: Result) -> None:
        if given.is_set():
            return
        self.results[dummy, n] = result
        self.done += 1
        self._next(dummy)

    def _on_failed(self, given: threading.Event, failure: Exception) -> None:
        if given.is_set():
            return
        self.stop()
        self.failed.emit(failure)


def _run(dummy: str, test: BenchTest, given: threading.Event) -> Result:
    from solver.studies.bench.running import run_test

    return run_test(dummy, test, cancel=given.is_set)
