"""Suspensions of cars: struts, wheels led by bump curves, and the swing axle that follows from such curves.

Costa and Jones (seed 001) take from curves of wheelbase and track over bump, by differential geometry, the pivot and the axis of a swing axle on
which the wheel goes along the same curve: the centre of its curvature, and its binormal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.base.words import Refusal
from solver.engine.maths.rotation import Array
from solver.project.document import STANDARD_GRAVITY
from solver.project.geometry import upright

HIGH = 0.4
"""Length (m) of the spring over a swing axle's wheel at rest (*assumed*)."""


class VehicleError(Refusal, ValueError):
    """Say in a sentence why no car can be made of these numbers."""

    __module__ = "manikin"


@dataclass(frozen=True)
class BumpCurves:
    """How a wheel goes as it travels up by s (m): coefficients of s, s², ... s⁵, from rest on.

    Ahead and outwards in m, toe inwards and the top's lean outwards (camber) in rad.
    """

    ahead: tuple[float, ...] = ()
    outward: tuple[float, ...] = ()
    toe: tuple[float, ...] = ()
    camber: tuple[float, ...] = ()


@dataclass(frozen=True)
class SwingAxle:
    """An arm that turns about an axis: its pivot from the middle of the right wheel (m), and the axis; axes of the car."""

    pivot_m: tuple[float, float, float]
    axis: tuple[float, float, float]


@dataclass(frozen=True)
class DoubleWishbone:
    """Two arms and a tie rod that lead a wheel as a loop: their points from the middle of the right wheel (m), axes of the car (*assumed*).

    A ball joint ends each arm, which turns about the line through its front and rear bearing. Of a wheel that is steered the inner end of
    the rod is that of a rack, which slides across the car.
    """

    lower_ball: tuple[float, float, float] = (0.0, -0.06, 0.1)
    lower_front: tuple[float, float, float] = (0.14, -0.42, 0.09)
    lower_rear: tuple[float, float, float] = (-0.16, -0.42, 0.09)
    upper_ball: tuple[float, float, float] = (-0.01, -0.09, -0.16)
    upper_front: tuple[float, float, float] = (0.1, -0.35, -0.13)
    upper_rear: tuple[float, float, float] = (-0.14, -0.35, -0.13)
    rod_outer: tuple[float, float, float] = (-0.13, -0.07, 0.03)
    rod_inner: tuple[float, float, float] = (-0.13, -0.398, 0.026)


Suspension = BumpCurves | SwingAxle | DoubleWishbone

ARM, LINKED = 0.05, 0.35
"""Parts of the mass of a wheel in each arm and in a rack, and in its carrier between two of them (*assumed*)."""


FULL_LOCK = 0.9
"""Angle (rad) beyond which no rack steers a wheel (*assumed*)."""


def rack_ratio(by: DoubleWishbone, steer: float = 0.0) -> float:
    """How far a rack goes to the right by the angle of its wheel to the right, near straight ahead (m/rad)."""
    if abs(steer) > FULL_LOCK:
        raise VehicleError("A rack steers by {most:g} rad at most, not by {angle:g}.", most=FULL_LOCK, angle=steer)  # fmt: skip
    points = {name: np.array(getattr(by, name)) for name in ("lower_ball", "upper_ball", "rod_outer", "rod_inner")}  # fmt: skip
    pin = points["lower_ball"] - points["upper_ball"]
    moves = np.cross(pin, points["rod_outer"] - points["upper_ball"])
    rod = points["rod_outer"] - points["rod_inner"]
    if (
        abs(pin[2] * rod[1]) < 1e-3 * np.linalg.norm(pin) * np.linalg.norm(rod)
        or abs(moves @ rod) < 1e-9
    ):
        raise VehicleError("This rod steers no wheel: it lies across the car, ahead of or behind the line of both balls.")  # fmt: skip
    return float(moves @ rod / (pin[2] * rod[1]))


