"""Drivers of points and frames: against drivers of joints, other constructions, closed forms and identities."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.analysis.equilibrium import settle
from solver.project.checks import check
from solver.project.pose import joint_values
from solver.running.simulation import simulate
from tests.engine.test_drivers import QUARTER, by, closes, pin, polynomial, solved
from tests.models import EXACT, base, project, segment

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


def forced_pivot() -> dict[str, Any]:
    """Hang a rod on a cart, free on a rail of a body that itself flies: the cart's x on ground is driven."""
    t = np.linspace(0.0, 2.0, 801)
    return base(
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


def test_a_rope_of_carriers_has_its_pivot_forced() -> None:
    out = solved(forced_pivot())
    angle = out.table("joints")["angle"][:, 2, 0]
    at = [int(np.argmin(np.abs(out.time - when))) for when in (1.0, 2.0)]
    # an independent integration of the pendulum's own equation
    assert angle[at] == pytest.approx([-0.1562157, 0.4665746], abs=5e-7)
    closes(out)


@pytest.mark.parametrize("way", ["joint", "frame"])
def test_what_moves_as_it_would_anyway_takes_nothing(way: str) -> None:
    """A pendulum driven by the acceleration of its own free swing, a table joined by a spline (G2, 1)."""
    data = base(
        duration=0.8,
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        initial={"joints": [{"joint": "pin", "values": [0.9]}]},
        integrator={**EXACT, "relative_tolerance": 1e-12, "absolute_tolerance": 1e-13},
    )
    data["runs"][0]["frame_interval_s"] = 0.0005
    free = solved(data)
    angle = free.table("joints")["angle"][:, 0, 0]
    own = {
        "id": "own", "x_unit": "s", "y_unit": "rad/s2",
        "form": {"kind": "table", "between": "spline", "x": free.time.tolist(),
                 "y": (-1.5 * 9.81 * np.sin(angle)).tolist()},
    }  # fmt: skip
    data["functions"] = [own]
    name = "drivers" if way == "joint" else "frame_drivers"
    moves = {"quantity": "acceleration"}
    data[name] = [
        by("own", **moves) if way == "joint" else follow("own", "pitch", frame("rod"), **moves)
    ]
    driven = solved(data)
    inner = slice(20, -20)
    assert np.abs(driven.table(name)["torque"][inner, 0]).max() < 1e-8
    assert driven.table("joints")["angle"][:, 0, 0] == pytest.approx(angle, abs=1e-9)


def test_a_stop_that_strikes_on_what_a_frame_driver_moves() -> None:
    """The driver gives what the impulse carries through: the account closes."""
    deck = {"id": "deck", "mass_kg": 3.0, "inertia_kgm2": [1.0, 1.0, 1.0]}
    data = base(
        duration=0.3,
        segments=[deck, segment("rod")],
        joints=[{
            "id": "pin", "kind": "pin", "parent": "deck", "child": "rod",
            "child_frame": {"position_m": [0.0, 0.0, -0.5]},
            "spring": {"stop_rad": 0.3, "restitution": 0.6},
        }],
        functions=[polynomial("course", 0.2, 2.0, 1.0, unit="m")],
        frame_drivers=[follow("course", "x", frame("deck", (0.2, 0.0, 0.0)))],
        initial={
            "joints": [{"joint": "pin", "values": [0.0], "rates": [4.0]}],
            "roots": [{"segment": "deck", "velocity_m_per_s": [1.9, 0.0, 0.0]}],
        },
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip
    out = solved(data)
    energy = out.table("energy")
    assert energy["lost_in_impulses"][-1] > 0.1
    # at the start it takes the deck along, and the log says so
    assert next(event.kind for event in out.events()) == "speeds_corrected"
    closes(out)


def two_bodies(**more: Any) -> Any:
    """Let a driver of yaw and one of x act between two bodies that tumble."""
    data, near, far = tumbling("yaw")
    yaw = follow("course", "yaw", far, near, **more)
    push = {"kind": "haversine", "amplitude": 3.0, "start_s": 0.05, "duration_s": 0.3}
    along = {
        "id": "along", "component": "x", "moved": frame("two", (0.1, 0.0, 0.0)), "seen_from": frame("one"),
        "quantity": "acceleration", "pulse": push, "until_s": 0.4,
    }  # fmt: skip
    return data | {"frame_drivers": [yaw, along]}


@pytest.mark.parametrize(
    "integrator",
    [{"kind": "rk4", "step_s": 2e-4}, {"kind": "vei", "largest_step_s": 5e-4}, {"kind": "implicit", "relative_tolerance": 1e-8}],
    ids=lambda one: one["kind"],
)  # fmt: skip
def test_other_integrators_follow_too(integrator: dict[str, Any]) -> None:
    data = two_bodies()
    exact = solved(data).table("segments")["position"][-1]
    data["runs"][0]["integrator"] = integrator
    assert solved(data).table("segments")["position"][-1] == pytest.approx(exact, abs=1e-5)


def test_an_angle_counts_on_past_half_a_turn() -> None:
    """Three turns of yaw; the load is that of a body about its axis."""
    data = base(
        segments=[segment("top", 1.0, (0.05, 0.05, 0.02))],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        functions=[polynomial("course", 0.0, 0.0, 6.0 * math.pi)],
        frame_drivers=[follow("course", "yaw", frame("top"))],
    )
    out = solved(data)
    row = out.table("frame_drivers")
    assert row["angle"][:, 0] == pytest.approx(6.0 * math.pi * out.time**2, abs=1e-8)
    assert row["torque"][:, 0] == pytest.approx(0.02 * 12.0 * math.pi, abs=1e-8)
    closes(out)


def carried(course: Any, **more: Any) -> tuple[Any, Any]:
    """Let a rod turn in a pin on a body that tumbles: by a driver of the pin, and of its frame's pitch."""
    data = base(
        duration=2.0,
        segments=[segment("one", 2.0, (0.3, 0.5, 0.2)), segment("rod")],
        joints=[pin("one", "rod")],
        functions=[course],
        initial={
            "roots": [{"segment": "one", "velocity_m_per_s": [0.3, 0.1, -0.2]}],
            "attitudes": [{"segment": "one", "angular_velocity_rad_per_s": TUMBLING}],
        },
        **more,
    )
    pitch = follow("course", "pitch", frame("rod"), frame("one"))
    return data | {"drivers": [by("course")]}, data | {"frame_drivers": [pitch]}


def agree(by_joint: Any, by_frame: Any, within: float = 1e-11) -> None:
    """Hold a frame's pitch against the axis of its pin."""
    one, two = solved(by_joint), solved(by_frame)
    axis, row = one.table("drivers"), two.table("frame_drivers")
    for name in ("angle", "torque", "power"):
        assert row[name] == pytest.approx(axis[name], abs=within), name
    for name in ("position", "angular_velocity"):
        a, b = (out.table("segments")[name] for out in (one, two))
        assert a == pytest.approx(b, abs=within), name


BEYOND = math.radians(200.0)

TIGHT = {**EXACT, "relative_tolerance": 1e-12, "absolute_tolerance": 1e-13}


@pytest.mark.parametrize(
    "integrator",
    [TIGHT, {"kind": "rk4", "step_s": 1e-3}, {"kind": "vei", "largest_step_s": 1e-3}],
    ids=lambda one: one["kind"],
)
@pytest.mark.parametrize(
    "course",
    [(0.75 * BEYOND, -0.25 * BEYOND), (2.0 * math.pi, -2.0 * math.pi, 0.5 * math.pi), (-2.5,)],
    ids=["to 200", "to 90, and back", "round and round"],
)
def test_a_pitch_passes_a_right_angle_as_a_pin_does(course: Any, integrator: Any) -> None:
    by_joint, by_frame = carried(polynomial("course", 0.0, 0.0, *course), integrator=integrator)
    agree(by_joint, by_frame, 1e-9)


def test_the_torque_beyond_a_right_angle_is_that_of_the_equation_of_motion() -> None:
    data = base(
        duration=2.0,
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        functions=[polynomial("course", 0.0, 0.0, 0.75 * BEYOND, -0.25 * BEYOND)],
        frame_drivers=[follow("course", "pitch", frame("rod"))],
    )
    out = solved(data)
    t, row = out.time, out.table("frame_drivers")
    angle = BEYOND * (0.75 * t**2 - 0.25 * t**3)
    wanted = BEYOND * (1.5 - 1.5 * t) / 3.0 + 9.81 * 0.5 * np.sin(angle)
    assert row["angle"][:, 0] == pytest.approx(angle, abs=1e-11)
    assert row["torque"][:, 0] == pytest.approx(wanted, abs=1e-10)
    closes(out)


@pytest.mark.parametrize("rate", [0.0, 3.0, 30.0])
def test_a_pitch_passes_a_right_angle_in_a_ring_that_turns(rate: float) -> None:
    """The plane of the pitch turns about z meanwhile, and does not jump on the way out."""
    upright = {"orientation": {"angles_rad": [0.0, 0.0, math.pi / 2]}}
    ring = pin("ground", "ring", "yaw", parent_frame=upright) | {"child_frame": upright}
    inner = pin("ring", "rod") | {"child_frame": {}}
    data = base(
        duration=2.0,
        segments=[segment("ring", 1.0, (0.2, 0.2, 0.3)), segment("rod", 1.0, (0.05, 0.03, 0.02))],
        joints=[ring, inner],
        functions=[polynomial("course", 0.0, 0.0, 0.75 * BEYOND, -0.25 * BEYOND)],
        initial={"joints": [{"joint": "yaw", "rates": [rate]}]},
    )
    pitch = follow("course", "pitch", frame("rod"))
    agree(data | {"drivers": [by("course")]}, data | {"frame_drivers": [pitch]})


def test_a_pitch_stands_at_a_right_angle() -> None:
    """By a velocity that ends there: what it takes then is the rod's weight."""
    swing = {"kind": "haversine", "amplitude": math.pi / 0.4, "duration_s": 0.4}
    drive = {
        "id": "drive",
        "component": "pitch",
        "moved": frame("rod"),
        "quantity": "velocity",
        "pulse": swing,
    }
    data = base(segments=[segment("rod")], joints=[pin("ground", "rod")], frame_drivers=[drive])
    out = solved(data)
    after = out.time > 0.41
    row = out.table("frame_drivers")
    assert row["angle"][after, 0] == pytest.approx(math.pi / 2, abs=1e-9)
    assert row["torque"][after, 0] == pytest.approx(0.5 * 9.81, abs=1e-8)


@pytest.mark.parametrize("at", [2.0, 4.0])
def test_a_pitch_starts_beyond_a_right_angle(at: float) -> None:
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        functions=[polynomial("course", at, 0.0, 1.0)],
        initial={"joints": [{"joint": "pin", "values": [at]}]},
    )
    pitch = follow("course", "pitch", frame("rod"))
    agree(data | {"drivers": [by("course")]}, data | {"frame_drivers": [pitch]})


@pytest.mark.parametrize("wanted", ["where it is", "elsewhere"])
def test_a_pitch_that_begins_later_counts_from_where_it_is(wanted: str) -> None:
    """It stands at 2 rad, which without more is a pitch of pi - 2; and is just there where its pulse says so."""
    there = wanted == "where it is"
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod")],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        functions=[polynomial("course", 2.0 if there else 2.5)],
        initial={"joints": [{"joint": "pin", "values": [2.0]}]},
        frame_drivers=[follow("course", "pitch", frame("rod"), from_s=0.3)],
    )
    row = solved(data).table("frame_drivers")["angle"][:, 0]
    assert row[0] == pytest.approx(math.pi - 2.0)
    assert row[-1] == pytest.approx(2.0 if there else math.pi - 2.0)


