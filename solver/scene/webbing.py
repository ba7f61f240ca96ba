"""Find how belts and straps lie at the start, in ground axes."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from itertools import pairwise

import numpy as np

from solver.engine.maths.hyperellipsoids import farthest, levels
from solver.engine.maths.rotation import Array
from solver.model.route import over_sphere
from solver.project.belts import AnchorPoint, Belt, JunctionPoint, RingPoint, Strap
from solver.project.geometry import Ellipsoid, powers_of
from solver.project.pose import turn
from solver.project.references import Key, keys_in
from solver.scene.placing import Pose, in_ground

LIFT_M = 0.003
"""How far webbing is drawn above the surface, so that it is not swallowed."""


@lru_cache(maxsize=256)
def lain_on(strap: Belt | Strap) -> tuple[Key, ...]:
    """Name the segments and surfaces on which a strap depends."""
    return tuple(key for key in keys_in(strap) if key[0] in ("segments", "surfaces"))


@dataclass(frozen=True, slots=True)
class Body:
    """A surface in ground axes: `R_WE` turns its own axes, `p_W` is its centre (m)."""

    R_WE: Array
    p_W: Array
    axes: Array
    powers: Array

    def unit(self, point: Array) -> Array:
        """A point of ground, or several in rows, as multiples of the semi-axes."""
        own: Array = (point - self.p_W) @ self.R_WE / self.axes
        return own

    def ground(self, unit: Array) -> Array:
        """The point of ground for multiples of the semi-axes."""
        return self.p_W + self.R_WE @ (unit * self.axes)

    def outward(self, point: Array) -> Array:
        """The surface's normal nearest to a point, or to several in rows."""
        u = self.unit(point)
        gradient = np.sign(u) * self.powers * np.abs(u) ** (self.powers - 1.0) / self.axes
        normal = gradient @ self.R_WE.T
        size = np.sqrt((normal * normal).sum(axis=-1, keepdims=True))
        out: Array = np.where(size > 0.0, normal / np.maximum(size, 1e-300), (0.0, 0.0, 1.0))
        return out

    def farthest(self, way: Array) -> Array:
        """The point of the surface that lies farthest in a direction."""
        return self.ground(farthest((self.R_WE.T @ way) * self.axes, self.powers))

    def levels(self, points: Array) -> Array:
        """How far out points in rows are: 0 at the centre, 1 on the surface."""
        return levels(self.unit(points), self.powers)

    def is_inside(self, point: Array) -> bool:
        """Whether a point lies below the surface."""
        return float((np.abs(self.unit(point)) ** self.powers).sum()) < 1.0

    def onto(self, point: Array) -> Array:
        """Move a point radially from the centre onto the surface."""
        u = self.unit(point)
        if not np.any(u):
            return point
        return self.ground(u / levels(u[None], self.powers)[0])


def body_of(surface: Ellipsoid, segment: str, pose: Pose) -> Body:
    """Put a surface into ground axes."""
    return Body(
        pose[segment].R_WS @ turn(surface.orientation),
        in_ground(pose, segment, surface.centre_m),
        np.array(surface.semi_axes_m),
        np.array(powers_of(surface)),
    )


_NOWHERE = np.full(3, np.nan)
"""Stands for the normal of a point that lies on nothing."""

Surfaces = dict[tuple[str, str], Ellipsoid]


@dataclass(frozen=True, slots=True)
class Lay:
    """A line of webbing and the directions away from the body, both (n, 3), ground axes."""

    line: Array
    outward: Array


def belt_lay(belt: Belt, surfaces: Surfaces, pose: Pose) -> Lay | None:
    """Lay a simple belt: straight from each anchor to the ellipsoid or to F, and over it (7.3)."""
    line = belt_line(belt, surfaces, pose)
    if line is None:
        return None
    body = body_of(surfaces[belt.surface.segment, belt.surface.surface], belt.surface.segment, pose)
    outward = [body.outward(p) for p in line[1:-1]]
    over = [p + LIFT_M * n for p, n in zip(line[1:-1], outward, strict=True)]
    lifted = np.array([line[0], *over, line[-1]])
    return Lay(lifted, np.array([outward[0], *outward, outward[-1]]))


