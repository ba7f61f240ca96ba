"""Where two scaled bodies meet, by Newton's method from where they met before (section 7.2.1).

Unknown are a point x of the first body, the factor f = 1 / e and the ratio r of both gradients. The
second body is mirrored, so that its point is x' = f m - x; then both points lie on their bodies, and
the gradients g (of `sum |x_i / a_i|^p_i`) are parallel. Points rather than normals are sought: on a
flat face of high power the normal hardly says where. Sums of convex bodies leave one answer only, so
whatever is found with r and f above zero is that of the search in `hyper.py`.
"""

from __future__ import annotations

import math

from solver.dynamics.tree import Array
from solver.forces.surfaces import Surfaces
from solver.maths.kernels import inlined, inner

MET, FACTOR = 4, 7
"""Entries of a warm start: the point of the first body, own axes; the factor, zero if there is none."""

WARM = 8
"""Columns of a warm start; the normal and the start of ellipsoids stand before these."""

ROUNDS = 12
"""Rounds after which the search is left to do it."""

SMALL = 1e-7
"""Last step, in parts of the bodies and times their powers; what is left is of its square."""

FAR = 0.5
"""Step in parts of the bodies that is no longer one of Newton's method from nearby."""


@inner
def _slopes(surfaces: Surfaces, k: int, x: float, y: float, z: float, room: Array, r: int) -> float:
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


@inlined
def _back(
    d0: float, d1: float, d2: float, l10: float, l20: float, l21: float, x: float, y: float, z: float
) -> tuple[float, float, float]:  # fmt: skip
    """Solve with the factors L D L' of a matrix."""
    y1 = y - l10 * x
    z2 = (z - l20 * x - l21 * y1) / d2
    y2 = y1 / d1 - l21 * z2
    return x / d0 - l10 * y2 - l20 * z2, y2, z2


