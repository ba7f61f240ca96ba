"""A curve counts as an array, and knows its unit."""

from __future__ import annotations

import pickle
import sys

import numpy as np
import pytest

import manikin as mk
from solver.base.units import unit

TIME = np.linspace(0.0, 0.1, 11)


def curve(value: object, unit: str = "m/s", name: str = "a", **more: object) -> mk.Curve:
    return mk.Curve(name, TIME, np.broadcast_to(np.asarray(value, float), 11).copy(), unit, **more)  # type: ignore[arg-type]


RISING = np.arange(1.0, 12.0)


def test_it_is_an_array_of_its_values() -> None:
    a = curve(RISING)
    assert len(a) == 11
    assert np.array_equal(np.asarray(a), RISING)
    assert np.asarray(a, np.float32).dtype == np.float32
    assert list(a) == RISING.tolist()
    assert (np.max(a), np.mean(a), np.sum(a), a[-1], a[2]) == (11.0, 6.0, 66.0, 11.0, 3.0)
    assert isinstance(a[2], float)
    assert np.array_equal(a > 5.0, RISING > 5.0)
    assert np.array_equal(a == a, np.ones(11, bool))
    assert np.trapezoid(a, a.time) == pytest.approx(0.6)


@pytest.mark.parametrize("cut", [slice(2, 8, 3), RISING > 4.0, [0, 5], np.array([3, 4])], ids=str)
def test_a_part_of_it_is_a_curve(cut: object) -> None:
    whole = curve(RISING, components=(RISING, 2.0 * RISING))
    part = whole[cut]  # type: ignore[call-overload]
    assert isinstance(part, mk.Curve)
    assert np.array_equal(part.value, RISING[cut])  # type: ignore[index]
    assert np.array_equal(part.time, TIME[cut])  # type: ignore[index]
    assert np.array_equal(part.components[1], 2.0 * RISING[cut])  # type: ignore[index]
    assert part.unit == "m/s"


@pytest.mark.parametrize(
    ("made", "unit_made", "value"),
    [
        (lambda a, b: a + a, "m/s", 2 * RISING),
        (lambda a, b: a + 1.0, "m/s", RISING + 1),
        (lambda a, b: 1.0 - a, "m/s", 1 - RISING),
        (lambda a, b: -a, "m/s", -RISING),
        (lambda a, b: abs(-a), "m/s", RISING),
        (lambda a, b: a * b, "m/s*kg", RISING * 2),
        (lambda a, b: b * a, "kg*m/s", RISING * 2),
        (lambda a, b: 3.0 * a, "m/s", 3 * RISING),
        (lambda a, b: a / a, "1", np.ones(11)),
        (lambda a, b: 1.0 / a, "s/m", 1 / RISING),
        (lambda a, b: a**2, "m2/s2", RISING**2),
        (lambda a, b: np.sqrt(a * a), "m/s", RISING),
        (lambda a, b: np.square(a), "m2/s2", RISING**2),
        (lambda a, b: np.maximum(a, 4.0), "m/s", np.maximum(RISING, 4)),
        (lambda a, b: np.hypot(a, a), "m/s", np.hypot(RISING, RISING)),
        (lambda a, b: np.log(a / a), "1", np.zeros(11)),
        (lambda a, b: np.arctan2(a, a), "rad", np.full(11, np.pi / 4)),
        (lambda a, b: np.cos(np.arctan2(a, a)), "1", np.full(11, np.sqrt(0.5))),
        (lambda a, b: a * RISING, "m/s", RISING**2),
        (lambda a, b: RISING * a, "m/s", RISING**2),
    ],
)
def test_units_follow(made: object, unit_made: str, value: object) -> None:
    found = made(curve(RISING), curve(2.0, "kg", "m"))  # type: ignore[operator]
    assert isinstance(found, mk.Curve)
    assert np.allclose(found.value, value, rtol=1e-15)  # type: ignore[arg-type]
    given, wanted = unit(found.unit), unit(unit_made)
    assert given.dimension == wanted.dimension
    assert given.factor == pytest.approx(wanted.factor)
    assert found.time is not None
    assert len(found.name) < 40


@pytest.mark.parametrize(
    "made",
    [
        lambda a, b: a + b,
        lambda a, b: a < b,
        lambda a, b: np.maximum(a, b),
        lambda a, b: np.exp(a),
        lambda a, b: np.sin(a),
        lambda a, b: a**b,
        lambda a, b: 2.0**a,
        lambda a, b: np.deg2rad(a),
        lambda a, b: np.heaviside(a, 0.5),
        lambda a, b: np.copysign(1.0, a),
        lambda a, b: a @ a,
        lambda a, b: curve(1.0, "degC") * 2.0,
    ],
)
def test_what_does_not_fit_is_refused(made: object) -> None:
    with pytest.raises(mk.UnitError, match=r"\.$"):
        made(curve(RISING), curve(2.0, "kg", "m"))  # type: ignore[operator]


def test_other_times_are_refused_and_can_be_taken() -> None:
    a = curve(RISING)
    later = mk.Curve("b", TIME + 0.01, RISING, "m/s")
    with pytest.raises(mk.ResultsError, match=r"'a' and 'b' have different times: take one"):
        a + later
    moved = later.on(a)
    assert np.isnan(moved[0])
    assert np.allclose((a - moved)[1:].value, 1.0)
    assert np.array_equal(a.at(TIME[[1, 2]]), RISING[[1, 2]])
    with pytest.raises(TypeError, match="never changes"):
        np.add(a, a, out=np.zeros(11))


