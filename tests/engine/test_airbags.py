"""Airbags in motion: filling, pressure, vents, triggers, balances of gas and of energy."""

from __future__ import annotations

import json
import math
from typing import Any

import numpy as np
import pytest

from solver.base.places import samples
from solver.engine.forces.airbags.shape import shell_inertia, solid_inertia
from solver.model.compile import compile_model
from solver.project import ProjectError
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.engine.test_contacts import function, run
from tests.models import project

AIR, GAMMA, OUTSIDE = 287.05, 1.4, 101325.0
TANK = {"kind": "tank", "volume_m3": 1e-3, "pressure_pa": 2.4e7, "temperature_k": 300.0,
        "throat_area_m2": 1.5e-4, "discharge": 0.8}  # fmt: skip
SEMI = [0.3, 0.28, 0.25]
FULL = 4.0 / 3.0 * math.pi * math.prod(SEMI)


def bag(speed: float = 0.0, away: float = -2.0, **settings: Any) -> Any:
    """Give a bag on a fixed panel, and a head before it."""
    data = json.loads((samples() / "airbag_catch.json").read_text(encoding="utf-8"))
    data["outputs"], data["motions"] = [], []
    head, panel = data["segments"][0], data["segments"][1]
    data["initial"] = {"roots": [
        {"segment": head["id"], "position_m": [away, 0, 0], "velocity_m_per_s": [speed, 0, 0]},
        {"segment": panel["id"]},
    ]}  # fmt: skip
    data["motions"] = [{"id": "fixed", "segment": panel["id"], "components": [
        {"component": "x", "pulse": {"kind": "constant", "value": 0.0}}]}]  # fmt: skip
    element = data["airbags"][0]
    for name in (
        "vents",
        "leakage",
        "friction",
        "gas",
        "centre_offset_m",
        "panel_stiffness_n_per_m",
    ):
        element.pop(name, None)
    element |= {
        "inflator": TANK,
        "trigger": {"kind": "time", "time_s": 0.002},
        "semi_axes_m": SEMI,
        **settings,
    }
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["runs"][0]["integrator"] = {
        "kind": "dopri",
        "relative_tolerance": 1e-8,
        "absolute_tolerance": 1e-10,
    }
    return data


def gas_is_kept(out: Trajectory) -> None:
    """Ask that mass and energy of the gas are those blown in less those lost and what it worked."""
    a = out.table("airbags")
    assert a["mass"] == pytest.approx(a["mass_in"] - a["mass_out"], abs=1e-12)
    p = a["pressure"] + OUTSIDE
    volume = a["volume"]
    worked = np.concatenate(
        [[[0.0]], np.cumsum(0.5 * (p[1:] + p[:-1]) * np.diff(volume, axis=0), axis=0)]
    )
    kept = a["energy_in"] - a["energy_out"] - a["energy"] - worked
    assert np.max(np.abs(kept)) < 2e-3 * np.max(a["energy_in"])


def test_it_fills_when_the_tank_has_blown_its_volume_at_ambient_pressure() -> None:
    out = run(bag(), 0.03, 10_000.0)
    a = out.table("airbags")
    full = np.flatnonzero(a["state"][:, 0] == 2)[0] / 10_000.0
    # (7.48) to (7.54), and what the panel takes from the bag
    rho0 = 2.4e7 / (AIR * 300.0)
    c = 0.8 * 1.5e-4 / 1e-3 * 0.5 * (GAMMA - 1.0)
    c *= math.sqrt(GAMMA * 2.4e7 / rho0 * (2.0 / (GAMMA + 1.0)) ** ((GAMMA + 1.0) / (GAMMA - 1.0)))
    t = np.arange(len(a["mass"])) / 10_000.0 - 0.002
    Q = 1.0 + c * np.maximum(t, 0.0)
    blown = 1e-3 * rho0 * (1.0 - Q ** (-2.0 / (GAMMA - 1.0)))
    free = 1e-3 * 2.4e7 / (GAMMA * OUTSIDE) * (1.0 - Q ** (-2.0 * GAMMA / (GAMMA - 1.0)))
    assert a["mass_in"][:, 0] == pytest.approx(blown, rel=1e-6, abs=1e-9)
    volume = a["volume"][-1, 0]
    assert 0.8 * FULL < volume <= FULL
    assert full == pytest.approx(t[np.searchsorted(free, volume)] + 0.002, abs=2e-4)
    filling = (a["state"][:, 0] == 1) & (a["volume"][:, 0] > 1e-6)
    assert a["volume"][filling, 0] == pytest.approx(free[filling], rel=1e-6)
    assert np.all(a["pressure"][a["state"][:, 0] < 2] == 0.0)
    gas_is_kept(out)


