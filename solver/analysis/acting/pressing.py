"""Tell what presses ribs, a breastbone or another part that slides, along the way it goes in: through limbs that lie between."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from solver.analysis.acting.account import Account, account, greatest, with_own_parts
from solver.analysis.acting.tables import RunTables, Tables
from solver.engine.maths.rotation import Array
from solver.injury import Figure
from solver.injury.figures import figure_segment
from solver.project import Project
from solver.project.contact import surfaces_of
from solver.project.joints import Joint, SlipJoint
from solver.project.outputs import JointOutput
from solver.project.pose import turn
from solver.project.segments import GROUND

_BETWEEN = 3
"""So many limbs are looked through: an arm, a forearm, a hand."""
_MUCH = 0.5
"""What presses a limb is told in its place where it does so with this part of what the limb presses with at least (assumed); else the limb is thrown."""


def asked_of(project: Project, time: Array, tables: Tables, figure: Figure) -> Account | None:
    """Find what acts on the part of an injury figure; of what slides, along the way it is pressed. None where it is of no part, or the run has none of it."""
    segment = figure_segment(project, figure)
    if not segment:
        return None
    joint = slide_of(project, figure)
    if joint is None:
        return account(project, time, tables, with_own_parts(project, segment))
    best = found = _along(project, time, tables, joint, (segment,))
    trunk = set(_ancestors(project, joint.parent))
    pushed = 0.0
    for _ in range(_BETWEEN):
        if found is None:
            break
        frame = int(np.abs(found.time - greatest(found, figure.t1, figure.t2)).argmin())
        push, limb = _between(project, found, frame, trunk)
        if not limb and push >= _MUCH * pushed:
            best = found
        if not limb:
            break
        pushed = pushed or push
        more = (one for one in with_own_parts(project, limb) if one not in found.segments)
        found = _along(project, time, tables, joint, (*found.segments, *more))
    return best


def slide_of(project: Project, figure: Figure) -> SlipJoint | None:
    """The joint whose slide a figure is made of; None of others."""
    joints = {one.id: one for one in project.joints if isinstance(one, SlipJoint)}
    outputs = {one.id: one.joint for one in project.outputs if isinstance(one, JointOutput)}
    for channel in figure.channels:
        name = channel.removesuffix("_slide")
        if name != channel:
            return joints.get(outputs.get(name, name.partition(".")[0]))
    return None


def _along(
    project: Project, time: Array, tables: Tables, joint: SlipJoint, chosen: Sequence[str]
) -> Account | None:
    """What acts on segments, counted along the way in which a joint has slid since the start."""
    found = account(project, time, tables, chosen)
    if found is None:
        return None
    seen = RunTables(project, found.time, tables)
    ends = [
        seen.points(one, frame.position_m)
        for one, frame in ((joint.parent, joint.parent_frame), (joint.child, joint.child_frame))
    ]
    axis: Array = seen.turns(joint.parent) @ turn(joint.parent_frame.orientation)[:, 2]
    slid = ((ends[1] - ends[0]) * axis).sum(axis=1)
    sense = np.where(slid - slid[0] < 0.0, -1.0, 1.0)
    return replace(found, slide=sense[:, None] * axis)


def _between(project: Project, found: Account, frame: int, trunk: set[str]) -> tuple[float, str]:
    """How hard (N) what presses most of all does so, and which limb of the same body that is; none where it is something from outside."""
    assert found.slide is not None
    sums: dict[str, float] = {}
    for share in found.shares:
        if share.source not in ("joints", "weight", "rest"):
            part = float(share.forces[frame] @ found.slide[frame])
            sums[share.element] = sums.get(share.element, 0.0) + part
    most = max(sums, key=lambda one: sums[one], default="")
    list_, _, id_ = most.partition("/")
    contact = next((one for one in project.contacts if list_ == "contacts" and one.id == id_), None)
    push = sums.get(most, 0.0)
    if contact is None or push <= 0.0:
        return push, ""
    others = [one.segment for one in surfaces_of(contact) if one.segment not in found.segments]
    other = others[0] if others else GROUND
    roots = {tuple(_ancestors(project, one))[-1] for one in (other, found.segments[0])}
    return push, other if len(roots) == 1 and other not in trunk and other != GROUND else ""


def _ancestors(project: Project, segment: str) -> list[str]:
    """A segment, what bears it, what bears that, and so on; the ground is none."""
    parents: dict[str, Joint] = {one.child: one for one in project.joints}
    out = [segment]
    while (joint := parents.get(out[-1])) is not None and joint.parent != GROUND:
        if joint.parent in out:
            break
        out.append(joint.parent)
    return out
