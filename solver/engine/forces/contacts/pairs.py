"""How deep surfaces are in planes and in each other, where, and how fast (sections 7.1, 7.2).

Plane and body touch at the deepest point; bodies are scaled about their centres by a common factor
until they touch in a single point (7.2.1), which is where the normal is taken and the force acts.
"""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.forces.contacts.arrays import (
    BACK,
    BETWEEN,
    DEPTH,
    GLANCE,
    HIDDEN,
    INSIDE,
    MARGIN,
    NORMAL,
    POINT,
    RATE,
    SPEED,
    Contacts,
    Touch,
    glance,
)
from solver.engine.forces.contacts.edges import BELOW, FADE, SHARP, fade, inside_edges
from solver.engine.forces.contacts.ellipsoids import common_scale, opposite_scale, shape_of
from solver.engine.forces.contacts.hyper import apart_along, pressing, support, touch_scaled
from solver.engine.forces.contacts.meeting import closest_points, keep_meeting
from solver.engine.forces.contacts.normals import WARM_LENGTH, go_along_normal
from solver.engine.forces.laws import APPLIED_AT
from solver.engine.forces.points import speed_at, spin_of
from solver.engine.forces.state import Around
from solver.engine.forces.surfaces import Surfaces, turn_of
from solver.engine.jit.kernels import inlined, inner, separate
from solver.engine.maths.spatial import (
    Three,
    added,
    dot,
    length,
    less,
    plus,
    read,
    read3,
    read_spatial,
    scaled,
    sym_on,
    write,
)

CLEAR = 1e-3
"""Gap, in parts of the distance of the centres, beyond which surfaces are not looked at further."""


@inlined
def above_plane(around: Around, a: int, b: int) -> float:
    """How high all of a surface is above a plane at least; below zero where it must be looked at."""
    surfaces = around.surfaces
    corner, normal = read_spatial(around.planes.now, b)
    height = dot(normal, less(read3(surfaces.centre, a), corner))
    return float(height - surfaces.reach[a])


@inner
def touch_plane(contacts: Contacts, around: Around, k: int) -> None:
    """Find how the surface of a pair touches its plane."""
    model, touch, motion = contacts.model, contacts.workspace.touch, around.motion
    surfaces, planes = around.surfaces, around.planes
    a, b, edge, behind = model.a[k], model.b[k], model.edge[k], model.behind[k] != 0
    found, now, turn = touch.found, planes.now, touch.turn_a
    i, j = surfaces.body[a], planes.body[b]
    corner, normal = read_spatial(now, b)
    centre = read3(surfaces.centre, a)
    height = dot(normal, less(centre, corner))
    found[MARGIN] = found[BACK] = 1.0
    if height > surfaces.reach[a]:
        found[DEPTH] = found[HIDDEN] = surfaces.reach[a] - height
        found[RATE] = 0.0
        return
    turn_of(motion, i, surfaces.R, a, turn)
    # from the centre to the deepest point
    way = pressing(surfaces, a, turn, scaled(-1.0, normal))
    h = -dot(normal, way)
    depth = h - height
    found[DEPTH] = found[HIDDEN] = depth
    found[RATE] = -dot(normal, speed_at(motion, i, j, added(centre, way)))
    write(found, NORMAL, normal)
    if depth <= 0.0:
        return
    if not behind:
        # as a part of the depth, so that both margins are lengths
        found[MARGIN] = found[BACK] = 2.0 * h - depth
    fades = edge in (FADE, BELOW) and depth < 2.0 * h
    if fades:
        centre = added(centre, fade(surfaces, planes, motion, a, b, edge == BELOW, touch))
        if height > 0.0:
            found[HIDDEN] = found[DEPTH]
        elif not behind and found[DEPTH] < 0.0:
            # beside the plane's area with its centre behind: from there nothing is pressed in
            found[MARGIN] = found[BACK] = found[DEPTH]
    ratio = around.laws.number[model.law[k], APPLIED_AT]
    point = plus(centre, 1.0 - ratio * depth / h, way)
    if fades and edge == BELOW:
        # from the centroid along the normal
        point = plus(plus(centre, 1.0 - depth / h, way), (ratio - 1.0) * found[DEPTH], normal)
    if edge == SHARP:
        found[MARGIN] = min(found[MARGIN], inside_edges(planes, motion, b, point))
    write(found, POINT, point)
    write(found, SPEED, speed_at(motion, i, j, point))


