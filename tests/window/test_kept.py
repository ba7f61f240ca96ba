"""What a widget keeps as a picture is drawn once, and again where something of it has changed."""

from __future__ import annotations

from typing import Any

from PySide6.QtGui import QColor, QPainter, QPixmap
from PySide6.QtWidgets import QWidget

from app.paint_cache import PaintCache


def test_it_is_drawn_again_where_something_has_changed(qtbot: Any) -> None:
    widget = QWidget()
    qtbot.addWidget(widget)
    widget.resize(20, 10)
    kept, drawn = PaintCache(widget), []

    def show(what: object) -> QColor:
        target = QPixmap(widget.size())
        target.fill(QColor("white"))
        with QPainter(target) as painter:

            def draw(own: QPainter) -> None:
                drawn.append(what)
                own.fillRect(0, 0, 20, 10, QColor(str(what)))

            kept.paint(painter, what, draw)
        return target.toImage().pixelColor(widget.width() - 1, 5)

    assert show("#ff0000") == QColor("#ff0000")
    assert show("#ff0000") == QColor("#ff0000")
    assert drawn == ["#ff0000"], "the second time it is not drawn"
    assert show("#0000ff") == QColor("#0000ff")
    widget.resize(16, 10)
    assert show("#0000ff") == QColor("#0000ff")
    assert drawn == ["#ff0000", "#0000ff", "#0000ff"], "a new size is drawn again"
