"""The measures of a body that stands half-way, how it stands, and in which colours it is seen."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Literal

import numpy as np

from solver.engine.maths.rotation import Array
from solver.injury.parts import occupants
from solver.project import Project
from solver.project.geometry import Ellipsoid
from solver.project.joint_table import carrying
from solver.project.joints import Joint
from solver.project.pose import Placed, turn
from solver.project.segments import GROUND
from solver.scene.tones import rgb

# Find who can have a skin: the segments of each body by part, and how they are joined; frozen, to compare.

SIDES = ("right", "left")
_NEEDED = (
    "lower_torso", "upper_torso", "head",
    *(f"{side}_{part}" for side in SIDES for part in ("upper_leg", "lower_leg", "upper_arm")),
)  # fmt: skip
"""Parts without which a body keeps its shapes; a half arm has no forearm."""
_LIMBS = ("upper_leg", "lower_leg", "upper_arm", "forearm")
_ARMS = (
    ("upper_arm", ("upper", "arm")),
    ("forearm", ("lower", "arm")),
    ("forearm", ("forearm|underarm",)),
    ("hand", ("hand",)),
)
_CODES = {
    "RUA": "right_upper_arm", "LUA": "left_upper_arm", "RLA": "right_forearm", "LLA": "left_forearm",
    "RHD": "right_hand", "LHD": "left_hand",
}  # fmt: skip
_ALONG = 0.8
"""Cosine of the angle between a limb and the z of its axes up to which the axes are those of a body."""

_Vec = tuple[float, float, float]


@dataclass(frozen=True, slots=True)
class Bone:
    """A segment of a body: its part, its shapes, on which bone it sits, and where both are joined."""

    part: str
    """Such as 'left_forearm'; what is between two parts has a name of its own."""
    surfaces: tuple[Ellipsoid, ...]
    on: int
    """Number of the bone on which it sits; below zero for the first."""
    at_m: _Vec = (0.0, 0.0, 0.0)
    """Their joint in its own axes, and in those of the bone on which it sits."""
    on_m: _Vec = (0.0, 0.0, 0.0)

    def extent(self) -> tuple[Array, Array]:
        """Give the lowest and the highest place of its shapes along its axes (m)."""
        low, high = [], []
        for one in self.surfaces:
            R, a = turn(one.orientation), np.array(one.semi_axes_m)
            reach = np.sqrt(((R * a) ** 2).sum(axis=1))
            low.append(np.array(one.centre_m) - reach)
            high.append(np.array(one.centre_m) + reach)
        return np.min(low, axis=0), np.max(high, axis=0)


@dataclass(frozen=True, slots=True)
class Figure:
    """All bones of a body, the pelvis first, each after the one on which it sits; equal for equal bodies."""

    bones: tuple[Bone, ...]
    is_dummy: bool

    def number(self, part: str) -> int:
        """The number of a part's bone; below zero where there is none."""
        return next((n for n, bone in enumerate(self.bones) if bone.part == part), -1)


@dataclass(frozen=True, slots=True)
class Person:
    """A body and the segments of its bones."""

    figure: Figure
    segments: tuple[str, ...]


def people(project: Project) -> list[Person]:
    """Find all bodies that can have a skin."""
    joints = [joint for joint in carrying(project.joints) if joint.parent != GROUND]
    beside: dict[str, list[Joint]] = {}
    for joint in joints:
        beside.setdefault(joint.parent, []).append(joint)
        beside.setdefault(joint.child, []).append(joint)
    shapes = {segment.id: tuple(segment.surfaces) for segment in project.segments}
    moved = {motion.segment for motion in project.motions}
    found = []
    for one in occupants(project):
        root = one.segments.get("lower_torso")
        if root is None:
            continue
        known = {segment: part for part, segment in one.segments.items()}
        person = _person(root, known, beside, shapes, moved)
        if person is not None:
            found.append(person)
    return found


