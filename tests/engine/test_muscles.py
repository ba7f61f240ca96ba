"""Muscles by activation, length and speed, and lines through points, against their formulas and identities."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.engine.forces.coordinates import actuators as kernels
from solver.project.checks import check
from solver.project.reading import validated
from solver.running.simulation import simulate
from tests.engine.test_coordinate_forces import slider
from tests.models import base, point, project, segment

F0, FIBRE = 300.0, 0.1


def hill(**more: Any) -> dict[str, Any]:
    """Give the law of a muscle."""
    return {"kind": "hill", "strength": F0, "fibre": FIBRE, **more}


def passive(length: float, strain: float = 0.6) -> float:
    """Give Thelen's passive force, (3), as a part of the strength."""
    return (math.exp(5.0 * (length - 1.0) / strain) - 1.0) / (math.exp(5.0) - 1.0)


@pytest.mark.parametrize(("length", "active"), [(0.7, 0.4), (1.0, 1.0), (1.3, 0.0), (1.5, 0.6)])
def test_what_it_pulls_held_still_is_that_of_its_curves(length: float, active: float) -> None:
    way = (length - 1.0) * FIBRE
    run = simulate(project(slider(1e6, way, 0.0, hill(activation=active), duration=0.02)))
    pull = run.table("coordinate_forces")["force"][0, 0]
    wanted = active * math.exp(-((length - 1.0) ** 2) / 0.45) + max(passive(length), 0.0)
    assert pull == pytest.approx(F0 * wanted, rel=1e-12)


@pytest.mark.parametrize("speed", [-12.0, -10.0, -4.0, -0.5, 0.0, 0.5, 4.0, 200.0])
def test_what_it_pulls_in_motion_is_that_of_its_speed(speed: float) -> None:
    run = simulate(project(slider(1e6, 0.0, speed * FIBRE, hill(activation=0.5), duration=0.02)))
    pull = run.table("coordinate_forces")["force"][0, 0]
    v = speed / 10.0
    if v <= -1.0:
        part = 0.0
    elif v < 0.0:
        part = (1.0 + v) / (1.0 - v / 0.25)
    else:
        # a hyperbola from 1 to 1.4 that begins with the slope 1 + 1 / 0.25
        part = 1.0 + 0.4 * v / (v + 0.4 / 5.0)
    assert pull == pytest.approx(0.5 * F0 * part, rel=1e-12, abs=1e-12)


def test_its_slopes_at_standstill_are_alike() -> None:
    by_speed, h = kernels.by_speed.py_func, 1e-7
    before, after = (by_speed(0.0) - by_speed(-h)) / h, (by_speed(h) - by_speed(0.0)) / h
    assert before == pytest.approx(1.0 + 1.0 / kernels.BENT, rel=1e-5)
    assert after == pytest.approx(before, rel=1e-5)
    assert by_speed(1e9) == pytest.approx(kernels.STRETCHED_MOST)


def test_its_activation_follows_what_is_wanted() -> None:
    asked = {
        "id": "asked", "x_unit": "s", "y_unit": "1",
        "form": {"kind": "table", "x": [0.0, 0.05, 0.06], "y": [0.9, 0.9, 0.2]},
    }  # fmt: skip
    law = hill(activation="asked", resting=0.1, delay_s=0.02)
    run = simulate(project(slider(1e6, 0.0, 0.0, law, duration=0.2, functions=[asked])))
    pull = np.asarray(run.table("coordinate_forces")["force"])[:, 0]

    def rate(t: float, a: Any) -> Any:
        wanted = 0.1 if t < 0.02 else np.interp(t - 0.02, [0.0, 0.05, 0.06], [0.9, 0.9, 0.2])
        pace = 0.5 + 1.5 * a
        return np.where(wanted > a, (wanted - a) / (0.015 * pace), (wanted - a) * pace / 0.05)

    time, active, known = np.asarray(run.time), [0.1], [0.0]
    for begin, end in ((0.02, 0.07), (0.07, 0.08), (0.08, 0.2)):
        fine = np.linspace(begin, end, 401)
        # a hair within: what is wanted jumps at the ends
        one = solve_ivp(
            rate, (begin + 1e-12, end), active[-1:], t_eval=[*fine[1:]], rtol=1e-10, atol=1e-12
        )
        known += [begin + 1e-12, *fine[1:]]
        active += [active[-1], *one.y[0]]
    assert np.allclose(pull / F0, np.interp(time, known, active), atol=1e-4)


