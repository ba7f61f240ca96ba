"""Equality constraints of MuJoCo, mimic joints of robots and constraints of OpenSim hold here as there, and are written again."""

from __future__ import annotations

import math
from typing import Any

import mujoco
import numpy as np
import pytest

import manikin as mk
from solver.exchange.trees import TreeError
from solver.exchange.trees.files import tree_lines, tree_of
from solver.exchange.trees.osim_ties import course_of
from solver.exchange.trees.xml import parsed
from solver.project import Project, validated
from solver.project.checks import check
from tests.engine import test_closures
from tests.exchange.test_osim import pendulum
from tests.exchange.test_trees import at_rest, in_mujoco, names

ROD = '<inertial pos="0 0 -.2" mass="{}" diaginertia=".02 .02 .002"/>'
MECHANISMS = f"""<mujoco><compiler angle="degree"/>
<option timestep="5e-4" integrator="RK4" jacobian="dense" tolerance="1e-12"/>
<default><joint damping=".01"/><equality solref=".001 1" solimp=".9999 .9999 .001"/></default>
<worldbody><site name="wall" pos="1.1 0 1.3"/>
  <body name="finger" pos="0 0 1"><joint name="base" axis="0 1 .1" ref="20"/>{ROD.format(1)}
    <body name="tip" pos="0 0 -.4" euler="0 30 0"><joint name="tip" axis="0 1 0" ref="-5"/>{ROD.format(0.5)}</body></body>
  <body name="wheel" pos="0 1 1"><joint name="wheel" axis="1 0 0"/><inertial pos="0 .1 0" mass="2" diaginertia=".05 .03 .03"/></body>
  <body name="rack" pos="0 2 1"><joint name="rack" type="slide" axis="0 1 1"/>{ROD.format(1)}</body>
  <body name="crank" pos="1 0 1" euler="0 -60 0"><joint name="crank" axis="0 1 0"/>{ROD.format(0.4)}
    <body name="rod" pos="0 0 -.4" euler="0 70 0"><joint name="knee" axis="0 1 0"/>{ROD.format(0.6)}</body></body>
  <body name="bar" pos="1.9 0 1.2"><joint name="bar" axis="0 1 0"/>{ROD.format(0.8)}</body>
  <body name="left" pos="3 0 1" euler="0 50 0"><joint name="left" axis="0 1 0"/>{ROD.format(1)}<site name="a" pos="0 0 -.3"/></body>
  <body name="right" pos="3.5 0 1" euler="0 20 0"><joint name="right" axis="0 1 0"/>{ROD.format(1)}<site name="b" pos=".1 0 -.2" euler="0 40 0"/></body>
  <body name="near" pos="4 0 1"><joint name="near" axis="1 1 0"/>{ROD.format(1)}</body>
  <body name="far" pos="5 0 1"><joint name="far" axis="1 0 0"/>{ROD.format(1.5)}<site name="hook" pos="0 .1 -.4" euler="10 0 0"/></body>
  <body name="load" pos="5 .2 .5"><freejoint/>{ROD.format(0.3)}<site name="eye" pos="0 -.1 .1" euler="10 0 0"/></body>
  <body name="stuck" pos="6 0 1"><joint name="stuck" axis="1 0 0"/>{ROD.format(1)}
    <body name="flag" pos="0 0 -.4"><joint name="flag" axis="0 1 0"/>{ROD.format(0.3)}</body></body>
</worldbody>
<tendon><fixed name="both"><joint joint="near" coef="2"/><joint joint="far" coef="-3"/></fixed>
  <spatial name="rope"><site site="a"/><site site="b"/></spatial></tendon>
<equality>
  <joint joint1="tip" joint2="base" polycoef="0 .6 .5 -.4"/>
  <joint name="drive" joint1="rack" joint2="wheel" polycoef="0 -.1"/>
  <joint joint1="stuck" polycoef="0"/>
  <connect name="pivot" body1="bar" body2="rod" anchor="-.2 0 -.3"/>
  <tendon tendon1="both" polycoef="0"/>
  <tendon name="rope" tendon1="rope"/>
  <weld name="glue" body1="load" body2="far"/>
</equality></mujoco>"""


