"""Drivers: axes of joints that move as prescribed, against closed forms, identities and other ways."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.project.checks import check
from solver.results import Trajectory
from solver.running.simulation import simulate
from tests.models import EXACT, base, project, segment

QUARTER = {"orientation": {"angles_rad": [0.0, math.pi / 2, 0.0]}}
"""A frame whose z is along the ground's x."""


def polynomial(id_: str, *coefficients: float, unit: str = "rad") -> dict[str, Any]:
    return {
        "id": id_, "x_unit": "s", "y_unit": unit,
        "form": {"kind": "polynomial", "coefficients": list(coefficients), "x_min": 0.0, "x_max": 9.0},
    }  # fmt: skip


def by(function: str, joint: str = "pin", axis: str = "angle", **more: Any) -> dict[str, Any]:
    pulse = {"kind": "function", "function": function}
    return {"id": "drive", "joint": joint, "axis": axis, "pulse": pulse, **more}


def pin(parent: str, child: str, id_: str = "pin", **more: Any) -> dict[str, Any]:
    return {
        "id": id_, "kind": "pin", "parent": parent, "child": child,
        "child_frame": {"position_m": [0.0, 0.0, -0.5]}, **more,
    }  # fmt: skip


def solved(data: Any) -> Trajectory:
    out = simulate(project(data))
    assert out.status == "completed", out.message
    return out


def closes(out: Trajectory, part: float = 1e-9) -> None:
    energy = out.table("energy")
    turned_over = np.max(energy["kinetic"]) + np.max(np.abs(energy["external"]))
    assert np.max(np.abs(energy["balance"])) < part * turned_over


@pytest.mark.parametrize("quantity", ["position", "velocity", "acceleration"])
def test_the_torque_is_that_of_the_equation_of_motion(quantity: str) -> None:
    """A rod of 1 m with a spring in its pin, turned along a cubic: I a + m g l/2 sin + k angle."""
    a = (0.2, 0.7, -0.9, 0.4)
    course = {
        "position": a, "velocity": (a[1], 2 * a[2], 3 * a[3]), "acceleration": (2 * a[2], 6 * a[3]),
    }[quantity]  # fmt: skip
    unit = {"position": "rad", "velocity": "rad/s", "acceleration": "rad/s2"}[quantity]
    more: dict[str, Any] = {"quantity": quantity}
    if quantity != "position":
        more["start_value"] = a[0]
    if quantity == "acceleration":
        more["start_rate"] = a[1]
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod", spring={"linear_nm_per_rad": 3.0})],
        functions=[polynomial("course", *course, unit=unit)],
        drivers=[by("course", **more)],
    )
    out = solved(data)
    t, rows = out.time, out.table("drivers")
    angle = a[0] + a[1] * t + a[2] * t**2 + a[3] * t**3
    rate, growth = a[1] + 2 * a[2] * t + 3 * a[3] * t**2, 2 * a[2] + 6 * a[3] * t
    wanted = growth / 3.0 + 9.81 * 0.5 * np.sin(angle) + 3.0 * angle
    assert rows["angle"][:, 0] == pytest.approx(angle, abs=1e-12)
    assert rows["torque"][:, 0] == pytest.approx(wanted, abs=1e-10)
    assert rows["power"][:, 0] == pytest.approx(wanted * rate, abs=1e-10)
    assert out.table("joints")["angle"][:, 0, 0] == pytest.approx(angle, abs=1e-12)
    closes(out)


