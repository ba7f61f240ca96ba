"""What every body is made from: figures of ten segments, points of nine joints, one table of torques.

Paired segments and joints are given once, for the right side; the left one is the mirror image.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from solver.bodies.body import (
    LEFT,
    RIGHT,
    SURFACE,
    Body,
    friction_of,
    id_as_words,
    mirrored_point,
    mirrored_turn,
    read,
    spring_of,
    turn_of,
)
from solver.bodies.poses import STANDING, attitudes_of, with_clear_arms
from solver.project.fields import ZERO3, Vec3
from solver.project.geometry import Ellipsoid, Frame, Orientation
from solver.project.joints import BallJoint, Joint, PinJoint
from solver.project.segments import Segment

MIDDLE = ("lower_torso", "centre_torso", "upper_torso", "neck", "head")
LEG = ("upper_leg", "lower_leg", "foot")
ARM = ("upper_arm", "forearm")
PAIRED = LEG + ARM
SEGMENTS = MIDDLE + PAIRED

_ORDER = (
    *MIDDLE,
    *(side + name for side in (RIGHT, LEFT) for name in LEG),
    *(side + name for side in (RIGHT, LEFT) for name in ARM),
)


@dataclass(frozen=True, slots=True)
class Figures:
    """The numbers of one segment, SI; places from the mass centre in the segment's axes."""

    mass_kg: float
    inertia_kgm2: Vec3
    semi_axes_m: Vec3
    centre_m: Vec3 = ZERO3
    principal_axes: Orientation = field(default_factory=Orientation)
    more_surfaces: tuple[Ellipsoid, ...] = ()


@dataclass(frozen=True, slots=True)
class JointPoints:
    """Where a joint is in both of its segments (m)."""

    in_parent_m: Vec3
    in_child_m: Vec3


@dataclass(frozen=True, slots=True)
class Skeleton:
    """The figures of the ten segments and the points of the nine joints, right side."""

    figures: Mapping[str, Figures]
    points: Mapping[str, JointPoints]

    @property
    def mass_kg(self) -> float:
        """The mass of the whole body, both sides."""
        return sum(f.mass_kg * (2.0 if n in PAIRED else 1.0) for n, f in self.figures.items())


def assemble(
    skeleton: Skeleton,
    *,
    title: str,
    source: str,
    note: str = "",
    torque_factor: float = 1.0,
    dimensions: Mapping[str, float] | None = None,
    sex: str = "male",
) -> Body:
    """Make the body of a skeleton, with the torques of the printed bodies times a factor; standing."""
    segments: dict[str, Segment] = {}
    for name, figures in skeleton.figures.items():
        for side in (RIGHT, LEFT) if name in PAIRED else ("",):
            segments[side + name] = _segment(name, side, figures, source)
    joints: dict[str, Joint] = {}
    table = read("joints")
    for name, entry in table["joints"].items():
        for side in (RIGHT, LEFT) if entry["child"] in PAIRED else ("",):
            joints[side + name] = _joint(
                name, side, skeleton.points[name], entry, torque_factor, source
            )
    by_child = {joint.child: joint for joint in joints.values()}
    body = Body(
        title=title,
        source=source,
        note=note,
        segments=tuple(segments[name] for name in _ORDER),
        joints=tuple(by_child[name] for name in _ORDER[1:]),
        attitudes=attitudes_of(STANDING, _ORDER),
        pose=STANDING,
        dimensions=dimensions,
        sex=sex,
    )
    return with_clear_arms(body)


def _segment(name: str, side: str, figures: Figures, source: str) -> Segment:
    left = side == LEFT
    surface = Ellipsoid(
        id=SURFACE,
        name=id_as_words(side + name),
        semi_axes_m=figures.semi_axes_m,
        centre_m=mirrored_point(figures.centre_m) if left else figures.centre_m,
    )
    axes = figures.principal_axes
    return Segment(
        id=side + name,
        name=id_as_words(side + name),
        source=source,
        mass_kg=figures.mass_kg,
        inertia_kgm2=figures.inertia_kgm2,
        principal_axes=mirrored_turn(axes) if left else axes,
        surfaces=(surface, *figures.more_surfaces),
        mirror={RIGHT: LEFT, LEFT: RIGHT}[side] + name if side else None,
    )


def _joint(
    name: str, side: str, points: JointPoints, entry: Any, factor: float, source: str
) -> Joint:
    table = read("joints")
    left = side == LEFT
    places = (points.in_parent_m, points.in_child_m)
    axes = tuple(entry.get(key, ZERO3) for key in ("parent_axes_deg", "child_axes_deg"))
    frames = []
    for place, angles in zip(places, axes, strict=True):
        turn = turn_of(angles)
        frames.append(
            Frame(position_m=mirrored_point(place), orientation=mirrored_turn(turn))
            if left
            else Frame(position_m=place, orientation=turn)
        )
    parent = side + entry["parent"] if entry["parent"] in PAIRED else entry["parent"]
    common: dict[str, Any] = {
        "id": side + name,
        "name": id_as_words(side + name),
        "source": f"Points: {source}. Axes and torques: {table['source']}",
        "parent": parent,
        "child": side + entry["child"] if side else entry["child"],
        "parent_frame": frames[0],
        "child_frame": frames[1],
        "friction": friction_of(table["friction"], factor),
    }
    flexure = spring_of(entry["flexure"], factor)
    if entry["kind"] == "pin":
        return PinJoint(**common, spring=flexure)
    return BallJoint(**common, flexure=flexure, torsion=spring_of(entry["torsion"], factor))
