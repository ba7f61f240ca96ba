"""What the seeds describe and no other test holds by itself, each against a closed form (`validation/data/seeds.txt`)."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from solver.bodies import library_body
from solver.project import validated
from solver.results.memory import MemoryTrajectory
from solver.running.simulation import simulate
from tests.models import base, segment

REST = {"gravity_m_per_s2": [0.0, 0.0, 0.0]}
TIGHT = {"kind": "dopri", "relative_tolerance": 1e-8, "absolute_tolerance": 1e-10}


def run_of(duration: float, **parts: Any) -> MemoryTrajectory:
    out = simulate(validated(base(duration, TIGHT, **parts)))
    assert out.status == "completed", out.message
    return out


def place(run: MemoryTrajectory, name: str, what: str = "position") -> Any:
    table = run.table("segments")
    return table[what][:, table.ids.index(name)]


def pin(name: str, parent: str, child: str, up: list[float], down: list[float], **more: Any) -> Any:
    frames = {"parent_frame": {"position_m": up}, "child_frame": {"position_m": down}}
    return {"kind": "ball", "id": name, "parent": parent, "child": child, **frames, **more}


def chain(order: str) -> tuple[Any, MemoryTrajectory]:
    """Throw three rods that hang together, the first of the order being the root; gives where their mass centre comes, and the run."""
    turned = {"a": -0.4, "b": 0.0, "c": 0.7}
    up, down = [0.0, 0.0, 0.5], [0.0, 0.0, -0.5]
    ends = {("a", "b"): (up, down), ("b", "c"): (up, down)}
    ends |= {(child, parent): (two, one) for (parent, child), (one, two) in ends.items()}
    pairs = {"abc": [("a", "b"), ("b", "c")], "bac": [("b", "a"), ("b", "c")], "cba": [("c", "b"), ("b", "a")]}  # fmt: skip
    joints = [pin(f"{p}{c}", p, c, *ends[p, c]) for p, c in pairs[order]]
    attitudes = [{"segment": name, "orientation": {"angles_rad": [0.0, angle, 0.0]}, "angular_velocity_rad_per_s": [0.5, 2.0 if name == "b" else -1.0, 0.0]} for name, angle in turned.items()]  # fmt: skip
    # where the middle rod is at the origin, the others' centres follow
    centre = {"a": (-0.5 * math.sin(turned["a"]), -0.5 - 0.5 * math.cos(turned["a"])), "b": (0.0, 0.0), "c": (0.5 * math.sin(turned["c"]), 0.5 + 0.5 * math.cos(turned["c"]))}  # fmt: skip
    x, z = centre[order[0]]
    w = {name: np.array(one["angular_velocity_rad_per_s"]) for name, one in zip(turned, attitudes, strict=True)}  # fmt: skip
    axis = {
        name: np.array([math.sin(angle), 0.0, math.cos(angle)]) for name, angle in turned.items()
    }
    about = {name: np.array([[math.cos(a), 0.0, math.sin(a)], [0.0, 1.0, 0.0], [-math.sin(a), 0.0, math.cos(a)]]) for name, a in turned.items()}  # fmt: skip
    tip = {name: np.cross(about[name] @ w[name], 0.5 * axis[name]) for name in turned}
    # of the middle one that it starts at rest
    speed = {"a": -tip["b"] - tip["a"], "b": np.zeros(3), "c": tip["b"] + tip["c"]}
    roots = [{"segment": order[0], "position_m": [x, 0.0, z], "velocity_m_per_s": speed[order[0]].tolist()}]  # fmt: skip
    run = run_of(
        0.3, segments=[segment(name) for name in "abc"], joints=joints, initial={"roots": roots, "attitudes": attitudes}
    )  # fmt: skip
    start = np.mean([[x, 0.0, z] for x, z in centre.values()], axis=0)
    flown = start + 0.3 * np.mean([*speed.values()], axis=0)
    return flown + np.array([0.0, 0.0, 0.5 * 9.81 * 0.3**2]), run


def test_any_base_segment_gives_the_same_motion() -> None:
    """V7: whichever rod of three is the root, the mass centre flies by its parabola and the rods turn alike."""
    found = []
    for order in ("abc", "bac", "cba"):
        flown, run = chain(order)
        places = np.array([place(run, name)[-1] for name in "abc"])
        assert places.mean(axis=0) == pytest.approx(flown, abs=1e-7)
        found.append(places)
    assert found[1] == pytest.approx(found[0], abs=1e-7)
    assert found[2] == pytest.approx(found[0], abs=1e-7)


def test_a_bar_that_is_whirled_hangs_where_its_moments_are_balanced() -> None:
    """N6: an arm driven at 4 rad/s with a bar on a hinge at its end, both l long: tan t = w^2 l (1 + 2/3 sin t) / g; printed 90 deg - t."""
    for feet, printed in ((1, 55.6055), (2, 32.7954), (3, 22.5306)):
        length, t = 0.3048 * feet, math.radians(90.0 - printed)
        arm = {"kind": "pin", "id": "spin", "parent": "ground", "child": "arm", **UPRIGHT}
        hinge = {
            "kind": "pin", "id": "hinge", "parent": "arm", "child": "bar", "parent_frame": {"position_m": [length, 0.0, 0.0]},
            "child_frame": {"position_m": [0.0, 0.0, -0.5 * length]}, "friction": {"viscous_nms_per_rad": 0.05},
        }  # fmt: skip
        inertia = length**2 / 12.0
        run = run_of(
            0.5, segments=[segment("arm", 1.0, (1.0, 1.0, 1.0)), segment("bar", 1.0, (inertia, inertia, 1e-6))], joints=[arm, hinge],
            drivers=[{"id": "motor", "joint": "spin", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "constant", "value": 4.0}}],
            initial={"joints": [{"joint": "hinge", "values": [t]}]}, gravity_m_per_s2=[0.0, 0.0, 9.80665],
        )  # fmt: skip
        low = place(run, "bar")[:, 2]
        assert low == pytest.approx(0.5 * length * math.cos(t), abs=1e-5 * length)


UPRIGHT = {
    "parent_frame": {"orientation": {"angles_rad": [0.0, 0.0, -0.5 * math.pi]}},
    "child_frame": {"orientation": {"angles_rad": [0.0, 0.0, -0.5 * math.pi]}},
}
"""A pin whose axis, y, is the ground's z."""


