"""Drivers of points and frames: against drivers of joints, other constructions, closed forms and identities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.project.checks import check
from solver.results import Trajectory
from tests.models import EXACT, base, project, segment
from tests.test_drivers import QUARTER, closes, pin, polynomial, solved

TUMBLING = [0.4, -0.7, 0.5]
COMPONENTS = ("x", "y", "z", "yaw", "pitch", "roll")


def follow(function: str, component: str, moved: Any, seen_from: Any = None, **more: Any) -> Any:
    out = {
        "id": "drive", "component": component, "moved": moved,
        "pulse": {"kind": "function", "function": function}, **more,
    }  # fmt: skip
    return out if seen_from is None else out | {"seen_from": seen_from}


def frame(segment: str, place: Any = (0.0, 0.0, 0.0), angles: Any = (0.0, 0.0, 0.0)) -> Any:
    orientation = {"angles_rad": list(angles)}
    return {"segment": segment, "frame": {"position_m": list(place), "orientation": orientation}}


def tumbling(component: str) -> Any:
    """Join two bodies that tumble through space by a joint of six, one of whose axes moves."""
    near, far = (
        frame("one", (0.1, 0.2, -0.1), (0.3, 0.2, -0.4)),
        frame("two", (0.0, -0.1, 0.2), (0.1, -0.2, 0.3)),
    )
    n = COMPONENTS.index({"x": "x", "y": "y", "z": "z"}.get(component, component))
    values, rates = [0.1, 0.2, 0.3, 0.4, 0.5, -0.3], [0.2, -0.1, 0.3, 0.5, -0.4, 0.6]
    rates[n] = 0.7
    unit = "m" if n < 3 else "rad"
    return base(
        duration=0.6,
        segments=[segment("one", 2.0, (0.03, 0.05, 0.02)), segment("two", 1.0, (0.02, 0.01, 0.03))],
        joints=[{"id": "six", "kind": "six", "parent": "one", "child": "two",
                 "parent_frame": near["frame"], "child_frame": far["frame"]}],
        functions=[polynomial("course", values[n], 0.7, -0.9, 0.8, unit=unit)],
        initial={
            "roots": [{"segment": "one", "velocity_m_per_s": [0.3, 0.1, -0.2]}],
            "attitudes": [{"segment": "one", "angular_velocity_rad_per_s": TUMBLING}],
            "joints": [{"joint": "six", "values": values, "rates": rates}],
        },
        integrator={**EXACT, "relative_tolerance": 1e-11, "absolute_tolerance": 1e-12},
    ), near, far  # fmt: skip


@pytest.mark.parametrize("component", COMPONENTS)
def test_a_component_moves_as_the_same_axis_of_a_joint_of_six(component: str) -> None:
    """Both bodies tumble: the row's bias, its load and its power are those of the pass over the tree."""
    data, near, far = tumbling(component)
    by_joint = data | {"drivers": [{
        "id": "drive", "joint": "six", "axis": component,
        "pulse": {"kind": "function", "function": "course"},
    }]}  # fmt: skip
    by_joint["initial"] = {**data["initial"], "joints": [{**data["initial"]["joints"][0]}]}
    by_joint["initial"]["joints"][0]["rates"] = [
        0.0 if name == component else rate
        for name, rate in zip(COMPONENTS, data["initial"]["joints"][0]["rates"], strict=True)
    ]
    by_frame = data | {"frame_drivers": [follow("course", component, far, near)]}
    one, two = solved(by_joint), solved(by_frame)
    for name in ("position", "velocity", "angular_velocity"):
        a, b = (out.table("segments")[name] for out in (one, two))
        assert a == pytest.approx(b, abs=3e-9), name
    axis, row = one.table("drivers"), two.table("frame_drivers")
    turns = component in ("yaw", "pitch", "roll")
    for here, there in (
        (("angle", "angle"), ("torque", "torque"))
        if turns
        else (("slide", "way"), ("force", "force"))
    ):
        assert axis[here] == pytest.approx(row[there], abs=3e-8), here
    assert axis["power"] == pytest.approx(row["power"], abs=3e-8)
    assert (row["state"] == 2).all()
    closes(two)


