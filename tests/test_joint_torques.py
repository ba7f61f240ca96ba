"""Torques in joints: the seed's formulas, energies, and one form against another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.forces.joint_springs import Frictions, Springs, friction_factor, spring_torque
from solver.forces.system import JOINT_FRICTION, JOINT_SPRINGS
from solver.maths.curve import constant, curve_area, curve_at, joined, table
from solver.project.contours import library, stop_angle
from tests.models import Bench, base, hung, segment

seeds = st.integers(0, 10**9)
STIFF = {
    "linear_nm_per_rad": 3.0, "stop_rad": 0.4, "quadratic_nm_per_rad2": 8.0,
    "cubic_nm_per_rad3": 5.0,
}  # fmt: skip
FRAME = {"position_m": [0.1, -0.2, 0.3], "orientation": {"angles_rad": [0.4, -0.3, 0.9]}}
OTHER = {"position_m": [0.0, 0.1, -0.5], "orientation": {"angles_rad": [-0.2, 0.5, 0.1]}}


def between(joint: dict[str, Any]) -> Any:
    """Join two bodies, the first of them free, by frames turned anyhow."""
    whole = {
        "id": "joint", "parent": "a", "child": "b", "parent_frame": FRAME, "child_frame": OTHER,
        **joint,
    }  # fmt: skip
    # away from the nutation at which the three axes lie in a plane
    values = [{"joint": "joint", "values": [0.1, 0.9, 0.2]}] if joint["kind"] == "euler" else []
    return base(
        initial={"joints": values},
        segments=[segment("a", 2.0, (0.1, 0.2, 0.25)), segment("b", 1.5, (0.05, 0.06, 0.03))],
        joints=[whole], gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip


def spring(**values: float) -> Springs:
    names = ("linear", "stop", "quadratic", "cubic", "returned")
    return Springs(*(np.array([values.get(n, 0.0)]) for n in names), np.array([-1]), np.array([0]))


@given(st.floats(-2.0, 2.0), st.floats(-3.0, 3.0), st.floats(0.0, 1.0))
def test_a_spring_follows_the_printed_algorithm(angle: float, rate: float, s4: float) -> None:
    s = spring(linear=3.0, stop=0.4, quadratic=8.0, cubic=5.0, returned=s4)
    torque, _ = spring_torque(s, joined([]), 0, angle, rate)
    size = abs(angle)
    expected, stop = 3.0 * size, 0.0
    if size > 0.4:
        stop = 8.0 * (size - 0.4) ** 2 + 5.0 * (size - 0.4) ** 3
    away = rate if angle >= 0 else -rate
    if away <= -0.1:
        stop *= s4
    elif away < 0.1:
        stop *= (1 + s4) / 2 + away / 0.1 * (1 - s4) / 2
    assert torque == pytest.approx(math.copysign(expected + stop, angle) if angle else 0.0)


@given(st.floats(-20.0, 20.0), st.floats(0.0, 3.0), st.floats(0.0, 9.0), st.floats(0.01, 5.0))
def test_friction_follows_equation_6_3(rate: float, v1: float, v2: float, v3: float) -> None:
    f = Frictions(np.array([v1]), np.array([v2]), np.array([v3]))
    z = v3 / (2 - abs(rate) / v3) if abs(rate) < v3 else abs(rate)
    assert friction_factor.py_func(f, 0, rate) == pytest.approx(v1 + v2 / z)


def test_a_function_for_one_side_holds_for_both() -> None:
    curves = joined([table([0.0, 1.0], [0.0, 4.0]), table([-1.0, 1.0], [-1.0, 4.0]), constant(2.0)])
    for curve, odd, expected in ((0, 1, -2.0), (1, 0, 0.25), (2, 1, -2.0)):
        s = spring()._replace(curve=np.array([curve]), odd=np.array([odd]))
        torque, energy = spring_torque(s, curves, 0, -0.5, 0.0)
        assert torque == pytest.approx(expected)
        side = 0.5 if odd else -0.5
        assert energy == pytest.approx(curve_area(curves, curve, side))
        assert curve_at(curves, curve, side)[0] == pytest.approx(abs(expected) if odd else 0.25)


CONSERVATIVE = {
    "pin": {"kind": "pin", "spring": STIFF},
    "universal": {
        "kind": "universal", "first": {"centre_rad": 0.2, "spring": STIFF},
        "second": {"spring": {"linear_nm_per_rad": 2.0}},
    },
    "flexure": {"kind": "ball", "flexure": STIFF},
    "slip": {"kind": "slip", "rotation": "pin_z", "torsion": STIFF, "slide": {"force": "pull"}},
    "slip_ball": {"kind": "slip", "rotation": "ball", "flexure": STIFF},
    "euler_three": {
        "kind": "euler", "precession": {"spring": STIFF}, "nutation": {"spring": STIFF},
        "spin": {"spring": STIFF, "centre_rad": 0.3},
    },
    "euler_one": {
        "kind": "euler", "precession": {"lock": {"locked": True}}, "nutation": {"spring": STIFF},
        "spin": {"spring": STIFF, "centre_rad": 0.3},
    },
}  # fmt: skip
PULL = {
    "id": "pull", "x_unit": "m", "y_unit": "N",
    "form": {"kind": "table", "x": [-1.0, 0.0, 2.0], "y": [-50.0, 0.0, 30.0]},
}  # fmt: skip


@pytest.mark.parametrize("name", CONSERVATIVE)
@settings(max_examples=25)
@given(seed=seeds)
def test_springs_take_up_what_they_hold(name: str, seed: int) -> None:
    """The power of conservative springs is the rate of their energy, at any state."""
    data = between(CONSERVATIVE[name])
    data["functions"] = [PULL]
    bench = Bench(data)
    q, v = bench.random_state(np.random.default_rng(seed))
    bench.rates(q, v)
    power, h = bench.powers[JOINT_SPRINGS], 1e-6
    later, before = bench.moved(q, v, h), bench.moved(q, v, -h)
    rate = (bench.held(later, v) - bench.held(before, v)) / (2 * h)
    assert -power == pytest.approx(rate, rel=1e-4, abs=1e-4 * (1 + abs(rate)))


ANY = {
    **CONSERVATIVE,
    "ball": {
        "kind": "ball", "flexure": STIFF, "torsion": STIFF,
        "friction": {"viscous_nms_per_rad": 0.3, "coulomb_nm": 1.0},
        "globographic": {"contour": {"kind": "library", "name": "shoulder"}, "torque": "stop"},
    },
    "euler": {
        "kind": "euler", "precession": {"spring": STIFF}, "nutation": {"spring": STIFF},
        "spin": {"spring": STIFF, "friction": {"coulomb_nm": 2.0}},
    },
    "euler_two": {
        "kind": "euler", "precession": {"spring": STIFF}, "spin": {"spring": STIFF},
        "nutation": {"lock": {"locked": True}},
        "globographic": {"contour": {"kind": "library", "name": "neck"}, "torque": "stop"},
    },
}  # fmt: skip
STOP = {
    "id": "stop", "x_unit": "rad", "y_unit": "N*m",
    "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 60.0]},
}  # fmt: skip


@pytest.mark.parametrize("name", ANY)
@settings(max_examples=20)
@given(seed=seeds)
@example(seed=31385)
def test_power_is_what_bodies_gain_and_momentum_stays(name: str, seed: int) -> None:
    """Torques act and react: without other loads they change energy by their power alone."""
    data = between(ANY[name])
    data["functions"] = [PULL, STOP]
    bench = Bench(data)
    q, v = bench.random_state(np.random.default_rng(seed))
    rates = bench.rates(q, v)
    power = bench.powers[JOINT_SPRINGS] + bench.powers[JOINT_FRICTION]
    # near a singular attitude the rates grow, and with them what a step bends
    h = min(1e-5, 1e-3 / float(np.max(np.abs(rates))))
    gained = []
    for sign in (1.0, -1.0):
        middle = v + 0.5 * sign * h * rates
        gained.append(kinetic(bench, bench.moved(q, middle, sign * h), v + sign * h * rates))
    rate = (gained[0] - gained[1]) / (2 * h)
    assert rate == pytest.approx(power, rel=1e-4, abs=1e-4 * (1 + abs(gained[0])))
    assert bench.powers[JOINT_FRICTION] <= 0.0


def kinetic(bench: Bench, q: np.ndarray, v: np.ndarray) -> float:
    from solver.forces.system import energies

    out = np.zeros(4)
    bench.rates(q, v)
    energies(bench.system.tree, bench.work.motion, bench.system.gravity, out)
    return float(out[0])


@settings(max_examples=40)
@given(st.floats(-2.9, 2.9), st.floats(0.1, 3.0), st.floats(-2.9, 2.9), seeds)
def test_an_euler_joint_is_the_same_as_a_ball_and_as_three_turns(
    phi: float, theta: float, psi: float, seed: int
) -> None:
    axes = {name: {"spring": STIFF, "centre_rad": 0.1 * k, "friction": {"coulomb_nm": 0.5}}
            for k, name in enumerate(("precession", "nutation", "spin"))}  # fmt: skip
    rates = list(np.random.default_rng(seed).normal(size=3) * 3.0)
    start = {"joints": [{"joint": "joint", "values": [phi, theta, psi], "rates": rates}]}
    ball = Bench(hung({"kind": "euler", **axes}, initial=start))
    # an axis that starts held has a body of its own; it is opened by hand
    axes["precession"]["lock"] = {"locked": True}
    turns = Bench(hung({"kind": "euler", **axes}, initial=start))
    turns.system.locked[:] = 0
    turns.v[turns.system.tree.at_v] = rates
    assert len(turns.system.tree.parent) == 3
    ball.rates(ball.q, ball.v)
    turns.rates(turns.q, turns.v)
    scale = 1.0 + np.abs(ball.work.room.alpha[0]).max()
    assert np.allclose(ball.work.motion.w[0], turns.work.motion.w[2], atol=1e-9)
    assert np.allclose(ball.work.room.alpha[0], turns.work.room.alpha[2], atol=1e-6 * scale)


@pytest.mark.parametrize("name", sorted(library()))
@settings(max_examples=20)
@given(st.floats(0.0, 6.283), st.floats(0.02, 0.5))
def test_a_contour_pushes_back_along_its_gradient(name: str, phi: float, beyond: float) -> None:
    """Torque and depth of 6.2.5 against the gradient of theta - theta0 taken by differences."""
    stop = {"contour": {"kind": "library", "name": name}, "torque": "stop"}
    bench = Bench(hung({"kind": "ball", "globographic": stop}, functions=[STOP]))
    theta = float(stop_angle(library()[name], phi)) + beyond
    axis = np.array([-math.sin(phi), math.cos(phi), 0.0])
    half = 0.5 * theta
    q = np.array([math.cos(half), *(math.sin(half) * axis)])

    def excess(r: np.ndarray) -> float:
        angle = math.atan2(math.hypot(r[0], r[1]), r[2])
        return angle - float(stop_angle(library()[name], math.atan2(r[1], r[0])))

    r = np.array(
        [math.sin(theta) * math.cos(phi), math.sin(theta) * math.sin(phi), math.cos(theta)]
    )
    h = 1e-6
    gradient = np.array([excess(r + h * e) - excess(r - h * e) for e in np.eye(3)]) / (2 * h)
    gradient -= r * (r @ gradient)
    bench.rates(q, np.zeros(3))
    depth = beyond / np.linalg.norm(gradient)
    # at rest the torque is half way between loading and unloading; here both are the same
    expected = -60.0 * min(depth, 1.0) * np.cross(r, gradient) / np.linalg.norm(gradient)
    assert np.allclose(bench.work.torque[0], expected, rtol=1e-4, atol=1e-4)
