"""Massless reference segments that drivers move against another segment (seed 003, p. 16)."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.project.checks import check
from solver.running.simulation import simulate
from tests.models import base, project, segment

SPIN, SIZE, PACE, ARM = 2.0, 0.2, 4.0, 0.3


def reference(**more: Any) -> Any:
    """A table turns at a rate; a massless segment slides along its x, half a metre off; a rod turns on it."""

    def driven(component: str, **pulse: Any) -> Any:
        one = {"moved": {"segment": "ref"}, "seen_from": {"segment": "table"}}
        return {"id": f"ref_{component}", "component": component, "pulse": pulse, **one}

    still: Any = {"kind": "constant", "value": 0.0}
    slides = {"id": "slides", "x_unit": "s", "y_unit": "m",
              "form": {"kind": "sine", "amplitude": SIZE, "omega": PACE, "x_max": 10.0}}  # fmt: skip
    spin = {
        "component": "yaw",
        "quantity": "velocity",
        "pulse": {"kind": "constant", "value": SPIN},
    }
    sideways = {"angles_rad": [0.0, 0.0, 0.5 * np.pi]}
    rod = {"id": "hang", "kind": "pin", "parent": "ref", "child": "rod",
           "parent_frame": {"orientation": sideways},
           "child_frame": {"position_m": [-ARM, 0.0, 0.0], "orientation": sideways}}  # fmt: skip
    data = base(
        segments=[segment("table", 3.0), segment("ref", 0.0, (0.0, 0.0, 0.0)), segment("rod", 0.4, (0.01, 0.02, 0.015))],
        joints=[rod], functions=[slides], motions=[{"id": "turns", "segment": "table", "components": [spin]}],
        frame_drivers=[
            driven("x", kind="function", function="slides"), driven("y", kind="constant", value=0.5), driven("z", **still),
            driven("yaw", **still), driven("pitch", **still), driven("roll", **still),
        ],
        initial={"roots": [{"segment": "ref", "position_m": [0.0, 0.5, 0.0], "velocity_m_per_s": [PACE * SIZE - 0.5 * SPIN, 0.0, 0.0]}], "attitudes": [{"segment": "ref", "angular_velocity_rad_per_s": [0.0, 0.0, SPIN]}],
            "joints": [{"joint": "hang", "values": [0.7]}]},
        gravity_m_per_s2=[0.0, 0.0, 0.0], duration=0.6,
    )  # fmt: skip
    return data | more


def placed(t: Any) -> tuple[Any, Any]:
    """Where the massless segment is, and its acceleration, as complex numbers."""
    along, rate = SIZE * np.sin(PACE * t), PACE * SIZE * np.cos(PACE * t)
    turned = np.exp(1j * SPIN * t)
    z = turned * (along + 0.5j)
    return z, turned * (-(SPIN**2) * (along + 0.5j) + 2j * SPIN * rate - PACE**2 * along)


def test_what_hangs_on_it_moves_as_on_a_driven_base() -> None:
    model = project(reference())
    assert [one.code for one in check(model) if one.severity == "error"] == []
    run = simulate(model)
    z, _ = placed(run.time)
    ref = run.segment("ref").position
    assert ref[:, 0] + 1j * ref[:, 1] == pytest.approx(z, abs=1e-9)

    def rates(t: float, y: Any) -> Any:
        # (I + m l^2) phi'' = - m l e_phi . a, with phi from the ground's x
        a = placed(t)[1]
        across = -np.sin(y[0]) * a.real + np.cos(y[0]) * a.imag
        return [y[1], -0.4 * ARM * across / (0.015 + 0.4 * ARM**2)]

    known = solve_ivp(rates, (0.0, run.time[-1]), [0.7, SPIN], t_eval=run.time, rtol=1e-11, atol=1e-12)  # fmt: skip
    way = run.segment("rod").position - ref
    assert way[:, 0] + 1j * way[:, 1] == pytest.approx(ARM * np.exp(1j * known.y[0]), abs=1e-6)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7


def test_a_heavy_segment_is_driven_against_it_from_afar() -> None:
    """What pushes on a massless segment far from it counted as moving nothing else: constraints contradicted each other."""
    driver = {"id": "car_x", "component": "x", "quantity": "acceleration", "pulse": {"kind": "constant", "value": 3.0},
              "moved": {"segment": "car"}, "seen_from": {"segment": "ref"}}  # fmt: skip
    data = reference()
    data["segments"].append(segment("car", 50.0, (5.0, 6.0, 7.0)))
    data["frame_drivers"].append(driver)
    data["initial"]["roots"].append({"segment": "car", "position_m": [3.0, -2.0, 1.0]})
    run = simulate(project(data))
    assert run.status == "completed"
    t, z = run.time, placed(run.time)[0]
    car = run.segment("car").position[:, 0] + 1j * run.segment("car").position[:, 1]
    along = ((car - z) * np.exp(-1j * SPIN * t)).real
    assert along - along[0] == pytest.approx(1.5 * t**2, abs=1e-7)
