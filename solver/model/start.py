"""Find the speeds at time zero: trees share a motion, attitudes and joints add their rates."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from solver.base.words import Sentence
from solver.engine.dynamics.drive import Drives, drive
from solver.engine.dynamics.tree import BALL, DRIVEN, FREE, TURN, Array, kinematics, make_motion
from solver.engine.forces.drivers import Drivers, drive_axes
from solver.engine.forces.state import Moment
from solver.engine.maths.alike import into, length
from solver.engine.maths.rotation import about_axis, cross
from solver.model.tree import Trees, turn
from solver.project.document import Project
from solver.project.joint_table import carrying, is_free, row_of
from solver.project.joints import Joint
from solver.project.motions import JointStart
from solver.project.pose import Placed
from solver.project.segments import GROUND

Twist = tuple[Array, Array]
"""Angular velocity, and velocity of a segment's mass centre, ground axes."""

UNNOTICED = 1e-6
"""Part of a start rate that may be left out without a word."""


def start_speeds(
    project: Project, trees: Trees, drives: Drives, drivers: Drivers, pose: Mapping[str, Placed]
) -> tuple[Array, tuple[Sentence, ...]]:
    """All speeds at time zero, and what of the wanted ones joints do not allow."""
    notes: list[Sentence] = []
    q, v = trees.q, np.zeros(trees.speeds)
    # what has none does not wait until these are compiled
    if len(drives.body):
        drive(drives, trees.tree, 0.0, 0.0, q, v, np.zeros(trees.speeds))
    if len(drivers.axis):
        start = Moment(0.0, 0.0, np.zeros(0))
        drive_axes(drivers, trees.tree, start, q, v, np.zeros(trees.speeds))
    twists = {GROUND: (np.zeros(3), np.zeros(3))}
    shared = {GROUND: twists[GROUND]}
    carried = {j.child: j for j in carrying(project.joints)}
    floating = {j.child: j for j in project.joints if is_free(j)}
    roots = {r.segment: r for r in project.initial.roots}
    spins = {a.segment: a for a in project.initial.attitudes}
    settings = {j.joint: j for j in project.initial.joints}
    waiting = list(trees.body_of)
    motion = make_motion(trees.tree)
    kinematics(trees.tree, trees.locked, q, np.zeros_like(v), motion)
    while waiting:
        left = []
        for name in waiting:
            joint = carried.get(name)
            needs = joint.parent if joint else roots[name].moves_with if name in roots else GROUND
            if name in floating and floating[name].id in settings:
                needs = floating[name].parent
            if needs not in twists:
                left.append(name)
                continue
            body = trees.body_of[name]
            at = trees.tree.at_v[body]
            R_WS = pose[name].R_WS
            own = np.array(spins[name].angular_velocity_rad_per_s) if name in spins else None
            if joint is None:
                if trees.locked[body] == DRIVEN:
                    w, vel = R_WS @ v[at + 3 : at + 6], v[at : at + 3].copy()
                else:
                    w, vel = _carried_along(twists[needs], pose[needs], pose[name])
                    shared[name] = (w, vel)
                    if name in roots:
                        vel = vel + np.array(roots[name].velocity_m_per_s)
                    if own is not None:
                        w = w + R_WS @ own
                    if name in floating and floating[name].id in settings:
                        w, vel = _floating(floating[name], settings, (w, vel), pose)
                    v[at : at + 3], v[at + 3 : at + 6] = vel, into(R_WS, w)
                twists[name] = (w, vel)
                continue
            w_parent = twists[joint.parent][0]
            root_w = _shared_turning(name, carried, shared, twists)
            wanted = None if own is None else root_w + R_WS @ own
            lost = _joint_speeds(
                trees, joint, settings.get(joint.id), wanted, w_parent, motion.R, v
            )
            if wanted is not None and lost > UNNOTICED * (1.0 + length(wanted)):
                notes.append(
                    Sentence(
                        "note: joint '{joint}' does not let '{segment}' start turning as wanted; "
                        "{lost:.3g} rad/s of it are left out",
                        joint=joint.id,
                        segment=name,
                        lost=lost,
                    )
                )
            kinematics(trees.tree, trees.locked, q, v, motion)
            twists[name] = (motion.w[body].copy(), np.zeros(3))
            arm = motion.R[body].reshape(3, 3) @ trees.origin[name]
            twists[name] = (motion.w[body].copy(), motion.v[body] - cross(motion.w[body], arm))
        if len(left) == len(waiting):
            raise ValueError("trees share each other's motion in a ring")
        waiting = left
    return v, tuple(notes)


