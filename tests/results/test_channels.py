"""Recorded channels: what is seen from a tumbling body, and what belongs to a body of several parts."""

from __future__ import annotations

from functools import cache
from typing import Any

import numpy as np
import pytest

from solver.results.trajectory import Trajectory
from solver.running import course
from solver.running.simulation import simulate
from tests.models import base, project, segment

RATE = 20_000.0
SEEN = {"segment": "body", "relative_to": "car"}


def tumbling() -> Any:
    """Give two free bodies that spin and fly, without gravity."""
    spins = {"car": [2.0, 3.0, -4.0], "body": [-5.0, 1.0, 2.0]}
    return base(
        0.05,
        segments=[segment("car", 2.0, (0.1, 0.2, 0.25)), segment("body", 1.0, (0.3, 0.2, 0.15))],
        initial={
            "roots": [
                {"segment": "body", "position_m": [0.5, -0.4, 0.3], "velocity_m_per_s": [1.0, 2.0, -1.0]}
            ],
            "attitudes": [
                {"segment": name, "angular_velocity_rad_per_s": spin} for name, spin in spins.items()
            ],
        },
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip


@cache
def run() -> Trajectory:
    data = tumbling()
    data["runs"][0] |= {"channel_rate_hz": RATE, "frame_interval_s": 1.0 / RATE}
    at = {"kind": "point", "point_m": [0.2, -0.1, 0.3], "axes": "relative", **SEEN}
    data["outputs"] = [
        *({"id": what, **at, "quantity": what} for what in ("position", "velocity", "acceleration")),
        {"id": "spin", "kind": "rotation", "quantity": "velocity", **SEEN},
        {"id": "spin_rate", "kind": "rotation", "quantity": "acceleration", **SEEN},
        {"id": "both", "kind": "body", "segments": ["car", "body"]},
    ]  # fmt: skip
    out = simulate(project(data))
    assert out.status == "completed", out.message
    return out


@pytest.mark.parametrize(
    ("of", "rate"),
    [("position", "velocity"), ("velocity", "acceleration"), ("spin", "spin_rate")],
)
def test_what_a_tumbling_body_sees_are_derivatives_of_what_it_sees(of: str, rate: str) -> None:
    for axis in "xyz":
        values, found = (run().channel(f"{name}_{axis}").value for name in (of, rate))
        # by central differences of fourth order
        v = [values[k : len(values) - 4 + k] for k in range(5)]
        expected = RATE * (v[0] - 8.0 * v[1] + 8.0 * v[3] - v[4]) / 12.0
        assert np.max(np.abs(found)) > 0.1
        assert found[2:-2] == pytest.approx(expected, abs=1e-6)


def test_a_body_of_several_parts_has_all_of_their_energy_and_momentum() -> None:
    """From the frames alone: bodies are free, so each is a mass and an inertia."""
    out = run()
    mass, inertia = np.array([2.0, 1.0]), np.array([[0.1, 0.2, 0.25], [0.3, 0.2, 0.15]])
    table = out.table("segments")
    v, w = table["velocity"], table["angular_velocity"]
    moving = 0.5 * np.einsum("n,tni,tni->t", mass, v, v)
    turning = 0.5 * np.einsum("ni,tni,tni->t", inertia, w, w)
    assert turning.min() > 1.0
    energy = out.channel("both_kinetic_energy").value
    assert energy == pytest.approx(moving + turning, rel=1e-9)
    assert energy == pytest.approx(out.table("energy")["kinetic"], rel=1e-9)
    for n, axis in enumerate("xyz"):
        momentum = out.channel(f"both_momentum_{axis}").value
        assert momentum == pytest.approx(np.einsum("n,tn->t", mass, v[:, :, n]), abs=1e-9)


def test_quaternions_go_on_over_the_blocks_in_which_a_run_is_handed_over(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    data = tumbling()
    data["runs"][0]["duration_s"] = 3.0
    monkeypatch.setattr(course, "STEPS_AT_ONCE", 3)
    q = simulate(project(data)).table("segments")["quaternion_wxyz"]
    turns = np.einsum("tni,tni->tn", q[1:], q[:-1])
    assert q.min() < -0.5
    assert turns.min() > 0.9
