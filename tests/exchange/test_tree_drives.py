"""Free joints with springs, dampers and armature, weight that is carried, held joints, motors with controls and key frames, as in MuJoCo."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import manikin as mk
from solver.cli import main
from solver.exchange.trees import TreeError, read_tree
from solver.exchange.trees.files import ReadTree, tree_of
from solver.project.checks import check
from solver.project.reading import validated
from tools.moving import apart

TREE = """<mujoco><compiler angle="radian"/><option gravity="0.4 -0.7 -9.5" {option}>{flags}</option><worldbody>
<body name="cup" pos="0.1 0.2 0.9" euler="0.3 -0.2 0.5"><joint name="free" type="free" {free}/>
<inertial pos="0.03 -0.01 0.05" mass="1.3" diaginertia="0.011 0.017 0.02" quat="1 0.2 0.1 0"/>
<body name="arm" pos="0.1 0 0.2" {arm}><joint name="hinge" axis="0.2 1 0.1" ref="0.3" pos="0.02 0 0" {hinge}/><geom type="capsule" size="0.03" fromto="0 0 0 0.3 0.1 0"/>
<body name="rod" pos="0.3 0.1 0"><joint name="slide" type="slide" axis="1 0.3 0" {slide}/><geom size="0.05" pos="0 0 0.04"/></body></body></body>
</worldbody>{more}</mujoco>"""


def tree(**parts: str) -> str:
    return TREE.format(**{name: parts.get(name, "") for name in ("option", "flags", "free", "arm", "hinge", "slide", "more")})  # fmt: skip


def read(text: str, keyframe: str = "") -> ReadTree:
    return tree_of(text.encode(), keyframe=keyframe)


@pytest.mark.parametrize(
    "parts",
    [
        {"free": 'damping="0.7"'},
        {"free": 'stiffness="31"'},
        {"free": 'armature="0.4"'},
        {"free": 'damping="0.3" stiffness="12" armature="0.2"', "arm": 'gravcomp="0.6"'},
        {"arm": 'gravcomp="1.4"', "hinge": 'actuatorgravcomp="true"', "more": '<actuator><motor joint="slide"/></actuator>'},
        {"arm": 'gravcomp="1.4"', "free": 'armature="0.4"', "flags": '<flag gravity="disable"/>'},
        {"slide": 'damping="1e11"'},
        {"hinge": 'damping="1e11" range="-1 1" stiffness="3"'},
        {"option": 'density="700"'},
        {"option": 'viscosity="0.9"'},
        {"option": 'density="1200" viscosity="0.3" wind="3 -2 1"', "free": 'damping="0.2"'},
    ],
)  # fmt: skip
def test_free_joints_and_carried_weight_move_as_in_mujoco(parts: dict[str, str]) -> None:
    """At a random moving state, turned and shifted from where springs are at rest."""
    text = tree(**parts)
    project = read(text).project
    assert apart(project, mujoco.MjModel.from_xml_string(text)) < 1e-12  # type: ignore[operator]


BALLS = """<mujoco><option gravity="0.4 -0.7 -9.5"/><worldbody><body name="a" pos="0 0 1"><joint type="ball" {one}/><geom size="0.2 0.1 0.05" type="box" pos="0.1 0.02 -0.2"/>
<body name="b" pos="0.1 0.2 0.3" euler="20 10 30"><joint type="ball" pos="0.1 0 0.02" {two}/><geom size="0.1 0.05 0.15" type="ellipsoid" pos="0 0.1 0.1"/>
<body name="c" pos="0.2 0 0.1"><joint axis="1 2 3" armature="0.02"/><geom type="capsule" size="0.03 0.2" pos="0 0.2 0.1"/>
<body name="d" pos="0 0.3 0"><joint type="ball" damping="0.2" {three}/><geom size="0.06" pos="0.1 0 0"/></body></body></body></body>
<body name="e" pos="3 0 0"><freejoint/><geom size="0.1"/><body name="f" pos="0.1 0 0"><joint type="ball" {two}/><geom type="box" size="0.1 0.2 0.05" pos="0.1 0 0"/></body></body>
</worldbody></mujoco>"""


@pytest.mark.parametrize("numbers", [(0.3, 0.0, 0.0), (0.0, 0.2, 0.0), (0.3, 0.2, 0.05)])
def test_drives_of_balls_weigh_as_in_mujoco(numbers: tuple[float, ...]) -> None:
    """On the ground, and between bodies that turn; the account of energy closes."""
    names = zip(("one", "two", "three"), numbers, strict=True)
    text = BALLS.format(**{name: f'armature="{number}"' for name, number in names})
    project = read(text).project
    assert apart(project, mujoco.MjModel.from_xml_string(text)) < 1e-12  # type: ignore[operator]
    run = mk.run(mk.Model(project), until=0.3)
    energy = run["energy/balance"].value
    assert abs(energy).max() < 1e-6 * np.ptp(run["energy/potential"].value)


def test_a_joint_whose_damper_stops_it_at_once_is_held_and_named() -> None:
    text = tree(slide='damping="1e11"')
    made = read(text)
    said, *more = [str(one) for one in made.notes if "is held" in str(one)]
    assert not more
    assert said == "Joint 'slide' is held: its damper stops what it carries within 5e-12 s."
    assert mk.run(mk.Model(made.project), until=0.05)
    assert not any("is held" in str(one) for one in read(tree(slide='damping="1e4"')).notes)


MOTORS = """<actuator>
<motor name="plain" joint="hinge" gear="-3"/>
<motor name="limited" joint="slide" gear="2" ctrlrange="-0.2 0.3" forcerange="-0.15 0.5"/>
<general name="slow" joint="hinge" dyntype="filter" dynprm="0.07" gainprm="5" biastype="affine" biasprm="0.3 -2 -0.4" gear="1.5"/>
<general name="sums" joint="slide" dyntype="integrator" actrange="-0.5 0.5" gainprm="4"/>
<general name="bends" joint="hinge" gaintype="affine" gainprm="2 3 -1" biastype="affine" biasprm="0.1 0 -0.2" gear="0.7"/>
<general name="heavy" joint="slide" armature="0.3" damping="0.8" gear="2"/>
</actuator>"""
KEY = '<keyframe><key name="mid" qpos="0.3 0.1 1.2 0.9 0.1 -0.3 0.2 0.5 -0.2" qvel="0.1 -0.2 0.3 0.4 -0.5 0.6 0.7 -0.8" act="0.4 -0.3" ctrl="0.6 0.9 0.2 -0.1 0.3 0.5"/></keyframe>'


def test_motors_give_what_their_control_asks() -> None:
    text = tree(more=MOTORS)
    project = read(text).project
    assert not [one for one in check(project) if one.severity == "error"]
    for seed in range(4):
        assert apart(project, mujoco.MjModel.from_xml_string(text), seed) < 1e-12  # type: ignore[operator]


def test_a_key_frame_gives_places_speeds_controls_and_what_acts() -> None:
    """And its run goes on as MuJoCo's with short steps."""
    text = tree(more=MOTORS + KEY, hinge='actuatorfrcrange="-30 30"')
    run = mk.run(mk.Model(read(text, "mid").project), until=0.1)
    model = mujoco.MjModel.from_xml_string(text.replace("<option ", '<option timestep="1e-5" integrator="RK4" '))  # fmt: skip
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    for n, until in ((0, 0.0), (-1, 0.1)):
        while data.time < until - 1e-9:
            mujoco.mj_step(model, data)
        for b, name in enumerate(("cup", "arm", "rod"), 1):
            ours = [run[f"segments/{name}/position/{axis}"].value[n] for axis in "xyz"]
            assert ours == pytest.approx(data.xipos[b], abs=1e-12 if until == 0.0 else 2e-6)
    assert abs(data.xipos[3] - mujoco.MjData(model).xipos[3]).max() > 0.05


