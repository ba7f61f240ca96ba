"""Check studies: paths, ranges, names and formulas. They hold no run up, so they are warnings.

A study with such a problem is refused when it is to be run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from solver.base.words import Sentence, msgid
from solver.project.changes import value_at, with_value
from solver.project.checks.ids import NOUNS, offer, repeated
from solver.project.checks.index import WHOLE, Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.checks.varied import in_whole, varied_number
from solver.project.document import LISTS, Project
from solver.project.outputs import InjuryOutput
from solver.project.problems import Problem, ProjectError, did_you_mean
from solver.project.studies import (
    FitStudy,
    GridStudy,
    LocalStudy,
    MorrisStudy,
    OptimumStudy,
    SampleStudy,
    SobolStudy,
    StudyBase,
    SynthesisStudy,
)
from solver.project.study_parts import (
    Asked,
    ChannelResponse,
    FigureResponse,
    FitTest,
    FormulaResponse,
    LedPoints,
    MissResponse,
    RangeTarget,
    RatingResponse,
    RideResponse,
    ends_of,
)
from solver.project.varying import WORDS, FormulaError, can_vary, names_in

MOST_GRID = 1_000_000
"""Runs that a grid has at most."""


@finds(
    TOPOLOGY,
    warning={
        "study-empty": "A study varies nothing, asks for nothing, or fits nothing.",
        "study-name-twice": "Two parameters or responses of a study have one name.",
        "study-path": "A parameter of a study leads nowhere, or not to a number that can be varied.",
        "study-path-twice": "A study varies one number twice.",
        "study-range": "A range or distribution of a study has its numbers in the wrong order, or leaves what may be.",
        "study-ends": "A kind of study that goes to the ends of ranges has a parameter without ends.",
        "study-formula": "A formula of a study cannot be read.",
        "study-formula-circle": "Formulas of a study lead back to themselves.",
        "study-quantity": "A study asks for a quantity or figure that no run gives.",
        "study-option": "An option of a study fits nothing else in it.",
        "study-goal": "An optimum has no goal.",
        "study-size": "A study has more runs than anybody gets through.",
    },
)
def studies(index: Index) -> Iterator[Problem]:
    """Find studies that cannot be run."""
    found = index.project.studies
    if found:
        # paths may lead anywhere
        index.note(WHOLE, index.whole)
    for study in found:
        yield from problems_of_study(index.whole, study)


def problems_of_study(project: Project, study: StudyBase) -> Iterator[Problem]:
    """What is wrong with one study."""
    path = f"studies/{study.id}"
    yield from _names(study, path)
    yield from _parameters(project, study, path)
    yield from _responses(project, study, path)
    yield from _kind(project, study, path)


def _names(study: StudyBase, path: str) -> Iterator[Problem]:
    if not study.parameters:
        yield problem(
            "study-empty", f"{path}/parameters", "The study varies nothing.", "Add a parameter."
        )
    if not study.responses and not study.curves and not isinstance(study, FitStudy):
        yield problem(
            "study-empty", f"{path}/responses", "The study asks for nothing.", "Add a response."
        )
    everything = [*study.parameters, *study.responses]
    for name in repeated(one.id for one in everything):
        sentence = Sentence("'{name}' is the name of more than one number.", name=name)
        where = "parameters" if any(p.id == name for p in study.parameters) else "responses"
        yield problem("study-name-twice", f"{path}/{where}/{name}/id", sentence, "Rename one.")
    for list_, parts in (("parameters", study.parameters), ("responses", study.responses)):
        for one in parts:
            if one.id in WORDS:
                sentence = Sentence("'{name}' has a meaning of its own in formulas.", name=one.id)
                yield problem(
                    "study-name-twice", f"{path}/{list_}/{one.id}/id", sentence, "Rename it."
                )


def _parameters(project: Project, study: StudyBase, path: str) -> Iterator[Problem]:
    for one in study.parameters:
        yield from varied_number(
            project, one, f"{path}/parameters/{one.id}", ("study-path", "study-range"), "spread"
        )
    yield from _following(project, study, path)
    everything = [
        (f"parameters/{one.id}", each.strip("/"))
        for one in study.parameters
        for each in (one.path, *one.along)
    ]
    everything += [(f"following/{i}", one.path.strip("/")) for i, one in enumerate(study.following)]
    for twice in repeated(one for _, one in everything):
        last = [where for where, one in everything if one == twice][-1]
        sentence = Sentence("'{path}' is varied more than once.", path=twice)
        yield problem("study-path-twice", f"{path}/{last}/path", sentence, "Keep one of them.")


def _following(project: Project, study: StudyBase, path: str) -> Iterator[Problem]:
    """Find numbers that follow from nothing, or that lead nowhere."""
    names = {one.id for one in study.parameters}
    for i, one in enumerate(study.following):
        where = f"{path}/following/{i}"
        yield from _formula(one.formula, names, where, OF_PARAMETERS)
        try:
            found = value_at(project, one.path)
        except ProjectError as failure:
            yield problem("study-path", f"{where}/path", failure.problems[0].what)
            continue
        if not can_vary(found, is_factor=False):
            sentence = Sentence("'{path}' is no number that can be varied.", path=one.path)
            yield problem("study-path", f"{where}/path", sentence)


def _responses(project: Project, study: StudyBase, path: str) -> Iterator[Problem]:
    names = {one.id for one in (*study.parameters, *study.responses)}
    for one in study.responses:
        where = f"{path}/responses/{one.id}"
        if one.at_least is not None and one.at_most is not None and one.at_least > one.at_most:
            sentence = Sentence(
                "At least {low:g} and at most {high:g}: nothing keeps both.",
                low=one.at_least,
                high=one.at_most,
            )
            yield problem("study-range", f"{where}/at_most", sentence)
        if isinstance(one, FormulaResponse):
            yield from _formula(one.formula, names, where, OF_STUDY)
        elif isinstance(study, SynthesisStudy) != isinstance(one, MissResponse):
            yield problem("study-option", f"{where}/kind", "Only a synthesis asks for misses, and for nothing else.")  # fmt: skip
        elif isinstance(one, MissResponse):
            continue
        elif isinstance(one, FigureResponse):
            yield from _figure(project, one, where)
        elif not has_scenes(study):
            yield from _quantity(project, one.quantity, f"{where}/quantity")
        if isinstance(one, ChannelResponse):
            yield from _channel(one, where)
        if isinstance(one, ChannelResponse | RideResponse):
            yield from span(one.from_s, one.until_s, where)
        if isinstance(one, RatingResponse):
            yield from of_time(project, one.reference, f"{where}/reference")
    yield from _circles(study, path)
    for i, curve in enumerate(() if has_scenes(study) else study.curves):
        yield from _quantity(project, curve, f"{path}/curves/{i}")


def _channel(one: ChannelResponse, where: str) -> Iterator[Problem]:
    if (one.take == "at") != (one.time_s is not None):
        sentence = (
            Sentence("When it is taken is not said.")
            if one.time_s is None
            else Sentence("Only what is taken at a time has one.")
        )
        yield problem("study-option", f"{where}/time_s", sentence)
    if one.take in ("at", "last") and (one.from_s is not None or one.until_s is not None):
        sentence = Sentence("A value at one instant has no time from and until.")
        yield problem("study-option", f"{where}/take", sentence)


PARTS = {
    "harnesses": msgid("strap"),
    "flexible_elements": msgid("segment of a flexible element"),
}
"""Of what results tell in place of the elements of a list."""

OF_PARAMETERS = msgid("'{name}' is no parameter of the study.")
OF_STUDY = msgid("'{name}' is no parameter or response of the study.")


def _formula(formula: str, names: set[str], where: str, lost: str) -> Iterator[Problem]:
    try:
        used = names_in(formula)
    except FormulaError as failure:
        yield problem("study-formula", f"{where}/formula", failure.said)
        return
    for name in used:
        if name not in names:
            sentence = Sentence(lost, name=name)
            mend = in_whole(offer(name, names), re.split(r"\b", formula), name, "")
            yield problem("study-formula", f"{where}/formula", sentence, mend)


def _circles(study: StudyBase, path: str) -> Iterator[Problem]:
    """Find formulas that lead back to themselves."""
    for one in study.responses:
        if isinstance(one, FormulaResponse) and one.id in _behind(study, one.id):
            sentence = Sentence("'{name}' leads back to itself.", name=one.id)
            yield problem("study-formula-circle", f"{path}/responses/{one.id}/formula", sentence)


def _behind(study: StudyBase, name: str) -> set[str]:
    """All names that a response is made of."""
    formulas = {one.id: one.formula for one in study.responses if isinstance(one, FormulaResponse)}
    found, waiting = set[str](), [name]
    while waiting:
        here = waiting.pop()
        try:
            used: Sequence[str] = names_in(formulas[here]) if here in formulas else ()
        except FormulaError:
            used = ()
        waiting += [one for one in used if one not in found]
        found.update(used)
    return found


def _figure(project: Project, one: FigureResponse, where: str) -> Iterator[Problem]:
    """Find figures that are asked for under the name of another output."""
    for output in project.outputs:
        if output.id == one.figure and not isinstance(output, InjuryOutput):
            sentence = Sentence("'{name}' is an output, but no injury figure.", name=one.figure)
            yield problem("study-quantity", f"{where}/figure", sentence)


def _quantity(project: Project, name: str, where: str) -> Iterator[Problem]:
    """Find elements and outputs that are not there; all else is known once the model is compiled."""
    words = name.split("/")
    if len(words) > 2 and words[0] in LISTS:
        elements = getattr(project, words[0])
        known = [name for one in elements for name in getattr(one, "names_in_results", (one.id,))]
        id_ = words[1].partition("[")[0]
        if id_ not in known and words[1] not in known:
            noun = Sentence("no {noun}", noun=Sentence(PARTS.get(words[0], NOUNS[words[0]])))
            sentence = Sentence("'{ref_value}' is {no}.", ref_value=id_, no=noun)
            words = re.split("([/[])", name)
            yield problem(
                "study-quantity", where, sentence, in_whole(offer(id_, known), words, id_, "")
            )
    elif len(words) == 1 and "." not in name:
        known = [one.id for one in project.outputs if not isinstance(one, InjuryOutput)]
        if not any(name == one or name.startswith(f"{one}_") for one in known):
            sentence = Sentence("No output gives '{name}'.", name=name)
            channels = [f"{one}_{name.rpartition('_')[2]}" for one in known]
            mend = did_you_mean(name, channels) or offer("", known, "The project has no output.")
            yield problem("study-quantity", where, sentence, mend)


def _kind(project: Project, study: StudyBase, path: str) -> Iterator[Problem]:
    if isinstance(
        study, GridStudy | LocalStudy | MorrisStudy | FitStudy | OptimumStudy | SynthesisStudy
    ):
        for one in study.parameters:
            if ends_of(one.spread) is None:
                sentence = Sentence("'{name}' has no ends, which this kind needs.", name=one.id)
                hint = "Give a range, or a truncated distribution."
                yield problem("study-ends", f"{path}/parameters/{one.id}/spread", sentence, hint)
    if isinstance(study, GridStudy) and study.way == "all":
        runs = float(study.levels) ** len(study.parameters)
        if runs > MOST_GRID:
            sentence = Sentence("The grid has {runs:.3g} runs.", runs=runs)
            yield problem("study-size", f"{path}/levels", sentence, "Draw a sample instead.")
    if isinstance(study, LocalStudy) and study.weak_ratio > study.strong_ratio:
        sentence = Sentence("What is strong begins below what is weak.")
        yield problem("study-option", f"{path}/strong_ratio", sentence)
    if isinstance(study, MorrisStudy) and study.levels % 2:
        sentence = Sentence("Levels are even in this method, not {levels}.", levels=study.levels)
        yield problem("study-option", f"{path}/levels", sentence)
    is_sequence = isinstance(study, SobolStudy) or (
        isinstance(study, SampleStudy) and study.drawing == "sobol"
    )
    if is_sequence:
        field = "base_runs" if isinstance(study, SobolStudy) else "runs"
        count = getattr(study, field)
        if count & (count - 1):
            sentence = Sentence("A sequence of Sobol needs a power of two, not {count}.", count=count)  # fmt: skip
            low = 1 << (count.bit_length() - 1)
            instead = Sentence("Take {low} or {high}.", low=low, high=2 * low)
            yield problem("study-size", f"{path}/{field}", sentence, instead)
    if isinstance(study, OptimumStudy):
        goals = [one for one in study.responses if one.goal != "none"]
        if not goals:
            mend = Sentence("Minimise a response.")
            yield problem("study-goal", f"{path}/responses", "The optimum has no goal.", mend)
    if isinstance(study, FitStudy):
        yield from problems_of_fit(project, study, path, _quantity)
    if isinstance(study, SynthesisStudy):
        yield from _synthesis(study, path)


def _synthesis(study: SynthesisStudy, path: str) -> Iterator[Problem]:
    """Find what a synthesis lacks, and turns of the crank that are no intervals."""
    for name, given, sentence in (
        ("marker", study.marker, "Which marker is led is not said."),
        ("crank", study.crank, "Which joint is the crank is not said."),
    ):
        if given is None:
            yield problem("study-option", f"{path}/{name}", sentence)
    if len(study.along.points_m) < 2:
        yield problem("study-option", f"{path}/along/points_m", "It takes two points at least.")
    if study.run is not None:
        yield problem("study-option", f"{path}/run", "A synthesis runs nothing, so that it asks for no run.")  # fmt: skip
    if study.curves:
        yield problem("study-option", f"{path}/curves", "A synthesis runs nothing, so that it has no curves.")  # fmt: skip
    if not isinstance(study.along, LedPoints):
        return
    turns = study.along.turns
    if turns and len(turns) != len(study.along.points_m) - 1:
        sentence_ = Sentence(
            "There are {count} turns for {points} points; each but the first has one.",
            count=len(turns), points=len(study.along.points_m),
        )  # fmt: skip
        yield problem("study-option", f"{path}/along/turns", sentence_)
    for n, one in enumerate(turns):
        if one.low_rad > one.high_rad:
            sentence_ = Sentence("The range goes from {low:g} to {high:g}: it is empty.", low=one.low_rad, high=one.high_rad)  # fmt: skip
            yield problem("study-range", f"{path}/along/turns/{n}", sentence_, "Give the lower end first.")  # fmt: skip


# Check the tests of a fit: what they change, which curves and corridors they go by.

Look = Callable[[Project, str, str], Iterator[Problem]]


def has_scenes(study: StudyBase) -> bool:
    """Whether what is run is the scene of a bench test, and so its quantities are not the project's."""
    return isinstance(study, FitStudy) and any(test.bench for test in study.tests)


def problems_of_fit(project: Project, study: FitStudy, path: str, look: Look) -> Iterator[Problem]:
    """What is wrong with the tests of a fit; `look` finds quantities that are not there."""
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
