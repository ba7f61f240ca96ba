"""Poses: how each segment is turned, from a table or by hand."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from solver.bodies.body import (
    LEFT,
    RIGHT,
    Body,
    BodyError,
    mirror_of,
    mirrored_turn,
    read,
    tidy3,
    turn_of,
)
from solver.bodies.insert import Place, placed_at
from solver.bodies.own_contacts import ARM, arm_pairs, solids_of
from solver.engine.maths.rotation import Array, about_axis
from solver.project.angles import angles_from
from solver.project.checks.shapes import Solid, gaps_between, shapes_of, support
from solver.project.geometry import Orientation
from solver.project.joints import Joint
from solver.project.pose import Placed, turn

STANDING = "standing"
FOLLOWS = {
    "hand": "forearm", "sternum": "upper_torso", "ribs": "upper_torso", "ilium": "lower_torso", "shoulder": "upper_torso", "knee_block": "upper_leg", "ankle_block": "lower_leg", "knee_clevis": "lower_leg",
    **{f"{part}rib_{number}": "upper_torso" for part in ("", "belly_") for number in range(1, 4)}, "hip_pad": "lower_torso", "iliac_pad": "lower_torso",
    "acetabulum": "lower_torso", "pubis": "lower_torso", "abdomen_plate": "centre_torso", "abdomen_pad": "centre_torso",
    **{f"flesh_{number}": limb for number, limb in enumerate(("upper_leg", "upper_leg", "lower_leg", "lower_leg", "upper_arm", "upper_arm", "forearm", "forearm"), 1)},
    "elbow_block": "upper_arm", "wrist_block": "forearm",
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
    """A body in a pose of the library; `turned` replaces attitudes of single segments, and of what follows them.

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
    """The attitudes of segments in a pose of the library."""
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
        plain = plain if plain in pitches else FOLLOWS.get(plain, plain)
        if plain not in pitches:
            raise BodyError(
                "No pose says how the segment '{id_}' is turned; segments of bodies are called: {known}.",
                id_=id_,
                known=", ".join(sorted({*pitches, *FOLLOWS, *BETWEEN})),
            )
        found[id_] = turn_of((0.0, pitches[plain], 0.0))
    return found


def _table() -> Mapping[str, Any]:
    table: Mapping[str, Any] = read("poses")
    return table


# Arms hang beside the body: abducted as far as their shapes and the trunk's need.

STEP_DEG, MOST_DEG = 2, 24
"""How finely arms are raised, and how far: then a man of 110 kg and 1.75 m has his elbows as far apart as such men have (0.69 m;
forearm-forearm breadth of ANSUR, from memory: 0.67 at the 95th percentile). An arm that lies on its chest even so lies there in the armpit."""
BENT = math.radians(30.0)
"""From here on an elbow is bent, and the arm turns inwards about itself so that its hand stays as far from the middle as it was,
or half as much where its forearm would press on the belly: assumed."""
MOST_INWARDS = math.radians(45.0)
"""How far an arm turns about itself for that: assumed."""


def with_clear_arms(body: Body, sides: tuple[str, ...] = (RIGHT, LEFT)) -> Body:
    """Give the body with its arms raised sideways as little as leaves them clear of trunk and legs.

    What of `sides` is left out stays as it is.
    """
    placed = placed_at(body, Place())
    found: dict[str, Orientation] = {}
    for side in sides:
        twin = {mirror_of(id_): mirrored_turn(one) for id_, one in found.items()}
        found |= twin if _is_even(body) and twin else _cleared(body, side, placed)
    return replace(body, attitudes={**body.attitudes, **found})


def _is_even(body: Body) -> bool:
    """Whether the body is posed alike on both sides."""
    at = body.attitudes
    return all(at[mirror_of(id_)] == mirrored_turn(one) for id_, one in at.items())


