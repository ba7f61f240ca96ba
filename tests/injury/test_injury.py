"""Injury criteria: closed forms, brute force, printed values, and what must not change them."""

from __future__ import annotations

import math
from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import quad, solve_ivp
from scipy.signal import freqz

from solver.base.places import samples
from solver.engine.signals import integrated
from solver.injury import G, compute, gsi, hic, reference
from solver.injury.criteria import Signal, tibia_index
from solver.injury.faults import cut_off
from solver.injury.figures import figure_segment
from solver.injury.head import (
    DAMAGE_SCALE,
    DAMAGE_TIME,
    DRI,
    bric,
    combined,
    damage,
    damage_stiffness,
    dynamic_response,
    fir100,
    gambit,
    nic,
    nij,
    nkm,
    rib_filtered,
    thoracic_trauma,
    viscous,
)
from solver.injury.scores import Array, Measure, deflection
from solver.injury.sensors import _sternum
from solver.project import load_project
from solver.project.outputs import InjuryOutput

STEP = 1e-5


def brute_hic(t: Array, g: Array, window: float | None = None) -> float:
    """Look at every pair of samples."""
    area = np.concatenate([[0.0], np.cumsum(0.5 * (g[1:] + g[:-1]) * np.diff(t))])
    span = t[None, :] - t[:, None]
    gain = np.maximum(area[None, :] - area[:, None], 0.0)
    good = (span > 0.0) & (span <= (window or math.inf) * (1.0 + 1e-12))
    return float((gain**2.5 / np.where(good, span, 1.0) ** 1.5)[good].max())


def half_sine(g: float, duration: float) -> tuple[Array, Array]:
    t = np.arange(round(duration / STEP) + 1) * STEP
    return t, g * np.sin(np.pi * t / duration)


@pytest.mark.parametrize(
    ("g", "duration", "free", "w36", "w15", "index"),
    [
        (100.0, 0.020, 829.291, 829.291, 829.291, 915.312),
        (60.0, 0.050, 578.130, 578.130, 381.051, 638.098),
        (50.0, 0.100, 732.997, 556.202, 259.091, 809.029),
    ],
)
def test_half_sines_give_the_printed_values(
    g: float, duration: float, free: float, w36: float, w15: float, index: float
) -> None:
    t, a = half_sine(g, duration)
    assert hic(t, a).value == pytest.approx(free, rel=2e-6)
    assert hic(t, a, 0.036).value == pytest.approx(w36, rel=2e-6)
    assert hic(t, a, 0.015).value == pytest.approx(w15, rel=2e-6)
    assert gsi(t, a) == pytest.approx(index, rel=2e-6)
    one = hic(t, a)
    assert one.value == pytest.approx(0.4146456 * g**2.5 * duration, rel=1e-6)
    assert one.t2 - one.t1 == pytest.approx(0.6702297 * duration, rel=1e-6)
    assert one.t1 + one.t2 == pytest.approx(duration, rel=1e-6)
    for window in (0.002, 0.011):
        x = min(1.0527943, math.pi * window / (2.0 * duration))
        limited = 2.0 * duration / math.pi * g**2.5 * x**-1.5 * math.sin(x) ** 2.5
        assert hic(t, a, window).value == pytest.approx(limited, rel=1e-5)


def test_triangle_and_square() -> None:
    t = np.array([0.0, 0.01, 0.03, 0.05, 0.06])
    triangle = np.array([0.0, 0.0, 80.0, 0.0, 0.0])
    scale = 80.0**2.5 * 0.04
    one = hic(t, triangle)
    assert one.value == pytest.approx(0.2464007 * scale, rel=1e-6)
    assert one.t2 - one.t1 == pytest.approx(4.0 / 7.0 * 0.04, rel=1e-9)
    assert gsi(t, triangle) == pytest.approx(scale / 3.5, rel=1e-12)
    square = np.full(11, 40.0)
    t = np.linspace(0.0, 0.05, 11)
    assert hic(t, square).value == pytest.approx(40.0**2.5 * 0.05, rel=1e-12)
    assert gsi(t, square) == pytest.approx(40.0**2.5 * 0.05, rel=1e-12)
    assert hic(t, square, 0.015).value == pytest.approx(40.0**2.5 * 0.015, rel=1e-12)


