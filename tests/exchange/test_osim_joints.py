"""Joints of OpenSim that count from what they carry, and joints that close rings."""

from __future__ import annotations

import json
import math

import numpy as np
import pytest

import manikin as mk
from solver.exchange.trees import TreeError, read_tree
from solver.exchange.trees.files import tree_of
from tests.exchange.test_osim import DATA, PENDULUM

JOINT = """<{kind} name="{name}"><socket_parent_frame>a_{name}</socket_parent_frame><socket_child_frame>b_{name}</socket_child_frame>{coordinates}
<frames><PhysicalOffsetFrame name="a_{name}"><socket_parent>{a}</socket_parent><translation>{at}</translation><orientation>{turned}</orientation></PhysicalOffsetFrame>
<PhysicalOffsetFrame name="b_{name}"><socket_parent>{b}</socket_parent><translation>{into}</translation><orientation>{turned}</orientation></PhysicalOffsetFrame></frames></{kind}>"""
BODY = '<Body name="{}"><mass>{}</mass><mass_center>{}</mass_center><inertia>0.004 0.002 {} 0 0 0</inertia></Body>'  # fmt: skip
MODEL = """<OpenSimDocument Version="40000"><Model name="ring"><gravity>0.3 -9.80665 0</gravity><BodySet><objects>{}</objects></BodySet><JointSet><objects>{}</objects></JointSet></Model></OpenSimDocument>"""


def joint(name: str, a: str, b: str, at: str, into: str = "0 0 0", kind: str = "PinJoint", turned: str = "0 0 0", value: float | None = None, more: str = "") -> str:  # fmt: skip
    start = "" if value is None else f'<coordinates><Coordinate name="q_{name}"><default_value>{value}</default_value>{more}</Coordinate></coordinates>'  # fmt: skip
    ends = {"a": "/ground" if a == "ground" else f"/bodyset/{a}", "b": f"/bodyset/{b}"}
    return JOINT.format(kind=kind, name=name, at=at, into=into, turned=turned, coordinates=start, **ends)  # fmt: skip


@pytest.mark.parametrize(("file", "bodies"), [("backwards", 7), ("ellipsoids", 6)])
def test_joints_in_motion_move_as_in_opensim(file: str, bodies: int) -> None:
    """As OpenSim 4.6 has them: each kind with ends the other way, locked coordinates and functions among them; ellipsoids with three radii, two and one, shoulder blades on them."""
    made = read_tree(DATA / f"{file}.osim")
    told = json.loads((DATA / f"{file}.json").read_text(encoding="utf-8"))["bodies"]
    run = mk.run(mk.Model(made.project), until=1e-3)
    assert len(told) == bodies
    for name, want in told.items():
        for key, size in want.items():
            quantity = key.removesuffix("_m").partition("_m_per")[0].partition("_rad_per")[0]
            axes = "@ground" if quantity.startswith("angular") else ""
            quantity = "position" if quantity == "place" else quantity
            got = [run[f"segments/{name}/{quantity}/{a}{axes}"].value[0] for a in "xyz"]
            assert np.abs(np.subtract(got, size)).max() < 1e-11 * (1.0 + np.abs(size).max()), (name, key)  # fmt: skip


def test_a_joint_of_version_three_that_counts_from_its_child_is_turned_round() -> None:
    """As OpenSim does: the bob is where ground was seen from it, and turns the other way."""
    text = PENDULUM.format(forces="").replace("<reverse>false", "<reverse>true")
    run = mk.run(mk.Model(tree_of(text.encode()).project), until=1e-3)
    c, s = math.cos(0.7), math.sin(0.7)
    # 0.5 up in the bob is turned back by 0.7, and ground's 1 m up is there
    told = np.array((0.0, 1.0)) - 0.5 * np.array((s, c))
    got = [run[f"segments/bob/position/{a}"].value[0] for a in "xy"]
    assert got == pytest.approx(told, abs=1e-12)
    assert run["segments/bob/angular_velocity/z@ground"].value[0] == pytest.approx(-1.5, rel=1e-12)


