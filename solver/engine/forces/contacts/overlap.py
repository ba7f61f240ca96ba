"""The part of a unit disk that lies inside a quadrangle: area and centroid, exact."""

from __future__ import annotations

import math

from solver.engine.dynamics.tree import Array
from solver.engine.jit.kernels import inlined, kernel

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
