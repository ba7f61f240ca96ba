"""Torques in joints: springs with stops, friction, globographic contours, all together (sections 6.1 to 6.3).

Two points of the seed, and what is done:

- Torsion of a ball joint acts along the gradient of its angle, precession plus spin, so that it gives
  back what it has taken. Section 6.1 prints the child's z axis, which is that gradient only where the
  joint is straight: about a closed way it would do work. `printed` keeps to it.
- The torques f, g, h of an Euler joint are those about its three pins, `t . h_i = -(f, g, h)`, as the
  equations of the pins say (6.3), on both sides of 0 and of half a turn (`eulers`). Table 6.1 adds them as vectors along the axes, which differs where
  precession and spin are both open: friction could then drive the joint.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import BALL, FREE, Applied, Array, IntArray
from solver.engine.forces.joints.bearings import Bearings
from solver.engine.forces.joints.contours import (
    Azimuths,
    Contours,
    by_azimuth,
    contour_torques,
    on_average,
)
from solver.engine.forces.joints.eulers import EulerLaws, on_eulers
from solver.engine.forces.joints.springs import (
    Frictions,
    Springs,
    friction_factor,
    spring_torque,
    to_joint,
    wrapped,
)
from solver.engine.forces.state import Bodies
from solver.engine.jit.kernels import inlined, inner, kernel, separate, struct
from solver.engine.maths.curve import Curves
from solver.engine.maths.spatial import (
    NOUGHT,
    Quaternion,
    Table,
    Three,
    added,
    dot,
    length,
    less,
    mat_on,
    over,
    plus,
    read,
    read3,
    read4,
    read9,
    scaled,
    write,
    write3,
)

OPPOSED = 0.067
"""Squared cosine of half the flexure (150 degrees, *assumed*) below which the energy of torsion fades
out: where the z axes are opposed there is no telling twist from azimuth, and the gradient is infinite."""


@struct
class AxisLaws(NamedTuple):
    """What acts on single freedoms, turns and slides: their bodies, and the outermost of their joints."""

    body: IntArray
    last: IntArray
    centre: Array
    spring: IntArray
    friction: IntArray


@struct
class BallLaws(NamedTuple):
    """What acts on three turns at once: flexure and torsion.

    `R_BC` turns components in the child's joint frame into body components. `table` is the resistance by
    azimuth; -1 for none. Where it is `printed`, torsion acts along the child's z axis. Once a joint whose parts stay together has
    `broken`, the friction that is `left` acts alone; -1 where parts come away. What is seen at an
    evaluation stays for events: flexure and torsion in `angle` and, of those that may strike their stops (`strikes`),
    what gives their rates from that of the turn (body axes) in `axes`.
    """

    body: IntArray
    R_BC: Array
    spring: IntArray
    friction: IntArray
    table: IntArray
    printed: IntArray
    strikes: IntArray
    left: IntArray
    broken: IntArray
    angle: Array
    axes: Array


@struct
class JointLaws(NamedTuple):
    """All that acts in joints."""

    springs: Springs
    frictions: Frictions
    axes: AxisLaws
    balls: BallLaws
    eulers: EulerLaws
    contours: Contours
    azimuths: Azimuths
    bearings: Bearings


@kernel
def resisted(
    laws: JointLaws,
    curves: Curves,
    spring: int,
    friction: int,
    angle: Array,
    rate: Array,
    out: Table,
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
def _on_axes(laws: JointLaws, curves: Curves, bodies: Bodies, tau: Array, sums: Array) -> None:
    axes, tree, q, v = laws.axes, bodies.tree, bodies.q, bodies.v
    for k in range(len(axes.body)):
        i = axes.body[k]
        if tree.kind[axes.last[k]] == FREE:
            # broken: the outermost body is free, and those within stay behind without a load
            continue
        angle, rate = q[tree.at_q[i]] - axes.centre[k], v[tree.at_v[i]]
        back, energy = spring_torque(laws.springs, curves, axes.spring[k], angle, rate)
        drag = friction_factor(laws.frictions, axes.friction[k], rate) * rate
        tau[tree.at_v[i]] -= back + drag
        sums[0] += energy
        sums[1] -= back * rate
        sums[2] -= drag * rate


class Bent(NamedTuple):
    """A joint's flexure and torsion with their rates, what turns them, torques against both, and the energy held.

    Flexure turns about `flexes`, torsion by what turns about `twists`, in the child's joint frame.
    """

    flexure: float
    flexure_rate: float
    flexes: Three
    torsion: float
    torsion_rate: float
    twists: Three
    flexing: float
    twisting: float
    energy: float


@inlined
def _ball(laws: JointLaws, curves: Curves, k: int, attitude: Quaternion, rate: Three) -> Bent:
    """See a ball by the attitude of the child's joint frame in the parent's, and its rates in the child's (6.1)."""
    balls = laws.balls
    w, x, y, z = attitude
    bend, twist = x * x + y * y, w * w + z * z
    flexure = 2.0 * math.atan2(math.sqrt(bend), math.sqrt(twist))
    torsion = wrapped(2.0 * math.atan2(z, w))
    leads = ((z * x - w * y) / max(twist, 1e-12), (w * x + z * y) / max(twist, 1e-12), 1.0)
    torsion_rate = rate[2] + leads[0] * rate[0] + leads[1] * rate[1]
    # the parent's z axis crossed into the child's
    crossed = (y * z + w * x, w * y - x * z, 0.0)
    half_sine = length(crossed)
    flexes = over(crossed, half_sine) if half_sine > 1e-12 else NOUGHT
    flexure_rate = dot(flexes, rate)
    flexing, held = spring_torque(laws.springs, curves, balls.spring[k, 0], flexure, flexure_rate)
    twisting, more = spring_torque(laws.springs, curves, balls.spring[k, 1], torsion, torsion_rate)
    if balls.printed[k]:
        return Bent(
            flexure, flexure_rate, flexes, torsion, rate[2], (0.0, 0.0, 1.0), flexing, twisting,
            held + more,
        )  # fmt: skip
    part = min(twist / OPPOSED, 1.0)
    fading = part * (2.0 - part)
    # what the fading takes from the energy of torsion as flexure grows
    flexing -= more * (1.0 - part) / OPPOSED * 2.0 * half_sine
    return Bent(
        flexure, flexure_rate, flexes, torsion, torsion_rate, leads, flexing, fading * twisting,
        held + fading * more,
    )  # fmt: skip