def _cleared(body: Body, side: str, placed: Mapping[str, Placed]) -> dict[str, Orientation]:
    """The attitudes of an arm that had to move."""
    arm = _Arm(body, side, placed)
    turned = arm.cleared()
    if turned is None:
        return {}
    found = {}
    for id_ in arm.parts:
        x, y, z = (round(v, 9) + 0.0 for v in angles_from(turned @ placed[id_].R_WS, "zyx"))
        found[id_] = Orientation(angles_rad=(x, y, z))
    return found


class _Arm:
    """An arm as it is posed, and what it must be clear of."""

    def __init__(self, body: Body, side: str, placed: Mapping[str, Placed]) -> None:
        known = {segment.id for segment in body.segments}
        self.parts = [id_ for part in ARM if (id_ := side + part) in known]
        self.sign = 1.0 if side == RIGHT else -1.0
        # a half arm ends above the elbow
        upper, last = placed[self.parts[0]], placed[self.parts[-1]]
        fore = placed.get(f"{side}forearm", upper)
        shoulder = next(one for one in body.joints if one.child == self.parts[0])
        self.R, self.place = (
            upper.R_WS,
            placed[shoulder.parent].of(shoulder.parent_frame.position_m),
        )
        self.hand = self.R.T @ (last.p_W - self.place)
        bend = math.acos(np.clip(float(upper.R_WS[:, 2] @ fore.R_WS[:, 2]), -1.0, 1.0))
        self.is_bent = bend > BENT
        solids = solids_of(body, placed)
        pairs = [(solids[a], solids[b]) for a, b in arm_pairs(body, side)]
        apart = self._gaps(pairs, self._turn(MOST_DEG, 0.0)) > 0.0
        self.pairs = [pair for pair, is_apart in zip(pairs, apart, strict=True) if is_apart]
        self.least = 0 if apart.all() else MOST_DEG

    def cleared(self) -> Array | None:
        """The least turn about the shoulder after which nothing overlaps, but in an armpit; None where nothing does."""
        for degrees in range(self.least, MOST_DEG + 1, STEP_DEG):
            if self._is_clear(raised := self._turn(degrees, 0.0)):
                ways = (self._turn(degrees, part) for part in (1.0, 0.5) if self.is_bent)
                return next(filter(self._is_clear, ways), raised) if degrees else None
        raise AssertionError("an arm so high is clear of its pairs")

    def _is_clear(self, turned: Array) -> bool:
        return bool(np.all(self._gaps(self.pairs, turned) > 0.0))

    def _gaps(self, pairs: list[tuple[Solid, Solid]], turned: Array) -> Array:
        """The gaps of pairs, or less with the same sign; what a plane across the line of centres parts needs no search."""
        own = [self._moved(one, turned) for one, _ in pairs]
        other = [one for _, one in pairs]
        r = np.array([b.centre - a.centre for a, b in zip(own, other, strict=True)])
        far = np.linalg.norm(r, axis=1)
        way = (r / far[:, None])[:, None, :]
        found: Array = far - sum(support(way, shapes_of(ones))[:, 0] for ones in (own, other))
        near = np.flatnonzero(found <= 0.0)
        if len(near):
            first, second = (shapes_of([ones[n] for n in near]) for ones in (own, other))
            outside = np.zeros(len(near), bool)
            found[near] = gaps_between(r[near], first, second, outside, sign_only=True)
        return found

    def _moved(self, one: Solid, turned: Array) -> Solid:
        return replace(
            one, centre=self.place + turned @ (one.centre - self.place), R_WE=turned @ one.R_WE
        )

    def _turn(self, degrees: int, inwards: float) -> Array:
        """Give the turn that raises the arm about its own x, and a part of that which brings its hand back inwards about itself."""
        raised = -self.sign * math.radians(degrees)
        about = 0.0
        if inwards:
            x, y, z = self.hand
            part = (y + math.sin(raised) * z) / (math.cos(raised) * math.hypot(x, y))
            about = math.asin(min(1.0, max(-1.0, part))) - math.atan2(y, x)
            about = inwards * min(MOST_INWARDS, max(-MOST_INWARDS, about))
        turned: Array = self.R @ about_axis("x", raised) @ about_axis("z", about) @ self.R.T
        return turned
