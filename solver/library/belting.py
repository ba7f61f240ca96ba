"""Lay the straps of a belt over an occupant: taut in a plane from point to point."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.library.entries import Entry, LibraryError, Waypoint
from solver.library.entries import Strap as LaidStrap
from solver.library.occupants import Occupant
from solver.model.route import RouteError, best_angle, route
from solver.project.belts import AnchorPoint, Harness, RingPoint, Strap, StrapPoint, SurfacePoint
from solver.project.document import Project
from solver.project.geometry import Orientation, PointRef
from solver.project.merging import MergeError, merged, renamed
from solver.project.pose import turn

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
    """Give the project with the entry's harness, laid as everything stands at the start."""
    ahead = f"{prefix}_" if prefix else ""
    R = turn(turned or Orientation())

    def place(position: Vector) -> Vector:
        x, y, z = (float(f"{v:.12g}") for v in np.array(at) + R @ np.array(position))
        return x, y, z

    def points(strap: LaidStrap) -> Iterator[StrapPoint]:
        before: PointRef | None = None
        last = len(strap.waypoints) - 1
        for number, stop in enumerate(strap.waypoints):
            here = PointRef(segment=carrier, position_m=place(stop.position_m))
            if before is not None and stop.over:
                yield from _between(project, strap, before, here, stop, who)
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
        return name if to == "segments" else f"{ahead}{name}"

    try:
        return merged(project, renamed(Project(harnesses=(harness,)), rename))
    except MergeError as failure:
        raise LibraryError(str(failure)) from None


def _between(
    project: Project,
    strap: LaidStrap,
    start: PointRef,
    end: PointRef,
    stop: Waypoint,
    who: Occupant,
) -> Iterator[SurfacePoint]:
    """Give the points of a strap on the occupant between two of its fixed points."""
    over = [who.surfaces[role] for role in stop.over]
    try:
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
        "flesh": strap.flesh,
    }
    for wrap in found.wraps:
        for point in wrap.points():
            yield point.model_copy(update=own)
