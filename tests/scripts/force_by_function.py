"""A force by a Python function: a spring outside of the model, whose period is that of the closed form."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

import manikin as mk

MASS, STIFFNESS = 2.0, 800.0
model = (
    mk.new("A ball on a spring", 1.0)
    .with_value("gravity_m_per_s2", (0.0, 0.0, 0.0))
    .add_segment("ball", mass_kg=MASS, shape={"kind": "ellipsoid", "semi_axes_m": (0.1, 0.1, 0.1)})
    .add_output("place", kind="point", segment="ball", quantity="position")
    .start_root("ball", position_m=(0.01, 0.0, 0.0))
)
simulation = mk.Simulation(model)


def spring(now: mk.Simulation) -> NDArray[np.float64]:
    """Pull towards the origin."""
    return -STIFFNESS * now.position("ball")


simulation.force("ball", spring)
while not simulation.is_over:
    simulation.step_to(min(simulation.time + 1e-3, simulation.duration))
found = simulation.run["segments/ball/position/x"].oscillation().frequency
wanted = math.sqrt(STIFFNESS / MASS) / (2.0 * math.pi)
assert abs(found / wanted - 1.0) < 0.01, (found, wanted)
