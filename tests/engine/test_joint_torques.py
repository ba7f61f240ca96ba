"""Torques in joints: the seed's formulas, energies, and one form against another."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solver.engine.forces.joints.springs import Frictions, Springs, friction_factor, spring_torque
from solver.engine.forces.system import JOINT_FRICTION, JOINT_SPRINGS
from solver.engine.maths.curve import constant, curve_area, curve_at, joined, table
from solver.engine.maths.rotation import from_angles, yaw_pitch_roll
from solver.project.azimuths import library, stop_angle
from solver.running.simulation import simulate
from tests.exploring import often
from tests.models import Bench, base, hung, project, segment

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
    whole = {"returned": 1.0} | values
    return Springs(*(np.array([whole.get(n, 0.0)]) for n in names), np.array([-1]), np.array([0]))


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


@pytest.mark.parametrize(("curve", "odd"), [(0, 1), (1, 0)])
@given(st.floats(-0.9, 0.9), st.floats(-3.0, 3.0), st.floats(0.0, 1.0))
def test_the_returned_part_also_holds_for_a_function(
    curve: int, odd: int, angle: float, rate: float, s4: float
) -> None:
    """The torque goes over from the whole to its returned part within 0.1 rad/s; what it gives back is less."""
    curves = joined([table([0.0, 1.0], [0.0, 4.0]), table([-1.0, 1.0], [-1.0, 4.0])])
    s = spring(returned=s4)._replace(curve=np.array([curve]), odd=np.array([odd]))
    torque, held = spring_torque(s, curves, 0, angle, rate)
    whole, energy = spring_torque(s._replace(returned=np.ones(1)), curves, 0, angle, rate)
    against = np.clip(10.0 * rate * np.sign(whole), -1.0, 1.0)
    assert torque == pytest.approx(whole * (0.5 * (1 + s4) + 0.5 * (1 - s4) * against))
    assert held == pytest.approx(0.5 * (1 + s4) * energy)


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


CONTOURS = {
    "shoulder": {"kind": "library", "name": "shoulder"},
    "knee": {"kind": "library", "name": "knee"},
    "round": {"kind": "polynomial", "coefficients": [0.6, 0.3, -0.2, 0.1, 0.15]},
    "drawn": {"kind": "function", "angle": "around"},
}
CONSERVATIVE = {
    "pin": {"kind": "pin", "spring": STIFF},
    "universal": {
        "kind": "universal", "first": {"centre_rad": 0.2, "spring": STIFF},
        "second": {"spring": {"linear_nm_per_rad": 2.0}},
    },
    "flexure": {"kind": "ball", "flexure": STIFF},
    "torsion": {"kind": "ball", "torsion": STIFF},
    "ball": {"kind": "ball", "flexure": STIFF, "torsion": {"torque": "bent"}},
    **{name: {"kind": "ball", "globographic": {"contour": contour, "torque": "stop"}}
       for name, contour in CONTOURS.items()},
    "slip": {"kind": "slip", "rotation": "pin_z", "torsion": STIFF, "slide": {"force": "pull"}},
    "slip_ball": {"kind": "slip", "rotation": "ball", "flexure": STIFF, "torsion": STIFF},
    "six": {
        "kind": "six", "x": {"force": "pull"}, "z": {"force": "pull"}, "yaw": {"spring": STIFF},
        "pitch": {"spring": STIFF, "centre_rad": 0.2}, "roll": {"spring": {"linear_nm_per_rad": 2.0}},
    },
    "euler_three": {
        "kind": "euler", "precession": {"spring": STIFF}, "nutation": {"spring": STIFF},
        "spin": {"spring": STIFF, "centre_rad": 0.3},
    },
    "euler_one": {
        "kind": "euler", "precession": {"lock": {"locked": True}}, "nutation": {"spring": STIFF},
        "spin": {"spring": STIFF, "centre_rad": 0.3},
    },
}  # fmt: skip
STOP = {
    "id": "stop", "x_unit": "rad", "y_unit": "N*m",
    "form": {"kind": "table", "x": [0.0, 1.0], "y": [0.0, 60.0]},
}  # fmt: skip
BENT = {
    "id": "bent", "x_unit": "rad", "y_unit": "N*m",
    "form": {"kind": "polynomial", "coefficients": [0.0, 5.0, 2.0, 1.5], "x_min": -4.0, "x_max": 4.0},
}  # fmt: skip
AROUND = {
    "id": "around", "x_unit": "rad", "y_unit": "rad",
    "form": {"kind": "polynomial", "coefficients": [0.7, 0.2, -0.3, 0.1, -0.008], "x_min": 0.0,
             "x_max": 6.5},
}  # fmt: skip
PULL = {
    "id": "pull", "x_unit": "m", "y_unit": "N",
    "form": {"kind": "table", "x": [-1.0, 0.0, 2.0], "y": [-50.0, 0.0, 30.0]},
}  # fmt: skip


@pytest.mark.parametrize("name", CONSERVATIVE)
@settings(max_examples=often(25))
@given(seed=seeds)
def test_springs_take_up_what_they_hold(name: str, seed: int) -> None:
    """The power of conservative springs is the rate of their energy, at any state."""
    data = between(CONSERVATIVE[name])
    data["functions"] = [PULL, STOP, BENT, AROUND]
    bench = Bench(data)
    q, v = bench.random_state(np.random.default_rng(seed))
    bench.rates(q, v)
    power, h = bench.powers[JOINT_SPRINGS], 1e-6
    later, before = bench.moved(q, v, h), bench.moved(q, v, -h)
    rate = (bench.held(later, v) - bench.held(before, v)) / (2 * h)
    assert -power == pytest.approx(rate, rel=1e-4, abs=1e-4 * (1 + abs(rate)))


LOSSY = STIFF | {"returned_ratio": 0.3}
GIVING_LESS = {
    "pin": {"kind": "pin", "spring": LOSSY},
    "function": {"kind": "pin", "spring": {"torque": "bent", "returned_ratio": 0.2}},
    "ball": {"kind": "ball", "flexure": LOSSY, "torsion": LOSSY},
    "one_sided": {"kind": "ball", "flexure": {"torque": "stop", "returned_ratio": 0.5}},
    "shoulder": {"kind": "ball", "globographic": {
        "contour": CONTOURS["shoulder"], "torque": "stop", "returned_ratio": 0.4}},
    "euler": {"kind": "euler", "nutation": {"spring": LOSSY}, "spin": {"spring": LOSSY}},
}  # fmt: skip


@pytest.mark.parametrize("name", GIVING_LESS)
@settings(max_examples=often(25))
@given(seed=seeds, speed=st.sampled_from([0.01, 0.1, 2.0]))
def test_springs_that_return_less_only_take(name: str, seed: int, speed: float) -> None:
    """What is above or below the torque at rest acts against the rate, at any state and speed."""
    data = between(GIVING_LESS[name])
    data["functions"] = [STOP, BENT]
    bench = Bench(data)
    q, v = bench.random_state(np.random.default_rng(seed))
    v = v * 0.5 * speed
    bench.rates(q, v)
    power, h = bench.powers[JOINT_SPRINGS], 1e-6 / speed
    later, before = bench.moved(q, v, h), bench.moved(q, v, -h)
    rate = (bench.held(later, v) - bench.held(before, v)) / (2 * h)
    assert -power - rate >= -1e-5 * (1 + abs(rate))


@settings(max_examples=often(20))
@given(seed=seeds)
def test_linear_flexure_and_torsion_do_no_work_on_a_closed_way(seed: int) -> None:
    """Around any closed course of attitudes; the sum is exact for smooth ones."""
    rng = np.random.default_rng(seed)
    spring = {"linear_nm_per_rad": 50.0}
    bench = Bench(hung({"kind": "ball", "flexure": spring, "torsion": spring}))
    parts = rng.normal(size=(2, 2, 3)) * 0.35
    count, h = 256, 1e-5

    def turn(s: float) -> np.ndarray:
        x = sum(parts[0, n] * math.sin((n + 1) * s) + parts[1, n] * math.cos((n + 1) * s)
                for n in range(2)) + np.array([0.9, 0.2, 0.1])  # fmt: skip
        return bench.moved(np.array([1.0, 0.0, 0.0, 0.0]), x, 1.0)

    work = size = 0.0
    for s in np.arange(count) * 2.0 * math.pi / count:
        q, a, b = turn(s), turn(s - h), turn(s + h)
        rate = (b - a) / (2 * h)
        w, x, y, z = q
        left = np.array([[-x, w, z, -y], [-y, -z, w, x], [-z, y, -x, w]])
        bench.rates(q, 2.0 * left @ rate)
        work += bench.powers[JOINT_SPRINGS] * 2.0 * math.pi / count
        size += abs(bench.powers[JOINT_SPRINGS]) * 2.0 * math.pi / count
    assert size > 1.0
    assert abs(work) < 1e-7 * size


TWISTED = {
    "kind": "ball", "torsion": {"linear_nm_per_rad": 50.0},
    # torsion that turns the body about one of its own principal axes alone would never bend the joint
    "child_frame": {"position_m": [0.0, 0.0, -0.5], "orientation": {"angles_rad": [0.0, 0.6, 0.3]}},
}  # fmt: skip


def twisting(law: str, flexure_deg: float) -> Any:
    """Let go a body that is bent, and twisted so that torsion holds 3.5 J."""
    twist, bend = math.sqrt(2.0 * 3.5 / 50.0), math.radians(flexure_deg)
    # precession 0, nutation `bend`, spin `twist` as yaw, pitch and roll
    R = from_angles((0.0, bend, twist), "zxz")
    values = yaw_pitch_roll(R).tolist()
    data = hung(TWISTED | {"torque_law": law}, values, gravity_m_per_s2=[0.0, 0.0, 0.0])
    return simulate(project(data)).table("energy")


@pytest.mark.parametrize("flexure_deg", [30.0, 120.0, 170.0])
def test_a_bent_joint_gives_back_what_torsion_took(flexure_deg: float) -> None:
    energy = twisting("conserving", flexure_deg)
    held = energy["strain"][0]
    assert energy["kinetic"] + energy["strain"] == pytest.approx(held, rel=1e-6)
    assert np.max(energy["kinetic"]) > 0.5 * held
    assert held == pytest.approx(3.5) if flexure_deg < 150.0 else held < 3.5


def test_torsion_as_printed_makes_energy_in_a_bent_joint() -> None:
    """The child's z axis (section 6.1) is the gradient of torsion only where the joint is straight."""
    energy = twisting("printed", 30.0)
    assert np.max(energy["kinetic"] + energy["strain"]) > 5.0 * energy["strain"][0]
    assert np.min(energy["lost_in_joint_springs"]) < -5.0 * energy["strain"][0]


