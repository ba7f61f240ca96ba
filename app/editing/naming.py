"""Say in words what a change does, and give new elements ids that are free."""

from __future__ import annotations

from collections.abc import Sequence

from app import texts
from app.elements import called, find
from solver.base.words import plural, tr
from solver.editing.naming import free_id as free_id
from solver.editing.naming import free_name as free_name
from solver.editing.naming import free_prefix as free_prefix
from solver.editing.naming import id_from as id_from
from solver.editing.naming import taken as taken
from solver.project import Project


def named(project: Project, paths: Sequence[str]) -> str:
    """Name elements: 'Head', 'Head and Neck', '3 segments', '5 elements'."""
    if len(paths) <= 2:
        names = [_name(project, path) for path in paths]
        return tr(texts.elements.AND, one=names[0], other=names[1]) if names[1:] else names[0]
    return counted(paths)


def counted(paths: Sequence[str]) -> str:
    """Count elements by kind: '1 joint, 2 contacts'."""
    numbers: dict[str, int] = {}
    for path in paths:
        numbers[path.split("/", 1)[0]] = numbers.get(path.split("/", 1)[0], 0) + 1
    return ", ".join(
        f"{n} {plural(texts.elements.ONE[key], texts.elements.MANY[key], n)}"
        for key, n in numbers.items()
    )


def many(list_name: str) -> str:
    """Name several elements of a list: 'contact laws'."""
    return tr(texts.elements.MANY[list_name])


def _name(project: Project, path: str) -> str:
    item = find(project, path)
    return path.rsplit("/", 1)[-1] if item is None else called(project, item)
