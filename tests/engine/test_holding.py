"""What flexible elements and symmetry hold with, against the motion that comes of it."""

from __future__ import annotations

import copy
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.engine.dynamics.tree import Array
from solver.results import Trajectory
from solver.running.simulation import simulate
from tests.engine.test_constraints import mirrored, neck
from tests.models import project


def needed(run: Trajectory, data: Any, name: str) -> tuple[Array, Array]:
    """Give force and torque about the mass centre that a segment's motion needs, ground axes."""
    body = run.segment(name)
    given = next(one for one in data["segments"] if one["id"] == name)
    turn = Rotation.from_quat(body.quaternion_wxyz, scalar_first=True)
    inertia = np.array(given["inertia_kgm2"])
    w, a = body.angular_velocity, body.angular_acceleration
    torque = turn.apply(inertia * a + np.cross(w, inertia * w))
    gravity = np.array(data["gravity_m_per_s2"])
    return given["mass_kg"] * (body.acceleration - gravity), torque


def from_joints(run: Trajectory, data: Any, name: str) -> tuple[Array, Array]:
    """Give force and torque about the mass centre that a segment gets from its joints."""
    body, table = run.segment(name), run.table("joints")
    turn = Rotation.from_quat(body.quaternion_wxyz, scalar_first=True)
    force, torque = np.zeros_like(body.position), np.zeros_like(body.position)
    for n, joint in enumerate(data["joints"]):
        for side, sign in (("child", 1.0), ("parent", -1.0)):
            if joint[side] != name:
                continue
            arm = turn.apply(joint.get(f"{side}_frame", {}).get("position_m", [0.0, 0.0, 0.0]))
            pull = sign * table["force"][:, n]
            force += pull
            torque += sign * table["torque"][:, n] + np.cross(arm, pull)
    return force, torque


def eulers(data: Any) -> Any:
    """Join the inner ones by Euler joints, at a right angle of nutation while straight, with laws on each axis."""
    out = copy.deepcopy(data)
    own = {"spring": {"linear_nm_per_rad": 2.0}, "friction": {"viscous_nms_per_rad": 0.1}}
    for joint in out["joints"][1:]:
        joint.pop("flexure", None)
        joint["kind"] = "euler"
        joint["child_frame"] |= {"orientation": {"angles_rad": [0.0, 0.0, np.pi / 2]}}
        joint |= {"precession": own, "nutation": own | {"centre_rad": 1.5}, "spin": own}
    values = [0.0, np.pi / 2, 0.0]
    out["initial"]["joints"] = [{"joint": j["id"], "values": values} for j in out["joints"][1:]]
    return out


@pytest.mark.parametrize("kind", ["ball", "euler"])
def test_the_bends_of_a_flexible_element_hold_each_segment(kind: str) -> None:
    """Equation (4.70): what its motion needs less what its joints give; and nothing from outside."""
    data = neck([0.0, 0.0, 0.0])
    if kind == "euler":
        data = eulers(data)
    run = simulate(project(data))
    assert run.status == "completed", run.message
    energy = run.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-7
    assert np.min(np.diff(energy["lost_in_joint_friction"])) >= -1e-12
    table = run.table("flexible_elements")
    assert table.ids == tuple(f"neck.rod{n}" for n in range(4))
    torque = table["torque"]
    assert np.abs(torque).max() > 0.1
    assert torque.sum(axis=1) == pytest.approx(0.0, abs=1e-9)
    for n in range(4):
        wanted = needed(run, data, f"rod{n}")[1] - from_joints(run, data, f"rod{n}")[1]
        assert torque[:, n] == pytest.approx(wanted, abs=1e-8)


@pytest.mark.parametrize("kind", ["mirror", "average"])
def test_symmetry_holds_each_segment(kind: str) -> None:
    data = mirrored(kind)
    run = simulate(project(data))
    assert run.status == "completed", run.message
    table = run.table("symmetry")
    for n, (part, name) in enumerate((("", "left"), ("_on_second", "right"), ("", "trunk"))):
        row = 0 if n < 2 else 1
        body = run.segment(name)
        turn = Rotation.from_quat(body.quaternion_wxyz, scalar_first=True)
        force, torque = needed(run, data, name)
        by_joints = from_joints(run, data, name)
        push = np.zeros(3)
        if name == "left":
            push = 5.0 * np.array([1.0, -0.7, 0.0]) / np.linalg.norm([1.0, -0.7, 0.0])
        arm = turn.apply([0.0, 0.0, 0.5])
        assert table[f"force{part}"][:, row] == pytest.approx(force - by_joints[0] - push, abs=1e-8)
        assert table[f"torque{part}"][:, row] == pytest.approx(
            torque - by_joints[1] - np.cross(arm, push), abs=1e-8
        )
    assert np.abs(table["force_on_second"][:, 0]).max() > 0.1
    assert np.all(table["force_on_second"][:, 1] == 0.0)


def test_they_can_be_written_as_outputs() -> None:
    data = neck([0.0, 0.0, 0.0])
    data["outputs"] = [
        {"id": "held", "kind": "element", "of": "flexible_elements", "element": "neck"}
    ]
    run = simulate(project(data))
    value = run.channel("held_rod2_torque_y").value
    assert value == pytest.approx(run.table("flexible_elements")["torque"][:, 2, 1], abs=1e-12)
