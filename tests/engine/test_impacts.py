"""Impulses of one instant: together, with stick and slip, and never with a gain of energy."""

from __future__ import annotations

import itertools
import math
from typing import Any

import numpy as np
import pytest

from solver.engine.dynamics.tree import Array
from solver.engine.forces.impulses import (
    FRICTIONLESS,
    NOTHING_LACKS,
    SLIPS,
    STICKS,
    Impacts,
    make_impacts,
    share,
)
from solver.engine.forces.strikes import AT_ONCE
from solver.report.gather import Subject
from solver.report.make import _verdicts
from solver.results.events import LACKING, Event, lacks, sentence
from solver.running.simulation import Simulation, simulate
from tests.balls_and_floors import FREE, ball, landing, run
from tests.models import base, project, segment


def shared(
    G: Array, u: Array, e: Array, mu: Array, poisson: bool = False
) -> tuple[Array, Impacts, float]:
    """Give the impulses of pairs by their eases and speeds, in rows of three."""
    n = len(e)
    room = make_impacts(n, 0, 0)
    room.poisson[0] = poisson
    room.ease[:], room.speed[:], room.restitution[:], room.friction[:] = G, u, e, mu
    work = share(room, n)
    return room.load.copy(), room, work


def pendulum() -> tuple[Array, Array, Array, Array]:
    """Give the double pendulum of Pereira and Nikravesh: eases, speeds, mass matrix and rates.

    Rods of 1 m and 1 kg at 18 and 12 degrees with rates of -1 and -1 rad/s; the tip strikes.
    """
    a, b = math.radians(18.0), math.radians(30.0)
    c = 0.5 * math.cos(b - a)
    M, w = np.array([[4 / 3, c], [c, 1 / 3]]), np.array([-1.0, -2.0])
    J = np.array([[math.sin(a), math.sin(b)], [math.cos(a), math.cos(b)], [0.0, 0.0]])
    return J @ np.linalg.solve(M, J.T), J @ w, M, J


PRINTED = {
    (0.0, 0.0): -0.7758, (0.0, 0.2): -0.7365, (0.0, 0.45): -0.7069,
    (0.3, 0.0): -0.2036, (0.3, 0.2): -0.1525, (0.3, 0.45): -0.1140,
    (0.5, 0.0): 0.1779, (0.5, 0.2): 0.2368, (0.5, 0.45): 0.2813,
    (0.7, 0.0): 0.5594, (0.7, 0.2): 0.6261, (0.7, 0.45): 0.6765,
}  # fmt: skip
"""Sliding after the impact by restitution and friction (m/s), as printed."""


@pytest.mark.parametrize(("e", "mu"), PRINTED)
def test_a_pendulum_slides_as_printed(e: float, mu: float) -> None:
    G, u, _, _ = pendulum()
    load, _, work = shared(G, u, np.array([e]), np.array([mu]))
    after = u + G @ load
    assert after[0] == pytest.approx(-e * u[0], abs=1e-10)
    assert after[1] == pytest.approx(PRINTED[e, mu], abs=6e-5)
    assert work <= 0.0


@pytest.mark.parametrize(
    ("e", "normal", "across", "loss", "rates"),
    [
        (0.35, 0.91414, 0.53569, 0.47915, (-1.90838, 4.00414)),
        (0.40, 1.66493, 0.06349, 0.31971, None),
    ],
)
def test_a_pendulum_sticks_as_printed(
    e: float, normal: float, across: float, loss: float, rates: tuple[float, float] | None
) -> None:
    G, u, M, J = pendulum()
    load, room, work = shared(G, u, np.array([e]), np.array([1.0]))
    assert room.state[0] == STICKS
    assert load[:2] == pytest.approx([normal, across], abs=1e-5)
    assert (u + G @ load)[1] == pytest.approx(0.0, abs=1e-10)
    w = np.array([-1.0, -2.0])
    assert -work / (0.5 * w @ M @ w) == pytest.approx(loss, abs=1e-5)
    if rates:
        after = w + np.linalg.solve(M, J.T @ load)
        assert (after[0], after[1] - after[0]) == pytest.approx(rates, abs=1e-5)


