"""The common normal of two bodies that overlap: how far one must go along it to be clear of the other.

That depth is the smallest way out of the overlap, and changes as fast as the bodies approach
along the normal, so that a force along it is the gradient of what is held. It is found as in
`meeting.py`, from the deepest points of before or from where the scaled bodies meet: the direction
turns from the line of centres to the normal at once, or in as many steps as Newton's method needs.
Where there may be a smaller way out along another normal (`hollows.py`), that is looked for from starts
that belong to the pose alone. A pair seen anew takes the smallest; one that is followed keeps its own,
and the other's depth is given beside it, so that the change can happen at the time when both are equal.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.forces.hollows import BEST, is_least, least_other
from solver.forces.meeting import LINE, SCALE, STATE, bring_back, follow, set_out, slopes
from solver.forces.surfaces import Surfaces
from solver.forces.touch import NO_RIVAL, RIVAL, Touch
from solver.maths.kernels import inner

DEEPEST, LENGTH = 8, 11
"""Entries of a warm start: the deepest point of the first body, own axes; t, zero if there is none."""

KEPT = 33
"""Where the state before a step stands in the room."""

LEAST = 1.0 / 64.0
"""Least part of the way from the line of centres to the normal that is tried at once."""


@inner
def go_along_normal(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, warm: Array, k: int,
    touch: Touch,
) -> float:  # fmt: skip
    """Give the depth along the common normal of two bodies that overlap.

    The room's `x` holds what scaling gave; its normal, and the first body's point from its centre, are
    replaced by those of the deepest points. Where no normal is reached, from hyperellipsoids almost through
    each other, depth is measured along the direction that was. `RIVAL` takes the depth of another
    hollow, where there may be one that is less deep.
    """
    room, x, turn = touch.triangle, touch.x, touch.turn_a
    set_out(mx, my, mz, turn, touch.turn_b, x)
    x[SCALE] = part = 0.0
    if warm[k, LENGTH] > 0.0:
        for n in range(4):
            x[STATE + n] = warm[k, DEEPEST + n]
        if follow(surfaces, a, b, 1.0, room, x):
            part = 1.0
    is_followed = part == 1.0
    if not is_followed:
        # from where the scaled bodies meet, whose line has the length of the gradient there
        for n in range(3):
            x[STATE + n] = turn[n] * x[5] + turn[3 + n] * x[6] + turn[6 + n] * x[7]
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
    bring_back(turn, room, x)
    depth = float(x[STATE + 3] * math.sqrt(way))
    if part == 1.0 and is_least(surfaces, a, b, mx, my, mz, depth, x):
        return depth
    rival = least_other(surfaces, a, b, mx, my, mz, touch, part == 1.0)
    if rival < NO_RIVAL and (part < 1.0 or (rival < depth and not is_followed)):
        _change(surfaces, a, warm, k, rival, touch)
        depth, rival = rival, depth if part == 1.0 else NO_RIVAL
    touch.found[RIVAL] = rival if part == 1.0 else NO_RIVAL
    return depth


@inner
def _change(surfaces: Surfaces, a: int, warm: Array, k: int, depth: float, touch: Touch) -> None:
    """Take the hollow that was found beside that of before."""
    room, x, turn = touch.triangle, touch.x, touch.turn_a
    px, py, pz = x[BEST + 3], x[BEST + 4], x[BEST + 5]
    slopes(surfaces, a, px, py, pz, room, 0)
    size = math.sqrt(room[0, 0] ** 2 + room[0, 1] ** 2 + room[0, 2] ** 2)
    warm[k, DEEPEST], warm[k, DEEPEST + 1], warm[k, DEEPEST + 2] = px, py, pz
    warm[k, LENGTH] = depth / size
    for n in range(3):
        x[1 + n] = x[BEST + n]
        x[5 + n] = turn[3 * n] * px + turn[3 * n + 1] * py + turn[3 * n + 2] * pz
