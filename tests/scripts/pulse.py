"""A measured pulse moves a sled; the speed that it takes away is that of its area."""

from __future__ import annotations

import numpy as np

import manikin as mk

time = np.linspace(0.0, 0.1, 201)
push = 100.0 * np.sin(np.pi * time / 0.1) ** 2
np.savetxt("pulse.csv", np.column_stack([time, push]), "%.6f", ",", header="t,a", comments="")
pulse = mk.read_pulse("pulse.csv", "m/s2", cfc=None)
assert abs(pulse.facts().speed_change - 5.0) < 5e-3
sled = mk.new("A sled", 0.1).add_segment(
    "sled", mass_kg=100.0, shape={"kind": "box", "size_m": (1.0, 1.0, 0.2)}
)
run = mk.run(sled.add_pulse(pulse, "sled"))
assert abs(run["segments/sled/velocity/x"][-1] - 5.0) < 1e-2
