"""Cars on four wheels from a few numbers: body, struts, wheels with tyres, steering, brakes and drive."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np

from solver.bodies.car_body import car_mesh, corners, ends
from solver.bodies.suspension import (
    Corner,
    DoubleWishbone,
    Suspension,
    VehicleError,
    rack_ratio,
    suspended,
)
from solver.engine.maths.curve import curve_at, joined
from solver.engine.maths.rotation import Array, from_angles
from solver.project import Project, validated
from solver.project.angles import angles_from
from solver.project.changes import with_value
from solver.project.document import STANDARD_GRAVITY
from solver.project.histories import curve_of
from solver.project.pose import plane_corners, start_pose
from solver.project.segments import GROUND

WHEELS = ("front_left", "front_right", "rear_left", "rear_right")

TYRE: Mapping[str, Any] = {
    "radius_m": 0.315, "width_m": 0.205, "crown_m": 0.06, "stiffness_n_per_m": 210_000.0, "damping_ns_per_m": 300.0,
    "rim_at_m": 0.09, "cornering_n_per_rad": 60_000.0, "slip_stiffness_n": 90_000.0, "friction": 0.9,
}  # fmt: skip
"""A tyre of a saloon (*assumed*): what is not given of a car's tyres."""


@dataclass(frozen=True)
class Car:
    """Numbers of a car; x is ahead, y to the right, z down, the road is at z = 0 and the front axle at x = 0.

    The mass is that of the whole car with its wheels, `height_m` that of its mass centre over the road, `front_ratio` the part of its
    weight on the front axle. Struts are vertical; their frequencies are those of body and springs alone.
    """

    mass_kg: float = 1400.0
    wheelbase_m: float = 2.65
    track_m: float = 1.52
    height_m: float = 0.55
    front_ratio: float = 0.58
    length_m: float = 4.4
    width_m: float = 1.75
    roof_m: float = 1.45
    wheel_kg: float = 20.0
    front_hz: float = 1.2
    rear_hz: float = 1.4
    damping_ratio: float = 0.3
    inertia_kgm2: tuple[float, float, float] | None = None
    """Of the body about its mass centre; none: as of cars of its size (radii of gyration 0.33 of width and height, a quarter of the length; *assumed*)."""
    front_axle: Suspension | None = None
    """How its wheels are led: by bump curves, by a swing axle, by wishbones; none: straight up and down on struts."""
    rear_axle: Suspension | None = None
    speed_m_per_s: float = 0.0
    at_m: tuple[float, float] = (0.0, 0.0)
    """Where the middle of the front axle starts on the road: x and y of the ground."""
    yaw_rad: float = 0.0
    """About the road's normal, to the right; 0: ahead is the ground's x."""
    roll_rad: float = 0.0
    """To the right, at the start, as on a dolly."""
    lift_m: float = 0.0
    """How much higher than at rest it starts."""
    velocity_m_per_s: tuple[float, float, float] | None = None
    """Of the mass centre of its body, ground axes; none: as the speed says."""
    turning_rad_per_s: tuple[float, float, float] = (0.0, 0.0, 0.0)
    """About its own axes: rolling, pitching, yawing."""
    blocks: bool = False
    """Whether nose and tail are blocks that barriers and other cars crush (`crush`)."""
    corners_n_per_m: float | None = None
    """Stiffness of the body's corners against the road; none: they touch nothing."""
    corners_restitution: float = 0.2
    """Part of the speed that comes back from them."""
    corners_friction: float = 0.5
    corners_deepest_m: float = 0.127
    """How deep they may be dented; a run reports what goes deeper. As far as a roof may give way in FMVSS 216: 5 in."""
    road_m: float = 0.0
    """Height z of a road that is made for it (down, as z is)."""
    payload_kg: float = 0.0
    """Part of the mass that others bring: what is put into it. The springs bear it, the body has so much less."""
    payload_at_m: tuple[float, float] | None = None
    """Where its mass centre is, behind the front axle and over the road; none: where the body's is."""
    tyre: Mapping[str, Any] = field(default_factory=dict)
    front_tyre: Mapping[str, Any] = field(default_factory=dict)
    rear_tyre: Mapping[str, Any] = field(default_factory=dict)
    steer_rad: float | str | None = 0.0
    """Angle of the front wheels, to the right: a number, or the id of a function of time; none: free to turn."""
    front_brake_nm: float | str = 0.0
    rear_brake_nm: float | str = 0.0
    front_drive_nm: float | str = 0.0
    rear_drive_nm: float | str = 0.0


