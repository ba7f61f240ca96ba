"""Keep the checks and the codes that they can give; a check declares its codes beside itself."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal, NamedTuple

from solver.base.words import NOTHING, sentence_of
from solver.project.checks.index import Index, Reads
from solver.project.document import Project
from solver.project.fields import Part
from solver.project.memo import MOST
from solver.project.problems import Problem, Severity, Words

Pass = Literal[1, 2, 3]
FILE: Pass = 1
TOPOLOGY: Pass = 2
PHYSICS: Pass = 3


@dataclass(frozen=True, slots=True)
class CheckInfo:
    """Describe one code: how grave it is, in which pass it is found, what it means."""

    code: str
    severity: Severity
    check_pass: Pass
    meaning: str


Check = Callable[["Index"], Iterator[Problem]]

OPEN_AT_START: frozenset[str] = frozenset(
    [
        "points-apart",
        "distance-start",
        "roll-slide-apart",
        "edges-apart",
        "frame-driver-start",
        "coupling-start",
        "closure-apart",
        "curve-apart",
    ]
)
"""Codes of errors that say by how much a constraint is open at the start; assembly closes them."""

CODES: dict[str, CheckInfo] = {}
CHECKS: dict[Pass, list[Check]] = {FILE: [], TOPOLOGY: [], PHYSICS: []}


def declare(check_pass: Pass, severity: Severity, meanings: Mapping[str, str]) -> None:
    """Add codes to the catalogue; each belongs to one place only."""
    for code, meaning in meanings.items():
        if code in CODES:
            raise ValueError(f"the code '{code}' is declared twice")
        CODES[code] = CheckInfo(code, severity, check_pass, meaning)


def finds(
    check_pass: Pass,
    *,
    error: Mapping[str, str] | None = None,
    warning: Mapping[str, str] | None = None,
    note: Mapping[str, str] | None = None,
) -> Callable[[Check], Check]:
    """Register a check of a pass with the codes that it gives and what each means."""

    def register(check: Check) -> Check:
        declare(check_pass, "error", error or {})
        declare(check_pass, "warning", warning or {})
        declare(check_pass, "note", note or {})
        CHECKS[check_pass].append(check)
        return check

    return register


def problem(code: str, path: str, sentence: Words, hint: Words = NOTHING) -> Problem:
    """Make a problem; the code says how grave it is."""
    return Problem(CODES[code].severity, code, path, sentence_of(sentence), sentence_of(hint))


# Give again what a check has found, while all that it has read is the very same.


class Look(NamedTuple):
    """Hold what a check has read of a document, what it was given besides, and what it has found there."""

    reads: Reads
    given: tuple[Any, ...]
    found: tuple[Problem, ...]


MOST_PATHS = 5000
"""So many parts of checks are kept; then all are looked at again."""

_looks: dict[tuple[Any, str], tuple[Look, ...]] = {}


def seen_before(index: Index, look: Check) -> Iterator[Problem]:
    """What a check finds; it looks only where it has not looked before."""
    key = look, ""
    for one in _looks.get(key, ()):
        if index.is_same(one.reads):
            yield from one.found
            return
    reads, found = index.noting(), list[Problem]()
    for problem in look(index):
        found.append(problem)
        yield problem
    _looks[key] = (Look(reads, (), tuple(found)), *_looks.get(key, ()))[:MOST]


def each_seen_before(
    index: Index, look: Callable[..., Iterator[Problem]], path: str, *given: Any
) -> tuple[Problem, ...]:
    """What a part of a check finds at a path, where the check itself has to look again."""
    key = look, path
    for one in _looks.get(key, ()):
        same = len(given) == len(one.given) and all(map(_is_same, given, one.given))
        if same and index.is_same(one.reads):
            index.note_all(one.reads)
            return one.found
    if len(_looks) > MOST_PATHS:
        _looks.clear()
    with index.noting_apart() as reads:
        found = tuple(look(index, path, *given))
    _looks[key] = (Look(reads, given, found), *_looks.get(key, ()))[:MOST]
    return found


def _is_same(a: object, b: object) -> bool:
    return a is b or (isinstance(a, str) and a == b)


# Sort problems: gravest first, then in the order of the document.

GRAVE = {"error": 0, "warning": 1, "note": 2}


def in_order(project: Project, problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Sort problems by severity and by where they stand."""
    finder = _Places(project)
    return tuple(sorted(problems, key=lambda one: (GRAVE[one.severity], finder.place(one.path))))


