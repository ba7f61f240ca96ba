"""Runs of a study again, whole, to be looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import TYPE_CHECKING

from app.features.feature import Feature
from app.jobs.task import Task
from app.study.record import RunRecord
from solver.base.words import plural, tr

if TYPE_CHECKING:
    from solver.studies import StudyResult


def show_again(
    feature: Feature,
    result: StudyResult,
    runs: Sequence[int],
    then: Callable[[Sequence[RunRecord]], object],
) -> Task:
    """Solve runs in the background, do something with them, and show the last one."""

    def show(records: Sequence[RunRecord]) -> None:
        then(records)
        feature.bench.study.switch(True)

    task = Task(partial(solved_again, result, runs), feature)
    task.done.connect(show)
    words = plural(
        "Solving run {first} again …", "Solving {n} runs again …", len(runs), first=runs[0]
    )
    feature.bench.say(words)
    task.start()
    return task


def solved_again(result: StudyResult, runs: Sequence[int]) -> list[RunRecord]:
    """Solve runs of a study again, whole; they have the same bits."""
    name = result.study.name or result.study.id
    return [
        RunRecord(
            tr("{study}, run {run}", study=name, run=run),
            result.ran(run),
            opened=result.solved(run),
        )
        for run in runs
    ]
