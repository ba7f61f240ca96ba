"""Pages of plots: tabs, arrangement, small multiples, what happened, the second cursor, bands of several runs."""

from __future__ import annotations

import zipfile
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest

from app.curves.curves import Curve, Wanted, spread
from app.curves.plot import Plot
from app.features.plots.panel import PlotsPanel
from app.run_view.marks import marks
from app.run_view.record import RunRecord
from app.run_view.solving import Solving
from solver.results.memory import MemoryTrajectory
from tests.window.solving import saved, solved
from tests.window.waiting import turns

pytestmark = pytest.mark.window
LEFT = Qt.MouseButton.LeftButton


@pytest.fixture
def plots(lasting_window: Any, qtbot: Any) -> PlotsPanel:
    """Give the plots of the airbag's catch, which is solved once, on one page with the head."""
    bench = lasting_window.bench
    if bench.run_view.runs.current is None:
        solved(lasting_window, qtbot)
    panel: PlotsPanel = lasting_window.panels["plots"]
    bench.panels.open("plots")
    bench.panels.give_half(True)
    panel.sheets.start_over()
    panel.looks.put_second(None)
    panel.open_page("Head")
    bench.run_view.go(0.05)
    # the pages are listed, and the plots have their places, in turns of their own
    qtbot.waitUntil(
        lambda: (
            panel.page.currentText() == "Head"
            and all(plot.view.getPlotItem().vb.height() > 100.0 for plot in panel.plots)
        ),
        timeout=20_000,
    )
    return panel


def at(plot: Plot, ms: float) -> QPoint:
    """Give where an instant lies in a plot's view (pixels)."""
    box = plot.view.getPlotItem().vb
    y = sum(box.viewRange()[1]) / 2.0
    spot = box.mapViewToScene(QPointF(ms, y))
    return plot.view.mapFromScene(spot)


def choose(panel: PlotsPanel, words: str) -> None:
    """Choose an entry of the menu above the plots."""
    menu = panel.bar.show_menu.menu()
    menu.aboutToShow.emit()
    next(one for one in menu.actions() if one.text() == words).trigger()


def test_a_shift_click_puts_the_second_cursor_and_differences_are_told(plots: PlotsPanel) -> None:
    plot = plots.plots[0]
    QTest.mouseClick(plot.view.viewport(), LEFT, Qt.KeyboardModifier.ShiftModifier, at(plot, 30.0))
    from_ = plots.looks.second
    assert from_ == pytest.approx(0.03, abs=1e-3)
    # all plots have it, and the timeline stays where it is
    assert {one.second.time for one in plots.plots} == {from_}
    assert plots.run_view.player.time == pytest.approx(0.05)
    assert all(one.second.line.isVisible() for one in plots.plots)
    plots.set_across(Wanted("energy/kinetic"))
    assert not plots.active.second.line.isVisible(), "over another quantity no instant has a place"
    plots.set_across(None)
    QTest.mouseClick(plot.view.viewport(), LEFT, pos=at(plot, 60.0))
    t = plots.run_view.player.time
    assert t == pytest.approx(0.06, abs=1e-3)
    curve = plot.curves[0]
    assert f"{curve.at(t) - curve.at(from_):+.4g}" in plot.readout.text()
    assert f"{1e3 * (t - from_):.4g}" in plot.readout.text()
    choose(plots, "Second cursor")
    assert plots.looks.second is None
    assert "Δ" not in plot.readout.text()
    assert not plot.second.line.isVisible()


def test_what_happened_stands_in_each_plot_over_time_by_name(plots: PlotsPanel) -> None:
    record = plots.run_view.runs.current
    assert record is not None
    told = marks(record.project, record.trajectory)
    for plot in plots.plots:
        drawn = {(event.time_ms, event.words) for event in plot.events.shown}
        assert drawn == {(1e3 * mark.time, mark.short or mark.words) for mark in told}
        seen = [event.time_ms for event, _ in plot.events.named()]
        box = plot.view.getPlotItem().vb
        scale = box.width() / (box.viewRange()[0][1] - box.viewRange()[0][0])
        assert seen
        assert all(np.diff(seen) * scale >= 13.0)
    plots.set_across(Wanted("energy/kinetic"))
    assert plots.active is not None
    assert plots.active.events.shown == ()
    plots.set_across(None)
    choose(plots, "What happened, by name")
    assert all(plot.events.shown == () for plot in plots.plots)
    choose(plots, "What happened, by name")
    assert all(plot.events.shown for plot in plots.plots)


