"""Couplings of two axes of joints: gears, belts, racks, screws, and one axis as a function of another."""

from __future__ import annotations

import math
from typing import Any, ClassVar, Literal

from solver.project.fields import (
    REQUIRED,
    Element,
    Flag,
    Id,
    Number,
    Numbers,
    Part,
    choice,
    number,
    ref,
)
from solver.project.joints import OF_JOINTS, JointAxis, is_angle

FROM_START = "none: as both axes stand at the start."


class CoupledAxis(Part):
    """Name an axis of a joint."""

    joint: Id = ref(REQUIRED, "joints", "Joint", "Joint to which the axis belongs.")
    axis: JointAxis = choice("angle", "Axis", OF_JOINTS)

    @property
    def turns(self) -> bool:
        """Whether it is an angle."""
        return is_angle(self.axis)


def _axis(label: str, help_: str) -> Any:
    return choice(REQUIRED, label, help_)


class CouplingBase(Element):
    """Hold what all couplings share: the second axis stands where a function of the first one says."""

    breakage: ClassVar[None] = None
    sorts: ClassVar[tuple[bool, bool]]
    """Whether the first and the second axis must be angles."""

    first: CoupledAxis = _axis("First axis", "Axis that the second follows.")
    second: CoupledAxis = _axis("Second axis", "Axis that follows the first.")

    @property
    def offset(self) -> float | None:
        """What is added to the function; None where that follows from the start."""
        raise NotImplementedError

    @property
    def slope(self) -> float:
        """How far the second axis goes for each unit of the first, where that is the same everywhere."""
        raise NotImplementedError

    @property
    def row_names(self) -> tuple[str, ...]:
        """Name its row of constraint."""
        return ("ratio",)


class Gear(CouplingBase):
    """Let one axis turn with another at a ratio: gears, or any drive without slip."""

    sorts = (True, True)
    kind: Literal["gear"] = choice("gear", "Kind", "Two angles at a ratio.")
    ratio: Number = number(
        REQUIRED,
        "1",
        "Ratio",
        "Turns of the second axis for one of the first, as their joints count them; below zero where they turn against "
        "each other, as two gears with outside teeth on parallel axes.",
    )
    offset_rad: Number | None = number(
        None, "rad", "Offset", f"Angle of the second axis where the first is zero; {FROM_START}"
    )

    @property
    def offset(self) -> float | None:
        """What is added to the function."""
        return self.offset_rad

    @property
    def slope(self) -> float:
        """The ratio."""
        return self.ratio


class BeltDrive(CouplingBase):
    """Let one axis turn with another by a belt or a chain that does not slip."""

    sorts = (True, True)
    kind: Literal["belt_drive"] = choice("belt_drive", "Kind", "Two angles by a belt or chain.")
    first_radius_m: Number = number(
        REQUIRED, "m", "First radius", "Pitch radius of the wheel on the first axis.", gt=0
    )
    second_radius_m: Number = number(
        REQUIRED, "m", "Second radius", "Pitch radius of the wheel on the second axis.", gt=0
    )
    crossed: Flag = choice(False, "Crossed", "Whether the wheels turn against each other.")
    offset_rad: Number | None = number(
        None, "rad", "Offset", f"Angle of the second axis where the first is zero; {FROM_START}"
    )

    @property
    def offset(self) -> float | None:
        """What is added to the function."""
        return self.offset_rad

    @property
    def slope(self) -> float:
        """The ratio of both radii."""
        return (-1.0 if self.crossed else 1.0) * self.first_radius_m / self.second_radius_m


class Rack(CouplingBase):
    """Let an axis slide as another one turns: a rack and its pinion."""

    sorts = (True, False)
    kind: Literal["rack"] = choice("rack", "Kind", "A way by an angle, at a radius.")
    radius_m: Number = number(
        REQUIRED,
        "m",
        "Radius",
        "Way of the second axis for each radian of the first: the pinion's pitch radius, below zero where it goes the "
        "other way.",
    )
    offset_m: Number | None = number(
        None, "m", "Offset", f"Way of the second axis where the first is zero; {FROM_START}"
    )

    @property
    def offset(self) -> float | None:
        """What is added to the function."""
        return self.offset_m

    @property
    def slope(self) -> float:
        """The radius."""
        return self.radius_m


class Screw(CouplingBase):
    """Let an axis slide as another one turns: a screw and its nut."""

    sorts = (True, False)
    kind: Literal["screw"] = choice("screw", "Kind", "A way by an angle, at a lead.")
    lead_m: Number = number(
        REQUIRED,
        "m",
        "Lead",
        "Way of the second axis for a whole turn of the first: the pitch of a single thread, below zero for a left-hand one.",
    )
    offset_m: Number | None = number(
        None, "m", "Offset", f"Way of the second axis where the first is zero; {FROM_START}"
    )

    @property
    def offset(self) -> float | None:
        """What is added to the function."""
        return self.offset_m

    @property
    def slope(self) -> float:
        """The lead for each radian."""
        return self.lead_m / (2.0 * math.pi)


class Coupled(CouplingBase):
    """Let one axis be a function of another: a polynomial, a table or a spline.

    What OpenSim calls a coordinate coupler, ROS a mimic joint and MuJoCo an equality of joints. Beyond the ends of a
    table the second axis goes straight on at the slope that it has there.
    """

    kind: Literal["coupled"] = choice("coupled", "Kind", "One axis as a function of another.")
    coefficients: Numbers = number(
        (),
        "",
        "Coefficients",
        "A0, A1, ... A5 of a polynomial of the first axis, in m and rad; instead of a function.",
        max_length=6,
    )
    function: Id | None = ref(
        None,
        "functions",
        "Function",
        "Function of the first axis that gives the second; without a jump in value or slope, so a table needs a spline.",
    )
    scale: Number = number(1.0, "1", "Scale", "Factor on the function's value.")
    start_value: Number | None = number(
        0.0, "", "Offset", f"What is added, in the second axis' unit (m or rad); {FROM_START}"
    )

    @property
    def offset(self) -> float | None:
        """What is added to the function."""
        return self.start_value


COUPLINGS = (Gear, BeltDrive, Rack, Screw, Coupled)
