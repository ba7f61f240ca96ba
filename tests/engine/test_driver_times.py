"""Drivers that begin and end: impulses, holds, triggers, Euler joints that take on another form."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import cumulative_simpson, solve_ivp

from solver.project.checks import check
from solver.results import Trajectory
from tests.engine.test_drivers import by, closes, pin, polynomial, solved
from tests.engine.test_frame_drivers import follow, frame
from tests.models import EXACT, base, project, segment

TIGHT = {**EXACT, "relative_tolerance": 1e-11, "absolute_tolerance": 1e-12}


def pendulum(driver: Any, start: float = 0.8, duration: float = 1.0, **more: Any) -> Any:
    """Hang a rod of 1 kg and 1 m, and drive its pin, or the pitch of a frame on it."""
    name = "drivers" if "joint" in driver else "frame_drivers"
    return base(
        duration=duration,
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        initial={"joints": [{"joint": "pin", "values": [start]}]},
        integrator=TIGHT,
        **{name: [driver]},
        **more,
    )


def told(out: Trajectory) -> list[tuple[float, str]]:
    return [(round(event.time, 9), event.kind) for event in out.events()]


def free(angle: float, rate: float, span: float) -> tuple[float, float]:
    """Let the rod swing freely, by an integration of its own."""
    out = solve_ivp(
        lambda _, y: (y[1], -1.5 * 9.81 * math.sin(y[0])), (0.0, span), (angle, rate), rtol=1e-12, atol=1e-13
    )  # fmt: skip
    return float(out.y[0, -1]), float(out.y[1, -1])


@pytest.mark.parametrize("way", ["joint", "frame"])
def test_one_that_begins_late_strikes_moves_and_lets_go(way: str) -> None:
    """Swing freely, be taken along at 2 rad/s from 0.3 s to 0.5 s, swing on."""
    times = {
        "quantity": "velocity", "from_s": 0.3, "until_s": 0.5, "pulse": {"kind": "constant", "value": 2.0},
    }  # fmt: skip
    driver = (
        by("none", **times) if way == "joint" else follow("none", "pitch", frame("rod"), **times)
    )
    out = solved(pendulum(driver))
    angle, t = out.table("joints")["angle"][:, 0, 0], out.time
    there, rate = free(0.8, 0.0, 0.3)
    at = [int(np.argmin(np.abs(t - when))) for when in (0.3, 0.4, 0.5, 1.0)]
    end, _ = free(there + 0.4, 2.0, 0.5)
    assert angle[at] == pytest.approx([there, there + 0.2, there + 0.4, end], abs=1e-8)
    # a body of 1/3 kg m2 is taken along by one that is infinitely heavy
    lost = (2.0 - rate) ** 2 / 6.0
    energy = out.table("energy")
    assert energy["lost_in_impulses"][-1] == pytest.approx(lost, rel=1e-7)
    assert (np.diff(energy["lost_in_impulses"]) >= -1e-12).all()
    closes(out)
    assert told(out) == [(0.3, "driver_strikes"), (0.5, "driver_lets_go")]
    row = out.table("drivers" if way == "joint" else "frame_drivers")
    assert row["state"][:, 0].tolist() == [0] * 30 + [2] * 20 + [0] * 51
    moved = row["state"][:, 0] == 2
    weight = 9.81 * 0.5 * np.sin(angle)
    assert row["torque"][moved, 0] == pytest.approx(weight[moved], abs=1e-7)
    assert row["torque"][~moved, 0] == pytest.approx(0.0, abs=1e-12)
    assert row["angle"][:, 0] == pytest.approx(angle, abs=1e-10)


@pytest.mark.parametrize("way", ["joint", "frame"])
def test_before_and_after_it_may_be_held(way: str) -> None:
    times = {
        "quantity": "acceleration", "from_s": 0.2, "until_s": 0.6, "before": "held", "after": "held",
        "pulse": {"kind": "function", "function": "push"},
    }  # fmt: skip
    driver = (
        by("push", **times) if way == "joint" else follow("push", "pitch", frame("rod"), **times)
    )
    push = {
        "id": "push", "x_unit": "s", "y_unit": "rad/s2",
        "form": {"kind": "table", "x": [0.2, 0.4, 0.4000001, 0.6, 0.6000001, 2.0], "y": [5.0, 5.0, -5.0, -5.0, 0.0, 0.0]},
    }  # fmt: skip
    out = solved(pendulum(driver, functions=[push]))
    angle = out.table("joints")["angle"][:, 0, 0]
    assert angle[:21] == pytest.approx(0.8, abs=1e-9)
    assert angle[30] == pytest.approx(0.8 + 0.5 * 5.0 * 0.01, abs=1e-6)
    assert angle[60:] == pytest.approx(1.0, abs=1e-6)
    row = out.table("drivers" if way == "joint" else "frame_drivers")
    assert row["state"][:, 0].tolist() == [1] * 20 + [2] * 40 + [1] * 41
    assert row["torque"][5, 0] == pytest.approx(9.81 * 0.5 * math.sin(0.8), abs=1e-8)
    assert row["power"][5, 0] == 0.0
    closes(out)
    assert told(out) == [(0.2, "driver_begins"), (0.6, "driver_holds")]


@pytest.mark.parametrize("way", ["joint", "frame"])
def test_a_trigger_starts_its_time(way: str) -> None:
    """From where it passes the vertical on, the rod moves by a parabola at that rate: nothing is struck."""
    watch = {"id": "swing", "kind": "rotation", "segment": "rod"}
    trigger = {
        "kind": "channel",
        "output": "swing",
        "component": "y",
        "level": 0.0,
        "rising": False,
    }
    times = {"quantity": "position", "trigger": trigger, "from_s": 0.0, "until_s": 0.25}
    driver = (
        by("course", **times)
        if way == "joint"
        else follow("course", "pitch", frame("rod"), **times)
    )
    down = -math.sqrt(3.0 * 9.81 * (1.0 - math.cos(0.8)))
    data = pendulum(driver, functions=[polynomial("course", 0.2, down, 3.0)], outputs=[watch])
    out = solved(data)
    events = told(out)
    assert [kind for _, kind in events] == [
        "trigger_passed",
        "driver_begins_elsewhere",
        "driver_lets_go",
    ]
    begins, _, ends = (time for time, _ in events)
    assert ends == pytest.approx(begins + 0.25, abs=1e-8)
    t, angle = out.time, out.table("joints")["angle"][:, 0, 0]
    inside = (t > begins + 1e-6) & (t < ends)
    s = t[inside] - begins
    # it counts from where it stands, not from 0.2
    assert angle[inside] == pytest.approx(down * s + 3.0 * s**2, abs=1e-7)
    closes(out)


def test_an_axis_of_an_euler_joint_is_driven_for_a_while() -> None:
    """A ball while all is free, three turns while precession is driven."""
    gyro = {
        "segments": [segment("top", 1.0, (0.05, 0.04, 0.02))],
        "gravity_m_per_s2": [0.0, 0.0, 0.0],
    }
    driver = by("none", "euler", "precession", quantity="velocity", from_s=0.2, until_s=0.6,
                pulse={"kind": "constant", "value": 1.5})  # fmt: skip
    data = base(
        **gyro,
        joints=[{"id": "euler", "kind": "euler", "parent": "ground", "child": "top"}],
        initial={
            "joints": [{"joint": "euler", "values": [0.3, 0.7, 0.2], "rates": [0.5, 0.4, 2.0]}]
        },
        drivers=[driver],
        integrator=TIGHT,
    )
    out = solved(data)
    row, angle = out.table("drivers"), out.table("joints")["angle"][:, 0]
    assert np.unwrap(row["angle"][:, 0]) == pytest.approx(np.unwrap(angle[:, 0]), abs=1e-9)
    moved = row["state"][:, 0] == 2
    assert np.diff(angle[moved, 0]) == pytest.approx(0.015, abs=1e-9)
    assert told(out) == [(0.2, "driver_strikes"), (0.6, "driver_lets_go")]
    spin = out.table("energy")["spin"]
    # free of all torque before and after
    assert spin[:20] == pytest.approx(np.tile(spin[0], (20, 1)), abs=1e-9)
    assert spin[60:] == pytest.approx(np.tile(spin[-1], (41, 1)), abs=1e-9)
    # the parent's z is what precession turns about: by what its torque does the momentum about it grows
    gained = spin[20:60, 2] - spin[20, 2]
    assert abs(gained).max() > 1e-3
    pushed = cumulative_simpson(row["torque"][20:60, 0], dx=0.01, initial=0.0)
    assert gained == pytest.approx(pushed, abs=1e-7)
    closes(out)


def late(**more: Any) -> Any:
    times = {"quantity": "velocity", "from_s": 0.2, "pulse": {"kind": "haversine", "amplitude": 1.0, "start_s": 0.2, "duration_s": 0.3}}  # fmt: skip
    return by("none", **(times | more))


@pytest.mark.parametrize(
    ("driver", "code"),
    [
        (late(until_s=0.2), "driver-times"),
        (late(start_value=0.1), "driver-start-unused"),
        (late(from_s=0.0, before="held"), "driver-rest-unused"),
        (late(after="held"), "driver-rest-unused"),
        (late(from_s=0.3, before="held"), "driver-jumps"),
        (late(until_s=0.4, after="held"), "driver-jumps"),
        (late(from_s=2.0), "driver-late"),
        (late(trigger={"kind": "time", "time_s": 0.5}, from_s=0.6), "driver-late"),
        (late(pulse={"kind": "half_sine", "amplitude": 1.0, "start_s": 0.2, "duration_s": 0.3}), None),
        (late(until_s=0.5, before="held", after="held"), None),
    ],
)  # fmt: skip
def test_times_that_contradict_are_refused(driver: Any, code: str | None) -> None:
    found = {one.code for one in check(project(pendulum(driver)))} - {"no-outputs"}
    assert found == ({code} if code else set())


def test_a_jump_counts_only_while_the_driver_moves() -> None:
    steps = {"kind": "triangle", "amplitude": 1.0, "start_s": 0.2, "duration_s": 0.3}
    moves = {"quantity": "position", "from_s": 0.25, "until_s": 0.3, "pulse": steps}
    assert "motion-jumps" not in {one.code for one in check(project(pendulum(by("none", **moves))))}
    moves["until_s"] = 0.4
    assert "motion-jumps" in {one.code for one in check(project(pendulum(by("none", **moves))))}


def test_a_held_axis_must_start_at_rest() -> None:
    data = pendulum(late(before="held"))
    data["initial"]["joints"][0]["rates"] = [0.5]
    assert "driver-start" in {one.code for one in check(project(data))}
    data["drivers"][0]["before"] = "free"
    assert "driver-start" not in {one.code for one in check(project(data))}


def test_a_time_trigger_is_known_ahead() -> None:
    """Its own time counts from there; steps end at its breaks, and the same is found by a shift of the pulse."""
    shape = {"kind": "haversine", "amplitude": 3.0, "start_s": 0.1, "duration_s": 0.2}
    moves = {"quantity": "acceleration", "start_rate": 0.3, "before": "held"}
    shifted = {**moves, "from_s": 0.3, "pulse": {**shape, "start_s": 0.4}}
    moves |= {"trigger": {"kind": "time", "time_s": 0.3}, "pulse": shape}
    del moves["before"], shifted["before"]
    one, two = (solved(pendulum(by("none", **times))) for times in (moves, shifted))
    angles = [out.table("joints")["angle"] for out in (one, two)]
    assert np.subtract(*angles) == pytest.approx(0.0, abs=1e-12)
    assert told(one) == told(two) == [(0.3, "driver_strikes")]
