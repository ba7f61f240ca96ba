"""The quiet button of panels and dialogs that opens the guide where it tells of them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QToolButton

from app import texts


class HelpButton(QToolButton):
    """Stand for F1 where the mouse is; Tab passes it by, since F1 is nearer then."""

    def __init__(self) -> None:
        super().__init__(text="?", objectName="help", toolTip=texts.guide.HELP_TIP)
        self.setAccessibleName(texts.guide.HELP)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
