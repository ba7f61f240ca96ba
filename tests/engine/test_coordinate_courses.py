"""Laws of coordinates led along a course, against what a run finds and against closed forms."""

from __future__ import annotations

import numpy as np
import pytest

from solver.model.law_paths import coordinate_path, reach_of
from solver.running.simulation import simulate
from tests.engine.test_coordinate_forces import slider, table, wheel
from tests.models import project


def test_a_hinge_is_led_as_it_gives_in() -> None:
    hinge = {"kind": "plastic", "stiffness": 1000.0, "limit": 50.0}
    made = project(wheel(1.0, 0.0, 3.0, hinge))
    assert reach_of(made, made.coordinate_forces[0]) == pytest.approx((-0.15, 0.15))
    found = coordinate_path(made, "law", -0.15, 0.15)
    assert np.max(found.force) == pytest.approx(50.0)
    assert np.min(found.force) == pytest.approx(-50.0)
    # up 0.1 beyond yield, down 0.2, up 0.2
    assert found.lost == pytest.approx(50.0 * (0.1 + 0.2 + 0.2), rel=1e-3)


def test_a_stop_is_led_as_a_run_follows_it() -> None:
    push = table("push", "m", "N", [0.0, 0.1], [0.0, 4000.0])
    stop = {"kind": "stop", "upper": 0.05, "above": "push", "energy_ratio": 0.7, "offset_ratio": 0.1}  # fmt: skip
    damper = {"kind": "viscous", "damping": 3.0}
    made = project(slider(2.0, 0.0, 2.0, stop, damper, functions=[push], duration=0.12))
    run = simulate(made)
    way, force, rate = (
        run.table("coordinate_forces")[name][:, 0] for name in ("way", "force", "rate")
    )
    top = int(np.argmax(way))
    found = coordinate_path(made, "law", 0.0, float(np.max(way)))
    out = slice(found.turn[1] + 1, found.turn[2] + 1)
    at, back = found.way[out][::-1], found.force[out][::-1]
    here = np.arange(top + 1, len(way))[way[top + 1 :] > 0.0]
    assert len(here) > 2
    # the greatest way stands between two frames: within a percent of the force
    assert force[here] - 3.0 * rate[here] == pytest.approx(
        np.interp(way[here], at, back), abs=0.02 * np.max(force)
    )


def test_muscles_are_left_out_and_a_side_is_kept() -> None:
    muscle = {"kind": "muscle", "stiffness": 2000.0, "damping": 400.0}
    spring = {"kind": "linear", "stiffness": 100.0}
    made = project(slider(2.0, 0.0, 2.0, spring, muscle, side="above"))
    assert reach_of(made, made.coordinate_forces[0]) == pytest.approx((-0.01, 0.1))
    found = coordinate_path(made, "law", -0.01, 0.1)
    assert found.force == pytest.approx(100.0 * np.maximum(found.way, 0.0))
    assert found.lost == pytest.approx(0.0, abs=1e-9)
