"""What a run has to say stands on the page beside the scene, and is marked below it."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QAccessible, QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLabel, QLineEdit, QStyle, QStyleOption

from app.curves.curves import Wanted
from app.features.plots.writing import _channels
from app.features.runs.time_bar import TimeBar
from app.fonts import Shortened
from app.run_view.marks import Mark, marks
from app.run_view.solving import Solving
from solver.base.places import samples
from solver.engine.forces.strikes import AT_ONCE
from solver.project import load_project, to_json
from tests.balls_and_floors import landing
from tests.running.test_watch import scene
from tests.window.solving import CATCH, solved
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def warned(window: Any, qtbot: Any) -> str:
    """What the page beside the scene warns of, once it tells of the run."""
    page = window.features["result"]
    qtbot.waitUntil(lambda: page.told is not None, timeout=60_000)
    assert not window.notice.isVisible(), "what a run has to say stands on its page, in no bar"
    words = "\n".join(page.told.warnings)

    def shown() -> bool:
        lines = "\n".join(one.text() for one in page.page.notes.body.findChildren(QLabel))
        return all(one in lines for one in page.told.warnings)

    qtbot.waitUntil(shown, timeout=20_000)
    return words


def test_what_passed_through_is_told_on_the_page_and_marked(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    """A ball falls onto a floor far too soft for it."""
    soft = {"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1.0}
    roots = [{"segment": "ball", "position_m": [0.0, 0.0, -0.2]}]
    file = tmp_path / "ball.json"
    file.write_text(to_json(scene(contact_laws=[soft], initial={"roots": roots})))
    record = solved(window, qtbot, file)
    assert "One note stands beside it." in window.status.words.text()
    words = warned(window, qtbot)
    assert "passed through" in words
    assert "floor" in words.casefold()
    found = marks(record.project, record.trajectory)
    (mark,) = [m for m in found if m.kind == "through"]
    assert mark.element == "segments/ball"
    assert "too deep" in mark.words
    # another model has nothing to do with it
    window.open_file(CATCH)
    page = window.features["result"]
    qtbot.waitUntil(lambda: page.told is None, timeout=20_000)
    assert page.page.notes.isHidden()


def test_what_is_behind_a_plane_does_not_touch_it(window: Any, qtbot: Any, tmp_path: Path) -> None:
    """A ball that comes out from behind a floor, far from it, is no touch."""
    up = [{"segment": "ball", "position_m": [0.0, 0.0, 0.3], "velocity_m_per_s": [0.0, 0.0, -1.0]}]
    law = {"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1e4}
    file = tmp_path / "behind.json"
    file.write_text(to_json(scene(contact_laws=[law], initial={"roots": up})))
    record = solved(window, qtbot, file)
    table = record.trajectory.table("contacts")
    assert not (table["force"] != 0.0).any()
    assert not [m for m in marks(record.project, record.trajectory) if m.kind == "touch"]


def test_a_failed_run_is_told_until_it_is_read(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.running.simulation import Simulation

    def crash(*_: object) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(Simulation, "go", crash)
    window.open_file(CATCH)
    window.bench.run_view.run()
    qtbot.waitUntil(window.notice.isVisible, timeout=240_000)
    assert "Run 1 failed" in window.notice.words.text()
    window.notice.buttons[0].click()
    details = QApplication.clipboard().text()
    assert "ZeroDivisionError: no" in details
    assert "PySide6" in details


def test_a_run_that_makes_energy_is_told(window: Any, qtbot: Any, tmp_path: Path) -> None:
    data = json.loads((samples() / "double_pendulum.json").read_text(encoding="utf-8"))
    twisted = {"kind": "ball", "torsion": {"linear_nm_per_rad": 50.0}, "torque_law": "printed"}
    data["joints"][1] |= twisted
    data["joints"][1]["child_frame"]["orientation"] = {"angles_rad": [0.0, 0.6, 0.3]}
    data["initial"]["joints"] = [{"joint": "elbow", "values": [0.3, 0.6, 0.4]}]
    data["runs"][0] = {"id": "run", "duration_s": 0.2}
    file = tmp_path / "twisted.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    solved(window, qtbot, file)
    assert "joint springs gave" in warned(window, qtbot)


def test_an_energy_account_that_is_off_is_told(window: Any, qtbot: Any, tmp_path: Path) -> None:
    data = json.loads((samples() / "pendulum.json").read_text(encoding="utf-8"))
    coarse = {"kind": "semi_implicit_euler", "step_s": 0.02}
    data["runs"][0] |= {"duration_s": 1.0, "integrator": coarse}
    file = tmp_path / "coarse.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    record = solved(window, qtbot, file)
    assert record.status == "completed"
    assert "the energy account is off by up to" in warned(window, qtbot)


def test_a_force_beyond_its_curve_is_told(window: Any, qtbot: Any, tmp_path: Path) -> None:
    data = json.loads((samples() / "lap_belt.json").read_text(encoding="utf-8"))
    webbing = next(f for f in data["functions"] if f["id"] == "webbing_force")
    webbing["form"] = {"kind": "table", "x": [0.0, 0.02], "y": [0.0, 2000.0]}
    data["runs"][0]["duration_s"] = 0.08
    file = tmp_path / "short.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    solved(window, qtbot, file)
    assert "beyond the end of" in warned(window, qtbot)


def test_impulses_that_are_not_whole_are_told_and_marked(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    file = tmp_path / "landing.json"
    file.write_text(json.dumps(landing(AT_ONCE + 1)), encoding="utf-8")
    record = solved(window, qtbot, file)
    assert "more strike at once" in warned(window, qtbot)
    found = [m for m in marks(record.project, record.trajectory) if m.kind == "lack"]
    assert found
    assert "not whole" in found[0].words
    window.panels["timeline"].grab()


def test_a_crash_of_the_solver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.running.simulation import Simulation

    def crash(*_: object) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(Simulation, "go", crash)
    solving = Solving(load_project(CATCH))
    solving.start()
    assert solving.wait(60.0)
    assert solving.status == "failed"
    assert "ZeroDivisionError" in solving.message
    assert "test_run_told" in solving.details


def test_a_broken_results_file_is_explained(window: Any, tmp_path: Path) -> None:
    file = tmp_path / "none.h5"
    file.write_bytes(b"nothing")
    window.open_file(file)
    assert window.panels.pages.currentWidget() is window.panels["unreadable"]
    assert "not HDF5" in window.panels["unreadable"].sentences.text()


def test_back_from_a_broken_file_the_status_line_speaks_of_the_project(
    window: Any, tmp_path: Path
) -> None:
    window.open_file(CATCH)
    hint = window.status.words.text()
    file = tmp_path / "run.h5"
    file.write_bytes(b"nothing")
    window.bench.say("Something was done.")
    window.open_file(file)
    window.panels["unreadable"].back.click()
    assert window.bench.has_project()
    assert window.status.words.text() == hint


def test_figures_and_curves_of_an_older_model_are_said_to_be_old(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    assert window.panels.mood == "understand", "one sees what has come of it"
    assert "HIC36 is 301" in window.status.words.text()
    assert not window.panels.docks.corner_of("plots").remark.isVisible()
    window.panels.open("injury")
    bright = window.panels["injury"].tree.topLevelItem(0).foreground(1)
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    window.menus.run("run.study")
    corner = window.panels.docks.corner_of("plots")
    assert corner.remark.text() == "Outdated: Run 1. F5 solves."
    # beside the tabs, all of which are seen
    bar = window.panels.docks.strip(window.panels.docks.docks["plots"])[0].bar
    assert sum(bar.tabRect(n).width() for n in range(bar.count())) <= bar.width()
    # a long one gives way to them
    window.bench.run_view.runs.rename(record, "optimum_of_belt_and_bag_" * 10)
    window.bench.run_view.run_shown.emit()
    qtbot.waitUntil(lambda: corner.remark.text().endswith("…"), timeout=20_000)
    assert corner.remark.text().startswith("Outdated")
    assert corner.remark.sizeHint().width() <= corner.remark.width(), "no letter is cut"
    assert sum(bar.tabRect(n).width() for n in range(bar.count())) <= bar.width()
    assert corner.remark.toolTip().endswith("F5 solves.")
    assert window.panels["injury"].tree.topLevelItem(0).foreground(1) != bright
    window.features["elements"].undo()
    assert not window.panels.docks.corner_of("plots").remark.isVisible()


def test_words_below_the_timeline_have_room_and_keep_their_verb(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    bar = window.panels["timeline"].bar
    labels = bar.labels(QFontMetricsF(bar.font()))
    assert {"Bag fires", "Bag is full", "HIC36"} <= {words for _, words, _ in labels}
    mark, _, place = next(one for one in labels if one[1] == "Bag fires")
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=(place + QPointF(20.0, -4.0)).toPoint())
    assert window.bench.run_view.player.time == pytest.approx(mark.time)
    assert window.bench.document.selection == mark.element


def test_words_below_the_timeline_are_cut_only_where_there_is_no_room(qtbot: Any) -> None:
    bar = TimeBar()
    qtbot.addWidget(bar)
    bar.resize(600, bar.height())
    bar.end = 0.7
    names = "Lower torso on the pavement of the road", "Upper torso on the pavement of the road"
    bar.marks = [Mark(0.60 + 1e-3 * n, one, "touch") for n, one in enumerate(names)]
    metrics = QFontMetricsF(bar.font())
    assert [words for _, words, _ in bar.labels(metrics)] == list(names)
    times = np.random.default_rng(3).uniform(0.0, 0.7, 12)
    bar.marks = [Mark(t, names[n % 2], "touch") for n, t in enumerate(sorted(times))]
    labels = bar.labels(metrics)
    assert any("…" in words for _, words, _ in labels)
    boxes = [(at.x(), at.x() + metrics.horizontalAdvance(words), at.y()) for _, words, at in labels]
    for k, (left, right, y) in enumerate(boxes):
        assert 0.0 <= left < right <= 600.0
        assert left <= bar.x_of(labels[k][0].time) <= right, "it stands below its mark"
        assert all(y != b or right < a or left > c for a, c, b in boxes[:k])


def test_after_a_notice_the_keyboard_is_in_the_scene(window: Any, qtbot: Any) -> None:
    """Else Space and F would be typed into whatever field comes next."""
    window.open_file(CATCH)
    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=20_000)
    done = []
    window.bench.notice.say("Something happened.", ("Do it", lambda: done.append(1)))
    QTest.mouseClick(window.notice.buttons[0], Qt.MouseButton.LeftButton)
    assert done == [1]
    assert window.notice.isHidden()
    assert window.focusWidget() is window.bench.viewport
    # where the keyboard is elsewhere it stays
    window.features["elements"].find()
    window.bench.notice.say("Something else.")
    QTest.mouseClick(window.notice._close, Qt.MouseButton.LeftButton)
    assert window.focusWidget() is window.features["elements"].outline.search


def test_what_goes_gives_the_keyboard_to_the_scene(window: Any, qtbot: Any) -> None:
    """A button that hides or is greyed out hands it on; Space plays then, and is typed nowhere."""
    window.open_file(CATCH)
    search = window.features["elements"].outline.search

    def click(button: Any) -> None:
        window.activateWindow()
        qtbot.waitUntil(window.isActiveWindow, timeout=20_000)
        button.setFocus()
        QTest.mouseClick(button, Qt.MouseButton.LeftButton)
        turns()

    run_view, control = window.bench.run_view, window.panels["run_control"]
    click(control.run)
    assert window.focusWidget() is window.bench.viewport
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    run_view.player.pause()
    QTest.keyClick(QApplication.focusWidget(), Qt.Key.Key_Space)
    assert run_view.player.is_playing
    window.panels.open("modes")
    click(window.panels["modes"].go)
    assert window.focusWidget() is window.bench.viewport
    # where there is no scene, no field takes the letters either
    window.panels.toggle_below_alone()
    control.live.setFocus()
    control.live.setEnabled(False)
    assert window.focusWidget() is not search
    assert not isinstance(window.focusWidget(), QLineEdit)
    control.live.setEnabled(True)
    window.panels.toggle_below_alone()
    assert search.text() == ""
    # Tab goes on as ever
    search.setFocus()
    QTest.keyClick(search, Qt.Key.Key_Tab)
    assert window.focusWidget() is not search
    assert window.focusWidget() is not window.bench.viewport


def test_long_names_of_runs_push_nothing(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    run_view, runs, inspector = (
        window.bench.run_view,
        window.panels["runs"],
        window.panels["inspector"],
    )
    window.bench.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    run_view.run()
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    run_view.switch(True)
    window.bench.document.select("segments/head")
    window.panels.open("runs")
    name = "optimum_of_belt_and_bag_" * 10
    run_view.runs.rename(run_view.runs.current, name)
    run_view.runs.rename(record, name)
    run_view.run_shown.emit()
    title = inspector.area.findChildren(Shortened)[0]
    qtbot.waitUntil(lambda: name in title.text(), timeout=20_000)
    assert "…" in title.shown
    assert title.shown.endswith("ms")
    form = inspector.area.widget()
    turns()
    assert form.width() <= inspector.area.viewport().width() < 420
    assert runs.minimumSizeHint().width() < 600
    assert window.status.words.minimumSizeHint().width() == 0


def test_figures_and_quantities_are_shown_by_their_names(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In the list of runs, below the timeline, in what a study can ask, in a table of numbers."""
    window.open_file(CATCH)
    document, run_view = window.bench.document, window.bench.run_view
    document.edit("outputs/HIC/name", "Skull, as felt", "Name")
    document.edit("outputs/head_acceleration/name", "Felt by the skull", "Name")
    run_view.run()
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    record = run_view.runs.current
    tree = window.panels["runs"].tree
    assert "Skull, as felt" in [tree.headerItem().text(n) for n in range(tree.columnCount())]
    window.panels.open("studies")
    window.features["studies"]._offer()
    offered = [one.text() for one in window.features["studies"].panel.setup.menu.actions()]
    assert "Skull, as felt" in offered
    assert any(one.startswith("Felt by the skull") for one in offered)
    assert not any("_" in one for one in offered), "no ids"
    names = record.trajectory.channel_names
    channels = _channels([(record, Wanted(name)) for name in names])
    assert not any("_" in one.name for one in channels)
    assert any(one.name.startswith("Felt by the skull") for one in channels)
    injury = {name: replace(one, name=f"passenger_2.{name}") for name, one in record.trajectory.injury.items()}  # fmt: skip
    monkeypatch.setattr(record.trajectory, "injury", injury)
    told = [one.words for one in marks(record.project, record.trajectory) if one.kind == "injury"]
    assert told == ["HIC36, Passenger 2"]
    # whatever people call it
    renamed = tuple(
        one.model_copy(update={"id": "felt"}) if one.id == "HIC" else one
        for one in record.project.outputs
    )
    project = record.project.model_copy(update={"outputs": renamed})
    monkeypatch.setattr(record.trajectory, "injury", {"felt": replace(injury["HIC"], name="felt")})
    told = [one.words for one in marks(project, record.trajectory) if one.kind == "injury"]
    assert told == ["Skull, as felt"]


