"""A person copied to the next seat, with all that belongs to it alone."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import count
from typing import Any

import numpy as np

from solver.base.words import Refusal
from solver.bodies.library.replacing import own_of
from solver.editing.mirroring import image, twins
from solver.editing.naming import free_id, taken
from solver.editing.persons import Person, belts_over, people, person_renamed
from solver.project import LISTS, Project
from solver.project.contact import PlaneContact, SurfaceContact, surfaces_of
from solver.project.geometry import SurfaceRef
from solver.project.merging import merged, moved, renamed
from solver.project.motions import Initial
from solver.project.names import name_of
from solver.project.pose import plane_corners
from solver.project.references import keys_in
from solver.project.segments import GROUND
from solver.scene.placing import pose_at_start

_GROUND = "@ground"
_ASIDE_M = 0.55
"""How far one who sits in the middle is from the next seat (m); an ordinary width of seats, assumed."""
_IN_MIDDLE_M = 0.15
_ROOM_M = 0.35
"""How near the hips of two people may be (m); about as wide as a man's, assumed."""
_SHARED = {"functions", "contact_laws", "surfaces", "runs", "studies"}
"""Keys that do not say to whom something belongs: laws are shared, and surfaces are told with their segments."""
_BELTS = ("belts", "harnesses")


class CannotCopy(Refusal, ValueError):
    """Say in a sentence why somebody cannot be copied."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class SeatCopy:
    """A project with a copy of a person, who that is, how far it is away (m), and what it cannot touch as the first one does."""

    project: Project
    made: Person
    aside_m: float
    missing: tuple[str, ...]


def copy_to_next_seat(project: Project, one: Person) -> SeatCopy:
    """Copy a person to the next seat; raises CannotCopy.

    Along come the belts over it, what is fixed to it alone or to it and its carrier, and the planes that only
    it touches, such as cushion and back; what the copy reaches as well, such as a floor, it touches as the first
    one does. On the other side of a vehicle belts are mirrored, so that the buckle stays inboard.
    """
    if not one.prefix:
        # where there are two, each needs a name
        project, root = person_renamed(project, one, one.name)
        one = next(p for p in people(project) if p.root == root)
    seat = _Seat(project, one)
    new = _free_prefix(project, one.prefix)
    bundle = seat.bundle()
    belts = {name: bundle[name] for name in _BELTS}
    if seat.is_across:
        sides = twins(project)
        bundle |= {name: tuple(image(b, sides) for b in belts[name]) for name in _BELTS}
    piece = project.model_copy(update=bundle)
    ids = _fresh(project, piece, one.prefix, new)

    def out(to: str, id_: str) -> str:
        if to == "segments" and id_ in (GROUND, seat.carrier):
            return GROUND if id_ == seat.carrier else _GROUND
        return ids.get((to, id_), id_)

    def back(to: str, id_: str) -> str:
        if to == "segments" and id_ in (GROUND, _GROUND):
            return seat.carrier if id_ == GROUND else GROUND
        return id_

    there = renamed(piece, out)
    put = moved(there, seat.way)
    if seat.is_across:
        # seen from the carrier, what is mirrored has come to the other side already
        put = put.model_copy(update={name: getattr(there, name) for name in _BELTS})
    done = merged(project, seat.root_moved(renamed(put, back)))
    made = next(p for p in people(done) if p.prefix == new)
    return SeatCopy(done, made, seat.way[1], seat.missing())


class _Seat:
    """Know what carries a person, where the next seat is, and what is there."""

    def __init__(self, project: Project, one: Person) -> None:
        self._project, self._one = project, one
        self._begin = next((r for r in project.initial.roots if r.segment == one.root), None)
        if self._begin is not None:
            turned = self._begin.relative_to
            self.carrier = self._begin.moves_with if self._begin.moves_with != GROUND else turned
        else:
            hung = next((j.parent for j in project.joints if j.child == one.root), None)
            if hung is None:
                raise CannotCopy("'{on}' carries something, so nobody can be put beside it.", on=one.root)  # fmt: skip
            self.carrier = hung
        self._at = pose_at_start(project)
        aside = self._across(self._at[one.root].p_W)
        across = round(-2.0 * aside, 4)
        far = next(far for far in _ways(aside, across) if self._is_free(far))
        self.is_across = far == across
        self.way = (0.0, far, 0.0)
        self._there = aside + far
        self._mine = set(one.segments)
        everybody = {s for person in people(project) for s in person.segments}
        self._touched = [
            (contact, [s for s in surfaces_of(contact) if s.segment not in everybody])
            for contact in project.contacts
            if {s.segment for s in surfaces_of(contact)} & self._mine
        ]
        planes = {c.plane for c, _ in self._touched if isinstance(c, PlaneContact)}
        self._planes = {p.id: self._passes_below(p) for p in project.planes if p.id in planes}

    def bundle(self) -> dict[str, Any]:
        """The lists of what is copied, and its start."""
        project, one = self._project, self._one
        own = set(own_of(project, one.prefix))
        bundle: dict[str, Any] = {
            name: tuple(x for x in getattr(project, name) if f"{name}/{x.id}" in own)
            for name in LISTS
        }
        bundle["planes"] = tuple(p for p in project.planes if self._planes.get(p.id) is False)
        bundle["harnesses"] = tuple(belts_over(project, one))
        bundle["contacts"] += tuple(
            contact
            for contact, others in self._touched
            if isinstance(contact, PlaneContact)
            or (others and all(self._is_there(other) for other in others))
        )
        for name, item in _fixed_to(project, bundle, {GROUND, self.carrier}):
            bundle[name] += (item,)
        bundle["outputs"] += tuple(
            o
            for o in project.outputs
            if getattr(o, "segment", "") in self._mine and o not in bundle["outputs"]
        )
        start = project.initial
        joints = {j.id for j in bundle["joints"]}
        bundle["initial"] = Initial(
            roots=(self._begin,) if self._begin is not None else (),
            attitudes=tuple(a for a in start.attitudes if a.segment in self._mine),
            joints=tuple(j for j in start.joints if j.joint in joints),
        )
        return bundle

    def missing(self) -> tuple[str, ...]:
        """Name what the first one may touch and the copy does not."""
        segments = {s.id: s for s in self._project.segments}
        gone: dict[str, None] = {}
        for contact, others in self._touched:
            for other in others if isinstance(contact, SurfaceContact) else ():
                if not self._is_there(other):
                    whole = segments[other.segment]
                    surface = next(s for s in whole.surfaces if s.id == other.surface)
                    # of what carries both of them a part is meant
                    gone[name_of(surface if whole.id == self.carrier else whole)] = None
        bags = [b for b in self._project.airbags if self._mine & {t.segment for t in b.touches}]
        return (*gone, *(name_of(bag) for bag in bags))

    def root_moved(self, piece: Project) -> Project:
        """Give the piece with a root that counts from another segment than the carrier moved as well."""
        begin = self._begin
        if begin is None or begin.relative_to == self.carrier:
            return piece
        begun = piece.initial.roots[0]
        away = self.way[1] * self._sideways()
        x, y, z = (float(f"{v:.9g}") for v in np.array(begun.position_m) + away)
        root = begun.model_copy(update={"position_m": (x, y, z)})
        return piece.model_copy(
            update={"initial": piece.initial.model_copy(update={"roots": (root,)})}
        )

    def _across(self, p_W: Any) -> float:
        """Say how far right of the carrier's middle a point is (m)."""
        if self.carrier == GROUND:
            return float(p_W[1])
        place = self._at[self.carrier]
        return float((place.R_WS.T @ (p_W - place.p_W))[1])

    def _is_free(self, far: float) -> bool:
        """Whether nobody sits so far to the right."""
        there = self._at[self._one.root].p_W + far * self._sideways()
        others = [p.root for p in people(self._project) if p.root != self._one.root]
        return all(np.linalg.norm(self._at[root].p_W - there) > _ROOM_M for root in others)

    def _sideways(self) -> Any:
        """What is right for the carrier, in ground axes."""
        right = np.array((0.0, 1.0, 0.0))
        return right if self.carrier == GROUND else self._at[self.carrier].R_WS @ right

    def _passes_below(self, plane: Any) -> bool:
        """Whether a plane lies below, or before, the next seat as well."""
        corner, edge, other = plane_corners(plane)
        if plane.segment != self.carrier:
            return True
        middle = corner + 0.5 * (edge + other)
        width = abs(float(edge[1])) + abs(float(other[1]))
        return not plane.bounded or abs(self._there - float(middle[1])) <= 0.5 * width

    def _is_there(self, ref: SurfaceRef) -> bool:
        """Whether a surface is as wide as to reach the next seat."""
        segment = next(s for s in self._project.segments if s.id == ref.segment)
        surface = next(s for s in segment.surfaces if s.id == ref.surface)
        at = self._at[ref.segment]
        # of the ellipsoid with these semi-axes, which no hyperellipsoid falls short of
        half = np.linalg.norm((at.R_WS.T @ self._sideways()) * np.array(surface.semi_axes_m))
        return abs(self._there - self._across(at.of(surface.centre_m))) <= float(half)


