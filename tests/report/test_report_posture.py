"""The report's strip and table of postures, and what it says of a spine that bends backwards."""

from __future__ import annotations

import numpy as np
import pytest

from solver.report import report
from solver.report.gather import Subject
from solver.report.panels import instants, posture_table
from tests.solved import trajectory as solved


def numbers(name: str) -> dict[str, list[float]]:
    table = posture_table(Subject(solved(name)), "metric")
    assert table is not None
    return {row[0].text: [float(cell.text) for cell in row[1:]] for row in table.rows}


def test_five_instants_and_what_they_are() -> None:
    s = Subject(solved("frontal"))
    found = instants(s)
    assert len(found) == 5
    assert found[0].frame == 0
    assert found[-1].time == pytest.approx(0.15, abs=5e-3)
    assert np.all(np.diff([one.time for one in found]) > 4e-3)
    assert any("greatest head acceleration" in one.what for one in found)
    pictures = report(solved("frontal")).content.pictures
    assert len(pictures) == 5
    assert pictures[0].caption == "start"


def test_angles_and_ways_are_those_of_the_run() -> None:
    rows, s = numbers("frontal"), Subject(solved("frontal"))
    at = [one.frame for one in instants(s)]
    x = s.run.channel("driver_head_position_in_vehicle_x")
    way = np.interp(s.time[at], x.time, x.value) - x.value[0]
    assert rows["head forward [mm]"] == pytest.approx(1e3 * way, abs=0.6)
    assert rows["pelvis leans [°]"][0] == pytest.approx(-23.5, abs=1.0), "he leans back"
    bend = np.array(rows["chest leans [°]"]) - np.array(rows["pelvis leans [°]"])
    assert rows["spine bends forward [°]"] == pytest.approx(bend - bend[0], abs=1.1)
    assert max(rows["spine bends forward [°]"]) > 5.0


@pytest.mark.parametrize(("name", "told"), [("frontal", False), ("sled", True)])
def test_a_spine_that_bends_backwards_under_its_belt_is_told_of(name: str, told: bool) -> None:
    """The deck's man of three torso parts turns his pelvis under the lap strap, while his chest still leans back."""
    least = min(numbers(name)["spine bends forward [°]"])
    assert (least < -10.0) == told
    said = [one for one in report(solved(name)).content.verdicts if "bends backwards" in one.text]
    assert bool(said) == told
    assert all(one.tone == "near" for one in said)


def test_where_nobody_is_there_is_no_posture() -> None:
    assert posture_table(Subject(solved("bouncing_ball")), "metric") is None
    assert len(report(solved("bouncing_ball")).content.pictures) == 4
