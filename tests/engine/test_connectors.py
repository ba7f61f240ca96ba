"""Connectors that close again, keep the load at which they opened, and constraints that break."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.optimize import brentq
from scipy.spatial.transform import Rotation

from solver.project.checks import check
from tests.engine.test_breaking import FINE, at, pulled, solved
from tests.models import base, project, segment

A = math.sqrt(1e5 / 5.0)


def turned_round(at_m: float) -> list[tuple[float, float]]:
    """Pull by 1200 N, and back by 300 N from some time on, so that the farthest way is `at_m`."""

    def farthest(t: float) -> float:
        x, v = 2e-3 * (math.cosh(A * t) - 1.0), 2e-3 * A * math.sinh(A * t)
        # 5 x'' = -300 - 1000 (1 - 100 x) = 1e5 (x - 0.013) until it stops
        y = x - 0.013
        return 0.013 - math.sqrt(y * y - (v / A) ** 2) if y * y > (v / A) ** 2 else 0.02

    t = brentq(lambda t: farthest(t) - at_m, 1e-4, 1.1e-2)
    return [(0.0, 1200.0), (t, 1200.0), (t + 1e-9, -300.0), (1.0, -300.0)]


def test_a_bond_closes_again_where_its_parts_are_nearest_with_the_load_it_had_left() -> None:
    """Turned round at 4 mm: it unloads nothing on the way back, and holds up to 600 N from then on."""
    points = turned_round(4e-3)
    data = pulled(points, heals_below_m=5e-4)
    data["runs"][0] |= {"duration_s": 0.3, "frame_interval_s": 1e-4}
    back = [*points[:3], (0.1, -300.0), (0.2, 1000.0), (1.0, 1000.0)]
    data["functions"][0]["form"] |= {"x": [p[0] for p in back], "y": [p[1] for p in back]}
    run = solved(data)
    x = run.segment("part").position[:, 0]
    before = run.time < 0.1
    assert x[before].max() == pytest.approx(4e-3, abs=1e-7)
    healed = at(run, "joint_heals")
    first, second = [e.time for e in run.events() if e.kind == "joint_breaks"]
    v = run.segment("part").velocity[:, 0]
    force = run.table("joints")["force"][:, 0, 0]
    # over the last twentieth of the 4 mm the load goes away
    returning = (run.time < healed) & (v < 0.0) & (x > 0.05 * 4e-3)
    assert returning.sum() > 20
    assert force[returning] == pytest.approx(-600.0, abs=1e-2)
    # it closes in its place, and stays there until 600 N
    held = (run.time > healed) & (run.time < second)
    assert np.abs(x[held]).max() < 1e-9
    assert second == pytest.approx(0.1 + 0.1 * 900.0 / 1300.0, abs=1e-6)
    struck = -v[run.time < healed][-1]
    energy = run.table("energy")
    speed = math.sqrt(2.0 * (900.0 * 4e-3 - 0.5 * 600.0 * 0.05 * 4e-3) / 5.0)
    assert struck == pytest.approx(speed, abs=0.02)
    assert energy["lost_in_impulses"][-1] == pytest.approx(0.5 * 5.0 * speed**2, rel=1e-4)
    states = run.table("joints")["state"][:, 0]
    assert set(states[held]) == {1}
    assert set(states[returning]) == {8}
    # the second ramp begins again, from 600 N
    assert run.table("energy")["dissipated"][-1] > 0.5 * 600.0 * 0.01
    assert first == 0.0


def matrices(motion: Any) -> Any:
    return Rotation.from_quat(motion.quaternion_wxyz, scalar_first=True).as_matrix()


KINDS: list[dict[str, Any]] = [
    {"kind": "pin"},
    {"kind": "ball"},
    {"kind": "universal"},
    {"kind": "slip", "rotation": "pin_y"},
    {"kind": "slip", "rotation": "ball"},
    {"kind": "locked"},
    {"kind": "euler", "nutation": {"lock": {"locked": True}, "centre_rad": 0.6}},
]


def torn(kind: dict[str, Any], limit: float) -> Any:
    """Tear two spinning bodies asunder by a spring, while another draws them together."""
    data = base(
        1.2,
        segments=[segment("one", 3.0, (0.2, 0.3, 0.25)), segment("other", 2.0, (0.1, 0.12, 0.05))],
        joints=[kind | {
            "id": "bond", "parent": "one", "child": "other",
            "parent_frame": {"position_m": [0.2, 0.1, -0.1], "orientation": {"angles_rad": [0.3, 0.5, -0.2]}},
            "child_frame": {"position_m": [-0.1, 0.15, 0.1]},
            "breakage": {"force_n": limit, "ramp_m": 4.0, "heals_below_m": 0.08},
        }],
        springs=[{"id": "asunder", "kind": "linear", "a": {"segment": "one", "position_m": [0.0, 0.0, 0.4]},
                  "b": {"segment": "other", "position_m": [0.2, 0.0, 0.1]}, "stiffness_n_per_m": 300.0,
                  "rest_length_m": 0.7},
                 {"id": "together", "kind": "linear", "a": {"segment": "one", "position_m": [0.2, 0.1, -0.1]},
                  "b": {"segment": "other", "position_m": [-0.1, 0.15, 0.12]}, "stiffness_n_per_m": 200.0,
                  "rest_length_m": 0.0}],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        initial={"attitudes": [{"segment": "one", "angular_velocity_rad_per_s": [3.0, -4.0, 5.0]}]},
        integrator=FINE,
    )  # fmt: skip
    if kind["kind"] == "euler":
        data["initial"]["joints"] = [{"joint": "bond", "values": [0.1, 0.6, 0.2]}]
    data["runs"][0]["frame_interval_s"] = 1e-3
    return data


@pytest.mark.parametrize("kind", KINDS, ids=lambda k: k["kind"] + k.get("rotation", ""))
def test_bodies_that_close_again_keep_all_momentum(kind: dict[str, Any]) -> None:
    run = solved_quietly(torn(kind, 10.0))
    assert [e for e in run.events() if e.kind == "joint_heals"]
    energy = run.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-6
    assert energy["lost_in_impulses"][-1] > 0.0
    assert np.ptp(energy["momentum"], axis=0).max() < 1e-8
    assert np.ptp(energy["spin"], axis=0).max() < 1e-8
    # nothing jumps
    for name in ("one", "other"):
        motion = run.segment(name)
        mean = 0.5 * (motion.velocity[1:] + motion.velocity[:-1])
        assert np.abs(np.diff(motion.position, axis=0) - 1e-3 * mean).max() < 1e-3


@pytest.mark.parametrize("kind", KINDS[2:4] + KINDS[:1], ids=lambda k: k["kind"])
def test_a_joint_that_has_closed_holds_what_it_held(kind: dict[str, Any]) -> None:
    """The points of a pin stay where they met, and its axis is fixed in both bodies; so of the others."""
    run = solved_quietly(torn(kind, 40.0))
    healed = at(run, "joint_heals")
    whole = run.time > healed
    assert whole.sum() > 100
    one, other = run.segment("one"), run.segment("other")
    R, S = matrices(one)[whole], matrices(other)[whole]
    way = other.position[whole] + S @ [-0.1, 0.15, 0.1] - one.position[whole] - R @ [0.2, 0.1, -0.1]
    own = np.einsum("tji,tj->ti", R, way)
    frame = Rotation.from_euler("ZYX", [0.3, 0.5, -0.2]).as_matrix()
    along = own @ frame
    held = slice(0, 2) if kind["kind"] == "slip" else slice(0, 3)
    assert np.ptp(along[:, held], axis=0).max() < 1e-8
    assert 1e-4 < np.abs(along[0]).max() < 0.08
    turn = np.einsum("tji,tjk->tik", R, S)
    if kind["kind"] != "universal":
        axes = np.linalg.svd((turn[1:] - turn[0]).reshape(-1, 3))[2]
        assert np.abs((turn - turn[0]) @ axes[2]).max() < 1e-7
    assert np.abs(turn - turn[0]).max() > 1e-2


def clutch(**lock: Any) -> Any:
    """Turn a wheel of 1 kg m2, held by a clutch of 5 N m, by a torque that rises to 10 N m and falls again."""
    return base(
        4.0, segments=[segment("wheel", 1.0, (1.0, 1.0, 1.0))], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "axle", "kind": "pin", "parent": "ground", "child": "wheel",
                 "lock": {"locked": True, "unlock_torque_nm": 5.0, **lock}}],
        functions=[{"id": "turn", "x_unit": "s", "y_unit": "N*m",
                    "form": {"kind": "table", "x": [0.0, 1.0, 2.0, 5.0], "y": [0.0, 10.0, 0.0, 0.0]}}],
        loads=[{"id": "turn", "kind": "torque", "segment": "wheel", "direction": [0.0, 1.0, 0.0], "axes": "ground",
                "history": "turn"}],
        integrator=FINE,
    )  # fmt: skip


def test_a_clutch_slips_at_its_torque_until_the_motion_turns_round() -> None:
    """It opens at 0.5 s, turns by 2.44792 rad (a direct sum), and is held again."""
    run = solved(clutch(keeps_torque=True))
    assert at(run, "joint_opens") == pytest.approx(0.5, abs=1e-8)
    t, dt = np.linspace(0.5, 4.0, 700_001), 5e-6
    rate = np.cumsum(np.interp(t, [0.0, 1.0, 2.0, 5.0], [0.0, 10.0, 0.0, 0.0]) - 5.0) * dt
    stops = int(np.argmax((rate <= 0.0) & (t > 1.0)))
    assert run.table("joints")["angle"][-1, 0, 0] == pytest.approx(
        float(rate[:stops].sum() * dt), abs=5e-5
    )
    assert run.table("joints")["angle"][-1, 0, 0] == pytest.approx(2.44792, abs=2e-5)
    assert at(run, "joint_held") == pytest.approx(t[stops], abs=2e-5)
    energy = run.table("energy")
    assert energy["lost_in_joint_friction"][-1] == pytest.approx(5.0 * 2.44792, abs=1e-3)


def test_a_slide_keeps_its_force_and_gives_again_the_other_way() -> None:
    """Shaken to and fro beyond its release forces, 30 N one way and 20 N the other, against scipy."""
    data = base(
        0.5, segments=[segment("block", 2.0)], gravity_m_per_s2=[0.0, 0.0, 0.0],
        joints=[{"id": "rail", "kind": "slip", "parent": "ground", "child": "block",
                 "slide": {"locked": True, "release_above_n": 30.0, "release_below_n": -20.0, "keeps_force": True}}],
        functions=[{"id": "shake", "x_unit": "s", "y_unit": "N",
                    "form": {"kind": "table", "x": [0.0, 0.05, 0.15, 0.25, 0.35, 0.5],
                             "y": [0.0, 60.0, -60.0, 60.0, -60.0, 0.0]}}],
        loads=[{"id": "shake", "segment": "block", "direction": [0.0, 0.0, 1.0], "axes": "ground", "history": "shake"}],
        integrator=FINE,
    )  # fmt: skip
    run = solved(data)
    form = data["functions"][0]["form"]
    x = v = 0.0
    h, places = 1e-6, []
    for n in range(500_000):
        pull = float(np.interp(n * h, form["x"], form["y"]))
        if v == 0.0:
            net = pull - 30.0 if pull > 30.0 else pull + 20.0 if pull < -20.0 else 0.0
        else:
            net = pull - 30.0 if v > 0.0 else pull + 20.0
        new = v + h * net / 2.0
        v = 0.0 if v * new < 0.0 else new
        x += h * v
        places.append(x)
    assert run.table("joints")["slide"][-1, 0] == pytest.approx(places[-1], abs=2e-6)
    kinds = [e.kind for e in run.events()]
    assert kinds.count("joint_released") >= 4
    assert kinds.count("joint_held") >= 3


def rod(kind: str, breakage: dict[str, float], points: list[tuple[float, float]]) -> Any:
    """Hold 5 kg to the ground by a constraint, and pull along x."""
    constraint: dict[str, Any] = {"id": "tie", "kind": kind, "a": {"segment": "part"}, "breakage": breakage,
                                  "b": {"segment": "ground"}}  # fmt: skip
    data = pulled(points)
    del data["joints"]
    if kind == "fixed_distance":
        data["initial"] = {"roots": [{"segment": "part", "position_m": [0.5, 0.0, 0.0]}]}
    data["constraints"] = [constraint]
    return data


@pytest.mark.parametrize(
    ("kind", "breakage"),
    [("zero_distance", {"force_n": 1000.0}), ("zero_distance", {"force_x_n": 1000.0, "force_y_n": 1.0}),
     ("fixed_distance", {"pull_n": 1000.0}), ("fixed_distance", {"force_n": 1000.0})],
)  # fmt: skip
def test_points_and_distances_break_as_joints_do(kind: str, breakage: dict[str, float]) -> None:
    """The closed form of a joint: apart after 17.5213 ms at 1.673320 m/s, 5.0 J lost."""
    data = rod(kind, breakage | {"ramp_m": 0.01}, [(0.0, 1200.0), (1.0, 1200.0)])
    data["runs"][0]["frame_interval_s"] = 1e-4
    run = solved(data)
    assert at(run, "constraint_breaks") == 0.0
    assert at(run, "constraint_parts") == pytest.approx(17.5213e-3, abs=1e-7)
    t, motion = run.time, run.segment("part")
    after = t > at(run, "constraint_parts")
    speed = motion.velocity[after, 0] - 240.0 * (t[after] - at(run, "constraint_parts"))
    assert speed == pytest.approx(1.673320, abs=2e-6)
    assert run.table("energy")["dissipated"][-1] == pytest.approx(5.0, abs=1e-6)
    force = run.table("constraints")["force"][:, 0, 0]
    x = motion.position[:, 0] - motion.position[0, 0]
    assert force[~after][1:] == pytest.approx(-1000.0 * (1.0 - 100.0 * x[~after][1:]), abs=1e-4)
    assert np.all(force[after] == 0.0)
    assert set(run.table("constraints")["state"][~after, 0]) == {3}
    assert set(run.table("constraints")["state"][after, 0]) == {4}


def test_a_distance_bears_a_thrust_where_only_its_pull_is_limited() -> None:
    run = solved_quietly(rod("fixed_distance", {"pull_n": 1000.0}, [(0.0, -5000.0), (1.0, -5000.0)]))  # fmt: skip
    assert not run.events()
    run = solved_quietly(rod("fixed_distance", {"force_n": 1000.0}, [(0.0, -5000.0), (1.0, -5000.0)]))  # fmt: skip
    assert [e.kind for e in run.events()] == ["constraint_breaks"]


def solved_quietly(data: Any) -> Any:
    from solver.running.simulation import simulate

    run = simulate(project(data))
    assert run.status == "completed", run.message
    return run


@pytest.mark.parametrize("kind", ["zero_distance", "fixed_distance"])
def test_constraints_close_again(kind: str) -> None:
    points = [*turned_round(0.004)[:3], (0.1, -300.0), (0.2, 1000.0), (1.0, 1000.0)]
    data = rod(kind, {"force_n": 1000.0, "ramp_m": 0.01, "heals_below_m": 5e-4}, points)
    data["runs"][0] |= {"duration_s": 0.2, "frame_interval_s": 1e-4}
    run = solved(data)
    healed = at(run, "constraint_heals")
    second = [e.time for e in run.events() if e.kind == "constraint_breaks"][1]
    assert second == pytest.approx(0.1 + 0.1 * 900.0 / 1300.0, abs=1e-6)
    x = run.segment("part").position[:, 0]
    held = (run.time > healed) & (run.time < second)
    assert np.abs(x[held] - x[0]).max() < 1e-9
    assert set(run.table("constraints")["state"][held, 0]) == {1}


def test_what_breaks_from_a_loop_keeps_all_momentum() -> None:
    data = base(
        0.3,
        segments=[segment("one", 3.0, (0.2, 0.3, 0.25)), segment("other", 2.0, (0.1, 0.12, 0.05))],
        constraints=[{"id": "tie", "kind": "zero_distance", "a": {"segment": "one", "position_m": [0.2, 0.1, 0.0]},
                      "b": {"segment": "other", "position_m": [-0.1, 0.0, 0.0]},
                      "breakage": {"force_n": 200.0, "ramp_m": 0.2}}],
        springs=[{"id": "asunder", "kind": "linear", "a": {"segment": "one", "position_m": [0.0, 0.0, 0.4]},
                  "b": {"segment": "other", "position_m": [0.2, 0.0, 0.1]}, "stiffness_n_per_m": 4000.0,
                  "rest_length_m": 0.8}],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        initial={"roots": [{"segment": "other", "position_m": [0.3, 0.1, 0.0]}],
                 "attitudes": [{"segment": "one", "angular_velocity_rad_per_s": [3.0, -4.0, 5.0]}]},
        integrator=FINE,
    )  # fmt: skip
    run = solved(data)
    at(run, "constraint_breaks")
    energy = run.table("energy")
    assert np.ptp(energy["momentum"], axis=0).max() < 1e-8
    assert np.ptp(energy["spin"], axis=0).max() < 1e-7


def rolling(**more: Any) -> Any:
    """Pull a wheel off the floor that it rolls on, by a force that rises past its hold, while it rolls."""
    return base(
        0.1, segments=[segment("wheel", 5.0, (0.02, 0.02, 0.02)) |
                       {"surfaces": [{"id": "rim", "kind": "ellipsoid", "semi_axes_m": [0.1, 0.1, 0.1]}]}],
        planes=[{"id": "floor", "segment": "ground", "bounded": False, "placement": {
            "kind": "frame", "frame": {"orientation": {"angles_rad": [0.0, 0.0, math.pi]}}}}],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
        constraints=[{"id": "roll", "kind": "roll_slide", "surface": {"segment": "wheel", "surface": "rim"},
                      "plane": "floor", "mode": "roll", **more}],
        initial={"roots": [{"segment": "wheel", "position_m": [0.0, 0.0, -0.1], "velocity_m_per_s": [0.5, 0.0, 0.0]}],
                 "attitudes": [{"segment": "wheel", "angular_velocity_rad_per_s": [0.0, -5.0, 0.0]}]},
        functions=[{"id": "pull", "x_unit": "s", "y_unit": "N",
                    "form": {"kind": "constant", "value": 1200.0}}],
        loads=[{"id": "pull", "segment": "wheel", "direction": [0.0, 0.0, -1.0], "axes": "ground", "history": "pull"}],
        integrator=FINE,
    )  # fmt: skip


def test_what_rolls_is_pulled_off_its_plane() -> None:
    """The same closed form along the normal, while it goes on rolling along."""
    run = solved(rolling(breakage={"pull_n": 1000.0, "ramp_m": 0.01}))
    assert at(run, "constraint_breaks") == 0.0
    assert run.segment("wheel").velocity[-1, 0] == pytest.approx(0.5, abs=0.1)
    assert run.segment("wheel").position[-1, 2] < -0.2
    unbroken = solved_quietly(rolling(breakage={"pull_n": 1300.0}))
    assert not [e for e in unbroken.events() if e.kind == "constraint_breaks"]
    assert unbroken.segment("wheel").position[-1, 2] == pytest.approx(-0.1, abs=1e-9)


def test_what_rolls_is_caught_again_where_it_touches_in_time() -> None:
    """Pulled off by 4 mm and pushed back: it rolls again, and holds no more than its ramp had left; also taken up again."""
    data = rolling(breakage={"pull_n": 1000.0, "ramp_m": 0.01, "heals_below_m": 5e-4})
    points = [*turned_round(4e-3)[:3], (0.1, -300.0), (0.2, 1000.0), (1.0, 1000.0)]
    t, f = zip(*points, strict=True)
    data["functions"][0]["form"] = {"kind": "table", "x": list(t), "y": list(f)}
    data["runs"][0]["duration_s"] = 0.2
    del data["initial"]["roots"][0]["velocity_m_per_s"], data["initial"]["attitudes"]
    run = solved(data)
    healed = at(run, "constraint_heals")
    first, second = [e.time for e in run.events() if e.kind == "constraint_breaks"]
    assert first == 0.0
    assert second == pytest.approx(0.1 + 0.1 * 900.0 / 1300.0, abs=1e-6)
    z = run.segment("wheel").position[:, 2]
    held = (run.time > healed) & (run.time < second)
    assert z[held] == pytest.approx(-0.1, abs=1e-9)
    assert set(run.table("constraints")["state"][held, 0]) == {1}
    assert healed < 0.09
    # who tests restarts takes models from here
    from tests.running.test_restart import half_and_whole

    half_and_whole(project(data), 0.2)


def edges(duration: float = 0.6, off: float = 0.2, **more: Any) -> Any:
    """Lay a bar of 4 kg, by default with its mass centre in its edge, along an edge of an inclined plate, 30 degrees down, ."""
    tilt = {"orientation": {"angles_rad": [0.0, -math.radians(30.0), 0.0]}}
    return base(
        duration, segments=[segment("bar", 4.0, (0.05, 0.06, 0.02))],
        planes=[
            {"id": "plate", "segment": "ground", "placement": {"kind": "frame", "frame": tilt | {"position_m": [0.0, off, 0.0]}, "length_m": 2.0, "width_m": 0.4}},
            {"id": "side", "segment": "bar", "placement": {"kind": "frame", "frame": {"position_m": [0.0, off, 0.0]}, "length_m": 0.3, "width_m": 0.4}},
        ],
        gravity_m_per_s2=[0.0, 0.0, 9.81],
        constraints=[{"id": "edge", "kind": "edge_on_edge", "plane": "side", "on": "plate", **more}],
        initial={"attitudes": [{"segment": "bar", "orientation": tilt["orientation"]}]},
        integrator=FINE,
    )  # fmt: skip


def test_edges_hold_up_to_their_force_and_slide_at_another() -> None:
    """Weight along the edge 19.62 N: held up to 20 N; at 15 N it slides, against 5 N."""
    held = solved_quietly(edges(static_force_n=20.0, sliding_force_n=5.0))
    assert np.ptp(held.segment("bar").position, axis=0).max() < 1e-9
    run = solved_quietly(edges(static_force_n=15.0, sliding_force_n=5.0))
    t = run.time
    way = run.segment("bar").position
    slid = np.linalg.norm(way - way[0], axis=1)
    along = np.array([math.cos(math.radians(30.0)), 0.0, math.sin(math.radians(30.0))])
    a = (4.0 * 9.81 * 0.5 - 5.0) / 4.0
    assert slid == pytest.approx(0.5 * a * t**2, abs=1e-7)
    assert (way[-1] - way[0]) @ along == pytest.approx(slid[-1], abs=1e-6)
    assert [e.kind for e in run.events()][-1] == "edge_slides"
    energy = run.table("energy")
    assert energy["lost_in_rolling"][-1] == pytest.approx(5.0 * slid[-1], rel=1e-6)
    assert np.abs(energy["balance"]).max() < 1e-7


def test_an_edge_that_only_slides_is_held_up_to_its_force() -> None:
    """Weight along the edge 19.62 N against 25 N: it stands, in few steps."""
    run = solved_quietly(edges(0.1, mode="slide", sliding_force_n=25.0))
    assert np.ptp(run.segment("bar").position, axis=0).max() < 1e-9
    assert len(run.steps()["time"]) < 500


def test_a_bar_swings_about_the_edge_on_which_it_slides() -> None:
    """Off its middle the bar is a pendulum about the edge: theta'' = m g cos(30) r sin(theta) / (I + m r^2)."""
    data = edges(0.5, 0.0, mode="slide")
    run = solved_quietly(data)
    assert run.status == "completed"
    bar = run.segment("bar")
    # the middle of the edge stays on the plate's edge
    corner = np.array([0.0, -0.2, 0.0])
    point = bar.position + matrices(bar) @ corner
    tilt = math.radians(30.0)
    e = np.array([math.cos(tilt), 0.0, math.sin(tilt)])
    off = point - point[0]
    off = off - np.outer(off @ e, e)
    assert np.abs(off).max() < 1e-9
    r, g = 0.2, 9.81 * math.cos(tilt)
    inertia = 0.05 + 4.0 * r * r
    done = solve_ivp(
        lambda t, y: [y[1], -4.0 * g * r * math.cos(y[0]) / inertia],
        (0.0, 0.5), [0.0, 0.0], t_eval=run.time, rtol=1e-10, atol=1e-12,
    )  # fmt: skip
    middle = bar.position - point
    normal = np.array([-math.sin(tilt), 0.0, math.cos(tilt)])
    angle = np.arctan2(middle @ normal, middle[:, 1])
    assert np.abs(angle) == pytest.approx(np.abs(done.y[0]), abs=1e-6)


def test_edges_are_torn_apart() -> None:
    data = edges(0.2, 0.0, mode="held", breakage={"across_n": 30.0, "ramp_m": 0.05})
    run = solved_quietly(data)
    kinds = [e.kind for e in run.events()]
    assert kinds[:1] == ["constraint_breaks"]
    assert set(run.table("constraints")["state"][:, 0]) <= {1, 3, 4}


@pytest.mark.parametrize(
    ("change", "code"),
    [({"breakage": {"force_n": 1.0, "heals_below_m": 1e-3}}, "breakage-heals"),
     ({"breakage": {"force_n": 1.0, "ramp_m": 1e-3, "heals_below_m": 1e-3}}, "breakage-heals"),
     ({"breakage": {"force_n": 1.0, "heals_below_rad": 1e-3}}, "breakage-heals"),
     ({"kind": "ball", "breakage": None, "lock": {"locked": True, "unlock_torque_nm": 2.0, "keeps_torque": True}}, "lock-keeps"),
     ({"kind": "pin", "breakage": None, "lock": {"locked": True, "keeps_torque": True}}, "lock-keeps"),
     ({"kind": "slip", "breakage": None, "slide": {"locked": True, "release_above_n": -2.0, "keeps_force": True}}, "slide-keeps")],
)  # fmt: skip
def test_what_cannot_be_is_refused(change: dict[str, Any], code: str) -> None:
    data = pulled([(0.0, 0.0), (1.0, 0.0)])
    data["joints"][0] |= change
    assert code in [one.code for one in check(project(data))]


@pytest.mark.parametrize("where", ["joint", "law"])
def test_what_springs_hold_of_a_joint_that_closes_again_is_brought_in_from_outside(
    where: str,
) -> None:
    """Torn, it turns on by itself at 6 rad/s; its spring of 20 N m/rad then stands at 0.5 + 6 t."""
    data = pulled(turned_round(4e-3), heals_below_m=5e-4)
    data["runs"][0] |= {"duration_s": 0.1, "frame_interval_s": 1e-4}
    bond: dict[str, Any] = data["joints"][0]
    bond["kind"] = "pin"
    if where == "joint":
        bond["spring"] = {"linear_nm_per_rad": 20.0}
    else:
        law = {"kind": "linear", "stiffness": 20.0}
        turn = {"kind": "joint", "joint": "bond", "axis": "angle"}
        data["coordinate_forces"] = [{"id": "law", "coordinate": turn, "laws": [law], "zero": 0.0}]
    data["initial"] = {"joints": [{"joint": "bond", "values": [0.5], "rates": [6.0]}]}
    run = solved(data)
    healed, energy = at(run, "joint_heals"), run.table("energy")
    before, after = np.searchsorted(run.time, healed) - 1, np.searchsorted(run.time, healed)
    pull = 300.0 * 5.0 * np.ptp(run.segment("part").position[before : after + 1, 0])
    brought = energy["work_of_loads"][after] - energy["work_of_loads"][before]
    assert brought == pytest.approx(10.0 * (0.5 + 6.0 * healed) ** 2, abs=0.1 + pull)
    # from there the account closes by itself: what the spring gives is what it holds
    cause = "lost_in_joint_springs" if where == "joint" else "lost_in_coordinate_forces"
    assert np.ptp(energy[cause][after:]) < 1e-6
    assert np.min(np.diff(energy[cause])) > -1e-9
    whole = energy["kinetic"] + energy["strain"]
    assert np.ptp(whole[after:] - energy["work_of_loads"][after:]) < 1e-6
