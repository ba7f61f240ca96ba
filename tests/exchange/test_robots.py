"""URDF: robots move as in Pinocchio, whatever kinds of joints they have and whatever attribute is missing; what differs is said."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import pytest

from solver.exchange.trees import TreeError, read_tree
from solver.exchange.trees.files import tree_of
from solver.project.checks import check
from tests.exploring import SEED

LINK = "<link name='{}'><inertial><origin xyz='.1 .02 -.03' rpy='.2 -.1 .4'/><mass value='{}'/><inertia ixx='.02' iyy='.03' izz='.04' ixy='.001' ixz='-.002' iyz='.003'/></inertial></link>"
JOINT = "<joint name='{}' type='{}'><parent link='{}'/><child link='{}'/><origin xyz='.3 -.1 .2' rpy='.1 .5 -.2'/>{}</joint>\n"
WHOLE = (
    "\n \n<?xml version='1.0'?><robot name='all kinds'>" + "<link name='world'/>"
    + "\n".join(LINK.format(name, 1 + n) for n, name in enumerate(("cart", "arm", "hand", "left: 1", "right 2", "flown", "tail", "box", "post")))
    + JOINT.format("on floor", "planar", "world", "cart", "<axis xyz='0 0 1'/>")
    + JOINT.format("shoulder", "revolute", "cart", "arm", "<axis xyz='0 3 4'/><limit lower='-2' upper='1' effort='3' velocity='4'/><dynamics damping='.7'/>")
    + JOINT.format("wrist", "continuous", "arm", "hand", "<axis xyz='1 0 1'/><dynamics damping='.2'/>")
    + JOINT.format("one", "prismatic", "hand", "left: 1", "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='3' velocity='4'/>")
    + JOINT.format("two", "prismatic", "hand", "right 2", "<limit lower='-1' upper='1' effort='3' velocity='4'/><mimic joint='one' multiplier='-.8' offset='.1'/>")
    + JOINT.format("stands", "fixed", "world", "post", "")
    + JOINT.format("let go", "floating", "post", "flown", "")
    + JOINT.format("wags", "revolute", "flown", "tail", "<axis xyz='0 0 1'/><limit lower='-2' upper='1' effort='3' velocity='4'/>")
    + JOINT.format("glued", "fixed", "tail", "box", "<axis xyz='0 0 0'/>")
    + "</robot>"
)  # fmt: skip
TAKEN = re.compile(r" (\w+)='[^']*'")


def apart(text: str, folder: Path) -> float:
    robots = pytest.importorskip("tools.robots")
    file = folder / "robot.urdf"
    file.write_text(text)
    return float(robots.apart(read_tree(file).project, file))


def test_every_kind_of_joint_moves_as_in_pinocchio(tmp_path: Path) -> None:
    """Floating, planar, followed, fixed ones; names with blanks and colons; blank lines before the declaration."""
    pytest.importorskip("pinocchio")
    assert apart(WHOLE, tmp_path) < 1e-12
    made = tree_of(WHOLE.encode()).project
    assert {one.kind for one in made.joints} == {"locked", "slip", "pin"}
    assert [one.segment for one in made.initial.roots] == ["flown"]


def test_what_follows_a_joint_that_follows_moves_as_in_pinocchio(tmp_path: Path) -> None:
    """By the multipliers of its matrices; the last one leads none."""
    pytest.importorskip("pinocchio")
    more = (
        LINK.format("third", 2) + LINK.format("fourth", 3)
        + JOINT.format("four", "continuous", "third", "fourth", "<axis xyz='0 1 0'/><mimic joint='three' multiplier='-1'/>")
        + JOINT.format("three", "continuous", "left: 1", "third", "<mimic joint='two' multiplier='1.5' offset='-.05'/>")
    )  # fmt: skip
    assert apart(WHOLE.replace("</robot>", more + "</robot>"), tmp_path) < 1e-12


def test_an_attribute_that_is_taken_away_acts_as_in_pinocchio_or_is_told(tmp_path: Path) -> None:
    """Of a fifth of all attributes; the others come with another seed."""
    pin = pytest.importorskip("pinocchio")
    places, compared, told = list(TAKEN.finditer(WHOLE)), 0, 0
    usual = {str(one) for one in tree_of(WHOLE.encode()).notes}
    for one in np.random.default_rng(SEED).permutation(len(places))[: len(places) // 5]:
        text = WHOLE[: places[one].start()] + WHOLE[places[one].end() :]
        try:
            pin.buildModelFromXML(text.strip())
            notes = {str(note) for note in tree_of(text.encode()).notes}
        except (ValueError, TreeError):
            continue
        if notes - usual:
            told += 1
            continue
        assert apart(text, tmp_path) < 1e-9, places[one][0]
        compared += 1
    assert compared + told > 5


def test_a_robot_without_any_mass_stands_with_its_slides_and_pins_held() -> None:
    """It is read without an error, as it is drawn; the locked slides of links without mass were an error of the checks."""
    links = re.sub(r"<inertial>.*?</inertial>", "", WHOLE.replace("'planar'", "'prismatic'"))
    made = tree_of(links.replace("'floating'", "'continuous'").encode())
    assert not [one for one in check(made.project) if one.severity == "error"]
    assert any("Locked, as they carry bodies without mass" in str(one) for one in made.notes)


def test_a_root_without_mass_stands_and_what_the_sentence_asks_for_frees_it() -> None:
    robot = "<robot name='r'><link name='base'/>" + LINK.format("trunk", 5.0) + JOINT.format("on it", "fixed", "base", "trunk", "") + "</robot>"  # fmt: skip
    fixed = tree_of(robot.encode(), "r.urdf")
    assert any("Give it an <inertial> with a small mass" in str(one) for one in fixed.notes)
    assert not fixed.project.initial.roots
    light = "<link name='base'><inertial><mass value='0.001'/><inertia ixx='1e-6' iyy='1e-6' izz='1e-6' ixy='0' ixz='0' iyz='0'/></inertial></link>"
    freed = tree_of(robot.replace("<link name='base'/>", light).encode(), "r.urdf")
    assert [one.segment for one in freed.project.initial.roots] == ["base"]
    assert not any("fixed to the ground" in str(one) for one in freed.notes)


def test_a_spherical_joint_of_bullet_is_a_ball() -> None:
    text = WHOLE.replace("'planar'", "'spherical'").replace("<axis xyz='0 0 1'/></joint>", "</joint>", 1)  # fmt: skip
    assert "ball" in {one.kind for one in tree_of(text.encode()).project.joints}


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("<link name='world'/>", "<xacro:arm/>", "Line 3: <xacro:arm> is a macro, and nothing is run here. Expand the file first: xacro FILE > robot.urdf."),
        (" xyz='.1 .02 -.03'", " xyz='0,1 0 0'", "Line 3, <origin>, xyz: '0,1' is no number: write a point, not a comma."),
        (" xyz='.1 .02 -.03'", " xyz='1_0 0 0'", "'1_0' is no number"),
        (" xyz='.1 .02 -.03'", " xyz='1 0'", "Line 3, <origin>, xyz: it holds 2 numbers instead of 3."),
        ("'box'>", "'tail'>", "Line 10: a link on line 9 is called 'tail' already; give one another name."),
        ("child link='box'", "child link='cart'", "joint 'glued' carries 'cart', as does another one on line 11; such a file is a tree."),
        ("child link='box'", "child link='bax'", "<child>, link: the file has no link 'bax'."),
        ("'planar'", "'screw'", "type: 'screw' is none of revolute, continuous, prismatic, spherical"),
        ("<axis xyz='0 3 4'/>", "<axis xyz='1e-308 0 0'/>", "<axis>, xyz: it has no length."),
    ],
)  # fmt: skip
def test_what_no_robot_says_is_refused_with_its_line(old: str, new: str, said: str) -> None:
    assert old in WHOLE
    with pytest.raises(TreeError) as failure:
        tree_of(WHOLE.replace(old, new, 1).encode())
    assert said in str(failure.value)


def test_what_a_robot_says_and_nothing_does_is_named_once() -> None:
    more = "<gazebo reference='arm'><mu1>1</mu1><selfCollide/></gazebo><transmission name='t'/></robot>"
    text = WHOLE.replace("</robot>", more).replace("mimic joint='one'", "mimic joint='none'").replace(" ixz='-.002'", "")  # fmt: skip
    said = [str(one) for one in tree_of(text.replace("ixx='.02'", "ixx='-.2'").encode()).notes]
    for part in (
        "Parts beside links and joints are left out (1): transmission.",
        "Told to a simulator, and left out here (2): gazebo mu1, gazebo selfCollide.",
        "Products of inertia that are missing count as 0 (9 links); the reader of ROS drops the whole inertia of such links: cart, post, ",
        "Limits of effort and velocity are those of drives, of which the file has none (4 joints): shoulder, one, two, wags.",
        "the joint that it should follow, 'none', is no other joint of the file",
        "No body has a moment of inertia below zero; here it is zero (9 bodies)",
    ):
        assert sum(part in one for one in said) == 1, part
    assert len(said) == len(set(said)) < 10


def test_a_robot_in_another_encoding_is_read() -> None:
    for coding in ("utf-16", "utf-8-sig"):
        text = WHOLE.strip().replace("all kinds", "Größe")
        assert tree_of(text.encode(coding)).project.title == "Größe"


def test_files_near_to_robots_say_what_to_do(tmp_path: Path) -> None:
    from solver.exchange.any_model import read_model

    for name, text, said in (
        ("a.xacro", "<robot xmlns:xacro='x'><xacro:include filename='b'/></robot>", "Expand the file first: xacro FILE > robot.urdf."),
        ("a.world", "<sdf version='1.6'><world/></sdf>", "Give it as URDF or as a model of MuJoCo."),
    ):  # fmt: skip
        (tmp_path / name).write_text(text)
        with pytest.raises(TreeError, match=re.escape(said)):
            read_model(tmp_path / name)
