"""Keep what a widget paints as a picture, for as long as all that it shows is the same."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QPainter, QPixmap
from PySide6.QtWidgets import QWidget


class PaintCache:
    """A picture of a widget's size; a run that plays then moves but a line across it."""

    def __init__(self, widget: QWidget) -> None:
        self._widget = widget
        self._shows: object = None
        self._picture = QPixmap()

    def paint(
        self,
        painter: QPainter,
        shows: object,
        draw: Callable[[QPainter], None],
        area: QRect | None = None,
    ) -> None:
        """Paint the picture, drawn again where what it `shows` is not what it did, or its size and letters.

        `area` is the part of the widget in which it lies; all of it, where nothing else is said.
        """
        widget = self._widget
        area = area or widget.rect()
        ratio = widget.devicePixelRatioF()
        shows = (shows, area, ratio, widget.font().key())
        if shows != self._shows:
            self._shows = shows
            self._picture = QPixmap(area.size() * ratio)
            self._picture.setDevicePixelRatio(ratio)
            self._picture.fill(Qt.GlobalColor.transparent)
            with QPainter(self._picture) as own:
                own.setFont(widget.font())
                own.translate(-area.topLeft())
                draw(own)
        painter.drawPixmap(area.topLeft(), self._picture)