def test_a_ball_turns_in_a_key_frame() -> None:
    text = """<mujoco><worldbody><body name="a" pos="0 0 1"><joint name="turn" type="hinge" axis="1 2 0"/><inertial pos="0.1 0 0" mass="1" diaginertia="0.1 0.2 0.25"/>
<body name="b" pos="0.3 0 0" quat="0.8 0.2 -0.4 0.1"><joint type="ball" pos="0 0.1 0"/><inertial pos="0 0.2 0.1" mass="2" diaginertia="0.1 0.2 0.25"/></body></body></worldbody>
<keyframe><key name="k" qpos="0.3 0.7 -0.1 0.5 0.4" qvel="1.5 0.7 -2 1.1"/></keyframe></mujoco>"""
    run = mk.run(mk.Model(read(text, "k").project), until=1e-3)
    model = mujoco.MjModel.from_xml_string(text)
    data = mujoco.MjData(model)
    mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    there = data.xmat[2].reshape(3, 3) @ data.qvel[1:] + data.xmat[1].reshape(3, 3) @ (np.array([1.0, 2.0, 0.0]) / 5**0.5 * 1.5)  # fmt: skip
    ours = [run[f"segments/b/angular_velocity/{axis}@ground"].value[0] for axis in "xyz"]
    assert ours == pytest.approx(there, abs=1e-12)


