"""Draw curves of runs: pages, quantities, filters, cursor, other runs."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtGui import QDropEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu

from app.curves.canvas import Canvas
from app.curves.curves import Curve, Wanted, curve, number
from app.curves.pages import pages
from app.curves.plot import Plot
from app.features.plots.looks import Fetcher
from app.look import DARK, LIGHT
from app.run_view.record import Catalogue
from app.widgets.carrying import QUANTITY, packed
from app.widgets.items import children_of, rows_of
from solver.base.places import samples
from solver.project import Project, load_project, validated
from solver.report import make
from solver.results.names import quantity_label
from solver.results.quantities import QuantityInfo, quantities
from tests.window.seated import seated
from tests.window.solving import CATCH, saved, solved
from tests.window.waiting import turns, until

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def shown(window: Any, qtbot: Any) -> Any:
    record = solved(window, qtbot)
    window.panels.open("plots")
    qtbot.waitUntil(lambda: window.panels["plots"].page.count() > 0, timeout=20_000)
    return record


def head(record: Any) -> str:
    return f"segments/{record.trajectory.segment_ids[0]}/acceleration/x"


def test_the_first_page_is_drawn_with_the_run(window: Any, qtbot: Any) -> None:
    record = shown(window, qtbot)
    panel = window.panels["plots"]
    assert panel.page.itemText(0) == "Head"
    assert len(panel.plots) == 2
    drawn = panel.plots[0].curves[0]
    channel = quantities(record.trajectory)(drawn.wanted.name).filtered()
    assert drawn.unit == "g"
    assert np.abs(drawn.value).max() == pytest.approx(np.abs(channel.value).max() / 9.80665)


def test_every_page_has_curves_for_each_plot(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    panel = window.panels["plots"]
    for title in [panel.page.itemText(i) for i in range(panel.page.count())]:
        panel.open_page(title)
        assert panel.plots
        assert all(plot.curves for plot in panel.plots), title
        assert panel.hint.text() == ""


def test_the_cursor_is_the_timelines(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    window.bench.run_view.go(0.065)
    plot = window.panels["plots"].plots[0]
    assert plot.instant.value() == pytest.approx(65.0)
    assert number(plot.curves[0].at(0.065)) in plot.readout.text()
    plot.time_asked.emit(0.08)
    assert window.bench.run_view.player.time == pytest.approx(0.08)


def test_a_move_of_the_cursor_does_not_write_the_axes_anew(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    window.bench.run_view.go(0.01)
    plot = window.panels["plots"].plots[0]
    axis = plot.view.getPlotItem().getAxis("left")
    written, changed = [], list[Any]()
    plot.view.scene().changed.connect(changed.append)

    class Told:
        def __init__(self, picture: Any) -> None:
            self.picture = picture

        def play(self, painter: Any) -> None:
            written.append(painter)
            self.picture.play(painter)

    def is_told() -> bool:
        # until the page stands the axis is written again, and another picture takes the place of this one
        if axis.picture is not None and not isinstance(axis.picture, Told):
            axis.picture = Told(axis.picture)
        axis.update()
        return bool(written)

    qtbot.waitUntil(is_told, timeout=20_000)

    def is_painted() -> bool:
        written.clear()
        turns(10)
        return not written

    # what is still to be painted of that
    qtbot.waitUntil(is_painted, timeout=20_000)
    for t in (0.02, 0.03):
        changed.clear()
        window.bench.run_view.go(t)
        until(lambda: changed)
        turns(10)
        assert plot.instant.value() == pytest.approx(1e3 * t)
    assert not written


def test_a_dropped_quantity_is_drawn_once(window: Any, qtbot: Any) -> None:
    record = shown(window, qtbot)
    plot, name = window.panels["plots"].plots[0], head(record)
    for _ in range(2):
        mime = packed(QUANTITY, [name])
        plot.dropEvent(
            QDropEvent(
                QPointF(5, 5), Qt.DropAction.CopyAction, mime,
                Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier,
            )
        )  # fmt: skip
    assert [c.wanted.name for c in plot.curves].count(name) == 1


def test_the_search_finds_by_words_and_enter_draws(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    panel = window.panels["plots"]
    panel.clear_active()
    picker = panel.picker
    QTest.mouseClick(picker.search, Qt.MouseButton.LeftButton)
    QTest.keyClicks(picker.search, "bag pressure")
    best, second = (item.text(0) for item in rows_of(picker.tree)[:2])
    assert "pressure" in best
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    assert "pressure" in panel.active.curves[-1].wanted.name
    before = len(panel.active.curves)
    # the arrow goes to the next one while the words stay, and Enter draws that
    QTest.keyClick(picker.search, Qt.Key.Key_Down)
    QTest.keyClick(picker.search, Qt.Key.Key_Return)
    drawn = [c.label for c in panel.active.curves]
    assert len(drawn) == before + 1
    assert drawn[-1].split(" (")[0] in second
    picker.search.clear()
    lately = rows_of(picker.tree)[0]
    assert lately.text(0) == "Recently used"
    assert [child.text(0) for child in children_of(lately)][:2] == [second, best]
    # branches are filled when they open
    branch = rows_of(picker.tree)[1]
    picker.tree.expandItem(branch)
    assert children_of(branch)


def test_a_filter_is_chosen_for_a_plot(window: Any, qtbot: Any) -> None:
    record = shown(window, qtbot)
    panel = window.panels["plots"]
    raw = quantities(record.trajectory)(panel.plots[0].curves[0].wanted.name)
    panel.plots[0].touched.emit()
    assert panel.filter.currentText() == "own filter"
    panel.filter.setCurrentIndex(panel.filter.findData(60))
    panel.filter.activated.emit(panel.filter.currentIndex())
    drawn = panel.plots[0].curves[0]
    assert "CFC 60" in drawn.label
    assert np.abs(drawn.value).max() < np.abs(raw.value).max() / 9.80665
    panel.plots[1].touched.emit()
    assert panel.filter.currentText() == "own filter", "of the plot that is active"
    panel.plots[0].touched.emit()
    assert panel.filter.currentData() == 60


def test_other_runs_are_drawn_dashed(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    plot = window.panels["plots"].plots[0]
    before = len(plot._lines)
    window.panels["plots"].others.setChecked(True)
    assert len(plot._lines) == 2 * before


def test_second_units_go_to_the_right(window: Any, qtbot: Any) -> None:
    record = shown(window, qtbot)
    panel = window.panels["plots"]
    panel.add(head(record).replace("acceleration", "velocity"))
    item = panel.active.view.getPlotItem()
    assert item.getAxis("right").isVisible()
    boxes = {id(box) for box, _ in panel.active._lines}
    assert len(boxes) == 2


def test_what_cannot_be_filtered_is_said() -> None:
    from solver import simulate
    from solver.results import ResultsError

    project = load_project(CATCH)
    short = project.runs[0].model_copy(update={"duration_s": 0.004, "channel_rate_hz": 1000.0})
    run = simulate(project.model_copy(update={"runs": (short,)}))
    found = quantities(run)
    name = next(n for n, i in found.infos.items() if i.unit == "m/s2")
    with pytest.raises(ResultsError):
        curve(project, found, Wanted(name, 1000), "metric")
    assert len(curve(project, found, Wanted(name), "metric").value)


def test_names_are_spoken() -> None:
    project = load_project(CATCH)
    segment = project.segments[0]
    spoken = quantity_label(project, f"segments/{segment.id}/acceleration/resultant")
    assert spoken == f"{segment.name or segment.id} · acceleration · resultant"
    assert quantity_label(project, "energy/kinetic") == "kinetic"
    pressed = quantity_label(
        project, f"airbag_contacts/{project.airbags[0].id}.{segment.id}/force/x"
    )
    assert pressed == f"{project.airbags[0].name} on {segment.name} · force · x"
    assert quantity_label(project, "head.acceleration_x") == f"{segment.name} · acceleration · x"
    assert quantity_label(project, "anything_else") == "anything else"


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_the_peak_of_a_curve_is_farthest_from_zero(sign: float) -> None:
    values = sign * np.array([1.0, np.nan, -2.0, 5.0, 3.0])
    made = Curve(Wanted("x"), "x", "g", np.arange(5.0), values)
    assert made.peak() == (5.0 * sign, 3.0)


def test_pages_ask_only_for_what_there_is(tmp_path: Path) -> None:
    names = ("kinetic", "potential", "strain", "dissipated", "external")
    found = pages(Project(), {}, ())["Energy"]
    assert [[one.name for one in spec.curves] for spec in found] == [
        [f"energy/{n}" for n in names],
        ["energy/balance"],
    ]


def test_the_page_of_a_head_is_of_its_mass_centre() -> None:
    """Files list channels by name: what is recorded at the head's pivot comes before it."""
    data = seated()
    data["outputs"] = [
        {"id": "a_head_place", "kind": "point", "segment": "head", "quantity": "position"},
        {"id": "b_head_ear", "kind": "point", "segment": "head", "point_m": [0.0, 0.1, 0.0]},
        {"id": "z_skull", "kind": "point", "segment": "head"},
    ]
    project = validated(data)

    def first(*names: str) -> list[str]:
        infos = {name: QuantityInfo(name, "m/s2") for name in names}
        page = pages(project, infos, ("head_restraint", "head"))["Head"]
        return [one.name for one in page[0].curves]

    of_file = ("b_head_ear_resultant", "head.acceleration_at_head_pivot_resultant")
    sensor = "head.acceleration_resultant"
    assert first(*of_file, sensor, "z_skull_resultant") == ["z_skull_resultant"]
    assert first(*of_file, sensor) == [sensor]
    assert first(*of_file) == ["segments/head/acceleration/resultant"]


