"""What contacts, belts and airbags push and pull with."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from solver.analysis.acting.seen import Seen, units
from solver.analysis.acting.share import Share
from solver.engine.maths.rotation import Array
from solver.model.belt_lines import over_sphere
from solver.project.airbag_panels import panel_segments
from solver.project.belts import AnchorPoint, Belt, RingPoint, Strap
from solver.project.contact import PlaneContact
from solver.project.geometry import Ellipsoid
from solver.project.pose import turn


def of_contacts(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what allowed contacts press with, at their points of application."""
    planes = {plane.id: plane.segment for plane in seen.project.planes}
    contacts = {contact.id: contact for contact in seen.project.contacts}
    for id_, row in seen.rows("contacts"):
        contact = contacts[id_]
        if isinstance(contact, PlaneContact):
            ends = (contact.surface.segment, planes[contact.plane])
        else:
            ends = (contact.first.segment, contact.second.segment)
        for end, sign in zip(ends, (1.0, -1.0), strict=True):
            if end == segment:
                yield Share("contacts", f"contacts/{id_}", sign * row["force"], row["point"])


def of_straps(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what straps of harnesses pull with, point by point."""
    straps = {f"{h.id}.{strap.id}": strap for h in seen.project.harnesses for strap in h.straps}
    for id_, row in seen.rows("strap_points"):
        name, _, number = id_.rpartition(".")
        if _carrier(straps[name], int(number)) == segment:
            harness = name.partition(".")[0]
            yield Share("belts", f"harnesses/{harness}", row["force"], row["position"])


def _carrier(strap: Strap, number: int) -> str:
    """Name the segment on which a point of a strap lies; empty for a junction that hangs free."""
    point = strap.points[number]
    if isinstance(point, AnchorPoint | RingPoint):
        return point.segment
    return "" if point.surface is None else point.surface.segment


def of_belts(seen: Seen, segment: str) -> Iterator[Share]:
    """Give the pulls of simple belts, as straight from each anchor to where they touch."""
    known = {belt.id: belt for belt in seen.project.belts}
    bodies = {(s.id, e.id): e for s in seen.project.segments for e in s.surfaces}
    for id_, row in seen.rows("belts"):
        belt = known[id_]
        on = belt.surface.segment
        anchors = (belt.anchor_a, belt.anchor_b)
        if segment not in (on, *(anchor.segment for anchor in anchors)):
            continue
        ends = [seen.points(anchor.segment, anchor.position_m) for anchor in anchors]
        touched = _touched(seen, belt, bodies[on, belt.surface.surface], ends)
        for n, anchor in enumerate(anchors):
            pull = row["tension"][:, n, None] * units(touched[n] - ends[n])
            if anchor.segment == segment:
                yield Share("belts", f"belts/{id_}", pull, ends[n])
            if on == segment:
                yield Share("belts", f"belts/{id_}", -pull, touched[n])


def _touched(seen: Seen, belt: Belt, body: Ellipsoid, ends: list[Array]) -> tuple[Array, Array]:
    """Give where the belt from each anchor meets the body (T, 3), ground axes (7.3)."""
    on = belt.surface.segment
    # in the axes in which the ellipsoid is a unit sphere, its section is a circle
    scale = seen.turns(on) @ (turn(body.orientation) * np.array(body.semi_axes_m))
    centre = seen.points(on, body.centre_m)
    a, f, b = (
        np.linalg.solve(scale, (points - centre)[..., None])[..., 0]
        for points in (ends[0], seen.points(on, belt.fixed_point_m), ends[1])
    )
    lines = [over_sphere(*three) for three in zip(a, f, b, strict=True)]
    first, last = (np.array([line[n] for line in lines])[..., None] for n in (0, -1))
    return centre + (scale @ first)[..., 0], centre + (scale @ last)[..., 0]


def of_bags(seen: Seen, segment: str) -> Iterator[Share]:
    """Give what bags press with, and what their panels bear of it where all of a bag's are on one segment."""
    panels = {bag.id: panel_segments(bag, seen.project) for bag in seen.project.airbags}
    for id_, row in seen.rows("airbag_contacts"):
        bag, on = id_.split(".")[:2]
        if on == segment:
            yield Share("airbags", f"airbags/{bag}", row["force"], row["point"])
        # a bag weighs little: it hands on what it presses with
        if panels[bag] == {segment}:
            yield Share("airbags", f"airbags/{bag}", -row["force"], row["point"])
