"""Prescribed motions: coordinates and their rates of driven bodies from profiles of time.

A body's displacement follows the motion's own axes M; the attitude is `R_WM E(yaw, pitch, roll) R_WM^T`
times the attitude at the start, turned about the body's origin.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray, Tree
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.kernels import inlined, kernel
from solver.maths.profile import Profiles, profile_at


@bundle
class Drives(NamedTuple):
    """Hold what is driven: bodies, by x, y, z, yaw, pitch, roll and the constant turns about them."""

    body: IntArray
    profile: IntArray
    origin: Array
    R_WM: Array
    q_WM: Array
    q_MB: Array
    R_MB: Array
    profiles: Profiles


@inlined
def _times(
    a: float, b: float, c: float, d: float, w: float, x: float, y: float, z: float
) -> tuple[float, float, float, float]:
    """Multiply two quaternions."""
    return (
        a * w - b * x - c * y - d * z,
        a * x + b * w + c * z - d * y,
        a * y - b * z + c * w + d * x,
        a * z + b * y - c * x + d * w,
    )


@alone
@kernel
def drive(
    drives: Drives, tree: Tree, t: float, within: float, q: Array, v: Array, rates: Array
) -> None:
    """Set coordinates, speeds and rates of driven bodies at a time (see `profile_at`)."""
    n, left, right, R = drives.R_WM, drives.q_WM, drives.q_MB, drives.R_MB
    for d in range(len(drives.body)):
        i = drives.body[d]
        a, b = tree.at_q[i], tree.at_v[i]
        p = drives.profile
        x, vx, ax = profile_at(drives.profiles, p[d, 0], t, within)
        y, vy, ay = profile_at(drives.profiles, p[d, 1], t, within)
        z, vz, az = profile_at(drives.profiles, p[d, 2], t, within)
        yaw, yaw1, yaw2 = profile_at(drives.profiles, p[d, 3], t, within)
        pitch, pitch1, pitch2 = profile_at(drives.profiles, p[d, 4], t, within)
        roll, roll1, roll2 = profile_at(drives.profiles, p[d, 5], t, within)
        for k in range(3):
            n0, n1, n2 = n[d, 3 * k], n[d, 3 * k + 1], n[d, 3 * k + 2]
            q[a + k] = drives.origin[d, k] + n0 * x + n1 * y + n2 * z
            v[b + k] = n0 * vx + n1 * vy + n2 * vz
            rates[b + k] = n0 * ax + n1 * ay + n2 * az
        cy, sy = math.cos(0.5 * yaw), math.sin(0.5 * yaw)
        cp, sp = math.cos(0.5 * pitch), math.sin(0.5 * pitch)
        cr, sr = math.cos(0.5 * roll), math.sin(0.5 * roll)
        e = (
            cr * cp * cy + sr * sp * sy,
            sr * cp * cy - cr * sp * sy,
            cr * sp * cy + sr * cp * sy,
            cr * cp * sy - sr * sp * cy,
        )
        m = _times(left[d, 0], left[d, 1], left[d, 2], left[d, 3], e[0], e[1], e[2], e[3])
        m = _times(m[0], m[1], m[2], m[3], right[d, 0], right[d, 1], right[d, 2], right[d, 3])
        q[a + 3], q[a + 4], q[a + 5], q[a + 6] = m
        # rates about the axes after roll (section 2.4), then in the body's axes
        s, c, tr, cr = math.sin(pitch), math.cos(pitch), math.sin(roll), math.cos(roll)
        w0 = roll1 - yaw1 * s
        w1 = pitch1 * cr + yaw1 * c * tr
        w2 = -pitch1 * tr + yaw1 * c * cr
        u0 = roll2 - yaw2 * s - yaw1 * c * pitch1
        u1 = (
            pitch2 * cr
            - pitch1 * tr * roll1
            + yaw2 * c * tr
            + yaw1 * (c * cr * roll1 - s * pitch1 * tr)
        )
        u2 = (
            -pitch2 * tr
            - pitch1 * cr * roll1
            + yaw2 * c * cr
            - yaw1 * (c * tr * roll1 + s * pitch1 * cr)
        )
        for k in range(3):
            r0, r1, r2 = R[d, k], R[d, 3 + k], R[d, 6 + k]
            v[b + 3 + k] = r0 * w0 + r1 * w1 + r2 * w2
            rates[b + 3 + k] = r0 * u0 + r1 * u1 + r2 * u2
