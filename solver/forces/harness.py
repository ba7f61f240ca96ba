"""Harness belts: webbing without mass over points of several segments, with slip (later-program 1).

Between neighbouring points webbing runs straight, each piece with its own unstretched length. A point
is an anchor, a ring that webbing runs through, a junction of several straps, or a point on a surface:
a mark on the webbing that slides over the body, or a place of the body that webbing runs through.

At every evaluation the places and the webbing fed through are found at which all forces balance,
starting from the memory of the last accepted step: a point stays where it was in a direction while
friction can hold it there, and otherwise slides until friction just holds (Newton's method on the
conditions written as projections; Alart, Curnier, Comp. Meth. Appl. Mech. Eng. 92, 1991). So slip has
no rate, forces do not jump between steps, and the old program's slip between steps is its limit. A
point whose surface would have to pull lifts off, and is a free point of the webbing until it is back.

Friction at a surface point: |f1| <= mu1 N across and |f2| <= mu2 N along. At a ring tensions differ by
no more than exp(mu beta), beta being the turn of the webbing. Where tension hangs on the rate of strain,
slip is that of the tension at rest, and the rate takes in that of the slip.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray, Motion
from solver.forces.laws import Laws
from solver.forces.points import place_and_velocity, push
from solver.forces.spools import Spools, graph_of_device
from solver.forces.stretching import remember, slope_of, stretched
from solver.forces.surfaces import Surfaces, turn_of
from solver.maths.arrow import solve_arrow
from solver.maths.bundles import bundle
from solver.maths.copying import copy
from solver.maths.curve import Curves, curve_at
from solver.maths.kernels import inlined, inner, kernel

ANCHOR, RING, JUNCTION, SURFACE = range(4)
"""Kinds of points."""

HALF = 5
"""Half width of the band: three unknowns a point, neighbours joined."""

DRAG = 1e-8
"""Stiffness, in parts of the webbing's, that ties what nothing holds to the memory."""

EXACT = 1e-8
"""Unbalanced force, in parts of the largest tension, at which a harness is in balance."""

ROUNDS = 60

STRAIN, RATE, TENSION, PULLED, SLOPE, LENGTH = range(6)
"""Entries of a piece: strain and its rate, tension, tension carried on below zero and its slope by
strain, and length."""

E1, E2, N = 0, 3, 6
"""Where the axes of a point stand in its frame: across and along the strap, and out of the surface."""


@bundle
class Straps(NamedTuple):
    """Hold all harnesses; rows are points, and piece k lies between points k and k + 1.

    A harness has points `first[h]` to `first[h + 1]`, `size[h]` unknowns along its straps and in its
    junctions. `last` ends a strap. A point's `at` is in the axes of its body, or of its surface from
    the centre; `unknown` is its first unknown. `marks` says that it goes with the webbing, `keeps` that
    it never lifts off. `spool` is the row of its device. `at`, `rest`, `mode` and `memory` are the
    memory at the last accepted time; `x`, `fed` and `long` are present; those with `end` are of the end
    of the last step. `seen` holds pieces, `force` the force of webbing on each point.
    """

    first: IntArray
    size: IntArray
    rated: IntArray
    kind: IntArray
    last: IntArray
    body: IntArray
    surface: IntArray
    law: IntArray
    flesh: IntArray
    across: IntArray
    along: IntArray
    marks: IntArray
    keeps: IntArray
    join: IntArray
    unknown: IntArray
    spool: IntArray
    prefer: Array
    stiff: Array
    at: Array
    rest: Array
    mode: IntArray
    memory: Array
    before: Array
    flesh_mode: IntArray
    flesh_memory: Array
    flesh_before: Array
    x: Array
    fed: Array
    long: Array
    x_end: Array
    long_end: Array
    seen: Array
    seen_end: Array
    depth_end: Array
    force: Array
    place: Array
    turn: Array
    frame: Array
    gap: Array
    slope: Array
    bend: Array
    moved: Array
    speed: Array
    a: Array
    b: Array
    rates: Array
    axis: Array
    counts: IntArray


