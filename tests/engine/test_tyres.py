"""Tyres against closed forms: the brush in pure and combined slip, rolling freely, holding on a slope, braking, a locked wheel."""

from __future__ import annotations

import math
from copy import deepcopy
from typing import Any

import numpy as np
import pytest

from solver.engine.maths.rotation import Array
from solver.project.segments import pack
from solver.results.trajectory import Trajectory
from tests.balls_and_floors import run
from tests.models import base

R, K, DEPTH, MU = 0.3, 2e5, 0.02, 0.9
LOAD, ROLLING = K * DEPTH, R - DEPTH
ALONG, ACROSS = 9e4, 6e4
TYRE = {
    "radius_m": R, "stiffness_n_per_m": K, "cornering_n_per_rad": ACROSS, "slip_stiffness_n": ALONG,
    "friction": MU, "roads": ["road"], "patch_m": 0.06,
}  # fmt: skip
FINE = {"kind": "dopri", "relative_tolerance": 1e-7, "absolute_tolerance": 1e-9}


def road(height: float, slope: float = 0.0) -> Any:
    """Give a road below the origin, whose front looks up; z points down."""
    turn = {"angles_rad": [math.pi, slope, 0.0], "order": "xyz"}
    return {"id": "road", "bounded": False, "placement": {
        "kind": "frame", "length_m": 10.0, "width_m": 10.0,
        "frame": {"position_m": [0.0, 0.0, height], "orientation": turn}}}  # fmt: skip


def led(wheels: list[tuple[float, float, float]], **tyre: Any) -> Any:
    """Give wheels that are led along: speeds ahead, to the right and of turning, whatever acts on them."""

    def motion(n: int, speeds: tuple[float, float, float]) -> Any:
        parts = [
            {"component": c, "quantity": "velocity", "pulse": {"kind": "constant", "value": v}}
            for c, v in zip(("x", "y", "pitch"), speeds, strict=True)
        ]
        return {"id": f"m{n}", "segment": f"w{n}", "components": parts}

    count = range(len(wheels))
    return base(
        segments=[{"id": f"w{n}", "mass_kg": 10.0, "inertia_kgm2": [1.0] * 3} for n in count],
        planes=[road(ROLLING)],
        motions=[motion(n, speeds) for n, speeds in enumerate(wheels)],
        tyres=[{"id": f"t{n}", "wheel": f"w{n}", **TYRE, **tyre} for n in count],
    )


def brush(
    ahead: float, right: float, rim: float, along: float = ALONG, ratio: float = 1.0
) -> tuple[float, float, float]:
    """Force along and across, and the aligning moment, of Fiala's brush: speeds of the centre, and of the rim."""
    sx, sy = (rim - ahead) / rim, -right / rim
    gx, gy = along * sx / MU, ACROSS * sy / (ratio * MU)
    g = math.hypot(gx, gy)
    part = min(g / (3.0 * LOAD), 1.0)
    force = LOAD * (1.0 - (1.0 - part) ** 3)
    across = ratio * MU * force * gy / g if g else 0.0
    c = 1.0 - part
    return MU * force * gx / g if g else 0.0, across, across * 0.06 * c**3 / (1.0 + c + c * c)


SLIPS = [
    (10.0, 0.0, 10.0), (10.0, -0.2, 10.0), (10.0, 0.9, 10.0), (10.0, -4.0, 10.0), (10.0, 0.0, 10.2), (10.0, 0.0, 9.3),
    (10.0, 0.0, 6.0), (10.0, -0.3, 9.8), (10.0, 0.5, 10.3), (10.0, -1.5, 8.0), (10.0, 2.0, 15.0),
]  # fmt: skip
"""Speeds ahead and to the right, and of the rim."""


