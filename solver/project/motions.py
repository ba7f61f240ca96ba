"""Prescribed motions, winds and loads."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

from pydantic import Field

from solver.project.belts import TimeTrigger, Trigger
from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Id,
    Number,
    NumberOrFunction,
    Numbers,
    Part,
    Vec3,
    choice,
    number,
    ref,
    value_or_function,
)
from solver.project.geometry import FrameRef, Orientation, SurfaceRef
from solver.project.joints import OF_JOINTS, JointAxis, is_angle
from solver.project.segments import GROUND


class History(Part):
    """Follow a function of time."""

    kind: Literal["function"] = choice("function", "Kind", "A function of time.")
    function: Id = ref(
        REQUIRED,
        "functions",
        "Function",
        "Function of time in the component's own unit.",
    )
    scale: Number = number(1.0, "1", "Scale", "Factor on the function's value.")


class ConstantHistory(Part):
    """Stay at a value."""

    kind: Literal["constant"] = choice("constant", "Kind", "The same at all times.")
    value: Number = number(REQUIRED, "", "Value", "The value, in the component's unit.")


class PulseShape(Part):
    """Hold what all pulses share."""

    amplitude: Number = number(REQUIRED, "", "Amplitude", "Peak, in the component's unit.")
    start_s: Number = number(0.0, "s", "Start", "Time at which the pulse begins.", ge=0)
    duration_s: Number = number(REQUIRED, "s", "Duration", "Length of the pulse.", gt=0)


class HalfSine(PulseShape):
    """Rise and fall as half a sine."""

    kind: Literal["half_sine"] = choice("half_sine", "Kind", "Half a sine.")


class Haversine(PulseShape):
    """Rise and fall as a squared sine."""

    kind: Literal["haversine"] = choice("haversine", "Kind", "A squared sine.")


class Triangle(PulseShape):
    """Rise and fall along straight lines."""

    kind: Literal["triangle"] = choice("triangle", "Kind", "A triangle.")
    peak_ratio: Number = number(
        0.5,
        "1",
        "Peak at",
        "Part of the duration at which the peak stands.",
        ge=0,
        le=1,
    )


class Trapezoid(PulseShape):
    """Rise, stay and fall along straight lines."""

    kind: Literal["trapezoid"] = choice("trapezoid", "Kind", "A trapezoid.")
    rise_ratio: Number = number(
        0.25, "1", "Rise", "Part of the duration in which it rises.", ge=0, le=1
    )
    fall_ratio: Number = number(
        0.25, "1", "Fall", "Part of the duration in which it falls.", ge=0, le=1
    )


Pulse = Annotated[
    History | ConstantHistory | HalfSine | Haversine | Triangle | Trapezoid,
    Field(discriminator="kind"),
]


class Prescribed(Protocol):
    """Be a coordinate that moves as prescribed."""

    @property
    def quantity(self) -> Literal["position", "velocity", "acceleration"]:
        """Say what the pulse gives."""

    @property
    def pulse(self) -> Pulse:
        """Give it over time."""

    @property
    def start_value(self) -> float | None:
        """The coordinate at time zero, where its rates are prescribed."""

    @property
    def start_rate(self) -> float:
        """The rate at time zero, where the acceleration is prescribed."""


class MotionComponent(Part):
    """Prescribe one of the six components of a motion."""

    component: Literal["x", "y", "z", "yaw", "pitch", "roll"] = choice(
        REQUIRED,
        "Component",
        "Displacement along, or angle about, one of the motion's axes.",
    )
    quantity: Literal["position", "velocity", "acceleration"] = choice(
        "acceleration",
        "Quantity",
        "What the pulse gives; the rest follows by exact integration.",
    )
    pulse: Pulse = choice(REQUIRED, "Pulse", "Value over time, in m or rad and seconds.")
    start_value: Number = number(
        0.0,
        "",
        "Start value",
        "Displacement or angle at time zero, from where the start places the segment; "
        "unused where position is given.",
    )
    start_rate: Number = number(
        0.0, "", "Start rate", "Rate at time zero; used where acceleration is given."
    )


class Motion(Element):
    """Move a segment as prescribed, whatever acts on it; components not named stay at the start."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is moved: a vehicle, a sled.")
    axes: Orientation = choice(
        Orientation(), "Axes", "Turn of the motion's x, y and z from the ground's."
    )
    components: tuple[MotionComponent, ...] = choice(
        REQUIRED, "Components", "Up to six, each once.", min_length=1, max_length=6
    )


class WindTarget(Part):
    """Name a surface that stands in the wind and what may shield it."""

    surface: SurfaceRef = choice(REQUIRED, "Surface", "Surface that the wind blows on.")
    method: Literal["whole", "outline"] = choice(
        "outline",
        "Method",
        "whole: projected area without shielding; outline: rays over the outline, with shielding.",
    )
    shields: tuple[SurfaceRef, ...] = choice((), "Shields", "Surfaces that may stand before it.")


