"""Make lines into arrays, and lay them in a pose: how long they are, and where they run."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any

import numpy as np

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.forces.coordinates import obstacles
from solver.engine.forces.coordinates.paths import Paths, laid
from solver.model.arrays import FAR, reals, wholes
from solver.model.functions import Numbered
from solver.project.coordinates import (
    AnyObstacle,
    CylinderObstacle,
    DistanceCoordinate,
    EllipsoidObstacle,
    JointCoordinate,
    SphereObstacle,
)
from solver.project.document import Project
from solver.project.joint_table import driven_axes
from solver.project.pose import Placed, turn
from solver.project.posing import angles_of

KINDS = {
    SphereObstacle: obstacles.SPHERE, CylinderObstacle: obstacles.CYLINDER, EllipsoidObstacle: obstacles.ELLIPSOID,
}  # fmt: skip
LEAST_KNOTS = 4


@dataclass
class PathRows:
    """Gather points and obstacles of lines; says where a segment's point is, and the entries of q and v of an axis."""

    on: Callable[[str, Sequence[float]], tuple[int, Array]]
    axis: Callable[[JointCoordinate], tuple[int, int]]
    functions: Numbered
    first: list[int] = field(default_factory=lambda: [0])
    points: list[tuple[int, Array, tuple[int, float, float]]] = field(default_factory=list)
    moved_first: list[int] = field(default_factory=lambda: [0])
    moves: list[tuple[int, int, int, int]] = field(default_factory=list)
    over_first: list[int] = field(default_factory=lambda: [0])
    over: list[tuple[Any, ...]] = field(default_factory=list)
    again: list[int] = field(default_factory=list)

    def add(self, at: object) -> None:
        """Add the line of a coordinate; of one that is no distance no rows."""
        given, begin = list[AnyObstacle](), len(self.points)
        if isinstance(at, DistanceCoordinate):
            for point in at.points:
                gate = (-1, 0.0, 0.0)
                if point.only is not None:
                    low, high = point.only.lower, point.only.upper
                    gate = (self.axis(point.only.coordinate)[0], -FAR if low is None else low, FAR if high is None else high)  # fmt: skip
                self.points.append((*self.on(point.segment, point.position_m), gate))
                for move in point.moves:
                    curve = self.functions.number(move.function)
                    self.moves.append(("xyz".index(move.axis), *self.axis(move.coordinate), curve))
                self.moved_first.append(len(self.moves))
            given = list(at.over)
            for one in given:
                self._obstacle(one, begin, len(self.points) - 1)
        self.first.append(len(self.points))
        self.over_first.append(len(self.over))
        spans = sorted(row[-2:] for row in self.over[self.over_first[-2] :])
        self.again.append(int(any(p[1] > q[0] for p, q in pairwise(spans))))

    def _obstacle(self, one: AnyObstacle, begin: int, last: int) -> None:
        body, at = self.on(one.segment, one.frame.position_m)
        size, half, sided, side = (0.0, 0.0, 0.0), 0.0, 0, np.zeros(3)
        if isinstance(one, EllipsoidObstacle):
            size = one.semi_axes_m
        else:
            size = (one.radius_m,) * 3
            sided = 2 * one.within
            half = 0.5 * ((one.length_m or 0.0) if isinstance(one, CylinderObstacle) else 0.0)
        if one.side_m is not None and not sided:
            sided, side = 1, np.array(one.side_m)
        end = last if one.to_point is None else min(begin + one.to_point, last)
        R = turn(one.frame.orientation).ravel()
        self.over.append((KINDS[type(one)], body, at, R, size, half, side, sided, begin + one.from_point, end))  # fmt: skip

    def arrays(self) -> Paths:
        """All of them."""
        most = max((b - a + 2 * (d - c) for (a, b), (c, d) in zip(pairwise(self.first), pairwise(self.over_first), strict=True)), default=0)  # fmt: skip
        most = max(most, LEAST_KNOTS)
        over = list(zip(*self.over, strict=True)) or [()] * 10
        kind, body, at, R, size, half, side, sided, start, end = over
        return Paths(
            first=wholes(self.first),
            body=wholes(one[0] for one in self.points),
            at=reals((one[1] for one in self.points), 3),
            moved_first=wholes(self.moved_first),
            moved_axis=wholes(one[0] for one in self.moves),
            moved_q=wholes(one[1] for one in self.moves),
            moved_v=wholes(one[2] for one in self.moves),
            moved_curve=wholes(one[3] for one in self.moves),
            moved_way=np.zeros((len(self.moves), 3)),
            gate_q=wholes(one[2][0] for one in self.points),
            gate=reals((one[2][1:] for one in self.points), 2),
            over_first=wholes(self.over_first), over_kind=wholes(kind), over_body=wholes(body),
            over_at=reals(at, 3), over_R=reals(R, 9), over_size=reals(size, 3), over_half=reals(half),
            side=reals(side, 3), sided=wholes(sided), start=wholes(start), end=wholes(end),
            again=wholes(self.again),
            knots=np.zeros(1, np.int64), knot=np.zeros((most, 6)), knot_body=np.zeros(most, np.int64),
            knot_of=np.zeros(most, np.int64), curved=np.zeros(most),
        )  # fmt: skip


