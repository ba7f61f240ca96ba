"""Prescribed motions, winds and loads."""

from __future__ import annotations

from typing import Annotated, Literal, Protocol

from pydantic import Field

from solver.project.fields import (
    REQUIRED,
    ZERO3,
    Element,
    Id,
    Number,
    NumberOrFunction,
    Part,
    Vec3,
    choice,
    number,
    ref,
    value_or_function,
)
from solver.project.geometry import Orientation, SurfaceRef
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
        """Give the coordinate at time zero, where its rates are prescribed."""

    @property
    def start_rate(self) -> float:
        """Give the rate at time zero, where the acceleration is prescribed."""


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
    drag: NumberOrFunction = value_or_function(1.0, "1", "s", "Drag", "Drag coefficient, by time.")
    targets: tuple[WindTarget, ...] = choice(
        REQUIRED, "Targets", "Surfaces in the wind.", min_length=1
    )


class Load(Element):
    """Push on a point of a segment, or turn the segment, by a function of time."""

    kind: Literal["force", "torque"] = choice("force", "Kind", "A force at a point, or a torque.")
    segment: Id = ref(REQUIRED, "segments", "Segment", "Segment that is loaded.")
    point_m: Vec3 = number(
        ZERO3, "m", "Point", "Where a force acts, from the mass centre, segment axes."
    )
    direction: Vec3 = number(
        (1.0, 0.0, 0.0),
        "1",
        "Direction",
        "Direction of a positive value; its length does not matter.",
    )
    axes: Literal["ground", "segment"] = choice(
        "segment",
        "Axes",
        "Whether the direction stays in ground or turns with the segment.",
    )
    history: Id = ref(REQUIRED, "functions", "History", "Force in N or torque in N*m by time.")