@inlined
def _by_azimuth(
    laws: JointLaws, curves: Curves, k: int, attitude: Quaternion
) -> tuple[float, Three, float]:
    """A table's torque against flexure, what turns the azimuth back, and the energy held.

    The azimuth is that of the child's z axis in the parent's joint frame.
    """
    balls = laws.balls
    w, x, y, z = attitude
    bend, twist = x * x + y * y, w * w + z * z
    flexure = 2.0 * math.atan2(math.sqrt(bend), math.sqrt(twist))
    azimuth = math.atan2(y * z - w * x, x * z + w * y)
    table, printed = balls.table[k], balls.printed[k]
    torque, energy, turning = by_azimuth(laws.azimuths, curves, table, flexure, azimuth, printed)
    sine = 2.0 * math.sqrt(bend * twist)
    if printed or sine < 1e-12:
        return torque, NOUGHT, energy
    if twist < OPPOSED:
        # as for torsion: there is no azimuth where the axes are opposed
        part = twist / OPPOSED
        fading = part * (2.0 - part)
        mean, level = on_average(laws.azimuths, curves, table, flexure)
        torque = mean + fading * (torque - mean) - (energy - level) * (1.0 - part) / OPPOSED * sine
        energy, turning = level + fading * (energy - level), fading * turning
    # the parent's z axis in the child's frame leads the azimuth on
    size = turning / (sine * sine)
    return torque, (2.0 * (x * z - w * y) * size, 2.0 * (y * z + w * x) * size, 0.0), energy


