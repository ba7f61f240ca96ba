"""Profiles of time: exact integrals against closed forms, fractions and quadrature."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from solver.engine.maths.profile import (
    Profile,
    constant,
    half_sine,
    haversine,
    integral,
    make,
    polyline,
    value,
)

A, START, T = 170.0, 0.012, 0.1


def twice(profile: Profile) -> tuple[Profile, Profile]:
    speed = integral(profile, 0.0)
    return speed, integral(speed, 0.0)


@pytest.mark.parametrize(
    ("pulse", "speed", "way"),
    [
        # velocity change and distance of the pulse alone, by hand
        (half_sine(A, START, T), 2 * A * T / math.pi, A * T**2 / math.pi),
        (haversine(A, START, T), A * T / 2, A * T**2 / 4),
        (polyline([START, START + T / 2, START + T], [0, A, 0]), A * T / 2, A * T**2 / 4),
    ],
)
def test_pulses_have_their_closed_forms(pulse: Profile, speed: float, way: float) -> None:
    v, x = twice(pulse)
    end = START + T
    assert value(v, START)[0] == pytest.approx(0.0, abs=1e-14)
    assert value(v, end)[0] == pytest.approx(speed, rel=1e-13)
    assert value(x, end)[0] == pytest.approx(way, rel=1e-12)
    assert value(x, end + 1.0)[0] == pytest.approx(way + speed, rel=1e-12)
    assert value(pulse, START + T / 2)[0] == pytest.approx(A, rel=1e-14)
    assert value(pulse, end + 1e-9)[0] == 0.0
    assert value(pulse, START - 1e-9)[0] == 0.0


def test_the_sled_pulse_to_the_last_printed_digit() -> None:
    g = 386.088
    pulse = polyline(
        [0.01 * i for i in range(9)], [-g * n for n in (0, 5, 10, 15, 20, 15, 10, 5, 0)]
    )
    v, x = twice(pulse)
    printed = [-9.6522, -38.6088, -86.8698, -154.4352, -222.0006, -270.2616, -299.2182, -308.8704]
    for i, speed in enumerate(printed, 1):
        assert value(v, 0.01 * i)[0] == pytest.approx(speed, abs=1e-9)
    assert value(x, 0.04)[0] == pytest.approx(-2.05914, abs=5e-6)
    assert value(x, 0.08)[0] == pytest.approx(-12.35482, abs=5e-6)


whole = st.integers(-50, 50)


@given(st.lists(st.tuples(st.integers(1, 9), whole), min_size=2, max_size=8), st.integers(0, 60))
def test_tables_integrate_exactly(points: list[tuple[int, int]], at: int) -> None:
    """Against fractions, which make no rounding error."""
    x = np.cumsum([dx for dx, _ in points]).tolist()
    y = [v for _, v in points]

    def area(t: Fraction) -> Fraction:
        total = Fraction(0)
        knots = [
            (Fraction(0), Fraction(y[0])),
            *((Fraction(a), Fraction(b)) for a, b in zip(x, y, strict=True)),
        ]
        knots.append((Fraction(10**6), Fraction(y[-1])))
        for (a, ya), (b, yb) in itertools.pairwise(knots):
            if t <= a or a == b:
                continue
            end = min(t, b)
            y_end = ya + (yb - ya) * (end - a) / (b - a)
            total += (ya + y_end) * (end - a) / 2
        return total

    speed = integral(polyline(x, y), 0.0)
    assert value(speed, float(at))[0] == pytest.approx(float(area(Fraction(at))), abs=1e-9)


pieces = st.lists(
    st.tuples(
        st.lists(st.floats(-3, 3), min_size=1, max_size=6),
        st.tuples(st.floats(-3, 3), st.floats(-3, 3), st.sampled_from([0.0, 0.7, 5.0])),
    ),
    min_size=1,
    max_size=4,
)


@given(pieces, st.floats(-1.0, 5.0))
def test_integrals_agree_with_quadrature_and_lead_back(parts, t: float) -> None:  # type: ignore[no-untyped-def]
    profile = make([(0.8 * i, c, w) for i, (c, w) in enumerate(parts)])
    first = integral(profile, 1.25)
    second = integral(first, -2.0)
    assert value(first, 0.0)[0] == pytest.approx(1.25, abs=1e-12)
    assert value(second, 0.0)[0] == pytest.approx(-2.0, abs=1e-12)
    breaks = sorted({min(max(b, min(0.0, t)), max(0.0, t)) for b in profile.start})
    edges = [0.0, *(breaks if t > 0 else breaks[::-1]), t]
    area = sum(
        quad(lambda s: value(profile, s)[0], a, b, epsabs=1e-12, epsrel=1e-12)[0]
        for a, b in itertools.pairwise(edges)
        if abs(b - a) > 1e-12
    )
    scale = 1e-9 * (1 + abs(area) + float(np.abs(profile.poly).max()) * 5**7)
    assert value(first, t)[0] == pytest.approx(1.25 + area, abs=scale)
    # derivatives of the integrals are the profile again
    assert value(first, t)[1] == pytest.approx(value(profile, t)[0], rel=1e-10, abs=scale)
    assert value(second, t)[2] == pytest.approx(value(profile, t)[0], rel=1e-10, abs=scale)


def test_integrals_are_continuous_at_breaks() -> None:
    v, x = twice(make([(0.0, [1.0, 2.0], (0, 0, 0)), (1.0, [5.0], (3.0, 1.0, 4.0))]))
    for profile in (v, x):
        before, after = value(profile, 1.0 - 1e-12)[0], value(profile, 1.0)[0]
        assert before == pytest.approx(after, abs=1e-10)


def test_too_high_a_degree_is_refused() -> None:
    fifth = make([(0.0, [0, 0, 0, 0, 0, 1.0], (0, 0, 0))])
    twice(fifth)
    with pytest.raises(ValueError, match="too high"):
        integral(integral(integral(fifth, 0.0), 0.0), 0.0)
    assert value(constant(3.0), 1e9) == (3.0, 0.0, 0.0)
