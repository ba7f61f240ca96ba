"""Where two bodies meet, by Newton's method from where they met before (sections 7.2.1, 7.4).

The second body is mirrored, so that the sum `x + x'` of one point of each reaches the border of their
Minkowski sum where both have their gradients (of `sum |x_i / a_i|^p_i`) parallel. Sought is the sum
that lies on the line `m + t d`, m being the line of centres:

- d along m: both bodies scaled by `e = 1 / (1 + t)` touch in one point. Sums of convex bodies leave
  one answer, so whatever is found is that of the search in `hyper.py`;
- d along the gradient at x: both have the normal in common, and t d is how deep they overlap.

Unknown are x, t and the ratio of both gradients. Points rather than normals are sought: on a flat face
of high power the normal hardly says where.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.forces.surfaces import Surfaces
from solver.maths.kernels import inner

MET, EXTRA = 4, 7
"""Entries of a warm start: the point of the first body, own axes; 1 + t, zero if there is none."""

WARM = 12
"""Columns of a warm start: the normal and the start of ellipsoids stand first, deepest points last."""

TURN, LINE, STATE, SCALE = 15, 24, 27, 32
"""Where things stand in the room: the second body's axes in those of the first, the line of centres;
point, t and ratio of gradients; d along the centres, in parts of their line."""

ROUNDS = 12
"""Rounds after which the search is left to do it."""

SMALL = 1e-7
"""Last step, in parts of the bodies and times their powers; what is left is of its square."""

FAR = 0.5
"""Step in parts of the bodies that is no longer one of Newton's method from nearby."""


@inner
def slopes(surfaces: Surfaces, k: int, x: float, y: float, z: float, room: Array, r: int) -> float:
    """Put gradient and curvatures of a body at a point, own axes, in row r; gives the sum of powers."""
    total = 0.0
    for n in range(3):
        s, p = surfaces.semi[k, n], surfaces.power[k, n]
        at = (x if n == 0 else (y if n == 1 else z)) / s
        f = 1.0 if p == 2.0 else abs(at) ** (p - 2.0)
        room[r, n] = p * f * at / s
        room[r, 3 + n] = p * (p - 1.0) * f / (s * s)
        total += f * at * at
    return total


