"""Closures of loops: lines, planes and axes that hold a point or a frame, and curves that a point follows.

Made from the schema by `make docs`; do not edit it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, Required, TypeAlias

from manikin.schema.fields import Element

if TYPE_CHECKING:
    import solver.project.geometry as _geometry
    from manikin.schema.geometry import FrameRef, PointRef
    from manikin.schema.motions import Rest
    from manikin.schema.numbers import Numbers


class ClosureBase(Element, total=False):
    """Hold what all closures by frames share."""


class PointOnLine(ClosureBase, total=False):
    """Keep a point of a segment on a straight line of another."""

    kind: Required[Literal["point_on_line"]]
    """Kind ("point_on_line"): A point on a line."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame whose axis is the line; it goes on beyond all ends."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Point that stays on it."""
    axis: AxisName
    """Axis ("z"): Axis of frame A that is the line."""


class PointOnPlane(ClosureBase, total=False):
    """Keep a point of a segment on a plane of another."""

    kind: Required[Literal["point_on_plane"]]
    """Kind ("point_on_plane"): A point on a plane."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame whose origin lies in the plane; it goes on beyond all ends."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Point that stays on it."""
    axis: AxisName
    """Axis ("z"): Axis of frame A that stands square on the plane."""


class ParallelAxes(ClosureBase, total=False):
    """Keep an axis of a segment parallel to an axis of another; places stay free."""

    kind: Required[Literal["parallel_axes"]]
    """Kind ("parallel_axes"): Two axes in one direction."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame of the first axis."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Frame of the second axis."""
    axis: AxisName
    """Axis ("z"): Axis of both frames that is meant."""


class Revolute(ClosureBase, total=False):
    """Close a loop as a pin joint does: one place, one axis, about which both turn."""

    kind: Required[Literal["revolute"]]
    """Kind ("revolute"): A pin that closes a loop."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame of the pin in one segment."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Frame of the pin in the other segment."""
    axis: AxisName
    """Axis ("y"): Axis of both frames about which they turn; y as in pin joints."""


class Cylindrical(ClosureBase, total=False):
    """Close a loop by one axis, about which both turn and along which they slide."""

    kind: Required[Literal["cylindrical"]]
    """Kind ("cylindrical"): A rod in a bore."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame of the axis in one segment."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Frame of the axis in the other segment."""
    axis: AxisName
    """Axis ("z"): Axis of both frames along which they slide; z as in slip joints."""


class Prismatic(ClosureBase, total=False):
    """Close a loop by a slide that does not turn."""

    kind: Required[Literal["prismatic"]]
    """Kind ("prismatic"): A slide that closes a loop."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame of the slide in one segment."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Frame of the slide in the other segment, with the axes of A."""
    axis: AxisName
    """Axis ("z"): Axis of both frames along which they slide; z as in slip joints."""


class UniversalClosure(ClosureBase, total=False):
    """Close a loop as a universal joint does: one place, and no turn about the third axis."""

    kind: Required[Literal["universal_closure"]]
    """Kind ("universal_closure"): A cross that closes a loop: a ball whose twist is locked."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame of the cross; its x is the first axis."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Frame of the cross; its y is the second axis, square to the first."""


class Weld(ClosureBase, total=False):
    """Close a loop by holding two frames together in place and turn."""

    kind: Required[Literal["weld"]]
    """Kind ("weld"): Two frames as one."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame in one segment."""
    b: Required[FrameRef | _geometry.FrameRef]
    """Frame B (required): Frame in the other segment, in the place of A."""


class PointOnCurve(Element, total=False):
    """Keep a point of a segment, or a roller about it, on a curve of another: a cam, a slot.

    The curve is a smooth one through points in the x-y plane of frame A (cubics that meet without a jump in slope or
    curvature). How far along it the point stands follows continuously from where it is nearest at the start. Beyond the
    ends of an open curve it goes straight on, and the run's log says so.
    """

    kind: Required[Literal["point_on_curve"]]
    """Kind ("point_on_curve"): A point on a curve."""
    a: Required[FrameRef | _geometry.FrameRef]
    """Frame A (required): Frame in whose x-y plane the curve lies: that of the cam."""
    b: Required[PointRef | _geometry.PointRef]
    """Point B (required): Point that follows it: the middle of a roller."""
    x_m: Required[Numbers]
    """x (m, at least 3 entries, required): Of points of the curve, in its order."""
    y_m: Required[Numbers]
    """y (m, at least 3 entries, required): Of the same points."""
    closed: bool
    """Closed (true): Whether the curve goes from its last point to its first."""
    radius_m: float
    """Roller radius (m, ≥ 0, 0.0): Of a roller about point B; 0: the point itself."""
    side: Literal["right", "left"]
    """Side ("right"): Side on which the roller lies, seen along the curve with z up; of a closed curve whose points go round from x to y right is outside. For a point the side to which a load above zero pushes it."""
    across: Rest
    """Across ("held"): Whether the point is kept in the curve's plane, too."""
    near_m: float | None
    """Starts near (m, none): Length along the curve, by straight lines between its points, near which the point starts; none: where the curve comes nearest."""


AxisName: TypeAlias = Literal["x", "y", "z"]