def test_a_closed_bag_follows_the_adiabat_when_it_is_pressed() -> None:
    """No vent: what is caught is thrown back."""
    data = bag(
        speed=6.0, away=-0.9, inflator={"kind": "mass_flow", "flow": "flow", "temperature": 400.0}
    )
    data["functions"] = [function("flow", [0.0, 0.02, 0.021], [6.0, 6.0, 0.0], ("s", "kg/s"))]
    out = run(data, 0.2, 5000.0)
    a = out.table("airbags")
    gas_is_kept(out)
    pressed = np.arange(len(a["mass"])) / 5000.0 > 0.024
    assert np.ptp(a["volume"][pressed, 0]) > 0.015 * FULL
    constant = (a["pressure"][pressed, 0] + OUTSIDE) * a["volume"][pressed, 0] ** GAMMA
    assert constant == pytest.approx(np.full(len(constant), constant[0]), rel=1e-9)
    v = out.table("segments")["velocity"][-1, 0, 0]
    assert v < -3.0
    energy = out.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-4 * np.max(energy["kinetic"])


def perfect(out: Trajectory) -> None:
    """Ask that p V = m R T for all that the results show of the gas."""
    a = out.table("airbags")
    p, mass = a["pressure"] + OUTSIDE, a["mass"]
    there = mass > 0.0
    assert there.any()
    right = (mass * AIR * a["temperature"])[there]
    assert (p * a["volume"])[there] == pytest.approx(right, rel=1e-9)
    # and what is drawn is as large as the gas and all that presses in
    drawn = 4.0 / 3.0 * math.pi * np.prod(a["semi_axes"], axis=2)
    assert np.all(a["volume"] <= drawn * (1.0 + 1e-9))


def test_a_slack_bag_is_no_larger_than_its_gas() -> None:
    flow = {"kind": "mass_flow", "flow": "flow", "temperature": 400.0}
    data = bag(speed=9.0, away=-0.75, inflator=flow, vents=[{"area_m2": 6e-3, "discharge": 0.6}])
    data["functions"] = [function("flow", [0.0, 0.02, 0.021], [4.0, 4.0, 0.0], ("s", "kg/s"))]
    out = run(data, 0.2, 5000.0)
    a = out.table("airbags")
    slack = (a["state"][:, 0] == 2) & (a["pressure"][:, 0] == 0.0)
    assert 100 < slack.sum() < len(slack) - 100
    perfect(out)
    # it lost gas while it was pressed, and what is left does not fill it
    late = slack & (np.arange(len(slack)) > 0.15 * 5000.0)
    assert np.all(a["volume"][late, 0] < 0.95 * FULL)
    semi = a["semi_axes"][late, 0] / SEMI
    assert semi == pytest.approx(np.repeat(semi[:, :1], 3, axis=1), rel=1e-12)
    assert np.all(semi < 1.0)
    assert np.all(a["force"][slack] == 0.0)
    gas_is_kept(out)
    perfect(run(bag(), 0.03, 5000.0))


def printed_pressure(out: Trajectory) -> tuple[Any, Any]:
    """Give the gauge pressures of a full bag as printed (7.55) and as solved (Pa)."""
    a = out.table("airbags")
    tight = np.flatnonzero(a["pressure"][:, 0] > 0.0)
    mass, volume, solved = (a[name][tight, 0] for name in ("mass", "volume", "pressure"))
    # its density at ambient pressure is that of the free volume with which it became full
    first = solved[0] + OUTSIDE
    when_full = mass[0] / (volume[0] * (first / OUTSIDE) ** (1.0 / GAMMA))
    return OUTSIDE * (mass / volume / when_full) ** GAMMA - OUTSIDE, solved


