"""Coordinates on which laws act: an axis of a joint, a distance, a component, an angle.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.geometry import FrameRef, PointRef

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.coordinates as _coordinates
    import solver.project.geometry as _geometry
    from manikin.schema.belts import Trigger
    from manikin.schema.closures import AxisName
    from manikin.schema.numbers import Vec3


class Coordinate(TypedDict, total=False):
    """Be something that a law resists."""


class JointCoordinate(Coordinate, total=False):
    """Be one axis of a joint."""

    kind: Required[Literal["joint"]]
    """Kind ("joint"): An axis of a joint."""
    joint: Required[str]
    """Joint (id in joints, required): Joint to which the axis belongs."""
    axis: CoordinateAxis
    """Axis ("angle"): slide: of a slip joint; angle: of a pin or a slip joint that turns; first, second: of a universal joint; precession, nutation, spin: of an Euler joint; at_parent, length, at_child: of an extensional joint; the others: of a joint of six. precession, nutation, spin: of an Euler joint; turn_x, turn_y, turn_z: components, along the parent's frame, of the rotation vector of a joint that turns as a ball or is free; x, y, z also of a free joint."""


class SingleAxis(Coordinate, total=False):
    """Be one axis of a joint that turns or slides alone."""

    kind: Literal["joint"]
    """Kind ("joint"): An axis of a joint."""
    joint: Required[str]
    """Joint (id in joints, required): Joint to which the axis belongs."""
    axis: Literal["angle", "slide", "first", "second", "length", "at_parent", "at_child"]
    """Axis ("angle"): slide: of a slip joint; angle: of a pin or a slip joint that turns; first, second: of a universal joint; precession, nutation, spin: of an Euler joint; at_parent, length, at_child: of an extensional joint; the others: of a joint of six."""


class PointMove(TypedDict, total=False):
    """Move a point of a line along an axis of its segment, by a function of an axis of a joint."""

    axis: AxisName
    """Axis ("x"): Axis of the segment along which it moves."""
    coordinate: Required[SingleAxis | _coordinates.SingleAxis]
    """Coordinate (required): Axis of a joint by which it moves: one that turns or slides alone."""
    function: Required[str]
    """Function (id in functions, required): How far it has moved, by that coordinate; added to its position."""


class PointRange(TypedDict, total=False):
    """Let a point of a line count only while an axis of a joint is within a range."""

    coordinate: Required[SingleAxis | _coordinates.SingleAxis]
    """Coordinate (required): Axis of a joint: one that turns or slides alone."""
    lower: float | None
    """Lower end (m or rad, none): None: no lower end."""
    upper: float | None
    """Upper end (m or rad, none): None: no upper end."""


class PathPoint(PointRef, total=False):
    """Be a point that a line runs through, without friction."""

    moves: Sequence[PointMove | _coordinates.PointMove]
    """Moves (at most 20 entries, []): How it moves in its segment with axes of joints, as over a kneecap."""
    only: PointRange | _coordinates.PointRange | None
    """Only within (none): Where else it is left out of the line, whose length may jump there; none: it always counts."""


class Obstacle(FrameRef, total=False):
    """Be something that a line runs round where it is in its way, taut and without friction."""

    name: str
    """Name (""): What people read, such as the bone that it stands for."""
    from_point: int
    """From point (≥ 0, 0): It may lie in the way from this point of the line on: 0 is A, 1 the first between."""
    to_point: int | None
    """To point (≥ 1, none): Up to this point; none: up to B. Of several legs that could go round it one does."""


class Round(Obstacle, total=False):
    """Be an obstacle of which a line keeps to one side, or within which it stays."""

    side_m: Vec3 | None
    """Side (m, none): A point in its frame: the line goes round on that side, also where it would pass on the other; none: the shorter way."""


class SphereObstacle(Round, total=False):
    """Be a sphere about the origin of its frame."""

    kind: Required[Literal["sphere"]]
    """Kind ("sphere"): A sphere."""
    radius_m: Required[float]
    """Radius (m, > 0, required): Its radius."""
    within: bool
    """Within (false): Whether the line stays inside, as in a ring, and touches it in one point."""


class CylinderObstacle(Round, total=False):
    """Be a cylinder about the z axis of its frame."""

    kind: Required[Literal["cylinder"]]
    """Kind ("cylinder"): A cylinder about z."""
    radius_m: Required[float]
    """Radius (m, > 0, required): Its radius."""
    length_m: float | None
    """Length (m, > 0, none): A line that would touch it only beyond its ends passes, and may jump there; none: endless."""
    within: bool
    """Within (false): Whether the line stays inside, as in a sleeve, and touches it in one point."""


class EllipsoidObstacle(Round, total=False):
    """Be an ellipsoid about the origin of its frame."""

    kind: Required[Literal["ellipsoid"]]
    """Kind ("ellipsoid"): An ellipsoid."""
    semi_axes_m: Required[Vec3]
    """Semi-axes (m, > 0, required): Half lengths along x, y and z of its frame."""


class DistanceCoordinate(Coordinate, total=False):
    """Be the distance of two points, or the length of a taut line between them through others and round obstacles."""

    kind: Required[Literal["distance"]]
    """Kind ("distance"): The distance of two points, or the length of a line through more."""
    a: Required[PathPoint | _coordinates.PathPoint]
    """Point A (required): One end."""
    b: Required[PathPoint | _coordinates.PathPoint]
    """Point B (required): Other end."""
    via: Sequence[PathPoint | _coordinates.PathPoint]
    """Via (at most 20 entries, []): Points that the line runs through from A to B, without friction."""
    over: Sequence[AnyObstacle]
    """Over (at most 50 entries, []): Obstacles that the line runs round, without friction."""


