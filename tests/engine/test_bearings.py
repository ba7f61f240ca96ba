"""Friction of joints by their own force, against closed forms and integrations by another program."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.engine.dynamics.tree import Array
from solver.results import Trajectory
from solver.running.simulation import simulate
from tests.models import base, project, segment

G = 9.80665


def solved(data: Any) -> Trajectory:
    """Solve a project whose account closes and whose friction loses nothing below zero."""
    out = simulate(project(data))
    assert out.status == "completed", out.message
    energy = out.table("energy")
    turned = float(np.ptp(energy["kinetic"]) + np.ptp(energy["potential"]) + 1e-3)
    assert np.max(np.abs(energy["balance"])) < 1e-6 * turned
    assert np.min(np.diff(energy["lost_in_joint_friction"])) >= -1e-9 * turned
    return out


def borne(coefficient: float, radius: float, full: float = 0.01) -> dict[str, float]:
    return {"coefficient": coefficient, "radius_m": radius, "full_rate_rad_per_s": full}


def pendulum(friction: Any, *, centre: float, inertia: float, angle: float, rate: float) -> Any:
    """Hang 2 kg on a pin, the centre so far below."""
    data = base(
        2.0,
        segments=[segment("body", 2.0, (inertia, inertia, inertia))],
        joints=[{"id": "pin", "kind": "pin", "parent": "ground", "child": "body",
                 "child_frame": {"position_m": [0.0, 0.0, -centre]}, "friction": friction}],
        initial={"joints": [{"joint": "pin", "values": [angle], "rates": [rate]}]},
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, G]
    return data


def swung(c: float, full: float, m: float, centre: float, inertia: float, start: Array, times: Array) -> Array:  # fmt: skip
    """Integrate the pendulum by itself: friction c |R| from the equation for its own acceleration."""
    about_pin = inertia + m * centre**2

    def rates(_: float, y: Array) -> list[float]:
        speed = abs(y[1])
        part = y[1] / (full / (2.0 - speed / full) if speed < full else speed)
        friction = 0.0
        for _ in range(200):
            turn = (-m * G * centre * math.sin(y[0]) - friction * part) / about_pin
            along = m * (centre * turn + G * math.sin(y[0]))
            radial = m * (centre * y[1] ** 2 + G * math.cos(y[0]))
            friction = c * math.hypot(along, radial)
        return [y[1], turn]

    found = solve_ivp(rates, (0.0, times[-1]), start, "DOP853", times, rtol=1e-10, atol=1e-12, max_step=0.005)  # fmt: skip
    return np.asarray(found.y)


def test_a_pendulum_on_a_dry_pin_loses_by_what_the_pin_bears() -> None:
    data = pendulum(borne(0.3, 0.05, 0.2), centre=0.3, inertia=0.02, angle=1.5, rate=0.0)
    out = solved(data)
    wanted = swung(0.015, 0.2, 2.0, 0.3, 0.02, np.array([1.5, 0.0]), out.time)
    angle = out.table("joints")["angle"][:, 0, 0]
    assert np.max(np.abs(wanted[0])) == pytest.approx(1.5)
    # the swing decays by a fifth
    assert 0.9 < np.max(np.abs(angle[-60:])) < 1.35
    assert angle == pytest.approx(wanted[0], abs=2e-5)


def test_friction_and_reaction_are_found_together() -> None:
    """A pin so thick that its friction changes what it bears by half."""
    data = pendulum(borne(1.0, 0.1, 0.2), centre=0.2, inertia=0.01, angle=1.2, rate=6.0)
    data["runs"][0]["duration_s"] = 0.3
    out = solved(data)
    wanted = swung(0.1, 0.2, 2.0, 0.2, 0.01, np.array([1.2, 6.0]), out.time)
    assert out.table("joints")["angle"][:, 0, 0] == pytest.approx(wanted[0], abs=2e-5)


def test_a_wheel_comes_to_rest_under_its_weight() -> None:
    """Turn by w^2 I / (2 mu r m g), but for the last turns on the ramp."""
    out = solved(pendulum(borne(0.2, 0.02, 1e-3), centre=0.0, inertia=0.03, angle=0.0, rate=3.0))
    drag = 0.2 * 0.02 * 2.0 * G
    way = out.table("joints")["angle"][:, 0, 0]
    assert out.time[100] == pytest.approx(1.0)
    assert way[100] == pytest.approx(3.0 - 0.5 * drag / 0.03, rel=1e-7)
    assert way[-1] == pytest.approx(9.0 * 0.03 / (2.0 * drag), rel=1e-3)


def slope(angle: float, coefficient: float) -> Any:
    """Let a body slide down a slope for half a second, from 0.1 m/s on."""
    a = angle
    frame = {"orientation": {"angles_rad": [0.0, math.pi / 2 - a, 0.0]}}
    data = base(
        0.5,
        segments=[segment("body", 3.0)],
        joints=[{"id": "slip", "kind": "slip", "rotation": "none", "parent": "ground", "child": "body",
                 "parent_frame": frame, "child_frame": frame,
                 "slide": {"coefficient": coefficient, "full_rate_m_per_s": 1e-4}}],
        initial={"joints": [{"joint": "slip", "values": [0.0], "rates": [0.1]}]},
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, G]
    return data


def test_a_body_slides_down_a_slope_by_the_part_of_its_weight_that_presses() -> None:
    """g (sin a - mu cos a) t^2 / 2 along a slope of 30 degrees."""
    a = math.radians(30.0)
    data = slope(a, 0.2)
    data["outputs"] = [{"id": "f", "kind": "joint", "joint": "slip", "quantity": "force"}]
    out = solved(data)
    rubs = out.channel("f_friction_slide").value
    assert rubs == pytest.approx(-0.2 * 3.0 * G * math.cos(a), rel=1e-9)
    way = out.table("joints")["slide"][:, 0]
    by = G * (math.sin(a) - 0.2 * math.cos(a))
    assert way[-1] == pytest.approx(0.1 * 0.5 + 0.5 * by * 0.25, rel=1e-6)


def test_a_ball_spins_down_about_any_axis() -> None:
    data = base(
        0.5,
        segments=[segment("body", 2.0, (0.01, 0.01, 0.01))],
        joints=[{"id": "ball", "kind": "ball", "parent": "ground", "child": "body",
                 "friction": borne(0.4, 0.01)}],
        initial={"joints": [{"joint": "ball", "values": [0.0, 0.0, 0.0], "rates": [6.0, -2.0, 3.0]}]},
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, G]
    out = solved(data)
    speed = np.linalg.norm(out.table("joints")["rate"][-1, 0])
    assert speed == pytest.approx(7.0 - 0.4 * 0.01 * 2.0 * G / 0.01 * 0.5, rel=1e-7)


def test_a_slide_on_a_body_that_turns_is_pressed_by_what_comes_across() -> None:
    """A bead on a rod that is driven round: 2 m w r' and the weight press it; r'' = w^2 r - mu N / m."""
    level = {"orientation": {"angles_rad": [0.0, math.pi / 2, 0.0]}}
    data = base(
        0.3,
        segments=[segment("rod", 1.0), segment("bead", 0.4, (1e-4, 1e-4, 1e-4))],
        joints=[
            {"id": "pin", "kind": "slip", "rotation": "pin_z", "parent": "ground", "child": "rod",
             "slide": {"locked": True}},
            {"id": "slip", "kind": "slip", "rotation": "none", "parent": "rod", "child": "bead",
             "parent_frame": level, "child_frame": level,
             "slide": {"coefficient": 0.3, "full_rate_m_per_s": 1e-3}},
        ],
        initial={"joints": [{"joint": "slip", "values": [0.1], "rates": [0.5]}]},
        drivers=[{"id": "turn", "joint": "pin", "axis": "angle", "quantity": "velocity",
                  "pulse": {"kind": "constant", "value": 6.0}, "start_value": 0.0}],
        outputs=[{"id": "f", "kind": "joint", "joint": "slip", "quantity": "force"}],
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, G]
    out = simulate(project(data))
    assert out.status == "completed", out.message

    def rates(_: float, y: Array) -> list[float]:
        press = math.hypot(2.0 * 6.0 * y[1], G)
        part = min(abs(y[1]) / 1e-3, 1.0)
        return [y[1], 36.0 * y[0] - 0.3 * press * part * (2.0 - part) * math.copysign(1.0, y[1])]

    found = solve_ivp(rates, (0.0, 0.3), [0.1, 0.5], "DOP853", out.time, rtol=1e-10, atol=1e-12)
    assert out.table("joints")["slide"][:, 1] == pytest.approx(found.y[0], abs=1e-6)
    press = 0.4 * np.hypot(12.0 * found.y[1], G)
    assert np.interp(
        out.time, out.channel("f_friction_slide").time, out.channel("f_friction_slide").value
    ) == pytest.approx(-0.3 * press, rel=1e-4)