@dataclass(frozen=True)
class Resting:
    """How a car rests on its tyres: mass centre of its body behind the front axle and over the road, and of each wheel load, deflection, spring."""

    behind: float
    high: float
    body_kg: float
    load: Array
    sunk: Array
    spring: Array
    damper: Array


def resting(car: Car) -> Resting:
    """Find how a car rests; VehicleError where it cannot."""
    g = STANDARD_GRAVITY
    body = car.mass_kg - 4.0 * car.wheel_kg
    if not 0.0 < car.front_ratio < 1.0 or body <= car.payload_kg:
        raise VehicleError(
            "A car is heavier than its wheels, and both axles bear a part of its weight."
        )
    shares = np.array(
        [car.front_ratio, car.front_ratio, 1.0 - car.front_ratio, 1.0 - car.front_ratio]
    )
    load = 0.5 * car.mass_kg * g * shares
    tyres = [tyre_of(car, name) for name in WHEELS]
    sunk = load / np.array([one["stiffness_n_per_m"] for one in tyres])
    radius = np.array([one["radius_m"] for one in tyres])
    on_strut = load / g - car.wheel_kg
    _refuse_odd(car)
    if np.any(on_strut <= 0.0):
        raise VehicleError("An axle bears less than its wheels weigh.")
    high = (car.mass_kg * car.height_m - car.wheel_kg * float(np.sum(radius - sunk))) / body
    behind = (car.mass_kg * car.wheelbase_m * (1.0 - car.front_ratio) - 2.0 * car.wheel_kg * car.wheelbase_m) / body  # fmt: skip
    if car.payload_at_m is not None:
        # the body's own is away from what is put into it
        part = car.payload_kg / (body - car.payload_kg)
        behind += part * (behind - car.payload_at_m[0])
        high += part * (high - car.payload_at_m[1])
    swing = 2.0 * math.pi * np.array([car.front_hz, car.front_hz, car.rear_hz, car.rear_hz])
    spring = on_strut * swing**2
    damper = 2.0 * car.damping_ratio * np.sqrt(spring * on_strut)
    return Resting(behind, high, body, load, sunk, spring, damper)


POSITIVE = (
    "mass_kg", "wheelbase_m", "track_m", "height_m", "length_m", "width_m", "roof_m", "wheel_kg", "front_hz", "rear_hz",
)  # fmt: skip
"""Numbers of a car that are above nothing."""


def _refuse_odd(car: Car) -> None:
    """Raise VehicleError for numbers that no car has."""
    for name in POSITIVE:
        if not 0.0 < getattr(car, name) < math.inf:
            raise VehicleError(
                "A car's {name} is above 0, not {value:.6g}.", name=name, value=getattr(car, name)
            )
    if car.damping_ratio < 0.0:
        raise VehicleError("A car's {name} is not below 0.", name="damping_ratio")


def tyre_of(car: Car, wheel: str) -> dict[str, Any]:
    """The tyre of a wheel: what is given of it, of its axle's, and of all."""
    own = car.front_tyre if wheel.startswith("front") else car.rear_tyre
    return {**TYRE, **car.tyre, **own}


def _inertia(car: Car, body: float) -> list[float]:
    if car.inertia_kgm2 is not None:
        return list(car.inertia_kgm2)
    roll = 0.33 * 0.5 * (car.width_m + car.roof_m)
    along = 0.25 * car.length_m
    return [body * roll**2, body * along**2, body * 1.04 * along**2]


