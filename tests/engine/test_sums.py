"""Sums of polynomials, sines, cosines, exponentials and tables, against their closed forms."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver import simulate
from solver.editing.mirror_joints import reflected, scaled
from solver.engine.maths import curve, profile
from solver.project.checks import check
from solver.project.forms import last_argument, samples, value_at
from solver.project.functions import Function
from solver.project.histories import curve_of, position
from solver.project.motions import MotionComponent
from tests.models import base, project, segment

END, POLY = 2.0, [0.1, 0.2, -0.3, 0.4, 0.05, -0.02]
TERMS = [
    {"kind": "polynomial", "coefficients": POLY, "x_max": END},
    {"kind": "sine", "amplitude": 0.7, "omega": 9.0, "phase_rad": 0.4, "x_max": END},
    {"kind": "sine", "amplitude": -0.3, "omega": 5.0, "phase_rad": 0.5 * np.pi, "growth": -1.5, "x_max": END},
    {"kind": "exponential", "amplitude": 0.2, "growth": -3.0, "x_max": END},
]  # fmt: skip


def summed(*more: Any, unit: str = "m") -> Function:
    form = {"kind": "sum", "terms": [*TERMS, *more]}
    return Function.model_validate({"id": "f", "x_unit": "s", "y_unit": unit, "form": form})


def closed(t: Any, order: int = 0) -> Any:
    """The sum and its derivatives; order -1 and -2 are integrals."""
    plain = np.polynomial.Polynomial(POLY)
    whole = plain.deriv(order) if order > 0 else plain.integ(-order) if order else plain
    out = whole(t) + 0.7 * np.imag(np.exp(0.4j) * (9j) ** order * np.exp(9j * t))
    damped = -1.5 + 5j
    out -= 0.3 * np.imag(1j * damped**order * np.exp(damped * t))
    return out + 0.2 * (-3.0) ** order * np.exp(-3.0 * t)


def test_a_sum_and_its_derivatives_are_the_closed_form() -> None:
    found = {
        what: MotionComponent.model_validate(
            {"component": "x", "quantity": what, "pulse": {"kind": "function", "function": "f"},
             "start_value": closed(0.0, 0), "start_rate": closed(0.0, 1)}
        )
        for what in ("position", "acceleration")
    }  # fmt: skip
    made = {"f": curve_of(summed())}
    t = np.linspace(1e-3, END - 1e-3, 301)
    place = profile.joined([position(found["position"], made)])
    known = np.array([profile.profile_at(place, 0, x, x) for x in t])
    for order, miss in ((0, 1e-13), (1, 1e-11), (2, 1e-10)):
        wanted = closed(t, order)
        assert known[:, order] == pytest.approx(wanted, abs=miss * np.abs(wanted).max())
    # given as an acceleration it is integrated twice, exactly
    driven = profile.joined([position(found["acceleration"], made)])
    known = np.array([profile.profile_at(driven, 0, x, x) for x in t])
    rest = closed(0.0, 0) - closed(0.0, -2), closed(0.0, 1) - closed(0.0, -1)
    assert known[:, 0] == pytest.approx(closed(t, -2) + rest[0] + rest[1] * t, abs=1e-10)
    assert known[:, 1] == pytest.approx(closed(t, -1) + rest[1], abs=1e-10)
    assert known[:, 2] == pytest.approx(closed(t), abs=1e-9)


def test_terms_keep_their_own_ends_and_tables_their_corners() -> None:
    function = summed({"kind": "table", "x": [0.5, 0.7, 3.0], "y": [0.0, 4.0, 1.0]})
    form, whole = function.form, curve.joined([curve_of(function)])
    for t in (-1.0, 0.0, 0.3, 0.6, 0.71, 1.9999, 2.5, 4.0):
        wanted = closed(min(max(t, 0.0), END)) + np.interp(t, [0.5, 0.7, 3.0], [0.0, 4.0, 1.0])
        assert value_at(form, t) == pytest.approx(wanted, abs=1e-12)
        assert curve.curve_at(whole, 0, t)[0] == pytest.approx(wanted, abs=1e-9)
    assert last_argument(form) == 3.0
    x, y = samples(form)
    assert (x[0], x[-1]) == (0.0, 3.0)
    assert y == pytest.approx([value_at(form, float(v)) for v in x])
    for image, factor, back in ((reflected(form, 0.7, -1.0), -1.0, 0.7), (scaled(form, 2.5), 2.5, None)):  # fmt: skip
        for t in np.linspace(-2.0, 4.0, 13):
            there = t if back is None else back - t
            assert value_at(image, t) == pytest.approx(factor * value_at(form, there), abs=1e-12)


def test_a_push_by_a_sum_moves_a_mass_as_its_closed_form_says() -> None:
    data = base(
        segments=[segment("mass", 2.0)], functions=[summed(unit="N").model_dump(mode="json")],
        loads=[{"id": "push", "segment": "mass", "axes": "ground", "history": "f"}],
        gravity_m_per_s2=[0.0, 0.0, 0.0], duration=1.0,
    )  # fmt: skip
    run = simulate(project(data))
    speed = 0.5 * (closed(run.time, -1) - closed(0.0, -1))
    assert run.segment("mass").velocity[:, 0] == pytest.approx(speed, abs=1e-8)


@pytest.mark.parametrize(
    ("term", "code"),
    [
        ({"kind": "sine", "amplitude": 1.0, "omega": 1e9, "x_max": 1.0}, "wave-long"),
        ({"kind": "exponential", "amplitude": 1.0, "growth": 50.0, "x_max": 1.0}, "wave-large"),
        ({"kind": "sine", "amplitude": 1.0, "omega": 1.0, "x_min": 2.0, "x_max": 1.0}, "polynomial-range"),
    ],
)  # fmt: skip
def test_what_cannot_be_followed_is_refused(term: Any, code: str) -> None:
    data = base(
        segments=[segment("mass")], functions=[summed(term, unit="N").model_dump(mode="json")],
        loads=[{"id": "push", "segment": "mass", "history": "f"}],
    )  # fmt: skip
    assert [one.code for one in check(project(data)) if one.severity == "error"] == [code]
