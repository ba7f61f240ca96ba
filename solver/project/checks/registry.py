"""Keep the checks and the codes that they can give; a check declares its codes beside itself."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from solver.base.words import NOTHING, said
from solver.project.problems import Problem, Severity, Words

if TYPE_CHECKING:
    from solver.project.checks.index import Index

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
    return Problem(CODES[code].severity, code, path, said(sentence), said(hint))
