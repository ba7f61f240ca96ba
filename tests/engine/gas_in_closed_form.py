"""What the engine's gas must come to: a choked tank in closed form, and the balance of energy."""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.forces.airbags.gas import Gas, choked_flux, critical_ratio


class Supply(NamedTuple):
    """Hold the state of a tank, and what comes out of it; `blown` is the mass so far."""

    pressure: float
    density: float
    temperature: float
    blown: float
    flow: float
    enthalpy: float


def tank_at(
    gamma: float, R: float, volume: float, p0: float, T0: float, throat: float, t: float
) -> Supply:
    """Give tank and outflow at a time since firing, in closed form while choked (7.48 to 7.52)."""
    rho0 = p0 / (R * T0)
    c = 0.5 * (gamma - 1.0) * throat / volume * choked_flux(gamma, p0, rho0) / rho0
    Q = 1.0 + c * max(t, 0.0)
    log = math.log(Q)
    rho = rho0 * math.exp(-2.0 / (gamma - 1.0) * log)
    p = p0 * math.exp(-2.0 * gamma / (gamma - 1.0) * log)
    T = T0 / (Q * Q)
    blown = -volume * rho0 * math.expm1(-2.0 / (gamma - 1.0) * log)
    flow = 0.0 if t < 0.0 else throat * choked_flux(gamma, p, rho)
    return Supply(p, rho, T, blown, flow, flow * gamma * R / (gamma - 1.0) * T)


def tank_chokes(gamma: float, p: float, outside: float) -> float:
    """Give a function that falls through zero when a tank's nozzle is no longer choked (Pa)."""
    return p * critical_ratio(gamma) - outside


def tank_volume(gamma: float, volume: float, p0: float, p: float, outside: float) -> float:
    """Give the free volume that a tank has filled when its pressure has come to p (7.53, 7.54)."""
    return volume * (p0 - p) / (gamma * outside)


def energy_rate(
    gamma: float, gas: Gas, outside: float, enthalpy: float, volume_rate: float
) -> float:
    """Give the rate of the gas's energy, enthalpy in less out, less its work on the bag.

    In a slack bag the gas makes its own room at ambient pressure.
    """
    if gas.pressure <= outside:
        return enthalpy / gamma
    return enthalpy - gas.pressure * volume_rate


def free_of(gamma: float, energy: float, volume: float, outside: float) -> float:
    """Give the free volume of an energy in a volume."""
    slack = (gamma - 1.0) * energy / outside
    if slack <= volume:
        return slack
    return volume * math.exp(math.log(slack / volume) / gamma)