SHAPES: dict[str, Callable[[np.random.Generator, int], Array]] = {
    "noise": lambda rng, n: np.abs(rng.normal(size=n)) * 50.0,
    "walk": lambda rng, n: np.abs(np.cumsum(rng.normal(size=n))) * 10.0,
    "signed": lambda rng, n: np.cumsum(rng.normal(size=n)) * 10.0,
    "levels": lambda rng, n: np.repeat(rng.integers(0, 4, n), 3)[:n] * 20.0,
    "peaks": lambda rng, n: np.where(rng.uniform(size=n) < 0.1, 100.0, 0.0),
    "one": lambda rng, n: np.sin(np.linspace(0.0, np.pi, n)) * 70.0 + rng.normal(size=n),
}


@settings(max_examples=60)
@given(st.sampled_from(sorted(SHAPES)), st.integers(0, 10**6), st.integers(2, 60), st.booleans())
def test_no_window_between_the_samples_is_better(shape: str, seed: int, n: int, even: bool) -> None:
    rng = np.random.default_rng(seed)
    t = np.arange(n) * 1e-3 if even else np.cumsum(rng.uniform(1e-4, 2e-3, n))
    a = SHAPES[shape](rng, n)
    longest = float(rng.uniform(0.1, 1.1)) * (t[-1] - t[0])
    fine = np.unique(np.concatenate([np.linspace(t[0], t[-1], 800), t]))
    dense = np.interp(fine, t, a)
    for window in (None, longest):
        one = hic(t, a, window)
        best = brute_hic(fine, dense, window)
        assert one.value >= best * (1.0 - 1e-9)
        # and the window that is given has the value that is given
        if one.value > 0.0:
            inside = np.unique(np.concatenate([[one.t1, one.t2], t[(t > one.t1) & (t < one.t2)]]))
            area = np.trapezoid(np.interp(inside, t, a), inside)
            span = one.t2 - one.t1
            assert span <= (window or math.inf) * (1.0 + 1e-9)
            assert one.value == pytest.approx(span * (area / span) ** 2.5, rel=1e-6)
        else:
            assert best == 0.0


@pytest.mark.parametrize("shape", sorted(SHAPES))
def test_long_signals_against_all_pairs_of_samples(shape: str) -> None:
    t = np.arange(901) * 2e-4
    a = SHAPES[shape](np.random.default_rng(3), 901)
    for window in (None, 0.015, 0.036):
        all_pairs = brute_hic(t, a, window)
        # a peak of a single sample is a triangle, whose best window ends between samples
        assert all_pairs * (1.0 - 1e-12) <= hic(t, a, window).value <= all_pairs * 1.3


@given(st.integers(0, 1000), st.floats(-10.0, 10.0), st.floats(0.1, 10.0), st.floats(0.1, 10.0))
def test_severity_knows_no_date_and_scales(
    seed: int, shift: float, size: float, slow: float
) -> None:
    a = SHAPES["walk"](np.random.default_rng(seed), 200)
    t = np.arange(200) * 1e-3
    one = hic(t, a, 0.036)
    later = hic(t + shift, a, 0.036)
    assert later.value == pytest.approx(one.value, rel=1e-6)
    assert (later.t1, later.t2) == pytest.approx((one.t1 + shift, one.t2 + shift), abs=1e-3)
    scaled = hic(slow * t, size * a, slow * 0.036).value
    assert scaled == pytest.approx(slow * size**2.5 * one.value, rel=1e-9)
    assert gsi(slow * t, size * a) == pytest.approx(slow * size**2.5 * gsi(t, a), rel=1e-9)
    assert hic(t[::-1][0] - t[::-1], a[::-1], 0.036).value == pytest.approx(one.value, rel=1e-9)
    assert one.value <= gsi(t, a) * (1.0 + 1e-12)


@given(st.floats(-50.0, 50.0), st.floats(-50.0, 50.0), st.floats(1e-9, 1.0))
def test_severity_of_a_piece_is_its_integral(low: float, rise: float, small: float) -> None:
    for high in (low + rise, low * (1.0 + small)):
        exact = quad(lambda s: abs(low + s * (high - low)) ** 2.5, 0.0, 1.0, limit=200)[0]  # noqa: B023
        assert gsi([0.0, 1.0], [low, high]) == pytest.approx(exact, rel=1e-6, abs=1e-9)


def pulse(g: float, duration: float) -> tuple[Array, Array]:
    t = np.arange(5001) * 1e-4
    return t, np.where(t <= duration, g * G * np.sin(np.pi * t / duration), 0.0)