@pytest.mark.parametrize(("e", "sticks"), [(0.289, False), (0.2892, True), (0.4066, True), (0.4068, False)])  # fmt: skip
def test_it_sticks_only_between_the_printed_restitutions(e: float, sticks: bool) -> None:
    """Below the first the surface would have to pull, beyond the second friction would drive it on."""
    G, u, _, _ = pendulum()
    _, room, _ = shared(G, u, np.array([e]), np.array([1e4]))
    assert (room.state[0] == STICKS) == sticks


def at_random(rng: np.random.Generator) -> tuple[Array, Array, Array, Array]:
    """Give a random mechanism with pairs that all approach; often more rows than freedoms."""
    n = int(rng.integers(1, 6))
    freedoms = int(rng.integers(1, 3 * n + 3))
    J, v = rng.normal(size=(3 * n, freedoms)), rng.normal(size=freedoms)
    J[::3] *= -np.sign(J[::3] @ v)[:, None]
    G = J @ np.diag(10.0 ** rng.uniform(-1.0, 1.0, freedoms)) @ J.T
    return G, J @ v, rng.uniform(0.0, 1.0, n), rng.uniform(0.0, 1.2, n)


def test_no_impact_gains_energy_and_each_keeps_its_law() -> None:
    rng = np.random.default_rng(5)
    stuck = 0
    for _ in range(300):
        G, u, e, mu = at_random(rng)
        load, room, work = shared(G, u, e, mu)
        assert work <= 0.0
        assert work == pytest.approx(load @ (u + 0.5 * G @ load), rel=1e-9, abs=1e-12)
        after = u + G @ load
        for i, a in enumerate(range(0, len(u), 3)):
            bounce = after[a] + e[i] * u[a]
            assert load[a] >= 0.0
            assert bounce > -1e-8
            assert load[a] * bounce == pytest.approx(0.0, abs=1e-7)
            side, mean = load[a + 1 : a + 3], 0.5 * (u + after)[a + 1 : a + 3]
            most = room.friction[i] * load[a]
            assert np.linalg.norm(side) <= most * (1 + 1e-8) + 1e-12
            if room.state[i] == STICKS:
                stuck += 1
                assert np.abs(after[a + 1 : a + 3]).max() < 1e-8
            elif np.linalg.norm(mean) > 1e-6 and len(e) > 1:
                # all of friction, against the mean sliding; where nobody else feels it, where it loses most
                assert side == pytest.approx(-most * mean / np.linalg.norm(mean), abs=1e-5)
    assert stuck > 10


def test_kanes_pendulum_that_also_turns_loses_most() -> None:
    """Pereira and Nikravesh's third example, with restitution 0.7 and friction 0.4; against the mean sliding it would lose 0.3739."""
    G, u, M, _ = pendulum()
    a, b = math.radians(18.0), math.radians(30.0)
    turning = math.sin(a) ** 2 / 3 + (math.sin(a) + math.sin(b) / 2) ** 2 + math.sin(b) ** 2 / 12
    arm = math.sin(a) + math.sin(b)
    G[2, 2], u[2] = arm**2 / turning, arm
    load, _, work = shared(G, u, np.array([0.7]), np.array([0.4]))
    assert (u + G @ load)[[1, 0, 2]] == pytest.approx([0.6568, 0.9163, 0.2563], abs=5e-5)
    assert load[0] == pytest.approx(1.4312, abs=5e-5)
    w = np.array([-1.0, -2.0])
    assert -work / (0.5 * w @ M @ w + 0.5 * turning) == pytest.approx(0.37448, abs=5e-6)


def lost(G: Array, u: Array, e: float, mu: float, angle: float) -> float:
    """What a single pair loses that slides along a direction; nothing where friction alone would press."""
    c = np.array([1.0, mu * math.cos(angle), mu * math.sin(angle)])
    fall = c @ G[0]
    if fall <= 0.0:
        return -math.inf
    p = -(1.0 + e) * u[0] / fall * c
    return float(-p @ (u + 0.5 * G @ p))


