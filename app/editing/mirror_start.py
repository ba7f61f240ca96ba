"""Start mirrored segments and joints as the mirror images of where their twins start."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from app.editing.mirror_joints import mirrored_values
from app.editing.removing import upright
from solver.project import Project
from solver.project.pose import Placed, moved_at_start
from solver.project.start import AttitudeStart, Initial, JointStart, RootStart
from solver.scene.placing import pose_at_start

_MIRROR = np.diag([1.0, -1.0, 1.0])


def mirrored_start(
    project: Project, out: Project, names: Mapping[str, Mapping[str, str]]
) -> Initial:
    """Give the start of `out`, in which the twins in `names` stand as mirror images.

    Joints get mirrored coordinates; a segment that had an attitude gets the mirrored one, counted
    from ground; a root is mirrored in the ground's plane of x and z.
    """
    pose, moved, initial = pose_at_start(project), moved_at_start(out), out.initial
    segments, joints = names["segments"], names["joints"]
    attitudes = {a.segment: a for a in initial.attitudes}
    roots = {r.segment: r for r in initial.roots}
    starts = {s.joint: s for s in initial.joints}
    carried = {j.child for j in out.joints}
    for name, twin in segments.items():
        if name not in pose:
            continue
        there = Placed(_MIRROR @ pose[name].R_WS @ _MIRROR, _MIRROR @ pose[name].p_W)
        there = moved[twin].back(there) if twin in moved else there
        if name in attitudes or twin in attitudes or twin not in carried:
            attitudes[twin] = AttitudeStart(segment=twin, orientation=upright(there.R_WS))
        if twin not in carried:
            x, y, z = (round(float(v), 9) + 0.0 for v in there.p_W)
            old = roots.get(name, RootStart(segment=name))
            roots[twin] = RootStart(segment=twin, position_m=(x, y, z), moves_with=old.moves_with)
    for joint in project.joints:
        values = starts[joint.id].values if joint.id in starts else ()
        if joint.id in joints and values:
            twin = joints[joint.id]
            starts[twin] = JointStart(joint=twin, values=mirrored_values(joint, values))
    return initial.model_copy(
        update={
            "attitudes": tuple(attitudes.values()),
            "roots": tuple(roots.values()),
            "joints": tuple(starts.values()),
        }
    )
