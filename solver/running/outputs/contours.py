"""Torques of globographic stops at samples (section 6.2)."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import Array
from solver.engine.forces.joints.contours import contour_load
from solver.model.compile import Model
from solver.project.joints import Joint
from solver.running.outputs.kinematics import Kinematics, along


def relative_turn(model: Model, joint: Joint, seen: Kinematics) -> tuple[Array, Array]:
    """Give the turn of the child's frame in the parent's, and its rate along the child's frame."""
    return seen.once("turn", joint.id, lambda: _relative_turn(model, joint, seen))


def _relative_turn(model: Model, joint: Joint, seen: Kinematics) -> tuple[Array, Array]:
    made = model.trees.joints[joint.id]
    R_WP, R_WC = seen.turn(joint.parent) @ made.R_PF, seen.turn(joint.child) @ made.R_CF
    rate = along(R_WC, seen.spin(joint.child) - seen.spin(joint.parent))
    return R_WP.transpose(0, 2, 1) @ R_WC, rate


def contour_torque(model: Model, joint: Joint, seen: Kinematics) -> Array:
    """Give the torque of a joint's contour on the child, ground axes."""
    return seen.once("contour", joint.id, lambda: _contour_torque(model, joint, seen))


def _contour_torque(model: Model, joint: Joint, seen: Kinematics) -> Array:
    contours, curves = model.system.joints.contours, model.system.curves
    body, R_PF = model.trees.joints[joint.id].bodies[-1], model.trees.joints[joint.id].R_PF
    k, (R, rate) = int(np.flatnonzero(contours.body == body)[0]), relative_turn(model, joint, seen)
    out = np.zeros((seen.rows, 3))
    for t in range(seen.rows):
        axis, turning = tuple(R[t, :, 2].tolist()), tuple((R[t] @ rate[t]).tolist())
        _, gradient, _, size, _ = contour_load(contours, curves, k, axis, turning)
        out[t] = seen.turn(joint.parent)[t] @ R_PF @ (-size * np.array(gradient))
    return out
