"""Actuators on coordinates: what drives to a target, against closed forms and exponentials of matrices."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.linalg import expm

from solver.equilibrium import settle
from tests.models import project
from tests.test_coordinate_forces import at, seen, slider, solved, table, wheel

P, D, I_GAIN, MASS = 400.0, 30.0, 900.0, 2.0


def drive(target: float | str, proportional: float | str = P, **more: Any) -> dict[str, Any]:
    return {"kind": "actuator", "target": target, "proportional": proportional, **more}


def test_it_follows_a_step_as_three_gains_say() -> None:
    """m x'' = -P (x - 0.1) - D x' - I (sum of x - 0.1): a linear system, so its exponential is its course."""
    out = solved(slider(MASS, 0.0, 0.0, drive(0.1, derivative=D, integral=I_GAIN)))
    A = np.array([[0.0, 1.0, 0.0], [-P / MASS, -D / MASS, -I_GAIN / MASS], [1.0, 0.0, 0.0]])
    times = (0.05, 0.1, 0.3, 0.6, 1.0)
    wanted = [0.1 + (expm(A * t) @ [-0.1, 0.0, 0.0])[0] for t in times]
    assert at(out, "way", *times) == pytest.approx(wanted, rel=1e-7)
    assert max(wanted) > 0.11, "it swings beyond"


def test_the_sum_bears_a_weight_that_the_rest_gives_way_to() -> None:
    """Without a sum it hangs mg / P below its target; with one, at the target, in the end."""
    for integral, sag in ((0.0, MASS * 9.81 / P), (2000.0, 0.0)):
        data = slider(MASS, 0.0, 0.0, drive(0.1, derivative=60.0, integral=integral), duration=4.0)
        data["gravity_m_per_s2"] = [9.81, 0.0, 0.0]
        out = solved(data)
        assert at(out, "way", 4.0) == pytest.approx([0.1 + sag], abs=2e-5)


def test_a_target_that_moves_as_the_body_does_takes_no_force() -> None:
    """The rate is counted from the target's: at its place and its rate there is nothing to do."""
    ramp = table("ramp", "s", "m", [0.0, 2.0], [0.05, 1.05])
    out = solved(
        slider(MASS, 0.05, 0.5, drive("ramp", derivative=D, integral=I_GAIN), functions=[ramp])
    )
    assert np.max(np.abs(seen(out, "force"))) < 1e-9
    off = solved(slider(MASS, 0.05, 0.0, drive("ramp", 0.0, derivative=D), functions=[ramp]))
    t = off.time
    # m v' = -D (v - 0.5)
    wanted = 0.05 + 0.5 * (t - MASS / D * (1.0 - np.exp(-D / MASS * t)))
    assert seen(off, "way") == pytest.approx(wanted, abs=1e-9)


def test_gains_hang_on_the_target() -> None:
    """Twice as stiff by a target of 0.2 as by one of 0.1: w^2 = P / m of each."""
    gain = table("gain", "m", "N/m", [0.0, 0.1, 0.2], [0.0, 200.0, 800.0])
    for target, stiff in ((0.1, 200.0), (0.2, 800.0), (0.15, 500.0)):
        out = solved(slider(MASS, 0.0, 0.0, drive(target, "gain"), functions=[gain]))
        wanted = target * (1.0 - np.cos(math.sqrt(stiff / MASS) * out.time))
        assert seen(out, "way") == pytest.approx(wanted, abs=1e-7)


