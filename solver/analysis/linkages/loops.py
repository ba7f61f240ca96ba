"""Trees of joints with the loops that constraints close in them, for many poses and many designs at once.

A design gives numbers of joints' frames, of constraints' points and distances, and of markers another value; poses
have the coordinates of joints. Arrays of numbers are (3,) where all designs share them, else (B, 3).
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.linkages.least import Rows, least
from solver.analysis.linkages.serial import LinkageError
from solver.base.words import Sentence
from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.geometry import Frame, PointRef
from solver.project.joint_table import Turn, carrying, row_of
from solver.project.joints import Joint
from solver.project.links import FixedDistance, ZeroDistance
from solver.project.pose import start_pose
from solver.project.posing import angles_of
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND

CLOSED = 1e-9
"""By how much (m) loops may be open in a pose that counts as closed."""

ROOT = (("x", False), ("y", False), ("z", False), ("yaw", True), ("pitch", True), ("roll", True))
"""Coordinates of a root that floats: its mass centre along the ground's axes, then turns about z, y and x."""

Numbers = dict[str, Array]
"""Numbers of a design by their paths."""
Pose = dict[str, tuple[Array, Array]]
"""Turns (B, 3, 3) and places (B, 3) of segments; of one design and pose alone (3, 3) and (3,)."""


@dataclass(frozen=True, slots=True)
class Slot:
    """Say which number of a design a path is: of which array, and which of its three."""

    key: str
    place: int


@dataclass(frozen=True, slots=True)
class Moving:
    """A pose, and of each coordinate how it turns (w), about where (o), and how it shifts (d), ground axes (B, 3)."""

    pose: Pose
    axes: tuple[tuple[Array, Array, Array], ...]


