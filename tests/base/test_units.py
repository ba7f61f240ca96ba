"""Units: exact factors, expressions, and the way back from what is shown."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solver.base.units import (
    SYSTEMS,
    UnitError,
    convert,
    display_unit,
    evaluate,
    parse,
    pretty,
    show,
    unit,
)
from solver.project import Project
from solver.results.layout import FRAME_GROUPS, STEP_GROUP
from tests.rows import rows


@rows(
    ("text", "si_unit", "value"),
    [
        ("3*25.4 mm", "m", 0.0762),
        ("1/2 in", "m", 0.0127),
        ("5 ft 10 in", "m", 1.778),
        ("-5'10\"", "m", -1.778),
        ("56 km/h", "m/s", 56 / 3.6),
        ("35 mph", "m/s", 15.6464),
        ("10 kN / 2 mm", "N/m", 5e6),
        ("1 lbf", "N", 4.4482216152605),
        ("1 psi", "Pa", 6894.757293168361),
        ("1 lbf*in", "N*m", 0.1129848290276167),
        ("1 slug", "kg", 14.593902937206364),
        ("1 hp", "kg*m2/s3", 745.6998715822702),
        ("386.088 in/s2", "m/s2", 9.8066352),
        ("20 g", "m/s2", 196.133),
        ("90°", "rad", math.pi / 2),
        ("300 deg/s", "rad/s", 300 * math.pi / 180),
        ("60 rpm", "rad/s", 2 * math.pi),
        ("100 °C", "K", 373.15),
        ("-40 degF", "K", 233.15),
        ("9.81 m/s²", "m/s2", 9.81),
        ("2**3 mm", "m", 0.008),
        ("2^-1 m", "m", 0.5),
        ("sqrt(2)/2 m", "m", math.sqrt(0.5)),
        ("sin(30 deg)", "1", 0.5),
        ("atan(1)", "rad", math.pi / 4),
        ("12 %", "1", 0.12),
        ("2 + 3*4", "m", 14.0),
        ("-(2 - 5) m", "m", 3.0),
        ("1.5e-3", "s", 1.5e-3),
        (".5 l", "m3", 5e-4),
        ("2 m2", "m2", 2.0),
        ("2 pi", "rad", 2 * math.pi),
    ],
)
def test_expressions(text: str, si_unit: str, value: float) -> None:
    assert parse(text, si_unit) == pytest.approx(value, rel=1e-12)


def test_plain_numbers_are_in_the_unit_that_is_shown() -> None:
    assert parse("25.4", "m", "mm") == pytest.approx(0.0254)
    assert parse("25.4 m", "m", "mm") == 25.4
    assert parse("20", "K", "degC") == pytest.approx(293.15)
    assert parse("12", "1", "%") == pytest.approx(0.12)
    assert parse("12 %", "1", "%") == pytest.approx(0.12)
    assert parse("2 * 10", "m/s2", "g") == pytest.approx(196.133)


@rows(
    ("text", "si_unit", "words"),
    [
        ("3 kg", "m", "is a mass; a length is needed"),
        ("3 lb", "N", "A pound-force is written lbf"),
        ("3 m + 2 s", "m", "adds a length and a time"),
        ("3 furlong", "m", "'furlong' is no unit"),
        ("", "m", "ends too soon"),
        ("3 *", "m", "ends too soon"),
        ("(1", "m", "is not closed"),
        ("1)", "m", "cannot be read at ')'"),
        ("1,5", "m", "',' cannot stand"),
        ("1/0", "m", "divides by zero"),
        ("10^50", "m", "beyond 20"),
        ("9e300*9e300", "m", "no finite number"),
        ("sin(1e309)", "1", "'1e309' is too large"),
        ("tan(9e300*9e300)", "1", "'tan' takes a finite number"),
        ("atan(9e300*9e300 - 9e300*9e300)", "rad", "finite"),
        ("sqrt(-1)", "1", "cannot be raised"),
        ("asin(2)", "rad", "from -1 to 1"),
        ("sin(2 m)", "1", "cannot take a length"),
        ("sin 2", "1", "needs brackets"),
        ("2 degC + 3 K", "K", "only stand behind one number"),
        ("2^(1 m)", "1", "no unit"),
        ("__import__('os')", "m", "cannot stand"),
        ("().__class__", "m", "cannot"),
        ("x" * 500, "m", "longer than 200"),
        ("(" * 50 + "1" + ")" * 50, "m", "more than 20 brackets"),
    ],
)
def test_what_cannot_be_read_is_said_in_one_sentence(text: str, si_unit: str, words: str) -> None:
    with pytest.raises(UnitError, match=r"\w") as failure:
        parse(text, si_unit)
    assert words in str(failure.value)
    assert "\n" not in str(failure.value)


@given(st.text(max_size=60))
def test_any_text_gives_a_number_or_a_sentence(text: str) -> None:
    try:
        value = parse(text, "m", "mm")
    except UnitError:
        return
    assert math.isfinite(value)


WORDS = (
    "sin(", "cos(", "atan(", "asin(", "sqrt(", "abs(", "(", ")", ")", ")", "1e309", "9e300", "5e-324", "0",
    "2", "20", "*", "/", "+", "-", "^", " m", " rad", " deg", " pi",
)  # fmt: skip


@settings(max_examples=400)
@given(st.lists(st.sampled_from(WORDS), min_size=1, max_size=9))
def test_any_expression_gives_a_number_or_a_sentence(words: list[str]) -> None:
    for unit_ in ("1", "m", "rad"):
        try:
            value = parse("".join(words), unit_)
        except UnitError:
            continue
        assert math.isfinite(value)


def _all_units() -> set[str]:
    units = {c.unit for g in FRAME_GROUPS.values() for c in g.columns.values()}
    return units | {c.unit for c in STEP_GROUP.columns.values()}


@pytest.mark.parametrize("system", sorted(SYSTEMS))
def test_every_unit_of_results_is_shown_and_read_back(system: str) -> None:
    for si_unit in _all_units() | set(SYSTEMS[system]):
        shown = display_unit(si_unit, system)
        assert unit(shown).dimension == unit(si_unit).dimension
        for value in (0.0, 1.0, -0.123456789, 4.5e6):
            text = show(value, si_unit, shown, digits=17)
            assert parse(text, si_unit, shown) == pytest.approx(value, rel=1e-12, abs=1e-9)


def test_units_of_the_schema_are_known() -> None:
    found: set[str] = set()

    def walk(node: object) -> None:
        if isinstance(node, dict):
            if isinstance(node.get("unit"), str):
                found.add(node["unit"])
            for inner in node.values():
                walk(inner)
        elif isinstance(node, list):
            for inner in node:
                walk(inner)

    walk(Project.model_json_schema())
    assert len(found) > 15
    # a field may be along a line or about one; a power may be the user's own
    for text in found - {"", "N/m^n"}:
        for each in text.split("|"):
            unit(each)


@given(st.floats(-1e6, 1e6), st.sampled_from(["in", "ft", "mil", "mi", "um"]))
def test_conversion_goes_there_and_back(value: float, other: str) -> None:
    assert convert(convert(value, "m", other), other, "m") == pytest.approx(value, abs=1e-9)


def test_arrays_are_converted_and_strangers_refused() -> None:
    assert np.allclose(convert(np.array([0.0, 100.0]), "degC", "degF"), [32.0, 212.0])
    with pytest.raises(UnitError, match="cannot be turned"):
        convert(1.0, "N", "N*m")
    with pytest.raises(UnitError, match="no units 'imperial'"):
        display_unit("m", "imperial")


def test_a_radian_counts() -> None:
    assert unit("N*m").dimension != unit("N*m/rad").dimension
    assert evaluate("1 lbf*in/deg").value == pytest.approx(6.473554, rel=1e-6)


def test_units_are_printed_as_engineers_write_them() -> None:
    assert pretty("kg*m2/s") == "kg·m²/s"
    assert pretty("deg/s2") == "°/s²"
    assert pretty("degC") == "°C"
    assert pretty("um") == "µm"
    assert pretty("1") == ""
    assert show(0.0762, "m", "in") == "3 in"
    assert show(-0.0, "m") == "0 m"
