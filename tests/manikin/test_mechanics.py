"""Identities of the mechanics that the public library gives, and studies of many models."""

from __future__ import annotations

import numpy as np
import pytest

import manikin as mk
from manikin.mechanics import standing_at as _at
from solver.analysis.inverse.bodies import At
from solver.engine.dynamics.tree import BALL, FREE, HELD, kinematics, make_motion, move
from solver.engine.forces.system import energies
from solver.results.trajectory import Array

KINDS = ("ball", "universal", "euler", "slip", "pin", "locked", "six")
VALUES = {"ball": 3, "universal": 2, "euler": 3, "slip": 2, "pin": 1, "locked": 0, "six": 6}


def chain(**more: object) -> mk.Model:
    """Give a chain of all joints behind a free body, at an odd place and in motion."""
    rng = np.random.default_rng(7)
    model = mk.new("A chain", 0.05).add_segment("s0", mass_kg=3.0, inertia_kgm2=(0.2, 0.3, 0.4))
    model = model.start_root("s0", velocity_m_per_s=(0.3, -0.2, 0.5))
    model = model.start_attitude("s0", angular_velocity_rad_per_s=(0.6, 0.4, -0.9))
    for n, kind in enumerate(KINDS):
        inertia = tuple(0.05 + 0.02 * rng.random(3))
        model = model.add_segment(
            f"s{n + 1}", mass_kg=float(1.0 + rng.random()), inertia_kgm2=inertia
        )
        slip = {"rotation": "pin_y"} if kind == "slip" else {}
        model = model.add_joint(
            f"j{n}", kind=kind, parent=f"s{n}", child=f"s{n + 1}", **slip,
            parent_frame={"position_m": (0.1, 0.02, 0.2), "orientation": {"angles_rad": (0.3, 0.1, 0.2)}},
            child_frame={"position_m": (0.03, -0.05, -0.2), "orientation": {"angles_rad": (0.1, -0.2, 0.4)}},
        )  # fmt: skip
        values, rates = rng.uniform(0.2, 0.6, VALUES[kind]), rng.normal(size=VALUES[kind])
        model = model.start_joint(f"j{n}", values.tolist(), rates.tolist())
    for name, value in more.items():
        model = model.with_value(name, value)
    return model


def kinetic(at: At, v: Array) -> float:
    out = np.zeros(2)
    kinematics(at.system.tree, at.system.locked, at.q, v, at.motion)
    energies(at.system.tree, at.motion, at.system.gravity, out)
    return float(out[0])


@pytest.fixture(scope="module")
def model() -> mk.Model:
    return chain()


@pytest.fixture(scope="module")
def state(model: mk.Model) -> mk.State:
    sim = mk.Simulation(model)
    sim.step_to(0.02)
    return sim.state


def test_the_mass_matrix_is_that_of_the_kinetic_energy(model: mk.Model, state: mk.State) -> None:
    for given in (None, state):
        M, n, at = mk.mass_matrix(model, given), len(mk.speeds(model)), _at(model, given)
        assert np.allclose(M, M.T, atol=1e-14)
        open_ = M.any(axis=0)
        assert list(open_) == [not name.startswith("joints/j5") for name in mk.speeds(model)]
        assert np.linalg.eigvalsh(M[np.ix_(open_, open_)]).min() > 0.0
        for v in np.random.default_rng(1).normal(size=(20, n)):
            assert 0.5 * v @ M @ v == pytest.approx(kinetic(at, v), rel=1e-12)
        one = np.eye(n)
        for i in range(n):
            for k in range(i):
                crossed = kinetic(at, one[i] + one[k]) - kinetic(at, one[i] - one[k])
                assert M[i, k] == pytest.approx(0.5 * crossed, abs=1e-11)


def test_the_kinetic_energy_is_that_of_the_account(model: mk.Model) -> None:
    sim = mk.Simulation(model)
    sim.step_to(0.02, exactly=True)
    state = sim.state
    energy = 0.5 * state.v @ mk.mass_matrix(model, state) @ state.v
    assert energy == pytest.approx(sim.run.frame(0.02)["energy/kinetic"], rel=1e-12)


@pytest.mark.parametrize("segment", ["s0", "s3", "s6"])
def test_the_jacobian_is_how_places_and_turns_change(
    model: mk.Model, state: mk.State, segment: str
) -> None:
    at, point = _at(model, state), np.array([0.05, 0.1, -0.07])
    i, h = at.compiled.trees.body_of[segment], 1e-6
    from_o = point - at.compiled.trees.origin[segment]
    J = mk.jacobian(model, state, segment, point)
    motion = make_motion(at.system.tree)
    for k in range(len(at.v)):
        found = []
        for sign in (1.0, -1.0):
            one, q = np.zeros(len(at.v)), at.q.copy()
            one[k] = 1.0
            move(at.system.tree, at.system.locked, at.q, one, sign * h, q)
            kinematics(at.system.tree, at.system.locked, q, one, motion)
            R = motion.R[i].reshape(3, 3).copy()
            found.append((motion.p[i] + R @ from_o, R))
        (p1, R1), (p0, R0) = found
        assert np.allclose(J[:3, k], (p1 - p0) / (2 * h), atol=1e-8)
        W = (R1 - R0) / (2 * h) @ at.motion.R[i].reshape(3, 3).T
        assert np.allclose(J[3:, k], (W[2, 1], W[0, 2], W[1, 0]), atol=1e-8)