@pytest.mark.parametrize(
    "driven",
    [
        ("yaw",),
        ("roll",),
        ("yaw", "pitch"),
        ("yaw", "roll"),
        ("pitch", "roll"),
        ("yaw", "pitch", "roll"),
    ],
    ids="+".join,
)
def test_with_yaw_or_roll_it_passes_a_right_angle_as_the_pins_of_a_joint_do(
    driven: tuple[str, ...],
) -> None:
    """Both bodies tumble, and pitch comes through 90 degrees: motion, loads and power are those of a joint of six."""
    draw = np.random.default_rng(sum(map(ord, "".join(driven))))
    for sign in (1.0, -1.0):
        data, near, far = tumbling("yaw")
        start = data["initial"]["joints"][0]
        start["values"][3:] = (
            draw.uniform(-1.0, 1.0),
            sign * draw.uniform(0.7, 1.4),
            draw.uniform(-1.0, 1.0),
        )
        start["rates"][3:] = (
            draw.uniform(-2.0, 2.0),
            sign * draw.uniform(3.0, 6.0),
            draw.uniform(-2.0, 2.0),
        )
        data["runs"][0] |= {"duration_s": 0.5}
        own = dict(zip(COMPONENTS, zip(start["values"], start["rates"], strict=True), strict=True))
        data["functions"] = [
            polynomial(f"of_{name}", *own[name], draw.uniform(-1.0, 1.0)) for name in driven
        ]
        by_frames = data | {"frame_drivers": [
            follow(f"of_{name}", name, far, near) | {"id": name} for name in driven
        ]}  # fmt: skip
        rates = [0.0 if name in driven else own[name][1] for name in COMPONENTS]
        by_joint = data | {
            "initial": data["initial"] | {"joints": [start | {"rates": rates}]},
            "drivers": [by(f"of_{name}", "six", name) | {"id": name} for name in driven],
            "outputs": [{"id": "at", "kind": "joint", "joint": "six", "quantity": "angle"}],
        }
        one, two = solved(by_joint), solved(by_frames)
        assert np.abs(one.channel("at_pitch").value).max() > 2.0
        for name in ("position", "velocity", "angular_velocity"):
            a, b = (out.table("segments")[name] for out in (one, two))
            assert a == pytest.approx(b, abs=1e-8), name
        axis, row = one.table("drivers"), two.table("frame_drivers")
        assert np.abs(axis["torque"]).max() > 0.01
        for name in ("angle", "torque", "power"):
            assert axis[name] == pytest.approx(row[name], abs=1e-8), name
        closes(two)


