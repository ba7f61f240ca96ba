"""Pose people: set joints, turn segments, move whole trees, fit points; every project stays as it is.

Each function gives a new project, whose start is written in the form that it has: a segment with an
attitude keeps one, a joint that is set stays set. Trees that count from what moves go along with it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from solver.base.words import Refusal, Sentence
from solver.engine.maths.rotation import Array, about_axis
from solver.project.angles import angles_from, joint_values, within
from solver.project.coupled_axes import coupled_joints, led
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.geometry import Orientation, PointRef
from solver.project.joint_table import carrying, row_of
from solver.project.joints import Joint
from solver.project.motions import AttitudeStart, JointStart, RootStart
from solver.project.pose import (
    Placed,
    across,
    bent_nodes,
    moved_at_start,
    start_pose,
    turn,
    values_needed,
)
from solver.project.segments import GROUND

EXACT = 1e-9
"""How closely a pose is met (m, rad), and below which nothing is written again."""

REFUSED = math.radians(0.1)
"""Turn that a joint does not allow, above which a pose is refused."""


class PoseError(Refusal, ValueError):
    """Say in one sentence why a pose cannot be taken, and what would mend it."""

    __module__ = "manikin"


def angles_of(
    project: Project, joint: str, pose: Mapping[str, Placed] | None = None
) -> tuple[float, ...]:
    """A joint's own coordinates at the start (rad and m), whatever sets them.

    Anyone who has the start pose already saves looking for it.
    """
    at = start_pose(project) if pose is None else pose
    return _angles(_joint(project, joint), at, _settings(project))


def with_joint(project: Project, joint: str, angles: Sequence[float]) -> Project:
    """Set a joint's coordinates (rad and m); what it carries goes along, and what is coupled to it follows."""
    found = _joint(project, joint)
    needed = values_needed(found)
    if len(angles) != needed:
        raise PoseError(
            "A {found_kind} joint takes {needed} values, not {count} ('{joint}').",
            found_kind=found.kind,
            needed=(needed or Sentence("no")),
            count=len(angles),
            joint=joint,
        )
    old = start_pose(project)
    wanted = {found.id: tuple(float(a) for a in angles)}
    if tied := coupled_joints(project):
        settings = _settings(project)
        start = {one.id: _angles(one, old, settings) for one in project.joints if one.id in tied}
        wanted |= led(project, start, wanted)
    new = dict(old)
    set_ = {one.child: one for one in project.joints if one.id in wanted}
    roots = dict.fromkeys(root_of(project, name) for name in set_)
    tree = [name for root in roots for name in members(project, root) if name != GROUND]
    for name in (name for name in tree if name in set_):
        placed = _placed(set_[name], new, wanted[set_[name].id])
        new |= _carried_along(project, new, name, placed)
    return with_pose(project, {name: new[name] for name in tree}, wanted)


def _placed(joint: Joint, pose: Mapping[str, Placed], values: tuple[float, ...]) -> Placed:
    """Where a joint's child stands."""
    parent = pose[joint.parent]
    R_WP = parent.R_WS @ turn(joint.parent_frame.orientation)
    R_PC, origin = across(joint, values)
    R_WS = R_WP @ R_PC @ turn(joint.child_frame.orientation).T
    at = parent.p_W + parent.R_WS @ np.array(joint.parent_frame.position_m)
    return Placed(R_WS, at + R_WP @ origin - R_WS @ np.array(joint.child_frame.position_m))


def within_stops(project: Project, joint: str, angles: Sequence[float]) -> tuple[float, ...]:
    """The coordinates nearest to some at which no stop of a joint pushes (rad and m)."""
    return within(project, _joint(project, joint), angles)