def test_straps_and_joints_have_their_names_in_curves() -> None:
    project = load_project(samples() / "frontal.json")
    belt = "driver_three_point_belt"
    name = next(h.name for h in project.harnesses if h.id == belt)
    strap = project.harnesses[0].straps[0]
    said = quantity_label(project, f"harnesses/{belt}.{strap.id}/tension/1")
    assert said == f"{name} · tension at its start"
    carrier = next(s.name for s in project.segments if s.id == strap.points[3].surface.segment)
    words = quantity_label(project, f"strap_points/{belt}.{strap.id}.3/tension")
    assert words == f"{name}, point 4 on {carrier} · tension"
    two = (strap.model_copy(update={"id": "lap"}), strap.model_copy(update={"id": "shoulder"}))
    belts = (project.harnesses[0].model_copy(update={"straps": two}), *project.harnesses[1:])
    both = project.model_copy(update={"harnesses": belts})
    said = quantity_label(both, f"harnesses/{belt}.shoulder/payout/2")
    assert said == f"{name}, shoulder · payout at its end"
    pivot = next(j.name for j in project.joints if j.id == "driver_condyles")
    sensor = "driver_head.acceleration_at_driver_condyles_resultant"
    assert quantity_label(project, sensor) == f"Head · acceleration at {pivot} · resultant"


