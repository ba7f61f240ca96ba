"""Torques in joints: springs with stops, friction, globographic contours, all together (sections 6.1 to 6.3).

Two points of the seed, and what is done:

- Torsion of a ball joint acts along the gradient of its angle, precession plus spin, so that it gives
  back what it has taken. Section 6.1 prints the child's z axis, which is that gradient only where the
  joint is straight: about a closed way it would do work. `printed` keeps to it.
- The torques f, g, h of an Euler joint are those about its three pins, `t . h_i = -(f, g, h)`, as the
  equations of the pins say (6.3). Table 6.1 adds them as vectors along the axes, which differs where
  precession and spin are both open: friction could then drive the joint.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.dynamics.tree import BALL, FREE, Array, IntArray, Motion, Tree
from solver.forces.joints.contours import Contours, contour_torques
from solver.forces.joints.springs import Frictions, Springs, friction_factor, spring_torque
from solver.maths.alone import alone
from solver.maths.bundles import bundle
from solver.maths.curve import Curves
from solver.maths.kernels import inlined, inner, kernel

SINGULAR = 1e-4
"""Squared sine of the nutation below which precession and spin are told apart less and less: there
the three axes lie in a plane, and the pins would hold the joint across it."""

OPPOSED = 0.067
"""Squared cosine of half the flexure (150 degrees, *assumed*) below which the energy of torsion fades
out: where the z axes are opposed there is no telling twist from azimuth, and the gradient is infinite."""


@bundle
class AxisLaws(NamedTuple):
    """Hold what acts on single freedoms: turns and slides."""

    body: IntArray
    centre: Array
    spring: IntArray
    friction: IntArray


@bundle
class BallLaws(NamedTuple):
    """Hold what acts on three turns at once: flexure and torsion.

    `R_BC` turns components in the child's joint frame into body components. Where it is `printed`,
    torsion acts along the child's z axis. What is seen at an evaluation stays for events: flexure and
    torsion in `angle`, and what gives their rates from that of the turn (body axes) in `axes`.
    """

    body: IntArray
    R_BC: Array
    spring: IntArray
    friction: IntArray
    printed: IntArray
    angle: Array
    axes: Array


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


@bundle
class JointLaws(NamedTuple):
    """Hold all that acts in joints."""

    springs: Springs
    frictions: Frictions
    axes: AxisLaws
    balls: BallLaws
    eulers: EulerLaws
    contours: Contours


@kernel
def resisted(
    laws: JointLaws,
    curves: Curves,
    spring: int,
    friction: int,
    angle: Array,
    rate: Array,
    out: Array,
) -> None:
    """Write the torques of a spring and of friction on the child, along a course of one axis.

    A number of -1 stands for none; rows of `out` are spring and friction.
    """
    for n in range(len(angle)):
        if spring >= 0:
            torque, _ = spring_torque(laws.springs, curves, spring, angle[n], rate[n])
            out[0, n] = -torque
        if friction >= 0:
            out[1, n] = -friction_factor(laws.frictions, friction, rate[n]) * rate[n]


@inner
def _on_axes(
    laws: JointLaws, curves: Curves, tree: Tree, q: Array, v: Array, tau: Array, sums: Array
) -> None:
    axes = laws.axes
    for k in range(len(axes.body)):
        i = axes.body[k]
        if tree.kind[i] >= BALL:
            # broken: the body is free
            continue
        angle, rate = q[tree.at_q[i]] - axes.centre[k], v[tree.at_v[i]]
        back, energy = spring_torque(laws.springs, curves, axes.spring[k], angle, rate)
        drag = friction_factor(laws.frictions, axes.friction[k], rate) * rate
        tau[tree.at_v[i]] -= back + drag
        sums[0] += energy
        sums[1] -= back * rate
        sums[2] -= drag * rate


@inlined
def _wrap(angle: float) -> float:
    """Bring an angle to within half a turn."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    return angle + 2.0 * math.pi if angle < -math.pi else angle


