"""Torques about the three axes of Euler joints (section 6.3)."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import BALL, FREE, Array, IntArray, Tree
from solver.forces.joints.springs import Frictions, Springs, friction_factor, spring_torque
from solver.forces.joints.turned import add_turned, to_joint, wrapped
from solver.maths.bundles import bundle
from solver.maths.curve import Curves
from solver.maths.kernels import inner

SINGULAR = 1e-4
"""Squared sine of the nutation below which precession and spin are told apart less and less: there
the three axes lie in a plane, and the pins would hold the joint across it."""


@bundle
class EulerLaws(NamedTuple):
    """Hold what acts about precession, nutation and spin: bodies, springs and frictions of the three.

    Where all three are open the last body is a BALL and the others are held; else each is a TURN.
    What is seen at an evaluation stays for events: angles from the centres in `angle`, rates and
    torques in `seen`, and, of a BALL, the three axes (body axes) in `axes`.
    """

    body: IntArray
    R_BC: Array
    centre: Array
    spring: IntArray
    friction: IntArray
    angle: Array
    seen: Array
    axes: Array


@inner
def gradient_of(eulers: EulerLaws, k: int, n: int) -> tuple[float, float, float]:
    """Give what turns the n-th angle of an open Euler joint alone, as it was last seen (body axes)."""
    axes, at = eulers.axes, 3 * k
    if n == 1:
        return axes[at + 1, 0], axes[at + 1, 1], axes[at + 1, 2]
    cosine = 0.0
    for m in range(3):
        cosine += axes[at, m] * axes[at + 2, m]
    damp = 1.0 / max(1.0 - cosine * cosine, SINGULAR)
    one, other = at + n, at + 2 - n
    return (
        (axes[one, 0] - cosine * axes[other, 0]) * damp,
        (axes[one, 1] - cosine * axes[other, 1]) * damp,
        (axes[one, 2] - cosine * axes[other, 2]) * damp,
    )


@inner
def on_eulers(
    eulers: EulerLaws, springs: Springs, frictions: Frictions, curves: Curves, tree: Tree, q: Array, v: Array,
    tau: Array, sums: Array,
) -> None:  # fmt: skip
    """Let springs and frictions act about precession, nutation and spin."""
    s, f, centre = eulers.spring, eulers.friction, eulers.centre
    for k in range(len(eulers.body)):
        i = eulers.body[k, 2]
        if tree.kind[i] == FREE:
            continue
        ball = tree.kind[i] == BALL
        a, b = tree.at_q[i], tree.at_v[i]
        p0 = p1 = n0 = n1 = 0.0
        if ball:
            w = q[a]
            x, y, z = to_joint(eulers.R_BC, k, q, a + 1)
            rx, ry, rz = to_joint(eulers.R_BC, k, v, b)
            half, other = math.atan2(z, w), math.atan2(y, x)
            # the parent's z axis in the child's joint frame, and the line of nodes
            p0, p1 = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x)
            cosine, sine = w * w + z * z - x * x - y * y, math.sqrt(p0 * p0 + p1 * p1)
            n0, n1 = (p1 / sine, -p0 / sine) if sine > 1e-12 else (0.0, 0.0)
            phi, psi = half + other - centre[k, 0], half - other - centre[k, 2]
            phi, psi = wrapped(wrapped(phi)), wrapped(wrapped(psi))
            theta = math.atan2(sine, cosine) - centre[k, 1]
            about_1, theta1 = p0 * rx + p1 * ry + cosine * rz, n0 * rx + n1 * ry
            damp = 1.0 / max(sine * sine, SINGULAR)
            phi1, psi1 = (about_1 - cosine * rz) * damp, (rz - cosine * about_1) * damp
        else:
            at1, at2 = eulers.body[k, 0], eulers.body[k, 1]
            phi, theta, psi = q[tree.at_q[at1]], q[tree.at_q[at2]], q[a]
            phi1, theta1, psi1 = v[tree.at_v[at1]], v[tree.at_v[at2]], v[b]
            cosine = damp = 0.0
            phi, theta, psi = phi - centre[k, 0], theta - centre[k, 1], psi - centre[k, 2]
        t1, e1 = spring_torque(springs, curves, s[k, 0], phi, phi1)
        t2, e2 = spring_torque(springs, curves, s[k, 1], theta, theta1)
        t3, e3 = spring_torque(springs, curves, s[k, 2], psi, psi1)
        d1 = friction_factor(frictions, f[k, 0], phi1) * phi1
        d2 = friction_factor(frictions, f[k, 1], theta1) * theta1
        d3 = friction_factor(frictions, f[k, 2], psi1) * psi1
        sums[0] += e1 + e2 + e3
        sums[1] -= t1 * phi1 + t2 * theta1 + t3 * psi1
        sums[2] -= d1 * phi1 + d2 * theta1 + d3 * psi1
        t1, t2, t3 = t1 + d1, t2 + d2, t3 + d3
        eulers.angle[k, 0], eulers.angle[k, 1], eulers.angle[k, 2] = phi, theta, psi
        seen = eulers.seen
        seen[k, 0], seen[k, 1], seen[k, 2] = phi1, theta1, psi1
        seen[k, 3], seen[k, 4], seen[k, 5] = t1, t2, t3
        if ball:
            for n in range(3):
                c0, c1, c2 = (
                    eulers.R_BC[k, 3 * n],
                    eulers.R_BC[k, 3 * n + 1],
                    eulers.R_BC[k, 3 * n + 2],
                )
                eulers.axes[3 * k, n] = c0 * p0 + c1 * p1 + c2 * cosine
                eulers.axes[3 * k + 1, n] = c0 * n0 + c1 * n1
                eulers.axes[3 * k + 2, n] = c2
            # the torque whose components about the three axes are these
            along_1, along_3 = (t1 - cosine * t3) * damp, (t3 - cosine * t1) * damp
            x, y = -along_1 * p0 - t2 * n0, -along_1 * p1 - t2 * n1
            add_turned(tau, b, eulers.R_BC, k, x, y, -along_1 * cosine - along_3)
        else:
            tau[tree.at_v[at1]] -= t1
            tau[tree.at_v[at2]] -= t2
            tau[b] -= t3
