"""Trees of rigid bodies in relative coordinates: arrays, kinematics, energy, the workspace of their equations.

A tree joint is a chain of elementary joints between bodies, the inner ones without mass: a universal
joint is two turns, a slip joint a slide and then its turns. So the kernels know four kinds and a
lock. Bodies are numbered so that each stands behind its parent; -1 is the ground.

Body i has its origin O_i in its joint's point. `R0` turns body components into the parent's at
coordinate zero; `axis` is the axis of a turn in the body, or of a slide in the parent.

| kind | coordinates | speeds |
|---|---|---|
| TURN | angle (rad) | rate |
| SLIDE | distance (m) | rate |
| BALL | quaternion (w, x, y, z) of the body from its zero attitude | angular velocity relative to the parent, body axes |
| FREE | place of O (m) and quaternion, from the parent | velocity of O (ground axes), angular velocity (body axes) |

`locked` says for each body whether its joint is OPEN, HELD, or DRIVEN: then others set its coordinates,
speeds and rates. A BALL is never driven; a FREE body stands on the ground. Everything in ground axes is `_W` in the notation page's sense.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from solver.engine.dynamics.modes import (
    MODE,
    NODE,
    Modals,
    ModalSpace,
    make_modal_space,
    modal_kinetic,
    modal_weight,
    node_place,
    node_speed,
    turned_by,
)
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.spatial import (
    NOUGHT,
    UNIT,
    Matrix,
    Three,
    about_axis,
    added,
    cross,
    dot,
    less,
    mat_on,
    normalised,
    of_quaternion,
    plus,
    plus_cross,
    product,
    quaternion_product,
    read,
    read3,
    read4,
    read6,
    read9,
    scaled,
    sym_on,
    transpose_on,
    write,
    write3,
    write4,
    write9,
)

# Trees of rigid bodies in relative coordinates: arrays, kinematics.

Array = NDArray[np.float64]
IntArray = NDArray[np.int64]

TURN, SLIDE, BALL, FREE = 0, 1, 2, 3
COORDINATES = (1, 1, 4, 7)
SPEEDS = (1, 1, 3, 6)

OPEN, HELD, DRIVEN = 0, 1, 2
"""How a joint is held: not, at its coordinates without speeds, or by a prescribed motion."""


@struct
class Tree(NamedTuple):
    """A tree's constants: one entry for each elementary body.

    `order` lists all bodies by how many joints are between them and the ground: neighbours in it seldom wait for each
    other, as those of one limb would, and a processor has several of them on the way at once.
    """

    parent: IntArray
    kind: IntArray
    at_q: IntArray
    at_v: IntArray
    R0: Array
    axis: Array
    joint_in_parent: Array
    mass: Array
    centre: Array
    inertia: Array
    drive: Array
    """What drives an axis adds so much inertia to it (kg m2, kg): a motor's rotor by the square of its gears' ratio."""
    order: IntArray
    modals: Modals


def by_levels(parent: IntArray) -> IntArray:
    """Order bodies by how many joints are between them and the ground."""
    level = np.zeros(len(parent), np.int64)
    for i, m in enumerate(parent):
        level[i] = level[m] + 1 if m >= 0 else 0
    return np.argsort(level, kind="stable").astype(np.int64)


@struct
class Motion(NamedTuple):
    """A tree's present motion, ground axes: turn, place, angular and linear velocity of O."""

    R: Array
    p: Array
    w: Array
    v: Array


def make_motion(tree: Tree) -> Motion:
    """Make arrays for the motion of a tree."""
    n = len(tree.parent)
    return Motion(np.zeros((n, 9)), np.zeros((n, 3)), np.zeros((n, 3)), np.zeros((n, 3)))


def zero_position(tree: Tree) -> Array:
    """Coordinates at which every body has its zero attitude."""
    q = np.zeros(sum(COORDINATES[k] for k in tree.kind))
    for kind, at in zip(tree.kind, tree.at_q, strict=True):
        if kind == BALL:
            q[at] = 1.0
        elif kind == FREE:
            q[at + 3] = 1.0
    return q