def held_exactly(model: Any) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations of mass centres at the start, with MuJoCo's own rows of equality taken as exact."""
    data = mujoco.MjData(model)
    if model.nkey:
        mujoco.mj_resetDataKeyframe(model, data, 0)
    mujoco.mj_forward(model, data)
    M = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, M)
    rows = data.efc_type == int(mujoco.mjtConstraint.mjCNSTR_EQUALITY)
    J = data.efc_J.reshape(-1, model.nv)[rows]
    n = len(J)
    K = np.block([[M, J.T], [J, np.zeros((n, n))]])
    right = np.concatenate([data.qfrc_passive - data.qfrc_bias, np.zeros(n)])
    acceleration = np.linalg.lstsq(K, right)[0][: model.nv]
    jacp, jacr = np.zeros((3, model.nv)), np.zeros((3, model.nv))
    out = []
    for b in range(1, model.nbody):
        mujoco.mj_jacBodyCom(model, data, jacp, jacr, b)
        out.append([jacp @ acceleration, jacr @ acceleration])
    return np.array(out), data.efc_pos[rows]


def start_as(project: Project, text: str) -> None:
    model = in_mujoco(text)
    wanted, _ = held_exactly(model)
    ours = at_rest(project)
    for name, (linear, turning) in zip(names(model), wanted, strict=True):
        assert np.abs(ours[name][0] - linear).max() < 1e-8 * (1 + np.abs(wanted).max()), name
        assert abs(np.linalg.norm(ours[name][1]) - np.linalg.norm(turning)) < 1e-8 * (1 + np.abs(wanted).max()), name  # fmt: skip


@pytest.fixture(scope="module")
def mechanisms() -> Project:
    made = tree_of(MECHANISMS.encode())
    assert [str(one) for one in check(made.project) if one.severity == "error"] == []
    told = " ".join(map(str, made.notes))
    assert "hold exactly here" in told
    assert "left out" not in told
    assert "not read" not in told
    return made.project


def test_what_mujoco_holds_is_held_and_moves_as_there(mechanisms: Project) -> None:
    kinds = sorted(one.kind for one in mechanisms.constraints)
    assert kinds == ["coupled", "coupled", "coupled", "fixed_distance", "weld", "zero_distance"]
    start_as(mechanisms, MECHANISMS)
    model = in_mujoco(MECHANISMS)
    data = mujoco.MjData(model)
    mujoco.mj_forward(model, data)
    before = data.xipos.copy()
    while data.time < 0.3 - 1e-9:
        mujoco.mj_step(model, data)
    run = mk.run(mk.Model(mechanisms), until=0.3)
    travel = np.abs(data.xipos - before).max()
    assert travel > 0.1
    for k, name in enumerate(names(model), 1):
        here = [run[f"segments/{name}/position/{axis}"].value[-1] for axis in "xyz"]
        assert np.abs(here - data.xipos[k]).max() < 1e-5 * travel, name


def test_what_is_held_is_written_for_mujoco_and_read_again(mechanisms: Project) -> None:
    lines, left = tree_lines(mechanisms, as_urdf=False)
    assert not any("left out" in str(one) for one in left)
    text = "\n".join(lines).replace("<compiler", '<option jacobian="dense"/><compiler', 1)
    start_as(mechanisms, text)
    assert np.abs(held_exactly(in_mujoco(text))[1]).max() < 1e-12
    again = tree_of(text.encode()).project
    assert sorted(one.kind for one in again.constraints) == sorted(one.kind for one in mechanisms.constraints)  # fmt: skip
    start_as(again, text)


def test_what_starts_apart_is_closed_and_what_cannot_be_is_said() -> None:
    lifted = MECHANISMS.replace('polycoef="0 .6 .5 -.4"', 'polycoef=".2 .6 .5 -.4"')
    made = tree_of(lifted.encode())
    assert not [one for one in check(made.project) if one.severity == "error"]
    assert any("closed by the least movement" in str(one) for one in made.notes)
    start = {one.joint: one.values[0] for one in made.project.initial.joints}
    x = start["base"]
    assert start["tip"] == pytest.approx(0.2 + 0.6 * x + 0.5 * x**2 - 0.4 * x**3, abs=1e-9)
    stretched = MECHANISMS.replace('tendon1="rope"/>', 'tendon1="rope" polycoef="5"/>')
    assert any("cannot be closed" in str(one) for one in tree_of(stretched.encode()).notes)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('<joint name="drive"', '<joint name="drive" active="false"', "'drive' is switched off in the file"),
        ('<option timestep', '<option><flag equality="disable"/></option><option timestep', "switches off the equality constraints"),
        ('<site site="b"/></spatial>', '<site site="b"/><site site="a"/></spatial>', "'rope': of tendons only fixed ones"),
        ('<spatial name="rope">', '<spatial name="rope" armature="3">', "Tendon 'rope': its inertia (armature) is left out."),
    ],
)  # fmt: skip
def test_what_is_not_held_is_named(old: str, new: str, said: str) -> None:
    assert old in MECHANISMS
    made = tree_of(MECHANISMS.replace(old, new).encode())
    assert said in " ".join(map(str, made.notes))
    assert [one.code for one in check(made.project) if one.severity == "error"] == []


