"""MJCF and URDF: trees that MuJoCo reads, and those that it is given, move as it says."""

from __future__ import annotations

import random
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.exchange.trees import TreeError
from solver.exchange.trees.files import tree_lines, tree_of
from solver.project import Project, ProjectError, validated
from solver.project.checks import check
from tests.exploring import SEED
from tests.rows import rows

HUMANOID = """
<mujoco model="humanoid">
  <compiler angle="degree"/>
  <option gravity="0.3 -0.1 -9.81"/>
  <default>
    <joint damping="0.3" stiffness="4"/>
    <geom type="capsule" density="900"/>
    <default class="thigh"><geom size="0.06"/></default>
  </default>
  <worldbody>
    <geom name="floor" type="plane" size="5 4 .1"/>
    <body name="torso" pos="0 0 1.28">
      <freejoint name="root"/>
      <geom name="chest" fromto="0 -.07 0 0 .07 0" size="0.07"/>
      <geom name="head" type="sphere" pos="0.02 0 .19" size=".09"/>
      <geom name="waist" fromto="-.01 -.06 -.12 -.01 .06 -.12" size="0.06"/>
      <body name="lower_waist" pos="-.01 0 -.26" quat="0.995 0.02 -0.09 0.01">
        <joint name="abdomen_z" pos="0 0 .065" axis="0 0 1" stiffness="20"/>
        <joint name="abdomen_y" pos="0 0 .065" axis="0 1 0" springref="10"/>
        <geom fromto="0 -.06 0 0 .06 0" size="0.06"/>
        <body name="pelvis" pos="0 0 -.165" euler="3 4 5">
          <joint name="abdomen_x" pos="0 0 .1" axis="1 0 0"/>
          <geom fromto="-.02 -.07 0 -.02 .07 0" size=".09"/>
          <body name="right_thigh" pos="0 -.1 -.04" childclass="thigh">
            <joint name="hip_x" axis="1 0 0"/>
            <joint name="hip_z" axis="0 0 1"/>
            <joint name="hip_y" axis="0 1 0"/>
            <geom fromto="0 0 0 0 .01 -.34"/>
            <body name="right_shin" pos="0 .01 -.403">
              <joint name="knee" pos="0 0 .02" axis="0 -1 0"/>
              <geom fromto="0 0 0 0 0 -.3" size="0.049"/>
              <body name="right_foot" pos="0 0 -.39">
                <joint name="ankle_y" pos="0 0 .08" axis="0 1 0"/>
                <joint name="ankle_x" pos="0 0 .04" axis="1 0 .5"/>
                <geom type="box" pos=".05 0 .02" size=".1 .04 .02" axisangle="0 1 0 7"/>
                <geom type="cylinder" pos="-.03 0 .02" size=".03 .04" zaxis="0 1 1"/>
                <geom type="ellipsoid" pos=".1 0 .02" size=".04 .03 .02" xyaxes="1 1 0 0 1 0"/>
              </body>
            </body>
          </body>
        </body>
      </body>
      <body name="arm" pos="0 -.17 .06">
        <joint name="reach" type="slide" axis="1 1 0" damping="2" stiffness="30"/>
        <inertial pos="0.1 0 0" mass="2" diaginertia=".01 .02 .03" quat="1 .1 .2 .3"/>
        <body name="hand" pos="0.3 0 0"><geom type="sphere" size=".04" mass=".5"/></body>
      </body>
    </body>
  </worldbody>
</mujoco>
"""


