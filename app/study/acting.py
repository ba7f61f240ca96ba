"""Tell what acts on segments of a run, source by source: together it is mass times acceleration."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.scene.shapes import surfaces_of
from app.scene.webbing import belt_line
from app.study.motion import Motion
from solver.library.occupants import FINER
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.belts import AnchorPoint, RingPoint, Strap
from solver.project.contact import PlaneContact
from solver.project.joint_table import carrying
from solver.project.segments import Segment

SOURCES = ("weight", "joints", "contacts", "belts", "airbags", "springs", "constraints", "rest")
"""Kinds of what acts; the rest is what results do not tell, as the force of a motion that is prescribed."""
TOLD = 1e-6
"""Part of the largest force up to which all that acts has been told."""


@dataclass(frozen=True, slots=True)
class Share:
    """Hold one force on the segment: its kind, the element it comes from, and its course (T, 3) N, ground axes.

    `points` (T, 3) m are where it acts; None where that is the mass centre, or not known.
    """

    source: str
    element: str
    forces: Array
    points: Array | None = None

    def along(self, way: Array) -> Array:
        """Give the part of it in directions (T, 3), or in one (N)."""
        part: Array = (self.forces * way).sum(axis=-1)
        return part


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


def account(project: Project, motion: Motion, segments: Sequence[str]) -> Account | None:
    """Find all that acts on segments together; what they do to each other is left out.

    None where the run has none of them, or they have no mass.
    """
    table = motion.loads.table("segments")
    parts = [one for one in project.segments if one.id in segments and one.id in table.ids]
    mass = sum(part.mass_kg for part in parts)
    if mass <= 0.0:
        return None
    rows = [table.row(part.id) for part in parts]
    masses = np.array([part.mass_kg for part in parts])
    inertia: Array = np.tensordot(masses, [row["acceleration"] for row in rows], axes=1)
    place: Array = np.tensordot(masses, [row["position"] for row in rows], axes=1)
    found = [
        share
        for part in parts
        for share in _shares(project, motion, part, len(inertia))
        if np.any(share.forces)
    ]
    largest = max([float(np.abs(one.forces).max()) for one in found], default=0.0)
    shares = _outer(found, TOLD * largest)
    left = inertia - np.sum([share.forces for share in shares], axis=0) if shares else inertia
    most = max(largest, float(np.abs(inertia).max(initial=0.0)))
    if float(np.abs(left).max(initial=0.0)) > TOLD * most:
        shares.append(Share("rest", "", left))
    names = tuple(part.id for part in parts)
    time = np.asarray(motion.time)[: len(inertia)]
    return Account(names, mass, time, inertia / mass, place / mass, tuple(shares))


def _outer(shares: list[Share], least: float) -> list[Share]:
    """Leave out what some segments do to each other: of one element, and nothing together."""
    total: dict[tuple[str, str], Array] = {}
    for share in shares:
        key = (share.source, share.element)
        total[key] = total.get(key, np.zeros(3)) + share.forces
    return [
        share for share in shares if float(np.abs(total[share.source, share.element]).max()) > least
    ]


def _shares(project: Project, motion: Motion, part: Segment, count: int) -> Iterator[Share]:
    weight = part.mass_kg * np.array(project.gravity_m_per_s2)
    yield Share("weight", f"segments/{part.id}", np.tile(weight, (count, 1)))
    yield from _of_joints(project, motion, part.id)
    yield from _of_contacts(project, motion, part.id)
    yield from _of_straps(project, motion, part.id)
    yield from _of_belts(project, motion, part.id)
    yield from _of_bags(motion, part.id)
    yield from _of_links(project, motion, part.id)


def with_own_parts(project: Project, segment: str) -> tuple[str, ...]:
    """Name a segment and those that belong to the same part of a body, such as a chest's sternum and shoulders."""
    names = {one.id for one in project.segments}
    for role, finer in FINER.items():
        if segment == role or segment.endswith(f"_{role}"):
            ahead = segment[: -len(role)]
            return (segment, *(f"{ahead}{part}" for part in finer if f"{ahead}{part}" in names))
    return (segment,)


def _rows(motion: Motion, group: str) -> Iterator[tuple[str, Any]]:
    """Give the elements of a group, each with its columns; none where results have none."""
    table = motion.loads.table(group)
    for id_ in table.ids:
        yield id_, table.row(id_)