@pytest.mark.parametrize(
    ("kind", "turned", "said"),
    [
        ("PinJoint", "0 0 0", "revolute"),
        ("BallJoint", "0 0 0", "zero_distance"),
        ("GimbalJoint", "0.2 0 0", "zero_distance"),
        # its first axis, x, is that of the pins
        ("UniversalJoint", f"0 {-math.pi / 2} 0", "universal_closure"),
    ],
)
def test_a_ring_of_four_bars_falls_as_its_closed_form(kind: str, turned: str, said: str) -> None:
    """A parallelogram of crank, rod and rocker: (sum of inertia) a = moment of weights; the last joint is a constraint."""
    bodies = BODY.format("crank", 0.9, "0 0.1 0", 0.004) + BODY.format("rod", 1.2, "0.2 0.01 0", 0.02) + BODY.format("rocker", 1.0, "0 0.12 0.01", 0.005)  # fmt: skip
    joints = joint("main", "ground", "crank", "0 0 0", value=0.3) + joint("top", "crank", "rod", "0 0.2 0", value=-0.3)  # fmt: skip
    joints += joint("end", "rod", "rocker", "0.4 0 0", "0 0.2 0", value=0.3) + joint("foot", "ground", "rocker", "0.4 0 0", kind=kind, turned=turned)  # fmt: skip
    made = tree_of(MODEL.format(bodies, joints).encode())
    assert f"'foot' closes a ring of joints: it is a constraint ({said})" in " ".join(map(str, made.notes))  # fmt: skip
    run = mk.run(mk.Model(made.project), until=1e-3)
    inertia = 0.004 + 0.9 * 0.1**2 + 1.2 * 0.2**2 + 0.005 + 0.12**2
    moment = 0.9 * 0.1 + 1.2 * 0.2 + 0.12
    wanted = moment * (9.80665 * math.sin(0.3) - 0.3 * math.cos(0.3)) / inertia
    for name, one in (("crank", wanted), ("rocker", wanted), ("rod", 0.0)):
        assert run[f"segments/{name}/angular_acceleration/z@ground"].value[0] == pytest.approx(one, abs=1e-9)  # fmt: skip


@pytest.mark.parametrize("locked", [False, True])
def test_a_slide_that_closes_a_ring_goes_along_its_axis_or_stands(locked: bool) -> None:
    """Crank, rod and block: at rest the acceleration is that of the one freedom, Q / I by the places; locked nothing moves."""
    bodies = BODY.format("crank", 0.9, "0.1 0 0", 0.004) + BODY.format("rod", 1.2, "0.15 0 0", 0.02) + BODY.format("block", 0.7, "0 0 0", 0.001)  # fmt: skip
    a, b = 0.6, -math.asin(0.5 * math.sin(0.6))
    where = 0.2 * math.cos(a) + 0.4 * math.cos(b)
    joints = joint("main", "ground", "crank", "0 0 0", value=a) + joint("top", "crank", "rod", "0.2 0 0", value=b - a)  # fmt: skip
    joints += joint("end", "rod", "block", "0.4 0 0", value=-b)
    more = "<locked>true</locked>" if locked else ""
    joints += joint("bore", "ground", "block", "0.1 0 0", kind="SliderJoint", value=where - 0.1, more=more)  # fmt: skip
    run = mk.run(mk.Model(tree_of(MODEL.format(bodies, joints).encode()).project), until=1e-3)

    def places(a: float) -> np.ndarray:
        b = -math.asin(0.5 * math.sin(a))
        pin = 0.2 * np.array((math.cos(a), math.sin(a)))
        rod, block = pin + 0.15 * np.array((math.cos(b), math.sin(b))), pin[0] + 0.4 * math.cos(b)
        return np.array((*(0.5 * pin), a, *rod, b, block, 0.0, 0.0))

    h = 1e-5
    slope = (places(a + h) - places(a - h)) / (2.0 * h)
    mass = np.array((0.9, 0.9, 0.004, 1.2, 1.2, 0.02, 0.7, 0.7, 0.001))
    weight = np.array((0.3, -9.80665, 0.0) * 3) * mass
    wanted = 0.0 if locked else float(weight @ slope / (mass * slope @ slope))
    got = run["segments/crank/angular_acceleration/z@ground"].value[0]
    assert got == pytest.approx(wanted, abs=1e-6)


def test_a_ring_without_a_joint_that_can_close_it_is_refused() -> None:
    text = MODEL.format(BODY.format("one", 1, "0 0 0", 0.001), joint("first", "ground", "one", "0 0 0", kind="PlanarJoint") + joint("second", "ground", "one", "0 0 0", kind="PlanarJoint"))  # fmt: skip
    with pytest.raises(
        TreeError, match="closes a ring of joints none of which can be a constraint"
    ):
        tree_of(text.encode())
    with pytest.raises(TreeError, match="a joint joins two bodies"):
        tree_of(text.replace("/ground", "/bodyset/one").encode())