ARMS = "".join(f'<body name="{n}" pos="{k} 0 1" euler="0 {20 * k} 0"><joint name="{n}" axis="0 1 0"/>{ROD.format(1 + k)}</body>' for k, n in enumerate("abcdefg"))  # fmt: skip
SUMS = f"""<mujoco><compiler angle="degree"/><option jacobian="dense"/><worldbody>{ARMS}</worldbody>
<tendon><fixed name="three"><joint joint="a" coef="2"/><joint joint="b" coef="-3"/><joint joint="c" coef="1.5"/></fixed>
  <fixed name="two"><joint joint="d" coef="1"/><joint joint="e" coef="-2"/></fixed><fixed name="one"><joint joint="f" coef="-.5"/></fixed>
  <fixed name="held"><joint joint="g" coef="4"/></fixed></tendon>
<equality><tendon name="sum" tendon1="three"/><tendon name="bent" tendon1="two" tendon2="one" polycoef="0 .6 .5 -.4"/>
  <tendon tendon1="held" polycoef="0"/></equality></mujoco>"""


def test_tendons_over_several_joints_hold_their_sum() -> None:
    """Fixed tendons of three joints, or of two that follow one by a polynomial, there and back."""
    made = tree_of(SUMS.encode())
    told = " ".join(map(str, made.notes))
    assert "'sum' is a sum of 3 axes" in told
    assert "left out" not in told
    assert [one.code for one in check(made.project) if one.severity != "note"] == []
    assert next(one for one in made.project.joints if one.id == "g").lock.locked  # type: ignore[union-attr]
    start_as(made.project, SUMS)
    run = mk.run(mk.Model(made.project), until=0.2)
    q = {n: run[f"joints/{n}/angle"].value[-1] for n in "abcdef"}
    assert max(map(abs, q.values())) > 0.05
    assert 2.0 * q["a"] - 3.0 * q["b"] + 1.5 * q["c"] == pytest.approx(0.0, abs=1e-12)
    x = -0.5 * q["f"]
    assert q["d"] - 2.0 * q["e"] == pytest.approx(0.6 * x + 0.5 * x**2 - 0.4 * x**3, abs=1e-9)
    assert abs(run["energy/balance"].value[-1]) < 1e-7
    lines, left = tree_lines(made.project, as_urdf=False)
    assert not any("left out" in str(one) for one in left)
    # what is locked has no joint there
    start_as(made.project, "\n".join(lines).replace("<compiler", '<option jacobian="dense"/><compiler', 1))  # fmt: skip
    again = tree_of("\n".join(lines).encode()).project
    assert len(again.constraints) == len(made.project.constraints)
    _, left = tree_lines(made.project, as_urdf=True)
    assert any("Constraint 'sum' is left out" in str(one) for one in left)


def test_a_pin_that_closes_a_loop_is_written_as_two_points_and_a_slide_is_named() -> None:
    data = test_closures.four_bar({"kind": "revolute"}) | {
        "drivers": [],
        "gravity_m_per_s2": [9.81, 0.0, 3.0],
    }
    data["runs"][0] |= {"frame_interval_s": 1e-3, "channel_rate_hz": 1000.0}
    data["initial"]["joints"].append({"joint": "A", "values": [0.6]})
    slide = {"id": "rail", "kind": "prismatic", "a": {"segment": "ground"}, "b": {"segment": data["segments"][0]["id"]}}  # fmt: skip
    project = validated(data)
    lines, left = tree_lines(project, as_urdf=False)
    assert not any("Constraint" in str(one) for one in left)
    text = "\n".join(lines).replace("<compiler", '<option jacobian="dense"/><compiler', 1)
    assert np.abs(held_exactly(in_mujoco(text))[1]).max() < 1e-9
    start_as(project, text)
    assert [one.kind for one in tree_of(text.encode()).project.constraints] == ["zero_distance"] * 2
    data["constraints"] = [slide]
    _, left = tree_lines(validated(data), as_urdf=False)
    assert "Constraints that such files cannot say are left out: rail (prismatic)." in map(str, left)  # fmt: skip


