"""Lay straps by the route finder: anew when an anchor moves, or where people ask for it.

A stretch of a strap runs from one anchor, ring or free junction to the next, over points on bodies.
It was laid by the route finder if that, asked again, puts the points where they are.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise
from typing import Any

import numpy as np

from app.elements import find
from solver.engine.maths.rotation import Array
from solver.model.route import Route, RouteError, angle_towards, best_angle, route
from solver.project import Project
from solver.project.belts import StrapPoint, SurfacePoint
from solver.project.changes import with_value
from solver.project.geometry import PointRef, SurfaceRef
from solver.project.segments import GROUND
from solver.scene.placing import in_ground, placeable, pose_at_start

NEAR_M = 0.01
"""How far points may lie from where the route finder puts them, for a strap that counts as laid."""
SPACING_M = 0.05
_SAME_RAD = 0.01
_LOOSE = 1.25
"""Of the spacing that points have, where nothing tells how much more it may be."""


@dataclass(frozen=True, slots=True)
class Lay:
    """Hold how a stretch is laid: its ends in the strap, surfaces, angle (rad) and spacing (m).

    `is_shortest` says that the angle is the one at which the strap is shortest and stays.
    """

    strap: int
    first: int
    last: int
    surfaces: tuple[SurfaceRef, ...]
    angle: float
    spacing: float = SPACING_M
    is_shortest: bool = False


def relaid(before: Project, after: Project, element: str) -> Project:
    """Give the project with the stretches of a harness laid anew whose ends have moved.

    Only what was laid by the route finder before; points that hands have set stay. Raises RouteError.
    """
    old: Any = find(before, element)
    new: Any = find(after, element)
    out = after
    # from the last to the first, so that the numbers of points before stay what they are
    for lay in sorted(_lays(before, element), key=lambda one: (one.strap, -one.first)):
        ends = (lay.first, lay.last)
        olds, news = old.straps[lay.strap].points, new.straps[lay.strap].points
        if any(_end(olds[k]) != _end(news[k]) for k in ends):
            out = _put(out, element, lay, _route(after, new, lay))
    return out


def laid_anew(project: Project, element: str) -> Project:
    """Lay all stretches of a harness over the surfaces that they touch. Raises RouteError."""
    harness: Any = find(project, element)
    known = {(lay.strap, lay.first): lay for lay in _lays(project, element)}
    wanted = [known.get((s.strap, s.first), s) for s in _stretches(project, harness)]
    out = project
    for lay in sorted(wanted, key=lambda one: (one.strap, -one.first)):
        out = _put(out, element, lay, _route(project, harness, lay))
    return out


def angle_that_holds(
    project: Project, start: PointRef, end: PointRef, surfaces: Sequence[SurfaceRef]
) -> tuple[float, bool]:
    """Give the angle at which a strap is shortest and stays, or else that through the surfaces' middle."""
    try:
        return best_angle(project, start, end, surfaces), True
    except RouteError:
        return 0.0, False


_recent: deque[tuple[Project, str, tuple[Lay, ...]]] = deque(maxlen=2)
"""What was found last: while an anchor is dragged, the project before stays the same."""


def _lays(project: Project, element: str) -> tuple[Lay, ...]:
    """Give the stretches that the route finder has laid."""
    for known, name, lays in tuple(_recent):
        if known is project and name == element:
            return lays
    harness: Any = find(project, element)
    found = tuple(
        lay for s in _stretches(project, harness) if (lay := _as_laid(project, harness, s))
    )
    _recent.append((project, element, found))
    return found


def _stretches(project: Project, harness: Any) -> Iterator[Lay]:
    """Give every stretch over bodies, at the angle of the mean of its points."""
    pose = pose_at_start(project)
    for number, strap in enumerate(harness.straps):
        ends = [k for k, point in enumerate(strap.points) if _end(point) is not None]
        for first, last in pairwise(ends):
            inner = strap.points[first + 1 : last]
            # a junction on a body joins straps: it stays where it is
            if not inner or any(type(point) is not SurfacePoint for point in inner):
                continue
            if any(point.surface.segment not in pose for point in inner):
                continue
            surfaces = tuple(dict.fromkeys(point.surface for point in inner))
            places = [in_ground(pose, p.surface.segment, p.position_m) for p in inner]
            start, end = _end(strap.points[first]), _end(strap.points[last])
            assert start is not None
            assert end is not None
            try:
                angle = angle_towards(
                    placeable(project), start, end, surfaces, np.mean(places, axis=0)
                )
            except RouteError:
                continue
            yield Lay(number, first, last, surfaces, angle)