@inlined
def _to_joint(R: Array, k: int, u: Array, at: int) -> tuple[float, float, float]:
    """Turn body components into the child's joint frame."""
    return (
        R[k, 0] * u[at] + R[k, 3] * u[at + 1] + R[k, 6] * u[at + 2],
        R[k, 1] * u[at] + R[k, 4] * u[at + 1] + R[k, 7] * u[at + 2],
        R[k, 2] * u[at] + R[k, 5] * u[at + 1] + R[k, 8] * u[at + 2],
    )


@inlined
def _add(tau: Array, at: int, R: Array, k: int, x: float, y: float, z: float) -> None:
    """Add a torque in the child's joint frame."""
    tau[at] += R[k, 0] * x + R[k, 1] * y + R[k, 2] * z
    tau[at + 1] += R[k, 3] * x + R[k, 4] * y + R[k, 5] * z
    tau[at + 2] += R[k, 6] * x + R[k, 7] * y + R[k, 8] * z


@inlined
def _ball(
    laws: JointLaws,
    curves: Curves,
    k: int,
    w: float,
    x: float,
    y: float,
    z: float,
    rx: float,
    ry: float,
    rz: float,
) -> tuple[float, float, float, float, float, float, float, float, float, float, float]:
    """Give flexure, its axis and rate, torsion, what turns it and its rate; both torques; energy held.

    By the attitude (w, x, y, z) of the child's joint frame in the parent's and its rates in the child's.
    Flexure turns about (n0, n1, 0), torsion by what turns about (g0, g1, 1).
    """
    balls = laws.balls
    bend, twist = x * x + y * y, w * w + z * z
    theta = 2.0 * math.atan2(math.sqrt(bend), math.sqrt(twist))
    phi = _wrap(2.0 * math.atan2(z, w))
    g0, g1 = (z * x - w * y) / max(twist, 1e-12), (w * x + z * y) / max(twist, 1e-12)
    phi1 = rz + g0 * rx + g1 * ry
    # the parent's z axis crossed into the child's
    n0, n1 = y * z + w * x, w * y - x * z
    half_sine = math.sqrt(n0 * n0 + n1 * n1)
    n0, n1 = (n0 / half_sine, n1 / half_sine) if half_sine > 1e-12 else (0.0, 0.0)
    theta1 = n0 * rx + n1 * ry
    flex, e1 = spring_torque(laws.springs, curves, balls.spring[k, 0], theta, theta1)
    twisted, e2 = spring_torque(laws.springs, curves, balls.spring[k, 1], phi, phi1)
    if balls.printed[k]:
        return theta, n0, n1, theta1, phi, 0.0, 0.0, rz, flex, twisted, e1 + e2
    part = min(twist / OPPOSED, 1.0)
    fading = part * (2.0 - part)
    # what the fading takes from the energy of torsion as flexure grows
    flex -= e2 * (1.0 - part) / OPPOSED * 2.0 * half_sine
    return theta, n0, n1, theta1, phi, g0, g1, phi1, flex, fading * twisted, e1 + fading * e2


@kernel
def ball_parts(
    laws: JointLaws, curves: Curves, k: int, attitude: Array, rate: Array, out: Array
) -> None:
    """Write flexure's and torsion's torque on the child, and the size of friction's (3, T), for samples.

    Attitudes (T, 4) are of the child's joint frame in the parent's, rates (T, 3) in the child's.
    """
    for n in range(len(attitude)):
        rx, ry, rz = rate[n, 0], rate[n, 1], rate[n, 2]
        _, _, _, _, _, _, _, _, flex, twisted, _ = _ball(
            laws, curves, k, attitude[n, 0], attitude[n, 1], attitude[n, 2], attitude[n, 3], rx, ry, rz
        )  # fmt: skip
        speed = math.sqrt(rx * rx + ry * ry + rz * rz)
        out[0, n], out[1, n] = -flex, -twisted
        out[2, n] = friction_factor(laws.frictions, laws.balls.friction[k], speed) * speed


