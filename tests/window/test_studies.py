"""Studies in the window: set up by drag, run while one looks, answers, a run in the scene, a design as one step."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest

from app.curves.chart import Chart
from app.features.studies.making import KINDS, kind_of, titles_of, with_parameter, with_study
from app.features.studies.tables import Signs
from app.forms.form import numbers_of
from app.widgets.carrying import FIELD, FIGURE, QUANTITY, packed
from solver.base.places import samples
from solver.project import load_project, validated
from solver.project.changes import value_at
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton
MASS, LONG = "segments/lower/mass_kg", "segments/upper/mass_kg"
SPEED = "segments/lower/velocity/resultant"


def pendulum(folder: Path) -> Path:
    """Write a double pendulum that is solved in a moment."""
    data = json.loads((samples() / "double_pendulum.json").read_text(encoding="utf-8"))
    data["runs"][0] |= {"duration_s": 0.1}
    file = folder / "pendulum.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    return file


def drop(entries: Any, kind: str, names: list[str]) -> None:
    """Let something carried go over a list."""
    mime = packed(kind, names)
    event = QDropEvent(
        QPointF(20.0, 20.0), Qt.DropAction.CopyAction, mime, LEFT, Qt.KeyboardModifier.NoModifier
    )
    entries.dropEvent(event)


def begun(window: Any, folder: Path, kind: str, **fields: Any) -> Any:
    """Open the pendulum, and set a study up as one does: a card, numbers, a quantity."""
    window.open_file(pendulum(folder))
    studies = window.features["studies"]
    window.panels.open("studies")
    card = next(one for one in studies.panel.cards.cards if one.kind.name == kind)
    QTest.mouseClick(card, LEFT)
    setup = studies.panel.setup
    drop(setup.parameters, FIELD, [MASS, LONG])
    drop(setup.responses, QUANTITY, [SPEED])
    for name, value in fields.items():
        window.bench.document.edit(f"studies/{studies.current}/{name}", value, "set it up")
    return studies


def done(studies: Any, qtbot: Any) -> Any:
    """Run the study with the mouse, and wait for its end."""
    QTest.mouseClick(studies.panel.go, LEFT)
    assert studies.going is not None, studies.bench.run_view.obstacle()
    qtbot.waitUntil(lambda: studies.going is None, timeout=120_000)
    return studies.seen[studies.current]


@pytest.mark.usefixtures("studied_here")
def test_a_study_from_its_card_to_a_design_that_is_one_step(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    studies = begun(window, tmp_path, "sample", runs=6)
    document, panel = window.bench.document, studies.panel
    (study,) = document.project.studies
    assert [one.path for one in study.parameters] == [MASS, LONG]
    assert study.parameters[0].spread.low < value_at(document.project, MASS)
    assert panel.setup.parameters.topLevelItemCount() == 2
    seen = done(studies, qtbot)
    assert seen.result.status == "completed"
    assert seen.result.path == tmp_path / "pendulum_sample.study.h5"
    tabs = panel.results.tabs
    shown = [tabs.tabText(n) for n in range(tabs.count()) if tabs.isTabVisible(n)]
    assert shown == ["Answers", "Runs", "Points", "What decides", "Pairs", "Lines", "History"]
    for n in range(tabs.count()):
        if tabs.isTabVisible(n):
            tabs.setCurrentIndex(n)
            window.bench.units_changed.emit("si")
    # ranges on an axis brush runs
    tabs.setCurrentWidget(panel.results.parallel)
    lines = panel.results.parallel.lines
    ground = lines.viewport()
    low, high = (lines.pixel(0, place).toPoint() for place in (-0.02, 0.3))
    QTest.mousePress(ground, LEFT, pos=low)
    QTest.mouseMove(ground, (low + high) / 2)
    QTest.mouseMove(ground, high)
    QTest.mouseRelease(ground, LEFT, pos=high)
    mass = seen.inputs[:, 0]
    assert lines.brushed().sum() == np.sum(mass < mass.min() + 0.3 * np.ptp(mass)) < 6
    QTest.mouseClick(ground, LEFT, pos=lines.pixel(0, 0.5).toPoint())
    assert lines.brushed().sum() == 6
    # a click between axes marks the run whose line is there, a double click asks for it
    asked = list[int]()
    panel.results.parallel.run_asked.connect(asked.append)
    middle = lines.pixel(0.5, float(lines.places[4, :2].mean())).toPoint()
    QTest.mouseClick(ground, LEFT, pos=middle)
    assert panel.results.parallel.chosen == 4
    panel.results.blockSignals(True)
    QTest.mouseDClick(ground, LEFT, pos=middle)
    panel.results.blockSignals(False)
    assert asked == [4]
    # a run of the table, chosen by a click
    table = panel.results.table
    tabs.setCurrentWidget(table)
    assert not panel.take.isEnabled()
    at = table.table.visualRect(table.model.index(2, 0)).center()
    QTest.mouseClick(table.table.viewport(), LEFT, pos=at)
    assert panel.run == 2
    # a run that warns says so, and of what
    seen.result.rows.messages[3] = "warning: it went through"
    state = [table.model.index(row, table.model.columnCount() - 1) for row in (2, 3)]
    assert [one.data() for one in state] == ["done", "done, with a warning"]
    assert state[1].data(Qt.ItemDataRole.ToolTipRole) == "warning: it went through"
    before, count = document.project, document.history.count()
    QTest.mouseClick(panel.take, LEFT)
    for path, value in seen.result.changes(2).items():
        assert value_at(document.project, path) == value
    assert document.history.count() == count + 1
    assert "has changed" in panel.words.text(), "the runs are of the model before"
    document.history.undo()
    assert document.project == before
    assert "has changed" not in panel.words.text()
    # the same run in the scene
    QTest.mouseClick(panel.see, LEFT)
    qtbot.waitUntil(lambda: window.bench.run_view.runs.current is not None, timeout=30_000)
    record = window.bench.run_view.runs.current
    assert record.name.endswith("run 2")
    speed = np.linalg.norm(record.trajectory.segment("lower").velocity, axis=1).max()
    assert speed == pytest.approx(seen.outputs[2, 0], rel=1e-9)
    # what a study asks changes no run
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    drop(panel.setup.responses, FIGURE, ["HIC15"])
    assert not window.bench.run_view.is_outdated(window.bench.run_view.runs.current)


@pytest.mark.usefixtures("studied_here")
def test_it_is_there_again_after_the_window_was_closed(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    studies = begun(window, tmp_path, "grid", levels=2)
    seen = done(studies, qtbot)
    window.bench.document.save(tmp_path / "pendulum.json")
    window.open_file(samples() / "pendulum.json")
    assert studies.panel.results.isHidden() or not studies.seen
    window.open_file(tmp_path / "pendulum.json")
    assert np.array_equal(studies.seen["grid"].outputs, seen.outputs)
    # and it is not run again, as nothing has changed
    mtime = (tmp_path / "pendulum_grid.study.h5").stat().st_size
    again = done(studies, qtbot)
    assert again.result.path.name == "pendulum_grid.study.h5"
    assert again.result.path.stat().st_size == mtime
    # another model gives another file
    window.bench.document.edit("gravity_m_per_s2/2", 9.0, "another")
    other = done(studies, qtbot)
    assert other.result.path.name == "pendulum_grid_2.study.h5"
    # a study file opens with the model inside
    window.bench.document.history.setClean()
    window.open_file(tmp_path / "pendulum_grid_2.study.h5")
    assert value_at(window.bench.document.project, "gravity_m_per_s2/2") == 9.0
    assert studies.current == "grid"


@pytest.mark.usefixtures("studied_here")
def test_a_study_of_a_shipped_sample_leaves_the_samples_alone(
    window: Any, qtbot: Any, remembered: Path
) -> None:
    before = sorted(samples().iterdir())
    window.open_file(samples() / "lap_belt.json")
    studies = window.features["studies"]
    window.panels.open("studies")
    studies.show("decides")
    seen = done(studies, qtbot)
    assert seen.result.path.is_relative_to(remembered)
    assert sorted(samples().iterdir()) == before


@pytest.mark.usefixtures("studied_here")
def test_signs_lead_to_both_ends_side_by_side(window: Any, qtbot: Any, tmp_path: Path) -> None:
    studies = begun(window, tmp_path, "local")
    seen = done(studies, qtbot)
    view = studies.panel.results.tabs.currentWidget()
    assert isinstance(view, Signs)
    found = seen.result.answers["sensitivity"][seen.layout.responses[0]]
    marks = [view.table.item(row, 1).text() for row in range(2)]
    assert marks == [found[name]["mark"] for name in seen.layout.parameters]
    at = view.table.visualItemRect(view.table.item(0, 1)).center()
    QTest.mouseClick(view.table.viewport(), LEFT, pos=at)
    run_view = window.bench.run_view
    qtbot.waitUntil(lambda: len(run_view.compared) == 2, timeout=30_000)
    ends = [value_at(record.project, MASS) for record in run_view.compared]
    spread = seen.study.parameters[0].spread
    assert ends == [spread.low, spread.high]


def test_a_low_panel_shows_several_rows_of_both_lists(window: Any) -> None:
    window.resize(1280, 800)
    window.open_file(samples() / "frontal.json")
    window.panels.open("studies")
    panel = window.features["studies"].panel
    turns()
    lists = (panel.setup.parameters, panel.setup.responses)
    for entries in lists:
        row = entries.visualItemRect(entries.topLevelItem(0)).height()
        assert entries.viewport().height() >= 3 * row
    assert panel.setup.parameters.mapTo(panel, QPoint()).x() < panel.setup.responses.mapTo(panel, QPoint()).x()  # fmt: skip
    window.panels.docks.set_below_height(600)
    window.resize(1280, 1000)
    turns()
    one, other = (entries.mapTo(panel, QPoint()) for entries in lists)
    assert (one.x(), one.y()) < (other.x() + 1, other.y()), "there is room for one below the other"
    assert one.x() == other.x()


@pytest.mark.usefixtures("studied_here")
def test_a_study_is_stopped_and_goes_on(window: Any, qtbot: Any, tmp_path: Path) -> None:
    studies = begun(window, tmp_path, "sample", runs=400)
    QTest.mouseClick(studies.panel.go, LEFT)
    assert studies.panel.go.text() == "Cancel"
    qtbot.waitUntil(lambda: studies.going.stand.done > 3, timeout=240_000)
    QTest.mouseClick(studies.panel.go, LEFT)
    qtbot.waitUntil(lambda: studies.going is None, timeout=20_000)
    seen = studies.seen["sample"]
    assert seen.result.status == "cancelled"
    first = int((seen.status > 0).sum())
    assert 3 < first < 400
    window.bench.document.edit("studies/sample/runs", 400, "the same")
    QTest.mouseClick(studies.panel.go, LEFT)
    qtbot.waitUntil(lambda: studies.going.stand.done > first, timeout=240_000)
    studies.cancel()
    qtbot.waitUntil(lambda: studies.going is None, timeout=20_000)
    assert studies.seen["sample"].result.path == seen.result.path


def test_numbers_of_the_inspector_go_into_a_study(window: Any, tmp_path: Path) -> None:
    window.open_file(pendulum(tmp_path))
    studies, bench = window.features["studies"], window.bench
    bench.document.select(MASS)
    form = window.panels["inspector"].form
    assert numbers_of(form.rows[MASS]) == [MASS]
    menu = form.menu_of(form.rows[MASS])
    next(a for a in menu.actions() if a.text() == "Vary in a study").trigger()
    menu.deleteLater()
    (study,) = bench.document.project.studies
    assert (study.kind, [one.path for one in study.parameters]) == ("sample", [MASS])
    assert window.panels.front().widget is studies.panel
    bench.commands.run("run.vary")
    assert len(bench.document.project.studies[0].parameters) == 1, "it is varied already"
    # sliders bring their ends
    bench.pin_asked.emit(LONG)
    QTest.mouseClick(studies.panel.setup.pins, LEFT)
    spread = bench.document.project.studies[0].parameters[1].spread
    (slider,) = bench.pinned()
    assert (spread.low, spread.high) == (slider.low, slider.high)
    entries = studies.panel.setup.parameters
    entries.setCurrentItem(entries.topLevelItem(0))
    QTest.keyClick(entries, Qt.Key.Key_Delete)
    assert [p.path for p in bench.document.project.studies[0].parameters] == [LONG]
    # a study without responses says what is missing, and begins nothing
    bench.notice.hide()
    studies.run()
    assert studies.going is None
    assert bench.notice.isVisible()
    assert bench.notice.words.text() == studies.panel.words.text()


def test_kinds_are_those_of_the_schema_and_names_do_for_formulas() -> None:
    project = load_project(samples() / "double_pendulum.json")
    for kind in KINDS:
        project, id_ = with_study(project, kind, ())
        assert next(s for s in project.studies if s.id == id_).kind == kind.name
    project = with_parameter(project, "sample", "segments/lower/inertia_kgm2/0", 1.0, 2.0)
    project = with_parameter(project, "sample", "segments/lower/inertia_kgm2/1", 1.0, 2.0)
    names = [one.id for one in project.studies[0].parameters]
    assert len(set(names)) == 2
    assert all(name.isidentifier() for name in names)
    assert len(set(titles_of(project, project.studies[0]))) == 2
    assert validated(project.model_dump(mode="json")) == project
    assert kind_of("fit").title == "Fit"


def test_axes_show_the_numbers_whatever_was_drawn_before(window: Any) -> None:
    """A range below one was shown in thousandths, and what came after it a thousand times too large."""
    chart = Chart("axes", window)
    chart.show()
    axis = chart.getPlotItem().getAxis("left")
    for top in (0.001, 60.0):
        for _ in range(2):
            chart.begin(window.bench.theme, "across", "up")
            chart.line([0.0, top], [0.0, top], "red")
            chart.setYRange(0.0, top)
            assert axis.autoSIPrefixScale == 1.0
    chart.deleteLater()


@pytest.mark.usefixtures("studied_here")
def test_each_run_has_the_same_page_of_curves_with_the_same_axes(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    studies = begun(window, tmp_path, "sample", runs=3)
    done(studies, qtbot)
    plots, runs = window.panels["plots"], window.bench.run_view.runs
    rows = studies.panel.results.table.table
    studies.panel.results.tabs.setCurrentWidget(studies.panel.results.table)
    turns(2)
    rows.selectAll()
    assert studies.panel.results.table.selected() == [0, 1, 2]
    window.menus.run("run.study_pages")
    qtbot.waitUntil(lambda: len(plots.sheets.sheets) == 4, timeout=120_000)
    assert window.bench.panels.front().name == "plots"
    pages = plots.sheets.sheets[1:]
    names = [one.of.name for one in pages]
    assert [name.rpartition(" ")[2] for name in names] == ["0", "1", "2"]
    assert len(runs.records) == 3
    heights = []
    for n in (1, 2, 3):
        tabs = plots.sheets.tabs
        QTest.mouseClick(tabs, LEFT, pos=tabs.tabRect(n).center())
        turns(3)
        assert runs.current is pages[n - 1].of, "the page brings its run"
        assert tuple(plots.specs()) == plots.sheets.all()[1][0].page != ()
        heights.append([plot.view.getPlotItem().vb.viewRange()[1] for plot in plots.plots])
        for plot in plots.plots:
            (low, high), value = plot.view.getPlotItem().vb.viewRange()[1], plot.curves[0].value
            assert low <= np.nanmin(value) <= np.nanmax(value) <= high
    assert heights[0] == heights[1] == heights[2]
    last = plots.drawings()[-1]
    assert names[2] in {one.name for shown in last.plots for one, _ in shown.curves}
