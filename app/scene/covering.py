"""What lies between the eye and people: found by few lines of sight, and let through without flicker."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import product

import numpy as np

from solver.engine.maths.rotation import Array
from solver.injury.parts import bodies, ends, occupants
from solver.project import Project
from solver.project.memo import memoised
from solver.project.pose import Placed, turn
from solver.scene.around.build import Around
from solver.scene.meshes import Mesh
from solver.scene.placing import Pose, Stretched

_ANY, _MUCH, _MORE, _SMALL_M, _LOOKS = 0.1, 0.2, 0.4, 0.22, 3
"""Part of somebody from which on what only stands around goes aside; part of what matters from which on a thing does; that for things of no more than such a radius, which one
sees past, such as the rim of a wheel; and looks without any of it after which it comes back."""
_MATTERS = {"head": 4.0, "chest": 2.0, "left hand": 1.0, "right hand": 1.0}
_SPOTS = np.array(
    [(0.0, 0.0, 0.9), (0.6, 0.0, 0.7), (-0.6, 0.0, 0.7), (0.0, 0.6, 0.7), (0.0, -0.6, 0.7)]
)
"""Where on a head one looks whether it is covered, in its radii to the right, up and towards the eye."""


@dataclass(frozen=True, eq=False, slots=True)
class Thing:
    """Something solid that may stand before somebody."""

    key: Hashable
    mesh: Mesh
    at: Placed


def met(thing: Thing, eyes: Array, places: Array) -> Array:
    """Whether a thing stands between an eye (or each of n) and each of some places (n, 3), where it crosses the faces' planes."""
    found = np.zeros(len(places), bool)
    middle, radius = _ball(thing.mesh)
    R, p = thing.at.R_WS, thing.at.p_W
    eyes = np.broadcast_to(eyes, places.shape)
    ways, gap = places - eyes, p + R @ middle - eyes
    part = (ways * gap).sum(axis=1) / (ways * ways).sum(axis=1)
    part = np.clip(part, 0.0, 1.0)
    off = np.linalg.norm(part[:, None] * ways - gap, axis=1)
    near = np.flatnonzero(off <= radius * max(1.0, float(np.abs(R).sum(axis=1).max())))
    if not len(near) or not len(thing.mesh.faces):
        return found
    back = np.linalg.inv(R)
    starts, ends = (eyes[near] - p) @ back.T, (places[near] - p) @ back.T
    normals, level, a, one, other, sizes = _planes(thing.mesh)
    # where each line crosses the plane of each face, and by what parts of two of its edges
    from_, to = starts @ normals.T - level, ends @ normals.T - level
    ray, face = np.nonzero((from_ > 0.0) != (to > 0.0))
    first = from_[ray, face]
    away = (first / (first - to[ray, face]))[:, None]
    place = starts[ray] + away * (ends - starts)[ray] - a[face]
    along, across = (place * one[face]).sum(axis=1), (place * other[face]).sum(axis=1)
    own, both, its, det = sizes[:, face]
    u, v = (its * along - both * across) / det, (own * across - both * along) / det
    inside = (u >= 0.0) & (v >= 0.0) & (u + v <= 1.0)
    found[near[ray[inside]]] = True
    return found


@lru_cache(maxsize=512)
def _ball(mesh: Mesh) -> tuple[Array, float]:
    if not len(mesh.points):
        return np.zeros(3), 0.0
    middle = 0.5 * (mesh.points.min(axis=0) + mesh.points.max(axis=0))
    return middle, float(np.linalg.norm(mesh.points - middle, axis=1).max())


@lru_cache(maxsize=512)
def _planes(mesh: Mesh) -> tuple[Array, Array, Array, Array, Array, Array]:
    """Normals of faces and how far along them they lie, a corner, two edges from it, and the products of these."""
    a, b, c = mesh.points[mesh.faces].transpose(1, 0, 2)
    one, other = b - a, c - a
    normals = np.cross(one, other)
    own, both, its = (
        np.einsum("ij,ij->i", x, y) for x, y in ((one, one), (one, other), (other, other))
    )
    sizes = np.vstack([own, both, its, np.maximum(own * its - both * both, 1e-30)])
    return normals, np.einsum("ij,ij->i", normals, a), a, one, other, sizes


_ALL_ROUND = np.array(
    [*np.eye(3), *-np.eye(3), *(np.array(s) / math.sqrt(3.0) for s in product((-1, 1), repeat=3))]
)


