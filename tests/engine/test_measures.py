"""What is measured on signals: spectra by identities, shock spectra by direct integration, peaks and
damping in closed form, ride and vibration against the tables that ISO 2631-1 prints."""

from __future__ import annotations

import csv
import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.signal import lsim

import manikin as mk
from solver.cli import main
from solver.engine import signals
from solver.engine.signals import SignalError
from solver.engine.signals.riding import factor
from solver.engine.signals.spectra import ramp_invariant
from tests.rows import rows

RATE = 2000.0


def clock(seconds: float, rate: float = RATE) -> np.ndarray:
    return np.arange(round(seconds * rate)) / rate


def noise(n: int, seed: int = 1) -> np.ndarray:
    return np.random.default_rng(seed).normal(size=n)


@pytest.mark.parametrize("window", ["hann", "none"])
def test_a_density_holds_the_mean_square(window: signals.Window) -> None:
    t = clock(64.0, 256.0)
    y = 3.0 * noise(len(t)) + 5.0
    found = signals.psd(t, y, 1.0, window=window, unit="m/s2")
    assert found.unit == "(m/s2)^2/Hz"
    assert found.pieces == 127
    assert found.rms() == pytest.approx(np.std(y), rel=0.01)
    # white: the same everywhere
    assert np.mean(found.value[5:60]) == pytest.approx(9.0 / 128.0, rel=0.05)
    whole = signals.psd(t, y, 1.0 / 64.0, window="none")
    # Parseval: one piece without a window holds the mean square to the last bit or so
    assert whole.rms() == pytest.approx(np.std(y), rel=1e-12)


def test_a_sine_is_where_it_is() -> None:
    t = clock(8.0)
    found = signals.psd(t, 2.0 * np.sin(2.0 * np.pi * 12.5 * t), 0.5)
    assert found.peak[0] == 12.5
    assert found.rms(11.0, 14.0) == pytest.approx(np.sqrt(2.0), rel=1e-3)
    assert found.rms(20.0) < 1e-3


def test_h1_is_that_of_the_oscillator() -> None:
    t = clock(100.0, 500.0)
    drive = noise(len(t), 3)
    w, z = 2.0 * np.pi * 6.0, 0.1
    answer = lsim(([w**2], [1.0, 2.0 * z * w, w**2]), drive, t)[1]
    found = signals.transfer(t, drive, answer, 0.1, unit="m")
    s = 2j * np.pi * found.frequency
    exact = w**2 / (s**2 + 2.0 * z * w * s + w**2)
    low = (found.frequency > 0.5) & (found.frequency < 20.0)
    assert found.value[low] == pytest.approx(exact[low], rel=0.05)
    assert found.coherence[low].min() > 0.98
    noisy = signals.transfer(t, drive, answer + 0.5 * noise(len(t), 9), 0.1)
    assert noisy.coherence[found.frequency > 30.0].max() < 0.6


def test_shock_spectra_are_those_of_direct_integration() -> None:
    t = clock(0.06, 5000.0)
    base = 100.0 * np.sin(np.pi * t / 0.011) * (t < 0.011) + 5.0 * noise(len(t), 2)
    hz, z = np.array([11.0, 47.0, 230.0]), 0.05
    found = signals.shock_spectrum(t, base, hz, damping=z, unit="m/s2")
    for k, f in enumerate(hz):
        w = 2.0 * np.pi * f

        def rate(time: float, y: np.ndarray, w: float = w) -> list[float]:
            a = float(np.interp(time, t, base))
            return [y[1], -a - 2.0 * z * w * y[1] - w**2 * y[0]]

        # one piece for each sample, as the drive has corners there; the first sample is a ramp from zero
        y, out = np.array([0.0, 0.0]), []
        ramp = solve_ivp(
            lambda time, y, w=w: [y[1], -base[0] * time * 5000.0 - 2.0 * z * w * y[1] - w**2 * y[0]],
            (0.0, 1.0 / 5000.0), y, rtol=1e-9, atol=1e-12,
        )  # fmt: skip
        y = ramp.y[:, -1]
        out.append(-2.0 * z * w * y[1] - w**2 * y[0])
        for a, b in pairwise(t):
            y = solve_ivp(rate, (a, b), y, rtol=1e-8, atol=1e-12).y[:, -1]
            out.append(-2.0 * z * w * y[1] - w**2 * y[0])
        assert found.positive[k] == pytest.approx(max(out), rel=1e-5)
        assert found.negative[k] == pytest.approx(-min(out), rel=1e-5)


