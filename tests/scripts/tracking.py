"""Markers of a run, as a camera sees them, give its motion back."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

import manikin as mk

model = (
    mk.sample("double_pendulum")
    .add_marker("elbow", segment="upper", point_m=(0.0, 0.0, 0.5))
    .add_marker("tip", segment="lower", point_m=(0.0, 0.0, 0.5))
)
run = mk.run(model, until=0.2)
time = run.time[::4]
places: list[NDArray[np.float64]] = []
for point in ("upper[0,0,0.5]", "lower[0,0,0.5]"):
    curves = [run[f"segments/{point}/position/{axis}"] for axis in "xyz"]
    places.append(np.stack([curve.at(time) for curve in curves], axis=-1))
seen = mk.Tracks(time, ("elbow", "tip"), np.stack(places, axis=1))
file = mk.save_tracks("tracks.csv", seen, unit="m")
motion = mk.motion_from_markers(model, mk.tracks(file))
assert motion.rms < 1e-5
for curve in mk.curves_of_motion(motion):
    print(curve.name, curve.unit, curve.peak)
driven = mk.driven_by_motion(model, motion)
assert len(driven.project.drivers) == 2
