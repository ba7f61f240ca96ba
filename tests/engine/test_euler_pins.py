"""An open Euler joint is three pins in a row: on both sides of a nutation of 0 and of half a turn, and close by them."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.engine.dynamics.tree import Array
from solver.engine.forces.joints.eulers import LED, STRAIGHT
from solver.engine.forces.system import JOINT_SPRINGS
from solver.engine.maths.rotation import from_angles, quaternion
from solver.project.checks import check
from solver.results.trajectory import Trajectory
from solver.running.restart import Restart
from solver.running.simulation import Simulation, simulate
from tests.models import EXACT, Bench, hung, project

AXES = ("precession", "nutation", "spin")
INERTIA = 1.0 / 3.0
"""About the joint, across the rod."""
ALONG = 0.01


def spring(k: float, centre: float = 0.0) -> Any:
    return {"spring": {"linear_nm_per_rad": k}, "centre_rad": centre}


def joint(k: tuple[float, float, float], centre: tuple[float, ...] = (0.0, 0.0, 0.0)) -> Any:
    axes = zip(AXES, k, centre, strict=True)
    return {"kind": "euler"} | {name: spring(size, at) for name, size, at in axes}


def let_go(
    data: Any, values: Any, rates: Any = (0.0, 0.0, 0.0), duration: float = 1.0, **more: Any
) -> Any:
    start = {"joint": "joint", "values": list(values), "rates": list(rates)}
    made = hung(
        data, initial={"joints": [start]}, gravity_m_per_s2=[0.0, 0.0, 0.0], **more
    )  # fmt: skip
    made["runs"][0] |= {"duration_s": duration, "frame_interval_s": 2e-3}
    return made


def solved(*given: Any, **more: Any) -> Trajectory:
    run = simulate(project(let_go(*given, **more)))
    assert run.status == "completed", run.message
    return run


def angles(run: Trajectory) -> Array:
    return np.asarray(run.table("joints")["angle"][:, 0])


@pytest.mark.parametrize("by", ["spring", "law"])
@pytest.mark.parametrize("pole", [0.0, math.pi, -math.pi])
@pytest.mark.parametrize("centre", [0.3, -0.2])
def test_nutation_swings_about_its_centre_through_straight(
    by: str, pole: float, centre: float
) -> None:
    """In one plane it is a pin: centre + off cos(w t), springs on precession and spin stand at their centres."""
    k, off = 5.0, 0.7
    own = joint((20.0, k if by == "spring" else 0.0, 30.0), (0.4, pole + centre, -0.7))
    law = {
        "id": "law", "coordinate": {"kind": "joint", "joint": "joint", "axis": "nutation"},
        "laws": [{"kind": "linear", "stiffness": k}], "zero": pole + centre,
    }  # fmt: skip
    more = {"coordinate_forces": [law]} if by == "law" else {}
    run = solved(own, (0.4, pole + centre + off, -0.7), **more)
    w = math.sqrt(k / INERTIA)
    found = angles(run)
    assert found[:, 1] == pytest.approx(pole + centre + off * np.cos(w * run.time), abs=1e-6)
    assert found[:, 0] == pytest.approx(0.4, abs=1e-9)
    assert found[:, 2] == pytest.approx(-0.7, abs=1e-9)
    rate = run.table("joints")["rate"][:, 0, 1]
    assert rate == pytest.approx(-w * off * np.sin(w * run.time), abs=1e-5)
    assert run.table("energy")["kinetic"].max() == pytest.approx(0.5 * k * off**2, rel=1e-3)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-9


@pytest.mark.parametrize("values", [(0.2, -1.1, 0.4), (0.2, 4.0, 0.4), (7.0, -1.1, -9.0)])
def test_a_start_is_at_the_angles_that_are_given(values: tuple[float, float, float]) -> None:
    """Where all springs stand at their centres nothing moves, on whatever side and turn that is."""
    data = let_go(joint((50.0, 50.0, 50.0), values), values, duration=0.05)
    data["joints"][0]["nutation"]["spring"] = {"stop_rad": 0.01, "quadratic_nm_per_rad2": 1e4}
    assert "start-beyond-stop" not in {one.code for one in check(project(data))}
    run = simulate(project(data))
    assert np.abs(run.table("joints")["torque"]).max() < 1e-9
    assert angles(run) == pytest.approx(np.tile(values, (len(run.time), 1)))
    data["joints"][0]["nutation"]["centre_rad"] = -values[1]
    assert "start-beyond-stop" in {one.code for one in check(project(data))}


def by_lagrange(
    k: tuple[float, ...], centre: tuple[float, ...], values: Any, rates: Any, time: Array
) -> Array:
    """Give the angles of a symmetrical rod on three pins with springs, by Lagrange's equations."""

    def rate(_: float, y: Array) -> Array:
        (_, theta, _), (u, v, w) = y[:3], y[3:]
        s, c = math.sin(theta), math.cos(theta)
        spin = w + u * c
        f, g, h = (-k[n] * (y[n] - centre[n]) for n in range(3))
        # A sin^2 phi' + C cos (psi' + phi' cos) and C (psi' + phi' cos) are the momenta
        turn = h / ALONG
        v1 = (INERTIA * u * u * s * c - ALONG * spin * u * s + g) / INERTIA
        u1 = (f - h * c - 2.0 * INERTIA * s * c * u * v + ALONG * spin * s * v) / (INERTIA * s * s)
        return np.array([u, v, w, u1, v1, turn - u1 * c + u * s * v])

    span = (0.0, float(time[-1]))
    out = solve_ivp(rate, span, [*values, *rates], t_eval=time, rtol=1e-11, atol=1e-12)
    return np.asarray(out.y[:3].T)


