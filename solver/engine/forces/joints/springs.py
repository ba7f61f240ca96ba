"""Springs with stops, friction and Maxwell's dampers about one axis of a joint (sections 6.1 and 6.2).

The load s of such a damper follows the rate w of its joint by `s' = (c w - s) / T`: steadily turned it is that of the
damper alone, c w; at once it is that of a spring of c / T, which holds `T s^2 / (2 c)`. What is lost is `s^2 / c`.
A pure damper of c makes a motion of inertia I die away within I / c, however small that is; this one does not, and a
run takes steps as long as what is seen of the motion asks for.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.dynamics.tree import BALL, Array, IntArray, Tree
from solver.engine.jit.kernels import inlined, kernel, separate, struct
from solver.engine.maths.curve import Curves, curve_and_area
from solver.engine.maths.spatial import Three, added, mat_on, read, read9, transpose_on, write

# Turn between a body's axes and its joint's frame, row k of R.


@inlined
def wrapped(angle: float) -> float:
    """Bring an angle to within half a turn."""
    if angle > math.pi:
        return angle - 2.0 * math.pi
    return angle + 2.0 * math.pi if angle < -math.pi else angle


@inlined
def to_joint(R: Array, k: int, u: Array, at: int) -> Three:
    """Turn body components into the child's joint frame."""
    return transpose_on(read9(R, k), read(u, at))


@inlined
def add_turned(tau: Array, at: int, R: Array, k: int, x: float, y: float, z: float) -> None:
    """Add a torque in the child's joint frame."""
    write(tau, at, added(read(tau, at), mat_on(read9(R, k), (x, y, z))))


# Springs with stops, and friction, about one axis of a joint (sections 6.1 and 6.2).

BLEND_PER_RATE = 10.0
"""Between loading and unloading the torque goes over within 0.1 rad/s to each side (section 6.1)."""


@struct
class Springs(NamedTuple):
    """Hold spring laws; `curve` stands in for the polynomial, `odd` mirrors it to negative angles.

    `returned` is the part that remains on the way back: of the stop's torque, or of the curve's.
    """

    linear: Array
    stop: Array
    quadratic: Array
    cubic: Array
    returned: Array
    curve: IntArray
    odd: IntArray


@struct
class Frictions(NamedTuple):
    """Hold viscous and Coulomb resistance and the rate at which the latter is full."""

    viscous: Array
    coulomb: Array
    full_rate: Array


@kernel
def stop_load(load: float, area: float, returned: float, rate: float) -> tuple[float, float]:
    """Give what is left of a load on the way back, and the energy held, by the rate away from rest.

    Held is what the load at rest, half way between loading and unloading, would give back: what is
    above or below that load always acts against the rate.
    """
    q = BLEND_PER_RATE * (rate if load >= 0.0 else -rate)
    q = 1.0 if q > 1.0 else (-1.0 if q < -1.0 else q)
    half = 0.5 * (1.0 + returned)
    return (half + 0.5 * q * (1.0 - returned)) * load, half * area


@kernel
def curve_load(
    curves: Curves, c: int, returned: float, x: float, rate: float
) -> tuple[float, float]:
    """The load by a curve of the angle or depth, and the energy held."""
    load, area = curve_and_area(curves, c, x)
    return stop_load(load, area, returned, rate)


@kernel
def spring_torque(
    springs: Springs, curves: Curves, k: int, angle: float, rate: float
) -> tuple[float, float]:
    """The restoring torque against an angle, with its sign, and the energy held (EFUNCT)."""
    size, side = abs(angle), (1.0 if angle >= 0.0 else -1.0)
    c, returned = springs.curve[k], springs.returned[k]
    if c >= 0 and not springs.odd[k]:
        return curve_load(curves, c, returned, angle, rate)
    if c >= 0:
        torque, energy = curve_load(curves, c, returned, size, side * rate)
        return (side * torque if size > 0.0 else 0.0), energy
    torque, energy = springs.linear[k] * size, 0.5 * springs.linear[k] * size * size
    beyond = size - springs.stop[k]
    if beyond > 0.0:
        s2, s3 = springs.quadratic[k], springs.cubic[k]
        load, area = (s2 + s3 * beyond), (s2 / 3.0 + 0.25 * s3 * beyond)
        load, held = stop_load(beyond**2 * load, beyond**3 * area, returned, side * rate)
        torque, energy = torque + load, energy + held
    return side * torque, energy


@inlined
def friction_factor(frictions: Frictions, k: int, rate: float) -> float:
    """The torque against a rate, divided by the rate (equation 6.3)."""
    z, full = abs(rate), frictions.full_rate[k]
    if z < full:
        z = full / (2.0 - z / full)
    return float(frictions.viscous[k] + frictions.coulomb[k] / z)


# Dampers of joints with a spring in a row, as rubber and flesh have one (Maxwell's element).

COMPONENTS = 3
"""States of each: a turn needs one, three turns together need three, in the child's axes."""


@struct
class Relaxings(NamedTuple):
    """Hold joints whose damper has a spring in a row: the body, whether it turns as a ball, c and T.

    `first` is the first of its three states, behind which stand the others.
    """

    body: IntArray
    ball: IntArray
    damping: Array
    time: Array
    first: IntArray


@separate
@kernel
def relaxing_torques(
    r: Relaxings, tree: Tree, v: Array, z: Array, powers: Array, tau: Array, sums: Array
) -> None:
    """Add the torques of all; `sums` takes the energy held, and the power of springs and of what is lost.

    Where the joint is held, or has come apart, the load dies away and is no longer felt.
    """
    sums[0] = sums[1] = sums[2] = 0.0
    for k in range(len(r.body)):
        i, c, time = r.body[k], r.damping[k], r.time[k]
        ball = r.ball[k] != 0
        acts = tree.kind[i] == BALL if ball else tree.kind[i] < BALL
        for n in range(COMPONENTS):
            s = z[r.first[k] + n]
            w = 0.0
            if acts and (ball or n == 0):
                w = v[tree.at_v[i] + n]
                tau[tree.at_v[i] + n] -= s
            powers[r.first[k] + n] = (c * w - s) / time
            sums[0] += 0.5 * time * s * s / c
            sums[1] -= s * w - s * s / c
            sums[2] -= s * s / c
