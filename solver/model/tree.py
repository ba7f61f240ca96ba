"""Make a project's trees of segments into elementary joints for the kernels.

A segment's body has the segment's axes and, as origin, its joint's point; a segment on its own has
its mass centre there. Where a joint needs several elementary ones, bodies without mass stand between.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, Protocol, assert_never

import numpy as np

from solver.engine.dynamics.modes import no_modals
from solver.engine.dynamics.tree import (
    BALL,
    COORDINATES,
    FREE,
    SLIDE,
    SPEEDS,
    TURN,
    Array,
    IntArray,
    Tree,
    by_levels,
)
from solver.engine.forces.traces import Traces
from solver.engine.maths.alike import dot
from solver.engine.maths.rotation import from_angles, quaternion
from solver.model.modal.bodies import ModalBodies
from solver.project.angles import start_angles, turned
from solver.project.checks.bodies import stand_ins
from solver.project.checks.index import Index
from solver.project.couplings import COUPLINGS
from solver.project.document import Project
from solver.project.geometry import FrameRef, Orientation, PointRef
from solver.project.inertia import inertia_of
from solver.project.joint_table import Acting, axes_of, bending_of, carrying, row_of, slides_of
from solver.project.joints import Joint, Lock, SixJoint
from solver.project.memo import memoised
from solver.project.pose import Placed, bent_nodes, joint_values, start_pose
from solver.project.segments import GROUND, Segment

X, Y, Z = np.eye(3)
AXES = {"x": X, "y": Y, "z": Z}
NONE: Mapping[str, Segment] = {}

BAG_START = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0])
"""Coordinates of an airbag's body, until it has a place."""


@dataclass(frozen=True, slots=True)
class Elementary:
    """Name a joint's elementary bodies, from the parent to the child, and its frames' turns."""

    bodies: tuple[int, ...]
    R_PF: Array
    R_CF: Array
    start: tuple[float, ...] = ()
    """Precession, nutation and spin (rad) at the start, of an Euler joint; yaw, pitch and roll of a joint of six that may be a ball."""


@dataclass(frozen=True, slots=True)
class Trees:
    """The arrays of all trees, what stands where in them, and the coordinates at the start."""

    tree: Tree
    locked: IntArray
    q: Array
    speeds: int
    body_of: Mapping[str, int]
    """Bodies by segment."""
    origin: Mapping[str, Array]
    """Origin O of each segment's body, from the mass centre, segment axes."""
    inertia: Mapping[str, Array]
    """Each segment's inertia (3, 3) about its mass centre, segment axes."""
    joints: Mapping[str, Elementary]
    """Elementary joints by joint; a free joint has none of its own."""
    bag_bodies: tuple[int, ...]
    """Bodies of airbags, held and without mass until they are full."""
    modal_rest: Array
    """Of each modal body its mass, first moment and inertia at rest about its frame's origin O (10 numbers)."""


