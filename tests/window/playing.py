"""Play a story in a window with keys and mouse; every step leaves a picture, main views are compared.

Pictures of the steps go to `tests/artefacts`, which is no part of the project. Stored pictures are small
and compared in blocks, so that fonts and edges may differ, but not what stands where. Set
`MANIKIN_TAKE_PICTURES=1` to store the present views instead of comparing them; then look at them.
On another stage (`python -m tools.stories`) nothing is compared: pictures of all steps are kept, and what is cut in them is listed.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
from PySide6.QtCore import QPoint, QPointF, QSize, Qt
from PySide6.QtGui import QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import (
    QApplication,
    QLabel,
    QLineEdit,
    QPushButton,
    QScrollArea,
    QTabBar,
    QToolButton,
    QWidget,
)

from app.fonts import Shortened
from app.settings import Settings
from app.shell.palette import Palette
from solver.base.words import tr
from tests.window.waiting import turns, until_active
from tools.stories import folder, stage

ON = stage()
ARTEFACTS = folder(ON) if ON else Path(__file__).resolve().parent.parent / "artefacts"
STORED = Path(__file__).resolve().parent / "pictures"
LEFT = Qt.MouseButton.LeftButton
NONE = Qt.KeyboardModifier.NoModifier
CTRL = Qt.KeyboardModifier.ControlModifier
SHIFT = Qt.KeyboardModifier.ShiftModifier
_SIZE = QSize(*(ON.room if ON else (1366, 768)))
"""Of the windows in the stored pictures; more tiles of the welcome stand side by side in wider ones."""
_BLOCKS = (24, 14)
_FAR, _MEAN = 30.0, 3.0
"""How much one block, and all on average, may differ from the stored picture, of 255."""


class Play:
    """Do in a window what a person does, and keep pictures of it."""

    def __init__(self, window: Any, qtbot: Any, story: str, size: QSize | None = _SIZE) -> None:
        self.window, self.qtbot, self.story = window, qtbot, story
        self._steps = 0
        if size is not None:
            # the screen may be another one than that of the stored pictures
            window.resize(size)
        self.come_back()

    def come_back(self) -> None:
        """Bring the window to the front, as the desktop does once a dialog is closed."""
        self._bring(self.window)

    def _bring(self, window: QWidget) -> None:
        until_active(window)

    def dialog(self, kind: type) -> Any:
        """Give the dialog that is open, in front."""
        found = next(
            one
            for one in QApplication.topLevelWidgets()
            if isinstance(one, kind) and one.isVisible()
        )
        self._bring(found)
        return found

    # hands

    def key(self, key: Qt.Key, keys: Qt.KeyboardModifier = NONE) -> None:
        """Press a key where the keyboard is."""
        QTest.keyClick(self.focus, key, keys)
        turns(1)

    def type(self, text: str) -> None:
        """Type letters where the keyboard is."""
        QTest.keyClicks(self.focus, text)

    def click(self, widget: QWidget, at: QPointF | None = None, keys: Any = NONE) -> None:
        """Click a widget in the middle, or at a place."""
        assert widget.isEnabled()
        where = widget.rect().center() if at is None else at.toPoint()
        assert in_sight(widget, where), f"{widget} is hidden at {where}"
        QTest.mouseClick(widget, LEFT, keys, where)
        turns(1)

    def drag(self, widget: QWidget, start: QPointF, end: QPointF, keys: Any = NONE) -> None:
        """Press, move in steps, let go."""
        QTest.mouseMove(widget, start.toPoint())
        QTest.mousePress(widget, LEFT, keys, start.toPoint())
        for n in range(1, 7):
            QTest.mouseMove(widget, (start + (end - start) * n / 6).toPoint())
            turns(1)
        QTest.mouseRelease(widget, LEFT, keys, end.toPoint())
        turns(1)

    def choose(self, words: str) -> None:
        """Open the command palette, type, and press Enter."""
        self.key(Qt.Key.Key_K, CTRL)
        palette = next(w for w in self.window.findChildren(Palette) if w.isVisible())
        QTest.keyClicks(palette.field, words)
        QTest.keyClick(palette.field, Qt.Key.Key_Return)
        turns(1)

    def write(self, text: str) -> None:
        """Replace what stands in the field that has the keyboard, and press Enter."""
        self.key(Qt.Key.Key_A, CTRL)
        self.type(text)
        self.key(Qt.Key.Key_Return)

    @property
    def focus(self) -> QWidget:
        """Give the widget that has the keyboard."""
        return QApplication.focusWidget() or self.window

    # waiting

    def until(self, holds: Callable[[], object], seconds: float = 60.0) -> None:
        """Wait until something holds."""
        self.qtbot.waitUntil(lambda: bool(holds()), timeout=round(1000 * seconds))

    def until_checked(self) -> None:
        """Wait until the problems belong to the present version of the model."""
        document = self.window.bench.document
        self.until(lambda: document._checked is document.project)

    def until_solved(self) -> Any:
        """Wait until the present run is over; give its record."""
        runs = self.window.bench.run_view.runs
        self.until(lambda: runs.records and runs.running() is None, 240.0)
        return runs.current

    # eyes

    def picture(self) -> QImage:
        """Take a picture of the window with its dialogs and menus where they stand."""
        turns()
        whole = self.window.grab().toImage()
        with QPainter(whole) as painter:
            for other in QApplication.topLevelWidgets():
                if other is not self.window and other.isVisible() and other.width() > 1:
                    at = other.mapToGlobal(QPoint()) - self.window.mapToGlobal(QPoint())
                    painter.drawPixmap(at, other.grab())
        return whole

    def step(self, name: str) -> None:
        """Keep a picture of this step among the artefacts."""
        self._steps += 1
        kept = ARTEFACTS / self.story
        kept.mkdir(parents=True, exist_ok=True)
        self.picture().save(str(kept / f"{self._steps:02d}_{name}.png"))
        if ON:
            with (kept / "seen_in_part.txt").open("a", encoding="utf-8") as file:
                file.writelines(f"{self._steps:02d} {name}: {one}\n" for one in seen_in_part())

    def looks(self, name: str) -> None:
        """Hold the window beside the stored picture of a main view."""
        # what moves is drawn roughly; at rest it is drawn finely
        view = self.window.bench.viewport
        self.until(lambda: not view.isVisible() or view.picture.is_fine)
        self.step(name)
        if ON:
            return
        seen, file = self.picture(), STORED / f"{self.story}_{name}.png"
        if os.environ.get("MANIKIN_TAKE_PICTURES"):
            STORED.mkdir(exist_ok=True)
            small = seen.scaledToWidth(480, Qt.TransformationMode.SmoothTransformation)
            assert small.save(str(file), "PNG", 0)
            return
        far, mean = difference(seen, QImage(str(file)))
        assert far < _FAR, f"{file.name}: a part of the window looks otherwise ({far:.0f})"
        assert mean < _MEAN, f"{file.name}: the window looks otherwise ({mean:.1f})"


def set_the_stage() -> None:
    """Choose what a window finds among its preferences when it is opened."""
    if ON:
        Settings().keep("high_contrast", ON.contrast)


def plain(words: str) -> str:
    """What is read on a button or an entry."""
    return words.replace("&", "").split("\t")[0]


def said(words: str) -> str:
    """How the window says what it says in English, wherever in it the key is marked."""
    marked = (f"{words[:n]}&{words[n:]}" for n in range(len(words)))
    return next((plain(tr(one)) for one in (words, *marked) if tr(one) != one), words)


def in_sight(widget: QWidget, at: QPoint) -> bool:
    """Whether a place of a widget can be pointed at: it is scrolled into sight, and nothing lies over it."""
    top = widget.window()
    hit = top.childAt(widget.mapTo(top, at)) or top
    return widget.isVisible() and (hit is widget or widget.isAncestorOf(hit))


def seen_in_part() -> Iterator[str]:
    """Name what of the windows that are open is not seen, or in part only."""
    for top in QApplication.topLevelWidgets():
        if top.isVisible() and top.width() > 1:
            if not top.screen().geometry().contains(top.frameGeometry()):
                yield f"larger than the screen: {top.windowTitle() or type(top).__name__}"
            yield from cut(top)


def cut(root: QWidget) -> Iterator[str]:
    """Name the words of a window that are seen in part only, and say nowhere else what they are."""
    for label in root.findChildren(QLabel):
        if isinstance(label, Shortened) or not (label.isVisible() and label.text()):
            continue
        low = label.wordWrap() and label.heightForWidth(label.width()) > label.height() + 1
        if low or (not label.wordWrap() and label.minimumSizeHint().width() > label.width()):
            yield f"label: {label.text()}"
    for button in root.findChildren(QPushButton) + root.findChildren(QToolButton):
        words_only = button.icon().isNull() and len(button.text()) > 1
        if button.isVisible() and words_only and button.minimumSizeHint().width() > button.width():
            yield f"button: {button.text()}"
    for bar in root.findChildren(QTabBar):
        for n in range(bar.count() if bar.isVisible() else 0):
            need = bar.fontMetrics().horizontalAdvance(bar.tabText(n).replace("&", ""))
            if bar.isTabVisible(n) and need > bar.tabRect(n).width():
                yield f"tab: {bar.tabText(n)}"
    for line in root.findChildren(QLineEdit):
        hint = line.placeholderText()
        if line.isVisible() and line.fontMetrics().horizontalAdvance(hint) > line.width():
            yield f"hint: {hint}"
    for area in root.findChildren(QScrollArea):
        inner, room = area.widget(), area.viewport().width()
        is_held = area.horizontalScrollBarPolicy() == Qt.ScrollBarPolicy.ScrollBarAlwaysOff
        if area.isVisible() and is_held and inner.minimumSizeHint().width() > room:
            yield f"wider than its place: {inner.accessibleName() or type(inner).__name__}"


def difference(one: QImage, other: QImage) -> tuple[float, float]:
    """Give by how much two pictures differ at most in one block, and on average, of 255."""
    apart = np.abs(_blocks(one) - _blocks(other)).max(axis=2)
    return float(apart.max()), float(apart.mean())


def _blocks(image: QImage) -> np.ndarray[Any, Any]:
    """Average a picture in blocks."""
    assert not image.isNull()
    small = image.scaled(
        *_BLOCKS, Qt.AspectRatioMode.IgnoreAspectRatio, Qt.TransformationMode.SmoothTransformation
    ).convertToFormat(QImage.Format.Format_RGBA8888)
    data = np.frombuffer(small.constBits(), dtype=np.uint8).reshape(small.height(), -1, 4)
    return data[..., :3].astype(float)
