"""What a run of a study gives, as plain text and numbers: nothing that comes back from other machines is more than that."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np

from solver.studies.rows import CURVE_SAMPLES, LONGEST, STATUSES, Layout, RowResult, Task

_NUMBERS = ("outputs", "curves", "residuals")


def solved(setup: tuple[bytes, str, str], task: tuple[int, tuple[float, ...], int, str]) -> bytes:
    """Solve one run and write down what was found; this is what a worker of a cluster is asked for."""
    from solver.studies.rows import StudyError
    from solver.studies.work import Setup, work_of
    from solver.studies.worker import cleared

    number, values, test, phase = task
    try:
        return written(work_of(Setup(*setup)).found(Task(number, values, test, phase)))  # type: ignore[arg-type]
    except StudyError as failure:
        return json.dumps({"refused": failure.said.english()}).encode()
    finally:
        cleared()


def written(found: RowResult) -> bytes:
    """Write a row as a line of JSON, and numbers behind it."""
    arrays = {name: getattr(found, name) for name in _NUMBERS}
    data = {name: np.ascontiguousarray(v, "<f8") for name, v in arrays.items() if v is not None}
    record = {
        "number": found.number, "status": found.status, "message": found.message, "seconds": found.seconds,
        "numbers": list(data),
    }  # fmt: skip
    return b"\n".join((json.dumps(record).encode(), b"".join(v.tobytes() for v in data.values())))


class Unexpected(Exception):
    """Say what is wrong with what came back."""


class Refused(Exception):
    """Pass on why a worker solves nothing of this study."""


def longest(layout: Layout) -> int:
    """The most bytes that a row may have."""
    return 2**16 + 8 * (len(layout.responses) + len(layout.curves) * CURVE_SAMPLES + layout.residuals)  # fmt: skip


def read(data: bytes, task: Task, layout: Layout) -> RowResult:
    """Read what came back for a task; raises Unexpected where it is no row of this study, and Refused."""
    if len(data) > longest(layout):
        raise Unexpected("what came back is too long")
    line, _, rest = data.partition(b"\n")
    try:
        record = json.loads(line)
        if isinstance(record, dict) and set(record) == {"refused"}:
            raise Refused(str(record["refused"])[:LONGEST])
        return _found(record, rest, task, layout)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        raise Unexpected("what came back is no row") from None


def _found(told: dict[str, Any], rest: bytes, task: Task, layout: Layout) -> RowResult:
    shapes = {
        "outputs": (len(layout.responses),),
        "curves": (len(layout.curves), CURVE_SAMPLES),
        "residuals": (layout.residuals,),
    }
    numbers, at = dict[str, Any](), 0
    for name in told["numbers"]:
        size = 8 * math.prod(shapes[name])
        numbers[name] = np.frombuffer(rest[at : at + size], "<f8").reshape(shapes[name]).copy()
        at += size
    seconds = float(told["seconds"])
    is_sound = (
        told["number"] == task.number
        and told["status"] in STATUSES[1:]
        and isinstance(told["message"], str)
        and at == len(rest)
        and 0.0 <= seconds < math.inf
    )
    if not is_sound:
        raise ValueError("not what was asked for")
    return RowResult(
        task.number, told["status"], tuple(numbers["outputs"].tolist()), told["message"],
        numbers.get("curves"), numbers.get("residuals"), seconds,
    )  # fmt: skip
