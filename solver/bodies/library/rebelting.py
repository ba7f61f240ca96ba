"""Lay the straps of a harness over another body where they lay over the one before."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from itertools import pairwise

import numpy as np

from solver.bodies.library.belting import between
from solver.bodies.library.entries import LibraryError, Waypoint
from solver.bodies.library.entries import Strap as LaidStrap
from solver.bodies.library.occupants import (
    BELLY,
    MAIN,
    STRAPS,
    THIGHS,
    Occupant,
    ahead_of,
    is_thigh,
)
from solver.model.route import angle_towards
from solver.project.belts import Harness, JunctionPoint, Strap, StrapPoint, SurfacePoint
from solver.project.document import Project
from solver.project.fields import ZERO3
from solver.project.geometry import PointRef
from solver.project.pose import start_pose
from solver.project.segments import GROUND

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