def test_the_jacobian_gives_the_velocities_of_the_run(model: mk.Model) -> None:
    sim = mk.Simulation(model)
    sim.step_to(0.02)
    state = sim.state
    J = mk.jacobian(model, state, "s4")
    assert np.allclose(J[:3] @ state.v, sim.velocity("s4"), atol=1e-13)
    assert np.allclose(J[3:] @ state.v, sim.angular_velocity("s4"), atol=1e-13)


def test_inverse_dynamics_undoes_forward_dynamics(model: mk.Model, state: mk.State) -> None:
    n = len(mk.speeds(model))
    for at in (None, state):
        assert np.allclose(mk.inverse(model, at, mk.forward(model, at)), 0.0, atol=1e-10)
        M, rest = mk.mass_matrix(model, at), mk.inverse(model, at, np.zeros(n))
        for rates in np.random.default_rng(2).normal(size=(5, n)):
            assert np.allclose(mk.inverse(model, at, rates), M @ rates + rest, atol=1e-10)


def test_what_acts_is_what_inverse_dynamics_asks_for(model: mk.Model, state: mk.State) -> None:
    sim = mk.Simulation(model)
    sim.set_state(state)
    sim.force("s5", (3.0, -4.0, 5.0), point=(0.1, 0.0, 0.02))
    sim.torque("s2", (1.0, 2.0, 3.0), axes="segment")
    pushed = sim.state
    acting = mk.acting(model, pushed)
    assert np.abs(acting).max() > 1.0
    assert np.allclose(mk.inverse(model, pushed, mk.forward(model, pushed)), acting, atol=1e-10)
    J = mk.jacobian(model, pushed, "s5", (0.1, 0.0, 0.02))
    turn = mk.jacobian(model, pushed, "s2")[3:]
    R = sim.turn("s2")
    wanted = J[:3].T @ (3.0, -4.0, 5.0) + turn.T @ (R @ (1.0, 2.0, 3.0))
    assert np.allclose(acting, wanted, atol=1e-12)


def test_a_body_in_contact_obeys_it_as_well() -> None:
    model = mk.sample("neck_pendulum").until(0.03)
    sim = mk.Simulation(model)
    sim.step_to(0.02)
    state = sim.state
    at = _at(model, state)
    free = np.zeros(len(at.v), bool)
    tree = at.system.tree
    for i, held in enumerate(at.system.locked):
        size = 1 if tree.kind[i] < BALL else (3 if tree.kind[i] == BALL else 6)
        free[tree.at_v[i] : tree.at_v[i] + size] = held == 0
    found = mk.inverse(model, state, mk.forward(model, state))
    assert np.abs(mk.acting(model, state)[free]).max() > 0.1
    assert np.allclose(found[free], mk.acting(model, state)[free], atol=1e-8)


def test_locked_joints_have_no_part() -> None:
    model = mk.sample("frontal")
    at, M = _at(model, None), mk.mass_matrix(model)
    for i, held in enumerate(at.system.locked):
        if held == HELD and at.system.tree.kind[i] != FREE:
            assert not M[at.system.tree.at_v[i]].any()
    assert all(mk.speeds(model))
    assert len(set(mk.speeds(model))) == len(M)


def test_what_does_not_fit_is_said(model: mk.Model) -> None:
    with pytest.raises(mk.SimulationError, match="There is no segment 's9' in this model"):
        mk.jacobian(model, None, "s9")
    with pytest.raises(mk.SimulationError, match="each with one finite rate"):
        mk.inverse(model, None, [1.0])
    other = mk.Simulation(mk.sample("pendulum")).state
    with pytest.raises(mk.SimulationError, match="belongs to another model"):
        mk.mass_matrix(model, other)


def test_many_models_give_what_each_gives_alone() -> None:
    model = mk.sample("bouncing_ball").until(0.5)
    name = f"segments/{model.project.segments[0].id}/mass_kg"
    models = [model.with_value(name, mass) for mass in (0.3, 0.6, 1.2)]
    together, alone = mk.run_many(models, workers=3), [mk.run(one) for one in models]
    for a, b in zip(together, alone, strict=True):
        assert a.model == b.model
        for column, values in b.energy.columns.items():
            assert np.array_equal(a.energy[column], values)


def test_a_study_checks_all_first_and_keeps_runs_that_fail() -> None:
    model = mk.sample("double_pendulum").until(0.2)
    with pytest.raises(mk.ProjectError, match="'uper' is no segment"):
        mk.run_many([model, model.with_value("joints/hinge/child", "uper")])
    least = model.value("runs/0/integrator/largest_step_s")
    stuck = model.with_value("runs/0/integrator/smallest_step_s", least).until(5.0)
    good, failed = mk.run_many([model, stuck], workers=1)
    assert (good.status, failed.status) == ("completed", "failed")
    assert failed.message.startswith("At ")
    assert failed.time[-1] > 0.2
