"""Words that change all the time ask for no new layout, unless they need another room."""

from __future__ import annotations

from typing import Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QFontInfo
from PySide6.QtWidgets import QApplication, QLabel, QVBoxLayout, QWidget

from app.rate_limit import RateLimit
from app.widgets.still import Still


class Outside(QWidget):
    """Count how often it is laid out again."""

    asked = 0

    def event(self, event: QEvent) -> bool:
        """Count."""
        self.asked += event.type() == QEvent.Type.LayoutRequest
        return super().event(event)


def settle() -> None:
    """Let everything that was posted be done."""
    for _ in range(5):
        QApplication.sendPostedEvents()
        QApplication.processEvents()


def test_the_layout_around_is_asked_only_for_more_room(qtbot: Any) -> None:
    outside = Outside()
    qtbot.addWidget(outside)
    label = QLabel()
    label.setWordWrap(True)
    still = Still(label)
    layout = QVBoxLayout(outside)
    layout.addWidget(still)
    layout.addStretch()
    outside.resize(300, 200)
    outside.show()
    still.say("12.5 ms")
    settle()
    low, asked = still.height(), outside.asked
    for n in range(20):
        still.say(f"{n:.1f} ms")
        settle()
    assert label.text() == "19.0 ms"
    assert outside.asked == asked
    still.say("many words that do not fit into one row " * 6)
    settle()
    assert still.height() > 2 * low
    assert label.height() == still.height()
    assert outside.asked > asked
    font = still.font()
    font.setPixelSize(2 * QFontInfo(font).pixelSize())
    before = still.minimumHeight()
    still.setFont(font)
    assert still.minimumHeight() > before


def test_a_pace_is_due_once() -> None:
    slow, quick = RateLimit(1e7), RateLimit(0.0)
    assert [slow.is_due() for _ in range(3)] == [True, False, False]
    assert [quick.is_due() for _ in range(3)] == [True, True, True]
