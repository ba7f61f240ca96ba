"""The motion of a run, or of markers, as targets that actuators follow."""

from __future__ import annotations

import numpy as np

from solver.analysis.inverse.bodies import At
from solver.analysis.inverse.motion import motion_of_run
from solver.analysis.tracking import Followed
from solver.bodies.posture import Course, turns_as_one
from solver.engine.maths.rotation import Array, from_angles, matrices
from solver.project.geometry import Frame
from solver.project.joint_table import TURNS_OF_BALLS, is_free, law_axes, row_of
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


def course_of_markers(followed: Followed) -> Course:
    """Give where all axes of joints are in a motion that was followed, as targets of actuators."""
    from scipy.spatial.transform import Rotation

    joints = {joint.id: joint for joint in followed.project.joints}
    columns = {(c.of, c.name): n for n, c in enumerate(followed.coordinates) if not c.root}
    value: dict[tuple[str, str], Array] = {}
    for name in dict.fromkeys(of for of, _ in columns):
        turns = row_of(joints[name]).turns
        if not turns_as_one(joints[name]):
            value |= {(of, a): followed.value[:, n] for (of, a), n in columns.items() if of == name}
        elif all((name, one.name) in columns for one in turns):
            angles = followed.value[:, [columns[name, one.name] for one in turns]]
            order = "".join(one.axis for one in turns)
            R = np.array([from_angles(tuple(a), order) for a in angles])
            vector = Rotation.from_matrix(R).as_rotvec()
            value |= {(name, axis): vector[:, k] for k, axis in enumerate(TURNS_OF_BALLS)}
    return Course(followed.time, value)