def test_a_residual_counts_where_it_is_asked_for() -> None:
    t = clock(0.011, 5000.0)
    base = np.sin(np.pi * t / 0.011)
    without = signals.shock_spectrum(t, base, [5.0], damping=0.0)
    held = signals.shock_spectrum(t, base, [5.0], damping=0.0, residual=True)
    # a short pulse: w times its velocity
    assert held.maximax[0] == pytest.approx(2.0 * np.pi * 5.0 * 2.0 * 0.011 / np.pi, rel=0.01)
    assert without.maximax[0] < 0.5 * held.maximax[0]


def test_the_ramp_filter_is_one_at_rest() -> None:
    forward, back = ramp_invariant(40.0, 0.05, 1e-4)
    assert forward.sum() == pytest.approx(back.sum(), rel=1e-9)


def test_damping_comes_back_from_the_closed_form() -> None:
    t = clock(3.0, 400.0)
    z, w = 0.034, 2.0 * np.pi * 2.3739
    y = 0.018 + 0.03 * np.exp(-z * w * t) * np.cos(w * np.sqrt(1.0 - z**2) * t - 0.4)
    found = signals.oscillation(t, y)
    assert found.frequency == pytest.approx(2.3739 * np.sqrt(1.0 - z**2), rel=1e-5)
    assert found.damping == pytest.approx(z, rel=1e-3)
    assert found.decrement == pytest.approx(2.0 * np.pi * z / np.sqrt(1.0 - z**2), rel=1e-3)
    assert signals.oscillation(t, y, cycles=2).cycles == 2
    tops = signals.peaks(t, y)
    step = tops.time - tops.time[0]
    assert step * found.frequency == pytest.approx(np.arange(len(tops)), abs=1e-4)


def test_a_parabola_finds_its_own_top() -> None:
    t = np.array([0.0, 0.1, 0.25, 0.3, 0.4])
    found = signals.peaks(t, 3.0 - (t - 0.22) ** 2)
    assert (found.time[0], found.value[0]) == pytest.approx((0.22, 3.0), abs=1e-12)
    bottom = signals.peaks(t, (t - 0.22) ** 2, up=False)
    assert bottom.time[0] == pytest.approx(0.22, abs=1e-12)


def test_amplitudes_of_a_sine_and_of_noise() -> None:
    t = clock(10.0)
    sine = signals.amplitudes(t, 2.0 * np.sin(2.0 * np.pi * 3.0 * t), bins=40, unit="m")
    middle = 0.5 * (sine.edges[1:] + sine.edges[:-1])
    assert (sine.density * np.diff(sine.edges)).sum() == pytest.approx(1.0)
    exact = np.diff(np.arcsin(np.clip(sine.edges / 2.0, -1, 1))) / np.pi / np.diff(sine.edges)
    assert sine.density == pytest.approx(exact, rel=0.06)
    assert sine.distribution[[0, 20, 40]] == pytest.approx([0.0, 0.5, 1.0], abs=1e-3)
    assert (sine.crest, sine.kurtosis) == pytest.approx((np.sqrt(2.0), 1.5), rel=1e-3)
    assert len(middle) == 40
    normal = signals.amplitudes(t, noise(len(t), 5))
    assert (normal.skewness, normal.kurtosis) == pytest.approx((0.0, 3.0), abs=0.08)


