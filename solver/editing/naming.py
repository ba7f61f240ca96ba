"""Give new elements ids, names and prefixes that are free."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection

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
