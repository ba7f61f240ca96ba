"""Contacts in motion: laws with memory, damping, impulses, several at once, against closed forms."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from scipy.integrate import quad, solve_ivp

from solver.engine.dynamics.tree import Array
from tests.balls_and_floors import FLOOR, FREE, balanced, ball, run
from tests.models import base


def function(id_: str, x: list[float], y: list[float], units: tuple[str, str] = ("m", "N")) -> Any:
    return {"id": id_, "x_unit": units[0], "y_unit": units[1],
            "form": {"kind": "table", "x": x, "y": y}}  # fmt: skip


def test_a_linear_pad_returns_its_part_and_keeps_its_offset() -> None:
    k, m, v = 1e5, 2.0, 3.0
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.5, "offset_ratio": 0.5}
    data = ball(law, v, functions=[function("pad", [0.0, 1.0], [0.0, k])])
    out = run(data, 0.05)
    depth = out.table("contacts")["penetration"][:, 0]
    deepest = v * math.sqrt(m / k)
    assert np.max(depth) == pytest.approx(deepest, rel=1e-4)
    speed = out.table("segments")["velocity"][-1, 0, 2]
    assert speed == pytest.approx(v * math.sqrt(0.5), rel=1e-7)
    force = out.table("contacts")["force"][:, 0, 2]
    leaves = depth[np.flatnonzero(force)[-1]]
    assert leaves == pytest.approx(0.5 * deepest, abs=3e-4)
    energy = out.table("energy")
    assert energy["lost_in_contacts"][-1] == pytest.approx(0.5 * 0.5 * m * v * v, rel=1e-6)
    balanced(out)


class Pad:
    """Follow section 7.5 by turning points: an independent reading, for a base of powers."""

    def __init__(
        self, base_: Any, spike: Any, spike_end: float, top: float, R: float, G: float
    ) -> None:
        self.base, self.spike, self.end, self.top, self.R, self.G = (
            base_,
            spike,
            spike_end,
            top,
            R,
            G,
        )
        self.law: Any = self.loading
        self.with_spike, self.ref, self.exit = True, 0.0, 0.0
        self.unloaded: Any = None

    def loading(self, d: float) -> float:
        return float(self.base(d) + (self.spike(d) if self.with_spike else 0.0))

    def turn_down(self, d: float, reloading: bool) -> None:
        force = self.law(d)
        if not reloading:
            self.ref, self.exit = d, self.G * d
            area = quad(self.base, 0.0, d, limit=500)[0]
            if d > self.top:
                self.with_spike = False
        else:
            area = quad(self.unloaded, self.exit, self.at, limit=200)[0]
            area += quad(self.law, self.at, d, limit=200)[0]
            # a parabola gives no more than has been put in: else it ends sooner
            self.exit = max(self.exit, d - 3.0 * area / force)
        span = d - self.exit
        q1 = min(max((6 * self.R * area / span - 2 * force) / span, 0.0), 2 * force / span)
        q2 = (force / span - q1) / span
        start = self.exit
        self.law = self.unloaded = lambda x: max(x - start, 0) * (q1 + max(x - start, 0) * q2)
        self.slope = lambda x: q1 + 2 * max(x - start, 0) * q2

    def turn_up(self, d: float) -> None:
        self.at = max(d, self.exit)
        c0, c1, span = self.law(self.at), self.slope(self.at), self.ref - self.at
        top, step = self.loading(self.ref), 1e-7
        slope = (self.loading(self.ref + step) - top) / step
        c2, c3 = np.linalg.solve(
            [[span**2, span**3], [2 * span, 3 * span**2]], [top - c0 - c1 * span, slope - c1]
        )
        at = self.at
        self.law = lambda x: (
            0.0 if x < at else c0 + c1 * (x - at) + c2 * (x - at) ** 2 + c3 * (x - at) ** 3
        )


def pushed(depths: list[float], times: list[float], law: dict[str, Any], **parts: Any) -> Any:
    """Push a driven ball into the floor to given depths at given times, resting at each."""
    t, y = [0.0], [0.0]
    for at, depth in zip(times, depths, strict=True):
        u = np.linspace(0.0, 1.0, 201)[1:]
        t.extend(t[-1] + u * (at - t[-1]))
        y.extend(y[-1] + (3 * u**2 - 2 * u**3) * (depth - y[-1]))
    data = ball(law, 0.0, **parts)
    # speed as a table, so that place is exactly integrated
    speed = np.gradient(np.array(y), np.array(t))
    speed[0] = 0.0
    data["motions"] = [{
        "id": "push", "segment": "ball",
        "components": [{"component": "z", "quantity": "velocity",
                        "pulse": {"kind": "function", "function": "speed"}}],
    }]  # fmt: skip
    data["functions"] = [*data.get("functions", []),
                         function("speed", list(map(float, t)), list(map(float, -speed)), ("s", "m/s"))]  # fmt: skip
    return data


@pytest.mark.parametrize("with_spike", [False, True])
def test_partial_cycles_follow_the_seed(with_spike: bool) -> None:
    law: dict[str, Any] = {
        "kind": "hysteretic",
        "base": "pad",
        "energy_ratio": 0.45,
        "offset_ratio": 0.3,
    }
    k = 4e4
    functions = [function("pad", [0.0, 1.0], [0.0, k])]
    if with_spike:
        law["spike"] = "spike"
        functions.append(function("spike", [0.0, 0.004, 0.008, 1.0], [0.0, 300.0, 0.0, 0.0]))
    turns = [0.012, 0.008, 0.010, 0.007, 0.016, 0.002, 0.011, 0.009, 0.020, 0.012]
    data = pushed(turns, [0.01 * (n + 1) for n in range(len(turns))], law, functions=functions)
    out = run(data, 0.1, 20_000.0)
    depth = 0.1 - out.table("segments")["position"][:, 0, 2]
    force = out.table("contacts")["force"][:, 0, 2]

    def spike(d: float) -> float:
        return float(np.interp(d, [0.0, 0.004, 0.008], [0.0, 300.0, 0.0])) if with_spike else 0.0

    pad = Pad(lambda d: k * d, spike, 0.008, 0.004, 0.45, 0.3)
    expected, state, last = [], "load", 0.0
    for d in depth:
        if state == "load" and last > 1e-6 and d < last - 1e-13:
            pad.turn_down(last, False)
            state = "out"
        elif state == "in" and d < last - 1e-13:
            pad.turn_down(last, True)
            state = "out"
        elif state == "out" and d > last + 1e-13:
            pad.turn_up(last)
            state = "in"
        if state == "in" and d > pad.ref:
            pad.law, state = pad.loading, "load"
        expected.append(pad.law(d))
        last = d
    assert force == pytest.approx(np.array(expected), abs=2.0)
    assert np.max(force) > 700.0
    energy = out.table("energy")
    assert np.max(np.abs(energy["balance"])) < 1e-6
    work = -np.trapezoid(
        force * out.table("segments")["velocity"][:, 0, 2],
        out.table("energy")["kinetic"] * 0 + np.arange(len(force)) / 20_000.0,
    )
    assert energy["strain"][-1] + energy["lost_in_contacts"][-1] == pytest.approx(work, rel=1e-3)
    assert energy["lost_in_contacts"][-1] > 0.0


def test_a_closed_loop_of_the_pad_absorbs_and_never_gives() -> None:
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.45, "offset_ratio": 0.3}
    rng = np.random.default_rng(3)
    turns = np.empty(16)
    turns[::2], turns[1::2] = rng.uniform(0.01, 0.02, 8), rng.uniform(0.0, 0.01, 8)
    data = pushed(
        [*map(float, turns), -0.005], [0.01 * (n + 1) for n in range(17)], law,
        functions=[function("pad", [0.0, 1.0], [0.0, 4e4])],
    )  # fmt: skip
    out = run(data, 0.17, 5000.0)
    energy = out.table("energy")
    assert energy["strain"][-1] == pytest.approx(0.0, abs=1e-12)
    # all that was put in is lost
    put_in = energy["external"][-1] - energy["kinetic"][-1]
    assert put_in == pytest.approx(energy["lost_in_contacts"][-1], rel=1e-9)
    assert energy["external"][-1] > 0.5


def test_two_aluminium_spheres_leave_an_indentation() -> None:
    # reference: published, 336 N and 7.92e-6 m; solved independently 334.6 N, 7.89e-6 m, 129.0 us
    law = {"kind": "permanent_indentation", "stiffness_n_per_mn": 5.5e9, "loss_restitution": 0.7}
    data = ball(law, 0.3, mass=0.046, radius=0.02)
    out = run(data, 3e-4, 1e6)
    contact = out.table("contacts")
    force = contact["force"][:, 0, 2]
    assert np.max(force) == pytest.approx(334.6, abs=0.1)
    assert out.table("segments")["velocity"][-1, 0, 2] == pytest.approx(0.21, rel=1e-6)
    last = np.flatnonzero(force)[-1]
    assert contact["penetration"][last, 0] == pytest.approx(7.89e-6, abs=3e-7)
    assert last / 1e6 == pytest.approx(129.0e-6, abs=2e-6)


@pytest.mark.parametrize(
    ("v", "k", "mu", "peak"), [(0.5, 685.7, 9428.6, 4.2202), (1.0, 2285.7, 20000.0, 16.8911)]
)
def test_a_mass_on_a_damped_hertz_contact(v: float, k: float, mu: float, peak: float) -> None:
    law = {
        "kind": "hunt_crossley",
        "stiffness_n_per_mn": k,
        "exponent": 1.5,
        "damping_s_per_m": mu / k,
    }
    out = run(ball(law, v, mass=6.0), 0.3, 20_000.0)
    a = np.abs(out.table("segments")["acceleration"][:, 0, 2])
    assert np.max(a) == pytest.approx(peak, rel=2e-4)


LAWS: list[tuple[dict[str, Any], Any]] = [
    ({"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "damping_ns_per_m": 90.0},
     lambda d, u, v: 1e5 * d + 90.0 * u),
    ({"kind": "damped", "base": "pad", "damping_ns_per_m": 60.0}, lambda d, u, v: 4e4 * d + 60.0 * u),
    ({"kind": "exponential_panel", "force_n": 200.0, "growth_per_m": 60.0, "damping_ns_per_m": 20.0},
     lambda d, u, v: 200.0 * (math.exp(60.0 * d) - 1.0) + 20.0 * math.exp(60.0 * d) * u),
    ({"kind": "lankarani_nikravesh", "stiffness_n_per_mn": 3e6, "loss_restitution": 0.8},
     lambda d, u, v: 3e6 * d**1.5 * (1.0 + 0.75 * (1 - 0.64) * u / v)),
    ({"kind": "rate", "base": "pad", "factor": "factor", "gate": "gate", "damping": "damping"},
     lambda d, u, v: 4e4 * d + 2e4 * d * np.interp(u, [0.0, 2.0], [0.0, 1.0]) + 30.0 * u),
]  # fmt: skip
CURVES = [
    function("pad", [0.0, 1.0], [0.0, 4e4]), function("factor", [0.0, 1.0], [0.0, 2e4]),
    function("gate", [0.0, 2.0], [0.0, 1.0], ("m/s", "1")),
    function("damping", [-10.0, 10.0], [-300.0, 300.0], ("m/s", "N")),
]  # fmt: skip


@pytest.mark.parametrize(("law", "force"), LAWS, ids=[law["kind"] for law, _ in LAWS])
def test_damped_laws_follow_their_equation(law: dict[str, Any], force: Any) -> None:
    m, v = 2.0, 1.5

    def rates(t: float, y: Array) -> list[float]:
        return [y[1], -max(force(max(y[0], 0.0), y[1], v), 0.0) / m if y[0] > 0.0 else 0.0]

    def out_again(t: float, y: Array) -> float:
        return float(y[0] + (1.0 if t < 1e-4 else 0.0))

    out_again.terminal = True  # type: ignore[attr-defined]
    exact = solve_ivp(
        rates, (0.0, 0.2), [1e-12, v], rtol=1e-11, atol=1e-14, events=out_again, max_step=1e-4
    )
    out = run(ball(law, v, functions=CURVES), 0.1, 20_000.0)
    assert out.table("segments")["velocity"][-1, 0, 2] == pytest.approx(-exact.y[1, -1], rel=1e-6)
    assert np.max(out.table("contacts")["penetration"]) == pytest.approx(
        np.max(exact.y[0]), rel=1e-4
    )
    assert np.min(out.table("contacts")["force"][:, 0, 2]) >= 0.0
    balanced(out)


@pytest.mark.parametrize("restitution", [1.0, 0.5, 0.0, -1.0])
def test_an_impulse_turns_the_speed_around(restitution: float) -> None:
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "restitution": restitution}
    out = run(ball(law, 2.0, height=0.12), 0.04)
    first = int(0.0105 * 10_000)
    speed = out.table("segments")["velocity"][first, 0, 2]
    if restitution >= 0.0:
        assert speed == pytest.approx(2.0 * restitution, abs=1e-9)
    else:
        # no change: the law alone acts
        assert out.table("segments")["velocity"][-1, 0, 2] == pytest.approx(2.0, rel=1e-6)
    balanced(out)


def test_a_double_pendulum_strikes_the_ground() -> None:
    a, b = math.radians(18.0), math.radians(12.0)
    depth = math.cos(a) + math.cos(a + b)
    rod = [1 / 12, 1 / 12, 1e-9]
    radius = 1e-6
    data = base(
        0.001,
        segments=[
            {"id": "one", "mass_kg": 1.0, "inertia_kgm2": rod},
            {"id": "two", "mass_kg": 1.0, "inertia_kgm2": rod, "surfaces": [
                {"id": "tip", "kind": "ellipsoid", "semi_axes_m": [radius] * 3, "centre_m": [0, 0, -0.5]}]},
        ],
        joints=[
            {"id": "top", "kind": "pin", "parent": "ground", "child": "one",
             "parent_frame": {"position_m": [0, 0, depth]}, "child_frame": {"position_m": [0, 0, 0.5]}},
            {"id": "elbow", "kind": "pin", "parent": "one", "child": "two",
             "parent_frame": {"position_m": [0, 0, -0.5]}, "child_frame": {"position_m": [0, 0, 0.5]}},
        ],
        planes=[FLOOR],
        contact_laws=[{"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e-3, "friction": 0.2, "restitution": 0.5}],
        contacts=[{"id": "pair", "kind": "plane", "plane": "floor", "law": "law", "edge": "none",
                   "surface": {"segment": "two", "surface": "tip"}}],
        initial={"joints": [{"joint": "top", "values": [-a], "rates": [1.0]},
                            {"joint": "elbow", "values": [-b], "rates": [1.0]}]},
    )  # fmt: skip
    data |= FREE
    out = run(data, 1e-6, 1e6, kind="rk4", step_s=1e-7)
    tip = out.table("segments")
    v, w = tip["velocity"][-1, 1], tip["angular_velocity"][-1, 1, 1]
    tangential, normal = v[0] - 0.5 * w * math.cos(a + b), v[2] - 0.5 * w * math.sin(a + b)
    assert abs(normal) == pytest.approx(0.5 * 1.3090, rel=1e-3)
    assert abs(tangential) == pytest.approx(0.2368, abs=2e-4)
    energy = out.table("energy")
    # printed: 0.3607 of 2.31148 J, which is a part
    before = energy["kinetic"][-1] + energy["lost_in_impulses"][-1]
    assert before == pytest.approx(2.31148, abs=1e-5)
    assert energy["lost_in_impulses"][-1] / before == pytest.approx(0.3607, abs=1e-4)


def test_two_balls_that_strike_at_the_same_instant_do_the_same() -> None:
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.5, "offset_ratio": 0.5}
    data = ball(law, 0.0, functions=[CURVES[0]])
    one = data["segments"][0]
    data["segments"] = [{**one, "id": f"ball{n}"} for n in range(3)]
    data["contacts"] = [{**data["contacts"][0], "id": f"pair{n}",
                         "surface": {"segment": f"ball{n}", "surface": "skin"}} for n in range(3)]  # fmt: skip
    data["initial"]["roots"] = [
        {"segment": f"ball{n}", "position_m": [0.5 * n, 0, 0.15 + 1e-7 * (n == 2)], "velocity_m_per_s": [0, 0, -2.0]}
        for n in range(3)
    ]  # fmt: skip
    out = run(data, 0.1, 1000.0)
    v = out.table("segments")["velocity"][-1, :, 2]
    assert v[0] == pytest.approx(2.0 * math.sqrt(0.5), rel=1e-6)
    assert v[0] == v[1]
    assert v[2] == pytest.approx(v[0], rel=1e-6)


def test_balls_meet_in_the_middle_and_an_inner_ball_swings_in_its_shell() -> None:
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5}
    data = ball(law, 0.0)
    shell = {"id": "shell", "mass_kg": 4.0, "inertia_kgm2": [0.1] * 3,
             "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": [0.3] * 3}]}  # fmt: skip
    data["segments"].append(shell)
    data["contacts"] = [{"id": "pair", "kind": "surfaces", "law": "law", "inside": True,
                         "first": {"segment": "ball", "surface": "skin"},
                         "second": {"segment": "shell", "surface": "skin"}}]  # fmt: skip
    data["initial"]["roots"] = [
        {"segment": "ball", "position_m": [0, 0, 0], "velocity_m_per_s": [3.0, 0, 0]},
        {"segment": "shell", "position_m": [0, 0, 0]},
    ]
    inside = run(data, 0.5, 2000.0)
    momentum = inside.table("energy")["momentum"]
    assert momentum == pytest.approx(np.tile([6.0, 0.0, 0.0], (len(momentum), 1)), abs=1e-9)
    assert inside.table("energy")["kinetic"][-1] + inside.table("energy")["strain"][
        -1
    ] == pytest.approx(9.0, rel=1e-6)
    gap = (
        inside.table("segments")["position"][:, 0, 0]
        - inside.table("segments")["position"][:, 1, 0]
    )
    assert np.max(np.abs(gap)) < 0.22
    assert np.max(np.abs(gap)) > 0.2
    data["contacts"][0]["inside"] = False
    data["initial"]["roots"] = [
        {"segment": "ball", "position_m": [-0.5, 0, 0], "velocity_m_per_s": [3.0, 0, 0]},
        {"segment": "shell", "position_m": [0, 0, 0]},
    ]
    outside = run(data, 0.2, 2000.0)
    v = outside.table("segments")["velocity"][-1, :, 0]
    # an elastic impact of 2 and 4 kg
    assert v == pytest.approx([-1.0, 2.0], rel=1e-6)


@pytest.mark.parametrize(
    "integrator",
    [{"kind": "rk4", "step_s": 1e-4}, {"kind": "vei"}, {"kind": "semi_implicit_euler", "step_s": 1e-5}],
    ids=["rk4", "vei", "euler"],
)  # fmt: skip
def test_all_integrators_see_the_same_contact(integrator: dict[str, Any]) -> None:
    law = {"kind": "hysteretic", "base": "pad", "energy_ratio": 0.5, "offset_ratio": 0.5}
    out = run(ball(law, 2.0, functions=[CURVES[0]]), 0.06, 1000.0, **integrator)
    v = out.table("segments")["velocity"][-1, 0, 2]
    assert v == pytest.approx(2.0 * math.sqrt(0.5), rel=2e-2)


def test_the_error_falls_with_the_tolerance() -> None:
    law = {
        "kind": "hysteretic",
        "base": "pad",
        "energy_ratio": 0.5,
        "offset_ratio": 0.4,
        "friction": 0.3,
    }
    data = ball(law, 0.0, height=0.13, velocity=[1.5, 0.4, -2.5], functions=[CURVES[0]])
    data["segments"][0]["surfaces"][0]["semi_axes_m"] = [0.12, 0.1, 0.08]
    errors, last = [], None
    for tolerance in (1e-3, 1e-5, 1e-7, 1e-9, 1e-11):
        out = run(data, 0.12, 1000.0, kind="dopri", relative_tolerance=tolerance,
                  absolute_tolerance=1e-2 * tolerance, largest_step_s=0.02)  # fmt: skip
        v = out.table("segments")["velocity"][-1, 0]
        errors.append(v)
        last = v
    size = [float(np.linalg.norm(v - last)) for v in errors[:-1]]
    assert size[1] < 1e-3
    assert size[2] < 1e-5
    assert size[3] < 1e-7


def pressed_on(force: Any, least: float | None, e: float = 0.5, v: float = 1e-7) -> tuple[Any, Any]:
    """Let a ball of 2 kg touch ever so slowly, and press it by a force by time (N, s); give the run and its depth."""
    law = {
        "kind": "lankarani_nikravesh",
        "stiffness_n_per_mn": 1e5,
        "exponent": 1.0,
        "loss_restitution": e,
    }
    if least is not None:
        law["least_impact_speed_m_per_s"] = least
    data = ball(law, v, functions=[function("push", *force, ("s", "N"))])
    data["loads"] = [
        {
            "id": "push",
            "segment": "ball",
            "direction": [0.0, 0.0, -1.0],
            "axes": "ground",
            "history": "push",
        }
    ]
    out = run(data, 0.12, 10_000.0)
    assert out.status == "completed", out.message
    return out, out.table("contacts")["penetration"][:, 0]


def test_a_slow_touch_leaves_damping_within_its_bound() -> None:
    """Pressed at up to 0.5 m/s after a touch at 1e-7 m/s: by an own integration of F = k d (1 + 0.5625 u), |u| at most 1."""
    times, pushes = [0.0, 0.03, 0.06, 0.12], [0.0, 400.0, 50.0, 50.0]

    def rates(t: float, y: Array) -> list[float]:
        part = min(max(y[1] / 0.01, -1.0), 1.0)
        force = max(1e5 * max(y[0], 0.0) * (1.0 + 0.5625 * part), 0.0)
        return [y[1], (np.interp(t, times, pushes) - force) / 2.0]

    out, depth = pressed_on((times, pushes), None)
    exact = solve_ivp(
        rates, (0.0, 0.12), [0.0, 1e-7], rtol=1e-9, atol=1e-13, max_step=1e-4, t_eval=out.time
    )
    # until it first comes off
    first = int(np.argmax(exact.y[0] < 0.0))
    assert first > 500
    assert depth[:first] == pytest.approx(exact.y[0][:first], abs=1e-3 * depth.max())
    force = out.table("contacts")["force"][:, 0, 2]
    inside = depth > 1e-5
    assert inside.sum() > 500
    quotient = np.linalg.norm(out.table("contacts")["force"][:, 0], axis=1)[inside] / (
        1e5 * depth[inside]
    )
    assert quotient.max() < 1.5625 + 1e-6
    assert quotient.min() > 0.4375 - 1e-6
    assert force.max() > 300.0
    lost = out.table("energy")["lost_in_contacts"]
    assert np.min(np.diff(lost)) > -1e-9
    balanced(out)


def test_without_a_least_speed_the_damping_is_as_printed() -> None:
    """The print divides by the rate at impact, however small: a touch at 1e-4 m/s is hardly pressed in by 400 N."""
    pushes = ([0.0, 0.03, 0.12], [0.0, 400.0, 400.0])
    _, bound = pressed_on(pushes, None, v=1e-4)
    _, printed = pressed_on(pushes, 0.0, v=1e-4)
    assert printed.max() < 0.2 * bound.max()
    assert bound.max() == pytest.approx(400.0 / 1e5, rel=0.2)
