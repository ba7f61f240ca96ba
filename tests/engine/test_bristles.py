"""Friction by bristles: what rests rests, what slides slides as Coulomb says, stick and slip, and the account of it."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Array
from solver.results.trajectory import Trajectory
from tests.balls_and_floors import FREE, balanced, ball, run
from tests.models import base

MU, MASS, STIFF, G = 0.5, 8.0, 20000.0, 9.81
BRISTLE = {"friction": MU, "friction_law": "bristle"}
EXACT = {"kind": "dopri", "relative_tolerance": 1e-8, "absolute_tolerance": 1e-10}


def block(slope: float, **law: Any) -> Any:
    """Give a block on four feet that stands on a slope, pressed in as its weight does; z points down."""
    pressed = MASS * G * math.cos(slope) / (4.0 * STIFF)
    feet = [(x, y, 0.0) for x in (-0.3, 0.3) for y in (-0.2, 0.2)]
    high = 0.02 - pressed
    return base(
        segments=[{
            "id": "block", "mass_kg": MASS, "inertia_kgm2": [0.1] * 3,
            "surfaces": [{"id": f"foot{n}", "kind": "ellipsoid", "semi_axes_m": [0.02] * 3, "centre_m": list(at)}
                         for n, at in enumerate(feet)],
        }],
        planes=[{"id": "floor", "placement": {
            "kind": "frame", "length_m": 20.0, "width_m": 20.0,
            "frame": {"orientation": {"angles_rad": [math.pi, slope, 0], "order": "xyz"}}}}],
        contact_laws=[{"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": STIFF, "damping_ns_per_m": 300.0,
                       **BRISTLE, **law}],
        contacts=[{"id": f"pair{n}", "kind": "plane", "plane": "floor", "law": "law",
                   "surface": {"segment": "block", "surface": f"foot{n}"}} for n in range(4)],
        initial={"roots": [{"segment": "block", "position_m": [high * math.sin(slope), 0.0, -high * math.cos(slope)]}],
                 "attitudes": [{"segment": "block",
                                "orientation": {"angles_rad": [0.0, -slope, 0.0], "order": "xyz"}}]},
    )  # fmt: skip


def down(out: Trajectory, slope: float) -> Array:
    """The way down the slope."""
    way: Array = out.table("segments")["position"][:, 0] @ [math.cos(slope), 0.0, math.sin(slope)]
    return way - way[0]


@pytest.mark.parametrize("slope", [0.1, 0.4])
def test_what_leans_on_friction_alone_rests_for_ever(slope: float) -> None:
    out = run(block(slope), 10.0, 20.0)
    way, speed = down(out, slope), out.table("segments")["velocity"][:, 0]
    # the bristles bend as springs do: a part of the stiffness of what presses
    bent = MASS * G * math.sin(slope) / (4.0 * 0.67 * STIFF)
    assert way[-1] == pytest.approx(bent, rel=0.01 if slope < 0.2 else 0.05)
    rested = out.time > 4.0
    assert np.ptp(way[rested]) < 1e-10
    assert np.max(np.abs(speed[rested])) < 1e-9
    assert np.all(out.table("contacts")["state"][rested] == 2)
    assert np.max(np.abs(out.table("energy")["balance"])) < 1e-8
    creeping = run(block(slope, friction_law="printed"), 2.0, 20.0)
    assert down(creeping, slope)[-1] > 20.0 * bent


def test_it_slides_as_coulomb_says_beyond_the_angle_of_friction() -> None:
    slope = math.atan(MU) + 0.05
    out = run(block(slope), 1.0, 100.0)
    speed = np.linalg.norm(out.table("segments")["velocity"][:, 0], axis=1)
    gains = G * (math.sin(slope) - MU * math.cos(slope))
    # it has been pressed evenly from the start, and holds a little until the bristles are bent
    assert np.diff(speed)[50:] == pytest.approx(0.01 * gains, rel=1e-3)
    assert np.all(out.table("contacts")["state"][50:] == 1)
    balanced(out)


def test_stick_and_slip_of_a_block_on_a_spring_have_the_periods_of_the_closed_form() -> None:
    """Rabinowicz's: held until the spring bears static friction, then half a swing and more against the sliding one."""
    spring, speed, more = 400.0, 0.05, 1.4
    data = block(0.0, static_friction_ratio=more, static_friction_speed_m_per_s=5e-4,
                 friction_stiffness_ratio=10.0)  # fmt: skip
    # its mass is as high as the floor: so nothing tilts it, and its feet are pressed alike
    for foot in data["segments"][0]["surfaces"]:
        foot["centre_m"][2] = data["initial"]["roots"][0]["position_m"][2]
    data["initial"]["roots"][0]["position_m"] = [0.0, 0.0, 0.0]
    data["segments"].append({"id": "hand", "mass_kg": 1.0, "inertia_kgm2": [1.0] * 3})
    data["initial"]["roots"].append({"segment": "hand", "position_m": [3.0, 0.0, 0.0]})
    still = {"component": "x", "quantity": "acceleration", "start_rate": speed, "pulse": {"kind": "constant", "value": 0.0}}  # fmt: skip
    data["motions"] = [{"id": "pull", "segment": "hand", "components": [still]}]
    data["springs"] = [{"id": "spring", "kind": "linear", "stiffness_n_per_m": spring, "rest_length_m": 3.0,
                        "a": {"segment": "block"}, "b": {"segment": "hand"}}]  # fmt: skip
    out = run(data, 9.0, 500.0, **EXACT)
    pulls = np.abs(out.table("springs")["force"][:, 0, 0])
    swing, normal = math.sqrt(spring / MASS), MASS * G
    excess = (more - 1.0) * MU * normal
    sticks = 2.0 * excess / (spring * speed)
    slips = 2.0 / swing * (math.pi - math.atan(excess * swing / (spring * speed)))
    tops = [
        n
        for n in range(1, len(pulls) - 1)
        if pulls[n] >= np.max(pulls[max(n - 400, 0) : n + 400]) and pulls[n] > MU * normal
    ]
    assert len(tops) >= 3
    periods = np.diff(out.time[tops])
    assert periods[-1] == pytest.approx(sticks + slips, rel=0.005)
    assert pulls[tops[-1]] == pytest.approx(more * MU * normal, rel=0.01)
    later = pulls[tops[-2] : tops[-1]]
    # the spring goes on to be let loose until the block is as slow as the hand
    least = MU * normal - math.hypot(excess, spring * speed / swing)
    assert np.min(later) == pytest.approx(least, rel=0.005)
    balanced(out)


