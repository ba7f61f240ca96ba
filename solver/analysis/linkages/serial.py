"""A chain of joints from one segment to a point of another, for many poses at once.

Coordinates are those of the joints, but of a ball: it has the azimuth of its bend, the bend as a part of what
its stops leave towards there, and its twist, so that bounds of all are numbers. Each lies between the ends of its
range, where the stops of its joint begin (`solver.project.ranges`).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.engine.maths.rotation import Array, from_angles
from solver.project.angles import bend_and_twist
from solver.project.document import Project
from solver.project.geometry import PointRef
from solver.project.joint_table import axes_of, ball_of, carrying, contour_of, row_of, slides_of
from solver.project.joints import Joint, Lock
from solver.project.pose import turn
from solver.project.posing import angles_of
from solver.project.problems import did_you_mean
from solver.project.ranges import Range, bends, ranges_of, twists
from solver.project.segments import GROUND

AZIMUTHS = 361
"""Azimuths at which the stops of a ball are looked up; between them straight lines."""


class LinkageError(Refusal, ValueError):
    """Say in one sentence why chains or loops cannot be gone through."""

    __module__ = "manikin"


@dataclass(frozen=True, slots=True)
class Bound:
    """Name a coordinate, and say between which values it goes (rad or m); `part` is one of a range by azimuth."""

    joint: str
    name: str
    low: float
    high: float
    turns: bool

    @property
    def label(self) -> str:
        """The name that is told: `elbow.angle`."""
        return f"{self.joint}.{self.name}"


@dataclass(frozen=True, slots=True)
class _Fixed:
    R: Array
    p: Array

    @property
    def is_straight(self) -> bool:
        """Whether it turns nothing."""
        return np.array_equal(self.R, np.eye(3))


@dataclass(frozen=True, slots=True)
class _Move:
    axis: int
    turns: bool


@dataclass(frozen=True, slots=True)
class _Bend:
    """A bend by parts of its room: number of its azimuth, of its part, and of its twist if that counts back."""

    azimuth: int
    part: int
    twist: int | None
    room: Array
    offset: float


class Serial:
    """Place a point of a segment in the axes of the segment from which its chain starts."""

    def __init__(
        self,
        project: Project,
        point: PointRef,
        joints: Sequence[str] = (),
        ranges: Mapping[str, tuple[float, float]] | None = None,
    ) -> None:
        self.project, self.point = project, point
        self._wanted = dict(ranges or {})
        chain = _chain(project, point, joints)
        self._open = set(joints) or {joint.id for joint in chain}
        self.base, self.joints = chain[0].parent, tuple(joint.id for joint in chain)
        self._steps: list[_Fixed | _Move] = []
        self._bounds: list[Bound] = []
        self._bends: list[_Bend] = []
        self.notes: list[Sentence] = []
        start = list[float]()
        for joint in chain:
            frames = joint.parent_frame, joint.child_frame
            out, back = (turn(one.orientation) for one in frames)
            self._steps.append(_Fixed(out, np.array(frames[0].position_m)))
            start += self._joint(joint)
            self._steps.append(_Fixed(back.T, -back.T @ np.array(frames[1].position_m)))
        if self._wanted:
            known = [one.label for one in self._bounds]
            name = next(iter(self._wanted))
            raise LinkageError(
                "'{name}' is no coordinate of this chain; it has {known}. {hint}",
                name=name, known=", ".join(known), hint=did_you_mean(name, known) or Sentence(""),
            )  # fmt: skip
        self.bounds = tuple(self._bounds)
        self.start = np.array(start)
        self.low = np.array([one.low for one in self.bounds])
        self.high = np.array([one.high for one in self.bounds])
        if not (self.low < self.high).any():
            raise LinkageError(
                "Nothing between '{base}' and '{segment}' is free to move.",
                base=self.base, segment=point.segment,
            )  # fmt: skip
        self.start = np.clip(self.start, self.low, self.high)

    def _joint(self, joint: Joint) -> list[float]:
        row, now = row_of(joint), angles_of(self.project, joint.id)
        known = ranges_of(self.project, joint, now)
        locked = _locked(joint)
        ball = row.acts == "ball"
        start = list[float]()
        for freedom, value in zip(row.freedoms, now, strict=True):
            turns = freedom in row.turns
            self._steps.append(_Move("xyz".index(freedom.axis), turns))
            if ball and turns:
                continue
            is_held = joint.id not in self._open or freedom.name in locked
            given = (value, value) if is_held else self._range(joint, freedom.name, known[freedom.name], turns)  # fmt: skip
            self._bounds.append(Bound(joint.id, freedom.name, *given, turns))
            start.append(value)
        if ball:
            # a ball turns about z, y and x: here about z, y and z
            self._steps[-1] = _Move(2, turns=True)
            is_held = joint.id not in self._open or "turns" in locked
            start += self._ball(joint, from_angles(row.turned(now), row.order), is_held)
        elif contour_of(joint) is not None and joint.id in self._open:
            start[1] = self._contour(joint, len(self._bounds) - len(now), now)
        return start

    def _range(self, joint: Joint, name: str, known: Range, turns: bool) -> tuple[float, float]:
        label = f"{joint.id}.{name}"
        given = self._wanted.pop(label, None)
        if given is not None:
            if not (math.isfinite(given[0]) and math.isfinite(given[1]) and given[0] <= given[1]):
                raise LinkageError("The range of '{label}' is no range.", label=label)
            return given
        low, high = known.low, known.high
        if known.is_resisted:
            low, high = known.least, known.most
            self.notes.append(
                Sentence("'{label}' is resisted from the first: it is let go as far as its curve goes.", label=label)
            )  # fmt: skip
        if turns:
            # beyond a turn there is nothing new
            return (-math.inf, math.inf) if high - low >= 2.0 * math.pi else (low, high)
        if not (math.isfinite(low) and math.isfinite(high)):
            raise LinkageError(
                "Nothing stops '{label}', which slides: say between which values it goes.",
                label=label,
            )
        return low, high

    def _room(self, joint: Joint) -> Array:
        """How far a bend goes towards azimuths all round."""
        azimuths = np.linspace(0.0, 2.0 * math.pi, AZIMUTHS)
        begin, end = bends(self.project, joint, azimuths)
        given = self._wanted.pop(f"{joint.id}.flexure", None)
        if given is not None:
            return np.full(AZIMUTHS, float(np.clip(given[1], 0.0, math.pi)))
        if (begin < 1e-6).all():
            begin = end
            self.notes.append(
                Sentence("'{label}' is resisted from the first: it is let go as far as its curve goes.", label=f"{joint.id}.flexure")
            )  # fmt: skip
        return np.clip(begin, 0.0, math.pi)

    def _ball(self, joint: Joint, R_PC: Array, is_held: bool) -> list[float]:
        bend, twist, axis = bend_and_twist(R_PC)
        azimuth = math.atan2(-axis[0], axis[1])
        first = len(self._bounds)
        room = np.full(AZIMUTHS, math.pi) if is_held else self._room(joint)
        part = bend / max(_at(room, azimuth), 1e-9)
        if is_held:
            ends = ((azimuth, azimuth), (part, part), (twist, twist))
        else:
            low, high = self._range(joint, "torsion", twists(self.project, joint), turns=True)
            ends = ((-math.inf, math.inf), (0.0, 1.0), (low, high))
        for name, (least, most), turns in zip(
            ("azimuth", "bend", "torsion"), ends, (True, False, True), strict=True
        ):
            self._bounds.append(Bound(joint.id, name, least, most, turns))
        self._bends.append(_Bend(first, first + 1, first + 2, room, 0.0))
        return [azimuth, part, twist]

    def _contour(self, joint: Joint, first: int, now: Sequence[float]) -> float:
        """Let the nutation of an Euler joint go to its contour: it leans a quarter turn behind its precession."""
        old = self._bounds[first + 1]
        self._bounds[first + 1] = Bound(joint.id, "nutation", 0.0, 1.0, turns=False)
        room = np.minimum(self._room(joint), old.high if math.isfinite(old.high) else math.pi)
        self._bends.append(_Bend(first, first + 1, None, room, -0.5 * math.pi))
        return now[1] / max(_at(room, now[0] - 0.5 * math.pi), 1e-9)

    def moves(self, u: Array) -> tuple[Array, Array]:
        """What the joints do (B, n) for coordinates, and how it changes with them (B, n, n)."""
        w = u.copy()
        slopes = np.zeros((len(u), u.shape[1], u.shape[1]))
        slopes[:, range(u.shape[1]), range(u.shape[1])] = 1.0
        step = 2.0 * math.pi / (AZIMUTHS - 1)
        for one in self._bends:
            at = (u[:, one.azimuth] + one.offset) % (2.0 * math.pi) / step
            i = np.minimum(at.astype(np.int64), AZIMUTHS - 2)
            rise = one.room[i + 1] - one.room[i]
            room = one.room[i] + (at - i) * rise
            w[:, one.part] = u[:, one.part] * room
            slopes[:, one.part, one.part] = room
            slopes[:, one.part, one.azimuth] = u[:, one.part] * rise / step
            if one.twist is not None:
                w[:, one.twist] = u[:, one.twist] - u[:, one.azimuth]
                slopes[:, one.twist, one.azimuth] = -1.0
        return w, slopes

    def places(self, u: Array) -> Array:
        """Where the point is (B, 3), in the axes of the base segment."""
        return self._through(self.moves(u)[0], with_slopes=False)[..., 0].T

    def places_and_slopes(self, u: Array) -> tuple[Array, Array]:
        """Where the point is (B, 3), and how that changes with the coordinates (B, 3, n)."""
        w, slopes = self.moves(u)
        found = self._through(w, with_slopes=True)
        J = np.moveaxis(found[..., :0:-1], 0, 1)
        return found[..., 0].T, J @ slopes if self._bends else J

    def _through(self, w: Array, *, with_slopes: bool) -> Array:
        """Go from the point to the base: the point and its slopes, the last joint's first (3, B, 1 + n), in the axes met on the way."""
        count, n = w.shape
        P = np.zeros((3, count, 1 + n * with_slopes))
        P[..., 0] = np.array(self.point.position_m)[:, None]
        k, seen = n, 1
        for step in reversed(self._steps):
            Q = P[..., :seen]
            if isinstance(step, _Fixed):
                if not step.is_straight:
                    Q[:] = (step.R @ Q.reshape(3, -1)).reshape(Q.shape)
                Q[..., 0] += step.p[:, None]
                continue
            k -= 1
            a, b, c = step.axis, (step.axis + 1) % 3, (step.axis + 2) % 3
            if step.turns:
                cos, sin = np.cos(w[:, k, None]), np.sin(w[:, k, None])
                Q[b], Q[c] = cos * Q[b] - sin * Q[c], sin * Q[b] + cos * Q[c]
                if with_slopes:
                    P[b, :, seen], P[c, :, seen] = -P[c, :, 0], P[b, :, 0]
            else:
                P[a, :, 0] += w[:, k]
                if with_slopes:
                    P[a, :, seen] = 1.0
            seen += with_slopes
        return P


