"""Springs with stops, and friction, about one axis of a joint (sections 6.1 and 6.2)."""

from __future__ import annotations

from typing import NamedTuple

from solver.dynamics.tree import Array, IntArray
from solver.maths.bundles import bundle
from solver.maths.curve import Curves, curve_area, curve_at
from solver.maths.kernels import inlined, kernel

BLEND_PER_RATE = 10.0
"""Between loading and unloading the torque goes over within 0.1 rad/s to each side (section 6.1)."""


@bundle
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


@bundle
class Frictions(NamedTuple):
    """Hold viscous and Coulomb resistance and the rate at which the latter is full."""

    viscous: Array
    coulomb: Array
    full_rate: Array


@kernel
def blend(returned: float, rate: float) -> float:
    """Go over from the returned part to the whole with the rate away from rest."""
    q = BLEND_PER_RATE * rate
    q = 1.0 if q > 1.0 else (-1.0 if q < -1.0 else q)
    return 0.5 * ((1.0 + returned) + q * (1.0 - returned))


@kernel
def spring_torque(
    springs: Springs, curves: Curves, k: int, angle: float, rate: float
) -> tuple[float, float]:
    """Give the restoring torque against an angle, with its sign, and the energy held (EFUNCT).

    Held is what the torque at rest, half way between loading and unloading, would give back: what
    is above or below that torque always acts against the rate.
    """
    size, sign = abs(angle), (1.0 if angle >= 0.0 else -1.0)
    c, returned = springs.curve[k], springs.returned[k]
    if c >= 0:
        x = size if springs.odd[k] else angle
        torque, _ = curve_at(curves, c, x)
        if springs.odd[k]:
            torque = sign * torque if size > 0.0 else 0.0
        torque *= blend(returned, rate if torque >= 0.0 else -rate)
        return torque, 0.5 * (1.0 + returned) * curve_area(curves, c, x)
    torque, energy = springs.linear[k] * size, 0.5 * springs.linear[k] * size * size
    beyond = size - springs.stop[k]
    if beyond > 0.0:
        s2, s3 = springs.quadratic[k], springs.cubic[k]
        stop = beyond * beyond * (s2 + s3 * beyond)
        torque += stop * blend(returned, sign * rate if stop >= 0.0 else -sign * rate)
        energy += 0.5 * (1.0 + returned) * beyond**3 * (s2 / 3.0 + 0.25 * s3 * beyond)
    return sign * torque, energy


@inlined
def friction_factor(frictions: Frictions, k: int, rate: float) -> float:
    """Give the torque against a rate, divided by the rate (equation 6.3)."""
    z, full = abs(rate), frictions.full_rate[k]
    if z < full:
        z = full / (2.0 - z / full)
    return float(frictions.viscous[k] + frictions.coulomb[k] / z)
