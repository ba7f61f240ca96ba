"""List the elements that refer to the selected one, as links."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QVBoxLayout, QWidget

from app import texts
from app.forms.facts import Fact
from app.having import having
from solver.base.words import tr

_LINK_PX = 300
_MOST = 24


class Users(QWidget):
    """Show one link for each user; the same buttons serve every element."""

    chosen = Signal(str)

    def __init__(self) -> None:
        super().__init__()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 8, 0, 0)
        self._column.setSpacing(2)
        self._title = having(QLabel(), objectName="section")
        self._column.addWidget(self._title)
        self._buttons: list[QPushButton] = []
        self._links: list[str] = []
        self.hide()

    @property
    def links(self) -> list[QPushButton]:
        """Give the links that are seen."""
        return self._buttons[: len(self._links)]

    def show_facts(self, facts: Sequence[Fact]) -> None:
        """List users; nothing is seen where there are none."""
        shown = facts[:_MOST]
        self._links = [fact.link for fact in shown]
        self._title.setText(f"{tr('Used by')} {len(facts)}")
        while len(self._buttons) < len(shown):
            self._add()
        for button, fact in zip(self._buttons, shown, strict=False):
            words = f"{fact.value}  ·  {fact.label.lower()}"
            short = self.fontMetrics().elidedText(words, Qt.TextElideMode.ElideMiddle, _LINK_PX)
            button.setText(short)
            parts = [words if short != words else "", fact.help, tr(texts.words.GO_TO)]
            button.setToolTip("\n".join(filter(None, parts)))
        for i, button in enumerate(self._buttons):
            button.setVisible(i < len(shown))
        self.setVisible(bool(shown))

    def _add(self) -> None:
        number = len(self._buttons)
        button = having(QPushButton(), objectName="link")
        button.clicked.connect(lambda: self.chosen.emit(self._links[number]))
        self._buttons.append(button)
        self._column.addWidget(button)