def test_a_limb_that_is_driven_in_the_air_turns_its_body_back() -> None:
    """N37: two bodies in free fall joined in their mass centres: a driven turn p turns the one by -I2 p / (I1 + I2)."""
    joint = {"kind": "pin", "id": "waist", "parent": "one", "child": "two"}
    turn = {"kind": "haversine", "amplitude": 6.0, "duration_s": 0.3}
    run = run_of(
        0.4, segments=[segment("one", 5.0, (2.0, 3.0, 2.0)), segment("two", 2.0, (1.0, 1.0, 1.0))], joints=[joint],
        drivers=[{"id": "motor", "joint": "waist", "axis": "angle", "quantity": "velocity", "pulse": turn}],
    )  # fmt: skip
    back = 2.0 * np.arctan2(place(run, "one", "quaternion_wxyz")[-1, 2], place(run, "one", "quaternion_wxyz")[-1, 0])  # fmt: skip
    assert back == pytest.approx(-0.25 * 6.0 * 0.3 * 0.5, rel=1e-6)
    assert place(run, "one")[-1, 2] == pytest.approx(0.5 * 9.81 * 0.4**2, rel=1e-8)


def test_an_ellipse_that_is_turned_within_its_segment_presses_as_its_support_says() -> None:
    """V44: on a carrier without mass whose pin a driver turns; pressed k times as deep as it reaches: r sin p + sqrt(a^2 sin^2 p + b^2 cos^2 p)."""
    a, b, r, k, gap = 0.2, 0.1, 0.05, 1e4, 0.12
    carrier = segment("carrier", 0.0, (0.0, 0.0, 0.0)) | {"surfaces": [{"id": "ellipse", "kind": "ellipsoid", "semi_axes_m": [a, 0.1, b], "centre_m": [-r, 0.0, 0.0]}]}  # fmt: skip
    run = run_of(
        0.4, segments=[segment("leg"), carrier],
        joints=[
            {"kind": "locked", "id": "held", "parent": "ground", "child": "leg"},
            {"kind": "pin", "id": "pin", "parent": "leg", "child": "carrier"},
        ],
        drivers=[{"id": "motor", "joint": "pin", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "constant", "value": 3.0}}],
        planes=[{"id": "floor", "bounded": False, "placement": {"kind": "points", "p1_m": [0, 0, gap], "p2_m": [0, 1, gap], "p3_m": [1, 0, gap]}}],
        contact_laws=[{"kind": "kelvin_voigt", "id": "pad", "stiffness_n_per_m": k}],
        contacts=[{"kind": "plane", "id": "press", "plane": "floor", "surface": {"segment": "carrier", "surface": "ellipse"}, "law": "pad"}],
        **REST,
    )  # fmt: skip
    table = run.table("contacts")
    turned = 3.0 * run.time
    # about y from z to x: what lies at -x goes down
    reach = r * np.sin(turned) + np.hypot(a * np.sin(turned), b * np.cos(turned))
    assert reach.max() > gap > reach.min()
    pressed = np.linalg.norm(table["force"][:, 0], axis=1)
    assert pressed == pytest.approx(k * np.maximum(reach - gap, 0.0), abs=1e-3)


