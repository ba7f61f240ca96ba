"""Gas of an airbag: supply, state in the bag, vents and leaks (section 7.4.5).

Perfect gas in SI units: pressures are absolute unless called gauge, `gamma` is the heat ratio, `R`
the gas constant, `throat` and `hole` are areas times their discharge coefficients. Enthalpy flow is
`flow cp T` with `cp = gamma R / (gamma - 1)`; energy is `m cv T = p V / (gamma - 1)`.

The bag's states are its mass and its free volume: what the gas would take up if it spread to ambient
pressure without loss. They serve from firing to the end: while the bag fills its volume is the free
one (7.53), from then on `p = p_a (free / volume)^gamma`, and only flow changes them, however the volume
moves. Mass and energy say the same, but want the volume's rate. (7.55) is this where nothing flows in
once the bag is full; to what flows in later it gives the bag's temperature.
"""

from __future__ import annotations

import math
from typing import NamedTuple

from solver.engine.jit.kernels import inlined, kernel
from solver.engine.maths.curve import NONE, Curves, curve_at

COMPRESSIBLE, INCOMPRESSIBLE = range(2)
"""Flow laws of a vent."""

SOFT = 1e-4
"""Relative pressure difference below which flow is no longer its root, whose slope has no bound."""

OPENING = 0.02
"""Part of a vent's opening pressure over which it opens."""


class Gas(NamedTuple):
    """The state of the gas in a bag; at ambient pressure the bag is slack."""

    pressure: float
    density: float
    temperature: float


# --- flow through holes -------------------------------------------------------------------------


@kernel
def critical_ratio(gamma: float) -> float:
    """The pressure ratio at and below which a nozzle is choked."""
    return math.exp(gamma / (gamma - 1.0) * math.log(2.0 / (gamma + 1.0)))


@kernel
def choked_flux(gamma: float, p: float, rho: float) -> float:
    """The mass flow per area through a choked nozzle (7.44)."""
    power = (gamma + 1.0) / (gamma - 1.0)
    return math.sqrt(gamma * p * rho * math.exp(power * math.log(2.0 / (gamma + 1.0))))


@kernel
def soft_root(x: float) -> float:
    """The root of a relative pressure difference, with a finite slope at zero."""
    if x <= 0.0:
        return 0.0
    if x >= SOFT:
        return math.sqrt(x)
    u = x / SOFT
    return 0.5 * math.sqrt(SOFT) * u * (3.0 - u)


@kernel
def nozzle_flux(gamma: float, p: float, rho: float, outside: float) -> float:
    """The mass flow per area from gas at rest to a lower pressure; none flows back.

    Saint-Venant and Wantzel: subsonic, or choked; the slope passes from one to the other.
    """
    if p <= outside or rho <= 0.0:
        return 0.0
    ratio = outside / p
    if ratio <= critical_ratio(gamma):
        return choked_flux(gamma, p, rho)
    x = (p - outside) / p
    log = math.log1p(-x)
    k = (gamma - 1.0) / gamma
    drop = -math.expm1(k * log) / (k * x)
    return math.sqrt(2.0 * p * rho * drop * math.exp(2.0 / gamma * log)) * soft_root(x)


@kernel
def vent_flow(
    law: int, hole: float, gamma: float, gas: Gas, outside: float, rho_outside: float
) -> float:
    """The mass flow out of an open vent.

    INCOMPRESSIBLE is the later program's law, `hole sqrt(2 rho_a p_gauge)`; its density is that
    of the supplied gas at ambient pressure and the supply's first temperature.
    """
    if law == COMPRESSIBLE:
        return hole * nozzle_flux(gamma, gas.pressure, gas.density, outside)
    x = (gas.pressure - outside) / outside
    return hole * math.sqrt(2.0 * rho_outside * outside) * soft_root(x)


@kernel
def opening(gauge: float, opens_at: float, held_open: bool) -> float:
    """How far a vent is open: wide below no threshold, else over a narrow band above it.

    The band keeps a vent that may close again from opening and closing for ever. One that stays
    open is `held_open` once `gauge` has passed `opens_at (1 + OPENING)`.
    """
    if held_open or opens_at <= 0.0:
        return 1.0
    u = (gauge - opens_at) / (OPENING * opens_at)
    u = min(max(u, 0.0), 1.0)
    return u * u * (3.0 - 2.0 * u)


