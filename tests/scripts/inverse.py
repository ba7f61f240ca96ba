"""Loads of joints from a motion, and what of the masses they tell."""

from __future__ import annotations

import numpy as np

import manikin as mk

run = mk.run(mk.sample("double_pendulum"), until=0.2)
loads = mk.joint_loads(run)
assert np.allclose(loads["joints/elbow/1"], 0.0, atol=1e-8)
told = mk.base_parameters(run.model)
print(told.names)
found = mk.identify(run)
assert found.condition > 1.0 and len(found.value) == len(found.base.values)
