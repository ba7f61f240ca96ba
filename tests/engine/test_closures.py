"""Closures by frames and points on curves, against joints, closed forms and mechanisms built otherwise."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from solver.base.places import samples
from solver.project.checks import check
from solver.project.reading import load_project
from solver.running.simulation import simulate
from tests.models import base, point, project, segment


def frame(name: str, *place: float, turned: Any = (0.0, 0.0, 0.0)) -> Any:
    """Give a frame of a segment, turned by yaw, pitch and roll."""
    at = [*place, 0.0, 0.0, 0.0][:3]
    return {"segment": name, "frame": {"position_m": at, "orientation": {"angles_rad": list(turned)}}}  # fmt: skip


def solved(data: Any, off: float = 1e-9) -> Any:
    run = simulate(project(data))
    assert run.status == "completed"
    assert np.abs(run.table("energy")["balance"]).max() < off
    return run


SLANTED = (0.4, -0.3, 0.7)
AT = (0.1, -0.2, 0.3)

JOINTS: dict[str, tuple[dict[str, Any], dict[str, Any], int]] = {
    "revolute": ({"kind": "pin"}, {"axis": "y"}, 5),
    "cylindrical": ({"kind": "slip", "rotation": "pin_z"}, {"axis": "z"}, 4),
    "prismatic": ({"kind": "slip", "rotation": "none"}, {"axis": "z"}, 5),
    "universal_closure": ({"kind": "universal"}, {}, 4),
}


@pytest.mark.parametrize("kind", JOINTS)
def test_a_closure_is_the_joint_of_its_name(kind: str) -> None:
    """A body on a joint, and the same body free and closed by a single entry: same motion, force and torque."""
    joint, more, rows = JOINTS[kind]
    inertia = (0.3, 0.2, 0.1)
    places = {
        "parent_frame": frame("ground", *AT, turned=SLANTED)["frame"],
        "child_frame": frame("rod", 0.1, 0.05, -0.4)["frame"],
    }
    tree_data = base(
        0.5,
        segments=[segment("rod", 2.0, inertia)],
        joints=[{"id": "it", "parent": "ground", "child": "rod", **joint, **places}],
        initial={"joints": [{"joint": "it", "values": [0.3, 0.2][: 1 + (kind in ("cylindrical", "universal_closure"))]}]},
    )  # fmt: skip
    tree = solved(tree_data)
    at = tree.segment("rod")
    turned = Rotation.from_quat(at.quaternion_wxyz[0], scalar_first=True).as_euler("ZYX")
    closed_data = base(
        0.5,
        segments=tree_data["segments"],
        constraints=[{"id": "it", "kind": kind, **more, "a": frame("ground", *AT, turned=SLANTED),
                      "b": frame("rod", 0.1, 0.05, -0.4)}],
        initial={"roots": [{"segment": "rod", "position_m": at.position[0].tolist()}],
                 "attitudes": [{"segment": "rod", "orientation": {"angles_rad": turned.tolist()}}]},
    )  # fmt: skip
    closed = solved(closed_data)
    found = project(closed_data).constraints[0]
    assert len(found.row_names) == rows
    assert np.allclose(closed.segment("rod").position, at.position, atol=1e-9)
    assert np.allclose(closed.segment("rod").angular_velocity, at.angular_velocity, atol=1e-8)
    force = closed.table("constraints")["force"][:, 0]
    assert np.allclose(-force, tree.table("joints")["force"][:, 0], atol=1e-6)
    torque = closed.table("closures")["torque"][:, 0]
    assert np.allclose(-torque, tree.table("joints")["torque"][:, 0], atol=1e-6)


def four_bar(closure: Any) -> Any:
    """A crank of 0.1 m, a coupler of 0.3 m and a rocker of 0.25 m on a base of 0.28 m, cut at the rocker's pin."""
    a, b, c, d = 0.1, 0.3, 0.25, 0.28
    crank = 0.6
    tip = np.array([a * math.cos(crank), a * math.sin(crank)])
    way = np.array([d, 0.0]) - tip
    far = float(np.hypot(*way))
    bent = math.acos((b * b + far * far - c * c) / (2 * b * far))
    coupler = math.atan2(way[1], way[0]) + bent
    knee = tip + b * np.array([math.cos(coupler), math.sin(coupler)])
    rocker = math.atan2(knee[1], knee[0] - d)
    # pins about y: a positive turn takes z to x, so bars lie along z at zero
    return base(
        1.0,
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        segments=[segment(n, 1.0, (0.01, 0.01, 0.01)) for n in ("crank", "coupler", "rocker")],
        joints=[
            {"id": "A", "kind": "pin", "parent": "ground", "child": "crank", "child_frame": {"position_m": [0, 0, -a / 2]}},
            {"id": "B", "kind": "pin", "parent": "crank", "child": "coupler", "parent_frame": {"position_m": [0, 0, a / 2]},
             "child_frame": {"position_m": [0, 0, -b / 2]}},
            {"id": "D", "kind": "pin", "parent": "ground", "child": "rocker", "parent_frame": {"position_m": [0, 0, d]},
             "child_frame": {"position_m": [0, 0, -c / 2]}},
        ],
        constraints=[{"id": "C", "a": frame("coupler", 0, 0, b / 2), "b": frame("rocker", 0, 0, c / 2)} | closure],
        drivers=[{"id": "turn", "joint": "A", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "constant", "value": 6.0},
                  "start_value": crank}],
        initial={"joints": [{"joint": "B", "values": [coupler - crank]}, {"joint": "D", "values": [rocker]}]},
    )  # fmt: skip