def test_another_project_takes_plots_and_quantities_away(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    panel = window.panels["plots"]
    assert any(panel.wanted)
    assert panel.picker.tree.topLevelItemCount() > 0
    window.bench.document.history.setClean()
    window.bench.document.recovered = False
    window.features["files"].new("pendulum")
    assert not any(panel.wanted)
    assert len(panel.plots) == 1
    assert panel.picker.tree.topLevelItemCount() == 0
    assert panel.page.count() == 0


def test_curves_are_saved_as_drawings_and_numbers(window: Any, qtbot: Any, tmp_path: Path) -> None:
    record = shown(window, qtbot)
    for ending in ("svg", "pdf", "png", "csv", "xlsx"):
        saved(qtbot, window.features["plots"].save_plot(tmp_path / f"curves.{ending}"))
        assert (tmp_path / f"curves.{ending}").stat().st_size > 1000
    wanted = window.panels["plots"].wanted[0][0]
    head = (tmp_path / "curves.csv").read_text().splitlines()
    said = quantity_label(record.project, wanted.name)
    assert f"{said} [" in head[0], "by its name, not its id"
    assert wanted.name not in head[0]
    value = quantities(record.trajectory)(wanted.name).filtered().value
    column = [c.split(" [")[0] for c in head[0].split(",")].index(said)
    assert float(head[101].split(",")[column]) == value[100]


def test_a_report_is_written_in_the_background_with_people_as_they_are_shown(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[tuple[str, bool]] = []
    monkeypatch.setattr(make, "_pictures", lambda _, *how: asked.append(how) or ())
    record = shown(window, qtbot)
    visibility = window.bench.viewport.stage.visibility
    monkeypatch.setattr(visibility, "people", "shapes")
    task = window.features["report"].report([record], tmp_path / "report.html")
    with qtbot.waitSignal(task.done, timeout=240_000):
        pass
    assert "HIC" in (tmp_path / "report.html").read_text()
    monkeypatch.setattr(visibility, "people", "skin")
    monkeypatch.setattr(visibility, "surroundings", False)
    task = window.features["report"].report([record], tmp_path / "report.doc")
    with qtbot.waitSignal(task.failed, timeout=240_000):
        pass
    assert window.notice.isVisible()
    assert asked == [("shapes", True), ("skin", False)]


def test_curves_follow_the_chosen_units(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    plot = window.panels["plots"].plots[0]
    g = plot.curves[0].value
    window.application.set_units("si")
    try:
        assert plot.curves[0].unit == "m/s2"
        assert plot.curves[0].value == pytest.approx(9.80665 * g)
    finally:
        window.application.set_units("metric")


def test_what_a_run_gave_before_its_end_is_not_kept(window: Any, qtbot: Any) -> None:
    record = shown(window, qtbot)
    catalogue = Catalogue()
    fetcher, wanted = Fetcher(catalogue), Wanted(head(record))
    part = record.trajectory.snapshot()
    part._frames = {
        group: {name: values.frozen(40) for name, values in columns.items()}
        for group, columns in part._frames.items()
    }
    part._time = part._time.frozen(40)
    early = fetcher.fetch(record, quantities(part), [], [wanted], None, [], [], "metric")
    assert len(early.curves[0].value) == 40
    whole = catalogue.of(record)
    late = fetcher.fetch(record, whole, [], [wanted], None, [], [], "metric")
    assert len(late.curves[0].value) == len(record.trajectory.time)
    again = fetcher.fetch(record, whole, [], [wanted], None, [], [], "metric")
    assert again.curves[0] is late.curves[0], "a curve of a run that has ended is worked out once"


@pytest.mark.parametrize("ending", ["svg", "csv", "xlsx"])
def test_drawings_and_tables_are_whole_or_not_there(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ending: str
) -> None:
    shown(window, qtbot)
    file = tmp_path / "none" / f"a.{ending}"
    with qtbot.waitSignal(window.features["plots"].save_plot(file).failed, timeout=20_000):
        pass
    assert str(file) in window.notice.words.text()
    old = tmp_path / f"old.{ending}"
    old.write_text("what was there before")

    def fill_up(*_: Any) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("solver.base.atomic.os.fsync", fill_up)
    with qtbot.waitSignal(window.features["plots"].save_plot(old).failed, timeout=20_000):
        pass
    monkeypatch.undo()
    assert "No space left" in window.notice.words.text()
    assert old.read_text() == "what was there before"
    assert [one for one in tmp_path.iterdir() if one.is_file()] == [old]


def test_a_curve_is_filtered_by_itself_drawn_twice_and_taken_out(window: Any, qtbot: Any) -> None:
    record = shown(window, qtbot)
    panel, plot = window.panels["plots"], window.panels["plots"].plots[1]
    other = plot.wanted[1]

    def opened() -> Any:
        QTest.mouseClick(plot.readout, Qt.MouseButton.LeftButton, pos=QPoint(60, 9))
        (menu,) = [m for m in panel.findChildren(QMenu) if m.isVisible()]
        return menu

    def choose(words: str) -> None:
        menu = opened()
        next(a for a in menu.actions() if a.text() == words).trigger()
        menu.close()

    choose("CFC 60")
    assert [w.cfc for w in plot.wanted] == [60, other.cfc]
    assert panel.filter.currentIndex() == -1
    filtered = quantities(record.trajectory)(plot.wanted[0].name).filtered(60)
    assert plot.curves[0].value.max() == pytest.approx(np.max(filtered.value) / 9.80665)
    assert "CFC 60" in plot.curves[0].label
    menu = opened()
    (also,) = menu.findChildren(QMenu)
    assert "CFC 60" not in [a.text() for a in also.actions()]
    next(a for a in also.actions() if a.text() == "unfiltered").trigger()
    menu.close()
    assert [w.cfc for w in plot.wanted] == [60, 0, other.cfc]
    assert len(plot.curves) == 3
    choose("Take it out")
    assert [w.cfc for w in plot.wanted] == [0, other.cfc]


@pytest.mark.parametrize("kind", [Plot, Canvas])
def test_axes_show_the_numbers_whatever_was_drawn_before(window: Any, kind: Any) -> None:
    """Who changed the theme while a range below one was seen saw a thousand times too much from then on."""
    made = kind(window)
    made.show()
    view = made.view if kind is Plot else made
    for theme, top in ((LIGHT, 0.5), (DARK, 60.0), (LIGHT, 60.0)):
        x, y = np.array([0.0, top]), np.array([0.0, top])
        if kind is Plot:
            made.show_curves([Curve(Wanted("a"), "a", "m", x, y), Curve(Wanted("b"), "b", "N", x, y)])  # fmt: skip
        else:
            made.name_axes("across", "up", "m", "N")
            made.show_lines([(x, y, 0, "solid")])
        QApplication.processEvents()
        made.set_theme(theme)
        for side in ("left", "bottom", "right"):
            assert view.getPlotItem().getAxis(side).autoSIPrefixScale == 1.0
    made.deleteLater()