@pytest.mark.parametrize(("along", "ratio"), [(ACROSS, 1.0), (ALONG, 0.8)])
def test_steady_slip_gives_what_the_brush_says_in_pure_and_combined_slip(
    along: float, ratio: float
) -> None:
    data = led([(a, r, -rim / ROLLING) for a, r, rim in SLIPS], across_ratio=ratio, slip_stiffness_n=along)  # fmt: skip
    out = run(data, 0.5, 100.0, **FINE)
    row = {name: np.array(values[-1]) for name, values in out.table("tyres").columns.items()}
    assert row["normal"] == pytest.approx(LOAD, rel=1e-9)
    for n, (ahead, right, rim) in enumerate(SLIPS):
        x, y, aligning = brush(ahead, right, rim, along, ratio)
        slides = math.hypot(x, y / ratio) > 0.999 * MU * LOAD
        if slides and along != ACROSS:
            # where all of the tread slides what counts is how the road rubs, and no more how the tread gives
            got = math.hypot(row["along"][n], row["across"][n] / ratio)
            assert got == pytest.approx(MU * LOAD, rel=1e-3)
            continue
        # of the last tenth of the brush the force goes on in a straight line
        assert row["along"][n] == pytest.approx(x, rel=1e-3, abs=0.01)
        assert row["across"][n] == pytest.approx(y, rel=1e-3, abs=0.01)
        assert row["aligning"][n] == pytest.approx(aligning, rel=1e-3, abs=0.1)
        assert row["slip"][n] == pytest.approx((rim - ahead) / ahead, abs=1e-6)
        assert row["slip_angle"][n] == pytest.approx(-math.atan2(right, ahead), abs=1e-6)
    # what is lost is force times sliding speed, once the carcass is stretched
    lost = out.table("energy")["lost_in_tyres"]
    power = sum(
        row["along"][n] * (v - a) - row["across"][n] * r for n, (a, r, v) in enumerate(SLIPS)
    )
    assert (lost[-1] - lost[-11]) / 0.1 == pytest.approx(power, rel=1e-3)
    assert np.all(np.diff(lost) > 0.0)


def test_a_locked_wheel_rubs_against_the_way_it_slides() -> None:
    out = run(led([(8.0, 6.0, 0.0)]), 0.3, 100.0, **FINE)
    force = out.table("tyres")["force"][-1, 0]
    assert force[:2] == pytest.approx([-0.8 * MU * LOAD, -0.6 * MU * LOAD], rel=1e-6)


def test_the_force_comes_up_over_the_relaxation_length() -> None:
    out = run(led([(10.0, -0.01, -10.0 / ROLLING)], carcass_damping_s=0.0), 0.2, 1000.0, **FINE)
    across = out.table("tyres")["across"][:, 0]
    whole = ACROSS * 0.001
    assert across == pytest.approx(
        whole * (1.0 - np.exp(-10.0 * out.time / 0.3)), rel=0.01, abs=0.05
    )


def rolling(slope: float = 0.0, speed: float = 0.0, **tyre: Any) -> Any:
    """Give a wheel that rolls upright on its own: its fork slides in the plane and holds brake and drive."""
    mass = 400.0
    sunk = mass * 9.81 * math.cos(slope) / K
    high = R - sunk
    up = [-high * math.sin(slope), 0.0, -high * math.cos(slope)]
    return base(
        segments=[
            {"id": "fork", "mass_kg": mass - 20.0, "inertia_kgm2": [10.0] * 3},
            {"id": "wheel", "mass_kg": 20.0, "inertia_kgm2": [0.5, 1.0, 0.5]},
        ],
        planes=[road(0.0, slope)],
        joints=[
            {"id": "plane", "kind": "six", "parent": "ground", "child": "fork",
             **{axis: {"lock": {"locked": True}} for axis in ("yaw", "pitch", "roll")}, "y": {"locked": True}},
            {"id": "axle", "kind": "pin", "parent": "fork", "child": "wheel"},
        ],
        initial={
            "joints": [{"joint": "plane", "values": [up[0], 0.0, up[2], 0.0, 0.0, 0.0],
                        "rates": [speed, 0.0, 0.0, 0.0, 0.0, 0.0]},
                       {"joint": "axle", "values": [0.0], "rates": [-speed / high]}],
        },
        tyres=[{"id": "t", "wheel": "wheel", **TYRE, **tyre}],
    )  # fmt: skip


def balanced(out: Trajectory) -> None:
    energy = out.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-4 * max(np.max(energy["kinetic"]), 100.0)


def test_a_wheel_that_rolls_freely_loses_nothing() -> None:
    out = run(rolling(speed=20.0), 2.0, 50.0, **FINE)
    speed = out.table("segments")["velocity"][:, 0, 0]
    assert np.ptp(speed) < 1e-5
    assert np.max(np.abs(out.table("energy")["lost_in_tyres"])) < 1e-3
    balanced(out)


