"""Fits by corridors: of curves, of figures, of bench tests of dummies; what follows from parameters, and what is known before."""

from __future__ import annotations

import math
from dataclasses import asdict
from pathlib import Path
from typing import Any, get_args

import numpy as np
import pytest
from scipy.optimize import brentq

import manikin as mk
from solver.bodies.dummies import dummy_file
from solver.cli import main
from solver.project.changes import value_at, with_value
from solver.project.checks import check
from solver.project.document import Project
from solver.project.problems import ProjectError
from solver.project.study_parts import BenchFigure, BenchUnit
from solver.project.varying import with_numbers
from solver.report.studies import study_section
from solver.results.trajectory import Channel
from solver.studies import run_study
from solver.studies.bench.running import FIGURES
from solver.studies.bench.table import UNITS, BenchError, bench_test
from solver.studies.responses import MISSING, asked_in, drawn_over, off_by
from tests.studying import MASS, SPEED, STIFF, STIFFNESS, K, block, channel, formula, parameter
from tools.dummies.family import walked
from tools.dummies.laws import laws
from tools.dummies.studies import GROUPS, known_before, laws_from, least, numbers

HIDDEN = 1700.0


def with_ends(model: mk.Model, name: str, x: Any, middle: Any, half: float, units: tuple[str, str]) -> mk.Model:  # fmt: skip
    for end, sign in (("lower", -1.0), ("upper", 1.0)):
        model = model.add_function(
            f"{name}_{end}", x_unit=units[0], y_unit=units[1],
            form={"kind": "table", "x": x.tolist(), "y": (middle + sign * half).tolist()},
        )  # fmt: skip
    return model


def corridor_of(name: str, quantity: str, **more: Any) -> dict[str, Any]:
    ends = {"lower": f"{name}_lower", "upper": f"{name}_upper"}
    return {"quantity": quantity, **ends, **more}


def fitted(model: mk.Model, **study: Any) -> Any:
    fields = {"kind": "fit", "parameters": [STIFF], **study}
    return mk.study(model.add_study("fit", **fields), "fit", workers=0).answers["fit"]


def test_a_curve_is_fitted_to_the_middle_of_a_corridor_over_time() -> None:
    time, w = np.linspace(0.0, 0.06, 61), math.sqrt(HIDDEN / MASS)
    model = with_ends(block(), "way", time, SPEED / w * np.sin(w * time), 2e-3, ("s", "m"))
    test = {"id": "one", "corridors": [corridor_of("way", "place_x")]}
    found = fitted(model, tests=[test])
    assert found["unknowns"]["k"]["value"] == pytest.approx(HIDDEN, rel=1e-3)
    (target,) = found["targets"]
    assert target["halves"]
    assert target["rms"] < 0.02


def test_a_curve_is_fitted_over_another() -> None:
    """Pull over way is a line, whatever the speed: its slope is found, in two tests at once."""
    way = np.linspace(0.001, 0.03, 20)
    model = with_ends(block(), "line", way, HIDDEN * way, 5.0, ("m", "N"))
    line = corridor_of("line", "pull_force_resultant", over="place_x")
    slow = [{"path": "initial/roots/0/velocity_m_per_s/0", "value": 1.2}]
    tests = [{"id": "one", "corridors": [line]}, {"id": "slow", "changes": slow, "corridors": [line]}]  # fmt: skip
    found = fitted(model, tests=tests)
    assert found["unknowns"]["k"]["value"] == pytest.approx(HIDDEN, rel=1e-3)
    assert len(found["targets"]) == 2


def test_what_a_curve_is_drawn_over_counts_on_its_way_up() -> None:
    time = np.array([0.0, 1.0, 2.0, 3.0, 4.0])
    x = Channel("x", time, np.array([0.0, 1.0, 0.5, 2.0, 0.0]), "m")
    y = Channel("y", time, np.array([0.0, 10.0, 99.0, 20.0, -5.0]), "N")
    assert drawn_over(y, x, np.array([0.5, 1.5, 2.0])) == pytest.approx([5.0, 15.0, 20.0])
    assert np.isnan(drawn_over(y, x, np.array([2.1]))).all()


def test_a_place_that_is_never_reached_is_told() -> None:
    """The block comes 45 mm far; half of this corridor lies beyond."""
    way = np.array([0.0, 0.2])
    model = with_ends(block(), "line", way, HIDDEN * way, 5.0, ("m", "N"))
    line = corridor_of("line", "pull_force_resultant", over="place_x")
    found = fitted(model, tests=[{"id": "one", "corridors": [line]}], most_runs=4)
    assert found["targets"][0]["rms"] > 0.5 * MISSING


def test_figures_are_off_in_halves_of_their_corridors() -> None:
    assert [off_by(v, 10.0, 20.0) for v in (15.0, 20.0, 10.0, 22.0)] == [0.0, 1.0, -1.0, 1.4]
    assert [off_by(v, None, 10.0) for v in (8.0, 9.0, 10.0, 11.0)] == pytest.approx([0, 0, 1, 2])
    assert [off_by(v, 10.0, None) for v in (12.0, 10.0, 9.0)] == pytest.approx([0, 1, 2])
    assert off_by(math.nan, None, 1.0) == MISSING