class Loops:
    """Go through the poses of a project's trees, of what carries its constraints and some points."""

    def __init__(
        self, project: Project, points: Mapping[str, PointRef], floating: Sequence[str] = ()
    ) -> None:
        """Go through those that carry constraints and points; roots in `floating` move and turn freely."""
        self.project = project
        self._floating = set(floating)
        self.numbers: Numbers = {}
        self._points = {name: (name, of.segment) for name, of in points.items()}
        for name, of in points.items():
            self.numbers[name] = np.array(of.position_m)
        self._joints = {joint.child: joint for joint in carrying(project.joints)}
        self._start = start_pose(project)
        self._ends = list(self._closures())
        self.order = self._carriers()
        self.coordinates: list[tuple[str, str]] = []
        self.turns: list[bool] = []
        start = list[float]()
        self._first = dict[str, int]()
        for name in self.order:
            if name in self._joints:
                joint = self._joints[name]
                self._first[name] = len(self.coordinates)
                self.coordinates += [(joint.id, one.name) for one in row_of(joint).freedoms]
                self.turns += [isinstance(one, Turn) for one in row_of(joint).freedoms]
                start += angles_of(project, joint.id, self._start)
                for end in ("parent", "child"):
                    frame: Frame = getattr(joint, f"{end}_frame")
                    path = f"joints/{joint.id}/{end}_frame"
                    self.numbers[f"{path}/position_m"] = np.array(frame.position_m)
                    self.numbers[f"{path}/orientation/angles_rad"] = np.array(frame.orientation.angles_rad)  # fmt: skip
            elif name in self._floating:
                self._first[name] = len(self.coordinates)
                self.coordinates += [(name, one) for one, _ in ROOT]
                self.turns += [turns for _, turns in ROOT]
                at = self._start[name]
                start += [*at.p_W, *angles_from(at.R_WS, "zyx")]
        self.start = np.array(start)
        self.above = {name: self._moved_by(name) for name in (*self.order, GROUND)}

    def _closures(self) -> Iterator[tuple[str, str, str, str | None]]:
        """Of each constraint its path, both segments, and the path of its distance where it keeps one."""
        for one in self.project.constraints:
            path = f"constraints/{one.id}"
            if not isinstance(one, ZeroDistance | FixedDistance):
                raise LinkageError(
                    "'{id}' is a constraint that synthesis does not know: only points in one place, or at a distance.",
                    id=one.id,
                )
            self.numbers[f"{path}/a/position_m"] = np.array(one.a.position_m)
            self.numbers[f"{path}/b/position_m"] = np.array(one.b.position_m)
            far = None
            if isinstance(one, FixedDistance):
                far = f"{path}/distance_m"
                a, b = (self._start[p.segment].of(p.position_m) for p in (one.a, one.b))
                held = one.distance_m
                self.numbers[far] = np.array(
                    [float(np.linalg.norm(a - b)) if held is None else held]
                )
            yield path, one.a.segment, one.b.segment, far

    def _carriers(self) -> tuple[str, ...]:
        """Name what carries constraints and points, parents first."""
        order: dict[str, None] = {}
        wanted = [s for _, a, b, _ in self._ends for s in (a, b)]
        for segment in (*wanted, *(s for _, s in self._points.values())):
            way = [segment]
            while way[-1] in self._joints:
                way.append(self._joints[way[-1]].parent)
            order |= dict.fromkeys(reversed(way))
        return tuple(name for name in order if name != GROUND)

    def _moved_by(self, segment: str) -> list[int]:
        """Number the coordinates that move a segment."""
        out = list[int]()
        while segment in self._joints:
            first = self._first[segment]
            out += range(first, first + row_of(self._joints[segment]).coordinates)
            segment = self._joints[segment].parent
        if segment in self._floating:
            out += range(self._first[segment], self._first[segment] + len(ROOT))
        return out

    def slot(self, path: str) -> Slot:
        """The number at a path; LinkageError where it is none of the geometry that is looked at here."""
        path = path.strip("/")
        key, _, last = path.rpartition("/")
        if key in self.numbers and last in ("0", "1", "2"):
            return Slot(key, int(last))
        if path in self.numbers and len(self.numbers[path]) == 1:
            return Slot(path, 0)
        known = [f"{one}/{k}" for one in self.numbers for k in range(len(self.numbers[one]))]
        raise LinkageError(
            "'{path}' is no place or angle of a joint's frame, of a constraint or of the led marker, which synthesis varies. {hint}",
            path=path, hint=did_you_mean(path, known) or Sentence(""),
        )  # fmt: skip

    def design(self, slots: Sequence[Slot], values: Array) -> Numbers:
        """The numbers of designs (B, k): those of the slots by their values, the rest as in the project."""
        out = dict(self.numbers)
        for slot in slots:
            if out[slot.key].ndim == 1:
                out[slot.key] = np.repeat(out[slot.key][None], len(values), axis=0)
        for slot, value in zip(slots, values.T, strict=True):
            out[slot.key][:, slot.place] = value
        return out

    def moving(self, numbers: Numbers, q: Array) -> Moving:
        """Place all segments for coordinates (B, n)."""
        pose: Pose = {GROUND: (np.eye(3), np.zeros(3))}
        axes = list[tuple[Array, Array, Array]]()
        nothing = np.zeros(3)
        for name in self.order:
            if name not in self._joints:
                pose[name] = self._rooted(name, q, axes)
                continue
            joint = self._joints[name]
            R_P, p_P = pose[joint.parent]
            (R_out, at_out), (R_back, at_back) = (
                self._frame(numbers, joint, end) for end in ("parent", "child")
            )
            at = p_P + _times(R_P, at_out)
            R = R_P @ R_out
            first = self._first[name]
            for k, freedom in enumerate(row_of(joint).freedoms):
                value = q[:, first + k]
                along = np.broadcast_to(R[..., :, "xyz".index(freedom.axis)], (len(q), 3))
                if isinstance(freedom, Turn):
                    axes.append((along, at, nothing))
                    R = R @ _turned(freedom.axis, value)
                else:
                    axes.append((nothing, at, along))
                    at = at + value[:, None] * along
            R = R @ np.swapaxes(R_back, -1, -2)
            pose[name] = (R, at - _times(R, at_back))
        return Moving(pose, tuple(axes))

    def _rooted(
        self, name: str, q: Array, axes: list[tuple[Array, Array, Array]]
    ) -> tuple[Array, Array]:
        """Place a root; one that floats by its six coordinates, whose axes are added."""
        if name not in self._floating:
            return self._start[name].R_WS, self._start[name].p_W
        six = q[:, self._first[name] : self._first[name] + len(ROOT)]
        R, at = np.broadcast_to(np.eye(3), (len(q), 3, 3)), six[:, :3]
        nothing = np.zeros(3)
        axes += [(nothing, at, np.broadcast_to(one, (len(q), 3))) for one in np.eye(3)]
        for k, axis in enumerate("zyx"):
            axes.append((R[:, :, "xyz".index(axis)], at, nothing))
            R = R @ _turned(axis, six[:, 3 + k])
        return R, at

    def _frame(self, numbers: Numbers, joint: Joint, end: str) -> tuple[Array, Array]:
        path = f"joints/{joint.id}/{end}_frame"
        angles = numbers[f"{path}/orientation/angles_rad"]
        frame: Frame = getattr(joint, f"{end}_frame")
        R = np.eye(3)
        if angles.any():
            for k, axis in enumerate(frame.orientation.order):
                R = R @ _turned(axis, np.atleast_1d(angles[..., k]))
            R = R[0] if angles.ndim == 1 else R
        return R, numbers[f"{path}/position_m"]

    def point(self, numbers: Numbers, seen: Moving, name: str) -> Array:
        """Where a point is (B, 3), ground axes."""
        key, segment = self._points[name]
        R, p = seen.pose[segment]
        return p + _times(R, numbers[key])

    def open(self, numbers: Numbers, q: Array) -> tuple[Array, Array]:
        """By how much loops are open (B, m), and how that changes with the coordinates (B, m, n)."""
        seen = self.moving(numbers, q)
        off, slopes = list[Array](), list[Array]()
        for path, a, b, far in self._ends:
            (p_a, J_a), (p_b, J_b) = (
                self._led(seen, q, segment, numbers[f"{path}/{end}/position_m"])
                for end, segment in (("a", a), ("b", b))
            )
            by, J = p_a - p_b, J_a - J_b
            if far is None:
                off.append(by)
                slopes.append(J)
            else:
                long = np.linalg.norm(by, axis=1)
                off.append((long - numbers[far][..., 0])[:, None])
                slopes.append(np.einsum("bi,bin->bn", by / np.maximum(long, 1e-12)[:, None], J)[:, None])  # fmt: skip
        if not off:
            return np.zeros((len(q), 0)), np.zeros((len(q), 0, q.shape[1]))
        return np.concatenate(off, axis=1), np.concatenate(slopes, axis=1)

    def _led(self, seen: Moving, q: Array, segment: str, place: Array) -> tuple[Array, Array]:
        R, p = seen.pose[segment]
        at = np.broadcast_to(p + _times(R, place), (len(q), 3))
        J = np.zeros((len(q), 3, q.shape[1]))
        for k in self.above[segment]:
            w, o, d = seen.axes[k]
            J[:, :, k] = np.cross(w, at - o) + d
        return at, J

    def closed(
        self, numbers: Numbers, q: Array, held: Sequence[int], rounds: int = 30
    ) -> tuple[Array, Array]:
        """Coordinates that close the loops near others, those of `held` as they are; and what stays open (B, m)."""
        free = [k for k in range(q.shape[1]) if k not in held]
        if not free or not self._ends:
            return q, self.open(numbers, q)[0]

        def off(x: Array, rows: Rows) -> tuple[Array, Array]:
            here = q[rows]
            here[:, free] = x
            r, J = self.open({k: v if v.ndim == 1 else v[rows] for k, v in numbers.items()}, here)
            return r, J[:, :, free]

        nothing = np.full(len(free), math.inf)
        x, r = least(off, q[:, free], -nothing, nothing, rounds=rounds, small=1e-13, gain=1e-9)
        out = q.copy()
        out[:, free] = x
        return out, r


def _times(R: Array, v: Array) -> Array:
    out: Array = (R @ v[..., None])[..., 0]
    return out


def _turned(axis: str, angle: Array) -> Array:
    """Turns (B, 3, 3) about an axis."""
    a = "xyz".index(axis)
    b, c = (a + 1) % 3, (a + 2) % 3
    R = np.zeros((len(angle), 3, 3))
    cos, sin = np.cos(angle), np.sin(angle)
    R[:, a, a] = 1.0
    R[:, b, b], R[:, c, c], R[:, b, c], R[:, c, b] = cos, cos, -sin, sin
    return R