# ISO 2631-1:1997, tables 3 and 4 (thousandths), in the third octaves named
PRINTED = {
    "Wk": {0.5: 418, 1: 482, 2: 531, 4: 967, 6.3: 1054, 8: 1036, 16: 768, 31.5: 405, 63: 186, 80: 132},
    "Wd": {0.5: 853, 1: 1011, 2: 890, 4: 512, 8: 253, 16: 125, 31.5: 63.2, 63: 29.5, 80: 21.1},
    "Wf": {0.1: 695, 0.16: 1006, 0.2: 992, 0.25: 854, 0.315: 619, 0.5: 224},
    "Wc": {0.5: 843, 1: 991, 2: 1012, 4: 1024, 8: 891, 16: 512, 31.5: 256, 80: 84.4},
    "We": {0.5: 862, 1: 880, 2: 512, 4: 253, 8: 125, 16: 62.5, 80: 10.5},
    "Wj": {0.5: 417, 1: 484, 2: 482, 4: 628, 5: 793, 8: 1017, 16: 1018, 31.5: 1001, 80: 843},
}  # fmt: skip


@pytest.mark.parametrize("name", PRINTED)
def test_weightings_are_the_printed_ones(name: str) -> None:
    hz = np.array(list(PRINTED[name]))
    assert 1e3 * np.abs(factor(name, hz)) == pytest.approx(list(PRINTED[name].values()), rel=4e-3)


@pytest.mark.parametrize("name", ["Wk", "Wd", "Wc", "We", "Wj"])
@pytest.mark.parametrize("hz", [1.0, 8.0, 63.0])
def test_a_weighted_sine_has_the_printed_size(name: str, hz: float) -> None:
    t = clock(20.0)
    y = np.sqrt(2.0) * np.sin(2.0 * np.pi * hz * t)
    unit = "rad/s2" if name == "We" else "m/s2"
    late = t >= 10.0
    out = signals.weighted(t, y + 9.81, name)[late]
    expected = abs(factor(name, np.array([hz]))[0])
    assert np.sqrt((out**2).mean()) == pytest.approx(expected, rel=0.01)
    assert signals.ride(t, y, name, unit=unit).rms == pytest.approx(expected, rel=0.02)


def test_measures_of_a_weighted_sine() -> None:
    t = clock(30.0)
    y = np.sqrt(2.0) * np.sin(2.0 * np.pi * 8.0 * t)
    found = signals.ride(t, y, "Wk")
    a = abs(factor("Wk", np.array([8.0]))[0])
    assert found.mtvv == pytest.approx(a, rel=0.01)
    assert found.vdv == pytest.approx(a * (1.5 * 30.0) ** 0.25, rel=0.01)
    assert found.dose == pytest.approx(a * np.sqrt(30.0), rel=0.01)
    assert found.crest == pytest.approx(np.sqrt(2.0), rel=0.1)
    assert not found.shocks
    # weaker, it is as rough; where nothing moves nothing is told
    assert signals.ride(t, 0.01 * y, "Wk").crest == pytest.approx(found.crest, rel=1e-9)
    assert signals.ride(t, 0.0 * y, "Wk").crest == 0.0
    bump = y + 40.0 * np.exp(-(((t - 15.0) / 0.02) ** 2))
    assert signals.ride(t, bump, "Wk").shocks
    # all is weighted, then a span is measured
    quiet = signals.ride(t, bump, "Wk", (18.0, 28.0))
    assert not quiet.shocks
    assert quiet.rms == pytest.approx(a, rel=0.01)
    assert quiet.duration == pytest.approx(10.0, abs=1e-3)
    assert signals.ride(t[:1000], y[:1000], "Wk").mtvv is None


