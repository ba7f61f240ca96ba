"""The wheel belongs to what scrolls, until a field has the keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

from PySide6.QtGui import QWheelEvent

from app.guard import guard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as Base
else:
    Base = object


class CalmWheel(Base):
    """Step by the wheel only where the keyboard is: stands before the Qt class."""

    @guard
    def wheelEvent(self, event: QWheelEvent) -> None:
        """Leave the wheel to what is around, unless the keyboard is here."""
        if self.hasFocus():
            super().wheelEvent(event)
        else:
            event.ignore()