@pytest.mark.parametrize("closure", [{"kind": "revolute"}, {"kind": "universal_closure"}, {"kind": "cylindrical", "axis": "y"}])  # fmt: skip
def test_a_four_bar_closed_in_one_entry_keeps_freudensteins_equation(closure: Any) -> None:
    """K1 cos(rocker) - K2 cos(crank) + K3 = cos(crank - rocker); rows that say nothing more are left out."""
    a, b, c, d = 0.1, 0.3, 0.25, 0.28
    run = solved(four_bar(closure))
    crank = run.table("joints")["angle"][:, 0, 0]
    rocker = run.table("joints")["angle"][:, 2, 0]
    assert crank[-1] - crank[0] == pytest.approx(6.0, abs=1e-9)
    k1, k2, k3 = d / a, d / c, (a * a - b * b + c * c + d * d) / (2 * a * c)
    off = k1 * np.cos(rocker) - k2 * np.cos(crank) + k3 - np.cos(crank - rocker)
    assert np.abs(off).max() < 1e-9


def test_a_scotch_yoke_is_a_point_on_a_line() -> None:
    """x = r cos(angle), and the pin's force is what moves the yoke: m x''."""
    r, m, speed = 0.1, 2.0, 7.0
    data = base(
        1.0,
        segments=[segment("crank", 1.0, (0.02,) * 3), segment("yoke", m)],
        joints=[
            {"id": "A", "kind": "pin", "parent": "ground", "child": "crank"},
            {"id": "B", "kind": "slip", "rotation": "none", "parent": "ground", "child": "yoke"},
        ],
        constraints=[{"id": "slot", "kind": "point_on_plane", "a": frame("yoke"), "b": point("crank", 0, 0, r)},
                     {"id": "line", "kind": "point_on_line", "axis": "x", "a": frame("yoke"), "b": point("crank", 0, 0, r)}],
        drivers=[{"id": "turn", "joint": "A", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "constant", "value": speed}}],
        initial={"joints": [{"joint": "B", "values": [r]}]},
    )  # fmt: skip
    run = solved(data)
    x = run.segment("yoke").position[:, 2]
    assert np.allclose(x, r * np.cos(speed * run.time), atol=1e-10)
    # on the yoke, the first segment; both entries hold the same, and one of them alone bears it
    force = run.table("constraints")["force"][:, :, 2].sum(axis=1)
    assert np.allclose(force, m * (-r * speed**2 * np.cos(speed * run.time) - 9.81), atol=1e-6)


def test_a_point_on_a_plane_and_parallel_axes_leave_the_rest_free() -> None:
    """A body on an inclined plane by one point slides with g sin; a table kept upright over a moving base does not tilt."""
    tilt = 0.3
    data = base(
        0.6,
        segments=[segment("box", 2.0, (0.1, 0.1, 0.1)), segment("top", 1.0, (0.02, 0.03, 0.04))],
        constraints=[
            {"id": "plane", "kind": "point_on_plane", "a": frame("ground", turned=(0.0, tilt, 0.0)), "b": point("box")},
            {"id": "level", "kind": "parallel_axes", "a": frame("ground"), "b": frame("top")},
        ],
        initial={"roots": [{"segment": "top", "position_m": [0, 1, 0]}],
                 "attitudes": [{"segment": "top", "orientation": {"angles_rad": [0.5, 0, 0]}, "angular_velocity_rad_per_s": [0, 0, 2.0]}]},
    )  # fmt: skip
    run = solved(data)
    p = run.segment("box").position
    down = np.array([-math.sin(tilt) * math.cos(tilt), 0.0, math.sin(tilt) ** 2])
    assert np.allclose(p, 0.5 * 9.81 * run.time[:, None] ** 2 * down, atol=1e-9)
    force = run.table("constraints")["force"][:, 0]
    assert np.allclose(np.linalg.norm(force, axis=1), 2.0 * 9.81 * math.cos(tilt), atol=1e-8)
    assert np.allclose(run.table("closures")["angle"][:, 1], 0.5 + 2.0 * run.time, atol=1e-8)