@inner
def _on_balls(
    laws: JointLaws, curves: Curves, tree: Tree, q: Array, v: Array, tau: Array, sums: Array
) -> None:
    balls = laws.balls
    for k in range(len(balls.body)):
        i = balls.body[k]
        if tree.kind[i] != BALL:
            continue
        a, b = tree.at_q[i], tree.at_v[i]
        # attitude of the child's joint frame in the parent's, rates in the child's
        x, y, z = _to_joint(balls.R_BC, k, q, a + 1)
        rx, ry, rz = _to_joint(balls.R_BC, k, v, b)
        theta, n0, n1, theta1, phi, g0, g1, phi1, flex, twisted, energy = _ball(
            laws, curves, k, q[a], x, y, z, rx, ry, rz
        )
        speed = math.sqrt(rx * rx + ry * ry + rz * rz)
        drag = friction_factor(laws.frictions, balls.friction[k], speed)
        sums[0] += energy
        sums[1] -= flex * theta1 + twisted * phi1
        sums[2] -= drag * speed * speed
        x, y = -flex * n0 - twisted * g0 - drag * rx, -flex * n1 - twisted * g1 - drag * ry
        _add(tau, b, balls.R_BC, k, x, y, -twisted - drag * rz)
        balls.angle[k, 0], balls.angle[k, 1] = theta, phi
        side = 1.0 if phi >= 0.0 else -1.0
        for n in range(3):
            c0, c1 = balls.R_BC[k, 3 * n], balls.R_BC[k, 3 * n + 1]
            balls.axes[2 * k, n] = c0 * n0 + c1 * n1
            balls.axes[2 * k + 1, n] = side * (c0 * g0 + c1 * g1 + balls.R_BC[k, 3 * n + 2])


@inner
def _on_eulers(
    laws: JointLaws, curves: Curves, tree: Tree, q: Array, v: Array, tau: Array, sums: Array
) -> None:
    eulers, springs, frictions = laws.eulers, laws.springs, laws.frictions
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
            x, y, z = _to_joint(eulers.R_BC, k, q, a + 1)
            rx, ry, rz = _to_joint(eulers.R_BC, k, v, b)
            half, other = math.atan2(z, w), math.atan2(y, x)
            # the parent's z axis in the child's joint frame, and the line of nodes
            p0, p1 = 2.0 * (x * z - w * y), 2.0 * (y * z + w * x)
            cosine, sine = w * w + z * z - x * x - y * y, math.sqrt(p0 * p0 + p1 * p1)
            n0, n1 = (p1 / sine, -p0 / sine) if sine > 1e-12 else (0.0, 0.0)
            phi, psi = half + other - centre[k, 0], half - other - centre[k, 2]
            phi, psi = _wrap(_wrap(phi)), _wrap(_wrap(psi))
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
            _add(tau, b, eulers.R_BC, k, x, y, -along_1 * cosine - along_3)
        else:
            tau[tree.at_v[at1]] -= t1
            tau[tree.at_v[at2]] -= t2
            tau[b] -= t3


@alone
@kernel
def joint_torques(
    laws: JointLaws,
    curves: Curves,
    tree: Tree,
    motion: Motion,
    q: Array,
    v: Array,
    tau: Array,
    torque: Array,
    sums: Array,
) -> None:
    """Add the torques of all joints to freedoms and bodies.

    `sums` takes the energy held in springs, and the power of springs and of friction.
    """
    sums[0] = sums[1] = sums[2] = 0.0
    _on_axes(laws, curves, tree, q, v, tau, sums)
    _on_balls(laws, curves, tree, q, v, tau, sums)
    _on_eulers(laws, curves, tree, q, v, tau, sums)
    contour_torques(laws.contours, curves, tree, motion, torque, sums)
