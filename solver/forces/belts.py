"""Simple belts: from one anchor over an ellipsoid to another, in a plane (section 7.3).

The plane goes through both anchors and a point fixed on the ellipsoid. On each side the belt runs
straight from its anchor to the point of tangency and along the ellipse to the fixed point; where the
fixed point does not lie beyond that tangent (configuration d of Figure 7.7), straight to it. The seed
lets both sides run straight as soon as one does, which would let the length jump.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.laws import Laws, law_event, next_mode, normal_force, what_happened
from solver.forces.points import add_force, arm_of, place_and_velocity, speed_at
from solver.forces.surfaces import Surfaces, turn_of
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.curve import Curves
from solver.maths.kernels import inlined, inner, kernel
from solver.maths.vectors import along_axes, to_ground

A, B, FIXED, TANGENT_A, TANGENT_B, LENGTHS, SPEED_A, SPEED_B, RATES = range(9)
"""Rows of a path: anchors, fixed point and points of tangency, from the ellipsoid's centre in its own
axes; lengths of both sides; velocities of the anchors as seen from there; rates of both lengths."""


@bundle
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
    """Give the length of the ellipse (p cos t, q sin t) between two values of t, and its parts.

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


@kernel
def belt_path(semi: Array, k: int, path: Array) -> None:
    """Lay a belt over ellipsoid k: tangents, lengths and their rates from anchors and fixed point."""
    ax, ay, az = path[A, 0], path[A, 1], path[A, 2]
    bx, by, bz = path[B, 0], path[B, 1], path[B, 2]
    cx, cy, cz = path[FIXED, 0], path[FIXED, 1], path[FIXED, 2]
    for n in range(3):
        path[TANGENT_A, n] = path[TANGENT_B, n] = path[FIXED, n]
    path[LENGTHS, 0] = math.sqrt((cx - ax) ** 2 + (cy - ay) ** 2 + (cz - az) ** 2)
    path[LENGTHS, 1] = math.sqrt((cx - bx) ** 2 + (cy - by) ** 2 + (cz - bz) ** 2)
    for side in range(2):
        # straight to the fixed point, until more is known
        path[RATES, side] = 0.0
        for n in range(3):
            away = (path[side, n] - path[FIXED, n]) / max(path[LENGTHS, side], 1e-300)
            path[RATES, side] += away * path[SPEED_A + side, n]
    ux, uy, uz, vx, vy, vz = cx - bx, cy - by, cz - bz, cx - ax, cy - ay, cz - az
    tx, ty, tz = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
    size = math.sqrt(tx * tx + ty * ty + tz * tz)
    if size < 1e-12 * path[LENGTHS, 0] * path[LENGTHS, 1]:
        # anchors and fixed point on one line
        return
    tx, ty, tz = tx / size, ty / size, tz / size
    # the rate at which the plane's normal turns
    dx, dy, dz = path[SPEED_A, 0], path[SPEED_A, 1], path[SPEED_A, 2]
    gx, gy, gz = path[SPEED_B, 0], path[SPEED_B, 1], path[SPEED_B, 2]
    dtx = (gz * vy - gy * vz + dy * uz - dz * uy) / size
    dty = (gx * vz - gz * vx + dz * ux - dx * uz) / size
    dtz = (gy * vx - gx * vy + dx * uy - dy * ux) / size
    along = dtx * tx + dty * ty + dtz * tz
    dtx, dty, dtz = dtx - along * tx, dty - along * ty, dtz - along * tz
    # the section: its centre (7.11), and two directions in its plane
    ia, ib, ic = 1.0 / semi[k, 0] ** 2, 1.0 / semi[k, 1] ** 2, 1.0 / semi[k, 2] ** 2
    away, h2 = tx * cx + ty * cy + tz * cz, tx * tx / ia + ty * ty / ib + tz * tz / ic
    ox, oy, oz = away * tx / ia / h2, away * ty / ib / h2, away * tz / ic / h2
    scale = 1.0 - away * away / h2
    # the rates of its centre and of its scale
    d_away, d_h2 = (
        dtx * cx + dty * cy + dtz * cz,
        2.0 * (tx * dtx / ia + ty * dty / ib + tz * dtz / ic),
    )
    one, two = (d_away - away * d_h2 / h2) / h2, away / h2
    d_scale = (two * d_h2 - 2.0 * d_away) * two
    dox = (one * tx + two * dtx) / ia
    doy = (one * ty + two * dty) / ib
    doz = (one * tz + two * dtz) / ic
    ux, uy, uz = cx - ox, cy - oy, cz - oz
    size = math.sqrt(ux * ux + uy * uy + uz * uz)
    if scale < 1e-12 or size < 1e-12:
        return
    ux, uy, uz = ux / size, uy / size, uz / size
    vx, vy, vz = ty * uz - tz * uy, tz * ux - tx * uz, tx * uy - ty * ux
    # a x^2 + 2 b x y + c y^2 = 1 (7.17), turned to its principal axes
    a = (ux * ux * ia + uy * uy * ib + uz * uz * ic) / scale
    b = (ux * vx * ia + uy * vy * ib + uz * vz * ic) / scale
    c = (vx * vx * ia + vy * vy * ib + vz * vz * ic) / scale
    turn = 0.5 * math.atan2(2.0 * b, a - c)
    cosine, sine = math.cos(turn), math.sin(turn)
    ux, vx = cosine * ux + sine * vx, cosine * vx - sine * ux
    uy, vy = cosine * uy + sine * vy, cosine * vy - sine * uy
    uz, vz = cosine * uz + sine * vz, cosine * vz - sine * uz
    half, rest = 0.5 * (a + c), math.sqrt(0.25 * (a - c) ** 2 + b * b)
    p, q = 1.0 / math.sqrt(half + rest), 1.0 / math.sqrt(half - rest)
    # how the section grows and shears along its axes, while these turn with the plane
    du, dv = -(ux * dtx + uy * dty + uz * dtz), -(vx * dtx + vy * dty + vz * dtz)
    tu, tv = tx * ux * ia + ty * uy * ib + tz * uz * ic, tx * vx * ia + ty * vy * ib + tz * vz * ic
    grow_p, grow_q = (
        (0.5 * d_scale - p * p * du * tu) / scale,
        (0.5 * d_scale - q * q * dv * tv) / scale,
    )
    shear = -(du * tv + dv * tu) / (scale * (1.0 / (p * p) + 1.0 / (q * q)))
    dou, dov = ux * dox + uy * doy + uz * doz, vx * dox + vy * doy + vz * doz
    x, y, z = cx - ox, cy - oy, cz - oz
    fixed = math.atan2((x * vx + y * vy + z * vz) / q, (x * ux + y * uy + z * uz) / p)
    for side in range(2):
        x, y, z = path[side, 0] - ox, path[side, 1] - oy, path[side, 2] - oz
        e, f = (x * ux + y * uy + z * uz) / p, (x * vx + y * vy + z * vz) / q
        px, py = p * e, q * f
        far = math.sqrt(e * e + f * f)
        if far <= 1.0:
            # the anchor lies inside: straight
            continue
        # from A on in the sense of the plane, to B back against it
        sign = 1.0 if side == 0 else -1.0
        t = math.atan2(f, e) + sign * math.acos(1.0 / far)
        over = _over(sign * (fixed - t))
        if over <= 0.0:
            continue
        e, f = p * math.cos(t), q * math.sin(t)
        gx, gy, gz = e * ux + f * vx, e * uy + f * vy, e * uz + f * vz
        path[TANGENT_A + side, 0], path[TANGENT_A + side, 1] = ox + gx, oy + gy
        path[TANGENT_A + side, 2] = oz + gz
        straight = math.sqrt((x - gx) ** 2 + (y - gy) ** 2 + (z - gz) ** 2)
        start = fixed - over if side == 0 else fixed
        length, on_p, on_q = arc(p, q, start, start + over)
        path[LENGTHS, side] = straight + length
        # the rate: the anchor along the straight part, the section as it grows and shears, the fixed
        # point along the section; the point of tangency by itself changes nothing
        row, cf, sf = SPEED_A + side, math.cos(fixed), math.sin(fixed)
        du = ux * path[row, 0] + uy * path[row, 1] + uz * path[row, 2] - dou
        dv = vx * path[row, 0] + vy * path[row, 1] + vz * path[row, 2] - dov
        rate = (px - e) * (du - grow_p * e - shear * f) + (py - f) * (dv - shear * e - grow_q * f)
        rate = rate / max(straight, 1e-12) + grow_p * on_p + grow_q * on_q
        at_fixed = math.sqrt((p * sf) ** 2 + (q * cf) ** 2)
        at_tangent = math.sqrt((p * f / q) ** 2 + (q * e / p) ** 2)
        mixed = (sf * sf - (f / q) ** 2) / (at_fixed + at_tangent)
        rate -= 2.0 * sign * shear * p * q * mixed
        e, f = p * cf, q * sf
        du, dv = -dou - grow_p * e - shear * f, -dov - shear * e - grow_q * f
        path[RATES, side] = rate + sign * (q * cf * dv - p * sf * du) / at_fixed