class ComponentCoordinate(Coordinate, total=False):
    """Be where a point stands along one axis of a frame."""

    kind: Required[Literal["component"]]
    """Kind ("component"): Where a point stands along an axis of a frame."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame whose axis is meant."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Point that is followed."""
    axis: AxisName
    """Axis ("x"): Axis of frame A."""


class AngleCoordinate(Coordinate, total=False):
    """Be one component of the turn of a frame from another, as a rotation vector."""

    kind: Required[Literal["angle"]]
    """Kind ("angle"): A component of the turn between two frames."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame whose axis is meant."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Frame that turns; less than half a turn from A."""
    axis: AxisName
    """Axis ("x"): Axis of frame A."""


class CoordinateLaw(TypedDict, total=False):
    """Resist a coordinate's growth, or its rate."""


class Sensor(TypedDict, total=False):
    """Sense another coordinate than the one that is acted on, such as the turn of the head from the ground."""

    coordinate: Required[AnyCoordinate]
    """Coordinate (required): What is sensed; an angle for an angle, a way for a way."""
    zero: float | None
    """Zero (m or rad, none): Value from which it counts; none: as it is at the start."""


class Reflex(TypedDict, total=False):
    """Add to a muscle's wanted activation by what is sensed: P (d - target) + D (its rate - target's), from 0 to 1 in all."""

    coordinate: Required[AnyCoordinate]
    """Coordinate (required): What is sensed, such as the turn of the head or the muscle's own length."""
    zero: float | None
    """Zero (m or rad, none): Value from which it counts; none: as it is at the start."""
    target: float | str
    """Target (id in functions, m or rad, 0.0): Value at which it adds nothing, constant or by the muscle's time."""
    proportional: float
    """Proportional gain (1/m or 1/rad, 0.0): P: activation for each metre or radian."""
    derivative: float
    """Derivative gain (s/m or s/rad, 0.0): D: activation for each metre or radian per second."""
    reflex_s: float
    """Reflex time (s, ≥ 0, ≤ 10, 0.0): How much later it senses; before the start all stood."""


class Switch(TypedDict, total=False):
    """Switch a load on while the coordinate is off its target by more than a limit, with hysteresis."""

    size: Required[float]
    """Size (N or N*m, required): Load while it is on, against what is off."""
    on: Required[float]
    """On beyond (m or rad, > 0, required): What is off, either way, at which it switches on."""
    off: float
    """Off below (m or rad, 0.0): What is off at which it switches off again; minus the value above: straight to the other side."""
    lead_s: float
    """Lead (s, ≥ 0, 0.0): What is off counts with its rate by this time, so that it looks ahead."""


class Actuator(CoordinateLaw, total=False):
    """Drive the coordinate to a target: F = P (d - target) + D (its rate - target's) + I (sum of d - target).

    As the later program's joint actuators (card F.10), whose gains depend on the target; each has a sum of its own.
    Tables and a switch add up with the gains. With a reflex time it acts on what it sensed that long ago, so that it
    can stand for a posture held by muscles; with a period it senses now and then and holds what it gives, as a digital controller.
    """

    kind: Required[Literal["actuator"]]
    """Kind ("actuator"): Drives to a target."""
    target: Required[float | str]
    """Target (id in functions, m or rad, required): Wanted value, constant or by time, counted from zero."""
    proportional: float | str
    """Proportional gain (id in functions, N/m or N*m/rad, 0.0): P, constant or by the target."""
    derivative: float | str
    """Derivative gain (id in functions, N*s/m or N*m*s/rad, 0.0): D, constant or by the target."""
    integral: float | str
    """Integral gain (id in functions, N/m/s or N*m/rad/s, 0.0): I, constant or by the target."""
    by_error: str | None
    """Table by error (id in functions, none): Load by what is off, added to what gains give."""
    by_rate: str | None
    """Table by rate (id in functions, none): Load by the rate of what is off, added likewise."""
    switch: Switch | _coordinates.Switch | None
    """Switch (none): A load that is on or off, added likewise; none: no such load."""
    limit: float | None
    """Limit (N or N*m, > 0, none): Most that it gives, either way; none: no limit."""
    senses: Sensor | _coordinates.Sensor | None
    """Senses (none): Another coordinate that it goes by; none: the one that it acts on."""
    delay_s: float
    """Delay (s, ≥ 0, 0.0): How much later it begins."""
    ramp_s: float
    """Ramp (s, ≥ 0, 0.0): Time over which what it gives comes up once it has begun."""
    reflex_s: float
    """Reflex time (s, ≥ 0, ≤ 10, 0.0): How much later it senses its coordinate and the rate, as a reflex does; before the start all stood."""
    period_s: float
    """Sampling period (s, ≥ 0, ≤ 10, 0.0): Time from one look at what it senses to the next, over which it holds what it gives; 0: it looks all the time."""
    trigger: Trigger | None
    """Trigger (none): From when its time counts; none: from the start of the run."""


CoordinateAxis: TypeAlias = Literal[
    "slide",
    "angle",
    "first",
    "second",
    "precession",
    "nutation",
    "spin",
    "x",
    "y",
    "z",
    "yaw",
    "pitch",
    "roll",
    "at_parent",
    "length",
    "at_child",
    "turn_x",
    "turn_y",
    "turn_z",
]


AnyObstacle: TypeAlias = "SphereObstacle | _coordinates.SphereObstacle | CylinderObstacle | _coordinates.CylinderObstacle | EllipsoidObstacle | _coordinates.EllipsoidObstacle"


AnyCoordinate: TypeAlias = "JointCoordinate | _coordinates.JointCoordinate | DistanceCoordinate | _coordinates.DistanceCoordinate | ComponentCoordinate | _coordinates.ComponentCoordinate | AngleCoordinate | _coordinates.AngleCoordinate"
