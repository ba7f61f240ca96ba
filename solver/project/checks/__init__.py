"""Check a document: references and topology, then physics; every problem at once."""

from __future__ import annotations

from typing import Literal

import numpy as np

from solver.project.checks import (  # noqa: F401  (each module registers its checks)
    airbags,
    belts,
    bodies,
    contacts,
    curves,
    file_codes,
    ids,
    injury,
    joints,
    laws,
    links,
    motions,
    runs,
    start,
    topology,
)
from solver.project.checks.index import Index
from solver.project.checks.order import in_order
from solver.project.checks.page import checks_markdown
from solver.project.checks.registry import CHECKS, CODES, PHYSICS, TOPOLOGY, CheckInfo
from solver.project.document import Project
from solver.project.problems import MOST_PROBLEMS, Problem, error

__all__ = ["CheckInfo", "catalogue", "check", "checks_markdown"]


def check(project: Project) -> tuple[Problem, ...]:
    """Give all problems of a project whose types and ranges are right (passes two and three).

    Physics is looked at only where references and topology have no errors. Errors come first, then
    warnings, then notes, each in the order of the document.
    """
    index = Index(project)
    found = _found(index, TOPOLOGY)
    if not any(one.severity == "error" for one in found):
        with np.errstate(all="ignore"):
            found += _found(index, PHYSICS)
    # elements with one id have one path: what is said of both is said once
    return in_order(project, list(dict.fromkeys(found)))


def _found(index: Index, check_pass: Literal[1, 2, 3]) -> list[Problem]:
    """Look for the problems of one pass; a flood of errors is cut, so that no file is endless."""
    found: list[Problem] = []
    errors = 0
    for one in (one for look in CHECKS[check_pass] for one in look(index)):
        if one.severity == "error":
            errors += 1
            if errors > MOST_PROBLEMS:
                sentence = f"More than {MOST_PROBLEMS} errors; the rest are not listed."
                found.append(error("many-problems", "", sentence, "Mend some of them first."))
                break
        found.append(one)
    return found


def catalogue() -> list[CheckInfo]:
    """List every code that a check can give, by pass, gravest first."""
    grave = {"error": 0, "warning": 1, "note": 2}
    return sorted(CODES.values(), key=lambda c: (c.check_pass, grave[c.severity], c.code))
