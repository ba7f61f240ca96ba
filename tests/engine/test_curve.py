"""Functions of one variable: values, slopes and areas against plain formulas."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from solver.engine.maths import curve
from solver.engine.maths.curve import Curve, curve_and_area, curve_area, curve_at, joined

levels = st.floats(-50.0, 50.0)


def at(c: Curve, x: float) -> float:
    return float(curve_at(joined([c]), 0, x)[0])


@given(st.lists(levels, min_size=2, max_size=8), st.floats(-3.0, 12.0))
def test_a_table_is_interpolated(y: list[float], x: float) -> None:
    places = np.arange(len(y)) * 1.5 - 1.0
    assert at(curve.table(places, y), x) == pytest.approx(float(np.interp(x, places, y)), abs=1e-11)


@given(st.lists(levels, min_size=1, max_size=6), st.floats(-2.0, 0.9), st.floats(-5.0, 5.0))
def test_a_polynomial_holds_its_end_values(c: list[float], low: float, x: float) -> None:
    high = low + 1.7
    expected = np.polynomial.polynomial.polyval(min(max(x, low), high), c)
    assert at(curve.polynomial(c, low, high), x) == pytest.approx(expected, rel=1e-9, abs=1e-9)


@given(st.lists(levels, min_size=2, max_size=5), st.floats(-1.0, 4.0), st.floats(-4.0, 7.0))
def test_two_ranges_follow_each_other(y: list[float], border: float, x: float) -> None:
    first = curve.polynomial([1.0, 2.0, -0.5], -2.0, 3.0)
    second = curve.table(np.arange(len(y)) - 0.5, y)
    both = curve.split(first, second, border)
    assert at(both, x) == pytest.approx(at(first if x < border else second, x), abs=1e-9)
    assert list(both.start) == sorted(both.start)


def cases() -> list[Curve]:
    poly = curve.polynomial([1.0, -2.0, 0.3, 0.1], -1.0, 2.0)
    tab = curve.table([-0.5, 0.5, 0.5, 2.0], [0.0, 1.0, 3.0, -2.0])
    return [curve.constant(3.0), poly, tab, curve.split(tab, poly, 0.7)]


@pytest.mark.parametrize("k", range(4))
@given(x=st.floats(-4.0, 4.0))
def test_areas_and_slopes_belong_to_the_values(k: int, x: float) -> None:
    curves = joined(cases())
    breaks = [b for b in cases()[k].breaks if min(0.0, x) < b < max(0.0, x)]
    area = quad(lambda s: curve_at(curves, k, s)[0], 0.0, x, points=breaks or None, limit=200)[0]
    assert curve_area(curves, k, x) == pytest.approx(area, abs=1e-8)
    h = 1e-6
    if all(abs(b - x) > 2 * h for b in cases()[k].breaks):
        slope = (curve_at(curves, k, x + h)[0] - curve_at(curves, k, x - h)[0]) / (2 * h)
        assert curve_at(curves, k, x)[1] == pytest.approx(slope, abs=1e-6)


@pytest.mark.parametrize("k", range(4))
@given(x=st.floats(-4.0, 4.0))
def test_lines_are_found_in_few_steps_with_the_same_numbers(k: int, x: float) -> None:
    curves = joined(cases())
    value, area = curve_and_area(curves, k, x)
    assert (value, area) == (curve_at(curves, k, x)[0], curve_area(curves, k, x))
    longer = curves._replace(poly=curves.poly.copy())
    # lost in rounding, but no longer a line
    longer.poly[:, 5] += 1e-300
    found = (*curve_at(longer, k, x), curve_area(longer, k, x))
    assert found == pytest.approx((*curve_at(curves, k, x), area), rel=0.0, abs=1e-290)


def test_a_table_without_negative_arguments_is_one_sided() -> None:
    assert curve.table([0.0, 1.0], [0.0, 5.0]).one_sided
    assert not curve.table([-1.0, 1.0], [0.0, 5.0]).one_sided
    assert curve.constant(2.0).one_sided
    assert math.isclose(at(curve.constant(2.0), -7.0), 2.0)