@separate
def touch_pair(contacts: Contacts, around: Around, k: int) -> None:
    """Find how the surfaces of a pair touch, from outside or one inside the other.

    Depth is measured along the line of centres, or `along` the common normal.
    """
    model, warm, touch = contacts.model, contacts.workspace.warm, contacts.workspace.touch
    surfaces, motion, a, b = around.surfaces, around.motion, model.a[k], model.b[k]
    inside, along = model.kind[k] == INSIDE, model.normal[k] != 0
    found, centre, semi = touch.found, surfaces.centre, surfaces.semi
    m = plus(read(centre[b], 0), -1.0, read(centre[a], 0))
    apart = length(m)
    found[MARGIN], found[BACK], found[RATE], found[BETWEEN] = 1.0, 1.0, 0.0, -1.0
    if inside:
        least = min(semi[b, 0], semi[b, 1], semi[b, 2])
        found[DEPTH] = apart + surfaces.reach[a] - least
    else:
        found[DEPTH] = surfaces.reach[a] + surfaces.reach[b] - apart
    if found[DEPTH] < 0.0:
        found[BETWEEN] = -found[DEPTH]
        return
    turn_of(motion, surfaces.body[a], surfaces.R, a, touch.turn_a)
    turn_of(motion, surfaces.body[b], surfaces.R, b, touch.turn_b)
    size = 1e-9 * (surfaces.reach[a] + surfaces.reach[b])
    if apart < size:
        # one centre in the other: as if a little apart along the last normal
        if length(read(warm[k], 0)) == 0.0:
            warm[k, 2] = 1.0
        m, apart = scaled(size, read(warm[k], 0)), size
    if inside:
        _touch_inside(surfaces, motion, a, b, m, warm, k, touch)
        _rate_inside(surfaces, motion, a, b, m, warm, k, touch)
        return
    is_hyper = surfaces.is_hyper[a] or surfaces.is_hyper[b]
    has_met = is_hyper and closest_points(surfaces, a, b, m, warm, k, touch)
    if not has_met:
        # clearly apart along the normal of before: nothing to look for
        gap = apart_along(surfaces, a, b, read(warm[k], 0), m, touch)
        if gap > CLEAR * apart:
            found[DEPTH], found[BETWEEN], warm[k, WARM_LENGTH] = -gap, gap, 0.0
            return
    if is_hyper and not has_met:
        touch_scaled(surfaces, a, b, m, read(warm[k], 0), touch)
        keep_meeting(warm, k, touch)
    elif not is_hyper and not along:
        _scale(surfaces, a, b, m, warm, k, touch)
    if is_hyper or not along:
        write(warm[k], 0, read(touch.x, 1))
        found[BETWEEN] = dot(read(touch.x, 1), m) - touch.x[4]
        _touch_outside(surfaces, motion, a, b, m, apart, touch)
        if found[DEPTH] <= 0.0:
            warm[k, WARM_LENGTH] = 0.0
            return
    if along:
        _touch_along(surfaces, motion, a, b, m, warm, k, touch)


@inner
def _scale(surfaces: Surfaces, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch) -> None:
    """Scale two ellipsoids until they touch; `touch.x` takes what `touch_scaled` gives."""
    x, ta, tb = touch.x, touch.turn_a, touch.turn_b
    P, Q = shape_of(ta, surfaces.semi, a), shape_of(tb, surfaces.semi, b)
    n, warm[k, 3] = common_scale(P, Q, m, warm[k, 3])
    n = scaled(1.0 / length(n), n)
    on_a = support(surfaces, a, ta, n)
    write(x, 1, n)
    write(x, 5, on_a)
    x[4] = dot(n, on_a) + dot(n, support(surfaces, b, tb, n))
    # stationary about the normal, so that its error hardly counts
    x[0] = dot(n, m) / x[4]