@inner
def _place(straps: Straps, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find the axes that point k is given in, which do not change while it slides."""
    s, i = straps.surface[k], straps.body[k]
    if s >= 0:
        turn_of(motion, surfaces.body[s], surfaces.R, s, straps.turn[k])
    else:
        for n in range(9):
            straps.turn[k, n] = motion.R[i, n] if i >= 0 else (1.0 if n % 4 == 0 else 0.0)


@inner
def _stand(straps: Straps, surfaces: Surfaces, motion: Motion, k: int) -> None:
    """Find place, gap to the surface, its gradient and how the normal turns, of point k."""
    s, i, t, x = straps.surface[k], straps.body[k], straps.turn, straps.x
    p = straps.place
    for n in range(3):
        arm = t[k, 3 * n] * x[k, 0] + t[k, 3 * n + 1] * x[k, 1] + t[k, 3 * n + 2] * x[k, 2]
        if s >= 0:
            p[k, n] = surfaces.centre[s, n] + arm
        else:
            p[k, n] = arm + (motion.p[i, n] if i >= 0 else 0.0)
    straps.gap[k] = 0.0
    if s < 0:
        return
    # the gauge is one on the surface; the gap is measured along the radius
    total = far = 0.0
    g, h, semi, power = straps.slope, straps.bend, surfaces.semi, surfaces.power
    for n in range(3):
        u, e = abs(x[k, n]) / semi[s, n], power[s, n]
        low = u ** (e - 2.0)
        total += low * u * u
        g[k, n] = e * low * u / semi[s, n] * (1.0 if x[k, n] > 0.0 else -1.0)
        h[k, n] = e * (e - 1.0) * low / semi[s, n] ** 2
        far += x[k, n] ** 2
    far = math.sqrt(far)
    # radially onto the surface: with one power in closed form, else by Newton's method
    scale = 1.0
    if total > 0.0:
        e = power[s, 0]
        scale = total ** (-1.0 / e)
        if power[s, 1] != e or power[s, 2] != e:
            for _ in range(50):
                value, rise = -1.0, 0.0
                for n in range(3):
                    part = (abs(x[k, n]) * scale / semi[s, n]) ** power[s, n]
                    value += part
                    rise += power[s, n] * part / scale
                scale -= value / rise
                if abs(value) < 1e-14:
                    break
    straps.gap[k] = far * (1.0 - scale)
    # normal and curvature where the radius meets the surface
    size = inward = 0.0
    for n in range(3):
        u, e = abs(x[k, n]) * scale / semi[s, n], power[s, n]
        low = u ** (e - 2.0)
        g[k, n] = e * low * u / semi[s, n] * (1.0 if x[k, n] > 0.0 else -1.0)
        h[k, n] = e * (e - 1.0) * low / semi[s, n] ** 2
        size += g[k, n] ** 2
        inward += g[k, n] * x[k, n]
    size = math.sqrt(size)
    f = straps.frame
    for n in range(3):
        f[k, N + n] = (
            t[k, 3 * n] * g[k, 0] + t[k, 3 * n + 1] * g[k, 1] + t[k, 3 * n + 2] * g[k, 2]
        ) / size
        h[k, n] /= size
    # the gap's gradient: far (1 - scale), scale falling along the normal
    for n in range(3):
        g[k, n] = x[k, n] / far * (1.0 - scale) + far * scale * g[k, n] / inward
    gx, gy, gz = g[k, 0], g[k, 1], g[k, 2]
    for n in range(3):
        g[k, n] = t[k, 3 * n] * gx + t[k, 3 * n + 1] * gy + t[k, 3 * n + 2] * gz


@inner
def _stretch(straps: Straps, laws: Laws, curves: Curves, k: int) -> None:
    """Find direction, strain and tension of piece k."""
    p, seen, axis = straps.place, straps.seen, straps.axis
    dx, dy, dz = p[k + 1, 0] - p[k, 0], p[k + 1, 1] - p[k, 1], p[k + 1, 2] - p[k, 2]
    length = max(math.sqrt(dx * dx + dy * dy + dz * dz), 1e-9)
    axis[k, 0], axis[k, 1], axis[k, 2] = dx / length, dy / length, dz / length
    strain = length / straps.long[k] - 1.0
    n = straps.law[k]
    pull, _ = stretched(laws, curves, n, straps.memory, k, straps.mode[k], strain, 0.0)
    seen[k, STRAIN], seen[k, TENSION], seen[k, LENGTH] = strain, pull, length
    if strain <= 0.0:
        seen[k, PULLED], seen[k, SLOPE] = straps.stiff[k] * strain, straps.stiff[k]
    else:
        slope = slope_of(laws, curves, n, straps.memory, k, straps.mode[k], strain, pull)
        seen[k, PULLED], seen[k, SLOPE] = pull, max(slope, 1e-4 * straps.stiff[k])


@inner
def _turn_frame(straps: Straps, k: int) -> None:
    """Lay the axes of point k on a surface: along the strap, or as preferred, and across it."""
    f, axis, t = straps.frame, straps.axis, straps.turn
    x = y = z = 0.0
    if straps.kind[k] == SURFACE:
        x, y, z = axis[k, 0], axis[k, 1], axis[k, 2]
        x, y, z = x + axis[k - 1, 0], y + axis[k - 1, 1], z + axis[k - 1, 2]
    a, b, c = straps.prefer[k, 0], straps.prefer[k, 1], straps.prefer[k, 2]
    if a * a + b * b + c * c > 0.0:
        x = t[k, 0] * a + t[k, 1] * b + t[k, 2] * c
        y = t[k, 3] * a + t[k, 4] * b + t[k, 5] * c
        z = t[k, 6] * a + t[k, 7] * b + t[k, 8] * c
    nx, ny, nz = f[k, N], f[k, N + 1], f[k, N + 2]
    ex, ey, ez = y * nz - z * ny, z * nx - x * nz, x * ny - y * nx
    size = math.sqrt(ex * ex + ey * ey + ez * ez)
    if size < 1e-9:
        # a junction, or the strap stands upright here: any direction across
        ex, ey, ez = (0.0, nz, -ny) if abs(nx) < 0.6 else (-nz, 0.0, nx)
        size = math.sqrt(ex * ex + ey * ey + ez * ez)
    ex, ey, ez = ex / size, ey / size, ez / size
    f[k, 0], f[k, 1], f[k, 2] = ex, ey, ez
    f[k, 3], f[k, 4], f[k, 5] = ny * ez - nz * ey, nz * ex - nx * ez, nx * ey - ny * ex


@inlined
def _along(f: Array, k: int, row: int, x: float, y: float, z: float) -> float:
    """Give the component of a vector along one axis of a frame."""
    return float(f[k, row] * x + f[k, row + 1] * y + f[k, row + 2] * z)


@inner
def _column(straps: Straps, row: int, j: int, x: float, y: float, z: float, feed: float) -> None:
    """Enter what a row gains by the motion of point j and by the webbing fed through it."""
    a, f, u = straps.a, straps.frame, straps.unknown[j]
    straps.rates[row] += x * straps.speed[j, 0] + y * straps.speed[j, 1] + z * straps.speed[j, 2]
    if u < 0:
        return
    kind = straps.kind[j]
    if kind == JUNCTION:
        a[row, u] += x
        a[row, u + 1] += y
        a[row, u + 2] += z
    elif kind == SURFACE:
        a[row, u] += _along(f, j, E1, x, y, z)
        a[row, u + 1] += _along(f, j, E2, x, y, z) if straps.marks[j] else feed
        a[row, u + 2] += _along(f, j, N, x, y, z)
    else:
        a[row, u] += feed


@inner
def _force_row(straps: Straps, row: int, k: int, dx: float, dy: float, dz: float) -> None:
    """Enter a row d . f for the force of webbing on point k (of a junction: one strap's part)."""
    seen, axis, b = straps.seen, straps.axis, straps.b
    starts, ends = k == 0 or straps.last[k - 1] != 0, straps.last[k] != 0
    ox = oy = oz = 0.0
    left = right = 0.0
    for side in range(2):
        if (side == 0 and starts) or (side == 1 and ends):
            continue
        j = k - 1 if side == 0 else k
        ux, uy, uz = axis[j, 0], axis[j, 1], axis[j, 2]
        along = ux * dx + uy * dy + uz * dz
        pull, size, rest = seen[j, TENSION], seen[j, LENGTH], straps.long[j]
        steep = seen[j, SLOPE] if seen[j, STRAIN] > 0.0 else 0.0
        turn, stretch = pull / size, steep / rest
        x = turn * dx + (stretch - turn) * along * ux
        y = turn * dy + (stretch - turn) * along * uy
        z = turn * dz + (stretch - turn) * along * uz
        feed = steep * size / (rest * rest) * along
        b[row] -= pull * along if side == 1 else -pull * along
        ox, oy, oz = ox - x, oy - y, oz - z
        if side == 1:
            # piece k grows by what point k feeds, and shrinks by what point k + 1 does
            right -= feed
            _column(straps, row, k + 1, x, y, z, feed)
        else:
            left += feed
            _column(straps, row, k - 1, x, y, z, feed)
    _column(straps, row, k, ox, oy, oz, right - left)


@inner
def _feed_row(straps: Straps, row: int, k: int, more: float, less: float) -> None:
    """Enter a row more T_k - less T_(k - 1) for webbing fed through point k."""
    seen, axis = straps.seen, straps.axis
    ox = oy = oz = own = 0.0
    for side in range(2):
        j, factor = (k - 1, -less) if side == 0 else (k, more)
        if factor == 0.0:
            continue
        steep = factor * seen[j, SLOPE] / straps.long[j]
        x, y, z = steep * axis[j, 0], steep * axis[j, 1], steep * axis[j, 2]
        feed = steep * seen[j, LENGTH] / straps.long[j]
        straps.b[row] -= factor * seen[j, PULLED]
        if side == 1:
            ox, oy, oz, own = ox - x, oy - y, oz - z, own - feed
            _column(straps, row, k + 1, x, y, z, feed)
        else:
            ox, oy, oz, own = ox + x, oy + y, oz + z, own + feed
            _column(straps, row, k - 1, -x, -y, -z, -feed)
    _column(straps, row, k, ox, oy, oz, own)


@inner
def _surface_rows(straps: Straps, laws: Laws, curves: Curves, k: int) -> None:
    """Enter the three rows of a surface point: across, along, and out of the surface."""
    a, b, f, u = straps.a, straps.b, straps.frame, straps.unknown[k]
    fx, fy, fz = straps.force[k, 0], straps.force[k, 1], straps.force[k, 2]
    stiff, gap = _stiffness(straps, k), straps.gap[k]
    press = -_along(f, k, N, fx, fy, fz)
    pushed = slope = 0.0
    n = straps.flesh[k]
    touches = straps.keeps[k] != 0 or press - stiff * gap > 0.0
    if n >= 0:
        depth, m, mode = -gap, straps.flesh_memory, straps.flesh_mode[k]
        pushed, _ = stretched(laws, curves, n, m, k, mode, depth, 0.0)
        slope = slope_of(laws, curves, n, m, k, mode, depth, pushed) if depth > 0.0 else 0.0
        touches = straps.keeps[k] != 0 and press < 0.0
    held = abs(press) if straps.keeps[k] else max(press, 0.0)
    sign = 1.0 if press > 0.0 else (-1.0 if straps.keeps[k] else 0.0)
    drag = DRAG * straps.stiff[k]
    for way in range(2):
        row, at = u + way, E1 + 3 * way
        c = straps.across[k] if way == 0 else straps.along[k]
        slid = straps.fed[k]
        if way == 0 or straps.marks[k]:
            slid = _along(f, k, at, straps.moved[k, 0], straps.moved[k, 1], straps.moved[k, 2])
        pull = _along(f, k, at, fx, fy, fz)
        most = 0.0
        if c >= 0:
            mu, _ = curve_at(curves, c, max(-gap, 0.0))
            most = mu * held
        aim = pull + stiff * slid
        if c < 0 or abs(aim) < most or (most == 0.0 and aim == 0.0):
            # friction holds it where it was
            a[row, row] += stiff
            b[row] -= stiff * slid
            continue
        side = 1.0 if aim > 0.0 else -1.0
        mix = side * sign * (most / held if held > 0.0 else 0.0)
        dx, dy = f[k, at] + mix * f[k, N], f[k, at + 1] + mix * f[k, N + 1]
        dz = f[k, at + 2] + mix * f[k, N + 2]
        _force_row(straps, row, k, dx, dy, dz)
        a[row, row] -= drag
        b[row] += drag * slid
        if way == 0 or straps.marks[k]:
            # the axis turns with the normal
            _bend(straps, row, k, at, press)
    row = u + 2
    if touches:
        _gap_row(straps, row, k, stiff)
        b[row] -= stiff * gap
        return
    _force_row(straps, row, k, f[k, N], f[k, N + 1], f[k, N + 2])
    out = _along(f, k, N, straps.moved[k, 0], straps.moved[k, 1], straps.moved[k, 2])
    a[row, u + 2] -= drag
    b[row] += drag * out
    if n >= 0:
        b[row] -= pushed
        _gap_row(straps, row, k, -slope)


@inner
def _gap_row(straps: Straps, row: int, k: int, factor: float) -> None:
    """Enter how the gap at surface point k changes as it moves."""
    g, u = straps.slope, straps.unknown[k]
    for way in range(3):
        if way != 1 or straps.marks[k]:
            change = _along(straps.frame, k, 3 * way, g[k, 0], g[k, 1], g[k, 2])
            straps.a[row, u + way] += factor * change


@inlined
def _stiffness(straps: Straps, k: int) -> float:
    """Weigh lengths against forces at point k, so that all rows are of one size."""
    return float(straps.stiff[k] / straps.rest[k if straps.last[k] == 0 else k - 1])


@inner
def _bend(straps: Straps, row: int, k: int, at: int, press: float) -> None:
    """Enter how the force's part along an axis changes as the axis turns with the normal."""
    a, f, h, t, u = straps.a, straps.frame, straps.bend, straps.turn, straps.unknown[k]
    for way in range(2):
        if way == 1 and not straps.marks[k]:
            continue
        total = 0.0
        for n in range(3):
            one = two = 0.0
            for m in range(3):
                one += t[k, 3 * m + n] * f[k, at + m]
                two += t[k, 3 * m + n] * f[k, E1 + 3 * way + m]
            total += one * h[k, n] * two
        a[row, u + way] += press * total


@inner
def _ring_row(straps: Straps, curves: Curves, k: int) -> None:
    """Enter the row of a ring: stuck, or slipping by the capstan's law."""
    row, seen, axis = straps.unknown[k], straps.seen, straps.axis
    stiff = _stiffness(straps, k)
    bend = 0.0
    for n in range(3):
        bend += axis[k - 1, n] * axis[k, n]
    mu, _ = curve_at(curves, straps.along[k], 0.0)
    grip = math.exp(mu * math.acos(min(max(bend, -1.0), 1.0)))
    one, two, slid = seen[k - 1, PULLED], seen[k, PULLED], straps.fed[k]
    aim = two - one + stiff * slid
    if one > 0.0 or two > 0.0:
        if aim >= (grip - 1.0) * max(one, 0.0) and aim > 0.0:
            _feed_row(straps, row, k, 1.0, grip)
            return
        if -aim >= (grip - 1.0) * max(two, 0.0) and aim < 0.0:
            _feed_row(straps, row, k, grip, 1.0)
            return
    straps.a[row, row] += stiff
    straps.b[row] -= stiff * slid


@inner
def _device_row(straps: Straps, spools: Spools, curves: Curves, k: int) -> None:
    """Enter the row of webbing drawn from a device at an end."""
    row, d = straps.unknown[k], straps.spool[k]
    ends = straps.last[k] != 0
    j = k - 1 if ends else k
    sign = -1.0 if ends else 1.0
    stiff = _stiffness(straps, k)
    drawn = sign * straps.fed[k]
    held, level, rise, at = graph_of_device(spools, curves, d, straps.seen[j, PULLED], drawn, stiff)
    if held:
        straps.a[row, row] += stiff
        straps.b[row] -= stiff * (straps.fed[k] - sign * at)
        return
    if ends:
        _feed_row(straps, row, k, 0.0, -1.0)
    else:
        _feed_row(straps, row, k, 1.0, 0.0)
    straps.a[row, row] -= sign * rise
    straps.b[row] += level


@inner
def _find_forces(straps: Straps, low: int, high: int) -> None:
    """Sum the tensions at every point."""
    f, seen, axis = straps.force, straps.seen, straps.axis
    for k in range(low, high):
        f[k, 0] = f[k, 1] = f[k, 2] = 0.0
    for k in range(low, high):
        if straps.last[k]:
            continue
        for n in range(3):
            pull = seen[k, TENSION] * axis[k, n]
            f[k, n] += pull
            f[k + 1, n] -= pull


@inner
def _look(
    straps: Straps,
    laws: Laws,
    surfaces: Surfaces,
    curves: Curves,
    motion: Motion,
    low: int,
    high: int,
) -> float:
    """Find places, tensions and forces as they are now; give the largest tension."""
    most = 0.0
    for k in range(low, high):
        _stand(straps, surfaces, motion, k)
    for k in range(low, high):
        if straps.last[k] == 0:
            right = straps.fed[k + 1]
            straps.long[k] = max(straps.rest[k] + straps.fed[k] - right, 1e-3 * straps.rest[k])
            _stretch(straps, laws, curves, k)
            most = max(most, straps.seen[k, TENSION])
    _find_forces(straps, low, high)
    t = straps.turn
    for k in range(low, high):
        x = straps.x[k, 0] - straps.at[k, 0]
        y = straps.x[k, 1] - straps.at[k, 1]
        z = straps.x[k, 2] - straps.at[k, 2]
        for n in range(3):
            straps.moved[k, n] = t[k, 3 * n] * x + t[k, 3 * n + 1] * y + t[k, 3 * n + 2] * z
        if straps.surface[k] >= 0:
            _turn_frame(straps, k)
    return most


@inner
def _rows(straps: Straps, spools: Spools, laws: Laws, curves: Curves, h: int) -> None:
    """Write down all conditions of a harness, and how they change."""
    low, high = straps.first[h], straps.first[h + 1]
    n, border = straps.size[h, 0], straps.size[h, 1]
    a, b = straps.a, straps.b
    for i in range(n + border):
        b[i] = straps.rates[i] = 0.0
        if i < n:
            for j in range(max(i - HALF, 0), min(i + 2 * HALF + 1, n)):
                a[i, j] = 0.0
            for j in range(n, n + border):
                a[i, j] = 0.0
        else:
            for j in range(n + border):
                a[i, j] = 0.0
    for k in range(low, high):
        kind = straps.kind[k]
        if kind == SURFACE:
            _surface_rows(straps, laws, curves, k)
        elif kind == RING:
            _ring_row(straps, curves, k)
        elif kind == ANCHOR and straps.unknown[k] >= 0:
            _device_row(straps, spools, curves, k)
        elif kind == JUNCTION:
            _junction_rows(straps, low, k)


@inner
def _junction_rows(straps: Straps, low: int, k: int) -> None:
    """Enter one strap's part of a junction's rows; the first point of each adds what is its own."""
    u, a, b = straps.unknown[k], straps.a, straps.b
    if straps.surface[k] < 0:
        for n in range(3):
            _force_row(
                straps,
                u + n,
                k,
                1.0 if n == 0 else 0.0,
                1.0 if n == 1 else 0.0,
                1.0 if n == 2 else 0.0,
            )
            if straps.join[k] == k:
                a[u + n, u + n] -= DRAG * straps.stiff[k]
                b[u + n] += DRAG * straps.stiff[k] * straps.moved[k, n]
        return
    # on a surface: free along it, kept on it unless it would have to pull
    f, m = straps.frame, straps.join[k]
    stiff = _stiffness(straps, m)
    press = 0.0
    for j in range(low, len(straps.kind)):
        if straps.join[j] == m:
            press -= _along(f, m, N, straps.force[j, 0], straps.force[j, 1], straps.force[j, 2])
    for way in range(3):
        at = 3 * way
        if way == 2 and press - stiff * straps.gap[m] > 0.0:
            if m == k:
                for n in range(3):
                    a[u + 2, u + n] += stiff * straps.slope[m, n]
                b[u + 2] -= stiff * straps.gap[m]
            continue
        _force_row(straps, u + way, k, f[m, at], f[m, at + 1], f[m, at + 2])
        if m == k:
            slid = _along(f, m, at, straps.moved[m, 0], straps.moved[m, 1], straps.moved[m, 2])
            b[u + way] += DRAG * straps.stiff[m] * slid
            for n in range(3):
                a[u + way, u + n] -= DRAG * straps.stiff[m] * f[m, at + n]


@inner
def _move(straps: Straps, h: int, scale: float) -> None:
    """Move all points, and feed webbing, by the solution."""
    t, f, b, x = straps.turn, straps.frame, straps.b, straps.x
    for k in range(straps.first[h], straps.first[h + 1]):
        u, kind = straps.unknown[k], straps.kind[k]
        if u < 0:
            continue
        if kind == JUNCTION:
            dx, dy, dz = scale * b[u], scale * b[u + 1], scale * b[u + 2]
        elif kind == SURFACE:
            c = scale * b[u + 1]
            if not straps.marks[k]:
                straps.fed[k] += c
                c = 0.0
            dx = scale * (b[u] * f[k, 0] + b[u + 2] * f[k, 6]) + c * f[k, 3]
            dy = scale * (b[u] * f[k, 1] + b[u + 2] * f[k, 7]) + c * f[k, 4]
            dz = scale * (b[u] * f[k, 2] + b[u + 2] * f[k, 8]) + c * f[k, 5]
        else:
            straps.fed[k] += scale * b[u]
            continue
        for n in range(3):
            x[k, n] += t[k, n] * dx + t[k, 3 + n] * dy + t[k, 6 + n] * dz


@inner
def _balance(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    h: int,
) -> None:  # fmt: skip
    """Slide and feed until every condition of harness h holds."""
    low, high = straps.first[h], straps.first[h + 1]
    n, border = straps.size[h, 0], straps.size[h, 1]
    for k in range(low, high):
        _place(straps, surfaces, motion, k)
    for round_ in range(ROUNDS):
        most = _look(straps, laws, surfaces, curves, motion, low, high)
        if n + border == 0:
            return
        _rows(straps, spools, laws, curves, h)
        off = 0.0
        for i in range(n + border):
            off = max(off, abs(straps.b[i]))
        if off <= EXACT * most + 1e-6 or round_ == ROUNDS - 1:
            straps.counts[0] += 1 if off > EXACT * most + 1e-6 else 0
            straps.counts[1] += round_
            return
        if not solve_arrow(straps.a, straps.b, n, border, HALF):
            straps.counts[0] += 1
            return
        far = 0.0
        for i in range(n + border):
            far = max(far, abs(straps.b[i]))
        short = 1e30
        for k in range(low, high):
            if straps.last[k] == 0:
                short = min(short, straps.seen[k, LENGTH])
        scale = min(1.0, 0.3 * short / far) if far > 0.0 else 1.0
        # conditions that change to and fro are calmed by shorter steps
        _move(straps, h, scale * (1.0 if round_ < 12 else 0.5 if round_ < 30 else 0.2))


@inner
def _rate(
    straps: Straps, spools: Spools, laws: Laws, curves: Curves, motion: Motion, h: int
) -> None:
    """Find the rates of strain, with those of slip."""
    low, high, n = straps.first[h], straps.first[h + 1], straps.size[h, 0]
    for k in range(low, high):
        i = straps.body[k]
        x, y, z = straps.place[k, 0], straps.place[k, 1], straps.place[k, 2]
        if i >= 0:
            x, y, z = x - motion.p[i, 0], y - motion.p[i, 1], z - motion.p[i, 2]
        _, _, _, vx, vy, vz = place_and_velocity(motion, i, x, y, z)
        straps.speed[k, 0], straps.speed[k, 1], straps.speed[k, 2] = vx, vy, vz
    _rows(straps, spools, laws, curves, h)
    size = n + straps.size[h, 1]
    for i in range(size):
        straps.b[i] = -straps.rates[i]
    if size and not solve_arrow(straps.a, straps.b, n, straps.size[h, 1], HALF):
        for i in range(size):
            straps.b[i] = 0.0
    f, b, v = straps.frame, straps.b, straps.speed
    for k in range(low, high):
        u = straps.unknown[k]
        straps.moved[k, 0] = 0.0
        if u < 0:
            continue
        if straps.kind[k] == JUNCTION:
            for m in range(3):
                v[k, m] += b[u + m]
        elif straps.kind[k] == SURFACE:
            along = b[u + 1]
            if not straps.marks[k]:
                straps.moved[k, 0], along = along, 0.0
            for m in range(3):
                v[k, m] += b[u] * f[k, m] + along * f[k, 3 + m] + b[u + 2] * f[k, 6 + m]
        else:
            straps.moved[k, 0] = b[u]
    axis, seen = straps.axis, straps.seen
    for k in range(low, high):
        if straps.last[k]:
            continue
        grows = 0.0
        for m in range(3):
            grows += axis[k, m] * (v[k + 1, m] - v[k, m])
        feed = straps.moved[k, 0] - straps.moved[k + 1, 0]
        seen[k, RATE] = (grows - seen[k, LENGTH] / straps.long[k] * feed) / straps.long[k]
    for k in range(low, high):
        for m in range(3):
            v[k, m] = 0.0


@kernel
def pull_straps(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    torque: Array, force: Array, sums: Array,
) -> None:  # fmt: skip
    """Add the forces of all harnesses; `sums` takes the energy held and the power of the forces."""
    sums[0] = sums[1] = 0.0
    seen = straps.seen
    for h in range(len(straps.size)):
        low, high = straps.first[h], straps.first[h + 1]
        _balance(straps, spools, laws, surfaces, curves, motion, h)
        if straps.rated[h]:
            _rate(straps, spools, laws, curves, motion, h)
        for k in range(low, high):
            if straps.last[k] == 0:
                n, mode, m = straps.law[k], straps.mode[k], straps.memory
                strain, rate = seen[k, STRAIN], seen[k, RATE]
                pull, held = stretched(laws, curves, n, m, k, mode, strain, rate)
                seen[k, TENSION] = pull
                sums[0] += held * straps.long[k]
            if straps.flesh[k] >= 0 and straps.gap[k] < 0.0:
                n, mode, m = straps.flesh[k], straps.flesh_mode[k], straps.flesh_memory
                sums[0] += stretched(laws, curves, n, m, k, mode, -straps.gap[k], 0.0)[1]
        if straps.rated[h]:
            _find_forces(straps, low, high)
        for k in range(low, high):
            i, f = straps.body[k], straps.force
            d = straps.spool[k]
            if d >= 0:
                sign = -1.0 if straps.last[k] else 1.0
                spools.present[d, 0] = spools.drawn[d] + sign * straps.fed[k]
                spools.present[d, 1] = sign * straps.moved[k, 0] if straps.rated[h] else 0.0
            if straps.kind[k] == JUNCTION and straps.surface[k] < 0:
                continue
            x, y, z = straps.place[k, 0], straps.place[k, 1], straps.place[k, 2]
            if i >= 0:
                x, y, z = x - motion.p[i, 0], y - motion.p[i, 1], z - motion.p[i, 2]
            _, _, _, vx, vy, vz = place_and_velocity(motion, i, x, y, z)
            sums[1] += f[k, 0] * vx + f[k, 1] * vy + f[k, 2] * vz
            push(torque, force, i, x, y, z, f[k, 0], f[k, 1], f[k, 2])


@kernel
def end_straps(straps: Straps, spools: Spools, t: float) -> None:
    """Keep what has just been found: it is that of the end of an accepted step."""
    spools.time_end[0] = t
    for k in range(len(straps.kind)):
        straps.long_end[k] = straps.long[k]
        straps.depth_end[k] = -straps.gap[k]
        for n in range(3):
            straps.x_end[k, n] = straps.x[k, n]
        straps.seen_end[k, STRAIN] = straps.seen[k, STRAIN]
        d = straps.spool[k]
        if d >= 0:
            drawn = spools.present[d, 0] - spools.drawn[d]
            spools.drawn_end[d] = spools.present[d, 0]
            spools.given_end[d] = spools.given[d] + (max(drawn, 0.0) if spools.locked[d] else 0.0)


@kernel
def remember_straps(straps: Straps, spools: Spools, laws: Laws, curves: Curves) -> None:
    """Take the end of the last step into the memory; again changes nothing."""
    spools.time[0] = spools.time_end[0]
    copy(spools.drawn, spools.drawn_end)
    copy(spools.given, spools.given_end)
    for k in range(len(straps.kind)):
        straps.fed[k] = 0.0
        for n in range(3):
            straps.at[k, n] = straps.x[k, n] = straps.x_end[k, n]
        if straps.last[k] == 0:
            straps.rest[k] = straps.long_end[k]
            strain = straps.seen_end[k, STRAIN]
            remember(
                laws, curves, straps.law[k], straps.memory, k, straps.mode, straps.before[k], strain
            )
            straps.before[k] = strain
        if straps.flesh[k] >= 0:
            depth = straps.depth_end[k]
            remember(
                laws, curves, straps.flesh[k], straps.flesh_memory, k, straps.flesh_mode,
                straps.flesh_before[k], depth,
            )  # fmt: skip
            straps.flesh_before[k] = depth
