"""What files of trees say and nothing reads is named; flags, springs by time and groups act as in MuJoCo."""

from __future__ import annotations

import re

import mujoco
import numpy as np
import pytest

from solver.exchange.trees import TreeError, mjcf
from solver.exchange.trees.files import ReadTree, tree_of
from solver.exchange.trees.mjcf_options import CONTACT, IDLE, Axis, ReadNotes, mass_matrix
from solver.exchange.trees.xml import parsed
from tests.exchange.test_tree_limits import ROD
from tests.exchange.test_trees import HUMANOID, ROBOT, agree, in_mujoco, posed

ANGLES = {"pos", "quat", "euler", "axisangle", "xyaxes", "zaxis"}
READ = {
    "compiler": {"angle", "autolimits", "balanceinertia", "boundinertia", "boundmass", "coordinate", "eulerseq", "inertiafromgeom",
                 "inertiagrouprange", "settotalmass"},
    "option": {"gravity", "wind", "density", "viscosity", "magnetic"},
    "flag": {"gravity", "spring", "damper", "limit", "frictionloss", "equality", "constraint"},
    "body": {*ANGLES, "mocap", "gravcomp"},
    "inertial": {*ANGLES, "mass", "diaginertia", "fullinertia"},
    "freejoint": set[str](),
    "joint": {"type", "pos", "axis", "springdamper", "limited", "range", "solreflimit", "stiffness", "damping", "ref", "springref",
              "armature", "frictionloss"},
    "geom": {*ANGLES, "type", "size", "mass", "density", "fromto", "shellinertia", "mesh", "group", *CONTACT},
}  # fmt: skip
"""What the reader carries out, or tells of in a sentence of its own."""
MODEL = """<mujoco><compiler {compiler}/><option {option}><flag {flag}/></option><worldbody>
<body><freejoint {freejoint}/><geom size="1"/></body>
<body {body}><inertial pos="0 0 0" mass="1" diaginertia="1 1 1" {inertial}/><joint {joint}/><geom size="1" {geom}/></body></worldbody></mujoco>"""


def attributes() -> list[tuple[str, str]]:
    """Give every attribute that the installed MuJoCo knows of the elements that are read."""
    schema, found, tag = mujoco.mj_printSchema(False, False), list[tuple[str, str]](), ""
    within = {"joint", "geom"}
    seen = set[str]()
    for line in schema.splitlines():
        head = re.match(r"\s*(\S+) \((.)\)", line)
        if head:
            tag = head[1].replace("(world)", "")
            if tag in within and head[2] == "?":
                tag = ""  # of a default class: the same attributes
            seen.add(tag)
            line = line[head.end() :]
        found += [(tag, name) for name in line.split() if tag in READ]
    assert set(READ) <= seen
    return found


def read(**given: str) -> list[str]:
    usual = dict.fromkeys(READ, "")
    return [str(one) for one in tree_of(MODEL.format(**{**usual, **given}).encode()).notes]


def test_every_attribute_of_mujoco_is_read_idle_or_named() -> None:
    told = attributes()
    assert len(told) > 120
    for tag, name in told:
        if name in READ[tag]:
            continue
        idle = name in IDLE[tag]
        value = "disable" if tag == "flag" else "1"
        notes = read(**{tag: f'{name}="{value}"'}) if "class" not in name else []
        named = any(f"<{tag}>: not read: {name} " in one for one in notes)
        assert named != idle, (tag, name, notes)
    assert not any("not read" in one for one in read())


def test_what_an_element_has_of_its_class_is_named_too() -> None:
    text = HUMANOID.replace('<joint damping="0.3"', '<joint damping="0.3" margin="0.1"')
    assert any("<joint>: not read: margin" in str(one) for one in tree_of(text.encode()).notes)
    text = HUMANOID.replace('<freejoint name="root"/>', '<joint type="free"/>')
    assert any("of its free joint" in str(one) for one in tree_of(text.encode()).notes)
    assert not any("of its free joint" in str(one) for one in tree_of(HUMANOID.encode()).notes)
    text = HUMANOID.replace("<freejoint", "<weld/><site/><freejoint")
    assert any("<body>: not read: <weld>" in str(one) for one in tree_of(text.encode()).notes)
    with pytest.raises(TreeError, match="<attach> is not read"):
        tree_of(HUMANOID.replace("<freejoint", "<attach model='m'/><freejoint").encode())


