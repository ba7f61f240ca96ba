"""Torques of globographic stops at samples (section 6.2)."""

from __future__ import annotations

import numpy as np

from solver.dynamics.tree import Array
from solver.forces.joint_contours import contour_depth
from solver.forces.joint_springs import blend
from solver.maths.curve import curve_at
from solver.model.compile import Model
from solver.outputs.seen import Seen, along
from solver.project.joints import Joint


def relative_turn(model: Model, joint: Joint, seen: Seen) -> tuple[Array, Array]:
    """Give the turn of the child's frame in the parent's, and its rate along the child's frame."""
    made = model.trees.joints[joint.id]
    R_WP, R_WC = seen.turn(joint.parent) @ made.R_PF, seen.turn(joint.child) @ made.R_CF
    rate = along(R_WC, seen.spin(joint.child) - seen.spin(joint.parent))
    return R_WP.transpose(0, 2, 1) @ R_WC, rate


def contour_torque(model: Model, joint: Joint, seen: Seen) -> Array:
    """Give the torque of a joint's contour on the child, ground axes."""
    contours, curves = model.system.joints.contours, model.system.curves
    body, R_PF = model.trees.joints[joint.id].bodies[-1], model.trees.joints[joint.id].R_PF
    k, (R, rate) = int(np.flatnonzero(contours.body == body)[0]), relative_turn(model, joint, seen)
    out = np.zeros((seen.rows, 3))
    for t in range(seen.rows):
        d = R[t, :, 2]
        if float(np.hypot(d[0], d[1])) < 1e-12:
            continue
        depth, *by_turn = contour_depth(contours, curves, k, float(d[0]), float(d[1]), float(d[2]))
        if depth <= 0.0:
            continue
        gradient = np.array(by_turn)
        size, _ = curve_at(curves, int(contours.torque[k]), depth)
        away = float(gradient @ (R[t] @ rate[t]))
        size *= blend(float(contours.returned[k]), away if size >= 0.0 else -away)
        out[t] = seen.turn(joint.parent)[t] @ R_PF @ (-size * gradient)
    return out
