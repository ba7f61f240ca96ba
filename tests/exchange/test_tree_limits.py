"""Ranges of joints as stops, and inertia of drives, of MuJoCo's files and of robots; how much is taken of a file."""

from __future__ import annotations

import contextlib
import math
import os
import sys
import threading
from pathlib import Path
from typing import Any

import mujoco
import numpy as np
import pytest

import manikin as mk
from solver.analysis.tracking import read_tracks
from solver.base.words import Refusal
from solver.bodies.library.pulses import read_pulse
from solver.engine.maths.rotation import from_angles
from solver.exchange.decks.importing import read_ain
from solver.exchange.printed import read_printed
from solver.exchange.shapes import read_mesh
from solver.exchange.trees.bodies import ReadNotes
from solver.exchange.trees.files import read_tree, tree_of
from solver.exchange.trees.stopping import hold_and_stop
from solver.exchange.trees.urdf import read_urdf
from solver.exchange.trees.xml import Element, TreeError, parsed
from solver.project import ProjectError
from solver.project.checks import check
from solver.project.reading import validated
from tests.exchange.test_trees import agree

ROD = """<mujoco><compiler angle="degree"/><worldbody><body name="rod" pos="0.1 0.2 1" euler="10 20 30">
<joint name="pivot" axis="0 1 0.2" pos="0 0 0.3" {more}/><inertial pos="0.05 0 -0.2" mass="2" diaginertia="0.06 0.05 0.01"/>
<body name="tip" pos="0 0 -0.5"><joint name="elbow" axis="1 0 0"/><inertial pos="0 0 -0.1" mass="0.5" diaginertia="0.004 0.004 0.001"/></body>
</body></worldbody></mujoco>"""


def test_the_inertia_of_drives_weighs_as_in_mujoco() -> None:
    text = ROD.format(more='armature="0.37"')
    agree(tree_of(text.encode()).project, text, ["rod", "tip"])
    inner = text.replace('name="elbow"', 'name="elbow" armature="0.1"')
    agree(tree_of(inner.encode()).project, inner, ["rod", "tip"])


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


GROUND = """<mujoco><worldbody><geom name="floor" type="plane" size="0 0 1" friction="0.3 0 0" {floor}/>
<body name="ball" pos="0 0 0.5"><freejoint/><geom name="skin" size="0.1" friction="0.2 0 0"/></body>
<body name="puck" pos="1 0 0.0499"><joint name="x" type="slide" axis="1 0 0"/><joint name="z" type="slide" axis="0 0 1"/>
<geom name="disc" type="ellipsoid" size="0.2 0.2 0.05" friction="0.2 0 0"/></body>{more}</worldbody></mujoco>"""


HUNG = """<mujoco><option timestep="2e-4" gravity="{gravity}"/><worldbody><body pos="0 0 1" euler="20 -30 50"><joint name="hip" type="ball" range="0 {end}" limited="true" pos="0.1 0 0"/>
<inertial pos="0.2 0.1 0" mass="2" diaginertia="0.06 0.05 0.02"/></body></worldbody></mujoco>"""


def turned(text: str) -> np.ndarray:
    """Sizes of the ball's turn along a run."""
    made = tree_of(text.encode()).project
    assert not [one for one in check(made) if one.severity == "error"]
    run = mk.run(mk.Model(made), until=1.5)
    angles = np.array([run[f"joints/hip/angle/{k}"].value for k in (1, 2, 3)])
    traces = np.array([np.trace(from_angles(tuple(one), "zyx")) for one in angles.T])
    return np.arccos(np.clip(0.5 * (traces - 1.0), -1.0, 1.0))


