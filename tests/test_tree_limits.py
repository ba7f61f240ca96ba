"""Ranges of joints as stops, and inertia of drives, of MuJoCo's files and of robots."""

from __future__ import annotations

import math

import mujoco
import numpy as np
import pytest

import manikin as mk
from solver.exchange.trees.files import tree_of
from tests.test_trees import agree

ROD = """<mujoco><compiler angle="degree"/><worldbody><body name="rod" pos="0.1 0.2 1" euler="10 20 30">
<joint name="pivot" axis="0 1 0.2" pos="0 0 0.3" {more}/><inertial pos="0.05 0 -0.2" mass="2" diaginertia="0.06 0.05 0.01"/>
<body name="tip" pos="0 0 -0.5"><joint name="elbow" axis="1 0 0"/><inertial pos="0 0 -0.1" mass="0.5" diaginertia="0.004 0.004 0.001"/></body>
</body></worldbody></mujoco>"""


def test_the_drive_of_a_hinge_on_the_ground_weighs_as_in_mujoco() -> None:
    text = ROD.format(more='armature="0.37"')
    made = tree_of(text.encode())
    agree(made.project, text, ["rod", "tip"])
    assert not any("armature" in str(one) for one in made.notes)
    inner = tree_of(text.replace('name="elbow"', 'name="elbow" armature="0.1"').encode())
    assert any("'elbow'" in str(one) and "armature" in str(one) for one in inner.notes)


def test_a_range_becomes_a_stop_by_the_inertia_that_is_carried() -> None:
    made = tree_of(ROD.format(more='range="-40 15" ref="5" solreflimit="0.05 1"').encode()).project
    stops = {law.lower if law.lower is not None else law.upper: law for f in made.coordinate_forces for law in f.laws[:1]}  # type: ignore[union-attr]  # fmt: skip
    assert sorted(stops) == pytest.approx([math.radians(-45), math.radians(10)])
    e = np.array([0.0, 1.0, 0.2]) / math.hypot(1.0, 0.2)
    inertia = e @ np.diag([0.06, 0.05, 0.01]) @ e + e @ np.diag([0.004, 0.004, 0.001]) @ e
    for mass, arm in ((2.0, (0.05, 0.0, -0.5)), (0.5, (0.0, 0.0, -0.9))):
        inertia += mass * float(np.sum(np.cross(e, arm) ** 2))
    curve = next(f for f in made.functions if f.id == "pivot_upper_stop").form
    slope = curve.y[-1] / curve.x[-1]  # type: ignore[union-attr]
    assert slope == pytest.approx(inertia / 0.05**2, rel=1e-12)
    for more in ('range="-40 15" limited="false"', ""):
        assert not tree_of(ROD.format(more=more).encode()).project.coordinate_forces


FALLING = """<mujoco><compiler angle="radian"/><worldbody><body name="rod">
<joint name="pivot" axis="0 1 0" range="-0.7 0.7" damping="0.05"/><geom type="capsule" fromto="0 0 0 0.6 0 0" size="0.03"/></body></worldbody></mujoco>"""


def test_a_falling_rod_comes_to_rest_at_its_end_as_in_mujoco() -> None:
    """It goes as far beyond its end as there, within half a degree, hardly comes back, and rests where MuJoCo's rests, within a degree."""
    run = mk.run(mk.Model(tree_of(FALLING.encode()).project), until=1.5)
    angle = run["joints/pivot/angle/1"].value
    model = mujoco.MjModel.from_xml_string(FALLING)
    data, theirs = mujoco.MjData(model), list[float]()
    while data.time < 1.5:
        mujoco.mj_step(model, data)
        theirs.append(float(data.qpos[0]))
    assert angle.max() == pytest.approx(max(theirs), abs=math.radians(0.5))
    assert abs(angle[-1] - theirs[-1]) < math.radians(1.0)
    first = int(np.argmax(angle > 0.7))
    assert angle[first:].min() > 0.7 - math.radians(3.0)


def test_a_robot_has_the_ends_of_its_joints() -> None:
    text = """<robot name="r"><link name="world"/><link name="arm"><inertial><mass value="2"/><origin xyz="0 0 0.5"/>
    <inertia ixx="0.1" iyy="0.1" izz="0.01" ixy="0" ixz="0" iyz="0"/></inertial></link>
    <joint name="j" type="revolute"><parent link="world"/><child link="arm"/><axis xyz="1 0 0"/><limit lower="-1" upper="0.5" effort="1" velocity="1"/></joint></robot>"""
    made = tree_of(text.encode())
    found = [(law.lower, law.upper) for f in made.project.coordinate_forces for law in f.laws[:1]]  # type: ignore[union-attr]
    assert found == [(-1.0, None), (None, 0.5)]
    curve = made.project.functions[0].form
    assert curve.y[-1] / curve.x[-1] == pytest.approx((0.1 + 2 * 0.25) / 0.02**2)  # type: ignore[union-attr]
    assert any("assumed" in str(one) for one in made.notes)
