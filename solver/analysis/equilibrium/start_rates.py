"""Let the start speeds of a project fit its constraints, as the impulse at the start of a run would; written into the start."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from solver.analysis.equilibrium.freedoms import open_speeds
from solver.analysis.equilibrium.skeleton import Bound, bound, skeleton
from solver.analysis.equilibrium.statics import Statics
from solver.engine.dynamics.tree import DRIVEN, HELD, Array, kinematics, make_motion
from solver.model.start import angular_velocity
from solver.project.document import Project
from solver.project.fields import Vec3
from solver.project.joint_table import carrying, is_free, row_of
from solver.project.joints import Joint
from solver.project.motions import AttitudeStart, JointStart, RootStart
from solver.project.pose import start_pose, turn, values_needed
from solver.project.posing import angles_of
from solver.project.segments import GROUND

FITS = 1e-9
"""By how much (m/s, rad/s) start speeds may miss rows of constraints."""

DEPENDENT = 1e-9


def with_speeds(project: Project, hold: Iterable[str] = ()) -> tuple[Project, float]:
    """Change start speeds by the least impulse that makes them fit; give by how much they missed, or zero.

    Joints in `hold` keep theirs. What cannot be written, since no start has a place for it, is left to the run.
    """
    statics, found = _running(project)
    off = float(np.abs(found.speed).max(initial=0.0))
    if off <= FITS:
        return project, 0.0
    kept = {s for name in hold for s in open_speeds(statics, name)}
    free = np.array(
        [
            s
            for b in statics.open
            if statics.system.locked[b] not in (HELD, DRIVEN)
            for s in statics.speeds_of(int(b))
            if s not in kept
        ],
        np.int64,
    )
    M = statics.mass(statics.columns(np.eye(len(statics.rest))))[np.ix_(free, free)]
    M = M + 1e-12 * max(float(np.trace(M)), 1e-300) * np.eye(len(free))
    inverse = np.linalg.inv(np.linalg.cholesky(M))
    rows = found.rows[:, free] @ inverse.T
    change = inverse.T @ np.linalg.pinv(rows, rcond=DEPENDENT) @ found.speed
    wanted = statics.rest.copy()
    wanted[free] -= change
    made = _written(project, statics, wanted)
    left = float(np.abs(_running(made)[1].speed).max(initial=0.0))
    return (made, off) if left < off else (project, 0.0)


def _running(project: Project) -> tuple[Statics, Bound]:
    statics = Statics(skeleton(project), as_run=True)
    statics.evaluate(statics.q)
    return statics, bound(statics)


def _written(project: Project, statics: Statics, v: Array) -> Project:
    """Write speeds of all trees as rates of joints, and velocities of roots."""
    tree, trees, pose = statics.tree, statics.model.trees, start_pose(project)
    motion = make_motion(tree)
    kinematics(tree, statics.system.locked, statics.q, v, motion)
    initial = project.initial
    roots = {one.segment: one for one in initial.roots}
    spins = {one.segment: one for one in initial.attitudes}
    starts = {one.joint: one for one in initial.joints}
    carried = {j.child: j for j in carrying(project.joints)}
    floating = {j.child: j for j in project.joints if is_free(j)}

    def turning(name: str) -> Array:
        return np.zeros(3) if name == GROUND else motion.w[trees.body_of[name]]

    def moving(name: str) -> Array:
        """The velocity of a segment's mass centre."""
        if name == GROUND:
            return np.zeros(3)
        b = trees.body_of[name]
        arm = motion.R[b].reshape(3, 3) @ trees.origin[name]
        return np.asarray(motion.v[b] - np.cross(motion.w[b], arm))

    def shared(name: str) -> Array:
        """The angular velocity that a segment's whole tree shares."""
        while name in carried:
            name = carried[name].parent
        if name == GROUND or trees.locked[trees.body_of[name]] == DRIVEN:
            return turning(name)
        return turning(roots[name].moves_with) if name in roots else np.zeros(3)

    for name, b in trees.body_of.items():
        joint, R = carried.get(name), pose[name].R_WS
        if trees.locked[b] == DRIVEN or (name in floating and floating[name].id in starts):
            continue
        if name in spins or (joint is None and np.abs(turning(name) - shared(name)).max() > FITS):
            one = spins.get(name, AttitudeStart(segment=name))
            own = _three(R.T @ (turning(name) - shared(name)))
            spins[name] = one.model_copy(update={"angular_velocity_rad_per_s": own})
        if joint is not None:
            if name not in spins:
                rates = _rates(project, joint, statics, v, turning(name) - turning(joint.parent))
                old = starts.get(joint.id, JointStart(joint=joint.id))
                if old.rates or any(abs(r) > FITS for r in rates):
                    starts[joint.id] = old.model_copy(update={"rates": rates})
            continue
        root = roots.get(name, RootStart(segment=name))
        base = root.moves_with
        there = pose[base].p_W if base in pose else np.zeros(3)
        along = moving(base) + np.cross(turning(base), pose[name].p_W - there)
        own = _three(moving(name) - along)
        if any(abs(a - b) > FITS for a, b in zip(own, root.velocity_m_per_s, strict=True)):
            roots[name] = root.model_copy(update={"velocity_m_per_s": own})
    made = initial.model_copy(
        update={
            "roots": tuple(roots.values()),
            "attitudes": tuple(spins.values()),
            "joints": tuple(starts.values()),
        }
    )
    return project.model_copy(update={"initial": made})


def _rates(
    project: Project, joint: Joint, statics: Statics, v: Array, w_W: Array
) -> tuple[float, ...]:
    """The rates of a joint's own coordinates."""
    row, made = row_of(joint), statics.model.trees.joints[joint.id]
    needed = values_needed(joint)
    if not needed:
        return ()
    at = [int(statics.tree.at_v[b]) for b in made.bodies]
    if row.acts in ("axes", "nothing") and len(at) == needed:
        return tuple(float(v[k]) for k in at)
    values = angles_of(project, joint.id)
    parent = np.eye(3) if joint.parent == GROUND else start_pose(project)[joint.parent].R_WS
    w = (parent @ turn(joint.parent_frame.orientation)).T @ w_W
    turns = row.turned(values)
    unit = np.eye(len(turns))
    columns = np.array([angular_velocity(turns, tuple(one), row.order) for one in unit]).T
    rates = np.linalg.lstsq(columns, w, rcond=None)[0]
    slid = tuple(float(v[k]) for k in at[: len(row.slides)])
    return row.chained(slid, tuple(float(r) for r in rates))


def _three(values: Array) -> Vec3:
    x, y, z = (float(one) + 0.0 for one in values)
    return x, y, z
