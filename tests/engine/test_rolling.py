"""Rolling and sliding: closed forms, and geometry of ellipsoids by brute force."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest
from scipy.optimize import minimize
from scipy.spatial.transform import Rotation

from solver.project.checks import Checked
from solver.running.simulation import simulate
from tests.models import Bench, base, point, project, segment

R = 0.1


def ball(id_: str = "ball", semi: tuple[float, ...] = (R, R, R), mass: float = 2.0) -> Any:
    moment = 0.4 * mass * R * R
    return {
        "id": id_, "mass_kg": mass, "inertia_kgm2": [moment] * 3,
        "surfaces": [{"id": "skin", "kind": "ellipsoid", "semi_axes_m": list(semi)}],
    }  # fmt: skip


def on_slope(slope: float, friction: float, **parts: Any) -> Any:
    """Lay a ball on a plane whose front looks up."""
    turn = math.pi - slope
    normal = np.array([math.sin(turn), 0.0, math.cos(turn)])
    plane = {"id": "slope", "bounded": False, "placement": {
        "kind": "frame", "frame": {"orientation": {"angles_rad": [0.0, turn, 0.0]}}}}  # fmt: skip
    velocity = parts.pop("velocity", [0.0, 0.0, 0.0])
    mode, starts = parts.pop("mode", "auto"), parts.pop("starts", "at_once")
    place = parts.pop("place", R * normal)
    rolls = {
        "id": "roll", "kind": "roll_slide", "plane": "slope", "mode": mode, "starts": starts,
        "surface": {"segment": "ball", "surface": "skin"}, "static_friction": friction,
        "sliding_friction": friction,
    }  # fmt: skip
    start = {"roots": [{"segment": "ball", "position_m": list(map(float, place)),
                        "velocity_m_per_s": velocity}]}  # fmt: skip
    return base(segments=[ball()], planes=[plane], constraints=[rolls], initial=start, **parts)


@pytest.mark.parametrize(("friction", "factor"), [(0.5, "rolls"), (0.17, "rolls"), (0.1, "slides")])
def test_a_ball_rolls_or_slides_down_a_slope(friction: float, factor: str) -> None:
    slope = math.radians(30.0)
    run = simulate(project(on_slope(slope, friction)))
    way = np.linalg.norm(run.segment("ball").position[-1] - run.segment("ball").position[0])
    pull = math.sin(slope) * 5 / 7
    if factor == "slides":
        pull = math.sin(slope) - friction * math.cos(slope)
    assert way == pytest.approx(0.5 * 9.81 * pull, abs=1e-9)
    assert run.table("constraints")["state"][-1, 0] == (1 if factor == "rolls" else 2)
    normal = np.array([math.sin(slope), 0.0, -math.cos(slope)])
    force = run.table("constraints")["force"][-1, 0]
    assert force @ normal == pytest.approx(2.0 * 9.81 * math.cos(slope), abs=1e-6)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-9


def test_a_bowled_ball_slides_and_then_rolls() -> None:
    mu, v = 0.3, 3.0
    run = simulate(project(on_slope(0.0, mu, velocity=[v, 0.0, 0.0])))
    assert run.segment("ball").velocity[-1, 0] == pytest.approx(v * 5 / 7, abs=1e-4)
    assert run.segment("ball").angular_velocity[-1, 1] == pytest.approx(-v * 5 / 7 / R, abs=2e-3)
    begins = [line for line in run.log if "291." in line]
    assert len(begins) == 1, run.log
    assert 2 * v / (7 * mu * 9.81) == pytest.approx(0.2912, abs=1e-4)
    lost = run.table("energy")["dissipated"][-1]
    assert lost == pytest.approx(0.5 * 2.0 * v**2 * 2 / 7, rel=1e-3)


def test_what_only_slides_is_held_where_friction_has_stopped_it() -> None:
    """Bowled at 1 m/s it slides for 2 v / 7 mu g, and then goes on at 5/7 of it; friction does not push it to and fro."""
    mu, v = 0.3, 1.0
    data = on_slope(0.0, mu, velocity=[v, 0.0, 0.0], mode="slide", duration=0.4)
    data["constraints"][0]["static_friction"] = 0.0
    run = simulate(project(data))
    assert run.segment("ball").velocity[-1, 0] == pytest.approx(v * 5 / 7, abs=1e-4)
    after = run.time > 2.0 * v / (7.0 * mu * 9.81) + 0.011
    assert np.abs(run.table("constraints")["force"][after, 0, :2]).max() < 1e-6
    assert np.abs(run.table("energy")["balance"]).max() < 1e-9
    assert len(run.steps()["time"]) < 1000


@pytest.mark.parametrize("place", [-0.05, 0.05])
def test_a_ball_that_flies_within_a_shell_meets_the_wall_that_it_comes_to(place: float) -> None:
    """It sets out nearer to the wall behind, or to that ahead: 0.4 - R from the middle it is stopped."""
    rolls = {
        "id": "roll", "kind": "roll_slide", "mode": "slide", "inside": True, "starts": "on_touch", "holds": "pressing",
        "surface": {"segment": "ball", "surface": "skin"}, "other": {"segment": "shell", "surface": "skin"},
    }  # fmt: skip
    fixed = {"id": "fixed", "kind": "locked", "parent": "ground", "child": "shell"}
    start = {"roots": [{"segment": "ball", "position_m": [0.0, 0.0, place], "velocity_m_per_s": [0.0, 0.0, -1.0]}]}  # fmt: skip
    data = base(0.5, segments=[ball(), ball("shell", (0.9, 0.8, 0.4), 100.0)], joints=[fixed], constraints=[rolls],
                initial=start, gravity_m_per_s2=[0.0, 0.0, 0.0])  # fmt: skip
    run = simulate(project(data))
    free = run.time < place + 0.3
    z = run.segment("ball").position[:, 2]
    assert z[free] == pytest.approx(place - run.time[free], abs=1e-9)
    assert z[~free] == pytest.approx(-0.3, abs=1e-9)


@pytest.mark.parametrize("friction", [0.02, 0.2])
def test_a_ball_is_caught_where_it_touches(friction: float) -> None:
    """It rolls at once where friction can stop it: its impulse is at most mu times the normal's."""
    data = on_slope(0.0, friction, starts="on_touch", place=[0.0, 0.0, -R - 0.4905],
                    velocity=[1.0, 0.0, 0.0])  # fmt: skip
    run = simulate(project(data))
    state = run.table("constraints")["state"][:, 0]
    fall = math.sqrt(2 * 0.4905 / 9.81)
    sticks = friction * 9.81 * fall > 2 / 7
    assert state[30] == 0
    assert state[33] == (1 if sticks else 2)
    z = run.segment("ball").position[:, 2]
    assert np.allclose(z[33:], -R, atol=1e-9)
    v = run.segment("ball").velocity[:, 0]
    assert v[33] == pytest.approx(5 / 7 if sticks else 1.0 - friction * 9.81 * 0.33, abs=1e-6)
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8


