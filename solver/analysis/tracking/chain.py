"""Where the markers of a model are for given coordinates, and how they move as these change; no kernels.

Coordinates are those that a fit may change: six of each root that may move (its mass centre along the
ground's axes, and a rotation vector about them from where the chain begins), and those of joints, as their
starts have them. Of each the velocity of a marker is w x (p - o) + d.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.analysis.tracking.tracks import TrackError
from solver.engine.maths.rotation import Array
from solver.project.document import Project
from solver.project.joint_table import Turn, carrying, row_of
from solver.project.joints import Joint
from solver.project.pose import Placed, across, start_pose, turn
from solver.project.posing import angles_of
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND

WAYS = ("x", "y", "z", "roll", "pitch", "yaw")
"""Of a root: shifts along the ground's axes, turns about them."""
STEP = 1e-6
"""Difference of a joint's coordinate (m, rad) by which its axis is found; the error is of its square."""


@dataclass(frozen=True, slots=True)
class Coordinate:
    """Name one coordinate: of a joint, or of a root; `turns` tells angles (rad) from ways (m)."""

    of: str
    name: str
    turns: bool
    root: bool = False

    @property
    def label(self) -> str:
        """The name that is told: `hip.pitch`, `pelvis.x`."""
        return f"{self.of}.{self.name}"


class Chain:
    """Follow the markers of a project as its free coordinates change, from its start pose on."""

    def __init__(
        self, project: Project, free: Sequence[str] = ("all",), hold: Sequence[str] = ()
    ) -> None:
        self.project = project
        self.markers = {one.id: one for one in project.markers}
        if not self.markers:
            raise TrackError("The model has no markers.")
        self._pose = start_pose(project)
        self._joints = {joint.child: joint for joint in carrying(project.joints)}
        self._frames = {
            joint.id: (turn(joint.parent_frame.orientation), turn(joint.child_frame.orientation))
            for joint in self._joints.values()
        }
        self._values = {j.id: angles_of(project, j.id, self._pose) for j in self._joints.values()}
        self._order = self._below_markers()
        self.coordinates = tuple(self._chosen(free, hold))
        if not self.coordinates:
            raise TrackError("Nothing is left that may move.")
        self._base = {name: self._pose[name] for name in self.roots}

    @property
    def roots(self) -> tuple[str, ...]:
        """Name the roots that may move."""
        return tuple(dict.fromkeys(c.of for c in self.coordinates if c.root))

    def _below_markers(self) -> tuple[str, ...]:
        """Name the segments that carry markers and those that carry these, parents first."""
        order: dict[str, None] = {}
        for marker in self.markers.values():
            way = [marker.segment]
            while way[-1] in self._joints:
                way.append(self._joints[way[-1]].parent)
            order |= dict.fromkeys(reversed(way))
        return tuple(name for name in order if name != GROUND)

    def _chosen(self, free: Sequence[str], hold: Sequence[str]) -> Iterator[Coordinate]:
        there = list(self._all())
        wanted = {c for word in free for c in self._named(word, there)}
        wanted -= {c for word in hold for c in self._named(word, there)}
        return (c for c in there if c in wanted)

    def _all(self) -> Iterator[Coordinate]:
        for name in self._order:
            if name not in self._joints:
                yield from (Coordinate(name, way, way in WAYS[3:], root=True) for way in WAYS)
        for name in self._order:
            if name in self._joints:
                joint = self._joints[name]
                for one in row_of(joint).freedoms:
                    yield Coordinate(joint.id, one.name, isinstance(one, Turn))

    def _named(self, word: str, there: Sequence[Coordinate]) -> list[Coordinate]:
        joints = {joint.id for joint in self._joints.values()}
        groups = {
            "all": there,
            "bodies": [c for c in there if c.root],
            "joints": [c for c in there if not c.root],
        }
        found = groups.get(word, [c for c in there if word in (c.of, c.label)])
        if not found and word not in groups:
            known = joints | {s.id for s in self.project.segments}
            if word in known:
                return []
            hint = did_you_mean(word, [*groups, *known, *(c.label for c in there)])
            raise TrackError(
                "'{word}' is nothing that may move: bodies, joints, all, a root, a joint or one axis of them. {hint}",
                word=word,
                hint=hint,
            )
        return list(found)

    def start(self) -> Array:
        """The coordinates where the chain stands: zero for roots, angles and ways of joints."""
        out = []
        for c in self.coordinates:
            if c.root:
                out.append(0.0)
            else:
                joint = next(j for j in self._joints.values() if j.id == c.of)
                out.append(self._values[c.of][self._number(joint, c)])
        return np.array(out)

    def _number(self, joint: Joint, coordinate: Coordinate) -> int:
        return [one.name for one in row_of(joint).freedoms].index(coordinate.name)

    def values(self, q: Array) -> dict[str, tuple[float, ...]]:
        """The coordinates of every joint on the way to a marker."""
        out = {
            self._joints[n].id: list(self._values[self._joints[n].id])
            for n in self._order
            if n in self._joints
        }
        joints = {j.id: j for j in self._joints.values()}
        for c, value in zip(self.coordinates, q, strict=True):
            if not c.root:
                out[c.of][self._number(joints[c.of], c)] = float(value)
        return {name: tuple(values) for name, values in out.items()}

    def moved_to(self, q: Array) -> None:
        """Let the chain stand at some coordinates: roots count from there."""
        pose = self.pose(q)
        self._values |= self.values(q)
        self._base = {name: pose[name] for name in self._base}

    def placed_at(self, root: str, placed: Placed) -> None:
        """Let a root stand somewhere else."""
        self._base[root] = placed

    def _root_turns(self, name: str, q: Array) -> tuple[Array, Array]:
        """Give shift and rotation vector of a root."""
        six = np.zeros(6)
        for c, value in zip(self.coordinates, q, strict=True):
            if c.root and c.of == name:
                six[WAYS.index(c.name)] = value
        return six[:3], six[3:]

    def pose(self, q: Array) -> dict[str, Placed]:
        """Place the segments on the way to markers."""
        return self._moving(q)[0]

    def _moving(
        self, q: Array, with_axes: bool = False
    ) -> tuple[dict[str, Placed], dict[Coordinate, tuple[Array, Array, Array]]]:
        """The pose, and of each coordinate w, o and d in ground axes."""
        from scipy.spatial.transform import Rotation

        pose = {GROUND: Placed(np.eye(3), np.zeros(3))}
        axes: dict[Coordinate, tuple[Array, Array, Array]] = {}
        values = self.values(q)
        for name in self._order:
            if name not in self._joints:
                base = self._base.get(name, self._pose[name])
                shift, turned = self._root_turns(name, q)
                here = Placed(
                    Rotation.from_rotvec(turned).as_matrix() @ base.R_WS, base.p_W + shift
                )
                pose[name] = here
                if with_axes and name in self._base:
                    left = _left_jacobian(turned)
                    for k, way in enumerate(WAYS):
                        w = left[:, k - 3] if k > 2 else np.zeros(3)
                        d = np.eye(3)[k] if k < 3 else np.zeros(3)
                        axes[Coordinate(name, way, k > 2, root=True)] = (w, here.p_W, d)
                continue
            joint = self._joints[name]
            R_of_P, R_of_C = self._frames[joint.id]
            parent, held = pose[joint.parent], values[joint.id]
            R_WP = parent.R_WS @ R_of_P
            at = parent.p_W + parent.R_WS @ np.array(joint.parent_frame.position_m)
            R_PC, origin = across(joint, held)
            R_WS = R_WP @ R_PC @ R_of_C.T
            pose[name] = Placed(
                R_WS, at + R_WP @ origin - R_WS @ np.array(joint.child_frame.position_m)
            )
            if with_axes:
                for k, one in enumerate(row_of(joint).freedoms):
                    w, d = _axis(joint, held, k, R_PC)
                    turns = isinstance(one, Turn)
                    axes[Coordinate(joint.id, one.name, turns)] = (
                        R_WP @ w,
                        at + R_WP @ origin,
                        R_WP @ d,
                    )
        return pose, axes

    def places(self, q: Array, names: Sequence[str]) -> Array:
        """Where markers are (N, 3)."""
        pose = self.pose(q)
        return np.array([self._place(pose, name) for name in names])

    def _place(self, pose: Mapping[str, Placed], name: str) -> Array:
        marker = self.markers[name]
        at = pose.get(marker.segment) or self._pose[marker.segment]
        out: Array = at.p_W + at.R_WS @ np.array(marker.point_m)
        return out

    def jacobian(self, q: Array, names: Sequence[str]) -> Array:
        """How markers move as coordinates change (3 N, n)."""
        pose, axes = self._moving(q, with_axes=True)
        places = np.array([self._place(pose, name) for name in names])
        on = [self._above(self.markers[name].segment) for name in names]
        out = np.zeros((len(names), 3, len(self.coordinates)))
        below: dict[tuple[bool, str], list[int]] = {}
        for k, c in enumerate(self.coordinates):
            if (c.root, c.of) not in below:
                below[c.root, c.of] = [
                    n
                    for n, (joints, root) in enumerate(on)
                    if (c.of == root if c.root else c.of in joints)
                ]
            rows = below[c.root, c.of]
            w, o, d = axes[c]
            out[rows, :, k] = (places[rows] - o) @ _crossed(w).T + d
        return out.reshape(-1, len(self.coordinates))

    def root_of_marker(self, name: str) -> str:
        """Name the root of the tree that carries a marker."""
        return self._above(self.markers[name].segment)[1]

    def _above(self, segment: str) -> tuple[set[str], str]:
        """Name the joints that carry a segment, and its root."""
        found = set()
        while segment in self._joints:
            found.add(self._joints[segment].id)
            segment = self._joints[segment].parent
        return found, segment


