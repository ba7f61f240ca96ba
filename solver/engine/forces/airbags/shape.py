"""Shape of an airbag and of what presses into it, bodies and planes (sections 7.4.1 to 7.4.4).

An ellipsoid is given by `Q = R diag(semi^2) R^T` as (xx, yy, zz, xy, xz, yz); its support is
`h(t) = sqrt(t . Q t)`. A is the bag, B what touches it, `m` runs from A's centre to B's, and the
normal `t` points out of A into B.

The bag's ellipsoid is cut off flat. At a depth d below the deepest point the section is an ellipse that is known exactly,
and so are its area, the volume of the cap and the centroid: the volume grows with the depth by just the area, so that the
bag works as much as its gas gives. An ellipsoid so large and flat that its curvature is none does the same to a round bag.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Array
from solver.engine.forces.contacts.edges import disk_in_quadrangle
from solver.engine.forces.contacts.ellipsoids import (
    OUTWARD,
    Deepest,
    across,
    common_scale,
    deepest_points,
    points_along,
    radii,
)
from solver.engine.jit.kernels import inlined, kernel
from solver.engine.maths.spatial import (
    Symmetric,
    Three,
    added,
    cross,
    dot,
    length,
    less,
    plus,
    read,
    read_symmetric,
    scaled,
    sym_mixed,
    sym_on,
    sym_solved,
    turned_diagonal,
    write,
    write_symmetric,
)

# Shape of an airbag and of what presses into it (sections 7.4.1 to 7.4.4).

DISPLACED_FREELY = 0.8
"""Part of the full volume up to which bodies displace it one to one."""

STEEP = 0.03
"""Part of both radii of curvature below which a side is about to end, and is left for another one;
twice as much is asked of that, and until there is as much again no side is looked for.

