"""In German no word of the window is cut, neither in large letters nor on a small screen."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import suppress
from typing import Any

import pytest
from PySide6.QtCore import QCoreApplication, QTranslator
from PySide6.QtGui import QKeySequence
from PySide6.QtWidgets import QApplication

from app.features.all import MENUS
from app.settings import Settings
from app.shell.opening import choose_language
from solver.base import words
from solver.base.places import samples
from tests.window.playing import cut
from tests.window.solving import solved
from tests.window.test_dialogs import hold, opened
from tests.window.waiting import turns, until

pytestmark = pytest.mark.window
LOWEST = 668
SIZES = ((1280, 800, "usual"), (1024, 700, "usual"), (1280, 800, "huge"))


@pytest.fixture
def german(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the program speak German."""
    monkeypatch.setenv(words.LANGUAGE, "de")
    words.catalogue.cache_clear()
    yield
    words.catalogue.cache_clear()


def look(window: Any) -> Iterator[str]:
    """Look at all moods of the window, every panel in front once."""
    for mood in ("build", "run", "understand"):
        window.panels.show_mood(mood)
        for panel in window.panels.all("left", "right", "below"):
            if mood in panel.moods:
                window.panels.open(panel.name)
                # what is told of a run comes in turns, and lines that wrap find their height
                with suppress(AssertionError):
                    until(lambda: not list(cut(window)), 20.0)
                yield from (f"{mood}, {panel.name}: {one}" for one in cut(window))


def seen(window: Any, qtbot: Any) -> list[str]:
    """Run a sample, and look at all in every size; give what is cut."""
    solved(window, qtbot, samples() / "lap_belt.json")
    window.bench.run_view.player.pause()
    left: list[str] = []
    for width, height, size in SIZES:
        window.application.choose("text_size", size)
        window.resize(width, height)
        turns()
        left += [f"{width} x {height}, {size}, {one}" for one in look(window)]
    return left


def test_no_word_of_the_window_is_cut(german: None, window: Any, qtbot: Any) -> None:
    found = seen(window, qtbot)
    assert not found, "\n".join(found)


def test_no_word_of_the_dialogs_is_cut(german: None, window: Any, qtbot: Any) -> None:
    solved(window, qtbot, samples() / "lap_belt.json")
    window.bench.run_view.player.pause()
    for size in ("usual", "huge"):
        window.application.choose("text_size", size)
        for sheet in opened(window):
            qtbot.waitUntil(lambda s=sheet: not getattr(s, "is_busy", False), timeout=240_000)
            turns()
            hold(sheet)


def test_menus_fit_a_small_screen(german: None, window: Any) -> None:
    heights = {name: window.menus.menu(name).sizeHint().height() for name in MENUS}
    assert max(heights.values()) <= LOWEST, heights
    bar = window.menuBar()
    window.resize(1024, 700)
    turns()
    ends = [bar.actionGeometry(one).right() for one in bar.actions()]
    assert max(ends) < bar.width(), "the last menus would be behind an arrow"
    letters = [QKeySequence.mnemonic(one.text()).toString() for one in bar.actions()]
    assert all(letters)
    assert len(set(letters)) == len(letters), letters


def test_the_language_is_that_of_the_preference(
    qapp: QApplication, monkeypatch: pytest.MonkeyPatch
) -> None:
    # what the program sets is taken back with this
    monkeypatch.setenv(words.LANGUAGE, "")
    os.environ.pop(words.LANGUAGE)
    settings = Settings()
    settings.keep("language", "de")
    before = qapp.findChildren(QTranslator)
    choose_language(settings, qapp)
    (of_qt,) = (one for one in qapp.findChildren(QTranslator) if one not in before)
    try:
        assert words.tr("Close") == "Schließen"
        assert QCoreApplication.translate("QPlatformTheme", "Cancel") == "Abbrechen"
    finally:
        qapp.removeTranslator(of_qt)
        of_qt.deleteLater()
        os.environ.pop(words.LANGUAGE, None)
        words.catalogue.cache_clear()
    # what the environment names comes before what was chosen
    monkeypatch.setenv(words.LANGUAGE, "en")
    choose_language(settings, qapp)
    assert words.tr("Close") == "Close"
    words.catalogue.cache_clear()