@pytest.mark.parametrize("turns", ["", ' torquescale="0"'])
@pytest.mark.parametrize("posed", ["", ' relpose=".1 0 .5 1 0 .2 0"'])
def test_a_weld_holds_its_anchor_where_its_pose_says(posed: str, turns: str) -> None:
    body = '<body name="{0}" pos="0 0 {1}"><freejoint/><geom size=".1" mass="1"/></body>'
    weld = f'<weld body1="a" body2="b" anchor="0 .2 .3"{posed}{turns}/>'
    text = f"<mujoco><worldbody>{body.format('a', 1)}{body.format('b', 2)}</worldbody><equality>{weld}</equality></mujoco>"
    (held,) = tree_of(text.encode()).project.constraints
    assert held.kind == ("zero_distance" if turns else "weld")
    known = in_mujoco(text).eq_data[0]
    for end, there in ((held.a, known[3:6]), (held.b, known[:3])):
        place = end.position_m if turns else end.frame.position_m
        assert place == pytest.approx(there, abs=1e-12)


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        (
            'joint1="rack"',
            'joint1="rock"',
            "unknown element 'rock' in equality constraint Element name 'drive', id 1, line",
        ),
        ('body1="bar"', 'body1="bat"', "unknown element 'bat'"),
        ('<site site="b"/>', '<site site="c"/>', "site 'c' not found"),
        ('body1="load" body2="far"', 'body1="far" body2="far"', "'far' is repeated"),
        ('tendon1="both"', 'tendon1="bath"', "unknown element 'bath'"),
    ],
)
def test_what_names_nothing_is_refused(old: str, new: str, said: str) -> None:
    with pytest.raises(TreeError, match=said):
        tree_of(MECHANISMS.replace(old, new).encode())


LINK = '<link name="{}"><inertial><origin xyz="0 0 -.2"/><mass value="{}"/><inertia ixx=".02" iyy=".02" izz=".01" ixy="0" ixz="0" iyz="0"/></inertial></link>'
JOINT = '<joint name="{}" type="{}"><origin xyz="0 {} 0"/><parent link="world"/><child link="{}"/><axis xyz="1 0 0"/>{}</joint>'


def gripper(mimic: str) -> str:
    links = "".join(LINK.format(name, mass) for name, mass in (("left", 1.0), ("right", 2.0)))
    joints = JOINT.format("a", "revolute", 0, "left", "") + JOINT.format("b", "continuous", 1, "right", mimic)  # fmt: skip
    return f'<robot name="gripper"><link name="world"/>{links}{joints}</robot>'


def test_a_joint_that_mimics_another_follows_it() -> None:
    """Both pendulums as one, in closed form: (I1 + r2 I2) q'' = -g L (m1 sin q + r m2 sin(r q + b))."""
    r, b = -0.7, 0.4
    made = tree_of(gripper(f'<mimic joint="a" multiplier="{r}" offset="{b}"/>').encode())
    assert any("closed by the least movement" in str(one) for one in made.notes)
    start = {one.joint: one.values[0] for one in made.project.initial.joints}
    q = start["a"]
    assert start["b"] == pytest.approx(r * q + b, abs=1e-9)
    run = mk.run(mk.Model(made.project), until=1e-3)
    g, arm = 9.80665, 0.2
    one, two = 0.02 + 1.0 * arm**2, 0.02 + 2.0 * arm**2
    wanted = -g * arm * (math.sin(q) + 2.0 * r * math.sin(r * q + b)) / (one + r * r * two)
    assert run["segments/left/angular_acceleration/x"].value[0] == pytest.approx(wanted, rel=1e-9)
    assert run["segments/right/angular_acceleration/x"].value[0] == pytest.approx(r * wanted, rel=1e-9)  # fmt: skip
    lines, _ = tree_lines(made.project, as_urdf=True)
    (tie,) = tree_of("\n".join(lines).encode()).project.constraints
    assert tie.coefficients == pytest.approx((b, r))  # type: ignore[union-attr]
    model = in_mujoco(gripper(f'<mimic joint="a" multiplier="{r}" offset="{b}"/>'))
    assert model.eq_data[0, :2] == pytest.approx((b, r))
    held = tree_of(gripper('<mimic joint="a" multiplier="0" offset=".3"/>').encode()).project
    assert next(one for one in held.joints if one.id == "b").lock.locked  # type: ignore[union-attr]
    alone = tree_of(gripper('<mimic joint="c"/>').encode())
    assert not alone.project.constraints
    assert any("it should follow, 'c', is no other joint" in str(one) for one in alone.notes)


