"""Joints: angles, rates, slides, and what they carry."""

from __future__ import annotations

import numpy as np

from solver.engine.dynamics.tree import FREE, Array
from solver.engine.integrate.samples import Samples
from solver.engine.maths.rotation import followed
from solver.model.compile import Model
from solver.project.document import Project
from solver.project.joint_table import carrying, contour_of, is_sliding
from solver.project.joints import Joint
from solver.running.outputs.contours import contour_torque
from solver.running.outputs.joint_motion import has_rates, joint_motion, order_of, state_of
from solver.running.outputs.kind import Columns, Kind
from solver.running.outputs.kinematics import Kinematics


class Joints(Kind):
    """Give what joints do; free ones hold nothing and have no row."""

    group = "joints"

    def __init__(self, model: Model) -> None:
        super().__init__(model)
        self._last: dict[str, Array] = {}

    @staticmethod
    def ids(project: Project) -> tuple[str, ...]:
        """Name the joints."""
        return tuple(j.id for j in carrying(project.joints))

    def columns(self, seen: Kinematics, samples: Samples) -> Columns:
        """Give motion, loads and state; angles are followed on from block to block."""
        joints = carrying(self.model.project.joints)
        columns: dict[str, list[Array]] = {
            name: [] for name in ("angle", "rate", "slide", "torque", "force", "state")
        }
        for joint in joints:
            made = self.model.trees.joints[joint.id]
            before = self._last.get(joint.id)
            angle, rate, slide = followed_motion(self.model, joint, seen, samples, before)
            self._last[joint.id] = angle[-1]
            columns["angle"].append(angle)
            columns["rate"].append(rate)
            columns["slide"].append(
                slide[:, 0] if is_sliding(joint) else np.linalg.norm(slide, axis=1)
            )
            torque, force = joint_load(self.model, joint, seen, samples)
            columns["torque"].append(torque)
            columns["force"].append(force)
            columns["state"].append(state_of(seen.modes, made.bodies).astype(np.int8))
        return {name: np.stack(values, axis=1) for name, values in columns.items()}


def followed_motion(
    model: Model, joint: Joint, seen: Kinematics, samples: Samples, before: Array | None
) -> tuple[Array, Array, Array]:
    """Give a joint's angles, followed on from the last ones, their rates, and the distances slid."""
    angle, rate, slide = joint_motion(model, joint, seen, samples)
    kind = seen.modes.kind[model.trees.joints[joint.id].bodies[-1]]
    if kind != FREE and has_rates(joint):
        # coordinates as they are, and angles that the laws have followed
        return angle, rate, slide
    angle, turned = followed(angle, order_of(joint), before)
    if has_rates(joint):
        # the other way to write a turn has its middle angle the other way round
        rate[turned, 1] *= -1.0
    return angle, rate, slide


def joint_load(
    model: Model, joint: Joint, seen: Kinematics, samples: Samples
) -> tuple[Array, Array]:
    """Give torque and force (T, 3) of a joint on its child, ground axes."""
    bodies = model.trees.joints[joint.id].bodies
    load = samples.load[: seen.rows, bodies[-1]]
    torque = load[:, :3]
    if contour_of(joint) is not None and seen.modes.kind[bodies[-1]] != FREE:
        # a contour's torque acts on the bodies, beside what the joint carries
        torque = torque + contour_torque(model, joint, seen)
    return torque, load[:, 3:]
