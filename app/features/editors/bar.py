"""The row above an editor: what is edited, its buttons, and what is said about it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING, Any

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QMenu, QToolButton, QWidget

from app.fonts import Shortened
from app.with_properties import with_properties
from solver.base.words import tr
from solver.bodies.library import CATEGORIES, entries, fragment

if TYPE_CHECKING:
    from solver.model.functions import PulsePath

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
    """Offer entries of the library; what they are and where from stands in their tips.

    The one at which mouse or keys are is `seen`, so that it can be drawn beside one's own; empty once the menu closes.
    """

    looked_at = Signal()

    def __init__(self, text: str, categories: tuple[str, ...], take: Callable[[str], Any]) -> None:
        super().__init__()
        with_properties(self, text=text)
        self.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        self._categories, self._take = categories, take
        self.seen = ""
        menu = QMenu(self, toolTipsVisible=True)
        menu.aboutToShow.connect(self._fill)
        menu.aboutToHide.connect(partial(self._look_at, ""))
        self.setMenu(menu)

    def _look_at(self, id_: str) -> None:
        self.seen = id_
        self.looked_at.emit()

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
                action.hovered.connect(partial(self._look_at, one.id))
                action.triggered.connect(lambda _=False, id_=one.id: self._take(id_))


def pulse_of_library(id_: str, end: float) -> PulsePath | None:
    """Follow the first component of a pulse of the library; None without one."""
    if not id_:
        return None
    from solver.model.functions import pulse_path

    project = fragment(id_)
    return pulse_path(project, project.motions[0].components[0], end)
