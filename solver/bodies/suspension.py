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


Suspension = BumpCurves | SwingAxle


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
        parts["springs"] = [{
            "id": f"{corner.wheel}_strut", "name": f"{corner.words} spring and damper", "group": corner.group, "kind": "linear",
            "a": {"segment": corner.body, "position_m": [corner.at[0], corner.at[1], corner.at[2] - HIGH]}, "b": {"segment": carrier},
            "rest_length_m": HIGH + corner.weight / corner.spring, "stiffness_n_per_m": corner.spring, "damping_ns_per_m": corner.damper,
        }]  # fmt: skip
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
    pivot, axis = mirror * by.pivot_m, mirror * by.axis
    y = axis / np.linalg.norm(axis)
    x = np.cross(y, np.eye(3)[int(np.argmin(np.abs(y)))])
    x /= np.linalg.norm(x)
    turned = upright(np.stack([x, y, np.cross(x, y)], axis=1)).model_dump()
    return {
        "kind": "pin",
        "parent_frame": {
            "position_m": [float(v) for v in corner.at + pivot],
            "orientation": turned,
        },
        "child_frame": {"position_m": [float(v) for v in pivot], "orientation": turned},
    }


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
