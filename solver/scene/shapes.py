"""Turn a project into shapes: what is drawn, in whose axes, and which element it stands for."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from functools import lru_cache
from typing import Any, Literal

import numpy as np

from solver.project import Project
from solver.project.airbags import Airbag
from solver.project.belts import Belt, Strap
from solver.project.closures import PointOnCurve
from solver.project.coordinate_forces import HillMuscle, Muscle
from solver.project.coordinates import DistanceCoordinate
from solver.project.frames import axes_of
from solver.project.geometry import Ellipsoid, Frame, Hyperellipsoid, Orientation, PointRef
from solver.project.joint_table import carrying, is_held, is_rigid
from solver.project.joints import ExtensionalJoint
from solver.project.links import Disc
from solver.project.pose import Placed, full_bag, panel_of, plane_corners, turn
from solver.project.references import Key
from solver.project.schema import links as lists_of_links
from solver.project.segments import GROUND, Plane, unpack
from solver.scene.around.surroundings import redrawn, stands_in_a_row
from solver.scene.beams import COLOURS, beams_of, folded_frames
from solver.scene.cams import cams_of
from solver.scene.furnishing import Furniture, furnished, is_called_wheel, pedals, stands_for, stood
from solver.scene.lines import courses_of, obstacles_of
from solver.scene.meshes import (
    AROUND,
    Mesh,
    Round,
    arrow,
    body,
    column,
    joined,
    marker,
    path,
    ribbon,
    sheet,
)
from solver.scene.modal import modal_beams_of
from solver.scene.placing import Pose, in_ground
from solver.scene.reach import motors_of
from solver.scene.straps import drawn_bag, fittings, led
from solver.scene.webbing import StrapPath, Surfaces, belt_lay, found_lay, lain_on, strap_lay
from solver.scene.wheels import wheel_meshes

# What is put beside what is solved: meshes of segments, and axes of own frames.

AXIS_M = (0.12, 0.09, 0.06)
"""Drawn lengths of x, y and z of a frame: one knows them by these."""

Added = tuple[str, str, Mesh]
"""Element, segment that carries it, and its mesh in that segment's axes."""


def meshes_of(project: Project, pose: Pose) -> Iterator[Added]:
    """The meshes of segments."""
    for one in project.meshes:
        mesh = _triangles(one.packed, one.frame) if one.segment in pose else None
        if mesh is not None:
            yield f"meshes/{one.id}", one.segment, mesh


def frames_of(project: Project, pose: Pose) -> Iterator[Added]:
    """The axes of own frames: x the longest arrow, z the shortest."""
    for id_, axes in axes_of(project.frames).items():
        if axes.segment in pose:
            place = (axes.origin_m.tobytes(), np.ascontiguousarray(axes.axes).tobytes())
            yield f"frames/{id_}", axes.segment, _arrows(*place)


@lru_cache(maxsize=256)
def _arrows(origin: bytes, axes: bytes) -> Mesh:
    """Make three arrows once: what is not changed is not drawn again."""
    at, R = np.frombuffer(origin), np.frombuffer(axes).reshape(3, 3)
    return joined(*(arrow(at, R[:, k], AXIS_M[k], 0.02, 0.07, 0.8) for k in range(3)))


@lru_cache(maxsize=64)
def _triangles(packed: str, frame: Frame) -> Mesh | None:
    """Make a mesh once, with normals that are means of those of its triangles; None where it cannot be read."""
    found = unpack(packed)
    if found is None:
        return None
    a, b, c = (found.points[found.faces[:, k]] for k in range(3))
    flat = np.cross(b - a, c - a)
    normals = np.zeros_like(found.points)
    for k in range(3):
        np.add.at(normals, found.faces[:, k], flat)
    normals /= np.maximum(np.linalg.norm(normals, axis=1, keepdims=True), 1e-300)
    R, p = turn(frame.orientation), np.array(frame.position_m)
    return Mesh(found.points, found.faces, normals).moved(R, p)


