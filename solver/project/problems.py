"""What is wrong with a project, where, and how to mend it."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from solver.base.words import NOTHING, Sentence, msgid, said, tr

MOST_PROBLEMS = 200
"""More than this are not listed one by one."""

MOST_NAMES = 500
"""Among more names than this no nearest one is looked for."""

Severity = Literal["error", "warning", "note"]
Words = Sentence | str
"""A sentence; one without values may be written as it stands."""

DID_YOU_MEAN = msgid("Did you mean '{word}'?")


@dataclass(frozen=True, slots=True)
class Problem:
    """State one problem: a code that never changes, a path into the document, a sentence, a hint."""

    severity: Severity
    code: str
    path: str
    what: Sentence
    mend: Sentence = NOTHING

    @property
    def sentence(self) -> str:
        """Say what is wrong, in the language of the reader."""
        return str(self.what)

    @property
    def hint(self) -> str:
        """Say how it is mended, in the language of the reader; empty where nobody knows."""
        return str(self.mend)

    def __str__(self) -> str:
        """Write it on one line, as the command line prints it."""
        place = f"{self.path}: " if self.path else ""
        hint = f" {self.hint}" if self.hint else ""
        return f"{tr(self.severity)}: {place}{self.sentence}{hint} [{self.code}]"


class ProjectError(Exception):
    """Say that a project cannot be used, with every problem that was found."""

    def __init__(self, problems: Iterable[Problem]) -> None:
        self.problems: tuple[Problem, ...] = tuple(problems)
        super().__init__("\n".join(str(p) for p in self.problems))


def error(code: str, path: str, sentence: Words, hint: Words = NOTHING) -> Problem:
    """Make a problem that prevents a run."""
    return Problem("error", code, path, said(sentence), said(hint))


def did_you_mean(wrong: str, known: Iterable[str]) -> Sentence:
    """Offer the nearest known word as a question, or nothing."""
    names = list(known)
    if len(names) > MOST_NAMES:
        return NOTHING
    close = difflib.get_close_matches(wrong[:80], names, n=1, cutoff=0.55)
    return Sentence(DID_YOU_MEAN, word=close[0]) if close else NOTHING


def listed(words: Iterable[str], most: int = 8) -> Sentence:
    """Join words for a sentence, cutting a long list."""
    all_words = [f"'{w}'" for w in words]
    more = len(all_words) - most
    shown = ", ".join(all_words[:most])
    if more <= 0:
        return Sentence(shown)
    return Sentence("{words} and {more} more", words=shown, more=more)
