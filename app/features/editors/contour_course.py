"""Follow a globographic stop: its contour, and where a joint's axis points; no Qt."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project import Project
from solver.project.angles import TURN, stop_angles
from solver.project.joint_table import contour_of
from solver.project.pose import turn
from solver.scene.placing import Pose


def stop_of(joint: Any) -> Any:
    """A joint's globographic stop; None for none."""
    return contour_of(joint)


def on_sphere(angle: Array, azimuth: Array) -> Array:
    """Points of the unit sphere by the angle from its pole and the azimuth (n, 3)."""
    sine = np.sin(angle)
    return np.column_stack([sine * np.cos(azimuth), sine * np.sin(azimuth), np.cos(angle)])


def direction(joint: Any, pose: Pose) -> Array:
    """Where the child's joint axis z points, in the parent's joint axes."""
    R_WP = pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
    R_WC = pose[joint.child].R_WS @ turn(joint.child_frame.orientation)
    return np.asarray(R_WP.T @ R_WC)[:, 2]


def polar(d: Array) -> tuple[float, float]:
    """A direction's angle from the pole, and its azimuth from 0 to a whole turn (rad)."""
    angle = math.atan2(math.hypot(d[0], d[1]), d[2])
    return angle, math.atan2(d[1], d[0]) % TURN


def angle_to_stop(project: Project, joint: Any, d: Array) -> float | None:
    """The angle (rad) that is left before the stop begins; below zero beyond it."""
    angle, azimuth = polar(d)
    limit = stop_angles(project, stop_of(joint).contour, [azimuth])
    return float(limit[0]) - angle if len(limit) else None
