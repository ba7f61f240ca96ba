"""Put an entry of the library into a project: guess for whom, on what and where; no Qt."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from app.editing.driving import vehicle
from app.elements import elements, find
from solver.base.words import tr
from solver.bodies.library import Entry, LibraryError, entry, insert, occupant
from solver.bodies.library.occupants import Occupant, occupants
from solver.bodies.library.seating import hanging
from solver.editing.bench import Bench
from solver.editing.by_hand import by_hand, seated_at
from solver.engine.maths.rotation import Array
from solver.model.route import RouteError
from solver.project import LISTS, Project
from solver.project.geometry import Orientation
from solver.project.pose import plane_corners, turn
from solver.project.segments import GROUND
from solver.scene.placing import in_ground, pose_at_start

_PREFIXES = {"seats": "seat", "interiors": "interior", "belts": "belt", "airbags": "airbag"}
_FIRST = ("harnesses", "airbags", "motions", "planes", "segments", "contact_laws", "functions")
"""What is selected of all that an entry brings, the first that there is."""


@dataclass(frozen=True, slots=True)
class Pick:
    """What the dialog asks: which entry, carried by what, for which occupant, where."""

    entry: str
    carrier: str = GROUND
    on: str | None = None
    place_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    facing_rad: float = 0.0


def has_place(one: Entry) -> bool:
    """Whether an entry stands somewhere: laws and pulses do not."""
    return bool(one.origin)


def is_carried(one: Entry) -> bool:
    """Whether an entry belongs to a segment."""
    return has_place(one) or bool(one.fragment.motions)


def is_for_someone(one: Entry) -> bool:
    """Whether an entry presses on an occupant or lies over one."""
    return bool(one.roles())


def first_pick(project: Project, id_: str) -> Pick:
    """Guess: on what it is likely to move with, for the first occupant, at the hips of that one."""
    one = entry(id_)
    who = next(iter(sitters(project, one)), None)
    carrier = carrier_for(project, who) if is_carried(one) else GROUND
    return at_origin(project, Pick(id_, carrier, who))


def sitters(project: Project, one: Entry) -> dict[str, Occupant]:
    """Those whom an entry may be for: library bodies by their prefix, others by a segment; belts need bones of the former."""
    if not is_for_someone(one):
        return {}
    others = () if one.straps else by_hand(project)
    return {who.prefix: who for who in occupants(project)} | {key_of(who): who for who in others}


def key_of(who: Occupant) -> str:
    """What somebody made by hand is known by: its lowest part."""
    return next(iter(who.surfaces.values())).segment


def carrier_for(project: Project, who: str | None = None) -> str:
    """Guess what a part of a car, or what holds somebody, moves with.

    That is what the one whom it is for moves with; else what is driven; else what most planes and
    bodies stand on.
    """
    known = {segment.id for segment in project.segments}
    ahead = f"{who}_" if who else ""
    of_who = [
        root.moves_with if root.moves_with != GROUND else root.relative_to
        for root in project.initial.roots
        if who is not None and root.segment.startswith(ahead)
    ]
    stood_on = Counter(plane.segment for plane in project.planes)
    stood_on.update(root.moves_with for root in project.initial.roots)
    driven = sorted((m.segment for m in project.motions), key=lambda s: -stood_on[s])
    others = (segment for segment, _ in stood_on.most_common())
    found = (*of_who, *driven, *others)
    return next((one for one in found if one in known and not _is_in_body(project, one)), GROUND)


def _is_in_body(project: Project, segment: str) -> bool:
    """Whether a segment is a part of somebody."""
    return any(
        ref.segment == segment
        for who in (*occupants(project), *by_hand(project))
        for ref in who.surfaces.values()
    )


def at_origin(project: Project, pick: Pick) -> Pick:
    """Put an entry that is counted from somebody's hips at those hips."""
    place, one = (0.0, 0.0, 0.0), entry(pick.entry)
    if one.at_hips and pick.on is not None:
        who = sitters(project, one).get(pick.on)
        middle = _hips(project, pick.on) if who is None or who.prefix == pick.on else None
        middle = seated_at(project, one, who) if middle is None and who is not None else middle
        if middle is not None:
            place = _seen_from(project, pick.carrier, middle)
    return Pick(pick.entry, pick.carrier, pick.on, place, pick.facing_rad)


def dropped_pick(project: Project, id_: str, element: str, place_W: Array) -> Pick:
    """Say where an entry goes that is let go over an element, or over nothing, at a place in ground axes.

    Over somebody it is for, it goes to where it belongs on that one; else its foot stands at the place. What
    the element moves with, or what it is, carries it.
    """
    one, pick = entry(id_), first_pick(project, id_)
    under = _segment_of(project, element)
    who = next(
        (
            key
            for key, o in sitters(project, one).items()
            if under in {ref.segment for ref in o.surfaces.values()}
        ),
        None,
    )
    if who is not None and is_for_someone(one):
        return at_origin(project, Pick(id_, carrier_for(project, who), who))
    if under and is_carried(one) and not _is_in_body(project, under):
        pick = replace(pick, carrier=under)
    if not has_place(one) or one.straps:
        return at_origin(project, pick)
    x, y, z = _seen_from(project, pick.carrier, place_W)
    a, b, c = _foot(one)
    return replace(pick, place_m=(round(x - a, 4), round(y - b, 4), round(z - c, 4)))


