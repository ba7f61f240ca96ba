"""Forms of an Euler joint: three turns while any is held, a ball while all are open (section 6.3).

A joint of six whose three turns are always open is a ball only near an upright pitch, where yaw and roll are one.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import BALL, HELD, OPEN, TURN, Array, IntArray, Motion, Tree
from solver.engine.forces.joints.eulers import follow_from
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.points import spin_of
from solver.engine.jit.kernels import inner
from solver.engine.maths.spatial import less, mat_on, read9, transpose_on, write

BALL_WITHIN = 0.05
"""Cosine of a pitch below which a joint of six is a ball; above twice that it is three turns again."""


@inner
def euler_is_ball(tree: Tree, laws: JointLaws, k: int) -> bool:
    """Whether an Euler joint is a ball now."""
    return bool(tree.kind[laws.eulers.body[k, 2]] == BALL)


@inner
def upright(laws: JointLaws, tree: Tree, k: int, q: Array) -> float:
    """Give a function that rises through zero when a joint of six is to take on its other form."""
    eulers = laws.eulers
    if euler_is_ball(tree, laws, k):
        return abs(math.sin(eulers.way[k, 2])) - 2.0 * BALL_WITHIN
    return BALL_WITHIN - abs(math.sin(q[tree.at_q[eulers.body[k, 1]]] + eulers.shift[k, 1]))


@inner
def open_euler(
    laws: JointLaws, tree: Tree, locked: IntArray, motion: Motion, k: int, q: Array, v: Array
) -> None:
    """Join the three turns of an Euler joint into a ball once all are open."""
    a, b, c = laws.eulers.body[k, 0], laws.eulers.body[k, 1], laws.eulers.body[k, 2]
    if locked[a] != OPEN or locked[b] != OPEN or locked[c] != OPEN:
        return
    shift = laws.eulers.shift
    phi, theta = q[tree.at_q[a]] + shift[k, 0], q[tree.at_q[b]] + shift[k, 1]
    psi = q[tree.at_q[c]] + shift[k, 2]
    # relative angular velocity, child's axes
    m = tree.parent[a]
    spin = less(spin_of(motion, c), spin_of(motion, m))
    v[tree.at_v[a]] = v[tree.at_v[b]] = 0.0
    write(v, tree.at_v[c], transpose_on(read9(motion.R, c), spin))
    half, other, t = 0.5 * (phi + psi), 0.5 * (phi - psi), 0.5 * theta
    flexed = math.sin(t)
    axis = (flexed * math.cos(other), flexed * math.sin(other), math.cos(t) * math.sin(half))
    q[tree.at_q[c]] = math.cos(t) * math.cos(half)
    write(q, tree.at_q[c] + 1, mat_on(read9(laws.eulers.R_BC, k), axis))
    follow_from(laws.eulers, k, phi, theta, psi)
    tree.kind[c] = BALL
    locked[a] = locked[b] = HELD
    q[tree.at_q[a]], q[tree.at_q[b]] = 0.0, laws.eulers.rest[k]


@inner
def split_euler(laws: JointLaws, tree: Tree, locked: IntArray, k: int, q: Array, v: Array) -> None:
    """Make three turns of the ball of an Euler joint; its angles and rates are as last seen."""
    tree.kind[laws.eulers.body[k, 2]] = TURN
    for n in range(3):
        i = laws.eulers.body[k, n]
        for u in range(4 if n == 2 else 1):
            q[tree.at_q[i] + u] = 0.0
        for u in range(3 if n == 2 else 1):
            v[tree.at_v[i] + u] = 0.0
        locked[i] = OPEN
    for n in range(3):
        v[tree.at_v[laws.eulers.body[k, n]]] = laws.eulers.seen[k, n]
    way, body = laws.eulers.way, laws.eulers.body
    shift = laws.eulers.shift
    q[tree.at_q[body[k, 0]]] = 0.5 * (way[k, 0] + way[k, 1]) - shift[k, 0]
    q[tree.at_q[body[k, 1]]] = way[k, 2] - shift[k, 1]
    q[tree.at_q[body[k, 2]]] = 0.5 * (way[k, 0] - way[k, 1]) - shift[k, 2]
