"""Give elements another group or another carrier, as when they are dropped on something."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from app.editing.naming import named
from app.editing.removing import upright
from app.elements import find, kind_word, name_of
from solver.base.words import msgid, tr
from solver.project import LISTS, Project
from solver.project.pose import turn
from solver.project.segments import GROUND, PlaneFrame
from solver.scene.placing import in_ground, pose_at_start


class CannotAttach(Exception):
    """Say in a sentence why this cannot go there."""


def grouped(project: Project, paths: Sequence[str], group: str) -> tuple[Project, str]:
    """Put elements under a heading of the outline; gives the project and what was done."""
    titles = {tr(str(Project.model_fields[name].title)) for name in LISTS}
    heading = group.rpartition("/")[0] if group.rpartition("/")[2] in titles else group
    out = project
    for path in paths:
        out = _with(out, path, group=heading)
    words = msgid("Put {name} under {group}") if heading else msgid("Put {name} out of their group")
    return out, tr(words, name=named(project, paths), group=heading)


def attached(project: Project, paths: Sequence[str], target: str) -> tuple[Project, str]:
    """Hang elements on a segment: segments by their joints, planes and points by their carrier.

    What is carried stays where it is in space. Raises CannotAttach.
    """
    if not target.startswith("segments/"):
        raise CannotAttach(tr("Drop on a segment to carry something, or on a heading to group it."))
    segment = target.split("/", 1)[1]
    out = project
    for path in paths:
        out = _attach(out, path, segment)
    to = name_of(find(project, target))
    return out, tr("Attach {name} to {target}", name=named(project, paths), target=to)


def _attach(project: Project, path: str, segment: str) -> Project:
    list_name, _, name = path.partition("/")
    item: Any = find(project, path)
    pose = pose_at_start(project)
    if list_name == "segments":
        joint = next((j for j in project.joints if j.child == name), None)
        if joint is None:
            raise CannotAttach(
                tr("'{name}' hangs on no joint: add a joint first.", name=name_of(item))
            )
        return _attach(project, f"joints/{joint.id}", segment)
    if list_name == "joints":
        if segment == item.child or _carries(project, item.child, segment):
            raise CannotAttach(tr("That would hang it on itself."))
        R_WF = pose[item.parent].R_WS @ turn(item.parent_frame.orientation)
        point = in_ground(pose, item.parent, item.parent_frame.position_m)
        frame = _frame(pose[segment], R_WF, point)
        return _with(project, path, parent=segment, parent_frame=frame)
    if list_name == "planes":
        if not isinstance(item.placement, PlaneFrame):
            names = ("p1_m", "p2_m", "p3_m")
            points = [in_ground(pose, item.segment, getattr(item.placement, n)) for n in names]
            update = {n: _local(pose[segment], p) for n, p in zip(names, points, strict=True)}
            placement = item.placement.model_copy(update=update)
        else:
            R_WF = pose[item.segment].R_WS @ turn(item.placement.frame.orientation)
            point = in_ground(pose, item.segment, item.placement.frame.position_m)
            frame = _frame(pose[segment], R_WF, point)
            placement = item.placement.model_copy(update={"frame": frame})
        return _with(project, path, segment=segment, placement=placement)
    if "segment" in type(item).model_fields:
        return _with(project, path, segment=segment)
    raise CannotAttach(tr("A {kind} is not carried by a segment.", kind=kind_word(path)))


def _carries(project: Project, ancestor: str, segment: str) -> bool:
    parent = {joint.child: joint.parent for joint in project.joints}
    seen: set[str] = set()
    here = segment
    while here in parent and here not in seen and here != GROUND:
        seen.add(here)
        here = parent[here]
        if here == ancestor:
            return True
    return False


def _frame(at: Any, R_WF: Any, point_W: Any) -> Any:
    from solver.project.geometry import Frame

    return Frame(position_m=_local(at, point_W), orientation=upright(at.R_WS.T @ R_WF))


def _local(at: Any, point_W: Any) -> tuple[float, ...]:
    return tuple(round(float(x), 9) + 0.0 for x in at.R_WS.T @ (np.asarray(point_W) - at.p_W))


def _with(project: Project, path: str, **fields: Any) -> Project:
    list_name, _, name = path.partition("/")
    items = tuple(
        item.model_copy(update=fields) if item.id == name else item
        for item in getattr(project, list_name)
    )
    return project.model_copy(update={list_name: items})