@inner
def meet(
    surfaces: Surfaces, a: int, b: int, mx: float, my: float, mz: float, turn_a: Array, turn_b: Array,
    warm: Array, k: int, room: Array, out: Array,
) -> bool:  # fmt: skip
    """Scale two bodies, whose centres are m apart, until they touch; says no where that fails.

    `out` takes what `touch_scaled` gives.
    """
    x, y, z, factor = warm[k, MET], warm[k, MET + 1], warm[k, MET + 2], warm[k, FACTOR]
    if not factor > 0.0:
        return False
    ta, tb, semi, power = turn_a, turn_b, surfaces.semi, surfaces.power
    # all in the axes of the first body: the second one's axes, and the line of centres
    r0 = ta[0] * tb[0] + ta[3] * tb[3] + ta[6] * tb[6]
    r1 = ta[0] * tb[1] + ta[3] * tb[4] + ta[6] * tb[7]
    r2 = ta[0] * tb[2] + ta[3] * tb[5] + ta[6] * tb[8]
    r3 = ta[1] * tb[0] + ta[4] * tb[3] + ta[7] * tb[6]
    r4 = ta[1] * tb[1] + ta[4] * tb[4] + ta[7] * tb[7]
    r5 = ta[1] * tb[2] + ta[4] * tb[5] + ta[7] * tb[8]
    r6 = ta[2] * tb[0] + ta[5] * tb[3] + ta[8] * tb[6]
    r7 = ta[2] * tb[1] + ta[5] * tb[4] + ta[8] * tb[7]
    r8 = ta[2] * tb[2] + ta[5] * tb[5] + ta[8] * tb[8]
    mx, my, mz = (
        ta[0] * mx + ta[3] * my + ta[6] * mz,
        ta[1] * mx + ta[4] * my + ta[7] * mz,
        ta[2] * mx + ta[5] * my + ta[8] * mz,
    )
    steep = max(
        power[a, 0], power[a, 1], power[a, 2], power[b, 0], power[b, 1], power[b, 2]
    )  # fmt: skip
    ratio = 0.0
    for n in range(ROUNDS):
        # the mirrored second body's point, in its own axes
        px, py, pz = factor * mx - x, factor * my - y, factor * mz - z
        on_a = _slopes(surfaces, a, x, y, z, room, 0) - 1.0
        on_b = _slopes(
            surfaces, b, r0 * px + r3 * py + r6 * pz, r1 * px + r4 * py + r7 * pz,
            r2 * px + r5 * py + r8 * pz, room, 1,
        ) - 1.0  # fmt: skip
        ax, ay, az = room[0, 0], room[0, 1], room[0, 2]
        bx = r0 * room[1, 0] + r1 * room[1, 1] + r2 * room[1, 2]
        by = r3 * room[1, 0] + r4 * room[1, 1] + r5 * room[1, 2]
        bz = r6 * room[1, 0] + r7 * room[1, 1] + r8 * room[1, 2]
        if n == 0:
            ratio = (ax * bx + ay * by + az * bz) / (bx * bx + by * by + bz * bz)
        # curvatures of the second body in these axes, times the ratio
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
        mkx, mky, mkz = (
            kxx * mx + kxy * my + kxz * mz,
            kxy * mx + kyy * my + kyz * mz,
            kxz * mx + kyz * my + kzz * mz,
        )
        d0 = room[0, 3] + kxx
        l10, l20 = kxy / d0, kxz / d0
        d1 = room[0, 4] + kyy - l10 * kxy
        l21 = (kyz - l20 * kxy) / d1
        d2 = room[0, 5] + kzz - l20 * kxz - l21 * l21 * d1
        if not (ratio > 0.0 and d0 > 0.0 and d1 > 0.0 and d2 > 0.0):
            return False
        # the step of x by itself, for each part of the factor's and for each of the ratio's
        x0, y0, z0 = _back(
            d0, d1, d2, l10, l20, l21, ratio * bx - ax, ratio * by - ay, ratio * bz - az
        )  # fmt: skip
        x1, y1, z1 = _back(
            d0, d1, d2, l10, l20, l21, mkx, mky, mkz
        )  # fmt: skip
        x2, y2, z2 = _back(
            d0, d1, d2, l10, l20, l21, bx, by, bz
        )  # fmt: skip
        h11, h12 = ax * x1 + ay * y1 + az * z1, ax * x2 + ay * y2 + az * z2
        h21 = bx * (mx - x1) + by * (my - y1) + bz * (mz - z1)
        h22 = -(bx * x2 + by * y2 + bz * z2)
        f1 = -on_a - (ax * x0 + ay * y0 + az * z0)
        f2 = -on_b + bx * x0 + by * y0 + bz * z0
        det = h11 * h22 - h12 * h21
        df, dr = (f1 * h22 - f2 * h12) / det, (h11 * f2 - h21 * f1) / det
        dx, dy, dz = x0 + df * x1 + dr * x2, y0 + df * y1 + dr * y2, z0 + df * z1 + dr * z2
        x, y, z, factor, ratio = x + dx, y + dy, z + dz, factor + df, ratio + dr
        px, py, pz = df * mx - dx, df * my - dy, df * mz - dz
        step = max(abs(dx) / semi[a, 0], abs(dy) / semi[a, 1], abs(dz) / semi[a, 2])
        step = max(
            step, abs(r0 * px + r3 * py + r6 * pz) / semi[b, 0],
            abs(r1 * px + r4 * py + r7 * pz) / semi[b, 1],
            abs(r2 * px + r5 * py + r8 * pz) / semi[b, 2],
        )  # fmt: skip
        if not (step < FAR and factor > 0.0 and ratio > 0.0):
            return False
        if steep * step < SMALL and abs(dr) < SMALL * ratio:
            # the normal of the first body, taken along
            nx, ny, nz = ax + room[0, 3] * dx, ay + room[0, 4] * dy, az + room[0, 5] * dz
            size = math.sqrt(nx * nx + ny * ny + nz * nz)
            nx, ny, nz = nx / size, ny / size, nz / size
            warm[k, MET], warm[k, MET + 1], warm[k, MET + 2], warm[k, FACTOR] = x, y, z, factor
            out[0], out[4] = 1.0 / factor, factor * (nx * mx + ny * my + nz * mz)
            for i in range(3):
                out[1 + i] = ta[3 * i] * nx + ta[3 * i + 1] * ny + ta[3 * i + 2] * nz
                out[5 + i] = ta[3 * i] * x + ta[3 * i + 1] * y + ta[3 * i + 2] * z
            return True
    return False


@inner
def keep_meeting(turn: Array, found: Array, warm: Array, k: int) -> None:
    """Keep what a search has found, to begin with the next time."""
    x, y, z = found[5], found[6], found[7]
    for n in range(3):
        warm[k, MET + n] = turn[n] * x + turn[3 + n] * y + turn[6 + n] * z
    warm[k, FACTOR] = 1.0 / found[0]