def swing_axle(curves: BumpCurves) -> SwingAxle:
    """Give the swing axle on which a wheel follows curves of wheelbase and track near rest; VehicleError where these are straight."""

    def rates(values: Sequence[float]) -> tuple[float, float]:
        one, two = (*values, 0.0, 0.0)[:2]
        return one, 2.0 * two

    (x1, x2), (y1, y2) = rates(curves.ahead), rates(curves.outward)
    way, bend = np.array([x1, y1, -1.0]), np.array([x2, y2, 0.0])
    length = float(np.linalg.norm(way))
    along = way / length
    curvature = (bend - (bend @ along) * along) / length**2
    size = float(np.linalg.norm(curvature))
    if size < 1e-6:
        raise VehicleError("Curves without a bend have no swing axle.")
    axis = np.cross(along, curvature / size)
    # of both senses the one that points ahead
    axis *= 1.0 if axis[int(np.argmax(np.abs(axis)))] >= 0.0 else -1.0
    pivot = curvature / size**2
    return SwingAxle(tuple(map(float, pivot)), tuple(map(float, axis)))  # type: ignore[arg-type]


def bump_curves(axle: SwingAxle, travel: Array) -> tuple[Array, Array]:
    """How far ahead and outwards a wheel on a swing axle goes, by its travel up (m)."""
    pivot, axis = np.array(axle.pivot_m), np.array(axle.axis) / np.linalg.norm(axle.axis)
    arm = -pivot
    beside = np.cross(axis, arm)
    level = axis * (axis @ arm)
    arm = arm - level
    # z of pivot + arm cos a + beside sin a is -travel
    size, phase = math.hypot(arm[2], beside[2]), math.atan2(beside[2], arm[2])
    target = (-travel - pivot[2] - level[2]) / size
    turn = np.array([_nearest(phase, float(t)) for t in target])
    place = pivot + level + np.outer(np.cos(turn), arm) + np.outer(np.sin(turn), beside)
    return place[:, 0], place[:, 1]


def _nearest(phase: float, target: float) -> float:
    """The turn next to none at which a cosine from a phase has a value."""
    around = math.acos(min(1.0, max(-1.0, target)))
    found = [phase + sign * around for sign in (-1.0, 1.0)]
    return min(((a + math.pi) % (2.0 * math.pi) - math.pi for a in found), key=abs)


@dataclass(frozen=True)
class Corner:
    """One wheel's place in a car: names, place from the body's mass centre, mass, spring and damper, what the strut bears."""

    body: str
    wheel: str
    words: str
    group: str
    at: tuple[float, float, float]
    right: bool
    steered: bool
    mass_kg: float
    spin_kgm2: float
    spring: float
    damper: float
    weight: float


def suspended(corner: Corner, by: Suspension | None) -> dict[str, list[Any]]:
    """The segments, joints, springs and couplings that carry one wheel, by their lists."""
    if by is None:
        return _strut(corner)
    if isinstance(by, SwingAxle) and not math.hypot(*by.axis) > 1e-9:
        raise VehicleError("The axis of a swing axle has no direction.")
    if isinstance(by, DoubleWishbone):
        return _wishbones(corner, by)
    carrier = f"{corner.wheel}_carrier"
    half = 0.5 * corner.mass_kg
    parts: dict[str, list[Any]] = {
        "segments": [
            {"id": carrier, "name": f"{corner.words} carrier", "group": corner.group, "mass_kg": half, "inertia_kgm2": [0.25 * corner.spin_kgm2] * 3},
            _wheel(corner, half),
        ],
        "joints": [
            _axle(corner, carrier),
            {"id": corner.wheel, "name": f"{corner.words} axle", "group": corner.group, "kind": "pin", "parent": carrier, "child": corner.wheel},
        ],
    }  # fmt: skip
    if isinstance(by, SwingAxle):
        parts["joints"][0] |= _swinging(corner, by)
        parts["springs"] = [_over_wheel(corner, carrier, corner.weight)]
        return parts
    if by.toe and corner.steered:
        raise VehicleError("Wheels that are steered have no toe by travel: leave one of both out.")
    side = 1.0 if corner.right else -1.0
    led = {"x": by.ahead, "y": [side * c for c in by.outward], "yaw": [-side * c for c in by.toe], "roll": [side * c for c in by.camber]}  # fmt: skip
    parts["joints"][0] |= _led(corner, [axis for axis, values in led.items() if len(values)])
    parts["coordinate_forces"] = [_spring(corner, carrier)]
    # its joint counts down, curves count up
    parts["constraints"] = [
        {
            "id": f"{carrier}_{axis}", "group": corner.group, "kind": "coupled", "first": {"joint": carrier, "axis": "z"},
            "second": {"joint": carrier, "axis": axis}, "coefficients": [0.0, *(c * (-1.0) ** n for n, c in enumerate(values, 1))],
        }
        for axis, values in led.items() if len(values)
    ]  # fmt: skip
    return parts


