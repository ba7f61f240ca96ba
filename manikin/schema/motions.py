"""Prescribed motions, winds and loads.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    from collections.abc import Sequence

    import solver.project.geometry as _geometry
    import solver.project.motions as _motions
    from manikin.schema.belts import Trigger
    from manikin.schema.geometry import FrameRef, Orientation, SurfaceRef
    from manikin.schema.joints import JointAxis
    from manikin.schema.numbers import Vec3


class History(TypedDict, total=False):
    """Follow a function of time."""

    kind: Required[Literal["function"]]
    """Kind ("function"): A function of time."""
    function: Required[str]
    """Function (id in functions, required): Function of time in the component's own unit."""
    scale: float
    """Scale (1, 1.0): Factor on the function's value."""


class ConstantHistory(TypedDict, total=False):
    """Stay at a value."""

    kind: Required[Literal["constant"]]
    """Kind ("constant"): The same at all times."""
    value: Required[float]
    """Value (required): The value, in the component's unit."""


class PulseShape(TypedDict, total=False):
    """Hold what all pulses share."""

    amplitude: Required[float]
    """Amplitude (required): Peak, in the component's unit."""
    start_s: float
    """Start (s, ≥ 0, 0.0): Time at which the pulse begins."""
    duration_s: Required[float]
    """Duration (s, > 0, required): Length of the pulse."""


class HalfSine(PulseShape, total=False):
    """Rise and fall as half a sine."""

    kind: Required[Literal["half_sine"]]
    """Kind ("half_sine"): Half a sine."""


class Haversine(PulseShape, total=False):
    """Rise and fall as a squared sine."""

    kind: Required[Literal["haversine"]]
    """Kind ("haversine"): A squared sine."""


class Triangle(PulseShape, total=False):
    """Rise and fall along straight lines."""

    kind: Required[Literal["triangle"]]
    """Kind ("triangle"): A triangle."""
    peak_ratio: float
    """Peak at (1, ≥ 0, ≤ 1, 0.5): Part of the duration at which the peak stands."""


class Trapezoid(PulseShape, total=False):
    """Rise, stay and fall along straight lines."""

    kind: Required[Literal["trapezoid"]]
    """Kind ("trapezoid"): A trapezoid."""
    rise_ratio: float
    """Rise (1, ≥ 0, ≤ 1, 0.25): Part of the duration in which it rises."""
    fall_ratio: float
    """Fall (1, ≥ 0, ≤ 1, 0.25): Part of the duration in which it falls."""


class MotionComponent(TypedDict, total=False):
    """Prescribe one of the six components of a motion."""

    component: Required[Component]
    """Component (required): Displacement along, or angle about, one of the motion's axes."""
    quantity: Literal["position", "velocity", "acceleration"]
    """Quantity ("acceleration"): What the pulse gives; the rest follows by exact integration."""
    pulse: Required[Pulse]
    """Pulse (required): Value over time, in m or rad and seconds."""
    start_value: float
    """Start value (0.0): Displacement or angle at time zero, from where the start places the segment; unused where position is given."""
    start_rate: float
    """Start rate (0.0): Rate at time zero; used where acceleration is given."""


class Motion(Element, total=False):
    """Move a segment as prescribed, whatever acts on it; components not named stay at the start."""

    segment: Required[str]
    """Segment (id in segments, required): Segment that is moved: a vehicle, a sled."""
    axes: Orientation | _geometry.Orientation
    """Axes (its own defaults): Turn of the motion's x, y and z from the ground's."""
    components: Required[Sequence[MotionComponent | _motions.MotionComponent]]
    """Components (at least 1 entry, at most 6 entries, required): Up to six, each once."""


class WindTarget(TypedDict, total=False):
    """Name a surface that stands in the wind and what may shield it."""

    surface: Required[SurfaceRef | _geometry.SurfaceRef]
    """Surface (required): Surface that the wind blows on."""
    method: Literal["whole", "outline"]
    """Method ("outline"): whole: projected area without shielding; outline: rays over the outline, with shielding."""
    shields: Sequence[SurfaceRef | _geometry.SurfaceRef]
    """Shields ([]): Surfaces that may stand before it."""


class Wind(Element, total=False):
    """Blow on surfaces where they reach behind a plane (the heir's cards E.6 and F.7)."""

    plane: str | None
    """Front (id in planes, none): Plane behind which the wind blows; none for everywhere."""
    relative_to: str
    """Axes of (id in segments, "ground"): Segment in whose axes it is given."""
    kind: Literal["pressure", "speed"]
    """Kind ("pressure"): pressure: three functions of time; speed: from the air's speed."""
    pressure_x: float | str
    """Pressure x (id in functions, Pa, 0.0): Along x, by time since the surface met the plane."""
    pressure_y: float | str
    """Pressure y (id in functions, Pa, 0.0): Along y."""
    pressure_z: float | str
    """Pressure z (id in functions, Pa, 0.0): Along z."""
    air_velocity_m_per_s: Vec3
    """Air velocity (m/s, [0.0, 0.0, 0.0]): Velocity of the air, for kind speed."""
    air_density_kg_per_m3: float
    """Air density (kg/m3, > 0, 1.225): Density of the air, for kind speed."""
    drag: float | str
    """Drag coefficient (id in functions, 1, 1.0): Drag coefficient, by time."""
    targets: Required[Sequence[WindTarget | _motions.WindTarget]]
    """Targets (at least 1 entry, required): Surfaces in the wind."""


