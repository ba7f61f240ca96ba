"""Goals and limits of studies: chosen in their cells, typed in the inspector, with units before any run."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.features.studies.charts import bars_of
from app.features.studies.making import titles_of
from solver.base.places import samples
from solver.base.units import convert
from solver.injury import figure_units
from solver.injury.reference import Limit
from tests.window.solving import solved
from tests.window.test_studies import LEFT, QUANTITY, begun, done, drop

pytestmark = pytest.mark.window


@pytest.mark.usefixtures("studied_here")
def test_limits_have_the_units_of_their_answers_before_and_after_the_first_run(
    window: Any, qtbot: Any
) -> None:
    window.open_file(samples() / "lap_belt.json")
    studies = window.features["studies"]
    window.panels.open("studies")
    studies.show("what_decides")
    asked = studies.panel.setup.responses

    def limits() -> list[str]:
        return [asked.topLevelItem(n).text(2) for n in range(asked.topLevelItemCount())]

    assert studies.seen.get("what_decides") is None
    assert limits() == ["≤ 91.77 g", "≤ 25 kN", "≤ 430 mm"]
    done(studies, qtbot)
    assert limits() == ["≤ 91.77 g", "≤ 25 kN", "≤ 430 mm"]
    tips = {asked.topLevelItem(n).toolTip(2) for n in range(3)}
    assert tips == {"A click chooses a limit"}, "none is in SI"
    window.bench.units_changed.emit("si")
    assert limits() == ["≤ 900 m/s²", "≤ 25000 N", "≤ 0.43 m"]


def cell(entries: Any, row: int, column: int) -> QPoint:
    """Give where a cell of a list is."""
    at = entries.visualItemRect(entries.topLevelItem(row)).center()
    at.setX(entries.columnViewportPosition(column) + 4)
    return at


def test_a_goal_and_its_limits_are_typed_in_the_inspector_in_the_units_that_are_shown(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    """Before any run: a click on what is asked leads to its form, which reads in words and takes numbers with units."""
    studies = begun(window, tmp_path, "optimum")
    document, asked = window.bench.document, studies.panel.setup.responses
    drop(asked, QUANTITY, ["segments/lower/position/z", "segments/upper/angular_velocity/y"])
    QTest.mouseClick(asked.viewport(), LEFT, pos=cell(asked, 1, 0))
    study = document.project.studies[0]
    where = f"studies/optimum/responses/{study.responses[1].id}"
    inspector = window.panels["inspector"]
    # the entry that was clicked opens
    qtbot.waitUntil(lambda: f"{where}/goal" in inspector.form.rows, timeout=20_000)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=20_000)
    form, section = inspector.form, inspector.form.sections[where]
    assert section.head.text() == section.head.toolTip() == "Lower rod · position · z, largest"
    page = inspector.area.viewport()
    goal = form.rows[f"{where}/goal"].editor
    qtbot.waitUntil(
        lambda: page.rect().contains(goal.mapTo(page, goal.rect().center())), timeout=20_000
    )
    rows = {
        name: form.rows[f"{where}/{name}"] for name in ("quantity", "goal", "at_most", "at_least")
    }
    # words, and the name itself only while it is edited
    assert rows["quantity"].editor.text() == "Lower rod · position · z"
    QTest.mouseClick(rows["quantity"].editor, LEFT)
    assert rows["quantity"].editor.text() == "segments/lower/position/z"
    goals = rows["goal"].editor
    assert [goals.itemText(n) for n in range(goals.count())] == ["none", "smallest", "largest"]
    line = rows["at_most"].editor
    QTest.mouseClick(line, LEFT)
    QTest.keyClicks(line, "430")
    QTest.keyClick(line, Qt.Key.Key_Return)
    assert document.project.studies[0].responses[1].at_most == pytest.approx(0.43)
    assert asked.topLevelItem(1).text(2) == "≤ 430 mm"
    form = inspector.form
    QTest.mouseClick(form.rows[f"{where}/at_least"].editor, LEFT)
    assert form.rows[f"{where}/at_most"].editor.text() == "430 mm"
    # another quantity lends another unit, and the heading goes with it
    document.edit(f"{where}/quantity", "segments/lower/velocity/resultant", "another")
    form = inspector.form
    assert form.sections[where].head.text() == "Lower rod · velocity · resultant, largest"
    assert form.rows[f"{where}/at_most"].editor.text() == "0.43 m/s"
    window.bench.units_changed.emit("inch_pound")
    assert inspector.form.rows[f"{where}/at_most"].editor.text() == "1.411 ft/s"
    assert asked.topLevelItem(1).text(2) == "≤ 1.411 ft/s"
    # an integral is in its unit times seconds, a time of a peak in milliseconds
    window.bench.units_changed.emit("metric")
    for take, said in (("integral", "0.43 m"), ("time_of_max", "430 ms")):
        document.edit(f"{where}/take", take, "another")
        assert inspector.form.rows[f"{where}/at_most"].editor.text().startswith(said)
    # what is varied has its unit there, too
    varied = study.parameters[0]
    there = f"studies/optimum/parameters/{varied.id}"
    document.select(f"{there}/spread/low")
    qtbot.waitUntil(lambda: f"{there}/spread/low" in inspector.form.rows, timeout=20_000)
    assert inspector.form.sections[there].head.text() == titles_of(document.project, study)[0]
    document.edit(f"{there}/is_factor", True, "a factor")
    assert not inspector.form.rows[f"{there}/spread/high"].editor.si_unit.strip("1")
    document.edit(f"{there}/is_factor", False, "no factor")
    assert inspector.form.rows[f"{there}/spread/high"].editor.si_unit == "kg"


def test_an_optimum_without_a_goal_says_so_where_it_is_seen_and_takes_one_in_its_cell(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    """Click Run, read what is missing in a bar, click the goal's cell and choose; then nothing stands in the way."""
    studies = begun(window, tmp_path, "optimum")
    document = window.bench.document
    study = next(one for one in document.project.studies if one.id == studies.current)
    assert not any(one.goal != "none" for one in study.responses)
    qtbot.waitUntil(lambda: document._checked is document.project, timeout=240_000)
    studies.run()
    assert studies.going is None
    assert window.notice.isVisible()
    assert "goal" in window.notice.words.text()
    entries = studies.panel.setup.responses
    QTest.mouseClick(entries.viewport(), LEFT, pos=cell(entries, 0, 1))
    menu = QApplication.activePopupWidget()
    assert menu is not None
    assert [one.text() for one in menu.actions()] == ["Smallest", "Largest", "None"]
    QTest.mouseClick(menu, LEFT, pos=menu.actionGeometry(menu.actions()[0]).center())
    study = next(one for one in document.project.studies if one.id == studies.current)
    assert study.responses[0].goal == "minimise"
    assert entries.topLevelItem(0).text(1) == "smallest"
    document.history.undo()
    assert entries.topLevelItem(0).text(1) == "–"


