"""Blocks, servo-hydraulics, sums of forms, and what is driven against segments without mass."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from solver.engine.maths import profile
from solver.project import validated
from solver.project.histories import curve_of, position
from solver.project.motions import MotionComponent
from solver.running.simulation import simulate
from tests.engine import test_blocks as blocks
from tests.engine import test_reference_segments as references
from tests.engine import test_sums as sums
from tools.samples import servo_table
from validation.case import Case


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _forms()
    yield from _reference()
    yield from _blocks()
    yield from _cylinder()
    yield from _table()


def _forms() -> Iterator[Case]:
    place = MotionComponent.model_validate(
        {"component": "x", "quantity": "position", "pulse": {"kind": "function", "function": "f"}}
    )
    made = profile.joined([position(place, {"f": curve_of(sums.summed())})])
    t = np.linspace(1e-3, sums.END - 1e-3, 301)
    known = np.array([profile.profile_at(made, 0, x, x) for x in t])
    for order, name in enumerate(("place", "speed", "acceleration")):
        wanted = sums.closed(t, order)
        worst = float(np.abs(known[:, order] - wanted).max() / np.abs(wanted).max())
        yield Case("Sum of a polynomial, a sine, a damped cosine and an exponential", "closed form",
                   f"largest error of the {name}, by the largest", 0.0, worst, 1e-10)  # fmt: skip


def _reference() -> Iterator[Case]:
    run = simulate(validated(references.reference()))
    wanted, _ = references.placed(run.time)
    ref = run.segment("ref").position
    worst = float(np.abs(ref[:, 0] + 1j * ref[:, 1] - wanted).max())
    yield Case("Massless segment moved against a turning one", "closed form", "largest error of its place", 0.0, worst, 1e-9, "m")  # fmt: skip


def _blocks() -> Iterator[Case]:
    top, below = [2.0, 30.0], [1.0, 8.0, 900.0, 0.0]
    law = blocks.law(blocks.STEP, blocks.block("out", "transfer", "step", numerator=top, denominator=below), output="out")  # fmt: skip
    run = simulate(validated(blocks.slider(law)))
    wanted = blocks.answer(top, below, run.time)
    worst = float(np.abs(blocks.signal(run, "out") - wanted).max() / np.abs(wanted).max())
    yield Case("Transfer function of third order, after a step", "matrix exponential", "largest error, by the largest", 0.0, worst, 1e-6)  # fmt: skip


def _cylinder() -> Iterator[Case]:
    data = blocks.slider(blocks.cylinder(), mass=100.0, duration=0.05)
    data["initial"] = {"joints": [{"joint": "slide", "values": [0.0], "rates": [0.05]}]}
    data["runs"][0]["frame_interval_s"] = 1e-4
    run = simulate(validated(data))
    x, t = run.segment("block").position[:, 2], run.time
    up = np.flatnonzero((x[:-1] < 0.0) & (x[1:] >= 0.0))
    passes = t[up] - x[up] * (t[up + 1] - t[up]) / (x[up + 1] - x[up])
    wanted = math.sqrt(4.0 * blocks.BULK * blocks.AREA**2 / (2.0 * blocks.VOLUME * 100.0)) / (2.0 * math.pi)  # fmt: skip
    found = float((len(passes) - 1) / (passes[-1] - passes[0]))
    yield Case("Closed cylinder, 100 kg", "closed form", "natural frequency", wanted, found, 2e-3 * wanted, "Hz")  # fmt: skip
    run = simulate(validated(blocks.slider(blocks.cylinder(opening=0.5), mass=50.0, duration=0.3)))
    speed = 0.5e-3 * math.sqrt(0.5 * blocks.SUPPLY / 3.5e6) / blocks.AREA
    yield Case("Cylinder, valve half open", "closed form", "steady speed", speed, float(run.segment("block").velocity[-1, 2]), 1e-6, "m/s")  # fmt: skip
    stop = {"kind": "linear", "stiffness": 1e9}
    drag = {"kind": "viscous", "damping": 1e6}
    run = simulate(validated(blocks.slider(blocks.cylinder(opening=1.0), stop, drag, mass=50.0)))
    found = float(blocks.signal(run, "pressure_a")[-1])
    yield Case("Cylinder against a stop", "closed form", "stall pressure", blocks.SUPPLY, found, 1e-4 * blocks.SUPPLY, "Pa")  # fmt: skip


def _table() -> Iterator[Case]:
    run = simulate(servo_table.build())
    t = run.time
    late = t > 0.5
    up = -run.segment("table").position[:, 2]
    wanted = 0.5 * servo_table.HEAVE_M * (1.0 - np.cos(servo_table.PER_S * t))
    off = float(np.abs(up - wanted)[late].max())
    yield Case("Table on six cylinders", "its target", "largest error of the heave of 20 mm", 0.0, off, 1e-3, "m")  # fmt: skip
    turned = float(np.abs(run.segment("table").quaternion_wxyz[:, 1:]).max() * 2.0)
    yield Case("Table on six cylinders", "its target", "largest turn", 0.0, turned, 2e-3, "rad")  # fmt: skip
