"""Insert an entry of the library into a project: under a prefix, on a carrier, at a place."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product
from typing import Any

import numpy as np
from pydantic import TypeAdapter, ValidationError

from solver.bodies.library.belting import laid
from solver.bodies.library.entries import Entry, LibraryError, entry, fragment
from solver.bodies.library.footing import floor_of, on_floor
from solver.bodies.library.occupants import Occupant, occupant, occupants
from solver.project.angles import angles_from
from solver.project.contact import Contact, surfaces_of
from solver.project.document import Project
from solver.project.fields import Id
from solver.project.geometry import Orientation, SurfaceRef
from solver.project.merging import (
    ROLE,
    MergeError,
    joined_to,
    merged,
    moved,
    prefixed,
    rebuilt,
)
from solver.project.pose import start_pose, turn
from solver.project.problems import did_you_mean, listed
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
    on: str | None = None,
    from_speed: float | None = None,
    replace: bool = False,
) -> Project:
    """Give the project with an entry in it; raises LibraryError.

    `attach_to` is the segment that carries it or, for a pulse, is moved by it; `at` (m) and `turned`
    place its origin there. `on` is the prefix of the occupant that it presses on or lies over; what
    belongs to an occupant is left out where none is named. Who sits in a seat with a floor of its own gets
    soles on it. `from_speed` (m/s) is the speed at which a pulse begins. With `replace` a motion that the carrier has already makes room.
    """
    one = entry(id_)
    if any(at) and not one.origin:
        raise LibraryError("'{one}' has no place, so it cannot be put at one.", one=one.id)
    who = _who(project, one, on)
    attach_to, at, turned = _riding(project, one, attach_to, at, turned)
    piece = moved(fragment(id_), at, turned)
    if from_speed is not None:
        piece = _starting(one, piece, from_speed)
    together = put_in(project, piece, one.id, prefix, attach_to, who=who, replace=replace)
    if one.feet_on and who is not None:
        together = on_floor(together, who, floor_of(one, prefix))
    if one.straps and who is not None:
        return laid(together, one, prefix, attach_to, at, turned, who)
    return together


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
    """Give the project with any piece in it, as `insert` does with those of the library."""
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


def _who(project: Project, one: Entry, on: str | None) -> Occupant | None:
    """Find the occupant, or say what is missing."""
    if on is None:
        if one.straps:
            there = listed(who.prefix for who in occupants(project)) or "none yet"
            raise LibraryError(
                "'{one}' lies over an occupant: name its prefix; this project has {there}.",
                one=one.id,
                there=there,
            )
        return None
    who = occupant(project, on)
    if who is None:
        there = listed(who.prefix for who in occupants(project)) or "none"
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
    """Give what carries an entry and where it lies there: on the nearest thing that it rides on, if the carrier has one."""
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
    """Give the piece with roles as the occupant's surfaces, without what has none.

    What presses on a part presses on all that stands for it.
    """

    def known(ref: SurfaceRef) -> Mapping[str, SurfaceRef]:
        if not ref.segment.startswith(ROLE):
            return {ref.segment: ref}
        return who.of(ref.segment[1:], ref.surface) if who else {}

    def pressed(ref: SurfaceRef) -> tuple[SurfaceRef, ...]:
        if who is not None and ref.segment.startswith(ROLE):
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
