"""Coordinates on which laws act: an axis of a joint, a distance, a component, an angle.

A unit in two forms, such as `N/m|N*m/rad`, is the first of ways and the second of angles.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from solver.project.fields import REQUIRED, Id, Part, choice, ref
from solver.project.geometry import FrameRef, PointRef
from solver.project.joints import OF_JOINTS

WAY, RATE, LOAD = "m|rad", "m/s|rad/s", "N|N*m"
RISE, DRAG = "N/m|N*m/rad", "N*s/m|N*m*s/rad"
GATHERED = "N/m/s|N*m/rad/s"


def unit_of(unit: str, turns: bool) -> str:
    """Choose from a unit in two forms."""
    way, _, angle = unit.partition("|")
    return angle if turns and angle else way


class Coordinate(Part):
    """Be something that a law resists."""

    @property
    def turns(self) -> bool:
        """Tell whether it is an angle, and a law about it a torque."""
        return False


CoordinateAxis = Literal[
    "slide", "angle", "first", "second", "precession", "nutation", "spin", "x", "y", "z", "yaw", "pitch", "roll",
    "at_parent", "length", "at_child", "turn_x", "turn_y", "turn_z",
]  # fmt: skip
"""Names of axes of joints on which laws act one by one."""

MORE_AXES = (
    " precession, nutation, spin: of an Euler joint; turn_x, turn_y, turn_z: components, along the parent's frame, "
    "of the rotation vector of a joint that turns as a ball or is free; x, y, z also of a free joint."
)


class JointCoordinate(Coordinate):
    """Be one axis of a joint."""

    kind: Literal["joint"] = choice("joint", "Kind", "An axis of a joint.")
    joint: Id = ref(REQUIRED, "joints", "Joint", "Joint to which the axis belongs.")
    axis: CoordinateAxis = choice("angle", "Axis", OF_JOINTS + MORE_AXES)

    @property
    def turns(self) -> bool:
        """Tell whether it is an angle."""
        return self.axis not in ("slide", "x", "y", "z", "length")


class DistanceCoordinate(Coordinate):
    """Be the distance of two points, or the length of a line between them that runs through others."""

    kind: Literal["distance"] = choice(
        "distance", "Kind", "The distance of two points, or the length of a line through more."
    )
    a: PointRef = choice(REQUIRED, "Point A", "One end.")
    b: PointRef = choice(REQUIRED, "Point B", "Other end.")
    via: tuple[PointRef, ...] = choice(
        (), "Via", "Points that the line runs through from A to B, without friction.", max_length=20
    )


class ComponentCoordinate(Coordinate):
    """Be where a point stands along one axis of a frame."""

    kind: Literal["component"] = choice(
        "component", "Kind", "Where a point stands along an axis of a frame."
    )
    a: FrameRef = choice(REQUIRED, "Frame A", "Frame whose axis is meant.")
    b: PointRef = choice(REQUIRED, "Point B", "Point that is followed.")
    axis: Literal["x", "y", "z"] = choice("x", "Axis", "Axis of frame A.")


class AngleCoordinate(Coordinate):
    """Be one component of the turn of a frame from another, as a rotation vector."""

    kind: Literal["angle"] = choice("angle", "Kind", "A component of the turn between two frames.")
    a: FrameRef = choice(REQUIRED, "Frame A", "Frame whose axis is meant.")
    b: FrameRef = choice(REQUIRED, "Frame B", "Frame that turns; less than half a turn from A.")
    axis: Literal["x", "y", "z"] = choice("x", "Axis", "Axis of frame A.")

    @property
    def turns(self) -> bool:
        """Tell whether it is an angle."""
        return True


AnyCoordinate = Annotated[
    JointCoordinate | DistanceCoordinate | ComponentCoordinate | AngleCoordinate,
    Field(discriminator="kind"),
]


class CoordinateLaw(Part):
    """Resist a coordinate's growth, or its rate."""

    law: ClassVar[str]
    """Name of the law in the kernels (`solver.engine.forces.coordinates.arrays`)."""