def test_a_line_on_a_segment_that_floats_takes_what_it_gives() -> None:
    """V45: a ball meets a plate that floats: half a swing of the reduced mass on the pad, then both leave as without loss."""
    m, M, k, v = 2.0, 3.0, 2e4, 1.5
    ball = segment("ball", m, (0.1, 0.1, 0.1)) | {"surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [0.1] * 3}]}  # fmt: skip
    run = run_of(
        0.1, segments=[ball, segment("plate", M, (0.1, 0.1, 0.1))],
        planes=[{"id": "line", "segment": "plate", "placement": {"kind": "points", "p1_m": [-1, -1, 0], "p2_m": [-1, 1, 0], "p3_m": [1, -1, 0]}}],
        contact_laws=[{"kind": "kelvin_voigt", "id": "pad", "stiffness_n_per_m": k}],
        contacts=[{"kind": "plane", "id": "press", "plane": "line", "surface": {"segment": "ball", "surface": "skin"}, "law": "pad"}],
        initial={"roots": [{"segment": "ball", "position_m": [0, 0, -0.11], "velocity_m_per_s": [0, 0, v]}, {"segment": "plate"}]}, **REST,
    )  # fmt: skip
    reduced = m * M / (m + M)
    deep = run.table("contacts")["penetration"][:, 0]
    since = run.time - 0.01 / v
    swing = math.sqrt(k / reduced)
    wanted = v / swing * np.sin(swing * np.clip(since, 0.0, math.pi / swing))
    assert deep == pytest.approx(wanted, abs=1e-6)
    assert place(run, "ball", "velocity")[-1, 2] == pytest.approx(v * (m - M) / (m + M), rel=1e-6)
    assert place(run, "plate", "velocity")[-1, 2] == pytest.approx(2.0 * v * m / (m + M), rel=1e-6)


def bushed(name: str, parent: str, stiff: list[float], damped: list[float]) -> Any:
    return {"kind": "bushing", "id": "bush", "a": {"segment": parent}, "b": {"segment": name}, "stiffness_n_per_m": stiff, "damping_ns_per_m": damped}  # fmt: skip


def test_a_knee_that_gives_yields_along_the_leg_and_bends_freely() -> None:
    """V50: a bushing in place of the pin: a step of load along makes F / k (1 - e^-zwt (cos + ...)), and a couple about its axis t^2 M / 2 I."""
    m, inertia, k, c, F, M = 4.0, 0.3, 4e4, 160.0, 500.0, 2.0
    push = {
        "id": "push",
        "segment": "shank",
        "direction": [0, 0, 1],
        "axes": "ground",
        "history": "force",
    }
    twist = {"id": "twist", "segment": "shank", "kind": "torque", "direction": [0, 1, 0], "history": "couple"}  # fmt: skip
    bend = bushed("shank", "thigh", [k] * 3, [c] * 3) | {
        "stiffness_nm_per_rad": [500.0, 0.0, 500.0]
    }
    run = run_of(
        0.1, segments=[segment("thigh"), segment("shank", m, (inertia,) * 3)], springs=[bend], loads=[push, twist],
        joints=[{"kind": "locked", "id": "held", "parent": "ground", "child": "thigh"}],
        functions=[
            {"id": "force", "x_unit": "s", "y_unit": "N", "form": {"kind": "constant", "value": F}},
            {"id": "couple", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "constant", "value": M}},
        ], initial={"roots": [{"segment": "shank"}]}, **REST,
    )  # fmt: skip
    t = run.time
    w, zeta = math.sqrt(k / m), c / (2.0 * math.sqrt(k * m))
    d = w * math.sqrt(1.0 - zeta**2)
    rise = F / k * (1.0 - np.exp(-zeta * w * t) * (np.cos(d * t) + zeta * w / d * np.sin(d * t)))
    assert place(run, "shank")[:, 2] == pytest.approx(rise, abs=1e-7)
    bent = 2.0 * np.arcsin(place(run, "shank", "quaternion_wxyz")[:, 2])
    assert bent == pytest.approx(0.5 * M / inertia * t**2, abs=1e-7)