def with_car(project: Project, car: Car, prefix: str = "car", road: str | None = None) -> Project:
    """Put a car into a project, on a plane that is its `road`; without one an endless plane at z = 0 is made, or that of an earlier car taken."""
    ids = {plane.id for plane in project.planes}
    if road is None and "road" not in ids:
        return on_new_road(project, car, prefix)
    return _put(project, car, prefix, _road_of(project, road or "road"), [])


def on_new_road(project: Project, car: Car, prefix: str) -> Project:
    """Put a car on a level road of its own."""
    taken = {plane.id for plane in project.planes}
    road = "road" if "road" not in taken else f"{prefix}_road"
    corners_ = {
        name: [x, y, car.road_m]
        for name, x, y in (("p1_m", -50.0, 5.0), ("p2_m", 50.0, 5.0), ("p3_m", -50.0, -5.0))
    }
    plane = {
        "id": road, "name": "Road", "bounded": False, "placement": {"kind": "points", **corners_}
    }  # fmt: skip
    level = Road(road, np.array([0.0, 0.0, car.road_m]), np.array([0.0, 0.0, -1.0]))
    return _put(project, car, prefix, level, [plane])


def _put(project: Project, car: Car, prefix: str, road: Road, planes: list[Any]) -> Project:
    rest = resting(car)
    made = _parts(car, rest, prefix, road.name)
    made["planes"] = [*made.get("planes", ()), *planes]
    for name, items in made.items():
        project = with_value(project, name, [*getattr(project, name), *items])
    start = _start(car, rest, prefix, road, _steered_at_first(project, car.steer_rad))
    for name, items in start.items():
        there = getattr(project.initial, name)
        project = with_value(project, f"initial/{name}", [*there, *items])
    return project


@dataclass(frozen=True)
class Road:
    """The plane on which a car starts: its name, a point of it, and where its front looks; ground axes."""

    name: str
    point: Array
    front: Array

    def under(self, x: float, y: float) -> Array:
        """The point of the road over or under a place in the ground."""
        rise = self.front[:2] @ (np.array([x, y]) - self.point[:2]) / self.front[2]
        return np.array([x, y, self.point[2] - rise])

    @property
    def turn(self) -> Array:
        """Axes of a car on it that heads along the ground's x, seen from above."""
        if self.front[2] == -1.0:
            return np.eye(3)
        ahead = np.array([-self.front[2], 0.0, self.front[0]])
        ahead /= np.linalg.norm(ahead)
        return np.stack([ahead, np.cross(-self.front, ahead), -self.front], axis=1)


STEEP = 0.2
"""Cosine between a road's front and straight up below which no car can be put on it (*assumed*)."""


def _road_of(project: Project, name: str) -> Road:
    """Where a plane lies at the start; VehicleError where a car cannot stand on it."""
    plane = next((one for one in project.planes if one.id == name), None)
    if plane is None:
        raise VehicleError("There is no plane '{name}' to drive on.", name=name)
    corner, one, two = plane_corners(plane)
    front = np.cross(one, two)
    if plane.segment != GROUND:
        at = start_pose(project)[plane.segment]
        corner, front = at.p_W + at.R_WS @ corner, at.R_WS @ front
    size = float(np.linalg.norm(front))
    if not size > 0.0 or -front[2] < STEEP * size:
        raise VehicleError("The front of the plane '{name}' does not look up.", name=name)
    front = front / size
    # a level road is exactly so
    return Road(name, corner, np.where(np.abs(front) < 1e-12, 0.0, front) if -front[2] < 1.0 else np.array([0.0, 0.0, -1.0]))  # fmt: skip


INSIDE_M = 0.4
"""Radius of gyration (m) of what is around who sits in a car (*assumed*)."""


