"""A skeleton of homogeneous solids, from the 32 dimensions alone.

The rules were read off the 95th-percentile body of the basic sled test, whose numbers they give
again; `docs/body-differences.md` shows how closely. Heights stand one on the other so that standing
and seated height are met exactly.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from solver.bodies.body import BodyError, tidy, tidy3
from solver.bodies.dimensions import HIGH_ANKLE, Dimensions
from solver.bodies.skeleton import PAIRED, Figures, JointPoints, Skeleton
from solver.engine.maths.rotation import Array

WAIST_PART = 0.1
"""Half the centre torso's height, as a part of the height from waist to shoulder."""
SHOULDER_DEPTH = 0.459
"""Depth of the shoulder joint below the shoulder, as a part of the height from armpit to shoulder."""
FOOT_VOLUME = 0.3905
"""Volume of a foot, as a part of its ellipsoid's."""
FOOT_CENTRE = 0.3698
"""Mass centre of a foot from the heel, as a part of its length."""
FOOT_SPREAD = (0.0463, 0.1576, 0.2304)
"""Mean squares of x, y and z in a foot, as parts of its ellipsoid's squared semi-axes."""


def skeleton_of_solids(d: Dimensions) -> Skeleton:
    """Make the skeleton; masses are shared by volume and add up to the weight."""
    shape = _Lengths(d)
    solids: dict[str, Solid] = {}
    axes: dict[str, tuple[float, float, float]] = {}
    middle: dict[str, float] = {}
    points: dict[str, JointPoints] = {}
    _trunk(shape, solids, axes, middle, points)
    _head(shape, solids, axes, middle, points)
    _legs(shape, solids, axes, middle, points)
    _arms(shape, solids, axes, middle, points)
    whole = sum(s.volume * (2.0 if n in PAIRED else 1.0) for n, s in solids.items())
    density = d["weight_kg"] / whole
    figures = {
        name: Figures(
            mass_kg=tidy(solid.volume * density),
            inertia_kgm2=tidy3(inertia(solid.spread * density)),
            semi_axes_m=tidy3(axes[name]),
            centre_m=tidy3((0.0, 0.0, middle[name] - solid.z)),
        )
        for name, solid in solids.items()
    }
    return Skeleton(figures, points)


class _Lengths:
    """Hold heights above the seat and radii, m."""

    def __init__(self, d: Dimensions) -> None:
        self.d = d
        self.r: Mapping[str, float] = {
            name: d[f"{name}_circumference_m"] / (2.0 * math.pi)
            for name in (
                "neck", "biceps", "elbow", "forearm", "thigh", "upper_leg", "knee", "calf", "ankle",
            )
        }  # fmt: skip
        below_seat = d["standing_height_m"] - d["seated_height_m"]
        self.shoulder = d["shoulder_height_m"] - below_seat
        self.armpit = d["armpit_height_m"] - below_seat
        self.waist = d["waist_height_m"] - below_seat
        self.hip = self.r["thigh"]
        half = WAIST_PART * (self.shoulder - self.waist)
        self.lower, self.upper = self.waist - half, self.waist + half
        self.neck = d["standing_height_m"] - d["shoulder_height_m"] - d["head_to_chin_height_m"]
        self.buttock: Section = (d["buttock_depth_m"] / 2.0, d["hip_breadth_standing_m"] / 2.0)
        self.belly: Section = (d["waist_depth_m"] / 2.0, d["waist_breadth_m"] / 2.0)
        self.chest: Section = (d["chest_depth_m"] / 2.0, d["chest_breadth_m"] / 2.0)
        self.ankle = d["ankle_height_outside_m"]
        self.knee = d["knee_height_seated_m"] - self.r["knee"]
        self.thigh = below_seat + self.hip - self.knee
        self.shank = self.knee - self.ankle
        order = {
            "the hip joint": self.hip,
            "the pelvis joint": self.lower,
            "the waist joint": self.upper,
            "the armpit": self.armpit,
            "the shoulder": self.shoulder,
        }
        names = list(order)
        for low, high in itertools.pairwise(names):
            if order[high] <= order[low]:
                raise BodyError(
                    "These dimensions put {high} at {order:.3f} m above the seat, not above {low} at {order_2:.3f} m: look at heights and the thigh's circumference.",
                    high=high,
                    order=order[high],
                    low=low,
                    order_2=order[low],
                )
        for which, length in (("neck", self.neck), ("thigh", self.thigh), ("shank", self.shank)):
            if length <= 0.0:
                raise BodyError(
                    "These dimensions leave {length:.3f} m for the {said}: look at the heights.",
                    length=length,
                    said=which,
                )

    def section(self, height: float) -> Section:
        """The trunk's section at a height between hip and armpit."""
        if height <= self.waist:
            low, high, at = self.buttock, self.belly, (height - self.hip) / (self.waist - self.hip)
        else:
            low, high = self.belly, self.chest
            at = (height - self.waist) / (self.armpit - self.waist)
        return (low[0] + at * (high[0] - low[0]), low[1] + at * (high[1] - low[1]))