def surface_points(center: Any, turn: Rotation, semi: Any) -> Any:
    """Give the function from two angles to a point of an ellipsoid."""

    def at(a: float, b: float) -> Any:
        unit = [math.cos(a) * math.cos(b), math.sin(a) * math.cos(b), math.sin(b)]
        return center + turn.apply(np.array(semi) * unit)

    return at


@pytest.mark.parametrize(("static", "state"), [(0.17, 1), (0.16, 2)])
def test_a_ball_rolls_up_to_its_static_friction(static: float, state: int) -> None:
    """It needs 2/7 of the slope's tangent; once it slides there is too little to roll again."""
    data = on_slope(math.radians(30.0), static)
    data["constraints"][0]["sliding_friction"] = 0.02
    run = simulate(project(data))
    assert np.all(run.table("constraints")["state"][1:, 0] == state)


@pytest.mark.parametrize("inside", [False, True])
def test_a_ball_that_slides_over_a_ball_presses_by_weight_and_way(inside: bool) -> None:
    far = 0.7 - R if inside else 0.7 + R
    side = 1.0 if inside else -1.0
    slides = {
        "id": "roll", "kind": "roll_slide", "mode": "slide", "inside": inside,
        "surface": {"segment": "ball", "surface": "skin"},
        "other": {"segment": "large", "surface": "skin"},
        "static_friction": 0.0, "sliding_friction": 0.0,
    }  # fmt: skip
    fixed = {"id": "fixed", "kind": "locked", "parent": "ground", "child": "large"}
    start = {"roots": [{"segment": "ball", "position_m": [0.0, 0.0, side * far],
                        "velocity_m_per_s": [1.2, 0.5, 0.0]}]}  # fmt: skip
    run = simulate(project(base(0.2, segments=[ball(), ball("large", (0.7,) * 3, 100.0)],
                                joints=[fixed], constraints=[slides], initial=start)))  # fmt: skip
    m, force = run.segment("ball"), run.table("constraints")["force"][:, 0]
    out = m.position / far
    speed = np.linalg.norm(m.velocity, axis=1)
    assert np.linalg.norm(out, axis=1) == pytest.approx(1.0, abs=1e-9)
    # towards the centre of the way: what the load and the weight leave of m v^2 / r
    pull = 2.0 * (speed**2 / far + 9.81 * out[:, 2])
    assert np.einsum("ti,ti->t", force, -out)[1:] == pytest.approx(pull[1:], abs=1e-6)