def test_friction_of_a_pair_alone_acts_where_it_loses_most() -> None:
    """Brute force over directions from that of the mean sliding on, for pairs by themselves and two that do not feel each other."""
    rng, seen, turned = np.random.default_rng(12), 0, 0
    for _ in range(300):
        J, u = rng.normal(size=(3, 6)), rng.normal(size=3)
        G, u[0] = J @ J.T, -abs(u[0])
        e, mu = rng.uniform(0.0, 1.0), rng.uniform(0.05, 0.5)
        load, room, work = shared(G, u, np.array([e]), np.array([mu]))
        size = math.hypot(load[1], load[2])
        if room.state[0] == STICKS or size < 0.999 * mu * load[0]:
            continue
        at = math.atan2(load[2], load[1])
        found = lost(G, u, e, mu, at)
        assert found == pytest.approx(-work, rel=1e-9)
        assert found >= max(lost(G, u, e, mu, at + d) for d in (-0.05, -1e-3, 1e-3, 0.05))
        best = max(lost(G, u, e, mu, at + d) for d in np.linspace(-3.14, 3.14, 100))
        seen, turned = seen + 1, turned + (found >= best)
        two = np.zeros((6, 6))
        two[:3, :3] = two[3:, 3:] = G
        both, _, _ = shared(two, np.concatenate([u, u]), np.full(2, e), np.full(2, mu))
        assert both == pytest.approx(np.concatenate([load, load]), abs=1e-9)
    assert seen > 100
    assert turned == seen


def test_by_poissons_law_no_impact_gains_energy_and_friction_keeps_its_cone() -> None:
    """On random chains with up to five pairs; friction sticks where its cone allows it, in what is given back."""
    rng, stuck, less = np.random.default_rng(9), 0, 0
    for _ in range(2000):
        G, u, e, mu = at_random(rng)
        load, room, work = shared(G, u, e, mu, poisson=True)
        assert work <= 0.0
        assert load @ (u + 0.5 * G @ load) <= 1e-9 * np.abs(load) @ np.abs(u)
        if room.lack[0] != NOTHING_LACKS:
            less += 1
            continue
        after, size = u + G @ load, np.abs(u).max()
        back = load - room.pressed
        for i, a in enumerate(range(0, len(u), 3)):
            assert after[a] > -1e-9 * size
            assert back[a] >= room.floor[i] * (1.0 - 1e-12)
            slides = np.linalg.norm(after[a + 1 : a + 3])
            for part in (load, back):
                side = np.linalg.norm(part[a + 1 : a + 3])
                assert side <= mu[i] * part[a] * (1.0 + 1e-9) + 1e-11
            if np.linalg.norm(back[a + 1 : a + 3]) < 0.999 * mu[i] * back[a] - 1e-9:
                assert slides <= 1e-8 * size
            assert (room.state[i] == SLIPS) == (slides > 1e-9 * size or mu[i] == 0.0)
            stuck += room.state[i] == STICKS
    assert stuck > 500
    assert less <= 2


@pytest.mark.parametrize(
    ("e", "mu"), [(0.0, 0.3), (0.4, 1.0), (0.7, 0.2), (0.7, 0.45), (1.0, 0.45)]
)
def test_a_pendulum_by_poissons_law_is_that_of_two_phases_by_hand(e: float, mu: float) -> None:
    """Brute force: of sticking and sliding both ways, in each phase, one fulfils its signs."""
    G, u, _, _ = pendulum()
    G, u = G[:2, :2], u[:2]

    def phase(speed: Array, normal: float | None) -> Array:
        for lean in (0.0, mu, -mu):
            if lean == 0.0:
                p = (
                    np.linalg.solve(G, -speed)
                    if normal is None
                    else np.array([normal, -(speed[1] + G[1, 0] * normal) / G[1, 1]])
                )
            else:
                p = (
                    -speed[0] / (G[0, 0] + lean * G[0, 1]) if normal is None else normal
                ) * np.array([1.0, lean])
            after = speed + G @ p
            if p[0] >= 0.0 and (abs(p[1]) <= mu * p[0] if lean == 0.0 else after[1] * lean <= 0.0):
                return p
        raise AssertionError

    pressed = phase(u, None)
    wanted = pressed + phase(u + G @ pressed, e * pressed[0])
    whole, v, *_ = pendulum()
    load, _, work = shared(whole, v, np.array([e]), np.array([mu]), poisson=True)
    assert load[:2] == pytest.approx(wanted, abs=1e-9)
    assert work < 0.0


def drawn(seed: int, n: int) -> tuple[Array, Array, Array, Array]:
    """Give the n-th random mechanism of a seed."""
    rng = np.random.default_rng(seed)
    for _ in range(n):
        at_random(rng)
    return at_random(rng)


