"""What a new crash may be: load cases, the choices of each, their bounds, and what is refused."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, partial
from numbers import Real
from typing import Any, Literal

from pydantic import Field, ValidationError

from solver.base.places import resources
from solver.base.words import Sentence
from solver.bodies import Body, BodyError, poses
from solver.bodies.dummies import of_size
from solver.bodies.library.entries import InCrash, entries, entry
from solver.bodies.made_to_measure import NAMED, body_named
from solver.project.document import LoadCase
from solver.project.fields import Id, Part, Text
from solver.project.problems import did_you_mean, problems_of

BOUNDS: Mapping[str, tuple[float, float]] = {
    "track_m": (-0.12, 0.12),
    "height_m": (-0.05, 0.05),
    "tilt_rad": (math.radians(-10.0), math.radians(20.0)),
    "speed_km_per_h": (1.0, 120.0),
    "duration_s": (0.01, 5.0),
    "height_of_fall_m": (0.1, 10.0),
}
"""Within these lie the numbers of a crash. A seat goes along 240 mm and up 100 mm, as car seats do (assumed); so are the others."""
_OFFERS = {
    "posture": "postures",
    "seat": "seats",
    "surroundings": "surroundings",
    "belt": "belts",
    "bag": "bags",
    "curtain": "curtains",
    "pulse": "pulses",
}
"""Choices by name, and where a load case says what it offers for them."""


_PARTS = {
    "seats": "seats",
    "surroundings": "interiors",
    "belts": "belts",
    "bags": "airbags",
    "curtains": "airbags",
    "pulses": "pulses",
}
"""Offers of load cases, and the categories of the library that they are of."""
PLACES: Mapping[str, tuple[float, float, float]] = {
    "": (0.0, 0.0, 0.0),
    "driver": (0.0, -0.36, 0.0),
    "beside": (0.0, 0.36, 0.0),
    "behind": (-0.9, 0.36, 0.0),
}
"""Where hips are: outside a car, or in it those of who drives, of who sits beside, of who sits behind."""
AHEAD_M, BELOW_M = 0.09, 0.02
"""How far the small woman's seat is ahead of the mid-size man's, and below it, so that her soles reach the floor
(assumed); others' as their legs are, nobody's higher than his."""


class Case(Part):
    """A load case: what is offered in it, the first being what it begins with."""

    title: Text = Field(min_length=1)
    note: Text = ""
    who: Id
    """Prefix of the person."""
    load_case: LoadCase = ""
    """What the project is of; none: as this is named."""
    place: Literal["", "driver", "beside", "behind"] = ""
    begins_with: Id | None = None
    """Body that it begins with, by name; none: whom its first seat is made for."""
    seats: tuple[Id, ...] = ()
    surroundings: tuple[Id, ...] = ()
    belts: tuple[Id, ...] = ()
    bags: tuple[Id, ...] = ()
    curtains: tuple[Id, ...] = ()
    pulses: tuple[Id, ...] = ()
    begins_without: tuple[Literal["belt", "bag", "curtain"], ...] = ()
    """What is offered, but not there at first."""
    moves: Literal["pulse", "rolling", "struck_left", "braking", "falling"] = "pulse"
    """How it goes: the vehicle by a pulse, about its long axis, or struck on its left, whose door comes in and pushes the seat; braking
    into who stands there; or who is in none falls."""
    left: Id | None = None
    """What stands on the left in it: where nothing comes in there, only with what is around."""
    above: Id | None = None
    """What stands above a door that comes in, and stays in the car."""
    strikes: Id | None = None
    """What strikes it, on the line of its motion through the middle of the head."""
    bones_break: bool = False
    """Whether bones of people who are made for it bend and break."""
    hands_on_wheel: bool = False
    """Whether who sits as for driving holds the wheel, where arms reach so far."""
    postures: tuple[Id, ...] = ("driving", "seated")
    duration_s: float = 0.15
    speed_km_per_h: float | None = None
    """Speed at the start, where it can be chosen."""
    height_of_fall_m: float | None = None

    @property
    def hips_m(self) -> tuple[float, float, float]:
        """Where hips are."""
        return PLACES[self.place]

    @property
    def comes_in(self) -> bool:
        """Whether the vehicle's left side comes in."""
        return self.moves == "struck_left"

    @property
    def may_stand_free(self) -> bool:
        """Whether nothing need be around."""
        return bool(self.seats)

    @property
    def body(self) -> str:
        """Name whom it begins with."""
        seat = in_crash(self.seats[0]) if self.seats else InCrash()
        return self.begins_with or seat.made_for or of_size("mid-size")

    @property
    def choices(self) -> frozenset[str]:
        """Name the choices that change something in it."""
        found = {"who", "posture", "duration_s"}
        found |= {name for name, offers in _OFFERS.items() if getattr(self, offers)}
        found |= {name for name in ("speed_km_per_h", "height_of_fall_m") if getattr(self, name)}
        return frozenset(found | ({"track_m", "height_m", "tilt_rad"} if self.seats else set()))


