"""Run a model in the window, watch it, and look back at the model."""

from __future__ import annotations

import json
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QFontMetricsF
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QDialog, QFileDialog, QMessageBox

from app.actions import ACTIONS
from app.plots.curves import Curve, Wanted
from app.study.marks import marks
from app.study.motion import Motion
from app.study.runs import Runs
from app.study.solving import Solving
from solver.maths.rotation import about_axis
from solver.places import samples
from solver.project import Project, load_project, to_json
from solver.results import open_results, save_run
from solver.results.memory import MemoryTrajectory
from tests.test_watch import scene

pytestmark = pytest.mark.window

CATCH = samples() / "airbag_catch.json"


def solved(window: Any, qtbot: Any, file: Path = CATCH) -> Any:
    window.open_file(file)
    QTest.mouseClick(window.run_control.run, Qt.MouseButton.LeftButton)
    qtbot.waitUntil(lambda: window.study.runs.running() is None, timeout=240_000)
    record = window.study.runs.current
    assert (record.status, record.message) == ("completed", "")
    return record


def saved(qtbot: Any, task: Any) -> None:
    """Wait until a file is written in the background."""
    with qtbot.waitSignal(task.done, timeout=60_000):
        pass


def test_a_run_is_solved_and_played(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    study = window.study
    assert study.is_on
    assert window.timeline.isVisible()
    assert study.player.end == pytest.approx(record.duration_s)
    start = window.viewport.grab().toImage()
    study.go(0.06)
    assert window.timeline.readout.text() == "60.0 ms"
    assert window.viewport.grab().toImage() != start
    study.player.play()
    qtbot.waitUntil(lambda: study.player.time > 0.061, timeout=10_000)
    study.switch(False)
    assert not study.player.is_playing
    assert window.run_control.model.isChecked()


def test_the_bag_is_seen_only_once_it_has_fired(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    words = [mark.words for mark in marks(record.project, record.trajectory)]
    assert [w.rsplit(" ", 1)[1] for w in words if w.startswith("Bag")] == ["fires", "full"]
    stage, study = window.viewport._stage, window.study
    bag = next(i for i in stage.items if i.shape.kind == "bag" and i.shape.framed)
    for t, seen in ((0.005, False), (0.06, True)):
        study.go(t)
        assert bag.is_seen is seen
    table, row = record.trajectory.table("airbags"), study.replay.motion.near(0.06)
    low, high = bag.points().min(axis=0), bag.points().max(axis=0)
    assert 0.5 * (low + high) == pytest.approx(table["position"][row, 0], abs=1e-3)


def test_what_passed_through_is_told_until_it_is_read_and_marked(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    """A ball falls onto a floor far too soft for it."""
    soft = {"id": "law", "kind": "kelvin_voigt", "stiffness_n_per_m": 1.0}
    roots = [{"segment": "ball", "position_m": [0.0, 0.0, -0.2]}]
    file = tmp_path / "ball.json"
    file.write_text(to_json(scene(contact_laws=[soft], initial={"roots": roots})))
    record = solved(window, qtbot, file)
    assert window.notice.isVisible()
    assert "passed through" in window.notice.words.text()
    assert "floor" in window.notice.words.text().casefold()
    found = marks(record.project, record.trajectory)
    (mark,) = [m for m in found if m.kind == "through"]
    assert mark.element == "segments/ball"
    assert "too deep" in mark.words


def test_a_drag_on_the_timeline_scrubs(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    bar = window.timeline.bar
    at = QPointF(bar.x_of(0.1), 12.0).toPoint()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=at)
    assert window.study.player.time == pytest.approx(0.1, abs=0.2 / bar.width())
    assert not window.study.player.is_playing


def test_a_model_with_errors_is_not_run(window: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    data = json.loads(CATCH.read_text())
    data["airbags"][0]["panels"][0]["surface"] = "nothing"
    broken.write_text(json.dumps(data))
    window.open_file(broken)
    window.study.run()
    assert window.study.runs.records == []
    assert window.drawer.currentWidget() is window.problems


def test_results_open_with_their_model(window: Any, tmp_path: Path) -> None:
    from solver.simulation import simulate_to_file

    file = tmp_path / "catch.h5"
    simulate_to_file(load_project(CATCH), file)
    window.open_file(file)
    assert window.shows_project()
    assert window.study.is_on
    assert window.document.project == load_project(CATCH)


def test_a_broken_results_file_is_explained(window: Any, tmp_path: Path) -> None:
    file = tmp_path / "none.h5"
    file.write_bytes(b"nothing")
    window.open_file(file)
    assert window.pages.currentWidget() is window.unreadable
    assert "not HDF5" in window.unreadable.sentences.text()


def test_back_from_a_broken_file_the_status_line_speaks_of_the_project(
    window: Any, tmp_path: Path
) -> None:
    window.open_file(CATCH)
    hint = window.status.words.text()
    file = tmp_path / "run.h5"
    file.write_bytes(b"nothing")
    window.say("Something was done.")
    window.open_file(file)
    window.unreadable.back.click()
    assert window.shows_project()
    assert window.status.words.text() == hint


def test_a_run_can_be_held_and_cancelled() -> None:
    project = load_project(CATCH)
    run = project.runs[0].model_copy(update={"duration_s": 60.0})
    solving = Solving(project.model_copy(update={"runs": (run,)}))
    solving.start()
    begun = threading.Event()
    while not begun.wait(0.01):
        if solving.fraction > 0.0 or not solving.is_running:
            begun.set()
    solving.pause()
    assert solving.is_paused
    solving.cancel()
    assert solving.wait(60.0)
    assert solving.status == "cancelled"
    assert solving.trajectory is not None
    assert solving.trajectory.status == "cancelled"


def test_a_crash_of_the_solver_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    from solver.simulation import Simulation

    def crash(*_: object) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(Simulation, "go", crash)
    solving = Solving(load_project(CATCH))
    solving.start()
    assert solving.wait(60.0)
    assert solving.status == "failed"
    assert "ZeroDivisionError" in solving.message
    assert "test_study" in solving.details


def test_poses_between_frames_lie_on_the_shorter_arc() -> None:
    memory = MemoryTrajectory({"segments": ("a",)}, (), b"{}")
    zero = np.zeros((1, 3))
    for n, angle in enumerate((0.0, 0.3)):
        half = 0.5 * angle
        q = np.array([[np.cos(half), 0.0, np.sin(half), 0.0]]) * (-1.0) ** n
        memory.add_frame(
            0.1 * n,
            {
                "segments": {
                    "position": zero + n, "quaternion_wxyz": q, "velocity": zero,
                    "angular_velocity": zero, "acceleration": zero, "angular_acceleration": zero,
                }
            },
        )  # fmt: skip
    pose = Motion(memory).pose(0.05)
    assert pose["a"].p_W == pytest.approx([0.5, 0.5, 0.5])
    assert pytest.approx(about_axis("y", 0.15), abs=1e-12) == pose["a"].R_WS


def test_a_failed_run_is_told_until_it_is_read(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    from solver.simulation import Simulation

    def crash(*_: object) -> None:
        raise ZeroDivisionError("no")

    monkeypatch.setattr(Simulation, "go", crash)
    window.open_file(CATCH)
    window.study.run()
    qtbot.waitUntil(window.notice.isVisible, timeout=60_000)
    assert "Run 1 failed" in window.notice.words.text()
    window.notice.buttons[0].click()
    details = QApplication.clipboard().text()
    assert "ZeroDivisionError: no" in details
    assert "PySide6" in details


def test_a_run_that_makes_energy_is_told_until_it_is_read(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    data = json.loads((samples() / "double_pendulum.json").read_text(encoding="utf-8"))
    twisted = {"kind": "ball", "torsion": {"linear_nm_per_rad": 50.0}, "torque_law": "printed"}
    data["joints"][1] |= twisted
    data["joints"][1]["child_frame"]["orientation"] = {"angles_rad": [0.0, 0.6, 0.3]}
    data["initial"]["joints"] = [{"joint": "elbow", "values": [0.3, 0.6, 0.4]}]
    data["runs"][0] = {"id": "run", "duration_s": 0.2}
    file = tmp_path / "twisted.json"
    file.write_text(json.dumps(data), encoding="utf-8")
    record = solved(window, qtbot, file)
    assert record.name in window.notice.words.text()
    assert "joint springs gave" in window.notice.words.text()
    assert window.notice.isVisible()


def test_figures_and_curves_of_an_older_model_are_said_to_be_old(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    assert window.drawer.currentWidget() is window.plots, "a run shows its curves"
    assert "HIC36 is 301" in window.status.words.text()
    assert not window.drawer._remark.isVisible()
    window.drawer.open("injury")
    bright = window.injury.tree.topLevelItem(0).foreground(1)
    window.document.edit("segments/head/mass_kg", 3.0, "Change the mass")
    assert window.drawer._remark.text() == (
        f"The model has changed since {record.name}; F5 runs it again."
    )
    assert window.injury.tree.topLevelItem(0).foreground(1) != bright
    window.editing.undo()
    assert not window.drawer._remark.isVisible()


def test_words_below_the_timeline_have_room_and_keep_their_verb(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    bar = window.timeline.bar
    labels = bar.labels(QFontMetricsF(bar.font()))
    assert {"Bag fires", "Bag is full", "HIC36"} <= {words for _, words, _ in labels}
    mark, _, place = next(one for one in labels if one[1] == "Bag fires")
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=(place + QPointF(20.0, -4.0)).toPoint())
    assert window.study.player.time == pytest.approx(mark.time)
    assert window.document.selection == mark.element


def test_the_scene_does_not_jump_when_a_run_begins(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    # empty problems fold away: a run shows its curves, and takes that room back
    window.drawer.open("plots")
    size, bar = window.viewport.size(), window.timeline.bar
    assert not bar.isEnabled()
    assert "F5" in bar.without
    window.study.run()
    qtbot.waitUntil(lambda: window.study.runs.running() is None, timeout=60_000)
    assert window.viewport.size() == size
    assert bar.isEnabled()


def test_live_solves_again_after_a_change(window: Any, qtbot: Any) -> None:
    first = solved(window, qtbot)
    window.run_control.live.setChecked(True)
    assert window.study.ghost is first
    for mass in (5.0, 6.0, 7.0):
        window.document.edit("segments/head/mass_kg", mass, "Change the mass")
    study = window.study
    qtbot.waitUntil(
        lambda: study.runs.current is not first and not study.is_outdated(study.runs.current),
        timeout=60_000,
    )
    assert not study.is_on, "the model stays in the scene while it is changed"
    assert [r.name for r in study.runs.records] == ["Run 1", "Live"]
    window.drawer.open("plots")
    plot = window.plots.plots[0]
    assert len(plot._lines) == 2 * len(plot.curves) > 0, "each curve has its ghost"
    window.run_control.live.setChecked(False)
    assert study.ghost is None


def test_results_are_saved_and_read_back(window: Any, qtbot: Any, tmp_path: Path) -> None:
    record = solved(window, qtbot)
    file = tmp_path / "saved.h5"
    saved(qtbot, window.desk.save(record, file))
    with open_results(file) as read:
        assert read.status == "completed"
        assert read.project_json == record.trajectory.project_json
        for name in record.trajectory.channel_names:
            assert np.array_equal(read.channel(name).value, record.trajectory.channel(name).value)
        for group in ("segments", "airbags", "energy"):
            ours, theirs = record.trajectory.table(group), read.table(group)
            assert ours.ids == theirs.ids
            for column in ours.columns:
                assert np.array_equal(ours[column], theirs[column]), (group, column)
        assert read.events() == record.trajectory.events() != ()
        assert dict(read.injury) == dict(record.trajectory.injury)
        copied = tmp_path / "copied.h5"
        assert save_run(read, copied, "x").read_bytes() == file.read_bytes()


def test_the_model_is_taken_back_from_a_run(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    window.document.edit("segments/head/mass_kg", 9.0, "Change the mass")
    assert window.study.is_outdated(record)
    window.runs.restore_asked.emit(record)
    assert not window.study.is_outdated(record)
    window.document.history.undo()
    assert window.document.project.segments[0].mass_kg == 9.0


def test_a_movie_is_written_from_the_window(window: Any, qtbot: Any, tmp_path: Path) -> None:
    solved(window, qtbot)
    window.document.select("segments/head")
    window.desk.ride()
    dialog = window.desk.film()
    assert dialog is not None
    dialog.end.setValue(20.0)
    dialog.size_.setCurrentIndex(3)
    with qtbot.waitSignal(dialog.written, timeout=60_000):
        dialog.write(tmp_path / "a.mp4")
    assert (tmp_path / "a.mp4").stat().st_size > 1000
    dialog = window.desk.film()
    dialog.write(tmp_path / "b.mp4")
    qtbot.waitUntil(lambda: dialog.progress.value() > 2, timeout=20_000)
    filming = dialog._filming
    QTest.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    assert filming.wait(20.0)
    assert [f.name for f in tmp_path.iterdir() if f.is_file()] == ["a.mp4"]


def test_closing_the_window_ends_a_movie_and_leaves_nothing(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    solved(window, qtbot)
    dialog = window.desk.film()
    dialog.write(tmp_path / "a.mp4")
    qtbot.waitUntil(lambda: dialog.progress.value() > 1, timeout=20_000)
    filming = dialog._filming
    window.close()
    assert filming.wait(5.0), "the program could not end"
    assert [f.name for f in tmp_path.iterdir() if f.is_file()] == []


def test_everything_may_be_pressed_while_a_run_goes_on(
    window: Any, qtbot: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No action breaks the window or the run, whatever order they come in."""
    for name in ("getOpenFileName", "getSaveFileName"):
        monkeypatch.setattr(QFileDialog, name, lambda *_, **__: ("", ""))
    monkeypatch.setattr(QMessageBox, "exec", lambda *_: QMessageBox.StandardButton.Cancel)
    failures: list[BaseException] = []
    monkeypatch.setattr(
        window.studio, "tell_failure", lambda kind, why, trace: failures.append(why)
    )
    project = load_project(CATCH)
    run = project.runs[0].model_copy(
        update={"duration_s": 2000.0, "channel_rate_hz": 500.0, "frame_interval_s": 0.01}
    )
    window.document.adopt(project.model_copy(update={"runs": (run,)}))
    window.study.run()
    qtbot.waitUntil(lambda: window.study.replay is not None, timeout=120_000)
    going = window.study.runs.running()
    leaves = {"file.quit", "file.close", "run.cancel", "file.window", "file.samples"}
    for action in ACTIONS:
        entry = window.menus.entries[action.id]
        if action.id in leaves or action.id.startswith("file.new") or not entry.isEnabled():
            continue
        entry.trigger()
        qtbot.wait(2)
        for dialog in window.findChildren(QDialog):
            dialog.close()
    assert going.status == "running"
    window.study.cancel()
    qtbot.waitUntil(lambda: going.status == "cancelled", timeout=30_000)
    assert failures == []


def test_a_window_that_is_slow_to_show_a_run_is_told_less_often(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    now, spent, told = 0.0, 0.0, []
    monkeypatch.setattr("app.study.runs.time.perf_counter", lambda: 10.0 + now)
    monkeypatch.setattr("app.study.runs.time.thread_time", lambda: spent)
    runs = Runs()
    for dear in (0.0, 0.012):
        told = []
        for n in range(100):
            now += 0.01
            if runs._may_tell():
                told.append(n)
                spent += dear
        each = np.diff(told)
        usual = 4 if dear == 0.0 else 20
        assert np.all(np.abs(each - usual) <= 1), "a tell of 12 ms comes every 200 ms"
        assert len(each) > 2


def test_the_scene_follows_a_run_that_goes_on(window: Any, qtbot: Any) -> None:
    """However long the window was busy with other things before."""
    window.open_file(samples() / "frontal.json")
    project = window.document.project
    longer = project.runs[0].model_copy(update={"duration_s": 0.5})
    window.document.replace(project.model_copy(update={"runs": (longer,)}), "Run for longer")
    study, seen, pictures = window.study, [], []
    study.runs._spent -= 30.0
    study.shown.connect(lambda t: study.runs.running() is not None and seen.append(t))
    study.run()

    def ends() -> bool:
        if study.runs.running() is not None:
            pictures.append(window.viewport.screen.is_fine)
            return False
        return True

    qtbot.waitUntil(ends, timeout=240_000)
    ahead = sorted({round(t, 4) for t in seen if t > 0.0})
    assert len(ahead) > 1, "the scene stood still"
    assert not pictures[-1], "fine pictures are left until the end"
    study.player.pause()
    qtbot.waitUntil(lambda: window.viewport.screen.is_fine, timeout=20_000)


def test_axes_of_curves_that_grow_stand_still(window: Any) -> None:
    window.open_file(CATCH)
    window.drawer.open("plots")
    plot = window.plots.plots[0]
    box = plot.view.getPlotItem().vb
    time = np.linspace(0.0, 50.0, 200)
    ranges = []
    for n in (60, 70, 200):
        grown = Curve(Wanted("a"), "a", "N", time[:n], np.sin(0.3 * time[:n]))
        plot.show_curves([grown], until_ms=100.0)
        ranges.append([list(side) for side in box.viewRange()])
    assert ranges[0] == ranges[1] == ranges[2]
    assert ranges[0][0][1] >= 100.0
    plot.show_curves([grown])
    QApplication.processEvents()
    assert box.viewRange()[0][1] < 60.0
    box.setXRange(10.0, 20.0)
    box.sigRangeChangedManually.emit([True, True])
    plot.show_curves([grown], until_ms=100.0)
    assert box.viewRange()[0][1] < 30.0, "a range that was chosen by hand stays"


def test_time_is_shuttled_by_three_keys(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    player, keys = window.study.player, Qt.Key
    window.study.go(0.1)
    usual = player.speed

    def press(key: Qt.Key) -> None:
        QTest.keyClick(window.viewport, key)

    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=20_000)
    window.viewport.setFocus()
    press(keys.Key_J)
    assert player.is_playing
    qtbot.waitUntil(lambda: player.time < 0.099, timeout=20_000)
    assert player.speed == usual
    press(keys.Key_J)
    assert player.speed == 2.0 * usual
    press(keys.Key_K)
    assert not player.is_playing
    press(keys.Key_L)
    before = player.time
    qtbot.waitUntil(lambda: player.time > before, timeout=20_000)
    press(keys.Key_L)
    assert player.speed == pytest.approx(4.0 * usual)
    press(keys.Key_K)
    player.set_loops(False)
    window.study.go(0.0005)
    press(keys.Key_J)
    qtbot.waitUntil(lambda: not player.is_playing, timeout=20_000)
    assert player.time == 0.0, "it ends at the start"


def test_compiling_is_no_part_of_what_a_run_took() -> None:
    solving = Solving(Project())
    solving.is_first_on_machine, solving.stage = True, "solving"
    solving._since = time.perf_counter() - 500.0
    solving._progress(0.001)
    assert solving.wall_s < 100.0
    solving._since -= 200.0
    solving._progress(0.5)
    assert solving.wall_s > 200.0, "what comes after the first steps is the run's own"
