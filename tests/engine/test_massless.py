"""Segments without mass: those that constraints hold move as they must, others are refused."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.project.checks import check
from solver.running.simulation import simulate
from tests.engine.test_rolling import on_slope
from tests.models import base, hung, point, project, segment

CRANK, ROD, SLIDER = 0.5, 1.2, 2.0
"""Lengths (m) of crank and rod, and mass (kg) of the slider."""
NOTHING = (0.0, 0.0, 0.0)


def crank_and_slider(tied: bool) -> Any:
    """Join a crank and a slider by a rod without mass: carried by the crank, or tied to both."""
    turn = 0.7
    tip = CRANK * np.array([math.sin(turn), 0.0, math.cos(turn)])
    end = np.array([tip[0] + math.sqrt(ROD**2 - tip[2] ** 2), 0.0, 0.0])
    lean = math.atan2(end[0] - tip[0], -tip[2])
    along = {"orientation": {"angles_rad": [0.0, math.pi / 2, 0.0]}}
    joints: list[Any] = [
        {"id": "pin", "kind": "pin", "parent": "ground", "child": "crank",
         "child_frame": {"position_m": [0.0, 0.0, -CRANK / 2]}},
        {"id": "rail", "kind": "slip", "parent": "ground", "child": "slider", "parent_frame": along,
         "child_frame": along},
    ]  # fmt: skip
    settings: list[Any] = [
        {"joint": "pin", "values": [turn]},
        {"joint": "rail", "values": [end[0]]},
    ]
    start: dict[str, Any] = {"joints": settings}
    ties = [{"id": "end", "kind": "zero_distance", "a": point("rod", 0.0, 0.0, ROD / 2),
             "b": point("slider")}]  # fmt: skip
    if tied:
        start["roots"] = [{"segment": "rod", "position_m": (0.5 * (tip + end)).tolist()}]
        start["attitudes"] = [{"segment": "rod", "orientation": {"angles_rad": [0.0, lean, 0.0]}}]
        ties.append({"id": "begin", "kind": "zero_distance", "a": point("rod", 0.0, 0.0, -ROD / 2),
                     "b": point("crank", 0.0, 0.0, CRANK / 2)})  # fmt: skip
    else:
        joints.append({"id": "knee", "kind": "pin", "parent": "crank", "child": "rod",
                       "parent_frame": {"position_m": [0.0, 0.0, CRANK / 2]},
                       "child_frame": {"position_m": [0.0, 0.0, -ROD / 2]}})  # fmt: skip
        settings.append({"joint": "knee", "values": [lean - turn]})
    segments = [segment("crank", 1.0, (CRANK**2 / 12,) * 3), segment("rod", 0.0, NOTHING),
                segment("slider", SLIDER, (0.1,) * 3)]  # fmt: skip
    return base(segments=segments, joints=joints, constraints=ties, initial=start)


def crank_alone(times: Any) -> Any:
    """Give the crank's angle by Lagrange's equation of the one freedom that there is."""

    def way(b: float) -> tuple[float, float]:
        s, c = math.sin(b), math.cos(b)
        r = math.sqrt(ROD**2 - (CRANK * c) ** 2)
        first = CRANK * c + CRANK**2 * c * s / r
        second = -CRANK * s + CRANK**2 * (c * c - s * s) / r - (CRANK**2 * c * s) ** 2 / r**3
        return first, second

    def rates(_: float, y: Any) -> list[float]:
        first, second = way(y[0])
        push = -9.81 * CRANK / 2 * math.sin(y[0]) - SLIDER * first * second * y[1] ** 2
        return [y[1], push / (CRANK**2 / 3 + SLIDER * first**2)]

    made = solve_ivp(rates, (0.0, times[-1]), [0.7, 0.0], "DOP853", times, rtol=1e-12, atol=1e-13)
    return made.y[0]


@pytest.mark.parametrize("tied", [False, True])
def test_a_rod_without_mass_carries_a_slider_along(tied: bool) -> None:
    scene = project(crank_and_slider(tied))
    found = check(scene)
    assert not [one for one in found if one.severity == "error"]
    assert [one.path for one in found if one.code == "massless-held"] == ["segments/rod"]
    run = simulate(scene)
    assert run.status == "completed"
    q = run.segment("crank").quaternion_wxyz
    assert 2.0 * np.arctan2(q[:, 2], q[:, 0]) == pytest.approx(crank_alone(run.time), abs=1e-7)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8


def test_what_is_locked_without_mass_is_held_by_constraints_as_what_it_is_locked_to() -> None:
    """A slider on a massless segment that is locked to the rod moves as one on the rod itself."""
    given = crank_and_slider(tied=False)
    given["runs"][0]["duration_s"] = 0.2
    given["segments"][1] = segment("rod", 0.5, (0.05, 0.05, 0.05))
    plain = simulate(project(given))
    given["segments"].append(segment("end", 0.0, NOTHING))
    given["joints"].append({"id": "tip", "kind": "locked", "parent": "rod", "child": "end",
                            "parent_frame": {"position_m": [0.0, 0.0, ROD / 2]}})  # fmt: skip
    given["constraints"][0]["a"] = point("end")
    locked = simulate(project(given))
    assert locked.status == "completed"
    assert locked.segment("slider").position == pytest.approx(plain.segment("slider").position, abs=1e-9)  # fmt: skip


BARS = (0.3, 0.9, 0.7)
"""Lengths (m) of crank, coupler and rocker."""
PIVOT = np.array([0.8, 0.0])


def at_angle(angle: float) -> Any:
    return np.array([math.sin(angle), math.cos(angle)])


def four_bar(crank: float, rocker: float, tied: bool) -> Any:
    """Join a crank and a rocker by a coupler without mass: carried by the crank, or tied to both."""
    a, c, b = BARS
    tip = a * at_angle(math.pi - 0.9)
    across, far = PIVOT - tip, float(np.linalg.norm(PIVOT - tip))
    along = (c * c - b * b + far * far) / (2.0 * far)
    up = np.array([across[1], -across[0]]) / far
    end = tip + along * across / far + math.sqrt(c * c - along**2) * up
    first, lean, last = (math.atan2(*way) for way in (tip, end - tip, end - PIVOT))
    joints: list[Any] = [
        {"id": "left", "kind": "pin", "parent": "ground", "child": "crank", "child_frame": {"position_m": [0.0, 0.0, -a / 2]}},
        {"id": "right", "kind": "pin", "parent": "ground", "child": "rocker",
         "parent_frame": {"position_m": [PIVOT[0], 0.0, 0.0]}, "child_frame": {"position_m": [0.0, 0.0, -b / 2]}},
    ]  # fmt: skip
    start: dict[str, Any] = {
        "joints": [{"joint": "left", "values": [first]}, {"joint": "right", "values": [last]}]
    }
    ties = [
        {
            "id": "end",
            "kind": "zero_distance",
            "a": point("coupler", 0.0, 0.0, c / 2),
            "b": point("rocker", 0.0, 0.0, b / 2),
        }
    ]
    if tied:
        middle = 0.5 * (tip + end)
        start["roots"] = [{"segment": "coupler", "position_m": [middle[0], 0.0, middle[1]]}]
        start["attitudes"] = [
            {"segment": "coupler", "orientation": {"angles_rad": [0.0, lean, 0.0]}}
        ]
        ties.append({"id": "begin", "kind": "zero_distance", "a": point("coupler", 0.0, 0.0, -c / 2),
                     "b": point("crank", 0.0, 0.0, a / 2)})  # fmt: skip
    else:
        joints.append({"id": "knee", "kind": "pin", "parent": "crank", "child": "coupler",
                       "parent_frame": {"position_m": [0.0, 0.0, a / 2]}, "child_frame": {"position_m": [0.0, 0.0, -c / 2]}})  # fmt: skip
        start["joints"].append({"joint": "knee", "values": [lean - first]})
    segments = [segment("crank", crank, (crank * a * a / 12,) * 3), segment("coupler", 0.0, NOTHING),
                segment("rocker", rocker, (rocker * b * b / 12,) * 3)]  # fmt: skip
    return base(0.5, segments=segments, joints=joints, constraints=ties, initial=start)


def rocker_alone(crank: float, rocker: float, start: Any, times: Any) -> Any:
    """Give the rocker's angle by Lagrange's equation of the one freedom that there is."""
    a, _, b = BARS

    def rates(_: float, y: Any) -> list[float]:
        last, w, first = y
        tip, end = a * at_angle(first), PIVOT + b * at_angle(last)
        d, across = end - tip, np.array([[0.0, 1.0], [-1.0, 0.0]])
        # turning by 1 rad moves both along these, and the coupler keeps its length: p ratio = r
        u, e = across @ tip, across @ (end - PIVOT)
        p, r = d @ u, d @ e
        ratio = r / p
        slide = e - ratio * u
        bent = (slide @ e - d @ (end - PIVOT)) - ratio * (slide @ u - ratio * (d @ tip))
        change = bent / p
        one, other = rocker * b * b / 3, crank * a * a / 3
        push = -9.81 * (rocker * b / 2 * math.sin(last) + crank * a / 2 * math.sin(first) * ratio)
        return [w, (push - other * ratio * change * w * w) / (one + other * ratio**2), ratio * w]

    y = [start[1], 0.0, start[0]]
    made = solve_ivp(rates, (0.0, times[-1]), y, "DOP853", times, rtol=1e-11, atol=1e-12)
    return made.y[0]


@pytest.mark.parametrize("tied", [False, True])
@pytest.mark.parametrize(("crank", "rocker"), [(1.0, 10.0), (0.01, 1.0)])
def test_a_coupler_without_mass_joins_what_is_light_and_what_is_heavy(
    crank: float, rocker: float, tied: bool
) -> None:
    data = four_bar(crank, rocker, tied)
    run = simulate(project(data))
    assert run.status == "completed", run.message
    q = run.segment("rocker").quaternion_wxyz
    start = [one["values"][0] for one in data["initial"]["joints"]]
    found = np.unwrap(2.0 * np.arctan2(q[:, 2], q[:, 0]))
    alone = rocker_alone(crank, rocker, start, run.time)
    assert found - found[0] == pytest.approx(alone - alone[0], abs=2e-6)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8


def test_a_crank_that_weighs_next_to_nothing_never_contradicts() -> None:
    """At its dead centre nothing says which way such a crank goes: that is told, and no contradiction."""
    run = simulate(project(four_bar(1e-12, 1.0, True)))
    assert "singular position" in run.message


CONSTANT = {"kind": "constant", "value": 0.3}
SIX = ("x", "y", "z", "yaw", "pitch", "roll")


@pytest.mark.parametrize("by", ["frame", "joint"])
def test_a_segment_whose_six_coordinates_are_driven_needs_no_mass(by: str) -> None:
    moves: list[Any] = [{"id": name, "quantity": "velocity", "pulse": CONSTANT} for name in SIX]
    data = base(0.2, segments=[segment("box", 0.0, NOTHING), segment("other")],
                initial={"roots": [{"segment": "other", "position_m": [2.0, 0.0, 0.0]}]})  # fmt: skip
    if by == "frame":
        more = {"moved": {"segment": "box"}, "seen_from": {"segment": "other"}}
        data["frame_drivers"] = [one | more | {"component": one["id"]} for one in moves]
    else:
        data["joints"] = [{"id": "six", "kind": "six", "parent": "other", "child": "box"}]
        data["drivers"] = [one | {"joint": "six", "axis": one["id"]} for one in moves]
    scene = project(data)
    assert not [one for one in check(scene) if one.severity == "error"]
    run = simulate(scene)
    assert run.status == "completed", run.message
    seen = run.segment("box").position[-1] - run.segment("other").position[-1]
    at = run.segment("box").position[0] - run.segment("other").position[0]
    assert seen - at == pytest.approx([0.06, 0.06, 0.06], abs=1e-6)
    # one that lets go of it leaves it without anything that says how it moves
    data["frame_drivers" if by == "frame" else "drivers"][0]["until_s"] = 0.1
    assert "mass-missing" in {one.code for one in check(project(data))}


def test_a_hoop_without_inertia_rolls_as_if_it_slid() -> None:
    slope = math.radians(20.0)
    data = on_slope(slope, 0.5)
    data["segments"][0]["inertia_kgm2"] = NOTHING
    run = simulate(project(data))
    assert run.status == "completed"
    way = np.linalg.norm(run.segment("ball").position[-1] - run.segment("ball").position[0])
    assert way == pytest.approx(0.5 * 9.81 * math.sin(slope), abs=1e-7)
    spin = np.linalg.norm(run.segment("ball").angular_velocity[-1])
    assert spin * 0.1 == pytest.approx(9.81 * math.sin(slope), abs=1e-6)


def spine(mass: float, inertia: Any) -> Any:
    """Hang two rods by a link between them, which turns as half of both together."""
    names = ["upper", "link", "lower"]
    joints = [
        {"id": f"joint{n}", "kind": "ball", "parent": ["ground", *names][n], "child": name,
         "parent_frame": {"position_m": [0.0, 0.0, [0.0, 0.5, 0.05][n]]},
         "child_frame": {"position_m": [0.0, 0.0, [-0.5, -0.05, -0.5][n]]}}
        for n, name in enumerate(names)
    ]  # fmt: skip
    half = [[0.5 * (i == j) for j in range(3)] for i in range(3)]
    bend = {"id": "spine", "segments": names, "bends": [{"linear": half}]}
    turned = [
        {"segment": "upper", "orientation": {"angles_rad": [0.0, 0.4, 0.0]}},
        {"segment": "link", "relative_to": "upper", "orientation": {"angles_rad": [0.0, 0.1, 0.1]}},
        {
            "segment": "lower",
            "relative_to": "upper",
            "orientation": {"angles_rad": [0.0, 0.2, 0.2]},
        },
    ]
    return base(0.5, segments=[segment("upper"), segment("link", mass, inertia), segment("lower")],
                joints=joints, flexible_elements=[bend], initial={"attitudes": turned})  # fmt: skip


def test_an_inner_segment_without_mass_moves_as_a_very_light_one() -> None:
    without, light = (simulate(project(spine(m, (m,) * 3))) for m in (0.0, 1e-7))
    assert without.status == light.status == "completed"
    for name in ("upper", "link", "lower"):
        a, b = without.segment(name), light.segment(name)
        assert np.allclose(a.position, b.position, atol=1e-6)
        assert np.allclose(a.quaternion_wxyz, b.quaternion_wxyz, atol=1e-6)


def breaking(inertia: float, mass: float = 0.0) -> Any:
    """Swing a weight by an arm without mass until the joint between them breaks."""
    joints = [
        {"id": "shoulder", "kind": "pin", "parent": "ground", "child": "arm",
         "child_frame": {"position_m": [0.0, 0.0, -0.5]}},
        {"id": "wrist", "kind": "pin", "parent": "arm", "child": "hand", "breakage": {"force_n": 15.0},
         "parent_frame": {"position_m": [0.0, 0.0, 0.5]},
         "child_frame": {"position_m": [0.0, 0.0, -0.1]}},
    ]  # fmt: skip
    return base(segments=[segment("arm", mass, (inertia,) * 3), segment("hand", 1.0)], joints=joints,
                initial={"joints": [{"joint": "shoulder", "values": [1.2]}]})  # fmt: skip


def test_an_arm_without_mass_swings_on_when_its_weight_breaks_off() -> None:
    """It has inertia alone: from then on it turns evenly, from where it was."""
    run = simulate(project(breaking(0.05)))
    assert run.status == "completed"
    w = run.segment("arm").angular_velocity[:, 1]
    late = run.time > next(t for t, a, b in zip(run.time, w, w[1:], strict=False) if a == b)
    assert late.sum() > 20
    assert np.ptp(w[late]) < 1e-9
    assert abs(w[-1]) > 1.0
    angle = np.unwrap(2.0 * np.arctan2(*run.segment("arm").quaternion_wxyz[:, [2, 0]].T))
    steps = np.abs(np.diff(angle))
    assert steps.max() < 1.01 * 0.01 * np.abs(w).max()
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8


def test_what_nothing_determines_once_a_joint_has_broken_is_refused() -> None:
    codes = {one.code for one in check(project(breaking(0.0))) if one.severity == "error"}
    assert codes == {"mass-missing"}
    assert not [one for one in check(project(breaking(0.05))) if one.severity == "error"]
    assert not [one for one in check(project(breaking(0.05, 0.5))) if one.severity == "error"]


def errors(data: Any) -> set[str]:
    return {one.code for one in check(project(data)) if one.severity == "error"}


def test_a_point_mass_on_an_arm_needs_no_inertia_of_its_own() -> None:
    swinging = hung({"kind": "pin"}, [0.3])
    swinging["segments"][0]["inertia_kgm2"] = [0.0, 0.0, 0.0]
    assert errors(swinging) == set()
    run = simulate(project(swinging))
    assert run.status == "completed"
    # theta'' = -g/l sin(theta), at rest at first
    made = solve_ivp(
        lambda _, y: [y[1], -9.81 / 0.5 * math.sin(y[0])], (0.0, 1.0), [0.3, 0.0], "DOP853",
        run.time, rtol=1e-12, atol=1e-13,
    )  # fmt: skip
    assert run.table("joints")["angle"][:, 0, 0] == pytest.approx(made.y[0], abs=1e-7)
    # about its own centre nothing says how it turns
    swinging["joints"][0]["child_frame"] = {"position_m": [0.0, 0.0, 0.0]}
    assert errors(swinging) == {"inertia-missing"}


def test_only_a_lock_that_never_opens_stands_for_mass() -> None:
    locked = hung({"kind": "pin", "lock": {"locked": True}})
    locked["segments"][0] |= {"mass_kg": 0.0, "inertia_kgm2": [0.0, 0.0, 0.0]}
    assert errors(locked) == set()
    locked["joints"][0]["lock"]["unlock_torque_nm"] = 5.0
    assert errors(locked) == {"mass-missing"}


def circuit(times: Any) -> Any:
    """Give the crank's angle of Anantharaman's circuit by Lagrange's equation of the one freedom that there is."""
    span, mass = math.sqrt(209.0), 10.0
    inertia = mass * span**2 / 12.0

    def way(b: float) -> Any:
        """Return both ends of the coupler and their first and second derivatives by the angle."""
        s, c = math.sin(b), math.cos(b)
        rise, slope, bend = 2.0 - 5.0 * c, 5.0 * s, 5.0 * c
        far = -math.sqrt(span**2 - 100.0 - rise**2)
        first = -rise * slope / far
        second = -(slope**2 + rise * bend + first**2) / far
        tip = [np.array(one) for one in ((0.0, -5 * s, 5 * c), (0.0, -5 * c, -5 * s), (0.0, 5 * s, -5 * c))]  # fmt: skip
        end = [np.array(one) for one in ((10.0, tip[0][1] + far, 2.0), (0.0, tip[1][1] + first, 0.0), (0.0, tip[2][1] + second, 0.0))]  # fmt: skip
        return tip, end

    def rates(_: float, y: Any) -> list[float]:
        tip, end = way(y[0])
        middle, bar = [0.5 * (a + b) for a, b in zip(tip, end, strict=True)], [b - a for a, b in zip(tip, end, strict=True)]  # fmt: skip
        turn = inertia / span**2
        weight = mass * middle[1] @ middle[1] + turn * bar[1] @ bar[1]
        bent = mass * middle[1] @ middle[2] + turn * bar[1] @ bar[2]
        return [y[1], (-bent * y[1] ** 2 - mass * 9.81 * middle[1][2]) / weight]

    made = solve_ivp(rates, (0.0, times[-1]), [math.pi / 2, 0.0], "DOP853", times, rtol=1e-13, atol=1e-14)  # fmt: skip
    return made.y[0]


