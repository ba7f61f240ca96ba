"""Matrices, modes and buckling about an instant, and loads and parameters from motions."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

import manikin as mk
from manikin.mechanics import standing_at
from solver.analysis.inverse.bodies import at_motion, inverse_forces
from tests import knutson
from tests.analysis.test_inverse import driven_puma, printed, puma
from tests.analysis.test_linear import BUCKLES, buckled, held_links, model_of, shaken
from validation.case import Case


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _links()
    yield from _point_contact()
    yield from _oscillator()
    yield from _buckling()
    yield from _arm()


def _links() -> Iterator[Case]:
    title, source = "Two links at rates of 1 rad/s", "Li and Gontier, Table II, recomputed"
    found = mk.linearise(held_links())
    for name, matrix, wanted, unit in (
        ("M", found.mass, ((100.074, 20.037), (20.037, 20.037)), "kg*m2"),
        ("R", found.resistance, ((-60.0, -120.0), (60.0, 0.0)), "N*m*s/rad"),
        ("K", found.stiffness, ((-294.3, -294.3), (-294.3, -294.3)), "N*m/rad"),
    ):
        worst = float(np.abs(matrix - np.array(wanted)).max())
        yield Case(title, source, f"largest error of {name}", 0.0, worst, 1e-6, unit)


def _point_contact() -> Iterator[Case]:
    for mode, wanted in (
        ("slide", (2.259, 2.307, 4.833, 4.975, 18.94)), ("roll", (2.379, 2.405, 18.62)),
    ):  # fmt: skip
        model = model_of(knutson.project_data(knutson.equilibrium(), mode=mode))
        swings = [m.frequency_hz for m in mk.linearise(model).modes if m.kind == "oscillation"]
        for n, (reference, hz) in enumerate(zip(wanted, swings, strict=True), 1):
            yield Case(f"Point-contact joint, {mode}", "independent", f"frequency of mode {n}",
                       reference, hz, 1e-3 * reference, "Hz")  # fmt: skip


def _oscillator() -> Iterator[Case]:
    k, c, m = 20000.0, 350.0, 60.0
    names = ["segments/body/acceleration/z", "segments/seat/acceleration/z"]
    found = mk.linearise(model_of(shaken(k, c, m)), outputs=names)
    for hz in (1.0, 2.9, 10.0):
        s = 2j * math.pi * hz
        passed = abs((c * s + k) / (m * s**2 + c * s + k))
        over = found.transmissibility([hz], *names, by="segments/seat/vz''")
        yield Case("Body on a shaken seat", "closed form", f"transmissibility at {hz:g} Hz", passed,
                   float(abs(over[0])), 1e-7 * passed)  # fmt: skip


def _buckling() -> Iterator[Case]:
    words = {
        "column": "push at the tip",
        "side": "load across at the tip",
        "moment": "moment at the ends",
    }
    for kind in BUCKLES:
        found, exact = buckled(kind, 12)
        yield Case("Strip of 12 rigid pieces", "closed form (Meijaard)", f"buckling {words[kind]}", exact,
                   found.factor, 0.003 * exact, "N*m" if kind == "moment" else "N")  # fmt: skip


def _arm() -> Iterator[Case]:
    title, source = "Puma 562, three links", "Fisette, Raucent, Samin"
    at, rng = standing_at(model_of(puma()), None), np.random.default_rng(1)
    worst = 0.0
    for _ in range(50):
        q, v, a = rng.uniform(-3, 3, 3), rng.normal(size=3), rng.normal(size=3)
        torque = inverse_forces(at_motion(at, q, v), a)
        worst = max(worst, float(np.abs(torque - printed(q, v, a)).max()))
    yield Case(
        title, source, "torques of joints in 50 states, largest error", 0.0, worst, 1e-10, "N*m"
    )
    arm = driven_puma()
    for rows, count in (("joints", 15), ("reaction", 20)):
        found = len(mk.base_parameters(arm, rows))
        yield Case(title, source, f"base parameters by {rows}", count, found, 0.0)
    again = mk.identify(mk.run(arm.with_value("runs/run/frame_interval_s", 0.025)))
    off = float(np.abs(again.value - again.base.values).max() / np.abs(again.base.values).max())
    yield Case(
        title,
        "the model",
        "parameters found from a run, largest error by the largest",
        0.0,
        off,
        1e-6,
    )
