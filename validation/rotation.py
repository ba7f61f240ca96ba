"""Free rotation: section 3.4 of CVS-IV, its Table 3.2, and the exact solution."""

from __future__ import annotations

from collections.abc import Iterator

from tests.test_vei import TABLE, angular, rotate, vei
from validation.case import Case

TITLE = "Free body, 25 ms"


def cases() -> Iterator[Case]:
    """Give all rows of Table 3.2, and the default integrator's errors."""
    for number, (marks, largest, first, relative, steps, evaluations, *errors) in TABLE.items():
        settings = vei(
            first_step_s=first * 1e-3, largest_step_s=largest * 1e-3, smallest_step_s=6.25e-5,
            iterations=6, tests=angular(relative),
        )  # fmt: skip
        made, source = rotate(settings, marks * 1e-3), f"Table 3.2, run {number}"
        yield Case(TITLE, source, "steps", steps, made.steps + 1, 0.0)
        yield Case(TITLE, source, "evaluations", evaluations, made.evaluations, 0.05 * evaluations)
        yield Case(
            TITLE, source, "error of angular acceleration at half periods",
            errors[0], made.acceleration, errors[0], "%",
        )  # fmt: skip
        yield Case(
            TITLE, source, "error of angular momentum", errors[2], made.momentum, errors[2], "%"
        )
        yield Case(
            TITLE, source, "error of the root of energy", errors[3], made.energy, errors[3], "%"
        )
    made = rotate({"kind": "rk4", "step_s": 5e-4}, 0.005)
    source = "Table 3.2, Runge-Kutta"
    yield Case(TITLE, source, "evaluations", 204, made.evaluations + 3, 0.0)
    yield Case(
        TITLE, source, "error of angular acceleration", 0.2138, made.acceleration, 0.005, "%"
    )
    exact = {"kind": "dopri", "relative_tolerance": 1e-12, "absolute_tolerance": 1e-14}
    made = rotate(exact, 0.005)
    source = "exact, section 3.3"
    for quantity, error in (("angular momentum", made.momentum), ("root of energy", made.energy)):
        yield Case(TITLE, source, f"error of {quantity}, Dormand-Prince", 0.0, 0.01 * error, 1e-10)