def _as_laid(project: Project, harness: Any, stretch: Lay) -> Lay | None:
    """Give the stretch with the spacing of its points; None where the route finder lays it otherwise."""
    inner = harness.straps[stretch.strap].points[stretch.first + 1 : stretch.last]
    try:
        rough = _route(project, harness, stretch)
        spacing = _spacing(rough, inner)
        if spacing is None:
            return None
        lay = Lay(
            stretch.strap, stretch.first, stretch.last, stretch.surfaces, stretch.angle, spacing
        )
        again = _route(project, harness, lay)
    except RouteError:
        return None
    points = [point for wrap in again.wraps for point in wrap.points()]
    if len(points) != len(inner):
        return None
    for one, other in zip(points, inner, strict=True):
        away = np.array(one.position_m) - np.array(other.position_m)
        if one.surface != other.surface or float(np.linalg.norm(away)) > NEAR_M:
            return None
    start, end = again.start, again.end
    best, holds = angle_that_holds(placeable(project), start, end, stretch.surfaces)
    is_shortest = holds and abs(best - stretch.angle) < _SAME_RAD
    return Lay(lay.strap, lay.first, lay.last, lay.surfaces, lay.angle, spacing, is_shortest)


def _spacing(rough: Route, inner: Sequence[SurfacePoint]) -> float | None:
    """Give a spacing at which each wrap gets as many points as there are; None where none does."""
    runs = [list(run) for _, run in groupby(inner, key=lambda point: point.surface)]
    if [run[0].surface for run in runs] != [wrap.surface for wrap in rough.wraps]:
        return None
    low, high = 0.0, np.inf
    for wrap, run in zip(rough.wraps, runs, strict=True):
        pieces = len(run) - 1
        low = max(low, wrap.length_m / max(1, pieces))
        if pieces > 1:
            high = min(high, wrap.length_m / (pieces - 1))
    if not 0.0 < low < high:
        return None
    return _LOOSE * low if np.isinf(high) else 0.5 * (low + high)


def _route(project: Project, harness: Any, lay: Lay) -> Route:
    strap = harness.straps[lay.strap]
    start, end = _end(strap.points[lay.first]), _end(strap.points[lay.last])
    assert start is not None and end is not None  # noqa: PT018
    sound, angle = placeable(project), lay.angle
    if lay.is_shortest:
        angle, holds = angle_that_holds(sound, start, end, lay.surfaces)
        angle = angle if holds else lay.angle
    return route(sound, start, end, lay.surfaces, angle, lay.spacing)


def _put(project: Project, element: str, lay: Lay, found: Route) -> Project:
    """Put the points of a route in place of a stretch's; each keeps what its neighbour on the body had."""
    harness: Any = find(project, element)
    points = harness.straps[lay.strap].points
    inner = points[lay.first + 1 : lay.last]
    made: list[StrapPoint] = []
    for wrap in found.wraps:
        old = [point for point in inner if point.surface == wrap.surface] or list(inner)
        for k, point in enumerate(wrap.points()):
            like = old[round(k * (len(old) - 1) / max(1, len(wrap.points_m) - 1))]
            kept = {"surface": point.surface, "position_m": rounded(point.position_m)}
            made.append(like.model_copy(update=kept))
    after = (*points[: lay.first + 1], *made, *points[lay.last :])
    return with_value(project, f"{element}/straps/{lay.strap}/points", after)


def rounded(place: Sequence[float] | Array) -> tuple[float, float, float]:
    """Write a place to a hundredth of a millimetre: finer is nothing that a strap could keep."""
    x, y, z = (round(float(v), 5) + 0.0 for v in place)
    return x, y, z


def _end(point: Any) -> PointRef | None:
    """Give where a point holds webbing that lies on no body; None for one on a body."""
    if getattr(point, "surface", None) is not None:
        return None
    if point.kind == "junction":
        return PointRef(segment=GROUND, position_m=point.position_m)
    return PointRef(segment=point.segment, position_m=point.position_m)


def line_of(project: Project, points: Sequence[StrapPoint]) -> Array:
    """Give the places of points of a strap in ground axes (n, 3)."""
    pose = pose_at_start(project)
    places = []
    for point in points:
        on: Any = getattr(point, "surface", None)
        segment = on.segment if on is not None else getattr(point, "segment", GROUND)
        places.append(in_ground(pose, segment, point.position_m))
    return np.array(places)