def test_what_moves_as_it_would_anyway_takes_no_torque() -> None:
    """A double pendulum, and the same with its second pin driven along its own free motion."""
    data = base(
        duration=0.8,
        segments=[segment("upper"), segment("lower", 0.6)],
        joints=[
            pin("ground", "upper", "first"),
            pin("upper", "lower", parent_frame={"position_m": [0.0, 0.0, 0.5]}),
        ],
        initial={
            "joints": [{"joint": "first", "values": [0.9]}, {"joint": "pin", "values": [0.4]}]
        },
        integrator={**EXACT, "relative_tolerance": 1e-12, "absolute_tolerance": 1e-13},
    )
    data["runs"][0] |= {"frame_interval_s": 0.0005}
    free = solved(data)
    angles = free.table("joints")["angle"][:, 1, 0]
    data["functions"] = [{
        "id": "own", "x_unit": "s", "y_unit": "rad",
        "form": {"kind": "table", "between": "spline", "x": free.time.tolist(), "y": angles.tolist()},
    }]  # fmt: skip
    data["drivers"] = [by("own")]
    data["initial"]["joints"][1] = {"joint": "pin", "values": [float(angles[0])]}
    driven = solved(data)
    inner = slice(20, -20)
    assert np.abs(driven.table("drivers")["torque"][inner, 0]).max() < 1e-5
    both = (one.table("joints")["angle"][:, 0, 0] for one in (driven, free))
    assert np.subtract(*both) == pytest.approx(0.0, abs=1e-8)


def driven_pendulum() -> Any:
    """Hang a rod on a crank that its axle turns steadily."""
    mass, centre = 0.2, 0.75
    moment = 0.1 / 12 + 0.1 * 0.25**2 + 0.1 * 0.25**2
    return base(
        duration=3.0,
        segments=[segment("crank"), segment("rod", mass, (moment, moment, 1e-3))],
        joints=[
            {"id": "axle", "kind": "pin", "parent": "ground", "child": "crank"},
            {"id": "hinge", "kind": "pin", "parent": "crank", "child": "rod",
             "parent_frame": {"position_m": [0.0, 0.0, 1.0]},
             "child_frame": {"position_m": [0.0, 0.0, -centre]}},
        ],
        drivers=[{"id": "motor", "joint": "axle", "quantity": "velocity",
                  "pulse": {"kind": "constant", "value": 10.0}}],
        initial={"joints": [{"joint": "hinge", "values": [0.0], "rates": [-10.0]}]},
        integrator={**EXACT, "relative_tolerance": 1e-11},
    )  # fmt: skip


def test_a_driven_double_pendulum_ends_where_another_program_has_it() -> None:
    """The case of the validation book, with its crank turned by a pin in place of a motion."""
    data = driven_pendulum()
    out = solved(data)
    assert abs(30.0 + out.table("joints")["angle"][-1, 1, 0]) == pytest.approx(29.160955, abs=2e-5)
    closes(out, 1e-7)


def test_a_pivot_forced_along_a_slide_on_a_carried_segment() -> None:
    """A rod depended on a cart that a rail drives by 0.1 sin 6t, the rail on a segment that is held."""
    t = np.linspace(0.0, 2.0, 801)
    data = base(
        duration=2.0,
        segments=[segment("beam"), segment("cart"), segment("rod")],
        joints=[
            {"id": "fix", "kind": "locked", "parent": "ground", "child": "beam"},
            {"id": "rail", "kind": "slip", "parent": "beam", "child": "cart",
             "parent_frame": QUARTER, "child_frame": QUARTER},
            pin("cart", "rod"),
        ],
        functions=[{"id": "sway", "x_unit": "s", "y_unit": "m",
                    "form": {"kind": "table", "between": "spline", "x": t.tolist(),
                             "y": (0.1 * np.sin(6.0 * t)).tolist()}}],
        drivers=[by("sway", "rail", "slide")],
    )  # fmt: skip
    out = solved(data)
    angle = out.table("joints")["angle"][:, 2, 0]
    at = [int(np.argmin(np.abs(out.time - when))) for when in (1.0, 2.0)]
    # an independent integration of the pendulum's own equation
    assert angle[at] == pytest.approx([-0.1562157, 0.4665746], abs=5e-7)
    assert out.table("drivers")["slide"][at, 0] == pytest.approx(
        0.1 * np.sin([6.0, 12.0]), abs=1e-9
    )
    closes(out)


