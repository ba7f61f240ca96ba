"""Measured pulses: units, filters, cutting, thinning, and files that cannot be used."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solver.bodies.library import LibraryError
from solver.bodies.library.pulses import insert_pulse, read_pulse, thinned
from solver.cli import main
from solver.engine.signals import cfc
from solver.project import Project, load_project, save_project
from solver.project.checks import check
from solver.project.segments import Segment

GRAVITY = 9.80665


@pytest.fixture
def vehicle() -> Project:
    cart = Segment(id="vehicle", mass_kg=1000.0, inertia_kgm2=(500.0, 2000.0, 2000.0))
    return Project(segments=(cart,))


def crash(
    tmp_path: Path, *, time_scale: float = 1.0, offset: float = 0.0, head: str = "t,a\n"
) -> Path:
    """Write a half-sine of 20 g and 100 ms from 50 ms on, with a ringing of 900 Hz, in g."""
    t = np.arange(2501) * 1e-4
    inside = (t >= 0.05) & (t <= 0.15)
    a = np.where(inside, -20.0 * np.sin(math.pi * (t - 0.05) / 0.1), 0.0) + offset
    a += 5.0 * np.sin(2.0 * math.pi * 900.0 * t) * inside
    rows = "".join(f"{ti * time_scale:.7g},{ai:.9g}\n" for ti, ai in zip(t, a, strict=True))
    file = tmp_path / "crash.csv"
    file.write_text(head + rows, encoding="utf-8")
    return file


def test_a_pulse_comes_in_filtered_in_si(tmp_path: Path) -> None:
    pulse = read_pulse(crash(tmp_path), "g")
    found = pulse.facts()
    assert found.speed_change == pytest.approx(-20.0 * GRAVITY * 0.2 / math.pi, rel=2e-3)
    assert found.peak / GRAVITY == pytest.approx(-20.0, rel=0.01)
    assert pulse.filtered == pytest.approx(cfc(pulse.time, pulse.raw, 60))
    form = pulse.function.form
    assert form.kind == "table"
    assert len(form.x) < 80
    line = np.interp(pulse.time, form.x, form.y)
    assert np.abs(line - pulse.filtered).max() <= 0.0021 * np.abs(pulse.filtered).max()


def test_unit_time_unit_and_filter_matter(tmp_path: Path) -> None:
    plain = read_pulse(crash(tmp_path), "m/s2", filter_=None)
    assert plain.facts().peak == pytest.approx(-20.0 - 5.0, rel=0.06)
    file = crash(tmp_path, time_scale=1e3, head="")
    slow = read_pulse(file, "g", time_unit="ms", filter_=180)
    assert slow.facts().duration_s == pytest.approx(0.25)


def test_cutting_and_zeroing(tmp_path: Path) -> None:
    file = crash(tmp_path, offset=1.5)
    pulse = read_pulse(file, "g", begin_s=0.04, end_s=0.16, zero_until_s=0.045)
    found = pulse.facts()
    assert (found.start_s, found.duration_s) == pytest.approx((0.0, 0.12))
    assert found.peak_s == pytest.approx(0.06, abs=2e-3)
    assert found.speed_change == pytest.approx(-20.0 * GRAVITY * 0.2 / math.pi, rel=3e-3)


def test_headings_semicolons_and_decimal_commas(tmp_path: Path) -> None:
    file = tmp_path / "euro.csv"
    rows = "".join(f"{k};{k / 1e4:.4f};{-k / 10:.1f}\n" for k in range(200)).replace(".", ",")
    file.write_text("Nr;Zeit;Schlitten\n;s;g\n" + rows, encoding="utf-8")
    pulse = read_pulse(file, "g", columns=("Zeit", "Schlitten"), filter_=None)
    assert pulse.facts().peak == pytest.approx(-19.9 * GRAVITY, rel=1e-5)
    same = read_pulse(file, "g", columns=(2, 3), filter_=None)
    assert same.function == pulse.function


def test_uneven_samples_are_taken_anew_before_a_filter(tmp_path: Path) -> None:
    t = np.sort(np.random.default_rng(1).uniform(0.0, 0.1, 400))
    t = t[np.concatenate([[True], np.diff(t) > 2e-5])]
    file = tmp_path / "uneven.csv"
    lines = [f"{x:.9g},{10 * math.sin(math.pi * x / 0.1):.9g}\n" for x in t]
    file.write_text("".join(lines), encoding="utf-8")
    assert read_pulse(file, "g").facts().peak == pytest.approx(10.0 * GRAVITY, rel=0.01)


@pytest.mark.parametrize(
    ("text", "options", "sentence"),
    [
        ("", {}, "two or more samples"),
        ("t,a\n0,1\n", {}, "two or more samples"),
        ("0,1\n0,2\n1,3\n", {}, "times grow"),
        ("0,1\n1,x\n", {}, "a row without two numbers"),
        ("0,1\n1,2\n", {"columns": (1, 3)}, "has 2 columns"),
        ("t,a\n0,1\n1,2\n", {"columns": ("t", "b")}, "no column 'b'; its headings: 't', 'a'"),
        ("0,1\n1,2\n", {"unit": "kg"}, "cannot be turned into"),
        ("0,1\n1,2\n", {"unit": "furlong"}, "furlong"),
        ("0,1\n1,2\n", {}, "cannot be filtered"),
        ("0,1\n1,2\n", {"filter_": None, "begin_s": 0.5}, "fewer than two"),
        ("1,1\n2,2\n", {"filter_": None, "zero_until_s": 0.5}, "no sample until"),
        ("0,1\n1,1e21\n2,3\n", {}, "an acceleration beyond"),
        ("0,1\n1,1e308\n2,3\n", {}, "an acceleration beyond"),
        ("0,1\n1e-320,2\n2,3\n", {}, "more than 20000000 samples"),
        ("0,1\n1,2\n1e30,3\n", {}, "a time or an acceleration beyond"),
        (f"t,a\n0,{'x' * 200_000}\n", {}, "a row without two numbers"),
    ],
)
def test_a_file_that_cannot_be_used_gives_a_sentence(
    tmp_path: Path,
    text: str,
    options: dict,
    sentence: str,  # type: ignore[type-arg]
) -> None:
    file = tmp_path / "bad.csv"
    file.write_text(text, encoding="utf-8")
    with pytest.raises(LibraryError, match=sentence):
        read_pulse(file, options.pop("unit", "g"), **options)


def test_a_missing_file_gives_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(LibraryError, match="cannot be read"):
        read_pulse(tmp_path / "none.csv", "g")


@given(
    st.lists(st.floats(-100.0, 100.0), min_size=2, max_size=60),
    st.floats(0.0, 20.0),
)
def test_thinning_stays_within_its_word(values: list[float], within: float) -> None:
    y = np.array(values)
    t = np.arange(len(y)) * 0.5
    keep = thinned(t, y, within)
    assert keep[0] == 0
    assert keep[-1] == len(y) - 1
    assert np.abs(np.interp(t, t[keep], y[keep]) - y).max() <= within + 1e-9


def test_it_moves_a_vehicle_and_is_in_order(tmp_path: Path, vehicle: Project) -> None:
    pulse = read_pulse(crash(tmp_path), "g")
    new = insert_pulse(vehicle, pulse, "sled", attach_to="vehicle", from_speed=12.5, scale=-1.0)
    (motion,) = new.motions
    assert (motion.id, motion.segment, motion.components[0].start_rate) == (
        "sled_pulse", "vehicle", 12.5,
    )  # fmt: skip
    assert [p.code for p in check(new) if p.severity == "error"] == []
    assert new.functions[0].source == "measured: crash.csv"


def test_the_command_imports(tmp_path: Path, vehicle: Project, capsys) -> None:  # type: ignore[no-untyped-def]
    file = tmp_path / "car.json"
    save_project(vehicle, file)
    words = ["library", "measured", str(file), str(crash(tmp_path)), "--to", "vehicle"]
    assert main([*words, "--unit", "g", "--columns", "t", "a", "--filter", "180"]) == 0
    assert "CFC 180" in capsys.readouterr().out
    assert load_project(file).motions[0].segment == "vehicle"
    assert main([*words, "--unit", "g"]) == 1
    assert "already" in capsys.readouterr().err
    assert main([*words, "--unit", "g", "--replace", "--filter", "sixty"]) == 1
    assert "no filter class" in capsys.readouterr().err