def test_a_point_of_the_second_link_moves_as_on_a_carriage() -> None:
    """Its x by a slide that carries a slide of 0.1 micrograms; and by a driver of the point."""
    double = {
        "segments": [segment("upper"), segment("lower", 0.6)],
        "joints": [
            pin("ground", "upper", "first"),
            pin("upper", "lower", parent_frame={"position_m": [0.0, 0.0, 0.5]}),
        ],
    }
    at = [0.0, 0.0, 0.3]
    start = {"joints": [{"joint": "first", "values": [0.3]}, {"joint": "pin", "values": [0.4]}]}
    x, z = math.sin(0.3) + 0.8 * math.sin(0.7), math.cos(0.3) + 0.8 * math.cos(0.7)
    tight = {**EXACT, "relative_tolerance": 1e-12, "absolute_tolerance": 1e-13}
    functions = [polynomial("course", x, 0.0, 1.5, -2.0, unit="m")]
    by_point = base(
        **double, functions=functions, initial=start, integrator=tight,
        frame_drivers=[follow("course", "x", frame("lower", at))],
    )  # fmt: skip
    tiny = (1e-15, 1e-15, 1e-15)
    carriage = base(
        segments=[*double["segments"], segment("cart", 1e-6, tiny), segment("slider", 1e-10, tiny)],
        joints=[
            *double["joints"],
            {"id": "rail", "kind": "slip", "parent": "ground", "child": "cart",
             "parent_frame": QUARTER, "child_frame": QUARTER},
            {"id": "post", "kind": "slip", "parent": "cart", "child": "slider"},
        ],
        functions=functions,
        drivers=[{"id": "drive", "joint": "rail", "axis": "slide",
                  "pulse": {"kind": "function", "function": "course"}}],
        constraints=[{"id": "hold", "kind": "zero_distance", "a": {"segment": "slider"},
                      "b": {"segment": "lower", "position_m": at}}],
        initial={"joints": [*start["joints"], {"joint": "post", "values": [z]}]},
        integrator=tight,
    )  # fmt: skip
    one, two = solved(by_point), solved(carriage)
    angles = [out.table("joints")["angle"][:, :2, 0] for out in (one, two)]
    # what the slider weighs is left over
    assert np.subtract(*angles) == pytest.approx(0.0, abs=1e-9)
    assert one.table("frame_drivers")["way"][:, 0] == pytest.approx(
        x + 1.5 * one.time**2 - 2.0 * one.time**3, abs=1e-9
    )
    closes(one)


def test_a_rope_of_carriers_has_its_pivot_forced() -> None:
    """A rod hung on a cart, free on a rail of a body that itself flies: the cart's x on ground is driven."""
    t = np.linspace(0.0, 2.0, 801)
    data = base(
        duration=2.0,
        segments=[segment("beam", 3.0), segment("cart"), segment("rod")],
        joints=[
            {"id": "lift", "kind": "slip", "parent": "ground", "child": "beam",
             "parent_frame": QUARTER, "child_frame": QUARTER, "slide": {"viscous_ns_per_m": 2.0}},
            {"id": "rail", "kind": "slip", "parent": "beam", "child": "cart",
             "parent_frame": QUARTER, "child_frame": QUARTER},
            pin("cart", "rod"),
        ],
        functions=[{"id": "sway", "x_unit": "s", "y_unit": "m",
                    "form": {"kind": "table", "between": "spline", "x": t.tolist(),
                             "y": (0.1 * np.sin(6.0 * t)).tolist()}}],
        initial={"joints": [{"joint": "rail", "rates": [0.6]}]},
        frame_drivers=[follow("sway", "x", frame("cart"))],
    )  # fmt: skip
    out = solved(data)
    angle = out.table("joints")["angle"][:, 2, 0]
    at = [int(np.argmin(np.abs(out.time - when))) for when in (1.0, 2.0)]
    # an independent integration of the pendulum's own equation
    assert angle[at] == pytest.approx([-0.1562157, 0.4665746], abs=5e-7)
    closes(out)
