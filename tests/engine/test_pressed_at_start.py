"""What presses or is taut at the start and at rest: how it got there, and what it gives back."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from solver.analysis.equilibrium import settle
from solver.project import Project
from solver.running.simulation import simulate
from tests.balls_and_floors import ball, run
from tests.engine.test_contacts import function
from tests.engine.test_coordinate_forces import slider, solved, table
from tests.engine.test_harness import anchor, body, strapped
from tests.models import project

K, DEEP, MASS = 1e5, 0.02, 2.0
PAD = function("pad", [0.0, 1.0], [0.0, K])

HYSTERETIC = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.3, "offset_ratio": 0.7}
INDENTED = {
    "kind": "permanent_indentation",
    "stiffness_n_per_mn": K,
    "exponent": 1.0,
    "loss_restitution": 0.5,
}
IMPACT = {
    "kind": "lankarani_nikravesh",
    "stiffness_n_per_mn": K,
    "exponent": 1.0,
    "loss_restitution": 0.5,
}
BARELY = (0.0, 1e-6, -1e-6, 1e-9)


def thrown(law: dict[str, Any], speed: float) -> tuple[float, Any]:
    """Give the part of a linear pad's work that throws a ball out which starts pressed in."""
    data = ball(law, 0.0, mass=MASS, height=0.1 - DEEP, velocity=[0.0, 0.0, speed], functions=[PAD])
    out = run(data, 0.03, 1000.0)
    assert not [line for line in out.log if "gave" in line]
    leaves = out.table("segments")["velocity"][-1, 0, 2]
    return float(MASS * leaves**2 / (K * DEEP**2)), out


@pytest.mark.parametrize("speed", BARELY)
@pytest.mark.parametrize(
    ("law", "part"), [(HYSTERETIC, 0.3), (INDENTED, 0.25), (IMPACT, 1.0)], ids=["7.5", "dent", "LN"]
)
def test_a_ball_that_starts_pressed_gives_what_it_does_at_a_turning_point(
    law: dict[str, Any], part: float, speed: float
) -> None:
    """At rest, or as slowly as can be, in or out; without an impact there is no loss of one."""
    found, out = thrown(law, speed)
    assert found == pytest.approx(part, rel=1e-5)
    energy = out.table("energy")
    assert energy["strain"][0] == pytest.approx(part * 0.5 * K * DEEP**2, rel=1e-6)
    assert abs(energy["lost_in_contacts"][-1]) < 1e-5


def test_what_starts_a_little_inside_and_goes_in_fast_is_damped_as_in_an_impact() -> None:
    """With D = 3 (1 - e^2) / 4 of the speed at impact, m v dv = -k x (1 + D v) dx, which gives what leaves with a part r of it."""
    leaves, d = [], 0.75 * (1.0 - 0.5**2)
    r = brentq(lambda r: d - math.log1p(d) + d * r + math.log1p(-d * r), 0.1, 1.0)
    for height in (0.1 + 1e-3, 0.1 - 1e-5):
        data = ball(IMPACT, 0.0, mass=MASS, height=height, velocity=[0.0, 0.0, -3.0])
        leaves.append(run(data, 0.03, 1000.0).table("segments")["velocity"][-1, 0, 2])
    assert np.array(leaves) == pytest.approx(3.0 * r, rel=1e-4)


def test_one_that_goes_further_in_turns_there() -> None:
    speed = 2.0
    found, _ = thrown(HYSTERETIC, -speed)
    assert found == pytest.approx(0.3 * (1.0 + MASS * speed**2 / (K * DEEP**2)), rel=1e-5)


@pytest.mark.parametrize("law", [HYSTERETIC, INDENTED])
def test_whoever_wishes_gets_all_back(law: dict[str, Any]) -> None:
    found, out = thrown(law | {"at_start": "elastic"}, 0.0)
    assert found == pytest.approx(1.0, rel=1e-5)
    assert abs(out.table("energy")["lost_in_contacts"][-1]) < 1e-5


def test_what_gives_all_back_once_turns_as_soon_as_it_has_gone_in_again() -> None:
    speed = 2.0
    found, _ = thrown(HYSTERETIC | {"at_start": "elastic"}, -speed)
    assert found == pytest.approx(0.3 * (1.0 + MASS * speed**2 / (K * DEEP**2)), rel=1e-5)


