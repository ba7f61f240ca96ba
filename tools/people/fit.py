"""Fit chest and neck of the 50th-percentile man: `python -m tools.people.fit chest` or `neck`; prints what was found.

The chest is fitted to the average curve of Kroell's tests at 7.15 m/s, inside its corridor, and to a largest deflection within one
standard deviation of the subjects. The neck is fitted to the heads of volunteers 1635, 1637 and 1638. Both with a pull towards the
start, where measurements say nothing. Found numbers go into `solver/bodies/people` by hand, rounded.
"""

from __future__ import annotations

import sys
from dataclasses import replace

import numpy as np
from scipy.optimize import least_squares

from solver.bodies.parts import Ribs
from solver.bodies.people import sizes, trunk
from solver.engine.maths.rotation import Array
from validation import people, volunteers

LOBDELL = Ribs(26.3e3, 78.9e3, 0.038, 13.2e3, 175.0, 525.0, 1226.0)
LOBDELL_SKIN = 281e3
CHEST = ("stiffness", "beyond", "series", "series_damping", "damping_in", "damping_out")
DEEP_MM = 75.5
"""Largest deflection that is aimed at: one standard deviation below the subjects' mean, and a little more."""
NECK = (0.9, 5.0, 0.7, 3.5, 0.4)
"""Start: moments of discs and condyles, range, damping of discs and condyles, in parts of those assumed."""
DAMPING_MOST = 4.0
"""Of discs, in parts of the one assumed: the light links between them make more of it slow to solve."""
PULL = 0.1
BEYOND_LEAST = 50e3
"""Least stiffness of ribs pressed deep (N/m): hubs alone would have it softer, and belts would sink in farther than they do."""


def chest(logs: Array) -> Array:
    """Give residuals of a chest."""
    values = np.exp(logs)
    trunk.CHEST = replace(LOBDELL, **dict(zip(CHEST, values.tolist(), strict=False)))
    trunk.SKIN = float(values[-1])
    press = people.pressed(people.KROELL)
    d, f = press.deflection, press.force
    deepest = int(np.argmax(d))
    average = people.curve_of("kroell_16mph_corridor", "average")
    ends = int(np.argmax(average[:, 0])) + 1
    grid = np.arange(8.0, 72.0, 4.0)
    going = np.interp(grid, d[: deepest + 1], f[: deepest + 1])
    lower = people.curve_of("kroell_16mph_corridor", "lower")[:4]
    upper = people.curve_of("kroell_16mph_corridor", "upper")[:3]
    low = np.where(grid > lower[-1, 0], 0.0, np.interp(grid, lower[:, 0], lower[:, 1]))
    high = np.interp(grid, upper[:, 0], upper[:, 1])
    back = np.array([58.0, 62.0, 66.0])
    found = np.interp(back, d[deepest:][::-1], f[deepest:][::-1])
    asked = np.interp(back, average[ends - 1 :, 0][::-1], average[ends - 1 :, 1][::-1])
    return np.concatenate(
        [
            (going - np.interp(grid, average[:ends, 0], average[:ends, 1])) / 1500.0,
            np.maximum(low + 120.0 - going, 0.0) / 60.0,
            np.maximum(going - high + 120.0, 0.0) / 60.0,
            (found - asked) / 1000.0,
            [2.0 * (press.deepest - DEEP_MM)],
            PULL * (logs - CHEST_START),
        ]
    )


CHEST_START = np.log([*(getattr(LOBDELL, name) for name in CHEST), LOBDELL_SKIN])


def neck(logs: Array) -> Array:
    """Give residuals of a neck."""
    discs, condyles, far, damping, nods = np.exp(logs)
    sizes.FITTED_NECK = {"discs": (discs, damping), "condyles": (condyles, nods)}
    sizes.FITTED_RANGE = far
    sizes.BENDS.update({name: sizes.neck_joint(name) for name in sizes.NECK_MM})
    out: list[float] = []
    for name in volunteers.FITTED:
        subject = volunteers.read(volunteers.FOLDER / f"{name}.csv")
        run = people.head_on_t1(subject)
        pitch = volunteers.computed(run, subject)["pitch"].min() - subject.measured["pitch"].min()
        out += [1.0 - rating for rating in volunteers.ratings(run, subject).values()]
        out += [0.5 * (peak - 1.0) for peak in volunteers.peaks(run, subject)]
        out.append(float(pitch) / np.radians(30.0))
        moment = volunteers.condyles(run, subject)
        out.append(moment[0] / moment[1] - 1.0)
    return np.concatenate([out, PULL * logs])


def _from_one(logs: Array) -> Array:
    return neck(logs - 1.0)


def main() -> None:
    """Fit one of both."""
    # steps are parts of the unknowns, so these may not be near zero
    if sys.argv[1:] == ["neck"]:
        start = np.log(NECK) + 1.0
        top = np.full(5, 3.5)
        top[3] = 1.0 + np.log(DAMPING_MOST)
        found = least_squares(
            _from_one,
            start,
            diff_step=np.full(5, 0.03),
            x_scale=0.3,
            max_nfev=10,
            bounds=(-1.5, top),
        )
        print(np.exp(found.x - 1.0))
    else:
        start, steps = CHEST_START, np.full(len(CHEST_START), 5e-3)
        low = start - 1.6
        low[1] = np.log(BEYOND_LEAST)
        found = least_squares(
            chest,
            start,
            diff_step=steps,
            x_scale=0.2,
            max_nfev=16,
            bounds=(low, start + 1.6),
        )
        print(dict(zip((*CHEST, "skin"), np.exp(found.x), strict=True)))
    print(found.cost, found.nfev)


if __name__ == "__main__":
    main()