def test_tabs_hold_pages_that_stay_as_they_were_left(plots: PlotsPanel) -> None:
    sheets = plots.sheets
    assert not sheets.isVisible()
    first = [list(w) for w in plots.wanted]
    choose(plots, "Another page of plots")
    assert sheets.isVisible()
    assert [list(w) for w in plots.wanted] == [[]]
    plots.open_page("Airbag")
    choose(plots, "Plots below each other")
    second = [list(w) for w in plots.wanted]
    assert sheets.tabs.tabText(1) == "Airbag"
    place = sheets.tabs.tabRect(0).center()
    QTest.mouseClick(sheets.tabs, LEFT, pos=place)
    assert [list(w) for w in plots.wanted] == first
    assert plots.row.columns == len(plots.plots)
    assert plots.page.currentText() == "Head"
    assert all(plot.curves for plot in plots.plots)
    QTest.mouseClick(sheets.tabs, LEFT, pos=sheets.tabs.tabRect(1).center())
    assert [list(w) for w in plots.wanted] == second
    assert plots.row.columns == 1
    sheets.close_sheet(1)
    assert [list(w) for w in plots.wanted] == first
    assert not sheets.isVisible()
    sheets.close_sheet(0)
    assert len(sheets.sheets) == 1


def test_pages_that_are_listed_later_leave_the_one_that_is_seen(plots: PlotsPanel) -> None:
    plots.open_page("Energy")
    assert plots.page.currentText() == "Energy"
    seen = [list(one) for one in plots.wanted]
    plots.pages.list()
    assert (plots.page.currentText(), [list(one) for one in plots.wanted]) == ("Energy", seen)
    plots.row.empty()
    plots.pages.list()
    assert plots.page.currentText() == plots.sheets.current.title == "Head"


def test_a_tab_is_renamed_in_its_place(plots: PlotsPanel) -> None:
    sheets = plots.sheets
    sheets.add()
    place = sheets.tabs.tabRect(1).center()
    QTest.mouseDClick(sheets.tabs, LEFT, pos=place)
    field = sheets._name
    assert field is not None
    QTest.keyClicks(field, "Peaks")
    QTest.keyClick(field, Qt.Key.Key_Return)
    assert sheets.tabs.tabText(1) == "Peaks" == sheets.current.title
    QTest.mouseDClick(sheets.tabs, LEFT, pos=sheets.tabs.tabRect(1).center())
    QTest.keyClicks(sheets._name, "no")
    QTest.keyClick(sheets._name, Qt.Key.Key_Escape)
    assert sheets.tabs.tabText(1) == "Peaks"


def test_each_curve_has_a_plot_of_its_own_in_a_grid(plots: PlotsPanel) -> None:
    plots.open_page("Energy")
    several = list(plots.plots[0].wanted)
    rest = [list(plot.wanted) for plot in plots.plots[1:]]
    choose(plots, "Each curve in a plot of its own")
    assert [plot.wanted for plot in plots.plots] == [[one] for one in several] + rest
    assert all(len(plot.curves) == 1 for plot in plots.plots)
    choose(plots, "Plots in a grid")
    turns()
    tops = {plot.mapTo(plots, QPoint(0, 0)).y() for plot in plots.plots}
    lefts = {plot.mapTo(plots, QPoint(0, 0)).x() for plot in plots.plots}
    assert len(plots.plots) == 6
    assert (len(tops), plots.row.columns) == (2, 3)
    assert len(lefts) == 3


def test_the_palette_reaches_what_the_menu_offers(plots: PlotsPanel, lasting_window: Any) -> None:
    run = lasting_window.bench.commands.run
    run("view.plots_second")
    assert plots.looks.second == plots.run_view.player.time
    run("view.plots_second")
    assert plots.looks.second is None
    run("view.plots_page")
    run("view.plots_next")
    assert plots.sheets.tabs.currentIndex() == 0
    run("view.plots_events")
    assert plots.plots[0].events.shown == ()
    run("view.plots_events")
    run("view.plots_person")
    assert "no second person" in plots.bar.hint.text()