def test_the_printed_pressure_holds_where_nothing_flows_in_any_more() -> None:
    # an inflator that ends as the bag becomes full; then it is pressed, and vents
    flow = {"kind": "mass_flow", "flow": "flow", "temperature": 400.0}
    vent = {"area_m2": 2e-3, "discharge": 0.6, "opens_at_pa": 2000.0}
    data = bag(speed=6.0, away=-0.9, inflator=flow, vents=[vent])
    data["functions"] = [function("flow", [0.0, 0.02, 0.021], [4.0, 4.0, 0.0], ("s", "kg/s"))]
    out = run(data, 0.2, 5000.0)
    a = out.table("airbags")
    assert a["mass_out"][-1, 0] > 1e-3
    still = np.flatnonzero(a["pressure"][:, 0] > 0.0) > 0.024 * 5000.0
    printed, solved = printed_pressure(out)
    base = (solved[still][0] + OUTSIDE) / (printed[still][0] + OUTSIDE)
    assert (printed[still] + OUTSIDE) * base == pytest.approx(solved[still] + OUTSIDE, rel=1e-9)


def test_gas_that_comes_later_brings_its_own_heat() -> None:
    """Hot gas into a cold bag: (7.55), which gives it the bag's temperature, asks for too little."""
    data = bag(inflator={"kind": "mass_flow", "flow": "flow", "temperature": "heat"})
    data["functions"] = [function("flow", [0.0, 0.06, 0.061], [2.0, 2.0, 0.0], ("s", "kg/s")),
                         function("heat", [0.0, 0.04, 0.05], [300.0, 300.0, 900.0], ("s", "K"))]  # fmt: skip
    hot = run(data, 0.08, 5000.0)
    gas_is_kept(hot)
    printed, solved = printed_pressure(hot)
    assert printed[-1] < 0.9 * solved[-1]
    # the balance of energy: at constant volume d(pV) / (gamma - 1) = cp T_in dm
    a = hot.table("airbags")
    tight = np.flatnonzero(a["pressure"][:, 0] > 0.0)
    gained = np.diff(a["energy"][tight, 0])
    assert gained == pytest.approx(np.diff(a["energy_in"][tight, 0]), rel=0.02, abs=2.0)


def test_vents_let_out_what_they_should_and_take_the_rebound_away() -> None:
    vent = {"area_m2": 2e-3, "discharge": 0.6, "opens_at_pa": 5000.0}
    vented = run(bag(speed=6.0, away=-0.9, vents=[vent]), 0.2, 5000.0)
    closed = run(bag(speed=6.0, away=-0.9), 0.2, 5000.0)
    gas_is_kept(vented)
    assert vented.table("airbags")["mass_out"][-1, 0] > 0.01
    speeds = [r.table("segments")["velocity"][-1, 0, 0] for r in (closed, vented)]
    assert abs(speeds[1]) < abs(speeds[0])
    # a vent that stays open empties the bag to the pressure outside, one that may close does not
    shut = {**vent, "opens_at_pa": 1e8}
    stays = run(bag(vents=[shut, {**vent, "stays_open": True}]), 2.0, 100.0)
    closes = run(bag(vents=[vent]), 2.0, 100.0)
    assert stays.table("airbags")["pressure"][-1, 0] < 100.0
    assert 3500.0 < closes.table("airbags")["pressure"][-1, 0] < 5200.0
    (opened,) = [event for event in stays.events() if event.kind == "airbag_vents"]
    assert (opened.elements, opened.values) == (("airbags/bag",), (1.0,))


