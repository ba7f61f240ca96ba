"""Tendons of MuJoCo and what acts on them: lengths and moments beside MuJoCo's own, accelerations, muscles, limits."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import mujoco
import numpy as np
import pytest

from solver.exchange.trees.files import tree_lines, tree_of
from solver.model.paths import Courses
from solver.project.coordinate_forces import HillMuscle
from solver.project.coordinates import DistanceCoordinate
from solver.project.document import Project
from solver.project.pose import Placed
from solver.running.simulation import simulate
from tests.models import project
from tools.moving import apart

ARM = """<mujoco model="arm"><compiler angle="radian" autolimits="true"/><option gravity="0 0 -9.81"/>
<worldbody><site name="root" pos="0.02 0.03 0.35"/><geom name="post" type="cylinder" size="0.04 0.1" pos="0 0 0.2" euler="1.5 0.1 0" mass="0" contype="0" conaffinity="0"/><site name="post_side" pos="0.2 0 0.2"/>
<body name="upper"><joint name="shoulder" type="ball" damping="0.02"/><geom type="capsule" fromto="0 0 0 0 0 -0.3" size="0.02" mass="1" contype="0" conaffinity="0"/>
<geom name="knob" type="sphere" size="0.05" pos="0 0 -0.3" mass="0.1" contype="0" conaffinity="0"/><geom name="ring" type="sphere" size="0.02" pos="0.03 0 -0.1" mass="0.1" contype="0" conaffinity="0"/>
<geom name="sleeve" type="cylinder" size="0.015 0.1" pos="-0.05 0.01 -0.15" euler="0.2 0.1 0" mass="0.1" contype="0" conaffinity="0"/>
<site name="u1" pos="0.04 0 -0.05"/><site name="u2" pos="0.05 0.01 -0.2"/><site name="u3" pos="-0.03 0.02 -0.02"/><site name="knob_side" pos="0.1 0 -0.3"/><site name="ring_in" pos="0.03 0 -0.1"/><site name="sleeve_in" pos="-0.05 0.01 -0.15"/>
<body name="lower" pos="0 0 -0.3"><joint name="elbow" axis="0 1 0" range="-2 0.1" damping="0.02"/><joint name="turn" axis="0 0 1" range="-1 1" damping="0.02"/><geom type="capsule" fromto="0 0 0 0.02 0 -0.25" size="0.015" mass="0.6" contype="0" conaffinity="0"/><geom name="tube" type="cylinder" size="0.02 0.05" pos="0.01 0 -0.08" euler="1.4 0 0.3" mass="0.1" contype="0" conaffinity="0"/>
<site name="l1" pos="0.03 0 -0.05"/><site name="l2" pos="-0.03 0.01 -0.1"/><site name="l3" pos="0.04 -0.02 -0.2"/></body></body></worldbody>
<tendon>
<spatial name="over_knob" springlength="0.2" stiffness="300" damping="4"><site site="u1"/><site site="u2"/><geom geom="knob" sidesite="knob_side"/><site site="l1"/><geom geom="tube"/><site site="l3"/></spatial>
<spatial name="behind" springlength="0.1 0.3" stiffness="200"><site site="root"/><geom geom="post" sidesite="post_side"/><site site="u3"/><geom geom="knob"/><site site="l2"/></spatial>
<spatial name="inside" springlength="0.1" stiffness="150" damping="2"><site site="root"/><geom geom="ring" sidesite="ring_in"/><site site="u2"/><geom geom="sleeve" sidesite="sleeve_in"/><site site="l2"/></spatial>
<fixed name="bend" springlength="0.6" stiffness="5" damping="0.1"><joint joint="elbow" coef="-2"/></fixed>
{more}</tendon>
<actuator>{actuators}</actuator></mujoco>"""


def read(more: str = "", actuators: str = "") -> tuple[Any, Project, list[str]]:
    text = ARM.format(more=more, actuators=actuators)
    made = tree_of(text.encode(), "arm.xml")
    return mujoco.MjModel.from_xml_string(text), made.project, [str(one) for one in made.notes]


def swung(m: Any, rng: Any) -> Any:
    """MuJoCo's data at random places."""
    d = mujoco.MjData(m)
    turn = rng.normal(size=4)
    d.qpos[:4] = turn / np.linalg.norm(turn)
    d.qpos[4:] = rng.uniform(-2.0, 0.1), rng.uniform(-1.0, 1.0)
    d.qvel[:] = rng.normal(size=m.nv)
    return d


