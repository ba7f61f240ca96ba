"""Which limits and ratings belong to which load case: those of aircraft seats to no car, those of cars to no fall."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from solver.base.words import NOTHING, Sentence, joined, msgid
from solver.injury.reference import Limit, reference

SAID: Mapping[str, str] = {
    "frontal": msgid("frontal crashes of cars"),
    "rear": msgid("rear impacts of cars"),
    "side": msgid("side impacts of cars"),
    "rollover": msgid("rollovers"),
    "aircraft": msgid("aircraft seats"),
    "ejection": msgid("ejection seats"),
    "pedestrian": msgid("pedestrians"),
    "fall": msgid("falls"),
    "other": msgid("another load case"),
}
"""What the load cases of projects are called."""


def said_cases(cases: Iterable[str]) -> Sentence:
    """Name load cases."""
    return joined(", ", (Sentence(SAID[one]) for one in cases))


def belongs(standard: str, case: str, asked: bool = False) -> bool:
    """Tell whether a standard belongs to a project's load case; `asked`: the project asks for the figure."""
    known = reference().standards.get(standard)
    if known is None or not known.cases or case in known.cases:
        return True
    return not case and (asked or not known.declared)


def not_of_this(limit: Limit, case: str, automatic: bool) -> Sentence:
    """Say that a limit belongs to another load case; empty where it belongs to this one."""
    if belongs(limit.standard, case, limit.or_asked and not automatic):
        return NOTHING
    cases = said_cases(reference().standards[limit.standard].cases)
    if case:
        return Sentence(
            "its limit is for {cases}, this project is of {case}",
            cases=cases,
            case=Sentence(SAID[case]),
        )
    return Sentence("its limit is for {cases}, and the project names no load case", cases=cases)
