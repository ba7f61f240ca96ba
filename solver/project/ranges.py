"""Say how far a joint goes: where nothing stops a coordinate, where what stops it works, and where that ends.

Springs, functions of slides, contours, and laws of rest and stop on a single axis count. A spring that is
linear alone, friction, muscles and actuators stop nothing.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.angles import TURN, limit_of, stop_angles
from solver.project.azimuths import FlexureTable, GlobographicStop
from solver.project.coordinate_forces import RestResistance, StopResistance
from solver.project.coordinates import JointCoordinate
from solver.project.document import Project
from solver.project.forms import samples, value_at
from solver.project.joint_table import axes_of, ball_of, contour_of, law_axes, row_of, slides_of
from solver.project.joints import ExtensionalJoint, Joint, Spring

Where = Literal["free", "stop", "beyond"]

_SAME = 1e-6
"""Values (rad, m) that are no farther apart are one."""
_NOTHING = 1e-9
"""Of a function's largest value: below it the function is zero."""
_STEP, _HALVINGS = 1e-4, 40
"""Of azimuths (rad), to find how a contour slopes; and how often an end beyond it is halved."""


@dataclass(frozen=True, slots=True)
class Range:
    """Hold where a coordinate (rad or m) is free, and where what stops it ends; infinite where nothing does.

    What begins at once on both sides, as a spring by a function does, leaves no free range.
    """

    low: float = -math.inf
    high: float = math.inf
    least: float = -math.inf
    most: float = math.inf

    @property
    def is_free(self) -> bool:
        """Whether nothing stops it at all."""
        return math.isinf(self.low) and math.isinf(self.high)

    @property
    def is_resisted(self) -> bool:
        """Whether it is resisted from the first, so that there is no stop to be met."""
        return self.high - self.low < _SAME

    def where(self, value: float) -> Where:
        """Tell where a value is; one that is resisted from the first is in no stop."""
        if not self.least - _SAME <= value <= self.most + _SAME:
            return "beyond"
        met = not self.low - _SAME <= value <= self.high + _SAME
        return "stop" if met and not self.is_resisted else "free"

    def and_(self, other: Range) -> Range:
        """What two laws on one coordinate leave together: each side is the nearer one's."""
        return Range(
            max(self.low, other.low),
            min(self.high, other.high),
            max(self.least, other.least),
            min(self.most, other.most),
        )

    def about(self, centre: float) -> Range:
        """The range of what is counted from a centre."""
        return Range(*(centre + one for one in (self.low, self.high, self.least, self.most)))


def ranges_of(project: Project, joint: Joint, start: tuple[float, ...]) -> dict[str, Range]:
    """Give the range of each coordinate by its name, of a joint that starts with these values.

    The turns of a ball have none of their own: see `bends` and `twists`.
    """
    row = row_of(joint)
    at_start = dict(zip((one.name for one in row.freedoms), start, strict=True))
    found = {one.name: Range() for one in row.freedoms}
    for axis in axes_of(joint):
        found[axis.turn.name] = spring_range(project, axis.spring).about(axis.centre_rad)
    for slide, law in slides_of(joint):
        rest = 0.0
        if isinstance(joint, ExtensionalJoint):
            rest = joint.rest_length_m if joint.rest_length_m is not None else at_start[slide.name]
        found[slide.name] = function_range(project, law.force).about(rest)
    for name in set(law_axes(joint)) & set(found):
        for one in _on_axis(project, joint, name, at_start[name]):
            found[name] = found[name].and_(one)
    return found


def spring_range(project: Project, spring: Spring) -> Range:
    """The range that a spring leaves: to its stop, or to where its function begins."""
    if spring.torque is not None:
        return function_range(project, spring.torque)
    limit = limit_of(spring)
    return Range(-limit, limit)


def function_range(project: Project, function: str | None) -> Range:
    """Where a function of a coordinate is zero about nothing, and where it ends.

    As in the engine, one that says nothing of arguments below zero holds for both sides.
    """
    above, most = _begins(project, function, 1.0)
    below, least = _begins(project, function, -1.0)
    return Range(-below, above, -least, most)


def bends(project: Project, joint: Joint, azimuths: Array) -> tuple[Array, Array]:
    """The flexure (rad) at which a ball's stops begin towards azimuths (rad), and at which they end.

    Between two azimuths of a table the moment begins where the first of both curves does, and ends where the
    last does; the little that smoothing takes from the next ones is left out.
    """
    begin, end = np.full(len(azimuths), math.inf), np.full(len(azimuths), math.inf)
    ball, contour = ball_of(joint), contour_of(joint)
    if ball is not None:
        free = spring_range(project, ball.flexure)
        begin[:], end[:] = free.high, free.most
        if ball.by_azimuth is not None:
            starts, ends = _of_table(project, ball.by_azimuth, azimuths)
            begin, end = np.minimum(begin, starts), np.minimum(end, ends)
    if contour is not None:
        starts, ends = _of_contour(project, contour, azimuths)
        begin, end = np.minimum(begin, starts), np.minimum(end, ends)
    return begin, end