# Lines in a pose, without a run.

ARC = math.radians(6.0)
"""Angle between points of a line that is drawn over an obstacle."""


class Courses:
    """Lay the lines of some coordinates in poses of their project."""

    def __init__(self, project: Project, lines: Sequence[DistanceCoordinate]) -> None:
        self.project = project
        self.segments: list[str] = []
        self.axes: list[tuple[str, str]] = []
        functions = Numbered(project)
        rows = PathRows(self._on, self._axis, functions)
        for one in lines:
            rows.add(one)
        self._paths, self._curves = rows.arrays(), functions.curves()
        self._joints = {one.id: one for one in project.joints}

    def _on(self, segment: str, position: Sequence[float]) -> tuple[int, Array]:
        if segment not in self.segments:
            self.segments.append(segment)
        return self.segments.index(segment), np.array(position, float)

    def _axis(self, at: JointCoordinate) -> tuple[int, int]:
        if (at.joint, at.axis) not in self.axes:
            self.axes.append((at.joint, at.axis))
        n = self.axes.index((at.joint, at.axis))
        return n, n

    def needed(self) -> set[str]:
        """The segments whose places in a pose it asks for."""
        joints = [self._joints[name] for name, _ in self.axes]
        return {*self.segments, *(end for one in joints for end in (one.parent, one.child))}

    def laid(self, pose: Mapping[str, Placed]) -> Laid:
        """The lines in a pose."""
        count = len(self.segments)
        motion = Motion(np.zeros((count, 9)), np.zeros((count, 3)), np.zeros((count, 3)), np.zeros((count, 3)))  # fmt: skip
        for n, name in enumerate(self.segments):
            motion.R[n], motion.p[n] = pose[name].R_WS.ravel(), pose[name].p_W
        q = np.zeros(len(self.axes))
        for n, (joint, axis) in enumerate(self.axes):
            values = angles_of(self.project, joint, pose)
            q[n] = values[driven_axes(self._joints[joint]).index(axis)]
        room = {name: getattr(self._paths, name).copy() for name in ("knots", "knot", "knot_body", "knot_of", "curved", "moved_way")}  # fmt: skip
        return Laid(self._paths._replace(**room), self._curves, motion, q)


@dataclass
class Laid:
    """Lines in a pose: lengths and courses by their numbers."""

    paths: Paths
    curves: Any
    motion: Motion
    q: Array

    def length(self, n: int) -> float:
        """How long a line is (m)."""
        return float(laid(self.paths, self.curves, self.motion, self.q, np.zeros_like(self.q), n))

    def course(self, n: int) -> Array:
        """The points of a line, curves over obstacles as short legs (m, ground axes)."""
        self.length(n)
        p, out = self.paths, list[Array]()
        for k in range(int(p.knots[0])):
            out.append(p.knot[k, :3].copy())
            if p.curved[k] > 0.0:
                out += self._over(k)
        return np.array(out).reshape(-1, 3)

    def knots(self, n: int) -> list[tuple[int, Array, bool]]:
        """Bodies by number, places where the line pulls at them, and whether it goes over a surface from there on."""
        self.length(n)
        p = self.paths
        return [(int(p.knot_body[k]), p.knot[k, :3].copy(), bool(p.curved[k] >= 0.0)) for k in range(int(p.knots[0]))]  # fmt: skip

    def _over(self, k: int) -> list[Array]:
        """Places between those where a line comes onto an obstacle and goes off."""
        p = self.paths
        o = -1 - int(p.knot_of[k])
        i, size, kind = int(p.over_body[o]), p.over_size[o], int(p.over_kind[o])
        R = self.motion.R[i].reshape(3, 3) @ p.over_R[o].reshape(3, 3)
        origin = self.motion.p[i] + self.motion.R[i].reshape(3, 3) @ p.over_at[o]
        on, off = (R.T @ (p.knot[m, :3] - origin) / size for m in (k, k + 1))
        come = R.T @ (p.knot[k, :3] - p.knot[k - 1, :3]) / size
        flat = 2 if kind == obstacles.CYLINDER else 3
        u, w = on[:flat] / np.linalg.norm(on[:flat]), come[:flat] - (come[:flat] @ on[:flat]) * on[:flat] / (on[:flat] @ on[:flat])  # fmt: skip
        w = w / max(float(np.linalg.norm(w)), 1e-12)
        angle = math.atan2(float(off[:flat] @ w), float(off[:flat] @ u)) % (2.0 * math.pi)
        if angle > 2.0 * math.pi - 1e-6:
            angle = 0.0
        out, count = list[Array](), math.ceil(angle / ARC)
        for m in range(1, count):
            part = m / count
            place = math.cos(part * angle) * u + math.sin(part * angle) * w
            if flat == 2:
                place = np.array([*place, on[2] + part * (off[2] - on[2])])
            out.append(origin + R @ (place * size))
        return out


def length_of(project: Project, at: DistanceCoordinate, pose: Mapping[str, Placed]) -> float:
    """How long a line is in a pose (m)."""
    if at.is_straight:
        ends = [pose[one.segment].of(one.position_m) for one in (at.a, at.b)]
        return float(np.linalg.norm(ends[1] - ends[0]))
    return Courses(project, [at]).laid(pose).length(0)
