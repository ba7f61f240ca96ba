"""Check numbers that are varied: parameters of studies, and assumed numbers with their ranges. They hold no run up, so they are warnings."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from solver.base.words import NOTHING, Sentence
from solver.project.changes import value_at
from solver.project.checks.ids import repeated
from solver.project.checks.index import WHOLE, Index
from solver.project.checks.registry import TOPOLOGY, finds, problem
from solver.project.document import Project
from solver.project.problems import DID_YOU_MEAN, Problem, ProjectError
from solver.project.studies import AssumedNumber, assumed_parameters
from solver.project.study_parts import Lognormal, Normal, StudyParameter, Triangular, ends_of
from solver.project.varying import can_vary, present_of, varied


@finds(
    TOPOLOGY,
    warning={
        "assumed-path": "An assumed number leads nowhere, or not to a number that can be varied.",
        "assumed-path-twice": "Two ranges are of one number.",
        "assumed-range": "The range of an assumed number is empty, does not hold the number, or leaves what may be.",
        "assumed-source": "The range of an assumed number says not where it is from.",
    },
)
def assumed(index: Index) -> Iterator[Problem]:
    """Find assumed numbers whose ranges say nothing of them."""
    found = index.project.assumed
    if found:
        # paths may lead anywhere
        index.note(WHOLE, index.whole)
        yield from problems_of_assumed(index.whole)


def problems_of_assumed(project: Project) -> Iterator[Problem]:
    """What is wrong with the ranges of a project."""
    for one, parameter in zip(project.assumed, assumed_parameters(project.assumed), strict=True):
        where = f"assumed/{one.id}"
        wrong = [
            *varied_number(project, parameter, where, ("assumed-path", "assumed-range"), "high")
        ]
        yield from wrong
        if not wrong:
            yield from _held(project, one, parameter, where)
        if not one.source.strip():
            sentence = Sentence("It is not said where this range is from.")
            yield problem("assumed-source", f"{where}/source", sentence, "Name the source, or write: assumed range.")  # fmt: skip
    every = [
        (one.id, path.strip("/")) for one in project.assumed for path in (one.path, *one.along)
    ]
    for twice in repeated(path for _, path in every):
        last = [id_ for id_, path in every if path == twice][-1]
        sentence = Sentence("'{path}' has more than one range.", path=twice)
        yield problem("assumed-path-twice", f"assumed/{last}/path", sentence, "Keep one of them.")


def _held(
    project: Project, one: AssumedNumber, parameter: StudyParameter, where: str
) -> Iterator[Problem]:
    """Find a range in which the number does not lie that the project has."""
    here = present_of(project, parameter)
    if one.is_factor and one.low <= 0.0:
        sentence = Sentence("A factor of {low:g} leaves nothing of it, or turns it round.", low=one.low)  # fmt: skip
        yield problem("assumed-range", f"{where}/low", sentence, "Give a factor above zero.")
    elif not one.low <= here <= one.high:
        sentence = Sentence("The range from {low:g} to {high:g} does not hold the number itself, {here:g}.", low=one.low, high=one.high, here=here)  # fmt: skip
        yield problem("assumed-range", f"{where}/low", sentence, "Widen the range, or change the number.")  # fmt: skip


def varied_number(
    project: Project, one: StudyParameter, where: str, codes: tuple[str, str], range_: str
) -> Iterator[Problem]:
    """Find paths that lead nowhere, and ranges whose ends cannot stand there; their codes are given."""
    wrong = _wrong_path(project, one, one.path)
    if wrong is not None:
        yield problem(codes[0], f"{where}/path", *wrong)
    for i, path in enumerate(one.along):
        lost = _wrong_path(project, one.model_copy(update={"is_factor": True}), path)
        if lost is None and wrong is None and present_of(project, one) == 0.0:
            lost = Sentence("Nothing is in proportion to zero."), NOTHING
        if lost is not None:
            wrong = wrong or lost
            yield problem(codes[0], f"{where}/along/{i}", *lost)
    yield from _range(project, one, where, codes[1], range_, is_number=wrong is None)


def _wrong_path(
    project: Project, one: StudyParameter, path: str
) -> tuple[Sentence, Sentence] | None:
    """Say why a path cannot be varied, and how that is mended; nothing where it can."""
    try:
        value = value_at(project, path)
    except ProjectError as failure:
        found = failure.problems[0]
        word = str(found.what.values.get("word", ""))
        return found.what, in_whole(found.mend, path.split("/"), word, "/")
    if path.strip("/").startswith(("studies/", "assumed/")):
        return Sentence("A study does not vary studies."), NOTHING
    if value is None:
        mend = Sentence("Give it one first.")
        return Sentence("'{path}' has no number yet.", path=path), mend
    if can_vary(value, is_factor=one.is_factor):
        return None
    mend = (
        Sentence("Let the parameter be a factor.") if can_vary(value, is_factor=True) else NOTHING
    )
    return Sentence("'{path}' is no number that can be varied.", path=path), mend


def in_whole(mend: Sentence, words: Sequence[str], wrong: str, mark: str) -> Sentence:
    """Offer a whole text where one of its words is offered: who takes the offer takes the text."""
    if mend.template != DID_YOU_MEAN:
        return mend
    right = str(mend.values["word"])
    return Sentence(DID_YOU_MEAN, word=mark.join(right if w == wrong else w for w in words))


def _range(
    project: Project, one: StudyParameter, where: str, code: str, range_: str, *, is_number: bool
) -> Iterator[Problem]:
    spread, ends = one.spread, ends_of(one.spread)
    if ends is not None and ends[0] >= ends[1]:
        sentence = Sentence(
            "The range goes from {low:g} to {high:g}: it is empty.", low=ends[0], high=ends[1]
        )
        yield problem(
            code,
            f"{where}/{'spread/high' if range_ == 'spread' else range_}",
            sentence,
            "Give the lower end first.",
        )
        return
    if isinstance(spread, Triangular) and not spread.low <= spread.mode <= spread.high:
        sentence = Sentence("The most likely value, {mode:g}, is outside.", mode=spread.mode)
        yield problem(code, f"{where}/spread/mode", sentence)
    if not is_number:
        return
    middle = (
        spread.mean if isinstance(spread, Normal) else
        spread.median if isinstance(spread, Lognormal) else None
    )  # fmt: skip
    tried = ends if ends is not None else (middle,) if middle is not None else ()
    for value in tried:
        try:
            varied(project, one, value)
        except ProjectError as failure:
            sentence = Sentence("The value {value:g} cannot stand there: {what}", value=value, what=failure.problems[0].what)  # fmt: skip
            yield problem(code, f"{where}/{range_}", sentence, "Give another range.")
