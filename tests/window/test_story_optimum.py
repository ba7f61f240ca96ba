"""An optimum from the first run to the design that is taken: two goals, a limit, numbers of belt and bag, a point of the front."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt, QTimer
from PySide6.QtGui import QContextMenuEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QTabBar, QToolButton, QWidget

from app.features.studies.charts import Scatter
from app.features.studies.view import Columns, best
from solver.base.places import samples
from solver.project import load_project, save_project
from tests.window.playing import plain, said
from tests.window.test_story_by_hand import LEFT, NONE, Newcomer
from tests.window.waiting import turns

pytestmark = pytest.mark.window
RUNS = 4


class Designer(Newcomer):
    """Click tabs, entries of menus, and cells of lists."""

    def tab(self, words: str) -> None:
        """Click a tab that can be seen."""
        for bar in self.window.findChildren(QTabBar):
            for n in range(bar.count() if bar.isVisible() else 0):
                if bar.tabText(n).startswith(said(words)) and bar.isTabVisible(n):
                    self.count(words)
                    QTest.mouseClick(bar, LEFT, NONE, bar.tabRect(n).center())
                    turns(2)
                    return
        raise AssertionError(f"no tab '{words}'")

    def cell(self, tree: Any, row: int, column: int) -> None:
        """Click a cell of a list."""
        item = tree.topLevelItem(row)
        tree.scrollToItem(item)
        at = tree.visualItemRect(item).center()
        at.setX(tree.columnViewportPosition(column) + 6)
        assert tree.viewport().rect().contains(at)
        self.count(f"{tree.accessibleName()} {row} {column}")
        QTest.mouseClick(tree.viewport(), LEFT, NONE, at)
        turns(1)

    def right_click(self, tree: Any, words: str) -> None:
        """Click a row of a list with the right button."""
        rows = [tree.topLevelItem(n) for n in range(tree.topLevelItemCount())]
        item = next(one for one in rows if one.text(0) == said(words))
        tree.scrollToItem(item)
        self.count(f"right click on {words}")
        at = tree.visualItemRect(item).center()
        view = tree.viewport()
        event = QContextMenuEvent(QContextMenuEvent.Reason.Mouse, at, view.mapToGlobal(at))
        QApplication.sendEvent(view, event)
        turns(1)

    def entry(self, words: str) -> None:
        """Click an entry of the menu that is open, by how it begins."""
        menu = QApplication.activePopupWidget()
        assert menu is not None
        found = [one for one in menu.actions() if plain(one.text()).startswith(said(words))]
        assert found, f"no entry '{words}' in {[plain(one.text()) for one in menu.actions()]}"
        self.count(words)
        QTest.mouseClick(menu, LEFT, NONE, menu.actionGeometry(found[0]).center())
        turns(2)

    def add(self, button: QToolButton, words: str) -> None:
        """Click a button that opens a menu, and an entry of that: the button waits until its menu is closed."""
        failed: list[AssertionError] = []

        def choose() -> None:
            try:
                self.entry(words)
            except AssertionError as failure:
                failed.append(failure)
                QApplication.activePopupWidget().close()

        QTimer.singleShot(0, choose)
        self.count(button.text())
        self.click(button)
        if failed:
            raise failed[0]

    def point(self, chart: Any, x: float, y: float) -> None:
        """Click a point of a chart."""
        at = chart.mapFromScene(chart.getPlotItem().vb.mapViewToScene(QPointF(x, y)))
        self.count("a point")
        view: QWidget = chart.viewport()
        QTest.mouseMove(view, QPoint(at))
        QTest.mouseClick(view, LEFT, NONE, QPoint(at))
        turns(2)


@pytest.fixture
def crash(tmp_path: Path) -> Path:
    """Give the driver's crash without studies, as far as his chest is pressed in."""
    project = load_project(samples() / "frontal.json")
    run = project.runs[0].model_copy(update={"duration_s": 0.07})
    file = tmp_path / "crash.json"
    save_project(project.model_copy(update={"studies": (), "runs": (run,)}), file)
    return file


@pytest.mark.usefixtures("studied_here")
def test_belt_and_bag_from_a_figure_to_the_design_that_is_taken(
    window: Any, qtbot: Any, crash: Path
) -> None:
    window.open_file(crash)
    play = Designer(window, qtbot, "optimum")
    document, studies = window.bench.document, window.features["studies"]
    first = document.project
    play.until_checked()
    play.press_key(Qt.Key.Key_F5)
    play.until_solved()
    # the figure that is to become small
    play.until(lambda: window.panels.mood == "understand")
    play.tab("Injury")
    injury = window.panels["injury"]
    play.until(lambda: injury.tree.topLevelItemCount() > 0)
    play.right_click(injury.tree, "Chest deflection")
    play.entry("Make it small, as a goal")
    play.until(lambda: window.panels.mood == "run" and studies.panel.isVisible())
    setup = studies.panel.setup
    # a second one, beside it
    play.add(setup.add, "HIC15")
    play.cell(setup.responses, 1, 1)
    play.entry("Smallest")
    play.cell(setup.responses, 1, 2)
    play.entry("≤ 700")
    # what may change, out of what is offered for belt and bag
    for words in ("Load limiter: tension", "Driver airbag, 45 l, hot gas › Trigger"):
        play.add(setup.vary, words)
    (study,) = document.project.studies
    assert [(one.figure, one.goal, one.at_most) for one in study.responses] == [
        ("chest_deflection", "minimise", None), ("HIC15", "minimise", 700.0),
    ]  # fmt: skip
    limiter, fires = study.parameters
    assert (limiter.is_factor, limiter.spread.low, limiter.spread.high) == (True, 0.5, 1.5)
    assert (fires.spread.low, fires.spread.high) == pytest.approx((0.00875, 0.035))
    play.click(studies.panel.count)
    play.number(str(RUNS))
    play.step("asked")
    play.until_checked()
    play.press("Run the study")
    assert studies.going is not None
    play.until(lambda: studies.going is None, 240.0)
    seen = studies.seen[study.id]
    assert RUNS // 2 <= int((seen.status == 1).sum()) <= RUNS
    # the front between both goals, and one of its points as a run
    view = studies.panel.results.tabs.currentWidget()
    assert isinstance(view, Scatter)
    front = best(seen)
    assert front
    run = max(front)
    columns = Columns(seen, view.units)
    n = columns.parameters
    play.step("front")
    play.point(view.chart, float(columns.shown(n)[run]), float(columns.shown(n + 1)[run]))
    play.until(lambda: window.bench.run_view.runs.current.name.endswith(f"run {run}"), 120.0)
    assert studies.panel.run == run
    play.step("a_point_as_a_run")
    before = document.project
    play.press("Take this design")
    taken = document.project
    bag = next(one for one in taken.airbags if one.id == "driver_bag")
    assert bag.trigger.time_s == pytest.approx(seen.inputs[run, 1])
    old, new = (
        np.array(next(f for f in one.functions if f.id == "driver_load_limit").form.y)
        for one in (first, taken)
    )
    assert new == pytest.approx(seen.inputs[run, 0] * old)
    # solved again as the model, it is the run of the study
    play.press_key(Qt.Key.Key_F5)
    record = play.until_solved()
    figures = {one.name: one.value for one in record.assess().figures}
    assert figures["HIC15"] == pytest.approx(seen.outputs[run, 1], rel=1e-12)
    assert len(play.done) <= 24, play.done
    document.undo()
    assert document.project == before
    while document.history.canUndo():
        document.undo()
    assert document.project == first