def test_flesh_loosely_on_a_bone_lags_as_an_oscillator() -> None:
    """V52: the bone sets off at an acceleration a; the flesh on its bushing stays behind by a / w^2 (1 - cos w t)."""
    m, k, a = 3.0, 3000.0, 20.0
    pulse = {"kind": "constant", "value": a}
    run = run_of(
        0.2, segments=[segment("bone"), segment("flesh", m, (0.1, 0.1, 0.1))], springs=[bushed("flesh", "bone", [k] * 3, [0.0] * 3)],
        motions=[{"id": "sets_off", "segment": "bone", "components": [{"component": "x", "pulse": pulse}]}],
        initial={"roots": [{"segment": "flesh"}]}, **REST,
    )  # fmt: skip
    behind = place(run, "bone")[:, 0] - place(run, "flesh")[:, 0]
    w = math.sqrt(k / m)
    assert behind == pytest.approx(a / w**2 * (1.0 - np.cos(w * run.time)), abs=1e-7)


def test_an_ankle_turns_freely_up_to_its_stop_and_is_held_beyond() -> None:
    """V51: the foot of a body, bent by less and by more than the stop of its ankle: nothing, then c (t - stop)^2."""
    body = library_body("male-50")
    ankle = next(one for one in body.joints if one.id == "right_ankle")
    # what it gives back is another matter
    whole = ankle.flexure.model_copy(update={"returned_ratio": 1.0})
    ankle = ankle.model_copy(update={"flexure": whole})
    stop, grows = ankle.flexure.stop_rad, ankle.flexure.quadratic_nm_per_rad2
    segments = [one.model_copy(update={"mirror": None, "surfaces": ()}) for one in body.segments if one.id in (ankle.parent, ankle.child)]  # fmt: skip
    for bent, torque in ((0.9 * stop, 0.0), (stop + 0.1, grows * 0.01)):
        data = base(
            0.02, joints=[{"kind": "locked", "id": "held", "parent": "ground", "child": ankle.parent}],
            initial={"joints": [{"joint": "right_ankle", "values": [0.0, bent, 0.0]}]}, **REST,
        )  # fmt: skip
        made = validated(data)
        made = made.model_copy(
            update={"segments": tuple(segments), "joints": (*made.joints, ankle)}
        )
        joints = simulate(made).table("joints")
        held = joints["torque"][0, joints.ids.index("right_ankle")]
        assert np.linalg.norm(held) == pytest.approx(torque, rel=1e-6, abs=1e-9)


