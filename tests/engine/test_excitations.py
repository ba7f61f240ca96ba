"""Sweeps and random signals: closed forms, Parseval, crest factors, and what a driven mass makes of them."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from solver import simulate
from solver.editing.mirror_joints import scaled
from solver.engine import signals
from solver.engine.maths import curve
from solver.model.functions import Numbered
from solver.project.checks import check
from solver.project.forms import last_argument, samples, value_at
from solver.project.functions import (
    Function,
    Random,
    Sweep,
    crest_found,
    lines,
    phases,
    quintics,
    values,
)
from solver.project.histories import curve_of
from tests.models import base, project, segment

PERIOD = 4.0


def random(**more: Any) -> Random:
    given = {"high_hz": 50.0, "line_hz": 1.0 / PERIOD, "rms": 3.0, "duration_s": 2.0 * PERIOD}
    return Random(**(given | more))


def sweep(**more: Any) -> Sweep:
    return Sweep(**({"from_hz": 1.0, "to_hz": 40.0, "amplitude": 2.0, "duration_s": 5.0} | more))


def by_pieces(form: Sweep | Random, t: Any, order: int = 0) -> Any:
    """Differentiate the pieces that the engine is given."""
    start, c = quintics(form)
    i = np.clip(np.searchsorted(start, t, side="right") - 1, 0, len(c) - 1)
    out = np.zeros(len(t))
    for k in range(order, 6):
        factor = np.prod(np.arange(k, k - order, -1)) if order else 1.0
        out += factor * c[i, k] * (t - start[i]) ** (k - order)
    return out


@pytest.mark.parametrize("spacing", ["linear", "logarithmic"])
def test_a_sweep_is_its_closed_form(spacing: Any) -> None:
    form = sweep(spacing=spacing, start_s=0.5, phase_rad=0.3, mean=7.0)
    s = np.linspace(0.0, 4.9999, 7013)
    if spacing == "linear":
        hz, turned = 1.0 + 39.0 * s / 5.0, s + 0.5 * 39.0 * s**2 / 5.0
    else:
        pace = np.log(40.0) / 5.0
        hz, turned = np.exp(pace * s), (np.exp(pace * s) - 1.0) / pace
    angle = 0.3 + 2.0 * np.pi * turned
    assert values(form, 0.5 + s) == pytest.approx(7.0 + 2.0 * np.sin(angle), abs=4e-8)
    rate = 4.0 * np.pi * hz * np.cos(angle)
    assert by_pieces(form, 0.5 + s, 1) == pytest.approx(rate, abs=1e-6 * np.abs(rate).max())
    assert value_at(form, 0.4) == value_at(form, 5.6) == 7.0
    assert last_argument(form) == 5.5
    level = sweep(spacing=spacing, to_hz=1.0)
    assert values(level, s) == pytest.approx(2.0 * np.sin(2.0 * np.pi * s), abs=1e-7)


def test_the_engine_has_the_same_pieces() -> None:
    form = random(start_s=0.25, ease_s=0.5, mean=1.0)
    made = curve.joined([curve_of(Function(id="f", x_unit="s", y_unit="N", form=form))])
    for t in (-1.0, 0.2, 0.25, 0.7, 3.21, 8.2, 9.0):
        assert curve.curve_at(made, 0, t)[0] == pytest.approx(value_at(form, t), abs=1e-12)
    x, y = samples(form)
    assert (x[0], x[-1]) == pytest.approx((0.25, 8.25))
    assert y[:-1] == pytest.approx(values(form, x[:-1]))


def test_pieces_join_without_a_jump_up_to_curvature() -> None:
    form = random(ease_s=1.0)
    start, c = quintics(form)
    for order, size in ((0, 3.0), (1, 1e3), (2, 3e5)):
        before = by_pieces(form, start[1:-1] - 1e-9, order)
        after = by_pieces(form, start[1:-1], order)
        assert np.abs(before - after).max() < 1e-5 * size
    # eased: all is at rest where it begins
    assert c[0, :3] == pytest.approx([0.0, 0.0, 0.0], abs=1e-12)
    assert abs(by_pieces(form, np.array([start[-1] - 1e-6]))[0]) < 1e-9


@pytest.mark.parametrize(
    "form",
    [sweep(from_hz=1.0, to_hz=1.0, ease_s=0.01, phase_rad=0.7), random(high_hz=2.0, ease_s=0.02)],
    ids=["sweep", "random"],
)
def test_a_short_ease_is_followed(form: Any) -> None:
    bare = form.model_copy(update={"ease_s": 0.0})
    t = np.linspace(0.0, 3.0 * form.ease_s, 301)
    u = np.clip(t / form.ease_s, 0.0, 1.0)
    wanted = u**3 * (10.0 - 15.0 * u + 6.0 * u * u) * values(bare, t)
    assert values(form, t) == pytest.approx(wanted, abs=2e-5 * np.abs(wanted).max())


def test_a_random_signal_is_its_sum_and_holds_its_mean_square() -> None:
    form = random(low_hz=2.0, rms=None, density_hz=(1.0, 20.0, 60.0), density=(0.0, 3.0, 1.0))
    number, size = lines(form)
    assert number[0] == 8
    assert number[-1] == 200
    assert size**2 / (2.0 * 0.25) == pytest.approx(
        np.interp(0.25 * number, [1.0, 20.0, 60.0], [0.0, 3.0, 1.0])
    )
    t = np.arange(4000) * PERIOD / 4000
    w = 0.5 * np.pi * number
    exact = (size * np.cos(np.outer(t, w) + phases(form))).sum(axis=1)
    assert values(form, t) == pytest.approx(exact, abs=1e-7 * np.abs(exact).max())
    # Parseval: lines, time, and what Welch finds
    assert (exact**2).mean() == pytest.approx(0.5 * (size**2).sum(), rel=1e-12)
    found = signals.psd(t, values(form, t), 0.25, window="none")
    assert found.rms() == pytest.approx(np.sqrt(0.5 * (size**2).sum()), rel=1e-7)
    assert found.value[number] == pytest.approx(size**2 / 0.5, rel=1e-5)
    # it repeats
    assert values(form, t[:-1] + PERIOD) == pytest.approx(values(form, t[:-1]), abs=1e-9)
    bend = -(w**2 * size * np.cos(np.outer(t, w) + phases(form))).sum(axis=1)
    assert by_pieces(form, t, 2) == pytest.approx(bend, abs=3e-5 * np.abs(bend).max())


def test_an_end_between_two_samples_is_met() -> None:
    form = random(duration_s=3.33333)
    number, size = lines(form)
    end = (size * np.cos(0.5 * np.pi * number * 3.33333 + phases(form))).sum()
    assert by_pieces(form, np.array([3.33333 - 1e-12]))[0] == pytest.approx(end, rel=1e-6)


@pytest.mark.parametrize("crest", [1.8, 2.5, 3.95, 6.0])
@pytest.mark.parametrize("seed", [1, 2])
def test_a_crest_factor_is_met_and_the_lines_stay(crest: float, seed: int) -> None:
    form = random(crest=crest, seed=seed)
    t = np.arange(4800) * PERIOD / 4800
    y = values(form, t)
    assert np.sqrt((y**2).mean()) == pytest.approx(3.0, rel=1e-6)
    assert np.abs(y).max() / 3.0 == pytest.approx(crest, rel=1e-4)
    held = np.abs(np.fft.rfft(y)) / 2400.0
    number, size = lines(form)
    assert held[number] == pytest.approx(size, rel=1e-5)


def test_seeds_give_other_phases_and_the_same_ones_again() -> None:
    assert not np.allclose(phases(random(seed=1)), phases(random(seed=2)))
    phases.cache_clear()
    first = phases(random(seed=3, crest=3.95)).copy()
    phases.cache_clear()
    assert np.array_equal(first, phases(random(seed=3, crest=3.95)))
    # NEP 19: this stream never changes
    assert phases(random(seed=1))[0] == 2.0 * np.pi * 0.417022004702574


def test_the_random_force_of_the_damper_paper() -> None:
    """Pisino, Giacomin and Campanile: 0 to 50 Hz, a line each 0.125 Hz, crest factor 3.95."""
    form = Random(high_hz=50.0, line_hz=0.125, rms=1.0, crest=3.95, duration_s=8.0)
    assert len(lines(form)[0]) == 400
    assert crest_found(form) == pytest.approx(3.95, abs=1e-5)


def driven(form: Random, m: float, k: float, c: float, seconds: float) -> Any:
    """Push a mass on a spring and a damper along x."""
    data = base(
        seconds,
        segments=[segment("mass", m)],
        springs=[{
            "kind": "linear", "id": "spring", "a": {"segment": "ground", "position_m": [-1.0, 0.0, 0.0]},
            "b": {"segment": "mass", "position_m": [0.0, 0.0, 0.0]}, "stiffness_n_per_m": k, "damping_ns_per_m": c, "rest_length_m": 1.0,
        }],
        functions=[{"id": "push", "x_unit": "s", "y_unit": "N", "form": form.model_dump()}],
        loads=[{"id": "push", "segment": "mass", "axes": "ground", "history": "push"}],
        outputs=[{"id": "way", "kind": "point", "segment": "mass", "quantity": "position"}],
        gravity_m_per_s2=[0.0, 0.0, 0.0],
    )  # fmt: skip
    data["runs"][0] |= {"channel_rate_hz": 500.0, "frame_interval_s": 0.1}
    data["runs"][0]["integrator"] |= {"relative_tolerance": 1e-7, "absolute_tolerance": 1e-9}
    return project(data)


def test_h1_of_a_driven_mass_is_the_closed_form() -> None:
    m, k, c = 1.0, 2500.0, 10.0
    form = random(rms=20.0, crest=3.95, duration_s=3.0 * PERIOD)
    model = driven(form, m, k, c, 3.0 * PERIOD)
    assert not [p for p in check(model) if p.severity == "error"]
    run = simulate(model)
    assert run.status == "completed", run.message
    assert np.abs(run.table("energy")["balance"]).max() < 1e-6
    way = run.channel("way_x")
    late = way.time >= PERIOD - 1e-9
    t, x = way.time[late][:-1], way.value[late][:-1]
    found = signals.transfer(t, values(form, t), x, 1.0 / PERIOD, window="none", unit="m/N")
    s = 2j * np.pi * found.frequency
    exact = 1.0 / (m * s**2 + c * s + k)
    band = (found.frequency > 0.1) & (found.frequency < 49.9)
    assert np.abs(found.value[band] / exact[band] - 1.0).max() < 0.01
    assert found.coherence[band].min() > 0.9999


@pytest.mark.parametrize(
    "form", [sweep(mean=1.0), random(mean=1.0, crest=3.0)], ids=["sweep", "random"]
)
def test_mirror_images_of_signals(form: Any) -> None:
    t = np.linspace(-0.5, 4.5, 301)
    assert values(scaled(form, -2.0), t) == pytest.approx(-2.0 * values(form, t))


def test_a_signal_is_made_into_pieces_once_and_only_where_it_is_asked_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A minute of noise has thousands of pieces, and an editor of laws asks for other functions."""
    made: list[str] = []

    def followed(function: Function) -> curve.Curve:
        made.append(function.id)
        return curve_of(function)

    monkeypatch.setattr("solver.model.functions.curve_of", followed)
    model = driven(random(rms=20.0), 1.0, 2500.0, 10.0, PERIOD)
    numbered = Numbered(model)
    assert made == []
    (id_,) = (one.id for one in model.functions)
    assert numbered[id_] is numbered[id_]
    assert numbered.number(id_) == numbered.number(id_) == 0
    assert made == [id_]
