"""How large those are who sit in models, and which elements are parts of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from app.editing.persons import Person, people
from app.forms.units import Units
from solver.base.words import msgid, tr
from solver.bodies.library.replacing import own_of
from solver.project import Project
from solver.scene.placing import pose_at_start

_BONES: Mapping[str, tuple[str, str]] = {
    msgid("{name}: hip to knee"): ("right_upper_leg", "right_lower_leg"),
    msgid("{name}: knee to ankle"): ("right_lower_leg", "right_foot"),
    msgid("{name}: shoulder to elbow"): ("right_upper_arm", "right_forearm"),
}
"""Lengths that tell a size, between the joints that carry two segments."""
_SAME = 1e-3
"""Masses (kg) and lengths (m) that are no further apart are the same."""


@dataclass(frozen=True, slots=True)
class Size:
    """Hold one measure of one person in all models: value and words, or none where nobody sits."""

    title: str
    values: tuple[tuple[float, str, None] | None, ...]
    path: str


def sizes(projects: Sequence[Project], units: Units) -> Iterator[Size]:
    """Give masses and lengths of limbs of those whose masses differ from model to model."""
    found = [{one.prefix: one for one in people(project)} for project in projects]
    every = {prefix: one for known in reversed(found) for prefix, one in known.items()}
    for prefix, known in every.items():
        there = [one.get(prefix) for one in found]
        masses = [None if one is None else one.mass_kg for one in there]
        if not _differ(masses):
            continue
        path = f"segments/{known.root}"
        yield Size(tr("{name}: mass", name=known.name), _said(masses, "kg", units), path)
        for title, joints in _BONES.items():
            lengths = [
                None if one is None else _between(project, one, *joints)
                for project, one in zip(projects, there, strict=True)
            ]
            if _differ(lengths):
                yield Size(tr(title, name=known.name), _said(lengths, "m", units), path)


def parts_of_people(projects: Sequence[Project]) -> set[str]:
    """Give the paths of all elements that make a person in one of the models."""
    return {
        path
        for project in projects
        for one in people(project)
        for path in (*own_of(project, one.prefix), *one.paths)
    }


def _between(project: Project, one: Person, upper: str, lower: str) -> float | None:
    """Give how far the joint that carries a segment is from the one that carries the next (m)."""
    ahead = f"{one.prefix}_" if one.prefix else ""
    frames = {j.child: j.child_frame.position_m for j in project.joints}
    ends = [ahead + upper, ahead + lower]
    if any(end not in frames for end in ends):
        return None
    at = pose_at_start(project)
    first, second = (at[end].of(np.array(frames[end])) for end in ends)
    return float(np.linalg.norm(second - first))


def _differ(values: Sequence[float | None]) -> bool:
    known = [value for value in values if value is not None]
    return len(known) < len(values) or max(known) - min(known) > _SAME


def _said(
    values: Sequence[float | None], unit: str, units: Units
) -> tuple[tuple[float, str, None] | None, ...]:
    return tuple(
        None if v is None else (v, units.with_unit(units.short(v, unit), unit), None)
        for v in values
    )