def test_numbers_and_what_is_known_before_are_weighed() -> None:
    """((F - c) / h)^2 + (ln(k / m) / s)^2 is least where its slope is zero; F = v sqrt(k m) of the block."""
    middle, half, median, deviation = 80.0, 4.0, 2600.0, 0.5
    spread = {"kind": "lognormal", "median": median, "log_deviation": deviation, "low": 100.0, "high": 1e4}  # fmt: skip
    force = channel("force", "pull_force_resultant")
    study = {
        "parameters": [parameter("k", STIFFNESS, spread)],
        "responses": [force, formula("twice", "2 * force")],
        "tests": [
            {
                "id": "one",
                "ranges": [{"response": "twice", "low": 2 * (middle - half), "high": 2 * (middle + half)}],
            }
        ],
        "tolerance": 1e-6,
    }  # fmt: skip

    def slope(k: float) -> float:
        pull = SPEED * math.sqrt(k * MASS)
        return (pull - middle) / half**2 * pull / 2 + math.log(k / median) / deviation**2

    best = brentq(slope, 500.0, 5000.0)
    alone = (middle / SPEED) ** 2 / MASS
    assert abs(best / alone - 1.0) > 0.01
    model = block().with_value("runs/run/channel_rate_hz", 20_000.0)
    weighed = fitted(model, counts_spread=True, **study)
    assert weighed["unknowns"]["k"]["value"] == pytest.approx(best, rel=1e-3)
    assert fitted(model, **study)["unknowns"]["k"]["value"] == pytest.approx(alone, rel=1e-3)


def test_what_follows_goes_with_its_parameters() -> None:
    """Two springs side by side, the second a third of the first: their sum is what pulls."""
    model = block()
    spring = model.project.springs[0]
    model = model.add_spring("other", **spring.model_dump(exclude={"id"}))
    study = {
        "id": "grid", "kind": "grid", "levels": 2, "parameters": [STIFF], "responses": [channel("way", "place_x")],
        "following": [{"path": "springs/other/stiffness_n_per_m", "formula": "k / 3"}],
    }  # fmt: skip
    model = model.add_study(study.pop("id"), **study)
    model = model.with_value("runs/run/channel_rate_hz", 20_000.0)
    found = mk.study(model, "grid", workers=0)
    for run, k in enumerate((1000.0, 3000.0)):
        way = SPEED / math.sqrt(4.0 / 3.0 * k / MASS)
        assert found.table["way"][run] == pytest.approx(way, rel=1e-4)
        design = found.design(run)
        assert value_at(design, "springs/other/stiffness_n_per_m") == pytest.approx(k / 3.0)
    assert K not in found.table["k"].tolist()


NECK = "studies/neck/tests/neck_flexion"


@pytest.mark.parametrize(
    ("path", "value", "said"),
    [
        (f"{NECK}/bench/speed_ratio", 1.4, "holds for the speed of the test alone"),
        (f"{NECK}/bench/dummy", "nobody", "'nobody' has no bench tests"),
        ("studies/head/tests/head_drop/bench/test", "torso_flexion", "has no test 'torso_flexion'"),
        ("studies/neck/following/0/formula", "disc_dumping", "no parameter of the study"),
        ("studies/neck/following/0/path", "joints/disc_1/friction/viscous_nms_per_rad", "varied more than once"),
        ("studies/neck/following/0/path", "joints/disc_9/friction", "'disc_9' is not found"),
        ("studies/thorax/tests/thorax/bench/more/1/high", 10.0, "it is empty"),
        ("studies/knee/tests/knee/ranges", [{"response": "no", "low": 1.0}], "no response 'no'"),
        ("studies/knee/tests/knee/targets", [{"quantity": "probe_z", "reference": "ribs_force"}], "no function of time"),
        ("studies/knee/tests/knee/corridors", [{"quantity": "probe_q", "over": "probe_z", "lower": "ribs_force", "upper": "ribs_force"}], "probe_q"),
        ("studies/knee/tests/knee/corridors", [{"quantity": "probe_z", "over": "probe_x", "lower": "ribs_force", "upper": "ribs_force"}], "compared with it in m/s2"),
    ],
)  # fmt: skip
def test_what_cannot_be_fitted_is_refused(path: str, value: Any, said: str) -> None:
    project = with_value(dummy_file("hybrid_iii_50m"), path, value)
    with pytest.raises(ProjectError) as failure:
        run_study(project, path.split("/")[1], workers=0)
    assert said in " ".join(str(one.what) for one in failure.value.problems)


def test_a_body_that_lacks_a_part_is_refused() -> None:
    whole = dummy_file("hybrid_iii_50m")
    model = block().with_value("studies", whole.studies[-1:])
    model = model.with_value(
        "studies/knee/parameters", [parameter("k", STIFFNESS, {"kind": "uniform", "low": 1.0, "high": 9.0})]
    )  # fmt: skip
    with pytest.raises(ProjectError) as failure:
        run_study(model.project, "knee", workers=0)
    assert "no body for this test" in str(failure.value.problems[0].what)


