"""The common normal of two bodies that overlap: how far one must go along it to be clear, and where that depth is least.

Along a unit vector n the bodies overlap by `h_A(n) + h_B(-n) - n . m`, m joining their centres: so far one
must go along n to be clear of the other. The depth is the least of it over all n, which is the
distance of m from the border of the bodies' Minkowski sum (Cameron, Culley, Determining the minimum
translational distance between two convex polyhedra, IEEE Robotics and Automation, 1986). It changes
evenly as the bodies move, but the least may pass from one hollow to another: there depth has a kink and
the normal jumps.

A ball of the radius d that touches the border of the sum from inside where a hollow of the depth d
lies, and is nowhere outside, proves that no other hollow is less deep. It is the sum of two such balls in
the bodies. The largest one that touches an ellipsoid from inside where the normal is n has the
radius `c^2 / h(n)`, c being the least semi-axis: its centre lies in the plane of the two others, which
holds all points that have two nearest ones. In a hyperellipsoid it is the one that rolls everywhere.

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

import math

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.arrays import NO_RIVAL, RIVAL, Touch
from solver.engine.forces.contacts.ellipsoids import OUTWARD, common_scale, deepest_points, shape_of
from solver.engine.forces.contacts.hyper import support
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
from solver.engine.jit.kernels import inner, separate
from solver.engine.maths.spatial import (
    Table,
    Three,
    dot,
    length,
    mat_on,
    plus,
    read,
    scaled,
    transpose_on,
    write,
)

# The hollows of the depth of two bodies that overlap, and which of them is the least deep.

BEST = 38
"""Where the hollow found stands in `touch.x`: normal, and the first body's point."""

SAME_HOLLOW = 1.0 - 1e-6
"""Cosine from which two normals are of one hollow."""

STARTS = 7
"""Normals to start from: that of the ellipsoids scaled until they touch, and the axes of both bodies."""

TILT = 0.05
"""By how much a hyperellipsoid's start leans from an axis, where flat faces have no curvature (rad)."""

STEPS_DOWN = 30
"""Most steps down a hyperellipsoid's hollow before Newton's method takes over."""

LEVEL = 1e-3
"""Slope, in parts of the bodies, from which Newton's method takes over."""


@inner
def is_least(
    surfaces: Surfaces, a: int, b: int, m: Three, depth: float, normal: Three, point: Three
) -> bool:
    """Whether no other hollow can be less deep; `point` is the first body's."""
    on_a = dot(normal, point)
    on_b = depth + dot(normal, m) - on_a
    # the ball that rolls in an ellipsoid has the radius c^2 / a, and a is its reach
    ball_a, ball_b = surfaces.ball[a], surfaces.ball[b]
    if not surfaces.is_hyper[a]:
        ball_a *= surfaces.reach[a] / on_a
    if not surfaces.is_hyper[b]:
        ball_b *= surfaces.reach[b] / on_b
    return bool(depth <= ball_a + ball_b)


@separate
def least_other(surfaces: Surfaces, a: int, b: int, m: Three, touch: Touch, known: bool) -> float:
    """The least depth over all hollows, but for that of `x`'s normal if it is known; none: `NO_RIVAL`.

    It starts from normals that belong to the pose alone.
    """
    x, ta, tb = touch.x, touch.turn_a, touch.turn_b
    is_hyper, least = surfaces.is_hyper[a] or surfaces.is_hyper[b], NO_RIVAL
    p, q = shape_of(ta, surfaces.semi, a), shape_of(tb, surfaces.semi, b)
    for start in range(STARTS):
        if start == 0:
            # of ellipsoids that are apart, one along which they are
            n, _ = common_scale(p, q, m, 0.0)
            n = scaled(1.0 / length(n), n)
        else:
            turn, c = ta if start < 4 else tb, (start - 1) % 3
            n = (turn[c], turn[3 + c], turn[6 + c])
        # the other way round it is deeper
        n = scaled(math.copysign(1.0, dot(n, m)), n)
        if is_hyper:
            depth, n, point = _down(surfaces, a, b, m, n, touch)
        else:
            found = deepest_points(p, q, m, n, OUTWARD)
            depth, n, point = found.depth, found.normal, found.on_a
        if known and dot(n, read(x, 1)) > SAME_HOLLOW:
            continue
        if depth < least:
            least = depth
            write(x, BEST, n)
            write(x, BEST + 3, point)
    return least


@inner
def _overlap(
    surfaces: Surfaces, a: int, b: int, m: Three, n: Three, touch: Touch
) -> tuple[float, Three, Three]:
    """By how much two bodies overlap along a unit vector, its slope by that, and the first's point."""
    on_a = support(surfaces, a, touch.turn_a, n)
    on_b = support(surfaces, b, touch.turn_b, scaled(-1.0, n))
    s = plus(plus(on_a, -1.0, on_b), -1.0, m)
    depth = dot(n, s)
    return depth, plus(s, -depth, n), on_a


@inner
def _down(
    surfaces: Surfaces, a: int, b: int, m: Three, n: Three, touch: Touch
) -> tuple[float, Three, Three]:
    """Find the hollow that a normal leads to: depth, normal, and the first body's point.

    Steps lead straight down until Newton's method, which seeks points, finds its way from there.
    """
    x, size = touch.x, surfaces.reach[a] + surfaces.reach[b]
    # off the axis, by three numbers that no symmetry has
    n = plus(n, TILT, (0.81, 0.47, 0.33))
    n, step = scaled(1.0 / length(n), n), 1.0 / size
    depth, slope, point = _overlap(surfaces, a, b, m, n, touch)
    for _ in range(STEPS_DOWN):
        if length(slope) < LEVEL * size:
            break
        t = plus(n, -step, slope)
        t = scaled(1.0 / length(t), t)
        there, turns, at = _overlap(surfaces, a, b, m, t, touch)
        if there < depth:
            n, depth, slope, point, step = t, there, turns, at, 2.0 * step
        else:
            step *= 0.3
    own = transpose_on(touch.turn_a, point)
    _, gradient, _ = slopes(surfaces, a, own)
    write(x, STATE, own)
    x[STATE + 3] = depth / length(gradient)
    if not follow(surfaces, a, b, 1.0, touch):
        return NO_RIVAL, n, point
    gradient = read(x, GRADIENT)
    size = length(gradient)
    n = mat_on(touch.turn_a, scaled(1.0 / size, gradient))
    return x[STATE + 3] * size, n, mat_on(touch.turn_a, read(x, STATE))


# The common normal of two bodies that overlap: how far one must go along it to be clear of the other.

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
    surfaces: Surfaces, a: int, b: int, m: Three, warm: Table, k: int, touch: Touch
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
