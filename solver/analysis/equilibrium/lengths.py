"""What is counted from the start: settling moves the start, and must not move what springs are at rest at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from solver.engine.dynamics.tree import Array
from solver.model.compile import Model, compile_model
from solver.model.links import lines_of
from solver.project.checks import Checked
from solver.project.document import Project

SAME = 1e-9
"""Difference (m or rad) that makes no other length."""


def with_lengths(project: Project) -> Project:
    """Write down rest lengths and zeros that are counted from the start as they are now."""
    if not _counts(project):
        return project
    return _written(project, compile_model(Checked(project)))


def without_same(project: Project, before: Project) -> Project:
    """Leave out again what has been written down, where the start that was found gives the same."""
    if not _counts(before):
        return project
    bare = project.model_copy(
        update={
            "springs": _left_out(project.springs, before.springs, "rest_length_m"),
            "coordinate_forces": _left_out(
                project.coordinate_forces, before.coordinate_forces, "zero"
            ),
        }
    )
    found = _written(bare, compile_model(Checked(bare)))
    return bare.model_copy(
        update={
            "springs": _chosen(bare.springs, project.springs, found.springs, "rest_length_m"),
            "coordinate_forces": _chosen(
                bare.coordinate_forces, project.coordinate_forces, found.coordinate_forces, "zero"
            ),
        }
    )


def written_down(before: Project, after: Project) -> list[str]:
    """Name what was counted from the start and no longer is."""
    pairs = [
        *zip(before.springs, after.springs, strict=True),
        *zip(before.coordinate_forces, after.coordinate_forces, strict=True),
    ]
    return [was.id for was, one in pairs if was != one]


def _counts(project: Project) -> bool:
    """Tell whether anything is counted from the start."""
    springs = any(getattr(one, "rest_length_m", 0.0) is None for one in project.springs)
    return springs or any(one.zero is None for one in project.coordinate_forces)


def _written(project: Project, model: Model) -> Project:
    system = model.system
    rest = {one.id: system.lines.rest[n] for n, one in enumerate(lines_of(project))}
    zero = {one.id: system.coordinates.zero[n] for n, one in enumerate(project.coordinate_forces)}
    return project.model_copy(
        update={
            "springs": _given(project.springs, "rest_length_m", rest),
            "coordinate_forces": _given(project.coordinate_forces, "zero", zero),
        }
    )


def _given(items: Sequence[Any], name: str, values: dict[str, Array]) -> tuple[Any, ...]:
    return tuple(
        one.model_copy(update={name: float(values[one.id])})
        if getattr(one, name, 0.0) is None
        else one
        for one in items
    )


def _left_out(items: Sequence[Any], before: Sequence[Any], name: str) -> tuple[Any, ...]:
    return tuple(
        one.model_copy(update={name: None}) if getattr(was, name, 0.0) is None else one
        for one, was in zip(items, before, strict=True)
    )


def _chosen(
    bare: Sequence[Any], written: Sequence[Any], found: Sequence[Any], name: str
) -> tuple[Any, ...]:
    return tuple(
        one if abs(getattr(kept, name, 0.0) - getattr(new, name, 0.0)) <= SAME else kept
        for one, kept, new in zip(bare, written, found, strict=True)
    )
