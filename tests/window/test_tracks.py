"""Tracks of markers in the window: seen beside the model, at the time of the run, as its pose, as its drivers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPoint, QPointF, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QFileDialog

import manikin as mk
from app.features.plots.tests_dialog import TestsDialog
from app.features.tracks.panel import gaps
from solver.analysis.tracking import fit_pose, follow
from solver.exchange.opensim import read_storage
from solver.project.pose import Placed, start_pose

pytestmark = [pytest.mark.window, pytest.mark.one_window]

LEFT = Qt.MouseButton.LeftButton
SEGMENTS = {"elbow": "upper", "tip": "lower"}
OFF = np.array([0.0, 0.0, 0.02])
"""What the tip is off in the file (m)."""


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """Write a double pendulum with two markers, and what a test saw of them: a run, the tip 20 mm off."""
    folder = tmp_path_factory.mktemp("tracks")
    model = mk.sample("double_pendulum").until(0.2)
    for name, segment in SEGMENTS.items():
        model = model.add_marker(name, segment=segment, point_m=(0.0, 0.0, 0.5))
    run = mk.run(model)
    point = [
        [run[f"segments/{s}[0,0,0.5]/position/{a}"].value for a in "xyz"] for s in SEGMENTS.values()
    ]
    places = np.transpose(point, (2, 0, 1))
    places[:, 1] += OFF
    model.save(folder / "pendulum.json")
    tracks = mk.Tracks(run.time + 1.0, ("elbow", "tip"), places)
    mk.save_tracks(folder / "tracks.csv", tracks)
    return folder / "pendulum.json", folder / "tracks.csv"


@pytest.fixture
def feature(
    window: Any, qtbot: Any, files: tuple[Path, Path], monkeypatch: pytest.MonkeyPatch
) -> Any:
    window.open_file(files[0])
    found = window.features["tracks"]
    monkeypatch.setattr(QFileDialog, "getOpenFileName", lambda *_: (str(files[1]), ""))
    window.panels.open("tracks")
    QTest.mouseClick(found.panel.open, LEFT)
    qtbot.waitUntil(lambda: found.tracks is not None, timeout=20_000)
    qtbot.waitUntil(lambda: "tip" in found.dots.pixels, timeout=20_000)
    return found


def cell(feature: Any, row: int, column: int) -> str:
    return str(feature.panel.tree.topLevelItem(row).text(column))


def test_a_riding_camera_takes_what_was_seen_along(files: tuple[Path, Path]) -> None:
    project = mk.load(files[0]).project
    pose, seen = start_pose(project), {"tip": np.array([0.1, 0.2, 0.3])}
    still = {one.name: one for one in gaps(project, pose, seen, ("tip", "other"))}
    c = np.cos(0.3), np.sin(0.3)
    R, p = (
        np.array([[c[0], -c[1], 0.0], [c[1], c[0], 0.0], [0.0, 0.0, 1.0]]),
        np.array([1.0, 2.0, 3.0]),
    )
    carried = {n: Placed(R @ at.R_WS, R @ at.p_W + p) for n, at in pose.items()}
    rides = {one.name: one for one in gaps(project, carried, seen, ("tip", "other"))}
    assert still["tip"].way == pytest.approx(rides["tip"].way)
    assert rides["tip"].seen == pytest.approx(R @ seen["tip"] + p)
    assert still["elbow"].seen is None
    assert np.isnan(still["elbow"].size)
    assert still["other"].own is None


def test_markers_are_seen_and_named_beside_the_model(feature: Any, qtbot: Any) -> None:
    view, panel = feature.bench.viewport, feature.panel
    # where the model stands at the start, only the tip is off, by 20 mm upward
    assert float(cell(feature, 0, 1)) == pytest.approx(0.0, abs=1e-3)
    assert [float(cell(feature, 1, n)) for n in (1, 4)] == pytest.approx([20.0, 20.0], rel=1e-3)
    assert "14.14 mm" in panel.words.text()
    tip = feature.dots.pixels["tip"]
    assert np.hypot(*(view.lens.pixel(feature.gaps()[1].own) - (tip.x(), tip.y()))) > 2.0
    at = QPoint(round(tip.x()), round(tip.y()))
    QTest.mouseMove(view, at)
    qtbot.waitUntil(lambda: feature.dots.hovered == "tip", timeout=20_000)
    QTest.mouseClick(view, LEFT, pos=at)
    assert panel.tree.currentItem().text(0) == "tip"
    assert feature.dots.selected == "tip"
    panel.tree.topLevelItem(1).setCheckState(0, Qt.CheckState.Unchecked)
    assert panel.weights() == {"tip": 0.0}
    assert "14.14" not in panel.words.text()


def test_dots_go_along_with_the_run(feature: Any, qtbot: Any) -> None:
    run_view = feature.bench.run_view
    run_view.run()
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    feature.bench.panels.open("tracks")
    assert feature.bench.panels.mood == "run", "they stand beside a run as well"
    run_view.go(0.1)
    assert feature.time == pytest.approx(1.0 + run_view.player.time)
    assert float(cell(feature, 0, 1)) == pytest.approx(0.0, abs=0.05)
    assert float(cell(feature, 1, 4)) == pytest.approx(20.0, rel=1e-2)
    at = feature.bench.viewport.lens.pixel(feature.gaps()[1].seen)
    qtbot.waitUntil(lambda: feature.dots.pixels["tip"] == QPointF(*at), timeout=20_000)
    moved = dict(feature.dots.pixels)
    feature.panel.slider.setValue(0)
    assert run_view.player.time == pytest.approx(0.0)
    qtbot.waitUntil(lambda: feature.dots.pixels["tip"] != moved["tip"], timeout=20_000)
    feature.panel.begin.setValue(0.9)
    assert feature.time == pytest.approx(0.9)
    assert cell(feature, 0, 5) == "not seen"


def test_the_pose_is_one_step_and_the_command_s_own(feature: Any, qtbot: Any) -> None:
    document, panel = feature.bench.document, feature.panel
    panel.slider.setValue(len(feature.tracks.time) - 1)
    before = document.project
    exact = fit_pose(before, feature.tracks.at(1.2))
    QTest.mouseClick(panel.pose, LEFT)
    qtbot.waitUntil(lambda: document.project is not before, timeout=240_000)
    assert document.project.initial == exact.project.initial
    assert f"{1e3 * exact.rms:.4g} mm" in panel.found.text()
    document.undo()
    assert document.project == before


def test_drivers_lead_the_model_along_the_tracks(feature: Any, qtbot: Any) -> None:
    document, panel, run_view = feature.bench.document, feature.panel, feature.bench.run_view
    before = document.project
    panel.tree.topLevelItem(1).setCheckState(0, Qt.CheckState.Unchecked)
    QTest.mouseClick(panel.drivers, LEFT)
    qtbot.waitUntil(lambda: document.project is not before, timeout=240_000)
    assert len(document.project.drivers) == 2
    run_view.run()
    qtbot.waitUntil(lambda: run_view.runs.running() is None, timeout=240_000)
    run_view.go(0.15)
    assert float(cell(feature, 0, 1)) == pytest.approx(0.0, abs=0.05), "mm off at the elbow"
    document.undo()
    assert document.project == before
    # another project has no tracks
    feature.bench.document.adopt(before)
    assert feature.tracks is None
    assert feature.gaps() == []


def test_the_motion_is_written_for_opensim(feature: Any, qtbot: Any, tmp_path: Path) -> None:
    """The coordinates of every instant, as Python finds them; what is written is a curve to draw again."""
    file = tmp_path / "walk.mot"
    wanted = follow(feature.bench.document.project, feature.tracks)
    feature.save_motion(file)
    qtbot.waitUntil(lambda: file.exists() and feature.panel.open.isEnabled(), timeout=60_000)
    back = read_storage(file)
    assert [one.name for one in back] == [name for name, _, _ in wanted.named()]
    for one, (_, value, _) in zip(back, wanted.named(), strict=True):
        assert one.value == pytest.approx(value, abs=1e-9)
    plots = feature.bench.window.features["plots"]
    feature.bench.printed_asked.emit(file)
    qtbot.waitUntil(lambda: bool(feature.bench.window.findChildren(TestsDialog)), timeout=60_000)
    (dialog,) = feature.bench.window.findChildren(TestsDialog)
    assert dialog.list.count() == len(back)
    dialog.list.setCurrentRow(0)
    dialog.draw.click()
    assert plots.panel.active.measured[-1].name == back[0].name


def test_a_file_that_is_none_says_why(feature: Any, qtbot: Any, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong.csv"
    wrong.write_text("nothing\n", encoding="utf-8")
    tracks = feature.tracks
    feature.open(wrong)
    notice = feature.bench.window.notice
    qtbot.waitUntil(notice.isVisible, timeout=20_000)
    assert feature.tracks is tracks
    assert feature.panel.open.isEnabled()


def test_a_set_up_of_opensim_weighs_the_markers(feature: Any, qtbot: Any, tmp_path: Path) -> None:
    """With the tip alone in the set-up the pose is that of the tip alone; a marker without a tick does not count anyway."""
    setup = tmp_path / "ik.xml"
    setup.write_text('<IKTaskSet><objects><IKMarkerTask name="tip"><weight>3</weight></IKMarkerTask></objects></IKTaskSet>')  # fmt: skip
    feature.open(setup)
    qtbot.waitUntil(lambda: feature.tasks is not None, timeout=20_000)
    before = feature.bench.document.project
    feature.pose()
    qtbot.waitUntil(lambda: feature.bench.document.project is not before, timeout=20_000)
    wanted = fit_pose(before, {"tip": feature.tracks.at(feature.time)["tip"]})
    made = start_pose(feature.bench.document.project)
    assert made["lower"].p_W == pytest.approx(start_pose(wanted.project)["lower"].p_W, abs=1e-6)
    feature.bench.document.undo()
    assert feature.bench.document.project == before
