"""The motion of a model over time, from a run or from tracks, and the loads that its joints bear in it.

The loads are those that bring the motion about, beside weight: along each speed of the model, and the whole
force and torque at each joint. What else acts on a body, such as a seat under it, is in the loads of the joints
between it and the root, and at last in those of the root itself.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from solver.analysis.inverse.bodies import (
    At,
    Chains,
    InverseError,
    Poses,
    Rates,
    at_motion,
    opened,
    wrenches,
)
from solver.analysis.linear.operating_point import speed_names, way_units
from solver.engine.dynamics.tree import BALL, FREE, HELD, SLIDE, Array
from solver.engine.dynamics.tree import Motion as TreeMotion
from solver.engine.maths.rotation import followed, matrices, turns_of
from solver.project.contact import PlaneContact
from solver.project.joint_table import row_of
from solver.project.joints import EulerJoint, Joint
from solver.results.trajectory import Trajectory

# What presses on bodies from outside joints: the forces that a run has in its contacts.

Wrenches = list[tuple[Array, Array]]


@dataclass(frozen=True, eq=False)
class Pressing:
    """Forces of contacts over time (instants, contacts, 3) and their places, and the two bodies of each; -1 for ground."""

    first: tuple[int, ...]
    second: tuple[int, ...]
    force: Array
    place: Array

    def taken_from(self, own: Wrenches, k: int, motion: TreeMotion) -> Wrenches:
        """What is left of the torques about O and forces of bodies at an instant, once contacts have borne theirs."""
        out = [(torque.copy(), force.copy()) for torque, force in own]
        for n, bodies in enumerate(zip(self.first, self.second, strict=True)):
            for body, sign in zip(bodies, (1.0, -1.0), strict=True):
                if body >= 0:
                    f = sign * self.force[k, n]
                    torque, force = out[body]
                    out[body] = torque - np.cross(self.place[k, n] - motion.p[body], f), force - f
        return out


def pressing_in(at: At, run: Trajectory) -> Pressing:
    """Read the forces of all contacts from the frames of a run of this model."""
    project, body_of = at.compiled.project, at.compiled.trees.body_of
    if not project.contacts:
        raise InverseError("The model has no contacts.")
    planes = {plane.id: plane.segment for plane in project.planes}
    table, first, second = run.table("contacts"), [], []
    order = [table.ids.index(contact.id) for contact in project.contacts]
    for contact in project.contacts:
        if isinstance(contact, PlaneContact):
            pair = contact.surface.segment, planes[contact.plane]
        else:
            pair = contact.first.segment, contact.second.segment
        first.append(body_of.get(pair[0], -1))
        second.append(body_of.get(pair[1], -1))
    return Pressing(tuple(first), tuple(second), table["force"][:, order], table["point"][:, order])


# Loads about the three pins of Euler joints: what works along each of their angles.


def eulers_of(at: At) -> list[Joint]:
    """The Euler joints of a model."""
    return [one for one in at.compiled.project.joints if isinstance(one, EulerJoint)]


def columns_of(at: At, joint: Joint) -> tuple[int, ...]:
    """The numbers of the three loads of an Euler joint: of its own turns, or in the place of a ball's."""
    tree, bodies = at.system.tree, at.compiled.trees.joints[joint.id].bodies
    first = [int(tree.at_v[body]) for body in bodies]
    return tuple(first) if len(first) == 3 else (first[0], first[0] + 1, first[0] + 2)


def load_names(at: At) -> tuple[str, ...]:
    """Name the loads of joints: as the speeds, those of Euler joints by their angles."""
    names = list(speed_names(at.compiled))
    for joint in eulers_of(at):
        for column, turn in zip(columns_of(at, joint), row_of(joint).turns, strict=True):
            names[column] = f"joints/{joint.id}/{turn.name}"
    return tuple(names)