Kind = Literal[
    "body",
    "vehicle",
    "plane",
    "arrow",
    "belt",
    "bag",
    "pack",
    "way",
    "joint",
    "motor",
    "marker",
    "link",
    "muscle",
    "disc",
    "beam",
    "tyre",
    "reach",
]
"""What is drawn; a bag is drawn full ('bag') or folded: its package and the arrow of its way out."""

_Three = tuple[float, float, float]
_Used = tuple[tuple[Key, Ellipsoid], ...]
_Places = tuple[tuple[str, bytes, bytes], ...]

BELT_WIDTH_M = 0.047
"""Drawn width of a simple belt, whose file has none."""
ENDLESS_M = 4.0
"""Drawn edge of a plane without edges."""
JOINT_M, MARKER_M = 0.011, 0.007
"""Drawn radius of a joint, and of a marker."""
BALL_M, SHORT_M, POINT_M = 0.008, 0.04, 1e-8
"""Drawn radius of the ends of a link, the length up to which it has none, and that of one which is not seen."""


@dataclass(frozen=True, slots=True)
class Shape:
    """One thing to draw: its element, its mesh in the axes of `segment`, and its tone."""

    element: str
    kind: Kind
    segment: str
    mesh: Mesh
    tone: int = 0
    framed: bool = True
    part: str = ""
    """Which strap of a harness."""
    round: Round | None = None
    """How something round is made with more or fewer points."""
    furniture: Furniture | None = None
    """What is seen in its place, where people want to see more than is solved."""


_NOTHING = Furniture(Mesh(np.zeros((1, 3)), normals=np.zeros((1, 3))), "paint", np.zeros(3))
"""Where another thing stands for all of it."""


def shapes(project: Project, pose: Pose) -> list[Shape]:
    """List everything that can be seen of a project."""
    surfaces = surfaces_of(project)
    return [
        *_bodies(project, pose),
        *(s for plane in project.planes if plane.segment in pose for s in _plane(plane, project)),
        *webbing(project, surfaces, pose),
        *(s for bag in project.airbags for s in _bag(bag, project)),
        *_wheels(project, pose),
        *_joints(project, pose),
        *motors(project, pose),
        *_markers(project, pose),
        *_added(project, pose),
        *links(project, pose),
    ]


def surfaces_of(project: Project) -> Surfaces:
    """All surfaces of segments by segment and id."""
    return {
        (segment.id, surface.id): surface
        for segment in project.segments
        for surface in segment.surfaces
    }


def _bodies(project: Project, pose: Pose) -> Iterator[Shape]:
    depth = _depths(project)
    driven, hidden = _driven(project), redrawn(project, pose)
    for segment in project.segments:
        kind: Kind = "vehicle" if segment.id in driven else "body"
        for surface in segment.surfaces:
            powers = (2.0, 2.0, 2.0)
            if isinstance(surface, Hyperellipsoid):
                powers = surface.powers
            made = _round_body(surface.semi_axes_m, powers, surface.orientation, surface.centre_m)
            mesh = made.mesh(AROUND, AROUND)
            yield Shape(
                f"segments/{segment.id}",
                kind,
                segment.id,
                mesh,
                depth[segment.id],
                round=made,
                furniture=_NOTHING if segment.id in hidden else stands_for(segment, surface),
            )


@lru_cache(maxsize=1024)
def _round_body(axes: _Three, powers: _Three, orientation: Orientation, centre: _Three) -> Round:
    """Make a body once: what is not changed is the same object, and is not drawn again."""
    R, p = turn(orientation), np.array(centre)

    @lru_cache(maxsize=4)
    def mesh(around: int, along: int) -> Mesh:
        return body(axes, powers, around, along).moved(R, p)

    return Round(p, axes, mesh)


@lru_cache(maxsize=1024)
def _round_ball(centre: _Three, radius: float) -> Round:
    p = np.array(centre)

    @lru_cache(maxsize=4)
    def mesh(around: int, _: int) -> Mesh:
        return marker(p, radius, min(around, 16))

    return Round(p, (radius, radius, radius), mesh)


