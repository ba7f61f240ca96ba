"""Ask by mouse and keys why a figure is what it is, and have a run explained."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PySide6.QtCore import QPointF, Qt
from PySide6.QtGui import QDesktopServices
from PySide6.QtWidgets import QFileDialog

from solver.analysis.acting.messages import shares_at
from solver.base.places import samples
from tests.window.playing import Play
from tests.window.solving import solved

pytestmark = pytest.mark.window


def test_why_the_chest_figure_is_what_it_is_takes_two_clicks(
    window: Any, qtbot: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    solved(window, qtbot, samples() / "sled.json")
    play, bench = Play(window, qtbot, "explaining"), window.bench
    acting, injury = window.features["acting"].panel, window.panels["injury"]
    window.panels.open("plots")
    tabs, place = window.panels.tab("injury")
    play.click(tabs, QPointF(place.center()))
    items = [injury.tree.topLevelItem(n) for n in range(injury.tree.topLevelItemCount())]
    item = next(one for one in items if injury._figures[id(one)].part == "upper_torso")
    figure = injury._figures[id(item)]
    injury.tree.scrollToItem(item)
    cell = injury.tree.visualRect(injury.tree.indexFromItem(item, 10))
    assert cell.right() < injury.tree.viewport().width(), "seen without scrolling"
    play.click(injury.tree.viewport(), QPointF(cell.center()))
    assert window.panels.is_front("acting")
    found = acting.account
    assert found is not None
    assert bench.document.selection == "segments/upper_torso"
    # the instant is that of the greatest acceleration in the figure's window
    at = bench.run_view.player.time
    assert figure.t1 - 1e-3 <= at <= max(figure.t2, figure.t1) + 1e-3
    frame = int(np.abs(found.time - at).argmin())
    inside = (found.time >= figure.t1) & (found.time <= figure.t2)
    sizes = np.linalg.norm(found.acceleration, axis=1)
    assert sizes[frame] == pytest.approx(sizes[inside].max(), rel=1e-9)
    words = acting.why.text()
    assert f"{figure.value:.4g}" in words
    row, share = shares_at(bench.document.project, found, frame)[0]
    assert row.source == "belts"
    assert f"{100.0 * share:.0f} %" in words
    bench.run_view.go(0.01)
    assert f"{figure.value:.4g}" not in acting.why.text(), "another instant is not the figure's"

    # by keys: the first row's figure, that of the head
    window.panels.open("injury")
    injury.tree.setFocus()
    injury.tree.setCurrentItem(injury.tree.topLevelItem(0))
    play.key(Qt.Key.Key_Y, Qt.KeyboardModifier.ShiftModifier)
    assert window.panels.is_front("acting")
    assert bench.document.selection == "segments/head"

    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **_: (str(tmp_path / a[2]), ""))
    play.key(Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier)
    page = tmp_path / "explained.html"
    play.until(page.exists, 120.0)
    text = page.read_text(encoding="utf-8")
    assert "What happened" in text
    assert "The chest is accelerated most" in text
    # what was written can be opened by a click, and its folder; the next dialog begins there
    opened: list[str] = []
    monkeypatch.setattr(QDesktopServices, "openUrl", lambda url: opened.append(url.toLocalFile()))
    play.until(window.status.open.isVisible)
    play.click(window.status.open)
    play.click(window.status.folder)
    assert opened == [str(page), str(tmp_path)]
    asked: list[str] = []

    def answer(*given: Any) -> tuple[str, str]:
        asked.append(given[2])
        return str(tmp_path / "other.html"), ""

    monkeypatch.setattr(QFileDialog, "getSaveFileName", answer)
    page.unlink()
    play.key(Qt.Key.Key_E, Qt.KeyboardModifier.ShiftModifier)
    play.until((tmp_path / "other.html").exists, 120.0)
    assert asked == [str(page)]
    assert bench.ask_name("explained", "", "explained.html", "")[0]
    assert asked[1] == str(tmp_path / "other.html"), "the name of last time"
    monkeypatch.setattr(QFileDialog, "getSaveFileName", lambda *a, **_: (str(tmp_path / a[2]), ""))
    play.key(Qt.Key.Key_O, Qt.KeyboardModifier.ShiftModifier)
    play.until((tmp_path / "presentation.html").exists, 120.0)
    assert "What makes it" in (tmp_path / "presentation.html").read_text(encoding="utf-8")
