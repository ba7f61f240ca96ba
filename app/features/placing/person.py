"""Say which person is wanted, in what pose and where, and put that body into a project; no Qt."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Literal, get_args

from app.editing.naming import free_id, taken
from app.features.placing.resting import SEATED, is_called_seat, sat_on, stood_on, touches
from solver.bodies import (
    DUMMIES,
    Body,
    BodyError,
    Dimensions,
    Place,
    Touch,
    adult_dimensions,
    child_dimensions,
    generated,
    human,
    insert_body,
    library_body,
    pose,
    with_hands,
)
from solver.bodies.people.ranges import MAN_YEARS
from solver.project import Project
from solver.project.geometry import Orientation
from solver.project.segments import GROUND
from solver.scene.placing import pose_at_start
from solver.words import msgid, tr

Who = Literal[
    "man", "woman", "child", "hybrid_iii_50m", "hybrid_iii_5f", "hybrid_iii_95m", "hybrid_iii_6y", "hybrid_iii_3y",
    "male-50", "male-95",
]  # fmt: skip
WHO: tuple[Who, ...] = get_args(Who)
_SEXES: dict[str, Literal["male", "female"]] = {"man": "male", "woman": "female"}
_PREFIXES = {"man": "man", "woman": "woman", "child": "child", **dict.fromkeys(DUMMIES, "dummy")}


@dataclass(frozen=True)
class Person:
    """Hold what the dialog asks: who, how large, in what pose, where."""

    who: Who = "man"
    percentile: float = 50.0
    by_size: bool = False
    """Whether height and weight are given instead of a percentile."""
    height_m: float = 1.75
    weight_kg: float = 78.0
    age_years: float = 6.0
    """Of a child."""
    grown_years: float = MAN_YEARS
    """Of an adult with a flexible spine: how far joints go."""
    pose: str = "seated"
    spine: bool = True
    """Whether a generated person has a flexible spine, a chest that gives way and a neck, or 15 segments."""
    compressing: bool = False
    """Of one with a flexible spine: whether lumbar discs shorten too."""
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

    @property
    def is_adult(self) -> bool:
        """Tell whether size is asked for."""
        return self.who in _SEXES

    @property
    def is_generated(self) -> bool:
        """Tell whether it is made for its size, not taken from the library."""
        return self.is_adult or self.who == "child"

    @property
    def has_hands(self) -> bool:
        """Tell whether it has hands of its own without being asked."""
        return self.is_dummy or (self.is_generated and self.spine)

    @property
    def is_dummy(self) -> bool:
        """Tell whether it is a crash test dummy, which has hands of its own."""
        return self.who in DUMMIES


def body_of(person: Person) -> Body:
    """Make the body; raises BodyError, whose sentence says what would mend it."""
    found = _figure(person)
    parted = person.hands and not person.has_hands
    return pose(with_hands(found) if parted else found, person.pose)


def _figure(person: Person) -> Body:
    if not person.is_generated:
        return library_body(person.who)
    sizes = _sizes(person)
    return human(sizes, compressing=person.compressing) if person.spine else generated(sizes)


def _sizes(person: Person) -> Dimensions:
    if person.who == "child":
        return child_dimensions(person.age_years)
    sex = _SEXES[person.who]
    # the usual age says no more than none
    age = person.grown_years if person.spine and person.grown_years != MAN_YEARS else None
    if person.by_size:
        return adult_dimensions(
            sex, weight_kg=person.weight_kg, height_m=person.height_m, age_years=age
        )
    return adult_dimensions(sex, percentile=person.percentile, age_years=age)


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


def said(body: Body) -> str:
    """Say what a body weighs and measures."""
    height = (body.dimensions or {}).get("standing_height_m")
    words = (
        msgid("{title}: {kg:.1f} kg, {tall:.2f} m tall")
        if height and math.isfinite(height)
        else msgid("{title}: {kg:.1f} kg")
    )
    return tr(words, title=body.title, kg=body.mass_kg, tall=height)
