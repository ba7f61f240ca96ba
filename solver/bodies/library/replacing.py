"""Put another body in the place of one: same hips, same posture, same contacts, belts laid again."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np

from solver.base.words import Sentence
from solver.bodies import Body, Place, insert_body, pose
from solver.bodies.body import tidy3
from solver.bodies.library.belting import laid_over
from solver.bodies.library.entries import LibraryError
from solver.bodies.library.occupants import (
    FINER,
    MAIN,
    Occupant,
    ahead_of,
    bearing,
    occupant,
    occupants,
)
from solver.bodies.library.seating import feet_of, hips_of, posture_of, sitting, with_feet
from solver.project.contact import Contact, PlaneContact, SurfaceContact
from solver.project.coordinates import JointCoordinate
from solver.project.document import LISTS, Project
from solver.project.geometry import Orientation, SurfaceRef
from solver.project.joint_table import driven_axes, law_axes
from solver.project.motions import Initial, RootStart
from solver.project.names import distinct
from solver.project.pose import Placed, start_pose
from solver.project.problems import listed
from solver.project.references import needs, with_led_ranges, without
from solver.project.segments import GROUND

_LAWS = ("functions", "contact_laws")


def segments_of(project: Project, prefix: str, root: str = "") -> tuple[str, ...]:
    """Name the segments of an occupant: what its joints hold together, and its prefix where it has one."""
    ahead = ahead_of(prefix)
    root = root or f"{ahead}lower_torso"
    closed = {GROUND, *(motion.segment for motion in project.motions)}
    beside: dict[str, set[str]] = {}
    for joint in project.joints:
        if not {joint.parent, joint.child} & closed:
            beside.setdefault(joint.parent, set()).add(joint.child)
            beside.setdefault(joint.child, set()).add(joint.parent)
    found, left = {root}, [root]
    while left:
        new = {s for s in beside.get(left.pop(), ()) if s.startswith(ahead)} - found
        found |= new
        left += new
    return tuple(s.id for s in project.segments if s.id in found)


def own_of(project: Project, prefix: str) -> tuple[str, ...]:
    """Name all elements that make an occupant, by path: segments, joints, contacts of its parts, its laws.

    What others need as well, and what only touches or measures it, is not among them.
    """
    segments = set(segments_of(project, prefix))
    bears = bearing(project, prefix)
    groups = {s.group for s in project.segments if s.id in segments}

    def its(item: Any) -> bool:
        return bears(item.id) and (item.group in groups or item.group.rpartition("/")[0] in groups)

    joints = {j.id for j in project.joints if {j.parent, j.child} <= segments}
    found = [f"segments/{s.id}" for s in project.segments if s.id in segments]
    found += [f"joints/{name.id}" for name in project.joints if name.id in joints]
    found += [f"contacts/{c.id}" for c in project.contacts if _ends(c) and _ends(c) <= segments]
    found += [f"coordinate_forces/{f.id}" for f in project.coordinate_forces if its(f)]
    for name in ("functions", "contact_laws"):
        found += [f"{name}/{one.id}" for one in getattr(project, name) if prefix and its(one)]
    return tuple(found)


def replaced(
    project: Project,
    prefix: str,
    body: Body,
    posture: str | None = None,
    arms: Mapping[str, Orientation] | None = None,
) -> Project:
    """Give the project with another body in the place of an occupant; raises LibraryError, BodyError.

    Its hips come to where those of the old one were, with the angles of its joints. Whatever touched a
    part touches what stands for it now; straps are laid again over it, and measured is what was measured.
    What the new body has no part for is left out. Given `arms` lie so; else as the old one's. It is not settled.
    """
    who = _occupant_of(project, prefix)
    own = own_of(project, prefix)
    old = set(segments_of(project, prefix))
    root = f"{ahead_of(prefix)}lower_torso"
    begin = next((r for r in project.initial.roots if r.segment == root), None)
    if begin is None:
        raise LibraryError(
            "'{on}' is attached to something, so nobody can take its place; take that joint away first.",
            on=prefix,
        )
    piece = _piece(project, prefix, body, begin, posture or posture_of(project, who), arms)
    new = {s.id for s in piece.segments} - {s.id for s in project.segments if s.id not in old}
    who_new = occupant(piece.model_copy(update={"segments": tuple(s for s in piece.segments if s.id in new)}), prefix)  # fmt: skip
    assert who_new is not None
    stand_in = _StandIns(old, who_new, piece)
    bare = project.model_copy(
        update={
            "contacts": tuple(_touching(project, own, stand_in)),
            "airbags": tuple(
                bag.model_copy(update={"touches": stand_in.all(bag.touches)})
                for bag in project.airbags
            ),
            "harnesses": (),
        }
    )
    lost = [f"segments/{one}" for one in old if one not in new]
    lost += [path for path in own if path.startswith("joints/") and path.partition("/")[2] not in {j.id for j in piece.joints}]  # fmt: skip
    lost += [
        f"segments/{s.id}/surfaces/{one.id}"
        for s in project.segments
        if s.id in old & new
        for one in s.surfaces
        if one.id not in {x.id for n in piece.segments if n.id == s.id for x in n.surfaces}
    ]
    bare = without(bare, *lost).project
    done = _with_start(_exchanged(bare, piece, own, new), piece, old)
    done = without(done, *_on_other_axes(done)).project
    done = done.model_copy(
        update={
            "harnesses": tuple(laid_over(project, done, h, old, who_new) for h in project.harnesses)
        }
    )
    return _tidied(project, done, piece)


_FOLLOW = ("segments", "joints", "functions", "contact_laws", "contacts", "symmetry")
"""Lists of what is the body's own, or follows from what it is made of."""