def test_a_braked_wheel_rests_on_a_slope_for_ever() -> None:
    slope = 0.2
    out = run(rolling(slope, brake_nm=2000.0, damping_ns_per_m=2000.0), 7.0, 20.0, **FINE)
    place, speed = out.table("segments")["position"][:, 0], out.table("segments")["velocity"][:, 0]
    late = out.time > 6.0
    assert np.max(np.ptp(place[late], axis=0)) < 1e-6
    assert np.max(np.abs(speed[late])) < 1e-5
    row = out.table("tyres")
    assert abs(row["along"][-1, 0]) == pytest.approx(400.0 * 9.81 * math.sin(slope), rel=1e-4)
    balanced(out)


def test_a_locked_wheel_slows_down_by_friction_and_a_held_back_one_by_its_brake() -> None:
    out = run(rolling(speed=10.0, brake_nm=5000.0), 0.8, 200.0, **FINE)
    speed = out.table("segments")["velocity"][:, 0, 0]
    later = (out.time > 0.1) & (out.time < 0.6)
    assert np.diff(speed[later]) * 200.0 == pytest.approx(-MU * 9.81, rel=2e-3)
    assert np.abs(out.table("tyres")["slip"][later, 0] + 1.0) == pytest.approx(0.0, abs=0.02)
    balanced(out)
    soft = run(rolling(speed=10.0, brake_nm=400.0), 0.8, 200.0, **FINE)
    speed = soft.table("segments")["velocity"][:, 0, 0]
    row = soft.table("tyres")
    # brake by radius, and what the wheel itself takes to turn more slowly
    slows = -np.diff(speed)[100:] * 200.0
    held = 400.0 / (R - row["deflection"][100:-1, 0])
    assert slows == pytest.approx(
        held / (400.0 + 1.0 / (R - row["deflection"][100:-1, 0]) ** 2), rel=5e-3
    )
    balanced(soft)


def test_a_driven_wheel_gains_what_its_drive_gives() -> None:
    out = run(rolling(speed=5.0, drive_nm=300.0, damping_ns_per_m=2000.0), 1.0, 100.0, **FINE)
    energy = out.table("energy")
    assert energy["work_of_loads"][-1] > 2000.0
    balanced(out)
    assert out.table("segments")["velocity"][-1, 0, 0] > 7.0


def test_a_profile_is_touched_where_the_wheel_is_nearest() -> None:
    """Over a bump of a larger radius than its own the centre of a stiff wheel goes along a circle of both."""
    x = np.linspace(-1.0, 1.0, 401)
    heights = {"kind": "table", "x": x.tolist(), "y": (np.sqrt(4.0 - x * x) - 2.0).tolist()}
    bump = {"id": "bump", "x_unit": "m", "y_unit": "m", "form": heights}
    data = led([(0.5, 0.0, 0.0), (0.0, 0.0, 0.0)], profile="bump", damping_ns_per_m=0.0)
    data["functions"] = [bump]
    data["planes"][0]["placement"] = {"kind": "points", "p1_m": [0.0, 0.0, ROLLING],
                                      "p2_m": [1.0, 0.0, ROLLING], "p3_m": [0.0, -1.0, ROLLING]}  # fmt: skip
    out = run(data, 0.2, 100.0, **FINE)
    deflection = out.table("tyres")["deflection"]
    here = 0.5 * out.time
    # from the centre of the bump, 2 m below the road's top
    away = np.hypot(here, 2.0 + ROLLING)
    assert deflection[:, 0] == pytest.approx(np.maximum(2.0 + R - away, 0.0), abs=2e-5)
    assert deflection[:, 1] == pytest.approx(DEPTH, abs=1e-5)


