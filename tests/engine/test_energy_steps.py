"""Steps that keep energy and momentum, against the average acceleration of Newmark, which does not."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.project.problems import ProjectError
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.models import base, project

LENGTH, MASS, EA, G, SPEED = 3.0443, 10.0, 1e10, 9.8, 7.725
"""Bathe's pendulum as Crisfield and Shi fire it, in m and N."""


def run(data: Any, step: float, steps: int, every: int = 1, integrator: Any = None) -> Trajectory:
    data["runs"][0] |= {
        "duration_s": step * steps, "frame_interval_s": step * every, "channel_rate_hz": 1.0 / (step * every),
        "integrator": integrator or {"kind": "energy_momentum", "step_s": step},
    }  # fmt: skip
    out = simulate(project(data))
    assert out.status == "completed", out.message
    return out


def energy(out: Trajectory) -> Any:
    """The energy at all frames, in parts of the kinetic one at the start."""
    table = out.table("energy")
    whole = table["kinetic"] + table["potential"] + table["strain"]
    return (whole - whole[0]) / table["kinetic"][0]


def pendulum() -> Any:
    """A bob on a bar that stretches: a pin, then a slide with the bar's stiffness."""
    law = {"kind": "polynomial", "coefficients": [0.0, EA / LENGTH], "x_min": -1.0, "x_max": 1.0}
    return base(
        segments=[
            {"id": "arm", "mass_kg": 1e-6, "inertia_kgm2": [1e-9] * 3},
            {"id": "bob", "mass_kg": MASS, "inertia_kgm2": [1e-9] * 3},
        ],
        functions=[{"id": "bar", "x_unit": "m", "y_unit": "N", "form": law}],
        joints=[
            {"id": "pin", "kind": "pin", "parent": "ground", "child": "arm"},
            {"id": "bar", "kind": "slip", "parent": "arm", "child": "bob", "slide": {"force": "bar"},
             "child_frame": {"position_m": [0.0, 0.0, -LENGTH]}},
        ],
        initial={"joints": [{"joint": "pin", "values": [0.0], "rates": [SPEED / LENGTH]}]},
        gravity_m_per_s2=[0.0, 0.0, G],
    )  # fmt: skip


def test_crisfields_pendulum_swings_with_its_period_and_keeps_its_energy() -> None:
    """A bar that vibrates 6000 times a second does not shorten steps; the closed form of a rigid one has 4.1335 s."""
    out = run(pendulum(), 0.02, 10_000, 10)
    assert np.abs(energy(out)).max() < 1e-9
    assert abs(out.table("energy")["balance"]).max() < 1e-9 * 0.5 * MASS * SPEED**2
    fine = run(pendulum(), 0.005, 2000)
    x = fine.segment("bob").position[:, 0]
    ups = [
        fine.time[n] - x[n] / (x[n + 1] - x[n]) * 0.005
        for n in range(len(x) - 1)
        if x[n] < 0.0 <= x[n + 1]
    ]
    assert np.diff(ups) == pytest.approx(4.1335, abs=1e-3)


def newmark(step: float, steps: int) -> list[float]:
    """The energies of the same pendulum by average acceleration in places of the plane (beta 1/4, gamma 1/2)."""
    k, x, v = EA / LENGTH, np.array([0.0, -LENGTH]), np.array([SPEED, 0.0])

    def force(x: Any) -> Any:
        size = math.hypot(*x)
        return -k * (size - LENGTH) * x / size - np.array([0.0, MASS * G])

    def stiffness(x: Any) -> Any:
        size = math.hypot(*x)
        n = np.outer(x, x) / size**2
        return k * n + k * (size - LENGTH) / size * (np.eye(2) - n)

    a, out = force(x) / MASS, []
    for _ in range(steps):
        new = x + step * v
        for _ in range(60):
            gain = 4.0 / step**2 * (new - x - step * v) - a
            change = np.linalg.solve(
                4.0 * MASS / step**2 * np.eye(2) + stiffness(new), force(new) - MASS * gain
            )
            new = new + change
            if np.abs(change).max() < 1e-14:
                break
        gain = 4.0 / step**2 * (new - x - step * v) - a
        v, a, x = v + 0.5 * step * (a + gain), gain, new
        out.append(0.5 * MASS * v @ v + 0.5 * k * (math.hypot(*x) - LENGTH) ** 2 + MASS * G * x[1])
    return out


