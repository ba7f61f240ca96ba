"""Models beside each other: the heavier ball falls no faster."""

from __future__ import annotations

import numpy as np

import manikin as mk

ball = mk.sample("bouncing_ball").until(0.2)
name = ball.project.segments[0].id
models = [ball.with_value(f"segments/{name}/mass_kg", mass) for mass in (0.5, 1.0)]
runs: list[mk.Run] = mk.run_many(models, workers=2)
light, heavy = (np.asarray(run[f"segments/{name}/position/z"]) for run in runs)
assert np.allclose(light[:5], heavy[:5], atol=1e-9)