@inlined
def _over(angle: float) -> float:
    """Bring an angle to within half a turn: no side lies on more of the ellipse."""
    return angle - 2.0 * math.pi * math.floor(angle / (2.0 * math.pi) + 0.5)


@inner
def _strains(belts: Belts, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find strains, their rates and the lengths of belt k, whose path is laid anew."""
    seen, path, turn, c, rest = belts.seen, belts.path, belts.turn, surfaces.centre, belts.rest
    s = belts.surface[k]
    m = surfaces.body[s]
    turn_of(motion, m, surfaces.R, s, turn)
    for side in range(2):
        i = belts.a[k] if side == 0 else belts.b[k]
        x, y, z = arm_of(motion, i, belts.at_a if side == 0 else belts.at_b, k)
        if i >= 0:
            x, y, z = x + motion.p[i, 0], y + motion.p[i, 1], z + motion.p[i, 2]
        # as seen from the surface
        vx, vy, vz = speed_at(motion, i, m, x, y, z)
        x, y, z = along_axes(turn, (x - c[s, 0], y - c[s, 1], z - c[s, 2]))
        path[side, 0], path[side, 1], path[side, 2] = x, y, z
        x, y, z = along_axes(turn, (vx, vy, vz))
        row = SPEED_A + side
        path[row, 0], path[row, 1], path[row, 2] = x, y, z
    for n in range(3):
        path[FIXED, n] = belts.fixed[k, n]
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


@alone
@kernel
def belt_forces(
    belts: Belts, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion, torque: Array,
    force: Array, g: Array, first: int, sums: Array,
) -> None:  # fmt: skip
    """Add the forces of all belts and give the functions of their events, two a belt.

    `sums` takes the energy held, the power that webbing gives, and that of the fixed points: what is
    left of the power of the forces. They carry no load, but hold the planes, also while these tilt.
    """
    sums[0] = sums[1] = sums[2] = 0.0
    seen, path, turn, c = belts.seen, belts.path, belts.turn, surfaces.centre
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
            g[first + 2 * k + side] = -1.0 if belts.one[k] and side == 1 else event
            sums[0] += held * belts.rest[k, side]
            if pull <= 0.0:
                continue
            i = belts.a[k] if side == 0 else belts.b[k]
            ax, ay, az = arm_of(motion, i, belts.at_a if side == 0 else belts.at_b, k)
            px, py, pz, ux, uy, uz = place_and_velocity(motion, i, ax, ay, az)
            row = TANGENT_A + side
            x, y, z = to_ground(turn, (path[row, 0], path[row, 1], path[row, 2]))
            x, y, z = c[s, 0] + x, c[s, 1] + y, c[s, 2] + z
            dx, dy, dz = x - px, y - py, z - pz
            length = math.sqrt(dx * dx + dy * dy + dz * dz)
            if length < 1e-12:
                continue
            dx, dy, dz = pull * dx / length, pull * dy / length, pull * dz / length
            if m >= 0:
                x, y, z = x - motion.p[m, 0], y - motion.p[m, 1], z - motion.p[m, 2]
            _, _, _, vx, vy, vz = place_and_velocity(motion, m, x, y, z)
            given = -pull * rate * belts.rest[k, side]
            sums[1] += given
            sums[2] += dx * (ux - vx) + dy * (uy - vy) + dz * (uz - vz) - given
            add_force(torque, force, i, ax, ay, az, dx, dy, dz)
            add_force(torque, force, m, x, y, z, -dx, -dy, -dz)


@alone
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
