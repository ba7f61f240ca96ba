"""Run a study from its checks to its answers."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

from solver.base.words import Sentence
from solver.bodies.dummies import masses
from solver.engine.signals import WEIGHTINGS
from solver.injury import figure_units
from solver.injury.assess import response_unit, unit_felt, unit_of
from solver.project.changes import value_at
from solver.project.checks import check
from solver.project.checks.ids import offer
from solver.project.checks.studies import problems_of_study
from solver.project.document import Project
from solver.project.fields import Part
from solver.project.problems import Problem, ProjectError, error
from solver.project.studies import FitStudy, OptimumStudy, Study, SynthesisStudy
from solver.project.study_parts import (
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    MissResponse,
    RatingResponse,
    Response,
    RideResponse,
)
from solver.results.layout import ResultsError
from solver.results.quantities import Quantities
from solver.running.simulation import Simulation
from solver.studies.answers import answers_of
from solver.studies.bench.table import BenchError, bench_test
from solver.studies.cluster import WAIT_S, Certificates, Cluster
from solver.studies.drawing import design, present
from solver.studies.evaluate import (
    Cancel,
    Evaluator,
    Here,
    Machines,
    Notice,
    Stopped,
    Watch,
    Within,
    taken_over,
)
from solver.studies.file import Head, Stored, StudyWriter, head_of, read_study
from solver.studies.responses import functions_in, reference_curve
from solver.studies.result import StudyResult
from solver.studies.rows import Layout, Rows, StudyError
from solver.studies.work import Setup, Work, setup_of, work_of

# See that a study can be run, before any run of it: every problem at once, each with its place.


def study_of(project: Project, wanted: str | None) -> Study:
    """Give a study of a project by its id; the first if none is named."""
    if not project.studies:
        raise StudyError("The project has no study; add one to 'studies'.")
    for study in project.studies:
        if wanted in (None, study.id):
            return study
    names = ", ".join(one.id for one in project.studies)
    raise StudyError(
        "The project has no study '{wanted}'; it has {names}.", wanted=wanted, names=names
    )


def prepared(project: Project, study: Study) -> tuple[Setup, Layout]:
    """Check a study, and give what workers need and the columns of its table.

    Raises ProjectError where the project or the study cannot be run.
    """
    found = [one for one in check(project) if one.severity == "error"]
    wrong = [replace(one, severity="error") for one in problems_of_study(project, study)]
    if found or wrong:
        raise ProjectError([*found, *wrong])
    setup = setup_of(project, study)
    if isinstance(study, SynthesisStudy):
        from solver.studies.synthesis import led_of

        # what it varies and leads is looked at once, so that what is wrong with it is said now
        _ = led_of(project, study)
        asked = tuple(response_unit(project, one) or "1" for one in study.responses)
        # no time passes; a table has one all the same
        return setup, _layout(project, study, ("",), asked, (), (1.0,), 0)
    work = Work(setup)
    names = tuple(test.id for test in study.tests) if isinstance(study, FitStudy) else ()
    units, curves = _units(work)
    return setup, _layout(
        project, study, names or ("",), units, curves, tuple(work.durations), work.width
    )


def _layout(
    project: Project, study: Study, tests: tuple[str, ...], units: tuple[str, ...], curves: tuple[str, ...],
    durations: tuple[float, ...], residuals: int,
) -> Layout:  # fmt: skip
    return Layout(
        parameters=tuple(one.id for one in study.parameters),
        # a factor of a number is another thing than the number
        paths=tuple(f"{one.path}*" if one.is_factor else one.path for one in study.parameters),
        responses=tuple(one.id for one in study.responses),
        parameter_units=tuple(
            "1" if one.is_factor else unit_at(project, one.path) for one in study.parameters
        ),
        response_units=units,
        curves=study.curves,
        curve_units=curves,
        tests=tests,
        durations=durations,
        residuals=residuals,
    )


def _units(work: Work) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """The units of responses and curves; raises ProjectError for what no run gives."""
    study, problems = work.study, list[Problem]()
    path = f"studies/{study.id}"
    problems += _benches(work, path)
    if problems:
        raise ProjectError(problems)

    def names_of(test: int) -> Callable[[str, str], str]:
        quantities = Quantities(Simulation(*work.shown(test)).memory())

        def unit_named(name: str, where: str) -> str:
            try:
                return quantities.about(name).unit
            except ResultsError as failure:
                problems.append(error("study-quantity", where, failure.said))
                return ""

        return unit_named

    first, project = names_of(0), work.shown(0)[0]
    units = [
        *(_unit_of(one, project, first, f"{path}/responses/{one.id}", problems) for one in study.responses)
    ]  # fmt: skip
    curves = [first(name, f"{path}/curves/{i}") for i, name in enumerate(study.curves)]
    tests = study.tests if isinstance(study, FitStudy) else ()
    for k, test in enumerate(tests):
        # only scenes of the bench have quantities of their own
        unit = first if k == 0 or test.bench is None is tests[0].bench else names_of(k)
        for place, quantity, over, references in functions_in(test):
            where = f"{path}/tests/{test.id}/{place}"
            known = unit(quantity, f"{where}/quantity")
            across = "" if over is None else unit(over, f"{where}/over")
            for reference in references:
                problems += _other_unit(work.base, reference, known, where)
                problems += _other_unit(work.base, reference, across, where, is_x=True)
    if problems:
        raise ProjectError(problems)
    # references are read once, so that what is wrong with them is said now
    _ = work.targets
    return tuple(units), tuple(curves)


def _benches(work: Work, path: str) -> Iterator[Problem]:
    """Find bench tests that there are not, or that the project has no body for."""
    tests = work.study.tests if isinstance(work.study, FitStudy) else ()
    for test, asked in ((one, one.bench) for one in tests):
        where = f"{path}/tests/{test.id}/bench"
        if asked is None:
            continue
        try:
            bench_test(asked.dummy, asked.test, asked.speed_ratio)
        except BenchError as failure:
            yield error("study-option", where, failure.said)
            continue
        known = {one.id for one in work.base.segments}
        lost = next((s for s in masses(asked.dummy) if s not in known), None)
        if lost is not None:
            sentence = Sentence(
                "The project has no body for this test: it lacks '{segment}'.", segment=lost
            )
            yield error("study-option", where, sentence, "Begin with the file of a dummy.")


def _unit_of(
    one: Response,
    project: Project,
    unit: Callable[[str, str], str],
    where: str,
    problems: list[Problem],
) -> str:
    match one:
        case FigureResponse():
            units = figure_units(project)
            if one.figure not in units:
                sentence = Sentence("No run gives the figure '{name}'.", name=one.figure)
                hint = offer(one.figure, units, "There are none.")
                problems.append(error("study-quantity", f"{where}/figure", sentence, hint))
            return units.get(one.figure, "")
        case ChannelResponse():
            return unit_of(unit(one.quantity, f"{where}/quantity"), one)
        case RatingResponse():
            known = unit(one.quantity, f"{where}/quantity")
            problems += _other_unit(project, one.reference, known, where)
            try:
                reference_curve(project, one.reference)
            except StudyError as failure:
                problems.append(error("study-option", f"{where}/reference", failure.said))
            return "1"
        case RideResponse():
            known, wanted = unit(one.quantity, f"{where}/quantity"), WEIGHTINGS[one.weighting].unit
            if known and known != wanted:
                sentence = Sentence(
                    "Weighting {weighting} is for a quantity in {wanted}; '{name}' is in {unit}.",
                    weighting=one.weighting,
                    wanted=wanted,
                    name=one.quantity,
                    unit=known,
                )
                problems.append(error("study-option", f"{where}/weighting", sentence))
            return unit_felt(one)
        case FormulaResponse():
            return one.unit
        case MissResponse():
            return "m"


def _other_unit(
    project: Project, reference: str, known: str, where: str, *, is_x: bool = False
) -> Iterator[Problem]:
    """Find a reference curve in another unit than what is compared with it."""
    function = next(one for one in project.functions if one.id == reference)
    unit = function.x_unit if is_x else function.y_unit
    if known and unit != known:
        sentence = Sentence(
            "'{name}' is in {unit}, what is compared with it in {unit_2}.",
            name=reference,
            unit=unit,
            unit_2=known,
        )
        yield error("study-option", f"{where}/reference", sentence, "Compare like with like.")


def unit_at(project: Project, path: str) -> str:
    """The unit of the number at a path, as the schema has it; empty where another field says it."""
    words = [word for word in path.split("/") if word]
    for count in range(len(words) - 1, -1, -1):
        holder = project if count == 0 else value_at(project, "/".join(words[:count]))
        if isinstance(holder, Part):
            extra = type(holder).model_fields[words[count]].json_schema_extra
            unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
            return "" if "|" in unit else unit
    return ""


def run_study(
    project: Project,
    study: str | None = None,
    path: Path | None = None,
    *,
    workers: int | None = None,
    scheduler: str | None = None,
    certificates: Certificates | None = None,
    wait_s: float = WAIT_S,
    resume: bool = False,
    watch: Watch | None = None,
    cancel: Cancel | None = None,
    notice: Notice | None = None,
) -> StudyResult:
    """Run a study of a project, by its id; the first if none is named.

    With a `path` it is written there as it comes. `workers` is how many processes of this machine solve
    it, one for each core if it is not given, 0 for this process itself; `scheduler` is the address of a Dask cluster instead, `certificates` those for an address that begins with tls://,
    and `wait_s` is how long it may be without any worker; `notice` is told when that is waited for. With
    `resume` what stands in the file is not run again. `watch` is told of every row, `cancel` is asked ten
    times a second. Raises ProjectError with every problem where project or study cannot be run.
    """
    asked = study_of(project, study)
    # a synthesis solves nothing
    count = (
        0
        if scheduler is not None or isinstance(asked, SynthesisStudy)
        else os.cpu_count() or 1
        if workers is None
        else workers
    )
    # they get ready while the study is looked at
    here = Here(count, min(getattr(asked, "runs", 2), count)) if count else None
    try:
        return _run(project, asked, path, here, scheduler, certificates, wait_s, resume, watch, cancel, notice)  # fmt: skip
    finally:
        if here is not None:
            here.close()


def _run(
    project: Project, asked: Study, path: Path | None, here: Here | None, scheduler: str | None, certificates: Certificates | None,
    wait_s: float, resume: bool, watch: Watch | None, cancel: Cancel | None, notice: Notice | None,
) -> StudyResult:  # fmt: skip
    setup, layout = prepared(project, asked)
    head = head_of(setup, project, asked, layout)

    def solved(rows: Rows, writer: StudyWriter | None) -> StudyResult:
        most = asked.most_runs if isinstance(asked, FitStudy | OptimumStudy) else None
        most = asked.starts if isinstance(asked, SynthesisStudy) else most
        if scheduler is not None:
            solvers: Callable[[], Machines] = partial(
                Cluster, setup, scheduler, layout, certificates, wait_s, notice, cancel
            )
        else:
            solvers = partial(machines, setup, here, cancel)
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
    """The rows of a study, as far as they are known, with what there is of them."""
    if isinstance(study, SynthesisStudy):
        if old is not None:
            raise StudyError("A synthesis is done at once and not gone on with; give another name.")
        return Rows(layout)
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
        case SynthesisStudy():
            from solver.studies.synthesis import synthesised

            return {"synthesis": synthesised(project, study, evaluator)}
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


def machines(setup: Setup, here: Here | None, cancel: Cancel | None = None) -> Machines:
    """Give anyone who solves the runs on this machine: processes, or this one itself."""
    if here is None:
        return Within(setup)
    # compiled once, by one, before several ask for it
    Simulation(*work_of(setup).shown(0)).begin(cancel)
    return here.of(setup)
