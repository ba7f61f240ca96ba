"""Check the tests of a fit: what they change, which curves and corridors they go by."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from solver.base.words import Sentence
from solver.project.changes import with_value
from solver.project.checks.ids import repeated
from solver.project.checks.registry import problem
from solver.project.document import Project
from solver.project.problems import Problem, ProjectError
from solver.project.studies import FitStudy, StudyBase
from solver.project.study_tests import Asked, FitTest, RangeTarget

Look = Callable[[Project, str, str], Iterator[Problem]]


def has_scenes(study: StudyBase) -> bool:
    """Tell whether what is run is the scene of a bench test, and so its quantities are not the project's."""
    return isinstance(study, FitStudy) and any(test.bench for test in study.tests)


def problems_of_fit(project: Project, study: FitStudy, path: str, look: Look) -> Iterator[Problem]:
    """Give what is wrong with the tests of a fit; `look` finds quantities that are not there."""
    if not any(_is_asked(test) for test in study.tests):
        hint = Sentence("Add a test with a target.")
        yield problem("study-empty", f"{path}/tests", "There is nothing to fit to.", hint)
    if study.parameters and all(one.basis == "validated" for one in study.parameters):
        sentence = Sentence("All parameters are validated: nothing is left to fit.")
        yield problem("study-empty", f"{path}/parameters", sentence)
    for name in repeated(test.id for test in study.tests):
        sentence = Sentence("'{name}' is the name of more than one test.", name=name)
        yield problem("study-name-twice", f"{path}/tests/{name}/id", sentence, "Rename one.")
    responses = [one.id for one in study.responses]
    for test in study.tests:
        where = f"{path}/tests/{test.id}"
        changed = project
        for i, change in enumerate(test.changes):
            try:
                changed = with_value(changed, change.path, change.value)
            except ProjectError as failure:
                yield problem("study-path", f"{where}/changes/{i}", failure.problems[0].what)
        yield from _curves(project, test, where, look)
        for i, number in enumerate(test.ranges):
            at = f"{where}/ranges/{i}"
            if number.response not in responses:
                sentence = Sentence("The study has no response '{name}'.", name=number.response)
                yield problem("study-option", f"{at}/response", sentence)
            yield from _ends(number, at)
        yield from _bench(test, where)


def _is_asked(test: FitTest) -> bool:
    bench = test.bench
    return bool(
        test.targets or test.corridors or test.ranges or (bench and (bench.as_asked or bench.more))
    )


def _curves(project: Project, test: FitTest, where: str, look: Look) -> Iterator[Problem]:
    for i, target in enumerate(test.targets):
        if test.bench is None:
            yield from look(project, target.quantity, f"{where}/targets/{i}/quantity")
        yield from of_time(project, target.reference, f"{where}/targets/{i}/reference")
        yield from span(target.from_s, target.until_s, f"{where}/targets/{i}")
    for i, one in enumerate(test.corridors):
        at = f"{where}/corridors/{i}"
        names = (("quantity", one.quantity), ("over", one.over))
        for field, name in names:
            if test.bench is None and name is not None:
                yield from look(project, name, f"{at}/{field}")
        if one.over is None:
            for field, id_ in (("lower", one.lower), ("upper", one.upper)):
                yield from of_time(project, id_, f"{at}/{field}")


def _bench(test: FitTest, where: str) -> Iterator[Problem]:
    bench = test.bench
    if bench is None:
        return
    if bench.as_asked and bench.speed_ratio != 1.0:
        sentence = Sentence("What the paragraph asks holds for the speed of the test alone.")
        mend = Sentence("Ask for figures or corridors of your own.")
        yield problem("study-option", f"{where}/bench/as_asked", sentence, mend)
    if test.run is not None:
        sentence = Sentence("A bench test is solved as its scene says.")
        yield problem("study-option", f"{where}/run", sentence, "Name no run.")
    for i, one in enumerate(bench.more):
        yield from _ends(one, f"{where}/bench/more/{i}")


def _ends(one: RangeTarget | Asked, where: str) -> Iterator[Problem]:
    """Find corridors without an end, or with their ends in the wrong order."""
    if one.low is None and one.high is None:
        yield problem("study-option", f"{where}/low", "A corridor has an end at least.")
    elif one.low is not None and one.high is not None and one.low >= one.high:
        sentence = Sentence(
            "The range goes from {low:g} to {high:g}: it is empty.", low=one.low, high=one.high
        )
        yield problem("study-range", f"{where}/high", sentence, "Give the lower end first.")


def of_time(project: Project, name: str, where: str) -> Iterator[Problem]:
    """Find a curve that is no function of time."""
    for function in project.functions:
        if function.id == name and function.x_unit != "s":
            sentence = Sentence("'{name}' is no function of time.", name=name)
            yield problem("study-option", where, sentence, "Its argument must be in s.")


def span(low: float | None, high: float | None, where: str) -> Iterator[Problem]:
    """Find a time that ends before it begins."""
    if low is not None and high is not None and low >= high:
        sentence = Sentence("From {low:g} s until {high:g} s is no time.", low=low, high=high)
        yield problem("study-option", f"{where}/until_s", sentence)
