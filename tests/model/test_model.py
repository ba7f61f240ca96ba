"""The arrays of a project stand where the document says."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from solver.base.places import samples
from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.tree import (
    SOLVED,
    kinematics,
    make_applied,
    make_motion,
    make_workspace,
)
from solver.model.tree import Trees, compile_trees
from solver.project import Project, load_project, validated
from solver.project.expanding import expanded
from solver.project.joints import EulerJoint
from solver.project.pose import start_pose
from solver.running.simulation import simulate
from tests.models import base, point, project
from tests.rows import rows

HEAD = {"format": "manikin-project", "schema_version": 4}
KINDS = {
    "locked": ({}, 0),
    "pin": ({}, 1),
    "universal": ({}, 2),
    "ball": ({}, 3),
    "euler": ({}, 3),
    "euler held": ({"nutation": {"lock": {"locked": True}}}, 3),
    "slip": ({"rotation": "none"}, 1),
    "slip pin y": ({"rotation": "pin_y"}, 2),
    "slip pin z": ({"rotation": "pin_z"}, 2),
    "slip ball": ({"rotation": "ball"}, 4),
    "six": ({}, 6),
    "free": ({}, 6),
}


def assert_stands_as_the_document_says(project: Project, trees: Trees) -> None:
    motion = make_motion(trees.tree)
    kinematics(trees.tree, trees.locked, trees.q, np.zeros(1000), motion)
    for name, placed in start_pose(project).items():
        if name in trees.body_of:
            i = trees.body_of[name]
            R = motion.R[i].reshape(3, 3)
            assert np.allclose(R, placed.R_WS, atol=1e-9), name
            assert np.allclose(motion.p[i] + R @ trees.tree.centre[i], placed.p_W, atol=1e-9), name


@rows("file", sorted(samples().glob("*.json")), ids=lambda f: f.stem)
def test_samples_stand_as_they_say(file) -> None:  # type: ignore[no-untyped-def]
    project = expanded(load_project(file))
    trees = compile_trees(project)
    assert_stands_as_the_document_says(project, trees)
    assert set(trees.body_of) == {s.id for s in project.segments}
    assert trees.tree.mass.sum() == pytest.approx(sum(s.mass_kg for s in project.segments))


number = st.floats(-1.4, 1.4)
three = st.tuples(number, number, number)


@pytest.mark.parametrize("case", KINDS)
@given(
    st.lists(st.tuples(three, three, three, three), min_size=2, max_size=2),
    st.lists(number, min_size=6, max_size=6),
)
def test_chains_of_every_joint_stand_as_they_say(case, frames, values) -> None:  # type: ignore[no-untyped-def]
    more, count = KINDS[case]
    kind = case.split()[0]
    segments = [
        {"id": f"s{i}", "mass_kg": 1.0 + i, "inertia_kgm2": [0.1, 0.2, 0.25],
         "principal_axes": {"angles_rad": [0.3, 0.2, 0.1 * i]}}
        for i in range(3)
    ]  # fmt: skip
    joints = [
        {
            "id": f"j{i}", "kind": kind, "parent": f"s{i}", "child": f"s{i + 1}", **more,
            "parent_frame": {"position_m": p, "orientation": {"angles_rad": a}},
            "child_frame": {"position_m": c, "orientation": {"angles_rad": b}},
        }
        for i, (p, a, c, b) in enumerate(frames)
    ]  # fmt: skip
    project = validated({
        **HEAD, "segments": segments[::-1], "joints": joints,
        "initial": {
            "roots": [{"segment": "s0", "position_m": frames[0][0]}],
            "attitudes": [{"segment": "s0", "orientation": {"angles_rad": frames[0][1]}}],
            "joints": [{"joint": f"j{i}", "values": values[:count]} for i in range(2)],
        },
    })  # fmt: skip
    assert_stands_as_the_document_says(project, compile_trees(project))


@pytest.mark.parametrize("values", [[0.5, 0.0, 0.2], [2.5, 0.0, -4.0], [0.1, 0.7, 0.2]])
def test_given_coordinates_are_kept_where_the_pose_does_not_tell_them(values: list[float]) -> None:
    """At nutation zero precession and spin look alike; with locks they are not."""
    segment = {"mass_kg": 1.0, "inertia_kgm2": [0.1, 0.1, 0.1]}
    project = validated({
        **HEAD, "segments": [{"id": "a", **segment}, {"id": "b", **segment}],
        "joints": [{"id": "j", "kind": "euler", "parent": "a", "child": "b",
                    "spin": {"lock": {"locked": True}}}],
        "initial": {"joints": [{"joint": "j", "values": values}]},
    })  # fmt: skip
    trees = compile_trees(project)
    bodies = trees.joints["j"].bodies
    assert [trees.q[trees.tree.at_q[b]] for b in bodies] == values
    assert [trees.locked[b] for b in bodies] == [0, 0, 1]


def test_a_project_without_segments_has_no_bodies() -> None:
    trees = compile_trees(validated(HEAD))
    assert len(trees.tree.parent) == 0
    assert trees.q.size == 0


@given(three)
def test_an_euler_joint_starts_at_the_angles_of_its_attitude_that_are_nearest_to_its_centres(
    angles: tuple[float, float, float],
) -> None:
    from solver.engine.maths.rotation import from_angles
    from solver.project.angles import start_angles

    assume(abs(math.sin(angles[1])) > 1e-3)
    R = from_angles(angles, "zxz")
    axes = zip(("precession", "nutation", "spin"), angles, strict=True)
    joint = EulerJoint.model_validate(
        {"id": "j", "kind": "euler", "parent": "ground", "child": "a"}
        | {name: {"centre_rad": angle + 0.1} for name, angle in axes}
    )
    assert start_angles(joint, R, (), is_turned=True) == pytest.approx(angles, abs=1e-6)
    assert start_angles(joint, R, (), is_turned=False) == (0.0, 0.0, 0.0)
    given = (angles[0] + math.pi, -angles[1], angles[2] - math.pi)
    assert start_angles(joint, R, given, is_turned=False) == given


def test_the_double_pendulum_starts_to_fall_as_its_equations_say() -> None:
    """Both rods horizontal: the closed equations give 3/2 g l and friends at rest."""
    trees = compile_trees(load_project(samples() / "double_pendulum.json"))
    tree = trees.tree
    v = np.zeros(2)
    motion, space, rates = make_motion(tree), make_workspace(tree), np.zeros(2)
    kinematics(tree, trees.locked, trees.q, v, motion)
    g = np.array([0.0, 0.0, 9.81])
    status = accelerations(tree, trees.locked, v, motion, make_applied(tree, 2), g, space, rates)
    assert status == SOLVED
    # M (a1, a2) = torques of weight, absolute angles, both rods in line
    mass, inertia = 1.0, 1.0 / 12.0
    M = np.array([[inertia + 0.25 + mass, 0.5], [0.5, inertia + 0.25]])
    a = np.linalg.solve(M, -9.81 * np.array([1.5, 0.5]))
    assert np.allclose([rates[0], rates[0] + rates[1]], a, rtol=1e-6)
    assert math.isclose(trees.q[0], math.pi / 2, rel_tol=1e-9)


def spinning(**parts: Any) -> float:
    """Give the kinetic energy (J) of a body that turns about its mass centre."""
    start = {"segment": "body", "angular_velocity_rad_per_s": [2.0, -3.0, 5.0]}
    body = {"id": "body", "mass_kg": 4.0, "inertia_kgm2": [0.1, 0.2, 0.25], **parts.pop("body", {})}
    data = base(0.02, gravity_m_per_s2=[0.0, 0.0, 0.0], segments=[body],
                initial={"attitudes": [start]}, **parts)  # fmt: skip
    return float(simulate(project(data)).table("energy")["kinetic"][0])


def test_principal_axes_turn_the_inertia() -> None:
    assert spinning() == pytest.approx(0.5 * (0.1 * 4.0 + 0.2 * 9.0 + 0.25 * 25.0))
    # yaw by 90 degrees: the first principal axis lies along y
    turned = {"principal_axes": {"angles_rad": [math.pi / 2, 0.0, 0.0]}}
    assert spinning(body=turned) == pytest.approx(0.5 * (0.2 * 4.0 + 0.1 * 9.0 + 0.25 * 25.0))


def test_what_a_tension_element_hangs_on_a_body_turns_with_it() -> None:
    string = {"id": "string", "a": point("body", 0.0, 0.3, 0.0), "b": point("ground", 0.0, 5.0, 0.0),
              "mass_a_kg": 0.5, "stiffness_n_per_m": 0.0, "rest_length_m": 5.0}  # fmt: skip
    speed = np.cross([2.0, -3.0, 5.0], [0.0, 0.3, 0.0])
    expected = spinning() + 0.5 * 0.5 * float(speed @ speed)
    assert spinning(tension_elements=[string]) == pytest.approx(expected)
