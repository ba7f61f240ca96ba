"""Curves of tests in plots, templates of pages, and one quantity over another."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDropEvent

from app.curves.curves import Corridor, Curve, Measured, Wanted, bands, corridor_text
from app.curves.pages import PlotSpec
from app.features.plots.templates import Templates
from app.features.plots.tests_dialog import TestsDialog
from app.features.plots.writing import _bands
from app.widgets.items import rows_of
from solver.report.export import write_mme
from solver.results.quantities import quantities
from solver.results.selection import select
from tests.measured_files import mme_channel
from tests.window.solving import saved
from tests.window.test_plots import head, shown

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def bag(record: Any) -> str:
    return f"airbags/{record.trajectory.table('airbags').ids[0]}/pressure"


def test_a_table_is_read_with_columns_and_units(window: Any, qtbot: Any, tmp_path: Path) -> None:
    record = shown(window, qtbot)
    panel = window.panels["plots"]
    panel.open_page("Head")
    drawn = panel.plots[0].curves[0]
    rows = [
        f"{t:.12g};{v:.12g};{0.9 * v:.12g}" for t, v in zip(drawn.time_ms, drawn.value, strict=True)
    ]
    file = tmp_path / "test_12.csv"
    file.write_text("Time [ms];same [g];less [g]\n" + "\n".join(rows))
    dialog = window.features["plots"].read_table(file)
    assert dialog is not None
    dialog.take.click()
    plot = panel.plots[0]
    assert [m.name for m in plot.measured] == ["test_12"]
    assert plot.measured[0].unit == "m/s2"
    si = quantities(record.trajectory)(drawn.wanted.name).filtered().value
    assert plot.measured[0].value == pytest.approx(si)
    assert "1.00 excellent" in plot.ratings[0]
    dialog = window.features["plots"].read_table(file)
    dialog.columns[1].setCurrentIndex(2)
    dialog.take.click()
    assert "against test_12" in plot.ratings[1]
    assert "1.00" not in plot.ratings[1].split("(")[0]
    assert panel.drawing().tests == tuple(plot.measured)
    saved(qtbot, window.features["plots"].save_plot(tmp_path / "tests.pdf"))
    assert (tmp_path / "tests.pdf").stat().st_size > 1000
    panel.clear_measured()
    assert plot.ratings == []


def test_corridors_are_drawn_about_the_test() -> None:
    test = Measured("t", "N", np.linspace(0, 1, 5), np.array([0.0, 1e3, -2e3, 0, 0]))
    (low, high), (lowest, highest) = bands(test.curve("metric"))
    assert high - low == pytest.approx(np.full(5, 0.2))
    assert highest - lowest == pytest.approx(np.full(5, 2.0))


def test_channels_of_a_test_are_drawn_beside_the_runs_own(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    record = shown(window, qtbot)
    names = [head(record), bag(record), "segments/head/velocity/z"]
    codes = write_mme(tmp_path / "lab", record.trajectory, select(record.trajectory, names))
    plots, panel = window.features["plots"], window.panels["plots"]
    panel.sheets.add()

    def read(file: Path) -> TestsDialog:
        plots.read_measured(file)
        qtbot.waitUntil(lambda: bool(window.findChildren(TestsDialog)), timeout=60_000)
        (dialog,) = window.findChildren(TestsDialog)
        return dialog

    dialog = read(tmp_path / "lab" / "lab.mme")
    assert dialog.list.count() == 3
    dialog.search.setText("head acceleration")
    assert [dialog.list.item(k).isHidden() for k in range(3)] == [False, True, True]
    assert codes[head(record)] in dialog.list.item(0).text()
    assert not dialog.draw.isEnabled()
    dialog.search.clear()
    dialog.list.selectAll()
    assert dialog.beside.isChecked()
    assert dialog.draw.text() == "Draw 3 channels"
    dialog.draw.click()
    drawn = {plot.wanted[0].name: plot for plot in panel.plots if plot.measured}
    assert len(drawn) == 3, "each beside its own, in a plot of its own"
    assert "segments/head/velocity/z" in drawn
    by_unit = {quantities(record.trajectory)(name).unit: name for name in names}
    for plot in drawn.values():
        (test,) = plot.measured
        own = quantities(record.trajectory)(by_unit[test.unit])
        assert test.value == pytest.approx(own.value, rel=1e-8, abs=1e-8), test.name
    qtbot.waitUntil(lambda: not window.findChildren(TestsDialog), timeout=60_000)
    dialog = read(tmp_path / "lab")
    dialog.beside.setChecked(False)
    dialog.list.setCurrentRow(0)
    panel.add_plot()
    dialog.draw.click()
    assert (panel.active.wanted, len(panel.active.measured)) == ([], 1)
    qtbot.waitUntil(lambda: not window.findChildren(TestsDialog), timeout=60_000)
    plots.read_measured(tmp_path / "lab" / "Channel" / "lab.001")
    qtbot.waitUntil(lambda: len(panel.active.measured) == 2, timeout=60_000)
    mme_channel(
        tmp_path / "other" / "Channel" / "o.001", Channel_code="S0SLED000000ACXP", Unit="m/s2"
    )
    mme_channel(tmp_path / "other" / "Channel" / "o.002", Channel_code=codes[head(record)])
    dialog = read(tmp_path / "other")
    dialog.list.selectAll()
    dialog.draw.click()
    (plot,) = [plot for plot in panel.plots if any(one.value.max() == 3.0 for one in plot.measured)]
    assert not [w.name for w in plot.wanted if "head" in w.name], "a sled is not held beside a head"
    qtbot.waitUntil(lambda: not window.findChildren(TestsDialog), timeout=60_000)
    plots.read_measured(tmp_path / "none.mme")
    qtbot.waitUntil(window.notice.isVisible, timeout=60_000)
    panel.sheets.start_over()
    panel.row.start_over()


def test_a_table_that_is_none_is_explained(window: Any, qtbot: Any, tmp_path: Path) -> None:
    shown(window, qtbot)
    (tmp_path / "a.csv").write_text("words only")
    assert window.features["plots"].read_table(tmp_path / "a.csv") is None
    assert window.notice.isVisible()
    assert window.features["plots"].read_table(tmp_path / "none.csv") is None


@pytest.mark.own_window
def test_a_page_is_kept_and_opened_again(window: Any, qtbot: Any) -> None:
    record = shown(window, qtbot)
    panel = window.panels["plots"]
    panel.clear_active()
    panel.clear_active()
    panel.add(head(record))
    panel.filter.setCurrentIndex(panel.filter.findData(60))
    panel.filter.activated.emit(0)
    panel.add_plot()
    panel.add(bag(record))
    panel.set_across(Wanted(head(record)))
    panel.keep_page("Mine")
    assert panel.page.currentText() == "Mine"
    panel.open_page("Energy")
    panel.open_page("Mine")
    assert [[w.name for w in plot] for plot in panel.wanted] == [[head(record)], [bag(record)]]
    assert panel.wanted[0][0].cfc == 60
    assert panel.plots[1].across == Wanted(head(record))
    assert Templates().all()["Mine"][1].across == Wanted(head(record))
    panel.pages._forget()
    assert Templates().all() == {}
    assert panel.page.findText("Mine") == -1


def test_templates_outlive_damage(tmp_path: Path) -> None:
    kept = Templates(tmp_path)
    assert kept.all() == {}
    kept.keep("A", [PlotSpec((Wanted("x", 60), Wanted("y")))])
    assert Templates(tmp_path).all() == {"A": (PlotSpec((Wanted("x", 60), Wanted("y"))),)}
    file = tmp_path / "plot_pages.json"
    good = json.loads(file.read_text())
    bad = {"B": 3, "C": [{"curves": [["x", 61], [1, None]]}], "D": [None], "E": [{"curves": "x"}]}
    file.write_text(json.dumps({**good, **bad}))
    assert set(kept.all()) == {"A"}
    file.write_text("[")
    assert kept.all() == {}


def test_any_quantity_lies_across(window: Any, qtbot: Any, tmp_path: Path) -> None:
    record = shown(window, qtbot)
    panel = window.panels["plots"]
    panel.open_page("Airbag")
    panel.row.activate(panel.plots[0])
    panel.picker.search.setText("acceleration x")
    picked = next(
        item
        for item in rows_of(panel.picker.tree)
        if item.text(0).endswith("acceleration · x") and not item.font(0).italic()
    )
    menu = panel.picker.menu_of(picked)
    next(a for a in menu.actions() if a.text().startswith("Lay across")).trigger()
    plot = panel.plots[0]
    assert plot.over is not None
    assert plot.over.wanted.name.endswith("acceleration/x")
    assert not plot.instant.isVisible()
    window.bench.run_view.go(0.07)
    x, y = plot.dot.getData()
    ask = quantities(record.trajectory)
    across = ask(plot.over.wanted.name)
    assert x[0] == pytest.approx(np.interp(0.07, across.time, across.value) / 9.80665)
    assert y[0] == pytest.approx(plot.curves[0].at(0.07))
    assert "acceleration" in panel.across.text()
    lasting = panel.drawing()
    assert lasting.over == plot.across
    assert [w for _, w in lasting.curves] == panel.wanted[0]
    saved(qtbot, window.features["plots"].save_plot(tmp_path / "over.svg"))
    assert (tmp_path / "over.svg").stat().st_size > 1000
    saved(qtbot, window.features["plots"].save_plot(tmp_path / "over.csv"))
    assert "acceleration · x [m/s2]" in (tmp_path / "over.csv").read_text().splitlines()[0]
    panel._list_across()
    panel.across.menu().actions()[0].trigger()
    assert plot.over is None
    assert panel.across.text() == "Across: time"


def test_a_corridor_is_read_and_kept_to(window: Any, qtbot: Any, tmp_path: Path) -> None:
    shown(window, qtbot)
    panel = window.panels["plots"]
    panel.open_page("Head")
    drawn = panel.plots[0].curves[0]
    low, high = drawn.value - 1.0, drawn.value + 2.0
    rows = [f"{t:.12g};{a:.12g};{b:.12g}" for t, a, b in zip(drawn.time_ms, low, high, strict=True)]
    file = tmp_path / "limits.csv"
    file.write_text("Time [ms];low [g];high [g]\n" + "\n".join(rows))
    dialog = window.features["plots"].read_table(file, is_corridor=True)
    dialog.take.click()
    plot = panel.plots[0]
    assert plot.corridors[0].upper - plot.corridors[0].lower == pytest.approx(3.0 * 9.80665)
    assert plot.ratings == [f"{drawn.label} in limits: inside throughout"]
    dialog = window.features["plots"].read_table(file, is_corridor=True)
    dialog.columns[1].setCurrentIndex(2)
    dialog.take.click()
    assert window.notice.isVisible()
    assert len(plot.corridors) == 1
    panel.clear_measured()
    assert plot.corridors == []


def test_drawings_and_templates_hold_tests_and_corridors(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    shown(window, qtbot)
    panel = window.panels["plots"]
    panel.open_page("Head")
    drawn = panel.plots[0].curves[0]
    time, value = 1e-3 * drawn.time_ms, 9.80665 * drawn.value
    pages = {}
    for name, add in (
        ("plain", lambda: None),
        ("limits", lambda: panel.add_corridor(Corridor("limits", "m/s2", time, value - 50.0, value + 50.0))),
        ("test", lambda: panel.add_measured(Measured("test", "m/s2", time, 1.1 * value))),
    ):  # fmt: skip
        add()
        bands = _bands(panel.drawing(), "metric")
        saved(qtbot, window.features["plots"].save_plot(tmp_path / f"{name}.png"))
        pages[name] = np.asarray(Image.open(tmp_path / f"{name}.png").convert("L")).astype(int)
    assert [band.label for band in bands] == ["limits", "", ""]
    assert bands[0].high - bands[0].low == pytest.approx(100.0 / 9.80665)
    for before, after in (("plain", "limits"), ("limits", "test")):
        assert np.mean(pages[before] != pages[after]) > 0.01, "bands are seen in the drawing"
    panel.keep_page("With a test")
    panel.clear_measured()
    panel.open_page("Energy")
    panel.open_page("With a test")
    plot = panel.plots[0]
    assert plot.measured[0].value == pytest.approx(1.1 * value)
    assert plot.corridors[0].lower == pytest.approx(value - 50.0)
    assert (plot.measured[0].name, plot.corridors[0].unit) == ("test", "m/s2")
    assert len(plot.ratings) == 2


def test_damaged_tests_in_a_template_are_left_out(tmp_path: Path) -> None:
    kept_pages, t = Templates(tmp_path), np.array([0.0, 1.0])
    spec = PlotSpec(
        (Wanted("x"),), None, (Measured("m", "N", t, t),), (Corridor("c", "N", t, t, t),)
    )
    kept_pages.keep("A", [spec])
    file = tmp_path / "plot_pages.json"
    good = json.loads(file.read_text())
    for column, bad in (
        ("time", [1.0, 0.0]), ("time", [0.0]), ("value", ["a", 1]), ("value", None), ("unit", "xyz"),
        ("value", [[1], [2]]), ("time", [0.0, float("nan")]),
    ):  # fmt: skip
        damaged = json.loads(json.dumps(good))
        damaged["A"][0]["tests"][0][column] = bad
        file.write_text(json.dumps(damaged))
        (found,) = kept_pages.all()["A"]
        assert found.tests == ()
        assert found.corridors[0].name == "c"


def test_a_test_of_the_library_is_chosen_from_the_menu(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    panel = window.panels["plots"]
    panel.open_page("Head")
    library = panel.bar.library
    library.aboutToShow.emit()
    (driver,) = (one.menu() for one in library.actions() if "10146" in one.text())
    (whole,) = (one for one in driver.actions() if one.text() == "head acceleration resultant")
    plot = panel.active
    whole.trigger()
    assert plot.measured[-1].name.startswith("head acceleration resultant, Driver")
    assert np.abs(plot.measured[-1].value).max() / 9.80665 == pytest.approx(45.0, abs=5.0)
    assert "against head acceleration" in plot.ratings[-1]
    panel.clear_measured()


def test_tests_are_dragged_from_the_list_alone_or_as_a_page(window: Any, qtbot: Any) -> None:
    shown(window, qtbot)
    panel = window.panels["plots"]
    panel.open_page("Head")
    panel.picker.search.clear()
    tree = panel.picker.tree
    branch = tree.topLevelItem(tree.topLevelItemCount() - 1)
    assert branch.text(0) == "Tests"
    tree.expandItem(branch)
    driver = branch.child(0)
    assert "10146" in driver.text(0)
    whole = driver.child(0)
    assert whole.text(0) == "head acceleration resultant"

    def drop(row: Any, plot: Any) -> None:
        data = tree.mimeData([row])
        place = QPointF(plot.rect().center())
        plot.dropEvent(QDropEvent(place, Qt.DropAction.CopyAction, data, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier))  # fmt: skip

    plot = panel.add_plot()
    drop(whole, plot)
    assert panel.active is plot
    assert plot.measured[-1].name.startswith("head acceleration resultant, Driver")
    drop(driver, plot)
    assert panel.sheets.current.title == driver.text(0)
    assert panel.specs()[0].tests[0].name.startswith(whole.text(0))
    assert all(spec.curves and spec.tests for spec in panel.specs())
    panel.picker.search.setText("neck moment rear")
    found = [one.text(0).partition(",")[0] for one in rows_of(tree)]
    assert found == [f"neck moment {axis}" for axis in "xyz"]
    assert panel.picker.menu_of(rows_of(tree)[-1]).actions()[0].text() == "Draw"
    panel.picker.search.clear()
    panel.sheets.start_over()
    panel.row.start_over()


def test_how_far_a_curve_leaves_its_corridor() -> None:
    t = np.linspace(0.0, 0.1, 1001)
    limits = Corridor("c", "N", t, np.full(1001, -1000.0), np.full(1001, 1000.0)).edges("metric")
    value = np.where(t < 0.025, 0.0, 0.5)
    value[800] = -1.5
    curve = Curve(Wanted("x"), "x", "kN", 1e3 * t, value)
    assert corridor_text(curve, limits) == "inside for 99.9 % of the time, 0.5 kN out at 80.0 ms"
    value = np.where(t < 0.0251, 3.0, 0.0)
    curve = Curve(Wanted("x"), "x", "kN", 1e3 * t, value)
    words = corridor_text(curve, limits).split()
    assert float(words[2]) == pytest.approx(74.95, abs=0.06)
    assert " ".join(words[-6:]) == "2 kN out at 0.0 ms"
    late = Curve(Wanted("x"), "x", "kN", 1e3 * t + 500.0, value)
    assert corridor_text(late, limits) == "the curve and the corridor share no time"
