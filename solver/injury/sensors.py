"""Outputs that every body has without being asked: sensors at the places of a dummy's.

Their ids have a dot, which ids of a project cannot have.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Literal

import numpy as np

from solver.injury.parts import Occupant, joint_towards, joints_between, occupants, sides
from solver.project.coordinate_forces import across, beside
from solver.project.criteria import HIC
from solver.project.document import Project
from solver.project.joints import Joint, LockedJoint, SlipJoint
from solver.project.memo import memoised
from solver.project.outputs import (
    JointOutput,
    Output,
    PointOutput,
    RotationOutput,
    TouchOutput,
    WholeOutput,
)
from solver.project.pose import turn

Sensor = Output | TouchOutput
Needed = tuple[Sensor, ...]
Wanted = tuple[str, str, str, Needed]
"""Name, criterion, part and outputs of a figure."""


def acceleration(project: Project, segment: str) -> PointOutput:
    """The acceleration of a segment's mass centre, one that the project has if it can."""
    for output in project.outputs:
        if (
            isinstance(output, PointOutput)
            and (output.segment, output.quantity, output.axes)
            == (segment, "acceleration", "segment")
            and (output.relative_to, output.with_gravity) == ("ground", False)
            and not any(output.point_m)
            and output.frame is None
        ):
            return output
    return PointOutput.model_construct(id=f"{segment}.acceleration", segment=segment)


def acceleration_at(segment: str, joint: Joint) -> PointOutput:
    """The acceleration of a segment where a joint holds it."""
    frame = joint.parent_frame if joint.parent == segment else joint.child_frame
    id_ = f"{segment}.acceleration_at_{joint.id}"
    return PointOutput.model_construct(id=id_, segment=segment, point_m=frame.position_m)


def turning(
    project: Project, segment: str, quantity: Literal["velocity", "acceleration"]
) -> RotationOutput:
    """The angular velocity or acceleration of a segment."""
    for output in project.outputs:
        if (
            isinstance(output, RotationOutput)
            and (output.segment, output.quantity) == (segment, quantity)
            and output.relative_to == "ground"
            and output.frame is None
        ):
            return output
    id_ = f"{segment}.angular_{quantity}"
    return RotationOutput.model_construct(id=id_, segment=segment, quantity=quantity)


def load(
    project: Project,
    joint: Joint,
    on: str,
    quantity: Literal["force", "torque"],
    lines: bool = False,
) -> JointOutput:
    """Give force or torque of a joint along the axes of the segment that it loads, with what muscles bear beside it, and as `lines` across it."""
    axes: Literal["child", "parent"] = "child" if joint.child == on else "parent"
    if (quantity == "torque" and beside(project.coordinate_forces, joint.id)) or lines:
        id_ = f"{joint.id}.whole_{quantity}"
        return WholeOutput.model_construct(id=id_, joint=joint.id, quantity=quantity, in_axes_of=axes)  # fmt: skip
    for output in project.outputs:
        if isinstance(output, JointOutput) and (
            (output.joint, output.quantity, output.in_axes_of, output.frame)
            == (joint.id, quantity, axes, None)
        ):
            return output
    return JointOutput.model_construct(
        id=f"{joint.id}.{quantity}", joint=joint.id, quantity=quantity, in_axes_of=axes
    )


def _loads(project: Project, joint: Joint, on: str, *, neck: bool = False) -> Needed:
    """Force and torque of a joint; of a neck whose muscles cross it as lines with theirs, as a load cell has them."""
    lines = neck and bool(across(project.coordinate_forces, {on}))
    return load(project, joint, on, "force", lines), load(project, joint, on, "torque", lines)


def wanted(project: Project, body: Occupant) -> Iterator[Wanted]:
    """The automatic figures of a body: name, criterion, part, outputs."""
    at = body.segments
    if "head" in at:
        yield from _head(project, at["head"])
        yield from _neck(project, body)
    if "upper_torso" in at:
        chest = (acceleration(project, at["upper_torso"]),)
        yield "CSI", "CSI", "upper_torso", chest
        yield "chest_3ms", "3ms", "upper_torso", chest
        yield "chest_3ms_in_one", "3ms_in_one", "upper_torso", chest
        sternum = _sternum(project, at["upper_torso"])
        if sternum is not None:
            yield "chest_deflection", "chest_deflection", "upper_torso", (sternum,)
            yield "VC", "VC", "upper_torso", (sternum,)
    if "lower_torso" in at:
        pelvis = (acceleration(project, at["lower_torso"]),)
        yield "pelvis_3ms", "3ms", "lower_torso", pelvis
        for name in ("DRI", "Brinkley_low", "Brinkley_moderate", "Brinkley_high"):
            yield name, name, "lower_torso", pelvis
        above = at.get("centre_torso", at.get("upper_torso"))
        lumbar = joint_towards(project, at["lower_torso"], above)
        if lumbar is not None:
            upper = lumbar.child if lumbar.parent == at["lower_torso"] else lumbar.parent
            force = (load(project, lumbar, upper, "force"),)
            yield "lumbar_compression", "lumbar_compression", "lower_torso", force
    for lead, tail in sides(body):
        yield from _leg(project, body, lead, tail)


def touch_of(segment: str) -> TouchOutput:
    """How hard a segment is touched."""
    return TouchOutput.model_construct(id=f"{segment}.touch", segment=segment)