class Wind(Element):
    """Blow on surfaces where they reach behind a plane (the heir's cards E.6 and F.7)."""

    plane: Id | None = ref(
        None,
        "planes",
        "Front",
        "Plane behind which the wind blows; none for everywhere.",
    )
    relative_to: Id = ref(GROUND, "segments", "Axes of", "Segment in whose axes it is given.")
    kind: Literal["pressure", "speed"] = choice(
        "pressure",
        "Kind",
        "pressure: three functions of time; speed: from the air's speed.",
    )
    pressure_x: NumberOrFunction = value_or_function(
        0.0,
        "Pa",
        "s",
        "Pressure x",
        "Along x, by time since the surface met the plane.",
    )
    pressure_y: NumberOrFunction = value_or_function(0.0, "Pa", "s", "Pressure y", "Along y.")
    pressure_z: NumberOrFunction = value_or_function(0.0, "Pa", "s", "Pressure z", "Along z.")
    air_velocity_m_per_s: Vec3 = number(
        ZERO3, "m/s", "Air velocity", "Velocity of the air, for kind speed."
    )
    air_density_kg_per_m3: Number = number(
        1.225, "kg/m3", "Air density", "Density of the air, for kind speed.", gt=0
    )
    drag: NumberOrFunction = value_or_function(
        1.0, "1", "s", "Drag coefficient", "Drag coefficient, by time."
    )
    targets: tuple[WindTarget, ...] = choice(
        REQUIRED, "Targets", "Surfaces in the wind.", min_length=1
    )


class Load(Element):
    """Push on a point of a segment, or turn the segment, by a function of time."""

    kind: Literal["force", "torque"] = choice("force", "Kind", "A force at a point, or a torque.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is loaded.")
    point_m: Vec3 = number(
        ZERO3,
        "m",
        "Point",
        "Where a force acts, or on a body that bends a torque, from the mass centre, segment axes.",
    )
    direction: Vec3 = number(
        (1.0, 0.0, 0.0),
        "1",
        "Direction",
        "Direction of a positive value; its length does not matter.",
    )
    axes: Id = ref(
        "segment",
        "segments",
        "Axes",
        "segment: the direction turns with the segment that is loaded; ground: it stays; or any segment with "
        "which it turns.",
        words=("segment", GROUND),
    )
    history: Id = ref(REQUIRED, "functions", "History", "Force in N or torque in N*m by time.")


# Drivers: axes of joints, and components of frames, that move as prescribed, whatever acts on them.

Rest = Literal["free", "held"]
"""What a coordinate is that no driver moves: free, or held where it stands."""


class DriverBase(Element):
    """Hold what all drivers share: how one coordinate moves, from when, and until when.

    A driver's time counts from the start of the run, or from when its trigger fires.
    """

    quantity: Literal["position", "velocity", "acceleration"] = choice(
        "position",
        "Quantity",
        "What the pulse gives of the coordinate; the rest follows by exact integration.",
    )
    pulse: Pulse = choice(
        REQUIRED, "Pulse", "Value over the driver's time, in m or rad and seconds."
    )
    start_value: Number | None = number(
        None,
        "",
        "Start value",
        "Coordinate at time zero; none: as it stands at the start. Unused where position is given, or where "
        "the driver begins later.",
    )
    start_rate: Number = number(
        0.0,
        "",
        "Start rate",
        "Rate with which it begins; used where acceleration is given.",
    )
    trigger: Trigger | None = choice(
        None, "Trigger", "From when its time counts; none: from the start of the run."
    )
    from_s: Number = number(
        0.0,
        "s",
        "From",
        "Time from which it moves its coordinate. One that begins within the run counts from where the "
        "coordinate then stands.",
        ge=0,
    )
    until_s: Number | None = number(
        None, "s", "Until", "Time until which it moves its coordinate; none: to the end.", gt=0
    )
    before: Rest = choice("free", "Before", "What the coordinate is before it is moved.")
    after: Rest = choice("free", "After", "What the coordinate is afterwards.")

    @property
    def turns(self) -> bool:
        """Whether its coordinate is an angle; else it is a way."""
        raise NotImplementedError

    @property
    def coordinate(self) -> str:
        """Name its coordinate."""
        raise NotImplementedError

    @property
    def zero_s(self) -> float | None:
        """When its time counts from; None where that is known only in the run."""
        if self.trigger is None:
            return 0.0
        return self.trigger.time_s if isinstance(self.trigger, TimeTrigger) else None

    @property
    def begins_s(self) -> float | None:
        """When it begins; None where that is known only in the run."""
        return None if self.zero_s is None else self.zero_s + self.from_s

    @property
    def begins_at_once(self) -> bool:
        """Whether it moves its coordinate from the start of the run."""
        return self.begins_s == 0.0

    @property
    def moves_always(self) -> bool:
        """Whether its coordinate is never free: it is moved, or held where it stands."""
        begins = self.begins_at_once or self.before == "held"
        return begins and (self.until_s is None or self.after == "held")

    @property
    def gives_start(self) -> bool:
        """Whether it says where its coordinate starts; else that is as it stands."""
        given = self.quantity == "position" or self.start_value is not None
        return self.begins_at_once and given


