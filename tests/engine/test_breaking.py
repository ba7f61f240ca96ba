"""Joints that break over a ramp: closed forms, the way back, momenta, energy, what is said and shown."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.project.checks import check
from solver.running.simulation import simulate
from tests.models import base, project, segment

FINE = {"kind": "dopri", "relative_tolerance": 1e-9, "absolute_tolerance": 1e-11}


def solved(data: Any) -> Any:
    """Solve a project whose account closes, and where nothing that is lost comes back."""
    run = simulate(project(data))
    assert run.status == "completed", run.message
    energy = run.table("energy")
    lost = energy["dissipated"]
    turned = max(float(np.max(np.abs(energy["external"]))), float(np.max(lost)), 1.0)
    assert np.abs(energy["balance"]).max() < 1e-6 * turned
    assert np.min(lost - np.maximum.accumulate(lost)) > -1e-7 * turned
    assert lost[-1] > 0.0
    return run


def at(run: Any, kind: str) -> float:
    (found,) = [e.time for e in run.events() if e.kind == kind]
    return float(found)


def pulled(points: list[tuple[float, float]], **breakage: float) -> Any:
    """Hold 5 kg by a joint of 1000 N to the ground, and pull by a force that is given by points in time."""
    t, f = zip(*points, strict=True)
    return base(
        0.05, segments=[segment("part", 5.0)], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "bond", "kind": "locked", "parent": "ground", "child": "part",
                 "breakage": {"force_n": 1000.0, "ramp_m": 0.01, **breakage}}],
        functions=[{"id": "pull", "x_unit": "s", "y_unit": "N",
                    "form": {"kind": "table", "x": list(t), "y": list(f)}}],
        loads=[{"id": "pull", "segment": "part", "direction": [1.0, 0.0, 0.0], "axes": "ground", "history": "pull"}],
        integrator=FINE,
    )  # fmt: skip


def test_it_comes_apart_as_the_closed_form_says() -> None:
    """5 x'' = 1200 - 1000 (1 - 100 x): x = 2 mm (cosh(a t) - 1), so cosh(a t) = 6 at the end of the ramp."""
    data = pulled([(0.0, 1200.0), (1.0, 1200.0)])
    data["runs"][0]["frame_interval_s"] = 1e-4
    run = solved(data)
    a = math.sqrt(1e5 / 5.0)
    assert at(run, "joint_breaks") == 0.0
    assert at(run, "joint_parts") == pytest.approx(math.acosh(6.0) / a, abs=1e-7)
    assert at(run, "joint_parts") == pytest.approx(17.5213e-3, abs=1e-7)
    t, motion = run.time, run.segment("part")
    before = t < at(run, "joint_parts")
    assert motion.position[before, 0] == pytest.approx(
        2e-3 * (np.cosh(a * t[before]) - 1.0), abs=1e-9
    )
    speed = 2e-3 * a * math.sinh(math.acosh(6.0))
    assert speed == pytest.approx(1.673320, abs=1e-6)
    after = motion.velocity[~before, 0] - 240.0 * (t[~before] - at(run, "joint_parts"))
    assert after == pytest.approx(speed, abs=1e-6)
    assert run.table("energy")["dissipated"][-1] == pytest.approx(5.0, abs=1e-6)
    force = run.table("joints")["force"][:, 0, 0]
    assert force[before][1:] == pytest.approx(
        -1000.0 * (1.0 - 100.0 * motion.position[before, 0][1:]), abs=1e-4
    )
    assert np.all(force[~before] == 0.0)


def test_on_the_way_back_the_load_stays_and_then_goes_away() -> None:
    """Turned round within the ramp: the load of the largest way, and none any more at the first place."""
    points = [(0.0, 1200.0), (0.009, 1200.0), (0.0091, -900.0), (1.0, -900.0)]
    data = pulled(points)
    data["runs"][0]["frame_interval_s"] = 1e-4
    run = solved(data)

    def course(t: float, y: Any) -> list[float]:
        pull = np.interp(t, [p[0] for p in points], [p[1] for p in points])
        x, v, most = y
        most = max(most, x)
        fade = min(max((x + 1e-6) / (0.05 * most + 1e-6), 0.0), 1.0)
        return [
            v,
            (pull - 1000.0 * (1.0 - most / 0.01) * fade) / 5.0,
            v if x >= most - 1e-12 and v > 0.0 else 0.0,
        ]

    done = solve_ivp(
        course,
        (0.0, 0.03),
        [0.0, 0.0, 0.0],
        t_eval=run.time[:301],
        rtol=1e-9,
        atol=1e-12,
        max_step=2e-5,
    )
    assert 2e-3 < done.y[2, -1] < 8e-3
    assert done.y[0, -1] < -1e-3, "it has gone through its first place"
    assert run.segment("part").position[:301, 0] == pytest.approx(done.y[0], abs=2e-7)
    force = run.table("joints")["force"][:, 0, 0]
    x = run.segment("part").position[:, 0]
    back = (run.segment("part").velocity[:, 0] < 0.0) & (x > 0.05 * x.max())
    assert back.sum() > 10
    assert np.ptp(force[back]) < 1e-2
    assert np.all(force[x < -1.01e-6] == 0.0)
    lost = run.table("energy")["lost_in_joint_springs"]
    # what acts beyond the first place
    assert np.all(np.diff(lost) > -2e-5 * lost[-1])


def test_a_torque_fades_over_a_turn() -> None:
    """I a'' = 60 - 50 (1 - a / 0.2) about z."""
    data = base(
        0.2, segments=[segment("part", 2.0, (0.2, 0.2, 0.3))], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "bond", "kind": "locked", "parent": "ground", "child": "part",
                 "breakage": {"torque_z_nm": 50.0, "ramp_rad": 0.2}}],
        functions=[{"id": "twist", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "constant", "value": 60.0}}],
        loads=[{"id": "twist", "kind": "torque", "segment": "part", "direction": [0.0, 0.0, 1.0], "axes": "ground",
                "history": "twist"}],
        integrator=FINE,
    )  # fmt: skip
    run = solved(data)
    a = math.sqrt(250.0 / 0.3)
    # 0.04 (cosh - 1) = 0.2
    assert at(run, "joint_parts") == pytest.approx(math.acosh(6.0) / a, abs=1e-7)
    assert run.table("energy")["dissipated"][-1] == pytest.approx(0.5 * 50.0 * 0.2, abs=1e-6)


def test_what_breaks_between_two_free_bodies_keeps_all_momentum() -> None:
    """Thrown, spinning, pulled asunder by a spring at an angle: forces and torques of the ramp are equal and opposite."""
    data = base(
        0.3,
        segments=[segment("one", 3.0, (0.2, 0.3, 0.25)), segment("other", 2.0, (0.1, 0.12, 0.05))],
        joints=[{
            "id": "bond", "kind": "locked", "parent": "one", "child": "other",
            "parent_frame": {"position_m": [0.2, 0.1, -0.1], "orientation": {"angles_rad": [0.3, 0.5, -0.2]}},
            "child_frame": {"position_m": [-0.1, 0.15, 0.1]},
            "breakage": {"force_n": 300.0, "ramp_m": 0.2, "ramp_rad": 0.8},
        }],
        springs=[{"id": "asunder", "kind": "linear", "a": {"segment": "one", "position_m": [0.0, 0.0, 0.4]},
                  "b": {"segment": "other", "position_m": [0.2, 0.0, 0.1]}, "stiffness_n_per_m": 4000.0,
                  "rest_length_m": 0.6}],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        initial={"attitudes": [{"segment": "one", "angular_velocity_rad_per_s": [3.0, -4.0, 5.0]}]},
        integrator=FINE,
    )  # fmt: skip
    run = solved(data)
    at(run, "joint_breaks")
    energy = run.table("energy")
    assert np.ptp(energy["momentum"], axis=0).max() < 1e-8
    assert np.ptp(energy["spin"], axis=0).max() < 1e-7
    assert energy["dissipated"][-1] > 1.0
    joints = run.table("joints")
    later = run.time > at(run, "joint_breaks")
    assert np.linalg.norm(joints["torque"][later, 0], axis=1).max() > 1.0


def pushed(name: str, segment_: str, newtons: float, *way: float) -> tuple[Any, Any]:
    """Push a segment evenly; gives the history and the load."""
    form = {"kind": "table", "x": [0.0, 1.0], "y": [newtons, newtons]}
    load = {
        "id": name,
        "segment": segment_,
        "direction": list(way),
        "axes": "ground",
        "history": name,
    }
    return {"id": name, "x_unit": "s", "y_unit": "N", "form": form}, load


@pytest.mark.parametrize("order", [(0, 1), (1, 0)])
@pytest.mark.parametrize(
    ("limits", "least"), [({"force_n": 80.0}, 80.0), ({"force_n": 80.0, "force_x_n": 60.0}, 60.0)]
)
def test_what_breaks_at_one_instant_bears_the_load_of_before(
    limits: dict[str, float], least: float, order: tuple[int, int]
) -> None:
    """Two joints in a row: the second bears 200 N along x, and breaks there at its lowest limit.

    Once the first had gone, the second would bear part of what pushes along y, too.
    """
    joints = [
        {"id": "one", "kind": "locked", "parent": "ground", "child": "a", "breakage": {"force_n": 100.0}},
        {"id": "two", "kind": "locked", "parent": "a", "child": "b", "breakage": {"ramp_m": 0.05, **limits}},
    ]  # fmt: skip
    pushes = [pushed("far", "b", 200.0, 1.0, 0.0, 0.0), pushed("near", "a", 600.0, 0.0, 1.0, 0.0)]
    data = base(
        1e-4, segments=[segment("a", 5.0), segment("b", 1.0)], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[joints[k] for k in order], functions=[f for f, _ in pushes], loads=[p for _, p in pushes],
        integrator=FINE,
    )  # fmt: skip
    data["runs"][0] |= {"frame_interval_s": 1e-4, "channel_rate_hz": 1e4}
    run = simulate(project(data))
    assert [e.time for e in run.events() if e.kind == "joint_breaks"] == [0.0, 0.0]
    for name, expected in (("b", (200.0 - least, 0.0)), ("a", (least / 5.0, 120.0))):
        speed = run.segment(name).velocity[-1, :2]
        assert speed / run.time[-1] == pytest.approx(expected, rel=1e-3, abs=1e-2)


@pytest.mark.parametrize("start", [0.0, -1.0])
def test_what_a_broken_joint_held_is_lost_and_nothing_is_held_afterwards(start: float) -> None:
    """Springs whose centres are off the place where the joint's inner parts stay behind hold nothing there."""
    wound = {"spring": {"linear_nm_per_rad": 200.0}, "centre_rad": -1.0}
    data = pulled([(0.0, 0.0), (0.002, 0.0), (0.0021, 1200.0), (1.0, 1200.0)])
    data["joints"][0] |= {"kind": "universal", "first": wound, "second": wound}
    data["initial"] = {"joints": [{"joint": "bond", "values": [start, start]}]}
    data["runs"][0] |= {"duration_s": 0.03, "frame_interval_s": 1e-3}
    run = solved(data)
    energy, parted = run.table("energy"), run.time > at(run, "joint_parts")
    held = 100.0 * (1.0 + start) ** 2
    assert energy["strain"][0] == pytest.approx(2.0 * held)
    assert np.all(np.abs(energy["strain"][parted]) < 1e-9)
    # what was still held at the break, and the work of the ramp
    assert 4.999 < energy["lost_in_joint_springs"][-1] < 2.0 * held + 5.0 + 1e-3


