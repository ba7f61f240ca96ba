"""Control laws of blocks against closed forms, and servo-hydraulic cylinders: frequency, speed, stall, work."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.linalg import expm
from scipy.signal import cont2discrete, tf2ss

from solver.editing.mirror_joints import mirrored_force
from solver.project.checks import check
from solver.running.restart import Restart
from solver.running.simulation import Simulation, simulate
from tests.models import base, project, segment

MASS = 2.0
EXACT = {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}


def block(name: str, kind: str, *of: str, **more: Any) -> Any:
    wires = {"inputs": [{"of": one.lstrip("-"), "gain": -1.0 if one[0] == "-" else 1.0} for one in of]} if of else {}  # fmt: skip
    return {"name": name, "kind": kind, **wires, **more}


def slider(*laws: Any, duration: float = 0.4, mass: float = MASS, **more: Any) -> Any:
    """Drive a block along a slide by laws."""
    force = {"id": "drive", "coordinate": {"kind": "joint", "joint": "slide", "axis": "slide"}, "laws": list(laws)}  # fmt: skip
    return base(
        segments=[segment("block", mass)], joints=[{"id": "slide", "kind": "slip", "parent": "ground", "child": "block"}],
        coordinate_forces=[force], gravity_m_per_s2=[0.0, 0.0, 0.0], duration=duration, integrator=EXACT, **more,
    )  # fmt: skip


def law(*blocks: Any, **more: Any) -> Any:
    return {"kind": "blocks", "blocks": list(blocks), **more}


def signal(run: Any, name: str) -> Any:
    return run.table("signals").row(f"drive.{name}")["value"]


STEP = block("step", "source", value=3.0)


def answer(top: list[float], below: list[float], t: Any) -> Any:
    """The answer of a transfer function to a step of 3, by the matrix exponential."""
    A, B, C, D = tf2ss(top, below)
    n = len(A)
    whole = np.zeros((n + 1, n + 1))
    whole[:n, :n], whole[:n, n:] = A, 3.0 * B
    at = [expm(whole * x)[:n, n] for x in t]
    return np.array([float((C @ x)[0] + 3.0 * D[0, 0]) for x in at])


@pytest.mark.parametrize(
    ("made", "top", "below"),
    [
        (block("out", "lag", "step", time_s=0.05), [1.0], [0.05, 1.0]),
        (block("out", "second_order", "step", frequency_hz=5.0, damping_ratio=0.3), [(10 * math.pi) ** 2],
         [1.0, 6.0 * math.pi, (10 * math.pi) ** 2]),
        (block("out", "integrator", "step"), [1.0], [1.0, 0.0]),
        (block("out", "transfer", "step", numerator=[2.0, 30.0], denominator=[1.0, 8.0, 900.0, 0.0]), [2.0, 30.0], [1.0, 8.0, 900.0, 0.0]),
        (block("out", "transfer", "step", numerator=[2.0, 3.0, 5.0], denominator=[2.0, 8.0, 80.0]), [2.0, 3.0, 5.0], [2.0, 8.0, 80.0]),
    ],
    ids=["lag", "second order", "integrator", "transfer", "passes on"],
)  # fmt: skip
def test_a_step_is_answered_as_the_matrix_exponential_says(made: Any, top: Any, below: Any) -> None:
    run = simulate(project(slider(law(made, STEP, output="out"))))
    assert signal(run, "out") == pytest.approx(answer(top, below, run.time), abs=1e-7)
    assert -run.table("coordinate_forces")["force"][:, 0] == pytest.approx(signal(run, "out"))


def test_limits_zones_rates_products_and_curves() -> None:
    ramp = {
        "id": "ramp",
        "x_unit": "s",
        "y_unit": "1",
        "form": {"kind": "table", "x": [0.0, 0.4], "y": [-2.0, 2.0]},
    }
    bent = {
        "id": "bent",
        "x_unit": "1",
        "y_unit": "1",
        "form": {
            "kind": "polynomial",
            "coefficients": [1.0, 0.0, 2.0],
            "x_min": -5.0,
            "x_max": 5.0,
        },
    }
    made = law(
        block("in", "source", value="ramp"), block("limited", "limiter", "in", lower=-1.0, upper=0.5),
        block("zone", "dead_zone", "in", lower=-0.5, upper=1.0), block("product", "product", "in", "-zone"),
        block("bent", "curve", "in", function="bent"), block("held", "integrator", "step", upper=0.6, lower=-1.0),
        block("slow", "rate_limiter", "step", rising=20.0, falling=5.0, time_s=1e-3), STEP,
        block("all", "sum", "limited", "zone", bias=1.0), output="all",
    )  # fmt: skip
    run = simulate(project(slider(made, functions=[ramp, bent])))
    t = run.time
    u = -2.0 + 10.0 * t
    zone = np.maximum(u - 1.0, 0.0) + np.minimum(u + 0.5, 0.0)
    known = {
        "limited": np.clip(u, -1.0, 0.5), "zone": zone, "product": -u * zone, "bent": 1.0 + 2.0 * u * u,
        "held": np.minimum(3.0 * t, 0.6), "all": np.clip(u, -1.0, 0.5) + zone + 1.0,
    }  # fmt: skip
    for name, wanted in known.items():
        assert signal(run, name) == pytest.approx(wanted, abs=2e-5), name
    # it follows at 20 a second until it is as near as it comes by its lag
    gone = t - 2.98 / 20.0
    slow = np.where(gone < 0.0, 20.0 * t, 3.0 - 0.02 * np.exp(-np.maximum(gone, 0.0) / 1e-3))
    assert signal(run, "slow") == pytest.approx(slow, abs=1e-4)


LOOP = law(
    block("error", "sum", "-place", "wanted"), block("sum", "integrator", "error"), block("damped", "lag", "rate", time_s=0.01),
    {"name": "force", "kind": "sum", "inputs": [{"of": "error", "gain": 400.0}, {"of": "sum", "gain": 500.0}, {"of": "damped", "gain": -30.0}]},
    block("wanted", "source", value=0.1), output="force",
    sensors=[{"name": "place", "coordinate": {"kind": "joint", "joint": "slide", "axis": "slide"}},
             {"name": "rate", "quantity": "rate", "coordinate": {"kind": "joint", "joint": "slide", "axis": "slide"}}],
)  # fmt: skip


def test_a_closed_loop_is_its_matrix_exponential_and_the_same_bits_after_a_restart() -> None:
    data = slider(LOOP)
    data["runs"][0]["checkpoint_interval_s"] = 0.1
    whole = simulate(project(data))
    # x' = v, m v' = 400 (w - x) + 500 s - 30 d, s' = w - x, T d' = v - d
    A = np.array([[0, 1, 0, 0, 0], [-200, 0, 250, -15, 20.0], [-1, 0, 0, 0, 0.1], [0, 100, 0, -100, 0], [0, 0, 0, 0, 0]])  # fmt: skip
    known = np.array([expm(A * t)[:, 4] for t in whole.time])
    assert whole.segment("block").position[:, 2] == pytest.approx(known[:, 0], abs=1e-8)
    assert signal(whole, "sum") == pytest.approx(known[:, 2], abs=1e-8)
    simulation = Simulation(project(data), restart=Restart(whole, 0.2))
    again = simulation.memory()
    assert simulation.go([again]).status == "completed"
    assert np.array_equal(again.segment("block").position[-1], whole.segment("block").position[-1])
    assert again.table("signals")["value"][-1].tobytes() == whole.table("signals")["value"][-1].tobytes()  # fmt: skip


def test_a_sampled_loop_is_its_sum() -> None:
    made = {**LOOP, "blocks": [*LOOP["blocks"], block("taken", "hold", "force", period_s=0.02)], "output": "taken"}  # fmt: skip
    made["blocks"] = [one for one in made["blocks"] if one["name"] not in ("sum", "damped")]
    force = next(one for one in made["blocks"] if one["name"] == "force")
    at = made["blocks"].index(force)
    made["blocks"][at] = force | {"inputs": [{"of": "error", "gain": 400.0}, {"of": "rate", "gain": -30.0}]}  # fmt: skip
    run = simulate(project(slider(made)))
    A, B, *_ = cont2discrete((np.array([[0.0, 1.0], [0.0, 0.0]]), np.array([[0.0], [0.5]]), np.eye(2), np.zeros((2, 1))), 0.02)  # fmt: skip
    state, places = np.zeros(2), [0.0]
    for _ in range(20):
        given = 400.0 * (0.1 - state[0]) - 30.0 * state[1]
        state = A @ state + B[:, 0] * given
        places.append(state[0])
    known = run.segment("block").position[:, 2]
    sampled = [int(np.argmin(np.abs(run.time - 0.02 * k))) for k in range(21)]
    assert known[sampled] == pytest.approx(places, abs=1e-9)


# Cylinders.

SUPPLY, AREA, VOLUME, BULK = 21e6, 2e-3, 4e-4, 1.4e9


def cylinder(**more: Any) -> Any:
    return {
        "kind": "hydraulic", "valve_flow_m3_per_s": 1e-3, "valve_drop_pa": 3.5e6, "supply_pa": SUPPLY, "area_a_m2": AREA, "area_b_m2": AREA,
        "volume_a_m3": VOLUME, "volume_b_m3": VOLUME, "bulk_modulus_pa": BULK, "pressure_a_pa": 0.5 * SUPPLY, "pressure_b_pa": 0.5 * SUPPLY,
        **more,
    }  # fmt: skip


def test_oil_in_a_closed_cylinder_is_a_spring_of_its_natural_frequency() -> None:
    data = slider(cylinder(), mass=100.0, duration=0.05)
    data["initial"] = {"joints": [{"joint": "slide", "values": [0.0], "rates": [0.05]}]}
    data["runs"][0]["frame_interval_s"] = 5e-4
    run = simulate(project(data))
    w = math.sqrt(4.0 * BULK * AREA**2 / (2.0 * VOLUME * 100.0))
    x = run.segment("block").position[:, 2]
    assert x == pytest.approx(0.05 / w * np.sin(w * run.time), abs=2e-4 * 0.05 / w)
    # what oil holds is work of actuators that comes back
    energy = run.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-7
    assert energy["work_of_muscles"] == pytest.approx(energy["kinetic"] - energy["kinetic"][0], abs=1e-7)  # fmt: skip


@pytest.mark.parametrize("opening", [0.5, -0.25])
def test_it_runs_at_the_speed_of_its_flow(opening: float) -> None:
    run = simulate(project(slider(cylinder(opening=opening), mass=50.0, duration=0.3)))
    flow = opening * 1e-3 * math.sqrt(0.5 * SUPPLY / 3.5e6)
    assert run.segment("block").velocity[-1, 2] == pytest.approx(flow / AREA, rel=1e-5)
    assert signal(run, "pressure_a")[-1] == pytest.approx(0.5 * SUPPLY, rel=1e-4)


def test_it_stalls_at_the_supply_pressure_and_leaks_to_a_balance() -> None:
    stop = {"kind": "linear", "stiffness": 1e9}
    drag = {"kind": "viscous", "damping": 1e6}
    run = simulate(project(slider(cylinder(opening=1.0, return_pa=1e6), stop, drag, mass=50.0)))
    assert signal(run, "pressure_a")[-1] == pytest.approx(SUPPLY, rel=1e-5)
    assert signal(run, "pressure_b")[-1] == pytest.approx(1e6, rel=1e-3)
    assert run.segment("block").position[-1, 2] == pytest.approx((SUPPLY - 1e6) * AREA / 1e9, rel=1e-3)  # fmt: skip
    # with a leak L the same flow passes both edges: Q = L (a - b), a and b alike off supply and tank
    leak = 1e-10
    run = simulate(project(slider(cylinder(opening=0.1, leak_m3_per_pa_s=leak), stop, drag, mass=50.0)))  # fmt: skip
    a, b = signal(run, "pressure_a")[-1], signal(run, "pressure_b")[-1]
    assert 0.1 * 1e-3 * math.sqrt((SUPPLY - a) / 3.5e6) == pytest.approx(leak * (a - b), rel=1e-4)
    assert a + b == pytest.approx(SUPPLY, rel=1e-6)


def test_a_servo_follows_by_blocks_and_its_mirror_image_goes_the_other_way() -> None:
    servo = cylinder(
        sensors=LOOP["sensors"][:1], output="spool",
        blocks=[block("wanted", "source", value=0.02), {"name": "error", "kind": "sum", "inputs": [{"of": "wanted"}, {"of": "place", "gain": -1.0}]},
                {"name": "gain", "kind": "limiter", "lower": -1.0, "upper": 1.0, "inputs": [{"of": "error", "gain": 20.0}]},
                block("spool", "second_order", "gain", frequency_hz=60.0, damping_ratio=0.8)],
    )  # fmt: skip
    run = simulate(project(slider(servo, mass=50.0, duration=0.8)))
    # x' = 20 (w - x) Q / A behind the valve's swing and that of the oil: its slowest root
    pace = 20.0 * 1e-3 * math.sqrt(0.5 * SUPPLY / 3.5e6) / AREA
    valve, oil = 120.0 * math.pi, math.sqrt(4.0 * BULK * AREA**2 / (2.0 * VOLUME * 50.0))
    swings = np.polymul([1.0 / valve**2, 1.6 / valve, 1.0], [1.0 / oil**2, 0.0, 1.0])
    pace = float(np.min(np.abs(np.roots(np.polyadd(np.polymul(swings, [1.0, 0.0]), [pace])))))
    late = run.time > 0.3
    x = run.segment("block").position[:, 2]
    assert x[-1] == pytest.approx(0.02, rel=1e-3)
    ratio = np.log((0.02 - x[late][0]) / (0.02 - x[late][20])) / (run.time[late][20] - run.time[late][0])  # fmt: skip
    assert ratio == pytest.approx(pace, rel=0.02)
    model = project(slider(servo, mass=50.0))
    _, image = mirrored_force(model, model.coordinate_forces[0])
    assert image.laws[0] == model.coordinate_forces[0].laws[0]


@pytest.mark.parametrize(
    ("blocks", "more", "code"),
    [
        ([STEP, STEP], {"output": "step"}, "block-name"),
        ([STEP, block("a", "sum", "b")], {"output": "a"}, "block-unknown"),
        ([block("a", "sum", "b"), block("b", "limiter", "a", lower=0.0, upper=1.0)], {"output": "a"}, "block-ring"),
        ([STEP, block("a", "transfer", "step", numerator=[1.0, 2.0, 3.0], denominator=[1.0, 2.0])], {"output": "a"}, "block-transfer"),
        ([STEP, block("a", "limiter", "step", lower=2.0, upper=1.0)], {"output": "a"}, "block-limits"),
    ],
)  # fmt: skip
def test_what_is_no_diagram_is_refused(blocks: Any, more: Any, code: str) -> None:
    model = project(slider(law(*blocks, **more)))
    assert [one.code for one in check(model) if one.severity == "error"] == [code]
