"""Balls that meet floors, for tests of contacts."""

from __future__ import annotations

from typing import Any

import numpy as np

from solver.results.trajectory import Trajectory
from solver.simulation import simulate
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
