"""The angles of joints at time zero, as their springs see them."""

from __future__ import annotations

import math
from typing import Any

from solver.base.words import NOTHING, Sentence
from solver.engine.maths.rotation import Array
from solver.project.angles import start_angles, turned
from solver.project.checks.index import Index
from solver.project.joint_table import axes_of, ball_of, row_of


def relative_turn(index: Index, joint: Any) -> Array:
    """Give the turn of the child's joint frame in the parent's at time zero."""
    R_WP = index.pose[joint.parent].R_WS @ index.turn(joint.parent_frame.orientation)
    R_WC = index.pose[joint.child].R_WS @ index.turn(joint.child_frame.orientation)
    R: Array = R_WP.T @ R_WC
    return R


def has_stop(spring: Any) -> bool:
    """Tell whether a spring has a stop of its own."""
    return spring.torque is None and bool(spring.quadratic_nm_per_rad2 or spring.cubic_nm_per_rad3)


def angles_seen(
    index: Index, joint: Any, values: tuple[float, ...]
) -> list[tuple[Sentence, Any, float]]:
    """List the angles (rad) at time zero that a joint's springs see, each from its centre."""
    ball, axes = ball_of(joint), axes_of(joint)
    springs = [axis.spring for axis in axes] if ball is None else [ball.flexure, ball.torsion]
    if not any(has_stop(spring) for spring in springs):
        return []
    R, row = relative_turn(index, joint), row_of(joint)
    if ball is not None:
        return [
            (Sentence(" of flexure"), ball.flexure, flexure(R)),
            (Sentence(" of torsion"), ball.torsion, _torsion(R)),
        ]
    is_turned = any(one.segment == joint.child for one in index.project.initial.attitudes)
    if row.acts == "euler":
        q = start_angles(joint, R, values, is_turned=is_turned)
    else:
        q = row.turned(values) or turned(R, row.order)
    return [
        (
            Sentence(" of {axis}", axis=axis.turn.label) if len(axes) > 1 else NOTHING,
            axis.spring,
            value - axis.centre_rad,
        )
        for axis, value in zip(axes, q, strict=True)
    ]


def flexure(R: Array) -> float:
    """Give the angle (rad) between the z axes."""
    return math.atan2(math.hypot(R[0, 2], R[1, 2]), R[2, 2])


def _torsion(R: Array) -> float:
    return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])
