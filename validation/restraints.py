"""Contacts, belts, harnesses, airbags: closed forms, published figures, and how errors fall."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.base.places import samples
from solver.project import validated
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.engine.test_airbags import GAMMA, OUTSIDE, bag
from tests.engine.test_contacts import ball, function, run
from tests.engine.test_harness import (
    EA,
    anchor,
    body,
    law,
    over_a_sphere,
    pulled,
    strapped,
    tensions,
)
from validation.case import Case

TOLERANCES = (1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8)
FINEST = 1e-10


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _contacts()
    yield from _harness()
    yield from _bag()
    yield from _samples()


def _contacts() -> Iterator[Case]:
    k, m, v = 1e5, 2.0, 3.0
    pad = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.5, "offset_ratio": 0.5}
    out = run(ball(pad, v, functions=[function("pad", [0.0, 1.0], [0.0, k])]), 0.05)
    depth, speed = out.table("contacts")["penetration"][:, 0], out.table("segments")["velocity"]
    yield Case("Ball on a pad that returns half", "closed form", "deepest point",
               v * math.sqrt(m / k), float(depth.max()), 2e-6, "m")  # fmt: skip
    yield Case("Ball on a pad that returns half", "closed form", "speed of rebound",
               v * math.sqrt(0.5), float(speed[-1, 0, 2]), 1e-6, "m/s")  # fmt: skip
    law_ = {"kind": "permanent_indentation", "stiffness_n_per_mn": 5.5e9, "exponent": 1.5,
            "loss_restitution": 0.7}  # fmt: skip
    out = run(ball(law_, 0.3, mass=0.046, radius=0.02), 3e-4, 1e6)
    force = np.abs(out.table("contacts")["force"][:, 0, 2])
    yield Case("Two aluminium spheres, 0.3 m/s", "published 336; independent", "peak force",
               334.6, float(force.max()), 0.1, "N")  # fmt: skip
    back = out.table("segments")["velocity"][-1, 0, 2]
    yield Case("Two aluminium spheres, 0.3 m/s", "published", "speed of rebound", 0.21,
               float(back), 1e-6, "m/s")  # fmt: skip


def _harness() -> Iterator[Case]:
    title, source = "Strap over a sphere, its anchor pulled", "independent Newton solution"
    seen = tensions(pulled(over_a_sphere(0.0, "body"), 1.0))
    for name, k, reference in (("first", 0, 58.119), ("inner", 4, 57.668), ("last", -1, 57.455)):
        yield Case(title, source, f"tension of the {name} piece, webbing running through", reference,
                   float(seen[k]), 6e-4, "N")  # fmt: skip
    seen = tensions(pulled(over_a_sphere(0.0, "webbing"), 1.0))
    yield Case(
        title, source, "tension of the inner pieces, marks", 57.599, float(seen[4]), 6e-4, "N"
    )


def _bag() -> Iterator[Case]:
    inflator = {"kind": "mass_flow", "flow": "flow", "temperature": 400.0}
    data = bag(speed=6.0, away=-0.9, inflator=inflator)
    data["functions"] = [function("flow", [0.0, 0.02, 0.021], [6.0, 6.0, 0.0], ("s", "kg/s"))]
    a = run(data, 0.2, 5000.0).table("airbags")
    late = np.arange(len(a["mass"])) / 5000.0 > 0.024
    constant = (a["pressure"][late, 0] + OUTSIDE) * a["volume"][late, 0] ** GAMMA
    yield Case("Closed bag, pressed and released", "adiabat", "largest drift of p V^gamma", 0.0,
               float(np.ptp(constant) / constant[0]), 1e-8)  # fmt: skip


def _samples() -> Iterator[Case]:
    for name in ("bouncing_ball", "lap_belt", "airbag_catch", "sled"):
        project = json.loads((samples() / f"{name}.json").read_text(encoding="utf-8"))
        energy = simulate(validated(project)).table("energy")
        parts = ("kinetic", "potential", "strain", "dissipated", "external")
        turned = max(float(np.ptp(energy[part])) for part in parts)
        yield Case(f"Sample {name}", "identity", "energy balance, part of the energy turned over", 0.0,
                   float(np.abs(energy["balance"]).max()) / turned, 1e-3)  # fmt: skip


def hic(time: np.ndarray[Any, Any], g: np.ndarray[Any, Any], window: float = 0.036) -> float:
    """The head injury criterion of an acceleration in g, by all pairs of samples.

    Not that of `solver.injury`, so that this book does not rest on what it validates.
    """
    area = np.concatenate([[0.0], np.cumsum(0.5 * (g[1:] + g[:-1]) * np.diff(time))])
    best, longest = 0.0, round(window / (time[1] - time[0]))
    for n in range(1, min(longest, len(time) - 1) + 1):
        span = n * (time[1] - time[0])
        mean = float((area[n:] - area[:-n]).max()) / span
        best = max(best, span * max(mean, 0.0) ** 2.5)
    return best


def _panel(tolerance: float) -> tuple[float, float, float]:
    """Let a head of 4.5 kg strike a panel at 6 m/s."""
    pad = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.6, "offset_ratio": 0.2}
    curve = function("pad", [0.0, 0.01, 0.03, 0.05], [0.0, 1500.0, 3000.0, 12000.0])
    data = ball(pad, 6.0, mass=4.5, functions=[curve])
    return _figures(_solved(data, 0.06, tolerance), "ball", "contacts")


def _belt(tolerance: float) -> tuple[float, float, float]:
    """Let a body of 2 kg fly into a strap that returns half."""
    points = [anchor("ground", 0.0, 0.0, 0.0), anchor("far", 0.0, 0.0, 0.0)]
    data = strapped(points, [body("far", 0.0, 0.0, 1.0, speed=(0.0, 0.0, 3.0))],
                    webbing=law(energy_ratio=0.75))  # fmt: skip
    return _figures(_solved(data, 0.3, tolerance), "far", "harnesses")


def _caught(tolerance: float) -> tuple[float, float, float]:
    """Let a ball fly into a full bag with a vent."""
    vent = {"area_m2": 2e-3, "discharge": 0.6, "opens_at_pa": 5000.0}
    data = bag(speed=6.0, away=-0.9, vents=[vent])
    name = data["initial"]["roots"][0]["segment"]
    return _figures(_solved(data, 0.2, tolerance), name, "airbags")


def _solved(data: Any, duration: float, tolerance: float) -> Trajectory:
    return run(data, duration, 20_000.0, kind="dopri", relative_tolerance=tolerance,
               absolute_tolerance=tolerance / 100.0)  # fmt: skip


def _figures(out: Trajectory, segment: str, group: str) -> tuple[float, float, float]:
    """Give peak force, speed at the end and HIC."""
    table, motion = out.table(group), out.segment(segment)
    force = table["tension" if group == "harnesses" else "force"]
    size = force if group == "harnesses" else np.linalg.norm(force, axis=-1)
    speed = float(np.linalg.norm(motion.velocity[-1]))
    g = np.linalg.norm(motion.acceleration, axis=1) / 9.80665
    return float(size.max()), speed, hic(out.time, g)


def convergence() -> str:
    """Show how the errors of three figures fall with the tolerance."""
    lines = ["## How errors fall with the tolerance", "",
             f"Relative errors against runs at {FINEST:g}, samples each 0.05 ms. Peak force, speed at the end",
             f"(rebound), and HIC36 of the mass centre. A strap of one piece; EA {EA:g} N.", "",
             "| tolerance | " + " | ".join(f"{case}: {figure}" for case in ("panel", "belt", "bag")
                                           for figure in ("force", "speed", "HIC")) + " |",
             "|---" * 10 + "|"]  # fmt: skip
    exact = [case(FINEST) for case in (_panel, _belt, _caught)]
    for tolerance in TOLERANCES:
        row = [
            f"{abs(value / reference - 1.0):.0e}"
            for case, references in zip((_panel, _belt, _caught), exact, strict=True)
            for value, reference in zip(case(tolerance), references, strict=True)
        ]
        lines.append(f"| {tolerance:g} | {' | '.join(row)} |")
    figures = [f"{value:.6g}" for references in exact for value in references]
    lines.append(f"| figure | {' | '.join(figures)} |")
    return "\n".join(lines) + "\n"