@dataclass
class _Builder:
    """Collect bodies in order."""

    parent: list[int] = field(default_factory=list)
    kind: list[int] = field(default_factory=list)
    R0: list[Array] = field(default_factory=list)
    axis: list[Array] = field(default_factory=list)
    joint_in_parent: list[Array] = field(default_factory=list)
    mass: list[float] = field(default_factory=list)
    centre: list[Array] = field(default_factory=list)
    inertia: list[Array] = field(default_factory=list)
    drive: list[float] = field(default_factory=list)
    locked: list[int] = field(default_factory=list)
    q: list[Array] = field(default_factory=list)
    room: list[int] = field(default_factory=list)
    balls: dict[int, tuple[int, ...]] = field(default_factory=dict)
    """Last of three turns that may be a ball in the place of all three, and these."""

    def add(
        self,
        parent: int,
        kind: int,
        q: Array | float,
        R0: Array,
        axis: Array,
        at: Array,
        *,
        locked: bool = False,
        drive: float = 0.0,
    ) -> int:
        """Add a body without mass and give its number."""
        self.room.append(kind)
        self.parent.append(parent)
        self.kind.append(kind)
        self.R0.append(R0.ravel())
        self.axis.append(axis)
        self.joint_in_parent.append(at)
        self.mass.append(0.0)
        self.centre.append(np.zeros(3))
        self.inertia.append(np.zeros(6))
        self.drive.append(drive)
        self.locked.append(int(locked))
        self.q.append(np.atleast_1d(np.asarray(q, float)))
        return len(self.parent) - 1

    def reserve(self, body: int, kind: int) -> None:
        """Leave room for the coordinates of another kind, which the body may take on later."""
        self.room[body] = max(kind, self.room[body])

    def weigh(self, body: int, segment: Segment, origin: Array) -> None:
        """Give a body the mass of a segment whose axes it has."""
        J = inertia_of(segment)
        self.mass[body] = segment.mass_kg
        self.centre[body] = -origin
        self.inertia[body] = np.array([J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]])

    def attach(self, body: int, mass: float, at: Array) -> None:
        """Add a point mass to a body, at a place from its origin O."""
        together = self.mass[body] + mass
        if together == 0.0:
            return
        away = at - self.centre[body]
        J = self.mass[body] * mass / together * (dot(away, away) * np.eye(3) - np.outer(away, away))
        self.inertia[body] = self.inertia[body] + np.array(
            [J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]]
        )
        self.centre[body] = self.centre[body] + mass / together * away
        self.mass[body] = together

    def tree(self) -> Tree:
        """The arrays."""
        return Tree(
            parent=np.array(self.parent, np.int64),
            kind=np.array(self.kind, np.int64),
            at_q=np.cumsum([0, *self._places()])[:-1].astype(np.int64),
            at_v=self._speeds(),
            R0=np.array(self.R0).reshape(-1, 9),
            axis=np.array(self.axis).reshape(-1, 3),
            joint_in_parent=np.array(self.joint_in_parent).reshape(-1, 3),
            mass=np.array(self.mass),
            centre=np.array(self.centre).reshape(-1, 3),
            inertia=np.array(self.inertia).reshape(-1, 6),
            drive=np.array(self.drive),
            order=by_levels(np.array(self.parent, np.int64)),
            modals=no_modals(len(self.parent)),
        )

    def _places(self) -> list[int]:
        """Count the coordinates for which each body has room."""
        return [
            COORDINATES[max(kind, BALL) if n in self.balls else kind]
            for n, kind in enumerate(self.room)
        ]

    def _speeds(self) -> IntArray:
        """Where the speeds of each body begin; what may be a ball comes first of its three turns, whose room it then takes."""
        at = np.cumsum([0, *(SPEEDS[k] for k in self.room)])[:-1].astype(np.int64)
        for last, turns in self.balls.items():
            at[[last, *turns[:2]]] = at[turns[0]] + np.arange(3)
        return at

    def start(self) -> Array:
        """The coordinates, with zeros in the room left over."""
        size = self._places()
        filled = [np.pad(q, (0, n - len(q))) for q, n in zip(self.q, size, strict=True)]
        return np.concatenate([np.zeros(0), *filled])


def turn(orientation: Orientation) -> Array:
    """The rotation matrix of an orientation."""
    return from_angles(orientation.angles_rad, orientation.order)


def compile_trees(project: Project) -> Trees:
    """Make the arrays of a checked project, with every joint as it stands at the start."""
    made = _trees(project, stand_ins(Index(project)) or NONE, str(len(project.airbags)))
    return replace(
        made,
        tree=copied(made.tree),
        locked=made.locked.copy(),
        q=made.q.copy(),
    )


def copied(one: Any) -> Any:
    """Copy arrays, also inside tuples of tuples."""
    return type(one)(*map(copied, one)) if isinstance(one, tuple) else one.copy()


def compile_traces(project: Project, trees: Trees) -> Traces:
    """What segments without mass, or without inertia, count beside what they have."""
    stand_in = stand_ins(Index(project)) or NONE
    rows = [(one, stand_in[one.id]) for one in project.segments if one.id in stand_in]
    bodies = [trees.body_of[one.id] for one, _ in rows]
    more = [inertia_of(trace) - inertia_of(one) for one, trace in rows]
    return Traces(
        body=np.array(bodies, np.int64),
        mass=np.array([trace.mass_kg - one.mass_kg for one, trace in rows]),
        centre=np.array([-trees.origin[one.id] for one, _ in rows]).reshape(-1, 3),
        inertia=np.array([J[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]] for J in more]).reshape(-1, 6),
        load=np.zeros((len(rows), 6)),
    )


