"""The injury table of a report: limits of chosen standards alone, whom they judge, and more rows than a page has."""

from __future__ import annotations

from dataclasses import replace

import matplotlib.pyplot as plt
import pytest
from matplotlib.text import Text

from solver.injury import Assessment, Limit, assess
from solver.injury.figures import figure_name, value_text
from solver.report import Report, report
from solver.report.content import Cell, figure
from solver.report.gather import Subject
from solver.report.injury_table import _value, injury_table
from solver.report.pdf_page import BOTTOM, HEIGHT, figures
from solver.report.plots.curves import styled
from solver.report.tables import percent, tone_of
from solver.results.trajectory import Trajectory
from solver.running.simulation import simulate
from tests.report.test_report import short_run


@pytest.fixture(scope="module")
def run() -> Trajectory:
    return simulate(short_run(1.0))


@pytest.fixture(scope="module")
def made(run: Trajectory) -> Report:
    return report(run, labels=["run"], standards=["un_r94"])


def test_it_says_whom_it_judges_and_by_which_standard(run: Trajectory, made: Report) -> None:
    found: Assessment = assess(run, standards=["un_r94"])
    notes = made.content.injury.notes
    assert found.said
    assert set(map(str, found.said)) <= set(notes)
    assert "Limits of UN R94 alone." in notes
    assert {limit.standard for f in found.figures for limit in f.limits} <= {"un_r94"}
    limits = {row[0].text: row[4].text for row in made.content.injury.rows}
    for one in found.figures:
        assert ("R94" in limits[figure_name(one)]) == bool(one.limits)


def test_values_are_judged_by_their_limits(run: Trajectory) -> None:
    bare = replace(assess(run).figures[0], limits=())
    limited = replace(bare, limits=(Limit(bare.criterion, 1.0, "a man", (), "a standard"),))
    given = [replace(limited, value=share) for share in (0.5, 0.8, 1.0, 1.01)]
    tones = [tone_of(one) for one in (bare, *given)]
    assert tones == ["plain", "good", "near", "near", "bad"]
    subject = Subject(run)
    table = injury_table([subject])
    known = {figure_name(found): found for found in subject.assessment.figures}
    assert [row[0].text for row in table.rows if known[row[0].text].limits] == [
        row[0].text for row in table.rows[: sum(bool(one.limits) for one in known.values())]
    ]
    assert len(table.rows) == len(known)
    # neither figures nor signals are told by ids
    assert not any("_" in row[n].text for row in table.rows for n in (0, 6))
    for row in table.rows:
        found = known[row[0].text]
        assert row[1].tone == tone_of(found)
        assert row[5].share == found.share
    for value, unit, said in (
        (22123.4, "W", "22.12 kW"), (0.031561, "m", "31.56 mm"), (12345.6, "N", "12346 N"), (0.4321, "1", "0.4321"),
        (1.364e-7, "m", "< 0.001 mm"), (1.028e-5, "m/s", "< 0.001 m/s"), (0.0, "N", "0 N"), (173.25, "1", "173.2"),
    ):  # fmt: skip
        assert value_text(value, unit) == said
        assert "e" not in _value(replace(bare, value=value, unit=unit)).text
    assert figure(1234.56) == Cell("1235", number=True)
    assert figure(0.012345).text == "0.01235"
    assert figure(1.2346e-7).text == "1.235e-07"
    assert figure(float("nan")).text == "–"
    assert percent(1e-9) == "0.001 %"


def test_rows_that_find_no_room_go_on_with_the_next_page(made: Report) -> None:
    content = made.content
    rows = content.injury.rows
    table = replace(content.injury, rows=(rows * 200)[:200])
    wanted = table.rows[0][0].text
    drawn: list[tuple[int, float]] = []
    notes = pulses = 0
    assert content.pulse is not None
    with styled():
        for number, page in enumerate(
            figures(replace(content, injury=table, lists=(), regions=None))
        ):
            for one in page.findobj(Text):
                if one.get_text() == wanted:
                    drawn.append((number, one.get_position()[1]))
                notes += one.get_text() == table.notes[-1]
            assert all(axes.get_position().y0 > 0.0 for axes in page.axes)
            pulses += content.pulse.title in {axes.get_title("left") for axes in page.axes}
            plt.close(page)
    assert len(drawn) == sum(row[0].text == wanted for row in table.rows)
    assert len({number for number, _ in drawn}) > 1
    assert all(at > BOTTOM / HEIGHT - 0.01 for _, at in drawn)
    assert notes == pulses == 1