def glancing(turn: Rotation) -> Any:
    """Give two spheres that strike and rub each other askew, far from anything else, as seen from a turned ground."""
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 5e4, "damping_ns_per_m": 20.0, **BRISTLE}
    data = ball(law, 0.0)
    first = data["segments"][0]
    data["segments"] = [first, first | {"id": "other", "mass_kg": 1.0}]
    data["planes"] = []
    data["contacts"] = [{"id": "pair", "kind": "surfaces", "law": "law",
                         "first": {"segment": "ball", "surface": "skin"},
                         "second": {"segment": "other", "surface": "skin"}}]  # fmt: skip
    angles = turn.as_euler("XYZ")
    data["initial"] = {
        "roots": [
            {"segment": name, "position_m": list(turn.apply(at)), "velocity_m_per_s": list(turn.apply(v))}
            for name, at, v in (("ball", [0.0, 0.0, 0.0], [0.8, 0.3, 0.0]), ("other", [0.2, 0.02, 0.01], [-0.5, 0.0, 0.2]))
        ],
        "attitudes": [
            {"segment": name, "orientation": {"angles_rad": list(angles), "order": "xyz"}, "angular_velocity_rad_per_s": w}
            for name, w in (("ball", [3.0, 20.0, -9.0]), ("other", [5.0, 0.0, 8.0]))
        ],
    }  # fmt: skip
    return data | FREE


