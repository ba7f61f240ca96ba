"""The same trees here, in MuJoCo and in Pinocchio: accelerations and motion agree."""

from __future__ import annotations

import mujoco
import numpy as np
import pinocchio as pin
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import solve_ivp

from solver.engine.dynamics.tree import BALL, COORDINATES, FREE, SLIDE, SOLVED, TURN, Array, Tree
from tests.engine.test_motion import run
from tests.engine.test_tree import Case, seeds
from tests.exploring import often
from tests.oracles import InMuJoCo, InPinocchio, product

counts = st.integers(1, 15)


def agrees(case: Case, theirs: Array) -> bool:
    return bool(np.abs(theirs - case.rates).max() < 1e-9 * (1 + np.abs(case.rates).max()))


def join(case: Case) -> None:
    """Take the mass of some inner bodies with one child each: compound joints of up to three parts."""
    rng, tree = np.random.default_rng(7), case.tree
    children = np.bincount(tree.parent[tree.parent >= 0], minlength=len(tree.parent))
    depth = np.zeros(len(tree.parent), np.int64)
    for i, parent in enumerate(tree.parent):
        above = depth[parent] if parent >= 0 else 0
        if children[i] == 1 and tree.kind[i] in (TURN, SLIDE) and above < 2 and rng.random() < 0.8:
            depth[i] = above + 1
    light = depth > 0
    tree.mass[light], tree.inertia[light], tree.centre[light] = 0.0, 0.0, 0.0
    case.force[light] = case.torque[light] = 0.0
    case.status = case.solve(case.q, case.v, case.rates, case.space)


@settings(max_examples=often(200), deadline=None)
@given(seeds, counts, st.booleans())
def test_accelerations_are_those_of_pinocchio(seed: int, count: int, massless: bool) -> None:
    case = Case(seed, count, massless=massless)
    if case.status != SOLVED:
        return
    twin = InPinocchio(case.tree, case.g)
    assert agrees(case, twin.accelerations(case.q, case.v, case.tau, case.torque, case.force))


@settings(max_examples=often(200), deadline=None)
@given(seeds, counts, st.booleans())
def test_accelerations_are_those_of_mujoco(seed: int, count: int, compound: bool) -> None:
    case = Case(seed, count, massless=False)
    if compound:
        join(case)
    assert case.status == SOLVED
    twin = InMuJoCo(case.tree, case.g)
    assert agrees(case, twin.accelerations(case.q, case.v, case.tau, case.torque, case.force))


@settings(max_examples=often(100), deadline=None)
@given(seeds, counts)
def test_locked_joints_are_those_of_a_reduced_model(seed: int, count: int) -> None:
    case = Case(seed, count, locks=True, massless=False)
    case.force[:] = case.torque[:] = 0.0
    assert case.solve(case.q, case.v, case.rates, case.space) == SOLVED
    free = case.free_speeds()
    held = [int(i) + 1 for i in np.flatnonzero(case.locked)]
    v = np.zeros_like(case.v)
    v[free] = case.v[free]
    twin = InPinocchio(case.tree, case.g)
    q = twin.coordinates(case.q)
    model = pin.buildReducedModel(twin.model, held, q)
    joints = zip(case.tree.kind, case.tree.at_q, case.locked, strict=True)
    kept = [a + k for kind, a, lock in joints if not lock for k in range(COORDINATES[kind])]
    rates = np.zeros_like(v)
    rates[free] = pin.aba(
        model, model.createData(), q[kept],
        twin.speeds(case.q, v)[free], twin.speeds(case.q, case.tau)[free],
    )  # fmt: skip
    theirs = twin.rates_back(case.q, v, rates)
    assert np.allclose(
        theirs[free], case.rates[free], rtol=0, atol=1e-9 * (1 + np.abs(theirs).max())
    )


