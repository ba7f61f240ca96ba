"""Buttons in the scene for what is seen beside a run: forces, where surfaces touch, loads as colours, the start."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt
from PySide6.QtWidgets import QFrame, QHBoxLayout, QToolButton, QWidget

from app.command import Command
from app.guard import guard
from app.having import having
from solver.base.words import tr

_FROM_EDGE, _HEIGHT, _ROOMY_PX = 12, 28, (420, 260)
_AXES_PX, _SCALE_PX = 100, (170, 48)
"""Room that the axes take at the left of the lower edge, and the bar of a length at its right, with its height."""


class SightBar(QFrame):
    """Stand at the lower edge of a view while a run is looked at; each button does what its command does."""

    def __init__(self, over: QWidget, sights: Sequence[tuple[str, Command]]) -> None:
        super().__init__(over)
        having(self, objectName="floating")
        self.setAccessibleName(tr("What is seen beside a run"))
        row = QHBoxLayout(self)
        row.setContentsMargins(4, 0, 4, 0)
        row.setSpacing(2)
        self.buttons: list[QToolButton] = []
        self._sights = tuple(command for _, command in sights)
        for words, command in sights:
            button = having(QToolButton(), objectName="quiet", checkable=True, text=words)
            button.setToolTip(command.full_tip)
            button.setAccessibleName(command.plain)
            button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
            button.clicked.connect(lambda _=False, do=command.do: do())
            row.addWidget(button)
            self.buttons.append(button)
        self.setFixedHeight(_HEIGHT)
        self._over, self._wanted = over, False
        over.installEventFilter(self)
        self.hide()

    def show_for(self, wanted: bool) -> None:
        """Be there while a run is looked at, with what is on pressed."""
        self._wanted = wanted
        for button, command in zip(self.buttons, self._sights, strict=True):
            button.setChecked(command.is_on is not None and command.is_on())
        self._place()

    @guard
    def eventFilter(self, _: QObject, event: QEvent) -> bool:
        """Keep to the lower edge of the view."""
        if event.type() == QEvent.Type.Resize:
            self._place()
        return False

    def _place(self) -> None:
        """Stand in the middle of the lower edge, or above the bar of a length where both have no room; a small view leaves it to the keys."""
        over = self._over
        is_roomy = over.width() >= _ROOMY_PX[0] and over.height() >= _ROOMY_PX[1]
        self.setVisible(self._wanted and is_roomy)
        self.adjustSize()
        left, spare = (over.width() - self.width()) // 2, over.width() - self.width()
        is_narrow = left < max(_AXES_PX, _SCALE_PX[0])
        if is_narrow:
            left = max(0, min(max(left, _AXES_PX), spare))
        below = _SCALE_PX[1] if is_narrow else _FROM_EDGE
        self.move(left, over.height() - _HEIGHT - below)
