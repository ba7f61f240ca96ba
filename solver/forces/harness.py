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
from solver.forces.points import place_and_velocity, push, unit
from solver.forces.spools import Spools, graph_of_device
from solver.forces.stretching import slope_of, stretched
from solver.forces.surfaces import Surfaces, turn_of
from solver.maths.arrow import solve_arrow
from solver.maths.bundles import bundle
from solver.maths.curve import Curves, curve_at
from solver.maths.kernels import inlined, inner, kernel

ANCHOR, RING, JUNCTION, SURFACE = range(4)
"""Kinds of points."""

HALF = 5
"""Half width of the band: three unknowns a point, neighbours joined."""

DRAG = 1e-5
"""Stiffness, in parts of a piece's, that draws a point back to where it was at the end of the last step.

Without it the shape of webbing that is hardly taut would be open."""

EXACT = 1e-6
"""Unbalanced force, in parts of the largest tension, at which a harness is in balance."""

QUIET = 1e-7
"""Power (W), in parts of the tension at a strain of one, below which it is open whether webbing takes."""

ENOUGH = 2e-5
"""Unbalanced force, in parts of the tension at a strain of one, that is left where no better is found."""

SHARP = 1e-7
"""Roundness of corners, in parts of the tension at a strain of one."""

STUCK = 1e3
"""Coefficient of friction that lets nothing slide."""

TRACE = 1e-3
"""Strain within which webbing goes from slack to taut, as far as its shape is concerned."""

UPHILL = 2.0
"""By how much the sum of squares of what does not hold may grow in a round that is not taken back."""

FEW, MANY = 15, 40
"""Rounds before another way is tried, and before it is given up."""

SOFT, CALM, STEP, STRONG, SLOW = range(5)
"""Entries of `calm`: roundness of corners; stiffness that slows points down; the longest way; tension
at a strain of one; what slows everything down, in parts of its own stiffness."""

OPEN, AGAIN, ROUNDS = range(3)
"""Entries of `counts`: balances not found, found the long way, and rounds."""

STRAIN, RATE, TENSION, PULLED, SLOPE, LENGTH = range(6)
"""Entries of a piece: strain and its rate, tension, tension carried on below zero and its slope by
strain, and length."""

E1, E2, N = 0, 3, 6
"""Where the axes of a point stand in its frame: across and along the strap, and out of the surface."""


@bundle
class Straps(NamedTuple):
    """Hold all harnesses; rows are points, and piece k lies between point k and the next in play, `right[k]`.

    A harness has points `first[h]` to `first[h + 1]`, `size[h]` unknowns along its straps and in its
    junctions. `last` ends a strap; points taken out have no `right`. A point's `at` is in the axes of
    its body, or of its surface from the centre; `unknown` is its first unknown. `marks` says that it
    goes with the webbing, `keeps` that it never lifts off. `spool` is the row of its device. `at`, `rest`, `mode` and `memory` are the
    memory at the last accepted time; `x`, `fed` and `long` are present; those with `end` are of the end
    of the last step. `seen` holds pieces, `force` the force of webbing on each point.
    """

    first: IntArray
    size: IntArray
    rated: IntArray
    kind: IntArray
    last: IntArray
    left: IntArray
    right: IntArray
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
    way: Array
    prefers: IntArray
    stiff: Array
    at: Array
    rest: Array
    laid: Array
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
    way_end: Array
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
    going: Array
    kept: Array
    calm: Array


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
        low = 1.0 if e == 2.0 else u ** (e - 2.0)
        total += low * u * u
        far += x[k, n] ** 2
    far = math.sqrt(far)
    # radially onto the surface: with one power in closed form, else by Newton's method
    scale = 1.0
    if total > 0.0:
        e = power[s, 0]
        scale = 1.0 / math.sqrt(total) if e == 2.0 else total ** (-1.0 / e)
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
        low = 1.0 if e == 2.0 else u ** (e - 2.0)
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
    j = straps.right[k]
    dx, dy, dz = p[j, 0] - p[k, 0], p[j, 1] - p[k, 1], p[j, 2] - p[k, 2]
    length = max(math.sqrt(dx * dx + dy * dy + dz * dz), 1e-9)
    axis[k, 0], axis[k, 1], axis[k, 2] = dx / length, dy / length, dz / length
    strain = length / straps.long[k] - 1.0
    n = straps.law[k]
    pull, _ = stretched(laws, curves, n, straps.memory, k, straps.mode[k], strain, 0.0)
    slope = 0.0
    if strain > 0.0:
        slope = slope_of(laws, curves, n, straps.memory, k, straps.mode[k], strain, pull)
    # what is slack keeps a trace of tension, without which its shape would be open
    stiff = straps.stiff[k]
    seen[k, STRAIN], seen[k, LENGTH] = strain, length
    if strain > 0.0:
        trace = 0.5 * stiff * TRACE * math.exp(-strain / TRACE)
        slope = max(slope - trace / TRACE, 0.0)
    else:
        far = math.sqrt(strain * strain + TRACE * TRACE)
        trace = 0.5 * stiff * (far + strain)
        slope = trace / far
    seen[k, TENSION], seen[k, SLOPE] = pull + trace, slope
    seen[k, PULLED] = pull if strain > 0.0 else stiff * strain


