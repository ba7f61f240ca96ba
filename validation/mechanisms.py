"""Pendulums, mechanisms, rolling bodies, the sled: figures published or in closed form."""

from __future__ import annotations

import json
import math
from collections.abc import Iterator
from typing import Any

import numpy as np
from scipy.integrate import solve_ivp

from solver.base.places import samples
from solver.engine.signals import transfer
from solver.project import validated
from solver.project.functions import values
from solver.running.simulation import simulate
from tests.engine.test_constraints import chain, cut, neck
from tests.engine.test_excitations import PERIOD, driven, random
from tests.engine.test_rolling import on_slope
from tests.models import EXACT, base, hung, point, project, segment
from validation.case import Case


def cases() -> Iterator[Case]:
    """All cases."""
    yield from _double_pendulum()
    yield from _driven_pendulum()
    yield from _four_bar()
    yield from _loops()
    yield from _rolling()
    yield from _sled()
    yield from _shaken()
    yield from _energy()


def _double_pendulum() -> Iterator[Case]:
    data = json.loads((samples() / "double_pendulum.json").read_text(encoding="utf-8"))
    data["runs"][0] |= {"duration_s": 5.0, "integrator": EXACT}
    run = simulate(validated(data))
    angle = run.table("joints")["angle"][-1, :, 0]
    both = np.abs((np.array([angle[0], angle.sum()]) + np.pi) % (2 * np.pi) - np.pi)
    for n, (found, reference) in enumerate(zip(both, (1.1385438, 1.2443799), strict=True)):
        yield Case("Double pendulum, released horizontal", "independent, 8 digits",
                   f"angle {n + 1} after 5 s", reference, float(found), 2e-7, "rad")  # fmt: skip


def _driven_pendulum() -> Iterator[Case]:
    mass, centre = 0.2, 0.75
    moment = 0.1 / 12 + 0.1 * 0.25**2 + 0.1 * 0.25**2
    spin = {"id": "spin", "segment": "crank", "components": [
        {"component": "pitch", "quantity": "velocity", "pulse": {"kind": "constant", "value": 10.0}},
    ]}  # fmt: skip
    hinge = {"id": "hinge", "kind": "pin", "parent": "crank", "child": "rod",
             "parent_frame": {"position_m": [0.0, 0.0, 1.0]},
             "child_frame": {"position_m": [0.0, 0.0, -centre]}}  # fmt: skip
    start = {"joints": [{"joint": "hinge", "values": [0.0], "rates": [-10.0]}]}
    data = base(3.0, segments=[segment("crank"), segment("rod", mass, (moment, moment, 1e-3))],
                joints=[hinge], motions=[spin], initial=start,
                integrator={**EXACT, "relative_tolerance": 1e-11})  # fmt: skip
    run = simulate(project(data))
    angle = 30.0 + run.table("joints")["angle"][-1, 0, 0]
    yield Case("Driven double pendulum", "independent", "angle 2 after 3 s", 29.160955,
               abs(float(angle)), 2e-5, "rad")  # fmt: skip


