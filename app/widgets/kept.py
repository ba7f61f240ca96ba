"""Keep what a widget paints as a picture, for as long as all that it shows is the same."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget


class Kept:
    """Hold a picture of a widget's size; a run that plays then moves but a line across it."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._shows: object = None
        self._picture = QPixmap()

    def paint(self, painter: QPainter, shows: object, draw: Callable[[QPainter], None]) -> None:
        """Paint the picture, drawn anew where what it `shows` is not what it did, or its size and letters."""
        widget = self._widget
        ratio = widget.devicePixelRatioF()
        shows = (shows, widget.width(), widget.height(), ratio, widget.font().key())
        if shows != self._shows:
            self._shows = shows
            self._picture = QPixmap(widget.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            with QPainter(self._picture) as own:
                own.setFont(widget.font())
                draw(own)
        painter.drawPixmap(0, 0, self._picture)
