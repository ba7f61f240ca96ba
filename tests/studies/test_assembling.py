"""A study that varies a link of a loop: each row is assembled first, and says what that moved."""

from __future__ import annotations

import math

import pytest

import manikin as mk
from solver.base.places import samples
from solver.project import load_project
from solver.project.changes import with_value
from tests.studying import channel, parameter, uniform

CRANK, OUTPUT, GROUND = 0.11, 0.375, 0.3


def four_bar() -> mk.Model:
    project = load_project(samples() / "four_bar.json")
    project = with_value(project, "gravity_m_per_s2", (0.0, 0.0, 0.0))
    for n in range(3):
        project = with_value(project, f"initial/joints/{n}/rates", [])
    return mk.Model(with_value(project, "runs/two_seconds/duration_s", 0.01)).with_value("runs/two_seconds/frame_interval_s", 0.005)  # fmt: skip


def output_angle(coupler: float) -> float:
    """By the cosine rule: the crank stands upright at the sample's start."""
    across = math.hypot(GROUND, CRANK)
    lean = math.atan2(CRANK, GROUND)
    return math.pi - lean - math.acos((across**2 + OUTPUT**2 - coupler**2) / (2.0 * across * OUTPUT))  # fmt: skip


def test_a_link_s_length_is_varied() -> None:
    link = parameter("link", "constraints/closure/a/position_m/0", uniform(0.17, 0.24))
    angle = channel("angle", "output_angle_angle", "at", time_s=0.0)
    model = four_bar().with_value("studies", [{
        "id": "lengths", "kind": "grid", "run": "two_seconds", "levels": 3, "parameters": [link], "responses": [angle],
        "hold": ["crank_pin"],
    }])  # fmt: skip
    table = mk.study(model, workers=0).table
    assert table["link"].round(3).tolist() == [0.17, 0.205, 0.24]
    for length, got in zip(table["link"], table["angle"], strict=True):
        assert float(got) == pytest.approx(output_angle(0.2 + float(length)), abs=1e-8)
    assert all("Loops closed: 'output' moved by" in one for one in table["message"])