def test_a_peaucellier_linkage_draws_a_straight_line() -> None:
    """An inversor whose inner pole goes on a circle through its centre: the outer one keeps x to 1e-9."""
    arm, side, r = 0.5, 0.35, 0.2
    swing = 0.35
    # O at 0, the crank's pivot at r along x, its end P on the circle through O
    P = np.array([r + r * math.cos(swing), r * math.sin(swing)])
    far, along = float(np.hypot(*P)), math.atan2(P[1], P[0])
    # both knees on the circle of the arms about O and of the sides about P
    bent = math.acos((arm**2 + far**2 - side**2) / (2 * arm * far))
    knees = [arm * np.array([math.cos(along + s * bent), math.sin(along + s * bent)]) for s in (1, -1)]  # fmt: skip
    Q = knees[0] + knees[1] - P
    bars: dict[str, Any] = {
        "crank": ([r, 0.0], P), "upper": ([0, 0], knees[0]), "lower": ([0, 0], knees[1]), "pu": (P, knees[0]),
        "pl": (P, knees[1]), "uq": (knees[0], Q), "lq": (knees[1], Q),
    }  # fmt: skip
    roots, turns, half, segments = [], [], {}, []
    for name, ends in bars.items():
        start, end = np.array(ends)
        middle, way = 0.5 * (start + end), end - start
        segments.append(segment(name, 0.5, (0.002, 0.002, 0.002)))
        half[name] = 0.5 * float(np.hypot(*way))
        roots.append({"segment": name, "position_m": [middle[0], 0.0, middle[1]]})
        turns.append(
            {
                "segment": name,
                "orientation": {"angles_rad": [0.0, -math.atan2(way[1], way[0]), 0.0]},
            }
        )

    def tip(name: str, side: int) -> Any:
        return frame(name, side * half[name])

    ties = [
        (frame("ground", r), tip("crank", -1)), (frame("ground"), tip("upper", -1)), (frame("ground"), tip("lower", -1)),
        (tip("crank", 1), tip("pu", -1)), (tip("crank", 1), tip("pl", -1)), (tip("upper", 1), tip("pu", 1)),
        (tip("lower", 1), tip("pl", 1)), (tip("upper", 1), tip("uq", -1)), (tip("lower", 1), tip("lq", -1)),
        (tip("uq", 1), tip("lq", 1)),
    ]  # fmt: skip
    data = base(
        0.3,
        segments=segments,
        constraints=[{"id": f"pin{n}", "kind": "revolute", "a": a, "b": b} for n, (a, b) in enumerate(ties)],
        initial={"roots": roots, "attitudes": turns},
    )  # fmt: skip
    run = solved(data)
    m = run.segment("uq")
    turned = Rotation.from_quat(m.quaternion_wxyz, scalar_first=True)
    drawn = m.position + turned.apply([half["uq"], 0.0, 0.0])
    assert np.ptp(drawn[:, 0]) < 1e-9
    assert np.ptp(drawn[:, 2]) > 0.05
    assert drawn[0, 0] == pytest.approx((arm**2 - side**2) / (2 * r), abs=1e-9)


def round_cam(count: int, r: float, off: float) -> Any:
    turned = 2.0 * np.pi * np.arange(count) / count
    return {"x_m": (off + r * np.cos(turned)).tolist(), "y_m": (r * np.sin(turned)).tolist()}