@pytest.mark.parametrize(
    "driven", [("yaw", "pitch", "roll"), ("yaw", "pitch"), ("pitch", "roll")], ids="+".join
)
def test_pitch_comes_back_from_beyond_a_right_angle_beside_a_yaw_and_roll_told_within(
    driven: tuple[str, ...],
) -> None:
    """Half a turn of yaw and of roll more is the other way to tell them."""
    told = {"yaw": (0.3, 1.0), "pitch": (2.5, -4.0), "roll": (-0.4, 0.7)}
    true = [0.3 + math.pi, 2.5, -0.4 + math.pi]
    data = base(
        duration=0.5, segments=[segment("body", 2.0, (0.02, 0.03, 0.05))], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "free", "kind": "free", "parent": "ground", "child": "body"}],
        functions=[polynomial(f"of_{name}", *told[name]) for name in driven],
        initial={"attitudes": [{"segment": "body", "orientation": {"angles_rad": true}}]},
        frame_drivers=[follow(f"of_{name}", name, frame("body")) | {"id": name} for name in driven],
    )  # fmt: skip
    out = solved(data)
    closes(out, 1e-6)
    t, row = out.time, out.table("frame_drivers")
    for n, name in enumerate(driven):
        assert row["angle"][:, n] == pytest.approx(told[name][0] + told[name][1] * t, abs=1e-8)
    if len(driven) == 3:
        wanted = Rotation.from_euler(
            "ZYX", np.transpose([a + told[k][1] * t for k, a in zip(told, true, strict=True)])
        )
        turns = Rotation.from_quat(out.segment("body").quaternion_wxyz, scalar_first=True)
        assert (turns * wanted.inv()).magnitude().max() < 1e-8


