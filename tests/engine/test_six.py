"""Joints of six: each of three slides and three turns has its laws, holds, breaks and is driven by itself."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import brentq

from solver.analysis.equilibrium import settle
from solver.project.checks import check
from solver.project.joints import Axis, Lock, SixJoint, Slide
from solver.results import Trajectory
from solver.running.restart import Restart
from solver.running.simulation import Simulation, simulate
from tests.engine.test_drivers import polynomial
from tests.models import EXACT, base, project, segment

SLIDES, TURNS = ("x", "y", "z"), ("yaw", "pitch", "roll")
MASS, INERTIA = 2.0, (0.02, 0.03, 0.05)
"""A turn about z is a yaw, one about y a pitch, one about x a roll."""
ABOUT = {"yaw": 2, "pitch": 1, "roll": 0}
PULL = {
    "id": "pull", "x_unit": "m", "y_unit": "N",
    "form": {"kind": "table", "x": [-1.0, 1.0], "y": [-200.0, 200.0]},
}  # fmt: skip
HELD: dict[str, Any] = {
    **{name: {"locked": True} for name in SLIDES},
    **{name: {"lock": {"locked": True}} for name in TURNS},
}


def six(
    duration: float = 0.5, values: Any = (), rates: Any = (), outputs: Any = (), **laws: Any
) -> Any:
    start: dict[str, Any] = {"joint": "six"}
    start |= {"values": list(values)} if len(values) else {}
    start |= {"rates": list(rates)} if len(rates) else {}
    joint = {"id": "six", "kind": "six", "parent": "ground", "child": "body", **laws}
    return base(
        duration, segments=[segment("body", MASS, INERTIA)], joints=[joint], functions=[PULL],
        initial={"joints": [start]}, outputs=list(outputs), gravity_m_per_s2=[0.0, 0.0, 0.0],
        integrator={**EXACT, "relative_tolerance": 1e-10},
    )  # fmt: skip


def one_hot(name: str, value: float) -> list[float]:
    return [value if axis == name else 0.0 for axis in (*SLIDES, *TURNS)]


COORDINATES = {"id": "at", "kind": "joint", "joint": "six", "quantity": "angle"}


def solved(data: Any) -> Trajectory:
    return simulate(project(data))


@pytest.mark.parametrize("moving", [(), ("x",), ("z", "pitch"), (*SLIDES, *TURNS)], ids=str)
def test_a_body_moves_as_if_free_along_what_is_not_held(moving: tuple[str, ...]) -> None:
    """With all six free it tumbles as a free body does; what is held stays at its start."""
    values = [0.1, -0.2, 0.3, 0.3, 0.2, -0.4]
    rates = [1.0, -0.5, 0.7, 1.0, 0.8, -1.5]
    laws = {name: law for name, law in HELD.items() if name not in moving}
    out = solved(six(0.4, values, rates, [COORDINATES], **laws))
    for name, value in zip((*SLIDES, *TURNS), values, strict=True):
        if name not in moving:
            assert np.all(out.channel(f"at_{name}").value == value), name
    if len(moving) < 6:
        return
    free = base(
        0.4, segments=[segment("body", MASS, INERTIA)], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "free", "kind": "free", "parent": "ground", "child": "body"}],
        initial={"joints": [{"joint": "free", "values": values, "rates": rates}]},
    )  # fmt: skip
    other = simulate(project(free))
    mine, theirs = out.table("segments"), other.table("segments")
    for column in ("position", "velocity", "angular_velocity"):
        assert np.allclose(mine[column], theirs[column], atol=1e-8), column
    # yaw, pitch and roll are those of the body
    w, x, y, z = mine["quaternion_wxyz"][:, 0].T
    pitch = np.arcsin(2.0 * (w * y - z * x))
    at = np.round(out.channel("at_pitch").time / 0.01).astype(int)
    assert np.allclose(out.channel("at_pitch").value, pitch[at], atol=1e-9)


@pytest.mark.parametrize("yaw_rate", [0.0, 1e-12, 1e-9, 1e-6, 1e-5, 1e-4, 1e-2, 0.3])
def test_it_tumbles_past_an_upright_pitch_as_a_free_body_does(yaw_rate: float) -> None:
    """Through it, or close by it, as near as can be: there its turns are a ball, and its angles go on past 90 degrees."""
    values, rates = one_hot("pitch", 0.5), [0.0, 0.0, 0.0, yaw_rate, 3.0, 0.0]
    out = solved(six(1.0, values, rates, [COORDINATES]))
    pitch = out.channel("at_pitch").value
    assert np.max(pitch) > math.radians(87.0)
    if yaw_rate < 0.1:
        assert pitch[-1] == pytest.approx(3.5, abs=1e-2)
    assert len(out.steps().columns["time"]) < 600
    w, x, y, z = out.table("segments")["quaternion_wxyz"][:, 0].T
    at = np.round(out.channel("at_pitch").time / 0.01).astype(int)
    away = np.abs(np.cos(pitch)) > 0.02
    assert np.allclose(np.sin(pitch)[away], 2.0 * (w * y - z * x)[at][away], atol=1e-9)
    free = base(
        1.0, segments=[segment("body", MASS, INERTIA)], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "free", "kind": "free", "parent": "ground", "child": "body"}],
        initial={"joints": [{"joint": "free", "values": values, "rates": rates}]},
    )  # fmt: skip
    mine, theirs = out.table("segments"), simulate(project(free)).table("segments")
    for column in ("velocity", "angular_velocity"):
        assert np.allclose(mine[column], theirs[column], atol=1e-6), column


@pytest.mark.parametrize("yaw_rate", [0.0, 1e-6, 0.02])
def test_springs_of_its_turns_and_laws_on_them_act_alike_past_an_upright_pitch(
    yaw_rate: float,
) -> None:
    """They keep their energy, and what is a law of the joint is the same as one beside it."""
    stiff = {"yaw": 0.3, "pitch": 0.5, "roll": 0.2}
    values, rates = one_hot("pitch", 0.8), [0.0, 0.0, 0.0, yaw_rate, 9.0, 0.0]
    own = {
        name: {"spring": {"linear_nm_per_rad": k}, "centre_rad": 0.1 if name == "pitch" else 0.0}
        for name, k in stiff.items()
    }
    beside = six(0.3, values, rates, [COORDINATES])
    beside["coordinate_forces"] = [
        {"id": name, "coordinate": {"kind": "joint", "joint": "six", "axis": name},
         "laws": [{"kind": "linear", "stiffness": k}], "zero": 0.1 if name == "pitch" else 0.0}
        for name, k in stiff.items()
    ]  # fmt: skip
    runs = [solved(data) for data in (six(0.3, values, rates, [COORDINATES], **own), beside)]
    for run in runs:
        assert run.channel("at_pitch").value.max() > 1.8
        assert np.abs(run.table("energy")["balance"]).max() < 1e-8
    for name in TURNS:
        mine, other = (run.channel(f"at_{name}").value for run in runs)
        assert mine == pytest.approx(other, abs=1e-6)


def test_a_run_taken_up_again_near_an_upright_pitch_goes_on_to_the_bit() -> None:
    data = six(0.6, one_hot("pitch", 0.8), [0.0, 0.0, 0.0, 1e-3, 3.0, 0.0], [COORDINATES])
    data["runs"][0]["checkpoint_interval_s"] = 0.252
    made = project(data)
    whole = simulate(made)
    at = next(t for t, _ in whole.checkpoints() if t > 0.2)
    # there it is a ball
    assert abs(0.8 + 3.0 * at - math.pi / 2) < 0.05
    simulation = Simulation(made, restart=Restart(whole, at + 0.01))
    again = simulation.memory()
    simulation.go_into(again)
    for column in ("angle", "rate", "state"):
        assert np.array_equal(again.table("joints")[column], whole.table("joints")[column]), column
    assert set(whole.table("joints")["state"][:, 0]) == {0}


def test_what_drives_or_damps_a_turn_passes_an_upright_pitch_or_ends_with_its_sentence() -> None:
    """Through it and close by it: a driver of yaw or roll as a frame's does, others right or with joint, turn and way out."""
    draw, ways = np.random.default_rng(5), {"driver": 0, "damper": 0, "lock": 0}
    for n in range(12):
        name, what = TURNS[n % 3], list(ways)[n // 4]
        values = [
            0.0,
            0.0,
            0.0,
            draw.uniform(-1.0, 1.0),
            draw.choice([-1.0, 1.0]) * draw.uniform(0.9, 1.4),
            0.0,
        ]
        rates = [
            0.0,
            0.0,
            0.0,
            draw.choice([0.0, 1e-9, 1e-5, 1e-2]),
            math.copysign(4.0, values[4]),
            0.0,
        ]
        laws: dict[str, Any] = {}
        if what == "damper":
            laws[name] = {"friction": {"viscous_nms_per_rad": 0.05, "relaxation_s": 0.01}}
        elif what == "lock":
            laws[name] = {"lock": {"lock_rate_rad_per_s": 1e-12}}
        data = six(0.4, values, rates, [COORDINATES], **laws)
        if what == "driver":
            start = 3 + TURNS.index(name)
            data["functions"] = [PULL, polynomial("course", values[start], rates[start])]
            data["initial"]["joints"][0]["rates"][start] = 0.0
            data["drivers"] = [
                {
                    "id": "d",
                    "joint": "six",
                    "axis": name,
                    "pulse": {"kind": "function", "function": "course"},
                }
            ]
        out = solved(data)
        if out.status == "completed":
            assert np.abs(out.table("energy")["balance"]).max() < 1e-5
            ways[what] += 1
            if what == "lock":
                # open, it does nothing
                free = solved(six(0.4, values, rates, [COORDINATES]))
                spin, true = (run.table("segments")["angular_velocity"] for run in (out, free))
                assert spin == pytest.approx(true, abs=1e-5)
        else:
            assert "the joint 'six' has a pitch of 90 degrees" in out.message
            assert f"drives or damps its {name} leaves" in out.message
            assert "drive yaw or roll" in out.message
    assert all(ways.values())


@pytest.mark.parametrize("name", SLIDES)
def test_each_slide_swings_on_its_own_spring_and_drag(name: str) -> None:
    """x'' + (c/m) x' + (k/m) x = 0 along one axis, in closed form."""
    c, start = 3.0, 0.05
    laws = HELD | {name: {"force": "pull", "viscous_ns_per_m": c}}
    force = {
        "id": "f",
        "kind": "joint",
        "joint": "six",
        "quantity": "force",
        "in_axes_of": "parent",
    }
    out = solved(six(0.5, one_hot(name, start), (), [COORDINATES, force], **laws))
    way = out.channel(f"at_{name}")
    half, square = c / (2.0 * MASS), 200.0 / MASS
    w = math.sqrt(square - half**2)
    t = way.time
    wanted = start * np.exp(-half * t) * (np.cos(w * t) + half / w * np.sin(w * t))
    assert np.allclose(way.value, wanted, atol=1e-9)
    assert np.allclose(out.channel(f"f_spring_{name}").value, -200.0 * wanted, atol=1e-6)
    assert np.allclose(
        out.channel(f"f_spring_{name}").value + out.channel(f"f_friction_{name}").value,
        out.channel(f"f_{name}").value,
        atol=1e-6,
    )
    energy = out.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-9
    assert out.table("joints")["slide"][0, 0] == start


@pytest.mark.parametrize("name", TURNS)
def test_each_turn_swings_on_its_own_spring(name: str) -> None:
    k, start = 4.0, 0.6
    laws = HELD | {name: {"spring": {"linear_nm_per_rad": k}, "centre_rad": 0.1}}
    out = solved(six(0.5, one_hot(name, start), (), [COORDINATES], **laws))
    turn = out.channel(f"at_{name}")
    wanted = 0.1 + 0.5 * np.cos(math.sqrt(k / INERTIA[ABOUT[name]]) * turn.time)
    assert np.allclose(turn.value, wanted, atol=1e-8)


def test_held_slides_are_released_one_by_one_by_the_load_along_each() -> None:
    """A force that grows along (1, 2, 0): y opens at 40 N, x at 30 N, later; z never."""
    laws: dict[str, Any] = {}
    limits = {"x": 30.0, "y": 40.0, "z": 10.0}
    for name, limit in limits.items():
        laws[name] = {"locked": True, "release_above_n": limit, "release_below_n": -limit}
    data = six(0.8, **(HELD | laws))
    data["functions"].append(
        {"id": "grow", "x_unit": "s", "y_unit": "N",
         "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 100.0]}}
    )  # fmt: skip
    data["loads"] = [
        {
            "id": "push",
            "segment": "body",
            "axes": "ground",
            "history": "grow",
            "direction": [1.0, 2.0, 0.0],
        }
    ]
    out = solved(data)
    unit = math.hypot(1.0, 2.0) / 100.0
    found = {event.elements[0]: event.time for event in out.events()}
    assert found == {
        "joints/six/y": pytest.approx(40.0 / 2.0 * unit, abs=1e-9),
        "joints/six/x": pytest.approx(30.0 * unit, abs=1e-9),
    }
    states = out.table("joints")["state"][:, 0]
    # bits 0 to 2 are x, y and z; 4 to 6 yaw, pitch and roll
    assert states[0] == 0b1110111
    assert states[-1] == 0b1110100


def test_it_breaks_into_a_free_body() -> None:
    data = six(0.3, **(HELD | {"breakage": {"force_n": 100.0}}))
    data["functions"].append(
        {"id": "grow", "x_unit": "s", "y_unit": "N",
         "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 1000.0]}}
    )  # fmt: skip
    data["loads"] = [
        {
            "id": "push",
            "segment": "body",
            "axes": "ground",
            "history": "grow",
            "direction": [0.0, 0.6, 0.8],
        }
    ]
    out = solved(data)
    (event,) = out.events()
    assert (event.kind, event.time) == ("joint_breaks", pytest.approx(0.1, abs=1e-9))
    assert out.table("joints")["state"][-1, 0] == 8
    # 1000 t / m from 0.1 s on, twice summed
    t = 0.3
    way = 1000.0 / MASS * (t**3 / 6.0 - 0.1**2 / 2.0 * t + 0.1**3 / 3.0)
    assert np.allclose(out.table("segments")["position"][-1, 0], [0.0, 0.6 * way, 0.8 * way])


def test_it_settles_on_its_springs_and_its_axes_are_held_there_until_more_than_that_load() -> None:
    """2 kg on 200 N/m along z, its centre 0.1 m aside of the joint on 4 N m/rad about y."""
    free = {"z": {"force": "pull"}, "pitch": {"spring": {"linear_nm_per_rad": 40.0}}}
    data = six(0.1, **(HELD | free))
    data["joints"][0]["child_frame"] = {"position_m": [-0.1, 0.0, 0.0]}
    data["gravity_m_per_s2"] = [0.0, 0.0, 9.81]
    done = settle(project(data), lock=["six"], opens_at=2.0)
    (start,) = done.project.initial.joints
    weight = 9.81 * MASS
    pitch = brentq(lambda a: 40.0 * a + weight * 0.1 * math.cos(a), -1.0, 0.0)
    assert start.values[2] == pytest.approx(weight / 200.0, abs=1e-6)
    assert start.values[4] == pytest.approx(pitch, abs=1e-6)
    (joint,) = done.project.joints
    assert isinstance(joint, SixJoint)
    assert joint.z.locked
    assert joint.pitch.lock.locked
    assert (joint.x, joint.yaw) == (Slide(locked=True), Axis(lock=Lock(locked=True)))


def test_a_driver_moves_one_axis_while_another_swings() -> None:
    data = six(
        0.5, one_hot("y", 0.05), (), [COORDINATES], **(HELD | {"x": {}, "y": {"force": "pull"}})
    )
    data["drivers"] = [
        {"id": "sway", "joint": "six", "axis": "x", "quantity": "velocity",
         "pulse": {"kind": "constant", "value": 2.0}}
    ]  # fmt: skip
    out = solved(data)
    x, y = out.channel("at_x"), out.channel("at_y")
    assert np.allclose(x.value, 2.0 * x.time, atol=1e-12)
    assert np.allclose(y.value, 0.05 * np.cos(10.0 * y.time), atol=1e-8)


def test_laws_of_coordinates_act_on_its_axes() -> None:
    data = six(0.5, one_hot("pitch", 0.3), (), [COORDINATES], **(HELD | {"pitch": {}}))
    data["coordinate_forces"] = [
        {"id": "law", "coordinate": {"kind": "joint", "joint": "six", "axis": "pitch"},
         "laws": [{"kind": "linear", "stiffness": 4.0}], "zero": 0.0}
    ]  # fmt: skip
    out = solved(data)
    turn = out.channel("at_pitch")
    assert np.allclose(turn.value, 0.3 * np.cos(math.sqrt(4.0 / INERTIA[1]) * turn.time), atol=1e-8)


def test_an_upright_pitch_is_refused_at_the_start() -> None:
    found = check(project(six(values=one_hot("pitch", math.radians(-89.5)))))
    assert "pitch-upright" in {one.code for one in found}
    turned = six()
    turned["initial"] = {
        "attitudes": [{"segment": "body", "orientation": {"angles_rad": [0.0, math.pi / 2, 0.0]}}]
    }
    assert "pitch-upright" in {one.code for one in check(project(turned))}
    assert "pitch-upright" not in {
        one.code for one in check(project(six(values=one_hot("pitch", 1.5))))
    }
