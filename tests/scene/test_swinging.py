"""The ground lies below what swings."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.analysis.crash.build import crash, first
from solver.project.pose import plane_corners, start_pose
from solver.scene.placing import lowest_swing, turns_over
from tests.models import base, segment
from tests.models import project as validated

UP = np.array((0.0, 0.0, -1.0))


@pytest.mark.parametrize(("sample", "low"), [("double_pendulum", -2.0), ("sled", np.inf)])
def test_a_chain_on_the_ground_is_stretched_downwards(sample: str, low: float) -> None:
    """Two rods of a metre swing from a hinge at the origin; an occupant is attached to nothing."""
    assert lowest_swing(mk.sample(sample).project, UP) == pytest.approx(low)


def test_what_is_locked_to_the_ground_does_not_swing_about_it() -> None:
    assert lowest_swing(mk.sample("head_struck").project, UP) == np.inf


def test_the_ground_lies_below_a_car_that_rolls_over_and_no_other() -> None:
    """Turn all corners and middles about the car's long axis in steps: none comes lower than the ground, and one comes near it."""
    project = crash(first("rollover"), rest=False)
    assert turns_over(project, "vehicle")
    assert not turns_over(mk.sample("frontal").project, "vehicle")
    pose = start_pose(project)
    points = [
        *(
            corner + a * edge + b * other
            for one in project.planes
            if one.segment == "vehicle"
            for corner, edge, other in [plane_corners(one)]
            for a in (0.0, 1.0)
            for b in (0.0, 1.0)
        ),
        *(pose[s.id].of(f.centre_m) for s in project.segments for f in s.surfaces),
    ]
    y, z = np.array([point[1:] for point in points]).T
    angles = np.linspace(0.0, 2.0 * np.pi, 721)[:, None]
    lowest = -float((np.sin(angles) * y + np.cos(angles) * z).max())
    ground = lowest_swing(project, UP)
    assert lowest - 0.2 < ground < lowest


@pytest.mark.parametrize(
    ("component", "over"),
    [
        ({"component": "roll", "quantity": "position", "pulse": {"kind": "constant", "value": 1.2}}, True),
        ({"component": "roll", "quantity": "position", "pulse": {"kind": "constant", "value": 0.9}}, False),
        ({"component": "pitch", "quantity": "velocity", "pulse": {"kind": "constant", "value": 11.0}}, True),
        ({"component": "yaw", "quantity": "velocity", "pulse": {"kind": "constant", "value": 11.0}}, False),
        ({"component": "roll", "pulse": {"kind": "half_sine", "amplitude": 100.0, "duration_s": 0.5}}, False),
        ({"component": "roll", "pulse": {"kind": "half_sine", "amplitude": 400.0, "duration_s": 0.1}}, True),
        ({"component": "roll", "start_rate": -12.0, "pulse": {"kind": "constant", "value": 0.0}}, True),
    ],
)  # fmt: skip
def test_a_car_turns_over_by_what_is_prescribed_in_the_time_of_a_run(
    component: Any, over: bool
) -> None:
    """In 0.1 s; of a pulse that goes on after the end of a run, not the whole counts."""
    project = validated(base(
        duration=0.1, segments=[segment("car")], initial={"roots": [{"segment": "car"}]},
        motions=[{"id": "way", "segment": "car", "components": [component]}],
    ))  # fmt: skip
    assert turns_over(project, "car") is over
