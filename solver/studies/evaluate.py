"""Run what a study asks for: rows in the order in which they are asked for, anyone who solves them."""

from __future__ import annotations

import contextlib
import os
import queue
import subprocess
import sys
import threading
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np

from solver.base.words import Sentence
from solver.studies import worker
from solver.studies.file import StudyWriter
from solver.studies.rows import STATUSES, Phase, RowResult, Rows, StudyError, Task
from solver.studies.work import Setup, work_of

# Where runs are solved: worker processes on this machine. A worker that dies costs its run only.

WATCH_S = 0.1
"""How often it is asked whether to stop."""
BATCH_S, MOST = 0.5, 1000
"""Seconds that runs take which a worker is given at once, and how many these are at most."""
TRIES = 2
"""Times that a run is begun: a worker may die for reasons that are not the run's."""
ONE_THREAD = (
    "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS",
)  # fmt: skip
"""Workers share the cores: each takes one."""


class Stopped(Exception):
    """Say that somebody has stopped the study."""


class Machines(Protocol):
    """Solve tasks somewhere, and give what was found as it comes, in any order."""

    def solve(
        self, tasks: Sequence[Task], responses: int, cancel: Callable[[], bool] | None
    ) -> Iterator[RowResult]:
        """Solve tasks; raises Stopped once `cancel` says so."""

    def close(self) -> None:
        """Let all workers go."""


def lost(task: Task, responses: int, why: Sentence) -> RowResult:
    """The row of a run whose worker died."""
    return RowResult(task.number, "failed", (float(np.nan),) * responses, why.english())


class Within:
    """Solve runs in this process, one after the other: nothing has to be started for a few small ones."""

    def __init__(self, setup: Setup) -> None:
        self._work = work_of(setup)

    def solve(
        self, tasks: Sequence[Task], responses: int, cancel: Callable[[], bool] | None
    ) -> Iterator[RowResult]:
        """Solve tasks; the run that is stopped in its middle has no row."""
        for task in tasks:
            # somebody may always press Ctrl+C here
            found = self._work.found(task, cancel or _never)
            if cancel is not None and cancel():
                raise Stopped
            yield found

    def close(self) -> None:
        """Leave nothing behind."""


def _never() -> bool:
    return False


def beginning(module: str) -> subprocess.Popen[bytes]:
    """Begin a process that runs a module of this program and is spoken to through pipes."""
    depth = worker.__name__.count(".") + 1
    root = Path(worker.__file__).resolve().parents[depth - 1]
    there = os.environ.get("PYTHONPATH", "")
    path = os.pathsep.join([str(root), *([there] if there else [])])
    environment = os.environ | dict.fromkeys(ONE_THREAD, "1") | {"PYTHONPATH": path, "MANIKIN_LANGUAGE": ""}  # fmt: skip
    return subprocess.Popen(
        [sys.executable, "-m", module],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        env=environment,
    )


class _Worker:
    """One process, and a thread that listens to it."""

    def __init__(self, heard: queue.SimpleQueue[tuple[_Worker, Any]]) -> None:
        self.tasks: dict[int, Task] = {}
        self.is_ready = False
        self.process = beginning(worker.__name__)
        self._heard, self._is_told = heard, False

    def tell(self, setup: Setup) -> None:
        """Say, once, what the study is."""
        if not self._is_told:
            self._is_told = True
            threading.Thread(target=self._listen, args=(setup,), daemon=True).start()

    def _send(self, message: Any) -> None:
        # a worker that is gone is told by the thread that listens
        with contextlib.suppress(OSError):
            assert self.process.stdin is not None
            worker.send(self.process.stdin, message)

    def _listen(self, setup: Setup) -> None:
        assert self.process.stdout is not None
        # it may be longer than the pipe holds, and is not read before the worker has begun
        self._send(setup)
        with contextlib.suppress(EOFError, OSError):
            while True:
                self._heard.put((self, worker.receive(self.process.stdout)))
        self._heard.put((self, None))

    def begin(self, tasks: Sequence[Task]) -> None:
        """Give it some runs."""
        self.tasks = {one.number: one for one in tasks}
        self._send(list(tasks))

    def end(self) -> None:
        """End it at once."""
        self.process.kill()
        self.process.wait()
        for stream in (self.process.stdin, self.process.stdout):
            if stream is not None:
                with contextlib.suppress(OSError):
                    stream.close()