def _riding(project: Project, segment: str) -> tuple[float, Array]:
    """The mass of a segment and of all that starts with it (kg), and its mass centre in the segment's axes."""
    parent = {joint.child: joint.parent for joint in project.joints}

    def root(name: str) -> str:
        seen = {name}
        while name in parent and parent[name] not in seen and parent[name] != GROUND:
            name = parent[name]
            seen.add(name)
        return name

    riders = {
        one.segment for one in project.initial.roots if segment in (one.relative_to, one.moves_with)
    }
    riders.add(root(segment))
    pose, mass, moment = start_pose(project), 0.0, np.zeros(3)
    for one in project.segments:
        if root(one.id) in riders:
            mass += one.mass_kg
            moment += one.mass_kg * (pose[one.id].p_W - pose[segment].p_W) @ pose[segment].R_WS
    return mass, moment / max(mass, 1e-300)


def on_wheels(
    project: Project,
    segment: str,
    car: Car,
    prefix: str = "car",
    behind_m: float = 1.4,
    over_road_m: float = 0.48,
    inside_kg: float = 60.0,
) -> Project:
    """Let a segment that has stood still or was moved as prescribed ride in a car, with all that it carries.

    Its origin comes to lie so far behind the front axle and over the road; it stays where it is in the ground, and the road goes below it.
    Its own mass, which counted nowhere, becomes `inside_kg`; with who rides in it that is a part of the car's mass, each where it is.
    """
    if segment not in {one.id for one in project.segments}:
        raise VehicleError("There is no segment '{segment}' to ride in a car.", segment=segment)
    moment = inside_kg * INSIDE_M**2
    segments = tuple(
        one.model_copy(update={"mass_kg": inside_kg, "inertia_kgm2": (moment,) * 3, "note": ""})
        if one.id == segment
        else one
        for one in project.segments
    )
    project = project.model_copy(update={"segments": segments})
    mass, off = _riding(project, segment)
    there = np.array([behind_m - off[0], over_road_m - off[2]])
    alone = resting(replace(car, payload_kg=mass, payload_at_m=tuple(there)))
    other = np.array(car.payload_at_m or (alone.behind, alone.high))
    both = mass + car.payload_kg
    behind, high = map(float, (mass * there + car.payload_kg * other) / max(both, 1e-300))
    car = replace(car, payload_kg=both, payload_at_m=(behind, high))
    rest = resting(car)
    p, R = start_pose(project)[segment].p_W, start_pose(project)[segment].R_WS
    if R[2, 2] < 1.0 - 1e-9:
        raise VehicleError("'{segment}' does not stand level, as a car does.", segment=segment)
    place = (rest.behind - behind_m, 0.0, rest.high - over_road_m)
    x, y, z = map(float, p + R @ (behind_m, 0.0, over_road_m))
    car = replace(car, at_m=(x, y), road_m=z, yaw_rad=math.atan2(R[1, 0], R[0, 0]))
    starts = {
        name: tuple(one for one in getattr(project.initial, name) if one.segment != segment)
        for name in ("roots", "attitudes")
    }
    project = project.model_copy(
        update={
            "motions": tuple(one for one in project.motions if one.segment != segment),
            "initial": project.initial.model_copy(update=starts),
        }
    )
    project = on_new_road(project, car, prefix)
    mount = {
        "id": f"{prefix}_{segment}", "name": "Mount", "group": prefix.capitalize(), "kind": "locked", "parent": prefix, "child": segment,
        "parent_frame": {"position_m": list(place)},
    }  # fmt: skip
    return with_value(project, "joints", [*project.joints, mount])


def _steered_at_first(project: Project, steer: float | str | None) -> float:
    """The angle of the front wheels at the start."""
    if not isinstance(steer, str):
        return steer or 0.0
    for one in project.functions:
        if one.id == steer:
            return float(curve_at(joined([curve_of(one)]), 0, 0.0)[0])
    raise VehicleError("There is no function '{name}' to steer by.", name=steer)


