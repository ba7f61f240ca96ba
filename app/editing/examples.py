"""What the library and the samples have of the kind that is edited: functions of the same units, and patterns of who touches what; no Qt."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import product
from typing import Any

from pydantic import TypeAdapter

from app.editing.shape import word_label
from solver.base.places import resources, samples
from solver.base.words import Sentence, tr
from solver.bodies.library import CATEGORIES, entries, fragment
from solver.bodies.library.inserting import Suggestion, pair_of, with_suggested
from solver.injury.parts import bodies, occupants, part_by_words
from solver.project import Project
from solver.project.azimuths import library
from solver.project.contact import Contact, PlaneContact, StrapLaw, SurfaceContact
from solver.project.functions import Function, Table
from solver.project.geometry import SurfaceRef
from solver.project.merging import MergeError, merged, prefixed

ENDING = ".json"


@dataclass(frozen=True, slots=True)
class Offer:
    """One thing that can be looked at and taken: its key, name, what stands in its tip, and the heading above it."""

    key: str
    title: str
    tip: str = ""
    heading: str = ""
    what: Any = None


def of_library(*categories: str) -> list[Offer]:
    """Entries of the library by their ids, with headings where there are several categories."""
    return [
        Offer(one.id, one.name, f"{one.note}\n{one.source}".strip(), tr(CATEGORIES[category]) if len(categories) > 1 else "")
        for category in categories
        for one in entries(category)
    ]  # fmt: skip


def contours() -> list[Offer]:
    """The measured stop contours of human joints by their names."""
    data = json.loads((resources() / "contours.json").read_text(encoding="utf-8"))
    return [Offer(name, word_label(name).capitalize(), data[name]["source"]) for name in library()]


def functions_like(function: Function) -> list[Offer]:
    """Functions of the library that have the same units; where it has none, those of samples. None stands twice, nor what is edited itself."""
    wanted, out = (function.x_unit, function.y_unit), list[Offer]()
    seen = {str(function.form)}
    for found in (_of_entries(), _of_samples()):
        for heading, source, one in found:
            is_file = isinstance(one.form, Table) and one.form.csv is not None
            if (one.x_unit, one.y_unit) != wanted or is_file or str(one.form) in seen:
                continue
            seen.add(str(one.form))
            words = f"{source}\n{one.source}".strip()
            out.append(Offer(f"{source}/{one.id}", one.name or one.id, words, heading, one))
        if out:
            break
    return out


@cache
def _of_entries() -> tuple[tuple[str, str, Function], ...]:
    return tuple(
        (tr(CATEGORIES[one.category]), one.name, function)
        for one in entries()
        if one.fragment.functions
        for function in fragment(one.id).functions
    )


def _of_samples() -> Iterator[tuple[str, str, Function]]:
    make = TypeAdapter(Function).validate_python
    for title, data in raw_samples().values():
        for item in data.get("functions", ()):
            yield tr("Samples"), title, make(item)


@cache
def raw_samples() -> Mapping[str, tuple[str, Mapping[str, Any]]]:
    """The samples as they stand in their files, by name, each with its title."""
    found = dict[str, tuple[str, Mapping[str, Any]]]()
    for file in sorted(samples().glob(f"*{ENDING}")):
        data = json.loads(file.read_text(encoding="utf-8"))
        found[file.stem] = data.get("title", file.stem), data
    return found


# Patterns of who touches what.


@dataclass(frozen=True, slots=True)
class Pattern:
    """Contacts that a sample has and that fit pairs of a project: the contacts, and the laws with their functions that come with them."""

    contacts: tuple[Suggestion, ...]
    laws: Project


def patterns(project: Project) -> list[Offer]:
    """Samples of whose contacts some fit pairs of a project that do not touch yet, those with most of them first."""
    known = _Known(
        _sides(project),
        {_bare(one.id): one.id for one in project.planes},
        {id_: n for n, body in enumerate(bodies(project)) for id_ in body},
        frozenset(pair_of(one) for one in project.contacts),
    )
    out = list[Offer]()
    for name, (title, data) in raw_samples().items():
        if not data.get("contacts"):
            continue
        found = _fitting(project, data, known, title)
        if found.contacts:
            tip = tr(
                "{n} of its contacts fit pairs of this model that do not touch yet.",
                n=len(found.contacts),
            )
            out.append(Offer(name, title, tip, what=found))
    return sorted(out, key=lambda one: -len(one.what.contacts))


def with_pattern(project: Project, pattern: Pattern) -> Project:
    """The project with the contacts of a pattern, each under an id of its own, and the laws that they need."""
    return with_suggested(merged(project, pattern.laws), pattern.contacts)


_Sides = Mapping[str, list[SurfaceRef]]


@dataclass(frozen=True, slots=True)
class _Known:
    """What of a project patterns are laid on: surfaces by part, planes by what they are, the body of each segment, pairs that touch."""

    sides: _Sides
    planes: Mapping[str, str]
    body: Mapping[str, int]
    taken: frozenset[Any]


def _fitting(project: Project, data: Mapping[str, Any], known: _Known, title: str) -> Pattern:
    roles = {one["id"]: _role(one["id"], one.get("name", "")) for one in data["segments"]}
    pairs = dict[Any, tuple[Contact, str]]()
    for one in data["contacts"]:
        ends = [one["surface"]] if one["kind"] == "plane" else [one["first"], one["second"]]
        lists = [
            _surfaces(known.sides, roles.get(end["segment"], ""), end["surface"]) for end in ends
        ]
        plane = known.planes.get(_bare(one.get("plane", "")), "")
        if one["kind"] == "plane" and plane:
            made: Sequence[Contact] = [
                PlaneContact(id=f"{a.segment}_{plane}", kind="plane", plane=plane, surface=a, law=one["law"], **_edge(one))
                for a in lists[0]
            ]  # fmt: skip
        elif one["kind"] == "plane":
            continue
        else:
            made = [
                SurfaceContact(id=f"{a.segment}_{b.segment}", kind="surfaces", first=a, second=b, law=one["law"])
                for a, b in product(*lists)
                if a.segment != b.segment and _may_meet(known.body.get(a.segment), known.body.get(b.segment))
            ]  # fmt: skip
        for contact in made:
            if pair_of(contact) not in known.taken:
                pairs.setdefault(pair_of(contact), (contact, one["law"]))
    laws, names = _laws(project, data, {law for _, law in pairs.values()})
    why = Sentence("'{title}' has it", title=title)
    return Pattern(
        tuple(
            Suggestion(contact.model_copy(update={"law": names[law]}), why)
            for contact, law in pairs.values()
            if law in names
        ),
        laws,
    )


def _edge(contact: Mapping[str, Any]) -> dict[str, Any]:
    return {name: contact[name] for name in ("edge", "holds_when_behind") if name in contact}


def _may_meet(one: int | None, other: int | None) -> bool:
    """Whether a pattern is for a pair: two parts are of one body, or one of them is of none."""
    return one == other or one is None or other is None


def _sides(project: Project) -> _Sides:
    """The surfaces of a project by what part their segment is, body by body in one order."""
    parts = {id_: part for body in occupants(project) for part, id_ in body.segments.items()}
    out: dict[str, list[SurfaceRef]] = {}
    for segment in project.segments:
        role = parts.get(segment.id) or _role(segment.id, segment.name)
        for surface in segment.surfaces:
            out.setdefault(role, []).append(SurfaceRef(segment=segment.id, surface=surface.id))
    return out


def _surfaces(sides: _Sides, role: str, surface: str) -> list[SurfaceRef]:
    """One surface of each segment that is such a part: that of the same name, else its first."""
    found: dict[str, SurfaceRef] = {}
    for one in sides.get(role, ()) if role else ():
        if one.segment not in found or one.surface == surface:
            found[one.segment] = one
    return list(found.values())


def _role(id_: str, name: str) -> str:
    return part_by_words(id_, name) or _bare(id_)


def _bare(id_: str) -> str:
    """An id without the words before it that say whose it is; its side stays."""
    words = id_.split("_")
    side = [word for word in words if word in ("left", "right")][-1:]
    return "_".join([*side, *[word for word in words if word not in ("left", "right")][-2:]])


def _laws(
    project: Project, data: Mapping[str, Any], wanted: set[str]
) -> tuple[Project, Mapping[str, str]]:
    """The laws that come with contacts, with their functions, and what each is called in the project: one of the same name is there already."""
    there = {_bare(law.id): law.id for law in project.contact_laws if not isinstance(law, StrapLaw)}
    names = {law: there[_bare(law)] for law in wanted if _bare(law) in there}
    items = [one for one in data["contact_laws"] if one["id"] in wanted and one["id"] not in names]
    used = {text for one in items for text in _texts(one)}
    piece = Project.model_validate({
        "functions": [one for one in data.get("functions", ()) if one["id"] in used],
        "contact_laws": items,
    })  # fmt: skip
    prefix = ""
    for n in range(1, 100):
        made = prefixed(piece, prefix)
        try:
            merged(project, made)
        except MergeError:
            prefix = f"example_{n}"
            continue
        ahead = f"{prefix}_" if prefix else ""
        return made, names | {one["id"]: f"{ahead}{one['id']}" for one in items}
    return Project(), names


def _texts(value: Any) -> Iterator[str]:
    """All texts in plain data."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list | tuple):
        for one in value:
            yield from _texts(one)
