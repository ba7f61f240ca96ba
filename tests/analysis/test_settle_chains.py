"""Settling of sprung chains that swing far, and reaching with them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver.analysis.equilibrium import Reach, SettleError, fit, settle
from solver.project.geometry import PointRef
from tests.models import base, project, segment


def sprung(seed: int, *kinds: str) -> Any:
    """Join three links by springs in joints of all kinds; half of the chains stand on their heads."""
    rng = np.random.default_rng(seed)
    joints: list[Any] = []
    for n in range(3):
        kind, spring = (
            str(rng.choice(kinds or ("pin", "ball", "universal"))),
            {"linear_nm_per_rad": float(rng.uniform(1.0, 20.0))},
        )
        laws: dict[str, Any] = {
            "pin": {"spring": spring},
            "ball": {"flexure": spring, "torsion": spring},
        }.get(kind, {})
        axes = {"universal": ("first", "second"), "euler": ("precession", "nutation", "spin")}.get(
            kind, ()
        )
        joints.append({"id": f"j{n}", "kind": kind, "parent": "ground" if n == 0 else f"s{n - 1}", "child": f"s{n}",
                       "parent_frame": {"position_m": [0.0, 0.0, 0.25 if n else 0.0]}, "child_frame": {"position_m": [0.0, 0.0, -0.25]},
                       **laws, **{axis: {"spring": spring} for axis in axes}})  # fmt: skip
    links = [segment(f"s{n}", float(rng.uniform(0.5, 3.0)), (0.06, 0.07, 0.08)) for n in range(3)]
    weight = [float(rng.normal()), float(rng.normal()), float(rng.choice([-9.81, 9.81]))]
    return base(segments=links, joints=joints, gravity_m_per_s2=weight)


@pytest.mark.parametrize("seed", range(6))
def test_a_sprung_chain_comes_to_rest_however_far_it_swings(seed: int) -> None:
    done = settle(project(sprung(seed)), free=["j0", "j1", "j2"])
    assert done.balanced
    assert done.stable
    assert done.health.worst_g < 1e-6


def test_what_turns_more_than_half_a_turn_keeps_its_whole_turns() -> None:
    """An attitude leaves a choice of whole turns; springs do not."""
    axes = {
        name: {"centre_rad": centre, "spring": {"linear_nm_per_rad": 5.0}}
        for name, centre in (("first", 4.0), ("second", -3.5))
    }
    joint = {"id": "j", "kind": "universal", "parent": "ground", "child": "s", **axes}
    joint["child_frame"] = {"position_m": [0.0, 0.0, -0.25]}
    weightless = [0.0, 0.0, 0.0]
    done = settle(
        project(base(segments=[segment("s")], joints=[joint], gravity_m_per_s2=weightless)),
        free=["j"],
    )
    assert done.project.initial.joints[0].values == pytest.approx((4.0, -3.5), abs=1e-9)
    assert done.health.worst_g < 1e-6


def test_a_long_way_down_is_gone_to_its_end() -> None:
    """Nothing bears a kilogram on a rail for 4.8 m, so that it accelerates no less; then 4 kN/m stop it."""
    stop = {"kind": "table", "x": [0.0, 4.8, 5.3], "y": [0.0, 0.0, 2000.0]}
    slip = {"id": "j", "kind": "slip", "parent": "ground", "child": "s", "slide": {"force": "stop"}}
    functions = [{"id": "stop", "x_unit": "m", "y_unit": "N", "form": stop}]
    rail = base(segments=[segment("s")], joints=[slip], functions=functions)
    done = settle(project(rail), free=["j"], furthest_m=10.0)
    assert done.moved_m == pytest.approx(4.8 + 9.81 / 4000.0, abs=1e-6)


def test_angles_of_euler_joints_that_a_start_cannot_have_are_told() -> None:
    """Near straight their springs go by the way there, which no start pose has."""
    done = settle(project(sprung(4, "pin", "ball", "universal", "euler")), free=["j0", "j1", "j2"])
    assert done.balanced
    assert done.health.worst_g > 1.0
    assert any("'j1', 'j2', Euler joints that are nearly straight" in note for note in done.notes)


def test_how_far_a_target_is_off_is_told_in_digits_that_say_something() -> None:
    target = PointRef(segment="ground", position_m=(0.0, 0.0, 1.5002))
    with pytest.raises(SettleError, match=r"it is 0\.2 mm away"):
        fit(
            project(sprung(0)), [Reach(PointRef(segment="s2", position_m=(0.0, 0.0, 0.25)), target)]
        )