def _axis(joint: Joint, values: tuple[float, ...], k: int, R_PC: Array) -> tuple[Array, Array]:
    """Give turning and shift of a joint's child for a unit of one coordinate, parent's frame."""
    rows = []
    for sign in (1.0, -1.0):
        near = list(values)
        near[k] += sign * STEP
        rows.append(across(joint, tuple(near)))
    change = (rows[0][0] - rows[1][0]) / (2.0 * STEP) @ R_PC.T
    w = 0.5 * np.array(
        [change[2, 1] - change[1, 2], change[0, 2] - change[2, 0], change[1, 0] - change[0, 1]]
    )
    return w, (rows[0][1] - rows[1][1]) / (2.0 * STEP)


def _crossed(w: Array) -> Array:
    """The matrix of w x."""
    return np.array([[0.0, -w[2], w[1]], [w[2], 0.0, -w[0]], [-w[1], w[0], 0.0]])


def _left_jacobian(r: Array) -> Array:
    """The turning (ground axes) for a unit of each component of a rotation vector."""
    angle = float(np.linalg.norm(r))
    K = _crossed(r)
    if angle < 1e-4:
        return np.asarray(np.eye(3) + 0.5 * K + K @ K / 6.0)
    a = (1.0 - np.cos(angle)) / angle**2
    b = (angle - np.sin(angle)) / angle**3
    out: Array = np.eye(3) + a * K + b * K @ K
    return out
