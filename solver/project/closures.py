"""Closures of loops: lines, planes and axes that hold a point or a frame, and curves that a point follows."""

from __future__ import annotations

from functools import lru_cache
from typing import Any, ClassVar, Literal, NamedTuple

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.fields import (
    REQUIRED,
    Element,
    Flag,
    Number,
    Numbers,
    choice,
    number,
)
from solver.project.geometry import FrameRef, PointRef

AxisName = Literal["x", "y", "z"]
TurnsHeld = Literal["free", "parallel", "alike", "crossed"]
"""How a frame is turned: as it likes, axes along each other, not at all, x of A square to y of B."""


def _axis(default: AxisName, help_: str) -> Any:
    return choice(default, "Axis", help_)


def _frame(help_: str) -> Any:
    return choice(REQUIRED, "Frame A", help_)


FIRST_AXIS = {"x": (1, 2, 0), "y": (2, 0, 1), "z": (0, 1, 2)}
"""Axes of a frame in the order in which the one that is meant comes last."""


class ClosureBase(Element):
    """Hold what all closures by frames share."""

    breakage: ClassVar[None] = None
    ways: ClassVar[str]
    """Which components of B's place are held: "u" and "v" across the axis, "w" along it."""
    turns: ClassVar[TurnsHeld]

    @property
    def row_names(self) -> tuple[str, ...]:
        """Name its rows of constraint, in their order."""
        along = {"u": "across, 1", "v": "across, 2", "w": "along"}
        turned = {
            "free": (),
            "parallel": ("tilt, 1", "tilt, 2"),
            "alike": ("tilt, 1", "tilt, 2", "turn"),
            "crossed": ("cross",),
        }
        return (*(along[way] for way in self.ways), *turned[self.turns])


class PointOnLine(ClosureBase):
    """Keep a point of a segment on a straight line of another."""

    ways, turns = "uv", "free"
    kind: Literal["point_on_line"] = choice("point_on_line", "Kind", "A point on a line.")
    a: FrameRef = _frame("Frame whose axis is the line; it goes on beyond all ends.")
    b: PointRef = choice(REQUIRED, "Point B", "Point that stays on it.")
    axis: AxisName = _axis("z", "Axis of frame A that is the line.")


class PointOnPlane(ClosureBase):
    """Keep a point of a segment on a plane of another."""

    ways, turns = "w", "free"
    kind: Literal["point_on_plane"] = choice("point_on_plane", "Kind", "A point on a plane.")
    a: FrameRef = _frame("Frame whose origin lies in the plane; it goes on beyond all ends.")
    b: PointRef = choice(REQUIRED, "Point B", "Point that stays on it.")
    axis: AxisName = _axis("z", "Axis of frame A that stands square on the plane.")


class ParallelAxes(ClosureBase):
    """Keep an axis of a segment parallel to an axis of another; places stay free."""

    ways, turns = "", "parallel"
    kind: Literal["parallel_axes"] = choice("parallel_axes", "Kind", "Two axes in one direction.")
    a: FrameRef = _frame("Frame of the first axis.")
    b: FrameRef = choice(REQUIRED, "Frame B", "Frame of the second axis.")
    axis: AxisName = _axis("z", "Axis of both frames that is meant.")


class Revolute(ClosureBase):
    """Close a loop as a pin joint does: one place, one axis, about which both turn."""

    ways, turns = "uvw", "parallel"
    kind: Literal["revolute"] = choice("revolute", "Kind", "A pin that closes a loop.")
    a: FrameRef = _frame("Frame of the pin in one segment.")
    b: FrameRef = choice(REQUIRED, "Frame B", "Frame of the pin in the other segment.")
    axis: AxisName = _axis("y", "Axis of both frames about which they turn; y as in pin joints.")


