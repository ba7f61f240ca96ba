"""A line of words that gives way: a long name in it never pushes what stands around it."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QToolTip

from app.guard import guard


class Brief(QLabel):
    """Show as much of a line as there is room for; where that is not all, the tip has the whole."""

    def __init__(
        self, words: str = "", cut: Qt.TextElideMode = Qt.TextElideMode.ElideRight
    ) -> None:
        super().__init__(words)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self._cut = cut

    @property
    def shown(self) -> str:
        """Give what is seen of the words."""
        room = self.contentsRect().width()
        return self.fontMetrics().elidedText(self.text(), self._cut, room)

    @guard
    def minimumSizeHint(self) -> QSize:
        """Need no width."""
        return QSize(0, super().minimumSizeHint().height())

    @guard
    def paintEvent(self, event: QPaintEvent) -> None:
        """Draw what has room."""
        painter = QPainter(self)
        self.drawFrame(painter)
        self.style().drawItemText(
            painter,
            self.contentsRect(),
            self.alignment().value,
            self.palette(),
            self.isEnabled(),
            self.shown,
            self.foregroundRole(),
        )

    @guard
    def event(self, event: QEvent) -> bool:
        """Tell the whole where a part is seen."""
        if isinstance(event, QHelpEvent) and self.shown != self.text():
            QToolTip.showText(event.globalPos(), Qt.convertFromPlainText(self.text()), self)
            return True
        return super().event(event)
