"""Sliders for numbers of the model: pinned from the inspector, drawn with live answers, remembered."""

from __future__ import annotations

import json
import math
import shutil
import weakref
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMenu, QStyle, QStyleOptionSlider

from app import texts
from app.features.whatif.feature import PinStore
from app.forms.places import Pin, bounds, pin, step, words
from app.forms.units import Units
from app.shell.window import new_window
from solver.base.places import samples
from solver.project import load_project
from solver.project.changes import value_at, with_value
from tests.window.solving import CATCH, solved
from tests.window.waiting import collect, turns, until, until_active, until_exposed

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton
TIME = "airbags/bag/trigger/time_s"
METRIC = Units("metric")


def knob(slider: Any) -> QPoint:
    option = QStyleOptionSlider()
    slider.initStyleOption(option)
    style = slider.style()
    control, part = QStyle.ComplexControl.CC_Slider, QStyle.SubControl.SC_SliderHandle
    return style.subControlRect(control, option, part, slider).center()


def drag(slider: Any, pixels: int, steps: int = 4) -> None:
    """Draw the knob with the mouse, in several moves."""
    at = knob(slider)
    QTest.mousePress(slider, LEFT, pos=at)
    for n in range(steps):
        QTest.mouseMove(slider, at + QPoint(round(pixels * (n + 1) / steps), 0))
    QTest.mouseRelease(slider, LEFT, pos=at + QPoint(pixels, 0))


def pinned(window: Any, path: str = TIME) -> Any:
    """Pin a field from the menu of its label in the inspector, and give its row."""
    window.bench.document.select(path.rsplit("/", 1)[0])
    window.bench.document.select(path)
    form = window.panels["inspector"].form
    for section in list(form.sections.values()):
        section.open()
    menu = form.menu_of(form.rows[path])
    menu.actions()[0].trigger()
    menu.deleteLater()
    # a click finds its widget once it has its place
    turns()
    return window.panels["whatif"].rows[-1]


def answered(window: Any, qtbot: Any) -> None:
    run_view = window.bench.run_view
    qtbot.waitUntil(
        lambda: run_view.runs.running() is None and not run_view.is_outdated(run_view.runs.current),
        timeout=240_000,
    )


