"""Which person is wanted, in what pose and where, and on which planes it may rest."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

import numpy as np

from solver.base.words import tr
from solver.bodies import (
    DUMMIES,
    Body,
    BodyError,
    Place,
    Touch,
    insert_body,
    pose,
    with_hands,
)
from solver.bodies.library import fragment, insert
from solver.editing.naming import free_id, taken
from solver.editing.persons import Figure
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.geometry import Orientation
from solver.project.pose import plane_corners
from solver.project.segments import GROUND, Plane
from solver.scene.placing import pose_at_start, up_of

_PREFIXES = {"man": "man", "woman": "woman", "child": "child", **dict.fromkeys(DUMMIES, "dummy")}


@dataclass(frozen=True)
class Person(Figure):
    """What the dialog asks: who, how large, in what pose, where."""

    pose: str = "seated"
    hands: bool = False
    sensors: bool = True
    rests: bool = True
    """Whether it may touch the planes that move with it."""
    anchor: Literal["hips", "lowest"] = "hips"
    place_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    facing_rad: float = 0.0
    """Turn about the body's vertical, from straight ahead towards the right."""
    on: str = GROUND
    """Segment whose axes the place counts in, and with which the body moves."""


def body_of(person: Person) -> Body:
    """Make the body in its pose; raises BodyError, whose sentence says what would mend it."""
    found = person.body()
    parted = person.hands and not person.has_hands
    return pose(with_hands(found) if parted else found, person.pose)


def inserted(project: Project, person: Person) -> tuple[Project, str]:
    """The project with the person in it, and the path of the body's root; raises BodyError."""
    prefix = _free_prefix(project, _PREFIXES.get(person.who, "man"))
    done = put_on(
        project, body_of(person), prefix, person.on,
        place_m=person.place_m, anchor=person.anchor, facing_rad=person.facing_rad,
        rests=person.rests, sensors=person.sensors,
    )  # fmt: skip
    return done, f"segments/{prefix}_lower_torso"


def put_on(
    project: Project,
    body: Body,
    prefix: str,
    on: str = GROUND,
    *,
    place_m: tuple[float, float, float] | None = None,
    anchor: Literal["hips", "lowest"] = "hips",
    facing_rad: float = 0.0,
    rests: bool = True,
    sensors: bool = True,
) -> Project:
    """Put a posed body where its posture belongs on what carries it, or at a place of that; raises BodyError.

    Where it `rests` it may touch the planes that move with it, by laws of the library.
    """
    if on != GROUND and on not in pose_at_start(project):
        raise BodyError(tr("There is no segment '{segment}' to place the body on.", segment=on))
    if place_m is None:
        anchor, place_m = place_of(project, body.pose, on)
    turned = Orientation(angles_rad=(facing_rad, 0.0, 0.0))
    at = Place(place_m, turned, anchor, relative_to=on, moves_with=on)
    held: tuple[Touch, ...] = ()
    if rests:
        project, held = touches(project, on, body.pose, facing_rad)
    there = {segment.id for segment in body.segments}
    held = tuple(one for one in held if one.segment in there)
    group = prefix.replace("_", " ").capitalize()
    return insert_body(project, body, prefix, at, group=group, sensors=sensors, touches=held)


def _free_prefix(project: Project, word: str) -> str:
    used = {name.split("_", 1)[0] for name in taken(project, "segments")}
    return free_id(word, used)


def first_place(project: Project) -> Person:
    """Guess where a body goes: on a seat where there is one, else standing on what there is."""
    carrier = next((m.segment for m in project.motions), GROUND)
    known = pose_at_start(project)
    on = carrier if carrier in known else GROUND
    is_seat = any(is_called_seat(plane) for plane in project.planes if plane.segment == on)
    return placed(project, Person(on=on, pose="seated" if is_seat else "standing"))


def placed(project: Project, person: Person) -> Person:
    """Put a person where its pose belongs on what carries it."""
    anchor, place = place_of(project, person.pose, person.on)
    return replace(person, anchor=anchor, place_m=place)


def place_of(
    project: Project, posture: str, on: str
) -> tuple[Literal["hips", "lowest"], tuple[float, float, float]]:
    """Where a body goes in a carrier's axes: hips on a seat, feet or back on a floor."""
    sits = posture in SEATED
    place = sat_on(project, on) if sits else stood_on(project, on)
    return "hips" if sits and place is not None else "lowest", place or (0.0, 0.0, 0.0)


