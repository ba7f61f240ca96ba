"""A run is taken on in pieces; a state is kept and gone back to."""

from __future__ import annotations

import numpy as np

import manikin as mk

model = mk.sample("double_pendulum").until(0.3)
simulation = mk.Simulation(model)
simulation.step_to(0.1, exactly=True)
state = simulation.state
place = simulation.position("lower")
for _ in range(2):
    simulation.set_state(state)
    assert np.array_equal(simulation.position("lower"), place)
    simulation.step_to(0.2)
run = simulation.step_to_end()
assert simulation.is_over and run.status == "completed"
whole = mk.run(model)
assert abs(whole.energy["balance"]).max() < 1e-3