@pytest.mark.parametrize("roller", [0.0, 0.02])
def test_an_eccentric_cam_lifts_its_follower_as_its_closed_form_says(roller: float) -> None:
    """Lift e cos(a) + sqrt((R + roller)^2 - e^2 sin(a)^2), and the normal load that moves the follower, over two turns."""
    R, e, m, speed = 0.05, 0.02, 1.5, 4.0 * math.pi
    k = 400.0
    # the cam turns about y; its frame has x along the segment's z and y along its x, so that it turns from x to y
    axes = Rotation.from_matrix([[0, 1, 0], [0, 0, 1], [1, 0, 0]]).as_euler("XYZ").tolist()
    cam = {"segment": "cam", "frame": {"orientation": {"angles_rad": axes, "order": "xyz"}}}
    top = e + R + roller
    data = base(
        1.0,
        segments=[segment("cam", 1.0, (0.01,) * 3), segment("follower", m)],
        joints=[
            {"id": "A", "kind": "pin", "parent": "ground", "child": "cam"},
            {"id": "B", "kind": "slip", "rotation": "none", "parent": "ground", "child": "follower"},
        ],
        springs=[{"id": "spring", "kind": "linear", "a": point("ground", 0, 0, 1), "b": point("follower"), "stiffness_n_per_m": k,
                  "rest_length_m": 2.0}],
        constraints=[{"id": "on", "kind": "point_on_curve", "a": cam, "b": point("follower"),
                      "radius_m": roller, "across": "free", **round_cam(360, R, e)}],
        drivers=[{"id": "turn", "joint": "A", "axis": "angle", "quantity": "velocity", "pulse": {"kind": "constant", "value": speed}}],
        initial={"joints": [{"joint": "B", "values": [top]}]},
    )  # fmt: skip
    # of 30 J that the drive turns over; third derivatives of a spline jump at its points
    run = solved(data, 3e-7)
    a = speed * run.time
    root = np.sqrt((R + roller) ** 2 - (e * np.sin(a)) ** 2)
    lift = e * np.cos(a) + root
    assert np.allclose(run.segment("follower").position[:, 2], lift, atol=1e-9)
    # x'' by differentiating the closed form
    inner = e**2 * np.sin(a) * np.cos(a)
    growth = -e * np.cos(a) - (e**2 * np.cos(2 * a)) / root - inner**2 / root**3
    push = m * growth * speed**2 - m * 9.81 + k * (1.0 + lift)
    slope = -e * np.sin(a) - inner / root
    # the normal leans from the way of the follower by the pressure angle: tan = slope / lift
    load = push / np.cos(np.arctan2(slope, lift))
    row = run.table("curve_points")
    assert np.allclose(row["normal"][:, 0], load, rtol=1e-5, atol=1e-5)
    # two turns of the curve, followed without a jump
    whole = 2.0 * 360 * 2 * R * math.sin(math.pi / 360)
    assert abs(row["along"][-1, 0] - row["along"][0, 0]) == pytest.approx(whole, rel=1e-6)
    assert np.abs(np.diff(row["along"][:, 0])).max() < 0.02


def test_a_slot_with_open_ends_goes_straight_on_and_says_so() -> None:
    """A bead in a slot of half a circle: within it a pendulum's energy, beyond its end a straight line, and a line of the log."""
    turned = np.linspace(0.0, np.pi, 181)
    curve = {"x_m": np.cos(turned).tolist(), "y_m": np.sin(turned).tolist(), "closed": False}
    # the frame's x ahead, its y down
    data = base(
        1.2,
        segments=[segment("bead", 1.0)],
        constraints=[{"id": "slot", "kind": "point_on_curve", "a": frame("ground", turned=(0.0, 0.0, math.pi / 2)),
                      "b": point("bead"), **curve}],
        initial={"roots": [{"segment": "bead", "position_m": [math.cos(0.2), 0.0, math.sin(0.2)], "velocity_m_per_s": [-4 * math.sin(0.2), 0, 4 * math.cos(0.2)]}]},
    )  # fmt: skip
    # where the curve begins to be straight its curvature jumps
    run = solved(data, 2e-7)
    p, v = run.segment("bead").position, run.segment("bead").velocity
    energy = 0.5 * np.einsum("ti,ti->t", v, v) - 9.81 * p[:, 2]
    assert np.ptp(energy) < 1e-6
    beyond = run.table("curve_points")["beyond"][:, 0]
    assert beyond.max() > 0.2
    out = beyond > 0.0
    assert np.allclose(np.hypot(p[~out, 0], p[~out, 2]), 1.0, atol=1e-8)
    assert np.allclose(np.abs(p[out, 0]), 1.0, atol=1e-6)
    assert any("slot" in str(line) and "end" in str(line) for line in run.log)


def test_what_starts_off_its_line_or_curve_is_told() -> None:
    data = base(
        segments=[segment("box")],
        constraints=[{"id": "line", "kind": "point_on_line", "a": frame("ground"), "b": point("box")}],
        initial={"roots": [{"segment": "box", "position_m": [0.003, 0.0, 0.5]}]},
    )  # fmt: skip
    (found,) = [p for p in check(project(data)) if p.severity == "error"]
    assert (found.code, "3 mm" in found.sentence) == ("closure-apart", True)


def test_the_sample_cam_lifts_as_its_cycloid() -> None:
    run = simulate(load_project(samples() / "cam_and_follower.json"))
    turned = run.table("couplings")["second_angle"][:, 0]
    assert np.allclose(run.table("couplings")["first_angle"][:, 0], -2.0 * turned, atol=1e-9)
    away = np.abs((0.5 * np.pi - turned + np.pi) % (2.0 * np.pi) - np.pi) / math.radians(75.0)
    u = np.minimum(away, 1.0)
    lift = 0.042 + 0.012 * (1.0 - u + np.sin(2.0 * np.pi * u) / (2.0 * np.pi))
    assert np.allclose(-run.segment("follower").position[:, 2] - 0.05, lift, atol=1e-7)
    assert run.table("curve_points")["normal"].min() > 20.0