@pytest.mark.parametrize("gravity", ["0 0 -9.81", "4 -7 3"])
def test_the_turn_of_a_ball_ends_as_in_mujoco(gravity: str) -> None:
    """A body falls to the end of its turn and stays there, as far as its weight presses it beyond; about whatever axis."""
    text = HUNG.format(gravity=gravity, end=40)
    model = mujoco.MjModel.from_xml_string(text)
    data, theirs = mujoco.MjData(model), [0.0]
    while data.time < 1.5:
        mujoco.mj_step(model, data)
        theirs.append(2.0 * math.acos(min(abs(data.qpos[0]), 1.0)))
    ours = turned(text)
    assert max(theirs) > math.radians(40.0)
    assert ours.max() == pytest.approx(max(theirs), abs=math.radians(1.0))
    assert ours[-1] == pytest.approx(theirs[-1], abs=math.radians(1.0))
    assert turned(HUNG.format(gravity=gravity, end=0)).max() < math.radians(2.0)
    assert turned(HUNG.format(gravity=gravity, end=180)).max() > math.radians(60.0)


def test_shapes_rest_and_slide_on_the_ground_as_in_mujoco() -> None:
    """A ball falls and stays up, a puck that slides at 1 m/s stops where friction stops it: v^2 / (2 mu g)."""
    made = tree_of(GROUND.format(floor="", more="").encode())
    (law,) = {(one.stiffness_n_per_m / one.damping_ns_per_m, one.friction) for one in made.project.contact_laws}  # type: ignore[union-attr]  # fmt: skip
    assert law == pytest.approx((1.0 / (2.0 * 0.02), 0.3))
    data = made.project.model_dump()
    data["initial"]["joints"] = [{"joint": "x", "values": [0.0], "rates": [1.0]}]
    run = mk.run(mk.Model(validated(data)), until=1.0)
    assert run["segments/ball/position/z"].value[-1] == pytest.approx(0.1, abs=0.005)
    assert run["segments/puck/position/x"].value[-1] == pytest.approx(1.0 + 1.0 / (2.0 * 0.3 * 9.81), abs=0.005)  # fmt: skip
    model = mujoco.MjModel.from_xml_string(GROUND.format(floor="", more=""))
    theirs = mujoco.MjData(model)
    theirs.qvel[6] = 1.0
    while theirs.time < 1.0:
        mujoco.mj_step(model, theirs)
    assert run["segments/puck/position/x"].value[-1] == pytest.approx(float(theirs.body("puck").xpos[0]), abs=0.02)  # fmt: skip
    assert run["segments/ball/position/z"].value[-1] == pytest.approx(float(theirs.body("ball").xpos[2]), abs=0.005)  # fmt: skip


@pytest.mark.parametrize(
    ("floor", "more", "touching"),
    [
        ("", "", ["skin", "disc"]),
        ('contype="0" conaffinity="0"', "", []),
        ('contype="2" conaffinity="2"', "", []),
        ("", "</worldbody><contact><exclude body1='world' body2='ball'/></contact><worldbody>", ["disc"]),
        ("", "</worldbody><option><flag contact='disable'/></option><worldbody>", []),
        ("", "<body><geom name='stand' size='0.1'/></body>", ["skin", "disc"]),
    ],
)  # fmt: skip
def test_what_the_file_lets_touch_the_ground_touches_it(floor: str, more: str, touching: list[str]) -> None:  # fmt: skip
    made = tree_of(GROUND.format(floor=floor, more=more).encode()).project
    assert [one.surface.surface for one in made.contacts] == touching  # type: ignore[union-attr]


CROWD = """<mujoco><option gravity="0 0 0" density="1" wind="1 0 0"/><default><geom type="sphere" size="2" mass="1"/></default><worldbody><geom name="floor" type="plane" size="9 9 1"/><geom name="post"/>
<body name="a"><freejoint/><geom name="a1"/><geom name="a2" contype="2"/><body name="b"><joint/><geom name="b1"/><body name="w"><geom name="w1"/><body name="c"><joint/><geom name="c1"/></body></body></body><body name="h"><geom name="h1"/></body></body>
<body name="d"><joint/><geom name="d1"/><body name="e"><joint type="ball"/><geom name="e1" conaffinity="2"/></body></body><body name="f"><geom name="f1"/></body><body name="g"><freejoint/><geom name="g1" contype="0" conaffinity="0"/></body></worldbody>
<contact><exclude body1="a" body2="d"/><exclude body1="e" body2="world"/><pair geom1="g1" geom2="c1" friction="0.3 0.3 0 0 0" solref="0.1 1"/><pair geom1="a1" geom2="b1"/></contact></mujoco>"""