@pytest.mark.parametrize("wide", [0.001, 0.05])
def test_the_edge_of_a_kerb_is_found_however_steep_it_is(wide: float) -> None:
    kerb = {"id": "kerb", "x_unit": "m", "y_unit": "m", "form": {"kind": "table", "x": [0.3, 0.3 + wide, 2.0], "y": [0.0, 0.05, 0.05]}}  # fmt: skip
    data = led([(0.5, 0.0, 0.0)], profile="kerb", damping_ns_per_m=0.0)
    data["functions"] = [kerb]
    data["planes"][0]["placement"] = {"kind": "points", "p1_m": [0.0, 0.0, ROLLING],
                                      "p2_m": [1.0, 0.0, ROLLING], "p3_m": [0.0, -1.0, ROLLING]}  # fmt: skip
    out = run(data, 0.5, 100.0, **FINE)
    corners = np.array([[-5.0, 0.0], [0.3, 0.0], [0.3 + wide, 0.05], [9.0, 0.05]])
    starts, ways = corners[:-1], np.diff(corners, axis=0)
    for s, found in zip(0.5 * out.time, out.table("tyres")["deflection"][:, 0], strict=True):
        centre = np.array([s, ROLLING])
        part = np.clip(((centre - starts) * ways).sum(1) / (ways**2).sum(1), 0.0, 1.0)
        least = np.linalg.norm(starts + part[:, None] * ways - centre, axis=1).min()
        assert found == pytest.approx(max(R - least, 0.0), abs=1e-7)


def test_a_bridge_overhead_presses_on_no_wheel() -> None:
    data = rolling(speed=5.0)
    plain = run(deepcopy(data), 0.5, 100.0, **FINE)
    bridge = {"id": "bridge", "bounded": True, "placement": {"kind": "points", "p1_m": [-2.0, 5.0, -3.0], "p2_m": [9.0, 5.0, -3.0], "p3_m": [-2.0, -5.0, -3.0]}}  # fmt: skip
    data["planes"].append(bridge)
    data["tyres"][0]["roads"].append("bridge")
    out = run(data, 0.5, 100.0, **FINE)
    assert np.array_equal(plain.table("tyres")["deflection"], out.table("tyres")["deflection"])


def tilted(camber: float, stiff: float) -> Any:
    """Give a tilted wheel whose fork is led straight on."""
    data = led([(10.0, 0.0, 0.0)], camber_n_per_rad=stiff, crown_m=0.06)
    data["segments"].append({"id": "wheel", "mass_kg": 10.0, "inertia_kgm2": [1.0] * 3})
    lean = {"orientation": {"angles_rad": [0.0, 0.0, camber]}}
    data["joints"] = [
        {"id": "axle", "kind": "pin", "parent": "w0", "child": "wheel", "parent_frame": lean}
    ]
    data["initial"] = {"joints": [{"joint": "axle", "values": [0.0], "rates": [-10.0 / ROLLING]}]}
    data["tyres"][0]["wheel"] = "wheel"
    return data


def thrust(camber: float, stiff: float, load: float) -> float:
    """The side force of a tilted brush."""
    limit = 3.0 * MU * load
    return limit / 3.0 * (1.0 - (1.0 - stiff * camber / limit) ** 3)


def test_camber_thrust_comes_up_to_its_stiffness_and_acts_in_the_middle() -> None:
    """A tilted wheel is pushed to where it leans, by camber stiffness times camber."""
    camber, stiff = 0.04, 12_000.0
    row = run(tilted(camber, stiff), 0.5, 100.0, **FINE).table("tyres")
    wanted = thrust(camber, stiff, row["normal"][-1, 0])
    assert row["across"][-1, 0] == pytest.approx(wanted, rel=1e-3)
    assert row["aligning"][-1, 0] == pytest.approx(0.0, abs=0.01)


def test_a_turning_patch_pushes_and_twists_as_a_row_of_bristles_does() -> None:
    """On a turntable, against bristles that are summed one by one: turning slip gives a side force, and no moment."""
    a, speed, away = 0.06, 10.0, 20.0
    turning = speed / away
    places = (0.0, -0.05, 0.03)
    data = led([(0.0, 0.0, -speed / ROLLING)] * 3, friction=1e3, slip_stiffness_n=ACROSS)
    pulse = {"kind": "constant", "value": -turning}
    data["segments"].append({"id": "table", "mass_kg": 10.0, "inertia_kgm2": [1.0] * 3})
    data["motions"].append({"id": "turns", "segment": "table", "components": [{"component": "yaw", "quantity": "velocity", "pulse": pulse}]})  # fmt: skip
    data["planes"][0]["segment"] = "table"
    data["initial"] = {"roots": [{"segment": "table", "position_m": [0.0, away, 0.0]}]}
    for n, x in enumerate(places):
        data["tyres"][n]["centre_m"] = [0.0, 0.0, 0.0]
        data["initial"]["roots"].append({"segment": f"w{n}", "position_m": [x, 0.0, 0.0]})
    row = run(data, 0.4, 100.0, **FINE).table("tyres")
    at = np.linspace(a, -a, 4001)
    for n, x in enumerate(places):
        right = turning * x
        bent = (right * (a - at) + 0.5 * turning * (a * a - at * at)) / speed
        per = ACROSS / (2.0 * a * a)
        force, moment = np.trapezoid(per * bent, at), np.trapezoid(per * bent * at, at)
        assert row["across"][-1, n] == pytest.approx(force, rel=2e-3, abs=0.01)
        assert row["aligning"][-1, n] == pytest.approx(-moment, rel=2e-3, abs=0.01)