def about_pins(at: At, turns: Array, torques: dict[str, Array], values: Array) -> None:
    """Write the loads about the angles of Euler joints that are balls, by the torques (instants, 3) on their children.

    `turns` (instants, bodies, 9) are those of all bodies. The work of a torque along an angle is its component along
    the pin: the parent's z axis, the line of nodes, the child's z axis.
    """
    trees = at.compiled.trees
    for joint in eulers_of(at):
        made = trees.joints[joint.id]
        body = made.bodies[-1]
        if at.system.tree.kind[body] != BALL:
            continue
        parent, child = made.R_PF[None], turns[:, body].reshape(-1, 3, 3) @ made.R_CF
        if joint.parent in trees.body_of:
            parent = turns[:, trees.body_of[joint.parent]].reshape(-1, 3, 3) @ made.R_PF
        R = np.swapaxes(parent, 1, 2) @ child
        angle, _ = followed(turns_of(R, "zxz"), "zxz", np.array(made.start))
        c, s = np.cos(angle[:, 0]), np.sin(angle[:, 0])
        node = parent @ np.stack([c, s, np.zeros(len(c))], axis=1)[:, :, None]
        first = int(at.system.tree.at_v[body])
        values[:, first : first + 3] = 0.0
        pins = (np.broadcast_to(parent[:, :, 2], (len(c), 3)), node[:, :, 0], child[:, :, 2])
        for column, pin in zip(columns_of(at, joint), pins, strict=True):
            values[:, column] = np.einsum("ti,ti->t", pin, torques[joint.id])


@dataclass(frozen=True, eq=False)
class Motion:
    """Hold coordinates, speeds and their rates of a model's joints over time (instants, n)."""

    time: Array
    q: Array
    v: Array
    rates: Array
    at: At = field(repr=False)


@dataclass(frozen=True, eq=False)
class JointLoads:
    """What joints bear in a motion: along each speed (N, N*m), and force and torque on each child."""

    time: Array
    names: tuple[str, ...]
    """Speeds of the model, in their order; of an Euler joint its three angles in their place."""
    units: tuple[str, ...]
    values: Array
    """Loads along the speeds (instants, speeds); zero along those that are held. Those of an Euler joint work along its angles."""
    joints: tuple[str, ...]
    force: Array
    """Force on the child of each joint (instants, joints, 3), ground axes."""
    torque: Array
    """Torque on the child of each joint about the joint's point (instants, joints, 3), ground axes."""
    motion: Motion = field(repr=False)

    def __getitem__(self, name: str) -> Array:
        """The load along one speed over time."""
        if name not in self.names:
            raise InverseError(
                "'{name}' is no speed of the model: there are {names}.",
                name=name,
                names=", ".join(self.names),
            )
        return np.asarray(self.values[:, self.names.index(name)])


def motion_of_run(at: At, run: Trajectory) -> Motion:
    """Read the motion from the frames of a run of this model; axes that were locked count as open."""
    at = opened(at)
    table = run.table("segments")
    chains = Chains(at)
    order = [table.ids.index(name) for name in chains.names]
    time = run.time
    place = table["position"][:, order]
    turn = matrices(table["quaternion_wxyz"][:, order])

    def ground(name: str) -> Array:
        return np.asarray(np.einsum("tnij,tnj->tni", turn, table[name][:, order]))

    velocity, acceleration = table["velocity"][:, order], table["acceleration"][:, order]
    spin, spin_rate = ground("angular_velocity"), ground("angular_acceleration")
    q, found = at.q.copy(), []
    for k in range(len(time)):
        poses = Poses(turn[k], place[k])
        q = chains.coordinates(poses, q)
        v, rates = chains.rates(
            q, poses, Rates(velocity[k], spin[k], acceleration[k], spin_rate[k])
        )
        found.append((q, v, rates))
    if not found:
        raise InverseError("The run has no frames.")
    qs, vs, rs = (np.array(part) for part in zip(*found, strict=True))
    return Motion(time, qs, vs, rs, at)