def test_of_several_people_one_is_chosen_beside_whom_tests_are_held(
    plots: PlotsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    pages, menu = plots.pages, plots.bar.library
    menu.aboutToShow.emit()
    assert not [one for one in menu.actions() if one.isCheckable()], "there is one person"
    monkeypatch.setattr(pages, "people", lambda: ["Driver", "Passenger"])
    asked = list[int]()
    monkeypatch.setattr(
        "app.features.plots.bar.pages_of_tests", lambda *given: asked.append(given[2]) or {}
    )
    menu.aboutToShow.emit()
    found = [one for one in menu.actions() if one.isCheckable()]
    assert [(one.text(), one.isChecked()) for one in found] == [
        ("Beside Driver", True),
        ("Beside Passenger", False),
    ]
    found[1].trigger()
    assert pages.person == 1
    assert "Passenger" in plots.bar.hint.text()
    pages.tests()
    assert asked[-1] == 1
    pages.choose_next()
    assert pages.person == 0


def test_other_runs_are_drawn_as_a_band(plots: PlotsPanel, lasting_window: Any, qtbot: Any) -> None:
    solved_again = plots.run_view.runs.current
    assert solved_again is not None
    lasting_window.bench.commands.run("run.run")
    qtbot.waitUntil(lambda: plots.run_view.runs.running() is None, timeout=240_000)
    plots.run_view.player.pause()
    assert len(plots.run_view.runs.records) == 2
    plots.others.setChecked(True)
    choose(plots, "Runs as a band, lowest to highest")
    assert all("of 2 runs" in " ".join(plot.ratings) for plot in plots.plots)
    # the same model twice: a band without height, and no dashed line
    found = plots._fetcher.fetch(
        plots.run_view.runs.current, plots._quantities, [solved_again], plots.plots[0].wanted, None, [], [], "metric", "range"
    )  # fmt: skip
    assert found.ghosts == []
    assert found.spreads[0].low == pytest.approx(found.spreads[0].high)
    choose(plots, "Other runs as dashed lines")
    assert all("band" not in " ".join(plot.ratings) for plot in plots.plots)
    plots.others.setChecked(False)


def curves(*values: list[float], end: float = 4.0) -> list[Curve]:
    time = [np.linspace(0.0, end - n, len(v)) for n, v in enumerate(values)]
    return [Curve(Wanted("x"), "x", "g", t, np.array(v)) for t, v in zip(time, values, strict=True)]


def test_a_band_reaches_as_far_as_all_runs_and_its_deviation_is_a_samples() -> None:
    random = np.random.default_rng(4)
    steep = [Curve(Wanted("x"), "x", "g", np.linspace(0.0, 4.0 - n, 81), random.normal(size=81)) for n in range(3)]  # fmt: skip
    band = spread(steep, "range")
    assert band is not None
    assert band.time_ms[-1] <= 2.0
    at_all = np.stack([np.interp(band.time_ms, one.time_ms, one.value) for one in steep])
    assert (band.low <= at_all).all()
    assert (at_all <= band.high).all()
    assert np.isclose(band.low, at_all).any(axis=0).all()
    off = spread(steep, "deviation")
    assert off is not None
    mean = (off.low + off.high) / 2.0
    assert mean == pytest.approx(at_all.sum(axis=0) / 3.0)
    squares = ((at_all - mean) ** 2).sum(axis=0) / 2.0
    assert (off.high - mean) ** 2 == pytest.approx(squares)


def test_one_run_or_runs_without_a_time_in_common_have_no_band() -> None:
    one, *_ = curves([0.0, 1.0, 2.0])
    assert spread([one], "range") is None
    assert spread([one, one], "lines") is None
    late = Curve(Wanted("x"), "x", "g", np.array([9.0, 10.0]), np.array([1.0, 2.0]))
    assert spread([one, late], "range") is None


def test_a_page_is_saved_as_it_stands_and_all_pages_as_slides(
    plots: PlotsPanel, lasting_window: Any, qtbot: Any, tmp_path: Path
) -> None:
    save = lasting_window.features["plots"].save_plot
    plots.sheets.name("What the head felt")
    plots.sheets.add()
    plots.open_page("Airbag")
    plots.row.arrange("below")
    drawn = plots.drawings()
    assert [(page.title, page.columns, page.is_seen) for page in drawn] == [
        ("What the head felt", 2, False),
        ("Airbag", 1, True),
    ]
    saved(qtbot, save(tmp_path / "page.svg"))
    saved(qtbot, save(tmp_path / "pages.pptx"))
    with zipfile.ZipFile(tmp_path / "pages.pptx") as package:
        found = [package.read(f"ppt/slides/slide{n}.xml").decode() for n in (1, 2)]
        assert "ppt/slides/slide3.xml" not in package.namelist()
    for page, slide, panel in zip(drawn, found, ("Head", "Airbag"), strict=True):
        assert page.title in slide
        assert "pressure" in slide if panel == "Airbag" else "acceleration" in slide
    sizes = [one.get("viewBox", "").split()[2:] for one in [ElementTree.parse(tmp_path / "page.svg").getroot()]]  # fmt: skip
    width, height = map(float, sizes[0])
    # one below the other: higher than wide
    assert height > width
    plots.sheets.add()
    task = save(tmp_path / "none.png")
    with qtbot.waitSignal(task.failed, timeout=20_000):
        pass
    assert not (tmp_path / "none.png").exists()


def test_pages_take_the_plots_that_there_are(
    plots: PlotsPanel, monkeypatch: pytest.MonkeyPatch
) -> None:
    """To make a plot takes longer than to draw it; nothing of what it showed before is left."""
    made = []

    def another() -> Plot:
        made.append(Plot())
        return made[-1]

    monkeypatch.setattr("app.curves.plot.Plot", another)
    plots.open_page("Energy")
    for plot in plots.plots:
        plot.shade(0.01, 0.02)
        plot.view.getPlotItem().vb.setXRange(0.0, 1.0)
    plots.open_page("Head")
    assert not made
    for plot in plots.plots:
        assert not plot.shaded.isVisible()
        assert all(plot.view.getPlotItem().vb.autoRangeEnabled())
        assert {one.wanted for one in plot.curves} == set(plot.wanted)


def test_a_run_that_is_coming_is_drawn_as_far_as_it_is(plots: PlotsPanel) -> None:
    """The current run stays faintly beside it, and nothing is said beyond its end."""
    study = plots.run_view
    current = study.runs.current
    assert current is not None
    whole = current.trajectory
    assert isinstance(whole, MemoryTrajectory)
    coming = RunRecord("Live", current.project, Solving(current.project), fleeting=True)
    assert coming.solving is not None
    coming.solving.stage = "solving"
    part = coming.solving.trajectory = whole.snapshot()
    count = len(whole.time) // 3
    part._time = part._time.frozen(count)
    part._frames = {
        group: {name: column.frozen(count) for name, column in columns.items()}
        for group, columns in part._frames.items()
    }
    end = float(part.time[-1])
    part._samples = {
        name: tuple(column.frozen(int(np.sum(time.view() <= end))) for column in (time, value))
        for name, (time, value) in part._samples.items()
    }
    study.go(float(whole.time[-1]))
    study.coming = coming
    try:
        study.runs.changed.emit(coming)
        plot = next(one for one in plots.plots if one.curves)
        assert plot.curves[0].end_s == pytest.approx(end, abs=1e-3)
        ends = {round(float(line.getData()[0][-1]), 6) for _, line in plot._lines}
        assert round(1e3 * float(whole.time[-1]), 6) in ends, "the answer before is seen too"
        assert ">–<" in plot.readout.text()
        assert study.runs.current is current, "the scene stays with it"
    finally:
        study.coming = None
    plots.refresh()
    assert plot.curves[0].end_s == pytest.approx(float(whole.time[-1]))
    assert ">–<" not in plot.readout.text()


def test_the_list_of_quantities_lends_its_room_only_where_that_helps(plots: PlotsPanel) -> None:
    halves = plots.halves
    whole, own = sum(halves.sizes()), halves.sizes()[0]
    assert own > 170
    halves.lend(whole - 170)
    assert halves.sizes() == [170, whole - 170]
    halves.lend(whole - 160)
    assert halves.sizes() == [160, whole - 160]
    halves.lend(whole - 100)
    assert halves.sizes() == [own, whole - own], "even the narrowest list would not be enough"
    halves.lend(whole - 100)
    assert halves.sizes() == [own, whole - own]
    halves.lend(whole - 170)
    halves.splitterMoved.emit(170, 1)
    halves.lend(whole - 100)
    assert halves.sizes() == [170, whole - 170], "what hands have set stays"
    halves.setSizes([own, whole - own])