def test_what_tyres_lose_never_falls() -> None:
    """A wheel lands sliding, tilted, turning and half braked, again and again: load, friction and brake rise while it slides."""
    slope = {"id": "falls", "x_unit": "s", "y_unit": "N*m", "form": {"kind": "table", "x": [0.0, 0.1, 0.2, 0.3], "y": [0.0, 900.0, 0.0, 900.0]}}  # fmt: skip
    data = base(
        functions=[slope],
        segments=[{"id": "wheel", "mass_kg": 200.0, "inertia_kgm2": [8.0, 3.0, 8.0]}],
        planes=[road(0.0)],
        initial={
            "roots": [{"segment": "wheel", "position_m": [0.0, 0.0, -0.35], "velocity_m_per_s": [3.0, 9.0, 0.5]}],
            "attitudes": [{"segment": "wheel", "orientation": {"angles_rad": [0.1, 0.0, 0.2]}, "angular_velocity_rad_per_s": [-2.0, 5.0, 3.0]}],
        },
        tyres=[{"id": "t", "wheel": "wheel", "carrier": "ground", **TYRE, "brake_nm": "falls", "crown_m": 0.06, "camber_n_per_rad": 2e4}],
    )  # fmt: skip
    out = run(data, 0.6, 2000.0, **FINE)
    lost = out.table("energy")["lost_in_tyres"]
    assert np.ptp(out.table("tyres")["normal"]) > 5e3
    assert np.min(np.diff(lost)) > -1e-4
    balanced(out)


# Meshes.


def strip(x: Any, heights: Any, **fields: Any) -> Any:
    """Give a mesh of rows of triangles over x; its own z looks up."""
    y = np.linspace(-1.0, 1.0, 8)
    points = np.array([[a, b, h] for a, h in zip(x, heights, strict=True) for b in y])
    n = len(y)
    corners = [(n * i + j, n * (i + 1) + j, n * (i + 1) + j + 1, n * i + j + 1) for i in range(len(x) - 1) for j in range(n - 1)]  # fmt: skip
    faces = [three for a, b, c, d in corners for three in ((a, b, c), (a, c, d))]
    return {"id": "mesh", "packed": pack(points, np.array(faces, np.int64)), **fields}


def on_flat() -> Any:
    """Give two tilted wheels with a crown that slide along a slope: one on a plane, one over many triangles."""
    data = led([(1.0, 0.7, 0.0)] * 2, crown_m=0.06)
    data["planes"] = [road(ROLLING, 0.03)]
    frame = data["planes"][0]["placement"]["frame"]
    data["meshes"] = [strip(np.linspace(-1.0, 1.0, 23), np.zeros(23), frame=frame)]
    for tyre in data["tyres"]:
        tyre["axle"] = [0.05, 1.0, -0.1]
    data["tyres"][1] |= {"roads": [], "meshes": ["mesh"]}
    return data


def test_a_mesh_that_is_flat_is_a_plane() -> None:
    row = run(on_flat(), 0.3, 200.0, **FINE).table("tyres")
    assert np.ptp(row["normal"][:, 0]) > 1000.0
    for name in ("force", "deflection", "point"):
        apart = np.max(np.abs(row[name][:, 1] - row[name][:, 0]))
        assert apart < 1e-9 * max(np.max(np.abs(row[name])), 1.0)


