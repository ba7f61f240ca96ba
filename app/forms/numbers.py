"""The fields of dialogs that take numbers: they look as other fields do, and step by arrow keys."""

from __future__ import annotations

from PySide6.QtCore import QEvent, Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QAbstractSpinBox, QDoubleSpinBox, QSpinBox

from app.forms.wheel import CalmWheel
from app.guard import guard

_INSIDE_PX = 8
"""From the edge to the words, as in other fields."""


class _Plain(CalmWheel):
    """Look as other fields do: stands before the Qt class."""

    @guard
    def resizeEvent(self, event: QResizeEvent) -> None:
        """Put the words where they belong."""
        super().resizeEvent(event)
        self._place_words()

    @guard
    def changeEvent(self, event: QEvent) -> None:
        """Put the words where they belong, in another size or colour too."""
        super().changeEvent(event)
        self._place_words()

    def _be_plain(self) -> None:
        assert isinstance(self, QAbstractSpinBox)
        self.setButtonSymbols(QAbstractSpinBox.ButtonSymbols.NoButtons)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)

    def _place_words(self) -> None:
        """Give the words the room inside the edge: Qt finds none where a style sheet draws it."""
        assert isinstance(self, QAbstractSpinBox)
        self.lineEdit().setGeometry(self.rect().adjusted(_INSIDE_PX, 1, -_INSIDE_PX, -1))


class Number(_Plain, QDoubleSpinBox):
    """Take a number with its unit behind it."""

    def __init__(self, least: float, most: float, step: float, digits: int, unit: str = "") -> None:
        super().__init__(minimum=least, maximum=most, singleStep=step, decimals=digits)
        self.setSuffix(unit)
        self._be_plain()


class Whole(_Plain, QSpinBox):
    """Take a whole number with what it counts behind it."""

    def __init__(self, least: int, most: int, value: int = 0, unit: str = "") -> None:
        super().__init__(minimum=least, maximum=most, value=value, suffix=unit)
        self._be_plain()
