"""Present a run: the scene fills the screen, what happens is told in large letters, and Esc brings all back."""

from __future__ import annotations

from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest

from tests.window.solving import solved

pytestmark = [pytest.mark.window, pytest.mark.one_window]


def test_a_run_is_presented_and_the_window_comes_back(window: Any, qtbot: Any) -> None:
    assert not window.menus.entries["view.present"].isEnabled()
    solved(window, qtbot)
    run_view, view, caption = (
        window.bench.run_view,
        window.bench.viewport,
        window.features["present"].caption,
    )
    run_view.player.pause()
    run_view.go(0.05)
    was = view.size()
    window.menus.run("view.present")
    qtbot.waitUntil(window.isFullScreen, timeout=20_000)
    assert window.panels.is_scene_alone
    assert run_view.player.is_playing
    qtbot.waitUntil(lambda: view.width() > was.width(), timeout=20_000)
    bag = next(mark for mark in run_view.marks() if mark.kind == "bag")
    run_view.player.set_speed(0.01)
    assert bag.words in caption.told(bag.time)
    assert bag.words in caption.told(bag.time + 0.9 * 1.6 * 0.01)
    assert bag.words not in caption.told(bag.time + 1.1 * 1.6 * 0.01)
    assert bag.words not in caption.told(bag.time - 1e-6)
    view.setFocus()
    QTest.keyClick(view, Qt.Key.Key_Escape)
    qtbot.waitUntil(lambda: not window.isFullScreen(), timeout=20_000)
    assert not window.panels.is_scene_alone
    assert not caption.is_on
    assert not run_view.player.is_playing
    assert run_view.is_on


def test_who_had_the_scene_alone_keeps_it(window: Any, qtbot: Any) -> None:
    solved(window, qtbot)
    window.menus.run("view.scene_alone")
    window.menus.run("view.present")
    window.bench.run_view.switch(False)
    assert not window.features["present"].caption.is_on, "the model is not presented"
    assert window.panels.is_scene_alone