@lru_cache(maxsize=512)
def _plane_meshes(plane: Plane) -> tuple[Mesh, Mesh] | None:
    """Make a plane's sheet and the arrow on its front side; None for one without area."""
    corner, edge, other = plane_corners(plane)
    front = np.cross(edge, other)
    area = float(np.linalg.norm(front))
    if area <= 0.0:
        return None
    front /= area
    middle = corner + 0.5 * (edge + other)
    if not plane.bounded:
        edge = ENDLESS_M * edge / np.linalg.norm(edge)
        other = ENDLESS_M * np.cross(front, edge) / ENDLESS_M
        corner = middle - 0.5 * (edge + other)
    elif plane.ends != "both":
        one, two = (float(np.linalg.norm(way)) for way in (edge, other))
        edge = edge * (ENDLESS_M / one if plane.ends == "second" else 1.0)
        other = other * (ENDLESS_M / two if plane.ends == "first" else 1.0)
        corner = middle - 0.5 * (edge + other)
    length = float(np.clip(0.22 * np.sqrt(area), 0.04, 0.14))
    return sheet(corner, edge, other), arrow(middle, front, length)


def _driven(project: Project) -> set[str]:
    """Name the segments that are moved as prescribed or drive on tyres, and those that are locked to them or held at first."""
    driven = {GROUND, *(motion.segment for motion in project.motions)}
    driven |= {tyre.carrier for tyre in project.tyres if tyre.carrier is not None}
    locked = [joint for joint in project.joints if is_rigid(joint) or is_held(joint)]
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


def _plane(plane: Plane, project: Project) -> Iterator[Shape]:
    meshes, furniture = _plane_meshes(plane), furnished(plane)
    if meshes is not None:
        name = f"planes/{plane.id}"
        yield Shape(
            name,
            "plane",
            plane.segment,
            meshes[0],
            framed=plane.bounded,
            furniture=furniture and _fitted(furniture, plane, project),
        )
        yield Shape(name, "arrow", plane.segment, meshes[1], framed=False)


def _fitted(furniture: Furniture, plane: Plane, project: Project) -> Furniture:
    """Stand a seat on its floor, and give a toe board its pedals where somebody drives."""
    if any(is_called_wheel(segment.id) for segment in project.segments):
        beside = (p for p in project.planes if p is not plane and p.segment == plane.segment)
        made = next(filter(None, (pedals(plane, floor) for floor in beside)), None)
        if made is not None:
            return replace(furniture, frame=made)
    if stands_in_a_row(project, plane):
        return furniture
    return stood(furniture, plane, project)


Found = Callable[[str], StrapPath | None]
"""Gives how a run has found a strap to lie, by 'harness.strap'."""


def webbing(
    project: Project, surfaces: Surfaces, pose: Pose, found: Found | None = None
) -> Iterator[Shape]:
    """Lay belts and straps over the bodies in a pose, in ground axes."""
    straps: list[tuple[str, str, Belt | Strap]] = []
    for belt in project.belts:
        straps.append((f"belts/{belt.id}", "", belt))
    for harness in project.harnesses:
        straps += [(f"harnesses/{harness.id}", strap.id, strap) for strap in harness.straps]
    for element, part, strap in straps:
        if found is None:
            mesh = _lain_mesh(strap, *_under(strap, surfaces, pose))
        else:
            course = found(f"{element.partition('/')[2]}.{part}") if part else None
            mesh = _strap_mesh(strap, surfaces, pose, course)
        if mesh is not None:
            yield Shape(element, "belt", GROUND, mesh, part=part)


