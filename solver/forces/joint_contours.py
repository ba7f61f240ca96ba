"""Globographic stops: a torque where a limb leaves its contour (section 6.2.6).

The torque acts along the gradient of the depth, so that it gives back what it has taken. The seed's
direction (6.21) is that gradient at the contour only; `printed` keeps to it.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import FREE, Array, IntArray, Motion, Tree
from solver.forces.joint_springs import blend
from solver.maths.bundles import bundle
from solver.maths.curve import Curves, curve_area, curve_at, curve_bend
from solver.maths.kernels import inner, kernel


@bundle
class Contours(NamedTuple):
    """Hold globographic stops: coefficients C1, C2, ..., or a curve of the azimuth, and torques.

    `depth` beyond the contour, and what gives its rate from that of the turn (`across`, ground
    axes), stay for events.
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
    printed: IntArray
    depth: Array
    across: Array


@kernel
def contour_angle(
    contours: Contours, curves: Curves, k: int, phi: float
) -> tuple[float, float, float]:
    """Give the stop's angle at an azimuth, its slope, and the rate of that (section 6.2.6)."""
    if contours.angle[k] >= 0:
        x = phi if phi >= 0.0 else phi + 2.0 * math.pi
        angle, slope = curve_at(curves, contours.angle[k], x)
        return angle, slope, curve_bend(curves, contours.angle[k], x)
    c, s = math.cos(phi), math.sin(phi)
    angle = slope = bend = 0.0
    # power = c^n, below = n c^(n-1), lower = n (n-1) c^(n-2)
    power, below, lower = 1.0, 0.0, 0.0
    for n in range(contours.terms[k]):
        a, b = contours.coefficient[k, 2 * n], contours.coefficient[k, 2 * n + 1]
        round_ = a + b * s
        angle += power * round_
        slope += -s * below * round_ + power * b * c
        bend += (s * s * lower - c * below) * round_ - 2.0 * s * c * below * b - power * b * s
        lower = lower * c + 2.0 * below
        below = below * c + power
        power *= c
    return angle, slope, bend


@kernel
def contour_depth(
    contours: Contours, curves: Curves, k: int, d0: float, d1: float, d2: float
) -> tuple[float, float, float, float]:
    """Give the depth beyond a contour of an axis d (parent's joint frame), and its gradient.

    The last three turn a rate of turning (parent's joint frame) into that of the depth. The axis must
    not lie along z.
    """
    sine = math.sqrt(d0 * d0 + d1 * d1)
    theta, phi = math.atan2(sine, d2), math.atan2(d1, d0)
    limit, slope, bend = contour_angle(contours, curves, k, phi)
    root = math.sqrt(sine * sine + slope * slope)
    depth = (theta - limit) * sine / root
    # by theta, and by phi over the sine
    by_theta, by_phi = sine / root, -slope / root
    if not contours.printed[k]:
        more = (theta - limit) * slope / (root * root * root)
        by_theta += more * slope * d2
        by_phi -= more * bend
    c, s = d0 / sine, d1 / sine
    x = -by_theta * s - by_phi * d2 * c
    y = by_theta * c - by_phi * d2 * s
    return depth, x, y, by_phi * sine


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
        contours.depth[k] = -1.0
        if d0 * d0 + d1 * d1 < 1e-24:
            continue
        depth, m0, m1, m2 = contour_depth(contours, curves, k, d0, d1, d2)
        contours.depth[k] = depth
        x = P[k, 0] * m0 + P[k, 1] * m1 + P[k, 2] * m2
        y = P[k, 3] * m0 + P[k, 4] * m1 + P[k, 5] * m2
        z = P[k, 6] * m0 + P[k, 7] * m1 + P[k, 8] * m2
        across = contours.across
        across[k, 0], across[k, 1], across[k, 2] = x, y, z
        if m >= 0:
            for n in range(3):
                across[k, n] = R[m, 3 * n] * x + R[m, 3 * n + 1] * y + R[m, 3 * n + 2] * z
        if depth <= 0.0:
            continue
        rate, returned = x * wx + y * wy + z * wz, contours.returned[k]
        size, _ = curve_at(curves, contours.torque[k], depth)
        size *= blend(returned, rate if size >= 0.0 else -rate)
        sums[0] += 0.5 * (1.0 + returned) * curve_area(curves, contours.torque[k], depth)
        sums[1] -= size * rate
        x, y, z = -size * x, -size * y, -size * z
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