def test_pitch_and_roll_that_begin_beside_a_yaw_count_on_from_beyond_a_right_angle() -> None:
    """Yaw is driven through it; what begins there does not jump."""
    data, near, far = tumbling("yaw")
    start = data["initial"]["joints"][0]
    start["values"][3:], start["rates"][3:] = [0.3, 1.2, 0.1], [0.7, 4.0, 0.5]
    data["functions"] = [polynomial("course", 0.3, 0.7), polynomial("on", 0.5, unit="rad/s")]
    speed = {"quantity": "velocity", "from_s": 0.3}
    data["frame_drivers"] = [
        follow("course", "yaw", far, near),
        follow("on", "pitch", far, near) | speed | {"id": "second"},
        follow("on", "roll", far, near) | speed | {"id": "third", "from_s": 0.4},
    ]
    out = solved(data)
    row = out.table("frame_drivers")["angle"][:, 1]
    later = out.time > 0.31
    assert row[later].min() > 0.5 * math.pi
    assert np.abs(np.diff(row)).max() < 0.1
    assert np.diff(row[later]) == pytest.approx(0.5 * np.diff(out.time[later]), abs=1e-6)
    closes(out, 1e-6)


@pytest.mark.parametrize("step", [None, 1e-2])
def test_where_a_right_angle_has_no_plane_the_run_ends_with_a_sentence(step: float | None) -> None:
    """By a spin that nothing keeps from growing."""
    pitch = follow("course", "pitch", frame("rod"))
    spin = [{"segment": "rod", "angular_velocity_rad_per_s": [0.0, 0.0, 1e-3]}]
    data = base(
        duration=2.0,
        integrator=step and {"kind": "rk4", "step_s": step},
        segments=[segment("rod", 1.0, (0.05, 0.03, 0.02))],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        functions=[polynomial("course", 0.0, 0.0, 0.75 * BEYOND, -0.25 * BEYOND)],
        frame_drivers=[pitch],
        initial={"attitudes": spin},
    )  # fmt: skip
    if step:
        # a step of fixed length goes past where it is turned aside
        data["runs"][0]["integrator"]["step_s"] = 1e-4
    out = simulate(project(data))
    assert out.status == "failed"
    assert "'drive' moves has a pitch of 90 degrees" in out.message
    assert "drive axes of joints instead" in out.message
    assert out.time[-1] > 0.9


