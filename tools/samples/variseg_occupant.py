"""A planar man with knees that shift, a neck that lengthens and shins that break, struck by a car front."""

from __future__ import annotations

import math
from typing import Any

from solver.bodies import Place
from solver.bodies.library import insert
from solver.project.coordinate_forces import (
    CoordinateForce,
    Muscle,
)
from solver.project.coordinates import (
    JointCoordinate,
)
from solver.project.document import Project
from solver.project.functions import Function, Table
from solver.project.geometry import Frame, Orientation
from solver.project.joints import (
    Axis,
    Breakage,
    ExtensionalJoint,
    Friction,
    LockedJoint,
    PinJoint,
    Slide,
    SlipJoint,
)
from solver.project.links import PlanarSymmetry
from solver.project.motions import HalfSine, JointStart, Motion, MotionComponent
from solver.project.outputs import JointOutput, PointOutput
from tools.samples.common import KMH, VEHICLE, following, free_body, pitched, vehicle

WALKER = "walker"
SIDES = ("right", "left")

SHIN_NM = 291.0
"""Bending moment at which a shin breaks: mean of tests sideways (SAE 2003-01-0895)."""


def build() -> Project:
    """Build the sample."""
    project = vehicle(
        "A planar man with breaking shins",
        "After VARISEG (Bennett 1980): all joints are pins about y, knees shift along the shin's front, the neck is a "
        "strut between two pins, shins break over a ramp, muscles hold the posture. The 50th-percentile man of the "
        "library stands with his back to a car at 28 km/h. What the report does not print is assumed and says so.",
        "Body as printed; shins: SAE 2003-01-0895; car front and pavement of the library; others assumed",
        0.25,
    )
    braking = Motion(
        id="driving", name="Driving and braking", group="Vehicle", source="Assumed", segment=VEHICLE,
        components=(
            MotionComponent(
                component="x", pulse=HalfSine(amplitude=-8.0, duration_s=0.5), start_value=-0.05,
                start_rate=28.0 * KMH,
            ),
        ),
    )  # fmt: skip
    project = project.model_copy(update={"motions": (braking,)})
    # arms swing in the plane
    straight = {f"{side}_upper_arm": Orientation() for side in SIDES}
    place = Place(position_m=(0.25, 0.0, 0.0), anchor="lowest")
    project = free_body(project, "standing", place, WALKER, turned=straight)
    project = insert(project, "car_front", "car", attach_to=VEHICLE, on=WALKER)
    project = insert(project, "pavement_plane", "road", at=(0.0, 0.0, 0.0), on=WALKER)
    project = _with_neck(_with_pins(project))
    for side in SIDES:
        project = _with_knee(_with_shin(project, side), side)
    # the body, and what breaks off
    ends = ("lower_torso", *(f"{side}_lower_leg_end" for side in SIDES))
    planar = tuple(
        PlanarSymmetry(id=f"{end}_in_plane", name="In the plane", segment=f"{WALKER}_{end}")
        for end in ends
    )
    project = project.model_copy(update={"symmetry": planar})
    return following(_with_muscles(project), *_outputs())


def _with_pins(project: Project) -> Project:
    """Make every ball a pin about y, with the ball's bending as its spring."""
    joints: list[Any] = []
    starts = {one.joint: one for one in project.initial.joints}
    for joint in project.joints:
        if joint.kind != "ball":
            joints.append(joint)
            continue
        shared = {
            name: getattr(joint, name)
            for name in ("id", "name", "group", "source", "parent", "child", "parent_frame", "child_frame", "friction")
        }  # fmt: skip
        joints.append(PinJoint(**shared, spring=joint.flexure))
        if joint.id in starts:
            starts[joint.id] = JointStart(joint=joint.id, values=starts[joint.id].values[1:2])
    initial = project.initial.model_copy(update={"joints": tuple(starts.values())})
    return project.model_copy(update={"joints": tuple(joints), "initial": initial})