def left_out(before: Project, after: Project, prefix: str) -> Sentence | None:
    """Say what measured, held or moved the old body and finds nothing in the new one; None where that is nothing."""
    there = {f"{name}/{one.id}" for name in LISTS for one in getattr(after, name)}
    there.update(own_of(before, prefix))
    gone = [
        distinct(before, name, one.id)
        for name in LISTS
        if name not in _FOLLOW
        for one in getattr(before, name)
        if f"{name}/{one.id}" not in there
    ]
    if not gone:
        return None
    return Sentence("Left out, as this body has nothing for it: {things}.", things=listed(gone))


def _occupant_of(project: Project, prefix: str) -> Occupant:
    who = occupant(project, prefix)
    if who is None or f"{ahead_of(prefix)}lower_torso" not in {s.id for s in project.segments}:
        there = listed(one.prefix for one in occupants(project)) or "none"
        raise LibraryError("There is no occupant '{on}'; this project has {there}.", on=prefix, there=there)  # fmt: skip
    return who


def _piece(
    project: Project,
    prefix: str,
    body: Body,
    begin: RootStart,
    posture: str,
    arms: Mapping[str, Orientation] | None,
) -> Project:
    """Give the new body on its carriers as the old one sits, as if nobody had been there."""
    carriers = {begin.relative_to, begin.moves_with}
    root = next(s for s in project.segments if s.id == begin.segment)
    empty: dict[str, Any] = dict.fromkeys(LISTS, ())
    empty["segments"] = tuple(s for s in project.segments if s.id in carriers)
    empty["initial"] = Initial()
    at = start_pose(project)
    carrier = (
        at[begin.relative_to] if begin.relative_to != GROUND else Placed(np.eye(3), np.zeros(3))
    )
    place = Place(
        tidy3(carrier.R_WS.T @ (hips_of(project, at, ahead_of(prefix)) - carrier.p_W)),
        anchor="hips",
        relative_to=begin.relative_to,
        moves_with=begin.moves_with,
        velocity_m_per_s=begin.velocity_m_per_s,
    )
    posed = pose(body, posture, arms)
    turns = {s: carrier.R_WS.T @ one.R_WS for s, one in at.items()}
    if arms is not None:
        turns = {
            s: one for s, one in turns.items() if not s.endswith(("_arm", "_forearm", "_hand"))
        }
    sits = sitting(posed, turns, prefix)
    if posture in ("seated", "driving"):
        feet = {
            part: Placed(carrier.R_WS.T @ one.R_WS, carrier.R_WS.T @ (one.p_W - carrier.p_W))
            for part, one in feet_of(project, at, ahead_of(prefix)).items()
        }
        sits = with_feet(sits, place, feet)
    had = any(one.id == f"{ahead_of(prefix)}head_acceleration" for one in project.outputs)
    group = root.group or "Occupant"
    made = insert_body(project.model_copy(update=empty), sits, prefix, place, group=group, sensors=had)  # fmt: skip
    return made.model_copy(update={"segments": made.segments[len(empty["segments"]) :]})


class _StandIns:
    """Tell which surfaces of the new body stand for one of the old."""

    def __init__(self, old: set[str], who: Occupant, piece: Project) -> None:
        self.old, self.who, self._ahead = old, who, ahead_of(who.prefix)
        self._new = {s.id: [one.id for one in s.surfaces] for s in piece.segments}

    def of(self, ref: SurfaceRef) -> tuple[SurfaceRef, ...]:
        """The surfaces for one; itself where it is nobody's."""
        if ref.segment not in self.old:
            return (ref,)
        part = ref.segment.removeprefix(self._ahead)
        found: list[SurfaceRef] = []
        if ref.surface in self._new.get(ref.segment, ()):
            found.append(ref)
        elif part in self.who.surfaces:
            found.append(self.who.surfaces[part])
        elif MAIN.get(part, "") in self.who.surfaces:
            found.append(self.who.surfaces[MAIN[part]])
        for finer in FINER.get(part, ()):
            if f"{self._ahead}{finer}" not in self.old and finer in self.who.surfaces:
                found.append(self.who.surfaces[finer])
        return tuple(found)

    def all(self, refs: Sequence[SurfaceRef]) -> tuple[SurfaceRef, ...]:
        """The surfaces for several, each once."""
        return tuple(dict.fromkeys(one for ref in refs for one in self.of(ref)))


