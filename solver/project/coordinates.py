"""Coordinates on which laws act: an axis of a joint, a distance, a component, an angle.

A unit in two forms, such as `N/m|N*m/rad`, is the first of ways and the second of angles.
"""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from pydantic import Field

from solver.project.belts import Trigger
from solver.project.fields import (
    REQUIRED,
    Count,
    Flag,
    Id,
    Number,
    NumberOrFunction,
    Part,
    Positive3,
    Text,
    Vec3,
    choice,
    function,
    number,
    ref,
    value_or_function,
)
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
        """Whether it is an angle, and a law about it a torque."""
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
        """Whether it is an angle."""
        return self.axis not in ("slide", "x", "y", "z", "length")


# Lines: through points, which may move or come and go with an axis of a joint, and round obstacles.


class SingleAxis(JointCoordinate):
    """Be one axis of a joint that turns or slides alone."""

    axis: Literal["angle", "slide", "first", "second", "length", "at_parent", "at_child"] = choice(
        "angle", "Axis", OF_JOINTS
    )


class PointMove(Part):
    """Move a point of a line along an axis of its segment, by a function of an axis of a joint."""

    axis: Literal["x", "y", "z"] = choice("x", "Axis", "Axis of the segment along which it moves.")
    coordinate: SingleAxis = choice(
        REQUIRED, "Coordinate", "Axis of a joint by which it moves: one that turns or slides alone."
    )
    function: Id = function(
        REQUIRED, WAY, "m", "Function", "How far it has moved, by that coordinate; added to its position."
    )  # fmt: skip


class PointRange(Part):
    """Let a point of a line count only while an axis of a joint is within a range."""

    coordinate: SingleAxis = choice(
        REQUIRED, "Coordinate", "Axis of a joint: one that turns or slides alone."
    )
    lower: Number | None = number(None, WAY, "Lower end", "None: no lower end.")
    upper: Number | None = number(None, WAY, "Upper end", "None: no upper end.")


class PathPoint(PointRef):
    """Be a point that a line runs through, without friction."""

    moves: tuple[PointMove, ...] = choice(
        (), "Moves", "How it moves in its segment with axes of joints, as over a kneecap.", max_length=20
    )  # fmt: skip
    only: PointRange | None = choice(
        None, "Only within", "Where else it is left out of the line, whose length may jump there; none: it always counts."
    )  # fmt: skip


class Obstacle(FrameRef):
    """Be something that a line runs round where it is in its way, taut and without friction."""

    name: Text = choice("", "Name", "What people read, such as the bone that it stands for.")
    from_point: Count = choice(
        0, "From point", "It may lie in the way from this point of the line on: 0 is A, 1 the first between.", ge=0
    )  # fmt: skip
    to_point: Count | None = choice(
        None, "To point", "Up to this point; none: up to B. Of several legs that could go round it one does.", ge=1
    )  # fmt: skip


class Round(Obstacle):
    """Be an obstacle of which a line keeps to one side, or within which it stays."""

    side_m: Vec3 | None = number(
        None,
        "m",
        "Side",
        "A point in its frame: the line goes round on that side, also where it would pass on the other; none: the shorter way.",
    )


class SphereObstacle(Round):
    """Be a sphere about the origin of its frame."""

    kind: Literal["sphere"] = choice("sphere", "Kind", "A sphere.")
    radius_m: Number = number(REQUIRED, "m", "Radius", "Its radius.", gt=0)
    within: Flag = choice(False, "Within", "Whether the line stays inside, as in a ring, and touches it in one point.")  # fmt: skip

    @property
    def sizes(self) -> tuple[float, float, float]:
        """Half lengths of what is drawn (m)."""
        return self.radius_m, self.radius_m, self.radius_m


class CylinderObstacle(Round):
    """Be a cylinder about the z axis of its frame."""

    kind: Literal["cylinder"] = choice("cylinder", "Kind", "A cylinder about z.")
    radius_m: Number = number(REQUIRED, "m", "Radius", "Its radius.", gt=0)
    length_m: Number | None = number(
        None, "m", "Length", "A line that would touch it only beyond its ends passes, and may jump there; none: endless.", gt=0
    )  # fmt: skip
    within: Flag = choice(False, "Within", "Whether the line stays inside, as in a sleeve, and touches it in one point.")  # fmt: skip

    @property
    def sizes(self) -> tuple[float, float, float]:
        """Half lengths of what is drawn (m); an endless one as far as it is thick, thrice."""
        half = 3.0 * self.radius_m if self.length_m is None else 0.5 * self.length_m
        return self.radius_m, self.radius_m, half


class EllipsoidObstacle(Round):
    """Be an ellipsoid about the origin of its frame."""

    kind: Literal["ellipsoid"] = choice("ellipsoid", "Kind", "An ellipsoid.")
    semi_axes_m: Positive3 = number(REQUIRED, "m", "Semi-axes", "Half lengths along x, y and z of its frame.")  # fmt: skip

    @property
    def sizes(self) -> tuple[float, float, float]:
        """Half lengths of what is drawn (m)."""
        return self.semi_axes_m


AnyObstacle = Annotated[
    SphereObstacle | CylinderObstacle | EllipsoidObstacle, Field(discriminator="kind")
]


