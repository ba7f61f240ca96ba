"""Small models whose studies have closed answers."""

from __future__ import annotations

import math
from typing import Any

import manikin as mk

K, MASS, SPEED = 2000.0, 2.0, 1.5
STIFFNESS, VELOCITY = "springs/spring/stiffness_n_per_m", "initial/roots/block/velocity_m_per_s/0"


def uniform(low: float, high: float) -> dict[str, Any]:
    return {"kind": "uniform", "low": low, "high": high}


def parameter(name: str, path: str, spread: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"id": name, "path": path, "spread": spread, **more}


def channel(name: str, quantity: str, take: str = "max", **more: Any) -> dict[str, Any]:
    return {"kind": "channel", "id": name, "quantity": quantity, "take": take, **more}


def formula(name: str, text: str, **more: Any) -> dict[str, Any]:
    return {"kind": "formula", "id": name, "formula": text, **more}


def block(duration: float = 0.08) -> mk.Model:
    """A mass that runs along x into the stretch of a spring: x = v / w sin(w t), force k x."""
    quarter = 0.5 * math.pi / math.sqrt(K / MASS)
    assert duration > quarter
    return (
        mk.new("A block on a spring", duration)
        .with_value("gravity_m_per_s2", (0.0, 0.0, 0.0))
        .add_segment("block", mass_kg=MASS, inertia_kgm2=(0.1, 0.1, 0.1))
        .with_value(
            "initial/roots",
            [{"segment": "block", "velocity_m_per_s": (SPEED, 0.0, 0.0)}],
        )
        .add_spring(
            "spring",
            kind="linear",
            a={"segment": "ground", "position_m": (-1.0, 0.0, 0.0)},
            b={"segment": "block"},
            stiffness_n_per_m=K,
            rest_length_m=1.0,
        )
        .add_output("place", kind="point", segment="block", quantity="position")
        .add_output("pull", kind="element", of="springs", element="spring")
        .with_value("runs/run/frame_interval_s", 0.01)
        .with_value("runs/run/body_sensors", False)
    )


STIFF = parameter("k", STIFFNESS, uniform(1000.0, 3000.0))
FAST = parameter("v", "initial/roots/0/velocity_m_per_s/0", uniform(1.0, 2.0))
FORCE = channel("force", "pull_force_resultant")
WAY = channel("way", "place_x")
