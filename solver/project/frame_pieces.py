"""Make of a frame of plastic hinges its bodies, what joins them, and the laws of its hinges."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass
from typing import Any

import numpy as np

from solver.engine.maths.rotation import Array, cross
from solver.project.angles import angles_from
from solver.project.closures import PointOnLine, Weld
from solver.project.coordinate_forces import CoordinateForce, PlasticHinge
from solver.project.coordinates import AngleCoordinate
from solver.project.crash_frames import CrashFrame, FrameMember, FrameNode
from solver.project.geometry import Frame, FrameRef, Orientation, PointRef
from solver.project.joints import BallJoint, FreeJoint, Joint, LockedJoint, PinJoint
from solver.project.links import ZeroDistance
from solver.project.motions import JointStart
from solver.project.pose import turn
from solver.project.segments import Segment

CORNER = 0.1
"""Part of a member at either end whose mass goes with the node."""


@dataclass(frozen=True)
class FramePieces:
    """Hold what a frame becomes, in the order of the lists of a project."""

    segments: tuple[Segment, ...]
    joints: tuple[Joint, ...]
    constraints: tuple[Any, ...]
    coordinate_forces: tuple[CoordinateForce, ...]
    starts: tuple[JointStart, ...]
    springs: tuple[Any, ...] = ()


def axes_of_member(frame: CrashFrame, member: FrameMember) -> tuple[Array, Array, float]:
    """The middle of a member, its axes and its length in the frame's own axes; z lies in the plane of a planar one."""
    at = {one.id: np.array(one.position_m) for one in frame.nodes}
    way = at[member.b] - at[member.a]
    long = float(np.linalg.norm(way))
    x = way / long
    up = np.array([0.0, 1.0, 0.0])
    if abs(float(up @ x)) > 0.999:
        up = np.array([1.0, 0.0, 0.0])
    z = cross(x, up)
    z /= np.linalg.norm(z)
    return 0.5 * (at[member.a] + at[member.b]), np.stack([x, cross(z, x), z], axis=1), long


def is_sound(frame: CrashFrame) -> bool:
    """Whether members join nodes that are there and stand apart."""
    at = {one.id: one.position_m for one in frame.nodes}
    parts = [*at, *(one.id for one in frame.members)]
    return len(set(parts)) == len(frame.nodes) + len(frame.members) and all(
        one.a in at and one.b in at and at[one.a] != at[one.b] and can_fold(one) for one in frame.members
    )  # fmt: skip


def can_fold(member: FrameMember) -> bool:
    """Whether its section is one, and says its limit moment where none is given."""
    from solver.project.sections import is_sound as has_room

    return has_room(member.section) and (
        member.hinges == "none" or member.limit_nm is not None or member.section.numbers(0.3).plastic_y > 0.0
    )  # fmt: skip


def pieces_of_frame(frame: CrashFrame) -> FramePieces:
    """Make bodies of nodes and members, a tree of joints from what is held, and closures where that meets itself."""
    laid = {one.id: axes_of_member(frame, one) for one in frame.members}
    segments = [*(_node(frame, one, laid) for one in frame.nodes), *(_member(frame, one, laid[one.id][2]) for one in frame.members)]  # fmt: skip
    joints, constraints, starts, forces = list[Joint](), list[Any](), list[JointStart](), list[CoordinateForce]()  # fmt: skip
    found: dict[str, None] = {}
    waiting: deque[str] = deque()
    held = [one for one in frame.nodes if one.held != "no"] or [frame.nodes[0]]
    for node in held:
        joints.append(_held(frame, node))
        if node.held == "no":
            starts.append(JointStart(joint=joints[-1].id, values=(0.0,) * 6))
        found[node.id] = None
        waiting.append(node.id)
    ends = {(one.id, end) for one in frame.members for end in ("a", "b")}
    members = {one.id: one for one in frame.members}
    while waiting:
        here = waiting.popleft()
        for id_, end in sorted(ends, key=lambda e: _rank(e, list(members))):
            member = members[id_]
            node = getattr(member, end)
            if here not in (id_, node) or (id_, end) not in ends:
                continue
            ends.discard((id_, end))
            other = node if here == id_ else id_
            folds = member.hinges in ("both", end)
            _, R, long = laid[id_]
            at_node = Frame(orientation=_orientation(R))
            at_member = Frame(position_m=(0.5 * long * (-1.0 if end == "a" else 1.0), 0.0, 0.0))
            name = f"{frame.id}#{id_}#{end}"
            if other in found:
                constraints.append(_closed(frame, name, node, id_, at_node, at_member, folds))
            else:
                found[other] = None
                waiting.append(other)
                down = here == node
                kind: Any = LockedJoint if not folds else PinJoint if frame.planar else BallJoint
                joints.append(
                    kind(
                        id=name, parent=frame.called(here), child=frame.called(other),
                        parent_frame=at_node if down else at_member, child_frame=at_member if down else at_node,
                    )
                )  # fmt: skip
            if folds:
                forces += _hinges(frame, member, name, node, at_node, at_member, long)
    for id_, _ in sorted(ends):
        # what is attached to nothing that is held stands free
        if id_ not in found:
            found[id_] = None
    return FramePieces(tuple(segments), tuple(joints), tuple(constraints), tuple(forces), tuple(starts))  # fmt: skip


