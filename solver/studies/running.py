"""Run a study from its checks to its answers."""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

from solver.project.document import Project
from solver.project.studies import FitStudy, OptimumStudy, Study
from solver.running.simulation import Simulation
from solver.studies.answers import answers_of
from solver.studies.cluster import Certificates, Cluster
from solver.studies.drawing import design, present
from solver.studies.errors import StudyError
from solver.studies.evaluate import Cancel, Evaluator, Watch, taken_over
from solver.studies.file import Head, Stored, StudyWriter, head_of, read_study
from solver.studies.machines import Here, Machines, Stopped, Within
from solver.studies.prepare import prepared, study_of
from solver.studies.result import StudyResult
from solver.studies.rows import Layout, Rows
from solver.studies.work import Setup, work_of


def run_study(
    project: Project,
    study: str | None = None,
    path: Path | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    certificates: Certificates | None = None,
    resume: bool = False,
    watch: Watch | None = None,
    cancel: Cancel | None = None,
) -> StudyResult:
    """Run a study of a project, by its id; the first if none is named.

    With a `path` it is written there as it comes. `workers` is how many processes of this machine solve
    it, one for each core if it is not given, 0 for this process itself; `scheduler` is the address of a Dask cluster instead, `certificates` those for an address that begins with tls://. With
    `resume` what stands in the file is not run again. `watch` is told of every row, `cancel` is asked ten
    times a second. Raises ProjectError with every problem where project or study cannot be run.
    """
    asked = study_of(project, study)
    setup, layout = prepared(project, asked)
    head = head_of(setup, project, asked, layout)

    def solved(rows: Rows, writer: StudyWriter | None) -> StudyResult:
        most = asked.most_runs if isinstance(asked, FitStudy | OptimumStudy) else None
        solvers = partial(machines, setup, layout, workers, scheduler, certificates, cancel)
        evaluator = Evaluator(rows, solvers, writer, watch, cancel, most)
        state, more = "completed", dict[str, Any]()
        try:
            more = _all(project, asked, evaluator)
        except Stopped:
            state = "cancelled"
        except KeyboardInterrupt:
            _seal(writer, rows, "cancelled", {})
            raise
        finally:
            evaluator.close()
        answers = answers_of(asked, layout, rows) | more
        _seal(writer, rows, state, answers)
        return StudyResult(Stored(head, rows, state, answers), path)

    if path is None:
        if resume:
            raise StudyError("Only a study with a file can be gone on with.")
        return solved(_rows(project, asked, layout, None), None)
    with StudyWriter(path) as writer:
        old = _before(path, head, asked, resume)
        rows = _rows(project, asked, layout, old)
        writer.begin(head, rows, stays=old is not None)
        return solved(rows, writer)


def _rows(project: Project, study: Study, layout: Layout, old: Stored | None) -> Rows:
    """Give the rows of a study, as far as they are known, with what there is of them."""
    if isinstance(study, FitStudy | OptimumStudy):
        if old is None:
            return Rows(layout)
        if old.head.layout != layout:
            raise StudyError("The study has other columns than the file; give another name.")
        return old.rows
    rows = Rows(layout)
    rows.add(design(project, study))
    if old is not None:
        taken_over(rows, old.rows, present(project, study), present(project, _study_of(old)))
    return rows


def _seal(writer: StudyWriter | None, rows: Rows, state: str, answers: dict[str, Any]) -> None:
    if writer is not None:
        writer.seal(rows, state, answers)


def _all(project: Project, study: Study, evaluator: Evaluator) -> dict[str, Any]:
    """Run everything; give the answers that a search alone knows."""
    match study:
        case FitStudy():
            from solver.studies.fitting import fitted

            return {"fit": fitted(project, study, evaluator)}
        case OptimumStudy():
            from solver.studies.optimum import found_optimum

            return {"optimum": found_optimum(project, study, evaluator)}
        case _:
            evaluator.solve(evaluator.waiting())
            return {}


def _before(path: Path, head: Head, study: Study, resume: bool) -> Stored | None:
    """Read what a study goes on with; refuse what it cannot."""
    if not path.exists():
        return None
    if not resume:
        raise StudyError(
            "'{path}' is there already: go on with it by --resume, or give another name.", path=path
        )
    old = read_study(path)
    if old.head.project_sha256 != head.project_sha256:
        raise StudyError("'{path}' is of another model; give another name.", path=path)
    if _asks(_study_of(old)) != _asks(study):
        raise StudyError("'{path}' asks for other things; give another name.", path=path)
    return old


def _study_of(old: Stored) -> Study:
    return next(one for one in old.project.studies if one.id == old.head.study)


def _asks(study: Study) -> dict[str, Any]:
    """Give all of a study by which its rows are what they are, beside its parameters."""
    data = study.model_dump(
        mode="json", include={"run", "following", "responses", "curves", "tests"}
    )
    for one in data["responses"]:
        # goals and limits judge a row, but do not change it
        for name in ("goal", "at_least", "at_most"):
            one.pop(name)
    return data


def machines(
    setup: Setup,
    layout: Layout,
    workers: int | None,
    scheduler: str | None,
    certificates: Certificates | None = None,
    cancel: Callable[[], bool] | None = None,
) -> Machines:
    """Give whoever solves the runs."""
    if scheduler is not None:
        return Cluster(setup, scheduler, layout, certificates)
    if workers == 0:
        return Within(setup)
    # compiled once, by one, before several ask for it
    Simulation(*work_of(setup).shown(0)).begin(cancel)
    return Here(setup, workers or os.cpu_count() or 1)