def test_leakage_and_the_incompressible_law_act() -> None:
    tight = run(bag(), 0.05, 1000.0).table("airbags")["pressure"][-1, 0]
    leak = {"leakage": {"area_m2": 0.5, "ratio": 0.002}}
    leaking = run(bag(**leak), 0.05, 1000.0)
    assert leaking.table("airbags")["pressure"][-1, 0] < 0.95 * tight
    gas_is_kept(leaking)
    vent = {"area_m2": 1e-3, "flow": "incompressible"}
    out = run(bag(vents=[vent]), 0.05, 1000.0)
    a = out.table("airbags")
    rho = OUTSIDE / (AIR * 300.0)
    flow = 0.6e-3 * np.sqrt(2.0 * rho * a["pressure"][:, 0])
    lost = np.trapezoid(flow, dx=1e-3)
    assert a["mass_out"][-1, 0] == pytest.approx(lost, rel=2e-2)


def test_a_measured_inflator_brings_its_mass_and_heat() -> None:
    data = bag(inflator={"kind": "mass_flow", "flow": "flow", "temperature": 500.0})
    data["functions"] = [
        function("flow", [0.0, 0.01, 0.04, 0.05], [0.0, 4.0, 4.0, 0.0], ("s", "kg/s"))
    ]
    out = run(data, 0.06, 2000.0)
    a = out.table("airbags")
    assert a["mass_in"][-1, 0] == pytest.approx(0.16, rel=1e-6)
    assert a["energy_in"][-1, 0] == pytest.approx(0.16 * 3.5 * AIR * 500.0, rel=1e-6)
    gas_is_kept(out)


@pytest.mark.parametrize("late", [0.0, 0.0301])
def test_a_short_burst_of_an_inflator_is_not_passed_over(late: float) -> None:
    """Nothing else moves, so steps are as long as they may be."""
    burst = {"kind": "mass_flow", "flow": "flow", "temperature": 500.0}
    flow = function(
        "flow", [late + 0.01, late + 0.01002, late + 0.01004], [0, 2000, 0], ("s", "kg/s")
    )
    data = bag(inflator=burst)
    data["functions"] = [flow]
    out = run(data, 0.06, 1000.0)
    assert out.table("airbags")["mass_in"][-1, 0] == pytest.approx(0.04, rel=1e-4)
    assert len(out.steps()["time"]) < 150


def test_a_finely_measured_inflator_costs_few_steps() -> None:
    t = np.linspace(0.0, 0.08, 2001)
    burst = {"kind": "mass_flow", "flow": "flow", "temperature": "heat"}
    data = bag(inflator=burst)
    data["functions"] = [
        function("flow", list(t), list(4.0 * t / 0.01 * np.exp(1.0 - t / 0.01)), ("s", "kg/s")),
        function("heat", list(t), list(500.0 + 1000.0 * t), ("s", "K")),
    ]
    out = run(data, 0.06, 1000.0, kind="dopri")
    assert len(out.steps()["time"]) < 150
    x = 0.058 / 0.01
    blown = 4.0 * 0.01 * math.e * (1.0 - math.exp(-x) * (1.0 + x))
    assert out.table("airbags")["mass_in"][-1, 0] == pytest.approx(blown, rel=1e-3)


def watched(
    output: dict[str, Any], spin: tuple[float, ...] = (0.0, 0.0, 0.0), **trigger: Any
) -> Trajectory:
    """Run a bag that watches an output of a head or of its panel, which turns; `spin` is that of the head."""
    data = bag(speed=2.0, away=-1.0)
    turn = {
        "component": "pitch",
        "quantity": "velocity",
        "pulse": {"kind": "constant", "value": 5.0},
    }
    data["motions"][0]["components"].append(turn)
    head, panel = data["segments"][0], data["segments"][1]
    data["initial"]["attitudes"] = [
        {"segment": head["id"], "angular_velocity_rad_per_s": list(spin)}
    ]
    names = {"panel": panel["id"], "head": head["id"]}
    output = {k: names.get(v, v) if isinstance(v, str) else v for k, v in output.items()}
    data["planes"] = [{"id": "wall", "placement": {
        "kind": "frame", "frame": {"position_m": [-0.8, 0, 0],
                                   "orientation": {"angles_rad": [0, -math.pi / 2, 0]}}}}]  # fmt: skip
    data["contact_laws"] = [{"id": "stiff", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e5}]
    data["contacts"] = [{"id": "bumper", "kind": "plane", "plane": "wall", "law": "stiff",
                         "surface": {"segment": head["id"], "surface": head["surfaces"][0]["id"]}}]  # fmt: skip
    data["outputs"] = [{"id": "seen", **output}]
    data["airbags"][0]["trigger"] = {"kind": "channel", "output": "seen", **trigger}
    return run(data, 0.1, 1000.0)


