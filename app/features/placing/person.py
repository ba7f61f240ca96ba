"""Say which person is wanted, in what pose and where, and put that body into a project; no Qt."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from app.editing.figures import Figure
from app.editing.naming import free_id, taken
from app.features.placing.resting import SEATED, is_called_seat, sat_on, stood_on, touches
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
from solver.project import Project
from solver.project.geometry import Orientation
from solver.project.segments import GROUND
from solver.scene.placing import pose_at_start

_PREFIXES = {"man": "man", "woman": "woman", "child": "child", **dict.fromkeys(DUMMIES, "dummy")}


@dataclass(frozen=True)
class Person(Figure):
    """Hold what the dialog asks: who, how large, in what pose, where."""

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
    """Give the project with the person in it, and the path of the body's root; raises BodyError."""
    if person.on != GROUND and person.on not in pose_at_start(project):
        raise BodyError(
            tr("There is no segment '{segment}' to place the body on.", segment=person.on)
        )
    word = _PREFIXES.get(person.who, "man")
    prefix = _free_prefix(project, word)
    at = Place(
        person.place_m,
        Orientation(angles_rad=(person.facing_rad, 0.0, 0.0)),
        person.anchor,
        relative_to=person.on,
        moves_with=person.on,
    )
    group = prefix.replace("_", " ").capitalize()
    held: tuple[Touch, ...] = ()
    if person.rests:
        project, held = touches(project, person.on, person.pose, person.facing_rad)
    body = body_of(person)
    there = {segment.id for segment in body.segments}
    held = tuple(one for one in held if one.segment in there)
    done = insert_body(project, body, prefix, at, group=group, sensors=person.sensors, touches=held)
    return done, f"segments/{prefix}_lower_torso"


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
    """Put a person where its pose belongs on what carries it: hips on a seat, feet or back on a floor."""
    sits = person.pose in SEATED
    place = sat_on(project, person.on) if sits else stood_on(project, person.on)
    anchor: Literal["hips", "lowest"] = "hips" if sits and place is not None else "lowest"
    return replace(person, anchor=anchor, place_m=place or (0.0, 0.0, 0.0))