def _wheel(corner: Corner, mass: float) -> dict[str, Any]:
    spin = corner.spin_kgm2
    return {
        "id": corner.wheel, "name": f"{corner.words} wheel", "group": corner.group, "mass_kg": mass,
        "inertia_kgm2": [0.5 * spin, spin, 0.5 * spin],
    }  # fmt: skip


def _axle(corner: Corner, child: str) -> dict[str, Any]:
    return {
        "id": child, "name": f"{corner.words} strut and axle", "group": corner.group, "parent": corner.body, "child": child,
    }  # fmt: skip


def _led(corner: Corner, free: Sequence[str]) -> dict[str, Any]:
    """A joint of six on which a carrier slides up and down, and goes as couplings say in what is `free` besides."""
    ways = {axis: {"locked": True} for axis in ("x", "y") if axis not in free}
    turns = {axis: {"lock": {"locked": True}} for axis in ("pitch", "roll", "yaw") if axis not in free and not (axis == "yaw" and corner.steered)}  # fmt: skip
    return {"kind": "six", "parent_frame": {"position_m": list(corner.at)}, **ways, **turns}


def _swinging(corner: Corner, by: SwingAxle) -> dict[str, Any]:
    """A pin about the axle's axis through its pivot."""
    if corner.steered:
        raise VehicleError(
            "A swing axle cannot be steered: steer the other axle, or take bump curves."
        )
    mirror = np.array([1.0, 1.0 if corner.right else -1.0, 1.0])
    pivot = mirror * by.pivot_m
    return _pinned(corner.at + pivot, pivot, mirror * by.axis)


def _pinned(at: Array, of: Array, axis: Array) -> dict[str, Any]:
    """A pin about an axis, by its place in parent and child."""
    y = axis / np.linalg.norm(axis)
    x = np.cross(y, np.eye(3)[int(np.argmin(np.abs(y)))])
    x /= np.linalg.norm(x)
    turned = upright(np.stack([x, y, np.cross(x, y)], axis=1)).model_dump()
    frames = (("parent_frame", at), ("child_frame", of))
    return {"kind": "pin"} | {name: {"position_m": [float(v) for v in place], "orientation": turned} for name, place in frames}  # fmt: skip


def _over_wheel(corner: Corner, carrier: str, weight: float) -> dict[str, Any]:
    """A spring and damper that stand over the wheel."""
    return {
        "id": f"{corner.wheel}_strut", "name": f"{corner.words} spring and damper", "group": corner.group, "kind": "linear",
        "a": {"segment": corner.body, "position_m": [corner.at[0], corner.at[1], corner.at[2] - HIGH]}, "b": {"segment": carrier},
        "rest_length_m": HIGH + weight / corner.spring, "stiffness_n_per_m": corner.spring, "damping_ns_per_m": corner.damper,
    }  # fmt: skip


