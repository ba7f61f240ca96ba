"""The angles of joints at time zero, as their springs see them."""

from __future__ import annotations

import math
from typing import Any

from solver.maths.rotation import Array, precession_nutation_spin
from solver.project.checks.index import Index


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
) -> list[tuple[str, Any, float]]:
    """List the angles (rad) at time zero that a joint's springs see, each from its centre."""
    kind = joint.kind
    if kind == "pin":
        springs = [joint.spring]
    elif kind in ("ball", "slip"):
        springs = [joint.flexure, joint.torsion]
    elif kind == "universal":
        springs = [joint.first.spring, joint.second.spring]
    elif kind == "euler":
        springs = [joint.precession.spring, joint.nutation.spring, joint.spin.spring]
    else:
        return []
    if not any(has_stop(spring) for spring in springs):
        return []
    R = relative_turn(index, joint)
    if kind == "pin":
        return [("", joint.spring, values[0] if values else math.atan2(R[0, 2], R[0, 0]))]
    if kind == "slip":
        return _slip_angles(joint, values, R)
    if kind == "ball":
        return [
            (" of flexure", joint.flexure, flexure(R)),
            (" of torsion", joint.torsion, _torsion(R)),
        ]
    if kind == "universal":
        q = values or (math.atan2(R[2, 1], R[1, 1]), math.atan2(R[0, 2], R[0, 0]))
        named = {"the first axis": joint.first, "the second axis": joint.second}
    else:
        q = values or tuple(precession_nutation_spin(R).tolist())
        named = {"precession": joint.precession, "nutation": joint.nutation, "spin": joint.spin}
    return [
        (f" of {name}", axis.spring, value - axis.centre_rad)
        for (name, axis), value in zip(named.items(), q, strict=True)
    ]


def _slip_angles(joint: Any, values: tuple[float, ...], R: Array) -> list[tuple[str, Any, float]]:
    if joint.rotation == "pin_y":
        return [("", joint.flexure, values[1] if values else math.atan2(R[0, 2], R[0, 0]))]
    if joint.rotation == "pin_z":
        return [("", joint.torsion, values[1] if values else math.atan2(R[1, 0], R[0, 0]))]
    if joint.rotation == "ball":
        return [
            (" of flexure", joint.flexure, flexure(R)),
            (" of torsion", joint.torsion, _torsion(R)),
        ]
    return []


def flexure(R: Array) -> float:
    """Give the angle (rad) between the z axes."""
    return math.atan2(math.hypot(R[0, 2], R[1, 2]), R[2, 2])


def _torsion(R: Array) -> float:
    return math.atan2(R[1, 0] - R[0, 1], R[0, 0] + R[1, 1])