def test_lengths_and_moments_are_mujocos() -> None:
    """At random poses; the line in a ring, which MuJoCo finds to 1e-6 rad, by its length alone."""
    m, made, _ = read()
    lines = {one.name: one.coordinate for one in made.coordinate_forces if isinstance(one.coordinate, DistanceCoordinate)}  # fmt: skip
    courses, rng, touched = Courses(made, list(lines.values())), np.random.default_rng(3), 0
    for _ in range(60):
        d = swung(m, rng)
        mujoco.mj_fwdPosition(m, d)
        pose = {m.body(b).name: Placed(d.xmat[b].reshape(3, 3), d.xipos[b].copy()) for b in range(1, m.nbody)}  # fmt: skip
        laid = courses.laid(pose | {"ground": Placed(np.eye(3), np.zeros(3))})
        for n, name in enumerate(lines):
            assert laid.length(n) == pytest.approx(d.ten_length[m.tendon(name).id], abs=1e-12), name
            moment, knots = np.zeros(m.nv), laid.knots(n)
            touched += sum(over for _, _, over in knots)
            for (i, a, over), (j, b, _) in pairwise(knots):
                if over or not np.any(b - a):
                    continue
                first, second = np.zeros((3, m.nv)), np.zeros((3, m.nv))
                mujoco.mj_jac(m, d, first, None, a, m.body(courses.segments[i].replace("ground", "world")).id)  # fmt: skip
                mujoco.mj_jac(m, d, second, None, b, m.body(courses.segments[j].replace("ground", "world")).id)  # fmt: skip
                moment += (b - a) / np.linalg.norm(b - a) @ (second - first)
            k, told = m.tendon(name).id, np.zeros(m.nv)
            row = slice(m.ten_J_rowadr[k], m.ten_J_rowadr[k] + m.ten_J_rownnz[k])
            told[m.ten_J_colind[row]] = d.ten_J[row]
            assert np.abs(moment - told).max() < (1e-5 if name == "inside" else 1e-12), name
    assert touched > 200, "they go round"


def test_bodies_move_as_in_mujoco() -> None:
    """Springs and dampers along lines round obstacles, and of one joint, at a random moving state."""
    start = ARM.index('<spatial name="inside"')
    text = (ARM[:start] + ARM[ARM.index('<fixed name="bend"') :]).format(more="", actuators="")
    found = tree_of(text.encode(), "arm.xml")
    assert apart(found.project, mujoco.MjModel.from_xml_string(text)) < 1e-11  # type: ignore[operator]
    assert not [note for note in found.notes if "left out" in str(note) and "endon" in str(note)]


DRIVES = """<position name="servo" tendon="over_knob" kp="50" kv="2" ctrlrange="0.1 0.9" forcerange="-9 9"/>
<general name="pulls" tendon="behind" gear="2" gainprm="3" biastype="affine" biasprm="1 0 -2" ctrlrange="0.5 1"/>
<motor name="turns" tendon="bend" gear="3" ctrlrange="0.2 1"/>"""


def test_drives_on_tendons_give_what_mujocos_give() -> None:
    """At rest in the drawn pose with the least control; that of a tendon of one joint acts on the joint."""
    m, made, _ = read(actuators=DRIVES)
    d = mujoco.MjData(m)
    d.ctrl[:] = m.actuator_ctrlrange[:, 0]
    mujoco.mj_forward(m, d)
    seen = simulate(project(made.model_dump() | {"runs": [{"id": "run", "duration_s": 0.002}]})).table("coordinate_forces")  # fmt: skip
    ids = {one.name: one.id for one in made.coordinate_forces}
    found = {name: -float(seen["torque" if name == "turns" else "force"][0, seen.ids.index(id_)]) for name, id_ in ids.items()}  # fmt: skip
    assert found["servo"] == pytest.approx(d.actuator_force[0], abs=1e-9)
    assert found["pulls"] == pytest.approx(2.0 * d.actuator_force[1], abs=1e-9)
    assert found["turns"] == pytest.approx(-6.0 * d.actuator_force[2], abs=1e-9)


TOTAL = """<fixed name="total" springlength="0.2" stiffness="7" damping="0.3" armature="0.05" range="-0.4 0.4" frictionloss="0.1"><joint joint="elbow" coef="-2"/><joint joint="turn" coef="0.7"/></fixed>
<fixed name="slack" springlength="0.1 0.4" stiffness="9"><joint joint="turn" coef="2"/></fixed>"""
MOVES = """<position name="aims" tendon="total" kp="3" kv="0.2"/><motor name="winds" tendon="total" gear="2"/>"""


