"""Move and turn what a grip holds: plain functions from one project to the next."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from app.editing.grips import WHOLE, surface_at
from app.elements import find
from solver.base.words import tr
from solver.editing.strapping import relaid
from solver.engine.maths.rotation import Array
from solver.model.route import RouteError
from solver.project import Project
from solver.project.angles import angles_from, joint_values
from solver.project.belts import JunctionPoint, SurfacePoint
from solver.project.changes import value_at, with_value
from solver.project.geometry import FrameRef, Orientation, SurfaceRef
from solver.project.joint_table import carrying
from solver.project.pose import Panel, across, panel_of, turn
from solver.project.posing import (
    PoseError,
    members,
    root_of,
    with_attitude,
    with_joint,
    with_tree_moved,
    within_stops,
)
from solver.project.segments import PlaneFrame, ThreePoints
from solver.scene.placing import Pose, placeable, pose_at_start
from solver.scene.webbing import body_of

FINEST_M, FINEST_RAD = 1e-6, 1e-7
"""To what lengths and angles are rounded that a hand has set."""
_LEAST_EDGE_M = 0.001


class CannotMove(ValueError):
    """Say in a sentence why this cannot be moved that way."""


def moved(project: Project, element: str, path: str, by_W: Array) -> Project:
    """Shift what a grip holds by a way in ground axes (m)."""
    list_name, _, name = element.partition("/")
    pose = pose_at_start(project)
    if list_name == "segments" and path == WHOLE:
        _refuse_broken(project)
        try:
            return with_tree_moved(project, name, [_tidy(x, FINEST_M) for x in by_W])
        except PoseError as reason:
            raise CannotMove(str(reason)) from None
    if list_name == "segments":
        return _shifted(project, f"{element}/{path}/centre_m", pose[name].R_WS, by_W)
    item: Any = find(project, element)
    if list_name == "joints":
        out = _shifted(project, f"{element}/parent_frame/position_m", pose[item.parent].R_WS, by_W)
        return _shifted(out, f"{element}/child_frame/position_m", pose[item.child].R_WS, by_W)
    if list_name == "planes":
        return _plane_moved(project, pose, element, path, by_W)
    if list_name == "airbags":
        panel = _panel(project, item)
        R = pose[panel.segment].R_WS @ panel.R
        return _shifted(project, f"{element}/deployment_point_m", R, by_W)
    if path == "fixed_point_m":
        return _onto(project, f"{element}/{path}", item.surface, pose, by_W)
    out = _point_moved(project, pose, element, path, by_W)
    if list_name == "harnesses":
        try:
            return relaid(project, out, element)
        except RouteError as reason:
            raise CannotMove(str(reason)) from None
    return out


def moved_along(project: Project, element: str, path: str) -> tuple[str, ...]:
    """Name the segments that go along when a grip is moved: all of its tree."""
    list_name, _, name = element.partition("/")
    if list_name != "segments" or path != WHOLE:
        return ()
    sound = placeable(project)
    return tuple(one for one in members(sound, root_of(sound, name)) if one != name)


def turned(project: Project, element: str, path: str, R_turn: Array) -> Project:
    """Turn what a grip holds by a turn in ground axes: segments about their joint, others about themselves."""
    list_name, _, name = element.partition("/")
    pose = pose_at_start(project)
    item: Any = find(project, element)
    if list_name == "segments" and path == WHOLE:
        return _segment_turned(project, pose, name, R_turn)
    if list_name == "segments":
        return _reoriented(project, f"{element}/{path}/orientation", pose[name].R_WS, R_turn)
    if list_name == "joints":
        ends = (("parent_frame", item.parent), ("child_frame", item.child))
        for frame, segment in ends:
            where = f"{element}/{frame}/orientation"
            project = _reoriented(project, where, pose[segment].R_WS, R_turn)
        return project
    if list_name == "planes":
        return _plane_turned(project, pose, element, R_turn)
    if list_name == "airbags":
        R_W = pose[_panel(project, item).segment].R_WS
        return _reoriented(project, f"{element}/orientation", R_W, R_turn)
    held = value_at(project, f"{element}/{path}")
    if isinstance(held, FrameRef):
        where = f"{element}/{path}/frame/orientation"
        return _reoriented(project, where, pose[held.segment].R_WS, R_turn)
    raise CannotMove(tr("A point cannot be turned."))


def _panel(project: Project, bag: Any) -> Panel:
    """The panel that carries an airbag, or say that there is none."""
    panel = panel_of(bag, project)
    if panel is None:
        raise CannotMove(tr("The panel of this airbag is not found."))
    return panel


def _segment_turned(project: Project, pose: Pose, segment: str, R_turn: Array) -> Project:
    """Turn a segment as far as its joint goes, or a whole body that stands free."""
    _refuse_broken(project)
    joint = next((j for j in carrying(project.joints) if j.child == segment), None)
    R_WS = R_turn @ pose[segment].R_WS
    try:
        if joint is None:
            R = Orientation(angles_rad=angles_from(R_WS, "zyx"))
            return with_attitude(project, segment, R)
        R_WP = pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
        R_PC = R_WP.T @ R_WS @ turn(joint.child_frame.orientation)
        now = _values(project, joint)
        wanted = joint_values(joint, R_PC, across(joint, now)[1], now)
        kept = within_stops(project, joint.id, wanted)
        return with_joint(project, joint.id, tuple(_tidy(v, FINEST_RAD) for v in kept))
    except PoseError as reason:
        raise CannotMove(str(reason)) from None


def _refuse_broken(project: Project) -> None:
    """Refuse to pose a tree that has rings or joints with unknown ends."""
    if len(placeable(project).joints) != len(project.joints):
        raise CannotMove(tr("The tree of joints is broken: mend what Problems says of it first."))


def _values(project: Project, joint: Any) -> tuple[float, ...]:
    from solver.project.posing import angles_of

    return angles_of(project, joint.id)


def _plane_moved(project: Project, pose: Pose, element: str, path: str, by_W: Array) -> Project:
    plane: Any = find(project, element)
    at, R_WS = plane.placement, pose[plane.segment].R_WS
    by = R_WS.T @ by_W
    number = int(path.rpartition("/")[2]) if path else 0
    if isinstance(at, ThreePoints):
        # the fourth corner follows from three: moving it moves the two beside it by half
        share = {0: (1, 1, 1), 1: (1, 0, 0), 2: (0, 1, 0), 3: (0, 0, 1), 4: (0, 0.5, 0.5)}[number]
        names = ("p1_m", "p2_m", "p3_m")
        points = {
            n: _tidy3(np.array(getattr(at, n)) + s * by) for n, s in zip(names, share, strict=True)
        }
        return with_value(project, f"{element}/placement", at.model_copy(update=points))
    if number == 0:
        return _shifted(project, f"{element}/placement/frame/position_m", R_WS, by_W)
    R = turn(at.frame.orientation)
    along, across = float(R[:, 0] @ by), float(R[:, 1] @ by)
    sign_x, sign_y = (1.0 if number in (2, 4) else -1.0), (1.0 if number in (3, 4) else -1.0)
    length = max(_LEAST_EDGE_M, at.length_m + sign_x * along)
    width = max(_LEAST_EDGE_M, at.width_m + sign_y * across)
    # the opposite corner stays where it is
    middle = np.array(at.frame.position_m)
    middle = middle + 0.5 * sign_x * (length - at.length_m) * R[:, 0]
    middle = middle + 0.5 * sign_y * (width - at.width_m) * R[:, 1]
    placed = PlaneFrame(
        frame=at.frame.model_copy(update={"position_m": _tidy3(middle)}),
        length_m=_tidy(length, FINEST_M),
        width_m=_tidy(width, FINEST_M),
    )
    return with_value(project, f"{element}/placement", placed)


def _plane_turned(project: Project, pose: Pose, element: str, R_turn: Array) -> Project:
    plane: Any = find(project, element)
    at, R_WS = plane.placement, pose[plane.segment].R_WS
    if isinstance(at, PlaneFrame):
        return _reoriented(project, f"{element}/placement/frame/orientation", R_WS, R_turn)
    points = [np.array(getattr(at, n)) for n in ("p1_m", "p2_m", "p3_m")]
    middle = 0.5 * (points[1] + points[2])
    R = R_WS.T @ R_turn @ R_WS
    p1, p2, p3 = (_tidy3(middle + R @ (p - middle)) for p in points)
    placed = at.model_copy(update={"p1_m": p1, "p2_m": p2, "p3_m": p3})
    return with_value(project, f"{element}/placement", placed)


def _point_moved(project: Project, pose: Pose, element: str, path: str, by_W: Array) -> Project:
    where = f"{element}/{path}" if path else element
    held = value_at(project, where)
    if isinstance(held, FrameRef):
        R = pose[held.segment].R_WS
        return _shifted(project, f"{where}/frame/position_m", R, by_W)
    if isinstance(held, SurfacePoint):
        return _onto(project, f"{where}/position_m", held.surface, pose, by_W)
    if isinstance(held, JunctionPoint):
        return _junction_moved(project, pose, element, held, by_W)
    name = "position_m" if "position_m" in type(held).model_fields else "point_m"
    return _shifted(project, f"{where}/{name}", pose[held.segment].R_WS, by_W)


def _junction_moved(
    project: Project, pose: Pose, element: str, held: JunctionPoint, by_W: Array
) -> Project:
    """Move a junction in every strap that ends in it."""
    harness: Any = find(project, element)
    for s, strap in enumerate(harness.straps):
        for n, point in enumerate(strap.points):
            if not isinstance(point, JunctionPoint) or point.junction != held.junction:
                continue
            where = f"{element}/straps/{s}/points/{n}/position_m"
            if point.surface is None:
                project = _shifted(project, where, np.eye(3), by_W)
            else:
                project = _onto(project, where, point.surface, pose, by_W)
    return project


def _onto(project: Project, where: str, ref: SurfaceRef, pose: Pose, by_W: Array) -> Project:
    """Move a point that lies on a surface, and put it back onto it from the surface's centre."""
    surface = surface_at(project, ref)
    at = pose[ref.segment]
    point = at.p_W + at.R_WS @ np.array(value_at(project, where)) + by_W
    if surface is not None:
        point = body_of(surface, ref.segment, pose).onto(point)
    return with_value(project, where, _tidy3(at.R_WS.T @ (point - at.p_W)))


def _shifted(project: Project, where: str, R_WS: Array, by_W: Array) -> Project:
    old = np.array(value_at(project, where))
    return with_value(project, where, _tidy3(old + R_WS.T @ by_W))


def _reoriented(project: Project, where: str, R_WS: Array, R_turn: Array) -> Project:
    """Turn an orientation that counts from a segment, in the axis order that it has."""
    old: Orientation = value_at(project, where)
    R = R_WS.T @ R_turn @ R_WS @ turn(old)
    angles = angles_from(R, old.order, old.angles_rad)
    made = old.model_copy(update={"angles_rad": tuple(_tidy(a, FINEST_RAD) for a in angles)})
    return with_value(project, where, made)


def _tidy(value: float, finest: float) -> float:
    digits = round(-math.log10(finest))
    return round(float(value), digits) + 0.0


def _tidy3(point: Array) -> tuple[float, float, float]:
    x, y, z = (_tidy(v, FINEST_M) for v in point)
    return x, y, z