def random_tree(seed: int) -> str:
    """Write a tree of 3 to 9 bodies with hinges and slides on a free or a fixed base."""
    rng = np.random.default_rng(seed)
    count = int(rng.integers(3, 10))
    children: dict[int, list[int]] = {}
    for n in range(count):
        children.setdefault(int(rng.integers(-1, n)) if n > 1 else n - 1, []).append(n)
    children[0] = children.get(0, []) + [n for n in children.pop(-1, []) if n]

    def row(values: Any) -> str:
        return " ".join(f"{v:.6f}" for v in values)

    def body(n: int) -> str:
        size = rng.uniform(0.05, 0.3, 3)
        joints = "<freejoint/>" if n == 0 and seed % 2 == 0 else "".join(
            f'<joint type="{rng.choice(["hinge", "hinge", "slide"])}" axis="{row(rng.normal(size=3))}" '
            f'pos="{row(rng.normal(size=3) * 0.1)}" damping="{rng.uniform(0, 1):.4f}" stiffness="{rng.uniform(0, 9):.4f}"/>'
            for _ in range(int(rng.integers(1, 3)))
        )  # fmt: skip
        inner = "".join(body(k) for k in children.get(n, []))
        return (f'<body pos="{row(rng.normal(size=3) * 0.3)}" quat="{row(rng.normal(size=4))}">{joints}'
                f'<geom type="ellipsoid" size="{row(size)}" pos="{row(rng.normal(size=3) * 0.1)}" '
                f'quat="{row(rng.normal(size=4))}"/>{inner}</body>')  # fmt: skip

    return f'<mujoco><option gravity="{row(rng.normal(size=3) * 5)}"/><worldbody>{body(0)}</worldbody></mujoco>'


def posed(project: Project, seed: int = 5) -> Project:
    """Turn and slide all joints from the pose in which they are drawn."""
    rng = np.random.default_rng(seed)
    starts = tuple(
        {"joint": one.id, "values": (float(rng.uniform(-0.6, 0.6)),)}
        for one in project.joints
        if one.kind in ("pin", "slip")
    )
    return validated(
        {**project.model_dump(), "initial": {**project.initial.model_dump(), "joints": starts}}
    )


def accelerations(model: Any, like: Project | None = None) -> tuple[np.ndarray, np.ndarray]:
    """Give accelerations of all mass centres and rates of angular velocities in MuJoCo, from rest.

    Its joints stand in the order of ours: those of a project may be given their coordinates.
    """
    data = mujoco.MjData(model)
    moving = [j for j in range(model.njnt) if model.jnt_type[j] != mujoco.mjtJoint.mjJNT_FREE]
    for j, start in zip(moving, like.initial.joints if like else (), strict=bool(like)):
        data.qpos[model.jnt_qposadr[j]] = start.values[0]
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    linear, turning = [], []
    for b in range(1, model.nbody):
        mujoco.mj_jacBodyCom(model, data, jacp, jacr, b)
        linear.append(jacp @ data.qacc)
        turning.append(jacr @ data.qacc)
    return np.array(linear), np.array(turning)


def in_mujoco(text: str) -> Any:
    model = mujoco.MjModel.from_xml_string(text)
    model.opt.disableflags |= int(mujoco.mjtDisableBit.mjDSBL_CONTACT)
    return model


def names(model: Any) -> list[str]:
    return [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_BODY, b) for b in range(1, model.nbody)]


def at_rest(project: Project) -> dict[str, tuple[np.ndarray, np.ndarray]]:
    """Give accelerations of all segments at the start."""
    run = mk.run(mk.Model(project), until=1e-3)
    found = {}
    for one in project.segments:
        if one.mass_kg > 0.0:
            place = f"segments/{one.id}"
            linear = [run[f"{place}/acceleration/{axis}"].value[0] for axis in "xyz"]
            turning = [run[f"{place}/angular_acceleration/{axis}"].value[0] for axis in "xyz"]
            found[one.id] = (np.array(linear), np.array(turning))
    return found


def agree(project: Project, text: str, order: list[str], like: Project | None = None) -> None:
    linear, turning = accelerations(in_mujoco(text), like)
    ours = at_rest(project.model_copy(update={"contacts": ()}))
    size = 1.0 + max(np.abs(linear).max(), np.abs(turning).max())
    for k, name in enumerate(order):
        assert np.abs(ours[name][0] - linear[k]).max() < 1e-9 * size, name
        assert abs(np.linalg.norm(ours[name][1]) - np.linalg.norm(turning[k])) < 1e-9 * size, name


@pytest.mark.parametrize("text", [HUMANOID, *map(random_tree, range(10))])
def test_a_model_of_mujoco_moves_as_it_does_there(text: str) -> None:
    project = tree_of(text.encode()).project
    assert [str(one) for one in check(project) if one.severity == "error"] == []
    bodies = [one.id for one in project.segments if one.mass_kg > 0.0]
    agree(project, text, bodies)
    turned = posed(project)
    agree(turned, text, bodies, like=turned)


