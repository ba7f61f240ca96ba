"""Pairs that may touch as arrays: their model and memory, what is found of one, and which are clearly apart.

A pair that was looked at had a gap. Since then no point of a body has moved by more than its origin has and
its turn lets its farthest point move; what all bodies have moved together does not count. So a pair of
surfaces need not be looked at again until both have moved by as much as the gap. Nothing is left to chance:
what is kept is a bound from below, and what is passed over could not have touched.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray, Motion
from solver.engine.jit.kernels import inlined, inner, struct
from solver.engine.maths.copying import copy, copy_rows
from solver.engine.maths.spatial import NOUGHT, Three, added, cross, length, less, over, plus, read3

# Pairs that are clearly apart, and stay so while their bodies have not moved by what lies between.

RENEWED = 0.02
"""Way (m) of a body after which all begin again from where they are."""


@struct
class Clearance(NamedTuple):
    """Hold gaps of pairs, and how far bodies have moved since they were measured.

    `bodies` have surfaces in pairs, and `reach` from their origins; `place` and `turn` are their poses of then,
    `moved` the way of their farthest points since, that of the ground last. `first` and `second` are a
    pair's rows of these, `gap` is what lies at least between them at those poses, below zero where that is
    not known. What is `kept` of them is that of the end of the last step.
    """

    bodies: IntArray
    reach: Array
    place: Array
    turn: Array
    moved: Array
    first: IntArray
    second: IntArray
    gap: Array
    kept_place: Array
    kept_turn: Array
    kept_gap: Array


def make_clearance(bodies: IntArray, reach: Array, first: IntArray, second: IntArray) -> Clearance:
    """Begin with nothing known."""
    n = len(bodies)
    place, turn = np.zeros((n, 3)), np.zeros((n, 9))
    gap = np.full(len(first), -1.0)
    return Clearance(
        bodies, reach, place, turn, np.zeros(n + 1), first, second, gap,
        kept_place=place.copy(), kept_turn=turn.copy(), kept_gap=gap.copy(),
    )  # fmt: skip


@inner
def recall_gaps(clearance: Clearance) -> None:
    """Go back to what the last step has left."""
    copy_rows(clearance.place, clearance.kept_place)
    copy_rows(clearance.turn, clearance.kept_turn)
    copy(clearance.gap, clearance.kept_gap)


@inner
def keep_gaps(clearance: Clearance) -> None:
    """Keep what was just measured for the next step."""
    copy_rows(clearance.kept_place, clearance.place)
    copy_rows(clearance.kept_turn, clearance.turn)
    copy(clearance.kept_gap, clearance.gap)


@inner
def follow_bodies(clearance: Clearance, motion: Motion) -> None:
    """Measure how far all bodies have moved beside their common way."""
    bodies, place, turn, moved = (
        clearance.bodies, clearance.place, clearance.turn, clearance.moved
    )  # fmt: skip
    n, common = len(bodies), NOUGHT
    for k in range(n):
        common = added(common, less(read3(motion.p, bodies[k]), read3(place, k)))
    if n:
        common = over(common, n)
    most = 0.0
    for k in range(n):
        i, twist = bodies[k], 0.0
        for c in range(9):
            twist += (motion.R[i, c] - turn[k, c]) ** 2
        own = less(less(read3(motion.p, i), read3(place, k)), common)
        # a turn by an angle moves a unit vector by 2 sin(angle / 2), and its matrix by sqrt(2) times that
        moved[k] = length(own) + clearance.reach[k] * math.sqrt(0.5 * twist)
        most = max(most, moved[k])
    moved[n] = length(common)
    if not most < RENEWED:
        for k in range(n):
            i = bodies[k]
            copy_rows(place[k : k + 1], motion.p[i : i + 1])
            copy_rows(turn[k : k + 1], motion.R[i : i + 1])
        moved[:] = 0.0
        clearance.gap[:] = -1.0


@inlined
def what_is_left(clearance: Clearance, k: int) -> float:
    """The least gap that a pair can have by now; below zero where it must be looked at."""
    return float(
        clearance.gap[k]
        - clearance.moved[clearance.first[k]]
        - clearance.moved[clearance.second[k]]
    )


@inlined
def keep_gap(clearance: Clearance, k: int, gap: float) -> None:
    """Keep the gap of a pair that has just been looked at."""
    clearance.gap[k] = (
        gap - clearance.moved[clearance.first[k]] - clearance.moved[clearance.second[k]]
    )


# Pairs that may touch as arrays: what never changes of them, what they remember, and what is found of one.

DEPTH, RATE, MARGIN = 0, 1, 2
NORMAL, POINT, SPEED, BACK, RIVAL, BETWEEN, HIDDEN = 3, 6, 9, 12, 13, 14, 15
"""Entries of a touch: depth and its rate; how far inside the bounds of a plane the pair is (below
zero outside); normal towards the first body, point, and velocity of the first body there against
the other, ground axes; `MARGIN` again, but of the back of a plane alone; the least depth along another
common normal, `NO_RIVAL` where there is none that counts; what lies at least between two bodies, below
zero where that is not known; how far the way is out of a plane to its front, or beside it if the centre is in front."""

NO_RIVAL = 1e300

GLANCE = 1e-7
"""Time (s) ahead at which the depth over an edge is looked at again for its rate."""


@struct
class Touch(NamedTuple):
    """What is found of one pair, and room to find it."""

    found: Array
    turn_a: Array
    turn_b: Array
    turn_ab: Array
    x: Array
    corner: Array
    overlap: Array
    triangle: Array


def make_touch() -> Touch:
    """Make room for one pair."""
    return Touch(
        np.zeros(16), np.zeros(9), np.zeros(9), np.zeros(9), np.zeros(45),
        np.zeros((4, 2)), np.zeros(5), np.zeros((4, 6)),
    )  # fmt: skip


ON_PLANE, OUTSIDE, INSIDE = range(3)
"""Kinds of pairs."""

BESIDE, PRESENT, BEHIND = range(3)
"""Whether a pair may press: not while beside its plane, and not since it was wholly behind until it
has come out in front."""

S_FORCE, S_DEPTH, S_POINT, S_RATE, S_STICKS, CONTACT_COLUMNS = 0, 3, 4, 7, 8, 9
"""Entries of `seen`: force on the first, depth, point, rate of depth, whether it sticks; and how many."""


@struct
class ContactModel(NamedTuple):
    """What never changes of pairs: kind, first surface `a`, plane or second surface `b`, law.

    `edge` says what happens at the edges of a plane, `behind` whether it holds behind, `normal` that depth is measured
    along the common normal. `mass` is what both bodies have together against each other, for the damping of bristles.
    """

    kind: IntArray
    a: IntArray
    b: IntArray
    law: IntArray
    edge: IntArray
    behind: IntArray
    normal: IntArray
    mass: Array


@struct
class ContactMemory(NamedTuple):
    """What pairs take from one step and event into the next.

    `mode` and `of_law` are the memory of its law; `present` says whether the pair is within the bounds of its plane;
    `warm` is what searches found at the end of the last step: those of the next step start from it. So are `bristle` rows,
    `bristle_end` those that the next step will start from: samples of the last one still need the others.
    """

    mode: IntArray
    present: IntArray
    of_law: Array
    warm: Array
    bristle: Array
    bristle_end: Array


@struct
class ContactWorkspace(NamedTuple):
    """What an evaluation needs and leaves: what outputs see, what starts the next search of this step, which pairs are clearly apart, and what is found of one; rows of bristles, and the time.

    There are rows of bristles only where a law has them.
    """

    seen: Array
    warm: Array
    clear: Clearance
    touch: Touch
    bristle: Array
    time: Array


@struct
class Contacts(NamedTuple):
    """All pairs that may touch."""

    model: ContactModel
    memory: ContactMemory
    workspace: ContactWorkspace


@inner
def glance(turn: Array, w: Three) -> None:
    """Turn a frame on by what its rate of turning brings in a glance's time."""
    for n in range(3):
        axis = (turn[n], turn[3 + n], turn[6 + n])
        turn[n], turn[3 + n], turn[6 + n] = plus(axis, GLANCE, cross(w, axis))
