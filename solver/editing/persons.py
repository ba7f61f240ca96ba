"""People as things: who is in a model, and one of them renamed or taken away as a whole."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from solver.base.words import msgid, tr
from solver.bodies import (
    DUMMIES,
    LIBRARY,
    Body,
    Dimensions,
    adult_dimensions,
    adult_range,
    child_dimensions,
    child_range,
    generated,
    human,
    library_body,
)
from solver.bodies.library.occupants import bearing, occupants
from solver.bodies.library.replacing import own_of, segments_of
from solver.bodies.made_to_measure import SEXES
from solver.bodies.people.sizes import MAN_YEARS
from solver.editing.naming import free_id, id_from
from solver.injury.parts import occupants as told
from solver.project import LISTS, Project
from solver.project.memo import memoised
from solver.project.names import read_as_words
from solver.project.references import Key, keys_in, needs, redirected
from solver.project.segments import GROUND


@dataclass(frozen=True, slots=True)
class Person:
    """A body of a model: its prefix, what it is called, its segments with the root last, and its mass."""

    prefix: str
    name: str
    segments: tuple[str, ...]
    mass_kg: float
    is_ours: bool
    """Whether its parts have the names of the library, so that another body can take its place."""

    @property
    def root(self) -> str:
        """Name the segment that carries it."""
        return self.segments[-1]

    @property
    def path(self) -> str:
        """Name it among the rows of the outline."""
        return f"people/{self.root}"

    @property
    def paths(self) -> tuple[str, ...]:
        """Give its segments as elements, the root last."""
        return tuple(f"segments/{one}" for one in self.segments)


@memoised
def people(project: Project) -> tuple[Person, ...]:
    """Find all bodies of a model, in the order of its segments."""
    mass = {segment.id: segment.mass_kg for segment in project.segments}
    found: list[Person] = []
    used: set[str] = set()

    def add(prefix: str, root: str, name: str, ours: bool) -> None:
        segments = segments_of(project, prefix, root)
        if used & set(segments) or len(segments) < 2:
            return
        used.update(segments)
        ordered = (*(s for s in segments if s != root), root)
        weight = sum(mass[s] or 0.0 for s in segments)
        found.append(Person(prefix, name, ordered, weight, ours))

    for who in occupants(project):
        root = f"{who.prefix}_lower_torso" if who.prefix else "lower_torso"
        if root in mass:
            add(who.prefix, root, _person_label(who.prefix), True)
    for one in told(project):
        at = one.segments.get("lower_torso")
        if at is not None and "upper_torso" in one.segments:
            add("", at, _person_label(one.name), False)
    return tuple(found)


def person_of(project: Project, path: str) -> Person | None:
    """Find whose part an element is: a segment, or what is joined to one."""
    list_name, _, id_ = path.partition("/")
    for one in people(project):
        if list_name in ("segments", "people") and id_ in one.segments:
            return one
        if list_name == "joints" and any(
            j.id == id_ and j.child in one.segments for j in project.joints
        ):
            return one
    return None


def chosen_person(project: Project, chosen: Sequence[str]) -> Person | None:
    """The person whose segments are selected, all of them and nothing else."""
    if len(chosen) < 2:
        return None
    wanted = set(chosen)
    return next((one for one in people(project) if set(one.paths) == wanted), None)


def all_of(project: Project, chosen: Sequence[str]) -> tuple[str, ...]:
    """What goes with a person that is selected as a whole: its joints and laws, and the belts over it alone with theirs."""
    one = chosen_person(project, chosen)
    if one is None:
        return tuple(chosen)
    own = own_of(project, one.prefix) if one.is_ours else one.paths
    gone = (*own, *(f"harnesses/{h.id}" for h in belts_over(project, one)))
    return (*gone, *_laws_of(project, one, gone))


def _laws_of(project: Project, one: Person, gone: Sequence[str]) -> list[str]:
    """The laws and functions that bear a person's name and that nothing else needs, as those of its belt."""
    left = needs(project)
    for path in gone:
        left.pop(path, None)
    found: list[str] = []
    bears = bearing(project, one.prefix)
    while one.prefix:
        used = {"/".join(key) for keys in left.values() for key in keys}
        spare = [
            path
            for path in left
            if path.startswith(("functions/", "contact_laws/"))
            and bears(path.partition("/")[2])
            and path not in used
        ]
        if not spare:
            break
        found += spare
        for path in spare:
            del left[path]
    return found


