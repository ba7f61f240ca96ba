"""Where the markers of a model are for given coordinates, and how they move as these change; no kernels.

Coordinates are those that a fit may change: six of each root that may move (its mass centre along the
ground's axes, and a rotation vector about them from where the chain begins), and those of joints, as their
starts have them. What is coupled to them follows, what is locked stays. Of each the velocity of a marker is w x (p - o) + d.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from solver.analysis.tracking.tracks import TrackError
from solver.engine.maths.rotation import Array
from solver.project.coupled_axes import followers
from solver.project.document import Project
from solver.project.joint_table import Turn, axes_of, ball_of, carrying, row_of, slides_of
from solver.project.joints import Joint
from solver.project.pose import Placed, start_pose, turn
from solver.project.posing import angles_of
from solver.project.problems import did_you_mean
from solver.project.segments import GROUND

WAYS = ("x", "y", "z", "roll", "pitch", "yaw")
"""Of a root: shifts along the ground's axes, turns about them."""
PLAIN = np.eye(3)
UNTURNED = (1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0)


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


Nine = tuple[float, ...]
"""A matrix, row by row: for frames of this size plain numbers are faster than arrays."""


class Link(NamedTuple):
    """One joint, or root, on the way to markers: from the inside of the joint before it to its own."""

    before: int
    """Number of the link before; -1 for the ground, -2 for a root."""
    R: Nine | None
    """Axes of its frame in the link before; none where they are the same."""
    p: Nine
    moves: tuple[tuple[bool, int, int], ...]
    """Of each freedom whether it turns, the number of its axis, its number among all."""
    C: Array
    c: Array
    """Turn of the segment's axes in the joint, and the joint's place in the segment."""