def _rank(end: tuple[str, str], order: list[str]) -> tuple[int, str]:
    return order.index(end[0]), end[1]


def is_whole(frame: CrashFrame) -> bool:
    """Whether everything hangs together with what is held."""
    near: dict[str, set[str]] = {one.id: set() for one in frame.nodes}
    for one in frame.members:
        near[one.a].add(one.b)
        near[one.b].add(one.a)
    waiting = [one.id for one in frame.nodes if one.held != "no"] or [frame.nodes[0].id]
    seen = set(waiting)
    while waiting:
        new = near[waiting.pop()] - seen
        seen |= new
        waiting += new
    return len(seen) == len(near)


def _orientation(R: Array) -> Orientation:
    yaw, pitch, roll = (round(float(a), 15) + 0.0 for a in angles_from(R, "zyx"))
    return Orientation(angles_rad=(yaw, pitch, roll))


def _member(frame: CrashFrame, member: FrameMember, long: float) -> Segment:
    """The middle of a member as a rod."""
    n = member.section.numbers(0.3)
    line, own = frame.density_kg_per_m3 * n.area, (1.0 - 2.0 * CORNER) * long
    across = line * own**3 / 12.0
    spread = frame.density_kg_per_m3 * own
    return Segment(
        id=frame.called(member.id), group=frame.group, mass_kg=line * own,
        inertia_kgm2=(spread * n.polar, across + spread * n.moment_y, across + spread * n.moment_z),
    )  # fmt: skip


def _node(frame: CrashFrame, node: FrameNode, laid: dict[str, tuple[Array, Array, float]]) -> Segment:  # fmt: skip
    """A node with the ends of what meets there, and with what it carries."""
    mass, inertia = 0.0, 0.0
    for one in frame.members:
        if node.id in (one.a, one.b):
            n, long = one.section.numbers(0.3), laid[one.id][2]
            end = frame.density_kg_per_m3 * n.area * CORNER * long
            mass += end
            inertia += end * (CORNER * long) ** 2 / 3.0 + frame.density_kg_per_m3 * CORNER * long * n.polar  # fmt: skip
    whole = mass + node.mass_kg
    # what it carries is as compact as the corner
    inertia *= whole / mass if mass > 0.0 else 1.0
    return Segment(id=frame.called(node.id), group=frame.group, mass_kg=whole, inertia_kgm2=(inertia,) * 3)  # fmt: skip


def _held(frame: CrashFrame, node: FrameNode) -> Joint:
    R = turn(frame.frame.orientation)
    x, y, z = (float(v) for v in np.array(frame.frame.position_m) + R @ np.array(node.position_m))
    at = Frame(position_m=(x, y, z), orientation=frame.frame.orientation)
    kinds: dict[str, Any] = {"no": FreeJoint, "fixed": LockedJoint, "pin": PinJoint if frame.planar else BallJoint}  # fmt: skip
    made: Joint = kinds[node.held](
        id=frame.called(node.id), parent=frame.segment, child=frame.called(node.id), parent_frame=at
    )
    return made


def _closed(
    frame: CrashFrame, name: str, node: str, member: str, at_node: Frame, at_member: Frame, folds: bool
) -> Any:  # fmt: skip
    """What closes a loop: in the plane two rows, in space three, and all where nothing folds."""
    a = FrameRef(segment=frame.called(node), frame=at_node)
    b = PointRef(segment=frame.called(member), position_m=at_member.position_m)
    if not folds:
        return Weld(id=name, a=a, b=FrameRef(segment=frame.called(member), frame=at_member))
    if frame.planar:
        return PointOnLine(id=name, a=a, b=b, axis="y")
    return ZeroDistance(id=name, a=PointRef(segment=a.segment), b=b)


def _hinges(
    frame: CrashFrame, member: FrameMember, name: str, node: str, at_node: Frame, at_member: Frame, long: float
) -> list[CoordinateForce]:  # fmt: skip
    """The laws of a hinge: about y in the plane; in space about x, y and z, each with its own limit."""
    n, e = member.section.numbers(0.3), frame.elastic_pa
    shear = frame.yield_pa / 3.0**0.5
    about = {
        "x": (e / 2.6 * n.torsion * 2.0 / long, shear * (n.torsion_modulus or n.plastic_y)),
        "y": (6.0 * e * n.moment_y / long, frame.yield_pa * n.plastic_y),
        "z": (6.0 * e * n.moment_z / long, frame.yield_pa * n.plastic_z),
    }
    out = []
    for axis, (stiff, limit) in about.items():
        if frame.planar and axis != "y":
            continue
        given = member.limit_nm if axis != "x" or not isinstance(member.limit_nm, str) else None
        law = PlasticHinge(
            stiffness=member.stiffness_nm_per_rad or stiff,
            limit=limit if given is None else given,
            limit_goes_by="size",
        )
        way = AngleCoordinate(
            a=FrameRef(segment=frame.called(node), frame=at_node),
            b=FrameRef(segment=frame.called(member.id), frame=Frame(position_m=at_member.position_m)),
            axis=axis,
        )  # fmt: skip
        out.append(
            CoordinateForce(id=name if frame.planar else f"{name}#{axis}", group=frame.group, coordinate=way, zero=0.0, laws=(law,))
        )  # fmt: skip
    return out