def test_a_resting_muscle_is_a_spring_without_loss() -> None:
    run = simulate(project(slider(1.0, 0.0, 2.0, hill(), duration=0.08)))
    ledger = run.table("energy")
    assert np.abs(ledger["balance"]).max() < 2e-6
    assert np.abs(ledger["work_of_muscles"]).max() == 0.0
    assert ledger["strain"].max() > 1.0


def test_pulling_on_is_the_mirror_image() -> None:
    law = hill(activation=0.5, delay_s=0.01, passive_strain=0.3)
    back = simulate(project(slider(2.0, 0.02, 1.0, law, duration=0.1)))
    on = simulate(project(slider(2.0, -0.02, -1.0, {**law, "pulls": "on"}, duration=0.1)))
    one, other = (run.table("segments")["position"][:, 0, 0] for run in (back, on))
    assert np.allclose(one, -other, rtol=0.0, atol=1e-12)


@pytest.mark.parametrize(
    "law",
    [
        hill(activation=0.9, resting=0.1, delay_s=0.057),
        {"kind": "actuator", "target": 0.05, "proportional": 3e4, "delay_s": 0.057},
        {"kind": "muscle", "stiffness": 3000.0, "damping": 60.0, "delay_s": 0.057},
    ],
    ids=lambda law: law["kind"],
)
def test_what_begins_at_once_is_no_hurdle_at_tight_tolerances(law: dict[str, Any]) -> None:
    """A stage at the end of the step before saw what begins there: steps shrank until the run failed."""
    data = slider(0.01, 0.0, 0.5, law, duration=0.08)
    data["runs"][0]["integrator"] = {
        "kind": "dopri",
        "relative_tolerance": 1e-10,
        "absolute_tolerance": 1e-12,
    }
    run = simulate(project(data))
    assert run.status == "completed", run.message
    before = np.searchsorted(run.steps()["time"], 0.0569)
    assert np.sum(run.steps()["time"] < 0.0571) - before < 40


def test_activations_beyond_their_range_are_refused() -> None:
    for wanted in (-0.1, 1.2):
        found = check(validated(slider(1.0, 0.0, 0.0, hill(activation=wanted))))
        assert [p.code for p in found if p.severity == "error"] == ["muscle-activation"]
    found = check(validated(slider(1.0, 0.0, 0.0, hill(activation=0.5, resting=0.2))))
    assert "coordinate-unused" in [p.code for p in found]