@kernel
def leak_flow(
    curves: Curves, ratio: int, constant: float, area: float, gamma: float, gas: Gas, outside: float
) -> float:
    """The mass flow through fabric whose open ratio is constant or a curve of gauge pressure."""
    gauge = gas.pressure - outside
    if gauge <= 0.0:
        return 0.0
    open_ratio = constant
    if ratio != NONE:
        open_ratio = curve_at(curves, ratio, gauge)[0]
    hole = area * min(max(open_ratio, 0.0), 1.0)
    return hole * nozzle_flux(gamma, gas.pressure, gas.density, outside)


# --- supply -------------------------------------------------------------------------------------


@inlined
def _specific_heat(gamma: float, R: float) -> float:
    """Give cp."""
    return gamma * R / (gamma - 1.0)


@kernel
def tank_rates(
    gamma: float,
    R: float,
    volume: float,
    throat: float,
    mass: float,
    temperature: float,
    outside: float,
) -> tuple[float, float, float]:
    """The rates of a tank's mass and temperature, and the enthalpy flow out of it.

    It knows the closed form while choked, and goes on below that until the pressures are equal.
    """
    rho = mass / volume
    flow = throat * nozzle_flux(gamma, rho * R * temperature, rho, outside)
    if flow == 0.0:
        return 0.0, 0.0, 0.0
    cooling = (gamma - 1.0) * flow * temperature / mass
    return -flow, -cooling, flow * _specific_heat(gamma, R) * temperature


@kernel
def tank_temperature(gamma: float, T0: float, part: float) -> float:
    """The temperature when a part of the mass is left: with it one state rules a tank."""
    return T0 * math.exp((gamma - 1.0) * math.log(part)) if part > 0.0 else 0.0


@kernel
def table_flow(
    curves: Curves, flow: int, temperature: int, constant: float, gamma: float, R: float, t: float
) -> tuple[float, float]:
    """Give mass and enthalpy flow of a measured inflator at a time since firing."""
    if t < 0.0:
        return 0.0, 0.0
    w = max(curve_at(curves, flow, t)[0], 0.0)
    T = constant
    if temperature != NONE:
        T = max(curve_at(curves, temperature, t)[0], 0.0)
    return w, w * _specific_heat(gamma, R) * T


# --- the bag ------------------------------------------------------------------------------------


@kernel
def gas_in(gamma: float, R: float, mass: float, free: float, volume: float, outside: float) -> Gas:
    """The gas of a mass and free volume in a bag whose body leaves it a volume."""
    if mass <= 0.0 or free <= 0.0:
        return Gas(outside, 0.0, 0.0)
    if free <= volume:
        return Gas(outside, mass / free, outside * free / (mass * R))
    p = outside * math.exp(gamma * math.log(free / volume))
    return Gas(p, mass / volume, p * volume / (mass * R))


@kernel
def gauge_pressure(gamma: float, free: float, volume: float, outside: float) -> float:
    """The pressure above ambient, none in a slack bag (7.55, with the heat of later gas)."""
    if free <= volume:
        return 0.0
    return outside * math.expm1(gamma * math.log(free / volume))


@kernel
def outflow(gamma: float, R: float, gas: Gas, flow: float) -> float:
    """The enthalpy flow of what leaves, at the bag's temperature."""
    return flow * _specific_heat(gamma, R) * gas.temperature


@kernel
def free_rate(gamma: float, free: float, volume: float, outside: float, enthalpy: float) -> float:
    """Give the rate of the free volume for the enthalpy flow in less that out.

    In a slack bag `(gamma - 1) / gamma enthalpy / p_a`: what streams in comes to rest and keeps its
    temperature while it spreads, for a tank (7.53), for tables `R T_in flow / p_a`. Against a
    pressure it spreads the less. What goes out takes its share of mass and free volume alike,
    as printed; what comes in brings its own heat, where the seed gives it the bag's.
    """
    rate = (gamma - 1.0) / gamma * enthalpy / outside
    if free <= volume:
        return rate
    return rate * math.exp((gamma - 1.0) * math.log(volume / free))


@kernel
def energy_of(gamma: float, free: float, volume: float, outside: float) -> float:
    """The gas's energy, p V / (gamma - 1)."""
    if free <= volume:
        return outside * free / (gamma - 1.0)
    return outside * free / (gamma - 1.0) * math.exp((gamma - 1.0) * math.log(free / volume))