def _person(
    root: str,
    known: Mapping[str, str],
    beside: Mapping[str, list[Joint]],
    shapes: Mapping[str, tuple[Ellipsoid, ...]],
    moved: set[str],
) -> Person | None:
    """Walk from the pelvis along all joints; None where parts are missing or axes are others."""
    bones = [Bone("lower_torso", shapes[root], -1)]
    segments = [root]
    for n, here in enumerate(segments):
        for joint in beside.get(here, []):
            is_child = joint.parent == here
            other = joint.child if is_child else joint.parent
            if other in segments or other in moved or other not in shapes:
                continue
            frames = (joint.child_frame, joint.parent_frame)
            own, its = frames if is_child else frames[::-1]
            part = known.get(other) or _arm(other) or _figure_between(other)
            bones.append(Bone(part, shapes[other], n, own.position_m, its.position_m))
            segments.append(other)
    figure = Figure(tuple(bones), any(b.part.endswith("knee_slider") for b in bones))
    return Person(figure, tuple(segments)) if _is_whole(figure) else None


def _arm(id_: str) -> str:
    """Give the part of an arm that an id names; empty for none."""
    if id_ in _CODES:
        return _CODES[id_]
    words = re.findall(r"[^\W\d_]+", re.sub(r"([a-z])([A-Z])", r"\1 \2", id_).lower())
    side = next((s for s in SIDES if s in words or s[0] in words), "")
    for part, needed in _ARMS:
        if side and all(any(w in n.split("|") for w in words) for n in needed):
            return f"{side}_{part}"
    return ""


_FINER = (
    "sternum", "lower_ribs", "lumbar", "shoulder", "elbow_block", "wrist_block", "knee_block", "knee_slider", "neck", "leg_end", "hand", "foot",
)  # fmt: skip


def _figure_between(id_: str) -> str:
    """The common name of what lies between the parts of a body; empty where it has none."""
    for name in _FINER:
        if name in id_:
            side = next((f"{s}_" for s in SIDES if s in id_), "")
            return f"{side}{name}"
    return ""


@lru_cache(maxsize=64)
def _is_whole(figure: Figure) -> bool:
    """Whether it has all that a person needs, with x ahead, y to the right and z down in each limb."""
    for part in (*_NEEDED, *(f"{side}_forearm" for side in SIDES)):
        n = figure.number(part)
        if n < 0 and part not in _NEEDED:
            continue
        if n < 0 or not figure.bones[n].surfaces:
            return False
        if any(part.endswith(limb) for limb in _LIMBS):
            bone = figure.bones[n]
            low, high = bone.extent()
            way = 0.5 * (low + high) - np.array(bone.at_m)
            if way[2] < _ALONG * float(np.linalg.norm(way)):
                return False
    head, trunk = figure.bones[figure.number("head")], figure.bones[figure.number("upper_torso")]
    return float(head.at_m[2]) >= 0.0 and trunk.at_m[2] >= 0.0


# Stand a body half-way between standing and sitting, arms out, so that no joint is far from any of its poses.

_ARM, _FOREARM = (0.20, 0.75, 0.63), (0.60, 0.58, 0.55)
_THIGH, _SHANK = (0.64, 0.24, 0.73), (-0.08, 0.10, 0.99)
_OUT = (0.0, 1.0, 0.0)
"""Ways down the limbs of the right side, from trunk to end: x ahead, y to the right, z down."""

_WAYS = {
    "upper_arm": _ARM,
    "forearm": _FOREARM,
    "hand": _FOREARM,
    "elbow_block": _ARM,
    "wrist_block": _FOREARM,
    "upper_leg": _THIGH,
    "knee_block": _THIGH,
    "knee_slider": _SHANK,
    "leg_end": _SHANK,
    "lower_leg": _SHANK,
}


def halfway(figure: Figure) -> list[Placed]:
    """The place of each bone; the pelvis stands in the origin."""
    return stood(figure, _turn)