def drives_of(tree: Tree, speeds: int) -> Array:
    """What drives add to the diagonal of the mass matrix."""
    out, axes = np.zeros(speeds), tree.kind < BALL
    out[tree.at_v[axes]] = tree.drive[axes]
    for i in np.flatnonzero(tree.kind == BALL):
        out[tree.at_v[i] : tree.at_v[i] + 3] = tree.drive[i]
    return out


@inlined
def speeds_of(kind: int) -> int:
    """How many speeds a kind of joint has."""
    return 1 if kind < BALL else (3 if kind == BALL else 6)


@inlined
def _turned_on(turn: Matrix, own: Matrix) -> Matrix:
    """The turn `own` behind another; most are none, and are looked at first."""
    on_diagonal = own[0] == 1.0 and own[4] == 1.0 and own[8] == 1.0
    if on_diagonal and own[1] == 0.0 and own[2] == 0.0 and own[5] == 0.0:
        return turn
    return product(turn, own)


@separate
@kernel
def kinematics(tree: Tree, locked: IntArray, q: Array, v: Array, motion: Motion) -> None:
    """Write every body's turn, place and velocities from coordinates and speeds (RBDA 4.4 and 3.3)."""
    if len(tree.modals.frame):
        _modal_kinematics(tree.modals, tree, locked, q, v, motion)
        return
    for n in range(len(tree.order)):
        _place(tree, locked, q, v, motion, tree.order[n])


@separate
def _modal_kinematics(
    modals: Modals, tree: Tree, locked: IntArray, q: Array, v: Array, motion: Motion
) -> None:
    """Do the same for a tree with modal bodies: modes have amplitudes as places, nodes go with them."""
    for n in range(len(tree.order)):
        i = tree.order[n]
        _place(tree, locked, q, v, motion, i)
        role, k, m = modals.role[i], modals.row[i], tree.parent[i]
        if role == MODE:
            write3(motion.p, i, (q[modals.at_q[k]], 0.0, 0.0))
            write3(motion.v, i, (v[modals.at_v[k]], 0.0, 0.0))
        elif role == NODE:
            R, spin = read9(motion.R, m), read3(motion.w, m)
            shift, turn = node_place(modals, k, q)
            speed, turning = node_speed(modals, k, q, v)
            arm = mat_on(R, added(read3(tree.joint_in_parent, i), shift))
            write9(motion.R, i, product(product(R, turned_by(turn)), read9(tree.R0, i)))
            write3(motion.p, i, added(read3(motion.p, m), arm))
            write3(motion.w, i, added(spin, mat_on(R, turning)))
            speed = added(read3(motion.v, m), mat_on(R, speed))
            write3(motion.v, i, plus_cross(speed, spin, arm))


@inlined
def _place(tree: Tree, locked: IntArray, q: Array, v: Array, motion: Motion, i: int) -> None:
    """Write one body's, behind that of its parent."""
    m, kind, at = tree.parent[i], tree.kind[i], tree.at_q[i]
    # the parent, or the ground
    turn, place, spin, speed = UNIT, NOUGHT, NOUGHT, NOUGHT
    if m >= 0:
        turn, place = read9(motion.R, m), read3(motion.p, m)
        spin, speed = read3(motion.w, m), read3(motion.v, m)
    arm, own = mat_on(turn, read3(tree.joint_in_parent, i)), UNIT
    along = NOUGHT
    if kind == TURN:
        own = about_axis(read3(tree.axis, i), q[at])
    elif kind == SLIDE:
        along = mat_on(turn, read3(tree.axis, i))
        arm = plus(arm, q[at], along)
    elif kind == BALL:
        own = of_quaternion(read4(q, at))
    else:
        arm, own = read(q, at), of_quaternion(read4(q, at + 3))
    turn = product(_turned_on(turn, read9(tree.R0, i)), own)
    write9(motion.R, i, turn)
    write3(motion.p, i, added(place, arm))
    speed = plus_cross(speed, spin, arm)
    if locked[i] != HELD:
        at = tree.at_v[i]
        if kind == TURN:
            spin = plus(spin, v[at], mat_on(turn, read3(tree.axis, i)))
        elif kind == SLIDE:
            speed = plus(speed, v[at], along)
        elif kind == BALL:
            spin = added(spin, mat_on(turn, read(v, at)))
        else:
            speed, spin = read(v, at), added(spin, mat_on(turn, read(v, at + 3)))
    write3(motion.w, i, spin)
    write3(motion.v, i, speed)


