"""What the edges of a plane leave of a contact (section 7.1)."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Motion
from solver.engine.forces.contacts.arrays import DEPTH, GLANCE, RATE, Touch, glance
from solver.engine.forces.contacts.hyper import rounded
from solver.engine.forces.contacts.overlap import disk_in_quadrangle
from solver.engine.forces.points import arm_of, speed_at, spin_of
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.jit.kernels import inner
from solver.engine.maths.spatial import (
    Three,
    cross,
    dot,
    each,
    each_over,
    length,
    mat_on,
    plus,
    read,
    scaled,
    total,
    transpose_on,
)

FADE, SHARP, NO_EDGES = range(3)
"""What happens at the edges of a plane."""

JUMP = 1e4
"""Rate of fading (m/s) that no motion has."""


@inner
def inside_edges(planes: Planes, motion: Motion, b: int, at: Three) -> float:
    """How far a point lies inside both pairs of edges; below zero outside."""
    way, least = plus(at, -1.0, read(planes.now[b], 0)), 1e300
    for n in range(2):
        dual = arm_of(motion, planes.body[b], planes.duals, 2 * b + n)
        s, size = dot(dual, way), length(dual)
        least = min(least, s / size, (1.0 - s) / size)
    return least


@inner
def fade(surfaces: Surfaces, planes: Planes, motion: Motion, a: int, b: int, touch: Touch) -> Three:
    """Let the depth fade as a surface comes over the edge; give the shift of the point.

    Depth is multiplied by how far the centroid of the overlap of section and parallelogram lies inside
    the section's rim: 1 less the square of its distance from the section's centre, in parts of the way
    to the rim. For a shallow section that is the surface's depth below that point, in parts of the
    whole. It begins at zero, and grows as the way over the edge does, however deep the body is.
    """
    found, now = touch.found, planes.now
    i, j, centre = surfaces.body[a], planes.body[b], read(surfaces.centre[a], 0)
    if inside_edges(planes, motion, b, centre) >= surfaces.reach[a]:
        return 0.0, 0.0, 0.0
    normal, way = read(now[b], 3), plus(centre, -1.0, read(now[b], 0))
    edges = arm_of(motion, j, planes.edges, 2 * b), arm_of(motion, j, planes.edges, 2 * b + 1)
    part, shift = _part(surfaces, a, normal, way, edges, touch)
    if part == 1.0:
        return shift
    depth = found[DEPTH]
    if part > 0.0:
        # the rate of the part, from a glance ahead as seen from the plane
        v = speed_at(motion, i, j, centre)
        glance(touch.turn_a, plus(spin_of(motion, i), -1.0, spin_of(motion, j)))
        ahead, _ = _part(surfaces, a, normal, plus(way, GLANCE, v), edges, touch)
        fades = depth * (ahead - part) / GLANCE
        # where the section vanishes behind the plane the part jumps, which is no rate
        found[RATE] = part * found[RATE] + (fades if abs(fades) < JUMP else 0.0)
    found[DEPTH] = part * depth if part > 0.0 else part
    return shift


@inner
def _part(
    surfaces: Surfaces, a: int, t: Three, way: Three, edges: tuple[Three, Three], touch: Touch
) -> tuple[float, Three]:
    """The part of the depth that is left over an edge, and the shift of the section's centroid.

    The part is below zero where nothing overlaps. `t` is the plane's normal, `way` that from its corner to
    the surface's centre.
    """
    turn, semi, corner = touch.turn_a, surfaces.semi, touch.corner
    u = transpose_on(turn, t)
    inverse = (1.0 / semi[a, 0] ** 2, 1.0 / semi[a, 1] ** 2, 1.0 / semi[a, 2] ** 2)
    h = math.sqrt(total(each_over(each(u, u), inverse)))
    if surfaces.is_hyper[a]:
        # at edges it counts as the ellipsoid of its shape that reaches as deep
        reach = dot(u, rounded(semi, surfaces.power, a, u))
        scale = (h / reach) ** 2
        h, inverse = reach, scaled(scale, inverse)
    sink = dot(t, way) / h
    k = math.sqrt(max(1.0 - sink * sink, 1e-12))
    # the section's centre from the surface's
    f = -sink / h
    q = mat_on(turn, each_over(scaled(f, u), inverse))
    # two directions in the plane, and the surface's matrix along them
    e = scaled(1.0 / length(edges[0]), edges[0])
    g = cross(t, e)
    own_e, own_g = transpose_on(turn, e), transpose_on(turn, g)
    l11 = math.sqrt(dot(each(own_e, own_e), inverse))
    l21 = dot(each(own_e, own_g), inverse) / l11
    l22 = math.sqrt(dot(each(own_g, own_g), inverse) - l21 * l21)
    # the corners as seen from the section's centre, where the section is a unit disk
    first = scaled(-1.0, plus(way, 1.0, q))
    for n in range(4):
        # round: none, first, both, second edge
        one, two = (1.0 if n in (1, 2) else 0.0), (1.0 if n >= 2 else 0.0)
        c = plus(plus(first, one, edges[0]), two, edges[1])
        corner[n, 0], corner[n, 1] = (l11 * dot(e, c) + l21 * dot(g, c)) / k, l22 * dot(g, c) / k
    over, nothing = touch.overlap, (0.0, 0.0, 0.0)
    disk_in_quadrangle(corner, over)
    if over[3] <= -1.0:
        return 1.0, nothing
    if over[3] >= 1.0 or not over[0] > 0.0:
        least = min(semi[a, 0], semi[a, 1], semi[a, 2])
        return -max(over[3] - 1.0, 1e-9) * k * least, nothing
    z2 = k * over[2] / l22
    z1 = (k * over[1] - l21 * z2) / l11
    return over[4], plus(scaled(z1, e), z2, g)