def test_average_acceleration_gains_energy_with_the_same_steps() -> None:
    """It locks after one and a quarter swings, as Crisfield and Shi show for a step of 0.1 s."""
    first = 0.5 * MASS * SPEED**2 - MASS * G * LENGTH
    gained = np.array(newmark(0.1, 200)) - first
    assert gained.max() > 0.5 * MASS * SPEED**2
    assert np.abs(energy(run(pendulum(), 0.1, 200))).max() < 1e-9


def chain(spin: float = 1.0) -> Any:
    """Three bodies that fly, by a ball joint, a pin and a spring across both."""
    parts = (
        ("a", 2.0, [0.02, 0.03, 0.04]),
        ("b", 1.0, [0.01, 0.02, 0.015]),
        ("c", 0.7, [0.004, 0.006, 0.005]),
    )
    return base(
        segments=[{"id": name, "mass_kg": m, "inertia_kgm2": one} for name, m, one in parts],
        joints=[
            {"id": "ab", "kind": "ball", "parent": "a", "child": "b",
             "parent_frame": {"position_m": [0.1, 0.1, -0.1]}, "child_frame": {"position_m": [-0.2, 0.0, 0.1]}},
            {"id": "bc", "kind": "pin", "parent": "b", "child": "c",
             "parent_frame": {"position_m": [0.1, -0.1, -0.2]}, "child_frame": {"position_m": [-0.1, 0.0, 0.2]}},
        ],
        springs=[{"id": "across", "kind": "linear", "stiffness_n_per_m": 2e4, "rest_length_m": 0.5,
                  "a": {"segment": "a", "position_m": [0.0, 0.0, 0.1]}, "b": {"segment": "c", "position_m": [0.05, 0.0, -0.1]}}],
        initial={
            "roots": [{"segment": "a", "velocity_m_per_s": [0.8, -0.5, 1.0]}],
            "attitudes": [
                {"segment": "a", "angular_velocity_rad_per_s": [spin, 2.0 * spin, -0.5 * spin]},
                {"segment": "b", "angular_velocity_rad_per_s": [3.0 * spin, -2.0 * spin, 0.5 * spin]},
            ],
        },
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip


def test_what_flies_keeps_energy_and_both_momenta() -> None:
    out = run(chain(), 1e-3, 10_000, 50)
    table = out.table("energy")
    assert table["strain"].max() > 0.1 * table["kinetic"].max()
    assert np.abs(energy(out)).max() < 1e-9
    for name in ("momentum", "spin"):
        assert np.ptp(table[name], axis=0).max() < 1e-9 * np.linalg.norm(table[name][0])
    assert np.abs(table["dissipated"]).max() < 1e-9 * table["kinetic"][0]


def test_steps_that_keep_energy_are_of_second_order() -> None:
    """Against a tight run of Dormand and Prince's."""
    end = 0.064
    exact = run(
        chain(),
        end,
        1,
        integrator={"kind": "dopri", "relative_tolerance": 1e-11, "absolute_tolerance": 1e-13},
    )
    wanted = exact.segment("c").position[-1]
    off = [
        np.linalg.norm(run(chain(), end / n, n).segment("c").position[-1] - wanted)
        for n in (64, 128, 256)
    ]
    assert math.log2(off[0] / off[1]) == pytest.approx(2.0, abs=0.2)
    assert math.log2(off[1] / off[2]) == pytest.approx(2.0, abs=0.1)


def test_a_spring_that_gives_back_a_part_is_refused_by_steps_that_keep_energy() -> None:
    data = pendulum()
    data["joints"][0]["spring"] = {"stop_rad": 0.3, "quadratic_nm_per_rad2": 300.0, "returned_ratio": 0.3}  # fmt: skip
    with pytest.raises(ProjectError, match="returned_ratio"):
        run(data, 0.01, 10)