_UPWARDS = 0.6
"""From this cosine on a plane lies rather than stands."""
_BEHIND = 0.3
"""From this cosine on between its front and where the body looks, a plane stands behind it."""
_SEAT_WORDS = ("cushion", "seat")
_BEHIND_HIPS = 0.35
"""Which part of a seat is behind the hips."""
_HIPS_UP_M = 0.09
CUSHION, FLOOR = "seat_cushion", "floor_carpet"
"""Laws of the library for what is sat or leaned on, and for feet."""
SEATED = ("seated", "driving")
_LEGS = ("right_upper_leg", "left_upper_leg")
_FEET = ("right_foot", "left_foot")
_TRUNK = ("lower_torso", "lumbar_1", "centre_torso", "lumbar_2", "lower_ribs", "upper_torso")
"""Not every body has all of them."""
_LYING = (*_TRUNK, "head", *_LEGS, "right_lower_leg", "left_lower_leg", *_FEET)
_SITTING = ("lower_torso", *_LEGS, *_FEET)


@dataclass(frozen=True, slots=True)
class PlaneAtStart:
    """A plane as it lies at the start: its middle and its front, in ground axes."""

    plane: Plane
    corner: Array
    edge: Array
    other: Array
    front: Array
    rise: float
    """Cosine between front and upwards."""


def carried(project: Project, on: str) -> Iterator[PlaneAtStart]:
    """The planes that a segment carries, or ground."""
    pose, up = pose_at_start(project), up_of(project)
    for plane in project.planes:
        if plane.segment != on or plane.segment not in pose:
            continue
        at = pose[plane.segment]
        corner, edge, other = plane_corners(plane)
        front = at.R_WS @ _front(edge, other)
        yield PlaneAtStart(
            plane,
            at.p_W + at.R_WS @ corner,
            at.R_WS @ edge,
            at.R_WS @ other,
            front,
            float(front @ up),
        )


def sat_on(project: Project, on: str) -> tuple[float, float, float] | None:
    """Where hips go in a carrier's axes: on its seat, or else on its first plane that lies."""
    flat = [one for one in carried(project, on) if one.rise > _UPWARDS]
    named = [one for one in flat if is_called_seat(one.plane)]
    if not flat:
        return None
    found = (named or flat)[0]
    ahead = pose_at_start(project)[on].R_WS[:, 0]
    along, across = found.edge, found.other
    if abs(float(across @ ahead)) > abs(float(along @ ahead)):
        along, across = across, along
    share = _BEHIND_HIPS if named else 0.5
    share = share if float(along @ ahead) >= 0.0 else 1.0 - share
    middle = found.corner + share * along + 0.5 * across + _HIPS_UP_M * up_of(project)
    return _seen_from(project, on, middle)


def stood_on(project: Project, on: str) -> tuple[float, float, float] | None:
    """Where feet go in a carrier's axes: on the middle of its first plane that lies."""
    found = next((one for one in carried(project, on) if one.rise > _UPWARDS), None)
    if found is None:
        return None
    return _seen_from(project, on, found.corner + 0.5 * (found.edge + found.other))


def touches(
    project: Project, on: str, pose: str, facing: float
) -> tuple[Project, tuple[Touch, ...]]:
    """What a body may rest on that faces somewhere (rad), and the project with the laws for it."""
    ahead = pose_at_start(project)[on].R_WS @ np.array([np.cos(facing), np.sin(facing), 0.0])
    found = [(one, _parts(one, pose, ahead)) for one in carried(project, on)]
    found = [(one, parts) for one, parts in found if parts]
    if not found:
        return project, ()
    project, cushion = _with_law(project, CUSHION)
    project, floor = _with_law(project, FLOOR)
    out = []
    for one, parts in found:
        for part in parts:
            law = floor if part in _FEET else cushion
            out.append(Touch(part, one.plane.id, law))
    return project, tuple(out)


def _parts(one: PlaneAtStart, pose: str, ahead: Array) -> tuple[str, ...]:
    """Name the parts of a body that a plane can hold: below it, behind it, above it."""
    if one.rise < -_UPWARDS:
        return ("head",)
    if one.rise <= _UPWARDS:
        return (*_TRUNK, "head") if float(one.front @ ahead) > _BEHIND else ()
    if pose == "standing":
        return _FEET
    return _SITTING if pose in SEATED else _LYING


def _with_law(project: Project, entry: str) -> tuple[Project, str]:
    """The project with a law of the library, and its id; once is enough."""
    law = fragment(entry).contact_laws[0].id
    if any(one.id == law for one in project.contact_laws):
        return project, law
    return insert(project, entry), law


def _front(edge: Array, other: Array) -> Array:
    across = np.cross(edge, other)
    front: Array = across / max(float(np.linalg.norm(across)), 1e-12)
    return front


def is_called_seat(plane: Plane) -> bool:
    """Tell by its name whether a plane is a seat's cushion."""
    words = f"{plane.id} {plane.name}".lower()
    return any(word in words for word in _SEAT_WORDS) and "back" not in words


def _seen_from(project: Project, on: str, point_W: Array) -> tuple[float, float, float]:
    at = pose_at_start(project)[on]
    x, y, z = (round(float(v), 3) + 0.0 for v in at.R_WS.T @ (point_W - at.p_W))
    return x, y, z
