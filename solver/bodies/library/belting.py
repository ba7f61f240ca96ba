"""Lay the straps of a belt over an occupant: taut from point to point, or where they lay over the body before."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import pairwise

import numpy as np

from solver.bodies.library.entries import Entry, LibraryError, Waypoint
from solver.bodies.library.entries import Strap as LaidStrap
from solver.bodies.library.occupants import (
    BELLY,
    MAIN,
    STRAPS,
    THIGHS,
    Occupant,
    ahead_of,
    is_insert,
    is_thigh,
)
from solver.engine.maths.rotation import Array
from solver.model.route import Route, RouteError, Wrap, angle_towards, best_angle, route, shape_of
from solver.project.belts import (
    AnchorPoint,
    Harness,
    JunctionPoint,
    RingPoint,
    Strap,
    StrapPoint,
    SurfacePoint,
)
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.geometry import Orientation, PointRef, SurfaceRef
from solver.project.merging import MergeError, merged, renamed
from solver.project.pose import Placed, start_pose, turn
from solver.project.segments import GROUND

# Lay the straps of a belt over an occupant: taut in a plane from point to point.

Vector = tuple[float, float, float]


def laid(
    project: Project,
    one: Entry,
    prefix: str,
    carrier: str,
    at: Vector,
    turned: Orientation | None,
    who: Occupant,
) -> Project:
    """The project with the entry's harness, laid as everything stands at the start."""
    ahead = ahead_of(prefix)
    R = turn(turned or Orientation())
    own = {law.id for law in project.contact_laws} & {who.flesh, who.belly_flesh, who.ribs_give}

    def place(position: Vector) -> Vector:
        x, y, z = (float(f"{v:.12g}") for v in np.array(at) + R @ np.array(position))
        return x, y, z

    def points(strap: LaidStrap) -> Iterator[StrapPoint]:
        before: PointRef | None = None
        last = len(strap.waypoints) - 1
        for number, stop in enumerate(strap.waypoints):
            here = PointRef(segment=carrier, position_m=place(stop.position_m))
            if before is not None and stop.over:
                aim = (
                    None
                    if stop.towards_m is None
                    else PointRef(segment=carrier, position_m=place(stop.towards_m))
                )
                yield from between(project, strap, before, here, stop, who, aim)
            if number in (0, last):
                yield AnchorPoint(segment=carrier, position_m=here.position_m)
            else:
                yield RingPoint(segment=carrier, position_m=here.position_m, friction=stop.friction)
            before = here

    straps = tuple(
        Strap(
            id=strap.id,
            law=strap.law,
            slack_m=strap.slack_m,
            width_m=strap.width_m,
            points=tuple(points(strap)),
            start_device=strap.start_device,
            end_device=strap.end_device,
        )
        for strap in one.straps
    )
    harness = Harness(
        id=one.harness or one.id, name=one.name, group="Belts", source=one.source, straps=straps
    )

    def rename(to: str, name: str) -> str:
        return name if to == "segments" or name in own else f"{ahead}{name}"

    try:
        return merged(project, renamed(Project(harnesses=(harness,)), rename))
    except MergeError as failure:
        raise LibraryError(str(failure)) from None


def over_bone(
    project: Project,
    start: PointRef,
    end: PointRef,
    over: Sequence[SurfaceRef],
    bone: SurfaceRef | None,
) -> tuple[Sequence[SurfaceRef], float | None]:
    """What a strap over a bone lies on, and at which angle; none where there is no bone.

    Where thighs rise before the bone it lies in the crease between them, where a strap without friction would come to rest. Where there is no
    such place it goes over the front of the bone, and not over thighs.
    """
    if bone is None:
        return over, None
    if any(map(is_thigh, over)):
        with suppress(RouteError):
            angle = best_angle(project, start, end, over)
            if bone in {wrap.surface for wrap in route(project, start, end, over, angle).wraps}:
                return over, angle
        over = [ref for ref in over if not is_thigh(ref)]
    return over, angle_towards(project, start, end, over, _front(project, bone))


def _front(project: Project, ref: SurfaceRef) -> Array:
    """The foremost place of a shape, in ground axes."""
    shape = shape_of(project, ref)
    front = np.array(shape.centre_m) + np.array((shape.semi_axes_m[0], 0.0, 0.0))
    return start_pose(project)[ref.segment].of(front)


