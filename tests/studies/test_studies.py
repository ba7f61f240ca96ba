"""Studies give the answers that closed formulas give, and tables that depend on nobody."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import manikin as mk
from solver.project.changes import checked
from solver.project.checks import check
from solver.project.references import renamed
from solver.project.studies import (
    GridStudy,
    LocalStudy,
    MorrisStudy,
    SampleStudy,
    SobolStudy,
)
from solver.project.varying import FormulaError, names_in, value_of
from solver.results.quantities import Quantities
from solver.running.simulation import Simulation
from solver.studies import StudyError
from solver.studies.answers import answers_of, indices_of
from solver.studies.drawing import design, distribution, morris_shares, sobol_shares, values_at
from solver.studies.rows import Layout, RowResult, Rows
from tests.checks_model import base as checks_base
from tests.models import project
from tests.studying import (  # fmt: skip
    FAST,
    FORCE,
    MASS,
    SPEED,
    STIFF,
    WAY,
    K,
    block,
    channel,
    formula,
    parameter,
    uniform,
)


def study(model: mk.Model, **fields: Any) -> Any:
    return mk.study(model.add_study("it", **fields), "it", workers=0)


def test_a_grid_goes_from_end_to_end() -> None:
    found = study(block(), kind="grid", levels=3, parameters=[STIFF, FAST], responses=[FORCE, WAY])
    table = found.table
    assert table["k"].tolist() == [1000.0] * 3 + [2000.0] * 3 + [3000.0] * 3
    assert table["v"].tolist() == [1.0, 1.5, 2.0] * 3
    k, v = table["k"].to_numpy(), table["v"].to_numpy()
    assert table["way"].to_numpy() == pytest.approx(v * np.sqrt(MASS / k), rel=2e-5)
    assert table["force"].to_numpy() == pytest.approx(v * np.sqrt(MASS * k), rel=2e-5)
    assert found.layout.parameter_units == ("N/m", "m/s")
    assert found.layout.response_units == ("N", "m")
    assert (table["status"] == "done").all()


def test_one_at_a_time_leaves_the_rest_as_in_the_project() -> None:
    model = block().add_study(
        "it", kind="grid", levels=2, way="one_at_a_time", parameters=[STIFF, FAST], responses=[WAY]
    )
    rows = [task.values for task in design(model.project, model.project.studies[0])]
    assert rows == [(K, SPEED), (1000.0, SPEED), (3000.0, SPEED), (K, 1.0), (K, 2.0)]


def test_elasticity_of_the_force_in_a_spring_is_a_half() -> None:
    found = study(
        block(),
        kind="local",
        parameters=[STIFF, FAST],
        responses=[FORCE, WAY, formula("both", "force * way")],
    )
    matrix = found.answers["sensitivity"]
    for response, by_k, by_v in (("force", 0.5, 1.0), ("way", -0.5, 1.0), ("both", 0.0, 2.0)):
        assert matrix[response]["k"]["elasticity"] == pytest.approx(by_k, abs=2e-4)
        assert matrix[response]["v"]["elasticity"] == pytest.approx(by_v, abs=2e-4)
    marks = {r: (matrix[r]["k"]["mark"], matrix[r]["v"]["mark"]) for r in matrix}
    assert marks == {"force": ("++", "++"), "way": ("--", "++"), "both": ("0", "++")}
    below, above, low, high = matrix["force"]["k"]["runs"]
    assert found.rows.inputs[[below, above, low, high], 0].tolist() == [
        1980.0,
        2020.0,
        1000.0,
        3000.0,
    ]


def made(study: Any, function: Any) -> tuple[Layout, Rows]:
    """Give the table of a study whose runs are a function of the parameters."""
    names = tuple(one.id for one in study.parameters)
    layout = Layout(
        names, tuple(one.path for one in study.parameters), ("y",), ("",) * len(names), ("1",)
    )
    rows = Rows(layout)
    rows.add(design(block().project, study))
    for i, row in enumerate(rows.inputs):
        rows.put(RowResult(i, "done", (float(function(*row)),)))
    return layout, rows


Y = [channel("y", "place_x")]


def test_a_sign_that_changes_within_the_range_is_told() -> None:
    asked = checked(
        LocalStudy, {"id": "it", "kind": "local", "parameters": [STIFF, FAST], "responses": Y}
    )
    layout, rows = made(asked, lambda k, v: 1.0 + ((k - K) / K) ** 2 + 0.05 * (v - SPEED))
    cell = answers_of(asked, layout, rows)["sensitivity"]["y"]
    assert (cell["k"]["mark"], cell["v"]["mark"]) == ("+-", "+")


def test_at_an_end_of_the_range_differences_are_taken_to_one_side() -> None:
    at_end = STIFF | {"spread": uniform(K, 2.0 * K)}
    asked = checked(LocalStudy, {"id": "it", "kind": "local", "parameters": [FAST, at_end], "responses": Y})  # fmt: skip
    layout, rows = made(asked, lambda v, k: 2.0 * k + 1.0)
    assert rows.inputs[:, 1].tolist() == [K] * 5 + [K, 1.01 * K, K, 2.0 * K]
    cell = answers_of(asked, layout, rows)["sensitivity"]["y"]["k"]
    assert cell["slope"] == pytest.approx(2.0)
    assert cell["mark"] == "++"


def test_inputs_of_normal_spread_give_mean_and_spread() -> None:
    """y = 3 a - 2 b + 1 of N(5, 0.5) and N(-2, 1.5): mean 20, deviation sqrt(1.5^2 + 3^2)."""
    normal = [
        parameter(name, "segments/block/mass_kg", {"kind": "normal", "mean": mean, "deviation": s})
        for name, mean, s in (("a", 5.0, 0.5), ("b", -2.0, 1.5))
    ]
    for seed in (1, 2, 3):
        asked = checked(SampleStudy, {
            "id": "it", "kind": "sample", "runs": 1000, "seed": seed, "parameters": normal,
            "responses": [channel("y", "place_x", at_most=20.0)],
        })  # fmt: skip
        layout, rows = made(asked, lambda a, b: 3.0 * a - 2.0 * b + 1.0)
        about = answers_of(asked, layout, rows)["responses"]["y"]
        deviation = math.hypot(1.5, 3.0)
        assert about["mean"] == pytest.approx(20.0, abs=3.0 * deviation / math.sqrt(1000))
        assert about["deviation"] == pytest.approx(deviation, abs=3.0 * deviation / math.sqrt(2000))
        low, high = about["limit"]["interval"]
        assert low < 0.5 < high
        assert low < about["limit"]["probability"] < high
        assert about["mean_interval"][0] < about["mean"] < about["mean_interval"][1]


def test_a_sample_of_runs_has_mean_and_spread_of_a_linear_model() -> None:
    """The way of a block is v sqrt(m / k): linear in v."""
    fast = parameter("v", FAST["path"], {"kind": "normal", "mean": 1.5, "deviation": 0.1})
    found = study(block(), kind="sample", runs=32, parameters=[fast], responses=[WAY])
    about, slope = found.answers["responses"]["way"], math.sqrt(MASS / K)
    assert about["mean"] == pytest.approx(1.5 * slope, abs=3 * 0.1 * slope / math.sqrt(32))
    assert about["deviation"] == pytest.approx(0.1 * slope, abs=3 * 0.1 * slope / math.sqrt(64))
    assert found.answers["correlations"]["way"]["v"] == pytest.approx(1.0)
    again = study(block(), kind="sample", runs=32, parameters=[fast], responses=[WAY])
    assert again.table.equals(found.table)


@pytest.mark.parametrize("spread", [
    uniform(-1.0, 3.0),
    {"kind": "normal", "mean": 2.0, "deviation": 0.3},
    {"kind": "truncated_normal", "mean": 2.0, "deviation": 1.0, "low": 1.5, "high": 4.0},
    {"kind": "triangular", "low": 1.0, "mode": 1.5, "high": 4.0},
    {"kind": "lognormal", "median": 2.0, "log_deviation": 0.4},
], ids=lambda one: one["kind"])  # fmt: skip
def test_values_have_the_spread_that_is_asked_for(spread: dict[str, Any]) -> None:
    asked = checked(SampleStudy, {
        "id": "it", "kind": "sample", "parameters": [parameter("a", "x", spread)], "responses": Y,
    })  # fmt: skip
    shares = (np.arange(2000) + 0.5)[:, None] / 2000
    drawn = values_at(asked.parameters, shares)[:, 0]
    means = {
        "uniform": 1.0, "normal": 2.0, "triangular": 6.5 / 3.0, "lognormal": 2.0 * math.exp(0.08),
        # phi and Phi of the cuts at -0.5 and 2
        "truncated_normal": 2.0 + (0.35206533 - 0.05399097) / (0.97724987 - 0.30853754),
    }  # fmt: skip
    assert drawn.mean() == pytest.approx(means[spread["kind"]], rel=1e-3)
    assert distribution(asked.parameters[0].spread).cdf(drawn) == pytest.approx(
        shares[:, 0], abs=1e-9
    )
    at_ends = values_at(asked.parameters, np.array([[0.0], [1.0]]))[:, 0]
    if "low" in spread:
        assert at_ends == pytest.approx([spread["low"], spread["high"]], abs=1e-4)
    assert np.all(np.isfinite(at_ends))


def ishigami(x1: float, x2: float, x3: float) -> float:
    return math.sin(x1) + 7.0 * math.sin(x2) ** 2 + 0.1 * x3**4 * math.sin(x1)


THREE = [parameter(f"x{n}", "x", uniform(-math.pi, math.pi)) for n in (1, 2, 3)]


def test_indices_of_sobol_of_the_function_of_ishigami() -> None:
    """First 0.3139, 0.4424, 0; total 0.5576, 0.4424, 0.2437; the pair 1-3 has 0.2437."""
    asked = checked(SobolStudy, {
        "id": "it", "kind": "sobol", "base_runs": 4096, "second_order": True, "parameters": THREE,
        "responses": Y,
    })  # fmt: skip
    values = values_at(asked.parameters, sobol_shares(asked))
    found = indices_of(asked, np.array([ishigami(*row) for row in values]))
    first = [found["parameters"][f"x{n}"]["first"] for n in (1, 2, 3)]
    total = [found["parameters"][f"x{n}"]["total"] for n in (1, 2, 3)]
    assert first == pytest.approx([0.3139, 0.4424, 0.0], abs=0.02)
    assert total == pytest.approx([0.5576, 0.4424, 0.2437], abs=0.02)
    assert found["pairs"]["x1 x3"]["second"] == pytest.approx(0.2437, abs=0.03)


def test_a_run_without_a_value_costs_its_base_run_only() -> None:
    asked = checked(SobolStudy, {
        "id": "it", "kind": "sobol", "base_runs": 1024, "parameters": THREE, "responses": Y,
    })  # fmt: skip
    values = np.array([ishigami(*row) for row in values_at(asked.parameters, sobol_shares(asked))])
    values[7] = np.nan
    found = indices_of(asked, values)
    assert found["base_runs"] == 1023
    assert found["parameters"]["x2"]["first"] == pytest.approx(0.4424, abs=0.06)


def test_elementary_effects_of_a_linear_function_are_its_slopes() -> None:
    """By shares of a range of width 2000 and 1 the slopes are 2 and 3, without spread."""
    asked = checked(MorrisStudy, {
        "id": "it", "kind": "morris", "parameters": [STIFF, FAST], "responses": Y,
    })  # fmt: skip
    layout, rows = made(asked, lambda k, v: 1e-3 * k - 3.0 * v)
    assert len(rows) == 30 == len(morris_shares(asked))
    found = answers_of(asked, layout, rows)["screening"]["y"]["parameters"]
    assert (found["k"]["mu"], found["v"]["mu"]) == pytest.approx((2.0, -3.0))
    assert found["v"]["mu_star"] == pytest.approx(3.0)
    assert found["k"]["sigma"] == pytest.approx(0.0, abs=1e-12)


def test_curves_of_all_runs_are_kept() -> None:
    found = study(
        block(),
        kind="grid",
        levels=2,
        parameters=[FAST],
        responses=[WAY],
        curves=["place_x"],
    )
    time, value = found.curves("place_x")
    assert value.shape == (2, len(time))
    w = math.sqrt(K / MASS)
    assert value[1] == pytest.approx(2.0 / w * np.sin(w * time), abs=1e-5)
    with pytest.raises(StudyError, match="has not kept"):
        found.curves("place_y")


TAKEN: list[tuple[str, dict[str, Any], float]] = [
    ("max", {}, SPEED / math.sqrt(K / MASS)),
    ("min", {}, 0.0),
    ("largest", {}, SPEED / math.sqrt(K / MASS)),
    ("at", {"time_s": 0.02}, SPEED / math.sqrt(K / MASS) * math.sin(0.02 * math.sqrt(K / MASS))),
    ("last", {}, SPEED / math.sqrt(K / MASS) * math.sin(0.08 * math.sqrt(K / MASS))),
    ("time_of_max", {}, 0.5 * math.pi / math.sqrt(K / MASS)),
    ("time_of_min", {"from_s": 0.01}, 0.01),
    ("integral", {"until_s": 0.03}, SPEED * MASS / K * (1 - math.cos(0.03 * math.sqrt(K / MASS)))),
    ("mean", {"until_s": 0.03}, SPEED * MASS / K * (1 - math.cos(0.03 * math.sqrt(K / MASS))) / 0.03),
]  # fmt: skip


def test_numbers_that_are_taken_of_a_quantity() -> None:
    responses = [
        channel(f"r{n}", "place_x", take, **more) for n, (take, more, _) in enumerate(TAKEN)
    ]
    found = study(block(), kind="grid", levels=2, way="one_at_a_time", parameters=[FAST], responses=responses)  # fmt: skip
    row = found.rows.outputs[0]
    for value, (take, _, wanted) in zip(row, TAKEN, strict=True):
        assert value == pytest.approx(wanted, rel=1e-3, abs=1.1e-4 if "time" in take else 1e-6), (
            take
        )


def test_a_run_that_cannot_be_is_a_row_with_its_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    mass = parameter(
        "m", "segments/block/mass_kg", {"kind": "normal", "mean": 0.5, "deviation": 1.0}
    )
    found = study(block(), kind="sample", runs=8, parameters=[mass], responses=[WAY])
    bad = found.rows.inputs[:, 0] <= 0.0
    assert 0 < bad.sum() < 8
    assert (found.table["status"][bad] == "failed").all()
    assert all("segments/block/mass_kg" in one for one in found.table["message"][bad])
    assert np.isnan(found.rows.outputs[bad]).all()
    assert np.isfinite(found.rows.outputs[~bad]).all()
    assert found.answers["failed"] == bad.sum()
    assert found.answers["responses"]["way"]["without_value"] == bad.sum()


def test_a_response_without_a_value_leaves_the_others() -> None:
    found = study(
        block(), kind="grid", levels=2, parameters=[FAST],
        responses=[WAY, formula("bad", "log(1.5 - v)"), formula("worse", "bad + way")],
    )  # fmt: skip
    assert found.table["status"].tolist() == ["done", "partly"]
    assert found.table["message"][1] == "bad: 'log(1.5 - v)' has no value here."
    assert np.isnan(found.rows.outputs[1]).tolist() == [False, True, True]
    assert np.isfinite(found.rows.outputs[0]).all()


def test_the_best_run_keeps_the_limits_and_serves_the_goal() -> None:
    force = FORCE | {"goal": "minimise"}
    way = WAY | {"at_most": 0.05}
    found = study(block(), kind="grid", levels=5, parameters=[STIFF], responses=[force, way])
    # v sqrt(m / k) <= 0.05 from k = 1800 on
    assert found.kept.tolist() == [False, False, True, True, True]
    assert found.answers["best"] == [2]
    design = found.design(2)
    assert mk.Model(design).value(STIFF["path"]) == 2000.0
    two = study(
        block(), kind="grid", levels=3, parameters=[STIFF, FAST],
        responses=[force, WAY | {"goal": "minimise"}],
    )  # fmt: skip
    # whatever the stiffness, slower is better in both
    assert two.table["v"][two.answers["best"]].tolist() == [1.0, 1.0, 1.0]


def test_figures_and_ratings_are_responses() -> None:
    model = mk.sample("neck_pendulum")
    parameters = [parameter("m", "segments/head/mass_kg", uniform(3.0, 5.0))]
    run = mk.run(model.until(0.02))
    names = run.trajectory.channel_names
    x = next(name for name in names if name.endswith("_x"))
    curve = run[x]
    model = model.until(0.02).add_function(
        "measured", x_unit="s", y_unit=curve.unit,
        form={"kind": "table", "x": curve.time.tolist(), "y": curve.value.tolist()},
    )  # fmt: skip
    figures = [one.name for one in run.injury.figures]
    found = study(
        model, kind="grid", levels=2, way="one_at_a_time", parameters=parameters,
        responses=[
            {"kind": "injury", "id": "figure", "figure": figures[0]},
            {"kind": "rating", "id": "iso", "quantity": x, "reference": "measured"},
        ],
    )  # fmt: skip
    assert found.table["figure"][0] == run.injury[figures[0]].value
    assert found.table["iso"][0] == pytest.approx(1.0)
    assert (found.table["iso"][1:] < 1.0).all()


def test_formulas_are_read_and_nothing_is_executed() -> None:
    assert names_in("hic / 700 + 2 * chest^2") == ("hic", "chest")
    assert value_of("hic / 700 + 2 * chest^2", {"hic": 350.0, "chest": 3.0}) == 18.5
    assert value_of("max(a, -b) + abs(-2) - sqrt(4) + pi", {"a": 1.0, "b": -3.0}) == 3.0 + math.pi
    for bad in ("__import__('os')", "a.b", "a[0]", "lambda: 1", "a if b else c", "1 +", "sin", "sqrt(1, 2)", "a and b", "'x'", "1j", "(" * 300 + "1" + ")" * 300):  # fmt: skip
        with pytest.raises(FormulaError):
            names_in(bad)
    for bad in ("1 / 0", "log(-1)", "exp(1e4)", "10^400"):
        with pytest.raises(FormulaError, match="value here"):
            value_of(bad, {})


def test_what_is_wrong_is_said_before_any_run(tmp_path: Path) -> None:
    for responses, code, mend in (
        ([channel("a", "segments/blok/velocity/x")], "study-quantity", "block"),
        ([channel("a", "segments/block/velocty/x")], "study-quantity", "velocity"),
        ([channel("a", "place_w")], "study-quantity", "place_"),
        ([{"kind": "injury", "id": "a", "figure": "HIC15"}], "study-quantity", "none"),
    ):
        model = block().add_study("it", kind="grid", parameters=[FAST], responses=responses)
        with pytest.raises(mk.ProjectError) as refused:
            mk.study(model, "it", tmp_path / "it.h5", workers=0)
        assert [one.code for one in refused.value.problems] == [code]
        assert mend in str(refused.value)
        assert not list(tmp_path.iterdir())
    with pytest.raises(StudyError, match="has no study 'other'; it has it"):
        mk.study(model, "other", workers=0)
    with pytest.raises(StudyError, match="has no study; add one"):
        mk.study(block(), workers=0)


def test_a_reference_in_another_unit_is_refused() -> None:
    model = block()
    for name, unit in (("speed", "m/s"), ("way", "m")):
        form = {"kind": "table", "x": [0.0, 0.04, 0.08], "y": [0.0, 0.05, 0.0]}
        model = model.add_function(name, x_unit="s", y_unit=unit, form=form)
        target = {"quantity": "place_x", "reference": name}
        rating = {"kind": "rating", "id": "r", "quantity": "place_x", "reference": name}
        made = model.add_study(
            "it", kind="fit", most_runs=1, parameters=[STIFF], responses=[rating],
            tests=[{"id": "t", "targets": [target]}],
        )  # fmt: skip
        if unit == "m":
            assert mk.study(made, "it", workers=0).status == "completed"
            continue
        with pytest.raises(mk.ProjectError) as refused:
            mk.study(made, "it", workers=0)
        paths = [one.path for one in refused.value.problems]
        assert paths == [
            "studies/it/responses/r/reference",
            "studies/it/tests/t/targets/0/reference",
        ]
        assert "is in m/s, what is compared with it in m" in str(refused.value)


def test_every_name_of_a_run_may_be_asked_for() -> None:
    """A name of each element of results, straps and what bags touch among them, stands no check in the way."""
    data = checks_base()
    names = {}
    for info in Quantities(Simulation(project(data)).memory()).infos.values():
        if "/" in info.name:
            names.setdefault((info.group, info.element), info.name)
    assert len({group for group, _ in names}) > 15
    assert "harnesses/harness.lap/tension/1" in names.values()
    study = {"id": "all", "kind": "grid", "parameters": [parameter("m", "segments/head/mass_kg", uniform(4.0, 5.0))],
             "responses": [channel(f"r{n}", name) for n, name in enumerate(names.values())]}  # fmt: skip
    data["studies"] = [study]
    told = [p for p in check(project(data)) if p.code == "study-quantity"]
    assert told == []


def test_a_harness_has_straps_which_a_hint_names() -> None:
    data = checks_base()
    study = {"id": "all", "kind": "grid", "parameters": [parameter("m", "segments/head/mass_kg", uniform(4.0, 5.0))],
             "responses": [channel("pull", "harnesses/harness/tension/1")]}  # fmt: skip
    data["studies"] = [study]
    (told,) = [p for p in check(project(data)) if p.code == "study-quantity"]
    assert "'harness' is no strap" in str(told)
    assert "harnesses/harness.lap/tension/1" in str(told)
    study["responses"] = [channel("pull", "harnesses/harness.lap/tension/1")]
    made = renamed(
        renamed(project(data), "harnesses/harness", "hips"), "harnesses/hips/straps/lap", "left"
    )
    assert made.studies[0].responses[0].quantity == "harnesses/hips.left/tension/1"
    assert not [p for p in check(made) if p.code == "study-quantity"]


def test_renaming_is_followed_by_studies() -> None:
    model = block().add_study(
        "it", kind="grid", parameters=[STIFF],
        responses=[FORCE, channel("b", "segments/block[0,0,1]/velocity/x")], curves=["place_x"],
    )  # fmt: skip
    project = renamed(renamed(renamed(model.project, "springs/spring", "coil"), "outputs/pull", "tug"), "segments/block", "mass")  # fmt: skip
    (it,) = project.studies
    assert it.parameters[0].path == "springs/coil/stiffness_n_per_m"
    assert [one.quantity for one in it.responses if one.kind == "channel"] == ["tug_force_resultant", "segments/mass[0,0,1]/velocity/x"]  # fmt: skip
    assert it.curves == ("place_x",)
    assert mk.Model(project).problems == ()


def test_a_study_changes_no_run() -> None:
    plain = mk.run(block())
    with_it = mk.run(block().add_study("it", kind="grid", parameters=[FAST], responses=[WAY]))
    assert np.array_equal(plain["place_x"].value, with_it["place_x"].value)


def test_kinds_are_drawn_alike_every_time() -> None:
    for model, kind in ((SampleStudy, "sample"), (MorrisStudy, "morris"), (SobolStudy, "sobol"), (GridStudy, "grid")):  # fmt: skip
        asked = checked(
            model, {"id": "it", "kind": kind, "parameters": [STIFF, FAST], "responses": Y}
        )
        np.random.seed(len(kind))
        first = design(block().project, asked)
        np.random.seed(7)
        assert design(block().project, asked) == first
        if kind != "grid":
            other = design(block().project, asked.model_copy(update={"seed": 2}))
            assert [one.values for one in other] != [one.values for one in first]


def test_what_is_offered_is_whole() -> None:
    """Who takes the offer of a word gets a path, a channel or a formula that is right."""
    from solver.project.checks import check

    for parameters, response, offered in (
        ([STIFF | {"path": "springs/sprng/stiffness_n_per_m"}], WAY, STIFF["path"]),
        ([STIFF], channel("a", "plce_x"), "place_x"),
        ([STIFF], channel("a", "segments/blok[0,0,1]/velocity/x"), "segments/block[0,0,1]/velocity/x"),
        ([STIFF], formula("stiffness", "2 * kk + stiffnes"), None),
        ([STIFF | {"id": "stiff"}], formula("a", "2 * stif^2"), "2 * stiff^2"),
    ):  # fmt: skip
        model = block().add_study("it", kind="grid", parameters=parameters, responses=[response])
        first = check(model.project)[0]
        assert offered is None or first.hint == f"Did you mean '{offered}'?"


def test_a_factor_scales_a_number_or_a_whole_curve() -> None:
    curve = {"kind": "table", "x": [0.0, 0.1], "y": [0.0, 200.0]}
    model = block().add_function("soft", x_unit="m", y_unit="N", form=curve)
    factor = parameter("f", STIFF["path"], uniform(0.5, 1.5), is_factor=True)
    found = study(block(), kind="grid", levels=3, parameters=[factor], responses=[WAY])
    plain = study(block(), kind="grid", levels=3, parameters=[STIFF], responses=[WAY])
    assert np.array_equal(found.rows.outputs, plain.rows.outputs)
    assert found.changes(2) == {STIFF["path"]: 3000.0}
    assert found.layout.parameter_units == ("1",)
    curves = parameter("f", "functions/soft/form/y", uniform(0.5, 1.5), is_factor=True)
    found = study(model, kind="local", parameters=[curves], responses=[WAY])
    assert found.rows.inputs[:, 0].tolist() == [1.0, 0.99, 1.01, 0.5, 1.5]
    assert found.changes(4) == {"functions/soft/form/y": (0.0, 300.0)}
    assert found.design(3).functions[0].form.y == (0.0, 100.0)  # type: ignore[union-attr]


def test_a_response_beyond_its_limit_is_counted() -> None:
    found = study(block(), kind="sample", runs=10, parameters=[STIFF], responses=[WAY | {"at_most": 0.042}])  # fmt: skip
    way = found.rows.outputs[:, 0]
    limit = found.answers["responses"]["way"]["limit"]
    assert limit["probability"] == (way <= 0.042).mean()
    assert limit["kept"] == (way <= 0.042).sum() not in (0, 5, 10)


def test_the_sample_tells_what_decides() -> None:
    found = mk.study(mk.sample("lap_belt"), "what_decides", workers=0)
    marks = {r: {p: c["mark"] for p, c in row.items()} for r, row in found.answers["sensitivity"].items()}  # fmt: skip
    assert marks["tension"] == {"slack": "-", "webbing": "+", "friction": "0", "torso": "+"}
    assert marks["pelvis"] == {"slack": "+", "webbing": "++", "friction": "0", "torso": "-"}
    # slack lets the pelvis go further, stiffer webbing holds it back
    assert (marks["travel"]["slack"], marks["travel"]["webbing"]) == ("+", "-")
