"""People as things: who is in a model, and one of them renamed, taken away or copied to the next seat, as a whole."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from app.editing.mirroring import image, twins
from app.editing.naming import free_id, id_from, taken
from solver.injury.parts import occupants as told
from solver.library.occupants import occupants
from solver.library.replacing import own_of, segments_of
from solver.project import LISTS, Project
from solver.project.contact import PlaneContact, surfaces_of
from solver.project.kept import kept
from solver.project.merging import merged, moved, renamed
from solver.project.pose import plane_corners
from solver.project.references import Key, keys_in, redirected
from solver.project.segments import GROUND
from solver.project.start import Initial
from solver.scene.placing import pose_at_start
from solver.words import tr

_GROUND = "@ground"
_ASIDE_M = 0.55
"""How far one who sits in the middle is from the next seat (m); an ordinary width of seats, assumed."""
_IN_MIDDLE_M = 0.15


@dataclass(frozen=True, slots=True)
class Person:
    """Hold a body of a model: its prefix, what it is called, its segments with the root last, and its mass."""

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


@kept
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
            add(who.prefix, root, _said(who.prefix), True)
    for one in told(project):
        at = one.segments.get("lower_torso")
        if at is not None and "upper_torso" in one.segments:
            add("", at, _said(one.name), False)
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
    """Give the person whose segments are selected, all of them and nothing else."""
    if len(chosen) < 2:
        return None
    wanted = set(chosen)
    return next((one for one in people(project) if set(one.paths) == wanted), None)


def all_of(project: Project, chosen: Sequence[str]) -> tuple[str, ...]:
    """Give what goes with a person that is selected as a whole: its joints, laws and the belts over it alone."""
    one = chosen_person(project, chosen)
    if one is None:
        return tuple(chosen)
    own = own_of(project, one.prefix) if one.is_ours else one.paths
    return (*own, *(f"harnesses/{h.id}" for h in _belts_over(project, one)))


def person_renamed(project: Project, one: Person, name: str) -> tuple[Project, str]:
    """Give the project with a person called otherwise, in all ids that begin with its prefix; and its root."""
    used = {
        segment.id.split("_", 1)[0]
        for segment in project.segments
        if segment.id not in one.segments
    }
    new = free_id(id_from(name), used | {GROUND})
    old = f"{one.prefix}_" if one.prefix else ""
    own = set(own_of(project, one.prefix)) if one.is_ours else set(one.paths)
    ways: dict[Key, Key] = {}
    for to in LISTS:
        for item in getattr(project, to):
            if item.id.startswith(old) if old else f"{to}/{item.id}" in own:
                ways[to, item.id] = (to, f"{new}_{item.id.removeprefix(old)}")
    lists = {
        to: tuple(
            item.model_copy(update={"id": ways[to, item.id][1]}) if (to, item.id) in ways else item
            for item in getattr(project, to)
        )
        for to in LISTS
    }
    return redirected(project.model_copy(update=lists), ways), ways["segments", one.root][1]


def beside(project: Project, one: Person) -> tuple[Project, Person, tuple[float, float, float]]:
    """Give the project with a copy of a person on the next seat, that person, and how far away it sits.

    Along come the belts over it and the planes that only it touches, such as cushion and back; what the
    copy reaches as well, such as a floor, it touches as the first one does. On the other side of a
    vehicle belts are mirrored, so that the buckle stays inboard.
    """
    begin = next(r for r in project.initial.roots if r.segment == one.root)
    carrier = begin.moves_with if begin.moves_with != GROUND else begin.relative_to
    aside = _aside(project, one, carrier)
    is_across = abs(aside) > _IN_MIDDLE_M
    way = (0.0, round(-2.0 * aside, 4) if is_across else _ASIDE_M, 0.0)
    new = _free_prefix(project, one.prefix)
    planes = {
        c.plane
        for c in project.contacts
        if isinstance(c, PlaneContact) and c.surface.segment in one.segments
    }
    reached = {
        p.id for p in project.planes if p.id in planes and _reaches(project, p, one, carrier, way)
    }
    brought = planes - reached
    own = set(own_of(project, one.prefix))
    mine = set(one.segments)
    bundle: dict[str, Any] = dict.fromkeys(LISTS, ())
    for name in LISTS:
        bundle[name] = tuple(x for x in getattr(project, name) if f"{name}/{x.id}" in own)
    bundle["planes"] = tuple(p for p in project.planes if p.id in brought)
    belts, sides = _belts_over(project, one), twins(project)
    bundle["harnesses"] = tuple(image(b, sides) for b in belts) if is_across else tuple(belts)
    bundle["contacts"] += tuple(
        c
        for c in project.contacts
        if getattr(c, "plane", "") in planes and {s.segment for s in surfaces_of(c)} <= mine
    )
    bundle["outputs"] = tuple(
        o
        for o in project.outputs
        if getattr(o, "segment", "") in mine
        or (
            getattr(o, "of", "") == "harnesses"
            and getattr(o, "element", "") in {h.id for h in bundle["harnesses"]}
        )
    )
    start = project.initial
    bundle["initial"] = Initial(
        roots=(begin,),
        attitudes=tuple(a for a in start.attitudes if a.segment in mine),
        joints=tuple(j for j in start.joints if f"joints/{j.joint}" in own),
    )
    piece = project.model_copy(update=bundle)
    ids = _fresh(project, piece, one.prefix, new)

    def out(to: str, id_: str) -> str:
        if to == "segments" and id_ in (GROUND, carrier):
            return GROUND if id_ == carrier else _GROUND
        return ids.get((to, id_), id_)

    def back(to: str, id_: str) -> str:
        if to == "segments" and id_ in (GROUND, _GROUND):
            return carrier if id_ == GROUND else GROUND
        return id_

    there = renamed(piece, out)
    put = moved(there, way)
    if is_across:
        # seen from the carrier, what is mirrored has come to the other side already
        put = put.model_copy(update={"harnesses": there.harnesses})
    piece = renamed(put, back)
    if begin.relative_to != carrier:
        begun = piece.initial.roots[0]
        shift = (
            pose_at_start(project)[carrier].R_WS @ np.array(way)
            if carrier != GROUND
            else np.array(way)
        )
        x, y, z = (float(f"{v:.9g}") for v in np.array(begun.position_m) + shift)
        root = begun.model_copy(update={"position_m": (x, y, z)})
        piece = piece.model_copy(
            update={"initial": piece.initial.model_copy(update={"roots": (root,)})}
        )
    done = merged(project, piece)
    made = next(p for p in people(done) if p.prefix == new)
    return done, made, way


def _fresh(project: Project, piece: Project, old: str, new: str) -> dict[tuple[str, str], str]:
    """Give new ids for all that is copied: with the new prefix, or else a free one."""
    ids: dict[tuple[str, str], str] = {}
    for name in LISTS:
        used = taken(project, name)
        for item in getattr(piece, name):
            wanted = item.id
            if old and wanted.startswith(f"{old}_"):
                wanted = f"{new}_{wanted.removeprefix(f'{old}_')}"
            ids[name, item.id] = free_id(wanted, used)
            used.add(ids[name, item.id])
    return ids


def _belts_over(project: Project, one: Person) -> list[Any]:
    """Give the harnesses that lie over nobody else."""
    mine = {f"segments/{s}" for s in one.segments}
    others = {s for p in people(project) if p.root != one.root for s in p.paths}
    found = []
    for harness in project.harnesses:
        on = {f"segments/{key[1]}" for key in keys_in(harness) if key[0] == "surfaces"}
        if on & mine and not on & others:
            found.append(harness)
    return found


def _aside(project: Project, one: Person, carrier: str) -> float:
    """Say how far right of the carrier's middle somebody sits (m)."""
    at = pose_at_start(project)
    root = at[one.root].p_W
    if carrier == GROUND:
        return float(root[1])
    place = at[carrier]
    return float((place.R_WS.T @ (root - place.p_W))[1])


def _reaches(project: Project, plane: Any, one: Person, carrier: str, way: Sequence[float]) -> bool:
    """Tell whether a plane lies below, or before, the next seat as well."""
    corner, edge, other = plane_corners(plane)
    if plane.segment != carrier:
        return True
    middle = corner + 0.5 * (edge + other)
    width = abs(float(edge[1])) + abs(float(other[1]))
    y = _aside(project, one, carrier) + way[1]
    return not plane.bounded or abs(y - float(middle[1])) <= 0.5 * width


def _free_prefix(project: Project, old: str) -> str:
    """Call who sits beside a driver a passenger; else number them."""
    ids = [item.id for name in LISTS for item in getattr(project, name)]
    base, number = old.rstrip("0123456789") or "occupant", 2
    wanted = "passenger" if old == "driver" else f"{base}{number}"
    while any(id_ == wanted or id_.startswith(f"{wanted}_") for id_ in ids):
        wanted, number = f"{base}{number}", number + 1
    return wanted


def _said(prefix: str) -> str:
    return prefix.replace("_", " ").capitalize() if prefix else tr("Occupant")
