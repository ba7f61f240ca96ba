"""Solve many models: beside each other, or as a study."""

from __future__ import annotations

import os
import warnings
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

from manikin.model import Model, the_model
from manikin.results import Run
from manikin.running import RunFailed, run

if TYPE_CHECKING:
    from solver.studies import Band, Certificates, Progress, StudyResult


def run_many(
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
    >>> [run.status for run in mk.run_many(heavy, until=0.1)]
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


def map(
    models: Iterable[Model],
    workers: int | None = None,
    until: float | None = None,
    dense: bool = False,
) -> list[Run]:
    """`run_many`, by the name that it had before 0.2; it goes in the version after."""
    warnings.warn("manikin.map is called manikin.run_many.", DeprecationWarning, stacklevel=2)
    return run_many(models, workers, until, dense)


def study(
    model: Model,
    study: str | None = None,
    path: Path | str | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    certificates: Certificates | None = None,
    wait_s: float = 300.0,
    resume: bool = False,
    progress: Callable[[Progress], object] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> StudyResult:
    """Run a study of a model by its id, or the one that it has, in processes beside this one (docs/studies.md).

    With a `path` it is written there as it comes, and `resume` goes on with what stands there. `workers`
    is how many processes solve it, one for each core if it is not given, and with 0 this process does; `scheduler`
    is the address of a Dask cluster that does it instead, `certificates` are those for an address that begins with tls://
    (docs/trust.md), and `wait_s` is how long it may be without any worker: then the study ends with a StudyError; before that
    a warning says what is waited for. `progress` is told of each run that has come back, `cancel` is
    asked ten times a second whether to stop. Raises ProjectError with every problem of model and study.

    The table is the same to the last bit anyone who solves it, and in whatever order.

    >>> mass = mk.schema.StudyParameter(
    ...     id="mass", path="segments/lower/mass_kg", spread={"kind": "uniform", "low": 1.0, "high": 2.0}
    ... )
    >>> speed = mk.schema.ChannelResponse(
    ...     kind="channel", id="speed", quantity="segments/lower/velocity/resultant", take="last"
    ... )
    >>> model = mk.sample("double_pendulum").until(0.1)
    >>> model = model.add_study("masses", kind="grid", levels=3, parameters=[mass], responses=[speed])
    >>> found = mk.study(model, "masses", workers=0)
    >>> found
    <Study 'masses': completed, 3 of 3 runs>
    >>> found.table["mass"].tolist()
    [1.0, 1.5, 2.0]
    """
    from solver.studies import StudyError, run_study

    known = [one.id for one in the_model(model).project.studies]
    if study is None and len(known) > 1:
        raise StudyError(
            "The model has several studies. Which one: {known}?", known=", ".join(known)
        )
    return run_study(
        model.project,
        study,
        None if path is None else Path(path),
        workers=workers,
        scheduler=scheduler,
        certificates=certificates,
        wait_s=wait_s,
        resume=resume,
        watch=progress,
        cancel=cancel,
        notice=lambda what: warnings.warn(str(what), stacklevel=2),
    )


def band(
    model: Model,
    path: Path | str | None = None,
    *,
    runs: int = 64,
    seed: int = 1,
    workers: int | None = None,
    resume: bool = False,
    progress: Callable[[Progress], object] | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Band:
    """Run a model with its assumed numbers anywhere in their ranges: what that leaves open of each injury figure.

    `figures` of what comes back gives each figure from 5 to 95 % of the runs, and the number that explains most of
    it; `study` is the study behind it. Other arguments are those of `study`. Raises StudyError where the model
    marks no number as assumed, and ProjectError with every range that is wrong.
    """
    from solver.studies import run_band

    return run_band(
        the_model(model).project, None if path is None else Path(path), runs=runs, seed=seed, workers=workers, resume=resume,
        watch=progress, cancel=cancel,
    )  # fmt: skip