def _ways(aside: float, across: float) -> Iterator[float]:
    """How far to the right the next seats may be, nearest first: that across the middle, then those in the row."""
    if abs(aside) > _IN_MIDDLE_M:
        yield across
    for number in count(1):
        yield number * _ASIDE_M
        yield -number * _ASIDE_M


def _fixed_to(
    project: Project, bundle: dict[str, Any], neutral: Collection[str]
) -> Iterator[tuple[str, Any]]:
    """What leads to copied elements alone, or to them and what carries them."""
    there = {(name, x.id) for name in LISTS for x in bundle[name]}
    around = {("segments", one) for one in neutral}
    left = [
        (name, item)
        for name in LISTS
        if name not in ("segments", "planes", "contacts", "airbags", "motions", *_SHARED)
        for item in getattr(project, name)
        if (name, item.id) not in there
    ]
    grows = True
    while grows:
        grows = False
        for name, item in list(left):
            keys = {key for key in keys_in(item) if key[0] not in _SHARED} - around
            if keys and keys <= there:
                yield name, item
                there.add((name, item.id))
                left.remove((name, item))
                grows = True


def _fresh(project: Project, piece: Project, old: str, new: str) -> dict[tuple[str, str], str]:
    """Give new ids for all that is copied: with the new prefix, or else a free one."""
    ids: dict[tuple[str, str], str] = {}
    for name in LISTS:
        used = taken(project, name)
        for item in getattr(piece, name):
            wanted = item.id
            if wanted.startswith(f"{old}_"):
                wanted = f"{new}_{wanted.removeprefix(f'{old}_')}"
            ids[name, item.id] = free_id(wanted, used)
            used.add(ids[name, item.id])
    return ids


def _free_prefix(project: Project, old: str) -> str:
    """Call who sits beside a driver a passenger; else number them."""
    ids = [item.id for name in LISTS for item in getattr(project, name)]
    base, number = old.rstrip("0123456789") or "occupant", 2
    wanted = "passenger" if old == "driver" else f"{base}{number}"
    while any(id_ == wanted or id_.startswith(f"{wanted}_") for id_ in ids):
        wanted, number = f"{base}{number}", number + 1
    return wanted
