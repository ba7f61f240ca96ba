"""Signals: filters against the standards and SciPy, rates and integrals, levels by brute force."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.signal import butter, sosfiltfilt, sosfreqz

from solver.engine.signals import (
    CLASSES,
    SignalError,
    cfc,
    clip_in_one,
    clip_summed,
    coefficients,
    differentiated,
    integrated,
    low_pass,
    resampled,
    time_above,
)
from solver.engine.signals.filters import WIDTH
from solver.results import ChannelSpec, MemoryTrajectory, ResultsWriter, open_results
from solver.results.trajectory import Array

RATE = 10_000.0
TIME = np.arange(2001) / RATE


def noise(seed: int, n: int = 2001) -> Array:
    rng = np.random.default_rng(seed)
    return np.cumsum(rng.normal(size=n)) + 20.0 * rng.normal(size=n)


@pytest.mark.parametrize(
    ("class_", "a0", "b1", "b2"),
    [
        (60, 0.0014523675, 1.8893432242, -0.8951526941),
        (180, 0.0117962711, 1.6701174633, -0.7173025477),
        (1000, 0.2192314172, 0.3118965450, -0.1888222139),
    ],
)
def test_coefficients_are_the_printed_ones(class_: int, a0: float, b1: float, b2: float) -> None:
    forward, back = coefficients(WIDTH * class_, 1.0 / RATE)
    assert forward == pytest.approx([a0, 2.0 * a0, a0], abs=1e-10)
    assert back == pytest.approx([1.0, -b1, -b2], abs=1e-10)


@pytest.mark.parametrize("class_", CLASSES)
@pytest.mark.parametrize("seed", range(3))
def test_filters_are_those_of_scipy(class_: int, seed: int) -> None:
    y = noise(seed)
    sos = butter(2, WIDTH * class_, fs=RATE, output="sos")
    pad = max(100, int(np.ceil(RATE / class_)))
    assert cfc(TIME, y, class_) == pytest.approx(
        sosfiltfilt(sos, y, padtype="odd", padlen=pad), abs=1e-9 * np.abs(y).max()
    )


@pytest.mark.parametrize("class_", CLASSES)
def test_response_lies_in_the_corridor_of_the_standard(class_: int) -> None:
    # SAE J211-1 figure 1: +-0.5 dB, +0.5 -1 dB to FH, +0.5 -4 dB to FN, then -9 and -24 dB an octave
    rate = 100_000.0
    top = {60: 100.0, 180: 300.0, 600: 1000.0, 1000: 1650.0}[class_]
    low, high = 0.1, float(class_)
    f = np.geomspace(low, 8.0 * top, 400)
    sos = butter(2, WIDTH * class_, fs=rate, output="sos")
    whole = 20.0 * np.log10(np.abs(sosfreqz(sos, f, fs=rate)[1]) ** 2)
    # what the filter does to a long tone is this response
    for tone in (0.3 * high, high, top):
        t = np.arange(0.0, 0.2 + 40.0 / tone, 1.0 / rate)
        out = cfc(t, np.sin(2.0 * np.pi * tone * t), class_)
        inside = slice(len(t) // 3, 2 * len(t) // 3)
        seen = np.ptp(out[inside]) / 2.0
        assert 20.0 * np.log10(seen) == pytest.approx(np.interp(tone, f, whole), abs=0.02)
    assert np.all(np.abs(whole[f <= 0.5 * high]) <= 0.5)
    assert np.all((whole[f <= high] <= 0.5) & (whole[f <= high] >= -1.0))
    assert np.all((whole[f <= top] <= 0.5) & (whole[f <= top] >= -4.0))
    beyond = f > top
    octaves = np.log2(f[beyond] / top)
    assert np.all(whole[beyond] <= np.maximum(0.5 - 9.0 * octaves, -30.0))
    assert np.all(whole[beyond][octaves < 2.0] >= -4.0 - 24.0 * octaves[octaves < 2.0])


@given(st.sampled_from(CLASSES), st.integers(0, 100), st.floats(-1e3, 1e3), st.floats(0.01, 100.0))
def test_filters_know_neither_time_nor_unit(
    class_: int, seed: int, shift: float, scale: float
) -> None:
    y = noise(seed, 400)
    t = TIME[:400]
    out = cfc(t, y, class_)
    size = np.abs(y).max()
    assert cfc(t + shift, y, class_) == pytest.approx(out, abs=1e-5 * size)
    assert cfc(t, scale * y + shift, class_) == pytest.approx(
        scale * out + shift, abs=1e-9 * (scale * size + abs(shift))
    )
    assert cfc(t, y[::-1], class_)[::-1] == pytest.approx(out, abs=2e-2 * size)


def test_a_ramp_passes_a_filter_to_its_ends() -> None:
    y = 3.0 + 40.0 * TIME
    assert cfc(TIME, y, 60) == pytest.approx(y, abs=2e-3)
    assert cfc(TIME[:5], y[:5], 1000) == pytest.approx(y[:5], abs=1e-3)


@pytest.mark.parametrize(
    ("time", "value", "class_", "says"),
    [
        ([0.0], [1.0], 60, "two samples"),
        ([0.0, 1e-4, 1e-4], [1.0, 2.0, 3.0], 60, "sample 2"),
        ([0.0, 1e-4, 3e-4], [1.0, 2.0, 3.0], 60, "not evenly spaced"),
        ([0.0, 1e-4], [1.0, np.nan], 60, "1 of 2 are not, the first at 0.0001 s"),
        ([0.0, 1e-4, 2e-4], [1.0, 2.0], 60, "one value for each time"),
        (TIME[::10], TIME[::10], 1000, "channel_rate_hz"),
        (TIME, TIME, -1, "positive"),
    ],
)
def test_what_cannot_be_filtered_is_said(time: Array, value: Array, class_: int, says: str) -> None:
    with pytest.raises(SignalError, match=says):
        cfc(time, value, class_)


def test_rates_and_integrals_are_those_of_polynomials() -> None:
    t = np.linspace(-0.3, 0.7, 101)
    quartic = 1.0 - 2.0 * t + 3.0 * t**2 - 4.0 * t**3 + 5.0 * t**4
    rate = -2.0 + 6.0 * t - 12.0 * t**2 + 20.0 * t**3
    assert differentiated(t, quartic)[2:-2] == pytest.approx(rate[2:-2], abs=1e-10)
    parabola = 1.0 + t - 7.0 * t**2
    assert differentiated(t, parabola) == pytest.approx(1.0 - 14.0 * t, abs=1e-10)
    assert differentiated(t[:2], parabola[:2])[0] == pytest.approx(
        (parabola[1] - parabola[0]) / (t[1] - t[0])
    )
    assert integrated(t, 2.0 * t, start=4.0) == pytest.approx(4.0 + t**2 - 0.09, abs=1e-12)


def test_sampling_anew_keeps_what_is_slow_and_drops_what_would_fold() -> None:
    slow, fast = np.sin(2.0 * np.pi * 20.0 * TIME), np.sin(2.0 * np.pi * 990.0 * TIME)
    t, y = resampled(TIME, slow + fast, 1000.0)
    assert len(t) == 201
    inside = slice(20, -20)
    assert y[inside] == pytest.approx(np.sin(2.0 * np.pi * 20.0 * t[inside]), abs=0.01)
    t, y = resampled(TIME, slow, 40_000.0)
    assert len(t) == 8001
    assert y[::4] == pytest.approx(slow, abs=1e-12)
    uneven = np.sort(np.concatenate([TIME, [0.01234567]]))
    assert cfc(*resampled(uneven, uneven, RATE), 60)[1000] == pytest.approx(0.1, abs=1e-6)
    with pytest.raises(SignalError, match="positive"):
        resampled(TIME, slow, 0.0)


@given(st.integers(0, 1000), st.integers(5, 60), st.floats(0.05, 0.9))
def test_levels_are_those_of_brute_force(seed: int, n: int, part: float) -> None:
    rng = np.random.default_rng(seed)
    t = np.concatenate([[0.0], np.cumsum(rng.uniform(0.1, 2.0, n))])
    y = rng.normal(size=n + 1)
    if seed % 3 == 0:
        y = np.round(y)
    duration = part * t[-1]
    fine = np.linspace(0.0, t[-1], 20_001)
    dense = np.interp(fine, t, y)
    steps = round(duration / (fine[1] - fine[0]))
    kept = clip_summed(t, y, duration)
    assert time_above(t, y, kept.level) >= duration * (1.0 - 1e-9)
    assert kept.level == pytest.approx(np.sort(dense)[::-1][steps], abs=0.02)
    in_one = clip_in_one(t, y, duration)
    assert in_one.t2 - in_one.t1 >= duration * (1.0 - 1e-9)
    inside = (fine >= in_one.t1) & (fine <= in_one.t2)
    assert dense[inside].min() >= in_one.level - 1e-9
    windows = np.lib.stride_tricks.sliding_window_view(dense, steps + 1)[::7]
    assert windows.min(axis=1).max() <= in_one.level + 0.02
    assert in_one.level <= kept.level + 1e-12


@pytest.mark.parametrize("level", [clip_summed, clip_in_one])
def test_a_half_sine_keeps_the_printed_level(level: type) -> None:
    for g, length, printed in ((100.0, 0.02, 97.237), (60.0, 0.05, 59.734), (50.0, 0.1, 49.945)):
        t = np.linspace(0.0, length, 2001)
        kept = level(t, g * np.sin(np.pi * t / length), 0.003)
        assert kept.level == pytest.approx(printed, abs=6e-4)
        assert kept.level == pytest.approx(g * np.cos(np.pi * 0.0015 / length), rel=1e-5)
        assert (kept.t1, kept.t2) == pytest.approx(
            (length / 2 - 0.0015, length / 2 + 0.0015), abs=1e-6
        )
    with pytest.raises(SignalError, match="kept"):
        level(t, t, 0.2)


def test_resultants_are_filtered_by_their_components(tmp_path: Path) -> None:
    names = ("x", "y", "z", "resultant")
    specs = [ChannelSpec(f"head_{n}", "m/s2", "acceleration", "head", n, 180) for n in names]
    xyz = np.stack([noise(k) for k in range(3)])
    values = dict(zip(names, [*xyz, np.linalg.norm(xyz, axis=0)], strict=True))
    live = MemoryTrajectory({}, specs, b"{}")
    with ResultsWriter(tmp_path / "r.h5", {}, specs, b"{}", "1") as writer:
        for name, value in values.items():
            live.add_samples(f"head_{name}", TIME, value)
            writer.samples(f"head_{name}", TIME, value)
        writer.finish("completed")
    expected = np.linalg.norm([cfc(TIME, part, 180) for part in xyz], axis=0)
    with open_results(tmp_path / "r.h5") as stored:
        for run in (live, stored):
            channel = run.channel("head_resultant")
            assert channel.filtered().value == pytest.approx(expected)
            assert np.abs(channel.filtered().value - cfc(TIME, channel.value, 180)).max() > 0.1
            assert channel.filtered(60).cfc == 60
            assert run.channel("head_x").filtered().value == pytest.approx(cfc(TIME, xyz[0], 180))
            assert channel.filtered(0) is channel


def test_a_channel_without_components_or_class() -> None:
    specs = [ChannelSpec("a", "N", "force", "", "force_resultant", 0)]
    live = MemoryTrajectory({}, specs, b"{}")
    live.add_samples("a", TIME, noise(1))
    channel = live.channel("a")
    assert channel.filtered() is channel
    assert channel.filtered(600).value == pytest.approx(low_pass(noise(1), 1e-4, 600 * WIDTH))