def test_a_one_way_damper_about_an_axis_stops_a_turn_and_lets_it_go_back() -> None:
    """U10: a wheel of w beyond the limit stops after (sqrt(C0^2 + 2 C1 I w) - C0) / C1, and turns back freely."""
    inertia, w, c, grows = 0.02, 5.0, 0.1, 2.0
    law = {"kind": "one_way_damper", "damping": c, "growth": grows, "lower": 0.0, "upper": 0.0, "acts": "growing"}  # fmt: skip
    turns = []
    for sign in (1.0, -1.0):
        run = run_of(
            1.5, segments=[segment("wheel", 1.0, (inertia,) * 3)], joints=[{"kind": "pin", "id": "pin", "parent": "ground", "child": "wheel"}],
            coordinate_forces=[{"id": "damps", "coordinate": {"kind": "joint", "joint": "pin", "axis": "angle"}, "laws": [law]}],
            initial={"joints": [{"joint": "pin", "values": [0.0], "rates": [sign * w]}]}, **REST,
        )  # fmt: skip
        joints = run.table("joints")
        turns.append(joints["angle"][-1, joints.ids.index("pin"), 0])
    stopped = (math.sqrt(c * c + 2.0 * grows * inertia * w) - c) / grows
    assert turns == pytest.approx([stopped, -1.5 * w], rel=1e-5)


def test_a_damper_that_differs_both_ways_slows_each_way_by_its_own() -> None:
    """N49: a tabulated damper: v falls as e^(-c t / m), with another c for each way."""
    m, pulls, pushes = 2.0, 30.0, 10.0
    rates = {"id": "damps", "x_unit": "m/s", "y_unit": "N", "form": {"kind": "table", "x": [-2.0, 0.0, 2.0], "y": [-2.0 * pushes, 0.0, 2.0 * pulls]}}  # fmt: skip
    for speed, c in ((1.0, pulls), (-1.0, pushes)):
        damper = {"kind": "tabulated", "id": "strut", "a": {"segment": "ground"}, "b": {"segment": "body"}, "damping": "damps"}  # fmt: skip
        run = run_of(
            0.1, segments=[segment("body", m)], springs=[damper], functions=[rates],
            initial={"roots": [{"segment": "body", "position_m": [1.0, 0.0, 0.0], "velocity_m_per_s": [speed, 0.0, 0.0]}]}, **REST,
        )  # fmt: skip
        v = place(run, "body", "velocity")[:, 0]
        assert v == pytest.approx(speed * np.exp(-c * run.time / m), rel=1e-6)


def test_a_robot_that_falls_meets_the_floor_when_and_as_fast_as_printed() -> None:
    """N36: its foot 1.30 m over the floor, its arm on a ball joint: after 0.515 s at 5.05 m/s (Bahr and Li)."""
    foot = segment("trunk", 20.0, (1.0, 1.0, 0.5)) | {"surfaces": [{"id": "foot", "kind": "ellipsoid", "semi_axes_m": [0.1] * 3}]}  # fmt: skip
    run = run_of(
        0.56, segments=[foot, segment("arm")], joints=[pin("shoulder", "trunk", "arm", [0.1, 0.0, -0.3], [0.0, 0.0, -0.5])],
        planes=[{"id": "floor", "bounded": False, "placement": {"kind": "points", "p1_m": [0, 0, 1.4], "p2_m": [0, 1, 1.4], "p3_m": [1, 0, 1.4]}}],
        contact_laws=[{"kind": "kelvin_voigt", "id": "pad", "stiffness_n_per_m": 1e5}],
        contacts=[{"kind": "plane", "id": "lands", "plane": "floor", "surface": {"segment": "trunk", "surface": "foot"}, "law": "pad"}],
    )  # fmt: skip
    down = run.table("contacts")["penetration"][:, 0] > 0.0
    first = int(np.argmax(down))
    assert run.time[first - 1] < 0.515 < run.time[first] + 0.01
    assert place(run, "trunk", "velocity")[first - 1, 2] == pytest.approx(9.81 * run.time[first - 1], rel=1e-7)  # fmt: skip
    assert place(run, "trunk", "velocity")[:, 2].max() == pytest.approx(5.05, rel=0.01)
