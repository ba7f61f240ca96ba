"""The first crash: a sample is solved, looked at and kept."""

from __future__ import annotations

from pathlib import Path

import manikin as mk

model = mk.sample("sled").until(0.05)
assert not [one for one in model.problems if one.severity == "error"]
run = mk.run(model)
chest = run["chest_acceleration_resultant"]
time_s, value = chest.peak
print(f"{run.status}: {chest.name} {value:.0f} {chest.unit} at {1e3 * time_s:.0f} ms")
assert 0.0 < time_s <= 0.05
file: Path = run.save("sled.h5")
again = mk.open_run(file)
assert again["chest_acceleration_resultant"].peak == chest.peak