@pytest.mark.parametrize("held", [False, True])
def test_an_euler_joint_resists_about_each_pin(held: bool) -> None:
    """Only spin turns, with the axes apart: open, as a ball, and with nutation held, as turns."""
    data = base(
        0.4,
        segments=[segment("body", 2.0, (0.01, 0.01, 0.01))],
        joints=[{"id": "euler", "kind": "euler", "parent": "ground", "child": "body",
                 "spin": {"friction": borne(0.4, 0.01)},
                 "nutation": {"lock": {"locked": held}}}],
        initial={"joints": [{"joint": "euler", "values": [0.3, 1.0, 0.0], "rates": [0.0, 0.0, 7.0]}]},
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, G]
    data["runs"][0]["frame_interval_s"] = 5e-4
    out = solved(data)
    rate = out.table("joints")["rate"][:, 0, 2]
    drag = 0.4 * 0.01 * 2.0 * G / 0.01
    lost = out.table("energy")["lost_in_joint_friction"]
    turned = np.trapezoid(rate, out.time)
    assert lost[-1] == pytest.approx(drag * 0.01 * turned, rel=1e-6)
    assert rate[-1] < 7.0 - 0.9 * drag * 0.4


def test_an_open_euler_joint_that_may_lock_resists_as_one_that_never_does() -> None:
    """While all axes are open the bodies of its first two turns stand still; their friction acts all the same."""
    ends = []
    for lock in ({}, {"lock": {"lock_rate_rad_per_s": 1e-9}}):
        data = base(
            0.4,
            segments=[segment("body", 2.0, (0.01, 0.02, 0.03))],
            joints=[{"id": "euler", "kind": "euler", "parent": "ground", "child": "body",
                     "precession": {"friction": borne(0.4, 0.01)}, "nutation": {"friction": borne(0.3, 0.01)},
                     "spin": lock}],
            initial={"joints": [{"joint": "euler", "values": [0.3, 1.0, 0.0], "rates": [3.0, 2.0, 5.0]}]},
        )  # fmt: skip
        data["gravity_m_per_s2"] = [0.0, 0.0, G]
        out = solved(data)
        assert out.table("energy")["lost_in_joint_friction"][-1] > 0.05
        ends.append(out.table("joints")["angle"][:, 0])
    assert ends[1] == pytest.approx(ends[0], abs=1e-8)


