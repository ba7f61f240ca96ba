"""What stands at the right of a panel's title or tabs: a remark on what is shown, and the way to help."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from app.having import having
from app.widgets.help_button import HelpButton, ask_for_help

_SPARE_PX, _WORDS_PX = 16, 28
"""Beside the button, and beside the words where there are some, as the style pads them."""


class Corner(QWidget):
    """Say something about a panel, and lead to the guide."""

    def __init__(self, about: QWidget, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.about = about
        self.sentence = ""
        self.remark = having(QLabel(), objectName="remark", visible=False)
        self.ask = HelpButton()
        self.ask.clicked.connect(lambda: ask_for_help(self.about))
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 8, 0)
        row.addWidget(self.remark, 1)
        row.addWidget(self.ask)

    def say(self, sentence: str) -> None:
        """Show a remark; nothing for none."""
        self.sentence = sentence
        self.remark.setToolTip(sentence)
        self.remark.setVisible(bool(sentence))
        self.give(self.wanted)

    @property
    def wanted(self) -> int:
        """Give how wide it is with the whole sentence."""
        words = self.remark.fontMetrics().horizontalAdvance(self.sentence)
        return self.least + (words + _WORDS_PX if self.sentence else 0)

    @property
    def least(self) -> int:
        """Give how wide it is without a sentence."""
        return self.ask.sizeHint().width() + _SPARE_PX

    def give(self, width: int) -> None:
        """Write as much of the sentence as so much room has."""
        room = width - self.least - _WORDS_PX
        metrics = self.remark.fontMetrics()
        self.remark.setText(metrics.elidedText(self.sentence, Qt.TextElideMode.ElideRight, room))