def watching(output: dict[str, Any], spin: Any = (0.0, 0.0, 0.0), **trigger: Any) -> float:
    """Give the time (ms) at which a bag fires that watches an output; `spin` is that of the head."""
    log = watched(output, spin, **trigger).log
    (fires,) = [line for line in log if "fires" in line and "trigger" not in line]
    return float(fires.split()[0])


@pytest.mark.parametrize("quantity", ["velocity", "acceleration"])
def test_a_trigger_sees_the_motion_of_a_point_from_a_panel_that_turns_as_its_output_does(
    quantity: str,
) -> None:
    seen = {"kind": "point", "segment": "head", "quantity": quantity, "relative_to": "panel",
            "point_m": [0.03, 0.01, -0.02]}  # fmt: skip
    shown = watched(seen, (4.0, 2.0, 1.0), component="x", level=1e6)
    (name,) = [n for n in shown.channel_names if n.startswith("seen") and n.endswith("x")]
    value = shown.channel(name).value
    rises = bool(value[21] > value[20])
    at = watching(seen, (4.0, 2.0, 1.0), component="x", level=float(value[20]), rising=rises)
    assert at == pytest.approx(20.0, abs=1e-3)


def test_a_trigger_watches_angles_and_contacts() -> None:
    turning = {"kind": "rotation", "segment": "panel", "quantity": "angle"}
    assert watching(turning, component="y", level=0.2) == pytest.approx(40.0, abs=1e-4)
    from_head = {**turning, "segment": "head", "relative_to": "panel"}
    assert watching(from_head, component="y", level=-0.2, rising=False) == pytest.approx(
        40.0, abs=1e-4
    )
    euler = {**turning, "angles": "euler"}
    assert watching(euler, component="y", level=0.2) == pytest.approx(40.0, abs=1e-4)
    pressed = {"kind": "element", "of": "contacts", "element": "bumper"}
    touched, later = (watching(pressed, level=level) for level in (1e-6, 500.0))
    assert 0.0 < touched < later < touched + 10.0


def test_a_trigger_sees_angular_acceleration_from_a_panel_that_turns() -> None:
    """Of a head that spins evenly about x: w_p x (w_h - w_p), along axes that turn with the head."""
    seen = {
        "kind": "rotation",
        "segment": "head",
        "relative_to": "panel",
        "quantity": "acceleration",
    }
    spin, turn = 10.0, 5.0
    at = watching(seen, (spin, 0.0, 0.0), component="z", level=0.8 * spin * turn, rising=False)
    assert at == pytest.approx(1e3 * math.acos(0.8) / spin, abs=1e-3)


def test_a_trigger_watches_an_acceleration_as_its_output_shows_it() -> None:
    data = bag()
    panel = data["segments"][1]["id"]
    ramp = function("ramp", [0.0, 0.1], [0.0, -400.0], ("s", "m/s2"))
    data["functions"] = [ramp]
    data["motions"][0]["components"][0]["pulse"] = {"kind": "function", "function": "ramp"}
    data["outputs"] = [
        {"id": "sensor", "kind": "point", "segment": panel, "quantity": "acceleration"}
    ]
    data["airbags"][0]["trigger"] = {"kind": "channel", "output": "sensor", "component": "x",
                                     "level": -40.0, "rising": False, "delay_s": 0.005}  # fmt: skip
    out = run(data, 0.03, 10_000.0)
    fired = np.flatnonzero(out.table("airbags")["state"][:, 0] > 0)[0] / 10_000.0
    assert fired == pytest.approx(0.015, abs=2e-4)
    assert any("trigger of 'bag' is passed" in line for line in out.log)
    # after the delay it fires, at the end of a step
    (fires,) = [line for line in out.log if "trigger of 'bag' fires" in line]
    passed = next(line for line in out.log if "trigger of 'bag' is passed" in line)
    at = [float(line.split()[0]) for line in (passed, fires)]
    assert at[0] == pytest.approx(10.0, abs=1e-4)
    assert at[1] - at[0] == pytest.approx(5.0, abs=1e-5)
    assert np.min(np.abs(out.steps()["time"] - 1e-3 * at[1])) < 1e-7
    data["outputs"][0] = {"id": "sensor", "kind": "body", "segments": [panel]}
    with pytest.raises(ProjectError, match="sensor"):
        simulate(project(data))


