"""The rating of ISO/TS 18571: identities, closed forms, brute force, and what is refused."""

from __future__ import annotations

import itertools

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.engine.signals import SignalError, rating
from solver.engine.signals.rating import corridor_scores, rating_of_samples, slopes, warped
from solver.engine.signals.series import Array

STEP = 1e-4
TIME = STEP * np.arange(1001)


def pulse(t: Array, late: float = 0.0) -> Array:
    """Give a smooth pulse of 100 with a smaller one behind it."""
    x = t - 0.05 - late
    out: Array = 100.0 * np.exp(-((x / 0.01) ** 2)) - 30.0 * np.exp(-(((x - 0.02) / 0.006) ** 2))
    return out


def test_identical_curves_agree_wholly() -> None:
    found = rating(TIME, pulse(TIME), TIME, pulse(TIME))
    assert (found.corridor, found.phase, found.magnitude, found.slope) == (1.0, 1.0, 1.0, 1.0)
    assert (found.whole, found.late_s, found.grade) == (pytest.approx(1.0), 0.0, "excellent")


@pytest.mark.parametrize("late", [0.002, -0.0035, 0.0071])
def test_a_shift_costs_the_phase_in_proportion(late: float) -> None:
    found = rating(TIME, pulse(TIME, late), TIME, pulse(TIME))
    assert found.late_s == pytest.approx(late)
    assert found.phase == pytest.approx(1.0 - abs(late) / (0.2 * len(TIME) * STEP))
    assert found.magnitude == pytest.approx(1.0, abs=1e-9)
    assert found.slope == pytest.approx(1.0, abs=1e-9)


def test_beyond_a_fifth_of_the_span_nothing_is_left_of_the_phase() -> None:
    test = pulse(TIME, -0.03)
    assert rating(TIME, pulse(TIME, 0.02), TIME, test).phase < 0.05


@pytest.mark.parametrize("scale", [0.97, 1.2, 0.6])
def test_a_scale_has_closed_forms(scale: float) -> None:
    test = pulse(TIME)
    found = rating(TIME, scale * test, TIME, test)
    assert found.late_s == 0.0
    assert found.slope == pytest.approx(1.0 - abs(scale - 1.0) / 2.0)
    off = abs(scale - 1.0) * np.abs(test) / np.abs(test).max()
    score = np.where(off < 0.05, 1.0, np.where(off > 0.5, 0.0, ((0.5 - off) / 0.45) ** 2))
    assert found.corridor == pytest.approx(score.mean())
    # warping may only bring the curves nearer
    assert found.magnitude >= 1.0 - abs(scale - 1.0) / 0.5 - 1e-12
    assert found.magnitude < 1.0


def test_a_constant_offset_has_a_closed_form() -> None:
    test = np.full(200, 4.0)
    found = rating_of_samples(test + 1.0, test, STEP)
    assert found.corridor == pytest.approx(((0.5 - 0.25) / 0.45) ** 2)
    assert found.magnitude == pytest.approx(1.0 - 0.25 / 0.5)
    assert found.phase == 1.0


def test_the_corridors_meet_the_inner_and_the_outer_edge() -> None:
    test = np.array([10.0, 10.0, 10.0, 10.0, -10.0])
    value = test + np.array([0.4999, 5.0001, 2.75, -0.5, 5.0])
    assert corridor_scores(value, test) == pytest.approx([1.0, 0.0, 0.25, 1.0, 0.0])


def test_ratings_fall_as_curves_part() -> None:
    wave = np.sin(900.0 * TIME) * np.exp(-(((TIME - 0.05) / 0.02) ** 2))
    found = [rating(TIME, pulse(TIME) + a * wave, TIME, pulse(TIME)) for a in (0, 5, 15, 40, 90)]
    for name in ("corridor", "magnitude", "slope", "whole"):
        scores = [getattr(one, name) for one in found]
        assert scores == sorted(scores, reverse=True), name
    assert found[-1].grade in ("fair", "poor")


def test_the_scale_of_both_and_the_unit_do_not_matter() -> None:
    value, test = pulse(TIME, 0.002) * 1.1, pulse(TIME)
    one, other = rating(TIME, value, TIME, test), rating(TIME, -9.81 * value, TIME, -9.81 * test)
    assert one.whole == pytest.approx(other.whole)


def cheapest(a: Array, b: Array, window: int) -> float:
    """Give the cost of the cheapest way by recursion over all."""
    best: dict[tuple[int, int], float] = {}
    for i, j in itertools.product(range(len(a)), range(len(b))):
        if abs(i - j) >= window:
            continue
        steps = [best.get(p, np.inf) for p in ((i - 1, j), (i, j - 1), (i - 1, j - 1))]
        best[i, j] = (a[i] - b[j]) ** 2 + (0.0 if i == j == 0 else min(steps))
    return best[len(a) - 1, len(b) - 1]


@settings(max_examples=40, deadline=None)
@given(st.integers(2, 24), st.integers(1, 9), st.integers(0, 10_000))
def test_the_warping_is_the_cheapest(n: int, window: int, seed: int) -> None:
    rng = np.random.default_rng(seed)
    a, b = rng.normal(size=n), rng.normal(size=n)
    i, j = warped(a, b, window)
    assert ((a[i] - b[j]) ** 2).sum() == pytest.approx(cheapest(a, b, window))
    assert (i[0], j[0], i[-1], j[-1]) == (0, 0, n - 1, n - 1)
    steps = {(x, y) for x, y in zip(np.diff(i).tolist(), np.diff(j).tolist(), strict=True)}
    assert steps <= {(0, 1), (1, 0), (1, 1)}
    assert np.abs(i - j).max() < window


def test_slopes_of_a_line_and_a_parabola() -> None:
    t = STEP * np.arange(60)
    assert slopes(3.0 * t + 2.0, STEP) == pytest.approx(np.full(60, 3.0))
    inner = slopes(t * t, STEP)[5:-5]
    assert inner == pytest.approx(2.0 * t[5:-5])


def test_curves_of_other_rates_and_spans_are_rated_where_both_are() -> None:
    fine = np.linspace(-0.02, 0.15, 3000)
    coarse = np.linspace(0.0, 0.1, 401)
    found = rating(fine, pulse(fine), coarse, pulse(coarse))
    assert found.whole == pytest.approx(1.0, abs=2e-3)


@pytest.mark.parametrize(
    ("time", "value", "words"),
    [
        ([1.0, 2.0], [0.0, 1.0], "share less"),
        ([0.0, 0.0004], [0.0, 1.0], "share less"),
        ([0.0, 0.1], [0.0, 0.0], "zero throughout"),
    ],
)
def test_what_cannot_be_rated_is_said(time: list[float], value: list[float], words: str) -> None:
    with pytest.raises(SignalError, match=words):
        rating(TIME, pulse(TIME), time, value)


def test_long_curves_are_refused() -> None:
    t = np.linspace(0.0, 5.0, 100)
    with pytest.raises(SignalError, match="at most 1 s"):
        rating(t, t, t, t)