def over_bump() -> Any:
    """Give two wheels over a bump of the same points: one of a profile, one of a mesh."""
    x = np.linspace(-1.0, 1.0, 81)
    y = np.float32(np.sqrt(4.0 - x * x) - 2.0).astype(float)
    x = np.float32(x).astype(float)
    bump = {"id": "bump", "x_unit": "m", "y_unit": "m", "form": {"kind": "table", "x": x.tolist(), "y": y.tolist()}}  # fmt: skip
    data = led([(0.5, 0.0, 0.0)] * 2, profile="bump")
    data["functions"] = [bump]
    data["planes"][0]["placement"] = {"kind": "points", "p1_m": [0.0, 0.0, ROLLING],
                                      "p2_m": [1.0, 0.0, ROLLING], "p3_m": [0.0, -1.0, ROLLING]}  # fmt: skip
    turned = {"position_m": [0.0, 0.0, ROLLING], "orientation": {"angles_rad": [0.0, 0.0, math.pi]}}
    data["meshes"] = [strip(x, y, frame=turned)]
    data["tyres"][1] |= {"roads": [], "meshes": ["mesh"], "profile": None}
    return data


def test_a_bump_of_a_mesh_is_that_of_a_profile() -> None:
    row = run(over_bump(), 0.4, 200.0, **FINE).table("tyres")
    assert row["deflection"][:, 1] == pytest.approx(row["deflection"][:, 0], abs=1e-9)
    assert np.max(np.abs(row["force"][:, 1] - row["force"][:, 0])) < 1e-4 * LOAD


def in_valley() -> tuple[Trajectory, Array]:
    """Lead a wheel through a valley and over a ridge; its depth at every fortieth frame is found again by trying all directions."""
    slope = 0.25
    x = np.array([-1.0, 0.0, 0.5, 1.0, 2.0])
    y = np.float32(slope * np.array([1.0, 0.0, 0.5, 0.0, -1.0])).astype(float)
    data = led([(1.0, 0.0, 0.0)], damping_ns_per_m=0.0, friction=1e-3)
    turned = {
        "position_m": [0.3, 0.0, ROLLING - 0.01],
        "orientation": {"angles_rad": [0.0, 0.0, math.pi]},
    }
    data["meshes"] = [strip(x, y, frame=turned)]
    data["tyres"][0] |= {"roads": [], "meshes": ["mesh"]}
    out = run(data, 0.5, 2000.0, **FINE)
    angle = np.linspace(-0.5, 0.5, 20_001)
    ways = np.column_stack([np.sin(angle), np.cos(angle)])
    least = []
    for time in out.time[::40]:
        place = np.array([time - 0.3, ROLLING - 0.01])
        needed = np.zeros(len(ways))
        for left, right, up in ((-1.0, 0.0, -slope), (0.0, 0.5, slope)):
            normal = np.array([-up, 1.0]) / math.hypot(up, 1.0)
            foot = place - (place @ normal) * normal
            if left <= foot[0] <= right:
                needed = np.maximum(needed, (R - place @ normal) / (ways @ normal))
        least.append(np.min(needed))
    return out, np.array(least)


def test_in_the_angle_of_two_faces_a_wheel_goes_the_least_way_out() -> None:
    """The force has no jump."""
    out, least = in_valley()
    row = out.table("tyres")
    assert np.max(np.abs(np.diff(row["force"][:, 0], axis=0))) < 200.0
    assert row["deflection"][::40, 0] == pytest.approx(least, abs=1e-7)


def test_a_wheel_on_a_rough_mesh_keeps_its_energy() -> None:
    data = rolling(speed=4.0)
    x = np.linspace(-1.0, 6.0, 141)
    turned = {"orientation": {"angles_rad": [0.0, 0.0, math.pi]}}
    data["meshes"] = [
        strip(x, 0.02 * np.sin(3.0 * x) - 0.02 * np.abs(np.sin(1.5 * x)), frame=turned)
    ]
    data["tyres"][0] |= {"roads": [], "meshes": ["mesh"]}
    # corners of the road are left behind in short steps
    out = run(data, 1.0, 200.0, **FINE, largest_step_s=5e-5)
    assert np.ptp(out.table("tyres")["normal"]) > 1000.0
    balanced(out)
    lost = out.table("energy")["lost_in_tyres"]
    assert np.min(np.diff(lost)) > -1e-3