def stood(figure: Figure, turned: Callable[[str], Array]) -> list[Placed]:
    """The place of each bone whose parts are turned so; what has no name goes with what bears it."""
    places: list[Placed] = []
    for bone in figure.bones:
        R = turned(bone.part)
        if bone.on < 0:
            places.append(Placed(R, np.zeros(3)))
            continue
        below = places[bone.on]
        if not bone.part:
            R = below.R_WS
        joint = below.p_W + below.R_WS @ np.array(bone.on_m)
        places.append(Placed(R, joint - R @ np.array(bone.at_m)))
    return places


def _turn(part: str) -> Array:
    """The axes of a part: z down the limb, y about to the right."""
    side, _, limb = part.partition("_")
    if limb == "foot":
        # z from heel to toe, x up
        return np.array([[0.0, 0.0, 1.0], [0.0, 1.0, 0.0], [-1.0, 0.0, 0.0]])
    if limb not in _WAYS or side not in ("right", "left"):
        return np.eye(3)
    way = np.array(_WAYS[limb]) * (1.0, 1.0 if side == "right" else -1.0, 1.0)
    z = way / np.linalg.norm(way)
    y = np.array(_OUT) - z[1] * z
    y /= np.linalg.norm(y)
    return np.column_stack([np.cross(y, z), y, z])


# Give the measures of a body that stands half-way: its joints, and how thick its limbs and trunk are.

_HAND = 0.40
"""Part of a forearm with its hand that is the hand, where both are one (lengths of Winter 2009: 0.108 of 0.254)."""
_FULL = 1.02
"""Thickness of a thigh at the hip, compared with a cylinder as large as its shapes."""
_MIDDLE_M = 0.02
"""How far from the middle a shape of the chest may be that belongs to all of it."""


@dataclass(frozen=True, slots=True)
class Oval:
    """The box of a part in the axes of the whole: its middle and half widths (m)."""

    middle: Array
    half: Array


@dataclass(frozen=True, slots=True)
class Arm:
    """An arm: its joints, thicknesses, and the axes and length of its hand."""

    side: float
    """1 for the right one."""
    shoulder: Array
    elbow: Array
    wrist: Array
    tip: Array
    upper_m: float
    fore_m: float
    hand_axes: Array
    is_half: bool = False
    """Whether it ends where the elbow would be."""


@dataclass(frozen=True, slots=True)
class Leg:
    """A leg: its joints, thicknesses and the box of its foot."""

    side: float
    hip: Array
    knee: Array
    ankle: Array
    upper_m: float
    lower_m: float
    axes: Array
    """Of the shank."""
    foot: Oval


@dataclass(frozen=True, slots=True)
class Build:
    """A body's measures; the place of its pelvis is the origin, x ahead, y to the right, z down."""

    figure: Figure
    places: tuple[Placed, ...]
    head: Oval
    pelvis: Oval
    belly: Oval
    chest: Oval
    nape: Array
    """Where the neck begins."""
    nod: Array
    """Where the head sits on the neck."""
    neck_m: float
    waist: float
    """Height of the upper end of the pelvis."""
    hem: float
    """Height down to which a shirt hangs over the trousers."""
    arms: tuple[Arm, Arm]
    legs: tuple[Leg, Leg]


