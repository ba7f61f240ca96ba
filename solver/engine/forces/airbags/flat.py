"""An airbag on a plane: the cap of the bag that lies behind it, as far as the plane goes.

The bag's ellipsoid is cut off flat. At a depth d below the deepest point the section is an ellipse that is known exactly,
and so are its area, the volume of the cap and the centroid: the volume grows with the depth by just the area, so that the
bag works as much as its gas gives. An ellipsoid so large and flat that its curvature is none does the same to a round bag.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array
from solver.engine.forces.airbags.shape import Contact
from solver.engine.forces.contacts.ellipsoids import radii
from solver.engine.forces.contacts.overlap import disk_in_quadrangle
from solver.engine.jit.kernels import kernel
from solver.engine.maths.spatial import Symmetric, Three, cross, dot, length, plus, scaled, sym_on

GAUSS_NODES = (
    (0.046910077030668, 0.118463442528095),
    (0.230765344947158, 0.239314335249683),
    (0.5, 0.284444444444444),
    (0.769234655052842, 0.239314335249683),
    (0.953089922969332, 0.118463442528095),
)
"""Places and weights of Gauss and Legendre, between 0 and 1."""


class Across(NamedTuple):
    """Two directions in a plane, and what a bag's shape is there: `radii` of both, and of their product."""

    e: Three
    g: Three
    ee: float
    gg: float
    eg: float


@kernel
def flat_contact(
    a: Symmetric, m: Three, normal: Three, one: Three, two: Three, ends: bool, corner: Array, overlap: Array
) -> Contact:  # fmt: skip
    """What a plane does to a bag; `m` runs from the bag's centre to the plane's first corner, `normal` is its front.

    Beyond the bag's middle the area stays that of the largest section. A bag that is wholly behind the plane, or
    beside its edges, does not touch it: its depth is then the distance, below zero.
    """
    t = scaled(-1.0, normal)
    u = sym_on(a, t)
    h = math.sqrt(dot(u, t))
    depth = h - dot(t, m)
    e = scaled(1.0 / length(one), one)
    g = cross(normal, e)
    ee, gg, eg = radii(a, t, e, g)
    on_a = scaled(1.0 / h, u)
    if depth <= 0.0 or depth >= 2.0 * h:
        gap = min(depth, 2.0 * h - depth)
        return Contact(gap, t, on_a, plus(on_a, -depth, t), 0.0, 0.0, 0.0, e, (0.0, 0.0))
    cut = min(depth, h)
    # the section, as far as it is whole: its half widths, and the first one's direction
    wide = cut * (2.0 * h - cut) / h
    mean, half, off = 0.5 * (ee + gg), 0.5 * (ee - gg), eg
    spread = math.sqrt(half * half + off * off)
    turned = 0.5 * math.atan2(off, half)
    along = plus(scaled(math.cos(turned), e), math.sin(turned), g)
    widths = math.sqrt(wide * (mean + spread)), math.sqrt(wide * (mean - spread))
    area = math.pi * widths[0] * widths[1]
    volume = math.pi * math.sqrt(ee * gg - eg * eg) * cut * cut * (1.0 - cut / (3.0 * h))
    volume += area * (depth - cut)
    middle = scaled((h - depth) / (h * h), u)
    if not ends:
        return Contact(depth, t, on_a, middle, volume, area, area, along, widths)
    across = Across(e, g, ee, gg, eg)
    area, beyond = _part(across, wide, plus(m, -1.0, middle), one, two, corner, overlap)
    if not area > 0.0:
        gap = -max(beyond - 1.0, 0.0) * widths[1]
        return Contact(gap, t, on_a, middle, 0.0, 0.0, 0.0, along, widths)
    r11 = math.sqrt(ee)
    x, y = r11 * overlap[1], eg / r11 * overlap[1] + math.sqrt(gg - eg * eg / ee) * overlap[2]
    x, y = math.sqrt(wide) * x, math.sqrt(wide) * y
    volume = area * (depth - cut)
    for node, weight in GAUSS_NODES:
        d = node * cut
        at = scaled((h - d) / (h * h), u)
        part, _ = _part(across, d * (2.0 * h - d) / h, plus(m, -1.0, at), one, two, corner, overlap)
        volume += weight * cut * part
    return Contact(
        depth, t, plus(plus(on_a, x, e), y, g), plus(plus(middle, x, e), y, g), volume, area, area,
        along, widths,
    )  # fmt: skip


@kernel
def _part(
    across: Across, wide: float, m: Three, one: Three, two: Three, corner: Array, overlap: Array
) -> tuple[float, float]:
    """The area of a section between a plane's edges, and how far its centre is beyond one; `m` runs from it to the corner."""
    e, g, ee, gg, eg = across
    k = 1.0 / math.sqrt(wide)
    l11 = math.sqrt(ee)
    l21, l22 = eg / l11, math.sqrt(gg - eg * eg / ee)
    for n in range(4):
        # round: none, first, both, second edge
        c = plus(plus(m, 1.0 if n in (1, 2) else 0.0, one), 1.0 if n >= 2 else 0.0, two)
        x, y = k * dot(e, c) / l11, k * dot(g, c)
        corner[n, 0], corner[n, 1] = x, (y - l21 * x) / l22
    disk_in_quadrangle(corner, overlap)
    return wide * l11 * l22 * overlap[0], overlap[3]
