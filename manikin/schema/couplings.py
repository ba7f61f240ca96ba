"""Couplings of two axes of joints: gears, belts, racks, screws, and one axis as a function of another.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypedDict

from manikin.schema.fields import Element

if TYPE_CHECKING:
    import solver.project.couplings as _couplings
    from manikin.schema.joints import JointAxis
    from manikin.schema.numbers import Numbers


class CoupledAxis(TypedDict, total=False):
    """Name an axis of a joint."""

    joint: Required[str]
    """Joint (id in joints, required): Joint to which the axis belongs."""
    axis: JointAxis
    """Axis ("angle"): slide: of a slip joint; angle: of a pin or a slip joint that turns; first, second: of a universal joint; precession, nutation, spin: of an Euler joint; at_parent, length, at_child: of an extensional joint; the others: of a joint of six."""


class CouplingBase(Element, total=False):
    """Hold what all couplings share: the second axis stands where a function of the first one says."""

    first: Required[CoupledAxis | _couplings.CoupledAxis]
    """First axis (required): Axis that the second follows."""
    second: Required[CoupledAxis | _couplings.CoupledAxis]
    """Second axis (required): Axis that follows the first."""


class Gear(CouplingBase, total=False):
    """Let one axis turn with another at a ratio: gears, or any drive without slip."""

    kind: Required[Literal["gear"]]
    """Kind ("gear"): Two angles at a ratio."""
    ratio: Required[float]
    """Ratio (1, required): Turns of the second axis for one of the first, as their joints count them; below zero where they turn against each other, as two gears with outside teeth on parallel axes."""
    offset_rad: float | None
    """Offset (rad, none): Angle of the second axis where the first is zero; none: as both axes stand at the start."""


class BeltDrive(CouplingBase, total=False):
    """Let one axis turn with another by a belt or a chain that does not slip."""

    kind: Required[Literal["belt_drive"]]
    """Kind ("belt_drive"): Two angles by a belt or chain."""
    first_radius_m: Required[float]
    """First radius (m, > 0, required): Pitch radius of the wheel on the first axis."""
    second_radius_m: Required[float]
    """Second radius (m, > 0, required): Pitch radius of the wheel on the second axis."""
    crossed: bool
    """Crossed (false): Whether the wheels turn against each other."""
    offset_rad: float | None
    """Offset (rad, none): Angle of the second axis where the first is zero; none: as both axes stand at the start."""


class Rack(CouplingBase, total=False):
    """Let an axis slide as another one turns: a rack and its pinion."""

    kind: Required[Literal["rack"]]
    """Kind ("rack"): A way by an angle, at a radius."""
    radius_m: Required[float]
    """Radius (m, required): Way of the second axis for each radian of the first: the pinion's pitch radius, below zero where it goes the other way."""
    offset_m: float | None
    """Offset (m, none): Way of the second axis where the first is zero; none: as both axes stand at the start."""


class Screw(CouplingBase, total=False):
    """Let an axis slide as another one turns: a screw and its nut."""

    kind: Required[Literal["screw"]]
    """Kind ("screw"): A way by an angle, at a lead."""
    lead_m: Required[float]
    """Lead (m, required): Way of the second axis for a whole turn of the first: the pitch of a single thread, below zero for a left-hand one."""
    offset_m: float | None
    """Offset (m, none): Way of the second axis where the first is zero; none: as both axes stand at the start."""


class Coupled(CouplingBase, total=False):
    """Let one axis be a function of another: a polynomial, a table or a spline.

    What OpenSim calls a coordinate coupler, ROS a mimic joint and MuJoCo an equality of joints. Beyond the ends of a
    table the second axis goes straight on at the slope that it has there.
    """

    kind: Required[Literal["coupled"]]
    """Kind ("coupled"): One axis as a function of another."""
    coefficients: Numbers
    """Coefficients (at most 6 entries, []): A0, A1, ... A5 of a polynomial of the first axis, in m and rad; instead of a function."""
    function: str | None
    """Function (id in functions, none): Function of the first axis that gives the second; without a jump in value or slope, so a table needs a spline."""
    scale: float
    """Scale (1, 1.0): Factor on the function's value."""
    start_value: float | None
    """Offset (0.0): What is added, in the second axis' unit (m or rad); none: as both axes stand at the start."""