def _places(car: Car, rest: Resting) -> list[tuple[float, float, float]]:
    """The middles of the wheels from the body's mass centre."""
    radius = [tyre_of(car, name)["radius_m"] for name in WHEELS]
    return [
        (
            rest.behind if name.startswith("front") else rest.behind - car.wheelbase_m,
            (-0.5 if name.endswith("left") else 0.5) * car.track_m,
            rest.high - (radius[n] - float(rest.sunk[n])),
        )
        for n, name in enumerate(WHEELS)
    ]


def _parts(car: Car, rest: Resting, prefix: str, road: str) -> dict[str, list[Any]]:
    group = prefix.replace("_", " ").capitalize()
    shape = corners(car.length_m, car.width_m, car.roof_m, rest.behind, rest.high)
    blocks = ends(car.length_m, car.width_m, rest.behind, rest.high) if car.blocks else ()
    parts: dict[str, list[Any]] = {
        "segments": [{
            "id": prefix, "name": group, "group": group, "mass_kg": rest.body_kg - car.payload_kg, "inertia_kgm2": _inertia(car, rest.body_kg),
            "surfaces_are": "part",
            "surfaces": [
                {"id": name, "kind": "ellipsoid", "semi_axes_m": [radius] * 3, "centre_m": list(at)}
                for name, radius, at in shape
            ] + [
                {"id": name, "kind": "hyperellipsoid", "semi_axes_m": list(semi), "centre_m": list(at), "powers": [8.0, 8.0, 8.0]}
                for name, semi, at in blocks
            ],
        }],
        "meshes": [{
            "id": f"{prefix}_shell", "name": "Shell", "group": group, "segment": prefix,
            "packed": car_mesh(car.length_m, car.width_m, car.roof_m, car.wheelbase_m, rest.behind, rest.high),
        }],
        "joints": [], "coordinate_forces": [], "tyres": [], "drivers": [],
    }  # fmt: skip
    if car.blocks:
        parts["planes"] = [
            {"id": f"{prefix}_{name}_face", "name": f"Face of the {name}", "group": group, "segment": prefix, "placement": _face(semi, at)}
            for name, semi, at in blocks
        ]  # fmt: skip
    if car.corners_n_per_m is not None:
        parts["contact_laws"] = [{
            "id": f"{prefix}_corner", "name": "Corner of the body on the road", "group": group, "kind": "permanent_indentation", "exponent": 1.0,
            "stiffness_n_per_mn": car.corners_n_per_m, "loss_restitution": car.corners_restitution, "friction": car.corners_friction,
            "deepest_m": car.corners_deepest_m,
        }]  # fmt: skip
        parts["contacts"] = [
            {"id": f"{prefix}_{corner}", "group": group, "kind": "plane", "plane": road, "law": f"{prefix}_corner",
             "surface": {"segment": prefix, "surface": corner}}
            for corner, _, _ in shape
        ]  # fmt: skip
    for n, (name, at) in enumerate(zip(WHEELS, _places(car, rest), strict=True)):
        wheel, tyre = f"{prefix}_{name}", tyre_of(car, name)
        front = name.startswith("front")
        words = name.replace("_", " ").capitalize()
        spin = 0.6 * car.wheel_kg * tyre["radius_m"] ** 2
        by = car.front_axle if front else car.rear_axle
        corner = Corner(
            prefix, wheel, words, group, at, name.endswith("right"), front and car.steer_rad is not None, car.wheel_kg, spin,
            float(rest.spring[n]), float(rest.damper[n]), float(rest.load[n]) - car.wheel_kg * STANDARD_GRAVITY,
        )  # fmt: skip
        for list_, items in suspended(corner, by).items():
            parts.setdefault(list_, []).extend(items)
        hub = prefix if by is None else f"{wheel}_carrier"
        parts["tyres"].append({
            "id": wheel, "name": f"{words} tyre", "group": group, "wheel": wheel, "carrier": hub, "roads": [road],
            "brake_nm": car.front_brake_nm if front else car.rear_brake_nm,
            "drive_nm": car.front_drive_nm if front else car.rear_drive_nm, **tyre,
        })  # fmt: skip
        if front and car.steer_rad is not None:
            steer, scale = car.steer_rad, 1.0
            joint, axis = wheel if by is None else hub, "yaw"
            if isinstance(by, DoubleWishbone):
                joint, axis, scale = (
                    f"{wheel}_rack",
                    "slide",
                    rack_ratio(by, 0.0 if isinstance(steer, str) else steer),
                )
            pulse = {"kind": "function", "function": steer, "scale": scale} if isinstance(steer, str) else {"kind": "constant", "value": scale * steer}  # fmt: skip
            parts["drivers"].append({
                "id": f"{wheel}_steer", "name": f"{words} steering", "group": group, "joint": joint, "axis": axis, "pulse": pulse,
            })  # fmt: skip
        elif front and isinstance(by, DoubleWishbone):
            raise VehicleError("Wheels on wishbones are steered by a rack: give an angle, or a function of time.")  # fmt: skip
    return parts


