"""Models that are written for MuJoCo and ROS and read again move alike; what the files cannot say is named."""

from __future__ import annotations

from pathlib import Path

import mujoco
import numpy as np
import pytest

from solver.exchange.trees.files import tree_of, write_tree
from solver.project.document import Project
from solver.project.reading import validated
from tests.exchange.test_robots import WHOLE

ROD = '<inertial pos="0 0 -.5" mass="2" diaginertia=".1 .1 .02"/>'
MUJOCO = f"""<mujoco><option gravity="1 -2 -9"/><worldbody>
<body name="world_" pos="0 0 1"><joint name="a" axis="0 1 1" armature=".3" damping=".2" frictionloss=".1" range="-90 80"/>{ROD}
  <body name="b" pos="0 0 -1"><joint name="slides" type="slide" axis="1 0 1" stiffness="4" springref=".3"/><joint name="turns" pos=".1 .2 .3" axis="0 1 0"/>
    <joint name="turns_2" pos="0 0 .4" axis="1 0 0"/>{ROD}<geom type="ellipsoid" size=".1 .2 .3" mass="0"/></body></body>
<body name="other" pos="3 0 1"><freejoint/>{ROD}<geom size=".2 .3 .4" type="box"/></body></worldbody>
<actuator><position name="held" joint="a" kp="6" kv=".4"/></actuator>
<equality><joint joint1="turns" joint2="a" polycoef=".05 .5 0 0 0"/></equality></mujoco>"""


def changed(project: Project) -> Project:
    """Lock a joint off its place, take mass and inertia away, call a segment as MuJoCo calls the ground, let all begin with speeds."""
    data = project.model_dump()
    for one in data["segments"]:
        if one["id"] == "world_":
            one["inertia_kgm2"] = (0.2, 0.15, 0.05)
    for one in data["joints"]:
        if one["id"] == "slides":
            one["slide"]["locked"] = True
    data["initial"]["joints"] = [{"joint": "slides", "values": (0.3,)}, {"joint": "a", "values": (0.1,), "rates": (0.7,)}]  # fmt: skip
    data["initial"]["roots"][0]["velocity_m_per_s"] = (1.0, 2.0, 3.0)
    data["initial"]["attitudes"][0]["angular_velocity_rad_per_s"] = (0.3, 0.2, 0.1)
    return validated(data)


@pytest.mark.parametrize("ending", [".xml", ".urdf"])
@pytest.mark.parametrize("which", ["mujoco", "changed", "robot"])
def test_what_is_written_moves_as_it_did(which: str, ending: str, tmp_path: Path) -> None:
    trips = pytest.importorskip("tools.round_trips")
    project = tree_of((WHOLE if which == "robot" else MUJOCO).encode()).project
    project = changed(project) if which == "changed" else project
    file = tmp_path / f"written{ending}"
    notes = [str(one) for one in write_tree(project, file)]
    back = tree_of(file.read_bytes()).project
    assert trips.apart(project, back, notes) < 1e-10
    told = " ".join(notes)
    if ending == ".urdf" and which != "robot":
        for part in ("Gravity has no place", "Floating joints join free bodies to 'world_2'", "Ellipsoids become spheres", "Springs, drives"):  # fmt: skip
            assert part in told
    if which == "changed":
        assert "Held joints have no freedom there (1): slides." in told


def test_a_start_with_speeds_is_a_key_frame(tmp_path: Path) -> None:
    file = tmp_path / "written.xml"
    project = changed(tree_of(MUJOCO.encode()).project)
    write_tree(project, file)
    model = mujoco.MjModel.from_xml_path(str(file))
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    assert data.joint("a").qvel[0] == 0.7
    spot = np.zeros(6)
    # of the mass centre, along the ground's axes
    mujoco.mj_objectVelocity(model, data, mujoco.mjtObj.mjOBJ_BODY, data.body("other").id, spot, 0)
    assert spot[3:] == pytest.approx((1.0, 2.0, 3.0), abs=1e-12)
    at = data.body("b").xipos
    from solver.project.pose import start_pose

    assert at == pytest.approx(start_pose(project)["b"].p_W, abs=1e-12)


def test_bodies_that_mujoco_refuses_are_written_so_that_it_takes_them(tmp_path: Path) -> None:
    """A segment called world, a mass without inertia, moments that miss their sum by a rounding, shapes on what has no mass."""
    data = tree_of(WHOLE.encode()).project.model_dump()
    for one in data["segments"]:
        one["surfaces"] = [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": (0.1, 0.1, 0.1)}]
        if one["id"] == "box":
            one["inertia_kgm2"] = (0.0, 0.0, 0.0)
        if one["id"] == "post":
            one |= {"mass_kg": 0.0, "inertia_kgm2": (0.0, 0.0, 0.0)}
        if one["id"] == "arm":
            one["inertia_kgm2"] = (0.02, 0.03, 0.05 + 1e-9)
    project = validated(data)
    notes = [str(one) for one in write_tree(project, tmp_path / "written.xml")]
    model = mujoco.MjModel.from_xml_path(str(tmp_path / "written.xml"))
    assert model.body("post").mass[0] == 0.0
    assert any("'world' is called 'world_body'" in one for one in notes)
    assert sum(model.body_mass) == pytest.approx(sum(one.mass_kg for one in project.segments))