@memoised
def _trees(project: Project, traces: Mapping[str, Segment], bags_in_it: str) -> Trees:
    """Make them; of bags it matters only how many there are."""
    carried = {j.child: j for j in carrying(project.joints)}
    given, attitudes = joint_values(project), {one.segment for one in project.initial.attitudes}
    axes_driven = {(one.joint, one.axis) for one in project.drivers}
    axes_driven |= {
        (axis.joint, axis.axis)
        for one in project.constraints
        if isinstance(one, COUPLINGS)
        for axis in (one.first, one.second)
    }
    pose = start_pose(project)
    driven = _driven(project)
    build = _Builder()
    bending = ModalBodies(project.modal_bodies)
    body_of: dict[str, int] = {}
    origin: dict[str, Array] = {GROUND: np.zeros(3)}
    joints: dict[str, Elementary] = {}
    for segment in _parents_first(project, carried):
        joint = carried.get(segment.id)
        if joint is None:
            placed = pose[segment.id]
            q = np.concatenate([placed.p_W, quaternion(placed.R_WS)])
            body = build.add(-1, FREE, q, np.eye(3), Z, np.zeros(3))
            origin[segment.id] = np.zeros(3)
        else:
            origin[segment.id] = np.array(joint.child_frame.position_m)
            at = np.array(joint.parent_frame.position_m) - origin[joint.parent]
            seen, bent = pose, bent_nodes(project).get(joint.id)
            if bent is not None:
                # its own coordinates know nothing of how the node stands
                here = pose[joint.parent]
                seen = {**pose, joint.parent: Placed(here.R_WS @ bent.R, here.p_W)}
            made = _joint(
                build, joint, body_of.get(joint.parent, -1), at, given.get(joint.id, ()), seen,
                driven.get(joint.id), is_turned=segment.id in attitudes,
            )  # fmt: skip
            joints[joint.id] = made
            body = made.bodies[-1]
            if goes_upright(joint, axes_driven):
                build.balls[body] = made.bodies[-3:]
                start = tuple(float(build.q[b][0]) for b in made.bodies[-3:])
                joints[joint.id] = replace(made, start=start)
            if joint.breakage is not None:
                build.reserve(body, FREE)
        build.weigh(body, traces.get(segment.id, segment), origin[segment.id])
        body_of[segment.id] = body
        bending.add(build, segment.id, body, origin[segment.id])
    for string in project.tension_elements:
        # T = M_A a^2/2 + M_B b^2/2 + M_AB a.b (4.50) is that of two point masses, less M_AB |b - a|^2/2
        for end, mass in ((string.a, string.mass_a_kg), (string.b, string.mass_b_kg)):
            if end.segment != GROUND:
                at = np.array(end.position_m) - origin[end.segment]
                build.attach(body_of[end.segment], mass + string.mass_ab_kg, at)
    bags = tuple(
        build.add(-1, FREE, BAG_START, np.eye(3), Z, np.zeros(3), locked=True)
        for _ in range(int(bags_in_it))
    )
    speeds = sum(SPEEDS[k] for k in build.room)
    locked = np.array(build.locked, np.int64)
    inertia = {s.id: inertia_of(traces.get(s.id, s)) for s in project.segments}
    tree = build.tree()
    by_id = {joint.id: joint for joint in project.joints}
    tree = tree._replace(modals=bending.modals(tree, by_id, body_of))
    return Trees(
        tree,
        locked,
        build.start(),
        speeds,
        body_of,
        origin,
        inertia,
        joints,
        bags,
        bending.rest(),
    )


def goes_upright(joint: Joint, driven: Collection[tuple[str, str]]) -> bool:
    """Whether a joint of six may be a ball near an upright pitch: where its three turns are always open."""
    return isinstance(joint, SixJoint) and all(
        axis.lock == Lock()
        and not axis.drive
        and axis.friction.relaxation_s is None
        and (joint.id, axis.turn.name) not in driven
        for axis in axes_of(joint)
    )


def _driven(project: Project) -> dict[str, bool]:
    """Name the joints of which axes are driven, and say whether any is moved or held from the start."""
    driven: dict[str, bool] = {}
    for one in project.drivers:
        at_once = one.begins_at_once or one.before == "held"
        driven[one.joint] = driven.get(one.joint, False) or at_once
    return driven


def _parents_first(project: Project, carried: Mapping[str, Joint]) -> list[Segment]:
    """Sort segments so that each stands behind the one that carries it."""
    by_id = {s.id: s for s in project.segments}
    done: dict[str, None] = {}
    for segment in project.segments:
        climb: list[str] = []
        here = segment.id
        while here != GROUND and here not in done:
            climb.append(here)
            here = carried[here].parent if here in carried else GROUND
        done.update(dict.fromkeys(reversed(climb)))
    return [by_id[name] for name in done]


