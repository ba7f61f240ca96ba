"""Hold the view of the scene, and up to three beside it that are seen from the same place."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.look import Theme
from app.scene.viewport import Viewport
from solver.base.words import tr

MOST = 3
"""So many views stand beside the first at most."""


class Views(QSplitter):
    """Show one view, or several in two columns; all have one camera, whoever turns it."""

    opened = Signal()
    """There is a further view now."""

    def __init__(self, first: Viewport, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent, childrenCollapsible=False)
        self.setHandleWidth(1)
        self.first = first
        self.others: list[Viewport] = []
        self._columns = (self._column(), self._column())
        self._columns[0].addWidget(first)
        self._columns[1].hide()
        first.turned.connect(lambda: self._turn(first))

    def _column(self) -> QSplitter:
        column = QSplitter(Qt.Orientation.Vertical, childrenCollapsible=False)
        column.setHandleWidth(1)
        self.addWidget(column)
        return column

    @property
    def second(self) -> Viewport | None:
        """Give the view beside the first one."""
        return self.others[0] if self.others else None

    @property
    def all(self) -> tuple[Viewport, ...]:
        """Give the views that there are."""
        return (self.first, *self.others)

    def open_beside(self, count: int) -> None:
        """Let so many views stand beside the first, all equally large; those that are open stay."""
        before = len(self.others)
        while len(self.others) > count:
            self._close_last()
        while len(self.others) < count:
            view = Viewport()
            view.setAccessibleName(tr("Scene of the other run"))
            view.set_theme(self.first.theme)
            view.turned.connect(lambda view=view: self._turn(view))
            # right of the first, below it, and right of that
            self._columns[(len(self.others) + 1) % 2].addWidget(view)
            self.others.append(view)
        if count == before:
            return
        self._columns[1].setVisible(count > 0)
        self.setSizes([max(1, self.width() // 2)] * 2)
        for column in self._columns:
            column.setSizes([max(1, column.height() // 2)] * column.count())
        self.align()
        if count > before:
            self.opened.emit()

    def show_others(self, on: bool) -> None:
        """Show the other views, or leave all room to the first."""
        for view in self.others:
            view.setVisible(on)
        self._columns[1].setVisible(on and bool(self.others))

    def _close_last(self) -> None:
        """Close the last view and give its graphics memory back."""
        view = self.others.pop()
        view.close_graphics()
        view.setParent(None)
        view.deleteLater()

    def _turn(self, turned: Viewport) -> None:
        """Draw all others as one of them was turned."""
        for view in self.all:
            if view is not turned:
                view.turn_along()

    def align(self) -> None:
        """Let all look through the first one's camera at what is shown, hidden and cut there."""
        for view in self.others:
            view.see_as(self.first)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        for view in self.all:
            view.set_theme(theme)