def _of_joints(project: Project, motion: Motion, segment: str) -> Iterator[Share]:
    joints = {joint.id: joint for joint in carrying(project.joints)}
    for id_, row in _rows(motion, "joints"):
        joint = joints.get(id_)
        if joint is None or segment not in (joint.parent, joint.child):
            continue
        sign = 1.0 if joint.child == segment else -1.0
        frame = joint.child_frame if joint.child == segment else joint.parent_frame
        where = motion.way(segment) + motion.turns(segment) @ np.array(frame.position_m)
        yield Share("joints", f"joints/{id_}", sign * row["force"], where)


def _of_contacts(project: Project, motion: Motion, segment: str) -> Iterator[Share]:
    planes = {plane.id: plane.segment for plane in project.planes}
    contacts = {contact.id: contact for contact in project.contacts}
    for id_, row in _rows(motion, "contacts"):
        contact = contacts[id_]
        if isinstance(contact, PlaneContact):
            ends = (contact.surface.segment, planes[contact.plane])
        else:
            ends = (contact.first.segment, contact.second.segment)
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            if end == segment:
                yield Share("contacts", f"contacts/{id_}", sign * row["force"], row["point"])


def _of_straps(project: Project, motion: Motion, segment: str) -> Iterator[Share]:
    straps = {f"{h.id}.{strap.id}": strap for h in project.harnesses for strap in h.straps}
    for id_, row in _rows(motion, "strap_points"):
        name, _, number = id_.rpartition(".")
        if _carrier(straps[name], int(number)) == segment:
            harness = name.partition(".")[0]
            yield Share("belts", f"harnesses/{harness}", row["force"], row["position"])


def _carrier(strap: Strap, number: int) -> str:
    """Name the segment on which a point of a strap lies; empty for a junction that hangs free."""
    point = strap.points[number]
    if isinstance(point, AnchorPoint | RingPoint):
        return point.segment
    return "" if point.surface is None else point.surface.segment


def _of_belts(project: Project, motion: Motion, segment: str) -> Iterator[Share]:
    """Give the pulls of simple belts, as straight from each anchor to where they touch."""
    surfaces = surfaces_of(project)
    known = {belt.id: belt for belt in project.belts}
    for id_, row in _rows(motion, "belts"):
        belt = known[id_]
        on = belt.surface.segment
        anchors = (belt.anchor_a.segment, belt.anchor_b.segment)
        if segment not in (on, *anchors):
            continue
        tension = row["tension"]
        ends, touched = np.zeros((2, 2, len(tension), 3))
        for n, t in enumerate(np.asarray(motion.time)[: len(tension)]):
            line = belt_line(belt, surfaces, motion.pose(float(t)))
            if line is not None:
                ends[:, n], touched[:, n] = line[[0, -1]], line[[1, -2]]
        way = touched - ends
        way /= np.maximum(np.linalg.norm(way, axis=2, keepdims=True), 1e-12)
        for n in range(2):
            pull = tension[:, n, None] * way[n]
            if anchors[n] == segment:
                yield Share("belts", f"belts/{id_}", pull, ends[n])
            if on == segment:
                yield Share("belts", f"belts/{id_}", -pull, touched[n])


def _of_bags(motion: Motion, segment: str) -> Iterator[Share]:
    """Give what bags press with; what they push back with on their panels results do not tell."""
    for id_, row in _rows(motion, "airbag_contacts"):
        bag, on = id_.split(".")[:2]
        if on == segment:
            yield Share("airbags", f"airbags/{bag}", row["force"], row["point"])


def _of_links(project: Project, motion: Motion, segment: str) -> Iterator[Share]:
    for group, source in (("springs", "springs"), ("constraints", "constraints")):
        known = {one.id: one for one in getattr(project, group)}
        for id_, row in _rows(motion, group):
            one = known[id_]
            # a spring's force is told on its end B, a constraint's on its first segment
            signs = (-1.0, 1.0) if group == "springs" else (1.0, -1.0)
            for end, sign in zip((one.a, one.b), signs, strict=True):
                if end.segment == segment:
                    yield Share(source, f"{group}/{id_}", sign * row["force"])