class OfJoint(Element):
    """Name an axis of a joint."""

    joint: Id = ref(REQUIRED, "joints", "Joint", "Joint whose axis is driven.")
    axis: JointAxis = choice("angle", "Axis", OF_JOINTS)


class Driver(DriverBase, OfJoint):
    """Move one axis of a joint as prescribed; the joint's other axes stay free."""

    @property
    def turns(self) -> bool:
        """Whether its axis turns; else it slides."""
        return is_angle(self.axis)

    @property
    def coordinate(self) -> str:
        """Name its axis."""
        return self.axis


Component = Literal["x", "y", "z", "yaw", "pitch", "roll"]


class OfFrame(Element):
    """Name a component of a frame as seen from another."""

    moved: FrameRef = choice(
        REQUIRED, "Frame moved", "Frame, or point, of the segment that is moved."
    )
    seen_from: FrameRef = choice(
        FrameRef(segment=GROUND), "Seen from", "Frame from which its component is counted."
    )
    component: Component = choice(
        "x", "Component", "Where its origin is along an axis of that frame, or one of its angles."
    )


class FrameDriver(DriverBase, OfFrame):
    """Move one component of a frame, or of a point, as prescribed; its other components stay free.

    Seen from another frame, on ground or on any segment: where its origin is along x, y and z, and by which
    angles it is turned about z, then y, then x.
    """

    @property
    def turns(self) -> bool:
        """Whether its component is an angle."""
        return self.component in ("yaw", "pitch", "roll")

    @property
    def coordinate(self) -> str:
        """Name its component."""
        return self.component


# Where everything is and how it moves at time zero.


class RootStart(Part):
    """Place the mass centre of a tree's root; the rest of the tree follows through the joints.

    A segment with a motion is placed here too; its motion brings it on from there, at time zero by its
    start value, or by its position at that time.
    """

    segment: Id = ref(REQUIRED, "segments", "Root", "Segment that no joint carries.")
    position_m: Vec3 = number(ZERO3, "m", "Position", "Mass centre, in the axes of 'relative to'.")
    velocity_m_per_s: Vec3 = number(
        ZERO3,
        "m/s",
        "Velocity",
        "Velocity of the mass centre, added to that of 'moves with'.",
    )
    relative_to: Id = ref(
        GROUND,
        "segments",
        "Relative to",
        "Segment from which the place counts, as it stands at time zero.",
    )
    moves_with: Id = ref(
        GROUND,
        "segments",
        "Moves with",
        "Segment whose motion at time zero the whole tree shares, such as the vehicle.",
    )


class AttitudeStart(Part):
    """Turn a segment, whatever its joints; the joint must allow the turn."""

    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is turned.")
    orientation: Orientation = choice(Orientation(), "Orientation", "Turn from 'relative to'.")
    relative_to: Id = ref(
        GROUND, "segments", "Relative to", "Segment from whose axes it is turned."
    )
    angular_velocity_rad_per_s: Vec3 = number(
        ZERO3,
        "rad/s",
        "Angular velocity",
        "In the segment's own axes, added to 'moves with'.",
    )


class JointStart(Part):
    """Set a joint's own coordinates, for a segment without an attitude.

    pin: one angle; universal: two; euler: precession, nutation, spin; ball: yaw, pitch, roll of the
    child's frame in the parent's; slip: the distance slid, then the angles of its rotation; free: x,
    y, z and then yaw, pitch, roll; locked: none.
    """

    joint: Id = ref(REQUIRED, "joints", "Joint", "Joint that is set.")
    values: Numbers = number((), "m|rad", "Values", "Angles in rad, distances in m.", max_length=6)
    rates: Numbers = number(
        (),
        "m/s|rad/s",
        "Rates",
        "Rates of the same coordinates; none for rest.",
        max_length=6,
    )


class Initial(Part):
    """Give the start: roots and attitudes, or roots and joint coordinates, or a mixture."""

    roots: tuple[RootStart, ...] = choice(
        (), "Roots", "One for each tree; others start at the origin."
    )
    attitudes: tuple[AttitudeStart, ...] = choice((), "Attitudes", "Turned segments.")
    joints: tuple[JointStart, ...] = choice((), "Joints", "Joints that are set.")
