"""What the library holds: entries from `resources/library`, each with its source."""

from __future__ import annotations

import functools
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Annotated, Any, Literal

from pydantic import Field, ValidationError

from solver.base.places import resources
from solver.base.words import Refusal, Sentence, msgid
from solver.bodies.dummies import DUMMIES, LIBRARY
from solver.bodies.library.ranges import ranges_of
from solver.project.belts import StrapEnd
from solver.project.contact import surfaces_of
from solver.project.document import Project
from solver.project.fields import ZERO3, Flag, Id, Number, NumberOrFunction, Part, Text, Vec3
from solver.project.problems import did_you_mean, listed, problems_of

CATEGORIES: Mapping[str, str] = {
    "contact_laws": msgid("Contact laws"),
    "webbing": msgid("Webbing"),
    "cushions": msgid("Cushions"),
    "pulses": msgid("Pulses"),
    "seats": msgid("Seats"),
    "interiors": msgid("Interiors"),
    "belts": msgid("Belts"),
    "airbags": msgid("Airbags"),
    "necks": msgid("Heads and necks"),
    "structures": msgid("Beams and frames"),
}
"""Files of the library and their headings."""

Basis = Literal["published", "derived", "assumed"]

BASES: Mapping[Basis, str] = {
    "published": "the figures stand in the source",
    "derived": "worked out from figures in the source as the note says",
    "assumed": "chosen by us as a start; replace them by your own measurements",
}


class LibraryError(Refusal, ValueError):
    """Say in a sentence why an entry cannot be found, read or inserted."""

    __module__ = "manikin"


class Waypoint(Part):
    """A point of the carrier that a strap runs through, and what it lies on before it.

    The first and the last are anchors, those between are rings. `over` names roles of the occupant.
    """

    position_m: Vec3
    over: tuple[Id, ...] = ()
    angle_rad: Number | None = None
    """Turn of the strap's plane on the way to this point where it goes over no bone; none: the shortest that stays."""
    towards_m: Vec3 | None = None
    """A place on the carrier that the plane on the way to this point goes through, whatever bone lies there."""
    friction: Number = 0.0


class Strap(Part):
    """A strap that is laid over an occupant when it is inserted."""

    id: Id
    law: Id
    waypoints: tuple[Waypoint, ...] = Field(min_length=2)
    slack_m: Number = 0.0
    width_m: Number = 0.047
    spacing_m: Number = 0.05
    friction: NumberOrFunction | None = None
    follows: Literal["webbing", "body"] = "webbing"
    """Whether the points on the occupant slide with the webbing, or webbing runs through them."""
    may_leave: bool = True
    flesh: Id | None = None
    start_device: StrapEnd | None = None
    end_device: StrapEnd | None = None


class InCrash(Part):
    """Say what a new crash must know of a seat, of what is around it, of a bag, or of a pulse; places and shares are assumed where its note says no more."""

    made_for: Id | None = None
    """Of a seat: the body of the library that a load case begins with where this is its first seat; none: the mid-size man."""
    most_kg: Annotated[float, Field(gt=0.0)] | None = None
    """Of a seat: how heavy the occupant may be."""
    feet_hang: Flag = False
    """Of a seat: whether feet above the floor are as they should be."""
    thighs_rad: Number | None = None
    """Of a seat: how far thighs lean ahead of hanging in it; none: as the posture has them."""
    around_m: Vec3 = ZERO3
    """Of a seat: how far what is around it is from where hips are in that place; of what is around: the same of itself alone."""
    bag_m: Vec3 = ZERO3
    """Of what is around: how far a bag is from its own place there."""
    in_seat: Flag = False
    """Of a bag: whether it is built into the seat and goes where that goes."""
    door: Id | None = None
    """Of a pulse of a car that is struck from the side: the pulse of its door."""
    seat: Id | None = None
    """The same of the seat beside that door."""
    pole: Id | None = None
    """The same of the pole that strikes it."""

    def of(self) -> frozenset[str]:
        """Name the categories of which all that is said here can be said."""
        found = set(CATEGORIES)
        for name in self.model_fields_set:
            found &= _SAID_OF[name]
        return frozenset(found)


_SAID_OF: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("made_for", "most_kg", "feet_hang", "thighs_rad"), frozenset({"seats"})),
    "around_m": frozenset({"seats", "interiors"}),
    "bag_m": frozenset({"interiors"}),
    "in_seat": frozenset({"airbags"}),
    **dict.fromkeys(("door", "seat", "pole"), frozenset({"pulses"})),
}