def test_frictions_of_a_chain_are_found_together() -> None:
    """Three thick pins, the last end held by a loop: nothing jams, and the account closes."""
    pins = [
        {"id": f"pin{n}", "kind": "pin", "parent": parent, "child": child,
         "parent_frame": {"position_m": [0.0, 0.0, 0.15 if n else 0.0]},
         "child_frame": {"position_m": [0.0, 0.0, -0.15]}, "friction": borne(0.6, 0.04, 0.1)}
        for n, (parent, child) in enumerate((("ground", "a"), ("a", "b"), ("b", "c")))
    ]  # fmt: skip
    data = base(
        0.5,
        segments=[segment(name, 1.0, (0.01, 0.01, 0.01)) for name in "abc"],
        joints=pins,
        initial={"joints": [{"joint": "pin0", "values": [0.5], "rates": [2.0]}]},
        constraints=[{"id": "tie", "kind": "fixed_distance", "a": {"segment": "c", "position_m": [0.0, 0.0, 0.15]},
                      "b": {"segment": "ground", "position_m": [1.0, 0.0, 0.5]}}],
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, G]
    out = solved(data)
    assert not [note for note in out.notes if "jam" in str(note)]
    assert out.table("energy")["lost_in_joint_friction"][-1] > 0.2


def test_a_pin_too_thick_jams_and_says_so() -> None:
    data = pendulum(borne(3.0, 0.5), centre=0.1, inertia=1e-4, angle=0.5, rate=0.2)
    data["runs"][0]["duration_s"] = 0.05
    out = simulate(project(data))
    assert any("they jam" in str(note) for note in out.notes), out.notes