AXIS = "<TransformAxis name='{}'><coordinates>{}</coordinates><axis>{}</axis><function>{}</function></TransformAxis>"
STILL, LINE = "<Constant><value>0</value></Constant>", "<LinearFunction><coefficients>1 0</coefficients></LinearFunction>"  # fmt: skip
BENT = "<MultiplierFunction><function><SimmSpline><x>0 0.7 1.4</x><y>0 0.05 0</y></SimmSpline></function><scale>2</scale></MultiplierFunction>"


def test_what_a_coordinate_of_opensim_moves_by_a_spline_follows_it() -> None:
    """A pendulum whose pivot slides by X(q) = 0.1 - 0.1 ((q - 0.7) / 0.7)^2: Lagrange's equation in closed form."""
    axes = AXIS.format("rotation1", "angle", "0 0 1", LINE) + AXIS.format("rotation2", "", "0 1 0", STILL)  # fmt: skip
    axes += AXIS.format("rotation3", "", "1 0 0", STILL) + AXIS.format("translation1", "angle", "1 0 0", BENT)  # fmt: skip
    axes += AXIS.format("translation2", "", "0 1 0", STILL) + AXIS.format("translation3", "", "0 0 1", STILL)  # fmt: skip
    made = pendulum(**{"<PinJoint": "<CustomJoint", "</PinJoint>": f"<SpatialTransform>{axes}</SpatialTransform></CustomJoint>"})  # fmt: skip
    assert not made.notes
    run = mk.run(mk.Model(made.project), until=0.3)

    def rate(_: float, y: np.ndarray) -> list[float]:
        q, v = y
        slope, bend = -0.2 * (q - 0.7) / 0.49, -0.2 / 0.49
        x, z = slope + 0.5 * math.cos(q), 0.5 * math.sin(q)
        push = x * (bend - 0.5 * math.sin(q)) + z * 0.5 * math.cos(q)
        return [v, -(2.0 * 9.80665 * 0.5 * math.sin(q) + 2.0 * push * v * v) / (0.02 + 2.0 * (x * x + z * z))]  # fmt: skip

    from scipy.integrate import solve_ivp

    exact = solve_ivp(rate, (0.0, 0.3), [0.7, 1.5], rtol=1e-11, atol=1e-12).y[:, -1]
    assert run["segments/bob/angular_velocity/z@ground"].value[-1] == pytest.approx(exact[1], rel=1e-5)  # fmt: skip
    place = 0.1 - 0.1 * ((exact[0] - 0.7) / 0.7) ** 2 + 0.5 * math.sin(exact[0])
    assert run["segments/bob/position/x"].value[-1] == pytest.approx(place, abs=1e-6)


def test_splines_of_simm_take_a_cubic_for_what_it_is_and_go_straight_on() -> None:
    x = np.array([-1.0, -0.2, 0.5, 1.1, 2.0])
    y = 0.3 - x + 0.5 * x**2 + 0.2 * x**3
    points = f"<x>{' '.join(map(str, x))}</x><y>{' '.join(map(str, y))}</y>"
    course = course_of(parsed(f"<SimmSpline>{points}</SimmSpline>".encode()))
    assert course is not None
    assert course.at(0.8) == pytest.approx(0.3 - 0.8 + 0.5 * 0.64 + 0.2 * 0.512, abs=1e-12)
    slope = -1.0 + 2.0 + 0.6 * 4.0
    assert course.at(2.5) == pytest.approx(y[-1] + 0.5 * slope, abs=1e-12)
    straight = course_of(parsed(b"<PolynomialFunction><coefficients>3 0 1</coefficients></PolynomialFunction>"))  # fmt: skip
    assert straight is not None
    assert straight.at(2.0) == 13.0