def motion_of_tracks(
    at: At, time: Array, tracks: Mapping[str, Array], cutoff_hz: float | None = None
) -> Motion:
    """Make a motion of tracks of coordinates; what has none stays where it starts.

    A track is named as a speed of a joint that turns or slides (`joints/elbow/1`; rad, m), or is a
    segment's `segments/ID/position/x` and `segments/ID/quaternion_wxyz/w`. Splines of the fifth degree go
    through them, or, with `cutoff_hz`, through what a low pass of the fourth order without delay leaves of them.
    """
    from scipy.interpolate import make_interp_spline

    if len(time) < 6 or not (np.diff(time) > 0.0).all():
        raise InverseError("Tracks need six instants or more, each later than the one before.")
    for name, values in tracks.items():
        if len(values) != len(time) or not np.isfinite(values).all():
            raise InverseError(
                "The track '{name}' has gaps, or not as many values as times.", name=name
            )
    qs = _placed(at, time, tracks)
    if cutoff_hz is not None:
        qs = _smooth(time, qs, cutoff_hz)
    spline = make_interp_spline(time, qs, k=5)
    rate, growth = spline.derivative(1)(time), spline.derivative(2)(time)
    tree = at.system.tree
    v, dv = (np.zeros((len(time), len(at.v))) for _ in range(2))
    for i, kind in enumerate(tree.kind):
        if at.system.locked[i] == HELD:
            continue
        a, b = int(tree.at_q[i]), int(tree.at_v[i])
        if kind < BALL:
            v[:, b], dv[:, b] = rate[:, a], growth[:, a]
            continue
        if kind == FREE:
            v[:, b : b + 3], dv[:, b : b + 3] = rate[:, a : a + 3], growth[:, a : a + 3]
            a, b = a + 3, b + 3
        # w = 2 q* q', w' = 2 q* q'': q*' q' has no vector part
        own = qs[:, a : a + 4] / np.linalg.norm(qs[:, a : a + 4], axis=1, keepdims=True)
        qs[:, a : a + 4] = own
        v[:, b : b + 3] = 2.0 * _part(own, rate[:, a : a + 4])
        dv[:, b : b + 3] = 2.0 * _part(own, growth[:, a : a + 4])
    return Motion(np.asarray(time, float), qs, v, dv, at)


def joint_loads(motion: Motion, pressing: Pressing | None = None) -> JointLoads:
    """What joints bear in a motion (Newton and Euler for each body, summed from the tips to the root).

    What contacts press with is known where it is given; without it joints bear that too.
    """
    at = motion.at
    trees = at.compiled.trees
    joints = tuple(trees.joints)
    values = np.zeros_like(motion.v)
    turns = np.zeros((len(motion.time), *at.motion.R.shape))
    force, torque = (np.zeros((len(motion.time), len(joints), 3)) for _ in range(2))
    for k in range(len(motion.time)):
        here = at_motion(at, motion.q[k], motion.v[k])
        own = wrenches(here, motion.rates[k])
        if pressing is not None:
            own = pressing.taken_from(own, k, here.motion)
        whole = gathered(here, own)
        values[k], turns[k] = along_speeds(here, whole), here.motion.R
        for n, joint in enumerate(joints):
            torque[k, n], force[k, n] = whole[trees.joints[joint].bodies[-1]]
    about_pins(at, turns, {name: torque[:, n] for n, name in enumerate(joints)}, values)
    units = tuple("N" if unit == "m" else "N*m" for unit in way_units(at.compiled))
    return JointLoads(motion.time, load_names(at), units, values, joints, force, torque, motion)


def of_joints(at: At, measured: Sequence[str] | None = None) -> list[int]:
    """The numbers of the speeds that are named, or of all that joints have."""
    names = speed_names(at.compiled)
    if measured is None:
        return [k for k, name in enumerate(names) if name.startswith("joints/")]
    for name in measured:
        if name not in names:
            raise InverseError(
                "'{name}' is no speed of the model: there are {names}.",
                name=name,
                names=", ".join(names),
            )
    return [names.index(name) for name in measured]


def loads_in_run(motion: Motion, run: Trajectory, rows: str = "joints") -> Array:
    """Give the loads along the speeds that a run has in its joints, or what the ground bears of them.

    Of a body on its own there are none. The ground bears torque about its origin and force, ground axes.
    """
    at, tree, trees = motion.at, motion.at.system.tree, motion.at.compiled.trees
    table = run.table("joints")
    out = np.zeros((len(motion.time), 6 if rows == "reaction" else motion.v.shape[1]))
    for k in range(len(motion.time)):
        here = at_motion(at, motion.q[k], motion.v[k])
        p = here.motion.p
        whole = [(np.zeros(3), np.zeros(3)) for _ in tree.parent]
        for n, joint in enumerate(table.ids):
            if joint not in trees.joints:
                continue
            torque, force = table["torque"][k, n], table["force"][k, n]
            chain = trees.joints[joint].bodies
            for body in chain:
                whole[body] = torque + np.cross(p[chain[-1]] - p[body], force), force
            if rows == "reaction" and tree.parent[chain[0]] < 0:
                out[k, :3] += torque + np.cross(p[chain[-1]], force)
                out[k, 3:] += force
        if rows != "reaction":
            out[k] = along_speeds(here, whole)
    return out