class _Places:
    """Turn paths into positions in the document; lists are looked through once."""

    def __init__(self, project: Project) -> None:
        self._project = project
        self._numbers: dict[int, dict[str, int]] = {}
        self._fields: dict[type[Part], dict[str, int]] = {}

    def place(self, path: str) -> tuple[int, ...]:
        """Give the position of each word of a path among its neighbours."""
        out: list[int] = []
        here: Any = self._project
        for word in path.split("/") if path else ():
            if isinstance(here, Part):
                number = self._field_numbers(type(here)).get(word, -1)
                here = getattr(here, word, None)
            elif isinstance(here, tuple):
                number = self._item_numbers(here).get(word, -1)
                here = here[number] if number >= 0 else None
            else:
                number = -1
            out.append(number)
        return tuple(out)

    def _field_numbers(self, model: type[Part]) -> dict[str, int]:
        if model not in self._fields:
            self._fields[model] = {name: i for i, name in enumerate(model.model_fields)}
        return self._fields[model]

    def _item_numbers(self, items: tuple[Any, ...]) -> dict[str, int]:
        if id(items) not in self._numbers:
            numbers: dict[str, int] = {}
            for i, item in enumerate(items):
                numbers.setdefault(str(getattr(item, "id", i)), i)
            self._numbers[id(items)] = numbers
        return self._numbers[id(items)]


# Write `docs/checks.md` from the catalogue.

HEAD = """\
# Checks

A project is checked in three passes. All problems of a pass are listed at once. Each has a
severity, a code that never changes, the place in the document, a sentence, and a hint how to mend it.
An error prevents a run; a warning and a note do not.

This page is produced from the program; do not edit it.
"""
TITLES = {
    FILE: (
        "First pass: files, types and ranges",
        "While a file is read, changed or saved. The later passes need a document without these.",
    ),
    TOPOLOGY: (
        "Second pass: references and topology",
        "Whether what is named exists, fits, and can act where it stands.",
    ),
    PHYSICS: (
        "Third pass: physics",
        "Only where the second pass found no error: whether it can be so, and how it starts.",
    ),
}


def checks_markdown() -> str:
    """The text of `docs/checks.md`: a table of codes for each pass."""
    lines = [HEAD]
    for number, (title, words) in TITLES.items():
        lines += [f"## {title}", "", words, "", "| code | severity | meaning |", "|---|---|---|"]
        for severity in ("error", "warning", "note"):
            lines += [
                f"| `{info.code}` | {severity} | {info.meaning} |"
                for info in sorted(CODES.values(), key=lambda one: one.code)
                if info.check_pass == number and info.severity == severity
            ]
        lines.append("")
    return "\n".join(lines)


# List the codes of the first pass: they are found while a file is read, changed or saved.

declare(
    FILE,
    "error",
    {
        "file-missing": "There is no such file.",
        "file-unreadable": "The file cannot be opened or read.",
        "file-is-folder": "The path names a folder.",
        "file-too-large": "The file is larger than a project can be.",
        "file-not-text": "The file is not UTF-8 text.",
        "file-not-json": "The file is not JSON, or is cut off.",
        "file-too-deep": "The file is nested too deeply.",
        "format-unknown": "The file is not a Manikin project.",
        "format-version": "The schema version is not a whole number from 1 on.",
        "format-newer": "The file was written by a newer program.",
        "field-missing": "A field that is needed is missing.",
        "field-unknown": "A field is not known here.",
        "field-type": "A value has the wrong type.",
        "field-range": "A value is out of its range, or a list has the wrong length.",
        "field-choice": "A word is none of those allowed.",
        "field-twice": "A field stands twice in one object.",
        "number-not-finite": "A number is infinite or not a number.",
        "kind-missing": "The kind of an element is missing.",
        "kind-unknown": "There is no such kind of element.",
        "many-problems": "There are more problems than are listed.",
        "curve-twice": "A table has points and a CSV file.",
        "curve-no-folder": "A CSV curve needs a project that is saved in a folder.",
        "curve-file": "A CSV file is missing, unreadable, or holds something else than numbers.",
        "curve-outside": "A CSV file lies outside the project's folder.",
        "set-path": "A path to a value leads nowhere.",
        "save-failed": "The project cannot be written.",
        "include-itself": "A project would include itself, directly or by way of others.",
    },
)
declare(
    FILE,
    "note",
    {
        "format-older": "The file has an older schema version.",
        "include-changed": "A project file that was included has changed since.",
        "include-gone": "A project file that was included is no longer there.",
        "include-unseen": "An included file is not looked at, as it is on another machine or the project in no folder yet.",
    },
)
