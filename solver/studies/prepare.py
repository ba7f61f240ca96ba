"""See that a study can be run, before any run of it: every problem at once, each with its place."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from solver.base.words import Sentence
from solver.bodies.dummies import masses
from solver.engine.signals import WEIGHTINGS
from solver.injury import figure_units
from solver.injury.assess import unit_felt, unit_of
from solver.project.changes import value_at
from solver.project.checks import check
from solver.project.checks.ids import offer
from solver.project.checks.studies import problems_of_study
from solver.project.document import Project
from solver.project.fields import Part
from solver.project.problems import Problem, ProjectError, error
from solver.project.studies import FitStudy, Study
from solver.project.study_parts import (
    ChannelResponse,
    FigureResponse,
    FormulaResponse,
    RatingResponse,
    Response,
    RideResponse,
)
from solver.results.layout import ResultsError
from solver.results.quantities import Quantities
from solver.running.simulation import Simulation
from solver.studies.bench.table import BenchError, bench_test
from solver.studies.errors import StudyError
from solver.studies.responses import reference_curve
from solver.studies.rows import Layout
from solver.studies.targets import functions_in
from solver.studies.work import Setup, Work, setup_of


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
    work = Work(setup)
    names = tuple(test.id for test in study.tests) if isinstance(study, FitStudy) else ()
    units, curves = _units(work)
    layout = Layout(
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
        tests=names or ("",),
        durations=tuple(work.durations),
        residuals=work.width,
    )
    return setup, layout


def _units(work: Work) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Give the units of responses and curves; raises ProjectError for what no run gives."""
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
    """Give the unit of the number at a path, as the schema has it; empty where another field says it."""
    words = [word for word in path.split("/") if word]
    for count in range(len(words) - 1, -1, -1):
        holder = project if count == 0 else value_at(project, "/".join(words[:count]))
        if isinstance(holder, Part):
            extra = type(holder).model_fields[words[count]].json_schema_extra
            unit = str(extra.get("unit", "")) if isinstance(extra, dict) else ""
            return "" if "|" in unit else unit
    return ""
