"""What the edges of a plane leave of a contact (section 7.1)."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array, Motion
from solver.engine.forces.contacts.arrays import DEPTH, GLANCE, RATE, Touch, glance
from solver.engine.forces.contacts.hyper import rounded
from solver.engine.forces.points import arm_of, speed_at, spin_of
from solver.engine.forces.surfaces import Planes, Surfaces
from solver.engine.jit.kernels import inlined, inner, kernel
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

# The part of a unit disk that lies inside a quadrangle: area and centroid, exact.

NARROW = 0.1
"""Half angle of a cap below which its area and moment come from series, where differences lose digits."""

SAME = 1e-14
"""Distance below which two points of the rim are one."""


@inlined
def _cap(half: float) -> tuple[float, float]:
    """A cap's area, and its moment about the middle of its chord, by half its angle."""
    if half > NARROW:
        s, c = math.sin(half), math.cos(half)
        area = half - s * c
        return area, 2.0 / 3.0 * s * s * s - c * area
    x = half * half
    area = 2 / 3 - x * (2 / 15 - x * (4 / 315 - x * (2 / 2835 - x * (4 / 155925))))
    moment = 2 / 15 - x * (11 / 315 - x * (17 / 3780 - x * (461 / 1247400 - x * 8303 / 389188800)))
    return half * x * area, half * x * x * moment


@kernel
def disk_in_quadrangle(corner: Array, out: Array) -> None:
    """Give area, centroid, how far the centre lies outside, and how far inside the rim the centroid.

    Corners (4, 2) go round. The overlap is a polygon of what lies inside of the edges, and a cap
    wherever one of them has left the disk; all is counted from a point of its own, so that a sliver
    has as many digits as a half. The fourth figure is the largest distance of the centre beyond an
    edge, below zero inside: from 1 on nothing overlaps, up to -1 all of it does.
    """
    whole = 0.0
    for n in range(4):
        m = (n + 1) % 4
        whole += corner[n, 0] * corner[m, 1] - corner[n, 1] * corner[m, 0]
    turn = 1.0 if whole >= 0.0 else -1.0
    beyond = -1e300
    area = mx = my = 0.0
    edges, has_left = 0, False
    rx = ry = lx = ly = 0.0
    for n in range(5):
        # counterclockwise, and back to the first point at the end
        px, py, qx, qy, leaves = rx, ry, rx, ry, False
        if n < 4:
            a, b = (n, (n + 1) % 4) if turn > 0.0 else ((4 - n) % 4, 3 - n)
            ax, ay = corner[a, 0], corner[a, 1]
            dx, dy = corner[b, 0] - ax, corner[b, 1] - ay
            length = math.sqrt(dx * dx + dy * dy)
            off = -(ax * dy - ay * dx) / length
            beyond = max(beyond, off)
            if not abs(off) < 1.0:
                continue
            # where the edge cuts the circle: half a chord about the foot of the centre
            chord = math.sqrt((1.0 - off) * (1.0 + off)) / length
            foot = -(ax * dx + ay * dy) / (length * length)
            s0, s1 = max(foot - chord, 0.0), min(foot + chord, 1.0)
            if not s1 > s0:
                continue
            px, py, qx, qy = ax + s0 * dx, ay + s0 * dy, ax + s1 * dx, ay + s1 * dy
            leaves = s1 < 1.0
            if edges == 0:
                rx, ry = px, py
        if edges > 0 and has_left:
            # from the last point on the rim on to the next: a chord and a cap
            ux, uy = px - lx, py - ly
            gap = math.sqrt(ux * ux + uy * uy)
            if gap > SAME or (gap > 0.0 and edges == 1 and n == 4):
                half = math.asin(min(0.5 * gap, 1.0))
                if lx * py - ly * px < 0.0:
                    half = math.pi - half
                part, moment = _cap(half)
                mx += part * (0.5 * (lx + px) - rx) + moment * uy / gap
                my += part * (0.5 * (ly + py) - ry) - moment * ux / gap
                area += part
        if edges > 0:
            part = 0.5 * ((lx - rx) * (py - ry) - (ly - ry) * (px - rx))
            area += part
            mx, my = mx + part * (lx + px - 2.0 * rx) / 3.0, my + part * (ly + py - 2.0 * ry) / 3.0
        if n < 4:
            # the edge itself
            part = 0.5 * ((px - rx) * (qy - ry) - (py - ry) * (qx - rx))
            area += part
            mx, my = mx + part * (px + qx - 2.0 * rx) / 3.0, my + part * (py + qy - 2.0 * ry) / 3.0
            lx, ly, has_left = qx, qy, leaves
            edges += 1
    out[0], out[3] = area, beyond
    out[1] = out[2] = 0.0
    out[4] = 1.0
    if beyond <= -1.0:
        out[0] = math.pi
    elif not area > 0.0:
        out[0] = out[4] = 0.0
    else:
        dx, dy = mx / area, my / area
        out[1], out[2] = rx + dx, ry + dy
        out[4] = (1.0 - rx * rx - ry * ry) - 2.0 * (rx * dx + ry * dy) - (dx * dx + dy * dy)


