"""Locks, stops with impulses, released slides, broken joints."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.engine.maths.rotation import from_angles
from solver.running.simulation import simulate
from tests.models import base, hung, project, segment

SIDEWAYS = [5.0, 0.0, 0.0]
INERTIA = 1 / 12 + 0.25
"""Of the hung rod about its upper end."""


def run_of(data: Any) -> Any:
    run = simulate(project(data))
    assert run.status == "completed", run.message
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7
    return run


def times(run: Any, words: str) -> list[float]:
    return [1e-3 * float(line.split()[0]) for line in run.log if words in line]


def test_a_lock_opens_at_its_torque() -> None:
    """A slowly turning load opens the lock when its torque is reached."""
    lock = {"locked": True, "unlock_torque_nm": 3.0}
    history = {"id": "ramp", "x_unit": "s", "y_unit": "N*m",
               "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 10.0]}}  # fmt: skip
    load = {"id": "load", "kind": "torque", "segment": "rod", "direction": [0.0, 1.0, 0.0],
            "history": "ramp"}  # fmt: skip
    run = run_of(hung({"kind": "pin", "lock": lock}, functions=[history], loads=[load]))
    assert times(run, "opens") == [pytest.approx(0.3, abs=1e-6)]
    state, angle = run.table("joints")["state"][:, 0], run.table("joints")["angle"][:, 0, 0]
    assert state[29] == 1
    assert state[31] == 0
    assert np.all(angle[:30] == 0.0)
    assert angle[-1] > 0.3


def test_a_lock_holds_where_the_rate_falls() -> None:
    lock = {"lock_rate_rad_per_s": 0.5}
    run = run_of(hung({"kind": "pin", "lock": lock}, [1.2], duration=2.0))
    held = times(run, "held again")
    assert len(held) == 1
    table = run.table("joints")
    last = table["angle"][-1, 0, 0]
    # held on the way up, where half the inertia times the squared rate is the energy left
    left = 0.5 * 9.81 * (math.cos(last) - math.cos(1.2))
    assert pytest.approx(left, rel=1e-5) == 0.5 * INERTIA * 0.5**2
    after = table["angle"][run.time > held[0] + 0.01, 0, 0]
    assert np.all(after == last)
    assert run.table("energy")["dissipated"][-1] == pytest.approx(0.5 * INERTIA * 0.25, rel=1e-6)


def test_an_axis_that_opens_may_be_held_again_and_opens_at_once() -> None:
    lock = {"locked": True, "unlock_torque_nm": 3.0, "lock_rate_rad_per_s": 0.01}
    run = run_of(hung({"kind": "pin", "lock": lock}, [1.2], duration=2.0))
    # at each turning point the weight opens the lock again
    assert len(times(run, "held again")) == len(times(run, "opens")) - 1 == 2


def test_holding_a_ball_joint_keeps_angular_momentum() -> None:
    """Two free bodies joined by a ball joint: the impulse at locking is internal."""
    lock = {"lock_rate_rad_per_s": 2.9}
    joint = {"id": "joint", "kind": "ball", "parent": "a", "child": "b",
             "child_frame": {"position_m": [0.0, 0.0, -0.5]},
             "friction": {"viscous_nms_per_rad": 0.05}, "lock": lock}  # fmt: skip
    start = {"attitudes": [{"segment": "b", "angular_velocity_rad_per_s": [1.0, 2.0, 2.0]}]}
    out = {"id": "all", "kind": "body", "segments": ["a", "b"]}
    data = base(segments=[segment("a", 2.0, (0.1, 0.2, 0.25)), segment("b")], joints=[joint],
                initial=start, outputs=[out], gravity_m_per_s2=[0.0, 0.0, 0.0])  # fmt: skip
    run = run_of(data)
    assert len(times(run, "held again")) == 1
    for axis in "xyz":
        spin = run.channel(f"all_spin_{axis}").value
        assert np.ptp(spin) < 1e-8
        assert np.ptp(run.channel(f"all_momentum_{axis}").value) < 1e-8
    a, b = run.segment("a").angular_velocity[-1], run.segment("b").angular_velocity[-1]
    assert np.linalg.norm(a) == pytest.approx(np.linalg.norm(b))


def test_a_stop_turns_the_rate_around() -> None:
    """A rod pulled sideways strikes its stop; each flight follows from the rate before."""
    spring = {"stop_rad": 0.3, "restitution": 0.5}
    run = run_of(hung({"kind": "pin", "spring": spring}, gravity_m_per_s2=SIDEWAYS))
    strikes = times(run, "strikes")
    assert len(strikes) >= 5
    flights = np.diff(strikes)
    # near a constant pull each flight takes half the time of the one before
    assert np.allclose(flights[1:4] / flights[:3], 0.5, atol=0.02)
    energy = 0.5 * 5.0 * math.sin(0.3)
    lost = np.interp(strikes[0] + 1e-3, run.time, run.table("energy")["dissipated"])
    at_strike = run.table("energy")["dissipated"][np.searchsorted(run.time, strikes[0]) + 1]
    assert at_strike == pytest.approx(energy * 0.75, rel=1e-5)
    assert lost <= at_strike + 1e-9


def test_flexure_and_contour_stops_strike_too() -> None:
    flexure = run_of(hung({"kind": "ball", "flexure": {"stop_rad": 0.3, "restitution": 0.5}},
                          gravity_m_per_s2=SIDEWAYS))  # fmt: skip
    pin = run_of(hung({"kind": "pin", "spring": {"stop_rad": 0.3, "restitution": 0.5}},
                      gravity_m_per_s2=SIDEWAYS))  # fmt: skip
    assert times(flexure, "strikes")[:3] == pytest.approx(times(pin, "strikes")[:3], abs=1e-6)
    stop = {"contour": {"kind": "polynomial", "coefficients": [0.3]}, "torque": "stop",
            "restitution": 0.5}  # fmt: skip
    function = {
        "id": "stop",
        "x_unit": "rad",
        "y_unit": "N*m",
        "form": {"kind": "constant", "value": 0.0},
    }
    contour = run_of(hung({"kind": "ball", "globographic": stop}, functions=[function],
                          gravity_m_per_s2=SIDEWAYS))  # fmt: skip
    assert times(contour, "contour")[:3] == pytest.approx(times(pin, "strikes")[:3], abs=1e-6)


@pytest.mark.parametrize("kind", ["pin", "ball", "universal", "locked"])
def test_a_broken_joint_lets_go(kind: str) -> None:
    """A hung rod breaks off when its joint carries too much and then flies freely."""
    joint: dict[str, Any] = {"kind": kind, "breakage": {"force_n": 15.0}}
    start = (
        {} if kind == "locked" else {"pin": [1.2], "ball": [0.0, 1.2, 0.0], "universal": [0.0, 1.2]}
    )
    history = {"id": "pull", "x_unit": "s", "y_unit": "N",
               "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 10.0]}}  # fmt: skip
    load = {"id": "pull", "segment": "rod", "direction": [0.0, 0.0, 1.0], "axes": "ground",
            "history": "pull"}  # fmt: skip
    parts = {"functions": [history], "loads": [load]} if kind == "locked" else {}
    run = run_of(hung(joint, start.get(kind) if start else None, **parts))
    (broken,) = times(run, "breaks")
    if kind == "locked":
        assert broken == pytest.approx((15.0 - 9.81) / 10.0, abs=1e-6)
    else:
        # the tension of a pendulum of this shape, by its energy
        angle = np.interp(
            broken, run.time, run.table("joints")["angle"][:, 0, 1 if kind != "pin" else 0]
        )
        assert abs(angle) < 1.2
    free = run.time > broken + 0.01
    weight = np.array([0.0, 0.0, 9.81])
    if kind != "locked":
        assert np.allclose(run.segment("rod").acceleration[free], weight, atol=1e-9)
    assert np.all(run.table("joints")["state"][free, 0] == 8)
    assert np.all(run.table("joints")["force"][free, 0] == 0.0)


def test_an_euler_joint_moves_as_its_open_axis() -> None:
    locked = {"lock": {"locked": True}}
    values = [0.4, 0.9, 0.2]
    nods = run_of(hung({"kind": "euler", "precession": locked, "spin": locked}, values))
    frames = [
        {"position_m": [0.0, 0.0, -0.5 * k], "orientation": {"angles_rad": a, "order": "zxz"}}
        for k, a in ((0, [0.4 + math.pi / 2, math.pi / 2, 0.0]), (1, [-0.2 + math.pi / 2, math.pi / 2, 0.0]))
    ]  # fmt: skip
    # a pin about the same axis: its y is the line of nodes
    turned = [{**f, "orientation": {"angles_rad": [a, 0.0, 0.0]}}
              for f, a in zip(frames, (0.4 - math.pi / 2, -0.2 - math.pi / 2), strict=True)]  # fmt: skip
    pin = run_of(hung({"kind": "pin", "parent_frame": turned[0], "child_frame": turned[1]}, [0.9]))
    assert np.allclose(nods.segment("rod").position, pin.segment("rod").position, atol=1e-8)


@pytest.mark.parametrize("pattern", range(1, 8))
def test_locked_axes_of_an_euler_joint_stay(pattern: int) -> None:
    """All seven locked states of Table 6.1: held angles keep their values, energy is kept."""
    names = ("precession", "nutation", "spin")
    axes = {n: {"lock": {"locked": bool(pattern >> k & 1)}} for k, n in enumerate(names)}
    rates = [0.0 if pattern >> k & 1 else 1.5 - 0.4 * k for k in range(3)]
    start = {"joints": [{"joint": "joint", "values": [0.4, 0.9, 0.2], "rates": rates}]}
    run = run_of(hung({"kind": "euler", **axes}, initial=start, gravity_m_per_s2=[1.0, 2.0, 9.0]))
    angles = run.table("joints")["angle"][:, 0]
    for k in range(3):
        held = pattern >> k & 1
        assert (np.ptp(angles[:, k]) == 0.0) == bool(held)
    assert np.all(run.table("joints")["state"] == pattern)


def test_an_euler_joint_goes_through_its_states() -> None:
    """Opening the last held axis leaves a ball; the motion goes on as that of a free one."""
    axes = {"precession": {"lock": {"locked": True, "unlock_torque_nm": 0.5}}}
    start = {"joints": [{"joint": "joint", "values": [0.4, 0.9, 0.2], "rates": [0.0, 0.0, 3.0]}]}
    tilted = {"gravity_m_per_s2": [3.0, 4.0, 9.0]}
    opened = run_of(hung({"kind": "euler", **axes}, initial=start, **tilted))
    free = run_of(hung({"kind": "euler"}, initial=start, **tilted))
    assert times(opened, "opens") == [0.0]
    assert np.allclose(opened.segment("rod").position, free.segment("rod").position, atol=1e-8)
    drag = {"viscous_nms_per_rad": 0.02}
    axes = {"spin": {"lock": {"lock_rate_rad_per_s": 1.0}, "friction": drag}}
    start = {"joints": [{"joint": "joint", "values": [0.4, 0.9, 0.2], "rates": [0.0, 0.0, 3.0]}]}
    held = run_of(hung({"kind": "euler", **axes}, initial=start, duration=2.0))
    assert len(times(held, "held again")) == 1
    assert held.table("joints")["state"][-1, 0] == 4


def test_a_held_slide_is_released_under_tension() -> None:
    """z of the joint points down: the hanging rod pulls its slide with its weight and more."""
    slide = {"locked": True, "release_above_n": 12.0, "viscous_ns_per_m": 5.0}
    run = run_of(hung({"kind": "slip", "rotation": "pin_y", "slide": slide}, [0.1, 0.9]))
    (released,) = times(run, "released")
    joints = run.table("joints")
    assert released > 0.0
    before = run.time < released
    assert np.all(joints["slide"][before, 0] == 0.1)
    assert joints["slide"][-1, 0] > 0.2
    pull = -joints["force"][before, 0, 2]
    assert pull.max() < 12.0 + 1e-6


def ramp(id_: str, slope: float, direction: list[float], at: list[float] | None = None) -> Any:
    """Give the history and the load of a pull that grows from nothing (N/s)."""
    history = {"id": id_, "x_unit": "s", "y_unit": "N",
               "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, slope]}}  # fmt: skip
    load = {"id": id_, "segment": "part", "direction": direction, "axes": "ground", "history": id_}
    return history, load | ({"point_m": at} if at else {})


@pytest.mark.parametrize(("axis", "part"), [(0, "x"), (1, "y"), (2, "z")])
@pytest.mark.parametrize("what", ["force", "torque"])
def test_a_joint_breaks_by_one_component_of_its_load(axis: int, part: str, what: str) -> None:
    """A pull or a torque that grows breaks it when its part along an axis of the joint's frame is the limit.

    The carrier is turned, and so is the frame in it; what goes with the other axes does not count.
    """
    turns = {"angles_rad": [0.3, -0.5, 0.8]}
    more = {"angles_rad": [-0.6, 0.2, 0.4]}
    R = from_angles([0.3, -0.5, 0.8], "zyx") @ from_angles([-0.6, 0.2, 0.4], "zyx")
    along = np.array([2.0, -1.0, 1.5]) / math.sqrt(7.25)
    slope, limit = 1000.0, 20.0
    history, load = ramp("pull", slope, along.tolist())
    unit = "n" if what == "force" else "nm"
    joint = {"id": "bond", "kind": "locked", "parent": "carrier", "child": "part",
             "parent_frame": {"orientation": more}, "breakage": {f"{what}_{part}_{unit}": limit}}  # fmt: skip
    if what == "torque":
        load |= {"kind": "torque"}
        history["y_unit"] = "N*m"
    still = [{"component": c, "quantity": "position", "pulse": {"kind": "constant", "value": 0.0}}
             for c in ("x", "y", "z")]  # fmt: skip
    data = base(
        0.25, segments=[segment("carrier", 5.0, (1.0, 1.0, 1.0)), segment("part", 2.0, (0.1, 0.2, 0.15))],
        joints=[joint], functions=[history], loads=[load], gravity_m_per_s2=[0.0, 0.0, 0.0],
        motions=[{"id": "still", "segment": "carrier", "components": still}],
        initial={"attitudes": [{"segment": "carrier", "orientation": turns}]},
        integrator={"kind": "dopri", "relative_tolerance": 1e-10, "absolute_tolerance": 1e-11},
    )  # fmt: skip
    run = run_of(data)
    (broken,) = times(run, "breaks")
    assert broken == pytest.approx(limit / abs(slope * (R[:, axis] @ along)), abs=1e-7)


def test_a_slide_that_opened_is_held_again_and_opens_again() -> None:
    """Pulled twice by a triangle of 30 N: it opens over 12 N, friction of 8 N stops it, then it is held."""
    history = {
        "id": "pull",
        "x_unit": "s",
        "y_unit": "N",
        "form": {
            "kind": "table",
            "x": [0.0, 0.1, 0.2, 0.5, 0.6, 0.7],
            "y": [0.0, 30.0, 0.0, 0.0, 30.0, 0.0],
        },
    }
    load = {
        "id": "pull",
        "segment": "block",
        "direction": [0.0, 0.0, 1.0],
        "axes": "ground",
        "history": "pull",
    }
    slide = {
        "locked": True,
        "release_above_n": 12.0,
        "coulomb_n": 8.0,
        "full_rate_m_per_s": 0.01,
        "lock_rate_m_per_s": 0.02,
    }
    data = base(
        1.0, segments=[segment("block", 2.0)], functions=[history], loads=[load],
        joints=[{"id": "way", "kind": "slip", "parent": "ground", "child": "block", "slide": slide}],
        gravity_m_per_s2=[0.0, 0.0, 0.0], integrator={"kind": "dopri", "relative_tolerance": 1e-9},
    )  # fmt: skip
    run = run_of(data)
    opened, held = times(run, "released"), times(run, "held again")
    assert opened == pytest.approx([0.04, 0.54], abs=1e-6)

    def course(_: float, y: Any) -> list[float]:
        pull = np.interp(0.04 + _, [0.0, 0.1, 0.2], [0.0, 30.0, 0.0])
        # friction comes up by equation 6.3
        part = min(y[1] / 0.01, 1.0)
        return [y[1], (pull - 8.0 * part * (2.0 - part)) / 2.0]

    def slow(_: float, y: Any) -> float:
        return float(y[1] - 0.02)

    slow.terminal, slow.direction = True, -1  # type: ignore[attr-defined]
    done = solve_ivp(
        course, (0.0, 0.4), [0.0, 0.0], rtol=1e-9, atol=1e-11, max_step=1e-3, events=slow
    )
    assert held == pytest.approx([0.04 + done.t[-1], 0.54 + done.t[-1]], abs=1e-5)
    way = run.table("joints")["slide"][:, 0]
    rests = (run.time > held[0] + 1e-9) & (run.time < 0.54)
    assert np.all(way[rests] == way[rests][0])
    assert way[rests][0] == pytest.approx(done.y[0, -1], abs=1e-6)
    assert way[-1] == pytest.approx(2.0 * way[rests][0], abs=2e-6)
    impulses = run.table("energy")["lost_in_impulses"]
    assert impulses[-1] == pytest.approx(2.0 * 0.5 * 2.0 * 0.02**2, rel=1e-3)


def test_holding_a_slide_between_two_free_bodies_keeps_all_momentum() -> None:
    """The slide lies aside of both mass centres, so that its impulse turns them."""
    joint = {
        "id": "way", "kind": "slip", "parent": "one", "child": "other", "slide": {"viscous_ns_per_m": 3.0, "lock_rate_m_per_s": 0.5},
        "parent_frame": {"position_m": [0.3, 0.1, -0.2]}, "child_frame": {"position_m": [-0.1, 0.2, 0.1]},
    }  # fmt: skip
    start = {"joints": [{"joint": "way", "values": [0.1], "rates": [2.0]}],
             "attitudes": [{"segment": "one", "angular_velocity_rad_per_s": [0.4, -0.3, 0.6]}]}  # fmt: skip
    run = run_of(base(
        1.0, segments=[segment("one", 3.0, (0.2, 0.3, 0.25)), segment("other", 2.0, (0.1, 0.1, 0.05))],
        joints=[joint], initial=start, gravity_m_per_s2=[0.0, 0.0, 0.0],
        integrator={"kind": "dopri", "relative_tolerance": 1e-9},
    ))  # fmt: skip
    assert len(times(run, "held again")) == 1
    energy = run.table("energy")
    assert np.ptp(energy["momentum"], axis=0).max() < 1e-8
    assert np.ptp(energy["spin"], axis=0).max() < 1e-7
    assert energy["lost_in_impulses"][-1] > 0.01
    assert np.abs(energy["balance"]).max() < 1e-7
