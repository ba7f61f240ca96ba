"""What files of trees say and nothing reads is named; flags, springs by time and groups act as in MuJoCo."""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path

import numpy as np
import pytest

from solver.exchange.trees import TreeError, read_tree
from solver.exchange.trees.files import ReadTree, tree_lines, tree_of
from solver.project.reading import validated
from tests.exchange.test_trees import HUMANOID, ROBOT, agree, in_mujoco, names, posed
from tests.exploring import SEED

READ = {
    "body": {"gravcomp", "geomadr", "geomnum", "inertia", "ipos", "iquat", "mass", "mocapid", "parentid", "pos", "quat"},
    "jnt": {"actgravcomp", "axis", "bodyid", "dofadr", "limited", "pos", "qposadr", "range", "solref", "springyield", "stiffness",
            "stiffnesspoly", "type"},
    "dof": {"armature", "damping", "dampingpoly", "frictionloss", "invweight0"},
    "eq": {"active0", "data", "obj1id", "obj2id", "objtype", "type"},
    "tendon": {"actfrclimited", "actfrcrange", "adr", "armature", "damping", "dampingpoly", "frictionloss", "invweight0", "length0", "lengthspring", "limited",
               "num", "range", "solref_lim", "springyield", "stiffness", "stiffnesspoly"},
    "actuator": {"acc0", "actadr", "armature", "biasprm", "biastype", "ctrladr", "ctrllimited", "ctrlnum", "ctrlrange", "damping", "dampingpoly", "dynprm", "dyntype", "forcelimited",
                 "forcerange", "gainprm", "gaintype", "gear", "lengthrange", "outadr", "outnum", "trnid", "trntype"},
}  # fmt: skip
"""Arrays of a compiled model that are carried out, or told of in a sentence of their own."""
IDLE = {
    "body": {"bvhadr", "bvhnum", "conaffinity", "contype", "dofadr", "dofnum", "invweight0", "jntadr", "jntnum", "margin", "plugin",
             "rootid", "sameframe", "simple", "subtreemass", "treeid", "user", "weldid"},
    "jnt": {"actfrclimited", "actfrcrange", "actuatorid", "group", "margin", "plasticadr", "solimp", "user"},
    "dof": {"M0", "Madr", "bodyid", "jntid", "length", "parentid", "simplenum", "solimp", "solref", "treeid"},
    "eq": {"solimp", "solref"},
    "tendon": {"actuatorid", "group", "margin", "matid", "plasticadr", "rgba",
               "solimp_fri", "solimp_lim", "solref_fri", "treeid", "treenum", "type", "user", "width"},
    "actuator": {"actearly", "actlimited", "actnum", "actrange", "cranklength", "ctrlspec",
                 "delay", "group", "history", "historyadr", "length0", "plugin", "user"},
}  # fmt: skip
"""Arrays that do nothing to a motion here: numbers of the program's own, drawing, softness, limits of drives, contacts."""


def test_every_array_of_a_compiled_model_is_read_or_idle() -> None:
    """A version of MuJoCo that says more is seen here first."""
    model = in_mujoco(HUMANOID)
    for kind, read in READ.items():
        told = {name.removeprefix(f"{kind}_") for name in dir(model) if name.startswith(f"{kind}_")}
        assert told == read | IDLE[kind], kind
        assert not read & IDLE[kind]


TAKEN = re.compile(r' (\w+)=("[^"]*"|\'[^\']*\')')
FULL = HUMANOID.replace('name="knee"', 'name="knee" armature="0.2" ref="9"').replace(
    "</mujoco>", """<tendon><spatial name="line" stiffness="70" damping="3" springlength="0.1"><site site="a"/><site site="b"/></spatial></tendon>
    <actuator><position name="held" joint="ankle_y" kp="6" kv="0.4" gear="2"/></actuator></mujoco>"""
).replace('<geom name="head"', '<site name="a" pos="0.1 0 0"/><geom name="head"').replace('<geom type="cylinder"', '<site name="b"/><geom type="cylinder"')  # fmt: skip