@pytest.mark.parametrize("name", ["gravity", "spring", "constraint", "frictionloss", "limit"])
def test_flags_switch_off_what_they_switch_off_in_mujoco(name: str) -> None:
    limited = 'name="knee" range="20 60" frictionloss="3"'
    text = HUMANOID.replace('name="knee"', limited).replace(
        '<option gravity="0.3 -0.1 -9.81"/>',
        f'<option gravity="0.3 -0.1 -9.81"><flag {name}="disable"/></option>',
    )
    project = tree_of(text.encode()).project
    still = "spring" if name == "spring" else ""
    assert (project.gravity_m_per_s2 == (0.0, 0.0, 0.0)) == (name == "gravity")
    assert ("knee_lower_stop" not in {f.id for f in project.coordinate_forces}) == (name in ("constraint", "limit"))  # fmt: skip
    knee = next(one for one in project.joints if one.id == "knee")
    assert (knee.friction.coulomb_nm == 0.0) == (name in ("constraint", "frictionloss"))  # type: ignore[union-attr]
    assert still == "" or not any(law.kind == "linear" for f in project.coordinate_forces for law in f.laws)  # fmt: skip
    if name in ("gravity", "spring"):  # from rest MuJoCo's own limits and friction are another law
        plain = HUMANOID.replace('gravity="0.3 -0.1 -9.81"/>', f'gravity="0.3 -0.1 -9.81"><flag {name}="disable"/></option>')  # fmt: skip
        turned = posed(tree_of(plain.encode()).project)
        agree(turned, plain, [s.id for s in turned.segments if s.mass_kg > 0.0], like=turned)


def test_dampers_can_be_switched_off_and_flags_say_disable() -> None:
    for flag in ("damper", "passive"):
        text = HUMANOID.replace('9.81"/>', f'9.81"><flag {flag}="disable"/></option>')
        project = tree_of(text.encode()).project
        assert not any(getattr(one, "friction", None) and one.friction.viscous_nms_per_rad for one in project.joints)  # type: ignore[union-attr]  # fmt: skip
        assert any(f.laws for f in project.coordinate_forces) == (flag == "damper")
    with pytest.raises(TreeError, match="gravity: it is neither enable nor disable"):
        read(flag='gravity="off"')


def axes(text: str) -> dict[str, Axis]:
    model = mjcf.read_mjcf(parsed(text.encode()), ReadNotes())
    return {one.name: one for body in model.bodies for one in body.joints}


def test_springs_by_time_and_ratio_are_those_of_mujoco() -> None:
    text = HUMANOID
    for name, more in (
        ("knee", 'springdamper="0.1 0.7"'), ("reach", 'springdamper="0.05 0.3" armature="0.4"'), ("hip_x", 'armature="0.2"'),
        ("abdomen_y", 'springdamper="0.2 1.5" ref="4"'),
    ):  # fmt: skip
        text = text.replace(f'name="{name}"', f'name="{name}" {more}')
    model, ours = in_mujoco(text), axes(text)
    compared = 0
    for j in range(1, model.njnt):
        one = ours[model.joint(j).name]
        assert one.stiffness == pytest.approx(model.jnt_stiffness[j], rel=1e-9)
        assert one.damping == pytest.approx(model.dof_damping[model.jnt_dofadr[j]], rel=1e-9)
        compared += one.springdamper is not None
    assert compared == 3
    with pytest.raises(TreeError, match="springdamper: its two numbers are above zero"):
        axes(ROD.format(more='springdamper="0.2 0"'))
    ball = ROD.format(more='type="ball" springdamper="0.1 1"')
    told, model = axes(ball), in_mujoco(ball)
    assert told["pivot"].damping == pytest.approx(model.dof_damping[0], rel=1e-9)


