"""Find what is seen at a pixel: where a line from the eye meets meshes; arithmetic, no VTK."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from app.scene.lens import Lens
from solver.engine.maths.rotation import Array
from solver.project.pose import Placed
from solver.scene.meshes import Mesh

if TYPE_CHECKING:
    from app.scene.drawn import Drawn

_BESIDE_PX = 3.0
"""How far beside a thin line, or a joint's small ball, one may point."""

Allows = Callable[[Array], Array]
"""Tells which of some places (n, 3) can be seen: what a section leaves away cannot."""


@dataclass(frozen=True)
class Sight:
    """A line from the eye: where it begins, its unit direction, and the lens it belongs to."""

    start: Array
    way: Array
    lens: Lens

    @classmethod
    def at(cls, lens: Lens, x: float, y: float) -> Sight:
        """Look at a pixel, counted from the upper left corner."""
        return cls(*lens.ray(x, y), lens)


@dataclass(frozen=True)
class Hit:
    """How far from the eye something was met (m), where in ground axes, and in which face."""

    away: float
    place: Array
    face: int = 0


class Picked(NamedTuple):
    """Where an element was met, which, and whether one sees through it."""

    hit: Hit
    element: str
    is_clear: bool = False


def meant(found: Iterable[Picked]) -> Picked | None:
    """What is meant: the nearest of what is not seen through, else of all."""
    return min(found, key=lambda one: (one.is_clear, one.hit.away), default=None)


def everything(places: Array) -> Array:
    """Allow all places."""
    return np.ones(len(places), dtype=bool)


def parted(items: Iterable[Drawn]) -> tuple[list[Drawn], list[Drawn]]:
    """Part what is drawn into joints and all else."""
    drawn = [item for item in items if item.is_drawn]
    joints = [item for item in drawn if item.shape.kind == "joint"]
    return joints, [item for item in drawn if item.shape.kind != "joint"]


def all_at(
    items: Iterable[Drawn], sight: Sight, allows: Allows = everything, is_furnished: bool = False
) -> list[Picked]:
    """The items that are met, those that are seen, furnished or bare; each where it is met first."""
    eye = sight.lens.camera.eye()
    return [
        Picked(hit, item.shape.element, is_furnished and item.is_clear(eye))
        for item in _near(
            [i for i in items if i.is_seen and not (is_furnished and i.is_idle_arrow)], sight
        )
        if (hit := _of_item(item, sight, allows)) is not None
    ]


def on_faces(mesh: Mesh, at: Placed, sight: Sight, allows: Allows = everything) -> Hit | None:
    """Where a mesh is met first, by the method of Moeller and Trumbore (1997)."""
    back = np.linalg.inv(at.R_WS)
    start, way = back @ (sight.start - at.p_W), back @ sight.way
    a, b, c = mesh.points[mesh.faces].transpose(1, 0, 2)
    one, other = b - a, c - a
    across = np.cross(way, other)
    size = np.einsum("ij,ij->i", one, across)
    with np.errstate(divide="ignore", invalid="ignore"):
        u = np.einsum("ij,ij->i", start - a, across) / size
        turned = np.cross(start - a, one)
        v = (turned @ way) / size
        away = np.einsum("ij,ij->i", other, turned) / size
        inside = np.flatnonzero((u >= 0.0) & (v >= 0.0) & (u + v <= 1.0) & (away > 0.0))
    inside = inside[allows(sight.start + away[inside, None] * sight.way)]
    if not len(inside):
        return None
    face = int(inside[np.argmin(away[inside])])
    return Hit(float(away[face]), sight.start + away[face] * sight.way, face)


def _of_item(item: Drawn, sight: Sight, allows: Allows) -> Hit | None:
    mesh, kind = item.mesh, item.shape.kind
    if kind == "joint":
        return _beside_ball(item, sight, allows)
    hit = on_faces(mesh, item.at, sight, allows) if len(mesh.faces) else None
    return (
        hit
        if hit is not None or kind not in ("link", "muscle")
        else _beside_lines(item, sight, allows)
    )


def _beside_ball(item: Drawn, sight: Sight, allows: Allows) -> Hit | None:
    centre, radius = _ball(item.mesh)
    place = item.at.p_W + item.at.R_WS @ centre
    away = float((place - sight.start) @ sight.way)
    off = float(np.linalg.norm(sight.start + away * sight.way - place))
    reach = radius + _BESIDE_PX * sight.lens.metres_per_pixel(place)
    if away <= 0.0 or off > reach or not allows(place[None])[0]:
        return None
    return Hit(away, place)


def _beside_lines(item: Drawn, sight: Sight, allows: Allows) -> Hit | None:
    """Where the line from the eye passes closest to polylines, near enough to be meant."""
    points = item.points()
    best: Hit | None = None
    for line in item.mesh.lines:
        ends = points[list(line)]
        a, along = ends[:-1], np.diff(ends, axis=0)
        # the shortest way between the line of sight and each piece
        flat = along - np.outer(along @ sight.way, sight.way)
        gap = (sight.start - a) - np.outer((sight.start - a) @ sight.way, sight.way)
        size = np.maximum(np.einsum("ij,ij->i", flat, flat), 1e-300)
        part = np.clip(np.einsum("ij,ij->i", gap, flat) / size, 0.0, 1.0)
        places = a + part[:, None] * along
        away = (places - sight.start) @ sight.way
        off = np.linalg.norm(sight.start + np.outer(away, sight.way) - places, axis=1)
        near = (off * sight.lens.scale_at(places) <= _BESIDE_PX) & (away > 0.0) & allows(places)
        for i in np.flatnonzero(near):
            if best is None or away[i] < best.away:
                best = Hit(float(away[i]), places[i])
    return best


def _near(items: list[Drawn], sight: Sight) -> list[Drawn]:
    """Leave out what lies far beside the line of sight."""
    if not items:
        return []
    balls = [_ball(item.mesh) for item in items]
    places = np.array(
        [item.at.p_W + item.at.R_WS @ ball[0] for item, ball in zip(items, balls, strict=True)]
    )
    stretch = np.array([np.abs(item.at.R_WS).sum(axis=1).max() for item in items])
    radii = np.array([ball[1] for ball in balls]) * np.maximum(1.0, stretch)
    radii += _BESIDE_PX / sight.lens.scale_at(places)
    gap = places - sight.start
    off = np.linalg.norm(gap - np.outer(gap @ sight.way, sight.way), axis=1)
    return [item for item, here in zip(items, off <= radii, strict=True) if here]


@lru_cache(maxsize=512)
def _ball(mesh: Mesh) -> tuple[Array, float]:
    """The centre and radius of a ball that holds a mesh."""
    if not len(mesh.points):
        return np.zeros(3), 0.0
    centre = 0.5 * (mesh.points.min(axis=0) + mesh.points.max(axis=0))
    return centre, float(np.linalg.norm(mesh.points - centre, axis=1).max())