BODIES = """<OpenSimDocument Version="40000"><Model name="two"><gravity>0 -9.80665 0</gravity><BodySet><objects>
<Body name="left"><mass>1</mass><mass_center>0 -.2 0</mass_center><inertia>.02 .02 .02 0 0 0</inertia></Body>
<Body name="right"><mass>2</mass><mass_center>0 -.2 0</mass_center><inertia>.02 .02 .02 0 0 0</inertia></Body></objects></BodySet>
<JointSet><objects>{joints}</objects></JointSet><ConstraintSet><objects>{ties}</objects></ConstraintSet></Model></OpenSimDocument>"""
PIN = """<PinJoint name="at_{0}"><socket_parent_frame>pivot_{0}</socket_parent_frame><socket_child_frame>/bodyset/{0}</socket_child_frame>
<coordinates><Coordinate name="{1}"><default_value>{2}</default_value></Coordinate></coordinates><frames>
<PhysicalOffsetFrame name="pivot_{0}"><socket_parent>/ground</socket_parent><translation>{3} 0 0</translation></PhysicalOffsetFrame></frames></PinJoint>"""
COUPLER = """<CoordinateCouplerConstraint name="tie"><coupled_coordinates_function><PolynomialFunction><coefficients>.5 1 .1</coefficients>
</PolynomialFunction></coupled_coordinates_function><independent_coordinate_names>p</independent_coordinate_names>
<dependent_coordinate_name>q</dependent_coordinate_name><scale_factor>-2</scale_factor></CoordinateCouplerConstraint>"""
ENDS = "<socket_body_1>/bodyset/left</socket_body_1><socket_body_2>/bodyset/right</socket_body_2>"


def two(ties: str, q: float) -> Any:
    joints = PIN.format("left", "p", 0.3, 0) + PIN.format("right", "q", repr(q), 0.5)
    return tree_of(BODIES.format(joints=joints, ties=ties).encode())


def test_a_coordinate_coupler_of_opensim_has_its_closed_form() -> None:
    """q = -2 (p^2 / 2 + p + 0.1), from rest: (I1 + s^2 I2) p'' = -g L (m1 sin p + s m2 sin q), s = -2 (p + 1)."""
    made = two(COUPLER, -2.0 * (0.5 * 0.09 + 0.3 + 0.1))
    assert not made.notes
    p, q, s = 0.3, -2.0 * (0.5 * 0.09 + 0.3 + 0.1), -2.6
    run = mk.run(mk.Model(made.project), until=1e-3)
    wanted = -9.80665 * 0.2 * (math.sin(p) + 2.0 * s * math.sin(q)) / (0.06 + s * s * 0.1)
    assert run["segments/left/angular_acceleration/z"].value[0] == pytest.approx(wanted, rel=1e-9)
    assert run["segments/right/angular_acceleration/z"].value[0] == pytest.approx(s * wanted, rel=1e-9)  # fmt: skip


SEVERAL = "<MultivariatePolynomialFunction><dimension>{}</dimension><order>{}</order><coefficients>{}</coefficients></MultivariatePolynomialFunction>"


def three(function: str, r: float, locked: str = "") -> Any:
    """Give two bodies, one on a slide and a pin, whose q follows p and r."""
    joints = PIN.format("left", "p", 0.3, 0)
    pin = PIN.format("right", "q", 0.0, 0.5)
    planar = pin.replace("PinJoint", "UniversalJoint").replace("</coordinates>", f'<Coordinate name="r"><default_value>{r}</default_value>{locked}</Coordinate></coordinates>')  # fmt: skip
    polynomial = COUPLER[COUPLER.index("<Poly") : COUPLER.index("</coupled")]
    tie = COUPLER.replace(polynomial, function).replace(">p<", ">p r<")
    return tree_of(BODIES.format(joints=joints + planar, ties=tie).encode())