class DistanceCoordinate(Coordinate):
    """Be the distance of two points, or the length of a taut line between them through others and round obstacles."""

    kind: Literal["distance"] = choice(
        "distance", "Kind", "The distance of two points, or the length of a line through more."
    )
    a: PathPoint = choice(REQUIRED, "Point A", "One end.")
    b: PathPoint = choice(REQUIRED, "Point B", "Other end.")
    via: tuple[PathPoint, ...] = choice(
        (), "Via", "Points that the line runs through from A to B, without friction.", max_length=20
    )
    over: tuple[AnyObstacle, ...] = choice(
        (), "Over", "Obstacles that the line runs round, without friction.", max_length=50
    )

    @property
    def points(self) -> tuple[PathPoint, ...]:
        """All points from A to B."""
        return (self.a, *self.via, self.b)

    @property
    def is_straight(self) -> bool:
        """Whether it is the distance of two fixed points."""
        return not (self.via or self.bends)

    @property
    def bends(self) -> bool:
        """Whether it runs otherwise than straight through fixed points."""
        return bool(self.over) or any(one.moves or one.only for one in self.points)


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
        """Whether it is an angle."""
        return True


AnyCoordinate = Annotated[
    JointCoordinate | DistanceCoordinate | ComponentCoordinate | AngleCoordinate,
    Field(discriminator="kind"),
]


class CoordinateLaw(Part):
    """Resist a coordinate's growth, or its rate."""

    law: ClassVar[str]
    """Name of the law in the kernels (`solver.engine.forces.coordinates.arrays`)."""


# Laws that go by what they sense: actuators that drive a coordinate to a target, and reflexes of muscles.


class Sensor(Part):
    """Sense another coordinate than the one that is acted on, such as the turn of the head from the ground."""

    coordinate: AnyCoordinate = choice(
        REQUIRED, "Coordinate", "What is sensed; an angle for an angle, a way for a way."
    )
    zero: Number | None = number(
        None, WAY, "Zero", "Value from which it counts; none: as it is at the start."
    )


class Reflex(Part):
    """Add to a muscle's wanted activation by what is sensed: P (d - target) + D (its rate - target's), from 0 to 1 in all."""

    coordinate: AnyCoordinate = choice(
        REQUIRED,
        "Coordinate",
        "What is sensed, such as the turn of the head or the muscle's own length.",
    )
    zero: Number | None = number(
        None, WAY, "Zero", "Value from which it counts; none: as it is at the start."
    )
    target: NumberOrFunction = value_or_function(
        0.0, WAY, "s", "Target", "Value at which it adds nothing, constant or by the muscle's time."
    )
    proportional: Number = number(
        0.0, "1/m|1/rad", "Proportional gain", "P: activation for each metre or radian."
    )
    derivative: Number = number(
        0.0, "s/m|s/rad", "Derivative gain", "D: activation for each metre or radian per second."
    )
    reflex_s: Number = number(
        0.0,
        "s",
        "Reflex time",
        "How much later it senses; before the start all stood.",
        ge=0,
        le=10,
    )


class Switch(Part):
    """Switch a load on while the coordinate is off its target by more than a limit, with hysteresis."""

    size: Number = number(REQUIRED, LOAD, "Size", "Load while it is on, against what is off.")
    on: Number = number(
        REQUIRED, WAY, "On beyond", "What is off, either way, at which it switches on.", gt=0
    )
    off: Number = number(
        0.0,
        WAY,
        "Off below",
        "What is off at which it switches off again; minus the value above: straight to the other side.",
    )
    lead_s: Number = number(
        0.0,
        "s",
        "Lead",
        "What is off counts with its rate by this time, so that it looks ahead.",
        ge=0,
    )


class Actuator(CoordinateLaw):
    """Drive the coordinate to a target: F = P (d - target) + D (its rate - target's) + I (sum of d - target).

    As the later program's joint actuators (card F.10), whose gains depend on the target; each has a sum of its own.
    Tables and a switch add up with the gains. With a reflex time it acts on what it sensed that long ago, so that it
    can stand for a posture held by muscles; with a period it senses now and then and holds what it gives, as a digital controller.
    """

    law = "ACTUATOR"
    kind: Literal["actuator"] = choice("actuator", "Kind", "Drives to a target.")
    target: NumberOrFunction = value_or_function(
        REQUIRED, WAY, "s", "Target", "Wanted value, constant or by time, counted from zero."
    )
    proportional: NumberOrFunction = value_or_function(
        0.0, RISE, WAY, "Proportional gain", "P, constant or by the target."
    )
    derivative: NumberOrFunction = value_or_function(
        0.0, DRAG, WAY, "Derivative gain", "D, constant or by the target."
    )
    integral: NumberOrFunction = value_or_function(
        0.0, GATHERED, WAY, "Integral gain", "I, constant or by the target."
    )
    by_error: Id | None = function(
        None, WAY, LOAD, "Table by error", "Load by what is off, added to what gains give."
    )
    by_rate: Id | None = function(
        None, RATE, LOAD, "Table by rate", "Load by the rate of what is off, added likewise."
    )
    switch: Switch | None = choice(
        None, "Switch", "A load that is on or off, added likewise; none: no such load."
    )
    limit: Number | None = number(
        None, LOAD, "Limit", "Most that it gives, either way; none: no limit.", gt=0
    )
    senses: Sensor | None = choice(
        None, "Senses", "Another coordinate that it goes by; none: the one that it acts on."
    )
    delay_s: Number = number(0.0, "s", "Delay", "How much later it begins.", ge=0)
    ramp_s: Number = number(
        0.0, "s", "Ramp", "Time over which what it gives comes up once it has begun.", ge=0
    )
    reflex_s: Number = number(
        0.0,
        "s",
        "Reflex time",
        "How much later it senses its coordinate and the rate, as a reflex does; before the start all stood.",
        ge=0,
        le=10,
    )
    period_s: Number = number(
        0.0,
        "s",
        "Sampling period",
        "Time from one look at what it senses to the next, over which it holds what it gives; 0: it looks all the time.",
        ge=0,
        le=10,
    )
    trigger: Trigger | None = choice(
        None, "Trigger", "From when its time counts; none: from the start of the run."
    )
