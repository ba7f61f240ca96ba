"""A part of a dialog that scrolls where the screen is too low for it."""

from __future__ import annotations

from PySide6.QtCore import QSize, Qt
from PySide6.QtWidgets import QFrame, QLayout, QScrollArea, QWidget

from app.guard import guard
from app.having import having

_LEAST_PX, GUTTER_PX = 120, 12
"""The least height, and what is left free at the right for the scroll bar."""


class Tall(QScrollArea):
    """Ask for the whole height of what is inside, and do with less."""

    def __init__(self, inner: QLayout, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        having(self, widgetResizable=True, objectName="tall")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setMinimumHeight(_LEAST_PX)
        holder = having(QWidget(), objectName="tall")
        inner.setContentsMargins(0, 0, GUTTER_PX, 0)
        holder.setLayout(inner)
        self.setWidget(holder)

    @guard
    def sizeHint(self) -> QSize:
        """Ask for all of it."""
        within = self.widget()
        assert within is not None
        return within.sizeHint()
