"""Airbag gas: closed forms, balances of mass and energy, flow through holes."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp

from solver.engine.forces.airbags import gas
from solver.engine.forces.airbags.gas import COMPRESSIBLE, INCOMPRESSIBLE, Gas
from solver.engine.maths.curve import NONE, constant, curve_area, joined, table
from tests.engine.gas_in_closed_form import energy_rate, free_of, tank_at, tank_chokes, tank_volume

GAMMA, R, P_A = 1.4, 287.05, 101325.0
CP = GAMMA * R / (GAMMA - 1)
VOLUME, P0, T0, THROAT = 3e-3, 20e6, 293.15, 0.8e-4
RHO0 = P0 / (R * T0)
TIGHT = {"rtol": 1e-11, "atol": 1e-13, "method": "DOP853"}
ratios = st.floats(1.05, 1.67)


# --- flow through holes


@given(gamma=ratios, r=st.floats(0.01, 0.9998))
def test_flux_is_that_of_an_isentropic_stream(gamma: float, r: float) -> None:
    p, rho = 4e5, 3.0
    crit = (2 / (gamma + 1)) ** (gamma / (gamma - 1))
    assert gas.critical_ratio(gamma) == pytest.approx(crit)
    # speed from the enthalpy lost, density from the isentrope, in the narrowest section
    r = max(r, crit)
    speed = math.sqrt(2 * gamma / (gamma - 1) * p / rho * (1 - r ** ((gamma - 1) / gamma)))
    flux = rho * r ** (1 / gamma) * speed
    assert gas.nozzle_flux(gamma, p, rho, r * p) == pytest.approx(flux, rel=1e-9)


def test_choked_flux_is_as_printed() -> None:
    p, rho = 3e5, 2.0
    printed = math.sqrt(GAMMA * p * rho * (2 / (GAMMA + 1)) ** ((GAMMA + 1) / (GAMMA - 1)))
    assert gas.choked_flux(GAMMA, p, rho) == pytest.approx(printed, rel=1e-14)
    assert gas.nozzle_flux(GAMMA, p, rho, 0.0) == pytest.approx(printed, rel=1e-14)


@given(gamma=ratios)
def test_flux_has_no_corner(gamma: float) -> None:
    p, rho, h = 2e5, 1.5, 1e-5
    for r in (gas.critical_ratio(gamma), 1.0 - gas.SOFT):
        h = 1e-3 * (1.0 - r)

        def f(x: float, gamma: float = gamma) -> float:
            return gas.nozzle_flux(gamma, p, rho, x * p)

        assert f(r + 1e-13) == pytest.approx(f(r - 1e-13), rel=1e-9)
        right = (4 * f(r + h) - f(r + 2 * h) - 3 * f(r)) / (2 * h)
        left = (3 * f(r) + f(r - 2 * h) - 4 * f(r - h)) / (2 * h)
        assert right == pytest.approx(left, rel=1e-4, abs=1e-4 * f(r) / (1.0 - r))


def test_nothing_flows_without_pressure_or_backwards() -> None:
    hole = 1e-3
    curves = joined([constant(0.1)])
    for gauge in (-5e4, -1e-9, 0.0):
        now = Gas(P_A + gauge, 1.2, 300.0)
        assert gas.nozzle_flux(GAMMA, now.pressure, 1.2, P_A) == 0.0
        for law in (COMPRESSIBLE, INCOMPRESSIBLE):
            assert gas.vent_flow(law, hole, GAMMA, now, P_A, 1.2) == 0.0
        assert gas.leak_flow(curves, 0, 0.0, 1.0, GAMMA, now, P_A) == 0.0
    # and it begins gently
    slope = gas.nozzle_flux(GAMMA, P_A * (1 + 1e-12), 1.2, P_A) / 1e-12
    assert 0.0 < slope < 1e6


@given(gauge=st.floats(20.0, 3e5))
def test_incompressible_vent_of_the_later_program(gauge: float) -> None:
    # weight flow C A g sqrt(2 gamma p_a) / c0 sqrt(p_d), c0 the supply's speed of sound
    c0 = math.sqrt(GAMMA * R * T0)
    expected = 0.6 * 1e-3 * math.sqrt(2 * GAMMA * P_A) / c0 * math.sqrt(gauge)
    now = Gas(P_A + gauge, 1.5, 320.0)
    got = gas.vent_flow(INCOMPRESSIBLE, 0.6e-3, GAMMA, now, P_A, P_A / (R * T0))
    assert got == pytest.approx(expected, rel=1e-12)


def test_both_vent_laws_agree_at_low_pressure() -> None:
    gauge, T = 200.0, 300.0
    now = Gas(P_A + gauge, (P_A + gauge) / (R * T), T)
    flows = [gas.vent_flow(k, 1e-3, GAMMA, now, P_A, P_A / (R * T)) for k in range(2)]
    assert flows[0] == pytest.approx(flows[1], rel=2e-3)


def test_a_vent_opens_above_its_pressure() -> None:
    assert gas.opening(0.0, 0.0, False) == 1.0
    assert gas.opening(3999.0, 4000.0, False) == 0.0
    assert gas.opening(4081.0, 4000.0, False) == 1.0
    assert gas.opening(100.0, 4000.0, True) == 1.0
    shares = [gas.opening(p, 4000.0, False) for p in np.linspace(3990, 4090, 101)]
    assert (np.diff(shares) >= 0.0).all()


def test_fabric_leaks_by_its_open_ratio() -> None:
    curves = joined([table([0.0, 1e4, 2e4], [0.0, 0.002, 0.003])])
    now = Gas(P_A + 5e3, 1.25, 310.0)
    flux = gas.nozzle_flux(GAMMA, now.pressure, now.density, P_A)
    by_curve = gas.leak_flow(curves, 0, 0.5, 1.7, GAMMA, now, P_A)
    assert by_curve == pytest.approx(1.7 * 0.001 * flux)
    fixed = gas.leak_flow(curves, NONE, 0.004, 1.7, GAMMA, now, P_A)
    assert fixed == pytest.approx(1.7 * 0.004 * flux)
    assert gas.leak_flow(curves, NONE, 3.0, 1.7, GAMMA, now, P_A) == pytest.approx(1.7 * flux)


# --- supply


def test_tank_is_as_printed() -> None:
    t = 0.013
    c = THROAT / VOLUME * 0.2 * math.sqrt(1.4 * P0 / RHO0 * (2 / 2.4) ** 6)
    # the later program's form of the same
    c0 = math.sqrt(GAMMA * R * T0)
    assert c == pytest.approx(0.5 * 0.4 * c0 * THROAT / VOLUME * 1.2 ** (-2.4 / 0.8))
    Q = 1 + c * t
    got = tank_at(GAMMA, R, VOLUME, P0, T0, THROAT, t)
    assert got.pressure == pytest.approx(P0 / Q**7, rel=1e-12)
    assert got.density == pytest.approx(RHO0 / Q**5, rel=1e-12)
    assert got.temperature == pytest.approx(T0 / Q**2, rel=1e-12)
    assert got.blown == pytest.approx(VOLUME * RHO0 * (1 - Q**-5), rel=1e-12)
    assert got.pressure == pytest.approx(got.density * R * got.temperature)
    h = 1e-6
    after, before = (tank_at(GAMMA, R, VOLUME, P0, T0, THROAT, t + s) for s in (h, -h))
    assert got.flow == pytest.approx((after.blown - before.blown) / (2 * h), rel=1e-8)
    # the enthalpy that leaves is the energy that the tank loses
    lost = (before.pressure - after.pressure) * VOLUME / (GAMMA - 1) / (2 * h)
    assert got.enthalpy == pytest.approx(lost, rel=1e-8)
    early = tank_at(GAMMA, R, VOLUME, P0, T0, THROAT, -1.0)
    assert early == pytest.approx((P0, RHO0, T0, 0.0, 0.0, 0.0))


def run_tank(end: float, outside: float) -> np.ndarray:
    def rates(_: float, y: np.ndarray) -> list[float]:
        return list(gas.tank_rates(GAMMA, R, VOLUME, THROAT, y[0], y[1], outside))

    run = solve_ivp(rates, (0.0, end), [VOLUME * RHO0, T0, 0.0], **TIGHT)
    return run.y[:, -1]


def test_integrated_tank_keeps_to_the_closed_form_while_choked() -> None:
    outside, end = 1.3e5, 0.05
    mass, T, enthalpy = run_tank(end, outside)
    closed = tank_at(GAMMA, R, VOLUME, P0, T0, THROAT, end)
    assert tank_chokes(GAMMA, closed.pressure, outside) > 0.0
    assert mass == pytest.approx(VOLUME * closed.density, rel=1e-9)
    assert pytest.approx(closed.temperature, rel=1e-9) == T
    assert enthalpy == pytest.approx(VOLUME * (P0 - closed.pressure) / (GAMMA - 1), rel=1e-9)


def test_tank_goes_on_when_no_longer_choked_until_pressures_are_equal() -> None:
    outside = 2.5e5
    mass, T, enthalpy = run_tank(3.0, outside)
    closed = tank_at(GAMMA, R, VOLUME, P0, T0, THROAT, 3.0)
    assert tank_chokes(GAMMA, closed.pressure, outside) < 0.0
    assert mass * R * T / VOLUME == pytest.approx(outside, rel=1e-4)
    # by the closed form it would be far below
    assert closed.pressure < 0.1 * outside
    # along one isentrope, all energy accounted for
    assert gas.tank_temperature(GAMMA, T0, mass / (VOLUME * RHO0)) == pytest.approx(T, rel=1e-8)
    cv = R / (GAMMA - 1)
    assert enthalpy == pytest.approx(cv * (VOLUME * RHO0 * T0 - mass * T), rel=1e-9)


def test_measured_inflator_follows_its_curves() -> None:
    curves = joined([table([0.0, 0.01, 0.05], [0.0, 2.0, 0.0]), table([0.0, 0.05], [900, 400])])
    assert gas.table_flow(curves, 0, NONE, 600.0, GAMMA, R, 0.01) == pytest.approx((2, 1200 * CP))
    assert gas.table_flow(curves, 0, 1, 0.0, GAMMA, R, 0.01) == pytest.approx((2, 1600 * CP))
    assert gas.table_flow(curves, 0, 1, 0.0, GAMMA, R, -1e-9) == (0.0, 0.0)
    assert gas.table_flow(curves, 0, 1, 0.0, GAMMA, R, 0.2) == (0.0, 0.0)
    blown = quad(
        lambda t: gas.table_flow(curves, 0, NONE, 1.0, GAMMA, R, t)[0], 0, 0.05, points=[0.01]
    )
    assert blown[0] == pytest.approx(curve_area(curves, 0, 0.05)) == pytest.approx(0.05)


# --- filling


@given(gamma=ratios, end=st.floats(1e-4, 0.05))
def test_free_volume_of_a_tank_is_the_printed_one(gamma: float, end: float) -> None:
    def rate(t: float) -> float:
        enthalpy = tank_at(gamma, R, VOLUME, P0, T0, THROAT, t).enthalpy
        return gas.free_rate(gamma, 0.01, 0.06, P_A, enthalpy)

    free = quad(rate, 0.0, end, epsrel=1e-11)[0]
    p = tank_at(gamma, R, VOLUME, P0, T0, THROAT, end).pressure
    printed = VOLUME * P0 / (gamma * P_A) * (1 - p / P0)
    assert free == pytest.approx(printed, rel=1e-8)
    assert tank_volume(gamma, VOLUME, P0, p, P_A) == pytest.approx(printed, rel=1e-12)


def test_free_volume_of_a_table_keeps_the_temperature() -> None:
    mass, T = 0.03, 620.0
    free = gas.free_rate(GAMMA, 0.0, 0.06, P_A, mass * CP * T)
    assert free == pytest.approx(mass * R * T / P_A)
    now = gas.gas_in(GAMMA, R, mass, free, 0.06, P_A)
    assert now == pytest.approx((P_A, mass / free, T))


# --- the full bag


@given(gamma=ratios, squeeze=st.floats(0.2, 1.5))
def test_a_closed_bag_follows_its_isentrope(gamma: float, squeeze: float) -> None:
    """Integrate the energy against the work; the free volume says the same at once (7.55)."""
    full, T = 0.06, 350.0
    p0 = 2.0 * P_A
    mass = p0 * full / (R * T)
    free = full * 2.0 ** (1 / gamma)
    start = p0 * full / (gamma - 1)
    assert gas.energy_of(gamma, free, full, P_A) == pytest.approx(start)
    rate = full * (squeeze - 1.0)

    def rates(t: float, y: np.ndarray) -> list[float]:
        volume = full + rate * t
        now = gas.gas_in(gamma, R, mass, free_of(gamma, y[0], volume, P_A), volume, P_A)
        return [energy_rate(gamma, now, P_A, 0.0, rate)]

    run = solve_ivp(rates, (0.0, 1.0), [start], rtol=1e-11, atol=1e-9, method="DOP853")
    now = gas.gas_in(gamma, R, mass, free, squeeze * full, P_A)
    assert now.pressure == pytest.approx(p0 * squeeze**-gamma, rel=1e-11)
    assert now.temperature == pytest.approx(T * squeeze ** (1 - gamma), rel=1e-11)
    assert now.pressure == pytest.approx(now.density * R * now.temperature, rel=1e-12)
    energy = gas.energy_of(gamma, free, squeeze * full, P_A)
    assert energy == pytest.approx(float(run.y[0, -1]), rel=1e-9)
    assert free_of(gamma, energy, squeeze * full, P_A) == pytest.approx(free, rel=1e-12)
    # as printed, from the density when it was just full
    full_density, density = mass / free, mass / (squeeze * full)
    printed = P_A * (density / full_density) ** gamma - P_A
    assert gas.gauge_pressure(gamma, free, squeeze * full, P_A) == pytest.approx(printed, rel=1e-9)


def test_a_slack_bag_stays_at_ambient_pressure() -> None:
    now = gas.gas_in(GAMMA, R, 0.05, 0.04, 0.06, P_A)
    assert now.pressure == P_A
    assert now.density == pytest.approx(0.05 / 0.04)
    assert gas.gas_in(GAMMA, R, 0.0, 0.0, 0.06, P_A) == (P_A, 0.0, 0.0)
    assert gas.gauge_pressure(GAMMA, 0.04, 0.06, P_A) == 0.0
    # what comes in makes its room at that pressure, whatever the bag's own volume does
    into = energy_rate(GAMMA, now, P_A, 500.0, 3.0)
    assert into * (GAMMA - 1) / P_A == pytest.approx(gas.free_rate(GAMMA, 0.04, 0.06, P_A, 500.0))


def test_pressure_and_rates_do_not_jump_when_the_bag_is_full() -> None:
    for side in (1 - 1e-9, 1 + 1e-9):
        now = gas.gas_in(GAMMA, R, 0.05, 0.06 * side, 0.06, P_A)
        assert now.pressure == pytest.approx(P_A)
        assert now.temperature == pytest.approx(P_A * 0.06 / (0.05 * R))
        assert gas.free_rate(GAMMA, 0.06 * side, 0.06, P_A, 1.0) == pytest.approx(0.4 / 1.4 / P_A)


def test_what_leaves_takes_the_same_share_of_mass_and_free_volume() -> None:
    # so the seed's law, in which free volume goes with mass, holds for every vent
    mass, free, volume = 0.07, 0.08, 0.05
    now = gas.gas_in(GAMMA, R, mass, free, volume, P_A)
    lost = gas.free_rate(GAMMA, free, volume, P_A, -gas.outflow(GAMMA, R, now, 0.3))
    assert lost / free == pytest.approx(-0.3 / mass)


def blow_down(full: float, p: float, T: float, hole: float, end: float) -> np.ndarray:
    def rates(_: float, y: np.ndarray) -> list[float]:
        now = gas.gas_in(GAMMA, R, y[0], y[1], full, P_A)
        out = gas.vent_flow(COMPRESSIBLE, hole, GAMMA, now, P_A, 1.2)
        lost = gas.outflow(GAMMA, R, now, out)
        return [-out, gas.free_rate(GAMMA, y[1], full, P_A, -lost)]

    start = [p * full / (R * T), full * (p / P_A) ** (1 / GAMMA)]
    return solve_ivp(rates, (0.0, end), start, **TIGHT).y[:, -1]


def test_blow_down_choked_is_that_of_a_tank() -> None:
    full, p, hole, end = 0.06, 6e5, 1e-3, 0.05
    mass, free = blow_down(full, p, 400.0, hole, end)
    closed = tank_at(GAMMA, R, full, p, 400.0, hole, end)
    assert tank_chokes(GAMMA, closed.pressure, P_A) > 0.0
    assert mass == pytest.approx(full * closed.density, rel=1e-9)
    now = gas.gas_in(GAMMA, R, mass, free, full, P_A)
    assert now == pytest.approx((closed.pressure, closed.density, closed.temperature), rel=1e-9)


def test_blow_down_takes_the_time_of_an_independent_integral() -> None:
    full, p, T, hole = 0.06, 3e5, 350.0, 1.5e-3
    rho, last = p / (R * T), 1.02 * P_A

    def time_per_pressure(x: float) -> float:
        """Give dt/dp along the isentrope, with the textbook's flow."""
        d = rho * (x / p) ** (1 / GAMMA)
        r = max(P_A / x, (2 / 2.4) ** 3.5)
        speed = math.sqrt(2 * CP * x / (d * R) * (1 - r ** (2 / 7)))
        return full * d / (GAMMA * x) / (hole * d * r ** (1 / GAMMA) * speed)

    choke = P_A / (2 / 2.4) ** 3.5
    spans = ((last, choke), (choke, p))
    end = sum(quad(time_per_pressure, a, b, epsrel=1e-12)[0] for a, b in spans)
    _, free = blow_down(full, p, T, hole, end)
    assert P_A * (free / full) ** GAMMA == pytest.approx(last, rel=1e-8)


