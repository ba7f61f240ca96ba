"""Keys that mean something inside an editor go before the window's shortcuts."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from PySide6.QtCore import QEvent
from PySide6.QtGui import QKeyEvent, QKeySequence

from app.guard import guard

if TYPE_CHECKING:
    from PySide6.QtWidgets import QWidget as Base
else:
    Base = object


class OwnKeys(Base):
    """Take some keys for a widget while it has the keyboard: stands before the Qt class."""

    own_keys: tuple[str, ...] = ("Del",)

    @guard
    def event(self, event: Any) -> bool:
        """Claim the keys before the window's shortcuts see them."""
        if event.type() == QEvent.Type.ShortcutOverride and self.claims(event):
            event.accept()
            return True
        return super().event(event)

    def claims(self, event: QKeyEvent) -> bool:
        """Whether a key is one of the widget's own."""
        pressed = QKeySequence(event.keyCombination())
        return any(pressed == QKeySequence(key) for key in self.own_keys)


class PassedOn(OwnKeys):
    """Claim keys, and leave them to the editor around."""

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Leave own keys to the editor around."""
        if self.claims(event):
            event.ignore()
        else:
            super().keyPressEvent(event)