def test_momentum_is_kept() -> None:
    out = run(glancing(Rotation.identity()), 0.04, 500.0, **EXACT)
    table = out.table("segments")
    assert out.table("contacts")["state"].max() >= 1
    p, v, w = (table[name][:, :, :] for name in ("position", "velocity", "angular_velocity"))
    mass = np.array([2.0, 1.0])
    turns = Rotation.from_quat(np.roll(table["quaternion_wxyz"], -1, axis=2).reshape(-1, 4))
    spin = turns.apply(w.reshape(-1, 3).copy()).reshape(w.shape)
    linear = np.einsum("k,fkc->fc", mass, v)
    angular = np.einsum("k,fkc->fc", mass, np.cross(p, v)) + 0.008 * np.sum(spin, axis=1)
    assert np.ptp(linear, axis=0) == pytest.approx(np.zeros(3), abs=1e-10)
    assert np.ptp(angular, axis=0) == pytest.approx(np.zeros(3), abs=1e-7)
    assert out.table("energy")["lost_in_contact_friction"][-1] > 0.01
    balanced(out)


def parting(turn: Rotation, step: float) -> Array:
    """Give the speeds and spins with which two spheres part that have struck each other, in steps of a fixed length."""
    table = run(glancing(turn), 0.04, 500.0, kind="rk4", step_s=step).table("segments")
    speeds = turn.inv().apply(table["velocity"][-1].copy())
    return np.concatenate([speeds, table["angular_velocity"][-1]])


def test_a_turned_scene_goes_the_same_way_in_equal_steps_and_short_ones_agree() -> None:
    coarse, middle, fine = (parting(Rotation.identity(), step) for step in (4e-4, 2e-4, 1e-4))
    turned = parting(Rotation.from_rotvec([0.4, -1.1, 0.7]), 2e-4)
    assert turned == pytest.approx(middle, rel=0.0, abs=1e-11)
    # what a step is off by its path falls with its length
    assert np.abs(fine - middle).max() < 0.7 * np.abs(middle - coarse).max()
    assert np.abs(fine[:2] - middle[:2]).max() < 2e-3


def test_a_ball_that_lands_spinning_rolls_on_with_the_speed_of_its_momentum() -> None:
    """While it slides its spin about the point of touch stays: 5/7 of its speed is left, less two sevenths of its rim's."""
    radius, speed, spin = 0.1, 2.0, 12.0
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "damping_ns_per_m": 400.0,
           "friction": 0.4, "friction_law": "bristle"}  # fmt: skip
    pressed = 2.0 * G / 1e5
    data = ball(law, 0.0, height=radius - pressed, velocity=[speed, 0.0, 0.0])
    data["gravity_m_per_s2"] = [0.0, 0.0, -G]
    data["initial"]["attitudes"] = [{"segment": "ball", "angular_velocity_rad_per_s": [0.0, -spin, 0.0]}]  # fmt: skip
    out = run(data, 1.5, 200.0)
    table = out.table("segments")
    rolls = 5.0 / 7.0 * speed - 2.0 / 7.0 * radius * spin
    assert table["velocity"][-1, 0, 0] == pytest.approx(rolls, rel=2e-3)
    assert table["angular_velocity"][-1, 0, 1] * (radius - pressed) == pytest.approx(rolls, rel=2e-3)  # fmt: skip
    # rolling it goes on without loss
    lost = out.table("energy")["lost_in_contact_friction"]
    assert np.ptp(lost[-50:]) < 1e-4 * lost[-1]


def test_tolerances_agree_where_sliding_turns_round() -> None:
    """The way within a step is followed where it turns back: long steps and short ones end alike."""
    found = []
    for tolerance in (1e-4, 1e-6, 1e-9):
        data = block(0.0)
        data["springs"] = [{"id": "spring", "kind": "linear", "stiffness_n_per_m": 900.0, "rest_length_m": 3.0,
                            "a": {"segment": "ground", "position_m": [-3.4, 0.3, -0.02]},
                            "b": {"segment": "block"}}]  # fmt: skip
        out = run(data, 2.0, 50.0, kind="dopri", relative_tolerance=tolerance, absolute_tolerance=0.01 * tolerance)  # fmt: skip
        found.append(out.table("segments")["position"][-1, 0, :2])
        assert np.max(np.abs(out.table("energy")["balance"])) < 1e-3
    moved = np.linalg.norm(found[2])
    assert moved > 0.05
    assert np.linalg.norm(found[0] - found[2]) < 1e-3 * moved
    assert np.linalg.norm(found[1] - found[2]) < 2e-4 * moved