def test_totals_take_their_factors() -> None:
    t = clock(30.0)
    y = np.sqrt(2.0) * np.sin(2.0 * np.pi * 2.0 * t)
    axes = [(t, g * y, "m/s2", n) for g, n in ((1.0, "x"), (2.0, "y"), (3.0, "z"))]
    wd, wk = (abs(factor(n, np.array([2.0]))[0]) for n in ("Wd", "Wk"))
    found = signals.total_ride("seat-health", axes)
    assert found.total == pytest.approx(np.sqrt((1.4 * wd) ** 2 * 5.0 + (3.0 * wk) ** 2), rel=0.02)
    assert found.worst == pytest.approx(2.8 * wd, rel=0.02)
    # all three are sines of one frequency
    back = signals.total_ride("back", axes)
    wc = abs(factor("Wc", np.array([2.0]))[0])
    assert back.total == pytest.approx(np.hypot(0.8 * wc, wd * np.hypot(1.0, 1.2)), rel=0.02)
    fourth = sum((k * one.vdv) ** 4 for k, one in zip(back.factors, back.axes, strict=True))
    assert back.dose == pytest.approx(fourth**0.25)


def test_a_running_rms_looks_back() -> None:
    t = clock(3.0, 100.0)
    y = np.where((t >= 1.0) & (t < 2.0), 2.0, 0.0)
    found = signals.running_rms(t, y)
    assert found[[99, 149, 199, 250]] == pytest.approx(
        [0.0, np.sqrt(2.0), 2.0, 2.0 * np.sqrt(0.49)]
    )


T = clock(1.0, 100.0)
UNEVEN = np.where(np.arange(100) == 50, T + 0.004, T)


@rows(
    ("doing", "said"),
    [
        (lambda: signals.psd(T[:6], T[:6]), "needs 8 samples in a piece"),
        (lambda: signals.psd(T, T, 0.5), "need 2 s; the signal lasts 1 s"),
        (lambda: signals.psd(T, T, 0.0), "more than 0 Hz apart"),
        (lambda: signals.psd(T, T, 20.0), "needs 8 samples"),
        (lambda: signals.psd(T, T, 2.0, window="flat"), "no window 'flat'"),
        (lambda: signals.psd(UNEVEN, T), "not evenly spaced"),
        (lambda: signals.transfer(T, np.ones(100), T), "drive does not change"),
        (lambda: signals.shock_spectrum(T, T, [50.0]), "not below half of the 100 samples"),
        (lambda: signals.shock_spectrum(T, T, [0.0]), "above 0 Hz"),
        (lambda: signals.shock_spectrum(T, T, [5.0], damping=1.0), "part of the critical"),
        (lambda: signals.shock_spectrum(T[:9], T[:9]), "more than 10 samples"),
        (lambda: signals.shock_spectrum(UNEVEN, T, [5.0]), "not evenly spaced"),
        (lambda: signals.oscillation(T, T), "need 2 peaks; the signal has 0"),
        (lambda: signals.oscillation(T, T, cycles=0), "one cycle or more"),
        (lambda: signals.peaks(T, T, prominence=-1.0), "not below zero"),
        (lambda: signals.amplitudes(T, T, bins=0), "1 bin or more"),
        (lambda: signals.amplitudes(T, np.ones(100)), "does not change"),
        (lambda: signals.weighted(T, T, "Wk"), "needs 1000 samples in a second"),
        (lambda: signals.weighted(T, T, "Wz"), "There is no weighting 'Wz'"),
        (lambda: signals.ride(T, T, "Wf", unit="m/s", name="v"), "for a quantity in m/s2; 'v'"),
        (lambda: signals.ride(clock(1.0), clock(1.0), "Wk", (3.0, 4.0)), "no samples from 3 to 4"),
        (lambda: signals.total_ride("bed", []), "There is no place 'bed'"),
        (lambda: signals.total_ride("seat", []), "three axes"),
        (lambda: signals.running_rms(T, T, 0.001), "one sample or more"),
    ],
)
def test_what_cannot_be_measured_is_said(doing: object, said: str) -> None:
    assert callable(doing)
    with pytest.raises(SignalError, match=said):
        doing()