@inner
def _turn_frame(straps: Straps, k: int) -> None:
    """Lay the axes of point k on a surface: along the strap as it last was, or as preferred; across."""
    f, t = straps.frame, straps.turn
    a, b, c = straps.way[k, 0], straps.way[k, 1], straps.way[k, 2]
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
    """Enter how d . f changes, f being the force of webbing on point k (of a junction: one strap's)."""
    seen, axis = straps.seen, straps.axis
    before, after = straps.left[k], straps.right[k]
    ox = oy = oz = 0.0
    left = right = 0.0
    for side in range(2):
        j = before if side == 0 else k
        if (before if side == 0 else after) < 0:
            continue
        ux, uy, uz = axis[j, 0], axis[j, 1], axis[j, 2]
        along = ux * dx + uy * dy + uz * dz
        pull, size, rest = seen[j, TENSION], seen[j, LENGTH], straps.long[j]
        steep = seen[j, SLOPE]
        turn, stretch = pull / size, steep / rest
        x = turn * dx + (stretch - turn) * along * ux
        y = turn * dy + (stretch - turn) * along * uy
        z = turn * dz + (stretch - turn) * along * uz
        feed = steep * size / (rest * rest) * along
        ox, oy, oz = ox - x, oy - y, oz - z
        if side == 1:
            # piece k grows by what its first point feeds, and shrinks by what the other does
            right -= feed
            _column(straps, row, after, x, y, z, feed)
        else:
            left += feed
            _column(straps, row, before, x, y, z, feed)
    _column(straps, row, k, ox, oy, oz, right - left)


@inner
def _feed_row(straps: Straps, row: int, k: int, more: float, less: float, loose: bool) -> None:
    """Enter how more T_k - less T_left changes for webbing fed through point k.

    Where it may be `loose`, tension goes on below zero.
    """
    seen, axis = straps.seen, straps.axis
    ox = oy = oz = own = 0.0
    for side in range(2):
        j, factor = (straps.left[k], -less) if side == 0 else (k, more)
        if factor == 0.0:
            continue
        steep = factor * _steep(straps, j, loose) / straps.long[j]
        x, y, z = steep * axis[j, 0], steep * axis[j, 1], steep * axis[j, 2]
        feed = steep * seen[j, LENGTH] / straps.long[j]
        if side == 1:
            ox, oy, oz, own = ox - x, oy - y, oz - z, own - feed
            _column(straps, row, straps.right[k], x, y, z, feed)
        else:
            ox, oy, oz, own = ox + x, oy + y, oz + z, own + feed
            _column(straps, row, j, -x, -y, -z, -feed)
    _column(straps, row, k, ox, oy, oz, own)


@inlined
def _steep(straps: Straps, j: int, loose: bool) -> float:
    """Give the slope of tension by strain of piece j."""
    if loose and straps.seen[j, STRAIN] <= 0.0:
        return float(straps.stiff[j])
    return float(straps.seen[j, SLOPE])