def _shared_turning(
    name: str,
    carried: Mapping[str, Joint],
    shared: Mapping[str, Twist],
    twists: Mapping[str, Twist],
) -> Array:
    """The angular velocity that the whole tree of a segment shares."""
    while name in carried:
        name = carried[name].parent
    return shared.get(name, twists[name])[0]


def _carried_along(base: Twist, at: Placed, here: Placed) -> Twist:
    """Give the motion of a segment that is fixed to another."""
    w, v = base
    return w.copy(), v + cross(w, here.p_W - at.p_W)


def _floating(
    joint: Joint, settings: Mapping[str, JointStart], twist: Twist, pose: Mapping[str, Placed]
) -> Twist:
    """Add the rates of a free joint's coordinates, counted from its parent's frame."""
    rates = settings[joint.id].rates
    if not rates:
        return twist
    R_WP = pose[joint.parent].R_WS @ turn(joint.parent_frame.orientation)
    values = settings[joint.id].values or (0.0,) * 6
    w = R_WP @ angular_velocity(values[3:], rates[3:], "zyx")
    # the joint's point in the child has the given rates; its mass centre turns about it
    arm = pose[joint.child].R_WS @ np.array(joint.child_frame.position_m)
    return twist[0] + w, twist[1] + R_WP @ np.array(rates[:3]) - cross(w, arm)


def angular_velocity(angles: tuple[float, ...], rates: tuple[float, ...], order: str) -> Array:
    """The angular velocity, in the axes before the turns, of angles that change."""
    w, R = np.zeros(3), np.eye(3)
    for axis, angle, rate in zip(order, angles, rates, strict=True):
        w = w + R[:, "xyz".index(axis)] * rate
        R = R @ about_axis(axis, angle)
    return w


def _joint_speeds(
    trees: Trees,
    joint: Joint,
    setting: JointStart | None,
    w: Array | None,
    w_parent: Array,
    R: Array,
    v: Array,
) -> float:
    """Set the speeds of one joint: from its child's angular velocity, or from its own rates.

    Gives the size of what the joint does not allow of it.
    """
    tree, made = trees.tree, trees.joints[joint.id]
    rates = () if setting is None else setting.rates
    bodies = [b for b in made.bodies if trees.locked[b] == 0]
    R_W = {b: R[b].reshape(3, 3) for b in made.bodies}
    if w is None:
        if not rates:
            return 0.0
        w, given = np.zeros(3), list(rates)
        parent = tree.parent[made.bodies[0]]
        R_WP = (R[parent].reshape(3, 3) if parent >= 0 else np.eye(3)) @ made.R_PF
        values = list(setting.values if setting and setting.values else (0.0,) * len(given))
        row = row_of(joint)
        for body, rate in zip(row.slid(made.bodies), row.slid(given), strict=False):
            if body in bodies:
                v[tree.at_v[body]] = rate
        if row.leading:
            # both turns are about one axis: each has its own rate
            for body, rate in zip(row.turned(made.bodies), row.turned(given), strict=True):
                if body in bodies:
                    v[tree.at_v[body]] = rate
            return 0.0
        w_rel = R_WP @ angular_velocity(row.turned(values), row.turned(given), row.order)
    else:
        w_rel = w - w_parent
    turns = [b for b in bodies if tree.kind[b] == TURN]
    if turns:
        axes = np.array([R_W[b] @ tree.axis[b] for b in turns]).T
        found = np.linalg.lstsq(axes, w_rel, rcond=None)[0]
        for b, rate in zip(turns, found, strict=True):
            v[tree.at_v[b]] = rate
        w_rel = w_rel - axes @ found
    for b in bodies:
        if tree.kind[b] in (BALL, FREE):
            v[tree.at_v[b] : tree.at_v[b] + 3] = into(R_W[b], w_rel)
            w_rel = np.zeros(3)
    return length(w_rel)