class Here:
    """Solve runs in processes on this machine; they stay from batch to batch."""

    def __init__(self, workers: int, at_once: int = 0) -> None:
        """Begin some of them at once: they get ready while the study is looked at."""
        self._setup: Setup | None = None
        self._wanted = max(1, workers)
        self._heard: queue.SimpleQueue[tuple[_Worker, Any]] = queue.SimpleQueue()
        self._workers = [_Worker(self._heard) for _ in range(min(self._wanted, at_once))]

    def of(self, setup: Setup) -> Here:
        """Let them work on a study."""
        self._setup = setup
        return self

    def solve(
        self, tasks: Sequence[Task], responses: int, cancel: Callable[[], bool] | None
    ) -> Iterator[RowResult]:
        """Solve tasks; a run whose worker dies is begun once more, by another one.

        Of several that a worker had, each is given alone from then on.
        """
        waiting, alone, tries = deque(tasks), deque[Task](), dict[int, int]()
        left, dead, each = len(tasks), 0, -1.0
        while left:
            wanted = min(self._wanted, left)
            while len(self._workers) < wanted:
                self._workers.append(_Worker(self._heard))
            for one in self._workers:
                assert self._setup is not None
                one.tell(self._setup)
                if not one.is_ready or one.tasks:
                    continue
                if alone:
                    one.begin([alone.popleft()])
                elif waiting:
                    count = _share(each, len(waiting), wanted)
                    one.begin([waiting.popleft() for _ in range(count)])
            if cancel is not None and cancel():
                raise Stopped
            try:
                who, message = self._heard.get(timeout=WATCH_S)
            except queue.Empty:
                continue
            if who not in self._workers:
                continue
            if message == "ready":
                who.is_ready = True
                continue
            if isinstance(message, list):
                for found in message:
                    del who.tasks[found.number]
                    each = found.seconds if each < 0.0 else 0.5 * (each + found.seconds)
                left -= len(message)
                yield from message
                continue
            # it is gone
            self._workers.remove(who)
            who.end()
            if not who.tasks:
                dead += 1
                if dead > TRIES * self._wanted:
                    raise StudyError("Workers end before they have begun: nothing can be run here.")
                continue
            if len(who.tasks) > 1:
                alone.extend(who.tasks.values())
                continue
            (task,) = who.tasks.values()
            tries[task.number] = tries.get(task.number, 0) + 1
            if tries[task.number] < TRIES:
                alone.append(task)
                continue
            left -= 1
            yield lost(task, responses, _exit_reason(who.process.returncode))

    @property
    def processes(self) -> list[int]:
        """The ids of the processes."""
        return [one.process.pid for one in self._workers]

    def close(self) -> None:
        """End all workers."""
        for one in self._workers:
            one.end()
        self._workers = []