def _under(strap: Belt | Strap, surfaces: Surfaces, pose: Pose) -> tuple[_Used, _Places]:
    """The surfaces and places on which a strap depends, so that they can be compared."""
    keys = lain_on(strap)
    used = tuple((k, surfaces[k[1], k[2]]) for k in keys if len(k) == 3 and k[1:] in surfaces)
    places = tuple(
        (k[1], pose[k[1]].R_WS.tobytes(), pose[k[1]].p_W.tobytes())
        for k in keys
        if k[0] == "segments" and k[1] in pose
    )
    return used, places


@lru_cache(maxsize=256)
def _lain_mesh(strap: Belt | Strap, used: _Used, places: _Places) -> Mesh | None:
    """Lay a strap once for each place of what it lies on."""
    surfaces: Surfaces = {(key[1], key[2]): surface for key, surface in used}
    pose = {name: Placed(np.frombuffer(R).reshape(3, 3), np.frombuffer(p)) for name, R, p in places}
    return _strap_mesh(strap, surfaces, pose, None)


def _strap_mesh(
    strap: Belt | Strap, surfaces: Surfaces, pose: Pose, course: StrapPath | None
) -> Mesh | None:
    if isinstance(strap, Belt):
        lay, width = belt_lay(strap, surfaces, pose), BELT_WIDTH_M
    elif course is None:
        lay, width = strap_lay(strap, surfaces, pose), strap.width_m
    else:
        lay, width = found_lay(strap, surfaces, pose, course), strap.width_m
    if lay is None:
        return None
    lay = led(strap, lay, pose)
    held = fittings(strap, lay, width, pose)
    return joined(ribbon(lay.line, lay.outward, width), *held)


def _bag(bag: Airbag, project: Project) -> Iterator[Shape]:
    """Show a bag folded at its deployment point and full, with its +x end there."""
    panel, placed = panel_of(bag, project), full_bag(bag, project)
    if panel is None or placed is None:
        return
    segment, name = panel.segment, f"airbags/{bag.id}"
    made = drawn_bag(bag, placed)
    yield Shape(name, "bag", segment, made.full, round=made.full_round)
    yield Shape(name, "pack", segment, made.pack, framed=False, round=made.pack_round)
    yield Shape(name, "way", segment, made.way_out, framed=False)


def _joints(project: Project, pose: Pose) -> Iterator[Shape]:
    for joint in carrying(project.joints):
        if joint.parent in pose and joint.child in pose:
            ball = _round_ball(joint.child_frame.position_m, JOINT_M)
            mesh = ball.mesh(AROUND, AROUND)
            yield Shape(f"joints/{joint.id}", "joint", joint.child, mesh, framed=False, round=ball)


def _wheels(project: Project, pose: Pose) -> Iterator[Shape]:
    """Show the tyre and the rim of each wheel."""
    for tyre in project.tyres:
        if tyre.wheel in pose:
            rubber, rim = wheel_meshes(tyre)
            yield Shape(f"tyres/{tyre.id}", "tyre", tyre.wheel, rubber)
            yield Shape(f"tyres/{tyre.id}", "vehicle", tyre.wheel, rim)


def _markers(project: Project, pose: Pose) -> Iterator[Shape]:
    """Show a ball at each point that a test followed."""
    for one in project.markers:
        if one.segment in pose:
            ball = _round_ball(one.point_m, MARKER_M)
            mesh = ball.mesh(AROUND, AROUND)
            yield Shape(f"markers/{one.id}", "marker", one.segment, mesh, framed=False, round=ball)


def _added(project: Project, pose: Pose) -> Iterator[Shape]:
    """Show meshes of segments, and axes of own frames."""
    clear = {f"meshes/{one.id}" for one in project.meshes if one.see_through}
    driven = _driven(project) if project.tyres else ()
    hidden = redrawn(project, pose)
    for element, segment, mesh in meshes_of(project, pose):
        plain: Kind = "vehicle" if segment in driven else "body"
        own = _NOTHING if segment in hidden and element not in clear else None
        yield Shape(element, "reach" if element in clear else plain, segment, mesh, furniture=own)
    for element, segment, mesh in obstacles_of(project, pose):
        yield Shape(element, "reach", segment, mesh, framed=False)
    for element, segment, mesh in cams_of(project, pose):
        yield Shape(element, "body", segment, mesh)
    for element, segment, mesh in frames_of(project, pose):
        yield Shape(element, "marker", segment, mesh, framed=False)


