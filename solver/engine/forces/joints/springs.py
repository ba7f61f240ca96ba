"""Springs with stops, and friction, about one axis of a joint (sections 6.1 and 6.2)."""

from __future__ import annotations

from typing import NamedTuple

from solver.engine.dynamics.tree import Array, IntArray
from solver.engine.jit.kernels import inlined, kernel
from solver.engine.jit.structs import struct
from solver.engine.maths.curve import Curves, curve_area, curve_at

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
    load, _ = curve_at(curves, c, x)
    return stop_load(load, curve_area(curves, c, x), returned, rate)


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
