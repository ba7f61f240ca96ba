"""The list of quantities beside the plots: narrower as long as that helps them."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QSplitter, QWidget

_LIST_PX, _LEAST_PX, _PLOTS_PX = 230, 150, 1100
"""How wide the list is at first and at least, and the plots at first."""


class Halves(QSplitter):
    """Lend the plots room of the list, and take it back where it is not enough for them."""

    def __init__(self, list_: QWidget, plots: QWidget) -> None:
        super().__init__(Qt.Orientation.Horizontal, childrenCollapsible=False)
        list_.setMinimumWidth(_LEAST_PX)
        self.addWidget(list_)
        self.addWidget(plots)
        self.setSizes([_LIST_PX, _PLOTS_PX])
        self.setStretchFactor(1, 1)
        self._own = 0
        """How wide the list was before it lent some of that; zero where it has lent nothing."""
        self.splitterMoved.connect(self._on_hand)

    def lend(self, width: int) -> None:
        """Give the plots a width (px), if the list has that much to spare."""
        now, whole = self.sizes()[0], sum(self.sizes())
        if whole - width >= _LEAST_PX:
            self._own = self._own or now
            self.setSizes([whole - width, width])
        elif self._own and whole > self._own:
            own, self._own = self._own, 0
            self.setSizes([own, whole - own])

    def _on_hand(self, *_: int) -> None:
        self._own = 0
