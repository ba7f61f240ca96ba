"""The common normal of two bodies that overlap: how far one must go along it to be clear of the other.

That depth is the smallest way out of the overlap, and changes as fast as the bodies approach
along the normal, so that a force along it is the gradient of what is held. Of ellipsoids it is found from
the normal of before (`deepest.py`). Of hyperellipsoids it is found as in `meeting.py`, from the deepest
points of before or from where the scaled bodies meet: the direction turns from the line of centres to the
normal at once, or in as many steps as Newton's method needs.
Where there may be a smaller way out along another normal (`concave.py`), that is looked for from starts
that belong to the pose alone. A pair seen again takes the smallest; one that is followed keeps its own,
and the other's depth is given beside it, so that the change can happen at the time when both are equal.
"""

from __future__ import annotations

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import NO_RIVAL, RIVAL, Touch
from solver.engine.forces.contacts.concave import BEST, is_least, least_other
from solver.engine.forces.contacts.deepest import OUTWARD, deepest_points
from solver.engine.forces.contacts.ellipsoids import shape_of
from solver.engine.forces.contacts.meeting import (
    GRADIENT,
    LINE,
    SCALE,
    STATE,
    bring_back,
    follow,
    set_out,
    slopes,
)
from solver.engine.forces.surfaces import Surfaces
from solver.engine.jit.kernels import inner
from solver.engine.jit.separate import separate
from solver.engine.maths.spatial import Three, length, plus, read, scaled, transpose_on, write

DEEPEST, WARM_LENGTH = 8, 11
"""Entries of a warm start: the deepest point of the first body, own axes; t, zero if there is none. Of ellipsoids
the last alone, which says whether the normal of before is that of deepest points."""

LEAST_PART = 1.0 / 64.0
"""Least part of the way from the line of centres to the normal that is tried at once."""


@inner
def go_along_normal(
    surfaces: Surfaces, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> float:
    """The depth along the common normal of two bodies; below zero, of ellipsoids, how far they are apart.

    `touch.x` takes the normal, and the first body's deepest point from its centre. Where no normal is
    reached, from hyperellipsoids almost through each other, depth is measured along the direction that was.
    `RIVAL` takes the depth of another hollow, where there may be one that is less deep.
    """
    x, rival = touch.x, NO_RIVAL
    is_hyper = surfaces.is_hyper[a] or surfaces.is_hyper[b]
    is_found, is_followed = True, warm[k, WARM_LENGTH] > 0.0
    if is_hyper:
        depth, is_found, is_followed = meet_by_points(surfaces, a, b, m, warm, k, touch)
    else:
        depth = _by_normals(surfaces, a, b, m, warm, k, touch)
    if depth > 0.0 and not (
        is_found and is_least(surfaces, a, b, m, depth, read(x, 1), read(x, 5))
    ):
        rival = least_other(surfaces, a, b, m, touch, is_found)
        if rival < NO_RIVAL and (not is_found or (rival < depth and not is_followed)):
            _change(surfaces, a, warm, k, rival, touch)
            depth, rival = rival, depth if is_found else NO_RIVAL
    if not is_hyper:
        write(warm[k], 0, read(x, 1))
        warm[k, WARM_LENGTH] = 1.0 if depth > 0.0 else 0.0
    touch.found[RIVAL] = rival
    return depth


@inner
def _by_normals(
    surfaces: Surfaces, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> float:
    """Find the deepest points of two ellipsoids, or their nearest ones, from the normal of before."""
    p, q = shape_of(touch.turn_a, surfaces.semi, a), shape_of(touch.turn_b, surfaces.semi, b)
    found = deepest_points(p, q, m, read(warm[k], 0), OUTWARD)
    write(touch.x, 1, found.normal)
    write(touch.x, 5, found.on_a)
    return found.depth


@separate
def meet_by_points(
    surfaces: Surfaces, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> tuple[float, bool, bool]:
    """Find the deepest points of hyperellipsoids, from those of before or from what scaling gave in `x`.

    Gives the depth, whether the common normal was reached, and whether it is that of before.
    """
    x, part = touch.x, 0.0
    set_out(m, touch)
    x[SCALE] = 0.0
    if warm[k, WARM_LENGTH] > 0.0:
        for n in range(4):
            x[STATE + n] = warm[k, DEEPEST + n]
        if follow(surfaces, a, b, 1.0, touch):
            part = 1.0
    is_followed = part == 1.0
    if not is_followed:
        # from where the scaled bodies meet, whose line has the length of the gradient there
        at = transpose_on(touch.turn_a, read(x, 5))
        _, gradient, _ = slopes(surfaces, a, at)
        write(x, STATE, at)
        write(x, GRADIENT, gradient)
        x[SCALE] = length(gradient) / length(m)
        x[STATE + 3] = (1.0 / x[0] - 1.0) / x[SCALE]
        step = 1.0
        while part < 1.0 and step >= LEAST_PART:
            step = min(step, 1.0 - part)
            if follow(surfaces, a, b, part + step, touch):
                part += step
                step *= 2.0
            else:
                step *= 0.5
    for n in range(4):
        warm[k, DEEPEST + n] = x[STATE + n] if part == 1.0 else 0.0
    way = plus(scaled((1.0 - part) * x[SCALE], read(x, LINE)), part, read(x, GRADIENT))
    bring_back(touch)
    return x[STATE + 3] * length(way), part == 1.0, is_followed


@inner
def _change(surfaces: Surfaces, a: int, warm: Array, k: int, depth: float, touch: Touch) -> None:
    """Take the hollow that was found beside that of before."""
    x = touch.x
    point = transpose_on(touch.turn_a, read(x, BEST + 3))
    _, gradient, _ = slopes(surfaces, a, point)
    write(warm[k], DEEPEST, point)
    warm[k, WARM_LENGTH] = depth / length(gradient)
    write(x, 1, read(x, BEST))
    write(x, 5, read(x, BEST + 3))