def test_it_gives_no_more_than_its_limit_and_its_sum_stands_still_there() -> None:
    """6 N on 2 kg from rest: x = 1.5 t^2, until P (x - 0.1) + D x' is less; its sum counts from there."""
    out = solved(slider(MASS, 0.0, 0.0, drive(0.1, derivative=D, integral=I_GAIN, limit=6.0)))
    force, way = seen(out, "force"), seen(out, "way")
    assert np.max(np.abs(force)) == 6.0

    def rates(_: float, y: Any) -> list[float]:
        whole = P * (y[0] - 0.1) + D * y[1] + I_GAIN * y[2]
        f = min(max(whole, -6.0), 6.0)
        stands = f != whole and whole * (y[0] - 0.1) > 0.0
        return [y[1], -f / MASS, 0.0 if stands else y[0] - 0.1]

    wanted = solve_ivp(
        rates, (0.0, 1.0), [0.0, 0.0, 0.0], rtol=1e-10, atol=1e-12, max_step=1e-3, t_eval=out.time
    )
    assert way == pytest.approx(wanted.y[0], abs=1e-6)
    early = out.time <= 0.1
    assert way[early] == pytest.approx(1.5 * out.time[early] ** 2, abs=1e-9)


def test_it_begins_by_its_trigger_and_its_delay_and_then_counts_time_anew() -> None:
    ramp = table("ramp", "s", "m", [0.0, 1.0], [0.0, 0.3])
    late = drive("ramp", derivative=D, delay_s=0.05, trigger={"kind": "time", "time_s": 0.15})
    out = solved(slider(MASS, 0.0, 0.0, late, functions=[ramp]))
    atonce = solved(slider(MASS, 0.0, 0.0, drive("ramp", derivative=D), functions=[ramp]))
    assert np.all(seen(out, "way")[out.time < 0.199] == 0.0)
    n = int(np.searchsorted(out.time, 0.2 - 1e-9))
    assert seen(out, "way")[n:] == pytest.approx(seen(atonce, "way")[: len(out.time) - n], abs=1e-9)


def test_each_has_a_sum_of_its_own_and_turns_take_torques() -> None:
    """Two wheels with the same gains and other targets: each as if it were alone."""
    law = drive(0.2, 3.0, derivative=0.2, integral=6.0)
    alone = [
        solved(wheel(0.05, 0.0, 0.0, law | {"target": target}, duration=0.6))
        for target in (0.2, -0.5)
    ]
    both = wheel(0.05, 0.0, 0.0, law, duration=0.6)
    both["segments"].append(both["segments"][0] | {"id": "other"})
    both["joints"].append(both["joints"][0] | {"id": "second", "child": "other"})
    both["initial"]["joints"].append({"joint": "second", "values": [0.0], "rates": [0.0]})
    force = both["coordinate_forces"][0]
    both["coordinate_forces"].append(
        force
        | {
            "id": "two",
            "coordinate": {"kind": "joint", "joint": "second"},
            "laws": [law | {"target": -0.5}],
        }
    )
    table_ = solved(both).table("coordinate_forces")
    for n, one in enumerate(alone):
        assert table_["angle"][:, n] == pytest.approx(seen(one, "angle"), abs=1e-7)
        assert table_["torque"][:, n] == pytest.approx(seen(one, "torque"), abs=1e-5)


def test_what_it_does_is_booked_as_work() -> None:
    """From rest, all that moves is what it has put in; at the target that is P d^2 / 2."""
    out = solved(slider(MASS, 0.0, 0.0, drive(0.1)))
    energy = out.table("energy")
    assert energy["work_of_muscles"] == pytest.approx(energy["kinetic"], abs=1e-8)
    assert np.max(energy["kinetic"]) == pytest.approx(0.5 * P * 0.01, rel=1e-3)
    assert np.all(energy["strain"] == 0.0)
    assert np.all(energy["lost_in_coordinate_forces"] == 0.0)


def test_it_settles_where_its_gain_bears_the_weight() -> None:
    data = slider(MASS, 0.0, 0.0, drive(0.1, derivative=D), duration=0.1)
    data["gravity_m_per_s2"] = [9.81, 0.0, 0.0]
    done = settle(project(data))
    (start,) = done.project.initial.joints
    assert start.values[0] == pytest.approx(0.1 + MASS * 9.81 / P, abs=1e-6)
