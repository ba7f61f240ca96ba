"""First five minutes: welcome, the default sample, run, watch, read, drag a belt anchor, hand it on."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtWidgets import QFileDialog

from app.features.movie.dialogs import MovieDialog
from tests.window.playing import CTRL, Play

pytestmark = pytest.mark.window

BELT = "harnesses/driver_three_point_belt"
UPPER = "straps/0/points/18"
"""The ring at the pillar through which the shoulder strap runs."""


def seen(window: Any, element: str) -> QPointF:
    """Find a place of the scene at which an element is seen, as an eye does: near its middle first."""
    view = window.bench.viewport
    middle = view.pixel_of(element) or QPointF(view.rect().center())
    across, up = range(40, view.width() - 120, 8), range(40, view.height() - 40, 8)
    places = (QPointF(x, y) for x in across for y in up)
    nearest = sorted(places, key=lambda at: (at - middle).manhattanLength())
    return next(at for at in nearest if view.element_at(at) == element)


def anchor(window: Any) -> np.ndarray[Any, Any]:
    return np.array(window.bench.document.project.harnesses[0].straps[0].points[18].position_m)


def figure(window: Any, column: int = 1) -> float:
    row = window.panels["injury"].tree.topLevelItem(0)
    assert row.text(0).startswith("HIC15")
    return float(row.text(column).split()[0])


@pytest.mark.usefixtures("drawn_cards")
def test_from_the_welcome_to_a_movie_and_a_report(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    play = Play(window, qtbot, "first_five_minutes")
    cards = window.panels["welcome"].cards
    in_view = [card for card in cards[:8] if not card.visibleRegion().isEmpty()]
    play.until(lambda: all(not card.picture.pixmap().isNull() for card in in_view))
    play.looks("welcome")
    assert "airbag" in cards[0].accessibleName()
    play.click(cards[0])
    play.until_checked()
    play.looks("model")

    play.key(Qt.Key.Key_F5)
    play.step("runs")
    record = play.until_solved()
    assert record.status == "completed"
    run_view = window.bench.run_view
    play.until(lambda: run_view.player.is_playing and run_view.player.time > 0.0)
    play.key(Qt.Key.Key_Space)
    assert not run_view.player.is_playing
    bar = window.panels["timeline"].bar
    play.click(bar, QPointF(bar.x_of(0.075), 12.0))
    play.looks("watched")

    tabs, place = window.panels.tab("injury")
    play.click(tabs, QPointF(place.center()))
    before = figure(window)
    assert before == pytest.approx(run_view.runs.current.trajectory.injury["HIC15"].value, rel=1e-3)
    play.looks("injury")

    play.click(window.panels["run_control"].live)
    play.key(Qt.Key.Key_F7)
    play.click(window.bench.viewport, seen(window, BELT))
    assert window.bench.document.selection == BELT
    grip = next(g for g in window.features["placing"].move.grips if g.path == UPPER)
    lens, old = window.bench.viewport.lens, anchor(window)
    at = QPointF(*lens.pixel(grip.p_W))
    # down along the pillar: so many pixels are five centimetres there
    down = QPointF(*lens.pixel(grip.p_W + np.array([0.0, 0.0, 0.05])))
    play.drag(window.bench.viewport, at, down)
    assert np.linalg.norm(anchor(window) - old) == pytest.approx(0.05, abs=0.01)
    play.step("dragged")
    play.until(lambda: run_view.runs.current is not record, 60.0)
    play.click(window.panels["run_control"].moods["understand"])
    assert not run_view.is_outdated(run_view.runs.current)
    assert figure(window) != before
    assert figure(window, 2) == before, "the run of before stays beside it"
    play.step("live")

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **_: (str(tmp_path / a[2]), ""))
    play.key(Qt.Key.Key_M, CTRL)
    dialog = play.dialog(MovieDialog)
    dialog.end.setFocus()
    play.key(Qt.Key.Key_A, CTRL)
    play.type("15 ms")
    play.key(Qt.Key.Key_Tab)
    dialog.size_.setCurrentIndex(2)
    play.step("movie")
    with qtbot.waitSignal(dialog.written, timeout=240_000):
        play.click(dialog.write_button)
    assert (tmp_path / "run.mp4").stat().st_size > 1000
    dialog.close()
    play.come_back()
    play.key(Qt.Key.Key_R, CTRL)
    play.until(lambda: (tmp_path / "report.html").exists(), 60.0)
    page = (tmp_path / "report.html").read_text(encoding="utf-8")
    assert "Run 1" in page
    assert "Live" in page
    play.until(lambda: "report.html" in window.status.words.text())
    play.step("report_written")
