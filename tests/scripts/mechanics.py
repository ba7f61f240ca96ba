"""The mass matrix, accelerations and forces of a model at an instant."""

from __future__ import annotations

import numpy as np

import manikin as mk

model = mk.sample("double_pendulum")
simulation = mk.Simulation(model)
simulation.step_to(0.2)
state = simulation.state
M = mk.mass_matrix(model, state)
assert np.allclose(M, M.T) and bool(np.all(np.linalg.eigvalsh(M) > 0.0))
kinetic = 0.5 * state.v @ M @ state.v
rates = mk.forward(model, state)
assert np.allclose(mk.inverse(model, state, rates), mk.acting(model, state), atol=1e-9)
J = mk.jacobian(model, state, "lower", (0.0, 0.0, 0.5))
assert np.allclose((J @ state.v)[3:], simulation.angular_velocity("lower"))
print(mk.speeds(model), float(kinetic))
