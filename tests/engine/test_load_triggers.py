"""Triggers that watch loads fire when the output of the load passes their level."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from benchmarks.occupant import sled_run
from solver.base.places import samples
from solver.project import validated
from solver.project.checks import check
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.exploring import further

RATE = 50_000.0
CLOSE = 1.1 / RATE


def watching(of: str, element: str, level: float) -> tuple[dict[str, Any], dict[str, Any]]:
    """Give an output of an element, and a trigger that watches it."""
    output = {"id": "watched", "kind": "element", "of": of, "element": element}
    return output, {"kind": "channel", "output": "watched", "level": level}


def frontal() -> dict[str, Any]:
    out: dict[str, Any] = json.loads((samples() / "frontal.json").read_text(encoding="utf-8"))
    return out


def run(data: dict[str, Any], until: float) -> Trajectory:
    data["runs"][0] |= {"duration_s": until, "frame_interval_s": 1.0 / RATE}
    out = simulate(validated(data))
    assert out.status == "completed", out.message
    return out


def told(out: Trajectory, *words: str) -> float:
    """Give the time (s) of the one line of the log that has all words."""
    (line,) = [line for line in out.log if all(word in line for word in words)]
    return 1e-3 * float(line.split()[0])


def first_above(values: Any, level: float) -> float:
    """Give the time (s) at which the largest of each frame's values is above a level."""
    most = np.asarray(values).reshape(len(values), -1).max(axis=1)
    return float(np.argmax(most > level)) / RATE


@pytest.mark.seeded
@pytest.mark.parametrize("level", [1500.0, *further([3000.0])])
def test_a_bag_fires_by_the_largest_tension_of_a_harness(level: float) -> None:
    data = frontal()
    output, trigger = watching("harnesses", "driver_three_point_belt", level)
    data["outputs"].append(output)
    data["airbags"][0]["trigger"] = trigger
    out = run(data, 0.05)
    at = first_above(out.table("strap_points")["tension"], level)
    assert 0.0 < at == pytest.approx(told(out, "driver_bag", "fires"), abs=CLOSE)


def test_a_bag_fires_by_the_tension_of_a_simple_belt() -> None:
    data = sled_run("belts")
    output, trigger = watching("belts", "shoulder", 800.0)
    data["outputs"], data["airbags"][0]["trigger"] = [output], trigger
    belt = [b["id"] for b in data["belts"]].index("shoulder")
    out = run(data, 0.05)
    at = first_above(out.table("belts")["tension"][:, belt], 800.0)
    assert 0.0 < at == pytest.approx(told(out, data["airbags"][0]["id"], "fires"), abs=CLOSE)


def test_a_pretensioner_fires_by_the_pressure_of_a_bag() -> None:
    data = frontal()
    output, trigger = watching("airbags", "driver_bag", 2000.0)
    data["outputs"].append(output)
    data["harnesses"][0]["straps"][0]["end_device"]["pretensioner"]["trigger"] = trigger
    out = run(data, 0.06)
    at = first_above(out.table("airbags")["pressure"], 2000.0)
    assert 0.0 < at == pytest.approx(told(out, "trigger of", "passed"), abs=CLOSE)


def test_a_component_of_one_number_is_refused() -> None:
    data = frontal()
    output, trigger = watching("airbags", "driver_bag", 2000.0)
    data["outputs"].append(output)
    data["airbags"][0]["trigger"] = trigger | {"component": "x"}
    found = {p.code: p for p in check(validated(data))}
    assert found["trigger-component"].sentence == "'watched' gives one number, its pressure."
