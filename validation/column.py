"""The default sample without what gives way: a wheel that is fixed, a car without a dash."""

from __future__ import annotations

from functools import cache

import numpy as np

import manikin as mk

WHEEL = "car_steering_wheel"
SLIDE = f"joints/{WHEEL}_mount/slide"
FIXED = (1e9, 0.082)
"""Load (N) and way (m)."""
DASH = "car_dashboard"
END = "functions/car_column_end/form/x"


@cache
def solved(load: float, way: float) -> mk.Run:
    """Run the sample with a column that gives at a load (N) for a way (m)."""
    values = {f"{SLIDE}/release_above_n": load, END: (-0.01, 0.0, way, way + 0.01)}
    return mk.run(mk.sample("frontal").with_values(values))


def way(run: mk.Run) -> float:
    """How far the wheel goes in the car (m)."""
    tr = run.trajectory
    gone = tr.segment(WHEEL).position - tr.segment("vehicle").position
    return float(np.linalg.norm(gone - gone[0], axis=1).max())


@cache
def without_dash() -> mk.Run:
    """Run the sample as it stood before: the knee bag holds knees and thighs, and shins meet nothing."""
    project = mk.sample("frontal").project
    kept = tuple(
        one for one in project.contacts
        if getattr(getattr(one, "second", None), "segment", "") != DASH
    )  # fmt: skip
    return mk.run(mk.Model(project.model_copy(update={"contacts": kept})))
