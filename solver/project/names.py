"""Name the document's elements as people do."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from solver.base.words import Sentence, tr, within
from solver.project.contact import PlaneContact, SurfaceContact
from solver.project.document import LISTS, Project
from solver.project.geometry import SurfaceRef
from solver.project.memo import memoised
from solver.project.segments import Segment

_QUOTED = re.compile(r"'(?P<id>[^\s/'\"]+)'")
"""An id, or an id with a part of it, in quotes: as `fields.Id` has it, with a colon too."""
_PART = re.compile(r"(?<=[:,]) ")
"""Where a name may be parted: 'Driver: Hybrid III, small woman'."""


def name_of(item: Any) -> str:
    """What people read: the name, or the id where that is empty."""
    return str(item.name or item.id)


def called(project: Project, item: Any) -> str:
    """What people read of an element; a contact without a name is called by what meets."""
    if item.name or not isinstance(item, PlaneContact | SurfaceContact):
        return name_of(item)
    if isinstance(item, PlaneContact):
        one, other = _side(project, item.surface), distinct(project, "planes", item.plane)
    else:
        one, other = _side(project, item.first), _side(project, item.second)
    # a word loses its capital in the middle of a name; 'B-pillar' does not
    first = within(other[:1]) if other[1:2].islower() else other[:1]
    return tr("{one} on {other}", one=one, other=f"{first}{other[1:]}")


def called_at(project: Project, path: str) -> str:
    """What people read of the element at a path such as 'belts/lap'; its id where there is none."""
    name, _, id_ = path.partition("/")
    items = getattr(project, name) if name in LISTS else ()
    item = next((one for one in items if one.id == id_), None)
    return path.rpartition("/")[2] if item is None else called(project, item)


def with_names(project: Project, sentence: Sentence | str) -> str:
    """Put names in place of ids in quotes, where all that have the id have one other name."""

    def word(quoted: re.Match[str]) -> str:
        id_, dot, axis = quoted["id"].partition(".")
        found = [
            in_full(project, name, item)
            for name in LISTS
            for item in getattr(project, name)
            if item.id == id_
        ]
        words = found[0] if len(set(found)) == 1 else id_
        return f"‘{words}{dot and ', '}{axis}’" if words != id_ else quoted[0]

    return _QUOTED.sub(word, str(sentence))


def in_full(project: Project, list_name: str, item: Any) -> str:
    """What people read of an element so that no other one reads the same: 'Head (Driver)'."""
    return (
        called(project, item) if list_name == "contacts" else distinct(project, list_name, item.id)
    )


def told_apart(names: Sequence[str]) -> tuple[str, list[str]]:
    """What all names begin with, and of each what is left: 'Driver: Hybrid III, ' and 'small woman', 'large man'."""
    parts = [_PART.split(name) for name in names]
    same = 0
    if len(set(names)) > 1:
        least = min(map(len, parts)) - 1
        same = next((n for n in range(least) if len({one[n] for one in parts}) > 1), least)
    lead = " ".join(parts[0][:same]) if parts else ""
    return lead and f"{lead} ", [" ".join(one[same:]) for one in parts]


def _side(project: Project, surface: SurfaceRef) -> str:
    """Name a surface by its segment, and by its own name where there are several."""
    segment = _segments(project).get(surface.segment)
    name = distinct(project, "segments", surface.segment)
    if segment is None or len(segment.surfaces) < 2:
        return name
    own = next((name_of(s) for s in segment.surfaces if s.id == surface.surface), surface.surface)
    return f"{name} › {own}"


def distinct(project: Project, list_name: str, id_: str) -> str:
    """Name an element; where another one has the same name with its group, or with whose it is: 'Head (Passenger)'."""
    return _names(project, list_name).get(id_, id_)


@memoised
def _segments(project: Project) -> Mapping[str, Segment]:
    # the first of those with one id
    return {one.id: one for one in reversed(project.segments)}


@memoised
def _names(project: Project, list_name: str) -> Mapping[str, str]:
    alike, names = dict[str, list[Any]](), dict[str, str]()
    for item in getattr(project, list_name):
        alike.setdefault(name_of(item), []).append(item)
    for name, items in alike.items():
        if len(items) == 1:
            marks = [""]
        elif len({item.group for item in items}) == len(items):
            marks = [item.group for item in items]
        else:
            marks = _apart([item.id.split("_") for item in items])
        for item, mark in zip(items, marks, strict=True):
            names.setdefault(item.id, f"{name} ({mark})" if mark else name)
    return names


def _apart(ids: Sequence[list[str]]) -> list[str]:
    """Say by which words some ids differ: of driver_head and passenger_head 'Driver' and 'Passenger'."""
    behind = _shared([one[::-1] for one in ids])
    ids = [one[: len(one) - behind] for one in ids]
    before = _shared(ids)
    return [read_as_words("_".join(one[before:])) for one in ids]


def read_as_words(id_: str) -> str:
    """Read an id as it was written: 'Max_M' as 'Max M', 'left_arm' as 'Left arm'."""
    return f"{id_[:1].upper()}{id_[1:]}".replace("_", " ")


def _shared(words: Sequence[Sequence[str]]) -> int:
    """Count with how many words all of them begin alike."""
    columns = enumerate(zip(*words, strict=False))
    return next((n for n, column in columns if len(set(column)) > 1), min(map(len, words)))