def _face(semi: Sequence[float], at: Sequence[float]) -> dict[str, Any]:
    """The outer face of a block, whose front looks away from the car."""
    sign = 1.0 if at[0] > 0.0 else -1.0
    x, (_, half, high) = at[0] + sign * semi[0], semi
    y, z = half * sign, at[2]
    return {
        "kind": "points",
        "p1_m": [x, -y, z - high],
        "p2_m": [x, y, z - high],
        "p3_m": [x, -y, z + high],
    }


def _start(car: Car, rest: Resting, prefix: str, road: Road, steer: float) -> dict[str, list[Any]]:
    c, s = math.cos(car.yaw_rad), math.sin(car.yaw_rad)
    R = road.turn @ from_angles((car.yaw_rad, 0.0, car.roll_rad), "zyx")
    from_front = np.array([-c * rest.behind, -s * rest.behind, -rest.high - car.lift_m])
    place = road.under(*car.at_m) + road.turn @ from_front
    speed = road.turn @ (c * car.speed_m_per_s, s * car.speed_m_per_s, 0.0)
    root: dict[str, Any] = {
        "segment": prefix, "position_m": [float(one) for one in place], "velocity_m_per_s": [float(one) for one in speed],
    }  # fmt: skip
    out: dict[str, list[Any]] = {"roots": [root], "joints": []}
    if car.velocity_m_per_s is not None:
        root["velocity_m_per_s"] = list(car.velocity_m_per_s)
    sloped = road.front[2] > -1.0
    if sloped or car.yaw_rad or car.roll_rad or any(car.turning_rad_per_s):
        angles = angles_from(R, "zyx") if sloped else (car.yaw_rad, 0.0, car.roll_rad)
        out["attitudes"] = [{
            "segment": prefix, "orientation": {"angles_rad": list(angles)},
            "angular_velocity_rad_per_s": list(car.turning_rad_per_s),
        }]  # fmt: skip
    if car.speed_m_per_s:
        for n, name in enumerate(WHEELS):
            turns = -car.speed_m_per_s / (tyre_of(car, name)["radius_m"] - float(rest.sunk[n]))
            front = name.startswith("front")
            value = steer if front else 0.0
            if (car.front_axle if front else car.rear_axle) is None:
                out["joints"].append({
                    "joint": f"{prefix}_{name}", "values": [0.0, 0.0, 0.0, value, 0.0, 0.0], "rates": [0.0, 0.0, 0.0, 0.0, turns, 0.0],
                })  # fmt: skip
            else:
                out["joints"].append(
                    {"joint": f"{prefix}_{name}", "values": [0.0], "rates": [turns]}
                )
    return out


def car(shape: Car | None = None, prefix: str = "car") -> Project:
    """A project with a car alone on an endless road."""
    run = {
        "id": "run",
        "name": "3 s",
        "duration_s": 3.0,
        "frame_interval_s": 0.02,
        "channel_rate_hz": 500.0,
    }
    head = {"format": "manikin-project", "schema_version": 4, "title": "Car", "runs": [run]}
    return with_car(validated(head), shape or Car(), prefix)
