"""Couplings of axes, closures of loops, cams, and links without mass."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from solver.base.places import samples
from solver.project import validated
from solver.project.reading import load_project
from solver.running.simulation import simulate
from tests.engine import test_closures as closures
from tests.engine import test_couplings as couplings
from tests.engine import test_massless as massless
from tests.models import base, segment
from tools.samples import cam_and_follower
from validation.case import Case


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _circuit()
    yield from _loops()
    yield from _cam()
    yield from _screw()


def _circuit() -> Iterator[Case]:
    run = simulate(validated(massless.circuit_data()))
    crank = run.table("joints")["angle"][:, 0, 0]
    title = "Circuit of Anantharaman: two links without mass"
    for at, printed in ((25, 1.657049), (50, 1.880717), (100, 2.445879), (200, 3.859049)):
        yield Case(title, "published", f"crank at {run.time[at]:g} s", printed, float(crank[at]), 1e-6, "rad")  # fmt: skip
    worst = float(np.abs(crank - massless.circuit(run.time)).max())
    yield Case(title, "equation of its one freedom", "largest error of the crank", 0.0, worst, 1e-9, "rad")  # fmt: skip


def _loops() -> Iterator[Case]:
    run = simulate(validated(closures.four_bar({"kind": "revolute"})))
    a, b, c, d = 0.1, 0.3, 0.25, 0.28
    crank, rocker = (run.table("joints")["angle"][:, k, 0] for k in (0, 2))
    k3 = (a * a - b * b + c * c + d * d) / (2 * a * c)
    off = d / a * np.cos(rocker) - d / c * np.cos(crank) + k3 - np.cos(crank - rocker)
    yield Case("Four-bar closed by a revolute closure", "Freudenstein's equation", "largest that is left over", 0.0, float(np.abs(off).max()), 1e-9)  # fmt: skip


def _cam() -> Iterator[Case]:
    run = simulate(load_project(samples() / "cam_and_follower.json"))
    turned = run.table("couplings")["second_angle"][:, 0]
    wanted = np.array([cam_and_follower.pitch_radius(0.5 * math.pi - a) for a in turned])
    lift = -run.segment("follower").position[:, 2] - cam_and_follower.ROD_M
    yield Case("Roller on a cam (sample)", "closed form of its cycloid", "largest error of the lift", 0.0, float(np.abs(lift - wanted).max()), 1e-7, "m")  # fmt: skip


def _screw() -> Iterator[Case]:
    mass, inertia, lead = 2.0, 0.05, 0.1
    data = base(
        segments=[segment("nut", mass), segment("bolt", 1.0, (inertia,) * 3)],
        joints=[couplings.pin("bolt"), couplings.slip("nut")],
        constraints=[couplings.coupled("screw", couplings.axis("bolt"), couplings.axis("nut", "slide"), lead_m=lead)],
    )  # fmt: skip
    run, way = simulate(validated(data)), lead / (2.0 * math.pi)
    angle = float(run.table("couplings")["first_angle"][-1, 0])
    wanted = 0.5 * mass * 9.81 * way / (inertia + mass * way**2) * float(run.time[-1]) ** 2
    yield Case("Nut on a screw: J + m (p / 2 pi)^2", "closed form", "angle after 1 s", wanted, angle, 1e-10, "rad")  # fmt: skip
