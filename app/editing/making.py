"""Make new elements that are sound from the start and fit what is selected."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from app import texts
from app.editing.naming import free_id, free_name, taken
from app.editing.new_beams import BEAMS
from app.editing.new_bodies import BODIES
from app.editing.new_closures import CLOSURES
from app.editing.new_connectors import CONNECTORS as TABLE_2
from app.editing.new_connectors import edges, strut_maker
from app.editing.new_forces import FORCES
from app.editing.new_runs import RUNS
from app.editing.parts import new_part
from app.elements import find
from solver.base.words import tr
from solver.editing.bench import Bench, CannotMake
from solver.project import LISTS, Project
from solver.project.changes import with_value
from solver.project.fields import Part
from solver.project.schema import kind_words, models_of

__all__ = ["CONNECTORS", "MAKERS", "CannotMake", "Made", "Maker", "add", "maker", "why_not"]


@dataclass(frozen=True, slots=True)
class Maker:
    """A kind of element that can be added: its list, and how it is made."""

    list_name: str
    kind: str
    make: Callable[[Bench], str]

    @property
    def id(self) -> str:
        """Name the maker: 'joints.pin', 'segments'."""
        return f"{self.list_name}.{self.kind}" if self.kind else self.list_name

    @property
    def title(self) -> str:
        """What it is called: 'Pin joint'."""
        return tr(self._words[0])

    @property
    def english(self) -> str:
        """The name that new elements have in the file."""
        return self._words[0]

    @property
    def tip(self) -> str:
        """Say in a sentence what it does."""
        return tr(self._words[1])

    @property
    def _words(self) -> tuple[str, str]:
        """Give title and tip: words of the window's own, else those of the schema."""
        if self.id in texts.making.MAKERS:
            return texts.making.MAKERS[self.id]
        called = texts.elements.ONE[self.list_name]
        if not self.kind:
            (model,) = models_of(self.list_name)
            return called.capitalize(), str(model.__doc__).splitlines()[0]
        model = next(m for m in models_of(self.list_name) if self.kind in kind_words(m))
        title = f"{self.kind.replace('_', ' ')} {called}".capitalize()
        return title, str(model.model_fields["kind"].description)


@dataclass(frozen=True, slots=True)
class Made:
    """The project with the new element, its path, and what else was made for it."""

    project: Project
    path: str
    with_it: tuple[str, ...]


_OWN = (
    *BODIES,
    ("joints", "extensional", strut_maker("both")),
    *FORCES,
    *BEAMS,
    ("constraints", "edge_on_edge", edges),
    *CLOSURES,
    *RUNS,
)


def _makers(list_name: str) -> tuple[Maker, ...]:
    """The makers of a list; where it has none of its own, elements begin as every part does."""
    own = tuple(Maker(list_name, kind, make) for (name, kind, make) in _OWN if name == list_name)
    if own:
        return own
    models = models_of(list_name)
    if len(models) == 1:
        return (Maker(list_name, "", _plain(list_name, models[0])),)
    return tuple(
        Maker(list_name, kind, _plain(list_name, m)) for m in models for kind in kind_words(m)
    )


def _plain(list_name: str, model: type[Part]) -> Callable[[Bench], str]:
    def make(bench: Bench) -> str:
        id_ = free_id(model.__name__.lower(), taken(bench.project, list_name))
        bench.append(list_name, new_part(bench, model, id=id_))
        return id_

    return make


MAKERS: tuple[Maker, ...] = tuple(one for list_name in LISTS for one in _makers(list_name))
"""Everything that can be added, in the order of the document."""


CONNECTORS: tuple[Maker, ...] = tuple(Maker(*row) for row in TABLE_2)
"""The connectors of Table 2 of seed 003, each with a picture."""

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
    wanted = _words(item.id) if one.list_name in _BY_WHAT else one.english
    used = {other.name for other in getattr(project, one.list_name)}
    return with_value(project, f"{path}/name", free_name(wanted, used))


def is_fresh(list_name: str, item: Any) -> bool:
    """Whether an element still has the name that it was made with, or none."""
    words = re.sub(r" \(\d+\)$", "", item.name)
    if list_name in _BY_WHAT:
        return words in ("", _words(item.id))
    return words in (
        "",
        *(one.english for one in (*MAKERS, *CONNECTORS) if one.list_name == list_name),
    )


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