@pytest.mark.parametrize(
    ("function", "wanted"),
    [
        ("<LinearFunction><coefficients>.5 -.2 .1</coefficients></LinearFunction>", lambda p, r: 0.5 * p - 0.2 * r + 0.1),
        # powers of the last one go fastest: 1, r, r^2, p, p r, p^2
        (SEVERAL.format(2, 2, ".1 -.2 .3 .5 0 .4"), lambda p, r: 0.1 - 0.2 * r + 0.3 * r * r + 0.5 * p + 0.4 * p * p),
        (f"<MultiplierFunction><function>{SEVERAL.format(2, 1, '.1 -.2 .5')}</function><scale>3</scale></MultiplierFunction>", lambda p, r: 3.0 * (0.1 - 0.2 * r + 0.5 * p)),
    ],
)  # fmt: skip
def test_a_coordinate_of_opensim_follows_several(function: str, wanted: Any) -> None:
    made = three(function, 0.2)
    assert "is a sum of 3 axes" in " ".join(map(str, made.notes))
    assert [one.code for one in check(made.project) if one.severity != "note"] == []
    run = mk.run(mk.Model(made.project), until=0.4)
    p, q, r = (run[f"joints/{name}/angle"].value for name in "pqr")
    assert max(map(np.ptp, (p, q, r))) > 0.1
    assert q == pytest.approx(-2.0 * wanted(p, r), abs=1e-7)
    assert np.abs(run["energy/balance"].value).max() < 1e-6


def test_products_of_coordinates_count_where_all_but_one_are_locked_and_are_named_else() -> None:
    product = SEVERAL.format(2, 2, ".1 -.2 .3 .5 .7 .4")
    made = three(product, 0.2, "<locked>true</locked>")
    (tie,) = made.project.constraints
    # q = -2 (0.1 - 0.2 r + 0.3 r^2 + (0.5 + 0.7 r) p + 0.4 p^2)
    assert tie.coefficients == pytest.approx((-2.0 * (0.1 - 0.04 + 0.012), -2.0 * 0.64, -0.8))
    assert "without products of several" in " ".join(map(str, three(product, 0.2).notes))
    with pytest.raises(TreeError, match="as its dimension and order ask for"):
        three(SEVERAL.format(2, 2, "1 2 3"), 0.2)


def test_what_is_coupled_to_a_locked_coordinate_is_held_where_that_says() -> None:
    lock = PIN.replace("</default_value>", "</default_value><locked>true</locked>")
    joints = lock.format("left", "p", 0.3, 0) + PIN.format("right", "q", 0.1, 0.5)
    made = tree_of(BODIES.format(joints=joints, ties=COUPLER).encode())
    assert not made.notes
    still = two(COUPLER.replace(".5 1 .1", "0 .1"), 0.1)
    for one, place in ((made, -2.0 * (0.5 * 0.09 + 0.3 + 0.1)), (still, -0.2)):
        start = {each.joint: each.values[0] for each in one.project.initial.joints}
        assert start["q"] == pytest.approx(place)
        assert next(each for each in one.project.joints if each.id == "q").lock.locked  # type: ignore[union-attr]
    held = tree_of(MECHANISMS.replace('polycoef="0 -.1"', 'polycoef=".2 0"').encode()).project
    assert next(each for each in held.joints if each.id == "rack").slide.locked  # type: ignore[union-attr]
    assert next(each.values[0] for each in held.initial.joints if each.joint == "rack") == 0.2


def test_corners_of_a_function_are_kept_nearly_and_told() -> None:
    x, y = np.array([-1.0, 0.2, 1.0]), np.array([0.0, 0.4, -0.4])
    lines = f"<PiecewiseLinearFunction><x>{' '.join(map(str, x))}</x><y>{' '.join(map(str, y))}</y></PiecewiseLinearFunction>"
    course = course_of(parsed(lines.encode()))
    assert course is not None
    looked = np.linspace(-1.5, 1.5, 301)
    steep = np.where(looked < 0.2, 0.4 / 1.2, -1.0)
    exact = 0.4 + steep * (looked - 0.2)
    # a spline leaves a corner by about an eighth of its turn by the way between points
    assert (
        np.abs([course.at(float(one)) for one in looked] - exact).max()
        < 0.13 * (1.0 + 0.4 / 1.2) * 0.15
    )
    polynomial = COUPLER[COUPLER.index("<Poly") : COUPLER.index("</coupled")]
    assert "corners" in " ".join(map(str, two(COUPLER.replace(polynomial, lines), 0.3).notes))


