"""What a run says of steps that became very short."""

from __future__ import annotations

from typing import Any

from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.models import base, point, project, segment


def _hung(stiffness: float) -> Trajectory:
    """Hang a crumb on a spring, beside a body that flies."""
    spring: Any = {
        "id": "spring", "kind": "linear", "a": point("ground"), "b": point("crumb"),
        "rest_length_m": 0.5, "stiffness_n_per_m": stiffness,
    }  # fmt: skip
    data = base(
        duration=0.01,
        segments=[segment("flier", 3.0), segment("crumb", 1e-3, (1e-6, 1e-6, 1e-6))],
        springs=[spring],
        initial={"roots": [{"segment": "crumb", "position_m": [0.0, 0.0, 0.5]}]},
    )
    data["runs"][0] |= {"channel_rate_hz": 10000.0, "frame_interval_s": 0.001}
    return simulate(project(data))


def _held_up(run: Trajectory) -> list[str]:
    return [line for line in run.log if "limited" in line]


def test_a_run_that_is_held_up_says_when_and_by_what() -> None:
    (said,) = _held_up(_hung(1e10))
    assert "the motion of 'crumb' limited 100% of them" in said
    assert "shorter than 5e-06 s" in said


def test_a_run_of_ordinary_steps_says_nothing() -> None:
    assert _held_up(_hung(1e4)) == []