def _joint(
    build: _Builder,
    joint: Joint,
    parent: int,
    at: Array,
    given: tuple[float, ...],
    pose: Mapping[str, Placed],
    driven: bool | None,
    *,
    is_turned: bool,
) -> Elementary:
    """Add the elementary joints of one joint, in the position in which its segments start.

    Its coordinates are those given; where its child has an attitude they are found from the pose.
    """
    row = row_of(joint)
    R_PF, R_CF = turn(joint.parent_frame.orientation), turn(joint.child_frame.orientation)
    R_WP, R_WC = pose[joint.parent].R_WS @ R_PF, pose[joint.child].R_WS @ R_CF
    R = R_WP.T @ R_WC
    slides = [
        (SLIDE, AXES[along.axis], slide.locked, slide.drive_mass_kg)
        for along, slide in slides_of(joint)
    ]
    chain, slid = slides, len(slides)
    q: list[Array | float] = [*(row.slid(given) or (0.0,) * slid)]
    match row.acts:
        case "axes":
            turns = [(TURN, AXES[a.turn.axis], a.lock.locked, a.drive) for a in axes_of(joint)]
            chain = [*row.chained(slides, turns)]
            q = [*row.chained(q, row.turned(given) or turned(R, row.order))]
        case "ball":
            chain = [*slides, (BALL, Z, bending_of(joint).lock.locked, getattr(joint, "drive_inertia_kgm2", 0.0))]  # fmt: skip
            q.append(quaternion(R_CF @ R @ R_CF.T))
        case "euler":
            angles = start_angles(joint, R, given, is_turned=is_turned)
            bodies = _euler(build, axes_of(joint), parent, at, R, angles, (R_PF, R_CF), driven)
            return Elementary(bodies, R_PF, R_CF, angles)
        case "nothing":
            if not chain:
                chain, q = [(TURN, Z, True, 0.0)], [0.0]
        case _:
            assert_never(row.acts)
    made: list[int] = []
    for n, ((kind, e, locked, drive), value) in enumerate(zip(chain, q, strict=True)):
        before = R_PF if n == 0 else np.eye(3)
        after = R_CF if n == len(chain) - 1 else np.eye(3)
        # a slide goes along its parent's axes, a turn about its child's
        axis = before @ e if kind == SLIDE else after @ e if kind == TURN else e
        onto, place = (parent, at) if n == 0 else (made[-1], np.zeros(3))
        made.append(
            build.add(onto, kind, value, before @ after.T, axis, place, locked=locked, drive=drive)
        )
    return Elementary(tuple(made), R_PF, R_CF)


def _euler(
    build: _Builder,
    axes: tuple[Acting, ...],
    parent: int,
    at: Array,
    R: Array,
    angles: tuple[float, ...],
    frames: tuple[Array, Array],
    driven: bool | None,
) -> tuple[int, ...]:
    """Add three turns z, x, z; while all are free a ball, which has no singular pose.

    `driven` says whether one of them is so from the start, or, None, that none ever is. A joint that can change between the two has the bodies of both: the first two turns are held at
    zero while the last body is a ball.
    """
    R_PF, R_CF = frames
    as_ball = quaternion(R_CF @ R @ R_CF.T)
    if driven is None and all(axis.lock == Lock() for axis in axes):
        return (build.add(parent, BALL, as_ball, R_PF @ R_CF.T, Z, at),)
    held = [axis.lock.locked for axis in axes]
    phi, theta, psi = angles
    ball = not any(held) and not driven
    if ball:
        phi = theta = 0.0
        held[:2] = [True, True]
    a = build.add(parent, TURN, phi, R_PF, Z, at, locked=held[0])
    b = build.add(a, TURN, theta, np.eye(3), X, np.zeros(3), locked=held[1])
    last: Array | float = as_ball if ball else psi
    c = build.add(b, BALL if ball else TURN, last, R_CF.T, R_CF @ Z, np.zeros(3), locked=held[2])
    build.reserve(c, BALL)
    return (a, b, c)


# Place points and frames of segments on their bodies.


class Bodies(Protocol):
    """Say which body each segment is, and where its origin O is from the mass centre."""

    @property
    def body_of(self) -> Mapping[str, int]:
        """Give bodies by segment."""

    @property
    def origin(self) -> Mapping[str, Array]:
        """Give origins by segment, segment axes."""


class Places(NamedTuple):
    """Which body each segment is and where its origin is: what of trees most changes leave the same."""

    body_of: Mapping[str, int]
    origin: Mapping[str, Array]


def point_on(trees: Bodies, segment: str, position: Sequence[float] | Array) -> tuple[int, Array]:
    """A segment's body (-1 for ground) and a point of it from the body's origin O."""
    if segment == GROUND:
        return -1, np.array(position, float)
    return trees.body_of[segment], np.array(position, float) - trees.origin[segment]


def frame_on(trees: Trees, ref: FrameRef) -> tuple[int, Array, Array]:
    """A frame's body, its origin from O and its turn in the body."""
    body, at = point_on(trees, ref.segment, ref.frame.position_m)
    return body, at, turn(ref.frame.orientation)


def placed(pose: Mapping[str, Placed], point: PointRef) -> Array:
    """A point in ground axes at the start."""
    at = pose[point.segment]
    place: Array = at.p_W + at.R_WS @ np.array(point.position_m)
    return place