def test_what_acts_on_a_sum_of_joints_acts_as_in_mujoco() -> None:
    """Springs, dampers, inertia and drives at a random moving state; its range stops it, and is written of no file."""
    cut = (
        ARM[: ARM.index("<spatial name")]
        + "{more}</tendon><actuator>{actuators}</actuator></mujoco>"
    )
    cut = cut.replace('name="elbow"', 'name="elbow" ref="0.3"')
    text = cut.format(more=TOTAL, actuators=MOVES)
    found = tree_of(text.encode(), "arm.xml")
    assert apart(found.project, mujoco.MjModel.from_xml_string(text)) < 1e-9  # type: ignore[operator]
    assert not [note for note in found.notes if "left out" in str(note)]
    stops = [one for force in found.project.coordinate_forces if force.name == "total" for one in force.laws if one.kind == "stop"]  # fmt: skip
    assert [one.lower if one.upper is None else one.upper for one in stops] == pytest.approx([-0.6, 0.2])  # fmt: skip
    lines, left = tree_lines(found.project, as_urdf=False)
    assert "total_sum" not in "\n".join(lines)
    assert any("total" in str(one) for one in left)


def test_muscles_keep_strength_length_speed_and_times() -> None:
    m, made, notes = read(actuators='<muscle name="flexor" tendon="over_knob" lengthrange="0.2 0.5" range="0.7 1.1" force="400" lmax="1.8" fpmax="1.4" vmax="3" timeconst="0.02 0.06"/>')  # fmt: skip
    (one,) = (one for one in made.coordinate_forces if one.name == "flexor")
    law, span, prm = one.laws[0], m.actuator_lengthrange[0], m.actuator_gainprm[0, :9]
    assert isinstance(law, HillMuscle)
    assert one.zero is not None
    best, stretched = one.zero, one.zero + law.passive_strain * law.fibre
    assert mujoco.mju_muscleGain(best, 0.0, span, m.actuator_acc0[0], prm) == pytest.approx(-law.strength)  # fmt: skip
    assert mujoco.mju_muscleGain(best, -law.speed_per_s * law.fibre, span, 0.0, prm) == pytest.approx(0.0)  # fmt: skip
    assert mujoco.mju_muscleBias(stretched, span, 0.0, prm) == pytest.approx(-law.strength)
    assert (law.rise_s, law.fall_s, law.strength) == (0.02, 0.06, 400.0)
    assert any("their curves differ" in note for note in notes)


def test_a_tendon_stops_at_the_ends_of_its_range() -> None:
    """It is brought back within the time of the file, by what MuJoCo says of its inertia in the drawn pose."""
    m, made, _ = read(more='<spatial name="rope" range="0.1 0.42" solreflimit="0.01 1"><site site="root"/><geom geom="knob"/><site site="l1"/></spatial>')  # fmt: skip
    (one,) = (one for one in made.coordinate_forces if one.name == "rope")
    assert isinstance(one.coordinate, DistanceCoordinate)
    assert one.coordinate.over[0].name == "knob"
    stiff = 1.0 / (float(m.tendon_invweight0[m.tendon("rope").id]) * 0.01**2)
    curves = {f.id: f.form for f in made.functions}
    ends = {side: law for law in one.laws for side in ("lower", "upper") if getattr(law, side, None) is not None}  # fmt: skip
    for side, at in (("lower", 0.1), ("upper", 0.42)):
        law: Any = ends[side]
        assert getattr(law, side) + (one.zero or 0.0) == pytest.approx(at)
        form: Any = curves[law.above]
        assert form.y[1] / form.x[1] == pytest.approx(stiff)


@pytest.mark.parametrize(
    ("more", "said"),
    [
        ('<spatial name="t" stiffness="1"><site site="u1"/><site site="l1"/><pulley divisor="2"/><site site="u2"/><site site="l2"/></spatial>', "Tendon 't' is left out: it branches at a pulley"),
        ('<spatial name="t" stiffness="1"><site site="u1"/><geom geom="knob" sidesite="l3"/><site site="l1"/></spatial>', "Tendon 't' is left out: a side site is on another body"),
        ('<spatial name="t" stiffness="1" armature="0.3"><site site="u1"/><site site="l1"/></spatial>', "Tendon 't': its inertia (armature) is left out"),
        ('<spatial name="t" stiffness="1">' + '<site site="u1"/><site site="l1"/>' * 12 + "</spatial>", "Tendon 't' is left out: it has 24 sites; 2 to 22 are taken"),
    ],
)  # fmt: skip
def test_what_has_no_like_is_named(more: str, said: str) -> None:
    _, made, notes = read(more=more)
    assert any(note.startswith(said) for note in notes), notes
    acts = any(one.name == "t" for one in made.coordinate_forces)
    assert acts == ("armature" in said)
