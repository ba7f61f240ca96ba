"""A small plate in the corner of a view that names what is seen in it."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QFrame, QHBoxLayout, QLabel, QToolButton, QWidget

from app.having import having
from solver.base.words import msgid, tr

_CLOSE_VIEW = msgid("Close this view (Esc)")

_FROM_CORNER = 12
_LONGEST_PX = 260
_BUTTON, _HEIGHT = 20, 28


class NamePlate(QFrame):
    """Show a name, a remark beside it, and for a view that can be closed the button that does it."""

    closed = Signal()

    def __init__(self, over: QWidget, closes: bool = False) -> None:
        super().__init__(over)
        having(self, objectName="floating")
        self.name, self.remark = (
            having(QLabel(), objectName="key"),
            having(QLabel(), objectName="muted"),
        )
        row = QHBoxLayout(self)
        row.setContentsMargins(10, 0, 4 if closes else 10, 0)
        row.setSpacing(8)
        row.addWidget(self.name)
        row.addWidget(self.remark)
        if closes:
            self.button = having(
                QToolButton(), text="✕", objectName="quiet", toolTip=tr(_CLOSE_VIEW)
            )
            self.button.setAccessibleName(tr(_CLOSE_VIEW))
            self.button.setFixedSize(_BUTTON, _BUTTON)
            self.button.clicked.connect(self.closed)
            row.addWidget(self.button)
        self.setFixedHeight(_HEIGHT)
        self.move(_FROM_CORNER, _FROM_CORNER)

    def say(self, name: str, remark: str = "") -> None:
        """Write a name, shortened where it is long, and a remark."""
        if (name, remark) == (self.name.toolTip(), self.remark.text()):
            return
        self.name.setToolTip(name)
        metrics = self.name.fontMetrics()
        self.name.setText(metrics.elidedText(name, Qt.TextElideMode.ElideRight, _LONGEST_PX))
        self.remark.setText(remark)
        self.remark.setVisible(bool(remark))
        self.adjustSize()