@inner
def follow(surfaces: Surfaces, a: int, b: int, part: float, room: Array, x: Array) -> bool:
    """Find the points for a direction that has turned by that part, from the state there is.

    Says whether they were found; then the first row of `room` holds the gradient there.
    """
    mx, my, mz = x[LINE], x[LINE + 1], x[LINE + 2]
    semi, power, scale = surfaces.semi, surfaces.power, (1.0 - part) * x[SCALE]
    steep = max(power[a, 0], power[a, 1], power[a, 2], power[b, 0], power[b, 1], power[b, 2])
    r0, r1, r2, r3, r4, r5 = x[15], x[16], x[17], x[18], x[19], x[20]
    r6, r7, r8 = x[21], x[22], x[23]
    px, py, pz, t, ratio = x[STATE], x[STATE + 1], x[STATE + 2], x[STATE + 3], x[STATE + 4]
    for n in range(ROUNDS):
        on_a = slopes(surfaces, a, px, py, pz, room, 0) - 1.0
        ax, ay, az, ux, uy, uz = (
            room[0, 0],
            room[0, 1],
            room[0, 2],
            room[0, 3],
            room[0, 4],
            room[0, 5],
        )
        dx, dy, dz = scale * mx + part * ax, scale * my + part * ay, scale * mz + part * az
        # the mirrored second body's point
        sx, sy, sz = mx + t * dx - px, my + t * dy - py, mz + t * dz - pz
        on_b = slopes(
            surfaces, b, r0 * sx + r3 * sy + r6 * sz, r1 * sx + r4 * sy + r7 * sz,
            r2 * sx + r5 * sy + r8 * sz, room, 1,
        ) - 1.0  # fmt: skip
        bx = r0 * room[1, 0] + r1 * room[1, 1] + r2 * room[1, 2]
        by = r3 * room[1, 0] + r4 * room[1, 1] + r5 * room[1, 2]
        bz = r6 * room[1, 0] + r7 * room[1, 1] + r8 * room[1, 2]
        if n == 0:
            ratio = (ax * bx + ay * by + az * bz) / (bx * bx + by * by + bz * bz)
        w0, w1, w2 = ratio * room[1, 3], ratio * room[1, 4], ratio * room[1, 5]
        kxx, kyy = (
            w0 * r0 * r0 + w1 * r1 * r1 + w2 * r2 * r2,
            w0 * r3 * r3 + w1 * r4 * r4 + w2 * r5 * r5,
        )
        kzz, kxy = (
            w0 * r6 * r6 + w1 * r7 * r7 + w2 * r8 * r8,
            w0 * r0 * r3 + w1 * r1 * r4 + w2 * r2 * r5,
        )
        kxz, kyz = (
            w0 * r0 * r6 + w1 * r1 * r7 + w2 * r2 * r8,
            w0 * r3 * r6 + w1 * r4 * r7 + w2 * r5 * r8,
        )
        # curvatures of both, those of the second for its own way: (1 - t part W) of the first's
        gx, gy, gz = 1.0 - t * part * ux, 1.0 - t * part * uy, 1.0 - t * part * uz
        h0, h1, h2 = ux + kxx * gx, kxy * gy, kxz * gz
        h3, h4, h5 = kxy * gx, uy + kyy * gy, kyz * gz
        h6, h7, h8 = kxz * gx, kyz * gy, uz + kzz * gz
        i0, i1, i2 = h4 * h8 - h5 * h7, h2 * h7 - h1 * h8, h1 * h5 - h2 * h4
        i3, i4, i5 = h5 * h6 - h3 * h8, h0 * h8 - h2 * h6, h2 * h3 - h0 * h5
        i6, i7, i8 = h3 * h7 - h4 * h6, h1 * h6 - h0 * h7, h0 * h4 - h1 * h3
        det = h0 * i0 + h1 * i3 + h2 * i6
        # the step by itself, for each part of t and for each of the ratio
        ex, ey, ez = ratio * bx - ax, ratio * by - ay, ratio * bz - az
        x0, y0 = (i0 * ex + i1 * ey + i2 * ez) / det, (i3 * ex + i4 * ey + i5 * ez) / det
        z0 = (i6 * ex + i7 * ey + i8 * ez) / det
        ex, ey = kxx * dx + kxy * dy + kxz * dz, kxy * dx + kyy * dy + kyz * dz
        ez = kxz * dx + kyz * dy + kzz * dz
        x1, y1 = (i0 * ex + i1 * ey + i2 * ez) / det, (i3 * ex + i4 * ey + i5 * ez) / det
        z1 = (i6 * ex + i7 * ey + i8 * ez) / det
        x2, y2 = (i0 * bx + i1 * by + i2 * bz) / det, (i3 * bx + i4 * by + i5 * bz) / det
        z2 = (i6 * bx + i7 * by + i8 * bz) / det
        # both points stay on their bodies
        ex, ey, ez = -gx * bx, -gy * by, -gz * bz
        f1, f2 = -on_a - (ax * x0 + ay * y0 + az * z0), -on_b - (ex * x0 + ey * y0 + ez * z0)
        h11, h12 = ax * x1 + ay * y1 + az * z1, ax * x2 + ay * y2 + az * z2
        h21 = ex * x1 + ey * y1 + ez * z1 + bx * dx + by * dy + bz * dz
        h22 = ex * x2 + ey * y2 + ez * z2
        det = h11 * h22 - h12 * h21
        dt, dr = (f1 * h22 - f2 * h12) / det, (h11 * f2 - h21 * f1) / det
        qx, qy, qz = x0 + dt * x1 + dr * x2, y0 + dt * y1 + dr * y2, z0 + dt * z1 + dr * z2
        px, py, pz, t, ratio = px + qx, py + qy, pz + qz, t + dt, ratio + dr
        step = max(abs(qx) / semi[a, 0], abs(qy) / semi[a, 1], abs(qz) / semi[a, 2])
        sx, sy, sz = dt * dx - gx * qx, dt * dy - gy * qy, dt * dz - gz * qz
        step = max(
            step, abs(r0 * sx + r3 * sy + r6 * sz) / semi[b, 0],
            abs(r1 * sx + r4 * sy + r7 * sz) / semi[b, 1],
            abs(r2 * sx + r5 * sy + r8 * sz) / semi[b, 2],
        )  # fmt: skip
        if not (step < FAR and ratio > 0.0 and (1.0 + t * scale > 0.0 if part == 0.0 else t > 0.0)):
            return False
        if steep * step < SMALL and abs(dr) < SMALL * ratio:
            x[STATE], x[STATE + 1], x[STATE + 2], x[STATE + 3], x[STATE + 4] = px, py, pz, t, ratio
            # taken along by the last step
            room[0, 0], room[0, 1], room[0, 2] = ax + ux * qx, ay + uy * qy, az + uz * qz
            return True
    return False


