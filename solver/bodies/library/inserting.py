"""Insert an entry of the library into a project: under a prefix, on a carrier, at a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from solver.base.words import Sentence, tr
from solver.bodies.library.belting import laid
from solver.bodies.library.entries import Entry, LibraryError, entries, entry, fragment
from solver.bodies.library.occupants import SIDE, Occupant, ahead_of, occupant, occupants
from solver.bodies.library.seating import floor_of, on_floor
from solver.project.angles import angles_from
from solver.project.contact import Contact, PlaneContact, SurfaceContact, surfaces_of
from solver.project.document import Project
from solver.project.fields import Id
from solver.project.geometry import Orientation, SurfaceRef
from solver.project.merging import ROLE, MergeError, joined_to, merged, moved, prefixed, rebuilt
from solver.project.pose import plane_extent, start_pose, turn
from solver.project.problems import did_you_mean, listed
from solver.project.references import with_led_ranges
from solver.project.segments import GROUND

_ID: TypeAdapter[str] = TypeAdapter(Id)
Vector = tuple[float, float, float]


def insert(
    project: Project,
    id_: str,
    prefix: str = "",
    *,
    attach_to: str = GROUND,
    at: Vector = (0.0, 0.0, 0.0),
    turned: Orientation | None = None,
    on: str | Occupant | None = None,
    from_speed: float | None = None,
    replace: bool = False,
) -> Project:
    """The project with an entry in it; raises LibraryError.

    `attach_to` is the segment that carries it or, for a pulse, is moved by it; `at` (m) and `turned`
    place its origin there. `on` is the prefix of the occupant that it presses on or lies over, or the occupant; what
    belongs to an occupant is left out where none is named. Who sits in a seat with a floor of its own gets
    soles on it. `from_speed` (m/s) is the speed at which a pulse begins. With `replace` a motion that the carrier has already makes room.
    """
    one = entry(id_)
    if any(at) and not one.origin:
        raise LibraryError("'{one}' has no place, so it cannot be put at one.", one=one.id)
    who = _occupant_of(project, one, on)
    attach_to, at, turned = _riding(project, one, attach_to, at, turned)
    piece = moved(fragment(id_), at, turned)
    if from_speed is not None:
        piece = _starting(one, piece, from_speed)
    together = put_in(project, piece, one.id, prefix, attach_to, who=who, replace=replace)
    if one.held_by:
        together = _held(together, {f"{ahead_of(prefix)}{bag.id}" for bag in piece.airbags}, one)
    if one.feet_on and who is not None:
        together = on_floor(together, who, floor_of(one, prefix))
    if one.straps and who is not None:
        together = laid(together, one, prefix, attach_to, at, turned, who)
    return with_led_ranges(together)


def put_in(
    project: Project,
    piece: Project,
    what: str,
    prefix: str,
    attach_to: str,
    *,
    who: Occupant | None = None,
    replace: bool = False,
) -> Project:
    """The project with any piece in it, as `insert` does with those of the library."""
    _check(project, piece, what, prefix, attach_to)
    piece = pressing(prefixed(piece, prefix, attach_to), who)
    if attach_to != GROUND:
        piece = joined_to(piece, start_pose(project)[attach_to])
    try:
        return merged(_with_room(project, what, piece, replace), piece)
    except MergeError as failure:
        raise LibraryError(str(failure)) from None


def _check(project: Project, piece: Project, what: str, prefix: str, carrier: str) -> None:
    try:
        _ID.validate_python(prefix or "x")
    except ValidationError:
        raise LibraryError(
            "'{prefix}' is no prefix: it goes before ids, so it may have no blanks, slashes, dots, quotes or wildcards.",
            prefix=prefix,
        ) from None
    segments = {segment.id for segment in project.segments}
    if carrier != GROUND and carrier not in segments:
        hint = did_you_mean(carrier, segments)
        raise LibraryError(f"There is no segment '{carrier}' to attach to. {hint}".strip())
    if piece.motions and carrier == GROUND:
        raise LibraryError(
            "'{what}' moves a segment: name it, such as the vehicle; the ground never moves.",
            what=what,
        )


def _occupant_of(project: Project, one: Entry, on: str | Occupant | None) -> Occupant | None:
    """Find the occupant, or say what is missing."""
    if isinstance(on, Occupant):
        return on
    if on is None:
        if one.straps:
            there = listed(who.prefix for who in occupants(project)) or tr("none yet")
            raise LibraryError(
                "'{one}' lies over an occupant: name its prefix; this project has {there}.",
                one=one.id,
                there=there,
            )
        return None
    who = occupant(project, on)
    if who is None:
        there = listed(who.prefix for who in occupants(project)) or tr("none")
        raise LibraryError(
            "There is no occupant '{on}'; this project has {there}.", on=on, there=there
        )
    missing = sorted(role for role in one.roles() if not who.of(role))
    if missing and one.straps:
        raise LibraryError(
            "The occupant '{on}' has no {missing} for '{one}'.",
            on=on,
            missing=listed(missing),
            one=one.id,
        )
    return who


def _riding(
    project: Project, one: Entry, carrier: str, at: Vector, turned: Orientation | None
) -> tuple[str, Vector, Orientation | None]:
    """What carries an entry and where it lies there: on the nearest thing that it rides on, if the carrier has one."""
    things = [
        j.child for j in project.joints if j.parent == carrier and j.child.endswith(one.rides_on)
    ]
    if not one.rides_on or not things:
        return carrier, at, turned
    pose = start_pose(project)
    R = pose[carrier].R_WS @ turn(turned or Orientation())
    own = start_pose(fragment(one.id))[one.fragment.segments[0].id].p_W
    p = pose[carrier].of(at)
    wheel = min(things, key=lambda t: float(np.linalg.norm(pose[t].p_W - p - R @ own)))
    R_WT = pose[wheel].R_WS
    x, y, z = (float(v) for v in R_WT.T @ (p - pose[wheel].p_W))
    return wheel, (x, y, z), Orientation(angles_rad=angles_from(R_WT.T @ R, "zyx"))


def _held(project: Project, bags: set[str], one: Entry) -> Project:
    """Let what is around hold bags of an entry, which is before its planes and segments."""
    planes = tuple(p.id for p in project.planes if p.id.endswith(one.held_by))
    panels = tuple(
        SurfaceRef(segment=s.id, surface=s.surfaces[0].id)
        for s in project.segments
        if s.surfaces and s.id.endswith(one.held_by)
    )
    held = tuple(
        bag.model_copy(update={"planes": (*bag.planes, *planes), "panels": (*bag.panels, *panels)})
        if bag.id in bags
        else bag
        for bag in project.airbags
    )
    return project.model_copy(update={"airbags": held})


def _starting(one: Entry, piece: Project, speed: float) -> Project:
    """Let the first translation of a pulse begin at a speed."""
    if not piece.motions:
        raise LibraryError("'{one}' moves nothing, so it has no speed to start from.", one=one.id)
    motion = piece.motions[0]
    first = motion.components[0]
    if first.quantity != "acceleration" or first.component not in ("x", "y", "z"):
        raise LibraryError(
            "'{one}' does not start from a speed: it gives {quantity}.",
            one=one.id,
            quantity=first.quantity,
        )
    components = (first.model_copy(update={"start_rate": speed}), *motion.components[1:])
    moving = motion.model_copy(update={"components": components})
    return piece.model_copy(update={"motions": (moving, *piece.motions[1:])})


def pressing(piece: Project, who: Occupant | None) -> Project:
    """The piece with roles as the occupant's surfaces, without what has none.

    What presses on a part presses on all that stands for it.
    """

    def known(ref: SurfaceRef) -> Mapping[str, SurfaceRef]:
        if not ref.segment.startswith(ROLE):
            return {ref.segment: ref}
        return who.of(ref.segment[1:], ref.surface) if who else {}

    def pressed(ref: SurfaceRef) -> tuple[SurfaceRef, ...]:
        if who is not None and ref.segment.startswith(ROLE) and ref.surface != SIDE:
            return who.under_bag(ref.segment[1:])
        return tuple(known(ref).values())

    def each(contact: Contact) -> Iterator[Contact]:
        ends = [known(ref) for ref in surfaces_of(contact)]
        for parts in product(*(end.items() for end in ends)):
            chosen = {
                (old.segment, old.surface): new
                for old, (_, new) in zip(surfaces_of(contact), parts, strict=True)
            }

            def fill(part: Any, chosen: Any = chosen) -> Any:
                return (
                    chosen.get((part.segment, part.surface), part)
                    if isinstance(part, SurfaceRef)
                    else part
                )

            made: Contact = rebuilt(contact, fill)
            for old, (part, _) in zip(surfaces_of(contact), parts, strict=True):
                role = old.segment[1:] if old.segment.startswith(ROLE) else part
                if part != role:
                    made = made.model_copy(update={"id": _named(made.id, role, part)})
            yield made

    contacts = tuple(one for contact in piece.contacts for one in each(contact))
    bags = tuple(
        bag.model_copy(update={"touches": tuple(t for old in bag.touches for t in pressed(old))})
        for bag in piece.airbags
    )
    return piece.model_copy(update={"contacts": contacts, "airbags": bags})


def _named(id_: str, role: str, part: str) -> str:
    """Give a contact's id with the part that touches in the place of the role before its dash."""
    before, dash, behind = id_.partition("-")
    before = f"{before[: -len(role)]}{part}" if before.endswith(role) else f"{before}_{part}"
    return f"{before}{dash}{behind}"