def circuit_data() -> Any:
    """Anantharaman's circuit (1993): revolute, prismatic, universal and ball joint, mass in the coupler alone."""
    span = math.sqrt(209.0)
    tip = np.array([0.0, -5.0, 0.0])
    slide = -5.0 - math.sqrt(span**2 - 100.0 - 4.0)
    end = np.array([10.0, slide, 2.0])
    along = (tip - end) / span
    # U turns about y, then z: the coupler's x goes from the slider to the crank's tip
    yaw, pitch = (
        math.atan2(along[1], math.hypot(along[0], along[2])),
        math.atan2(-along[2], along[0]),
    )
    upright = {"angles_rad": [0.0, 0.0, -math.pi / 2]}
    # a pin's y as ground's x; a slip joint's z as ground's y; a universal joint's x, y as y, z
    pin_axes = {"angles_rad": [-math.pi / 2, 0.0, 0.0]}
    cross_axes = {"angles_rad": [math.pi / 2, math.pi / 2, 0.0], "order": "zxz"}
    return base(
        2.0,
        {"kind": "dopri", "relative_tolerance": 1e-11, "absolute_tolerance": 1e-12},
        gravity_m_per_s2=[0.0, 0.0, -9.81],
        segments=[segment("crank", 0.0, NOTHING), segment("slider", 0.0, NOTHING),
                  segment("coupler", 10.0, (0.0, 10.0 * span**2 / 12, 10.0 * span**2 / 12))],
        joints=[
            {"id": "R", "kind": "pin", "parent": "ground", "child": "crank", "parent_frame": {"orientation": pin_axes},
             "child_frame": {"orientation": pin_axes}},
            {"id": "P", "kind": "slip", "rotation": "none", "parent": "ground", "child": "slider",
             "parent_frame": {"position_m": [10.0, 0.0, 2.0], "orientation": upright}, "child_frame": {"orientation": upright}},
            {"id": "U", "kind": "universal", "parent": "slider", "child": "coupler", "parent_frame": {"orientation": cross_axes},
             "child_frame": {"position_m": [-span / 2, 0.0, 0.0], "orientation": cross_axes}},
        ],
        constraints=[{"id": "S", "kind": "zero_distance", "a": point("crank", 0.0, 0.0, 5.0), "b": point("coupler", span / 2, 0.0, 0.0)}],
        initial={"joints": [{"joint": "R", "values": [math.pi / 2]}, {"joint": "P", "values": [slide]},
                            {"joint": "U", "values": [pitch, yaw]}]},
    )  # fmt: skip


def test_a_circuit_of_links_without_mass_moves_as_its_one_freedom_says() -> None:
    """To 1e-9 without ghosts."""
    scene = project(circuit_data())
    assert [str(p) for p in check(scene) if p.severity == "error"] == []
    run = simulate(scene)
    crank = run.table("joints")["angle"][:, 0, 0]
    off = np.abs(crank - circuit(run.time)).max()
    assert off < 1e-9
    assert np.abs(run.table("energy")["balance"]).max() < 1e-7
    printed = (1.657049, 1.880717, 2.445879, 3.859049)
    assert np.allclose(crank[[25, 50, 100, 200]], printed, atol=6e-7)