@pytest.mark.parametrize(
    ("g", "duration", "printed"),
    [(10.0, 0.1, 13.37229), (12.0, 0.15, 15.45157), (20.0, 0.05, 20.88492)],
)
def test_dynamic_response_of_half_sines(g: float, duration: float, printed: float) -> None:
    assert dynamic_response(*pulse(g, duration), "z").value == pytest.approx(printed, rel=2e-5)


@pytest.mark.parametrize("axis", ["x", "y", "z"])
def test_dynamic_response_of_a_step_and_of_anything(axis: str) -> None:
    omega, ratio = DRI[axis]
    t = np.arange(3001) * 1e-4
    overshoot = 1.0 + math.exp(-math.pi * ratio / math.sqrt(1.0 - ratio**2))
    step = dynamic_response(t, np.full(len(t), 3.0 * G), axis)
    assert step.value == pytest.approx(3.0 * overshoot, rel=1e-4)
    assert overshoot == pytest.approx(1.485748, rel=1e-6) or axis != "z"
    drive = 100.0 * np.sin(40.0 * t) * np.exp(-t / 0.1) - 30.0 * t

    def rate(time: float, y: Array) -> list[float]:
        push = np.interp(time, t, drive)
        return [y[1], push - 2.0 * ratio * omega * y[1] - omega**2 * y[0]]

    solved = solve_ivp(rate, (0.0, 0.3), [0.0, 0.0], rtol=1e-9, atol=1e-12, t_eval=t, max_step=1e-3)
    index = omega**2 * solved.y[0] / G
    expected = index.max() if axis == "z" else np.abs(index).max()
    assert dynamic_response(t, drive, axis).value == pytest.approx(expected, rel=1e-5)


@pytest.mark.parametrize("damping", [0.0, 5.0, 20.0, 60.0])
def test_oscillators_of_any_damping(damping: float) -> None:
    # from rest under a constant: x = 1/k (1 - combination of the two exponentials)
    t = np.arange(2001) * 1e-4
    k = 100.0
    first, second = np.roots([1.0, damping, k]) + np.array([0.0, 1e-6])
    free = (second * np.exp(first * t) - first * np.exp(second * t)) / (second - first)
    assert deflection(t, np.ones(2001), damping, k) == pytest.approx(
        (1.0 - free.real) / k, abs=1e-7
    )
    ramp = deflection(t, t, damping, k)
    assert ramp == pytest.approx(integrated(t, deflection(t, np.ones(2001), damping, k)), abs=1e-9)


def test_brain_criteria() -> None:
    t = np.arange(2001) * 1e-4
    assert bric(t, np.full((3, 2001), 30.0)).value == pytest.approx(0.988531, rel=1e-6)
    apart = np.zeros((3, 2001))
    apart[0, 100], apart[1, 50], apart[2, 700] = -66.25, 56.45, -42.87
    one = bric(t, apart)
    assert (one.value, one.t1, one.t2) == pytest.approx((math.sqrt(3.0), 0.005, 0.07))
    push, turn = np.zeros((3, 2001)), np.zeros((3, 2001))
    push[:, 500] = np.array([3.0, 0.0, 4.0]) * 50.0 * G
    turn[1, 500] = -10_000.0
    assert gambit(t, push, turn)[:2] == pytest.approx((math.sqrt(2.0), 0.05))


def test_damage_is_that_of_the_three_masses() -> None:
    t = np.arange(1001) * 1e-4
    rng = np.random.default_rng(1)
    shape = np.sin(np.pi * t / 0.03) * (t < 0.03)
    drive = 3000.0 * rng.normal(size=(3, 1)) * shape
    k = damage_stiffness()
    assert np.array_equal(k, k.T)
    assert k.sum(axis=1) == pytest.approx([32142.0, 23493.0, 16935.0])

    def rate(time: float, y: Array) -> Array:
        push = np.array([np.interp(time, t, row) for row in drive])
        return np.concatenate([y[3:], push - k @ y[:3] - DAMAGE_TIME * k @ y[3:]])

    solved = solve_ivp(
        rate, (0.0, 0.1), np.zeros(6), rtol=1e-8, atol=1e-12, t_eval=t, max_step=1e-3
    )
    expected = DAMAGE_SCALE * np.linalg.norm(solved.y[:3], axis=0).max()
    assert damage(t, drive).value == pytest.approx(expected, rel=1e-5)


T4 = np.arange(4) * 1e-4


