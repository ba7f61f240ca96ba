"""Take elements away so that what stays, stays where it is."""

from __future__ import annotations

from dataclasses import replace

from solver.project import Project
from solver.project.geometry import upright
from solver.project.motions import AttitudeStart, RootStart
from solver.project.pose import moved_at_start
from solver.project.references import Removal, without
from solver.project.segments import GROUND
from solver.scene.placing import Pose, pose_at_start


def removed(project: Project, *paths: str) -> Removal:
    """Take elements away with what cannot be without them; loose segments keep their place."""
    done = without(project, *paths)
    return replace(done, project=kept_in_place(project, done.project))


def kept_in_place(before: Project, after: Project) -> Project:
    """Give segments that have lost their joint, or what their start counted from, their old place."""
    carried = {joint.child for joint in before.joints}
    now = {joint.child for joint in after.joints}
    from_before = {root.segment: root.relative_to for root in before.initial.roots}
    turned_before = {one.segment: one.relative_to for one in before.initial.attitudes}
    loose = {s.id for s in after.segments if s.id in carried and s.id not in now}
    shifted = {
        r.segment for r in after.initial.roots if from_before.get(r.segment) != r.relative_to
    }
    twisted = {
        a.segment for a in after.initial.attitudes if turned_before.get(a.segment) != a.relative_to
    }
    if not loose | shifted | twisted:
        return after
    pose, moved = dict(pose_at_start(before)), moved_at_start(after)
    # a start is where a motion begins from
    pose |= {name: one.back(pose[name]) for name, one in moved.items() if name in pose}
    turned = {one.segment for one in after.initial.attitudes}
    roots = [
        root_at(pose, r.segment, r.moves_with) if r.segment in shifted else r
        for r in after.initial.roots
        if r.segment not in loose
    ]
    attitudes = [
        one.model_copy(update={"orientation": upright(pose[one.segment].R_WS)})
        if one.segment in twisted
        else one
        for one in after.initial.attitudes
    ]
    for segment in after.segments:
        if segment.id in loose:
            roots.append(root_at(pose, segment.id))
            if segment.id not in turned:
                attitudes.append(
                    AttitudeStart(segment=segment.id, orientation=upright(pose[segment.id].R_WS))
                )
    initial = after.initial.model_copy(
        update={"roots": tuple(roots), "attitudes": tuple(attitudes)}
    )
    return after.model_copy(update={"initial": initial})


def root_at(pose: Pose, segment: str, moves_with: str = GROUND) -> RootStart:
    """The start of a tree's root where the segment stands now, counted from ground."""
    place = tuple(round(float(x), 12) + 0.0 for x in pose[segment].p_W)
    return RootStart(segment=segment, position_m=place, moves_with=moves_with)
