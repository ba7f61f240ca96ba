"""Drivers: axes of joints, and components of frames, that move as prescribed, whatever acts on them."""

from __future__ import annotations

from typing import Literal

from solver.project.belts import TimeTrigger, Trigger
from solver.project.fields import REQUIRED, Element, Id, Number, choice, number, ref
from solver.project.geometry import FrameRef
from solver.project.joints import OF_JOINTS, JointAxis, is_angle
from solver.project.motions import Pulse
from solver.project.segments import GROUND

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
        """Tell whether its coordinate is an angle; else it is a way."""
        raise NotImplementedError

    @property
    def coordinate(self) -> str:
        """Name its coordinate."""
        raise NotImplementedError

    @property
    def zero_s(self) -> float | None:
        """Give when its time counts from; None where that is known only in the run."""
        if self.trigger is None:
            return 0.0
        return self.trigger.time_s if isinstance(self.trigger, TimeTrigger) else None

    @property
    def begins_s(self) -> float | None:
        """Give when it begins; None where that is known only in the run."""
        return None if self.zero_s is None else self.zero_s + self.from_s

    @property
    def begins_at_once(self) -> bool:
        """Tell whether it moves its coordinate from the start of the run."""
        return self.begins_s == 0.0

    @property
    def moves_always(self) -> bool:
        """Tell whether its coordinate is never free: it is moved, or held where it stands."""
        begins = self.begins_at_once or self.before == "held"
        return begins and (self.until_s is None or self.after == "held")

    @property
    def gives_start(self) -> bool:
        """Tell whether it says where its coordinate starts; else that is as it stands."""
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
        """Tell whether its axis turns; else it slides."""
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
        """Tell whether its component is an angle."""
        return self.component in ("yaw", "pitch", "roll")

    @property
    def coordinate(self) -> str:
        """Name its component."""
        return self.component
