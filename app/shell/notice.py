"""A bar at the top of the window that says something and offers what to do; never in the way."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QPushButton,
    QToolButton,
    QVBoxLayout,
    QWidget,
)

from app.guard import guard
from app.icons import icon
from app.look import LIGHT, Theme
from app.with_properties import with_properties
from solver.base.words import msgid, tr

_CLOSE_NOTICE = msgid("Close")


class Notice(QWidget):
    """Show one sentence with buttons until it is answered or closed."""

    left = Signal()
    """It goes, and the keyboard was in it."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        with_properties(self, objectName="notice")
        self.setAttribute(Qt.WidgetAttribute.WA_StyledBackground)
        self.words = QLabel(wordWrap=True)
        self.words.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        column = QVBoxLayout(self)
        column.setContentsMargins(16, 6, 8, 6)
        column.setSpacing(4)
        self._row = QHBoxLayout()
        self._row.setSpacing(8)
        self._row.addWidget(self.words, 1)
        self._close = with_properties(QToolButton(), toolTip=tr(_CLOSE_NOTICE))
        self._close.setAccessibleName(tr(_CLOSE_NOTICE))
        self._close.clicked.connect(self._leave)
        self._row.addWidget(self._close)
        column.addLayout(self._row)
        self.buttons: list[QPushButton] = []
        self._stays = False
        self.set_theme(LIGHT)
        self.hide()

    def say(
        self,
        sentence: str,
        *offers: tuple[str, Callable[[], object]],
        stays: bool = False,
    ) -> None:
        """Show a sentence; each offer is a button's words and what it does.

        One that `stays` is not about the model that is open.
        """
        self._stays = stays
        for button in self.buttons:
            self._row.removeWidget(button)
            button.hide()
            button.deleteLater()
        self.buttons = []
        self.words.setText(sentence)
        for words, do in offers:
            button = QPushButton(words)
            button.clicked.connect(lambda _=False, do=do: self._answer(do))
            self._row.insertWidget(self._row.count() - 1, button)
            self.buttons.append(button)
        self.show()

    def forget(self) -> None:
        """Another model is opened: what was said of the last one is not true of it."""
        if not self._stays:
            self.hide()

    def unsay(self, *sentences: str) -> None:
        """Hide a sentence that is no longer true."""
        if self.words.text() in sentences:
            self.hide()

    def set_theme(self, theme: Theme) -> None:
        """Draw the cross again."""
        self._close.setIcon(icon("cross", theme.text))

    def _answer(self, do: Callable[[], object]) -> None:
        self._leave()
        do()

    @guard
    def _leave(self) -> None:
        """Go; the keyboard must not end in whatever field comes next."""
        had = any(one.hasFocus() for one in (self._close, *self.buttons))
        self.hide()
        if had:
            self.left.emit()