def test_friction_of_the_bag_only_takes() -> None:
    data = bag(speed=6.0, away=-0.9, friction=0.5)
    data["initial"]["roots"][0]["velocity_m_per_s"] = [6.0, 2.0, 0.0]
    out = run(data, 0.15, 2000.0)
    energy = out.table("energy")
    assert np.all(np.diff(energy["lost_in_airbag_friction"]) > -1e-9)
    assert energy["lost_in_airbag_friction"][-1] > 0.1
    assert np.max(np.abs(energy["balance"])) < 1e-4 * np.max(energy["kinetic"])


def test_the_spring_holds_the_bag_to_its_panel_and_an_offset_moves_its_mass() -> None:
    loose = run(bag(), 0.15, 1000.0).table("airbags")["position"][-1, 0]
    held = run(bag(panel_stiffness_n_per_m=2e4), 0.15, 1000.0)
    assert abs(held.table("airbags")["position"][-1, 0, 0]) < abs(loose[0]) + 1e-9
    energy = held.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-5
    moved = run(bag(centre_offset_m=[0.02, 0.0, 0.01]), 0.1, 1000.0)
    assert np.max(np.abs(moved.table("energy")["balance"])) < 1e-5


@pytest.mark.parametrize(
    ("kind", "of"), [("solid", solid_inertia), ("shell", shell_inertia)], ids=["solid", "shell"]
)
def test_a_bag_turns_as_the_solid_or_the_shell_that_it_is_said_to_be(kind: str, of: Any) -> None:
    bags = compile_model(project(bag(inertia=kind))).system.bags
    assert bags.model.moments[0] == pytest.approx(of(*SEMI)[:3], rel=1e-12)


@pytest.mark.parametrize(
    "integrator", [{"kind": "rk4", "step_s": 1e-4}, {"kind": "vei"}], ids=["rk4", "vei"]
)
def test_other_integrators_fill_the_same_bag(integrator: dict[str, Any]) -> None:
    exact = run(bag(speed=6.0, away=-0.9), 0.08, 1000.0).table("airbags")
    other = run(bag(speed=6.0, away=-0.9), 0.08, 1000.0, **integrator).table("airbags")
    assert other["mass_in"][-1] == pytest.approx(exact["mass_in"][-1], rel=1e-3)
    assert other["pressure"][-1, 0] == pytest.approx(exact["pressure"][-1, 0], rel=5e-2)


def test_the_error_falls_with_the_tolerance() -> None:
    speeds = []
    for tolerance in (1e-4, 1e-6, 1e-8, 1e-10):
        data = bag(speed=6.0, away=-0.9, friction=0.3, vents=[{"area_m2": 1e-3}])
        out = run(
            data,
            0.15,
            1000.0,
            kind="dopri",
            relative_tolerance=tolerance,
            absolute_tolerance=tolerance / 100,
        )
        speeds.append(float(out.table("segments")["velocity"][-1, 0, 0]))
    errors = [abs(v - speeds[-1]) for v in speeds[:-1]]
    assert errors[1] < 1e-3
    assert errors[2] < 1e-5