def test_a_drag_solves_again_beside_the_run_before(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = solved(window, qtbot)
    waits: list[bool] = []
    monkeypatch.setattr(window.bench.viewport, "follow", waits.append)
    run_view, document = window.bench.run_view, window.bench.document
    run_view.go(0.06)
    row = pinned(window)
    assert window.panels.front().widget is window.panels["whatif"]
    assert row.value.text() == "10 ms"
    drag(row.slider, 40)
    moved = value_at(document.project, TIME)
    assert moved > 0.010
    assert window.bench.live.is_on
    assert run_view.ghost is first
    answered(window, qtbot)
    assert (waits[0], waits[-1]) == (True, False), "smooth edges wait until the answer is there"
    assert run_view.is_on, "one goes on watching the run"
    assert run_view.player.time == pytest.approx(0.06)
    assert run_view.playback.beside is not None
    assert value_at(run_view.runs.current.project, TIME) == moved
    shown = {line.title: line for line in window.panels["whatif"].figures.lines}
    hic = next(line for title, line in shown.items() if "HIC" in title)
    old, new = (r.trajectory.injury["HIC"].value for r in (first, run_view.runs.current))
    assert [cell.words for cell in hic.cells] == [f"{old:.4g}", f"{new:.4g}"]
    document.undo()
    assert value_at(document.project, TIME) == 0.010, "a drag is one step"
    assert not document.history.canUndo()


def test_before_is_the_model_before_whatever_run_is_shown(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    """Back at its start a slider has changed nothing, though a run of another model stood there."""
    solved(window, qtbot, Path(shutil.copy(CATCH, tmp_path / "own.json")))
    run_view, document, panel = (
        window.bench.run_view,
        window.bench.document,
        window.panels["whatif"],
    )
    path = "segments/head/mass_kg"
    document.edit(path, 3.0, "Change the mass")
    pinned(window, path)
    figures = panel.figures
    assert "another model: Run 1" in figures.state.text()
    assert figures.tree.headerItem().text(2) == "Run 1"
    panel.set_value(path, 4.0)
    panel.set_value(path, 3.0)
    qtbot.waitUntil(lambda: not window.bench.live.is_pending, timeout=240_000)
    assert (run_view.ghost.name, run_view.runs.current.name) == ("As it was", "Live")
    assert not run_view.is_outdated(run_view.ghost)
    assert [figures.tree.headerItem().text(n) for n in (1, 2)] == ["Before: As it was", "Now"]
    assert {line.cells[1].change for line in figures.lines} == {"same"}
    # a run of a study, say, is shown by its name also while Live is on
    run_view.runs.show(run_view.runs.records[0])
    assert [figures.tree.headerItem().text(n) for n in (1, 2)] == ["Before: As it was", "Run 1"]
    assert "another model: Run 1" in figures.state.text()
    # of several runs that of the model is found
    window.bench.live.switch(False)
    window.bench.live.switch(True)
    assert run_view.runs.current is run_view.ghost
    assert not run_view.is_outdated(run_view.ghost)


def test_keys_typed_values_and_reset_move_it_too(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    row = pinned(window)
    row.slider.setFocus()
    QTest.keyClick(row.slider, Qt.Key.Key_Right)
    value = value_at(window.bench.document.project, TIME)
    unit = "s"
    assert value == pytest.approx(0.010 + step(row.pin, unit, METRIC, False))
    row.value.setFocus()
    row.value.selectAll()
    QTest.keyClicks(row.value, "45")
    QTest.keyClick(row.value, Qt.Key.Key_Return)
    assert value_at(window.bench.document.project, TIME) == pytest.approx(0.045)
    assert row.pin.high == pytest.approx(0.045), "the slider reaches as far as what was typed"
    assert row.slider.value() == row.slider.maximum()
    QTest.mouseClick(row.reset, LEFT)
    assert value_at(window.bench.document.project, TIME) == pytest.approx(0.010)
    assert not row.reset.isEnabled()


def test_ends_are_set_and_nonsense_is_refused_in_place(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    row = pinned(window)

    def write(line: Any, text: str) -> None:
        line.setFocus()
        line.selectAll()
        QTest.keyClicks(line, text)
        QTest.keyClick(line, Qt.Key.Key_Return)

    write(row.high, "30 ms")
    assert row.pin.high == pytest.approx(0.030)
    write(row.low, "40 ms")
    assert (
        row.words.text()
        == "The lower end must lie below the upper one, and both within what the field takes."
    )
    assert row.pin.low < row.pin.high
    before = window.bench.document.project
    write(row.value, "-5")
    assert row.words.isVisible()
    assert window.bench.document.project is before
    write(row.value, "12")
    assert not row.words.isVisible()


@pytest.mark.own_window
def test_the_field_that_is_edited_is_pinned_by_a_key(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    window.menus.entries["run.pin"].trigger()
    assert window.panels["whatif"].pins == []
    assert (
        window.status.words.text()
        == "Put the cursor into a number of the inspector first; it can then be pinned."
    )
    window.bench.document.select("segments/head")
    line = window.panels["inspector"].form.rows["segments/head/mass_kg"].editor
    window.activateWindow()
    until_active(window)
    line.setFocus()
    QTest.keyClick(line, Qt.Key.Key_P, Qt.KeyboardModifier.ControlModifier)
    assert [one.path for one in window.panels["whatif"].pins] == ["segments/head/mass_kg"]


@pytest.mark.own_window
def test_every_number_of_a_vector_and_its_field_offer_a_slider(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    window.bench.document.select("segments/head")
    form = window.panels["inspector"].form
    menu = form.menu_of(form.rows["segments/head/inertia_kgm2"])
    assert [a.text() for a in menu.actions()] == [
        words.format(axis)
        for words in ("Pin {} as slider", "Vary {} in a study")
        for axis in texts.words.AXES
    ]
    menu.actions()[2].trigger()
    menu.deleteLater()
    assert window.panels["whatif"].pins[0].path == "segments/head/inertia_kgm2/2"
    assert (
        form.menu_of(form.rows["segments/head/note"]) is None
        if "segments/head/note" in form.rows
        else True
    )
    line = form.rows["segments/head/mass_kg"].editor
    QTest.mouseClick(line, Qt.MouseButton.RightButton)
    from PySide6.QtGui import QContextMenuEvent
    from PySide6.QtWidgets import QApplication

    event = QContextMenuEvent(
        QContextMenuEvent.Reason.Mouse, QPoint(5, 5), line.mapToGlobal(QPoint(5, 5))
    )
    QApplication.sendEvent(line, event)
    menu = next(
        m for m in line.findChildren(QMenu) if texts.words.PIN in [a.text() for a in m.actions()]
    )
    next(a for a in menu.actions() if a.text() == texts.words.PIN).trigger()
    menu.close()
    assert len(window.panels["whatif"].pins) == 2


@pytest.mark.own_window
def test_sliders_come_back_with_their_project(window: Any, qtbot: Any, tmp_path: Path) -> None:
    file = Path(shutil.copy(CATCH, tmp_path / "catch.json"))
    window.open_file(file)
    pinned(window)
    window.panels["whatif"].set_ends(TIME, 0.0, 0.05)
    window.open_file(CATCH)
    assert window.panels["whatif"].pins == []
    window.open_file(file)
    assert window.panels["whatif"].pins == [Pin(TIME, 0.0, 0.05, 0.010)]
    assert len(window.panels["whatif"].rows) == 1
    QTest.mouseClick(window.panels["whatif"].rows[0].unpin, LEFT)
    assert window.panels["whatif"].pins == []
    window.open_file(CATCH)
    window.open_file(file)
    assert window.panels["whatif"].pins == []


@pytest.mark.own_window
def test_a_slider_follows_its_element_through_rename_and_undo(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    row = pinned(window)
    document = window.bench.document
    document.rename("airbags/bag", "pillow")
    assert window.panels["whatif"].pins[0].path == "airbags/pillow/trigger/time_s"
    document.undo()
    assert window.panels["whatif"].pins[0].path == TIME
    document.delete(["airbags/bag"])
    assert row.words.text() == "not in the model"
    assert not row.slider.isEnabled()
    document.undo()
    assert row.slider.isEnabled()
    assert not row.words.isVisible()


def test_a_closed_window_with_sliders_is_not_kept(window: Any, qtbot: Any) -> None:
    other = new_window(window.application)
    until_exposed(other)
    other.open_file(CATCH)
    pinned(other)
    other.panels["whatif"].unpin(TIME)
    pinned(other)
    gone = weakref.ref(other)
    other.bench.document.history.setClean()
    other.close()
    del other

    def is_gone() -> bool:
        collect()
        return gone() is None

    qtbot.waitUntil(is_gone, timeout=20_000)


def test_the_first_drag_solves_what_was_there_before_to_compare_with(
    window: Any, qtbot: Any
) -> None:
    window.open_file(CATCH)
    row = pinned(window)
    drag(row.slider, 40)
    answered(window, qtbot)
    run_view = window.bench.run_view
    qtbot.waitUntil(lambda: run_view.ghost is not None, timeout=20_000)
    assert value_at(run_view.ghost.project, TIME) == 0.010
    assert value_at(run_view.runs.current.project, TIME) == value_at(
        window.bench.document.project, TIME
    )


@pytest.mark.parametrize("system", ["metric", "si", "inch_pound"])
def test_sliders_reach_around_their_values_within_what_the_schema_allows(system: str) -> None:
    project, units = load_project(samples() / "frontal.json"), Units(system)
    for path in (
        "segments/driver_head/mass_kg", "airbags/driver_bag/trigger/time_s",
        "joints/driver_condyles/parent_frame/position_m/0", "gravity_m_per_s2/1",
        "contact_laws/seat_head_restraint/energy_ratio", "runs/frontal/duration_s",
    ):  # fmt: skip
        found = pin(project, path, units)
        if found is None:
            assert path.startswith("runs/")
            continue
        least, most = bounds(project, path)
        assert least <= found.low < found.high <= most
        assert found.low <= found.first <= found.high
        for end in (found.low, found.high):
            with_value(project, path, end)
        from app.forms.places import unit_of_field

        unit = unit_of_field(project, path)
        size = units.shown(step(found, unit, units, False), unit)
        digit = size / 10.0 ** math.floor(math.log10(size) + 1e-9)
        assert min(abs(digit - one) for one in (1.0, 2.0, 5.0, 10.0)) < 1e-6, "steps are round"
    assert pin(project, "segments/driver_head/name", units) is None
    assert pin(project, "segments/nobody/mass_kg", units) is None
    assert words(project, "gravity_m_per_s2/1").endswith(" y")


def test_a_damaged_store_counts_as_empty(tmp_path: Path) -> None:
    store, project = PinStore(tmp_path), tmp_path / "a.json"
    file = tmp_path / "sliders.json"
    for content in (
        "{",
        "[]",
        json.dumps({str(project): [["a", 1]]}),
        json.dumps({str(project): 3}),
    ):
        file.write_text(content)
        assert store.of(project) == []
    store.keep(project, [Pin("a/b", 0.0, 1.0, 0.5)])
    assert PinStore(tmp_path).of(project) == [Pin("a/b", 0.0, 1.0, 0.5)]


def test_figures_so_far_are_those_of_what_is_there(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A run is held on its way: its figures are those that its first part gives, told as such, and then those of all of it."""
    from app.comparing.runs import _BEGUN
    from app.features.whatif import rows
    from app.run_view.solving import Solving
    from solver.injury import assess

    monkeypatch.setattr(rows, "_AGAIN_MS", 0.0)
    first = solved(window, qtbot, samples() / "lap_belt.json")
    run_view, panel = window.bench.run_view, window.panels["whatif"]
    window.panels.open("whatif")
    mass = f"segments/{first.project.segments[0].id}/mass_kg"
    assert panel.pin(mass)
    figures = panel.figures
    figures._look()
    before = [line.title for line in figures.lines]
    assert before
    # that a figure is not judged stands behind it, and is never cut
    figures.tree.topLevelItem(0).setText(2, "1234.5 mm, not judged as it went through")
    until(lambda: figures.tree.columnWidth(2) >= figures.tree.sizeHintForColumn(2) > 150)
    look, held = Solving._asked_to_stop, []

    def hold(self: Any) -> bool:
        if self.fraction > 0.2 and not held:
            held.append(self)
            self.pause()
        return bool(look(self))

    monkeypatch.setattr(Solving, "_asked_to_stop", hold)
    assert not panel.set_value(mass, 1.3 * value_at(first.project, mass))
    qtbot.waitUntil(lambda: bool(held), timeout=240_000)
    coming = run_view.coming
    end = float(coming.seen.time[-1])

    seen: list[Any] = []

    def has_all() -> bool:
        run_view.grown.emit()
        found = figures.measuring.so_far
        if found is not None and found not in seen:
            seen.append(found)
        # one may have been begun before the run was held
        return len(seen) > 2 and found.until_s == coming.seen.time[-1]

    qtbot.waitUntil(has_all, timeout=20_000)
    end = figures.measuring.so_far.until_s
    assert [line.title for line in figures.lines] == before
    assert figures.tree.headerItem().text(2) == "So far"
    assert f"first {1e3 * end:.0f} ms" in figures.state.text()
    told = {f.name: f for f in assess(coming.seen, coming.project).figures}
    for n, line in enumerate(figures.lines):
        if line.figure is not None:
            value = told[line.figure.name].value
            if abs(value) < _BEGUN * abs(line.figure.value):
                value = 0.0  # it has hardly begun when the run is held early
            assert float(line.cells[-1].words.split()[0]) == pytest.approx(
                value, rel=1e-3, abs=1e-2
            )
            assert figures.tree.topLevelItem(n).text(3) == "", "a part is not compared with a whole"
    coming.solving.resume()
    answered(window, qtbot)
    assert figures.tree.headerItem().text(2) == "Now"
    assert "first" not in figures.state.text()
