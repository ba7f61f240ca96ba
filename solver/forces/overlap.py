"""The part of a unit disk that lies inside a quadrangle: area and centroid, exact."""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.maths.kernels import inlined, kernel


@inlined
def _sector(ax: float, ay: float, bx: float, by: float) -> tuple[float, float, float]:
    """Give area and first moments of the sector from one direction to another."""
    angle = math.atan2(ax * by - ay * bx, ax * bx + ay * by)
    p, q = math.sqrt(ax * ax + ay * ay), math.sqrt(bx * bx + by * by)
    x0, y0, x1, y1 = ax / p, ay / p, bx / q, by / q
    return 0.5 * angle, (y1 - y0) / 3.0, (x0 - x1) / 3.0


@kernel
def disk_in_quadrangle(corner: Array, out: Array) -> None:
    """Give area, centroid, and how far the centre lies outside; corners (4, 2) go round.

    The boundary is walked edge by edge: what lies in the disk counts as triangles about its centre,
    what lies outside as sectors (Green's theorem). The fourth figure is the largest distance of the
    centre beyond an edge, below zero inside: from 1 on nothing overlaps, up to -1 all of it does.
    """
    area = mx = my = whole = 0.0
    for n in range(4):
        m = (n + 1) % 4
        whole += corner[n, 0] * corner[m, 1] - corner[n, 1] * corner[m, 0]
    turn = 1.0 if whole >= 0.0 else -1.0
    beyond = -1e300
    for n in range(4):
        m = (n + 1) % 4
        ax, ay, bx, by = corner[n, 0], corner[n, 1], corner[m, 0], corner[m, 1]
        dx, dy = bx - ax, by - ay
        length = math.sqrt(dx * dx + dy * dy)
        beyond = max(beyond, -turn * (ax * by - ay * bx) / length)
        # where the edge cuts the circle: |a + s d|^2 = 1
        half, rest = (ax * dx + ay * dy) / (length * length), (ax * ax + ay * ay - 1.0)
        root = half * half - rest / (length * length)
        s0, s1 = 1.0, 1.0
        if root > 0.0:
            root = math.sqrt(root)
            s0, s1 = min(max(-half - root, 0.0), 1.0), min(max(-half + root, 0.0), 1.0)
        px, py, qx, qy = ax + s0 * dx, ay + s0 * dy, ax + s1 * dx, ay + s1 * dy
        if s0 > 0.0 or s1 <= s0:
            a, x, y = _sector(ax, ay, px, py)
            area, mx, my = area + a, mx + x, my + y
        if s1 > s0:
            a = 0.5 * (px * qy - py * qx)
            area, mx, my = area + a, mx + a * (px + qx) / 3.0, my + a * (py + qy) / 3.0
        if s1 < 1.0:
            a, x, y = _sector(qx, qy, bx, by)
            area, mx, my = area + a, mx + x, my + y
    out[0] = abs(area)
    out[1], out[2] = (mx / area, my / area) if abs(area) > 1e-14 else (0.0, 0.0)
    out[3] = beyond