@pytest.mark.parametrize("text", [HUMANOID, *map(random_tree, range(10))])
def test_what_is_written_for_mujoco_moves_there_as_here(text: str) -> None:
    project = posed(tree_of(text.encode()).project)
    lines, _ = tree_lines(project, as_urdf=False)
    written = "\n".join(lines)
    model = in_mujoco(written)
    agree(project, written, names(model))


def test_what_was_written_is_read_again_as_the_same_tree() -> None:
    project = tree_of(HUMANOID.encode()).project
    lines, _ = tree_lines(project, as_urdf=False)
    written = "\n".join(lines)
    agree(tree_of(written.encode()).project, written, names(in_mujoco(written)))


ROBOT = """<?xml version="1.0"?>
<robot name="arm">
  <link name="world"/>
  <link name="upper"><inertial><origin xyz="0 0 .2" rpy=".1 .2 .3"/><mass value="2"/>
    <inertia ixx=".02" iyy=".025" izz=".01" ixy=".001" ixz="0" iyz=".002"/></inertial>
    <collision><geometry><cylinder radius=".05" length=".4"/></geometry></collision></link>
  <link name="rail"><inertial><mass value="1"/><inertia ixx=".01" iyy=".01" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial>
    <collision><geometry><box size=".1 .1 .2"/></geometry></collision></link>
  <link name="lid"><inertial><origin xyz=".1 0 0"/><mass value=".5"/>
    <inertia ixx=".01" iyy=".02" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>
  <joint name="shoulder" type="revolute"><origin xyz="0 0 1" rpy="0 .5 0"/><parent link="world"/><child link="upper"/>
    <axis xyz="0 1 1"/><dynamics damping=".4"/><limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="out" type="prismatic"><origin xyz="0 0 .4"/><parent link="upper"/><child link="rail"/><axis xyz="1 0 0"/>
    <limit lower="-1" upper="1" effort="9" velocity="9"/></joint>
  <joint name="glue" type="fixed"><origin xyz="0 .2 0" rpy="1 0 0"/><parent link="rail"/><child link="lid"/></joint>
</robot>"""


def test_a_robot_moves_as_mujoco_moves_it_and_is_written_again() -> None:
    project = tree_of(ROBOT.encode()).project
    assert [str(one) for one in check(project) if one.severity == "error"] == []
    fixed = ROBOT.replace(
        '<robot name="arm">', '<robot name="arm"><mujoco><compiler fusestatic="false"/></mujoco>'
    )
    model = in_mujoco(fixed)
    model.opt.gravity[2] = -9.80665
    linear, _ = accelerations(model)
    ours = at_rest(project)
    for k, name in enumerate(names(model)):
        if name in ours and name != "world":
            assert np.abs(ours[name][0] - linear[k]).max() < 1e-9 * (1 + np.abs(linear).max()), name
    lines, _ = tree_lines(project, as_urdf=True)
    back = at_rest(tree_of("\n".join(lines).encode()).project)
    for name in ("upper", "rail", "lid"):
        assert np.abs(back[name][0] - ours[name][0]).max() < 1e-12 * (1 + np.abs(linear).max())


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("<mujoco><worldbody/></mujoco>", "has no body"),
        ("<mujoco><include file='/etc/passwd'/></mujoco>", "other files are not opened"),
        ("<!DOCTYPE m [<!ENTITY a 'b'>]><mujoco>&a;</mujoco>", "Line 1: document types and entities are not read"),
        ("<mujoco><worldbody><body><joint axis='0 0 0'/></body></worldbody></mujoco>", "axis too small in joint Element name '', id 0, line 1"),
        ("<mujoco>\n<worldbody><body pos='1 2'/></worldbody></mujoco>", "'pos' does not have enough data Element 'body', line 2"),
        ("<mujoco><worldbody><body pos='1 x 2'/></worldbody></mujoco>", "'pos'"),
        ("<mujoco><worldbody><body pos='1 nan 2'><joint/><geom size='1'/></body></worldbody></mujoco>", "not finite"),
        ("<mujoco><worldbody><geom type='plane' size='5 5 1' euler='0 nan 0'/><body><joint/><geom size='1'/></body></worldbody></mujoco>", "not finite"),
        ("<mujoco><asset><model/></asset><worldbody><body/></worldbody></mujoco>", "Line 1, <model>, file: it is missing"),
        ("<mujoco", "this is no XML"),
        ("<sdf/>", "model of Gazebo (SDF), which is not read. Give it as URDF"),
        ("<robot><link name='a'/><link name='b'/><joint name='j' type='fixed'><parent link='a'/><child link='c'/></joint></robot>", "Line 1, <child>, link: the file has no link 'c'"),
        ("<robot><link name='a'/><joint name='j' type='fixed'><parent link='a'/><child link='a'/></joint></robot>", "Line 1: the joints make a ring: a. Take one joint out, and close the ring here"),
        ("<robot>" * 201, "200 elements within each other and 200000 in all"),
        ("<?xml version='1.0' encoding='klingon'?><robot/>", "encoding is not known; write it as UTF-8"),
        ("<robot/>", "Line 1: the robot has no link."),
        ("<robot><link/></robot>", "Line 1, <link>, name: it is missing."),
        ("<robot>\n<link name='a'><inertial><mass value='1'/></inertial></link></robot>", "Line 2, <inertial>, inertia: it is missing."),
        ("<ROBOT/>", "Line 1: <ROBOT> begins no model that is read; those begin with <mujoco>, <robot> or <OpenSimDocument>."),
    ],
)  # fmt: skip
def test_what_cannot_be_read_is_said_with_its_line(text: str, said: str) -> None:
    with pytest.raises(TreeError) as failure:
        tree_of(text.encode())
    assert said in str(failure.value)