@inner
def set_out(mx: float, my: float, mz: float, turn_a: Array, turn_b: Array, x: Array) -> None:
    """Put axes and line of centres, as the first body has them, in place."""
    ta, tb = turn_a, turn_b
    for n in range(3):
        for i in range(3):
            x[TURN + 3 * n + i] = ta[n] * tb[i] + ta[3 + n] * tb[3 + i] + ta[6 + n] * tb[6 + i]
        x[LINE + n] = ta[n] * mx + ta[3 + n] * my + ta[6 + n] * mz


@inner
def bring_back(turn: Array, room: Array, x: Array) -> None:
    """Give normal and point of the first body, ground axes."""
    nx, ny, nz = room[0, 0], room[0, 1], room[0, 2]
    size = math.sqrt(nx * nx + ny * ny + nz * nz)
    nx, ny, nz = nx / size, ny / size, nz / size
    px, py, pz = x[STATE], x[STATE + 1], x[STATE + 2]
    for n in range(3):
        x[1 + n] = turn[3 * n] * nx + turn[3 * n + 1] * ny + turn[3 * n + 2] * nz
        x[5 + n] = turn[3 * n] * px + turn[3 * n + 1] * py + turn[3 * n + 2] * pz


@inner
def meet(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, turn_a: Array, turn_b: Array,
    warm: Array, k: int, room: Array, x: Array,
) -> bool:  # fmt: skip
    """Scale two bodies, whose centres are m apart, until they touch; says no where that fails.

    `x` takes what `touch_scaled` gives.
    """
    if not warm[k, EXTRA] > 0.0:
        return False
    set_out(mx, my, mz, turn_a, turn_b, x)
    for n in range(3):
        x[STATE + n] = warm[k, MET + n]
    x[STATE + 3], x[SCALE] = warm[k, EXTRA] - 1.0, 1.0
    if not follow(surfaces, a, b, 0.0, room, x):
        return False
    for n in range(3):
        warm[k, MET + n] = x[STATE + n]
    extra = 1.0 + x[STATE + 3]
    warm[k, EXTRA] = extra
    bring_back(turn_a, room, x)
    x[0], x[4] = 1.0 / extra, extra * (x[1] * mx + x[2] * my + x[3] * mz)
    return True


@inner
def keep_meeting(turn: Array, found: Array, warm: Array, k: int) -> None:
    """Keep what a search has found, to begin with the next time."""
    x, y, z = found[5], found[6], found[7]
    for n in range(3):
        warm[k, MET + n] = turn[n] * x + turn[3 + n] * y + turn[6 + n] * z
    warm[k, EXTRA] = 1.0 / found[0]
