"""Make new elements that are sound from the start and fit what is selected."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app import texts
from app.editing.bench import Bench, CannotMake
from app.editing.fresh_bodies import BODIES
from app.editing.fresh_forces import FORCES
from app.editing.fresh_runs import RUNS
from app.editing.naming import free_name
from app.elements import find
from solver.project import LISTS, Project
from solver.project.changes import with_value

__all__ = ["MAKERS", "CannotMake", "Made", "Maker", "add", "maker", "why_not"]


@dataclass(frozen=True, slots=True)
class Maker:
    """Hold a kind of element that can be added: its list, and how it is made."""

    list_name: str
    kind: str
    make: Callable[[Bench], str]

    @property
    def id(self) -> str:
        """Name the maker: 'joints.pin', 'segments'."""
        return f"{self.list_name}.{self.kind}" if self.kind else self.list_name

    @property
    def title(self) -> str:
        """Give what it is called: 'Pin joint'."""
        return texts.making.MAKERS[self.id][0]

    @property
    def tip(self) -> str:
        """Say in a sentence what it does."""
        return texts.making.MAKERS[self.id][1]


@dataclass(frozen=True, slots=True)
class Made:
    """Hold the project with the new element, its path, and what else was made for it."""

    project: Project
    path: str
    with_it: tuple[str, ...]


MAKERS: tuple[Maker, ...] = tuple(
    Maker(list_name, kind, make)
    for list_name in LISTS
    for (name, kind, make) in (*BODIES, *FORCES, *RUNS)
    if name == list_name
)
"""Everything that can be added, in the order of the document."""


_BY_WHAT = ("outputs", "symmetry")
"""Lists whose new elements are called by what they belong to, not by their kind."""


def maker(id_: str) -> Maker:
    """Find a maker by its name; the first of a list for the list's name alone."""
    found = [one for one in MAKERS if one.id == id_ or one.list_name == id_]
    return found[0]


def add(project: Project, one: Maker, chosen: Sequence[str] = ()) -> Made:
    """Add a new element of a kind; raises CannotMake, saying what has to be there first."""
    bench = Bench(project, chosen)
    path = f"{one.list_name}/{one.make(bench)}"
    with_it = tuple(made for made in bench.made if made != path)
    return Made(_with_name(bench.project, one, path), path, with_it)


def _with_name(project: Project, one: Maker, path: str) -> Project:
    """Give a new element a name that people read, unless it is called by what it joins."""
    item: Any = find(project, path)
    if item.name or one.list_name == "contacts":
        return project
    wanted = _words(item.id) if one.list_name in _BY_WHAT else one.title
    used = {other.name for other in getattr(project, one.list_name)}
    return with_value(project, f"{path}/name", free_name(wanted, used))


def is_fresh(list_name: str, item: Any) -> bool:
    """Tell whether an element still has the name that it was made with, or none."""
    words = re.sub(r" \(\d+\)$", "", item.name)
    if list_name in _BY_WHAT:
        return words in ("", _words(item.id))
    return words in ("", *(one.title for one in MAKERS if one.list_name == list_name))


def _words(id_: str) -> str:
    """Write an id as words: 'pelvis_acceleration' is Pelvis acceleration."""
    return f"{id_[:1].upper()}{id_[1:].replace('_', ' ')}"


def why_not(project: Project, one: Maker, chosen: Sequence[str] = ()) -> str:
    """Say why an element cannot be added now; empty where it can."""
    try:
        add(project, one, chosen)
    except CannotMake as reason:
        return str(reason)
    return ""
