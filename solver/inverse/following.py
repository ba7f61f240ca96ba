"""The motion of a run as targets that actuators follow."""

from __future__ import annotations

import numpy as np

from solver.bodies.posture import Course, turns_as_one
from solver.inverse.bodies import At
from solver.inverse.motion import motion_of_run
from solver.maths.rotation import Array, matrices
from solver.project.geometry import Frame
from solver.project.joint_table import TURNS_OF_BALLS, is_free, law_axes
from solver.project.pose import turn
from solver.project.segments import GROUND
from solver.results.trajectory import Trajectory


def course_of_run(at: At, run: Trajectory) -> Course:
    """Give where all axes of joints are in the frames of a run of this model."""
    from scipy.spatial.transform import Rotation

    motion, table = motion_of_run(at, run), run.table("segments")
    R = matrices(table["quaternion_wxyz"])
    trees, project = motion.at.compiled.trees, motion.at.compiled.project

    def turned(segment: str, frame: Frame) -> Array:
        own = np.eye(3)[None] if segment == GROUND else R[:, table.ids.index(segment)]
        return np.asarray(own @ turn(frame.orientation))

    value: dict[tuple[str, str], Array] = {}
    for joint in project.joints:
        if is_free(joint):
            continue
        if turns_as_one(joint):
            parent = turned(joint.parent, joint.parent_frame)
            child = turned(joint.child, joint.child_frame)
            vector = Rotation.from_matrix(np.swapaxes(parent, 1, 2) @ child).as_rotvec()
            value |= {(joint.id, axis): vector[:, k] for k, axis in enumerate(TURNS_OF_BALLS)}
            continue
        bodies = trees.joints[joint.id].bodies
        for axis, body in zip(law_axes(joint), bodies, strict=False):
            value[joint.id, axis] = motion.q[:, trees.tree.at_q[body]]
    return Course(motion.time, value)