def _wishbones(corner: Corner, by: DoubleWishbone) -> dict[str, list[Any]]:
    """Two arms on pins, a carrier on the ball of the lower one, and a loop over the upper one and the rod."""
    mirror = np.array([1.0, 1.0 if corner.right else -1.0, 1.0])
    carrier, wheel, mass = f"{corner.wheel}_carrier", corner.wheel, corner.mass_kg
    linked = LINKED + (0.0 if corner.steered else ARM)
    spin = corner.spin_kgm2
    parts: dict[str, list[Any]] = {"segments": [], "joints": [], "springs": [], "constraints": []}
    balls = dict[str, dict[str, Any]]()
    for arm in ("lower", "upper"):
        name = f"{wheel}_{arm}"
        ball, front, rear = (
            mirror * getattr(by, f"{arm}_{point}") for point in ("ball", "front", "rear")
        )
        long, way = (
            np.linalg.norm(np.cross(ball - rear, front - rear)),
            np.linalg.norm(front - rear),
        )
        if long < 1e-3 * way or way < 1e-3:
            raise VehicleError(
                "The bearings and the ball of the {arm} arm lie in one line.", arm=arm
            )
        bearing = 0.5 * (front + rear)
        middle = 0.5 * (bearing + ball)
        reach = float(long / way)
        words = f"{corner.words} {arm} arm"
        parts["segments"].append({
            "id": name, "name": words, "group": corner.group, "mass_kg": ARM * mass, "inertia_kgm2": [ARM * mass * reach**2 / 12.0] * 3,
        })  # fmt: skip
        parts["joints"].append(
            _axle(corner, name)
            | {"name": words}
            | _pinned(corner.at + bearing, bearing - middle, front - rear)
        )
        balls[arm] = {"segment": name, "position_m": (ball - middle).tolist()}
    lower, upper = (mirror * by.lower_ball).tolist(), (mirror * by.upper_ball).tolist()
    parts["segments"] += [
        {"id": carrier, "name": f"{corner.words} carrier", "group": corner.group, "mass_kg": linked * mass, "inertia_kgm2": [0.25 * spin] * 3},
        _wheel(corner, 0.5 * mass),
    ]  # fmt: skip
    parts["joints"] += [
        {"id": carrier, "name": f"{corner.words} ball", "group": corner.group, "kind": "ball", "parent": f"{wheel}_lower", "child": carrier,
         "parent_frame": {"position_m": balls["lower"]["position_m"]}, "child_frame": {"position_m": lower}},
        {"id": wheel, "name": f"{corner.words} axle", "group": corner.group, "kind": "pin", "parent": carrier, "child": wheel},
    ]  # fmt: skip
    inner, outer = mirror * by.rod_inner, mirror * by.rod_outer
    held = {"segment": corner.body, "position_m": (corner.at + inner).tolist()}
    rack = ARM * mass if corner.steered else 0.0
    if corner.steered:
        held = {"segment": f"{wheel}_rack"}
        parts["segments"].append({"id": f"{wheel}_rack", "name": f"{corner.words} rack", "group": corner.group, "mass_kg": rack, "inertia_kgm2": [0.01 * rack] * 3})  # fmt: skip
        parts["joints"].append(_axle(corner, f"{wheel}_rack") | {
            "name": f"{corner.words} rack", "kind": "slip",
            "parent_frame": {"position_m": (corner.at + inner).tolist(), "orientation": {"angles_rad": [0.0, 0.0, -0.5 * math.pi]}},
            "child_frame": {"orientation": {"angles_rad": [0.0, 0.0, -0.5 * math.pi]}},
        })  # fmt: skip
    parts["constraints"] += [
        {"id": f"{wheel}_upper_ball", "name": f"{corner.words} upper ball", "group": corner.group, "kind": "zero_distance",
         "a": balls["upper"], "b": {"segment": carrier, "position_m": upper}},
        {"id": f"{wheel}_rod", "name": f"{corner.words} tie rod", "group": corner.group, "kind": "fixed_distance",
         "a": held, "b": {"segment": carrier, "position_m": outer.tolist()}, "distance_m": float(np.linalg.norm(outer - inner))},
    ]  # fmt: skip
    # half of both arms, and the rack, weigh on the body
    parts["springs"].append(_over_wheel(corner, carrier, corner.weight + (ARM * mass + rack) * STANDARD_GRAVITY))  # fmt: skip
    return parts


def _spring(corner: Corner, joint: str) -> dict[str, Any]:
    return {
        "id": f"{corner.wheel}_strut", "name": f"{corner.words} spring and damper", "group": corner.group,
        "coordinate": {"kind": "joint", "joint": joint, "axis": "z"}, "zero": corner.weight / corner.spring,
        "laws": [{"kind": "linear", "stiffness": corner.spring}, {"kind": "viscous", "damping": corner.damper}],
    }  # fmt: skip


def _strut(corner: Corner) -> dict[str, list[Any]]:
    """A wheel on a joint of six: it slides along the body's z, is steered or not, and spins."""
    held, lock = {"locked": True}, {"lock": {"locked": True}}
    joint = _axle(corner, corner.wheel) | {
        "kind": "six", "parent_frame": {"position_m": list(corner.at)}, "x": held, "y": held, "roll": lock,
        **({} if corner.steered else {"yaw": lock}),
    }  # fmt: skip
    return {
        "segments": [_wheel(corner, corner.mass_kg)],
        "joints": [joint],
        "coordinate_forces": [_spring(corner, corner.wheel)],
    }