def test_a_man_who_has_settled_on_his_seat_leaves_it_with_what_the_seat_returns() -> None:
    """20 kg on a soft pad are lifted with three times their weight: work, less weight, and 30 %."""
    mass, stiff, g = 20.0, 2000.0, 9.81
    data = ball(HYSTERETIC, 0.0, mass=mass, functions=[function("pad", [0.0, 1.0], [0.0, stiff])])
    data["gravity_m_per_s2"] = [0.0, 0.0, -g]
    rest: Project = settle(project(data), hold=["ball.x", "ball.y"]).project
    lift = {
        "id": "lift",
        "segment": "ball",
        "direction": [0, 0, 1],
        "axes": "ground",
        "history": "up",
    }
    up = function("up", [0.0, 1.0], [3.0 * mass * g] * 2, ("s", "N"))
    whole = rest.model_dump(mode="json")
    whole["loads"] = [lift]
    whole["functions"].append(up)
    out = run(whole, 0.2, 1000.0)
    deep = mass * g / stiff
    rises = out.table("segments")["position"][-1, 0, 2] - (0.1 - deep)
    given = 0.3 * 0.5 * stiff * deep**2 + 2.0 * mass * g * rises
    leaves = out.table("segments")["velocity"][-1, 0, 2]
    assert 0.5 * mass * leaves**2 == pytest.approx(given, rel=1e-5)


@pytest.mark.parametrize("rate", BARELY)
@pytest.mark.parametrize("kind", ["rest", "stop"])
def test_a_coordinate_that_starts_off_its_rest_turns_there(kind: str, rate: float) -> None:
    pad = table("pad", "m", "N", [0.0, 1.0], [0.0, K])
    law = {"kind": kind, "above": "pad", "energy_ratio": 0.3, "offset_ratio": 0.7}
    law |= {"upper": 0.01} if kind == "stop" else {"at": 0.01}
    data = slider(MASS, 0.01 + DEEP, rate, law, functions=[pad], duration=0.01)
    data["runs"][0] |= {"frame_interval_s": 1e-4, "channel_rate_hz": 1e4}
    out = solved(data)
    leaves = np.max(np.abs(out.table("segments")["velocity"][:, 0, 0]))
    assert MASS * leaves**2 / (K * DEEP**2) == pytest.approx(0.3, rel=1e-4)


def test_a_plastic_hinge_that_starts_beyond_its_limit_has_given_in_up_to_there() -> None:
    """It springs back over limit by stiffness, and swings about its set; it does not push on."""
    limit, stiff = 100.0, 1e4
    flat = table("limit", "m", "N", [0.0, 1.0], [limit, limit])
    law = {"kind": "plastic", "stiffness": stiff, "limit": "limit"}
    out = solved(slider(MASS, 0.05, 0.0, law, functions=[flat], duration=0.2))
    way = out.table("segments")["position"][:, 0, 0]
    back, turns = limit / stiff, math.sqrt(stiff / MASS)
    assert way == pytest.approx(
        [0.05 - back + back * math.cos(turns * t) for t in out.time], abs=1e-7
    )


@pytest.mark.parametrize("choice", ["turning", "elastic"])
def test_webbing_that_starts_taut_gives_back_as_it_is_said_to(choice: str) -> None:
    """A body at the end of a strap of 1 m, stretched by a tenth."""
    webbing = {"id": "webbing", "kind": "webbing", "base": "tension", "energy_ratio": 0.3,
               "offset_ratio": 0.7, "at_start": choice}  # fmt: skip
    points = [anchor("ground", 0.0, 0.0, 0.0), anchor("load", 0.0, 0.0, 0.0)]
    data = strapped(points, [body("load", 1.1)], slack=-0.1, webbing=webbing)
    data["runs"][0] |= {"duration_s": 0.2}
    out = simulate(project(data))
    rest = 1.0
    held = 0.5 * 1000.0 / rest * 0.1**2
    leaves = out.table("segments")["velocity"][-1, 0, 0]
    part = 1.0 if choice == "elastic" else 0.3
    assert 0.5 * 2.0 * leaves**2 / held == pytest.approx(part, rel=2e-3)
