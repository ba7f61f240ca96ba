"""Motion over time: the tree kernels in a Runge-Kutta method, against published and exact figures."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import RK45

from solver.base.places import samples
from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.tree import (
    FREE,
    SOLVED,
    SPEEDS,
    Array,
    Tree,
    chart_rate,
    kinematics,
    make_applied,
    make_motion,
    make_workspace,
    move,
)
from solver.engine.maths.rotation import matrix
from solver.model.tree import compile_trees
from solver.project import load_project
from tests.engine.test_tree import Case, pendulum

Rates = Callable[[Array, Array], Array]


def rates_of(tree: Tree, g: Array) -> Rates:
    """Give the function from coordinates and speeds to the rates of speeds, under weight alone."""
    motion, space = make_motion(tree), make_workspace(tree)
    locked, count = np.zeros(len(tree.parent), np.int64), sum(SPEEDS[k] for k in tree.kind)
    applied = make_applied(tree, count)

    def rates(q: Array, v: Array) -> Array:
        out = np.zeros(count)
        kinematics(tree, locked, q, v, motion)
        status = accelerations(tree, locked, v, motion, applied, g, space, out)
        assert status == SOLVED
        return out

    return rates


def run(tree: Tree, q: Array, v: Array, g: Array, end: float, steps: int) -> tuple[Array, Array]:
    """Step by Dormand and Prince 5(4) at a fixed step, attitudes on their group."""
    rates, h = rates_of(tree, g), end / steps
    locked = np.zeros(len(tree.parent), np.int64)
    for _ in range(steps):
        kx, kv = np.zeros((6, len(v))), np.zeros((6, len(v)))
        for s in range(6):
            x, vs, qs = h * RK45.A[s, :s] @ kx[:s], v + h * RK45.A[s, :s] @ kv[:s], np.empty_like(q)
            move(tree, locked, q, x, 1.0, qs)
            chart_rate(tree, locked, x, vs, kx[s])
            kv[s] = rates(qs, vs)
        after = np.empty_like(q)
        move(tree, locked, q, h * RK45.B @ kx, 1.0, after)
        q, v = after, v + h * RK45.B @ kv
    return q, v


def test_the_double_pendulum_stands_where_it_should_after_five_seconds() -> None:
    trees = compile_trees(load_project(samples() / "double_pendulum.json"))
    g = np.array([0.0, 0.0, 9.81])
    q, _ = run(trees.tree, trees.q, np.zeros(2), g, 5.0, 5000)
    # turns about y are towards the start side; absolute angles of both rods, from the vertical
    angles = np.array([q[0], q[0] + q[1]])
    wound = (angles + math.pi) % (2 * math.pi) - math.pi
    assert np.allclose(np.abs(wound), [1.1385438, 1.2443799], atol=2e-7)


def free_body() -> tuple[Tree, Array, Array, Array]:
    project = load_project(samples() / "free_body.json")
    trees = compile_trees(project)
    w = np.array(project.initial.attitudes[0].angular_velocity_rad_per_s)
    return trees.tree, trees.q, np.concatenate([np.zeros(3), w]), np.array([1.0, 2.0, 3.0])


def test_the_free_body_keeps_momentum_and_energy_and_repeats() -> None:
    """CVS-IV 3.4: |h| = w sqrt(14), 2E = 6 w^2, and the angular velocity has a period of 10 ms."""
    tree, q0, v0, J = free_body()
    w = v0[3]
    q, v = run(tree, q0, v0, np.zeros(3), 0.025, 2000)
    h = matrix(q[3:]) @ (J * v[3:])
    assert np.allclose(h, J * w, rtol=1e-9)
    assert J @ v[3:] ** 2 == pytest.approx(6 * w * w, rel=1e-10)
    _, after = run(tree, q0, v0, np.zeros(3), 0.010, 800)
    assert np.allclose(after[3:], v0[3:], rtol=1e-9)
    _, half = run(tree, q0, v0, np.zeros(3), 0.005, 400)
    assert np.allclose(np.abs(half[3:]), np.abs(v0[3:]), rtol=1e-9)


def test_attitudes_on_the_group_keep_the_order_of_the_method() -> None:
    tree, q0, v0, _ = free_body()
    exact, _ = run(tree, q0, v0, np.zeros(3), 0.005, 1600)
    errors = []
    for steps in (50, 100, 200):
        q, _ = run(tree, q0, v0, np.zeros(3), 0.005, steps)
        errors.append(float(np.abs(matrix(q[3:]) - matrix(exact[3:])).max()))
    orders = [math.log2(a / b) for a, b in itertools.pairwise(errors)]
    assert min(orders) > 4.7, orders


def test_a_ball_pendulum_swings_like_a_pin() -> None:
    """Small circle and plane swing: the ball joint with a plane start stays in its plane."""
    from solver.engine.dynamics.tree import BALL, TURN

    g = np.array([0.0, 0.0, 9.81])
    pin, ball = pendulum(TURN, 0.7, 2.0, 0.05), pendulum(BALL, 0.7, 2.0, 0.05)
    q_pin, v_pin = run(pin, np.array([1.2]), np.array([0.5]), g, 2.0, 400)
    start = np.array([math.cos(0.6), 0.0, math.sin(0.6), 0.0])
    q_ball, v_ball = run(ball, start, np.array([0.0, 0.5, 0.0]), g, 2.0, 400)
    assert v_ball[1] == pytest.approx(v_pin[0], abs=1e-9)
    angle = 2 * math.atan2(q_ball[2], q_ball[0])
    assert math.cos(angle - q_pin[0]) == pytest.approx(1.0, abs=1e-14)


@given(st.integers(0, 10**6), st.floats(0.0, 6.0))
def test_the_chart_rate_is_the_derivative_of_the_move(seed: int, size: float) -> None:
    """d/dt (q0 exp(x)) at the rate of x turns the body with exactly its speeds."""
    rng = np.random.default_rng(seed)
    case = Case(seed, 1, massless=False)
    tree = case.tree._replace(kind=np.array([FREE], np.int64))
    q0 = np.array([0.1, 0.2, 0.3, *rng.normal(size=4)])
    q0[3:] /= np.linalg.norm(q0[3:])
    x, v = rng.normal(size=6), rng.normal(size=6)
    x[3:] *= size / np.linalg.norm(x[3:])
    locked, rate = np.zeros(1, np.int64), np.zeros(6)
    chart_rate(tree, locked, x, v, rate)
    h = 1e-6
    ends = np.zeros((2, 7))
    for row, sign in zip(ends, (1.0, -1.0), strict=True):
        move(tree, locked, q0, x + sign * h * rate, 1.0, row)
    middle = np.zeros(7)
    move(tree, locked, q0, x, 1.0, middle)
    R_dot = (matrix(ends[0, 3:]) - matrix(ends[1, 3:])) / (2 * h)
    W = matrix(middle[3:]).T @ R_dot
    assert np.allclose([W[2, 1], W[0, 2], W[1, 0]], v[3:], atol=1e-7)
    assert np.allclose((ends[0, :3] - ends[1, :3]) / (2 * h), v[:3], atol=1e-8)
