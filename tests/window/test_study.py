"""Run a model in the window, watch it, and look back at the model."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtTest import QTest

import manikin as mk
from app.run_view.marks import marks
from app.run_view.motion import Motion
from solver.engine.maths.rotation import about_axis
from solver.project import load_project
from solver.results import open_results, save_run
from solver.results.memory import MemoryTrajectory
from tests.models import base, project, segment
from tests.window.solving import CATCH, saved, solved
from tests.window.waiting import turns

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def test_a_run_is_solved_and_played(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    run_view = window.bench.run_view
    assert run_view.is_on
    assert window.panels["timeline"].isVisible()
    assert run_view.player.end == pytest.approx(record.duration_s)
    start = window.bench.viewport.grab().toImage()
    run_view.go(0.06)
    assert window.panels["timeline"].readout.text() == "60.0 ms"
    assert window.bench.viewport.grab().toImage() != start
    run_view.player.play()
    qtbot.waitUntil(lambda: run_view.player.time > 0.061, timeout=20_000)
    assert window.bench.viewport.picture._flows
    run_view.switch(False)
    assert not run_view.player.is_playing
    assert not window.bench.viewport.picture._flows
    turns()
    assert window.panels["run_control"].moods["build"].isChecked()


def test_touches_are_marked_where_they_begin_and_only_those_that_do() -> None:
    run = mk.run(mk.sample("sled"), until=0.12)
    table, project = run.trajectory.table("contacts"), run.model.project
    touching = table["penetration"] > 0.0
    begin = {
        f"contacts/{id_}": float(run.trajectory.time[touching[:, n].argmax()])
        for n, id_ in enumerate(table.ids)
        if touching[:, n].any() and not touching[0, n]
    }
    assert begin
    assert touching[0].any(), "some touch from the start"
    assert not touching.any(axis=0).all(), "some never touch"
    found = {m.element: m.time for m in marks(project, run.trajectory) if m.kind == "touch"}
    assert found == begin


def test_the_bag_is_seen_only_once_it_has_fired(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    words = [mark.words for mark in marks(record.project, record.trajectory)]
    assert [w.rsplit(" ", 1)[1] for w in words if w.startswith("Bag")] == ["fires", "full"]
    stage, run_view = window.bench.viewport._stage, window.bench.run_view
    bag = next(i for i in stage.items if i.shape.kind == "bag" and i.shape.framed)
    for t, seen in ((0.005, False), (0.06, True)):
        run_view.go(t)
        assert bag.is_seen is seen
    table, row = record.trajectory.table("airbags"), run_view.replay.motion.near(0.06)
    # cloth lies about the run's ellipsoid, with folds of a few millimetres to each side; the board dents it behind
    for laid, near in ((bag.laid, [25e-3, 5e-3, 5e-3]), (None, [1e-3] * 3)):
        bag.laid = laid
        low, high = bag.points().min(axis=0), bag.points().max(axis=0)
        assert np.all(np.abs(0.5 * (low + high) - table["position"][row, 0]) < near)


def test_a_drag_on_the_timeline_scrubs(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    bar = window.panels["timeline"].bar
    at = QPointF(bar.x_of(0.1), 12.0).toPoint()
    QTest.mouseClick(bar, Qt.MouseButton.LeftButton, pos=at)
    assert window.bench.run_view.player.time == pytest.approx(0.1, abs=0.2 / bar.width())
    assert not window.bench.run_view.player.is_playing


def test_a_model_with_errors_is_not_run(window: Any, tmp_path: Path) -> None:
    broken = tmp_path / "broken.json"
    data = json.loads(CATCH.read_text())
    data["airbags"][0]["panels"][0]["surface"] = "nothing"
    broken.write_text(json.dumps(data))
    window.open_file(broken)
    window.bench.run_view.run()
    assert window.bench.run_view.runs.records == []
    assert window.panels.front().widget is window.panels["problems"]


def test_results_open_with_their_model(window: Any, tmp_path: Path) -> None:
    from solver.running.simulation import simulate_to_file

    file = tmp_path / "catch.h5"
    simulate_to_file(load_project(CATCH), file)
    window.open_file(file)
    assert window.bench.has_project()
    assert window.bench.run_view.is_on
    assert window.bench.document.project == load_project(CATCH)


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


def test_the_scene_does_not_jump_when_a_run_begins(window: Any, qtbot: Any) -> None:
    window.open_file(CATCH)
    # empty problems fold away: a run shows its curves, and takes that room back
    window.panels.open("plots")
    size, bar = window.bench.viewport.size(), window.panels["timeline"].bar
    assert not bar.isEnabled()
    assert "F5" in bar.without
    window.bench.run_view.run()
    qtbot.waitUntil(lambda: window.bench.run_view.runs.running() is None, timeout=240_000)
    assert window.bench.viewport.size() == size
    assert bar.isEnabled()


def test_results_are_saved_and_read_back(window: Any, qtbot: Any, tmp_path: Path) -> None:
    record = solved(window, qtbot)
    file = tmp_path / "saved.h5"
    saved(qtbot, window.features["runs"].save(record, file))
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


def test_what_falls_far_is_in_the_picture_once_its_run_is_over(window: Any, qtbot: Any) -> None:
    """Let a ball fall 1.8 m away from one that is thrown up, out of the picture: the camera steps back as soon as it is known how far."""
    balls = [
        segment(name) | {"surfaces": [{"id": name, "kind": "ellipsoid", "semi_axes_m": [0.5, 0.5, 0.5]}]}
        for name in ("ball", "other")
    ]  # fmt: skip
    thrown = {"segment": "other", "position_m": [1, 0, 0], "velocity_m_per_s": [0, 0, -6]}
    window.bench.document.adopt(project(base(duration=0.6, segments=balls, initial={"roots": [{"segment": "ball"}, thrown]})))  # fmt: skip
    run_view, view = window.bench.run_view, window.bench.viewport
    run_view.run()
    qtbot.waitUntil(
        lambda: run_view.runs.records and run_view.runs.running() is None, timeout=240_000
    )

    def is_seen(t: float) -> bool:
        run_view.go(t)
        at = view.pixel_of("segments/ball")
        return at is not None and 0.0 < at.y() < view.height()

    # as it is looked at while the run has only begun; at its end it is far from where it was looked for
    for end in (0.0, 0.6):
        run_view.go(0.0)
        view.fit()
        assert not is_seen(0.6)
        run_view.go(end)
        run_view._follows = True
        run_view._on_ended(run_view.runs.current)
        assert is_seen(0.0)
        assert is_seen(0.6)
    # unless one has gone nearer by oneself
    distance = view.stage.camera.distance = 0.2 * view.stage.camera.distance
    run_view._follows = True
    run_view._on_ended(run_view.runs.current)
    assert view.stage.camera.distance == distance


def test_the_model_is_taken_back_from_a_run(window: Any, qtbot: Any) -> None:
    record = solved(window, qtbot)
    window.bench.document.edit("segments/head/mass_kg", 9.0, "Change the mass")
    assert window.bench.run_view.is_outdated(record)
    window.panels["runs"].restore_asked.emit(record)
    assert not window.bench.run_view.is_outdated(record)
    window.bench.document.history.undo()
    assert window.bench.document.project.segments[0].mass_kg == 9.0


def test_a_movie_is_written_from_the_window(window: Any, qtbot: Any, tmp_path: Path) -> None:
    solved(window, qtbot)
    window.bench.document.select("segments/head")
    window.features["runs"].ride()
    dialog = window.features["movie"].film()
    assert dialog is not None
    dialog.end.setValue(8.0)
    dialog.size_.setCurrentIndex(3)
    with qtbot.waitSignal(dialog.written, timeout=240_000):
        dialog.write(tmp_path / "a.mp4")
    assert (tmp_path / "a.mp4").stat().st_size > 1000
    dialog = window.features["movie"].film()
    dialog.size_.setCurrentIndex(3)
    dialog.write(tmp_path / "b.mp4")
    qtbot.waitUntil(lambda: dialog.progress.value() > 2, timeout=20_000)
    filming = dialog._filming
    QTest.mouseClick(dialog.cancel_button, Qt.MouseButton.LeftButton)
    assert filming.wait(20.0)
    assert [f.name for f in tmp_path.iterdir() if f.is_file()] == ["a.mp4"]


@pytest.mark.own_window
def test_closing_the_window_ends_a_movie_and_leaves_nothing(
    window: Any, qtbot: Any, tmp_path: Path
) -> None:
    solved(window, qtbot)
    dialog = window.features["movie"].film()
    dialog.write(tmp_path / "a.mp4")
    qtbot.waitUntil(lambda: dialog.progress.value() > 1, timeout=20_000)
    filming = dialog._filming
    window.close()
    assert filming.wait(5.0), "the program could not end"
    assert [f.name for f in tmp_path.iterdir() if f.is_file()] == []


def test_time_is_shuttled_by_three_keys(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    player, keys = window.bench.run_view.player, Qt.Key
    window.bench.run_view.go(0.1)
    usual = player.speed

    def press(key: Qt.Key) -> None:
        QTest.keyClick(window.bench.viewport, key)

    window.activateWindow()
    qtbot.waitUntil(window.isActiveWindow, timeout=20_000)
    window.bench.viewport.setFocus()
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
    window.bench.run_view.go(0.0005)
    press(keys.Key_J)
    qtbot.waitUntil(lambda: not player.is_playing, timeout=20_000)
    assert player.time == 0.0, "it ends at the start"
