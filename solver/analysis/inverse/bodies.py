"""The mechanics of a tree of bodies at one state, written out body by body.

Featherstone, Rigid Body Dynamics Algorithms (2008), chapters 5 and 6.
"""

from __future__ import annotations

from dataclasses import replace
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import (
    BALL,
    FREE,
    HELD,
    SLIDE,
    Array,
    Motion,
    kinematics,
    make_motion,
)
from solver.engine.forces.system import System
from solver.model.compile import Model
from solver.model.forces import Force, with_forces
from solver.running.course import Course


class At(NamedTuple):
    """Hold a model at one state."""

    compiled: Model
    system: System
    time: float
    q: Array
    v: Array
    z: Array
    motion: Motion


def standing(course: Course) -> At:
    """Give the present state of a run."""
    return At(*course.present())


def at_motion(at: At, q: Array, v: Array) -> At:
    """Give the same model in another motion."""
    motion = make_motion(at.system.tree)
    kinematics(at.system.tree, at.system.locked, q, v, motion)
    return at._replace(q=q, v=v, motion=motion)


def inverse_forces(at: At, rates: Array) -> Array:
    """Give the forces along the speeds that bring about given rates, beside weight."""
    out = np.zeros(len(at.v))
    for (turning, moving), (torque, force) in zip(jacobians(at), wrenches(at, rates), strict=True):
        out += moving.T @ force + turning.T @ torque
    return out


def wrenches(at: At, rates: Array) -> list[tuple[Array, Array]]:
    """Give for each body the torque about its O and the force that its own motion asks for, beside weight."""
    tree, motion, out = at.system.tree, at.motion, []
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
    """Give the mass matrix along the speeds."""
    tree, out = at.system.tree, np.zeros((len(at.v), len(at.v)))
    for i, (turning, moving) in enumerate(jacobians(at)):
        J, arm = inertia_of(at, i)
        centre = moving - skew(arm) @ turning
        out += tree.mass[i] * centre.T @ centre + turning.T @ J @ turning
    return out


def pushed(at: At, forces: Array) -> At:
    """Give the same state with forces along the speeds beside all that acts, as loads on both bodies of each.

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
        loads.body[n], loads.turns[n], loads.fixed[n] = body, turns, 1
        loads.direction[n], loads.point[n] = value, place
    return at._replace(system=system)


def jacobians(at: At) -> list[tuple[Array, Array]]:
    """Give for each body the matrices from speeds to angular velocity and velocity of O, ground axes."""
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
    """Give the matrix of the product a x."""
    return np.array([[0.0, -a[2], a[1]], [a[2], 0.0, -a[0]], [-a[1], a[0], 0.0]])