def _head(project: Project, head: str) -> Iterator[Wanted]:
    moved = (acceleration(project, head),)
    for name in (*HIC, "HSI"):
        yield name, name, "head", moved
    touch = touch_of(head)
    for name in (f"contact_{one}" for one in HIC):
        yield name, name, "head", (*moved, touch)
    yield "head_3ms", "3ms", "head", moved
    turned = (turning(project, head, "acceleration"),)
    rate = (turning(project, head, "velocity"),)
    yield "BrIC", "BrIC", "head", rate
    yield "UBrIC", "UBrIC", "head", (*rate, *turned)
    yield "DAMAGE", "DAMAGE", "head", turned
    yield "GAMBIT", "GAMBIT", "head", (*moved, *turned)
    yield "HIP", "HIP", "head", (*moved, *turned)


def _neck(project: Project, body: Occupant) -> Iterator[Wanted]:
    at = body.segments
    below = at.get("neck", at.get("upper_torso"))
    # a neck of several links has its condyles where the head begins
    upper = joint_towards(project, at["head"], below)
    if upper is None:
        return
    loads = _loads(project, upper, at["head"], neck=True)
    yield "Nij", "Nij", "neck", loads
    yield "Nkm", "Nkm", "neck", loads
    for name in ("neck_flexion", "neck_extension"):
        yield name, name, "neck", loads
    for name in (
        "neck_tension", "neck_compression", "neck_shear", "neck_tension_by_duration",
        "neck_shear_by_duration",
    ):  # fmt: skip
        yield name, name, "neck", loads[:1]
    way = joints_between(project, at["head"], at.get("upper_torso"))
    if len(way) > 1:
        lower = way[-1]
        places = (acceleration_at(at["upper_torso"], lower), acceleration_at(at["head"], upper))
        yield "NIC", "NIC", "neck", places
        if project.load_case == "rear":
            yield "T1_acceleration", "T1_acceleration", "neck", places[:1]
            yield "head_contact_time", "head_contact_time", "head", (touch_of(at["head"]),)
        above = lower.child if lower.parent == at["upper_torso"] else lower.parent
        yield "LNL", "LNL", "neck", _loads(project, lower, above, neck=True)


def _sternum(project: Project, chest: str) -> JointOutput | None:
    """The way of a sternum that slides in the chest, inwards above zero; None if there is none."""
    slide = next(
        (
            joint
            for joint in project.joints
            if isinstance(joint, SlipJoint) and joint.parent == chest and "sternum" in joint.child
        ),
        None,
    )
    return None if slide is None else _way_of(project, slide)


def _way_of(project: Project, slide: SlipJoint) -> JointOutput:
    """How far a joint has slid."""
    for output in project.outputs:
        if isinstance(output, JointOutput) and (output.joint, output.quantity) == (
            slide.id,
            "angle",
        ):
            return output
    return JointOutput.model_construct(id=f"{slide.id}.slide", joint=slide.id, quantity="angle")


def _knee_slider(project: Project, thigh: str | None, shank: str) -> JointOutput | None:
    """The way of a knee that slides between thigh and shank; None if it does not."""
    for joint in joints_between(project, thigh, shank):
        if isinstance(joint, SlipJoint) and "knee" in joint.id:
            return _way_of(project, joint)
    return None


def way_inwards(joint: Joint) -> float:
    """Give the sign of a joint's way that brings its child nearer to the parent's mass centre."""
    if not isinstance(joint, SlipJoint):
        return -1.0
    axis = turn(joint.parent_frame.orientation)[:, 2]
    return -1.0 if float(axis @ np.array(joint.parent_frame.position_m)) > 0.0 else 1.0


def _leg(project: Project, body: Occupant, lead: str, tail: str) -> Iterator[Wanted]:
    at = body.segments
    thigh, shank, foot = (at.get(f"{lead}{part}") for part in ("upper_leg", "lower_leg", "foot"))
    hip = joint_towards(project, thigh, at.get("lower_torso"))
    if hip is not None and thigh is not None:
        cell = joint_towards(project, thigh, shank)
        if isinstance(cell, LockedJoint) and shank not in (cell.parent, cell.child):
            # a load cell: a rigid cut of the thigh
            force = (load(project, cell, cell.child, "force"),)
        else:
            force = (load(project, hip, thigh, "force"),)
        yield f"femur_compression{tail}", "femur_compression", f"{lead}upper_leg", force
        yield f"femur_by_duration{tail}", "femur_by_duration", f"{lead}upper_leg", force
    if shank is not None:
        for place, other in (("upper", thigh), ("lower", foot)):
            joint = joint_towards(project, shank, other)
            if joint is not None and other is not None:
                loads = _loads(project, joint, shank)
                yield f"tibia_index_{place}{tail}", "tibia_index", f"{lead}lower_leg", loads
                axial = f"tibia_compression_{place}{tail}"
                yield axial, "tibia_compression", f"{lead}lower_leg", loads[:1]
        knee = _knee_slider(project, thigh, shank)
        if knee is not None:
            yield f"knee_slide{tail}", "knee_slide", f"{lead}lower_leg", (knee,)


def body_sensors(project: Project) -> list[Sensor]:
    """The sensors that the project does not have itself, each once."""
    return list(_body_sensors(project))


@memoised
def _body_sensors(project: Project) -> tuple[Sensor, ...]:
    own = {output.id for output in project.outputs}
    found: dict[str, Sensor] = {}
    for body in occupants(project):
        for _, _, _, outputs in wanted(project, body):
            found.update({o.id: o for o in outputs if o.id not in own})
    return tuple(found.values())
