"""Free rotation: section 3.4 of CVS-IV, its Table 3.2, and the exact solution.

The program that printed the table ends a step at marks of 1 or 5 ms. No run of ours does: `rotate` of the
tests calls the kernels itself to do so. Beside its figures stand those of the same settings as a user
runs them, read from the run's frames.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

import numpy as np

from solver.engine.maths.rotation import matrix
from solver.running.simulation import simulate
from tests.engine.test_vei import (
    TABLE,
    J,
    Rotation,
    W,
    angular,
    exact,
    rates,
    rotate,
    sample,
    vei,
    with_run,
)
from validation.case import Case

TITLE = "Free body, 25 ms"
MARKED, RUN = "steps end at marks, by a driver of the tests", "as a user runs it"
FRAMES = 5e-4
"""Time (s) between the frames that are looked at."""


def cases() -> Iterator[Case]:
    """All rows of Table 3.2 both ways, and the default integrator's errors."""
    for number, (marks, largest, first, relative, steps, evaluations, *errors) in TABLE.items():
        settings = vei(
            first_step_s=first * 1e-3, largest_step_s=largest * 1e-3, smallest_step_s=6.25e-5,
            iterations=6, tests=angular(relative),
        )  # fmt: skip
        for made, way, count, times in (
            (rotate(settings, marks * 1e-3), MARKED, 0.0, 1.0), (as_run(settings), RUN, 1.0, 2.5),
        ):  # fmt: skip
            source = f"Table 3.2, run {number}, {way}"
            yield Case(TITLE, source, "steps", steps, made.steps + 1, count)
            yield Case(TITLE, source, "evaluations", evaluations, made.evaluations, 0.05 * evaluations)  # fmt: skip
            for what, printed, found in (
                ("error of angular acceleration at half periods", errors[0], made.acceleration),
                ("error of angular momentum", errors[2], made.momentum),
                ("error of the root of energy", errors[3], made.energy),
            ):
                yield Case(TITLE, source, what, printed, found, times * printed, "%")
    rk4 = {"kind": "rk4", "step_s": 5e-4}
    fine = {"kind": "dopri", "relative_tolerance": 1e-12, "absolute_tolerance": 1e-14}
    for way, made, close in ((MARKED, rotate(rk4, 0.005), rotate(fine, 0.005)), (RUN, as_run(rk4), as_run(fine))):  # fmt: skip
        source = f"Table 3.2, Runge-Kutta, {way}"
        yield Case(TITLE, source, "evaluations", 204, made.evaluations + 3, 0.0)
        yield Case(TITLE, source, "error of angular acceleration", 0.2138, made.acceleration, 0.005, "%")  # fmt: skip
        source = f"exact, section 3.3, {way}"
        for what, error in (("angular momentum", close.momentum), ("root of energy", close.energy)):
            yield Case(TITLE, source, f"error of {what}, Dormand-Prince", 0.0, 0.01 * error, 1e-10)


def as_run(integrator: dict[str, Any]) -> Rotation:
    """Turn the free body for 25 ms in a run, and give what its frames are off."""
    model = with_run(sample("free_body"), 0.025, integrator, frame_interval_s=FRAMES)
    attitude = model.initial.attitudes[0].model_copy(
        update={"angular_velocity_rad_per_s": (W, W, W)}
    )
    initial = model.initial.model_copy(update={"attitudes": (attitude,)})
    run = simulate(model.model_copy(update={"initial": initial}))
    table, body = run.steps(), run.segment("body")
    start = J * W
    size, direction = float(np.linalg.norm(start)), start / np.linalg.norm(start)
    acceleration, across, momentum, energy = 0.0, 0.0, 0.0, 0.0
    frames = zip(run.time, body.quaternion_wxyz, body.angular_velocity, body.angular_acceleration, strict=True)  # fmt: skip
    for t, attitude_at, w, a in frames:
        h = matrix(attitude_at) @ (J * w)
        across = max(across, float(np.linalg.norm(h - direction * (direction @ h))))
        momentum = max(momentum, abs(float(np.linalg.norm(h)) / size - 1.0))
        energy = max(energy, abs(math.sqrt(J @ w**2 / 6.0) / W - 1.0))
        if t > 0.0 and abs(t / 0.005 - round(t / 0.005)) < 1e-9:
            acceleration = max(acceleration, float(np.abs(a / rates(exact(t)) - 1.0).max()))
    steps, evaluations = len(table["step"]), int(table["evaluations"][-1])
    return Rotation(
        steps, evaluations, int(table["rejected"][-1]), 100 * acceleration, across, 100 * momentum, 100 * energy
    )  # fmt: skip
