"""The common normal of two bodies that overlap: how far one must go along it to be clear of the other.

That depth is the smallest way out of the overlap nearby, and changes as fast as the bodies approach
along the normal, so that a force along it is the gradient of what is held. It is found as in
`meeting.py`, from the deepest points of before or from where the scaled bodies meet: the direction
turns from the line of centres to the normal at once, or in as many steps as Newton's method needs.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.forces.meeting import LINE, SCALE, STATE, bring_back, follow, set_out, slopes
from solver.forces.surfaces import Surfaces
from solver.maths.kernels import inner

DEEPEST, LENGTH = 8, 11
"""Entries of a warm start: the deepest point of the first body, own axes; t, zero if there is none."""

KEPT = 33
"""Where the state before a step stands in the room."""

LEAST = 1.0 / 64.0
"""Least part of the way from the line of centres to the normal that is tried at once."""


@inner
def go_along_normal(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, turn_a: Array, turn_b: Array,
    warm: Array, k: int, room: Array, x: Array,
) -> float:  # fmt: skip
    """Give the depth along the common normal of two bodies that overlap.

    `x` holds what scaling gave; its normal, and the first body's point from its centre, are replaced
    by those of the deepest points. Where the normal cannot be reached from the line of centres, depth
    is measured along the direction that was reached.
    """
    set_out(mx, my, mz, turn_a, turn_b, x)
    x[SCALE] = part = 0.0
    if warm[k, LENGTH] > 0.0:
        for n in range(4):
            x[STATE + n] = warm[k, DEEPEST + n]
        if follow(surfaces, a, b, 1.0, room, x):
            part = 1.0
    if part == 0.0:
        # from where the scaled bodies meet, whose line has the length of the gradient there
        for n in range(3):
            x[STATE + n] = turn_a[n] * x[5] + turn_a[3 + n] * x[6] + turn_a[6 + n] * x[7]
        slopes(surfaces, a, x[STATE], x[STATE + 1], x[STATE + 2], room, 0)
        size = math.sqrt(room[0, 0] ** 2 + room[0, 1] ** 2 + room[0, 2] ** 2)
        x[SCALE] = size / math.sqrt(mx * mx + my * my + mz * mz)
        x[STATE + 3] = (1.0 / x[0] - 1.0) / x[SCALE]
        step = 1.0
        while part < 1.0 and step >= LEAST:
            for n in range(5):
                x[KEPT + n] = x[STATE + n]
            step = min(step, 1.0 - part)
            if follow(surfaces, a, b, part + step, room, x):
                part += step
                step *= 2.0
            else:
                for n in range(5):
                    x[STATE + n] = x[KEPT + n]
                slopes(surfaces, a, x[STATE], x[STATE + 1], x[STATE + 2], room, 0)
                step *= 0.5
    for n in range(4):
        warm[k, DEEPEST + n] = x[STATE + n] if part == 1.0 else 0.0
    way, scale = 0.0, (1.0 - part) * x[SCALE]
    for n in range(3):
        way += (scale * x[LINE + n] + part * room[0, n]) ** 2
    bring_back(turn_a, room, x)
    return float(x[STATE + 3] * math.sqrt(way))