@kernel
def ball_parts(
    laws: JointLaws, curves: Curves, k: int, attitude: Array, rate: Array, out: Array
) -> None:
    """Write flexure's and torsion's torque on the child, the size of friction's and of azimuth's (4, T), for samples.

    Attitudes (T, 4) are of the child's joint frame in the parent's, rates (T, 3) in the child's.
    """
    for n in range(len(attitude)):
        turn, spin = read4(attitude[n], 0), read3(rate, n)
        bent = _ball(laws, curves, k, turn, spin)
        speed = length(spin)
        out[0, n], out[1, n], out[3, n] = -bent.flexing, -bent.twisting, 0.0
        if laws.balls.table[k] >= 0:
            torque, back, _ = _by_azimuth(laws, curves, k, turn)
            out[0, n] -= torque
            out[3, n] = length(back)
        out[2, n] = friction_factor(laws.frictions, laws.balls.friction[k], speed) * speed


@inner
def _on_balls(laws: JointLaws, curves: Curves, bodies: Bodies, tau: Array, sums: Array) -> None:
    balls, tree, q, v = laws.balls, bodies.tree, bodies.q, bodies.v
    for k in range(len(balls.body)):
        i = balls.body[k]
        if tree.kind[i] != BALL:
            continue
        at, frame = tree.at_v[i], read9(balls.R_BC, k)
        # attitude of the child's joint frame in the parent's, rates in the child's
        x, y, z = to_joint(balls.R_BC, k, q, tree.at_q[i] + 1)
        attitude, rate = (q[tree.at_q[i]], x, y, z), to_joint(balls.R_BC, k, v, at)
        if balls.broken[k]:
            speed = length(rate)
            drag = friction_factor(laws.frictions, balls.left[k], speed)
            sums[2] -= drag * speed * speed
            write(tau, at, plus(read(tau, at), -drag, mat_on(frame, rate)))
            continue
        bent = _ball(laws, curves, k, attitude, rate)
        flexing, energy, back = bent.flexing, bent.energy, NOUGHT
        if balls.table[k] >= 0:
            torque, back, held = _by_azimuth(laws, curves, k, attitude)
            flexing, energy = flexing + torque, energy + held
            sums[1] -= dot(back, rate)
        speed = length(rate)
        drag = friction_factor(laws.frictions, balls.friction[k], speed)
        sums[0] += energy
        sums[1] -= flexing * bent.flexure_rate + bent.twisting * bent.torsion_rate
        sums[2] -= drag * speed * speed
        load = less(scaled(-flexing, bent.flexes), back)
        load = plus(plus(load, -bent.twisting, bent.twists), -drag, rate)
        write(tau, at, added(read(tau, at), mat_on(frame, load)))
        balls.angle[k, 0], balls.angle[k, 1] = bent.flexure, bent.torsion
        if balls.strikes[k] == 0:
            continue
        side = 1.0 if bent.torsion >= 0.0 else -1.0
        write3(balls.axes, 2 * k, mat_on(frame, bent.flexes))
        write3(balls.axes, 2 * k + 1, scaled(side, mat_on(frame, bent.twists)))


@separate
@kernel
def joint_torques(
    laws: JointLaws, curves: Curves, bodies: Bodies, applied: Applied, sums: Array
) -> None:
    """Add the torques of all joints to freedoms and bodies.

    `sums` takes the energy held in springs, and the power of springs and of friction.
    """
    sums[0] = sums[1] = sums[2] = 0.0
    tau = applied.tau
    _on_axes(laws, curves, bodies, tau, sums)
    _on_balls(laws, curves, bodies, tau, sums)
    on_eulers(laws.eulers, laws.springs, laws.frictions, curves, bodies, tau, sums)
    contour_torques(laws.contours, curves, bodies.tree, bodies.motion, applied.torque, sums)