@pytest.mark.parametrize(
    ("seed", "n"),
    [(5, 272), (5, 683), (5, 734), (5, 871), (6, 45), (6, 128), (6, 677), (6, 1036), (7, 120)],
)
def test_where_cones_that_follow_at_once_swing_for_ever_slower_ones_settle(
    seed: int, n: int
) -> None:
    G, u, e, mu = drawn(seed, n)
    load, room, work = shared(G, u, e, mu)
    assert room.lack[0] == NOTHING_LACKS
    assert room.friction == pytest.approx(mu, abs=0.0)
    assert work < 0.0
    after = u + G @ load
    for i, a in enumerate(range(0, len(u), 3)):
        side, mean = load[a + 1 : a + 3], 0.5 * (u + after)[a + 1 : a + 3]
        assert np.linalg.norm(side) <= mu[i] * load[a] * (1 + 1e-8) + 1e-12
        if room.state[i] != STICKS and np.linalg.norm(mean) > 1e-6 and len(e) > 1:
            assert side == pytest.approx(-mu[i] * load[a] * mean / np.linalg.norm(mean), abs=1e-5)


def test_what_is_found_along_the_normals_alone_is_noted() -> None:
    G, u, e, mu = drawn(5, 1314)
    load, room, work = shared(G, u, e, mu)
    assert room.lack[0] == FRICTIONLESS
    assert np.abs(np.delete(load, np.s_[::3])).max() == 0.0
    assert (u + G @ load)[::3] + e * u[::3] == pytest.approx(0.0, abs=1e-9) or load.min() >= 0.0
    assert work <= 0.0


def test_a_pair_that_loses_nothing_gets_its_impulse() -> None:
    """Its work is zero up to rounding, which may fall on either side."""
    rng = np.random.default_rng(1)
    for _ in range(100):
        J, u = rng.normal(size=(3, 6)), rng.normal(size=3)
        G, u[0] = J @ J.T, -abs(u[0])
        load, room, work = shared(G, u, np.ones(1), np.zeros(1))
        assert room.lack[0] == NOTHING_LACKS
        assert (u + G @ load)[0] == pytest.approx(-u[0], rel=1e-9)
        assert -1e-9 < work <= 0.0


def test_without_friction_it_is_the_one_answer_of_the_complementarity() -> None:
    """Brute force: of all choices of who takes an impulse one fulfils the signs."""
    rng = np.random.default_rng(6)
    for _ in range(100):
        n = int(rng.integers(1, 5))
        J, v = rng.normal(size=(n, n + 2)), rng.normal(size=n + 2)
        J *= -np.sign(J @ v)[:, None]
        g, speed, e = J @ J.T, J @ v, rng.uniform(0.0, 1.0, n)
        wanted = []
        for chosen in itertools.product([False, True], repeat=n):
            s, p = np.array(chosen), np.zeros(n)
            p[s] = np.linalg.solve(g[np.ix_(s, s)], -(1.0 + e[s]) * speed[s])
            if (p >= -1e-12).all() and (g @ p + (1.0 + e) * speed >= -1e-9).all():
                wanted.append(g @ p)
        G, u = np.zeros((3 * n, 3 * n)), np.zeros(3 * n)
        G[::3, ::3], u[::3] = g, speed
        load, _, _ = shared(G, u, e, np.zeros(n))
        for one in wanted:
            assert g @ load[::3] == pytest.approx(one, abs=1e-8)
        assert wanted


def test_nothing_hangs_on_the_order_of_the_pairs() -> None:
    rng = np.random.default_rng(7)
    for _ in range(50):
        G, u, e, mu = at_random(rng)
        order = rng.permutation(len(e))
        rows = (3 * order[:, None] + np.arange(3)).ravel()
        one = shared(G, u, e, mu)[0]
        other = shared(G[np.ix_(rows, rows)], u[rows], e[order], mu[order])[0]
        assert (G @ one)[rows] == pytest.approx(G[np.ix_(rows, rows)] @ other, abs=1e-8)


def test_kanes_paradox_does_not_occur() -> None:
    """The double pendulum of Kane and Levinson gains energy by Newton's law with sliding at the end."""
    for a, b, w in itertools.product((0.2, 0.5, 0.8), (0.6, 1.0, 1.3), (-1.0, 0.0, 1.0, 2.0)):
        c = 0.5 * math.cos(b - a)
        M, rates = np.array([[4 / 3, c], [c, 1 / 3]]), np.array([-1.0, w])
        J = np.array([[math.sin(a), math.sin(b)], [math.cos(a), math.cos(b)], [0.0, 0.0]])
        u = J @ rates
        if u[0] >= 0.0:
            continue
        for e, mu in itertools.product((0.3, 0.7, 1.0), (0.1, 0.5, 2.0)):
            G = J @ np.linalg.solve(M, J.T)
            _, _, work = shared(G, u, np.array([e]), np.array([mu]))
            assert work <= 0.0


