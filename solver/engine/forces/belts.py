"""Simple belts: from one anchor over an ellipsoid to another, in a plane (section 7.3).

The plane goes through both anchors and a point fixed on the ellipsoid. On each side the belt runs
straight from its anchor to the point of tangency and along the ellipse to the fixed point; where the
fixed point does not lie beyond that tangent (configuration d of Figure 7.7), straight to it. The seed
lets both sides run straight as soon as one does, which would let the length jump.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import Applied, Array, IntArray, Motion
from solver.engine.forces.laws import Laws, law_event, next_mode, normal_force, what_happened
from solver.engine.forces.points import arm_of, point_of, push, speed_at
from solver.engine.forces.surfaces import Surfaces, turn_of
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import (
    Three,
    added,
    cross,
    dot,
    each,
    each_over,
    length,
    less,
    mat_on,
    over,
    plus,
    plus_cross,
    read3,
    scaled,
    total,
    transpose_on,
    write3,
)

ANCHOR_A, ANCHOR_B, FIXED, TANGENT_A, TANGENT_B, LENGTHS, SPEED_A, SPEED_B, RATES = range(9)
"""Rows of a path: anchors, fixed point and points of tangency, from the ellipsoid's centre in its own
axes; lengths of both sides; velocities of the anchors as seen from there; rates of both lengths."""


@struct
class Belts(NamedTuple):
    """Hold belts: anchors, surface, fixed point (surface's own axes), law and unstretched lengths.

    `one` says that webbing slides without friction, so that both sides are one. `mode` and `memory`
    have two rows for each belt; `seen` holds tensions, strains and lengths of both sides.
    """

    a: IntArray
    b: IntArray
    at_a: Array
    at_b: Array
    surface: IntArray
    fixed: Array
    one: IntArray
    law: IntArray
    rest: Array
    mode: IntArray
    memory: Array
    seen: Array
    path: Array
    turn: Array


@kernel
def arc(p: float, q: float, start: float, end: float) -> tuple[float, float, float]:
    """The length of the ellipse (p cos t, q sin t) between two values of t, and its parts.

    They are the integrals of `p^2 sin^2 t` and of `q^2 cos^2 t` over the speed: by how much the length
    grows with log p and with log q.
    """
    if p >= q:
        long, short, start, end = p, q, start - 0.5 * math.pi, end - 0.5 * math.pi
    else:
        long, short = q, p
    one, d_one = _second(start, long, short)
    two, d_two = _second(end, long, short)
    whole, part = long * (two - one), short * short / long * (d_two - d_one)
    return (whole, whole - part, part) if p >= q else (whole, part, whole - part)


@inner
def _second(t: float, long: float, short: float) -> tuple[float, float]:
    """Give Legendre's E(t | m) and D(t | m), m = 1 - (short / long)^2, by Carlson's forms.

    E and D are the integrals of `w` and of `sin^2 t / w`, w being the root of `1 - m sin^2 t` (Numer.
    Math. 33, 1979).
    """
    m = 1.0 - (short / long) ** 2
    n = math.floor(t / math.pi + 0.5)
    e, d = _quarter(t - n * math.pi, m)
    if n != 0.0:
        whole_e, whole_d = _quarter(0.5 * math.pi, m)
        e, d = e + 2.0 * n * whole_e, d + 2.0 * n * whole_d
    return e, d


@inner
def _quarter(t: float, m: float) -> tuple[float, float]:
    """Give E(t | m) and D(t | m) for t within a quarter turn."""
    s, c = math.sin(t), math.cos(t)
    x, y, z = c * c, 1.0 - m * s * s, 1.0
    total, factor = 0.0, 1.0
    # Carlson's R_F and R_D of the same arguments, doubled until they are almost equal
    for _ in range(60):
        a, b, d = math.sqrt(x), math.sqrt(y), math.sqrt(z)
        by = a * b + a * d + b * d
        total += factor / (d * (z + by))
        factor *= 0.25
        x, y, z = 0.25 * (x + by), 0.25 * (y + by), 0.25 * (z + by)
        mean = (x + y + 3.0 * z) / 5.0
        if max(abs(mean - x), abs(mean - y), abs(mean - z)) < 2e-3 * mean:
            break
    mean = (x + y + z) / 3.0
    u, v = (mean - x) / mean, (mean - y) / mean
    w = -u - v
    e2, e3 = u * v - w * w, u * v * w
    first = 1.0 - e2 / 10.0 + e3 / 14.0 + e2 * e2 / 24.0 - 3.0 * e2 * e3 / 44.0
    first /= math.sqrt(mean)
    mean = (x + y + 3.0 * z) / 5.0
    u, v = (mean - x) / mean, (mean - y) / mean
    w = -(u + v) / 3.0
    e2, e3, e4 = u * v - 6.0 * w * w, (3.0 * u * v - 8.0 * w * w) * w, 3.0 * (u * v - w * w) * w * w
    second = 1.0 - 3.0 * e2 / 14.0 + e3 / 6.0 + 9.0 * e2 * e2 / 88.0 - 3.0 * e4 / 22.0
    second += 3.0 * u * v * w**3 / 26.0 - 9.0 * e2 * e3 / 52.0
    second = 3.0 * total + factor * second / (mean * math.sqrt(mean))
    second *= s * s * s / 3.0
    return s * first - m * second, second


class Section(NamedTuple):
    """The ellipse in which a belt's plane cuts an ellipsoid: its centre and axes, half axes, and how they change.

    `centre_rate` are the rates of the centre along the axes, `grows` those of the half axes in parts of them, `shear` that of
    the angle between them. `fixed` is the fixed point's parameter on the ellipse.
    """

    centre: Three
    u: Three
    v: Three
    p: float
    q: float
    centre_rate: tuple[float, float]
    grows: tuple[float, float]
    shear: float
    fixed: float


@inlined
def _section(inverse: Three, fixed: Three, t: Three, turns: Three) -> tuple[bool, Section]:
    """Cut an ellipsoid of inverse squares by a plane through a point, with normal t that turns; say if there is an ellipse."""
    # its centre (7.11), and its rate with that of its scale
    away, spread = dot(t, fixed), total(each_over(each(t, t), inverse))
    centre = over(each_over(scaled(away, t), inverse), spread)
    scale = 1.0 - away * away / spread
    away_rate = dot(turns, fixed)
    spread_rate = 2.0 * total(each_over(each(t, turns), inverse))
    one, two = (away_rate - away * spread_rate / spread) / spread, away / spread
    scale_rate = (two * spread_rate - 2.0 * away_rate) * two
    moves = each_over(plus(scaled(one, t), two, turns), inverse)
    u = less(fixed, centre)
    size = length(u)
    if scale < 1e-12 or size < 1e-12:
        return False, Section(centre, t, t, 0.0, 0.0, (0.0, 0.0), (0.0, 0.0), 0.0, 0.0)
    u = over(u, size)
    v = cross(t, u)
    # a x^2 + 2 b x y + c y^2 = 1 (7.17), turned to its principal axes
    a = dot(each(u, u), inverse) / scale
    b = dot(each(u, v), inverse) / scale
    c = dot(each(v, v), inverse) / scale
    turn = 0.5 * math.atan2(2.0 * b, a - c)
    cosine, sine = math.cos(turn), math.sin(turn)
    u, v = plus(scaled(cosine, u), sine, v), plus(scaled(cosine, v), -sine, u)
    half, rest = 0.5 * (a + c), math.sqrt(0.25 * (a - c) ** 2 + b * b)
    p, q = 1.0 / math.sqrt(half + rest), 1.0 / math.sqrt(half - rest)
    # how the section grows and shears along its axes, while these turn with the plane
    u_turns, v_turns = -dot(u, turns), -dot(v, turns)
    tu, tv = dot(each(t, u), inverse), dot(each(t, v), inverse)
    grows = (
        (0.5 * scale_rate - p * p * u_turns * tu) / scale,
        (0.5 * scale_rate - q * q * v_turns * tv) / scale,
    )
    shear = -(u_turns * tv + v_turns * tu) / (scale * (1.0 / (p * p) + 1.0 / (q * q)))
    x = less(fixed, centre)
    at = math.atan2(dot(x, v) / q, dot(x, u) / p)
    return True, Section(centre, u, v, p, q, (dot(u, moves), dot(v, moves)), grows, shear, at)


@kernel
def belt_path(semi: Array, k: int, path: Array) -> None:
    """Lay a belt over ellipsoid k: tangents, lengths and their rates from anchors and fixed point."""
    fixed = read3(path, FIXED)
    for side in range(2):
        # straight to the fixed point, until more is known
        write3(path, TANGENT_A + side, fixed)
        way = less(fixed, read3(path, side))
        path[LENGTHS, side] = length(way)
        away = over(scaled(-1.0, way), max(path[LENGTHS, side], 1e-300))
        path[RATES, side] = dot(away, read3(path, SPEED_A + side))
    from_b, from_a = less(fixed, read3(path, ANCHOR_B)), less(fixed, read3(path, ANCHOR_A))
    normal = cross(from_b, from_a)
    size = length(normal)
    if size < 1e-12 * path[LENGTHS, 0] * path[LENGTHS, 1]:
        # anchors and fixed point on one line
        return
    normal = over(normal, size)
    # the rate at which the plane's normal turns
    turns = plus_cross(cross(from_a, read3(path, SPEED_B)), read3(path, SPEED_A), from_b)
    turns = over(turns, size)
    turns = plus(turns, -dot(turns, normal), normal)
    half = read3(semi, k)
    is_cut, section = _section(each_over((1.0, 1.0, 1.0), each(half, half)), fixed, normal, turns)
    if is_cut:
        _side(path, section, 0)
        _side(path, section, 1)


@inner
def _side(path: Array, section: Section, side: int) -> None:
    """Lay one side over the section, where it lies on it: its tangent, its length and the rate of that."""
    u, v, p, q, shear, fixed = (
        section.u, section.v, section.p, section.q, section.shear, section.fixed,
    )  # fmt: skip
    grow_p, grow_q = section.grows
    anchor = less(read3(path, side), section.centre)
    e, f = dot(anchor, u) / p, dot(anchor, v) / q
    px, py = p * e, q * f
    far = math.sqrt(e * e + f * f)
    if far <= 1.0:
        # the anchor lies inside: straight
        return
    # from A on in the sense of the plane, to B back against it
    sign = 1.0 if side == 0 else -1.0
    t = math.atan2(f, e) + sign * math.acos(1.0 / far)
    on = _over(sign * (fixed - t))
    if on <= 0.0:
        return
    e, f = p * math.cos(t), q * math.sin(t)
    tangent = plus(scaled(e, u), f, v)
    write3(path, TANGENT_A + side, added(section.centre, tangent))
    straight = length(less(anchor, tangent))
    start = fixed - on if side == 0 else fixed
    round_, on_p, on_q = arc(p, q, start, start + on)
    path[LENGTHS, side] = straight + round_
    # the rate: the anchor along the straight part, the section as it grows and shears, the fixed
    # point along the section; the point of tangency by itself changes nothing
    speed, cf, sf = read3(path, SPEED_A + side), math.cos(fixed), math.sin(fixed)
    du, dv = dot(u, speed) - section.centre_rate[0], dot(v, speed) - section.centre_rate[1]
    rate = (px - e) * (du - grow_p * e - shear * f) + (py - f) * (dv - shear * e - grow_q * f)
    rate = rate / max(straight, 1e-12) + grow_p * on_p + grow_q * on_q
    at_fixed = math.sqrt((p * sf) ** 2 + (q * cf) ** 2)
    at_tangent = math.sqrt((p * f / q) ** 2 + (q * e / p) ** 2)
    mixed = (sf * sf - (f / q) ** 2) / (at_fixed + at_tangent)
    rate -= 2.0 * sign * shear * p * q * mixed
    e, f = p * cf, q * sf
    du = -section.centre_rate[0] - grow_p * e - shear * f
    dv = -section.centre_rate[1] - shear * e - grow_q * f
    path[RATES, side] = rate + sign * (q * cf * dv - p * sf * du) / at_fixed


@inlined
def _over(angle: float) -> float:
    """Bring an angle to within half a turn: no side lies on more of the ellipse."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner
def _strains(belts: Belts, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find strains, their rates and the lengths of belt k, whose path is laid again."""
    seen, path, turn, rest, s = belts.seen, belts.path, belts.turn, belts.rest, belts.surface[k]
    m = surfaces.body[s]
    turn_of(motion, m, surfaces.R, s, turn)
    for side in range(2):
        i = belts.a[k] if side == 0 else belts.b[k]
        place, _ = point_of(
            motion, i, arm_of(motion, i, belts.at_a if side == 0 else belts.at_b, k)
        )
        # as seen from the surface
        speed = speed_at(motion, i, m, place)
        write3(path, side, transpose_on(turn, less(place, read3(surfaces.centre, s))))
        write3(path, SPEED_A + side, transpose_on(turn, speed))
    write3(path, FIXED, read3(belts.fixed, k))
    belt_path(surfaces.semi, s, path)
    one, two = path[LENGTHS, 0], path[LENGTHS, 1]
    seen[k, 4], seen[k, 5] = one, two
    if belts.one[k]:
        both = rest[k, 0] + rest[k, 1]
        seen[k, 2] = seen[k, 3] = (one + two) / both - 1.0
        seen[k, 6] = seen[k, 7] = (path[RATES, 0] + path[RATES, 1]) / both
    else:
        seen[k, 2], seen[k, 3] = one / rest[k, 0] - 1.0, two / rest[k, 1] - 1.0
        seen[k, 6], seen[k, 7] = path[RATES, 0] / rest[k, 0], path[RATES, 1] / rest[k, 1]


@separate
@kernel
def belt_forces(
    belts: Belts, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion, applied: Applied, g: Array
) -> tuple[float, float, float]:  # fmt: skip
    """Add the forces of all belts and give the functions of their events, two a belt.

    Returns the energy held, the power that webbing gives, and that of the fixed points: what is
    left of the power of the forces. They carry no load, but hold the planes, also while these tilt.
    """
    energy = power = of_planes = 0.0
    seen, path, turn = belts.seen, belts.path, belts.turn
    for k in range(len(belts.a)):
        _strains(belts, surfaces, motion, k)
        n, s = belts.law[k], belts.surface[k]
        m = surfaces.body[s]
        for side in range(2):
            row = 2 * k if belts.one[k] else 2 * k + side
            strain, rate, mode = seen[k, 2 + side], seen[k, 6 + side], belts.mode[row]
            pull, held = normal_force(laws, curves, n, belts.memory, row, mode, strain, rate)
            seen[k, side] = pull
            event = law_event(laws, n, belts.memory, row, mode, strain, rate)
            g[2 * k + side] = -1.0 if belts.one[k] and side == 1 else event
            energy += held * belts.rest[k, side]
            if pull <= 0.0:
                continue
            i = belts.a[k] if side == 0 else belts.b[k]
            arm = arm_of(motion, i, belts.at_a if side == 0 else belts.at_b, k)
            anchor, speed = point_of(motion, i, arm)
            tangent = added(read3(surfaces.centre, s), mat_on(turn, read3(path, TANGENT_A + side)))
            way = less(tangent, anchor)
            far = length(way)
            if far < 1e-12:
                continue
            load = over(scaled(pull, way), far)
            if m >= 0:
                tangent = less(tangent, read3(motion.p, m))
            given = -pull * rate * belts.rest[k, side]
            power += given
            of_planes += dot(load, less(speed, point_of(motion, m, tangent)[1])) - given
            push(applied.torque, applied.force, i, arm, load)
            push(applied.torque, applied.force, m, tangent, scaled(-1.0, load))
    return energy, power, of_planes


@separate
def switch_belt(
    belts: Belts, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion, event: int
) -> int:
    """Let the event of one side of a belt happen at the state just evaluated, and say what it was."""
    k, side = event // 2, event % 2
    _strains(belts, surfaces, motion, k)
    mode, strain, rate = belts.mode[event], belts.seen[k, 2 + side], belts.seen[k, 6 + side]
    after = next_mode(laws, curves, belts.law[k], belts.memory, event, mode, strain, rate)
    belts.mode[event] = after
    return what_happened(mode, after)