def in_crash(part: str) -> InCrash:
    """What the entry of a seat, of what is around, of a bag or of a pulse says for crashes; nothing of none."""
    return entry(part).in_crash if part else InCrash()


def cases_of(data: Any) -> dict[str, Case]:
    """Read load cases, in which "@name" stands for a list of their file; raises BodyError."""
    found = {}
    for name, given in data["cases"].items():
        whole = {
            key: [part for one in value for part in _spread(name, one, data["lists"])]
            if key in _PARTS
            else value
            for key, value in given.items()
        }
        try:
            found[name] = Case.model_validate(whole)
        except ValidationError as failure:
            why = problems_of(failure, whole, Case)[0]
            raise BodyError("The load case '{case}': {why}", case=name, why=why) from None
    return found


@cache
def _all_are_there() -> None:
    """Look at the load cases that are shipped, once."""
    look_at_offers(CASES)


def _spread(case: str, part: str, lists: Mapping[str, Sequence[str]]) -> Sequence[str]:
    if not part.startswith("@"):
        return (part,)
    if part[1:] not in lists:
        raise BodyError(
            "The load case '{case}' names the list '{part}', which is not there. There are: {known}.",
            case=case, part=part, known=", ".join(lists),
        )  # fmt: skip
    return lists[part[1:]]


def look_at_offers(cases: Mapping[str, Case]) -> None:
    """Refuse load cases that offer what the library, the poses or the dummies have not; raises BodyError."""
    for name, one in cases.items():
        known = {offers: {e.id for e in entries(of)} for offers, of in _PARTS.items()}
        known |= {"postures": set(poses()), "begins_with": set(NAMED)}
        named = {offers: getattr(one, offers) for offers in known if offers != "begins_with"}
        named["begins_with"] = (one.begins_with,) if one.begins_with else ()
        for offers in ("left", "above", "strikes"):
            part = getattr(one, offers)
            known[offers], named[offers] = known["surroundings"], (part,) if part else ()
        for offers, parts in named.items():
            for part in parts:
                if part not in known[offers]:
                    raise BodyError(
                        "The load case '{case}' names '{part}' among '{offers}', which is not there. {hint}",
                        case=name, part=part, offers=offers, hint=did_you_mean(part, known[offers]),
                    )  # fmt: skip


CASES: dict[str, Case] = cases_of(
    json.loads((resources() / "crashes.json").read_text(encoding="utf-8"))
)
"""All load cases, in the order in which they are offered; children's weights are those of UN R44's groups I, and II and III."""