def test_the_forces_on_all_that_a_bag_touches_are_its_own() -> None:
    """Pressure and friction, at places on the surfaces, sum up to the force of the bag's row."""
    data = json.loads((samples() / "frontal.json").read_text(encoding="utf-8"))
    out = simulate(project(data))
    bags, touches = out.table("airbags"), out.table("airbag_contacts")
    assert len(touches.ids) == len(set(touches.ids)) > 1
    assert all(name.split(".")[0] in bags.ids for name in touches.ids)
    whole = bags["force"][:, 0]
    assert np.max(np.linalg.norm(whole, axis=1)) > 500.0
    # a spent bag lets the head past its middle, where the nearer side is another than that by which it came
    summed = touches["force"].sum(axis=1)
    assert summed == pytest.approx(whole, rel=1e-6, abs=1e-3)
    head = touches["force"][:, touches.ids.index("driver_bag.driver_head"), 0]
    assert head.max() < 1.0, "it is pushed back, never on"
    touch = out.channel("driver_head.touch_force_resultant")
    at_frames = np.interp(out.time, touch.time, touch.value)
    pushed = np.linalg.norm(touches["force"][:, 0], axis=1)
    assert at_frames[pushed > 50.0] == pytest.approx(pushed[pushed > 50.0], rel=0.02)
    acts = np.linalg.norm(touches["force"], axis=2) > 1.0
    assert acts.any(axis=0).sum() > 1, "more than one segment is pressed"
    away = np.linalg.norm(touches["point"] - bags["position"], axis=2)[acts]
    assert np.all(away < 1.2 * bags["semi_axes"][:, 0].max())


def test_what_several_shapes_press_in_together_presses_once() -> None:
    """A head of two equal shapes is caught as one of one shape; apart, both are pressed as they are."""
    one = bag(speed=8.0, away=-0.75)
    two = json.loads(json.dumps(one))
    (shape,) = two["segments"][0]["surfaces"]
    two["segments"][0]["surfaces"].append({**shape, "id": "again"})
    two["airbags"][0]["touches"].append({"segment": two["segments"][0]["id"], "surface": "again"})
    caught = [run(data, 0.12, 5_000.0) for data in (one, two)]
    speed = [out.table("segments")["velocity"][:, 0, 0] for out in caught]
    assert speed[0].min() < 4.0, "it is caught"
    assert speed[1] == pytest.approx(speed[0], abs=2e-3)
    parts = caught[1].table("airbag_contacts")["force"]
    assert parts[:, 0] == pytest.approx(parts[:, 1], abs=1e-6)


def test_friction_is_part_of_what_a_bag_does_to_a_segment() -> None:
    data = bag(speed=8.0, away=-0.75, friction=0.6)
    data["initial"]["roots"][0]["velocity_m_per_s"] = [8.0, 3.0, 0.0]
    out = run(data, 0.12, 5_000.0)
    whole, one = out.table("airbags")["force"][:, 0], out.table("airbag_contacts")["force"][:, 0]
    assert np.abs(whole[:, 1]).max() > 1.0
    assert one == pytest.approx(whole, rel=1e-6, abs=1e-3)


def test_a_bag_beside_what_has_a_state_of_its_own() -> None:
    """States of muscles come after those of bags: both are told as if the other were not there."""
    alone = bag(away=-0.2)
    head = alone["segments"][0]["id"]
    muscle = {
        "id": "pull", "zero": 0.1,
        "coordinate": {"kind": "distance", "a": {"segment": head}, "b": {"segment": "ground", "position_m": [-5.0, 0.0, 0.0]}},
        "laws": [{"kind": "muscle", "stiffness": 1e-9, "damping": 1.0}],
    }  # fmt: skip
    beside = alone | {"coordinate_forces": [muscle]}
    first, second = (simulate(project(data)) for data in (alone, beside))
    for name in ("mass_in", "mass_out", "energy_in", "energy_out", "pressure"):
        expected = first.table("airbags")[name]
        assert second.table("airbags")[name] == pytest.approx(expected, rel=1e-6, abs=1e-9)
    assert first.table("airbags")["mass_in"].max() > 1e-3


def test_a_spring_to_the_panel_comes_up_smoothly() -> None:
    """A bag that is knocked off its panel and pulled back: by its own distance, not by that of bounding spheres."""
    data = bag(speed=12.0, away=-0.9, panel_stiffness_n_per_m=2000.0)
    data["initial"]["roots"][0]["position_m"] = [-0.9, 0.0, 0.1]
    fine = {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}
    out = run(data, 0.12, 1000.0, **fine)
    assert out.time[-1] == 0.12