def between(
    project: Project,
    strap: LaidStrap,
    start: PointRef,
    end: PointRef,
    stop: Waypoint,
    who: Occupant,
    aim: PointRef | None = None,
) -> Iterator[SurfacePoint]:
    """Give the points of a strap on the occupant between two of its fixed points, in a plane through another if one is given."""
    over: Sequence[SurfaceRef] = [one for role in stop.over for one in who.under_strap(role)]
    try:
        bone = next(filter(None, map(who.front, stop.over)), None)
        over, angle = over_bone(project, start, end, over, bone)
        if aim is not None:
            place_W = start_pose(project)[aim.segment].of(aim.position_m)
            angle = angle_towards(project, start, end, over, place_W)
        if angle is None:
            angle = stop.angle_rad
        if angle is None:
            angle = best_angle(project, start, end, over)
        found = route(project, start, end, over, angle, strap.spacing_m)
    except RouteError as failure:
        raise LibraryError(
            "The strap '{strap}' cannot be laid: {failure}", strap=strap.id, failure=failure
        ) from None
    own = {
        "follows": strap.follows,
        "may_leave": strap.may_leave,
        "friction_along": strap.friction,
        "friction_across": strap.friction if strap.follows == "webbing" else None,
    }
    beside = [
        ref for ref in map(who.beside_strap, stop.over) if ref is not None and ref not in over
    ]
    for point in _with_near(project, found, beside, who):
        segment = point.surface.segment
        soft = who.flesh_of(segment)
        flesh = who.whole(segment) or strap.flesh or soft
        yield point.model_copy(update={**own, **sliding(point, strap.friction), "flesh": flesh})


def sliding(point: SurfacePoint, friction: float | str | None) -> dict[str, object]:
    """What lets a point slide on a thigh or before a dummy's belly, which turn under the strap: its place there is not that on the pelvis.

    A belly that held it across would drag the strap down as the trunk bends over the pelvis, by more than friction can.
    """
    if not (is_thigh(point.surface) or is_insert(point.surface)):
        return {}
    return {"follows": "webbing", "friction_across": friction}


def points_on(wrap: Wrap, who: Occupant) -> list[SurfacePoint]:
    """The points of a strap on one surface, sunk in by the body's own law; on a belly or on ribs one alone, as that is of the whole belt."""
    points, flesh = list(wrap.points()), who.flesh_of(wrap.surface.segment)
    if who.whole(wrap.surface.segment):
        x, y, z = (float(f"{v:.9g}") for v in np.mean(wrap.points_m, axis=0))
        points = [SurfacePoint(surface=wrap.surface, position_m=(x, y, z))]
    return [point.model_copy(update={"flesh": flesh}) for point in points]


NEAR_M = 0.08
"""A strap that runs this near over a bone at the start may come to lie on it: it has a point there."""


def _with_near(
    project: Project, found: Route, beside: Sequence[SurfaceRef], who: Occupant
) -> list[SurfacePoint]:
    """The points of a route, one on each surface that it passes near by, and one on each that it may come to lie on."""
    pose = start_pose(project)
    fixed = [pose[one.segment].of(one.position_m) for one in (found.start, found.end)]
    points = [point for wrap in found.wraps for point in points_on(wrap, who)]
    places = [fixed[0], *(pose[p.surface.segment].of(p.position_m) for p in points), fixed[1]]
    extra = list[tuple[float, SurfacePoint]]()
    for ref in beside:
        front = _front(project, ref)
        middles = [0.5 * (a + b) for a, b in pairwise(places)]
        k = min(range(len(middles)), key=lambda k: float(np.linalg.norm(middles[k] - front)))
        extra.append((k + 0.5, _point(pose, ref, middles[k])))
    for ref in found.untouched:
        shape = shape_of(project, ref)
        placed = pose[ref.segment]
        centre = placed.of(shape.centre_m)
        across = (turn(shape.orientation).T @ placed.R_WS.T) / np.array(shape.semi_axes_m)[:, None]
        best = (NEAR_M, 0.0, centre)
        for k, (a, b) in enumerate(pairwise(places)):
            piece = float((b - a) @ (b - a))
            along = float(np.clip((centre - a) @ (b - a) / max(piece, 1e-12), 0.0, 1.0))
            here = a + along * (b - a)
            way = here - centre
            deep = max(float(np.linalg.norm(across @ way)), 1e-9)
            gap = float(np.linalg.norm(way)) * (1.0 - 1.0 / deep)
            best = min(best, (gap, k + along, here), key=lambda one: one[0])
        if best[0] < NEAR_M:
            extra.append((best[1], _point(pose, ref, best[2])))
    # places along the strap: a point lies between those of its piece
    order = [(float(k + 1), point) for k, point in enumerate(points)]
    return [point for _, point in sorted([*order, *extra], key=lambda one: one[0])]


