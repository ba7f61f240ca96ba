"""Run what a study asks for: rows in the order in which they are asked for, whoever solves them."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from solver.studies.file import StudyWriter
from solver.studies.machines import Machines
from solver.studies.rows import Found, Phase, Rows, Task


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


class Evaluator:
    """Give rows for numbers of the parameters; what the table has already is not run again."""

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
            if self._writer is not None:
                self._writer.add(self.rows)
        waiting = [i for i in dict.fromkeys(numbers) if self.rows.status[i] == 0]
        self.solve([self._task(i) for i in waiting])
        return numbers

    def has(self, values: Sequence[float], test: int) -> bool:
        """Tell whether a run has come back already."""
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
        """Give all rows that wait."""
        return [self._task(i) for i in range(len(self.rows)) if self.rows.status[i] == 0]

    def put(self, found: Found) -> None:
        """Take what was found."""
        self.rows.put(found)
        if self._writer is not None:
            self._writer.put(found, self.rows)

    def _tell(self) -> None:
        if self._watch is None:
            return
        status = self.rows.status
        done = int((status > 0).sum())
        of = max(len(status), self._most or 0)
        took = time.monotonic() - self._begin
        left = took / self._solved * (of - done) if self._solved else None
        self._watch(Progress(done, of, int((status == 3).sum()), left, self.rows))

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