def test_a_control_may_be_a_function_of_time() -> None:
    text = tree(more='<actuator><motor name="m" joint="slide" gear="3"/></actuator>')
    data: Any = read(text).project.model_dump()
    data["functions"] = [{"id": "ramp", "x_unit": "s", "y_unit": "1", "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.5, 2.5]}}]  # fmt: skip
    data["coordinate_forces"][0]["laws"][0]["blocks"][0]["value"] = "ramp"
    run = mk.run(mk.Model(validated(data)), until=0.1)
    load = run["coordinate_forces/m/force"].value
    assert load == pytest.approx(-3.0 * (0.5 + 2.0 * run["coordinate_forces/m/force"].time), abs=1e-9)  # fmt: skip


def test_key_frames_are_told_and_asked_for_by_name(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:  # fmt: skip
    text = tree(more=KEY.replace(' act="0.4 -0.3" ctrl="0.6 0.9 0.2 -0.1 0.3 0.5"', ""))
    assert any("(--keyframe): mid." in str(one) for one in read(text).notes)
    with pytest.raises(TreeError, match="There is no key frame 'end' in the file; it has: mid"):
        read(text, "end")
    with pytest.raises(TreeError, match="Key frames are a part of models of MuJoCo"):
        tree_of(b"<robot name='r'><link name='a'/></robot>", keyframe="mid")
    file, made = tmp_path / "m.xml", tmp_path / "m.json"
    file.write_text(text)
    assert main(["import", str(file), "-o", str(made), "--keyframe", "mid"]) == 0
    capsys.readouterr()
    place = mk.load(made).project.initial.roots[0].position_m
    assert place != read_tree(file).project.initial.roots[0].position_m
    assert np.allclose(place, read_tree(file, keyframe="mid").project.initial.roots[0].position_m)


COPTER = """<mujoco><worldbody><body name="hull" pos="0 0 1" euler="20 30 40"><freejoint/><inertial pos="0.02 0 0.01" mass="1.3" diaginertia="0.04 0.05 0.06"/>
<body name="arm" pos="0.2 0 0" euler="0 40 0"><joint name="bend" axis="0 1 0"/><inertial pos="0.1 0 0" mass="0.3" diaginertia="0.002 0.004 0.005"/><site name="rotor" pos="0.2 0.05 0.03" euler="10 0 20"/></body></body></worldbody>
<actuator><motor name="lift" site="rotor" gear="0 -0.4 -2 0 0.1 -0.3" ctrlrange="0 3"/><general name="spin" site="rotor" gainprm="2" gear="0 0 0 1 0 0" forcerange="-1 1.5"/></actuator>
<keyframe><key name="up" qpos="0 0 1 1 0 0 0 0" ctrl="4 1"/></keyframe></mujoco>"""


def test_motors_of_sites_push_and_turn_as_in_mujoco() -> None:
    made = read(COPTER, "up")
    assert not [one for one in check(made.project) if one.severity == "error"]
    m = mujoco.MjModel.from_xml_string(COPTER)
    d = mujoco.MjData(m)
    mujoco.mj_resetDataKeyframe(m, d, 0)
    mujoco.mj_forward(m, d)
    run = mk.run(mk.Model(made.project), until=1e-3)
    for b, name in enumerate(("hull", "arm"), 1):
        first, second = np.zeros((3, m.nv)), np.zeros((3, m.nv))
        mujoco.mj_jacBodyCom(m, d, first, second, b)
        ours = [[run[f"segments/{name}/{what}/{k}"].value[0] for k in "xyz"] for what in ("acceleration", "angular_acceleration")]  # fmt: skip
        theirs = first @ d.qacc, d.xmat[b].reshape(3, 3).T @ second @ d.qacc
        assert np.abs(np.array(ours) - theirs).max() < 1e-9 * np.abs(theirs).max(), name
    assert any("Motors of sites (2) are loads" in str(one) for one in made.notes)
    assert {one.form.value for one in read(COPTER).project.functions} == {0.0}  # type: ignore[union-attr]


SHARED = """<mujoco><worldbody><body name="a" pos="0 0 1"><joint name="one" axis="0 1 0" actuatorfrcrange="-0.3 0.2" damping="0.1"/><inertial pos="0.1 0 0.2" mass="1" diaginertia="0.04 0.05 0.06"/>
<body name="b" pos="0.3 0 0"><joint name="two" axis="0 1 0.2"/><inertial pos="0.1 0 0" mass="0.3" diaginertia="0.002 0.004 0.005"/><body name="c" pos="0.2 0 0"><joint name="three" axis="1 0 0" actuatorfrcrange="-0.1 0.3"/><inertial pos="0.1 0 0" mass="0.3" diaginertia="0.002 0.004 0.005"/></body></body></body></worldbody>
<tendon>{tendon}</tendon><actuator>{actuators}</actuator></mujoco>"""


@pytest.mark.parametrize(
    ("tendon", "actuators"),
    [
        ("", '<motor name="m 1" joint="one" gear="2"/><damper name="d" joint="one" kv="10" ctrlrange="0 1"/><position name="p" joint="one" kp="20"/><motor name="q" joint="three" gear="-0.05"/><motor name="r" joint="three" gear="0.03"/>'),
        ("", '<motor name="q" joint="three" gear="-40"/>'),
        ('<fixed name="t" actuatorfrcrange="-0.1 0.05"><joint joint="two" coef="0.5"/><joint joint="three" coef="-1"/></fixed>', '<motor name="m" tendon="t" gear="3"/><position name="p" tendon="t" gear="3" kp="2"/>'),
        ('<fixed name="t" actuatorfrcrange="-0.1 0.05"><joint joint="two" coef="0.5"/><joint joint="three" coef="-1"/></fixed>', '<general name="m" tendon="t" gear="3" gainprm="30"/>'),
        ('<fixed name="t" actuatorfrcrange="-0.1 0.05"><joint joint="two" coef="0.5"/></fixed>', '<general name="m" tendon="t" gear="3" gainprm="30"/>'),
    ],
)  # fmt: skip
def test_drives_that_share_a_limit_give_no_more_together(tendon: str, actuators: str) -> None:
    text = SHARED.format(tendon=tendon, actuators=actuators)
    if tendon:
        text = text.replace('actuatorfrcrange="-0.1 0.3"', "", 1)
    found = read(text)
    assert not [one for one in check(found.project) if one.severity == "error"]
    assert apart(found.project, mujoco.MjModel.from_xml_string(text)) < 1e-9  # type: ignore[operator]
    assert not any("give together" in str(one) for one in found.notes)


def test_what_drives_are_left_out_is_named() -> None:
    for more, said in (
        ('<general name="m" joint="hinge" dyntype="user"/>', "Actuators are left out: m"),
        ('<general name="m" joint="hinge" dyntype="filter" dynprm="1" actearly="true"/>', "Actuators are left out: m"),
        ('<motor name="m" joint="free"/>', "Actuators are left out: m"),
        ('<motor name="m" joint="hinge"/><motor name="n" joint="hinge"/>', "a block 'control_NAME' for each (1): hinge"),
    ):  # fmt: skip
        text = tree(more=f"<actuator>{more}</actuator>", hinge='actuatorfrcrange="-2 3"')
        assert said in " ".join(map(str, read(text).notes)), said