def test_an_attribute_that_is_taken_away_changes_here_what_it_changes_in_mujoco() -> None:
    """Of half of all attributes; the others come with another seed."""
    agree(tree_of(FULL.encode()).project, FULL, names(in_mujoco(FULL)))
    places = [one for one in TAKEN.finditer(FULL) if one[1] not in ("name", "site", "joint")]
    compared = 0
    for one in np.random.default_rng(SEED).permutation(len(places))[: len(places) // 2]:
        text = FULL[: places[one].start()] + FULL[places[one].end() :]
        try:
            model = in_mujoco(text)
        except ValueError:
            continue
        agree(tree_of(text.encode()).project, text, names(model))
        compared += 1
    assert compared > 25


def test_what_else_a_compiled_model_does_is_named() -> None:
    for old, new, said in (
        ('name="knee"', 'name="knee" stiffness="1 2"', "only the linear part"),
        ('name="knee"', 'name="knee" type="ball" range="0 40" limited="true"', "stops on the size of their turn"),
        ('<option gravity="0.3 -0.1 -9.81"/>', '<option density="1.2"/><default><geom fluidshape="ellipsoid"/></default>', "(fluidshape) is left out, for: torso"),
        ("</mujoco>", '<actuator><motor name="m" joint="knee"/></actuator></mujoco>', "block 'control' of the force on the coordinate): m"),
        ("</mujoco>", '<tendon><fixed name="t" stiffness="3"><joint joint="knee" coef="1"/><joint joint="ankle_y" coef="2"/></fixed></tendon></mujoco>', "what pulls on it acts on the last one: t"),
        ("</mujoco>", '<sensor><gyro site="s"/></sensor></mujoco>', "Sensors are left out"),
    ):  # fmt: skip
        assert old in HUMANOID
        text = HUMANOID.replace(old, new).replace('<geom name="head"', '<site name="s"/><geom name="head"')  # fmt: skip
        notes = " ".join(map(str, tree_of(text.encode()).notes))
        assert said in notes, notes
    assert not any(word in " ".join(map(str, tree_of(HUMANOID.encode()).notes)) for word in ("left out:", "linear part"))  # fmt: skip


def test_other_files_are_opened_in_the_folder_of_the_model_alone(tmp_path: Path) -> None:
    (tmp_path / "model").mkdir()
    (tmp_path / "parts.xml").write_text('<mujoco><default><geom size="0.2"/></default></mujoco>')
    file = tmp_path / "model" / "whole.xml"
    file.write_text('<mujoco><include file="../parts.xml"/><worldbody><body><freejoint/><geom/></body></worldbody></mujoco>')  # fmt: skip
    with pytest.raises(TreeError, match=r"Line 1: '.*parts.xml' lies beyond the folder"):
        read_tree(file)
    (one,) = read_tree(file, within=tmp_path).project.segments
    assert one.mass_kg == pytest.approx(1000.0 * 4.0 / 3.0 * np.pi * 0.2**3)
    (tmp_path / "model" / "link.xml").symlink_to(tmp_path / "parts.xml")
    file.write_text(file.read_text().replace("../parts.xml", "link.xml"))
    with pytest.raises(TreeError, match="lies beyond the folder"):
        read_tree(file)
    with pytest.raises(TreeError, match="other files are not opened here"):
        tree_of(file.read_bytes())


def test_bombs_end_in_a_sentence(tmp_path: Path) -> None:
    file = tmp_path / "bomb.xml"
    inner = "<body><joint/><geom size='.1'/></body>"
    for _ in range(5):
        inner = f"<replicate count='100' offset='1 0 0'>{inner}</replicate>"
    file.write_text(f"<mujoco><worldbody>{inner}</worldbody></mujoco>")
    with pytest.raises(TreeError, match="count: it asks for more bodies"):
        read_tree(file)
    file.write_text('<mujoco><include file="bomb.xml"/></mujoco>')
    with pytest.raises(TreeError, match="MuJoCo cannot read it"):
        read_tree(file)
    file.write_text("<mujoco><asset><model name='m' file='part.xml'/></asset><worldbody><replicate count='9000'><attach model='m' body='b' prefix='p'/></replicate></worldbody></mujoco>")  # fmt: skip
    (tmp_path / "part.xml").write_text(f"<mujoco><worldbody><body name='b'>{'<site/>' * 200}</body></worldbody></mujoco>")  # fmt: skip
    with pytest.raises(TreeError, match="<attach> asks for more bodies"):
        read_tree(file)
    file.write_text('<mujoco><worldbody><replicate count="9000"><include file="part.xml"/></replicate></worldbody></mujoco>')  # fmt: skip
    (tmp_path / "part.xml").write_text('<mujoco><replicate count="+90"><body><geom size=".1"/></body></replicate></mujoco>')  # fmt: skip
    with pytest.raises(TreeError, match="count: it asks for more bodies"):
        read_tree(file)


MESH = "<asset><mesh name='s' file='{}'/></asset>"


@pytest.mark.parametrize(
    ("main", "more"),
    [
        (MESH.format("../secret.obj"), ""),
        (MESH.format("{whole}/secret.obj"), ""),
        (MESH.format("//elsewhere/share/secret.obj"), ""),
        (MESH.format("linked.obj"), ""),
        ("<compiler meshdir='..'/>" + MESH.format("secret.obj"), ""),
        ("<compiler meshdir='//elsewhere/share'/>" + MESH.format("secret.obj"), ""),
        ("<compiler meshdir='.'/><compiler assetdir='..'/>" + MESH.format("secret.obj"), ""),
        ("<compiler meshdir='..'/><include file='more.xml'/>", MESH.format("secret.obj")),
        ("<include file='more.xml'/>" + MESH.format("secret.obj"), "<compiler meshdir='..'/>"),
        ("<asset><model name='m' file='more.xml'/></asset>", MESH.format("../secret.obj")),
        ("<asset><hfield name='h' size='1 1 1 1' file='../secret.obj'/></asset>", ""),
    ],
)  # fmt: skip
def test_no_way_to_name_a_file_leads_out_of_the_folder(
    main: str, more: str, tmp_path: Path
) -> None:
    """Folders of meshes that another of its files sets, whole paths, other machines, links."""
    corners = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n"
    (tmp_path / "secret.obj").write_text(corners)
    own = tmp_path / "own"
    own.mkdir()
    (own / "linked.obj").symlink_to(tmp_path / "secret.obj")
    (own / "more.xml").write_text(f"<mujoco>{more}</mujoco>")
    body = "<worldbody><body><freejoint/><geom type='mesh' mesh='s'/></body></worldbody>"
    file = own / "main.xml"
    file.write_text(f"<mujoco>{main.replace('{whole}', str(tmp_path))}{body}</mujoco>")
    with pytest.raises(TreeError, match=r"Line 1: '.*secret.obj' lies beyond the folder"):
        read_tree(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes have names here")
def test_a_model_that_names_a_pipe_is_refused(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.xml")
    file = tmp_path / "main.xml"
    file.write_text("<mujoco><include file='pipe.xml'/></mujoco>")
    with pytest.raises(TreeError, match=r"Line 1: 'pipe.xml' is no ordinary file"):
        read_tree(file)


def test_without_mujoco_a_sentence_says_how_to_have_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "mujoco", None)
    with pytest.raises(TreeError, match=r"library mujoco, which is not installed"):
        tree_of(HUMANOID.encode())
    assert tree_of(ROBOT.encode()).project.segments


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


def test_a_light_may_have_a_texture() -> None:
    """Textures are not compiled, and lights named them still."""
    text = HUMANOID.replace("<worldbody>", '<asset><texture name="t" type="2d" builtin="flat" width="8" height="8"/></asset><worldbody><light type="image" texture="t"/>')  # fmt: skip
    assert in_mujoco(text).nlight == 1
    assert len(tree_of(text.encode()).project.segments) == len(tree_of(HUMANOID.encode()).project.segments)  # fmt: skip


def test_dampers_can_be_switched_off_and_flags_say_disable() -> None:
    text = HUMANOID.replace('9.81"/>', '9.81"><flag damper="disable"/></option>')
    project = tree_of(text.encode()).project
    assert not any(getattr(one, "friction", None) and one.friction.viscous_nms_per_rad for one in project.joints)  # type: ignore[union-attr]  # fmt: skip
    assert any(f.laws for f in project.coordinate_forces)
    with pytest.raises(TreeError, match="MuJoCo cannot read it: XML Error: invalid keyword: 'off'"):
        tree_of(HUMANOID.replace('9.81"/>', '9.81"><flag gravity="off"/></option>').encode())


def test_groups_of_geoms_that_weigh() -> None:
    text = HUMANOID.replace('<compiler angle="degree"/>', '<compiler angle="degree" inertiagrouprange="0 1"/>')  # fmt: skip
    text = text.replace('name="head"', 'name="head" group="2"').replace('type="box"', 'type="box" group="3"')  # fmt: skip
    project = tree_of(text.encode()).project
    theirs = in_mujoco(text).body("torso").mass[0]
    assert next(one.mass_kg for one in project.segments if one.id == "torso") == pytest.approx(theirs, rel=1e-12)  # fmt: skip
    assert theirs < 0.9 * in_mujoco(HUMANOID).body("torso").mass[0]
    agree(project, text, [s.id for s in project.segments if s.mass_kg > 0.0])


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
    for part in ("<joint>: not read: <safety_controller>", "<joint> <dynamics>: not read: stick", "Parts beside links and joints are left out (1): loop"):  # fmt: skip
        assert part in said
    assert "not read" not in " ".join(map(str, robot().notes))


def test_what_is_written_keeps_limits_drives_and_their_inertia() -> None:
    """And read again it is the same; a stop of one's own that is no line is named."""
    text = FULL.replace('name="ankle_x"', 'name="ankle_x" range="-20 30" solreflimit="0.04 0.5"')
    project = tree_of(text.encode()).project
    lines, left = tree_lines(project, as_urdf=False)
    written = "\n".join(lines)
    model = in_mujoco(written)
    assert model.joint("ankle_x").range == pytest.approx(np.radians([-20.0, 30.0]))
    assert model.jnt_solref[model.joint("ankle_x").id] == pytest.approx([0.02, 1.0])
    assert model.dof_armature[model.joint("knee").dofadr[0]] == pytest.approx(0.2)
    again = tree_of(written.encode()).project
    for one in ("ankle_x_lower_stop", "ankle_x_upper_stop", "held"):
        laws = [
            next(f.laws for f in of.coordinate_forces if f.id == one) for of in (project, again)
        ]
        assert laws[0][0] == laws[1][0]
    assert not any("ankle_x" in str(one) or "held" in str(one) for one in left)
    assert "Forces on coordinates are left out (1): line." in map(str, left)
    curve = next(n for n, one in enumerate(project.functions) if one.id == "ankle_x_upper_stop")
    data = project.model_dump()
    data["functions"][curve]["form"] = {"kind": "table", "x": [0.0, 0.1, 0.2], "y": [0.0, 5.0, 40.0]}  # fmt: skip
    _, left = tree_lines(validated(data), as_urdf=False)
    assert "Forces on coordinates are left out (2): line, ankle_x_upper_stop." in map(str, left)


def test_what_mujoco_warns_of_is_a_note_and_stands_nowhere_else(
    tmp_path: Path, capfd: pytest.CaptureFixture[str], recwarn: pytest.WarningsRecorder
) -> None:
    (tmp_path / "part.xml").write_text('<mujoco model="part"><option timestep="0.01" gravity="0 0 -3"/><worldbody><body name="b"><joint/><geom size=".1"/></body></worldbody></mujoco>')  # fmt: skip
    file = tmp_path / "whole.xml"
    file.write_text('<mujoco model="whole"><asset><model name="m" file="part.xml"/></asset><worldbody><attach model="m" body="b" prefix="p"/></worldbody></mujoco>')  # fmt: skip
    told = [str(one) for one in read_tree(file).notes if "MuJoCo warns" in str(one)]
    assert len(told) == 1
    assert "'m'" in told[0]
    assert "gravity: parent has 0 0 -9.81 (default), child has 0 0 -3" in told[0]
    assert not list(recwarn)
    assert capfd.readouterr().err == ""
    assert sorted(one.name for one in tmp_path.iterdir()) == ["part.xml", "whole.xml"]
