"""Rotations against scipy, and start poses against closed forms and identities."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.spatial.transform import Rotation

from solver.engine.maths.rotation import about_axis, angle_between, from_angles, matrix, quaternion
from solver.project import Project, validated
from solver.project.pose import start_pose, turn

ORDERS = ["zyx", "zxy", "yxz", "yzx", "xyz", "xzy", "zxz", "zyz", "xyx", "xzx", "yxy", "yzy"]
HEAD = {"format": "manikin-project", "schema_version": 4}

angle = st.floats(-2 * math.pi, 2 * math.pi)
angles = st.tuples(angle, angle, angle)
vector = st.tuples(*[st.floats(-2.0, 2.0)] * 3)


@given(angles, st.sampled_from(ORDERS))
def test_angles_in_any_order_agree_with_scipy(three: tuple[float, ...], order: str) -> None:
    theirs = Rotation.from_euler(order.upper(), three).as_matrix()
    assert np.allclose(from_angles(three, order), theirs, atol=1e-14)


@given(angles, st.sampled_from(ORDERS))
def test_quaternions_agree_with_scipy_and_lead_back(three: tuple[float, ...], order: str) -> None:
    R_AB = from_angles(three, order)
    q = quaternion(R_AB)
    x, y, z, w = Rotation.from_matrix(R_AB).as_quat()
    theirs = np.array([w, x, y, z])
    assert min(np.abs(q - theirs).max(), np.abs(q + theirs).max()) < 1e-12
    assert np.allclose(matrix(q), R_AB, atol=1e-13)
    assert q[0] >= 0


@pytest.mark.parametrize("half_turn", [[0, 1, 0, 0], [0, 0, 1, 0], [0, 0, 0, 1], [0, 0.6, 0, 0.8]])
def test_half_turns_have_a_quaternion(half_turn: list[float]) -> None:
    q = quaternion(matrix(half_turn))
    assert np.allclose(np.abs(q), half_turn, atol=1e-15)


@given(st.sampled_from("xyz"), st.floats(-math.pi + 1e-6, math.pi - 1e-6), angles)
def test_the_angle_between_two_turns(axis: str, by: float, three: tuple[float, ...]) -> None:
    R_AB = from_angles(three, "zyx")
    assert angle_between(R_AB, R_AB @ about_axis(axis, by)) == pytest.approx(abs(by), abs=1e-12)


def segment(name: str) -> dict[str, object]:
    return {"id": name, "mass_kg": 1.0, "inertia_kgm2": [1.0, 1.0, 1.0]}


def frame(position: tuple[float, ...], three: tuple[float, ...]) -> dict[str, object]:
    return {"position_m": list(position), "orientation": {"angles_rad": list(three)}}


def two_segments(kind: str, start: dict[str, object], **more: object) -> Project:
    joint = {"id": "j", "kind": kind, "parent": "a", "child": "b", **more}
    data = {
        **HEAD,
        "segments": [segment("a"), segment("b")],
        "joints": [joint],
        "initial": {"roots": [{"segment": "a", "position_m": [1.0, 2.0, 3.0]}], **start},
    }
    return validated(data)


KINDS = {
    "locked": ({}, 0),
    "pin": ({}, 1),
    "universal": ({}, 2),
    "ball": ({}, 3),
    "euler": ({}, 3),
    "slip": ({"rotation": "none"}, 1),
    "six": ({}, 6),
    "free": ({}, 6),
}


@pytest.mark.parametrize("kind", KINDS)
@given(
    places=st.tuples(vector, vector),
    turns=st.tuples(angles, angles),
    base=angles,
    values=st.lists(st.floats(-3.0, 3.0), min_size=6, max_size=6),
)
def test_no_joint_starts_apart(kind: str, places, turns, base, values) -> None:  # type: ignore[no-untyped-def]
    """The joint's points differ by the sliding alone, whatever the frames and the pose."""
    more, count = KINDS[kind]
    project = two_segments(
        kind,
        {
            "attitudes": [{"segment": "a", "orientation": {"angles_rad": list(base)}}],
            "joints": [{"joint": "j", "values": values[:count]}],
        },
        parent_frame=frame(places[0], turns[0]),
        child_frame=frame(places[1], turns[1]),
        **more,
    )
    pose = start_pose(project)
    joint = project.joints[0]
    point_a = pose["a"].p_W + pose["a"].R_WS @ np.array(places[0])
    point_b = pose["b"].p_W + pose["b"].R_WS @ np.array(places[1])
    R_WP = pose["a"].R_WS @ turn(joint.parent_frame.orientation)
    R_WC = pose["b"].R_WS @ turn(joint.child_frame.orientation)
    slid = R_WP.T @ (point_b - point_a)
    expected = {"slip": [0, 0, values[0]], "free": values[:3], "six": values[:3]}.get(
        kind, [0, 0, 0]
    )
    assert np.allclose(slid, expected, atol=1e-12)

    R_PC = R_WP.T @ R_WC
    if kind in ("locked", "slip"):
        assert np.allclose(R_PC, np.eye(3), atol=1e-12)
    if kind == "pin":
        assert np.allclose(R_PC @ [0, 1, 0], [0, 1, 0], atol=1e-12)
        assert np.allclose(R_PC @ [0, 0, 1], [math.sin(values[0]), 0, math.cos(values[0])])
    if kind == "universal":
        assert abs((R_PC @ [0, 1, 0]) @ [1, 0, 0]) < 1e-12, "x of the parent, y of the child"
    if kind == "euler":
        theirs = Rotation.from_euler("ZXZ", values[:3]).as_matrix()
        assert np.allclose(R_PC, theirs, atol=1e-12)