@pytest.mark.usefixtures("studied_here")
def test_what_decides_a_figure_is_asked_behind_it_and_drawn(window: Any, qtbot: Any) -> None:
    solved(window, qtbot, samples() / "lap_belt.json")
    document, studies = window.bench.document, window.features["studies"]
    before = document.project
    panel = window.panels["injury"]
    window.panels.open("injury")
    qtbot.waitUntil(lambda: panel.tree.topLevelItemCount() > 0, timeout=60_000)
    row = panel.tree.topLevelItem(0)
    figure = panel._figures[id(row)]

    def offered(words: str) -> Any:
        panel._offer(panel.tree.visualItemRect(row).center())
        menu = next(one for one in panel.findChildren(QMenu) if one.isVisible())
        entry = next(one for one in menu.actions() if one.text().startswith(words))
        entry.trigger()
        menu.close()

    offered("What decides")
    assert document.project is before, "nothing is marked as assumed, and nothing has a slider"
    window.bench.pin_asked.emit("segments/torso/mass_kg")
    window.bench.pin_asked.emit("segments/pelvis/mass_kg")
    offered("What decides")
    assert studies.going is not None
    qtbot.waitUntil(lambda: studies.going is None, timeout=120_000)
    (made,) = [one for one in document.project.studies if one.id.startswith("decides_")]
    assert [one.figure for one in made.responses] == [figure.name]
    assert len(made.parameters) == 2
    tabs = studies.panel.results.tabs
    assert tabs.tabText(tabs.currentIndex()) == "What decides"
    _, bars = bars_of(studies.seen[made.id], 0)
    assert len(bars) == 2
    assert all(low or high for _, low, high, _ in bars)
    offered("Make it small")
    optimum = document.project.studies[-1]
    assert optimum.kind == "optimum"
    assert [(one.figure, one.goal) for one in optimum.responses] == [(figure.name, "minimise")]
    assert len(optimum.parameters) == 2, "the numbers with sliders may change"
    # this body has no limit to keep; what has one keeps its goal, and is asked once
    assert figure.strictest is None
    limited = replace(figure, limits=(Limit(figure.criterion, 0.5 * figure.value, "", (), "own"),))
    studies.aim(limited, True)
    (asked,) = document.project.studies[-1].responses
    unit = figure_units(document.project)[figure.name]
    most = convert(0.5 * figure.value, figure.unit, unit)
    assert (asked.goal, asked.at_most) == ("minimise", pytest.approx(most))
    for _ in range(10):
        if document.project is before:
            break
        document.undo()
    assert document.project == before