def _point(pose: Mapping[str, Placed], ref: SurfaceRef, place_W: Array) -> SurfacePoint:
    """A point of a strap over a surface, where it does not lie on it yet."""
    placed = pose[ref.segment]
    x, y, z = (float(f"{v:.9g}") for v in placed.R_WS.T @ (place_W - placed.p_W))
    return SurfacePoint(surface=ref, position_m=(x, y, z))


# Lay the straps of a harness over another body where they lay over the one before.

_SPACING_M = 0.05
"""Between points where nothing tells how far apart they were."""
_LOOSE = 1.1
"""The straight way between two points is a little shorter than that over the body."""


def laid_over(
    before: Project, done: Project, harness: Harness, old: Collection[str], who: Occupant
) -> Harness:
    """Give a harness with its straps laid again where they lay over the old body."""
    straps = []
    for strap in harness.straps:
        points: list[StrapPoint] = []
        inner: list[SurfacePoint] = []
        for point in strap.points:
            if isinstance(point, SurfacePoint) and point.surface.segment in old:
                inner.append(point)
                continue
            if inner:
                points += _stretch(before, done, strap, points[-1], point, inner, who)
                inner = []
            points.append(point)
        straps.append(strap.model_copy(update={"points": tuple(points)}))
    return harness.model_copy(update={"straps": tuple(straps)})


def _stretch(
    before: Project, done: Project, strap: Strap, start: StrapPoint, end: StrapPoint,
    inner: Sequence[SurfacePoint], who: Occupant,
) -> list[SurfacePoint]:  # fmt: skip
    """Lay one stretch between two fixed points over the parts that it lay on."""
    ahead = ahead_of(who.prefix)
    parts = dict.fromkeys(p.surface.segment.removeprefix(ahead) for p in inner)
    if "lower_torso" in parts:
        # what a lap strap lies on beside the pelvis comes with it
        parts = {part: None for part in parts if part not in (*BELLY, *THIGHS)}
    bones = {name.partition(".")[0]: role for role, names in STRAPS.items() for name in names}
    roles = list(dict.fromkeys(MAIN.get(part, bones.get(part, part)) for part in parts))
    if "upper_torso" in roles:
        roles = [role for role in roles if role != "centre_torso"]
    like = next((p for p in inner if not is_thigh(p.surface)), inner[0])
    own = {law.id for law in before.contact_laws if ahead and law.id.startswith(ahead)}
    flesh = next((p.flesh for p in inner if p.flesh and p.flesh not in own), None)
    laid = LaidStrap(
        id=strap.id,
        law=strap.law,
        waypoints=(Waypoint(position_m=ZERO3), Waypoint(position_m=ZERO3)),
        width_m=strap.width_m,
        spacing_m=_spacing(inner),
        friction=like.friction_along,
        follows=like.follows,
        may_leave=like.may_leave,
        flesh=flesh,
    )
    ends = [_fixed(one) for one in (start, end)]
    stop = Waypoint(position_m=ZERO3, over=tuple(roles))
    try:
        return list(between(done, laid, ends[0], ends[1], stop, who))
    except LibraryError:
        # it holds nowhere by itself: as it lay
        at = start_pose(before)
        middle = np.mean([at[p.surface.segment].of(p.position_m) for p in inner], axis=0)
        over = [one for role in roles for one in who.under_strap(role)]
        angle = angle_towards(done, ends[0], ends[1], over, middle)
        stop = stop.model_copy(update={"angle_rad": angle})
        return list(between(done, laid, ends[0], ends[1], stop, who))


def _spacing(inner: Sequence[SurfacePoint]) -> float:
    """How far apart points lie at most on one surface, a little more."""
    gaps = [
        float(np.linalg.norm(np.subtract(a.position_m, b.position_m)))
        for a, b in pairwise(inner)
        if a.surface == b.surface
    ]
    return _LOOSE * max(gaps, default=_SPACING_M)


def _fixed(point: StrapPoint) -> PointRef:
    """Where a strap's fixed point is."""
    if isinstance(point, SurfacePoint):
        return PointRef(segment=point.surface.segment, position_m=point.position_m)
    if isinstance(point, JunctionPoint):
        if point.surface is not None:
            return PointRef(segment=point.surface.segment, position_m=point.position_m)
        return PointRef(segment=GROUND, position_m=point.position_m)
    return PointRef(segment=point.segment, position_m=point.position_m)
