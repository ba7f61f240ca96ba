"""Solve many models."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import ThreadPoolExecutor

from manikin.model import Model
from manikin.results import Run
from manikin.running import RunFailed, run


def map(
    models: Iterable[Model],
    workers: int | None = None,
    until: float | None = None,
    dense: bool = False,
) -> list[Run]:
    """Solve models beside each other and give their runs in the same order.

    `workers` is how many are solved at a time, in threads of this program: one for each core if it is not
    given. All models are checked first; raises ProjectError where one has errors. A run that cannot go
    on is among the runs all the same, with its `status` and what was found until then.

    >>> model = mk.sample("double_pendulum")
    >>> heavy = [model.with_value("segments/lower/mass_kg", mass) for mass in (1.0, 2.0)]
    >>> [run.status for run in mk.map(heavy, until=0.1)]
    ['completed', 'completed']
    """
    wanted = [model if until is None else model.until(until) for model in models]
    for model in wanted:
        model.checked()

    def solve(model: Model) -> Run:
        try:
            return run(model, dense=dense)
        except RunFailed as failed:
            return failed.run

    with ThreadPoolExecutor(workers or os.cpu_count() or 1) as pool:
        return list(pool.map(solve, wanted))
