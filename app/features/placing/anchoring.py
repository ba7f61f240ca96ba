"""Find where a click puts an anchor: on another anchor, on what is seen of the vehicle, or in the free."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from app.editing.bench import Bench
from app.editing.laying import rounded
from app.editing.strapping import wearer
from app.elements import find
from app.scene.lens import Lens
from app.scene.picking import Sight, all_at, meant
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.geometry import PointRef
from solver.scene.placing import in_ground, pose_at_start
from solver.scene.shapes import surfaces_of
from solver.scene.webbing import body_of

_NEAR_PX = 9.0
_BESIDE_M = 0.06
"""How far beside the hips an anchor in the free stands."""
_ALONG = 0.35
"""Cosine between eye and the body's side from which on a click means a place beside the hips."""
_CARRIERS = ("plane", "vehicle")


def anchor_at(
    project: Project, stage: Any, lens: Lens, x: float, y: float, other: PointRef | None = None
) -> PointRef:
    """Give the anchor for a pixel; the second one, in the free, stands on the other side of the body."""
    for point in anchors(project):
        if float(np.linalg.norm(lens.pixel(_place(project, point)) - (x, y))) < _NEAR_PX:
            return point
    items = [item for item in stage.items if item.shape.kind in _CARRIERS]
    is_furnished = stage.visibility.is_furnished
    found = all_at(items, Sight.at(lens, x, y), is_furnished=is_furnished)
    hit = meant(one for one in found if not one.is_clear)
    if hit is not None:
        return _on(project, _carrier(project, hit.element), hit.hit.place)
    return _on(project, Bench(project).carrier(), _in_the_free(project, lens, x, y, other))


def anchors(project: Project) -> Iterator[PointRef]:
    """List the anchors and rings that are there."""
    pose = pose_at_start(project)
    for belt in project.belts:
        yield from (a for a in (belt.anchor_a, belt.anchor_b) if a.segment in pose)
    for harness in project.harnesses:
        for strap in harness.straps:
            for point in strap.points:
                if point.kind in ("anchor", "ring") and point.segment in pose:
                    yield PointRef(segment=point.segment, position_m=point.position_m)


def _carrier(project: Project, element: str) -> str:
    list_name, _, name = element.partition("/")
    plane: Any = find(project, element)
    return plane.segment if list_name == "planes" else name


def _on(project: Project, segment: str, place: Array) -> PointRef:
    at = pose_at_start(project)[segment]
    return PointRef(segment=segment, position_m=rounded(at.R_WS.T @ (place - at.p_W)))


def _place(project: Project, point: PointRef) -> Array:
    return in_ground(pose_at_start(project), point.segment, point.position_m)


def _in_the_free(project: Project, lens: Lens, x: float, y: float, first: PointRef | None) -> Array:
    """Give the place at a pixel beside the hips of the body, or level with them where one looks along."""
    start, way = lens.ray(x, y)
    names = wearer(project, lens.camera.target)
    if not names:
        return start + lens.camera.distance * way
    pose = pose_at_start(project)
    at, across = pose[names[0]], pose[names[0]].R_WS[:, 1]
    if abs(float(way @ across)) < _ALONG:
        towards = lens.camera.axes()[2]
        return _met(start, way, at.p_W, towards)
    bodies = [
        body_of(s, names[0], pose) for (n, _), s in surfaces_of(project).items() if n == names[0]
    ]
    half = max((float((b.farthest(across) - at.p_W) @ across) for b in bodies), default=0.1)
    side = -np.sign(float(way @ across))
    if first is not None:
        side = -np.sign(float((_place(project, first) - at.p_W) @ across)) or side
    return _met(start, way, at.p_W + side * (half + _BESIDE_M) * across, across)


def _met(start: Array, way: Array, through: Array, normal: Array) -> Array:
    met: Array = start + float((through - start) @ normal) / float(way @ normal) * way
    return met
