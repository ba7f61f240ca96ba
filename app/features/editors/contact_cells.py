"""Say which surfaces may touch which planes and surfaces, and change it; no Qt."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from app.editing.bench import Bench
from app.editing.naming import free_id
from app.elements import name_of
from solver.base.words import tr
from solver.project import Project
from solver.project.contact import Contact, PlaneContact, SurfaceContact
from solver.project.geometry import SurfaceRef
from solver.project.segments import GROUND

Side = str | SurfaceRef
"""A plane by its id, or a surface."""


@dataclass(frozen=True, slots=True)
class Heading:
    """Hold a row or a column: what it stands for, its name, and where it belongs."""

    side: Side
    name: str
    group: str


@dataclass(frozen=True, slots=True)
class Cell:
    """Name a pair: a surface, and a plane or another surface."""

    surface: SurfaceRef
    other: Side


def surfaces(project: Project) -> list[Heading]:
    """List the surfaces of all segments; those of a segment with several have their own names."""
    out = []
    for segment in project.segments:
        for surface in segment.surfaces:
            name = name_of(segment)
            if len(segment.surfaces) > 1:
                name += f" › {name_of(surface)}"
            ref = SurfaceRef(segment=segment.id, surface=surface.id)
            out.append(Heading(ref, name, segment.group))
    return out


def planes(project: Project) -> list[Heading]:
    """List the planes."""
    return [Heading(plane.id, name_of(plane), plane.group) for plane in project.planes]


def contacts_by_pair(project: Project) -> dict[tuple[Side, Side], list[Contact]]:
    """Find the contacts of each pair; those of two surfaces stand under both orders."""
    out: dict[tuple[Side, Side], list[Contact]] = {}
    for one in project.contacts:
        if isinstance(one, PlaneContact):
            out.setdefault((one.surface, one.plane), []).append(one)
        else:
            out.setdefault((one.first, one.second), []).append(one)
            if one.first != one.second:
                out.setdefault((one.second, one.first), []).append(one)
    return out


def why_not(project: Project, cell: Cell) -> str:
    """Say why a pair cannot touch; empty where it can."""
    if cell.surface == cell.other:
        return tr("A surface does not touch itself.")
    if isinstance(cell.other, SurfaceRef) and cell.other.segment == cell.surface.segment:
        return tr("Surfaces of one segment never move against each other.")
    if isinstance(cell.other, str):
        plane = next((p for p in project.planes if p.id == cell.other), None)
        if plane is not None and plane.segment == cell.surface.segment != GROUND:
            return tr("The plane is fixed to this segment.")
    return ""


def allowed(project: Project, cells: Sequence[Cell], law: str = "") -> Project:
    """Let pairs touch by a law, the first that fits where none is named; those that do take the law."""
    bench = Bench(project)
    law = law or bench.law(webbing=False)
    project = bench.project
    known = contacts_by_pair(project)
    taken = {one.id for one in project.contacts}
    new: list[Contact] = []
    changed: set[str] = set()
    for cell in cells:
        there = known.get((cell.surface, cell.other), [])
        changed |= {one.id for one in there}
        if there or why_not(project, cell):
            continue
        made = _contact(cell, law, taken)
        taken.add(made.id)
        new.append(made)
    old = [
        one.model_copy(update={"law": law}) if one.id in changed and one.law != law else one
        for one in project.contacts
    ]
    return project.model_copy(update={"contacts": (*old, *new)})


def refused(project: Project, cells: Sequence[Cell]) -> list[str]:
    """Give the paths of the contacts that have to go so that pairs no longer touch."""
    known = contacts_by_pair(project)
    found = (one.id for cell in cells for one in known.get((cell.surface, cell.other), []))
    return [f"contacts/{id_}" for id_ in dict.fromkeys(found)]


def of_body(project: Project, surface: SurfaceRef, others: Iterable[Heading]) -> list[SurfaceRef]:
    """Give the surfaces of the same group as one: all of a body."""
    group = next((s.group for s in project.segments if s.id == surface.segment), "")
    return [h.side for h in others if h.group == group and isinstance(h.side, SurfaceRef)]


def _contact(cell: Cell, law: str, taken: set[str]) -> Contact:
    one, other = cell.surface, cell.other
    if isinstance(other, str):
        id_ = free_id(f"{one.segment}_{other}", taken)
        return PlaneContact(id=id_, kind="plane", plane=other, surface=one, law=law)
    id_ = free_id(f"{one.segment}_{other.segment}", taken)
    return SurfaceContact(id=id_, kind="surfaces", first=one, second=other, law=law)