@pytest.mark.parametrize("law", [COMPRESSIBLE, INCOMPRESSIBLE])
def test_mass_and_energy_balance_from_firing_to_a_squeezed_bag(law: int) -> None:
    """Follow tank, filling, full and slack bag, and what has left; energy runs along and agrees."""
    full, hole, bottle = 0.06, 6e-3, 0.6e-3
    curves = joined([constant(0.002)])
    start = [bottle * RHO0, T0, 1e-6, 1e-6, P_A * 1e-6 / (GAMMA - 1)]

    def volume(t: float) -> tuple[float, float]:
        return full * (1 - 0.3 * math.sin(40 * t) ** 2), -full * 0.3 * 40 * math.sin(80 * t)

    def rates(t: float, y: np.ndarray) -> list[float]:
        V, dV = volume(t)
        now = gas.gas_in(GAMMA, R, y[2], y[3], V, P_A)
        dm, dT, enthalpy = gas.tank_rates(GAMMA, R, bottle, THROAT, y[0], y[1], now.pressure)
        out = gas.vent_flow(law, hole, GAMMA, now, P_A, P_A / (R * T0))
        out += gas.leak_flow(curves, 0, 0.0, 0.8, GAMMA, now, P_A)
        lost = gas.outflow(GAMMA, R, now, out)
        free = gas.free_rate(GAMMA, y[3], V, P_A, enthalpy - lost)
        energy = energy_rate(GAMMA, now, P_A, enthalpy - lost, dV)
        room = dV if now.pressure > P_A else free
        return [dm, dT, -dm - out, free, energy, out, lost, now.pressure * room]

    tight = {"rtol": 1e-10, "atol": 1e-12, "method": "DOP853", "max_step": 2e-5}
    y = np.array([*start, 0.0, 0.0, 0.0])
    full_once = slack_again = False
    for t in np.arange(8) * 0.01:
        y = solve_ivp(rates, (t, t + 0.01), y, **tight).y[:, -1]
        tank, T, mass, free, energy, lost, heat, work = y
        V = volume(t + 0.01)[0]
        slack_again |= full_once and free < V
        full_once |= free > V
        assert tank + mass + lost == pytest.approx(start[0] + start[2], rel=1e-10)
        before = R / (GAMMA - 1) * start[0] * T0 + start[4]
        after = R / (GAMMA - 1) * tank * T + energy + heat + work
        assert after == pytest.approx(before, rel=1e-10)
        assert gas.energy_of(GAMMA, free, V, P_A) == pytest.approx(energy, rel=1e-6)
    assert full_once
    assert slack_again
    assert lost > 0.02
