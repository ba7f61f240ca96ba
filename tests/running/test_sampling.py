"""How often a run is sampled changes nothing of its motion: what an evaluation finds is no memory before a step stands."""

from __future__ import annotations

import numpy as np
import pytest

from solver import load_project
from solver.base.places import samples
from tests.running.test_restart import lasting, solved

END = 0.012
"""Time (s) for which samples are solved here: in it each of them would take other steps."""


@pytest.mark.parametrize("name", ["child_seat", "frontal", "padded_wall", "pedestrian", "point_contact", "rear_seat"])  # fmt: skip
def test_how_often_a_run_is_sampled_changes_no_bit_of_its_motion(name: str) -> None:
    project = load_project(samples() / f"{name}.json")
    few, many = (
        solved(lasting(project, END, frame_interval_s=END / n, channel_rate_hz=4.0 * n / END))
        for n in (3, 60)
    )
    steps = many.steps()
    for column, values in few.steps().columns.items():
        assert np.array_equal(values, steps[column]), column
    assert np.array_equal(
        few.table("segments")["position"][-1], many.table("segments")["position"][-1]
    )
