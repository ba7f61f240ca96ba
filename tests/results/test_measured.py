"""Curves of tests that come with the program, against the columns of their files."""

from __future__ import annotations

import csv

import numpy as np
import pytest

from solver.base.places import resources
from solver.injury import G, hic
from solver.results.measured import TESTS, measured_channels, measured_curve


def test_every_column_of_every_test_is_offered() -> None:
    files = {f"{one.parent.name}/{one.stem}" for one in (resources() / "data").rglob("*.csv")}
    assert files == set(TESTS)
    found = measured_channels()
    for test in TESTS:
        with (resources() / "data" / f"{test}.csv").open(encoding="utf-8") as file:
            columns = next(csv.reader(file))[1:]
        here = [one.column for one in found if one.test == test]
        assert [one for one in here if "resultant" not in one] == columns
    assert len({(one.title, one.name) for one in found}) == len(found), "two are called alike"


def test_a_curve_is_in_si() -> None:
    by_column = {one.column: one for one in measured_channels() if one.test == "nhtsa_10146/driver"}
    time, _ = measured_curve(by_column["head_ax_g"])
    assert by_column["head_ax_g"].unit == "m/s2"
    assert by_column["head_ax_g"].name == "head acceleration x"
    assert time[1] - time[0] == pytest.approx(4e-4)
    rows = [measured_curve(by_column[f"head_a{axis}_g"])[1] for axis in "xyz"]
    # the file holds filtered samples
    size = np.linalg.norm(rows, axis=0)
    whole = measured_curve(by_column["head_aresultant_g"])[1]
    assert whole == pytest.approx(size)
    assert hic(time, size / G, 0.015).value == pytest.approx(140.0, rel=0.05), (
        "as printed for this test"
    )
    deflection = measured_curve(by_column["chest_defl_mm"])[1]
    assert 0.015 < np.abs(deflection).max() < 0.03