def with_attitude(
    project: Project,
    segment: str,
    orientation: Orientation,
    relative_to: str = GROUND,
    about: Vec3 = (0.0, 0.0, 0.0),
) -> Project:
    """Turn a segment to an attitude; what it carries goes along.

    A segment that no joint carries is turned about a point of itself (m, segment axes). Raises
    PoseError where its joint does not allow the attitude.
    """
    old = start_pose(project)
    joint = _carrier(project, segment)
    if relative_to not in old:
        raise PoseError("There is no segment '{segment}'.", segment=relative_to)
    R_WS = old[relative_to].R_WS @ turn(orientation)
    if joint is None:
        here, at = old[segment], np.array(about)
        moved = Placed(R_WS, here.p_W + (here.R_WS - R_WS) @ at)
        return with_pose(project, _carried_along(project, old, segment, moved))
    R_WP = old[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
    R_PC = R_WP.T @ R_WS @ turn(joint.child_frame.orientation)
    now = _angles(joint, old, _settings(project))
    values = joint_values(joint, R_PC, _origin(joint, now), now)
    off = _turn_between(across(joint, values)[0], R_PC)
    if off > REFUSED:
        raise PoseError(
            "The {joint_kind} joint '{joint}' does not allow this attitude of '{segment}': it is {degrees:.1f} degrees off. Turn '{parent}', or set the joint instead.",
            joint_kind=joint.kind,
            joint=joint.id,
            segment=segment,
            degrees=math.degrees(off),
            parent=joint.parent,
        )
    return with_joint(project, joint.id, values)


def with_tree_moved(
    project: Project,
    segment: str,
    by_m: Sequence[float] | Array = (0.0, 0.0, 0.0),
    orientation: Orientation | None = None,
    about: Sequence[float] | Array | None = None,
) -> Project:
    """Move the whole tree of a segment: turn it about a point (ground axes), then shift it (m).

    Without a point it turns about the mass centre of its root.
    """
    _carrier(project, segment)
    old, root = start_pose(project), root_of(project, segment)
    if root == GROUND:
        raise PoseError(
            "'{segment}' is attached to the ground by a joint: its tree cannot be moved.",
            segment=segment,
        )
    R = np.eye(3) if orientation is None else turn(orientation)
    here = old[root]
    at = here.p_W if about is None else np.array(about, float)
    moved = Placed(R @ here.R_WS, at + R @ (here.p_W - at) + np.array(by_m, float))
    return with_pose(project, _carried_along(project, old, root, moved))


@dataclass(frozen=True)
class TwoPointFit:
    """Hold a fitted project, and by how much (m) the second point is off its place."""

    project: Project
    off_m: float


def with_two_points(
    project: Project,
    first: PointRef,
    first_place: Sequence[float],
    second: PointRef,
    second_place: Sequence[float],
    axis: Sequence[float] | None = None,
) -> TwoPointFit:
    """Move a tree so that one point is at its place (such as an H-point) and another as near as can be.

    Places are in ground axes (m). The tree turns by the least angle, or about the given axis alone
    (ground axes; 0, 1, 0 keeps a seated body upright in its plane). Both points must be of one tree.
    """
    for point in (first, second):
        _carrier(project, point.segment)
    root = root_of(project, first.segment)
    if root != root_of(project, second.segment):
        raise PoseError(
            "'{segment}' and '{segment_2}' belong to different trees: take two points of one body.",
            segment=first.segment,
            segment_2=second.segment,
        )
    pose = start_pose(project)
    one, two = _place(pose, first), _place(pose, second)
    was, wanted = two - one, np.array(second_place, float) - np.array(first_place, float)
    if min(float(np.linalg.norm(was)), float(np.linalg.norm(wanted))) < EXACT:
        raise PoseError("Both points are at one place: take two that are apart.")
    R = _least_turn(was, wanted) if axis is None else turn_about(was, wanted, axis)
    moved = with_tree_moved(
        project,
        first.segment,
        np.array(first_place, float) - one,
        Orientation(angles_rad=angles_from(R, "zyx")),
        about=one,
    )
    off = _place(start_pose(moved), second) - np.array(second_place, float)
    return TwoPointFit(moved, float(np.linalg.norm(off)))


def root_of(project: Project, segment: str) -> str:
    """Name the segment on which a tree stands, or the ground; a free joint begins a tree."""
    carried = {j.child: j for j in carrying(project.joints)}
    while segment in carried:
        segment = carried[segment].parent
    return segment


def members(project: Project, segment: str) -> tuple[str, ...]:
    """Name a segment and all that it carries, parents first."""
    below: dict[str, list[str]] = {}
    for joint in carrying(project.joints):
        below.setdefault(joint.parent, []).append(joint.child)
    found = [segment]
    for name in found:
        found += below.get(name, [])
    return tuple(found)


def with_pose(
    project: Project,
    target: Mapping[str, Placed],
    values: Mapping[str, tuple[float, ...]] | None = None,
) -> Project:
    """Write the start again so that segments stand where wanted; others follow what they count from.

    `values` are coordinates to write for joints that are set, where the pose leaves a choice of whole
    turns. Raises PoseError where joints or starts do not allow the pose.
    """
    for _ in range(3):
        project = _written(project, target, values or {})
        got = start_pose(project)
        off = {name: _apart(got[name], there) for name, there in target.items()}
        if max(off.values(), default=0.0) < 10.0 * EXACT:
            return project
    worst = max(off, key=lambda name: off[name])
    raise PoseError(
        "The joints do not allow this pose: '{worst}' is off by {off:.3g}.",
        worst=worst,
        off=off[worst],
    )


def _written(
    project: Project, target: Mapping[str, Placed], values: Mapping[str, tuple[float, ...]]
) -> Project:
    pose = start_pose(project)
    new = {**pose, **target}
    initial = project.initial
    settings = _settings(project)
    attitudes = {a.segment: a for a in initial.attitudes}
    roots = {r.segment: r for r in initial.roots}
    starts = {s.joint: s for s in initial.joints}
    carrier = {j.child: j for j in project.joints}
    moved, bent = moved_at_start(project), bent_nodes(project)
    for name in target:
        joint, there = carrier.get(name), new[name]
        if name in moved:
            # the start places it, and from there its motion brings it to where it is wanted
            there = moved[name].back(there)
        if name in attitudes or (joint is None and _turn_between(there.R_WS, np.eye(3)) > EXACT):
            a = attitudes.get(name, AttitudeStart(segment=name))
            R = new[a.relative_to].R_WS.T @ there.R_WS
            if name not in attitudes or _turn_between(R, turn(a.orientation)) > EXACT:
                o = a.orientation
                angles = angles_from(R, o.order, o.angles_rad)
                o = o.model_copy(update={"angles_rad": angles})
                attitudes[name] = a.model_copy(update={"orientation": o})
        if joint is None:
            r = roots.get(name, RootStart(segment=name))
            base = new[r.relative_to]
            p = base.R_WS.T @ (there.p_W - base.p_W)
            if float(np.linalg.norm(p - np.array(r.position_m))) > EXACT:
                roots[name] = r.model_copy(update={"position_m": tuple(float(x) for x in p)})
            continue
        if joint.id in bent:
            # it is locked, and modes turn its node
            continue
        now = _angles(joint, pose, settings)
        wanted = values.get(joint.id)
        if wanted is None:
            wanted = _angles(joint, new, {joint.id: now})
        if name in attitudes:
            # the attitude gives the turn; of the start only the sliding stays
            if row_of(joint).slides and joint.id in starts:
                starts[joint.id] = _with_values(starts[joint.id], wanted)
            continue
        old = settings.get(joint.id) or (0.0,) * len(now)
        if max((abs(a - b) for a, b in zip(wanted, old, strict=True)), default=0.0) > EXACT:
            starts[joint.id] = _with_values(
                starts.get(joint.id, JointStart(joint=joint.id)), wanted
            )
    made = initial.model_copy(
        update={
            "roots": tuple(roots.values()),
            "attitudes": tuple(attitudes.values()),
            "joints": tuple(starts.values()),
        }
    )
    return project.model_copy(update={"initial": made})


def _with_values(start: JointStart, values: Sequence[float]) -> JointStart:
    return start.model_copy(update={"values": tuple(float(v) for v in values)})


def _carried_along(
    project: Project, old: Mapping[str, Placed], segment: str, moved: Placed
) -> dict[str, Placed]:
    """The pose of a whole tree after one segment has moved with all that it carries."""
    R = moved.R_WS @ old[segment].R_WS.T
    root = root_of(project, segment)
    pose = {n: old[n] for n in members(project, root) if n != GROUND}
    for name in members(project, segment):
        pose[name] = Placed(R @ old[name].R_WS, moved.p_W + R @ (old[name].p_W - old[segment].p_W))
    return pose


def _joint(project: Project, joint: str) -> Joint:
    for found in project.joints:
        if found.id == joint:
            return found
    raise PoseError("There is no joint '{joint}'.", joint=joint)


def _carrier(project: Project, segment: str) -> Joint | None:
    if segment not in {s.id for s in project.segments}:
        raise PoseError("There is no segment '{segment}'.", segment=segment)
    return next((j for j in carrying(project.joints) if j.child == segment), None)


def _settings(project: Project) -> dict[str, tuple[float, ...]]:
    return {s.joint: s.values for s in project.initial.joints}


def _angles(
    joint: Joint, pose: Mapping[str, Placed], settings: Mapping[str, Sequence[float]]
) -> tuple[float, ...]:
    """A joint's coordinates in a pose, near those of its setting."""
    like, needed = tuple(settings.get(joint.id, ())), values_needed(joint)
    if len(like) != needed:  # none, or too few while it is edited
        like = (0.0,) * needed
    parent, child = pose[joint.parent], pose[joint.child]
    R_WP = parent.R_WS @ turn(joint.parent_frame.orientation)
    R_WC = child.R_WS @ turn(joint.child_frame.orientation)
    at = parent.p_W + parent.R_WS @ np.array(joint.parent_frame.position_m)
    point = child.p_W + child.R_WS @ np.array(joint.child_frame.position_m)
    return joint_values(joint, R_WP.T @ R_WC, R_WP.T @ (point - at), like)


def _origin(joint: Joint, values: tuple[float, ...]) -> Array:
    return across(joint, values)[1]


def _place(pose: Mapping[str, Placed], point: PointRef) -> Array:
    at = pose[point.segment]
    return np.asarray(at.p_W + at.R_WS @ np.array(point.position_m))


def _apart(one: Placed, two: Placed) -> float:
    return max(float(np.linalg.norm(one.p_W - two.p_W)), _turn_between(one.R_WS, two.R_WS))


def _turn_between(one: Array, two: Array) -> float:
    """The angle (rad) between two attitudes, exact for small ones."""
    return 2.0 * math.asin(min(1.0, float(np.linalg.norm(one - two)) / math.sqrt(8.0)))


def _least_turn(was: Array, wanted: Array) -> Array:
    """Give the least turn that brings one direction into another."""
    a, b = was / np.linalg.norm(was), wanted / np.linalg.norm(wanted)
    axis, cosine = np.cross(a, b), float(a @ b)
    size = float(np.linalg.norm(axis))
    if size < EXACT:
        if cosine > 0.0:
            return np.eye(3)
        # half a turn about any axis across
        axis = np.cross(a, np.eye(3)[int(np.argmin(np.abs(a)))])
        size = float(np.linalg.norm(axis))
    return _about(axis / size, math.atan2(float(np.linalg.norm(np.cross(a, b))), cosine))


def turn_about(was: Array, wanted: Array, axis: Sequence[float]) -> Array:
    """Give the turn about an axis that brings one direction nearest to another."""
    e = np.array(axis, float)
    size = float(np.linalg.norm(e))
    if size < EXACT:
        raise PoseError("The axis has no direction.")
    e = e / size
    a, b = was - (was @ e) * e, wanted - (wanted @ e) * e
    return _about(e, math.atan2(float(e @ np.cross(a, b)), float(a @ b)))


def _about(axis: Array, angle: float) -> Array:
    """Turn about any axis of length one: about x in axes of which it is the first."""
    helper = np.eye(3)[int(np.argmin(np.abs(axis)))]
    y = np.cross(axis, helper)
    y /= np.linalg.norm(y)
    B = np.column_stack([axis, y, np.cross(axis, y)])
    R: Array = B @ about_axis("x", angle) @ B.T
    return R


# Weigh a body: its mass centre, how its weight goes into supports, and turned so that it stands over them.


@dataclass(frozen=True)
class Balance:
    """Hold a tree's mass (kg), mass centre (m, ground axes), and the force (N) that each support bears.

    A force below zero would have to pull: the body tips over that support's opposite side.
    `tipping_nm` is the part of the moment that no forces along gravity at the supports can bear.
    """

    mass_kg: float
    centre_m: tuple[float, float, float]
    forces_n: tuple[float, ...]
    tipping_nm: float


def weight_balance(
    project: Project, segment: str, supports: Sequence[PointRef | Sequence[float]] = ()
) -> Balance:
    """Weigh the tree of a segment, and share its weight among supports (points, or places in ground axes).

    Supports push against gravity alone. Of all ways to share the weight the most even one is taken.
    """
    mass, centre = _mass_centre(project, segment)
    gravity = np.array(project.gravity_m_per_s2)
    weight = mass * float(np.linalg.norm(gravity))
    if not supports or weight == 0.0:
        return Balance(mass, _three(centre), tuple(0.0 for _ in supports), 0.0)
    up = -gravity / np.linalg.norm(gravity)
    arms = [_ground_place(project, s) - centre for s in supports]
    moments = np.array([np.cross(arm, up) for arm in arms]).T
    # the total is exact; moments are met as well as they can be, then forces as evenly as they can
    size = max(float(np.max(np.abs(moments))), 1e-9)
    rows = np.vstack([1e6 * size * np.ones(len(arms)), moments])
    forces = np.linalg.pinv(rows, rcond=1e-12) @ np.array([1e6 * size * weight, 0.0, 0.0, 0.0])
    left = float(np.linalg.norm(moments @ forces))
    return Balance(mass, _three(centre), tuple(float(f) for f in forces), left)


def with_balance(
    project: Project, segment: str, over: PointRef, axis: Sequence[float] = (0.0, 1.0, 0.0)
) -> Project:
    """Turn a tree about an axis (ground axes) through a point of it, until its weight stands over it.

    The mass centre comes to lie above the point, on the side against gravity.
    """
    _, centre = _mass_centre(project, segment)
    if root_of(project, segment) != root_of(project, over.segment):
        raise PoseError(
            "'{segment}' does not belong to the tree of '{segment_2}'.",
            segment=over.segment,
            segment_2=segment,
        )
    gravity = np.array(project.gravity_m_per_s2)
    if not gravity.any():
        raise PoseError("Without gravity nothing has weight to balance.")
    at = _ground_place(project, over)
    R = turn_about(centre - at, -gravity, axis)
    return with_tree_moved(
        project, segment, orientation=Orientation(angles_rad=angles_from(R, "zyx")), about=at
    )


def _mass_centre(project: Project, segment: str) -> tuple[float, Array]:
    """Give mass (kg) and mass centre (m, ground axes) of a tree; free joints end it."""
    _carrier(project, segment)
    names = set(members(project, root_of(project, segment))) - {GROUND}
    pose = start_pose(project)
    parts = [(s.mass_kg, pose[s.id].p_W) for s in project.segments if s.id in names]
    mass = sum(m for m, _ in parts)
    if mass == 0.0:
        raise PoseError("The tree of '{segment}' has no mass.", segment=segment)
    return mass, sum((m * p for m, p in parts), np.zeros(3)) / mass


def _ground_place(project: Project, support: PointRef | Sequence[float]) -> Array:
    if isinstance(support, PointRef):
        at = start_pose(project)[support.segment]
        return np.asarray(at.p_W + at.R_WS @ np.array(support.position_m))
    return np.array(support, float)


def _three(v: Array) -> tuple[float, float, float]:
    return float(v[0]), float(v[1]), float(v[2])
