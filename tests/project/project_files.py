"""Project files for tests, and what reading them says."""

from __future__ import annotations

from pathlib import Path

import pytest

from solver.project import SCHEMA_VERSION, Problem, ProjectError, parse

HEAD = {"format": "manikin-project", "schema_version": SCHEMA_VERSION}


def refusals(text: str, folder: Path | None = None) -> tuple[Problem, ...]:
    with pytest.raises(ProjectError) as failure:
        parse(text, folder)
    return failure.value.problems


def only(problems: tuple[Problem, ...]) -> Problem:
    assert len(problems) == 1, [str(p) for p in problems]
    return problems[0]