def _ends(contact: Contact) -> set[str]:
    """Name the segments of both sides of a contact; a plane's side has none of a body's."""
    if isinstance(contact, SurfaceContact):
        return {contact.first.segment, contact.second.segment}
    if isinstance(contact, PlaneContact):
        return {contact.surface.segment, ""}
    return {""}


def _touching(project: Project, own: Sequence[str], stand_in: _StandIns) -> Iterator[Contact]:
    """All contacts that are not the old body's own, with what stands for its parts."""
    gone = {path.partition("/")[2] for path in own if path.startswith("contacts/")}
    used = {c.id for c in project.contacts}
    seen: set[Any] = set()
    for contact in project.contacts:
        if contact.id in gone:
            continue
        fields = [f for f in ("surface", "first", "second") if isinstance(getattr(contact, f, None), SurfaceRef)]  # fmt: skip
        ends = [stand_in.of(getattr(contact, f)) for f in fields]
        plane = getattr(contact, "plane", "")
        for chosen in product(*ends):
            key = (plane, frozenset((r.segment, r.surface) for r in chosen), contact.law)
            if key in seen:
                continue
            seen.add(key)
            made = contact.model_copy(update=dict(zip(fields, chosen, strict=True)))
            moved = [n for f, n in zip(fields, chosen, strict=True) if n.segment != getattr(contact, f).segment]  # fmt: skip
            if moved:
                name = (
                    f"{contact.id}_{moved[0].segment.removeprefix(ahead_of(stand_in.who.prefix))}"
                )
                number, wanted = 2, name
                while wanted in used:
                    wanted, number = f"{name}_{number}", number + 1
                made = made.model_copy(update={"id": wanted, "name": ""})
                used.add(wanted)
            yield made


def _exchanged(bare: Project, piece: Project, own: Sequence[str], new: set[str]) -> Project:
    """The project with the new body's elements where the old one's were."""
    mine = set(own)
    update: dict[str, Any] = {}
    for name in LISTS:
        fresh = list(getattr(piece, name))
        if name == "outputs":
            there = {one.id for one in bare.outputs}
            fresh = [one for one in fresh if one.id not in there]
        kept: list[Any] = []
        at: int | None = None
        for item in getattr(bare, name):
            if f"{name}/{item.id}" in mine or item.id in {f.id for f in fresh}:
                at = len(kept) if at is None else at
            else:
                kept.append(item)
        if fresh or at is not None:
            at = len(kept) if at is None else at
            update[name] = (*kept[:at], *fresh, *kept[at:])
    return bare.model_copy(update=update)


def _on_other_axes(project: Project) -> Iterator[str]:
    """Name what drives or moves an axis that its joint no longer has, by path."""
    joints = {joint.id: joint for joint in project.joints}
    for force in project.coordinate_forces:
        at = force.coordinate
        held = joints.get(at.joint) if isinstance(at, JointCoordinate) else None
        if isinstance(at, JointCoordinate) and held is not None and at.axis not in law_axes(held):
            yield f"coordinate_forces/{force.id}"
    for driver in project.drivers:
        joint = joints.get(driver.joint)
        if joint is not None and driver.axis not in driven_axes(joint):
            yield f"drivers/{driver.id}"


def _with_start(done: Project, piece: Project, mine: Collection[str]) -> Project:
    """The project with the start of the new body in the place of that of the old."""
    new = {s.id for s in piece.segments} | set(mine)
    joints = {j.id for j in piece.joints}
    start, more = done.initial, piece.initial
    root = more.roots[0].segment
    return done.model_copy(
        update={
            "initial": Initial(
                roots=tuple(more.roots[0] if r.segment == root else r for r in start.roots),
                attitudes=(*(a for a in start.attitudes if a.segment not in new), *more.attitudes),
                joints=(*(j for j in start.joints if j.joint not in joints), *more.joints),
            )
        }
    )


def _tidied(before: Project, done: Project, piece: Project) -> Project:
    """Leave out the new body's laws that nothing uses, unless the old one had them, unused as well."""
    had = {(name, one.id) for name in _LAWS for one in getattr(before, name)}
    brought = {(name, one.id) for name in _LAWS for one in getattr(piece, name)}
    while True:
        used = {key for keys in needs(done).values() for key in keys}
        spare = brought - had - used
        lists = {
            name: tuple(one for one in getattr(done, name) if (name, one.id) not in spare)
            for name in _LAWS
        }
        if all(len(lists[name]) == len(getattr(done, name)) for name in _LAWS):
            return with_led_ranges(done)
        done = done.model_copy(update=lists)
