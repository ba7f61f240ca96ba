"""List what of an element can be taken hold of in the scene: where it is, and what may be done with it."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from app import texts
from app.elements import find, name_of
from solver.base.words import msgid, tr
from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.angles import limit_of
from solver.project.belts import Belt, JunctionPoint, SurfacePoint
from solver.project.fields import Part
from solver.project.geometry import Ellipsoid, FrameRef, PointRef
from solver.project.joint_table import axes_of, carrying, is_free, is_rigid, row_of
from solver.project.pose import panel_of, plane_corners, turn
from solver.project.posing import angles_of, root_of
from solver.project.ranges import ranges_of
from solver.project.segments import GROUND, PlaneFrame
from solver.scene.placing import Pose, in_ground, placeable, pose_at_start

_POINT = msgid("Point")
_KINDS_OF_POINTS: dict[str, str] = {
    "anchor": msgid("Anchor"),
    "ring": msgid("Ring"),
    "junction": msgid("Junction"),
    "surface": msgid("Point"),
}
_ONE_OF_POINTS = "{kind} {number}"

WHOLE = ""
"""The grip that takes the element as a whole."""


@dataclass(frozen=True, slots=True)
class Grip:
    """A place in ground axes (m), the element's own axes there, and what can be done.

    `path` leads from the element to what is moved: '' for the whole, 'anchor_a', 'straps/0/points/2'.
    """

    path: str
    title: str
    p_W: Array
    R_W: Array
    moves: bool = True
    turns: bool = False
    pivot_W: Array | None = None
    """Point about which it turns, where that is not its place: the joint of a limb."""
    slides: bool = False
    """Whether it stays on a surface, wherever it is drawn."""
    pin: int | None = None
    """The axis of `R_W` about which alone it turns; none where it turns about all."""


def grips(project: Project, pose: Pose, element: str) -> tuple[Grip, ...]:
    """List the grips of an element, the most useful first; none for what has no place."""
    item: Any = find(project, element)
    list_name = element.partition("/")[0]
    if item is None or "/" not in element:
        return ()
    if list_name == "segments":
        found = _of_segment(project, pose, item)
    elif list_name == "joints":
        found = _of_joint(pose, item)
    elif list_name == "planes":
        found = _of_plane(pose, item)
    elif list_name == "airbags":
        found = _of_airbag(project, pose, item)
    else:
        found = _points(project, pose, item, "", "")
    return tuple(found)


def _of_segment(project: Project, pose: Pose, segment: Any) -> Iterator[Grip]:
    if segment.id not in pose:
        return
    at = pose[segment.id]
    sound = placeable(project)
    root = root_of(sound, segment.id)
    carrier = next((j for j in carrying(sound.joints) if j.child == segment.id), None)
    turns = carrier is None or not is_rigid(carrier)
    pivot, R_W, pin = None, at.R_WS, None
    if carrier is not None:
        pivot = in_ground(pose, segment.id, carrier.child_frame.position_m)
        order = row_of(carrier).order
        if len(order) == 1 and carrier.parent in pose:
            R_W = pose[carrier.parent].R_WS @ turn(carrier.parent_frame.orientation)
            pin = "xyz".index(order)
    title = name_of(segment)
    yield Grip(WHOLE, title, at.p_W, R_W, root != GROUND, turns, pivot, pin=pin)
    for surface in segment.surfaces:
        centre = in_ground(pose, segment.id, surface.centre_m)
        R = at.R_WS @ turn(surface.orientation)
        yield Grip(
            f"surfaces/{surface.id}",
            tr("Surface {name}", name=name_of(surface)),
            centre,
            R,
            True,
            True,
        )


def _of_joint(pose: Pose, joint: Any) -> Iterator[Grip]:
    if joint.parent in pose and joint.child in pose and not is_free(joint):
        point = in_ground(pose, joint.child, joint.child_frame.position_m)
        R = pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
        yield Grip(WHOLE, name_of(joint), point, R, True, True)


def _of_plane(pose: Pose, plane: Any) -> Iterator[Grip]:
    if plane.segment not in pose:
        return
    at = pose[plane.segment]
    corner, edge, other = plane_corners(plane)
    front = np.cross(edge, other)
    size = float(np.linalg.norm(front))
    R = np.eye(3)
    if size > 0.0:
        x, z = edge / np.linalg.norm(edge), front / size
        R = np.column_stack([x, np.cross(z, x), z])
    R_W = at.R_WS @ R
    middle = in_ground(pose, plane.segment, corner + 0.5 * (edge + other))
    yield Grip(WHOLE, name_of(plane), middle, R_W, True, True)
    if isinstance(plane.placement, PlaneFrame) and not plane.bounded:
        return
    corners = (corner, corner + edge, corner + other, corner + edge + other)
    for number, place in enumerate(corners, 1):
        p_W = in_ground(pose, plane.segment, place)
        yield Grip(f"corner/{number}", tr("Corner {number}", number=number), p_W, R_W)


def _of_airbag(project: Project, pose: Pose, bag: Any) -> Iterator[Grip]:
    panel = panel_of(bag, project)
    if panel is None or panel.segment not in pose:
        return
    R = pose[panel.segment].R_WS @ turn(bag.orientation)
    p_W = in_ground(pose, panel.segment, panel.of(bag.deployment_point_m))
    yield Grip(WHOLE, tr("Deployment point"), p_W, R, True, True)


def surface_at(project: Project, ref: Any) -> Ellipsoid | None:
    """Give the surface that a reference names."""
    segment: Any = find(project, f"segments/{ref.segment}")
    return next((s for s in getattr(segment, "surfaces", ()) if s.id == ref.surface), None)


def _points(project: Project, pose: Pose, part: Part, path: str, title: str) -> Iterator[Grip]:
    """Find every point and frame of an element at any depth."""
    if isinstance(part, FrameRef):
        if part.segment in pose:
            at, frame = pose[part.segment], part.frame
            p_W = in_ground(pose, part.segment, frame.position_m)
            yield Grip(path, title, p_W, at.R_WS @ turn(frame.orientation), True, True)
        return
    carrier = _carrier(part)
    if carrier is not None:
        if carrier in pose:
            local = getattr(part, "position_m", None)
            local = part.point_m if local is None else local  # type: ignore[attr-defined]
            p_W = in_ground(pose, carrier, local)
            slides = getattr(part, "surface", None) is not None
            yield Grip(path, title or tr(_POINT), p_W, pose[carrier].R_WS, slides=slides)
        return
    seen: set[str] = set()
    for name, info in type(part).model_fields.items():
        value = getattr(part, name)
        ahead = f"{path}/{name}" if path else name
        if isinstance(value, Part):
            yield from _points(project, pose, value, ahead, tr(info.title or name))
        elif isinstance(value, tuple):
            for number, one in enumerate(value):
                if not isinstance(one, Part):
                    break
                if isinstance(one, JunctionPoint):
                    if one.junction in seen:
                        continue
                    seen.add(one.junction)
                words = _ONE_OF_POINTS.format(kind=_kind(one), number=number + 1)
                yield from _points(project, pose, one, f"{ahead}/{number}", words)
    if isinstance(part, Belt) and part.surface.segment in pose:
        p_W = in_ground(pose, part.surface.segment, part.fixed_point_m)
        yield Grip(
            "fixed_point_m",
            tr("Fixed point"),
            p_W,
            pose[part.surface.segment].R_WS,
            slides=True,
        )


def _kind(part: Part) -> str:
    return tr(_KINDS_OF_POINTS.get(getattr(part, "kind", ""), _POINT))


def _carrier(part: Part) -> str | None:
    """Name the segment in whose axes a part is a point; None for what is no point."""
    if isinstance(part, SurfacePoint):
        return part.surface.segment
    if isinstance(part, JunctionPoint):
        return GROUND if part.surface is None else part.surface.segment
    fields = type(part).model_fields
    if "segment" not in fields:
        return None
    if isinstance(part, PointRef) or "position_m" in fields:
        return str(part.segment)  # type: ignore[attr-defined]
    if "point_m" in fields and getattr(part, "kind", "") != "torque":
        return str(part.segment)  # type: ignore[attr-defined]
    return None


_SLIDE_M = 0.5


@dataclass(frozen=True, slots=True)
class Coordinate:
    """One coordinate of a joint: its name, words, unit (rad or m), value, and least and greatest."""

    name: str
    title: str
    unit: str
    value: float
    low: float
    high: float


def coordinates(project: Project, joint: Any) -> tuple[Coordinate, ...]:
    """List the coordinates of a joint at the start; none for one that is locked or free."""
    row = row_of(joint)
    if is_free(joint):
        return ()
    slides = [(slide.name, "m", _least(slide.name), _SLIDE_M) for slide in row.slides]
    acting = {axis.turn: (axis.centre_rad, _reach(axis.spring)) for axis in axes_of(joint)}
    turns = [(turn.name, "rad", *acting.get(turn, (0.0, math.pi))) for turn in row.turns]
    values = angles_of(project, joint.id, pose_at_start(project)) if row.coordinates else ()
    free = ranges_of(project, joint, tuple(values))
    out = []
    for (name, unit, centre, limit), value in zip(row.chained(slides, turns), values, strict=True):
        low, high = centre - limit, centre + limit
        if not free[name].is_resisted:
            low, high = max(low, free[name].low), min(high, free[name].high)
        title = tr(texts.scene.COORDINATES[name])
        out.append(Coordinate(name, title, unit, value, min(low, value), max(high, value)))
    return tuple(out)


def _least(name: str) -> float:
    """The middle of a slider: a strut has no length below zero."""
    return _SLIDE_M if name == "length" else 0.0


def _reach(spring: Any) -> float:
    return min(limit_of(spring), math.pi)