@pytest.mark.parametrize("flag", ["", '<flag filterparent="disable"/>'])
def test_shapes_that_touch_each_other_are_those_of_mujoco(flag: str) -> None:
    """Where all overlap, its own list of contacts says which pairs its masks, exclusions, pairs and filter let touch."""
    text = CROWD.replace("<default>", f"{flag and '<option>' + flag + '</option>'}<default>", 1)
    m = mujoco.MjModel.from_xml_string(text)
    d = mujoco.MjData(m)
    mujoco.mj_forward(m, d)
    there = {frozenset((m.geom(int(a)).name, m.geom(int(b)).name)) for a, b in d.contact.geom}
    made = tree_of(text.encode(), contacts="all")
    seen: dict[frozenset[str], str] = {}
    for one in made.project.contacts:
        pair = (
            (one.surface.surface, one.plane)
            if one.kind == "plane"
            else (one.first.surface, one.second.surface)
        )  # type: ignore[union-attr]
        seen[frozenset(pair)] = one.law
    assert set(seen) == there
    assert not [one for one in check(made.project) if one.severity == "error"]
    assert len(there) > 20
    laws = {one.id: one for one in made.project.contact_laws}
    law = laws[seen[frozenset(("g1", "c1"))]]
    assert (law.friction, law.damping_ns_per_m / law.stiffness_n_per_m) == (0.3, pytest.approx(0.2))  # type: ignore[union-attr]
    few = tree_of(text.encode())
    assert {one.kind for one in few.project.contacts} == {"plane"}
    assert any("--contacts all" in str(one) for one in few.notes)


def test_two_balls_are_brought_apart_by_what_both_weigh() -> None:
    text = """<mujoco><option gravity="0 0 0"/><default><geom size="0.1"/></default><worldbody>
    <body name="a"><freejoint/><geom name="a" mass="1" solref="0.01 1"/></body><body name="b" pos="0 0 0.199"><freejoint/><geom name="b" mass="3" solref="0.03 1"/></body></worldbody></mujoco>"""
    run = mk.run(mk.Model(tree_of(text.encode(), contacts="all").project), until=1e-3)
    a, b = (run[f"segments/{name}/acceleration/z"].value[0] for name in "ab")
    assert (-a, b) == pytest.approx((0.75 * 0.001 / 0.02**2, 0.25 * 0.001 / 0.02**2))


def test_too_many_contacts_are_none_and_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.exchange.trees.mjcf_contacts.MOST_TOUCHES", 12)
    made = tree_of(CROWD.encode(), contacts="all")
    assert {one.kind for one in made.project.contacts} == {"plane"}
    assert any("More than 12 pairs of shapes may touch" in str(one) for one in made.notes)
    with pytest.raises(TreeError, match="models of MuJoCo; this is none"):
        tree_of(b"<robot name='r'><link name='a'/></robot>", contacts="all")


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


def chain(count: int) -> bytes:
    """Give a robot of links that carry each other, last ones first in the file."""
    links = "".join(
        f"<link name='l{n}'><inertial><origin xyz='0.1 0.02 0'/><mass value='{1 + n % 3}'/>"
        "<inertia ixx='1e-2' iyy='2e-2' izz='2e-2' ixy='1e-3' ixz='0' iyz='0'/></inertial></link>"
        for n in range(count)
    )
    joints = "".join(
        f"<joint name='j{n}' type='revolute'><parent link='l{n}'/><child link='l{n + 1}'/><origin xyz='0.2 0 0' rpy='0.3 0 0'/>"
        "<axis xyz='0 1 0'/><limit lower='-1' upper='1' effort='1' velocity='1'/></joint>"
        for n in reversed(range(count - 1))
    )
    return f"<robot name='x'>{links}{joints}</robot>".encode()


