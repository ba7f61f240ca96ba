"""Which contacts are missing: those that parts of the library make with whoever sits there, and those a run has missed.

A part that came before the body it is for has no contacts with it; here they follow whatever the order.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.base.words import Sentence
from solver.bodies.library.entries import Entry, entries, fragment
from solver.bodies.library.inserting import pressing
from solver.bodies.library.occupants import Occupant, ahead_of, occupants
from solver.project.contact import Contact, PlaneContact, SurfaceContact, surfaces_of
from solver.project.document import Project
from solver.project.geometry import SurfaceRef
from solver.project.merging import prefixed
from solver.project.pose import plane_extent, start_pose

FAR_M = 1.2
"""Who is farther from all planes of a part than this is not the one whom it is for (assumed)."""
_AS_NEAR_M = 0.15

Pair = frozenset[object]
Missed = tuple[str, str, Sentence]
"""Paths of what went through what in a run though no contact was allowed, and what is said of it."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """Hold a contact that is missing, and why it is thought so."""

    contact: Contact
    why: Sentence

    @property
    def pair(self) -> Pair:
        """Give what would touch: two surfaces, or a surface and a plane."""
        return pair_of(self.contact)


def pair_of(contact: Contact) -> Pair:
    """Give what a contact lets touch, in no order."""
    return frozenset((*surfaces_of(contact), getattr(contact, "plane", "")))


def suggested(project: Project, missed: Sequence[Missed] = ()) -> tuple[Suggestion, ...]:
    """Give the contacts that are missing: by the library, then what a run has found to be passed through."""
    found: dict[Pair, Suggestion] = {}
    known = {pair_of(contact) for contact in project.contacts}
    for one in (*_by_library(project), *_by_run(project, missed)):
        if one.pair not in known:
            found.setdefault(one.pair, one)
    return tuple(found.values())


def with_suggested(project: Project, chosen: Sequence[Suggestion]) -> Project:
    """Give the project with contacts that were missing, each under an id of its own."""
    taken = {contact.id for contact in project.contacts}
    new = []
    for one in chosen:
        id_, number = one.contact.id, 2
        while id_ in taken:
            id_, number = f"{one.contact.id}_{number}", number + 1
        taken.add(id_)
        new.append(one.contact.model_copy(update={"id": id_}))
    return project.model_copy(update={"contacts": (*project.contacts, *new)})


def _by_library(project: Project) -> Iterator[Suggestion]:
    """Find parts of the library that are in the model, and what they press on of those nearest to them."""
    people = occupants(project)
    if not people:
        return
    laws = {law.id for law in project.contact_laws}
    for one in entries():
        if not one.fragment.contacts or not one.fragment.planes:
            continue
        for prefix in _prefixes(project, one):
            piece = prefixed(fragment(one.id), prefix)
            if not {contact.law for contact in piece.contacts} <= laws:
                continue
            for who in _nearest(project, [plane.id for plane in piece.planes], people):
                for contact in pressing(piece, who).contacts:
                    why = Sentence(
                        "'{part}' of the library presses on {who}",
                        part=one.name,
                        who=who.prefix or "the body",
                    )
                    if any(
                        ref.segment.startswith(ahead_of(who.prefix)) for ref in surfaces_of(contact)
                    ):
                        yield Suggestion(contact, why)


def _prefixes(project: Project, one: Entry) -> Iterator[str]:
    """Find under which prefixes all planes and segments of an entry are in the model."""
    names = {name: {item.id for item in getattr(project, name)} for name in ("planes", "segments")}
    first = one.fragment.planes[0].id
    for plane in project.planes:
        if plane.id != first and not plane.id.endswith(f"_{first}"):
            continue
        prefix = plane.id[: -len(first)].rstrip("_")
        ahead = ahead_of(prefix)
        if all(
            f"{ahead}{item.id}" in there
            for name, there in names.items()
            for item in getattr(one.fragment, name)
        ):
            yield prefix


def _nearest(project: Project, planes: Sequence[str], people: Sequence[Occupant]) -> list[Occupant]:
    """Give those whom some planes are for: who is nearest to them at the start."""
    at = start_pose(project)
    away = []
    for who in people:
        parts = who.of("lower_torso") or who.surfaces
        hips = at[next(iter(parts.values())).segment].p_W
        far = np.inf
        for plane in project.planes:
            if plane.id in planes:
                placed = at[plane.segment]
                corner, edge, other = plane_extent(plane)
                inside = placed.R_WS.T @ (hips - placed.p_W) - corner
                spot = sum(
                    float(np.clip(inside @ side / max(float(side @ side), 1e-12), 0.0, 1.0)) * side
                    for side in (edge, other)
                )
                far = min(far, float(np.linalg.norm(inside - spot)))
        away.append(far)
    least = min(away)
    return [
        who for who, far in zip(people, away, strict=True) if far <= min(FAR_M, least + _AS_NEAR_M)
    ]


def _by_run(project: Project, missed: Sequence[Missed]) -> Iterator[Suggestion]:
    """Let what passed through something in a run, though no contact was allowed, touch it."""
    for what, into, why in missed:
        surface, other = _surface(project, what), _surface(project, into)
        plane = into.removeprefix("planes/") if into.startswith("planes/") else ""
        if surface is None or (other is None and plane not in {p.id for p in project.planes}):
            continue
        law = _law(project, [plane or other, surface])
        if not law:
            continue
        if other is None:
            id_ = f"{surface.segment}_{plane}"
            made: Contact = PlaneContact(
                id=id_, kind="plane", plane=plane, surface=surface, law=law
            )
        else:
            id_ = f"{surface.segment}_{other.segment}"
            made = SurfaceContact(id=id_, kind="surfaces", first=surface, second=other, law=law)
        yield Suggestion(made, why)


def _surface(project: Project, path: str) -> SurfaceRef | None:
    """Give the surface that a path of a passage names; the first of its segment where it names none."""
    kind, _, rest = path.partition("/")
    id_, _, name = rest.partition("/")
    segment = next((s for s in project.segments if s.id == id_ and kind == "segments"), None)
    if segment is None or not segment.surfaces:
        return None
    known = [surface.id for surface in segment.surfaces]
    return SurfaceRef(segment=id_, surface=name if name in known else known[0])


def _law(project: Project, sides: Sequence[object]) -> str:
    """Give the law by which one of the sides touches others already, the one most used; else none."""
    for side in sides:
        used = [c.law for c in project.contacts if side in pair_of(c)]
        if not used and isinstance(side, SurfaceRef):
            used = [
                c.law
                for c in project.contacts
                if any(ref.segment == side.segment for ref in surfaces_of(c))
            ]
        if used:
            return max(dict.fromkeys(used), key=used.count)
    return ""
