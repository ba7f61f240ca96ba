"""Turn a project into shapes: what is drawn, in whose axes, and which element it stands for."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from app.scene.meshes import Mesh, arrow, body, joined, marker, path, ribbon, sheet
from app.scene.placing import Pose, in_ground
from app.scene.webbing import Lay, Surfaces, belt_lay, strap_lay
from solver.maths.rotation import Array
from solver.project import Project
from solver.project.airbags import Airbag
from solver.project.geometry import Ellipsoid, Hyperellipsoid
from solver.project.pose import Placed, turn
from solver.project.segments import GROUND, Plane, ThreePoints

Kind = Literal["body", "vehicle", "plane", "arrow", "belt", "bag", "joint", "link"]

BELT_WIDTH_M = 0.047
"""Drawn width of a simple belt, whose file has none."""
ENDLESS_M = 4.0
"""Drawn edge of a plane without edges."""


@dataclass(frozen=True, slots=True)
class Shape:
    """Hold one thing to draw: its element, its mesh in the axes of `segment`, and its tone."""

    element: str
    kind: Kind
    segment: str
    mesh: Mesh
    tone: int = 0
    framed: bool = True
    part: str = ""
    """Which strap of a harness."""


def shapes(project: Project, pose: Pose) -> list[Shape]:
    """List everything that can be seen of a project."""
    surfaces = surfaces_of(project)
    return [
        *_bodies(project, pose),
        *(s for plane in project.planes if plane.segment in pose for s in _plane(plane)),
        *webbing(project, surfaces, pose),
        *(s for bag in project.airbags for s in _bag(bag, surfaces)),
        *_joints(project, pose),
        *links(project, pose),
    ]


def surfaces_of(project: Project) -> Surfaces:
    """Give all surfaces of segments by segment and id."""
    return {
        (segment.id, surface.id): surface
        for segment in project.segments
        for surface in segment.surfaces
    }


def _bodies(project: Project, pose: Pose) -> Iterator[Shape]:
    depth = _depths(project)
    driven = _driven(project)
    for segment in project.segments:
        kind: Kind = "vehicle" if segment.id in driven else "body"
        for surface in segment.surfaces:
            powers = (2.0, 2.0, 2.0)
            if isinstance(surface, Hyperellipsoid):
                powers = surface.powers
            mesh = body(surface.semi_axes_m, powers).moved(
                turn(surface.orientation), np.array(surface.centre_m)
            )
            yield Shape(f"segments/{segment.id}", kind, segment.id, mesh, depth[segment.id])


def _driven(project: Project) -> set[str]:
    """Name the segments that are moved as prescribed, and those locked to them."""
    driven = {GROUND, *(motion.segment for motion in project.motions)}
    locked = [joint for joint in project.joints if joint.kind == "locked"]
    for _ in locked:
        more = {joint.child for joint in locked if joint.parent in driven}
        if more <= driven:
            break
        driven |= more
    return driven


def _depths(project: Project) -> dict[str, int]:
    """Count for every segment the joints down to its root; rings count as they come."""
    parent = {joint.child: joint.parent for joint in project.joints}
    depths: dict[str, int] = {}
    for segment in project.segments:
        seen: list[str] = [segment.id]
        while (above := parent.get(seen[-1])) is not None and above not in seen:
            seen.append(above)
        depths[segment.id] = len(seen) - 1
    return depths


def plane_corners(plane: Plane) -> tuple[Array, Array, Array]:
    """Give corner and two edges of a plane in its segment's axes; the front is along their product."""
    at = plane.placement
    if isinstance(at, ThreePoints):
        corner = np.array(at.p1_m)
        return corner, np.array(at.p2_m) - corner, np.array(at.p3_m) - corner
    R = turn(at.frame.orientation)
    edge, other = at.length_m * R[:, 0], at.width_m * R[:, 1]
    return np.array(at.frame.position_m) - 0.5 * (edge + other), edge, other