@memoised
def outermost(project: Project) -> dict[str, Array]:
    """Places all over the shapes of the segments of people, in the axes of each (n, 3); its middle where it has none."""
    found = {}
    inside = {s for body in bodies(project) for s in body}
    for segment in (one for one in project.segments if one.id in inside):
        places = [
            one.centre_m + (_ALL_ROUND * one.semi_axes_m) @ turn(one.orientation).T
            for one in segment.surfaces
        ]
        found[segment.id] = np.vstack(places) if places else np.zeros((1, 3))
    return found


def places_now(project: Project, pose: Pose, element: str = "") -> Array:
    """Places all over people where they are in a pose (n, 3), or all over the one whom an element is a part of."""
    part = element.partition("/")[2]
    ends = {j.id: {j.parent, j.child} for j in project.joints}.get(part, {part})
    own = next((set(body) for body in bodies(project) if ends & set(body)), None)
    found = [
        points @ pose[s].R_WS.T + pose[s].p_W
        for s, points in outermost(project).items()
        if s in pose and (not element or own is None or s in own)
    ]
    return np.vstack([np.zeros((0, 3)), *found])


Matters = tuple[Array, Array]
"""Places of head, chest and hands of somebody (n, 3), and how much of one each of them matters (n)."""


def what_matters(project: Project, pose: Pose, axes: tuple[Array, Array, Array]) -> list[Matters]:
    """Where head, chest and hands of all people are: of a head what an eye sees of it, whose right, upright and towards are given."""
    spots = _SPOTS @ np.array(axes)
    found = []
    for one, person in zip(occupants(project), ends(project), strict=True):
        places, weights = [], []
        for part, segment in {**person, "chest": one.segments.get("upper_torso", "")}.items():
            if part in _MATTERS and segment in pose:
                at = pose[segment]
                all_round = outermost(project)[segment] @ at.R_WS.T + at.p_W
                own = all_round.mean(axis=0)[None]
                if part == "head":
                    own = own + 0.5 * float(np.ptp(all_round, axis=0).min()) * spots
                places.append(own)
                weights += [_MATTERS[part] / len(own)] * len(own)
        if places:
            found.append((np.vstack(places), np.array(weights) / sum(weights)))
    return found


def each_part(project: Project, pose: Pose) -> list[Matters]:
    """Where each segment of people is: what only stands around them hides none of it."""
    found = []
    for body in bodies(project):
        middles = [
            pose[s].p_W + pose[s].R_WS @ outermost(project)[s].mean(axis=0)
            for s in body
            if s in pose
        ]
        if middles:
            found.append((np.array(middles), np.full(len(middles), 1.0 / len(middles))))
    return found


@dataclass
class Aside:
    """What is let through for now; a thing that has gone aside stays so until it has covered nobody for a while."""

    keys: frozenset[Hashable] = frozenset()
    _free: dict[Hashable, int] = field(default_factory=dict)
    _looked: tuple[object, object, int] = (None, None, 0)
    """At what one has looked last, from where, and how often."""

    def is_settled(self, pose: object, seen: object) -> bool:
        """Whether one has looked so often at a pose, `seen` from one place, that another look tells nothing more: a fine picture is drawn of eight."""
        before, at, times = self._looked
        is_same = before is pose and at == seen
        self._looked = pose, seen, times + 1 if is_same else 1
        return is_same and times > _LOOKS

    def look(
        self,
        things: Iterable[Thing],
        eye: Array,
        people: Sequence[Matters],
        parts: Sequence[Matters] = (),
        *,
        rests: bool = False,
    ) -> bool:
        """Look what covers people, or of what only stands around them any of their `parts`; tells whether anything else is let through now.

        What `rests` looks the same whatever was seen before: nothing stays aside that does not cover enough by itself.
        """
        before, kept = self.keys, set[Hashable]() if rests else set(self.keys)
        shares: dict[Hashable, float] = {}
        for thing in things:
            is_small = _ball(thing.mesh)[1] <= _SMALL_M and not isinstance(thing.at, Stretched)
            least = _ANY if isinstance(thing.key, Around) else _MORE if is_small else _MUCH
            for places, weights in parts if isinstance(thing.key, Around) else people:
                share = float(weights @ met(thing, eye, places)) / least
                shares[thing.key] = max(share, shares.get(thing.key, 0.0))
        for key, share in shares.items():
            if share >= 1.0:
                kept.add(key)
            self._free[key] = 0 if share > 0.0 else self._free.get(key, 0) + 1
        self.keys = frozenset(
            key for key in kept if key in shares and self._free.get(key, 0) < _LOOKS
        )
        return self.keys != before

    def clear(self) -> bool:
        """Let nothing through; tells whether anything was."""
        before, self.keys = self.keys, frozenset()
        self._looked = (None, None, 0)
        self._free.clear()
        return bool(before)
