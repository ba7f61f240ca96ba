"""Find who can have a skin: the segments of each body by part, and how they are joined; frozen, to compare."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array
from solver.injury.parts import occupants
from solver.project import Project
from solver.project.geometry import Ellipsoid
from solver.project.joint_table import carrying
from solver.project.joints import Joint
from solver.project.pose import turn
from solver.project.segments import GROUND

SIDES = ("right", "left")
_NEEDED = (
    "lower_torso", "upper_torso", "head",
    *(f"{side}_{part}" for side in SIDES for part in ("upper_leg", "lower_leg", "upper_arm", "forearm")),
)  # fmt: skip
"""Parts without which a body keeps its shapes."""
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
    """Hold a segment of a body: its part, its shapes, on which bone it sits, and where both are joined."""

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
    """Hold all bones of a body, the pelvis first, each after the one on which it sits; equal for equal bodies."""

    bones: tuple[Bone, ...]
    is_dummy: bool

    def number(self, part: str) -> int:
        """Give the number of a part's bone; below zero where there is none."""
        return next((n for n, bone in enumerate(self.bones) if bone.part == part), -1)


@dataclass(frozen=True, slots=True)
class Person:
    """Hold a body and the segments of its bones."""

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
            part = known.get(other) or _arm(other) or _between(other)
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
    "sternum", "lower_ribs", "lumbar", "shoulder", "knee_block", "knee_slider", "neck", "leg_end", "hand", "foot",
)  # fmt: skip


def _between(id_: str) -> str:
    """Give the common name of what lies between the parts of a body; empty where it has none."""
    for name in _FINER:
        if name in id_:
            side = next((f"{s}_" for s in SIDES if s in id_), "")
            return f"{side}{name}"
    return ""


@lru_cache(maxsize=64)
def _is_whole(figure: Figure) -> bool:
    """Tell whether it has all that a person needs, with x ahead, y to the right and z down in each limb."""
    for part in _NEEDED:
        n = figure.number(part)
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
