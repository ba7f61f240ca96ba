"""Check a document: references and topology, then physics; every problem at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.base.words import Sentence
from solver.project.checks import (  # noqa: F401  (each module registers its checks)
    airbags,
    beams,
    belts,
    blocks,
    bodies,
    closures,
    contacts,
    coordinate_forces,
    crash_frames,
    drivers,
    energy_steps,
    ids,
    injury,
    joints,
    laws,
    lines,
    links,
    modal,
    numbers,
    people,
    registry,
    runs,
    start,
    studies,
    topology,
    tyres,
    varied,
)
from solver.project.checks.index import Index
from solver.project.checks.registry import (
    CHECKS,
    CODES,
    PHYSICS,
    TOPOLOGY,
    CheckInfo,
    checks_markdown,
    in_order,
    seen_before,
)
from solver.project.document import Project
from solver.project.expanding import expanded, told_of_parts
from solver.project.linked import look_at
from solver.project.problems import MOST_PROBLEMS, Problem, ProjectError, error

__all__ = [
    "CheckInfo",
    "Checked",
    "catalogue",
    "check",
    "checked",
    "checks_markdown",
    "refuse_broken",
]


@dataclass(frozen=True)
class Checked:
    """Vouch for a project: anyone who makes one says that `check` has found no errors in it."""

    project: Project
    problems: tuple[Problem, ...] = ()


def check(project: Project) -> tuple[Problem, ...]:
    """All problems of a project whose types and ranges are right (passes two and three).

    Physics is looked at only where references and topology have no errors. Errors come first, then
    warnings, then notes, each in the order of the document.
    """
    whole = expanded(project)
    index = Index(whole)
    found = _found(index, TOPOLOGY)
    if not any(one.severity == "error" for one in found):
        with np.errstate(all="ignore"):
            found += _found(index, PHYSICS)
    if whole is not project:
        found = told_of_parts(project, found)
    # what stands on the disk may change while the document stays
    found += look_at(project)
    # elements with one id have one path: what is said of both is said once
    return in_order(project, list(dict.fromkeys(found)))


def checked(project: Project | Checked) -> Checked:
    """Check a project, unless somebody has; raises ProjectError where it has errors."""
    if isinstance(project, Checked):
        return project
    problems = check(project)
    if any(one.severity == "error" for one in problems):
        raise ProjectError(problems)
    return Checked(project, problems)


def refuse_broken(project: Project) -> None:
    """Raise ProjectError where references and topology do not hold: kernels would reach beyond their arrays."""
    problems = _found(Index(expanded(project)), TOPOLOGY)
    if any(one.severity == "error" for one in problems):
        raise ProjectError(problems)


def _found(index: Index, check_pass: Literal[1, 2, 3]) -> list[Problem]:
    """Look for the problems of one pass; a flood of errors is cut, so that no file is endless."""
    found: list[Problem] = []
    errors = 0
    for one in (one for look in CHECKS[check_pass] for one in seen_before(index, look)):
        if one.severity == "error":
            errors += 1
            if errors > MOST_PROBLEMS:
                sentence = Sentence(
                    "More than {most_problems} errors; the rest are not listed.",
                    most_problems=MOST_PROBLEMS,
                )
                found.append(error("many-problems", "", sentence, "Mend some of them first."))
                break
        found.append(one)
    return found


def catalogue() -> list[CheckInfo]:
    """List every code that a check can give, by pass, gravest first."""
    grave = {"error": 0, "warning": 1, "note": 2}
    return sorted(CODES.values(), key=lambda c: (c.check_pass, grave[c.severity], c.code))
