"""Tell what acts on segments of a run, source by source: together it is mass times acceleration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.acting.contacts import of_bags, of_belts, of_contacts, of_straps
from solver.analysis.acting.links import (
    of_constraints,
    of_joints,
    of_springs,
    of_strings,
    of_symmetry,
)
from solver.analysis.acting.pushes import of_drivers, of_laws, of_loads, of_winds
from solver.analysis.acting.seen import Seen
from solver.analysis.acting.share import SOURCES, Share, Tables
from solver.bodies.library.occupants import FINER
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.segments import Segment

TOLD = 1e-6
"""Part of the largest force up to which all that acts has been told."""
_KINDS = (
    of_joints, of_contacts, of_straps, of_belts, of_bags, of_springs, of_strings, of_laws, of_constraints,
    of_symmetry, of_drivers, of_loads, of_winds,
)  # fmt: skip


@dataclass(frozen=True, slots=True)
class Account:
    """Hold all that acts on one segment, or on some together, over a run: the shares add up to mass times acceleration."""

    segments: tuple[str, ...]
    mass_kg: float
    time: Array
    acceleration: Array
    """Of the mass centre of all of them (T, 3), ground axes."""
    place: Array
    """That mass centre (T, 3) m."""
    shares: tuple[Share, ...]

    @property
    def is_whole(self) -> bool:
        """Tell whether results tell of all that acts."""
        return not any(share.source == "rest" for share in self.shares)

    def by_source(self, way: Array) -> dict[str, Array]:
        """Give the sum of each source in directions (T, 3), or in one (N), in the order of `SOURCES`."""
        out: dict[str, Array] = {}
        for source in SOURCES:
            parts = [share.along(way) for share in self.shares if share.source == source]
            if parts:
                out[source] = np.sum(parts, axis=0)
        return out


def account(project: Project, time: Array, tables: Tables, segments: Sequence[str]) -> Account | None:  # fmt: skip
    """Find all that acts on segments together; what they do to each other is left out.

    None where the run has none of them, or they have no mass.
    """
    table = tables("segments")
    parts = [one for one in project.segments if one.id in segments and one.id in table.ids]
    mass = sum(part.mass_kg for part in parts)
    if mass <= 0.0:
        return None
    seen = Seen(project, np.asarray(time)[: len(table["position"])], tables)
    rows = [seen.table("segments").row(part.id) for part in parts]
    masses = np.array([part.mass_kg for part in parts])
    inertia: Array = np.tensordot(masses, [row["acceleration"] for row in rows], axes=1)
    place: Array = np.tensordot(masses, [row["position"] for row in rows], axes=1)
    found = [share for part in parts for share in _shares(seen, part) if np.any(share.forces)]
    largest = max([float(np.abs(one.forces).max()) for one in found], default=0.0)
    shares = _outer(found, TOLD * largest)
    left = inertia - np.sum([share.forces for share in shares], axis=0) if shares else inertia
    most = max(largest, float(np.abs(inertia).max(initial=0.0)))
    if float(np.abs(left).max(initial=0.0)) > TOLD * most:
        shares.append(_left(project, {part.id for part in parts}, left))
    names = tuple(part.id for part in parts)
    return Account(names, mass, seen.time, inertia / mass, place / mass, tuple(shares))


def _left(project: Project, segments: set[str], left: Array) -> Share:
    """Give what is left over: the force of the motion that moves a segment, or what results do not tell."""
    moving = [one for one in project.motions if one.segment in segments]
    return Share("motion", f"motions/{moving[0].id}", left) if moving else Share("rest", "", left)


def _outer(shares: list[Share], least: float) -> list[Share]:
    """Leave out what some segments do to each other: of one element, and nothing together."""
    total: dict[tuple[str, str], Array] = {}
    for share in shares:
        key = (share.source, share.element)
        total[key] = total.get(key, np.zeros(3)) + share.forces
    return [
        share for share in shares if float(np.abs(total[share.source, share.element]).max()) > least
    ]


def _shares(seen: Seen, part: Segment) -> Iterator[Share]:
    weight = part.mass_kg * np.array(seen.project.gravity_m_per_s2)
    yield Share("weight", f"segments/{part.id}", np.tile(weight, (len(seen.time), 1)))
    for kind in _KINDS:
        yield from kind(seen, part.id)


def with_own_parts(project: Project, segment: str) -> tuple[str, ...]:
    """Name a segment and those that belong to the same part of a body, such as a chest's sternum and shoulders."""
    names = {one.id for one in project.segments}
    for role, finer in FINER.items():
        if segment == role or segment.endswith(f"_{role}"):
            ahead = segment[: -len(role)]
            return (segment, *(f"{ahead}{part}" for part in finer if f"{ahead}{part}" in names))
    return (segment,)
