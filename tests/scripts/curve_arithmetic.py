"""Curves are arrays with a unit: they are added, compared, cut and put into numpy."""

from __future__ import annotations

import numpy as np

import manikin as mk

run = mk.run(mk.sample("double_pendulum"), until=0.4)
x, z = (run[f"segments/lower/velocity/{axis}"] for axis in "xz")
speed = run["segments/lower/velocity/resultant"]
squared = x * x + z * z
assert squared.unit == "m2/s2"
assert np.allclose(np.asarray(squared), np.asarray(speed) ** 2)
kinetic: mk.Curve = 0.5 * speed**2
half = speed / 2.0 - 0.1 * speed
assert np.allclose(half, 0.4 * np.asarray(speed))
above = speed > 1.0
assert above.any() and len(above) == len(speed)
first: float = speed[0]
part: mk.Curve = speed[:5]
assert part[0] == first and len(list(part)) == 5
assert max(abs(-speed)) == speed.peak[1]
try:
    total = speed + run["energy/kinetic"]
except mk.UnitError as refused:
    print(refused)
else:
    raise AssertionError(total)
print(kinetic.unit, speed.between(0.1, 0.2).in_units("mm,s").unit, speed.at(0.15))