def build(figure: Figure) -> Build:
    """Measure a body."""
    places = halfway(figure)
    by_part: dict[str, list[int]] = {}
    for n, bone in enumerate(figure.bones):
        by_part.setdefault(bone.part, []).append(n)

    def joint(part: str) -> Array:
        n = by_part[part][0]
        at: Array = places[n].p_W + places[n].R_WS @ np.array(figure.bones[n].at_m)
        return at

    def oval(*parts: str) -> Oval:
        low, high = [], []
        for n in (n for part in parts for n in by_part.get(part, [])):
            for one in _of_trunk(figure.bones[n]):
                R = places[n].R_WS @ turn(one.orientation)
                reach = np.sqrt(((R * np.array(one.semi_axes_m)) ** 2).sum(axis=1))
                middle = places[n].p_W + places[n].R_WS @ np.array(one.centre_m)
                low.append(middle - reach)
                high.append(middle + reach)
        first, last = np.min(low, axis=0), np.max(high, axis=0)
        return Oval(0.5 * (first + last), 0.5 * (last - first))

    def thick(part: str) -> float:
        surfaces = figure.bones[by_part[part][0]].surfaces
        return float(np.median(surfaces[0].semi_axes_m))

    def filled(*parts: str) -> float:
        bones = [figure.bones[n] for part in parts for n in by_part.get(part, [])]
        axes = [bone.surfaces[0].semi_axes_m for bone in bones if bone.surfaces]
        return float(sum(4.0 / 3.0 * math.pi * np.prod(a) for a in axes))

    def arm(side: str) -> Arm:
        sign, shoulder = 1.0 if side == "right" else -1.0, joint(f"{side}_upper_arm")
        upper = thick(f"{side}_upper_arm")
        if f"{side}_forearm" not in by_part:
            n = by_part[f"{side}_upper_arm"][0]
            end = _end(figure, places, n)
            return Arm(sign, shoulder, end, end, end, upper, upper, places[n].R_WS, is_half=True)
        n = by_part[f"{side}_forearm"][0]
        own = places[n]
        elbow, end = joint(f"{side}_forearm"), _end(figure, places, n)
        axes = own.R_WS
        if f"{side}_hand" in by_part:
            hand = by_part[f"{side}_hand"][0]
            wrist, end, axes = joint(f"{side}_hand"), _end(figure, places, hand), places[hand].R_WS
        else:
            wrist = end + _HAND * (elbow - end)
        return Arm(sign, shoulder, elbow, wrist, end, upper, thick(f"{side}_forearm"), axes)

    def leg(side: str) -> Leg:
        shank = by_part[f"{side}_lower_leg"][0]
        hip, knee = joint(f"{side}_upper_leg"), joint(f"{side}_lower_leg")
        upper, lower = thick(f"{side}_upper_leg"), thick(f"{side}_lower_leg")
        # ellipsoids are as thick as this in their middle alone
        flesh = filled(f"{side}_upper_leg", f"{side}_knee_block")
        even = math.sqrt(flesh / (math.pi * float(np.linalg.norm(knee - hip))))
        upper = min(upper, _FULL * even)
        if f"{side}_foot" in by_part and figure.bones[by_part[f"{side}_foot"][0]].surfaces:
            foot, ankle = oval(f"{side}_foot"), joint(f"{side}_foot")
        else:
            ankle = _end(figure, places, shank)
            foot = Oval(
                ankle + lower * np.array([1.2, 0.0, 0.5]), lower * np.array([2.2, 0.8, 0.6])
            )
        sign = 1.0 if side == "right" else -1.0
        return Leg(sign, hip, knee, ankle, upper, lower, places[shank].R_WS, foot)

    chest = oval("upper_torso", "sternum")
    necks = by_part.get("neck", [])
    above = by_part["head"][0]
    pelvis = oval("lower_torso")
    belly_parts = [p for p in ("centre_torso", "lumbar", "lower_ribs") if by_part.get(p)]
    belly = oval(*belly_parts) if belly_parts else _between(pelvis, chest)
    n = by_part["neck"][0] if necks else above
    return Build(
        figure,
        tuple(places),
        oval("head"),
        pelvis,
        belly,
        chest,
        places[n].p_W + places[n].R_WS @ np.array(figure.bones[n].at_m),
        joint("head") if necks else 0.6 * joint("head") + 0.4 * oval("head").middle,
        thick("neck") if necks else 0.6 * float(oval("head").half[1]),
        float(pelvis.middle[2] - 0.75 * pelvis.half[2]),
        float(pelvis.middle[2] - 0.50 * pelvis.half[2]),
        (arm(SIDES[0]), arm(SIDES[1])),
        (leg(SIDES[0]), leg(SIDES[1])),
    )


