"""Closed loops that pass singular positions: the same branch at every tolerance, or a sentence."""

from __future__ import annotations

import math
from functools import cache
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.running.simulation import simulate
from tests.models import base, point, project, segment

UNIT_ROD = (1 / 12, 1 / 12, 1e-4)


def four_bars(count: int, tolerance: float, duration: float, start: float, rate: float) -> Any:
    """Build the N-four-bar mechanism of the IFToMM library: unit rods, unit masses, N loops.

    All uprights stand at one angle (rad, about y, from straight down). Where all rods lie on one line
    the mechanism is singular: there it could turn from a parallelogram into a crossed one.
    """
    segments, joints, starts, ties = [], [], [], []
    for n in range(count + 1):
        segments.append(segment(f"rod{n}", 1.0, UNIT_ROD))
        joints.append({"id": f"pin{n}", "kind": "pin", "parent": "ground", "child": f"rod{n}",
                       "parent_frame": {"position_m": [float(n), 0.0, 0.0]},
                       "child_frame": {"position_m": [0.0, 0.0, -0.5]}})  # fmt: skip
        starts.append({"joint": f"pin{n}", "values": [start], "rates": [rate]})
    for n in range(count):
        segments.append(segment(f"bar{n}", 1.0, UNIT_ROD))
        joints.append({"id": f"hinge{n}", "kind": "pin", "parent": f"rod{n}", "child": f"bar{n}",
                       "parent_frame": {"position_m": [0.0, 0.0, 0.5]},
                       "child_frame": {"position_m": [0.0, 0.0, -0.5]}})  # fmt: skip
        starts.append({"joint": f"hinge{n}", "values": [math.pi / 2 - start], "rates": [-rate]})
        ties.append({"id": f"tie{n}", "kind": "zero_distance", "a": point(f"bar{n}", 0.0, 0.0, 0.5),
                     "b": point(f"rod{n + 1}", 0.0, 0.0, 0.5)})  # fmt: skip
    method = {
        "kind": "dopri",
        "relative_tolerance": tolerance,
        "absolute_tolerance": 1e-2 * tolerance,
    }
    return base(duration, method, segments=segments, joints=joints, constraints=ties,
                initial={"joints": starts})  # fmt: skip


@cache
def upright(count: int, times: tuple[float, ...], start: float, rate: float) -> Any:
    """Give the angle of all uprights as long as they stay parallel: one freedom, a pendulum."""
    inertia, weight = (count + 1) / 3 + count, 9.81 * ((count + 1) / 2 + count)
    made = solve_ivp(lambda _, y: [y[1], -weight * math.sin(y[0]) / inertia], (0.0, times[-1]),
                     [start, rate], "DOP853", times, rtol=1e-12, atol=1e-13)  # fmt: skip
    return made.y[0]


def off(run: Any, count: int, start: float, rate: float) -> float:
    """Give the largest angle (rad) of any upright from where it should be."""
    exact, worst = upright(count, tuple(run.time), start, rate), 0.0
    for n in range(count + 1):
        q = run.segment(f"rod{n}").quaternion_wxyz
        angle = 2.0 * np.arctan2(q[:, 2], q[:, 0])
        worst = max(worst, float(np.abs(np.angle(np.exp(1j * (angle - exact)))).max()))
    return worst


@pytest.mark.parametrize("tolerance", [1e-4, 1e-5, 1e-6, 1e-7, 1e-8])
@pytest.mark.parametrize("count", [1, 2])
def test_four_bars_stay_parallel_through_every_singular_position(
    count: int, tolerance: float
) -> None:
    """Ten seconds of the benchmark, from upright; energy drifts less than a tenth of what it allows."""
    run = simulate(project(four_bars(count, tolerance, 10.0, math.pi, -1.0)))
    assert run.status == "completed", run.message
    assert off(run, count, math.pi, -1.0) < 1e-5
    assert np.abs(run.table("energy")["balance"]).max() < 1e-5


@pytest.mark.parametrize(("tolerance", "count"), [(1e-10, 5), (1e-12, 1), (1e-13, 2)])
def test_tight_tolerances_do_not_stop_at_what_rounding_blurs(tolerance: float, count: int) -> None:
    """What rounding does to the rates grows without bound on the way to the position: steps go over it all the same."""
    run = simulate(project(four_bars(count, tolerance, 3.0, math.pi, -1.0)))
    assert run.status == "completed", run.message
    assert off(run, count, math.pi, -1.0) < 2e-9
    assert len(run.steps()["time"]) < 4000


@pytest.mark.parametrize("tolerance", [1e-5, 1e-7])
@pytest.mark.parametrize("seed", range(10))
def test_wherever_steps_come_to_stand_the_branch_is_the_same(seed: int, tolerance: float) -> None:
    rng = np.random.default_rng(seed)
    start, rate = rng.uniform(1.8, 4.4), rng.choice([-1.0, 1.0]) * rng.uniform(3.0, 9.0)
    run = simulate(project(four_bars(1, tolerance, 2.0, start, rate)))
    assert run.status == "completed", run.message
    assert off(run, 1, start, rate) < 1e-5


def test_a_loop_that_comes_to_rest_at_a_singular_position_ends_the_run_with_a_sentence() -> None:
    """Just enough speed to reach the line of all rods: from there two motions are possible."""
    inertia, weight, start = 2 / 3 + 1.0, 9.81 * 2.0, 0.3
    rate = math.sqrt(2.0 * weight * math.cos(start) / inertia)
    run = simulate(project(four_bars(1, 1e-8, 1.0, start, rate)))
    assert run.status == "failed"
    assert "the constraints stand at a singular position" in run.message
    assert "more than one way" in run.message
    assert run.message.startswith("At 47")
    assert 0.46 <= run.time[-1] < 0.48, "what was found until then is kept"
    assert np.isfinite(run.segment("rod0").position).all()
    assert off(run, 1, start, rate) < 1e-5
