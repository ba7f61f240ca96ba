"""The mechanics of a tree of bodies at one state, written out body by body.

Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5 and 6.

Between two segments stand the elementary joints of one joint. Their coordinates are found by Newton's method from
both places (that of the frame before is where it begins), speeds and rates by least squares of the
relative velocity and acceleration, which a joint that holds leaves nothing of.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solver.base.words import Refusal
from solver.engine.dynamics.tree import (
    BALL,
    FREE,
    HELD,
    OPEN,
    SLIDE,
    SPEEDS,
    TURN,
    Array,
    Motion,
    drives_of,
    kinematics,
    make_motion,
)
from solver.engine.forces.system import System
from solver.engine.maths.rotation import matrix, quaternion
from solver.model.compile import Model
from solver.model.modal.masses import modal_mass
from solver.model.set_forces import Force, with_forces
from solver.running.stepper import Stepper

# What inverse dynamics and identification raise.


class InverseError(Refusal):
    """Say in a sentence why a motion gives no loads of joints, or no parameters."""

    __module__ = "manikin"


class At(NamedTuple):
    """A model at one state."""

    compiled: Model
    system: System
    time: float
    q: Array
    v: Array
    z: Array
    motion: Motion


def standing(course: Stepper) -> At:
    """The present state of a run."""
    return At(*course.present())


def at_motion(at: At, q: Array, v: Array) -> At:
    """Give the same model in another motion."""
    motion = make_motion(at.system.tree)
    kinematics(at.system.tree, at.system.locked, q, v, motion)
    return at._replace(q=q, v=v, motion=motion)


def inverse_forces(at: At, rates: Array) -> Array:
    """The forces along the speeds that bring about given rates, beside weight."""
    out = np.zeros(len(at.v))
    for (turning, moving), (torque, force) in zip(jacobians(at), wrenches(at, rates), strict=True):
        out += moving.T @ force + turning.T @ torque
    return out + drives_of(at.system.tree, len(out)) * rates


def wrenches(at: At, rates: Array) -> list[tuple[Array, Array]]:
    """For each body the torque about its O and the force that its own motion asks for, beside weight."""
    tree, motion, out = at.system.tree, at.motion, []
    if len(tree.modals.frame):
        raise InverseError(
            "Loads of joints from a motion are not found for models with modal bodies, whose bending a motion does not tell."
        )
    alpha, acc = accelerations(at, rates)
    for i in range(len(tree.parent)):
        J, arm = inertia_of(at, i)
        w = motion.w[i]
        a = acc[i] + np.cross(alpha[i], arm) + np.cross(w, np.cross(w, arm))
        force = tree.mass[i] * (a - at.system.gravity)
        torque = J @ alpha[i] + np.cross(w, J @ w) + np.cross(arm, force)
        out.append((torque, force))
    return out


def mass_matrix(at: At) -> Array:
    """The mass matrix along the speeds."""
    tree, out = at.system.tree, np.zeros((len(at.v), len(at.v)))
    for i, (turning, moving) in enumerate(jacobians(at)):
        J, arm = inertia_of(at, i)
        centre = moving - skew(arm) @ turning
        out += tree.mass[i] * centre.T @ centre + turning.T @ J @ turning
    if len(tree.modals.frame):
        turning, moving = (np.array(one) for one in zip(*jacobians(at), strict=True))
        turns = at.motion.R.reshape(-1, 3, 3)
        out += modal_mass(tree.modals, turns, at.motion.p, turning, moving)
    return out + np.diag(drives_of(tree, len(out)))


def pushed(at: At, forces: Array) -> At:
    """The same state with forces along the speeds beside all that acts, as loads on both bodies of each.

    They act on elementary bodies, those without mass among them: a torque about one axis of a joint is none
    about its others.
    """
    tree, motion = at.system.tree, at.motion
    rows: list[tuple[int, int, Array, Array]] = []

    def push(i: int, force: Array, torque: Array) -> None:
        rows.extend(((i, 1, torque, np.zeros(3)), (i, 0, force, np.zeros(3))))
        m = int(tree.parent[i])
        if m >= 0:
            place = motion.R[m].reshape(3, 3).T @ (motion.p[i] - motion.p[m])
            rows.extend(((m, 1, -torque, np.zeros(3)), (m, 0, -force, place)))

    for i, kind in enumerate(tree.kind):
        if at.system.locked[i] == HELD:
            continue
        b, m = int(tree.at_v[i]), int(tree.parent[i])
        R, nothing = motion.R[i].reshape(3, 3), np.zeros(3)
        if kind == FREE:
            push(i, forces[b : b + 3], R @ forces[b + 3 : b + 6])
        elif kind == BALL:
            push(i, nothing, R @ forces[b : b + 3])
        elif kind == SLIDE:
            before = motion.R[m].reshape(3, 3) if m >= 0 else np.eye(3)
            push(i, before @ tree.axis[i] * forces[b], nothing)
        else:
            push(i, nothing, R @ tree.axis[i] * forces[b])
    rows = [row for row in rows if row[2].any()]
    if not rows:
        return at
    on = next(iter(at.compiled.trees.body_of))
    model = replace(at.compiled, system=at.system)
    named = {str(n): Force(on, (1.0, 0.0, 0.0)) for n in range(len(rows))}
    system, own = with_forces(model, named), len(at.system.loads.body)
    loads = system.loads
    for n, (body, turns, value, place) in enumerate(rows, own):
        loads.body[n], loads.turns[n], loads.axes[n] = body, turns, -1
        loads.direction[n], loads.point[n] = value, place
    return at._replace(system=system)


def jacobians(at: At) -> list[tuple[Array, Array]]:
    """For each body the matrices from speeds to angular velocity and velocity of O, ground axes."""
    tree, n = at.system.tree, len(at.v)
    out = [(np.zeros((3, n)), np.zeros((3, n))) for _ in tree.parent]
    room = make_motion(tree)
    for k in range(n):
        one = np.zeros(n)
        one[k] = 1.0
        kinematics(tree, at.system.locked, at.q, one, room)
        for i, (turning, moving) in enumerate(out):
            turning[:, k], moving[:, k] = room.w[i], room.v[i]
    return out


def inertia_of(at: At, i: int) -> tuple[Array, Array]:
    """Give a body's inertia about its mass centre, and the arm from O to there, ground axes."""
    R, (xx, yy, zz, xy, xz, yz) = at.motion.R[i].reshape(3, 3), at.system.tree.inertia[i]
    J = np.array([[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]])
    return R @ J @ R.T, R @ at.system.tree.centre[i]