@kernel
def move(tree: Tree, locked: IntArray, q: Array, v: Array, h: float, out: Array) -> None:
    """Write the coordinates after a time `h` at constant speeds; attitudes move on their group."""
    for i in range(len(tree.parent)):
        kind, a, b = tree.kind[i], tree.at_q[i], tree.at_v[i]
        if locked[i] == HELD:
            for k in range(1 if kind < BALL else (4 if kind == BALL else 7)):
                out[a + k] = q[a + k]
            continue
        if kind < BALL:
            out[a] = q[a] + h * v[b]
            continue
        if kind == FREE:
            write(out, a, plus(read(q, a), h, read(v, b)))
            a, b = a + 3, b + 3
        _turn(q, a, scaled(h, read(v, b)), out)


@inlined
def _turn(q: Array, at: int, turn: Three, out: Array) -> None:
    """Multiply the quaternion at a place by a turn (rad, body axes), and keep it of length one."""
    u = 0.25 * dot(turn, turn)
    if u < 0.0625:
        # sin(angle / 2) / angle and cos(angle / 2) by their series: next terms below 1e-17
        s = 0.5 - u * (1 / 12 - u * (1 / 240 - u * (1 / 10080 - u * (1 / 725760 - u / 79833600))))
        c = 1 / 3628800 - u / 479001600
        c = 1.0 - u * (0.5 - u * (1 / 24 - u * (1 / 720 - u * (1 / 40320 - u * c))))
    else:
        half = math.sqrt(u)
        s, c = 0.5 * math.sin(half) / half, math.cos(half)
    x, y, z = scaled(s, turn)
    write4(out, at, normalised(quaternion_product(read4(q, at), (c, x, y, z))))


@kernel
def chart_rate(tree: Tree, locked: IntArray, x: Array, v: Array, out: Array) -> None:
    """Write the rate of the chart coordinates x of a step, `q = move(q0, x, 1)`, at speeds v.

    A step's attitudes are `q0 exp(x)`, so any Runge-Kutta method in x keeps its order and every
    attitude its length (Munthe-Kaas; Hairer, Lubich, Wanner, Geometric Numerical Integration, IV.8).
    For turns about moving axes: dx/dt = v + x/2 cross v + (1 - a/2 cot(a/2))/a^2 x cross (x cross v).
    """
    for i in range(len(tree.parent)):
        kind, at = tree.kind[i], tree.at_v[i]
        if locked[i] == HELD:
            for k in range(speeds_of(kind)):
                out[at + k] = 0.0
            continue
        if kind < BALL:
            out[at] = v[at]
            continue
        if kind == FREE:
            write(out, at, read(v, at))
            at += 3
        turn, spin = read(x, at), read(v, at)
        square = dot(turn, turn)
        if square < 0.25:
            # series of the factor (Bernoulli numbers), next term below 1e-14 of it
            f = 1 / 47900160 + square * (691 / 1307674368000)
            f = 1 / 1209600 + square * f
            f = 1 / 12 + square * (1 / 720 + square * (1 / 30240 + square * f))
        else:
            half = 0.5 * math.sqrt(square)
            f = (1.0 - half / math.tan(half)) / square
        crossed = cross(turn, spin)
        write(out, at, plus(plus(spin, 0.5, crossed), f, cross(turn, crossed)))


# The workspace of the articulated-body method.

SOLVED = -1
"""What `accelerations` returns when all went well; otherwise the body that has no inertia to move."""


TINY = 1e-14
"""Inertia of a freedom, relative to what its subtree carries, below which it counts as none."""