def test_an_attitude_wins_and_the_joint_stays_together() -> None:
    project = two_segments(
        "ball",
        {"attitudes": [{"segment": "b", "orientation": {"angles_rad": [0, 0.5, 0]}}]},
        parent_frame=frame((0, 0, 1), (0, 0, 0)),
        child_frame=frame((0, 0, -1), (0, 0.3, 0)),
    )
    pose = start_pose(project)
    assert np.allclose(pose["b"].R_WS, about_axis("y", 0.5))
    expected = [1 + math.sin(0.5), 2, 3 + 1 + math.cos(0.5)]
    assert np.allclose(pose["b"].p_W, expected)


def test_places_and_attitudes_may_count_from_another_segment() -> None:
    data = {
        **HEAD,
        "segments": [segment("rider"), segment("car")],
        "initial": {
            "roots": [
                {"segment": "rider", "position_m": [1, 0, 0], "relative_to": "car"},
                {"segment": "car", "position_m": [0, 5, 0]},
            ],
            "attitudes": [
                {"segment": "car", "orientation": {"angles_rad": [math.pi / 2, 0, 0]}},
                {"segment": "rider", "relative_to": "car"},
            ],
        },
    }
    pose = start_pose(validated(data))
    assert np.allclose(pose["rider"].p_W, [0, 6, 0])
    assert np.allclose(pose["rider"].R_WS, about_axis("z", math.pi / 2))


def test_a_chain_of_three_thousand_segments_is_placed() -> None:
    count = 3000
    joints = [
        {
            "id": f"j{i}", "kind": "ball", "parent": f"s{i}", "child": f"s{i + 1}",
            "parent_frame": {"position_m": [0, 0, 0.5]}, "child_frame": {"position_m": [0, 0, -0.5]},
        }
        for i in reversed(range(count - 1))
    ]  # fmt: skip
    segments = [segment(f"s{i}") for i in reversed(range(count))]
    pose = start_pose(validated({**HEAD, "segments": segments, "joints": joints}))
    assert np.allclose(pose[f"s{count - 1}"].p_W, [0, 0, count - 1])