@inlined
def _clamp(z: float, low: float, high: float, soft: float) -> tuple[float, float, float, float]:
    """Bring a number between two bounds, with rounded corners; and the slopes by all three."""
    one = math.sqrt((z - low) ** 2 + 4.0 * soft * soft)
    two = math.sqrt((z - high) ** 2 + 4.0 * soft * soft)
    below, above = (z - low) / one, (z - high) / two
    value = 0.5 * (low + high + one - two)
    return value, 0.5 * (below - above), 0.5 * (1.0 - below), 0.5 * (1.0 + above)


@inner
def _held_by(straps: Straps, k: int, at: int) -> float:
    """Give the stiffness with which webbing holds point k along one of its axes."""
    total = DRAG * _stiffness(straps, k)
    for side in range(2):
        j = straps.left[k] if side == 0 else k
        axis, f = straps.axis, straps.frame
        along = axis[j, 0] * f[k, at] + axis[j, 1] * f[k, at + 1] + axis[j, 2] * f[k, at + 2]
        turn = straps.seen[j, TENSION] / straps.seen[j, LENGTH]
        stretch = straps.seen[j, SLOPE] / straps.long[j]
        total += turn + (stretch - turn) * along * along
    return total


@inner
def _normal_row(straps: Straps, laws: Laws, curves: Curves, k: int) -> tuple[float, float, float]:
    """Enter the row out of the surface; give the pressing force and its slopes by n . f and the gap."""
    f, row, gap = straps.frame, straps.unknown[k] + 2, straps.gap[k]
    stiff, soft = _held_by(straps, k, N), straps.calm[SOFT]
    press = -_along(f, k, N, straps.force[k, 0], straps.force[k, 1], straps.force[k, 2])
    n, loose = straps.flesh[k], 1.0
    by_force = by_gap = 0.0
    if n >= 0:
        m, mode = straps.flesh_memory, straps.flesh_mode[k]
        pushed, _ = stretched(laws, curves, n, m, k, mode, -gap, 0.0)
        if gap < 0.0:
            by_gap = -slope_of(laws, curves, n, m, k, mode, -gap, pushed)
        elif straps.keeps[k]:
            pushed, by_gap = -stiff * gap, -stiff
        _gap_row(straps, row, k, by_gap)
        straps.b[row] = press - pushed
    elif straps.keeps[k]:
        pushed, loose = press, 0.0
        by_force = -1.0
        _gap_row(straps, row, k, -stiff)
        straps.b[row] = stiff * gap
    else:
        z = press - stiff * gap
        root = math.sqrt(z * z + 4.0 * soft * soft)
        pushed, held = 0.5 * (z + root), 0.5 * (1.0 + z / root)
        loose, by_force, by_gap = 1.0 - held, -held, -held * stiff
        _gap_row(straps, row, k, by_gap)
        straps.b[row] = press - pushed
    straps.a[row, row] -= straps.calm[SLOW] * stiff
    if loose > 0.0:
        _force_row(straps, row, k, loose * f[k, N], loose * f[k, N + 1], loose * f[k, N + 2])
        out = _along(f, k, N, straps.moved[k, 0], straps.moved[k, 1], straps.moved[k, 2])
        drag = loose * DRAG * _stiffness(straps, k)
        straps.a[row, row] -= drag + loose * max(straps.calm[CALM] - stiff, 0.0)
        straps.b[row] += drag * out
    return pushed, by_force, by_gap