def _segment_of(project: Project, element: str) -> str:
    """Name the segment that an element is, or that carries it; empty for none."""
    list_name, _, id_ = element.partition("/")
    if list_name == "segments":
        return id_.partition("/")[0]
    found: Any = find(project, element) if element else None
    segment = str(getattr(found, "segment", ""))
    return segment if segment != GROUND else ""


def _foot(one: Entry) -> tuple[float, float, float]:
    """The middle of the lowest of an entry, from its own origin (m); z points down."""
    at = pose_at_start(one.fragment)
    points = [np.zeros((0, 3))]
    for plane in one.fragment.planes:
        corner, edge, other = plane_corners(plane)
        placed = at[plane.segment]
        points.append(
            np.array([placed.of(corner + m * edge + n * other) for m in (0, 1) for n in (0, 1)])
        )
    for segment in one.fragment.segments:
        for surface in segment.surfaces:
            reach = np.sqrt(
                ((at[segment.id].R_WS @ turn(surface.orientation)) ** 2)
                @ np.array(surface.semi_axes_m) ** 2
            )
            centre = at[segment.id].of(surface.centre_m)
            points.append(np.array([centre - reach, centre + reach]))
    every = np.concatenate(points)
    if not len(every):
        return (0.0, 0.0, 0.0)
    low, high = every.min(0), every.max(0)
    return float(0.5 * (low[0] + high[0])), float(0.5 * (low[1] + high[1])), float(high[2])


def inserted(project: Project, pick: Pick) -> tuple[Project, tuple[str, ...]]:
    """The project with the entry in it, and the paths of what is new; raises LibraryError."""
    one = entry(pick.entry)
    before = {path for path, _ in elements(project)}
    carrier = pick.carrier
    if one.fragment.motions and carrier == GROUND:
        bench = Bench(project)
        carrier = vehicle(bench)
        project = bench.project
    if not has_place(one) and not one.fragment.motions and _is_there(project, one):
        raise LibraryError(tr("{name} is in the model already.", name=one.name))
    try:
        done = insert(
            project,
            one.id,
            _prefix(project, one),
            attach_to=carrier if is_carried(one) else GROUND,
            at=pick.place_m if has_place(one) else (0.0, 0.0, 0.0),
            turned=Orientation(angles_rad=(pick.facing_rad, 0.0, 0.0)) if pick.facing_rad else None,
            on=sitters(project, one).get(pick.on or "", pick.on) if is_for_someone(one) else None,
            replace=True,
        )
    except RouteError as failure:
        raise LibraryError(str(failure)) from None
    new = tuple(path for path, _ in elements(done) if path not in before)
    return done, tuple(sorted(new, key=_rank))


def too_short(project: Project, prefix: str | None) -> str:
    """Say by how much soles of a person do not reach the floor; nothing where they do."""
    who = None if prefix is None else occupant(project, prefix)
    return str((who and hanging(project, who)) or "")


def _rank(path: str) -> int:
    name = path.partition("/")[0]
    return _FIRST.index(name) if name in _FIRST else len(_FIRST)


def _is_there(project: Project, one: Entry) -> bool:
    return any(
        find(project, f"{name}/{item.id}") is not None
        for name in LISTS
        for item in getattr(one.fragment, name)
    )


def _prefix(project: Project, one: Entry) -> str:
    """A prefix that no id begins with; laws have none, so that they are found again."""
    wanted = _PREFIXES.get(one.category, "pulse" if one.fragment.motions else "")
    prefix, number = wanted, 2
    ids = [path.partition("/")[2] for path, _ in elements(project)]
    while prefix and any(id_ == prefix or id_.startswith(f"{prefix}_") for id_ in ids):
        prefix, number = f"{wanted}{number}", number + 1
    return prefix


def _hips(project: Project, prefix: str) -> Array | None:
    """The middle between the hip joints of an occupant, in ground axes (m)."""
    ahead = f"{prefix}_" if prefix else ""
    both: list[Any] = [find(project, f"joints/{ahead}{side}_hip") for side in ("left", "right")]
    if None in both:
        return None
    pose = pose_at_start(project)
    points = [in_ground(pose, joint.parent, joint.parent_frame.position_m) for joint in both]
    return np.mean(points, axis=0)  # type: ignore[no-any-return]


def _seen_from(project: Project, carrier: str, point_W: Array) -> tuple[float, float, float]:
    at = pose_at_start(project)[carrier]
    x, y, z = (round(float(v), 4) + 0.0 for v in at.R_WS.T @ (point_W - at.p_W))
    return x, y, z
