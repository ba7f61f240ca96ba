"""Hold the view of the scene, and a second one beside it that is seen from the same place."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QSplitter, QWidget

from app.look import Theme
from app.scene.viewport import Viewport
from solver.words import tr


class Views(QSplitter):
    """Show one view, or two; both have one camera, whoever turns it."""

    opened = Signal()
    """There is a second view now."""

    def __init__(self, first: Viewport, parent: QWidget | None = None) -> None:
        super().__init__(Qt.Orientation.Horizontal, parent, childrenCollapsible=False)
        self.setHandleWidth(1)
        self.addWidget(first)
        self.first = first
        self.second: Viewport | None = None

    @property
    def all(self) -> tuple[Viewport, ...]:
        """Give the views that there are."""
        return (self.first,) if self.second is None else (self.first, self.second)

    def open_second(self) -> Viewport:
        """Open the second view, as wide as the first; the one that is open stays."""
        if self.second is None:
            second = self.second = Viewport()
            second.setAccessibleName(tr("Scene of the other run"))
            second.set_theme(self.first.theme)
            self.addWidget(second)
            half = max(1, self.width() // 2)
            self.setSizes([half, half])
            self.align()
            self.first.turned.connect(second.turn_along)
            second.turned.connect(self.first.turn_along)
            self.opened.emit()
        return self.second

    def close_second(self) -> None:
        """Close the second view and give its graphics memory back."""
        second, self.second = self.second, None
        if second is not None:
            self.first.turned.disconnect(second.turn_along)
            second.close_graphics()
            second.setParent(None)
            second.deleteLater()

    def align(self) -> None:
        """Let the second view look through the first one's camera at what is shown, hidden and cut there."""
        if self.second is not None:
            self.second.see_as(self.first)

    def set_theme(self, theme: Theme) -> None:
        """Change to light or dark."""
        for view in self.all:
            view.set_theme(theme)