def test_what_a_joint_carries_is_the_sum_over_all_behind_it() -> None:
    """In one pass from the tips; here again body by body, along the chain."""
    model = read_urdf(parsed(chain(7)), ReadNotes())
    R, p = [np.eye(3)], [np.zeros(3)]
    for body in model.bodies[1:]:
        p.append(p[body.parent] + R[body.parent] @ body.place)
        R.append(R[body.parent] @ body.R)
    hold_and_stop(model.bodies, ReadNotes())
    for n, body in enumerate(model.bodies[1:], 1):
        (axis,) = body.joints
        e, point, carried = R[n] @ axis.axis, p[n] + R[n] @ axis.place, 0.0
        for k in range(n, 7):
            one = model.bodies[k]
            arm = np.cross(e, p[k] + R[k] @ one.centre - point)
            carried += e @ R[k] @ one.inertia @ R[k].T @ e + one.mass * arm @ arm
        assert axis.limits[0].stiffness * axis.end_time**2 == pytest.approx(carried, rel=1e-12)


def work_of(count: int) -> int:
    """Count the calls of Python that reading a chain takes."""
    calls = 0

    def count_them(*_: object) -> None:
        nonlocal calls
        calls += 1

    sys.setprofile(count_them)
    try:
        tree_of(chain(count))
    finally:
        sys.setprofile(None)
    return calls


def test_a_chain_is_read_in_work_by_its_length() -> None:
    """5,000 links took minutes: each joint looked at all links, and each link again at all others."""
    tree_of(chain(3))  # what is made once for all
    short, long_ = work_of(20), work_of(80)
    assert long_ < 5.0 * short


def test_blank_lines_are_one_text() -> None:
    """Each was put behind all before: 8 MB of them took for ever."""
    texts: list[str] = []

    class Seen(Element):
        def __setattr__(self, name: str, value: object) -> None:
            if name == "text" and value:
                texts.append(str(value))
            super().__setattr__(name, value)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("solver.exchange.trees.xml.Element", Seen)
        parsed(b"<mujoco><worldbody>" + b"\n" * 100_000 + b"</worldbody></mujoco>")
    assert len(texts) < 5


def test_more_bodies_than_are_taken_are_refused_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("solver.exchange.trees.ties.MOST_BODIES", 4)
    with pytest.raises(TreeError, match="has 5 bodies; at most 4 are taken"):
        tree_of(chain(5))


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes have names here")
@pytest.mark.parametrize(
    "name",
    [
        "a.xml",
        "a.urdf",
        "a.osim",
        "a.ain",
        "a.lin",
        "a.aou",
        "a.stl",
        "a.glb",
        "a.csv",
        "a.trc",
        "a.c3d",
    ],
)
def test_a_pipe_is_refused_and_not_waited_for(name: str, tmp_path: Path) -> None:
    file, done = tmp_path / name, threading.Event()
    os.mkfifo(file)

    def end_it() -> None:
        """Let anyone who waits for the pipe have its end: a test that waited for ever would tell nothing."""
        while not done.is_set():
            with contextlib.suppress(OSError):
                os.close(os.open(file, os.O_WRONLY | os.O_NONBLOCK))
            done.wait(0.01)

    threading.Thread(target=end_it, daemon=True).start()
    readers: dict[str, Any] = {
        ".xml": read_tree, ".urdf": read_tree, ".osim": read_tree, ".ain": read_ain, ".lin": read_ain, ".aou": read_printed,
        ".stl": read_mesh, ".glb": read_mesh, ".csv": lambda one: read_pulse(one, "g"), ".trc": read_tracks, ".c3d": read_tracks,
    }  # fmt: skip
    with pytest.raises((Refusal, ProjectError), match="cannot be read: it is no ordinary file"):
        readers[file.suffix](file)
    done.set()