def test_a_ramp_alone_is_no_limit() -> None:
    data = pulled([(0.0, 0.0), (1.0, 0.0)])
    data["joints"][0]["breakage"] = {"ramp_m": 0.01}
    assert "breakage-none" in [one.code for one in check(project(data))]


HANGS: Any = {
    "kind": "ball", "flexure": {"linear_nm_per_rad": 200.0}, "friction": {"full_rate_rad_per_s": 1e-3},
    "breakage": {"torque_nm": 30.0, "hangs_nm": 4.0},
}  # fmt: skip


def bent(**joint: Any) -> Any:
    """Turn 0.5 kg m2 on a ball joint at its mass centre by 20 N m about y."""
    return base(
        0.2, segments=[segment("part", 5.0, (0.5, 0.5, 0.1))], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "bone", "parent": "ground", "child": "part", **HANGS, **joint}],
        functions=[{"id": "turn", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "constant", "value": 20.0}}],
        loads=[{"kind": "torque", "id": "turn", "segment": "part", "direction": [0.0, 1.0, 0.0], "axes": "ground", "history": "turn"}],
        outputs=[{"kind": "joint", "id": "m", "joint": "bone", "quantity": "torque"}], integrator=FINE,
    )  # fmt: skip


def test_a_joint_that_bends_and_breaks_holds_its_parts_together_as_the_closed_form_says() -> None:
    """200 a = 20 (1 - cos 20 t) reaches 30 at cos 20 t = -0.5; what the spring held is lost, and 4 N m resist from there on."""
    run = solved(bent())
    breaks = at(run, "joint_breaks")
    assert breaks == pytest.approx(2.0 * math.pi / 3.0 / 20.0, abs=1e-7)
    before, t = run.time < breaks, run.time
    rate = run.segment("part").angular_velocity[:, 1]
    assert rate[before] == pytest.approx(2.0 * np.sin(20.0 * t[before]), abs=1e-6)
    speed = 2.0 * math.sin(2.0 * math.pi / 3.0)
    assert rate[~before] == pytest.approx(speed + 32.0 * (t[~before] - breaks), abs=1e-6)
    lost = run.table("energy")["lost_in_joint_springs"]
    assert lost[-1] == pytest.approx(30.0**2 / 400.0, rel=1e-6)
    joints = run.table("joints")
    assert joints["torque"][~before, 0, 1] == pytest.approx(-4.0, abs=1e-6)
    assert joints["state"][:, 0].tolist() == np.where(before, 0, 8).tolist()
    flexure, friction = (run.channel(f"m_{part}") for part in ("spring_flexure", "friction"))
    after = flexure.time > breaks
    assert np.abs(flexure.value[~after]).max() > 25.0
    assert np.all(flexure.value[after] == 0.0)
    assert friction.value[after] == pytest.approx(4.0, abs=1e-6)