def belt_line(belt: Belt, surfaces: Surfaces, pose: Pose) -> Array | None:
    """The line of a simple belt, ground axes: anchor, what lies on the ellipsoid, anchor."""
    key = (belt.surface.segment, belt.surface.surface)
    ends = (belt.anchor_a, belt.anchor_b)
    if key not in surfaces or any(end.segment not in pose for end in ends):
        return None
    body = body_of(surfaces[key], belt.surface.segment, pose)
    a, b = (in_ground(pose, end.segment, end.position_m) for end in ends)
    fixed = in_ground(pose, belt.surface.segment, belt.fixed_point_m)
    over = over_sphere(body.unit(a), body.unit(fixed), body.unit(b))
    return np.array([a, *(body.ground(p) for p in over), b])


@dataclass(frozen=True, slots=True)
class StrapPath:
    """Where a run has found a strap's points (n, 3), ground axes, and how slack its first and last pieces hang."""

    places: Array
    spare: tuple[float, float] = (0.0, 0.0)
    """Spare webbing of both pieces, over their lengths."""
    down: Array = field(default_factory=lambda: np.zeros(3))


def spare_of(strains: Sequence[float]) -> tuple[float, float]:
    """The spare webbing of a strap's first and last pieces, over their lengths, by their strains; 0 where they are taut."""
    # a strain below zero is what it lacks of its own length
    one, other = (-s / (1.0 + s) if -1.0 < s < 0.0 else 0.0 for s in map(float, strains))
    return one, other


def hang(spare: float) -> float:
    """How far webbing hangs in its middle, over its span, with so much to spare over it.

    A flat parabola is longer than its span by 8/3 of the square of that.
    """
    return math.sqrt(0.375 * min(max(spare, 0.0), _MOST_SPARE))


_MOST_SPARE = 0.5
"""Webbing with more to spare lies somewhere in loops, which nobody knows."""

PARTS = 4
"""Pieces that are drawn for each piece of a strap that a run has found."""
_PARTS = tuple(k / PARTS for k in range(1, PARTS))


def found_lay(strap: Strap, surfaces: Surfaces, pose: Pose, course: StrapPath) -> Lay:
    """Lay a strap through the places (n, 3) at which a run has found its points.

    To the solver it is straight between them; between two on one body it is drawn over that body, as
    deep in it as its ends are; its first and last pieces hang where there is webbing to spare.
    """
    places = course.places
    refs = [getattr(point, "surface", None) for point in strap.points]
    keys = [None if on is None else (on.segment, on.surface) for on in refs]
    known = {
        key: body_of(surfaces[key], key[0], pose)
        for key in dict.fromkeys(keys)
        if key is not None and key in surfaces and key[0] in pose
    }
    parts = np.array([0.0, *_PARTS])
    ends = np.stack([places[:-1], places[1:]], axis=1)
    line = ends[:, :1] + parts[:, None] * (ends[:, 1:] - ends[:, :1])
    outward = np.full(line.shape, np.nan)
    for key, body in known.items():
        is_on = np.array([one == key for one in keys])
        begins, stays = is_on[:-1], is_on[:-1] & is_on[1:]
        line[stays, 1:] = _at_levels(body, line[stays, 1:], ends[stays], parts[1:])
        for at in (begins, stays):
            some = slice(0, 1) if at is begins else slice(1, None)
            outward[at, some] = body.outward(line[at, some])
    for end, next_, spare in zip((0, -1), (1, -2), course.spare, strict=True):
        if spare > 0.0:
            way = places[next_] - places[end]
            along = way / max(float(np.linalg.norm(way)), 1e-12)
            low = hang(spare) * float(np.linalg.norm(way))
            curve = (4.0 * parts[1:] * (1.0 - parts[1:]))[:, None]
            line[end, 1:] += low * curve * (course.down - (course.down @ along) * along)
    last = None if keys[-1] is None else known.get(keys[-1])
    normals = np.vstack(
        [
            outward.reshape(-1, 3),
            last.outward(places[-1:]) if last is not None else np.full((1, 3), np.nan),
        ]
    )
    whole = np.vstack([line.reshape(-1, 3), places[-1:]])
    return Lay(whole + LIFT_M * np.nan_to_num(normals), _filled(normals))


