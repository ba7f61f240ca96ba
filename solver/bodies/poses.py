"""Poses: how each segment is turned, from a table or by hand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from solver.bodies.arms import with_clear_arms
from solver.bodies.body import LEFT, RIGHT, Body, BodyError
from solver.bodies.entries import read, turn_of
from solver.bodies.own_contacts import ARM
from solver.bodies.units import tidy3
from solver.project.angles import angles_from
from solver.project.geometry import Orientation
from solver.project.joints import Joint
from solver.project.pose import turn

STANDING = "standing"
FOLLOWS = {
    "hand": "forearm", "sternum": "upper_torso", "ribs": "upper_torso", "ilium": "lower_torso", "shoulder": "upper_torso", "knee_block": "upper_leg", "ankle_block": "lower_leg", "knee_clevis": "lower_leg",
    "knee_slider": "lower_leg", **{f"neck_{number}": "head" for number in range(1, 5)},
}  # fmt: skip
"""Segments that a table need not name: they take the attitude of another."""
SPINE = "lumbar_1"
"""A body with this segment has a spine: it bends forward between pelvis and chest as the table's lumbar flexion says."""
CHEST_PART = 0.3
"""Of that flexion by which the chest turns forward, while the pelvis turns back: the base of the neck stays over the hips."""
BETWEEN = {
    "lumbar_1": ("lower_torso", "upper_torso", 1 / 3), "centre_torso": ("lower_torso", "upper_torso", 2 / 3),
    "lumbar_2": ("lower_torso", "upper_torso", 1.0), "lower_ribs": ("lower_torso", "upper_torso", 1.0),
    "neck_1": ("upper_torso", "head", 0.183), "neck_2": ("upper_torso", "head", 0.417), "neck_3": ("upper_torso", "head", 0.603),
}  # fmt: skip
"""Segments of a spine stand between two others: evenly in the lumbar spine, by shares of motion in the neck (Barrett 2016)."""


@dataclass(frozen=True, slots=True)
class Pose:
    """Tell a pose of the library: what it is, and what about it is assumed."""

    name: str
    title: str
    note: str
    source: str


def poses() -> dict[str, Pose]:
    """List the poses of the library by name."""
    return {
        name: Pose(name, entry["title"], entry["note"], entry["source"])
        for name, entry in _table().items()
    }


def pose(body: Body, name: str, turned: Mapping[str, Orientation] | None = None) -> Body:
    """Give a body in a pose of the library; `turned` replaces attitudes of single segments, and of what follows them.

    Arms of which no part is turned otherwise are raised sideways as far as they must to be clear of trunk and legs.
    """
    attitudes = attitudes_of(name, (segment.id for segment in body.segments))
    turned = dict(turned or {})
    for id_ in turned:
        if id_ not in attitudes:
            raise BodyError("The body has no segment '{id_}' to turn.", id_=id_)
    for id_ in attitudes:
        attitudes[id_] = turned.get(id_, turned.get(_followed(id_, attitudes), attitudes[id_]))
    joints = tuple(
        _at_rest(joint, attitudes) if joint.id in body.rests else joint for joint in body.joints
    )
    posed = replace(body, attitudes=attitudes, joints=joints, pose=name)
    if body.is_printed and _table()[name].get("printed"):
        return posed
    sides = (s for s in (RIGHT, LEFT) if not any(s + part in turned for part in ARM))
    return with_clear_arms(posed, tuple(sides))


def _followed(id_: str, known: Iterable[str]) -> str:
    """Name the segment whose attitude another takes; nothing where it goes its own way, as a spine does."""
    plain = id_.removeprefix(RIGHT).removeprefix(LEFT)
    if plain not in FOLLOWS or (plain in BETWEEN and SPINE in known):
        return ""
    return id_.removesuffix(plain) + FOLLOWS[plain]


def _at_rest(joint: Joint, attitudes: Mapping[str, Orientation]) -> Joint:
    """Turn a joint's frame in its parent so that it is at rest in a pose."""
    across = turn(attitudes[joint.parent]).T @ turn(attitudes[joint.child])
    x, y, z = tidy3(angles_from(across @ turn(joint.child_frame.orientation), "zyx"))
    frame = joint.parent_frame.model_copy(update={"orientation": Orientation(angles_rad=(x, y, z))})
    return joint.model_copy(update={"parent_frame": frame})


def attitudes_of(name: str, segments: Iterable[str]) -> dict[str, Orientation]:
    """Give the attitudes of segments in a pose of the library."""
    table = _table()
    if name not in table:
        raise BodyError(
            "There is no pose '{name}'. There are: {table}.", name=name, table=", ".join(table)
        )
    known = tuple(segments)
    pitches = dict(table[name]["pitch_deg"])
    if SPINE in known:
        flexion = table[name]["lumbar_flexion_deg"]
        pitches["lower_torso"] += (1.0 - CHEST_PART) * flexion
        pitches["upper_torso"] -= CHEST_PART * flexion
        pitches |= {
            one: pitches[low] + part * (pitches[high] - pitches[low])
            for one, (low, high, part) in BETWEEN.items()
        }
    found = {}
    for id_ in known:
        plain = id_.removeprefix(RIGHT).removeprefix(LEFT)
        plain = plain if plain in pitches else FOLLOWS[plain]
        found[id_] = turn_of((0.0, pitches[plain], 0.0))
    return found


def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = read("poses")
    return table