def test_the_instant_that_is_written_is_that_of_the_picture(window: Any, qtbot: Any) -> None:
    """Pictures that follow each other come one later than the stage; so does the label, while time runs."""
    solved(window, qtbot)
    run_view, view, label = (
        window.bench.run_view,
        window.bench.viewport,
        window.panels["timeline"].readout,
    )
    run_view.player.pause()
    run_view.switch(True)
    seen: list[tuple[float, str, float]] = []

    def paint_over(_: Any) -> None:
        seen.append((view.picture.seen, label.text(), run_view.player.time))

    view.paint_over = paint_over
    try:
        # slow enough for some pictures, however long each takes
        run_view.player.set_speed(0.01)
        run_view.player.go(0.0)
        run_view.player.play()
        qtbot.waitUntil(
            lambda: sum(abs(at - now) > 1e-9 for at, _, now in seen) > 2, timeout=240_000
        )
        assert all(words == f"{1e3 * at:.1f} ms" for at, words, _ in seen)
        run_view.player.pause()
        qtbot.waitUntil(lambda: view.picture.seen == run_view.player.time, timeout=20_000)
        assert label.text() == f"{1e3 * run_view.player.time:.1f} ms"
    finally:
        del view.paint_over


def test_renaming_twice_says_nothing_on_the_terminal(window: Any, qtlog: Any) -> None:
    window.open_file(CATCH)
    window.features["elements"].outline.rename("segments/head")
    window.features["elements"].outline.rename("segments/head")
    window.bench.document.select("segments/head")
    assert not [one.message for one in qtlog.records if "editing failed" in one.message]


def test_a_menu_is_one_column_also_on_a_low_screen(window: Any) -> None:
    menu = window.menus.menu("insert")
    option = QStyleOption()
    option.initFrom(menu)
    assert menu.style().styleHint(QStyle.StyleHint.SH_Menu_Scrollable, option, menu)
    assert menu.sizeHint().height() < 800


def test_screen_readers_hear_the_timeline_as_a_slider(qtbot: Any) -> None:
    bar, asked = TimeBar(), list[float]()
    qtbot.addWidget(bar)
    bar.asked.connect(asked.append)
    bar.show_run(0.15, 0.15, [Mark(0.045, "Head on airbag", "touch")])
    bar.go(0.075)
    heard = QAccessible.queryAccessibleInterface(bar)
    assert heard.role() == QAccessible.Role.Slider
    assert heard.text(QAccessible.Text.Description) == "Head on airbag, 45.0 ms"
    assert (bar.minimum(), bar.value(), bar.maximum()) == (0, 75, 150)
    assert asked == []
    # what a screen reader sets is gone to
    bar.setValue(30)
    assert asked == [pytest.approx(0.03)]
