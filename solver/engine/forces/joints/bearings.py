"""Friction of joints by their own reaction: mu r |R| about an axis, mu |N| along a slide.

The reaction depends on the friction itself. So both are found together, at each evaluation: friction by the
reaction that the last solution of the accelerations gave, and these again, until it no longer changes.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.respond import carried_load
from solver.engine.dynamics.tree import BALL, FREE, HELD, SLIDE, Array, IntArray, Tree
from solver.engine.forces.joints.eulers import EulerLaws, gradient_of
from solver.engine.forces.state import Bodies
from solver.engine.jit.kernels import inner, kernel, separate, struct
from solver.engine.maths.spatial import dot, length, plus, read, read3, write

IN_BALANCE = 1e-11
"""Change of the largest friction, in parts of it, below which friction and reaction are in balance."""

BALANCE_ROUNDS = 60
"""Most solutions of the accelerations for one evaluation."""

HALVED_FROM = 20
"""Rounds from which on half of each change is made."""

STEEPEST = 0.7
"""Most that a friction is taken to change by its own change."""


@struct
class Bearings(NamedTuple):
    """Hold frictions by the reaction: the elementary body whose freedom each resists, and mu r or mu.

    `euler` and `axis` are number and axis of an Euler joint's law, for while all its axes are open; else -1.
    `size` is the friction at full rate of the last solution, `wanted` by its reactions, `before` and `found`
    those of the solution before; `missed` counts evaluations without balance.
    """

    body: IntArray
    euler: IntArray
    axis: IntArray
    ratio: Array
    full_rate: Array
    size: Array
    wanted: Array
    before: Array
    found: Array
    missed: IntArray


@inner
def _reaction(bodies: Bodies, i: int, load: Array) -> float:
    """The force that a body's joint carries; of a slide what presses across it."""
    carried_load(bodies.space, i, load)
    force = read(load, 3)
    if bodies.tree.kind[i] == SLIDE:
        axis = read3(bodies.space.e, i)
        force = plus(force, -dot(force, axis), axis)
    return length(force)


@inner
def _body_of(bearings: Bearings, eulers: EulerLaws, tree: Tree, k: int) -> int:
    """The body whose freedom a friction resists: of a joint of three turns that is a ball, the last."""
    n = bearings.euler[k]
    if n >= 0 and tree.kind[eulers.body[n, 2]] == BALL:
        return int(eulers.body[n, 2])
    return int(bearings.body[k])


@inner
def _resist(
    bearings: Bearings, eulers: EulerLaws, bodies: Bodies, k: int, more: float, tau: Array
) -> float:
    """Add `more` friction at full rate to the freedoms, and give the power of all that a bearing has."""
    tree, v = bodies.tree, bodies.v
    i, n = _body_of(bearings, eulers, tree, k), bearings.euler[k]
    at, size, full = tree.at_v[i], bearings.size[k], bearings.full_rate[k]
    if tree.kind[i] == BALL and n >= 0:
        rate = eulers.seen[n, bearings.axis[k]]
        part = rate / _ramped(abs(rate), full)
        gradient = gradient_of(eulers, n, bearings.axis[k])
        write(tau, at, plus(read(tau, at), -more * part, gradient))
        return float(-size * part * rate)
    count = 3 if tree.kind[i] == BALL else 1
    speed = 0.0
    for m in range(count):
        speed += v[at + m] * v[at + m]
    over = 1.0 / _ramped(math.sqrt(speed), full)
    for m in range(count):
        tau[at + m] -= more * over * v[at + m]
    return float(-size * over * speed)


@inner
def _step(bearings: Bearings, k: int, turn: int) -> float:
    """The next change of a friction: as the last one changed its reaction (secant), within bounds."""
    off, way = bearings.wanted[k] - bearings.size[k], bearings.size[k] - bearings.before[k]
    if turn >= HALVED_FROM:
        return float(0.5 * off)
    if turn < 2 or way == 0.0:
        return float(off)
    slope = (bearings.wanted[k] - bearings.found[k]) / way
    return float(off / (1.0 - min(max(slope, -STEEPEST), STEEPEST)))


@inner
def _ramped(speed: float, full: float) -> float:
    """The speed by which friction's size is divided (equation 6.3)."""
    return full / (2.0 - speed / full) if speed < full else speed


@separate
@kernel
def balance_bearings(
    bearings: Bearings, eulers: EulerLaws, bodies: Bodies, turn: int, load: Array, tau: Array, sums: Array
) -> bool:  # fmt: skip
    """Whether friction suits the reactions just found, else change it in `tau`.

    At the first turn of an evaluation there is none yet. `sums` takes the power.
    """
    tree, locked = bodies.tree, bodies.locked
    largest = change = 0.0
    wanted = bearings.wanted
    for k in range(len(bearings.body)):
        i = _body_of(bearings, eulers, tree, k)
        if turn == 0:
            bearings.size[k] = 0.0
        wanted[k] = 0.0
        if locked[i] != HELD and tree.kind[i] != FREE:
            wanted[k] = bearings.ratio[k] * _reaction(bodies, i, load)
        largest = max(largest, wanted[k])
        change = max(change, abs(wanted[k] - bearings.size[k]))
    suits = change <= IN_BALANCE * largest
    if not suits and turn == BALANCE_ROUNDS - 1:
        bearings.missed[0] += 1
        suits = True
    sums[0] = 0.0
    for k in range(len(bearings.body)):
        more = 0.0
        if not suits:
            more = _step(bearings, k, turn)
            bearings.before[k], bearings.found[k] = bearings.size[k], wanted[k]
            bearings.size[k] += more
        i = _body_of(bearings, eulers, tree, k)
        if locked[i] != HELD and tree.kind[i] != FREE:
            sums[0] += _resist(bearings, eulers, bodies, k, more, tau)
    return suits
