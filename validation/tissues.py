"""Drivers, laws of coordinates and discs: closed forms and integrations by another program."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.linalg import expm

from solver.analysis.equilibrium import settle
from solver.project import validated
from solver.project.pose import start_pose
from solver.running.simulation import simulate
from tests import knutson
from tests.engine.test_bearings import G as GRAVITY
from tests.engine.test_bearings import borne, pendulum, slope, swung
from tests.engine.test_breaking import pulled
from tests.engine.test_connectors import clutch
from tests.engine.test_coordinate_forces import MUSCLE, slider, table, wheel
from tests.engine.test_discs import I1, KX, A, E, G, H, column
from tests.engine.test_drivers import driven_pendulum
from tests.engine.test_frame_drivers import forced_pivot
from tests.engine.test_strut import strut
from validation.case import Case


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _drivers()
    yield from _muscles()
    yield from _dampers_and_hinges()
    yield from _actuators()
    yield from _control()
    yield from _bearings()
    yield from _discs()
    yield from _point_contact()
    yield from _breaking()
    yield from _connectors()


def _drivers() -> Iterator[Case]:
    angle = 30.0 + simulate(validated(driven_pendulum())).table("joints")["angle"][-1, 1, 0]
    yield Case("Double pendulum driven by its pin", "independent", "angle 2 after 3 s", 29.160955,
               abs(float(angle)), 2e-5, "rad")  # fmt: skip
    run = simulate(validated(forced_pivot()))
    for time, wanted in ((1.0, -0.1562157), (2.0, 0.4665746)):
        row = int(np.argmin(np.abs(run.time - time)))
        yield Case("Rod on a pivot that a driver forces along x", "independent", f"angle after {time:.0f} s",
                   wanted, float(run.table("joints")["angle"][row, 2, 0]), 5e-7, "rad")  # fmt: skip


def _muscles() -> Iterator[Case]:
    data = slider(1.0, 0.0, 0.5, MUSCLE, duration=0.05)
    data["drivers"] = [{
        "id": "pull", "joint": "slip", "axis": "slide", "quantity": "velocity",
        "pulse": {"kind": "constant", "value": 0.5}, "start_value": 0.0,
    }]  # fmt: skip
    del data["initial"]
    for time, wanted in ((0.01, 36.2538), (0.05, 126.4241)):
        yield Case("Muscle, stretched steadily", "closed form", f"pull after {1e3 * time:.0f} ms",
                   wanted, _at(data, "force", time), 1e-3, "N")  # fmt: skip
    activation = table("wake", "s", "1", [0.0, 0.05], [0.0, 1.0])
    muscle = MUSCLE | {"activation": "wake", "delay_s": 0.05}
    data = slider(2.0, 0.0, 1.0, muscle, duration=0.3, functions=[activation])
    for time, wanted in ((0.1, 0.079197), (0.2, 0.074220), (0.3, 0.072380)):
        yield Case("Muscle that wakes up", "independent", f"way at {1e3 * time:.0f} ms", wanted,
                   _at(data, "way", time), 2e-6, "m")  # fmt: skip


def _dampers_and_hinges() -> Iterator[Case]:
    law = {"kind": "one_way_damper", "damping": 20.0, "growth": 4000.0, "upper": 0.0}
    wanted = (math.sqrt(20.0**2 + 2.0 * 4000.0 * 0.5 * 2.0) - 20.0) / 4000.0
    found = _at(slider(0.5, 0.0, 2.0, law), "way", 1.0)
    yield Case("One-way damper that grows", "closed form", "way to rest", wanted, found, 1e-6, "m")
    hinge = {"kind": "plastic", "stiffness": 1000.0, "limit": 50.0}
    data = wheel(1.0, 0.0, 3.0, hinge, duration=0.5)
    data["runs"][0]["frame_interval_s"] = 1e-4
    run = simulate(validated(data))
    angle = run.table("coordinate_forces")["angle"][:, 0]
    yield Case("Plastic hinge", "closed form", "peak", 0.115, float(np.max(angle)), 1e-6, "rad")
    late = angle[run.time > 0.1]
    middle = 0.5 * float(np.max(late) + np.min(late))
    yield Case("Plastic hinge", "closed form", "set", 0.065, middle, 2e-6, "rad")


def _actuators() -> Iterator[Case]:
    p, d, i, mass = 400.0, 30.0, 900.0, 2.0
    law = {"kind": "actuator", "target": 0.1, "proportional": p, "derivative": d, "integral": i}
    data = slider(mass, 0.0, 0.0, law)
    A = np.array([[0.0, 1.0, 0.0], [-p / mass, -d / mass, -i / mass], [1.0, 0.0, 0.0]])
    for time in (0.1, 0.6):
        wanted = 0.1 + float((expm(A * time) @ [-0.1, 0.0, 0.0])[0])
        yield Case("Actuator after a step of its target", "matrix exponential",
                   f"way at {1e3 * time:.0f} ms", wanted, _at(data, "way", time), 1e-8, "m")  # fmt: skip


def _control() -> Iterator[Case]:
    mass, p, d, period = 2.0, 400.0, 30.0, 0.02
    law = {
        "kind": "actuator",
        "target": 0.0,
        "proportional": p,
        "derivative": d,
        "period_s": period,
    }
    data = slider(mass, 0.05, 0.0, law)
    # from look to look: x + T v - T^2 u / 2m, v - T u / m
    step = np.array([[1.0, period], [0.0, 1.0]])
    step -= np.outer([0.5 * period**2 / mass, period / mass], [p, d])
    for count in (5, 25):
        wanted = float((np.linalg.matrix_power(step, count) @ [0.05, 0.0])[0])
        yield Case("Actuator that samples every 20 ms", "discrete system",
                   f"way after {count} samples", wanted, _at(data, "way", count * period), 1e-9, "m")  # fmt: skip
    switch = {"size": 8.0, "on": 0.004, "off": -0.004, "lead_s": 0.2}
    late = 0.03
    law = {"kind": "actuator", "target": 0.0, "switch": switch, "reflex_s": late}
    data = slider(mass, 0.05, 0.0, law, duration=3.0)
    data["runs"][0] |= {"frame_interval_s": 5e-4, "channel_rate_hz": 2000.0}
    run = simulate(validated(data))
    way = run.table("coordinate_forces")["way"][:, 0][run.time > 2.0]
    # half a period with one load begins at zero with v; the switch saw its limit a reflex time before
    a = 8.0 / mass
    v = (0.004 + a * 0.2 * late - 0.5 * a * late**2) / (0.2 - late)
    yield Case("Switch with hysteresis, lead and reflex time", "closed form",
               "amplitude of the limit cycle", 0.5 * v**2 / a, float(np.max(way)), 2e-5, "m")  # fmt: skip


def _point_contact() -> Iterator[Case]:
    title = "Ball in a socket on six springs (Knutson)"
    start = np.radians([20.0, 20.0, 160.0, 20.0, 10.0])
    rod = start_pose(settle(validated(knutson.project_data(start))).project)["rod"]
    centre = rod.p_W + rod.R_WS @ knutson.CENTRE
    found = np.degrees(knutson.coordinates(rod.R_WS, centre / np.linalg.norm(centre)))
    for n, (wanted, angle) in enumerate(
        zip((4.289, -5.724, 175.902, -5.460, 0.791), found, strict=True), 1
    ):
        yield Case(title, "independent", f"angle {n} at rest", wanted, float(angle), 2e-3, "deg")
    force = {"friction_law": "force", "static_force_n": 0.145, "sliding_force_n": 0.145}
    run = simulate(validated(knutson.project_data(duration=4.0, mode="auto", **force)))
    y, t = run.channel("m1_y").value, run.channel("m1_y").time
    peaks = np.flatnonzero((y[1:-1] > y[:-2]) & (y[1:-1] >= y[2:])) + 1
    for n, wanted in ((0, 0.44), (8, 3.81)):
        yield Case(title, "independent", f"maximum {n + 1} of marker 1, 0.145 N of friction", wanted,
                   float(t[peaks[n]]), 0.0101, "s")  # fmt: skip


def _breaking() -> Iterator[Case]:
    run = simulate(validated(pulled([(0.0, 1200.0), (1.0, 1200.0)])))
    title = "Joint of 1000 N that breaks over 10 mm, pulled by 1200 N"
    rate = math.sqrt(1000.0 / 0.01 / 5.0)
    (apart,) = [event.time for event in run.events() if event.kind == "joint_parts"]
    yield Case(
        title, "closed form", "apart after", 1e3 * math.acosh(6.0) / rate, 1e3 * apart, 1e-4, "ms"
    )
    lost = float(run.table("energy")["dissipated"][-1])
    yield Case(title, "closed form", "lost", 5.0, lost, 1e-6, "J")


def _bearings() -> Iterator[Case]:
    data = pendulum(borne(0.2, 0.02, 1e-3), centre=0.0, inertia=0.03, angle=0.0, rate=3.0)
    run = simulate(validated(data))
    row = int(np.argmin(np.abs(run.time - 1.0)))
    yield Case("Wheel on a dry pin, mu r R", "closed form", "turn after 1 s",
               3.0 - 0.5 * 0.2 * 0.02 * 2.0 * GRAVITY / 0.03,
               float(run.table("joints")["angle"][row, 0, 0]), 1e-6, "rad")  # fmt: skip
    a = math.radians(30.0)
    wanted = 0.05 + 0.125 * GRAVITY * (math.sin(a) - 0.2 * math.cos(a))
    found = float(simulate(validated(slope(a, 0.2))).table("joints")["slide"][-1, 0])
    yield Case("Slide down a slope, mu N", "closed form", "way", wanted, found, 1e-6, "m")
    data = pendulum(borne(1.0, 0.1, 0.2), centre=0.2, inertia=0.01, angle=1.2, rate=6.0)
    data["runs"][0]["duration_s"] = 0.3
    run = simulate(validated(data))
    wanted = swung(0.1, 0.2, 2.0, 0.2, 0.01, np.array([1.2, 6.0]), run.time)[0, -1]
    yield Case("Pendulum on a thick dry pin", "independent", "angle after 0.3 s", float(wanted),
               float(run.table("joints")["angle"][-1, 0, 0]), 2e-5, "rad")  # fmt: skip


def _connectors() -> Iterator[Case]:
    place = simulate(validated(strut())).segment("body").position[-1]
    for axis, wanted in ((0, 0.176993973), (2, 0.337490364)):
        yield Case("Body on a strut between two pins", "independent", f"{'xyz'[axis]} after 1 s", wanted,
                   float(place[axis]), 3e-9, "m")  # fmt: skip
    run = simulate(validated(clutch(keeps_torque=True)))
    title = "Wheel on a clutch of 5 N m, turned by 10 N m that come and go"
    (opens,) = [event.time for event in run.events() if event.kind == "joint_opens"]
    yield Case(title, "closed form", "opens after", 0.5, opens, 1e-8, "s")
    turn = float(run.table("joints")["angle"][-1, 0, 0])
    yield Case(title, "independent", "turns by", 2.44792, turn, 2e-5, "rad")


def _discs() -> Iterator[Case]:
    count, push = 4, 1e-4
    data = column(count, push)
    tip = settle(validated(data)).project.initial.roots[-1].position_m[0]
    length = count * H
    wanted = push * length**3 / (3.0 * E * I1) + KX * push * length / (G * A)
    yield Case("Column of four discs", "Timoshenko's beam", "way of the tip", 1e6 * wanted, 1e6 * tip,
               1e-4 * 1e6 * wanted, "µm")  # fmt: skip


def _at(data: Any, name: str, time: float) -> float:
    run = simulate(validated(data))
    row = int(np.argmin(np.abs(run.time - time)))
    return float(run.table("coordinate_forces")[name][row, 0])
