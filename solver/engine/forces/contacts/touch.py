"""What is found of a pair that may touch, and room to find it."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from solver.engine.dynamics.tree import Array
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
    """Hold what is found of one pair, and room to find it."""

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


@inner
def glance(turn: Array, w: Three) -> None:
    """Turn a frame on by what its rate of turning brings in a glance's time."""
    for n in range(3):
        axis = (turn[n], turn[3 + n], turn[6 + n])
        turn[n], turn[3 + n], turn[6 + n] = plus(axis, GLANCE, cross(w, axis))
