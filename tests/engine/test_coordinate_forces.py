"""Laws on single coordinates, against closed forms and integrations by another program."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import solve_ivp

from solver.results import Trajectory
from solver.running.simulation import simulate
from tests.models import base, point, project, segment

UPRIGHT = {"orientation": {"angles_rad": [0.0, math.pi / 2, 0.0]}}
"""A frame whose z is along the ground's x."""


def slider(mass: float, way: float, speed: float, *laws: Any, **more: Any) -> Any:
    """Let a body slide along the ground's x under laws, without weight."""
    data = base(
        more.pop("duration", 1.0),
        segments=[segment("body", mass)],
        joints=[{
            "id": "slip", "kind": "slip", "rotation": "none", "parent": "ground", "child": "body",
            "parent_frame": UPRIGHT, "child_frame": UPRIGHT,
        }],
        initial={"joints": [{"joint": "slip", "values": [way], "rates": [speed]}]},
        functions=more.pop("functions", []),
        coordinate_forces=[{
            "id": "law", "coordinate": {"kind": "joint", "joint": "slip", "axis": "slide"},
            "zero": 0.0, "laws": list(laws), **more,
        }],
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    return data


def wheel(inertia: float, angle: float, rate: float, *laws: Any, **more: Any) -> Any:
    """Let a body turn about a pin under laws."""
    data = base(
        more.pop("duration", 1.0),
        segments=[segment("body", 1.0, (inertia, inertia, inertia))],
        joints=[{"id": "pin", "kind": "pin", "parent": "ground", "child": "body"}],
        initial={"joints": [{"joint": "pin", "values": [angle], "rates": [rate]}]},
        functions=more.pop("functions", []),
        coordinate_forces=[{
            "id": "law", "coordinate": {"kind": "joint", "joint": "pin"},
            "zero": 0.0, "laws": list(laws), **more,
        }],
    )  # fmt: skip
    return data


def table(id_: str, x_unit: str, y_unit: str, x: list[float], y: list[float]) -> Any:
    form = {"kind": "table", "x": x, "y": y}
    return {"id": id_, "x_unit": x_unit, "y_unit": y_unit, "form": form}


def solved(data: Any) -> Trajectory:
    """Solve a project whose account closes and whose laws lose nothing below zero."""
    out = simulate(project(data))
    assert out.status == "completed", out.message
    energy = out.table("energy")
    turned = (
        np.max(energy["kinetic"]) + np.max(energy["strain"]) + np.max(np.abs(energy["external"]))
    )
    assert np.max(np.abs(energy["balance"])) < 1e-6 * turned
    lost = energy["lost_in_coordinate_forces"]
    assert np.min(np.diff(lost)) > -1e-6 * turned
    return out


def seen(out: Trajectory, name: str) -> Any:
    return out.table("coordinate_forces")[name][:, 0]


def at(out: Trajectory, name: str, *times: float) -> list[float]:
    rows = [int(np.argmin(np.abs(out.time - t))) for t in times]
    return [float(seen(out, name)[row]) for row in rows]


MUSCLE = {"kind": "muscle", "stiffness": 2000.0, "stiffness_active": 6000.0, "damping": 400.0}


def test_a_muscle_that_is_stretched_steadily() -> None:
    """P = c r (1 - e^(-kt/c)) with k = 8000 N/m, c = 400 N s/m."""
    data = slider(1.0, 0.0, 0.5, MUSCLE, duration=0.05)
    data["drivers"] = [{
        "id": "pull", "joint": "slip", "axis": "slide", "quantity": "velocity",
        "pulse": {"kind": "constant", "value": 0.5}, "start_value": 0.0,
    }]  # fmt: skip
    del data["initial"]
    out = solved(data)
    assert at(out, "force", 0.01, 0.05) == pytest.approx([36.2538, 126.4241], rel=2e-6)


def test_a_muscle_that_wakes_up() -> None:
    """2 kg, activation rising from 50 to 100 ms; figures by an integration of its own."""
    activation = table("wake", "s", "1", [0.0, 0.05], [0.0, 1.0])
    muscle = MUSCLE | {"activation": "wake", "delay_s": 0.05}
    out = solved(slider(2.0, 0.0, 1.0, muscle, duration=0.3, functions=[activation]))

    def rates(t: float, y: Any) -> list[float]:
        active = min(max((t - 0.05) / 0.05, 0.0), 1.0)
        k, c = 2000.0 + 6000.0 * active, max(400.0 * active, 1e-9)
        return [y[1], -y[2] / 2.0, k * y[1] - k / c * y[2]]

    wanted = solve_ivp(rates, (0.05, 0.3), [0.05, 1.0, 0.0], method="Radau", rtol=1e-9, atol=1e-11,
                       t_eval=[0.1, 0.15, 0.2, 0.3])  # fmt: skip
    assert wanted.y[0] == pytest.approx([0.079197, 0.066507, 0.074220, 0.072380], rel=1e-5)
    assert at(out, "way", 0.1, 0.15, 0.2, 0.3) == pytest.approx(list(wanted.y[0]), rel=1e-6)
    assert at(out, "force", 0.1, 0.15, 0.2, 0.3) == pytest.approx(list(wanted.y[2]), rel=2e-5)
    assert at(out, "force", 0.04) == [0.0]


def test_a_muscle_waits_for_its_trigger() -> None:
    timed = MUSCLE | {
        "activation": "wake",
        "delay_s": 0.02,
        "trigger": {"kind": "time", "time_s": 0.03},
    }
    told = MUSCLE | {
        "activation": "wake", "delay_s": 0.02,
        "trigger": {"kind": "channel", "output": "place", "component": "x", "level": 0.03},
    }  # fmt: skip
    activation = table("wake", "s", "1", [0.0, 0.05], [0.0, 1.0])
    one = solved(slider(2.0, 0.0, 1.0, timed, duration=0.2, functions=[activation]))
    data = slider(2.0, 0.0, 1.0, told, duration=0.2, functions=[activation])
    data["outputs"] = [{"id": "place", "kind": "point", "segment": "body", "quantity": "position"}]
    other = solved(data)
    # at 1 m/s the body passes 30 mm after 30 ms
    assert seen(other, "way") == pytest.approx(seen(one, "way"), abs=1e-7)
    assert any(
        e.kind == "trigger_passed" and e.elements == ("coordinate_forces/law",)
        for e in other.events()
    )


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_a_one_way_damper_stops_a_body_and_lets_it_go_back(sign: float) -> None:
    """0.5 kg at 2 m/s beyond the limit stops after (sqrt(C0^2 + 2 C1 m v) - C0) / C1."""
    law = {"kind": "one_way_damper", "damping": 20.0, "growth": 4000.0, "lower": 0.0, "upper": 0.0}
    law["acts"] = "growing" if sign > 0.0 else "falling"
    out = solved(slider(0.5, 0.0, 2.0 * sign, law))
    assert seen(out, "way")[-1] == pytest.approx(sign * 0.0179129, abs=2e-7)
    assert out.table("energy")["lost_in_coordinate_forces"][-1] == pytest.approx(1.0, rel=1e-6)
    back = solved(slider(0.5, 0.0, -2.0 * sign, law))
    assert np.all(seen(back, "force") == 0.0)
    assert seen(back, "way")[-1] == pytest.approx(-2.0 * sign)


def test_a_damper_as_printed_falls_below_its_lower_limit() -> None:
    law = {"kind": "one_way_damper", "damping": 20.0, "growth": 100.0, "lower": 0.0, "acts": "both"}
    mended = solved(slider(1.0, -0.1, -1.0, law, duration=0.01))
    printed = solved(slider(1.0, -0.1, -1.0, law | {"as_printed": True}, duration=0.01))
    assert seen(mended, "force")[0] == pytest.approx(-30.0)
    assert seen(printed, "force")[0] == pytest.approx(-10.0)


def test_a_plastic_hinge_keeps_its_set() -> None:
    """K 1000, limit 50, I 1, 3 rad/s: peak 0.115, set 0.065, then swings of 0.05 about it."""
    law = {"kind": "plastic", "stiffness": 1000.0, "limit": 50.0}
    data = wheel(1.0, 0.0, 3.0, law, duration=0.5)
    data["runs"][0]["frame_interval_s"] = 1e-4
    out = solved(data)
    angle, time = seen(out, "angle"), out.time
    assert np.max(angle) == pytest.approx(0.115, abs=1e-7)
    top = time[int(np.argmax(angle))]
    late = time > top
    wanted = 0.065 + 0.05 * np.cos(math.sqrt(1000.0) * (time[late] - _top_of_hinge()))
    assert angle[late] == pytest.approx(wanted, abs=1e-6)
    assert [e.kind for e in out.events()] == ["hinge_gives_in", "hinge_holds"]
    assert out.table("energy")["lost_in_coordinate_forces"][-1] == pytest.approx(50.0 * 0.065)


def _top_of_hinge() -> float:
    """Give when the hinge's peak is: a quarter swing to the limit, then a constant torque."""
    w, limit = math.sqrt(1000.0), 0.05
    begins = math.asin(limit * w / 3.0) / w
    return begins + math.sqrt(9.0 - (w * limit) ** 2) / 50.0


def test_a_hinge_whose_limit_grows_gives_in_on_both_ways() -> None:
    limit = table("limit", "rad", "N*m", [-1.0, 0.0, 1.0], [20.0, 20.0, 120.0])
    law = {"kind": "plastic", "stiffness": 1000.0, "limit": "limit", "limit_below": 10.0}
    data = wheel(1.0, 0.0, 3.0, law, duration=0.6, functions=[limit])
    out = solved(data)
    kinds = [e.kind for e in out.events()]
    assert kinds[:4] == ["hinge_gives_in", "hinge_holds", "hinge_gives_in", "hinge_holds"]
    assert np.min(seen(out, "torque")) >= -10.0 - 1e-9


def test_a_joint_that_has_broken_resists_no_longer() -> None:
    laws = [
        {"kind": "linear", "stiffness": 50.0},
        {"kind": "muscle", "stiffness": 90.0, "damping": 9.0},
    ]
    data = wheel(0.1, 0.3, 0.0, *laws, duration=0.2)
    data["joints"][0]["breakage"] = {"force_n": 5.0}
    data["functions"] = [{
        "id": "pull", "x_unit": "s", "y_unit": "N",
        "form": {"kind": "table", "x": [0.0, 0.1], "y": [0.0, 30.0]},
    }]  # fmt: skip
    data["loads"] = [{"id": "pull", "segment": "body", "axes": "ground", "history": "pull"}]
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    out = simulate(project(data))
    assert out.status == "completed", out.message
    broken = next(e.time for e in out.events() if e.kind == "joint_breaks")
    torque = seen(out, "torque")
    assert np.all(torque[out.time > broken] == 0.0)
    assert np.all(np.abs(torque[out.time < broken]) > 1.0)
    spin = out.table("segments")["angular_velocity"][out.time > broken]
    assert spin == pytest.approx(np.broadcast_to(spin[0], spin.shape), abs=1e-9)


def test_rest_and_stops_give_back_by_their_ratios() -> None:
    line = table("line", "m", "N", [0.0, 1.0], [0.0, 1000.0])
    for kind in ({"kind": "rest"}, {"kind": "stop", "lower": 0.0, "upper": 0.0}):
        law = kind | {"above": "line", "energy_ratio": 0.81}
        out = solved(slider(1.0, 0.0, 2.0, law, functions=[line], duration=0.2))
        # in with 2 m/s, out with 2 sqrt(0.81), then into the other side
        way = seen(out, "way")
        assert np.max(way) == pytest.approx(2.0 / math.sqrt(1000.0), rel=1e-3)
        rate = seen(out, "rate")
        assert np.min(rate) == pytest.approx(-1.8, rel=1e-3)


def test_what_goes_beyond_its_curve_is_told() -> None:
    """A curve that still rises at its end says nothing of what lies behind."""
    short = table("short", "m", "N", [0.0, 0.01], [0.0, 10.0])
    law = {"kind": "stop", "lower": -0.5, "upper": 0.02, "above": "short"}
    out = solved(slider(2.0, 0.0, 1.0, law, functions=[short], duration=0.1))
    told = [line for line in out.log if "beyond the end of 'short'" in line]
    assert len(told) == 1
    turned = table("short", "rad", "N*m", [0.0, 0.01], [0.0, 10.0])
    law = {"kind": "rest", "above": "short"}
    out = solved(wheel(2.0, 0.0, -1.0, law, functions=[turned], duration=0.1))
    assert sum("its torque stayed" in line for line in out.log) == 1
    long = table("short", "m", "N", [0.0, 1.0], [0.0, 1000.0])
    out = solved(slider(2.0, 0.0, 1.0, law, functions=[long], duration=0.1))
    assert not any("beyond the end" in line for line in out.log)


def test_stops_of_different_sides_and_forces() -> None:
    soft = table("soft", "rad", "N*m", [0.0, 1.0], [0.0, 200.0])
    hard = table("hard", "rad", "N*m", [0.0, 1.0], [0.0, 800.0])
    law = {"kind": "stop", "lower": -0.2, "upper": 0.1, "above": "soft", "below": "hard"}
    data = wheel(1.0, 0.0, 1.0, law, functions=[soft, hard])
    data["runs"][0]["frame_interval_s"] = 1e-3
    out = solved(data)
    assert np.max(seen(out, "angle")) == pytest.approx(0.1 + 1.0 / math.sqrt(200.0), abs=1e-4)
    assert np.min(seen(out, "angle")) == pytest.approx(-0.2 - 1.0 / math.sqrt(800.0), abs=1e-4)
    assert [e.kind for e in out.events()][:4] == [
        "stop_reached",
        "stop_left",
        "stop_reached",
        "stop_left",
    ]


def test_friction_and_drag_with_soft_beginnings() -> None:
    friction = {"kind": "coulomb", "size": 40.0, "full_rate": 1e-3}
    stopped = solved(slider(2.0, 0.0, 3.0, friction))
    # 20 m/s2 until 1 mm/s, then in proportion
    assert seen(stopped, "way")[-1] == pytest.approx((9.0 - 1e-6) / 40.0 + 1e-6 / 20.0, rel=1e-6)
    drag = solved(slider(2.0, 0.0, -3.0, {"kind": "viscous", "damping": 4.0}))
    assert seen(drag, "rate")[-1] == pytest.approx(-3.0 * math.exp(-2.0), rel=1e-7)
    # below the rate E: m v' = -C v^2 / E on either way
    for sign in (1.0, -1.0):
        soft = solved(
            slider(2.0, 0.0, 3.0 * sign, {"kind": "viscous", "damping": 4.0, "full_rate": 5.0})
        )
        assert seen(soft, "rate")[-1] == pytest.approx(sign / (1.0 / 3.0 + 4.0 / 10.0), rel=1e-7)


def test_laws_add_up() -> None:
    line = table("line", "m", "N", [-1.0, 1.0], [-300.0, 300.0])
    drag = table("drag", "m/s", "N", [-9.0, 9.0], [-18.0, 18.0])
    together = [
        {"kind": "linear", "stiffness": 500.0}, {"kind": "rate", "base": "line", "damping": "drag"},
        {"kind": "viscous", "damping": 3.0},
    ]  # fmt: skip
    out = solved(slider(2.0, 0.1, 0.0, *together, functions=[line, drag]))
    a, w = 5.0 / 4.0, math.sqrt(400.0 - 25.0 / 16.0)
    t = out.time
    wanted = 0.1 * np.exp(-a * t) * (np.cos(w * t) + a / w * np.sin(w * t))
    assert seen(out, "way") == pytest.approx(wanted, abs=1e-7)


def test_one_side_never_pushes() -> None:
    """A line over a distance: slack within, and damping alone does not drive it out."""
    law = {"kind": "linear", "stiffness": 500.0}, {"kind": "viscous", "damping": 20.0}
    out = solved(slider(2.0, 0.05, 0.0, *law, side="above"))
    force, way = seen(out, "force"), seen(out, "way")
    assert np.all(force[way <= 0.0] == 0.0)
    assert np.all(force >= 0.0)
    assert np.max(force) == pytest.approx(25.0)
    mirrored = solved(slider(2.0, -0.05, 0.0, *law, side="below"))
    assert seen(mirrored, "force") == pytest.approx(-force, abs=1e-9)


def free_pair(kind: str, **coordinate: Any) -> Any:
    """Join two free bodies by a law on a coordinate, turned, moving and off their centres."""
    bodies = [segment("one", 2.0, (0.02, 0.03, 0.04)), segment("two", 1.5, (0.03, 0.01, 0.02))]
    frame = {"position_m": [0.05, -0.02, 0.03], "orientation": {"angles_rad": [0.4, -0.3, 0.7]}}
    other = {"position_m": [-0.04, 0.06, 0.01], "orientation": {"angles_rad": [-0.2, 0.5, 0.1]}}
    ends: dict[str, Any] = {
        "a": {"segment": "one", "frame": frame}, "b": {"segment": "two", "frame": other},
    }  # fmt: skip
    if kind == "distance":
        ends = {"a": point("one", 0.05, -0.02, 0.03), "b": point("two", -0.04, 0.06, 0.01)}
    if kind == "component":
        ends["b"] = point("two", -0.04, 0.06, 0.01)
    starts = {
        "roots": [
            {"segment": "one", "velocity_m_per_s": [0.2, -0.1, 0.3]},
            {"segment": "two", "position_m": [0.3, 0.2, -0.1], "velocity_m_per_s": [-0.3, 0.2, 0.1]},
        ],
        "attitudes": [
            {"segment": "one", "orientation": {"angles_rad": [0.3, 0.1, -0.2]}, "angular_velocity_rad_per_s": [1.0, -2.0, 0.5]},
            {"segment": "two", "orientation": {"angles_rad": [-0.1, 0.4, 0.2]}, "angular_velocity_rad_per_s": [-0.5, 1.0, 2.0]},
        ],
    }  # fmt: skip
    data = base(
        0.5, segments=bodies, initial=starts,
        coordinate_forces=[{
            "id": "law", "coordinate": {"kind": kind, **ends, **coordinate},
            "laws": [
                {"kind": "linear", "stiffness": 0.8 if kind == "angle" else 40.0},
                {"kind": "viscous", "damping": 0.005 if kind == "angle" else 0.3},
            ],
        }],
    )  # fmt: skip
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    data["runs"][0]["frame_interval_s"] = 1e-3
    return data


@pytest.mark.parametrize("axis", ["x", "y", "z"])
@pytest.mark.parametrize("kind", ["component", "angle"])
def test_between_bodies_momentum_stays_and_the_account_closes(kind: str, axis: str) -> None:
    """A force that is not the gradient of its coordinate would leave a balance; a lone one, momentum."""
    _free(free_pair(kind, axis=axis), "angle" if kind == "angle" else "way")


def test_of_a_distance_too() -> None:
    _free(free_pair("distance"), "way")


def _free(data: Any, column: str) -> None:
    out = solved(data)
    energy = out.table("energy")
    assert np.max(np.abs(energy["momentum"] - energy["momentum"][0])) < 1e-9
    assert np.max(np.abs(energy["spin"] - energy["spin"][0])) < 1e-9
    value = seen(out, column)
    assert abs(value[0]) < 1e-12, "counted from the start"
    assert np.ptp(value) > 0.02
    rate = seen(out, {"angle": "angular_rate", "way": "rate"}[column])
    times = out.time
    assert np.trapezoid(rate, times) == pytest.approx(value[-1] - value[0], abs=5e-6)


def test_a_distance_is_the_spring_it_replaces() -> None:
    data = free_pair("distance")
    spring = dict(data)
    law = spring.pop("coordinate_forces")[0]["coordinate"]
    spring["springs"] = [{
        "id": "law", "kind": "linear", "a": law["a"], "b": law["b"],
        "stiffness_n_per_m": 40.0, "damping_ns_per_m": 0.3,
    }]  # fmt: skip
    one, other = solved(data), simulate(project(spring))
    assert one.table("segments")["position"] == pytest.approx(
        other.table("segments")["position"], abs=1e-9
    )


@pytest.mark.parametrize(
    "integrator",
    [{"kind": "rk4", "step_s": 1e-4}, {"kind": "vei"}],
    ids=["rk4", "vei"],
)
def test_other_integrators_follow_too(integrator: dict[str, Any]) -> None:
    laws = [MUSCLE, {"kind": "viscous", "damping": 3.0}]
    exact = solved(slider(2.0, 0.0, 1.0, *laws, duration=0.2))
    data = slider(2.0, 0.0, 1.0, *laws, duration=0.2)
    data["runs"][0]["integrator"] = integrator
    out = simulate(project(data))
    assert out.status == "completed"
    assert seen(out, "way") == pytest.approx(seen(exact, "way"), abs=2e-5)


def test_it_is_the_same_each_time() -> None:
    line = table("line", "m", "N", [0.0, 1.0], [0.0, 1000.0])
    law = {"kind": "rest", "above": "line", "energy_ratio": 0.7, "offset_ratio": 0.1}
    data = slider(1.0, 0.0, 2.0, law, MUSCLE, functions=[line], duration=0.3)
    one, other = solved(data), solved(data)
    assert np.array_equal(seen(one, "way"), seen(other, "way"))
