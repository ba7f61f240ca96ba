"""Curves made of curves by a formula, against closed forms and what a run tells itself."""

from __future__ import annotations

import numpy as np
import pytest

import manikin as mk
from solver.base.units.table import unit
from solver.results.formulas import calculated, labelled
from solver.results.layout import ResultsError
from solver.results.trajectory import Channel

T = np.linspace(0.0, 2.0, 2001)
COARSE = np.linspace(0.0, 2.0, 401)
CURVES = {
    "x": Channel("x", T, np.sin(3.0 * T), "m"),
    "v": Channel("v", T, 3.0 * np.cos(3.0 * T), "m/s"),
    "coarse": Channel("coarse", COARSE, 2.0 * COARSE, "m"),
    "m": Channel("m", T, 2.0 + T, "kg"),
    "a": Channel("a", T, np.full(2001, 4.0), "m/s2"),
    "turn": Channel("turn", T, T, "rad"),
    "energy": Channel("energy", T, T, "J"),
}


def made(text: str) -> Channel:
    return calculated(text, CURVES.__getitem__)


@pytest.mark.parametrize(
    ("text", "expected", "in_"),
    [
        ("= {x} + {coarse} / 2", np.sin(3.0 * T) + T, "m"),
        ("= -{x}^2", -(np.sin(3.0 * T) ** 2), "m2"),
        ("= rate({x}) - {v}", 0.0 * T, "m/s"),
        ("= integral({v}) - {x}", 0.0 * T, "m"),
        ("= {m} * {a}", 4.0 * (2.0 + T), "N"),
        ("= {a} - '9.81 m/s2'", 4.0 - 9.81 + 0.0 * T, "m/s2"),
        ("= {x} - '250 mm'", np.sin(3.0 * T) - 0.25, "m"),
        ("= resultant({x}, {coarse})", np.hypot(np.sin(3.0 * T), 2.0 * T), "m"),
        ("= max({x}, abs({x}), '0 m')", np.abs(np.sin(3.0 * T)), "m"),
        ("= sqrt({x}^2) - abs({x})", 0.0 * T, "m"),
        ("= cos({turn}) * 2 * pi", 2.0 * np.pi * np.cos(T), "1"),
        ("= 0.5 * {m} * {v}^2 / {coarse}", None, "N"),
        ("= filtered({a}, 60)", 4.0 + 0.0 * T, "m/s2"),
    ],
)
def test_a_formula_gives_values_and_their_unit(text: str, expected: object, in_: str) -> None:
    found = made(text)
    assert unit(found.unit) == unit(in_)
    assert len(found.time) == len(T)
    if expected is not None:
        assert found.value == pytest.approx(expected, abs=1e-5)


def test_energy_stays_energy_and_products_get_their_names() -> None:
    assert made("= 2 * {energy}").unit == "J"
    assert made("= {m} * {a} * {x}").unit == "N*m"
    assert made("= {m} * {a} * {v}").unit == "W"


def test_units_that_do_not_agree_are_refused() -> None:
    with pytest.raises(ResultsError, match="adds m and m/s"):
        made("= {x} + {v}")
    with pytest.raises(ResultsError, match="subtracts m and 1"):
        made("= {x} - 3")
    with pytest.raises(ResultsError, match="takes plain numbers and angles, no m"):
        made("= sin({x})")


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("= {x} +", "cannot be read"),
        ("= {x} if {v} else 2", "no formula may hold"),
        ("= {x}.shape", "no formula may hold"),
        ("= open({x})", "There is no function 'open'"),
        ("= rate({x}, {v})", "another count"),
        ("= {x} ^ {turn}", "plain number"),
        ("= {x} * '3 foot'", "foot"),
        ("= " + "(" * 40 + "-" * 40 + "{x}" + ")" * 40, "too deep"),
    ],
)
def test_what_is_no_formula_is_told(text: str, why: str) -> None:
    with pytest.raises(ResultsError, match=why):
        made(text)


def test_a_formula_is_asked_like_any_quantity(tmp_path: object) -> None:
    run = mk.run(mk.sample("double_pendulum"), until=0.3)
    name = "Speed = resultant({segments/upper/velocity/x}, {segments/upper/velocity/y}, {segments/upper/velocity/z})"
    assert run[name].value == pytest.approx(run["segments/upper/velocity/resultant"].value)
    assert run.quantities(name) == (name,)
    with pytest.raises(ResultsError, match="No quantity fits"):
        run["= {segments/nobody/velocity/x}"]


def test_a_formula_is_read_by_its_title_or_its_words() -> None:
    assert labelled("Net = {a} - {b}", str.upper) == "Net"
    assert labelled("= {a} - {b}", str.upper) == "A - B"