def v_of_planes(turn: float, swapped: bool, friction: float, e: float) -> Any:
    """Let a ball fall into a symmetric V whose middle leans by an angle."""
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "restitution": e, "friction": friction}

    def at(x: float, z: float, y: float = 0.0) -> list[float]:
        c, s = math.cos(turn), math.sin(turn)
        return [c * x - s * z, y, s * x + c * z]

    data = ball(law, 0.0)
    data["planes"] = [
        {"id": "left", "placement": {"kind": "points", "p1_m": at(0, 0, -5), "p2_m": at(0, 0, 5), "p3_m": at(-5, 5, -5)}},
        {"id": "right", "placement": {"kind": "points", "p1_m": at(0, 0, 5), "p2_m": at(0, 0, -5), "p3_m": at(5, 5, 5)}},
    ]  # fmt: skip
    pair = data["contacts"][0]
    data["contacts"] = [
        pair | {"id": name, "plane": name, "edge": "none"} for name in ("left", "right")
    ]
    if swapped:
        data["contacts"].reverse()
    root = data["initial"]["roots"][0]
    root["position_m"], root["velocity_m_per_s"] = at(0.0, 0.5), at(0.0, -2.0)
    return data


@pytest.mark.parametrize("turn", [0.0, 0.4321])
@pytest.mark.parametrize("swapped", [False, True])
@pytest.mark.parametrize("friction", [0.0, 0.4])
def test_a_ball_leaves_a_symmetric_v_as_it_came(
    turn: float, swapped: bool, friction: float
) -> None:
    out = run(v_of_planes(turn, swapped, friction, 0.7), 0.3, 1000.0)
    v = out.segment("ball").velocity[-1]
    middle = np.array([-math.sin(turn), 0.0, math.cos(turn)])
    side = np.array([math.cos(turn), 0.0, math.sin(turn)])
    assert abs(v @ side) < 1e-9
    assert np.abs(out.segment("ball").angular_velocity[-1]).max() < 1e-8
    assert v @ middle == pytest.approx(1.4, abs=1e-6) if friction == 0.0 else v @ middle > 0.0
    words = [line for line in out.log if "touches" in line]
    assert len(words) == 2, "both touch, and both are said"


@pytest.mark.parametrize(("mu", "sticks"), [(0.1, False), (0.4, True)])
def test_a_ball_that_slides_in_rolls_out_where_friction_can_hold_it(
    mu: float, sticks: bool
) -> None:
    """A solid ball sticks where mu (1 + e) v_n >= 2/7 of its sliding."""
    e, normal, slide = 0.5, 3.0, 4.0
    law = {"kind": "kelvin_voigt", "stiffness_n_per_m": 1e-3, "restitution": e, "friction": mu}
    data = ball(law, 0.0, height=0.11, velocity=[slide, 0.0, -normal])
    out = run(data, 0.01, 10_000.0)
    v, w = out.segment("ball").velocity[-1], out.segment("ball").angular_velocity[-1]
    assert v[2] == pytest.approx(e * normal, rel=1e-6)
    if sticks:
        assert v[0] == pytest.approx(5 / 7 * slide, rel=1e-6)
        assert v[0] - 0.1 * w[1] == pytest.approx(0.0, abs=1e-6)
    else:
        assert v[0] == pytest.approx(slide - mu * (1 + e) * normal, rel=1e-6)


