"""The tool that selects by a box: everything whose middle lies inside."""

from __future__ import annotations

import numpy as np
from PySide6.QtCore import QPointF, QRectF, Qt
from PySide6.QtGui import QColor, QMouseEvent, QPainter, QPen

from app.document import Document
from app.scene.tool import Tool
from app.scene.viewport import Viewport
from solver.base.words import tr

_CLICK_PX = 4.0


class Boxing(Tool):
    """Draw the box and select; with Ctrl, add to what is selected.

    It begins with Shift. A plain one, behind all other tools, begins without, where another button
    than the left one turns the scene.
    """

    def __init__(self, document: Document, view: Viewport, *, plain: bool = False) -> None:
        self._document, self._view, self._plain = document, view, plain
        self._start: QPointF | None = None
        self._end = QPointF()

    @property
    def is_busy(self) -> bool:  # type: ignore[override]
        """Tell whether a box is drawn."""
        return self._start is not None

    @property
    def hint(self) -> str:  # type: ignore[override]
        """Say what the box selects."""
        return (
            tr("Everything whose middle lies in the box is selected; Ctrl adds to what is.")
            if self._start is not None
            else ""
        )

    def pressed(self, event: QMouseEvent) -> bool:
        """Begin a box."""
        left = Qt.MouseButton.LeftButton
        shift = bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier)
        wanted = self._view.turn_button != left if self._plain else shift
        if event.button() != left or not wanted or self._view.lens is None:
            return False
        self._start = self._end = event.position()
        return True

    def moved(self, event: QMouseEvent) -> bool:
        """Draw the box."""
        if self._start is None:
            return False
        self._end = event.position()
        self._view.update()
        return True

    def released(self, event: QMouseEvent) -> None:
        """Select what is inside; a mere click adds the element under the mouse."""
        start, self._start = self._start, None
        self._view.update()
        if start is None:
            return
        keep = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        box = QRectF(start, event.position()).normalized()
        if box.width() + box.height() < _CLICK_PX:
            element = self._view.element_at(event.position())
            if self._plain:
                self._view.clicked.emit(element)
            else:
                self._document.select(element, add=True)
            return
        found = self.inside(box)
        before = [p for p in self._document.chosen if p and p not in found] if keep else []
        self._document.select_all([*before, *found])

    def inside(self, box: QRectF) -> list[str]:
        """Name the elements whose middle is seen inside a box."""
        lens = self._view.lens
        if lens is None:
            return []
        middles = self._view.stage.middles()
        names = [n for n in middles if lens.is_ahead(middles[n])]
        if not names:
            return []
        seen = lens.pixels(np.array([middles[n] for n in names]))
        return [n for n, (x, y) in zip(names, seen, strict=True) if box.contains(x, y)]

    def paint(self, painter: QPainter) -> None:
        """Draw the box."""
        if self._start is not None:
            colour = QColor(self._view.theme.accent)
            painter.setPen(QPen(colour, 1.2))
            colour.setAlpha(40)
            painter.setBrush(colour)
            painter.drawRect(QRectF(self._start, self._end))