@struct
class Applied(NamedTuple):
    """Loads of one evaluation: torque and force on each body about its origin O, ground axes, `tau` on each freedom.

    `tau` of a BALL is in body axes; of a FREE body: force in ground axes, torque in body axes.
    """

    torque: Array
    force: Array
    tau: Array


@struct
class Workspace(NamedTuple):
    """What the method needs on its way, a row for each body; made once, so that a step allocates nothing.

    Articulated inertia by its parts A, B, M and bias by its couple n and force f; U, D and u of the joint (`D` and
    `u` are one number for an axis, the inverse of A and a couple for a ball); the joint's acceleration c, its arm
    r from the parent's origin and its axis e; the accelerations alpha of the body and acc of its origin.
    """

    A: Array
    B: Array
    M: Array
    n: Array
    f: Array
    U: Array
    D: Array
    u: Array
    c: Array
    r: Array
    e: Array
    alpha: Array
    acc: Array
    modal: ModalSpace


def make_applied(tree: Tree, speeds: int) -> Applied:
    """Make the loads of one tree, all nought."""
    n = len(tree.parent)
    return Applied(np.zeros((n, 3)), np.zeros((n, 3)), np.zeros(speeds))


def make_workspace(tree: Tree) -> Workspace:
    """Make the workspace of one tree."""
    n = len(tree.parent)
    sizes = (6, 9, 6, 3, 3, 6, 6, 3, 6, 3, 3, 3, 3)
    return Workspace._make(
        [*(np.zeros((n, size)) for size in sizes), make_modal_space(tree.modals)]
    )


# Energy of a tree's motion and weight.


@inner
def kinetic_energy(tree: Tree, motion: Motion) -> float:
    """The kinetic energy of all bodies, by the velocity of each mass centre and the turning about it."""
    twice = 0.0
    for i in range(len(tree.parent)):
        turn, spin = read9(motion.R, i), read3(motion.w, i)
        speed = plus_cross(read3(motion.v, i), spin, mat_on(turn, read3(tree.centre, i)))
        own = transpose_on(turn, spin)
        twice += tree.mass[i] * dot(speed, speed) + dot(own, sym_on(read6(tree.inertia, i), own))
        if tree.drive[i] != 0.0 and tree.kind[i] == BALL:
            m = tree.parent[i]
            apart = less(spin, read3(motion.w, m)) if m >= 0 else spin
            twice += tree.drive[i] * dot(apart, apart)
        elif tree.drive[i] != 0.0:
            rate = _axis_rate(tree, motion, i)
            twice += tree.drive[i] * rate * rate
    if len(tree.modals.frame):
        m = motion
        return 0.5 * twice + modal_kinetic(tree.modals, m.R, m.p, m.w, m.v)
    return 0.5 * twice


@inner
def _axis_rate(tree: Tree, motion: Motion, i: int) -> float:
    """The rate of a turn or a slide, by the motions on both sides of it."""
    m, axis = tree.parent[i], read3(tree.axis, i)
    place, spin, speed, turn = NOUGHT, NOUGHT, NOUGHT, UNIT
    if m >= 0:
        place, turn = read3(motion.p, m), read9(motion.R, m)
        spin, speed = read3(motion.w, m), read3(motion.v, m)
    if tree.kind[i] == TURN:
        return dot(mat_on(read9(motion.R, i), axis), less(read3(motion.w, i), spin))
    if tree.kind[i] != SLIDE:
        return 0.0
    carried = plus_cross(speed, spin, less(read3(motion.p, i), place))
    return dot(mat_on(turn, axis), less(read3(motion.v, i), carried))


@inner
def weight_energy(tree: Tree, motion: Motion, g: Array) -> float:
    """The potential energy of weight from the ground's origin."""
    energy = 0.0
    for i in range(len(tree.parent)):
        arm = mat_on(read9(motion.R, i), read3(tree.centre, i))
        energy -= tree.mass[i] * dot((g[0], g[1], g[2]), added(read3(motion.p, i), arm))
    if len(tree.modals.frame):
        return energy + modal_weight(tree.modals, motion.R, motion.p, motion.v, g)
    return energy
