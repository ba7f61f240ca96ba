"""The row above an editor: what is edited, its buttons, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.fonts import Shortened
from app.with_properties import with_properties
from solver.base.words import tr
from solver.bodies.library import CATEGORIES, entries

_HINT_PX = 120


class Bar(QWidget):
    """The heading, widgets in a row, and a sentence at the end."""

    def __init__(self, *widgets: QWidget) -> None:
        super().__init__()
        self.heading = with_properties(QLabel(""), objectName="key")
        self.hint = Shortened(_HINT_PX)
        row = QHBoxLayout(self)
        row.setContentsMargins(12, 4, 8, 2)
        row.setSpacing(8)
        for widget in (self.heading, *widgets):
            row.addWidget(widget)
        row.addWidget(self.hint, 1)

    def say(self, sentence: str) -> None:
        """Say something at the end of the row."""
        self.hint.say(sentence)


def button(text: str, tip: str, do: Callable[[], Any]) -> QToolButton:
    """Make a button that does something."""
    made = with_properties(QToolButton(), text=text, toolTip=tip)
    made.clicked.connect(lambda: do())
    return made


class LibraryButton(QToolButton):
    """Offer entries of the library; what they are and where from stands in their tips."""

    def __init__(self, text: str, categories: tuple[str, ...], take: Callable[[str], Any]) -> None:
        super().__init__()
        with_properties(self, text=text)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._categories, self._take = categories, take
        menu = QMenu(self, toolTipsVisible=True)
        menu.aboutToShow.connect(self._fill)
        self.setMenu(menu)

    def _fill(self) -> None:
        """List the entries when they are first asked for."""
        menu = self.menu()
        if menu.actions():
            return
        for category in self._categories:
            if len(self._categories) > 1:
                menu.addSection(tr(CATEGORIES[category]))
            for one in entries(category):
                action = menu.addAction(one.name)
                action.setToolTip(f"{one.note}\n{one.source}".strip())
                action.triggered.connect(lambda _=False, id_=one.id: self._take(id_))
