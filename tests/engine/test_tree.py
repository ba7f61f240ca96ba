"""Tree dynamics: laws of mechanics on random trees, closed forms, independence of the form."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.engine.dynamics.forward import accelerations
from solver.engine.dynamics.modes import no_modals
from solver.engine.dynamics.respond import carried_load, clear, make_response, respond
from solver.engine.dynamics.tree import (
    BALL,
    COORDINATES,
    DRIVEN,
    FREE,
    SLIDE,
    SOLVED,
    SPEEDS,
    TURN,
    Applied,
    Array,
    IntArray,
    Motion,
    Tree,
    Workspace,
    by_levels,
    drives_of,
    kinematics,
    make_applied,
    make_motion,
    make_workspace,
    move,
)
from solver.engine.maths.rotation import from_angles
from tests.exploring import often


def random_tree(rng: np.random.Generator, count: int, massless: bool = True) -> Tree:
    """Make a tree of random shape; inner bodies may be without mass, as in compound joints."""
    parent = np.array([rng.integers(-1, i) if i else -1 for i in range(count)], np.int64)
    kind = rng.choice([TURN, SLIDE, BALL, FREE], count)
    kind[(kind == FREE) & (parent >= 0)] = BALL
    mass = rng.uniform(0.5, 5.0, count)
    inertia = np.zeros((count, 6))
    leaf = ~np.isin(np.arange(count), parent)
    for i in range(count):
        a = rng.normal(size=(3, 3))
        J = 0.05 * (a @ a.T) + 0.02 * np.eye(3)
        inertia[i] = J[0, 0], J[1, 1], J[2, 2], J[0, 1], J[0, 2], J[1, 2]
        if massless and not leaf[i] and kind[i] in (TURN, SLIDE) and rng.random() < 0.4:
            mass[i], inertia[i] = 0.0, 0.0
    axis = rng.normal(size=(count, 3))
    axis /= np.linalg.norm(axis, axis=1)[:, None]
    R0 = np.array([from_angles(rng.uniform(-3, 3, 3), "zyx").ravel() for _ in range(count)])
    return Tree(
        parent=parent,
        kind=kind.astype(np.int64),
        at_q=np.cumsum([0, *(COORDINATES[k] for k in kind[:-1])]).astype(np.int64),
        at_v=np.cumsum([0, *(SPEEDS[k] for k in kind[:-1])]).astype(np.int64),
        R0=R0,
        axis=axis,
        joint_in_parent=rng.normal(size=(count, 3)),
        mass=mass,
        centre=0.5 * rng.normal(size=(count, 3)),
        inertia=inertia,
        drive=np.where(mass > 3.5, 0.3 * mass, 0.0),
        order=by_levels(parent),
        modals=no_modals(count),
    )


def random_state(rng: np.random.Generator, tree: Tree) -> tuple[Array, Array]:
    q = rng.normal(size=sum(COORDINATES[k] for k in tree.kind))
    for kind, at in zip(tree.kind, tree.at_q, strict=True):
        if kind >= BALL:
            part = slice(at + (3 if kind == FREE else 0), at + COORDINATES[kind])
            q[part] /= np.linalg.norm(q[part])
    return q, 2.0 * rng.normal(size=sum(SPEEDS[k] for k in tree.kind))


class Case:
    """Hold a random tree in a random state under random loads, solved."""

    def __init__(self, seed: int, count: int, locks: bool = False, massless: bool = True) -> None:
        rng = np.random.default_rng(seed)
        self.tree = random_tree(rng, count, massless)
        self.q, self.v = random_state(rng, self.tree)
        self.locked: IntArray = np.zeros(count, np.int64)
        if locks:
            self.locked[:] = rng.random(count) < 0.3
        self.torque, self.force = rng.normal(size=(2, count, 3)) * 20.0
        self.tau = rng.normal(size=len(self.v)) * 10.0
        self.g = rng.normal(size=3) * 10.0
        self.rates = np.zeros_like(self.v)
        self.space: Workspace = make_workspace(self.tree)
        self.status = self.solve(self.q, self.v, self.rates, self.space)

    def solve(self, q: Array, v: Array, rates: Array, space: Workspace) -> int:
        motion = self.motion(q, v)
        return accelerations(
            self.tree, self.locked, v, motion, Applied(self.torque, self.force, self.tau), self.g, space, rates,
        )  # fmt: skip

    def motion(self, q: Array, v: Array) -> Motion:
        motion = make_motion(self.tree)
        kinematics(self.tree, self.locked, q, v, motion)
        return motion

    def free_speeds(self) -> list[int]:
        """List the speeds that no lock holds."""
        kinds = zip(self.tree.kind, self.tree.at_v, self.locked, strict=True)
        return [a + k for kind, a, held in kinds if not held for k in range(SPEEDS[kind])]


seeds = st.integers(0, 10**9)


@settings(max_examples=often(150), deadline=None)
@given(seeds, st.integers(1, 12), st.booleans())
def test_forces_do_the_virtual_work_of_accelerations(seed: int, count: int, locks: bool) -> None:
    """Newton and Euler for every body, projected on every freedom (d'Alembert)."""
    case = Case(seed, count, locks)
    if case.status != SOLVED:
        return
    tree, here = case.tree, case.motion(case.q, case.v)
    residual = np.zeros_like(case.v)
    scale = np.ones_like(case.v)
    still = case.motion(case.q, np.zeros_like(case.v))
    assert np.allclose(still.w, 0)
    assert np.allclose(still.v, 0)
    for k in case.free_speeds():
        unit = np.zeros_like(case.v)
        unit[k] = 1.0
        partial = case.motion(case.q, unit)
        for i in range(count):
            R = here.R[i].reshape(3, 3)
            J = tree.inertia[i]
            I_W = R @ np.array([[J[0], J[3], J[4]], [J[3], J[1], J[5]], [J[4], J[5], J[2]]]) @ R.T
            d, w, alpha = R @ tree.centre[i], here.w[i], case.space.alpha[i]
            a_c = case.space.acc[i] + np.cross(alpha, d) + np.cross(w, np.cross(w, d))
            f = tree.mass[i] * (a_c - case.g) - case.force[i]
            n = I_W @ alpha + np.cross(w, I_W @ w) - case.torque[i] + np.cross(d, case.force[i])
            part = [f @ (partial.v[i] + np.cross(partial.w[i], d)), n @ partial.w[i]]
            residual[k] += sum(part)
            scale[k] += np.abs(part).sum()
        residual[k] += drives_of(tree, len(case.v))[k] * case.rates[k] - case.tau[k]
    assert np.all(np.abs(residual) < 1e-8 * scale)


@settings(max_examples=often(80), deadline=None)
@given(seeds, st.integers(1, 12), st.booleans())
def test_accelerations_are_the_derivatives_of_velocities(
    seed: int, count: int, locks: bool
) -> None:
    case = Case(seed, count, locks, massless=False)
    assert case.status == SOLVED
    h = 1e-5
    ends = []
    for sign in (1.0, -1.0):
        middle = case.v + 0.5 * sign * h * case.rates
        q = np.empty_like(case.q)
        move(case.tree, case.locked, case.q, middle, sign * h, q)
        ends.append(case.motion(q, case.v + sign * h * case.rates))
    for computed, after, before in (
        (case.space.alpha, ends[0].w, ends[1].w),
        (case.space.acc, ends[0].v, ends[1].v),
    ):
        assert np.allclose(
            computed,
            (after - before) / (2 * h),
            rtol=1e-5,
            atol=1e-4 * (1 + np.abs(computed).max()),
        )


@settings(max_examples=often(80), deadline=None)
@given(seeds, st.integers(1, 12))
def test_velocities_are_the_derivatives_of_places(seed: int, count: int) -> None:
    case = Case(seed, count)
    h = 1e-6
    ends = []
    for sign in (1.0, -1.0):
        q = np.empty_like(case.q)
        move(case.tree, case.locked, case.q, case.v, sign * h, q)
        ends.append(case.motion(q, case.v))
    here = case.motion(case.q, case.v)
    scale = 1 + np.abs(here.v).max()
    assert np.allclose(here.v, (ends[0].p - ends[1].p) / (2 * h), atol=1e-7 * scale)
    for i in range(count):
        turned = (ends[0].R[i] - ends[1].R[i]).reshape(3, 3) / (2 * h)
        w = here.w[i]
        cross = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        assert np.allclose(turned, cross @ here.R[i].reshape(3, 3), atol=1e-7 * scale)


@settings(max_examples=often(60), deadline=None)
@given(seeds, st.integers(1, 10))
def test_attitudes_stay_attitudes(seed: int, count: int) -> None:
    case = Case(seed, count)
    R = case.motion(case.q, case.v).R.reshape(-1, 3, 3)
    assert np.allclose(R @ R.transpose(0, 2, 1), np.eye(3), atol=1e-13)
    assert np.allclose(np.linalg.det(R), 1.0)


def drive_some(case: Case, seed: int) -> None:
    """Prescribe the motion of some free bodies."""
    rng = np.random.default_rng(seed)
    for i, kind in enumerate(case.tree.kind):
        if kind == FREE and rng.random() < 0.5:
            case.locked[i] = DRIVEN
            at = case.tree.at_v[i]
            case.rates[at : at + 6] = rng.normal(size=6) * 10.0
            case.tau[at : at + 6] = 0.0
    case.status = case.solve(case.q, case.v, case.rates, case.space)


@settings(max_examples=often(80), deadline=None)
@given(seeds, st.integers(1, 12), st.booleans())
def test_a_driven_body_keeps_its_rates_and_the_others_obey(
    seed: int, count: int, locks: bool
) -> None:
    """With the load that the drive carries put on it, the same body moves so by itself."""
    case = Case(seed, count, locks, massless=False)
    drive_some(case, seed)
    wanted, load = case.rates.copy(), np.zeros(6)
    for i in np.flatnonzero(case.locked == DRIVEN):
        carried_load(case.space, i, load)
        case.torque[i] += load[:3]
        case.force[i] += load[3:]
        case.locked[i] = 0
    assert case.solve(case.q, case.v, case.rates, case.space) == SOLVED
    assert np.allclose(case.rates, wanted, rtol=1e-7, atol=1e-7 * (1 + np.abs(wanted).max()))


@settings(max_examples=often(80), deadline=None)
@given(seeds, st.integers(2, 12), st.booleans())
def test_what_a_joint_carries_moves_its_child_by_itself(seed: int, count: int, locks: bool) -> None:
    """Cut every joint and put its load on both sides: each body alone has the same acceleration."""
    case = Case(seed, count, locks, massless=False)
    motion, tree = case.motion(case.q, case.v), case.tree
    torque, force, load = case.torque.copy(), case.force.copy(), np.zeros(6)
    for i, parent in enumerate(tree.parent):
        if tree.kind[i] == FREE and not case.locked[i]:
            at = tree.at_v[i]
            force[i] += case.tau[at : at + 3]
            torque[i] += motion.R[i].reshape(3, 3) @ case.tau[at + 3 : at + 6]
            continue
        carried_load(case.space, i, load)
        torque[i] += load[:3]
        force[i] += load[3:]
        if parent >= 0:
            torque[parent] -= load[:3] + np.cross(motion.p[i] - motion.p[parent], load[3:])
            force[parent] -= load[3:]
    for i in range(count):
        R = motion.R[i].reshape(3, 3)
        J = tree.inertia[i]
        I_W = R @ np.array([[J[0], J[3], J[4]], [J[3], J[1], J[5]], [J[4], J[5], J[2]]]) @ R.T
        d, w, alpha = R @ tree.centre[i], motion.w[i], case.space.alpha[i]
        a_c = case.space.acc[i] + np.cross(alpha, d) + np.cross(w, np.cross(w, d))
        f = tree.mass[i] * (a_c - case.g)
        n = I_W @ alpha + np.cross(w, I_W @ w) + np.cross(d, f)
        scale = 1 + np.abs(case.space.n).max() + np.abs(case.space.acc).max()
        assert np.allclose(f, force[i], atol=1e-8 * scale)
        assert np.allclose(n, torque[i], atol=1e-8 * scale)


@settings(max_examples=often(80), deadline=None)
@given(seeds, st.integers(1, 12), st.booleans())
def test_a_response_is_the_difference_that_loads_make(seed: int, count: int, locks: bool) -> None:
    case = Case(seed, count, locks)
    drive_some(case, seed)
    if case.status != SOLVED:
        return
    before = case.rates.copy(), case.space.alpha.copy(), case.space.acc.copy()
    response = make_response(case.tree, len(case.v))
    motion = case.motion(case.q, case.v)
    clear(response)
    rng = np.random.default_rng(seed + 1)
    for i in rng.choice(count, max(1, count // 3), replace=False):
        response.torque[i], response.force[i] = rng.normal(size=(2, 3)) * 30.0
        at = case.tree.at_v[i]
        response.tau[at : at + SPEEDS[case.tree.kind[i]]] = rng.normal()
        response.touched[i] = 1
    respond(case.tree, case.locked, motion, case.space, response)
    case.torque += response.torque
    case.force += response.force
    case.tau += response.tau
    assert case.solve(case.q, case.v, case.rates, case.space) == SOLVED
    free = case.free_speeds()
    size = 1 + np.abs(case.rates).max()
    assert np.allclose(before[0][free] + response.rates[free], case.rates[free], atol=1e-8 * size)
    assert np.allclose(before[1] + response.alpha, case.space.alpha, atol=1e-8 * size)
    assert np.allclose(before[2] + response.acc, case.space.acc, atol=1e-8 * size)


def energy(case: Case, q: Array, v: Array) -> float:
    motion, total = case.motion(q, v), 0.0
    for i in range(len(case.tree.parent)):
        R = motion.R[i].reshape(3, 3)
        J = case.tree.inertia[i]
        I_B = np.array([[J[0], J[3], J[4]], [J[3], J[1], J[5]], [J[4], J[5], J[2]]])
        d, w = R @ case.tree.centre[i], motion.w[i]
        v_c = motion.v[i] + np.cross(w, d)
        total += 0.5 * case.tree.mass[i] * (v_c @ v_c) + 0.5 * (R.T @ w) @ I_B @ (R.T @ w)
        total -= case.tree.mass[i] * case.g @ (motion.p[i] + d)
    return total + float(0.5 * drives_of(case.tree, len(v)) @ (v * v))


@settings(max_examples=20, deadline=None)
@given(seeds, st.integers(1, 8), st.booleans())
def test_energy_is_constant_without_other_forces(seed: int, count: int, locks: bool) -> None:
    case = Case(seed, count, locks, massless=False)
    case.torque[:] = case.force[:] = case.tau[:] = 0.0
    # keep the motion slow enough for the fixed step
    case.v *= 0.2
    for kind, at, held in zip(case.tree.kind, case.tree.at_v, case.locked, strict=True):
        if held:
            case.v[at : at + SPEEDS[kind]] = 0.0
    q, v, h = case.q.copy(), case.v.copy(), 1e-4
    start = energy(case, q, v)
    rates, middle = np.zeros_like(v), np.zeros_like(q)
    for _ in range(20):
        case.solve(q, v, rates, case.space)
        half = v + 0.5 * h * rates
        move(case.tree, case.locked, q, v, 0.5 * h, middle)
        case.solve(middle, half, rates, case.space)
        move(case.tree, case.locked, q, half, h, q)
        v = v + h * rates
    assert energy(case, q, v) == pytest.approx(start, abs=2e-5 * (1 + abs(start)))


SOMETHING = 1e-300
"""Beside numbers of usual size it is lost in rounding, but it is not nought."""


@settings(max_examples=often(60), deadline=None)
@given(seeds, st.integers(1, 12), st.booleans())
def test_shorter_ways_of_a_sweep_give_the_same(seed: int, count: int, locks: bool) -> None:
    """Bodies in the order of their numbers, tensors that are not diagonal and frames that are turned go the longer ways."""
    case = Case(seed, count, locks)
    tree = case.tree
    assert sorted(tree.order) == list(range(count))
    stands = np.argsort(tree.order)
    assert all(m < 0 or stands[m] < stands[i] for i, m in enumerate(tree.parent))
    tree.inertia[:, 3:] = 0.0
    tree.R0[::2] = np.eye(3).ravel()
    if case.solve(case.q, case.v, case.rates, case.space) != SOLVED:
        return
    acc = case.space.acc.copy()
    case.tree = tree._replace(
        order=np.arange(count), inertia=tree.inertia.copy(), R0=tree.R0.copy()
    )
    case.tree.inertia[:, 3:] = SOMETHING
    case.tree.R0[::2, 1] = SOMETHING
    again = np.zeros_like(case.rates)
    assert case.solve(case.q, case.v, again, case.space) == SOLVED
    assert np.abs(again - case.rates).max() <= 1e-9 * (1.0 + np.abs(case.rates).max())
    assert np.abs(case.space.acc - acc).max() <= 1e-9 * (1.0 + np.abs(acc).max())


def pendulum(kind: int, length: float, mass: float, inertia: float) -> Tree:
    """Hang a body below a joint at the ground's origin; z points down."""
    one = np.array([0], np.int64)
    return Tree(
        parent=np.array([-1], np.int64), kind=np.array([kind], np.int64), at_q=one, at_v=one,
        R0=np.eye(3).reshape(1, 9), axis=np.array([[0.0, 1.0, 0.0]]),
        joint_in_parent=np.zeros((1, 3)), mass=np.array([mass]),
        centre=np.array([[0.0, 0.0, length]]),
        inertia=np.array([[inertia, inertia, inertia, 0.0, 0.0, 0.0]]), drive=np.zeros(1), order=one, modals=no_modals(1),
    )  # fmt: skip


@pytest.mark.parametrize("angle", [0.0, 0.3, 1.5, 3.0])
@pytest.mark.parametrize("kind", [TURN, BALL])
def test_a_pendulum_falls_by_its_closed_form(kind: int, angle: float) -> None:
    tree = pendulum(kind, 0.7, 2.0, 0.05)
    q = (
        np.array([angle])
        if kind == TURN
        else np.array([math.cos(angle / 2), 0, math.sin(angle / 2), 0])
    )
    v = np.zeros(SPEEDS[kind])
    motion, space, rates = make_motion(tree), make_workspace(tree), np.zeros_like(v)
    none = np.zeros(1, np.int64)
    kinematics(tree, none, q, v, motion)
    g = np.array([0.0, 0.0, 9.81])
    status = accelerations(tree, none, v, motion, make_applied(tree, len(v)), g, space, rates)
    assert status == SOLVED
    expected = -2.0 * 9.81 * 0.7 * math.sin(angle) / (0.05 + 2.0 * 0.7**2)
    assert rates[0 if kind == TURN else 1] == pytest.approx(expected, rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("kind", [TURN, SLIDE, BALL, FREE])
def test_a_freedom_without_inertia_is_named(kind: int) -> None:
    tree = pendulum(kind, 0.0, 0.0, 0.0)
    v, motion, space = np.zeros(SPEEDS[kind]), make_motion(tree), make_workspace(tree)
    q = np.array([0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0]) if kind == FREE else np.eye(1, 4)[0]
    none = np.zeros(1, np.int64)
    kinematics(tree, none, q, v, motion)
    status = accelerations(
        tree, none, v, motion, make_applied(tree, len(v)), np.zeros(3), space, v.copy()
    )
    assert status == 0


def test_a_locked_chain_moves_as_one_body() -> None:
    """Every pattern of locks on a chain of three: locked joints carry no relative acceleration."""
    for pattern in range(8):
        case = Case(5, 3, massless=False)
        case.locked[:] = [pattern >> i & 1 for i in range(3)]
        assert case.solve(case.q, case.v, case.rates, case.space) == SOLVED
        motion = case.motion(case.q, case.v)
        for i, parent in enumerate(case.tree.parent):
            if case.locked[i]:
                alpha = case.space.alpha[parent] if parent >= 0 else np.zeros(3)
                w = motion.w[parent] if parent >= 0 else np.zeros(3)
                assert np.allclose(case.space.alpha[i], alpha)
                assert np.allclose(motion.w[i], w)