def accelerations(at: At, rates: Array) -> tuple[Array, Array]:
    """Give angular acceleration and acceleration of O of all bodies at given rates, ground axes."""
    tree, motion, v = at.system.tree, at.motion, at.v
    alpha, acc = np.zeros((len(tree.parent), 3)), np.zeros((len(tree.parent), 3))
    for i, m in enumerate(tree.parent):
        R, n = motion.R[i].reshape(3, 3), tree.at_v[i]
        w = motion.w[m] if m >= 0 else np.zeros(3)
        if m >= 0:
            r = motion.p[i] - motion.p[m]
            alpha[i] = alpha[m]
            acc[i] = acc[m] + np.cross(alpha[m], r) + np.cross(w, np.cross(w, r))
        if at.system.locked[i] == HELD:
            continue
        if tree.kind[i] == SLIDE:
            axis = (motion.R[m].reshape(3, 3) if m >= 0 else np.eye(3)) @ tree.axis[i]
            acc[i] += axis * rates[n] + 2.0 * np.cross(w, axis * v[n])
            continue
        if tree.kind[i] == FREE:
            acc[i] = rates[n : n + 3]
            n += 3
        if tree.kind[i] >= BALL:
            spin, change = R @ v[n : n + 3], R @ rates[n : n + 3]
        else:
            spin, change = R @ tree.axis[i] * v[n], R @ tree.axis[i] * rates[n]
        alpha[i] += change + np.cross(w, spin)
    return alpha, acc