def _with_neck(project: Project) -> Project:
    """Put a strut in the place of the neck; head and torso take half of its mass each."""
    ids = {name: f"{WALKER}_{name}" for name in ("neck", "head", "upper_torso", "neck_pivot", "head_pivot")}  # fmt: skip
    joints: dict[str, Any] = {one.id: one for one in project.joints}
    starts = {one.joint: one.values[0] for one in project.initial.joints}
    low, high = joints[ids["neck_pivot"]], joints[ids["head_pivot"]]
    neck = next(s for s in project.segments if s.id == ids["neck"])
    # both ends of the neck, in its own axes: the strut goes from one to the other
    (x0, _, z0), (x1, _, z1) = low.child_frame.position_m, high.parent_frame.position_m
    far, lean = math.hypot(x1 - x0, z1 - z0), math.atan2(x1 - x0, z1 - z0)
    # angles from the parent: of the neck, of the strut, and of the head
    turn = starts[low.id] - low.child_frame.orientation.angles_rad[1]
    at_parent = turn + lean
    whole = turn + starts[high.id] - high.child_frame.orientation.angles_rad[1]
    stretch = Function(
        id="neck_stretch", name="Neck, by extension", group="Occupant", x_unit="m", y_unit="N",
        source="Assumed: 150 kN/m, so that 3 kN stretch it by 2 cm",
        form=Table(x=(-0.1, 0.1), y=(-15e3, 15e3)),
    )  # fmt: skip
    strut = ExtensionalJoint(
        id=f"{WALKER}_neck_strut", name="Neck", group="Occupant", parent=low.parent, child=high.child,
        source="Ends and bending as printed for neck and head pivots; axial stiffness and damping assumed",
        parent_frame=Frame(position_m=low.parent_frame.position_m, orientation=pitched(at_parent)),
        child_frame=Frame(
            position_m=high.child_frame.position_m, orientation=pitched(at_parent - whole)
        ),
        length=Slide(force=stretch.id, viscous_ns_per_m=300.0),
        at_parent=Axis(spring=low.spring, friction=Friction(viscous_nms_per_rad=1.0)),
        at_child=Axis(spring=high.spring, friction=Friction(viscous_nms_per_rad=1.0)),
    )  # fmt: skip
    segments = tuple(
        s.model_copy(update={"mass_kg": s.mass_kg + 0.5 * neck.mass_kg})
        if s.id in (ids["head"], ids["upper_torso"])
        else s
        for s in project.segments
        if s.id != neck.id
    )
    gone = {low.id, high.id}
    kept = [one for one in project.initial.joints if one.joint not in gone]
    kept.append(JointStart(joint=strut.id, values=(0.0, far, 0.0)))
    return project.model_copy(
        update={
            "segments": segments,
            "joints": (*(j for j in project.joints if j.id not in gone), strut),
            "functions": (*project.functions, stretch),
            "contacts": tuple(c for c in project.contacts if neck.id not in _touching(c)),
            "outputs": tuple(o for o in project.outputs if _of(o) not in (neck.id, *gone)),
            "initial": project.initial.model_copy(update={"joints": tuple(kept)}),
        }
    )


def _touching(contact: Any) -> set[str]:
    refs = (getattr(contact, name, None) for name in ("surface", "first", "second", "inner", "outer"))  # fmt: skip
    return {ref.segment for ref in refs if ref is not None}


def _of(output: Any) -> str:
    return str(getattr(output, "segment", None) or getattr(output, "joint", None) or "")


def _with_shin(project: Project, side: str) -> Project:
    """Cut a lower leg in two; what holds the halves together breaks."""
    name, ankle = f"{WALKER}_{side}_lower_leg", f"{WALKER}_{side}_ankle"
    leg = next(s for s in project.segments if s.id == name)
    body = leg.surfaces[0]
    x, y, z = body.centre_m
    half = body.semi_axes_m[2]
    # a rod cut in the middle: half of the mass, an eighth of the moment, less what the new centres take
    quarter = 0.5 * half
    mass = 0.5 * leg.mass_kg
    moment = max(0.5 * leg.inertia_kgm2[1] - mass * quarter**2, 0.1 * leg.inertia_kgm2[1])
    inertia = (moment, moment, 0.5 * leg.inertia_kgm2[2])
    piece = (*body.semi_axes_m[:2], 0.55 * half)
    upper = leg.model_copy(
        update={
            "mass_kg": mass, "inertia_kgm2": inertia,
            "surfaces": (body.model_copy(update={"semi_axes_m": piece, "centre_m": (x, y, z)}),),
        }
    )  # fmt: skip
    lower = upper.model_copy(
        update={"id": f"{name}_end", "name": f"{leg.name}, lower half", "mirror": None}
    )
    joints: list[Any] = []
    for joint in project.joints:
        if joint.child == name:
            # frames of both halves lie in their own centres
            joints.append(_shifted(joint, "child_frame", quarter))
        elif joint.id == ankle:
            joints.append(_shifted(joint, "parent_frame", -quarter, parent=lower.id))
        else:
            joints.append(joint)
    bone = LockedJoint(
        id=f"{WALKER}_{side}_shin", name=f"{side.capitalize()} shin", group="Occupant", parent=name, child=lower.id,
        source="291 N*m: SAE 2003-01-0895, sideways; ramps assumed",
        parent_frame=Frame(position_m=(x, y, z + quarter)), child_frame=Frame(position_m=(x, y, z - quarter)),
        breakage=Breakage(torque_y_nm=SHIN_NM, ramp_m=0.03, ramp_rad=0.3),
    )  # fmt: skip
    contacts: list[Any] = []
    for contact in project.contacts:
        contacts.append(contact)
        if name in _touching(contact) and not any(
            f"{WALKER}_{side}_{part}" in _touching(contact) for part in ("foot", "upper_leg")
        ):
            contacts.append(_copied(contact, name, lower.id))
    segments: list[Any] = []
    for segment in project.segments:
        segments += [upper, lower] if segment.id == name else [segment]
    return project.model_copy(
        update={"segments": tuple(segments), "joints": (*joints, bone), "contacts": tuple(contacts)}
    )


