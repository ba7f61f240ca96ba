"""Let words change all the time without the whole window being laid out each time again."""

from __future__ import annotations

from PySide6.QtCore import QEvent
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QLabel, QWidget

from app.guard import guard


class Still(QWidget):
    """A label; the layout around it is asked only where its words need more or fewer rows, or more width.

    A label in a layout asks for a new one with each word, and so do all around it, up to the window.
    """

    def __init__(self, label: QLabel) -> None:
        super().__init__()
        self.label = label
        label.setParent(self)
        self._fit()

    def say(self, words: str) -> None:
        """Write other words."""
        if words != self.label.text():
            self.label.setText(words)
            self._fit()

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Break the words where there is room now."""
        super().resizeEvent(event)
        self._fit()

    @guard
    def changeEvent(self, event: QEvent) -> None:
        """Make room for letters of another size."""
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()

    def _fit(self) -> None:
        label = self.label
        if label.wordWrap():
            height = max(0, label.heightForWidth(self.width()))
        else:
            wanted = label.sizeHint()
            height = wanted.height()
            if wanted.width() > self.minimumWidth():
                self.setMinimumWidth(wanted.width())
        label.setGeometry(0, 0, self.width(), height)
        if height != self.minimumHeight() or height != self.maximumHeight():
            self.setFixedHeight(height)