FADE, SHARP, NO_EDGES, BELOW = range(4)
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
def fade(
    surfaces: Surfaces, planes: Planes, motion: Motion, a: int, b: int, below: bool, touch: Touch
) -> Three:
    """Let the depth fade as a surface comes over the edge; give the shift of the point.

    Depth is multiplied by how far the centroid of the overlap of section and parallelogram lies inside
    the section's rim: 1 less the square of its distance from the section's centre, in parts of the way
    to the rim. For a shallow section that is the surface's depth below that point, in parts of the
    whole. It begins at zero, and grows as the way over the edge does, however deep the body is.
    `below` the centroid it is the surface's depth itself, along the plane's normal, as in the later program; so it is less
    than that of the deepest point also far from all edges.
    """
    found, now = touch.found, planes.now
    i, j, centre = surfaces.body[a], planes.body[b], read(surfaces.centre[a], 0)
    if not below and inside_edges(planes, motion, b, centre) >= surfaces.reach[a]:
        return 0.0, 0.0, 0.0
    normal, way = read(now[b], 3), plus(centre, -1.0, read(now[b], 0))
    edges = arm_of(motion, j, planes.edges, 2 * b), arm_of(motion, j, planes.edges, 2 * b + 1)
    part, shift = _part(surfaces, a, normal, way, edges, below, touch)
    if part == 1.0:
        return shift
    depth = found[DEPTH]
    if part > 0.0:
        # the rate of the part, from a glance ahead as seen from the plane
        v = speed_at(motion, i, j, centre)
        glance(touch.turn_a, plus(spin_of(motion, i), -1.0, spin_of(motion, j)))
        ahead, _ = _part(surfaces, a, normal, plus(way, GLANCE, v), edges, below, touch)
        fades = depth * (ahead - part) / GLANCE
        # where the section vanishes behind the plane the part jumps, which is no rate
        found[RATE] = part * found[RATE] + (fades if abs(fades) < JUMP else 0.0)
    found[DEPTH] = part * depth if part > 0.0 else part
    return shift


@inner
def _part(
    surfaces: Surfaces, a: int, t: Three, way: Three, edges: tuple[Three, Three], below: bool, touch: Touch
) -> tuple[float, Three]:  # fmt: skip
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
        return _depth_below(turn, u, inverse, q, h - dot(t, way)) if below else 1.0, nothing
    if over[3] >= 1.0 or not over[0] > 0.0:
        least = min(semi[a, 0], semi[a, 1], semi[a, 2])
        return -max(over[3] - 1.0, 1e-9) * k * least, nothing
    z2 = k * over[2] / l22
    z1 = (k * over[1] - l21 * z2) / l11
    shift = plus(scaled(z1, e), z2, g)
    if below:
        return _depth_below(turn, u, inverse, plus(q, 1.0, shift), h - dot(t, way)), shift
    return over[4], shift


@inlined
def _depth_below(turn: Array, u: Three, inverse: Three, at: Three, deepest: float) -> float:
    """How far a surface lies behind a point of the plane along its normal u (own axes), in parts of the deepest."""
    own = transpose_on(turn, at)
    tt, tq, qq = dot(each(u, u), inverse), dot(each(u, own), inverse), dot(each(own, own), inverse)
    return float((tq + math.sqrt(max(tq * tq - tt * (qq - 1.0), 0.0))) / (tt * deepest))