@inner
def _surface_rows(straps: Straps, laws: Laws, curves: Curves, k: int) -> None:
    """Enter the three rows of a surface point: out of the surface, across and along the strap."""
    a, f, u, gap = straps.a, straps.frame, straps.unknown[k], straps.gap[k]
    fx, fy, fz = straps.force[k, 0], straps.force[k, 1], straps.force[k, 2]
    soft = straps.calm[SOFT]
    pushed, by_force, by_gap = _normal_row(straps, laws, curves, k)
    held = math.sqrt(pushed * pushed + soft * soft)
    turned = pushed / held
    for way in range(2):
        row, at = u + way, E1 + 3 * way
        c = straps.across[k] if way == 0 else straps.along[k]
        moves = way == 0 or straps.marks[k] != 0
        slid, stiff = straps.fed[k], _stiffness(straps, k)
        drag = DRAG * stiff
        if moves:
            stiff = _held_by(straps, k, at)
            slid = _along(f, k, at, straps.moved[k, 0], straps.moved[k, 1], straps.moved[k, 2])
        pull = _along(f, k, at, fx, fy, fz)
        mu = curve_at(curves, c, max(-gap, 0.0))[0] if c >= 0 else STUCK
        value, by_aim, by_low, by_high = _clamp(pull + stiff * slid, -mu * held, mu * held, soft)
        free, more = 1.0 - by_aim, mu * turned * (by_high - by_low)
        mix = -more * by_force
        _force_row(
            straps, row, k, free * f[k, at] + mix * f[k, N], free * f[k, at + 1] + mix * f[k, N + 1],
            free * f[k, at + 2] + mix * f[k, N + 2],
        )  # fmt: skip
        if by_gap != 0.0:
            _gap_row(straps, row, k, -more * by_gap)
        drag *= free
        a[row, row] -= (
            (by_aim + straps.calm[SLOW]) * stiff + drag + free * max(straps.calm[CALM] - stiff, 0.0)
        )
        straps.b[row] = value - pull + drag * slid
        if moves:
            # the axis turns with the normal
            _bend(straps, row, k, at, -free * _along(f, k, N, fx, fy, fz))


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
    return float(straps.stiff[k] / straps.rest[k if straps.right[k] >= 0 else straps.left[k]])


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
    bend, before = 0.0, straps.left[k]
    for n in range(3):
        bend += axis[before, n] * axis[k, n]
    mu, _ = curve_at(curves, straps.along[k], 0.0)
    grip = math.exp(mu * math.acos(min(max(bend, -1.0), 1.0)))
    one, two, slid = seen[before, TENSION], seen[k, TENSION], straps.fed[k]
    low, high = -(grip - 1.0) * two, (grip - 1.0) * one
    value, by_aim, by_low, by_high = _clamp(two - one + stiff * slid, low, high, straps.calm[SOFT])
    free, drag = 1.0 - by_aim, DRAG * stiff
    _feed_row(straps, row, k, free + by_low * (grip - 1.0), free + by_high * (grip - 1.0), False)
    straps.a[row, row] -= (by_aim + straps.calm[SLOW]) * stiff + drag * free
    straps.b[row] = value - two + one + drag * free * slid


@inner
def _device_row(straps: Straps, spools: Spools, curves: Curves, k: int) -> None:
    """Enter the row of webbing drawn from a device at an end."""
    row, d = straps.unknown[k], straps.spool[k]
    ends = straps.last[k] != 0
    j = straps.left[k] if ends else k
    sign = -1.0 if ends else 1.0
    stiff = _stiffness(straps, k)
    drawn = sign * straps.fed[k]
    held, level, rise, at = graph_of_device(spools, curves, d, straps.seen[j, PULLED], drawn, stiff)
    if held:
        straps.a[row, row] += stiff
        straps.b[row] -= stiff * (straps.fed[k] - sign * at)
        return
    if ends:
        _feed_row(straps, row, k, 0.0, -1.0, True)
    else:
        _feed_row(straps, row, k, 1.0, 0.0, True)
    straps.a[row, row] -= sign * rise
    straps.b[row] = level - straps.seen[j, PULLED]


@inner
def _find_forces(straps: Straps, low: int, high: int) -> None:
    """Sum the tensions at every point."""
    f, seen, axis = straps.force, straps.seen, straps.axis
    for k in range(low, high):
        f[k, 0] = f[k, 1] = f[k, 2] = 0.0
    for k in range(low, high):
        if straps.right[k] < 0:
            continue
        for n in range(3):
            pull = seen[k, TENSION] * axis[k, n]
            f[k, n] += pull
            f[straps.right[k], n] -= pull


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
        if straps.right[k] >= 0:
            right = straps.fed[straps.right[k]]
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
        if straps.surface[k] >= 0 and (straps.right[k] >= 0 or straps.last[k]):
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
        if straps.unknown[k] < 0:
            continue
        if kind == SURFACE:
            _surface_rows(straps, laws, curves, k)
        elif kind == RING:
            _ring_row(straps, curves, k)
        elif kind == ANCHOR:
            _device_row(straps, spools, curves, k)
        elif kind == JUNCTION:
            _junction_rows(straps, low, high, k)