The normal turns by the inverse of what is left, and where nothing is left the side ends: the shallower, the longer
one may follow it, the steeper. (*Assumed*.)
"""

OVER = 0.2 * STEEP
"""Part of them below which a side for which there was no other is over: it is kept as it is. (*Assumed*.)"""

ALIKE = 0.999
"""Cosine from which two normals are of one side."""

REGION = 10
"""Length of a row that describes a displaced region: centre, Q, volume."""


class Contact(NamedTuple):
    """What one body does to the bag; points from A's centre.

    `area` is the printed one (pi alpha1 alpha2), `swept` the volume per depth; `along` is the
    first of the two directions across the normal, `alpha` the half widths along both.
    """

    depth: float
    normal: Three
    on_a: Three
    on_b: Three
    volume: float
    area: float
    swept: float
    along: Three
    alpha: tuple[float, float]


# --- volume and area of a contact ---------------------------------------------------------------


@kernel
def curvature_planes(
    a: Symmetric, b: Symmetric, t: Three
) -> tuple[Three, float, float, float, float]:
    """A direction across the normal, and radii of curvature of A and B along and across it.

    The seed takes any two orthogonal planes through the line of deepest points. Here they lie in
    the principal directions of the two surfaces' curvatures added, those of the ellipse in which
    they first touch: the result depends on nothing but the shapes.
    """
    e, g = across(t)
    a0, a1, a2 = radii(a, t, e, g)
    b0, b1, b2 = radii(b, t, e, g)
    # curvatures are the inverse tensors of the radii
    p = 1.0 / max(a0 * a1 - a2 * a2, 1e-300)
    q = 1.0 / max(b0 * b1 - b2 * b2, 1e-300)
    half, off = 0.5 * (p * (a1 - a0) + q * (b1 - b0)), -p * a2 - q * b2
    spread = math.sqrt(half * half + off * off)
    c, s = 1.0, 0.0
    if spread > 0.0 and half >= 0.0:
        c = math.sqrt(0.5 + 0.5 * half / spread)
        s = 0.5 * off / (spread * c)
    elif spread > 0.0:
        # so that no digits are lost where the first direction is nearly across
        s = math.copysign(math.sqrt(0.5 - 0.5 * half / spread), off)
        c = 0.5 * abs(off) / (spread * abs(s))
    ra = 1.0 / (p * _along(a1, a0, -a2, c, s))
    rg = 1.0 / (p * _along(a0, a1, a2, c, s))
    rb = 1.0 / (q * _along(b1, b0, -b2, c, s))
    rd = 1.0 / (q * _along(b0, b1, b2, c, s))
    return plus(scaled(c, e), s, g), ra, rb, rg, rd


@inlined
def _along(xx: float, yy: float, xy: float, c: float, s: float) -> float:
    """The value of a symmetric form of two along the unit vector (c, s)."""
    return xx * c * c + yy * s * s + 2.0 * xy * c * s


@kernel
def segment_area(f: float) -> float:
    """Give `f - sin f cos f`, the segment of a unit circle, without loss near zero."""
    x = 2.0 * f
    if x > 0.6:
        return f - 0.5 * math.sin(x)
    y = x * x
    p = 1.0 - y / 110.0 * (1.0 - y / 156.0 * (1.0 - y / 210.0))
    return x * y / 12.0 * (1.0 - y / 20.0 * (1.0 - y / 42.0 * (1.0 - y / 72.0 * p)))


@kernel
def revolved(ra: float, rb: float, p: float) -> Three:
    """Give volume displaced, half width alpha, and volume per depth, for circles in one plane.

    Case I (bag's radius the larger, 7.24 to 7.29): the bag yields to the body and bulges around
    it in a ring, its outline as long as before. Case II (7.30 to 7.33): the lens of two spheres.
    Deeper than the bag's radius, the depth stands in for that radius.
    """
    if p <= 0.0:
        return 0.0, 0.0, 0.0
    deep = p > ra
    ra = max(ra, p)
    s = ra + rb
    if ra < rb:
        # heights of both caps
        x, y = 0.5 * p * (2.0 * rb - p) / (s - p), 0.5 * p * (2.0 * ra - p) / (s - p)
        volume = math.pi / 3.0 * (x * x * (3.0 * ra - x) + y * y * (3.0 * rb - y))
        square = x * (2.0 * ra - x)
        # with its radius grows the cap of the bag, else the disc moves
        swept = math.pi * (2.0 * ra * x if deep else square)
        return volume, math.sqrt(square), swept
    q = p / s
    sine, cosine = math.sqrt(q * (2.0 - q)), 1.0 - q
    f = math.atan2(sine, cosine)
    g = segment_area(f)
    r = 0.5 * (ra - rb)
    cubes = ra * ra * ra + rb * rb * rb
    alpha = 0.5 * s * sine
    volume = math.pi * (cubes * q * q * (1.0 - q / 3.0) - 2.0 * alpha * r * r * g)
    widening = g * cosine / sine + 2.0 * sine * sine
    rate = cosine / s if deep else 1.0 / s
    swept = math.pi * rate * (cubes * q * (2.0 - q) - s * r * r * widening)
    if deep:
        swept += math.pi * (3.0 * ra * ra * q * q * (1.0 - q / 3.0) - sine * r * g * (r + s))
    return volume, alpha, swept


@kernel
def bag_contact(a: Symmetric, b: Symmetric, m: Three, start: Three) -> Contact:
    """What a body does to the bag: deepest points, volume displaced, area pressed on.

    As printed: the mean of the volumes of both planes, the area of the ellipse of both half
    widths. `start` is the last normal, or zero for a pair not seen before.
    """
    return _contact_of(a, b, deepest_points(a, b, m, start, OUTWARD))


@kernel
def contact_by(a: Symmetric, b: Symmetric, m: Three, side: Three) -> Contact:
    """What a body does to the bag by a side that is kept, whether it is the least deep one or not.

    The normal turns with the bag, and depth is what B reaches in against it: its rate is the speed at B's
    deepest point along the normal, as force and power need it.
    """
    return _contact_of(a, b, points_along(a, b, m, side, OUTWARD, 0))


@inlined
def _contact_of(a: Symmetric, b: Symmetric, d: Deepest) -> Contact:
    """Give volume and area of a pair of deepest points."""
    along, ra, rb, rg, rd = curvature_planes(a, b, d.normal)
    v1, w1, s1 = revolved(ra, rb, d.depth)
    v2, w2, s2 = revolved(rg, rd, d.depth)
    return Contact(
        d.depth, d.normal, d.on_a, d.on_b,
        0.5 * (v1 + v2), math.pi * w1 * w2, 0.5 * (s1 + s2), along, (w1, w2),
    )  # fmt: skip


@kernel
def steepness(a: Symmetric, b: Symmetric, t: Three, depth: float) -> float:
    """What is left of both radii of curvature, of the lesser kind, in parts of their mean: 1 where two first touch.

    The depth `h_A + h_B - t . m` has a hollow at the normal as long as both principal values of
    `r_A + r_B - depth` are above zero. Where one comes to zero the hollow ends: the side by which a body
    came into the bag is no way out any more.
    """
    e, g = across(t)
    a0, a1, a2 = radii(a, t, e, g)
    b0, b1, b2 = radii(b, t, e, g)
    mean, half, off = 0.5 * (a0 + b0 + a1 + b1), 0.5 * (a0 + b0 - a1 - b1), a2 + b2
    return (mean - math.sqrt(half * half + off * off) - depth) / mean


@kernel
def other_side(
    a: Symmetric, b: Symmetric, turn_a: Array, turn_b: Array, m: Three, side: Three
) -> Three:
    """The normal of the least deep of all other sides that are not about to end; the same normal where there is none.

    It is looked for from normals of the pose alone, as for contacts (`contacts/concave.py`).
    """
    least, out = math.inf, side
    for start in range(7):
        if start == 0:
            n, _ = common_scale(a, b, m, 0.0)
            n = scaled(1.0 / max(length(n), 1e-300), n)
        else:
            turn, c = turn_a if start < 4 else turn_b, (start - 1) % 3
            n = (turn[c], turn[3 + c], turn[6 + c])
        n = scaled(math.copysign(1.0, dot(n, m)), n)
        found = deepest_points(a, b, m, n, OUTWARD)
        is_other = found.depth < least and dot(found.normal, side) < ALIKE
        if is_other and steepness(a, b, found.normal, found.depth) > 2.0 * STEEP:
            least, out = found.depth, found.normal
    return out


# --- several bodies at once ---------------------------------------------------------------------


@kernel
def put_region(c: Contact, regions: Array, k: int) -> None:
    """Keep what a contact displaces: an ellipsoid of its volume between the deepest points."""
    x, y = c.along, c.normal
    p = 0.5 * c.depth
    w1, w2 = c.alpha
    if c.depth <= 0.0:
        for i in range(REGION):
            regions[k, i] = 0.0
        return
    ratio = c.volume / (4.0 / 3.0 * math.pi * p * w1 * w2)
    grow = ratio ** (2.0 / 3.0)
    p, w1, w2 = grow * p * p, grow * w1 * w1, grow * w2 * w2
    z = cross(y, x)
    frame = (y[0], x[0], z[0], y[1], x[1], z[1], y[2], x[2], z[2])
    write(regions[k], 0, scaled(0.5, added(c.on_a, c.on_b)))
    write_symmetric(regions[k], 3, turned_diagonal(frame, (p, w1, w2)))
    regions[k, 9] = c.volume


@kernel
def shared_part(a: Symmetric, b: Symmetric, m: Three) -> float:
    """The part of the smaller of two ellipsoids that lies in the larger, nearly.

    Exact for spheres and all that stretches out of them together: by the contact function of
    Perram and Wertheim they are spheres of radii k and 1 - k, sqrt(F) apart. What two shapes
    that cross can share is bounded by the ellipsoid `2 (A^-1 + B^-1)^-1`.
    """
    # the contact function is the largest value of what follows, so that half-way through may say enough
    way, _ = sym_solved(sym_mixed(0.5, a, 0.5, b), m)
    if 0.25 * dot(way, m) >= 1.0:
        return 0.0
    way, u = common_scale(a, b, m, 0.0)
    k = 1.0 / (1.0 + math.exp(-u))
    contact = k * (1.0 - k) * dot(way, m)
    if contact >= 1.0:
        return 0.0
    (_, da), (_, db), (_, both) = (
        sym_solved(a, m),
        sym_solved(b, m),
        sym_solved(sym_mixed(1.0, a, 1.0, b), m),
    )
    crossing = min(1.0, math.sqrt(8.0 * max(da, db) / both))
    far, near = max(k, 1.0 - k), min(k, 1.0 - k)
    apart = math.sqrt(contact)
    # no number where the centres are one
    if not apart > far - near:
        return crossing
    depth = 1.0 - apart
    x, y = 0.5 * depth * (2.0 * near - depth) / apart, 0.5 * depth * (2.0 * far - depth) / apart
    lens = 0.25 * (x * x * (3.0 * far - x) + y * y * (3.0 * near - y))
    return crossing * min(lens / (near * near * near), 1.0)


@kernel
def shared_volume(regions: Array, i: int, j: int) -> float:
    """The volume that two regions displace both, at most the smaller of them."""
    r = regions
    small = min(r[i, 9], r[j, 9])
    m = less(read(r[j], 0), read(r[i], 0))
    reach = math.sqrt(r[i, 3] + r[i, 4] + r[i, 5]) + math.sqrt(r[j, 3] + r[j, 4] + r[j, 5])
    if small <= 0.0 or dot(m, m) >= reach * reach:
        return 0.0
    a, b = read_symmetric(r[i], 3), read_symmetric(r[j], 3)
    return float(small * shared_part(a, b, m))


@kernel
def limited(part: float) -> float:
    """Bend a part of the bag's volume so that it never reaches the whole."""
    if part <= DISPLACED_FREELY:
        return part
    return 1.0 - (1.0 - DISPLACED_FREELY) * math.exp(
        (DISPLACED_FREELY - part) / (1.0 - DISPLACED_FREELY)
    )


@kernel
def displaced_volume(regions: Array, n: int, full: float, best: Array) -> float:
    """The volume that n regions take from the bag together; `best` is room for n numbers.

    Their sum less what neighbours share along the tree that shares most (Hunter's bound): exact
    for two and for chains, never less than the largest region, nor more than the bag.
    """
    if n == 0:
        return 0.0
    total = regions[0, 9]
    best[0] = -1.0
    for j in range(1, n):
        best[j] = shared_volume(regions, 0, j)
    for _ in range(n - 1):
        k = -1
        for j in range(n):
            if best[j] >= 0.0 and (k < 0 or best[j] > best[k]):
                k = j
        total += regions[k, 9] - best[k]
        best[k] = -1.0
        for j in range(n):
            if best[j] >= 0.0:
                best[j] = max(best[j], shared_volume(regions, k, j))
    return full * limited(total / full)


# --- the bag itself -----------------------------------------------------------------------------


@kernel
def bag_volume(a: float, b: float, c: float) -> float:
    """The geometric volume of semi-axes."""
    return 4.0 / 3.0 * math.pi * a * b * c


@kernel
def solid_inertia(a: float, b: float, c: float) -> Three:
    """The principal moments per unit mass as printed, those of a solid ellipsoid."""
    return 0.2 * (b * b + c * c), 0.2 * (a * a + c * c), 0.2 * (a * a + b * b)


@kernel
def shell_inertia(a: float, b: float, c: float) -> tuple[float, float, float, float]:
    """The principal moments per unit mass of a thin even shell, and its surface.

    With `dS = abc sqrt(q(u)) dO` and `q = sum (u_i / a_i)^2`, the moments of sqrt(q) over the
    sphere become single integrals over t of `t^-1/2 prod (1 + t / a_i^2)^-1/2 ...`, summed
    over even steps of log t, which for such functions is exact to rounding.
    """
    p, q, r = 1.0 / (a * a), 1.0 / (b * b), 1.0 / (c * c)
    low, high = -math.log(max(p, q, r)) - 72.0, -math.log(min(p, q, r)) + 36.0
    n = int((high - low) / 0.25) + 1
    m0 = m1 = m2 = 0.0
    for i in range(n):
        t = math.exp(low + 0.25 * i)
        x, y, z = 1.0 / (1.0 + p * t), 1.0 / (1.0 + q * t), 1.0 / (1.0 + r * t)
        w = math.sqrt(t * x * y * z)
        s = 0.5 * (p * x + q * y + r * z)
        m0 += w * x * (s + p * x)
        m1 += w * y * (s + q * y)
        m2 += w * z * (s + r * z)
    total = m0 + m1 + m2
    m0, m1, m2 = a * a * m0 / total, b * b * m1 / total, c * c * m2 / total
    return m1 + m2, m0 + m2, m0 + m1, 0.5 * math.pi * 0.25 * total * a * b * c


# An airbag on a plane: the cap of the bag that lies behind it, as far as the plane goes.

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