def _at(room: Array, azimuth: float) -> float:
    return float(np.interp(azimuth % (2.0 * math.pi), np.linspace(0.0, 2.0 * math.pi, AZIMUTHS), room))  # fmt: skip


def _locked(joint: Joint) -> set[str]:
    """Name what locks hold that never open; of a ball all that turns."""
    held = {
        slide.name
        for slide, law in slides_of(joint)
        if law.locked and law.release_below_n is None and law.release_above_n is None
    }
    held |= {axis.turn.name for axis in axes_of(joint) if _stays(axis.lock)}
    ball = ball_of(joint)
    return held | ({"turns"} if ball is not None and _stays(ball.lock) else set())


def _stays(lock: Lock) -> bool:
    return lock.locked and lock.unlock_torque_nm is None


def _chain(project: Project, point: PointRef, joints: Sequence[str]) -> list[Joint]:
    """The joints from the base to the point: those that are named with all between them, else those of the limb."""
    carried = {joint.child: joint for joint in carrying(project.joints)}
    known = [one.id for one in project.segments]
    if point.segment not in known:
        raise LinkageError(
            "There is no segment '{name}' that could reach. {hint}",
            name=point.segment, hint=did_you_mean(point.segment, known) or Sentence(""),
        )  # fmt: skip
    way = list(_above(carried, point.segment))
    names = {joint.id for joint in way}
    for name in joints:
        if name not in names:
            raise LinkageError(
                "'{joint}' is no joint that carries '{segment}'.", joint=name, segment=point.segment
            )
    if joints:
        last = max(n for n, joint in enumerate(way) if joint.id in joints)
        way = way[: last + 1]
    else:
        way = way[: _limb(carried, way)]
    if not way:
        raise LinkageError(
            "No joint carries '{segment}': it reaches nothing.", segment=point.segment
        )
    return way[::-1]


def limb_of(project: Project, point: PointRef) -> tuple[str, ...]:
    """Name the joints of the limb that carries a point, from the trunk on."""
    return tuple(joint.id for joint in _chain(project, point, ()))


def _above(carried: Mapping[str, Joint], segment: str) -> Iterator[Joint]:
    while segment in carried:
        yield carried[segment]
        segment = carried[segment].parent


def _limb(carried: Mapping[str, Joint], way: Sequence[Joint]) -> int:
    """Count the joints up to the trunk: a segment that carries more than one other, or the root."""
    carries: dict[str, int] = {}
    for joint in carried.values():
        carries[joint.parent] = carries.get(joint.parent, 0) + 1
    for n, joint in enumerate(way):
        if joint.parent == GROUND or carries[joint.parent] > 1:
            return n + 1
    return len(way)
