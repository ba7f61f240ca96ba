"""Small motions of a pendulum: its frequency and its answer to a push."""

from __future__ import annotations

import math

import numpy as np

import manikin as mk

model = mk.sample("pendulum").start_joint("pivot", [0.1])
found = mk.linearise(model, rest=["pivot"])
(mode,) = found.modes
(rod,) = model.project.segments
lever = float(np.linalg.norm(model.project.joints[0].child_frame.position_m))
about_pivot = rod.inertia_kgm2[1] + rod.mass_kg * lever**2
wanted = math.sqrt(rod.mass_kg * 9.80665 * lever / about_pivot) / (2.0 * math.pi)
assert abs(mode.frequency_hz / wanted - 1.0) < 1e-6
print(found.states, mode.kind, found.stiffness)