def _at(x: float, y: float, z: float) -> tuple[float, float, float]:
    return tidy3((x, y, z))


def _trunk(
    s: _Lengths,
    solids: dict[str, Solid],
    axes: dict[str, tuple[float, float, float]],
    middle: dict[str, float],
    points: dict[str, JointPoints],
) -> None:
    """Stack pelvis, waist and chest; z is counted from the seat, downwards."""
    low, waist, high = -s.lower, -s.waist, -s.upper
    solids["lower_torso"] = together(
        [
            frustum(s.section(s.lower), s.buttock, low, -s.hip),
            frustum(s.buttock, s.buttock, -s.hip, 0.0),
        ]
    )
    solids["centre_torso"] = together(
        [
            frustum(s.section(s.upper), s.belly, high, waist),
            frustum(s.belly, s.section(s.lower), waist, low),
        ]
    )
    solids["upper_torso"] = together(
        [
            dome(*s.chest, s.shoulder - s.armpit, -s.armpit),
            frustum(s.chest, s.section(s.upper), -s.armpit, high),
        ]
    )
    axes["lower_torso"] = (*s.buttock, s.lower / 2.0)
    axes["centre_torso"] = (*s.belly, (s.upper - s.lower) / 2.0 + s.r["neck"])
    axes["upper_torso"] = (*s.chest, (s.shoulder - s.upper) / 2.0)
    middle["lower_torso"] = low / 2.0
    middle["centre_torso"] = waist
    middle["upper_torso"] = -(s.shoulder + s.upper) / 2.0
    z = {name: solids[name].z for name in ("lower_torso", "centre_torso", "upper_torso")}
    side = s.d["hip_breadth_standing_m"] / 2.0 - s.r["thigh"]
    arm = s.d["shoulder_breadth_m"] / 2.0 - s.r["biceps"]
    depth = SHOULDER_DEPTH * (s.shoulder - s.armpit)
    if min(side, arm) <= 0.0:
        raise BodyError("Hips or shoulders are narrower than two thighs or two arms.")
    points["pelvis"] = JointPoints(
        _at(0, 0, low - z["lower_torso"]), _at(0, 0, low - z["centre_torso"])
    )
    points["waist"] = JointPoints(
        _at(0, 0, high - z["centre_torso"]), _at(0, 0, high - z["upper_torso"])
    )
    points["hip"] = JointPoints(_at(0, side, -s.hip - z["lower_torso"]), _at(0, 0, 0))
    points["neck_pivot"] = JointPoints(_at(0, 0, -s.shoulder - z["upper_torso"]), _at(0, 0, 0))
    points["shoulder"] = JointPoints(
        _at(0, arm, -s.shoulder + depth - z["upper_torso"]), _at(0, 0, 0)
    )


def _head(
    s: _Lengths,
    solids: dict[str, Solid],
    axes: dict[str, tuple[float, float, float]],
    middle: dict[str, float],
    points: dict[str, JointPoints],
) -> None:
    """Put neck and head on the shoulders; the neck's joints stand one radius inside its ends."""
    r, d = s.r["neck"], s.d
    half = max(s.neck - r, 0.1 * r) / 2.0
    tall = (d["head_to_chin_height_m"] + r) / 2.0
    axes["neck"] = (r, r, half + r)
    axes["head"] = (d["head_length_m"] / 2.0, d["head_breadth_m"] / 2.0, tall)
    middle["neck"] = middle["head"] = 0.0
    solids["neck"] = ellipsoid(*axes["neck"])
    solids["head"] = ellipsoid(*axes["head"])
    points["neck_pivot"] = JointPoints(points["neck_pivot"].in_parent_m, _at(0, 0, half))
    points["head_pivot"] = JointPoints(_at(0, 0, -half), _at(0, 0, tall))


def _limb(
    name: str,
    radius: float,
    ends: tuple[float, float],
    length: float,
    solids: dict[str, Solid],
    axes: dict[str, tuple[float, float, float]],
    middle: dict[str, float],
) -> tuple[float, float]:
    """Make an ellipsoid that reaches `ends` beyond two joints `length` apart; give both joints' z."""
    half = (length + ends[0] + ends[1]) / 2.0
    axes[name] = (radius, radius, half)
    middle[name] = 0.0
    solids[name] = ellipsoid(radius, radius, half)
    return ends[0] - half, half - ends[1]