def test_torsion_as_printed_acts_along_the_child_s_z() -> None:
    bench = Bench(hung(TWISTED | {"torque_law": "printed"}, [0.3, 0.4, 0.5]))
    bench.rates(bench.q, bench.v)
    z = from_angles((0.0, 0.6, 0.3), "zyx")[:, 2]
    assert np.cross(bench.work.applied.tau, z) == pytest.approx(0.0, abs=1e-12)
    assert np.linalg.norm(bench.work.applied.tau) > 1.0


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


@pytest.mark.parametrize("name", ANY)
@settings(max_examples=often(20))
@given(seed=seeds)
@example(seed=31385)
def test_power_is_what_bodies_gain_and_momentum_stays(name: str, seed: int) -> None:
    """Torques act and react: without other loads they change energy by their power alone."""
    data = between(ANY[name])
    data["functions"] = [PULL, STOP, BENT, AROUND]
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
    from solver.engine.forces.system import energies

    out = np.zeros(4)
    bench.rates(q, v)
    energies(bench.system.tree, bench.work.motion, bench.system.gravity, out)
    return float(out[0])


angles = st.floats(-2.9, 2.9).map(lambda angle: round(angle, 9))
"""Angles (rad); the check refuses numbers that are all but nothing."""


@settings(max_examples=40)
@given(angles, st.floats(0.1, 3.0), angles, seeds)
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
    scale = 1.0 + np.abs(ball.work.space.alpha[0]).max()
    assert np.allclose(ball.work.motion.w[0], turns.work.motion.w[2], atol=1e-9)
    assert np.allclose(ball.work.space.alpha[0], turns.work.space.alpha[2], atol=1e-6 * scale)