def test_a_coordinate_without_an_axis_of_its_own_passes_on_what_leads_it() -> None:
    """A slide by X(b) = b + b^2, b = 0.1 - 2 p: (I1 + m2 X'^2) p'' = -m1 g L sin p from rest."""
    axes = [AXIS.format(f"rotation{n}", "", "0 0 1", STILL) for n in (1, 2, 3)]
    axes += [AXIS.format("translation1", "b", "1 0 0", "<PolynomialFunction><coefficients>1 1 0</coefficients></PolynomialFunction>")]  # fmt: skip
    axes += [AXIS.format(f"translation{n}", "", "0 1 0", STILL) for n in (2, 3)]
    slide = PIN.format("right", "b", -0.5, 0.5).replace("PinJoint", "CustomJoint").replace("</CustomJoint>", f"<SpatialTransform>{''.join(axes)}</SpatialTransform></CustomJoint>")  # fmt: skip
    tie = COUPLER.replace(".5 1 .1", "1 -.05").replace(">q<", ">b<")
    made = tree_of(BODIES.format(joints=PIN.format("left", "p", 0.3, 0) + slide, ties=tie).encode())
    assert not made.notes
    b = 0.1 - 2.0 * 0.3
    run = mk.run(mk.Model(made.project), until=1e-3)
    assert run["segments/right/position/x"].value[0] == pytest.approx(0.5 + b + b * b, abs=1e-9)
    slope = -2.0 * (1.0 + 2.0 * b)
    wanted = -9.80665 * 0.2 * math.sin(0.3) / (0.06 + 2.0 * slope**2)
    assert run["segments/left/angular_acceleration/z"].value[0] == pytest.approx(wanted, rel=1e-9)
    alone = tree_of(BODIES.format(joints=PIN.format("left", "p", 0.3, 0) + slide, ties="").encode())
    assert "stands still at its value at the start" in " ".join(map(str, alone.notes))
    assert next(one for one in alone.project.joints if one.kind == "slip").slide.locked  # type: ignore[union-attr]


def test_bodies_that_opensim_holds_are_held() -> None:
    rod = f"<ConstantDistanceConstraint name='rod'>{ENDS}<point_1>0 -.4 0</point_1><point_2>0 -.4 0</point_2><constant_distance>0.5</constant_distance></ConstantDistanceConstraint>"
    made = two(rod, 0.3)
    run = mk.run(mk.Model(made.project), until=1e-3)
    # both swing alike, as a parallelogram
    wanted = -9.80665 * 0.2 * 3.0 * math.sin(0.3) / (0.06 + 0.1)
    assert run["segments/left/angular_acceleration/z"].value[0] == pytest.approx(wanted, rel=1e-9)
    (tie,) = made.project.constraints
    assert (tie.kind, tie.distance_m) == ("fixed_distance", 0.5)
    line = "<PointOnLineConstraint name='l'><socket_line_body>/ground</socket_line_body><socket_follower_body>/bodyset/left</socket_follower_body><line_direction_vec>0 1 0</line_direction_vec><point_on_line>0.1 0 0</point_on_line><point_on_follower>0 -.4 0</point_on_follower></PointOnLineConstraint>"
    made = two(line, 0.0)
    assert any("closed by the least movement" in str(one) for one in made.notes)
    start = {one.joint: one.values[0] for one in made.project.initial.joints}
    assert abs(0.4 * math.sin(start["p"])) == pytest.approx(0.1, abs=1e-9)
    off = "<PointConstraint name='off'><isEnforced>false</isEnforced></PointConstraint><RollingOnSurfaceConstraint/>"
    told = " ".join(map(str, two(off, 0.0).notes))
    assert "'off' is switched off" in told
    assert "kind RollingOnSurfaceConstraint are left out (1)" in told
    weld = f"<WeldConstraint name='w'><socket_frame1>/bodyset/left</socket_frame1><socket_frame2>/bodyset/right</socket_frame2></WeldConstraint><PointConstraint name='pin'>{ENDS}<location_body_1>.5 0 0</location_body_1></PointConstraint>"
    assert [one.kind for one in two(weld, 0.3).project.constraints] == ["weld", "zero_distance"]