class Load(Element, total=False):
    """Push on a point of a segment, or turn the segment, by a function of time."""

    kind: Literal["force", "torque"]
    """Kind ("force"): A force at a point, or a torque."""
    segment: Required[str]
    """Segment (id in segments, required): Segment that is loaded."""
    point_m: Vec3
    """Point (m, [0.0, 0.0, 0.0]): Where a force acts, or on a body that bends a torque, from the mass centre, segment axes."""
    direction: Vec3
    """Direction (1, [1.0, 0.0, 0.0]): Direction of a positive value; its length does not matter."""
    axes: str
    """Axes (id in segments, "segment"): segment: the direction turns with the segment that is loaded; ground: it stays; or any segment with which it turns."""
    history: Required[str]
    """History (id in functions, required): Force in N or torque in N*m by time."""


class DriverBase(Element, total=False):
    """Hold what all drivers share: how one coordinate moves, from when, and until when.

    A driver's time counts from the start of the run, or from when its trigger fires.
    """

    quantity: Literal["position", "velocity", "acceleration"]
    """Quantity ("position"): What the pulse gives of the coordinate; the rest follows by exact integration."""
    pulse: Required[Pulse]
    """Pulse (required): Value over the driver's time, in m or rad and seconds."""
    start_value: float | None
    """Start value (none): Coordinate at time zero; none: as it stands at the start. Unused where position is given, or where the driver begins later."""
    start_rate: float
    """Start rate (0.0): Rate with which it begins; used where acceleration is given."""
    trigger: Trigger | None
    """Trigger (none): From when its time counts; none: from the start of the run."""
    from_s: float
    """From (s, ≥ 0, 0.0): Time from which it moves its coordinate. One that begins within the run counts from where the coordinate then stands."""
    until_s: float | None
    """Until (s, > 0, none): Time until which it moves its coordinate; none: to the end."""
    before: Rest
    """Before ("free"): What the coordinate is before it is moved."""
    after: Rest
    """After ("free"): What the coordinate is afterwards."""


class OfJoint(Element, total=False):
    """Name an axis of a joint."""

    joint: Required[str]
    """Joint (id in joints, required): Joint whose axis is driven."""
    axis: JointAxis
    """Axis ("angle"): slide: of a slip joint; angle: of a pin or a slip joint that turns; first, second: of a universal joint; precession, nutation, spin: of an Euler joint; at_parent, length, at_child: of an extensional joint; the others: of a joint of six."""


class Driver(DriverBase, OfJoint, total=False):
    """Move one axis of a joint as prescribed; the joint's other axes stay free."""


class OfFrame(Element, total=False):
    """Name a component of a frame as seen from another."""

    moved: Required[FrameRef | _geometry.FrameRef]
    """Frame moved (required): Frame, or point, of the segment that is moved."""
    seen_from: FrameRef | _geometry.FrameRef
    """Seen from (its own defaults): Frame from which its component is counted."""
    component: Component
    """Component ("x"): Where its origin is along an axis of that frame, or one of its angles."""


class FrameDriver(DriverBase, OfFrame, total=False):
    """Move one component of a frame, or of a point, as prescribed; its other components stay free.

    Seen from another frame, on ground or on any segment: where its origin is along x, y and z, and by which
    angles it is turned about z, then y, then x.
    """


class RootStart(TypedDict, total=False):
    """Place the mass centre of a tree's root; the rest of the tree follows through the joints.

    A segment with a motion is placed here too; its motion brings it on from there, at time zero by its
    start value, or by its position at that time.
    """

    position_m: Vec3
    """Position (m, [0.0, 0.0, 0.0]): Mass centre, in the axes of 'relative to'."""
    velocity_m_per_s: Vec3
    """Velocity (m/s, [0.0, 0.0, 0.0]): Velocity of the mass centre, added to that of 'moves with'."""
    relative_to: str
    """Relative to (id in segments, "ground"): Segment from which the place counts, as it stands at time zero."""
    moves_with: str
    """Moves with (id in segments, "ground"): Segment whose motion at time zero the whole tree shares, such as the vehicle."""


class AttitudeStart(TypedDict, total=False):
    """Turn a segment, whatever its joints; the joint must allow the turn."""

    orientation: Orientation | _geometry.Orientation
    """Orientation (its own defaults): Turn from 'relative to'."""
    relative_to: str
    """Relative to (id in segments, "ground"): Segment from whose axes it is turned."""
    angular_velocity_rad_per_s: Vec3
    """Angular velocity (rad/s, [0.0, 0.0, 0.0]): In the segment's own axes, added to 'moves with'."""


Component: TypeAlias = Literal["x", "y", "z", "yaw", "pitch", "roll"]


Pulse: TypeAlias = "History | _motions.History | ConstantHistory | _motions.ConstantHistory | HalfSine | _motions.HalfSine | Haversine | _motions.Haversine | Triangle | _motions.Triangle | Trapezoid | _motions.Trapezoid"


Rest: TypeAlias = Literal["free", "held"]