def test_groups_of_geoms_that_weigh() -> None:
    text = HUMANOID.replace('<compiler angle="degree"/>', '<compiler angle="degree" inertiagrouprange="0 1"/>')  # fmt: skip
    text = text.replace('name="head"', 'name="head" group="2"').replace('type="box"', 'type="box" group="3"')  # fmt: skip
    project = tree_of(text.encode()).project
    theirs = in_mujoco(text).body("torso").mass[0]
    assert next(one.mass_kg for one in project.segments if one.id == "torso") == pytest.approx(theirs, rel=1e-12)  # fmt: skip
    assert theirs < 0.9 * in_mujoco(HUMANOID).body("torso").mass[0]
    agree(project, text, [s.id for s in project.segments if s.mass_kg > 0.0])


def test_the_first_numbers_of_a_list_leave_the_others_to_the_class() -> None:
    text = """<mujoco><default><joint solreflimit="0.04 0.5"/><geom type="capsule" size="0.1 0.4"/></default><worldbody><body name="b">
    <joint name="j" axis="0 1 0" range="-1 1" {more}/><geom size="0.05" pos="0.3 0 0"/></body></worldbody></mujoco>"""
    told = text.format(more='solreflimit="0.03"')
    assert axes(told)["j"].end_time == pytest.approx(0.03 * 0.5)
    assert in_mujoco(told).jnt_solref[0] == pytest.approx([0.03, 0.5])
    (segment,) = tree_of(told.encode()).project.segments
    assert segment.mass_kg == pytest.approx(in_mujoco(told).body("b").mass[0], rel=1e-12)
    alone = axes(ROD.format(more='range="-40 15" solreflimit="0.05"'))
    assert alone["pivot"].end_time == pytest.approx(0.05)
    with pytest.raises(TreeError, match="solreflimit: it does not hold as many"):
        axes(ROD.format(more='range="-40 15" solreflimit="0.05 1 1"'))


def robot(*changes: tuple[str, str]) -> ReadTree:
    text = ROBOT
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    return tree_of(text.encode())


def test_a_robot_s_endless_limits_are_none_and_unread_parts_are_named() -> None:
    limit = 'lower="-1" upper="1"'
    assert len(robot().project.coordinate_forces) == 4
    for endless in ("1e16", "1e300", "inf"):
        assert not robot((limit, f'lower="-{endless}" upper="{endless}"')).project.coordinate_forces
    with pytest.raises(TreeError, match="lower: its numbers are not finite"):
        robot((limit, 'lower="nan" upper="1"'))
    with pytest.raises(TreeError, match="value: its numbers are beyond 1e15"):
        robot(('<mass value="2"/>', '<mass value="1e16"/>'))
    more = '<dynamics damping=".4" stick="3"/><safety_controller soft="1"/>'
    notes = robot(('<dynamics damping=".4"/>', more), ("</robot>", "<loop/></robot>")).notes
    said = " ".join(map(str, notes))
    for part in ("<joint>: not read: <safety_controller>", "<joint> <dynamics>: not read: stick", "Parts of the kind loop"):  # fmt: skip
        assert part in said
    assert "not read" not in " ".join(map(str, robot().notes))


def test_the_mass_matrix_is_that_of_mujoco() -> None:
    told, model = ReadNotes(), in_mujoco(HUMANOID)
    ours = mass_matrix(mjcf.read_mjcf(parsed(HUMANOID.encode()), told).bodies)
    data, full = mujoco.MjData(model), np.zeros((model.nv, model.nv))
    mujoco.mj_forward(model, data)
    mujoco.mj_fullM(model, data, full)
    assert np.abs(ours - full).max() < 1e-12 * np.abs(full).max()