@inner
def _junction_rows(straps: Straps, low: int, high: int, k: int) -> None:
    """Enter one strap's part of a junction's rows; the first point of each adds what is its own."""
    u, a, b, f, m = straps.unknown[k], straps.a, straps.b, straps.frame, straps.join[k]
    drag, calm = DRAG * _stiffness(straps, m), straps.calm[CALM]
    free, value = 1.0, 0.0
    if straps.surface[k] >= 0:
        # free along the surface, kept on it unless it would have to pull
        press = 0.0
        for j in range(low, high):
            if straps.join[j] == m:
                x, y, z = straps.force[j, 0], straps.force[j, 1], straps.force[j, 2]
                press -= _along(f, m, N, x, y, z)
        stiff, soft = _stiffness(straps, m), straps.calm[SOFT]
        z = press - stiff * straps.gap[m]
        root = math.sqrt(z * z + 4.0 * soft * soft)
        value, free = 0.5 * (z + root), 0.5 * (1.0 - z / root)
        if m == k:
            for n in range(3):
                a[u + 2, u + n] -= (1.0 - free) * stiff * straps.slope[m, n]
    for way in range(3):
        dx, dy, dz = unit(0, way), unit(1, way), unit(2, way)
        if straps.surface[k] >= 0:
            dx, dy, dz = f[m, 3 * way], f[m, 3 * way + 1], f[m, 3 * way + 2]
        b[u + way] -= dx * straps.force[k, 0] + dy * straps.force[k, 1] + dz * straps.force[k, 2]
        part = free if way == 2 else 1.0
        _force_row(straps, u + way, k, part * dx, part * dy, part * dz)
        if m == k:
            slid = dx * straps.moved[m, 0] + dy * straps.moved[m, 1] + dz * straps.moved[m, 2]
            b[u + way] += part * drag * slid - (value if way == 2 else 0.0)
            a[u + way, u] -= part * (drag + calm) * dx
            a[u + way, u + 1] -= part * (drag + calm) * dy
            a[u + way, u + 2] -= part * (drag + calm) * dz


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
    """Slide and feed until every condition of harness h holds.

    First from where it was last found, with corners as sharp as they are. If that leads nowhere, from
    the memory, with round corners that are sharpened again and again.
    """
    low, high, calm = straps.first[h], straps.first[h + 1], straps.calm
    short, strong = 1e30, 0.0
    for k in range(low, high):
        _place(straps, surfaces, motion, k)
        if straps.right[k] >= 0:
            short = min(short, straps.rest[k])
        strong = max(strong, straps.stiff[k])
    sharp = SHARP * strong
    calm[SOFT], calm[STEP], calm[STRONG] = sharp, 0.3 * short, strong
    if _solve(straps, spools, laws, surfaces, curves, motion, h, sharp, FEW):
        return
    straps.counts[AGAIN] += 1
    for k in range(low, high):
        straps.fed[k] = 0.0
        for n in range(3):
            straps.x[k, n] = straps.at[k, n]
    soft = 1e-5 * strong
    while soft > sharp:
        calm[SOFT] = soft
        _solve(straps, spools, laws, surfaces, curves, motion, h, soft, FEW)
        soft *= 0.1
    calm[SOFT] = sharp
    if not _solve(straps, spools, laws, surfaces, curves, motion, h, sharp, MANY):
        straps.counts[OPEN] += 1


