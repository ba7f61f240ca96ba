"""Give a project another number for a parameter of a study: the number itself, or a factor of what stands there."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.project.changes import value_at, with_value
from solver.project.document import Project
from solver.project.formulas import value_of
from solver.project.studies import StudyBase
from solver.project.study_parts import StudyParameter


def present_of(project: Project, parameter: StudyParameter) -> float:
    """Give a parameter's number as the project stands: of a factor it is 1."""
    return 1.0 if parameter.is_factor else float(value_at(project, parameter.path))


def value_for(project: Project, parameter: StudyParameter, number: float) -> Any:
    """Give what stands at the path of a parameter for a number of it."""
    if not parameter.is_factor:
        return number
    there = value_at(project, parameter.path)
    return tuple(number * one for one in there) if isinstance(there, tuple) else number * there


def varied(project: Project, parameter: StudyParameter, number: float) -> Project:
    """Give the project with another number for a parameter; raises ProjectError where it cannot stand there."""
    return with_value(project, parameter.path, value_for(project, parameter, number))


def changes_of(project: Project, study: StudyBase, numbers: Sequence[float]) -> dict[str, Any]:
    """Give what stands at each path for numbers of a study's parameters, what follows from them behind."""
    pairs = list(zip(study.parameters, numbers, strict=True))
    found = {one.path: value_for(project, one, number) for one, number in pairs}
    known = {one.id: number for one, number in pairs}
    return found | {one.path: value_of(one.formula, known) for one in study.following}


def with_numbers(project: Project, study: StudyBase, numbers: Sequence[float]) -> Project:
    """Give the project with other numbers for a study's parameters; raises ProjectError where one cannot stand there."""
    for path, value in changes_of(project, study, numbers).items():
        project = with_value(project, path, value)
    return project


def can_vary(value: Any, *, is_factor: bool) -> bool:
    """Tell whether a study can vary what stands at a path: a number; by a factor also a list of them, as of a curve."""
    if is_factor and isinstance(value, tuple):
        return bool(value) and all(isinstance(one, float) for one in value)
    return isinstance(value, float)