def test_the_last_of_a_row_of_balls_goes_on() -> None:
    """Rounds of impulses: the blow runs through balls that touch, as in Newton's cradle."""
    radius, n = 0.1, 4
    law = {"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e5, "restitution": 1.0}
    names = [f"ball{k}" for k in range(n)]
    skin = {"id": "skin", "kind": "ellipsoid", "semi_axes_m": [radius] * 3}
    data = base(
        segments=[
            {"id": name, "mass_kg": 1.0, "inertia_kgm2": [0.004] * 3, "surfaces": [skin]} for name in names
        ],
        contact_laws=[law],
        contacts=[
            {"id": f"pair{k}", "kind": "surfaces", "law": "law",
             "first": {"segment": names[k], "surface": "skin"},
             "second": {"segment": names[k + 1], "surface": "skin"}} for k in range(n - 1)
        ],
        initial={"roots": [
            {"segment": name, "position_m": [2 * radius * k + (0.0 if k else -0.1), 0.0, 0.0],
             "velocity_m_per_s": [0.0 if k else 2.0, 0.0, 0.0]} for k, name in enumerate(names)
        ]},
    ) | FREE  # fmt: skip
    out = run(data, 0.1, 1000.0)
    speeds = [out.segment(name).velocity[-1][0] for name in names]
    assert speeds == pytest.approx([0.0, 0.0, 0.0, 2.0], abs=1e-6)


@pytest.mark.parametrize("order", [("left", "right"), ("right", "left")])
def test_two_stops_that_are_entered_at_once_do_the_same(order: tuple[str, str]) -> None:
    """Arms on both sides of a free body reach their stops together: the body gets no side of it."""
    arm = {"left": 1.0, "right": -1.0}
    data = base(
        segments=[segment("body", 2.0), *(segment(name, 1.0) for name in order)],
        joints=[
            {"id": f"{name}_joint", "kind": "pin", "parent": "body", "child": name,
             "parent_frame": {"position_m": [0.2 * arm[name], 0.0, 0.0]},
             "child_frame": {"position_m": [0.0, 0.0, -0.5]},
             "spring": {"stop_rad": 0.3, "restitution": 0.6}} for name in order
        ],
        initial={
            "roots": [{"segment": "body"}],
            "joints": [
                {"joint": f"{name}_joint", "values": [0.1 * arm[name]], "rates": [3.0 * arm[name]]}
                for name in order
            ],
        },
    ) | FREE  # fmt: skip
    out = run(data, 0.15, 1000.0)
    left, right, body = (out.segment(n) for n in ("left", "right", "body"))
    assert np.abs(body.angular_velocity).max() < 1e-9
    assert left.angular_velocity[:, 1] == pytest.approx(-right.angular_velocity[:, 1], abs=1e-9)
    turned = left.angular_velocity[:, 1]
    assert np.sign(turned[0]) == -np.sign(turned[-1])
    assert abs(turned[-1] / turned[0]) > 0.3


def test_more_than_take_impulses_together_are_told() -> None:
    """Balls that land at one instant leave the floor alike, and it is said that some had to wait."""
    given, n = project(landing(AT_ONCE + 8)), AT_ONCE + 8
    simulation = Simulation(given)
    memory = simulation.memory()
    outcome = simulation.go_into(memory)
    assert outcome.status == "completed", outcome.message
    speeds = [memory.segment(f"ball{k}").velocity[-1][2] for k in range(n)]
    assert speeds == pytest.approx([0.5] * n, abs=1e-9)
    told = [event for event in memory.events() if event.kind in LACKING]
    assert {event.kind for event in told} == {"impulses_wait"}
    line = str(outcome.lacks[0])
    assert "some follow by their place in the list" in line
    assert f"note: {line}" in memory.log
    assert any(line.endswith(sentence(told[0])) for line in memory.log)
    said = [verdict.text for verdict in _verdicts(Subject(memory), 1)]
    assert any("impulses are not whole" in words.casefold() for words in said)
    few = simulate(project(landing(4)))
    assert lacks(few.events()) == ()


def test_what_impulses_lacked_is_said_of_each_element_once() -> None:
    many = [Event(1e-3 * n, "impulses_frictionless", ("contacts/a",)) for n in range(1, 4)]
    other = Event(2.5e-3, "impulses_missing", ("joints/elbow",))
    touch = Event(0.0, "contact_touches", ("contacts/a",))
    first, second = map(str, lacks([touch, *many, other]))
    assert "'a'" in first
    assert "without friction (first at 1 ms, in all 3)" in first
    assert "joint 'elbow' strikes, no impulses are found" in second


def test_a_ball_in_a_v_keeps_out_of_both_sides() -> None:
    """Plastic and with friction, in a V that is not symmetric: nothing goes on in."""
    data = v_of_planes(0.0, False, 0.3, 0.0)
    data["planes"][1]["placement"]["p3_m"] = [5.0, 5.0, 2.0]
    out = run(data, 0.4, 1000.0)
    assert out.table("energy")["lost_in_impulses"][-1] > 0.0
    assert np.all(np.diff(out.table("energy")["lost_in_impulses"]) > -1e-12)
