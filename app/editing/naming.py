"""Give new elements ids that are free, and say in words what a change does."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection, Sequence

from app import texts
from app.elements import called, find
from solver.base.words import plural, tr
from solver.project import Project
from solver.project.document import LISTS
from solver.project.segments import GROUND

_EDITION = "{name} ({number})"
"""The second of a name, the third."""


def taken(project: Project, list_name: str) -> set[str]:
    """The ids of a list; ground counts among segments."""
    ids = {item.id for item in getattr(project, list_name)}
    return ids | {GROUND} if list_name == "segments" else ids


def free_id(wanted: str, used: Collection[str]) -> str:
    """An id that is not used: head, head_2, head_3."""
    base = re.sub(r"_\d+$", "", wanted) or wanted
    if wanted not in used:
        return wanted
    number = 2
    while f"{base}_{number}" in used:
        number += 1
    return f"{base}_{number}"


def free_name(wanted: str, used: Collection[str]) -> str:
    """A name that is not used: Plane, Plane (2), Plane (3)."""
    if wanted not in used:
        return wanted
    number = 2
    while (fresh := _EDITION.format(name=wanted, number=number)) in used:
        number += 1
    return fresh


def id_from(name: str, keep_case: bool = False) -> str:
    """Turn what people call a thing into an id: 'Left Upper arm' is left_upper_arm."""
    plain = unicodedata.normalize("NFC", name).strip()
    plain = plain if keep_case else plain.lower()
    return re.sub(r"[^\w-]+", "_", plain).strip("_")[:80]


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


def free_prefix(project: Project, piece: Project) -> str:
    """A prefix under which no id of a piece clashes with one that is there: none, n2, n3."""
    number, prefix = 1, ""
    while any(
        {f"{prefix}_{one.id}".lstrip("_") for one in getattr(piece, name)}
        & {one.id for one in getattr(project, name)}
        for name in LISTS
    ):
        number += 1
        prefix = f"n{number}"
    return prefix