def _plane(plane: Plane) -> Iterator[Shape]:
    corner, edge, other = plane_corners(plane)
    front = np.cross(edge, other)
    area = float(np.linalg.norm(front))
    if area <= 0.0:
        return
    front /= area
    middle = corner + 0.5 * (edge + other)
    if not plane.bounded:
        edge = ENDLESS_M * edge / np.linalg.norm(edge)
        other = ENDLESS_M * np.cross(front, edge) / ENDLESS_M
        corner = middle - 0.5 * (edge + other)
    name = f"planes/{plane.id}"
    yield Shape(name, "plane", plane.segment, sheet(corner, edge, other), framed=plane.bounded)
    length = float(np.clip(0.22 * np.sqrt(area), 0.04, 0.14))
    yield Shape(name, "arrow", plane.segment, arrow(middle, front, length), framed=False)


Found = Callable[[str], Array | None]
"""Gives where a run has found the points of a strap, by 'harness.strap'."""


def webbing(
    project: Project, surfaces: Surfaces, pose: Pose, found: Found = lambda _: None
) -> Iterator[Shape]:
    """Lay belts and straps over the bodies in a pose, in ground axes."""

    def drawn(element: str, lay: Lay | None, width: float, part: str = "") -> Iterator[Shape]:
        if lay is not None:
            ends = (marker(end, 0.32 * width) for end in (lay.line[0], lay.line[-1]))
            mesh = joined(ribbon(lay.line, lay.outward, width), *ends)
            yield Shape(element, "belt", GROUND, mesh, part=part)

    for belt in project.belts:
        yield from drawn(f"belts/{belt.id}", belt_lay(belt, surfaces, pose), BELT_WIDTH_M)
    for harness in project.harnesses:
        for strap in harness.straps:
            lay = strap_lay(strap, surfaces, pose, found(f"{harness.id}.{strap.id}"))
            yield from drawn(f"harnesses/{harness.id}", lay, strap.width_m, strap.id)


def _bag(bag: Airbag, surfaces: Surfaces) -> Iterator[Shape]:
    """Show the full bag with its +x end at the deployment point, and that point."""
    full = full_bag(bag, surfaces)
    if full is None:
        return
    segment = bag.panels[0].segment
    point = full.p_W + full.R_WS[:, 0] * bag.semi_axes_m[0]
    name = f"airbags/{bag.id}"
    yield Shape(name, "bag", segment, body(bag.semi_axes_m).moved(full.R_WS, full.p_W))
    yield Shape(name, "bag", segment, marker(point, 0.012), framed=False)


def full_bag(bag: Airbag, surfaces: Surfaces) -> Placed | None:
    """Place the full bag in the axes of its first panel's segment."""
    first = bag.panels[0]
    panel: Ellipsoid | None = surfaces.get((first.segment, first.surface))
    if panel is None:
        return None
    point = np.array(panel.centre_m) + turn(panel.orientation) @ np.array(bag.deployment_point_m)
    R = turn(bag.orientation)
    return Placed(R, point - R[:, 0] * bag.semi_axes_m[0])


def _joints(project: Project, pose: Pose) -> Iterator[Shape]:
    for joint in project.joints:
        if joint.kind != "free" and joint.parent in pose and joint.child in pose:
            centre = np.array(joint.child_frame.position_m)
            ball = marker(centre, 0.011)
            yield Shape(f"joints/{joint.id}", "joint", joint.child, ball, framed=False)


def links(project: Project, pose: Pose) -> Iterator[Shape]:
    """Show springs, tension elements and distances as lines between their two points."""
    for name in ("springs", "tension_elements", "constraints"):
        for item in getattr(project, name):
            ends: list[Any] = [getattr(item, "a", None), getattr(item, "b", None)]
            if any(end is None or end.segment not in pose for end in ends):
                continue
            points = [in_ground(pose, end.segment, _position(end)) for end in ends]
            if np.allclose(points[0], points[1]):
                continue
            element = f"{name}/{item.id}"
            mesh = joined(path(np.array(points)), *(marker(point, 0.008) for point in points))
            yield Shape(element, "link", GROUND, mesh)


def _position(end: Any) -> tuple[float, float, float]:
    frame = getattr(end, "frame", None)
    return end.position_m if frame is None else frame.position_m  # type: ignore[no-any-return]