def _share(each: float, left: int, workers: int) -> int:
    """How many runs a worker is given at once: none waits long for its neighbours, and all workers end together."""
    if each < 0.0:
        return 1
    return max(1, min(int(BATCH_S / max(each, 1e-6)), left // (2 * workers), MOST))


def _exit_reason(code: int | None) -> Sentence:
    if code is not None and code < 0:
        return Sentence("The worker was ended in this run, twice (signal {code}).", code=-code)
    return Sentence("The worker ended in this run, twice (exit code {code}).", code=code)


@dataclass(frozen=True, slots=True)
class Progress:
    """Say how far a study has come."""

    done: int
    of: int
    """Runs in all; of a fit or an optimum the most that there may be."""
    failed: int
    seconds_left: float | None
    rows: Rows
    """The table as it stands; it grows, and nobody but the study may change it."""


Watch = Callable[[Progress], object]
Cancel = Callable[[], bool]
Notice = Callable[[Sentence], object]
"""Told what a study waits for."""


class Evaluator:
    """Rows for numbers of the parameters; what the table has already is not run again."""

    def __init__(
        self,
        rows: Rows,
        machines: Callable[[], Machines],
        writer: StudyWriter | None,
        watch: Watch | None = None,
        cancel: Cancel | None = None,
        most: int | None = None,
    ) -> None:
        self.rows, self._writer = rows, writer
        self._machines, self._made = machines, list[Machines]()
        self._watch, self._cancel, self._most = watch, cancel, most
        self._begin, self._solved = time.monotonic(), 0
        self._numbers = {_key(rows, i): i for i in range(len(rows))}
        # counted once: a look at all rows for each that comes would be most of a large study's time
        self._count = np.bincount(rows.status, minlength=len(STATUSES))

    def batch(self, asked: Sequence[tuple[Sequence[float], int]], phase: Phase) -> list[int]:
        """Run numbers of parameters in tests, and give the number of the row of each."""
        numbers, new = list[int](), list[Task]()
        for values, test in asked:
            key = (tuple(float(v) for v in values), test)
            if key not in self._numbers:
                self._numbers[key] = len(self.rows) + len(new)
                new.append(Task(self._numbers[key], key[0], test, phase))
            numbers.append(self._numbers[key])
        if new:
            self.rows.add(new)
            self._count[0] += len(new)
            if self._writer is not None:
                self._writer.add(self.rows)
        waiting = [i for i in dict.fromkeys(numbers) if self.rows.status[i] == 0]
        self.solve([self._task(i) for i in waiting])
        return numbers

    def has(self, values: Sequence[float], test: int) -> bool:
        """Whether a run has come back already."""
        number = self._numbers.get((tuple(float(v) for v in values), test))
        return number is not None and bool(self.rows.status[number] > 0)

    def _task(self, i: int) -> Task:
        rows = self.rows
        return Task(i, tuple(rows.inputs[i].tolist()), int(rows.test[i]))

    def solve(self, tasks: Sequence[Task]) -> None:
        """Run rows that wait; raises Stopped where somebody stops it."""
        self._tell()
        if not tasks:
            return
        if not self._made:
            self._made.append(self._machines())
        for found in self._made[0].solve(tasks, len(self.rows.layout.responses), self._cancel):
            self.put(found)
            self._solved += 1
            self._tell()

    def waiting(self) -> list[Task]:
        """All rows that wait."""
        return [self._task(i) for i in range(len(self.rows)) if self.rows.status[i] == 0]

    def put(self, found: RowResult) -> None:
        """Take what was found."""
        self._count[self.rows.status[found.number]] -= 1
        self.rows.put(found)
        self._count[self.rows.status[found.number]] += 1
        if self._writer is not None:
            self._writer.put(found, self.rows)

    def take(
        self, values: Sequence[float], outputs: tuple[float, ...], why: str, seconds: float
    ) -> None:
        """Take a row that nothing has to be solved for."""
        number = len(self.rows)
        self.rows.add([Task(number, tuple(values), phase="search")])
        self._count[0] += 1
        if self._writer is not None:
            self._writer.add(self.rows)
        self.put(RowResult(number, "partly" if why else "done", outputs, why, seconds=seconds))
        self._solved += 1
        self._tell()

    def is_cancelled(self) -> bool:
        """Whether somebody has stopped it."""
        return self._cancel is not None and self._cancel()

    def _tell(self) -> None:
        if self._watch is None:
            return
        done = int(self._count[1:].sum())
        of = max(len(self.rows), self._most or 0)
        took = time.monotonic() - self._begin
        left = took / self._solved * (of - done) if self._solved else None
        self._watch(Progress(done, of, int(self._count[STATUSES.index("failed")]), left, self.rows))

    def close(self) -> None:
        """Let the workers go."""
        for one in self._made:
            one.close()


def _key(rows: Rows, i: int) -> tuple[tuple[float, ...], int]:
    return tuple(rows.inputs[i].tolist()), int(rows.test[i])


def taken_over(rows: Rows, old: Rows, base: Sequence[float], old_base: Sequence[float]) -> None:
    """Fill rows with those of another table that are the same run: numbers that stand as in the project count as untouched."""
    known = dict[object, int]()
    for i in range(len(old)):
        if old.status[i] > 0:
            known.setdefault(_changes(old, i, old_base), i)
    for i in range(len(rows)):
        j = known.get(_changes(rows, i, base))
        if j is not None and rows.status[i] == 0:
            rows.put(replace(old.found(j), number=i))


def _changes(rows: Rows, i: int, base: Sequence[float]) -> tuple[object, int]:
    values = zip(rows.layout.paths, rows.inputs[i].tolist(), base, strict=True)
    changed = frozenset((path.strip("/"), v) for path, v, usual in values if v != usual)
    return changed, int(rows.test[i])