def strung(*laws: Any, duration: float = 0.3, via: bool = True) -> dict[str, Any]:
    """Let three free bodies share one line, the middle one as its guide."""
    ends = [point("a", 0.01, 0.02, 0.0), point("c", -0.03, 0.0, 0.01)]
    coordinate: dict[str, Any] = {"kind": "distance", "a": ends[0], "b": ends[1]}
    if via:
        coordinate["via"] = [point("b", 0.0, 0.05, 0.02), point("b", 0.04, -0.02, 0.0)]
    data = base(
        duration,
        segments=[segment(name, mass) for name, mass in (("a", 1.0), ("b", 2.0), ("c", 3.0))],
        initial={
            "roots": [
                {"segment": "a", "position_m": [0.0, 0.0, 0.0], "velocity_m_per_s": [-1.0, 0.5, 0.0]},
                {"segment": "b", "position_m": [0.3, 0.2, 0.1]},
                {"segment": "c", "position_m": [0.6, -0.1, 0.0], "velocity_m_per_s": [0.7, 0.0, 0.4]},
            ]
        },
        coordinate_forces=[{"id": "line", "coordinate": coordinate, "laws": list(laws)}],
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return data


def places(run: Any) -> tuple[np.ndarray, list[np.ndarray]]:
    """Give the line's points over time, from the poses of the bodies."""
    found = run.table("segments")
    names = list(found.ids)
    marks = (("a", (0.01, 0.02, 0.0)), ("b", (0.0, 0.05, 0.02)), ("b", (0.04, -0.02, 0.0)), ("c", (-0.03, 0.0, 0.01)))  # fmt: skip
    out = []
    for name, mark in marks:
        k = names.index(name)
        w, x, y, z = np.moveaxis(np.asarray(found["quaternion_wxyz"])[:, k], -1, 0)
        R = np.array([
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ])  # fmt: skip
        out.append(np.asarray(found["position"])[:, k] + np.einsum("ijt,j->ti", R, mark))
    ways = [q - p for p, q in pairwise(out)]
    return sum(np.linalg.norm(way, axis=1) for way in ways), ways  # type: ignore[return-value]


def test_a_line_through_points_is_as_long_as_its_legs_and_loses_nothing() -> None:
    run = simulate(project(strung({"kind": "linear", "stiffness": 400.0})))
    length, _ = places(run)
    way = np.asarray(run.table("coordinate_forces")["way"])[:, 0]
    assert np.abs(length - length[0] - way).max() < 1e-12
    assert np.ptp(way) > 0.04
    ledger = run.table("energy")
    assert np.abs(ledger["balance"]).max() < 1e-6
    found = run.table("segments")
    momentum = np.einsum("k,tki->ti", [1.0, 2.0, 3.0], np.asarray(found["velocity"]))
    assert np.abs(momentum - momentum[0]).max() < 1e-12


def test_it_pulls_at_each_point_along_both_legs() -> None:
    law = {"kind": "hill", "strength": 200.0, "fibre": 0.3, "activation": 0.5}
    run = simulate(project(strung(law, duration=0.02)))
    _, ways = places(run)
    legs = [way[0] / np.linalg.norm(way[0]) for way in ways]
    pull = run.table("coordinate_forces")["force"][0, 0]
    acceleration = np.asarray(run.table("segments")["acceleration"])[0]
    assert np.allclose(acceleration[0], pull * legs[0], atol=1e-9)
    assert np.allclose(acceleration[1], pull * (legs[2] - legs[0]) / 2.0, atol=1e-9)
    assert np.allclose(acceleration[2], -pull * legs[2] / 3.0, atol=1e-9)


def test_without_points_between_it_is_the_distance() -> None:
    plain = strung({"kind": "linear", "stiffness": 400.0}, via=False)
    half = strung({"kind": "linear", "stiffness": 400.0}, via=False)
    half["coordinate_forces"][0]["coordinate"]["via"] = [point("a", 0.01, 0.02, 0.0)]
    one, other = (simulate(project(data)).table("segments")["position"] for data in (plain, half))
    assert np.allclose(one, other, atol=1e-9)


def test_points_that_start_in_one_place_are_refused() -> None:
    data = strung({"kind": "linear", "stiffness": 400.0})
    data["coordinate_forces"][0]["coordinate"]["via"] = [point("b", -0.29, -0.18, -0.1)]
    assert "coordinate-no-direction" in [p.code for p in check(validated(data))]
    data["coordinate_forces"][0]["coordinate"]["b"] = point("a", 0.5, 0.0, 0.0)
    data["coordinate_forces"][0]["coordinate"]["via"] = [point("a", 0.2, 0.1, 0.0)]
    assert "coordinate-same-segment" in [p.code for p in check(validated(data))]