def _of_trunk(bone: Bone) -> tuple[Ellipsoid, ...]:
    """The shapes that make a part, without those that are there for belts alone."""
    first = bone.surfaces[:1]
    if bone.part != "upper_torso":
        return first
    return (*first, *(one for one in bone.surfaces[1:] if abs(one.centre_m[1]) < _MIDDLE_M))


def _end(figure: Figure, places: list[Placed], n: int) -> Array:
    """Where a limb ends: straight down its z from the middle of its joint."""
    bone = figure.bones[n]
    low, high = bone.extent()
    end = np.array([0.5 * (low[0] + high[0]), 0.5 * (low[1] + high[1]), high[2]])
    out: Array = places[n].p_W + places[n].R_WS @ end
    return out


def _between(one: Oval, other: Oval) -> Oval:
    return Oval(0.5 * (one.middle + other.middle), 0.45 * (one.half + other.half))


# Say in which colours people are seen: skin, hair and clothes, or the vinyl, caps and marks of a dummy.

Garment = Literal[
    "head", "hair", "eye", "iris", "shirt", "trousers", "shoe", "hand", "cap", "mark", "dark", "rubber",
]  # fmt: skip

_PERSON: dict[Garment, str] = {
    "head": "#d9ab8c",
    "hair": "#4a382c",
    "eye": "#e2dad0",
    "iris": "#4b3a30",
    "shirt": "#7e93a6",
    "trousers": "#4d5766",
    "shoe": "#3c3632",
    "hand": "#d9ab8c",
}
_DUMMY: dict[Garment, str] = {
    "head": "#d8ae7c",
    "cap": "#6a6e73",
    "mark": "#f2c92b",
    "dark": "#1f1f20",
    "rubber": "#3a3a3c",
    "shirt": "#d0a673",
    "trousers": "#cba06c",
    "shoe": "#2f2f31",
    "hand": "#d8ae7c",
}
_LIPS, _LASH, _BROW = "#bd8071", "#5d4538", "#6b4f3d"


def painted(b: Build, garment: Garment, points: Array) -> Array:
    """The colour of each point of a garment, red, green, blue from 0 to 1."""
    tones = _DUMMY if b.figure.is_dummy else _PERSON
    colours = np.tile(rgb(tones[garment]), (len(points), 1))
    if garment == "head" and not b.figure.is_dummy:
        _face(b, points, colours)
    return colours


def _face(b: Build, points: Array, colours: Array) -> None:
    """Paint eyes, brows and lips."""
    a, w, h = (float(v) for v in b.head.half)
    h = min(h, 1.22 * a)
    top = float(b.head.middle[2] - b.head.half[2])
    c = np.array([b.head.middle[0], b.head.middle[1], top + h])
    x, y, z = ((points - c) * (1.0 / a, 1.0 / w, -1.0 / h)).T
    side = np.abs(y)
    soft = [
        (_BROW, 0.60, (side - 0.37) / 0.19, (z - 0.215 + 0.9 * (side - 0.42) ** 2) / 0.030, 0.50),
        (_LASH, 0.55, (side - 0.37) / 0.15, (z - 0.072 + 1.6 * (side - 0.37) ** 2) / 0.020, 0.50),
        (_LIPS, 0.60, y / 0.24, (z + 0.56) / 0.070, 0.70),
    ]  # fmt: skip
    for tone, most, across, up, ahead in soft:
        part = most * np.clip(1.9 - 1.5 * (across**2 + up**2), 0.0, 1.0) * (x > ahead)
        colours += part[:, None] * (np.array(rgb(tone)) - colours)
