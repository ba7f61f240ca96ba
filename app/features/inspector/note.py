"""A note that says its first words, and the rest when it is asked for."""

from __future__ import annotations

import html

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QLabel, QWidget

from app import texts
from app.having import having
from solver.words import tr

_SHORT = 150
"""Notes up to so many letters are shown whole."""


class Note(QLabel):
    """Show a note in a few lines, with a link to the rest; nothing where there is none."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        having(self, objectName="muted", wordWrap=True)
        self.setTextFormat(Qt.TextFormat.RichText)
        flags = Qt.TextInteractionFlag
        self.setTextInteractionFlags(flags.LinksAccessibleByMouse | flags.LinksAccessibleByKeyboard)
        self.linkActivated.connect(self._toggle)
        self._words, self._is_whole = "", False

    def tell(self, words: str) -> None:
        """Show another note, folded if it is long."""
        if words != self._words:
            self._words, self._is_whole = words, False
        self._show()

    def _toggle(self, _: str) -> None:
        self._is_whole = not self._is_whole
        self._show()

    def _show(self) -> None:
        self.setVisible(bool(self._words))
        if len(self._words) <= _SHORT:
            self.setText(_lines(self._words))
            return
        first = self._words[:_SHORT].rsplit(" ", 1)[0]
        words, offer = (
            (self._words, tr(texts.words.LESS))
            if self._is_whole
            else (f"{first} …", tr(texts.words.MORE))
        )
        self.setText(f'{_lines(words)} <a href="#">{offer}</a>')


def _lines(words: str) -> str:
    return html.escape(words).replace("\n", "<br>")
