"""Settling: closed forms, the same rest from random starts, and runs that stay where they start."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver import health, settle, simulate
from solver.analysis.equilibrium import Reach, SettleError, fit
from solver.analysis.equilibrium.statics import Statics
from solver.base.places import samples
from solver.bodies import Place, Touch, adult_dimensions, generated, insert_body, pose
from solver.engine.dynamics.tree import Array
from solver.project import Project, load_project, validated
from solver.project.checks import Checked, check
from solver.project.geometry import Orientation, PointRef
from solver.project.pose import start_pose
from solver.project.posing import angles_of, weight_balance, with_joint, with_tree_moved
from tests.models import base, hung, segment

G = 9.81
SAGITTAL = ["lower_torso.y", "lower_torso.roll", "lower_torso.yaw"]


@pytest.fixture(scope="module")
def sled() -> Project:
    return load_project(samples() / "sled.json")


def ball(
    law: dict[str, Any], *, mass: float = 2.0, height: float = 0.3, radius: float = 0.1
) -> Any:
    """Give a ball above a level floor; z points down, the floor is at zero."""
    body = segment("ball", mass, (0.01, 0.01, 0.01))
    body["surfaces"] = [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [radius] * 3}]
    return base(
        segments=[body],
        planes=[{
            "id": "floor",
            "placement": {"kind": "frame", "length_m": 10.0, "width_m": 10.0,
                          "frame": {"orientation": {"angles_rad": [math.pi, 0, 0], "order": "xyz"}}},
        }],
        contact_laws=[{"id": "law", **law}],
        contacts=[{"id": "pair", "kind": "plane", "plane": "floor", "law": "law",
                   "surface": {"segment": "ball", "surface": "skin"}}],
        initial={"roots": [{"segment": "ball", "position_m": [0.2, -0.1, -radius - height]}]},
    )  # fmt: skip


LINEAR = {"kind": "kelvin_voigt", "stiffness_n_per_m": 5000.0, "damping_ns_per_m": 100.0}


@pytest.mark.parametrize("height", [0.3, 0.01, -0.05])
def test_a_ball_sinks_until_the_plane_bears_it(height: float) -> None:
    done = settle(validated(ball(LINEAR, height=height)))
    depth = 2.0 * G / 5000.0
    assert start_pose(done.project)["ball"].p_W == pytest.approx([0.2, -0.1, depth - 0.1], abs=1e-8)
    (contact,) = done.health.contacts
    assert contact.penetration_m == pytest.approx(depth, abs=1e-8)
    assert contact.force_n == pytest.approx(2.0 * G, abs=1e-4)
    assert done.health.worst_g < 1e-5
    assert done.health.verdict == "balanced"
    assert done.stable
    assert done.moved_m == pytest.approx(abs(height + depth), abs=1e-8)


@pytest.mark.parametrize(("stiffness", "power"), [(1e5, 1.5), (1e6, 2.0), (4e7, 3.0)])
def test_a_power_law_is_met(stiffness: float, power: float) -> None:
    law = {"kind": "hunt_crossley", "stiffness_n_per_mn": stiffness, "exponent": power,
           "damping_s_per_m": 0.1}  # fmt: skip
    done = settle(validated(ball(law)))
    depth = (2.0 * G / stiffness) ** (1.0 / power)
    assert done.health.contacts[0].penetration_m == pytest.approx(depth, rel=1e-6)


def test_a_polynomial_law_with_memory_is_on_its_loading_curve() -> None:
    law = {"kind": "hysteretic", "base": "force", "energy_ratio": 0.5, "friction": 0.4}
    data = ball(law, mass=5.0)
    form = {"kind": "polynomial", "coefficients": [0.0, 1000.0, 0.0, 5e6], "x_max": 0.2}
    data["functions"] = [{"id": "force", "x_unit": "m", "y_unit": "N", "form": form}]
    depth = settle(validated(data)).health.contacts[0].penetration_m
    assert 1000.0 * depth + 5e6 * depth**3 == pytest.approx(5.0 * G, rel=1e-6)


def test_an_ellipsoid_comes_to_rest_on_its_flat_side() -> None:
    data = ball(LINEAR)
    data["segments"][0]["surfaces"][0]["semi_axes_m"] = [0.2, 0.15, 0.1]
    data["initial"]["attitudes"] = [
        {"segment": "ball", "orientation": {"angles_rad": [0.0, 0.5, 0.3]}}
    ]
    done = settle(validated(data))
    at = start_pose(done.project)["ball"]
    assert abs(at.R_WS[2, 2]) == pytest.approx(1.0, abs=1e-9)
    assert at.p_W[2] == pytest.approx(2.0 * G / 5000.0 - 0.1, abs=1e-7)


@pytest.mark.parametrize("angle", [0.4, 3.0, math.pi])
def test_a_pendulum_hangs(angle: float) -> None:
    """Also from where it stands on its head."""
    data = hung({"kind": "pin"}, [angle])
    done = settle(validated(data), furthest_m=2.0)
    (value,) = angles_of(done.project, "joint")
    assert math.cos(value) == pytest.approx(1.0, abs=1e-10)
    assert done.free == ("joint",)


def test_a_pendulum_with_a_spring_stands_off() -> None:
    spring = {"spring": {"linear_nm_per_rad": 3.0}}
    data = hung({"kind": "pin", **spring}, [0.3])
    data["joints"][0]["parent_frame"] = {"orientation": {"angles_rad": [0.0, 1.0, 0.0]}}
    done = settle(validated(data))
    (value,) = angles_of(done.project, "joint")
    assert 3.0 * value == pytest.approx(-1.0 * G * 0.5 * math.sin(value + 1.0), abs=1e-6)


def test_a_ball_on_a_slope_is_lost_and_the_sentence_says_which_way() -> None:
    data = ball(LINEAR)
    data["planes"][0]["placement"]["frame"]["orientation"]["angles_rad"] = [math.pi, 0.2, 0]
    with pytest.raises(SettleError, match=r"'ball' .* 'pair' touches it, but not .*hold ball\."):
        settle(validated(data))
    held = settle(validated(data), hold=["ball.x", "ball.roll", "ball.pitch", "ball.yaw"])
    depth = held.health.contacts[0].penetration_m
    assert 5000.0 * depth * math.cos(0.2) == pytest.approx(2.0 * G, rel=1e-6)


def test_what_meets_nothing_falls_and_the_sentence_names_what_was_near() -> None:
    data = ball(LINEAR)
    data["initial"]["roots"][0]["position_m"][2] = 1.0
    with pytest.raises(SettleError, match=r"'ball' moves away along z and meets nothing.*'pair'"):
        settle(validated(data))
    done = settle(validated(data), nearest=True)
    assert not done.balanced
    assert "meets nothing" in done.reason


def test_nothing_to_move_and_unknown_names_are_refused(sled: Project) -> None:
    with pytest.raises(SettleError, match="Nothing is free"):
        settle(sled, hold=["all"])
    with pytest.raises(SettleError, match="Did you mean 'lower_torso'"):
        settle(sled, ["lower_torsos"])
    with pytest.raises(SettleError, match="is moved by a motion"):
        settle(sled, ["vehicle"])
    with pytest.raises(SettleError, match="no freedom"):
        settle(sled, ["lower_torso.up"])


def test_the_sled_occupant_comes_to_rest(sled: Project) -> None:
    done = settle(sled, hold=SAGITTAL, lock=["all"])
    assert done.health.worst_g < 1e-4
    assert done.moved_m < 0.02
    weight = sum(s.mass_kg for s in sled.segments if s.id != "vehicle") * 9.80665
    statics = Statics(done.project)
    statics.evaluate(statics.q)
    rows = {
        c.id: row
        for c, row in zip(sled.contacts, statics.system.contacts.workspace.seen, strict=True)
    }
    up = sum(-row[2] for row in rows.values())
    along = sum(row[0] for row in rows.values())
    assert up == pytest.approx(weight, rel=1e-3), "the seat, the back and the floor bear it"
    assert along == pytest.approx(0.0, abs=0.05)
    assert [str(p) for p in check(done.project) if p.severity == "error"] == []


@pytest.mark.parametrize("seed", range(4))
def test_starts_ten_centimetres_off_come_to_the_same_rest(sled: Project, seed: int) -> None:
    rng = np.random.default_rng(seed)
    x, z = rng.uniform(-0.1, 0.1, 2)
    turned = Orientation(angles_rad=(0.0, float(rng.uniform(-0.1, 0.1)), 0.0))
    wanted = start_pose(settle(sled, hold=SAGITTAL).project)
    done = settle(with_tree_moved(sled, "head", (x, 0.0, z), turned), hold=SAGITTAL)
    found = start_pose(done.project)
    for name in ("lower_torso", "head", "left_foot"):
        assert np.allclose(found[name].p_W, wanted[name].p_W, atol=1e-6)
        assert np.allclose(found[name].R_WS, wanted[name].R_WS, atol=1e-6)


def test_a_run_from_rest_stays_at_rest(sled: Project) -> None:
    done = settle(sled, hold=SAGITTAL, lock=["all"])
    data = done.project.model_dump(mode="json")
    still = {"component": "x", "quantity": "velocity", "pulse": {"kind": "constant", "value": 0.0}}
    data["motions"][0]["components"] = [still]
    data["runs"] = data["runs"][:1]
    data["runs"][0]["duration_s"] = 0.1
    places = simulate(validated(data)).table("segments")["position"]
    assert float(np.abs(places - places[0]).max()) < 1e-5


def seated(by: Array, pitch: float) -> Project:
    """Give a generated man before a seat with back and floor, somewhere near it."""

    def plane(name: str, x: float, z: float, angle: float, length: float) -> Any:
        turned = {"angles_rad": [math.pi, angle, 0.0], "order": "xyz"}
        frame = {"position_m": [x, 0.0, z], "orientation": turned}
        return {
            "id": name,
            "placement": {"kind": "frame", "length_m": length, "width_m": 1.0, "frame": frame},
        }

    planes = [
        plane("seat", 0.15, 0.0, -0.2, 0.5),
        plane("back", -0.2, -0.3, math.pi / 2 - 0.35, 0.9),
        plane("floor", 0.6, 0.3, 0.0, 0.8),
    ]
    room = base(planes=planes, contact_laws=[{"id": "foam", **LINEAR, "stiffness_n_per_m": 3e4}])
    on = {
        "seat": ("lower_torso", "right_upper_leg", "left_upper_leg"),
        "back": ("lower_torso", "centre_torso", "upper_torso"),
        "floor": ("right_foot", "left_foot"),
    }
    body = pose(generated(adult_dimensions("male", percentile=50.0), method="measured"), "seated")
    touches = [Touch(name, where, "foam") for where, names in on.items() for name in names]
    placed = insert_body(
        validated(room), body, "man", Place((0.0, 0.0, -0.1), anchor="hips"), touches=touches
    )
    return with_tree_moved(placed, "man_head", by, Orientation(angles_rad=(0.0, pitch, 0.0)))


def test_a_generated_man_sits_down_from_anywhere_near() -> None:
    rng = np.random.default_rng(5)
    hold = ["man_lower_torso.y", "man_lower_torso.roll", "man_lower_torso.yaw"]
    found = []
    for _ in range(5):
        x, z = rng.uniform(-0.1, 0.1, 2)
        start = seated(np.array([x, 0.0, z]), float(rng.uniform(-0.1, 0.1)))
        done = settle(start, hold=hold, lock=["all"])
        assert done.health.worst_g < 1e-4
        assert {"man_lower_torso_seat", "man_upper_torso_back"} <= {
            c.contact for c in done.health.contacts
        }
        found.append(start_pose(done.project)["man_head"].p_W)
    assert np.ptp(np.array(found), axis=0).max() < 1e-6


def test_what_nothing_holds_stays_where_it_was() -> None:
    start = seated(np.array([0.06, 0.03, -0.04]), 0.08)
    done = settle(start, lock=["all"])
    before, after = (weight_balance(p, "man_head").centre_m for p in (start, done.project))
    assert after[1] == pytest.approx(before[1], abs=1e-9)
    assert "man_lower_torso.y" in done.notes[0]


def test_locks_open_at_a_multiple_of_what_they_hold(sled: Project) -> None:
    done = settle(sled, hold=SAGITTAL, lock=["waist"], opens_at=3.0)
    by_id = {j.id: j for j in done.project.joints}
    lock = by_id["waist"].lock
    assert lock.locked
    assert not by_id["right_elbow"].lock.locked
    assert lock.unlock_torque_nm is not None
    assert lock.unlock_torque_nm > 3.0
    once = settle(sled, hold=SAGITTAL, lock=["waist"], opens_at=1.0)
    held = {j.id: j for j in once.project.joints}["waist"].lock.unlock_torque_nm
    assert lock.unlock_torque_nm == pytest.approx(3.0 * held, rel=1e-6)
    forever = settle(sled, hold=SAGITTAL, lock=["waist"], opens_at=None)
    assert {j.id: j for j in forever.project.joints}["waist"].lock.unlock_torque_nm is None


def test_feet_stay_on_their_places_while_the_body_settles(sled: Project) -> None:
    before = start_pose(sled)
    targets = []
    for side in ("left", "right"):
        at = before[f"{side}_foot"]
        vehicle = before["vehicle"]
        place = vehicle.R_WS.T @ (at.p_W - vehicle.p_W)
        targets.append(
            Reach(
                PointRef(segment=f"{side}_foot"),
                PointRef(segment="vehicle", position_m=tuple(float(x) for x in place)),
            )
        )
    lifted = with_tree_moved(sled, "head", (0.02, 0.0, -0.06))
    done = settle(lifted, hold=SAGITTAL, reach=targets)
    for side in ("left", "right"):
        found = start_pose(done.project)[f"{side}_foot"].p_W
        assert np.allclose(found, before[f"{side}_foot"].p_W, atol=1e-7)
    assert done.balanced
    assert angles_of(done.project, "left_knee") != angles_of(sled, "left_knee")


def test_a_hand_reaches_a_wheel_or_the_sentence_says_by_how_much_not(sled: Project) -> None:
    hand = PointRef(segment="right_forearm", position_m=(0.0, 0.0, 0.2))
    shoulder = start_pose(sled)["right_upper_arm"].p_W
    near = PointRef(
        segment="ground", position_m=tuple(float(x) for x in shoulder + np.array([0.25, 0, 0.05]))
    )
    reached = fit(sled, [Reach(hand, near)])
    at = start_pose(reached)["right_forearm"]
    assert np.allclose(at.p_W + at.R_WS @ [0, 0, 0.2], near.position_m, atol=1e-8)
    assert np.allclose(start_pose(reached)["head"].p_W, start_pose(sled)["head"].p_W)
    far = PointRef(segment="ground", position_m=(9.0, 0.0, 0.0))
    with pytest.raises(SettleError, match=r"'right_forearm' does not reach .* mm away"):
        fit(sled, [Reach(hand, far)])


def belted(friction: str = "none", slack: float = 0.0) -> Any:
    """Give a ball on the floor with a belt over it."""
    data = ball(LINEAR, height=0.02)
    form = {"kind": "table", "x": [0.0, 0.5], "y": [0.0, 10000.0]}
    data["functions"] = [{"id": "pull", "x_unit": "1", "y_unit": "N", "form": form}]
    data["contact_laws"].append({"id": "web", "kind": "webbing", "base": "pull"})
    data["belts"] = [{
        "id": "belt", "law": "web", "friction": friction, "slack_m": slack,
        "surface": {"segment": "ball", "surface": "skin"}, "fixed_point_m": [0.0, 0.0, -0.1],
        "anchor_a": {"segment": "ground", "position_m": [0.0, -0.1, 0.0]},
        "anchor_b": {"segment": "ground", "position_m": [0.4, -0.1, 0.0]},
    }]  # fmt: skip
    return data


def test_a_belt_with_tension_presses_a_body_into_the_floor() -> None:
    data = belted()
    done = settle(validated(data), free=["ball.z"], tension_n=100.0)
    assert done.health.belts[0].tension_n == pytest.approx(100.0, rel=1e-3)
    # both sides pull along the tangents from the anchors, 0.2 m to each side of the centre
    z = -start_pose(done.project)["ball"].p_W[2]
    far = math.hypot(0.2, z)
    slope = math.atan2(z, 0.2) + math.asin(0.1 / far)
    down = 2.0 * G + 2.0 * 100.0 * math.sin(slope)
    assert done.health.contacts[0].force_n == pytest.approx(down, rel=1e-3)
    assert done.health.worst_g < 1e-3


def test_straps_are_laid_with_a_tension_after_they_have_slipped(sled: Project) -> None:
    done = settle(sled, hold=SAGITTAL, lock=["all"], tension_n=500.0)
    assert [b.tension_n for b in done.health.belts] == pytest.approx([500.0, 500.0], rel=2e-3)
    assert done.balanced
    (note,) = (n for n in done.notes if "is held" in n)
    assert "lower_torso.y" in note or "lower_torso.roll" in note or "lower_torso.yaw" in note


def test_webbing_keeps_its_slack_or_its_length() -> None:
    data = validated(belted(slack=0.005))
    slack = settle(data, free=["ball.z"])
    length = settle(data, free=["ball.z"], webbing="length")
    assert slack.project.belts[0].slack_m == 0.005
    assert length.project.belts[0].slack_m > 0.005, "the ball has sunk away from it"
    assert slack.health.belts[0].tension_n == length.health.belts[0].tension_n == 0.0


def test_a_body_hangs_in_its_webbing() -> None:
    data = belted("none")
    data["gravity_m_per_s2"] = [0.0, 0.0, -G]
    data["contacts"] = []
    done = settle(validated(data), free=["ball.z"], webbing="length")
    assert done.health.worst_g < 1e-4
    assert done.health.belts[0].tension_n > 10.0


def test_what_rests_on_a_vehicle_starts_with_its_motion() -> None:
    project = load_project(samples() / "lap_belt.json")
    roots = tuple(
        r.model_copy(update={"moves_with": "ground"}) if r.segment == "pelvis" else r
        for r in project.initial.roots
    )
    stands = project.model_copy(
        update={"initial": project.initial.model_copy(update={"roots": roots})}
    )
    done = settle(stands, with_vehicle=True, nearest=True, hold=["pelvis.x", "pelvis.y"])
    (root,) = (r for r in done.project.initial.roots if r.segment == "pelvis")
    assert root.moves_with == "sled"


def test_a_loop_of_constraints_hangs_straight() -> None:
    """Two rods of a metre, their lower ends tied together, hang as an isosceles triangle."""
    rods = [segment("left"), segment("right")]
    joints = [
        {"id": n, "kind": "pin", "parent": "ground", "child": n,
         "parent_frame": {"position_m": [x, 0, 0]}, "child_frame": {"position_m": [0, 0, -0.5]}}
        for n, x in (("left", -0.3), ("right", 0.3))
    ]  # fmt: skip
    data = base(
        segments=rods, joints=joints,
        initial={"joints": [{"joint": "left", "values": [0.6]}, {"joint": "right", "values": [-0.1]}]},
    )  # fmt: skip
    data["constraints"] = [{
        "id": "tie", "kind": "zero_distance",
        "a": {"segment": "left", "position_m": [0, 0, 0.5]},
        "b": {"segment": "right", "position_m": [0, 0, 0.5]},
    }]  # fmt: skip
    done = settle(Checked(validated(data)), free=["joints"], furthest_m=2.0)
    (left,), (right,) = (angles_of(done.project, n) for n in ("left", "right"))
    assert left == pytest.approx(math.asin(0.3), abs=1e-7)
    assert right == pytest.approx(-math.asin(0.3), abs=1e-7)


def test_stops_and_loads_stand_in_the_health(sled: Project) -> None:
    bent = with_joint(sled, "right_elbow", (1.4,))
    found = health(bent)
    (stop,) = (s for s in found.stops if s.joint == "right_elbow")
    assert stop.beyond_rad == pytest.approx(1.4 - 1.22173048, abs=1e-8)
    assert {s.segment for s in found.segments} == {s.id for s in sled.segments} - {"vehicle"}
    assert {b.belt for b in found.belts} == {"harness.lap", "harness.shoulder"}


def test_what_counts_from_the_start_counts_as_before() -> None:
    """A spring at rest at the start given holds the pose that is found, not a new one; so do laws."""
    stretched = {
        "id": "spring", "kind": "linear", "a": {"segment": "ground", "position_m": [1.0, 0.0, 0.0]},
        "b": {"segment": "rod", "position_m": [0.0, 0.0, 0.5]}, "stiffness_n_per_m": 10.0,
    }  # fmt: skip
    law = {
        "id": "law", "coordinate": {"kind": "joint", "joint": "joint"},
        "laws": [{"kind": "linear", "stiffness": 4.0}, {"kind": "coulomb", "size": 1.0}],
    }  # fmt: skip
    for parts, wanted in (({"springs": [stretched]}, None), ({"coordinate_forces": [law]}, 4.0)):
        done = settle(validated(hung({"kind": "pin"}, [1.0], **parts)), ["joint"])
        assert done.balanced
        assert done.health.worst_g < 1e-6
        assert any("as it was before" in note for note in done.notes)
        if wanted is not None:
            angle = done.project.initial.joints[0].values[0]
            assert wanted * (angle - 1.0) == pytest.approx(-0.5 * G * math.sin(angle))
            assert done.project.coordinate_forces[0].zero == pytest.approx(1.0)


def test_what_stays_at_rest_still_counts_from_the_start() -> None:
    spring = {
        "id": "spring", "kind": "linear", "a": {"segment": "ground", "position_m": [0.0, 0.0, 2.0]},
        "b": {"segment": "rod", "position_m": [0.0, 0.0, 0.5]}, "stiffness_n_per_m": 10.0,
    }  # fmt: skip
    done = settle(validated(hung({"kind": "pin"}, [0.0], springs=[spring])), ["joint"])
    assert done.project.springs[0].rest_length_m is None