@pytest.fixture(scope="module")
def swinging(tmp_path_factory: pytest.TempPathFactory) -> Path:
    run = mk.run(mk.sample("double_pendulum"), until=2.0, dense=True)
    return run.save(tmp_path_factory.mktemp("measured") / "run.h5")


X = "segments/lower/velocity/x"
ACCELERATION = "segments/lower/acceleration/"


def test_curves_measure_themselves(swinging: Path) -> None:
    run = mk.open_run(swinging)
    x, z = run[X], run["segments/lower/velocity/z"]
    assert x.in_units("inch_pound").psd(2).unit == "(ft/s)^2/Hz"
    assert z.h1(x, 2).unit == "1"
    a = run[ACCELERATION + "x"]
    assert a.h1(x, 2).unit == "m/s2/(m/s)"
    assert a.between(0.5, 1.0).time[[0, -1]] == pytest.approx([0.5, 1.0])
    assert a.srs([5.0]).maximax[0] > 0.0
    assert len(z.peaks()) >= 2
    assert z.oscillation(1).cycles == 1
    assert x.amplitudes().unit == "m/s"
    assert a.weighted("Wd").unit == "m/s2"
    assert a.ride("Wd").rms > 0.0
    assert mk.total_ride("seat", a, a, a).total > 0.0
    with pytest.raises(SignalError, match="have different times"):
        a.h1(x.between(0.0, 1.0))
    with pytest.raises(SignalError, match="has no samples from 5 to 6 s"):
        a.between(5.0, 6.0)


def said_by(capsys: pytest.CaptureFixture[str], *words: str) -> dict[str, object]:
    assert main(["measure", *words, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert isinstance(found, dict)
    return found


def test_the_command_measures(
    swinging: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    out, file = tmp_path / "out.csv", str(swinging)
    for kind in (["--psd"], ["--h1", ACCELERATION + "x"], ["--srs"], ["--peaks"], ["--amplitudes"]):
        assert main(["measure", file, X, *kind, "-o", str(out)]) == 0
        assert X in capsys.readouterr().out
        rows = list(csv.reader(out.read_text().splitlines()))
        assert len(rows) > 1
        assert len({len(row) for row in rows}) == 1
    found = said_by(
        capsys, file, X, "--psd", "--resolution", "2", "--to", "1", "--units", "inch_pound"
    )
    run = mk.open_run(swinging)
    same = run[X].between(0.0, 1.0).in_units("inch_pound").psd(2)
    assert found[X]["density"] == same.value.tolist()  # type: ignore[index]
    axes = [ACCELERATION + end for end in "xyz"]
    total = said_by(capsys, file, *axes, "--ride", "seat-health")
    curves = [run[name] for name in axes]
    assert total["seat-health"]["total"] == mk.total_ride("seat-health", *curves).total  # type: ignore[index]
    assert main(["measure", file, *axes, "--ride", "seat"]) == 0
    assert "k = 1, 1, 1" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ([X, "--psd", "--bins", "4"], "--bins goes with --amplitudes, not with --psd"),
        ([X, "--peaks", "--residual"], "--residual goes with --srs, not with --peaks"),
        ([X, "--ride", "Wk"], "for a quantity in m/s2"),
        ([X, "--ride", "Wk", "--units", "metric"], "ISO 2631-1 is in SI"),
        ([X, "--ride", "Wk", "-o", "a.csv"], "single numbers"),
        (["segments/lwer/velocity/x", "--psd"], "No quantity fits"),
        ([X, "--h1", "integrator/step"], "have different times"),
        ([X, "--peaks", "--cycles", "99"], "need 100 peaks"),
        ([X, "--psd", "--from", "9"], "two samples or more"),
    ],
)
def test_the_command_says_what_it_cannot(
    swinging: Path, words: list[str], said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["measure", str(swinging), *words]) == 1
    assert said in capsys.readouterr().err