def motors(project: Project, pose: Pose) -> Iterator[Shape]:
    """Show an arrow around or along each coordinate that a driver moves."""
    for element, segment, mesh in motors_of(project, pose):
        yield Shape(element, "motor", segment, mesh, framed=False)


def links(project: Project, pose: Pose) -> Iterator[Shape]:
    """Show what joins two ends as a line between them; long ones end in balls."""
    for name in lists_of_links():
        for item in getattr(project, name):
            element = f"{name}/{item.id}"
            if isinstance(item, PointOnCurve):
                continue
            if isinstance(item, Disc):
                yield from _disc(element, item, pose)
                continue
            ends = getattr(item, "a", None), getattr(item, "b", None)
            yield from _link(element, "link", ends, pose)
    for beam, mesh in beams_of(project, pose):
        yield Shape(f"beams/{beam.id}", "beam", GROUND, mesh, COLOURS.index(beam.colour))
    for id_, mesh in folded_frames(project, pose):
        yield Shape(f"crash_frames/{id_}", "beam", GROUND, mesh)
    for bends, mesh in modal_beams_of(project, pose):
        yield Shape(f"modal_bodies/{bends.id}", "beam", GROUND, mesh)
    for joint in project.joints:
        if isinstance(joint, ExtensionalJoint):
            begins = PointRef(segment=joint.parent, position_m=joint.parent_frame.position_m)
            tip = PointRef(segment=joint.child, position_m=joint.child_frame.position_m)
            yield from _link(f"joints/{joint.id}", "link", (begins, tip), pose)
    yield from _lines(project, pose)


def _lines(project: Project, pose: Pose) -> Iterator[Shape]:
    """Show lines on which laws act, muscles among them."""
    courses = courses_of(project, pose)
    for force in project.coordinate_forces:
        at = force.coordinate
        if not isinstance(at, DistanceCoordinate):
            continue
        is_muscle = any(isinstance(law, Muscle | HillMuscle) for law in force.laws)
        element = f"coordinate_forces/{force.id}"
        kind: Kind = "muscle" if is_muscle else "link"
        if force.id in courses:
            yield Shape(element, kind, GROUND, path(courses[force.id]))
        else:
            yield from _link(element, kind, at.points, pose)


def _link(element: str, kind: Kind, ends: tuple[Any, ...], pose: Pose) -> Iterator[Shape]:
    if any(end is None or end.segment not in pose for end in ends):
        return
    line = np.array([in_ground(pose, end.segment, _position(end)) for end in ends])
    legs = line[1:] - line[:-1]
    long = float(np.sqrt((legs * legs).sum(axis=1)).sum())
    if long < POINT_M:
        return
    mesh = path(line)
    if kind == "link" and long > SHORT_M:
        mesh = joined(mesh, *(marker(point, BALL_M) for point in (line[0], line[-1])))
    yield Shape(element, kind, GROUND, mesh)


def _disc(element: str, disc: Disc, pose: Pose) -> Iterator[Shape]:
    """Show a disc between its plates as they stand, round and of its area."""
    if disc.a.segment not in pose or disc.b.segment not in pose:
        return
    plates = [
        (
            in_ground(pose, end.segment, end.frame.position_m),
            pose[end.segment].R_WS @ turn(end.frame.orientation),
        )
        for end in (disc.a, disc.b)
    ]
    yield Shape(element, "disc", GROUND, column(math.sqrt(disc.area_m2 / math.pi), *plates))


def _position(end: Any) -> tuple[float, float, float]:
    frame = getattr(end, "frame", None)
    return end.position_m if frame is None else frame.position_m  # type: ignore[no-any-return]