@inner
def _solve(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    h: int, soft: float, rounds: int,
) -> bool:  # fmt: skip
    """Follow Newton's method for some rounds; say whether all conditions hold.

    Points are slowed down the more, the less that helps (Levenberg and Marquardt's way); a round after
    which much less holds than before is taken back.
    """
    low, high, calm = straps.first[h], straps.first[h + 1], straps.calm
    n, border = straps.size[h, 0], straps.size[h, 1]
    off = last = 0.0
    slow = 1.0
    for round_ in range(rounds):
        most = _look(straps, laws, surfaces, curves, motion, low, high)
        # the way across at which stretching takes over from turning goes with the root of the force
        calm[SLOW] = 0.01 * (slow - 1.0)
        calm[CALM] = 0.03 * math.sqrt(calm[STRONG] * off) / calm[STEP]
        _rows(straps, spools, laws, curves, h)
        straps.counts[ROUNDS] += 1
        worst = size = 0.0
        for i in range(n + border):
            worst = max(worst, abs(straps.b[i]))
            size += straps.b[i] * straps.b[i]
        if worst <= max(EXACT * most, 0.01 * soft):
            return True
        if round_ > 0 and size > UPHILL * last and slow < 1e4:
            slow *= 8.0
            _exchange(straps, low, high, False)
            continue
        slow = max(0.2 * slow, 1.0)
        off, last = worst, size
        _exchange(straps, low, high, True)
        if round_ == rounds - 1 or not solve_arrow(straps.a, straps.b, n, border, HALF):
            break
        far = 0.0
        for i in range(n + border):
            far = max(far, abs(straps.b[i]))
        _move(straps, h, min(1.0, calm[STEP] / far) if far > 0.0 else 1.0)
    # the best that was found may be good enough
    _exchange(straps, low, high, False)
    _look(straps, laws, surfaces, curves, motion, low, high)
    return bool(off <= ENOUGH * calm[STRONG])


@inner
def _exchange(straps: Straps, low: int, high: int, keep: bool) -> None:
    """Keep where everything is, or go back to what was kept."""
    for k in range(low, high):
        for n in range(3):
            if keep:
                straps.kept[k, n] = straps.x[k, n]
            else:
                straps.x[k, n] = straps.kept[k, n]
        if keep:
            straps.kept[k, 3] = straps.fed[k]
        else:
            straps.fed[k] = straps.kept[k, 3]


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
    straps.calm[CALM] = straps.calm[SLOW] = 0.0
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
        after = straps.right[k]
        if after < 0:
            continue
        grows = 0.0
        for m in range(3):
            grows += axis[k, m] * (v[after, m] - v[k, m])
        feed = straps.moved[k, 0] - straps.moved[after, 0]
        seen[k, RATE] = (grows - seen[k, LENGTH] / straps.long[k] * feed) / straps.long[k]
    for k in range(low, high):
        for m in range(3):
            v[k, m] = 0.0


@kernel
def pull_straps(
    straps: Straps, spools: Spools, laws: Laws, surfaces: Surfaces, curves: Curves, motion: Motion,
    torque: Array, force: Array, g: Array, first: int, sums: Array,
) -> None:  # fmt: skip
    """Add the forces of all harnesses; `sums` takes the energy held and the power of the forces.

    The event of a harness is that it begins to give back, or to take again: a step ends there.
    """
    sums[0] = sums[1] = 0.0
    seen = straps.seen
    for h in range(len(straps.size)):
        low, high = straps.first[h], straps.first[h + 1]
        _balance(straps, spools, laws, surfaces, curves, motion, h)
        if straps.rated[h]:
            _rate(straps, spools, laws, curves, motion, h)
        for k in range(low, high):
            if straps.right[k] >= 0:
                n, mode, m = straps.law[k], straps.mode[k], straps.memory
                strain, rate = seen[k, STRAIN], seen[k, RATE]
                pull, held = stretched(laws, curves, n, m, k, mode, strain, rate)
                seen[k, TENSION] = pull
                sums[0] += held * straps.long[k]
            if straps.flesh[k] >= 0 and straps.gap[k] < 0.0:
                n, mode, m = straps.flesh[k], straps.flesh_mode[k], straps.flesh_memory
                sums[0] += stretched(laws, curves, n, m, k, mode, -straps.gap[k], 0.0)[1]
        _find_forces(straps, low, high)
        power, strong = 0.0, 0.0
        for k in range(low, high):
            i, f = straps.body[k], straps.force
            strong = max(strong, straps.stiff[k])
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
            power += f[k, 0] * vx + f[k, 1] * vy + f[k, 2] * vz
            push(torque, force, i, x, y, z, f[k, 0], f[k, 1], f[k, 2])
        sums[1] += power
        g[first + h] = straps.going[h] * power - QUIET * strong