class Cylindrical(ClosureBase):
    """Close a loop by one axis, about which both turn and along which they slide."""

    ways, turns = "uv", "parallel"
    kind: Literal["cylindrical"] = choice("cylindrical", "Kind", "A rod in a bore.")
    a: FrameRef = _frame("Frame of the axis in one segment.")
    b: FrameRef = choice(REQUIRED, "Frame B", "Frame of the axis in the other segment.")
    axis: AxisName = _axis("z", "Axis of both frames along which they slide; z as in slip joints.")


class Prismatic(ClosureBase):
    """Close a loop by a slide that does not turn."""

    ways, turns = "uv", "alike"
    kind: Literal["prismatic"] = choice("prismatic", "Kind", "A slide that closes a loop.")
    a: FrameRef = _frame("Frame of the slide in one segment.")
    b: FrameRef = choice(
        REQUIRED, "Frame B", "Frame of the slide in the other segment, with the axes of A."
    )
    axis: AxisName = _axis("z", "Axis of both frames along which they slide; z as in slip joints.")


class UniversalClosure(ClosureBase):
    """Close a loop as a universal joint does: one place, and no turn about the third axis."""

    ways, turns = "uvw", "crossed"
    kind: Literal["universal_closure"] = choice(
        "universal_closure", "Kind", "A cross that closes a loop: a ball whose twist is locked."
    )
    a: FrameRef = _frame("Frame of the cross; its x is the first axis.")
    b: FrameRef = choice(
        REQUIRED, "Frame B", "Frame of the cross; its y is the second axis, square to the first."
    )

    @property
    def axis(self) -> AxisName:
        """The axis about which neither turns against the other while both lie straight."""
        return "z"


class Weld(ClosureBase):
    """Close a loop by holding two frames together in place and turn."""

    ways, turns = "uvw", "alike"
    kind: Literal["weld"] = choice("weld", "Kind", "Two frames as one.")
    a: FrameRef = _frame("Frame in one segment.")
    b: FrameRef = choice(REQUIRED, "Frame B", "Frame in the other segment, in the place of A.")

    @property
    def axis(self) -> AxisName:
        """Any one."""
        return "z"


CLOSURES = (
    PointOnLine, PointOnPlane, ParallelAxes, Revolute, Cylindrical, Prismatic, UniversalClosure, Weld,
)  # fmt: skip


class PointOnCurve(Element):
    """Keep a point of a segment, or a roller about it, on a curve of another: a cam, a slot.

    The curve is a smooth one through points in the x-y plane of frame A (cubics that meet without a jump in slope or
    curvature). How far along it the point stands follows continuously from where it is nearest at the start. Beyond the
    ends of an open curve it goes straight on, and the run's log says so.
    """

    breakage: ClassVar[None] = None
    kind: Literal["point_on_curve"] = choice("point_on_curve", "Kind", "A point on a curve.")
    a: FrameRef = _frame("Frame in whose x-y plane the curve lies: that of the cam.")
    b: PointRef = choice(REQUIRED, "Point B", "Point that follows it: the middle of a roller.")
    x_m: Numbers = number(
        REQUIRED, "m", "x", "Of points of the curve, in its order.", min_length=3, max_length=10_000
    )
    y_m: Numbers = number(
        REQUIRED, "m", "y", "Of the same points.", min_length=3, max_length=10_000
    )
    closed: Flag = choice(
        True, "Closed", "Whether the curve goes from its last point to its first."
    )
    radius_m: Number = number(
        0.0, "m", "Roller radius", "Of a roller about point B; 0: the point itself.", ge=0
    )
    side: Literal["right", "left"] = choice(
        "right",
        "Side",
        "Side on which the roller lies, seen along the curve with z up; of a closed curve whose points go round from x to "
        "y right is outside. For a point the side to which a load above zero pushes it.",
    )
    across: Literal["held", "free"] = choice(
        "held", "Across", "Whether the point is kept in the curve's plane, too."
    )
    near_m: Number | None = number(
        None,
        "m",
        "Starts near",
        "Length along the curve, by straight lines between its points, near which the point starts; none: where the curve "
        "comes nearest.",
    )

    @property
    def row_names(self) -> tuple[str, ...]:
        """Name its rows of constraint, in their order."""
        return ("normal", "across") if self.across == "held" else ("normal",)

    @property
    def sign(self) -> float:
        """Which side the roller is on."""
        return 1.0 if self.side == "right" else -1.0