def bend_range(project: Project, joint: Joint, azimuth: float) -> Range:
    """The range of flexure, which is never below zero, towards one azimuth."""
    begin, end = bends(project, joint, np.array([azimuth]))
    return Range(0.0, float(begin[0]), 0.0, float(end[0]))


def twists(project: Project, joint: Joint) -> Range:
    """The range of a ball's torsion."""
    ball = ball_of(joint)
    return Range() if ball is None else spring_range(project, ball.torsion)


def _begins(project: Project, function: str | None, side: float) -> tuple[float, float]:
    """How far from zero a function's values begin on one side, and how far it goes."""
    form = next((one.form for one in project.functions if one.id == function), None)
    x, y = (np.zeros(0), np.zeros(0)) if form is None else samples(form)
    if form is None or not len(x):
        return math.inf, math.inf
    if side < 0.0 and x[0] < 0.0:
        x, y = -x[::-1], y[::-1]
    level = np.abs([value_at(form, 0.0) or 0.0, *y[x > 0.0]])
    way = np.array([0.0, *x[x > 0.0]])
    acts = np.flatnonzero(level > _NOTHING * np.abs(y).max(initial=0.0))
    if not len(acts):
        return math.inf, math.inf
    # it rises from the sample before the first that is not zero
    return float(way[max(int(acts[0]) - 1, 0)]), float(way[-1]) if len(way) > 1 else math.inf


def _on_axis(project: Project, joint: Joint, axis: str, start: float) -> Iterator[Range]:
    """What laws on one coordinate leave."""
    for force in project.coordinate_forces:
        on = force.coordinate
        if not isinstance(on, JointCoordinate) or (on.joint, on.axis) != (joint.id, axis):
            continue
        zero = start if force.zero is None else force.zero
        for law in force.laws:
            if isinstance(law, StopResistance | RestResistance):
                yield _sided(project, law, force.side).about(zero)


def _sided(project: Project, law: StopResistance | RestResistance, side: str) -> Range:
    """Give what is left by a law that loads by a curve to each side of its limits, or of a place of rest."""
    if isinstance(law, RestResistance):
        lower: float | None = law.at
        upper: float | None = law.at
    else:
        lower, upper = law.lower, law.upper
    low, least, high, most = -math.inf, -math.inf, math.inf, math.inf
    if upper is not None and side != "below":
        begin, end = _begins(project, law.above, 1.0)
        high, most = upper + begin, upper + end
    if lower is not None and side != "above":
        begin, end = _begins(project, law.above if law.below is None else law.below, 1.0)
        low, least = lower - begin, lower - end
    return Range(low, high, least, most)


def _of_table(project: Project, table: FlexureTable, azimuths: Array) -> tuple[Array, Array]:
    known = np.array([_begins(project, one.torque, 1.0) for one in table.around])
    first = table.around[0].azimuth_rad
    at = np.array([one.azimuth_rad - first for one in table.around])
    off = (azimuths - first + _SAME) % TURN
    before = np.searchsorted(at, off, side="right") - 1
    # at an azimuth of the table its own curve acts alone
    after = np.where(off - at[before] < 2.0 * _SAME, before, (before + 1) % len(at))
    both = known[np.stack([before, after])]
    return both[..., 0].min(axis=0), both[..., 1].max(axis=0)


def _of_contour(project: Project, stop: GlobographicStop, azimuths: Array) -> tuple[Array, Array]:
    """Where a contour lies and where the torque beyond it ends.

    Its argument is the depth (theta - limit) sin(theta) / sqrt(sin(theta)^2 + slope^2) (section 6.2.6).
    """
    limit = stop_angles(project, stop.contour, azimuths)
    nothing = np.full(len(azimuths), math.inf)
    if not len(limit):
        return nothing, nothing
    begin, end = _begins(project, stop.torque, 1.0)
    if math.isinf(begin):
        return nothing, nothing
    ahead, behind = (stop_angles(project, stop.contour, azimuths + d) for d in (_STEP, -_STEP))
    slope = (ahead - behind) / (2.0 * _STEP)

    def beyond(depth: float) -> Array:
        low, high = limit.copy(), np.full(len(limit), math.pi)
        for _ in range(_HALVINGS):
            middle = 0.5 * (low + high)
            sine = np.sin(middle)
            is_less = (middle - limit) * sine < depth * np.hypot(sine, slope)
            low, high = np.where(is_less, middle, low), np.where(is_less, high, middle)
        out: Array = low
        return out

    return (beyond(begin) if begin else limit), (nothing if math.isinf(end) else beyond(end))
