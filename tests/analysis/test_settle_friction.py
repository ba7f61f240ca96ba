"""Settling where nothing but friction holds: closed forms of blocks, balls and belts."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver import settle, simulate
from solver.analysis.equilibrium import SettleError
from solver.base.places import samples
from solver.project import load_project, validated
from solver.project.pose import start_pose
from tests.models import base, segment

MU = 0.5


def block(slope: float, friction: float = MU, feet: float = 0.3) -> Any:
    """Give a block on four feet above a sloping plane, parallel to it; z points down."""
    body = segment("block", 8.0, (0.1, 0.1, 0.1))
    body["surfaces"] = [
        {"id": f"foot_{n}", "kind": "ellipsoid", "semi_axes_m": [0.02] * 3, "centre_m": [x, y, 0.1]}
        for n, (x, y) in enumerate([(feet, 0.2), (feet, -0.2), (-feet, 0.2), (-feet, -0.2)])
    ]
    law = {"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 20000.0,
           "damping_ns_per_m": 500.0, "friction": friction}  # fmt: skip
    return base(
        segments=[body],
        planes=[{
            "id": "floor",
            "placement": {"kind": "frame", "length_m": 10.0, "width_m": 10.0,
                          "frame": {"orientation": {"angles_rad": [math.pi, slope, 0], "order": "xyz"}}},
        }],
        contact_laws=[law],
        contacts=[{"id": f"pair_{n}", "kind": "plane", "plane": "floor", "law": "law",
                   "surface": {"segment": "block", "surface": f"foot_{n}"}} for n in range(4)],
        initial={"roots": [{"segment": "block", "position_m": [0.0, 0.0, -0.15]}],
                 "attitudes": [{"segment": "block",
                                "orientation": {"angles_rad": [0.0, -slope, 0.0], "order": "xyz"}}]},
    )  # fmt: skip


@pytest.mark.parametrize("angle", [0.05, 0.3, 0.45])
def test_a_block_stays_on_a_slope_below_the_angle_of_friction(angle: float) -> None:
    done = settle(validated(block(angle)))
    assert done.balanced
    # every foot bears the same part of what it can
    part = math.tan(angle) / MU
    (note,) = [n for n in done.notes if n.startswith("Friction alone holds")]
    assert f"it takes {100.0 * part:.2g} % of" in note
    pressing = sum(c.force_n for c in done.health.contacts)
    assert pressing == pytest.approx(8.0 * 9.81 * math.cos(angle), rel=1e-5)


def test_a_block_slides_down_a_slope_above_the_angle_of_friction() -> None:
    for angle in (math.atan(MU) + 0.01, 0.7):
        with pytest.raises(SettleError, match="Friction does not hold it either"):
            settle(validated(block(angle)))
    with pytest.raises(SettleError, match="Friction does not hold it either"):
        settle(validated(block(0.05, friction=0.0)))


def test_the_lower_feet_of_a_block_on_a_slope_bear_more() -> None:
    """Friction below the mass centre turns the block: the pairs of feet share by its moment."""
    angle, feet, weight = 0.4, 0.3, 8.0 * 9.81
    done = settle(validated(block(angle, feet=feet)))
    force = {c.contact: c.force_n for c in done.health.contacts}
    assert min(force.values()) > 0.0
    one, two = force["pair_0"] + force["pair_1"], force["pair_2"] + force["pair_3"]
    # moments about the mass centre: normal forces and friction act at the lowest points of the feet
    turning = weight * math.sin(angle) * 0.12
    assert abs(one - two) * feet == pytest.approx(turning, rel=3e-3)


def test_what_rides_on_a_block_pushes_it_down_the_slope() -> None:
    """Friction between the two is one push in both ways: feet below bear the moments of both weights."""
    slope, feet, heights = 0.2, 0.3, (0.12, 0.29)
    data = block(slope, feet=feet)
    data["segments"][0]["surfaces"].append(
        {
            "id": "top",
            "kind": "ellipsoid",
            "semi_axes_m": [40.0, 40.0, 0.05],
            "centre_m": [0, 0, -0.05],
        }
    )
    rider = segment("rider", 4.0, (0.05, 0.05, 0.05))
    rider["surfaces"] = [
        {
            "id": f"foot_{n}",
            "kind": "ellipsoid",
            "semi_axes_m": [0.02] * 3,
            "centre_m": [x, y, 0.05],
        }
        for n, (x, y) in enumerate([(0.1, 0.1), (0.1, -0.1), (-0.1, 0.1), (-0.1, -0.1)])
    ]
    data["segments"].append(rider)
    data["contacts"] += [
        {"id": f"rides_{n}", "kind": "surfaces", "law": "law",
         "first": {"segment": "rider", "surface": f"foot_{n}"},
         "second": {"segment": "block", "surface": "top"}}
        for n in range(4)
    ]  # fmt: skip
    along = np.array([math.cos(slope), 0.0, math.sin(slope)])
    up = np.array([math.sin(slope), 0.0, -math.cos(slope)])
    place = np.array([0.0, 0.0, -0.15]) + 0.168 * up
    data["initial"]["roots"].append({"segment": "rider", "position_m": place.tolist()})
    data["initial"]["attitudes"].append(data["initial"]["attitudes"][0] | {"segment": "rider"})
    done = settle(validated(data))
    pose = start_pose(done.project)
    ahead = float((pose["rider"].p_W - pose["block"].p_W) @ along)
    force = {c.contact: c.force_n for c in done.health.contacts}
    one, two = force["pair_0"] + force["pair_1"], force["pair_2"] + force["pair_3"]
    # moments about the place below the block's mass centre at which its feet stand
    pushing = math.sin(slope) * (8.0 * heights[0] + 4.0 * heights[1])
    turning = 9.81 * (pushing + 4.0 * math.cos(slope) * ahead)
    assert (one - two) * feet == pytest.approx(turning, rel=1e-2)


def test_a_ball_rolls_down_however_rough_the_slope() -> None:
    data = block(0.2, friction=5.0)
    body = data["segments"][0]
    body["surfaces"] = [{"id": "foot_0", "kind": "ellipsoid", "semi_axes_m": [0.1] * 3}]
    data["contacts"] = data["contacts"][:1]
    with pytest.raises(SettleError, match="Friction does not hold it either"):
        settle(validated(data))


def test_what_friction_holds_hardly_creeps_in_a_run() -> None:
    data = block(0.2)
    data["runs"] = [{"id": "run", "duration_s": 0.5}]
    done = settle(validated(data))
    ramp = done.project.contact_laws[0].friction_ramp_m_per_s
    part = math.tan(0.2) / MU
    run = simulate(done.project)
    places = run.table("segments")["position"]
    moved = np.linalg.norm(places[-1, 0] - places[0, 0])
    speed = ramp * (1.0 - math.sqrt(1.0 - part))
    assert moved == pytest.approx(0.5 * speed, rel=0.1)


def test_the_default_sample_settles_where_it_stands() -> None:
    """Its shoulder belt winds with 5 N and pulls the driver sideways, on a flat seat."""
    project = load_project(samples() / "frontal.json")
    done = settle(project)
    assert done.balanced
    assert done.health.verdict == "balanced"
    assert done.moved_m < 0.01
    assert any(n.startswith("Friction alone holds 'driver_lower_torso.y'") for n in done.notes)
    start, end = start_pose(project), start_pose(done.project)
    side = end["driver_lower_torso"].p_W[1] - start["driver_lower_torso"].p_W[1]
    assert abs(side) < 0.005
