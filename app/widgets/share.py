"""A bar in a table: a figure as a part of its limit."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QModelIndex, QObject, QPersistentModelIndex, QRectF, Qt
from PySide6.QtGui import QColor, QPainter
from PySide6.QtWidgets import QStyledItemDelegate, QStyleOptionViewItem

from app.guard import guard
from app.look import Theme

_SHARE_WORDS = "{percent:.0f} %"
"""A figure as a part of its limit; the column says of what."""
SHARE, OPEN = Qt.ItemDataRole.UserRole, Qt.ItemDataRole.UserRole + 2
"""The part, and what is written where nothing is judged: the run ended early, or the body went through something."""


class Share(QStyledItemDelegate):
    """Draw a bar that ends at the limit; its colour says on which side the figure is, and so do words."""

    def __init__(
        self, parent: QObject, theme: Callable[[], Theme], colour: Callable[[float], str]
    ) -> None:
        super().__init__(parent)
        self._theme, self._colour = theme, colour

    @guard
    def paint(
        self,
        painter: QPainter,
        option: QStyleOptionViewItem,
        index: QModelIndex | QPersistentModelIndex,
    ) -> None:
        """Paint the bar and the percentage."""
        share, label = index.data(SHARE), index.data(OPEN)
        if share is None and not label:
            return
        theme, box = self._theme(), QRectF(option.rect).adjusted(4, 7, -8, -7)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        if label:
            painter.setPen(QColor(theme.muted))
            whole = QRectF(option.rect).adjusted(4, 0, -4, 0)
            painter.drawText(whole, Qt.AlignmentFlag.AlignVCenter, label)
            painter.restore()
            return
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(QColor(theme.line))
        track = QRectF(box.left(), box.top(), 0.55 * box.width(), box.height())
        painter.drawRoundedRect(track, 3, 3)
        painter.setBrush(QColor(self._colour(share)))
        filled = QRectF(track.left(), track.top(), track.width() * min(share, 1.0), track.height())
        painter.drawRoundedRect(filled, 3, 3)
        painter.setPen(QColor(theme.text))
        painter.drawText(
            QRectF(track.right() + 8, option.rect.top(), 80, option.rect.height()),
            Qt.AlignmentFlag.AlignVCenter,
            _SHARE_WORDS.format(percent=100 * share),
        )
        painter.restore()
