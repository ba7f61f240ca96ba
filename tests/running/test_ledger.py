"""What is said of an energy account whose losses fall."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.report import report
from solver.running.outputs.curve_range import Ledger, gains
from solver.running.simulation import Simulation
from tests.models import base, hung, project, segment

NONE = np.zeros(101)
LINE = np.linspace(0.0, 1.0, 101)


def account(**columns: Any) -> dict[str, dict[str, Any]]:
    names = (
        "lost_in_springs",
        "lost_in_harnesses",
        "work_of_loads",
        "work_of_belt_planes",
        "work_of_contact_geometry",
        "strain",
        "kinetic",
        "potential",
        "balance",
    )
    return {"energy": dict.fromkeys(names, NONE) | columns}


def said(*blocks: dict[str, dict[str, Any]]) -> list[str]:
    ledger = Ledger()
    for block in blocks:
        ledger.take(block)
    return [str(one) for one in ledger.sentences()]


@pytest.mark.parametrize(("least", "told"), [(99.95, False), (99.8, True)])
def test_a_fall_of_a_thousandth_is_said(least: float, told: bool) -> None:
    """It counts from the greatest before it, not from zero."""
    lost = np.concatenate([100.0 * LINE[:-1], [least, 100.0]])[:101]
    lost[-2:] = 100.0, least
    found = said(account(lost_in_springs=lost))
    assert bool(found) is told
    if told:
        assert found[0].startswith("springs gave 0.2 J more than they took and held, 0.2% of")
        assert gains([f"note: {found[0]}", "1 ms: something else"]) == tuple(found)


def test_rounding_is_no_gain() -> None:
    """Next to nothing that is turned over is still next to nothing, also beside much that is there."""
    small = np.concatenate([LINE[:-1], [0.3]]) * 3.7e-30
    assert said(account(lost_in_contacts=small)) == []
    beside = account(lost_in_contacts=1e20 * small, kinetic=1e3 + LINE)
    assert said(beside) == []
    (one,) = said(account(lost_in_contacts=1e24 * small, kinetic=1e3 + LINE))
    assert one.startswith("contacts gave 2.553e-06 J")


def test_falls_from_block_to_block_are_seen() -> None:
    up, down = 100.0 * LINE, 100.0 - LINE
    assert said(account(lost_in_springs=up)) == []
    (one,) = said(account(lost_in_springs=up), account(lost_in_springs=down))
    assert one.startswith("springs gave 1 J more")


def test_what_devices_wind_in_is_no_gain() -> None:
    """A pretensioner that draws 0.1 m in at up to 1 kN puts in 50 J."""
    payout = np.zeros((101, 1, 2))
    payout[:, 0, 1] = -0.1 * LINE
    tension = np.zeros((101, 1, 2))
    tension[:, 0, 1] = 1000.0 * LINE
    put_in = -50.0 * LINE**2
    devices = {"harnesses": {"payout": payout, "tension": tension}}
    halves = [
        {group: {name: values[part] for name, values in columns.items()}
         for group, columns in (account(lost_in_harnesses=put_in) | devices).items()}
        for part in (slice(0, 40), slice(40, 101))
    ]  # fmt: skip
    assert said(*halves) == []
    still = {"harnesses": {"payout": payout * 0.0, "tension": tension}}
    (one,) = said(account(lost_in_harnesses=put_in) | still)
    assert one.startswith("harnesses gave 50 J")


def test_the_work_of_belts_planes_is_said() -> None:
    (one,) = said(account(work_of_loads=100.0 * LINE, work_of_belt_planes=-LINE))
    assert "planes that tilted, and did up to 1 J of work, 1.0% of" in one


def test_a_run_that_makes_energy_says_so_in_its_log_and_report() -> None:
    """A bent joint with torsion as printed, by itself, gains ten times what it held."""
    frame = {"position_m": [0.0, 0.0, -0.5], "orientation": {"angles_rad": [0.0, 0.6, 0.3]}}
    spring = {"linear_nm_per_rad": 50.0}
    joint = {"kind": "ball", "torsion": spring, "torque_law": "printed", "child_frame": frame}
    data = hung(joint, [0.3, 0.5, 0.4], gravity_m_per_s2=[0.0, 0.0, 0.0])
    simulation = Simulation(project(data))
    memory = simulation.memory()
    outcome = simulation.go_into(memory)
    (sentence,) = outcome.gains
    assert str(sentence).startswith("joint springs gave ")
    assert f"note: {sentence}" in memory.log
    assert "Energy from nowhere: joint springs gave" in report(memory).html()
    data["joints"][0]["torque_law"] = "conserving"
    assert Simulation(project(data)).go([]).gains == ()


@pytest.mark.parametrize(("step", "told"), [(1e-3, False), (2e-2, True)])
def test_an_account_that_is_off_is_warned_of(step: float, told: bool) -> None:
    """No run is completed without a word where a thousandth of its energy is missing, or too much."""
    method = {"kind": "semi_implicit_euler", "step_s": step}
    run = mk.run(mk.sample("pendulum").until(1.0).with_value("runs/swing/integrator", method))
    # it falls through its lowest point: all of its energy has moved twice
    share = abs(run.energy["balance"]).max() / (2.0 * run.energy["kinetic"].max())
    assert (share > 1e-3) == told
    words = f"warning: the energy account is off by up to {abs(run.energy['balance']).max():.3g} J"
    assert any(line.startswith(words) for line in run.log) == told


def far(rng: np.random.Generator) -> Any:
    """Give a rod of 1e-9 to 1e9 kg that turns or moves freely at the end of a lever of 1e6 to 1e12 m."""
    lever, kind = 10.0 ** rng.uniform(6, 12), str(rng.choice(["pin", "free"]))
    n = {"pin": 1, "free": 6}[kind]
    fixed = str(rng.choice(["semi_implicit_euler", "rk4"]))
    step = {"kind": fixed, "step_s": float(10.0 ** rng.uniform(-2.5, -0.5))}
    method = {"kind": "dopri"} if rng.random() < 0.3 else step
    turn = {"angles_rad": rng.normal(size=3).tolist()}
    joint = {
        "id": "hinge", "kind": kind, "parent": "ground", "child": "rod",
        "child_frame": {"position_m": [0.0, 0.0, -lever], "orientation": turn},
    }  # fmt: skip
    rates = (rng.normal(size=n) * 10.0 ** rng.uniform(-12, 1, size=n)).tolist()
    mass = float(10 ** rng.uniform(-9, 9))
    start = {"joint": "hinge", "values": (0.3 * rng.normal(size=n)).tolist(), "rates": rates}
    return base(2.0, method, segments=[segment("rod", mass)], joints=[joint], initial={"joints": [start]})  # fmt: skip


def test_no_lever_is_so_long_that_a_run_is_off_without_a_word() -> None:
    """What is off is counted here from mass, velocities and height: it is told where that is a thousandth, and only there."""
    rng, ended, told = np.random.default_rng(4521), 0, 0
    for _ in range(40):
        data = far(rng)
        simulation = Simulation(project(data))
        run = simulation.memory()
        outcome = simulation.go_into(run)
        rod, (mass, inertia) = run.table("segments"), (data["segments"][0][k] for k in ("mass_kg", "inertia_kgm2"))  # fmt: skip
        if outcome.status != "completed":
            continue
        ended += 1
        v, w, z = rod["velocity"][:, -1], rod["angular_velocity"][:, -1], rod["position"][:, -1, 2]
        kinetic = 0.5 * (mass * np.sum(v**2, axis=1) + np.sum(np.array(inertia) * w**2, axis=1))
        lifted = -9.81 * mass * (z - z[0])
        off = np.abs(kinetic + lifted - kinetic[0]).max() / (kinetic + np.abs(lifted)).max()
        is_told = any("the energy account is off" in str(note) for note in outcome.notes)
        assert is_told == (off > 1e-3), data
        told += is_told
    assert ended > 25
    assert told > 3
