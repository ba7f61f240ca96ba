"""Impacts of Pereira and Nikravesh, slender rods with a tip that strikes a floor, and long elastic runs of Crisfield and Shi."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from manikin import Run
from solver.results.impacts import Impact
from tests.balls_and_floors import FLOOR, FREE, run
from tests.engine.test_energy_steps import energy, pendulum
from tests.engine.test_energy_steps import run as elastic
from tests.models import base
from validation.case import Case

TOP = 2.0
"""Height (m) of the support above the floor, less the fall to the touch."""
UPRIGHT = {"orientation": {"angles_rad": [0.0, 0.0, math.pi / 2]}}
"""A frame whose y axis is the vertical."""


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _kane()
    yield from _crisfield()


def rods(turning: float, e: float, mu: float, **law: Any) -> Any:
    """Two rods of 1 m and 1 kg at 18 and 30 degrees with rates of -1 and -2 rad/s, on a light table that turns about the vertical; the tip is about to strike."""
    a, b, tiny = math.radians(18.0), math.radians(30.0), 1e-9
    rod = {"mass_kg": 1.0, "inertia_kgm2": [1 / 12, 1 / 12, tiny]}
    half = {"position_m": [0.0, 0.0, 0.5]}
    data = base(
        segments=[
            {"id": "table", "mass_kg": tiny, "inertia_kgm2": [tiny] * 3}, {"id": "upper", **rod},
            {"id": "lower", **rod, "surfaces": [{"id": "tip", "kind": "ellipsoid", "semi_axes_m": [1e-6] * 3, "centre_m": [0.0, 0.0, -0.5]}]},
        ],
        joints=[
            {"id": "turn", "kind": "pin", "parent": "ground", "child": "table",
             "parent_frame": {"position_m": [0.0, 0.0, math.cos(a) + math.cos(b) + 2e-6], **UPRIGHT}, "child_frame": UPRIGHT},
            {"id": "hip", "kind": "pin", "parent": "table", "child": "upper", "child_frame": half},
            {"id": "knee", "kind": "pin", "parent": "upper", "child": "lower",
             "parent_frame": {"position_m": [0.0, 0.0, -0.5]}, "child_frame": half},
        ],
        planes=[FLOOR],
        contact_laws=[{"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e-3, "restitution": e, "friction": mu, **law}],
        contacts=[{"id": "touch", "kind": "plane", "plane": "floor", "law": "law", "surface": {"segment": "lower", "surface": "tip"}}],
        initial={"joints": [
            {"joint": "turn", "values": [0.0], "rates": [turning]}, {"joint": "hip", "values": [-a], "rates": [1.0]},
            {"joint": "knee", "values": [a - b], "rates": [1.0]},
        ]},
    )  # fmt: skip
    return data | FREE


def struck(turning: float, e: float, mu: float, **law: Any) -> Impact:
    """Give the impact."""
    (impact,) = Run(run(rods(turning, e, mu, **law), 2e-5, 1e6)).impacts
    return impact


def _kane() -> Iterator[Case]:
    paper = "Pereira, Nikravesh 1993"
    case = "Rods that strike and turn about the vertical, e 0.7, friction 0.4"
    one = struck(1.0, 0.7, 0.4)
    yield Case(
        case, f"{paper}, most loss", "impulse along the normal", 1.4312, one.normal, 2e-4, "N s"
    )
    yield Case(case, f"{paper}, most loss", "speed of leaving", 0.9163, one.leaves, 2e-4, "m/s")
    yield Case(
        case,
        f"{paper}, most loss",
        "sliding after",
        math.hypot(0.6568, 0.2563),
        one.slides,
        2e-4,
        "m/s",
    )
    yield Case(case, "independent", "energy lost", 0.37448 * 2.494063, one.loss, 2e-4, "J")
    for e, normal, across, loss in (
        (0.35, 0.91414, 0.53569, 0.47915),
        (0.4, 1.66493, 0.06349, 0.31971),
    ):
        one = struck(0.0, e, 1.0)
        case = f"Rods that strike and stick, e {e:g}, friction 1"
        yield Case(case, paper, "impulse along the normal", normal, one.normal, 2e-4, "N s")
        yield Case(case, paper, "impulse along the surface", across, one.across, 2e-4, "N s")
        yield Case(case, paper, "energy lost", loss * 2.311481, one.loss, 2e-4, "J")


def _crisfield() -> Iterator[Case]:
    case, source = "Pendulum on a bar of EA 1e10 N, steps of 0.02 s", "Crisfield, Shi 1993"
    out = elastic(pendulum(), 0.02, 10_000)
    yield Case(case, source, "energy after 10,000 steps, less that before, in parts of the kinetic", 0.0,
               float(np.abs(energy(out)).max()), 1e-9, "")  # fmt: skip
    fine = elastic(pendulum(), 0.005, 2000)
    x = fine.segment("bob").position[:, 0]
    ups = [
        fine.time[n] - x[n] / (x[n + 1] - x[n]) * 0.005
        for n in range(len(x) - 1)
        if x[n] < 0.0 <= x[n + 1]
    ]
    yield Case(
        "The same, steps of 0.005 s",
        source,
        "period",
        4.1335,
        float(np.mean(np.diff(ups))),
        1e-3,
        "s",
    )
