"""What stands at the right of a panel's title or tabs: a remark on what is shown, and the way to help."""

from __future__ import annotations

from PySide6.QtWidgets import QHBoxLayout, QLabel, QSizePolicy, QWidget

from app.having import having
from app.widgets.help_button import HelpButton, ask_for_help


class Corner(QWidget):
    """Say something about a panel, and lead to the guide."""

    def __init__(self, about: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = about
        self.remark = having(QLabel(), objectName="remark", visible=False)
        self.remark.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self.ask = HelpButton()
        self.ask.clicked.connect(lambda: ask_for_help(self.about))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.addWidget(self.remark)
        row.addWidget(self.ask)

    def say(self, sentence: str) -> None:
        """Show a remark; nothing for none."""
        self.remark.setText(sentence)
        self.remark.setToolTip(sentence)
        self.remark.setMinimumWidth(self.remark.sizeHint().width() if sentence else 0)
        self.remark.setVisible(bool(sentence))
