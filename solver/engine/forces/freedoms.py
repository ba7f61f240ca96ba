"""Single freedoms of joints that are held and opened: their rows and impulses (section 7.6), the forms of an Euler joint (6.3).

A joint of six whose three turns are always open is a ball only near an upright pitch, where yaw and roll are one.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.rows import (
    Rows,
    book_driven,
    factor,
    new_row,
    respond_to_all,
    solve,
    take_part,
)
from solver.engine.dynamics.tree import (
    BALL,
    HELD,
    OPEN,
    SLIDE,
    TURN,
    Array,
    IntArray,
    Motion,
    Tree,
    Workspace,
)
from solver.engine.forces.joints.eulers import follow_from
from solver.engine.forces.joints.kernels import JointLaws
from solver.engine.forces.points import spin_of
from solver.engine.jit.kernels import inner
from solver.engine.maths.spatial import (
    NOUGHT,
    cross,
    less,
    mat_on,
    read,
    read3,
    read9,
    scaled,
    transpose_on,
    write,
)

# Rows of single freedoms of joints, and the impulse that stops them or turns them round (section 7.6).


@inner
def axis_of(tree: Tree, motion: Motion, i: int, out: Array) -> None:
    """Write the axis of a turn or slide, ground axes."""
    m = tree.parent[i] if tree.kind[i] == SLIDE else i
    axis = read3(tree.axis, i)
    write(out, 0, mat_on(read9(motion.R, m), axis) if m >= 0 else axis)


@inner
def turn_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the turning of a body against its parent about an axis."""
    r, about = new_row(rows), read(axis, 0)
    take_part(rows, motion, r, 0, i, about, NOUGHT)
    take_part(rows, motion, r, 1, tree.parent[i], scaled(-1.0, about), NOUGHT)


@inner
def slide_row(rows: Rows, tree: Tree, motion: Motion, i: int, axis: Array) -> None:
    """Add a row for the sliding of a body along an axis of its parent."""
    r, m, along = new_row(rows), tree.parent[i], read(axis, 0)
    take_part(rows, motion, r, 0, i, NOUGHT, along)
    if m >= 0:
        arm = less(read3(motion.p, i), read3(motion.p, m))
        take_part(rows, motion, r, 1, m, cross(along, arm), scaled(-1.0, along))


@inner
def strike(
    tree: Tree, locked: IntArray, motion: Motion, space: Workspace, rows: Rows, first: int,
    restitution: float, v: Array,
) -> float:  # fmt: skip
    """Turn the speeds of the rows from `first` on around by an impulse that keeps all constraints."""
    factor(tree, locked, motion, space, rows)
    for r in range(rows.used[0]):
        rows.rhs[r] = -(1.0 + restitution) * rows.speed[r] if r >= first else 0.0
    solve(rows)
    respond_to_all(tree, locked, motion, space, rows)
    for k in range(len(v)):
        v[k] += rows.response.rates[k]
    book_driven(tree, locked, motion, space, rows, v)
    work = 0.0
    for r in range(first, rows.used[0]):
        work += 0.5 * rows.load[r] * (1.0 - restitution) * rows.speed[r]
    rows.used[0] = first
    return work


# Forms of an Euler joint: three turns while any is held, a ball while all are open (section 6.3).

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