def _with_room(project: Project, what: str, piece: Project, replace: bool) -> Project:
    """Take away the motion in the way of a pulse, if that is wanted."""
    driven = {motion.segment for motion in piece.motions}
    in_way = [motion for motion in project.motions if motion.segment in driven]
    if not in_way:
        return project
    if not replace:
        raise LibraryError(
            "'{segment}' is moved by '{in_way}' already; replace that motion to use '{what}'.",
            segment=in_way[0].segment,
            in_way=in_way[0].id,
            what=what,
        )
    kept = tuple(motion for motion in project.motions if motion not in in_way)
    return project.model_copy(update={"motions": kept})


# Which contacts are missing: those that parts of the library make with the occupant, and those a run has missed.
#
# A part that came before the body it is for has no contacts with it; here they follow whatever the order.

FAR_M = 1.2
"""Who is farther from all planes of a part than this is not the one whom it is for (assumed)."""
_AS_NEAR_M = 0.15

Pair = frozenset[object]
Missed = tuple[str, str, Sentence]
"""Paths of what went through what in a run though no contact was allowed, and what is said of it."""


@dataclass(frozen=True, slots=True)
class Suggestion:
    """A contact that is missing, and why it is thought so."""

    contact: Contact
    why: Sentence

    @property
    def pair(self) -> Pair:
        """What would touch: two surfaces, or a surface and a plane."""
        return pair_of(self.contact)


def pair_of(contact: Contact) -> Pair:
    """What a contact lets touch, in no order."""
    return frozenset((*surfaces_of(contact), getattr(contact, "plane", "")))


def suggested(project: Project, missed: Sequence[Missed] = ()) -> tuple[Suggestion, ...]:
    """The contacts that are missing: by the library, then what a run has found to be passed through."""
    found: dict[Pair, Suggestion] = {}
    known = {pair_of(contact) for contact in project.contacts}
    for one in (*_by_library(project), *_by_run(project, missed)):
        if one.pair not in known:
            found.setdefault(one.pair, one)
    return tuple(found.values())


def with_suggested(project: Project, chosen: Sequence[Suggestion]) -> Project:
    """The project with contacts that were missing, each under an id of its own."""
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
    """Those whom some planes are for: who is nearest to them at the start."""
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
    """The law by which one of the sides touches others already, the one most used; else none."""
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
