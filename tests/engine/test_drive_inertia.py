"""Inertia that a drive adds to its axis: closed forms, MuJoCo, the account of energy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.running.simulation import simulate
from tests.models import base, project, segment

G, MASS, ARM, OWN, DRIVE = 9.81, 2.0, 0.4, 0.03, 0.25


def hung(joint: dict[str, Any], start: dict[str, Any]) -> Any:
    data = base(
        1.2,
        segments=[segment("body", MASS, (OWN, OWN, OWN))],
        joints=[{"id": "on", "parent": "ground", "child": "body", **joint}],
        initial={"joints": [{"joint": "on", **start}]},
    )
    data["gravity_m_per_s2"] = [0.0, 0.0, G]
    return data


def account(out: Any) -> float:
    energy = out.table("energy")
    return float(np.abs(energy["balance"]).max() / np.ptp(energy["potential"]))


def test_a_pendulum_with_a_drive_swings_slower_by_its_inertia() -> None:
    pin = {"kind": "pin", "child_frame": {"position_m": [0.0, 0.0, -ARM]}, "drive_inertia_kgm2": DRIVE}  # fmt: skip
    out = simulate(project(hung(pin, {"values": [1e-3], "rates": [0.0]})))
    angle, time = out.table("joints")["angle"][:, 0, 0], out.time
    whole = OWN + MASS * ARM**2 + DRIVE
    wanted = 1e-3 * np.cos(math.sqrt(MASS * G * ARM / whole) * time)
    assert np.abs(angle - wanted).max() < 1e-8
    assert account(out) < 1e-6


def test_a_slide_with_a_drive_falls_as_one_that_is_heavier_and_no_heavier_to_hold() -> None:
    slip = {"kind": "slip", "slide": {"drive_mass_kg": 3.0}}
    out = simulate(project(hung(slip, {"values": [0.0]})))
    way = out.table("segments")["position"][:, 0, 2]
    assert way == pytest.approx(0.5 * G * MASS / (MASS + 3.0) * out.time**2, abs=1e-9)
    assert account(out) < 1e-9
