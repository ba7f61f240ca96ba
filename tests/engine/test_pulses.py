"""Closed forms of pulses against quadrature and against the engine's own integrals."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.bodies.library import LibraryError
from solver.bodies.library.pulses import Facts, facts, stopping, with_speed_change
from solver.engine.maths.profile import integral, value
from solver.project.functions import Function, Table
from solver.project.histories import shape
from solver.project.motions import (
    ConstantHistory,
    HalfSine,
    Haversine,
    History,
    Trapezoid,
    Triangle,
)

amplitudes = st.floats(-500.0, 500.0).filter(lambda a: abs(a) > 1e-3)
times = st.floats(1e-3, 1.0)
ratios = st.integers(0, 50).map(lambda n: n / 50)
shapes = st.one_of(
    st.builds(HalfSine, amplitude=amplitudes, duration_s=times, start_s=times),
    st.builds(Haversine, amplitude=amplitudes, duration_s=times, start_s=times),
    st.builds(Triangle, amplitude=amplitudes, duration_s=times, start_s=times, peak_ratio=ratios),
    st.builds(
        lambda a, T, s, u, d: Trapezoid(
            amplitude=a, duration_s=T, start_s=s, rise_ratio=u, fall_ratio=d * (1.0 - u)
        ),
        amplitudes, times, times, ratios, ratios,
    ),
)  # fmt: skip


@given(shapes)
def test_facts_are_those_of_the_engine_s_integrals(pulse) -> None:  # type: ignore[no-untyped-def]
    """The engine integrates every pulse exactly, piece by piece, in a way of its own."""
    found = facts(pulse)
    speed = integral(shape(pulse, {}), 0.0)
    way = integral(speed, 0.0)
    end = found.end_s
    scale = abs(pulse.amplitude) * pulse.duration_s
    assert value(speed, end)[0] == pytest.approx(found.speed_change, abs=1e-9 * scale)
    assert value(way, end)[0] == pytest.approx(found.way, abs=1e-9 * scale * end)
    within = np.linspace(found.start_s, end, 201)[1:-1]
    sizes = np.abs([value(shape(pulse, {}), t)[0] for t in within])
    assert sizes.max() <= abs(found.peak) * (1.0 + 1e-9)
    beside = [found.peak_s + side * 1e-6 * pulse.duration_s for side in (-1.0, 1.0)]
    nearest = max(abs(value(shape(pulse, {}), t)[0]) for t in beside)
    assert nearest == pytest.approx(abs(found.peak), rel=1e-3)


def test_closed_forms_by_hand() -> None:
    assert facts(HalfSine(amplitude=10.0, duration_s=0.1)).speed_change == pytest.approx(
        2.0 / math.pi
    )
    assert facts(Haversine(amplitude=10.0, duration_s=0.1)).speed_change == pytest.approx(0.5)
    assert facts(Triangle(amplitude=10.0, duration_s=0.1)).mean == pytest.approx(5.0)
    square = Trapezoid(amplitude=10.0, duration_s=0.1, rise_ratio=0.0, fall_ratio=0.0)
    assert facts(square) == pytest.approx(Facts(10.0, 0.0, 0.0, 0.1, 1.0, 0.05))


def test_a_table_is_added_up_exactly() -> None:
    curve = Function(
        id="c", x_unit="s", y_unit="m/s2", form=Table(x=(0.0, 0.1, 0.3), y=(0.0, 6.0, 0.0))
    )
    found = facts(History(function="c", scale=-2.0), [curve])
    same = facts(Triangle(amplitude=-12.0, duration_s=0.3, peak_ratio=1.0 / 3.0))
    assert tuple(found) == pytest.approx(tuple(same), rel=1e-12)


def test_what_has_no_end_or_no_table_is_refused() -> None:
    with pytest.raises(LibraryError, match="no end"):
        facts(ConstantHistory(value=1.0))
    with pytest.raises(LibraryError, match="no table"):
        facts(History(function="nowhere"))


@given(shapes, st.floats(0.5, 30.0))
def test_a_wanted_speed_change_is_met_by_peak_or_by_length(pulse, speed) -> None:  # type: ignore[no-untyped-def]
    signed = math.copysign(speed, pulse.amplitude)
    by_peak = with_speed_change(pulse, signed)
    by_length = with_speed_change(pulse, signed, keep="peak")
    assert facts(by_peak).speed_change == pytest.approx(signed)
    assert by_peak.duration_s == pulse.duration_s
    assert facts(by_length).speed_change == pytest.approx(signed)
    assert by_length.amplitude == pulse.amplitude


@given(st.floats(1.0, 30.0), st.floats(0.05, 2.0), st.floats(1.0, 2.0))
def test_stopping_stops_within_the_way(speed: float, way: float, over: float) -> None:
    pulse = stopping(speed, way, over * speed * speed / (2.0 * way))
    found = facts(pulse)
    assert found.speed_change == pytest.approx(-speed)
    assert speed * found.duration_s + found.way == pytest.approx(way)


def test_a_peak_that_cannot_stop_is_refused() -> None:
    with pytest.raises(LibraryError, match=r"between 50 and 100 m/s2"):
        stopping(10.0, 1.0, 40.0)
    with pytest.raises(LibraryError, match="same sign"):
        with_speed_change(HalfSine(amplitude=5.0, duration_s=0.1), -2.0, keep="peak")


@pytest.mark.parametrize("rise", [0.0, 0.3, 1.0])
def test_the_way_of_a_trapezoid_by_quadrature(rise: float) -> None:
    pulse = Trapezoid(amplitude=3.0, duration_s=2.0, rise_ratio=rise, fall_ratio=0.5 * (1 - rise))
    t = np.linspace(0.0, 2.0, 400_001)
    u, d = rise * 2.0, 0.5 * (1 - rise) * 2.0
    up = np.where(u > 0.0, t / max(u, 1e-300), 1.0)
    down = np.where(d > 0.0, (2.0 - t) / max(d, 1e-300), 1.0)
    a = 3.0 * np.clip(np.minimum(up, down), 0.0, 1.0)
    speed = np.concatenate([[0.0], np.cumsum(0.5 * (a[1:] + a[:-1]) * np.diff(t))])
    assert facts(pulse).way == pytest.approx(np.trapezoid(speed, t), rel=1e-5)