@pytest.mark.parametrize(
    ("driver", "code"),
    [
        ({"seen_from": frame("rod")}, "frame-driver-same"),
        ({"seen_from": frame("welded")}, "frame-driver-same"),
        ({"moved": frame("sled")}, "frame-driver-same"),
        ({"component": "pitch", "moved": frame("rod", angles=(0.0, 1.57, 0.0)), "quantity": "velocity"}, "frame-driver-flat"),
        ({"quantity": "position"}, "frame-driver-start"),
        ({"start_value": 0.1}, "frame-driver-start"),
        ({"start_value": 0.0}, None),
        ({"component": "z", "start_value": 0.5}, None),
        ({"quantity": "position", "from_s": 0.1}, None),
        ({}, None),
    ],
)  # fmt: skip
def test_what_contradicts_is_refused(driver: dict[str, Any], code: str | None) -> None:
    pulse = {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.5}
    if driver.get("quantity") == "position":
        pulse = {"kind": "constant", "value": 0.1}
    usual = {"id": "drive", "component": "x", "quantity": "velocity", "pulse": pulse}
    data = base(
        segments=[segment("rod"), segment("welded"), segment("sled")],
        joints=[
            pin("ground", "rod"),
            {"id": "weld", "kind": "locked", "parent": "rod", "child": "welded"},
        ],
        motions=[
            {"id": "go", "segment": "sled", "components": [{"component": "x", "pulse": pulse}]}
        ],
        frame_drivers=[{**usual, "moved": frame("rod"), **driver}],
    )
    found = {one.code for one in check(project(data))} - {"no-outputs"}
    assert found == ({code} if code else set())


def test_two_drivers_of_one_component_are_refused() -> None:
    pulse = {"kind": "haversine", "amplitude": 1.0, "duration_s": 0.5}
    one = {"id": "drive", "moved": frame("rod"), "quantity": "velocity", "pulse": pulse}
    data = base(segments=[segment("rod")], frame_drivers=[one, one | {"id": "other"}])
    assert "frame-driver-twice" in {found.code for found in check(project(data))}


def test_rest_is_found_with_a_component_held() -> None:
    """A rod that leans on a spring: settled, its end stands where its driver has it."""
    data = base(
        segments=[segment("rod")],
        joints=[pin("ground", "rod", spring={"linear_nm_per_rad": 30.0})],
        initial={"joints": [{"joint": "pin", "values": [0.3]}]},
        frame_drivers=[{
            "id": "hold", "component": "x", "moved": frame("rod", (0.0, 0.0, 0.5)), "before": "held", "from_s": 0.5,
            "quantity": "acceleration", "pulse": {"kind": "constant", "value": 0.0},
        }],
    )  # fmt: skip
    rest = settle(project(data)).project
    found = joint_values(rest).get("pin", (0.0,))
    assert found[0] == pytest.approx(0.3, abs=1e-6)
