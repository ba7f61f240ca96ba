"""The common normal of two bodies that overlap: how far one must go along it to be clear of the other.

That depth is the smallest way out of the overlap, and changes as fast as the bodies approach
along the normal, so that a force along it is the gradient of what is held. Of ellipsoids it is found from
the normal of before (`deepest.py`). Of hyperellipsoids it is found as in `meeting.py`, from the deepest
points of before or from where the scaled bodies meet: the direction turns from the line of centres to the
normal at once, or in as many steps as Newton's method needs.
Where there may be a smaller way out along another normal (`hollows.py`), that is looked for from starts
that belong to the pose alone. A pair seen anew takes the smallest; one that is followed keeps its own,
and the other's depth is given beside it, so that the change can happen at the time when both are equal.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.forces.deepest import OUTSIDE, deepest_points
from solver.forces.ellipsoids import shape_of
from solver.forces.hollows import BEST, is_least, least_other
from solver.forces.meeting import LINE, SCALE, STATE, bring_back, follow, set_out, slopes
from solver.forces.points import along_axes, to_ground
from solver.forces.surfaces import Surfaces
from solver.forces.touch import NO_RIVAL, RIVAL, Touch
from solver.maths.kernels import inner
from solver.maths.vectors import Three

DEEPEST, LENGTH = 8, 11
"""Entries of a warm start: the deepest point of the first body, own axes; t, zero if there is none. Of ellipsoids
the last alone, which says whether the normal of before is that of deepest points."""

KEPT = 33
"""Where the state before a step stands in the room."""

LEAST = 1.0 / 64.0
"""Least part of the way from the line of centres to the normal that is tried at once."""


@inner
def go_along_normal(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, warm: Array, k: int,
    touch: Touch,
) -> float:  # fmt: skip
    """Give the depth along the common normal of two bodies; below zero, of ellipsoids, how far they are apart.

    The room's `x` takes the normal, and the first body's deepest point from its centre. Where no normal is
    reached, from hyperellipsoids almost through each other, depth is measured along the direction that was.
    `RIVAL` takes the depth of another hollow, where there may be one that is less deep.
    """
    is_followed = warm[k, LENGTH] > 0.0
    is_hyper = surfaces.is_hyper[a] or surfaces.is_hyper[b]
    is_found = True
    if is_hyper:
        depth, is_found, is_followed = _by_points(
            surfaces, a, b, mx, my, mz, warm, k, is_followed, touch
        )
    else:
        depth = _by_normals(surfaces, a, b, (mx, my, mz), warm, k, touch)
    rival = NO_RIVAL
    if depth > 0.0 and not (is_found and is_least(surfaces, a, b, mx, my, mz, depth, touch.x)):
        rival = least_other(surfaces, a, b, mx, my, mz, touch, is_found)
        if rival < NO_RIVAL and (not is_found or (rival < depth and not is_followed)):
            _change(surfaces, a, warm, k, rival, touch)
            depth, rival = rival, depth if is_found else NO_RIVAL
    if not is_hyper:
        for n in range(3):
            warm[k, n] = touch.x[1 + n]
        warm[k, LENGTH] = 1.0 if depth > 0.0 else 0.0
    touch.found[RIVAL] = rival
    return depth


@inner
def _by_normals(
    surfaces: Surfaces, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> float:
    """Find the deepest points of two ellipsoids, or their nearest ones, from the normal of before."""
    x = touch.x
    p, q = shape_of(touch.turn_a, surfaces.semi, a), shape_of(touch.turn_b, surfaces.semi, b)
    found = deepest_points(p, q, m, (warm[k, 0], warm[k, 1], warm[k, 2]), OUTSIDE)
    x[1], x[2], x[3] = found.normal
    x[5], x[6], x[7] = found.on_a
    return found.depth


@inner
def _by_points(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, warm: Array, k: int,
    is_followed: bool, touch: Touch,
) -> tuple[float, bool, bool]:  # fmt: skip
    """Find the deepest points of hyperellipsoids, from those of before or from what scaling gave in `x`.

    Gives the depth, whether the common normal was reached, and whether it is that of before.
    """
    room, x, turn = touch.triangle, touch.x, touch.turn_a
    set_out(mx, my, mz, turn, touch.turn_b, x)
    x[SCALE] = part = 0.0
    if is_followed:
        for n in range(4):
            x[STATE + n] = warm[k, DEEPEST + n]
        if follow(surfaces, a, b, 1.0, room, x):
            part = 1.0
    is_followed = part == 1.0
    if not is_followed:
        # from where the scaled bodies meet, whose line has the length of the gradient there
        x[STATE], x[STATE + 1], x[STATE + 2] = along_axes(turn, x[5], x[6], x[7])
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
    return float(x[STATE + 3] * math.sqrt(way)), part == 1.0, is_followed


@inner
def _change(surfaces: Surfaces, a: int, warm: Array, k: int, depth: float, touch: Touch) -> None:
    """Take the hollow that was found beside that of before."""
    room, x = touch.triangle, touch.x
    px, py, pz = x[BEST + 3], x[BEST + 4], x[BEST + 5]
    slopes(surfaces, a, px, py, pz, room, 0)
    size = math.sqrt(room[0, 0] ** 2 + room[0, 1] ** 2 + room[0, 2] ** 2)
    warm[k, DEEPEST], warm[k, DEEPEST + 1], warm[k, DEEPEST + 2] = px, py, pz
    warm[k, LENGTH] = depth / size
    x[1], x[2], x[3] = x[BEST], x[BEST + 1], x[BEST + 2]
    x[5], x[6], x[7] = to_ground(touch.turn_a, px, py, pz)