def gathered(at: At, own: list[tuple[Array, Array]]) -> list[tuple[Array, Array]]:
    """Sum the torques about O and forces of bodies over all that each carries."""
    tree, p = at.system.tree, at.motion.p
    out = [(torque.copy(), force.copy()) for torque, force in own]
    for i in range(len(out) - 1, -1, -1):
        m = tree.parent[i]
        if m >= 0:
            torque, force = out[i]
            out[m] = (out[m][0] + torque + np.cross(p[i] - p[m], force), out[m][1] + force)
    return out


def along_speeds(at: At, whole: list[tuple[Array, Array]]) -> Array:
    """The parts of the loads that bodies are carried by along the speeds."""
    tree, motion, out = at.system.tree, at.motion, np.zeros(len(at.v))
    for i, (torque, force) in enumerate(whole):
        if at.system.locked[i] == HELD:
            continue
        R, b, m = motion.R[i].reshape(3, 3), int(tree.at_v[i]), int(tree.parent[i])
        if tree.kind[i] == SLIDE:
            out[b] = ((motion.R[m].reshape(3, 3) if m >= 0 else np.eye(3)) @ tree.axis[i]) @ force
        elif tree.kind[i] == BALL:
            out[b : b + 3] = R.T @ torque
        elif tree.kind[i] == FREE:
            out[b : b + 3], out[b + 3 : b + 6] = force, R.T @ torque
        else:
            out[b] = (R @ tree.axis[i]) @ torque
    return out


def _part(q: Array, r: Array) -> Array:
    """The vector part of q* r for rows of quaternions."""
    return np.asarray(q[:, :1] * r[:, 1:] - r[:, :1] * q[:, 1:] - np.cross(q[:, 1:], r[:, 1:]))


def _placed(at: At, time: Array, tracks: Mapping[str, Array]) -> Array:
    """The coordinates that tracks name, all others as at the start."""
    names, tree = speed_names(at.compiled), at.system.tree
    trees = at.compiled.trees
    qs = np.tile(at.q, (len(time), 1))
    known = dict[str, int]()
    body_at = {}
    for i, kind in enumerate(tree.kind):
        if kind < BALL and at.system.locked[i] != HELD:
            known[names[tree.at_v[i]]] = int(tree.at_q[i])
    for id_, body in trees.body_of.items():
        if tree.kind[body] == FREE and tree.parent[body] < 0:
            body_at[id_] = int(tree.at_q[body])
    axes = {f"position/{a}": k for k, a in enumerate("xyz")}
    axes |= {f"quaternion_wxyz/{a}": 3 + k for k, a in enumerate("wxyz")}
    for name, values in tracks.items():
        if name in known:
            qs[:, known[name]] = values
            continue
        list_, _, rest = name.partition("/")
        id_, _, part = rest.partition("/")
        if list_ == "segments" and id_ in body_at and part in axes:
            qs[:, body_at[id_] + axes[part]] = values
            continue
        raise InverseError(
            "'{name}' is no track of this model: there are {known}, and position and quaternion_wxyz of {roots}.",
            name=name,
            known=", ".join(known) or "-",
            roots=", ".join(body_at) or "-",
        )
    return qs


def _smooth(time: Array, qs: Array, cutoff_hz: float) -> Array:
    from scipy.signal import butter, sosfiltfilt

    rate = (len(time) - 1) / (time[-1] - time[0])
    if np.abs(np.diff(time) * rate - 1.0).max() > 1e-3:
        raise InverseError("A low pass needs tracks at even times.")
    if not 0.0 < cutoff_hz < 0.5 * rate:
        raise InverseError(
            "The low pass lies between 0 and half the rate of the tracks, {half:g} Hz.",
            half=0.5 * rate,
        )
    # both ways it is of the fourth order, and each way lets through more, so that both together do as asked
    each = cutoff_hz / (np.sqrt(2.0) - 1.0) ** 0.25
    sections = butter(2, min(each / (0.5 * rate), 0.999), output="sos")
    return np.asarray(sosfiltfilt(sections, qs, axis=0))
