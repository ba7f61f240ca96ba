"""From a project to bodies of a tree; what such files cannot say is named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np

from solver.engine.maths.rotation import from_angles, matrix
from solver.exchange.trees.bodies import Axis, Body, ReadNotes, Servo, Shape
from solver.exchange.trees.stopping import FARTHEST
from solver.exchange.trees.ties_out import Sum
from solver.exchange.trees.xml import TreeError
from solver.project.document import Project
from solver.project.geometry import powers_of
from solver.project.inertia import inertia_of, principal_moments
from solver.project.joint_table import axes_of, ball_of, law_axes
from solver.project.joints import FreeJoint
from solver.project.pose import joint_values, plane_corners, start_pose, turn
from solver.project.segments import GROUND

UNIVERSAL = (("x", 0), ("y", 1))
LEFT_OUT = (
    "contacts", "belts", "harnesses", "airbags", "springs", "tyres", "beams", "crash_frames", "tension_elements", "flexible_elements", "modal_bodies",
    "motions", "drivers", "frame_drivers", "winds", "loads", "symmetry", "markers", "meshes",
)  # fmt: skip


def bodies_from(project: Project, sums: Mapping[str, Sum], read_notes: ReadNotes) -> list[Body]:
    """The bodies of a project whose checks have no errors, in the order of their trees; without links of sums."""
    carried = {one.child: one for one in project.joints if not isinstance(one, FreeJoint)}
    pose, values = start_pose(project), joint_values(project)
    rates = {one.joint: one.rates for one in project.initial.joints}
    speeds = {one.segment: np.array(one.velocity_m_per_s) for one in project.initial.roots}
    spins = {one.segment: np.array(one.angular_velocity_rad_per_s) for one in project.initial.attitudes}  # fmt: skip
    for name in LEFT_OUT:
        if getattr(project, name):
            read_notes.say(
                "{count} {what} are left out.",
                count=len(getattr(project, name)),
                what=name.replace("_", " "),
            )
    for force in project.coordinate_forces:
        if force.coordinate.kind != "joint":
            read_notes.name("Forces on coordinates are left out ({count}): {names}.", force.id)
    bodies, number = list[Body](), dict[str, int]()
    gone = {name for one in sums.values() for name in one.links}
    waiting = [one.id for one in project.segments if one.id not in gone]
    while waiting:
        name = next(
            n for n in waiting if n not in carried or carried[n].parent in (*number, "ground")
        )
        waiting.remove(name)
        number[name] = len(bodies)
        segment = next(one for one in project.segments if one.id == name)
        small, middle, large = principal_moments(segment)
        if large > (small + middle) * (1.0 + 1e-6):
            read_notes.name("MuJoCo, and programs that check inertia like it, refuse a moment above the two others together ({count} bodies): {names}. Mend them; balanceinertia=\"true\" in its <compiler> takes them, and changes them.", name)  # fmt: skip
        joint: Any = carried.get(name)
        body = Body(name, -1, mass=segment.mass_kg, inertia=inertia_of(segment))
        if joint is None:
            body.is_free = True
            body.place, body.R = pose[name].p_W, pose[name].R_WS
            body.velocity, body.spin = speeds.get(name, np.zeros(3)), spins.get(name, np.zeros(3))
        else:
            body.parent = number.get(joint.parent, -1)
            _place(body, joint, values.get(joint.id, ()), project, read_notes)
            _begin(body, rates.get(joint.id), read_notes)
        body.shapes = [_shape(one, read_notes) for one in segment.surfaces]
        bodies.append(body)
    return bodies


def _begin(body: Body, rates: Any, read_notes: ReadNotes) -> None:
    if not rates or not any(rates):
        return
    if any(one.motion == "ball" for one in body.joints):
        read_notes.name("How fast ball joints begin is left out ({count}): {names}.", body.joints[-1].name)  # fmt: skip
    elif len(rates) == len(body.joints):
        for one, rate in zip(body.joints, rates, strict=True):
            one.speed = rate


def _place(
    body: Body, joint: Any, values: tuple[float, ...], project: Project, read_notes: ReadNotes
) -> None:
    """Place a body where its joint's coordinates are zero, with the joint's axes."""
    a, b = joint.parent_frame, joint.child_frame
    R_a, R_b = turn(a.orientation), turn(b.orientation)
    p_b = np.array(b.position_m)
    body.R = R_a @ R_b.T
    body.place = np.array(a.position_m) - body.R @ p_b
    start = (*values, *(0.0,) * 6)

    acting = axes_of(joint)

    def axis(motion: Any, of: int, name: str, at: float, k: int = 0) -> Axis:
        made = Axis(name, motion, R_b[:, of], p_b, start=at)
        if motion == "hinge":
            rubs, made.armature = acting[k].friction, acting[k].drive
            made.damping, made.friction = rubs.viscous_nms_per_rad, rubs.coulomb_nm
        return made

    match joint.kind:
        case "locked":
            pass
        case "pin":
            body.joints = [axis("hinge", 1, joint.id, start[0])]
        case "ball":
            rubs = joint.friction
            ball = Axis(
                joint.id,
                "ball",
                place=p_b,
                damping=rubs.viscous_nms_per_rad,
                friction=rubs.coulomb_nm,
                armature=joint.drive_inertia_kgm2,
            )
            ball.turn = R_b @ from_angles(start[:3], "zyx") @ R_b.T
            body.joints = [ball]
        case "universal":
            body.joints = [
                axis("hinge", k, f"{joint.id}_{letter}", start[k], k) for letter, k in UNIVERSAL
            ]
        case "slip":
            slide = axis("slide", 2, f"{joint.id}_slide", start[0])
            slide.damping, slide.friction = joint.slide.viscous_ns_per_m, joint.slide.coulomb_n
            slide.armature = joint.slide.drive_mass_kg
            body.joints = [slide]
            if joint.rotation in ("pin_y", "pin_z"):
                of = 1 if joint.rotation == "pin_y" else 2
                body.joints.append(axis("hinge", of, joint.id, start[1]))
            elif joint.rotation == "ball":
                body.joints.append(
                    Axis(
                        joint.id,
                        "ball",
                        place=p_b,
                        turn=R_b @ from_angles(start[1:4], "zyx") @ R_b.T,
                    )
                )
        case _:
            raise TreeError(
                "Joint '{joint}': such files have no joint of kind {kind}.",
                joint=joint.id,
                kind=joint.kind,
            )
    _laws(joint, project, body, read_notes)


def _laws(joint: Any, project: Project, body: Body, read_notes: ReadNotes) -> None:
    if getattr(getattr(joint, "friction", None), "relaxation_s", None) is not None:
        read_notes.say("Joint '{joint}': its damping does not relax there.", joint=joint.id)
    acting = axes_of(joint)
    turns = body.joints[len(body.joints) - len(acting) :] if acting else []
    springs: list[tuple[Any, float, Axis | None]] = [
        (one.spring, one.centre_rad, axis) for one, axis in zip(acting, turns, strict=True)
    ]
    if ball_of(joint) is not None:
        springs = [(joint.flexure, 0.0, None), (joint.torsion, 0.0, None)]
    for spring, centre, axis in springs:
        if spring.torque or spring.quadratic_nm_per_rad2 or spring.cubic_nm_per_rad3:
            read_notes.say(
                "Joint '{joint}': stops and torques by functions are left out.", joint=joint.id
            )
        if spring.linear_nm_per_rad and axis is not None:
            axis.stiffness, axis.rest = spring.linear_nm_per_rad, centre
        elif spring.linear_nm_per_rad:
            read_notes.say("Joint '{joint}': its linear torques are left out.", joint=joint.id)
    held = _held_axes(joint, body)
    own = dict(zip(law_axes(joint), body.joints, strict=False)) if joint.kind != "ball" else {}
    if held:
        read_notes.name("Held joints have no freedom there ({count}): {names}.", joint.id)
        body.joints = _frozen(body, held)
    for force in project.coordinate_forces:
        at: Any = force.coordinate
        if at.kind == "joint" and at.joint == joint.id:
            of = own.get(at.axis)
            if any(of is one for one in held):
                continue
            if of is None or force.side != "both" or not _law_taken(force, of, project):
                read_notes.name("Forces on coordinates are left out ({count}): {names}.", force.id)


def _held_axes(joint: Any, body: Body) -> list[Axis]:
    """The axes of a joint that are locked for good, or at the start."""
    turns = getattr(joint, "lock", None) is not None and joint.lock.locked
    if joint.kind != "slip":
        return list(body.joints) if turns else []
    return body.joints[: int(joint.slide.locked)] + (body.joints[1:] if turns else [])


def _frozen(body: Body, held: list[Axis]) -> list[Axis]:
    """Put a body where its held axes start; gives those that move, seen from there."""
    free = list[Axis]()
    for one in body.joints:
        if not any(one is of for of in held):
            free.append(one)
            continue
        R, shift = one.turn, np.zeros(3)
        if one.motion == "hinge":
            e = one.axis / np.linalg.norm(one.axis)
            R = matrix([np.cos(one.start / 2.0), *(np.sin(one.start / 2.0) * e)])
        if one.motion == "slide":
            shift = one.start * one.axis / np.linalg.norm(one.axis)
        else:
            shift = one.place - R @ one.place
        body.place, body.R = body.place + body.R @ shift, body.R @ R
        free = [
            replace(a, axis=R.T @ a.axis, place=R.T @ (a.place - shift), turn=R.T @ a.turn @ R)
            for a in free
        ]
    return free


def _law_taken(force: Any, axis: Axis, project: Project) -> bool:
    """Give an axis what a force on its coordinate does: a spring, a damper, a stop, a drive; whether it could."""
    zero = force.zero if force.zero is not None else axis.start
    kinds = [law.kind for law in force.laws]
    first = force.laws[0]
    if kinds == ["linear"] and not axis.stiffness:
        axis.stiffness, axis.rest = first.stiffness, zero
    elif kinds == ["viscous"] and getattr(first, "full_rate", None) is None:
        axis.damping += first.damping
    elif kinds == ["actuator"] and _is_plain(first):
        axis.servos.append(Servo(force.id, zero + first.target, first.proportional, first.derivative, first.limit))  # fmt: skip
    elif kinds == ["stop", "rate"] and (first.lower is None) != (first.upper is None):
        curves = {one.id: one.form for one in project.functions}
        stiff, drag = _slope(curves.get(first.above)), _plateau(curves.get(force.laws[1].factor))
        if not stiff or not drag or first.energy_ratio != 0.0 or first.below is not None:
            return False
        low, high = axis.ends or (-FARTHEST, FARTHEST)
        axis.ends = (low, zero + first.upper) if first.lower is None else (zero + first.lower, high)
        # what `taking` makes of a range: k = I / T^2 and 2 k T
        axis.end_time = drag / (2.0 * stiff)
    else:
        return False
    return True


def _is_plain(law: Any) -> bool:
    """Whether a drive goes by numbers alone, to a place that stays."""
    numbers = (law.target, law.proportional, law.derivative, law.integral)
    plain = type(law)(kind="actuator", target=law.target, proportional=law.proportional, derivative=law.derivative, limit=law.limit)  # fmt: skip
    return law == plain and all(isinstance(one, float | int) for one in numbers)


def _slope(form: Any) -> float:
    """The slope of a line from nought, as `taking` writes the force of a stop; 0 for any other course."""
    is_line = form is not None and form.kind == "table" and len(form.x) == 2 and form.x[0] == form.y[0] == 0.0  # fmt: skip
    return float(form.y[1] / form.x[1]) if is_line else 0.0


def _plateau(form: Any) -> float:
    """The damping beyond an edge, as `taking` writes that of a stop; 0 for any other course."""
    sizes = sorted(form.y) if form is not None and form.kind == "table" else []
    is_step = len(sizes) == 3 and sizes[0] == 0.0 and sizes[1] == sizes[2]
    return float(sizes[2]) if is_step else 0.0


def _shape(one: Any, read_notes: ReadNotes) -> Shape:
    powers = powers_of(one)
    kind: Any = "ellipsoid"
    size = one.semi_axes_m
    if min(powers) > 4.0:
        kind = "box"
        read_notes.say("Hyperellipsoids of high powers are boxes.")
    elif max(powers) > 4.0 and powers[0] == powers[1] == 2.0 and size[0] == size[1]:
        kind = "cylinder"
    elif max(powers) > 2.0:
        read_notes.say("Other hyperellipsoids are ellipsoids of the same size.")
    return Shape(one.id, kind, size, np.array(one.centre_m), turn(one.orientation))


def ground_planes(project: Project, read_notes: ReadNotes) -> list[Shape]:
    """The planes of the ground; such files have none on bodies."""
    found = list[Shape]()
    for plane in project.planes:
        if plane.segment != GROUND:
            read_notes.say(
                "Planes on bodies are left out: such files have them on the ground only."
            )
            continue
        corner, edge, other = plane_corners(plane)
        x, y = edge / np.linalg.norm(edge), other / np.linalg.norm(other)
        z = np.cross(x, y) / np.linalg.norm(np.cross(x, y))
        half = (float(np.linalg.norm(edge)) / 2.0, float(np.linalg.norm(other)) / 2.0, 0.01)
        R = np.column_stack([x, np.cross(z, x), z])
        found.append(Shape(plane.id, "plane", half, corner + (edge + other) / 2.0, R))
    return found


def without_links(bodies: list[Body]) -> list[Body]:
    """The joints of links without mass to the one body that each carries: MuJoCo moves no body without mass."""
    children: dict[int, list[int]] = {}
    for n, body in enumerate(bodies):
        children.setdefault(body.parent, []).append(n)
    gone = dict[int, int]()
    for n, link in enumerate(bodies):
        below = children.get(n, [])
        if link.mass > 0.0 or link.is_free or not link.joints or len(below) != 1:
            continue
        body = bodies[below[0]]
        R, place = body.R, body.place
        above = [
            replace(a, axis=R.T @ a.axis, place=R.T @ (a.place - place), turn=R.T @ a.turn @ R)
            for a in link.joints
        ]
        body.joints = above + body.joints
        body.place, body.R = link.place + link.R @ place, link.R @ R
        gone[n] = link.parent
        body.parent = link.parent
    kept = [n for n in range(len(bodies)) if n not in gone]
    number = {n: k for k, n in enumerate(kept)} | {-1: -1}
    out = [bodies[n] for n in kept]
    for body in out:
        body.parent = number[body.parent]
    return out