def _shifted(joint: Any, field: str, by: float, **more: Any) -> Any:
    frame = getattr(joint, field)
    x, y, z = frame.position_m
    return joint.model_copy(
        update={field: frame.model_copy(update={"position_m": (x, y, z + by)}), **more}
    )


def _copied(contact: Any, old: str, new: str) -> Any:
    changes: dict[str, Any] = {"id": f"{contact.id}_{new.removeprefix(WALKER + '_')}"}
    for field in ("surface", "first", "second", "inner", "outer"):
        ref = getattr(contact, field, None)
        if ref is not None and ref.segment == old:
            changes[field] = ref.model_copy(update={"segment": new})
    return contact.model_copy(update=changes)


def _with_knee(project: Project, side: str) -> Project:
    """Let a knee shift to front and back along the shin, against a spring."""
    id_ = f"{WALKER}_{side}_knee"
    pin: Any = next(j for j in project.joints if j.id == id_)
    give = Function(
        id="knee_shift", name="Knee, by shift", group="Occupant", x_unit="m", y_unit="N",
        source="Assumed: 15 mm, the limit of dummies' knees, at 2.3 kN", form=Table(x=(-0.05, 0.05), y=(-7.5e3, 7.5e3)),
    )  # fmt: skip
    knee = SlipJoint(
        id=pin.id, name=pin.name, group=pin.group, source=f"{pin.source}; shift assumed", parent=pin.parent,
        child=pin.child, rotation="pin_y", friction=pin.friction, flexure=pin.spring,
        slide=Slide(force=give.id, viscous_ns_per_m=200.0),
        parent_frame=_forward(pin.parent_frame), child_frame=_forward(pin.child_frame),
    )  # fmt: skip
    start = next(one for one in project.initial.joints if one.joint == id_)
    starts = tuple(
        JointStart(joint=id_, values=(0.0, *start.values)) if one.joint == id_ else one
        for one in project.initial.joints
    )
    functions = project.functions
    if give.id not in {one.id for one in functions}:
        functions = (*functions, give)
    return project.model_copy(
        update={
            "joints": tuple(knee if j.id == id_ else j for j in project.joints),
            "functions": functions,
            "initial": project.initial.model_copy(update={"joints": starts}),
        }
    )


def _forward(frame: Any) -> Any:
    """Turn a frame so that its z points forward."""
    pitch = frame.orientation.angles_rad[1]
    return frame.model_copy(update={"orientation": pitched(pitch + 0.5 * math.pi)})


def _with_muscles(project: Project) -> Project:
    """Hold the posture by muscles: springs and dampers in a row, as VARISEG has them."""
    strong = {"hip": 400.0, "knee": 300.0, "ankle": 200.0, "pelvis": 600.0, "waist": 600.0, "neck_strut": 30.0}  # fmt: skip
    forces = []
    for joint in project.joints:
        word = joint.id.rsplit("_", 1)[-1]
        word = "neck_strut" if word == "strut" else word
        if word not in strong or not joint.id.startswith(WALKER):
            continue
        for axis in ("at_parent", "at_child") if word == "neck_strut" else ("angle",):
            law = Muscle(stiffness=0.1 * strong[word], stiffness_active=strong[word], damping=0.3 * strong[word])  # fmt: skip
            forces.append(
                CoordinateForce(
                    id=f"{joint.id}_{axis}_held", name=f"Muscles at {joint.name.lower()}", group="Muscles",
                    source="Law: VARISEG, Table 4.5; numbers assumed",
                    coordinate=JointCoordinate(joint=joint.id, axis=axis), laws=(law,),
                )
            )  # fmt: skip
    return project.model_copy(update={"coordinate_forces": tuple(forces)})


def _outputs() -> tuple[Any, ...]:
    return (
        JointOutput(id="right_shin_load", name="Right shin, moment", group="Occupant", joint=f"{WALKER}_right_shin", quantity="torque"),
        JointOutput(id="neck_length", name="Neck, load", group="Occupant", joint=f"{WALKER}_neck_strut", quantity="force"),
        PointOutput(id="head_place", name="Head", group="Occupant", segment=f"{WALKER}_head", quantity="position"),
    )  # fmt: skip