@inner
def _put(
    surfaces: Surfaces, motion: Motion, a: int, b: int, normal: Three, way: Three, touch: Touch
) -> Three:
    """Put normal, point (by the way from the first centre) and velocity of a touch in place; give the last."""
    i, j, found = surfaces.body[a], surfaces.body[b], touch.found
    point = added(read3(surfaces.centre, a), way)
    v = speed_at(motion, i, j, point)
    write(found, NORMAL, scaled(-1.0, normal))
    write(found, POINT, point)
    write(found, SPEED, v)
    return v


@inner
def _part(surfaces: Surfaces, motion: Motion, a: int, b: int) -> Three:
    """The speed at which the second centre leaves the first."""
    on_a = speed_at(motion, surfaces.body[a], -1, read3(surfaces.centre, a))
    on_b = speed_at(motion, surfaces.body[b], -1, read3(surfaces.centre, b))
    return less(on_b, on_a)


@inner
def _touch_outside(
    surfaces: Surfaces, motion: Motion, a: int, b: int, m: Three, apart: float, touch: Touch
) -> None:
    """Fill in a touch from outside (7.2.2).

    `x` holds the factor, the normal from a to b, the sum of both supports along it, and the point of
    a that touches, from its centre and unscaled.
    """
    found, x = touch.found, touch.x
    e, n = x[0], read(x, 1)
    found[DEPTH] = (1.0 / e - 1.0) * apart
    v = _put(surfaces, motion, a, b, n, scaled(e, read(x, 5)), touch)
    # the factor's rate, and the rate of the distance of the centres
    rate, away = -dot(n, v) / x[4], dot(m, _part(surfaces, motion, a, b)) / apart
    found[RATE] = -rate * apart / (e * e) + (1.0 / e - 1.0) * away


@inner
def _touch_along(
    surfaces: Surfaces, motion: Motion, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> None:
    """Measure a touch from outside along the common normal; it acts midway between the deepest points."""
    x = touch.x
    depth = go_along_normal(surfaces, a, b, m, warm, k, touch)
    n = read(x, 1)
    v = _put(surfaces, motion, a, b, n, plus(read(x, 5), -0.5 * depth, n), touch)
    touch.found[DEPTH], touch.found[RATE] = depth, dot(n, v)


@inner
def _touch_inside(
    surfaces: Surfaces, motion: Motion, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> None:
    """Fill in a touch from inside (7.2.2); below zero while the inner one does not reach the wall."""
    P, Q = shape_of(touch.turn_a, surfaces.semi, a), shape_of(touch.turn_b, surfaces.semi, b)
    e, y = opposite_scale(P, Q, m, warm, k)
    n = scaled(1.0 / length(y), y)
    write(warm[k], 0, n)
    # the point from the inner centre, along the inner one's support
    way = sym_on(P, n)
    way = scaled(e / math.sqrt(dot(way, n)), way)
    depth = length(plus(scaled(1.0 / e - e, way), e - 1.0, m))
    touch.found[DEPTH] = depth if e < 1.0 else -depth
    _put(surfaces, motion, a, b, n, way, touch)


@inner
def _rate_inside(
    surfaces: Surfaces, motion: Motion, a: int, b: int, m: Three, warm: Array, k: int, touch: Touch
) -> None:
    """The rate of the depth inside, by a glance ahead."""
    found, x = touch.found, touch.x
    x[0] = found[DEPTH]
    for n in range(9):
        x[1 + n] = found[NORMAL + n]
    write(x, 10, read(warm[k], 0))
    glance(touch.turn_a, spin_of(motion, surfaces.body[a]))
    glance(touch.turn_b, spin_of(motion, surfaces.body[b]))
    m = plus(m, GLANCE, _part(surfaces, motion, a, b))
    _touch_inside(surfaces, motion, a, b, m, warm, k, touch)
    found[RATE] = (found[DEPTH] - x[0]) / GLANCE
    found[DEPTH] = x[0]
    for n in range(9):
        found[NORMAL + n] = x[1 + n]
    write(warm[k], 0, read(x, 10))