def loads(fx: float, fz: float, my: float) -> tuple[Array, Array]:
    force, moment = np.zeros((3, 4)), np.zeros((3, 4))
    force[0, 2], force[2, 2], moment[1, 2] = fx, fz, my
    return force, moment


@pytest.mark.parametrize(
    ("fx", "fz", "my", "lever", "mode", "value"),
    [
        (0.0, 2000.0, 62.0, 0.0, "tension-flexion", 0.4939),
        (0.0, -3080.0, 62.0, 0.0, "compression-flexion", 0.7),
        (0.0, 3403.0, -27.0, 0.0, "tension-extension", 0.7),
        (0.0, -616.0, -13.5, 0.0, "compression-extension", 0.2),
        (1000.0, 680.6, 17.78 + 31.0, 0.01778, "tension-flexion", 0.2),
    ],
)
def test_neck_modes(fx: float, fz: float, my: float, lever: float, mode: str, value: float) -> None:
    one = nij(T4, *loads(fx, fz, my), lever, reference().necks["hybrid_iii_50"])
    assert one.value == pytest.approx(value, abs=5e-5)
    assert one.t1 == pytest.approx(2e-4)
    said = dict(part.rsplit(" ", 1) for part in str(one.note).split(", "))
    assert float(said[mode]) == pytest.approx(value, rel=5e-3)
    assert sorted(float(v) for v in said.values())[:3] == [0.0, 0.0, 0.0]


@pytest.mark.parametrize(("neck", "assumed"), [("hybrid_iii_50", False), ("hybrid_iii_6y", True)])
def test_intercepts_without_a_text_are_said_to_be_assumed(neck: str, assumed: bool) -> None:
    force, moment = loads(0.0, 2000.0, 62.0)
    given = [Signal(T4, force, 600), Signal(T4, moment, 600)]
    options = InjuryOutput.model_construct(id="x", criterion="Nij", neck=neck, lever_m=0.0)
    assert ("assumed" in str(compute(given, options, "Nij").note)) is assumed


def test_neck_shear_and_rear_impact() -> None:
    assert nkm(T4, *loads(422.5, 0.0, 44.05), 0.0).value == pytest.approx(1.0)
    rear = nkm(T4, *loads(-845.0, 0.0, -47.5), 0.0)
    assert rear.value == pytest.approx(2.0)
    assert str(rear.note) == "rearward, extension"
    t = np.arange(1001) * 1e-4
    # from rest at 50 m/s2 relative: v = 5 m/s after 0.1 s
    assert nic(t, np.full(1001, 80.0), np.full(1001, 30.0)).value == pytest.approx(10.0 + 25.0)


def test_chest_criteria() -> None:
    t = np.arange(1001) * 1e-4
    deflection = 0.05 * np.sin(np.pi * t / 0.1)
    # V C of a half sine: A^2 pi / T sin cos / depth, largest at an eighth of the period
    expected = 1.3 * 0.05**2 * np.pi / 0.1 / 2.0 / 0.229
    assert viscous(t, deflection, 1.3, 0.229).value == pytest.approx(expected, rel=1e-4)
    both = combined(Measure(42.5, 0.03, 0.04), Measure(0.051, 0.05, 0.05))
    assert both[:3] == pytest.approx((1.0, 0.03, 0.05))


def test_the_rib_filter_keeps_the_bands_of_the_regulation() -> None:
    taps = fir100()
    assert taps == pytest.approx(taps[::-1])
    f, response = freqz(taps, worN=np.linspace(0.0, 800.0, 4001), fs=1600.0)
    size = 20.0 * np.log10(np.abs(response))
    assert np.abs(size[f <= 100.0]).max() <= 0.0225
    assert size[f >= 189.0].max() <= -50.0


def test_thoracic_trauma_of_slow_and_fast_pulses() -> None:
    t = np.arange(2001) * 1e-4
    rib = -80.0 * G * np.sin(np.pi * t / 0.2) ** 2
    spine = 40.0 * G * np.sin(np.pi * t / 0.2) ** 2
    assert thoracic_trauma(t, rib, spine).value == pytest.approx(60.0, rel=1e-3)
    assert np.abs(rib_filtered(t, np.sin(2.0 * np.pi * 250.0 * t))[1][50:-50]).max() < 4e-3