def person_renamed(project: Project, one: Person, name: str) -> tuple[Project, str]:
    """The project with a person called otherwise, in all ids that begin with its prefix; and its root."""
    bears = bearing(project, one.prefix)
    bodies = {segment for p in people(project) for segment in p.segments}
    used = {s.id.split("_", 1)[0] for s in project.segments if s.id not in bodies}
    used |= {p.prefix for p in people(project) if p.root != one.root}
    written, plain = id_from(name, keep_case=True), id_from(name)
    is_read_alike = read_as_words(written) == read_as_words(plain)
    new = free_id(plain if is_read_alike else written, used | {GROUND})
    old = f"{one.prefix}_" if one.prefix else ""
    own = set(own_of(project, one.prefix)) if one.is_ours else set(one.paths)
    ways: dict[Key, Key] = {}
    for to in LISTS:
        for item in getattr(project, to):
            if bears(item.id) if old else f"{to}/{item.id}" in own:
                ways[to, item.id] = (to, f"{new}_{item.id.removeprefix(old)}")
    lists = {
        to: tuple(
            item.model_copy(update={"id": ways[to, item.id][1]}) if (to, item.id) in ways else item
            for item in getattr(project, to)
        )
        for to in LISTS
    }
    return redirected(project.model_copy(update=lists), ways), ways["segments", one.root][1]


def belts_over(project: Project, one: Person) -> list[Any]:
    """The harnesses that lie over this one and over nobody else."""
    mine = {f"segments/{s}" for s in one.segments}
    others = {s for p in people(project) if p.root != one.root for s in p.paths}
    found = []
    for harness in project.harnesses:
        on = {f"segments/{key[1]}" for key in keys_in(harness) if key[0] == "surfaces"}
        if on & mine and not on & others:
            found.append(harness)
    return found


def _person_label(prefix: str) -> str:
    return read_as_words(prefix) or tr("Occupant")


WHO = (*SEXES, "child", *DUMMIES, *LIBRARY)
"""Who can be put into a model: those that are made for their size, and the bodies of the library."""


@dataclass(frozen=True)
class Figure:
    """Who is wanted and how large."""

    who: str = "man"
    """One of `WHO`."""
    percentile: float = 50.0
    by_size: bool = False
    """Whether height and weight are given: not by percentile, nor as the age has them."""
    height_m: float = 1.75
    weight_kg: float = 78.0
    age_years: float = 6.0
    """Of a child."""
    grown_years: float = MAN_YEARS
    """Of an adult with a flexible spine: how far joints go."""
    spine: bool = True
    """Whether a generated person has a flexible spine, a chest that gives way and a neck, or 15 segments."""
    compressing: bool = False
    """Of one with a flexible spine: whether lumbar discs shorten too."""
    breaking_bones: bool = False
    """Of one with a flexible spine: whether bones of limbs bend until they break."""
    extensors: bool = False
    """Of one with a flexible spine: whether muscles run from chest and neck to neck and head."""

    @property
    def is_adult(self) -> bool:
        """Whether it has a percentile."""
        return self.who in SEXES

    @property
    def is_generated(self) -> bool:
        """Whether it is made for its size, not taken from the library."""
        return self.is_adult or self.who == "child"

    @property
    def is_dummy(self) -> bool:
        """Whether it is a crash test dummy, which has hands of its own."""
        return self.who in DUMMIES

    @property
    def has_hands(self) -> bool:
        """Whether it has hands of its own without being asked."""
        return self.is_dummy or (self.is_generated and self.spine)

    @property
    def usual(self) -> tuple[float, float]:
        """Give height (m) and weight (kg) of a generated one where neither is given."""
        sizes = _child(self) if self.who == "child" else _adult(self)
        return sizes["standing_height_m"], sizes["weight_kg"]

    @property
    def range(self) -> dict[str, tuple[float, float]]:
        """The least and greatest height (m) and weight (kg) of a generated one, as the generator has them."""
        if self.who == "child":
            return child_range(self.age_years)
        return adult_range(SEXES[self.who])

    def body(self) -> Body:
        """Make the body, standing; raises BodyError, whose sentence says what would mend it."""
        if not self.is_generated:
            return library_body(self.who)
        size = {"height_m": self.height_m, "weight_kg": self.weight_kg} if self.by_size else {}
        sizes = _child(self, **size) if self.who == "child" else _adult(self, **size)
        if not self.spine:
            return generated(sizes)
        return human(sizes, compressing=self.compressing, breaking_bones=self.breaking_bones, extensors=self.extensors)  # fmt: skip


def _child(one: Figure, **size: float) -> Dimensions:
    return child_dimensions(
        one.age_years, weight_kg=size.get("weight_kg"), height_m=size.get("height_m")
    )


def _adult(one: Figure, **size: float) -> Dimensions:
    # the usual age says no more than none
    age = one.grown_years if one.spine and one.grown_years != MAN_YEARS else None
    percentile = None if size else one.percentile
    return adult_dimensions(SEXES[one.who], percentile=percentile, age_years=age, **size)


def body_text(body: Body) -> str:
    """Say what a body weighs and measures."""
    height = (body.dimensions or {}).get("standing_height_m")
    words = (
        msgid("{title}: {kg:.1f} kg, {tall:.2f} m tall")
        if height and math.isfinite(height)
        else msgid("{title}: {kg:.1f} kg")
    )
    return tr(words, title=body.title, kg=body.mass_kg, tall=height)