class Chain:
    """Follow the markers of a project as its free coordinates change, from its start pose on."""

    def __init__(
        self, project: Project, free: Sequence[str] = ("all",), hold: Sequence[str] = ()
    ) -> None:
        self.project = project
        self.markers = {one.id: one for one in project.markers}
        if not self.markers:
            raise TrackError("The model has no markers.")
        self._by_name = {one.name: one.id for one in project.markers if one.name}
        self._pose = start_pose(project)
        self._joints = {joint.child: joint for joint in carrying(project.joints)}
        self._values = {j.id: angles_of(project, j.id, self._pose) for j in self._joints.values()}
        self._order = self._below_markers()
        self._all_of = tuple(self._all())
        self._number = {(c.root, c.of, c.name): n for n, c in enumerate(self._all_of)}
        self._follow()
        self.coordinates = tuple(self._chosen(free, hold))
        if not self.coordinates:
            raise TrackError("Nothing is left that may move.")
        self._base = {name: self._pose[name] for name in self.roots}
        self._free = [self._number[c.root, c.of, c.name] for c in self.coordinates]
        self._at = {name: n for n, name in enumerate(self._order)}
        self._links = list[Link]()
        for name in self._order:
            self._links.append(self._link(name))
        self._seen_by = {name: self._above(one.segment) for name, one in self.markers.items()}
        self._masks = dict[tuple[str, ...], tuple[Array, Array, Array]]()
        self._stands()

    def known(self, name: str) -> str:
        """The id of a marker by that, or by the name that people read; else the word itself."""
        return name if name in self.markers else self._by_name.get(name, name)

    def _follow(self) -> None:
        """Find what follows what, by numbers."""
        names = {j.id: [one.name for one in row_of(j).freedoms] for j in self._joints.values()}
        found = []
        for one in followers(self.project, self._values):
            two = [(False, of, names.get(of, ())[n] if of in names else "") for of, n in (one.slot, one.leader)]  # fmt: skip
            if two[0] in self._number and two[1] in self._number:
                found.append((self._number[two[0]], self._number[two[1]], one.course))
        self._followers = tuple(found)

    def _stands(self) -> None:
        """Let all coordinates count from where the chain stands."""
        self._x = np.zeros(len(self._all_of))
        for n, c in enumerate(self._all_of):
            if not c.root:
                joint = self._values[c.of]
                names = [one.name for one in row_of(self._by_id[c.of]).freedoms]
                self._x[n] = joint[names.index(c.name)]

    @property
    def _by_id(self) -> dict[str, Joint]:
        return {joint.id: joint for joint in self._joints.values()}

    def _link(self, name: str) -> Link:
        joint = self._joints.get(name)
        if joint is None:
            return Link(-2, None, (0.0, 0.0, 0.0), (), PLAIN, np.zeros(3))
        R, p, before = turn(joint.parent_frame.orientation), np.array(joint.parent_frame.position_m), -1  # fmt: skip
        if joint.parent != GROUND:
            before = self._at[joint.parent]
            one = self._links[before]
            R, p = one.C @ R, one.C @ (p - one.c)
        moves = tuple(
            (isinstance(one, Turn), "xyz".index(one.axis), self._number[False, joint.id, one.name])
            for one in row_of(joint).freedoms
        )
        nine = None if np.abs(R - PLAIN).max() < 1e-15 else tuple(R.ravel().tolist())
        return Link(before, nine, tuple(p.tolist()), moves, turn(joint.child_frame.orientation).T, np.array(joint.child_frame.position_m))  # fmt: skip

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
        led = {n for n, _, _ in self._followers}
        locked = {(joint.id, name) for joint in self._joints.values() for name in _locked(joint)}
        there = [c for n, c in enumerate(self._all_of) if n not in led]
        wanted = set[Coordinate]()
        for word in free:
            is_meant = word not in ("all", "bodies", "joints")
            wanted |= {c for c in self._named(word, there) if is_meant or (c.of, c.name) not in locked}  # fmt: skip
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
        return self._x[self._free]

    def _whole(self, q: Array) -> tuple[Array, list[tuple[int, int, float]]]:
        """All coordinates, and of those that follow their number, their leader's, and the slope."""
        x = self._x.copy()
        x[self._free] = q
        slopes = list[tuple[int, int, float]]()
        for n, leader, course in self._followers:
            x[n], slope = course(float(x[leader]))
            slopes.append((n, leader, slope))
        return x, slopes

    def values(self, q: Array) -> dict[str, tuple[float, ...]]:
        """The coordinates of every joint on the way to a marker."""
        x, _ = self._whole(q)
        out: dict[str, list[float]] = {self._joints[n].id: [] for n in self._order if n in self._joints}  # fmt: skip
        for c, value in zip(self._all_of, x.tolist(), strict=True):
            if not c.root:
                out[c.of].append(value)
        return {name: tuple(values) for name, values in out.items()}

    def moved_to(self, q: Array) -> None:
        """Let the chain stand at some coordinates: roots count from there."""
        pose = self.pose(q)
        self._x, _ = self._whole(q)
        self._x[[n for n, c in enumerate(self._all_of) if c.root]] = 0.0
        self._base = {name: pose[name] for name in self._base}

    def placed_at(self, root: str, placed: Placed) -> None:
        """Let a root stand somewhere else."""
        self._base[root] = placed

    def pose(self, q: Array) -> dict[str, Placed]:
        """Place the segments on the way to markers."""
        pose = {GROUND: Placed(PLAIN, np.zeros(3))}
        R, p = self._moving(self._whole(q)[0])
        for name, one, R_, p_ in zip(self._order, self._links, R, p, strict=True):
            turned = R_ @ one.C
            pose[name] = Placed(turned, p_ - turned @ one.c)
        return pose

    def _moving(self, x: Array, axes: tuple[Array, Array, Array] | None = None) -> tuple[Array, Array]:  # fmt: skip
        """Axes and places inside all joints; of each coordinate w, o and d in ground axes are written where rows for them are given."""
        values = x.tolist()
        Rs, ps = list[Nine](), list[Nine]()
        p: Nine
        rows: tuple[dict[int, Nine], ...] = ({}, {}, {})
        for name, (before, nine, (u, v, w), moves, _, _) in zip(self._order, self._links, strict=True):  # fmt: skip
            if before == -2:
                here = self._root(name, x, axes)
                Rs.append(tuple(here.R_WS.ravel().tolist()))
                ps.append(tuple(here.p_W.tolist()))
                continue
            if before < 0:
                R, p = nine or UNTURNED, (u, v, w)
            else:
                a, b, c, d, e, f, g, h, i = R = Rs[before]
                p = ps[before]
                p = (p[0] + a * u + b * v + c * w, p[1] + d * u + e * v + f * w, p[2] + g * u + h * v + i * w)  # fmt: skip
                if nine is not None:
                    A, B, C, D, E, F, G, H, K = nine
                    R = (
                        a * A + b * D + c * G, a * B + b * E + c * H, a * C + b * F + c * K,
                        d * A + e * D + f * G, d * B + e * E + f * H, d * C + e * F + f * K,
                        g * A + h * D + i * G, g * B + h * E + i * H, g * C + h * F + i * K,
                    )  # fmt: skip
            for turns, k, n in moves:
                axis = R[k], R[k + 3], R[k + 6]
                rows[0 if turns else 2][n], rows[1][n] = axis, p
                value = values[n]
                if not turns:
                    p = (p[0] + value * axis[0], p[1] + value * axis[1], p[2] + value * axis[2])
                elif value:
                    i_, j = (k + 1) % 3, (k + 2) % 3
                    cos, sin, turned = math.cos(value), math.sin(value), list(R)
                    for row in (0, 3, 6):
                        one, two = R[row + i_], R[row + j]
                        turned[row + i_], turned[row + j] = cos * one + sin * two, cos * two - sin * one  # fmt: skip
                    R = tuple(turned)
            Rs.append(R)
            ps.append(p)
        if axes is not None:
            for out, row_ in zip(axes, rows, strict=True):
                out[list(row_)] = list(row_.values()) or np.zeros((0, 3))
        return np.array(Rs).reshape(-1, 3, 3), np.array(ps)

    def _root(self, name: str, x: Array, axes: tuple[Array, Array, Array] | None) -> Placed:
        first = self._number[True, name, WAYS[0]]
        turned, base = x[first + 3 : first + 6], self._base.get(name, self._pose[name])
        here = Placed(_turned(turned) @ base.R_WS, base.p_W + x[first : first + 3])
        if axes is not None:
            axes[2][first : first + 3] = PLAIN
            axes[0][first + 3 : first + 6] = _left_jacobian(turned).T
            axes[1][first + 3 : first + 6] = here.p_W
        return here

    def places(self, q: Array, names: Sequence[str]) -> Array:
        """Where markers are (N, 3)."""
        return self._places(*self._moving(self._whole(q)[0]), tuple(names))

    def _places(self, R: Array, p: Array, names: tuple[str, ...]) -> Array:
        at, point, _ = self._of_markers(names)
        # the last stands for the ground
        R, p = np.concatenate([R, PLAIN[None]]), np.concatenate([p, np.zeros((1, 3))])
        out: Array = p[at] + np.einsum("nij,nj->ni", R[at], point)
        return out

    def jacobian(self, q: Array, names: Sequence[str]) -> Array:
        """How markers move as coordinates change (3 N, n)."""
        return self.places_and_slopes(q, names)[1]

    def places_and_slopes(self, q: Array, names: Sequence[str]) -> tuple[Array, Array]:
        """Where markers are (N, 3), and how they move as coordinates change (3 N, n)."""
        x, slopes = self._whole(q)
        w, o, d = (np.zeros((len(x), 3)) for _ in range(3))
        R, p = self._moving(x, (w, o, d))
        P = self._places(R, p, tuple(names))
        # w x (p - o) + d, of every marker by every coordinate
        out = np.empty((len(names), 3, len(x)))
        for k, i, j in ((0, 1, 2), (1, 2, 0), (2, 0, 1)):
            out[:, k] = P[:, j, None] * w[:, i] - P[:, i, None] * w[:, j] + (d[:, k] - w[:, i] * o[:, j] + w[:, j] * o[:, i])  # fmt: skip
        out *= self._of_markers(tuple(names))[2][:, None, :]
        for n, leader, slope in reversed(slopes):
            out[:, :, leader] += slope * out[:, :, n]
        return P, out[:, :, self._free].reshape(-1, len(self._free))

    def _of_markers(self, names: tuple[str, ...]) -> tuple[Array, Array, Array]:
        """Of markers the number of the link, the place in it, and which coordinates move them (N, all)."""
        if names not in self._masks:
            at, points = list[int](), list[Array]()
            for name in names:
                marker = self.markers[name]
                point, n = np.array(marker.point_m), self._at.get(marker.segment, -1)
                one = self._links[n]
                at.append(n)
                points.append(point if n < 0 else one.C @ (point - one.c))
            moves = [
                [c.of == self._seen_by[name][1] if c.root else c.of in self._seen_by[name][0] for c in self._all_of]
                for name in names
            ]  # fmt: skip
            self._masks[names] = np.array(at), np.array(points), np.array(moves, float)
        return self._masks[names]

    def root_of_marker(self, name: str) -> str:
        """Name the root of the tree that carries a marker."""
        return self._seen_by[name][1]

    def _above(self, segment: str) -> tuple[set[str], str]:
        """Name the joints that carry a segment, and its root."""
        found = set()
        while segment in self._joints:
            found.add(self._joints[segment].id)
            segment = self._joints[segment].parent
        return found, segment


def _locked(joint: Joint) -> list[str]:
    """Name the freedoms of a joint that are held at the start."""
    ball = ball_of(joint)
    if ball is not None:
        turns = [one.name for one in row_of(joint).turns] if ball.lock.locked else []
    else:
        turns = [one.turn.name for one in axes_of(joint) if one.lock.locked]
    return turns + [slide.name for slide, held in slides_of(joint) if held.locked]


def _turned(r: Array) -> Array:
    """The turn of a rotation vector."""
    angle = math.sqrt(float(r @ r))
    K = _crossed(r)
    if angle < 1e-8:
        return PLAIN + K
    return PLAIN + math.sin(angle) / angle * K + (1.0 - math.cos(angle)) / angle**2 * (K @ K)


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
