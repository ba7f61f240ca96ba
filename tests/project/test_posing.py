"""Posing tools: identities on random models, and every form of the start."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from solver.base.places import samples
from solver.engine.maths.rotation import Array, from_angles
from solver.project import Project, load_project, validated
from solver.project.angles import angles_from, bend_and_twist
from solver.project.checks import check
from solver.project.geometry import Orientation, PointRef
from solver.project.pose import across, start_pose, turn
from solver.project.posing import (
    PoseError,
    angles_of,
    members,
    weight_balance,
    with_attitude,
    with_balance,
    with_joint,
    with_tree_moved,
    with_two_points,
    within_stops,
)
from tests.rows import rows

ORDERS = ["zyx", "zxy", "yxz", "yzx", "xyz", "xzy", "zxz", "zyz", "xyx", "xzx", "yxy", "yzy"]
angle = st.floats(-math.pi, math.pi)
angles = st.tuples(angle, angle, angle)
place = st.tuples(*[st.floats(-1.0, 1.0)] * 3)
HEAD = {"format": "manikin-project", "schema_version": 4}


@pytest.fixture(scope="module")
def sled() -> Project:
    return load_project(samples() / "sled.json")


@given(angles, st.sampled_from(ORDERS), angles)
def test_angles_lead_back_to_the_turn(three, order: str, like) -> None:  # type: ignore[no-untyped-def]
    R = from_angles(three, order)
    assert np.allclose(from_angles(angles_from(R, order, like), order), R, atol=1e-8)


@given(angles, st.sampled_from(ORDERS))
def test_angles_are_those_that_were_given(three, order: str) -> None:  # type: ignore[no-untyped-def]
    middle = abs(math.sin(three[1])) if order[0] == order[2] else abs(math.cos(three[1]))
    if middle > 1e-3:
        assert np.allclose(angles_from(from_angles(three, order), order, three), three, atol=1e-9)


@rows("order", ORDERS)
@rows("steps", [-1, 0, 1, 2])
def test_singular_turns_are_read_back(order: str, steps: int) -> None:
    middle = steps * math.pi if order[0] == order[2] else (steps + 0.5) * math.pi
    R = from_angles((0.4, middle, -0.7), order)
    found = angles_from(R, order, (0.0, 0.0, -0.7))
    assert np.allclose(from_angles(found, order), R, atol=1e-12)
    assert found[2] == -0.7


KINDS = {
    "pin": ({}, 1), "universal": ({}, 2), "ball": ({}, 3), "euler": ({}, 3), "free": ({}, 6),
    "slip": ({"rotation": "ball"}, 4), "locked": ({}, 0), "six": ({}, 6),
}  # fmt: skip


def chain(kind: str, frames, *, turned: str = "", **more: object) -> Project:  # type: ignore[no-untyped-def]
    """Give four segments in a row, joined by a joint of some kind and balls."""
    segments = [{"id": n, "mass_kg": 1.0, "inertia_kgm2": [1, 1, 1]} for n in "abcd"]

    def frame(n: int) -> dict[str, object]:
        return {"position_m": list(frames[n]), "orientation": {"angles_rad": list(frames[n])}}

    joints = [
        {"id": "ab", "kind": "ball", "parent": "a", "child": "b", "parent_frame": frame(0)},
        {"id": "bc", "kind": kind, "parent": "b", "child": "c", "parent_frame": frame(1),
         "child_frame": frame(2), **more},
        {"id": "cd", "kind": "ball", "parent": "c", "child": "d", "child_frame": frame(1)},
    ]  # fmt: skip
    attitudes = [{"segment": n, "relative_to": "a"} for n in turned if n != "a"]
    attitudes += [{"segment": "a"}] if "a" in turned else []
    return validated(
        {**HEAD, "segments": segments, "joints": joints, "initial": {"attitudes": attitudes}}
    )


def relative(project: Project, one: str, two: str) -> tuple[Array, Array]:
    pose = start_pose(project)
    R = pose[one].R_WS
    return R.T @ pose[two].R_WS, R.T @ (pose[two].p_W - pose[one].p_W)


@pytest.mark.parametrize("kind", KINDS)
@settings(max_examples=20)
@given(
    frames=st.tuples(place, place, place),
    values=st.lists(st.floats(-1.4, 1.4), min_size=6, max_size=6),
)
def test_a_joint_is_set_and_read_back(kind: str, frames, values) -> None:  # type: ignore[no-untyped-def]
    more, count = KINDS[kind]
    before = chain(kind, frames, turned="abd" if kind != "free" else "ab", **more)
    after = with_joint(before, "bc", values[:count])
    assert np.allclose(angles_of(after, "bc"), values[:count], atol=1e-7)
    for pair in (("a", "b"), ("c", "d")):
        for was, now in zip(relative(before, *pair), relative(after, *pair), strict=True):
            assert np.allclose(was, now, atol=1e-7), "what it carries goes along, the rest stays"
    joint = after.joints[1]
    pose = start_pose(after)
    R_WP = pose["b"].R_WS @ turn(joint.parent_frame.orientation)
    R_WC = pose["c"].R_WS @ turn(joint.child_frame.orientation)
    assert np.allclose(R_WP.T @ R_WC, across(joint, tuple(values[:count]))[0], atol=1e-8)


def test_a_segment_with_an_attitude_keeps_one_and_the_other_a_setting() -> None:
    project = chain("ball", ((0, 0, 1),) * 3, turned="c")
    after = with_joint(with_joint(project, "bc", (0.3, 0, 0)), "cd", (0, 0.4, 0))
    assert [a.segment for a in after.initial.attitudes] == ["c"]
    assert [(s.joint, s.values) for s in after.initial.joints] == [("cd", (0.0, 0.4, 0.0))]
    assert not [p for p in check(after) if p.severity == "error"]


def test_whole_turns_that_were_given_stay() -> None:
    project = with_joint(chain("pin", ((0, 0, 1),) * 3), "bc", (7.0,))
    assert angles_of(project, "bc") == pytest.approx((7.0,), abs=1e-12)
    moved = with_tree_moved(project, "a", (1, 0, 0), Orientation(angles_rad=(0.2, 0.1, 0.3)))
    assert moved.initial.joints == project.initial.joints, "what has not changed is not written"


@given(angles)
def test_an_attitude_is_taken(three) -> None:  # type: ignore[no-untyped-def]
    project = chain("ball", ((0.1, 0.2, 0.3),) * 3, turned="d")
    after = with_attitude(project, "c", Orientation(angles_rad=three), "a")
    assert np.allclose(relative(after, "a", "c")[0], from_angles(three, "zyx"), atol=1e-8)
    for was, now in zip(relative(project, "c", "d"), relative(after, "c", "d"), strict=True):
        assert np.allclose(was, now, atol=1e-8)


def test_an_attitude_that_a_joint_does_not_allow_is_refused() -> None:
    project = chain("pin", ((0, 0, 0),) * 3)
    with pytest.raises(PoseError, match="'bc' does not allow"):
        with_attitude(project, "c", Orientation(angles_rad=(0.5, 0.0, 0.0)))
    after = with_attitude(project, "c", Orientation(angles_rad=(0.0, 0.5, 0.0)))
    assert angles_of(after, "bc") == pytest.approx((0.5,))


def test_a_root_turns_about_a_point_of_itself() -> None:
    project = chain("ball", ((0, 0, 1),) * 3)
    after = with_attitude(project, "a", Orientation(angles_rad=(0, 1.0, 0)), about=(0.0, 0.0, 2.0))
    at = start_pose(after)["a"]
    assert np.allclose(at.p_W + at.R_WS @ [0, 0, 2], [0, 0, 2], atol=1e-12)


@settings(max_examples=25)
@given(by=place, three=angles)
def test_a_moved_tree_keeps_its_shape(by, three) -> None:  # type: ignore[no-untyped-def]
    project = chain("slip", ((0.1, -0.2, 0.3),) * 3, turned="ac", rotation="ball")
    after = with_tree_moved(project, "d", by, Orientation(angles_rad=three), about=(1, 1, 1))
    old, new, R = start_pose(project), start_pose(after), from_angles(three, "zyx")
    for name in "abcd":
        assert np.allclose(new[name].R_WS, R @ old[name].R_WS, atol=1e-8)
        there = np.ones(3) + R @ (old[name].p_W - 1.0) + by
        assert np.allclose(new[name].p_W, there, atol=1e-8)


def test_trees_that_count_from_a_moved_one_follow(sled: Project) -> None:
    relative_roots = [r.segment for r in sled.initial.roots if r.relative_to == "vehicle"]
    moved = with_tree_moved(sled, "vehicle", (1.0, 0.0, 0.0))
    old, new = start_pose(sled), start_pose(moved)
    for name in (s.id for s in sled.segments):
        root = name if name == "vehicle" else "lower_torso"
        goes = root == "vehicle" or root in relative_roots
        assert np.allclose(new[name].p_W - old[name].p_W, [float(goes), 0, 0])


def test_the_sled_occupant_bends_an_arm_and_stays_in_order(sled: Project) -> None:
    after = with_joint(sled, "right_elbow", (0.2,))
    changed = {
        n for n, at in start_pose(after).items() if not np.allclose(at.p_W, start_pose(sled)[n].p_W)
    }
    assert changed == set(members(sled, "right_forearm"))
    assert not [p for p in check(after) if p.severity == "error"]


def test_two_points_fit_an_h_point(sled: Project) -> None:
    hip = PointRef(segment="lower_torso", position_m=(0.01, 0.0, 0.02))
    head = PointRef(segment="head")
    fit = with_two_points(sled, hip, (1.0, 0.2, -0.4), head, (0.9, 0.2, -2.0))
    pose = start_pose(fit.project)
    at = pose["lower_torso"]
    assert np.allclose(at.p_W + at.R_WS @ hip.position_m, [1.0, 0.2, -0.4], atol=1e-9)
    way = pose["head"].p_W - [1.0, 0.2, -0.4]
    assert np.allclose(np.cross(way, [-0.1, 0.0, -1.6]), 0.0, atol=1e-8), "on the ray"
    assert fit.off_m == pytest.approx(np.linalg.norm(pose["head"].p_W - [0.9, 0.2, -2.0]))
    # about y alone: nothing leaves its plane
    fit = with_two_points(sled, hip, (1.0, 0.2, -0.4), head, (0.9, 0.5, -2.0), (0, 1, 0))
    turned = start_pose(fit.project)["lower_torso"].R_WS @ start_pose(sled)["lower_torso"].R_WS.T
    assert np.allclose(turned @ [0, 1, 0], [0, 1, 0], atol=1e-9)
    with pytest.raises(PoseError, match="different trees"):
        with_two_points(sled, hip, (0, 0, 0), PointRef(segment="vehicle"), (1, 0, 0))


BALL = {
    "flexure": {"stop_rad": 0.5, "quadratic_nm_per_rad2": 1.0},
    "torsion": {"stop_rad": 0.2, "cubic_nm_per_rad3": 1.0},
}


@given(angles)
def test_stops_of_a_ball_bound_bend_and_twist(three) -> None:  # type: ignore[no-untyped-def]
    project = chain("ball", ((0, 0, 0),) * 3, **BALL)
    kept = within_stops(project, "bc", three)
    was, now = from_angles(three, "zyx"), from_angles(kept, "zyx")
    bend, twist, axis = bend_and_twist(was)
    bend2, twist2, axis2 = bend_and_twist(now)
    assert bend2 <= 0.5
    assert abs(twist2) <= 0.2
    if bend < 0.5 and abs(twist) < 0.2:
        assert kept == three, "inside nothing changes"
    elif bend < math.pi - 1e-3:
        assert bend2 == pytest.approx(min(bend, 0.5), abs=1e-7)
        assert twist2 == pytest.approx(min(max(twist, -0.2), 0.2), abs=1e-7)
        if bend > 1e-3:
            assert np.allclose(axis, axis2, atol=1e-6), "the bend keeps its direction"
    swing = Rotation.from_rotvec(bend * axis).as_matrix()
    assert np.allclose(swing @ Rotation.from_rotvec([0, 0, twist]).as_matrix(), was, atol=1e-6)


@rows("short", [0.0, 1e-12, 1e-10, 1e-7, 1e-3])
@rows("azimuth", [0.0, 0.7, math.pi / 2, 2.4])
def test_a_bend_of_half_a_turn_keeps_its_axis(azimuth: float, short: float) -> None:
    """Whatever the axis, bend and twist make the turn again, up to 180° and at it."""
    swing = Rotation.from_rotvec(
        (math.pi - short) * np.array([math.cos(azimuth), math.sin(azimuth), 0])
    )
    for twist in (0.0, 0.3):
        R = (swing * Rotation.from_rotvec([0, 0, twist])).as_matrix()
        bend, found, axis = bend_and_twist(R)
        again = Rotation.from_rotvec(bend * axis) * Rotation.from_rotvec([0, 0, found])
        assert np.allclose(again.as_matrix(), R, atol=2e-9)
        assert bend == pytest.approx(math.pi - short, abs=1e-12)
        if short >= 1e-7:
            assert found == pytest.approx(twist, abs=1e-6)
    values = angles_from(swing.as_matrix(), "zyx")
    kept = within_stops(chain("ball", ((0, 0, 0),) * 3, **BALL), "bc", values)
    bend, twist, axis = bend_and_twist(from_angles(kept, "zyx"))
    assert (bend, twist) == pytest.approx((0.5, 0.0), abs=1e-6)
    assert abs(axis @ [math.cos(azimuth), math.sin(azimuth), 0.0]) == pytest.approx(1.0, abs=1e-6)


def test_stops_of_axes_count_from_their_centre() -> None:
    axis = {"centre_rad": 0.3, "spring": {"stop_rad": 0.1, "quadratic_nm_per_rad2": 1.0}}
    project = chain("universal", ((0, 0, 0),) * 3, first=axis)
    assert within_stops(project, "bc", (1.0, 2.0)) == pytest.approx((0.4, 2.0), abs=1e-8)
    project = chain("euler", ((0, 0, 0),) * 3, nutation=axis)
    assert within_stops(project, "bc", (3.0, -1.0, 2.0)) == pytest.approx((3, 0.2, 2), abs=1e-8)
    project = chain("pin", ((0, 0, 0),) * 3, spring=axis["spring"])
    assert within_stops(project, "bc", (-1.0,)) == pytest.approx((-0.1,), abs=1e-8)
    assert within_stops(chain("pin", ((0, 0, 0),) * 3), "bc", (-9.0,)) == (-9.0,)


@pytest.mark.parametrize("contour", ["library", "polynomial", "function"])
def test_a_contour_bounds_the_bend(contour: str) -> None:
    shapes = {
        "library": {"kind": "library", "name": "elbow"},
        "polynomial": {"kind": "polynomial", "coefficients": [0.4, 0.1]},
        "function": {"kind": "function", "angle": "limit"},
    }
    project = chain("ball", ((0, 0, 0),) * 3)
    data = project.model_dump(mode="json")
    data["functions"] = [
        {"id": "limit", "x_unit": "rad", "y_unit": "rad", "form": {"kind": "constant", "value": 0.3}}
    ]  # fmt: skip
    data["joints"][1]["globographic"] = {"contour": shapes[contour], "torque": "limit"}
    project = validated(data)
    kept = within_stops(project, "bc", (0.3, 3.0, 0.1))
    bend, _, axis = bend_and_twist(from_angles(kept, "zyx"))
    if contour == "function":
        assert bend == pytest.approx(0.3, abs=1e-8)
    if contour == "polynomial":
        azimuth = math.atan2(-axis[0], axis[1])
        assert bend == pytest.approx(0.4 + 0.1 * math.sin(azimuth), abs=1e-8)
    assert bend < bend_and_twist(from_angles((0.3, 3.0, 0.1), "zyx"))[0]


def test_weight_is_shared_by_the_lever(sled: Project) -> None:
    whole = weight_balance(sled, "head")
    assert whole.mass_kg == pytest.approx(
        sum(s.mass_kg for s in sled.segments if s.id != "vehicle")
    )
    x, y, z = whole.centre_m
    shared = weight_balance(sled, "head", [(x - 0.3, y, z), (x + 0.1, y, z + 1.0)])
    g = np.linalg.norm(sled.gravity_m_per_s2)
    assert shared.forces_n == pytest.approx((whole.mass_kg * g / 4, whole.mass_kg * g * 3 / 4))
    assert shared.tipping_nm == pytest.approx(0.0, abs=1e-6)
    alone = weight_balance(sled, "head", [(x - 0.3, y, z)])
    assert alone.forces_n == pytest.approx((whole.mass_kg * g,))
    assert alone.tipping_nm == pytest.approx(0.3 * whole.mass_kg * g)


def test_a_body_is_turned_until_it_stands_over_a_point(sled: Project) -> None:
    over = PointRef(segment="right_foot")
    turned = with_balance(sled, "head", over)
    point = start_pose(turned)["right_foot"].p_W
    centre = weight_balance(turned, "head").centre_m
    assert centre[0] == pytest.approx(point[0], abs=1e-9)
    assert centre[2] < point[2], "above: z points down"


def test_what_cannot_be_posed_says_so(sled: Project) -> None:
    with pytest.raises(PoseError, match="takes 1 values, not 2"):
        with_joint(sled, "right_elbow", (0.1, 0.2))
    with pytest.raises(PoseError, match="no joint 'tail'"):
        with_joint(sled, "tail", ())
    with pytest.raises(PoseError, match="no segment 'tail'"):
        with_attitude(sled, "tail", Orientation())