def test_both_axes_of_a_universal_joint_are_told_apart() -> None:
    data = base(
        segments=[segment("rod", 1.0, (0.05, 0.06, 0.02))],
        joints=[{"id": "cross", "kind": "universal", "parent": "ground", "child": "rod"}],
        functions=[polynomial("roll", 0.0, 0.5, 0.2)],
        drivers=[by("roll", "cross", "first")],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        initial={"joints": [{"joint": "cross", "values": [0.0, 0.3], "rates": [0.0, 1.0]}]},
    )
    out = solved(data)
    first = 0.5 * out.time + 0.2 * out.time**2
    assert out.table("joints")["angle"][:, 0, 0] == pytest.approx(first, abs=1e-12)
    assert abs(out.table("joints")["angle"][-1, 0, 1] - 0.3) > 0.5
    closes(out)


def test_other_integrators_follow_too() -> None:
    for integrator in ({"kind": "rk4", "step_s": 2e-4}, {"kind": "vei"}):
        data = base(
            duration=0.5,
            segments=[segment("upper"), segment("lower")],
            joints=[
                pin("ground", "upper", "first"),
                pin("upper", "lower", parent_frame={"position_m": [0.0, 0.0, 0.5]}),
            ],
            functions=[polynomial("course", 0.0, 0.0, 2.0)],
            drivers=[by("course", "first")],
        )
        exact = solved(data).table("joints")["angle"][-1, 1, 0]
        data["runs"][0]["integrator"] = integrator
        assert solved(data).table("joints")["angle"][-1, 1, 0] == pytest.approx(exact, abs=1e-4)


@pytest.mark.parametrize(
    ("joint", "driver", "initial", "code"),
    [
        ({}, {"axis": "slide"}, {}, "driver-axis"),
        ({"kind": "ball"}, {}, {}, "driver-axis"),
        ({"kind": "euler"}, {"axis": "first"}, {}, "driver-axis"),
        ({"breakage": {"force_n": 1e3}}, {}, {}, "driver-held"),
        ({"lock": {"locked": True}}, {}, {}, "driver-held"),
        ({"lock": {"lock_rate_rad_per_s": 1.0}}, {}, {}, "driver-held"),
        ({}, {"start_value": 1.0}, {}, "driver-start-unused"),
        ({}, {"start_rate": 1.0}, {}, "driver-start-unused"),
        ({}, {}, {"joints": [{"joint": "pin", "values": [0.2]}]}, "driver-start"),
        ({}, {}, {"joints": [{"joint": "pin", "rates": [0.2]}]}, "driver-start"),
        ({}, {}, {"attitudes": [{"segment": "rod"}]}, "driver-start"),
        ({}, {"pulse": {"kind": "half_sine", "amplitude": 1.0, "duration_s": 0.5}}, {}, "motion-jumps"),
        ({}, {"quantity": "velocity"}, {}, "function-units"),
    ],
)  # fmt: skip
def test_what_contradicts_is_refused(
    joint: dict[str, Any], driver: dict[str, Any], initial: dict[str, Any], code: str
) -> None:
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod") | joint],
        functions=[polynomial("course", 0.1, 0.5)],
        drivers=[by("course") | driver],
        initial=initial,
    )
    found = {one.code: one for one in check(project(data))}
    assert code in found, found
    assert found[code].severity == "error"


def test_two_drivers_of_one_axis_are_refused() -> None:
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        functions=[polynomial("course", 0.1, 0.5)],
        drivers=[by("course"), by("course") | {"id": "other"}],
    )
    assert "driver-twice" in {one.code for one in check(project(data))}


def test_the_start_pose_is_that_of_the_driver() -> None:
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        functions=[polynomial("course", 0.4, 0.5)],
        drivers=[by("course")],
    )
    from solver.project.pose import start_pose

    pose, out = start_pose(project(data)), solved(data)
    assert pose["rod"].p_W == pytest.approx([0.5 * math.sin(0.4), 0.0, 0.5 * math.cos(0.4)])
    assert out.table("segments")["position"][0, 0] == pytest.approx(pose["rod"].p_W, abs=1e-12)
    assert out.table("segments")["angular_velocity"][0, 0] == pytest.approx(
        [0.0, 0.5, 0.0], abs=1e-12
    )