@pytest.mark.parametrize("inside", [False, True])
def test_rolling_ellipsoids_touch_in_one_point(inside: bool) -> None:
    """Where two ellipsoids roll on each other, a brute-force search finds them just touching."""
    small, large = (0.1, 0.15, 0.12), (1.0, 0.8, 0.7)
    fixed = {"id": "fixed", "kind": "locked", "parent": "ground", "child": "large"}
    rolls = {
        "id": "roll", "kind": "roll_slide", "mode": "roll", "inside": inside,
        "surface": {"segment": "ball", "surface": "skin"},
        "other": {"segment": "large", "surface": "skin"},
    }  # fmt: skip
    start = {
        "roots": [{"segment": "ball", "position_m": [0.1, 0.05, 0.55 if inside else -0.85]}],
        "attitudes": [{"segment": "ball", "angular_velocity_rad_per_s": [1.0, 2.0, 0.5]}],
    }
    # the check asks for surfaces that touch; the start pulls these together
    given = project(base(segments=[ball(semi=small), ball("large", large, 100.0)],
                         joints=[fixed], constraints=[rolls], initial=start))  # fmt: skip
    run = simulate(Checked(given))
    assert run.status == "completed", run.message
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8
    m = run.segment("ball")
    for t in (0, 30, 60, 100):
        turn = Rotation.from_quat(m.quaternion_wxyz[t], scalar_first=True)
        at = surface_points(m.position[t], turn, small)

        def excess(x: Any, at: Any = at) -> float:
            value = float(np.sum((at(*x) / np.array(large)) ** 2))
            return -value if inside else value

        best = min(
            (minimize(excess, [a, b], tol=1e-14) for a in (0, 1.5, 3, 4.5) for b in (-1, 0, 1)),
            key=lambda found: found.fun,
        )
        assert abs(best.fun) == pytest.approx(1.0, abs=1e-8)
        # the points that touch are at rest against each other
        arm = at(*best.x) - m.position[t]
        w = turn.apply(np.array(m.angular_velocity[t]))
        assert np.abs(m.velocity[t] + np.cross(w, arm)).max() < 1e-6


@pytest.mark.parametrize("inside", [False, True])
def test_the_acceleration_of_a_slider_keeps_it_on_the_surface(inside: bool) -> None:
    """The speed of the row of a sliding pair against its differences along any motion."""
    small, large = (0.1, 0.15, 0.12), (1.0, 0.8, 0.7)
    slides = {
        "id": "slide", "kind": "roll_slide", "mode": "slide", "inside": inside,
        "surface": {"segment": "ball", "surface": "skin"},
        "other": {"segment": "large", "surface": "skin"},
    }  # fmt: skip
    start = {
        "roots": [{"segment": "ball", "position_m": [0.0, 0.0, 0.58 if inside else -0.82]}],
        "attitudes": [{"segment": "large", "angular_velocity_rad_per_s": [0.1, 0.0, 0.0]}],
    }
    bench = Bench(base(segments=[ball(semi=small), ball("large", large, 100.0)],
                       constraints=[slides], initial=start))  # fmt: skip
    rng, rows, h = np.random.default_rng(4), bench.work.rows, 1e-5
    for _ in range(5):
        v = rng.normal(size=len(bench.v))
        rates = bench.rates(bench.q, v)
        assert rows.used[0] == 1
        speeds = []
        for sign in (1.0, -1.0):
            middle = v + 0.5 * sign * h * rates
            bench.rates(bench.moved(bench.q, middle, sign * h), v + sign * h * rates)
            speeds.append(rows.speed[0])
        assert (speeds[0] - speeds[1]) / (2 * h) == pytest.approx(0.0, abs=1e-4)