def _at_levels(body: Body, points: Array, ends: Array, parts: Array) -> Array:
    """Move points (n, k, 3) radially out to the levels of a body between those of two ends (n, 2, 3).

    At most to its surface, and never inwards.
    """
    n, k, _ = points.shape
    low, high = body.levels(ends.reshape(-1, 3)).reshape(n, 2, 1).transpose(1, 0, 2)
    wanted = np.minimum((1.0 - parts) * low + parts * high, 1.0)
    here = body.levels(points.reshape(-1, 3)).reshape(n, k)
    grow = np.where((here > 0.0) & (here < wanted), wanted / np.maximum(here, 1e-300), 1.0)
    moved: Array = body.p_W + grow[..., None] * (points - body.p_W)
    return moved


def strap_lay(strap: Strap, surfaces: Surfaces, pose: Pose) -> Lay | None:
    """Lay a strap through its points; points on surfaces are moved radially onto them."""
    stops = strap_stops(strap, surfaces, pose)
    return None if stops is None else _over(stops)


def strap_stops(
    strap: Strap, surfaces: Surfaces, pose: Pose
) -> list[tuple[Array, Body | None]] | None:
    """The points of a strap in ground axes, each with the body it lies on; None where one is lost."""
    stops: list[tuple[Array, Body | None]] = []
    for point in strap.points:
        if isinstance(point, AnchorPoint | RingPoint):
            if point.segment not in pose:
                return None
            stops.append((in_ground(pose, point.segment, point.position_m), None))
            continue
        if isinstance(point, JunctionPoint) and point.surface is None:
            stops.append((np.array(point.position_m), None))
            continue
        assert point.surface is not None
        key = (point.surface.segment, point.surface.surface)
        if key not in surfaces:
            return None
        body = body_of(surfaces[key], key[0], pose)
        stops.append((body.onto(in_ground(pose, key[0], point.position_m)), body))
    return stops


def _over(stops: Sequence[tuple[Array, Body | None]]) -> Lay:
    """Join the stops; between two stops the line is pushed out of the bodies that it touches there."""
    line: list[Array] = []
    outward: list[Array] = []
    for (p, one), (q, other) in pairwise(stops):
        bodies = [b for b in (one, other) if b is not None]
        steps = 14 if bodies else 1
        for k in range(steps):
            at = p + (q - p) * (k / steps)
            near = one if k == 0 else None
            for body in bodies:
                if body.is_inside(at):
                    at, near = body.onto(at), body
            normal = near.outward(at) if near is not None else None
            line.append(at if normal is None else at + LIFT_M * normal)
            outward.append(_NOWHERE if normal is None else normal)
    line.append(stops[-1][0])
    outward.append(_NOWHERE)
    return Lay(np.array(line), _filled(np.array(outward)))


def _filled(normals: Array) -> Array:
    """Points off any surface (NaN) the direction of the nearest one that has it."""
    known = np.flatnonzero(np.isfinite(normals[:, 0]))
    if not len(known):
        return np.tile([1.0, 0.0, 0.0], (len(normals), 1))
    nearest = np.abs(known[None, :] - np.arange(len(normals))[:, None]).argmin(axis=1)
    filled: Array = normals[known][nearest]
    return filled
