"""Balls that meet floors, for tests of contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.models import base, project

FREE = {"gravity_m_per_s2": [0.0, 0.0, 0.0]}
FLOOR = {
    "id": "floor",
    "placement": {"kind": "points", "p1_m": [-5, -5, 0], "p2_m": [5, -5, 0], "p3_m": [-5, 5, 0]},
}  # fmt: skip


def ball(law: dict[str, Any], speed: float, *, mass: float = 2.0, radius: float = 0.1,
         height: float | None = None, velocity: list[float] | None = None, **parts: Any) -> Any:  # fmt: skip
    """Give a ball that falls on a floor, whose front is along z, in no time."""
    data = base(
        segments=[{
            "id": "ball", "mass_kg": mass, "inertia_kgm2": [0.4 * mass * radius**2] * 3,
            "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [radius] * 3}],
        }],
        planes=[FLOOR],
        contact_laws=[{"id": "law", **law}],
        contacts=[{"id": "pair", "kind": "plane", "plane": "floor", "law": "law",
                   "surface": {"segment": "ball", "surface": "skin"}}],
        initial={"roots": [{
            "segment": "ball", "position_m": [0, 0, radius if height is None else height],
            "velocity_m_per_s": velocity or [0, 0, -speed],
        }]},
    )  # fmt: skip
    data |= FREE
    return data | parts


def landing(count: int) -> Any:
    """Let so many balls that have nothing to do with each other land on a floor at one instant."""
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "restitution": 0.5}
    data, names = ball(law, 1.0, height=0.11), [f"ball{k}" for k in range(count)]
    segment, pair, root = data["segments"][0], data["contacts"][0], data["initial"]["roots"][0]
    data["segments"] = [segment | {"id": name} for name in names]
    data["contacts"] = [
        pair | {"id": name, "surface": pair["surface"] | {"segment": name}} for name in names
    ]
    data["initial"]["roots"] = [
        root | {"segment": name, "position_m": [0.22 * k - 4.5, 0.0, 0.11]}
        for k, name in enumerate(names)
    ]
    data["runs"][0] |= {"duration_s": 0.03, "frame_interval_s": 1e-3, "channel_rate_hz": 1000.0}
    return data


def run(data: Any, duration: float, rate: float = 10_000.0, **integrator: Any) -> Trajectory:
    data["runs"][0] |= {
        "duration_s": duration,
        "channel_rate_hz": rate,
        "frame_interval_s": 1 / rate,
    }
    if integrator:
        data["runs"][0]["integrator"] = integrator
    out = simulate(project(data))
    assert out.status == "completed", out.message
    return out


def balanced(out: Trajectory, part: float = 1e-6) -> None:
    """Ask that the energy account closes and that nothing is lost below zero."""
    energy = out.table("energy")
    turned_over = float(np.max(energy["kinetic"]) + np.max(np.abs(energy["external"])))
    assert np.max(np.abs(energy["balance"])) < part * turned_over
    for name in ("lost_in_contact_friction",):
        assert np.all(np.diff(energy[name]) > -1e-9 * turned_over)