@pytest.mark.parametrize("name", sorted(library()))
@settings(max_examples=often(20))
@given(st.floats(0.0, 6.283), st.floats(0.02, 0.5))
def test_a_contour_as_printed_pushes_back_along_its_gradient(
    name: str, phi: float, beyond: float
) -> None:
    """Torque and depth of 6.2.5 against the gradient of theta - theta0 taken by differences."""
    stop = {"contour": {"kind": "library", "name": name}, "torque": "stop"}
    joint = {"kind": "ball", "globographic": stop, "torque_law": "printed"}
    bench = Bench(hung(joint, functions=[STOP]))
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
    assert np.allclose(bench.work.applied.torque[0], expected, rtol=1e-4, atol=1e-4)


def test_a_spring_below_zero_drives_away_from_its_centre() -> None:
    """A snapping joint: a cosh(sqrt(k / I) t), and the account knows what is held below zero."""
    data = hung({"kind": "pin", "spring": {"linear_nm_per_rad": -3.0}}, [0.1], duration=0.5)
    data["gravity_m_per_s2"] = [0.0, 0.0, 0.0]
    out = simulate(project(data))
    angle = out.table("joints")["angle"][:, 0, 0]
    about = 1 / 12 + 0.25
    assert angle == pytest.approx(0.1 * np.cosh(math.sqrt(3.0 / about) * out.time), rel=1e-7)
    energy = out.table("energy")
    assert np.abs(energy["balance"]).max() < 1e-9
    assert energy["strain"][-1] == pytest.approx(-1.5 * angle[-1] ** 2, rel=1e-9)
    assert np.abs(energy["lost_in_joint_springs"]).max() < 1e-9
