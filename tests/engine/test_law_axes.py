"""Laws on axes of balls, Euler and free joints: against what is the same by other means, and by their energy."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.results import Trajectory
from solver.running.simulation import simulate
from tests.models import base, project, segment

FRAME = {"position_m": [0.0, 0.0, -0.2], "orientation": {"angles_rad": [0.2, -0.1, 0.3]}}
PARENT = {"orientation": {"angles_rad": [0.5, 0.3, -0.2]}}


def body(kind: str, values: list[float], rates: list[float], *forces: Any, **more: Any) -> Any:
    """Let a body move on a joint under laws on its coordinates."""
    functions, weight = more.pop("functions", []), more.pop("weight", 9.0)
    data = base(
        more.pop("duration", 0.8),
        segments=[segment("body", 1.5, (0.05, 0.06, 0.02))],
        functions=functions,
        joints=[{"id": "joint", "kind": kind, "parent": "ground", "child": "body",
                 "parent_frame": PARENT, "child_frame": FRAME, **more}],
        initial={"joints": [{"joint": "joint", "values": values, "rates": rates}]},
        coordinate_forces=list(forces),
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 1.0, weight]
    return data


def law(id_: str, axis: str, *laws: Any, **more: Any) -> Any:
    coordinate = {"kind": "joint", "joint": "joint", "axis": axis}
    return {"id": id_, "coordinate": coordinate, "zero": 0.0, "laws": list(laws), **more}


def solved(data: Any) -> Trajectory:
    out = simulate(project(data))
    assert out.status == "completed", out.message
    energy = out.table("energy")
    turned = float(np.ptp(energy["kinetic"]) + np.ptp(energy["potential"]))
    assert np.max(np.abs(energy["balance"])) < 1e-6 * turned
    assert np.min(np.diff(energy["lost_in_coordinate_forces"])) > -1e-7 * turned
    return out


def place(out: Trajectory) -> Any:
    return out.table("segments")["quaternion_wxyz"][:, 0]


SPRING = {"kind": "linear", "stiffness": 20.0}
OIL = {"kind": "viscous", "damping": 0.1}


def test_a_ball_has_the_components_of_its_turn() -> None:
    """The same as angles between both frames, which are known."""
    forces = [law(f"l{axis}", f"turn_{axis}", SPRING, OIL) for axis in "xyz"]
    as_angles = [
        one | {"coordinate": {"kind": "angle", "axis": axis,
                              "a": {"segment": "ground", "frame": PARENT},
                              "b": {"segment": "body", "frame": FRAME}}}
        for one, axis in zip(forces, "xyz", strict=True)
    ]  # fmt: skip
    start = [0.2, 0.5, 0.3], [1.0, -2.0, 3.0]
    one, other = solved(body("ball", *start, *forces)), solved(body("ball", *start, *as_angles))
    assert np.array_equal(place(one), place(other))


CURVES = [
    {"id": id_, "x_unit": x_unit, "y_unit": "N*m", "form": {"kind": "table", "x": x, "y": y}}
    for id_, x_unit, x, y in (
        ("forth", "rad", [0.0, 1.0], [0.0, 20.0]),
        ("back", "rad", [0.0, 1.0], [0.0, 45.0]),
        ("oil", "rad/s", [-10.0, -1.0, 1.0, 10.0], [-2.0, -0.5, 0.5, 2.0]),
        ("preload", "rad", [-0.01, 0.01], [-0.4, 0.4]),
    )
]
NECK = (
    {"kind": "rest", "above": "forth", "below": "back", "energy_ratio": 0.7, "offset_ratio": 0.1},
    {"kind": "rate", "base": "preload", "damping": "oil"},
    {"kind": "stop", "above": "forth", "lower": -0.15, "upper": 0.2},
)
"""Other curves each way, energy kept back, a preload with a damping curve, stops."""


def test_a_neck_in_three_axes_keeps_its_account() -> None:
    forces = [law(f"l{axis}", f"turn_{axis}", *NECK) for axis in "xyz"]
    start = [0.3, 0.2, -0.3], [2.0, -3.0, 2.0]
    out = solved(body("ball", *start, *forces, functions=CURVES, weight=3.0))
    assert out.table("energy")["lost_in_coordinate_forces"][-1] > 0.3


@pytest.mark.parametrize(("kind", "axis"), [("ball", "turn_y"), ("six", "pitch")])
def test_a_bend_about_one_axis_is_that_of_a_pin(kind: str, axis: str) -> None:
    """Laws with hysteresis, damping curve, preload and stops, on a ball, on a joint of six, and on a pin."""
    found = []
    for one, on, count in ((kind, axis, 6 if kind == "six" else 3), ("pin", "angle", 1)):
        values, rates = [0.0] * count, [0.0] * count
        at = {"ball": 1, "six": 4, "pin": 0}[one]
        values[at], rates[at] = 0.1, 4.0
        held = {name: {"locked": True} for name in "xyz"} if one == "six" else {}
        data = body(one, values, rates, law("l", on, *NECK), functions=CURVES, **held)
        data["joints"][0] |= {"parent_frame": {}, "child_frame": {"position_m": [0.0, 0.0, -0.2]}}
        data["gravity_m_per_s2"] = [0.5, 0.0, 9.0]
        out = solved(data)
        found.append([out.table("coordinate_forces")[name][:, 0] for name in ("angle", "torque")])
    assert np.ptp(found[1][0]) > 0.3
    assert found[0][0] == pytest.approx(found[1][0], abs=1e-7)
    assert found[0][1] == pytest.approx(found[1][1], abs=1e-4)


AXES = ("precession", "nutation", "spin")


@pytest.mark.parametrize("held", ["", "spin"])
def test_an_open_euler_joint_resists_as_its_own_springs(held: bool) -> None:
    """Springs and viscous friction of its axes are the same laws, open and with an axis held."""
    own = {
        name: {"spring": {"linear_nm_per_rad": 20.0}, "friction": {"viscous_nms_per_rad": 0.1},
               "centre_rad": 0.1, "lock": {"locked": name == held}}
        for name in AXES
    }  # fmt: skip
    bare = {name: {"lock": own[name]["lock"]} for name in AXES}
    forces = [law(f"l{name}", name, SPRING, OIL) | {"zero": 0.1} for name in AXES]
    start = [0.4, 0.9, -0.3], [1.0, -1.0, 0.0 if held else 2.0]
    by_joint = solved(body("euler", *start, **own))
    by_laws = solved(body("euler", *start, *forces, **bare))
    assert np.abs(place(by_laws) - place(by_joint)).max() < 1e-7
    angle = by_laws.table("joints")["angle"][:, 0]
    assert by_laws.table("coordinate_forces")["angle"] == pytest.approx(angle - 0.1, abs=1e-8)


def test_an_euler_law_that_opens_acts_on_as_before() -> None:
    """A lock opens in the middle of the run: three turns become a ball."""
    opens = {"lock": {"locked": True, "unlock_torque_nm": 0.4}}
    forces = [law(f"l{name}", name, SPRING, OIL) | {"zero": 0.9} for name in AXES]
    out = solved(
        body("euler", [0.8, 0.9, 0.9], [0.3, -0.3, 0.0], *forces, spin=opens, duration=0.3)
    )
    state = out.table("joints")["state"][:, 0]
    assert state[0] == 4
    assert state[-1] == 0
    angle = out.table("joints")["angle"][:, 0]
    assert np.min(angle[:, 1]) > 0.1
    assert out.table("coordinate_forces")["angle"] == pytest.approx(angle - 0.9, abs=1e-8)


def test_a_free_joint_takes_laws_along_and_about_its_parents_axes() -> None:
    """Springs along x, y, z: without spin, each goes by itself."""
    forces = [
        law(f"l{axis}", axis, {"kind": "linear", "stiffness": k})
        for axis, k in zip("xyz", (30.0, 60.0, 90.0), strict=True)
    ] + [law("turn", "turn_z", {"kind": "linear", "stiffness": 2.0})]
    data = body("free", [0.1, -0.2, 0.05, 0.0, 0.0, 0.0], [0.0] * 6, *forces)
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["joints"][0] |= {"parent_frame": {}, "child_frame": {}}
    out = solved(data)
    way = out.table("coordinate_forces")["way"]
    for n, (start, k) in enumerate(zip((0.1, -0.2, 0.05), (30.0, 60.0, 90.0), strict=True)):
        wanted = start * np.cos(math.sqrt(k / 1.5) * out.time)
        assert way[:, n] == pytest.approx(wanted, abs=1e-6)


def test_laws_end_where_their_joint_breaks() -> None:
    """Also those of axes before the last of a chain, and of a ball."""
    for kind, axis in (("ball", "turn_x"), ("universal", "first"), ("euler", "nutation")):
        values = [0.4, 0.9, -0.3][: 2 if kind == "universal" else 3]
        forces = [law("one", axis, SPRING)]
        out = simulate(
            project(body(kind, values, [0.0] * len(values), *forces, breakage={"force_n": 16.0}))
        )
        assert out.status == "completed", out.message
        state = out.table("joints")["state"][:, 0]
        assert state[-1] == 8, kind
        broken = state == 8
        assert np.all(out.table("coordinate_forces")["torque"][broken, 0] == 0.0)
        assert np.all(out.table("coordinate_forces")["torque"][~broken, 0] != 0.0)


@pytest.mark.parametrize("kind", ["pin", "ball"])
def test_an_angle_goes_on_beyond_half_a_turn_and_gives_back_what_it_holds(kind: str) -> None:
    """Springs whose rest is off the middle: where the angle folded they would hold more, out of nothing."""
    joint = {"id": "joint", "kind": kind, "parent": "ground", "child": "body"}
    frames = {"kind": "angle", "a": {"segment": "ground"}, "b": {"segment": "body"}}
    axes = "y" if kind == "pin" else "xyz"
    laws = [
        {"id": f"about_{axis}", "coordinate": frames | {"axis": axis}, "zero": 0.9 if axis == "y" else 0.2,
         "laws": [{"kind": "linear", "stiffness": 20.0}]}
        for axis in axes
    ]  # fmt: skip
    start = (
        {"joints": [{"joint": "joint", "values": [0.0], "rates": [26.0]}]}
        if kind == "pin"
        else {"attitudes": [{"segment": "body", "angular_velocity_rad_per_s": [3.0, 24.0, -4.0]}]}
    )
    data = base(
        0.6, segments=[segment("body", 1.0, (0.5, 0.45, 0.4))], joints=[joint], initial=start, coordinate_forces=laws,
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip
    out = simulate(project(data))
    assert out.status == "completed", out.message
    energy = out.table("energy")
    whole = energy["kinetic"] + energy["strain"]
    assert np.ptp(whole) < 1e-5 * whole[0]
    assert np.max(np.abs(energy["lost_in_coordinate_forces"])) < 1e-5 * whole[0]
    value = out.table("coordinate_forces")["angle"][:, 1 if kind == "ball" else 0]
    assert np.max(np.abs(value)) > 3.3
