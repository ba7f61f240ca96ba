"""What runs of a study give, as plain text and numbers: nothing that comes back from other machines is more than that."""

from __future__ import annotations

import json
import math
import struct
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.studies.rows import (
    CURVE_SAMPLES,
    LONGEST,
    STATUSES,
    Array,
    Counts,
    Layout,
    RowResult,
    Task,
)

_NUMBERS = ("curves", "residuals")
"""What a row may lack: a bit of its own says whether it is there."""
_FRONT = struct.Struct("<qq")
_KINDS = ("<i8", "<i8", "<f8")
ROW_BYTES = 2**13
"""The most bytes of a row beside its numbers."""


@dataclass(frozen=True, slots=True)
class Batch:
    """Runs that are asked for in one message: number, test and values of each."""

    number: Counts
    test: Counts
    values: Array

    def __len__(self) -> int:
        return len(self.number)

    def part(self, begin: int, end: int | None = None) -> Batch:
        """Some of them."""
        return Batch(self.number[begin:end], self.test[begin:end], self.values[begin:end])

    @classmethod
    def of(cls, tasks: Sequence[Task]) -> Batch:
        """Gather tasks of one study."""
        values = np.array([one.values for one in tasks], float).reshape(len(tasks), -1)
        return cls(
            np.array([one.number for one in tasks], "i8"), np.array([one.test for one in tasks], "i8"), values
        )  # fmt: skip

    def tasks(self) -> list[Task]:
        """Give each of them."""
        rows = zip(self.number.tolist(), self.test.tolist(), self.values.tolist(), strict=True)
        return [Task(number, tuple(values), test) for number, test, values in rows]


def asked(batch: Batch) -> bytes:
    """Write down what is asked for."""
    parts = (
        np.ascontiguousarray(v, k).tobytes()
        for v, k in zip((batch.number, batch.test, batch.values), _KINDS, strict=True)
    )
    return _FRONT.pack(*batch.values.shape) + b"".join(parts)


def batch_of(data: bytes) -> Batch:
    """Read what is asked for."""
    n, width = _FRONT.unpack_from(data)
    at, out = _FRONT.size, []
    for shape, kind in zip(((n,), (n,), (n, width)), _KINDS, strict=True):
        size = 8 * math.prod(shape)
        out.append(np.frombuffer(data[at : at + size], kind).reshape(shape))
        at += size
    return Batch(*out)


def solved(setup: tuple[bytes, str, str], data: bytes) -> bytes:
    """Solve some runs and write down what was found; this is what a worker of a cluster is asked for."""
    from solver.studies.rows import StudyError
    from solver.studies.work import Setup, work_of
    from solver.studies.worker import cleared

    found, left = list[RowResult](), _left()
    try:
        for task in batch_of(data).tasks():
            if left():
                break
            found.append(work_of(Setup(*setup)).found(task))
            cleared()
        return written(found)
    except StudyError as failure:
        return json.dumps({"refused": failure.said.english()}).encode()


def _left() -> Callable[[], bool]:
    """Give a question to ask: whether nobody waits any more for what this worker of a cluster is at."""
    there = sys.modules.get("distributed.worker")
    try:
        worker, key = there.get_worker(), there.thread_state.key  # type: ignore[union-attr]
        task = worker.state.tasks[key]
    except (AttributeError, ValueError, KeyError):
        return lambda: False
    return lambda: bool(task.state == "cancelled")


def written(found: Sequence[RowResult]) -> bytes:
    """Write rows: a line of JSON, and columns of numbers behind it."""
    n = len(found)
    has = np.array([sum(1 << k for k, name in enumerate(_NUMBERS) if getattr(one, name) is not None) for one in found], "u1")  # fmt: skip
    columns = [
        np.array([one.number for one in found], "<i8"), np.array([STATUSES.index(one.status) for one in found], "<i1"), has,
        np.array([one.seconds for one in found], "<f8"), np.array([one.outputs for one in found], "<f8"),
    ]  # fmt: skip
    columns += [
        np.array([getattr(one, name) for one in found if getattr(one, name) is not None], "<f8")
        for name in _NUMBERS
    ]
    messages = {i: one.message.encode()[:LONGEST].decode(errors="ignore") for i, one in enumerate(found) if one.message}  # fmt: skip
    record = {"rows": n, "took": sum(one.seconds for one in found), "messages": messages}
    return b"\n".join((json.dumps(record).encode(), b"".join(one.tobytes() for one in columns)))


def took(data: bytes) -> float:
    """The seconds that rows have taken, of which nobody knows yet whether they are rows; below zero where nothing says so."""
    try:
        seconds = float(json.loads(data[: data.index(b"\n")])["took"])
    except (ValueError, KeyError, TypeError, RecursionError):
        return -1.0
    return seconds if 0.0 <= seconds < math.inf else -1.0


class Unexpected(Exception):
    """Say what is wrong with what came back."""


class Refused(Exception):
    """Pass on why a worker solves nothing of this study."""


def longest(layout: Layout) -> int:
    """The most bytes that a row may have."""
    return ROW_BYTES + 8 * (len(layout.responses) + len(layout.curves) * CURVE_SAMPLES + layout.residuals)  # fmt: skip


def read(data: bytes, numbers: Sequence[int], layout: Layout) -> list[RowResult]:
    """Read what came back for some runs; raises Unexpected where these are no rows of this study, and Refused."""
    if len(data) > longest(layout) * len(numbers):
        raise Unexpected("what came back is too long")
    line, _, rest = data.partition(b"\n")
    try:
        record = json.loads(line)
        if isinstance(record, dict) and set(record) == {"refused"}:
            raise Refused(str(record["refused"])[:LONGEST])
        return _found(record, rest, numbers, layout)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Unexpected("what came back is no row") from None


def _found(
    told: dict[str, Any], rest: bytes, numbers: Sequence[int], layout: Layout
) -> list[RowResult]:
    n, at = len(numbers), 0

    def column(count: int, kind: str, *shape: int) -> Any:
        nonlocal at
        size = count * np.dtype(kind).itemsize * math.prod(shape)
        out = np.frombuffer(rest[at : at + size], kind).reshape(count, *shape).copy()
        at += size
        return out

    number, status, has = column(n, "<i8"), column(n, "<i1"), column(n, "u1")
    seconds, outputs = column(n, "<f8"), column(n, "<f8", len(layout.responses))
    shapes = {"curves": (len(layout.curves), CURVE_SAMPLES), "residuals": (layout.residuals,)}
    others: dict[str, list[Any]] = {}
    for k, name in enumerate(_NUMBERS):
        there = (has >> k) & 1
        values = iter(column(int(there.sum()), "<f8", *shapes[name]))
        others[name] = [next(values) if one else None for one in there.tolist()]
    messages = {int(i): one for i, one in told["messages"].items()}
    is_sound = (
        told["rows"] == n
        and number.tolist() == list(numbers)
        and bool(np.all((status > 0) & (status < len(STATUSES)) & (has < 1 << len(_NUMBERS))))
        and all(isinstance(one, str) and 0 <= i < n for i, one in messages.items())
        and at == len(rest)
        and bool(np.all((seconds >= 0.0) & np.isfinite(seconds)))
    )
    if not is_sound:
        raise ValueError("not what was asked for")
    return [
        RowResult(number, STATUSES[state], tuple(values), messages.get(i, ""), curves, residuals, took)
        for i, (number, state, values, took, curves, residuals) in enumerate(zip(
            numbers, status.tolist(), outputs.tolist(), seconds.tolist(), others["curves"], others["residuals"], strict=True
        ))
    ]  # fmt: skip