def skew(a: Array) -> Array:
    """The matrix of the product a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])


# Coordinates, speeds and their rates of a tree's joints from the motion of its segments.

APART = 1e-5
"""Way (m, rad) by which a joint may be open in given places: more, and it is another joint."""

EXACT, ROUNDS = 1e-14, 40
"""Step (m, rad) at which coordinates are found, and steps that are tried."""


class Poses(NamedTuple):
    """Hold turns R_WS (segments, 3, 3) and places of mass centres of all segments at one instant."""

    turn: Array
    place: Array


class Rates(NamedTuple):
    """Hold velocities and accelerations of mass centres and of turning, ground axes."""

    velocity: Array
    spin: Array
    acceleration: Array
    spin_rate: Array


def opened(at: At) -> At:
    """Give a model with all axes open that may be locked at one time and open at another.

    Joints that are locked for good stay so, and turns that a ball stands for.
    """
    trees, locked = at.compiled.trees, at.system.locked.copy()
    for joint in at.compiled.project.joints:
        made = trees.joints.get(joint.id)
        if made is None or joint.kind == "locked":
            continue
        last = made.bodies[-1]
        if at.system.tree.kind[last] == BALL and trees.tree.kind[made.bodies[0]] == TURN:
            continue
        locked[list(made.bodies)] = np.where(
            locked[list(made.bodies)] == HELD, OPEN, locked[list(made.bodies)]
        )
    return at._replace(system=at.system._replace(locked=locked))


def rotation_vector(R: Array) -> Array:
    """The vector (rad) about which and by how much a matrix turns."""
    q = quaternion(R)
    q = q if q[0] >= 0.0 else -q
    size = float(np.linalg.norm(q[1:]))
    return np.asarray(2.0 * q[1:]) if size < 1e-12 else 2.0 * np.arctan2(size, q[0]) / size * q[1:]


def turned_by(q: Array, by: Array) -> Array:
    """Give a quaternion after a turn (rad) about its own axes."""
    angle = float(np.linalg.norm(by))
    s = 0.5 if angle < 1e-12 else np.sin(0.5 * angle) / angle
    w, v = np.cos(0.5 * angle), s * by
    out = np.concatenate([[q[0] * w - q[1:] @ v], q[0] * v + w * q[1:] + np.cross(q[1:], v)])
    return np.asarray(out / np.linalg.norm(out))


class Chains:
    """Find coordinates, speeds and rates of one model."""

    def __init__(self, at: At) -> None:
        self._at, trees = at, at.compiled.trees
        self.names = tuple(trees.body_of)
        self._bodies = np.array([trees.body_of[name] for name in self.names], np.int64)
        self._number = {int(b): n for n, b in enumerate(self._bodies)}
        self._origins = np.array([trees.origin[name] for name in self.names]).reshape(-1, 3)
        tree = at.system.tree
        owner = {b: id_ for id_, made in trees.joints.items() for b in made.bodies}
        self._chains: list[tuple[str, list[int]]] = []
        for body in self._bodies:
            chain = [int(body)]
            while tree.parent[chain[0]] >= 0 and int(tree.parent[chain[0]]) not in self._number:
                chain.insert(0, int(tree.parent[chain[0]]))
            self._chains.append((owner.get(int(body), ""), chain))

    def coordinates(self, poses: Poses, guess: Array) -> Array:
        """The coordinates at given places; raises InverseError where a joint does not allow them."""
        tree, q = self._at.system.tree, guess.copy()
        for (joint, chain), n in zip(self._chains, range(len(self.names)), strict=True):
            body = chain[-1]
            if tree.kind[body] == FREE and tree.parent[body] < 0:
                a = tree.at_q[body]
                q[a : a + 3] = poses.place[n] + poses.turn[n] @ self._origins[n]
                there = quaternion(poses.turn[n])
                q[a + 3 : a + 7] = there if there @ guess[a + 3 : a + 7] >= 0.0 else -there
                continue
            self._fit(joint, chain, poses, n, q)
        return q

    def rates(self, q: Array, poses: Poses, rates: Rates) -> tuple[Array, Array]:
        """Give speeds and their rates at coordinates, from the motion of the segments."""
        tree, arm = self._at.system.tree, np.einsum("nij,nj->ni", poses.turn, self._origins)
        w, alpha = rates.spin, rates.spin_rate
        vel = rates.velocity + np.cross(w, arm)
        acc = rates.acceleration + np.cross(alpha, arm) + np.cross(w, np.cross(w, arm))
        v, dv = np.zeros(len(self._at.v)), np.zeros(len(self._at.v))
        place = poses.place + arm
        found = []
        for (_, chain), n in zip(self._chains, range(len(self.names)), strict=True):
            m = self._number.get(int(tree.parent[chain[0]]), -1)
            S, columns = self._directions(chain, q, poses, m, place)
            r = place[n] - (place[m] if m >= 0 else 0.0)
            w_m, v_m = (w[m], vel[m]) if m >= 0 else (np.zeros(3), np.zeros(3))
            relative = np.concatenate([w[n] - w_m, vel[n] - v_m - np.cross(w_m, r)])
            v[columns] = np.linalg.lstsq(S, relative, rcond=None)[0]
            found.append((S, columns, m, r))
        bias_alpha, bias_acc = accelerations(at_motion(self._at, q, v), np.zeros(len(v)))
        more_alpha = alpha - bias_alpha[self._bodies]
        more_acc = acc - bias_acc[self._bodies]
        for n, (S, columns, m, r) in enumerate(found):
            a_m, l_m = (more_alpha[m], more_acc[m]) if m >= 0 else (np.zeros(3), np.zeros(3))
            relative = np.concatenate([more_alpha[n] - a_m, more_acc[n] - l_m - np.cross(a_m, r)])
            dv[columns] = np.linalg.lstsq(S, relative, rcond=None)[0]
        return v, dv

    def _fit(self, joint: str, chain: list[int], poses: Poses, n: int, q: Array) -> None:
        tree = self._at.system.tree
        m = self._number.get(int(tree.parent[chain[0]]), -1)
        place = poses.place + np.einsum("nij,nj->ni", poses.turn, self._origins)
        for _ in range(ROUNDS):
            R, p, _, _ = self._along(chain, q, poses, m, place)
            off = np.concatenate(
                [poses.turn[n] @ rotation_vector(R.T @ poses.turn[n]), place[n] - p]
            )
            S, columns = self._directions(chain, q, poses, m, place)
            step = np.linalg.lstsq(S, off, rcond=None)[0] if len(columns) else np.zeros(0)
            at = dict(zip(columns.tolist(), step.tolist(), strict=True))
            for body in chain:
                if self._at.system.locked[body] == HELD:
                    continue
                a, b = int(tree.at_q[body]), int(tree.at_v[body])
                if tree.kind[body] == BALL:
                    q[a : a + 4] = turned_by(q[a : a + 4], np.array([at[b], at[b + 1], at[b + 2]]))
                else:
                    q[a] += at[b]
            if not len(step) or np.abs(step).max() < EXACT * (1.0 + np.abs(off).max()):
                break
        R, p, _, _ = self._along(chain, q, poses, m, place)
        open_ = max(
            float(np.abs(rotation_vector(R.T @ poses.turn[n])).max()),
            float(np.abs(place[n] - p).max()),
        )
        if open_ > APART:
            raise InverseError(
                "The motion does not fit the joint '{joint}': it is open by {open:.2g} (m or rad). A joint that lets go or breaks on the way is another one.",
                joint=joint,
                open=open_,
            )

    def _along(
        self, chain: list[int], q: Array, poses: Poses, m: int, place: Array
    ) -> tuple[Array, Array, list[Array], list[Array]]:
        """Go along the elementary joints of one joint; give turn and place at its end, and at each."""
        tree = self._at.system.tree
        R, p = (poses.turn[m], place[m]) if m >= 0 else (np.eye(3), np.zeros(3))
        turns, places = [], []
        for body in chain:
            a, before = int(tree.at_q[body]), R
            p = p + before @ tree.joint_in_parent[body]
            R = before @ tree.R0[body].reshape(3, 3)
            if tree.kind[body] == TURN:
                R = R @ matrix(
                    np.concatenate([[np.cos(0.5 * q[a])], np.sin(0.5 * q[a]) * tree.axis[body]])
                )
            elif tree.kind[body] == BALL:
                R = R @ matrix(q[a : a + 4])
            elif tree.kind[body] == SLIDE:
                p = p + before @ tree.axis[body] * q[a]
            turns.append(R if tree.kind[body] != SLIDE else before)
            places.append(p)
        return R, p, turns, places

    def _directions(
        self, chain: list[int], q: Array, poses: Poses, m: int, place: Array
    ) -> tuple[Array, Array]:
        """Give what unit speeds of a joint do to its child (6, n): turning, and velocity of its O; and their numbers."""
        tree, locked = self._at.system.tree, self._at.system.locked
        body = chain[-1]
        if tree.kind[body] == FREE:
            S = np.zeros((6, 6))
            S[3:, :3] = np.eye(3)
            S[:3, 3:] = poses.turn[self._number[body]]
            return S, np.arange(6) + tree.at_v[body]
        _, end, turns, places = self._along(chain, q, poses, m, place)
        columns: list[int] = []
        unit: list[Array] = []
        for i, R, p in zip(chain, turns, places, strict=True):
            if locked[i] == HELD:
                continue
            arm = end - p
            if tree.kind[i] == SLIDE:
                unit.append(np.concatenate([np.zeros(3), R @ tree.axis[i]]))
            else:
                axes = np.eye(3) if tree.kind[i] == BALL else tree.axis[i][None]
                unit += [np.concatenate([R @ e, np.cross(R @ e, arm)]) for e in axes]
            columns += list(range(tree.at_v[i], tree.at_v[i] + SPEEDS[tree.kind[i]]))
        return np.array(unit).reshape(-1, 6).T, np.array(columns, np.int64)