class Entry(Part):
    """One entry: what it is, where its numbers come from, and the piece of a project."""

    id: Id
    name: Text
    note: Text = ""
    source: Text = Field(min_length=1)
    basis: Basis
    origin: Text = ""
    """Where the piece's own origin lies; empty where it has no place."""
    at_hips: Flag = False
    """Whether its origin is the middle between the hip joints of the occupant."""
    rides_on: Text = ""
    """What carries it where its carrier has that: a bag goes with the wheel that a column lets go."""
    held_by: tuple[Text, ...] = ()
    """What holds its bag where it is there before it, planes and segments, by how their ids end: a door, a window, a pole."""
    feet_on: Text = ""
    """Plane of it on which the soles of the occupant are set."""
    in_crash: InCrash = InCrash()
    harness: Id | None = None
    straps: tuple[Strap, ...] = ()
    fragment: Project
    category: str = ""

    def roles(self) -> frozenset[str]:
        """Name the parts of an occupant that this entry needs or presses on."""
        laid = {role for s in self.straps for w in s.waypoints for role in w.over}
        pressed = {end.segment for c in self.fragment.contacts for end in surfaces_of(c)}
        pressed |= {t.segment for bag in self.fragment.airbags for t in bag.touches}
        return frozenset(laid | {name[1:] for name in pressed if name.startswith("@")})


@functools.cache
def _all() -> dict[str, Entry]:
    found: dict[str, Entry] = {}
    for category in CATEGORIES:
        for one in _of_category(category):
            if one.id in found:
                raise LibraryError("The library has two entries '{one}'.", one=one.id)
            found[one.id] = one
    return found


def _of_category(category: str) -> Iterator[Entry]:
    """Read the list of a category, then the files of its folder, each of which holds one entry and has its id for a name."""
    together = resources() / "library" / f"{category}.json"
    for item in _data(together):
        yield _entry(item, category, together.name)
    for file in sorted(together.with_suffix("").glob("*.json")):
        one = _entry(_data(file), category, file.name)
        if one.id != file.stem:
            raise LibraryError(
                "The library file '{file}' holds the entry '{one}': they have one name.",
                file=file.name,
                one=one.id,
            )
        yield one


def _data(file: Path) -> Any:
    try:
        return json.loads(file.read_text(encoding="utf-8"))
    except (OSError, ValueError) as failure:
        raise LibraryError(
            "The library file '{file}' cannot be read: {failure}", file=file.name, failure=failure
        ) from None


def _entry(item: Any, category: str, file: str) -> Entry:
    whole = {**item, "category": category}
    name = str(item.get("id", ""))
    try:
        one = Entry.model_validate(whole)
    except ValidationError as failure:
        found = problems_of(failure, whole, Entry)[0]
        raise LibraryError(
            "The entry '{one}' in the library file '{file}': {found}",
            one=name, file=file, found=found,
        ) from None  # fmt: skip
    if one.at_hips and not one.origin:
        raise LibraryError(
            "The entry '{one}' in the library file '{file}' is at hips: 'origin' says where they are.",
            one=name, file=file,
        )  # fmt: skip
    if category not in one.in_crash.of():
        raise LibraryError(
            "The entry '{one}' in the library file '{file}': of {category} 'in_crash' says {known} and no more.",
            one=name, file=file, category=category, known=listed(sorted(n for n, of in _SAID_OF.items() if category in of)) or "nothing",
        )  # fmt: skip
    if one.in_crash.made_for not in (None, *DUMMIES, *LIBRARY):
        raise LibraryError(
            "The entry '{one}' in the library file '{file}' is made for '{who}', who is no body of the library. There are: {known}.",
            one=name, file=file, who=one.in_crash.made_for, known=", ".join((*DUMMIES, *LIBRARY)),
        )  # fmt: skip
    return one


def entries(category: str | None = None) -> tuple[Entry, ...]:
    """All entries, or those of one category, in the order of the files."""
    if category is not None and category not in CATEGORIES:
        hint = did_you_mean(category, CATEGORIES) or Sentence(
            "There are: {categories}.", categories=", ".join(CATEGORIES)
        )
        raise LibraryError(
            "The library has no category '{category}'. {hint}", category=category, hint=hint
        )
    return tuple(e for e in _all().values() if category in (None, e.category))


def entry(id_: str) -> Entry:
    """The entry with an id; raises LibraryError."""
    known = _all()
    if id_ not in known:
        hint = did_you_mean(id_, known) or "List them with 'manikin library list'."
        raise LibraryError("The library has no entry '{id_}'. {hint}", id_=id_, hint=hint)
    return known[id_]


def fragment(id_: str) -> Project:
    """The piece of a project that an entry holds, each element with the entry's source."""
    one = entry(id_)
    basis = one.source if one.basis == "published" else f"{one.basis}: {one.source}"

    def sourced(items: tuple) -> tuple:  # type: ignore[type-arg]
        return tuple(i if i.source else i.model_copy(update={"source": basis}) for i in items)

    names = ("functions", "contact_laws", "planes", "segments", "motions", "airbags")
    pieces = {n: sourced(getattr(one.fragment, n)) for n in names}
    if one.basis == "assumed":
        path = f"harnesses/{one.harness or one.id}/straps"
        straps = {f"{path}/{s.id}": (s.slack_m, s.end_device) for s in one.straps}
        pieces["assumed"] = ranges_of(one.fragment, straps)
    return one.fragment.model_copy(update=pieces)
