"""Globographic stops: a torque where a limb leaves its contour (section 6.2.6)."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import FREE, Array, IntArray, Motion, Tree
from solver.forces.joint_springs import blend
from solver.maths.bundles import bundle
from solver.maths.curve import Curves, curve_area, curve_at
from solver.maths.kernels import inner, kernel


@bundle
class Contours(NamedTuple):
    """Hold globographic stops: coefficients C1, C2, ..., or a curve of the azimuth, and torques.

    `depth` beyond the contour and the axis `across` it (ground axes) stay for events.
    """

    parent: IntArray
    body: IntArray
    R_AP: Array
    R_BC: Array
    terms: IntArray
    coefficient: Array
    angle: IntArray
    torque: IntArray
    returned: Array
    depth: Array
    across: Array


@kernel
def contour_angle(contours: Contours, curves: Curves, k: int, phi: float) -> tuple[float, float]:
    """Give the stop's angle at an azimuth, and its slope (section 6.2.6)."""
    if contours.angle[k] >= 0:
        return curve_at(curves, contours.angle[k], phi if phi >= 0.0 else phi + 2.0 * math.pi)
    c, s = math.cos(phi), math.sin(phi)
    angle = slope = 0.0
    power, below = 1.0, 0.0
    for n in range(contours.terms[k]):
        # power = c^n, below = n c^(n-1)
        a, b = contours.coefficient[k, 2 * n], contours.coefficient[k, 2 * n + 1]
        angle += power * (a + b * s)
        slope += -s * below * (a + b * s) + power * b * c
        below = below * c + power
        power *= c
    return angle, slope


@inner
def contour_torques(
    contours: Contours, curves: Curves, tree: Tree, motion: Motion, torque: Array, sums: Array
) -> None:
    """Push bodies back into their contours; `sums` is that of `joint_torques`."""
    P, C, R = contours.R_AP, contours.R_BC, motion.R
    for k in range(len(contours.body)):
        i, m = contours.body[k], contours.parent[k]
        if tree.kind[i] == FREE:
            continue
        # the child's z axis and the parent's axes, ground axes
        r0 = R[i, 0] * C[k, 2] + R[i, 1] * C[k, 5] + R[i, 2] * C[k, 8]
        r1 = R[i, 3] * C[k, 2] + R[i, 4] * C[k, 5] + R[i, 5] * C[k, 8]
        r2 = R[i, 6] * C[k, 2] + R[i, 7] * C[k, 5] + R[i, 8] * C[k, 8]
        wx, wy, wz = motion.w[i, 0], motion.w[i, 1], motion.w[i, 2]
        if m >= 0:
            wx, wy, wz = wx - motion.w[m, 0], wy - motion.w[m, 1], wz - motion.w[m, 2]
            # in the parent's axes
            r0, r1, r2 = (
                R[m, 0] * r0 + R[m, 3] * r1 + R[m, 6] * r2,
                R[m, 1] * r0 + R[m, 4] * r1 + R[m, 7] * r2,
                R[m, 2] * r0 + R[m, 5] * r1 + R[m, 8] * r2,
            )
            wx, wy, wz = (
                R[m, 0] * wx + R[m, 3] * wy + R[m, 6] * wz,
                R[m, 1] * wx + R[m, 4] * wy + R[m, 7] * wz,
                R[m, 2] * wx + R[m, 5] * wy + R[m, 8] * wz,
            )
        # in the parent's joint frame
        d0 = P[k, 0] * r0 + P[k, 3] * r1 + P[k, 6] * r2
        d1 = P[k, 1] * r0 + P[k, 4] * r1 + P[k, 7] * r2
        d2 = P[k, 2] * r0 + P[k, 5] * r1 + P[k, 8] * r2
        sine = math.sqrt(d0 * d0 + d1 * d1)
        contours.depth[k] = -1.0
        if sine < 1e-12:
            continue
        theta, phi = math.atan2(sine, d2), math.atan2(d1, d0)
        limit, slope = contour_angle(contours, curves, k, phi)
        root = math.sqrt(sine * sine + slope * slope)
        depth = (theta - limit) * sine / root
        contours.depth[k] = depth
        # -(unit vector of phi times sin theta + unit vector of theta times slope) / root
        c, s = d0 / sine, d1 / sine
        m0 = -(-s * sine + d2 * c * slope) / root
        m1 = -(c * sine + d2 * s * slope) / root
        m2 = sine * slope / root
        x = P[k, 0] * m0 + P[k, 1] * m1 + P[k, 2] * m2
        y = P[k, 3] * m0 + P[k, 4] * m1 + P[k, 5] * m2
        z = P[k, 6] * m0 + P[k, 7] * m1 + P[k, 8] * m2
        across = contours.across
        across[k, 0], across[k, 1], across[k, 2] = -x, -y, -z
        if m >= 0:
            for n in range(3):
                across[k, n] = -(R[m, 3 * n] * x + R[m, 3 * n + 1] * y + R[m, 3 * n + 2] * z)
        if depth <= 0.0:
            continue
        rate = -(x * wx + y * wy + z * wz)
        size, _ = curve_at(curves, contours.torque[k], depth)
        size *= blend(contours.returned[k], rate)
        sums[0] += curve_area(curves, contours.torque[k], depth)
        sums[1] -= size * rate
        x, y, z = size * x, size * y, size * z
        if m >= 0:
            x, y, z = (
                R[m, 0] * x + R[m, 1] * y + R[m, 2] * z,
                R[m, 3] * x + R[m, 4] * y + R[m, 5] * z,
                R[m, 6] * x + R[m, 7] * y + R[m, 8] * z,
            )
            torque[m, 0], torque[m, 1] = torque[m, 0] - x, torque[m, 1] - y
            torque[m, 2] -= z
        torque[i, 0], torque[i, 1], torque[i, 2] = (
            torque[i, 0] + x,
            torque[i, 1] + y,
            torque[i, 2] + z,
        )