def test_a_rolling_ellipsoid_keeps_its_energy() -> None:
    data = on_slope(0.0, 0.9, mode="roll", place=[0.0, 0.0, -0.18])
    data["segments"] = [ball(semi=(0.1, 0.15, 0.2))]
    data["initial"]["attitudes"] = [
        {"segment": "ball", "orientation": {"angles_rad": [0.1, 0.7, 0.4]},
         "angular_velocity_rad_per_s": [3.0, 2.0, 1.0]}]  # fmt: skip
    run = simulate(Checked(project(data)))
    assert np.ptp(run.segment("ball").position, axis=0).min() > 0.02
    assert np.abs(run.table("energy")["balance"]).max() < 1e-8


def sled(order: tuple[str, ...], friction: dict[str, float], turn: float) -> Any:
    """Drop a sled on balls that touch a floor at one instant; it slides, and spins about its height."""
    places = {"front": (0.5, 0.0), "rear": (-0.4, 0.1), "side": (0.1, -0.4)}
    skins = [
        {"id": n, "kind": "ellipsoid", "semi_axes_m": [R] * 3, "centre_m": [*places[n], 0.0]}
        for n in order
    ]
    body = {"id": "sled", "mass_kg": 3.0, "inertia_kgm2": [0.2, 0.5, 0.6], "surfaces": skins}
    plane = {"id": "floor", "bounded": False, "placement": {
        "kind": "frame", "frame": {"orientation": {"angles_rad": [0.0, math.pi, 0.0]}}}}  # fmt: skip
    rolls = [
        {"id": n, "kind": "roll_slide", "plane": "floor", "starts": "on_touch",
         "surface": {"segment": "sled", "surface": n}, "static_friction": friction[n],
         "sliding_friction": friction[n]} for n in order
    ]  # fmt: skip
    start = {
        "roots": [{"segment": "sled", "position_m": [0.0, 0.0, -R - 0.4905],
                   "velocity_m_per_s": [1.0, 0.3, 0.0]}],
        "attitudes": [{"segment": "sled", "angular_velocity_rad_per_s": [0.0, 0.0, turn]}],
    }  # fmt: skip
    return base(0.33, segments=[body], planes=[plane], constraints=rolls, initial=start)


@pytest.mark.parametrize("turn", [0.0, 1.5])
@pytest.mark.parametrize(
    "friction",
    [
        {"front": 0.9, "rear": 0.02},
        {"front": 0.05, "rear": 0.3},
        {"front": 0.3, "rear": 0.05},
        {"front": 0.05, "rear": 0.02, "side": 0.1},
        {"front": 0.9, "rear": 0.02, "side": 0.02},
    ],
)
def test_pairs_that_touch_together_are_stopped_together_whatever_their_order(
    friction: dict[str, float], turn: float
) -> None:
    found = []
    for order in itertools.permutations(friction):
        run = simulate(project(sled(order, friction, turn)))
        assert run.status == "completed", run.message
        energy = run.table("energy")
        assert np.abs(energy["balance"]).max() < 1e-8
        assert np.diff(energy["lost_in_impulses"]).min() > -1e-9, "no impulse gives energy"
        assert len([line for line in run.log if "touches" in line and "316.228" in line]) == len(
            order
        )
        table = run.table("constraints")
        states = dict(zip(table.ids, table["state"][-1], strict=True))
        moves = [run.segment("sled").velocity[-1], run.segment("sled").angular_velocity[-1]]
        found.append((states, np.concatenate(moves)))
    for states, moves in found[1:]:
        assert states == found[0][0]
        assert moves == pytest.approx(found[0][1], abs=1e-8)


def test_an_impulse_s_work_leaves_out_what_coupled_masses_take() -> None:
    """A ball lands on a floor with a string behind it, whose mass couples both ends."""
    data = on_slope(0.0, 0.0, starts="on_touch", mode="slide", place=[0.0, 0.0, -R - 0.4905])
    data["segments"].append(segment("b", 1.5))
    data["tension_elements"] = [{
        "id": "string", "a": point("ball"), "b": point("b"), "stiffness_n_per_m": 10.0,
        "rest_length_m": 3.0, "mass_a_kg": 0.2, "mass_b_kg": 0.2, "mass_ab_kg": 0.05,
    }]  # fmt: skip
    data["initial"]["roots"].append({"segment": "b", "position_m": [0.3, 0.0, -2.0]})
    run = simulate(project(data))
    energy = run.table("energy")
    assert energy["lost_in_impulses"][-1] > 10.0
    assert np.abs(energy["balance"]).max() < 1e-8
