"""Bench tests of dummies, and their certificates."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from manikin.model import Model
from solver.bodies import Body, library_body
from solver.studies.bench.fixtures import scene
from solver.studies.bench.running import Result as BenchResult
from solver.studies.bench.running import run_test
from solver.studies.bench.table import BenchError
from solver.studies.bench.table import bench_test as test_of
from solver.studies.bench.table import bench_tests as tests_of

if TYPE_CHECKING:
    from solver.report import Report
    from solver.report.content import Table


def bench_tests(dummy: str) -> tuple[str, ...]:
    """Name the bench tests that a dummy has (docs/dummies.md).

    >>> mk.bench_tests("hybrid_iii_50m")[:3]
    ('head_drop', 'neck_flexion', 'neck_extension')
    """
    return tuple(one.kind for one in tests_of(dummy))


def bench(
    dummy: str,
    *tests: str,
    body: Body | None = None,
    progress: Callable[[float], object] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> tuple[BenchResult, ...]:
    """Run bench tests of a dummy, all that it has if none are named, and say whether each figure lies in its corridor.

    With a `body` that one is tested as the dummy is. Raises BenchError for a test that there is not.

    >>> result = mk.bench("hybrid_iii_50m", "head_drop")[0]
    >>> result.passed, [one.asked.unit for one in result.verdicts]
    (True, ['g', '%', 'g'])
    """
    chosen = [test_of(dummy, kind) for kind in tests or bench_tests(dummy)]
    found = []
    for n, test in enumerate(chosen, start=1):
        found.append(run_test(dummy, test, body, cancel))
        if progress is not None:
            progress(n / len(chosen))
    return tuple(found)


def bench_scene(dummy: str, test: str) -> Model:
    """Give the model in which a bench test is run.

    >>> mk.bench_scene("hybrid_iii_50m", "head_drop").project.segments[0].id
    'head'
    """
    return Model(scene(test_of(dummy, test), library_body(dummy)))


def bench_margins(dummy: str) -> tuple[Table, ...]:
    """Say what a dummy's fit leaves open: how far its numbers may move, and what else passes; tables of `title`, `heads`, `rows`, `notes`.

    >>> len(mk.bench_margins("hybrid_iii_50m")) > 0
    True
    """
    from solver.report.bench import left_open

    return tuple(left_open(dummy))


def certificate(dummy: str, results: Sequence[BenchResult]) -> Report:
    """Write up the results of a dummy's bench tests: verdicts, corridors, curves; `save` of it writes HTML or PDF."""
    from solver.report.bench import certificate as written

    return written(dummy, results)


__all__ = ["BenchError", "BenchResult", "bench", "bench_margins", "bench_scene", "bench_tests", "certificate"]  # fmt: skip
