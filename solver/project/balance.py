"""Weigh a body: its mass centre, how its weight goes into supports, and turned so that it stands over them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from solver.engine.maths.rotation import Array
from solver.project.angles import angles_from
from solver.project.document import Project
from solver.project.geometry import Orientation, PointRef
from solver.project.pose import start_pose
from solver.project.posing import PoseError, members, root_of, turn_about, with_tree_moved
from solver.project.segments import GROUND


@dataclass(frozen=True)
class Balance:
    """Hold a tree's mass (kg), mass centre (m, ground axes), and the force (N) that each support bears.

    A force below zero would have to pull: the body tips over that support's opposite side.
    `tipping_nm` is the part of the moment that no forces along gravity at the supports can bear.
    """

    mass_kg: float
    centre_m: tuple[float, float, float]
    forces_n: tuple[float, ...]
    tipping_nm: float


def weight_balance(
    project: Project, segment: str, supports: Sequence[PointRef | Sequence[float]] = ()
) -> Balance:
    """Weigh the tree of a segment, and share its weight among supports (points, or places in ground axes).

    Supports push against gravity alone. Of all ways to share the weight the most even one is taken.
    """
    mass, centre = _mass_centre(project, segment)
    gravity = np.array(project.gravity_m_per_s2)
    weight = mass * float(np.linalg.norm(gravity))
    if not supports or weight == 0.0:
        return Balance(mass, _three(centre), tuple(0.0 for _ in supports), 0.0)
    up = -gravity / np.linalg.norm(gravity)
    arms = [_ground_place(project, s) - centre for s in supports]
    moments = np.array([np.cross(arm, up) for arm in arms]).T
    # the total is exact; moments are met as well as they can be, then forces as evenly as they can
    size = max(float(np.max(np.abs(moments))), 1e-9)
    rows = np.vstack([1e6 * size * np.ones(len(arms)), moments])
    forces = np.linalg.pinv(rows, rcond=1e-12) @ np.array([1e6 * size * weight, 0.0, 0.0, 0.0])
    left = float(np.linalg.norm(moments @ forces))
    return Balance(mass, _three(centre), tuple(float(f) for f in forces), left)


def with_balance(
    project: Project, segment: str, over: PointRef, axis: Sequence[float] = (0.0, 1.0, 0.0)
) -> Project:
    """Turn a tree about an axis (ground axes) through a point of it, until its weight stands over it.

    The mass centre comes to lie above the point, on the side against gravity.
    """
    _, centre = _mass_centre(project, segment)
    if root_of(project, segment) != root_of(project, over.segment):
        raise PoseError(
            "'{segment}' does not belong to the tree of '{segment_2}'.",
            segment=over.segment,
            segment_2=segment,
        )
    gravity = np.array(project.gravity_m_per_s2)
    if not gravity.any():
        raise PoseError("Without gravity nothing has weight to balance.")
    at = _ground_place(project, over)
    R = turn_about(centre - at, -gravity, axis)
    return with_tree_moved(
        project, segment, orientation=Orientation(angles_rad=angles_from(R, "zyx")), about=at
    )


def _mass_centre(project: Project, segment: str) -> tuple[float, Array]:
    """Give mass (kg) and mass centre (m, ground axes) of a tree; free joints end it."""
    names = set(members(project, root_of(project, segment))) - {GROUND}
    pose = start_pose(project)
    parts = [(s.mass_kg, pose[s.id].p_W) for s in project.segments if s.id in names]
    mass = sum(m for m, _ in parts)
    if mass == 0.0:
        raise PoseError("The tree of '{segment}' has no mass.", segment=segment)
    return mass, sum((m * p for m, p in parts), np.zeros(3)) / mass


def _ground_place(project: Project, support: PointRef | Sequence[float]) -> Array:
    if isinstance(support, PointRef):
        at = start_pose(project)[support.segment]
        return np.asarray(at.p_W + at.R_WS @ np.array(support.position_m))
    return np.array(support, float)


def _three(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
