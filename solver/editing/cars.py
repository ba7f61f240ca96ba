"""Cars put into a project by a few numbers: what people are asked, and the model that follows."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import NamedTuple

from solver.base.words import Sentence, msgid
from solver.bodies.suspension import DoubleWishbone, Suspension, VehicleError
from solver.bodies.vehicles import Car, car, on_new_road, with_car
from solver.project import Project


class Asked(NamedTuple):
    """One number of a car that is asked for: words, unit, least, most, step and digits."""

    words: str
    unit: str
    least: float
    most: float
    step: float
    digits: int


ASKED: Mapping[str, Asked] = {
    "mass_kg": Asked(msgid("Mass with its wheels"), "kg", 200.0, 50_000.0, 50.0, 0),
    "wheelbase_m": Asked(msgid("Wheelbase"), "m", 0.5, 15.0, 0.05, 3),
    "track_m": Asked(msgid("Track"), "m", 0.3, 5.0, 0.05, 3),
    "height_m": Asked(msgid("Height of the mass centre"), "m", 0.1, 3.0, 0.05, 3),
    "front_ratio": Asked(msgid("Part of the weight in front"), "", 0.05, 0.95, 0.01, 3),
    "length_m": Asked(msgid("Length"), "m", 0.5, 25.0, 0.05, 3),
    "width_m": Asked(msgid("Width"), "m", 0.3, 5.0, 0.05, 3),
    "roof_m": Asked(msgid("Height of the roof"), "m", 0.3, 5.0, 0.05, 3),
    "wheel_kg": Asked(msgid("Mass of a wheel"), "kg", 1.0, 1000.0, 1.0, 1),
    "front_hz": Asked(msgid("Frequency on the front springs"), "Hz", 0.2, 10.0, 0.1, 2),
    "rear_hz": Asked(msgid("Frequency on the rear springs"), "Hz", 0.2, 10.0, 0.1, 2),
    "damping_ratio": Asked(msgid("Damping of both"), "", 0.0, 2.0, 0.05, 3),
    "speed_m_per_s": Asked(msgid("Speed"), "m/s", -100.0, 100.0, 1.0, 2),
    "steer_rad": Asked(msgid("Angle of the front wheels, to the right"), "rad", -0.7, 0.7, 0.01, 4),
    "front_brake_nm": Asked(msgid("Brake of each front wheel"), "N m", 0.0, 50_000.0, 100.0, 0),
    "rear_brake_nm": Asked(msgid("Brake of each rear wheel"), "N m", 0.0, 50_000.0, 100.0, 0),
}  # fmt: skip
"""What is asked of a new car, in this order; all else is as `Car` has it."""

AXLES: Mapping[str, str] = {
    "struts": msgid("Struts, straight up and down"),
    "wishbones": msgid("Double wishbones"),
}
"""How the wheels of an axle may be led."""


def asked_car(numbers: Mapping[str, float], front: str = "struts", rear: str = "struts") -> Car:
    """The car of these numbers and axles; VehicleError for what is none."""
    for name, value in numbers.items():
        one = ASKED.get(name)
        if one is None:
            raise VehicleError("A car has no number '{name}'; known are {known}.", name=name, known=", ".join(ASKED))  # fmt: skip
        if not one.least <= value <= one.most:
            raise VehicleError("A car's {name} is between {least:g} and {most:g}, not {value:.6g}.", name=name, least=one.least, most=one.most, value=value)  # fmt: skip
    axles = [_axle(one) for one in (front, rear)]
    return Car(**dict(numbers), front_axle=axles[0], rear_axle=axles[1])  # type: ignore[arg-type]


def _axle(word: str) -> Suspension | None:
    if word not in AXLES:
        raise VehicleError("An axle is one of {known}, not '{name}'.", name=word, known=", ".join(AXLES))  # fmt: skip
    return DoubleWishbone() if word == "wishbones" else None


def car_into(
    project: Project | None,
    shape: Car,
    name: str = "car",
    road: str | None = None,
    own_road: bool = False,
) -> Project:
    """A project with a car on a road (`own_road`: one of its own), alone in a new one, and with the loops of its own wishbones closed; raises VehicleError."""
    if project is None:
        made = car(shape, name)
    else:
        if any(one.id == name for one in project.segments):
            raise VehicleError("There is a segment '{name}' already.", name=name)
        made = (
            on_new_road(project, shape, name) if own_road else with_car(project, shape, name, road)
        )
    # racks that start aside open the loops
    if isinstance(shape.front_axle, DoubleWishbone) and shape.steer_rad not in (0.0, None):
        return _closed(made, shape, name)
    return made


def _closed(made: Project, shape: Car, name: str) -> Project:
    """Close the loops of a car's own wishbones, as they close where it stands alone: nothing else moves, and its body stays."""
    # settling and all that it solves with is large, and a window reads this file as it opens
    from solver.analysis.equilibrium import closed

    level = replace(shape, at_m=(0.0, 0.0), yaw_rad=0.0, roll_rad=0.0, lift_m=0.0, road_m=0.0)
    alone = on_new_road(Project(title=name, functions=made.functions), level, name)
    found = {one.joint: one for one in closed(alone, [name]).project.initial.joints}
    starts = {one.joint: one for one in made.initial.joints} | found
    initial = made.initial.model_copy(update={"joints": tuple(starts.values())})
    return made.model_copy(update={"initial": initial})


def described(name: str) -> Sentence:
    """What a number of a car is, with its unit and what it is where nothing is said."""
    one = ASKED[name]
    return Sentence("{name}: {words}, {value:g} {unit}", name=name, words=Sentence(one.words), value=getattr(Car(), name), unit=one.unit)  # fmt: skip