@dataclass(frozen=True, slots=True)
class Crash:
    """All choices of a new crash; `first` gives those that a load case begins with."""

    case: str
    who: str | Body = field(default_factory=partial(of_size, "mid-size"))
    posture: str = "driving"
    seat: str = ""
    surroundings: str = ""
    belt: str = ""
    bag: str = ""
    curtain: str = ""
    pulse: str = ""
    track_m: float | None = None
    """How far the seat is ahead of its place; none: as suits the legs, in a car."""
    height_m: float | None = None
    """How far it is above it."""
    tilt_rad: float = 0.0
    """How far seat and body lean back more than they do."""
    speed_km_per_h: float | None = None
    """Of the car as it strikes a pedestrian; all other load cases go as their pulse does."""
    duration_s: float = 0.15
    height_of_fall_m: float | None = None

    @property
    def prefix(self) -> str:
        """Name the person."""
        return CASES[self.case].who


def first(case: str) -> Crash:
    """The choices that a load case begins with; raises BodyError for one that is unknown."""
    if case not in CASES:
        raise BodyError("There is no load case '{case}'. There are: {known}.", case=case, known=", ".join(CASES))  # fmt: skip
    one = CASES[case]

    def of(names: tuple[str, ...]) -> str:
        return names[0] if names else ""

    return Crash(
        case,
        who=one.body,
        posture=one.postures[0],
        seat=of(one.seats),
        surroundings=of(one.surroundings),
        belt="" if "belt" in one.begins_without else of(one.belts),
        bag="" if "bag" in one.begins_without else of(one.bags),
        curtain="" if "curtain" in one.begins_without else of(one.curtains),
        pulse=of(one.pulses),
        speed_km_per_h=one.speed_km_per_h,
        duration_s=one.duration_s,
        height_of_fall_m=one.height_of_fall_m,
    )


def look_at(c: Crash) -> None:
    """Refuse what is not of its kind, beyond its bounds, or changes nothing in this load case; raises BodyError."""
    one = CASES[first(c.case).case]
    _all_are_there()
    if not isinstance(c.who, str | Body):
        raise BodyError("'who' is a body, or one of the library by name: {known}.", known=", ".join(NAMED))  # fmt: skip
    for name, offers in _OFFERS.items():
        _is_offered(c.case, name, getattr(c, name), getattr(one, offers), one)
    for name in BOUNDS:
        value = getattr(c, name)
        if name not in one.choices:
            if value not in (None, 0.0):
                raise _idle(c.case, name, one)
        elif value is not None or name not in ("track_m", "height_m"):
            _is_within(name, value)
    most = in_crash(c.seat).most_kg
    if most is not None:
        body = body_named(c.who)
        if body.mass_kg > most:
            raise BodyError(
                "The seat '{seat}' is for bodies of up to {most:g} kg, not for one of {mass:.1f} kg.",
                seat=c.seat, most=most, mass=body.mass_kg,
            )  # fmt: skip


def _is_offered(case: str, name: str, value: Any, offered: tuple[str, ...], one: Case) -> None:
    may_lack = name in ("belt", "bag", "curtain") or (name == "surroundings" and one.may_stand_free)
    if value == "" and (may_lack or not offered):
        return
    if not offered:
        raise _idle(case, name, one)
    if value not in offered:
        none = Sentence(', or "" for none') if may_lack else Sentence("")
        raise BodyError(
            "'{value}' is no {name} of the load case '{case}'. There are: {known}{none}.",
            value=str(value), name=name, case=case, known=", ".join(offered), none=none,
        )  # fmt: skip


def _idle(case: str, name: str, one: Case) -> BodyError:
    """Say that a choice changes nothing here, and what does."""
    instead = Sentence("")
    if name == "speed_km_per_h" and one.pulses:
        instead = Sentence(" How severe it is comes of its pulse: {known}.", known=", ".join(one.pulses))  # fmt: skip
    return BodyError(
        "'{name}' changes nothing in the load case '{case}'.{instead}",
        name=name,
        case=case,
        instead=instead,
    )


def _is_within(name: str, value: Any) -> None:
    low, high = BOUNDS[name]
    if isinstance(value, bool) or not isinstance(value, Real) or not low <= float(value) <= high:
        raise BodyError(
            "'{name}' lies between {low:.4g} and {high:.4g}, not at {value}.",
            name=name,
            low=low,
            high=high,
            value=f"{value:g}" if isinstance(value, Real) else str(value),
        )