@pytest.mark.parametrize("nutation", [-0.9, 2.4, 3.9, 7.2])
def test_three_springs_act_as_on_three_pins(nutation: float) -> None:
    """Against Lagrange's equations in the three angles, on sides that the attitude alone does not tell."""
    k, centre = (3.0, 8.0, 0.5), (0.3, nutation + 0.1, -7.0)
    values, rates = (0.5, nutation, -6.5), (1.0, -0.8, 2.0)
    run = solved(joint(k, centre), values, rates)
    expected = by_lagrange(k, centre, values, rates, run.time)
    # it comes near to no singular attitude: its pins are told apart throughout
    assert np.abs(np.sin(expected[:, 1])).min() > 5.0 * LED
    assert angles(run) == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("aim", [0.05, 0.07, 0.1])
@pytest.mark.parametrize("pole", [0.0, math.pi])
def test_what_passes_close_by_keeps_its_energy_and_is_the_same_with_shorter_steps(
    aim: float, pole: float
) -> None:
    """Nearer than 0.01 it goes straight on to the other side; farther off precession turns by half a turn."""
    way = math.asin(aim / 0.4)
    rates = 2.0 * math.sin(way) / math.sin(0.4), -2.0 * math.cos(way), 0.0
    springs = (0.4, 2.0, 0.3), (0.0, pole, 0.2)
    given = (0.0, pole + 0.4, 0.1), rates
    runs = []
    for tolerance in (1e-9, 1e-11):
        how = EXACT | {"relative_tolerance": tolerance}
        run = solved(joint(*springs), *given, duration=0.4, integrator=how)
        assert np.abs(run.table("energy")["balance"]).max() < 1e-8
        runs.append(angles(run))
    assert runs[0] == pytest.approx(runs[1], abs=3e-3)
    expected = by_lagrange(*springs, *given, run.time)
    miss = np.abs(np.sin(expected[:, 1])).min()
    if miss < STRAIGHT:
        assert runs[0][-1, 1] < pole < expected[-1, 1]
    elif miss > LED:
        assert runs[1] == pytest.approx(expected, abs=1e-6)


@pytest.mark.parametrize("pole", [0.0, math.pi])
def test_near_a_singular_attitude_springs_take_up_what_they_hold(pole: float) -> None:
    """Power is the rate of what is held at any attitude: within the led angles, at the attitude itself, on the way out."""
    bench = Bench(let_go(joint((3.0, 40.0, 2.0), (0.3, 0.5, -0.4)), (0.9, pole + 0.5 * LED, 0.1)))
    rng, eulers = np.random.default_rng(6), bench.system.joints.eulers
    eulers.last[:] = [1.0, 0.8, pole + 0.5 * LED]
    for sine in (0.0, 1e-9, 0.004, 0.012, 0.016, 0.0199, 0.03):
        turn = 0.0 if sine == 0.0 else rng.uniform(-0.7, 0.7)
        q = quaternion(from_angles((0.9 + turn, pole + sine, 0.1 - turn), "zxz"))
        v, h = rng.normal(size=3), 1e-7
        bench.rates(q, v)
        power = float(bench.powers[JOINT_SPRINGS])
        gained = bench.held(bench.moved(q, v, h), v) - bench.held(bench.moved(q, v, -h), v)
        assert -power == pytest.approx(gained / (2.0 * h), rel=1e-4, abs=1e-5), sine


def test_a_run_taken_up_again_knows_on_which_side_it_was() -> None:
    data = let_go(joint((0.0, 5.0, 0.0), (0.0, 0.3, 0.0)), (0.2, 1.0, 0.1))
    data["runs"][0]["checkpoint_interval_s"] = 0.3
    made = project(data)
    whole = simulate(made)
    simulation = Simulation(made, restart=Restart(whole, 0.7))
    again = simulation.memory()
    simulation.go_into(again)
    assert angles(whole)[300:, 1].min() < 0.0
    assert np.array_equal(angles(again), angles(whole))
