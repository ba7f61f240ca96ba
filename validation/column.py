"""What the load of the steering column does in the default sample: ends of what makers of cars print, and a wheel that is fixed.

BMW 760Li 2003: pins shear at 3 kN, then 3 to 7 kN over 70 mm. Volvo XC70 2009 and S60 2011: some 2 kN to begin, at most 95 mm
(makers' workshop manuals). The sample has the middle of both.
"""

from __future__ import annotations

from functools import cache

import numpy as np

import manikin as mk

WHEEL = "car_steering_wheel"
SLIDE = f"joints/{WHEEL}_mount/slide"
END = "functions/car_column_end/form/x"
MIDDLE = (4.5e3, 0.082)
ENDS = ((2e3, 0.095), (7e3, 0.07))
"""Load (N) and way (m): the softest and the stiffest of what is printed."""
FIXED = (1e9, 0.082)


@cache
def solved(load: float, way: float, arms: bool = True) -> mk.Run:
    """Run the sample with a column that gives at a load (N) for a way (m); the bag may leave out the arms."""
    values = {f"{SLIDE}/release_above_n": load, END: (-0.01, 0.0, way, way + 0.01)}
    project = mk.sample("frontal").with_values(values).project
    (bag,) = project.airbags
    kept = tuple(t for t in bag.touches if arms or not t.segment.endswith("_arm"))
    bags = (bag.model_copy(update={"touches": kept}),)
    return mk.run(mk.Model(project.model_copy(update={"airbags": bags})))


def way(run: mk.Run) -> float:
    """Give how far the wheel goes in the car (m)."""
    tr = run.trajectory
    gone = tr.segment(WHEEL).position - tr.segment("vehicle").position
    return float(np.linalg.norm(gone - gone[0], axis=1).max())