def _legs(
    s: _Lengths,
    solids: dict[str, Solid],
    axes: dict[str, tuple[float, float, float]],
    middle: dict[str, float],
    points: dict[str, JointPoints],
) -> None:
    r, d = s.r, s.d
    mean = (r["thigh"] + r["upper_leg"]) / 2.0
    hip, knee = _limb("upper_leg", mean, (r["thigh"], r["knee"]), s.thigh, solids, axes, middle)
    knee_below, ankle = _limb(
        "lower_leg", r["calf"], (r["knee"], r["ankle"]), s.shank, solids, axes, middle
    )
    # the men's ankle height is that of a thick ellipsoid of which the foot fills little
    high = 1.0 if d.sex == "male" else HIGH_ANKLE
    a, b, c = s.ankle / 2.0, d["foot_breadth_m"] / 2.0, d["foot_length_m"] / 2.0
    whole = ellipsoid(a, b, c)
    volume = FOOT_VOLUME * high * whole.volume
    spread = volume * np.array(FOOT_SPREAD) * np.array([high * a, b, c]) ** 2
    axes["foot"] = (a, b, c)
    solids["foot"] = Solid(volume, (2.0 * FOOT_CENTRE - 1.0) * c, spread)
    middle["foot"] = 0.0
    heel = -c - solids["foot"].z
    points["hip"] = JointPoints(points["hip"].in_parent_m, _at(0, 0, hip))
    points["knee"] = JointPoints(_at(0, 0, knee), _at(0, 0, knee_below))
    points["ankle"] = JointPoints(_at(0, 0, ankle), _at(a, 0, heel + r["ankle"]))


def _arms(
    s: _Lengths,
    solids: dict[str, Solid],
    axes: dict[str, tuple[float, float, float]],
    middle: dict[str, float],
    points: dict[str, JointPoints],
) -> None:
    """Make ellipsoids as long as the arm's two lengths; joints stand one radius inside."""
    r, d = s.r, s.d
    upper = d["shoulder_to_elbow_length_m"] - r["biceps"] - r["elbow"]
    half = d["forearm_hand_length_m"] / 2.0
    if min(upper, half - r["elbow"]) <= 0.0:
        raise BodyError("The arms are shorter than they are thick.")
    shoulder, elbow = _limb(
        "upper_arm", r["biceps"], (r["biceps"], r["elbow"]), upper, solids, axes, middle
    )
    axes["forearm"] = (r["forearm"], r["forearm"], half)
    middle["forearm"] = 0.0
    solids["forearm"] = ellipsoid(*axes["forearm"])
    points["shoulder"] = JointPoints(points["shoulder"].in_parent_m, _at(0, 0, shoulder))
    points["elbow"] = JointPoints(_at(0, 0, elbow), _at(0, 0, r["elbow"] - half))


# Moments of homogeneous solids: ellipsoids, half ellipsoids, and elliptic frusta along z.

Section = tuple[float, float]
"""Half depth (x) and half breadth (y) of an elliptic section (m)."""

_NODES, _WEIGHTS = np.polynomial.legendre.leggauss(4)
"""Exact for polynomials up to degree seven; a frustum's moments have degree four."""


@dataclass(frozen=True, slots=True)
class Solid:
    """Hold volume (m3), centre along z (m), and second moments of volume about the centre (m5).

    The solid has two planes of symmetry, so that x and y of its centre are zero; `spread` is the
    integral of x2, y2 and z2.
    """

    volume: float
    z: float
    spread: Array


def ellipsoid(a: float, b: float, c: float, z: float = 0.0) -> Solid:
    """A whole ellipsoid."""
    volume = 4.0 / 3.0 * math.pi * a * b * c
    return Solid(volume, z, volume / 5.0 * np.array([a, b, c]) ** 2)


def dome(a: float, b: float, height: float, base_z: float) -> Solid:
    """Give the upper half of an ellipsoid (towards -z) on its largest section at `base_z`."""
    volume = 2.0 / 3.0 * math.pi * a * b * height
    own = height**2 / 5.0 - (3.0 / 8.0 * height) ** 2
    spread = volume * np.array([a * a / 5.0, b * b / 5.0, own])
    return Solid(volume, base_z - 3.0 / 8.0 * height, spread)


def frustum(top: Section, bottom: Section, top_z: float, bottom_z: float) -> Solid:
    """The solid whose elliptic sections change evenly from `top_z` to `bottom_z` (top_z < bottom_z)."""
    length = bottom_z - top_z
    t = 0.5 * (_NODES + 1.0)
    a = top[0] + t * (bottom[0] - top[0])
    b = top[1] + t * (bottom[1] - top[1])
    weights = 0.5 * length * _WEIGHTS * math.pi * a * b
    volume = float(weights.sum())
    z = top_z + length * t
    centre = float(weights @ z) / volume
    x2, y2 = float(weights @ (a * a)) / 4.0, float(weights @ (b * b)) / 4.0
    return Solid(volume, centre, np.array([x2, y2, float(weights @ (z - centre) ** 2)]))


def together(solids: Iterable[Solid]) -> Solid:
    """Join solids on one axis into one."""
    parts = tuple(solids)
    volume = sum(p.volume for p in parts)
    z = sum(p.volume * p.z for p in parts) / volume
    spread = np.sum(
        [p.spread + np.array([0.0, 0.0, p.volume * (p.z - z) ** 2]) for p in parts], axis=0
    )
    return Solid(volume, z, spread)


def inertia(spread: Array) -> Array:
    """The moments of inertia of second moments (of mass: kg*m2) about x, y and z."""
    total: Array = spread.sum() - spread
    return total