def test_speeds_of_bench_tests() -> None:
    assert bench_test("hybrid_iii_50m", "neck_flexion", 1.4).speed == pytest.approx(1.4 * 7.01)
    assert bench_test("hybrid_iii_50m", "head_drop", 2.0).drop == pytest.approx(4 * 0.3759)
    with pytest.raises(BenchError, match="no speed"):
        bench_test("hybrid_iii_5f", "torso_flexion", 1.4)


def test_words_of_the_schema_are_those_of_the_bench() -> None:
    assert set(get_args(BenchFigure)) == set(FIGURES)
    assert set(get_args(BenchUnit)) == set(UNITS)


@pytest.mark.parametrize("name", walked())
def test_the_studies_of_a_dummy_stand_where_its_laws_are(name: str) -> None:
    """Numbers at the paths are the laws, and a fit that finds other laws gives the dummy that these make."""
    from tools.dummies.fit import body

    project = dummy_file(name)
    assert [one for one in check(project) if one.path.startswith("studies")] == []
    chosen = laws(name)
    known, before = numbers(chosen), numbers(known_before(name))
    other = dict[str, float]()
    for study in project.studies:
        kinds, names = GROUPS[study.id]
        assert [one.id for one in study.parameters] == list(names)
        assert {test.id for test in study.tests} <= set(kinds)
        assert all(asked_in(test) for test in study.tests)
        for k, one in enumerate(study.parameters):
            assert value_at(project, one.path) == pytest.approx(known[one.id], rel=1e-4)
            median = max(before[one.id], least(before, one.id))
            assert one.spread.median == pytest.approx(median, rel=1e-4)
            assert one.spread.low == pytest.approx(least(before, one.id), rel=1e-4)
            other[one.id] = (1.1 + 0.01 * k) * known[one.id]
        project = with_numbers(project, study, [other[one.id] for one in study.parameters])
    made = body(name, laws_from(other, chosen))
    for what in ("joints", "functions"):
        for one, two in zip(getattr(made, what), getattr(project, what), strict=True):
            assert plainly(one) == pytest.approx(plainly(two), rel=1e-4, abs=1e-4)
    assert made.also is not None
    # ribs under belts follow from the laws that a dummy is made with
    two, one = (
        [law for law in of.contact_laws if law.id != "belt_ribs"] for of in (made.also, project)
    )
    assert plainly(two) == pytest.approx(plainly(one), rel=1e-4)
    assert plainly(made.also.coordinate_forces) == pytest.approx(
        plainly(project.coordinate_forces), rel=1e-4
    )
    assert asdict(laws_from(known, chosen)) == pytest.approx(asdict(chosen))


def plainly(part: Any) -> list[float]:
    """Give all numbers of a part, in order."""
    if isinstance(part, tuple | list):
        return [n for one in part for n in plainly(one)]
    if hasattr(part, "model_dump"):
        return plainly(list(part.model_dump().values()))
    if isinstance(part, dict):
        return plainly(list(part.values()))
    return [part] if isinstance(part, float) else []


def test_a_fit_of_the_bench_comes_back_to_the_dummy_of_the_library() -> None:
    """From half of the skin of the knee to that of the library, by the probe's force."""
    project = dummy_file("hybrid_iii_50m")
    path, skin = "contact_laws/knee_skin/stiffness_n_per_mn", laws("hybrid_iii_50m").knee_skin
    begun = with_value(project, path, 0.5 * skin)
    found = run_study(begun, "knee", workers=0)
    assert found.answers["fit"]["unknowns"]["knee_skin"]["value"] == pytest.approx(skin, rel=0.01)
    assert Project.model_validate(found.design(0).model_dump()).segments == project.segments


def test_a_dummy_with_its_fits_is_written_for_the_command(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file, rows = tmp_path / "man.json", tmp_path / "rows.h5"
    assert main(["bench", "hybrid_iii_50m", "--fits", "-o", str(file)]) == 0
    few = ["--set", "studies/knee/most_runs=2", "--workers", "0", "--quiet"]
    assert main(["study", str(file), "--study", "knee", "-o", str(rows), *few]) == 0
    said = capsys.readouterr().out
    assert "force of knee: off by" in said
    assert "of half its corridor" in said
    assert mk.dummy("hybrid_iii_50m").project == mk.load(file).project
    section = study_section(mk.open_study(rows), dummy_file("hybrid_iii_50m"), "metric")
    assert section.charts
    shown = next(t for t in section.tables if t.title == "What was measured")
    assert [[cell.text for cell in row[:3]] for row in shown.rows] == [
        ["knee", "Force of the probe", "4715 to 5783 N"]
    ]
    with pytest.raises(ProjectError, match="no dummy 'nobody'"):
        mk.dummy("nobody")
    assert main(["bench", "hybrid_iii_50m", "--fits"]) == 1
    assert "Say where to" in capsys.readouterr().err