def test_tibia_index() -> None:
    force, moment = np.zeros((3, 4)), np.zeros((3, 4))
    force[2, 1], moment[0, 1], moment[1, 1], moment[2, 1] = -17_950.0, 67.5, -90.0, 500.0
    limits = reference().tibias["hybrid_iii_50"]
    assert tibia_index(T4, force, moment, limits)[:2] == pytest.approx((1.0, 1e-4))


def felt(t: Array, g: Array, touched: Array) -> list[Signal]:
    moved = np.zeros((3, len(t)))
    moved[1] = g * G
    return [Signal(t, moved, 1000), Signal(t, touched, 0)]


@pytest.mark.parametrize(
    ("window", "name", "free"),
    [(None, "contact_HIC", "HIC"), (0.015, "contact_HIC15", "HIC15"), (0.036, "contact_HIC36", "HIC36")],
)  # fmt: skip
def test_contact_hic_leaves_out_what_comes_before_and_after(
    window: float | None, name: str, free: str
) -> None:
    options = InjuryOutput.model_construct(id="x", criterion=name, output="a")
    t = np.arange(3001) * 1e-4
    whip, knock = 90.0 * np.exp(-(((t - 0.05) / 0.01) ** 2)), np.zeros(len(t))
    knock[1500:2001] = 40.0 * np.sin(np.pi * np.arange(501) / 500.0)
    touched = np.where(knock > 1e-9, 4000.0, 0.0)
    whole = compute(felt(t, whip + knock, touched), options, free)
    one = compute(felt(t, whip + knock, touched), options, name)
    assert whole.t2 < 0.09
    assert one.value == pytest.approx(hic(t[1500:2001], knock[1500:2001], window).value, rel=1e-6)
    assert one.t1 >= 0.15 - 1e-9
    assert one.t2 <= 0.2 + 1e-9
    assert str(one.note) == "touched from 150 to 200 ms"
    # two touches are taken as one, so that a head that rattles is not thought well of
    broken = touched.copy()
    broken[1700:1800] = 0.0
    again = compute(felt(t, whip + knock, broken), options, name)
    assert again[:3] == pytest.approx(one[:3])
    never = compute(felt(t, whip + knock, 0.0 * t), options, name)
    assert never[:3] == (0.0, 0.0, 0.0)
    assert str(never.note) == "touched by nothing"
    # a single sample
    spot = np.zeros(len(t))
    spot[1750] = 1.0
    assert compute(felt(t, knock, spot), options, name).value > 0.0


def test_a_deflection_is_asked_of_what_slides() -> None:
    project = load_project(samples() / "frontal.json")
    sensor = _sternum(project, "driver_upper_torso")
    assert sensor is not None
    for channels, segment in (
        ((f"{sensor.id}_slide",), "driver_sternum"),
        (("driver_head.acceleration_x, _y, _z",), "driver_head"),
        (("driver_condyles.force_x, _y, _z",), "driver_head"),
        (("nothing.slide_slide",), ""),
    ):
        figure: Any = SimpleNamespace(channels=channels)
        assert figure_segment(project, figure) == segment
    ribs: Any = SimpleNamespace(channels=("driver_left_ribs_way_slide",))
    side = load_project(samples() / "side_impact.json")
    assert figure_segment(side, ribs) == "driver_left_ribs", "by an output of the project"


def test_what_seats_are_judged_by_from_behind() -> None:
    """T1's peak forward in g, and the instant of the head's first touch; a head that nothing touches has the run's end."""
    t = np.linspace(0.0, 0.2, 2001)
    pulse = np.zeros((3, t.size))
    pulse[0], pulse[2] = 9.80665 * (12.0 * np.sin(np.pi * t / 0.2) - 1.0), 500.0
    options = InjuryOutput.model_construct(criterion="T1_acceleration")
    assert compute([Signal(t, pulse, 60)], options).value == pytest.approx(11.0)
    options = InjuryOutput.model_construct(criterion="head_contact_time")
    touch = np.where((t > 0.07) & (t < 0.09), 5.0, 0.0)
    assert compute([Signal(t, touch, 0)], options).value == pytest.approx(0.0701)
    missed = compute([Signal(t, 0.0 * t, 0)], options)
    assert missed.value == pytest.approx(0.2)
    assert "nothing" in str(missed.note)
    early = [Signal(t[t <= 0.05], touch[t <= 0.05], 0)]
    assert cut_off(options, early, compute(early, options)), "the run ends before 70 ms"
    assert not cut_off(options, [Signal(t, touch, 0)], compute([Signal(t, touch, 0)], options))
