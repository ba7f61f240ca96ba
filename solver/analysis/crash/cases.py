"""What a new crash may be: load cases, the choices of each, their bounds, and what is refused."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from numbers import Real
from typing import Any

from solver.base.words import Sentence, msgid
from solver.bodies import DUMMIES, LIBRARY, Body, BodyError, library_body
from solver.project.document import LoadCase

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
    "pulse": "pulses",
}
"""Choices by name, and where a load case says what it offers for them."""


@dataclass(frozen=True, slots=True)
class Case:
    """Tell a load case: what is offered in it, the first being what it begins with."""

    title: str
    who: str
    """Prefix of the person."""
    seats: tuple[str, ...] = ()
    surroundings: tuple[str, ...] = ()
    belts: tuple[str, ...] = ()
    bags: tuple[str, ...] = ()
    pulses: tuple[str, ...] = ()
    postures: tuple[str, ...] = ("driving", "seated")
    thighs_rad: float | None = None
    """How far thighs lean ahead of hanging; none: as the posture has them."""
    hips_m: tuple[float, float, float] = (0.0, 0.0, 0.0)
    duration_s: float = 0.15
    speed_km_per_h: float | None = None
    """Speed at the start, where it can be chosen."""
    height_of_fall_m: float | None = None
    note: str = ""
    body: str = "hybrid_iii_50m"
    """Whom it begins with."""
    most_kg: float = math.inf
    """How heavy whoever sits there may be."""
    feet_hang: bool = False
    """Whether feet above the floor are as they should be."""
    load_case: LoadCase = ""
    """What the project is of; none: as this is named."""

    @property
    def may_stand_free(self) -> bool:
        """Tell whether nothing need be around."""
        return bool(self.seats)

    @property
    def choices(self) -> frozenset[str]:
        """Name the choices that change something in it."""
        found = {"who", "posture", "duration_s"}
        found |= {name for name, offers in _OFFERS.items() if getattr(self, offers)}
        found |= {name for name in ("speed_km_per_h", "height_of_fall_m") if getattr(self, name)}
        return frozenset(found | ({"track_m", "height_m", "tilt_rad"} if self.seats else set()))


CAR, BESIDE, BEHIND = (0.0, -0.36, 0.0), (0.0, 0.36, 0.0), (-0.9, 0.36, 0.0)
"""Where hips are in a car: those of who drives, of who sits beside, of who sits behind."""
AHEAD_M, BELOW_M = 0.09, 0.02
"""How far the small woman's seat is ahead of the mid-size man's, and below it, so that her soles reach the floor
(assumed); others' as their legs are, nobody's higher than his."""
OFFSETS_M: Mapping[tuple[str, str], tuple[float, float, float]] = {
    ("passenger", "car_passenger_10146"): (AHEAD_M, 0.0, BELOW_M),
    ("rear_seat", "rear_of_front_seat"): (0.03, 0.0, 0.0),
    ("aircraft", "aircraft_row"): (-0.03, 0.0, 0.0),
    ("booster", "rear_of_front_seat"): (-0.05, 0.0, 0.1),
    ("child_seat", "rear_of_front_seat"): (-0.12, 0.0, 0.14),
}
"""Parts around that are not placed from the hips of a mid-size man in their place, and how far from there they are (m):
the small woman's, whose seat is ahead; a front seat that leaves room for knees (assumed); a row at a pitch of 0.77 m (30 in, assumed); those before a child on a
booster, whose hips are farther back and higher, and in a seat of its own, whose hips are higher still (assumed)."""
BAG_OFFSETS_M: Mapping[str, tuple[float, float, float]] = {
    "car_passenger_10146": (-0.14, 0.0, -0.14),
}
"""How far a bag is from its own place in what is around (m): on top of a panel that is nearer (assumed)."""
_BELTS = (
    "three_point_slip_left",
    "three_point_left",
    "three_point_plain_left",
    "lap_belt",
    "four_point",
)
_BELTS_RIGHT = (
    "three_point_slip_right",
    "three_point_right",
    "three_point_plain_right",
    "lap_belt",
    "four_point",
)
_INSIDE = ("car_driver_10146", "car_driver")
_SEATS = ("car_seat", "car_seat_yielding", "rigid_seat_test")
_AHEAD = (
    "car_10146",
    "car_full_width_56",
    "car_full_width_50",
    "car_offset_56",
    "car_offset_64",
    "car_haversine_48",
    "car_half_sine",
    "r16",
)
_CHILDS = ("child_seat_48", "r44_front")
CASES: dict[str, Case] = {
    "frontal": Case(
        msgid("Frontal crash of a car"), "driver", _SEATS, _INSIDE, _BELTS, ("driver_airbag_hot", "driver_airbag"),
        _AHEAD, hips_m=CAR, duration_s=0.14, note=msgid("The car is driven by its deceleration; the belt is laid over whoever sits there."),
    ),
    "passenger": Case(
        msgid("Frontal crash, beside the driver"), "passenger", _SEATS, ("car_passenger_10146", "car_passenger"), _BELTS_RIGHT, ("passenger_airbag",),
        _AHEAD, body="hybrid_iii_5f", load_case="frontal", hips_m=BESIDE, duration_s=0.14,
        note=msgid("The front seat on the right, with a bag in the panel."),
    ),
    "rear_seat": Case(
        msgid("Frontal crash, rear seat"), "passenger", ("car_rear_bench",), ("rear_of_front_seat",),
        ("three_point_locking_right", "three_point_plain_right", "lap_belt"), (), _AHEAD, ("driving",), thighs_rad=1.78,
        body="hybrid_iii_5f", load_case="frontal", hips_m=BEHIND, duration_s=0.14,
        note=msgid("The rear seat on the right, with a belt alone, behind a front seat."),
    ),
    "booster": Case(
        msgid("Frontal crash, child on a booster"), "child", ("booster_on_bench",), ("rear_of_front_seat",), ("three_point_booster_right",), (),
        (*_CHILDS, *_AHEAD), ("driving",), thighs_rad=1.75, body="hybrid_iii_6y", most_kg=36.0, feet_hang=True, load_case="frontal", hips_m=BEHIND, duration_s=0.14,
        note=msgid("The rear seat on the right, with the car's own belt over a child on a booster."),
    ),
    "child_seat": Case(
        msgid("Frontal crash, child in a seat with a harness"), "child", ("harness_child_seat",), ("rear_of_front_seat",), ("five_point_child",), (),
        (*_CHILDS, *_AHEAD), ("driving",), thighs_rad=1.83, body="hybrid_iii_3y", most_kg=18.0, feet_hang=True, load_case="frontal", hips_m=BEHIND, duration_s=0.14,
        note=msgid("The rear seat on the right; the child's seat is fixed to the car and does not give."),
    ),
    "rear": Case(
        msgid("Rear impact"), "driver", ("car_seat_yielding", "car_seat"), ("car_driver",),
        ("three_point_plain_left", "three_point_slip_left", "lap_belt"), (),
        ("whiplash_16", "whiplash_low", "whiplash_high", "fmvss202a"), hips_m=CAR, duration_s=0.2,
        note=msgid("The seat is pushed ahead; back and head restraint bear the body."),
    ),
    "side": Case(
        msgid("Side impact with a door"), "driver", ("car_seat",), ("car_footwell", "car_driver"), ("three_point_plain_left",), ("side_airbag_left",),
        ("side_struck_car",), hips_m=CAR, duration_s=0.1, note=msgid("The left door runs ahead of the car, meets the body and pushes the seat; it comes in by 0.2 m (assumed)."),
    ),
    "rollover": Case(
        msgid("Rollover of a car"), "driver", ("car_seat",), _INSIDE, _BELTS, (), (), hips_m=CAR, duration_s=1.0,
        note=msgid("The car turns about its long axis, driven by hand: half a turn in one second (assumed); it does not touch the ground."),
    ),
    "aircraft": Case(
        msgid("Aircraft seat"), "occupant", ("aircraft_seat",), ("aircraft_row",), ("aircraft_lap_belt", "four_point"), (),
        ("far25_straight", "far25_vertical", "far25_forward", "far23_forward", "far23_vertical"), ("seated",), duration_s=0.2,
        note=msgid("A transport seat on the test sled, with the row in front."),
    ),
    "ejection": Case(
        msgid("Ejection seat"), "occupant", ("ejection_seat",), (), ("four_point",), (), ("ejection_15g",), ("seated",), duration_s=0.25,
        note=msgid("The seat is shot upwards."),
    ),
    "pedestrian": Case(
        msgid("Pedestrian struck by a car"), "pedestrian", surroundings=("car_front",), postures=("standing",), duration_s=0.18,
        speed_km_per_h=40.0, note=msgid("The car comes from the side and brakes as it strikes."),
    ),
    "fall": Case(
        msgid("Fall"), "occupant", surroundings=("pavement_plane",), postures=("lying", "standing"), duration_s=0.7,
        height_of_fall_m=1.0, note=msgid("The body falls onto the pavement."),
    ),
}  # fmt: skip
"""All load cases, in the order in which they are offered; children's weights are those of UN R44's groups I, and II and III."""


@dataclass(frozen=True, slots=True)
class Crash:
    """Hold all choices of a new crash; `first` gives those that a load case begins with."""

    case: str
    who: str | Body = "hybrid_iii_50m"
    posture: str = "driving"
    seat: str = ""
    surroundings: str = ""
    belt: str = ""
    bag: str = ""
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
    """Give the choices that a load case begins with; raises BodyError for one that is unknown."""
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
        belt="" if case == "side" else of(one.belts),
        bag="" if case == "side" else of(one.bags),
        pulse=of(one.pulses),
        speed_km_per_h=one.speed_km_per_h,
        duration_s=one.duration_s,
        height_of_fall_m=one.height_of_fall_m,
    )


def look_at(c: Crash) -> None:
    """Refuse what is not of its kind, beyond its bounds, or changes nothing in this load case; raises BodyError."""
    one = CASES[first(c.case).case]
    if not isinstance(c.who, str | Body):
        raise BodyError("'who' is a body, or one of the library by name: {known}.", known=", ".join((*DUMMIES, *LIBRARY)))  # fmt: skip
    for name, offers in _OFFERS.items():
        _is_offered(c.case, name, getattr(c, name), getattr(one, offers), one)
    for name in BOUNDS:
        value = getattr(c, name)
        if name not in one.choices:
            if value not in (None, 0.0):
                raise _idle(c.case, name, one)
        elif value is not None or name not in ("track_m", "height_m"):
            _is_within(name, value)
    if one.most_kg < math.inf:
        body = library_body(c.who) if isinstance(c.who, str) else c.who
        if body.mass_kg > one.most_kg:
            raise BodyError(
                "In the load case '{case}' a child of up to {most:g} kg sits, not a body of {mass:.1f} kg.",
                case=c.case, most=one.most_kg, mass=body.mass_kg,
            )  # fmt: skip


def _is_offered(case: str, name: str, value: Any, offered: tuple[str, ...], one: Case) -> None:
    may_lack = name in ("belt", "bag") or (name == "surroundings" and one.may_stand_free)
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