def _four_bar() -> Iterator[Case]:
    """Turn the crank once round and look at the output's range."""
    crank, coupler, output, ground = 0.11, 0.4, 0.375, 0.3
    # the loop is closed at the start with the crank along the ground
    # angles from the line of centres, crank pointing away from the output
    base_line = ground + crank
    b = math.acos((base_line**2 + output**2 - coupler**2) / (2 * base_line * output))
    joint_at = np.array([-crank, 0.0])
    tip = np.array([ground - output * math.cos(b), output * math.sin(b)])
    along = math.atan2(*(tip - joint_at)[::-1])

    def pin(id_: str, parent: str, child: str, at: tuple[float, float], back: float) -> Any:
        return {"id": id_, "kind": "pin", "parent": parent, "child": child,
                "parent_frame": {"position_m": [at[0], 0.0, at[1]]},
                "child_frame": {"position_m": [back, 0.0, 0.0]}}  # fmt: skip

    # turns about y carry x to -z: the linkage is drawn with z downwards
    drive = {"id": "drive", "segment": "crank", "components": [
        {"component": "pitch", "quantity": "velocity", "start_value": math.pi,
         "pulse": {"kind": "constant", "value": 2 * math.pi}}]}  # fmt: skip
    data = base(
        1.0,
        segments=[segment("crank"), segment("coupler"), segment("output")],
        joints=[
            pin("a", "crank", "coupler", (crank, 0.0), -coupler / 2),
            pin("b", "ground", "output", (ground, 0.0), -output / 2),
        ],
        motions=[drive],
        constraints=[{"id": "close", "kind": "zero_distance", "a": point("coupler", coupler / 2),
                      "b": point("output", output / 2)}],
        initial={"joints": [
            {"joint": "a", "values": [-along - math.pi]},
            {"joint": "b", "values": [-(math.pi - b)]},
        ]},
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip
    run = simulate(project(data))
    angle = 180.0 + np.degrees(run.table("joints")["angle"][:, 1, 0])
    if run.status != "completed":
        angle = np.array([math.nan])
    low = math.acos((ground**2 + output**2 - (coupler - crank) ** 2) / (2 * ground * output))
    high = math.acos((ground**2 + output**2 - (coupler + crank) ** 2) / (2 * ground * output))
    for name, found, printed, exact in (
        ("least", float(np.min(angle)), 49.4, low), ("largest", float(np.max(angle)), 97.5, high)
    ):  # fmt: skip
        yield Case("Four-bar linkage", "published, one digit", f"{name} output angle", printed,
                   found, 0.1, "deg")  # fmt: skip
        yield Case("Four-bar linkage", "closed form", f"{name} output angle", math.degrees(exact),
                   found, 0.05, "deg")  # fmt: skip


def _loops() -> Iterator[Case]:
    data = chain(3)
    tree = simulate(project(data))
    tied = simulate(project(cut(data, tree)))
    apart = max(
        float(np.abs(tree.segment(n).position - tied.segment(n).position).max())
        for n in ("rod0", "rod1", "rod2")
    )
    yield Case("Three rods as a tree and as free bodies tied together", "identity",
               "largest distance over 1 s", 0.0, apart, 1e-9, "m")  # fmt: skip
    run = simulate(project(neck([0.0, 0.0, 0.0])))
    yield Case("Flexible element of four segments", "identity", "energy balance over 1 s", 0.0,
               float(np.abs(run.table("energy")["balance"]).max()), 1e-7, "J")  # fmt: skip


def _rolling() -> Iterator[Case]:
    slope = math.radians(30.0)
    for friction, factor, word in (
        (0.5, math.sin(slope) * 5 / 7, "rolling"),
        (0.1, math.sin(slope) - 0.1 * math.cos(slope), "sliding"),
    ):
        run = simulate(project(on_slope(slope, friction)))
        way = np.linalg.norm(run.segment("ball").position[-1] - run.segment("ball").position[0])
        yield Case(f"Ball {word} down 30 degrees", "closed form", "way after 1 s",
                   0.5 * 9.81 * factor, float(way), 1e-9, "m")  # fmt: skip
    run = simulate(project(on_slope(0.0, 0.3, velocity=[3.0, 0.0, 0.0])))
    yield Case("Bowled ball", "closed form", "speed once it rolls", 3.0 * 5 / 7,
               float(run.segment("ball").velocity[-1, 0]), 1e-4, "m/s")  # fmt: skip


def _sled() -> Iterator[Case]:
    data = json.loads((samples() / "sled.json").read_text(encoding="utf-8"))
    keep = {"vehicle"}
    data |= {"segments": [s for s in data["segments"] if s["id"] in keep], "joints": [],
             "contacts": [], "harnesses": [], "outputs": [], "symmetry": []}  # fmt: skip
    data["planes"] = [p for p in data["planes"] if p.get("segment", "ground") in {"ground", *keep}]
    data["initial"] = {}
    # the second run tests segments of the occupant, who is left out
    data["runs"] = [data["runs"][0] | {"duration_s": 0.08}]
    run = simulate(validated(data))
    inch = 0.0254
    last = run.segment("vehicle")
    start = last.position[0, 0]
    yield Case("Pulse of the basic sled test", "printed by the heir program", "speed after 80 ms",
               -308.8704, float(last.velocity[-1, 0]) / inch, 5e-5, "in/s")  # fmt: skip
    yield Case("Pulse of the basic sled test", "printed by the heir program", "way after 80 ms",
               -12.35482, float(last.position[-1, 0] - start) / inch, 5e-6, "in")  # fmt: skip


def _shaken() -> Iterator[Case]:
    mass, stiffness, damping = 1.0, 2500.0, 10.0
    form = random(rms=20.0, crest=3.95, duration_s=3.0 * PERIOD)
    run = simulate(driven(form, mass, stiffness, damping, 3.0 * PERIOD))
    way = run.channel("way_x")
    late = way.time >= PERIOD - 1e-9
    t, x = way.time[late][:-1], way.value[late][:-1]
    found = transfer(t, values(form, t), x, 1.0 / PERIOD, window="none")
    s = 2j * np.pi * found.frequency
    exact = 1.0 / (mass * s**2 + damping * s + stiffness)
    band = (found.frequency > 0.1) & (found.frequency < 49.9)
    yield Case("Mass on a spring, driven by a random force", "closed form", "largest error of H1, 0.25 to 49.75 Hz",
               0.0, float(np.abs(found.value[band] / exact[band] - 1.0).max()), 1e-6)  # fmt: skip


def _energy() -> Iterator[Case]:
    data = json.loads((samples() / "sled.json").read_text(encoding="utf-8"))
    data |= {"contacts": [], "harnesses": [], "outputs": []}
    data["runs"] = [{"id": "run", "duration_s": 0.2, "integrator": EXACT}]
    data["motions"] = []
    for number, attitude in enumerate(data["initial"]["attitudes"]):
        attitude["angular_velocity_rad_per_s"] = [5.0 * (-1) ** number, 8.0 - number, 1.0]
    run = simulate(validated(data))
    table = run.table("energy")
    turned = float(np.abs(table["kinetic"]).max())
    yield Case("Occupant of the sled with joint torques, without contact", "identity",
               "energy balance over 200 ms, part of the kinetic energy", 0.0,
               float(np.abs(table["balance"]).max()) / turned, 1e-8)  # fmt: skip

    def swing(t: float, y: np.ndarray) -> list[float]:
        return [y[1], -9.81 * 0.5 / (1 / 12 + 0.25) * math.sin(y[0])]

    exact = solve_ivp(swing, (0.0, 1.0), [1.2, 0.0], rtol=1e-12, atol=1e-13).y[0, -1]
    pin = simulate(project(hung({"kind": "pin"}, [1.2])))
    found = pin.table("joints")["angle"][-1, 0, 0]
    yield Case("Hung rod", "independent integration", "angle after 1 s", float(exact),
               float(found), 1e-8, "rad")  # fmt: skip