def test_what_is_left_out_is_named() -> None:
    text = HUMANOID.replace('axis="0 -1 0"', 'axis="0 -1 0" armature=".01" range="0 100"').replace(
        "</mujoco>", "<actuator><motor joint='knee'/></actuator></mujoco>"
    )
    told = [str(one) for one in tree_of(text.encode()).notes]
    for part in ("Limits are stops", "Motors", "Capsules", "Boxes"):
        assert any(part in one for one in told), part


def test_import_and_export_from_the_shell(tmp_path: Path, capsys: Any) -> None:
    file = tmp_path / "humanoid.xml"
    file.write_text(HUMANOID)
    assert main(["import", str(file)]) == 0
    assert "Capsules" in capsys.readouterr().out
    read = mk.read_tree(file)
    assert any("Capsules" in one for one in read.notes)
    mk.write_tree(read.model, tmp_path / "python.xml")
    (floor,) = mk.read_tree(tmp_path / "python.xml").model.project.planes
    assert floor.segment == "ground"
    assert (floor.placement.length_m, floor.placement.width_m) == (10.0, 8.0)  # type: ignore[union-attr]
    out = tmp_path / "again.xml"
    assert main(["export", str(tmp_path / "humanoid.json"), "--mjcf", str(out)]) == 0
    assert mujoco.MjModel.from_xml_path(str(out)).nbody > 5
    assert main(
        ["export", str(tmp_path / "humanoid.json"), "--urdf", str(tmp_path / "h.urdf")]
    ) in (0, 1)


@pytest.mark.seeded
@rows("seed", range(1000 if SEED else 100))
def test_a_damaged_file_gives_a_sentence(seed: int) -> None:
    rng = random.Random(f"{SEED}-{seed}")
    text = rng.choice((HUMANOID, ROBOT, random_tree(3)))
    for _ in range(rng.choice((1, 1, 3, 10))):
        at = rng.randrange(len(text))
        odd = rng.choice(
            (
                "",
                "0",
                "-",
                "<",
                "x",
                '"',
                "1e400",
                "nan ",
                " 5 5 5 5",
                "hinge",
                "free",
                "world",
                "\u0663",
            )
        )
        text = text[:at] + odd + text[at + rng.randrange(4) :]
    try:
        project = tree_of(text.encode()).project
    except (TreeError, ProjectError) as failure:
        assert str(failure)  # noqa: PT017
        return
    check(project)
