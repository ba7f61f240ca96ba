"""Runs on a Dask cluster, by the address of its scheduler. It must hold this version of Manikin."""

from __future__ import annotations

import contextlib
import queue
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from solver.studies.errors import StudyError
from solver.studies.machines import WATCH_S, Stopped, lost
from solver.studies.rows import Found, Task
from solver.studies.work import Setup, work_of
from solver.studies.worker import cleared
from solver.words import Sentence

CONNECT_S = 10.0
AHEAD = 4
"""Runs that wait at each worker, so that none is idle; more would only make cancelling slower."""

GONE = ("cancelled", "lost")
"""States of what the cluster has lost."""
AGAIN = 5
"""How often a run is asked for again after that."""


def found_of(setup: Setup, task: Task) -> Found:
    """Solve one run; this is what a worker of the cluster is asked for."""
    try:
        return work_of(setup).found(task)
    finally:
        cleared()


class Cluster:
    """Solve runs on a Dask cluster."""

    def __init__(self, setup: Setup, address: str) -> None:
        try:
            from distributed import Client
        except ImportError:
            raise StudyError(
                "A cluster needs the package 'distributed': pip install manikin[cluster]."
            ) from None
        try:
            self._client = Client(address, timeout=CONNECT_S, set_as_default=False)
        except (OSError, TimeoutError, ValueError) as failure:
            raise StudyError(
                "No scheduler answers at '{address}': {failure}", address=address, failure=failure
            ) from None
        self._given = setup
        self._setup: Any = None
        self._give()

    def _give(self) -> None:
        """Give every worker what all runs share; it is gone if all that had it have died."""
        self._setup = self._client.scatter(self._given, broadcast=True, hash=False)

    def solve(
        self, tasks: Sequence[Task], responses: int, cancel: Callable[[], bool] | None
    ) -> Iterator[Found]:
        """Solve tasks; a worker that dies costs its runs, which others do again."""
        todo, running = list(reversed(tasks)), dict[Any, Task]()
        again = dict[int, int]()
        heard: queue.SimpleQueue[Any] = queue.SimpleQueue()
        try:
            while todo or running:
                room = AHEAD * max(1, sum(self._client.nthreads().values()))
                while todo and len(running) < room:
                    task = todo.pop()
                    made = self._client.submit(
                        found_of, self._setup, task, pure=False, retries=0, priority=-task.number
                    )
                    running[made] = task
                    made.add_done_callback(heard.put)
                if cancel is not None and cancel():
                    raise Stopped
                try:
                    one = heard.get(timeout=WATCH_S)
                except queue.Empty:
                    continue
                task = running.pop(one)
                if one.status in GONE and again.setdefault(task.number, 0) < AGAIN:
                    # what it needed died with a worker
                    again[task.number] += 1
                    if self._setup.status in GONE:
                        self._give()
                    todo.append(task)
                    continue
                yield _result(one, task, responses)
        finally:
            with contextlib.suppress(Exception):  # the scheduler may be gone
                self._client.cancel(list(running), force=True)

    def close(self) -> None:
        """Leave the cluster; it goes on without us."""
        self._client.close(timeout=1.0)


def _result(made: Any, task: Task, responses: int) -> Found:
    from distributed.scheduler import KilledWorker

    failure = made.exception() if made.status not in GONE else None
    if made.status == "finished":
        found: Found = made.result()
        return found
    if isinstance(failure, KilledWorker) or failure is None:
        return lost(task, responses, Sentence("The workers of the cluster died in this run."))
    if isinstance(failure, StudyError):
        raise failure
    why = Sentence("The cluster did not solve this run: {failure}", failure=str(failure)[:200])
    return lost(task, responses, why)