@given(seeds, counts)
@settings(max_examples=often(50), deadline=None)
def test_the_maps_lead_back(seed: int, count: int) -> None:
    case = Case(seed, count, massless=False)
    a, b = InPinocchio(case.tree, case.g), InMuJoCo(case.tree, case.g)
    q, v = case.q, case.v
    for ours, back in (
        (q, a.coordinates_back(a.coordinates(q))),
        (v, a.speeds_back(q, a.speeds(q, v))),
        (case.rates, a.rates_back(q, v, a.rates(q, v, case.rates))),
        (q, b.coordinates_back(b.coordinates(q))),
        (v, b.speeds_back(b.speeds(v))),
    ):
        assert np.allclose(ours, back, rtol=1e-12, atol=1e-12)


def test_mujoco_refuses_a_mass_less_end() -> None:
    case = Case(1, 2, massless=False)
    case.tree.mass[1] = 0.0
    with pytest.raises(ValueError, match="without mass"):
        InMuJoCo(case.tree, case.g)


def coordinate_rates(tree: Tree, q: Array, v: Array) -> Array:
    """Give the plain derivatives of coordinates: what needs neither charts nor groups."""
    out = np.zeros_like(q)
    for kind, a, b in zip(tree.kind, tree.at_q, tree.at_v, strict=True):
        out[a] = v[b]
        if kind >= BALL:
            if kind == FREE:
                out[a : a + 3], a, b = v[b : b + 3], a + 3, b + 3
            out[a : a + 4] = 0.5 * product(q[a : a + 4], np.array([0.0, *v[b : b + 3]]))
    return out


def slow(seed: int) -> Case:
    """Give a tree of six bodies that moves calmly enough for figures of nine digits after 1 s."""
    case = Case(seed, 6, massless=False)
    case.tree.joint_in_parent[:] *= 0.5
    case.v *= 0.5
    return case


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_motion_of_one_second_is_that_of_pinocchio(seed: int) -> None:
    case = slow(seed)
    assert (case.tree.kind >= BALL).any()
    twin, none, count = InPinocchio(case.tree, case.g), np.zeros((6, 3)), len(case.q)

    def rates(_: float, y: Array) -> Array:
        q, v = y[:count].copy(), y[count:]
        for kind, a in zip(case.tree.kind, case.tree.at_q, strict=True):
            part = slice(a + (3 if kind == FREE else 0), a + (7 if kind == FREE else 4))
            if kind >= BALL:
                q[part] /= np.linalg.norm(q[part])
        a = twin.accelerations(q, v, np.zeros_like(v), none, none)
        return np.concatenate([coordinate_rates(case.tree, q, v), a])

    start = np.concatenate([case.q, case.v])
    end = solve_ivp(rates, (0.0, 1.0), start, method="DOP853", rtol=1e-11, atol=1e-12).y[:, -1]
    q, v = run(case.tree, case.q, case.v, case.g, 1.0, 1000)
    assert np.allclose(
        case.motion(q, v).p, case.motion(end[:count], end[count:]).p, rtol=0, atol=1e-8
    )
    assert np.allclose(v, end[count:], rtol=0, atol=1e-7 * (1 + np.abs(v).max()))


@pytest.mark.parametrize("seed", [1, 2, 3])
def test_motion_of_one_second_is_that_of_mujoco(seed: int) -> None:
    case, steps = slow(seed), 4000
    twin = InMuJoCo(case.tree, case.g)
    twin.model.opt.integrator = mujoco.mjtIntegrator.mjINT_RK4
    twin.model.opt.timestep = 1.0 / steps
    twin.data.qpos, twin.data.qvel = twin.coordinates(case.q), twin.speeds(case.v)
    mujoco.mj_step(twin.model, twin.data, steps)
    q, v = run(case.tree, case.q, case.v, case.g, 1.0, 1000)
    ends = twin.coordinates_back(twin.data.qpos), twin.speeds_back(twin.data.qvel)
    assert np.allclose(case.motion(q, v).p, case.motion(*ends).p, rtol=0, atol=1e-9)