def test_a_resultant_times_a_number_is_filtered_by_its_components() -> None:
    rng = np.random.default_rng(3)
    time = np.arange(4000) * 1e-4
    parts = tuple(rng.normal(size=(3, 4000)))
    whole = mk.Curve(
        "r",
        time,
        np.linalg.norm(parts, axis=0),
        "m/s2",
        axis="resultant",
        cfc=1000,
        components=parts,
    )
    for twice in (2.0 * whole, whole * 2.0, whole / 0.5):
        assert np.allclose(twice.filtered().value, 2.0 * whole.filtered().value, rtol=1e-12)
        assert twice.axis == "resultant"
    # what is no longer a resultant is filtered as it stands
    for other in (whole + 1.0, -1.0 * whole, whole * whole):
        assert other.components == ()
    assert np.allclose(
        (whole + whole).filtered(60).value.mean(), 2.0 * whole.value.mean(), rtol=0.05
    )


def test_a_sum_says_that_it_is_filtered_where_all_of_it_is() -> None:
    time = np.arange(400) * 1e-4
    a = mk.Curve("a", time, np.sin(300.0 * time), "g", cfc=1000)
    once = a.filtered(180)
    assert (once + once).filtered_to == (2.0 * once).filtered_to == 180
    assert (once + a).filtered_to == (a + a).filtered_to == 0
    assert (once + a).cfc == 0


def test_it_goes_to_pandas_and_xarray(monkeypatch: pytest.MonkeyPatch) -> None:
    a = curve(RISING)
    series = a.to_series()
    assert (series.name, series.attrs["units"], series.index.name) == ("a", "m/s", "time")
    assert series.loc[TIME[3]] == 4.0
    array = a.to_xarray()
    assert (array.name, array.attrs["units"], array.time.attrs["units"]) == ("a", "m/s", "s")
    assert float(array.interp(time=0.005)) == pytest.approx(1.5)
    monkeypatch.setitem(sys.modules, "xarray", None)
    with pytest.raises(mk.ResultsError, match=r"pip install 'manikin\[xarray\]'"):
        a.to_xarray()


def test_no_sign_stands_beside_another_in_a_name() -> None:
    a = curve(RISING, name="a")
    assert (a - 0.25).name == "a - 0.25"
    assert (a - -0.25).name == "a - (-0.25)"
    assert (2.0 * -a).name == "2 * (-a)"
    assert ((a - 1.0) / 2.0).name == "(a - 1) / 2"


def test_no_repr_prints_arrays_and_a_notebook_escapes_names() -> None:
    a = curve(RISING, name="<b>x</b>")
    assert repr(a) == "<Curve '<b>x</b>' in m/s: 11 samples from 0 to 100 ms, peak 11 at 100 ms>"
    drawn = a._repr_html_()
    assert "<polyline points=" in drawn
    assert "<b>x</b>" not in drawn
    assert "&lt;b&gt;x" in drawn
    for empty in (a[:0], curve(np.nan)):
        assert "11" in repr(empty) or "no samples" in repr(empty)
        assert "polyline" not in empty._repr_html_()
    assert np.array_equal(pickle.loads(pickle.dumps(a)).value, a.value)


def test_a_drawn_curve_keeps_its_peak() -> None:
    value = np.zeros(5000)
    value[1234] = 7.0
    long = mk.Curve("spike", np.linspace(0.0, 1.0, 5000), value, "N")
    points = long._repr_html_().partition("points='")[2].partition("'")[0].split()
    assert len(points) <= 400
    assert min(float(one.split(",")[1]) for one in points) == 0.0


def test_a_run_gives_the_one_thing_or_says_which() -> None:
    run = mk.run(mk.sample("double_pendulum"), until=0.05)
    assert run["joints/hinge/angle"].name == "joints/hinge/angle/1"
    assert np.array_equal(run["joints/hinge/rate"].value, run["joints/hinge/rate/1"].value)
    with pytest.raises(mk.ResultsError, match="after it comes 'resultant', 'x'"):
        run["segments/lower/velocity"]
    assert run.quantities("joints/*/force") == run.quantities("joints/*/force/*")
    assert len(run.quantities("segments/upper")) == len(run.quantities("segments/upper/*/*"))
    html = run._repr_html_() + run.model._repr_html_()
    assert "Double pendulum" in html
    assert "hinge" in html


def test_injury_figures_are_a_collection(monkeypatch: pytest.MonkeyPatch) -> None:
    run = mk.run(mk.sample("neck_pendulum"), until=0.03)
    figures = run.injury
    names = [one.name for one in figures]
    assert len(figures) == len(names) > 0
    assert names[0] in figures
    assert "nothing" not in figures
    frame = figures.to_frame()
    assert frame.loc[names[0], "value"] == figures[names[0]].value
    assert list(frame.index) == names
    assert f"<th>{names[0]}</th>" in figures._repr_html_()
    assert bool(mk.run(mk.sample("double_pendulum"), until=0.01).injury)
    assert names[0] in run._repr_html_()


def test_a_study_runs_the_one_there_is_or_asks_which() -> None:
    mass = {"id": "mass", "path": "segments/lower/mass_kg"}
    mass["spread"] = {"kind": "uniform", "low": 1.0, "high": 2.0}  # type: ignore[assignment]
    speed = {"kind": "channel", "id": "speed", "take": "last"}
    speed["quantity"] = "segments/lower/velocity/resultant"
    asked = {"kind": "grid", "levels": 2, "parameters": [mass], "responses": [speed]}
    model = mk.sample("double_pendulum").until(0.02).add_study("one", **asked)
    while model.project.studies[0].id != "one":
        model = model.with_value("studies", model.project.studies[1:])
    found = mk.study(model, workers=0)
    assert "<table" in found._repr_html_()
    assert found.study.id == "one"
    with pytest.raises(mk.StudyError, match="Which one: one, two"):
        mk.study(model.add_study("two", **asked), workers=0)
