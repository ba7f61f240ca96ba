"""Arrows of drivers: around an axis that is turned, along one that is slid, where they stand at the start."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

import numpy as np

from solver.engine.maths.rotation import Array, about_axis
from solver.project import Project
from solver.project.drivers import Driver, FrameDriver
from solver.project.joint_table import carrying, driven_axes, row_of
from solver.project.joints import Joint
from solver.project.pose import turn
from solver.project.posing import angles_of
from solver.scene.meshes import Mesh, curl, double_arrow
from solver.scene.placing import Pose

CURL_M, ALONG_M = 0.045, 0.11
"""Drawn radius of an arrow around an axis, and length of one along it."""

Motor = tuple[str, str, Mesh]
"""Element, segment that carries the arrow, and the arrow in that segment's axes."""


def motors_of(project: Project, pose: Pose) -> Iterator[Motor]:
    """Give the arrows of all drivers."""
    joints = {joint.id: joint for joint in carrying(project.joints)} if project.drivers else {}
    for driver in project.drivers:
        joint = joints.get(driver.joint)
        known = joint is not None and joint.parent in pose and joint.child in pose
        if joint is not None and known and driver.axis in driven_axes(joint):
            yield _of_axis(project, pose, joint, driver)
    for one in project.frame_drivers:
        if one.moved.segment in pose and one.seen_from.segment in pose:
            yield _of_frame(pose, one)


def _of_axis(project: Project, pose: Pose, joint: Joint, driver: Driver) -> Motor:
    """Show an axis in the parent where it is the first of its joint, else in the child."""
    row, names = row_of(joint), driven_axes(joint)
    R_WF = pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
    for freedom in row.freedoms:
        if freedom.name == driver.axis:
            break
        if freedom in row.turns:
            angle = angles_of(project, joint.id, pose)[row.freedoms.index(freedom)]
            R_WF = R_WF @ about_axis(freedom.axis, angle)
    axis = R_WF[:, "xyz".index(next(f.axis for f in row.freedoms if f.name == driver.axis))]
    bearer = joint.parent if driver.axis == names[0] else joint.child
    at = pose[joint.child]
    place = at.p_W + at.R_WS @ np.array(joint.child_frame.position_m)
    return _placed(f"drivers/{driver.id}", bearer, pose, place, axis, driver.turns)


def _of_frame(pose: Pose, driver: FrameDriver) -> Motor:
    """Show a component at the frame that is moved, along or about the axis by which it is counted."""
    (R_A, _), (R_B, place) = (
        (
            pose[one.segment].R_WS @ turn(one.frame.orientation),
            pose[one.segment].p_W + pose[one.segment].R_WS @ np.array(one.frame.position_m),
        )
        for one in (driver.seen_from, driver.moved)
    )
    if driver.component == "pitch":
        axis = np.cross(R_A[:, 2], R_B[:, 0])
        size = float(np.linalg.norm(axis))
        axis = axis / size if size > 1e-9 else R_A[:, 1]
    elif driver.component == "roll":
        axis = R_B[:, 0]
    else:
        axis = R_A[:, "xyz".index("z" if driver.component == "yaw" else driver.component)]
    name = f"frame_drivers/{driver.id}"
    return _placed(name, driver.moved.segment, pose, place, axis, driver.turns)


def _placed(element: str, bearer: str, pose: Pose, place: Array, axis: Array, turns: bool) -> Motor:
    at = pose[bearer]
    here, along = at.R_WS.T @ (place - at.p_W), at.R_WS.T @ axis
    mesh = _mesh(tuple(here.round(9).tolist()), tuple(along.round(9).tolist()), turns)
    return element, bearer, mesh


@lru_cache(maxsize=256)
def _mesh(place: tuple[float, ...], axis: tuple[float, ...], turns: bool) -> Mesh:
    """Make an arrow once: what is not changed is the same object, and is not drawn anew."""
    centre, along = np.array(place), np.array(axis)
    return curl(centre, along, CURL_M) if turns else double_arrow(centre, along, ALONG_M)
