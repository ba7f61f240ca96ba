"""Pairs that may touch as arrays: what never changes of them, what they remember, and what is found of one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.forces.contacts.clearance import Clearance
from solver.engine.jit.kernels import inner
from solver.engine.jit.structs import struct
from solver.engine.maths.spatial import Three, cross, plus

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

S_FORCE, S_DEPTH, S_POINT, S_RATE, CONTACT_COLUMNS = 0, 3, 4, 7, 8
"""Entries of `seen`: force on the first, depth, point, rate of depth; and how many."""


@struct
class ContactModel(NamedTuple):
    """What never changes of pairs: kind, first surface `a`, plane or second surface `b`, law.

    `edge` says what happens at the edges of a plane, `behind` whether it holds behind, `normal` that depth is measured
    along the common normal.
    """

    kind: IntArray
    a: IntArray
    b: IntArray
    law: IntArray
    edge: IntArray
    behind: IntArray
    normal: IntArray


@struct
class ContactMemory(NamedTuple):
    """What pairs take from one evaluation and event into the next.

    `mode` and `of_law` are the memory of its law; `present` says whether the pair is within the bounds of its plane;
    `warm` starts the next search.
    """

    mode: IntArray
    present: IntArray
    of_law: Array
    warm: Array


@struct
class ContactWorkspace(NamedTuple):
    """What an evaluation needs and leaves: what outputs see, which pairs are clearly apart, and what is found of one."""

    seen: Array
    clear: Clearance
    touch: Touch


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
