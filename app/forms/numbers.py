"""The fields of dialogs that take numbers: they look as other fields do, and step by arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent, QWheelEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

from app.told import told

_INSIDE_PX = 8
"""From the edge to the words, as in other fields."""


class Number(QDoubleSpinBox):
    """Take a number with its unit behind it."""

    def __init__(self, least: float, most: float, step: float, digits: int, unit: str = "") -> None:
        super().__init__(minimum=least, maximum=most, singleStep=step, decimals=digits)
        self.setSuffix(unit)
        _be_plain(self)

    @told
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words where they belong."""
        super().resizeEvent(event)
        _place_words(self)

    @told
    def changeEvent(self, event: QEvent) -> None:
        """Put the words where they belong, in another size or colour too."""
        super().changeEvent(event)
        _place_words(self)

    @told
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step where the keyboard is; elsewhere the wheel belongs to what is around."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


class Whole(QSpinBox):
    """Take a whole number with what it counts behind it."""

    def __init__(self, least: int, most: int, value: int = 0, unit: str = "") -> None:
        super().__init__(minimum=least, maximum=most, value=value, suffix=unit)
        _be_plain(self)

    @told
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words where they belong."""
        super().resizeEvent(event)
        _place_words(self)

    @told
    def changeEvent(self, event: QEvent) -> None:
        """Put the words where they belong, in another size or colour too."""
        super().changeEvent(event)
        _place_words(self)

    @told
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Step where the keyboard is; elsewhere the wheel belongs to what is around."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()


def _be_plain(box: QAbstractSpinBox) -> None:
    box.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
    box.setFocusPolicy(Qt.FocusPolicy.StrongFocus)


def _place_words(box: QAbstractSpinBox) -> None:
    """Give the words the room inside the edge: Qt finds none where a style sheet draws it."""
    box.lineEdit().setGeometry(box.rect().adjusted(_INSIDE_PX, 1, -_INSIDE_PX, -1))
