"""Drivers: axes of joints that move as prescribed, whatever acts on them."""

from __future__ import annotations

from typing import Literal

from solver.project.fields import REQUIRED, Element, Id, Number, choice, number, ref
from solver.project.joints import OF_JOINTS, JointAxis, is_angle
from solver.project.motions import Pulse


class Driver(Element):
    """Move one axis of a joint as prescribed; the joint's other axes stay free."""

    joint: Id = ref(REQUIRED, "joints", "Joint", "Joint whose axis is driven.")
    axis: JointAxis = choice("angle", "Axis", OF_JOINTS)
    quantity: Literal["position", "velocity", "acceleration"] = choice(
        "position",
        "Quantity",
        "What the pulse gives, counted as the joint's own coordinate; the rest follows by exact integration.",
    )
    pulse: Pulse = choice(REQUIRED, "Pulse", "Value over time, in m or rad and seconds.")
    start_value: Number | None = number(
        None,
        "",
        "Start value",
        "Coordinate at time zero; none: as the joint starts. Unused where position is given.",
    )
    start_rate: Number = number(
        0.0, "", "Start rate", "Rate at time zero; used where acceleration is given."
    )

    @property
    def turns(self) -> bool:
        """Tell whether its axis turns; else it slides."""
        return is_angle(self.axis)

    @property
    def gives_start(self) -> bool:
        """Tell whether it says where its axis starts; else that is as the joint starts."""
        return self.quantity == "position" or self.start_value is not None