class Curve(NamedTuple):
    """A curve by its knots, and coefficients of x and y (n - 1, 8) by the way from each."""

    knot: Array
    poly: Array

    def at(self, s: Array) -> tuple[Array, Array, Array]:
        """Give place, slope and second derivative (n, 2) at ways along it, within its ends."""
        k = np.clip(np.searchsorted(self.knot, s, side="right") - 1, 0, len(self.poly) - 1)
        u, c = (s - self.knot[k])[:, None], self.poly[k].reshape(-1, 2, 4)
        place = c[..., 0] + u * (c[..., 1] + u * (c[..., 2] + u * c[..., 3]))
        slope = c[..., 1] + u * (2.0 * c[..., 2] + u * 3.0 * c[..., 3])
        return place, slope, 2.0 * c[..., 2] + 6.0 * u * c[..., 3]


FINE = 8
"""Parts in which each interval of a curve is looked at and drawn."""


def curve_of(item: PointOnCurve) -> Curve | None:
    """Give a constraint's curve; None where its points are not sound."""
    return _curve(item.x_m, item.y_m, item.closed)


@lru_cache(maxsize=64)
def _curve(x: tuple[float, ...], y: tuple[float, ...], closed: bool) -> Curve | None:
    if len(x) != len(y) or len(x) < 3:
        return None
    points = np.array([x, y]).T
    if closed:
        points = np.concatenate([points, points[:1]])
    steps = np.hypot(*np.diff(points, axis=0).T)
    if not np.all(steps > 0.0):
        return None
    # loaded only where it is needed
    from scipy.interpolate import CubicSpline

    knot = np.concatenate([[0.0], np.cumsum(steps)])
    made = CubicSpline(knot, points, bc_type="periodic" if closed else "not-a-knot").c
    # (4, n, 2), highest power first
    poly = np.ascontiguousarray(made[::-1].transpose(1, 2, 0).reshape(-1, 8))
    return Curve(knot, poly)


def looked_at(curve: Curve) -> Array:
    """Ways along a curve at which it is looked at and drawn."""
    parts = curve.knot[:-1, None] + np.diff(curve.knot)[:, None] * np.arange(FINE) / FINE
    return np.append(parts.ravel(), curve.knot[-1])


def bend_of(curve: Curve, s: Array) -> Array:
    """Give the curvature at ways along it; above zero where it bends to the left."""
    _, d, b = curve.at(s)
    out: Array = (d[:, 0] * b[:, 1] - d[:, 1] * b[:, 0]) / np.hypot(d[:, 0], d[:, 1]) ** 3
    return out


def foot_on(curve: Curve, point: Array, s: float, closed: bool) -> float:
    """Find a point's foot on a curve from one nearby, by Newton; on an open one no further than its ends."""
    whole = float(curve.knot[-1])
    for _ in range(50):
        place, slope, bend = (one[0] for one in curve.at(np.array([s % whole if closed else s])))
        away = point[:2] - place
        speed = float(slope @ slope)
        falls = speed - float(away @ bend)
        step = float(away @ slope) / (falls if falls > 0.01 * speed else speed)
        before, s = s, s + min(max(step, -0.05 * whole), 0.05 * whole)
        s = s if closed else min(max(s, 0.0), whole)
        if abs(s - before) <= 1e-14 * whole:
            break
    return s % whole if closed else s


def nearest_on(curve: Curve, point: Array, near: float | None) -> float:
    """How far along a curve a point has its foot: of all places the nearest, or the nearest to a guess."""
    s = looked_at(curve)
    away = curve.at(s)[0] - point[:2]
    if near is not None:
        return float(near)
    return float(s[np.argmin(np.einsum("ij,ij->i", away, away))])
